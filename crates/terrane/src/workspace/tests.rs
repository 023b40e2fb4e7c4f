//! Tests of workspaces: the work after a change, cancellation and memory.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use terrane_function::{Function, Limits, Parameter, ResultType};
use terrane_module::Record;
use terrane_source::{FileId, MemoryFiles};
use terrane_value::{Type, Value};

use super::{RootId, Stopped, Workspace};
use crate::caches::Caches;
use crate::{
    Environment, FileRole, Matrix, Project, Report, SchemaDirectory, SchemaStores, Secrets, Session,
    schema_files_from_json,
};

/// Returns a root module that calls `modules` modules of two files each.
fn tree(modules: usize) -> MemoryFiles {
    let files = MemoryFiles::new();
    let calls: String = (0..modules)
        .map(|n| format!("module \"m{n}\" {{\n  source = \"./m{n}\"\n  size = {n}\n}}\noutput \"o{n}\" {{ value = module.m{n}.name }}\n"))
        .collect();
    files.insert("main.tf", calls);
    for n in 0..modules {
        files.insert(format!("m{n}/variables.tf"), "variable \"size\" { type = number }\n");
        files.insert(format!("m{n}/main.tf"), text(n));
    }
    files
}

fn text(value: usize) -> String {
    format!("locals {{ name = \"n${{var.size}}-{value}\" }}\noutput \"name\" {{ value = local.name }}\n")
}

fn output(report: &Report, name: &str) -> String {
    report.output(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}

#[test]
fn an_edit_parses_one_file() {
    let mut workspace = Workspace::new(tree(50));
    let root = workspace.add(Project::new("."));
    let first = workspace.evaluate(root, None).unwrap();
    assert_eq!(workspace.parsed_files(), 101);
    assert!(Arc::ptr_eq(&first, &workspace.evaluate(root, None).unwrap()), "nothing has changed");
    workspace.set_overlay("m7/main.tf", text(70));
    let second = workspace.evaluate(root, None).unwrap();
    assert_eq!(workspace.parsed_files(), 102);
    assert_eq!((output(&second, "o7"), output(&second, "o8")), ("n7-70".to_owned(), "n8-8".to_owned()));
    workspace.set_overlay("m7/main.tf", text(70));
    workspace.evaluate(root, None).unwrap();
    assert_eq!(workspace.parsed_files(), 102, "the text is the same");
}

#[test]
fn a_report_of_a_workspace_has_sessions() {
    let mut workspace = Workspace::new(tree(2));
    let root = workspace.add(Project::new("."));
    let report = workspace.evaluate(root, None).unwrap();
    let session = Session::of_module(Arc::clone(&report)).in_module_instance("module.m1").unwrap();
    let answered = session.evaluate("local.name", workspace.files());
    assert_eq!(session.text(&answered, Secrets::Hidden), "\"n1-1\"");
}

#[test]
fn roots_share_parsed_directories() {
    let mut workspace = Workspace::new(tree(5));
    let [root, module] =
        [".", "m1"].map(|directory| workspace.add(Project::new(directory).variable("size", "3")));
    let name = |root, name| output(&workspace.evaluate(root, None).unwrap(), name);
    assert_eq!(name(root, "o1"), "n1-1");
    assert_eq!(name(module, "name"), "n3-1");
    assert_eq!(workspace.parsed_files(), 11);
    let directory = workspace.directory(root, "m1").unwrap();
    let main = &directory.parsed[0];
    assert_eq!(main.source.slice(main.tokens[0].span()), "locals");
}

#[test]
fn a_stopped_evaluation_leaves_the_workspace_as_it_was() {
    let mut workspace = Workspace::new(tree(5));
    let root = workspace.add(Project::new("."));
    let set = Arc::new(AtomicBool::new(true));
    assert_eq!(workspace.evaluate(root, Some(&set)).unwrap_err(), Stopped);
    let first = workspace.evaluate(root, None).unwrap();
    assert!(!first.has_errors(), "{:?}", first.diagnostics());
    workspace.set_overlay("m1/main.tf", text(10));
    assert_eq!(workspace.evaluate(root, Some(&set)).unwrap_err(), Stopped);
    assert_eq!(output(&workspace.evaluate(root, Some(&Arc::default())).unwrap(), "o1"), "n1-10");
    workspace.remove(root);
    assert_eq!(workspace.evaluate(root, None).unwrap_err(), Stopped);
}

#[test]
fn the_flag_of_an_evaluation_does_not_stop_queries_on_its_report() {
    let mut workspace = Workspace::new(tree(1));
    let root = workspace.add(Project::new("."));
    let cancel = Arc::new(AtomicBool::new(false));
    let report = workspace.evaluate(root, Some(&cancel)).unwrap();
    // The next edit stops the evaluations that run.
    cancel.store(true, Ordering::Relaxed);
    let value = report.expression("[for n in range(500) : \"${n}-${module.m0.name}\"]", workspace.files());
    assert!(value.unwrap().nth(499).is_some());
}

#[test]
fn the_flags_of_a_project_stop_its_evaluations() {
    let [cancel, timeout] = [true, true].map(|is_set| Arc::new(AtomicBool::new(is_set)));
    let mut workspace = Workspace::new(tree(1));
    let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
    let root = workspace.add(Project::new(".").limits(limits.clone()));
    for flag in [None, Some(&Arc::default())] {
        assert_eq!(workspace.evaluate(root, flag).unwrap_err(), Stopped);
    }
    let environment =
        Environment { name: "a".to_owned(), variable_files: Vec::new(), workspace: None, state: None };
    assert_eq!(
        Matrix::evaluate(Project::new(".").limits(limits), [environment], tree(1)).unwrap_err(),
        Stopped
    );
    cancel.store(false, Ordering::Relaxed);
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "o0"), "n0-0");

    let limits = Limits { timeout: Some(Arc::clone(&timeout)), ..Limits::default() };
    workspace.set_project(root, Project::new(".").limits(limits));
    assert!(workspace.evaluate(root, None).unwrap().has_errors());
    timeout.store(false, Ordering::Relaxed);
    let report = workspace.evaluate(root, None).unwrap();
    assert_eq!((output(&report, "o0"), report.has_errors()), ("n0-0".to_owned(), false));
}

