//! `template_file`: a template with variables of text.

use sha2::Sha256;
use terrane_value::{Entries, Type, Value, convert};

use super::arguments::{argument, text};
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};
use crate::crypto::hex;

pub(super) const TEMPLATE_FILE: DataSource = DataSource {
    name: "template_file",
    is_resource: false,
    provider: "template",
    since: [2, 1, 2],
    arguments: &["template", "vars"],
    provider_arguments: &[],
    sensitive: &[],
    attributes: &[("rendered", AttributeType::Text), ("id", AttributeType::Text)],
    compute,
    examples: &[DataSourceExample {
        body: "template = \"Hello, $${upper(name)}!\"\nvars = { name = \"Ada\" }",
        attribute: "rendered",
        value: "Hello, ADA!",
    }],
};

/// The functions that a template may call: the provider has the functions of Terraform 0.12.0, and these still have the same
/// results.
const FUNCTIONS: &[&str] = &[
    "abs",
    "base64decode",
    "base64encode",
    "ceil",
    "chomp",
    "compact",
    "concat",
    "contains",
    "element",
    "floor",
    "format",
    "indent",
    "index",
    "join",
    "jsonencode",
    "keys",
    "length",
    "lookup",
    "lower",
    "max",
    "md5",
    "min",
    "replace",
    "reverse",
    "sha1",
    "sha256",
    "sha512",
    "slice",
    "split",
    "trimspace",
    "upper",
    "urlencode",
    "values",
    "zipmap",
];

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let template = text(computation.arguments, "template")?.unwrap_or_default();
    let variables = argument(computation.arguments, "vars").cloned().unwrap_or_else(|| Value::object([]));
    let variables =
        convert(&variables, &Type::map(Type::String)).map_err(|_| "`vars` is not a map of strings")?;
    let none = Entries::default();
    let variables = variables.as_entries().unwrap_or(&none);
    if variables.values().any(Value::is_null) {
        return Err("an element of `vars` is null".into());
    }
    let rendered = computation.surroundings.render(&template, variables, FUNCTIONS)?;
    Ok(vec![("id", hex::<Sha256>(&rendered)), ("rendered", Value::from(rendered))])
}
