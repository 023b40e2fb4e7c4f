//! Every deletion and every other character in the header of a block: what reads its object has no finding, and no other value than before, unless it is unknown.

use std::collections::BTreeSet;

use terrane::{MemoryFiles, Project, Report};
use terrane_source::{Diagnostic, FileId, SourceFile};
use terrane_syntax::parse_body;

/// The characters that are put into a header, or in place of one.
const OTHERS: [char; 10] = ['{', '}', '"', '\\', '=', '.', '(', '1', ' ', '\n'];

/// A block, and another file, without findings, that reads what it declares.
struct Declaration {
    header: &'static str,
    body: &'static str,
    reader: &'static str,
}

const fn declaration(header: &'static str, body: &'static str, reader: &'static str) -> Declaration {
    Declaration { header, body, reader }
}

/// Reads the outputs of a called module.
const CALLER: &str = "module \"m\" {
  source = \"./m\"
}
output \"names\" {
  value = keys(module.m)
}
output \"fallback\" {
  value = try(module.m.id, \"lost\")
}
";

/// Passes a provider to a called module.
const PASSING: &str = "module \"m\" {
  source    = \"./m\"
  providers = { aws = aws.west }
}
provider \"aws\" {
  alias = \"west\"
}
";

const DECLARATIONS: &[Declaration] = &[
    declaration(
        "variable \"reg\" {",
        "  type    = string\n  default = \"x\"\n}\n",
        "output \"o\" {\n  value = try(var.reg, \"lost\")\n}\n",
    ),
    declaration("output \"id\" {", "  value = 2\n}\n", CALLER),
    declaration(
        "resource \"aws_vpc\" \"main\" {",
        "  cidr = \"x\"\n}\n",
        "output \"o\" {\n  value = aws_vpc.main.id\n}\nimport {\n  to = aws_vpc.main\n  id = \"x\"\n}\n",
    ),
    declaration(
        "data \"aws_ami\" \"am\" {",
        "  name = \"x\"\n}\n",
        "output \"o\" {\n  value = data.aws_ami.am.id\n}\n",
    ),
    declaration(
        "module \"net\" {",
        "  source = \"./net\"\n}\n",
        "output \"o\" {\n  value = module.net.k\n}\n",
    ),
    declaration(
        "terraform {",
        "  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n",
        PASSING,
    ),
    declaration("locals {", "  abc = 1\n}\n", "output \"o\" {\n  value = local.abc\n}\n"),
    declaration(
        "provider \"aws\" {",
        "  alias = \"west\"\n}\n",
        "resource \"aws_vpc\" \"main\" {\n  provider = aws.west\n}\n",
    ),
];

/// Breaks each header in each way.
pub(super) fn break_them() -> Result<(), String> {
    let found: Vec<String> = DECLARATIONS.iter().flat_map(Declaration::break_it).collect();
    match found.is_empty() {
        true => Ok(()),
        false => Err(found.join("\n")),
    }
}

impl Declaration {
    /// What another file finds or knows wrongly after each edit that is a syntax error.
    fn break_it(&self) -> Vec<String> {
        let broken = edits(self.header).into_iter().filter(|header| {
            let source = SourceFile::new(FileId::new("broken.tf"), format!("{header}\n{}", self.body));
            parse_body(&source).diagnostics.iter().any(Diagnostic::is_error)
        });
        // A misspelt word with an equals sign is an argument, which declares nothing.
        let broken = broken.filter(|header| header != "terrafor= {");
        let whole = self.report(self.header);
        broken.flat_map(|header| self.wrong(&header, &whole)).collect()
    }

    fn report(&self, header: &str) -> Report {
        let broken = format!("output \"k\" {{\n  value = 1\n}}\n\n{header}\n{}", self.body);
        let is_called = self.reader.starts_with("module");
        let files = MemoryFiles::from_iter([
            (if is_called { "m/broken.tf" } else { "broken.tf" }, broken.as_str()),
            ("reader.tf", self.reader),
            ("terraform.tfvars", if self.header.starts_with("variable") { "reg = \"y\"\n" } else { "" }),
            ("net/main.tf", "output \"k\" {\n  value = 1\n}\n"),
        ]);
        Project::new(".").strict_inputs(true).evaluate(&files)
    }

    fn wrong(&self, header: &str, whole: &Report) -> Vec<String> {
        let report = self.report(header);
        let elsewhere = report.diagnostics().as_slice().iter().filter(|found| {
            let subject = found.subject.as_ref();
            subject.is_none_or(|subject| !subject.file.id().path().ends_with("broken.tf"))
        });
        let new = elsewhere.map(|found| format!("{header:?}: new: {} {}", found.id, found.detail));
        let is_false = |name: &&str| {
            let value = report.output(name);
            value.is_some_and(|value| {
                value.is_known() && !whole.output(name).is_some_and(|old| old.same(value))
            })
        };
        let known = ["o", "names", "fallback"].into_iter().filter(is_false);
        new.chain(known.map(|name| format!("{header:?}: false value: {name}"))).collect()
    }
}

/// A header without each piece of it, and with each other character.
fn edits(header: &str) -> BTreeSet<String> {
    let parts = |start: usize, end: usize| {
        Some((header.get(..start).unwrap_or_default(), header.get(end..).unwrap_or_default()))
    };
    let places = || 0..=header.len();
    let deletions = places().flat_map(|start| (start..=header.len()).map(move |end| (start, end)));
    let deleted =
        deletions.filter_map(|(start, end)| parts(start, end)).map(|(head, tail)| format!("{head}{tail}"));
    let at_places = places().flat_map(|start| [(start, start), (start, start + 1)]);
    let others = at_places
        .filter_map(|(start, end)| parts(start, end))
        .flat_map(|(head, tail)| OTHERS.map(|other| format!("{head}{other}{tail}")));
    deleted.chain(others).collect()
}
