//! Compares plans that begin with a state with those of a `terraform` binary: a configuration is applied, changed and planned
//! again. The plan document of the binary, read again, must give the same. Only the built-in provider is used, so nothing is downloaded.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::Value as Json;
use terrane::{Dialect, Project, Secrets, plan_from_json, state_from_json};
use terrane_source::{Files as _, OsFiles};

use super::{states, terraform};

/// A configuration before and after a change.
struct Change {
    name: &'static str,
    before: &'static str,
    after: &'static str,
    /// An object to mark as tainted in between.
    tainted: Option<&'static str>,
}

const CHANGES: [Change; 7] = [
    Change {
        name: "updates, replacements and objects without a change",
        before: "resource \"terraform_data\" \"same\" { input = [1, { a = null }] }\n\
                 resource \"terraform_data\" \"update\" { input = \"one\" }\n\
                 resource \"terraform_data\" \"replace\" {\n  input            = \"r\"\n  triggers_replace = \"one\"\n}\n\
                 resource \"terraform_data\" \"reader\" { input = terraform_data.update.output }\n",
        after: "resource \"terraform_data\" \"same\" { input = [1, { a = null }] }\n\
                resource \"terraform_data\" \"update\" { input = \"two\" }\n\
                resource \"terraform_data\" \"replace\" {\n  input            = \"r\"\n  triggers_replace = \"two\"\n}\n\
                resource \"terraform_data\" \"reader\" { input = terraform_data.update.output }\n\
                resource \"terraform_data\" \"new\" { input = terraform_data.same.id }\n",
        tainted: None,
    },
    Change {
        name: "instances by count and for_each",
        before: "resource \"terraform_data\" \"c\" {\n  count = 3\n  input = count.index\n}\n\
                 resource \"terraform_data\" \"f\" {\n  for_each = toset([\"a\", \"b\"])\n  input = each.key\n}\n\
                 resource \"terraform_data\" \"one\" {}\nresource \"terraform_data\" \"keys\" {\n  count = 2\n}\n",
        after: "resource \"terraform_data\" \"c\" {\n  count = 1\n  input = count.index\n}\n\
                resource \"terraform_data\" \"f\" {\n  for_each = toset([\"b\", \"c\"])\n  input = each.key\n}\n\
                resource \"terraform_data\" \"one\" { count = 1 }\n\
                resource \"terraform_data\" \"keys\" { for_each = toset([\"x\"]) }\n",
        tainted: None,
    },
    Change {
        name: "moved and removed blocks",
        before: "resource \"terraform_data\" \"old\" { input = 1 }\nresource \"terraform_data\" \"changed\" { input = 1 }\n\
                 resource \"terraform_data\" \"gone\" { input = 1 }\nresource \"terraform_data\" \"forgotten\" { input = 1 }\n\
                 resource \"terraform_data\" \"destroyed\" { input = 1 }\n",
        after: "resource \"terraform_data\" \"new\" { input = 1 }\nresource \"terraform_data\" \"other\" { input = 2 }\n\
                moved {\n  from = terraform_data.old\n  to   = terraform_data.new\n}\n\
                moved {\n  from = terraform_data.changed\n  to   = terraform_data.other\n}\n\
                removed {\n  from = terraform_data.forgotten\n  lifecycle { destroy = false }\n}\n\
                removed {\n  from = terraform_data.destroyed\n  lifecycle { destroy = true }\n}\n",
        tainted: None,
    },
    Change {
        name: "outputs",
        before: "resource \"terraform_data\" \"a\" { input = \"one\" }\noutput \"same\" { value = { a = [1] } }\n\
                 output \"changed\" { value = 1 }\noutput \"gone\" { value = \"g\" }\noutput \"null\" { value = \"n\" }\n\
                 output \"unknown\" { value = terraform_data.a.output }\n\
                 output \"secret\" {\n  value     = \"one\"\n  sensitive = true\n}\n",
        after: "resource \"terraform_data\" \"a\" { input = \"two\" }\noutput \"same\" { value = { a = [1] } }\n\
                output \"changed\" { value = 2 }\noutput \"new\" { value = 1 }\noutput \"null\" { value = null }\n\
                output \"unknown\" { value = terraform_data.a.output }\n\
                output \"secret\" {\n  value     = \"two\"\n  sensitive = true\n}\n",
        tainted: None,
    },
    Change {
        name: "modules",
        before: "module \"m\" {\n  source = \"./m\"\n  count  = 2\n  v      = \"one\"\n}\nmodule \"gone\" {\n  source = \"./m\"\n  v = \"g\"\n}\n",
        after: "module \"m\" {\n  source = \"./m\"\n  count  = 1\n  v      = \"two\"\n}\n",
        tainted: None,
    },
    Change {
        name: "lifecycle",
        before: "resource \"terraform_data\" \"source\" { input = 1 }\n\
                 resource \"terraform_data\" \"triggered\" {\n  input = \"t\"\n  lifecycle {\n    replace_triggered_by = [terraform_data.source.input]\n  }\n}\n\
                 resource \"terraform_data\" \"ignored\" {\n  input = 1\n  lifecycle {\n    ignore_changes = [input]\n  }\n}\n",
        after: "resource \"terraform_data\" \"source\" { input = 2 }\n\
                resource \"terraform_data\" \"triggered\" {\n  input = \"t\"\n  lifecycle {\n    replace_triggered_by = [terraform_data.source.input]\n  }\n}\n\
                resource \"terraform_data\" \"ignored\" {\n  input = 2\n  lifecycle {\n    ignore_changes = [input]\n  }\n}\n",
        tainted: None,
    },
    Change {
        name: "tainted objects",
        before: "resource \"terraform_data\" \"a\" { input = 1 }\nresource \"terraform_data\" \"b\" { input = terraform_data.a.id }\n",
        after: "resource \"terraform_data\" \"a\" { input = 1 }\nresource \"terraform_data\" \"b\" { input = terraform_data.a.id }\n",
        tainted: Some("terraform_data.a"),
    },
];

