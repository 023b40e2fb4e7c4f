//! Compares values by their types or as JSON values, for the text of a plan.

use std::collections::{BTreeMap, BTreeSet};

use terrane_body::{NestedAttributes, SchemaAttribute};
use terrane_source::sorted_map;
use terrane_value::display::console;
use terrane_value::{Entries, SmolStr, Type, Value};

use super::budget::TextBudget;
use super::difference::{Action, Kind, MarkChange, Primitive, Side, Source, ValueDifference};
use super::sequences::{ElementPair, by_position, pairs, set_pairs};
use crate::secrets::{Secrets, is_hidden};

/// The marks of recorded values that count in a comparison of sensitivity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RecordedMarks {
    /// No marks: the sensitivity of the values is not compared.
    Ignored,
    /// Without a schema, the provider may have marked a value, so its marks may differ from the marks in the configuration.
    OfProvider,
    /// All marks.
    All,
}

/// Compares values.
#[derive(Clone, Copy)]
pub(super) struct Comparer<'b> {
    pub(super) secrets: Secrets,
    pub(super) marks: RecordedMarks,
    /// Whether an empty string counts as null, because providers of the old kind cannot tell these apart.
    pub(super) empty_is_null: bool,
    pub(super) budget: &'b TextBudget<'b>,
}

