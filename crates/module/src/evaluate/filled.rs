//! Fills planned values with the recorded values of parts that only the provider sets.

use terrane_value::{Entries, Known, OriginKind, Origins, SmolStr, Type, Value, ValueKind};

use crate::evaluate::pairing::Partner;
use crate::evaluate::sameness::{Sameness, is_own, recorded_elements};

/// A part of an instance, as it is planned, configured and recorded.
#[derive(Clone, Copy)]
pub(super) struct Sides<'v> {
    /// The value so far: the configured value, where attributes that the provider sets may be
    /// given by hand or computed.
    pub(super) planned: &'v Value,
    /// The value in the configuration.
    pub(super) configured: &'v Value,
    pub(super) recorded: &'v Value,
}

impl Sameness<'_> {
    /// Fills the unknown parts that only the provider sets with the recorded parts, for an instance that does not
    /// change. If the objects come from a plan, fills all unknown parts that the plan knows.
    pub(super) fn filled(&self, sides: Sides<'_>) -> Value {
        let Sides { planned, configured, recorded } = sides;
        let (inner, other) = (planned.unmarked(), recorded.unmarked());
        // A part of a secret value is secret. A configured part keeps its own marks, whatever was recorded.
        let taken = |part: &Value| part.clone().with_marks(recorded.marks());
        let attribute = |name: &SmolStr, value: &Value| {
            let configured = configured.known_attributes().and_then(|all| all.get(name)).unwrap_or(value);
            match other.as_entries().and_then(|all| all.get(name)) {
                Some(recorded) => {
                    self.filled(Sides { planned: value, configured, recorded: &taken(recorded) })
                }
                None => value.clone(),
            }
        };
        let entries = |all: &Entries| {
            all.iter().map(|(name, value)| (name.clone(), attribute(name, value))).collect::<Vec<_>>()
        };
        let element = || inner.ty().element().cloned().unwrap_or(Type::Dynamic);
        let with = match (inner.kind(), inner.as_unknown().map(|unknown| &unknown.known)) {
            (ValueKind::Unknown(unknown), Some(Known::Nothing)) if other.is_wholly_unknown() => {
                let reason = Origins::one(OriginKind::NotComputed, "the plan leaves it to the apply");
                taken(&Value::unknown_from(unknown.ty.clone(), unknown.origins.because(&reason)))
            }
            (ValueKind::Unknown(unknown), Some(Known::Nothing))
                if self.is_planned || is_own(&unknown.origins, self.address) =>
            {
                recorded.clone()
            }
            (ValueKind::Unknown(unknown), Some(Known::Object(own))) => {
                let added = other.as_entries().into_iter().flat_map(Entries::iter);
                let added = added.filter(|(name, _)| own.get(name).is_none());
                let added = added.map(|(name, value)| (name.clone(), taken(value)));
                Value::open_object(entries(own).into_iter().chain(added).collect(), unknown.origins.clone())
            }
            (ValueKind::Unknown(unknown), Some(Known::Sequence(all))) => {
                match (all.as_slice(), other.as_entries(), self.filled_elements(all, sides)) {
                    // A block that may occur only once is recorded as an object.
                    ([_], Some(_), Some(filled)) => {
                        filled.into_iter().next().unwrap_or_else(|| inner.clone())
                    }
                    (_, _, Some(filled)) => Value::open_sequence(filled, unknown.origins.clone()),
                    (_, _, None) => inner.clone(),
                }
            }
            (ValueKind::Object(all), _) => Value::object(entries(all)),
            (ValueKind::List(all), _) => match self.filled_elements(all, sides) {
                Some(all) => Value::list(element(), all),
                None => inner.clone(),
            },
            (ValueKind::Set(all), _) => match self.filled_elements(all, sides) {
                Some(all) => Value::set(element(), all),
                None => inner.clone(),
            },
            (ValueKind::Map(all), _) => Value::map(element(), entries(all)),
            (_, _) => inner.clone(),
        };
        let with = with.with_marks(planned.marks());
        // The plan was made of this configuration, so its marks hold for configured parts as well.
        if self.is_planned { with.with_marks(recorded.marks()) } else { with }
    }

    /// Fills the elements of a sequence: their computed attributes get the values of the recorded elements paired
    /// with them. `None` if the elements cannot be paired. The elements of a set have no positions, so any
    /// pairing gives the same set.
    fn filled_elements(&self, planned: &[Value], sides: Sides<'_>) -> Option<Vec<Value>> {
        if planned.iter().all(Value::is_wholly_known) {
            return None;
        }
        let is_set = matches!(sides.planned.unmarked().kind(), ValueKind::Set(_));
        // A set sorts its elements by value, so the configured set may have another order than the planned one.
        let configured =
            sides.configured.known_elements().filter(|all| !is_set && all.len() == planned.len());
        let configured = configured.unwrap_or(planned);
        let recorded = recorded_elements(configured, sides.recorded)?;
        let is_list = self.is_list(sides.configured);
        let partners: Vec<Option<usize>> = match self.pairing(configured, sides.recorded, is_list) {
            Some(partners) => {
                let position = |partner: &Partner| (is_set || partner.is_certain).then_some(partner.position);
                partners.iter().map(position).collect()
            }
            // An attribute of the object changes. The elements of a list are still paired by position.
            None if configured.len() == recorded.len() && (is_list || configured.len() == 1) => {
                (0..configured.len()).map(Some).collect()
            }
            None => self.partners(configured, recorded)?,
        };
        let filled = |((planned, configured), at): ((&Value, &Value), &Option<usize>)| {
            let Some(recorded) = at.and_then(|at| recorded.get(at)) else { return planned.clone() };
            let recorded = &recorded.clone().with_marks(sides.recorded.marks());
            self.filled(Sides { planned, configured, recorded })
        };
        Some(planned.iter().zip(configured).zip(&partners).map(filled).collect())
    }
}
