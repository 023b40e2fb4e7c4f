//! Values and messages beside text that cannot be read.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/partial_document.rs"]
mod partial_document;
mod support;

use partial_document::errors_and_document;
use serde_json::{Value, json};

#[test]
fn values_without_a_variable_file_that_cannot_be_read_are_partial() {
    let files = [("main.tf", "variable \"a\" {\n  default = 1\n}\nlocals {\n  b = 2\n}\n")];
    let arguments = ["eval", "--keep-going", "-var-file=no.tfvars"];
    let (_, stdout, _) = support::terrane(&files, &arguments);
    let note =
        "# partial values: no.tfvars cannot be read; values that depend on the unreadable text are unknown\n";
    assert!(stdout.starts_with(note), "{stdout}");
    let (_, stdout, _) = support::terrane(&files, &[&arguments[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&stdout).unwrap();
    let values = &document["values"];
    assert_eq!((&document["partial"], &values["local.b"]["value"]), (&json!(true), &json!(2)));
    assert_eq!(values["var.a"]["state"], "unknown");
}

/// Returns the note on partial values of a configuration in JSON syntax, and the document.
fn partial_json(name: &str, text: &str) -> (Option<String>, Value) {
    let files = [(name, text)];
    let (_, stdout, _) = support::terrane(&files, &["eval", "--keep-going"]);
    let note = stdout.lines().find(|line| line.starts_with("# partial values")).map(str::to_owned);
    let (_, stdout, _) = support::terrane(&files, &["eval", "--keep-going", "--json"]);
    (note, serde_json::from_str(&stdout).expect("a document"))
}

#[test]
fn values_beside_an_unreadable_string_of_json_are_partial() {
    let condition = r#"{"variable": {"v": {"default": 1, "validation": {"condition": "${var.v > }", "error_message": "No."}}},
      "locals": {"c": 3}}"#;
    let reference =
        r#"{"resource": {"terraform_data": {"t": {"depends_on": ["local.a b"]}}}, "locals": {"c": 3}}"#;
    for (name, text) in [
        ("main.tf.json", r#"{"locals": {"a": "${1 + }", "c": 3}}"#),
        ("main.tf.json", r#"{"variable": {"v": {"type": "set(string", "default": 1}}, "locals": {"c": 3}}"#),
        ("main.tf.json", condition),
        ("main.tf.json", reference),
        ("a.pkr.json", r#"{"locals": {"a": "${1 + }", "c": 3}}"#),
    ] {
        let (note, document) = partial_json(name, text);
        let expected =
            format!("1 syntax error in {name}; values that depend on the unreadable text are unknown");
        assert_eq!(note, Some(format!("# partial values: {expected}")), "{text}");
        assert_eq!(document["partial"], true);
        if name == "main.tf.json" {
            assert_eq!(document["values"]["local.c"]["value"], 3);
        }
        let (_, stdout, _) = support::terrane(&[(name, text)], &["graph"]);
        assert!(stdout.contains("partial graph"), "{stdout}");
    }
    // Strings that are not read as native syntax are sound.
    let sound = r#"{"//": "${x", "variable": {"v": {"default": "${x", "description": "${y"}}}"#;
    let (note, document) = partial_json("main.tf.json", sound);
    assert_eq!((note, &document["partial"]), (None, &json!(false)));
}

#[test]
fn values_beside_a_wrong_block_header_are_partial() {
    let main = "variable {}\nresource \"a\" {}\nactio \"b\" {}\noutput \"o\" {\n  value = var.b\n}\noutput \"p\" {\n  value = 1\n}\n";
    let files = [("main.tf", main)];
    let (_, stdout, _) = support::terrane(&files, &["eval", "--keep-going"]);
    let note = "# partial values: 3 wrong block headers in main.tf; values that depend on the unreadable text are unknown\n";
    assert!(stdout.starts_with(note), "{stdout}");
    let (_, stdout, _) = support::terrane(&files, &["eval", "--keep-going", "--json"]);
    let document: Value = serde_json::from_str(&stdout).unwrap();
    let unknown = &document["outputs"]["o"]["unknowns"][0]["origins"][0]["kind"];
    assert_eq!((&document["partial"], unknown), (&json!(true), &json!("error")));
    assert_eq!(document["outputs"]["p"]["value"], 1);
}

#[test]
fn a_name_that_unreadable_text_may_declare_is_the_reason_of_unknown_values() {
    let main = "varable \"x\" {\n  default = 1\n}\noutput \"o\" {\n  value = var.x\n}\nlocals {\n  a = [var.x[0], var.y]\n}\n\
                resource \"terraform_data\" \"t\" {\n  count = var.x\n}\n";
    let reason = "var.x may be declared in text of main.tf that cannot be read";
    let files = [("main.tf", main)];
    let (_, stdout, _) = support::terrane(&files, &["eval", "--keep-going"]);
    for line in [
        format!("  o = (error) # {reason}\n"),
        format!("  a = (error) # {reason}\n"),
        format!("  # number of instances unknown: {reason}\n"),
    ] {
        assert!(stdout.contains(&line), "{stdout}");
    }
    let (_, stdout, _) = support::terrane(&files, &["eval", "--keep-going", "--json"]);
    let document: Value = serde_json::from_str(&stdout).unwrap();
    let unknown = &document["outputs"]["o"]["unknowns"][0];
    assert_eq!(
        (&unknown["reasons"][0], &unknown["origins"][0]["subject"]),
        (&json!(reason), &json!("var.x"))
    );
    let (_, stdout, _) = support::terrane(&files, &["explain", "output.o", "."]);
    let help = "#   known with: correct the text of main.tf that cannot be read\n";
    assert!(stdout.starts_with(&format!("# unknown: {reason}\n{help}")), "{stdout}");
    // With damage in two files, nothing tells which of them has the declaration.
    let files = [("main.tf", main), ("b.tf", "locals {\n  c = \n}\n")];
    let (_, stdout, _) = support::terrane(&files, &["eval", "--keep-going"]);
    assert!(
        stdout.contains("  o = (error) # var.x may be declared in text that cannot be read\n"),
        "{stdout}"
    );
    // An error in the object itself is its own.
    let (_, stdout, _) = support::terrane(
        &[("main.tf", &*main.replace("var.x\n}\nl", "var.y\n}\nl"))],
        &["eval", "--keep-going"],
    );
    assert!(stdout.contains("  o = (error) # output.o has an error that is reported above\n"), "{stdout}");
}

#[test]
fn a_missing_sign_puts_only_its_argument_in_doubt() {
    let ids = |text: &str| {
        let text = format!("{text}\noutput \"z\" {{\n  value = local.nope\n}}\n");
        let files = [("main.tf", &*text), ("m/main.tf", "variable \"a\" {}\n")];
        let (_, stdout, _) = support::terrane(&files, &["check", "--format", "compact"]);
        let id = |line: &str| line.rsplit_once("[core:").map(|(_, id)| id.trim_end_matches(']').to_owned());
        stdout.lines().filter_map(id).collect::<Vec<_>>()
    };
    let one = ["argument-required", "undeclared-local"];
    assert_eq!(
        ids("locals {\n  a = merge\n    { b = 1 },\n  )\n  c = 1\n}"),
        ["item-required", "item-required", "undeclared-local"]
    );
    assert_eq!(ids("locals {\n  a  { for k in [1] : k => k }\n}"), one);
    let call = "module \"m\" {\n  source = \"./m\"\n  for_each  { for k, v in { x = 1 } : k => v }\n  a = each.key\n}";
    assert_eq!(ids(call), one);
    assert_eq!(
        ids("module \"m\" {var.\n  source = \"./m\"\n  a = 1\n}"),
        ["item-required", "undeclared-local"]
    );
    let lost = "locals {var.\n  a = 1\n}\noutput \"a\" {\n  value = local.a\n}";
    assert_eq!(ids(lost), ["item-required", "undeclared-local"]);
    assert_eq!(
        ids("output \"o\" { value = } { a = 1, b = try(1, 2) } }"),
        ["invalid-expression", "undeclared-local"]
    );
}

/// Returns the ids of the diagnostics of `check`, each with its file, and the document of `eval --keep-going --json`.
fn checked(files: &[(&str, &str)]) -> (Vec<String>, Value) {
    let (_, stdout, _) = support::terrane(files, &["check", "--format", "compact"]);
    let id = |line: &str| {
        let (place, id) = line.rsplit_once("[core:")?;
        let file = place.split(':').next().unwrap_or_default();
        Some(format!("{file} {}", id.trim_end_matches(']')))
    };
    let ids = stdout.lines().filter_map(id).collect();
    let (_, stdout, _) = support::terrane(files, &["eval", "--keep-going", "--json"]);
    (ids, serde_json::from_str(&stdout).expect("a document in JSON"))
}

/// A module in JSON with an object on each of several lines, and its caller.
const CALLER: &str = "module \"m\" {\n  source = \"./m\"\n  p = 1\n  q = 2\n}\noutput \"all\" {\n  value = module.m\n}\noutput \"o\" {\n  value = module.m.o\n}\n";
const CALLED: &str = "{\n \"variable\": {\n  \"p\": {},\n  \"q\": {\n   \"default\": 3\n  }\n },\n \"output\": {\n  \"o\": {\n   \"value\": \"${var.p}\"\n  }\n }\n}\n";

#[test]
fn a_missing_line_of_a_file_in_json_invents_nothing() {
    let (sound, document) = checked(&[("main.tf", CALLER), ("m/m.tf.json", CALLED)]);
    assert!(sound.is_empty(), "{sound:?}");
    assert_eq!(document["values"]["output.o"]["value"], 1);
    for line in CALLED.lines().filter(|line| line.contains('"')) {
        let broken = CALLED.replacen(&format!("{line}\n"), "", 1);
        let (ids, document) = checked(&[("main.tf", CALLER), ("m/m.tf.json", &broken)]);
        let is_valid = serde_json::from_str::<Value>(&broken).is_ok();
        assert!(is_valid || ids.iter().all(|id| id.starts_with("m/m.tf.json ")), "{line}: {ids:?}");
        let value = &document["values"]["output.o"];
        assert!(is_valid || value["state"] == "unknown" || value["value"] == 1, "{line}: {value}");
        let all = &document["values"]["output.all"];
        assert!(is_valid || all["state"] == "unknown" || all["value"] == json!({"o": 1}), "{line}: {all}");
    }
}

#[test]
fn a_missing_header_in_json_hides_names_of_its_kind_only() {
    let text = "{\n  \"variable\": {\n    \"b\": {\n      \"default\": 1\n    },\n    \"c\": {\n      \"default\": 2\n    }\n  }\n}\n";
    let uses = "output \"o\" {\n  value = [var.b, var.c, local.nope]\n}\n";
    let broken = text.replace("    \"c\": {\n", "");
    let (ids, document) = checked(&[("a.tf.json", &broken), ("b.tf", uses), ("terraform.tfvars", "c = 3\n")]);
    assert_eq!(ids, ["a.tf.json json-extra", "b.tf undeclared-local"]);
    assert_eq!(document["values"]["var.b"]["value"], 1);
}

#[test]
fn a_broken_header_invents_no_finding_about_the_names_that_it_may_declare() {
    let uses = "output \"z\" {\n  value = [var.x, terraform_data.y.id, local.a, module.m]\n}\nlocals {\n  b = module.m\n}\n";
    let after = |header: &str| {
        let (mut ids, _) = checked(&[("a.tf", &format!("{header}\n")), ("b.tf", uses)]);
        ids.retain(|id| id.starts_with("b.tf"));
        ids.dedup();
        ids.iter().map(|id| id.trim_start_matches("b.tf undeclared-").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(after(""), ["variable", "resource", "local", "module"]);
    for variable in
        ["variable {}", "variable \"x\" \"y\" {}", "variabel \"x\" {}", "variable ", "variable \""]
    {
        let body = if variable.ends_with('}') { "" } else { "\n  default = 1\n}" };
        assert_eq!(after(&format!("{variable}{body}")), ["resource", "local", "module"], "{variable}");
    }
    let resources = [
        "resource \"terraform_data\" {}",
        "resource \"terraform_data\" \"y\" \"z\" {}",
        "resource \"terraform_data\"\n  input = 1\n}",
        "resource \"terraform_data\" \"\n  input = 1\n}",
    ];
    for resource in resources {
        assert_eq!(after(resource), ["variable", "local", "module"], "{resource}");
    }
    assert_eq!(after("locals \"foo\" {\n  a = 1\n}"), ["variable", "resource", "module"]);
    assert_eq!(after("module {}"), ["variable", "resource", "local"]);
}

#[test]
fn a_name_that_is_not_written_to_its_end_invents_no_finding() {
    let called = ("m/main.tf", "variable \"size\" {\n  default = 1\n}\nvariable \"need\" {}\n");
    let text = "module \"m\" {\n  source = \"./m\"\n  ne\n}\nlocals {\n  control\n}\noutput \"o\" {\n  value = [local.controller, local.nope]\n}\n";
    let (ids, document) = checked(&[("main.tf", text), called]);
    assert_eq!(ids, ["main.tf item-required", "main.tf item-required", "main.tf undeclared-local"]);
    assert_eq!(document["values"]["module.m.var.size"]["state"], "unknown");
}

/// The heredoc has no end, so that it may have taken in the rest of the value before it.
#[test]
fn a_value_with_braces_before_a_heredoc_without_end_is_in_doubt() {
    let text = "locals {\n  a = { x = 1 }\n  c = <<-E\n  t\n}\noutput \"o\" {\n  value = local.a.y\n}\n";
    let (_, document) = checked(&[("main.tf", text)]);
    let (ids, _) = checked(&[("main.tf", text)]);
    assert_eq!(ids, ["main.tf unterminated-template"]);
    assert_eq!(document["values"]["local.a"]["state"], "unknown");
}

#[test]
fn a_body_without_a_header_excuses_only_names_of_its_kind() {
    let uses = "output \"o\" {\n  value = [aws_x.t, module.m]\n}\n";
    let ids = |text: &str| {
        let (ids, _) = checked(&[("a.tf", text), ("b.tf", uses)]);
        ids.into_iter().filter(|id| id.starts_with("b.tf")).collect::<Vec<_>>()
    };
    let module = ["b.tf undeclared-module"];
    assert_eq!(ids("  provider = aws.west\n  name = 1\n}\n"), module);
    assert_eq!(ids("/**\n * Licensed \"AS IS\"\n */\n\n  name = 1\n}\n"), module);
    assert_eq!(ids("  source = \"./m\"\n}\n"), Vec::<String>::new());
    let of_variable = "  type    = string\n  default = \"a\"\n}\n";
    assert_eq!(ids(of_variable), ["b.tf undeclared-resource", "b.tf undeclared-module"]);
}

#[test]
fn comments_bodies_and_escapes_in_broken_text_invent_nothing() {
    let ids = |file: &str, text: &str, uses: &str| {
        let (ids, _) = checked(&[(file, text), ("b.tf", uses)]);
        ids.into_iter().filter(|id| id.starts_with("b.tf")).collect::<Vec<_>>()
    };
    let nothing = Vec::<String>::new();
    let variable = "output \"o\" {\n  value = var.x\n}\n";
    for comment in ["# conf/*.json", "//******", "# conf"] {
        let text = format!("foo bar\n{comment}\n  variable \"x\" {{\n    default = 1\n  }}\n");
        assert_eq!(ids("a.tf", &text, variable), nothing, "{comment}");
    }
    let resource = "output \"o\" {\n  value = aws_vpc.main.id\n}\n";
    for body in ["{ tags = {} }", "{ name = \"a\" }", "{ tags = { a = { b = c } } }"] {
        assert_eq!(ids("a.tf", &format!("resource \"aws_vpc\" {body}\n"), resource), nothing, "{body}");
    }
    let local = "output \"o\" {\n  value = [local.a, local.b]\n}\n";
    for value in ["q z", "\\\"q\\\" z", "\\\\"] {
        let text = format!(
            "{{\n  \"locals\": {{\n    \"a\": \"{value}\",\n      \"c\": 1\n    }},\n    \"d\": 2\n  }}\n}}\n"
        );
        assert_eq!(ids("a.tf.json", &text, local), nothing, "{value}");
    }
}

/// Returns the places and ids of the findings in `uses.tf`, beside these files.
fn findings_of_uses(files: &[(&str, &str)], uses: &str) -> Vec<String> {
    let (_, stdout, _) =
        support::terrane(&[files, &[("uses.tf", uses)]].concat(), &["check", "--format", "compact"]);
    let finding = |line: &str| {
        let line = line.strip_prefix("uses.tf:")?;
        let (place, id) = (line.split(':').next()?, line.rsplit_once("[core:")?.1);
        Some(format!("{place} {}", id.trim_end_matches(']')))
    };
    stdout.lines().filter_map(finding).collect()
}

#[test]
fn an_open_sequence_or_heredoc_hides_no_block_behind_it() {
    let behind = "\nvariable \"b\" {\n  description = <<-EOT\n    three\n    EOT\n}\n";
    let uses = "output \"z\" { value = var.b }\noutput \"y\" { value = local.nope }\n";
    for broken in [
        "  description = <<-EOT\n    one ${ two\n    EOT\n",
        "  description = <<-EOT\n    one %{ two\n    EOT\n",
        "  description = <<-EOT\n    one %{ if two(\n    EOT\n",
        "  validation {\n  zzx = <<-EOT\n    condition = true\n  }\n",
        "  description = \"one ${ two\"\n",
    ] {
        let text = format!("variable \"a\" {{\n{broken}}}\n{behind}");
        assert_eq!(findings_of_uses(&[("main.tf", &text)], uses), ["2 undeclared-local"], "{broken}");
    }
}

#[test]
fn a_broken_sequence_in_a_heredoc_puts_only_its_argument_in_doubt() {
    let text = "locals {\n  a = <<-EOT\n    ${ two\n    EOT\n  b = <<-EOT\n    three\n    EOT\n}\n";
    let (ids, document) = checked(&[("main.tf", text)]);
    assert_eq!(ids, ["main.tf extra-after-interpolation"]);
    assert_eq!(document["values"]["local.b"]["value"], "three\n");
    assert_eq!(document["values"]["local.a"]["state"], "unknown");
}

#[test]
fn a_body_with_values_of_several_lines_invents_nothing() {
    let uses = "output \"z\" { value = var.x }\noutput \"y\" { value = local.nope }\n";
    for body in ["  description = <<-EOT\n    x\n  EOT\n", "  type = object({\n  foo = string\n  })\n"] {
        let text = format!("variabl\n  type = any\n{body}}}\n");
        assert_eq!(findings_of_uses(&[("main.tf", &text)], uses), ["2 undeclared-local"], "{body}");
    }
    let called = "outpu\n  description = <<-EOT\n    The id.\n  EOT\n  value = 1\n}\n";
    let uses = "module \"m\" {\n  source = \"./m\"\n}\noutput \"z\" { value = module.m.id }\noutput \"y\" { value = local.nope }\n";
    assert_eq!(findings_of_uses(&[("m/main.tf", called)], uses), ["5 undeclared-local"]);
}

#[test]
fn a_header_without_its_label_invents_nothing() {
    let uses = "module \"c\" {\n  source = \"./m\"\n  k = 1\n}\noutput \"y\" { value = local.nope }\n";
    for header in ["variable", "var", "v"] {
        let called = format!("{header}\n\noutput \"q\" {{ value = var.k }}\n");
        let (ids, _) = checked(&[("m/main.tf", &called), ("uses.tf", uses)]);
        assert_eq!(ids, ["uses.tf undeclared-local", "m/main.tf item-required"], "{header}");
    }
    let uses = "output \"z\" { value = module.net_b }\noutput \"y\" { value = module.other }\n";
    let joined = "module \"net_ source = \"x\" {\n}\n";
    assert_eq!(findings_of_uses(&[("main.tf", joined)], uses), ["2 undeclared-module"]);
}

#[test]
fn a_half_header_excuses_only_resources_of_its_mode_and_type() {
    let uses = "output \"a\" { value = aws_vpc.x }\noutput \"b\" { value = zzq.nope }\noutput \"c\" { value = data.aws_vpc.x }\noutput \"d\" { value = ephemeral.zzq.nope }\noutput \"e\" { value = aws_vpc_x.x }\n";
    let others = ["2", "3", "4", "5"].map(|line| format!("{line} undeclared-resource"));
    assert_eq!(findings_of_uses(&[("main.tf", "resource \"aws_vpc\"\n")], uses), others);
    assert_eq!(findings_of_uses(&[("main.tf", "resource \"aws_v\n")], uses), others[..3]);
    let of_data = ["1", "2", "4", "5"].map(|line| format!("{line} undeclared-resource"));
    assert_eq!(findings_of_uses(&[("main.tf", "data \"aws_vpc\"\n")], uses), of_data);
}

#[test]
fn a_brace_or_bracket_too_many_or_missing_excuses_no_name() {
    let uses = "output \"z\" { value = zzq.nope }\noutput \"y\" { value = local.nope }\n";
    let both = ["1 undeclared-resource", "2 undeclared-local"];
    for text in [
        "output \"a\" {\n  description = \"x\"\n}\n  value = 1\n}\n",
        "locals {\n  m = max\n    local.a,\n    2,\n  )\n}\n",
        "locals {\n  c = concat\n    var.tags,\n    [\"x\"]\n  )\n}\n",
        "locals {\n  c = 1\n  )\n}\n",
        "zzx = foo(\nvariable \"a\" {\n}\n",
        "zzx = [\nvariable \"a\" {\n}\n",
        "zzx = <<EOT\nvariable \"a\" {\n}\n",
    ] {
        assert_eq!(findings_of_uses(&[("main.tf", text)], uses), both, "{text}");
    }
}

#[test]
fn a_module_with_outputs_in_doubt_is_not_known() {
    let called = "  value = 1\n}\noutput \"o2\" {\n  value = 2\n}\n";
    let (_, document) = checked(&[("main.tf", CALLER), ("m/main.tf", called)]);
    let module = &document["values"]["module.m"];
    assert_eq!((&module["state"], &module["value"]), (&json!("unknown"), &json!({"o2": 2})));
}

#[test]
fn a_matrix_of_partial_values_says_so() {
    let variable = ("main.tf", "variable \"a\" {\n  default = 1\n}\n");
    let values = [("dev.tfvars", "a = 1\n"), ("prod.tfvars", "a = \n")];
    let note = |files: &[(&str, &str)]| {
        let (_, stdout, _) = support::terrane(files, &["eval", "--matrix", "*.tfvars", "--keep-going"]);
        stdout.lines().next().unwrap_or_default().to_owned()
    };
    let rest = "values that depend on the unreadable text are unknown";
    assert_eq!(
        note(&[variable, values[0], values[1]]),
        format!("# prod: partial values: 1 syntax error in prod.tfvars; {rest}")
    );
    let broken = ("z.tf", "locals {\n  b = \n}\n");
    assert_eq!(
        note(&[variable, broken, values[0]]),
        format!("# partial values: 1 syntax error in z.tf; {rest}")
    );
}

#[test]
fn missing_names_of_a_module_excuse_no_names_of_called_modules() {
    let call = "module \"m\" {\n  source = \"./m\"\n}\n";
    let child = "output \"a\" {\n  value = [local.nope, var.nope, aws_vpc.nope]\n}\n";
    let broken = [
        "locals {\n  = 1\n}\n",
        "variable {\n}\n",
        "variable\n",
        "resource \"aws_vpc\" {\n}\n",
        "  value = 1\n}\n",
        "locals {\n  y = 1 +\n}\n",
    ];
    for text in broken {
        let main = format!("{text}{call}");
        let (ids, _) = checked(&[("main.tf", &*main), ("m/main.tf", child)]);
        let of_child: Vec<&str> = ids.iter().filter_map(|id| id.strip_prefix("m/main.tf ")).collect();
        assert_eq!(of_child, ["undeclared-local", "undeclared-variable", "undeclared-resource"], "{text}");
    }
}

#[test]
fn undeclared_names_and_mistakes_in_variable_files_have_places_without_text() {
    let main = ("main.tf", "variable \"pw\" {\n  sensitive = true\n}\n");
    let findings = |values: (&str, &str), arguments: &[&str]| {
        let arguments = [arguments, &["--format", "json"]].concat();
        let (_, stdout, _) = support::terrane(&[main, values], &arguments);
        assert!(!stdout.contains("hunter2"), "{stdout}");
        let document: Value = serde_json::from_str(&stdout).expect("a document");
        let found = document["diagnostics"].as_array().expect("a part").iter();
        let place = |found: &Value| {
            let (id, start) = (found["id"].as_str().expect("a part"), &found["range"]["start"]);
            let names_it = found["detail"].as_str().expect("a part").contains("\"nope\"");
            (id.to_owned(), start["line"].as_u64(), start["column"].as_u64(), names_it)
        };
        found.map(place).collect::<Vec<_>>()
    };
    let undeclared = vec![("core:undeclared-value".to_owned(), Some(2), Some(1), true)];
    let values = "pw = \"hunter2\"\nnope = \"hunter2\"\n";
    for arguments in [&["check"][..], &["eval"]] {
        assert_eq!(findings(("terraform.tfvars", values), arguments), undeclared);
        let given = [arguments, &["-var-file", "other.tfvars"]].concat();
        assert_eq!(findings(("other.tfvars", values), &given), undeclared);
        let broken = ("terraform.tfvars", "pw = \"hunter2\" 1\nnope = 1\n\n\nother = 1\n");
        let mistake = findings(broken, arguments);
        assert_eq!(mistake.len(), 2, "{mistake:?}");
        assert_eq!(mistake[0], ("core:missing-newline-after-argument".to_owned(), Some(1), Some(16), false));
        assert_eq!(mistake[1], ("core:undeclared-value".to_owned(), Some(5), Some(1), false));
    }
}

#[test]
fn only_names_in_unreadable_text_of_an_override_file_are_in_doubt() {
    let main = "variable \"a\" {\n  default = 1\n}\nlocals {\n  b = 2\n  c = upper(1, 2)\n}\noutput \"o\" {\n  value = var.a\n}\n";
    for (text, unknown) in [
        ("@\n", ""),
        ("<<<<<<<\n=======\n>>>>>>>\noutput \"o\" {\n  description = \"d\"\n}\n", ""),
        ("outpu{t \"o\" {\n  value = 3\n}\n", "output.o"),
        ("output \"o\" {\n  value = var.a\n}\n}\n", ""),
        ("locals {\n  = 3\n}\n", "local.b"),
    ] {
        let (ids, document) = errors_and_document(&[("main.tf", main), ("main_override.tf", text)]);
        assert!(
            ids.contains(&"core:too-many-arguments".to_owned()) || unknown == "local.b",
            "{text}: {ids:?}"
        );
        for name in ["var.a", "local.b", "output.o"] {
            let state = if unknown == name { "unknown" } else { "known" };
            assert_eq!(document["values"][name]["state"], state, "{text}: {name}");
        }
    }
}

#[test]
fn a_damaged_property_of_a_json_block_is_not_missing() {
    let main = r#"{
  "module": {
    "m": {
      "source": "./m",
      "v": 1
    }
  },
  "output": {
    "o": {
      "value": 1
    }
  },
  "resource": {
    "aws_a": {
      "x": {
        "for_each": "${toset([\"p\"])}",
        "name": "${each.key}"
      },
      "y": [{
        "count": 2,
        "name": "${count.index}"
      }]
    }
  }
}
"#;
    let called = "variable \"v\" {}\noutput \"o\" {\n  value = var.v\n}\n";
    for name in ["source", "v", "value", "for_each", "count"] {
        let text = main.replace(&format!("\"{name}\":"), &format!("@\"{name}\":"));
        let (ids, _) = errors_and_document(&[("main.tf.json", &text), ("m/main.tf", called)]);
        assert_eq!(ids, ["core:json-invalid-value"], "{name}");
    }
    for name in ["m", "x", "resource", "module"] {
        let text = main.replace(&format!("\"{name}\": {{"), &format!("\"{name}\" {{"));
        let (ids, _) = errors_and_document(&[("main.tf.json", &text), ("m/main.tf", called)]);
        assert_eq!(ids, ["core:json-missing-colon"], "{name}");
    }
    let text = main.replace("\"resource\": {\n    \"aws_a\"", "\"resource\": {\n  {  \"aws_a\"");
    let (ids, document) = errors_and_document(&[("main.tf.json", &text), ("m/main.tf", called)]);
    assert!(
        !ids.iter().any(|id| ["core:json-type", "core:missing-label", "core:count-outside"].contains(&&**id)),
        "{ids:?}"
    );
    assert_eq!(document["values"]["output.o"]["value"], 1);
}

#[test]
fn unreadable_text_of_a_variable_file_sets_only_the_names_in_it() {
    let main = "variable \"alpha\" {\n  default = 1\n}\nvariable \"beta\" {\n  default = 2\n}\nvariable \"gamma\" {\n  default = 3\n}\n";
    for (text, known) in [
        ("<<<<<<<\nalpha = 10\n=======\nalpha = 11\n>>>>>>>\n", "beta gamma"),
        ("alpha = {\n  beta = 1\n\ngamma = 4\n", "gamma"),
        ("al@pha = 1\n", "beta gamma"),
        ("= 1\n", ""),
    ] {
        let (_, document) = errors_and_document(&[("main.tf", main), ("terraform.tfvars", text)]);
        let names = ["alpha", "beta", "gamma"].into_iter();
        let found = names.filter(|name| document["values"][format!("var.{name}")]["state"] == "known");
        assert_eq!(found.collect::<Vec<_>>().join(" "), known, "{text}");
    }
}

#[test]
fn an_argument_that_resembles_a_block_type_may_be_a_block() {
    let used = "resource \"aws_a\" \"x\" {\n  provider = aws.foo\n}\nresource \"b_c\" \"x\" {\n  provider = b.foo\n}\n";
    for (name, equals, count) in
        [("terrafor", "", 2), ("terrafor", " =", 2), ("teraform", "", 2), ("word", "", 3), ("word", " =", 3)]
    {
        let text = format!(
            "{name} = {{\n  required_providers{equals} {{\n    aws = {{ source = \"a/aws\" }}\n  }}\n}}\n{used}"
        );
        let (ids, _) = errors_and_document(&[("main.tf", &text)]);
        let missing = ids.iter().filter(|id| *id == "core:provider-not-present").count();
        assert_eq!((ids.len(), missing), (count, count - 1), "{name}{equals}: {ids:?}");
    }
}

#[test]
fn a_damaged_condition_puts_no_value_in_doubt() {
    let text = |line: &str, lost: &str| {
        let condition = format!("{{\n    condition = true\n    error_message = \"x\"\n    {line}\n  }}\n");
        let condition = condition.replacen(lost, "", 1);
        format!(
            "variable \"q\" {{\n  default = 1\n  validation {condition}}}\nresource \"terraform_data\" \"x\" {{\n  input = 2\n  \
             lifecycle {{\n  precondition {condition}  }}\n}}\noutput \"o\" {{\n  value = 3\n  precondition {condition}}}\n"
        )
    };
    for (line, lost, state) in [
        ("con", "condition = true\n", "known"),
        ("error_messa", "error_message = \"x\"\n", "known"),
        ("condition = = 1", "condition = true\n", "known"),
        ("sensi tive = true", "", "unknown"),
        ("con {", "condition = true\n", "unknown"),
    ] {
        let (ids, document) = errors_and_document(&[("main.tf", &text(line, lost))]);
        for name in ["var.q", "output.o"] {
            assert_eq!(document["values"][name]["state"], state, "{line}: {name}");
        }
        let is_syntax = |id: &String| {
            ["item-required", "invalid-expression", "invalid-block"].iter().any(|end| id.ends_with(end))
        };
        assert!(state == "unknown" || ids.len() == 3 && ids.iter().all(is_syntax), "{line}: {ids:?}");
    }
}

#[test]
fn a_conflict_of_a_merge_hides_only_the_names_in_it() {
    let locals = |conflict: &str| {
        let read = |name: &str| format!("output \"{name}\" {{\n  value = local.{name}\n}}\n");
        let outputs: String = ["a", "b", "c", "d", "nope"].into_iter().map(read).collect();
        format!("locals {{\n  a = 1\n{conflict}  d = 4\n}}\n{outputs}")
    };
    for (conflict, unknown, syntax_errors) in [
        ("  =====\n", "b c nope", 1),
        ("=======\n", "b c nope", 1),
        ("<<<<<<<\n  b = 2\n  c = 3\n=======\n  b = 20\n>>>>>>>\n", "b c nope", 1),
        (
            "<<<<<<<\n  b = {\n    x = 2\n  }\n|||||||\n  c = 3\n=======\n>>>>>>>\n",
            // The lexer reports the odd bar.
            "b c nope",
            2,
        ),
        // Without its last line, it marks itself alone.
        ("<<<<<<<\n  b = 2\n", "c nope", 1),
    ] {
        let (ids, document) = errors_and_document(&[("main.tf", &locals(conflict))]);
        let names = ["a", "b", "c", "d", "nope"].into_iter();
        let found: Vec<&str> =
            names.filter(|name| document["values"][format!("output.{name}")]["state"] != "known").collect();
        assert_eq!(found.join(" "), unknown, "{conflict}");
        let undeclared = ids.iter().filter(|id| *id == "core:undeclared-local").count();
        let is_declared = |name: &&str| conflict.contains(&format!("{name} ="));
        let expected = ["b", "c", "nope"].iter().filter(|name| !is_declared(name)).count();
        assert_eq!((undeclared, ids.len()), (expected, expected + syntax_errors), "{conflict}: {ids:?}");
    }
}

#[test]
fn a_missing_or_displaced_argument_invents_nothing() {
    let called = "variable \"v\" {}\noutput \"o\" {\n  value = var.v\n}\n";
    for (text, count) in [
        // A name that is not written to its end, in a nested block.
        ("check \"c\" {\n  assert {\n    condition = 1 == 1\n    error_messa\n  }\n}\n", 1),
        (
            "resource \"terraform_data\" \"x\" {\n  lifecycle {\n    postcondition {\n      condition = self.id == \"x\"\n      error_messa\n    }\n  }\n}\n",
            1,
        ),
        (
            "resource \"aws_a\" \"y\" {\n  dynamic \"b\" {\n    for_each = [1]\n    iterator = it\n    @content {\n      v = it.value\n    }\n  }\n}\n",
            1,
        ),
        // The first line of a block above its header.
        (
            "  for_each = toset([\"p\"])\nresource \"aws_a\" \"x\" {\n  name = each.key\n}\n\noutput \"q\" {\n  value = aws_a.x[\"p\"].name\n}\n",
            1,
        ),
        ("  source = \"./m\"\nmodule \"x\" {\n  v = 1\n}\n\noutput \"q\" {\n  value = module.x.o\n}\n", 1),
        ("  value = 1\noutput \"q\" {\n  description = \"d\"\n}\n", 1),
        (
            "  from = terraform_data.a\nmoved {\n  to = terraform_data.b\n}\nresource \"terraform_data\" \"b\" {}\n",
            1,
        ),
        // A block that is an argument without its equals sign.
        (
            "resource \"aws_a\" \"x\" {\n  for_each {\n    p = 1\n  }\n  name = each.key\n}\noutput \"q\" {\n  value = aws_a.x[\"p\"].name\n}\n",
            1,
        ),
        (
            "resource \"terraform_data\" \"x\" {\n  count { n = 1 }\n  depends_on {}\n  input = count.index\n}\noutput \"q\" {\n  value = terraform_data.x[0].input\n}\n",
            2,
        ),
        (
            "module \"k\" {\n  source = \"./m\"\n  for_each { i = 1 }\n  v = each.value\n}\noutput \"q\" {\n  value = module.k[\"i\"].o\n}\n",
            1,
        ),
        ("module \"k\" {\n  source = \"./m\"\n  v { a = 1 }\n  w {}\n}\n", 2),
        // A value without its name behind a heredoc.
        ("locals {\n  h = <<EOT\nx\nEOT\n  = \"small\"\n}\noutput \"o\" {\n  value = local.t\n}\n", 1),
    ] {
        let (ids, _) = errors_and_document(&[("main.tf", text), ("m/main.tf", called)]);
        assert_eq!(ids.len(), count, "{text}: {ids:?}");
    }
    let twice = "module \"m\" {\n  source   = \"./m\"\n  for_each = toset([\"a\"])\n  v        = = 1\n}\n";
    let (_, document) = errors_and_document(&[("main.tf", twice), ("m/main.tf", called)]);
    assert_eq!(document["values"]["module.m[\"a\"].var.v"]["state"], "unknown");
}
