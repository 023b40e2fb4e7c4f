//! Evaluates expressions with the names of a place in one instance of its module and its block.

use std::collections::HashMap;
use std::iter;
use std::sync::Arc;

use terrane_body::{Schema, SchemaPart};
use terrane_config::address::Object;
use terrane_config::{Address, InstanceKey, ModulePath};
use terrane_eval::Batch;
use terrane_function::Meter;
use terrane_source::{Diagnostics, FileId, Files, SourceFile, Span};
use terrane_syntax::{Expression, parse_expr};
use terrane_value::{ClosestNames, Number, SmolStr, Type, Value, ValueKind};

use crate::decode::schema::ArgumentKind;
use crate::expansion::{Expansion, RepetitionData};
use crate::model::ids::{CallId, InstanceId, ResourceId};
use crate::model::module::{Module, Repetition};
use crate::model::references::BuiltIn;
use crate::place::owner::{EnclosingBlock, PlaceInBlock};
use crate::place::syntax::LoopNames;
use crate::resolve::names::{BlockNames, Declared};
use crate::resolve::reference::check_in_block;
use crate::resolve::root::references;
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::repetition::{self, Repeated};
use crate::state::scope::ModuleScope;

/// Returns the scopes of the place at `span` of a file: one for each instance of the module of the file and, in a
/// block with `count` or `for_each`, for each instance of the block. If the block has no instance, or its
/// instances are unknown, there is one scope in which `count` and `each` are unknown. Returns no scope if no
/// module contains the file.
pub fn scopes_at<'e>(
    evaluation: &'e Evaluation,
    file: FileId,
    span: Span,
    files: &'e dyn Files,
) -> impl Iterator<Item = PlaceScope<'e>> {
    let nodes = evaluation.config.nodes().filter_map(move |(node, tree_node)| {
        let mut sources = tree_node.module.sources.iter();
        Some((node, sources.find(|source| *source.id() == file)?))
    });
    // Two calls may read the same directory differently, and then the place may be a different one.
    let mut found: Option<(&Module, Arc<PlaceInBlock>)> = None;
    nodes.flat_map(move |(node, source)| {
        let module = &*evaluation.config.node(node).module;
        let place = match &found {
            Some((of, place)) if std::ptr::eq(*of, module) => Arc::clone(place),
            _ => Arc::new(PlaceInBlock::of(module, source, span)),
        };
        found = Some((module, Arc::clone(&place)));
        evaluation.by_node[node].iter().flat_map(move |instance| {
            InstancesOfBlock::of(evaluation, &place, *instance, files).into_scopes()
        })
    })
}

/// The block that contains an expression, and whose instance the scope is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScopeBlock {
    /// A block without `count` and `each`, such as a local value or an output.
    Single,
    /// A resource.
    Resource(ResourceId),
    /// A module call.
    Call(CallId),
}

/// Names the scopes of a block in one module instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ScopeKey {
    instance: InstanceId,
    block: ScopeBlock,
}

/// Returns scopes of the expressions of blocks, with `count` and `each`. The instances of a block are computed once.
pub struct BlockScopes<'e> {
    evaluation: &'e Evaluation,
    files: &'e dyn Files,
    found: HashMap<ScopeKey, InstancesOfBlock<'e>>,
    /// The number of instances in `found`.
    kept: usize,
}

impl<'e> BlockScopes<'e> {
    /// Limit on the instances that are kept in `found`.
    const MAX_KEPT: usize = 1 << 20;

    /// Returns an empty cache for the scopes of an evaluation.
    pub fn new(evaluation: &'e Evaluation, files: &'e dyn Files) -> BlockScopes<'e> {
        BlockScopes { evaluation, files, found: HashMap::new(), kept: 0 }
    }

    /// Returns the scope of one instance of a block. If its instances are unknown, `count` and `each` are unknown.
    /// `None` if the block has no instance with the key.
    pub fn scope(
        &mut self,
        instance: InstanceId,
        block: ScopeBlock,
        key: &InstanceKey,
    ) -> Option<PlaceScope<'e>> {
        if let Some(place) = self.found.get(&ScopeKey { instance, block }) {
            return place.scope(key);
        }
        let owner = match block {
            ScopeBlock::Single => EnclosingBlock::None,
            ScopeBlock::Resource(id) => EnclosingBlock::Resource { id, is_repeated: true, has_self: false },
            ScopeBlock::Call(id) => EnclosingBlock::Call { id, is_repeated: true },
        };
        let place = Arc::new(PlaceInBlock {
            owner,
            loops: Vec::new(),
            path: Vec::new(),
            is_encryption: false,
            argument: ArgumentKind::Value,
            expression: None,
        });
        let found = InstancesOfBlock::of(self.evaluation, &place, instance, self.files);
        let scope = found.scope(key);
        self.kept += found.all.as_ref().map_or(1, Expansion::len);
        if self.kept > BlockScopes::MAX_KEPT {
            self.found.clear();
            self.kept = found.all.as_ref().map_or(1, Expansion::len);
        }
        self.found.insert(ScopeKey { instance, block }, found);
        scope
    }
}

