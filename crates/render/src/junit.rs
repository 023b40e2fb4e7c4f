//! JUnit reports.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use terrane_source::{Diagnostic, FileId, Subject, sorted_map};

use crate::visible::{visible, visible_line, without_commands_in_xml};
use crate::{TerminalOptions, terminal};

/// The name of the test for messages without a place. No file has this name, because paths are not empty.
const NO_FILE: &str = "";

/// Returns a report in the form of JUnit, as Jenkins, GitLab and others read it. Each of `files` is a test, which fails if
/// `diagnostics` have an error in that file.
///
/// `suite` names the command, such as `terrane check`: servers keep the histories of two suites apart. The name of a test does
/// not depend on the messages, so that a server can follow it over time. The failure of a test contains its errors with the
/// lines of source; the output of the test contains warnings. Errors without a place are the failure of an additional test.
///
/// `from_root` returns the path of a file from the root of the repository, which is the name of its test.
///
/// `context` returns the header of the block around a place, as for [`terminal()`].
pub fn junit<'a>(
    suite: &str,
    files: impl IntoIterator<Item = &'a FileId>,
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    from_root: &dyn Fn(&Path) -> PathBuf,
    mut context: impl FnMut(&Subject) -> Option<String>,
) -> String {
    let name = |file: &FileId| visible_line(&from_root(file.path()).display().to_string().replace('\\', "/"));
    let mut tests: BTreeMap<String, Test<'a>> =
        sorted_map(files.into_iter().map(|file| (name(file), Test::default())));
    for diagnostic in diagnostics {
        let name = match &diagnostic.subject {
            Some(subject) => name(subject.file.id()),
            None => NO_FILE.to_owned(),
        };
        let test = tests.entry(name).or_default();
        let text = terminal(diagnostic, TerminalOptions::default(), &mut context);
        let message = TestMessage { diagnostic, text };
        if diagnostic.is_error() { &mut test.errors } else { &mut test.warnings }.push(message);
    }
    let mut xml = Vec::new();
    // Writing to a vector cannot fail.
    let _ = document(&mut Writer::new_with_indent(&mut xml, b' ', 2), suite, &tests);
    xml.push(b'\n');
    without_commands_in_xml(String::from_utf8(xml).unwrap_or_default())
}

/// The messages about one file.
#[derive(Default)]
struct Test<'a> {
    errors: Vec<TestMessage<'a>>,
    warnings: Vec<TestMessage<'a>>,
}

/// A message, and its text as for a terminal.
struct TestMessage<'a> {
    diagnostic: &'a Diagnostic,
    text: String,
}

type XmlWriter<'w> = Writer<&'w mut Vec<u8>>;

fn document(writer: &mut XmlWriter<'_>, suite: &str, tests: &BTreeMap<String, Test<'_>>) -> io::Result<()> {
    let count = tests.len().to_string();
    let failures = tests.values().filter(|test| !test.errors.is_empty()).count().to_string();
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer
        .create_element("testsuites")
        .with_attributes([("name", suite), ("tests", &count), ("failures", &failures)])
        .write_inner_content(|writer| {
            let element = writer.create_element("testsuite").with_attributes([
                ("name", suite),
                ("tests", &count),
                ("failures", &failures),
                ("errors", "0"),
                ("skipped", "0"),
            ]);
            if tests.is_empty() {
                element.write_empty()?;
                return Ok(());
            }
            element.write_inner_content(|writer| {
                tests.iter().try_for_each(|(name, test)| case(writer, suite, name, test))
            })?;
            Ok(())
        })?;
    Ok(())
}

