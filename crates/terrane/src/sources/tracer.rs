//! Finds the sources outside of the configuration that the values of outputs, local values, variables and arguments depend on.
//!
//! The search starts at attributes of resources and outputs of calls that have a source. A value depends on everything that has
//! a [part](Decisions::has_part) in the value of its expression, also through other values, arguments of calls and configured
//! attributes. An expression that reads a whole resource depends on all attributes of the resource.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use terrane_config::Address;
use terrane_config::address::Object;
use terrane_module::model::ids::{ArgumentId, LocalId, OutputId, VariableId};
use terrane_module::model::references::{Referrer, Target, Use, Via};
use terrane_module::module::{Repetition, ResourceKey};
use terrane_module::{CallId, Called, Evaluation, InstanceId, Module, NodeId, ResourceId, ResourceInModule};
use terrane_source::{Span, sorted_map};
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use super::body_index::BodyIndex;
use super::found_use::FoundUse;
use super::reading::{Reading, names_of, part_at, reading};
use crate::decisive::{Decisions, NamePlace};
use crate::entry::{Entry, SourcesByName};
use crate::named_values::{NamedValues, Row};
use crate::own_sources::{BlockOfInstance, OwnSources, RepeatedBlock};
use crate::part_source::{PartSource, SourceKind, with_names};
use crate::report::Report;

/// A value in a module instance.
#[derive(Clone, PartialEq, Eq, Hash)]
enum TracedPart {
    Variable(InstanceId, VariableId),
    /// A part of a local value, by a path of names. An empty path stands for the whole value.
    Local {
        instance: InstanceId,
        id: LocalId,
        path: Vec<SmolStr>,
    },
    Output(InstanceId, OutputId),
    /// A part of the instances of a resource, by a path of names. An empty path stands for the whole instances.
    Attribute {
        instance: InstanceId,
        id: ResourceId,
        path: Vec<SmolStr>,
    },
    /// A part of the outputs of the instances of a call, by a path of names. An empty path stands for all outputs.
    CallOutput {
        instance: InstanceId,
        id: CallId,
        path: Vec<SmolStr>,
    },
    /// An argument of a call.
    Argument {
        instance: InstanceId,
        call: CallId,
        argument: ArgumentId,
    },
    /// The instances of a resource or call, which `count`, `for_each` or `enabled` decides.
    Instances(InstanceId, Referrer),
}

impl Report {
    /// Returns every named value of every module instance: outputs, locals, variables, module calls, resources, actions.
    pub fn entries(&self) -> Vec<Entry> {
        self.named_values().to_vec()
    }

    /// Returns the same values as [`Report::entries`], without an entry in memory for each instance of a resource.
    pub(crate) fn named_values(&self) -> &NamedValues {
        self.named_values.get_or_init(|| {
            let mut rows = Vec::new();
            self.evaluation().instances().iter().for_each(|instance| self.add_rows(instance, &mut rows));
            let own_sources = note_sources(self.evaluation(), &mut rows);
            NamedValues::new(rows, own_sources)
        })
    }
}

/// Records the kinds of source that outputs, local values, variables and arguments depend on. Returns the sources of values of
/// resources and calls.
fn note_sources(evaluation: &Evaluation, rows: &mut [Row]) -> Arc<OwnSources> {
    if !rows.iter().any(Row::has_sources) {
        return Arc::default();
    }
    let mut tracer = SourceTracer::new(evaluation);
    for row in rows.iter() {
        // Usually nearly all instances have the same sources.
        let mut last: &[PartSource] = &[];
        for (_, sources) in row.sources().filter(|(_, sources)| !sources.is_empty()) {
            if !PartSource::are_same(last, sources) {
                tracer.add_sources(&row.entry.address, sources);
                last = sources;
            }
        }
    }
    for Row { entry, .. } in rows.iter_mut().filter(|row| !row.entry.value.is_wholly_unknown()) {
        let Some(instance) = evaluation.instance_at(&entry.address.module) else { continue };
        entry.follows_from = tracer.value(instance, &entry.address.object);
    }
    let entries = rows.iter_mut().map(|row| &mut row.entry);
    for entry in entries.filter(|entry| entry.address.object.key().is_some()) {
        let Some(instance) = evaluation.instance_at(&entry.address.module) else { continue };
        entry.arguments_follow_from = tracer.arguments(instance, &entry.address.object);
        entry.instances_follow_from = tracer.instances_of(instance, &entry.address.object);
    }
    tracer.own_sources
}

