//! A state as data: the objects that an apply has recorded, as in a state file or a state document.
//!
//! The facade reads the files. Attributes stay JSON text until [`StateInstance::value`] decodes them with the type of
//! their resource, so that a large state is read fast.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use terrane_value::json::{self, DecodeError};
use terrane_value::{Path, PathStep, SmolStr, Type, Value};

use crate::address::{InstanceKey, ModulePath, Object, ResourceMode};
use crate::flat_attributes;
use crate::ids::Arena;
use crate::state_parts::Change;

crate::ids! {
    /// Names the recorded instances of a resource in one module instance, of a [`State`].
    StateResourceId;
    /// Names a recorded instance of a [`StateResource`].
    StateInstanceId;
}

/// The objects that an apply has recorded.
#[derive(Clone, Default, Debug)]
pub struct State {
    /// The version of the product that wrote the state.
    pub product_version: Option<String>,
    /// The number of times that the state was written; a state document does not contain it.
    pub serial: Option<u64>,
    /// The history to which the state belongs; a state document does not contain it.
    pub lineage: Option<String>,
    /// The outputs of the root module that are not null.
    pub outputs: BTreeMap<SmolStr, StateOutput>,
    /// The resources of all module instances, in the order of the file.
    pub resources: Arena<StateResourceId, StateResource>,
}

impl State {
    /// Returns the approximate bytes of memory of the objects.
    pub fn bytes(&self) -> u64 {
        const BYTES_OF_OBJECT: usize = 1000;
        let of_instance = |instance: &StateInstance| {
            let values = instance.implied.get().map_or(0, Value::own_bytes);
            BYTES_OF_OBJECT + instance.attributes.len() + values
        };
        let instances = self.resources.iter().flat_map(|resource| &resource.instances);
        let bytes = instances.map(of_instance).fold(0, usize::saturating_add);
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

/// A recorded output of the root module.
#[derive(Clone, Debug)]
pub struct StateOutput {
    /// The value, in its recorded type.
    pub value: Value,
    /// Whether it is sensitive.
    pub is_sensitive: bool,
}

/// A plan as data: the objects with which it begins, and the objects with which it ends.
#[derive(Clone, Default, Debug)]
pub struct StoredPlan {
    /// The state that the plan begins with.
    pub prior: Arc<State>,
    /// The planned objects, and the data sources that were read.
    pub planned: Arc<State>,
    /// The values of the variables of the root module, in the types that their JSON implies.
    pub variables: BTreeMap<SmolStr, Value>,
    /// Whether the plan says that it has all objects of the configuration, without leaving some out as `-target` does.
    pub is_complete: bool,
    /// Whether the plan changes nothing but the state: it was made with `-refresh-only` and has no planned objects.
    pub is_refresh_only: bool,
    /// The time at which the plan was made, the result of `plantimestamp`, as the document writes it.
    pub timestamp: Option<String>,
}

/// The recorded instances of a resource or data source in one module instance.
#[derive(Clone, Debug)]
pub struct StateResource {
    /// The module instance.
    pub module: ModulePath,
    /// The mode: managed or data.
    pub mode: ResourceMode,
    /// The type.
    pub resource_type: SmolStr,
    /// The name.
    pub name: SmolStr,
    /// The source address of its provider, such as `registry.terraform.io/hashicorp/aws`.
    pub provider: SmolStr,
    /// The configuration of the provider, such as `module.a.provider["registry.terraform.io/hashicorp/aws"].east`. Only a state
    /// file contains it; empty otherwise.
    pub provider_configuration: SmolStr,
    /// The instances.
    pub instances: Arena<StateInstanceId, StateInstance>,
}

/// The recorded object of an instance.
#[derive(Clone, Debug)]
pub struct StateInstance {
    /// The key.
    pub key: InstanceKey,
    /// The deposed key, if the object is left to be destroyed, beside the current one.
    pub deposed: Option<SmolStr>,
    /// Whether a plan replaces the object because an apply has failed.
    pub is_tainted: bool,
    /// Whether its block had `create_before_destroy` or was treated as if it had. A state document does not contain it.
    pub creates_first: bool,
    /// The version of the schema that the attributes follow.
    pub schema_version: u64,
    /// The attributes: a JSON object.
    pub attributes: Box<str>,
    /// The form in which the text writes values of dynamic type.
    pub form: StateForm,
    /// The parts that are sensitive.
    pub sensitive: Vec<Path>,
    /// In a plan, the parts that are known only after an apply.
    pub unknown: Vec<Path>,
    /// The addresses, without keys, of the objects on which it depends.
    pub dependencies: Vec<SmolStr>,
    /// The object with the types that its text implies; kept because an evaluation and its
    /// outputs need it several times.
    pub(crate) implied: OnceLock<Value>,
}

/// The format from which a state was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateForm {
    /// A state file: a value of dynamic type is an object of `value` and `type`.
    File,
    /// A state file with the attributes of the object in the flat form from before Terraform 0.12, which records no types.
    Legacy,
    /// A state document, from `show -json`: all values are written as they are.
    Document,
    /// The document of a plan: all values are written as they are. It does not say which version
    /// of a schema they follow.
    Plan,
}

impl StateResource {
    /// Returns the address of an instance in its module instance.
    pub fn object(&self, key: InstanceKey) -> Object {
        Object::Resource {
            mode: self.mode,
            resource_type: self.resource_type.clone(),
            name: self.name.clone(),
            key,
        }
    }
}

impl StateInstance {
    /// Decodes the object with the type of its schema, and the recorded marks. Attributes in a state file that the type lacks are
    /// left out, as the products do when they upgrade an object.
    ///
    /// # Errors
    ///
    /// If the text does not fit the type.
    pub fn value(&self, ty: &Type) -> Result<Value, DecodeError> {
        let value = match self.form {
            StateForm::File => json::decode_recorded(&self.attributes, ty),
            StateForm::Document | StateForm::Plan => json::decode_as(&self.attributes, ty),
            StateForm::Legacy => flat_attributes::value(&self.attributes, ty),
        };
        value.map(|value| self.marked(value))
    }

