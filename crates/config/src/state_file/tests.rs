//! Tests of states that cannot be read, and of the formats of readable ones.

use terrane_value::{Type, Value};

use super::{outputs_from_json, state_from_json, stored_outputs};
use crate::address::{InstanceKey, ResourceMode};
use crate::state::{State, StateForm};

fn error(text: &str) -> String {
    state_from_json(text).expect_err(text).to_string()
}

fn addresses(state: &State) -> Vec<String> {
    let instances = |resource: &crate::state::StateResource| {
        let module = resource.module.clone();
        let object = |key: &InstanceKey| resource.object(key.clone());
        let address = |key| crate::Address { module: module.clone(), object: object(key) }.to_string();
        resource.instances.iter().map(|instance| address(&instance.key)).collect::<Vec<_>>()
    };
    state.resources.iter().flat_map(instances).collect()
}

const PROVIDER: &str = r#""provider": "module.a.provider[\"registry.terraform.io/acme/demo\"].east""#;

/// Returns a file with one resource of these instances.
fn file(instances: &str) -> String {
    format!(
        r#"{{"version": 4, "resources": [{{"module": "module.a[\"x.y\"].module.b[0]", "mode": "data", "type": "demo_thing", "name": "n",
            {PROVIDER}, "instances": [{instances}]}}]}}"#
    )
}