/// Returns the sources of a part itself, without the sources of the parts that it reads.
fn own_sources<'b>(
    own_sources: &'b OwnSources,
    part: &'b TracedPart,
) -> impl Iterator<Item = SourceKind> + use<'b> {
    let of_block = |instance, block| own_sources.of(BlockOfInstance { instance, block });
    let (sources, path) = match part {
        TracedPart::Attribute { instance, id, path } => {
            (of_block(*instance, RepeatedBlock::Resource(*id)), path.as_slice())
        }
        TracedPart::CallOutput { instance, id, path } => {
            (of_block(*instance, RepeatedBlock::Call(*id)), path.as_slice())
        }
        TracedPart::Variable(..)
        | TracedPart::Local { .. }
        | TracedPart::Output(..)
        | TracedPart::Argument { .. }
        | TracedPart::Instances(..) => (None, &[][..]),
    };
    sources.into_iter().flat_map(move |sources| sources.of(path))
}

/// Finds the sources of values.
pub(crate) struct SourceTracer<'e> {
    evaluation: &'e Evaluation,
    own_sources: Arc<OwnSources>,
    modules: HashMap<NodeId, ModuleUses<'e>>,
    decisions: Decisions<'e>,
    written: HashMap<ResourceInModule, Arc<BodyIndex>>,
    found: HashMap<TracedPart, BTreeSet<SourceKind>>,
    /// The sources of the arguments of resources and calls, without instance keys.
    of_blocks: HashMap<BlockOfInstance, Option<Arc<SourcesByName>>>,
}

/// The names in the expressions of a module, by the declaration that contains them.
type ModuleUses<'e> = HashMap<Referrer, Vec<FoundUse<'e>>>;

/// A part that another part reads.
#[derive(Clone)]
struct PartRead<'e> {
    part: TracedPart,
    name: Option<ReadName<'e>>,
}

/// A name in a declaration, by which a part is read.
#[derive(Clone)]
struct ReadName<'e> {
    instance: InstanceId,
    referrer: Referrer,
    place: FoundUse<'e>,
}

impl PartRead<'_> {
    /// Returns a part that is read without a name in an expression.
    fn of(part: TracedPart) -> Self {
        PartRead { part, name: None }
    }
}

/// A step of a walk over parts.
enum WalkStep<'e> {
    Enter(TracedPart),
    /// Everything that a part reads has been visited.
    Leave(TracedPart, Vec<PartRead<'e>>),
}