    /// Decodes the object with the types that its text implies, and the recorded marks: lists, sets and tuples become
    /// tuples, and in a state file a value of dynamic type is an object of `value` and `type`.
    ///
    /// # Errors
    ///
    /// If the text is not a value, for example because it is nested too deeply, or has a form without types.
    pub fn untyped(&self) -> Result<Value, DecodeError> {
        if self.form == StateForm::Legacy {
            return Err(legacy());
        }
        if let Some(value) = self.implied.get() {
            return Ok(value.clone());
        }
        let value = self.marked(json::decode(&self.attributes)?);
        Ok(self.implied.get_or_init(|| value).clone())
    }

    /// The object of another resource type that it becomes by a move: attributes as in a state file, with version 0 of their schema.
    pub fn of_other_type(&self, attributes: String, sensitive: Vec<Path>) -> StateInstance {
        StateInstance {
            key: self.key.clone(),
            deposed: self.deposed.clone(),
            is_tainted: self.is_tainted,
            creates_first: self.creates_first,
            schema_version: 0,
            attributes: attributes.into(),
            form: StateForm::File,
            sensitive,
            unknown: Vec::new(),
            dependencies: self.dependencies.clone(),
            implied: OnceLock::new(),
        }
    }

    fn marked(&self, value: Value) -> Value {
        let value = Change::Unknown.at(value, &self.unknown);
        match self.sensitive.iter().any(Path::is_root) {
            false => Change::Sensitive.at(value, &self.sensitive),
            // The object itself has no marks, so all its attributes get them.
            true => {
                let names = value.as_entries().into_iter().flatten().map(|(name, _)| name.to_string());
                let attribute = |name: String| {
                    let mut path = Path::ROOT;
                    path.push(PathStep::Attribute(name.into_boxed_str()));
                    path
                };
                let all: Vec<Path> = names.map(attribute).collect();
                Change::Sensitive.at(value, &all)
            }
        }
    }
}

/// Returns the error about attributes in a form without types.
fn legacy() -> DecodeError {
    let message = "It is from before Terraform 0.12, so only a schema tells the types of its attributes. \
                   `terraform apply -refresh-only` replaces it."
        .to_owned();
    DecodeError { offset: 0, message, is_too_deep: false }
}

#[cfg(test)]
mod tests {
    use terrane_value::{PathStep, display};

