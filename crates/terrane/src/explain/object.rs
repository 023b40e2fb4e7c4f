//! Follows variables, local values, outputs and module calls to the places that give them their values.

use terrane_body::constant::without_names;
use terrane_config::InstanceKey;
use terrane_config::address::ResourceMode;
use terrane_function::Excess;
use terrane_module::inputs::{InputAssignment, InputSource};
use terrane_module::model::ids::{CallId, OutputId, ResourceId, VariableId};
use terrane_module::module::{Repetition, Variable};
use terrane_module::place::ScopeBlock;
use terrane_module::{Called, Expansion, InstanceId, InstanceValue};
use terrane_source::{Diagnostics, Subject};
use terrane_syntax::Expression;
use terrane_value::{Mark, Marks, Origins, SmolStr, Type, Value};

use super::brief::shortened;
use super::builder::{Builder, Caller, ObjectId, ObjectPart, ObjectRef, secret};
use super::model::{ExplainNode, ExplainNodeId, InputRole, NodeInput, NodeKind};
use super::optional::{default_place, lacking};
use super::path::{self, Key};
use super::resource::{given_by, given_node};
use super::secret_parts::lacks_marks;
use super::site::ExpressionPart;
use crate::document::listing::missing_in_words;
use crate::marked_output;
use crate::part_source::SourceKind;
use crate::report::shown_output;
use crate::written::text_without_secrets;

/// The bytes that a step makes of a value that the instances of a block share.
const BYTES_OF_STEP: u64 = 16;

/// The longest type in a note.
const MAX_OF_TYPE: usize = 120;

impl<'r> Builder<'r> {
    /// Fills in the node of a part of an object. Returns the value of the whole object.
    pub(super) fn fill(&mut self, node: ExplainNodeId, object: &ObjectRef, path: &[Key]) -> Value {
        let whole = self.object_value(object);
        let value = path::part(&whole, path).unwrap_or_else(Value::error);
        let (address, place) = (self.address_text(object), self.declaration(object));
        let kind = match object.object {
            ObjectId::Variable(_) => NodeKind::Variable,
            ObjectId::Local(_) => NodeKind::Local,
            ObjectId::Output(_) => NodeKind::Output,
            ObjectId::Resource(..) => NodeKind::Resource,
            ObjectId::Call(..) => NodeKind::Module,
        };
        let path = path::text(&path::by_position(&whole, path));
        self.nodes[node] =
            ExplainNode { address: Some(address), path, place, ..ExplainNode::new(kind, value) };
        whole
    }

    /// Finds the inputs of a part of an object. `whole` is the value of the object.
    pub(super) fn expand_object(
        &mut self,
        node: ExplainNodeId,
        object: &ObjectRef,
        whole: &Value,
        path: &[Key],
    ) {
        let path = path::by_member(whole, &path::by_position(whole, path));
        match &object.object {
            ObjectId::Variable(id) => self.variable(node, object.instance, *id, &path),
            ObjectId::Local(id) => {
                let expression = &self.module(object.instance).locals.at(*id).value;
                let part = self.single(object.instance, expression);
                part.into_iter().for_each(|part| {
                    // The reason of an unknown local value may differ from the reason of its expression.
                    if whole.is_wholly_known() {
                        part.site.keep(&part.expression, whole.clone());
                    }
                    self.value_of(node, part, &path, false);
                });
            }
            ObjectId::Output(id) => {
                let output = self.module(object.instance).outputs.at(*id);
                if output.sensitive {
                    let node = &mut self.nodes[node];
                    node.marks = node.address.as_ref().map(|name| format!("{name} is declared sensitive"));
                }
                self.output(node, object.instance, *id, &path);
            }
            ObjectId::Resource(..) => self.resource(node, object, &path),
            ObjectId::Call(..) => self.module_call(node, object, &path),
        }
        self.note_changed_module(node, object);
    }

    /// Notes that an object is in an installed module whose call now asks for another source or version.
    fn note_changed_module(&mut self, node: ExplainNodeId, object: &ObjectRef) {
        if !self.report.is_of_changed_module(&self.instance(object.instance).path) {
            return;
        }
        let node = &mut self.nodes[node];
        node.origin = node.origin.or(Some(SourceKind::ChangedModule));
        let note = "of an installed module whose call asks for another source or version";
        node.how = Some(node.how.take().map_or_else(|| note.to_owned(), |how| format!("{how}; {note}")));
    }

