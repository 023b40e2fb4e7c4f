//! The value type: known, null or unknown, possibly marked.
//!
//! [`Value`] owns its representation; operations, conversion and display read it through [`Value::kind`].

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_stream_safe_quick};

use crate::ascii::is_ascii;
use crate::value::summary::Summary;
use crate::{
    Entries, Known, Mark, Marks, Number, OpenElements, Origins, Refinement, Refusal, SmallNumber, SmolStr,
    StoredRefinement, Type, Unknown,
};

pub(crate) mod collection;
mod copy;
pub(crate) mod deep;
mod drop;
mod mapping;
mod memory;
mod origins;
pub(crate) mod path;
mod sequence;
pub(crate) mod summary;
#[cfg(test)]
mod tests;
pub(crate) mod unknown;

/// A value of the configuration language: known, null or unknown, possibly marked. Cheap to clone.
///
/// [`Value::kind`] shows its content.
pub struct Value(Repr);

#[derive(Clone)]
enum Repr {
    Bool(bool),
    Number(Number),
    String(SmolStr),
    List(Arc<Sequence>),
    Set(Arc<Sequence>),
    Map(Entries),
    Tuple(Arc<Sequence>),
    Object(Entries),
    Null(Type),
    Unknown(Arc<Unknown>),
    Marked(Arc<Marked>),
}

struct Marked {
    value: Value,
    marks: Marks,
}

/// The content of a list, set or tuple. `ty` is the type of the whole; for a tuple, it is made on first use.
struct Sequence {
    ty: OnceLock<Type>,
    elements: Vec<Value>,
    summary: Summary,
    /// Whether an element may have memory of its own.
    has_memory: bool,
}

