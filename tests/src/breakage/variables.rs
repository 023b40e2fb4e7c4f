//! One syntax error at a random place of a variable file or of a JSON file with local values: none gets another value, and only those that the error
//! touches lose theirs.

use terrane::{MemoryFiles, Project, Report};
use terrane_source::{Diagnostic, FileId, SourceFile, ids};
use terrane_syntax::{Syntax, parse_body, parse_json};

use super::PLACES;
use super::edit::{Edit, Random};

/// Values of many forms, one for each variable.
const NATIVE: &[&str] = &[
    "\"text ${1}\"",
    "42",
    "[1, 2, 3]",
    "[\n  \"a\",\n  \"b\",\n]",
    "{\n  region = \"eu\"\n  sizes  = [1, 2]\n}",
    "<<EOT\nsome = text\nmore\nEOT",
    "true",
    "{ a = { b = [{ c = 1 }] } }",
];

/// The values of [`NATIVE`] in JSON.
const JSON: &[&str] = &[
    "\"text\"",
    "42",
    "[1, 2, 3]",
    "[\n    \"a\",\n    \"b\"\n  ]",
    "{\n    \"region\": \"eu\",\n    \"sizes\": [1, 2]\n  }",
    "\"some\\nmore\"",
    "true",
    "{ \"a\": { \"b\": [{ \"c\": 1 }] } }",
];

/// The values of [`NATIVE`] in JSON, indented for a block.
const NESTED_JSON: &[&str] = &[
    "\"text\"",
    "42",
    "[1, 2, 3]",
    "[\n      \"a\",\n      \"b\"\n    ]",
    "{\n      \"region\": \"eu\",\n      \"sizes\": [1, 2]\n    }",
    "\"some\\nmore\"",
    "true",
    "{ \"a\": { \"b\": [{ \"c\": 1 }] } }",
];

/// The number of variables.
const VARIABLES: usize = 24;

/// The value of a variable.
fn form(forms: &'static [&'static str], number: usize) -> &'static str {
    forms.iter().cycle().nth(number).copied().unwrap_or_default()
}

/// A file of values with the places of its items.
pub(super) struct VariableFile {
    name: &'static str,
    text: String,
    /// The first and the last byte of the value of each variable, with its name.
    items: Vec<(usize, usize)>,
}

impl VariableFile {
    pub(super) fn native() -> VariableFile {
        VariableFile::of("terraform.tfvars", "", "", |number| {
            (format!("v{number} = "), form(NATIVE, number), "\n")
        })
    }

    pub(super) fn json() -> VariableFile {
        VariableFile::of("terraform.tfvars.json", "{\n", "\n}\n", |number| {
            let end = if number + 1 < VARIABLES { ",\n" } else { "" };
            (format!("  \"v{number}\": "), form(JSON, number), end)
        })
    }

    /// Local values in a file of configuration in JSON.
    pub(super) fn json_locals() -> VariableFile {
        VariableFile::of("values.tf.json", "{\n  \"locals\": {\n", "\n  }\n}\n", |number| {
            let end = if number + 1 < VARIABLES { ",\n" } else { "" };
            (format!("    \"v{number}\": "), form(NESTED_JSON, number), end)
        })
    }

    fn of(
        name: &'static str,
        start: &str,
        end: &str,
        item: impl Fn(usize) -> (String, &'static str, &'static str),
    ) -> VariableFile {
        let (mut text, mut items) = (start.to_owned(), Vec::new());
        for number in 0..VARIABLES {
            let (head, value, separator) = item(number);
            let first = text.len();
            text.push_str(&head);
            text.push_str(value);
            text.push_str(separator);
            items.push((first, text.len()));
        }
        text.push_str(end);
        VariableFile { name, text, items }
    }

    fn report(&self, text: &str) -> Report {
        let root = if self.name.contains(".tf.") { "local" } else { "var" };
        let main: String = (0..VARIABLES)
            .map(|number| format!("variable \"v{number}\" {{ default = \"default\" }}\noutput \"v{number}\" {{ value = {root}.v{number} }}\n"))
            .collect();
        Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", main.as_str()), (self.name, text)]))
    }

    fn is_broken(&self, text: &str) -> bool {
        let source = SourceFile::new(FileId::new(self.name), text);
        let found = match self.name.ends_with(".json") {
            true => parse_json(&source).diagnostics,
            false => parse_body(&source).diagnostics,
        };
        found.iter().any(Diagnostic::is_error)
    }

