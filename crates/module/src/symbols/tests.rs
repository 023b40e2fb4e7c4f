//! Tests of the names by place.

use terrane_source::{FileId, MemoryFiles};

use super::*;
use crate::model::references::BuiltIn;
use crate::{BindingKind, Cache, Request, load};

const ROOT: &str = r#"
variable "region" {}
locals {
  place = "${var.region}-a"
}
module "net" {
  source = "./net"
  zone   = local.place
}
resource "demo_a" "demo_a" {
  for_each   = toset(["x"])
  name       = module.net.id
  depends_on = [module.net]
}
moved {
  from = demo_b.old["demo_a"]
  to   = demo_a.demo_a["x"]
}
"#;

const NET: &str = "variable \"zone\" {}\noutput \"id\" {\n  value = \"${var.zone}\"\n}\n";

/// Returns the names in files without mistakes.
fn symbols_of(texts: &[(&str, &str)], dialect: &str) -> Symbols {
    let files: MemoryFiles = texts.iter().copied().collect();
    let request = Request { dialect: dialect.parse().unwrap(), ..Request::new(".") };
    let loaded = load(request, &files, &Cache::default());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    Symbols::of(&loaded.config, &loaded.inputs, &files, &Cache::default())
}

fn symbols() -> Symbols {
    let texts = [
        ("main.tf", ROOT),
        ("more.tf.json", r#"{"output": {"r": {"value": "${var.region} ${path.module}"}}}"#),
        ("net/main.tf", NET),
        ("terraform.tfvars", "region = \"one\"\n"),
        ("b.auto.tfvars.json", r#"{"region": "two"}"#),
    ];
    symbols_of(&texts, "modules")
}

/// Returns the name at the first `needle` in a file.
fn at<'s>(symbols: &'s Symbols, (file, text): (&str, &str), needle: &str) -> &'s Occurrence {
    let offset = u32::try_from(text.find(needle).unwrap()).unwrap();
    symbols.at(&FileId::new(file), offset).unwrap_or_else(|| panic!("nothing at {needle}"))
}

/// Returns the places with the meaning of the name at the first `needle` in a file, each as
/// `file:line:column name role`.
fn all(symbols: &Symbols, file: (&str, &str), needle: &str) -> Vec<String> {
    let found = symbols.occurrences(&at(symbols, file, needle).symbol);
    found
        .map(|found| {
            let Subject { file, span } = &found.subject;
            let place = file.line_column(span.start);
            format!("{}:{}:{} {} {:?}", file.id(), place.line, place.column, file.slice(*span), found.role)
        })
        .collect()
}

/// Returns the same as [`all`], for the files above and without columns.
fn places(file: &str, text: &str, needle: &str) -> Vec<String> {
    let without_column = |place: String| {
        let parts: Vec<&str> = place.splitn(3, ':').collect();
        let rest = parts[2].split_once(' ').unwrap().1;
        format!("{}:{} {rest}", parts[0], parts[1])
    };
    all(&symbols(), (file, text), needle).into_iter().map(without_column).collect()
}

#[test]
fn a_variable_is_found_in_all_files() {
    let expected = [
        "b.auto.tfvars.json:1 region VariableFile",
        "main.tf:2 region Declaration",
        "main.tf:4 region Reference",
        "more.tf.json:1 region Reference",
        "terraform.tfvars:1 region VariableFile",
    ];
    assert_eq!(places("main.tf", ROOT, "region\" {}"), expected);
    assert_eq!(places("main.tf", ROOT, "region}"), expected);
}

#[test]
fn arguments_and_outputs_lead_across_modules() {
    let zone = ["main.tf:8 zone Argument", "net/main.tf:1 zone Declaration", "net/main.tf:3 zone Reference"];
    assert_eq!(places("main.tf", ROOT, "zone   ="), zone);
    assert_eq!(places("net/main.tf", NET, "zone}"), zone);
    let id = ["main.tf:12 id Reference", "net/main.tf:2 id Declaration"];
    assert_eq!(places("main.tf", ROOT, "id\n"), id);
    let call = ["main.tf:6 net Declaration", "main.tf:12 net Reference", "main.tf:13 net Reference"];
    assert_eq!(places("main.tf", ROOT, "net\" {"), call);
}

