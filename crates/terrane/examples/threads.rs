//! Parse once, evaluate many times from several threads.

use std::thread;

use terrane::value::{Number, display};
use terrane::{Diagnostics, Engine, Value, Variables};

fn main() -> Result<(), Diagnostics> {
    let engine = Engine::new();
    let range = engine.parse("cidrsubnet(\"10.0.0.0/16\", 8, index)")?;
    let results: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|index| {
                let (engine, range) = (&engine, &range);
                scope.spawn(move || {
                    let names = Variables::new().with("index", Value::number(Number::counted(index)));
                    display::console(&engine.evaluate(range, &names).value)
                })
            })
            .collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    say(&results.join("\n"));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn say(text: &str) {
    println!("{text}");
}