#[test]
fn files_are_read() {
    let state = state_from_json(&file(
        r#"{"index_key": 3, "schema_version": 2, "status": "tainted", "attributes": {"id": "x"}, "dependencies": ["a.b"],
            "sensitive_attributes": [[{"type": "get_attr", "value": "id"}]], "private": "bnVsbA==", "future": {}},
           {"index_key": 3, "deposed": "abcdef01", "attributes": {"id": "y"}}"#,
    ))
    .unwrap();
    assert_eq!(addresses(&state), [r#"module.a["x.y"].module.b[0].data.demo_thing.n[3]"#; 2]);
    let resource = &state.resources.as_slice()[0];
    assert_eq!((resource.mode, &*resource.provider), (ResourceMode::Data, "registry.terraform.io/acme/demo"));
    let [first, second] = resource.instances.as_slice() else { panic!("two instances") };
    assert!(first.is_tainted && first.deposed.is_none() && first.schema_version == 2);
    assert_eq!((&*first.dependencies[0], first.form), ("a.b", StateForm::File));
    assert!(first.untyped().unwrap().as_entries().unwrap().get("id").unwrap().is_marked());
    assert_eq!(second.deposed.as_deref(), Some("abcdef01"));
    assert!(!second.untyped().unwrap().contains_marked());
}

#[test]
fn an_object_has_a_limited_number_of_values() {
    let object = |list: &str| file(&format!(r#"{{"index_key": 3, "attributes": {{"l": [{list}"a"]}}}}"#));
    let values = "1,".repeat(1 << 19);
    let wrong = error(&object(&values));
    assert!(wrong.ends_with("n[3]: the object has more than 524288 values"), "{wrong}");
    let outputs = |value: &str| {
        format!(r#"{{"version": 4, "outputs": {{"o": {{"value": {value}, "type": "dynamic"}}}}}}"#)
    };
    let wrong = error(&outputs(&format!("[{values}1]")));
    assert!(wrong.ends_with("the outputs have more than 524288 values together"), "{wrong}");
    let empty = "[],".repeat(1 << 21);
    let wrong = error(&object(&empty));
    assert_eq!(wrong, "the file has more than 2097152 values");
    // Commas and brackets in strings are not values.
    let texts = format!(r#""{}","#, r#",[{\""#.repeat(1 << 19));
    assert!(state_from_json(&object(&texts)).is_ok());
}

#[test]
fn the_digits_of_all_numbers_have_a_limit() {
    let object =
        |numbers: &str| file(&format!(r#"{{"index_key": 3, "attributes": {{"l": [{numbers}true]}}}}"#));
    let digits = "1".repeat(400_000);
    for number in [&digits, "1e400000", "-1.5E-400000"] {
        assert!(state_from_json(&object(&format!("{number},").repeat(10))).is_ok(), "{number:.20}");
        let wrong = error(&object(&format!("{number},").repeat(20)));
        assert!(wrong.starts_with("the numbers of the file have too many digits"), "{number:.20}: {wrong}");
    }
    // Digits in strings are no numbers, and numbers beyond all texts are not written.
    for value in [format!("\"{digits}\\\"e1\","), "1e40000000,".to_owned(), "1e12,-0.25,".repeat(1000)] {
        assert!(state_from_json(&object(&value.repeat(30))).is_ok(), "{value:.20}");
    }
}

#[test]
fn paths_of_sensitive_parts_are_whole() {
    let of = |paths: &str| {
        file(&format!(r#"{{"attributes": {{"id": "hunter2", "b": [1]}}, "sensitive_attributes": {paths}}}"#))
    };
    let address = r#"module.a["x.y"].module.b[0].data.demo_thing.n"#;
    for (paths, expected) in [
        (
            r#"[[{"type": "splat", "value": "id"}]]"#,
            r#"`sensitive_attributes` has a step of the type "splat", which is neither `get_attr` nor `index`"#,
        ),
        (
            r#"[[{"type": "get_attr", "value": "b"}, {"type": "", "value": 0}]]"#,
            r#"`sensitive_attributes` has a step of the type "", which is neither `get_attr` nor `index`"#,
        ),
        (
            r#"[[{"type": "get_attr", "value": 5}]]"#,
            "`sensitive_attributes` has a step `get_attr` whose value is no name, number or key",
        ),
        (
            r#"[[{"type": "index", "value": {"value": true}}]]"#,
            "`sensitive_attributes` has a step `index` whose value is no name, number or key",
        ),
    ] {
        assert_eq!(error(&of(paths)), format!("{address}: {expected}"));
    }
    // A path without steps means the whole object.
    let state = state_from_json(&of("[[]]")).unwrap();
    let value = state.resources.as_slice()[0].instances.as_slice()[0].untyped().unwrap();
    let attributes: Vec<_> = value.as_entries().unwrap().iter().map(|(_, value)| value.is_marked()).collect();
    assert_eq!(attributes, [true, true]);
}

#[test]
fn an_instance_has_one_change_in_a_plan() {
    let change =
        r#"{"mode": "managed", "type": "demo_thing", "name": "a", "change": {"after": {"size": 1}}}"#;
    let plan = |changes: &str| {
        super::plan_from_json(&format!(
            r#"{{"format_version": "1.2", "planned_values": {{}}, "resource_changes": [{changes}]}}"#
        ))
    };
    assert!(plan(change).is_ok());
    let error = plan(&format!("{change}, {change}")).unwrap_err().to_string();
    assert_eq!(error, "demo_thing.a: the plan has two changes of this instance");
}

#[test]
fn an_instance_has_one_object() {
    let object = r#"{"index_key": 3, "attributes": {"id": "hunter2"}}"#;
    let twice =
        r#"module.a["x.y"].module.b[0].data.demo_thing.n[3]: the state has two objects for this instance"#;
    assert_eq!(error(&file(&format!("{object}, {object}"))), twice);
    let wrong = error(&file(r#"{"index_key": 3, "attributes": ["hunter2"]}"#));
    assert!(wrong.ends_with("n[3]: its attributes are no object"), "{wrong}");
}

#[test]
fn outputs_have_their_recorded_types() {
    let state = state_from_json(
        r#"{"version": 4, "outputs": {
            "s": {"value": ["b", "a"], "type": ["set", "string"]},
            "any": {"value": {"value": ["b"], "type": ["set", "string"]}, "type": "dynamic"},
            "k": {"value": "v", "type": "string", "sensitive": true}}}"#,
    )
    .unwrap();
    assert_eq!(state.outputs["s"].value.ty(), Type::set(Type::String));
    assert_eq!(state.outputs["any"].value.ty(), Type::set(Type::String));
    assert!(state.outputs["k"].is_sensitive && !state.outputs["s"].is_sensitive);
    let wrong = r#"{"version": 4, "outputs": {"s": {"value": "hidden", "type": "number"}}}"#;
    assert_eq!(error(wrong), "output.s: its value does not fit its type");
    let wrong = r#"{"version": 4, "outputs": {"s": {"value": "hidden", "type": "text"}}}"#;
    assert_eq!(error(wrong), "output.s: its type is not the JSON form of a type");
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(200_000), close.repeat(200_000));
    let value =
        format!(r#"{{"version": 4, "outputs": {{"s": {{"value": {}, "type": "string"}}}}}}"#, deep("[", "]"));
    assert_eq!(error(&value), "output.s: its value is nested more than 500 levels deep");
    let ty = format!(r#"{{"version": 4, "outputs": {{"s": {{"value": 1, "type": {}}}}}}}"#, deep("[", "]"));
    assert_eq!(error(&ty), "output.s: its type is nested more than 500 levels deep");
    let serial = format!(r#"{{"version": 4, "resources": {}}}"#, deep("{\"a\":", "}"));
    assert!(error(&serial).starts_with("it is not a state: "), "{}", error(&serial));
    let sensitive = format!(
        r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [{{"mode": "managed", "type": "a_b", "name": "c",
            "sensitive_values": {}}}]}}}}}}"#,
        deep("[", "]")
    );
    assert!(
        error(&sensitive).starts_with("it is nested too deeply: more than 127 brackets"),
        "{}",
        error(&sensitive)
    );
}

#[test]
fn addresses_of_modules_have_a_limit() {
    let path = |depth: usize| vec!["module.m[\"k\"]"; depth].join(".");
    let file = |address: &str| {
        format!(
            r#"{{"version": 4, "resources": [{{"module": {address:?}, "mode": "managed", "type": "a_b", "name": "c",
                "instances": [{{"attributes": {{"id": "1"}}}}]}}]}}"#
        )
    };
    let state = state_from_json(&file(&path(100))).unwrap();
    assert_eq!(state.resources.as_slice()[0].module.steps().len(), 100);
    for depth in [101, 20_000] {
        let error = state_from_json(&file(&path(depth))).unwrap_err().to_string();
        assert!(error.starts_with("\"module.m[") && error.len() < 400, "{error}");
        assert!(
            error.ends_with("\"... is not the address of a module instance of at most 100 module calls"),
            "{error}"
        );
    }
    let error = state_from_json(&file(&"x.".repeat(20_000))).unwrap_err().to_string();
    assert!(error.ends_with("x.\"... is not the address of a module instance"), "{error}");
}

