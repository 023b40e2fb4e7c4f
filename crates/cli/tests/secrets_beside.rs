//! Tests that no message shows a secret if the mistake is beside the value and not in it: the text may then be read as something else
//! than the value of its argument. Markers stand for secrets in each kind of place, with each kind of mistake.
#![expect(clippy::disallowed_methods, reason = "tests run the command")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;
#[path = "support/markers.rs"]
mod markers;

use self::directory::directory;
use self::markers::{scan, terrane};

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/acme": {
  "provider": {"version": 0, "block": {"attributes": {"key": {"type": "string", "optional": true, "sensitive": true}},
    "block_types": {"item": {"nesting_mode": "list", "block": {"attributes": {"key": {"type": "string", "optional": true, "sensitive": true}}}}}}},
  "resource_schemas": {"acme_box": {"version": 0, "block": {
    "attributes": {
      "name": {"type": "string", "optional": true},
      "key": {"type": "string", "optional": true, "sensitive": true},
      "once": {"type": "string", "optional": true, "write_only": true},
      "login": {"optional": true, "nested_type": {"nesting_mode": "single", "attributes": {
        "key": {"type": "string", "optional": true, "sensitive": true}, "x": {"type": "number", "optional": true}}}}
    },
    "block_types": {"item": {"nesting_mode": "list", "block": {"attributes": {
      "key": {"type": "string", "optional": true, "sensitive": true}}}}}
  }}}
}}}
"#;

const MODULE: &str = "variable \"key\" {\n  sensitive = true\n}\nvariable \"open\" {\n  default = 1\n}\n";

/// The texts around a line, and the name of the argument in it.
const PLACES: [(&str, &str, &str); 9] = [
    ("resource \"acme_box\" \"b\" {\n  name = \"open\"\n", "}\n", "key"),
    ("resource \"acme_box\" \"b\" {\n", "  name = \"open\"\n}\n", "once"),
    ("resource \"acme_box\" \"b\" {\n  login = {\n", "}\n}\n", "key"),
    ("resource \"acme_box\" \"b\" {\n  item {\n", "  }\n}\n", "key"),
    (
        "resource \"acme_box\" \"b\" {\n  dynamic \"item\" {\n    for_each = [1]\n    content {\n",
        "    }\n  }\n}\n",
        "key",
    ),
    ("provider \"acme\" {\n", "}\n", "key"),
    ("provider \"acme\" {\n  item {\n", "  }\n}\n", "key"),
    ("module \"m\" {\n  source = \"../m\"\n", "  open = 1\n}\n", "key"),
    ("variable \"v\" {\n  sensitive = true\n", "}\n", "default"),
];