    /// Returns the value of an object.
    pub(super) fn object_value(&self, object: &ObjectRef) -> Value {
        let instance = self.instance(object.instance);
        let module = self.module(object.instance);
        match &object.object {
            ObjectId::Variable(id) => instance.variables[*id].clone(),
            ObjectId::Local(id) => instance.locals[*id].clone(),
            ObjectId::Output(id) => shown_output(module.outputs.at(*id), &instance.outputs[*id]),
            ObjectId::Resource(id, key) => {
                let (resource, _) = module.resources.entry_of(*id);
                let expansion = &instance.resources[*id].expansion;
                all_or_one(expansion, key, |key, one| {
                    let value = self.value_of_instance(object.instance, *id, key, one);
                    match resource.mode == ResourceMode::Ephemeral {
                        true => value.with_marks(&Marks::one(Mark::Ephemeral)),
                        false => marked_output::shown(resource, &value),
                    }
                })
            }
            ObjectId::Call(id, key) => {
                all_or_one(&instance.calls[*id].expansion, key, |_, called| match called {
                    Called::Instance(called) => self.report.outputs_of(self.instance(*called)),
                    Called::Missing(missing) => missing.outputs.clone(),
                })
            }
        }
    }

    /// Returns the value of the instance of a resource with a key.
    pub(super) fn instance_value(
        &self,
        instance: InstanceId,
        id: ResourceId,
        key: &InstanceKey,
    ) -> Option<Value> {
        let one = self.instance(instance).resources[id].expansion.get(key)?;
        Some(self.value_of_instance(instance, id, key, one))
    }

    /// Returns the value of an instance. A value that the instances of a block share is made once for each instance, within the
    /// limits of an explanation.
    fn value_of_instance(
        &self,
        instance: InstanceId,
        id: ResourceId,
        key: &InstanceKey,
        one: &InstanceValue,
    ) -> Value {
        if !one.is_shared() {
            return one.value(key).into_owned();
        }
        let mut made = self.instance_values.borrow_mut();
        let place = (instance, id, key.clone());
        if let Some(value) = made.get(&place) {
            return value.clone();
        }
        let limits = &self.evaluation().config.request.limits;
        if !self.is_stopped() {
            let bytes = one.bytes_to_make(key);
            self.meter.count(bytes / BYTES_OF_STEP);
            self.meter.take(bytes);
        }
        if self.is_stopped() || Excess::of(limits, &self.meter).is_some() {
            self.meter.stop();
            return Value::unknown(Type::Dynamic);
        }
        let value = one.value(key).into_owned();
        made.insert(place, value.clone());
        value
    }

    fn declaration(&self, object: &ObjectRef) -> Option<Subject> {
        let module = self.module(object.instance);
        let declaration = match &object.object {
            ObjectId::Variable(id) => &module.variables.at(*id).declaration,
            ObjectId::Local(id) => &module.locals.at(*id).declaration,
            ObjectId::Output(id) => &module.outputs.at(*id).declaration,
            ObjectId::Resource(id, _) => &module.resources.at(*id).declaration,
            ObjectId::Call(id, _) => &module.calls.at(*id).declaration,
        };
        Some(declaration.clone())
    }

    /// Adds the expression of an object as the input of its node. If the object is declared sensitive, the text and the values
    /// of the expression are hidden, but not the values of objects that it refers to.
    pub(super) fn value_of(
        &mut self,
        node: ExplainNodeId,
        part: ExpressionPart<'r>,
        path: &[Key],
        is_declared_secret: bool,
    ) {
        let value = self.nodes[node].value.clone();
        let own = path::part(&part.value(), path).unwrap_or_else(Value::error);
        let is_secret = is_declared_secret || lacks_marks(&value, &own);
        // A constant is the value itself.
        if part.is_constant() && !is_secret {
            let at = self.constant_at(part, path);
            let (text, place) = (self.text(&at), at.place());
            let node = &mut self.nodes[node];
            (node.text, node.place) = (text, Some(place));
            return;
        }
        let child = self.follow(secret(part, is_secret), path.to_vec());
        self.input(node, NodeInput::taken(child, InputRole::Value));
    }

