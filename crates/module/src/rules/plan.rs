//! Differences between the plan documents of the products.

use terrane_function::{Dialect, Edition, OPENTOFU_REGISTRY, Product, TERRAFORM_REGISTRY};
use terrane_source::{Title, ids, titles};

/// The newest releases of the products with which plans were compared.
const TERRAFORM: &str = "1.11.4";
const OPENTOFU: &str = "1.12.6";

/// The form of plan documents in a dialect. Configuration for both products gets the plan of Terraform.
#[derive(Clone, Debug)]
pub struct PlanRules {
    /// The name of the product.
    pub product: &'static str,
    /// The version of the product that the plan names. Programs reject versions that do not exist.
    pub version: String,
    /// The registry host in the address of a provider that is written without one.
    pub registry: &'static str,
    /// Whether the configuration says which variables and outputs are ephemeral, and contains ephemeral resources.
    pub writes_ephemeral: bool,
    /// Whether the configuration has the warnings about deprecated variables and outputs.
    pub writes_deprecations: bool,
    /// Whether the configuration has the types of variables, and says which variables must be set.
    pub writes_variable_types: bool,
    /// Whether the plan says if it is complete, and if it can be applied.
    pub writes_completeness: bool,
    /// Whether the legend of a plan as text explains the sign of forgotten objects.
    pub explains_forgotten: bool,
    /// The title of the warning about objects that the plan removes from the state without destroying them.
    pub forgotten_objects: Title,
}

impl PlanRules {
    /// Returns the rules of a dialect.
    pub fn of(dialect: Dialect) -> PlanRules {
        let is_opentofu = dialect.product() == Some(Product::OpenTofu);
        let (product, newest, registry) = match is_opentofu {
            true => ("OpenTofu", OPENTOFU, OPENTOFU_REGISTRY),
            false => ("Terraform", TERRAFORM, TERRAFORM_REGISTRY),
        };
        let version = match dialect {
            Dialect::Product(Product::Terraform | Product::OpenTofu, edition)
                if edition != Edition::NEWEST && !newest.starts_with(&format!("{edition}.")) =>
            {
                format!("{edition}.0")
            }
            Dialect::Product(..) | Dialect::Modules => newest.to_owned(),
        };
        PlanRules {
            product,
            version,
            registry,
            writes_ephemeral: is_opentofu,
            writes_deprecations: is_opentofu,
            writes_variable_types: is_opentofu,
            writes_completeness: !is_opentofu,
            explains_forgotten: is_opentofu,
            forgotten_objects: match is_opentofu {
                true => Title::of(ids::FORGOTTEN_OBJECTS),
                false => titles::SOME_OBJECTS_WILL_NO_LONGER_BE_MANAGED_BY_TERRAFORM,
            },
        }
    }
}
