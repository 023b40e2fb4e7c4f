//! Evaluate a module from memory and ask for expressions in it.

use terrane::{MemoryFiles, Project, Secrets, Session};

const MAIN: &str = r#"
variable "zones" {
  type = list(string)
}

locals {
  names = [for zone in var.zones : "subnet-${zone}"]
}

resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}
"#;

fn main() {
    let files: MemoryFiles = [("main.tf", MAIN)].into_iter().collect();
    let report = Project::new(".").variable("zones", "[\"a\", \"b\"]").evaluate(&files);
    let session = Session::of_module(report);
    for expression in ["local.names", "aws_vpc.main.cidr_block", "aws_vpc.main.id", "type(var.zones)"] {
        let answered = session.evaluate(expression, &files);
        say(&format!("{expression} = {}", session.text(&answered, Secrets::Hidden)));
    }
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn say(text: &str) {
    println!("{text}");
}
