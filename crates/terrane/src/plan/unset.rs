//! Arguments of providers of the legacy SDK that are not configured. They may have defaults, which only the provider knows. A
//! plan shows them as recorded, or as not configured: most have no default.

use terrane_value::{Entries, SmolStr, Type, Unknown, Value, ValueKind};

/// Returns a planned object without unknown values of arguments that are not configured in the instance at `address`.
/// `recorded` is the object that changes. `None` if there are no such arguments.
pub(super) fn without_possible_defaults(
    planned: &Value,
    recorded: Option<&Value>,
    address: &str,
) -> Option<Value> {
    UnsetArguments { address }.part(planned, recorded)
}

/// The arguments of an instance that are not configured.
#[derive(Clone, Copy)]
struct UnsetArguments<'a> {
    address: &'a str,
}

impl UnsetArguments<'_> {
    /// Returns the changed part. `None` if nothing changes. The maximum depth of values bounds the recursion.
    fn part(self, value: &Value, recorded: Option<&Value>) -> Option<Value> {
        if value.is_wholly_known() {
            return None;
        }
        let inner = value.unmarked();
        let element = || inner.ty().element().cloned().unwrap_or(Type::Dynamic);
        let changed = match inner.kind() {
            ValueKind::Unknown(unknown) => self.unset(unknown, recorded)?,
            ValueKind::Object(all) => Value::object(self.entries(all, recorded)?),
            ValueKind::Map(all) => Value::map(element(), self.entries(all, recorded)?),
            ValueKind::List(all) => Value::list(element(), self.elements(all, recorded)?),
            ValueKind::Tuple(all) => Value::tuple(self.elements(all, recorded)?),
            // Within the elements of a set, such arguments are null already.
            ValueKind::Set(_)
            | ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Null(_)
            | ValueKind::Marked(..) => return None,
        };
        Some(changed.with_marks(value.marks()))
    }

    fn unset(self, unknown: &Unknown, recorded: Option<&Value>) -> Option<Value> {
        let is_own = unknown.origins.are_all(|origin| origin.is_default_of(self.address));
        is_own.then(|| match (recorded, &unknown.ty) {
            (Some(recorded), _) => recorded.clone(),
            // Blocks are never null.
            (None, Type::List(element)) if unknown.refinement.not_null => {
                Value::list((**element).clone(), [])
            }
            (None, Type::Set(element)) if unknown.refinement.not_null => Value::set((**element).clone(), []),
            (None, ty) => Value::null(ty.clone()),
        })
    }

    fn entries(self, entries: &Entries, recorded: Option<&Value>) -> Option<Vec<(SmolStr, Value)>> {
        let recorded = recorded.and_then(|recorded| recorded.unmarked().as_entries());
        let part =
            |(name, value): (&SmolStr, &Value)| self.part(value, recorded.and_then(|all| all.get(name)));
        let parts: Vec<Option<Value>> = entries.iter().map(part).collect();
        parts.iter().any(Option::is_some).then(|| {
            let all = entries.iter().zip(parts);
            all.map(|((name, value), part)| (name.clone(), part.unwrap_or_else(|| value.clone()))).collect()
        })
    }

    fn elements(self, elements: &[Value], recorded: Option<&Value>) -> Option<Vec<Value>> {
        let recorded = recorded.and_then(|recorded| recorded.unmarked().as_sequence()).unwrap_or_default();
        let part = |(at, value): (usize, &Value)| self.part(value, recorded.get(at));
        let parts: Vec<Option<Value>> = elements.iter().enumerate().map(part).collect();
        parts.iter().any(Option::is_some).then(|| {
            elements.iter().zip(parts).map(|(value, part)| part.unwrap_or_else(|| value.clone())).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets, schemas_from_json, state_from_json};

    const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {"resource_schemas": {"x_y": {
        "version": 0, "block": {
        "attributes": {"id": {"type": "string", "optional": true, "computed": true}, "name": {"type": "string", "required": true},
            "dns": {"type": "bool", "optional": true}},
        "block_types": {
            "disk": {"nesting_mode": "list", "block": {"attributes": {"size": {"type": "number", "optional": true}}}},
            "rule": {"nesting_mode": "set", "block": {"attributes": {"port": {"type": "number", "optional": true},
                "to": {"type": "number", "optional": true}}}},
            "spare": {"nesting_mode": "list", "block": {"attributes": {"size": {"type": "number", "optional": true}}}}}}}}}}}"#;

    const MAIN: &str = "resource \"x_y\" \"a\" {\n  name = \"new\"\n  disk {}\n  rule {\n    port = 1\n  }\n}\n\
                        resource \"x_y\" \"b\" {\n  name = \"b\"\n  dns  = x_y.a.dns\n}\n";

    fn change(project: Project) -> Json {
        let schemas = schemas_from_json(SCHEMAS).unwrap();
        let files = MemoryFiles::from_iter([("main.tf", MAIN)]);
        let report = project.schemas(&schemas).evaluate(&files);
        let document: Json =
            serde_json::from_str(&report.plan(Secrets::Hidden, &files).unwrap().to_json()).unwrap();
        document["resource_changes"].clone()
    }

    #[test]
    fn a_new_object_has_nulls_and_no_blocks() {
        let changes = change(Project::new("."));
        let after = json!({"name": "new", "dns": null, "disk": [{"size": null}], "rule": [{"port": 1, "to": null}], "spare": []});
        assert_eq!(changes[0]["change"]["after"], after);
        assert_eq!(
            changes[0]["change"]["after_unknown"],
            json!({"id": true, "disk": [{}], "rule": [{}], "spare": []})
        );
        // The default of another object is not known.
        assert_eq!(changes[1]["change"]["after_unknown"]["dns"], json!(true));
    }

    #[test]
    fn a_changed_object_keeps_what_is_recorded() {
        let state = r#"{"version": 4, "resources": [{"mode": "managed", "type": "x_y", "name": "a",
            "provider": "provider[\"registry.terraform.io/hashicorp/x\"]", "instances": [{"schema_version": 0, "attributes":
            {"id": "i", "name": "old", "dns": true, "disk": [{"size": 8}], "rule": [{"port": 1, "to": 0}], "spare": [{"size": 9}]}}]}]}"#;
        let changes = change(Project::new(".").state(state_from_json(state).unwrap()));
        assert_eq!(changes[0]["change"]["actions"], json!(["update"]));
        let after = &changes[0]["change"]["after"];
        assert_eq!(after["rule"], json!([{"port": 1, "to": null}]));
        assert_eq!(
            (&after["dns"], &after["disk"], &after["spare"]),
            (&json!(true), &json!([{"size": 8}]), &json!([{"size": 9}]))
        );
    }
}
