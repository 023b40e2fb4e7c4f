//! The manifest of installed modules: `modules/modules.json` in `.terraform` of the root module.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_body::SourceReader;
use terrane_config::address::ModulePath;
use terrane_config::version::VersionConstraint;
use terrane_source::{Diagnostic, Diagnostics, FileError, FileErrorKind, SourceFile, Subject, ids};
use terrane_syntax::json::{self, Value, ValueId};
use terrane_value::{OriginKind, Origins};

use crate::model::source::ModuleSource;
use terrane_source::paths::join;

/// The installed modules, by the names of the calls that lead to them, joined with dots.
#[derive(Default, Debug)]
pub(crate) struct Manifest {
    modules: HashMap<String, Installed>,
}

#[derive(Debug)]
struct Installed {
    source: String,
    version: Option<String>,
    directory: String,
}

impl Manifest {
    /// Reads the manifest in the data directory. A missing manifest is empty. A broken one is reported and counts as
    /// empty.
    pub(crate) fn read(data: &Path, sources: &SourceReader<'_>, diagnostics: &mut Diagnostics) -> Manifest {
        let path = join(data, "modules/modules.json");
        let is_missing = |error: FileError| error.kind == FileErrorKind::NotFound;
        if sources.files().metadata(&path).is_err_and(is_missing) {
            return Manifest::default();
        }
        let (manifest, broken) = match sources.read(&path) {
            // Terraform and OpenTofu treat an empty file as an empty manifest.
            Ok(source) if source.text().is_empty() => return Manifest::default(),
            Ok(source) => Manifest::parse(&source),
            Err(diagnostic) => {
                let whole = Broken { reason: diagnostic.detail.clone(), subject: None };
                (Manifest::default(), Some(whole))
            }
        };
        diagnostics.extend(broken.map(|broken| broken.diagnostic(&path)));
        manifest
    }

    /// Parses a manifest. Returns it with the error in its text, if any.
    fn parse(source: &Arc<SourceFile>) -> (Manifest, Option<Broken>) {
        let document = json::parse_json(source);
        let tree = &document.tree;
        if let Some(first) = document.diagnostics.as_slice().first() {
            let subject = first.subject.clone();
            let reason = format!("{}: {}", first.title(), first.detail);
            return (Manifest::default(), Some(Broken { reason, subject }));
        }
        let broken = |id: ValueId, reason: &str| {
            let subject = Subject { file: Arc::clone(source), span: tree.span(id) };
            Some(Broken { reason: reason.to_owned(), subject: Some(subject) })
        };
        let all = property(tree, document.root, "Modules");
        let entries = match (all.map(|id| tree.value(id)), tree.value(document.root)) {
            (Some(Value::Array(list)), _) => tree.elements(list),
            (None | Some(Value::Null), Value::Object(_)) => &[],
            _ => {
                let at = all.unwrap_or(document.root);
                return (Manifest::default(), broken(at, "It has no list `Modules`."));
            }
        };
        let text = |entry: ValueId, name: &str| match tree.value(property(tree, entry, name)?) {
            Value::String(text) => Some(tree.text(text).to_owned()),
            Value::Missing
            | Value::Null
            | Value::Bool(_)
            | Value::Number
            | Value::Array(_)
            | Value::Object(_) => None,
        };
        let module = |entry: ValueId| {
            let version = text(entry, "Version").filter(|version| !version.is_empty());
            let installed =
                Installed { source: text(entry, "Source")?, version, directory: text(entry, "Dir")? };
            Some((text(entry, "Key")?, installed))
        };
        let mut manifest = Manifest::default();
        for entry in entries {
            let Some((key, installed)) = module(*entry) else {
                let reason = "A module in it lacks one of the strings `Key`, `Source` and `Dir`.";
                return (Manifest::default(), broken(*entry, reason));
            };
            if manifest.modules.contains_key(&key) {
                let reason = format!("It has two records with the `Key` \"{key}\".");
                return (Manifest::default(), broken(*entry, &reason));
            }
            manifest.modules.insert(key, installed);
        }
        (manifest, None)
    }

    /// Returns the directory, relative to the root module, of the module that was installed for the call with these
    /// names; `None` if none was installed.
    ///
    /// # Errors
    ///
    /// If the call has changed since the installation, so that another module or version would be installed.
    pub(crate) fn directory(&self, key: &str, wanted: &WantedModule<'_>) -> Result<Option<PathBuf>, Changed> {
        let Some(installed) = self.modules.get(key) else { return Ok(None) };
        let directory = PathBuf::from(&installed.directory);
        let changed = |difference| Changed { directory: directory.clone(), difference };
        if !wanted.source.is_installed_as(&installed.source) {
            return Err(changed(Difference::Source(installed.source.clone())));
        }
        let is_allowed = |version: &VersionConstraint| {
            installed.version.as_deref().is_some_and(|installed| version.allows_text(installed))
        };
        if wanted.version.is_some_and(|version| !is_allowed(version)) {
            return Err(changed(Difference::Version(installed.version.clone())));
        }
        Ok(Some(directory))
    }
}

/// The module that a call asks for.
pub(crate) struct WantedModule<'w> {
    pub(crate) source: &'w ModuleSource,
    pub(crate) version: Option<&'w VersionConstraint>,
}

/// An installed module that differs from the module that its call asks for.
#[derive(PartialEq, Debug)]
pub(crate) struct Changed {
    /// The directory of the installed module, relative to the root module.
    pub(crate) directory: PathBuf,
    difference: Difference,
}

/// How a call differs from the installed module.
#[derive(PartialEq, Debug)]
enum Difference {
    /// The module was installed from this source.
    Source(String),
    /// This version was installed, if the installed module has one.
    Version(Option<String>),
}

