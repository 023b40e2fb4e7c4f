//! Tests that no message shows a secret in a text with an error: in its excerpt, in a hint, or as a name.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;
#[path = "support/markers.rs"]
mod markers;

use self::directory::directory;
use self::markers::{scan, terrane};

const SENSITIVE: &str = "variable \"a\" {\n  sensitive = true\n}\n";

/// Runs the commands that print messages about the module with these files.
fn scan_files(files: &[(&str, &str)]) {
    let root = directory(files);
    let commands: [&[&str]; 10] = [
        &["eval"],
        &["eval", "--keep-going"],
        &["eval", "--keep-going", "--json"],
        &["eval", "--format", "json"],
        &["plan"],
        &["plan", "--json"],
        &["check"],
        &["check", "--format", "json"],
        &["check", "--format", "sarif"],
        &["graph", "--format", "json"],
    ];
    scan(root.path(), &commands.map(<[&str]>::to_vec));
}

#[test]
fn wrong_variable_files_are_hidden() {
    for text in [
        "a = 'Mrk7'\n",
        "a = \"x\nMrk7\"\nMrk7b = \"x\"\n",
        "a = <<E\nx\nE Mrk7 = 1\n",
        "a = \"${Mrk7}\"\n",
        "a = [Mrk7 7]\n",
        // The name is missing or misspelt.
        "\"Mrk7\"\n",
        " = \"Mrk7\"\n",
        "A = \"Mrk7\n",
        "A = \"Mrk7\" \"b\"\n",
        "b = 1\nMrk7\nE\n",
        "b = 1\n  Mrk7\n  E\n",
        // The value contains the name of another variable.
        "c = {\n  \"b\" = \"Mrk7\n}\n",
        "c = <<E\nb = ${Mrk7 7}\nE\n",
    ] {
        scan_files(&[("main.tf", &format!("{SENSITIVE}variable \"b\" {{}}\n")), ("terraform.tfvars", text)]);
    }
    for text in [
        "{\"a\": \"x\" \"Mrk7\": 1}",
        "{\"a\": \"x\", \"Mrk7\"}",
        "{\"a\": Mrk7}",
        "{\"a\": [\"Mrk7\" \"Mrk7\"]}",
    ] {
        scan_files(&[("main.tf", SENSITIVE), ("terraform.tfvars.json", text)]);
    }
}

/// The value of an undeclared name may be a secret under a misspelt name: it is not in the excerpt beside another mistake.
#[test]
fn misspelt_names_beside_other_mistakes_are_hidden() {
    let main = format!("{SENSITIVE}variable \"b\" {{\n  type = number\n}}\n");
    for (name, text) in [
        ("terraform.tfvars.json", "{\"b\": \"x\", \"A\": \"Mrk7\"}"),
        ("terraform.tfvars.json", "{\"b\": [1 2], \"A\": \"Mrk7\"}"),
        ("terraform.tfvars.json", "{\n\"b\": 1 2, \"A\": \"Mrk7\"}"),
        ("terraform.tfvars.json", "{\n\"b\": [1,\n\"A\": \"Mrk7\",\n\"b\": 2\n}"),
        ("terraform.tfvars", "b = 1, A = \"Mrk7\"\n"),
        ("terraform.tfvars", "b = [1, 2\nA = \"Mrk7\"\n"),
    ] {
        scan_files(&[("main.tf", &main), (name, text)]);
    }
    let template = format!("{main}source \"null\" \"x\" {{}}\nbuild {{\n  sources = [\"null.x\"]\n}}\n");
    for (name, text) in [
        ("x.auto.pkrvars.json", "{\"b\": \"x\", \"A\": \"Mrk7\"}"),
        ("x.auto.pkrvars.hcl", "b = 1, A = \"Mrk7\"\n"),
    ] {
        scan_files(&[("x.pkr.hcl", &template), (name, text)]);
    }
}

