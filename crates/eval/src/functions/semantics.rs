//! The rules of evaluation that differ between products and editions.

use terrane_function::{Dialect, Edition, Product};
use terrane_source::{Title, titles};
use terrane_value::display::ConsoleText;
use terrane_value::{Type, Value};

/// The rules of a dialect, computed once for a function table. The comment of a field describes the dialects in which
/// it is true; `of` lists them.
#[derive(Clone, Debug)]
pub(crate) struct Semantics {
    // Operators and attributes
    /// One operand of `&&` or `||` may decide the result and hide errors of the other operand.
    pub(crate) short_circuit: bool,
    /// Reading an unknown object of known type with a key in brackets reports a key that the type lacks.
    pub(crate) checks_unknown_objects: bool,

    // Calls
    /// Some errors of arguments are reported at the call: errors of parameters that ask for it.
    pub(crate) calls_take_blame: bool,
    /// `convert` accepts defaults of optional attributes, and the converted value has these attributes.
    pub(crate) convert_fills_attributes: bool,

    // Templates
    /// A template may render another template.
    pub(crate) templates_nest: bool,
    /// A template without a result fails instead of being null.
    pub(crate) refuses_null_templates: bool,
    /// The template of `templatestring` must be a reference.
    pub(crate) template_string_takes_reference: bool,
    /// `templatestring` checks its arguments itself: an unknown template or unknown variables make a text that is unknown and
    /// not null, a template is not converted to a string, and an error in its syntax is an error of the argument.
    pub(crate) template_string_checks_arguments: bool,
    /// The first parameter of `templatestring`.
    pub(crate) template_string_parameter: &'static str,
    /// The type of the result of `templatestring`.
    pub(crate) template_string_type: Type,

    // Functions of providers
    /// The functions of providers exist.
    pub(crate) has_provider_functions: bool,
    /// The alias of a provider configuration may stand before the name of a function.
    pub(crate) provider_functions_take_alias: bool,
    /// `encode_tfvars` accepts a map.
    pub(crate) encodes_maps: bool,
    /// `encode_tfvars` and `encode_expr` accept unknown values, and values with unknown parts. The result is not null,
    /// and the type of an expression determines its first character.
    pub(crate) encodes_unknown_values: bool,
    /// The names of the parameters of the built-in provider's functions.
    pub(crate) builtin_parameters: BuiltinParameters,

    // The console
    /// Returns a value as the console prints it.
    pub(crate) console_text: fn(&Value) -> ConsoleText<'_>,

    // Titles of diagnostics
    /// The title for a call of a function that the built-in provider lacks.
    pub(crate) missing_in_builtin_title: Title,
    /// The title for a call of a function `provider::…` that does not exist, if it differs from the
    /// title for other functions.
    pub(crate) unknown_of_provider_title: Option<Title>,
    /// The title for a call of a function `core::…` that does not exist.
    pub(crate) unknown_of_core_title: Option<Title>,
    /// The title for a call of a function in any other namespace.
    pub(crate) unknown_namespace_title: Option<Title>,
}

/// The names of the parameters of the built-in provider's functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltinParameters {
    /// The parameter of `encode_tfvars`.
    pub(crate) encode_tfvars: &'static str,
    /// The parameter of `decode_tfvars`.
    pub(crate) decode_tfvars: &'static str,
    /// The parameter of `encode_expr`.
    pub(crate) encode_expr: &'static str,
}

impl Semantics {
    /// Returns the rules of a dialect.
    pub(crate) fn of(dialect: Dialect) -> Semantics {
        let product = dialect.product();
        let is_terraform = product == Some(Product::Terraform);
        let is_opentofu = product == Some(Product::OpenTofu);
        let is_packer = dialect.is_packer();
        // Terraform has the first title, OpenTofu and modules for both products the other.
        let title = |terraform, other| match product {
            Some(Product::Terraform) => Some(terraform),
            Some(Product::Packer) => None,
            Some(Product::OpenTofu) | None => other,
        };
        let unknown = titles::UNKNOWN_PROVIDER_FUNCTION;
        Semantics {
            short_circuit: since(dialect, FirstMinors { terraform: 12, opentofu: 11, packer: 16 }),
            checks_unknown_objects: since(dialect, FirstMinors { terraform: 13, opentofu: 11, packer: 16 }),

            calls_take_blame: is_packer,
            convert_fills_attributes: !is_packer,

            templates_nest: !is_terraform && !is_packer,
            refuses_null_templates: is_terraform,
            template_string_takes_reference: is_terraform,
            template_string_checks_arguments: is_terraform,
            template_string_parameter: if is_terraform { "template" } else { "data" },
            template_string_type: if is_terraform { Type::String } else { Type::Dynamic },

            has_provider_functions: !is_packer,
            provider_functions_take_alias: !is_terraform,
            encodes_maps: !is_opentofu,
            encodes_unknown_values: !is_opentofu,
            builtin_parameters: match is_terraform {
                true => {
                    BuiltinParameters { encode_tfvars: "value", decode_tfvars: "src", encode_expr: "value" }
                }
                false => BuiltinParameters {
                    encode_tfvars: "input",
                    decode_tfvars: "content",
                    encode_expr: "expr",
                },
            },

            console_text: match is_packer {
                true => |value| ConsoleText::Packer(value),
                false => |value| ConsoleText::Reference(value),
            },

            missing_in_builtin_title: if is_terraform {
                unknown
            } else {
                titles::FUNCTION_NOT_FOUND_IN_PROVIDER
            },
            unknown_of_provider_title: title(unknown, Some(titles::UNABLE_TO_PARSE_PROVIDER_FUNCTION)),
            unknown_of_core_title: title(unknown, None),
            unknown_namespace_title: title(unknown, Some(titles::UNKNOWN_FUNCTION_NAMESPACE)),
        }
    }
}

/// For each product, the first minor version with a rule.
#[derive(Clone, Copy)]
struct FirstMinors {
    terraform: u16,
    opentofu: u16,
    packer: u16,
}

/// Whether the dialect is at least as new as the first versions. Modules for both products have the newest rules.
fn since(dialect: Dialect, first: FirstMinors) -> bool {
    let is_since = |edition: Edition, minor| edition >= Edition::new(1, minor);
    match dialect {
        Dialect::Modules => true,
        Dialect::Product(Product::Terraform, edition) => is_since(edition, first.terraform),
        Dialect::Product(Product::OpenTofu, edition) => is_since(edition, first.opentofu),
        Dialect::Product(Product::Packer, edition) => is_since(edition, first.packer),
    }
}
