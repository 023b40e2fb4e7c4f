//! Tests of the origins that outputs name for values from outside of the configuration.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use serde_json::{Value, json};

fn document(files: &[(&str, &str)], arguments: &[&str]) -> Value {
    let (code, stdout, stderr) = support::terrane(files, &[arguments, &["--json"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(&stdout).expect("a document")
}

/// The configuration does not know these arguments, so they have the values of the plan.
#[test]
fn arguments_that_only_a_plan_knows_are_of_the_plan() {
    let module = "variable \"size\" {}\n\
                  resource \"demo_disk\" \"d\" {\n  size = var.size\n  tags = { a = var.size, b = 1 }\n  name = \"n\"\n\
                  \x20 dynamic \"rule\" {\n    for_each = var.size\n    content { port = rule.value }\n  }\n}\n\
                  output \"size\" { value = demo_disk.d.size }\noutput \"name\" { value = demo_disk.d.name }\n";
    let plan = r#"{"format_version": "1.2", "resource_changes": [
        {"mode": "managed", "type": "demo_disk", "name": "d", "provider_name": "registry.terraform.io/hashicorp/demo",
         "change": {"actions": ["create"], "after_unknown": {},
                    "after": {"size": 3, "tags": {"a": 4, "b": 1}, "name": "n", "rule": [{"port": 1}]}}}]}"#;
    let files = [("main.tf", module), ("plan.json", plan)];
    let options = ["--plan", "plan.json"];
    let eval = [&["eval", "."][..], &options].concat();
    let (code, stdout, stderr) = support::terrane(&files, &[&eval[..], &["--require-known"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stdout.contains("  # reads plan: size\n") && stdout.contains("  # plan: rule, size, tags.a\n"),
        "{stdout}"
    );
    assert!(stderr.contains("outside of the configuration: 3 plan\n"), "{stderr}");
    let all = document(&files, &eval);
    let parts = [".rule", ".size", ".tags.a"].map(|path| json!({"path": path, "origin": "plan"}));
    assert_eq!(all["values"]["demo_disk.d"]["part_sources"], json!(parts));
    assert_eq!(all["values"]["output.size"]["follows_from"], json!(["plan"]));
    assert_eq!(all["values"]["output.name"]["follows_from"], Value::Null);

    let explain = |address: &str| support::terrane(&files, &[&["explain", address][..], &options].concat()).1;
    for (address, expected) in [
        ("output.size", "  demo_disk.d.size = 3  # main.tf:2:1  of the given plan\n    provider = 3"),
        ("demo_disk.d.size", "  not used: var.size = (not set)"),
        ("demo_disk.d.tags", "  a: demo_disk.d.tags.a = 4"),
        ("demo_disk.d", "  size: demo_disk.d.size = 3"),
    ] {
        let shown = explain(address);
        let without_space = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(without_space(&shown).contains(&without_space(expected)), "{address}: {shown}");
    }
    let graph = document(&files, &[&["explain", "output.size"][..], &options].concat());
    let origins: Vec<&Value> =
        graph["nodes"].as_array().into_iter().flatten().map(|node| &node["origin"]).collect();
    assert!(origins.contains(&&json!("plan")), "{graph}");
}

/// The plan says that a part is a secret, so its expression is a secret too.
#[test]
fn expressions_of_secrets_of_a_plan_are_hidden() {
    let module = "variable \"size\" {}\n\
                  resource \"demo_disk\" \"d\" {\n  key = \"hunter2-${var.size}\"\n}\n";
    let plan = r#"{"format_version": "1.2", "resource_changes": [
        {"mode": "managed", "type": "demo_disk", "name": "d", "provider_name": "registry.terraform.io/hashicorp/demo",
         "change": {"actions": ["create"], "after_unknown": {}, "after_sensitive": {"key": true}, "after": {"key": "hunter2-1"}}}]}"#;
    let files = [("main.tf", module), ("plan.json", plan)];
    for address in ["demo_disk.d.key", "demo_disk.d"] {
        for format in [&[][..], &["--json"]] {
            let arguments = [&["explain", address, "--plan", "plan.json"][..], format].concat();
            let (code, stdout, stderr) = support::terrane(&files, &arguments);
            assert_eq!((code, stdout.contains("hunter2")), (Some(0), false), "{address}: {stdout}{stderr}");
        }
    }
}

/// If an attribute is configured as null, the provider decides its value.
#[test]
fn an_attribute_that_is_configured_as_null_has_its_origin() {
    let module =
        "resource \"demo_disk\" \"d\" { name = null }\noutput \"name\" { value = demo_disk.d.name }\n";
    let state = r#"{"version": 4, "resources": [
        {"mode": "managed", "type": "demo_disk", "name": "d", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
         "instances": [{"attributes": {"name": "n"}}]}]}"#;
    let mocks = "override_resource {\n  target = demo_disk.d\n  values = { name = \"n\" }\n}\n";
    let files = [("main.tf", module), ("s.tfstate", state), ("m.tftest.hcl", mocks)];
    for (options, origin) in [
        (&["--state", "s.tfstate"][..], "state"),
        (&["--state", "s.tfstate", "--state-values", "prior"], "prior"),
        (&["--set", "demo_disk.d.name=\"n\""], "given"),
        (&["--mocks", "m.tftest.hcl"], "given"),
    ] {
        let all = document(&files, &[&["eval", ".", "--dialect", "terraform"][..], options].concat());
        let parts = all["values"]["demo_disk.d"]["part_sources"].as_array().expect("a list");
        let parts: Vec<(&Value, &Value)> =
            parts.iter().map(|part| (&part["path"], &part["origin"])).collect();
        assert_eq!(parts, [(&json!(".name"), &json!(origin))], "{options:?}");
        assert_eq!(all["values"]["output.name"]["follows_from"], json!([origin]), "{options:?}");
    }
    let (_, stdout, _) = support::terrane(&files, &["explain", "output.name", "--state", "s.tfstate"]);
    assert!(stdout.contains("of the given state") && stdout.contains("recorded in the state"), "{stdout}");
}

