//! Deletions of a name with the equals sign and text behind it: the other local values stay, and what reads the value has no finding, and no
//! false value.

use terrane::{MemoryFiles, Project, Report};
use terrane_source::{Diagnostic, FileId, SourceFile};
use terrane_syntax::parse_body;

/// The name of the value that is broken.
const NAME: &str = "policy_text";

/// Values of many forms, without a word alone, which is read as the beginning of a name.
const VALUES: &[&str] = &[
    "\"text ${1}\"",
    "-12 + 1",
    "[\n    1,\n    2,\n  ]",
    "[\"a\", \"b\"]",
    "{\n    region = \"eu\"\n    sizes  = [1, 2]\n  }",
    "{ b = 1 }",
    "<<-EOT\n    hello = 1\n  EOT",
    "upper(\"x\")",
    "local.zones[0]",
    "local.zones == [] ? 1 : 2",
];

/// Breaks each value in each way.
pub(super) fn break_them() -> Result<(), String> {
    let found: Vec<String> = VALUES.iter().flat_map(|value| break_value(value)).collect();
    match found.is_empty() {
        true => Ok(()),
        false => Err(format!("{} edits:\n{}", found.len(), found.join("\n"))),
    }
}

fn break_value(value: &str) -> Vec<String> {
    let item = format!("{NAME} = {value}");
    let whole = report(&text_of(&item));
    assert!(!whole.has_errors(), "{:?}", whole.diagnostics());
    // Of a value on several lines, the first line stays, and of any value a bracket that opens and is not closed before the end.
    let opened = value.find(['[', '{', '(', '\n']).unwrap_or(value.len() - 1);
    let last = NAME.len() + 3 + if value.contains('\n') { 0 } else { opened };
    let pieces = (0..=NAME.len()).flat_map(|start| (NAME.len() + 2..=last).map(move |end| (start, end)));
    let edited =
        pieces.filter_map(|(start, end)| Some(format!("{}{}", item.get(..start)?, item.get(end..)?)));
    let broken = edited.filter(|item| {
        let source = SourceFile::new(FileId::new("broken.tf"), text_of(item));
        parse_body(&source).diagnostics.iter().any(Diagnostic::is_error)
    });
    broken.filter_map(|item| wrong(&item, &whole)).collect()
}

fn text_of(item: &str) -> String {
    format!("locals {{\n  zones = [1]\n  {item}\n  behind = 1\n}}\n")
}

fn report(text: &str) -> Report {
    let reader = format!(
        "output \"zones\" {{\n  value = local.zones\n}}\noutput \"behind\" {{\n  value = local.behind\n}}\n\
         output \"whole\" {{\n  value = local.{NAME}\n}}\noutput \"tried\" {{\n  value = try(local.{NAME}, \"lost\")\n}}\n"
    );
    Project::new(".").evaluate(&MemoryFiles::from_iter([("broken.tf", text), ("reader.tf", reader.as_str())]))
}

/// What another file finds or knows wrongly after an edit.
fn wrong(item: &str, whole: &Report) -> Option<String> {
    let report = report(&text_of(item));
    let elsewhere = report.diagnostics().as_slice().iter().filter(|found| {
        let subject = found.subject.as_ref();
        subject.is_none_or(|subject| !subject.file.id().path().ends_with("broken.tf"))
    });
    let new = elsewhere.map(|found| format!("new: {}", found.id));
    let is_false = |name: &&str| {
        let (old, value) = (whole.output(name), report.output(name));
        let is_same = old.is_some_and(|old| value.is_some_and(|value| old.same(value)));
        !is_same && (value.is_some_and(terrane_value::Value::is_known) || !["whole", "tried"].contains(name))
    };
    let known = ["zones", "behind", "whole", "tried"].into_iter().filter(is_false);
    let found: Vec<String> = new.chain(known.map(|name| format!("value: {name}"))).collect();
    found.first().map(|found| format!("{item:?}: {found}"))
}
