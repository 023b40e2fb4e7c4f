//! Tests that text from files cannot command a terminal or a service for continuous integration, wherever it is printed.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// An escape sequence, its form of one character, a change of direction, characters without width, and commands of
/// GitHub's and Azure's services behind all kinds of line breaks.
const PLANT: &str = "p\u{1b}[2J\u{9b}2K\u{202e}\u{2066}\u{200b}\u{feff}\n::stop-commands::x\n \t::set-output::y\n##[group]z\n\
                     \u{a0}##vso[task.x]\r::error::w\r\n::add-mask::v\u{2028}::debug::u";

/// Returns [`PLANT`] in a quoted string of the language.
fn escaped() -> String {
    let escape = |character: char| match character {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        c if c.is_ascii_graphic() || c == ' ' => c.to_string(),
        c => format!("\\u{:04x}", u32::from(c)),
    };
    PLANT.chars().map(escape).collect()
}

/// The name of a file. It cannot contain a slash, and nothing may follow a line break in a line of source.
const NAME: &str = "p\u{1b}[2J\u{202e}\n::stop-commands::n";

struct Case {
    directory: TempDir,
}

impl Case {
    fn new<const N: usize>(files: [(&str, String); N]) -> Case {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, content) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, content).expect("a file");
        }
        Case { directory }
    }

    /// Runs the command, with and without colours. Some of the plant must be printed, but no part of it as a command.
    fn run(&self, arguments: &[&str], input: &str) {
        for text in self.look(arguments, input) {
            assert!(text.contains("stop-commands"), "{arguments:?} prints nothing of the plant: {text}");
        }
    }

    /// Runs like [`Case::run`], but the command need not print the plant. Returns the texts.
    fn look(&self, arguments: &[&str], input: &str) -> [String; 2] {
        ["never", "always"].map(|color| {
            let (binary, color): (&str, &[&str]) = match arguments.first() {
                Some(&"hcldec") => (env!("CARGO_BIN_EXE_terrane-hcldec"), &[]),
                _ => (env!("CARGO_BIN_EXE_terrane"), &["--color", color]),
            };
            let rest = arguments.iter().filter(|argument| **argument != "hcldec");
            let output = command(self.directory.path(), binary, rest.chain(color), input);
            let text = format!("{}\n{}", output.0, output.1);
            for stream in [output.0, output.1] {
                assert_harmless(&without_colors(&stream), arguments);
            }
            text
        })
    }
}

fn command<'a>(
    directory: &Path,
    binary: &str,
    arguments: impl Iterator<Item = &'a &'a str>,
    input: &str,
) -> (String, String) {
    let mut child = Command::new(binary)
        .args(arguments)
        .current_dir(directory)
        .env("HOME", directory)
        .env("TF_VAR_env", PLANT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command");
    // A command that does not read its input is no error.
    let _ = child.stdin.take().expect("standard input").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("an end");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8 text");
    (text(output.stdout), text(output.stderr))
}

/// Returns the text without the sequences that select a colour.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let codes = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match codes.strip_prefix('m') {
            Some(rest) => plain.push_str(rest),
            None => plain.push_str(&format!("\u{1b}[{part}")),
        }
    }
    plain
}

fn assert_harmless(text: &str, arguments: &[&str]) {
    for (number, line) in text.replace("\r\n", "\n").split('\n').enumerate() {
        let hidden = line.chars().find(|c| {
            let is_mark =
                matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{2028}'..='\u{202e}');
            (c.is_control() && *c != '\t') || is_mark || matches!(c, '\u{2060}'..='\u{206f}')
        });
        assert_eq!(hidden, None, "{arguments:?}, line {number}: {line:?}");
        assert!(!line.trim_start().starts_with("::"), "{arguments:?}, line {number}: {line:?}");
        for anywhere in ["##[", "##vso["] {
            assert!(!line.contains(anywhere), "{arguments:?}, line {number}: {line:?}");
        }
    }
}