    use super::*;

    fn instance(attributes: &str, sensitive: &[&[&str]]) -> StateInstance {
        let path = |names: &&[&str]| {
            let mut path = Path::ROOT;
            for name in *names {
                path.push(match name.parse::<i64>() {
                    Ok(index) => PathStep::Index(Value::from(index)),
                    Err(_) => PathStep::Attribute((*name).into()),
                });
            }
            path
        };
        StateInstance {
            key: InstanceKey::None,
            deposed: None,
            is_tainted: false,
            creates_first: false,
            schema_version: 0,
            attributes: attributes.into(),
            form: StateForm::File,
            sensitive: sensitive.iter().map(path).collect(),
            unknown: Vec::new(),
            dependencies: Vec::new(),
            implied: OnceLock::new(),
        }
    }

    fn shown(value: &Value) -> String {
        display::console(value).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn sensitive_parts_are_marked() {
        let text = r#"{"a": {"b": [1, 2]}, "c": null, "d": "x"}"#;
        let value = instance(text, &[&["a", "b", "1"], &["c", "x"]]).untyped().unwrap();
        assert_eq!(
            shown(&value),
            "{ \"a\" = { \"b\" = [ 1, (sensitive value), ] } \"c\" = null \"d\" = \"x\" }"
        );
    }

    /// This happens if a provider has changed since, or the path leads into a set.
    #[test]
    fn a_path_that_leads_nowhere_hides_everything_around_it() {
        for path in [&["a", "7"] as &[&str], &["a", "b", "7"], &["d", "x"]] {
            let value = instance(r#"{"a": {"b": [1]}, "d": "x"}"#, &[path]).untyped().unwrap();
            let (first, _) = (path[0], value.is_marked());
            let part = value.as_entries().unwrap().get(first).unwrap();
            assert!(part.contains_marked(), "{path:?}");
        }
    }

    #[test]
    fn a_path_to_a_missing_attribute_hides_nothing() {
        for path in [&["z"] as &[&str], &["a", "z"], &["z", "y"]] {
            let value = instance(r#"{"a": {"b": [1]}, "d": "x"}"#, &[path]).untyped().unwrap();
            assert!(!value.contains_marked(), "{path:?}");
        }
    }

    #[test]
    fn unknown_parts_are_unknown() {
        let text = r#"{"a": {"b": [1, 2]}, "c": null, "d": "x"}"#;
        for (paths, wanted) in [
            (
                &[&["a", "b", "1"] as &[&str], &["z"]] as &[&[&str]],
                r#"{ "a" = { "b" = [ 1, (known after apply), ] } "c" = null "d" = "x" "z" = (known after apply) }"#,
            ),
            (
                &[&["a", "b"], &["a", "b", "0"]],
                r#"{ "a" = { "b" = (known after apply) } "c" = null "d" = "x" }"#,
            ),
            (
                &[&["a", "b", "7"], &["c", "x"]],
                r#"{ "a" = { "b" = (known after apply) } "c" = (known after apply) "d" = "x" }"#,
            ),
        ] {
            let mut value = instance(text, paths);
            value.unknown = std::mem::take(&mut value.sensitive);
            assert_eq!(shown(&value.untyped().unwrap()), wanted, "{paths:?}");
        }
    }

    #[test]
    fn dynamic_values_have_their_recorded_type() {
        let ty = Type::object([("x".into(), Type::Dynamic), ("y".into(), Type::list(Type::String))]);
        let instance =
            instance(r#"{"x": {"value": ["b", "a"], "type": ["set", "string"]}, "y": ["c"]}"#, &[]);
        let value = instance.value(&ty).unwrap();
        assert_eq!(value.ty().to_string(), "object({x=set(string),y=list(string)})");
        let document = StateInstance { form: StateForm::Document, ..instance };
        assert!(document.value(&ty).unwrap().ty().to_string().starts_with("object({x=object("));
        assert!(document.value(&Type::object([])).is_err());
    }
}