/// Lines that do not set the argument `NAME`, as they should.
const LINES: [&str; 64] = [
    "NAME \"Mrk7\"",
    "NAME \"Mrk7",
    "NAME = \"Mrk7",
    "NAME \"Mrk7\" {",
    "NAME: \"Mrk7\"",
    "NAME := \"Mrk7\"",
    "NAME == \"Mrk7\"",
    "NAME = = \"Mrk7\"",
    "NAME += \"Mrk7\"",
    "NAME => \"Mrk7\"",
    "NAME.x = \"Mrk7\"",
    "NAME[0] = \"Mrk7\"",
    "x = 1 NAME = \"Mrk7\"",
    "x NAME = \"Mrk7\"",
    "export NAME=\"Mrk7\"",
    "\\ NAME = \"Mrk7\"",
    "\"NAME\" = \"Mrk7\"",
    "\"NAME = \"Mrk7\"",
    "/* NAME = \"Mrk7\"",
    "NAME =# \"Mrk7\"",
    "\t\rNAME = \"Mrk7\"",
    "= \"Mrk7\"",
    "NAME\n = \"Mrk7\"",
    "NAME =\n \"Mrk7\"",
    "{ NAME = \"Mrk7\" }",
    "}\nNAME = \"Mrk7\"",
    "} NAME = \"Mrk7\"",
    "NAME = \"Mrk7\"}",
    "NAME { x = \"Mrk7\" }",
    "NAME {\n x = \"Mrk7\"\n }",
    "NAME = {@ x = \"Mrk7\" }",
    "NAME = <<Mrk7",
    "NAME = <<EOT\nMrk7\n",
    "NAME = <<EOT Mrk7\nEOT",
    "NAME <<EOT\nMrk7\nEOT",
    "NAME = EOT\nMrk7\nEOT",
    "NAME = <EOT\nMrk7\nEOT",
    "NAME = <<EOT\nx\nMrk7 = \"\n  EOT2",
    "NAME = \"a\nMrk7\"",
    "NAME = \"a\nMrk7 = 1\"",
    "NAME = Mrk7",
    "NAME = Mrk7.x",
    "NAME = Mrk7.x.y",
    "NAME = x.Mrk7",
    "NAME = true.Mrk7",
    "NAME = [1.Mrk7]",
    "NAME = \"${Mrk7}\"",
    "NAME = \"a${Mrk7.x}\"",
    "NAME = [Mrk7]",
    "NAME = upper(Mrk7)",
    "NAME = Mrk7(1)",
    "NAME = Mrk7::x()",
    "NAME = Mrk7-1 Mrk7",
    "NAME = 'Mrk7'",
    "NAME = \"%{Mrk7}\"",
    "NAME = [for x in [1] : Mrk7]",
    "NAME = <<-EOT\n  ${Mrk7}\n  EOT\n",
    "NAME_ = \"Mrk7\"",
    "NAME_ { x = \"Mrk7\" }",
    "nmae \"x\" { NAME = \"Mrk7\" }",
    "dynamic \"x\" { NAME = \"Mrk7\" }",
    "lifecycle { NAME = \"Mrk7\" \"x\" }",
    "NAME = \"x\"\n  NAME \"Mrk7\"",
    "NAME = \"Mrk7\" ; x = \"Mrk7\"",
];

/// Commands that read one root module. They take turns.
const OF_ONE_ROOT: [&[&str]; 7] = [
    &["graph"],
    &["graph", "--format", "json"],
    &["graph", "--format", "svg"],
    &["graph", "--format", "mermaid"],
    &["graph", "--format", "html"],
    &["plan"],
    &["plan", "--json"],
];

/// Scans the output for many modules, each in a directory of its own.
fn scan_modules(file: &str, modules: &[String]) {
    scan_modules_beside(file, modules, None);
}

/// Scans the output for many modules, each in a directory of its own with the same other file.
fn scan_modules_beside(file: &str, modules: &[String], other: Option<(&str, &str)>) {
    scan_modules_with(file, modules, other, SCHEMAS);
}

/// Scans the output for many modules with these schemas.
fn scan_modules_with(file: &str, modules: &[String], other: Option<(&str, &str)>, schemas: &str) {
    let in_each =
        |file: &str| -> Vec<String> { (0..modules.len()).map(|index| format!("d{index}/{file}")).collect() };
    let names = in_each(file);
    let mut files: Vec<(&str, &str)> = vec![("m/main.tf", MODULE), ("schemas.json", schemas)];
    files.extend(names.iter().zip(modules).map(|(name, text)| (&**name, &**text)));
    let others = other.map(|(file, text)| (in_each(file), text));
    files.extend(others.iter().flat_map(|(names, text)| names.iter().map(|name| (&**name, *text))));
    let root = directory(&files);
    let mut commands = vec![
        vec!["check", "-recursive"],
        vec!["eval", "-recursive", "--keep-going"],
        vec!["eval", "-recursive", "--keep-going", "--json"],
    ];
    for format in ["compact", "json", "github", "sarif", "junit"] {
        commands.push(vec!["check", "-recursive", "--format", format]);
    }
    let roots: Vec<String> = (0..modules.len()).map(|index| format!("d{index}")).collect();
    for (root, of_one) in roots.iter().zip(OF_ONE_ROOT.iter().cycle()) {
        commands.push([of_one, &[&**root][..]].concat());
    }
    commands.iter_mut().for_each(|command| command.extend(["--schemas", "schemas.json"]));
    scan(root.path(), &commands);
}

#[test]
fn values_beside_a_mistake_are_hidden() {
    for (before, behind, name) in PLACES {
        let modules = LINES.map(|line| format!("{before}    {}\n{behind}", line.replace("NAME", name)));
        scan_modules("main.tf", &modules);
    }
}

