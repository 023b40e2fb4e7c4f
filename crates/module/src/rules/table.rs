//! The table of behaviour that differs between products and editions.

use std::fmt;

use terrane_config::VersionConstraint;
use terrane_function::{Availability, Dialect, Edition, OPENTOFU_REGISTRY, Product, TERRAFORM_REGISTRY};
use terrane_source::{DiagnosticId, ids};

use crate::rules::constructs;
use crate::rules::titles::Titles;

/// The behaviour of a dialect. The comment of a field describes the dialects in which it is true; `of` lists them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    dialect: Dialect,
    /// Titles of diagnostics.
    pub(crate) titles: Titles,

    // Directories, files and versions
    /// Modules exist. Packer has templates instead.
    pub(crate) has_modules: bool,
    /// Name of the product in diagnostics.
    pub(crate) product_name: &'static str,
    /// The files of a directory.
    pub(crate) files: FileRules,
    /// `required_version` is read only in `.tofu` files, and only applies to its own file.
    pub(crate) versions_are_per_file: bool,
    /// A module that requires another version reports only that.
    pub(crate) version_error_hides_others: bool,
    /// A `terraform` block has the arguments `language` and `experiments`.
    pub(crate) has_language_arguments: bool,

    // Variables and outputs
    /// A validation reads the variable files that are loaded automatically.
    pub(crate) validation_reads_automatic_files: bool,
    /// A variable with `const = true` can be neither sensitive nor ephemeral.
    pub(crate) const_variables_must_be_plain: bool,
    /// The validations of a sensitive variable see its value without the mark.
    pub(crate) own_validations_see_sensitive: bool,
    /// Attributes that the type of a variable drops give a warning.
    pub(crate) warns_of_dropped_attributes: bool,
    /// The value of a sensitive output is sensitive for the caller of the module.
    pub(crate) sensitive_outputs_mark_callers: bool,
    /// An ephemeral output of a called module must have an ephemeral value.
    pub(crate) ephemeral_outputs_need_ephemeral_values: bool,

    // Repetition
    /// The resource types named `count`, `each` and the like need the prefix `resource.` in an address.
    pub(crate) reserves_namespaces_in_addresses: bool,
    /// A set in `for_each` must have the element type string, even if it is empty.
    pub(crate) for_each_sets_are_of_strings: bool,
    /// `count` and `for_each` may not refer to the resource that they repeat.
    pub(crate) refuses_self_repetition: bool,

    // Resources, providers and actions
    /// `action` blocks exist.
    pub(crate) has_actions: bool,
    /// In a validation, a resource is an unknown value of its schema's type, rather than of any type.
    pub(crate) validation_types_resources: bool,
    /// `replace_triggered_by` may name only attributes that the schema has.
    pub(crate) triggers_check_attributes: bool,
    /// `prevent_destroy` may be any expression.
    pub(crate) computed_prevent_destroy: bool,
    /// `local-exec` and `file` may not have an empty `command` or `destination`.
    pub(crate) checks_empty_provisioner_arguments: bool,
    /// A connection of the type `winrm` gives a warning.
    pub(crate) warns_of_winrm: bool,
    /// Host of the registry for providers without a host.
    pub(crate) registry: &'static str,
    /// Provider configurations have `for_each`, and references to them a key.
    pub(crate) has_provider_instances: bool,
    /// A module that expects provider configurations from its caller can be validated by itself.
    pub(crate) validates_called_modules: bool,

    // References
    /// `tofu` is another name of `terraform`.
    pub(crate) has_tofu_name: bool,
    /// `terraform.applying` exists.
    pub(crate) has_applying: bool,

    // `moved` and `removed` blocks
    /// A `moved` block with a wrong address is reported as a whole, too.
    pub(crate) reports_incomplete_moves: bool,
    /// The last of several `lifecycle` blocks in a `removed` block counts; otherwise there can be only one.
    pub(crate) removed_takes_last_lifecycle: bool,
    /// A `removed` block that leaves open whether the object is destroyed gives a warning.
    pub(crate) warns_of_unclear_removal: bool,

    // Groups
    /// Override files.
    pub(crate) overrides: OverrideRules,
    /// Static values.
    pub(crate) statics: StaticRules,
    /// Functions of providers.
    pub(crate) provider_functions: ProviderFunctionRules,
    /// `import` blocks.
    pub(crate) imports: ImportRules,
}

/// The files of a directory that are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileRules {
    /// Files whose names end in `.tofu` are read.
    pub(crate) read_tofu: bool,
    /// A check of the syntax of a directory includes files whose names end in `.tofu`.
    pub(crate) check_tofu: bool,
}

