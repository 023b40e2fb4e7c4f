//! Sources of values that do not come from the configuration.

use terrane_config::address::ResourceMode;
use terrane_module::{GivenPart, InnerPart, RecordedIn};
use terrane_source::Subject;
use terrane_value::{Path, steps_behind};

/// The source of a part of a value that does not come from the configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartSource {
    /// The path of the part in the value: `.names`; empty for the whole value.
    pub path: String,
    /// The kind of source.
    pub kind: SourceKind,
    /// The place of the value in a mock file.
    pub place: Option<Subject>,
}

/// The kinds of source of values that do not come from the configuration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum SourceKind {
    /// Given by hand.
    Given,
    /// Computed from the arguments of a data source.
    ComputedData,
    /// Recorded in the state, for a resource that does not change.
    State,
    /// Recorded in the state, for a data source whose arguments have not changed.
    StateData,
    /// An output of another root module, for a `terraform_remote_state`.
    RemoteState,
    /// A planned value in a plan document.
    Plan,
    /// Recorded in the state, for a resource or data source that may change.
    Prior,
    /// An output of an installed module whose call now asks for another source or version.
    ChangedModule,
}

impl SourceKind {
    /// The name in documents: `given`, `computed-data`, `state`, `state-data`, `remote-state`, `plan`, `prior` or
    /// `changed-module`.
    pub const fn name(self) -> &'static str {
        match self {
            SourceKind::Given => "given",
            SourceKind::ComputedData => "computed-data",
            SourceKind::State => "state",
            SourceKind::StateData => "state-data",
            SourceKind::RemoteState => "remote-state",
            SourceKind::Plan => "plan",
            SourceKind::Prior => "prior",
            SourceKind::ChangedModule => "changed-module",
        }
    }
}

impl PartSource {
    pub(crate) fn given(part: &GivenPart) -> PartSource {
        PartSource { path: part.path(), kind: SourceKind::Given, place: part.place().cloned() }
    }

    pub(crate) fn changed_module() -> PartSource {
        PartSource { path: String::new(), kind: SourceKind::ChangedModule, place: None }
    }

    pub(crate) fn recorded_kind(recorded_in: RecordedIn, mode: ResourceMode) -> SourceKind {
        match (recorded_in, mode) {
            (RecordedIn::Plan, _) => SourceKind::Plan,
            (RecordedIn::Prior, _) => SourceKind::Prior,
            (RecordedIn::State, ResourceMode::Data) => SourceKind::StateData,
            (RecordedIn::State, _) => SourceKind::State,
        }
    }

    pub(crate) fn recorded(attribute: &str, kind: SourceKind) -> PartSource {
        PartSource { path: format!(".{attribute}"), kind, place: None }
    }

    pub(crate) fn inner(part: &InnerPart, given: Option<&GivenPart>, recorded: SourceKind) -> PartSource {
        let kind = if part.is_given { SourceKind::Given } else { recorded };
        let place = given.and_then(GivenPart::place).cloned();
        PartSource { path: part.path.clone(), kind, place }
    }

    pub(crate) fn computed(attribute: &str) -> PartSource {
        PartSource { path: format!(".{attribute}"), kind: SourceKind::ComputedData, place: None }
    }

    /// Whether two lists have the same parts and kinds.
    pub(crate) fn are_same(one: &[PartSource], other: &[PartSource]) -> bool {
        one.len() == other.len()
            && one.iter().zip(other).all(|(one, other)| one.kind == other.kind && one.path == other.path)
    }

    /// Returns the sources of the part at a path, out of the sources of a value. If several sources are of parts around it,
    /// only the innermost one has set the part.
    pub(crate) fn of_parts(sources: &[PartSource], part: &Path) -> Vec<PartSource> {
        let mut found: Vec<(&PartSource, PartSource)> =
            sources.iter().filter_map(|source| Some((source, source.of_part(part)?))).collect();
        let is_around = |found: &PartSource| found.path.is_empty() && found.kind != SourceKind::ChangedModule;
        let around = found.iter().filter(|(_, of_part)| is_around(of_part));
        let depth = |source: &PartSource| with_names(&source.path).len();
        let innermost = around.map(|(source, _)| depth(source)).max().unwrap_or_default();
        found.retain(|(source, of_part)| !is_around(of_part) || depth(source) == innermost);
        found.into_iter().map(|(_, of_part)| of_part).collect()
    }

    /// Returns the source for the part at a path, with the rest of the path behind that part. The rest is empty if the source
    /// is of a part around it. `None` if the source is of an unrelated part.
    fn of_part(&self, part: &Path) -> Option<PartSource> {
        let (own, part) = (with_names(&self.path), with_names(&part.to_string()));
        let rest = match steps_behind(&part, &own) {
            Some(_) => "",
            None => steps_behind(&own, &part)?,
        };
        Some(PartSource { path: rest.to_owned(), ..self.clone() })
    }
}

/// Returns a path with the keys of maps as names: `.tags.a` for `.tags["a"]`.
pub(crate) fn with_names(path: &str) -> String {
    let mut named = String::with_capacity(path.len());
    let mut left = path;
    while let Some((before, key, behind)) = left
        .split_once("[\"")
        .and_then(|(before, rest)| rest.split_once("\"]").map(|(key, behind)| (before, key, behind)))
    {
        named.push_str(before);
        named.push('.');
        named.push_str(key);
        left = behind;
    }
    named + left
}

#[cfg(test)]
mod tests {
    use terrane_value::{PathStep, Value};

    use super::*;

    #[test]
    fn the_source_of_a_part_is_one_of_its_value_or_around_it() {
        let source = |path: &str| PartSource { path: path.to_owned(), kind: SourceKind::Given, place: None };
        let mut part = Path::ROOT;
        part.push(PathStep::Attribute("disk".into()));
        part.push(PathStep::Index(Value::from(0)));
        part.push(PathStep::Index(Value::from("a b")));
        let of_part = |path: &str| source(path).of_part(&part).map(|source| source.path);
        for (path, expected) in [
            ("", Some("")),
            (".disk", Some("")),
            (".disk[0][\"a b\"]", Some("")),
            (".disk[0].a b", Some("")),
            (".disk[0].a b.id[1]", Some(".id[1]")),
            (".disk[0].a", None),
            (".disk[1]", None),
            (".disks", None),
        ] {
            assert_eq!(of_part(path).as_deref(), expected, "{path}");
        }
    }
}