/// All environments of a matrix are in memory at the same time.
#[test]
fn environments_share_the_limit_on_memory() {
    let files = |own: &str| {
        let main = format!(
            "variable \"n\" {{}}\nlocals {{\n  same = [for i in range(1000) : format(\"%100s\", \"${{i}}-of-{own}\")]\n}}\n\
             output \"o\" {{ value = length(local.same) }}\n"
        );
        let values = (0..10).map(|n| (format!("{n}.tfvars"), format!("n = {n}\n")));
        MemoryFiles::from_iter([("main.tf".to_owned(), main)].into_iter().chain(values))
    };
    let environments = || {
        (0..10).map(|n: usize| Environment {
            name: n.to_string(),
            variable_files: vec![format!("{n}.tfvars").into()],
            ..Environment::default()
        })
    };
    let errors = |own: &str| {
        let limits = Limits { memory: 1_000_000, ..Limits::default() };
        let matrix = Matrix::evaluate(Project::new(".").limits(limits), environments(), files(own)).unwrap();
        let failed = matrix.environments().filter(|(_, report)| report.has_errors());
        failed.map(|(environment, _)| environment.name.clone()).collect::<Vec<_>>()
    };
    // An environment takes over values from the earlier one, which do not count again.
    assert_eq!(errors("all"), Vec::<String>::new());
    let failed = errors("${var.n}");
    assert!(!failed.is_empty() && failed.first().is_some_and(|first| first != "0"), "{failed:?}");
}

/// A schema of `demo_thing` with a number, and the lock file that selects it.
fn stored_schema(attribute: &str) -> (SchemaDirectory, PathBuf, Vec<u8>) {
    let text = format!(
        "{{\"format_version\": \"1.0\", \"provider_schemas\": {{\"registry.terraform.io/hashicorp/demo\": {{\"resource_schemas\": {{\
         \"demo_thing\": {{\"version\": 0, \"block\": {{\"attributes\": {{\"{attribute}\": {{\"type\": \"number\", \"optional\": true}}}}}}}}\
         }}}}}}}}"
    );
    let file = schema_files_from_json(&text, "a test", &|_| "1.0.0".parse().ok()).unwrap().files.remove(0);
    let store = SchemaDirectory::new("cache");
    let path = store.file(&file.address, &file.version).unwrap();
    (store, path, file.bytes)
}