/// The behaviour of override files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OverrideRules {
    /// A `removed` block in an override file is ignored instead of refused.
    pub(crate) ignore_removed: bool,
    /// `deprecated` in an override file is ignored.
    pub(crate) ignore_deprecated: bool,
    /// An `ephemeral` block in an override file is ignored.
    pub(crate) ignore_ephemeral: bool,
}

/// The behaviour of values that are needed before evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticRules {
    /// Sources and versions of modules may refer to variables and locals.
    pub(crate) computed_sources: bool,
    /// Arguments of a backend may refer to variables and locals.
    pub(crate) computed_backends: bool,
    /// A static value may refer to a variable only if it is declared with `const = true`.
    pub(crate) variables_must_be_const: bool,
    /// A static value may refer to the workspace.
    pub(crate) see_workspace: bool,
}

/// The behaviour of functions of providers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProviderFunctionRules {
    /// The form of the names of provider functions is checked before evaluation.
    pub(crate) check_names: bool,
    /// `try` and `can` may call functions of providers that the module does not require.
    pub(crate) try_unknown_providers: bool,
    /// A validation reports unknown functions of the built-in provider.
    pub(crate) validation_checks_builtin: bool,
}

/// The behaviour of `import` blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImportRules {
    /// `id` may be any expression.
    pub(crate) computed_ids: bool,
    /// `id` may be sensitive or ephemeral.
    pub(crate) ids_may_be_marked: bool,
    /// `id` may be empty.
    pub(crate) ids_may_be_empty: bool,
    /// An error in `to` gives a second error that says how to write it.
    pub(crate) explains_addresses: bool,
    /// A data source in `to` is reported by a plan instead of at once.
    pub(crate) reports_data_late: bool,
    /// References in the keys of `to` are checked without `for_each`, too.
    pub(crate) checks_keys_always: bool,
    /// A validation skips the references in the keys of `to`.
    pub(crate) validation_skips_keys: bool,
    /// The keys of `to` must be literals without `for_each`, and may call no function.
    pub(crate) keys_are_plain: bool,
    /// The keys of `to` must be known during a plan, and neither sensitive nor ephemeral.
    pub(crate) keys_are_public: bool,
    /// `for_each` takes any set, null and sensitive values.
    pub(crate) for_each_is_lenient: bool,
    /// `for_each` takes lists, and unknown tuples.
    pub(crate) for_each_takes_lists: bool,
    /// Two elements of `for_each` may not import the same resource.
    pub(crate) instances_must_differ: bool,
    /// A validation checks that `to` is declared.
    pub(crate) validation_checks_targets: bool,
    /// With `for_each`, the resource must be declared.
    pub(crate) instances_need_declarations: bool,
    /// Id of the error about a key that does not fit the repetition of the resource.
    pub(crate) key_mismatch: DiagnosticId,
}

impl Rules {
    /// Returns the rules of a dialect.
    pub(crate) fn of(dialect: Dialect) -> Rules {
        let product = dialect.product();
        let (is_terraform, is_opentofu) =
            (product == Some(Product::Terraform), product == Some(Product::OpenTofu));
        let has = |availability: Availability| availability.is_in(dialect);
        let opentofu_since = |minor| has(Availability::nowhere().opentofu(minor));
        Rules {
            dialect,
            titles: Titles::of(dialect),

            has_modules: !dialect.is_packer(),
            product_name: if is_terraform { "Terraform" } else { "OpenTofu" },
            files: FileRules::of(dialect),
            versions_are_per_file: opentofu_since(12),
            version_error_hides_others: !is_terraform,
            has_language_arguments: is_terraform,

            validation_reads_automatic_files: !is_terraform,
            const_variables_must_be_plain: is_terraform,
            own_validations_see_sensitive: is_terraform,
            warns_of_dropped_attributes: opentofu_since(11),
            sensitive_outputs_mark_callers: dialect
                != Dialect::Product(Product::Terraform, Edition::new(1, 11)),
            ephemeral_outputs_need_ephemeral_values: is_terraform,

            reserves_namespaces_in_addresses: is_terraform,
            for_each_sets_are_of_strings: is_opentofu,
            refuses_self_repetition: is_terraform,

            has_actions: has(constructs::ACTIONS),
            validation_types_resources: !is_terraform,
            triggers_check_attributes: is_opentofu,
            computed_prevent_destroy: opentofu_since(12),
            checks_empty_provisioner_arguments: !is_terraform,
            warns_of_winrm: opentofu_since(12),
            registry: if is_terraform { TERRAFORM_REGISTRY } else { OPENTOFU_REGISTRY },
            has_provider_instances: has(constructs::PROVIDER_INSTANCES),
            validates_called_modules: opentofu_since(11),

            has_tofu_name: opentofu_since(9),
            has_applying: has(constructs::both(10, 11)),

            reports_incomplete_moves: !is_terraform,
            removed_takes_last_lifecycle: is_terraform,
            warns_of_unclear_removal: !is_terraform,

            overrides: OverrideRules::of(dialect),
            statics: StaticRules::of(dialect),
            provider_functions: ProviderFunctionRules::of(dialect),
            imports: ImportRules::of(dialect),
        }
    }