/// The schema of a value.
#[derive(Clone, Copy)]
pub(super) enum ValueSchema<'s> {
    /// A type. Without a type, values are compared as JSON values, whose nulls are shown.
    Type(Option<&'s Type>),
    /// The objects of an attribute with nested attributes.
    Nested(&'s NestedAttributes),
    /// One object of an attribute with nested attributes.
    Element(&'s NestedAttributes),
}

impl<'s> ValueSchema<'s> {
    pub(super) fn of(attribute: &'s SchemaAttribute) -> ValueSchema<'s> {
        attribute.nested_attributes().map_or(ValueSchema::Type(Some(&attribute.ty)), ValueSchema::Nested)
    }
}

/// Whether a value is sensitive before and after.
pub(super) struct Sensitivity {
    before: bool,
    after: bool,
    /// Whether the value is hidden for another reason.
    is_covered: bool,
}

impl Sensitivity {
    pub(super) fn is_any(&self) -> bool {
        self.before || self.after || self.is_covered
    }
}

impl<'b> Comparer<'b> {
    /// Returns a comparer that shows all values.
    pub(super) fn open(budget: &'b TextBudget<'b>) -> Comparer<'b> {
        Comparer { secrets: Secrets::Shown, marks: RecordedMarks::Ignored, empty_is_null: false, budget }
    }

    /// Returns this comparer for values of a provider of the old kind. As in the reference, this also holds for the elements of
    /// a sequence and for values that become unknown, under every schema.
    pub(super) fn of_old_kind(self) -> Comparer<'b> {
        Comparer { empty_is_null: true, ..self }
    }

    /// Returns the difference between two values. The maximum depth of values bounds the recursion.
    pub(super) fn values(self, before: Side<'_>, after: Side<'_>, form: ValueSchema<'_>) -> ValueDifference {
        if !self.budget.take_part() {
            return ValueDifference::none();
        }
        let (before, after) = self.without_empty_strings(before, after, form);
        if let Some(difference) = self.covered_change(before, after, form) {
            return difference;
        }
        self.with_sensitivity(before, after, |own, before, after| {
            let (before, after) = own.without_empty_strings(before, after, form);
            own.compare_visible(before, after, form)
        })
    }

    /// Returns the change from a recorded value that is hidden, although it is not sensitive itself, to a value of another kind
    /// or an unknown value. The planned value is shown. `None` for any other change.
    fn covered_change(
        self,
        before: Side<'_>,
        after: Side<'_>,
        form: ValueSchema<'_>,
    ) -> Option<ValueDifference> {
        let hides = |value: Option<&Value>| value.is_some_and(|value| is_hidden(value, self.secrets));
        let is_other_hidden = [before.value(), after.value(), after.cover()].into_iter().any(hides);
        let (old, new) = (JsonKind::of(before), JsonKind::of(after));
        let is_change =
            old != JsonKind::Null && (after.is_unknown() || (new != JsonKind::Null && old != new));
        if !hides(before.cover()) || is_other_hidden || !is_change {
            return None;
        }
        let removed = Box::new(ValueDifference::new(Kind::Sensitive, Action::Delete));
        let kind = match after.is_unknown() {
            true => Kind::Unknown(Some(removed)),
            false => Kind::Replaced(removed, Box::new(self.values(Side::NONE, after, form))),
        };
        Some(ValueDifference::new(kind, Action::Update))
    }

    /// Returns both sides. If [`Comparer::empty_is_null`] is set and the type of the values is known, an empty string is
    /// replaced by null.
    fn without_empty_strings<'v>(
        self,
        before: Side<'v>,
        after: Side<'v>,
        form: ValueSchema<'_>,
    ) -> (Side<'v>, Side<'v>) {
        match form {
            ValueSchema::Type(Some(_)) if self.empty_is_null => {
                (before.without_empty_string(), after.without_empty_string())
            }
            ValueSchema::Type(_) | ValueSchema::Nested(_) | ValueSchema::Element(_) => (before, after),
        }
    }

    /// Returns the difference that `compare` finds. It is hidden if one of the values is secret.
    pub(super) fn with_sensitivity<'v>(
        self,
        before: Side<'v>,
        after: Side<'v>,
        compare: impl FnOnce(Self, Side<'v>, Side<'v>) -> ValueDifference,
    ) -> ValueDifference {
        let found = self.sensitivity(before, after);
        let is_there = before.is_there() || after.is_there();
        self.marked_by(&found, is_there, |own| compare(own, before.unmarked(), after.unmarked()))
    }

    /// Returns the difference that `compare` finds. It is hidden if `found` says that the value is secret.
    pub(super) fn marked_by(
        self,
        found: &Sensitivity,
        is_there: bool,
        compare: impl FnOnce(Self) -> ValueDifference,
    ) -> ValueDifference {
        let is_hidden = self.secrets == Secrets::Hidden && found.is_any();
        let own = if is_hidden { Comparer::open(self.budget) } else { self };
        // As in the reference, secret values are compared like values of a provider of the old kind.
        let is_old = self.empty_is_null || (is_hidden && (found.before || found.after));
        let difference = compare(Comparer { empty_is_null: is_old, ..own });
        self.marked(difference, found, is_hidden, is_there)
    }

    /// Adds the change of sensitivity to a difference. The change is an update, whether the difference is hidden or not.
    fn marked(
        self,
        difference: ValueDifference,
        found: &Sensitivity,
        is_hidden: bool,
        is_there: bool,
    ) -> ValueDifference {
        let inner = difference.action;
        let is_kept = matches!(inner, Action::Keep | Action::Update) && is_there;
        let is_change = self.marks != RecordedMarks::Ignored && found.before != found.after && is_kept;
        let action = if is_change { Action::Update } else { inner };
        let sensitivity =
            is_change.then_some(MarkChange { is_gained: found.after, is_changed: inner == Action::Update });
        match is_hidden {
            true => ValueDifference { sensitivity, ..ValueDifference::new(Kind::Sensitive, action) },
            false if is_change => ValueDifference { action, sensitivity, ..difference },
            false => difference,
        }
    }

    pub(super) fn sensitivity(self, before: Side<'_>, after: Side<'_>) -> Sensitivity {
        let secret = |value: Option<&Value>| value.is_some_and(|value| value.marks().is_closed());
        let (was, becomes) = (secret(before.value()), secret(after.value()));
        let all = [before.cover(), after.cover(), before.value(), after.value()];
        Sensitivity {
            before: was,
            after: becomes || (was && self.marks == RecordedMarks::OfProvider),
            is_covered: all.into_iter().flatten().any(|value| is_hidden(value, self.secrets)),
        }
    }

    /// Returns the difference between two values that are shown.
    fn compare_visible(self, before: Side<'_>, after: Side<'_>, form: ValueSchema<'_>) -> ValueDifference {
        if after.is_unknown() {
            return match before.present() {
                None if before.is_explicit() && matches!(form, ValueSchema::Type(Some(_))) => {
                    ValueDifference::new(Kind::Unknown(None), Action::Keep)
                }
                None => ValueDifference::new(Kind::Unknown(None), Action::Create),
                Some(_) => {
                    let removed = Box::new(self.of_old_kind().removed(before, form));
                    ValueDifference::new(Kind::Unknown(Some(removed)), Action::Update)
                }
            };
        }
        match form {
            ValueSchema::Type(ty) => self.typed(before, after, ty),
            ValueSchema::Nested(nested) => self.nested(before, after, nested, false),
            ValueSchema::Element(nested) => self.nested_object(before, after, nested, false),
        }
    }

    /// Returns the removal of a value that becomes known after the apply.
    fn removed(self, before: Side<'_>, form: ValueSchema<'_>) -> ValueDifference {
        match form {
            ValueSchema::Type(None) => self.typed(before, Side::NONE, None),
            ValueSchema::Type(ty) => self.typed(before.without_empty_string(), Side::NONE, ty),
            ValueSchema::Nested(nested) => self.nested(before, Side::NONE, nested, true),
            ValueSchema::Element(nested) => self.nested_object(before, Side::NONE, nested, true),
        }
    }

    fn typed(self, before: Side<'_>, after: Side<'_>, ty: Option<&Type>) -> ValueDifference {
        match ty {
            None | Some(Type::Dynamic) => self.dynamic(before, after),
            Some(Type::Bool | Type::Number | Type::String) => primitive(before, after),
            Some(Type::Object(object)) => {
                let types: BTreeMap<&SmolStr, &Type> =
                    sorted_map(object.attributes().iter().map(|(name, ty)| (name, ty)));
                self.object(before, after, &types)
            }
            Some(Type::Map(element)) => {
                let (entries, action) = self.entries(before, after, ValueSchema::Type(Some(element)));
                ValueDifference::new(Kind::Map(entries, Source::Type), action)
            }
            Some(Type::List(element)) => {
                let is_object = matches!(**element, Type::Object(_));
                let pairs = self.list_pairs(before, after, &|_| is_object);
                self.list(before, after, pairs, |_| ValueSchema::Type(Some(element)))
            }
            Some(Type::Tuple(types)) => {
                self.list(before, after, positions(before, after), |at| ValueSchema::Type(types.get(at)))
            }
            Some(Type::Set(element)) => self.set(before, after, ValueSchema::Type(Some(element))),
        }
    }

    /// Returns the difference between JSON values.
    fn dynamic(self, before: Side<'_>, after: Side<'_>) -> ValueDifference {
        let (old, new) = (JsonKind::of(before), JsonKind::of(after));
        let is_new = old == JsonKind::Null && !before.is_explicit();
        let is_gone = new == JsonKind::Null && !after.is_explicit();
        if old != new && !is_new && !is_gone {
            let removed = self.of_kind(before, Side::NONE, old);
            let added = self.of_kind(Side::NONE, after, new);
            return ValueDifference::new(Kind::Replaced(Box::new(removed), Box::new(added)), Action::Update);
        }
        self.of_kind(before, after, if old == JsonKind::Null { new } else { old })
    }

    fn of_kind(self, before: Side<'_>, after: Side<'_>, kind: JsonKind) -> ValueDifference {
        match kind {
            JsonKind::Null | JsonKind::Bool | JsonKind::Number | JsonKind::String => primitive(before, after),
            JsonKind::Sequence => {
                let is_object =
                    |value: &Value| JsonKind::of(Side::implicit(Some(value))) == JsonKind::Entries;
                let pairs = self.list_pairs(before, after, &is_object);
                self.list(before, after, pairs, |_| ValueSchema::Type(None))
            }
            JsonKind::Entries => {
                let (entries, action) = self.entries(before, after, ValueSchema::Type(None));
                ValueDifference::new(Kind::Object(entries, Source::Type), action)
            }
        }
    }

    /// Returns the differences of the elements of maps, or of the attributes of JSON objects.
    pub(super) fn entries(
        self,
        before: Side<'_>,
        after: Side<'_>,
        form: ValueSchema<'_>,
    ) -> (Vec<(SmolStr, ValueDifference)>, Action) {
        let entry = |name: &SmolStr| (name.clone(), self.values(before.entry(name), after.entry(name), form));
        let entries: Vec<_> = names(before, after).into_iter().map(entry).collect();
        let action = presence(before, after).of_parts(entries.iter().map(|(_, difference)| difference));
        (entries, action)
    }

    /// Returns the differences of the attributes of objects with these types. Attributes that are null before and after are
    /// left out.
    fn object(self, before: Side<'_>, after: Side<'_>, types: &BTreeMap<&SmolStr, &Type>) -> ValueDifference {
        let mut attributes = Vec::new();
        for name in names(before, after) {
            let (before, after) = (before.attribute(name), after.attribute(name));
            if before.is_there() || after.is_there() {
                let form = ValueSchema::Type(types.get(name).copied());
                attributes.push((name.clone(), self.values(before, after, form)));
            }
        }
        let action = presence(before, after).of_parts(attributes.iter().map(|(_, difference)| difference));
        ValueDifference::new(Kind::Object(attributes, Source::Type), action)
    }

    /// Returns the pairs of elements of two sequences that are shown together.
    fn list_pairs(
        self,
        before: Side<'_>,
        after: Side<'_>,
        is_object: &dyn Fn(&Value) -> bool,
    ) -> Vec<ElementPair> {
        let (old, new) = (before.elements().unwrap_or_default(), after.elements().unwrap_or_default());
        pairs(old, new, is_object, self.budget)
    }

    /// Returns the differences of the elements of two sequences, and the action of the whole sequence.
    pub(super) fn elements<'s>(
        self,
        before: Side<'_>,
        after: Side<'_>,
        pairs: Vec<ElementPair>,
        form: impl Fn(usize) -> ValueSchema<'s>,
    ) -> (Vec<ValueDifference>, Action) {
        let element = |ElementPair { old, new }: ElementPair| {
            let form = form(new.or(old).unwrap_or_default());
            self.of_old_kind().values(before.element(old), after.element(new), form)
        };
        let elements: Vec<ValueDifference> = pairs.into_iter().map(element).collect();
        let action = presence(before, after).of_parts(&elements);
        (elements, action)
    }

    fn list<'s>(
        self,
        before: Side<'_>,
        after: Side<'_>,
        pairs: Vec<ElementPair>,
        form: impl Fn(usize) -> ValueSchema<'s>,
    ) -> ValueDifference {
        let (elements, action) = self.elements(before, after, pairs, form);
        ValueDifference::new(Kind::List(elements, Source::Type), action)
    }

    pub(super) fn set(self, before: Side<'_>, after: Side<'_>, form: ValueSchema<'_>) -> ValueDifference {
        let (old, new) = (before.elements().unwrap_or_default(), after.elements().unwrap_or_default());
        let (elements, action) = self.elements(before, after, set_pairs(old, new), |_| form);
        ValueDifference::new(Kind::Set(elements), action)
    }
}