#[test]
fn documents_are_read() {
    let state = state_from_json(
        r#"{"format_version": "1.0", "terraform_version": "1.11.4", "values": {
            "outputs": {"o": {"sensitive": false, "value": 1, "type": "number"}},
            "root_module": {
                "resources": [
                    {"address": "a_b.c[\"k\"]", "mode": "managed", "type": "a_b", "name": "c", "index": "k",
                     "provider_name": "registry.terraform.io/hashicorp/a", "schema_version": 1, "tainted": true,
                     "values": {"id": "1", "list": [1, 2]}, "sensitive_values": {"list": [false, true]}},
                    {"address": "a_b.c[\"l\"]", "mode": "managed", "type": "a_b", "name": "c", "index": "l",
                     "values": {"id": "2"}, "sensitive_values": {}}
                ],
                "child_modules": [{"address": "module.m", "child_modules": [{"address": "module.m.module.n[1]", "resources": [
                    {"address": "x", "mode": "data", "type": "a_b", "name": "d", "deposed_key": "00000000", "values": {}}
                ]}]}]
            }}}"#,
    )
    .unwrap();
    let expected = [r#"a_b.c["k"]"#, r#"a_b.c["l"]"#, "module.m.module.n[1].data.a_b.d"];
    assert_eq!(addresses(&state), expected);
    assert_eq!((state.resources.len(), state.serial), (2, None));
    let first = &state.resources.as_slice()[0].instances.as_slice()[0];
    assert!(first.is_tainted && first.form == StateForm::Document && first.schema_version == 1);
    let list = first.untyped().unwrap().as_entries().unwrap().get("list").unwrap().clone();
    let marked: Vec<bool> = list.as_sequence().unwrap().iter().map(Value::is_marked).collect();
    assert_eq!(marked, [false, true]);
    assert!(state.resources.as_slice()[1].instances.as_slice()[0].deposed.is_some());
}

