//! `terrane eval -recursive`: evaluates every root module below a directory.

use std::collections::BTreeSet;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use terrane::function::Limits;
use terrane::source::{FileId, ids};
use terrane::value::counted;
use terrane::{
    Diagnostic, Diagnostics, EvaluatedRoot, Files, FoundRoot, ModuleMap, Report, RootOptions, RootStatus,
    RootVariables, Roots, Secrets, check_printable,
};

use super::held::{Held, held_nowhere};
use super::options::Eval;
use super::output::{help_with_errors, summary};
use super::report;
use crate::count::by_severity;
use crate::exit::FAILURE;
use crate::progress::Watch;
use crate::project::project;
use crate::read_inputs::ReadInputs;
use crate::select::{addressed, unmet};
use crate::terminal::Terminal;
use crate::wrong_arguments;

/// The most directories that a message names.
const MAX_NAMES: usize = 4;

/// The most bytes of the messages of all roots together. Each root has the same share.
const MAX_BYTES: usize = 64 << 20;

/// A root with its output.
struct Outcome {
    evaluated: EvaluatedRoot,
    files: Vec<FileId>,
    variables: RootVariables,
    /// The values as text. `None` if they are left out because of errors.
    text: Option<String>,
    /// The messages about options for variables that the root does not declare.
    undeclared: Diagnostics,
    /// The addresses of the command line that exist in the root. `None` if they were not looked for because of errors.
    held: Option<Held>,
}

/// Finds and evaluates the roots, and prints their values or their report.
pub(super) fn run(
    eval: &Eval,
    inputs: &ReadInputs<'_>,
    limits: &Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let files = inputs.sources.files;
    let watch = Watch::start();
    let mut options = RootOptions::default();
    options.all = eval.all;
    options.dialect = eval.inputs.dialect;
    let mut found = Roots::find(&eval.dir, options, files);
    // A line of a module map may be meant for one of the roots.
    let map = ModuleMap::default().for_several_roots();
    let with_inputs = |root: &FoundRoot| {
        project(&root.directory, inputs, root.dialect).limits(limits.clone()).module_map(map.clone())
    };
    let share = MAX_BYTES / found.roots.len().max(1);
    let mut outcomes = found.evaluate(files, with_inputs, |_, report| {
        let mut outcome = Outcome::of(eval, &report, files);
        let found = &mut outcome.evaluated.diagnostics;
        *found = mem::take(found).within(share.min(Diagnostics::MAX_BYTES));
        outcome
    });
    declared_nowhere(&mut outcomes);
    hide_secrets_of_others(&mut outcomes, &eval.inputs.values.paths().collect::<Vec<_>>());
    found.diagnostics.extend(addresses_nowhere(eval, &found, &outcomes));
    let duration = watch.stop();
    let mut all = found.diagnostics.clone();
    all.extend(outcomes.iter().flat_map(|outcome| outcome.evaluated.diagnostics.clone()));
    let mut all = all.distinct();
    all.sort();
    print(eval, &found, &outcomes, &all, terminal)?;
    let without = without_addresses(eval, &found, &outcomes);
    let evaluated: Vec<EvaluatedRoot> = outcomes.into_iter().map(|outcome| outcome.evaluated).collect();
    if !eval.quiet {
        if roots_with_errors(&found, &evaluated, terminal)? && !eval.keep_going && eval.format.is_none() {
            help_with_errors(terminal)?;
        }
        if !evaluated.is_empty() {
            summary(&Roots::summary(&evaluated), &all, duration, terminal)?;
        }
        if !without.is_empty() {
            let roots = counted(without.len(), "root");
            let has = if without.len() == 1 { "has" } else { "have" };
            terminal.note(&format!("{roots} {has} none of these addresses: {}", named(&without)))?;
        }
        left_out(&found, terminal)?;
    }
    if found.roots.is_empty() {
        wrong_arguments::help_with_order(&eval.dir, |address| format!("eval . {address}"), files, terminal)?;
        terminal.error(&format!("there is no root module in {} or below it", eval.dir.display()))?;
        return Ok(FAILURE);
    }
    Ok(if all.has_errors() { FAILURE } else { 0 })
}

