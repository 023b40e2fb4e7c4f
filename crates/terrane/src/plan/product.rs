//! The product whose plan is written, and where its plans differ from those of the other.

use terrane_function::{Dialect, Edition, OPENTOFU_REGISTRY, Product, TERRAFORM_REGISTRY};
use terrane_module::provider::ProviderAddress;

use crate::secrets::Secrets;

/// The newest release of each product that plans were compared with.
const TERRAFORM: &str = "1.11.4";
const OPENTOFU: &str = "1.12.6";

/// The product that a plan claims to be of.
#[derive(Clone)]
pub(super) struct Emulated {
    /// The version that the plan claims to be of. Programs refuse versions that do not exist.
    pub(super) version: String,
    /// The host of the registry of a provider without one.
    registry: &'static str,
    /// Whether types, ephemeral blocks and deprecations are in the configuration, and a plan says only whether it has errors.
    pub(super) is_opentofu: bool,
}

/// How a plan document is written: for which product, and whether with secrets.
#[derive(Clone, Copy)]
pub(super) struct DocumentOptions<'p> {
    pub(super) product: &'p Emulated,
    pub(super) secrets: Secrets,
}

impl Emulated {
    /// Configuration for both products has the plan of Terraform.
    pub(super) fn of(dialect: Dialect) -> Emulated {
        let is_opentofu = dialect.product() == Some(Product::OpenTofu);
        let (newest, registry) = match is_opentofu {
            true => (OPENTOFU, OPENTOFU_REGISTRY),
            false => (TERRAFORM, TERRAFORM_REGISTRY),
        };
        let version = match dialect {
            Dialect::Product(Product::Terraform | Product::OpenTofu, edition)
                if edition != Edition::NEWEST && !newest.starts_with(&format!("{edition}.")) =>
            {
                format!("{edition}.0")
            }
            Dialect::Product(..) | Dialect::Modules => newest.to_owned(),
        };
        Emulated { version, registry, is_opentofu }
    }

    /// The address of a provider with its host.
    pub(super) fn provider(&self, provider: &ProviderAddress) -> String {
        match provider.host {
            Some(_) => provider.to_string(),
            None => format!("{}/{provider}", self.registry),
        }
    }
}
