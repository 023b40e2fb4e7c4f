//! Compares the objects of attributes that have nested attributes.

use terrane_body::{NestedAttributes, Nesting};
use terrane_value::SmolStr;

use super::comparer::{Comparer, ValueSchema, positions, presence};
use super::difference::{Action, Kind, Side, Source, ValueDifference};

impl Comparer<'_> {
    /// Returns the difference between the objects of an attribute. If the attribute `becomes_unknown`, the attributes of a
    /// removed object become known after the apply.
    pub(super) fn nested(
        self,
        before: Side<'_>,
        after: Side<'_>,
        nested: &NestedAttributes,
        becomes_unknown: bool,
    ) -> ValueDifference {
        let form = ValueSchema::Element(nested);
        match nested.nesting {
            Nesting::Single | Nesting::Group => self.nested_object(before, after, nested, becomes_unknown),
            Nesting::Map => {
                let (entries, action) = self.entries(before, after, form);
                ValueDifference::new(Kind::Map(entries, Source::NestedAttributes), action)
            }
            Nesting::List => {
                let (elements, action) = self.elements(before, after, positions(before, after), |_| form);
                ValueDifference::new(Kind::List(elements, Source::NestedAttributes), action)
            }
            Nesting::Set => self.set(before, after, form),
        }
    }

    /// Returns the difference between two objects of such an attribute.
    pub(super) fn nested_object(
        self,
        before: Side<'_>,
        after: Side<'_>,
        nested: &NestedAttributes,
        becomes_unknown: bool,
    ) -> ValueDifference {
        let mut attributes: Vec<(SmolStr, ValueDifference)> = Vec::new();
        let stored = nested.attributes.iter().filter(|(_, attribute)| !attribute.write_only);
        for (name, attribute) in stored {
            let (old, new) = (before.attribute(name), after.attribute(name));
            let difference = match becomes_unknown {
                true => self.unknown(old, ValueSchema::of(attribute)),
                false => self.values(old, new, ValueSchema::of(attribute)),
            };
            if difference.action != Action::Keep || old.is_there() || new.is_there() {
                attributes.push((name.clone(), difference));
            }
        }
        let action = presence(before, after).of_parts(attributes.iter().map(|(_, difference)| difference));
        for (name, _) in nested.attributes.iter().filter(|(_, attribute)| attribute.write_only) {
            let is_sensitive = [before, after]
                .into_iter()
                .filter_map(|side| side.attribute(name).value())
                .any(|value| value.marks().is_closed());
            attributes.push((name.clone(), ValueDifference::write_only(action, is_sensitive)));
        }
        attributes.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        ValueDifference::new(Kind::Object(attributes, Source::NestedAttributes), action)
    }

    /// Returns the difference of an attribute that becomes known after the apply.
    fn unknown(self, before: Side<'_>, form: ValueSchema<'_>) -> ValueDifference {
        let is_typed = matches!(form, ValueSchema::Type(Some(_)));
        let before = if is_typed { before.without_empty_string() } else { before };
        if before.present().is_none() {
            return ValueDifference::new(Kind::Unknown(None), Action::Create);
        }
        let removed = self.of_old_kind().values(before, Side::NONE, form);
        let kind = match matches!(removed.kind, Kind::Sensitive) {
            true => Kind::Sensitive,
            false => Kind::Unknown(Some(Box::new(removed))),
        };
        ValueDifference::new(kind, Action::Update)
    }
}

impl ValueDifference {
    /// Returns the difference of an argument that is not stored. It has the action of the object around it, unless that is an
    /// update.
    pub(super) fn write_only(outer: Action, is_sensitive: bool) -> ValueDifference {
        let action = if outer == Action::Update { Action::Keep } else { outer };
        ValueDifference::new(Kind::WriteOnly { is_sensitive }, action)
    }
}