    /// Whether a construct exists in the dialect.
    pub(crate) fn has(&self, construct: Availability) -> bool {
        construct.is_in(self.dialect)
    }

    /// Whether every construct exists in the dialect, because it is not the dialect of an edition.
    pub(crate) fn has_all(&self) -> bool {
        self.dialect == Dialect::Modules
    }

    /// Whether other editions have a type of blocks at the top of a file, and the dialect lacks it.
    pub(crate) fn lacks_block_of_files(&self, block_type: &str) -> bool {
        !self.has_all() && constructs::since("", block_type).is_some_and(|since| !self.has(since))
    }

    /// Returns the editions that have a construct, in words, if the dialect lacks it; `None` if the dialect has it.
    pub(crate) fn lacks(&self, construct: Availability, name: impl fmt::Display) -> Option<String> {
        (!self.has(construct)).then(|| {
            let editions = construct.to_string().replace(", ", " and ");
            format!("{name} was added in {editions}. The selected dialect is {}.", self.dialect)
        })
    }

    /// Whether the source of a module is read together with the version in the same block, before override files are
    /// applied. Editions with computed sources read both when they follow the call.
    pub(crate) fn reads_sources_by_block(&self) -> bool {
        !self.statics.computed_sources
    }

    /// Whether a version of the product that belongs to the edition of the dialect meets the constraint.
    pub(crate) fn satisfies(&self, constraint: &VersionConstraint) -> bool {
        /// More minor versions than any product has had.
        const MINORS: u16 = 200;
        /// More patches than any early edition has had.
        const PATCHES: u64 = 32;
        let (major, mut minors) = match self.dialect {
            Dialect::Product(_, Edition { major, minor }) if minor < MINORS => (major, minor..=minor),
            Dialect::Product(..) | Dialect::Modules => (1, 0..=MINORS),
        };
        let patches = (0..=if major == 0 { PATCHES } else { 9 }).chain([100]);
        let allows = |minor, patch| constraint.allows([u64::from(major), u64::from(minor), patch]);
        minors.any(|minor| patches.clone().any(|patch| allows(minor, patch)))
    }
}

impl FileRules {
    /// Returns the rules of a dialect.
    pub(crate) fn of(dialect: Dialect) -> FileRules {
        FileRules {
            read_tofu: Availability::nowhere().opentofu(8).is_in(dialect),
            check_tofu: dialect.product() != Some(Product::Terraform),
        }
    }
}

impl OverrideRules {
    fn of(dialect: Dialect) -> OverrideRules {
        let is_terraform = dialect.product() == Some(Product::Terraform);
        OverrideRules {
            ignore_removed: is_terraform,
            ignore_deprecated: is_terraform,
            ignore_ephemeral: is_terraform,
        }
    }
}

impl StaticRules {
    fn of(dialect: Dialect) -> StaticRules {
        let is_terraform = dialect.product() == Some(Product::Terraform);
        StaticRules {
            computed_sources: constructs::both(15, 8).is_in(dialect),
            computed_backends: Availability::nowhere().opentofu(8).is_in(dialect),
            variables_must_be_const: is_terraform,
            see_workspace: !is_terraform,
        }
    }
}

impl ProviderFunctionRules {
    fn of(dialect: Dialect) -> ProviderFunctionRules {
        let is_terraform = dialect.product() == Some(Product::Terraform);
        ProviderFunctionRules {
            check_names: !is_terraform,
            try_unknown_providers: is_terraform,
            validation_checks_builtin: is_terraform,
        }
    }
}

impl ImportRules {
    fn of(dialect: Dialect) -> ImportRules {
        let is_terraform = dialect.product() == Some(Product::Terraform);
        let is_opentofu = dialect.product() == Some(Product::OpenTofu);
        ImportRules {
            computed_ids: constructs::both(6, 6).is_in(dialect),
            ids_may_be_marked: is_terraform,
            ids_may_be_empty: is_opentofu,
            explains_addresses: is_terraform,
            reports_data_late: !is_terraform,
            checks_keys_always: !is_terraform,
            validation_skips_keys: is_opentofu,
            keys_are_plain: is_terraform,
            keys_are_public: !is_terraform,
            for_each_is_lenient: is_terraform,
            for_each_takes_lists: !is_opentofu,
            instances_must_differ: !is_terraform,
            validation_checks_targets: is_terraform,
            instances_need_declarations: is_terraform,
            key_mismatch: match is_terraform {
                true => ids::INVALID_IMPORT_TO,
                false => ids::MISSING_IMPORT_TARGET,
            },
        }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::of(Dialect::default())
    }
}