/// A file of values for several modules is read with the secrets of all.
#[test]
fn secrets_of_another_root_are_hidden() {
    let old = "output \"o\" {\n  value = 1\n}\n";
    for (values, old) in [
        ("a = \"Mrk7\n", old.to_owned()),
        ("a = \"Mrk7\"\na = \"Mrk7b\"\n", old.to_owned()),
        ("a = \"Mrk7\n", format!("variable \"a\" {{}}\n{old}")),
        ("aa = \"Mrk7\n", old.to_owned()),
    ] {
        let root = directory(&[("old/main.tf", &old), ("new/main.tf", SENSITIVE), ("x.tfvars", values)]);
        let recursive = ["eval", ".", "-recursive", "--all", "-var-file", "x.tfvars"];
        let runs = [
            vec!["diff", "old", "new", "-var-file", "x.tfvars"],
            vec!["diff", "new", "old", "-var-file", "x.tfvars", "--json"],
            recursive.to_vec(),
            [&recursive[..], &["--format", "json"]].concat(),
        ];
        scan(root.path(), &runs);
    }
}

#[test]
fn mistakes_in_values_beside_a_secret_are_shown() {
    let main = format!("{SENSITIVE}variable \"b\" {{}}\n");
    for (values, line) in [("b = \"x\n", "b = \"x"), ("b = [\n  1\n  22\n]\n", "  22")] {
        let root = directory(&[("main.tf", &main), ("terraform.tfvars", values)]);
        for command in ["eval", "check"] {
            let output = terrane(root.path(), &[command]);
            assert!(output.contains(line), "{output}");
        }
    }
}

#[test]
fn wrong_declarations_are_hidden() {
    let output = "output \"o\" {\n  value = tonumber(var.v)\n}\n";
    for arguments in [
        "sensitive = true\n  default = 'Mrk7'",
        "sensitive = true\n  type = object({ b = optional(number, \"Mrk7\") })\n  default = {}",
        "sensitive = tru\n  default = \"Mrk7\"",
        "sensitive = \"yes\"\n  default = \"Mrk7\"",
        "ephemeral = var.x\n  default = \"Mrk7\"",
        "sensitive = false\n  sensitive = true\n  default = \"Mrk7\"",
    ] {
        let text = format!("variable \"v\" {{\n  {arguments}\n}}\n{output}");
        scan_files(&[("main.tf", &text)]);
    }
    scan_files(&[("main.tf", "output \"o\" {\n  sensitive = tru\n  value = \"Mrk7\"\n}\n")]);
}

#[test]
fn keys_of_defaults_that_an_override_file_makes_secret_are_hidden() {
    for (base, over) in [
        ("type = map(number)\n  default = { Mrk7 = \"x\" }", "sensitive = true"),
        ("type = map(number)\n  default = { Mrk7 = \"x\" }", "ephemeral = true"),
        ("type = object({ a = optional(string) })\n  default = { Mrk7 = 1 }", "sensitive = true"),
        ("type = map(number)\n  sensitive = true", "default = { Mrk7 = \"x\" }"),
        ("type = map(string)\n  default = { Mrk7 = [] }\n  sensitive = true", "type = map(number)"),
    ] {
        let block = |arguments: &str| format!("variable \"v\" {{\n  {arguments}\n}}\n");
        let (base, over) = (block(base), block(over));
        scan_files(&[
            ("main.tf", &format!("{base}output \"o\" {{\n  value = 1\n}}\n")),
            ("main_override.tf", &over),
        ]);
    }
}

#[test]
fn computed_keys_of_a_sensitive_output_with_a_type_are_hidden() {
    for argument in ["sensitive", "ephemeral"] {
        let output = format!(
            "output \"o\" {{\n  {argument} = true\n  type = map(number)\n  \
             value = {{ (join(\"\", [\"Mr\", \"k7\"])) = \"x\" }}\n}}\n"
        );
        scan_files(&[("main.tf", &output)]);
    }
}

#[test]
fn wrong_uses_of_the_function_sensitive_are_hidden() {
    for value in [
        "sensitive({ Mrk7 = 1 }).nope",
        "sensitive([\"Mrk7\"]).x",
        "sensitive(\"Mrk7\") + 1",
        "tonumber(sensitive(\"Mrk7\"))",
        "core::sensitive(\"Mrk7\")[\"x\"]",
    ] {
        let text = format!(
            "locals {{\n  a = {value}\n}}\noutput \"o\" {{\n  sensitive = true\n  value = local.a\n}}\n"
        );
        scan_files(&[("main.tf", &text)]);
    }
}