fn case(writer: &mut XmlWriter<'_>, suite: &str, name: &str, test: &Test<'_>) -> io::Result<()> {
    let mut element = writer.create_element("testcase").with_attribute(("classname", suite));
    element = if name == NO_FILE {
        element.with_attribute(("name", "all files can be read"))
    } else {
        element.with_attributes([("name", name), ("file", name)])
    };
    if test.errors.is_empty() && test.warnings.is_empty() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|writer| {
        if let [first, more @ ..] = test.errors.as_slice() {
            let mut message = visible_line(first.diagnostic.title());
            if !more.is_empty() {
                message.push_str(&format!(" (and {} more)", more.len()));
            }
            writer
                .create_element("failure")
                .with_attributes([("message", message.as_str()), ("type", first.diagnostic.id.as_str())])
                .write_text_content(BytesText::new(&text(&test.errors)))?;
        }
        if !test.warnings.is_empty() {
            writer.create_element("system-out").write_text_content(BytesText::new(&text(&test.warnings)))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Returns the texts of messages, without the characters that XML does not allow.
fn text(messages: &[TestMessage<'_>]) -> String {
    let all: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    visible(&all.join("\n\n")).into_owned()
}

#[cfg(test)]
mod tests {
    use terrane_source::{SourceFile, Span, ids};

    use super::*;

    fn as_given(path: &Path) -> PathBuf {
        path.to_owned()
    }

    #[test]
    fn tests_are_named_from_the_root() {
        let file = SourceFile::new(FileId::new("/repository/net/main.tf"), "x = nope\n");
        let error = Diagnostic::error(ids::MISSING_EXPRESSION, "The first.").at(&file, Span::new(4, 8));
        let from_root = |path: &Path| path.strip_prefix("/repository").unwrap_or(path).to_owned();
        let report = junit("terrane check", [file.id()], [&error], &from_root, |_| None);
        assert!(report.contains(r#"name="net/main.tf" file="net/main.tf">"#), "{report}");
    }

    #[test]
    fn every_file_is_a_test() {
        let wrong = SourceFile::new(FileId::new("b<&>\".tf"), "x = 1 < nope\n");
        let files = [FileId::new("a.tf"), wrong.id().clone()];
        let error =
            |detail: &str| Diagnostic::error(ids::MISSING_EXPRESSION, detail).at(&wrong, Span::new(8, 9));
        let diagnostics = [
            error("The <first>."),
            error("The second ]]>\u{1b}\u{0}\u{ffff}."),
            Diagnostic::warning(ids::UNDECLARED_VALUE, "A remark.").at(&wrong, Span::new(0, 1)),
            Diagnostic::error(ids::UNREADABLE_FILE, "No file."),
        ];
        assert_eq!(
            junit("terrane check", &files, &diagnostics, &as_given, |subject| {
                (subject.span.start > 0).then(|| "part \"<a>\"".to_owned())
            }),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="terrane check" tests="3" failures="2">
  <testsuite name="terrane check" tests="3" failures="2" errors="0" skipped="0">
    <testcase classname="terrane check" name="all files can be read">
      <failure message="Failed to read file" type="core:unreadable-file">error[core:unreadable-file]: Failed to read file
 |
 = No file.</failure>
    </testcase>
    <testcase classname="terrane check" name="a.tf" file="a.tf"/>
    <testcase classname="terrane check" name="b&lt;&amp;&gt;&quot;.tf" file="b&lt;&amp;&gt;&quot;.tf">
      <failure message="Missing expression (and 1 more)" type="core:missing-expression">error[core:missing-expression]: Missing expression
 --&gt; b&lt;&amp;&gt;&quot;.tf:1:9, in part &quot;&lt;a&gt;&quot;
  |
1 | x = 1 &lt; nope
  |         ^
  |
  = The &lt;first&gt;.

error[core:missing-expression]: Missing expression
 --&gt; b&lt;&amp;&gt;&quot;.tf:1:9, in part &quot;&lt;a&gt;&quot;
  |
1 | x = 1 &lt; nope
  |         ^
  |
  = The second ]]&gt;␛␀&lt;U+FFFF&gt;.</failure>
      <system-out>warning[core:undeclared-value]: Value for undeclared variable
 --&gt; b&lt;&amp;&gt;&quot;.tf:1:1
  |
1 | x = 1 &lt; nope
  | ^
  |
  = A remark.</system-out>
    </testcase>
  </testsuite>
</testsuites>
"#
        );
    }

    #[test]
    fn nothing_is_a_document_too() {
        let document = junit("terrane eval", [], [], &as_given, |_| None);
        assert!(
            document.contains("<testsuites name=\"terrane eval\" tests=\"0\" failures=\"0\""),
            "{document}"
        );
    }

    #[test]
    fn commands_to_a_service_are_references() {
        let file = SourceFile::new(FileId::new("##[group]a.tf"), "x = 1\n");
        let detail = "##[error]a ##vso[task.x] ##teamcity[b] # #[c]\n::stop-commands::x";
        let error = Diagnostic::error(ids::MISSING_EXPRESSION, detail).at(&file, Span::new(0, 1));
        let report = junit("terrane check", [file.id()], [&error], &as_given, |_| None);
        for command in ["##[", "##vso[", "##teamcity["] {
            assert!(!report.contains(command), "{report}");
            assert!(report.contains(&command.replace('[', "&#91;")), "{report}");
        }
        assert!(!report.lines().any(|line| line.trim_start().starts_with("::")), "{report}");
        assert!(report.contains("&#58;:stop-commands::x"), "{report}");
    }
}
