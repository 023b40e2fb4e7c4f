//! Namespaces: the one list of the first names of references, and of the attributes of those without declarations.

use terrane_config::address::ResourceMode;

use crate::model::references::BuiltIn;
use crate::rules::Rules;

/// The namespace that the first name of a reference opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// `var`: an input variable follows.
    Variable,
    /// `local`: a local value follows.
    Local,
    /// `module`: a module call follows.
    Module,
    /// `data`, `ephemeral`, `resource` or `action`: the type and the name of a resource of this mode follow.
    Resource(ResourceMode),
    /// `path`: a directory follows.
    Path,
    /// `terraform`: an attribute of the run follows.
    Terraform,
    /// `tofu`: the same as `terraform`, in OpenTofu.
    Tofu,
    /// `count`: `index` follows.
    Count,
    /// `each`: `key` or `value` follows.
    Each,
    /// `self`: the resource around the expression.
    Itself,
    /// A name without a meaning yet: `template`, `lazy` or `arg`.
    Reserved,
    /// Any other name: the type of a managed resource, whose name follows.
    Type,
}

/// The names of namespaces: the one list of them, from which [`Root::of`] reads a name.
macro_rules! namespaces {
    ($($name:literal => $root:expr;)*) => {
        impl Root {
            /// The names of namespaces in every dialect.
            const NAMES: &[&str] = &[$($name),*];

            /// The namespace that a first name opens in a dialect that has all of them.
            pub(crate) fn of(name: &str) -> Root {
                match name {
                    $($name => $root,)*
                    _ => Root::Type,
                }
            }
        }
    };
}

namespaces! {
    "var" => Root::Variable;
    "local" => Root::Local;
    "module" => Root::Module;
    "data" => Root::Resource(ResourceMode::Data);
    "ephemeral" => Root::Resource(ResourceMode::Ephemeral);
    "resource" => Root::Resource(ResourceMode::Managed);
    "action" => Root::Resource(ResourceMode::Action);
    "path" => Root::Path;
    "terraform" => Root::Terraform;
    "tofu" => Root::Tofu;
    "each" => Root::Each;
    "count" => Root::Count;
    "self" => Root::Itself;
    "template" => Root::Reserved;
    "lazy" => Root::Reserved;
    "arg" => Root::Reserved;
}

/// The attributes of namespaces without declarations: the one list of them, from which [`Root::built_in`] reads a name.
macro_rules! attributes {
    ($($root:path { $($name:literal => $built_in:expr),* })*) => {
        impl Root {
            /// The names that may follow this one, sorted. None where those of declarations do.
            pub(crate) fn attributes(self) -> &'static [&'static str] {
                match self {
                    $($root => &[$($name),*],)*
                    Root::Tofu => Root::Terraform.attributes(),
                    Root::Variable | Root::Local | Root::Module | Root::Resource(_) | Root::Itself | Root::Reserved
                    | Root::Type => &[],
                }
            }

            /// The name that no block declares of an attribute.
            pub(crate) fn built_in(self, attribute: &str) -> Option<BuiltIn> {
                match self {
                    $($root => match attribute {
                        $($name => Some($built_in),)*
                        _ => None,
                    })*
                    Root::Tofu => Root::Terraform.built_in(attribute),
                    Root::Variable | Root::Local | Root::Module | Root::Resource(_) | Root::Itself | Root::Reserved
                    | Root::Type => None,
                }
            }
        }
    };
}

attributes! {
    Root::Path { "cwd" => BuiltIn::PathCwd, "module" => BuiltIn::PathModule, "root" => BuiltIn::PathRoot }
    Root::Terraform { "applying" => BuiltIn::Applying, "workspace" => BuiltIn::Workspace }
    Root::Count { "index" => BuiltIn::CountIndex }
    Root::Each { "key" => BuiltIn::EachKey, "value" => BuiltIn::EachValue }
}

impl Root {
    /// The names of the namespaces that meet a condition.
    pub(crate) fn names(is_wanted: impl Fn(Root) -> bool) -> impl Iterator<Item = &'static str> {
        Root::NAMES.iter().copied().filter(move |name| is_wanted(Root::of(name)))
    }

    /// These names, sorted, for [`Names::visible`](terrane_eval::Names::visible).
    pub(crate) fn visible(is_wanted: impl Fn(Root) -> bool) -> Vec<String> {
        let mut names: Vec<String> = Root::names(is_wanted).map(str::to_owned).collect();
        names.sort_unstable();
        names
    }

    /// Whether an expression reads other values of this namespace in each instance of a block.
    pub(crate) fn varies(self) -> bool {
        matches!(self, Root::Count | Root::Each | Root::Itself)
    }

    /// Whether the namespace has values before the evaluation.
    pub(crate) fn is_static(self) -> bool {
        matches!(self, Root::Variable | Root::Local | Root::Path | Root::Terraform)
    }

    /// Whether the name of a declaration follows this root in a reference.
    pub(crate) fn precedes_names(self) -> bool {
        match self {
            Root::Variable | Root::Local | Root::Module | Root::Resource(_) => true,
            Root::Path
            | Root::Terraform
            | Root::Tofu
            | Root::Count
            | Root::Each
            | Root::Itself
            | Root::Reserved
            | Root::Type => false,
        }
    }

    /// Whether the namespace is named where an expression reads a name that is none.
    pub(crate) fn is_suggested(self) -> bool {
        self.is_static()
            || matches!(self, Root::Module | Root::Resource(ResourceMode::Data) | Root::Each | Root::Itself)
    }

    /// The namespace that a first name opens in a dialect. The names of namespaces that it lacks are types of resources.
    pub(crate) fn in_dialect(name: &str, rules: &Rules) -> Root {
        let root = Root::of(name);
        let is_lacking = match root {
            Root::Tofu => !rules.has_tofu_name,
            Root::Resource(mode) => mode == ResourceMode::Action && !rules.has_actions,
            Root::Variable
            | Root::Local
            | Root::Module
            | Root::Path
            | Root::Terraform
            | Root::Count
            | Root::Each
            | Root::Itself
            | Root::Reserved
            | Root::Type => false,
        };
        if is_lacking { Root::Type } else { root }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_declarations_are_written_like_their_attributes() {
        for namespace in Root::names(|root| !root.attributes().is_empty()).filter(|name| *name != "tofu") {
            let attributes = Root::of(namespace).attributes();
            assert!(attributes.is_sorted(), "{namespace}");
            for attribute in attributes {
                let built_in = Root::of(namespace).built_in(attribute).expect("a row of the table");
                assert_eq!(built_in.name(), format!("{namespace}.{attribute}"));
            }
        }
    }

    #[test]
    fn names_of_namespaces_are_listed_by_their_use() {
        assert_eq!(Root::visible(Root::varies), ["count", "each", "self"]);
        assert_eq!(Root::visible(Root::is_static), ["local", "path", "terraform", "var"]);
        let suggested = ["data", "each", "local", "module", "path", "self", "terraform", "var"];
        assert_eq!(Root::visible(Root::is_suggested), suggested);
    }
}