/// A declaration is a secret if any of its blocks says so: a second one, or one in an override file.
#[test]
fn values_in_another_block_of_a_secret_are_hidden() {
    let block = "variable \"v\" {\n  sensitive = true\n}\n";
    let json = r#"{"variable": {"v": {"sensitive": true}}}"#;
    let modules = |lines: &[&str]| -> Vec<String> {
        let line = |line: &&str| format!("variable \"v\" {{\n    {}\n}}\n", line.replace("NAME", "default"));
        lines.iter().map(line).collect()
    };
    scan_modules_beside("main.tf", &modules(&LINES), Some(("b.tf", block)));
    scan_modules_beside("a_override.tf", &modules(&LINES), Some(("main.tf", block)));
    scan_modules_beside("main.tf", &modules(&LINES), Some(("b_override.tf.json", json)));
    scan_modules_beside("a.pkr.hcl", &modules(&LINES), Some(("b.pkr.hcl", block)));
    let headers = [
        "variable \"v {\n  default = \"Mrk7\"\n}\n",
        "variable v\" {\n  default = \"Mrk7\"\n}\n",
        "variable \"v\" \"w\" {\n  default = \"Mrk7\"\n}\n",
        "variable \"v\" \n{\n  default = \"Mrk7\"\n}\n",
        "variable {\n  defaul = \"Mrk7\"\n}\n",
        "varable \"v\" {\n  default = \"Mrk7\"\n}\n",
        "variable \"v\" {\n  type = object({ a = optional(number, \"Mrk7\") })\n  default = 1\n}\n",
        "variable \"v\" {\n}\n  default = \"Mrk7\"\n}\n",
    ];
    let headers = headers.map(str::to_owned);
    scan_modules_beside("a.tf", &headers, Some(("b.tf", block)));
    scan_modules_beside("a_override.tf", &headers, Some(("b.tf", block)));
    let texts = [
        r#"{"variable": {"v": {"defaul": "Mrk7"}}}"#,
        r#"{"variable": {"v": {"default": "Mrk7" "x"}}}"#,
        r#"{"variable": {"v": {"default": ["Mrk7"], "type": "number"}}}"#,
        r#"{"variable": [{"v": {"default": "Mrk7", "type": 1}}]}"#,
        r#"{"variable": {"v": [{"x": {"y": "Mrk7"}}]}}"#,
        r#"{"varable": {"v": {"default": "Mrk7"}}}"#,
        r#"{"variable": {"v": {"default": Mrk7}}}"#,
    ];
    scan_modules_beside("a.tf.json", &texts.map(str::to_owned), Some(("b.tf", block)));
    scan_modules_beside("a_override.tf.json", &texts.map(str::to_owned), Some(("b.tf", block)));
    let packer = [
        "variables {\n  v = 'Mrk7'\n}\n",
        "variables {\n  v = Mrk7::x()\n}\n",
        "variables {\n  v \"Mrk7\"\n}\n",
        "local \"l\" {\n  expression = 'Mrk7'\n}\n",
        "local \"l\" {\n  value = \"Mrk7\"\n}\n",
        "locals {\n  l = \"Mrk7\" x\n}\n",
        "locals {\n  l = \"Mrk7\"\n}\n",
    ];
    let declared = format!("{block}local \"l\" {{\n  sensitive = true\n  expression = 1\n}}\n");
    scan_modules_beside("a.pkr.hcl", &packer.map(str::to_owned), Some(("b.pkr.hcl", &declared)));
}

/// A warning about attributes that a type lacks names none of a secret.
#[test]
fn attributes_that_the_type_of_a_secret_lacks_are_hidden() {
    let called = "variable \"key\" {\n  type = object({ a = optional(string) })\n  sensitive = true\n}\n";
    let main =
        "module \"m\" {\n  source = \"./m\"\n  key = { a = \"x\", Mrk7 = 1 }\n}\nlocals {\n  a = nope.b\n}\n";
    let root = directory(&[("main.tf", main), ("m/main.tf", called)]);
    let commands: [&[&str]; 6] = [
        &["check"],
        &["check", "--format", "json"],
        &["eval", "--json", "--keep-going"],
        &["plan", "--json"],
        &["graph", "--format", "html"],
        &["explain", "local.a", "--json"],
    ];
    scan(root.path(), &commands.map(<[&str]>::to_vec));
}

