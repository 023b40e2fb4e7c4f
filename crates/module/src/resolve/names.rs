//! The names that an expression of a module may use: the declarations of the module and the names of the surrounding block.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use indexmap::IndexSet;
use terrane_body::Schema;
use terrane_source::SourceFile;
use terrane_syntax::Expression;
use terrane_value::{ClosestNames, SmolStr};

use crate::model::ids::{Arena, CheckId, ResourceId};
use crate::model::module::{Module, Repetition};
use crate::model::references::{Referrer, Use, UseOrigin, Uses, Via};
use crate::model::schemas::{BlockSchema, Schemas};

/// The names that the block around an expression allows.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct BlockNames<'n> {
    /// `count.index`: the value of `count`.
    pub count: Option<&'n Expression>,
    /// `each.key` and `each.value`: the value of `for_each`.
    pub each: Option<&'n Expression>,
    /// `self`, which is this resource.
    pub this: Option<ResourceId>,
    /// The data source inside this `check` block.
    pub check: Option<CheckId>,
    /// `action.type.name`.
    pub action: bool,
    /// Whether the expression was typed on the console.
    pub console: bool,
}

impl<'n> BlockNames<'n> {
    /// Returns the names in a block with this repetition.
    pub(crate) fn of(repetition: &'n Repetition) -> BlockNames<'n> {
        match repetition {
            Repetition::Count(count) => BlockNames { count: Some(count), ..BlockNames::default() },
            Repetition::ForEach(for_each) => BlockNames { each: Some(for_each), ..BlockNames::default() },
            Repetition::Once | Repetition::Enabled(_) => BlockNames::default(),
        }
    }
}

/// The declarations of a module, against which references are checked, and the results of the checks.
#[derive(Debug)]
pub(crate) struct Declared<'m> {
    pub(crate) module: &'m Module,
    schemas: &'m Schemas,
    /// The schema of each resource that a reference has named; `None` inside if it is not known.
    found_schemas: Arena<ResourceId, OnceCell<Option<Arc<BlockSchema>>>>,
    /// The searches for the names that misspelt ones mean.
    pub(crate) closest_names: &'m ClosestNames,
    /// The providers whose functions are called, by local name.
    pub(crate) called_providers: RefCell<IndexSet<SmolStr>>,
    /// The references that lead to a declaration or a built-in name.
    uses: RefCell<Uses>,
    /// The declaration that is being resolved.
    origin: Cell<Option<UseOrigin>>,
}

impl<'m> Declared<'m> {
    /// Returns the names that `module` declares, with the schemas of its resources.
    pub(crate) fn of(
        module: &'m Module,
        schemas: &'m Schemas,
        closest_names: &'m ClosestNames,
    ) -> Declared<'m> {
        Declared {
            module,
            schemas,
            found_schemas: module.resources.iter().map(|_| OnceCell::new()).collect(),
            closest_names,
            called_providers: RefCell::default(),
            uses: RefCell::default(),
            origin: Cell::new(None),
        }
    }

    /// Sets the declaration, and its part, that contain the next uses.
    pub(crate) fn enter(&self, referrer: Referrer, via: Via) {
        self.origin.set(Some(UseOrigin { referrer, via }));
    }

    /// Whether the declaration being resolved is this resource.
    pub(crate) fn is_in(&self, resource: ResourceId) -> bool {
        self.origin.get().is_some_and(|origin| origin.referrer == Referrer::Resource(resource))
    }

    /// Returns the schema of a resource, with its block type.
    pub(crate) fn block_schema(&self, resource: ResourceId) -> Option<&BlockSchema> {
        let schema = || {
            let (key, declared) = self.module.resources.entry_of(resource);
            self.schemas.resource(self.module, key, declared).cloned()
        };
        self.found_schemas[resource].get_or_init(schema).as_deref()
    }

    /// Returns the schema of a resource.
    pub(crate) fn schema(&self, resource: ResourceId) -> Option<&Schema> {
        self.block_schema(resource).map(BlockSchema::schema)
    }

    /// Returns the declared name that a misspelt name probably means.
    pub(crate) fn closest<N: AsRef<str>>(&self, given: &str, names: impl Iterator<Item = N>) -> Option<N> {
        self.closest_names.of(given, names)
    }

    /// Records a use of a name.
    pub(crate) fn add_use(&self, file: &Arc<SourceFile>, found: Use) {
        self.uses.borrow_mut().push(file, Use { origin: self.origin.get(), ..found });
    }

    /// Records an expression, for queries about the names that it binds itself and the functions that it calls.
    pub(crate) fn add_expression(&self, expression: &Expression) {
        self.uses.borrow_mut().push_expression(expression);
    }

    /// Returns the providers whose functions are called, and all uses.
    pub(crate) fn finish(self) -> (IndexSet<SmolStr>, Uses) {
        (self.called_providers.into_inner(), self.uses.into_inner())
    }
}
