//! Add a function of your own: a row with its parameters, and a body of a line or two. The engine handles
//! unknown and sensitive arguments.

use terrane::function::{Function, Parameter, ResultType};
use terrane::value::display;
use terrane::{Diagnostics, Engine, Type, Value, Variables};

fn main() -> Result<(), Diagnostics> {
    let slug = Function::new("slug", "Makes a name for a URL.", ResultType::Fixed(Type::String), |call| {
        let words: Vec<String> = call.string(0).split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return Err(call.invalid(0, "there must be at least one word"));
        }
        Ok(Value::from(words.join("-")))
    })
    .parameter(Parameter::new("title", Type::String));
    let engine = Engine::new().function(slug);

    let names = Variables::new().with("later", Value::unknown(Type::String));
    for text in ["slug(\"Hello Brave World\")", "slug(sensitive(\"A Secret\"))", "slug(later)", "slug(\" \")"]
    {
        match engine.evaluate_text(text, &names).ok() {
            Ok(value) => say(&format!("{text} = {}", display::console(&value))),
            Err(diagnostics) => {
                for diagnostic in &diagnostics {
                    say(&format!("{text}: {}", diagnostic.detail));
                }
            }
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn say(text: &str) {
    println!("{text}");
}
