//! The names of test files and mock files, and the blocks in them.
//!
//! Symbols and mocks read the same files: `*.tftest.hcl`, in dialects with `.tofu` files also `*.tofutest.hcl`, and files with
//! mock data. All names may end in `.json` in place of `.hcl`.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use terrane_body::{Body, BodySchema};
use terrane_source::{Diagnostics, FileEntry, FileKind, SourceFile};
use terrane_syntax::is_hidden_or_backup;

use crate::rules::FileRules;

/// Endings of the names of test files in dialects without `.tofu` files.
const TERRAFORM_TESTS: [&str; 2] = [".tftest.hcl", ".tftest.json"];

/// Endings of the names of test files in dialects with `.tofu` files.
const TOFU_TESTS: [&str; 4] = [".tftest.hcl", ".tftest.json", ".tofutest.hcl", ".tofutest.json"];

/// Endings of the names of files with mock data of one provider.
pub(super) const MOCK_DATA: [&str; 2] = [".tfmock.hcl", ".tfmock.json"];

/// Whether a file of this name has the syntax of test files.
pub fn is_mock_file(name: &str) -> bool {
    TOFU_TESTS.iter().chain(&MOCK_DATA).any(|ending| name.ends_with(ending))
}

/// Whether a file of this name has mock data of one provider.
pub(crate) fn is_mock_data(name: &str) -> bool {
    MOCK_DATA.iter().any(|ending| name.ends_with(ending))
}

/// Returns the endings of the names of test files in a dialect.
pub(super) fn test_endings(rules: FileRules) -> &'static [&'static str] {
    if rules.read_tofu { &TOFU_TESTS } else { &TERRAFORM_TESTS }
}

/// Returns the names of the test files among the entries of a directory. In dialects with `.tofu` files, `a.tofutest.hcl`
/// hides `a.tftest.hcl`.
pub(crate) fn test_file_names(entries: &[FileEntry], rules: FileRules) -> Vec<&str> {
    let endings = test_endings(rules);
    let names = files_with(entries, |name| endings.iter().any(|ending| name.ends_with(ending)));
    let all: HashSet<&str> = names.iter().copied().collect();
    let is_hidden = |name: &str| {
        let hiding = name.replacen(".tftest.", ".tofutest.", 1);
        hiding != name && all.contains(&*hiding)
    };
    names.into_iter().filter(|name| !is_hidden(name)).collect()
}

/// Returns the names of the files with mock data among the entries of a directory.
pub(super) fn mock_data_names(entries: &[FileEntry]) -> Vec<&str> {
    files_with(entries, is_mock_data)
}

fn files_with(entries: &[FileEntry], is_meant: impl Fn(&str) -> bool) -> Vec<&str> {
    let files = entries.iter().filter(|entry| entry.kind != FileKind::Directory);
    let names = files.map(|entry| entry.name.as_str());
    names.filter(|name| !is_hidden_or_backup(name) && is_meant(name)).collect()
}

/// Parses a file of either syntax.
pub(crate) fn parse(source: &Arc<SourceFile>, diagnostics: &mut Diagnostics) -> Body {
    let (body, found) = Body::parse(source);
    diagnostics.extend(found);
    body
}

/// The content of a test file.
pub(crate) static TEST_FILE: LazyLock<BodySchema> = LazyLock::new(|| {
    overrides(BodySchema::new())
        .block("override_module", &[])
        .block("mock_provider", &["name"])
        .block("provider", &["name"])
        .block("run", &["name"])
        .block("test", &[])
        .block("variables", &[])
});

/// The content of a file with mock data.
pub(super) static MOCK_DATA_FILE: LazyLock<BodySchema> = LazyLock::new(|| of_provider(BodySchema::new()));

/// The content of a `mock_provider` block.
pub(crate) static PROVIDER: LazyLock<BodySchema> = LazyLock::new(|| {
    of_provider(BodySchema::new().all_optional(&["alias", "for_each", "source", "override_during"]))
});

/// The content of a `mock_resource` or `mock_data` block.
pub(crate) static DEFAULTS: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["defaults", "override_during"]));

/// The content of an `override_resource` or `override_data` block.
pub(crate) static OVERRIDE: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().required("target").all_optional(&["values", "override_during"]));

/// The content of an `override_module` block.
pub(crate) static OVERRIDE_MODULE: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().required("target").all_optional(&["outputs", "override_during"]));

/// The parts of a `run` block that contain names.
pub(crate) static RUN: LazyLock<BodySchema> = LazyLock::new(|| {
    overrides(BodySchema::new().optional("expect_failures"))
        .block("override_module", &[])
        .block("variables", &[])
        .block("assert", &[])
        .block("plan_options", &[])
        .block("module", &[])
});

/// The content of an `assert` block.
pub(crate) static ASSERT: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["condition", "error_message"]));

/// The arguments of a `plan_options` block that contain names.
pub(crate) static PLAN_OPTIONS: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["target", "replace"]));

/// The arguments of the `module` block of a run.
pub(crate) static MODULE_OF_RUN: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["source", "version"]));

fn overrides(schema: BodySchema) -> BodySchema {
    schema.block("override_resource", &[]).block("override_data", &[])
}

fn of_provider(schema: BodySchema) -> BodySchema {
    overrides(schema).block("mock_resource", &["type"]).block("mock_data", &["type"])
}

#[cfg(test)]
mod tests {
    use terrane_function::Dialect;
    use terrane_source::{Files as _, MemoryFiles};

    use super::*;

    #[test]
    fn a_test_file_of_opentofu_hides_the_file_of_terraform() {
        let names = ["a.tftest.hcl", "a.tofutest.hcl", "b.tofutest.json", "c.tfmock.hcl", "d.tftest.json"];
        let files = MemoryFiles::from_iter(names.map(|name| (name, "")));
        let entries = files.list(std::path::Path::new(".")).unwrap();
        let of = |dialect: &str| {
            let dialect: Dialect = dialect.parse().unwrap();
            test_file_names(&entries, FileRules::of(dialect))
        };
        assert_eq!(of("opentofu"), ["a.tofutest.hcl", "b.tofutest.json", "d.tftest.json"]);
        assert_eq!(of("terraform"), ["a.tftest.hcl", "d.tftest.json"]);
        assert_eq!(mock_data_names(&entries), ["c.tfmock.hcl"]);
    }
}
