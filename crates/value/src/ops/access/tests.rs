//! Tests of attribute and index access.

use super::*;
use crate::{Marks, ObjectBuilder, OriginKind, Origins};

fn number(value: i64) -> Value {
    Value::number(Number::literal(value))
}

fn list() -> Value {
    Value::list(Type::String, [Value::from("a"), Value::from("b")])
}

fn map() -> Value {
    Value::map(Type::Number, [("region".into(), number(1))])
}

fn sensitive(value: Value) -> Value {
    value.with_marks(&Marks::sensitive())
}

fn kind(result: Result<Value, ValueError>) -> ValueErrorKind {
    result.unwrap_err().kind
}

fn subjects(value: &Value) -> Vec<&str> {
    value.origins().as_slice().iter().map(|origin| &*origin.subject).collect()
}

#[test]
fn keys_are_converted() {
    assert_eq!(index(&list(), &Value::from("1")).unwrap().as_str(), Some("b"));
    let map = Value::map(Type::Number, [("true".into(), number(1))]);
    assert!(index(&map, &Value::TRUE).unwrap().same(&number(1)));
    let object = ObjectBuilder::new().with("1", "x").build();
    assert_eq!(index(&object, &number(1)).unwrap().as_str(), Some("x"));
}

#[test]
fn missing_elements_are_errors() {
    for key in [number(2), number(-1), Value::number(Number::parse("0.5").unwrap()), Value::from("x")] {
        assert_eq!(kind(index(&list(), &key)), ValueErrorKind::InvalidIndex, "{key:?}");
    }
    assert_eq!(kind(index(&map(), &Value::from("x"))), ValueErrorKind::InvalidIndex);
    assert_eq!(kind(index(&Value::NULL, &number(0))), ValueErrorKind::IndexOfNull);
    assert_eq!(kind(index(&list(), &Value::NULL)), ValueErrorKind::InvalidIndex);
    let set = Value::set(Type::Bool, [Value::TRUE]);
    assert_eq!(kind(index(&set, &number(0))), ValueErrorKind::InvalidIndex);
    assert_eq!(kind(index(&number(1), &number(0))), ValueErrorKind::InvalidIndex);
    assert_eq!(kind(attribute(&map(), "x")), ValueErrorKind::MissingMapElement);
    assert_eq!(kind(attribute(&Value::NULL, "x")), ValueErrorKind::AttributeOfNull);
    assert_eq!(kind(attribute(&list(), "x")), ValueErrorKind::UnsupportedAttribute);
}

#[test]
fn the_name_that_was_probably_meant_is_suggested_unless_it_is_marked() {
    let error = attribute(&map(), "regoin").unwrap_err();
    assert!(error.hints.is_empty());
    let error = error.with_suggestions();
    assert_eq!(error.hints, ["Did you mean \"region\"?"]);
    let hidden = attribute(&sensitive(map()), "regoin").unwrap_err();
    assert!(hidden.with_suggestions().hints.is_empty());
}

#[test]
fn the_names_beside_an_unlike_one_are_listed_unless_they_are_marked() {
    let suggested = |found: Result<Value, ValueError>| found.unwrap_err().with_suggestions().hints;
    let hints = |names: &[&str], wanted: &str| {
        let map = Value::map(Type::Number, names.iter().map(|name| ((*name).into(), number(1))));
        let key = Value::from(wanted);
        assert!(suggested(index(&sensitive(map.clone()), &key)).is_empty());
        assert!(suggested(index(&map, &sensitive(key.clone()))).is_empty());
        suggested(index(&map, &key)).join(" ")
    };
    assert_eq!(hints(&[], "zone"), "");
    assert_eq!(hints(&["region"], "zone"), "There is only \"region\".");
    assert_eq!(hints(&["b", "a"], "zone"), "There are: \"a\", \"b\".");
    assert_eq!(hints(&["eu-1", "eu-2", "us-1"], "eu-3"), "There are: \"eu-1\", \"eu-2\", \"us-1\".");
    let many = ["dev-a", "dev-b", "prod-a", "prod-b", "prod-c", "test-a", "test-b"];
    let listed = "There are 7, such as \"prod-a\", \"prod-b\", \"prod-c\", \"test-a\", \"test-b\".";
    assert_eq!(hints(&many, "production"), listed);
    let first = "There are 7, such as \"dev-a\", \"dev-b\", \"prod-a\", \"prod-b\", \"prod-c\".";
    assert_eq!(hints(&many, "a"), first);
    let long = "x".repeat(50);
    assert_eq!(hints(&[&long], "a"), format!("There is only \"{}…\".", "x".repeat(40)));
    let object = || ObjectBuilder::new().with("x", "1").with("y", "2").build();
    assert_eq!(suggested(index(&object(), &number(0))), ["There are: \"x\", \"y\"."]);
    assert!(suggested(index(&sensitive(object()), &number(0))).is_empty());
    let error = index(&list(), &number(7)).unwrap_err();
    assert_eq!(error.message, "There is no element with the key 7: the last one has the key 1.");
}

