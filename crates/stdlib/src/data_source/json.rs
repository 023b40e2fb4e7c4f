//! Writes JSON text as the providers write it: members keep their order, and `<`, `>` and `&` are escaped.

use terrane_value::json::write_string;

/// A JSON value whose members keep their order.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Json {
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// The layout of a JSON text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// On several lines, indented by two spaces.
    Indented,
    /// On one line, without spaces.
    Minified,
}

impl Json {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            Json::Array(_) | Json::Object(_) => None,
        }
    }

    /// Returns the text of the value.
    pub(super) fn text(&self, layout: Layout) -> String {
        let mut out = String::new();
        self.write(
            &mut out,
            match layout {
                Layout::Indented => Some(0),
                Layout::Minified => None,
            },
        );
        out
    }

    /// Writes the value on one line, or on several at a level of indentation.
    fn write(&self, out: &mut String, level: Option<usize>) {
        let line = |out: &mut String, level: Option<usize>| {
            if let Some(level) = level {
                out.push('\n');
                out.push_str(&"  ".repeat(level));
            }
        };
        let inner = level.map(|level| level + 1);
        match self {
            Json::Text(text) => write_string(out, text),
            Json::Array(all) => {
                out.push('[');
                for (index, one) in all.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    line(out, inner);
                    one.write(out, inner);
                }
                line(out, level.filter(|_| !all.is_empty()));
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    line(out, inner);
                    write_string(out, name);
                    out.push_str(if level.is_some() { ": " } else { ":" });
                    value.write(out, inner);
                }
                line(out, level.filter(|_| !members.is_empty()));
                out.push('}');
            }
        }
    }
}

/// Returns the decimal CRC-32 of a text, which several providers use as `id`.
pub(super) fn checksum(text: &str) -> String {
    let mut sum = flate2::Crc::new();
    sum.update(text.as_bytes());
    sum.sum().to_string()
}
