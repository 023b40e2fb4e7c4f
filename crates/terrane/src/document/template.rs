//! Everything that an evaluation of a Packer template knows, as data.
//!
//! [`TemplateReport::document`] collects it once. Writers: `json/template.rs` and `template_text.rs`.

use std::path::PathBuf;

use terrane_body::{ResolvedArgument, ResolvedBlock, ResolvedBody};
use terrane_config::address::Object;
use terrane_config::recorder::Accesses;
use terrane_config::{Address, Dialect, ModulePath};
use terrane_function::Product;
use terrane_module::inputs::InputSource;
use terrane_packer::inputs::TemplateInputs;
use terrane_packer::template::{AssignedValue, ValueSource, Variable};
use terrane_packer::{Component, ResolvedBuild, TemplateEvaluation, dependencies};
use terrane_source::{Diagnostics, FileId, Subject};
use terrane_value::{Marks, SmolStr, Value};

use crate::document::files::template_files;
use crate::document::json::document::selected_document;
use crate::document::{AssignmentSource, DeclaredVariable, Graph, ReadFile, Selected, VariableAssignment};
use crate::json::text::to_text;
use crate::secrets::Secrets;
use crate::template::{TemplateReport, as_written};

/// Everything that an evaluation of a Packer template knows: variables, values, resolved builds, references, diagnostics and
/// files.
///
/// A document borrows nothing from the [`TemplateReport`] and can be sent to other threads. [`TemplateDocument::to_json`]
/// writes it in the format of `terrane eval --json`; it also implements [`serde::Serialize`], for other formats.
///
/// ```
/// use terrane::{MemoryFiles, PackerTemplate, Secrets};
///
/// let text = "variable \"release\" { default = \"24.04\" }\nlocals { image = \"ubuntu:${var.release}\" }\n";
/// let files = MemoryFiles::from_iter([("image.pkr.hcl", text)]);
/// let document = PackerTemplate::new(".").variable("release", "22.04").evaluate(&files).document(Secrets::Hidden);
/// assert_eq!(document.locals[0].value.as_str(), Some("ubuntu:22.04"));
/// assert_eq!(document.declarations[0].assignments[0].source.name(), "var");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TemplateDocument {
    /// The directory or file of the template, as the user names it.
    pub path: PathBuf,
    /// The edition of Packer.
    pub dialect: Dialect,
    /// The `variable` blocks with the values given for them. Unlike in a module, the given values are converted to the types of
    /// the variables.
    pub declarations: Vec<DeclaredVariable>,
    /// The variables.
    pub variables: Vec<TemplateValue>,
    /// The local values.
    pub locals: Vec<TemplateValue>,
    /// The data sources; the name is `TYPE.NAME`.
    pub data: Vec<TemplateValue>,
    /// Every build for each of its sources, with values as a template writes them.
    pub builds: Vec<ResolvedBuild>,
    /// The blocks of the template and the dependencies between them.
    pub graph: Graph,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
    /// The files that were read or looked for: first the template files.
    pub files: Vec<ReadFile>,
    pub(crate) secrets: Secrets,
    /// The parts of the template that could not be read, in words.
    pub(crate) missing: Option<String>,
}

/// A variable, local value or data source with its value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TemplateValue {
    /// The name behind `var.`, `local.` or `data.`.
    pub name: String,
    /// The value as a template writes it: with tuples and objects only. If secrets are hidden, a sensitive value is marked, and
    /// its text is removed from other values.
    pub value: Value,
    /// Whether the declaration has `sensitive = true`.
    pub sensitive: bool,
    /// The place of the declaration.
    pub declaration: Subject,
}

impl TemplateDocument {
    /// Whether a file could not be read in full, so that values are missing or unknown.
    pub fn is_partial(&self) -> bool {
        self.missing.is_some()
    }

    pub(crate) fn secrets(&self) -> Secrets {
        self.secrets
    }
}

impl TemplateReport {
    /// Returns the document of `terrane eval --json ADDRESS...`: addresses with the values that [`TemplateReport::as_written`]
    /// returns.
    pub fn selected_to_json(&self, selected: &[(String, Value)], secrets: Secrets) -> String {
        let value = |(address, value): &(String, Value)| Selected::new(address.clone(), value.clone());
        let selected: Vec<Selected<'_>> = selected.iter().map(value).collect();
        to_text(&selected_document(&selected, self.is_partial(), secrets))
    }

    /// Returns everything that the evaluation knows, as data.
    pub fn document(&self, secrets: Secrets) -> TemplateDocument {
        let evaluation = self.evaluation();
        let shown = ShownValues { evaluation, inputs: self.inputs(), secrets };
        let request = &evaluation.request;
        TemplateDocument {
            path: request.path.clone(),
            dialect: Dialect::Product(Product::Packer, request.edition),
            declarations: shown.declarations(),
            variables: shown.variables(),
            locals: shown.locals(),
            data: shown.data(),
            builds: evaluation.builds.iter().map(|build| shown.build(build)).collect(),
            // Cycles have been reported.
            graph: Graph::of(dependencies(&evaluation.template, &mut Diagnostics::new())),
            diagnostics: self.diagnostics().clone(),
            files: shown.files(self.accesses()),
            secrets,
            missing: self.missing(),
        }
    }
}