/// The module of the cases that call one.
const MODULE: &str = "variable \"v\" {}\nresource \"terraform_data\" \"inner\" { input = var.v }\n";

/// The parts of the plan document that are compared.
const PARTS: [&str; 4] = ["resource_changes", "output_changes", "prior_state", "planned_values"];

/// One trial for each change; ignored ones where there is no binary.
pub fn trials() -> Vec<Trial> {
    let binary = terraform::find("terraform");
    let trial = |change: &'static Change| {
        let name = format!("state_plans::{}", change.name);
        match binary.clone() {
            Some(binary) => Trial::test(name, move || Ok(compare(&binary, change)?)),
            None => Trial::test(name, || Ok(()))
                .with_kind("skipped: no terraform on PATH")
                .with_ignored_flag(true),
        }
    };
    CHANGES.iter().map(trial).collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the files of a case are written into directories of their own"
)]
fn compare(binary: &Path, change: &Change) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = directory.path();
    std::fs::create_dir_all(path.join("m")).map_err(|error| error.to_string())?;
    let write = |name: &str, text: &str| {
        OsFiles.write_atomic(&path.join(name), text.as_bytes()).map_err(|error| error.to_string())
    };
    let run = |arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let output = states::run(binary, path, &arguments, "")?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr))),
        }
    };
    write("m/main.tf", MODULE)?;
    write("main.tf", change.before)?;
    run(&["init", "-no-color"])?;
    run(&["apply", "-auto-approve", "-no-color"])?;
    if let Some(address) = change.tainted {
        run(&["taint", address])?;
    }
    write("main.tf", change.after)?;
    run(&["get"])?;
    run(&["plan", "-refresh=false", "-no-color", "-out=planned"])?;
    let theirs: Json =
        serde_json::from_slice(&run(&["show", "-json", "planned"])?).map_err(|error| error.to_string())?;
    let text = OsFiles.read(&path.join("terraform.tfstate")).map_err(|error| error.to_string())?;
    let state = state_from_json(&String::from_utf8_lossy(&text)).map_err(|error| error.to_string())?;
    let dialect: Dialect = "terraform-1.11".parse()?;
    let project = Project::new(path).dialect(dialect);
    let stored = plan_from_json(&theirs.to_string()).map_err(|error| error.to_string())?;
    let mut differences = Vec::new();
    for (input, project) in [("state", project.clone().state(state)), ("plan", project.stored_plan(stored))] {
        let report = project.evaluate(&OsFiles);
        let errors: Vec<&str> = report.diagnostics().as_slice().iter().map(|found| &*found.detail).collect();
        if !errors.is_empty() {
            differences.push(format!("from the {input}: {errors:?}"));
        }
        let ours: Json = serde_json::from_str(&report.plan(Secrets::Shown).to_json())
            .map_err(|error| error.to_string())?;
        for part in PARTS {
            let [theirs, ours] = [&theirs, &ours].map(|plan| without_version(&plan[part]));
            if theirs != ours {
                differences
                    .push(format!("{part} from the {input}:\n  terraform: {theirs}\n  terrane:   {ours}"));
            }
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// A part without the version of the product.
fn without_version(part: &Json) -> Json {
    let mut part = part.clone();
    if let Some(object) = part.as_object_mut() {
        object.remove("terraform_version");
    }
    part
}
