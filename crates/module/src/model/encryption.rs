//! The methods with which OpenTofu has encrypted states.

use std::collections::BTreeMap;

use terrane_config::state_file::Decryption;

/// How to decrypt the states of a root module, and the states that it reads. The source is its `encryption` block,
/// which the environment variable `TF_ENCRYPTION` overrides.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Encryption {
    /// Decrypts the state of the root module; `None` if it is not encrypted.
    pub state: Option<Decryption>,
    /// Decrypts the states that data sources of the type `terraform_remote_state` read, unless
    /// `remotes` has a method for them.
    pub(crate) remote_default: Option<Decryption>,
    /// Decrypts the states that single data sources read, by the names of `remote_state_data_source` blocks.
    pub(crate) remotes: BTreeMap<String, Decryption>,
}

impl Encryption {
    /// Returns how to decrypt the state that a data source reads: `module.net["a"].data.terraform_remote_state.vpc`.
    /// `None` if it is not encrypted.
    pub fn of_remote_state(&self, address: &str) -> Option<&Decryption> {
        let name = address.replacen("data.terraform_remote_state.", "", 1);
        let name = name.strip_prefix("module.").unwrap_or(&name);
        self.remotes.get(name).or(self.remote_default.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remote_states_have_short_names() {
        let decryption =
            |problem: &str| Decryption { unusable: vec![problem.to_owned()], ..Decryption::default() };
        let names = ["vpc", "vpc[0]", "net[\"a\"].vpc", "net.module.inner.vpc"];
        let remotes = names.map(|name| (name.to_owned(), decryption(name))).into_iter().collect();
        let encryption = Encryption { remotes, remote_default: Some(decryption("default")), state: None };
        for (address, name) in [
            ("data.terraform_remote_state.vpc", "vpc"),
            ("data.terraform_remote_state.vpc[0]", "vpc[0]"),
            ("module.net[\"a\"].data.terraform_remote_state.vpc", "net[\"a\"].vpc"),
            ("module.net.module.inner.data.terraform_remote_state.vpc", "net.module.inner.vpc"),
            ("module.net.data.terraform_remote_state.vpc", "default"),
        ] {
            assert_eq!(encryption.of_remote_state(address), Some(&decryption(name)), "{address}");
        }
    }
}