/// Expressions, and whether they depend on given values.
const READ: [(&str, bool); 32] = [
    ("length(demo_disk.c)", false),
    ("length(demo_disk.c[*].id)", false),
    ("length(concat(demo_disk.c, values(demo_disk.f)))", false),
    ("length(demo_disk.c) > 1 ? \"a\" : \"b\"", false),
    ("contains(keys(demo_disk.f), \"a\")", false),
    ("[for key, disk in demo_disk.f : key]", false),
    ("[for key, disk in demo_disk.f : disk.size if key != \"b\"]", false),
    ("values(demo_disk.f)[*].size", false),
    ("(demo_disk.f)[\"a\"].size", false),
    ("demo_disk.c[var.index].size", false),
    ("element(demo_disk.c, 1).size", false),
    ("one(values(demo_disk.f)).size", false),
    ("try(demo_disk.c[0].size, 0)", false),
    ("length(module.m)", false),
    ("[for m in module.m : m.size]", false),
    ("demo_disk.one.part[1].size", false),
    ("demo_disk.one.tags[\"a.b\"]", false),
    ("demo_disk.c[*].id", true),
    ("demo_disk.c", true),
    ("length(demo_disk.c[0].id)", true),
    ("length(one(values(demo_disk.f)[*].id))", true),
    ("[for key, disk in demo_disk.f : key if disk.id != \"\"]", true),
    ("{ for key, disk in demo_disk.f : key => disk }", true),
    ("{ for key, disk in demo_disk.f : disk.id => disk.size }", true),
    ("values(demo_disk.f)[*].id", true),
    ("(demo_disk.f)[\"a\"].id", true),
    ("(demo_disk.f)[\"a\"][\"id\"]", true),
    ("(demo_disk.f)[\"a\"][join(\"\", [\"id\"])]", true),
    ("[for m in module.m : m.id]", true),
    ("module.m[var.index].id", true),
    ("demo_disk.one.part[1].id", true),
    ("demo_disk.one.part", true),
];

/// The number and keys of instances, and literal arguments beside given attributes, come from the configuration.
#[test]
fn only_parts_that_an_expression_reads_have_a_part_in_its_value() {
    let module = "\
resource \"demo_disk\" \"c\" {
  count = 2
  size  = count.index
}
resource \"demo_disk\" \"f\" {
  for_each = { a = 1 }
  size     = each.value
}
resource \"demo_disk\" \"one\" {
  part { size = 1 }
  part { size = 2 }
  tags = { \"a.b\" = 1 }
}
module \"m\" {
  source = \"./m\"
  count  = 2
}
variable \"index\" { default = 0 }
";
    let called = "resource \"demo_disk\" \"d\" { size = 1 }\noutput \"size\" { value = demo_disk.d.size }\n\
                  output \"id\" { value = demo_disk.d.id }\n";
    let outputs = READ.iter().enumerate();
    let outputs = outputs.map(|(at, (text, _))| format!("output \"o{at}\" {{\n  value = {text}\n}}\n"));
    let main = outputs.fold(module.to_owned(), |text, output| text + &output);
    let files = [("main.tf", main.as_str()), ("m/main.tf", called)];
    let given = ["demo_disk.c.id", "demo_disk.f.id", "demo_disk.one.part.id", "module.m.demo_disk.d.id"];
    let given = given.map(|address| format!("{address}=\"i\""));
    let set = given.iter().flat_map(|given| ["--set", given]).collect::<Vec<_>>();
    let all = document(&files, &[&["eval", "."][..], &set].concat());
    for (at, (text, is_given)) in READ.iter().enumerate() {
        let output = &all["values"][format!("output.o{at}")];
        let expected = if *is_given { json!(["given"]) } else { Value::Null };
        assert_eq!(output["follows_from"], expected, "{text}: {output}");
    }
    // An expression on the command line has the same sources as in an output.
    let texts = READ.iter().filter(|(text, _)| !text.starts_with("demo_disk") && !text.starts_with("module"));
    for (text, is_given) in texts {
        let one = document(&files, &[&["eval", ".", text][..], &set].concat());
        let expected = if *is_given { json!(["given"]) } else { Value::Null };
        assert_eq!(one["values"][*text]["follows_from"], expected, "{text}: {one}");
    }
}

