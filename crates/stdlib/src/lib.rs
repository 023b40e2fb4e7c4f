//! The function library: one file for each family, one row for each function.
//!
//! Functions that need unevaluated expressions or the evaluator (`try`, `can`, `convert`, `templatefile`,
//! `templatestring`) are not here but in `terrane-eval`.

mod collection;
mod conversion;
mod crypto;
mod datetime;
mod effort;
mod encoding;
mod filesystem;
mod format;
mod network;
mod number;
mod packer;
mod pages;
mod refine;
mod regex;
mod set;
mod string;
#[cfg(test)]
mod testing;
mod yaml;

use terrane_function::{Call, Function, FunctionError};
use terrane_value::Value;

/// What runs in a call of a function of the library.
type Body = fn(&Call<'_>) -> Result<Value, FunctionError>;

/// All functions of the library, for all products.
pub fn functions() -> Vec<Function> {
    let pure = [
        collection::functions,
        conversion::functions,
        encoding::functions,
        format::functions,
        network::functions,
        number::functions,
        refine::functions,
        regex::functions,
        set::functions,
        string::functions,
        yaml::functions,
    ];
    let pure = pure.into_iter().flat_map(|family| family()).map(Function::pure);
    let others = [crypto::functions, datetime::functions, filesystem::functions, packer::functions];
    let others = others.into_iter().flat_map(|family| family());
    pure.chain(others).map(pages::with_page).map(effort::with_effort).collect()
}
