//! Tests of sessions over modules, templates and given variables.

use serde_json::{Value, json};
use terrane_function::Limits;
use terrane_source::MemoryFiles;

use crate::{Engine, PackerTemplate, Project, RequestOptions, Secrets, Session, Variables};

const TEMPLATE: &str = "variable \"key\" {\n  default = \"hunter2\"\n  sensitive = true\n}\n";

fn template() -> Session {
    let files: MemoryFiles = [("a.pkr.hcl", TEMPLATE)].into_iter().collect();
    Session::of_template(PackerTemplate::new(".").evaluate(&files))
}

#[test]
fn a_secret_of_a_template_is_hidden_in_every_answer() {
    let (session, files) = (template(), MemoryFiles::new());
    for expression in ["var.key", "[var.key]", "\"a${var.key}b\"", "var.key == 1 ? 1 : var.key"] {
        let answered = session.evaluate(expression, &files);
        assert!(!session.text(&answered, Secrets::Hidden).contains("hunter2"), "{expression}");
        assert!(session.text(&answered, Secrets::Shown).contains("hunter2"), "{expression}");
        let request = format!("{{\"expr\": {}}}", serde_json::to_string(expression).unwrap());
        let answer = session.request(&request, &files, RequestOptions::default());
        assert!(answer.contains("\"ok\":true") && !answer.contains("hunter2"), "{answer}");
        // The console text hides secrets even if the value is shown.
        let answer = session.request(&request, &files, RequestOptions { secrets: Secrets::Shown });
        let (value, console) = answer.split_once(",\"console\":").unwrap();
        assert!(value.contains("hunter2") && !console.contains("hunter2"), "{answer}");
    }
}

#[test]
fn an_error_of_a_conversion_names_no_secret_key_of_a_template() {
    let text =
        "variable \"m\" {\n  type = map(string)\n  default = { hunter2 = \"x\" }\n  sensitive = true\n}\n";
    let files: MemoryFiles = [("a.pkr.hcl", text)].into_iter().collect();
    let session = Session::of_template(PackerTemplate::new(".").evaluate(&files));
    let request = r#"{"expr": "var.m", "type": "map(number)"}"#;
    let answer = session.request(request, &MemoryFiles::new(), RequestOptions::default());
    assert!(answer.contains("number is required") && !answer.contains("hunter2"), "{answer}");
}

#[test]
fn given_variables_are_read_with_the_files_of_the_call() {
    let session = Session::of_variables(Engine::new(), Variables::new());
    let files: MemoryFiles = [("a.txt", "hello")].into_iter().collect();
    let text = |files| session.text(&session.evaluate("file(\"a.txt\")", files), Secrets::Hidden);
    assert_eq!(text(&files), "\"hello\"");
    assert!(session.evaluate("file(\"a.txt\")", &MemoryFiles::new()).diagnostics.has_errors());
}

#[test]
fn only_modules_have_module_instances() {
    let refused = |session: Session| session.in_module_instance("module.a").unwrap_err();
    assert_eq!(refused(template()), "a Packer template has no module instances");
    let variables = Session::of_variables(Engine::new(), Variables::new());
    assert_eq!(refused(variables), "given variables have no module instances");
    let module = Session::of_module(Project::new(".").evaluate(&MemoryFiles::new()));
    assert_eq!(
        refused(module),
        "there is no module instance module.a: the root module has no module call of this name"
    );
}

