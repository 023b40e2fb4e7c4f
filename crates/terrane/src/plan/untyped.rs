//! Gives the planned object of a type without a schema the form that it has in a plan.
//!
//! Configured nulls are left out, like all attributes that a provider may set. A block type that every provider has at most
//! once becomes an object.

use terrane_value::{Entries, Known, OriginKind, SmolStr, Value};

use super::written_blocks::{WrittenBlocks, is_single};

/// Returns the object in the form of a plan. `None` if it has that form already.
pub(super) fn as_planned(value: &Value, blocks: Option<&WrittenBlocks>, unset: Unset<'_>) -> Option<Value> {
    unset.part(value, blocks)
}

/// The treatment of attributes that are null in the configuration, because the provider may set them.
#[derive(Clone, Copy)]
pub(super) enum Unset<'a> {
    /// Nulls in the block at this address are left out.
    LeftOut(&'a str),
    /// Nulls stay unknown, because the recorded object may have had values for them.
    Unknown,
}

impl Unset<'_> {
    /// Returns null for a part that is null in the configuration: only such a part is unknown because of its own block. `None`
    /// for any other part.
    fn null(self, value: &Value) -> Option<Value> {
        let Unset::LeftOut(address) = self else { return None };
        if !value.is_wholly_unknown() {
            return None;
        }
        let origins = value.unmarked().origins();
        let is_own = |kind| matches!(kind, OriginKind::ResourceAttribute | OriginKind::DataSource);
        let all = origins.as_slice();
        let is_null =
            !all.is_empty() && all.iter().all(|origin| is_own(origin.kind) && origin.is_of(address));
        is_null.then(|| Value::NULL.with_marks(value.marks()))
    }

    /// Returns the changed part. `None` if nothing changes. The maximum depth of values bounds the recursion.
    fn part(self, value: &Value, blocks: Option<&WrittenBlocks>) -> Option<Value> {
        let inner = value.unmarked();
        let changed = match (inner.known_attributes(), inner.known_elements()) {
            (Some(entries), _) => with_entries(inner, self.entries(entries, blocks)?),
            (None, Some(elements)) => with_elements(inner, self.elements(elements, blocks)?),
            (None, None) => return None,
        };
        Some(changed.with_marks(value.marks()))
    }

    fn entries(self, entries: &Entries, blocks: Option<&WrittenBlocks>) -> Option<Vec<(SmolStr, Value)>> {
        let mut is_changed = false;
        let mut all = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            let inner = blocks.and_then(|blocks| blocks.of_type(name));
            let only = inner.filter(|_| is_single(name)).and_then(|_| only_element(value));
            let value = only.as_ref().unwrap_or(value);
            let part = self.part(value, inner);
            let null = self.null(value);
            is_changed |= only.is_some() || part.is_some() || null.is_some();
            // It is a secret, too, whether a secret is null.
            if null.as_ref().is_none_or(Value::is_marked) {
                all.push((name.clone(), null.or(part).unwrap_or_else(|| value.clone())));
            }
        }
        is_changed.then_some(all)
    }

    /// Returns the changed elements. All of them keep their positions.
    fn elements(self, elements: &[Value], blocks: Option<&WrittenBlocks>) -> Option<Vec<Value>> {
        let part = |value: &Value| self.null(value).or_else(|| self.part(value, blocks));
        let parts: Vec<Option<Value>> = elements.iter().map(part).collect();
        if parts.iter().all(Option::is_none) {
            return None;
        }
        let pairs = parts.into_iter().zip(elements);
        Some(pairs.map(|(part, value)| part.unwrap_or_else(|| value.clone())).collect())
    }
}

/// Returns the only block of a type.
fn only_element(blocks: &Value) -> Option<Value> {
    match blocks.unmarked().known_elements()? {
        [only] => Some(only.clone().with_marks(blocks.marks())),
        _ => None,
    }
}

/// Returns an object with other attributes. An open object stays open.
fn with_entries(object: &Value, entries: Vec<(SmolStr, Value)>) -> Value {
    match object.as_unknown().map(|unknown| &unknown.known) {
        Some(Known::Object(_)) => Value::open_object(entries.into_iter().collect(), object.origins().clone()),
        Some(Known::Nothing | Known::Sequence(_)) | None => Value::object(entries),
    }
}

/// Returns a sequence with other elements. An open sequence stays open.
fn with_elements(sequence: &Value, elements: Vec<Value>) -> Value {
    match sequence.as_unknown().map(|unknown| &unknown.known) {
        Some(Known::Sequence(_)) => Value::open_sequence(elements, sequence.origins().clone()),
        Some(Known::Nothing | Known::Object(_)) | None => Value::tuple(elements),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets};

    const MAIN: &str = r#"
variable "none" {
  type      = string
  default   = null
  sensitive = true
}
resource "x_y" "a" {
  for_each = { "k" = null }
  name     = each.value
  secret   = var.none
  set      = "s"
  object   = { a = null, b = 1 }
  list     = [null, "e"]
  rule {
    none = null
    late = x_y.other.id
  }
  timeouts {
    create = "10m"
    delete = null
  }
}
resource "x_y" "other" {
  name = null
}
"#;

    fn change(secrets: Secrets) -> [Json; 3] {
        let files = MemoryFiles::from_iter([("main.tf", MAIN)]);
        let report = Project::new(".").evaluate(&files);
        let document: Json = serde_json::from_str(&report.plan(secrets, &files).unwrap().to_json()).unwrap();
        let resource = &document["configuration"]["root_module"]["resources"][0];
        assert!(resource["expressions"]["timeouts"].is_object(), "{resource}");
        let change = &document["resource_changes"][0]["change"];
        let planned = &document["planned_values"]["root_module"]["resources"][0];
        assert_eq!(planned["values"], change["after"]);
        ["after", "after_unknown", "after_sensitive"].map(|member| change[member].clone())
    }

    #[test]
    fn nulls_are_left_out_and_timeouts_are_an_object() {
        let [after, unknown, sensitive] = change(Secrets::Hidden);
        let timeouts = json!({"create": "10m"});
        let (object, list) = (json!({"b": 1}), json!([null, "e"]));
        let known = json!({"list": list, "object": object, "rule": [{}], "set": "s", "timeouts": timeouts});
        assert_eq!(after, known);
        let none = json!([false, false]);
        assert_eq!(unknown, json!({"list": none, "object": {}, "rule": [{"late": true}], "timeouts": {}}));
        let parts = json!({"list": none, "object": {}, "rule": [{}], "secret": true, "timeouts": {}});
        assert_eq!(sensitive, parts);
        let [shown, shown_unknown, _] = change(Secrets::Shown);
        assert_eq!((&shown["secret"], shown_unknown), (&Json::Null, unknown));
        assert!(shown.as_object().unwrap().contains_key("secret"));
    }
}
