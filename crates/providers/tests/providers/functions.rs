//! Calls of functions: the answers of the command, and evaluations with `--provider-functions`.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::root::{Ended, REQUIRED, Root, Server};
use crate::schemas::{passed, terraform, terrane};

pub(crate) fn trials() -> Vec<Trial> {
    let (terraform, terrane) = (terraform(), terrane());
    let mut trials = vec![
        Trial::test("requests_are_answered", || passed(requests)),
        Trial::test("a_function_that_never_returns_ends", || passed(slow)),
        Trial::test("a_function_that_ends_the_provider_is_a_failure", || passed(crash)),
        Trial::test("a_package_with_another_hash_has_no_functions", || passed(hash)),
    ];
    for (name, test) in [
        ("functions_of_providers_are_evaluated", evaluated as fn(&Path)),
        ("without_the_option_functions_are_unknown", without),
        ("the_console_calls_functions", console),
        ("errors_of_functions_are_diagnostics", errors),
    ] {
        let terrane = terrane.clone();
        let is_skipped = terrane.is_none();
        let trial = Trial::test(name, move || {
            test(&terrane.expect("a terrane"));
            Ok(())
        });
        trials.push(trial.with_ignored_flag(is_skipped));
    }
    let is_skipped = terrane.is_none() || terraform.is_none();
    let same = Trial::test("terraform_sends_the_same_bytes", move || {
        same_bytes(&terraform.expect("a terraform"), &terrane.expect("a terrane"));
        Ok(())
    });
    trials.push(same.with_ignored_flag(is_skipped));
    trials
}

