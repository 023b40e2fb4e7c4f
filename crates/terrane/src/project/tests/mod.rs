//! Tests of projects.

mod inputs;
mod syntaxes;

use terrane_function::{Parameter, ResultType};
use terrane_source::MemoryFiles;
use terrane_value::{Type, Value};

use super::*;
use crate::plan::NoPlan;
use crate::plan_from_json;
use crate::secrets::Secrets;

fn evaluated(project: &Project, value: &str) -> Report {
    let module = format!("output \"a\" {{\n  value = {value}\n}}\n");
    project.evaluate(&MemoryFiles::from_iter([("main.tf", module.as_str())]))
}

#[test]
fn values_that_are_not_planned_make_no_plan() {
    let files = MemoryFiles::from_iter([("main.tf", "resource \"terraform_data\" \"a\" {}\n")]);
    let refused = |project: Project| project.evaluate(&files).plan(Secrets::Hidden, &files).err();
    let project = Project::new(".");
    assert_eq!(refused(project.clone()), None);
    assert_eq!(refused(project.clone().uses_prior_values(true)), None);
    let with_state = project.clone().state(State::default());
    assert_eq!(refused(with_state.clone()), None);
    assert_eq!(refused(with_state.uses_prior_values(true)), Some(NoPlan::PriorValues));
    assert_eq!(refused(project.stored_plan(StoredPlan::default())), Some(NoPlan::StoredPlan));
}

#[test]
fn an_added_function_is_called_like_a_built_in_one() {
    let double =
        Function::new("provider::math::double", "Doubles a text.", ResultType::Fixed(Type::String), |call| {
            Ok(Value::from(call.string(0).repeat(2)))
        });
    let project = Project::new(".").function(double.parameter(Parameter::new("text", Type::String)));
    let report = evaluated(&project, "upper(provider::math::double(1))");
    assert_eq!(report.output("a").and_then(Value::as_str), Some("11"));
    assert!(evaluated(&project, "provider::math::double()").has_errors());
    let module = "terraform {\n  required_providers { math = { source = \"acme/math\" } }\n}\n\
                  output \"a\" { value = provider::math::half(1) }\n";
    let unknown = project.evaluate(&MemoryFiles::from_iter([("main.tf", module)]));
    let origin = unknown.output("a").map(|value| value.origins().as_slice()[0].to_string());
    assert_eq!(origin.as_deref(), Some("provider::math::half() is computed by its provider"));
}

#[test]
fn an_added_function_replaces_a_function_of_the_evaluator() {
    let body = |call: &terrane_function::Call<'_>| Ok(Value::from(format!("<{}>", call.string(0))));
    let own = Function::new("templatefile", "Not a file.", ResultType::Fixed(Type::String), body)
        .parameter(Parameter::new("path", Type::String))
        .variadic(Parameter::new("more", Type::Dynamic));
    let report = evaluated(&Project::new(".").function(own), "templatefile(\"none\", {})");
    assert_eq!(report.output("a").and_then(Value::as_str), Some("<none>"));
}

/// The tests of a dialect are its mock files.
#[test]
fn mock_files_of_a_directory_follow_the_dialect() {
    let mocks = |id: &str| {
        format!("override_resource {{\n  target = demo_disk.a\n  values = {{ id = \"{id}\" }}\n}}\n")
    };
    let main = "resource \"demo_disk\" \"a\" {}\noutput \"a\" { value = demo_disk.a.id }\n";
    let (terraform, tofu) = (mocks("terraform"), mocks("tofu"));
    let files = MemoryFiles::from_iter([
        ("main.tf", main),
        ("t/a.tofutest.hcl", &*tofu),
        ("t/a.tftest.hcl", &*terraform),
        ("t/b.tofutest.hcl", ""),
    ]);
    let of = |dialect: &str, path: &str| {
        let report = Project::new(".").dialect(dialect.parse().unwrap()).mocks(path).evaluate(&files);
        let id = report.output("a").and_then(Value::as_str).unwrap_or_default().to_owned();
        (id, report.diagnostics().len())
    };
    assert_eq!(of("terraform", "t"), ("terraform".to_owned(), 0));
    assert_eq!(of("opentofu", "t"), ("tofu".to_owned(), 1), "the empty file gives no values");
    // A file that is named is read in any dialect.
    assert_eq!(of("terraform", "t/a.tofutest.hcl"), ("tofu".to_owned(), 0));
}

