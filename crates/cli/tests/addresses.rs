//! Addresses on the command line of `terrane eval` that choose instances by keys.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]

use std::error::Error;
use std::path::Path;
use std::process::Command;

const ROOT: &str = r#"
variable "later" {}
resource "x_y" "named" {
  for_each = var.later
  name     = each.key
  size     = 3
}
resource "x_y" "counted" {
  count = var.later
  size  = 3
}
resource "x_y" "one" {
  name = "one"
}
resource "x_y" "known" {
  for_each = { web = 1, database = 2 }
  size     = each.value
}
module "named" {
  source   = "./child"
  for_each = var.later
  text     = each.key
}
module "known" {
  source = "./child"
  count  = 2
  text   = count.index
}
"#;

const CHILD: &str = r#"
variable "text" {}
resource "x_y" "both" {
  count = 2
  name  = "${var.text}-${count.index}"
}
output "text" { value = var.text }
output "fixed" { value = "fixed" }
"#;

/// What is printed for an address, or the error.
fn printed(directory: &Path, address: &str) -> Result<String, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    let output = command.current_dir(directory).args(["eval", ".", "--quiet", address]).output()?;
    Ok(String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?)
}

#[test]
fn keys_choose_instances() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("main.tf"), ROOT)?;
    std::fs::create_dir(directory.path().join("child"))?;
    std::fs::write(directory.path().join("child/main.tf"), CHILD)?;
    let later = "(not set) # var.later has no value";
    let nothing = "nothing: ";
    for (address, wanted) in [
        (r#"x_y.named["a"].size"#, "3"),
        (r#"x_y.named["a"].name"#, later),
        (r#"x_y.named["size"]"#, "{\n  name = (not set) # var.later has no value\n  size = 3\n"),
        ("x_y.named[0]", "nothing: it has `for_each`, so its keys are strings"),
        ("x_y.counted[7].size", "3"),
        ("x_y.counted.7.size", "3"),
        (r#"x_y.counted["a"]"#, "nothing: it has `count`, so its keys are numbers"),
        (r#"x_y.one["name"]"#, "nothing: it has neither `count` nor `for_each`"),
        (r#"x_y.known["web"].size"#, "1"),
        (r#"x_y.known["databse"].size"#, r#"nothing: Did you mean `x_y.known["database"].size`?"#),
        ("x_y.known.size", r#"nothing: There is `x_y.known["database"]`, `x_y.known["web"]`."#),
        (r#"module.named["z"].output.text"#, later),
        (r#"module.named["z"].text"#, later),
        (r#"module.named["z"].fixed"#, "\"fixed\""),
        (r#"module.named["z"].output.fixed"#, "\"fixed\""),
        (r#"module.named["z"].x_y.both[1].name"#, "(not set) # var.later has no value"),
        (r#"module.named["z"].x_y.both[2].name"#, r#"nothing: There is `module.named["z"].x_y.both[0]`"#),
        (
            r#"module.named["z"].x_y.both[5].name"#,
            r#"nothing: Did you mean `module.named["z"].x_y.both[0].name`?"#,
        ),
        ("module.named[1].fixed", "nothing: it has `for_each`, so its keys are strings"),
        ("module.known[1].output.text", "1"),
        ("module.known[2].output.text", "nothing: There is `module.known[0]`, `module.known[1]`."),
        ("x_y.knwon", "nothing: Did you mean `x_y.known`?"),
        ("x_y.somewhere.else", "nothing: There is `x_y."),
        ("elsewhere", "nothing: Addresses look like `output.x`"),
        ("", "nothing: The address is empty."),
    ] {
        let printed = printed(directory.path(), address)?;
        match wanted.strip_prefix(nothing) {
            Some(detail) => {
                assert!(printed.contains("Address of nothing"), "{address}: {printed}");
                assert!(printed.contains(detail), "{address}: {printed}");
            }
            None => assert!(printed.starts_with(&format!("{address} = {wanted}")), "{address}: {printed}"),
        }
    }
    let both = printed(directory.path(), r#"module.named["z"].x_y.both"#)?;
    assert!(both.contains("module.named.x_y.both[0] = {"), "{both}");
    Ok(())
}

#[test]
fn mistakes_are_shown_in_the_address_as_it_is_written() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let text = "resource \"terraform_data\" \"a\" {\n  count = 2\n  input = { size = count.index }\n}\n";
    std::fs::write(directory.path().join("main.tf"), text)?;
    for (address, excerpt) in [
        ("terraform_data.a.1.inptu", "1 | terraform_data.a.1.inptu\n  |                   ^^^^^^"),
        ("terraform_data.a[ 1 ].inptu", "1 | terraform_data.a[ 1 ].inptu\n  |                      ^^^^^^"),
        (
            "terraform_data.a.1.input.sise",
            "1 | terraform_data.a.1.input.sise\n  |                         ^^^^^",
        ),
    ] {
        let printed = printed(directory.path(), address)?;
        assert!(printed.contains(excerpt), "{address}: {printed}");
    }
    Ok(())
}
