//! Tests of values and errors beside block headers and arguments with syntax errors.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/partial_document.rs"]
mod partial_document;
mod support;

use partial_document::errors_and_document;

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
fn a_wrong_header_in_an_override_file_puts_only_what_it_may_change_in_doubt() {
    let main = "variable \"env\" {\n  default = \"dev\"\n}\nlocals {\n  name = \"net\"\n  bad = var.nope\n}\n\
        resource \"terraform_data\" \"v\" {\n  count = 1\n  input = 1\n}\noutput \"main\" {\n  value = 1\n}\n\
        module \"net\" {\n  source = \"./net\"\n  env = \"base\"\n}\n";
    let net = "variable \"env\" {}\noutput \"x\" {\n  value = var.env\n}\n";
    let names = ["var.env", "local.name", "output.main", "module.net.var.env", "module.net.output.x"];
    let of_call: &[&str] = &["module.net.var.env", "module.net.output.x"];
    for (name, text, unknown) in [
        ("override.tf", "varable \"env\" {\n  default = \"prod\"\n}\n", &["var.env"][..]),
        ("x_override.tf", "local {\n  name = \"over\"\n}\n", &["local.name"]),
        ("x_override.tf", "local = {\n  name = \"over\"\n}\n", &["local.name"]),
        ("x_override.tf", "outpt \"main\" {\n  value = 2\n}\n", &["output.main"]),
        ("x_override.tf", "output \"main\" \"p\" {\n  value = 2\n}\n", &["output.main"]),
        ("x_override.tf", "outpt \"p\" {\n  value = 2\n}\n", &[]),
        ("x_override.tf", "resource \"terraform_data\" {\n  count = 3\n}\n", &[]),
        ("x_override.tf.json", r#"{"varable": {"env": {"default": 3}}}"#, &["var.env"]),
        ("x_override.tf", "modul \"net\" {\n  env = \"over\"\n}\n", of_call),
        ("x_override.tf", "mod\"ule \"net\" {\n  env = \"over\"\n}\n", of_call),
        ("x_override.tf", "module \"net\" {\n  en v = \"over\"\n}\n", of_call),
    ] {
        let (ids, document) = errors_and_document(&[("main.tf", main), ("net/main.tf", net), (name, text)]);
        assert!(ids.contains(&"core:undeclared-variable".to_owned()), "{text}: {ids:?}");
        for name in names {
            let state = if unknown.contains(&name) { "unknown" } else { "known" };
            assert_eq!(document["values"][name]["state"], state, "{text}: {name}");
        }
        let resource = &document["values"]["terraform_data.v"];
        assert_eq!(
            resource["instances_unknown"].is_array(),
            text.contains("count = 3"),
            "{text}: {resource}"
        );
    }
}

#[test]
fn a_header_with_a_quote_too_many_or_its_brace_below_hides_only_its_own_name() {
    let uses = "locals {\n  a = var.missing1\n  b = local.missing2\n  c = aws_eip.missing3.id\n  d = module.missing4.x\n}\n";
    let all = ["2 undeclared-variable", "3 undeclared-local", "4 undeclared-resource", "5 undeclared-module"];
    for text in [
        "output \"x\"\" {\n  value = 1\n}\n",
        "output \"\"x\" {\n  value = 1\n}\n",
        "output \"x\" \"{\n  value = 1\n}\n",
        "resource \"aws_vpc\"\" \"x\" {\n  tags = {}\n}\n",
        "resource \"aws_vpc\" \"x\" {\n  tags = \"{\n    a = 1\n  }\n}\n",
        "output \"x\"\n{\n  value = 1\n}\n",
        "resource \"aws_vpc\" \"x\"\n{\n  tags = {}\n}\n",
        "resource \"aws_vpc\" \"x\" {\n  lifecycle\n  {\n    create_before_destroy = true\n  }\n}\n",
        "locals\n{\n  y = 1\n}\n",
        "variable \"x\"\n  {\n  default = 1\n}\n",
        "terraform\n{\n  required_version = \">= 1\"\n}\n",
        "variable \"\nzones\" {}\n",
        "variable\n\"zones\" {\n  type = string\n}\n",
        "variable \"zones\n\" {\n  type = string\n}\n",
        "data \"aws_vpc\" \"x\" {  a = foo({\n    b = 1\n  })\n  c = 2\n}\n",
        "output \"x\" {  value = 1\n  sensitive = true\n}\n",
        "# a commentdata \"aws_vpc\" \"x\" {\n  a = 1\n  c = 2\n}\n",
        "locals {\n  d\"ynamic = {\n    e = 1\n  }\n}\n",
    ] {
        assert_eq!(findings_of_uses(&[("main.tf", text)], uses), all, "{text}");
    }
    let text =
        "locals\n{\n  a = 1\n}\nvariable \"b\"\n{\n  default = 2\n}\noutput \"c\" {\n  value = var.b\n}\n";
    let (ids, document) = errors_and_document(&[("main.tf", text)]);
    assert_eq!(ids, ["core:item-required", "core:invalid-block"]);
    let states = ["local.a", "var.b", "output.c"].map(|name| &document["values"][name]["state"]);
    assert_eq!(states, ["known", "unknown", "unknown"]);
}

#[test]
fn a_given_value_takes_the_place_of_a_damaged_default() {
    let module = "variable \"v\" {\n  default = 1 +\n}\noutput \"v\" {\n  value = var.v\n}\n";
    let call =
        |name: &str, argument: &str| format!("module \"{name}\" {{\n  source = \"./m\"\n{argument}}}\n");
    let root = [call("given", "  v = 2\n"), call("none", "")].concat();
    let (ids, document) = errors_and_document(&[("main.tf", &root), ("m/main.tf", module)]);
    assert_eq!(ids, ["core:invalid-expression"]);
    assert_eq!(document["values"]["module.given.output.v"]["value"], 2);
    assert_eq!(document["values"]["module.none.output.v"]["state"], "unknown");
}

#[test]
fn local_values_without_their_header_hide_only_their_own_names() {
    let text = "  a = 1\n  b = 2\n}\n";
    let uses = "output \"x\" { value = local.a }\noutput \"y\" { value = local.nope }\n";
    for above in ["", "output \"o\" {\n  value = 1\n}\n\n"] {
        let main = format!("{above}{text}");
        assert_eq!(findings_of_uses(&[("main.tf", &main)], uses), ["2 undeclared-local"], "{main}");
    }
}

#[test]
fn a_damaged_item_takes_no_other_item_of_its_block_with_it() {
    let read = |name: &str| format!("output \"{name}\" {{\n  value = local.{name}\n}}\n");
    let outputs: String = ["a", "b", "c", "d"].into_iter().map(read).collect();
    let behind = "  c = \"x\"\n  d = {\n    e = 1\n  }\n";
    for (broken, unknown) in [
        ("  b = upper(local.a\n", "b"),
        ("  b = local.a{\n\n", "b"),
        ("  b = local.a[\n\n", "b"),
        ("  b = local.a}\n", "b"),
        ("  b = {\n    x = foo[local.a\n  }\n", "b"),
        ("  b = {\n    x = {local.a\n  }\n", "b"),
        ("  b{ = try(local.a, 1)\n", "b"),
        ("  b = \"{\n    x = 1\n  }\n", "b"),
        ("  b = [\n    for x in [1] : x\n", "b"),
        ("  b = local.a == 1 ? local.\nother : 2\n", "b"),
        ("  b = 1\n,\n", ""),
        ("  b = 1\n[\n", ""),
    ] {
        let text = format!("locals {{\n  a = 1\n{broken}{behind}}}\n{outputs}");
        let (_, document) = errors_and_document(&[("main.tf", &text)]);
        let names = ["a", "b", "c", "d"].into_iter();
        let found: Vec<&str> =
            names.filter(|name| document["values"][format!("output.{name}")]["state"] != "known").collect();
        assert_eq!(found.join(" "), unknown, "{broken}");
    }
    // The brace of the block stands behind its last argument.
    let joined = "locals {\n  a = {\n    x = 1\n  }\n  b = 2}\n";
    let (_, document) = errors_and_document(&[("main.tf", joined)]);
    assert_eq!(document["values"]["local.a"]["state"], "known");
    // The content of the object is not indented, so `c` may be one of its keys.
    let flat =
        "locals {\n  a = {\n  b = 1 +\n  c = 2\n  }\n  d = 3\n}\noutput \"c\" {\n  value = local.c\n}\n";
    let (_, document) = errors_and_document(&[("main.tf", flat)]);
    assert_eq!(document["values"]["output.c"]["state"], "unknown");
}

#[test]
fn a_damaged_declaration_stays_sensitive() {
    let text = "variable \"a\" {\n  default = = 1\n  sensitive = true\n}\n\
        variable \"b\" {\n  sensitive = true\n  default = [1\n}\n\
        variable \"c\" {\n  default = = 1\n}\n";
    let module = "output \"o\" {\n  value = 1 2\n  sensitive = true\n}\noutput \"p\" {\n  value = 1 2\n}\n";
    let root =
        format!("{text}module \"m\" {{\n  source = \"./m\"\n}}\noutput \"o\" {{\n  value = var.a\n}}\n");
    let (ids, document) = errors_and_document(&[("main.tf", &root), ("m/main.tf", module)]);
    assert!(ids.contains(&"core:sensitive-output".to_owned()), "{ids:?}");
    for (name, is_sensitive) in [
        ("var.a", true),
        ("var.b", true),
        ("var.c", false),
        ("module.m.output.o", true),
        ("module.m.output.p", false),
    ] {
        assert_eq!(document["values"][name]["sensitive"], is_sensitive, "{name}");
    }
}
