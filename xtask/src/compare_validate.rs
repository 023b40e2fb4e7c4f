//! Compares which modules Terrane and the reference consider valid: `cargo xtask compare-validate DIR...`.
//!
//! Every directory with configuration that needs no provider is given to `terraform init` and `terraform validate`, and to
//! `terrane check` for the same product and edition.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use terrane::config::Dialect;
use terrane::module::provider::ProviderAddress;
use terrane::module::{Cache, Request, is_module, load};
use terrane::{CheckOptions, Files as _, OsFiles, check};

pub(crate) fn run(directories: &[&str]) -> ExitCode {
    let Some(dialect) = dialect() else {
        println!("skipped: there is no terraform on PATH to compare with");
        return ExitCode::SUCCESS;
    };
    let mut modules = Vec::new();
    for directory in directories {
        if let Err(error) = collect(Path::new(directory), dialect, &mut modules) {
            eprintln!("{directory}: {error}");
            return ExitCode::FAILURE;
        }
    }
    let scratch = std::env::temp_dir().join(format!("terrane-compare-validate-{}", std::process::id()));
    let (mut compared, mut refused, mut same_title, mut disagreed) = (0, 0, 0, 0);
    for module in modules.iter().filter(|module| needs_no_provider(module, dialect)) {
        let theirs = match reference(module, &scratch) {
            Ok(title) => title,
            Err(error) => {
                eprintln!("{}: {error}", module.display());
                return ExitCode::FAILURE;
            }
        };
        let ours = ours(module, dialect);
        compared += 1;
        match (&ours, &theirs) {
            (None, None) => {}
            (Some(ours), Some(theirs)) => {
                refused += 1;
                same_title += usize::from(ours.contains(theirs));
                if !ours.contains(theirs) {
                    println!("{}: {}, the reference {theirs}", module.display(), ours.join(", "));
                }
            }
            (ours, theirs) => {
                disagreed += 1;
                println!("DISAGREED {}: {ours:?}, the reference {theirs:?}", module.display());
            }
        }
    }
    println!(
        "{compared} modules need no provider: {} are accepted or refused alike, {disagreed} are not",
        compared - disagreed
    );
    println!("{refused} are refused by both, {same_title} with the reference's first title among ours");
    if disagreed == 0 && compared > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the product and edition of the reference.
fn dialect() -> Option<Dialect> {
    let output = terraform().arg("version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.lines().next()?.split('v').next_back()?;
    let mut numbers = version.split('.');
    format!("terraform-{}.{}", numbers.next()?, numbers.next()?).parse().ok()
}

fn terraform() -> Command {
    let mut command = Command::new("terraform");
    command.env_remove("TF_CLI_CONFIG_FILE").env("CHECKPOINT_DISABLE", "1");
    command
}

/// Adds the directories below `directory` that have configuration.
fn collect(directory: &Path, dialect: Dialect, modules: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if OsFiles.list(directory).is_ok_and(|entries| is_module(&entries, dialect)) {
        modules.push(directory.to_owned());
    }
    let mut entries = fs::read_dir(directory)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if entry.file_type()?.is_dir() && !hidden {
            collect(&entry.path(), dialect, modules)?;
        }
    }
    Ok(())
}

/// Whether all modules are on disk and use nothing but the built-in provider.
fn needs_no_provider(module: &Path, dialect: Dialect) -> bool {
    let loaded = load(Request { dialect, ..Request::new(module) }, &OsFiles, &Cache::default());
    loaded.config.missing_modules.is_empty()
        && loaded.config.nodes().all(|(_, node)| {
            let module = &node.module;
            let is_built_in = |local: &str| {
                let required = module.requirements.get(local).map(|required| required.provider.clone());
                required.unwrap_or_else(|| ProviderAddress::implied(local)).is_built_in()
            };
            let resources = module.resources.iter().all(|(key, resource)| {
                let implied = key.resource_type.split('_').next().unwrap_or_default();
                is_built_in(resource.provider.as_ref().map_or(implied, |provider| &provider.name))
            });
            resources
                && module.providers.values().all(|provider| is_built_in(&provider.name))
                && module.requirements.values().all(|required| required.provider.is_built_in())
                && module.imports.iter().all(|import| {
                    import.to.resource.as_ref().is_none_or(|key| key.resource_type.starts_with("terraform_"))
                })
        })
}

/// Returns the titles of Terrane's errors; `None` if it accepts the module.
fn ours(module: &Path, dialect: Dialect) -> Option<Vec<String>> {
    let mut options = CheckOptions::default();
    options.dialect = Some(dialect);
    let outcome = check(&[module], &options, &OsFiles);
    let errors = outcome.diagnostics.as_slice().iter().filter(|diagnostic| diagnostic.is_error());
    let titles: Vec<String> = errors.map(|error| error.title().to_owned()).collect();
    (!titles.is_empty()).then_some(titles)
}

/// Returns the title of the first error of the reference; `None` if it accepts the module.
fn reference(module: &Path, scratch: &Path) -> std::io::Result<Option<String>> {
    if scratch.exists() {
        fs::remove_dir_all(scratch)?;
    }
    fs::create_dir_all(scratch)?;
    let run = |arguments: &[&str]| -> std::io::Result<Output> {
        terraform().current_dir(module).env("TF_DATA_DIR", scratch).args(arguments).output()
    };
    let init = run(&["init", "-backend=false", "-input=false", "-no-color", "-lockfile=readonly"])?;
    let output = if init.status.success() { run(&["validate", "-no-color"])? } else { init };
    fs::remove_dir_all(scratch)?;
    if output.status.success() {
        return Ok(None);
    }
    Ok(Some(first_title(&String::from_utf8_lossy(&output.stderr))))
}

/// Returns the first title in the output of the reference: a line `Error: TITLE`.
fn first_title(output: &str) -> String {
    // `init` first says that there is an error, and only then which error.
    let titles = output.lines().filter_map(|line| line.strip_prefix("Error: "));
    let title = titles.into_iter().find(|title| !title.starts_with("Terraform encountered problems"));
    title.unwrap_or("an error without a title").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_title_is_found() {
        assert_eq!(
            first_title("\nWarning: A\n\nError: Unsupported argument\n\nError: B\n"),
            "Unsupported argument"
        );
    }
}
