//! From an address on the command line to values.

use std::collections::BTreeMap;
use std::path::Path;

use terrane::eval::{FunctionTable, Lookup, Names, Reference, Scope, Semantics, evaluate};
use terrane::function::{CallEnv, Limits};
use terrane::source::{FileId, SourceFile, Span};
use terrane::syntax::{Expr, Expression, parse_expr};
use terrane::{Diagnostics, Entry, Files, Value};

use crate::listing;

/// The values of a configuration by their canonical address.
pub(crate) struct Values<'e> {
    entries: &'e [Entry],
    by_address: BTreeMap<String, &'e Value>,
}

/// A value behind an address.
pub(crate) struct Part<'e> {
    pub(crate) address: String,
    pub(crate) value: Value,
    /// The object that the value is, or of which it is a part.
    pub(crate) entry: Option<&'e Entry>,
}

/// What an address stands for.
pub(crate) enum Found<'e> {
    /// One value, or all instances of an object, each with its address.
    Values(Vec<Part<'e>>),
    /// There is no such object.
    Nothing,
    /// There is, but not this part of it.
    Failed(Diagnostics),
}

impl<'e> Values<'e> {
    pub(crate) fn new(entries: &'e [Entry]) -> Values<'e> {
        let by_address = entries.iter().map(|entry| (entry.address.to_string(), &entry.value)).collect();
        Values { entries, by_address }
    }

    /// What `address` stands for: an object, all instances of one, or a part of one (`local.tags.Name`).
    pub(crate) fn find(&self, address: &str, files: &dyn Files) -> Found<'e> {
        let objects = listing::named(self.entries, address);
        if !objects.is_empty() {
            let part = |entry: &'e Entry| Part {
                address: entry.address.to_string(),
                value: entry.value.clone(),
                entry: Some(entry),
            };
            return Found::Values(objects.into_iter().map(part).collect());
        }
        let source = SourceFile::new(FileId::new("<address>"), address);
        let parsed = parse_expr(&source);
        if !parsed.diagnostics.is_empty() || !matches!(parsed.tree.expr(parsed.root), Expr::Traversal { .. })
        {
            return Found::Nothing;
        }
        let (functions, limits) = (FunctionTable::new(Vec::new()), Limits::default());
        let env = CallEnv::new(files, Path::new("."), &limits);
        let scope = Scope { names: self, functions: &functions, env: &env, semantics: Semantics::default() };
        let mut diagnostics = Diagnostics::new();
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        let value = evaluate(&expression, &scope, &mut diagnostics);
        let is_undeclared = |diagnostics: &Diagnostics| {
            diagnostics
                .as_slice()
                .iter()
                .any(|diagnostic| diagnostic.id == terrane::source::ids::UNKNOWN_VARIABLE)
        };
        if is_undeclared(&diagnostics) {
            Found::Nothing
        } else if diagnostics.has_errors() {
            Found::Failed(diagnostics)
        } else {
            Found::Values(vec![Part { address: address.to_owned(), value, entry: None }])
        }
    }
}

/// An address is longer than one name, so a lookup takes as many steps as belong to it.
impl Names for Values<'_> {
    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        let mut found = Lookup::Undeclared;
        for (index, step) in reference.steps.iter().enumerate() {
            let address = reference.tree.slice(Span::new(reference.span.start, step.span().end));
            if let Some(value) = self.by_address.get(address) {
                found = Lookup::Found { value: (*value).clone(), consumed: index + 1 };
            }
        }
        found
    }

    fn visible(&self) -> Vec<String> {
        Vec::new()
    }
}
