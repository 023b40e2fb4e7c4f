//! `null_data_source`: returns its inputs.

use terrane_value::{Entries, Type, Value, convert};

use super::arguments::argument;
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};

pub(super) const NULL_DATA_SOURCE: DataSource = DataSource {
    name: "null_data_source",
    is_resource: false,
    provider: "null",
    since: [0, 0, 0],
    arguments: &["inputs", "has_computed_default"],
    provider_arguments: &[],
    sensitive: &[],
    attributes: &[
        ("outputs", AttributeType::Texts),
        ("id", AttributeType::Text),
        ("has_computed_default", AttributeType::Text),
    ],
    compute,
    examples: &[
        DataSourceExample { body: "inputs = { a = 1 }", attribute: "outputs.a", value: "1" },
        DataSourceExample { body: "inputs = {}", attribute: "has_computed_default", value: "default" },
    ],
};

/// Computes all attributes but `random`, which is different in each run.
fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let inputs = argument(computation.arguments, "inputs").cloned().unwrap_or_else(|| Value::object([]));
    let outputs =
        convert(&inputs, &Type::map(Type::String)).map_err(|_| "`inputs` is not a map of strings")?;
    if outputs.as_entries().into_iter().flat_map(Entries::values).any(Value::is_null) {
        return Err("an element of `inputs` is null".into());
    }
    Ok(vec![
        ("outputs", outputs),
        ("id", Value::from("static")),
        ("has_computed_default", Value::from("default")),
    ])
}
