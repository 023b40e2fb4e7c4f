//! `terrane eval -recursive` and `terrane eval --format`.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use serde_json::Value;

const TREE: [(&str, &str); 9] = [
    (
        "live/eu/main.tf",
        "provider \"aws\" {}\nmodule \"net\" {\n  source = \"../../modules/net\"\n  zone   = \"eu\"\n}\noutput \"zone\" { value = module.net.zone }\n",
    ),
    (
        "live/us/main.tf",
        "terraform {\n  backend \"s3\" {}\n}\nmodule \"net\" {\n  source = \"../../modules/net\"\n  zone   = \"us\"\n}\nvariable \"size\" { default = 1 }\noutput \"size\" { value = var.size }\n",
    ),
    ("live/bad/main.tf", "provider \"aws\" {}\noutput \"zone\" { value = local.gone }\n"),
    (
        "modules/net/main.tf",
        "variable \"zone\" {}\nresource \"aws_vpc\" \"a\" { tags = { Zone = var.zone } }\noutput \"zone\" { value = upper(var.zone) }\n",
    ),
    ("modules/alone/main.tf", "output \"o\" { value = 1 }\n"),
    ("modules/net/examples/x/main.tf", "provider \"aws\" {}\n"),
    ("skipped/terragrunt.hcl", ""),
    (".gitignore", "old\n"),
    ("old/main.tf", "provider \"aws\" {}\n"),
];

fn eval(arguments: &[&str]) -> (Option<i32>, String, String) {
    support::terrane(&TREE, &[&["eval"], arguments].concat())
}

#[test]
fn every_root_has_a_heading_and_a_broken_one_loses_no_other() {
    let (code, stdout, stderr) = eval(&["-recursive"]);
    assert_eq!(code, Some(1));
    let expected = "\
# root live/bad: 1 error, no values printed

# root live/eu
";
    assert!(stdout.starts_with(expected), "{stdout}");
    assert!(stdout.contains("\n# root live/us\n") && stdout.contains("zone = \"EU\""), "{stdout}");
    assert!(!stdout.contains("old") && !stdout.contains("examples"), "{stdout}");
    for line in [
        "error[core:undeclared-local]",
        "3 roots, 1 with errors: live/bad\nhelp: `--keep-going` prints the values that are known in spite of errors\n",
        "evaluated 5 modules, 2 resources and 8 values in ",
        "left out: 1 directory that nothing calls, without a backend or provider: modules/alone\n",
        "left out: 1 directory among examples and tests: modules/net/examples/x\n",
        "skipped: 1 root with a terragrunt.hcl: skipped; Terragrunt gives the inputs\n",
    ] {
        assert!(stderr.contains(line), "{line}\n{stderr}");
    }
    assert_eq!(eval(&["--recursive"]).1, stdout);
    let (code, stdout, _) = eval(&["-recursive", "live/eu", "-q"]);
    assert_eq!((code, stdout.starts_with("# root live/eu\n")), (Some(0), true), "{stdout}");
    let (_, _, stderr) = eval(&["-recursive", "--keep-going"]);
    assert!(stderr.contains("with errors: live/bad\n") && !stderr.contains("--keep-going"), "{stderr}");
    let (_, stdout, _) = eval(&["-recursive", "--all", "--keep-going", "-q"]);
    for root in ["live/bad\n", "modules/alone\n", "modules/net/examples/x\n"] {
        assert!(stdout.contains(&format!("# root {root}")), "{stdout}");
    }
    assert!(stdout.contains("zone = (error)"), "{stdout}");
}

#[test]
fn json_lists_the_roots() {
    let (code, stdout, _) = eval(&["-recursive", "--json"]);
    assert_eq!((code, stdout.lines().count()), (Some(1), 1));
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    let roots = document["roots"].as_array().expect("a list");
    let shown: Vec<(&str, &str)> = roots
        .iter()
        .filter_map(|root| Some((root["directory"].as_str()?, root["status"].as_str()?)))
        .collect();
    assert_eq!(shown, [("live/bad", "errors"), ("live/eu", "ok"), ("live/us", "ok"), ("skipped", "skipped")]);
    assert_eq!(roots[3]["reason"], "Terragrunt gives its inputs");
    assert_eq!((&document["summary"]["roots"], &document["summary"]["skipped"]), (&3.into(), &1.into()));
    assert_eq!(roots[1]["document"]["outputs"]["zone"]["value"], "EU");
    assert_eq!(roots[1]["found_by"], serde_json::json!(["provider"]));
    assert_eq!(roots[0].get("document"), None);
    assert_eq!(document["left_out"]["libraries"], serde_json::json!(["modules/alone"]));
    assert_eq!(document["summary"]["with_errors"], 1);
    let (_, alone, _) = eval(&["--json", "live/eu"]);
    assert_eq!(roots[1]["document"], serde_json::from_str::<Value>(&alone).expect("JSON"));
}

