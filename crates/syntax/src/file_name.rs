/// The ends of the names of files in native syntax, of Terraform, OpenTofu, Packer, Nomad and others.
const EXTENSIONS: [&str; 5] = ["tf", "tofu", "tfvars", "hcl", "nomad"];

/// Whether a file of this name is configuration in native syntax. A name that is nothing but an extension is
/// that of a hidden file.
pub fn is_hcl_file(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| !stem.is_empty() && EXTENSIONS.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::is_hcl_file;

    #[test]
    fn products_have_endings_of_their_own() {
        for name in ["main.tf", "a.tofu", "a.auto.tfvars", "a.tftest.hcl", "a.pkr.hcl", "a.pkrvars.hcl", "a.nomad"]
        {
            assert!(is_hcl_file(name), "{name}");
        }
        for other in ["main.tf.json", "main.tf~", "main.tf.swp", "tf", ".tf", "main.TF", "README.md"] {
            assert!(!is_hcl_file(other), "{other}");
        }
    }
}
