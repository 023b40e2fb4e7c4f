//! Tests of values that the calling program gives for variables.

use terrane_config::{Assignment, InputValue};
use terrane_module::Phase;
use terrane_source::MemoryFiles;
use terrane_value::{Mark, Marks, OriginKind, Origins, Type, Value};

use crate::{PackerTemplate, Project, Report};

const MODULE: &str = "variable \"id\" { type = string }\n\
     variable \"plain\" { default = 1 }\n\
     output \"id\" {\n  value     = var.id\n  sensitive = true\n}\n";

fn evaluated(project: &Project) -> Report {
    project.evaluate(&MemoryFiles::from_iter([("main.tf", MODULE)]))
}

fn first_error(report: &Report) -> String {
    let errors = report.diagnostics();
    errors.as_slice().first().map_or_else(String::new, |error| format!("{}: {}", error.id, error.detail))
}

#[test]
fn an_unknown_value_keeps_its_origin_and_counts_as_given() {
    let origins = Origins::one(OriginKind::ResourceAttribute, "run.setup.id");
    let unknown = Value::unknown_from(Type::String, origins);
    let report = evaluated(&Project::new(".").variable_value("id", unknown).strict_inputs(true));
    assert_eq!(first_error(&report), "");
    let id = report.output("id").expect("it is declared");
    assert_eq!(id.origins().as_slice()[0].to_string(), "run.setup.id is set by the provider");
}

#[test]
fn a_value_keeps_its_marks_and_overrides_earlier_assignments() {
    let secret = Value::from("x").with_marks(&Marks::sensitive());
    let project = Project::new(".").variable("id", "first").variable_value("id", secret);
    let report = evaluated(&project);
    let id = report.output("id").expect("it is declared");
    assert!(id.has_mark(&Mark::Sensitive));
    assert_eq!(id.unmark_deep().0.as_str(), Some("x"));
    let later = evaluated(&project.variable("id", "last"));
    assert_eq!(
        later.output("id").and_then(|id| id.unmark_deep().0.as_str().map(str::to_owned)).as_deref(),
        Some("last")
    );
}

#[test]
fn a_value_that_the_module_cannot_take_is_an_error_with_its_source() {
    let given = Project::new(".").variable_value("id", "x");
    let undeclared = evaluated(&given.clone().variable_value("ids", "x"));
    assert_eq!(
        first_error(&undeclared),
        "core:undeclared-value: A value for the variable \"ids\" is given by the calling program, but the root module does \
         not declare it. Remove the value, or declare it with a block `variable \"ids\" {}`."
    );
    let ephemeral = Value::from("x").with_marks(&Marks::one(Mark::Ephemeral));
    let lost = InputValue { origin: "the run \"a\"".to_owned(), ..InputValue::new("plain", ephemeral) };
    let lost = evaluated(&given.assign(Assignment::Value(lost)));
    assert!(
        first_error(&lost).starts_with("core:ephemeral-not-allowed: The variable \"plain\""),
        "{}",
        first_error(&lost)
    );
    let validated =
        evaluated(&Project::new(".").variable_value("id", Value::tuple([])).phase(Phase::Validate));
    assert_eq!(first_error(&validated), "", "a validation knows no values");
}

#[test]
fn a_template_takes_typed_values_too() {
    let text = "variable \"n\" { type = number }\n\
                source \"null\" \"a\" {\n  communicator = \"none\"\n  ssh_port     = var.n\n}\n\
                build { sources = [\"source.null.a\"] }\n";
    let files = MemoryFiles::from_iter([("a.pkr.hcl", text)]);
    let title = |name: &str, value: Value| {
        let report = PackerTemplate::new(".").variable_value(name, value).evaluate(&files);
        report.diagnostics().as_slice().first().map(|error| format!("{} {}", error.title(), error.detail))
    };
    assert_eq!(title("n", Value::from(22)), None);
    let wrong = title("n", Value::from("x")).unwrap_or_default();
    assert!(wrong.contains("\"n\" from the calling program does not fit its type, `number`"), "{wrong}");
    let undeclared = title("m", Value::from(22)).unwrap_or_default();
    assert!(
        undeclared.starts_with("Undefined variable A value for \"m\" is given by the calling program"),
        "{undeclared}"
    );
}