/// The instances of the block that contains a place, in an instance of its module.
struct InstancesOfBlock<'e> {
    /// The scope without `count` and `each`. If the block has no instance, or its instances are
    /// unknown, they are unknown in it.
    base: PlaceScope<'e>,
    /// The known instances, if there are any.
    all: Option<Expansion<RepetitionData>>,
}

impl<'e> InstancesOfBlock<'e> {
    fn of(
        evaluation: &'e Evaluation,
        place: &Arc<PlaceInBlock>,
        instance: InstanceId,
        files: &'e dyn Files,
    ) -> InstancesOfBlock<'e> {
        let base = PlaceScope {
            evaluation,
            elements: vec![None; place.loops.len()],
            place: Arc::clone(place),
            instance,
            key: InstanceKey::None,
            repetition: RepetitionData::default(),
            has_instance: true,
            meter: None,
        };
        let Some((of, repetition)) = place.owner.repetition(base.module()) else {
            return InstancesOfBlock { base, all: None };
        };
        let (meter, mut found) = (Meter::default(), Diagnostics::new());
        let mut context = Context { evaluation, files, meter: &meter, diagnostics: &mut found };
        let names = evaluation.scope(instance);
        let expansion = repetition::expand(&mut context, &names, of, repetition);
        if !expansion.is_empty() {
            return InstancesOfBlock { base, all: Some(expansion) };
        }
        let has_instance = expansion.unknown().is_some();
        let origins = expansion.unknown().cloned().unwrap_or_default();
        let repetition = RepetitionData::unknown(repetition, &origins);
        InstancesOfBlock { base: PlaceScope { repetition, has_instance, ..base }, all: None }
    }

    /// Returns the scope of the instance with a key. If no instances are known, it is the scope with
    /// unknown `count` and `each`.
    fn scope(&self, key: &InstanceKey) -> Option<PlaceScope<'e>> {
        let Some(all) = &self.all else { return Some(self.base.clone()) };
        let repetition = all.get(key)?.clone();
        Some(PlaceScope { key: key.clone(), repetition, ..self.base.clone() })
    }

    fn into_scopes(self) -> Box<dyn Iterator<Item = PlaceScope<'e>> + 'e> {
        let InstancesOfBlock { base, all } = self;
        let Some(all) = all else { return Box::new(iter::once(base)) };
        let all: Vec<(InstanceKey, RepetitionData)> =
            all.iter().map(|(key, data)| (key, data.clone())).collect();
        Box::new(all.into_iter().map(move |(key, repetition)| PlaceScope { key, repetition, ..base.clone() }))
    }
}

impl EnclosingBlock {
    /// Returns the block whose `count` or `for_each` defines `count` or `each` at the place, and that argument.
    fn repetition<'m>(&'m self, module: &'m Module) -> Option<(Repeated, &'m Repetition)> {
        let (of, repetition) = match self {
            EnclosingBlock::Resource { id, is_repeated: true, .. } => {
                (Repeated::Resource, &module.resources.at(*id).repetition)
            }
            EnclosingBlock::Call { id, is_repeated: true } => {
                (Repeated::Module, &module.calls.at(*id).repetition)
            }
            EnclosingBlock::ForEach(_, repetition) => (Repeated::Resource, repetition),
            EnclosingBlock::Resource { .. }
            | EnclosingBlock::Call { .. }
            | EnclosingBlock::Object(_)
            | EnclosingBlock::None => return None,
        };
        matches!(repetition, Repetition::Count(_) | Repetition::ForEach(_)).then_some((of, repetition))
    }
}

/// The names of a place in a file, in one instance of its module and of its block.
///
/// Expressions have the names of the module instance, `count` and `each` of the block's instance, `self` in provisioners,
/// connections and postconditions of a resource, and the names of the loops around the place: `for` expressions and `dynamic`
/// blocks. A name of a loop is unknown, because it stands for any element, unless the collection has a single element or
/// [`PlaceScope::at_element`] chooses one.
#[derive(Clone)]
pub struct PlaceScope<'e> {
    evaluation: &'e Evaluation,
    place: Arc<PlaceInBlock>,
    instance: InstanceId,
    key: InstanceKey,
    repetition: RepetitionData,
    /// Whether the block that contains the place has an instance, or may have one.
    has_instance: bool,
    /// The selected element of each loop, outermost first.
    elements: Vec<Option<usize>>,
    /// The meter for several evaluations together. Without one, each evaluation is a run of its own.
    meter: Option<Arc<Meter>>,
}