#[test]
fn values_of_a_module() {
    let p = escaped();
    let raw = PLANT.replace('\r', "");
    let module = format!(
        "variable \"env\" {{\n  description = \"{p}\"\n}}\nvariable \"v\" {{\n  default = \"{p}\"\n}}\n\
         locals {{\n  h = <<EOT\n{raw}\nEOT\n  m = {{ \"{p}\" = [\"{p}\", {{ \"{p}\" = local.h }}] }}\n  n = null\n}}\n\
         resource \"a_b\" \"c\" {{\n  for_each = {{ \"{p}\" = 1 }}\n  x        = \"{p}\"\n}}\n\
         resource \"a_b\" \"d\" {{\n  for_each = local.m\n  y        = a_b.c[\"{p}\"].none\n}}\n\
         module \"m\" {{\n  source   = \"./m\"\n  for_each = {{ \"{p}\" = 1 }}\n  i        = each.key\n}}\n\
         output \"o\" {{\n  value = \"{p}\"\n}}\n"
    );
    let child = format!(
        "variable \"i\" {{}}\noutput \"o\" {{\n  value = \"${{var.i}}{p}\"\n}}\nresource \"a_b\" \"e\" {{}}\n"
    );
    let case = Case::new([
        ("main.tf", module),
        ("m/main.tf", child),
        ("terraform.tfvars", format!("v = \"{p}\"\nu = 1\n")),
    ]);
    case.run(&["eval"], "");
    case.run(&["eval", ".", "local.m", "local.h", "var.env"], "");
    case.run(&["eval", ".", &format!("a_b.c[\"{p}\"]"), &format!("module.m[\"{p}\"].output.o")], "");
    case.run(&["eval", ".", &format!("a_b.c[\"{p}x\"]")], "");
    case.run(&["explain", &format!("module.m[\"{p}\"].output.o"), "."], "");
    case.run(&["diff", ".", "m"], "");
    case.run(&["diff", "m", ".", "--format", "markdown"], "");
    case.run(&["explain", &format!("a_b.c[\"{p}x\"]")], "");
    case.run(&["eval", ".", "-var", &format!("{PLANT}=1"), "-var", &format!("v={PLANT}")], "");
    for expression in [
        "local.m",
        "local.h",
        "[local.h]",
        "var.env",
        "type(local.m)",
        ":type local.m",
        "a_b.c",
        "module.m",
        "a_b.d",
        "file(local.h)",
        "local.m.none",
        "tonumber(var.env)",
        "regex(\"a\", var.env)",
        "templatestring(local.h, {})",
        "jsondecode(local.h)",
        "yamldecode(var.env)",
        "local.m[var.env].a",
        "parseint(var.env, 10)",
        "element(local.m, var.env)",
        "lookup({}, var.env)",
        "{ (var.env) = 1, (var.env) = 2 }",
        "tobool(local.h)",
        "fileset(var.env, local.h)",
    ] {
        case.look(&["console", "."], &format!("{expression}\n\"stop-commands\"\n"));
    }
    case.look(&["console"], &format!("{PLANT}\n"));
    case.look(&["console"], &format!(":{}\n", PLANT.replace(['\n', '\r'], "")));
}

