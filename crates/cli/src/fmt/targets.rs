//! Which files `terrane fmt` formats, and in which style.

use std::path::Path;

use terrane::syntax::FormatStyle;

/// Ends of names of files in the language of Terraform and OpenTofu.
const TERRAFORM: [&str; 7] =
    [".tf", ".tfvars", ".tofu", ".tftest.hcl", ".tofutest.hcl", ".tfmock.hcl", ".tfquery.hcl"];
/// Ends of names of files in the language of Packer.
const PACKER: [&str; 2] = [".pkr.hcl", ".pkrvars.hcl"];
/// Ends of names of other files in HCL. They are formatted only where they are given by name, as a directory may
/// hold files of tools with a layout of their own.
const OTHER: [&str; 2] = [".hcl", ".nomad"];
/// Written by `terraform init`, in its own layout.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// How a file is formatted that was found in a directory; None where it is not.
pub(super) fn found_style(name: &str) -> Option<FormatStyle> {
    if ends_with_any(name, &TERRAFORM) {
        Some(FormatStyle::Terraform)
    } else if ends_with_any(name, &PACKER) {
        Some(FormatStyle::LayoutOnly)
    } else {
        None
    }
}

/// How a file is formatted that was given by its path.
pub(super) enum Named {
    Style(FormatStyle),
    /// It is left alone.
    LockFile,
    /// Its name does not say that it is configuration.
    Unknown,
}

impl Named {
    pub(super) fn of(path: &Path) -> Named {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == LOCK_FILE {
            return Named::LockFile;
        }
        let other = || ends_with_any(&name, &OTHER).then_some(FormatStyle::LayoutOnly);
        found_style(&name).or_else(other).map_or(Named::Unknown, Named::Style)
    }
}

/// The error for a path without the name of a configuration file.
pub(super) fn unknown(path: &Path) -> String {
    format!(
        "The name of {} must end like a configuration file in native syntax: {}, {} or {}.",
        path.display(),
        TERRAFORM.join(", "),
        PACKER.join(", "),
        OTHER.join(", "),
    )
}

fn ends_with_any(name: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_selects_the_rewrites() {
        for name in
            ["a.tf", "c.tfvars", "d.tftest.hcl", "e.tofu", "f.tofutest.hcl", "o.tfmock.hcl", "p.tfquery.hcl"]
        {
            assert_eq!(found_style(name), Some(FormatStyle::Terraform), "{name}");
        }
        for name in ["e.pkr.hcl", "e.pkrvars.hcl"] {
            assert_eq!(found_style(name), Some(FormatStyle::LayoutOnly), "{name}");
        }
        for name in ["b.tf.json", "f.hcl", "g.nomad", "i.tf~", "h.txt"] {
            assert_eq!(found_style(name), None, "{name}");
        }
    }

    #[test]
    fn other_files_may_be_named() {
        let named = |path| Named::of(Path::new(path));
        assert!(matches!(named("m/f.hcl"), Named::Style(FormatStyle::LayoutOnly)));
        assert!(matches!(named("m/g.nomad"), Named::Style(FormatStyle::LayoutOnly)));
        assert!(matches!(named(".h.tf"), Named::Style(FormatStyle::Terraform)));
        assert!(matches!(named("m/.terraform.lock.hcl"), Named::LockFile));
        assert!(matches!(named("b.tf.json"), Named::Unknown));
    }
}