impl Changed {
    /// Returns the reason why the installed module is not read, as a cause of the error about the call.
    pub(crate) fn reason(&self) -> Origins {
        let installed = match &self.difference {
            Difference::Source(source) => format!("it is installed from \"{source}\""),
            Difference::Version(Some(version)) => format!("it is installed in version {version}"),
            Difference::Version(None) => "it is installed without a version".to_owned(),
        };
        Origins::one(
            OriginKind::NotComputed,
            format!("{installed}; `--allow-changed-modules` reads that one"),
        )
    }

    /// Returns the diagnostic about the call of the module `path`: an error, or a warning if the installed
    /// module `is_read` nevertheless.
    pub(crate) fn diagnostic(&self, path: &ModulePath, is_read: bool) -> Diagnostic {
        let (id, detail) = match &self.difference {
            Difference::Source(source) => {
                let detail = format!(
                    "The source of {path} has changed since the module was installed: it was installed from \"{source}\"."
                );
                (ids::CHANGED_MODULE_SOURCE, detail)
            }
            Difference::Version(version) => {
                let installed = version.as_ref().map_or_else(
                    || "has no version".to_owned(),
                    |version| format!("has the version {version}, which `version` no longer allows"),
                );
                let detail = format!(
                    "The version constraint of {path} has changed since the module was installed: the installed module \
                     {installed}."
                );
                (ids::CHANGED_MODULE_VERSION, detail)
            }
        };
        match is_read {
            true => Diagnostic::warning(id, detail)
                .hint("The installed module is read. Run `init` to install the one that the call asks for."),
            false => Diagnostic::error(id, detail).hint(
                "Run `init` to install the module that the call asks for, give a directory with `--module \
                 'SOURCE=DIR'`, or read the installed one with `--allow-changed-modules`.",
            ),
        }
    }
}

/// The reason why a manifest cannot be used.
struct Broken {
    reason: String,
    subject: Option<Subject>,
}

impl Broken {
    fn diagnostic(self, path: &Path) -> Diagnostic {
        let detail = format!(
            "{} cannot be used, so all installed modules count as missing. {}",
            path.display(),
            self.reason
        );
        let hint = "Run `init` to write it again, or give directories with `--module 'SOURCE=DIR'`.";
        let mut diagnostic = Diagnostic::warning(ids::BROKEN_MANIFEST, detail).hint(hint);
        diagnostic.subject = self.subject;
        diagnostic
    }
}

fn property(tree: &json::Tree, object: ValueId, name: &str) -> Option<ValueId> {
    let Value::Object(list) = tree.value(object) else { return None };
    let properties = tree.properties(list);
    properties.iter().find(|property| tree.name(property) == name).map(|property| property.value)
}

#[cfg(test)]
mod tests {
    use terrane_source::FileId;

    use super::*;

    #[test]
    fn the_directory_of_an_installed_module_is_found() {
        let text = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},
            {"Key":"a.b","Source":"registry.terraform.io/x/y/z","Version":"1.0.0","Dir":".terraform/modules/a.b/sub"},
            {"Key":"c","Source":"git::ssh://git@example.org/c.git?ref=v1","Dir":".terraform/modules/c"}]}"#;
        let (manifest, broken) = Manifest::parse(&SourceFile::new(FileId::new("modules.json"), text));
        assert!(broken.is_none());
        let directory = |key: &str, source: &str, version: Option<&str>| {
            let source = ModuleSource::parse(source, false).expect("an address");
            let version: Option<VersionConstraint> = version.map(|text| text.parse().expect("a constraint"));
            let wanted = WantedModule { source: &source, version: version.as_ref() };
            manifest.directory(key, &wanted).map(|directory| directory.map(|path| path.display().to_string()))
        };
        let changed =
            |directory: &str, difference| Changed { directory: PathBuf::from(directory), difference };
        let found = |path: &str| Ok(Some(path.to_owned()));
        assert_eq!(directory("a.b", "x/y/z", None), found(".terraform/modules/a.b/sub"));
        assert_eq!(directory("a.b", "x/y/z", Some("~> 1.0")), found(".terraform/modules/a.b/sub"));
        assert_eq!(
            directory("a.b", "x/y/z", Some(">= 1.1")),
            Err(changed(".terraform/modules/a.b/sub", Difference::Version(Some("1.0.0".to_owned()))))
        );
        let registry = changed(
            ".terraform/modules/a.b/sub",
            Difference::Source("registry.terraform.io/x/y/z".to_owned()),
        );
        assert_eq!(directory("a.b", "x/other/z", None), Err(registry));
        assert_eq!(directory("c", "git@example.org:c.git?ref=v1", None), found(".terraform/modules/c"));
        let git = || {
            let source = "git::ssh://git@example.org/c.git?ref=v1".to_owned();
            Err(changed(".terraform/modules/c", Difference::Source(source)))
        };
        assert_eq!(directory("c", "git@example.org:c.git?ref=v2", None), git());
        assert_eq!(directory("c", "git@example.org:c.git", None), git());
        assert_eq!(directory("d", "x/y/z", None), Ok(None));
    }
    #[test]
    fn two_records_of_a_call_are_an_error() {
        let record = r#"{"Key":"a","Source":"./m","Dir":"m"}"#;
        let text = format!(r#"{{"Modules":[{record},{record}]}}"#);
        let (manifest, broken) = Manifest::parse(&SourceFile::new(FileId::new("modules.json"), text));
        assert!(manifest.modules.is_empty());
        assert_eq!(broken.expect("an error").reason, "It has two records with the `Key` \"a\".");
    }
}