/// Prepares values for a document.
struct ShownValues<'r> {
    evaluation: &'r TemplateEvaluation,
    inputs: &'r TemplateInputs,
    secrets: Secrets,
}

impl ShownValues<'_> {
    fn value(&self, value: &Value) -> Value {
        let value = as_written(value);
        match self.secrets {
            Secrets::Hidden => self.evaluation.secrets.hide_in(&value),
            Secrets::Shown => value,
        }
    }

    /// Returns a value, marked as a secret as a whole if its declaration is `sensitive`.
    fn declared(&self, value: &Value, sensitive: bool) -> Value {
        if sensitive && self.secrets == Secrets::Hidden {
            return value.clone().with_marks(&Marks::sensitive());
        }
        self.value(value)
    }

    fn named(
        &self,
        name: impl Into<String>,
        value: Option<&Value>,
        sensitive: bool,
        declaration: &Subject,
    ) -> TemplateValue {
        // After a limit was exceeded, the remaining values are missing.
        let error = Value::error();
        TemplateValue {
            name: name.into(),
            value: self.declared(value.unwrap_or(&error), sensitive),
            sensitive,
            declaration: declaration.clone(),
        }
    }

    fn variables(&self) -> Vec<TemplateValue> {
        let variables = self.evaluation.template.variables.iter().zip(&self.evaluation.variables);
        let row = |((name, variable), value): ((&SmolStr, &Variable), &Value)| {
            self.named(name.as_str(), Some(value), variable.sensitive, &variable.declaration)
        };
        variables.map(row).collect()
    }

    fn locals(&self) -> Vec<TemplateValue> {
        let locals = self.evaluation.template.locals.iter().zip(&self.evaluation.locals);
        locals
            .map(|((name, local), value)| {
                self.named(name.as_str(), value.as_ref(), local.sensitive, &local.declaration)
            })
            .collect()
    }

    fn data(&self) -> Vec<TemplateValue> {
        let data = self.evaluation.template.data.iter().zip(&self.evaluation.data);
        data.map(|((key, block), value)| {
            let name = format!("{}.{}", key.component_type, key.name);
            self.named(name, value.as_ref(), false, &block.declaration)
        })
        .collect()
    }

    fn declarations(&self) -> Vec<DeclaredVariable> {
        self.evaluation
            .template
            .variables
            .iter()
            .map(|(name, variable)| self.declaration(name, variable))
            .collect()
    }

    fn declaration(&self, name: &SmolStr, variable: &Variable) -> DeclaredVariable {
        let given = self.inputs.all(name);
        let last = given.len().saturating_sub(1);
        let assignments = given.iter().enumerate().map(|(index, given)| VariableAssignment {
            name: name.clone(),
            source: AssignmentSource::Input(source_of(given)),
            value: Some(self.declared(&given.value, variable.sensitive)),
            wins: index == last,
            place: given.position.as_ref().map(|(file, span)| Subject { file: file.clone(), span: *span }),
        });
        DeclaredVariable {
            address: Address { module: ModulePath::ROOT, object: Object::Variable(name.clone()) },
            name: name.clone(),
            constraint: variable.constraint.ty.to_string(),
            description: None,
            default: variable
                .default
                .as_ref()
                .map(|default| self.declared(&default.value, variable.sensitive)),
            nullable: true,
            sensitive: variable.sensitive,
            ephemeral: false,
            deprecated: None,
            assignments: assignments.collect(),
            declaration: variable.declaration.clone(),
        }
    }

    /// Returns the files that were read or looked for. The name of a file that a function reads may contain a secret.
    fn files(&self, accesses: &Accesses) -> Vec<ReadFile> {
        let evaluation = self.evaluation;
        let files = template_files(&evaluation.template.files, accesses, &evaluation.request.inputs);
        let shown = |mut file: ReadFile| match self.secrets {
            Secrets::Shown => file,
            Secrets::Hidden => {
                let path = file.path.path().to_string_lossy();
                file.path = FileId::new(evaluation.secrets.hide(&path).as_ref());
                file
            }
        };
        files.into_iter().map(shown).collect()
    }

    fn build(&self, build: &ResolvedBuild) -> ResolvedBuild {
        let components =
            |all: &Vec<Component>| all.iter().map(|component| self.component(component)).collect();
        let name = |name: &SmolStr| match self.secrets {
            Secrets::Hidden => SmolStr::from(self.evaluation.secrets.hide(name)),
            Secrets::Shown => name.clone(),
        };
        ResolvedBuild {
            build_name: build.build_name.as_ref().map(name),
            source_name: name(&build.source_name),
            source: self.body(&build.source),
            provisioners: components(&build.provisioners),
            error_cleanup: build.error_cleanup.as_ref().map(|component| self.component(component)),
            post_processors: build.post_processors.iter().map(components).collect(),
            ..build.clone()
        }
    }

    fn component(&self, component: &Component) -> Component {
        let setting = |(name, value): &(SmolStr, Value)| (name.clone(), self.value(value));
        Component {
            component_type: component.component_type.clone(),
            settings: component.settings.iter().map(setting).collect(),
            body: self.body(&component.body),
            repeated: component.repeated.clone(),
        }
    }

    /// Returns a body with the values that a document shows. The maximum depth of bodies bounds the recursion.
    fn body(&self, body: &ResolvedBody) -> ResolvedBody {
        let argument = |argument: &ResolvedArgument| ResolvedArgument {
            value: self.value(&argument.value),
            ..argument.clone()
        };
        let block = |block: &ResolvedBlock| ResolvedBlock {
            block_type: block.block_type.clone(),
            labels: block.labels.clone(),
            header_span: block.header_span,
            body: self.body(&block.body),
            repeated: block.repeated.clone(),
        };
        ResolvedBody {
            source: body.source.clone(),
            missing_item_span: body.missing_item_span,
            arguments: body.arguments.iter().map(argument).collect(),
            blocks: body.blocks.iter().map(block).collect(),
        }
    }
}