#[test]
fn values_of_misspelt_names_are_hidden_in_json() {
    let modules = [
        r#"{"resource": {"acme_box": {"b": {"itme": [{"key": "Mrk7"}]}}}}"#,
        r#"{"resource": {"acme_box": {"b": {"kye": "Mrk7"}}}}"#,
        r#"{"resource": {"acme_box": {"b": {"item": "Mrk7"}}}}"#,
        r#"{"resource": {"acme_box": {"b": {"key": "Mrk7" "x"}}}}"#,
        r#"{"resource": {"acme_box": {"b": {"key": "x"}}}, "x": Mrk7}"#,
        r#"{"resuorce": {"acme_box": {"b": {"key": "Mrk7"}}}}"#,
        r#"{"module": {"m": {"source": "../m", "kye": "Mrk7"}}}"#,
        r#"{"resource": [{"acme_box": {"b": {"name": "x"}}}, {"acme_box": {"b": {"key": "Mrk7"}}}]}"#,
        r#"{"provider": [{"acme": {"key": "x"}}, {"acme": [{"key": "Mrk7"}]}]}"#,
        r#"{"module": [{"m": {"source": "../m"}}, {"m": {"source": "../m", "key": "Mrk7"}}]}"#,
        r#"{"varable": {"s": {"sensitive": true, "default": "Mrk7"}}}"#,
        r#"{"variable": {"s": {"sensitive": true, "default": "${Mrk7}", "x": {"y": "Mrk7"}}}}"#,
        r#"{"locals": {"a": "${sensitive(Mrk7\")}"}}"#,
        r#"{"locals": {"a": "${x sensitive(\"Mrk7\")}"}}"#,
        r#"{"locals": {"a": "${sensitive(\"Mrk7\")}" "b": 1}}"#,
    ];
    scan_modules("main.tf.json", &modules.map(str::to_owned));
}

#[test]
fn arguments_of_sensitive_beside_a_mistake_are_hidden() {
    let mut modules = Vec::new();
    for line in LINES.iter().filter(|line| line.contains("\"Mrk7\"")) {
        let line = line.replace("NAME", "l").replace("\"Mrk7\"", "sensitive(\"Mrk7\")");
        modules.push(format!("locals {{\n  {line}\n}}\noutput \"o\" {{\n  value = local.nope\n}}\n"));
    }
    for line in [
        "l = [sensitive(\"Mrk7\") sensitive(\"Mrk7\")]",
        "l = sensitive (\"Mrk7\") x",
        "l = sensitive(\"Mrk7",
        "l = sensitive(\"a\nMrk7\")",
        "l = sensitive(<<EOT\nMrk7\nEOT",
        "l = sensitive(Mrk7\") x",
        "l = nope # sensitive(\"Mrk7\")",
    ] {
        modules.push(format!("locals {{\n  {line}\n}}\n"));
    }
    scan_modules("main.tf", &modules);
}

#[test]
fn declarations_beside_a_mistake_are_hidden() {
    let terraform = [
        "variable \"x\" {\n  sensitive = true\n  default { a = \"Mrk7\" }\n}\n",
        "variable \"x\" {\n  sensitive = true\n  defualt { a = \"Mrk7\" }\n}\n",
        "variable \"x\" {\n  ephemeral = true\n  default \"Mrk7\" {}\n}\n",
        "varable \"x\" {\n  sensitive = true\n  default = \"Mrk7\"\n}\n",
    ];
    scan_modules("main.tf", &terraform.map(str::to_owned));
    let packer = [
        "variable \"x\" {\n  sensitive = true\n  default { a = \"Mrk7\" }\n}\n",
        "variable \"x\" {\n  sensitive = true\n  default = Mrk7::x()\n}\n",
        "local \"x\" {\n  sensitive = true\n  expression { x = \"Mrk7\" }\n}\n",
        "local \"x\" {\n  sensitive = true\n  expression = Mrk7\n}\n",
        "local \"x\" {\n  sensitive = true\n  expression = upper(1, \"Mrk7\")\n}\n",
        "local \"x\" {\n  sensitive = true\n  expression = var[\"Mrk7\"]\n}\n",
        "local \"x\" {\n  sensitive = true\n  expression = \"${var.Mrk7}\"\n}\n",
    ];
    scan_modules("main.pkr.hcl", &packer.map(str::to_owned));
    let declared = "variable \"s\" {\n  sensitive = true\n}\n";
    for text in ["s { x = \"Mrk7\" }\n", "s \"Mrk7\" {\n}\n", "s {\n  Mrk7 = 1\n}\n", "s = <<Mrk7\n"] {
        let root = directory(&[("main.pkr.hcl", declared), ("x.auto.pkrvars.hcl", text)]);
        scan(
            root.path(),
            &[vec!["eval"], vec!["eval", "--json"], vec!["check"], vec!["check", "--format", "json"]],
        );
    }
}