const LOCK: &str = "provider \"registry.terraform.io/hashicorp/demo\" {\n  version = \"1.0.0\"\n}\n";

#[test]
fn a_schema_file_is_read_again_after_a_change_of_it() {
    let main = |size: &str| {
        format!(
            "resource \"demo_thing\" \"a\" {{ size = \"{size}\" }}\noutput \"o\" {{ value = demo_thing.a.size + 1 }}\n"
        )
    };
    let (store, path, bytes) = stored_schema("size");
    let files = MemoryFiles::from_iter([("main.tf", &*main("7")), (".terraform.lock.hcl", LOCK)]);
    files.insert(&path, bytes);
    let mut workspace = Workspace::new(files);
    let root = workspace.add(Project::new(".").schema_stores(SchemaStores::new([store])));
    let errors = |workspace: &Workspace| workspace.evaluate(root, None).unwrap().diagnostics().errors();
    assert_eq!(errors(&workspace), 0);
    // All requests of a root have the same schemas, so they share its parsed directories.
    assert_eq!(workspace.symbols(root).unwrap().in_file(&FileId::new("main.tf")).len(), 3);
    assert!(workspace.directory(root, ".").is_some());
    assert_eq!(workspace.parsed_files(), 1);
    // Nothing says that the schema file has changed.
    workspace.files().write_atomic(&path, &stored_schema("color").2).unwrap();
    workspace.set_overlay("main.tf", main("8"));
    assert_eq!(errors(&workspace), 0);
    let document = workspace.evaluate(root, None).unwrap().document(Secrets::Hidden);
    assert!(document.files.iter().any(|file| file.role == FileRole::Schema && file.bytes().is_some()));
    workspace.files_changed(["cache"]);
    assert_eq!(
        errors(&workspace),
        2,
        "the other schema has no size: neither the argument nor the reference is right"
    );
}

#[test]
fn schema_files_count_towards_the_memory() {
    let (store, path, bytes) = stored_schema("size");
    let main = "resource \"demo_thing\" \"a\" { size = \"7\" }\n";
    let files = MemoryFiles::from_iter([("main.tf", main), (".terraform.lock.hcl", LOCK)]);
    let size = bytes.len();
    files.insert(&path, bytes);
    let mut workspace = Workspace::new(files);
    let root = workspace.add(Project::new(".").schema_stores(SchemaStores::new([store])));
    workspace.evaluate(root, None).unwrap();
    assert_eq!(workspace.caches.schemas.bytes(), size);
    workspace.set_memory(0);
    workspace.files_changed(["main.tf"]);
    workspace.evaluate(root, None).unwrap();
    assert_eq!(workspace.caches.schemas.bytes(), 0);
}

