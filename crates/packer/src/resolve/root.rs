//! Namespaces of references: the only file that reads the first name of a reference.

use terrane_eval::Reference;
use terrane_syntax::Expr;
use terrane_syntax::tree::{Literal, Step};

/// The namespace that the first name of a reference opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root {
    /// `var`: a variable follows.
    Variable,
    /// `local`: a local value follows.
    Local,
    /// `data`: the type and the name of a data source follow.
    Data,
    /// `path`: `cwd` or `root` follows.
    Path,
    /// `packer`: an attribute of the run follows.
    Packer,
    /// `source`: the `type` or `name` of the source being built follows.
    Source,
    /// `build`: an attribute of the build in progress follows.
    Build,
    /// Any other name, which has no meaning in a template.
    Undeclared,
}

/// Lists the names of namespaces, from which [`Root::of`] reads a name.
macro_rules! namespaces {
    ($($name:literal => $root:path;)*) => {
        impl Root {
            /// The first names with a meaning, sorted.
            pub(crate) const NAMES: &[&str] = &[$($name),*];

            /// Returns the namespace that a first name opens.
            pub(crate) fn of(name: &str) -> Root {
                match name {
                    $($name => $root,)*
                    _ => Root::Undeclared,
                }
            }
        }
    };
}

namespaces! {
    "build" => Root::Build;
    "data" => Root::Data;
    "local" => Root::Local;
    "packer" => Root::Packer;
    "path" => Root::Path;
    "source" => Root::Source;
    "var" => Root::Variable;
}

/// Returns the name at a step, after a dot or as a literal string in brackets.
pub(crate) fn step_name<'r>(reference: &Reference<'r>, step: usize) -> Option<&'r str> {
    match reference.steps.get(step)? {
        Step::Attr { name, .. } => Some(reference.tree.slice(*name)),
        Step::Index { key, .. } => {
            let Expr::Literal(Literal::String(text)) = reference.tree.expr(*key) else { return None };
            Some(reference.tree.text(text))
        }
        Step::LegacyIndex { .. } => None,
    }
}

/// Whether a reference is `var.NAME`, with the name after a dot.
pub(crate) fn is_variable(reference: &Reference<'_>, variable: &str) -> bool {
    match reference.steps.first() {
        Some(Step::Attr { name, .. }) => {
            Root::of(reference.root) == Root::Variable && reference.tree.slice(*name) == variable
        }
        Some(Step::Index { .. } | Step::LegacyIndex { .. }) | None => false,
    }
}