/// Returns the answers of `terrane-providers functions` to requests.
fn answers(root: &Root, arguments: &[&str], requests: &[Value]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane-providers"));
    command.arg("functions").args(arguments).arg(root.path());
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let ended = root.run_with_input(&mut command, &input);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    ended.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn call(function: &str, arguments: &[Value]) -> Value {
    json!({"provider": "acme/tree", "function": function, "arguments": arguments})
}

fn requests() {
    for behaviour in ["v6", "v5"] {
        let number = |number: f64| json!({"type": "number", "value": number});
        let requests = [
            json!({"provider": "acme/tree"}),
            call("grow", &[json!({"type": "string", "value": "oak"}), number(2.0), number(0.5)]),
            call("grow", &[json!({"type": "string", "value": null})]),
            call("echo", &[json!({"type": ["set", "string"], "value": ["b", "a"]})]),
            call("fail", &[json!({"type": "string", "value": "x"})]),
            call("maybe", &[]),
            json!({"provider": "acme/bush"}),
            json!({"provider": "///"}),
            json!([]),
            call("none", &[]),
        ];
        let answers = answers(&Root::with_behaviour(behaviour), &[], &requests);
        let [signatures, grown, of_null, echoed, failed, maybe, unlocked, strange, list, missing] =
            answers.as_slice()
        else {
            panic!("{answers:?}")
        };
        let grow = json!({
            "summary": "Grows a tree", "description": "Heights by year.", "return_type": ["list", "number"],
            "parameters": [{"name": "tree", "description": "Its name.", "is_nullable": true, "type": "string"}],
            "variadic_parameter": {"name": "years", "type": "number"}
        });
        assert_eq!(signatures.pointer("/functions/grow"), Some(&grow));
        assert_eq!(grown, &json!({"result": {"type": ["list", "number"], "value": [4, 3.25]}}));
        assert_eq!(of_null, &json!({"result": {"type": ["list", "number"], "value": []}}));
        assert_eq!(echoed, &json!({"result": {"type": ["set", "string"], "value": ["a", "b"]}}));
        assert_eq!(failed, &json!({"error": "no tree \u{1b}[31mx", "argument": 0}));
        assert_eq!(maybe, &json!({"unknown": true}));
        assert_eq!(unlocked, &json!({"failure": "acme/bush is not in the lock file"}));
        assert!(strange.get("failure").is_some() && list.get("failure").is_some());
        // A provider that could not answer is not asked again.
        assert_eq!(missing, &json!({"failure": "the provider has no function none"}));
    }
    let old = answers(&Root::with_behaviour("no-functions"), &[], &[json!({"provider": "acme/tree"})]);
    assert_eq!(old, [json!({"functions": {}})]);
}

fn slow() {
    let requests = [call("slow", &[]), call("maybe", &[])];
    let answers = answers(&Root::with_behaviour("v6"), &["--timeout", "1"], &requests);
    let [slow, maybe] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(slow.get("failure"), Some(&json!("the provider did not answer within 1.0 s\n  serving")));
    assert_eq!(slow, maybe);
}

fn crash() {
    let answers = answers(&Root::with_behaviour("v6"), &[], &[call("crash", &[])]);
    let failure = answers[0].get("failure").and_then(Value::as_str).expect("a failure");
    assert!(failure.starts_with("the provider did not answer the call CallFunction: "), "{failure}");
}

fn hash() {
    let root = Root::with_behaviour("v6");
    root.write(".terraform.lock.hcl", "");
    root.lock("acme/tree", "h1:AAAA=");
    let answers = answers(&root, &[], &[json!({"provider": "acme/tree"})]);
    let failure = answers[0].get("failure").and_then(Value::as_str).expect("a failure");
    assert!(failure.starts_with("the package is not the one in the lock file"), "{failure}");
}

/// Returns a root module that calls functions, with these outputs.
fn root(behaviour: &str, outputs: &str) -> Root {
    let root = Root::with_behaviour(behaviour);
    root.write("main.tf", &format!("{REQUIRED}{outputs}"));
    root
}

fn run(root: &Root, terrane: &Path, arguments: &[&str], input: &str) -> Ended {
    root.run_with_input(Command::new(terrane).args(arguments), input)
}

fn evaluated(terrane: &Path) {
    let outputs = r#"
        variable "secret" {
          default   = "oak"
          sensitive = true
        }
        resource "tree_oak" "a" {}
        output "heights" { value = [for n in ["oak", null] : provider::tree::grow(n, 2, "3")] }
        output "echoed" { value = provider::tree::echo({ a = toset(["x"]), b = [1, null] }) }
        output "secret" { value = nonsensitive(provider::tree::echo(var.secret)) }
        output "maybe" { value = provider::tree::maybe() }
        output "later" { value = provider::tree::echo(tree_oak.a.id) }
    "#;
    for behaviour in ["v6", "v5"] {
        let ended =
            run(&root(behaviour, outputs), terrane, &["eval", ".", "output.*", "--provider-functions"], "");
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        for line in [
            "output.heights = [tolist([4, 4.5]), tolist([1, 1.5])]\n",
            "output.echoed = {\n  a = toset([\"x\"])\n  b = [1, null]\n}\n",
            "output.secret = \"oak\"\n",
            "output.maybe = (known after apply) # provider::tree::maybe() is computed by its provider\n",
            "output.later = (known after apply) # tree_oak.a.id is set by the provider\n",
        ] {
            assert!(ended.out.contains(line), "{line}: {}", ended.out);
        }
    }
    let ended = run(&root("v6", outputs), terrane, &["plan", "--provider-functions"], "");
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("4.5"), "{}", ended.out);
}

/// No provider is started unless an option asks for it.
fn without(terrane: &Path) {
    let root = Root::with_script("touch \"$0.ran\"");
    root.write("main.tf", &format!("{REQUIRED}output \"a\" {{\n  value = provider::tree::maybe()\n}}\n"));
    let ended = run(&root, terrane, &["eval"], "");
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("a = (known after apply)"), "{}", ended.out);
    assert!(!root.package("acme/tree").join("terraform-provider-tree_v1.2.0.ran").exists());
    let ended = run(&root, terrane, &["eval", "--provider-functions", "--sandbox", "."], "");
    assert_eq!(ended.code, Some(2));
    // For a configuration that names no function, no provider is started either.
    root.write("main.tf", REQUIRED);
    let ended = run(&root, terrane, &["eval", "--provider-functions"], "");
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(!root.package("acme/tree").join("terraform-provider-tree_v1.2.0.ran").exists());
}

