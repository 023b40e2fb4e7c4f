//! The document of `terrane eval --json` for a Packer template.

use serde::{Serialize, Serializer};
use terrane_body::ResolvedBody;
use terrane_packer::{Component, ResolvedBuild, build};
use terrane_value::Value;

use super::document::ByName;
use super::text::to_text;
use super::value::ValueJson;
use crate::secrets::Secrets;
use crate::template::TemplateReport;

impl TemplateReport {
    /// The resolved template as a JSON document: `partial` if a file could not be read in full, `variables` and `locals` by name
    /// and `builds`, each value as
    /// [`value_json`](crate::value_json) writes it.
    pub fn to_json(&self, secrets: Secrets) -> String {
        let writer = Writer { report: self, secrets };
        let values = |values: Vec<(&str, Value)>| {
            ByName(values.into_iter().map(|(name, value)| (name.to_owned(), OwnedValue(value))).collect())
        };
        to_text(&TemplateJson {
            partial: self.is_partial(),
            variables: values(self.variables(secrets)),
            locals: values(self.locals(secrets)),
            builds: self.runs().iter().map(|run| writer.build(run)).collect(),
        })
    }
}

#[derive(Serialize)]
struct TemplateJson<'r> {
    /// Whether a file could not be read in full.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    variables: ByName<OwnedValue>,
    locals: ByName<OwnedValue>,
    builds: Vec<BuildJson<'r>>,
}

#[derive(Serialize)]
struct BuildJson<'r> {
    name: String,
    build: Option<&'r str>,
    source: SourceJson<'r>,
    provisioners: Vec<ComponentJson<'r>>,
    error_cleanup_provisioner: Option<ComponentJson<'r>>,
    post_processors: Vec<Vec<ComponentJson<'r>>>,
}

#[derive(Serialize)]
struct SourceJson<'r> {
    #[serde(rename = "type")]
    source_type: &'r str,
    name: &'r str,
    arguments: OwnedValue,
}

#[derive(Serialize)]
struct ComponentJson<'r> {
    #[serde(rename = "type")]
    component_type: Option<&'r str>,
    settings: OwnedValue,
    arguments: OwnedValue,
}

/// A value that was made for the document. Its secrets are hidden already, or marked.
struct OwnedValue(Value);

impl Serialize for OwnedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ValueJson::of_output(&self.0, Secrets::Hidden).serialize(serializer)
    }
}

/// The report, and whether its secrets are shown.
struct Writer<'r> {
    report: &'r TemplateReport,
    secrets: Secrets,
}

impl<'r> Writer<'r> {
    fn build(&self, run: &'r ResolvedBuild) -> BuildJson<'r> {
        BuildJson {
            name: run.name(),
            build: run.build_name.as_deref(),
            source: SourceJson {
                source_type: &run.source_type,
                name: &run.source_name,
                arguments: self.arguments(&run.source),
            },
            provisioners: self.components(&run.provisioners),
            error_cleanup_provisioner: run.error_cleanup.as_ref().map(|component| self.component(component)),
            post_processors: run.post_processors.iter().map(|sequence| self.components(sequence)).collect(),
        }
    }

    fn components(&self, components: &'r [Component]) -> Vec<ComponentJson<'r>> {
        components.iter().map(|component| self.component(component)).collect()
    }

    fn component(&self, component: &'r Component) -> ComponentJson<'r> {
        let settings = Value::object(component.settings.iter().cloned());
        ComponentJson {
            component_type: component.component_type.as_deref(),
            settings: OwnedValue(self.report.as_written(&settings, self.secrets)),
            arguments: self.arguments(&component.body),
        }
    }

    fn arguments(&self, body: &ResolvedBody) -> OwnedValue {
        OwnedValue(self.report.as_written(&build::body_value(body), self.secrets))
    }
}
