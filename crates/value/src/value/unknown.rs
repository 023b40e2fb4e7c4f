//! Unknown values: refinements, known parts and origins.
//!
//! A [`Value`] contains an [`Unknown`] if a result depends on the apply. [`refine`](crate::refine) narrows it.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use triomphe::ThinArc;

use crate::allocation::{COUNTERS, allocated};
use crate::{
    Entries, MAX_DEPTH, MAX_ELEMENTS, MAX_TEXT, Number, OpenElements, Path, PathStep, SmolStr, Type, Value,
    steps_behind,
};

/// An unknown value: its type, its refinement and its origins.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The type, as far as it is known.
    pub ty: Type,
    /// The bounds on the value.
    pub refinement: StoredRefinement,
    /// The reasons why it is unknown. Equality, hashing and order ignore them.
    pub origins: Origins,
    /// The known parts of an open object or sequence; see `DESIGN.md`, "Open objects".
    pub known: Known,
}

/// The known parts of an unknown value. Only values of dynamic type have any.
#[derive(Clone, Default, Debug)]
pub enum Known {
    /// No known part.
    #[default]
    Nothing,
    /// An object with at least these attributes; further attributes may exist and are unknown.
    Object(Entries),
    /// A sequence of unknown kind (list, set or tuple) of these elements.
    Sequence(OpenElements),
}

/// The lower or upper bound of an unknown number.
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// The limit itself.
    pub number: Number,
    /// Whether the number itself is allowed.
    pub is_inclusive: bool,
}

impl Bound {
    /// Returns the bound for "at least" and "at most".
    pub fn inclusive(number: Number) -> Bound {
        Bound { number, is_inclusive: true }
    }

    /// Returns the bound for "more than" and "less than".
    pub fn exclusive(number: Number) -> Bound {
        Bound { number, is_inclusive: false }
    }
}

/// Bounds on an unknown value.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Refinement {
    /// Whether the value is certainly not null.
    pub not_null: bool,
    /// The beginning of the string.
    pub prefix: Option<SmolStr>,
    /// The lower bound of a number.
    pub min: Option<Bound>,
    /// The upper bound of a number.
    pub max: Option<Bound>,
    /// The fewest elements of a collection.
    pub length_min: u64,
    /// The most elements of a collection.
    pub length_max: Option<u64>,
}

impl Refinement {
    /// The refinement that says nothing.
    pub const NONE: Refinement =
        Refinement { not_null: false, prefix: None, min: None, max: None, length_min: 0, length_max: None };

    /// The refinement that says only that the value is not null.
    pub const NOT_NULL: Refinement = Refinement { not_null: true, ..Refinement::NONE };

    /// Whether the refinement says nothing.
    pub fn is_none(&self) -> bool {
        *self == Refinement::NONE
    }
}

/// The refinement in an unknown value. Nearly all refinements say nothing, or only that the value is not null; these
/// take no memory of their own.
#[derive(Clone, Default)]
pub struct StoredRefinement(Stored);

#[derive(Clone, Default)]
enum Stored {
    /// [`Refinement::NONE`].
    #[default]
    None,
    /// [`Refinement::NOT_NULL`].
    NotNull,
    Other(Arc<Refinement>),
}

impl StoredRefinement {
    /// The refinement that says only that the value is not null.
    pub const NOT_NULL: StoredRefinement = StoredRefinement(Stored::NotNull);

    /// Whether it bounds the value in addition to excluding null.
    pub(crate) fn has_bounds(&self) -> bool {
        matches!(self.0, Stored::Other(_))
    }

    /// Records that the value is not null.
    pub(crate) fn set_not_null(&mut self) {
        match &mut self.0 {
            kept @ (Stored::None | Stored::NotNull) => *kept = Stored::NotNull,
            Stored::Other(refinement) => Arc::make_mut(refinement).not_null = true,
        }
    }

    /// Changes the refinement.
    pub fn change(&mut self, change: impl FnOnce(&mut Refinement)) {
        let mut refinement = Refinement::clone(self);
        change(&mut refinement);
        *self = StoredRefinement::from(refinement);
    }