const DECIDED: [(&str, &str); 4] = [
    (
        "main.tf",
        "data \"demo_zones\" \"all\" {}\nresource \"demo_vpc\" \"v\" {}\n\
         data \"terraform_remote_state\" \"net\" {\n  backend = \"s3\"\n  config = { bucket = \"b\", key = \"k\", region = \"r\" }\n}\n\
         resource \"demo_disk\" \"given\" {\n  count = length(data.demo_zones.all.names)\n  size  = 1\n}\n\
         resource \"demo_disk\" \"many\" {\n  count = 20 * length(data.demo_zones.all.names)\n}\n\
         resource \"demo_disk\" \"none\" {\n  count = length(data.demo_zones.all.names) - 2\n}\n\
         resource \"demo_disk\" \"state\" {\n  for_each = toset([demo_vpc.v.id])\n}\n\
         resource \"demo_disk\" \"own\" {\n  count = 2\n}\n\
         resource \"demo_disk\" \"enabled\" {\n  enabled = data.demo_zones.all.names\n}\n\
         module \"m\" {\n  source   = \"./m\"\n  for_each = data.terraform_remote_state.net.outputs.names\n}\n",
    ),
    ("m/main.tf", "resource \"demo_disk\" \"d\" {}\noutput \"o\" { value = 1 }\n"),
    (
        "net.json",
        r#"{"names": {"value": {"x": 1}, "type": ["object", {"x": "number"}], "sensitive": false}}"#,
    ),
    (
        "s.tfstate",
        r#"{"version": 4, "resources": [
        {"mode": "managed", "type": "demo_vpc", "name": "v", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
         "instances": [{"attributes": {"id": "vpc-1"}}]}]}"#,
    ),
];

/// If a value from outside decides whether an instance exists, the origin belongs to `count` or `for_each`.
#[test]
fn instances_follow_from_the_value_that_decides_their_number() {
    let given = ["--set", "data.demo_zones.all.names=[\"a\", \"b\"]", "--state", "s.tfstate"];
    let remote = ["--remote-state", "data.terraform_remote_state.net=net.json"];
    let arguments = [&["eval", "."][..], &given, &remote].concat();
    let all = document(&DECIDED, &arguments);
    let origin = |address: &str| all["values"][address]["instances_follow_from"].clone();
    for (address, expected) in [
        ("demo_disk.given[1]", json!(["given"])),
        ("demo_disk.many[39]", json!(["given"])),
        ("demo_disk.none", json!(["given"])),
        ("demo_disk.state[\"vpc-1\"]", json!(["state"])),
        ("demo_disk.own[0]", Value::Null),
        ("demo_disk.enabled", Value::Null),
        ("module.m[\"x\"]", json!(["remote-state"])),
        ("module.m[\"x\"].demo_disk.d", Value::Null),
    ] {
        assert!(all["values"][address].is_object(), "{address}");
        assert_eq!(origin(address), expected, "{address}");
    }
    assert_eq!(all["instance_sources"], json!({"given": 42, "state": 1, "remote-state": 1}));

    let (_, stdout, stderr) = support::terrane(&DECIDED, &arguments);
    let block = "# demo_disk.given[1]\nresource \"demo_disk\" \"given\" {\n  # number of instances reads given\n  size = 1\n";
    assert!(stdout.contains(block), "{stdout}");
    assert!(stdout.contains("module \"m\" {\n  # number of instances reads remote-state\n"), "{stdout}");
    let counted = "1 given, 1 state, 1 remote-state; instances that follow from them: 42 given, 1 state, 1 remote-state\n";
    assert!(stderr.contains(counted), "{stderr}");
    let (_, stdout, _) =
        support::terrane(&DECIDED, &[&arguments[..], &["demo_disk.given[0]", "module.m[\"x\"]"]].concat());
    assert!(stdout.contains("# number of instances reads given\ndemo_disk.given[0] = {"), "{stdout}");
    assert!(stdout.contains("# number of instances reads remote-state\nmodule.m[\"x\"] = {"), "{stdout}");

    let plan = document(&DECIDED, &[&["plan", "."][..], &given[..2], &remote].concat());
    let numbers = &plan["terrane"]["instances_follow_from"];
    assert_eq!(numbers["demo_disk.given"], json!(["given"]), "{numbers}");
    assert_eq!(numbers["module.m"], json!(["remote-state"]), "{numbers}");
}

