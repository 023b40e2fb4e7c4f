//! Tests of `terrane eval --matrix`, and of the hint about variable files that are not read.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use serde_json::Value;

const MODULE: &str = "\
variable \"size\" {}
variable \"zones\" { default = [\"a\", \"b\"] }
variable \"secret\" {
  default   = \"none\"
  sensitive = true
}
locals {
  tags  = { Env = var.size, Team = \"net\", \"a b\" = \"${var.size}!\", ü = var.size }
  plain = upper(\"same\")
}
resource \"aws_vpc\" \"a\" {
  count = length(var.zones)
  name  = \"${var.size}-${var.zones[count.index]}\"
}
output \"id\" { value = aws_vpc.a[0].id }
output \"workspace\" { value = terraform.workspace }
";

const FILES: [(&str, &str); 6] = [
    ("main.tf", MODULE),
    ("env/dev.tfvars", "size = \"small\"\nzones = [\"a\"]\n"),
    ("env/prod.tfvars.json", "{\"size\": \"large\", \"secret\": \"s3cret\"}"),
    ("sets/blue/a.tfvars", "size = \"blue\"\n"),
    ("sets/blue/b.tfvars", "secret = \"x\"\n"),
    ("sets/green/a.tfvars", "size = \"green\"\n"),
];

/// Returns the exit code, standard output and standard error of `terrane eval .` with these arguments.
fn eval(arguments: &[&str]) -> (Option<i32>, String, String) {
    support::terrane(&FILES, &[&["eval", "."], arguments].concat())
}

#[test]
fn a_table_has_a_column_for_each_environment() {
    let (code, stdout, stderr) = eval(&["--matrix", "env/*"]);
    assert_eq!(code, Some(0), "{stderr}");
    let expected = [
        "                   dev                prod",
        "local.tags.Env     \"small\"            \"large\"",
        "local.tags[\"a b\"]  \"small!\"           \"large!\"",
        "local.tags.ü       \"small\"            \"large\"",
        "var.size           \"small\"            \"large\"",
        "var.zones          [\"a\"]              [\"a\", \"b\"]",
        "var.secret         (sensitive value)  (sensitive value)",
        "aws_vpc.a[0].name  \"small-a\"          \"large-a\"",
        "aws_vpc.a[1]       (absent)           { name = \"large-b\" }",
        "",
    ];
    assert_eq!(stdout, expected.join("\n"));
    assert!(stderr.contains("evaluated 2 environments: 8 values differ\n"), "{stderr}");
}

const SOME_INSTANCES: [(&str, &str); 6] = [
    (
        "main.tf",
        "variable \"n\" {}\nresource \"demo_ami\" \"x\" {}\n\
         module \"m\" {\n  source = \"./m\"\n  count  = var.n == 3 ? demo_ami.x.n : var.n - 1\n  at     = count.index\n}\n\
         resource \"demo_disk\" \"d\" {\n  count = var.n == 3 ? demo_ami.x.n : var.n - 1\n  size  = var.n\n  tags  = { at = count.index, \
         id = demo_ami.x.id }\n  secret = sensitive(\"hunter2\")\n}\n\
         resource \"demo_empty\" \"e\" {\n  count = min(var.n, 2)\n}\n",
    ),
    (
        "m/main.tf",
        "variable \"at\" {}\nmodule \"k\" {\n  source = \"../k\"\n}\nresource \"demo_t\" \"t\" { at = var.at }\noutput \"at\" { value = var.at }\n",
    ),
    ("k/main.tf", "output \"same\" { value = 1 }\n"),
    ("1.tfvars", "n = 1\n"),
    ("2.tfvars", "n = 2\n"),
    ("3.tfvars", "n = 3\n"),
];

#[test]
fn an_instance_of_some_environments_is_absent_in_the_others() {
    let run = |arguments: &[&str]| support::terrane(&SOME_INSTANCES, &[&["eval", "."], arguments].concat());
    let (code, stdout, stderr) = run(&["--matrix", "*.tfvars"]);
    assert_eq!(code, Some(0), "{stderr}");
    let cells: Vec<Vec<&str>> = stdout
        .lines()
        .map(|line| line.split("  ").filter(|cell| !cell.is_empty()).map(str::trim).collect())
        .collect();
    let disk = "{ secret = (sensitive value), size = 2, tags = {…";
    let unknown = "(unknown number of instances)";
    let expected: [&[&str]; 8] = [
        &["1", "2", "3"],
        &["var.n", "1", "2", "3"],
        &["module.m", "(no instances)", "(1 instance)", unknown],
        &["module.m[0]", "(absent)", "{ at = 0 }", "(unknown)"],
        &["demo_disk.d", "(no instances)", "(1 instance)", unknown],
        &["demo_disk.d[0]", "(absent)", disk, "(unknown)"],
        &["demo_empty.e[1]", "(absent)", "(present)", "(present)"],
        &["module.m[0].demo_t.t", "(absent)", "{ at = 0 }", "(unknown)"],
    ];
    assert_eq!(cells, expected, "{stdout}");

    let (_, stdout, _) = run(&["--matrix", "*.tfvars", "--json"]);
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    let absent = |index: usize| document["environments"][index]["absent"].clone();
    let addresses = ["module.m[0]", "demo_disk.d[0]", "demo_empty.e[1]", "module.m[0].demo_t.t"];
    assert_eq!(absent(0), Value::from(addresses.to_vec()));
    assert_eq!((absent(1), absent(2)), (Value::from(Vec::<Value>::new()), Value::from(Vec::<Value>::new())));
    assert!(!stdout.contains("hunter2"));

    let files = [&SOME_INSTANCES[..], &[("4.tfvars", "n = 4\n")]].concat();
    let (_, stdout, _) = support::terrane(&files, &["eval", ".", "--matrix", "{1,2,4}.tfvars"]);
    let row = |name: &str| stdout.lines().find(|line| line.starts_with(name)).map(str::to_owned);
    let sizes = row("demo_disk.d[0].size").expect("a row below that of the instance");
    assert_eq!(sizes.split_whitespace().collect::<Vec<_>>(), ["demo_disk.d[0].size", "(absent)", "2", "4"]);
    assert!(row("module.m[0].at").is_none(), "{stdout}");
}

/// A cell has the same comment as the value in the listing.
#[test]
fn cells_name_the_sources_of_their_values() {
    let module = "variable \"n\" {}\ndata \"demo_zones\" \"all\" {}\nlocals {\n  zone = data.demo_zones.all.names[var.n]\n  own = var.n\n}\n\
                  resource \"demo_disk\" \"d\" {\n  count = length(data.demo_zones.all.names) - var.n\n  tags  = { zone = local.zone, own = var.n }\n}\n\
                  resource \"demo_disk\" \"e\" {\n  size = var.n\n}\noutput \"id\" { value = demo_disk.d[0].id }\n";
    let files = [("main.tf", module), ("a.tfvars", "n = 0\n"), ("b.tfvars", "n = 1\n")];
    let given = ["--set", "data.demo_zones.all.names=[\"x\", \"y\"]", "--set", "demo_disk.d[1].id=\"i\""];
    let (code, stdout, stderr) =
        support::terrane(&files, &[&["eval", ".", "--matrix", "*.tfvars"][..], &given].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let row = |address: &str| {
        let line = stdout.lines().find(|line| line.starts_with(&format!("{address} "))).expect(&stdout);
        line.split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .skip(1)
            .collect::<Vec<_>>()
            .join(" | ")
    };
    assert_eq!(row("local.zone"), "\"x\" # reads given | \"y\" # reads given");
    assert_eq!(row("local.own"), "0 | 1");
    assert_eq!(row("demo_disk.e.size"), "0 | 1");
    assert_eq!(row("demo_disk.d[0].tags.zone"), "\"x\" # reads given | \"y\" # reads given");
    let object = "{ id = \"i\", tags = { own = 0, zone = \"x\" } } # given: id; reads given: tags; number of instances reads given";
    assert_eq!(row("demo_disk.d[1]"), format!("{object} | (absent)"));
}

#[test]
fn what_is_alike_in_all_environments_is_left_out() {
    let module = "variable \"v\" {}\nresource \"a_b\" \"none\" {\n  count = 0\n  name  = var.v\n}\n\
                  resource \"a_b\" \"some\" {\n  count = a_b.x.number\n  name  = var.v\n  same  = 1\n}\n\
                  resource \"a_b\" \"x\" {\n  name = \"x\"\n}\noutput \"o\" { value = var.v == \"1\" ? a_b.x.id : a_b.x.arn }\n";
    let files = [("main.tf", module), ("a.tfvars", "v = \"1\"\n"), ("b.tfvars", "v = \"2\"\n")];
    let (code, stdout, stderr) = support::terrane(&files, &["eval", ".", "--matrix", "*.tfvars"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, "               a    b\nvar.v          \"1\"  \"2\"\na_b.some.name  \"1\"  \"2\"\n");
}

#[test]
fn directories_and_workspaces_are_environments() {
    let (code, stdout, _) = eval(&["--matrix", "sets/*", "-q", "--show-sensitive", "-var", "zones=[]"]);
    assert_eq!(code, Some(1), "aws_vpc.a[0] does not exist");
    assert_eq!(stdout, "");
    let (_, stdout, _) = eval(&["--matrix", "sets/*", "--show-sensitive", "-var", "size=one"]);
    assert_eq!(stdout, "            blue  green\nvar.secret  \"x\"   \"none\"\n");
    let (_, stdout, _) = eval(&["--workspace", "a,b"]);
    assert_eq!(stdout, "                  a    b\noutput.workspace  \"a\"  \"b\"\n");
    let (_, stdout, _) = eval(&["--matrix", "env/dev.tfvars", "--workspace", "a,b"]);
    assert_eq!(stdout, "                  dev/a  dev/b\noutput.workspace  \"a\"    \"b\"\n");
    let (_, stdout, _) = eval(&["--matrix", "env/dev.tfvars", "--matrix", "env/dev.tfvars"]);
    assert_eq!(stdout, "# the same values in dev\n");
}

#[test]
fn json_has_all_values_of_all_environments() {
    let (code, stdout, stderr) = eval(&["--matrix", "env/*", "--json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    let value =
        |index: usize| document["environments"][index]["document"]["values"]["local.plain"]["value"].clone();
    assert_eq!((value(0), value(1)), (Value::from("SAME"), Value::from("SAME")));
    assert_eq!(document["environments"][1]["name"], "prod");
    assert_eq!(document["environments"][1]["variable_files"][0], "env/prod.tfvars.json");
    let addresses = [
        "local.tags.Env",
        "local.tags[\"a b\"]",
        "local.tags.ü",
        "var.size",
        "var.zones",
        "var.secret",
        "aws_vpc.a[0].name",
        "aws_vpc.a[1]",
    ];
    assert_eq!(document["differences"], Value::from(addresses.to_vec()));
    assert!(!stdout.contains("s3cret"));
}

#[test]
fn the_workspace_of_an_environment_is_in_the_document() {
    let workspaces = |arguments: &[&str]| {
        let (_, stdout, stderr) = eval(&[arguments, &["--json", "-var", "size=x"]].concat());
        let document: Value = serde_json::from_str(&stdout).expect(&stderr);
        let environments = document["environments"].as_array().cloned().expect("a list");
        environments.iter().map(|environment| environment["workspace"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(workspaces(&["--matrix", "env/*"]), ["default", "default"]);
    assert_eq!(workspaces(&["--matrix", "env/*", "--workspace", "blue"]), ["blue", "blue"]);
    assert_eq!(workspaces(&["--workspace", "a,b"]), ["a", "b"]);
    for wrong in ["", "a b", "../a", "a,,b"] {
        let outcome = eval(&["--workspace", wrong]);
        assert_eq!(outcome.0, Some(2), "{wrong}");
        assert!(outcome.2.contains("the name of a workspace consists of"), "{}", outcome.2);
    }
    let (code, _, stderr) = eval(&["--workspace", "a,b,a"]);
    assert_eq!((code, stderr.contains("it names the workspace a twice")), (Some(2), true), "{stderr}");
}

const PARTLY_KNOWN: [(&str, &str); 4] = [
    (
        "main.tf",
        "variable \"a\" {}\nvariable \"b\" {}\noutput \"a\" { value = var.a }\noutput \"b\" { value = \"${var.b}!\" }\n",
    ),
    ("one.tfvars", "a = 1\nb = 1\n"),
    ("two.tfvars", "a = 2\n"),
    ("zero.tfvars", "b = 2\n"),
];

#[test]
fn values_must_be_known_in_every_environment() {
    let run = |arguments: &[&str]| support::terrane(&PARTLY_KNOWN, &[&["eval", "."], arguments].concat());
    let (code, stdout, stderr) = run(&["--matrix", "*.tfvars", "--require-known"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stdout.starts_with("          one   two "), "{stdout}");
    assert!(stderr.contains("In environment two: `output.b` is unknown: var.b has no value."), "{stderr}");
    assert!(stderr.contains("In environment zero: `output.a` is unknown: var.a has no value."), "{stderr}");
    assert!(!stderr.contains("In environment one"), "{stderr}");

    let (code, stdout, _) = run(&["--matrix", "*.tfvars", "--require-known", "--json"]);
    assert_eq!(code, Some(1));
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    let reasons = |index: usize| document["environments"][index]["not_known"].clone();
    assert_eq!(reasons(0), Value::Null);
    assert_eq!(reasons(1)[0], "`output.b` is unknown: var.b has no value.");
    assert_eq!(reasons(2).as_array().map(Vec::len), Some(1));

    let (code, ..) = run(&["--matrix", "{one,two}.tfvars", "--require-known=output.a"]);
    assert_eq!(code, Some(0));
    let (code, _, stderr) = run(&["--matrix", "*.tfvars", "--require-known=output.none"]);
    assert_eq!((code, stderr.matches("In all environments: ").count()), (Some(1), 1), "{stderr}");
    let (code, _, stderr) = run(&["--workspace", "x,y", "--require-known=output.a"]);
    assert_eq!((code, stderr.matches("In all environments: `output.a`").count()), (Some(1), 1), "{stderr}");
    for format in ["human", "compact", "json", "github", "sarif", "junit"] {
        let (code, stdout, _) = run(&["--matrix", "*.tfvars", "--require-known", "--format", format]);
        assert_eq!(code, Some(1), "{format}");
        assert!(stdout.contains("In environment two: `output.b` is unknown"), "{format}: {stdout}");
    }
}

#[test]
fn names_of_environments_cannot_command_a_terminal() {
    let files = [
        ("main.tf", "variable \"a\" {}\n"),
        ("env/x\u{202e}\u{9b}y.tfvars", "a = 1\n"),
        ("env/b.tfvars", "a = 2\n"),
    ];
    for arguments in [&["--json"][..], &[], &["--require-known=var.b"]] {
        let (_, stdout, stderr) =
            support::terrane(&files, &[&["eval", ".", "--matrix", "env/*"], arguments].concat());
        let text = stdout + &stderr;
        assert!(!text.contains(['\u{202e}', '\u{9b}']), "{text:?}");
    }
}

#[test]
fn a_pattern_without_files_is_an_error() {
    let (code, _, stderr) = eval(&["--matrix", "none/*"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("no variable file and no directory with variable files matches \"none/*\""),
        "{stderr}"
    );
    let (_, _, stderr) = eval(&["--matrix", "sets/"]);
    assert!(stderr.contains("help: `--matrix 'sets/*'` matches 2 sets"), "{stderr}");
}

#[test]
fn addresses_have_a_row_each() {
    let addresses =
        ["aws_vpc.a[*].name", "local.plain", "var.secret", "{for v in aws_vpc.a : v.name => 1}", "output.id"];
    let (code, stdout, stderr) = eval(&[&["--matrix", "env/*"][..], &addresses].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let expected = [
        "                                    dev                prod",
        "aws_vpc.a[0].name                   \"small-a\"          \"large-a\"",
        "aws_vpc.a[1].name                   (absent)           \"large-b\"",
        "local.plain                         \"SAME\"             \"SAME\"",
        "var.secret                          (sensitive value)  (sensitive value)",
        "{for v in aws_vpc.a : v.name => 1}  { small-a = 1 }    { large-a = 1, large-b = 1 }",
        "output.id                           (unknown)          (unknown)",
        "",
    ];
    assert_eq!(stdout, expected.join("\n"));
    assert!(stderr.contains("evaluated 2 environments\n"), "{stderr}");

    let (code, stdout, _) = eval(&["--workspace", "a,b", "terraform.workspace", "aws_vpc.none", "-q"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
}

#[test]
fn the_document_of_addresses_has_the_selected_values_of_each_environment() {
    let (code, stdout, stderr) =
        eval(&["--matrix", "env/*", "--json", "aws_vpc.a[1].name", "local.plain", "sensitive(\"hunter2\")"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stdout.contains("hunter2"), "{stdout}");
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(document["differences"], serde_json::json!(["aws_vpc.a[1].name"]));
    let (dev, prod) = (&document["environments"][0], &document["environments"][1]);
    assert_eq!(dev["absent"], serde_json::json!(["aws_vpc.a[1].name"]));
    assert_eq!(prod["absent"], serde_json::json!([]));
    assert_eq!(prod["document"]["values"]["aws_vpc.a[1].name"]["value"], "large-b");
    assert_eq!(dev["document"]["values"]["local.plain"]["value"], "SAME");
}

#[test]
fn an_address_need_only_exist_in_one_environment() {
    let (code, _, stderr) = eval(&["--matrix", "env/*", "aws_vpc.a[2].name"]);
    let reasons = stderr.matches("`aws_vpc.a` has no instance `[2]`").count();
    assert_eq!((code, reasons), (Some(1), 2), "{stderr}");
    // An error in an expression is one in any environment.
    let (code, stdout, stderr) = eval(&["--matrix", "env/*", "upper(var.zones[1])"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(stderr.contains("In environment dev: "), "{stderr}");
    let (code, _, stderr) = eval(&["--matrix", "env/*", "aws_vpc.a[1].id", "--require-known"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("In environment prod: `aws_vpc.a[1].id` is unknown"), "{stderr}");
    assert!(!stderr.contains("In environment dev"), "{stderr}");
    for several in [["--matrix", "env/*"], ["--workspace", "a,b"]] {
        let (code, _, stderr) = eval(&[&several[..], &["--raw", "var.size"]].concat());
        assert_eq!(code, Some(2), "{stderr}");
    }
}

#[test]
fn a_hint_names_variable_files_that_are_not_read() {
    let (_, _, stderr) = eval(&[]);
    let hint = "variable files nearby are not read: env/dev.tfvars, env/prod.tfvars.json, sets/blue/a.tfvars, \
                sets/blue/b.tfvars and 1 more; `-var-file env/dev.tfvars` reads one; `terrane eval --matrix PATTERN` compares";
    assert!(stderr.contains(hint), "{stderr}");
    let (_, _, stderr) = eval(&["-var", "size=x"]);
    assert!(!stderr.contains("nearby"), "{stderr}");
}

/// Every command that evaluates a root prints the hint. It never names a file of the command line, however the path is written.
#[test]
fn each_command_names_variable_files_that_are_not_read() {
    let module =
        "variable \"a\" {}\nvariable \"b\" {}\nresource \"terraform_data\" \"a\" { input = var.b }\n";
    let files = [
        ("main.tf", module),
        ("a.tfvars", "a = 1\n"),
        ("b.tfvars", "b = 1\n"),
        ("other/main.tf", ""),
        ("s.tfstate", ""),
    ];
    let hint = "help: variable files nearby are not read: b.tfvars; `-var-file b.tfvars` reads one\n";
    let commands: [&[&str]; 6] = [
        &["eval"],
        &["plan"],
        &["explain", "terraform_data.a"],
        &["graph", "--format", "html"],
        &["diff", ".", "other"],
        &["diff", "--state", "s.tfstate"],
    ];
    for command in commands {
        let with = |file: &str| support::terrane(&files, &[command, &["-var-file", file]].concat()).2;
        assert!(with("other/../a.tfvars").contains(hint), "{command:?}: {}", with("a.tfvars"));
    }
    let without: [&[&str]; 2] = [
        &["plan", "--json", "-var-file", "a.tfvars"],
        &["explain", "terraform_data.a", "-var-file", "b.tfvars"],
    ];
    for arguments in without {
        let (_, _, stderr) = support::terrane(&files, arguments);
        assert!(!stderr.contains("nearby"), "{arguments:?}: {stderr}");
    }
}

/// The second environment reuses the result of the first one.
#[test]
fn paths_made_of_secrets_are_hidden_in_every_environment() {
    let main = "variable \"n\" {}\n\
        variable \"s\" {\n  default = \"hunter2\"\n  sensitive = true\n}\n\
        locals {\n  text = file(\"${path.root}/${var.s}.txt\")\n  is_there = fileexists(\"${path.root}/no-${var.s}\")\n\
        \x20 names = fileset(\"${path.root}/${var.s}\", \"*\")\n}\n\
        output \"n\" { value = var.n }\n";
    let files = [
        ("main.tf", main),
        ("hunter2.txt", "text"),
        ("hunter2/a", ""),
        ("env/a.tfvars", "n = 1"),
        ("env/b.tfvars", "n = 2"),
    ];
    let arguments = ["eval", ".", "--matrix", "env/*.tfvars", "--json", "--keep-going"];
    let (_, stdout, stderr) = support::terrane(&files, &arguments);
    assert!(stdout.contains("\"env/b.tfvars\"") || stdout.contains("\"b\""), "{stdout}{stderr}");
    assert!(!stdout.contains("hunter2") && !stderr.contains("hunter2"), "{stdout}{stderr}");
}

#[test]
fn warnings_of_some_environments_name_them() {
    let (code, _, stderr) =
        eval(&["--matrix", "env/*", "--set", "aws_vpc.a[1].id=\"v\"", "--set", "aws_vpc.a[0].id=\"w\""]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stderr.contains("In environment dev: The value given for `aws_vpc.a[1].id` is not used"),
        "{stderr}"
    );
    assert!(stderr.contains("dev: values from outside of the configuration: 1 given\n"), "{stderr}");
    assert!(stderr.contains("prod: values from outside of the configuration: 2 given\n"), "{stderr}");
}

#[test]
fn a_disabled_module_is_absent() {
    let main = "variable \"on\" {}\nmodule \"m\" {\n  source = \"./m\"\n  lifecycle {\n    enabled = var.on\n  }\n}\n";
    let files = [
        ("main.tf", main),
        ("m/main.tf", "output \"x\" { value = 1 }\n"),
        ("a.tfvars", "on = true\n"),
        ("b.tfvars", "on = false\n"),
    ];
    let (code, stdout, stderr) = support::terrane(&files, &["eval", ".", "--matrix", "*.tfvars"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("\nmodule.m  { x = 1 }  (absent)\n"), "{stdout}");
}

#[test]
fn known_blocks_are_compared() {
    let main = "variable \"zones\" {}\nresource \"a_b\" \"s\" {\n  dynamic \"z\" {\n    for_each = var.zones\n    content {\n      name = z.value\n    }\n  }\n}\n";
    let files = [
        ("main.tf", main),
        ("a.tfvars", "zones = [\"a\"]\n"),
        ("b.tfvars", "zones = [\"a\", \"c\"]\n"),
        ("c.tfvars", "zones = [\"q\", \"c\"]\n"),
        ("d.tfvars", "zones = [\"a\"]\n"),
    ];
    let (_, stdout, stderr) = support::terrane(&files, &["eval", ".", "--matrix", "[ab].tfvars"]);
    assert!(
        stdout.contains("a_b.s.z    [{ name = \"a\" }]  [{ name = \"a\" }, { name = \"c\" }]\n"),
        "{stdout}{stderr}"
    );
    let (_, stdout, _) =
        support::terrane(&files, &["eval", ".", "--matrix", "[bc].tfvars", "--matrix", "b.*"]);
    assert_eq!(
        stdout,
        "                 b    c\nvar.zones[0]     \"a\"  \"q\"\na_b.s.z[0].name  \"a\"  \"q\"\n"
    );
    let (_, stdout, _) = support::terrane(&files, &["eval", ".", "--matrix", "[ad].tfvars"]);
    assert_eq!(stdout, "# the same values in a, d\n");
}

/// Runs `eval` in a module with a state for each of two workspaces.
fn eval_with_states(arguments: &[&str]) -> (Option<i32>, String, String) {
    let module = "variable \"size\" { default = 1 }\nresource \"demo_disk\" \"a\" { size = var.size }\n\
                  output \"id\" { value = demo_disk.a.id }\n";
    let state = |id: &str, serial: u32| {
        format!(
            r#"{{"version": 4, "serial": {serial}, "lineage": "l-{id}", "resources": [{{"mode": "managed", "type": "demo_disk",
                "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]",
                "instances": [{{"attributes": {{"id": "{id}", "size": 1}}}}]}}]}}"#
        )
    };
    let (dev, prod, own) = (state("d", 3), state("p", 4), state("o", 5));
    let files = [
        ("main.tf", module),
        ("one.tfvars", "size = 1\n"),
        ("two.tfvars", "size = 2\n"),
        ("terraform.tfstate", &*own),
        ("terraform.tfstate.d/dev/terraform.tfstate", &dev),
        ("terraform.tfstate.d/prod/terraform.tfstate", &prod),
        ("copies/terraform.tfstate.d/dev/terraform.tfstate", &prod),
        ("copies/terraform.tfstate.d/prod/terraform.tfstate", "{\"version\": 4, "),
    ];
    support::terrane(&files, &[&["eval", "."], arguments].concat())
}

#[test]
fn each_workspace_begins_with_its_own_state() {
    let (code, stdout, stderr) =
        eval_with_states(&["--workspace", "dev,prod,none", "--state", ".", "output.id"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(
        stdout,
        "           dev                prod               none\n\
         output.id  \"d\" # reads state  \"p\" # reads state  (unknown)\n"
    );
    for line in [
        "none: there is no state file terraform.tfstate.d/none/terraform.tfstate: no object exists yet\n",
        "dev: state: serial 3, lineage l-d\n",
        "prod: state: serial 4, lineage l-p\n",
    ] {
        assert!(stderr.contains(line), "{line}: {stderr}");
    }
    let (_, stdout, stderr) = eval_with_states(&["--workspace", "dev,prod", "--state", ".", "--json"]);
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    for (index, id, serial, path) in [
        (0, "d", 3, "terraform.tfstate.d/dev/terraform.tfstate"),
        (1, "p", 4, "terraform.tfstate.d/prod/terraform.tfstate"),
    ] {
        let document = &document["environments"][index]["document"];
        assert_eq!(document["outputs"]["id"]["value"], id, "{document}");
        assert_eq!(document["state"]["serial"], serial);
        let read: Vec<&Value> = document["files"].as_array().into_iter().flatten().collect();
        let states = read.iter().filter(|file| file["role"] == "state" && !file["content_hash"].is_null());
        assert_eq!(states.map(|file| &file["path"]).collect::<Vec<_>>(), [path]);
    }
    let (code, _, stderr) = eval_with_states(&["--workspace", "dev,prod", "--state", "copies"]);
    assert_eq!(code, Some(2), "{stderr}");
    let error = "error: invalid value 'copies' for '--state <FILE|DIR>': in environment prod: \
                 copies/terraform.tfstate.d/prod/terraform.tfstate: ";
    assert!(stderr.contains(error), "{stderr}");
}

#[test]
fn environments_of_one_workspace_share_its_state() {
    let (code, stdout, stderr) = eval_with_states(&["--matrix", "*.tfvars", "--state", ".", "output.id"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, "           one                two\noutput.id  \"o\" # reads state  (unknown)\n");
    let workspaces = ["--matrix", "*.tfvars", "--workspace", "dev,prod", "--state", ".", "output.id"];
    assert_eq!(
        eval_with_states(&workspaces).1,
        "           one/dev            one/prod           two/dev    two/prod\n\
         output.id  \"d\" # reads state  \"p\" # reads state  (unknown)  (unknown)\n"
    );
}

/// A cell is one line in the notation of the listing, whatever the keys and texts of its value.
#[test]
fn cells_with_odd_keys_are_one_line() {
    let module = "variable \"n\" {}\nlocals {\n  quoted = tomap({ \"a \\\"b\\\"\" = var.n })\n  lines = tomap({ \"a\\nb\" = var.n, \"c|d\" = \"x\\ny\" })\n  \
                  text = \"${var.n}\\n two  blanks\\nend\\n\"\n  markers = tomap({ \"$${x}\" = var.n, \"%%{if}\" = \"\\t\" })\n  \
                  hidden = tomap({ \"\\u001b[31m\\u202e\" = var.n, \"\" = \"\" })\n  nested = [{ \"k  k\" = tomap({ \"ü\" = [var.n] }) }]\n}\n";
    let files = [("main.tf", module), ("1.tfvars", "n = \"1\"\n"), ("2.tfvars", "n = \"2\"\n")];
    let names =
        ["quoted", "lines", "text", "markers", "hidden", "nested"].map(|name| format!("local.{name}"));
    let arguments = ["eval", ".", "--matrix", "*.tfvars"].into_iter().chain(names.iter().map(String::as_str));
    let (code, stdout, stderr) = support::terrane(&files, &arguments.collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{stderr}");
    let expected = [
        "               1                                             2",
        r#"local.quoted   tomap({ "a \"b\"" = "1" })                    tomap({ "a \"b\"" = "2" })"#,
        r#"local.lines    tomap({ "a\nb" = "1", "c|d" = "x\ny" })       tomap({ "a\nb" = "2", "c|d" = "x\ny" })"#,
        r#"local.text     "1\n two  blanks\nend\n"                      "2\n two  blanks\nend\n""#,
        r#"local.markers  tomap({ "$${x}" = "1", "%%{if}" = "\t" })     tomap({ "$${x}" = "2", "%%{if}" = "\t" })"#,
        r#"local.hidden   tomap({ "" = "", "\u001b[31m\u202e" = "1" })  tomap({ "" = "", "\u001b[31m\u202e" = "2" })"#,
        r#"local.nested   [{ "k  k" = tomap({ "ü" = ["1"] }) }]         [{ "k  k" = tomap({ "ü" = ["2"] }) }]"#,
        "",
    ];
    assert_eq!(stdout, expected.join("\n"));
}

#[test]
fn rows_whose_values_look_alike_say_how_they_differ() {
    let main = "variable \"a\" {}\nvariable \"long\" {}\nmodule \"x\" { source = \"acme/net/aws\" }\n\
                resource \"terraform_data\" \"z\" {\n  input = [var.a, module.x.id]\n}\n";
    let long = |end: &str| format!("long = \"{}{end}\"\n", "x".repeat(60));
    let (dev, prod) = (format!("a = 1\n{}", long("dev")), format!("a = \"1\"\n{}", long("prod")));
    let files = [("main.tf", main), ("env/dev.tfvars", &*dev), ("env/prod.tfvars", &*prod)];
    let table = |addresses: &[&str]| {
        let command = [&["eval", ".", "--matrix", "env/*"], addresses].concat();
        let (code, stdout, stderr) = support::terrane(&files, &command);
        assert_eq!(code, Some(0), "{stderr}");
        stdout
    };
    let row = "terraform_data.z.output    (unknown) of type tuple([number,any])  (unknown) of type tuple([string,any])\n";
    let stdout = table(&[]);
    assert!(stdout.contains(row), "{stdout}");
    assert!(stdout.contains("…xxxxxxxxxxxxdev\"") && stdout.contains("…xxxxxxxxxxxxprod\""), "{stdout}");
    let stdout = table(&["terraform_data.z.output", "module.x.id"]);
    assert!(stdout.contains("(unknown) of type tuple([number,any])  (unknown) of"), "{stdout}");
    assert!(stdout.contains("module.x.id              (unknown) "), "{stdout}");
}
