//! Read a program's own configuration: a body decoded by a spec, with `dynamic` blocks, native or as JSON.

use terrane::body::{BodySpec, Spec};
use terrane::{Diagnostics, Engine, Type, Variables};

const NATIVE: &str = r#"
name = "shop"

dynamic "server" {
  for_each = zones
  labels   = ["web-${server.value}"]
  content {
    port = 8000 + server.key
  }
}
"#;

const JSON: &str = r#"{"name": "shop", "server": {"db": {"port": 5432}}}"#;

fn main() -> Result<(), Diagnostics> {
    let server = Spec::object([("port", Spec::required_attribute("port", Type::Number))]);
    let spec = BodySpec::new(Spec::object([
        ("name", Spec::required_attribute("name", Type::String)),
        ("servers", Spec::block_map("server", &["name"], server)),
    ]));
    let engine = Engine::new();
    let zones = engine.evaluate_text("[\"a\", \"b\"]", &Variables::new()).ok()?;
    let names = Variables::new().with("zones", zones);
    for (file, text) in [("shop.hcl", NATIVE), ("shop.json", JSON)] {
        let body = engine.parse_body(file, text)?;
        say(&terrane::value::json::encode(&engine.decode(&body, &spec, &names).ok()?).unwrap_or_default());
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn say(text: &str) {
    println!("{text}");
}
