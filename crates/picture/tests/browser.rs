//! Opens the page in a browser: the script runs, the objects are drawn, and no secret is in the page. Without a browser, the
//! trial counts as skipped.
#![expect(clippy::disallowed_methods, reason = "a browser reads the page from a directory of the test")]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use terrane::{MemoryFiles, Project, Secrets};

/// A planted secret. It is nowhere in the page unless secrets are shown.
const MARKER: &str = "planted-secret-7c1f";

const MAIN: &str = r#"
variable "password" {
  type      = string
  sensitive = true
}
variable "given" {
  type      = object({ open = string, token = string })
  sensitive = true
  default   = { open = "x", token = "planted-secret-7c1f-default" }
}
variable "plain" { default = "visible-value" }
locals {
  connection = "user:${var.password}"
  parts      = { deep = [var.password], name = var.plain }
  keys       = { (var.password) = 1 }
}
resource "terraform_data" "a" {
  for_each = toset(["one", "two"])
  input    = { secret = var.password, key = each.key }
}
module "m" {
  source   = "./m"
  password = var.password
}
output "shown" {
  value     = local.connection
  sensitive = true
}
output "length" { value = length(var.plain) }
"#;

const MODULE: &str = r#"
variable "password" {}
output "again" {
  value     = "again ${var.password}"
  sensitive = true
}
"#;

fn page(secrets: Secrets) -> String {
    let files = MemoryFiles::from_iter([("main.tf", MAIN), ("m/main.tf", MODULE)]);
    let report = Project::new(".").variable("password", MARKER).evaluate(&files);
    let errors: Vec<_> = report.diagnostics().as_slice().iter().map(|found| &found.detail).collect();
    assert!(errors.is_empty(), "{errors:?}");
    terrane_picture::html(&report.document_with_graph(secrets)).unwrap()
}

fn main() -> ExitCode {
    let browser = browser();
    let drawn =
        Trial::test("a_browser_draws_the_objects_and_shows_values", move || passed(|| draws(browser)));
    let opened = Trial::test("a_large_picture_opens_at_a_legible_scale", move || passed(|| opens(browser)));
    let explained = Trial::test("an_explanation_has_places_and_lines", move || passed(|| explains(browser)));
    let skipped = |trial: Trial| match browser {
        Some(_) => trial,
        None => trial.with_kind("skipped: no chromium on PATH").with_ignored_flag(true),
    };
    let trials = vec![
        Trial::test("no_secret_is_in_the_page_unless_it_is_asked_for", || passed(has_no_secret)),
        Trial::test("the_page_needs_nothing_else", || passed(needs_nothing_else)),
        skipped(drawn),
        skipped(opened),
        skipped(explained),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn passed(test: impl FnOnce()) -> Result<(), Failed> {
    test();
    Ok(())
}

fn has_no_secret() {
    let hidden = page(Secrets::Hidden);
    assert!(!hidden.contains(MARKER), "{hidden}");
    assert!(hidden.contains("visible-value") && hidden.contains("(sensitive value)"));
    let shown = page(Secrets::Shown);
    assert!(shown.matches(MARKER).count() > 8, "{shown}");
    assert!(shown.contains("planted-secret-7c1f-default"));
}

fn needs_nothing_else() {
    let page = page(Secrets::Hidden);
    for reference in ["src=", "href=", "@import", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!page.contains(reference), "{reference}");
    }
    // The only text that looks like an address is the name of a format.
    assert_eq!(page.matches("http:").count(), 1);
    assert_eq!(page.matches("https:").count(), 0);
    assert!(page.contains("default-src 'none'"));
}

/// Returns the browser, if there is one.
fn browser() -> Option<&'static str> {
    let works =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success());
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(works)
}

