//! The function library as a reference: for the terminal, for programs, and as a page.
//!
//! All texts are made from the rows of `terrane-stdlib` and `terrane-eval`.

use std::collections::BTreeMap;

use serde::Serialize;
use terrane_eval::Special;
use terrane_function::{CallSite, Dialect, Function, NAMESPACES, Parameter, Product};
use terrane_value::Type;

use crate::json::members::ByName;
use crate::json::text::to_text;
use crate::json::value_type::{TypeJson, type_json};

/// Returns all functions of `dialect`, sorted by name, including the functions of the evaluator. A function that differs
/// between products has the row of the dialect.
pub fn functions(dialect: Dialect) -> Vec<Function> {
    let mut functions = rows(dialect);
    functions.retain(|function| function.availability.is_in(dialect));
    functions.dedup_by(|later, earlier| later.name == earlier.name);
    functions
}

/// Returns all functions of all products, sorted by name. A function that differs between products has several rows.
pub fn all_functions() -> Vec<Function> {
    rows(Dialect::Modules)
}

/// Returns all rows of the library, and the rows of the evaluator for a dialect.
fn rows(dialect: Dialect) -> Vec<Function> {
    let mut functions: Vec<Function> =
        terrane_stdlib::functions().into_iter().chain(Special::rows(dialect)).collect();
    functions.sort_by(|left, right| left.name.cmp(&right.name));
    functions
}

/// Adds a function. It replaces an added function with the same name.
pub(crate) fn add_function(added: &mut Vec<Function>, function: Function) {
    added.retain(|earlier| earlier.name != function.name);
    added.push(function);
}

/// Whether `terraform metadata functions` lists a function. It omits the functions of the console and of the built-in provider,
/// and removed functions.
pub fn is_in_metadata(function: &Function) -> bool {
    !matches!(function.call_site, CallSite::Console | CallSite::BuiltInProvider) && !function.is_removed
}

/// Returns the signatures of these functions in the format of `terraform metadata functions -json`. Without a dialect, the
/// signatures follow OpenTofu. As in the original, each function is listed twice: by its name, and by its name after `core::`.
pub fn signatures_json(functions: &[Function], dialect: Option<Dialect>) -> String {
    let has_namespaces = dialect.is_none_or(|dialect| NAMESPACES.is_in(dialect));
    let mut names = BTreeMap::new();
    for function in functions {
        names.insert(function.name.clone().into_owned(), function);
        let has_second_name = has_namespaces && is_in_metadata(function) && !function.name.contains("::");
        if has_second_name && function.availability.is_in(Dialect::Modules) {
            names.insert(format!("core::{}", function.name), function);
        }
    }
    let signatures = names.into_iter().map(|(name, function)| (name, SignatureJson::of(function, dialect)));
    to_text(&SignaturesJson { format_version: "1.0", function_signatures: ByName(signatures.collect()) })
}

/// Returns the result type that the product itself declares, which is sometimes wider than the type of the row. Without a
/// product, returns the type that OpenTofu declares.
fn declared_type(function: &Function, product: Option<Product>) -> Type {
    if function.declared_dynamic.contains(&product.unwrap_or(Product::OpenTofu)) {
        return Type::Dynamic;
    }
    function.return_type()
}

#[derive(Serialize)]
struct SignaturesJson<'f> {
    format_version: &'static str,
    function_signatures: ByName<SignatureJson<'f>>,
}

#[derive(Serialize)]
struct SignatureJson<'f> {
    description: &'f str,
    #[serde(serialize_with = "type_json")]
    return_type: Type,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<ParameterJson<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variadic_parameter: Option<ParameterJson<'f>>,
}

impl<'f> SignatureJson<'f> {
    fn of(function: &'f Function, dialect: Option<Dialect>) -> SignatureJson<'f> {
        SignatureJson {
            description: function.description,
            return_type: declared_type(function, dialect.and_then(Dialect::product)),
            parameters: function.parameters.iter().map(ParameterJson::of).collect(),
            variadic_parameter: function.variadic.as_ref().map(ParameterJson::of),
        }
    }
}

#[derive(Serialize)]
struct ParameterJson<'f> {
    name: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_nullable: Option<bool>,
    #[serde(rename = "type")]
    ty: TypeJson<'f>,
}

impl<'f> ParameterJson<'f> {
    fn of(parameter: &'f Parameter) -> ParameterJson<'f> {
        ParameterJson {
            name: &parameter.name,
            is_nullable: parameter.allow_null.then_some(true),
            ty: TypeJson::of(&parameter.ty),
        }
    }
}

/// Returns a sentence about where a function can be called. `None` if it can be called everywhere.
pub fn call_site_text(call_site: CallSite) -> Option<&'static str> {
    match call_site {
        CallSite::Anywhere => None,
        CallSite::Configuration => Some("Not available on the console."),
        CallSite::Console => Some("Available only on the console."),
        CallSite::VariableDefault => Some("Available only in the default of a variable."),
        CallSite::BuiltInProvider => Some(
            "Available in modules whose `required_providers` names `terraform.io/builtin/terraform`, under the local name that it \
             has there.",
        ),
    }
}

const HEAD: &str = "\
# Functions

All functions of Terraform, OpenTofu and Packer: signature, description, first edition and examples. `any` is a value of
any type, and `...` after a parameter accepts any number of further arguments.

Without `--dialect`, a configuration can call the functions of Terraform and those of OpenTofu. `terrane functions NAME`
prints one function in the terminal.

The first editions are Terraform 0.12, OpenTofu 1.6 and Packer 1.5. A function whose first edition is not known counts from
there.

