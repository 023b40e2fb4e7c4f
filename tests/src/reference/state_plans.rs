//! Compares plans that begin with a state with those of a `terraform` binary: a configuration is applied, changed and planned
//! again. The plan document of the binary, read again, must give the values in it. Only the built-in provider is used, so nothing is downloaded.

use std::collections::BTreeMap;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Map, Value as Json};
use terrane::{Dialect, Project, Secrets, plan_from_json, state_from_json};
use terrane_source::{Files as _, OsFiles};
use terrane_value::{Value, json};

use super::terraform::{self, Place};

/// A configuration before and after a change.
struct Change {
    name: &'static str,
    before: &'static str,
    after: &'static str,
    between: Between,
}

/// An event between both.
#[derive(Clone, Copy)]
enum Between {
    Nothing,
    /// This object is marked as tainted.
    Taint(&'static str),
    /// An apply has failed, so that the objects of the resources with these names are left to destroy; of those that begin with `both`
    /// beside the current ones.
    Depose(&'static [&'static str]),
}

/// Resources of which one has `create_before_destroy`, behind a variable `t` that replaces them.
macro_rules! ordered {
    () => {
        r#"
resource "terraform_data" "base" { triggers_replace = var.t }
locals { via = terraform_data.base.id }
resource "terraform_data" "middle" {
  input            = local.via
  triggers_replace = var.t
}
resource "terraform_data" "first" {
  input            = terraform_data.middle.id
  triggers_replace = var.t
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "dependent" {
  input            = terraform_data.first.id
  triggers_replace = var.t
}
resource "terraform_data" "triggered" {
  lifecycle {
    replace_triggered_by  = [terraform_data.first]
    create_before_destroy = true
  }
}
resource "terraform_data" "argument" { triggers_replace = var.t }
resource "terraform_data" "of_module" { triggers_replace = var.t }
resource "terraform_data" "unused" { triggers_replace = var.t }
module "f" {
  source     = "./f"
  v          = terraform_data.argument.id
  w          = terraform_data.unused.id
  t          = var.t
  depends_on = [terraform_data.of_module]
}
module "g" {
  source = "./f"
  v      = 1
  t      = var.t
}
resource "terraform_data" "behind_module" {
  triggers_replace = var.t
  input            = module.g.id
}
"#
    };
}
const CHANGES: [Change; 14] = [
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
        between: Between::Nothing,
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
        between: Between::Nothing,
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
        between: Between::Nothing,
    },
    Change {
        name: "moved and destroyed",
        before: "resource \"terraform_data\" \"old\" {\n  count = 2\n  input = 1\n}\n",
        after: "resource \"terraform_data\" \"new\" {\n  count = 1\n  input = 1\n}\n\
                moved {\n  from = terraform_data.old\n  to   = terraform_data.new\n}\n",
        between: Between::Nothing,
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
        between: Between::Nothing,
    },
    Change {
        name: "modules",
        before: "module \"m\" {\n  source = \"./m\"\n  count  = 2\n  v      = \"one\"\n}\nmodule \"gone\" {\n  source = \"./m\"\n  v = \"g\"\n}\n",
        after: "module \"m\" {\n  source = \"./m\"\n  count  = 1\n  v      = \"two\"\n}\n",
        between: Between::Nothing,
    },
    Change {
        name: "lifecycle",
        before: "resource \"terraform_data\" \"source\" { input = 1 }\n\
                 resource \"terraform_data\" \"triggered\" {\n  input = \"t\"\n  lifecycle {\n    replace_triggered_by = [terraform_data.source.input]\n  }\n}\n\
                 resource \"terraform_data\" \"ignored\" {\n  input = 1\n  lifecycle {\n    ignore_changes = [input]\n  }\n}\n",
        after: "resource \"terraform_data\" \"source\" { input = 2 }\n\
                resource \"terraform_data\" \"triggered\" {\n  input = \"t\"\n  lifecycle {\n    replace_triggered_by = [terraform_data.source.input]\n  }\n}\n\
                resource \"terraform_data\" \"ignored\" {\n  input = 2\n  lifecycle {\n    ignore_changes = [input]\n  }\n}\n",
        between: Between::Nothing,
    },
    Change {
        name: "tainted objects",
        before: "resource \"terraform_data\" \"a\" { input = 1 }\nresource \"terraform_data\" \"b\" { input = terraform_data.a.id }\n",
        after: "resource \"terraform_data\" \"a\" { input = 1 }\nresource \"terraform_data\" \"b\" { input = terraform_data.a.id }\n",
        between: Between::Taint("terraform_data.a"),
    },
    Change {
        name: "create_before_destroy",
        before: ORDERED,
        after: concat!("variable \"t\" { default = 2 }\n", ordered!()),
        between: Between::Nothing,
    },
    Change {
        name: "prevent_destroy",
        before: "resource \"terraform_data\" \"kept\" {\n  triggers_replace = 1\n  lifecycle { prevent_destroy = true }\n}\n\
                 resource \"terraform_data\" \"reader\" { input = terraform_data.kept.id }\n\
                 resource \"terraform_data\" \"other\" { input = 1 }\n\
                 resource \"terraform_data\" \"counted\" {\n  count = 2\n  lifecycle { prevent_destroy = true }\n}\n\
                 resource \"terraform_data\" \"updated\" {\n  input = 1\n  lifecycle { prevent_destroy = true }\n}\n",
        after: "resource \"terraform_data\" \"kept\" {\n  triggers_replace = 2\n  lifecycle { prevent_destroy = true }\n}\n\
                resource \"terraform_data\" \"reader\" { input = terraform_data.kept.id }\n\
                resource \"terraform_data\" \"other\" { input = 2 }\n\
                resource \"terraform_data\" \"counted\" {\n  count = 1\n  lifecycle { prevent_destroy = true }\n}\n\
                resource \"terraform_data\" \"updated\" {\n  input = 2\n  lifecycle { prevent_destroy = true }\n}\n",
        between: Between::Nothing,
    },
    Change {
        name: "prevent_destroy in modules and blocks that are gone",
        before: "module \"p\" {\n  source = \"./p\"\n  count  = 2\n}\n\
                 resource \"terraform_data\" \"gone\" {\n  lifecycle { prevent_destroy = true }\n}\n",
        after: "module \"p\" {\n  source = \"./p\"\n  count  = 1\n}\n",
        between: Between::Nothing,
    },
    Change {
        name: "types alone",
        before: "resource \"terraform_data\" \"list\" { input = [1, 2] }\nresource \"terraform_data\" \"number\" { input = \"1\" }\n\
                 resource \"terraform_data\" \"replaced\" { triggers_replace = [1] }\n\
                 resource \"terraform_data\" \"set\" { input = toset([\"a\"]) }\noutput \"list\" { value = [1] }\n",
        after: "resource \"terraform_data\" \"list\" { input = tolist([1, 2]) }\nresource \"terraform_data\" \"number\" { input = 1 }\n\
                resource \"terraform_data\" \"replaced\" { triggers_replace = tolist([1]) }\n\
                resource \"terraform_data\" \"set\" { input = [\"a\"] }\noutput \"list\" { value = tolist([1]) }\n",
        between: Between::Nothing,
    },
    Change {
        name: "sensitivity alone",
        before: "variable \"s\" { default = \"a\" }\nvariable \"t\" {\n  default = \"b\"\n  sensitive = true\n}\n\
                 resource \"terraform_data\" \"gains\" { input = { x = var.s, y = [var.s] } }\n\
                 resource \"terraform_data\" \"loses\" { input = [var.t] }\n\
                 resource \"terraform_data\" \"reader\" { input = terraform_data.gains.output }\n\
                 resource \"terraform_data\" \"keeps\" { input = sensitive(toset([\"a\"])) }\n\
                 output \"gains\" { value = \"x\" }\noutput \"loses\" {\n  value     = \"x\"\n  sensitive = true\n}\n",
        after: "variable \"t\" { default = \"b\" }\nvariable \"s\" {\n  default = \"a\"\n  sensitive = true\n}\n\
                resource \"terraform_data\" \"gains\" { input = { x = var.s, y = [var.s] } }\n\
                resource \"terraform_data\" \"loses\" { input = [var.t] }\n\
                resource \"terraform_data\" \"reader\" { input = terraform_data.gains.output }\n\
                resource \"terraform_data\" \"keeps\" { input = sensitive(toset([\"a\"])) }\n\
                output \"loses\" { value = \"x\" }\noutput \"gains\" {\n  value     = \"x\"\n  sensitive = true\n}\n",
        between: Between::Nothing,
    },
    Change {
        name: "deposed objects",
        before: "resource \"terraform_data\" \"both\" { input = 1 }\nresource \"terraform_data\" \"alone\" { input = 1 }\n\
                 resource \"terraform_data\" \"gone\" { input = 1 }\nresource \"terraform_data\" \"both_moved\" { input = 1 }\n\
                 resource \"terraform_data\" \"both_counted\" {\n  count = 2\n  input = 1\n}\n",
        after: "resource \"terraform_data\" \"both\" {\n  input = 1\n  lifecycle { prevent_destroy = true }\n}\n\
                resource \"terraform_data\" \"alone\" { input = 1 }\nresource \"terraform_data\" \"new_name\" { input = 1 }\n\
                moved {\n  from = terraform_data.both_moved\n  to   = terraform_data.new_name\n}\n\
                resource \"terraform_data\" \"both_counted\" {\n  count = 1\n  input = 1\n}\n",
        between: Between::Depose(&["both", "alone", "gone", "both_moved", "both_counted"]),
    },
];

