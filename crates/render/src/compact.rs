//! One line for each diagnostic, for editors and scripts.

use std::borrow::Cow;

use terrane_source::Diagnostic;

use crate::visible::visible_line;

/// Returns `diagnostic` on one line, as editors, reviewdog and `grep` read it: `file:line:col: error: Title: detail hint
/// [core:id]`. The object that it is about and the values involved stand before the id.
///
/// A message without a place starts with its severity. Columns count grapheme clusters.
pub fn compact(diagnostic: &Diagnostic) -> String {
    let severity = diagnostic.severity.name();
    let mut line = match &diagnostic.subject {
        Some(subject) => format!("{}: ", visible_line(&subject.position())),
        None => String::new(),
    };
    line.push_str(&format!("{severity}: {}", diagnostic.title()));
    let facts = facts(diagnostic).map(Cow::Owned);
    for (index, sentence) in diagnostic.sentences().chain(facts).enumerate() {
        line.push_str(if index == 0 { ": " } else { " " });
        line.push_str(&visible_line(&sentence));
    }
    line.push_str(&format!(" [{}]", diagnostic.id.as_str()));
    line
}

/// Returns the object that `diagnostic` is about and the values involved, as one sentence: `In aws_vpc.a[0]: count.index is 0;
/// var.n is 3.` `None` if it has neither.
fn facts(diagnostic: &Diagnostic) -> Option<String> {
    let values = diagnostic.values.join("; ");
    match &diagnostic.address {
        Some(address) if values.is_empty() => Some(format!("In {address}.")),
        Some(address) => Some(format!("In {address}: {values}.")),
        None => (!values.is_empty()).then(|| format!("Values: {values}.")),
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile, Span, ids};

    use super::*;

    #[test]
    fn one_line_with_the_place() {
        let file = SourceFile::new(FileId::new("a/main.tf"), "x = 1\r\nnaïve👨\u{200d}👩 = nope\r\n");
        let start = u32::try_from(file.text().find("nope").unwrap()).unwrap();
        let message = Diagnostic::error(ids::UNKNOWN_VARIABLE, "There is no variable\nnamed \"nope\".")
            .at(&file, Span::new(start, start + 4))
            .hint("Did you mean\n\"rope\"?");
        assert_eq!(
            compact(&message),
            "a/main.tf:2:10: error: Unknown variable: There is no variable named \"nope\". Did you mean \"rope\"? \
             [core:unknown-variable]"
        );
    }

    #[test]
    fn an_object_and_its_values_stand_on_the_line() {
        let message = Diagnostic::error(ids::UNKNOWN_VARIABLE, "It is wrong.")
            .value("count.index is 0")
            .value("var.a is \"x\\ny\"");
        let with_address = Diagnostic { address: Some("a_b.c[0]".to_owned()), ..message.clone() };
        for (message, facts) in [
            (with_address.clone(), "In a_b.c[0]: count.index is 0; var.a is \"x\\ny\"."),
            (Diagnostic { values: Vec::new(), ..with_address }, "In a_b.c[0]."),
            (message, "Values: count.index is 0; var.a is \"x\\ny\"."),
        ] {
            let expected = format!("error: Unknown variable: It is wrong. {facts} [core:unknown-variable]");
            assert_eq!(compact(&message), expected);
        }
    }

    #[test]
    fn without_a_place() {
        let message = Diagnostic::warning(ids::UNREADABLE_FILE, "");
        assert_eq!(compact(&message), "warning: Failed to read file [core:unreadable-file]");
    }

    #[test]
    fn a_hostile_file_name_and_detail_stay_on_the_line() {
        let file = SourceFile::new(FileId::new("a\u{1b}[0m\nb.tf"), "");
        let message = Diagnostic::error(ids::INVALID_CHARACTER, "Found \u{1b}].").at(&file, Span::new(7, 9));
        assert_eq!(
            compact(&message),
            "a␛[0m b.tf:1:1: error: Invalid character: Found ␛]. [core:invalid-character]"
        );
    }
}