    fn output(&mut self, node: ExplainNodeId, instance: InstanceId, id: OutputId, path: &[Key]) {
        let (name, output) = self.module(instance).outputs.entry_of(id);
        let state = self.instance(instance);
        let given = self.evaluation().given_for_output(state, name);
        if let Some(given) = given.filter(|given| given.is_part_of(&state.outputs[id])) {
            let value = self.nodes[node].value.clone();
            // The first step of a given path is the name of the output.
            let below = given.steps().len().saturating_sub(1);
            let behind = path::text(path.get(below..).unwrap_or_default());
            let child = self.add(given_node(given, behind, value));
            self.input(node, NodeInput::taken(child, InputRole::Value));
            return;
        }
        let part = output.value.as_ref().and_then(|value| self.single(instance, value));
        let is_secret = output.sensitive || output.ephemeral;
        let value = &state.outputs[id];
        if let Some(part) = part.as_ref().filter(|_| !is_secret && value.is_wholly_known()) {
            part.site.keep(&part.expression, value.clone());
        }
        part.into_iter().for_each(|part| self.value_of(node, part, path, is_secret));
    }

    fn variable(&mut self, node: ExplainNodeId, instance: InstanceId, id: VariableId, path: &[Key]) {
        let (name, variable) = self.module(instance).variables.entry_of(id);
        if variable.is_secret() && !variable.is_doubtful_secret {
            let node = &mut self.nodes[node];
            let word = if variable.sensitive { "sensitive" } else { "ephemeral" };
            node.marks = node.address.as_ref().map(|name| format!("{name} is declared {word}"));
        }
        self.refusals(node, instance, id);
        let value = &self.instance(instance).variables[id];
        let Some(Caller { instance: caller, call, key }) = self.caller(instance) else {
            return self.root_variable(node, name, ValuedVariable { variable, value }, path);
        };
        let argument = self.module(caller).calls.at(call).arguments.get(name);
        let site = argument.and_then(|_| self.site(caller, ScopeBlock::Call(call), &key));
        let part = site.zip(argument).map(|(site, (_, argument))| site.part(argument.clone()));
        match part {
            Some(part) if is_filled_in(&part.value(), value, path) => {
                self.how(node, "the type of the variable, not the argument of the module call");
                let place = default_place(variable, &part.value(), value, path);
                place.into_iter().for_each(|place| self.optional_default(node, place));
            }
            Some(part) if variable.nullable || !part.value().is_null() => {
                let found = &mut self.nodes[node];
                found.how = Some("argument of the module call".to_owned());
                found.place = Some(part.place());
                self.value_of(node, part, path, variable.is_secret());
            }
            Some(part) => {
                self.default(node, ValuedVariable { variable, value }, path, true);
                let child = self.follow(part, Vec::new());
                self.input(node, NodeInput::passed_over(child, InputRole::Precedence));
            }
            None => self.default(node, ValuedVariable { variable, value }, path, true),
        }
    }

    /// Adds the inputs of a variable of the root module: the assignment that wins, then the other assignments and the default,
    /// in the order of precedence.
    fn root_variable(&mut self, node: ExplainNodeId, name: &str, of: ValuedVariable<'r>, path: &[Key]) {
        let ValuedVariable { variable, value } = of;
        let all = self.report.inputs().assignments();
        let own: Vec<&InputAssignment> = all.iter().filter(|assignment| assignment.name == name).collect();
        let winner = own.iter().find(|assignment| assignment.wins);
        let uses_default = winner.is_none_or(|winner| {
            !variable.nullable && winner.value(Some(variable)).is_some_and(|value| value.is_null())
        });
        if let Some(winner) = winner.filter(|_| !uses_default) {
            let added = assignment(winner, variable, path);
            let given = winner.value(Some(variable));
            match given.and_then(|given| default_place(variable, &given, value, path)) {
                Some(place) => {
                    self.optional_default(node, place);
                    let given = winner.value(Some(variable)).unwrap_or_else(Value::error);
                    self.leaf(node, lacking_part(added, &given, path), true);
                }
                None => self.given_value(node, added, variable),
            }
        }
        let losers = own.iter().rev().filter(|assignment| uses_default || !assignment.wins);
        losers.for_each(|loser| self.leaf(node, assignment(loser, variable, path), false));
        if uses_default || variable.default.is_some() {
            self.default(node, of, path, uses_default);
        }
    }

