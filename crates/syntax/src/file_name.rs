//! Recognises configuration files by name.
//!
//! The loaders, the formatter and the command choose files of a directory with these predicates.

/// The extensions of files in native syntax, of Terraform, OpenTofu, Packer, Nomad and other programs.
const EXTENSIONS: [&str; 5] = ["tf", "tofu", "tfvars", "hcl", "nomad"];

/// The ending of Packer's template files, which `templatefile` reads. They are not configuration.
const TEMPLATE_ENDING: &str = ".pkrtpl.hcl";

/// Whether a file of this name is configuration in native syntax. A name that consists only of an extension is a hidden file.
pub fn is_hcl_file(name: &str) -> bool {
    let has_extension = |(stem, extension): (&str, &str)| !stem.is_empty() && EXTENSIONS.contains(&extension);
    name.rsplit_once('.').is_some_and(has_extension) && !name.ends_with(TEMPLATE_ENDING)
}

/// The endings of files in JSON syntax.
const JSON_ENDINGS: [&str; 9] = [
    ".tf.json",
    ".tofu.json",
    ".tfvars.json",
    ".tftest.json",
    ".tofutest.json",
    ".tfmock.json",
    ".tfquery.json",
    ".pkr.json",
    ".pkrvars.json",
];

/// Whether a file of this name is configuration in JSON syntax.
pub fn is_json_file(name: &str) -> bool {
    JSON_ENDINGS.iter().any(|ending| name.strip_suffix(ending).is_some_and(|stem| !stem.is_empty()))
}

/// The endings of files that only OpenTofu reads.
const OPENTOFU_ENDINGS: [&str; 4] = [".tofu", ".tofu.json", ".tofutest.hcl", ".tofutest.json"];

/// Whether only OpenTofu reads a file of this name.
pub fn is_for_opentofu(name: &str) -> bool {
    OPENTOFU_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether a file of this name is hidden, or a copy that an editor keeps. Such files of a directory are not read.
pub fn is_hidden_or_backup(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

#[cfg(test)]
mod tests {
    use super::{is_hcl_file, is_hidden_or_backup, is_json_file};

    #[test]
    fn editors_keep_copies() {
        for name in [".main.tf.swp", "main.tf~", "#main.tf#"] {
            assert!(is_hidden_or_backup(name), "{name}");
        }
        for other in ["main.tf", "#main.tf", "main~.tf"] {
            assert!(!is_hidden_or_backup(other), "{other}");
        }
    }

    #[test]
    fn json_has_two_endings() {
        for name in ["main.tf.json", "a.auto.tfvars.json", "b.pkr.json"] {
            assert!(is_json_file(name), "{name}");
        }
        for other in ["package.json", ".tf.json", "main.tf", "a.hcl.json"] {
            assert!(!is_json_file(other), "{other}");
        }
    }

    #[test]
    fn products_have_endings_of_their_own() {
        for name in
            ["main.tf", "a.tofu", "a.auto.tfvars", "a.tftest.hcl", "a.pkr.hcl", "a.pkrvars.hcl", "a.nomad"]
        {
            assert!(is_hcl_file(name), "{name}");
        }
        for other in
            ["main.tf.json", "main.tf~", "main.tf.swp", "tf", ".tf", "main.TF", "README.md", "a.pkrtpl.hcl"]
        {
            assert!(!is_hcl_file(other), "{other}");
        }
    }
}
