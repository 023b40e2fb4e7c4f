//! Finds the objects for values given with `--set`, so that the evaluation can put the values in.

use std::cell::OnceCell;
use std::sync::Arc;

use terrane_body::constant::constant;
use terrane_config::AddressWord;
use terrane_config::address::{Address, InstanceKey, ModulePath, ModuleStep, Object, ResourceMode};
use terrane_config::address_parts::{
    AddressPart, address_parts, split_call, split_key, split_mode, step_count,
};
use terrane_source::{Diagnostic, Diagnostics, FileId, SourceFile, Span, Subject, ids};
use terrane_syntax::{Expr, Expression, parse_expr};
use terrane_value::{ClosestNames, MAX_DEPTH, Path, PathStep, SmolStr, Value};

use crate::inputs::without_text;
use crate::model::computed_data::REMOTE_STATE;
use crate::model::given::{GivenBy, GivenInOrder, GivenPart, GivenText};
use crate::model::given_step::GivenStep;
use crate::model::ids::{Arena, CallId, CallInModule, NodeId, ResourceId, ResourceInModule};
use crate::model::module::ResourceKey;
use crate::model::namespace::Namespace;
use crate::model::request::Request;
use crate::model::schemas::BlockSchema;
use crate::model::tree::ModuleNode;

/// Splits an object that an option gives for a whole instance or call into a part for each of its attributes.
fn by_attribute(part: GivenPart) -> Vec<GivenPart> {
    let attributes = part.value.as_entries().filter(|_| part.path.is_empty() && part.by == GivenBy::Option);
    let Some(attributes) = attributes.filter(|attributes| !attributes.is_empty()) else { return vec![part] };
    let of = |(name, value): (&SmolStr, &Value)| {
        let path = vec![GivenStep::Name(name.clone())];
        GivenPart { path, value: value.clone(), ..part.clone() }
    };
    attributes.iter().map(of).collect()
}

/// The file name under which the text of an address is shown.
const OPTION: &str = "<--set>";

/// The file name under which the address of a data source with given outputs is shown.
const REMOTE_OPTION: &str = "<--remote-state>";

/// Adds the values that options give to `values`, by their objects in the modules `nodes`. A mistake in a text is an
/// error. An address without an object is a warning, unless a part of the configuration is missing.
pub(crate) fn bind(
    request: &Request,
    nodes: &Arena<NodeId, ModuleNode>,
    is_complete: bool,
    values: &mut GivenInOrder,
    diagnostics: &mut Diagnostics,
) {
    let known = KnownAddresses::default();
    let mut add = |place: &Subject, by: GivenBy, value: Value, diagnostics: &mut Diagnostics| {
        match (AddressBinder { nodes, place, by, known: &known }).bind(value) {
            Ok(Bound::Resource { node, id, parts }) => {
                parts.into_iter().for_each(|part| {
                    values.add_resource(ResourceInModule { module: node, resource: id }, part);
                });
            }
            Ok(Bound::Output { node, id, parts }) => {
                parts
                    .into_iter()
                    .for_each(|part| values.add_output(CallInModule { module: node, call: id }, part));
            }
            Err(AddressMistake::Undeclared(_)) if !is_complete => {}
            Err(AddressMistake::Undeclared(diagnostic) | AddressMistake::Wrong(diagnostic)) => {
                diagnostics.push(*diagnostic);
            }
        }
    };
    for remote in &request.remote_states {
        let place = whole(SourceFile::new(FileId::new(REMOTE_OPTION), &*remote.address));
        add(&place, GivenBy::RemoteState, remote.outputs.clone(), diagnostics);
    }
    for text in &request.given {
        let place = whole(SourceFile::new(FileId::new(OPTION), &*text.address));
        match value(text) {
            Ok(value) => add(&place, GivenBy::Option, value, diagnostics),
            Err(mistakes) => {
                let binder = AddressBinder { nodes, place: &place, by: GivenBy::Option, known: &known };
                let origin = format!("the value of `--set {}`", text.address);
                diagnostics.extend(match binder.may_be_secret(request) {
                    // The words of a message may be parts of the value. Without them, all messages would read alike.
                    true => {
                        mistakes.into_iter().take(1).map(|mistake| without_text(mistake, &origin)).collect()
                    }
                    false => mistakes,
                });
            }
        }
    }
}