const ORDERED: &str = concat!("variable \"t\" { default = 1 }\n", ordered!());

/// The module whose resource is created first.
const FIRST: &str = "variable \"v\" {}\nvariable \"w\" { default = null }\nvariable \"t\" {}\n\
                     resource \"terraform_data\" \"inner\" {\n  input            = var.v\n  triggers_replace = var.t\n  \
                     lifecycle { create_before_destroy = true }\n}\n\
                     resource \"terraform_data\" \"plain\" { triggers_replace = var.w }\n\
                     output \"id\" { value = terraform_data.inner.id }\n";

/// The module whose resource is not destroyed.
const PREVENTING: &str =
    "resource \"terraform_data\" \"inner\" {\n  lifecycle { prevent_destroy = true }\n}\n";

/// The module of the cases that call one.
const MODULE: &str = "variable \"v\" {}\nresource \"terraform_data\" \"inner\" { input = var.v }\n";

/// The parts of the plan document that are compared.
const PARTS: [&str; 7] = [
    "resource_changes",
    "output_changes",
    "prior_state",
    "planned_values",
    "applyable",
    "complete",
    "errored",
];

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
    let write = |name: &str, text: &str| {
        OsFiles.write_atomic(&path.join(name), text.as_bytes()).map_err(|error| error.to_string())
    };
    let run = |arguments: &[&str]| {
        let output = Place { binary, directory: path, environment: &[] }.run(arguments, "")?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr))),
        }
    };
    for (name, text) in [("m", MODULE), ("f", FIRST), ("p", PREVENTING)] {
        std::fs::create_dir_all(path.join(name)).map_err(|error| error.to_string())?;
        write(&format!("{name}/main.tf"), text)?;
    }
    write("main.tf", change.before)?;
    run(&["init", "-no-color"])?;
    run(&["apply", "-auto-approve", "-no-color"])?;
    let read_state = || OsFiles.read(&path.join("terraform.tfstate")).map_err(|error| error.to_string());
    match change.between {
        Between::Nothing => {}
        Between::Taint(address) => _ = run(&["taint", address])?,
        Between::Depose(names) => write("terraform.tfstate", &deposed(&read_state()?, names)?)?,
    }
    write("main.tf", change.after)?;
    run(&["get"])?;
    // A plan with errors is written, too.
    if let Err(error) = run(&["plan", "-refresh=false", "-no-color", "-out=planned"])
        && !error.contains("Instance cannot be destroyed")
    {
        return Err(error);
    }
    let theirs: Json =
        serde_json::from_slice(&run(&["show", "-json", "planned"])?).map_err(|error| error.to_string())?;
    let state =
        state_from_json(&String::from_utf8_lossy(&read_state()?)).map_err(|error| error.to_string())?;
    let dialect: Dialect = "terraform-1.11".parse()?;
    let project = Project::new(path).dialect(dialect);
    let mut differences = unlike_document(&project, &theirs)?;
    let report = project.state(state).evaluate(&OsFiles);
    let errors: Vec<&str> = report.diagnostics().as_slice().iter().map(|found| &*found.detail).collect();
    if !errors.is_empty() {
        differences.push(format!("from the state: {errors:?}"));
    }
    let plan = report.plan(Secrets::Shown, &OsFiles).map_err(|reason| reason.to_string())?;
    let ours: Json = serde_json::from_str(&plan.to_json()).map_err(|error| error.to_string())?;
    for part in PARTS {
        let [theirs, ours] = [&theirs, &ours].map(|plan| without_version(&plan[part]));
        if theirs != ours {
            differences.push(format!("{part}:\n  terraform: {theirs}\n  terrane:   {ours}"));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// The planned objects and outputs of a document that the evaluation with this document has otherwise. A document with errors must be
/// refused.
fn unlike_document(project: &Project, document: &Json) -> Result<Vec<String>, String> {
    let stored = match (plan_from_json(&document.to_string()), document["errored"] == true) {
        (Ok(stored), false) => stored,
        (Err(_), true) => return Ok(Vec::new()),
        (Ok(_), true) => return Ok(vec!["a plan with errors is read".to_owned()]),
        (Err(error), false) => return Err(error.to_string()),
    };
    let report = project.clone().stored_plan(stored).evaluate(&OsFiles);
    let found = report.diagnostics().as_slice().iter();
    let mut differences: Vec<String> =
        found.map(|found| format!("from the plan: {}", found.detail)).collect();
    let values: BTreeMap<String, Value> =
        report.entries().into_iter().map(|entry| (entry.address.to_string(), entry.value)).collect();
    let mut compare = |address: &str, value: Option<&Value>, change: &Json, name: &str| {
        let part = |whole: &Json| if name.is_empty() { whole.clone() } else { whole[name].clone() };
        let (after, unknown) = (part(&change["after"]), part(&change["after_unknown"]));
        let value = value.map(|value| value.unmark_deep().0);
        let is_same = match value.as_ref().filter(|value| value.is_wholly_known()) {
            Some(value) => json::encode(value).ok().and_then(|text| text.parse().ok()) == Some(after.clone()),
            None => unknown.to_string().contains("true"),
        };
        if !is_same {
            differences.push(format!("{address} {name}: {value:?} is not {after}, unknown {unknown}"));
        }
    };
    for changed in document["resource_changes"].as_array().into_iter().flatten() {
        let address = changed["address"].as_str().ok_or("a change has no address")?;
        let is_deposed = changed.get("deposed").is_some();
        let after = changed.pointer("/change/after").and_then(Json::as_object).filter(|_| !is_deposed);
        for name in after.into_iter().flat_map(Map::keys) {
            let object = values.get(address).and_then(Value::known_attributes);
            compare(address, object.and_then(|object| object.get(name)), &changed["change"], name);
        }
    }
    for (name, change) in document["output_changes"].as_object().into_iter().flatten() {
        if !change["actions"].to_string().contains("delete") {
            compare(&format!("output.{name}"), values.get(&format!("output.{name}")), change, "");
        }
    }
    Ok(differences)
}

/// The state with deposed objects of the resources with these names.
fn deposed(state: &[u8], names: &[&str]) -> Result<String, String> {
    let mut state: Json = serde_json::from_slice(state).map_err(|error| error.to_string())?;
    let resources = state.get_mut("resources").and_then(Json::as_array_mut);
    for resource in resources.ok_or("the state has no resources")? {
        let name = resource.get("name").and_then(Json::as_str).unwrap_or_default().to_owned();
        let instances = resource.get_mut("instances").and_then(Json::as_array_mut);
        let instances = instances.ok_or("a resource has no instances")?;
        if !names.contains(&name.as_str()) {
            continue;
        }
        let mut left = instances.clone();
        for (number, instance) in left.iter_mut().enumerate() {
            let id = instance.pointer_mut("/attributes/id").ok_or("an object has no id")?;
            *id = format!("left-{number}").into();
            let instance = instance.as_object_mut().ok_or("an instance is no object")?;
            instance.insert("deposed".to_owned(), format!("0000000{number}").into());
        }
        match name.starts_with("both") {
            true => instances.extend(left),
            false => *instances = left,
        }
    }
    Ok(state.to_string())
}

/// A part without the version of the product.
fn without_version(part: &Json) -> Json {
    let mut part = part.clone();
    if let Some(object) = part.as_object_mut() {
        object.remove("terraform_version");
    }
    part
}
