//! A name in an expression, with facts that follow from its text.

use terrane_module::model::references::{BuiltIn, Meaning, Referrer, Target, Use};
use terrane_source::{SourceFile, Span};
use terrane_value::SmolStr;

use super::body_index::BodyIndex;

/// A name in a file, with its meaning.
#[derive(Clone, Copy)]
pub(crate) struct FoundUse<'e> {
    pub(crate) file: &'e SourceFile,
    pub(crate) found: &'e Use,
}

impl FoundUse<'_> {
    /// Whether the name is inside of `part`, a span of its file.
    pub(crate) fn is_in(&self, part: Span) -> bool {
        part.start <= self.found.span.start && self.found.span.end <= part.end
    }

    /// Whether the name has another value in each instance of its block: `count.index`, `each.key`, `each.value`.
    pub(crate) fn is_of_instance(&self) -> bool {
        let Meaning::BuiltIn { name, .. } = &self.found.meaning else { return false };
        matches!(name, BuiltIn::CountIndex | BuiltIn::EachKey | BuiltIn::EachValue)
    }

    /// Returns the module call or resource that the name refers to, if no key behind the name chooses one of its instances.
    /// `None` for other names, and if there is a key.
    pub(crate) fn repeated_block(&self) -> Option<Referrer> {
        let block = match self.found.target()? {
            Target::Module(id, _) => Referrer::Call(*id),
            Target::Resource(id) => Referrer::Resource(*id),
            Target::Variable(_) | Target::Local(_) => return None,
        };
        let behind =
            self.file.slice(Span::new(self.found.name.end, self.found.span.end.max(self.found.name.end)));
        let has_key = behind.starts_with('[') && !behind.starts_with("[*]");
        (!has_key).then_some(block)
    }

    /// Whether the name only has a value inside an instance of its block: `self`, `each`, `count` and names of loops.
    pub(crate) fn is_of_block(&self) -> bool {
        match &self.found.meaning {
            Meaning::Declared(_) => false,
            Meaning::BuiltIn { name, .. } => *name == BuiltIn::Itself || self.is_of_instance(),
            Meaning::Bound { .. } => true,
        }
    }

    /// Returns the argument or block type of a resource that contains the name.
    pub(crate) fn item_in<'w>(&self, written: &'w BodyIndex) -> Option<&'w SmolStr> {
        written.item_at(self.file.version(), self.found.span.start)
    }

    /// Returns the name of the attribute behind the name of a resource. `None` if there is none.
    pub(crate) fn attribute(&self) -> Option<SmolStr> {
        self.found.attribute.map(|name| SmolStr::from(self.file.slice(name)))
    }
}