impl<'e> SourceTracer<'e> {
    /// Returns a tracer without sources.
    pub(crate) fn new(evaluation: &'e Evaluation) -> SourceTracer<'e> {
        SourceTracer {
            evaluation,
            own_sources: Arc::default(),
            modules: HashMap::new(),
            decisions: Decisions::new(evaluation),
            written: HashMap::new(),
            found: HashMap::new(),
            of_blocks: HashMap::new(),
        }
    }

    /// Adds the sources of a resource or a call.
    pub(crate) fn add_sources(&mut self, address: &Address, sources: &[PartSource]) {
        let Some(instance) = self.evaluation.instance_at(&address.module) else { return };
        let parts = sources.iter().map(|part| (names_of(&with_names(&part.path)), part.kind));
        let Some(block) = self.block(instance, &address.object) else { return };
        Arc::make_mut(&mut self.own_sources).add(BlockOfInstance { instance, block }, parts);
    }

    /// Returns the block of a resource or call. `None` for other objects.
    fn block(&self, instance: InstanceId, object: &Object) -> Option<RepeatedBlock> {
        let module = self.module(instance);
        match object {
            Object::Resource { mode, resource_type, name, .. } => {
                let (mode, resource_type, name) = (*mode, resource_type.clone(), name.clone());
                module
                    .resources
                    .id_of(&ResourceKey { mode, resource_type, name })
                    .map(RepeatedBlock::Resource)
            }
            Object::ModuleCall(name, _) => module.calls.id_of(name).map(RepeatedBlock::Call),
            Object::Variable(_)
            | Object::Local(_)
            | Object::Output(_)
            | Object::Check(_)
            | Object::Source(..)
            | Object::Build(_)
            | Object::Provider(_)
            | Object::Import(_) => None,
        }
    }

    /// Returns the kinds of source that `count`, `for_each` or `enabled` of a resource or call depends on.
    pub(crate) fn instances_of(&mut self, instance: InstanceId, object: &Object) -> Vec<SourceKind> {
        let referrer = match self.block(instance, object) {
            Some(RepeatedBlock::Resource(id)) => Referrer::Resource(id),
            Some(RepeatedBlock::Call(id)) => Referrer::Call(id),
            None => return Vec::new(),
        };
        self.kinds(&TracedPart::Instances(instance, referrer))
    }

    /// Returns the kinds of source that an output, local value or variable depends on.
    pub(crate) fn value(&mut self, instance: InstanceId, object: &Object) -> Vec<SourceKind> {
        let module = self.module(instance);
        let part = match object {
            Object::Output(name) => module.outputs.id_of(name).map(|id| TracedPart::Output(instance, id)),
            Object::Local(name) => {
                module.locals.id_of(name).map(|id| TracedPart::Local { instance, id, path: Vec::new() })
            }
            Object::Variable(name) => {
                module.variables.id_of(name).map(|id| TracedPart::Variable(instance, id))
            }
            Object::Check(_)
            | Object::ModuleCall(..)
            | Object::Resource { .. }
            | Object::Source(..)
            | Object::Build(_)
            | Object::Provider(_)
            | Object::Import(_) => None,
        };
        part.map(|part| self.kinds(&part)).unwrap_or_default()
    }

    /// Returns the kinds of source that a part depends on.
    fn kinds(&mut self, part: &TracedPart) -> Vec<SourceKind> {
        // Only an erroneous configuration leads back to a part that was entered.
        let mut entered = HashSet::new();
        let mut left = vec![WalkStep::Enter(part.clone())];
        while let Some(step) = left.pop() {
            match step {
                WalkStep::Enter(part) if self.found.contains_key(&part) || !entered.insert(part.clone()) => {}
                WalkStep::Enter(part) => {
                    let read = self.read_by(&part);
                    left.push(WalkStep::Leave(part, read.clone()));
                    left.extend(read.into_iter().map(|read| WalkStep::Enter(read.part)));
                }
                WalkStep::Leave(part, read) => {
                    let own = own_sources(&self.own_sources, &part).collect();
                    let kinds = self.with_read(own, &read);
                    self.found.insert(part, kinds);
                }
            }
        }
        self.found.get(part).into_iter().flatten().copied().collect()
    }

    /// Returns `kinds` together with the kinds of the parts in `read` that have a part in the value.
    fn with_read(&mut self, mut kinds: BTreeSet<SourceKind>, read: &[PartRead<'e>]) -> BTreeSet<SourceKind> {
        for read in read {
            let inherited = self.found.get(&read.part).filter(|found| !kinds.is_superset(found));
            let Some(inherited) = inherited.cloned() else { continue };
            if self.has_part(read) {
                kinds.extend(inherited);
            }
        }
        kinds
    }

    /// Returns the kinds of source that the expressions of an argument or block depend on, without the sources of parts inside
    /// of it.
    fn argument_kinds(&mut self, part: &TracedPart) -> Vec<SourceKind> {
        self.kinds(part);
        let read = self.read_by(part);
        self.with_read(BTreeSet::new(), &read).into_iter().collect()
    }

    fn module(&self, instance: InstanceId) -> &'e Module {
        let node = self.evaluation.instances()[instance].node;
        &self.evaluation.config.node(node).module
    }

    /// Returns the parts that a part reads.
    fn read_by(&mut self, part: &TracedPart) -> Vec<PartRead<'e>> {
        match part {
            TracedPart::Variable(instance, id) => self.variable(*instance, *id),
            TracedPart::Local { instance, id, path } => {
                let value = &self.module(*instance).locals.at(*id).value;
                let part = part_at(value, path);
                let referrer = Referrer::Local(*id);
                let in_part = self.places(*instance, &referrer).iter().filter(|place| place.is_in(part));
                let in_part: Vec<FoundUse<'e>> = in_part.copied().collect();
                in_part.into_iter().flat_map(|place| self.read(*instance, referrer, place)).collect()
            }
            TracedPart::Output(instance, id) => {
                self.parts(*instance, Referrer::Output(*id), &|via| via == Via::Expression)
            }
            TracedPart::Attribute { instance, id, path } => self.attribute(*instance, *id, path),
            TracedPart::CallOutput { instance, id, path } => self.call_output(*instance, *id, path.first()),
            TracedPart::Argument { instance, call, argument } => self.argument(*instance, *call, *argument),
            TracedPart::Instances(instance, referrer) => self.parts(*instance, *referrer, &is_repetition),
        }
    }

