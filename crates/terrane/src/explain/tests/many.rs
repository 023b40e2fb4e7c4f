//! Explanations in configurations with many instances. If the work grew with the square of their number, these tests would take
//! minutes.

use std::sync::Arc;

use terrane_module::InstanceId;
use terrane_source::MemoryFiles;

use crate::explain::builder::Builder;
use crate::{ExplainedLevels, Project, Secrets};

#[test]
fn lines_of_a_block_with_many_instances_are_explained() {
    let text = "resource \"a_b\" \"r\" {\n  count = 40000\n  a = count.index\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    for line in ["main.tf:1", "main.tf:3"] {
        let explained = report.explain(line, Secrets::Hidden, &files).expect(line);
        assert_eq!((explained.targets.len(), explained.is_truncated), (10, true), "{line}");
    }
}

#[test]
fn each_of_many_instances_is_found_at_once() {
    let names: Vec<String> = (0..1000).map(|index| format!("a_b.r[{index}].a")).collect();
    let text = format!(
        "resource \"a_b\" \"r\" {{\n  count = 20000\n  a = count.index + 1\n}}\noutput \"x\" {{\n  value = [{}]\n}}\n",
        names.join(", ")
    );
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let explained = report.explain("output.x", Secrets::Hidden, &files).expect("an output");
    assert!(explained.nodes.len() > 1000);
}

#[test]
fn a_message_names_some_of_many_objects() {
    let all: Vec<String> = (0..20_000).map(|index| format!("a{index} = {index}")).collect();
    let files = MemoryFiles::from_iter([("main.tf", format!("locals {{\n{}\n}}\n", all.join("\n")))]);
    let report = Project::new(".").evaluate(&files);
    let error = report.dependents("main.tf:1", &files).expect_err("several");
    let detail = &error.as_slice()[0].detail;
    assert!(
        detail.contains("`local.a0`, `local.a1`, `local.a2`, `local.a3`, `local.a4` and others."),
        "{detail}"
    );
}

#[test]
fn an_explanation_of_few_levels_has_the_same_text_and_fewer_nodes() {
    let chain = |name: &str| {
        let step = |index: usize| format!("  {name}{index} = upper(local.{name}{})\n", index + 1);
        (0..9).map(step).collect::<String>()
    };
    let text = format!(
        "variable \"v\" {{}}\nvariable \"s\" {{\n  default   = \"x\"\n  sensitive = true\n}}\nlocals {{\n{}{}{}  k9 = \"k\"\n  u9 = var.v\n  \
         s9 = var.s\n  all = [local.k0, local.u0, local.s0]\n}}\n",
        chain("k"),
        chain("u"),
        chain("s")
    );
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let whole = report.explain("local.all", Secrets::Hidden, &files).expect("it exists");
    let cut = report
        .explain_levels("local.all", ExplainedLevels::AtMost(4), Secrets::Hidden, &files)
        .expect("it exists");
    assert_eq!(cut.to_text(4), whole.to_text(4));
    assert!(cut.to_text(4).contains("#   way: local.all <- local.u0 <- local.u1 <- local.u2"));
    let has_known_end = |explanation: &crate::Explanation| {
        explanation.nodes.iter().any(|node| node.address.as_deref() == Some("local.k9"))
    };
    assert!(has_known_end(&whole) && !has_known_end(&cut));
    assert!(cut.nodes.len() < whole.nodes.len(), "{} of {}", cut.nodes.len(), whole.nodes.len());
}