/// Runs with half of the stack that a thread usually has.
#[test]
fn a_block_may_have_many_overrides() {
    let over = "resource \"terraform_data\" \"a\" { input = 1 }\nmodule \"m\" { v = 1 }\n".repeat(10_000);
    let work = move || {
        let main = "resource \"terraform_data\" \"a\" {}\noutput \"a\" { value = terraform_data.a.input }\n\
                    module \"m\" {\n  source = \"./m\"\n  nope {}\n}\n";
        let files =
            [("main.tf", main), ("override.tf", &over), ("m/main.tf", "variable \"v\" { default = 0 }\n")];
        let report = Project::new(".").evaluate(&MemoryFiles::from_iter(files));
        assert!(!report.has_errors(), "{:?}", report.diagnostics().as_slice().first());
        assert!(report.output("a").is_some_and(|value| value.same(&Value::from(1))));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn steps_count_over_all_expressions() {
    let locals: String = (0..100).map(|n| format!("  l{n} = [{n}, {n}]\n")).collect();
    let files = MemoryFiles::from_iter([("main.tf", format!("locals {{\n{locals}}}\n").as_str())]);
    let titles = |steps| {
        let report = Project::new(".").limits(Limits { steps, ..Limits::default() }).evaluate(&files);
        report.diagnostics().as_slice().iter().map(|found| found.title().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles(20_000), Vec::<String>::new());
    assert_eq!(titles(1000), ["Limit exceeded"]);
}

#[test]
fn an_evaluation_can_be_stopped() {
    let cancel = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let limits = Limits { cancel: Some(cancel), ..Limits::default() };
    let report = evaluated(&Project::new(".").limits(limits), "1");
    assert_eq!(report.diagnostics().len(), 1);
    assert!(report.diagnostics().as_slice()[0].detail.contains("stopped from outside"));
    assert!(!report.output("a").is_some_and(Value::is_known));
}

#[test]
fn a_clock_makes_the_time_known() {
    let project = Project::new(".").clock(terrane_function::FixedClock(0));
    let report = evaluated(&project, "timestamp()");
    assert_eq!(report.output("a").and_then(Value::as_str), Some("1970-01-01T00:00:00Z"));
    assert!(!evaluated(&Project::new("."), "timestamp()").output("a").is_some_and(Value::is_known));
}

#[test]
fn a_plan_time_makes_plantimestamp_known() {
    let project = Project::new(".").plan_time(60);
    let output = |text| evaluated(&project, text).output("a").cloned().unwrap();
    assert_eq!(output("plantimestamp()").as_str(), Some("1970-01-01T00:01:00Z"));
    assert!(!output("timestamp()").is_known());
}

#[test]
fn a_plan_time_and_a_clock_do_not_replace_each_other() {
    let clock = terrane_function::FixedClock(0);
    for project in
        [Project::new(".").plan_time(60).clock(clock), Project::new(".").clock(clock).plan_time(60)]
    {
        let report = evaluated(&project, "\"${plantimestamp()} ${timestamp()}\"");
        let times = report.output("a").and_then(Value::as_str);
        assert_eq!(times, Some("1970-01-01T00:01:00Z 1970-01-01T00:00:00Z"));
    }
}

#[test]
fn a_stored_plan_has_its_own_time() {
    let output = |timestamp: &str| {
        let text = format!(r#"{{"format_version": "1.2", "planned_values": {{}}{timestamp}}}"#);
        let project = Project::new(".").plan_time(60).stored_plan(plan_from_json(&text).unwrap());
        evaluated(&project, "[plantimestamp(), timestamp()]").output("a").cloned().unwrap()
    };
    let first = |value: &Value| value.as_sequence().unwrap()[0].as_str().map(str::to_owned);
    let planned = output(r#", "timestamp": "2024-05-06T09:08:07+02:00""#);
    assert_eq!(first(&planned).as_deref(), Some("2024-05-06T07:08:07Z"));
    assert!(!planned.is_wholly_known(), "the time of the apply");
    for none in ["", ", \"timestamp\": null", ", \"timestamp\": \"now\""] {
        assert_eq!(first(&output(none)).as_deref(), Some("1970-01-01T00:01:00Z"), "{none}");
    }
}

/// A plan with `-refresh-only` has no changes of managed objects, not even those that a complete plan lists for unchanged objects.
#[test]
fn a_plan_of_a_refresh_is_one_warning() {
    let files = MemoryFiles::from_iter([(
        "main.tf",
        "resource \"demo_disk\" \"a\" {}\nresource \"demo_disk\" \"b\" {}\noutput \"id\" { value = demo_disk.a.id }\n",
    )]);
    let prior = r#""prior_state": {"format_version": "1.0", "values": {"root_module": {"resources": [{
        "address": "demo_disk.a", "mode": "managed", "type": "demo_disk", "name": "a",
        "provider_name": "registry.terraform.io/hashicorp/demo", "schema_version": 0, "values": {"id": "d-1"}}]}}}"#;
    let kept = r#""resource_changes": [{"mode": "managed", "type": "demo_disk", "name": "a",
        "provider_name": "registry.terraform.io/hashicorp/demo",
        "change": {"actions": ["no-op"], "before": {"id": "d-1"}, "after": {"id": "d-1"}, "after_unknown": {}}}]"#;
    let warnings = |members: &[&str]| {
        let text = format!(r#"{{"format_version": "1.2", "planned_values": {{}}, {}}}"#, members.join(", "));
        let report = Project::new(".").stored_plan(plan_from_json(&text).unwrap()).evaluate(&files);
        assert_eq!(report.output("id").and_then(Value::as_str), Some("d-1"));
        report.diagnostics().as_slice().iter().map(|one| one.title().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(warnings(&[prior, r#""complete": true"#]), ["Plan of a refresh only"]);
    assert_eq!(warnings(&[prior, r#""complete": false"#]), [""; 0]);
    assert_eq!(warnings(&[prior, kept, r#""complete": true"#]), ["Plan of another configuration"]);
}

#[test]
fn sensitive_outputs_of_called_modules_are_hidden() {
    let child = "output \"o\" {\n  value = \"x\"\n  sensitive = true\n}\n";
    let files =
        MemoryFiles::from_iter([("main.tf", "module \"m\" { source = \"./m\" }\n"), ("m/main.tf", child)]);
    for dialect in ["modules", "terraform-1.11"] {
        let report = Project::new(".").dialect(dialect.parse().unwrap()).evaluate(&files);
        assert!(report.entries().iter().all(|entry| entry.value.contains_marked()), "{dialect}");
    }
}

#[test]
fn a_dialect_selects_the_functions() {
    let fails = |dialect: &str, value: &str| {
        evaluated(&Project::new(".").dialect(dialect.parse().unwrap()), value).has_errors()
    };
    assert!(!fails("modules", "cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\")"));
    assert!(!fails("opentofu-1.7", "cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\")"));
    assert!(fails("terraform", "cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\")"));
    assert!(fails("terraform-1.11", "true || tobool(\"x\")"));
    assert!(!fails("terraform-1.12", "true || tobool(\"x\")"));
    assert!(fails("terraform", "templatestring(\"a\", {})"));
    assert!(fails("packer", "1"), "templates of Packer are not read yet");
}

#[test]
fn a_tilde_is_the_home_directory() {
    let report = evaluated(&Project::new(".").home("/home/ada"), "pathexpand(\"~/x\")");
    assert_eq!(report.output("a").and_then(Value::as_str), Some("/home/ada/x"));
    assert!(!evaluated(&Project::new("."), "pathexpand(\"~/x\")").output("a").unwrap().is_known());
}
