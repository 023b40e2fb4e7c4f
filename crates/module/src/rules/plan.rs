//! Differences between the plan documents of the products.

use terrane_function::{Dialect, Edition, OPENTOFU_REGISTRY, Product, TERRAFORM_REGISTRY};

/// The newest release of each product that plans were compared with.
const TERRAFORM: &str = "1.11.4";
const OPENTOFU: &str = "1.12.6";

/// How the plans of a dialect are written. Configuration for both products has the plan of Terraform.
#[derive(Clone, Debug)]
pub struct PlanRules {
    /// The name of the product.
    pub product: &'static str,
    /// The version of the product that a plan claims to be of. Programs refuse versions that do not exist.
    pub version: String,
    /// Host of the registry in the address of a provider that is written without one.
    pub registry: &'static str,
    /// The configuration says which variables and outputs are ephemeral, and contains ephemeral resources.
    pub writes_ephemeral: bool,
    /// The configuration has the warnings about deprecated variables and outputs.
    pub writes_deprecations: bool,
    /// The configuration has the types of variables, and says which variables must be set.
    pub writes_variable_types: bool,
    /// A plan says whether it is complete, and whether it can be applied.
    pub writes_completeness: bool,
    /// The legend of a plan as text explains the sign of objects that are forgotten.
    pub explains_forgotten: bool,
}

impl PlanRules {
    /// The rules of a dialect.
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
        }
    }
}
