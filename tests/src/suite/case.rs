//! Reads the cases of a file: the meaning of the fences of each section.

use terrane_packer::is_template_file;

use super::markdown::{Fence, Section};

/// A case: a section with fences that are run.
#[derive(Clone, Default, Debug)]
pub struct Case {
    /// The headings from the second level on.
    pub name: String,
    /// ```` ```hcl vars ````: the attributes of `var` in expressions.
    pub variables: Vec<Fence>,
    /// ```` ```hcl ````: expressions with assertions.
    pub expressions: Vec<Fence>,
    /// ```` ```hcl main.tf ````: files of a module; ```` ```hcl a.pkr.hcl ````: of a Packer template.
    pub files: Vec<Fence>,
    /// ```` ```inputs ````: how the module or template is called.
    pub inputs: Vec<Fence>,
    /// ```` ```outputs ````, ```` ```builds ````, ```` ```diagnostics ```` and ```` ```console ````: the expectations.
    pub expectations: Vec<(Expectation, Fence)>,
}

/// The kind of expectation that a fence has for a module or template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// The root outputs of a module, one on a line.
    Outputs,
    /// The resolved builds of a template.
    Builds,
    /// All diagnostics, one on a line.
    Diagnostics,
    /// Expressions in the root module or the template, each followed by its value.
    Console,
}

impl Case {
    /// Whether the files are a Packer template.
    pub fn is_template(&self) -> bool {
        self.files.iter().any(|file| is_template_file(&file.title))
    }
}

/// The cases of a file. Fences under the first heading belong to every case.
///
/// # Errors
///
/// A line number and the mistake in that line.
pub fn cases(sections: &[Section]) -> Result<Vec<Case>, String> {
    let mut common = Case::default();
    let mut headings: Vec<&str> = Vec::new();
    let mut cases = Vec::new();
    for section in sections {
        if section.level < 2 {
            section.fences.iter().try_for_each(|fence| add(&mut common, fence))?;
            continue;
        }
        headings.truncate(section.level - 2);
        headings.push(&section.title);
        let mut case = Case { name: headings.join(" / "), ..common.clone() };
        section.fences.iter().try_for_each(|fence| add(&mut case, fence))?;
        if let Some(first) = section.fences.iter().find(|fence| is_run(fence)) {
            check_kind(&case).map_err(|message| format!("{}: {message}", first.line))?;
            cases.push(case);
        }
    }
    Ok(cases)
}

fn is_run(fence: &Fence) -> bool {
    !matches!(fence.language.as_str(), "sh" | "text" | "") || !fence.title.is_empty()
}

fn add(case: &mut Case, fence: &Fence) -> Result<(), String> {
    let list = match (fence.language.as_str(), fence.title.as_str()) {
        ("hcl", "") => &mut case.expressions,
        ("hcl", "vars") => &mut case.variables,
        (_, title) if title.contains('.') => &mut case.files,
        ("inputs", "") => &mut case.inputs,
        ("sh" | "text" | "", "") => return Ok(()),
        (language, _) => {
            let expectation = match language {
                "outputs" => Expectation::Outputs,
                "builds" => Expectation::Builds,
                "diagnostics" => Expectation::Diagnostics,
                "console" => Expectation::Console,
                _ => return Err(format!("{}: a fence of no known kind", fence.line)),
            };
            case.expectations.push((expectation, fence.clone()));
            return Ok(());
        }
    };
    list.push(fence.clone());
    Ok(())
}

fn check_kind(case: &Case) -> Result<(), String> {
    if case.files.is_empty() {
        return match (case.expressions.is_empty(), case.expectations.is_empty(), case.inputs.is_empty()) {
            (false, true, true) => Ok(()),
            _ => Err("a case has expressions, or files with expectations".to_owned()),
        };
    }
    if case.expectations.is_empty() {
        return Err("a case without `outputs`, `builds`, `diagnostics` or `console` cannot fail".to_owned());
    }
    let other = if case.is_template() { Expectation::Outputs } else { Expectation::Builds };
    if case.expectations.iter().any(|(expectation, _)| *expectation == other) {
        return Err("a module has `outputs`, and a Packer template has `builds`".to_owned());
    }
    if !case.expressions.is_empty() || !case.variables.is_empty() {
        return Err("expressions of a module go into a `console` fence".to_owned());
    }
    Ok(())
}