impl Outcome {
    fn of(eval: &Eval, report: &Report, files: &dyn Files) -> Outcome {
        let mut evaluated = EvaluatedRoot::new(report);
        let (undeclared, mut rest): (Vec<Diagnostic>, Vec<Diagnostic>) =
            evaluated.diagnostics.into_iter().partition(|diagnostic| is_undeclared_option(diagnostic, eval));
        let is_broken = rest.iter().any(Diagnostic::is_error);
        let mut held = None;
        if !is_broken || eval.keep_going {
            let has_addresses = !eval.addresses.is_empty() || !eval.require_known.is_empty();
            let entries = if has_addresses { report.entries() } else { Vec::new() };
            let here = Held::of(eval, report, &entries, files);
            rest.extend(unmet(&here.required, &here.addresses, report, &entries, files));
            held = Some(here);
        }
        evaluated.diagnostics = rest.into_iter().collect();
        let mut outcome = Outcome {
            evaluated,
            files: report.files().to_vec(),
            variables: report.root_variables(),
            text: None,
            undeclared: undeclared.into_iter().collect(),
            held: None,
        };
        if let Some(held) = &held
            && eval.format.is_none()
        {
            outcome.add_values(eval, report, held, files);
        }
        Outcome { held, ..outcome }
    }

    /// Adds the values as text or as a document, or the error that prevents it.
    fn add_values(&mut self, eval: &Eval, report: &Report, held: &Held, files: &dyn Files) {
        let secrets = if eval.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
        let is_all = eval.addresses.is_empty();
        let document = match is_all && eval.json {
            true => report.document(secrets),
            false => report.document_of_values(secrets),
        };
        // The entries are only needed to find addresses.
        let entries = if is_all { Vec::new() } else { document.values.to_vec() };
        let selected = addressed(&held.addresses, report, &entries, files).unwrap_or_default();
        let checked = match is_all {
            true => check_printable(document.values.values()),
            false => check_printable(selected.iter().map(|one| &one.value)),
        };
        if let Err(diagnostic) = checked {
            self.evaluated.diagnostics.push(*diagnostic);
            return;
        }
        if !eval.json {
            self.text = Some(if is_all { document.to_text() } else { document.selected_to_text(&selected) });
            return;
        }
        let infinite = document.not_json();
        if infinite.is_empty() {
            self.evaluated.document =
                Some(if is_all { document.to_json() } else { document.selected_to_json(&selected) });
        }
        self.evaluated.diagnostics.extend(infinite);
    }

    /// Whether the root has none of the addresses on the command line.
    fn is_without_addresses(&self, eval: &Eval) -> bool {
        let held = self.held.as_ref();
        !eval.addresses.is_empty() && held.is_some_and(|held| held.addresses.is_empty())
    }
}

/// Returns the errors about addresses that exist in no root.
fn addresses_nowhere(eval: &Eval, found: &Roots, outcomes: &[Outcome]) -> Diagnostics {
    let roots = found.roots.iter().zip(outcomes);
    let asked = roots.filter_map(|(root, outcome)| Some((&*root.directory, outcome.held.as_ref()?)));
    held_nowhere(eval, &asked.collect::<Vec<_>>())
}

/// Returns the directories of the roots without any of the addresses on the command line.
fn without_addresses<'f>(eval: &Eval, found: &'f Roots, outcomes: &[Outcome]) -> Vec<&'f PathBuf> {
    let roots = found.roots.iter().zip(outcomes);
    let without = roots.filter(|(_, outcome)| outcome.is_without_addresses(eval));
    without.map(|(root, _)| &root.directory).collect()
}

/// Whether a message is about a value on the command line for a variable that the root does not declare.
fn is_undeclared_option(diagnostic: &Diagnostic, eval: &Eval) -> bool {
    let is_given = |path: &Path| eval.inputs.values.paths().any(|file| file == path);
    let is_undeclared = [ids::UNDECLARED_VALUE, ids::UNDECLARED_VALUES].contains(&diagnostic.id)
        && diagnostic.subject.as_ref().is_none_or(|subject| is_given(subject.file.id().path()));
    // Values for attributes are only given by options.
    is_undeclared || diagnostic.id == ids::UNUSED_GIVEN_VALUE
}

/// Keeps only the messages about options for undeclared variables that all roots have, because an option may be meant for some
/// of the roots.
fn declared_nowhere(outcomes: &mut [Outcome]) {
    let texts = |outcome: &Outcome| -> BTreeSet<String> {
        outcome.undeclared.as_slice().iter().map(|diagnostic| diagnostic.detail.clone()).collect()
    };
    let Some((first, rest)) = outcomes.split_first() else { return };
    let everywhere = rest.iter().fold(texts(first), |common, other| &common & &texts(other));
    for outcome in outcomes {
        let kept = outcome.undeclared.as_slice().iter().filter(|one| everywhere.contains(&one.detail));
        outcome.evaluated.diagnostics.extend(kept.cloned());
    }
}

