//! Tests of assignments: order of precedence, sources, places and values.

use terrane_source::MemoryFiles;

use super::*;
use crate::{Cache, InputSources, Request, load};

const DECLARATIONS: &str = r#"
variable "l" {
  type = list(number)
}
variable "n" {
  type = number
}
variable "s" {
  type      = string
  sensitive = true
}
"#;

fn inputs(files: &[(&str, &str)], environment: &[(&str, &str)], assignments: &[Assignment]) -> Inputs {
    let files: MemoryFiles = files.iter().copied().chain([("main.tf", DECLARATIONS)]).collect();
    let mut request = Request::new(".");
    let environment = environment.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    request.inputs = InputSources {
        environment: environment.collect(),
        assignments: assignments.to_vec(),
        ..InputSources::default()
    };
    let loaded = load(request, &files, &Cache::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    loaded.inputs
}

#[test]
fn every_assignment_is_kept_in_order_of_precedence() {
    let files = [
        ("b.auto.tfvars.json", "{\"n\": 4}"),
        ("a.auto.tfvars", "n = 3\n"),
        ("terraform.tfvars", "\nn = 2\nother = 1\n"),
        ("given.tfvars", "n = 5\n"),
    ];
    let given =
        [Assignment::Variable("n".to_owned(), "6".to_owned()), Assignment::File("given.tfvars".into())];
    let inputs = inputs(&files, &[("TF_VAR_n", "1"), ("HOME", "x")], &given);
    let rows: Vec<String> = inputs
        .assignments()
        .iter()
        .map(|assignment| {
            let place = assignment.place().map(|place| {
                let line = place.file.line(place.span.start);
                format!("{}:{line}", place.file.id())
            });
            let place = place.unwrap_or_default();
            let flags = format!("wins={} declared={}", assignment.wins, assignment.is_declared);
            format!("{} {:?} {place} {flags}", assignment.name, assignment.source)
        })
        .collect();
    let wanted = [
        "n Environment  wins=false declared=true",
        "n Terraform terraform.tfvars:2 wins=false declared=true",
        "other Terraform terraform.tfvars:3 wins=true declared=false",
        "n Automatic a.auto.tfvars:1 wins=false declared=true",
        "n Automatic b.auto.tfvars.json:1 wins=false declared=true",
        "n Option  wins=false declared=true",
        "n File given.tfvars:1 wins=true declared=true",
    ];
    assert_eq!(rows, wanted);
    assert_eq!(inputs.get("n").and_then(|input| input.value.as_number()?.to_i64()), Some(5));
}

#[test]
fn the_value_of_an_assignment_is_parsed_when_it_is_asked_for() {
    // The text for `l` is not an expression. That is no error, because another assignment overrides it.
    let files = [("terraform.tfvars", "l = [2]\ns = \"hidden\"\n")];
    let inputs = inputs(&files, &[("TF_VAR_l", "(("), ("TF_VAR_o", "((")], &[]);
    let module = {
        let files: MemoryFiles = [("main.tf", DECLARATIONS)].into_iter().collect();
        load(Request::new("."), &files, &Cache::default())
            .config
            .nodes()
            .next()
            .map(|(_, node)| node.module.clone())
    }
    .unwrap();
    let shown: Vec<String> = inputs
        .assignments()
        .iter()
        .map(|assignment| match assignment.value(module.variables.get(&*assignment.name)) {
            Some(value) if value.is_marked() => "secret".to_owned(),
            Some(value) => terrane_value::display::console(&value),
            None => "none".to_owned(),
        })
        .collect();
    assert_eq!(shown, ["none", "\"((\"", "[\n  2,\n]", "secret"]);
}