    /// Returns the bytes of memory of the refinement that no other value shares.
    pub(crate) fn own_bytes(&self) -> usize {
        match &self.0 {
            Stored::Other(refinement) if Arc::strong_count(refinement) == 1 => {
                allocated(COUNTERS + size_of::<Refinement>())
            }
            Stored::None | Stored::NotNull | Stored::Other(_) => 0,
        }
    }
}

impl From<Refinement> for StoredRefinement {
    fn from(refinement: Refinement) -> StoredRefinement {
        let Refinement { not_null, prefix, min, max, length_min, length_max } = &refinement;
        let has_bounds =
            prefix.is_some() || min.is_some() || max.is_some() || *length_min > 0 || length_max.is_some();
        StoredRefinement(match (has_bounds, *not_null) {
            (false, false) => Stored::None,
            (false, true) => Stored::NotNull,
            (true, _) => Stored::Other(Arc::new(refinement)),
        })
    }
}

impl Deref for StoredRefinement {
    type Target = Refinement;

    fn deref(&self) -> &Refinement {
        match &self.0 {
            Stored::None => &Refinement::NONE,
            Stored::NotNull => &Refinement::NOT_NULL,
            Stored::Other(refinement) => refinement,
        }
    }
}

impl fmt::Debug for StoredRefinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Refinement::fmt(self, f)
    }
}

impl PartialEq for StoredRefinement {
    fn eq(&self, other: &StoredRefinement) -> bool {
        **self == **other
    }
}

/// The cause of an unknown value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Origin {
    /// The kind of cause.
    pub kind: OriginKind,
    /// The canonical address or name of the cause: `var.region`, `aws_vpc.main.id`, `timestamp`.
    pub subject: SmolStr,
    /// The causes of the subject itself: for a data source, the origins of unknown values in its configuration.
    /// They have no further causes.
    pub causes: Origins,
}

/// The kind of cause of an unknown value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum OriginKind {
    /// An input variable without a value.
    Variable,
    /// An attribute that the provider sets, as far as that can be told without a schema.
    ResourceAttribute,
    /// An attribute that, according to the schema of the resource, is set only when the resource is created.
    Computed,
    /// An argument that is not configured and may have a default, which schemas of the legacy SDK do not tell.
    ProviderDefault,
    /// The result of a data source.
    DataSource,
    /// A module that is not on disk.
    Module,
    /// A function whose result differs from call to call, so that only an apply computes it.
    ImpureFunction,
    /// A function whose result depends on the run: the time of the plan, the environment.
    RunFunction,
    /// A function of a provider.
    ProviderFunction,
    /// A function that asks a service on the network.
    RemoteFunction,
    /// A variable of a running Packer build: facts about its machine and source.
    BuildVariable,
    /// A reason in words: why a data source is not computed although its arguments are known, why a module is not on
    /// disk, or how an installed module differs from its call. Only used as a cause of another origin.
    NotComputed,
    /// An error that has been reported. The subject is the address of the object with the error, if an object has it.
    Error,
    /// A name that nothing readable declares, because text with an error may declare it. The subject is the address of the declaration.
    HiddenName,
}

impl OriginKind {
    /// Returns the kind in documents that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            OriginKind::Variable => "variable",
            OriginKind::ResourceAttribute => "resource-attribute",
            OriginKind::Computed => "computed",
            OriginKind::ProviderDefault => "provider-default",
            OriginKind::DataSource => "data-source",
            OriginKind::Module => "module",
            OriginKind::ImpureFunction | OriginKind::RunFunction => "impure-function",
            OriginKind::ProviderFunction => "provider-function",
            OriginKind::RemoteFunction => "remote-function",
            OriginKind::BuildVariable => "build-variable",
            OriginKind::NotComputed => "not-computed",
            OriginKind::Error | OriginKind::HiddenName => "error",
        }
    }

    /// Whether the cause is an error that has been reported.
    pub const fn is_error(self) -> bool {
        matches!(self, OriginKind::Error | OriginKind::HiddenName)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_kind(f)?;
        if self.causes.is_empty() || self.kind == OriginKind::HiddenName {
            return Ok(());
        }
        let is_reason = |cause: &Origin| cause.kind == OriginKind::NotComputed;
        f.write_str(match (self.causes.are_all(is_reason), self.kind) {
            (true, OriginKind::Module | OriginKind::Error) => " (",
            (true, _) => " (not computed: ",
            (false, _) => " (not yet: ",
        })?;
        for (index, cause) in self.causes.as_slice().iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            cause.fmt_kind(f)?;
        }
        f.write_str(")")
    }
}

