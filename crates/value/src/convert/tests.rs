//! Tests of conversion.

use super::*;
use crate::{Marks, ObjectBuilder, ObjectType, OriginKind, Origins};

fn number(value: i64) -> Value {
    Value::number(Number::literal(value))
}

fn object_type(attributes: &[(&str, Type)], optional: &[&str]) -> Type {
    Type::Object(
        ObjectType::with_optional(
            attributes.iter().map(|(name, ty)| ((*name).into(), ty.clone())),
            optional.iter().map(|name| (*name).into()),
        )
        .into(),
    )
}

fn error(value: &Value, want: &Type) -> String {
    convert(value, want).unwrap_err().to_string()
}

#[test]
fn primitive_types() {
    assert_eq!(convert(&number(15), &Type::String).unwrap().as_str(), Some("15"));
    assert_eq!(convert(&Value::TRUE, &Type::String).unwrap().as_str(), Some("true"));
    assert!(convert(&Value::from("015"), &Type::Number).unwrap().same(&number(15)));
    assert_eq!(convert(&Value::from("1"), &Type::Bool).unwrap().as_bool(), Some(true));
    assert_eq!(error(&Value::from("x"), &Type::Number), "a number is required");
    assert_eq!(error(&number(1), &Type::Bool), "a bool is required, not a number");
    assert_eq!(convert(&Value::from("True"), &Type::Bool).unwrap_err().hints.len(), 1);
}

#[test]
fn tuples_become_collections_of_one_type() {
    let tuple = Value::tuple([Value::from("a"), number(1), Value::NULL]);
    let list = convert(&tuple, &Type::list(Type::Dynamic)).unwrap();
    assert_eq!(list.ty(), Type::list(Type::String));
    assert_eq!(list.as_sequence().unwrap()[2].ty(), Type::String);
    let nested = Value::tuple([Value::tuple([number(1)]), Value::tuple([])]);
    let list = convert(&nested, &Type::list(Type::Dynamic)).unwrap();
    assert_eq!(list.ty().to_string(), "list(list(number))");
    assert_eq!(convert(&Value::tuple([]), &Type::list(Type::Dynamic)).unwrap().ty().to_string(), "list(any)");
    let mixed = Value::tuple([number(1), Value::TRUE]);
    assert_eq!(error(&mixed, &Type::list(Type::Dynamic)), "all elements must have one type");
    let bad = Value::tuple([number(1), Value::tuple([])]);
    assert_eq!(error(&bad, &Type::list(Type::String)), "[1]: a string is required, not a tuple");
    assert_eq!(
        error(&Value::tuple([Value::from("x")]), &Type::list(Type::Number)),
        "[0]: a number is required"
    );
}

#[test]
fn there_is_no_way_from_a_list_or_set_to_a_tuple() {
    let want = Type::tuple([Type::String]);
    assert!(convert(&Value::list(Type::String, [Value::from("a")]), &want).is_err());
    assert!(convert(&Value::set(Type::String, [Value::from("a")]), &want).is_err());
    assert!(!can_convert(&Type::list(Type::String), &want));
}

#[test]
fn objects_lose_extra_and_gain_optional_attributes() {
    let value = ObjectBuilder::new().with("a", number(1)).with("z", "z").build();
    let want = object_type(&[("a", Type::String), ("b", Type::Bool)], &["b"]);
    let converted = convert(&value, &want).unwrap();
    assert_eq!(converted.ty().to_string(), "object({a=string,b=bool})");
    assert!(converted.as_entries().unwrap().get("b").unwrap().is_null());
    assert_eq!(error(&value, &object_type(&[("c", Type::Bool)], &[])), "the attribute \"c\" is missing");
    let want = object_type(&[("a", Type::Bool)], &[]);
    assert_eq!(error(&value, &want), ".a: a bool is required, not a number");
}

#[test]
fn maps_become_objects_where_the_keys_are_there() {
    let map = Value::map(Type::String, [("a".into(), Value::from("5")), ("z".into(), Value::from("x"))]);
    let want = object_type(&[("a", Type::Number), ("l", Type::list(Type::String))], &["l"]);
    assert!(convert(&map, &want).unwrap().as_entries().unwrap().get("a").unwrap().same(&number(5)));
    assert!(convert(&map, &object_type(&[("b", Type::String)], &[])).is_err());
    let want = object_type(&[("z", Type::list(Type::String))], &["z"]);
    assert_eq!(error(&map, &want), "[\"z\"]: a list of string is required, not a string");
}