#[test]
fn texts_without_quotes_in_the_function_sensitive_are_hidden() {
    for text in
        ["Mrk7", "Mrk7.x", "\"${Mrk7.y}z\"", "[for x in [1]: Mrk7.a[x]]", "Mrk7(1)", "{ a = upper(Mrk7.b) }"]
    {
        let main = format!(
            "locals {{\n  a = sensitive({text})\n}}\noutput \"o\" {{\n  value = local.a\n  sensitive = true\n}}\n"
        );
        scan_files(&[("main.tf", &main)]);
    }
    // Names with a meaning stay.
    let root = directory(&[(
        "main.tf",
        "locals {\n  a = [for x in [1]: sensitive([x.b, var.none, upper(x)])]\n}\n",
    )]);
    let stdout = terrane(root.path(), &["check"]);
    assert!(stdout.contains("sensitive([x.b, var.none, upper(x)])"), "{stdout}");
}

#[test]
fn literals_in_addresses_are_hidden() {
    let root = directory(&[("main.tf", "output \"a\" {\n  value = 1\n}\n")]);
    let texts = [
        "sensitive(\"Mrk7\")",
        "upper(\"a${sensitive(\"Mrk7\")}\")",
        "nonsensitive(sensitive({ Mrk7 = 1 }) == 1)",
        "nope[sensitive(\"Mrk7\")]",
        "terraform.nope[core::sensitive(\"Mrk7\")]",
        "output.a[sensitive(\"Mrk7\")]",
        "sensitive(\"Mrk7\"",
    ];
    for text in texts {
        let required = format!("--require-known={text}");
        let commands: [&[&str]; 9] = [
            &["eval", ".", text],
            &["eval", ".", text, "--json"],
            &["eval", ".", text, "--raw"],
            &["eval", ".", text, "--format", "json"],
            &["eval", ".", &required],
            &["eval", "-recursive", "--all", ".", text],
            &["explain", text],
            &["explain", text, "--reverse"],
            &["graph", "--focus", text],
        ];
        scan(root.path(), &commands.map(<[&str]>::to_vec));
    }
    let shown = terrane(root.path(), &["eval", ".", "sensitive(\"x\")", "--json"]);
    assert!(shown.contains(r#"{"sensitive(...)":{"#), "{shown}");
    let texts = ["a", "b", "a"].map(|text| format!("nonsensitive(sensitive(\"{text}\"))"));
    let [one, other, again] = texts.each_ref().map(String::as_str);
    let shown = terrane(root.path(), &["eval", ".", one, other, again, "--json"]);
    assert_eq!(shown.matches("sensitive(...)").count(), 2, "{shown}");
    for member in [
        r#""nonsensitive(sensitive(...))":{"state":"known","sensitive":false,"type":"string","value":"a"}"#,
        r#""nonsensitive(sensitive(...)) (2)":{"state":"known","sensitive":false,"type":"string","value":"b"}"#,
    ] {
        assert!(shown.contains(member), "{shown}");
    }
    let shown = terrane(root.path(), &["eval", ".", "sensitive(\"x\")", "--json", "--show-sensitive"]);
    assert!(shown.contains(r#"{"sensitive(\"x\")":{"#), "{shown}");
}

#[test]
fn values_of_mocks_are_hidden() {
    let main = "resource \"a_b\" \"c\" {}\n";
    for values in ["{ secret = 'Mrk7' }", "{ secret = { Mrk7 = 1 b } }"] {
        let mocks = format!("override_resource {{\n  target = a_b.c\n  values = {values}\n}}\n");
        let root = directory(&[("main.tf", main), ("m.tftest.hcl", &mocks)]);
        for command in ["eval", "plan"] {
            let output = terrane(root.path(), &[command, "--mocks", "m.tftest.hcl"]);
            assert!(!output.contains("Write \"Mrk7"), "{output}");
        }
    }
}

#[test]
fn names_and_fixes_of_packer_are_hidden() {
    let secret = "variable \"s\" {\n  sensitive = true\n  default = \"Mrk7 s\"\n}\n";
    let build = "source \"null\" \"x\" {\n  communicator = \"none\"\n}\nbuild {\n  name = \"b-${var.s}\"\n  sources = [\"null.x\"]\n}\n";
    scan_files(&[("main.pkr.hcl", &format!("{secret}{build}"))]);
    let map = "variable \"m\" {\n  sensitive = true\n  type = map(string)\n  default = { Mrk7key = \"Mrk7 v\" }\n}\n";
    let local = "locals {\n  n = var.m[\"Mrkkey\"]\n}\n";
    scan_files(&[("main.pkr.hcl", &format!("{map}{local}"))]);
}