#[test]
fn an_option_may_be_for_one_of_the_roots() {
    let (code, stdout, stderr) = eval(&["-recursive", "live", "-var", "size=7"]);
    assert!(code == Some(1) && stdout.contains("size = \"7\""), "{stdout}{stderr}");
    assert!(stderr.contains("3 roots, 1 with errors: live/bad\n"), "{stderr}");
    let (_, _, stderr) = eval(&["-recursive", "-var", "none=7"]);
    assert!(stderr.contains("3 roots, 3 with errors"), "{stderr}");
    let (code, stdout, stderr) = eval(&["-recursive", "skipped"]);
    assert_eq!((code, &*stdout), (Some(1), ""));
    assert!(stderr.contains("error: there is no root module in skipped or below it\n"), "{stderr}");
    let (code, _, stderr) = eval(&["-recursive", "live/none"]);
    assert!(code == Some(1) && stderr.contains("live/none"), "{stderr}");
}

#[test]
fn formats_report_errors_in_place_of_values() {
    let (code, stdout, stderr) = eval(&["--format", "compact", "live/bad"]);
    assert_eq!(code, Some(1));
    assert!(stdout.starts_with("live/bad/main.tf:2:25: error: ") && stdout.lines().count() == 1, "{stdout}");
    assert!(stderr.contains("evaluated 1 module") && !stderr.contains("error["), "{stderr}");
    let (code, stdout, _) = eval(&["--format", "compact", "live/eu"]);
    assert_eq!((code, &*stdout), (Some(0), ""));
    for (format, expected) in [
        ("github", "::error file=live/bad/main.tf,line=2,"),
        ("sarif", "\"uri\": \"live/bad/main.tf\""),
        ("junit", "<testsuite name=\"terrane eval\" "),
        ("json", "\"error_count\""),
        ("human", "error[core:undeclared-local]"),
    ] {
        let (code, stdout, _) = eval(&["-recursive", "--format", format, "-q"]);
        assert!(code == Some(1) && stdout.contains(expected), "{format}: {stdout}");
        assert!(!stdout.contains("# root"), "{stdout}");
    }
    let (_, junit, _) = eval(&["-recursive", "--format", "junit"]);
    assert_eq!(
        junit.matches("<testcase classname=\"terrane eval\" ").count(),
        4,
        "a test for each file of the three roots\n{junit}"
    );
}

#[test]
fn a_report_has_required_values_that_are_unknown() {
    let files = [("main.tf", "variable \"a\" {}\noutput \"a\" { value = var.a }\n")];
    let run = |arguments: &[&str]| support::terrane(&files, arguments);
    let (code, stdout, _) = run(&["eval", "--format", "github", "--require-known"]);
    assert!(code == Some(1) && stdout.contains("::error file=main.tf,line=2,"), "{stdout}");
    let (code, stdout, _) = run(&["eval", "--format", "compact", ".", "local.none"]);
    assert!(code == Some(1) && stdout.contains("local.none"), "{stdout}");
    assert_eq!(run(&["eval", "--format", "sarif", "--json"]).0, Some(2));
    assert_eq!(run(&["eval", "-recursive", "--raw", ".", "output.a"]).0, Some(2));
    let (code, stdout, _) = run(&["eval", "--matrix", "*.tfvars", "--format", "compact"]);
    assert_eq!((code, &*stdout), (Some(2), ""), "no file matches");
}

#[test]
fn an_address_may_hold_in_some_roots_only() {
    let (code, stdout, stderr) = eval(&["-recursive", "live", "output.zone"]);
    assert_eq!(code, Some(1), "a root is broken");
    let expected = "\
# root live/bad: 1 error, no values printed

# root live/eu
output.zone = \"EU\"
";
    assert_eq!(stdout, expected, "{stderr}");
    assert!(stderr.contains("1 root has none of these addresses: live/us\n"), "{stderr}");
    assert!(stderr.contains("3 roots, 1 with errors: live/bad\n"), "{stderr}");
    let (code, stdout, stderr) =
        eval(&["-recursive", "live/us", "output.size", "module.*.zone", "upper(module.net.zone)"]);
    let expected = "\
# root live/us
output.size = 1
module.net.zone = \"US\"
upper(module.net.zone) = \"US\"
";
    assert_eq!((code, &*stdout), (Some(0), expected), "{stderr}");
}