/// Returns the whole text of a file.
fn whole(file: Arc<SourceFile>) -> Subject {
    let span = Span::new(0, u32::try_from(file.text().len()).unwrap_or(u32::MAX));
    Subject { file, span }
}

/// Returns the value of an expression without names and functions, or the mistakes in it.
fn value(text: &GivenText) -> Result<Value, Vec<Diagnostic>> {
    let source = SourceFile::new(FileId::new(format!("<value for {}>", text.address)), &*text.value);
    let parsed = parse_expr(&source);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    let mut found = Diagnostics::new();
    // A name is usually a text without quotes, perhaps because the shell has removed them.
    let is_name = matches!(parsed.tree.expr(parsed.root), Expr::Traversal { .. });
    let value = constant(&Expression { tree: parsed.tree, id: parsed.root }, &mut found);
    let hint = || format!("A text has quotes, also behind the shell: '{}=\"{}\"'", text.address, text.value);
    let with_hint = |error: Diagnostic| if is_name { error.hint(hint()) } else { error };
    value.ok_or_else(|| found.into_iter().map(with_hint).collect())
}

/// The object that an address names, its instances, and the attribute or output with the steps below it.
struct GivenTarget {
    object: GivenObject,
    /// The keys of the calls from the root module on.
    modules: Vec<InstanceKey>,
    key: InstanceKey,
    path: Vec<GivenStep>,
}

/// An object with values that can be given.
enum GivenObject {
    Resource(ResourceInModule),
    Call(CallInModule),
}

/// An object with the parts of its value that are given.
enum Bound {
    Resource { node: NodeId, id: ResourceId, parts: Vec<GivenPart> },
    Output { node: NodeId, id: CallId, parts: Vec<GivenPart> },
}

enum AddressMistake {
    /// The configuration has no such object.
    Undeclared(Box<Diagnostic>),
    /// The text is not an address to which a value can be given.
    Wrong(Box<Diagnostic>),
}

/// The addresses that misspelt ones are compared with. Options may give thousands of values.
#[derive(Default)]
struct KnownAddresses {
    closest_names: ClosestNames,
    /// The addresses of all objects to which values can be given.
    of_values: OnceCell<Vec<String>>,
    /// The addresses of all data sources to which outputs can be given.
    of_remote_states: OnceCell<Vec<String>>,
}

/// Finds the object for one address.
struct AddressBinder<'b> {
    nodes: &'b Arena<NodeId, ModuleNode>,
    place: &'b Subject,
    by: GivenBy,
    known: &'b KnownAddresses,
}