#[test]
fn an_evaluation_beyond_its_time_drops_unused_reports_too() {
    let mut workspace = Workspace::new(MemoryFiles::from_iter([("main.tf", "locals { a = 1 }\n")]));
    let first = workspace.add(Project::new("."));
    let limits = Limits { timeout: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let late = workspace.add(Project::new(".").limits(limits));
    workspace.evaluate(first, None).unwrap();
    assert!(workspace.roots[&first].kept().is_some());
    workspace.set_memory(0);
    workspace.evaluate(late, None).unwrap();
    assert!(workspace.roots[&late].kept().is_none());
    assert!(workspace.roots[&first].kept().is_none(), "its report is older");
}

#[test]
fn names_are_kept_until_a_change() {
    let main = "variable \"a\" {}\n";
    let test = "variables {\n  a = 1\n}\n";
    let mut workspace =
        Workspace::new(MemoryFiles::from_iter([("main.tf", main), ("tests/a.tftest.hcl", test)]));
    let root = workspace.add(Project::new("."));
    let names = |workspace: &Workspace| workspace.symbols(root).unwrap();
    let first = names(&workspace);
    assert_eq!((first.iter().count(), workspace.parsed_files()), (1, 2));
    assert!(Arc::ptr_eq(&first, &names(&workspace)));
    workspace.set_overlay("main.tf", "variable \"a\" {}\nvariable \"b\" {}\n");
    assert_eq!((names(&workspace).iter().count(), workspace.parsed_files()), (2, 3));
    workspace.set_overlay("tests/a.tftest.hcl", "variables {\n  a = 1\n  b = 2\n}\n");
    let places = names(&workspace).iter().map(|(_, places)| places.count()).collect::<Vec<_>>();
    assert_eq!((places, workspace.parsed_files()), (vec![2, 2], 4));
    workspace.set_memory(0);
    workspace.set_overlay("main.tf", main);
    let kept =
        |workspace: &Workspace| workspace.roots.values().filter(|root| root.symbols().is_some()).count();
    assert_eq!(kept(&workspace), 1);
    workspace.evaluate(root, None).unwrap();
    assert_eq!(kept(&workspace), 0, "the names count towards the memory");
}

#[test]
fn directories_of_remote_roots_are_kept() {
    let app = |name: &str| {
        format!(
            "data \"terraform_remote_state\" \"net\" {{\n  backend = \"s3\"\n  config = {{ bucket = \"b\" }}\n}}\n\
                 output \"{name}\" {{ value = data.terraform_remote_state.net.outputs.id }}\n"
        )
    };
    let net = "module \"m\" { source = \"./m\" }\noutput \"id\" { value = module.m.id }\n";
    let module = "output \"id\" { value = \"x\" }\n";
    let files = MemoryFiles::from_iter([
        ("app/main.tf", &*app("a")),
        ("net/main.tf", net),
        ("net/m/main.tf", module),
    ]);
    let mut workspace = Workspace::new(files);
    let address = "data.terraform_remote_state.net";
    let root = workspace.add(Project::new("app").remote_root(address, Project::new("net")));
    let after = |workspace: &Workspace, name: &str| {
        let report = workspace.evaluate(root, None).unwrap();
        let document = report.document(Secrets::Hidden);
        let mut files: Vec<String> = document.files.iter().map(|file| file.path.to_string()).collect();
        files.retain(|path| path.ends_with("main.tf"));
        (output(&report, name), workspace.parsed_files(), files.join(" "))
    };
    let all = "app/main.tf net/m/main.tf net/main.tf".to_owned();
    assert_eq!(after(&workspace, "a"), ("x".to_owned(), 3, all.clone()));
    workspace.set_overlay("app/main.tf", app("b"));
    assert_eq!(after(&workspace, "b"), ("x".to_owned(), 4, all.clone()));
    workspace.set_overlay("net/m/main.tf", "output \"id\" { value = \"y\" }\n");
    assert_eq!(after(&workspace, "b"), ("y".to_owned(), 5, all));
}

#[test]
fn inputs_of_a_root_can_be_replaced() {
    let mut workspace = Workspace::new(tree(2));
    let root = workspace.add(Project::new("m1").variable("size", "3"));
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "name"), "n3-1");
    workspace.set_project(root, Project::new("m1").variable("size", "4"));
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "name"), "n4-1");
}

#[test]
fn what_is_kept_is_bounded() {
    let mut workspace = Workspace::new(tree(3));
    let roots =
        ["m0", "m1", "m2"].map(|directory| workspace.add(Project::new(directory).variable("size", "1")));
    let kept = |workspace: &Workspace| roots.map(|root| workspace.roots[&root].kept().is_some());
    let evaluate = |workspace: &Workspace, number: usize| {
        output(&workspace.evaluate(roots[number], None).unwrap(), "name")
    };
    (0..3).for_each(|number| drop(evaluate(&workspace, number)));
    assert_eq!(kept(&workspace), [true; 3]);
    workspace.set_memory(0);
    assert_eq!(evaluate(&workspace, 1), "n1-1");
    assert_eq!(kept(&workspace), [true; 3], "nothing was evaluated");
    workspace.set_overlay("m1/main.tf", text(10));
    let parsed = workspace.parsed_files();
    assert_eq!(evaluate(&workspace, 1), "n1-10");
    assert_eq!((kept(&workspace), workspace.parsed_files() - parsed), ([false, true, false], 1));
    assert_eq!(evaluate(&workspace, 0), "n1-0");
    assert_eq!((kept(&workspace), workspace.parsed_files() - parsed), ([true, false, false], 3));
}

