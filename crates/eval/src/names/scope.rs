use std::collections::BTreeMap;

use terrane_function::CallEnv;
use terrane_source::Span;
use terrane_syntax::Tree;
use terrane_syntax::tree::Step;
use terrane_value::{Origins, Value};

use crate::{FunctionTable, Shared};

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

    /// Where values are kept that other evaluations share.
    fn shared(&self) -> Option<&Shared> {
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

/// The names of plain HCL: each first name is a variable.
#[derive(Clone, Default, Debug)]
pub struct Variables {
    /// In the order of the names.
    values: Vec<(String, Value)>,
}

impl Variables {
    /// No variables.
    pub fn new() -> Variables {
        Variables::default()
    }

    /// The same variables and one more; an earlier one of the same name is replaced.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Variables {
        self.insert(name.into(), value.into());
        self
    }

    /// Adds a variable; an earlier one of the same name is replaced.
    pub fn insert(&mut self, name: String, value: Value) {
        match self.values.binary_search_by(|(known, _)| known.cmp(&name)) {
            Ok(place) => {
                if let Some((_, known)) = self.values.get_mut(place) {
                    *known = value;
                }
            }
            Err(place) => self.values.insert(place, (name, value)),
        }
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        // Looking at each of a few is quicker: most names differ in their lengths.
        const FEW: usize = 16;
        if self.values.len() <= FEW {
            return self.values.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        }
        let place = self.values.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        self.values.get(place).map(|(_, value)| value)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| &**name)
    }
}

/// Of equal names the last one counts.
impl FromIterator<(String, Value)> for Variables {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(values: I) -> Variables {
        let values: BTreeMap<String, Value> = values.into_iter().collect();
        Variables { values: values.into_iter().collect() }
    }
}

impl Extend<(String, Value)> for Variables {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, values: I) {
        *self = std::mem::take(&mut self.values).into_iter().chain(values).collect();
    }
}

impl IntoIterator for Variables {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter()
    }
}

impl Names for Variables {
    fn kept(&self, root: &str) -> Option<&Value> {
        self.get(root)
    }

    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        match self.get(reference.root) {
            Some(value) => Lookup::Found { value: value.clone(), consumed: 0 },
            None => Lookup::Undeclared,
        }
    }

    fn visible(&self) -> Vec<String> {
        self.names().map(str::to_owned).collect()
    }
}
