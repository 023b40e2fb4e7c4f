//! Explanations in configurations with many instances: with the square of their number as work, these tests would take minutes.

use terrane_source::MemoryFiles;

use crate::{Project, Secrets};

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
