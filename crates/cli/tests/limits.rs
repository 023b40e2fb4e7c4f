//! Limits of the command: an exceeded limit is an error with its place and the option that raises it.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/with_input.rs"]
mod with_input;

use std::fs;

use tempfile::TempDir;

use self::with_input::run;

fn directory(name: &str, text: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join(name), text).expect("a file");
    directory
}

#[track_caller]
fn exceeds(directory: &TempDir, arguments: &[&str], parts: &[&str]) {
    let (code, text) = run(directory, arguments, "");
    assert_eq!(code, Some(1), "{text}");
    for part in parts {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

const LOOPS: &str =
    "[for a in range(1000) : [for b in range(1000) : length([for c in range(1000) : a + b * c])]]";

#[test]
fn an_address_of_a_given_value_has_a_limit() {
    let directory = directory("main.tf", "resource \"a_b\" \"c\" {}\n");
    let given = format!("a_b.c{}=1", ".a".repeat(20_000));
    exceeds(&directory, &["eval", "--set", &given], &["core:too-deep", "more than 500 steps"]);
}

#[test]
fn each_limit_has_an_option() {
    let loops = directory("main.tf", "locals { a = [for a in range(300) : \"${a}x\"] }\n");
    for command in ["eval", "check"] {
        let (code, text) = run(&loops, &[command], "");
        assert_eq!(code, Some(0), "{text}");
        exceeds(
            &loops,
            &[command, "--max-steps", "50"],
            &["main.tf:1:", "more than 50 steps", "`--max-steps` raises"],
        );
        exceeds(
            &loops,
            &["--max-memory=4000", command],
            &["main.tf:1:", "4000 bytes of memory", "`--max-memory` raises"],
        );
    }
    let loops = directory("main.tf", &format!("locals {{ a = {LOOPS} }}\n"));
    let stopped = ["Limit exceeded", "longer than the time limit", "`--timeout` raises"];
    exceeds(&loops, &["eval", "--max-steps", "100000000000", "--timeout", "100ms"], &stopped);
    exceeds(&loops, &["check", "--max-steps", "100000000000", "--timeout", "0.1"], &stopped);
    let template = directory("a.pkr.hcl", &format!("locals {{ a = {LOOPS} }}\n"));
    exceeds(&template, &["eval", "--max-steps", "100000000000", "--timeout", "100ms"], &stopped);
    exceeds(&template, &["eval", "--max-steps", "1000"], &["a.pkr.hcl:1:", "`--max-steps` raises"]);
}

#[test]
fn the_text_of_a_plan_has_limits() {
    let deep = |depth: usize| format!("\"{}{}\"", "[".repeat(depth), "]".repeat(depth));
    let output = |value: &str| format!("output \"o\" {{\n  value = {value}\n}}\n");
    let long = output(&format!("[for i in range(400) : [for j in range(150) : {}]]", deep(60)));
    let long = directory("main.tf", &long);
    exceeds(&long, &["plan"], &["Limit exceeded", "too large to be printed"]);
    let deeper = directory("main.tf", &output(&deep(65)));
    let (code, text) = run(&deeper, &["plan"], "");
    assert!(code == Some(0) && text.contains(&format!("+ o = {}\n", deep(65))), "{text}");
    let (code, text) = run(&directory("main.tf", &output("\"[[1]]\"")), &["plan"], "");
    assert!(code == Some(0) && text.contains("+ o = jsonencode(\n        [\n"), "{text}");
}

#[test]
fn the_document_of_an_explanation_has_a_limit() {
    let line = |index: usize| {
        let all: String = (0..index).map(|before| format!("local.a{before},")).collect();
        format!("  a{index} = [{all}]\n")
    };
    let text: String = (0..24).map(line).collect();
    let dense = directory("main.tf", &format!("locals {{\n{text}}}\n"));
    exceeds(&dense, &["explain", "local.a23", "--json"], &["Limit exceeded", "too large to be printed"]);
    exceeds(&dense, &["explain", "local.a23", "--html"], &["Limit exceeded", "too large to be printed"]);
    for format in ["--json", "--html"] {
        let (code, text) = run(&dense, &["explain", "local.a3", format], "");
        assert!(code == Some(0) && text.contains("\"address\":\"local.a3\""), "{text}");
    }
}

#[test]
fn the_time_of_a_server_is_that_of_a_request() {
    let empty = directory("main.tf", "");
    let slow = format!("{{\"id\": 1, \"expr\": \"{LOOPS}\"}}\n");
    let requests =
        format!("{slow}{{\"id\": 2, \"expr\": \"1 + 1\"}}\n{slow}{{\"id\": 3, \"expr\": \"1 + 2\"}}\n");
    let arguments = ["console", "--json", "--max-steps", "100000000000", "--timeout", "100ms"];
    let (code, text) = run(&empty, &arguments, &requests);
    assert_eq!(code, Some(0));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!([0, 2].iter().all(|line| lines[*line].contains("longer than the time limit")), "{text}");
    assert!(lines[1].contains("\"value\":2") && lines[3].contains("\"value\":3"), "{text}");
}

#[test]
fn formatting_and_decoding_have_limits() {
    let spec = directory("spec.hcldec", "attr {\n  name = \"a\"\n  type = list(number)\n}\n");
    fs::write(spec.path().join("in.hcl"), "a = [1, 2, 3, 4, 5]\n").expect("a file");
    let arguments = ["decode", "--spec", "spec.hcldec", "in.hcl"];
    assert_eq!(run(&spec, &arguments, "").1, "[1,2,3,4,5]\n");
    let (code, text) = run(&spec, &[&arguments[..], &["--max-steps", "3"]].concat(), "");
    assert_eq!(code, Some(2));
    assert!(text.contains("more than 3 steps"), "{text}");
    // There are so many files that a millisecond is over before the last one.
    let many = directory("main.tf", "a=1\n");
    for number in 0..3000 {
        fs::write(many.path().join(format!("z{number}.tf")), "a=1\n").expect("a file");
    }
    let (code, text) = run(&many, &["fmt", "--timeout", "1ms"], "");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("The time is over before z"), "{text}");
}

#[test]
fn text_that_is_parsed_has_a_limit_for_all_files_together() {
    let text = format!("locals {{ a = 1 }}\n{}", "#\n".repeat(10_000));
    let module = directory("main.tf", &text);
    let arguments = ["--max-memory", "1400KiB"];
    let too_large = ["main.tf", "more than 22400 bytes of text", "`--max-memory` raises"];
    for command in ["eval", "check", "graph"] {
        assert_eq!(run(&module, &[&[command], &arguments[..]].concat(), "").0, Some(0));
    }
    fs::write(module.path().join("a.tf"), &text).expect("a file");
    for command in ["eval", "graph"] {
        exceeds(&module, &[&[command], &arguments[..]].concat(), &too_large);
    }
    for arguments in [&["check"][..], &["fmt", "-check"], &["fmt", "-check", "-"], &["check", "-"]] {
        let input = text.repeat(2);
        let (code, output) = run(&module, &[arguments, &["--max-memory=1400KiB"]].concat(), &input);
        assert_eq!(code, Some(2), "{output}");
        assert!(output.contains("more than 22400 bytes of text"), "{output}");
    }
    // A called module counts as well, and so do variable files.
    fs::remove_file(module.path().join("a.tf")).expect("a file");
    fs::write(module.path().join("called.tf"), "module \"m\" {\n  source = \"./m\"\n}\n").expect("a file");
    fs::create_dir(module.path().join("m")).expect("a directory");
    fs::write(module.path().join("m/main.tf"), &text).expect("a file");
    exceeds(&module, &["eval", "--max-memory=1400KiB"], &["m/main.tf", "more than 22400 bytes of text"]);
    assert_eq!(run(&module, &["eval", "--max-memory=2600KiB"], "").0, Some(0));
    fs::write(module.path().join("a.auto.tfvars"), text.replace("locals { a = 1 }", "a = 1"))
        .expect("a file");
    let (_, output) = run(&module, &["eval", "--max-memory=2600KiB"], "");
    assert!(output.contains("more than 41600 bytes of text"), "{output}");
}

#[test]
fn an_input_of_the_console_has_a_limit() {
    let empty = directory("main.tf", "");
    let long = format!("[{}1]", "1, ".repeat(20_000));
    let (code, output) = run(&empty, &["console", "--max-memory=1400KiB"], &long);
    assert_eq!(code, Some(1));
    assert!(output.contains("<input line 1>") && output.contains("more than 22400 bytes"), "{output}");
    // The lines of one input count together; the lines of different inputs do not.
    let (code, output) = run(&empty, &["console", "--max-memory=1400KiB"], &long.replace(' ', "\n"));
    assert_eq!(code, Some(1), "{output}");
    let (code, _) = run(&empty, &["console", "--max-memory=1400KiB"], &"length([1, 2, 3])\n".repeat(4000));
    assert_eq!(code, Some(0));
    let requests = format!("{{\"expr\": \"{long}\"}}\n{{\"expr\": \"1 + 1\"}}\n");
    let (code, output) = run(&empty, &["console", "--json", "--max-memory=1400KiB"], &requests);
    assert_eq!(code, Some(0));
    assert!(output.contains("longer than 22400 bytes") && output.contains("\"value\":2"), "{output}");
}

#[test]
fn generated_blocks_count() {
    let inner = "dynamic \"y\" {\n    for_each = range(1000)\n    content {}\n  }";
    let block = format!("dynamic \"x\" {{\n  for_each = range(1000)\n  content {{\n  {inner}\n  }}\n}}\n");
    let blocks = directory("main.tf", &format!("resource \"a_b\" \"c\" {{\n{block}}}\n"));
    for command in ["eval", "check"] {
        exceeds(&blocks, &[command], &["main.tf:", "Limit exceeded", "raises the limit"]);
    }
    let memory = ["bytes of memory", "`--max-memory` raises"];
    exceeds(&blocks, &["eval", "--max-memory", "10MB", "--max-steps", "10000000000"], &memory);
}

#[test]
fn a_chain_of_operators_counts_each() {
    let chain =
        directory("main.tf", &format!("locals {{ a = [for i in [1, 2] : {}i] }}\n", "i+".repeat(5000)));
    assert_eq!(run(&chain, &["eval"], "").0, Some(0));
    exceeds(&chain, &["eval", "--max-steps", "20000"], &["more than 20000 steps"]);
}

#[test]
fn results_that_need_all_memory_are_not_made() {
    let doubling: String =
        (0..40).map(|i| format!("  a{} = concat(local.a{i}, local.a{i})\n", i + 1)).collect();
    let locals = directory("main.tf", &format!("locals {{\n  a0 = [1]\n{doubling}}}\n"));
    exceeds(&locals, &["eval"], &["Limit exceeded", "bytes of memory", "`--max-memory` raises"]);
    let count = directory("main.tf", "resource \"a_b\" \"c\" {\n  count = 500000\n}\n");
    exceeds(
        &count,
        &["eval"],
        &["main.tf:1:1", "The 500000 instances of this block", "`--max-steps` raises"],
    );
    let absent = directory("main.tf", "module \"m\" {\n  source = \"a/b/c\"\n  count  = 1000000\n}\n");
    exceeds(
        &absent,
        &["eval"],
        &["main.tf:1:1", "The 1000000 instances of this block", "`--max-memory` raises"],
    );
}

#[test]
fn a_root_module_with_too_many_declarations_is_left_out() {
    let locals: String = (0..7_000).map(|i| format!("  a{i} = 1\n")).collect();
    let root = directory("main.tf", &format!("locals {{\n{locals}}}\n"));
    let parts = ["The 7000 declarations of the root module", "11000000 bytes", "`--max-memory` raises"];
    for command in [&["eval"] as &[_], &["plan", "--json"], &["check"], &["graph", "--format", "html"]] {
        let limited = [command, &["--max-memory", "11MB"]].concat();
        exceeds(&root, &limited, &parts);
    }
    assert_eq!(run(&root, &["eval", "--quiet", "--max-memory", "12MB"], "").0, Some(0));
    let resources: String = (0..7_000).map(|i| format!("resource \"a_b\" \"c{i}\" {{}}\n")).collect();
    exceeds(&directory("main.tf", &resources), &["eval", "--max-memory", "24MB"], &["The 7000 declarations"]);
}

/// The values of a validation and the arguments of functions are freed. Their texts count until the expression ends.
#[test]
fn memory_of_values_that_no_longer_exist_is_released() {
    let blocks: String = (0..40)
        .map(|i| {
            let content = "x = \"abcdefghijklmnopqrstuvwxyz-${b.value}\"";
            format!("resource \"a_b\" \"r{i}\" {{\n  dynamic \"b\" {{\n    for_each = range(500)\n    content {{\n      {content}\n    }}\n  }}\n}}\n")
        })
        .collect();
    let blocks = directory("main.tf", &blocks);
    assert_eq!(run(&blocks, &["eval", "--quiet", "--max-memory", "16MB"], "").0, Some(0));
    let calls = "locals {\n  a = [for i in range(1000) : length(concat([for j in range(500) : \"${i}-${j}-abcdefghijklmnopqrstuvwxyz\"], [i]))]\n}\n";
    let calls = directory("main.tf", calls);
    assert_eq!(run(&calls, &["eval", "--quiet", "--max-memory", "48MB"], "").0, Some(0));
}

#[test]
fn a_long_key_is_printed() {
    let text = format!("output \"o\" {{ value = {{ b = 1, {} = 2 }} }}\n", "a".repeat(70_000));
    let (code, output) = run(&directory("main.tf", &text), &["eval", "--quiet"], "");
    assert_eq!(code, Some(0), "{}", output.get(..500).unwrap_or(&output));
    assert!(output.contains(" = 1") && output.len() < 80_000);
}

/// A block with a thousand elements about a resource in a thousand module instances is evaluated once.
#[test]
fn import_blocks_are_evaluated_once_and_within_the_limits() {
    let text = "module \"m\" {\n  source   = \"./m\"\n  for_each = toset([for i in range(1000) : tostring(i)])\n}\n\
                import {\n  for_each = toset([for i in range(1000) : tostring(i)])\n  \
                to = module.m[each.value].terraform_data.x\n  id = each.value\n}\n";
    let root = directory("main.tf", text);
    fs::create_dir(root.path().join("m")).expect("a directory");
    fs::write(root.path().join("m/main.tf"), "resource \"terraform_data\" \"x\" {}\n").expect("a file");
    let (code, plan) = run(&root, &["plan"], "");
    assert_eq!(code, Some(0), "{plan}");
    assert!(plan.contains("Plan: 1000 to import, 0 to add, 0 to change, 0 to destroy."), "{plan}");
    // The steps end at various places after the instances, one of them the import.
    for steps in (1450..2350).step_by(20) {
        let steps = format!("{steps}000");
        let (code, output) = run(&root, &["eval", "--max-steps", &steps], "");
        assert_eq!(code == Some(1), output.contains("Limit exceeded"), "{steps}: {output}");
        assert!(!output.contains("instances of"), "{steps}: {output}");
        if code == Some(0) {
            return;
        }
    }
}

/// The reader of keys compares every `BEGIN` line with the rest of the text.
#[test]
fn broken_keys_count_as_work() {
    let text = "locals {\n  part = join(\"\", [for i in range(1000) : \"-----BEGIN A-----\\n\"])\n}\n\
                data \"tls_public_key\" \"k\" {\n  \
                private_key_pem = \"${join(\"\", [for i in range(100) : local.part])}-----END B-----\\n\"\n}\n\
                output \"id\" { value = data.tls_public_key.k.id }\n";
    exceeds(&directory("main.tf", text), &["eval", "."], &["Limit exceeded"]);
}

#[test]
fn the_file_of_a_state_has_a_limit() {
    let state = format!("{{\"version\": 4, \"lineage\": \"{}\"}}", "x".repeat(1 << 20));
    let root = directory("s.tfstate", &state);
    fs::write(root.path().join("main.tf"), "output \"o\" { value = 1 }\n").expect("a file");
    for command in ["eval", "plan"] {
        let arguments = [command, "--state", "s.tfstate"];
        let (code, text) = run(&root, &[&arguments[..], &["--max-memory", "4MiB"]].concat(), "");
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("1048576") || text.contains("1 MiB"), "{text}");
        let (code, text) = run(&root, &arguments, "");
        assert_eq!(code, Some(0), "{text}");
    }
}

