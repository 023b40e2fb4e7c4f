//! From events of the YAML parser to values.

use std::collections::HashMap;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput, Tag};
use terrane_value::{MAX_DEPTH, Type, Value, ValueKind, convert};

use super::scalar::{self, MERGE_TAG};

/// The value of the one document in `text`, which has at most `limit` parts when aliases are written out.
pub(super) fn decode(text: &str, limit: usize) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_text(text)?;
    let mut reader = Reader { parser: Parser::new_from_str(text), limit, anchors: HashMap::new(), depth: 0 };
    reader.next()?;
    match reader.next()? {
        Event::DocumentStart(_) => {}
        Event::Nothing
        | Event::StreamStart
        | Event::StreamEnd
        | Event::DocumentEnd
        | Event::Alias(_)
        | Event::Scalar(..)
        | Event::SequenceStart(..)
        | Event::SequenceEnd
        | Event::MappingStart(..)
        | Event::MappingEnd => return Err("there is no document".to_owned()),
    }
    let value = reader.node()?.value;
    reader.next()?;
    if reader.next()? != Event::StreamEnd {
        return Err("there must be only one document".to_owned());
    }
    Ok(value)
}

/// Refuses what the reference refuses and the parser does not.
fn check_text(text: &str) -> Result<(), String> {
    let is_allowed = |character: char| match character {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        _ => !character.is_control(),
    };
    if let Some(control) = text.chars().find(|character| !is_allowed(*character)) {
        return Err(format!("the control character {control:?} must be written as an escape"));
    }
    let preamble = text.lines().take_while(|line| line.starts_with(['%', '#']) || line.trim().is_empty());
    for directive in preamble {
        let mut words = directive.split_whitespace();
        if words.next() == Some("%YAML") && words.next() != Some("1.1") {
            return Err("only version 1.1 is supported in a %YAML directive".to_owned());
        }
    }
    Ok(())
}

/// A value and the number of its parts.
#[derive(Clone)]
struct Node {
    value: Value,
    size: usize,
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    limit: usize,
    /// The nodes that have an anchor and are complete.
    anchors: HashMap<usize, Node>,
    depth: u16,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<Event<'t>, String> {
        match self.parser.next_event() {
            Some(Ok((event, _))) => Ok(event),
            Some(Err(error)) => {
                let marker = error.marker();
                Err(format!("line {}, column {}: {}", marker.line(), marker.col() + 1, error.info()))
            }
            None => Err("the document ends too early".to_owned()),
        }
    }

    fn node(&mut self) -> Result<Node, String> {
        let event = self.next()?;
        self.node_from(event)
    }

    fn node_from(&mut self, event: Event<'t>) -> Result<Node, String> {
        let (anchor, node) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = scalar_value(&tag_name(tag.as_deref()), &text, style)?;
                (anchor, Node { value, size: 1 })
            }
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor);
                let node =
                    node.ok_or("an alias refers to an anchor that is not there, or is not complete yet")?;
                return Ok(node.clone());
            }
            Event::SequenceStart(anchor, tag) => {
                (anchor, self.nested(&tag_name(tag.as_deref()), Reader::sequence)?)
            }
            Event::MappingStart(anchor, tag) => {
                (anchor, self.nested(&tag_name(tag.as_deref()), Reader::mapping)?)
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => return Err("a value is missing".to_owned()),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn nested(
        &mut self,
        tag: &str,
        content: fn(&mut Reader<'t>, &str) -> Result<Node, String>,
    ) -> Result<Node, String> {
        if self.depth >= MAX_DEPTH {
            return Err(format!("values are nested more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let node = content(self, tag)?;
        self.depth -= 1;
        if node.size > self.limit {
            return Err(format!("the document has more than {} values", self.limit));
        }
        Ok(node)
    }

    fn sequence(&mut self, tag: &str) -> Result<Node, String> {
        if !matches!(tag, "" | "tag:yaml.org,2002:seq") {
            return Err(format!("a sequence cannot have the tag {tag:?}"));
        }
        let mut elements = Vec::new();
        let mut size = 1_usize;
        loop {
            let event = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(Node { value: Value::tuple(elements), size });
            }
            let node = self.node_from(event)?;
            size = size.saturating_add(node.size);
            elements.push(node.value);
        }
    }

    fn mapping(&mut self, tag: &str) -> Result<Node, String> {
        if !matches!(tag, "" | "tag:yaml.org,2002:map") {
            return Err(format!("a mapping cannot have the tag {tag:?}"));
        }
        let mut attributes: Vec<(Arc<str>, Value)> = Vec::new();
        let mut size = 1_usize;
        loop {
            let event = self.next()?;
            if event == Event::MappingEnd {
                // Of equal keys, merged ones included, the last one counts.
                return Ok(Node { value: Value::object(attributes), size });
            }
            let Event::Scalar(text, style, _, key_tag) = event else {
                return Err("the key of a mapping must be a string".to_owned());
            };
            let key_tag = tag_name(key_tag.as_deref());
            if key_tag == MERGE_TAG || (key_tag.is_empty() && text == "<<") {
                let node = self.node()?;
                size = size.saturating_add(node.size);
                merge(&mut attributes, &node.value)?;
                continue;
            }
            let key = convert(&scalar::resolve(&key_tag, &text, style)?, &Type::String);
            let key = key.ok().and_then(|key| key.as_str().map(Arc::from));
            let key = key.ok_or("the key of a mapping must be a string and not null")?;
            let node = self.node()?;
            size = size.saturating_add(node.size);
            attributes.push((key, node.value));
        }
    }
}

/// The value of a scalar that is not a key. Without a tag, block scalars are strings, but of the value that the
/// text stands for, as in the reference.
fn scalar_value(tag: &str, text: &str, style: ScalarStyle) -> Result<Value, String> {
    let value = scalar::resolve(tag, text, style)?;
    if tag.is_empty() && style != ScalarStyle::Plain {
        return convert(&value, &Type::String).map_err(|error| error.to_string());
    }
    Ok(value)
}

/// Adds the attributes of a mapping, or of the mappings in a sequence.
fn merge(attributes: &mut Vec<(Arc<str>, Value)>, value: &Value) -> Result<(), String> {
    match value.kind() {
        ValueKind::Object(entries) => {
            attributes.extend(entries.iter().cloned());
            Ok(())
        }
        ValueKind::Tuple(elements) => elements.iter().try_for_each(|element| match element.as_entries() {
            Some(entries) => {
                attributes.extend(entries.iter().cloned());
                Ok(())
            }
            None => Err("only mappings can be merged".to_owned()),
        }),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => Err("only a mapping, or a sequence of mappings, can be merged".to_owned()),
    }
}

/// The full name of a tag; empty where there is none.
fn tag_name(tag: Option<&Tag>) -> String {
    tag.map(|tag| format!("{}{}", tag.handle, tag.suffix)).unwrap_or_default()
}
