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

/// Returns the printed text for an address, or the error.
fn printed(directory: &Path, address: &str) -> Result<String, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
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
        ("module.known[0].fixd", "nothing: Did you mean `module.known[0].fixed`?"),
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

#[test]
fn a_star_selects_each_output_of_a_nested_module_once() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let inner = "output \"id\" { value = \"i\" }\noutput \"name\" { value = \"n\" }\n";
    for (path, text) in [
        ("main.tf", "module \"net\" {\n  source   = \"./net\"\n  for_each = toset([\"x\"])\n}\n"),
        ("net/main.tf", "module \"inner\" {\n  source = \"./inner\"\n}\n"),
        ("net/inner/main.tf", inner),
    ] {
        let path = directory.path().join(path);
        std::fs::create_dir_all(path.parent().ok_or("no directory")?)?;
        std::fs::write(path, text)?;
    }
    let whole = r#"module.net["x"].module.inner.output.id = "i"
module.net["x"].module.inner.output.name = "n"
"#;
    let call = r#"module.net["x"].module.inner = {
  id   = "i"
  name = "n"
}
"#;
    let member = "module.net[\"x\"].module.inner.id = \"i\"\n";
    for (address, wanted) in [
        (r#"module.net["x"].module.inner.*"#, whole),
        (r#"module.net["x"].module.inner.*.*"#, whole),
        (r#"module.net["x"].module.inner.i*"#, member),
        (r#"module.net["x"].module.*.id"#, member),
        (r#"module.net["x"].*"#, call),
        ("module.*[*].*", call),
    ] {
        assert_eq!(printed(directory.path(), address)?, wanted, "{address}");
    }
    Ok(())
}

#[test]
fn stars_choose_objects_and_parts() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let more = "variable \"pw\" {\n  default = { a = \"hunter2\" }\n  sensitive = true\n}\n\
                locals {\n  list = [{ id = 1 }, { id = 2 }, { no = 3 }]\n  text_a = \"a\"\n  text_b = \"b\"\n}\n\
                resource \"x_y\" \"empty\" {\n  count = 0\n}\n\
                resource \"x_y\" \"blocks\" {\n  rule { name = \"a\" }\n  rule { name = \"b\" }\n}\nmodule \"absent\" { source = \"a/b/c\" }\noutput \"o\" { value = { \"a b\" = 1, c = 2 } }\n";
    std::fs::write(directory.path().join("main.tf"), format!("{ROOT}{more}"))?;
    std::fs::create_dir(directory.path().join("child"))?;
    std::fs::write(directory.path().join("child/main.tf"), CHILD)?;
    for (address, wanted) in [
        ("module.known[*].text", "module.known[0].text = 0\nmodule.known[1].text = 1\n"),
        (
            "module.abs*.data.x_y.*[*].id",
            "module.absent.data.x_y = (not on disk) # module.absent is not on disk\n",
        ),
        ("module.known.*.text", "module.known[0].text = 0\nmodule.known[1].text = 1\n"),
        ("module.known.output.text", "Address of nothing"),
        (
            "module.*.output.fixed",
            "module.known[0].output.fixed = \"fixed\"\nmodule.known[1].output.fixed = \"fixed\"\n\
             # number of instances unknown: var.later has no value\nmodule.named.output.fixed = \"fixed\"\n",
        ),
        (
            "module.k*.output",
            "module.known[0].output.text = 0\nmodule.known[0].output.fixed = \"fixed\"\n\
             module.known[1].output.text = 1\nmodule.known[1].output.fixed = \"fixed\"\n",
        ),
        (
            "module.known[1].x_y.*[*].name",
            "module.known[1].x_y.both[0].name = \"1-0\"\nmodule.known[1].x_y.both[1].name = \"1-1\"\n",
        ),
        ("x_y.known[\"*b\"].size", "x_y.known[\"web\"].size = 1\n"),
        ("x_y.known[*].size", "x_y.known[\"database\"].size = 2\nx_y.known[\"web\"].size = 1\n"),
        ("x_y.one[*].name", "x_y.one.name = \"one\"\n"),
        ("x_y.named[*].size", "x_y.named.size = 3\n"),
        ("x_y.blocks.rule[*].name", "x_y.blocks.rule[0].name = \"a\"\nx_y.blocks.rule[1].name = \"b\"\n"),
        ("x_y.blocks.rule.*.name", "x_y.blocks.rule[0].name = \"a\"\nx_y.blocks.rule[1].name = \"b\"\n"),
        (
            "x_y.known[*].id",
            "x_y.known[\"database\"].id = (known after apply) # x_y.known[\"database\"].id is set by the provider\n",
        ),
        ("local.list[*].id", "local.list[0].id = 1\nlocal.list[1].id = 2\n"),
        ("local.list.*.no", "local.list[2].no = 3\n"),
        ("local.text_*", "local.text_a = \"a\"\nlocal.text_b = \"b\"\n"),
        ("output.o.*", "output.o[\"a b\"] = 1\noutput.o.c = 2\n"),
        ("output.*", "output.o = {\n"),
        ("var.pw.*", "var.pw = (sensitive value)\n"),
        ("x_y.empty[*].id", ""),
        ("x_y.none[*].id", "The configuration has no object with the address `x_y.none[*].id`."),
        ("local.text_a[*].b", "Address of nothing"),
    ] {
        let printed = printed(directory.path(), address)?;
        let is_there = if wanted.is_empty() { printed.is_empty() } else { printed.contains(wanted) };
        assert!(is_there, "{address}: {printed}");
        assert!(!printed.contains("hunter2"), "{address}: {printed}");
    }
    Ok(())
}

#[test]
fn an_argument_may_be_an_expression() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let more = "variable \"pw\" {\n  default = \"hunter2\"\n  sensitive = true\n}\nlocals { a = 3 }\n";
    std::fs::write(directory.path().join("main.tf"), format!("{ROOT}{more}"))?;
    std::fs::create_dir(directory.path().join("child"))?;
    std::fs::write(directory.path().join("child/main.tf"), CHILD)?;
    for (expression, wanted) in [
        ("{for k, v in x_y.known: k => v.size}", " = {\n  database = 2\n  web      = 1\n}\n"),
        ("[for m in module.known : m.text]", " = [0, 1]\n"),
        ("(module.known[*].text)", " = [0, 1]\n"),
        ("local.a*2", " = 6\n"),
        ("\"${upper(x_y.one.name)}!\"", " = \"ONE!\"\n"),
        ("terraform.workspace", " = \"default\"\n"),
        ("1 + 1", " = 2\n"),
        ("\"${var.pw}!\"", " = (sensitive value)\n"),
        ("upper(x_y.one.id)", " = (known after apply) # x_y.one.id is set by the provider\n"),
        ("upper(local.b)", "1 | upper(local.b)\n  |       ^^^^^^^"),
        (
            "[for m in module.known : m.txt]",
            "1 | [for m in module.known : m.txt]\n  |                           ^^^^",
        ),
        ("1 +", "1 | 1 +\n"),
    ] {
        let printed = printed(directory.path(), expression)?;
        assert!(printed.contains(wanted), "{expression}: {printed}");
        assert!(!printed.contains("hunter2"), "{expression}: {printed}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    let arguments = ["eval", ".", "--raw", "upper(x_y.one.name)"];
    let output = command.current_dir(directory.path()).args(arguments).output()?;
    assert_eq!(String::from_utf8(output.stdout)?, "ONE");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    let arguments = ["eval", ".", "--json", "[local.a]", "module.known[*].text"];
    let output = command.current_dir(directory.path()).args(arguments).output()?;
    let document: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!(document["values"]["[local.a]"]["value"], serde_json::json!([3]));
    assert_eq!(document["values"]["module.known[1].text"]["value"], 1);
    Ok(())
}

#[test]
fn a_part_of_an_unknown_number_of_instances_is_not_known() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let child = directory.path().join("m");
    std::fs::create_dir(&child)?;
    std::fs::write(child.join("main.tf"), "output \"k\" { value = \"k\" }\n")?;
    let text = "variable \"later\" {}\nresource \"x_y\" \"u\" {\n  count = var.later\n  name  = \"n\"\n}\n\
                module \"m\" {\n  source = \"./m\"\n  count  = var.later\n}\n";
    std::fs::write(directory.path().join("main.tf"), text)?;
    for address in ["x_y.u[*].name", "x_y.u.name", "x_y.u[0].name", "module.*.output", "module.m.output.k"] {
        let required = format!("--require-known={address}");
        let output = Command::new(env!("CARGO_BIN_EXE_terrane"))
            .env("TERRANE_CACHE_DIR", "/nonexistent")
            .current_dir(directory.path())
            .args(["eval", ".", &required, "--json"])
            .output()?;
        let stderr = String::from_utf8(output.stderr)?;
        let wanted = "` stands for an unknown number of instances: var.later has no value.";
        assert!(output.status.code() == Some(1) && stderr.contains(wanted), "{address}: {stderr}");
    }
    Ok(())
}

/// Would take gigabytes of memory, or more stack than there is, if each step kept the text before it.
#[test]
fn addresses_of_many_steps_have_a_value() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("main.tf"), "resource \"x_y\" \"a\" {\n  count = 2\n}\n")?;
    let steps = "[0]".repeat(30_000);
    for (address, values) in [("x_y.a[0].id", 1), ("x_y.a[*].id", 2)] {
        let text = printed(directory.path(), &format!("{address}{steps}"))?;
        assert_eq!(
            text.matches("(known after apply").count(),
            values,
            "{}",
            text.get(..200).unwrap_or(&text)
        );
    }
    Ok(())
}
