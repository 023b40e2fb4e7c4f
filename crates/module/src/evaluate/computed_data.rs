//! Computes the attributes of data sources that follow from their arguments.

use terrane_stdlib::DataSource;
use terrane_value::{Entries, Known, SmolStr, Value, ValueKind};

use crate::evaluate::given::with_part;

/// The value of the data source at `address` with its computed attributes, if all its arguments are known.
pub(super) fn with_computed(value: Value, row: &DataSource, address: &str) -> Value {
    let Some(arguments) = arguments(&value, row, address) else { return value };
    let computed = (row.compute)(&arguments).unwrap_or_default();
    computed.into_iter().fold(value, |value, (name, computed)| {
        // An attribute that is configured or given by hand stays.
        with_part(&value, address, &[SmolStr::from(name)], &computed).unwrap_or(value)
    })
}

/// The object of the configured arguments; none if one of them is not known, is secret, or is not an argument of the row.
fn arguments(value: &Value, row: &DataSource, address: &str) -> Option<Value> {
    let mut arguments = Vec::new();
    for (name, value) in value.known_attributes()? {
        let value = plain(value, address)?;
        match row.arguments.contains(&name.as_str()) {
            true => arguments.push((name.clone(), value)),
            false if value.is_null() || row.attributes.contains(&name.as_str()) => {}
            false => return None,
        }
    }
    Some(Value::object(arguments))
}

/// A configured value without the parts that only the provider sets, which are null.
fn plain(value: &Value, address: &str) -> Option<Value> {
    let all = |values: &[Value]| values.iter().map(|value| plain(value, address)).collect::<Option<Vec<_>>>();
    let object = |attributes: &Entries| {
        let attribute = |(name, value): (&SmolStr, &Value)| Some((name.clone(), plain(value, address)?));
        Some(Value::object(attributes.iter().map(attribute).collect::<Option<Vec<_>>>()?))
    };
    match value.kind() {
        ValueKind::Marked(..) => None,
        ValueKind::Unknown(unknown) => match &unknown.known {
            Known::Object(attributes) => object(attributes),
            Known::Sequence(elements) => Some(Value::tuple(all(elements)?)),
            Known::Nothing => {
                let origins = unknown.origins.as_slice();
                let is_own = !origins.is_empty()
                    && origins.iter().all(|origin| {
                        origin.subject.strip_prefix(address).is_some_and(|rest| rest.starts_with(['.', '[']))
                    });
                is_own.then_some(Value::NULL)
            }
        },
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            Some(Value::tuple(all(elements)?))
        }
        ValueKind::Map(attributes) | ValueKind::Object(attributes) => object(attributes),
        ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Null(_) => {
            Some(value.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;
    use terrane_stdlib::data_sources;

    use crate::{Request, evaluate, load};

    #[test]
    fn every_row_has_examples_that_hold() {
        for row in data_sources() {
            assert!(!row.examples.is_empty(), "{}", row.name);
            for example in row.examples {
                let (name, attribute) = (row.name, example.attribute);
                let text = format!(
                    "data \"{name}\" \"x\" {{\n{}\n}}\noutput \"o\" {{ value = data.{name}.x.{attribute} }}\n",
                    example.body
                );
                let files: MemoryFiles = [("main.tf", text.as_str())].into_iter().collect();
                let loaded = load(Request::new("."), &files);
                let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
                assert!(evaluation.diagnostics.is_empty(), "{name}: {:?}", evaluation.diagnostics);
                let values: Vec<_> = evaluation.root().outputs.iter().map(|value| value.as_str()).collect();
                assert_eq!(values, [Some(example.value)], "{name}");
            }
        }
    }
}
