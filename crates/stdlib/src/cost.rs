use terrane_function::{Cost, Function};

/// Functions that copy or hash the bytes of their arguments, or pass on their elements, and do nothing else with them.
const LIGHT: &[&str] = &[
    "abspath",
    "alltrue",
    "anytrue",
    "base64encode",
    "base64sha256",
    "base64sha512",
    "basename",
    "chomp",
    "chunklist",
    "coalescelist",
    "compact",
    "concat",
    "contains",
    "dirname",
    "endswith",
    "flatten",
    "index",
    "issensitive",
    "join",
    "keys",
    "max",
    "md5",
    "merge",
    "min",
    "nonsensitive",
    "pathexpand",
    "range",
    "reverse",
    "sensitive",
    "sha1",
    "sha256",
    "sha512",
    "slice",
    "startswith",
    "strcontains",
    "sum",
    "trimprefix",
    "trimsuffix",
    "uuidv5",
    "values",
];

/// Functions that look at a part of their arguments, or at nothing of them, or that count themselves what they do.
const FIXED: &[&str] =
    &["bcrypt", "coalesce", "element", "ephemeralasnull", "length", "lookup", "one", "tobool", "tostring"];

/// The row with what its function has to do.
pub(crate) fn with_cost(row: Function) -> Function {
    let name = &*row.name;
    let cost = if FIXED.contains(&name) {
        Cost::Constant
    } else if LIGHT.contains(&name) {
        Cost::Light
    } else {
        Cost::Linear
    };
    row.cost(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_a_function() {
        let rows = crate::functions();
        for name in LIGHT.iter().chain(FIXED) {
            assert!(rows.iter().any(|row| row.name == *name), "{name}");
        }
    }
}