#[test]
fn elements_with_dynamic_parts_are_brought_together() {
    let objects = |a: Value, b: Value| {
        let wrap = |value: Value| ObjectBuilder::new().with("v", value).build();
        ObjectBuilder::new().with("a", wrap(a)).with("b", wrap(b)).build()
    };
    let want = Type::map(object_type(&[("v", Type::Dynamic)], &[]));
    let converted = convert(&objects(number(1), Value::from("x")), &want).unwrap();
    assert_eq!(converted.ty().to_string(), "map(object({v=string}))");
    assert!(convert(&objects(number(1), Value::tuple([])), &want).is_err());
    let lists = ObjectBuilder::new()
        .with("a", Value::tuple([number(1)]))
        .with("b", Value::tuple([Value::from("x")]))
        .build();
    let converted = convert(&lists, &Type::map(Type::list(Type::Dynamic))).unwrap();
    assert_eq!(converted.ty().to_string(), "map(list(string))");
}

#[test]
fn marks_stay_where_they_are_but_move_to_sets() {
    let sensitive = |value: Value| value.with_marks(&Marks::sensitive());
    let tuple = Value::tuple([sensitive(number(1)), number(2)]);
    let list = convert(&tuple, &Type::list(Type::String)).unwrap();
    assert!(!list.is_marked() && list.as_sequence().unwrap()[0].is_marked());
    assert!(convert(&tuple, &Type::set(Type::String)).unwrap().is_marked());
    assert!(convert(&sensitive(number(1)), &Type::String).unwrap().is_marked());
}

#[test]
fn unknowns_keep_valid_refinements() {
    let tuple = Value::unknown(Type::tuple([Type::Bool, Type::Bool]));
    let list = convert(&tuple, &Type::list(Type::String)).unwrap();
    assert_eq!(list.range().length_max, Some(2));
    assert!(!list.is_never_null());
    let list = convert(&tuple.clone().not_null(), &Type::list(Type::String)).unwrap();
    assert_eq!(list.as_sequence().unwrap().len(), 2, "of a known length");
    let set = convert(&tuple, &Type::set(Type::Dynamic)).unwrap();
    assert_eq!(set.ty().to_string(), "set(bool)");
    assert_eq!((set.range().length_min, set.range().length_max), (1, Some(2)));
    let string = convert(&Value::unknown(Type::Number).not_null(), &Type::String).unwrap();
    assert!(string.is_never_null());
    let null = convert(&Value::null(Type::tuple([Type::Bool])), &Type::list(Type::Dynamic)).unwrap();
    assert_eq!(null.ty().to_string(), "list(bool)");
}

#[test]
fn a_set_with_unknown_elements_has_no_known_list() {
    let set = Value::set(Type::String, [Value::unknown(Type::String), Value::from("a")]);
    let list = convert(&set, &Type::list(Type::String)).unwrap();
    assert!(!list.is_known());
    let one = Value::set(Type::String, [Value::unknown(Type::String)]);
    assert!(convert(&one, &Type::list(Type::String)).unwrap().is_known());
}

#[test]
fn open_objects_keep_configured_attributes() {
    let origins = Origins::one(OriginKind::ResourceAttribute, "aws_vpc.main");
    let attributes = [("cidr".into(), Value::from("10.0.0.0/16")), ("ttl".into(), Value::from("x"))];
    let vpc = Value::open_object(attributes.into_iter().collect(), origins);
    let want = object_type(&[("cidr", Type::String), ("id", Type::String), ("ttl", Type::Number)], &[]);
    let converted = convert(&vpc, &want).unwrap();
    let attribute = |name: &str| converted.as_entries().unwrap().get(name).unwrap().clone();
    assert_eq!(attribute("cidr").as_str(), Some("10.0.0.0/16"));
    assert_eq!(attribute("id").ty(), Type::String);
    assert_eq!(&*attribute("id").origins().as_slice()[0].subject, "aws_vpc.main.id");
    assert!(!attribute("ttl").is_known());
    assert!(!convert(&vpc, &Type::map(Type::String)).unwrap().is_known());
}

#[test]
fn deep_values_are_converted() {
    let deep = (0..usize::from(crate::MAX_DEPTH) - 1).fold(number(1), |inner, _| Value::tuple([inner]));
    let want = (0..usize::from(crate::MAX_DEPTH) - 1).fold(Type::String, |inner, _| Type::list(inner));
    assert_eq!(convert(&deep, &want).unwrap().ty(), want);
}