/// A part of a local object has the sources of its own expression.
#[test]
fn other_attributes_of_a_local_object_do_not_count() {
    let module = "data \"demo_zones\" \"all\" {}\nlocals {\n  object = { a = data.demo_zones.all.names, b = { c = 1, (upper(\"d\")) = data.demo_zones.all.names } }\n\
                  \x20 dotted = { a = { b = 1 }, \"a.b\" = data.demo_zones.all.names }\n  copy = local.object\n}\n\
                  output \"a\" { value = local.object.a }\noutput \"b\" { value = local.object.b.c }\noutput \"c\" { value = local.object[\"a\"] }\n\
                  output \"d\" { value = local.dotted.a.b }\noutput \"e\" { value = local.copy.b }\noutput \"f\" { value = local.plain.b }\n\
                  locals {\n  plain = ({ a = data.demo_zones.all.names, \"b\" = 1 })\n}\noutput \"g\" { value = keys(local.plain) }\n";
    let files = [("main.tf", module)];
    let given = ["--set", "data.demo_zones.all.names=[\"x\"]"];
    let all = document(&files, &[&["eval", "."][..], &given].concat());
    let origin = |name: &str| all["values"][format!("output.{name}")]["follows_from"].clone();
    for (name, is_given) in
        [("a", true), ("b", true), ("c", true), ("d", true), ("e", true), ("f", false), ("g", true)]
    {
        let expected = if is_given { json!(["given"]) } else { Value::Null };
        assert_eq!(origin(name), expected, "{name}");
    }
    for (address, is_given) in
        [("local.plain.b", false), ("local.plain.a", true), ("local.plain", true), ("local.object.b", true)]
    {
        let one = document(&files, &[&["eval", ".", address][..], &given].concat());
        let expected = if is_given { json!(["given"]) } else { Value::Null };
        assert_eq!(one["values"][address]["follows_from"], expected, "{address}");
    }
}

/// Each error has fitting advice.
#[test]
fn mistakes_in_given_values_have_advice() {
    let files = [
        ("main.tf", "resource \"demo_disk\" \"d\" {}\nmodule \"m\" {\n  source = \"./m\"\n}\n"),
        ("m/main.tf", "output \"id\" { value = 1 }\n"),
    ];
    let of_module = "The module is on disk, so its outputs follow from its configuration";
    for (given, expected) in [
        (
            "demo_disk.d.zone=eu-west-1",
            "A text has quotes, also behind the shell: 'demo_disk.d.zone=\"eu-west-1\"'",
        ),
        ("module.m.id=2", of_module),
        ("module.m.output.id=2", of_module),
        ("var.a=2", "It must be the address of an attribute of a resource or data source"),
    ] {
        let (code, _, stderr) = support::terrane(&files, &["eval", ".", "--set", given]);
        assert_eq!((code, stderr.contains(expected)), (Some(1), true), "{given}: {stderr}");
    }
}

/// The advice keeps the keys of the given address.
#[test]
fn the_nearest_address_has_the_keys_of_the_given_one() {
    let called = "module \"z\" {\n  source = \"acme/z/demo\"\n}\nresource \"demo_disk\" \"disk\" {}\n";
    let files = [("main.tf", "module \"m\" {\n  source = \"./m\"\n  count  = 2\n}\n"), ("m/main.tf", called)];
    for (given, expected) in [
        ("module.m[0].module.y.id=1", "Did you mean `module.m[0].module.z`?"),
        ("module.m.demo_disk.disc.id=1", "Did you mean `module.m.demo_disk.disk`?"),
        ("module.m[1].demo_disk.disc[0].id=1", "Did you mean `module.m[1].demo_disk.disk`?"),
    ] {
        let (_, _, stderr) = support::terrane(&files, &["eval", ".", "--set", given]);
        assert!(stderr.contains(expected), "{given}: {stderr}");
    }
}

