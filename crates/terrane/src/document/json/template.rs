//! The document of `terrane eval --json` for a Packer template.

use serde::{Serialize, Serializer};
use terrane_config::Address;
use terrane_packer::{Component, ResolvedBuild, build};
use terrane_source::Diagnostic;
use terrane_value::Value;

use super::document::DiagnosticJson;
use super::file::FileJson;
use super::lazy::{DisplayText, Named, Rows};
use super::value::ValueJson;
use super::variable::VariableJson;
use crate::document::{DeclaredVariable, ReadFile, TemplateDocument, TemplateValue};
use crate::json::text::to_text;
use crate::secrets::Secrets;

/// The version of the format. A new member raises the second number; a removed or changed member raises the first.
const FORMAT_VERSION: &str = "1.0";

impl TemplateDocument {
    /// Returns the document of `terrane eval --json`, in one line. Its JSON Schema is `docs/schemas/eval-packer.schema.json`.
    pub fn to_json(&self) -> String {
        to_text(self)
    }
}

impl Serialize for TemplateDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TemplateJson::of(self).serialize(serializer)
    }
}

/// Returns the JSON Schema of the document of `terrane eval --json` for a Packer template, draft 2020-12.
#[cfg(feature = "json-schema")]
pub fn template_document_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<TemplateJson<'static>>().to_value()
}

/// The document of `terrane eval --json` for a Packer template.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(title = "terrane eval --json, Packer"))]
struct TemplateJson<'d> {
    /// The version of the format. New fields raise its second number.
    format_version: &'static str,
    /// The version of Terrane.
    terrane_version: &'static str,
    root: TemplateRootJson,
    /// Whether a file could not be read in full, so that declarations are missing.
    partial: bool,
    /// The values of the variables by name.
    variables: Named<'d, TemplateValue, &'d str, ValueJson<'d>>,
    /// The local values by name.
    locals: Named<'d, TemplateValue, &'d str, ValueJson<'d>>,
    /// The values of the data sources by `TYPE.NAME`.
    data: Named<'d, TemplateValue, &'d str, ValueJson<'d>>,
    /// Every build for each of its sources.
    builds: Rows<'d, ResolvedBuild, BuildJson<'d>>,
    /// The `variable` blocks. The values of `assignments` are converted values; `var-file` stands for automatic files, too.
    declarations: Rows<'d, DeclaredVariable, VariableJson<'d>>,
    /// The dependencies between blocks.
    references: Vec<DependencyJson<'d>>,
    /// Errors and warnings.
    diagnostics: Rows<'d, Diagnostic, DiagnosticJson<'d>>,
    /// The files that were read or looked for: first the template files.
    files: Rows<'d, ReadFile, FileJson<'d>>,
}

/// The template and the choices of its evaluation.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "TemplateRoot"))]
struct TemplateRootJson {
    /// The directory or file as it was given.
    path: String,
    /// The product and edition, such as `packer-1.11`.
    dialect: String,
}

/// A dependency of one block on another.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Dependency"))]
struct DependencyJson<'d> {
    from: DisplayText<&'d Address>,
    to: DisplayText<&'d Address>,
}

/// A build for one of its sources.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Build"))]
struct BuildJson<'d> {
    /// The name that `-only` and `-except` are compared with.
    name: String,
    /// The name of the `build` block.
    build: Option<&'d str>,
    source: TemplateSourceJson<'d>,
    provisioners: Rows<'d, Component, ComponentJson<'d>>,
    error_cleanup_provisioner: Option<ComponentJson<'d>>,
    /// Sequences of post-processors.
    post_processors: Vec<Rows<'d, Component, ComponentJson<'d>>>,
}

/// The source of a build.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Source"))]
struct TemplateSourceJson<'d> {
    #[serde(rename = "type")]
    source_type: &'d str,
    name: &'d str,
    /// Arguments and blocks. Blocks of the same type form a list.
    arguments: OwnedValue,
}

/// A provisioner or post-processor.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Component"))]
struct ComponentJson<'d> {
    /// The type; null if it depends on an unknown value.
    #[serde(rename = "type")]
    component_type: Option<&'d str>,
    /// Arguments that Packer itself reads.
    settings: OwnedValue,
    /// Arguments and blocks of the component. Blocks of the same type form a list.
    arguments: OwnedValue,
}

/// A value that was built for the document. Its secrets are hidden already, or marked.
struct OwnedValue(Value);

impl Serialize for OwnedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ValueJson::of_output(&self.0, Secrets::Hidden).serialize(serializer)
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for OwnedValue {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        ValueJson::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<ValueJson<'static>>()
    }
}

impl<'d> TemplateJson<'d> {
    fn of(document: &'d TemplateDocument) -> TemplateJson<'d> {
        let secrets = document.secrets();
        let values = |rows: &'d [TemplateValue]| {
            Named::new(Rows::new(rows, Secrets::Hidden, value), |row| row.name.as_str())
        };
        let edges = document.graph.edges();
        TemplateJson {
            format_version: FORMAT_VERSION,
            terrane_version: env!("CARGO_PKG_VERSION"),
            root: TemplateRootJson {
                path: document.path.display().to_string(),
                dialect: document.dialect.to_string(),
            },
            partial: document.is_partial(),
            variables: values(&document.variables),
            locals: values(&document.locals),
            data: values(&document.data),
            builds: Rows::plain(&document.builds, BuildJson::of),
            declarations: Rows::new(&document.declarations, secrets, VariableJson::of),
            references: edges
                .map(|(from, to)| DependencyJson { from: DisplayText(from), to: DisplayText(to) })
                .collect(),
            diagnostics: Rows::new(document.diagnostics.as_slice(), secrets, DiagnosticJson::of),
            files: Rows::plain(&document.files, FileJson::of),
        }
    }
}

fn value<'d>(row: &'d TemplateValue, secrets: Secrets) -> ValueJson<'d> {
    ValueJson::of_output(&row.value, secrets)
}

impl<'d> BuildJson<'d> {
    fn of(build: &'d ResolvedBuild) -> BuildJson<'d> {
        let components = |all: &'d Vec<Component>| Rows::plain(all, ComponentJson::of);
        BuildJson {
            name: build.name(),
            build: build.build_name.as_deref(),
            source: TemplateSourceJson {
                source_type: &build.source_type,
                name: &build.source_name,
                arguments: OwnedValue(build::body_value(&build.source)),
            },
            provisioners: components(&build.provisioners),
            error_cleanup_provisioner: build.error_cleanup.as_ref().map(ComponentJson::of),
            post_processors: build.post_processors.iter().map(components).collect(),
        }
    }
}

impl<'d> ComponentJson<'d> {
    fn of(component: &'d Component) -> ComponentJson<'d> {
        ComponentJson {
            component_type: component.component_type.as_deref(),
            settings: OwnedValue(Value::object(component.settings.iter().cloned())),
            arguments: OwnedValue(build::body_value(&component.body)),
        }
    }
}