impl Origin {
    /// Whether the cause is an error that has been reported without its object.
    fn is_nameless_error(&self) -> bool {
        self.kind == OriginKind::Error && self.subject.is_empty()
    }

    /// Whether the cause, or a cause of it, is such an error.
    fn leads_to_nameless_error(&self) -> bool {
        self.is_nameless_error() || self.causes.has_nameless_error()
    }

    /// Whether the cause is the object at an address, or a part of it.
    pub fn is_of(&self, object: &str) -> bool {
        steps_behind(&self.subject, object).is_some()
    }

    /// Whether the cause is a part of the object at an address.
    pub fn is_part_of(&self, object: &str) -> bool {
        steps_behind(&self.subject, object).is_some_and(|steps| !steps.is_empty())
    }

    /// Whether an argument of the object at an address is not configured and may have a default.
    pub fn is_default_of(&self, object: &str) -> bool {
        self.kind == OriginKind::ProviderDefault && self.causes.is_empty() && self.is_part_of(object)
    }

    /// Returns a description of the text that may declare a hidden name.
    pub fn hiding_text(&self) -> &str {
        self.causes.as_slice().first().map_or("text that cannot be read", |text| &text.subject)
    }

    fn fmt_kind(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = &self.subject;
        match self.kind {
            OriginKind::Variable => write!(f, "{subject} has no value"),
            OriginKind::ResourceAttribute | OriginKind::Computed => {
                write!(f, "{subject} is set by the provider")
            }
            OriginKind::ProviderDefault => {
                write!(f, "{subject} is not configured, and its provider may have a default")
            }
            OriginKind::DataSource => write!(f, "{subject} is read by the provider"),
            OriginKind::Module => write!(f, "{subject} is not on disk"),
            OriginKind::ImpureFunction | OriginKind::RunFunction => {
                write!(f, "{subject}() gives a new result in each run")
            }
            OriginKind::ProviderFunction => write!(f, "{subject}() is computed by its provider"),
            OriginKind::RemoteFunction => write!(f, "{subject}() asks a service"),
            OriginKind::BuildVariable => write!(f, "{subject} is known while the build runs"),
            OriginKind::NotComputed => f.write_str(subject),
            OriginKind::Error => match Refusal::of(self) {
                Some(refusal) => write!(f, "{refusal}"),
                None if subject == CYCLE => f.write_str("a cycle that is reported above"),
                None if subject.is_empty() => f.write_str("an error that is reported above"),
                None => write!(f, "{subject} has an error that is reported above"),
            },
            OriginKind::HiddenName => write!(f, "{subject} may be declared in {}", self.hiding_text()),
        }
    }
}

/// The subject of an error about a cycle.
const CYCLE: &str = "cycle";

/// The reason why a value could not be made of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The value would be nested more deeply than [`MAX_DEPTH`].
    TooDeep,
    /// The value, or its type, would have more than [`MAX_ELEMENTS`] elements.
    TooLarge,
    /// The strings and keys of the value would have more than [`MAX_TEXT`] bytes.
    TooLong,
}

impl Refusal {
    /// Returns the subject of the origin of a refused value.
    fn subject(self) -> &'static str {
        match self {
            Refusal::TooDeep => "too deep",
            Refusal::TooLarge => "too large",
            Refusal::TooLong => "too long",
        }
    }

    /// Returns the reason for which an origin stands.
    pub(crate) fn of(origin: &Origin) -> Option<Refusal> {
        let refused = |refusal: &Refusal| origin.subject.as_str() == refusal.subject();
        let is_error = origin.kind == OriginKind::Error;
        [Refusal::TooDeep, Refusal::TooLarge, Refusal::TooLong]
            .into_iter()
            .find(|refusal| is_error && refused(refusal))
    }
}

/// Writes the reason as a clause: "the value would be nested more than 500 levels deep".
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooDeep => write!(f, "the value would be nested more than {MAX_DEPTH} levels deep"),
            Refusal::TooLarge => write!(
                f,
                "the value would have more than {MAX_ELEMENTS} elements, counting those inside of elements"
            ),
            Refusal::TooLong => {
                write!(f, "the strings in the value would have more than {MAX_TEXT} bytes together")
            }
        }
    }
}