/// The kind of a JSON value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JsonKind {
    Null,
    Bool,
    Number,
    String,
    Sequence,
    Entries,
}

impl JsonKind {
    fn of(side: Side<'_>) -> JsonKind {
        let Some(value) = side.present() else { return JsonKind::Null };
        if side.elements().is_some() {
            JsonKind::Sequence
        } else if side.entries().is_some() {
            JsonKind::Entries
        } else if value.as_bool().is_some() {
            JsonKind::Bool
        } else if value.as_number().is_some() {
            JsonKind::Number
        } else if value.as_str().is_some() {
            JsonKind::String
        } else {
            JsonKind::Null
        }
    }
}

/// Returns the action of a collection whose elements do not change.
pub(super) fn presence(before: Side<'_>, after: Side<'_>) -> Action {
    Action::of_presence(before.present().is_some(), after.present().is_some())
}

/// Returns the pairs of the elements of two sequences at the same positions.
pub(super) fn positions(before: Side<'_>, after: Side<'_>) -> Vec<ElementPair> {
    let length = |side: Side<'_>| side.elements().map_or(0, <[Value]>::len);
    by_position(length(before), length(after))
}

/// Returns the names of attributes and the keys of maps on both sides.
pub(super) fn names<'v>(before: Side<'v>, after: Side<'v>) -> BTreeSet<&'v SmolStr> {
    before.entries().into_iter().chain(after.entries()).flat_map(Entries::keys).collect()
}

fn primitive(before: Side<'_>, after: Side<'_>) -> ValueDifference {
    let (old, new) = (before.present().map(Primitive::of), after.present().map(Primitive::of));
    let action = match (before.is_there(), after.is_there()) {
        (true, true) if old == new => Action::Keep,
        (true, true) => Action::Update,
        (before, after) => Action::of_presence(before, after),
    };
    ValueDifference::new(Kind::Primitive(old, new), action)
}

impl Primitive {
    fn of(value: &Value) -> Primitive {
        match value.as_str() {
            Some(text) => Primitive::Text(text.to_owned()),
            None => match console(value).as_str() {
                "-0" => Primitive::Literal("0".to_owned()),
                text => Primitive::Literal(text.to_owned()),
            },
        }
    }
}