/// A loop that contains a place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loop {
    /// The names that the loop binds, with their values.
    pub names: Vec<(SmolStr, Value)>,
    /// The collection that the loop goes through.
    pub collection: Value,
    /// The number of elements, if it is known.
    pub count: Option<usize>,
    /// The expression of the collection.
    pub expression: Expression,
    /// The position of the element that the names stand for; `None` if they stand for any element.
    pub element: Option<usize>,
    /// The value of the condition of a `for`; `None` if it has no condition, or if the place is in the condition.
    pub condition: Option<Value>,
    /// Whether the loop is a `dynamic` block, whose name is an object with `key` and `value`.
    pub is_dynamic: bool,
}

impl<'e> PlaceScope<'e> {
    /// Returns the module of the place.
    pub fn module(&self) -> &'e Module {
        self.evaluation.scope(self.instance).module()
    }

    /// Returns the path of the module instance.
    pub fn module_path(&self) -> &'e ModulePath {
        &self.evaluation.instances[self.instance].path
    }

    /// Returns the address of the object that contains the place; for a resource or module call, the
    /// address of its instance.
    pub fn address(&self) -> Option<Address> {
        let object = self.place.owner.object(self.module(), &self.key)?;
        Some(self.evaluation.address(self.instance, object))
    }

    /// Returns the names that lead from the block of the object to the place: of nested blocks and of the argument,
    /// and the keys in its value.
    pub fn path(&self) -> &[SmolStr] {
        &self.place.path
    }

    /// Whether the argument that contains the place is a secret: the schema of the resource or provider declares it
    /// sensitive or write-only, or it configures OpenTofu's encryption.
    pub fn is_declared_secret(&self) -> bool {
        let path = self.place.path.iter().map(SmolStr::as_str);
        let part = self.schema().and_then(|schema| schema.part_at(path));
        self.place.is_encryption
            || matches!(part, Some(SchemaPart::Attribute(attribute)) if attribute.is_secret())
    }

    /// Whether the argument that contains the place has a value. `depends_on` and similar arguments have
    /// references or keywords instead.
    pub fn has_value(&self) -> bool {
        self.place.argument == ArgumentKind::Value
    }

    /// Whether the argument that contains the place is a list of references to objects: `depends_on`
    /// or `replace_triggered_by`.
    pub fn lists_objects(&self) -> bool {
        self.place.argument == ArgumentKind::Objects
    }

    /// Whether the block that contains the place has an instance, or may have one. Without an instance,
    /// `count` and `each` are unknown.
    pub fn has_instance(&self) -> bool {
        self.has_instance
    }

    fn schema(&self) -> Option<&'e Schema> {
        let (module, schemas) = (self.module(), &self.evaluation.config.request.schemas);
        let block = match &self.place.owner {
            EnclosingBlock::Resource { id, .. } => {
                let (key, resource) = module.resources.entry_of(*id);
                &**schemas.resource(module, key, resource)?
            }
            EnclosingBlock::ForEach(Some(Object::Provider(key)), _)
            | EnclosingBlock::Object(Object::Provider(key)) => {
                let local = key.split('.').next().unwrap_or(key);
                schemas.provider(&module.provider_address(local))?.configuration()?
            }
            EnclosingBlock::ForEach(..)
            | EnclosingBlock::Object(_)
            | EnclosingBlock::Call { .. }
            | EnclosingBlock::None => {
                return None;
            }
        };
        Some(block.schema())
    }

    /// Returns the smallest expression with a value that contains the place.
    pub fn expression(&self) -> Option<&Expression> {
        self.place.expression.as_ref()
    }

    /// Returns the value of [`PlaceScope::expression`]. Errors go to `diagnostics`.
    pub fn value(&self, files: &dyn Files, diagnostics: &mut Diagnostics) -> Option<Value> {
        self.expression().map(|expression| self.evaluate(expression, files, diagnostics))
    }

    /// Returns the value of an expression that was typed, with the names of the place. Errors go to `diagnostics`.
    pub fn evaluate_text(&self, text: &str, files: &dyn Files, diagnostics: &mut Diagnostics) -> Value {
        let parsed = parse_expr(&SourceFile::new(FileId::new("<expression>"), text));
        let before = diagnostics.errors();
        diagnostics.extend(parsed.diagnostics);
        match diagnostics.errors() == before {
            true => {
                let expression = Expression { tree: parsed.tree, id: parsed.root };
                self.evaluate(&expression, files, diagnostics)
            }
            false => Value::error(),
        }
    }

    /// Returns the value of an expression with the names of the place. Errors go to `diagnostics`; wrong references
    /// come first, and prevent the evaluation.
    pub fn evaluate(
        &self,
        expression: &Expression,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let bound: Vec<&SmolStr> = self.place.loops.iter().flat_map(|bound| bound.names.all()).collect();
        let is_bound = |name: &str| bound.iter().any(|bound| *bound == name);
        let free: Vec<_> = references(expression, self.module())
            .into_iter()
            .filter(|reference| !is_bound(reference.root))
            .collect();
        let mut found = Diagnostics::new();
        let schemas = &self.evaluation.config.request.schemas;
        let closest_names = ClosestNames::default();
        let declared = Declared::of(self.module(), schemas, &closest_names);
        check_in_block(expression, &free, &declared, self.block_names(), &mut found);
        if found.has_errors() {
            diagnostics.extend(found);
            return Value::error();
        }
        let (value, found) = self.in_batch(files, |batch| {
            let names = self.bound_names(batch);
            let bindings: Vec<(&str, &Value)> = names.iter().map(|(name, value)| (&**name, value)).collect();
            batch.evaluate(expression, expression.id, &bindings)
        });
        diagnostics.extend(found);
        value
    }

    /// Returns the value of a part of an expression of the place. `bindings` are the names of the loops around the
    /// part, outermost first. Errors go to `diagnostics`, without suggestions.
    pub fn evaluate_part(
        &self,
        expression: &Expression,
        bindings: &[(&str, &Value)],
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let (value, found) = self.in_batch(files, |batch| {
            batch.omit_suggestions();
            batch.evaluate(expression, expression.id, bindings)
        });
        diagnostics.extend(found);
        value
    }

    /// Returns the names that only this place has, with their values: `count.index`, `each.key`, `each.value`, `self`,
    /// and the names of the loops, outermost first.
    pub fn names(&self, files: &dyn Files) -> Vec<(SmolStr, Value)> {
        let RepetitionData { count_index, each } = &self.repetition;
        let mut names: Vec<(SmolStr, Value)> = Vec::new();
        names.extend(count_index.clone().map(|index| (BuiltIn::CountIndex.name().into(), index)));
        if let Some((key, value)) = each.as_deref().cloned() {
            names.extend([(BuiltIn::EachKey.name().into(), key), (BuiltIn::EachValue.name().into(), value)]);
        }
        names.extend(self.this().map(|this| (BuiltIn::Itself.name().into(), this)));
        names.extend(self.in_batch(files, |batch| self.bound_names(batch)));
        names
    }

    /// Returns the loops around the place, outermost first.
    pub fn loops(&self, files: &dyn Files) -> Vec<Loop> {
        self.in_batch(files, |batch| self.loops_in(batch))
    }

    /// Returns this scope at an element of a loop. `of_loop` and `element` are positions. An element that
    /// does not exist is unknown.
    #[must_use]
    pub fn at_element(mut self, of_loop: usize, element: usize) -> PlaceScope<'e> {
        if let Some(chosen) = self.elements.get_mut(of_loop) {
            *chosen = Some(element);
        }
        self
    }

    /// Returns this scope with evaluations that count as parts of one run.
    #[must_use]
    pub fn metered(self, meter: Arc<Meter>) -> PlaceScope<'e> {
        PlaceScope { meter: Some(meter), ..self }
    }

    /// Calls `evaluate` with the scope of the place, without the names of loops.
    fn in_batch<T>(&self, files: &dyn Files, evaluate: impl FnOnce(&mut Batch<'_>) -> T) -> T {
        let own = Meter::default();
        let env = self.evaluation.env(files, self.meter.as_deref().unwrap_or(&own));
        let this = self.this();
        let names = ModuleScope {
            repetition: Some(&self.repetition),
            this: this.as_ref(),
            ..self.evaluation.scope(self.instance)
        };
        evaluate(&mut Batch::new(&self.evaluation.expression_scope(&names, &env)))
    }

    fn bound_names(&self, batch: &mut Batch<'_>) -> Vec<(SmolStr, Value)> {
        self.loops_in(batch).into_iter().flat_map(|found| found.names).collect()
    }

    fn loops_in(&self, batch: &mut Batch<'_>) -> Vec<Loop> {
        let mut loops: Vec<Loop> = Vec::new();
        for (bound, chosen) in self.place.loops.iter().zip(&self.elements) {
            let outer: Vec<(&str, &Value)> =
                loops.iter().flat_map(|found| &found.names).map(|(name, value)| (&**name, value)).collect();
            // Errors in the collection are about another place.
            let (collection, _) = batch.evaluate(&bound.collection, bound.collection.id, &outer);
            let count = count(&collection);
            let chosen = chosen.or_else(|| (count == Some(1)).then_some(0));
            let found = chosen.and_then(|chosen| element(&collection, chosen));
            let chosen = chosen.filter(|_| found.is_some());
            let (key, value) = found.unwrap_or_else(|| (any_of(&collection), any_of(&collection)));
            let names = bound.names.bind(key, value);
            let condition = bound.condition.as_ref().map(|condition| {
                let inner = names.iter().map(|(name, value)| (&**name, value));
                let inner: Vec<(&str, &Value)> = outer.iter().copied().chain(inner).collect();
                batch.evaluate(condition, condition.id, &inner).0
            });
            let is_dynamic = matches!(bound.names, LoopNames::Iterator(_));
            let expression = bound.collection.clone();
            loops.push(Loop { names, collection, count, expression, element: chosen, condition, is_dynamic });
        }
        loops
    }

    /// Returns the value of `self`.
    fn this(&self) -> Option<Value> {
        let EnclosingBlock::Resource { id, has_self: true, .. } = self.place.owner else { return None };
        let instances = &*self.evaluation.instances[self.instance].resources[id].expansion;
        let any = || Value::unknown_from(Type::Dynamic, instances.unknown().cloned().unwrap_or_default());
        let found = match instances {
            Expansion::Unknown { any, .. } => any.as_ref(),
            known
            @ (Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Absent) => {
                known.get(&self.key)
            }
        };
        Some(found.map_or_else(any, |one| one.value(&self.key).into_owned()))
    }

    fn block_names(&self) -> BlockNames<'_> {
        let module = self.module();
        let repetition = self.place.owner.repetition(module);
        let block = repetition.map_or_else(BlockNames::default, |(_, repetition)| BlockNames::of(repetition));
        match self.place.owner {
            EnclosingBlock::Resource { id, has_self: true, .. } => BlockNames { this: Some(id), ..block },
            EnclosingBlock::Resource { .. }
            | EnclosingBlock::Call { .. }
            | EnclosingBlock::ForEach(..)
            | EnclosingBlock::Object(_)
            | EnclosingBlock::None => block,
        }
    }
}

