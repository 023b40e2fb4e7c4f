//! Finds the source of lines in a plan document, for the reports of programs that read the document.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use terrane_render::{visible_json, visible_text};
use terrane_source::{FileId, SourceFile, Span};
use terrane_syntax::json::{Document, Value as Written, ValueId, parse_json};

use crate::address::Step;

/// A plan document with the places of its objects: the filter behind `terrane plan --lines-of`.
pub struct PlanLines {
    source: Arc<SourceFile>,
    document: Document,
    /// The member `terrane`.
    extension: Value,
}

/// Lines of a file of the configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SourceLines {
    /// The file, as the plan document names it.
    pub filename: String,
    /// The first line, counted from 1.
    pub first: usize,
    /// The last line.
    pub last: usize,
}

impl fmt::Display for SourceLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SourceLines { filename, first, last } = self;
        write!(f, "{filename}:{first}")?;
        if last > first { write!(f, "-{last}") } else { Ok(()) }
    }
}

/// A step from a value of the document to the value inside it that has a line.
struct DocumentStep {
    /// The name of the property, or the position of the element.
    key: JsonKey,
    /// The line in which the property or element begins.
    first_line: usize,
    /// The property `address` of the value.
    address: Option<String>,
}

enum JsonKey {
    Name(String),
    Position(usize),
}

impl PlanLines {
    /// Reads a plan document that `terrane plan --json` wrote. `None` for any other text.
    pub fn of(text: &str) -> Option<PlanLines> {
        let extension = serde_json::from_str::<Map<String, Value>>(text).ok()?.remove("terrane")?;
        let source = SourceFile::new(FileId::new("<plan>"), text);
        let document = parse_json(&source);
        Some(PlanLines { source, document, extension })
    }

    /// Returns the source of lines of the document: of the attribute, nested block, resource, output or variable that they are
    /// about.
    pub fn source(&self, first: usize, last: usize) -> Option<SourceLines> {
        let mut steps = self.steps(last);
        // Some programs name the line before the first one too.
        let beginning = if last > first { first + 1 } else { first };
        let Some(addressed) = addressed(&steps) else { return self.source_of_object(&steps) };
        let inner = steps.split_off(addressed + 1);
        let address = steps.last()?.address.as_deref()?;
        let module: String = module_calls(&steps).map(|name| format!("module.{name}.")).collect();
        let address =
            if matches_name(steps.first(), "configuration") { module + address } else { address.to_owned() };
        let path = attribute_path(inner.into_iter().take_while(|step| step.first_line <= beginning));
        let instance = self.extension.get("instances").and_then(|all| all.get(&address));
        let object = instance.or_else(|| self.extension.get("declarations")?.get(&address));
        let Some(object) = object else { return self.source_of_object(&steps) };
        source_inside(object, &path).or_else(|| lines(object.get("source")?))
    }

    /// Returns the source of the output or variable at the end of a path.
    fn source_of_object(&self, steps: &[DocumentStep]) -> Option<SourceLines> {
        let names: Vec<&str> = steps.iter().filter_map(DocumentStep::name).collect();
        let position =
            names.iter().position(|name| matches!(*name, "outputs" | "output_changes" | "variables"))?;
        let kind = if *names.get(position)? == "variables" { "var" } else { "output" };
        let module: String = module_calls(steps).map(|name| format!("module.{name}.")).collect();
        let address = format!("{module}{kind}.{}", names.get(position + 1)?);
        lines(self.extension.get("declarations")?.get(&address)?.get("source")?)
    }

