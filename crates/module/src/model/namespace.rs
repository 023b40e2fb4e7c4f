//! Namespaces: the one list of the first names of references, and of the attributes of those without declarations.

use terrane_config::address::ResourceMode;

use crate::model::references::BuiltIn;
use crate::rules::Rules;

/// The namespace that the first name of a reference opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Namespace {
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

/// The names of namespaces: the one list of them, from which [`Namespace::of`] reads a name.
macro_rules! namespaces {
    ($($name:literal => $root:expr;)*) => {
        impl Namespace {
            /// The names of namespaces in every dialect.
            const NAMES: &[&str] = &[$($name),*];

            /// The namespace that a first name opens in a dialect that has all of them.
            pub(crate) fn of(name: &str) -> Namespace {
                match name {
                    $($name => $root,)*
                    _ => Namespace::Type,
                }
            }
        }
    };
}

namespaces! {
    "var" => Namespace::Variable;
    "local" => Namespace::Local;
    "module" => Namespace::Module;
    "data" => Namespace::Resource(ResourceMode::Data);
    "ephemeral" => Namespace::Resource(ResourceMode::Ephemeral);
    "resource" => Namespace::Resource(ResourceMode::Managed);
    "action" => Namespace::Resource(ResourceMode::Action);
    "path" => Namespace::Path;
    "terraform" => Namespace::Terraform;
    "tofu" => Namespace::Tofu;
    "each" => Namespace::Each;
    "count" => Namespace::Count;
    "self" => Namespace::Itself;
    "template" => Namespace::Reserved;
    "lazy" => Namespace::Reserved;
    "arg" => Namespace::Reserved;
}

/// The attributes of namespaces without declarations: the one list of them, from which [`Namespace::built_in`] reads a name.
macro_rules! attributes {
    ($($root:path { $($name:literal => $built_in:expr),* })*) => {
        impl Namespace {
            /// The names that may follow this one, sorted. None where those of declarations do.
            pub(crate) fn attributes(self) -> &'static [&'static str] {
                match self {
                    $($root => &[$($name),*],)*
                    Namespace::Tofu => Namespace::Terraform.attributes(),
                    Namespace::Variable | Namespace::Local | Namespace::Module | Namespace::Resource(_) | Namespace::Itself | Namespace::Reserved
                    | Namespace::Type => &[],
                }
            }

            /// The name that no block declares of an attribute.
            pub(crate) fn built_in(self, attribute: &str) -> Option<BuiltIn> {
                match self {
                    $($root => match attribute {
                        $($name => Some($built_in),)*
                        _ => None,
                    })*
                    Namespace::Tofu => Namespace::Terraform.built_in(attribute),
                    Namespace::Variable | Namespace::Local | Namespace::Module | Namespace::Resource(_) | Namespace::Itself | Namespace::Reserved
                    | Namespace::Type => None,
                }
            }
        }
    };
}

attributes! {
    Namespace::Path { "cwd" => BuiltIn::PathCwd, "module" => BuiltIn::PathModule, "root" => BuiltIn::PathRoot }
    Namespace::Terraform { "applying" => BuiltIn::Applying, "workspace" => BuiltIn::Workspace }
    Namespace::Count { "index" => BuiltIn::CountIndex }
    Namespace::Each { "key" => BuiltIn::EachKey, "value" => BuiltIn::EachValue }
}

impl Namespace {
    /// The names of the namespaces that meet a condition.
    pub(crate) fn names(is_wanted: impl Fn(Namespace) -> bool) -> impl Iterator<Item = &'static str> {
        Namespace::NAMES.iter().copied().filter(move |name| is_wanted(Namespace::of(name)))
    }

    /// These names, sorted, for [`Names::visible`](terrane_eval::Names::visible).
    pub(crate) fn visible(is_wanted: impl Fn(Namespace) -> bool) -> Vec<String> {
        let mut names: Vec<String> = Namespace::names(is_wanted).map(str::to_owned).collect();
        names.sort_unstable();
        names
    }

    /// Whether an expression reads other values of this namespace in each instance of a block.
    pub(crate) fn varies(self) -> bool {
        matches!(self, Namespace::Count | Namespace::Each | Namespace::Itself)
    }

    /// Whether the namespace has values before the evaluation.
    pub(crate) fn is_static(self) -> bool {
        matches!(self, Namespace::Variable | Namespace::Local | Namespace::Path | Namespace::Terraform)
    }

    /// Whether the name of a declaration follows this root in a reference.
    pub(crate) fn precedes_names(self) -> bool {
        match self {
            Namespace::Variable | Namespace::Local | Namespace::Module | Namespace::Resource(_) => true,
            Namespace::Path
            | Namespace::Terraform
            | Namespace::Tofu
            | Namespace::Count
            | Namespace::Each
            | Namespace::Itself
            | Namespace::Reserved
            | Namespace::Type => false,
        }
    }

    /// Whether the namespace is named where an expression reads a name that is none.
    pub(crate) fn is_suggested(self) -> bool {
        self.is_static()
            || matches!(
                self,
                Namespace::Module
                    | Namespace::Resource(ResourceMode::Data)
                    | Namespace::Each
                    | Namespace::Itself
            )
    }

    /// The namespace that a first name opens in a dialect. The names of namespaces that it lacks are types of resources.
    pub(crate) fn in_dialect(name: &str, rules: &Rules) -> Namespace {
        let root = Namespace::of(name);
        let is_lacking = match root {
            Namespace::Tofu => !rules.has_tofu_name,
            Namespace::Resource(mode) => mode == ResourceMode::Action && !rules.has_actions,
            Namespace::Variable
            | Namespace::Local
            | Namespace::Module
            | Namespace::Path
            | Namespace::Terraform
            | Namespace::Count
            | Namespace::Each
            | Namespace::Itself
            | Namespace::Reserved
            | Namespace::Type => false,
        };
        if is_lacking { Namespace::Type } else { root }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_declarations_are_written_like_their_attributes() {
        for namespace in Namespace::names(|root| !root.attributes().is_empty()).filter(|name| *name != "tofu")
        {
            let attributes = Namespace::of(namespace).attributes();
            assert!(attributes.is_sorted(), "{namespace}");
            for attribute in attributes {
                let built_in = Namespace::of(namespace).built_in(attribute).expect("a row of the table");
                assert_eq!(built_in.name(), format!("{namespace}.{attribute}"));
            }
        }
    }

    #[test]
    fn names_of_namespaces_are_listed_by_their_use() {
        assert_eq!(Namespace::visible(Namespace::varies), ["count", "each", "self"]);
        assert_eq!(Namespace::visible(Namespace::is_static), ["local", "path", "terraform", "var"]);
        let suggested = ["data", "each", "local", "module", "path", "self", "terraform", "var"];
        assert_eq!(Namespace::visible(Namespace::is_suggested), suggested);
    }
}