#[test]
fn an_edit_does_not_parse_variable_files_again() {
    let files = MemoryFiles::from_iter([
        ("main.tf", "variable \"a\" {}\noutput \"a\" { value = var.a }\n"),
        ("terraform.tfvars", "a = \"one\"\n"),
        ("unused.auto.tfvars.json", "{\"a\": \"two\"}"),
    ]);
    let mut workspace = Workspace::new(files);
    let root = workspace.add(Project::new("."));
    let mut step = |change: &mut dyn FnMut(&mut Workspace)| {
        let before = workspace.parsed_files();
        change(&mut workspace);
        let report = workspace.evaluate(root, None).unwrap();
        (output(&report, "a"), workspace.parsed_files() - before)
    };
    let main = "variable \"a\" {}\noutput \"a\" { value = \"${var.a}!\" }\n";
    assert_eq!(step(&mut |_| {}), ("two".to_owned(), 3));
    assert_eq!(step(&mut |workspace| workspace.set_overlay("main.tf", main)), ("two!".to_owned(), 1));
    let text = "{\"a\": \"three\"}";
    assert_eq!(
        step(&mut |workspace| workspace.set_overlay("unused.auto.tfvars.json", text)),
        ("three!".to_owned(), 1)
    );
    assert_eq!(step(&mut |workspace| workspace.delete("unused.auto.tfvars.json")), ("one!".to_owned(), 0));
}

/// The hidden text of a file stays the same if the file is taken over, and is not taken for damage.
#[test]
fn the_default_of_a_secret_in_an_override_file_stays_after_an_edit() {
    let main = "variable \"a\" { sensitive = true }\noutput \"a\" { value = nonsensitive(var.a) }\n";
    let over = "variable \"a\" { default = \"one\" }\n";
    let mut workspace =
        Workspace::new(MemoryFiles::from_iter([("main.tf", main), ("main_override.tf", over)]));
    let root = workspace.add(Project::new("."));
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "a"), "one");
    workspace.set_overlay("main.tf", main.replace("var.a", "upper(var.a)"));
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "a"), "ONE");
    workspace.set_overlay("main.tf", "variable \"a\" {}\noutput \"a\" { value = var.a }\n");
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "a"), "one");
}

/// Returns a workspace with a root module whose only output counts the characters of a file through an added function, and the
/// number of calls of this function.
fn counted(content: &str) -> (Workspace, RootId, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let body = move |call: &terrane_function::Call<'_>| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(Value::from(call.string(0).len().to_string()))
    };
    let count = Function::new("count", "Counts bytes.", ResultType::Fixed(Type::String), body);
    let main = "locals { other = 1 }\noutput \"count\" { value = count(file(\"data.txt\")) }\n";
    let mut workspace =
        Workspace::new(MemoryFiles::from_iter([("main.tf", main), ("m/main.tf", ""), ("data.txt", content)]));
    let project = Project::new(".").function(count.parameter(Parameter::new("text", Type::String)));
    let root = workspace.add(project);
    (workspace, root, calls)
}

#[test]
fn a_large_file_that_is_the_same_is_not_evaluated_again() {
    let (mut workspace, root, calls) = counted(&"x".repeat(1 << 20));
    let mut evaluate = |path: &str, text: &str| {
        workspace.set_overlay(path, text);
        let report = workspace.evaluate(root, None).unwrap();
        (output(&report, "count"), calls.swap(0, Ordering::Relaxed) > 0)
    };
    assert_eq!(evaluate("m/main.tf", "locals { a = 1 }\n"), ("1048576".to_owned(), true));
    assert_eq!(evaluate("m/main.tf", "locals { a = 2 }\n"), ("1048576".to_owned(), false));
    assert_eq!(evaluate("data.txt", "xyz"), ("3".to_owned(), true));
    assert_eq!(evaluate("data.txt", "xyy"), ("3".to_owned(), true), "another content");
    assert_eq!(evaluate("m/main.tf", "locals { a = 3 }\n"), ("3".to_owned(), false));
}

