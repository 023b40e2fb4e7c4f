//! Large inputs whose evaluation takes time in proportion to their size, or ends at a limit.

use std::time::Duration;

use cpu_time::ThreadTime;
use libtest_mimic::{Failed, Trial};
use terrane::{PackerTemplate, Project, Secrets, schemas_from_json};
use terrane_source::{MemoryFiles, ids};

/// One trial for each kind of input.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("a chain of data sources of a template", || is_fast(&chain(20_000))),
        Trial::test("builds with names", || is_fast(&builds(40_000, true))),
        Trial::test("builds with the same name", || is_fast(&builds(40_000, false))),
        Trial::test("references to all variables", references_to_all),
        Trial::test("an explanation of instances with large values", explanation_of_instances),
    ]
}

/// Returns data sources of which each refers to the next one.
fn chain(count: usize) -> String {
    let data = |i: usize| {
        format!("data \"null\" \"d{i}\" {{\n input = data.null.d{next}.output\n}}\n", next = i + 1)
    };
    let chain: String = (0..count).map(data).collect();
    format!("{chain}data \"null\" \"d{count}\" {{\n input = \"x\"\n}}\n")
}

fn builds(count: usize, distinct: bool) -> String {
    let name = |i: usize| if distinct { i } else { 0 };
    let build = |i| format!("build {{\n sources = [\"null.x\"]\n name = \"b{}\"\n}}\n", name(i));
    let builds: String = (0..count).map(build).collect();
    format!("source \"null\" \"x\" {{\n communicator = \"none\"\n}}\n{builds}")
}

/// The evaluation of a template and its graph have no errors and take little time.
fn is_fast(text: &str) -> Result<(), Failed> {
    let files = MemoryFiles::from_iter([("a.pkr.hcl", text)]);
    let template = PackerTemplate::new(".");
    // Processor time, because the clock includes other programs.
    let start = ThreadTime::now();
    let report = template.evaluate(&files);
    let outline = template.outline(&files);
    let taken = start.elapsed();
    if report.has_errors() || outline.diagnostics.has_errors() {
        return Err(format!("{:?}", report.diagnostics().as_slice().first()).into());
    }
    // Without optimisation everything takes many times as long.
    let most = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
    if taken > most { Err(format!("it takes {taken:?}").into()) } else { Ok(()) }
}

/// The graph leaves out the dependencies beyond a limit, and says so.
fn references_to_all() -> Result<(), Failed> {
    let variables: String =
        (0..1500).map(|i| format!("variable \"v{i}\" {{\n default = \"x\"\n}}\n")).collect();
    let locals: String = (0..1500).map(|i| format!("l{i} = length(var)\n")).collect();
    let text = format!("{variables}locals {{\n{locals}}}\n");
    let document = PackerTemplate::new(".").outline(&MemoryFiles::from_iter([("a.pkr.hcl", text)]));
    let found = document.diagnostics.as_slice().first();
    if found.is_some_and(|found| found.id == ids::LIMIT_EXCEEDED) {
        Ok(())
    } else {
        Err(format!("{found:?}").into())
    }
}

/// Returns the schemas of a resource type with blocks of this number of optional and computed attributes.
fn schemas(nesting: &str, count: usize) -> String {
    let attributes: Vec<String> = (0..count)
        .map(|i| format!("\"a{i}\":{{\"type\":\"string\",\"optional\":true,\"computed\":true}}"))
        .collect();
    format!(
        "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/hashicorp/a\":{{\"resource_schemas\":\
         {{\"a_b\":{{\"version\":0,\"block\":{{\"block_types\":{{\"b\":{{\"nesting_mode\":\"{nesting}\",\"block\":\
         {{\"attributes\":{{{}}}}}}}}}}}}}}}}}}}}}",
        attributes.join(",")
    )
}

/// An explanation makes the value of an instance that shares its value with others once, within its limit.
fn explanation_of_instances() -> Result<(), Failed> {
    let text = "resource \"a_b\" \"c\" {\n  dynamic \"b\" {\n    for_each = range(100)\n    content {}\n  }\n  count = 100\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let schemas = schemas_from_json(&schemas("list", 1000)).map_err(|error| error.to_string())?;
    let report = Project::new(".").schemas(&schemas).evaluate(&files);
    let start = ThreadTime::now();
    let explanation = report.explain("a_b.c", Secrets::Hidden, &files);
    let taken = start.elapsed();
    let most = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
    match explanation {
        Err(found) => Err(format!("{:?}", found.as_slice().first()).into()),
        Ok(explanation) if !explanation.is_truncated => Err("nothing is left out".into()),
        Ok(_) if taken > most => Err(format!("it takes {taken:?}").into()),
        Ok(_) => Ok(()),
    }
}
