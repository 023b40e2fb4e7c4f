//! `null_data_source`: returns its inputs.

use terrane_value::{Type, Value, convert};

use super::row::{Attributes, DataSource, DataSourceExample, argument};

pub(super) const NULL_DATA_SOURCE: DataSource = DataSource {
    name: "null_data_source",
    provider: "null",
    since: [0, 0, 0],
    arguments: &["inputs", "has_computed_default"],
    attributes: &["outputs", "id", "has_computed_default"],
    compute,
    examples: &[
        DataSourceExample { body: "inputs = { a = 1 }", attribute: "outputs.a", value: "1" },
        DataSourceExample { body: "inputs = {}", attribute: "has_computed_default", value: "default" },
    ],
};

/// The attribute `random` is different in each run.
fn compute(arguments: &Value) -> Option<Attributes> {
    let inputs = argument(arguments, "inputs").cloned().unwrap_or_else(|| Value::object([]));
    let outputs = convert(&inputs, &Type::map(Type::String)).ok()?;
    if outputs.as_entries()?.iter().any(|(_, value)| value.is_null()) {
        return None;
    }
    Some(vec![
        ("outputs", outputs),
        ("id", Value::from("static")),
        ("has_computed_default", Value::from("default")),
    ])
}
