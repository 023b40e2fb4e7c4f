//! Names that a program adds to a scope.

use terrane_value::{Origins, Value};

use crate::names::scope::{Lookup, Names, ProviderFunctions, Reference};
use crate::names::variables::Variables;

/// The names of a scope, and variables that a program adds to it. A variable hides a name of the scope.
#[derive(Clone, Copy)]
pub struct AddedNames<'n> {
    /// The names of the scope.
    pub names: &'n dyn Names,
    /// The variables.
    pub added: &'n Variables,
}

impl AddedNames<'_> {
    /// Whether a variable has the first name of `reference`.
    fn adds(&self, reference: &Reference<'_>) -> bool {
        self.added.get(reference.root).is_some()
    }
}

/// There is no cache of values, because a value in the cache of the scope has not read the variables.
impl Names for AddedNames<'_> {
    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        if self.adds(reference) { self.added.lookup(reference) } else { self.names.lookup(reference) }
    }

    fn stored(&self, root: &str) -> Option<&Value> {
        self.added.get(root).or_else(|| self.names.stored(root))
    }

    fn unknown_instances(&self, reference: &Reference<'_>) -> Origins {
        if self.adds(reference) { Origins::NONE } else { self.names.unknown_instances(reference) }
    }

    fn provider(&self, name: &str) -> ProviderFunctions {
        self.names.provider(name)
    }

    fn visible(&self) -> Vec<String> {
        let mut names = self.names.visible();
        names.extend(self.added.visible());
        names
    }

    fn is_allowed(&self) -> bool {
        self.names.is_allowed()
    }
}

#[cfg(test)]
mod tests {
    use terrane_function::{CallEnv, Limits};
    use terrane_source::{Diagnostic, Diagnostics, FileId, MemoryFiles, SourceFile};
    use terrane_syntax::{Expression, parse_expr};
    use terrane_value::display::console;

    use super::*;
    use crate::{FunctionTable, Scope, evaluate};

    fn value(text: &str) -> (String, Vec<String>) {
        let names = Variables::new().with("var", Value::object([("a".into(), Value::from(1))])).with("b", 2);
        let added =
            Variables::new().with("setup", Value::object([("id".into(), Value::from("x"))])).with("b", 3);
        let parsed = parse_expr(&SourceFile::new(FileId::new("a"), text));
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        let (files, limits) = (MemoryFiles::new(), Limits::default());
        let env = CallEnv::new(&files, std::path::Path::new("."), &limits);
        let names = AddedNames { names: &names, added: &added };
        let scope = Scope { names: &names, functions: &FunctionTable::new(Vec::new()), env: &env };
        let mut found = Diagnostics::new();
        let value = evaluate(&expression, &scope, &mut found);
        (console(&value), found.as_slice().iter().map(Diagnostic::text).collect())
    }

    #[test]
    fn variables_are_added_and_hide_names() {
        assert_eq!(value("[var.a, setup.id, b]"), ("[\n  1,\n  \"x\",\n  3,\n]".to_owned(), Vec::new()));
    }

    #[test]
    fn a_suggestion_may_be_an_added_name() {
        let (_, details) = value("setpu.id");
        assert!(details[0].contains("setup"), "{details:?}");
        let (_, details) = value("vaar.a");
        assert!(details[0].contains("var"), "{details:?}");
    }
}
