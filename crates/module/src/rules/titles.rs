//! Titles of diagnostics by product.

use terrane_function::{Dialect, Edition, Product};
use terrane_source::{DiagnosticId, Diagnostics, Title, ids, titles};

/// The titles of a dialect.
///
/// Each id has a title. If Terraform has another title for every diagnostic with the id, [`Titles::apply`] sets it. A
/// field has the title of one error among several with the same id; the code that reports the error reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Titles {
    /// The titles that replace titles of ids, in order of precedence.
    of_ids: [&'static [TitleOfId]; 2],

    /// A module has a `backend` and a `cloud` block.
    pub(crate) backend_and_cloud: Title,
    /// A module has several `cloud` blocks.
    pub(crate) several_clouds: Title,
    /// A deprecated variable of the root module is set.
    pub(crate) deprecated_root_variable: Title,
    /// An argument of a module call gives an ephemeral value to a variable that does not accept it.
    pub(crate) ephemeral_for_variable: Title,
    /// An element of a set in `for_each` is wrong.
    pub(crate) for_each_element: Title,
    /// A key in the address of an `import` block is wrong.
    pub(crate) import_key: Title,
    /// A `removed` block names a data source.
    pub(crate) removed_data_source: Title,
    /// A `removed` block names an instance of a module.
    pub(crate) removed_module_instance: Title,
    /// A `removed` block names an instance of a resource.
    pub(crate) removed_resource_instance: Title,
    /// A `removed` block names a module that is declared.
    pub(crate) removed_module_exists: Title,
    /// A `removed` block names a resource that is declared.
    pub(crate) removed_resource_exists: Title,
    /// A `removed` block of a module has a provisioner.
    pub(crate) module_provisioner: Title,
    /// A provisioner in a `removed` block does not run on destroy.
    pub(crate) removed_provisioner: Title,
    /// `replace_triggered_by` names a resource that is not declared.
    pub(crate) undeclared_trigger: Title,
    /// A call of a function of a provider that the module does not require.
    pub(crate) unknown_function_provider: Title,
}

/// The title of all diagnostics with an id.
#[derive(Debug)]
struct TitleOfId {
    id: DiagnosticId,
    title: Title,
}

impl TitleOfId {
    const fn new(id: DiagnosticId, title: Title) -> TitleOfId {
        TitleOfId { id, title }
    }
}

/// Titles of all editions of Terraform.
const TERRAFORM: &[TitleOfId] = &[
    TitleOfId::new(ids::DEPRECATED_OUTPUT, titles::DEPRECATED_VALUE_USED),
    TitleOfId::new(ids::DEPRECATED_VARIABLE, titles::DEPRECATED_VARIABLE_GOT_A_VALUE),
    TitleOfId::new(ids::DYNAMIC_IN_STATIC, titles::INVALID_MODULE_SOURCE),
    TitleOfId::new(ids::EPHEMERAL_ARGUMENT, titles::INVALID_USE_OF_EPHEMERAL_VALUE),
    TitleOfId::new(ids::EPHEMERAL_OUTPUT, titles::EPHEMERAL_VALUE_NOT_ALLOWED),
    TitleOfId::new(ids::EPHEMERAL_ROOT_OUTPUT, titles::EPHEMERAL_OUTPUT_NOT_ALLOWED),
    TitleOfId::new(ids::INCOMPATIBLE_MODULE, titles::UNSUPPORTED_TERRAFORM_CORE_VERSION),
    TitleOfId::new(ids::LEGACY_MODULE, titles::MODULE_IS_INCOMPATIBLE_WITH_COUNT_FOR_EACH_AND_DEPENDS_ON),
    TitleOfId::new(ids::MISSING_IMPORT_ARGUMENT, titles::MISSING_REQUIRED_ARGUMENT),
    TitleOfId::new(ids::STATIC_MODULE_OUTPUT, titles::INVALID_MODULE_SOURCE),
];