    /// Breaks the file at random places.
    pub(super) fn break_it(&self) -> Result<(), String> {
        let before = self.report(&self.text);
        assert!(!before.has_errors(), "{:?}", before.diagnostics());
        let mut random = Random::of(self.name);
        let syntax = Syntax::of_file(&FileId::new(self.name));
        let (mut failures, mut done, mut kept) = (Vec::new(), 0, 0);
        while done < PLACES {
            let edit = Edit::random(&self.text, syntax, &mut random);
            let broken = edit.apply(&self.text);
            if !self.is_broken(&broken) {
                continue;
            }
            done += 1;
            let after = self.report(&broken);
            let (found, lost) = self.compare(&edit, &before, &after);
            kept += VARIABLES - lost;
            if !found.is_empty() {
                failures.push(format!("{}\n  {}", edit.describe(&self.text), found.join("\n  ")));
            }
        }
        match failures.is_empty() {
            true if kept < PLACES * VARIABLES / 2 => Err(format!("only {kept} values stay")),
            true => Ok(()),
            false => Err(format!("{} of {PLACES} places:\n{}", failures.len(), failures.join("\n"))),
        }
    }

    /// Whether an edit may cost a variable its value: it is in the item or beside it, before it in or behind a heredoc that it
    /// opens or closes, or gives another item its name; or the brace is gone that all items of the file are in.
    fn is_touched(&self, number: usize, edit: &Edit, broken: &str) -> bool {
        let is_met = |position: usize| {
            let item = self.items.get(position);
            let is_last = position + 1 == self.items.len();
            item.is_some_and(|(first, last)| (edit.start <= *last + 1 || is_last) && *first <= edit.end + 1)
        };
        let is_heredoc = |position: &usize| form(NATIVE, *position).starts_with("<<");
        let name = format!("v{number}");
        let is_named = |line: &str| line.split(|found: char| !found.is_alphanumeric()).next() == Some(&*name);
        let assigned = broken.lines().filter(|line| is_named(line)).count();
        let is_in_head = self.items.first().is_some_and(|(first, _)| edit.start < *first);
        is_in_head
            || [number.checked_sub(1), Some(number), Some(number + 1)].into_iter().flatten().any(is_met)
            || (0..number).filter(is_heredoc).any(|position| is_met(position) || is_met(position + 1))
            || assigned > 1
            || broken.matches(&format!("\"v{number}\"")).count() > 1
    }

    /// The differences that the edit does not explain, and the number of values that are lost.
    fn compare(&self, edit: &Edit, before: &Report, after: &Report) -> (Vec<String>, usize) {
        let (mut found, mut lost) = (Vec::new(), 0);
        let broken = edit.apply(&self.text);
        for number in 0..self.items.len() {
            let name = format!("v{number}");
            let (Some(old), Some(new)) = (before.output(&name), after.output(&name)) else { continue };
            let is_lost = !new.is_wholly_known();
            lost += usize::from(is_lost);
            let is_touched = self.is_touched(number, edit, &broken);
            match (is_lost, is_touched) {
                (false, _) if !old.same(new) && !is_touched => found.push(format!("another value: {name}")),
                (true, false) => found.push(format!("lost: {name}")),
                (_, _) => {}
            }
        }
        let allowed = |diagnostic: &Diagnostic| {
            let file = diagnostic.subject.as_ref().map(|subject| subject.file.id().to_string());
            let syntax = file.as_deref() == Some(self.name);
            syntax && ![ids::UNDECLARED_VALUE, ids::UNDECLARED_VALUES].contains(&diagnostic.id)
        };
        // An edit can remove the name of a local value.
        let is_gone = |diagnostic: &Diagnostic| {
            diagnostic.id == ids::UNDECLARED_LOCAL
                && (0..VARIABLES).any(|number| {
                    diagnostic.detail.contains(&format!("\"v{number}\""))
                        && !broken.contains(&format!("\"v{number}\""))
                })
        };
        let new = after.diagnostics().as_slice().iter();
        let new = new.filter(|diagnostic| !allowed(diagnostic) && !is_gone(diagnostic));
        found.extend(new.map(|diagnostic| format!("new: {}", diagnostic.detail)));
        (found, lost)
    }
}
