use indexmap::IndexMap;
use terrane_eval::{Lookup, Names, Reference};
use terrane_value::{ObjectBuilder, OriginKind, Origins, SmolStr, Type, Value};

use crate::decode::packer_block as requirements;
use crate::evaluate::driver::TemplateEvaluation;
use crate::graph::order::step_name;

/// Values that the builder and the connection give while a build runs.
const RUN_TIME: [&str; 13] = [
    "ID",
    "Host",
    "Port",
    "User",
    "Password",
    "ConnType",
    "PackerRunUUID",
    "PackerHTTPPort",
    "PackerHTTPIP",
    "PackerHTTPAddr",
    "SSHPublicKey",
    "SSHPrivateKey",
    "WinRMPassword",
];

/// The names that expressions in a template may use: ordinary objects.
#[derive(Clone, Copy)]
pub struct TemplateScope<'e> {
    pub(crate) evaluation: &'e TemplateEvaluation,
    pub(crate) place: Place<'e>,
}

/// Where an expression stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'e> {
    /// On the console, which has no data sources.
    Console,
    /// Outside of builds.
    Outside,
    /// In a build, outside of its steps: its name is known.
    Build(&'e str),
    /// In the body of a source, as a build uses it.
    Source(SourceNames<'e>),
    /// In a provisioner or post-processor of a build for a source.
    Step { build: &'e str, source: SourceNames<'e>, is_open: bool },
}

/// `source.type` and `source.name`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceNames<'e> {
    pub(crate) source_type: &'e str,
    pub(crate) name: &'e str,
}

impl Names for TemplateScope<'_> {
    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        // One variable, local value or data source is taken without building the object of all.
        if let Some((value, consumed)) = self.one(reference) {
            return Lookup::Found { value, consumed };
        }
        match self.whole(reference.root) {
            Some(value) => Lookup::Found { value, consumed: 0 },
            None => Lookup::Undeclared,
        }
    }

    fn visible(&self) -> Vec<String> {
        ["build", "data", "local", "packer", "path", "source", "var"].map(str::to_owned).to_vec()
    }
}

impl TemplateScope<'_> {
    fn one(&self, reference: &Reference<'_>) -> Option<(Value, usize)> {
        let evaluation = self.evaluation;
        let template = &evaluation.template;
        match reference.root {
            "var" => {
                let index = template.variables.get_index_of(step_name(reference, 0)?)?;
                Some((evaluation.variables.get(index)?.clone(), 1))
            }
            "local" => {
                let index = template.locals.get_index_of(step_name(reference, 0)?)?;
                let value = evaluation.locals.get(index)?.clone()?;
                (!self.hides(&value)).then_some((value, 1))
            }
            "data" if !matches!(self.place, Place::Console) => {
                let key = (SmolStr::from(step_name(reference, 0)?), SmolStr::from(step_name(reference, 1)?));
                let index = template.data.get_index_of(&key)?;
                Some((evaluation.data.get(index)?.clone()?, 2))
            }
            _ => None,
        }
    }

    fn whole(&self, root: &str) -> Option<Value> {
        let evaluation = self.evaluation;
        let template = &evaluation.template;
        Some(match root {
            "var" => {
                Value::object(template.variables.keys().cloned().zip(evaluation.variables.iter().cloned()))
            }
            "local" => {
                let known = template.locals.keys().zip(&evaluation.locals);
                let known = known.filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
                Value::object(known.filter(|(_, value)| !self.hides(value)))
            }
            "data" if !matches!(self.place, Place::Console) => self.all_data(),
            "path" => ObjectBuilder::new()
                .with("cwd", evaluation.working_directory.as_str())
                .with("root", evaluation.root_directory.as_str())
                .build(),
            "packer" => {
                let mut packer = ObjectBuilder::new()
                    .with("version", requirements::version(template, &evaluation.request));
                for (name, since) in [("iterationID", 7), ("versionFingerprint", 10)] {
                    if evaluation.request.is_since(since) {
                        packer.insert(SmolStr::from(name), at_run_time(&format!("packer.{name}")));
                    }
                }
                packer.build()
            }
            "source" => self.source(),
            "build" => self.build(),
            _ => return None,
        })
    }

    /// Whether a local value is as if it were not there: on the console, where the mistakes in local values are not shown,
    /// one that has some.
    fn hides(&self, value: &Value) -> bool {
        let has_error =
            || value.origins_deep().as_slice().iter().any(|origin| origin.kind == OriginKind::Error);
        matches!(self.place, Place::Console) && has_error()
    }

    /// For each type of data sources a map of them.
    fn all_data(&self) -> Value {
        let evaluation = self.evaluation;
        let mut types: IndexMap<SmolStr, Vec<(SmolStr, Value)>> = IndexMap::new();
        for ((data_type, name), value) in evaluation.template.data.keys().zip(&evaluation.data) {
            let Some(value) = value else { continue };
            types.entry(data_type.clone()).or_default().push((name.clone(), value.clone()));
        }
        Value::object(types.into_iter().map(|(data_type, all)| {
            let element = all.first().map_or(Type::Dynamic, |(_, value)| value.ty());
            // One with mistakes has no type.
            let is_map = all.iter().all(|(_, value)| value.ty() == element);
            (data_type, if is_map { Value::map(element, all) } else { Value::object(all) })
        }))
    }

    fn source(&self) -> Value {
        let (source_type, name) = match self.place {
            Place::Console | Place::Outside | Place::Build(_) => {
                (at_run_time("source.type"), at_run_time("source.name"))
            }
            Place::Source(source) | Place::Step { source, .. } => {
                (Value::from(source.source_type), Value::from(source.name))
            }
        };
        ObjectBuilder::new().with("type", source_type).with("name", name).build()
    }

    fn build(&self) -> Value {
        match self.place {
            // An object that has nothing: whatever is read from it is a mistake.
            Place::Console | Place::Outside | Place::Source(_) => {
                let origins = Origins::one(OriginKind::BuildVariable, "build");
                Value::unknown_from(Value::object([]).ty(), origins)
            }
            Place::Build(name) => ObjectBuilder::new().with("name", name).build(),
            Place::Step { build, is_open, .. } => {
                let mut object = ObjectBuilder::new().with("name", build);
                for name in RUN_TIME {
                    object.insert(name, at_run_time(&format!("build.{name}")));
                }
                let object = object.build();
                match object.as_entries() {
                    // The builder of a plugin may give more.
                    Some(entries) if is_open => {
                        Value::open_object(entries.clone(), Origins::one(OriginKind::BuildVariable, "build"))
                    }
                    Some(_) | None => object,
                }
            }
        }
    }
}

fn at_run_time(name: &str) -> Value {
    Value::unknown_from(Type::String, Origins::one(OriginKind::BuildVariable, name))
}