    /// Adds the assignment that wins.
    fn given_value(&mut self, node: ExplainNodeId, mut added: ExplainNode, variable: &Variable) {
        let value = &self.nodes[node].value;
        let is_converted = added.value.is_known() && value.ty() != added.value.ty() && !value.is_null();
        added.how = is_converted.then(|| format!("converted to {}", type_text(variable)));
        self.leaf(node, added, true);
    }

    /// Adds the default of an optional attribute in the type of a variable.
    fn optional_default(&mut self, node: ExplainNodeId, place: Subject) {
        let added = ExplainNode {
            address: Some("default of the optional attribute".to_owned()),
            place: Some(place),
            ..ExplainNode::new(NodeKind::Default, self.nodes[node].value.clone())
        };
        self.leaf(node, added, true);
    }

    fn default(&mut self, node: ExplainNodeId, of: ValuedVariable<'r>, path: &[Key], is_taken: bool) {
        let ValuedVariable { variable, .. } = of;
        let Some(default) = &variable.default else {
            if is_taken {
                self.how(node, "no value is given, and there is no default");
            }
            return;
        };
        let hidden = |value: Value| match (variable.sensitive, variable.ephemeral) {
            (true, _) => super::builder::hidden(value),
            (false, true) => value.with_marks(&Marks::one(Mark::Ephemeral)),
            (false, false) => value,
        };
        let written = variable.default_expression.as_ref();
        let written = written.map(|written| without_names(written, &mut Diagnostics::new()));
        let place = |written: &Value| default_place(variable, written, &default.value, path);
        let of_type = written.as_ref().and_then(place);
        let is_whole = of_type.is_some();
        if let Some(place) = of_type.filter(|_| is_taken) {
            self.optional_default(node, place);
        }
        let (shown, shown_path) = match (&written, is_whole) {
            (Some(written), true) => (Some(written.clone()), &[][..]),
            (_, _) => (path::part(&default.value, path), path),
        };
        let Some(shown) = shown else { return };
        let added = ExplainNode {
            address: Some("default".to_owned()),
            path: path::text(shown_path),
            place: variable.written_defaults.last().map(|default| default.place.clone()),
            ..ExplainNode::new(NodeKind::Default, hidden(shown.clone()))
        };
        let added = if is_whole && is_taken { lacking_part(added, &shown, path) } else { added };
        self.leaf(node, added, is_taken);
    }

    fn leaf(&mut self, node: ExplainNodeId, added: ExplainNode, is_taken: bool) {
        let child = self.add(added);
        let input = match is_taken {
            true => NodeInput::taken(child, InputRole::Value),
            false => NodeInput::passed_over(child, InputRole::Precedence),
        };
        self.input(node, input);
    }

    /// Adds the inputs of a whole module call, or of an output of a module that is not on disk.
    fn module_call(&mut self, node: ExplainNodeId, object: &ObjectRef, path: &[Key]) {
        let ObjectRef { instance, object: ObjectId::Call(id, key) } = object else { return };
        let (instance, id) = (*instance, *id);
        let call = self.module(instance).calls.at(id);
        let expansion = &self.instance(instance).calls[id].expansion;
        let found = self.instance(instance);
        let outputs = || match expansion.get(key) {
            Some(Called::Missing(missing)) => missing.outputs.clone(),
            Some(Called::Instance(_)) | None => Value::error(),
        };
        let given = self.evaluation().given_for_outputs(found, id, key, outputs);
        let given = given.into_iter().find(|part| path::starts_with(path, part.steps()));
        if let Some(given) = given {
            self.how(node, format!("the output{} is given by {}", given.path(), given_by(given)));
        } else if let Some(Called::Missing(missing)) = expansion.get(key) {
            self.how(node, missing_in_words("the module", &missing.origins));
        }
        if let Some(Called::Instance(called)) = expansion.get(key) {
            let called = *called;
            let outputs: Vec<_> = self.module(called).outputs.ids().collect();
            for output in outputs {
                let child =
                    self.object(ObjectRef { instance: called, object: ObjectId::Output(output) }.whole());
                self.input(node, NodeInput::taken(child, InputRole::Element));
            }
        }
        if let (Some(expression), true) = (call.repetition.expression(), path.is_empty()) {
            self.instances(node, instance, expression);
            let keys: Vec<InstanceKey> = expansion.iter().map(|(key, _)| key).collect();
            if *key == InstanceKey::None {
                self.each_instance(node, &keys, |key| ObjectRef {
                    instance,
                    object: ObjectId::Call(id, key),
                });
            }
        }
    }

