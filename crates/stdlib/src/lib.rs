//! The function library: one file for each family, one row for each function.
//!
//! Functions that need unevaluated expressions or the evaluator (`try`, `can`, `convert`, `templatefile`,
//! `templatestring`) are not here but in `terrane-eval`.

mod characters;
mod collection;
mod conversion;
mod cost;
mod crypto;
mod datetime;
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
    pure.chain(others).map(pages::with_page).map(cost::with_cost).collect()
}

#[cfg(test)]
mod tests {
    /// The families that are pure must not look at anything but their arguments. Of the others, those that do not are left
    /// out as well: few of their calls are in loops.
    #[test]
    fn functions_that_see_the_world_are_not_pure() {
        let mut others: Vec<String> = super::functions()
            .into_iter()
            .filter(|function| !function.is_pure)
            .map(|function| function.name.into_owned())
            .collect();
        others.sort_unstable();
        others.dedup();
        let expected = "abspath aws_secretsmanager aws_secretsmanager_raw base64sha256 base64sha512 basename bcrypt \
                        consul_key dirname env file filebase64 filebase64sha256 filebase64sha512 fileexists filemd5 \
                        fileset filesha1 filesha256 filesha512 formatdate legacy_isotime legacy_strftime md5 pathexpand \
                        plantimestamp rfc3339_parse rsadecrypt sha1 sha256 sha512 timeadd timecmp timestamp \
                        unix_timestamp_parse uuid uuidv4 uuidv5 vault";
        assert_eq!(others.join(" "), expected);
    }
}