/// Returns the document after the script has run.
fn dom(browser: &str, file: &Path, fragment: &str) -> String {
    let url = format!("file://{}#{fragment}", file.display());
    let profile = file.with_extension("profile");
    let run = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--virtual-time-budget=2000", "--dump-dom", &url])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

fn opens(browser: Option<&str>) {
    let browser = browser.expect("the trial is skipped without a browser");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("graph.html");
    let outputs = (0..100).map(|number| format!("output \"o{number}\" {{\n  value = local.a\n}}\n"));
    let text = format!("locals {{\n  a = upper(\"a\")\n}}\n{}", outputs.collect::<String>());
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let document = Project::new(".").evaluate(&files).document_with_graph(Secrets::Hidden);
    std::fs::write(&file, terrane_picture::html(&document).unwrap()).unwrap();
    // Returns the left edge, the upper edge, the width and the height.
    let view = |fragment: &str| -> [f64; 4] {
        let drawn = dom(browser, &file, fragment);
        let view = drawn.split_once("viewBox=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
        let numbers: Vec<f64> = view.split(' ').map(|number| number.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    let ([_, upper, _, height], [_, upper_of_asked, _, height_of_asked]) = (view(""), view("output.o90"));
    assert!(height < 1500.0 && height_of_asked == height, "{height} {height_of_asked}");
    assert!(upper_of_asked > upper, "{upper} {upper_of_asked}");
    // The object at the upper corner is not centred, because half of the page would be empty.
    assert!(upper >= 0.0, "{upper}");
    let mut document = document;
    document.graph = document.graph.focused("output.o90", None).unwrap();
    std::fs::write(&file, terrane_picture::html(&document).unwrap()).unwrap();
    let drawn = dom(browser, &file, "");
    let chosen = drawn.split_once(" chosen\"").unwrap().1;
    assert!(chosen.split_once("<title>").unwrap().1.starts_with("output.o90<"), "{drawn}");
}

fn draws(browser: Option<&str>) {
    let browser = browser.expect("the trial is skipped without a browser");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("graph.html");
    std::fs::write(&file, page(Secrets::Hidden)).unwrap();
    let drawn = dom(browser, &file, "local.parts");
    // The script sets this at its end, so everything before has worked.
    assert!(drawn.contains("data-ready=\"12\""), "{drawn}");
    assert_eq!(drawn.matches("<g class=\"object ").count(), 12);
    assert!(drawn.contains("<g class=\"object local chosen\""), "{drawn}");
    // The details show the value, the dependencies and the place of the chosen object.
    let details = drawn.split_once("<div id=\"details\">").unwrap().1.split_once("<script").unwrap().0;
    for part in ["visible-value", "(sensitive value)", "Depends on", "var.password", "main.tf:14:3"] {
        assert!(details.contains(part), "{part}: {details}");
    }
    assert!(drawn.contains("value=\"resource\""), "{drawn}");
}

fn explains(browser: Option<&str>) {
    let browser = browser.expect("the trial is skipped without a browser");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("explain.html");
    let text = "locals {\n  a = \"x\"\n  b = merge(\n    { k = local.a },\n  )\n}\n";
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let explanation = Project::new(".").evaluate(&files).explain("local.b", Secrets::Hidden, &files);
    std::fs::write(&file, explanation.unwrap().to_html()).unwrap();
    let drawn = dom(browser, &file, "");
    for part in ["  main.tf:2:7</span>", "    3 | </span>", "    4 | </span>    { k = local.a },"] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
    let text = r#"
locals {
  inner = { "a.b" = sensitive("planted"), c = null, constructor = uuid(), "é\"" = uuid() }
  all   = [1, sensitive("planted"), null, uuid(), local.inner, a_b.c]
}
resource "a_b" "c" { d = 1 }
"#;
    let files = MemoryFiles::from_iter([("main.tf", text)]);
    let explanation = Project::new(".").evaluate(&files).explain("local.all", Secrets::Hidden, &files);
    std::fs::write(&file, explanation.unwrap().to_html()).unwrap();
    let drawn = dom(browser, &file, "");
    let inner = r#"{"c":null,"constructor":(unknown),"é\"":(unknown),"a.b":(sensitive value)}"#;
    let value = format!("[1,(sensitive value),null,(unknown),{inner},{{\"d\":1,...}}]</td>");
    for part in [&*value, ">way: local.all &lt;- local.inner</p>"] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
    assert!(!drawn.contains("planted"), "{drawn}");
}
