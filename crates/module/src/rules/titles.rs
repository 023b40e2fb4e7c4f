//! Titles of diagnostics by product.

use terrane_function::{Dialect, Edition, Product};
use terrane_source::{DiagnosticId, Diagnostics, ids};

/// The titles of a dialect.
///
/// An id has a title of its own. If Terraform has another one for every diagnostic with the id, [`Titles::apply`] sets it. A
/// field has the title of one error among several with the same id; the code that reports the error reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Titles {
    /// The titles that replace those of ids, in order of precedence.
    of_ids: [&'static [TitleOfId]; 2],

    /// A module has a `backend` and a `cloud` block.
    pub(crate) backend_and_cloud: &'static str,
    /// A module has several `cloud` blocks.
    pub(crate) several_clouds: &'static str,
    /// A deprecated variable of the root module is set.
    pub(crate) deprecated_root_variable: &'static str,
    /// An argument of a module call gives an ephemeral value to a variable that does not accept it.
    pub(crate) ephemeral_for_variable: &'static str,
    /// An element of a set in `for_each` is wrong.
    pub(crate) for_each_element: &'static str,
    /// A key in the address of an `import` block is wrong.
    pub(crate) import_key: &'static str,
    /// A `removed` block names a data source.
    pub(crate) removed_data_source: &'static str,
    /// A `removed` block names an instance of a module.
    pub(crate) removed_module_instance: &'static str,
    /// A `removed` block names an instance of a resource.
    pub(crate) removed_resource_instance: &'static str,
    /// A `removed` block names a module that is declared.
    pub(crate) removed_module_exists: &'static str,
    /// A `removed` block names a resource that is declared.
    pub(crate) removed_resource_exists: &'static str,
    /// A provisioner in a `removed` block does not run on destroy.
    pub(crate) removed_provisioner: &'static str,
    /// `replace_triggered_by` names a resource that is not declared.
    pub(crate) undeclared_trigger: &'static str,
    /// A call of a function of a provider that the module does not require.
    pub(crate) unknown_function_provider: &'static str,
}

/// The title of all diagnostics with an id.
#[derive(Debug)]
struct TitleOfId {
    id: DiagnosticId,
    title: &'static str,
}

impl TitleOfId {
    const fn new(id: DiagnosticId, title: &'static str) -> TitleOfId {
        TitleOfId { id, title }
    }
}

/// Titles of all editions of Terraform.
const TERRAFORM: &[TitleOfId] = &[
    TitleOfId::new(ids::DEPRECATED_OUTPUT, "Deprecated value used"),
    TitleOfId::new(ids::DEPRECATED_VARIABLE, "Deprecated variable got a value"),
    TitleOfId::new(ids::DYNAMIC_IN_STATIC, "Invalid module source"),
    TitleOfId::new(ids::EPHEMERAL_ARGUMENT, "Invalid use of ephemeral value"),
    TitleOfId::new(ids::EPHEMERAL_OUTPUT, "Ephemeral value not allowed"),
    TitleOfId::new(ids::EPHEMERAL_ROOT_OUTPUT, "Ephemeral output not allowed"),
    TitleOfId::new(ids::INCOMPATIBLE_MODULE, "Unsupported Terraform Core version"),
    TitleOfId::new(ids::LEGACY_MODULE, "Module is incompatible with count, for_each, and depends_on"),
    TitleOfId::new(ids::MISSING_IMPORT_ARGUMENT, "Missing required argument"),
    TitleOfId::new(ids::STATIC_MODULE_OUTPUT, "Invalid module source"),
];

/// Titles of Terraform since 1.12, which take precedence.
const TERRAFORM_SINCE_1_12: &[TitleOfId] = &[
    TitleOfId::new(ids::CONFLICTING_IMPORT, "Invalid import block"),
    TitleOfId::new(ids::MISSING_IMPORT_ARGUMENT, "Invalid import block"),
];

impl Titles {
    /// The titles of a dialect: those of OpenTofu unless it is Terraform.
    pub(crate) fn of(dialect: Dialect) -> Titles {
        let is_terraform = dialect.product() == Some(Product::Terraform);
        let title = |opentofu, terraform| if is_terraform { terraform } else { opentofu };
        Titles {
            of_ids: of_ids(dialect),
            backend_and_cloud: title(
                "Both a backend and a cloud configuration are present",
                "Both a backend and cloud configuration are present",
            ),
            several_clouds: title("Duplicate cloud configurations", "Duplicate HCP Terraform configurations"),
            deprecated_root_variable: title(
                "Deprecated variable used from the root module",
                "Deprecated variable got a value",
            ),
            ephemeral_for_variable: title(
                "Variable does not allow ephemeral value",
                "Ephemeral value not allowed",
            ),
            for_each_element: title(ids::INVALID_FOR_EACH.title(), "Invalid for_each set argument"),
            import_key: title("Import block 'to' address contains an invalid key", "Invalid address"),
            removed_data_source: title(
                "Data source address is not allowed",
                "Data source address not allowed",
            ),
            removed_module_instance: title(
                "Module instance address with keys is not allowed",
                "Module instance keys not allowed",
            ),
            removed_resource_instance: title(
                "Resource instance address with keys is not allowed",
                "Resource instance keys not allowed",
            ),
            removed_module_exists: title("Removed module block still exists", "Removed module still exists"),
            removed_resource_exists: title(
                "Removed resource block still exists",
                "Removed resource still exists",
            ),
            removed_provisioner: title("Invalid \"removed.provisioner\" block", "Invalid provisioner block"),
            undeclared_trigger: title(
                "Undeclared resource in replace_triggered_by",
                "Reference to undeclared resource",
            ),
            unknown_function_provider: title("Unknown function provider", "Unknown provider function"),
        }
    }

    /// The diagnostics, those without a title of their own with the title of their id in the dialect.
    pub(crate) fn apply(&self, diagnostics: Diagnostics) -> Diagnostics {
        if self.of_ids.iter().all(|rows| rows.is_empty()) {
            return diagnostics;
        }
        let mut titled = Diagnostics::new();
        for diagnostic in diagnostics {
            let mut rows = self.of_ids.into_iter().flatten();
            let row = rows.find(|row| diagnostic.own_title.is_none() && row.id == diagnostic.id);
            titled.push(match row {
                Some(row) => diagnostic.titled(row.title),
                None => diagnostic,
            });
        }
        titled
    }
}

fn of_ids(dialect: Dialect) -> [&'static [TitleOfId]; 2] {
    match dialect {
        Dialect::Product(Product::Terraform, edition) if edition >= Edition::new(1, 12) => {
            [TERRAFORM_SINCE_1_12, TERRAFORM]
        }
        Dialect::Product(Product::Terraform, _) => [TERRAFORM, &[]],
        Dialect::Product(Product::OpenTofu | Product::Packer, _) | Dialect::Modules => [&[], &[]],
    }
}