impl AddressBinder<'_> {
    fn bind(&self, value: Value) -> Result<Bound, AddressMistake> {
        let GivenTarget { object, modules, key, path } = self.target()?;
        self.whole(&path, &value)?;
        let parts = by_attribute(self.part(modules, key, path, value));
        Ok(match object {
            GivenObject::Resource(ResourceInModule { module: node, resource: id }) => {
                Bound::Resource { node, id, parts }
            }
            GivenObject::Call(CallInModule { module: node, call: id }) => Bound::Output { node, id, parts },
        })
    }

    /// Whether the address names a resource and, by its schema, the attribute or a part of the resource is sensitive, or whether it names
    /// nothing to which a value can be given, so that it may be meant as anything.
    fn may_be_secret(&self, request: &Request) -> bool {
        let (resource, path) = match self.target() {
            Ok(GivenTarget { object: GivenObject::Resource(resource), path, .. }) => (resource, path),
            Ok(GivenTarget { object: GivenObject::Call(_), .. }) => return false,
            Err(_) => return self.has_secrets(request),
        };
        let module = &self.nodes[resource.module].module;
        let (key, declared) = module.resources.entry_of(resource.resource);
        let name = path.first().and_then(GivenStep::name);
        let is_secret = |schema: &BlockSchema| match name {
            Some(name) => schema.schema().is_secret(name),
            None => schema.schema().has_secret_attributes(),
        };
        let named = module.sensitive_attributes(key, declared);
        match request.schemas.resource(module, key, declared) {
            Some(schema) => is_secret(schema),
            None => {
                request.schemas.possible(module, key, declared).into_iter().any(is_secret)
                    || name.map_or(!named.is_empty(), |name| named.contains(&name.as_str()))
            }
        }
    }

    /// Whether any value of the configuration may be sensitive.
    fn has_secrets(&self, request: &Request) -> bool {
        request.schemas.has_providers()
            || self.nodes.iter().any(|node| {
                let mut outputs = node.module.outputs.values();
                node.module.has_secret_inputs() || outputs.any(|output| output.sensitive || output.ephemeral)
            })
    }

    /// Finds the object of the address.
    fn target(&self) -> Result<GivenTarget, AddressMistake> {
        let parts = self.parts()?;
        let mut rest = parts.as_slice();
        let (mut node, mut modules) = (NodeId::ROOT, Vec::new());
        while let Some((ModuleStep { name, key }, after)) = split_call(rest) {
            let Some(call) = self.nodes[node].module.calls.id_of(&name) else {
                return Err(self.undeclared(&parts, &format!("no module call `{name}`")));
            };
            rest = after;
            let Some(called) = self.nodes[node].called[call] else {
                if self.by == GivenBy::RemoteState {
                    return Err(self.undeclared(&parts, &format!("no module `{name}` on disk")));
                }
                let object = GivenObject::Call(CallInModule { module: node, call });
                return Ok(GivenTarget { object, modules, key, path: self.path(without_output(rest))? });
            };
            modules.push(key);
            node = called;
        }
        let (mode, rest) = split_mode(rest);
        let [AddressPart::Name(resource_type), AddressPart::Name(name), rest @ ..] = rest else {
            return Err(self.wrong(self.rule(!modules.is_empty())));
        };
        if AddressWord::OUTPUT == **resource_type && !modules.is_empty() {
            return Err(self.wrong(self.rule(true)));
        }
        if mode == ResourceMode::Managed && is_computed(resource_type) {
            return Err(self.wrong(self.rule(false)));
        }
        let resource = ResourceKey { mode, resource_type: resource_type.clone(), name: name.clone() };
        let Some(id) = self.nodes[node].module.resources.id_of(&resource) else {
            let there = format!("no `{}`", resource.object(InstanceKey::None));
            return Err(self.undeclared(&parts, &there));
        };
        let (key, rest) = split_key(rest);
        let is_remote_state = mode == ResourceMode::Data && resource_type == REMOTE_STATE && rest.is_empty();
        if self.by == GivenBy::RemoteState && !is_remote_state {
            return Err(self.wrong(self.rule(false)));
        }
        let object = GivenObject::Resource(ResourceInModule { module: node, resource: id });
        Ok(GivenTarget { object, modules, key, path: self.path(rest)? })
    }

    /// Returns a sentence that says which addresses are allowed. `is_output`: the address is an
    /// output of a module on disk.
    fn rule(&self, is_output: bool) -> &'static str {
        match self.by {
            GivenBy::RemoteState => {
                "It must be the address of a data source of the type `terraform_remote_state`, such as \
                 `data.terraform_remote_state.network`"
            }
            GivenBy::Option | GivenBy::Override | GivenBy::Defaults if is_output => {
                "The module is on disk, so its outputs follow from its configuration"
            }
            GivenBy::Option | GivenBy::Override | GivenBy::Defaults => {
                "It must be the address of an attribute of a resource or data source, or of an output of a module \
                 that is not on disk"
            }
        }
    }

    /// Checks that a value without a path, for a whole object, is an object, with attributes if an option gives it.
    fn whole(&self, path: &[GivenStep], value: &Value) -> Result<(), AddressMistake> {
        let is_object = value.as_entries().is_some_and(|all| !all.is_empty() || self.by != GivenBy::Option);
        // The outputs of another root module may be unknown.
        if !path.is_empty() || is_object || self.by == GivenBy::RemoteState {
            return Ok(());
        }
        let detail = format!(
            "The value given for `{}` must be an object of its attributes, such as `{{ id = \"a\" }}`.",
            self.place.file.text()
        );
        let diagnostic = Diagnostic::error(ids::INVALID_GIVEN_VALUE, detail);
        Err(AddressMistake::Wrong(Box::new(diagnostic.at(&self.place.file, self.place.span))))
    }

    fn part(
        &self,
        modules: Vec<InstanceKey>,
        key: InstanceKey,
        path: Vec<GivenStep>,
        value: Value,
    ) -> GivenPart {
        let (by, is_of_file) = (self.by, false);
        let (target, place) = (self.place.clone(), self.place.clone());
        let name = place.span;
        GivenPart { by, is_of_file, modules, key, path, value, target, place, name }
    }

    fn parts(&self) -> Result<Vec<AddressPart>, AddressMistake> {
        let parsed = parse_expr(&self.place.file);
        let wrong = || {
            self.wrong(match self.by {
                GivenBy::RemoteState => {
                    "It must be an address, such as `data.terraform_remote_state.network`"
                }
                GivenBy::Option | GivenBy::Override | GivenBy::Defaults => {
                    "It must be an address, such as `data.aws_region.here.name` or `aws_vpc.main[0].id`"
                }
            })
        };
        if step_count(&parsed.tree, parsed.root).ok_or_else(wrong)? > usize::from(MAX_DEPTH) {
            return Err(self.too_deep());
        }
        let parts = address_parts(&parsed.tree, parsed.root).filter(|_| parsed.diagnostics.is_empty());
        parts.ok_or_else(wrong)
    }

    /// Returns the attribute that the end of an address names, and the steps below it.
    fn path(&self, rest: &[AddressPart]) -> Result<Vec<GivenStep>, AddressMistake> {
        let step = |(position, part): (usize, &AddressPart)| match part {
            AddressPart::Name(name) | AddressPart::Key(InstanceKey::Key(name)) => {
                Some(GivenStep::Name(name.clone()))
            }
            AddressPart::Key(InstanceKey::Index(at)) if position > 0 => {
                usize::try_from(*at).ok().map(GivenStep::Element)
            }
            AddressPart::Key(InstanceKey::Index(_) | InstanceKey::None) => None,
        };
        let steps: Option<Vec<GivenStep>> = rest.iter().enumerate().map(step).collect();
        steps
            .ok_or_else(|| self.wrong("Behind the key of an instance there must be the name of an attribute"))
    }

    fn too_deep(&self) -> AddressMistake {
        let detail = format!("The address of a given value has more than {MAX_DEPTH} steps.");
        AddressMistake::Wrong(Box::new(Diagnostic::error(ids::TOO_DEEP, detail)))
    }

    fn wrong(&self, rule: &str) -> AddressMistake {
        let given = if self.by == GivenBy::RemoteState { "outputs" } else { "value" };
        let detail = format!("No {given} can be given for `{}`. {rule}.", self.place.file.text());
        let diagnostic = Diagnostic::error(ids::INVALID_GIVEN_VALUE, detail);
        AddressMistake::Wrong(Box::new(diagnostic.at(&self.place.file, self.place.span)))
    }

    fn undeclared(&self, parts: &[AddressPart], there: &str) -> AddressMistake {
        let is_remote = self.by == GivenBy::RemoteState;
        let (given, verb) = if is_remote { ("outputs", "are") } else { ("value", "is") };
        let detail = format!("The configuration has {there}, so the {given} given for it {verb} not used.");
        let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
        let diagnostic = diagnostic.at(&self.place.file, self.place.span);
        let names = parts.iter().filter_map(|part| match part {
            AddressPart::Name(name) => Some(name.as_str()),
            AddressPart::Key(_) => None,
        });
        let names: Vec<&str> = names.collect();
        let all = if is_remote { &self.known.of_remote_states } else { &self.known.of_values };
        let all = all.get_or_init(|| self.addresses());
        // The last names may be attributes.
        let nearest = (0..=names.len()).rev().find_map(|length| {
            let (object, _) = names.split_at_checked(length)?;
            self.known.closest_names.of(&object.join("."), all)
        });
        AddressMistake::Undeclared(Box::new(match nearest {
            Some(nearest) => diagnostic.hint(format!("Did you mean `{}`?", with_keys(nearest, parts))),
            None => diagnostic,
        }))
    }

    /// Returns the addresses, without keys, of all objects to which values can be given.
    fn addresses(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (_, node) in self.nodes.enumerate() {
            let address = |object| Address { module: node.path.clone(), object }.to_string();
            let is_meant =
                |key: &&ResourceKey| self.by != GivenBy::RemoteState || key.resource_type == REMOTE_STATE;
            let resources = node.module.resources.keys().filter(is_meant);
            all.extend(resources.map(|key| address(key.object(InstanceKey::None))));
            for (id, called) in node.called.enumerate() {
                if called.is_none() && self.by != GivenBy::RemoteState {
                    let (name, _) = node.module.calls.entry_of(id);
                    all.push(address(Object::ModuleCall(name.clone(), InstanceKey::None)));
                }
            }
        }
        all
    }
}