#[test]
fn marks_of_collection_and_key_go_to_the_element() {
    assert!(index(&sensitive(list()), &number(0)).unwrap().is_marked());
    assert!(index(&list(), &sensitive(number(0))).unwrap().is_marked());
    assert!(attribute(&sensitive(map()), "region").unwrap().is_marked());
    let object = ObjectBuilder::new().with("a", "x").build();
    assert!(!index(&object, &sensitive(Value::from("a"))).unwrap().is_marked());
}

#[test]
fn unknown_collections_give_unknown_elements_of_their_type() {
    let origins = Origins::one(OriginKind::Variable, "var.a");
    let unknown = Value::unknown_from(Type::list(Type::Bool), origins);
    let element = index(&unknown, &number(3)).unwrap();
    assert_eq!(element.ty(), Type::Bool);
    assert_eq!(subjects(&element), ["var.a"]);
    let tuple = Value::unknown(Type::tuple([Type::Bool]));
    assert_eq!(index(&tuple, &number(0)).unwrap().ty(), Type::Bool);
    assert_eq!(kind(index(&tuple, &number(1))), ValueErrorKind::InvalidIndex);
    let key = Value::unknown(Type::Number);
    assert_eq!(index(&list(), &key).unwrap().ty(), Type::String);
    assert_eq!(index(&Value::tuple([Value::TRUE]), &key).unwrap().ty(), Type::Dynamic);
    assert_eq!(kind(attribute(&Value::unknown(Type::String), "x")), ValueErrorKind::UnsupportedAttribute);
}

#[test]
fn open_objects_give_configured_attributes() {
    let origins = Origins::one(OriginKind::ResourceAttribute, "aws_vpc.main");
    let attributes = [("cidr".into(), Value::from("10.0.0.0/16")), ("name".into(), Value::NULL)];
    let vpc = Value::open_object(attributes.into_iter().collect(), origins.clone());
    assert_eq!(attribute(&vpc, "cidr").unwrap().as_str(), Some("10.0.0.0/16"));
    assert_eq!(index(&vpc, &Value::from("cidr")).unwrap().as_str(), Some("10.0.0.0/16"));
    assert_eq!(subjects(&attribute(&vpc, "id").unwrap()), ["aws_vpc.main.id"]);
    assert!(attribute(&vpc, "name").unwrap().is_null());

    let blocks = Value::open_sequence(vec![vpc], origins);
    assert_eq!(
        attribute(&index(&blocks, &number(0)).unwrap(), "cidr").unwrap().as_str(),
        Some("10.0.0.0/16")
    );
    assert_eq!(attribute(&blocks, "cidr").unwrap().as_str(), Some("10.0.0.0/16"));
    assert_eq!(subjects(&index(&blocks, &number(1)).unwrap()), ["aws_vpc.main[1]"]);
}

#[test]
fn presence_of_keys() {
    let has = |collection: &Value, key: &Value| has_index(collection, key).unwrap().as_bool();
    assert_eq!(has(&list(), &number(1)), Some(true));
    assert_eq!(has(&list(), &number(2)), Some(false));
    assert_eq!(has(&list(), &Value::from("1")), Some(false));
    assert_eq!(has(&map(), &Value::from("region")), Some(true));
    assert_eq!(has(&Value::unknown(Type::map(Type::Bool)), &Value::from("a")), None);
    assert!(has_index(&Value::TRUE, &number(0)).is_none());
}
