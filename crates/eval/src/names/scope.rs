//! Scopes: the names and functions that an expression may use.

use terrane_function::CallEnv;
use terrane_source::Span;
use terrane_syntax::tree::Step;
use terrane_syntax::{ExprId, Tree};
use terrane_value::{Origins, Value};

use crate::functions::table::FunctionTable;
use crate::names::instance_cache::InstanceCache;

/// The names, functions and limits of an expression, in addition to the names that it binds itself.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    /// The values of names.
    pub names: &'s dyn Names,
    /// The functions that may be called. The table also has the rules of its dialect.
    pub functions: &'s FunctionTable,
    /// The files, clock and environment that functions may use, and the limits.
    pub env: &'s CallEnv<'s>,
}

/// A name with the steps after it, as written: `var.list[0].id`.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'t> {
    /// The tree that contains `steps`.
    pub tree: &'t Tree,
    /// The first name.
    pub root: &'t str,
    /// The steps after the first name.
    pub steps: &'t [Step],
    /// The whole reference.
    pub span: Span,
    /// The expression for each element, if the reference is the collection of a splat: `.id` in `aws_subnet.a[*].id`.
    pub splat: Option<ExprId>,
}

impl Reference<'_> {
    /// Returns the span of the first name.
    pub fn root_span(&self) -> Span {
        let len = u32::try_from(self.root.len()).unwrap_or(u32::MAX);
        Span::new(self.span.start, self.span.start.saturating_add(len))
    }
}

/// The result of a look-up.
#[derive(Clone, Debug)]
pub enum Lookup {
    /// The name has a value.
    Found {
        /// The value of the name and of the first `consumed` steps.
        value: Value,
        /// The number of steps that the value includes.
        consumed: usize,
    },
    /// The name does not exist.
    Undeclared,
}

/// The functions of a provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProviderFunctions {
    /// The module does not declare the provider.
    Undeclared,
    /// The functions may be called, but their results are unknown here.
    Unknown,
    /// All functions are rows of the function table.
    Known,
    /// The functions of the provider that is built into the products.
    BuiltIn {
        /// Whether a later evaluation reports calls of functions that it lacks.
        open: bool,
    },
}

/// The values of names.
pub trait Names: Sync {
    /// Returns the value of `reference`. Not called for names that the expression binds itself.
    fn lookup(&self, reference: &Reference<'_>) -> Lookup;

    /// Returns the value of the name `root`, if it is stored as a whole. It must agree with [`Names::lookup`]. It makes
    /// expressions faster, because the value is not copied.
    fn stored(&self, root: &str) -> Option<&Value> {
        let _ = root;
        None
    }

    /// Returns reasons why the instance that `reference` selects may not exist, although [`Names::lookup`] returns a value for it: the
    /// number of instances is unknown.
    /// Only `try` and `can` distinguish the two cases and call this.
    fn unknown_instances(&self, reference: &Reference<'_>) -> Origins {
        let _ = reference;
        Origins::NONE
    }

    /// Returns the functions of the provider with this local name.
    fn provider(&self, name: &str) -> ProviderFunctions {
        let _ = name;
        ProviderFunctions::Unknown
    }

    /// Returns the cache of values that are the same in all instances of a block.
    fn instance_cache(&self) -> Option<&InstanceCache> {
        None
    }

    /// Returns the first names of all references that can be looked up, for suggestions.
    fn visible(&self) -> Vec<String>;

    /// Whether names may be used at all. If not, a diagnostic about a name says so.
    fn is_allowed(&self) -> bool {
        true
    }
}

/// Names for places where no name may be used.
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
