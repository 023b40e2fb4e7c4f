//! `--remote-state ADDRESS=FILE|DIR` and states of the local backend.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use serde_json::Value;

const APP: &str = "\
data \"terraform_remote_state\" \"net\" {
  backend = \"s3\"
  config  = { bucket = \"b\", key = \"k\" }
}
data \"terraform_remote_state\" \"local\" {
  backend = \"local\"
  config  = { path = \"../states/local.tfstate\" }
}
output \"id\" { value = data.terraform_remote_state.net.outputs.id }
output \"cidr\" { value = data.terraform_remote_state.net.outputs.cidr }
output \"vpc\" { value = data.terraform_remote_state.net.outputs.vpc }
output \"local\" { value = data.terraform_remote_state.local.outputs.id }
";

const NET: &str = "\
variable \"cidr\" {}
variable \"broken\" { default = 1 }
resource \"aws_vpc\" \"main\" { cidr_block = var.cidr }
data \"terraform_remote_state\" \"app\" {
  backend = \"local\"
  config  = { path = \"../app/terraform.tfstate\" }
}
output \"id\" {
  value     = \"net\"
  sensitive = true
}
output \"cidr\" { value = var.cidr }
output \"vpc\" { value = { id = aws_vpc.main.id, cidr = var.cidr } }
";

const STATE: &str = r#"{"version": 4, "outputs": {
  "id": {"value": "of file", "type": "string"},
  "cidr": {"value": "10.1.0.0/16", "type": "string"},
  "vpc": {"value": {"id": "v"}, "type": ["object", {"id": "string"}]}
}}"#;

const FILES: [(&str, &str); 6] = [
    ("app/main.tf", APP),
    ("net/main.tf", NET),
    ("net/terraform.tfvars", "cidr = \"10.0.0.0/16\"\n"),
    ("states/net.tfstate", STATE),
    ("states/local.tfstate", STATE),
    ("states/broken.json", "{\"version\": 5}"),
];

const ADDRESS: &str = "data.terraform_remote_state.net";

fn terrane(arguments: &[&str]) -> (Option<i32>, String, String) {
    support::terrane(&FILES, arguments)
}