#[test]
fn the_objects_of_a_state_have_a_limit() {
    let instances = |count: usize| {
        let all: Vec<String> =
            (0..count).map(|index| format!("{{\"index_key\": {index}, \"attributes\": {{}}}}")).collect();
        format!(
            r#"{{"version": 4, "resources": [{{"mode": "managed", "type": "a_b", "name": "c", "provider":
            "provider[\"registry.terraform.io/hashicorp/a\"]", "instances": [{}]}}]}}"#,
            all.join(",")
        )
    };
    let root = directory("s.tfstate", &instances(5000));
    fs::write(root.path().join("main.tf"), "output \"o\" { value = 1 }\n").expect("a file");
    let arguments = ["eval", "--state", "s.tfstate", "--max-memory"];
    let (code, text) = run(&root, &[&arguments[..], &["8MB"]].concat(), "");
    let message = "it has 5000 objects; the limit is 1562, and --max-memory raises it";
    assert!(code == Some(2) && text.contains(message), "{text}");
    let (code, text) = run(&root, &[&arguments[..], &["48MB"]].concat(), "");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn further_instances_count_as_steps() {
    let text = |count| format!("resource \"a_b\" \"c\" {{\n  count = {count}\n  x = count.index\n}}\n");
    for arguments in [["eval", "--max-steps", "2000000"], ["plan", "--max-steps", "2000000"]] {
        exceeds(
            &directory("main.tf", &text(20_000)),
            &arguments,
            &[
                "main.tf:1:",
                "The 20000 instances of this block",
                "more than 2000000 steps",
                "`--max-steps` raises",
            ],
        );
        let (code, text) = run(&directory("main.tf", &text(1000)), &arguments, "");
        assert_eq!(code, Some(0), "{text}");
    }
}

