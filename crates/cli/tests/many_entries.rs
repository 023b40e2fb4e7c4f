//! Large configurations of small entries. The work must grow with their number, not with its square.
#![expect(clippy::disallowed_methods, reason = "tests run the command and read the clock")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

#[path = "support/directory.rs"]
mod directory;

use std::process::Command;
use std::time::{Duration, Instant};

use self::directory::directory;

/// So many entries that work for each pair of them takes far longer than [`MOST`].
const MANY: usize = 40_000;

/// The limit on the time. Linear work takes a tenth of it, even in a build without optimizations.
const MOST: Duration = Duration::from_secs(20);

/// Returns the text for each of `MANY` numbers.
fn many(text: impl Fn(usize) -> String) -> String {
    (0..MANY).map(text).collect()
}

/// Runs the command on these files. Returns the beginning of its output.
fn run(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let root = directory(files);
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_terrane"))
        .env("TERRANE_CACHE_DIR", "/nonexistent")
        .current_dir(&root)
        .args(arguments)
        .args(["--max-memory", "1GiB"])
        .output()
        .expect("the command runs");
    let took = start.elapsed();
    assert!(took < MOST, "{arguments:?} took {took:?}");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8")).concat();
    text.chars().take(1_000).collect()
}

#[test]
fn passed_providers() {
    let items = many(|number| format!("p.x{number} = p.x{number}\n"));
    let aliases = many(|number| format!("p.x{number}, "));
    let main = format!(
        "terraform {{\nrequired_providers {{\np = {{\nsource = \"a/p\"\n}}\n}}\n}}\n{}\
         module \"m\" {{\nsource = \"./m\"\nproviders = {{\n{items}}}\n}}\n",
        many(|number| format!("provider \"p\" {{\nalias = \"x{number}\"\n}}\n"))
    );
    let child = format!(
        "terraform {{\nrequired_providers {{\np = {{\nsource = \"a/p\"\nconfiguration_aliases = [{aliases}]\n}}\n}}\n}}\n{}",
        many(|number| format!("resource \"p_r\" \"r{number}\" {{\nprovider = p.x{number}\n}}\n"))
    );
    let output = run(&[("main.tf", &main), ("m/main.tf", &child)], &["check"]);
    assert_eq!(output, "2 files checked: no errors\n");
}

#[test]
fn provider_configurations_of_a_plan() {
    let aliases = many(|number| format!("provider \"p\" {{\nalias = \"a{number}\"\n}}\n"));
    assert!(run(&[("main.tf", &aliases)], &["plan", "--json"]).starts_with("{\"format_version\""));
    let required = many(|number| format!("p{number} = {{ source = \"a/p{number}\" }}\n"));
    let text = format!("terraform {{\nrequired_providers {{\n{required}}}\n}}\n");
    assert!(run(&[("main.tf", &text)], &["plan", "--json"]).starts_with("{\"format_version\""));
}

#[test]
fn explained_attributes() {
    let attributes = many(|number| format!("a{number} = z.z.x{number}\n"));
    let text = format!(
        "resource \"z\" \"z\" {{}}\nresource \"a\" \"b\" {{\n{attributes}}}\noutput \"x\" {{\nvalue = a.b\n}}\n"
    );
    let output = run(&[("main.tf", &text)], &["explain", "output.x"]);
    assert!(output.starts_with("# unknown: z.z.x0"), "{output}");
}

#[test]
fn dependents_in_a_chain() {
    let next = many(|number| format!("resource \"a\" \"r{}\" {{\nb = a.r{number}.id\n}}\n", number + 1));
    let text = format!("resource \"a\" \"r0\" {{}}\n{next}");
    let output = run(&[("main.tf", &text)], &["explain", "a.r0", "--reverse"]);
    assert!(
        output.starts_with("# 40000 dependents of a.r0: 40000 resources (40000 resource instances)\n"),
        "{output}"
    );
}

#[test]
fn dynamic_blocks_with_labels_of_their_own() {
    let blocks = many(|number| format!("dynamic \"x{number}\" {{\nfor_each = [1]\ncontent {{}}\n}}\n"));
    let text = format!("resource \"a\" \"b\" {{\n{blocks}}}\n");
    let files = [("main.tf", &*text)];
    assert!(run(&files, &["explain", "a.b"]).starts_with("a.b"));
    assert!(run(&files, &["eval", "--json"]).starts_with("{\"format_version\""));
}