/// The values of a variable are hidden if one of its blocks is damaged and has a word that may declare them secret.
#[test]
fn values_of_damaged_declarations_are_hidden() {
    let declarations = [
        "variable \"z\" ?{\n  sensitive = true\n}\n",
        "variable \"z\" {\n  ! sensitive = true\n}\n",
        "variable \"z\" {\n  x = 1 sensitive = true\n}\n",
        "variable \"z\" {\n  ephemeral true\n}\n",
        "varable \"z\" {\n  sensitive = true\n}\n",
        "variable \"z\" {\n  description = <<EOT\n  x\n  EOF\n  sensitive = true\n}\n",
        "variable \"z\" {\n  default = <<-EOT\n  Mrk7\n  EOF\n  ephemeral = true\n}\n",
        "variable \"z\" {\n  nullable = false [\n  sensitive = true\n}\n",
    ];
    let values = ("terraform.tfvars", "z = \"Mrk7\"\n");
    let whole = ("main.tf", "variable \"z\" {}\n");
    let roots = declarations.iter().flat_map(|declaration| {
        let again = directory(&[whole, ("b.tf", declaration), values]);
        [again, directory(&[("main.tf", declaration), values])]
    });
    let broken_headers =
        ["variable \"z {\n  sensitive = true\n}\n", "variable z\" {\n  default = 1\n  sensitive = true\n}\n"];
    let overrides = declarations.iter().chain(&broken_headers);
    let overrides = overrides.map(|declaration| directory(&[whole, ("a_override.tf", declaration), values]));
    let roots = roots.chain(overrides);
    for root in roots {
        for command in [
            &["eval", "--json", "--keep-going"][..],
            &["eval", "--keep-going"],
            &["plan", "--json"],
            &["graph", "--format", "html"],
            &["explain", "var.z"],
            &["explain", "var.z", "--json"],
            &["check"],
        ] {
            scan(root.path(), &[command.to_vec()]);
        }
    }
}

/// The values for a secret variable whose block cannot be read: in a call of its module, and in variable files.
#[test]
fn values_for_a_variable_with_a_damaged_header_are_hidden() {
    const HEADERS: [&str; 8] = [
        "variable \"s\" \"x\" {",
        "variable \"s {",
        "variable s\" {",
        "variabel \"s\" {",
        "vari\"able \"s\" {",
        "variable \"s\" {{",
        "variable \"\" {",
        "variable {",
    ];
    const VALUES: [&str; 7] = [
        "s = \"Mrk7\"",
        "s \"Mrk7\"",
        "s = \"Mrk7",
        "s = [\"Mrk7\"",
        "s = Mrk7.x",
        "s = \"x${local.a}Mrk7\"",
        "s = sha1(\"Mrk7\", 2)",
    ];
    for header in HEADERS {
        let secret = format!("{header}\n  sensitive = true\n}}\noutput \"o\" {{\n  value = 1\n}}\n");
        let template = format!("{header}\n  sensitive = true\n}}\n");
        for value in VALUES {
            let call =
                format!("locals {{\n  a = 1\n}}\nmodule \"m\" {{\n  source = \"./n\"\n  {value}\n}}\n");
            let line = format!("{value}\n");
            let root = directory(&[
                ("c/main.tf", &call),
                ("c/n/main.tf", &secret),
                ("v/main.tf", &secret),
                ("v/terraform.tfvars", &line),
                ("p/a.pkr.hcl", &template),
                ("p/a.auto.pkrvars.hcl", &line),
            ]);
            let mut commands = vec![vec!["check", "."], vec!["check", "c", "--format", "json"]];
            for directory in ["c", "v"] {
                commands.extend([vec!["plan", "--json", directory], vec!["eval", "--keep-going", directory]]);
            }
            commands.extend([vec!["explain", "module.m", "c"], vec!["eval", "--json", "p"]]);
            scan(root.path(), &commands);
        }
    }
}

