//! The block around a place, as messages name it.

use std::sync::Arc;

use terrane_source::{SourceFile, Subject};
use terrane_syntax::ParsedSource;
use terrane_syntax::json::ContainerStep;

/// The most bytes of a header. Messages repeat it, so a longer one is cut.
const MAX_BYTES: usize = 256;

/// Returns a function from a source range to the header of the outermost block around it, such as `resource "a" "b"`, or in
/// JSON to the path of the innermost object around it, such as `resource.a.b`: [`terminal`](crate::render::terminal) and
/// [`validate_json`](crate::render::validate_json) need it. It keeps only the last parsed file, so calls should be in the
/// order of files. A header with a secret in it is left out.
pub fn block_headers() -> impl FnMut(&Subject) -> Option<String> {
    let mut last: Option<(Vec<Arc<SourceFile>>, ParsedSource)> = None;
    move |subject: &Subject| {
        // `terraform` looks up the byte before the range.
        let offset = subject.span.start.checked_sub(1)?;
        let file = SourceFile::with_blocks(&subject.file);
        let kept = last.take().and_then(|(mut read, parsed)| {
            // A check and an evaluation may each have read the file. The texts are compared once, not for each message.
            let is_known = read.iter().any(|known| known.version() == file.version());
            let is_same = is_known || read.first().is_some_and(|known| known.is_same(file));
            read.extend(Some(Arc::clone(file)).filter(|_| !is_known));
            is_same.then_some((read, parsed))
        });
        let kept = kept.unwrap_or_else(|| (vec![Arc::clone(file)], ParsedSource::of(file)));
        let (_, parsed) = last.insert(kept);
        header(parsed, file, offset).map(cut)
    }
}

/// Returns the header of the block around an offset.
fn header(parsed: &ParsedSource, file: &SourceFile, offset: u32) -> Option<String> {
    match parsed {
        ParsedSource::Native(parsed) => {
            // Beside a syntax error a block may reach to the start of the next one, which a message about that one must not name.
            let block = parsed.tree.outermost_block_at(offset)?;
            if parsed.tree.top_item_starts_at(offset + 1) {
                return None;
            }
            let is_hidden = file.is_hidden(parsed.tree.header_span(block));
            (!is_hidden).then(|| parsed.tree.block_header(block))
        }
        ParsedSource::Json(document) => {
            let tree = &document.tree;
            let mut path = String::new();
            for step in tree.path_at(document.root, offset) {
                match step {
                    ContainerStep::Property(property) if file.is_hidden(property.name_span) => {
                        return None;
                    }
                    ContainerStep::Property(property) => {
                        path.extend((!path.is_empty()).then_some('.'));
                        path.push_str(tree.name(&property));
                    }
                    ContainerStep::Element(index) => path.push_str(&format!("[{index}]")),
                }
            }
            (!path.is_empty()).then_some(path)
        }
    }
}

fn cut(mut header: String) -> String {
    if header.len() > MAX_BYTES {
        let end = (0..=MAX_BYTES).rev().find(|end| header.is_char_boundary(*end));
        header.truncate(end.unwrap_or_default());
        header.push('…');
    }
    header
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrane_source::{FileId, Span};

    use super::*;

    /// Returns the header for the only occurrence of `part`.
    fn header(name: &str, text: &str, part: &str) -> Option<String> {
        let source = SourceFile::new(FileId::new(name), text);
        let start = u32::try_from(text.find(part).unwrap()).unwrap();
        block_headers()(&Subject { file: source, span: Span::empty(start) })
    }

    #[test]
    fn the_block_around_a_place_is_found() {
        let text = "a = 1\nb \"c\" {\n  d {\n    e = 2\n  }\n}\n";
        let native = |part| header("a.tf", text, part);
        assert_eq!((native("a ="), native("1"), native("b \"c")), (None, None, None));
        assert_eq!(native("\"c\"").as_deref(), Some("b \"c\""));
        assert_eq!(native("2").as_deref(), Some("b \"c\""));
    }

    #[test]
    fn a_broken_block_is_not_the_one_around_the_next_block() {
        let text = "variable \"v\" {\n  default = [1,2\n}\nmodule \"m\" {\n  source = 1\n}\n";
        let native = |part| header("a.tf", text, part);
        assert_eq!((native("2").as_deref(), native("module")), (Some("variable \"v\""), None));
        assert_eq!(native("\"m\"").as_deref(), Some("module \"m\""));
    }

    /// The paths are those of `terraform validate -json`.
    #[test]
    fn in_json_it_is_the_path_of_the_innermost_object() {
        let text =
            r#"{"x": 1, "resource": {"a": {"b": {"part": [{"c": 0}, {"d": "e"}], "f": [[2]]}}}, "g": [3]}"#;
        let json = |part| header("a.tf.json", text, part);
        assert_eq!((json("{\"x"), json("1"), json("\"g\"")), (None, None, None));
        assert_eq!(json("\"e\"").as_deref(), Some("resource.a.b.part[1]"));
        assert_eq!(json("2").as_deref(), Some("resource.a.b.f[0]"));
        assert_eq!(json("\"part\"").as_deref(), Some("resource.a.b"));
        assert_eq!(json("3").as_deref(), Some("g"));
    }

    #[test]
    fn long_headers_are_cut_and_secrets_left_out() {
        let text = format!("b \"{}\" {{\n  a = 1\n}}\n", "é".repeat(1000));
        let cut = header("a.tf", &text, "1").unwrap();
        assert!(cut.starts_with("b \"éé") && cut.ends_with("é…") && cut.len() < 300, "{cut}");
        let text = r#"{"v": {"secret": {"k": [1]}}}"#;
        let source = SourceFile::new(FileId::new("a.tfvars.json"), text);
        let at = |start| block_headers()(&Subject { file: Arc::clone(&source), span: Span::empty(start) });
        assert_eq!(at(24).as_deref(), Some("v.secret.k"));
        source.hide(Span::new(7, 15));
        assert_eq!((at(24), at(7).as_deref()), (None, Some("v")));
    }
}
