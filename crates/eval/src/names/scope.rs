//! Scopes: the names and functions that an expression may use.

use terrane_function::CallEnv;
use terrane_source::Span;
use terrane_syntax::Tree;
use terrane_syntax::tree::Step;
use terrane_value::{Origins, Value};

use crate::functions::table::FunctionTable;
use crate::names::instance_cache::InstanceCache;

/// Everything an expression may refer to beside its own local names.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    /// What the names stand for.
    pub names: &'s dyn Names,
    /// The functions that may be called.
    pub functions: &'s FunctionTable,
    /// What functions may see of the world, and the limits.
    pub env: &'s CallEnv<'s>,
    /// The few rules that differ between editions of the language.
    pub semantics: Semantics,
}

/// The few rules of evaluation that differ between editions of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Semantics {
    /// Whether one operand of `&&` or `||` may decide the result and hide errors of the other one.
    pub short_circuit: bool,
    /// Whether a key in brackets that an object of a known type does not have is an error though its value is not known.
    pub checks_unknown_objects: bool,
}

/// The newest edition: OpenTofu 1.12, Terraform 1.12.
impl Default for Semantics {
    fn default() -> Semantics {
        Semantics { short_circuit: true, checks_unknown_objects: true }
    }
}

/// A name with the steps behind it, as written: `var.list[0].id`.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'t> {
    /// The tree in which `steps` live.
    pub tree: &'t Tree,
    /// The first name.
    pub root: &'t str,
    /// The steps behind the first name.
    pub steps: &'t [Step],
    /// The bytes of the whole.
    pub span: Span,
}

impl Reference<'_> {
    /// The bytes of the first name.
    pub fn root_span(&self) -> Span {
        let len = u32::try_from(self.root.len()).unwrap_or(u32::MAX);
        Span::new(self.span.start, self.span.start.saturating_add(len))
    }
}

/// What a reference stands for.
#[derive(Clone, Debug)]
pub enum Lookup {
    /// A value.
    Found {
        /// The value of the name and of the first `consumed` steps.
        value: Value,
        /// How many of the steps are already taken.
        consumed: usize,
    },
    /// There is no such name.
    Undeclared,
}

/// What is known of the functions of a provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProviderFunctions {
    /// There is no such provider here.
    Absent,
    /// They may be called, but what they give is not known here.
    Unknown,
    /// They are those of the provider that is built into the products.
    BuiltIn {
        /// Whether a call of one that it does not have is left to a later evaluation.
        open: bool,
    },
}

/// Gives names their values.
pub trait Names: Sync {
    /// What `reference` stands for. Names bound in the expression itself are not asked for.
    fn lookup(&self, reference: &Reference<'_>) -> Lookup;

    /// The value of the name `root`, where it is kept as a whole: [`Names::lookup`] finds the same for a reference that begins
    /// with it. Expressions are evaluated sooner where it need not be copied.
    fn kept(&self, root: &str) -> Option<&Value> {
        let _ = root;
        None
    }

    /// Why what `reference` stands for may not exist at all, although [`Names::lookup`] gives the value that it then
    /// has. Only `try` and `can`, which tell the two cases apart, ask for it.
    fn doubt(&self, reference: &Reference<'_>) -> Origins {
        let _ = reference;
        Origins::NONE
    }

    /// What is known of the functions of the provider with this local name.
    fn provider(&self, name: &str) -> ProviderFunctions {
        let _ = name;
        ProviderFunctions::Unknown
    }

    /// The cache of values that are the same in all instances of a block.
    fn instance_cache(&self) -> Option<&InstanceCache> {
        None
    }

    /// The first names that can be looked up, for suggestions.
    fn visible(&self) -> Vec<String>;

    /// Whether there may be names here; where not, a message about a name says so.
    fn is_allowed(&self) -> bool {
        true
    }
}

/// No names, where there may not be any.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoNames;

impl Names for NoNames {
    fn lookup(&self, _reference: &Reference<'_>) -> Lookup {
        Lookup::Undeclared
    }

    fn visible(&self) -> Vec<String> {
        Vec::new()
    }

    fn is_allowed(&self) -> bool {
        false
    }
}