#[test]
fn a_module_instance_is_found_by_its_keys() {
    let root = "variable \"names\" { type = set(string) }\n\
                module \"any\" {\n  source = \"./m\"\n  for_each = var.names\n  name = \"some\"\n}\n\
                module \"two\" {\n  source = \"./m\"\n  count = 2\n  name = count.index\n}\n\
                module \"gone\" { source = \"a/b/c\" }\n";
    let child = "variable \"name\" {}\nmodule \"inner\" { source = \"./inner\" }\n";
    let files =
        [("main.tf", root), ("m/main.tf", child), ("m/inner/main.tf", "locals { at = path.module }\n")];
    let files: MemoryFiles = files.into_iter().collect();
    let answer = |address: &str, text: &str| {
        let session = Session::of_module(Project::new(".").evaluate(&files)).in_module_instance(address)?;
        Ok::<_, String>(session.text(&session.evaluate(text, &files), Secrets::Hidden))
    };
    assert_eq!(answer("module.two[1]", "var.name").as_deref(), Ok("1"));
    // If the instance keys are unknown, every key is accepted.
    assert_eq!(answer("module.any[ \"z\" ]", "var.name").as_deref(), Ok("\"some\""));
    assert_eq!(answer("module.any[\"z\"].module.inner", "local.at").as_deref(), Ok("\"m/inner\""));
    let refused = |address: &str| answer(address, "1").unwrap_err();
    assert!(refused("module.two").ends_with(": there is module.two[0], module.two[1]"));
    assert!(refused("module.two[\"a\"]").ends_with(": there is module.two[0], module.two[1]"));
    assert!(refused("module.any[0]").ends_with(": the call has `for_each`, so its keys are strings"));
    assert!(refused("module.tow[0]").ends_with("Did you mean module.two?"));
    assert!(refused("module.two[0].module.no").ends_with("module.two[0] has no module call of this name"));
    assert!(refused("module.gone").ends_with(": the module that module.gone calls is not on disk"));
    for address in ["", "x", "module", "module.a.b", "module.two[1 + 0]", "module.two[0][0]"] {
        assert!(refused(address).contains("is not the address of a module instance"), "{address}");
    }
}

#[test]
fn misspelt_namespaces_have_suggestions() {
    let files: MemoryFiles = [("main.tf", "variable \"zone\" {}\nlocals { a = 1 }\n")].into_iter().collect();
    let session = Session::of_module(Project::new(".").evaluate(&files));
    let hints = |text: &str| {
        let answered = session.evaluate(text, &files);
        answered.diagnostics.as_slice().iter().flat_map(|found| found.hints.clone()).collect::<Vec<_>>()
    };
    assert_eq!(hints("vars.zone"), ["Did you mean `var.zone`?"]);
    assert_eq!(hints("locals.a"), ["Did you mean `local.a`?"]);
    assert_eq!(hints("pat.root"), ["Did you mean `path.root`?"]);
    // A suggested name must exist itself.
    assert_eq!(hints("vars.nope"), [""; 0]);
}