#[test]
fn records_count_towards_the_memory() {
    let main = "locals { text = file(\"data.txt\") }\noutput \"a\" { value = length(local.text) }\n";
    let files = MemoryFiles::from_iter([("main.tf", main), ("data.txt", &*"x".repeat(1 << 20))]);
    let mut workspace = Workspace::new(files);
    let root = workspace.add(Project::new("."));
    let size = |workspace: &Workspace| {
        workspace.evaluate(root, None).unwrap();
        workspace.roots[&root].kept().as_ref().map_or(0, |kept| kept.size)
    };
    let first = size(&workspace);
    // The text is in the results of the validation and of the plan.
    assert!((2 << 20..3 << 20).contains(&first), "{first}");
    for edit in 0..50 {
        workspace.set_overlay("other.tf", format!("output \"b\" {{ value = {edit} }}\n"));
        let size = size(&workspace);
        assert!(size.abs_diff(first) < first / 10, "results that are taken over take memory as well: {size}");
    }
}

/// Neither the provider configuration nor the constraints of other modules are in the module of the data source.
#[test]
fn computed_data_sources_follow_the_provider_configuration() {
    let root = |region: &str, version: &str| {
        format!(
            "variable \"region\" {{ default = \"eu-west-3\" }}\n\
             terraform {{\n  required_providers {{\n    aws = {{ source = \"hashicorp/aws\", version = \"{version}\" }}\n  }}\n}}\n\
             provider \"aws\" {{\n  region = {region}\n}}\n\
             module \"child\" {{\n  source = \"./child\"\n}}\noutput \"name\" {{ value = module.child.name }}\n"
        )
    };
    let files = MemoryFiles::new();
    files.insert("main.tf", root("\"eu-west-1\"", ">= 4.0"));
    files.insert(
        "child/main.tf",
        "terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n\
         data \"aws_region\" \"here\" {}\noutput \"name\" { value = data.aws_region.here.name }\n",
    );
    let mut workspace = Workspace::new(files);
    let id = workspace.add(Project::new("."));
    let name = |workspace: &mut Workspace| output(&workspace.evaluate(id, None).unwrap(), "name");
    assert_eq!(name(&mut workspace), "eu-west-1");
    workspace.set_overlay("main.tf", root("\"eu-west-2\"", ">= 4.0"));
    assert_eq!(name(&mut workspace), "eu-west-2");
    workspace.set_overlay("main.tf", root("var.region", ">= 4.0"));
    assert_eq!(name(&mut workspace), "eu-west-3");
    workspace.set_overlay("terraform.tfvars", "region = \"us-east-1\"\n");
    assert_eq!(name(&mut workspace), "us-east-1");
    workspace.set_overlay("main.tf", root("var.region", "~> 3.0"));
    assert_eq!(name(&mut workspace), "");
}

/// Returns a function that returns its argument, and the number of its calls.
fn tick() -> (Function, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let tick = Function::new("tick", "Counts its calls.", ResultType::Fixed(Type::String), move |call| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(call.argument(0).clone())
    });
    (tick.parameter(Parameter::new("text", Type::String)), calls)
}

#[test]
fn an_edit_evaluates_the_declarations_of_its_file_and_those_that_depend_on_them() {
    let (tick, calls) = tick();
    let main = "locals {\n  a = tick(\"a\")\n  b = tick(local.c)\n}\noutput \"o\" { value = \"${local.a}${local.b}\" }\n";
    let files = MemoryFiles::from_iter([("main.tf", main), ("other.tf", "locals { c = \"x\" }\n")]);
    let mut workspace = Workspace::new(files);
    let root = workspace.add(Project::new(".").function(tick));
    let mut after = |text: &str| {
        workspace.set_overlay("other.tf", text);
        let report = workspace.evaluate(root, None).unwrap();
        (output(&report, "o"), calls.swap(0, Ordering::Relaxed) > 0, report.has_errors())
    };
    assert_eq!(after("locals { c = \"x\" }\n"), ("ax".to_owned(), true, false));
    assert_eq!(after("# Moved.\nlocals { c = \"x\" }\n"), ("ax".to_owned(), false, false));
    assert_eq!(after("locals {\n  c = \"x\"\n  d = 1\n}\n"), ("ax".to_owned(), false, false));
    assert_eq!(after("locals { c = \"y\" }\n"), ("ay".to_owned(), true, false));
    assert_eq!(after("locals { d = \"y\" }\n"), (String::new(), true, true), "nothing declares it any more");
    assert_eq!(after("locals { c = \"z\" }\n"), ("az".to_owned(), true, false));
}

