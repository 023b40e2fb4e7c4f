//! The names that expressions in a template can use, and their values.

use indexmap::IndexMap;
use terrane_eval::{Lookup, Names, Reference};
use terrane_value::{ObjectBuilder, OriginKind, Origins, SmolStr, Type, Value};

use super::evaluation::TemplateEvaluation;
use crate::model::release;
use crate::model::template::ComponentKey;
use crate::resolve::root::{Root, step_name};

/// The values that the builder and the connection provide while a build runs.
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
pub(crate) struct TemplateScope<'e> {
    pub(crate) evaluation: &'e TemplateEvaluation,
    pub(crate) site: ExpressionSite<'e>,
}

/// The part of a template that contains an expression, which determines the names that it can use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExpressionSite<'e> {
    /// On the console, which has no data sources. `hides_errors` leaves out local values with errors, because they have not been reported.
    Console { hides_errors: bool },
    /// At the top level of a template, outside builds.
    TopLevel,
    /// In a build, outside its steps: only the name of the build is known.
    Build(&'e str),
    /// In the body of a source in a build.
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
        // A single variable, local value or data source is read without building the object of all.
        if let Some((value, consumed)) = self.one(reference) {
            return Lookup::Found { value, consumed };
        }
        let root = Root::of(reference.root);
        let is_declared = matches!(root, Root::Variable | Root::Local | Root::Data);
        if is_declared && self.evaluation.template.doubt.hides_names() {
            return Lookup::Found { value: Value::error(), consumed: 0 };
        }
        match self.whole(root) {
            Some(value) => Lookup::Found { value, consumed: 0 },
            None => Lookup::Undeclared,
        }
    }

    fn visible(&self) -> Vec<String> {
        Root::NAMES.iter().copied().map(str::to_owned).collect()
    }
}

impl TemplateScope<'_> {
    /// Returns a single variable, local value or data source, and the number of steps that name it.
    fn one(&self, reference: &Reference<'_>) -> Option<(Value, usize)> {
        let evaluation = self.evaluation;
        let template = &evaluation.template;
        match Root::of(reference.root) {
            Root::Variable => {
                let id = template.variables.id_of(step_name(reference, 0)?)?;
                Some((evaluation.variables[id].clone(), 1))
            }
            Root::Local => {
                let id = template.locals.id_of(step_name(reference, 0)?)?;
                let value = evaluation.locals[id].clone()?;
                (!self.hides(&value)).then_some((value, 1))
            }
            Root::Data if !matches!(self.site, ExpressionSite::Console { .. }) => {
                let (data_type, name) = (step_name(reference, 0)?, step_name(reference, 1)?);
                let key = ComponentKey { component_type: data_type.into(), name: name.into() };
                let id = template.data.id_of(&key)?;
                Some((evaluation.data[id].clone()?, 2))
            }
            Root::Data | Root::Path | Root::Packer | Root::Source | Root::Build | Root::Undeclared => None,
        }
    }

    /// Returns the object of a whole namespace.
    fn whole(&self, root: Root) -> Option<Value> {
        let evaluation = self.evaluation;
        let template = &evaluation.template;
        Some(match root {
            Root::Variable => {
                Value::object(template.variables.keys().cloned().zip(evaluation.variables.iter().cloned()))
            }
            Root::Local => {
                let values = template.locals.keys().zip(&evaluation.locals);
                let values = values.filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
                Value::object(values.filter(|(_, value)| !self.hides(value)))
            }
            Root::Data if !matches!(self.site, ExpressionSite::Console { .. }) => self.all_data(),
            Root::Path => ObjectBuilder::new()
                .with("cwd", evaluation.working_directory.as_str())
                .with("root", evaluation.root_directory.as_str())
                .build(),
            Root::Packer => {
                let mut packer =
                    ObjectBuilder::new().with("version", release::version(template, &evaluation.request));
                for name in template.rules.build_attributes() {
                    packer.insert(SmolStr::from(name), at_run_time(&format!("packer.{name}")));
                }
                packer.build()
            }
            Root::Source => self.source(),
            Root::Build => self.build(),
            Root::Data | Root::Undeclared => return None,
        })
    }

    /// Whether the scope leaves out a local value, which has an error that has not been reported.
    fn hides(&self, value: &Value) -> bool {
        matches!(self.site, ExpressionSite::Console { hides_errors: true })
            && value.origins_deep().has_error()
    }

    /// Returns a map for each type of data source.
    fn all_data(&self) -> Value {
        let evaluation = self.evaluation;
        let mut types: IndexMap<SmolStr, Vec<(SmolStr, Value)>> = IndexMap::new();
        for (key, value) in evaluation.template.data.keys().zip(&evaluation.data) {
            let Some(value) = value else { continue };
            let of_type = types.entry(key.component_type.clone()).or_default();
            of_type.push((key.name.clone(), value.clone()));
        }
        Value::object(types.into_iter().map(|(data_type, all)| {
            let element = all.first().map_or(Type::Dynamic, |(_, value)| value.ty());
            // The value of a data source with errors has no type.
            let is_map = all.iter().all(|(_, value)| value.ty() == element);
            (data_type, if is_map { Value::map(element, all) } else { Value::object(all) })
        }))
    }

    fn source(&self) -> Value {
        let (source_type, name) = match self.site {
            ExpressionSite::Console { .. } | ExpressionSite::TopLevel | ExpressionSite::Build(_) => {
                (at_run_time("source.type"), at_run_time("source.name"))
            }
            ExpressionSite::Source(source) | ExpressionSite::Step { source, .. } => {
                (Value::from(source.source_type), Value::from(source.name))
            }
        };
        ObjectBuilder::new().with("type", source_type).with("name", name).build()
    }

    fn build(&self) -> Value {
        match self.site {
            // An object without attributes, so that reading any attribute is an error.
            ExpressionSite::Console { .. } | ExpressionSite::TopLevel | ExpressionSite::Source(_) => {
                let origins = Origins::one(OriginKind::BuildVariable, "build");
                Value::unknown_from(Value::object([]).ty(), origins)
            }
            ExpressionSite::Build(name) => ObjectBuilder::new().with("name", name).build(),
            ExpressionSite::Step { build, is_open, .. } => {
                let mut object = ObjectBuilder::new().with("name", build);
                for name in RUN_TIME {
                    object.insert(name, at_run_time(&format!("build.{name}")));
                }
                let object = object.build();
                match object.as_entries() {
                    // The builder of a plugin may provide more values.
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