fn console(terrane: &Path) {
    let ended = run(
        &root("v6", ""),
        terrane,
        &["console", ".", "--provider-functions"],
        "provider::tree::grow(\"oak\", 2)\n",
    );
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "tolist([\n  4,\n])\n"), "{}", ended.err);
}

fn errors(terrane: &Path) {
    for (expression, message) in [
        ("provider::tree::fail(\"x\")", "no tree ␛[31mx"),
        (
            "provider::tree::fail(sensitive(\"x\"))",
            "the reason is not shown, because an argument is sensitive",
        ),
        ("provider::tree::wrong()", "the answer has a value that is no list(string)"),
        ("provider::tree::crash()", "did not answer the call CallFunction"),
        ("provider::tree::grow()", "tree"),
        ("provider::tree::grow(\"x\", null)", "must not be null"),
    ] {
        let root = root("v6", &format!("output \"a\" {{\n  value = {expression}\n}}\n"));
        let ended = run(&root, terrane, &["eval", "--provider-functions"], "");
        assert_eq!(ended.code, Some(1), "{expression}: {}", ended.out);
        assert!(ended.err.contains(message), "{expression}: {}", ended.err);
        assert!(!ended.err.contains('\u{1b}'), "{expression}");
    }
    let root = root("v6", "output \"a\" {\n  value = provider::tree::slow()\n}\n");
    let ended = run(&root, terrane, &["eval", "--provider-functions", "--timeout", "2"], "");
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    assert!(ended.err.contains("did not answer within 2.0 s"), "{}", ended.err);
    root.write(".terraform.lock.hcl", "");
    root.lock("acme/tree", "h1:AAAA=");
    let ended = run(&root, terrane, &["eval", "--provider-functions"], "");
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.err.starts_with("error: acme/tree: the package is not the one in the lock file"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("\nhelp: remove the package"), "{}", ended.err);
}

/// The provider prints the bytes of its arguments, and echoes values. Both must be the same in Terraform's console.
fn same_bytes(terraform: &Path, terrane: &Path) {
    let root = root("functions", "");
    let values = [
        "null",
        "true",
        "\"ä\"",
        "12",
        "-1",
        "300",
        "0.1",
        "-0.5",
        "1.5e300",
        "18446744073709551616",
        "1/3",
        "[]",
        "[1, \"a\", null]",
        "tolist([\"a\", null])",
        "toset([\"b\", \"a\"])",
        "tomap({ b = 1, a = 2 })",
        "{ b = [1], a = {} }",
        "tolist([[\"a\"], []])",
    ];
    let functions = ["bytes", "echo"];
    let calls = functions
        .iter()
        .flat_map(|name| values.iter().map(move |value| format!("provider::tree::{name}({value})")));
    let calls = calls.chain([
        "provider::tree::bytes_of_set([1, 2])".to_owned(),
        "provider::tree::grow(\"oak\", 2, 0.5)".to_owned(),
    ]);
    let calls: Vec<String> = calls.collect();
    let server = Server::start(&root, "functions");
    let init = server.terraform(terraform, 6, &["init", "-no-color"], "");
    assert_eq!(init.code, Some(0), "{}", init.err);
    // Terraform prints only the last of several expressions.
    let input = format!("[{}]\n", calls.join(", "));
    let theirs = server.terraform(terraform, 6, &["console"], &input);
    assert_eq!(theirs.code, Some(0), "{}", theirs.err);
    let ours = run(&root, terrane, &["console", ".", "--provider-functions"], &input);
    assert_eq!(ours.code, Some(0), "{}", ours.err);
    assert_eq!(ours.out, theirs.out, "{input}");
}
