//! The names of the attributes of a body, to find names that are set twice.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use terrane_source::Span;

use super::Parser;
use crate::Token;

/// The names of the attributes of a body so far.
pub(super) struct AttributeNames<'a> {
    /// The start of the names in the scratch list.
    pub(super) mark: usize,
    /// All names, once there are too many to search them for each new one.
    many: Option<HashMap<&'a str, Span>>,
}

impl<'a> AttributeNames<'a> {
    const MANY: usize = 16;

    pub(super) fn at(mark: usize) -> AttributeNames<'a> {
        AttributeNames { mark, many: None }
    }
}

impl<'a> Parser<'a> {
    /// Adds a name. Returns the place where it was set before, if it was.
    pub(super) fn add_name(&mut self, name: Token, names: &mut AttributeNames<'a>) -> Option<Span> {
        let text = self.text(name);
        if let Some(many) = &mut names.many {
            return match many.entry(text) {
                Entry::Occupied(entry) => Some(*entry.get()),
                Entry::Vacant(entry) => {
                    entry.insert(name.span());
                    None
                }
            };
        }
        let few = self.scratch.names.get(names.mark..).unwrap_or_default();
        if let Some(before) = few.iter().find(|before| self.source.slice(**before) == text) {
            return Some(*before);
        }
        let is_many = few.len() >= AttributeNames::MANY;
        self.scratch.names.push(name.span());
        if is_many {
            let all = self.scratch.names.get(names.mark..).unwrap_or_default();
            names.many = Some(all.iter().map(|name| (self.source.slice(*name), *name)).collect());
        }
        None
    }
}