#[test]
fn an_address_without_a_root_is_an_error() {
    let (code, stdout, stderr) = eval(&["-recursive", "live", "output.zone", "output.sise", "-q"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("output.zone = \"EU\""), "{stdout}");
    let detail = "No root module has a value for the address `output.sise`. In live/eu: The configuration has no object with";
    assert!(stderr.contains(detail) && stderr.contains("There is `output.zone`."), "{stderr}");
    assert_eq!(stderr.matches("output.sise").count(), 2, "{stderr}");
    let (code, stdout, stderr) = eval(&["-recursive", "output.zone"]);
    assert_eq!((code, &*stdout), (Some(1), ""));
    assert!(stderr.contains("write: terrane eval . output.zone"), "{stderr}");
}

#[test]
fn values_may_be_required_of_the_roots_that_have_them() {
    let tree = [
        (
            "a/main.tf",
            "provider \"a\" {}\nvariable \"v\" {}\noutput \"o\" { value = var.v }\noutput \"p\" { value = 1 }\n",
        ),
        ("b/main.tf", "provider \"a\" {}\noutput \"q\" { value = 1 }\n"),
    ];
    let run =
        |arguments: &[&str]| support::terrane(&tree, &[&["eval", "-recursive", "-q"], arguments].concat());
    let (code, _, stderr) = run(&["--require-known=output.p"]);
    assert_eq!((code, &*stderr), (Some(0), ""));
    let (code, _, stderr) = run(&["--require-known=output.o"]);
    assert!(code == Some(1) && stderr.contains("`output.o` is unknown"), "{stderr}");
    let (code, stdout, stderr) = run(&[".", "output.o", "--require-known", "--format", "compact"]);
    assert!(code == Some(1) && stdout.starts_with("a/main.tf:3:1: error: "), "{stdout}{stderr}");
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    let (code, _, stderr) = run(&[".", "output.q", "--require-known"]);
    assert_eq!((code, &*stderr), (Some(0), ""), "only the address to print must be known");
    let (code, _, stderr) = run(&["--require-known=output.none"]);
    assert!(
        code == Some(1) && stderr.contains("No root module has a value for the address `output.none`"),
        "{stderr}"
    );
}

#[test]
fn the_document_of_a_root_has_the_addresses() {
    let (_, stdout, _) = eval(&["-recursive", "live", "output.zone", "--json"]);
    let document: Value = serde_json::from_str(&stdout).expect("JSON");
    let roots = document["roots"].as_array().expect("a list");
    assert_eq!(roots[1]["document"]["values"]["output.zone"]["value"], "EU");
    assert_eq!(roots[1]["document"]["values"].as_object().map(serde_json::Map::len), Some(1));
    assert_eq!(roots[2]["document"], serde_json::json!({"format_version": "1.2", "values": {}}));
    let (_, alone, _) = eval(&["live/eu", "output.zone", "--json"]);
    assert_eq!(roots[1]["document"], serde_json::from_str::<Value>(&alone).expect("JSON"));
}

#[test]
fn lists_and_stacks_name_roots() {
    let module = "output \"o\" { value = 1 }\n";
    let tree = [
        ("fleet.toml", "[[root]]\npath = \"one\"\n"),
        ("atlantis.yaml", "version: 3\nprojects:\n- dir: two\n- dir: gone\n"),
        ("one/main.tf", module),
        ("two/main.tf", module),
        ("three/stack.tm.hcl", "stack {}\n"),
        ("three/main.tf", module),
        ("four/main.tf", module),
    ];
    let (code, stdout, stderr) = support::terrane(&tree, &["eval", "-recursive", ".", "output.o"]);
    let expected = "# root one\noutput.o = 1\n\n# root three\noutput.o = 1\n\n# root two\noutput.o = 1\n";
    assert_eq!((code, &*stdout), (Some(0), expected), "{stderr}");
    assert!(stderr.contains("warning[core:no-such-root]") && stderr.contains("\"gone\""), "{stderr}");
    let mut broken = tree;
    broken[0].1 = "[[root]]\nname = \"one\"\n";
    let (code, stdout, stderr) = support::terrane(&broken, &["eval", "-recursive"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("# root two\n") && !stdout.contains("# root one"), "{stdout}");
    assert!(
        stderr.contains("error[core:invalid-root-list]") && stderr.contains("fleet.toml:2:1"),
        "{stderr}"
    );
}
