//! Decides which parts of a planned object with secrets the plan document may show: sensitive and write-only attributes that the
//! configuration does not set are null, and a set of blocks has as many elements as the configuration writes blocks.

use terrane_body::{Body, Nesting, Schema, SchemaBlock};
use terrane_value::{Entries, Origins, SmolStr, Type, Value};

use super::expression::content;

/// The two values from which the document of a planned object with secrets is written.
#[derive(Clone, Debug)]
pub(super) struct Public {
    /// The object whose known parts are written. Attributes that nobody sets have no marks.
    pub(super) known: Value,
    /// The object whose unknown parts are written. In addition, sets of blocks are sequences of their unknown attributes.
    pub(super) unknown: Value,
}

impl Public {
    /// Returns the public parts of an object that a body with this schema has made.
    pub(super) fn of(value: &Value, schema: &Schema, body: &Body) -> Public {
        let part = |form| PublicPart { schema, bodies: vec![body.clone()], form }.object(value);
        Public { known: part(Form::Known), unknown: part(Form::Unknown) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Known,
    Unknown,
}

/// Finds the public parts of objects of one type.
struct PublicPart<'s> {
    schema: &'s Schema,
    /// The bodies of all blocks that may have made the objects.
    bodies: Vec<Body>,
    form: Form,
}

/// The blocks of one type in several bodies.
struct BodiesOfType {
    bodies: Vec<Body>,
    is_generated: bool,
}

impl PublicPart<'_> {
    /// Returns the object with its public parts unmarked. The depth of the schema bounds the recursion.
    fn object(&self, value: &Value) -> Value {
        let Some(entries) = value.unmarked().as_entries().filter(|_| value.contains_marked()) else {
            return value.clone();
        };
        let part = |(name, value): (&SmolStr, &Value)| (name.clone(), self.part(name, value));
        Value::object(entries.iter().map(part).collect::<Vec<_>>()).with_marks(value.marks())
    }

    fn part(&self, name: &SmolStr, value: &Value) -> Value {
        match (self.schema.attributes().get(name), self.schema.blocks().get(name)) {
            (Some(attribute), _) => {
                let is_unset =
                    || attribute.sensitive && !self.bodies.iter().any(|body| self.sets(body, name));
                let is_public = value.unmarked().is_null() && (attribute.write_only || is_unset());
                if is_public { value.unmarked().clone() } else { value.clone() }
            }
            (None, Some(block)) if value.contains_marked() => self.blocks(name, block, value),
            (None, _) => value.clone(),
        }
    }

    fn sets(&self, body: &Body, name: &str) -> bool {
        content(body, Some(self.schema)).attributes.contains_key(name)
    }

    fn blocks(&self, name: &SmolStr, block: &SchemaBlock, value: &Value) -> Value {
        let BodiesOfType { bodies, is_generated } = self.blocks_of(name);
        let inner = value.unmarked();
        if value.is_marked() && block.nesting == Nesting::Set && self.form == Form::Unknown && !is_generated {
            let elements = inner.as_sequence().unwrap_or_default().iter();
            return Value::tuple(
                elements.map(|element| unknown_attributes(element, &block.schema)).collect::<Vec<_>>(),
            );
        }
        let one = PublicPart { schema: &block.schema, bodies, form: self.form };
        let object = |value: &Value| one.object(value);
        let changed = match (inner.as_sequence(), inner.as_entries(), block.nesting) {
            (Some(elements), ..) => Value::tuple(elements.iter().map(object).collect::<Vec<_>>()),
            (None, Some(entries), Nesting::Map) => labelled(entries, object),
            (None, Some(_), _) => object(inner),
            (None, None, _) => return value.clone(),
        };
        changed.with_marks(value.marks())
    }

    fn blocks_of(&self, name: &str) -> BodiesOfType {
        let mut found = BodiesOfType { bodies: Vec::new(), is_generated: false };
        for body in &self.bodies {
            for block in content(body, Some(self.schema)).blocks {
                if block.generated_type() != name {
                    continue;
                }
                match block.dynamic() {
                    Some(dynamic) => {
                        found.is_generated = true;
                        found.bodies.extend(dynamic.contents.iter().map(|content| content.body.clone()));
                    }
                    None => found.bodies.push(block.body.clone()),
                }
            }
        }
        found
    }
}

