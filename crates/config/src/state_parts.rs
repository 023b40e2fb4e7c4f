//! Makes parts of a recorded value unknown or sensitive. All paths are followed at once, so that a large list with a
//! part in each element is copied once.

use std::collections::BTreeMap;

use terrane_value::{Entries, Marks, Path, PathStep, SmolStr, Type, Value, ValueKind};

/// The change that is made to the parts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// The parts become unknown. The text may lack an attribute of an object that is unknown.
    Unknown,
    /// The parts are marked as sensitive.
    Sensitive,
}

impl Change {
    /// Changes the parts of the value at these paths. If a path leads nowhere, the smallest part that
    /// certainly contains its end is changed; a missing attribute has no secret. The parts of a sensitive
    /// part keep their own marks.
    pub(crate) fn at(self, value: Value, paths: &[Path]) -> Value {
        if paths.is_empty() {
            return value;
        }
        self.inside(&value, paths.iter().map(Path::steps))
    }

    fn inside<'p>(self, value: &Value, paths: impl IntoIterator<Item = &'p [PathStep]>) -> Value {
        let (whole, inner): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_empty());
        match (whole.is_empty(), self) {
            (true, _) => self.parts(value, &inner),
            (false, Change::Unknown) => self.whole(value),
            (false, Change::Sensitive) => self.whole(&self.parts(value, &inner)),
        }
    }

    /// Changes the parts of the value at these paths. Every path has at least one step.
    fn parts(self, value: &Value, paths: &[&[PathStep]]) -> Value {
        if paths.is_empty() {
            return value.clone();
        }
        let Some(parts) = PathsByStep::of(paths.iter().copied()) else { return self.whole(value) };
        let inner = value.unmarked();
        let element = || inner.ty().element().cloned().unwrap_or(Type::Dynamic);
        let changed = match inner.kind() {
            ValueKind::Object(entries) => self.entries(entries, &parts, &Value::NULL).map(Value::object),
            ValueKind::Map(entries) => self
                .entries(entries, &parts, &Value::null(element()))
                .map(|entries| Value::map(element(), entries)),
            ValueKind::Tuple(all) => self.elements(all, &parts).map(Value::tuple),
            ValueKind::List(all) => {
                self.elements(all, &parts).map(|elements| Value::list(element(), elements))
            }
            // A null has no sensitive part.
            ValueKind::Null(_) if self == Change::Sensitive => Some(inner.clone()),
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Set(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..) => None,
        };
        match changed {
            Some(changed) => changed.with_marks(value.marks()),
            None => self.whole(value),
        }
    }

    fn whole(self, value: &Value) -> Value {
        match self {
            Change::Unknown => Value::unknown(value.ty()).with_marks(value.marks()),
            Change::Sensitive => value.clone().with_marks(&Marks::sensitive()),
        }
    }

    /// Changes parts that are entries; `None` if one is not.
    fn entries(
        self,
        entries: &Entries,
        parts: &PathsByStep<'_>,
        missing: &Value,
    ) -> Option<Vec<(SmolStr, Value)>> {
        let mut added: Vec<(SmolStr, Value)> = Vec::new();
        for (name, rest) in parts.entries.iter().filter(|(name, _)| entries.get(name).is_none()) {
            if self == Change::Sensitive {
                continue;
            }
            added.push((SmolStr::from(*name), self.inside(missing, rest.iter().copied())));
        }
        let changed = |(name, value): (&SmolStr, &Value)| {
            let changed = match parts.entries.get(name.as_str()) {
                Some(rest) => self.inside(value, rest.iter().copied()),
                None => value.clone(),
            };
            (name.clone(), changed)
        };
        let has_others = !parts.elements.is_empty();
        (!has_others).then(|| entries.iter().map(changed).chain(added).collect())
    }

    /// Changes parts that are elements; `None` if one is not.
    fn elements(self, all: &[Value], parts: &PathsByStep<'_>) -> Option<Vec<Value>> {
        let has_others = !parts.entries.is_empty() || parts.elements.keys().any(|at| *at >= all.len());
        let changed = |(at, value): (usize, &Value)| match parts.elements.get(&at) {
            Some(rest) => self.inside(value, rest.iter().copied()),
            None => value.clone(),
        };
        (!has_others).then(|| all.iter().enumerate().map(changed).collect())
    }
}

/// The paths by their first step, each with the rest of the path.
#[derive(Default)]
struct PathsByStep<'p> {
    entries: BTreeMap<&'p str, Vec<&'p [PathStep]>>,
    elements: BTreeMap<usize, Vec<&'p [PathStep]>>,
}

impl<'p> PathsByStep<'p> {
    /// Groups the paths; `None` if the whole value is a part, or an element of a set is one.
    fn of(paths: impl IntoIterator<Item = &'p [PathStep]>) -> Option<PathsByStep<'p>> {
        let mut parts = PathsByStep::default();
        for path in paths {
            let (first, rest) = path.split_first()?;
            match first {
                PathStep::Attribute(name) => parts.entries.entry(name).or_default().push(rest),
                PathStep::Index(key) => match key.as_str() {
                    Some(name) => parts.entries.entry(name).or_default().push(rest),
                    None => {
                        let position = usize::try_from(key.as_number()?.to_i64()?).ok()?;
                        parts.elements.entry(position).or_default().push(rest);
                    }
                },
            }
        }
        Some(parts)
    }
}