#[test]
fn an_address_names_its_resource_and_not_its_type_or_key() {
    let places = places("main.tf", ROOT, "demo_a\" {");
    assert_eq!(places, ["main.tf:10 demo_a Declaration", "main.tf:17 demo_a Address"]);
    let symbols = symbols();
    let offset = u32::try_from(ROOT.find("to   = demo_a").unwrap() + 7).unwrap();
    assert!(symbols.at(&FileId::new("main.tf"), offset).is_none());
}

#[test]
fn bound_names_belong_to_the_innermost_for() {
    let text = r#"locals {
  a = [for k, v in {x = [1]} : [for v in v : "${k}${v}"]]
  b = <<-EOT
    %{ for item in ["x"] }${item}%{ for item in [item] }${item}%{ endfor }${item}%{ endfor }
  EOT
  v = { for v in ["x"] : v => { v = v, (v) = upper(v) } if v != "" }
}
"#;
    let main = ("main.tf", text);
    let symbols = symbols_of(&[main], "modules");
    let outer = ["main.tf:2:15 v Declaration", "main.tf:2:42 v Reference"];
    assert_eq!(all(&symbols, main, "v in {x"), outer);
    assert_eq!(all(&symbols, main, "v : \"${k"), outer, "the collection is outside of the inner names");
    let inner = ["main.tf:2:37 v Declaration", "main.tf:2:53 v Reference"];
    assert_eq!(all(&symbols, main, "v in v"), inner);
    assert_eq!(all(&symbols, main, "v}\"]]"), inner);
    assert_eq!(all(&symbols, main, "k, v"), ["main.tf:2:12 k Declaration", "main.tf:2:49 k Reference"]);
    let outer = all(&symbols, main, "item in [\"x");
    assert_eq!(outer.len(), 4, "{outer:?}");
    assert_eq!(all(&symbols, main, "item in [item").len(), 2);
    assert_eq!(all(&symbols, main, "v in [\"x\"] : v").len(), 6, "not the key that is a plain name");
    let Symbol::Bound { name, kind, .. } = &at(&symbols, main, "k, v").symbol else { panic!() };
    assert_eq!((name.as_str(), *kind), ("k", BindingKind::ForKey));
}

#[test]
fn built_in_names_lead_to_the_source_of_their_value() {
    let text = r#"resource "demo" "a" {
  count = 2
  name  = "${count.index}${path.module}${terraform.workspace}"
}
resource "demo" "b" {
  for_each = toset(["x"])
  name     = "${each.key}${each.value}"
  provisioner "local-exec" {
    command = "${self.id} ${each.key}"
  }
}
resource "demo" "c" {
  for_each = toset(["y"])
  name     = each.key
}
"#;
    let main = ("main.tf", text);
    let json = ("more.tf.json", r#"{"locals": {"p": "${path.module}"}}"#);
    let symbols = symbols_of(&[main, json], "modules");
    let keys = ["main.tf:7:17 each.key Reference", "main.tf:9:29 each.key Reference"];
    assert_eq!(all(&symbols, main, "each.key"), keys, "not those of another block");
    assert_eq!(
        all(&symbols, main, "path.module"),
        ["main.tf:3:28 path.module Reference", "more.tf.json:1:21 path.module Reference"]
    );
    for (needle, built_in, definition) in [
        ("count.index", BuiltIn::CountIndex, "2"),
        ("each.value", BuiltIn::EachValue, "toset([\"x\"])"),
        ("self", BuiltIn::Itself, "resource \"demo\" \"b\""),
        ("terraform.workspace", BuiltIn::Workspace, ""),
    ] {
        let found = &at(&symbols, main, needle).symbol;
        let Symbol::BuiltIn { name, .. } = found else { panic!("{found:?}") };
        assert_eq!((*name, name.name()), (built_in, needle));
        let sites = symbols.definitions(found);
        let text = sites.first().map(|site| site.file.slice(site.span));
        assert_eq!(text.unwrap_or_default(), definition);
        assert!(!found.is_renamable());
    }
}

