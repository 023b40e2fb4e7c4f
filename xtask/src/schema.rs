//! Writes the JSON Schemas of the documents that the command prints, such as the document of `terrane eval --json`.

/// Returns the generated files with their texts.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    let schemas = [
        ("docs/schemas/eval.schema.json", terrane::document_schema()),
        ("docs/schemas/eval-recursive.schema.json", terrane::roots_schema()),
        ("docs/schemas/eval-packer.schema.json", terrane::template_document_schema()),
        ("docs/schemas/explain.schema.json", terrane::explanation_schema()),
        ("docs/schemas/diff.schema.json", terrane::comparison_schema()),
        ("docs/schemas/plan-terrane.schema.json", terrane::plan_extension_schema()),
        ("docs/schemas/explain-reverse.schema.json", terrane::dependents_schema()),
    ];
    schemas.into_iter().map(|(path, schema)| (path, format!("{schema:#}\n"))).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jsonschema::Validator;
    use serde_json::Value;

    use super::files;
    use crate::root;

    #[test]
    fn the_schemas_in_the_repository_are_the_generated_ones() {
        for (path, text) in files() {
            let written = fs::read_to_string(root().join(path)).unwrap();
            assert!(written == text, "{path} is not up to date: run `cargo xtask schema`");
        }
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
    fn real_documents_of_many_roots_follow_the_schema() {
        let validator = jsonschema::validator_for(&terrane::roots_schema()).unwrap();
        let mut options = terrane::RootOptions::default();
        options.all = true;
        let roots = terrane::Roots::find(&root().join("tests/modules"), options, &terrane::OsFiles);
        assert!(roots.roots.len() > 1);
        let project = |root: &terrane::FoundRoot| terrane::Project::new(&root.directory);
        let evaluated = roots.evaluate(&terrane::OsFiles, project, |_, report| {
            terrane::EvaluatedRoot::with_document(&report, terrane::Secrets::Hidden, false)
        });
        let mut document: Value = serde_json::from_str(&roots.to_json(&evaluated)).unwrap();
        check(&validator, &document, "tests/modules");
        let root = document["roots"][0]["document"].as_object_mut().unwrap();
        root.remove("outputs");
        assert!(!validator.is_valid(&document));
        // Without outputs, and with only these members, it is a document of addresses.
        let root = document["roots"][0]["document"].as_object_mut().unwrap();
        root.retain(|name, _| ["format_version", "values"].contains(&name.as_str()));
        check(&validator, &document, "tests/modules");
    }

    #[test]
    fn real_documents_of_templates_follow_the_schema() {
        let validator = jsonschema::validator_for(&terrane::template_document_schema()).unwrap();
        let directory = "examples/image";
        let report = terrane::PackerTemplate::new(root().join(directory)).evaluate(&terrane::OsFiles);
        for secrets in [terrane::Secrets::Hidden, terrane::Secrets::Shown] {
            let document = serde_json::to_value(report.document(secrets)).unwrap();
            assert!(!document["builds"].as_array().unwrap().is_empty());
            check(&validator, &document, directory);
        }
    }

    #[test]
    fn real_explanations_follow_the_schema() {
        let validator = jsonschema::validator_for(&terrane::explanation_schema()).unwrap();
        let reverse = jsonschema::validator_for(&terrane::dependents_schema()).unwrap();
        let mut directories = vec!["examples/network".to_owned()];
        let modules = fs::read_dir(root().join("tests/modules")).unwrap();
        directories
            .extend(modules.map(|entry| format!("tests/modules/{}", entry.unwrap().file_name().display())));
        for directory in directories {
            let report = terrane::Project::new(root().join(&directory)).evaluate(&terrane::OsFiles);
            for entry in report.entries() {
                let address = entry.address.to_string();
                // A block with unknown instances may have no address of its own.
                let Ok(explanation) = report.explain(&address, terrane::Secrets::Hidden, &terrane::OsFiles)
                else {
                    continue;
                };
                let document: Value = serde_json::from_str(&explanation.to_json()).unwrap();
                check(&validator, &document, &format!("{directory}, {address}"));
                let dependents = report.dependents(&address, &terrane::OsFiles).unwrap().to_json();
                check(&reverse, &serde_json::from_str(&dependents).unwrap(), &address);
            }
        }
        let report = terrane::Project::new(root().join("examples/network")).evaluate(&terrane::OsFiles);
        let explanation =
            report.explain("output.prefix", terrane::Secrets::Hidden, &terrane::OsFiles).unwrap();
        let mut broken: Value = serde_json::from_str(&explanation.to_json()).unwrap();
        broken["nodes"][0].as_object_mut().unwrap().remove("kind");
        assert!(!validator.is_valid(&broken));
    }

    #[test]
    fn real_plans_follow_the_schema() {
        let validator = jsonschema::validator_for(&terrane::plan_extension_schema()).unwrap();
        let mut blocks = 0;
        for entry in fs::read_dir(root().join("tests/plans")).unwrap() {
            let directory = format!("tests/plans/{}/config", entry.unwrap().file_name().display());
            if !root().join(&directory).is_dir() {
                continue;
            }
            let report = terrane::Project::new(root().join(&directory)).evaluate(&terrane::OsFiles);
            let Ok(plan) = report.plan(terrane::Secrets::Hidden, &terrane::OsFiles) else { continue };
            let document: Value = serde_json::from_str(&plan.to_json()).unwrap();
            check(&validator, &document["terrane"], &directory);
            let instances = document["terrane"]["instances"].as_object().into_iter().flatten();
            blocks += instances.filter(|(_, instance)| instance["blocks"].is_array()).count();
        }
        assert!(blocks > 0);
        let computed = "data \"aws_iam_policy_document\" \"p\" {\n  statement { resources = [\"*\"] }\n}\n";
        let files = terrane::MemoryFiles::from_iter([("main.tf", computed)]);
        let report = terrane::Project::new(".").evaluate(&files);
        let plan = report.plan(terrane::Secrets::Hidden, &files).unwrap().to_json();
        let document: Value = serde_json::from_str(&plan).unwrap();
        assert!(document["terrane"]["part_sources"].is_object(), "{document}");
        check(&validator, &document["terrane"], "a computed data source");
        let broken = serde_json::json!({"format_version": "1.1", "modules": {}, "locals": []});
        assert!(!validator.is_valid(&broken));
    }

    #[test]
    fn real_comparisons_follow_the_schema() {
        let validator = jsonschema::validator_for(&terrane::comparison_schema()).unwrap();
        let report = |directory| terrane::Project::new(root().join(directory)).evaluate(&terrane::OsFiles);
        let (before, after) = (report("tests/modules/everything"), report("examples/network"));
        let difference = before.diff(&after, terrane::Secrets::Hidden);
        assert!(!difference.resources.is_empty() && !difference.outputs.is_empty());
        let mut document: Value = serde_json::from_str(&difference.to_json()).unwrap();
        check(&validator, &document, "everything and network");
        document["outputs"][0].as_object_mut().unwrap().remove("change");
        assert!(!validator.is_valid(&document));
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