/// Returns the source of a given value, in the terms that modules and templates have in common.
fn source_of(given: &AssignedValue) -> InputSource {
    match given.source {
        ValueSource::Environment => InputSource::Environment,
        ValueSource::Default | ValueSource::File => InputSource::File,
        ValueSource::Option => InputSource::Option,
        ValueSource::Caller(_) => InputSource::Caller,
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{PackerTemplate, Secrets};

    const TEMPLATE: &str = "variable \"size\" {\n  type    = number\n  default = 1\n}\n\
                            variable \"key\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n\
                            data \"null\" \"d\" { input = \"x\" }\n\
                            locals { text = \"key ${var.key}, ${var.size}\" }\n\
                            source \"docker\" \"s\" {\n  image = local.text\n  found = fileexists(\"${var.key}.txt\")\n}\n\
                            build { sources = [\"source.docker.s\"] }\n";

    #[test]
    fn every_given_value_of_a_variable_is_listed() {
        let files = MemoryFiles::from_iter([("a.pkr.hcl", TEMPLATE), ("b.auto.pkrvars.hcl", "size = 2\n")]);
        let template = PackerTemplate::new(".").variable("size", "3");
        let environment = [("PKR_VAR_size".to_owned(), "4".to_owned())];
        let document = template.environment(environment).evaluate(&files).document(Secrets::Hidden);
        let size = &document.declarations[0];
        let given = size.assignments.iter();
        let given: Vec<_> = given
            .map(|given| {
                (given.source.name(), given.wins, given.value.as_ref().map(terrane_value::display::annotated))
            })
            .collect();
        let value = |text: &str| Some(text.to_owned());
        assert_eq!(
            given,
            [("env", false, value("4")), ("var-file", false, value("2")), ("var", true, value("3"))]
        );
        let place = size.assignments[1].place.as_ref().map(|place| place.file.id().to_string());
        assert_eq!(place.as_deref(), Some("b.auto.pkrvars.hcl"));
        assert_eq!(size.default.as_ref().map(terrane_value::display::annotated), value("1"));
        let roles: Vec<_> =
            document.files.iter().map(|file| (file.path.to_string(), file.role.name())).collect();
        let find = |path: &str| roles.iter().find(|(found, _)| found == path).map(|(_, role)| *role);
        assert_eq!((find("a.pkr.hcl"), find("b.auto.pkrvars.hcl")), (Some("config"), Some("tfvars")));
        let edges: Vec<String> = document.graph.edges().map(|(from, to)| format!("{from} {to}")).collect();
        assert!(edges.contains(&"local.text var.size".to_owned()), "{edges:?}");
        assert_eq!(document.data[0].name, "null.d");
    }

    #[test]
    fn a_secret_is_in_no_member() {
        let files = MemoryFiles::from_iter([("a.pkr.hcl", TEMPLATE)]);
        let report = PackerTemplate::new(".").evaluate(&files);
        assert!(!report.has_errors(), "{:?}", report.diagnostics());
        let hidden = report.document(Secrets::Hidden);
        assert!(!hidden.to_json().contains("hunter2"), "{}", hidden.to_json());
        assert!(!hidden.to_text().contains("hunter2"));
        assert!(report.document(Secrets::Shown).to_json().contains("hunter2.txt"));
    }
}