/// A secret argument of a module call whose `source` cannot be read, or of a resource whose provider `required_providers` does not name
/// because of a mistake.
#[test]
fn values_beside_an_unreadable_source_are_hidden() {
    let required = [
        "acme { source = \"x/acme\" }",
        "acme = { source = x/acme }",
        "acme = { source = \"x acme\" }",
        "acme = { sorce = \"x/acme\" }",
        "acme = { source \"x/acme\" }",
        "acme = [\"x/acme\"]",
        "acme = { source = \"x/acme }",
        "acme { source = \"x/acme\"",
    ];
    let resource =
        "resource \"acme_box\" \"b\" {\n  key = \"Mrk7\"\n}\noutput \"o\" {\n  value = acme_box.b\n}\n";
    let block = |line: &str| format!("terraform {{\n  required_providers {{\n    {line}\n  }}\n}}\n");
    let requirements = required.map(|line| block(line) + resource);
    let sources = [
        "source \"../m\"",
        "source = \"../m",
        "source = ../m",
        "sorce = \"../m\"",
        "source { x = \"../m\" }",
    ];
    let calls = sources.map(|line| format!("module \"m\" {{\n  {line}\n  key = \"Mrk7\"\n}}\n"));
    let schemas = SCHEMAS.replace("hashicorp/acme", "x/acme");
    scan_modules_with("main.tf", &[&requirements[..], &calls].concat(), None, &schemas);
}

/// Secret arguments that stand in a block of the language, and values at a wrong place of a mock file or an option.
#[test]
fn misplaced_values_are_hidden() {
    let native = "resource \"acme_box\" \"b\" {\n  lifecycle {\n    key = \"Mrk7\"\n    once = \"Mrk7\"\n    precondition {\n      condition     = self.name == 1\n      error_message = \"x\"\n      other = \"Mrk7\"\n    }\n  }\n  connection {\n    passwrd = \"Mrk7\"\n    key = \"Mrk7\"\n  }\n}\n";
    let json = r#"{"resource": {"acme_box": {"b": {"lifecycle": {"key": "Mrk7", "precondition": [{"once": "Mrk7", "other": "Mrk7"}]},
      "connection": {"host": "h", "passwrd": "Mrk7"}}}}}"#;
    scan_modules("main.tf", &[native.to_owned()]);
    scan_modules("main.tf.json", &[json.to_owned()]);
    let mocks = "override_resource {\n  target = acme_box.b\n  override_during = \"Mrk7\"\n  value = \"Mrk7\"\n  values \"x\" {\n    a = \"Mrk7\"\n  }\n}\nmock_provider \"acme\" {\n  token = \"Mrk7\"\n  mock_resource \"acme_box\" {\n    default = {\n      key = \"Mrk7\"\n    }\n  }\n}\nkey = \"Mrk7\"\n";
    let main = "resource \"acme_box\" \"b\" {}\nvariable \"s\" {\n  sensitive = true\n}\n";
    let root = directory(&[("main.tf", main), ("a.tftest.hcl", mocks)]);
    let set = |value| vec!["eval", "--set", value];
    scan(
        root.path(),
        &[
            vec!["eval", "--mocks", "a.tftest.hcl"],
            vec!["check", "--format", "json"],
            set("var.s=Mrk7"),
            set("var.s=[Mrk7"),
            set("var.s=\"Mrk7"),
            set("vra.s=Mrk7"),
            set("var.s Mrk7"),
        ],
    );
    let call = ("main.tf", "module \"m\" {\n  source = \"./m\"\n  s      = \"Mrk7\"\n}\n");
    let called = "variable \"s\" {\n  sensitive = true\n  validation {\n    condition     = length(var.s) > 9\n    error_message = \"Short.\"\n  }\n}\n";
    let shown = terrane(directory(&[call, ("m/main.tf", called)]).path(), &["eval"]);
    assert!(shown.contains("main.tf:3:12, in module \"m\"") && !shown.contains("Mrk7"), "{shown}");
}