#[test]
fn plans_environments_and_pictures() {
    let p = escaped();
    let module = format!(
        "variable \"u\" {{}}\nvariable \"v\" {{\n  default = \"{p}\"\n}}\n\
         resource \"terraform_data\" \"a\" {{\n  for_each         = {{ \"{p}\" = var.v }}\n  input            = {{ \"{p}\" = each.value }}\n  \
         triggers_replace = [\"{p}\", var.u]\n}}\n\
         resource \"a_b\" \"c\" {{\n  x = \"{p}\"\n  dynamic \"r\" {{\n    for_each = [\"{p}\", var.u]\n    content {{\n      v = r.value\n    }}\n  }}\n}}\n\
         check \"k\" {{\n  assert {{\n    condition     = var.v == \"\"\n    error_message = \"{p}\"\n  }}\n}}\n\
         output \"o\" {{\n  value = [\"{p}\", terraform_data.a[\"{p}\"].id]\n}}\n"
    );
    let case = Case::new([
        ("main.tf", module),
        ("env/a.tfvars", format!("v = \"{p}1\"\n")),
        ("env/p\u{1b}[2J\u{202e}\u{9b}.tfvars", format!("v = \"{p}2\"\n")),
    ]);
    case.run(&["plan"], "");
    case.run(&["plan", "--require-known"], "");
    case.run(&["plan", "--json"], "");
    case.run(&["eval", "--matrix", "env/*"], "");
    case.run(&["eval", "--matrix", "env/*", "--json"], "");
    case.look(&["eval", "--matrix", "env/*", "--require-known"], "");
    for format in ["human", "compact", "json", "sarif", "junit"] {
        case.look(&["eval", "--require-known", "--format", format], "");
    }
    for format in ["dot", "svg", "html", "mermaid", "json"] {
        case.look(&["graph", "--format", format], "");
    }
    for address in ["terraform_data.a", "a_b.c.r", "var.v", "output.o", "main.tf:4"] {
        for format in [&[][..], &["--json"], &["--html"], &["--reverse"], &["--reverse", "--json"]] {
            case.look(&[&["explain", address], format].concat(), "");
        }
    }
}

#[test]
fn mistakes_of_a_module() {
    let p = escaped();
    let raw = PLANT.replace('\r', "");
    let checked = format!(
        "variable \"v\" {{\n  default = \"{p}\"\n  validation {{\n    condition     = length(var.v) < 1\n    \
         error_message = \"Bad {p}.\"\n  }}\n}}\noutput \"o\" {{\n  value = \"{p}\"\n  precondition {{\n    \
         condition     = false\n    error_message = \"Worse: {p}.\"\n  }}\n}}\n"
    );
    let case = Case::new([("main.tf", checked)]);
    case.run(&["eval"], "");
    case.run(&["eval", "--keep-going"], "");
    let labels = format!(
        "resource \"{p}\" \"{p}\" {{\n  a = 1\n}}\nmodule \"{p}\" {{\n  source = \"./{p}\"\n}}\nlocals {{\n  \
         \"{p}\" = 1\n  b = local.{{}}\n}}\nvariable \"{p}\" {{}}\noutput \"{p}\" {{\n  value = 1\n}}\n"
    );
    let quoted = format!("resource \"{p}\" \"{p}\" {{\n  count = 0\n}}\nresource \"{p}\" \"b\" {{}}\n");
    let comment = format!("a = 1 /* {raw} */ b\n# {raw}\n");
    let json = format!("{{\"locals\": {{\"a\": \"{p} ${{none}}\", \"{p}\": 1}}, \"{p}\": {{}}}}");
    for (name, content) in [
        ("main.tf", labels),
        ("main.tf", quoted),
        ("main.tf", comment),
        ("main.tf.json", json),
        (&format!("{NAME}.tf"), "a stop-commands\n".to_owned()),
    ] {
        let case = Case::new([(name, content)]);
        case.run(&["eval"], "");
        case.run(&["eval", "--keep-going"], "");
        case.run(&["check"], "");
        case.look(&["check", "--format", "compact"], "");
    }
}

#[test]
fn graphs_and_sources() {
    let p = escaped();
    let module = format!(
        "locals {{\n  a = local.b\n}}\nlocals {{\n  b = \"{p}\"\n}}\nresource \"a_b\" \"{p}\" {{}}\nmodule \"{p}\" {{\n  source = \"./m\"\n}}\n"
    );
    let case = Case::new([("main.tf", module), ("m/main.tf", "locals {\n  a = 1\n}\n".to_owned())]);
    case.run(&["graph"], "");
    let template = format!(
        "source \"null\" \"{p}\" {{}}\nbuild {{\n  name    = \"{p}\"\n  sources = [\"source.null.{p}\"]\n}}\n\
         variable \"v\" {{\n  default = \"{p}\"\n}}\nlocals {{\n  l = \"${{var.v}}{p}\"\n}}\n"
    );
    let case = Case::new([("a.pkr.hcl", template)]);
    for command in ["graph", "eval", "check"] {
        case.run(&[command, "."], "");
    }
    case.run(&["eval", "--keep-going", "."], "");
    case.run(&["eval", ".", "local.l"], "");
    case.run(&["console", "."], "variables\n\"stop-commands\"\n");
}