The tests execute the examples at 2023-11-14T22:13:20Z, with the home directory `/home/ada` and a working directory with
two files: `hello.txt` with the text `Hello`, and `greeting.tftpl` with the text `Hello, ${name}!`.

A provider function is called as `provider::NAME::FUNCTION(...)` or `provider::NAME::ALIAS::FUNCTION(...)`, with the local
name of the provider in `required_providers`. Terrane does not run providers: the result of such a call is unknown, with
the function as the reason, and so are the results of `try` and `can` around it, unless the program that embeds the library
adds the function. If the module does not require the provider, the call is an error. With `--dialect terraform`, `try`
skips that error and `can` returns `false`; otherwise it is reported wherever the call is written, as in OpenTofu. The
same rules hold on the console.

[Differences of functions](function-differences.md) lists where results differ from the products. This page is generated
from the rows of `crates/stdlib` and `crates/eval` by `cargo xtask functions`.
";

/// Returns the reference page `docs/functions.md`.
pub fn functions_page() -> String {
    let mut page = HEAD.to_owned();
    let functions = all_functions();
    let mut earlier = "";
    for function in &functions {
        // If a function differs between products or editions, its second row says where.
        let heading = if function.name != earlier {
            format!("## {}", function.name)
        } else if function.availability.since(Product::Packer).is_some() {
            "### In Packer".to_owned()
        } else {
            format!("### In {}", function.availability)
        };
        earlier = &function.name;
        page.push_str(&format!("\n{heading}\n\n"));
        page.push_str(&format!("    {}\n\n", function.signature()));
        page.push_str(function.description);
        if let Some(restriction) = call_site_text(function.call_site) {
            page.push_str(&format!(" {restriction}"));
        }
        page.push_str(&format!("\n\n{}\n", function.availability.sentence()));
        if !function.examples.is_empty() {
            page.push_str("\n```hcl\n");
            for (call, result) in function.examples {
                page.push_str(&format!("{call}\n# => {}\n", result.replace('\n', "\n#    ")));
            }
            page.push_str("```\n");
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use terrane_function::ResultParts;

    use super::*;

    #[test]
    fn a_product_has_its_own_row_of_a_function_that_differs() {
        let parameters = |dialect: &str| {
            let functions = functions(dialect.parse().unwrap());
            let lookup: Vec<_> = functions.iter().filter(|function| function.name == "lookup").collect();
            assert_eq!(lookup.len(), 1);
            lookup[0].parameters.len()
        };
        assert_eq!((parameters("modules"), parameters("packer")), (2, 3));
        let all = all_functions();
        let rows: Vec<_> = all.iter().filter(|function| function.name == "lookup").collect();
        assert_eq!(rows.len(), 2);
        let is_in = |row: usize, dialect: &str| rows[row].availability.is_in(dialect.parse().unwrap());
        assert!(is_in(0, "modules") && !is_in(0, "packer") && is_in(1, "packer") && !is_in(1, "modules"));
    }

    #[test]
    fn every_edition_that_can_be_selected_has_functions() {
        let mut earlier = 0;
        let early = (12..16).map(|minor| format!("terraform-0.{minor}"));
        for edition in early.chain((0..16).map(|minor| format!("terraform-1.{minor}"))) {
            let functions = functions(edition.parse().unwrap());
            assert!(functions.iter().any(|function| function.name == "upper"), "{edition}");
            assert!(functions.len() >= earlier.max(95), "{edition}: {}", functions.len());
            earlier = functions.len();
        }
        for (edition, least) in [("opentofu-1.6", 110), ("packer-1.5", 80)] {
            assert!(functions(edition.parse().unwrap()).len() >= least, "{edition}");
        }
    }

    #[test]
    fn the_function_that_makes_secrets_has_the_name_that_is_hidden() {
        let all = all_functions();
        let makes_secrets = |row: &&Function| row.result_parts == ResultParts::SensitiveArgument;
        let names: Vec<&str> = all.iter().filter(makes_secrets).map(|row| &*row.name).collect();
        assert_eq!(names, [terrane_syntax::SENSITIVE_FUNCTION]);
    }

    #[test]
    fn every_row_has_a_description_and_an_example() {
        for row in all_functions() {
            assert!(row.description.ends_with('.'), "{} has no description", row.name);
            assert!(!row.examples.is_empty(), "{} has no example", row.name);
        }
    }

    #[test]
    fn signatures_are_in_the_shape_that_tools_read() {
        let functions = functions(Dialect::Modules);
        let of = |name: &str| functions.iter().filter(|row| row.name == name).cloned().collect::<Vec<_>>();
        let text = signatures_json(&of("tolist"), None);
        assert!(text.contains("{\"core::tolist\":{\"description\""), "{text}");
        assert!(
            text.contains("\"return_type\":[\"list\",\"dynamic\"],\"parameters\":[{\"name\":\"v\","),
            "{text}"
        );
        assert!(text.contains("\"is_nullable\":true,\"type\":\"dynamic\"}]}"), "{text}");
        let text = signatures_json(&of("max"), Some("packer".parse().unwrap()));
        assert!(!text.contains("core::"), "{text}");
        assert!(
            text.contains("\"variadic_parameter\":{\"name\":\"numbers\",\"type\":\"number\"}}"),
            "{text}"
        );
        let of_sum = |dialect: &str| signatures_json(&of("sum"), Some(dialect.parse().unwrap()));
        assert!(of_sum("opentofu").contains(r#""return_type":"dynamic""#));
        assert!(of_sum("packer").contains(r#""return_type":"number""#));
        assert_eq!(signatures_json(&[], None), "{\"format_version\":\"1.0\",\"function_signatures\":{}}");
    }
}