#[test]
fn the_reason_of_a_template_that_is_not_computed_says_its_cause() {
    let main = "data \"template_file\" \"f\" { template = \"$${range(1)}\" }\n\
                data \"template_file\" \"n\" { template = \"$${none}\" }\n\
                data \"template_file\" \"e\" { template = \"$${upper()}\" }\n\
                output \"f\" { value = data.template_file.f.rendered }\n\
                output \"n\" { value = data.template_file.n.rendered }\n\
                output \"e\" { value = data.template_file.e.rendered }\n";
    for (output, reason) in [
        ("output.f", "the template calls a function whose result may differ from that of the provider"),
        ("output.n", "the template reads a name that is not in `vars`"),
        ("output.e", "the template has an error"),
    ] {
        let (_, stdout, stderr) = support::terrane(&[("main.tf", main)], &["eval", ".", output]);
        assert!(stdout.contains(reason), "{output}: {stdout}{stderr}");
    }
}

/// The members of a part of a document; none if there is no such part.
fn members<'d>(value: &'d Value, name: &str) -> impl Iterator<Item = &'d Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// The objects with the errors that make values unknown in these files, by address and path of the unknown part.
fn subjects_of_errors(files: &[(&str, &str)]) -> Value {
    let (code, stdout, stderr) = support::terrane(files, &["eval", "--keep-going", "--json"]);
    assert_eq!(code, Some(1), "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect("a document");
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let mut rows = serde_json::Map::new();
    for (address, value) in document.get("values").and_then(Value::as_object).into_iter().flatten() {
        for unknown in members(value, "unknowns") {
            let errors =
                members(unknown, "origins").filter(|origin| text(origin, "kind").as_deref() == Some("error"));
            let subjects: Vec<String> = errors.filter_map(|origin| text(origin, "subject")).collect();
            if !subjects.is_empty() {
                let path = text(unknown, "path").unwrap_or_default();
                rows.insert(format!("{address}{path}"), json!(subjects.join(" ")));
            }
        }
        let subject = members(value, "instances_unknown").find_map(|origin| text(origin, "subject"));
        rows.extend(subject.map(|subject| (format!("{address} instances"), json!(subject))));
    }
    Value::Object(rows)
}

#[test]
fn origins_of_errors_name_the_object_with_the_error() {
    let main = "variable \"n\" {\n  type    = number\n  default = 1\n}\n\
                locals {\n  a = 1 + {}\n  b = [local.a, upper([])]\n  c = local.b\n  d = local.nope\n}\n\
                resource \"terraform_data\" \"i\" {\n  count = 2\n  input = count.index == 0 ? local.nope : \"a\"\n}\n\
                resource \"terraform_data\" \"n\" {\n  count = local.a\n}\n\
                resource \"terraform_data\" \"m\" {\n  for_each = 5\n}\n\
                module \"m\" {\n  source = \"./m\"\n  v      = local.a\n}\n\
                output \"o\" {\n  value = module.m.w\n}\n";
    let child = "variable \"v\" {}\noutput \"w\" {\n  value = [var.v, \"a\" + 1]\n}\n";
    let files = [("main.tf", main), ("terraform.tfvars", "n = \"x\"\n"), ("m/main.tf", child)];
    let expected = json!({
        "local.a": "local.a", "local.b[0]": "local.a", "local.b[1]": "local.b", "local.c[0]": "local.a",
        "local.c[1]": "local.b", "local.d": "local.d", "var.n": "var.n", "module.m.var.v": "local.a",
        "module.m.output.w[0]": "local.a", "module.m.output.w[1]": "module.m.output.w",
        "module.m.w[0]": "local.a", "module.m.w[1]": "module.m.output.w",
        "output.o[0]": "local.a", "output.o[1]": "module.m.output.w",
        "terraform_data.i[0].input": "terraform_data.i[0]", "terraform_data.n instances": "local.a",
        "terraform_data.m": "terraform_data.m", "terraform_data.m instances": "terraform_data.m",
    });
    assert_eq!(subjects_of_errors(&files), expected);
}

#[test]
fn origins_of_damage_name_the_broken_object() {
    let main = "variable \"v\" {}\nlocals {\n  a = [1\n  b = local.a\n  c = var.v\n}\n";
    let files = [("main.tf", main), ("terraform.tfvars", "v = [1\n")];
    let expected = json!({"local.a": "local.a", "local.b": "local.a", "local.c": "var.v", "var.v": "var.v"});
    assert_eq!(subjects_of_errors(&files), expected);
}