    /// Returns the steps to the innermost value around the beginning of a line.
    fn steps(&self, line: usize) -> Vec<DocumentStep> {
        let mut steps = Vec::new();
        let Some(text) = line.checked_sub(1).and_then(|before| self.source.text().split('\n').nth(before))
        else {
            return steps;
        };
        let start = text.as_ptr() as usize - self.source.text().as_ptr() as usize;
        let offset = start + (text.len() - text.trim_start().len());
        let has = |span: Span| span.range().contains(&offset);
        let tree = &self.document.tree;
        let mut at = self.document.root;
        loop {
            let (key, span, inner) = match tree.value(at) {
                Written::Object(properties) => {
                    let mut properties = tree.properties(properties).iter();
                    let Some(found) = properties.find(|property| has(tree.property_span(property))) else {
                        break;
                    };
                    (JsonKey::Name(tree.name(found).to_owned()), tree.property_span(found), found.value)
                }
                Written::Array(elements) => {
                    let mut elements = tree.elements(elements).iter().enumerate();
                    let Some((position, found)) = elements.find(|(_, id)| has(tree.span(**id))) else {
                        break;
                    };
                    (JsonKey::Position(position), tree.span(*found), *found)
                }
                Written::Missing
                | Written::Null
                | Written::Bool(_)
                | Written::Number
                | Written::String(_) => break,
            };
            let first_line = self.source.line_column(span.start).line as usize;
            steps.push(DocumentStep { key, first_line, address: self.address(inner) });
            at = inner;
        }
        steps
    }

    /// Returns the property `address` of an object.
    fn address(&self, id: ValueId) -> Option<String> {
        let tree = &self.document.tree;
        let Written::Object(properties) = tree.value(id) else { return None };
        let address = tree.properties(properties).iter().find(|property| tree.name(property) == "address")?;
        match tree.value(address.value) {
            Written::String(text) => Some(tree.text(text).to_owned()),
            Written::Missing
            | Written::Null
            | Written::Bool(_)
            | Written::Number
            | Written::Array(_)
            | Written::Object(_) => None,
        }
    }

    /// Returns the report of a program about the document, which it names `name`, with places of the configuration: texts such as
    /// `plan.json:12-40`; in JSON, lines as `checkov` and SARIF have them. Colours are left out, and other text that a terminal or CI
    /// service obeys is escaped, because reports quote the configuration.
    pub fn with_places(&self, report: &str, name: &str) -> String {
        match serde_json::from_str::<Value>(report) {
            Ok(mut document) => {
                self.place(&mut document, name);
                let text = serde_json::to_string_pretty(&document);
                let text = text.map_or_else(|_| report.to_owned(), |text| text + "\n");
                visible_json(&text).into_owned()
            }
            Err(_) => visible_text(&self.text_with_places(&without_colors(report), name)).into_owned(),
        }
    }

    fn text_with_places(&self, report: &str, name: &str) -> String {
        let (mut out, mut rest) = (String::with_capacity(report.len()), report);
        while let Some((before, behind)) = rest.split_once(name) {
            let outside = before.trim_end_matches(|character| !is_outside_path(character));
            let directory = before.get(outside.len()..).unwrap_or_default();
            let is_whole = directory.is_empty() || directory.ends_with(['/', '\\']);
            let place = line_numbers(behind)
                .filter(|_| is_whole)
                .and_then(|lines| Some((self.source(lines.first, lines.last)?, lines.length)));
            match place {
                Some((place, length)) => {
                    // The directory of the document does not hold for the file of the configuration.
                    out += outside;
                    out += &place.to_string();
                    rest = behind.get(length..).unwrap_or_default();
                }
                None => {
                    out.extend([before, name]);
                    rest = behind;
                }
            }
        }
        out + rest
    }