impl LoopNames {
    fn all(&self) -> impl Iterator<Item = &SmolStr> {
        let (first, last) = match self {
            LoopNames::For { key, value } => (key.as_ref(), value),
            LoopNames::Iterator(name) => (None, name),
        };
        first.into_iter().chain([last])
    }

    fn bind(&self, key_of_element: Value, element: Value) -> Vec<(SmolStr, Value)> {
        match self {
            LoopNames::For { key, value } => {
                let key = key.clone().map(|name| (name, key_of_element));
                key.into_iter().chain([(value.clone(), element)]).collect()
            }
            LoopNames::Iterator(name) => {
                let object = Value::object([("key".into(), key_of_element), ("value".into(), element)]);
                vec![(name.clone(), object)]
            }
        }
    }
}

/// Returns the number of elements of a collection; `None` if it is unknown, or if the value is no collection.
pub fn count(collection: &Value) -> Option<usize> {
    match collection.unmarked().kind() {
        ValueKind::List(elements) | ValueKind::Tuple(elements) | ValueKind::Set(elements) => {
            Some(elements.len())
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => Some(entries.len()),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => None,
    }
}

/// Returns the key and the value of an element, with the marks of the collection.
pub fn element(collection: &Value, position: usize) -> Option<(Value, Value)> {
    let marks = collection.marks();
    let (key, value) = match collection.unmarked().kind() {
        ValueKind::List(elements) | ValueKind::Tuple(elements) => {
            let index = i64::try_from(position).ok()?;
            (Value::number(Number::counted(index)), elements.get(position)?.clone())
        }
        ValueKind::Set(elements) => {
            let element = elements.get(position)?;
            (element.clone(), element.clone())
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            let (key, value) = entries.iter().nth(position)?;
            (Value::string(key.clone()), value.clone())
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => return None,
    };
    Some((key.with_marks(marks), value.with_marks(marks)))
}

/// Returns an unknown value that stands for any element of a collection, or for its key.
fn any_of(collection: &Value) -> Value {
    Value::unknown_from(Type::Dynamic, collection.origins().clone()).with_marks(collection.marks())
}