#[test]
fn computed_attributes_count_as_steps() {
    let text = |count| {
        format!(
            "resource \"time_static\" \"x\" {{\n  count = {count}\n  rfc3339 = \"2020-01-01T00:00:00Z\"\n}}\n"
        )
    };
    // Each instance has eight computed attributes.
    for arguments in [["eval", "--max-steps", "2000000"], ["plan", "--max-steps", "2000000"]] {
        exceeds(&directory("main.tf", &text(4000)), &arguments, &["more than 2000000 steps"]);
        let (code, text) = run(&directory("main.tf", &text(1000)), &arguments, "");
        assert_eq!(code, Some(0), "{text}");
    }
}

/// No expression makes these attributes, and a validation drops the values.
#[test]
fn attributes_of_a_schema_count_as_steps() {
    let attributes: Vec<String> =
        (0..500).map(|index| format!(r#""a{index}": {{"type": "string", "computed": true}}"#)).collect();
    let block = format!(r#"{{"block": {{"attributes": {{{}}}}}}}"#, attributes.join(","));
    let schemas = format!(
        r#"{{"format_version": "1.0", "provider_schemas": {{"registry.terraform.io/hashicorp/x": {{"resource_schemas": {{"x_y": {block}}}}}}}}}"#
    );
    let resources: String = (0..100).map(|index| format!("resource \"x_y\" \"a{index}\" {{}}\n")).collect();
    let root = directory("main.tf", &resources);
    fs::write(root.path().join("s.json"), schemas).expect("a file");
    let arguments = ["check", "--schemas", "s.json", "--max-steps"];
    exceeds(&root, &[&arguments[..], &["1000000"]].concat(), &["more than 1000000 steps"]);
    let (code, text) = run(&root, &[&arguments[..], &["5000000"]].concat(), "");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn misspelt_names_of_a_command_share_a_limit_on_comparisons() {
    let resources: String = (0..2000).map(|index| format!("resource \"x_y\" \"a{index}\" {{}}\n")).collect();
    let variables: String = (0..2000).map(|index| format!("variable \"name_{index}\" {{}}\n")).collect();
    let addresses: Vec<String> = (0..400).map(|index| format!("x_y.b{index}")).collect();
    let given: Vec<String> = (0..400).map(|index| format!("--set=x_y.b{index}.c=1")).collect();
    let assigned: Vec<String> = (0..400).map(|index| format!("-var=nome_{index}=1")).collect();
    for (module, arguments) in [(&resources, addresses), (&resources, given), (&variables, assigned)] {
        let arguments: Vec<&str> =
            ["eval", "."].into_iter().chain(arguments.iter().map(String::as_str)).collect();
        let (_, text) = run(&directory("main.tf", module), &arguments, "");
        let suggestions = text.matches("Did you mean").count();
        assert!((50..=250).contains(&suggestions), "{suggestions} suggestions for {}", arguments[2]);
    }
}

/// A budget for each module would suggest a name for each of the thousand errors that are listed.
#[test]
fn misspelt_names_of_all_modules_share_a_limit_on_comparisons() {
    let variables: String =
        (0..700).map(|index| format!("variable \"name{index:03}\" {{\n  default = 1\n}}\n")).collect();
    let locals: String = (0..700).map(|index| format!("  l{index} = var.nxme{index:03}\n")).collect();
    let calls: String =
        (0..3).map(|index| format!("module \"m{index}\" {{\n  source = \"./m{index}\"\n}}\n")).collect();
    let root = directory("main.tf", &calls);
    for index in 0..3 {
        let module = root.path().join(format!("m{index}"));
        fs::create_dir(&module).expect("a directory");
        fs::write(module.join("main.tf"), format!("{variables}locals {{\n{locals}}}\n")).expect("a file");
    }
    let (_, text) = run(&root, &["check"], "");
    let suggestions = text.matches("Did you mean").count();
    assert!((600..=750).contains(&suggestions), "{suggestions} suggestions");
}

#[test]
fn searches_for_wrong_names_count_as_steps() {
    let resources: String = (0..2000).map(|index| format!("resource \"x_y\" \"a{index}\" {{}}\n")).collect();
    let root = directory("main.tf", &resources);
    let addresses: Vec<String> = (0..200).map(|index| format!("x_y.b{index}")).collect();
    let evaluate = |addresses: &[String]| {
        let addresses = addresses.iter().map(String::as_str);
        let arguments = ["eval", "--max-steps", "2000000", "."].into_iter().chain(addresses);
        run(&root, &arguments.chain(["length(\"a\")"]).collect::<Vec<_>>(), "").1
    };
    assert!(!evaluate(&addresses[..1]).contains("more than 2000000 steps"));
    assert!(evaluate(&addresses).contains("more than 2000000 steps"));
}

#[test]
fn patterns_of_builds_count_as_steps() {
    let sources: String = (0..100).map(|index| format!("source \"null\" \"x{index}\" {{}}\n")).collect();
    let names: String = (0..100).map(|index| format!("\"source.null.x{index}\", ")).collect();
    let template = directory("a.pkr.hcl", &format!("{sources}build {{\n  sources = [{names}]\n}}\n"));
    let patterns: Vec<String> = (0..200).map(|index| format!("--only=*a{index}*b*")).collect();
    let arguments = ["eval", "--max-steps", "100000"].into_iter();
    let (_, text) = run(&template, &arguments.clone().collect::<Vec<_>>(), "");
    assert!(!text.contains("more than 100000 steps"), "{text}");
    let arguments: Vec<&str> = arguments.chain(patterns.iter().map(String::as_str)).collect();
    exceeds(&template, &arguments, &["more than 100000 steps"]);
}

/// A thousand bytes of state can ask for many iterations, so the iterations of all files are limited together.
#[test]
fn the_keys_of_all_states_share_a_limit() {
    // The key takes 1,000 iterations, which are 32,000 steps.
    let encrypted = include_str!("../../config/tests/encrypted/sha512.json");
    let root = directory("s.tfstate", encrypted);
    let module = r#"
terraform {
  encryption {
    key_provider "pbkdf2" "main" { passphrase = "correct horse battery staple" }
    method "aes_gcm" "main" { keys = key_provider.pbkdf2.main }
    state { method = method.aes_gcm.main }
    remote_state_data_sources {
      default { method = method.aes_gcm.main }
    }
  }
}
data "terraform_remote_state" "net" {
  backend = "s3"
  config  = { bucket = "b", key = "k", region = "r" }
}
"#;
    fs::write(root.path().join("main.tf"), module).expect("a file");
    fs::write(root.path().join("net.tfstate"), encrypted).expect("a file");
    let state = ["--state", "s.tfstate"];
    let remote = ["--remote-state", "data.terraform_remote_state.net=net.tfstate"];
    let limited = ["eval", "--max-steps", "50000"];
    for one in [state, remote] {
        let (code, text) = run(&root, &[&limited[..], &one].concat(), "");
        assert_eq!(code, Some(0), "{text}");
    }
    let (code, text) = run(&root, &[&limited[..], &state, &remote].concat(), "");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("makes 1000 iterations, but the limit on steps leaves 562"), "{text}");
    assert!(text.contains("`--max-steps` raises it"), "{text}");
    let (code, text) = run(&root, &[&["eval", "--max-steps", "100000"][..], &state, &remote].concat(), "");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn optional_attributes_count() {
    let attributes: String = (0..300).map(|i| format!("a{i} = optional(string, \"x\")\n")).collect();
    let text = format!("variable \"a\" {{\n  type = list(object({{\n{attributes}}}))\n}}\n");
    let module = directory("main.tf", &text);
    fs::write(module.path().join("x.tfvars"), format!("a = [{}]\n", "{},".repeat(20_000))).expect("a file");
    let memory = ["would have more than 2796202 elements", "`--max-memory` raises"];
    exceeds(&module, &["eval", "-var-file", "x.tfvars"], &memory);
}

/// Places of values that an instance does not have are not searched for.
#[test]
fn many_values_of_mocks_for_many_instances_are_printed() {
    let many = directory("main.tf", "resource \"a_b\" \"r\" {\n  count = 30000\n}\n");
    let value = |index: usize| {
        format!("  mock_resource \"a_b\" {{\n    defaults = {{ x{index} = [{index}] }}\n  }}\n")
    };
    let values: String = (0..2000).map(value).collect();
    fs::write(many.path().join("m.tftest.hcl"), format!("mock_provider \"a\" {{\n{values}}}\n"))
        .expect("a file");
    let arguments = ["plan", "--json", "--mocks", "m.tftest.hcl", "--max-steps", "1000000"];
    exceeds(&many, &arguments, &["`--max-steps` raises"]);
}

/// No expression follows that would notice it.
#[test]
fn a_limit_that_only_the_last_object_exceeds_is_an_error() {
    let data = |index: usize| {
        format!(
            "data \"terraform_remote_state\" \"r{index}\" {{\n  backend = \"local\"\n  config = {{ path = \"s{index}\" }}\n}}\n"
        )
    };
    let states = directory("main.tf", &(0..3).map(data).collect::<String>());
    for (index, length) in [10, 10, 200_000].into_iter().enumerate() {
        let outputs = format!("{{\"o\":{{\"value\":\"{}\",\"type\":\"string\"}}}}", "x".repeat(length));
        let state = format!("{{\"version\":4,\"serial\":1,\"lineage\":\"x\",\"outputs\":{outputs}}}");
        fs::write(states.path().join(format!("s{index}")), state).expect("a file");
    }
    let (code, text) = run(&states, &["eval", ".", "--max-steps", "200000"], "");
    assert_eq!(code, Some(0), "{}", text.len());
    for command in ["eval", "plan"] {
        let steps = ["main.tf:9:1", "more than 50000 steps", "`--max-steps` raises"];
        exceeds(&states, &[command, ".", "--max-steps", "50000"], &steps);
        let bytes = ["core:limit-exceeded", "more than the limit of 25000 bytes", "`--max-memory` raises"];
        exceeds(&states, &[command, ".", "--max-memory", "100000"], &bytes);
    }
    let steps = ["more than 3000 steps", "`--max-steps` raises"];
    // The calls count when all expressions have begun.
    let calls = format!("{}\"{}\"{}", "strrev(".repeat(8), "x".repeat(500), ")".repeat(8));
    let output = directory("main.tf", &format!("output \"o\" {{\n  value = {calls}\n}}\n"));
    exceeds(&output, &["eval", ".", "--max-steps", "3000"], &steps);
    let (_, text) = run(&output, &["console", "--max-steps", "3000"], &format!("{calls}\n"));
    assert!(steps.iter().all(|part| text.contains(part)), "{text}");
}

/// Each instance reads the file.
#[test]
fn the_outputs_of_remote_states_count() {
    let text = "variable \"n\" {\n  default = 6\n}\ndata \"terraform_remote_state\" \"r\" {\n  count = var.n\n  backend = \"local\"\n  config = { path = \"s\" }\n}\n";
    let many = directory("main.tf", text);
    let output = |index: usize| format!("\"o{index}\":{{\"value\":\"v\",\"type\":\"string\"}}");
    let outputs: Vec<String> = (0..20_000).map(output).collect();
    let state = format!(
        "{{\"version\":4,\"serial\":1,\"lineage\":\"x\",\"outputs\":{{{}}},\"resources\":[]}}",
        outputs.join(",")
    );
    fs::write(many.path().join("s"), state).expect("a file");
    exceeds(&many, &["eval", ".", "--max-steps", "7000000"], &["main.tf:", "`--max-steps` raises"]);
    exceeds(
        &many,
        &["eval", ".", "-var", "n=40", "--max-memory", "8MB"],
        &["main.tf:", "`--max-memory` raises"],
    );
}

/// Decoding a long text takes more work than reading it.
#[test]
fn the_bytes_of_remote_states_count() {
    let text = "data \"terraform_remote_state\" \"r\" {\n  count = 4\n  backend = \"local\"\n  config = { path = \"s\" }\n}\n";
    let many = directory("main.tf", text);
    let value = "x".repeat(4_000_000);
    let outputs = format!("{{\"o\":{{\"value\":\"{value}\",\"type\":\"string\"}}}}");
    let state = format!("{{\"version\":4,\"serial\":1,\"lineage\":\"x\",\"outputs\":{outputs}}}");
    fs::write(many.path().join("s"), state).expect("a file");
    exceeds(&many, &["eval", ".", "--max-steps", "5000000"], &["main.tf:", "`--max-steps` raises"]);
    let (code, text) = run(&many, &["eval", ".", "--max-steps", "10000000"], "");
    assert_eq!(code, Some(0), "{}", text.len());
}

#[test]
fn the_root_modules_of_remote_states_share_a_limit() {
    let data =
        |index: usize| format!("data \"terraform_remote_state\" \"r{index}\" {{\n  backend = \"s3\"\n}}\n");
    let root = directory("main.tf", &(0..6).map(data).collect::<String>());
    let names: Vec<String> =
        (0..6).map(|index| format!("data.terraform_remote_state.r{index}=r{index}")).collect();
    for index in 0..6 {
        let output = "output \"o\" {\n  value = [for i in range(1000) : [for j in range(50) : i * j]]\n}\n";
        let child = root.path().join(format!("r{index}"));
        fs::create_dir(&child).expect("a directory");
        fs::write(child.join("main.tf"), output).expect("a file");
    }
    let mut arguments = vec!["eval", ".", "--max-steps", "1000000"];
    arguments.extend(names.iter().flat_map(|name| ["--remote-state", name]));
    let (code, text) = run(&root, &arguments, "");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("`r5`") && text.contains("has 1 error") && !text.contains("`r0`"), "{text}");
    assert!(text.contains("core:limit-exceeded") && text.contains("`--max-steps` raises"), "{text}");
}

/// Texts longer than a megabyte are written in pieces.
#[test]
fn a_long_listing_has_each_block_once() {
    let text =
        "output \"o\" {\n  value = 1\n}\nresource \"a_b\" \"c\" {\n  count = 20000\n  x = \"::text\"\n}\n";
    let (code, text) = run(&directory("main.tf", text), &["eval", "--quiet"], "");
    let is_header = |line: &&str| line.starts_with("# a_b.c[");
    let headers: Vec<&str> = text.lines().filter(is_header).collect();
    let expected: Vec<String> = (0..20_000).map(|index| format!("# a_b.c[{index}]")).collect();
    assert!(code == Some(0) && text.len() > 1 << 20 && headers == expected, "{}", headers.len());
    let blank = text.lines().filter(|line| line.is_empty()).count();
    assert!(blank == 20_000 && text.starts_with("outputs {\n") && text.ends_with("}\n"), "{blank}");
}

/// Each environment of a matrix and each side of a comparison is a run of its own, so the steps of all may exceed the limit of one.
#[test]
fn each_environment_and_each_side_has_the_limit_of_steps() {
    let directory = directory(
        "main.tf",
        "variable \"n\" {}\noutput \"o\" {\n  value = [for a in range(1000) : a + var.n]\n}\n",
    );
    let file = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("a file");
    for n in 1..=5 {
        file(&format!("{n}.tfvars"), &format!("n = {n}\n"));
    }
    let run =
        |steps: &str, arguments: &[&str]| run(&directory, &[arguments, &["--max-steps", steps]].concat(), "");
    let eval = ["eval", "-var-file=1.tfvars"];
    let matrix = ["eval", "--matrix", "*.tfvars"];
    let diff = ["diff", "1.tfvars", "2.tfvars"];
    // Enough for one run, and far from enough for two.
    let is_enough = |steps: &u32| run(&steps.to_string(), &eval).0 == Some(0);
    let steps = (10..20).map(|power| 1_u32 << power).find(is_enough).expect("some limit is enough");
    let (code, text) = run(&steps.to_string(), &matrix);
    assert_eq!(code, Some(0), "{steps}: {text}");
    let (code, text) = run(&steps.to_string(), &diff);
    assert!(!text.contains("core:limit-exceeded"), "{code:?} {steps}: {text}");
    for arguments in [&eval[..], &matrix, &diff] {
        let (_, text) = run(&(steps / 4).to_string(), arguments);
        assert!(text.contains("core:limit-exceeded"), "{arguments:?} {text}");
    }
}

/// The expressions among the addresses of a command count together with the configuration.
#[test]
fn the_addresses_of_a_command_count_together() {
    let root = directory("main.tf", "locals { a = 1 }\n");
    let address = "sum([for n in range(900) : n + local.a])";
    let limited = ["eval", ".", "--max-steps", "60000"];
    let (code, output) = run(&root, &[&limited[..], &[address]].concat(), "");
    assert_eq!(code, Some(0), "{output}");
    exceeds(&root, &[&limited[..], &[address; 5]].concat(), &["more than 60000 steps"]);
}

/// A state with `count` objects, each with the attribute `l`.
fn state_with(count: usize, l: &str) -> String {
    let object = |i: usize| {
        format!(
            "{{\"mode\": \"managed\", \"type\": \"a_b\", \"name\": \"c{i}\", \
             \"provider\": \"provider[\\\"registry.terraform.io/hashicorp/a\\\"]\", \
             \"instances\": [{{\"schema_version\": 0, \"attributes\": {{\"id\": \"{i}\", \"l\": {l}}}}}]}}"
        )
    };
    let objects: Vec<String> = (0..count).map(object).collect();
    format!("{{\"version\": 4, \"resources\": [{}]}}", objects.join(","))
}

/// Each of these plans would take minutes if a text was read again for each comparison.
#[test]
fn a_text_is_read_once_for_all_comparisons_with_the_state() {
    let plan = |values: &str, l: &str, count: usize, recorded: &str| {
        let resources: String =
            (0..count).map(|i| format!("resource \"a_b\" \"c{i}\" {{\n  l = {l}\n}}\n")).collect();
        let directory = directory("main.tf", &format!("locals {{\n  {values}\n}}\n{resources}"));
        fs::write(directory.path().join("s.tfstate"), state_with(count, recorded)).expect("a file");
        run(&directory, &["plan", "--state", "s.tfstate"], "")
    };
    let long = "j = jsonencode([for i in range(1000) : [for j in range(20) : {a = \"x${i}-${j}\"}]])";
    for recorded in ["{}", &"0".repeat(40)] {
        let (_, text) = plan(long, "local.j", 2000, &format!("{recorded:?}"));
        assert!(
            text.contains("Plan: 0 to add, 2000 to change") || text.contains("too large to be printed"),
            "{text}"
        );
    }
    let documents = "j = [for i in range(200) : jsonencode([for j in range(50) : {a = \"x${i}-${j}\"}])]";
    let document = |i: usize| {
        let all: Vec<String> = (0..50).map(|j| format!("{{ \"a\" : \"x{i}-{j}\"}}")).collect();
        format!("{:?}", format!("[{}]", all.join(", ")))
    };
    let reversed: Vec<String> = (0..200).rev().map(document).collect();
    let (_, text) = plan(documents, "local.j", 20, &format!("[{}]", reversed.join(",")));
    assert!(text.contains("No changes."), "{}", &text[..text.len().min(2000)]);
}

/// The list of a million values would take gigabytes.
#[test]
fn a_long_json_text_of_a_state_takes_little_memory() {
    let directory = directory("main.tf", "resource \"a_b\" \"c0\" {\n  l = \"[1]\"\n}\n");
    let text = format!("\"[{}0]\"", "0,".repeat(5_000_000));
    fs::write(directory.path().join("s.tfstate"), state_with(1, &text)).expect("a file");
    let (code, text) = run(&directory, &["diff", "--state", "s.tfstate", "."], "");
    assert!(code == Some(0) && text.contains("~ a_b.c0"), "{text}");
}

#[test]
fn the_differences_of_environments_have_a_limit() {
    let text = "variable \"n\" {}\nlocals {\n  l = join(\"\", [for i in range(1000) : \"${var.n}-0123456789\"])\n}\n";
    let outputs: String = (0..4000).map(|i| format!("output \"o{i}\" {{ value = local.l }}\n")).collect();
    let directory = directory("main.tf", &format!("{text}{outputs}"));
    for name in ["1", "2", "3"] {
        fs::write(directory.path().join(format!("{name}.tfvars")), format!("n = {name}\n")).expect("a file");
    }
    for arguments in [&["eval", "--matrix", "*.tfvars"][..], &["eval", "--matrix", "*.tfvars", "--json"]] {
        exceeds(&directory, arguments, &["Limit exceeded", "too large to be printed"]);
    }
}

/// The environments are in memory together, also if each has few values of its own.
#[test]
fn environments_without_memory_are_not_evaluated() {
    let outputs: String = (0..2000).map(|i| format!("output \"o{i}\" {{ value = var.n }}\n")).collect();
    let directory = directory("main.tf", &format!("variable \"n\" {{}}\n{outputs}"));
    for name in 0..20 {
        let path = directory.path().join(format!("{name}.tfvars"));
        fs::write(path, format!("n = {name}\n")).expect("a file");
    }
    let matrix = ["eval", "--matrix", "*.tfvars", "--max-memory", "9MB"];
    exceeds(
        &directory,
        &matrix,
        &["environments take more than 9000000 bytes", "not evaluated", "--max-memory"],
    );
    let (code, text) = run(&directory, &matrix[..3], "");
    assert!(code == Some(0) && text.contains("evaluated 20 environments: 2001 values differ"), "{text}");
}