/// The text of an ephemeral value is hidden like that of a sensitive one, in every command.
#[test]
fn ephemeral_values_of_the_command_line_are_hidden() {
    let main = "variable \"x\" {\n  ephemeral = true\n  type = map(string)\n}\n";
    let root = directory(&[("main.tf", main)]);
    let values = ["x=Mrk7", "x={a=Mrk7.b}", "x={a=\"Mrk7\" b}", "x={a=\"Mrk7", "x=<<Mrk7\n", "x=[\"Mrk7\"]"];
    for value in values {
        for command in
            [&["eval"][..], &["eval", "--json", "--keep-going"], &["plan"], &["graph"], &["explain", "var.x"]]
        {
            scan(root.path(), &[[command, &["-var", value]].concat()]);
        }
    }
}

/// Text that cannot contain a secret stays in messages.
#[test]
fn other_text_is_shown() {
    let shown = |main: &str, text: &str| {
        let root = directory(&[("main.tf", main), ("m/main.tf", MODULE), ("schemas.json", SCHEMAS)]);
        let output = terrane(root.path(), &["check", "--schemas", "schemas.json"]);
        assert!(output.contains(text), "{text}: {output}");
    };
    shown("resource \"acme_box\" \"b\" {\n  kye = 1\n}\n", "Did you mean \"key\"?");
    shown("resource \"acme_box\" \"b\" {\n  kye = 1\n}\n", "|   kye =");
    shown("resource \"acme_box\" \"b\" {\n  name = upper(\"a\", 2)\n}\n", "name = upper(\"a\", 2)");
    shown("resource \"acme_box\" \"b\" {\n  key = var.nope\n}\n", "key = var.nope");
    shown("resource \"acme_box\" \"b\" {\n  key = acme_box.c.key\n}\n", "key = acme_box.c.key");
    shown("locals {\n  a = [1 2]\n}\n", "a = [1 2]");
    shown("locals {\n  a = sensitive(local.b) + nope\n}\n", "a = sensitive(local.b) + nope");
    shown("module \"m\" {\n  source = \"./m\"\n  key = 1\n  open = nope.x\n}\n", "open = nope.x");
}

