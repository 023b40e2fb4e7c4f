//! `terrane eval --matrix`: evaluates a module once for each environment.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use terrane::function::Limits;
use terrane::source::FileId;
use terrane::value::counted;
use terrane::{
    Diagnostic, Diagnostics, Entry, Environment, Files, Matrix, Project, Report, Secrets, Selected,
    check_printable,
};

use super::held::{Held, errors_of_addresses};
use super::options::Eval;
use super::output::{is_short, stopped};
use super::report;
use crate::exit::{FAILURE, USAGE};
use crate::nearby::{is_variable_file, matching, name_of};
use crate::prior_state::StateReader;
use crate::read_inputs::ReadInputs;
use crate::select::{addressed, unmet};
use crate::terminal::Terminal;

/// Evaluates the module in each environment and prints the values that differ.
pub(super) fn run(
    eval: &Eval,
    project: Project,
    environments: Vec<Environment>,
    files: &'static dyn Files,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let Ok(matrix) = Matrix::evaluate(project, environments, files) else { return Ok(FAILURE) };
    let mut diagnostics = matrix.diagnostics();
    let failed = diagnostics.has_errors();
    let stops = failed && !eval.keep_going;
    let columns: Vec<Column> = match stops {
        // Errors may be the reason why values are unknown or missing, so these are not reported in addition.
        true => Vec::new(),
        false => matrix.environments().map(|(_, report)| Column::of(eval, report, files)).collect(),
    };
    let held: Vec<&Held> = columns.iter().map(|column| &column.held).collect();
    let not_held = named(&matrix, &errors_of_addresses(eval, &held));
    let reports = matrix.environments().map(|(_, report)| report);
    let not_known = columns.iter().zip(reports).map(|(column, report)| column.not_known(eval, report, files));
    let not_known: Vec<Diagnostics> = not_known.collect();
    if let Some(format) = eval.format {
        let read = matrix.environments().flat_map(|(_, report)| report.files()).cloned();
        let read: BTreeSet<FileId> = read.collect();
        diagnostics.extend(not_held);
        diagnostics.extend(named(&matrix, &not_known));
        let read: Vec<FileId> = read.into_iter().collect();
        report::write(eval, format, &read, diagnostics.as_slice(), terminal)?;
        return Ok(if diagnostics.has_errors() { FAILURE } else { 0 });
    }
    terminal.diagnostics(&diagnostics)?;
    if stops {
        if !eval.quiet {
            stopped(eval, &diagnostics, terminal)?;
        }
        return Ok(FAILURE);
    }
    terminal.diagnostics(&not_held)?;
    if not_held.has_errors() {
        return Ok(FAILURE);
    }
    let reasons = |found: &Diagnostics| found.as_slice().iter().map(|reason| reason.detail.clone()).collect();
    let matrix = matrix.with_not_known(not_known.iter().map(reasons));
    if !print(eval, &matrix, &columns, files, terminal)? {
        return Ok(FAILURE);
    }
    let unmet = named(&matrix, &not_known);
    terminal.diagnostics(&unmet)?;
    if !eval.quiet {
        summary(eval, &matrix, terminal)?;
    }
    Ok(if failed || unmet.has_errors() { FAILURE } else { 0 })
}

/// Returns the environments, with their states if `--state` names a directory. Returns the exit code instead if the command line
/// is wrong.
pub(super) fn with_states(
    eval: &Eval,
    inputs: &ReadInputs<'_>,
    limits: &Limits,
    terminal: &mut Terminal,
) -> io::Result<Result<Vec<Environment>, u8>> {
    let files = inputs.sources.files;
    if eval.raw {
        terminal.error("the option '--raw' prints one value, but there are several workspaces")?;
        return Ok(Err(USAGE));
    }
    let mut environments = match environments(eval, files) {
        Ok(environments) => environments,
        Err(pattern) => return no_environments(pattern, files, terminal).map(Err),
    };
    let reader = StateReader {
        files,
        limits,
        steps: &Cell::new(limits.steps),
        directory: &eval.dir,
        is_console: false,
        has_environments: true,
    };
    match reader.read_for(&mut environments, inputs) {
        Ok(notes) => notes.iter().try_for_each(|note| terminal.note(note))?,
        Err(error) => return terminal.error(&error).map(|()| Err(USAGE)),
    }
    Ok(Ok(environments))
}

