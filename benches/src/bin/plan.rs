//! Compares the release command with `terraform plan`, on a tree of 50 modules of `terraform_data`: `cargo run --release
//! --locked --bin plan`. It needs a `terraform` on `PATH`, which needs no network for this provider.
//!
//! `--command FILE` runs that file instead of the command of this tree.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use benches::release::{self, Time};

const MODULES: usize = 50;
const RUNS_OF_TERRAFORM: usize = 3;
const RUNS: usize = 50;

const MODULE: &str = r#"
variable "name" { type = string }
variable "zones" { type = list(string) }
variable "tags" { type = map(string) }

locals {
  names = { for zone in var.zones : zone => "${var.name}-${zone}" }
}

resource "terraform_data" "network" {
  input = { name = var.name, tags = merge(var.tags, { Name = var.name }) }
}

resource "terraform_data" "subnet" {
  for_each = local.names
  input    = { name = each.value, network = terraform_data.network.id, cidr = cidrsubnet("10.0.0.0/8", 8, length(each.value)) }
}

resource "terraform_data" "rule" {
  count = 5
  input = { port = 8000 + count.index, subnets = [for subnet in terraform_data.subnet : subnet.id] }
}

output "name" { value = var.name }
output "subnets" { value = { for zone, subnet in terraform_data.subnet : zone => subnet.id } }
"#;

fn main() {
    let directory = tempfile::tempdir().expect("a directory");
    write_tree(directory.path());
    let mut arguments = std::env::args().skip(1);
    let given = arguments.next().filter(|option| option == "--command").and_then(|_| arguments.next());
    let command = given.map_or_else(release::build, PathBuf::from);
    let mut init = Command::new("terraform");
    init.args(["init", "-input=false"]).current_dir(directory.path()).stdout(Stdio::null());
    let is_ready = init.status().is_ok_and(|status| status.success());
    assert!(is_ready, "`terraform init` failed: is terraform on PATH?");
    let reference = ["plan", "-input=false", "-out=plan.bin"];
    let theirs = fastest(Path::new("terraform"), &reference, directory.path(), RUNS_OF_TERRAFORM);
    let ours = fastest(&command, &["plan", "--json"], directory.path(), RUNS);
    println!("terraform plan: {:.0} ms of processor time", theirs * 1000.0);
    println!("terrane plan --json: {:.1} ms", ours * 1000.0);
    println!("{:.0}x", theirs / ours);
}

/// Returns the processor time of the fastest run, in seconds.
fn fastest(program: &Path, arguments: &[&str], directory: &Path, runs: usize) -> f64 {
    let run = |_| release::run(program, arguments, directory, &[0]);
    (0..runs).map(run).fold(Time::MAX, Time::min).processor
}

fn write_tree(directory: &Path) {
    fs::create_dir_all(directory.join("modules/net")).expect("a directory");
    fs::write(directory.join("modules/net/main.tf"), MODULE).expect("a file");
    let mut root = String::from(
        "variable \"zones\" { default = [\"a\", \"b\", \"c\"] }\nlocals { tags = { Team = \"core\" } }\n",
    );
    for number in 0..MODULES {
        // The modules form chains of five.
        let name = match number % 5 {
            0 => format!("net-{number}"),
            _ => format!("${{module.net_{}.name}}-{number}", number - 1),
        };
        let call = format!(
            "module \"net_{number}\" {{\n  source = \"./modules/net\"\n  name   = \"{name}\"\n  zones  = var.zones\n  \
             tags   = local.tags\n}}\noutput \"net_{number}\" {{ value = module.net_{number}.subnets }}\n"
        );
        root.write_str(&call).expect("a string takes all");
    }
    fs::write(directory.join("main.tf"), root).expect("a file");
}
