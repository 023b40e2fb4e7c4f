//! The variables that the expressions of the tables refer to.

use terrane_eval::Variables;
use terrane_value::{Marks, ObjectBuilder, Value};

use super::compare::{parse_type, parse_value};
use super::row::{World, read_json};
use crate::settings::below_tests;

/// The scope of all rows: one object named `var`.
///
/// # Errors
///
/// Where `world.json` cannot be read.
pub fn scope() -> Result<Variables, String> {
    let world: World = read_json(&below_tests("conformance/world.json"))?;
    let mut variables = ObjectBuilder::new();
    for (name, typed) in &world.vars {
        let ty = parse_type(&typed.r#type)?;
        let value = parse_value(&ty, typed.value.as_deref())?;
        let marks = if world.sensitive.contains(name) { Marks::sensitive() } else { Marks::NONE };
        variables.insert(name.as_str(), value.with_marks(&marks));
    }
    for (name, ty) in &world.unknown {
        variables.insert(name.as_str(), Value::unknown(parse_type(ty)?));
    }
    Ok(Variables::new().with("var", variables.build()))
}
