//! Compares whole modules with the plans of a `terraform` binary, and Packer templates with the answers of a `packer`
//! binary.
//!
//! Reading order: [`terraform`] (running the binary), [`compare`] (its outputs against ours), [`packer`](mod@packer),
//! [`states`] (the console over a state), [`cases`] (plans of suite cases), [`state_plans`] (plans that begin with a state).

pub mod terraform;

pub mod compare;

pub mod packer;

pub mod states;

pub mod cases;

pub mod state_plans;

use std::env;
use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use terrane_source::{FileKind, Files as _, OsFiles};

use crate::settings::{self, TERRANE_COMPARE, below_tests};

/// A module to compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The directory tree that is copied.
    pub tree: PathBuf,
    /// The module in it that is planned.
    pub module: PathBuf,
}

impl Comparison {
    /// `TREE//MODULE`, or a directory that is both.
    pub fn parse(text: &str) -> Comparison {
        let (tree, module) = text.split_once("//").unwrap_or((text, "."));
        Comparison { tree: PathBuf::from(tree), module: PathBuf::from(module) }
    }
}

/// One trial for each directory of `modules/` and of `TERRANE_COMPARE`; ignored ones where there is no binary.
///
/// # Errors
///
/// Where a directory cannot be listed.
pub fn trials() -> Result<Vec<Trial>, String> {
    let mut comparisons = Vec::new();
    let modules = below_tests("modules");
    for entry in OsFiles.list(&modules).map_err(|error| error.to_string())? {
        if entry.kind == FileKind::Directory {
            let comparison = Comparison { tree: modules.join(&entry.name), module: PathBuf::from(".") };
            comparisons.push((format!("modules::{}", entry.name), comparison));
        }
    }
    let given = settings::variable(TERRANE_COMPARE);
    for path in given.iter().flat_map(env::split_paths) {
        let text = path.to_string_lossy();
        comparisons.push((text.to_string(), Comparison::parse(&text)));
    }
    let binary = terraform::find("terraform");
    let modules = comparisons.into_iter().map(|(name, comparison)| trial(name, comparison, binary.clone()));
    Ok(modules
        .chain(packer::trials()?)
        .chain(states::trials()?)
        .chain(cases::trials()?)
        .chain(state_plans::trials())
        .collect())
}

fn trial(name: String, comparison: Comparison, binary: Option<PathBuf>) -> Trial {
    match binary {
        Some(binary) => Trial::test(name, move || run(&comparison, &binary)),
        None => {
            Trial::test(name, || Ok(())).with_kind("skipped: no terraform on PATH").with_ignored_flag(true)
        }
    }
}

fn run(comparison: &Comparison, binary: &Path) -> Result<(), Failed> {
    let copy = tempfile::tempdir()?;
    terraform::copy(&comparison.tree, copy.path())?;
    let module = copy.path().join(&comparison.module);
    let planned = terraform::planned_outputs(binary, &module)?;
    compare::outputs(&module, &planned).map_err(Failed::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_can_lie_inside_its_tree() {
        let comparison = Comparison::parse("/a/tree//examples/complete");
        assert_eq!(comparison.module, Path::new("examples/complete"));
        assert_eq!(Comparison::parse("/a/tree").module, Path::new("."));
    }
}