#[test]
fn an_explanation_of_few_levels_ends_where_the_shortest_way_to_a_cause_ends() {
    let chain: String = (0..9).map(|index| format!("  u{index} = upper(local.u{})\n", index + 1)).collect();
    let text = format!(
        "variable \"v\" {{}}\nlocals {{\n{chain}  u9 = var.v\n  all = [local.u0, lower(local.u7)]\n}}\n"
    );
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let report = Project::new(".").evaluate(&files);
    let whole = report.explain("local.all", Secrets::Hidden, &files).expect("it exists");
    let cut = report
        .explain_levels("local.all", ExplainedLevels::AtMost(1), Secrets::Hidden, &files)
        .expect("it exists");
    assert_eq!(cut.to_text(1), whole.to_text(1));
    assert!(cut.to_text(1).contains("#   way: local.all <- local.u7 <- local.u8 <- local.u9 <- var.v\n"));
    let is_u6 = |node: &crate::ExplainNode| node.address.as_deref() == Some("local.u6");
    assert!(whole.nodes.iter().any(is_u6) && !cut.nodes.iter().any(is_u6));
}

/// A text that nobody reads to its end costs more time than the evaluation.
#[test]
fn a_readable_explanation_of_many_values_has_few_levels() {
    let locals = |count: usize| -> String {
        let chains = (0..count).map(|index| {
            format!(
                "  a{index} = upper(local.b{index})\n  b{index} = lower(local.c{index})\n  c{index} = \"x\"\n"
            )
        });
        let names: Vec<String> = (0..count).map(|index| format!("local.a{index}")).collect();
        format!("locals {{\n{}  all = [{}]\n}}\n", chains.collect::<String>(), names.join(", "))
    };
    let explained = |count: usize, levels: ExplainedLevels| {
        let files = MemoryFiles::from_iter([("main.tf", locals(count))]);
        let report = Project::new(".").evaluate(&files);
        report.explain_levels("local.all", levels, Secrets::Hidden, &files).expect("it exists")
    };
    let few = explained(20, ExplainedLevels::Readable);
    assert_eq!(few.levels, 6);
    assert_eq!(few.to_text(6), explained(20, ExplainedLevels::AtMost(6)).to_text(6));
    let many = explained(500, ExplainedLevels::Readable);
    assert_eq!(many.levels, 2);
    let text = many.to_text(6);
    assert_eq!(text, explained(500, ExplainedLevels::AtMost(2)).to_text(2));
    assert_eq!(text.matches("... (--depth shows more)").count(), 500);
    assert_eq!(explained(500, ExplainedLevels::All).levels, usize::MAX);
}

#[test]
fn the_sensitive_names_of_a_large_schema_are_collected_once() {
    let attribute = |index: usize| {
        let is_sensitive = index.is_multiple_of(2);
        format!(r#""a{index}":{{"type":"string","optional":true,"sensitive":{is_sensitive}}}"#)
    };
    let attributes: Vec<String> = (0..4_000).map(attribute).collect();
    let schemas = format!(
        r#"{{"format_version":"1.0","provider_schemas":{{"registry.terraform.io/hashicorp/demo":{{"resource_schemas":{{
        "demo_thing":{{"version":0,"block":{{"attributes":{{{}}}}}}}}}}}}}}}"#,
        attributes.join(",")
    );
    let arguments: String = (0..4_000).map(|index| format!("  a{index} = \"MARKER\"\n")).collect();
    let text = format!("resource \"demo_thing\" \"t\" {{\n{arguments}}}\n");
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let schemas = crate::schemas_from_json(&schemas).expect("schemas");
    let report = Project::new(".").schemas(&schemas).evaluate(&files);
    let builder = Builder::new(&report, Secrets::Hidden, &files);
    let id = builder.module(InstanceId::ROOT).resources.ids().next().expect("a resource");
    let declared = || builder.declared(InstanceId::ROOT, id);
    assert!(declared().sensitive.len() == 2000 && Arc::ptr_eq(&declared(), &declared()));
    let explained = report.explain("demo_thing.t", Secrets::Hidden, &files).expect("a resource");
    assert_eq!(explained.nodes.len(), 4_001);
    let text = explained.to_text(3);
    assert_eq!(text.matches("(sensitive expression)").count(), 2000);
}