#[test]
fn a_file_or_another_root_module_gives_the_outputs() {
    let of_file = format!("{ADDRESS}=states/net.tfstate");
    let (code, stdout, stderr) =
        terrane(&["eval", "app", "output.id", "output.local", "--remote-state", &of_file]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(
        stdout,
        "output.id = \"of file\" # reads remote-state\noutput.local = \"of file\" # reads remote-state\n"
    );
    let of_root = format!("{ADDRESS}=net");
    let (code, stdout, stderr) = terrane(&["eval", "app", "output.*", "--remote-state", &of_root]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("output.id = \"net\" # reads remote-state\n"), "{stdout}");
    assert!(stdout.contains("output.cidr = \"10.0.0.0/16\" # reads remote-state\n"), "{stdout}");
    let reason = "data.terraform_remote_state.net.outputs.vpc is read by the provider (not computed: `output.vpc` of the \
                  root module in `net` is not known: aws_vpc.main.id is set by the provider)";
    assert!(stdout.contains(reason), "{stdout}");
    assert!(stdout.contains("cidr = \"10.0.0.0/16\""), "known parts stay: {stdout}");
}

#[test]
fn every_command_that_evaluates_takes_the_option() {
    let given = format!("{ADDRESS}=states/net.tfstate");
    let cases: [(&[&str], &str); 4] = [
        (&["plan", "app"], "+ id    = \"of file\""),
        (&["explain", "output.id", "app"], "option --remote-state data.terraform_remote_state.net"),
        (&["graph", "app"], "terraform_remote_state.net"),
        (&["diff", "app", "app"], "No differences"),
    ];
    for (arguments, expected) in cases {
        let (_, stdout, stderr) = terrane(&[arguments, &["--remote-state", &given]].concat());
        assert!((stdout.clone() + &stderr).contains(expected), "{arguments:?}: {stdout}{stderr}");
    }
}

#[test]
fn the_document_has_origin_and_files() {
    let given = format!("{ADDRESS}=states/net.tfstate");
    let (_, stdout, stderr) = terrane(&["eval", "app", "--json", "--remote-state", &given]);
    let document: Value = serde_json::from_str(&stdout).expect(&stderr);
    for name in ["net", "local"] {
        let value = &document["values"][format!("data.terraform_remote_state.{name}")];
        let source = &value["part_sources"][0];
        assert_eq!((&source["path"], &source["origin"]), (&".outputs".into(), &"remote-state".into()));
    }
    let files = document["files"].as_array().expect("a list");
    let states: Vec<&Value> =
        files.iter().filter(|file| file["role"] == "state").map(|file| &file["path"]).collect();
    assert_eq!(states, ["app/../states/local.tfstate", "states/net.tfstate"]);
}

/// `--set` and overrides in mock files take precedence over `--remote-state`.
#[test]
fn outputs_that_are_given_otherwise_are_not_those_of_the_option() {
    let values =
        |values: &str| format!("override_data {{\n  target = {ADDRESS}\n  values = {{ {values} }}\n}}\n");
    let (all, others) =
        (values("outputs = { id = \"mock\", cidr = null, vpc = null }"), values("defaults = {}"));
    let files = [FILES.as_slice(), &[("all.tftest.hcl", &*all), ("others.tftest.hcl", &*others)]].concat();
    let given = format!("{ADDRESS}=states/net.tfstate");
    let set = format!("{ADDRESS}.outputs={{id=\"set\",cidr=null,vpc=null}}");
    let cases: [(&[&str], &str); 3] = [
        (&["--mocks", "all.tftest.hcl"], "output.id = \"mock\" # reads given\n"),
        (&["--mocks", "others.tftest.hcl"], "output.id = \"of file\" # reads remote-state\n"),
        (&["--set", &set], "output.id = \"set\" # reads given\n"),
    ];
    for (arguments, expected) in cases {
        let arguments = [&["eval", "app", "output.id", "--remote-state", &given], arguments].concat();
        let (_, stdout, stderr) = support::terrane(&files, &arguments);
        assert_eq!(stdout, expected, "{arguments:?}: {stderr}");
    }
    let arguments = ["explain", "output.id", "app", "--remote-state", &given, "--mocks", "all.tftest.hcl"];
    let (_, stdout, stderr) = support::terrane(&files, &arguments);
    assert!(stdout.contains("all.tftest.hcl") && !stdout.contains("--remote-state"), "{stdout}{stderr}");
}

#[test]
fn a_state_is_read_in_the_sandbox_alone() {
    let given = format!("{ADDRESS}=net");
    let arguments = ["eval", "app", "output.local", "--sandbox", "app"];
    let (code, stdout, stderr) = terrane(&arguments);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stdout.contains("of file"), "{stdout}");
    assert!(stderr.contains("is outside of the directory that may be read"), "{stderr}");
    let (code, _, stderr) = terrane(&[&arguments[..], &["--remote-state", &given]].concat());
    assert_ne!(code, Some(0), "{stderr}");
}

#[test]
fn mistakes_of_the_option_are_errors() {
    for (given, expected) in [
        (format!("{ADDRESS}=states/broken.json"), "the version is 5"),
        (format!("{ADDRESS}=states/none.json"), "states/none.json"),
        (ADDRESS.to_owned(), "write it as ADDRESS=FILE or ADDRESS=DIR"),
        (format!("{ADDRESS}="), "it has no path behind the `=`"),
        (
            format!("{ADDRESS}=states"),
            "the directory states is no root module: it has no files that end in `.tf` or `.tofu`",
        ),
    ] {
        let (code, _, stderr) = terrane(&["eval", "app", "--remote-state", &given]);
        assert_eq!(code, Some(2), "{given}: {stderr}");
        assert!(stderr.contains(expected), "{given}: {stderr}");
    }
    let rule = "It must be the address of a data source of the type `terraform_remote_state`, such as";
    for (address, expected) in [
        ("net", format!("No outputs can be given for `net`. {rule}")),
        ("var.net", format!("No outputs can be given for `var.net`. {rule}")),
        ("net +", "It must be an address, such as `data.terraform_remote_state.network`".to_owned()),
        (
            "data.terraform_remote_state.nett",
            "so the outputs given for it are not used. = help: Did you mean `data.terraform_remote_state.net`?"
                .to_owned(),
        ),
    ] {
        let (_, _, stderr) =
            terrane(&["eval", "app", "--remote-state", &format!("{address}=states/net.tfstate")]);
        let on_one_line = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(on_one_line.contains(&expected), "{address}: {stderr}");
    }
    let (_, _, stderr) = terrane(&["eval", "app"]);
    assert!(stderr.contains("help: `--remote-state 'data.terraform_remote_state.net=FILE'`"), "{stderr}");
}