#[test]
fn deep_values_are_unified() {
    let nest =
        |value: Value| (0..usize::from(crate::MAX_DEPTH) - 2).fold(value, |inner, _| Value::tuple([inner]));
    let both = Value::tuple([nest(number(1)), nest(Value::from("a"))]);
    let list = convert(&both, &Type::list(Type::Dynamic)).unwrap();
    assert_eq!(list.depth(), crate::MAX_DEPTH - 1);
}

#[test]
fn a_number_without_decimal_text_is_no_string() {
    let number = |text| Value::number(Number::parse(text).unwrap());
    assert_eq!(convert(&number("1e600000"), &Type::String).unwrap().as_str().map(str::len), Some(600_001));
    assert!(convert(&number("1e700000"), &Type::String).is_err());
    let both = Value::tuple([number("1e700000"), Value::from("a")]);
    assert!(convert(&both, &Type::list(Type::Dynamic)).is_err());
}

#[test]
fn a_null_loses_its_marks_in_sets_and_objects() {
    let secret = || Value::null(Type::String).with_marks(&Marks::sensitive());
    let marked = |value: &Value, want: &Type| convert(value, want).unwrap().contains_marked();
    let tuple = Value::tuple([secret(), Value::from("a")]);
    assert!(marked(&tuple, &Type::list(Type::String)));
    assert!(!marked(&tuple, &Type::set(Type::String)));
    let list = convert(&tuple, &Type::list(Type::String)).unwrap();
    assert!(marked(&list, &Type::list(Type::String)));
    assert!(!marked(&list, &Type::list(Type::Dynamic)));
    let object = Value::object([("a".into(), secret())]);
    assert!(marked(&object, &Type::map(Type::String)));
    assert!(marked(&object, &object_type(&[("a", Type::String)], &[])));
    assert!(!marked(&object, &object_type(&[("a", Type::String), ("b", Type::Bool)], &["b"])));
    let map = convert(&object, &Type::map(Type::String)).unwrap();
    assert!(!marked(&map, &object_type(&[("a", Type::String)], &[])));
}

#[test]
fn an_unknown_map_becomes_an_object_whatever_its_elements_are() {
    let map = Value::unknown(Type::map(Type::tuple([])));
    let want = object_type(&[("a", Type::tuple([Type::Bool]))], &["a"]);
    let converted = convert(&map, &want).unwrap();
    assert_eq!(converted.ty(), want.without_optional());
    assert!(convert(&converted, &want).unwrap().same(&converted));
}

#[test]
fn keys_inside_of_marked_values_are_not_said() {
    let secret = |value: Value| Value::object([("hunter2".into(), value)]).with_marks(&Marks::sensitive());
    let wanted = Type::map(Type::String);
    let error = convert(&secret(Value::tuple([])), &wanted).unwrap_err();
    assert!(error.path.is_root(), "{}", error.path);
    let outer = Value::object([("a".into(), secret(Value::tuple([])))]);
    let error = convert(&outer, &Type::object([("a".into(), wanted)])).unwrap_err();
    assert_eq!(error.path.to_string(), ".a");
}

#[test]
fn texts_that_become_numbers_are_work() {
    let text = Value::from("7".repeat(10_000));
    let one = Number::work_to_read(text.as_str().unwrap());
    let work = |value: &Value, want: &Type| work_to_read_numbers(value, want, u64::MAX);
    let list = Value::tuple([text.clone(), text.clone(), Value::from("1")]);
    assert_eq!(work(&list, &Type::list(Type::Number)), 2 * one);
    assert_eq!(work(&list, &Type::tuple([Type::String, Type::Number, Type::Number])), one);
    assert_eq!(work(&list, &Type::list(Type::String)), 0);
    let object = Value::object([("a".into(), text.clone()), ("b".into(), list)]);
    let ty = Type::object([("a".into(), Type::Number), ("b".into(), Type::set(Type::Number))]);
    assert_eq!(work(&object, &ty), 3 * one);
    assert_eq!(work(&object.with_marks(&Marks::sensitive()), &ty), 3 * one);
    // The search ends behind the limit.
    let many = Value::tuple(vec![text; 1000]);
    let found = work_to_read_numbers(&many, &Type::list(Type::Number), 5 * one);
    assert!((5 * one + 1..=7 * one).contains(&found), "{found}");
}