#[test]
fn functions_are_found_by_name() {
    let text = r#"terraform {
  required_providers {
    demo = { source = "example/demo" }
  }
}
locals {
  a = upper("a")
  b = core::upper(provider::demo::shout("b"))
}
"#;
    let main = ("main.tf", text);
    let json = ("more.tf.json", r#"{"locals": {"c": "${upper(\"c\")}"}}"#);
    let symbols = symbols_of(&[main, json], "modules");
    let upper = [
        "main.tf:7:7 upper Reference",
        "main.tf:8:7 core::upper Reference",
        "more.tf.json:1:21 upper Reference",
    ];
    assert_eq!(all(&symbols, main, "upper"), upper);
    let found = &at(&symbols, main, "provider::demo").symbol;
    assert_eq!(*found, Symbol::Function("provider::demo::shout".into()));
    assert!(symbols.definitions(found).is_empty());
}

#[test]
fn iterators_of_dynamic_blocks_are_bound_in_both_syntaxes() {
    let text = r#"resource "demo" "a" {
  dynamic "setting" {
    for_each = ["x"]
    content {
      value = "${setting.value}${[for setting in ["y"] : setting][0]}"
      dynamic "part" {
        for_each = [setting.value]
        iterator = one
        content {
          value = "${one.key}${setting.key}"
        }
      }
    }
  }
}
"#;
    let json = r#"{"resource": {"demo": {"b": {"dynamic": {"setting": [
  {"for_each": ["x"], "iterator": "it", "content": {"value": "${it.value}"}}
]}}}}}"#;
    let (main, json) = (("main.tf", text), ("more.tf.json", json));
    let symbols = symbols_of(&[main, json], "modules");
    let setting = [
        "main.tf:2:12 setting Declaration",
        "main.tf:5:18 setting Reference",
        "main.tf:7:21 setting Reference",
        "main.tf:10:32 setting Reference",
    ];
    assert_eq!(all(&symbols, main, "setting.value}"), setting);
    assert!(!at(&symbols, main, "setting.value}").symbol.is_renamable(), "it is a type of blocks");
    let one = at(&symbols, main, "one.key");
    assert!(one.symbol.is_renamable());
    assert_eq!(
        all(&symbols, main, "one.key"),
        ["main.tf:8:20 one Declaration", "main.tf:10:22 one Reference"]
    );
    assert_eq!(
        all(&symbols, json, "it.value"),
        ["more.tf.json:2:36 it Declaration", "more.tf.json:2:65 it Reference"]
    );
}