/// Adds the keys of the given address to an address, as far as both have the same names.
fn with_keys(nearest: &str, parts: &[AddressPart]) -> String {
    let mut given = parts.iter().peekable();
    let mut names = Vec::new();
    let mut is_same = true;
    for name in nearest.split('.') {
        is_same &= matches!(given.next(), Some(AddressPart::Name(other)) if other == name);
        let mut text = name.to_owned();
        while let Some(AddressPart::Key(key)) = given.next_if(|part| matches!(part, AddressPart::Key(_))) {
            if is_same {
                text.push_str(&key.to_string());
            }
        }
        names.push(text);
    }
    names.join(".")
}

/// Whether the first name of an address belongs to objects whose values follow from the configuration.
fn is_computed(name: &str) -> bool {
    let root = Namespace::of(name);
    AddressWord::OUTPUT == *name
        || matches!(root, Namespace::Variable | Namespace::Local | Namespace::Path | Namespace::Terraform)
}

/// Returns the output of a module and the attributes below it, without the optional word `output` before them.
fn without_output(parts: &[AddressPart]) -> &[AddressPart] {
    match parts {
        [AddressPart::Name(word), rest @ ..] if AddressWord::OUTPUT == **word && !rest.is_empty() => rest,
        rest => rest,
    }
}