/// Removes text of the variable files of the command line that may be secret in another root from the messages.
fn hide_secrets_of_others(outcomes: &mut [Outcome], shared: &[&Path]) {
    let mut secrets = BTreeSet::new();
    outcomes.iter().for_each(|outcome| secrets.extend(outcome.variables.secret.iter().cloned()));
    for Outcome { evaluated, variables, .. } in outcomes {
        evaluated.diagnostics = variables.without_secrets_of_others(&evaluated.diagnostics, shared, &secrets);
    }
}

fn print(
    eval: &Eval,
    found: &Roots,
    outcomes: &[Outcome],
    all: &Diagnostics,
    terminal: &mut Terminal,
) -> io::Result<()> {
    if let Some(format) = eval.format {
        let files: BTreeSet<&FileId> = outcomes.iter().flat_map(|outcome| &outcome.files).collect();
        let files: Vec<FileId> = files.into_iter().cloned().collect();
        return report::write(eval, format, &files, all.as_slice(), terminal);
    }
    terminal.diagnostics(all)?;
    if eval.json {
        let evaluated = || outcomes.iter().map(|outcome| &outcome.evaluated);
        return terminal.written_document(|out| found.write_json(evaluated(), out));
    }
    let roots = found.roots.iter().zip(outcomes);
    let with_values = roots.filter(|(_, outcome)| !outcome.is_without_addresses(eval));
    let sections: Vec<String> = with_values.map(|(root, outcome)| section(root, outcome)).collect();
    terminal.listing(&sections.join("\n"))
}

/// Returns the values of a root below a heading.
fn section(root: &FoundRoot, outcome: &Outcome) -> String {
    let heading = format!("# root {}", root.directory.display());
    match &outcome.text {
        Some(text) => format!("{heading}\n{text}"),
        None => format!("{heading}: {}, no values printed\n", by_severity(&outcome.evaluated.diagnostics)),
    }
}

/// Prints the names of the roots with errors. Returns whether there are any.
fn roots_with_errors(
    found: &Roots,
    evaluated: &[EvaluatedRoot],
    terminal: &mut Terminal,
) -> io::Result<bool> {
    let with_errors = found.roots.iter().zip(evaluated);
    let with_errors = with_errors.filter(|(_, outcome)| outcome.status() == RootStatus::Errors);
    let directories: Vec<&PathBuf> = with_errors.map(|(root, _)| &root.directory).collect();
    let roots = counted(found.roots.len(), "root");
    if directories.is_empty() {
        return terminal.note(&format!("{roots} without errors")).map(|()| false);
    }
    terminal.note(&format!("{roots}, {} with errors: {}", directories.len(), named(&directories)))?;
    Ok(true)
}

/// Prints the names of directories with modules that are not roots.
fn left_out(found: &Roots, terminal: &mut Terminal) -> io::Result<()> {
    let kinds = [
        (&found.libraries, "that nothing calls, without a backend or provider"),
        (&found.examples, "among examples and tests"),
        (&found.templates, "with a Packer template"),
    ];
    if !found.terragrunt.is_empty() {
        let directories: Vec<&PathBuf> = found.terragrunt.iter().collect();
        let roots = counted(directories.len(), "root");
        let note = format!("skipped: {roots} with a terragrunt.hcl: {}", named(&directories));
        terminal.note(&(note + "; Terragrunt gives the inputs"))?;
    }
    for (directories, kind) in kinds {
        if !directories.is_empty() {
            let directories: Vec<&PathBuf> = directories.iter().collect();
            let number = match directories.len() {
                1 => "1 directory".to_owned(),
                number => format!("{number} directories"),
            };
            terminal.note(&format!("left out: {number} {kind}: {}", named(&directories)))?;
        }
    }
    if found.libraries.is_empty() && found.examples.is_empty() {
        return Ok(());
    }
    terminal.help("`--all` evaluates modules that nothing calls, examples and tests, too")
}

fn named(directories: &[&PathBuf]) -> String {
    let names: Vec<String> =
        directories.iter().take(MAX_NAMES).map(|path| path.display().to_string()).collect();
    let more = if directories.len() > MAX_NAMES { ", ..." } else { "" };
    names.join(", ") + more
}