/// Titles of Terraform since 1.12, which take precedence.
const TERRAFORM_SINCE_1_12: &[TitleOfId] = &[
    TitleOfId::new(ids::CONFLICTING_IMPORT, titles::INVALID_IMPORT_BLOCK),
    TitleOfId::new(ids::MISSING_IMPORT_ARGUMENT, titles::INVALID_IMPORT_BLOCK),
];

impl Titles {
    /// Returns the titles of a dialect: the titles of OpenTofu unless the dialect is Terraform.
    pub(crate) fn of(dialect: Dialect) -> Titles {
        let is_terraform = dialect.product() == Some(Product::Terraform);
        let title = |opentofu, terraform| if is_terraform { terraform } else { opentofu };
        let provisioner = titles::INVALID_PROVISIONER_BLOCK;
        Titles {
            of_ids: of_ids(dialect),
            backend_and_cloud: title(
                titles::BOTH_A_BACKEND_AND_A_CLOUD_CONFIGURATION_ARE_PRESENT,
                titles::BOTH_A_BACKEND_AND_CLOUD_CONFIGURATION_ARE_PRESENT,
            ),
            several_clouds: title(
                titles::DUPLICATE_CLOUD_CONFIGURATIONS,
                titles::DUPLICATE_HCP_TERRAFORM_CONFIGURATIONS,
            ),
            deprecated_root_variable: title(
                titles::DEPRECATED_VARIABLE_USED_FROM_THE_ROOT_MODULE,
                titles::DEPRECATED_VARIABLE_GOT_A_VALUE,
            ),
            ephemeral_for_variable: title(
                titles::VARIABLE_DOES_NOT_ALLOW_EPHEMERAL_VALUE,
                titles::EPHEMERAL_VALUE_NOT_ALLOWED,
            ),
            for_each_element: title(Title::of(ids::INVALID_FOR_EACH), titles::INVALID_FOR_EACH_SET_ARGUMENT),
            import_key: title(
                titles::IMPORT_BLOCK_TO_ADDRESS_CONTAINS_AN_INVALID_KEY,
                titles::INVALID_ADDRESS,
            ),
            removed_data_source: title(
                titles::DATA_SOURCE_ADDRESS_IS_NOT_ALLOWED,
                titles::DATA_SOURCE_ADDRESS_NOT_ALLOWED,
            ),
            removed_module_instance: title(
                titles::MODULE_INSTANCE_ADDRESS_WITH_KEYS_IS_NOT_ALLOWED,
                titles::MODULE_INSTANCE_KEYS_NOT_ALLOWED,
            ),
            removed_resource_instance: title(
                titles::RESOURCE_INSTANCE_ADDRESS_WITH_KEYS_IS_NOT_ALLOWED,
                titles::RESOURCE_INSTANCE_KEYS_NOT_ALLOWED,
            ),
            removed_module_exists: title(
                titles::REMOVED_MODULE_BLOCK_STILL_EXISTS,
                titles::REMOVED_MODULE_STILL_EXISTS,
            ),
            removed_resource_exists: title(
                titles::REMOVED_RESOURCE_BLOCK_STILL_EXISTS,
                titles::REMOVED_RESOURCE_STILL_EXISTS,
            ),
            module_provisioner: title(titles::INVALID_REMOVED_BLOCK, provisioner),
            removed_provisioner: title(titles::INVALID_REMOVED_PROVISIONER_BLOCK, provisioner),
            undeclared_trigger: title(
                titles::UNDECLARED_RESOURCE_IN_REPLACE_TRIGGERED_BY,
                titles::REFERENCE_TO_UNDECLARED_RESOURCE,
            ),
            unknown_function_provider: title(
                titles::UNKNOWN_FUNCTION_PROVIDER,
                titles::UNKNOWN_PROVIDER_FUNCTION,
            ),
        }
    }

    /// Sets the dialect's title for the id on each diagnostic without a title of its own.
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
