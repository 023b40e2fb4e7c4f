//! Products, their editions, and the availability of features in them.
//!
//! [`Dialect`] is the product and edition that a configuration is read with.

use std::fmt;
use std::str::FromStr;

/// A product that reads the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Product {
    /// HashiCorp Terraform.
    Terraform,
    /// OpenTofu.
    OpenTofu,
    /// HashiCorp Packer.
    Packer,
}

/// The host of the registry of Terraform. It stands for both registries if no product is chosen.
pub const TERRAFORM_REGISTRY: &str = "registry.terraform.io";

/// The host of the registry of OpenTofu.
pub const OPENTOFU_REGISTRY: &str = "registry.opentofu.org";

impl Product {
    /// All products.
    pub const ALL: [Product; 3] = [Product::Terraform, Product::OpenTofu, Product::Packer];

    /// The name in prose.
    pub const fn name(self) -> &'static str {
        match self {
            Product::Terraform => "Terraform",
            Product::OpenTofu => "OpenTofu",
            Product::Packer => "Packer",
        }
    }

    /// The first edition that reads the language: Packer has templates in it since 1.5.
    pub const fn first_edition(self) -> Edition {
        match self {
            Product::Terraform => Edition::new(0, 12),
            Product::OpenTofu => Edition::new(1, 6),
            Product::Packer => Edition::new(1, 5),
        }
    }

    /// Returns the host of the registry for addresses of providers and modules without a host. Packer has none.
    pub const fn registry(self) -> Option<&'static str> {
        match self {
            Product::Terraform => Some(TERRAFORM_REGISTRY),
            Product::OpenTofu => Some(OPENTOFU_REGISTRY),
            Product::Packer => None,
        }
    }

    /// The product whose registry has this host.
    pub fn of_registry(host: &str) -> Option<Product> {
        Product::ALL.into_iter().find(|product| product.registry() == Some(host))
    }
}

/// A `major.minor` version of a product. The language does not change within an edition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edition {
    /// The number before the dot.
    pub major: u16,
    /// The number after the dot.
    pub minor: u16,
}

impl Edition {
    /// An edition later than all others.
    pub const NEWEST: Edition = Edition::new(u16::MAX, u16::MAX);

    /// The edition `major.minor`.
    pub const fn new(major: u16, minor: u16) -> Edition {
        Edition { major, minor }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The products that have a feature, each with its first edition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Availability {
    terraform: Option<Edition>,
    /// The last edition of Terraform with the feature, if a later one removed it.
    last_terraform: Option<Edition>,
    opentofu: Option<Edition>,
    packer: Option<Edition>,
}

/// The first editions with names such as `core::upper` and `provider::time::rfc3339_parse`.
pub const NAMESPACES: Availability = Availability::nowhere().terraform(8).opentofu(7);

impl Availability {
    /// No product.
    pub const fn nowhere() -> Availability {
        Availability { terraform: None, last_terraform: None, opentofu: None, packer: None }
    }

    /// All products, in all [editions](Product::first_edition).
    pub const fn everywhere() -> Availability {
        Availability { packer: Some(Product::Packer.first_edition()), ..Availability::modules() }
    }

    /// Terraform and OpenTofu, in all editions, but not Packer.
    pub const fn modules() -> Availability {
        Availability {
            terraform: Some(Product::Terraform.first_edition()),
            opentofu: Some(Product::OpenTofu.first_edition()),
            ..Availability::nowhere()
        }
    }

    /// Adds Terraform since `1.minor`.
    #[must_use]
    pub const fn terraform(self, minor: u16) -> Availability {
        Availability { terraform: Some(Edition::new(1, minor)), last_terraform: None, ..self }
    }

    /// Adds Terraform since `0.minor`.
    #[must_use]
    pub const fn early_terraform(self, minor: u16) -> Availability {
        Availability { terraform: Some(Edition::new(0, minor)), last_terraform: None, ..self }
    }

    /// Removes the editions of Terraform after `0.minor`.
    #[must_use]
    pub const fn last_early_terraform(self, minor: u16) -> Availability {
        Availability { last_terraform: Some(Edition::new(0, minor)), ..self }
    }

    /// Adds OpenTofu since `1.minor`.
    #[must_use]
    pub const fn opentofu(self, minor: u16) -> Availability {
        Availability { opentofu: Some(Edition::new(1, minor)), ..self }
    }

    /// Adds Packer since `1.minor`.
    #[must_use]
    pub const fn packer(self, minor: u16) -> Availability {
        Availability { packer: Some(Edition::new(1, minor)), ..self }
    }

    /// The first edition of `product` with the feature.
    pub const fn since(&self, product: Product) -> Option<Edition> {
        match product {
            Product::Terraform => self.terraform,
            Product::OpenTofu => self.opentofu,
            Product::Packer => self.packer,
        }
    }

    /// Whether `dialect` has the feature.
    pub fn is_in(&self, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Modules => {
                (self.terraform.is_some() && self.last_terraform.is_none()) || self.opentofu.is_some()
            }
            Dialect::Product(product, edition) => {
                self.since(product).is_some_and(|first| first <= edition)
                    && self.until(product).is_none_or(|last| edition <= last)
            }
        }
    }

    /// The last edition of `product` with the feature, if a later one removed it.
    const fn until(&self, product: Product) -> Option<Edition> {
        match product {
            Product::Terraform => self.last_terraform,
            Product::OpenTofu | Product::Packer => None,
        }
    }

    /// `Since Terraform 1.5, Packer 1.12.` or `Only in Terraform 0.12 to 0.14.`
    pub fn sentence(&self) -> String {
        format!("{} {self}.", if self.is_over() { "Only in" } else { "Since" })
    }

    /// `was added in Terraform 1.5, Packer 1.12` or `is only in Terraform 0.12 to 0.14`
    pub fn history(&self) -> String {
        format!("{} {self}", if self.is_over() { "is only in" } else { "was added in" })
    }

    fn is_over(&self) -> bool {
        Product::ALL.into_iter().any(|product| self.until(product).is_some())
    }
}

/// `Terraform 1.0, OpenTofu 1.6`: the products, each with its first edition, and its last one if there is one.
impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for product in Product::ALL {
            if let Some(edition) = self.since(product) {
                write!(f, "{separator}{} {edition}", product.name())?;
                if let Some(last) = self.until(product) {
                    write!(f, " to {last}")?;
                }
                separator = ", ";
            }
        }
        Ok(())
    }
}

