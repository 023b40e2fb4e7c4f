//! The modules that the product has installed: `modules/modules.json` in `.terraform` of the root module.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_source::{Files, SourceFile};
use terrane_syntax::json::{self, Value, ValueId};

use super::directory::{join, read_source};
use super::source::ModuleSource;

/// What is installed, by the names of the calls that lead there, with dots between.
#[derive(Default, Debug)]
pub(super) struct Manifest {
    modules: HashMap<String, Installed>,
}

#[derive(Debug)]
struct Installed {
    source: String,
    directory: String,
}

impl Manifest {
    /// Reads the manifest in the directory where the product keeps what it installs. There is none where nothing was installed, and a broken one
    /// is as none: the product writes it anew.
    pub(super) fn read(data: &Path, files: &dyn Files) -> Manifest {
        let path = join(data, "modules/modules.json");
        match read_source(files, &path) {
            Ok(source) => Manifest::parse(&source),
            Err(_) => Manifest::default(),
        }
    }

    fn parse(source: &Arc<SourceFile>) -> Manifest {
        let document = json::parse_json(source);
        let tree = &document.tree;
        let entries = match property(tree, document.root, "Modules").map(|id| tree.value(id)) {
            Some(Value::Array(list)) => tree.elements(list),
            _ => &[],
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
        let modules = entries.iter().filter_map(|entry| {
            let installed = Installed { source: text(*entry, "Source")?, directory: text(*entry, "Dir")? };
            Some((text(*entry, "Key")?, installed))
        });
        Manifest { modules: modules.collect() }
    }

    /// The directory, as seen from the root module, of the module that was installed for the call with these names
    /// from this source. The call may have been changed since then.
    pub(super) fn directory(&self, key: &str, source: &ModuleSource) -> Option<PathBuf> {
        let installed = self.modules.get(key)?;
        let same = match source {
            ModuleSource::Registry(address) => is_registry_module(&installed.source, address),
            // The manifest has the address in the longer form that the installer derives from it.
            ModuleSource::Remote(_) | ModuleSource::Local(_) => true,
        };
        same.then(|| PathBuf::from(&installed.directory))
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
        let manifest = Manifest::parse(&SourceFile::new(FileId::new("modules.json"), text));
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