/// Reports a pattern that matches nothing.
fn no_environments(pattern: &str, files: &'static dyn Files, terminal: &mut Terminal) -> io::Result<u8> {
    terminal.error(&format!("no variable file and no directory with variable files matches {pattern:?}"))?;
    let inside = format!("{}/*", pattern.trim_end_matches('/'));
    let found = sets_of(&inside, files).len();
    if found > 0 {
        terminal.help(&format!("`--matrix '{inside}'` matches {}", counted(found, "set")))?;
    }
    Ok(USAGE)
}

/// An environment with its values, where the command line asks for addresses.
struct Column {
    entries: Vec<Entry>,
    held: Held,
}

impl Column {
    fn of(eval: &Eval, report: &Report, files: &dyn Files) -> Column {
        let has_addresses = !eval.addresses.is_empty() || !eval.require_known.is_empty();
        let entries = if has_addresses { report.entries() } else { Vec::new() };
        let held = Held::of(eval, report, &entries, files);
        Column { entries, held }
    }

    /// Returns the errors about values that must be known but are unknown.
    fn not_known(&self, eval: &Eval, report: &Report, files: &dyn Files) -> Diagnostics {
        let held = &self.held.addresses;
        // Without its addresses, the environment has nothing that an option without an address asks for.
        let is_asked =
            |required: &&String| !required.is_empty() || eval.addresses.is_empty() || !held.is_empty();
        let required: Vec<String> = eval.require_known.iter().filter(is_asked).cloned().collect();
        unmet(&required, held, report, &self.entries, files)
    }
}

/// Prints the values as a table or a document. Returns whether they could be printed.
fn print(
    eval: &Eval,
    matrix: &Matrix,
    columns: &[Column],
    files: &dyn Files,
    terminal: &mut Terminal,
) -> io::Result<bool> {
    let secrets = if eval.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    if eval.json {
        for (_, report) in matrix.environments() {
            let infinite = report.document_of_values(secrets).not_json();
            if !infinite.is_empty() {
                terminal.diagnostics(&infinite)?;
                return Ok(false);
            }
        }
    }
    if eval.addresses.is_empty() {
        let table = match eval.json {
            true => matrix.differences(secrets).map(|_| None),
            false => matrix.to_text(secrets).map(Some),
        };
        match &table {
            Ok(Some(table)) => terminal.listing(table)?,
            Ok(None) => terminal.written_document(|out| matrix.write_json(secrets, out))?,
            Err(long) => terminal.diagnostic(long)?,
        }
        return Ok(table.is_ok());
    }
    let reports = matrix.environments().map(|(_, report)| report);
    let selected = columns.iter().zip(reports).map(|(column, report)| {
        addressed(&column.held.addresses, report, &column.entries, files).unwrap_or_default()
    });
    let selected: Vec<Vec<Selected<'_>>> = selected.collect();
    let values = selected.iter().flatten().map(|one| &one.value);
    if !is_short(check_printable(values), terminal)? {
        return Ok(false);
    }
    match eval.json {
        true => terminal.written_document(|out| matrix.write_selected_json(&selected, secrets, out))?,
        false => terminal.listing(&matrix.selected_to_text(&selected, secrets))?,
    }
    Ok(true)
}

/// Returns the errors of all environments, each once with the names of its environments.
fn named(matrix: &Matrix, not_known: &[Diagnostics]) -> Diagnostics {
    let mut all_found: Vec<(Diagnostic, Vec<&str>)> = Vec::new();
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    for ((environment, _), found) in matrix.environments().zip(not_known) {
        for diagnostic in found {
            let position = *positions.entry(format!("{diagnostic:?}")).or_insert(all_found.len());
            match all_found.get_mut(position) {
                Some((_, names)) => names.push(&environment.name),
                None => all_found.push((diagnostic.clone(), vec![&environment.name])),
            }
        }
    }
    let all = matrix.environments().count();
    let named = |(diagnostic, names): (Diagnostic, Vec<&str>)| {
        let environments = match names.as_slice() {
            [name] => format!("environment {name}"),
            several if several.len() == all => "all environments".to_owned(),
            several => format!("environments {}", several.join(", ")),
        };
        Diagnostic { detail: format!("In {environments}: {}", diagnostic.detail), ..diagnostic }
    };
    all_found.into_iter().map(named).collect()
}

