//! Limits on work that a small input causes: defaults inside of defaults, conversions, patterns, documents that are merged.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;
#[path = "support/with_input.rs"]
mod with_input;

use tempfile::TempDir;

use self::directory::directory;
use self::with_input::run;

#[track_caller]
fn exceeds(files: &[(&str, &str)], arguments: &[&str], parts: &[&str]) {
    let (code, text) = run(&directory(files), arguments, "");
    assert_ne!(code, Some(0), "{text}");
    for part in parts {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

/// Returns a type of nested maps, in which the default of each level has two keys.
fn nested(levels: usize) -> String {
    (0..levels).fold("string".to_owned(), |ty, level| {
        let default = if level == 0 { "\"x\"" } else { "{x={},y={}}" };
        format!("map(object({{a=optional({ty},{default})}}))")
    })
}

#[test]
fn defaults_inside_of_defaults_count() {
    let ty = nested(24);
    let with_default = format!("variable \"x\" {{\n  type    = {ty}\n  default = {{ x = {{}} }}\n}}\n");
    let parts = ["core:limit-exceeded", "main.tf:3:13", "to the defaults of all variables", "`--max-memory`"];
    exceeds(&[("main.tf", &with_default)], &["eval"], &parts);
    exceeds(&[("main.tf", &with_default)], &["check"], &parts);
    let declared = format!("variable \"x\" {{\n  type = {ty}\n}}\n");
    let parts = ["core:limit-exceeded", "elements with its optional attributes"];
    let overriding = "variable \"x\" {\n  default = { x = {} }\n}\n";
    let overridden = [("main.tf", &*declared), ("a_override.tf", overriding)];
    exceeds(&overridden, &["check"], &["core:limit-exceeded", "to the defaults of all variables"]);
    let given = [("main.tf", &*declared), ("terraform.tfvars", "x = { x = {} }\n")];
    exceeds(&given, &["eval"], &parts);
    let call = "module \"m\" {\n  source = \"./m\"\n  x      = { x = {} }\n}\n";
    exceeds(&[("main.tf", call), ("m/main.tf", &declared)], &["eval"], &parts);
    let constraint = ty.replace('"', "\\\"");
    let request = format!("{{\"expr\":\"{{x={{}}}}\",\"type\":\"{constraint}\"}}\n");
    let (_, text) = run(&directory(&[]), &["console", "--json"], &request);
    assert!(text.contains("core:limit-exceeded") && text.contains(parts[1]), "{text}");
}

/// The defaults of several variables count together.
#[test]
fn defaults_of_all_variables_count_together() {
    let variable = |i: usize| {
        let ty = nested(8);
        format!("variable \"v{i}\" {{\n  type    = {ty}\n  default = {{ x = {{}} }}\n}}\n")
    };
    let variables: String = (0..20).map(variable).collect();
    let (code, text) = run(&directory(&[("main.tf", &variables)]), &["check"], "");
    assert_eq!(code, Some(0), "{text}");
    exceeds(&[("main.tf", &variables)], &["check", "--max-memory", "1MB"], &["core:limit-exceeded"]);
}

#[test]
fn conversions_in_modules_count() {
    let main = "locals { l = [for i in range(1000) : i] }\n\
                module \"m\" {\n  source = \"./m\"\n  count  = 20\n  l      = local.l\n}\n";
    let typed = "variable \"l\" { type = list(string) }\n";
    let files = [("main.tf", main), ("m/main.tf", typed)];
    let steps = ["core:limit-exceeded", "cannot be converted to its type within", "`--max-steps`"];
    exceeds(&files, &["eval", "--max-steps", "300000"], &steps);
    exceeds(&files, &["eval", "--max-memory", "400kB"], &["core:limit-exceeded", "`--max-memory`"]);
    let untyped = [("main.tf", main), ("m/main.tf", "variable \"l\" {}\n")];
    let (code, text) = run(&directory(&untyped), &["eval", "--max-steps", "300000"], "");
    assert_eq!(code, Some(0), "{text}");
    let output = "output \"o\" {\n  type  = list(string)\n  value = range(1000)\n}\n";
    let parts = ["core:limit-exceeded", "The value of the output \"o\""];
    exceeds(&[("main.tf", output)], &["eval", "--max-steps", "15000"], &parts);
}

#[test]
fn the_file_of_the_selected_workspace_has_a_limit() {
    let module = ("main.tf", "output \"w\" { value = terraform.workspace }\n");
    let name = ".terraform/environment";
    exceeds(
        &[module, (name, &"x".repeat(5000))],
        &["eval"],
        &["core:file-too-large", "more than 4096 bytes"],
    );
    let (code, text) = run(&directory(&[module, (name, "prod\n")]), &["eval"], "");
    assert!(code == Some(0) && text.contains("prod"), "{text}");
    let selected = [module, (name, &*"x".repeat(5000))];
    let (code, text) = run(&directory(&selected), &["eval", "--workspace", "dev"], "");
    assert!(code == Some(0) && text.contains("dev"), "{text}");
}

#[test]
fn references_of_a_decoded_file_have_a_limit() {
    let spec = ("s.hcldec", "attr {\n  name = \"a\"\n  type = any\n}\n");
    let arguments = ["decode", "--spec=s.hcldec", "--var-refs", "a.hcl"];
    let many = format!("a = [{}]\n", "v.a,".repeat(200_000));
    exceeds(&[spec, ("a.hcl", &many)], &arguments, &["too large to be printed"]);
    let (code, text) = run(&directory(&[spec, ("a.hcl", "a = [v.a]\n")]), &arguments, "");
    assert!(code == Some(0) && text.contains("\"root_name\": \"v\""), "{text}");
}

/// Patterns beyond the limit are skipped, so the directory that they name is checked.
#[test]
fn patterns_of_ignored_directories_have_a_common_limit() {
    let patterns: String = (0..70_000).map(|i| format!("/q{i}*b\n")).collect();
    let ignored = |patterns: &str| {
        let last = format!("{patterns}/left_out\n");
        let files =
            [(".git/config", ""), (".gitignore", &*last), ("left_out/main.tf", "a = = 1\n"), ("b.tf", "")];
        run(&directory(&files), &["check", "-recursive"], "").0
    };
    assert_eq!(ignored(""), Some(0));
    assert_eq!(ignored(&patterns), Some(1));
}

#[test]
fn merged_policy_documents_count() {
    let mut text =
        "data \"aws_iam_policy_document\" \"a0\" {\n  statement {\n    actions   = [\"s3:*\"]\n    \
                    resources = [\"*\"]\n  }\n}\n"
            .to_owned();
    for level in 1..19 {
        let below = format!("data.aws_iam_policy_document.a{}.json", level - 1);
        text += &format!(
            "data \"aws_iam_policy_document\" \"a{level}\" {{\n  source_policy_documents = [{below}, {below}]\n}}\n"
        );
    }
    text += "output \"few\" { value = length(data.aws_iam_policy_document.a2.json) }\n\
             output \"many\" { value = length(data.aws_iam_policy_document.a18.json) }\n";
    let arguments = ["eval", "--max-steps", "1000000"];
    let (_, text) = run(&directory(&[("main.tf", &text)]), &arguments, "");
    let reason = "it would take more work than the limit that `--max-steps` raises";
    assert!(text.contains("few  = ") && text.contains(reason), "{text}");
}

/// The modules of a configuration with few files may have very many declarations.
#[test]
fn declarations_count_as_often_as_their_module_is_called() {
    let calls: String =
        (0..100).map(|i| format!("module \"m{i}\" {{\n  source = \"./m\"\n  count  = 0\n}}\n")).collect();
    let module: String = (0..100).map(|i| format!("variable \"v{i}\" {{ default = 1 }}\n")).collect();
    let files = [("main.tf", &*calls), ("m/main.tf", &*module)];
    let parts = ["core:limit-exceeded", "The declarations of all called modules", "`--max-memory`"];
    for arguments in [&["eval"][..], &["check"], &["graph"], &["plan", "--json"], &["explain", "module.m0"]] {
        exceeds(&files, &[arguments, &["--max-memory", "6MB"]].concat(), &parts);
    }
    let (code, text) = run(&directory(&files), &["graph", "--max-memory", "12MB"], "");
    assert_eq!(code, Some(0), "{text}");
}

/// Objects may share a large value, which then takes little memory.
#[test]
fn the_parts_of_all_objects_of_a_plan_have_a_limit() {
    let list = "locals {\n  l = flatten([for i in range(100) : range(1000)])\n}\n";
    let main = format!("{list}resource \"terraform_data\" \"a\" {{\n  count = 100\n  input = local.l\n}}\n");
    let parts =
        ["core:limit-exceeded", "There is no plan: all objects together have more than", "`--max-memory`"];
    exceeds(&[("main.tf", &main)], &["plan"], &parts);
    exceeds(&[("main.tf", &main)], &["plan", "--json"], &parts);
}

/// Arguments of a Packer template may convert the same large value again and again.
#[test]
fn conversions_of_packer_templates_count() {
    let provisioner = "  provisioner \"shell\" {\n    inline = local.l\n    only   = local.l\n  }\n";
    let template = format!(
        "locals {{\n  l = [for i in range(1000) : i]\n}}\nsource \"null\" \"s\" {{\n  communicator = \"none\"\n}}\n\
         build {{\n  sources = [\"null.s\"]\n{}}}\n",
        provisioner.repeat(100)
    );
    let files = [("a.pkr.hcl", &*template)];
    let parts = ["core:limit-exceeded", "cannot be converted to its type within", "`--max-steps`"];
    exceeds(&files, &["eval", "a.pkr.hcl", "--max-steps", "300000"], &parts);
    exceeds(
        &files,
        &["eval", "a.pkr.hcl", "--max-memory", "1MB"],
        &["core:limit-exceeded", "`--max-memory`"],
    );
}

/// A state has the dependencies of dependencies, too, so a chain of objects has the square of its length.
#[test]
fn dependencies_of_the_objects_of_a_state_count() {
    let block = |i: usize| format!("resource \"a_b\" \"c{}\" {{\n  l = a_b.c{i}.id\n}}\n", i + 1);
    let module = format!("resource \"a_b\" \"c0\" {{\n}}\n{}", (0..300).map(block).collect::<String>());
    let object = |i: usize| {
        format!(
            "{{\"mode\":\"managed\",\"type\":\"a_b\",\"name\":\"c{i}\",\"provider\":\"provider[\\\"registry.terraform.io/hashicorp/a\\\"]\",\
             \"instances\":[{{\"attributes\":{{\"id\":\"x\",\"l\":\"y\"}}}}]}}"
        )
    };
    let objects: Vec<String> = (0..=301).map(object).collect();
    let state = format!("{{\"version\":4,\"outputs\":{{}},\"resources\":[{}]}}", objects.join(","));
    let files = [("main.tf", module.as_str()), ("s.tfstate", state.as_str())];
    let parts = ["core:limit-exceeded", "visits more than 200000 objects", "`--max-steps` raises"];
    for arguments in [&["plan", "--json"][..], &["plan", "--destroy"]] {
        let arguments = [arguments, &["--state", "s.tfstate", "--max-steps", "800000"]].concat();
        exceeds(&files, &arguments, &parts);
    }
}

/// Each move of a module moves all its objects.
#[test]
fn moves_of_the_objects_of_a_state_count() {
    let moved = |i: usize| format!("moved {{\n  from = module.m{i}\n  to = module.m{}\n}}\n", i + 1);
    let object = |i: usize| {
        format!(
            "{{\"module\":\"module.m0\",\"mode\":\"managed\",\"type\":\"a_b\",\"name\":\"c{i}\",\
             \"provider\":\"provider[\\\"registry.terraform.io/hashicorp/a\\\"]\",\"instances\":[{{\"attributes\":{{\"id\":\"x\"}}}}]}}"
        )
    };
    let objects: Vec<String> = (0..200).map(object).collect();
    let state = format!("{{\"version\":4,\"outputs\":{{}},\"resources\":[{}]}}", objects.join(","));
    let moves: String = (0..300).map(moved).collect();
    let files = [("main.tf", moves.as_str()), ("s.tfstate", state.as_str())];
    for command in ["plan", "eval", "diff"] {
        let arguments = [command, ".", "--state", "s.tfstate", "--max-steps", "1000000"];
        exceeds(
            &files,
            &arguments,
            &["core:limit-exceeded", "more than 1000000 steps", "`--max-steps` raises"],
        );
    }
    let arguments = ["plan", ".", "--state", "s.tfstate", "--max-steps", "4000000"];
    let (code, text) = run(&directory(&files), &arguments, "");
    assert_eq!(code, Some(0), "{text}");
}

/// The second side of a comparison has the memory that the first side leaves, and text in proportion.
#[test]
fn the_texts_of_both_sides_of_a_comparison_count_together() {
    let list = |count: usize| format!("locals {{\n  a = [{}]\n}}\n", "1,".repeat(count));
    let (small, large) = (list(30_000), list(40_000));
    let files = [("a/main.tf", small.as_str()), ("b/main.tf", large.as_str())];
    let memory = ["--max-memory", "6400000"];
    let (code, text) = run(&directory(&files), &[&["eval", "b"][..], &memory].concat(), "");
    assert_eq!(code, Some(0), "{text}");
    let parts = ["core:file-too-large", "`--max-memory` raises"];
    exceeds(&files, &[&["diff", "a", "b"][..], &memory].concat(), &parts);
    let (code, text) = run(&directory(&files), &["diff", "a", "b"], "");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn the_arguments_of_computed_data_sources_count() {
    let text = "data \"aws_iam_policy_document\" \"p\" {\n  dynamic \"statement\" {\n    for_each = range(500)\n    content {\n\
                \u{20}     actions = [\"a:b\"]\n      resources = [\"*\"]\n    }\n  }\n}\n";
    let files = [("main.tf", text)];
    let (code, message) = run(&directory(&files), &["eval", ".", "--max-steps", "600000"], "");
    assert_eq!(code, Some(0), "{message}");
    exceeds(&files, &["eval", ".", "--max-steps", "300000"], &["main.tf:1:1", "`--max-steps` raises"]);
}

/// Each message about the names of a body is counted, also where a schema requires thousands of them.
#[test]
fn messages_about_bodies_are_counted() {
    let wrong: String = (0..300).map(|i| format!("  wrong{i} = 1\n")).collect();
    let main =
        format!("resource \"terraform_data\" \"a\" {{\n{wrong}}}\nresource \"terraform_data\" \"b\" {{}}\n");
    exceeds(&[("main.tf", &main)], &["check", "--max-steps", "30000"], &["core:limit-exceeded"]);
    let (_, text) = run(&directory(&[("main.tf", &main)]), &["check", "--max-steps", "60000"], "");
    assert!(!text.contains("core:limit-exceeded") && text.contains("300 errors"), "{text}");
    let required: Vec<String> =
        (0..3000).map(|i| format!("\"r{i}\":{{\"type\":\"string\",\"required\":true}}")).collect();
    let schemas = format!(
        "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/hashicorp/a\":{{\"resource_schemas\":\
         {{\"a_b\":{{\"version\":0,\"block\":{{\"attributes\":{{{}}}}}}}}}}}}}}}",
        required.join(",")
    );
    let files = [("main.tf", "resource \"a_b\" \"c\" {}\n"), ("s.json", &*schemas)];
    let (_, text) = run(&directory(&files), &["check", "--schemas", "s.json"], "");
    assert!(text.contains("3000 errors") && text.contains("2000 more errors of this kind"), "{text}");
}

/// After a limit, the blocks of a type have no value: neither the further blocks nor their common type are made.
#[test]
fn blocks_beyond_a_limit_are_not_made() {
    let attributes: Vec<String> = (0..100)
        .map(|i| format!("\"a{i}\":{{\"type\":\"string\",\"optional\":true,\"computed\":true}}"))
        .collect();
    let block = |nesting: &str| {
        format!(
            "{{\"nesting_mode\":\"{nesting}\",\"block\":{{\"attributes\":{{{}}}}}}}",
            attributes.join(",")
        )
    };
    for (nesting, label) in [("list", false), ("set", false), ("map", true)] {
        let schemas = format!(
            "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/hashicorp/a\":\
             {{\"resource_schemas\":{{\"a_b\":{{\"version\":0,\"block\":{{\"block_types\":{{\"b\":{}}}}}}}}}}}}}}}",
            block(nesting)
        );
        let block = |i| if label { format!("  b \"{i}\" {{}}\n") } else { "  b {}\n".to_owned() };
        let blocks: String = (0..3000).map(block).collect();
        let module = format!("resource \"a_b\" \"c\" {{\n{blocks}}}\n");
        let files = [("main.tf", module.as_str()), ("s.json", schemas.as_str())];
        let arguments = ["eval", ".", "a_b.c", "--keep-going", "--schemas", "s.json", "--max-memory", "4MB"];
        exceeds(&files, &arguments, &["core:limit-exceeded", "b = (error)", "`--max-memory` raises"]);
    }
}

/// Messages of conditions, identifiers of imports and addresses repeat a text that the values contain once.
#[test]
fn repeated_texts_count() {
    let long = format!("locals {{\n  x = \"{}\"\n}}\n", "y".repeat(200_000));
    let conditions = format!(
        "{long}resource \"a_b\" \"c\" {{\n  count = 3000\n  lifecycle {{\n    precondition {{\n      \
         condition     = count.index < 0\n      error_message = local.x\n    }}\n  }}\n}}\n"
    );
    for command in [&["eval"][..], &["plan", "--json"], &["graph", "--format", "html"]] {
        exceeds(&[("main.tf", &conditions)], command, &["core:limit-exceeded", "`--max-memory`"]);
    }
    let imports = format!(
        "{long}resource \"a_b\" \"c\" {{\n  count = 1000\n}}\nimport {{\n  for_each = range(1000)\n  \
         to       = a_b.c[each.key]\n  id       = local.x\n}}\n"
    );
    exceeds(&[("main.tf", &imports)], &["plan", "--json"], &["too large to be printed"]);
    let modules = format!(
        "{long}module \"m\" {{\n  source   = \"./m\"\n  for_each = toset([for i in range(300) : \"${{i}}${{substr(local.x, 0, 50000)}}\"])\n}}\n"
    );
    let called: String =
        (0..30).map(|number| format!("resource \"a_b\" \"c{number}\" {{\n  x = 1\n}}\n")).collect();
    let files = [("main.tf", &*modules), ("m/main.tf", &called)];
    exceeds(&files, &["eval"], &["The 300 instances of this block", "core:limit-exceeded"]);
}

/// A text of a file becomes a number in an argument of a module, in an attribute of a schema, and in the number of instances.
#[test]
fn texts_of_many_digits_count_where_they_become_numbers() {
    let digits = "7".repeat(20_000);
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/a": {"resource_schemas": {"a_b": {"block": {"attributes": {"n": {"type": ["list", "number"], "optional": true}}}}}}}}"#;
    let list = "[for i in range(100) : local.x]";
    let module = format!("module \"m\" {{\n  source = \"./m\"\n  x      = {list}\n}}\n");
    let resource = format!("resource \"a_b\" \"c\" {{\n  n = {list}\n}}\n");
    let alone = "output \"o\" {\n  value = [for i in range(100) : local.x + i]\n}\n";
    for text in [&module, &resource, alone] {
        let main = format!("locals {{\n  x = file(\"x\")\n}}\n{text}");
        let called = "variable \"x\" {\n  type = list(number)\n}\n";
        let of = |digits| {
            directory(&[("main.tf", &*main), ("m/main.tf", called), ("x", digits), ("s.json", schemas)])
        };
        let arguments = ["eval", "--schemas", "s.json", "--max-steps", "1000000"];
        let (code, found) = run(&of(&digits), &arguments, "");
        let is_exceeded =
            ["core:limit-exceeded", "1000000 steps", "--max-steps"].iter().all(|part| found.contains(part));
        assert!(code != Some(0) && is_exceeded, "{text}: {found:.500}");
        let (code, found) = run(&of("7"), &arguments, "");
        assert_eq!(code, Some(0), "{text}: {found:.500}");
    }
}

/// A loop reads the type of `convert` once, but each conversion looks at all its parts.
#[test]
fn types_of_conversions_count() {
    let attributes: String = (0..1000).map(|i| format!("a{i}=optional(string),")).collect();
    let main = |count: usize, value: &str| {
        format!(
            "output \"o\" {{\n  value = length([for i in range({count}) : can(convert({value}, list(object({{{attributes}}}))))])\n}}\n"
        )
    };
    let arguments = ["eval", ".", "output.o", "--max-steps", "1000000"];
    let (code, text) = run(&directory(&[("main.tf", &main(10, "[]"))]), &arguments, "");
    assert!(code == Some(0) && text.contains("output.o = 10"), "{text}");
    for value in ["[]", "[{}]"] {
        let many = main(1000, value);
        exceeds(
            &[("main.tf", &many)],
            &arguments,
            &["core:limit-exceeded", "main.tf:2:", "`--max-steps` raises"],
        );
    }
}

/// Sets of compounds take more work than other elements, at any level of the type, and whoever converts.
#[test]
fn sets_of_conversions_count() {
    const LIST: &str = "locals { l = [for i in range(1000) : [[i]]] }\n";
    let of_convert = |ty: &str| {
        directory(&[(
            "main.tf",
            &format!("{LIST}output \"o\" {{ value = length(convert(local.l, {ty})) }}\n"),
        )])
    };
    let of_module = |ty: &str| {
        let call = format!("{LIST}module \"m\" {{\n  source = \"./m\"\n  l = local.l\n}}\n");
        directory(&[("main.tf", &call), ("m/main.tf", &format!("variable \"l\" {{ type = {ty} }}\n"))])
    };
    for files in [&of_convert as &dyn Fn(&str) -> TempDir, &of_module] {
        for (ty, steps, is_enough) in [
            ("list(list(tuple([string])))", "100000", false),
            ("list(list(tuple([string])))", "180000", true),
            ("list(set(tuple([string])))", "180000", false),
            ("list(set(tuple([string])))", "280000", true),
        ] {
            let (code, text) = run(&files(ty), &["eval", "--max-steps", steps], "");
            assert_eq!(code == Some(0), is_enough, "{ty} in {steps}: {text}");
            assert_eq!(text.contains("`--max-steps` raises"), !is_enough, "{ty} in {steps}: {text}");
        }
    }
}

/// The results of a loop count while it runs.
#[test]
fn results_of_conversions_count() {
    let main = "locals { l = flatten([for i in range(10) : range(1000)]) }\noutput \"o\" { value = length([for i in range(100) : convert(local.l, list(string))]) }\n";
    let arguments = ["eval", ".", "output.o", "--max-memory", "8MB"];
    exceeds(
        &[("main.tf", main)],
        &arguments,
        &["core:limit-exceeded", "main.tf:2:", "`--max-memory` raises"],
    );
    let few = main.replace("range(100)", "range(5)");
    let (code, text) = run(&directory(&[("main.tf", &few)]), &arguments, "");
    assert!(code == Some(0) && text.contains("output.o = 5"), "{text}");
}

/// A template reads the names of all its variables.
#[test]
fn variables_of_a_template_count() {
    let main = "locals {\n v = { for i in range(1000) : \"k${i}\" => i }\n t = \"$${k0}\"\n}\noutput \"o\" { value = length([for i in range(100) : templatestring(local.t, local.v)]) }\n";
    let arguments = ["eval", ".", "output.o", "--max-steps", "100000"];
    exceeds(&[("main.tf", main)], &arguments, &["core:limit-exceeded", "main.tf:5:", "`--max-steps` raises"]);
    let (code, text) =
        run(&directory(&[("main.tf", &main.replace("range(100)", "range(10)"))]), &arguments, "");
    assert!(code == Some(0) && text.contains("output.o = 10"), "{text}");
}

/// Several specs may read one expression, and each lists its references.
#[test]
fn references_of_many_specs_count() {
    let spec = |count: usize| -> String {
        let specs: String =
            (0..count).map(|i| format!("attr \"x{i}\" {{\n  name = \"a\"\n  type = any\n}}\n")).collect();
        format!("object {{\n{specs}}}\n")
    };
    let list = format!("a = [{}]\n", "v.a,".repeat(100));
    let arguments = ["decode", "--spec=s.hcldec", "--var-refs", "a.hcl", "--max-steps", "50000"];
    let files = |spec: &str| directory(&[("s.hcldec", spec), ("a.hcl", &list)]);
    let (code, text) = run(&files(&spec(10)), &arguments, "");
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = run(&files(&spec(100)), &arguments, "");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("a.hcl:1:5") && text.contains("`--max-steps` raises"), "{text}");
}

/// A literal of a spec is shared by all blocks, but each counts towards the parts of the value.
#[test]
fn literals_of_many_blocks_have_a_limit() {
    let spec = |kind: &str, count: usize| {
        format!(
            "{kind} {{\n  block_type = \"b\"\n  literal {{\n    value = [{}]\n  }}\n}}\n",
            "1,".repeat(count)
        )
    };
    let blocks = "b {\n}\n".repeat(2000);
    let arguments = ["decode", "--spec=s.hcldec", "a.hcl"];
    let decode = |kind: &str, count: usize| {
        run(&directory(&[("s.hcldec", &spec(kind, count)), ("a.hcl", &blocks)]), &arguments, "")
    };
    let (code, text) = decode("block_list", 10);
    assert!(code == Some(0) && text.starts_with("[[1,1,1,1,1,1,1,1,1,1],"), "{text}");
    assert_eq!(decode("block_set", 10), (Some(0), "[[1,1,1,1,1,1,1,1,1,1]]\n".to_owned()));
    let (code, text) = decode("block_list", 10_000);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("Limit exceeded") && text.contains("a.hcl:1:1"), "{text}");
    let (code, text) = decode("block_set", 10_000);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("Limit exceeded") && text.contains("`--max-steps` raises"), "{text}");
}

