//! From an address on the command line to values.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use terrane::eval::{FunctionTable, Lookup, Names, Reference, Scope, Semantics, evaluate};
use terrane::function::{CallEnv, Limits};
use terrane::source::{FileId, SourceFile, Span, ids};
use terrane::syntax::tree::Step;
use terrane::syntax::{Expr, Expression, parse_expr};
use terrane::value::closest_name;
use terrane::{Diagnostic, Diagnostics, Entry, EntryKind, Files, Value};

use crate::instances::Blocks;
use crate::listing;

/// The values of a configuration by their canonical address.
pub(crate) struct Values<'e> {
    entries: &'e [Entry],
    by_address: BTreeMap<String, &'e Entry>,
    blocks: Blocks<'e>,
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
    /// There is no such object, or not this part of it.
    Failed(Diagnostics),
}

impl<'e> Values<'e> {
    pub(crate) fn new(entries: &'e [Entry]) -> Values<'e> {
        let by_address = entries.iter().map(|entry| (entry.address.to_string(), entry)).collect();
        Values { entries, by_address, blocks: Blocks::new(entries) }
    }

    /// What `address` stands for: an object, all instances of one, or a part of one (`local.tags.Name`).
    pub(crate) fn find(&self, address: &str, files: &dyn Files) -> Found<'e> {
        let objects = self.objects(address);
        if !objects.is_empty() {
            return Found::Values(objects);
        }
        let source = SourceFile::new(FileId::new("<address>"), address);
        let parsed = parse_expr(&source);
        let Expr::Traversal { root_end, steps } = parsed.tree.expr(parsed.root) else {
            return Found::Failed(self.undeclared(&source).into_iter().collect());
        };
        if !parsed.diagnostics.is_empty() {
            return Found::Failed(self.undeclared(&source).into_iter().collect());
        }
        let resolved = match self.blocks.resolve(&source, &parsed.tree, (root_end, parsed.tree.list(steps))) {
            Ok(resolved) => resolved,
            Err(diagnostic) => return Found::Failed([*diagnostic].into_iter().collect()),
        };
        let mut objects = self.objects(&resolved);
        if let [only] = objects.as_mut_slice() {
            address.clone_into(&mut only.address);
        }
        if !objects.is_empty() {
            return Found::Values(objects);
        }
        let source = SourceFile::new(FileId::new("<address>"), resolved);
        let parsed = parse_expr(&source);
        let (functions, limits) = (FunctionTable::new(Vec::new()), Limits::default());
        let env = CallEnv::new(files, Path::new("."), &limits);
        let scope = Scope { names: self, functions: &functions, env: &env, semantics: Semantics::default() };
        let mut diagnostics = Diagnostics::new();
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        let value = evaluate(&expression, &scope, &mut diagnostics);
        let is_undeclared = |diagnostics: &Diagnostics| {
            diagnostics.as_slice().iter().any(|diagnostic| diagnostic.id == ids::UNKNOWN_VARIABLE)
        };
        if is_undeclared(&diagnostics) {
            Found::Failed(self.undeclared(&source).into_iter().collect())
        } else if diagnostics.has_errors() {
            Found::Failed(diagnostics)
        } else {
            Found::Values(vec![Part { address: address.to_owned(), value, entry: None }])
        }
    }
}

impl<'e> Values<'e> {
    /// The objects with an address.
    fn objects(&self, address: &str) -> Vec<Part<'e>> {
        let part = |entry: &'e Entry| Part {
            address: entry.address.to_string(),
            value: entry.value.clone(),
            entry: Some(entry),
        };
        listing::named(self.entries, address).into_iter().map(part).collect()
    }
}

impl Values<'_> {
    /// That an address names nothing, with the nearest one that names something.
    fn undeclared(&self, source: &Arc<SourceFile>) -> Option<Diagnostic> {
        let address = source.text();
        let detail = format!(
            "The configuration has no object with the address {address}. `terrane eval` without addresses shows what \
             there is."
        );
        let span = Span::new(0, u32::try_from(address.len()).ok()?);
        let diagnostic = Diagnostic::error(ids::UNDECLARED_ADDRESS, detail).at(source, span);
        Some(match closest_name(address, self.by_address.keys().map(String::as_str)) {
            Some(nearest) => diagnostic.hint(format!("Did you mean `{nearest}`?")),
            None => diagnostic,
        })
    }

    /// Whether what follows the address of a module call is none of its outputs. Then it was meant as the address of an
    /// object in the module.
    fn is_no_output(&self, call: &Entry, next: Option<&Step>, reference: &Reference<'_>) -> bool {
        let Some(Step::Attr { name, .. }) = next else { return false };
        call.kind == EntryKind::ModuleCall
            && call
                .value
                .as_entries()
                .is_some_and(|outputs| outputs.get(reference.tree.slice(*name)).is_none())
    }
}

/// An address is longer than one name, so a lookup takes as many steps as belong to it.
impl Names for Values<'_> {
    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        let mut found = Lookup::Undeclared;
        for (index, step) in reference.steps.iter().enumerate() {
            let address = reference.tree.slice(Span::new(reference.span.start, step.span().end));
            let Some(entry) = self.by_address.get(address) else { continue };
            found = if self.is_no_output(entry, reference.steps.get(index + 1), reference) {
                Lookup::Undeclared
            } else {
                Lookup::Found { value: entry.value.clone(), consumed: index + 1 }
            };
        }
        found
    }

    fn visible(&self) -> Vec<String> {
        Vec::new()
    }
}
