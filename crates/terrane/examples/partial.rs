//! Evaluates with the values known now. Results that depend on a missing value are unknown, with the reason and the known parts.

use terrane::value::{OriginKind, Origins, display};
use terrane::{Diagnostics, Engine, Type, Value, Variables};

fn main() -> Result<(), Diagnostics> {
    let engine = Engine::new();
    let id =
        Value::unknown_from(Type::String, Origins::one(OriginKind::ResourceAttribute, "aws_vpc.main.id"));
    let names = Variables::new().with("id", id).with("environment", "prod");

    let expression = engine.parse(
        r#"{
             name     = "web-${environment}"
             subnet   = "${environment}-${id}"
             is_named = "${environment}-${id}" != ""
             size     = environment == "prod" ? 3 : 1
           }"#,
    )?;
    let value = engine.evaluate(&expression, &names).ok()?;
    say(&display::annotated(&value));

    // The references of an expression are there without evaluating it.
    for reference in terrane::eval::references(expression.expression()) {
        say(reference.tree.slice(reference.span));
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn say(text: &str) {
    println!("{text}");
}
