//! The manifest of installed modules: `modules/modules.json` in `.terraform` of the root module.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_body::read_source;
use terrane_source::{Diagnostic, Diagnostics, FileError, FileErrorKind, Files, SourceFile, Subject, ids};
use terrane_syntax::json::{self, Value, ValueId};

use crate::model::paths::join;
use crate::model::source::ModuleSource;

/// The installed modules, by the names of the calls that lead there, joined with dots.
#[derive(Default, Debug)]
pub(crate) struct Manifest {
    modules: HashMap<String, Installed>,
}

#[derive(Debug)]
struct Installed {
    source: String,
    directory: String,
}

impl Manifest {
    /// Reads the manifest in the data directory. A missing manifest is empty. A broken one is reported and counts as
    /// empty.
    pub(crate) fn read(data: &Path, files: &dyn Files, diagnostics: &mut Diagnostics) -> Manifest {
        let path = join(data, "modules/modules.json");
        let is_absent = |error: FileError| error.kind == FileErrorKind::NotFound;
        if files.metadata(&path).is_err_and(is_absent) {
            return Manifest::default();
        }
        let (manifest, broken) = match read_source(files, &path) {
            // The products take an empty file for an empty manifest.
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

    /// The manifest in a text, and the error in it.
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
            let installed = Installed { source: text(entry, "Source")?, directory: text(entry, "Dir")? };
            Some((text(entry, "Key")?, installed))
        };
        let mut manifest = Manifest::default();
        for entry in entries {
            let Some((key, installed)) = module(*entry) else {
                let reason = "A module in it lacks one of the strings `Key`, `Source` and `Dir`.";
                return (Manifest::default(), broken(*entry, reason));
            };
            manifest.modules.insert(key, installed);
        }
        (manifest, None)
    }

    /// The directory, as seen from the root module, of the module that was installed for the call with these names
    /// from this source. The call may have been changed since then.
    pub(crate) fn directory(&self, key: &str, source: &ModuleSource) -> Option<PathBuf> {
        let installed = self.modules.get(key)?;
        let same = match source {
            ModuleSource::Registry(address) => is_registry_module(&installed.source, address),
            // The manifest has the address in the longer form that the installer derives from it.
            ModuleSource::Remote(_) | ModuleSource::Local(_) => true,
        };
        same.then(|| PathBuf::from(&installed.directory))
    }
}

/// Why a manifest cannot be used.
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

/// Whether an installed address, which names its registry, is that of `wanted`, which may not.
fn is_registry_module(installed: &str, wanted: &str) -> bool {
    installed == wanted
        || installed.split_once('/').is_some_and(|(host, rest)| host.contains('.') && rest == wanted)
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
            {"Key":"a.b","Source":"registry.example.org/x/y/z","Version":"1.0.0","Dir":".terraform/modules/a.b/sub"},
            {"Key":"c","Source":"git::https://example.org/c.git","Dir":".terraform/modules/c"}]}"#;
        let (manifest, broken) = Manifest::parse(&SourceFile::new(FileId::new("modules.json"), text));
        assert!(broken.is_none());
        let directory = |key: &str, source: &str| {
            let source = ModuleSource::parse(source, false).expect("an address");
            manifest.directory(key, &source).map(|directory| directory.display().to_string())
        };
        assert_eq!(directory("a.b", "x/y/z").as_deref(), Some(".terraform/modules/a.b/sub"));
        assert_eq!(directory("a.b", "x/other/z"), None, "the source has changed since");
        assert_eq!(directory("c", "git@example.org:c.git").as_deref(), Some(".terraform/modules/c"));
        assert_eq!(directory("d", "x/y/z"), None);
    }
}