    /// Adds the instances of a block as inputs: only the first ones if there are many.
    pub(super) fn each_instance(
        &mut self,
        node: ExplainNodeId,
        keys: &[InstanceKey],
        object: impl Fn(InstanceKey) -> ObjectRef,
    ) {
        const MOST: usize = 20;
        let count = keys.len();
        if count > MOST {
            self.is_truncated = true;
            self.how(node, format!("the first {MOST} of {count} instances"));
        }
        for key in keys.iter().take(MOST).filter(|key| **key != InstanceKey::None) {
            let child = self.object(object(key.clone()).whole());
            self.input(node, NodeInput::taken(child, InputRole::Element).keyed(key.to_string()));
        }
    }

    /// Adds `count`, `for_each` or `enabled` of a block as an input. A constant is an explanation only if the block has no
    /// instances.
    pub(super) fn instances(
        &mut self,
        node: ExplainNodeId,
        instance: InstanceId,
        expression: &'r Expression,
    ) {
        let has_none = is_empty(&self.nodes[node].value);
        let part = self.single(instance, expression).filter(|part| has_none || !part.is_constant());
        if let Some(part) = part {
            let child = self.follow(part, Vec::new());
            self.input(node, NodeInput::taken(child, InputRole::Instances));
        }
    }

    /// Returns the resource instance that a path in the resource leads to, and the path behind it.
    pub(super) fn resource_at(&self, instance: InstanceId, id: ResourceId, path: &[Key]) -> ObjectPart {
        let expansion = &self.instance(instance).resources[id].expansion;
        let (key, rest) = chosen(expansion, &self.module(instance).resources.at(id).repetition, path);
        ObjectRef { instance, object: ObjectId::Resource(id, key) }.part(rest)
    }

    /// Returns the object that a path in a module call leads to: an output of an instance that is on disk, otherwise the call.
    pub(super) fn call_at(&self, instance: InstanceId, id: CallId, path: &[Key]) -> ObjectPart {
        let expansion = &self.instance(instance).calls[id].expansion;
        let (key, rest) = chosen(expansion, &self.module(instance).calls.at(id).repetition, path);
        if let Some(Called::Instance(called)) = expansion.get_or_any(&key)
            && let Some((Key::Name(output), rest)) = rest.split_first()
            && let Some(output) = self.module(*called).outputs.id_of(output)
        {
            return ObjectRef { instance: *called, object: ObjectId::Output(output) }.part(rest.to_vec());
        }
        ObjectRef { instance, object: ObjectId::Call(id, key) }.part(rest)
    }
}

/// A variable with its value in a module instance.
#[derive(Clone, Copy)]
struct ValuedVariable<'r> {
    variable: &'r Variable,
    value: &'r Value,
}

/// Whether a value is a collection without elements.
fn is_empty(value: &Value) -> bool {
    let value = value.unmarked();
    value.as_sequence().is_some_and(|elements| elements.is_empty())
        || value.as_entries().is_some_and(|entries| entries.is_empty())
}

