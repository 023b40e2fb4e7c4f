//! Comparisons of the explanations of two runs.

use terrane_source::MemoryFiles;

use crate::{Project, Secrets};

/// Returns the difference that `-var live=true` makes, without places.
fn difference(text: &str, address: &str) -> String {
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let explained = |project: Project| {
        let report = project.evaluate(&files);
        report.explain(address, Secrets::Hidden, &files).expect("it exists")
    };
    let (before, after) =
        (explained(Project::new(".")), explained(Project::new(".").variable("live", "true")));
    let without_place = |line: &str| {
        let Some((left, right)) = line.split_once("  # ") else { return line.to_owned() };
        let how = right.split_once("  ").map_or("", |(_, how)| how);
        format!("{} # {how}", left.trim_end()).trim_end_matches([' ', '#']).to_owned()
    };
    let text = before.difference_to_text(&after, 10);
    text.lines().map(|line| without_place(line) + "\n").collect()
}

const URLS: &str = r#"
variable "live" {
  type    = bool
  default = false
}
variable "password" { sensitive = true }
locals {
  env    = var.live ? local.prod : "dev"
  prod   = lower("PROD")
  other  = upper("x")
  hosts  = { a = "a.${local.env}", b = local.other }
  both   = [local.env, local.other, local.env]
  secret = var.live ? var.password : "none"
}
output "url" { value = "https://${local.hosts.a}/${local.other}" }
"#;

#[test]
fn the_way_leads_to_the_variable_where_two_runs_part() {
    assert_eq!(
        difference(URLS, "output.url"),
        r#"output.url = "https://a.dev/X" -> "https://a.prod/X"
  "https://${local.hosts.a}/${local.other}"
    local.hosts.a = "a.dev" -> "a.prod"
      "a.${local.env}"
        local.env = "dev" -> "prod"
          var.live ? local.prod : "dev" # first branch; the second is "dev"  before: second branch; the first is local.prod
            condition: var.live = false -> true
              - default = false
              + option -var live=... = "true"
            + local.prod = "prod"
"#
    );
}

#[test]
fn a_part_that_differs_twice_is_shown_once() {
    let found = difference(URLS, "local.both");
    assert_eq!(found.matches("condition: var.live").count(), 1, "{found}");
    assert!(found.contains("[2]: local.env = \"dev\" -> \"prod\" # (shown above)"), "{found}");
}

#[test]
fn values_that_are_the_same_have_no_difference() {
    assert_eq!(difference(URLS, "local.other"), "No differences.\n");
}

/// The value before may equal the secret.
#[test]
fn a_secret_in_one_run_hides_both_values() {
    let found = difference(URLS, "local.secret");
    assert!(found.starts_with("local.secret = (sensitive value) -> (sensitive value)"), "{found}");
    assert!(!found.contains("\"none\" ->"), "{found}");
}
