//! Evaluate an expression over a program's own variables.

use terrane::value::display;
use terrane::{Diagnostics, Engine, Variables};

fn main() -> Result<(), Diagnostics> {
    let engine = Engine::new();
    let services = engine.evaluate_text("{ web = 2, worker = 3 }", &Variables::new()).ok()?;
    let names = Variables::new().with("services", services);
    let value =
        engine.evaluate_text("[for name, n in services : \"${name} x ${n}\" if n > 2]", &names).ok()?;
    say(&display::console(&value));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn say(text: &str) {
    println!("{text}");
}