/// The product and edition whose rules apply.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// The newest Terraform and the newest OpenTofu together, so that every valid module is accepted.
    #[default]
    Modules,
    /// One edition of one product.
    Product(Product, Edition),
}

impl Dialect {
    /// Returns the product. `None` for [`Dialect::Modules`].
    pub const fn product(self) -> Option<Product> {
        match self {
            Dialect::Modules => None,
            Dialect::Product(product, _) => Some(product),
        }
    }

    /// Whether it is a dialect of Packer, which has templates instead of modules.
    pub fn is_packer(self) -> bool {
        self.product() == Some(Product::Packer)
    }
}

/// `terraform`, `opentofu` or `packer`, with the edition after a dash unless it is the newest, or `modules`.
impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dialect::Modules => f.write_str("modules"),
            Dialect::Product(product, Edition::NEWEST) => f.write_str(&product.name().to_lowercase()),
            Dialect::Product(product, edition) => write!(f, "{}-{edition}", product.name().to_lowercase()),
        }
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Dialect, String> {
        let error = || {
            "write terraform, opentofu, packer, one of them with an edition (terraform-1.5), or modules"
                .to_owned()
        };
        if text == "modules" {
            return Ok(Dialect::Modules);
        }
        let (name, edition) = text.split_once('-').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let product = Product::ALL.into_iter().find(|product| product.name().eq_ignore_ascii_case(name));
        let product = product.ok_or_else(error)?;
        let edition = match edition {
            None => Edition::NEWEST,
            Some(edition) => {
                let (major, minor) = edition.split_once('.').ok_or_else(error)?;
                let number = |digits: &str| digits.parse().map_err(|_| error());
                let edition = Edition::new(number(major)?, number(minor)?);
                if !is_edition(product, edition) {
                    let (name, valid) = (product.name(), editions(product));
                    return Err(format!(
                        "there is no {name} {edition} that reads this language: write {valid}"
                    ));
                }
                edition
            }
        };
        Ok(Dialect::Product(product, edition))
    }
}

/// Whether the edition exists or may exist later: an unknown later minor version is read as the newest edition.
fn is_edition(product: Product, edition: Edition) -> bool {
    let is_early = edition.major == 0 && edition.minor <= 15;
    edition >= product.first_edition() && (edition.major == 1 || is_early)
}

/// Returns the valid editions, for an error message.
fn editions(product: Product) -> &'static str {
    match product {
        Product::Terraform => "terraform-0.12 to terraform-0.15, or terraform-1.0 or a later 1.x",
        Product::OpenTofu => "opentofu-1.6 or a later 1.x",
        Product::Packer => "packer-1.5 or a later 1.x",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_read_and_written() {
        for text in ["terraform", "opentofu-1.7", "packer", "modules"] {
            assert_eq!(text.parse::<Dialect>().unwrap().to_string(), text);
        }
        for text in ["", "tofu", "terraform-", "terraform-1", "packer-1.x", "modules-1.0"] {
            assert!(text.parse::<Dialect>().is_err(), "{text}");
        }
    }

    #[test]
    fn editions_that_there_never_were_are_refused() {
        for text in ["terraform-0.12", "terraform-1.0", "terraform-1.99", "opentofu-1.6", "packer-1.5"] {
            let dialect = text.parse::<Dialect>().unwrap();
            assert!(Availability::everywhere().is_in(dialect), "{text}");
        }
        for text in
            ["terraform-2.0", "terraform-0.11", "terraform-0.16", "opentofu-1.5", "packer-1.4", "packer-2.0"]
        {
            let error = text.parse::<Dialect>().unwrap_err();
            assert!(error.starts_with("there is no ") && error.contains("1.x"), "{error}");
        }
    }

    #[test]
    fn an_edition_has_the_functions_of_earlier_ones() {
        let since = Availability::nowhere().terraform(5).packer(12);
        let has = |dialect: &str| since.is_in(dialect.parse().unwrap());
        assert!(has("modules") && has("terraform") && has("terraform-1.5") && has("packer-1.13"));
        assert!(!has("terraform-1.4") && !has("opentofu") && !has("packer-1.11"));
        assert_eq!(since.sentence(), "Since Terraform 1.5, Packer 1.12.");
        assert!(!since.is_in("terraform-0.15".parse().unwrap()));
    }

    #[test]
    fn a_removed_feature_ends_with_an_edition() {
        let removed = Availability::modules().early_terraform(13).last_early_terraform(14);
        let has = |dialect: &str| removed.is_in(dialect.parse().unwrap());
        assert!(has("terraform-0.13") && has("terraform-0.14") && has("opentofu"));
        assert!(!has("terraform-0.12") && !has("terraform-0.15") && !has("terraform"));
        let only = Availability::nowhere().early_terraform(12).last_early_terraform(14);
        assert!(!only.is_in(Dialect::Modules));
        assert_eq!(only.sentence(), "Only in Terraform 0.12 to 0.14.");
    }
}