#[test]
fn declarations_and_replaced_text_of_override_files_count() {
    let main = (
        "main.tf",
        "variable \"a\" {}\nvariable \"b\" {}\nlocals {\n  l = var.a\n}\noutput \"o\" {\n  value = local.l\n}\n\
         resource \"demo\" \"r\" {\n  x = var.a\n}\n",
    );
    let over = (
        "x_override.tf",
        "variable \"a\" {\n  default = 1\n}\nlocals {\n  l = var.b\n}\nresource \"demo\" \"r\" {\n  x = var.b\n}\n",
    );
    let json = ("override.tf.json", r#"{"output": {"o": {"value": "${var.b}"}}}"#);
    let inputs = ("terraform.tfvars", "b = 2\n");
    let symbols = symbols_of(&[main, over, json, inputs], "modules");
    let a = [
        "main.tf:1:11 a Declaration",
        "main.tf:4:11 a Reference",
        "main.tf:10:11 a Reference",
        "x_override.tf:1:11 a Declaration",
    ];
    assert_eq!(all(&symbols, main, "a\" {}"), a);
    let local = ["main.tf:4:3 l Declaration", "main.tf:7:17 l Reference", "x_override.tf:5:3 l Declaration"];
    assert_eq!(all(&symbols, main, "l = var"), local);
    let output = ["main.tf:6:9 o Declaration", "override.tf.json:1:14 o Declaration"];
    assert_eq!(all(&symbols, main, "o\" {"), output);
    let resource = ["main.tf:9:18 r Declaration", "x_override.tf:7:18 r Declaration"];
    assert_eq!(all(&symbols, main, "r\" {"), resource);
    assert_eq!(all(&symbols, main, "b\" {}").len(), 5);
}

const TESTED: &str = "variable \"region\" {}\nlocals {\n  l = var.region\n}\nresource \"demo\" \"r\" {}\nmodule \"net\" {\n  \
                      source = \"./net\"\n  zone   = local.l\n}\noutput \"o\" {\n  value = 1\n}\ncheck \"c\" {\n  assert {\n    \
                      condition     = local.l != \"\"\n    error_message = \"no\"\n  }\n}\n";

const TEST: &str = r#"variables {
  region = upper("eu")
}
mock_provider "demo" {
  override_resource {
    target = demo.r
  }
}
run "first" {
  expect_failures = [check.c, var.region, output.o]
  override_module {
    target = module.net
  }
}
run "second" {
  variables {
    region = run.first.o
  }
  plan_options {
    target = [demo.r]
  }
  assert {
    condition     = [for o in [output.o] : o][0] == local.l && module.net.id == var.region
    error_message = "${demo.r.id}"
  }
}
run "third" {
  module {
    source = "./net"
  }
  variables {
    zone = "z"
  }
  assert {
    condition     = output.id == var.zone
    error_message = "no"
  }
}
"#;

#[test]
fn test_files_refer_to_the_module_under_test() {
    let (main, test, net) = (("main.tf", TESTED), ("tests/a.tftest.hcl", TEST), ("net/main.tf", NET));
    let json = (
        "b.tftest.json",
        r#"{"run": {"x": {"assert": {"condition": "${output.o == var.region}", "error_message": "no"}}}}"#,
    );
    let inputs = ("terraform.tfvars", "region = \"eu\"\n");
    let symbols = symbols_of(&[main, test, net, json, inputs], "terraform");
    let region = [
        "b.tftest.json:1:59 region Reference",
        "main.tf:1:11 region Declaration",
        "main.tf:3:11 region Reference",
        "terraform.tfvars:1:1 region VariableFile",
        "tests/a.tftest.hcl:2:3 region TestVariable",
        "tests/a.tftest.hcl:10:35 region Reference",
        "tests/a.tftest.hcl:17:5 region TestVariable",
        "tests/a.tftest.hcl:23:85 region Reference",
    ];
    assert_eq!(all(&symbols, main, "region"), region);
    let output = [
        "b.tftest.json:1:50 o Reference",
        "main.tf:10:9 o Declaration",
        "tests/a.tftest.hcl:10:50 o Reference",
        "tests/a.tftest.hcl:17:24 o Reference",
        "tests/a.tftest.hcl:23:39 o Reference",
    ];
    assert_eq!(all(&symbols, main, "o\" {"), output);
    let resource = [
        "main.tf:5:18 r Declaration",
        "tests/a.tftest.hcl:6:19 r Address",
        "tests/a.tftest.hcl:20:20 r Address",
        "tests/a.tftest.hcl:24:29 r Reference",
    ];
    assert_eq!(all(&symbols, main, "r\" {}"), resource);
    let run = ["tests/a.tftest.hcl:9:6 first Declaration", "tests/a.tftest.hcl:17:18 first Reference"];
    assert_eq!(all(&symbols, test, "first"), run);
    let check = ["main.tf:13:8 c Declaration", "tests/a.tftest.hcl:10:28 c Reference"];
    assert_eq!(all(&symbols, main, "c\" {"), check);
    let zone: Vec<String> = all(&symbols, net, "zone");
    assert_eq!(zone.len(), 5, "{zone:?}");
    assert!(zone.contains(&"tests/a.tftest.hcl:32:5 zone TestVariable".to_owned()));
    assert_eq!(all(&symbols, test, "upper"), ["tests/a.tftest.hcl:2:12 upper Reference"]);
}

