//! Finds configured attributes and blocks, and parts inside of them, whose values do not come from the configuration.

use terrane_value::{Path, SmolStr, Value, ValueKind};

use crate::model::given_step::GivenStep;

/// Limit on the elements of a set that are compared one by one.
const MAX_ELEMENTS: usize = 200;

/// The approximate bytes of a part.
const BYTES_OF_PART: usize = 240;

/// A configured attribute or block, or a part of one, whose value is known although it does not follow from the
/// configuration. The configuration leaves the part to the provider, or it is unknown where a plan has a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InnerPart {
    /// The path below the instance: `.name`, `.disk[0].volume`. An element of a set adds no step.
    pub path: String,
    /// The steps of the path.
    pub steps: Vec<GivenStep>,
    /// Whether the value is given by hand. Otherwise, a state or a plan has recorded it.
    pub is_given: bool,
}

impl InnerPart {
    /// Returns the approximate bytes of memory of parts.
    pub(crate) fn bytes(parts: &[InnerPart]) -> usize {
        parts.iter().fold(0, |sum, part| sum.saturating_add(BYTES_OF_PART).saturating_add(part.path.len()))
    }
}

/// A part before and after values are filled in.
struct Pair<'v> {
    before: Option<&'v Value>,
    after: &'v Value,
    path: Path,
    steps: Vec<GivenStep>,
}

/// Returns the parts of the configured attributes of `before` that are known only in `after`.
pub(crate) fn gained(
    before: &Value,
    after: &Value,
    is_given: bool,
    is_configured: impl Fn(&SmolStr) -> bool,
) -> Vec<InnerPart> {
    let mut found: Vec<InnerPart> = Vec::new();
    let whole = Pair { before: Some(before), after, path: Path::ROOT, steps: Vec::new() };
    let is_wanted = |name: Option<&SmolStr>, before: Option<&Value>| {
        before.is_some_and(|before| match before.is_wholly_unknown() {
            true => name.is_some_and(&is_configured),
            false => !before.is_wholly_known(),
        })
    };
    let mut left: Vec<Pair<'_>> = whole.parts(&is_wanted);
    left.reverse();
    while let Some(pair) = left.pop() {
        match pair.before {
            Some(before) if !before.is_wholly_unknown() => {
                let is_unknown = |_: Option<&SmolStr>, before: Option<&Value>| {
                    before.is_none_or(|before| !before.is_wholly_known())
                };
                left.extend(pair.parts(&is_unknown).into_iter().rev());
            }
            // If some attributes of an object stay unknown, each known attribute is a part of its own.
            Some(_) | None if pair.is_partly_known_object() => {
                left.extend(pair.attributes_after().into_iter().rev());
            }
            Some(_) | None => {
                let is_set = !pair.after.is_wholly_unknown() && !pair.after.is_null();
                let Pair { path, steps, .. } = pair;
                let part = InnerPart { path: path.to_string(), steps, is_given };
                if is_set && found.last() != Some(&part) {
                    found.push(part);
                }
            }
        }
    }
    found
}

impl<'v> Pair<'v> {
    /// Whether only some attributes of the object are known afterwards.
    fn is_partly_known_object(&self) -> bool {
        !self.after.is_wholly_known() && self.after.known_attributes().is_some()
    }

    /// Returns the attributes afterwards, which were unknown before.
    fn attributes_after(&self) -> Vec<Pair<'v>> {
        let part = |(name, after): (&SmolStr, &'v Value)| {
            let (mut path, mut steps) = (self.path.clone(), self.steps.clone());
            let step = GivenStep::Name(name.clone());
            path.push(step.path_step());
            steps.push(step);
            Pair { before: None, after, path, steps }
        };
        self.after.known_attributes().into_iter().flat_map(|all| all.iter()).map(part).collect()
    }

    /// Returns the pairs of parts whose name and part before meet a condition. The filter comes first, because making a
    /// path takes time and most parts are not wanted.
    fn parts(&self, is_wanted: &dyn Fn(Option<&SmolStr>, Option<&Value>) -> bool) -> Vec<Pair<'v>> {
        let Some(before) = self.before else { return Vec::new() };
        let at = |step: Option<GivenStep>, before, after| {
            let (mut path, mut steps) = (self.path.clone(), self.steps.clone());
            step.iter().for_each(|step| path.push(step.path_step()));
            steps.extend(step);
            Pair { before, after, path, steps }
        };
        match (
            before.known_attributes(),
            self.after.known_attributes(),
            before.known_elements(),
            self.after.known_elements(),
        ) {
            (Some(own), Some(all), ..) => {
                let part = |(name, after): (&'v SmolStr, &'v Value)| {
                    at(Some(GivenStep::Name(name.clone())), own.get(name), after)
                };
                all.iter().filter(|(name, _)| is_wanted(Some(name), own.get(name))).map(part).collect()
            }
            // A block that may occur only once is a sequence before and an object afterwards.
            (_, Some(_), Some([only]), _) if is_wanted(None, Some(only)) => {
                vec![at(None, Some(only), self.after)]
            }
            (.., Some(own), Some(all)) if matches!(self.after.unmarked().kind(), ValueKind::Set(_)) => {
                let before = |after: &Value| own.iter().find(|before| is_extended(before, after));
                let all = all.iter().take(MAX_ELEMENTS);
                let pairs = all.filter_map(|after| Some((before(after)?, after)));
                let wanted = pairs.filter(|(before, _)| is_wanted(None, Some(before)));
                wanted.map(|(before, after)| at(None, Some(before), after)).collect()
            }
            (.., Some(own), Some(all)) if own.len() == all.len() => {
                let pairs =
                    own.iter().zip(all).enumerate().filter(|(_, (before, _))| is_wanted(None, Some(before)));
                let element = |position| Some(GivenStep::Element(position));
                pairs.map(|(position, (before, after))| at(element(position), Some(before), after)).collect()
            }
            (..) => Vec::new(),
        }
    }
}

/// Whether an object has all known attributes of another one, with the same values.
fn is_extended(before: &Value, after: &Value) -> bool {
    let Some((own, all)) = before.known_attributes().zip(after.known_attributes()) else { return false };
    own.iter()
        .all(|(name, value)| !value.is_wholly_known() || all.get(name).is_some_and(|after| after.same(value)))
}