fn summary(eval: &Eval, matrix: &Matrix, terminal: &mut Terminal) -> io::Result<()> {
    let secrets = if eval.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    let environments = counted(matrix.environments().count(), "environment");
    let differing = match eval.addresses.is_empty() {
        true => {
            let differences = matrix.differences(secrets).map_or(0, <[_]>::len);
            let verb = if differences == 1 { "differs" } else { "differ" };
            format!(": {} {verb}", counted(differences, "value"))
        }
        false => String::new(),
    };
    terminal.note(&format!("evaluated {environments}{differing}"))?;
    for (environment, report) in matrix.environments() {
        let summary = Report::summary(report);
        let of_state = environment.state.as_ref().and_then(|_| summary.given_state());
        for text in of_state.into_iter().chain(summary.from_elsewhere()).chain(summary.not_known()) {
            terminal.note(&format!("{}: {text}", environment.name))?;
        }
    }
    Ok(())
}

/// Returns the environments: each set of variable files with each workspace. The error is the pattern that matches nothing.
fn environments<'e>(eval: &'e Eval, files: &'static dyn Files) -> Result<Vec<Environment>, &'e str> {
    let mut sets: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for pattern in &eval.matrix {
        let found = sets_of(pattern, files);
        if found.is_empty() {
            return Err(pattern);
        }
        // Several patterns may match the same environment.
        for set in found {
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
    }
    let names = names_of(&sets);
    let workspaces = eval.workspaces();
    if sets.is_empty() {
        let environment = |name: &&str| Environment {
            name: (*name).to_owned(),
            workspace: Some((*name).to_owned()),
            ..Environment::default()
        };
        return Ok(workspaces.iter().map(environment).collect());
    }
    let mut environments = Vec::new();
    for ((_, variable_files), name) in sets.into_iter().zip(names) {
        let with = |name: String, workspace: Option<&str>| Environment {
            name,
            variable_files: variable_files.clone(),
            workspace: workspace.map(str::to_owned),
            ..Environment::default()
        };
        match workspaces.as_slice() {
            [] => environments.push(with(name, None)),
            [only] => environments.push(with(name, Some(only))),
            several => {
                let each =
                    several.iter().map(|workspace| with(format!("{name}/{workspace}"), Some(workspace)));
                environments.extend(each);
            }
        }
    }
    Ok(environments)
}

/// Returns the sets of variable files that a pattern matches, each with its path: a single file, or the files of a directory.
fn sets_of(pattern: &str, files: &'static dyn Files) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let alone = matching(pattern, files).into_iter().filter(|path| is_variable_file(path));
    let mut sets: Vec<(PathBuf, Vec<PathBuf>)> = alone.map(|path| (path.clone(), vec![path])).collect();
    let mut by_directory: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let below = format!("{}/*{{.tfvars,.tfvars.json}}", pattern.trim_end_matches('/'));
    for path in matching(&below, files) {
        if let Some(directory) = path.parent() {
            by_directory.entry(directory.to_owned()).or_default().push(path.clone());
        }
    }
    sets.extend(by_directory);
    sets
}

/// Returns a name for each set: the name of its file or directory, or the whole path if two sets have the same name.
fn names_of(sets: &[(PathBuf, Vec<PathBuf>)]) -> Vec<String> {
    let short = |path: &Path| {
        let whole = || path.file_name().map(|name| name.to_string_lossy().into_owned());
        name_of(path).map(str::to_owned).or_else(whole).unwrap_or_default()
    };
    let names: Vec<String> = sets.iter().map(|(path, _)| short(path)).collect();
    let distinct: BTreeSet<&String> = names.iter().collect();
    match distinct.len() == names.len() {
        true => names,
        false => sets.iter().map(|(path, _)| path.display().to_string()).collect(),
    }
}
