//! Evaluates expressions at places of configuration files: the query behind values on hover.

use std::path::Path;

use terrane_module::place::{PlaceScope, scopes_at};
use terrane_source::{FileId, Files, Span};

use crate::report::Report;

impl Report {
    /// Returns the scopes of the place at `span` in a file of the configuration. The span may be empty. There is a scope for
    /// each instance of the module that contains the file and, in a block with `count` or `for_each`, for each instance of the
    /// block. Functions of expressions read through `files`.
    ///
    /// ```
    /// use terrane::source::Span;
    /// use terrane::{Diagnostics, MemoryFiles, Project};
    ///
    /// let text = "variable \"zones\" { default = [\"a\", \"b\"] }\n\
    ///             resource \"aws_subnet\" \"main\" {\n  for_each = toset(var.zones)\n  name = \"net-${each.key}\"\n}\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let report = Project::new(".").evaluate(&files);
    /// let offset = text.find("\"net-").and_then(|offset| u32::try_from(offset).ok()).unwrap_or_default();
    ///
    /// let mut found = Vec::new();
    /// for scope in report.scopes_at("main.tf", Span::new(offset, offset), &files) {
    ///     let mut diagnostics = Diagnostics::new();
    ///     // The expression at the place, and one that a user types.
    ///     let name = scope.value(&files, &mut diagnostics).expect("there is an expression");
    ///     let typed = scope.evaluate_text("upper(each.value)", &files, &mut diagnostics);
    ///     assert!(diagnostics.is_empty());
    ///     let address = scope.address().map(|address| address.to_string()).unwrap_or_default();
    ///     found.push(format!("{address} {} {}", name.as_str().unwrap_or("?"), typed.as_str().unwrap_or("?")));
    /// }
    /// assert_eq!(found, ["aws_subnet.main[\"a\"] net-a A", "aws_subnet.main[\"b\"] net-b B"]);
    /// ```
    pub fn scopes_at<'r, P: AsRef<Path>>(
        &'r self,
        file: P,
        span: Span,
        files: &'r dyn Files,
    ) -> impl Iterator<Item = PlaceScope<'r>> + use<'r, P> {
        scopes_at(self.evaluation(), FileId::new(file.as_ref()), span, files)
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::{Diagnostics, MemoryFiles};
    use terrane_value::display::console;

    use super::*;
    use crate::{Project, Workspace};

    const MODULE: &str = r#"
variable "names" { default = ["x", "y"] }
variable "more" { type = set(string) }
locals {
  loud  = [for index, name in var.names : "${upper(name)}${index}"]
  pairs = [for a in ["p"] : [for b in [a, "q"] : "${a}-${b}"]]
}
resource "terraform_data" "each" {
  for_each = { for name in var.names : name => upper(name) }
  input    = each.value
  lifecycle {
    postcondition {
      condition     = self.input != ""
      error_message = "none"
    }
  }
  provisioner "local-exec" {
    command = "echo ${self.input}"
  }
}
resource "aws_rule" "counted" {
  count = 2
  dynamic "port" {
    for_each = [80 + count.index]
    content {
      number = port.value
      dynamic "host" {
        for_each = var.names
        iterator = it
        content {
          name = "${it.key}-${it.value}-${port.key}"
        }
      }
    }
  }
}
resource "aws_rule" "unknown" {
  for_each = var.more
  name     = each.key
}
module "child" {
  for_each = toset(var.names)
  source   = "./child"
  names    = [each.key]
}
"#;

    fn files() -> MemoryFiles {
        let child = "variable \"names\" {}\noutput \"first\" { value = one(var.names) }\n";
        let json = r#"{"resource": {"aws_json": {"a": [{
            "count": 2,
            "name": "n-${count.index}",
            "dynamic": {"tag": {"for_each": ["${var.names}"], "content": {"key": "${tag.key}", "text": "${upper(tag.value[0])}"}}}
        }]}}, "locals": {"j": "${[for n in var.names : n]}"}}"#;
        MemoryFiles::from_iter([("main.tf", MODULE), ("child/main.tf", child), ("more.tf.json", json)])
    }

    /// Returns for each scope at the first place of `needle` in a file: its object, the value of the expression there, and the
    /// value of `text`.
    fn ask(file: &str, needle: &str, text: &str) -> Vec<String> {
        let files = files();
        let report = Project::new(".").evaluate(&files);
        let errors = report.diagnostics().as_slice().iter().filter(|found| found.is_error());
        assert_eq!(errors.count(), 0, "{:?}", report.diagnostics());
        let content = files.read(Path::new(file)).unwrap();
        let start = String::from_utf8(content).unwrap().find(needle).unwrap();
        let span = Span::new(start as u32, (start + needle.len()) as u32);
        let rows = report.scopes_at(file, span, &files).map(|scope| {
            let object = scope.address().map_or_else(|| scope.module_path().to_string(), |it| it.to_string());
            let mut found = Diagnostics::new();
            let value = scope.value(&files, &mut found).map(|value| console(&value));
            let typed = scope.evaluate_text(text, &files, &mut found);
            let titles = found.as_slice().iter().map(|found| format!("! {}", found.id));
            let parts = [object, value.unwrap_or_default(), console(&typed)].into_iter().chain(titles);
            parts.collect::<Vec<_>>().join(" | ")
        });
        rows.collect()
    }

    #[test]
    fn a_block_with_instances_has_a_scope_for_each() {
        let wanted =
            [r#"terraform_data.each["x"] | "X" | "x=X""#, r#"terraform_data.each["y"] | "Y" | "y=Y""#];
        assert_eq!(ask("main.tf", "each.value", "\"${each.key}=${each.value}\""), wanted);
        let wanted = ["aws_rule.counted[0] | 80 | 1", "aws_rule.counted[1] | 81 | 2"];
        assert_eq!(ask("main.tf", "80 + count.index", "count.index + 1"), wanted);
    }

    #[test]
    fn the_instances_of_a_module_have_scopes_of_their_own() {
        let wanted =
            [r#"module.child["x"].output.first | "x" | 1"#, r#"module.child["y"].output.first | "y" | 1"#];
        assert_eq!(ask("child/main.tf", "one(var.names)", "length(var.names)"), wanted);
        let rows = ask("main.tf", "[each.key]", "\"${path.module} ${each.key}\"");
        let wanted = [
            "module.child[\"x\"] | [\n  \"x\",\n] | \". x\"",
            "module.child[\"y\"] | [\n  \"y\",\n] | \". y\"",
        ];
        assert_eq!(rows, wanted);
    }

    #[test]
    fn self_is_the_instance_of_the_resource() {
        for place in ["self.input != ", "self.input}"] {
            let rows = ask("main.tf", place, "self.input");
            assert_eq!(rows.len(), 2, "{place}");
            assert!(rows[1].ends_with("| \"Y\""), "{rows:?}");
        }
        let outside = ask("main.tf", "each.value", "self.input");
        assert!(outside[0].ends_with("! core:invalid-self"), "{outside:?}");
    }

    #[test]
    fn names_of_loops_stand_for_any_element() {
        let row = ask("main.tf", "upper(name)", "[name, index]").remove(0);
        assert_eq!(
            row,
            "local.loud | (known after apply) | [\n  (known after apply),\n  (known after apply),\n]"
        );
        // The value is unknown, but the outer collection has only one element.
        assert_eq!(ask("main.tf", "${b}", "a"), ["local.pairs | (known after apply) | \"p\""]);
    }

    #[test]
    fn an_element_of_a_loop_can_be_chosen() {
        let files = files();
        let mut workspace = Workspace::new(files);
        let root = workspace.add(Project::new("."));
        let report = workspace.evaluate(root, None).unwrap();
        let files = workspace.files();
        let at = |needle: &str| {
            let start = MODULE.find(needle).unwrap() as u32;
            report.scopes_at("main.tf", Span::new(start, start), files)
        };
        let value = |scope: &PlaceScope<'_>| console(&scope.value(files, &mut Diagnostics::new()).unwrap());
        let scope = at("upper(name)}").next().unwrap();
        assert_eq!(value(&scope.clone().at_element(0, 1)), "\"Y\"");
        assert_eq!(scope.loops(files)[0].count, Some(2));
        assert_eq!(value(&scope.at_element(0, 2)), "(known after apply)");
        let second = at("\"${it.key}").nth(1).unwrap().at_element(1, 1);
        assert_eq!(value(&second), "\"1-y-0\"");
        let names: Vec<String> =
            second.names(files).iter().map(|(name, value)| format!("{name} {}", console(value))).collect();
        assert_eq!(names[0], "count.index 1");
        assert!(names[1].starts_with("port {") && names[1].contains("81"), "{names:?}");
        assert!(names[2].starts_with("it {") && names[2].contains("\"y\""), "{names:?}");
    }

    #[test]
    fn unknown_instances_have_one_scope() {
        let rows = ask("main.tf", "name     = each.key", "each.value");
        assert_eq!(rows, ["aws_rule.unknown |  | (known after apply)"]);
    }

    #[test]
    fn places_in_json_have_the_same_names() {
        let wanted = ["aws_json.a[0] | \"n-0\" | 1", "aws_json.a[1] | \"n-1\" | 2"];
        assert_eq!(ask("more.tf.json", "n-${count.index}", "count.index + 1"), wanted);
        assert_eq!(ask("more.tf.json", "upper(tag.value[0])", "tag.key")[0], "aws_json.a[0] | \"X\" | 0");
        assert_eq!(
            ask("more.tf.json", "n in var.names : n", "1"),
            ["local.j | [\n  \"x\",\n  \"y\",\n] | 1"]
        );
    }

    #[test]
    fn wrong_names_are_reported() {
        let rows = ask("main.tf", "80 + count.index", "each.key");
        assert_eq!(rows[0], "aws_rule.counted[0] | 80 | (known after apply) | ! core:each-outside");
        let rows = ask("main.tf", "80 + count.index", "1 +");
        assert!(rows[0].contains("! core:"), "{rows:?}");
        assert_eq!(
            ask("main.tf", "80 + count.index", "local.nope")[0].split("! ").nth(1),
            Some("core:undeclared-local")
        );
        let files = files();
        let report = Project::new(".").evaluate(&files);
        assert_eq!(report.scopes_at("none.tf", Span::new(0, 0), &files).count(), 0);
    }
}