/// A body has a value for each type of blocks in its schema, whether or not it has such blocks.
#[test]
fn large_schemas_count_for_each_body() {
    let schemas = |count: usize| {
        let types: Vec<String> = (0..count)
            .map(|index| format!("\"b{index}\":{{\"nesting_mode\":\"list\",\"block\":{{}}}}"))
            .collect();
        let types = types.join(",");
        format!(
            "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/hashicorp/a\":\
             {{\"resource_schemas\":{{\"a_b\":{{\"version\":0,\"block\":{{\"block_types\":{{{types}}}}}}}}}}}}}}}"
        )
    };
    let main: String = (0..20).map(|index| format!("resource \"a_b\" \"r{index}\" {{}}\n")).collect();
    let checked = |count: usize| {
        let files = [("main.tf", &*main), ("s.json", &*schemas(count))];
        run(&directory(&files), &["check", "--schemas", "s.json", "--max-steps", "1000000"], "")
    };
    let (code, text) = checked(64);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = checked(2_000);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("core:limit-exceeded") && text.contains("main.tf:"), "{text}");
}

/// A call that fails, which `can` hides, has done its work all the same.
#[test]
fn failed_calls_count() {
    let classes = r#"join("", [for k in range(100) : "[^\\pL]"])"#;
    let format = r#"join("", [for k in range(500) : "DM"])"#;
    let calls = [
        r#"regex("(a|b${i}){1,200}(c|d)", "abc")"#,
        r#"regex("${local.classes}${i}(", "abc")"#,
        r#"formatdate("${local.format}Q", "2020-01-01T00:00:0${i % 10}Z")"#,
        "range(1025 + i)",
    ];
    for call in calls {
        let main = format!(
            "locals {{\n  classes = {classes}\n  format  = {format}\n  all     = [for i in range(300) : can({call})]\n}}\n"
        );
        exceeds(
            &[("main.tf", &main)],
            &["eval", "--max-steps", "1000000"],
            &["core:limit-exceeded", "`--max-steps`"],
        );
    }
}