/// Texts with a secret whose mark is damaged or at a wrong place.
const DAMAGED_MARKS: [(&str, &str); 15] = [
    (
        "main.tf",
        "variable \"s\" {\n  type    = string\n  default = \"Mrk7\"\n}\n  sensitive = true\n\noutput \"k\" {\n  value = upper(var.s)\n}\n",
    ),
    (
        "main.tf",
        "  sensitive = true\nvariable \"s\" {\n  default = \"Mrk7\"\n}\noutput \"k\" {\n  value = var.s\n}\n",
    ),
    (
        "main.tf",
        "variable \"s\" {\n  default = \"Mrk7\"\n}\n@ sensitive = true\noutput \"k\" {\n  value = var.s\n}\n",
    ),
    (
        "main.tf",
        "variable \"s\" {\n  default = \"Mrk7\"\n  sensi tive = true\n}\noutput \"k\" {\n  value = upper(var.s)\n}\n",
    ),
    (
        "main.tf",
        "variable \"s\" {\n  default = \"Mrk7\"\n  senstive = true\n}\noutput \"k\" {\n  value = upper(var.s)\n}\n",
    ),
    (
        "main.tf",
        "variable \"s\" {\n  default = \"Mrk7\"\n  epheme@ral = true\n}\noutput \"k\" {\n  value = upper(var.s)\n}\n",
    ),
    ("main.tf", "output \"k\" {\n  value = join(\"\", [\"Mr\", \"k7\"])\n}\n  sensitive = true\n"),
    ("main.tf", "output \"k\" {\n  value = join(\"\", [\"Mr\", \"k7\"])\n  sensitiv = true\n}\n"),
    (
        "main.tf.json",
        "{\n \"variable\": {\n  \"s\": {\n   \"default\": \"Mrk7\",\n   \"sens@itive\": true\n  }\n },\n \"output\": {\n  \"k\": {\n   \"value\": \"${upper(var.s)}\"\n  }\n }\n}\n",
    ),
    (
        "main.tf.json",
        "{\n \"variable\": {\n  \"s\": {\n   \"default\": \"Mrk7\"\n  },\n  \"sensitive\": true\n },\n \"output\": {\n  \"k\": {\n   \"value\": \"${var.s}\"\n  }\n }\n}\n",
    ),
    (
        "main.tf.json",
        "{\n \"variable\": {\n  \"s\": {\n   \"default\": \"Mrk7\"\n  }\n },\n \"sensitive\": true,\n \"output\": {\n  \"k\": {\n   \"value\": \"${var.s}\"\n  }\n }\n}\n",
    ),
    (
        "main.tf.json",
        "{\n \"variable\": {\n  \"s\": {\n   \"default\": \"Mrk7\",\n   @\"sensitive\": true\n  }\n },\n \"output\": {\n  \"k\": {\n   \"value\": \"${var.s}\"\n  }\n }\n}\n",
    ),
    (
        "main.tf.json",
        "{\n \"variable\": {\n  \"s\": {\n   \"default\": \"Mrk7\"\n  },\n  sensitive\": true\n },\n \"output\": {\n  \"k\": {\n   \"value\": \"${var.s}\"\n  }\n }\n}\n",
    ),
    (
        "main.tf.json",
        "{\n \"output\": {\n  \"k\": {\n   \"value\": \"${var.s}\"\n  }\n },\n \"variable\": {\n  \"s\": {\n   \"default\": \"Mrk7\",\n}\n   \"sensitive\": true\n  },\n  \"e\": {\n   \"default\": 1\n  }\n }\n}\n",
    ),
    (
        "main.tf.json",
        "{\n \"output\": {\n  \"k\": {\n   \"value\": \"${var.s}\",\n   \"sensitive\": true\n  }\n },\n \"variable\": {\n  \"s\": {\n   \"default\": \"Mrk7\"}}},\n   \"description\": \"x\",\n   \"sensitive\": true\n  }\n }\n}\n",
    ),
];

#[test]
fn a_damaged_mark_still_makes_a_secret() {
    for (file, text) in DAMAGED_MARKS {
        let root = directory(&[(file, text)]);
        for command in [
            &["eval", "--keep-going"][..],
            &["eval", "--json", "--keep-going"],
            &["plan"],
            &["plan", "--json"],
            &["explain", "var.s"],
            &["explain", "output.k"],
            &["graph", "--format", "html"],
        ] {
            let shown = terrane(root.path(), command);
            assert!(!shown.to_lowercase().contains("mrk7"), "{command:?} {text}: {shown}");
            assert!(!shown.contains("refers to sensitive values"), "{text}: {shown}");
        }
    }
}

/// Only declarations that the mistake may be about are secrets.
#[test]
fn a_mistake_elsewhere_makes_no_secret() {
    let other = "{\n  \"variable\": {\n    \"s\": {\n      \"default\": \"Mrk7\",\n      \"sensitive\": true\n    },\n    \"n\": {\n      \"default\": 2\n    }\n  },\n  \"output\": {\n    \"x\": {\n      \"value\": \"${var.n}\"\n      \"description\": \"no ephemeral value\"\n    }\n  }\n}\n";
    let main = "output \"p\" {\n  value = var.n\n}\nresource \"terraform_data\" \"a\" {\n  for_each = toset([tostring(var.n)])\n}\n";
    let root = directory(&[("main.tf", main), ("vars.tf.json", other)]);
    let shown = terrane(root.path(), &["eval", "--keep-going"]);
    assert!(shown.contains("p = 2") && shown.contains("x = 2"), "{shown}");
    assert!(shown.contains("1 error\n") && !shown.contains("Mrk7"), "{shown}");
}