#[test]
fn a_test_file_for_opentofu_hides_the_other() {
    let main = ("main.tf", "variable \"a\" {\n  default = 1\n}\n");
    let tests =
        [("a.tftest.hcl", "variables {\n  a = 1\n}\n"), ("a.tofutest.hcl", "variables {\n  a = 2\n}\n")];
    let files = |dialect| {
        let symbols = symbols_of(&[main, tests[0], tests[1]], dialect);
        all(&symbols, main, "a\" {").len()
            + usize::from(symbols.in_file(&FileId::new("a.tofutest.hcl")).len() == 1) * 10
    };
    assert_eq!(files("terraform"), 2);
    assert_eq!(files("opentofu"), 12);
}

/// Returns the occurrences with an owner, each as `name in object via`.
fn owners(symbols: &Symbols) -> Vec<String> {
    let of = |(symbol, found): (&Symbol, &Occurrence)| {
        let owner = found.owner.as_ref()?;
        Some(format!("{symbol} in {} {}", owner.object, owner.via.name()))
    };
    symbols.iter().flat_map(|(symbol, all)| all.map(move |found| (symbol, found))).filter_map(of).collect()
}

#[test]
fn an_occurrence_names_the_object_that_contains_it() {
    let main = "variable \"a\" {\n  default = 1\n  validation {\n    condition     = var.a > 0\n    error_message = \"no\"\n  }\n}\n\
                module \"one\" {\n  source = \"./m\"\n}\nmodule \"two\" {\n  source = \"./m\"\n  zone   = \"${var.a}\"\n}\n\
                resource \"demo\" \"r\" {\n  count      = var.a\n  name       = \"${count.index}\"\n  depends_on = [module.one]\n}\n\
                locals {\n  l = upper(var.a)\n}\n";
    let module = "variable \"zone\" {\n  default = \"z\"\n}\noutput \"id\" {\n  value = var.zone\n}\n";
    let over = "locals {\n  l = 1\n}\n";
    let symbols = symbols_of(&[("main.tf", main), ("m/main.tf", module), ("x_override.tf", over)], "modules");
    let wanted = [
        "var.a in var.a condition",
        // The address of the variable is the one in the module that is called first.
        "var.a in module.one.var.zone argument",
        "var.a in demo.r count",
        "module.one in demo.r depends_on",
        "module.one.var.zone in module.one.output.id expression",
        "count.index in demo.r expression",
    ];
    assert_eq!(owners(&symbols), wanted);
}

#[test]
fn every_offset_has_the_first_name_around_it() {
    let files = [("main.tf", TESTED), ("tests/a.tftest.hcl", TEST), ("net/main.tf", NET)];
    let escaped =
        ("e.tf.json", r#"{"output": {"\u0061b": {"value": "${var.region}"}}, "locals": {"\u0062": 1}}"#);
    let symbols = symbols_of(&[files[0], files[1], files[2], escaped], "terraform");
    for (file, text) in files.iter().chain([&escaped]) {
        let (file, length) = (FileId::new(file), u32::try_from(text.len()).unwrap());
        for offset in 0..length + 2 {
            let around =
                |found: &&Occurrence| found.subject.span.start <= offset && offset <= found.subject.span.end;
            let first = symbols.in_file(&file).iter().find(around);
            let found = symbols.at(&file, offset);
            assert_eq!(
                found.map(|found| found.subject.span),
                first.map(|first| first.subject.span),
                "{offset}"
            );
        }
    }
    assert!(symbols.at(&FileId::new("none.tf"), 0).is_none());
}