    /// Returns the sources of the arguments and blocks of a resource or call, which its instances share.
    pub(crate) fn arguments(&mut self, instance: InstanceId, object: &Object) -> Option<Arc<SourcesByName>> {
        let block = BlockOfInstance { instance, block: self.block(instance, object)? };
        if let Some(found) = self.of_blocks.get(&block) {
            return found.clone();
        }
        let parts: Vec<(SmolStr, TracedPart)> = match block.block {
            RepeatedBlock::Resource(id) => {
                let names = self.written(instance, id).names();
                let part =
                    |name: SmolStr| (name.clone(), TracedPart::Attribute { instance, id, path: vec![name] });
                names.into_iter().map(part).collect()
            }
            RepeatedBlock::Call(id) => {
                let arguments = &self.module(instance).calls.at(id).arguments;
                let part = |(argument, name): (ArgumentId, &SmolStr)| {
                    (name.clone(), TracedPart::Argument { instance, call: id, argument })
                };
                arguments.ids().zip(arguments.keys()).map(part).collect()
            }
        };
        let kinds = parts.into_iter().map(|(name, part)| (name, self.argument_kinds(&part)));
        let found: SourcesByName = sorted_map(kinds.filter(|(_, kinds)| !kinds.is_empty()));
        let found = (!found.is_empty()).then(|| Arc::new(found));
        self.of_blocks.insert(block, found.clone());
        found
    }