/// Returns the key that a path begins with if the block has several instances, and the rest of the path.
fn chosen<T>(expansion: &Expansion<T>, repetition: &Repetition, path: &[Key]) -> (InstanceKey, Vec<Key>) {
    let is_repeated = match expansion {
        Expansion::Count(_) | Expansion::ForEach(_) => true,
        // If the number of instances is unknown, the argument that decides it tells the kind of their keys.
        Expansion::Unknown { .. } => match repetition {
            Repetition::ForEach(_) => true,
            Repetition::Count(_) => matches!(path.first(), Some(Key::Position(_))),
            Repetition::Once | Repetition::Enabled(_) => false,
        },
        Expansion::Once(_) | Expansion::Absent => false,
    };
    let key = path.first().filter(|_| is_repeated).and_then(Key::instance);
    match key.filter(|key| expansion.get_or_any(key).is_some()) {
        Some(key) => (key, path.get(1..).unwrap_or_default().to_vec()),
        None => (InstanceKey::None, path.to_vec()),
    }
}

/// Returns the value of an instance. Without a key, returns the value of all instances.
fn all_or_one<T>(
    expansion: &Expansion<T>,
    key: &InstanceKey,
    value: impl Fn(&InstanceKey, &T) -> Value,
) -> Value {
    if let Some(one) = expansion.get_or_any(key) {
        return value(key, one);
    }
    let of_all = || expansion.iter().map(|(key, one)| value(&key, one));
    match expansion {
        Expansion::Once(only) => value(&InstanceKey::None, only),
        Expansion::Count(_) => Value::tuple(of_all()),
        Expansion::ForEach(all) => Value::object(all.iter().map(|(key, _)| key.clone()).zip(of_all())),
        Expansion::Absent => Value::NULL,
        Expansion::Unknown { origins, .. } => unknown(origins),
    }
}

fn unknown(origins: &Origins) -> Value {
    Value::unknown_from(Type::Dynamic, origins.clone())
}

fn assignment(given: &InputAssignment, variable: &Variable, path: &[Key]) -> ExplainNode {
    let name = &given.name;
    let source = match given.source {
        InputSource::Environment => format!("environment variable TF_VAR_{name}"),
        InputSource::Option => format!("option -var {name}=..."),
        InputSource::Terraform | InputSource::Automatic | InputSource::File => "variable file".to_owned(),
        InputSource::Caller => given.origin(),
    };
    let whole = given.value(Some(variable)).unwrap_or_else(Value::error);
    let (value, path) = match path::part(&whole, path) {
        Some(value) => (value, path),
        // A conversion added the part.
        None => (whole, &[][..]),
    };
    ExplainNode {
        address: Some(source),
        path: path::text(path),
        place: given.place(),
        ..ExplainNode::new(NodeKind::Assignment, value)
    }
}

/// Returns the node of a given value at the last part that it has on a path, with a note that the rest of the path is missing.
fn lacking_part(node: ExplainNode, given: &Value, path: &[Key]) -> ExplainNode {
    let Some(lacking) = lacking(given, path) else { return node };
    let (own, rest) = path.split_at(lacking);
    let Some(value) = path::part(given, own) else { return node };
    let value = value.with_marks(node.value.marks());
    let missing = path::text(rest.get(..1).unwrap_or_default());
    ExplainNode { path: path::text(own), value, how: Some(format!("has no value for {missing}")), ..node }
}

/// Returns the type of a variable as its declaration writes it, on one line.
fn type_text(variable: &Variable) -> String {
    let of_declaration =
        variable.written_type.as_ref().map(|ty| shortened(&text_without_secrets(ty), MAX_OF_TYPE));
    of_declaration.unwrap_or_else(|| variable.type_text())
}

/// Whether a part of the value of a variable is not in its argument because an `optional` attribute of the type adds it.
fn is_filled_in(argument: &Value, value: &Value, path: &[Key]) -> bool {
    let mut at = argument.clone();
    for (index, key) in path.iter().enumerate() {
        match path::part(&at, std::slice::from_ref(key)) {
            Some(inner) => at = inner,
            None => {
                let lacks =
                    |name: &SmolStr| at.unmarked().as_entries().is_some_and(|all| all.get(name).is_none());
                let is_attribute = matches!(key, Key::Name(name) if lacks(name));
                return is_attribute && path::part(value, path.get(..=index).unwrap_or_default()).is_some();
            }
        }
    }
    false
}
