//! Reads the lock file, in which `init` of Terraform or OpenTofu keeps the versions of providers.

use std::path::Path;
use std::sync::Arc;

use terrane_config::Version;
use terrane_source::{FileError, FileErrorKind, FileId, Files, SourceFile};
use terrane_syntax::tree::{BodyId, Item, Literal};
use terrane_syntax::{Expr, ExprId, Tree, decode_native, parse_body};

use crate::model::provider::ProviderAddress;

/// The name of the file, in the directory of a root module.
pub const LOCK_FILE: &str = ".terraform.lock.hcl";

/// Limit on the bytes of a lock file.
const MAX_BYTES: u64 = 8 << 20;

/// The providers of a lock file.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct LockFile {
    /// The providers in the order of the file.
    pub providers: Vec<LockedProvider>,
    /// The labels of `provider` blocks that are not provider addresses.
    pub wrong_addresses: Vec<String>,
}

/// A provider in a lock file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LockedProvider {
    /// The address as written, with the host of the registry.
    pub written: String,
    /// The address.
    pub address: ProviderAddress,
    /// The selected version; `None` if it is not a constant version.
    pub version: Option<Version>,
    /// The checksums of the packages, such as `h1:...`.
    pub hashes: Vec<String>,
}

impl LockFile {
    /// Reads the lock file at a path. Skips blocks that are not understood, because `init` reports them.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not UTF-8 text.
    pub fn read(path: &Path, files: &dyn Files) -> Result<LockFile, FileError> {
        let bytes = files.read_within(path, MAX_BYTES)?;
        let source = decode_native(FileId::new(path.to_owned()), bytes).map_err(|diagnostic| FileError {
            path: path.to_owned(),
            kind: FileErrorKind::Other(diagnostic.detail.trim_end_matches('.').to_owned()),
        })?;
        Ok(LockFile::parse(&source))
    }

    /// Reads the lock file of the root module in a directory; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If the file exists and cannot be read.
    pub fn of(directory: &Path, files: &dyn Files) -> Result<Option<LockFile>, FileError> {
        let path = directory.join(LOCK_FILE);
        match files.metadata(&path) {
            Ok(_) => LockFile::read(&path, files).map(Some),
            // The error does not tell whether the file exists.
            Err(error) if error.kind == FileErrorKind::Confined => Err(error),
            Err(_) => Ok(None),
        }
    }

    fn parse(source: &Arc<SourceFile>) -> LockFile {
        let parsed = parse_body(source);
        let tree = &parsed.tree;
        let (mut providers, mut wrong_addresses) = (Vec::new(), Vec::new());
        for item in tree.list(tree.body(parsed.root).items) {
            let Item::Block(id) = item else { continue };
            let block = tree.block(*id);
            let label = tree.list(block.labels).first();
            let Some(label) = label.filter(|_| source.slice(block.block_type) == "provider") else {
                continue;
            };
            let written = tree.text(label.text);
            let Ok(address) = written.parse() else {
                wrong_addresses.push(written.to_owned());
                continue;
            };
            let argument = |name: &str| argument(tree, block.body, name);
            let hashes = argument("hashes").map(|hashes| texts(tree, hashes)).unwrap_or_default();
            let version = argument("version").and_then(|version| text(tree, version)?.parse().ok());
            providers.push(LockedProvider { written: written.to_owned(), address, version, hashes });
        }
        LockFile { providers, wrong_addresses }
    }

    /// Returns the provider with an address.
    pub fn provider(&self, address: &ProviderAddress) -> Option<&LockedProvider> {
        self.providers.iter().find(|provider| provider.address == *address)
    }
}

/// Returns the value of an argument of a body.
fn argument(tree: &Tree, body: BodyId, name: &str) -> Option<ExprId> {
    tree.list(tree.body(body).items).iter().find_map(|item| {
        let Item::Attribute(id) = item else { return None };
        let attribute = tree.attribute(*id);
        (tree.slice(attribute.name) == name).then_some(attribute.expr)
    })
}

/// Returns the text of a string without interpolation. `init` writes only such strings into the file.
fn text(tree: &Tree, id: ExprId) -> Option<&str> {
    if let Expr::Literal(Literal::String(text)) = tree.expr(id) { Some(tree.text(text)) } else { None }
}

/// Returns the strings in a list.
fn texts(tree: &Tree, id: ExprId) -> Vec<String> {
    let Expr::Tuple(elements) = tree.expr(id) else { return Vec::new() };
    tree.list(elements).iter().filter_map(|element| text(tree, *element).map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    #[test]
    fn providers_are_read_with_versions_and_hashes() {
        let text = "# comment\nprovider \"registry.terraform.io/hashicorp/aws\" {\n  version     = \"5.31.0\"\n  \
                    constraints = \"~> 5.0\"\n  hashes = [\n    \"h1:abc=\",\n    \"zh:00\",\n  ]\n}\n\
                    provider \"example.com/a/b\" {\n  version = \"x\"\n}\nprovider \"a/b/c/d\" {}\nother {}\n";
        let files = MemoryFiles::from_iter([("m/.terraform.lock.hcl", text)]);
        let lock = LockFile::of(Path::new("m"), &files).unwrap().unwrap();
        let [aws, other] = lock.providers.as_slice() else { panic!("{lock:?}") };
        assert_eq!(
            (aws.address.to_string(), aws.version.as_ref().unwrap().as_str()),
            ("hashicorp/aws".into(), "5.31.0")
        );
        assert_eq!(aws.hashes, ["h1:abc=", "zh:00"]);
        assert_eq!((other.address.to_string(), &other.version), ("example.com/a/b".into(), &None));
        assert_eq!(lock.wrong_addresses, ["a/b/c/d"]);
        assert!(LockFile::of(Path::new("n"), &files).unwrap().is_none());
        let files = MemoryFiles::new();
        files.insert("n/.terraform.lock.hcl", b"provider \"\xff\" {}\n");
        assert!(LockFile::of(Path::new("n"), &files).is_err());
    }
}