/// A view of the content of a value.
#[derive(Clone, Copy, Debug)]
pub enum ValueKind<'v> {
    /// A known bool.
    Bool(bool),
    /// A known number.
    Number(&'v Number),
    /// A known string.
    String(&'v SmolStr),
    /// A known list: its elements.
    List(&'v [Value]),
    /// A known set: its elements in set order.
    Set(&'v [Value]),
    /// A known map: its elements in key order.
    Map(&'v Entries),
    /// A known tuple: its elements.
    Tuple(&'v [Value]),
    /// A known object: its attributes in key order.
    Object(&'v Entries),
    /// A null of some type.
    Null(&'v Type),
    /// An unknown value.
    Unknown(&'v Unknown),
    /// A marked value: the inner value (never itself marked) and the marks.
    Marked(&'v Value, &'v Marks),
}

impl Value {
    /// `true`.
    pub const TRUE: Value = Value(Repr::Bool(true));
    /// `false`.
    pub const FALSE: Value = Value(Repr::Bool(false));
    /// The null without a type of its own.
    pub const NULL: Value = Value(Repr::Null(Type::Dynamic));

    /// Returns a string. The text is normalised to Unicode normal form C.
    pub fn string(text: impl Into<SmolStr>) -> Value {
        let text = text.into();
        if is_normal(&text) { Value(Repr::String(text)) } else { Value(Repr::String(normalized(&text))) }
    }

    /// Returns `text` in Unicode normal form C, in which strings and keys are stored.
    pub fn normalize(text: &str) -> Cow<'_, str> {
        if is_normal(text) { Cow::Borrowed(text) } else { Cow::Owned(normalized(text)) }
    }

    /// Returns a number.
    #[inline]
    pub fn number(number: impl Into<Number>) -> Value {
        Value(Repr::Number(number.into()))
    }

    /// Returns the element type of a collection: the declared type or, if that is not wholly known, the type of the
    /// first element that has one.
    pub(crate) fn element_type<'v>(declared: Type, elements: impl Iterator<Item = &'v Value>) -> Type {
        if !declared.has_dynamic() {
            return declared;
        }
        let mut types = elements.map(Value::ty);
        types.find(|ty| *ty != Type::Dynamic).unwrap_or(declared)
    }

    /// Gives the type `ty` to a null or unknown value without a type of its own.
    pub(crate) fn adopt_type(&mut self, ty: &Type) {
        if *ty == Type::Dynamic {
            return;
        }
        match &self.0 {
            Repr::Null(Type::Dynamic) => self.0 = Repr::Null(ty.clone()),
            Repr::Unknown(unknown) if unknown.ty == Type::Dynamic => {
                *self = Value::unknown_from(ty.clone(), unknown.origins.clone());
            }
            Repr::Marked(marked) => {
                let mut value = marked.value.clone();
                value.adopt_type(ty);
                *self = value.with_marks(&marked.marks.clone());
            }
            Repr::Bool(_)
            | Repr::Number(_)
            | Repr::String(_)
            | Repr::List(_)
            | Repr::Set(_)
            | Repr::Map(_)
            | Repr::Tuple(_)
            | Repr::Object(_)
            | Repr::Null(_)
            | Repr::Unknown(_) => {}
        }
    }

    /// Returns the null of type `ty`.
    pub fn null(ty: Type) -> Value {
        match Summary::of_type(&ty).refusal() {
            Some(refusal) => Value::refuse(refusal),
            None => Value(Repr::Null(ty)),
        }
    }

    /// Returns the unknown value in place of a value that is too large.
    fn refuse(refusal: Refusal) -> Value {
        Value::unknown_from(Type::Dynamic, Origins::refused(refusal))
    }

    /// Returns the reason why this value, which is then unknown, could not be made of its parts.
    #[inline]
    pub fn refused(&self) -> Option<Refusal> {
        let Repr::Unknown(_) = self.unmarked().0 else { return None };
        self.origins().as_slice().iter().find_map(Refusal::of)
    }

    /// Returns an unknown value of type `ty`, without refinement or origin.
    pub fn unknown(ty: Type) -> Value {
        Value::from(Unknown {
            ty,
            refinement: StoredRefinement::default(),
            origins: Origins::NONE,
            known: Known::Nothing,
        })
    }

    /// Returns an unknown value of type `ty` with a cause.
    pub fn unknown_from(ty: Type, origins: Origins) -> Value {
        Value::from(Unknown { ty, refinement: StoredRefinement::default(), origins, known: Known::Nothing })
    }

    /// Returns an unknown value of any type, in place of a failed computation.
    pub fn error() -> Value {
        // One value is shared, because hostile input may cause millions of failed computations.
        static ERROR: LazyLock<Value> =
            LazyLock::new(|| Value::unknown_from(Type::Dynamic, Origins::error()));
        ERROR.clone()
    }

    /// Returns an open object: an unknown value of dynamic type with these known attributes.
    pub fn open_object(attributes: Entries, origins: Origins) -> Value {
        let known = Known::Object(attributes);
        Value::from(Unknown { ty: Type::Dynamic, refinement: StoredRefinement::NOT_NULL, origins, known })
    }

    /// Returns an open sequence: an unknown value of dynamic type that is a list, set or tuple of these elements.
    pub fn open_sequence(elements: impl Into<OpenElements>, origins: Origins) -> Value {
        let known = Known::Sequence(elements.into());
        Value::from(Unknown { ty: Type::Dynamic, refinement: StoredRefinement::NOT_NULL, origins, known })
    }

    /// Returns a view of the content.
    #[inline]
    pub fn kind(&self) -> ValueKind<'_> {
        match &self.0 {
            Repr::Bool(value) => ValueKind::Bool(*value),
            Repr::Number(number) => ValueKind::Number(number),
            Repr::String(text) => ValueKind::String(text),
            Repr::List(sequence) => ValueKind::List(&sequence.elements),
            Repr::Set(sequence) => ValueKind::Set(&sequence.elements),
            Repr::Map(entries) => ValueKind::Map(entries),
            Repr::Tuple(sequence) => ValueKind::Tuple(&sequence.elements),
            Repr::Object(entries) => ValueKind::Object(entries),
            Repr::Null(ty) => ValueKind::Null(ty),
            Repr::Unknown(unknown) => ValueKind::Unknown(unknown),
            Repr::Marked(marked) => ValueKind::Marked(&marked.value, &marked.marks),
        }
    }

    /// Returns the type. Marks are ignored.
    pub fn ty(&self) -> Type {
        match &self.0 {
            Repr::Bool(_) => Type::Bool,
            Repr::Number(_) => Type::Number,
            Repr::String(_) => Type::String,
            Repr::List(sequence) | Repr::Set(sequence) | Repr::Tuple(sequence) => {
                sequence.ty.get_or_init(|| Type::tuple(sequence.elements.iter().map(Value::ty))).clone()
            }
            Repr::Map(entries) | Repr::Object(entries) => entries.ty().clone(),
            Repr::Null(ty) => ty.clone(),
            Repr::Unknown(unknown) => unknown.ty.clone(),
            Repr::Marked(marked) => marked.value.ty(),
        }
    }

    /// Whether `ty` is the type of the value and its parts have been compared before, because it was made for this value.
    pub(crate) fn made_type_is(&self, ty: &Type) -> bool {
        match (&self.0, ty) {
            (Repr::Tuple(sequence), Type::Tuple(wanted)) => {
                matches!(sequence.ty.get(), Some(Type::Tuple(own)) if Arc::ptr_eq(own, wanted))
            }
            (Repr::Object(entries), Type::Object(wanted)) => {
                matches!(entries.made_type(), Some(Type::Object(own)) if Arc::ptr_eq(own, wanted))
            }
            _ => false,
        }
    }

    /// Whether the value is a known value of the primitive type `ty` without marks. Faster than
    /// comparing with [`Value::ty`].
    #[inline]
    pub fn is_plain(&self, ty: &Type) -> bool {
        matches!(
            (&self.0, ty),
            (Repr::String(_), Type::String) | (Repr::Number(_), Type::Number) | (Repr::Bool(_), Type::Bool)
        )
    }

    /// Whether the value is known and not null, and nothing inside is unknown or marked.
    #[inline]
    pub fn is_sound(&self) -> bool {
        let summary = match &self.0 {
            Repr::Bool(_) | Repr::Number(_) | Repr::String(_) => return true,
            Repr::List(sequence) | Repr::Set(sequence) | Repr::Tuple(sequence) => sequence.summary,
            Repr::Map(entries) | Repr::Object(entries) => entries.summary(),
            Repr::Null(_) | Repr::Unknown(_) | Repr::Marked(_) => return false,
        };
        !summary.has_marks() && !summary.has_unknowns()
    }

    /// Returns the nesting depth: 0 for bools, numbers and strings, otherwise 1 more than the deepest element. A null,
    /// an unknown value and an empty collection have the depth of their types.
    pub fn depth(&self) -> u16 {
        self.summary().depth
    }

    /// Returns the number of elements at all levels; a part that occurs twice counts twice.
    pub fn size(&self) -> usize {
        self.summary().elements as usize
    }

    /// Whether this value is null, ignoring marks.
    #[inline]
    pub fn is_null(&self) -> bool {
        matches!(self.unmarked().0, Repr::Null(_))
    }

    /// Whether this value, ignoring marks, is null or known, even if its elements are not.
    #[inline]
    pub fn is_known(&self) -> bool {
        !matches!(self.unmarked().0, Repr::Unknown(_))
    }

    /// Whether this value and everything inside it is known.
    #[inline]
    pub fn is_wholly_known(&self) -> bool {
        self.is_primitive() || !self.summary().has_unknowns()
    }

    /// Whether this value is unknown, and no part of it is known.
    pub fn is_wholly_unknown(&self) -> bool {
        self.as_unknown().is_some_and(|unknown| matches!(unknown.known, Known::Nothing))
    }

    /// Whether only the type of this value is known, and perhaps that it is not null.
    pub fn has_only_type(&self) -> bool {
        let has_no_bounds =
            |refinement: &Refinement| *refinement == Refinement::NONE || *refinement == Refinement::NOT_NULL;
        self.is_wholly_unknown()
            && self.as_unknown().is_some_and(|unknown| has_no_bounds(&unknown.refinement))
    }

    /// Whether everything in this value is known, except for the unnamed attributes and elements of
    /// open objects and sequences. Takes constant time for a collection.
    pub fn has_known_parts(&self) -> bool {
        self.is_primitive() || !self.summary().has_wholly_unknown()
    }

    /// Whether this value or anything inside it is unknown because of an error. The known parts of an unknown value do not count.
    /// Takes constant time for a collection.
    pub fn has_failed(&self) -> bool {
        !self.is_primitive() && self.summary().has_failed()
    }

    /// Whether this value itself is marked.
    #[inline]
    pub fn is_marked(&self) -> bool {
        matches!(self.0, Repr::Marked(_))
    }

    /// Whether this value or anything inside it is marked.
    #[inline]
    pub fn contains_marked(&self) -> bool {
        !self.is_primitive() && self.summary().has_marks()
    }

    /// Whether the value or anything inside it is an infinite number, ignoring marks. The known parts of an unknown value do
    /// not count.
    pub fn contains_infinity(&self) -> bool {
        match self.as_number() {
            Some(number) => number.is_infinite(),
            None => self.summary().has_infinity(),
        }
    }

    /// Whether the value is a known string, number or bool without marks.
    #[inline]
    pub(crate) fn is_primitive(&self) -> bool {
        matches!(self.0, Repr::String(_) | Repr::Number(_) | Repr::Bool(_))
    }

    /// Whether this value itself has `mark`.
    pub fn has_mark(&self, mark: &Mark) -> bool {
        self.marks().contains(mark)
    }

    /// Whether the own marks of this value hide it in all outputs.
    pub fn is_hidden(&self) -> bool {
        let ValueKind::Marked(inner, marks) = self.kind() else { return false };
        marks.is_closed() || (marks.contains(&Mark::Hidden) && !inner.has_only_type())
    }

    /// Returns the marks of this value itself.
    #[inline]
    pub fn marks(&self) -> &Marks {
        match &self.0 {
            Repr::Marked(marked) => &marked.marks,
            Repr::Bool(_)
            | Repr::Number(_)
            | Repr::String(_)
            | Repr::List(_)
            | Repr::Set(_)
            | Repr::Map(_)
            | Repr::Tuple(_)
            | Repr::Object(_)
            | Repr::Null(_)
            | Repr::Unknown(_) => &Marks::NONE,
        }
    }

    /// Returns the value without its own marks; its elements keep their marks.
    #[inline]
    pub fn unmarked(&self) -> &Value {
        if let Repr::Marked(marked) = &self.0 { &marked.value } else { self }
    }

    /// Returns the text if this is a known string without marks.
    #[inline]
    pub fn plain_text(&self) -> Option<&SmolStr> {
        if let Repr::String(text) = &self.0 { Some(text) } else { None }
    }

    /// Returns the attributes if this is a known object without marks.
    #[inline]
    pub fn plain_object(&self) -> Option<&Entries> {
        if let Repr::Object(entries) = &self.0 { Some(entries) } else { None }
    }

    /// Returns the number if this is a small whole number without marks.
    #[inline]
    pub fn as_small(&self) -> Option<SmallNumber> {
        if let Repr::Number(number) = &self.0 { number.as_small() } else { None }
    }

    /// Returns the string for a text that is in normal form, such as a key. The form is not checked.
    #[doc(hidden)]
    #[inline]
    pub fn normal_string(text: SmolStr) -> Value {
        Value(Repr::String(text))
    }

    /// Adds `marks` to the marks of the value.
    #[must_use]
    #[inline]
    pub fn with_marks(self, marks: &Marks) -> Value {
        if marks.is_empty() { self } else { self.marked(marks) }
    }

    fn marked(self, marks: &Marks) -> Value {
        let marks = self.marks().union(marks);
        let value = self.unmarked().clone();
        Value(Repr::Marked(Arc::new(Marked { value, marks })))
    }

    /// Returns the bool if it is known, ignoring marks.
    #[inline]
    pub fn as_bool(&self) -> Option<bool> {
        if let Repr::Bool(value) = self.unmarked().0 { Some(value) } else { None }
    }

    /// Returns the number if it is known, ignoring marks.
    #[inline]
    pub fn as_number(&self) -> Option<&Number> {
        if let Repr::Number(number) = &self.unmarked().0 { Some(number) } else { None }
    }

    /// Returns the string if it is known, ignoring marks.
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        if let Repr::String(text) = &self.unmarked().0 { Some(text) } else { None }
    }

    /// Returns the unknown value behind the marks; `None` if the value is not unknown.
    #[inline]
    pub fn as_unknown(&self) -> Option<&Unknown> {
        if let Repr::Unknown(unknown) = &self.unmarked().0 { Some(unknown) } else { None }
    }

    /// Returns the elements of a known list, set or tuple, ignoring marks.
    #[inline]
    pub fn as_sequence(&self) -> Option<&[Value]> {
        self.stored_sequence().map(|sequence| sequence.elements.as_slice())
    }

    #[inline]
    fn stored_sequence(&self) -> Option<&Sequence> {
        match &self.unmarked().0 {
            Repr::List(sequence) | Repr::Set(sequence) | Repr::Tuple(sequence) => Some(sequence),
            Repr::Bool(_)
            | Repr::Number(_)
            | Repr::String(_)
            | Repr::Map(_)
            | Repr::Object(_)
            | Repr::Null(_)
            | Repr::Unknown(_)
            | Repr::Marked(_) => None,
        }
    }

    /// Returns the element at a position of a known list, set, tuple, map or object; in a map or object, by key order.
    /// Marks of the whole value are ignored.
    #[inline]
    pub fn nth(&self, position: usize) -> Option<&Value> {
        match &self.unmarked().0 {
            Repr::List(sequence) | Repr::Set(sequence) | Repr::Tuple(sequence) => {
                sequence.elements.get(position)
            }
            Repr::Map(entries) | Repr::Object(entries) => entries.values().as_slice().get(position),
            Repr::Bool(_)
            | Repr::Number(_)
            | Repr::String(_)
            | Repr::Null(_)
            | Repr::Unknown(_)
            | Repr::Marked(_) => None,
        }
    }

    /// Returns the attributes of an object, the entries of a map, or the known attributes of an open object, which for
    /// a resource without a schema are the configured ones. Marks of the value itself are ignored.
    ///
    /// ```
    /// use terrane_value::{ObjectBuilder, Origins, Value};
    ///
    /// let configured = ObjectBuilder::new().with("size", 3).build();
    /// let entries = configured.as_entries().cloned().unwrap_or_default();
    /// let resource = Value::open_object(entries, Origins::NONE);
    /// assert!(resource.as_entries().is_none());
    /// let size = resource.known_attributes().and_then(|known| known.get("size"));
    /// assert!(size.is_some_and(|size| size.same(&Value::from(3))));
    /// ```
    pub fn known_attributes(&self) -> Option<&Entries> {
        self.as_entries().or_else(|| match &self.as_unknown()?.known {
            Known::Object(attributes) => Some(attributes),
            Known::Nothing | Known::Sequence(_) => None,
        })
    }

    /// Returns the elements of a known list, set or tuple, or the known elements of an open sequence, ignoring marks.
    pub fn known_elements(&self) -> Option<&[Value]> {
        self.as_sequence().or_else(|| match &self.as_unknown()?.known {
            Known::Sequence(elements) => Some(elements.as_slice()),
            Known::Nothing | Known::Object(_) => None,
        })
    }

    /// Returns the entries of a known map or object, ignoring marks.
    #[inline]
    pub fn as_entries(&self) -> Option<&Entries> {
        match &self.unmarked().0 {
            Repr::Map(entries) | Repr::Object(entries) => Some(entries),
            Repr::Bool(_)
            | Repr::Number(_)
            | Repr::String(_)
            | Repr::List(_)
            | Repr::Set(_)
            | Repr::Tuple(_)
            | Repr::Null(_)
            | Repr::Unknown(_)
            | Repr::Marked(_) => None,
        }
    }

    /// Returns the reasons why the value is unknown; none if it is known. Elements are ignored.
    pub fn origins(&self) -> &Origins {
        self.as_unknown().map_or(&Origins::NONE, |unknown| &unknown.origins)
    }

    /// Changes the refinement of an unknown value, which has a refinement only if its type is known. Returns a known or
    /// null value as it is. If the refinement leaves only one value, the result is that value.
    #[must_use]
    pub fn refine(self, change: impl FnOnce(&mut Refinement)) -> Value {
        self.map_unknown(|unknown| {
            if unknown.ty != Type::Dynamic {
                unknown.refinement.change(change);
            }
        })
    }

    /// Refines an unknown value to be certainly not null. Returns a known or null value as it is.
    #[must_use]
    pub fn not_null(self) -> Value {
        self.map_unknown(|unknown| {
            if unknown.ty != Type::Dynamic {
                unknown.refinement.set_not_null();
            }
        })
    }

    fn map_unknown(self, change: impl FnOnce(&mut Unknown)) -> Value {
        let marks = self.marks().clone();
        let Some(unknown) = self.as_unknown() else { return self };
        let mut unknown = unknown.clone();
        change(&mut unknown);
        Value::from(unknown).with_marks(&marks)
    }

    /// Whether the value is certainly not null, ignoring marks.
    pub fn is_never_null(&self) -> bool {
        self.as_unknown().map_or_else(|| !self.is_null(), |unknown| unknown.refinement.not_null)
    }

    /// Calls `visit` for each direct element, in order. Marks of the value itself are ignored.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(&Value)) {
        match self.unmarked().kind() {
            ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
                elements.iter().for_each(visit);
            }
            ValueKind::Map(entries) | ValueKind::Object(entries) => entries.values().for_each(visit),
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..) => {}
        }
    }

    /// Replaces each direct element. The replacements must be of the same type and, in a set, keep order and
    /// distinctness: callers remove marks and fill in unknowns.
    pub(crate) fn map_children(&self, change: &mut dyn FnMut(&Value) -> Value) -> Value {
        match &self.0 {
            Repr::List(sequence) => {
                let elements = sequence.elements.iter().map(change).collect();
                Value::sequence(sequence.ty.get().cloned(), elements, Repr::List)
            }
            Repr::Set(sequence) => {
                let elements = sequence.elements.iter().map(change).collect();
                Value::sequence(sequence.ty.get().cloned(), elements, Repr::Set)
            }
            Repr::Tuple(sequence) => Value::tuple(sequence.elements.iter().map(change)),
            Repr::Map(entries) => {
                let ty = entries.ty().clone();
                Value::of_entries(entries.with_values(Some(ty), entries.values().map(change)), Repr::Map)
            }
            Repr::Object(entries) => {
                Value::of_entries(entries.with_values(None, entries.values().map(change)), Repr::Object)
            }
            Repr::Marked(marked) => marked.value.map_children(change).with_marks(&marked.marks),
            Repr::Unknown(unknown) => {
                let known = match &unknown.known {
                    Known::Nothing => return self.clone(),
                    Known::Object(entries) => {
                        Known::Object(entries.with_values(None, entries.values().map(change)))
                    }
                    Known::Sequence(elements) => Known::Sequence(elements.iter().map(change).collect()),
                };
                Value::from(Unknown { known, ..Unknown::clone(unknown) })
            }
            Repr::Bool(_) | Repr::Number(_) | Repr::String(_) | Repr::Null(_) => self.clone(),
        }
    }

    #[inline]
    pub(crate) fn summary(&self) -> Summary {
        if let Repr::Object(entries) = &self.0 { entries.summary() } else { self.summary_of_other() }
    }

    fn summary_of_other(&self) -> Summary {
        match &self.0 {
            Repr::List(sequence) | Repr::Set(sequence) | Repr::Tuple(sequence) => sequence.summary,
            Repr::Map(entries) | Repr::Object(entries) => entries.summary(),
            Repr::Null(ty) => Summary::of_type(ty),
            Repr::Unknown(unknown) => Summary::of_unknown(unknown),
            Repr::Marked(marked) => marked.value.summary().marked(),
            Repr::Bool(_) | Repr::Number(_) | Repr::String(_) => {
                let bytes = self.primitive_bytes().unwrap_or(0);
                Summary::of_primitive(bytes, self.as_number().is_some_and(Number::is_infinite))
            }
        }
    }
}

/// Whether a value gets its type when it is made. Usually the type is made of the types of the parts when it is asked
/// for. In a deep value every few levels have a type from the start, so that making one never takes many nested calls.
#[inline]
fn has_type_from_start(summary: Summary) -> bool {
    const LEVELS: u16 = 8;
    summary.depth >= LEVELS && summary.depth.is_multiple_of(LEVELS)
}

/// Whether a text is certainly in normal form.
#[inline]
fn is_normal(text: &str) -> bool {
    is_ascii(text) || is_normal_unicode(text)
}

#[inline(never)]
fn is_normal_unicode(text: &str) -> bool {
    is_nfc_stream_safe_quick(text.chars()) == IsNormalized::Yes
}

/// Returns a text in normal form. As in the reference, a zero-width joiner ends a run of marks that
/// is too long to be sorted.
#[cold]
fn normalized<T: FromIterator<char>>(text: &str) -> T {
    text.stream_safe().nfc().collect()
}

impl From<Unknown> for Value {
    fn from(mut unknown: Unknown) -> Value {
        if let Some(refusal) = Summary::of_unknown(&unknown).refusal() {
            unknown = Unknown {
                ty: Type::Dynamic,
                refinement: StoredRefinement::default(),
                origins: Origins::refused(refusal),
                known: Known::Nothing,
            };
        }
        match unknown.only_value() {
            Some(value) => value,
            None => Value(Repr::Unknown(Arc::new(unknown))),
        }
    }
}

impl From<bool> for Value {
    #[inline]
    fn from(value: bool) -> Value {
        Value(Repr::Bool(value))
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        Value::number(number)
    }
}

/// Does the same as [`Number::literal`].
impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::number(Number::literal(number))
    }
}

/// Does the same as [`Number::literal`].
impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::from(i64::from(number))
    }
}

impl From<&str> for Value {
    #[inline]
    fn from(text: &str) -> Value {
        if is_normal(text) { Value(Repr::String(SmolStr::from(text))) } else { Value::string(text) }
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::string(text)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ValueKind::Marked(_, marks) => write!(f, "Marked({:?})", marks.as_slice()),
            kind @ (ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Map(_)
            | ValueKind::Tuple(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)) => write!(f, "{kind:?}"),
        }
    }
}