fn labelled(entries: &Entries, object: impl Fn(&Value) -> Value) -> Value {
    let block = |(label, value): (&SmolStr, &Value)| (label.clone(), object(value));
    Value::object(entries.iter().map(block).collect::<Vec<_>>())
}

/// Returns an object that only has the unknown attributes and the blocks of `value`, whose marks come from the set around it.
/// Attributes have no parts, because the keys of a map may be secrets.
fn unknown_attributes(value: &Value, schema: &Schema) -> Value {
    let unknown = || Value::unknown_from(Type::Dynamic, Origins::NONE);
    let part = |(name, value): (&SmolStr, &Value)| {
        let part = match (schema.blocks().get(name), value.unmarked().as_sequence()) {
            (Some(block), Some(elements)) => {
                let elements = elements.iter().map(|element| unknown_attributes(element, &block.schema));
                Some(Value::tuple(elements.collect::<Vec<_>>()))
            }
            (_, _) => (!value.is_wholly_known()).then(unknown),
        };
        Some((name.clone(), part?))
    };
    let entries = value.unmarked().as_entries();
    Value::object(entries.into_iter().flatten().filter_map(part).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets, schemas_from_json};

    const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {"resource_schemas": {"x_y": {
        "version": 0, "block": {
        "attributes": {"secret": {"type": "string", "optional": true, "sensitive": true},
            "other": {"type": "string", "optional": true, "sensitive": true},
            "once": {"type": "string", "optional": true, "write_only": true}, "id": {"type": "string", "computed": true}},
        "block_types": {
            "login": {"nesting_mode": "list", "block": {"attributes": {"name": {"type": "string", "optional": true},
                "password": {"type": "string", "optional": true, "sensitive": true}}}},
            "setting": {"nesting_mode": "set", "block": {"attributes": {"key": {"type": "string", "optional": true},
                "tags": {"type": ["map", "string"], "optional": true}, "value": {"type": "string", "optional": true}}}}}}}}}}}"#;

    const MAIN: &str = r#"
variable "password" {
  default   = "Mrk1"
  sensitive = true
}
variable "none" {
  type      = string
  default   = null
  sensitive = true
}
resource "x_y" "a" {
  other = var.none
  once  = var.password
  login { name = "n" }
  setting {
    key   = "a"
    value = var.password
    tags  = { Mrk2 = var.password }
  }
  setting { value = x_y.b.id }
}
resource "x_y" "b" {
  dynamic "setting" {
    for_each = toset([var.password, "b"])
    content { value = setting.key }
  }
}
"#;

    #[test]
    fn the_document_has_nulls_that_nobody_sets_and_the_number_of_written_blocks() {
        let files = MemoryFiles::from_iter([("main.tf", MAIN)]);
        let schemas = schemas_from_json(SCHEMAS).unwrap();
        let report = Project::new(".").schemas(&schemas).evaluate(&files);
        let text = report.plan(Secrets::Hidden, &files).unwrap().to_json();
        assert!(!text.contains("Mrk"), "{text}");
        let document: Json = serde_json::from_str(&text).unwrap();
        let change = |index: usize| &document["resource_changes"][index]["change"];
        let login = json!([{"name": "n", "password": null}]);
        assert_eq!(change(0)["after"], json!({"login": login, "once": null, "secret": null}));
        let unknown = json!({"id": true, "login": [{}], "setting": [{}, {"value": true}]});
        assert_eq!(change(0)["after_unknown"], unknown);
        assert_eq!(change(0)["after_sensitive"]["secret"], json!(true));
        assert_eq!(document["planned_values"]["root_module"]["resources"][0]["values"], change(0)["after"]);
        // The number of elements of a secret is not shown.
        assert_eq!(change(1)["after_unknown"], json!({"id": true, "login": []}));
    }
}