#[test]
fn empty_states_are_states() {
    for text in ["", " \n", r#"{"version": 4}"#, r#"{"format_version": "1.0"}"#] {
        let state = state_from_json(text).unwrap();
        assert!(state.resources.is_empty() && state.outputs.is_empty(), "{text}");
    }
}

#[test]
fn other_formats_are_named() {
    for (text, expected) in [
        (r#"{"version": 3, "modules": []}"#, "a format from before Terraform 0.12"),
        (r#"{"version": 3, "backend": {"type": "s3", "config": {}}}"#, "in the backend \"s3\""),
        (r#"{"version": 5}"#, "the version is 5"),
        (r#"{"version": "four and some more text"}"#, "the version is no whole number"),
        (r#"{"version": "hunter2"}"#, "the version is no whole number"),
        (r#"{"resources": []}"#, "neither `version` nor `format_version`"),
        (r#"{"format_version": "2.0"}"#, "the format version of the document is not supported"),
        (r#"{"format_version": "1.2", "resource_changes": []}"#, "the document of a plan"),
        (
            r#"{"serial": 1, "lineage": "l", "meta": {}, "encrypted_data": "AAAA", "encryption_version": "v0"}"#,
            "encrypted by OpenTofu",
        ),
    ] {
        assert!(error(text).contains(expected), "{text}: {}", error(text));
    }
}

#[test]
fn damaged_states_are_errors_without_their_values() {
    let whole = file(r#"{"attributes": {"password": "hunter2"}}"#);
    for end in (1..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        assert!(error(&whole[..end]).contains("cut off"), "{end}: {}", error(&whole[..end]));
    }
    for text in [
        file(r#"{"attributes": {}, "schema_version": "hunter2"}"#),
        file(r#"{"attributes": {}, "status": "hunter2"}"#),
        file(r#"{"index_key": ["hunter2"]}"#),
        r#"{"version": 4, "resources": "hunter2"}"#.to_owned(),
        r#"{"version": 4, "serial": "hunter2"}"#.to_owned(),
        "hunter2".to_owned(),
    ] {
        assert!(!error(&text).contains("hunter2"), "{}", error(&text));
    }
}

#[test]
fn attributes_of_an_old_form_need_a_type() {
    let state = state_from_json(&file(r#"{"attributes_flat": {"a": "1"}}"#)).unwrap();
    let object = &state.resources.as_slice()[0].instances.as_slice()[0];
    assert_eq!(object.form, StateForm::Legacy);
    assert!(object.untyped().unwrap_err().message.contains("before Terraform 0.12"));
    let typed = object.value(&Type::object([("a".into(), Type::Number)])).unwrap();
    assert!(typed.same(&Value::object([("a".into(), Value::from(1))])));
    assert!(error(&file(r#"{"attributes_flat": ["hunter2"]}"#)).contains("its attributes are no object"));
    let both =
        state_from_json(&file(r#"{"attributes_flat": {"a": "1"}, "attributes": {"a": "1"}}"#)).unwrap();
    assert_eq!(both.resources.as_slice()[0].instances.as_slice()[0].form, StateForm::File);
}

#[test]
fn hostile_states_are_errors() {
    assert!(error(&file(r#"{"index_key": 1000000}"#)).contains("is too large"));
    assert!(error(r#"{"version": 4, "resources": [{"module": "module.a + 1", "mode": "managed", "type": "a", "name": "b"}]}"#)
        .contains("not the address of a module instance"));
    let open = "[".repeat(100_000);
    assert!(error(&format!(r#"{{"version": 4, "resources": {open}"#)).contains("line 1"));
    // The depth of attributes is checked when they are decoded.
    let deep = format!("{open}{}", "]".repeat(100_000));
    let state = state_from_json(&file(&format!(r#"{{"attributes": {{"a": {deep}}}}}"#))).unwrap();
    assert!(state.resources.as_slice()[0].instances.as_slice()[0].untyped().is_err());
}

#[test]
fn outputs_alone_are_read() {
    let names = |text: &str| {
        let outputs = outputs_from_json(text).unwrap();
        outputs
            .iter()
            .map(|(name, output)| format!("{name}: {}", output.value.ty()))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let file =
        r#"{"version": 4, "outputs": {"s": {"value": ["b"], "type": ["set", "string"]}}, "resources": 7}"#;
    assert_eq!(names(file), "s: set(string)");
    assert_eq!(stored_outputs(file).unwrap().len(), 1);
    let document = r#"{"format_version": "1.0", "values": {"outputs": {"n": {"sensitive": true, "value": 1, "type": "number"}}}}"#;
    assert_eq!(names(document), "n: number");
    assert!(stored_outputs(document).unwrap_err().to_string().contains("a backend stores state files"));
    let printed = r#"{
        "version": {"sensitive": false, "type": "number", "value": 4},
        "backend": {"sensitive": false, "type": ["list", "string"], "value": []}
    }"#;
    assert_eq!(names(printed), "backend: list(string), version: number");
    assert_eq!(names("{}"), "");
    assert_eq!(
        outputs_from_json("").unwrap_err().to_string(),
        "the file is empty, so there is no state in it"
    );
    let wrong = outputs_from_json(r#"{"a": {"sensitive": true, "type": "number", "value": "hunter2"}}"#);
    assert_eq!(wrong.unwrap_err().to_string(), "output.a: its value does not fit its type");
    assert!(outputs_from_json(r#"{"version": 5}"#).is_err() && outputs_from_json("[]").is_err());
    assert!(stored_outputs("").unwrap_err().to_string().contains("no JSON text"));
}

/// The types are those that Terraform 1.11.4 gives the outputs of such files.
#[test]
fn outputs_of_older_formats_have_implied_types() {
    let file = |version: u8, value: &str| {
        let output = format!(r#"{{"sensitive": true, "type": "list", "value": {value}}}"#);
        format!(
            r#"{{"version": {version}, "modules": [{{"path": ["root", "m"], "outputs": {{"inner": {output}}}}},
                {{"path": ["root"], "outputs": {{"o": {output}}}}}]}}"#
        )
    };
    for (value, ty) in [
        (r#""a""#, "string"),
        (r#""true""#, "string"),
        ("true", "bool"),
        ("1", "number"),
        ("null", "any"),
        ("[]", "tuple([])"),
        ("{}", "object({})"),
        (r#"["a", "b"]"#, "list(string)"),
        (r#"["a", 1]"#, "tuple([string,number])"),
        (r#"["a", null]"#, "tuple([string,any])"),
        ("[null, null]", "list(any)"),
        (r#"[["a"], ["b"]]"#, "list(list(string))"),
        (r#"[["a"], ["b", "c"]]"#, "tuple([tuple([string]),tuple([string,string])])"),
        (r#"[["a"], []]"#, "tuple([tuple([string]),tuple([])])"),
        ("[[], []]", "list(tuple([]))"),
        (r#"[[["a", "b"]]]"#, "list(list(list(string)))"),
        (r#"{"a": 1, "b": 2}"#, "map(number)"),
        (r#"{"a": 1, "b": "2"}"#, "object({a=number,b=string})"),
        (r#"{"a": null}"#, "map(any)"),
        (r#"{"a": {"x": "1"}, "b": {"x": "2"}}"#, "map(map(string))"),
        (r#"{"a": {"x": "1"}, "b": {"y": "2"}}"#, "object({a=object({x=string}),b=object({y=string})})"),
        (r#"[{"a": "x"}, {"a": "y"}]"#, "list(map(string))"),
        (r#"[{"a": "x"}, {"b": "y"}]"#, "tuple([object({a=string}),object({b=string})])"),
    ] {
        for version in [2, 3] {
            let outputs = stored_outputs(&file(version, value)).unwrap();
            assert_eq!(outputs.len(), 1);
            assert_eq!(outputs["o"].value.ty().to_string(), ty, "{value}");
            assert!(outputs["o"].is_sensitive);
        }
    }
}

#[test]
fn older_formats_have_the_outputs_of_their_root_modules() {
    let texts = r#"{"version": 1, "modules": [{"path": ["root"], "outputs": {"x": "1"}}]}"#;
    assert_eq!(outputs_from_json(texts).unwrap()["x"].value.as_str(), Some("1"));
    for text in [r#"{"version": 3}"#, r#"{"version": 3, "modules": [{"path": ["root"]}]}"#] {
        assert!(stored_outputs(text).unwrap().is_empty(), "{text}");
    }
    let twice = r#"{"version": 3, "modules": [{"path": ["root"], "outputs": {"x": {"value": 1}}}, {"path": ["root"], "outputs": {"y": {}}}]}"#;
    assert_eq!(stored_outputs(twice).unwrap().len(), 2);
    for (text, expected, is_invalid) in [
        (r#"{"version": 3, "modules": [{"path": ["x"]}]}"#, "does not begin with \"root\"", false),
        (r#"{"version": 3, "modules": [{"path": []}]}"#, "does not begin with \"root\"", false),
        (r#"{"version": 3, "modules": "root"}"#, "a list", true),
        (r#"{"version": 3, "modules": [{"path": "root"}]}"#, "a list", true),
        (
            r#"{"version": 2, "modules": [{"path": ["root"], "outputs": {"x": "hunter2"}}]}"#,
            "an object",
            true,
        ),
        (
            r#"{"version": 1, "modules": [{"path": ["root"], "outputs": {"x": {"value": "hunter2"}}}]}"#,
            "string",
            true,
        ),
    ] {
        let error = stored_outputs(text).unwrap_err();
        assert!(error.to_string().contains(expected) && !error.to_string().contains("hunter2"), "{error}");
        assert_eq!(error.is_invalid(), is_invalid, "{text}");
    }
}

#[test]
fn a_wrong_value_is_described_and_not_shown() {
    let cases = [
        (
            r#"{"version": 4, "serial": "hunter2, expected u64"}"#,
            "a whole number that is not negative is expected, not a string,",
        ),
        (r#"{"version": 4, "serial": 1, "serial": 2}"#, "`serial` is there twice"),
        (r#"{"version": 4, "resources": {}}"#, "a list is expected, not an object,"),
        (r#"{"version": 4, "resources": [{}]}"#, "`mode` is missing"),
        (
            &file(r#"{"index_key": {"hunter2": 1.5}}"#),
            "the value is not an instance key (a whole number or a string) at line 2",
        ),
    ];
    for (text, wanted) in cases {
        let message = state_from_json(text).expect_err("it is wrong").to_string();
        assert!(message.contains(wanted) && !message.contains("hunter2"), "{message}");
    }
}

/// The apply reads a data source in a `check` block again, so the state before the plan has another object.
#[test]
fn the_change_of_a_data_source_counts() {
    let names = r#""mode": "data", "type": "demo_zones", "name": "z", "provider_name": "p""#;
    let plan = super::plan_from_json(&format!(
        r#"{{"format_version": "1.2",
        "prior_state": {{"values": {{"root_module": {{"child_modules": [{{"address": "module.new", "resources": [{{{names}, "values": {{"ids": null}}}}]}}]}}}}}},
        "resource_changes": [{{"previous_address": "module.old.data.demo_zones.z", "module_address": "module.new", {names},
          "change": {{"actions": ["read"], "before": null, "after": {{}}, "after_unknown": {{"ids": true}}}}}}]}}"#
    ))
    .unwrap();
    let planned: Vec<_> = plan.planned.resources.iter().collect();
    assert_eq!((planned.len(), planned[0].module.to_string()), (1, "module.new".to_owned()));
    assert_eq!(planned[0].instances.iter().next().unwrap().unknown.len(), 1);
}