    /// Returns the parts that the argument of the call reads which sets a variable.
    fn variable(&mut self, instance: InstanceId, id: VariableId) -> Vec<PartRead<'e>> {
        let (name, _) = self.module(instance).variables.entry_of(id);
        let Some((path, step)) = self.evaluation.instances()[instance].path.split_last() else {
            return Vec::new();
        };
        let Some(caller) = self.evaluation.instance_at(&path) else { return Vec::new() };
        let Some((call, declared)) = self.module(caller).calls.find(&step.name) else { return Vec::new() };
        declared
            .arguments
            .id_of(name)
            .map(|argument| PartRead::of(TracedPart::Argument { instance: caller, call, argument }))
            .into_iter()
            .collect()
    }

    fn argument(&mut self, instance: InstanceId, call: CallId, argument: ArgumentId) -> Vec<PartRead<'e>> {
        let referrer = Referrer::Argument(call, argument);
        let mut parts = self.parts(instance, referrer, &|via| via == Via::Argument);
        if self.is_repeated(instance, &referrer) {
            parts.extend(self.parts(instance, Referrer::Call(call), &is_repetition));
        }
        parts
    }

    fn attribute(&mut self, instance: InstanceId, id: ResourceId, path: &[SmolStr]) -> Vec<PartRead<'e>> {
        let referrer = Referrer::Resource(id);
        let places: Vec<FoundUse<'e>> = self.places(instance, &referrer).to_vec();
        let written = self.written(instance, id);
        let part = TracedPart::Attribute { instance, id, path: path.to_vec() };
        // An attribute that is computed from the arguments depends on all of them.
        let is_computed = own_sources(&self.own_sources, &part).any(|kind| kind == SourceKind::ComputedData);
        let name = path.first().filter(|_| !is_computed);
        let is_read = |place: &&FoundUse<'_>| {
            place.found.origin.is_some_and(|origin| origin.via == Via::Expression)
                && name.is_none_or(|name| place.item_in(&written).is_some_and(|item| item == name))
        };
        let read: Vec<FoundUse<'e>> = places.iter().filter(is_read).copied().collect();
        let mut parts: Vec<PartRead<'e>> = Vec::new();
        read.iter().for_each(|place| parts.extend(self.read(instance, referrer, *place)));
        if read.iter().any(FoundUse::is_of_instance) {
            parts.extend(self.parts(instance, referrer, &is_repetition));
        }
        parts
    }

    fn call_output(&self, instance: InstanceId, id: CallId, name: Option<&SmolStr>) -> Vec<PartRead<'e>> {
        let called = self.evaluation.instances()[instance].calls[id].expansion.iter();
        let outputs = called.filter_map(|(_, called)| match called {
            Called::Instance(called) => Some(*called),
            Called::Missing(_) => None,
        });
        let of = |called: InstanceId| {
            let outputs = self.module(called).outputs.enumerate();
            let outputs = outputs.filter(move |(id, _)| {
                name.is_none_or(|name| self.module(called).outputs.entry_of(*id).0 == name)
            });
            outputs.map(move |(id, _)| PartRead::of(TracedPart::Output(called, id)))
        };
        outputs.flat_map(of).collect()
    }

    /// Returns the parts that the expressions of a declaration read, if `is_read` selects them.
    fn parts(
        &mut self,
        instance: InstanceId,
        referrer: Referrer,
        is_read: &dyn Fn(Via) -> bool,
    ) -> Vec<PartRead<'e>> {
        let places = self.places(instance, &referrer).to_vec();
        let is_read = |place: &&FoundUse<'_>| place.found.origin.is_some_and(|origin| is_read(origin.via));
        let mut parts: Vec<PartRead<'e>> = Vec::new();
        places.iter().filter(is_read).for_each(|place| parts.extend(self.read(instance, referrer, *place)));
        parts
    }

    /// Returns the parts that a name in a declaration reads. If the name stands for all instances of a block, their number and
    /// keys are read too.
    fn read(
        &mut self,
        instance: InstanceId,
        referrer: Referrer,
        place: FoundUse<'e>,
    ) -> impl Iterator<Item = PartRead<'e>> + use<'e> {
        let repeated = place.repeated_block().map(|block| TracedPart::Instances(instance, block));
        let parts = self.read_parts(instance, referrer, &place).into_iter().chain(repeated);
        parts.map(move |part| PartRead { part, name: Some(ReadName { instance, referrer, place }) })
    }

    /// Whether a part has a part in the value that reads it.
    fn has_part(&mut self, read: &PartRead<'e>) -> bool {
        let Some(ReadName { instance, referrer, place }) = &read.name else { return true };
        let Some(expression) = self.expression_at(*instance, referrer, place) else { return true };
        let places = self.places(*instance, referrer).iter();
        let beside = places.filter(|other| other.file.version() == place.file.version());
        let without_value: Vec<Span> =
            beside.filter(|place| place.is_of_block()).map(|place| place.found.span).collect();
        let name = place.found.span;
        let (instance, expression, without_value) = (*instance, &expression, &without_value[..]);
        self.decisions.has_part(&NamePlace { instance, expression, name, without_value })
    }

    /// Whether a declaration reads `count.index`, `each.key` or `each.value`.
    fn is_repeated(&mut self, instance: InstanceId, referrer: &Referrer) -> bool {
        self.places(instance, referrer).iter().any(FoundUse::is_of_instance)
    }

    fn places(&mut self, instance: InstanceId, referrer: &Referrer) -> &[FoundUse<'e>] {
        let node = self.evaluation.instances()[instance].node;
        let evaluation = self.evaluation;
        let uses = self.modules.entry(node).or_insert_with(|| {
            let mut uses = ModuleUses::new();
            for group in evaluation.config.node(node).module.references.uses().files() {
                for found in &group.uses {
                    if let Some(origin) = &found.origin {
                        uses.entry(origin.referrer).or_default().push(FoundUse { file: &group.file, found });
                    }
                }
            }
            uses
        });
        uses.get(referrer).map(Vec::as_slice).unwrap_or_default()
    }

    /// Sets the sources of all resources and calls.
    pub(crate) fn with_own_sources(mut self, own_sources: &Arc<OwnSources>) -> SourceTracer<'e> {
        self.own_sources = Arc::clone(own_sources);
        self
    }

    /// Returns the kinds of source that an expression depends on. The expression is in no declaration; `uses` are the names in
    /// it.
    pub(crate) fn expression(
        &mut self,
        instance: InstanceId,
        expression: &Expression,
        uses: &[Use],
    ) -> Vec<SourceKind> {
        let mut kinds = BTreeSet::new();
        for found in uses {
            let place = FoundUse { file: expression.source(), found };
            let name = NamePlace { instance, expression, name: found.span, without_value: &[] };
            if !self.decisions.has_part(&name) {
                continue;
            }
            let instances = place.repeated_block().map(|block| TracedPart::Instances(instance, block));
            for part in self.parts_in(instance, Some(expression), &place).into_iter().chain(instances) {
                kinds.extend(self.kinds(&part));
            }
        }
        kinds.into_iter().collect()
    }

    /// Returns the kinds of source that the part of a local value at a path depends on.
    pub(crate) fn part_of_local(&mut self, address: &Address, path: Vec<SmolStr>) -> Option<Vec<SourceKind>> {
        let instance = self.evaluation.instance_at(&address.module)?;
        let Object::Local(name) = &address.object else { return None };
        let id = self.module(instance).locals.id_of(name)?;
        Some(self.kinds(&TracedPart::Local { instance, id, path }))
    }

    /// Returns the kinds of source that the arguments for the part of a resource at a path depend on.
    pub(crate) fn behind_attribute(
        &mut self,
        instance: InstanceId,
        id: ResourceId,
        path: Vec<SmolStr>,
    ) -> Vec<SourceKind> {
        self.argument_kinds(&TracedPart::Attribute { instance, id, path })
    }

    /// Returns the parts that an expression uses of the variable, local value, resource or call that a name in it stands for.
    fn read_parts(
        &mut self,
        instance: InstanceId,
        referrer: Referrer,
        place: &FoundUse<'_>,
    ) -> Vec<TracedPart> {
        let expression = self.expression_at(instance, &referrer, place);
        self.parts_in(instance, expression.as_ref(), place)
    }

    fn parts_in(
        &self,
        instance: InstanceId,
        expression: Option<&Expression>,
        place: &FoundUse<'_>,
    ) -> Vec<TracedPart> {
        let Some(target) = place.found.target() else { return Vec::new() };
        let module = self.module(instance);
        let (repetition, own) = match target {
            Target::Variable(id) => return vec![TracedPart::Variable(instance, *id)],
            Target::Local(_) => (&Repetition::Once, None),
            Target::Module(id, name) => (&module.calls.at(*id).repetition, name.clone()),
            Target::Resource(id) => (&module.resources.at(*id).repetition, place.attribute()),
        };
        let has_instances = matches!(repetition, Repetition::Count(_) | Repetition::ForEach(_));
        let functions = self.evaluation.functions();
        let used = |found| reading(found, place.found.name, has_instances, functions);
        let paths = match expression.and_then(used) {
            Some(Reading::Parts(paths)) => paths,
            Some(Reading::Keys) => Vec::new(),
            None => vec![own.into_iter().collect()],
        };
        let part = |path| match target {
            Target::Module(id, _) => Some(TracedPart::CallOutput { instance, id: *id, path }),
            Target::Resource(id) => Some(TracedPart::Attribute { instance, id: *id, path }),
            Target::Local(id) => Some(TracedPart::Local { instance, id: *id, path }),
            Target::Variable(_) => None,
        };
        paths.into_iter().filter_map(part).collect()
    }

    /// Returns the expression around a name in a declaration.
    fn expression_at(
        &mut self,
        instance: InstanceId,
        referrer: &Referrer,
        place: &FoundUse<'_>,
    ) -> Option<Expression> {
        let module = self.module(instance);
        let is_around = |expression: &Expression| {
            let (outer, inner) = (expression.span(), place.found.span);
            expression.source().version() == place.file.version()
                && outer.start <= inner.start
                && inner.end <= outer.end
        };
        let one = |expression: Option<&Expression>| expression.filter(|found| is_around(found)).cloned();
        match referrer {
            Referrer::Local(id) => one(Some(&module.locals.at(*id).value)),
            Referrer::Output(id) => one(module.outputs.at(*id).value.as_ref()),
            Referrer::Argument(id, argument) => {
                let (_, argument) = module.calls.at(*id).arguments.at(*argument);
                one(Some(argument))
            }
            Referrer::Call(id) => one(module.calls.at(*id).repetition.expression()),
            Referrer::Resource(id) => {
                let resource = module.resources.at(*id);
                one(resource.repetition.expression()).or_else(|| {
                    let written = self.written(instance, *id);
                    written.expression_at(place.file.version(), place.found.span).cloned()
                })
            }
            Referrer::Variable(_) | Referrer::Check(_) | Referrer::Provider(_) | Referrer::Import(_) => None,
        }
    }

    /// Returns the arguments and blocks of a resource.
    fn written(&mut self, instance: InstanceId, id: ResourceId) -> Arc<BodyIndex> {
        let node = self.evaluation.instances()[instance].node;
        let body = &self.module(instance).resources.at(id).config;
        Arc::clone(
            self.written
                .entry(ResourceInModule { module: node, resource: id })
                .or_insert_with(|| Arc::new(BodyIndex::of(body))),
        )
    }
}

fn is_repetition(via: Via) -> bool {
    matches!(via, Via::Count | Via::ForEach | Via::Enabled)
}