#[test]
fn environments_share_what_does_not_differ() {
    let (tick, calls) = tick();
    let files = MemoryFiles::from_iter([
        (
            "main.tf",
            "variable \"a\" {}\nlocals {\n  same = tick(\"s\")\n  other = tick(var.a)\n}\n\
             output \"o\" { value = \"${local.same}${local.other}\" }\n",
        ),
        ("x.tfvars", "a = \"x\"\n"),
        ("y.tfvars", "a = \"y\"\n"),
    ]);
    let mut workspace = Workspace::new(files);
    let base = workspace.add(Project::new(".").function(tick));
    let environment = |name: &str| Environment {
        name: name.to_owned(),
        variable_files: vec![format!("{name}.tfvars").into()],
        ..Environment::default()
    };
    let first = workspace.add_environment(base, base, &environment("x")).unwrap();
    assert_eq!(output(&workspace.evaluate(first, None).unwrap(), "o"), "sx");
    let before = calls.load(Ordering::Relaxed);
    let second = workspace.add_environment(base, first, &environment("y")).unwrap();
    assert_eq!(output(&workspace.evaluate(second, None).unwrap(), "o"), "sy");
    assert_eq!(calls.load(Ordering::Relaxed) - before, 1, "only `other` differs");
    assert_eq!(workspace.parsed_files(), 3);
}

#[test]
fn an_edit_of_an_import_changes_the_object_in_a_module() {
    let root_text = |id: &str| {
        format!(
            "module \"m\" {{ source = \"./m\" }}\nlocals {{ id = \"{id}\" }}\nimport {{\n  to = module.m.terraform_data.a\n  \
             id = local.id\n}}\noutput \"id\" {{ value = module.m.id }}\n"
        )
    };
    let module = "resource \"terraform_data\" \"a\" {}\noutput \"id\" { value = terraform_data.a.id }\n";
    let files = MemoryFiles::from_iter([("main.tf", &*root_text("one")), ("m/main.tf", module)]);
    let mut workspace = Workspace::new(files);
    let root = workspace.add(Project::new("."));
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "id"), "one");
    workspace.set_overlay("main.tf", root_text("two"));
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "id"), "two");
    workspace.set_overlay("main.tf", root_text("two").replace("local.id", "\"three\""));
    assert_eq!(output(&workspace.evaluate(root, None).unwrap(), "id"), "three");
}

#[test]
fn results_are_used_again_for_the_same_time_of_a_plan() {
    let (tick, calls) = tick();
    let files = MemoryFiles::from_iter([("main.tf", "output \"o\" { value = tick(plantimestamp()) }\n")]);
    let (project, caches) = (Project::new(".").function(tick), Caches::default());
    let evaluate = |seconds, earlier: Option<&Record>| {
        let project = project.clone().plan_time(seconds);
        let mut made = None;
        let request = project.request().clone();
        let report = project.evaluate_request(request, &files, &caches, |config, inputs, files| {
            let (evaluation, record) = terrane_module::evaluate_again(config, inputs, files, earlier);
            made = record;
            evaluation
        });
        (output(&report, "o"), calls.swap(0, Ordering::Relaxed) > 0, made)
    };
    let (value, is_called, record) = evaluate(0, None);
    assert_eq!((&*value, is_called, record.is_some()), ("1970-01-01T00:00:00Z", true, true));
    let (value, is_called, again) = evaluate(0, record.as_ref());
    assert_eq!((&*value, is_called), ("1970-01-01T00:00:00Z", false));
    let (value, is_called, _) = evaluate(1, again.as_ref());
    assert_eq!((&*value, is_called), ("1970-01-01T00:00:01Z", true));
}