#[test]
fn formatting() {
    let raw = PLANT.replace('\r', "");
    let lines = "  ::stop-commands::a\n::b\n";
    let text = format!("# {}\nx   = 1 /*\n{raw}\n{lines}*/\ny=1\n", PLANT.replace(['\n', '\r'], ""));
    let case = Case::new([
        ("main.tf", text),
        (&format!("{NAME}.tf"), "x   = 1\n".to_owned()),
        ("windows.tf", "x   = 1\r\n/*\r\n::stop-commands::c\r\n*/\r\n".to_owned()),
        (&format!("bad{NAME}.tf"), format!("x = \"{raw}")),
    ]);
    case.run(&["fmt", "-check", "-diff"], "");
    case.run(&["fmt", "-check", "-list"], "");
    case.run(&["fmt", "-diff", "-"], &format!("x   = 1 /*\n{raw}*/\n"));
    case.run(&["fmt", "main.tf", &format!("none{NAME}.tf"), &format!("other{NAME}")], "");
}

#[test]
fn decoding() {
    let p = escaped();
    let raw = PLANT.replace('\r', "");
    let case = Case::new([
        ("s.hcldec", "object {\n  attr \"a\" {\n    type = number\n  }\n}\n".to_owned()),
        ("bad.hcldec", format!("object {{\n  attr {{\n    name = \"{p}\"\n    type = {p}\n  }}\n}}\n")),
        ("a.hcl", format!("a = \"{p}\"\n\"{p}\" \"{p}\" {{}}\n/*\n{raw}*/ x y\n")),
        (&format!("{NAME}.hcl"), "a = 1 2\n".to_owned()),
    ]);
    for command in ["decode", "hcldec"] {
        case.run(&[command, "--spec", "s.hcldec", "a.hcl"], "");
        case.run(&[command, "--spec", "bad.hcldec", "a.hcl"], "");
        case.run(&[command, "--spec", "s.hcldec", &format!("{NAME}.hcl")], "");
        case.run(&[command, "--spec", &format!("{NAME}.none")], "");
        case.run(&[command, "--spec", "s.hcldec", "-V", &format!("{{\"a\": {PLANT}}}"), "a.hcl"], "");
        case.run(&[command, "--diags", PLANT], "");
    }
}

#[test]
fn arguments_and_other_files() {
    let case = Case::new([
        ("main.tf", "locals {\n  a = 1\n}\n".to_owned()),
        ("schemas.json", format!("{{\"format_version\": \"{}\"}}", escaped())),
        ("scope.json", format!("{{\"vars\": {{\"{}\": 1}}}}", escaped())),
        ("v.tfvars", format!("\"{}\" = 1\nb = c\n", escaped())),
        (&format!("{NAME}.tfvars"), "a = b".to_owned()),
    ]);
    case.run(&["eval", "--schemas", "schemas.json", ".", "none.stop-commands"], "");
    case.run(&["console", "--scope", "scope.json"], "1\n");
    case.run(&["eval", "-var-file", "v.tfvars", ".", "none.stop-commands"], "");
    case.run(&["eval", "-var-file", &format!("{NAME}.tfvars")], "");
    case.run(&["eval", "-var-file", &format!("{NAME}.none")], "");
    case.run(&["eval", &format!("./{NAME}")], "");
    case.run(&["check", &format!("./{NAME}")], "");
    case.run(&["graph", &format!("./{NAME}")], "");
    case.run(&["eval", "--sandbox", NAME], "");
    case.run(&["functions", PLANT], "");
    case.run(&["eval", &format!("--{PLANT}")], "");
    case.run(&["eval", "-var", &format!("{PLANT} = 1")], "");
    case.run(&[PLANT], "");
}