    /// Replaces the places of a report in JSON.
    fn place(&self, report: &mut Value, name: &str) {
        match report {
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.place(element, name)),
            Value::Object(members) => {
                self.place_of_checkov(members, name);
                self.place_of_sarif(members, name);
                members.values_mut().for_each(|member| self.place(member, name));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn place_of_checkov(&self, finding: &mut Map<String, Value>, name: &str) -> Option<()> {
        is_file(finding.get("file_path")?, name).then_some(())?;
        let place = match finding.get("file_line_range")?.as_array()?.as_slice() {
            [first, last] => self.source(line_number(first)?, line_number(last)?)?,
            _ => return None,
        };
        let SourceLines { filename, first, last } = place;
        for member in ["file_path", "repo_file_path"] {
            if let Some(path) = finding.get_mut(member) {
                *path = json!(format!("/{}", filename.trim_start_matches('/')));
            }
        }
        finding.remove("file_abs_path");
        finding.insert("file_line_range".to_owned(), json!([first, last]));
        Some(())
    }

    fn place_of_sarif(&self, location: &mut Map<String, Value>, name: &str) -> Option<()> {
        is_file(location.get("artifactLocation")?.get("uri")?, name).then_some(())?;
        let region = location.get("region")?;
        let first = line_number(region.get("startLine")?)?;
        let last = region.get("endLine").and_then(line_number).unwrap_or(first);
        let SourceLines { filename, first, last } = self.source(first, last)?;
        location.insert("artifactLocation".to_owned(), json!({ "uri": filename }));
        location.insert("region".to_owned(), json!({ "startLine": first, "endLine": last }));
        Some(())
    }
}

impl DocumentStep {
    fn name(&self) -> Option<&str> {
        match &self.key {
            JsonKey::Name(name) => Some(name),
            JsonKey::Position(_) => None,
        }
    }
}

fn matches_name(step: Option<&DocumentStep>, name: &str) -> bool {
    step.and_then(DocumentStep::name) == Some(name)
}

/// Returns the position of the resource on a path, or else of the innermost module. Other values can have a property `address` too:
/// it is an attribute of many resource types.
fn addressed(steps: &[DocumentStep]) -> Option<usize> {
    let elements_of = |lists: &'static [&'static str]| {
        let pairs = steps.iter().zip(steps.iter().skip(1)).zip(1..);
        pairs.filter_map(move |((list, element), position)| {
            let is_listed = list.name().is_some_and(|name| lists.contains(&name));
            (is_listed && element.address.is_some()).then_some(position)
        })
    };
    elements_of(&["resources", "resource_changes"]).next().or_else(|| elements_of(&["child_modules"]).last())
}

/// Returns the path of the attribute at the end of a path inside a resource: the empty text for a property of the document, such as
/// the name of the resource.
fn attribute_path(mut inner: impl Iterator<Item = DocumentStep>) -> String {
    let first = inner.next();
    let has_attributes = match first.as_ref().and_then(DocumentStep::name) {
        Some("values" | "sensitive_values" | "expressions") => true,
        Some("change") => inner.next().is_some_and(|step| {
            step.name().is_some_and(|name| name.starts_with("before") || name.starts_with("after"))
        }),
        _ => false,
    };
    let attributes = inner.filter(|_| has_attributes).map(|step| match step.key {
        JsonKey::Name(name) => Step(&name).to_string(),
        JsonKey::Position(position) => format!("[{position}]"),
    });
    attributes.collect()
}

/// Returns the names of the module calls on a path in `configuration`.
fn module_calls(steps: &[DocumentStep]) -> impl Iterator<Item = &str> {
    let calls = steps.iter().zip(steps.iter().skip(1));
    calls.filter(|(step, _)| step.name() == Some("module_calls")).filter_map(|(_, call)| call.name())
}

/// Returns the source of the attribute or nested block of an object at a path. `None` for the object itself.
fn source_inside(object: &Value, path: &str) -> Option<SourceLines> {
    let (mut content, mut rest, mut found) = (object, path, None);
    loop {
        let block = content.get("blocks").and_then(Value::as_array).and_then(|blocks| {
            let inside = |block: &Value| {
                let inner = path.strip_prefix(block.get("path")?.as_str()?)?;
                (inner.is_empty() || inner.starts_with(['.', '['])).then_some(inner.len())
            };
            blocks.iter().find_map(|block| Some((block, inside(block)?)))
        });
        match block {
            Some((block, length)) => {
                (content, rest) = (block, path.get(path.len() - length..)?);
                found = block.get("source").and_then(lines);
            }
            None => break,
        }
    }
    let attributes = content.get("attributes").and_then(Value::as_object).into_iter().flatten();
    let is_around = |name: &str| {
        rest.strip_prefix(&*Step(name).to_string())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let mut attributes = attributes.filter(|(name, _)| is_around(name));
    let dynamic = content.get("dynamic").and_then(Value::as_array).into_iter().flatten();
    let mut dynamic =
        dynamic.filter(|block| block.get("block").and_then(Value::as_str).is_some_and(is_around));
    let written = attributes.next().map(|(_, attribute)| attribute).or_else(|| dynamic.next());
    written.and_then(|written| lines(written.get("source")?)).or(found)
}

/// Reads a range of the document.
fn lines(range: &Value) -> Option<SourceLines> {
    let line = |end: &str| line_number(range.get(end)?.get("line")?);
    let filename = range.get("filename")?.as_str()?.to_owned();
    Some(SourceLines { filename, first: line("start")?, last: line("end")? })
}

fn line_number(number: &Value) -> Option<usize> {
    usize::try_from(number.as_u64()?).ok()
}

/// Returns a text without the sequences that set colours at a terminal.
fn without_colors(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let behind =
            piece.trim_start_matches(|character: char| character.is_ascii_digit() || character == ';');
        match behind.strip_prefix('m') {
            Some(behind) => out += behind,
            None => out.extend(["\u{1b}[", piece]),
        }
    }
    out
}

/// Whether a path or address names the file of the document.
fn is_file(path: &Value, name: &str) -> bool {
    path.as_str().and_then(|path| path.rsplit('/').next()) == Some(name)
}

/// Whether a character ends a path in a text.
fn is_outside_path(character: char) -> bool {
    character.is_whitespace() || "\"'`([<=,".contains(character)
}

/// Lines that a text names.
struct LineNumbers {
    first: usize,
    last: usize,
    /// The length of the text.
    length: usize,
}

/// Reads `:12`, `:12-40` or `:12:5` at the beginning of a text.
fn line_numbers(text: &str) -> Option<LineNumbers> {
    let number = |text: &str| {
        let length = text.bytes().take_while(u8::is_ascii_digit).count();
        Some((text.get(..length)?.parse::<usize>().ok()?, length))
    };
    let behind = text.strip_prefix(':')?;
    let (first, length) = number(behind)?;
    let rest = behind.get(length..)?;
    let second = rest.strip_prefix(['-', ':']).and_then(number);
    let end = 1 + length;
    Some(match second {
        Some((last, length)) if rest.starts_with('-') => {
            LineNumbers { first, last, length: end + 1 + length }
        }
        Some((_, length)) => LineNumbers { first, last: first, length: end + 1 + length },
        None => LineNumbers { first, last: first, length: end },
    })
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;
    use crate::{Project, Secrets};

    const TEXT: &str = r#"
variable "port" {
  default = 1
}
resource "x_y" "a" {
  count = 1
  size  = 1
  tags  = {
    a = "b"
  }
  rule {
    port = var.port
  }
  address = "10.0.0.1"
  resources = [{
    address = "x_y.a[0]"
  }]
}
module "m" {
  source = "./m"
}
output "o" {
  value = var.port
}
"#;

    fn document() -> String {
        let child = "resource \"x_y\" \"in\" {\n  n = 1\n}\n";
        let files = MemoryFiles::from_iter([("main.tf", TEXT), ("m/main.tf", child)]);
        let report = Project::new(".").evaluate(&files);
        let mut text = Vec::new();
        report.plan(Secrets::Hidden, &files).unwrap().write_json(true, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    /// Returns the number of the line with a text behind another text.
    fn line(document: &str, behind: &str, text: &str) -> usize {
        let from = document.find(behind).unwrap();
        let at = from + document[from..].find(text).unwrap();
        document[..at].matches('\n').count() + 1
    }

    #[test]
    fn lines_of_a_document_lead_to_the_innermost_source() {
        let document = document();
        let lines = PlanLines::of(&document).unwrap();
        let source = |behind: &str, text: &str| {
            let line = line(&document, behind, text);
            lines.source(line, line).map(|source| source.to_string())
        };
        for part in ["planned_values", "resource_changes"] {
            for (text, expected) in [
                ("\"address\": \"x_y.a[0]\"", "main.tf:5"),
                ("\"size\"", "main.tf:7"),
                ("\"a\": \"b\"", "main.tf:8-10"),
                ("\"port\"", "main.tf:12"),
                ("\"rule\"", "main.tf:5"),
                ("\"address\": \"10.0.0.1\"", "main.tf:14"),
                ("\"n\": 1", "m/main.tf:2"),
            ] {
                assert_eq!(source(part, text).as_deref(), Some(expected), "{part}: {text}");
            }
        }
        let nested = source("\"address\": \"10.0.0.1\"", "\"address\": \"x_y.a[0]\"");
        assert_eq!(nested.as_deref(), Some("main.tf:15-17"));
        assert_eq!(source("output_changes", "\"o\"").as_deref(), Some("main.tf:22"));
        assert_eq!(source("\"variables\"", "\"port\"").as_deref(), Some("main.tf:2"));
        let configuration = source("\"module_calls\"", "\"address\": \"x_y.in\"");
        assert_eq!(configuration.as_deref(), Some("m/main.tf:1"));
        assert_eq!(lines.source(1, 1), None);
        assert!(PlanLines::of("{}").is_none() && PlanLines::of("x").is_none());
    }

    #[test]
    fn reports_get_the_places_of_the_source() {
        let document = document();
        let lines = PlanLines::of(&document).unwrap();
        let address = line(&document, "planned_values", "\"address\": \"x_y.a[0]\"");
        let text =
            format!("File: /out/plan.json:{}-{}\nsee plan.json:1 and plan.jsonl\n", address - 1, address + 1);
        let placed = "File: main.tf:5\nsee plan.json:1 and plan.jsonl\n";
        assert_eq!(lines.with_places(&text, "plan.json"), placed);
        for text in ["myplan.json", "/out/my-plan.json", "plan.json/x"] {
            let text = format!("File: {text}:{address}\n");
            assert_eq!(lines.with_places(&text, "plan.json"), text);
        }
        for text in ["(plan.json", "[C:\\a\\plan.json"] {
            let expected = text.get(..1).unwrap().to_owned() + "main.tf:5";
            assert_eq!(lines.with_places(&format!("{text}:{address}"), "plan.json"), expected);
        }
        let hostile = "\u{1b}[1;31mred\u{1b}[0m\n::stop-commands::x\n\u{1b}[2J##[group]y\n";
        assert_eq!(
            lines.with_places(hostile, "plan.json"),
            visible_text("red\n::stop-commands::x\n\u{1b}[2J##[group]y\n")
        );
        let quoted = json!({ "name": "##[group]\u{9b}" }).to_string();
        assert_eq!(lines.with_places(&quoted, "plan.json"), "{\n  \"name\": \"##\\u005bgroup]\\u009b\"\n}\n");
        let finding = json!({ "file_path": "/plan.json", "file_line_range": [address, address], "file_abs_path": "/x" });
        let physical =
            json!({ "artifactLocation": { "uri": "a/plan.json" }, "region": { "startLine": address } });
        let other = json!({ "file_path": "/other.json", "file_line_range": [1, 2] });
        let all = json!([finding, { "physicalLocation": physical }, other]).to_string();
        let found: Value = serde_json::from_str(&lines.with_places(&all, "plan.json")).unwrap();
        let physical =
            json!({ "artifactLocation": { "uri": "main.tf" }, "region": { "startLine": 5, "endLine": 5 } });
        let finding = json!({ "file_path": "/main.tf", "file_line_range": [5, 5] });
        assert_eq!(found, json!([finding, { "physicalLocation": physical }, other]));
    }
}