/// The causes of an unknown value: ordered, without duplicates, limited in number, cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Origins(Option<OriginList>);

/// The causes in one allocation: most lists have one cause.
type OriginList = ThinArc<OriginsHead, Origin>;

/// The properties of a list of causes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct OriginsHead {
    /// The number of causes that were omitted because of the limit.
    omitted: u32,
    /// Whether a cause, or a cause of one, is an error that has been reported without its object.
    has_nameless_error: bool,
    /// Whether a cause is an error.
    has_error: bool,
}

impl Ord for Origins {
    fn cmp(&self, other: &Origins) -> Ordering {
        self.as_slice().cmp(other.as_slice()).then(self.omitted().cmp(&other.omitted()))
    }
}

impl PartialOrd for Origins {
    fn partial_cmp(&self, other: &Origins) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Origins {
    /// Limit on the causes that are kept; further causes are only counted.
    pub const CAP: usize = 16;

    /// Returns the bytes of memory of the list, without the texts of the causes and further causes.
    pub(crate) fn bytes(&self) -> usize {
        // A reference count, the head and the length precede the causes.
        let of_list = |list: &OriginList| allocated(3 * size_of::<usize>() + size_of_val(&list.slice));
        self.0.as_ref().map_or(0, of_list)
    }

    /// No causes.
    pub const NONE: Origins = Origins(None);

    /// Returns a single cause.
    pub fn one(kind: OriginKind, subject: impl Into<SmolStr>) -> Origins {
        Origins::single(Origin { kind, subject: subject.into(), causes: Origins::NONE })
    }

    fn single(origin: Origin) -> Origins {
        let has_nameless_error = origin.leads_to_nameless_error();
        let has_error = origin.kind.is_error();
        let head = OriginsHead { omitted: 0, has_nameless_error, has_error };
        Origins(Some(ThinArc::from_header_and_iter(head, std::iter::once(origin))))
    }

    fn of(origins: Vec<Origin>, omitted: usize) -> Origins {
        let head = OriginsHead {
            omitted: u32::try_from(omitted).unwrap_or(u32::MAX),
            has_nameless_error: origins.iter().any(Origin::leads_to_nameless_error),
            has_error: origins.iter().any(|origin| origin.kind.is_error()),
        };
        Origins(Some(ThinArc::from_header_and_iter(head, origins.into_iter())))
    }

    /// Adds `causes` to each of these causes, as the reason why it has no value yet. A cause in `causes` that has its
    /// own causes is replaced by them.
    ///
    /// ```
    /// use terrane_value::{OriginKind, Origins};
    ///
    /// let region = Origins::one(OriginKind::Variable, "var.region");
    /// let zones = Origins::one(OriginKind::DataSource, "data.aws_zones.all").because(&region);
    /// let text = zones.at_attribute("names").as_slice()[0].to_string();
    /// assert_eq!(text, "data.aws_zones.all.names is read by the provider (not yet: var.region has no value)");
    /// ```
    #[must_use]
    pub fn because(&self, causes: &Origins) -> Origins {
        let last = |origin: &Origin| match origin.causes.is_empty() {
            false if origin.kind != OriginKind::HiddenName => origin.causes.clone(),
            true | false => Origins::single(origin.clone()),
        };
        let causes = causes.as_slice().iter().fold(Origins::NONE, |all, origin| all.union(&last(origin)));
        let origin = |origin: &Origin| Origin { causes: origin.causes.union(&causes), ..origin.clone() };
        match (self.is_empty(), causes.is_empty()) {
            (false, false) => Origins::of(self.as_slice().iter().map(origin).collect(), self.omitted()),
            (true, _) | (_, true) => self.clone(),
        }
    }

    /// Returns the cause for an error that has been reported.
    pub fn error() -> Origins {
        // One list is shared, because hostile input may cause millions of failed computations.
        static ERROR: LazyLock<Origins> = LazyLock::new(|| Origins::one(OriginKind::Error, ""));
        ERROR.clone()
    }

    /// Returns the cause for an error of the object at an address, which has been reported.
    pub fn error_of(object: &str) -> Origins {
        Origins::one(OriginKind::Error, object)
    }

    /// Returns the cause for the value of a name that only text which cannot be read may declare: the address of the declaration, and
    /// the file with the text, if it is known.
    ///
    /// ```
    /// use terrane_value::Origins;
    ///
    /// let zones = Origins::hidden_name("var.zones", Some("main.tf"));
    /// assert!(zones.has_error() && !zones.has_nameless_error());
    /// let text = zones.as_slice()[0].to_string();
    /// assert_eq!(text, "var.zones may be declared in text of main.tf that cannot be read");
    /// let read = Origins::error_of("data.a.b").because(&zones);
    /// assert_eq!(read.as_slice()[0].causes, zones);
    /// ```
    pub fn hidden_name(address: &str, file: Option<&str>) -> Origins {
        let text =
            |file| Origins::one(OriginKind::NotComputed, format!("text of {file} that cannot be read"));
        let causes = file.map(text).unwrap_or_default();
        Origins::single(Origin { kind: OriginKind::HiddenName, subject: address.into(), causes })
    }

    /// Whether an error among the causes, or among their own causes, names no object.
    pub fn has_nameless_error(&self) -> bool {
        self.0.as_ref().is_some_and(|list| list.header.header.has_nameless_error)
    }

    /// Whether an error is among the causes that are kept.
    pub fn has_error(&self) -> bool {
        self.0.as_ref().is_some_and(|list| list.header.header.has_error)
    }

    /// Returns the causes with `error` in place of an error without an object; `None` if there is no such error.
    pub(crate) fn with_errors_replaced(&self, error: &Origins) -> Option<Origins> {
        if let [only] = self.as_slice()
            && only.is_nameless_error()
        {
            return Some(error.clone());
        }
        self.with_changed(&|origin| match origin.is_nameless_error() {
            true => error.as_slice().first().cloned(),
            false => {
                let causes = origin.causes.with_errors_replaced(error)?;
                Some(Origin { causes, ..origin.clone() })
            }
        })
    }

    /// Names the object that has the errors among the causes, where they name none.
    #[must_use]
    pub fn with_errors_of(&self, object: &str) -> Origins {
        self.with_errors_replaced(&Origins::error_of(object)).unwrap_or_else(|| self.clone())
    }

    /// Returns the cause for a cycle that has been reported.
    pub fn cycle() -> Origins {
        Origins::one(OriginKind::Error, CYCLE)
    }

    /// Returns the cause for a value that could not be made.
    pub(crate) fn refused(refusal: Refusal) -> Origins {
        Origins::one(OriginKind::Error, refusal.subject())
    }

    /// Returns the kept causes, in the order in which they were found.
    pub fn as_slice(&self) -> &[Origin] {
        self.0.as_ref().map_or(&[], |list| &list.slice)
    }

    /// Returns the number of causes that were omitted because of the limit. A cause omitted twice may count twice.
    pub fn omitted(&self) -> usize {
        self.0.as_ref().map_or(0, |list| list.header.header.omitted as usize)
    }

    /// Whether there are causes, and `test` holds for each of them.
    pub fn are_all(&self, test: impl FnMut(&Origin) -> bool) -> bool {
        !self.is_empty() && self.as_slice().iter().all(test)
    }

    /// Whether there are causes, in a list that no other value shares.
    pub(crate) fn is_alone(&self) -> bool {
        self.0.as_ref().is_some_and(|list| OriginList::strong_count(list) == 1)
    }

    /// Whether there are no causes.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Replaces each cause for which `change` returns another; `None` if it returns no other cause.
    pub(crate) fn with_changed(&self, change: &dyn Fn(&Origin) -> Option<Origin>) -> Option<Origins> {
        match self.as_slice() {
            [] => None,
            [only] if self.omitted() == 0 => change(only).map(Origins::single),
            all => {
                let changed: Vec<Option<Origin>> = all.iter().map(change).collect();
                changed.iter().any(Option::is_some).then(|| {
                    let kept = changed.into_iter().zip(all);
                    let kept = kept.map(|(other, origin)| other.unwrap_or_else(|| origin.clone()));
                    Origins::of(kept.collect(), self.omitted())
                })
            }
        }
    }

    /// Returns the causes without those for which `is_left_out` returns true.
    #[must_use]
    pub fn without(&self, is_left_out: impl Fn(&Origin) -> bool) -> Origins {
        let kept: Vec<Origin> =
            self.as_slice().iter().filter(|origin| !is_left_out(origin)).cloned().collect();
        if kept.is_empty() { Origins::NONE } else { Origins::of(kept, self.omitted()) }
    }

    /// Returns the causes with another kind.
    #[must_use]
    pub fn of_kind(&self, kind: OriginKind) -> Origins {
        let changed = |origin: &Origin| Some(Origin { kind, ..origin.clone() });
        self.with_changed(&changed).unwrap_or_default()
    }

    /// Returns the causes for an attribute of the value with these causes: a resource, data source or
    /// module becomes its attribute.
    #[must_use]
    pub fn at_attribute(&self, name: &str) -> Origins {
        self.extended(&|| format!(".{name}"))
    }

    /// Returns the causes for an element of the value with these causes, like [`Origins::at_attribute`] for attributes.
    #[must_use]
    pub fn at_index(&self, key: &Value) -> Origins {
        let mut path = Path::ROOT;
        path.push(PathStep::Index(key.unmarked().clone()));
        self.extended(&|| path.to_string())
    }

    fn extended(&self, suffix: &dyn Fn() -> String) -> Origins {
        if self.is_empty() {
            return Origins::NONE;
        }
        let origins = self.as_slice().iter().map(|origin| match origin.kind {
            OriginKind::ResourceAttribute
            | OriginKind::Computed
            | OriginKind::ProviderDefault
            | OriginKind::DataSource
            | OriginKind::BuildVariable
            | OriginKind::Module => {
                let subject = format!("{}{}", origin.subject, suffix()).into();
                Origin { subject, ..origin.clone() }
            }
            OriginKind::Variable
            | OriginKind::ImpureFunction
            | OriginKind::RunFunction
            | OriginKind::ProviderFunction
            | OriginKind::RemoteFunction
            | OriginKind::NotComputed
            | OriginKind::Error
            | OriginKind::HiddenName => origin.clone(),
        });
        Origins::of(origins.collect(), self.omitted())
    }

    /// Returns the causes of both, those of `self` first.
    #[must_use]
    pub fn union(&self, other: &Origins) -> Origins {
        let (Some(left), Some(right)) = (&self.0, &other.0) else {
            return if self.is_empty() { other.clone() } else { self.clone() };
        };
        if left.ptr() == right.ptr() {
            return self.clone();
        }
        let (left, right) = (self.as_slice(), other.as_slice());
        let new: Vec<&Origin> = right.iter().filter(|origin| !left.contains(origin)).collect();
        if new.is_empty() && other.omitted() <= self.omitted() {
            return self.clone();
        }
        let room = Origins::CAP.saturating_sub(left.len());
        let omitted = self.omitted().max(other.omitted()) + new.len().saturating_sub(room);
        let origins = left.iter().chain(new.into_iter().take(room)).cloned().collect();
        Origins::of(origins, omitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_of_its_object_and_not_of_one_with_a_longer_name() {
        let origins = Origins::one(OriginKind::Computed, "demo.a");
        let of_part = origins.at_attribute("id");
        assert!(of_part.are_all(|origin| origin.is_of("demo.a") && origin.is_part_of("demo.a")));
        assert!(origins.are_all(|origin| origin.is_of("demo.a") && !origin.is_part_of("demo.a")));
        assert!(!of_part.are_all(|origin| origin.is_of("dem")) && !Origins::NONE.are_all(|_| true));
    }

    #[test]
    fn origins_are_ordered_distinct_and_capped() {
        let one = Origins::one(OriginKind::Variable, "var.a");
        let both = one.union(&Origins::one(OriginKind::Variable, "var.b")).union(&one);
        let names: Vec<_> = both.as_slice().iter().map(|origin| &*origin.subject).collect();
        assert_eq!(names, ["var.a", "var.b"]);
        let many = (0..20).fold(Origins::NONE, |all, index| {
            all.union(&Origins::one(OriginKind::Variable, format!("var.{index}")))
        });
        assert_eq!((many.as_slice().len(), many.omitted()), (16, 4));
    }
}