#[test]
fn a_value_too_large_to_print_is_an_error() {
    let session = Session::of_variables(Engine::new(), Variables::new());
    let files = MemoryFiles::new();
    let long =
        "[for a in [range(1000)] : [for b in [[for i in range(100) : a]] : [for i in range(LENGTH) : b]]]";
    for text in
        [long.replace("LENGTH", "100"), "[for i in range(30) : tonumber(\"1e${600000 + i}\")]".to_owned()]
    {
        let answered = session.evaluate(&text, &files);
        let found: Vec<_> = answered.diagnostics.as_slice().iter().map(|found| found.title()).collect();
        assert_eq!(found, ["Limit exceeded"], "{text}");
        let request = format!(r#"{{"expr": {}}}"#, serde_json::to_string(&text).unwrap());
        let answer = session.request(&request, &files, RequestOptions::default());
        assert!(answer.contains(r#""ok":false"#) && answer.len() < 1000, "{answer}");
    }
    let short = session.evaluate(&long.replace("LENGTH", "1"), &files);
    assert!(!short.diagnostics.has_errors() && session.text(&short, Secrets::Hidden).len() > 1_000_000);
}

/// Answers contain the sources of their values, like the documents of `terrane eval`.
#[test]
fn an_answer_has_the_sources_of_its_value() {
    let module = "data \"demo_zones\" \"all\" {}\nlocals {\n  first = data.demo_zones.all.names[0]\n  own   = 1\n}\n\
                  resource \"demo_disk\" \"d\" {\n  count = 2\n  zone  = local.first\n}\n\
                  resource \"demo_disk\" \"n\" {\n  count = length(data.demo_zones.all.names)\n  size  = 1\n}\n\
                  module \"m\" {\n  source = \"acme/none/demo\"\n}\nvariable \"i\" { default = 0 }\n";
    let files = MemoryFiles::from_iter([("main.tf", module)]);
    let project = Project::new(".").set("data.demo_zones.all.names", "[\"a\", \"b\"]");
    let project = project.set("module.m.output.id", "\"m-1\"").set("demo_disk.d[1].id", "\"d-1\"");
    let session = Session::of_module(project.evaluate(&files));
    let whole = json!([{"path": "", "origin": "given"}]);
    for (text, parts, follows_from) in [
        ("data.demo_zones.all.names", whole.clone(), Value::Null),
        ("data.demo_zones.all.names[0]", whole.clone(), Value::Null),
        ("demo_disk.d[1]", json!([{"path": ".id", "origin": "given"}]), json!(["given"])),
        ("demo_disk.d[1].id", whole.clone(), Value::Null),
        ("demo_disk.d[0].zone", Value::Null, json!(["given"])),
        ("demo_disk.d[0].id", Value::Null, Value::Null),
        ("demo_disk.d[var.i].zone", Value::Null, json!(["given"])),
        ("module.m.id", whole, Value::Null),
        ("local.first", Value::Null, json!(["given"])),
        ("local.own + 1", Value::Null, Value::Null),
        ("length(demo_disk.d)", Value::Null, Value::Null),
        ("length(demo_disk.n)", Value::Null, json!(["given"])),
        ("demo_disk.n[0].size", Value::Null, Value::Null),
        ("true ? local.own : local.first", Value::Null, Value::Null),
        ("upper(local.first)", Value::Null, json!(["given"])),
        ("type(local.first)", Value::Null, Value::Null),
    ] {
        let request = json!({"expr": text}).to_string();
        let answer = session.request(&request, &files, RequestOptions::default());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["part_sources"], parts, "{text}: {answer}");
        assert_eq!(answer["follows_from"], follows_from, "{text}: {answer}");
    }
}

#[test]
fn an_address_in_a_message_is_short() {
    let files = MemoryFiles::from_iter([("main.tf", "")]);
    for address in ["x".repeat(100_000), format!("module.{}", "x".repeat(100_000))] {
        let session = Session::of_module(Project::new(".").evaluate(&files));
        let message = session.in_module_instance(&address).unwrap_err();
        assert!(message.len() < 400, "{} bytes", message.len());
    }
}

#[test]
fn each_query_on_a_report_is_a_run_of_its_own() {
    let files = MemoryFiles::from_iter([("main.tf", "locals { a = 1 }\n")]);
    let limits = Limits::default().with_steps(60_000);
    let report = Project::new(".").limits(limits).evaluate(&files);
    let query = "sum([for n in range(900) : n + local.a])";
    for _ in 0..20 {
        assert!(report.expression(query, &files).is_ok());
    }
    let meter = report.evaluation().continued_meter();
    let together = (0..20).find_map(|_| report.metered_expression(query, &files, &meter).err());
    assert_eq!(together.unwrap().as_slice()[0].title(), "Limit exceeded");
}

/// Returns a request for a value of this length whose texts would be commands to a service.
fn long_request() -> String {
    let text = "##[x]\\n##vso[y] <\\u{2028}é";
    let value = format!(
        "[for i in range(1000) : {{ \"##teamcity[${{i}}\" = [\"{text}\", i, \"{}\"] }}]",
        "z".repeat(300)
    );
    format!("{}\n", json!({ "id": 7, "expr": value }))
}

#[test]
fn an_answer_that_is_written_in_pieces_is_the_same() {
    let files = MemoryFiles::new();
    let sessions = [
        template(),
        Session::of_variables(Engine::new(), Variables::new()),
        Session::of_module(Project::new(".").evaluate(&files)),
    ];
    for session in sessions {
        let requests = [
            long_request(),
            r#"{"expr": "1 +"}"#.to_owned(),
            "no JSON".to_owned(),
            r#"{"expr": "type(1)"}"#.to_owned(),
        ];
        for request in requests {
            let whole = session.request(&request, &files, RequestOptions::default());
            let mut written = Vec::new();
            session.write_answer(&request, &files, RequestOptions::default(), &mut written).unwrap();
            assert!(whole == String::from_utf8(written).unwrap(), "{request}");
            assert!(serde_json::from_str::<Value>(&whole).is_ok(), "{request}");
            assert!(!whole.contains("##[") && !whole.contains("##vso[") && !whole.contains("##teamcity["));
        }
    }
}

#[test]
fn a_request_shares_the_memory_with_the_evaluation() {
    let limits = Limits::default().with_memory(5 << 20);
    let answer = |elements: usize, expression: &str| {
        let value = format!("[for i in range(1000) : [for j in range({elements}) : \"${{i}}\"]]");
        let text = format!("locals {{\n  a = {value}\n}}\n");
        let files: MemoryFiles = [("main.tf", text.as_str())].into_iter().collect();
        let session = Session::of_module(Project::new(".").limits(limits.clone()).evaluate(&files));
        session.request(&json!({ "expr": expression }).to_string(), &files, RequestOptions::default())
    };
    let list = "length([for i in range(1000) : [for j in range(50) : \"${i}\"]])";
    assert!(answer(1, list).contains("\"value\":1000"), "{}", answer(1, list));
    assert!(answer(150, list).contains("core:limit-exceeded"), "{}", answer(150, list));
    // A part of the limit is left for each request, also if the evaluation exceeds it.
    for elements in [150, 1000] {
        let number = answer(elements, "length([for i in range(1000) : \"${i}\"])");
        assert!(number.contains("\"value\":1000"), "{number}");
    }
}

#[test]
fn a_mistake_in_a_secret_argument_of_a_body_shows_no_part_of_it() {
    let attribute = |ty: Value| json!({"type": ty, "optional": true, "sensitive": true});
    let attributes = json!({"pw": attribute(json!("string")), "pm": attribute(json!(["map", "number"]))});
    let schema = json!({"attributes": attributes, "block_types": {
        "b": {"nesting_mode": "list", "block": {"attributes": {"pm": attribute(json!(["map", "number"]))}}}}});
    let session = Session::of_variables(Engine::new(), Variables::new());
    let answer = |body: &str| {
        let request = json!({"body": body, "json_body": body.starts_with('{'), "schema": schema}).to_string();
        session.request(&request, &MemoryFiles::new(), RequestOptions::default())
    };
    for body in [
        "pm = { Mrk7k = \"Mrk7a\" }\n",
        "b {\n  pm = { Mrk7k = \"Mrk7a\" }\n}\n",
        "dynamic \"b\" {\n  for_each = [tonumber(\"Mrk7a\")]\n  content {}\n}\n",
        "pw = timeadd(\"Mrk7a\", \"1h\")\n",
        "pw = lookup({}, \"Mrk7a\")\n",
        "pw = {}[\"Mrk7a\"]\n",
        "pw = \"Mrk7a\"\npw = \"Mrk7b\"\n",
        "pw = \"Mrk7a${nope}\"\n",
        "pw = \"Mrk7a\" \"Mrk7b\"\n",
        "{\"pm\": {\"Mrk7k\": \"Mrk7a\"}}",
        "{\"pw\": \"Mrk7a\", \"pw\": \"Mrk7b\"}",
        "{\"pw\": \"Mrk7a${nope\"}",
    ] {
        let answer = answer(body);
        assert!(answer.contains("\"ok\":false") && !answer.contains("Mrk7"), "{body}: {answer}");
    }
}

#[test]
fn names_in_the_type_of_a_secret_are_not_completed() {
    let text = "variable \"o\" {\n  sensitive = true\n  default = { hunter2 = { inner = 1 } }\n}\n\
                resource \"terraform_data\" \"t\" {\n  input = var.o\n}\nlocals {\n  l = terraform_data.t.output\n}\n";
    let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
    let session = Session::of_module(Project::new(".").evaluate(&files));
    for reference in ["terraform_data.t.output", "local.l", "terraform_data.t.output.hunter2"] {
        assert!(session.attributes(reference, &files, Secrets::Hidden).is_empty(), "{reference}");
        assert!(!session.attributes(reference, &files, Secrets::Shown).is_empty(), "{reference}");
    }
}