#[test]
fn a_root_module_that_cannot_be_read_has_unknown_outputs() {
    let app = "data \"terraform_remote_state\" \"net\" {\n  backend = \"local\"\n}\n\
               output \"a\" {\n  value = data.terraform_remote_state.net.outputs.a\n}\n";
    let files = [("app/main.tf", app), ("net/main.tf", "output \"a {\n  value = 1\n}\n")];
    let (code, stdout, stderr) =
        support::terrane(&files, &["eval", "app", "output.a", "--remote-state", &format!("{ADDRESS}=net")]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("(not computed: the root module in `net` has errors)"), "{stdout}");
    assert!(stderr.contains("`terrane eval net` prints it"), "{stderr}");
}

#[test]
fn outputs_of_the_file_are_not_those_of_the_own_state() {
    let main = "\
data \"terraform_remote_state\" \"up\" {
  backend = \"local\"
  config  = { path = \"up.tfstate\" }
}
output \"x\" { value = data.terraform_remote_state.up.outputs.x }
";
    let up = r#"{"version": 4, "outputs": {"x": {"value": "new", "type": "string"}}}"#;
    let own = r#"{"version": 4, "resources": [{"mode": "data", "type": "terraform_remote_state", "name": "up",
        "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{"schema_version": 0, "attributes": {
          "backend": "local", "config": {"value": {"path": "up.tfstate"}, "type": ["object", {"path": "string"}]},
          "defaults": null, "workspace": null, "outputs": {"value": {"x": "old"}, "type": ["object", {"x": "string"}]}}}]}]}"#;
    let files = [("main.tf", main), ("up.tfstate", up), ("own.tfstate", own)];
    for inputs in [&[][..], &["--remote-state", "data.terraform_remote_state.up=up.tfstate"]] {
        let arguments = [&["eval", ".", "--state", "own.tfstate", "--json"], inputs].concat();
        let (_, stdout, stderr) = support::terrane(&files, &arguments);
        let document: Value = serde_json::from_str(&stdout).expect("JSON");
        assert_eq!(document["outputs"]["x"]["value"], "new", "{stderr}");
        assert_eq!(document["sources"], serde_json::json!({"remote-state": 1}), "{stderr}");
    }
}

/// An output given by hand beside outputs of a file only has the origin of its own value.
#[test]
fn a_given_output_is_not_one_of_the_remote_state() {
    let main = "data \"terraform_remote_state\" \"net\" {\n  backend = \"s3\"\n  config  = { bucket = \"b\", key = \"k\", region = \"r\" }\n}\n\
                output \"a\" { value = data.terraform_remote_state.net.outputs.a }\noutput \"b\" { value = data.terraform_remote_state.net.outputs.b }\n";
    let outputs = r#"{"a": {"value": 1, "type": "number", "sensitive": false}, "b": {"value": 2, "type": "number", "sensitive": false}}"#;
    let files = [("main.tf", main), ("net.json", outputs)];
    let data = "data.terraform_remote_state.net";
    let (set, remote) = (format!("{data}.outputs.a=5"), format!("{data}=net.json"));
    let given = ["--set", &set, "--remote-state", &remote];
    let (_, stdout, stderr) = support::terrane(&files, &[&["eval", "."][..], &given].concat());
    assert!(
        stdout.starts_with("outputs {\n  # reads given: a\n  # reads remote-state: b\n"),
        "{stdout}{stderr}"
    );
    let parts = [format!("{data}.outputs.a"), format!("{data}.outputs.b")];
    let (_, stdout, _) =
        support::terrane(&files, &[&["eval", ".", &parts[0], &parts[1]][..], &given].concat());
    assert_eq!(stdout, format!("{} = 5 # given\n{} = 2 # remote-state\n", parts[0], parts[1]));
}

#[test]
fn an_explanation_names_the_outputs_that_an_option_gives() {
    let main = "data \"terraform_remote_state\" \"net\" {\n  backend = \"s3\"\n  config  = { bucket = \"b\", key = \"k\", region = \"r\" }\n}\n\
                output \"a\" { value = data.terraform_remote_state.net.outputs.a }\n";
    let files =
        [("main.tf", main), ("net.json", r#"{"a": {"value": 1, "type": "number", "sensitive": false}}"#)];
    let data = "data.terraform_remote_state.net";
    let remote = format!("{data}=net.json");
    let explained =
        |address: &str| support::terrane(&files, &["explain", address, "--remote-state", &remote]).1;
    let option = format!("option --remote-state {data}.outputs");
    assert!(explained("output.a").contains(&format!("{option}.a = 1\n")));
    assert!(explained(data).contains(&format!("{option} = {{ a = 1 }}\n")), "{}", explained(data));
}