/// Returns the address to which a value can be given so that the subject of an unknown value becomes known: its first
/// attribute, or the first one below it that the configuration does not set. `value_of` returns the value of an
/// instance of a resource. `None` if the subject has no attribute.
pub fn settable_address(
    subject: &str,
    value_of: &dyn Fn(&ModulePath, &ResourceKey, &InstanceKey) -> Option<Value>,
) -> Option<String> {
    let place = whole(SourceFile::new(FileId::new(OPTION), subject));
    let parts = AddressBinder {
        nodes: &Arena::default(),
        place: &place,
        by: GivenBy::Option,
        known: &KnownAddresses::default(),
    }
    .parts()
    .ok()?;
    let mut rest = parts.as_slice();
    let mut module = ModulePath::ROOT;
    while let Some((step, after)) = split_call(rest) {
        module = module.child(&step.name, step.key);
        rest = after;
    }
    let (mode, rest) = split_mode(rest);
    let [AddressPart::Name(resource_type), AddressPart::Name(name), rest @ ..] = rest else { return None };
    let (instance, rest) = split_key(rest);
    let [AddressPart::Name(attribute), below @ ..] = rest else { return None };
    let resource = ResourceKey { mode, resource_type: resource_type.clone(), name: name.clone() };
    let value = value_of(&module, &resource, &instance);
    let mut part = value.and_then(|value| value.known_attributes()?.get(attribute).cloned());
    let mut path = Path::ROOT;
    path.push(PathStep::Attribute(attribute.as_str().into()));
    for step in below {
        // A part that is set, at least in part, cannot be given as a whole.
        let Some(value) = part.filter(|value| !value.is_wholly_unknown()) else { break };
        part = match step {
            AddressPart::Name(name) | AddressPart::Key(InstanceKey::Key(name)) => {
                path.push(PathStep::Attribute(name.as_str().into()));
                let object = value.known_elements().and_then(<[Value]>::first).unwrap_or(&value);
                object.known_attributes().and_then(|all| all.get(name)).cloned()
            }
            AddressPart::Key(InstanceKey::Index(index)) => {
                let at = usize::try_from(*index).ok();
                value.known_elements().and_then(|all| all.get(at?)).cloned()
            }
            AddressPart::Key(InstanceKey::None) => None,
        };
    }
    let object = resource.object(instance);
    Some(format!("{}{path}", Address { module, object }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settable_address_has_the_first_attribute() {
        let found = |subject: &str| settable_address(subject, &|_, _, _| None);
        for (subject, expected) in [
            ("a_b.c.id", "a_b.c.id"),
            ("module.m[0].data.a_b.c[\"k\"].id", "module.m[0].data.a_b.c[\"k\"].id"),
            ("ephemeral.a_b.c.text", "ephemeral.a_b.c.text"),
            ("a_b.c.list[0].id", "a_b.c.list"),
        ] {
            assert_eq!(found(subject).as_deref(), Some(expected), "{subject}");
        }
        assert_eq!(found("a_b.c"), None);
        assert_eq!(found("a_b.c[0]"), None);
    }
}
