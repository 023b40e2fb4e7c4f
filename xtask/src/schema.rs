//! Writes the JSON Schema of `terrane eval --json`.

/// The schema, which is generated.
pub(crate) const PATH: &str = "docs/schemas/eval.schema.json";

/// The text of the schema.
pub(crate) fn text() -> String {
    format!("{:#}\n", terrane::document_schema())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jsonschema::Validator;
    use serde_json::Value;

    use super::{PATH, text};
    use crate::root;

    #[test]
    fn the_schema_in_the_repository_is_the_generated_one() {
        let written = fs::read_to_string(root().join(PATH)).unwrap();
        assert!(written == text(), "{PATH} is not up to date: run `cargo xtask schema`");
    }

    fn document(directory: &str) -> Value {
        let report = terrane::Project::new(root().join(directory)).evaluate(&terrane::OsFiles);
        serde_json::from_str(&report.document(terrane::Secrets::Hidden).to_json()).unwrap()
    }

    #[track_caller]
    fn check(validator: &Validator, document: &Value, directory: &str) {
        let errors: Vec<String> = validator
            .iter_errors(document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{directory}: {errors:#?}");
    }

    #[test]
    fn real_documents_follow_the_schema() {
        let validator = jsonschema::validator_for(&terrane::document_schema()).unwrap();
        check(&validator, &document("examples/network"), "examples/network");
        for entry in fs::read_dir(root().join("tests/modules")).unwrap() {
            let directory = format!("tests/modules/{}", entry.unwrap().file_name().display());
            check(&validator, &document(&directory), &directory);
        }
    }

    #[test]
    fn the_schema_refuses_other_documents() {
        let validator = jsonschema::validator_for(&terrane::document_schema()).unwrap();
        let mut broken = document("examples/network");
        broken["values"]["output.prefix"]["state"] = Value::from("maybe");
        assert!(!validator.is_valid(&broken));
        let mut broken = document("examples/network");
        broken["variables"][0].as_object_mut().unwrap().remove("name");
        assert!(!validator.is_valid(&broken));
    }
}
