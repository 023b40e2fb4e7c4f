//! Decodes YAML tokens to values.

use std::collections::{BTreeMap, HashMap};

use terrane_value::{MAX_DEPTH, SmolStr, Type, Value, ValueKind, convert};

use super::scalar::{self, MERGE_TAG};
use super::token::{Scanner, Style, Token};

/// Returns the value of the only document in `text`, which has at most `limit` parts after aliases are expanded.
pub(super) fn decode(text: &str, limit: usize) -> Result<Value, String> {
    // A byte order mark is not part of the text: it must not indent the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_characters(text)?;
    let mut reader = YamlReader {
        scanner: Scanner::new(text),
        limit,
        tags: BTreeMap::new(),
        anchors: HashMap::new(),
        open_anchors: Vec::new(),
        depth: 0,
        read: 0,
    };
    reader.document()
}

fn check_characters(text: &str) -> Result<(), String> {
    let is_allowed = |character: char| match character {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        _ => !character.is_control(),
    };
    match text.chars().find(|character| !is_allowed(*character)) {
        Some(control) => Err(format!("the control character {control:?} must be written as an escape")),
        None => Ok(()),
    }
}

/// The start of a collection, or a complete node.
enum Start {
    Alias(String),
    Scalar { anchor: String, tag: String, text: String, style: Style },
    Collection { anchor: String, tag: String, kind: CollectionStyle },
}

impl Start {
    /// Returns the null node that stands for an omitted key or value.
    fn nothing() -> Start {
        Start::Scalar { anchor: String::new(), tag: String::new(), text: String::new(), style: Style::Plain }
    }
}

#[derive(Clone, Copy)]
enum CollectionStyle {
    BlockSequence,
    /// A sequence at the indentation of the key before it.
    IndentlessSequence,
    FlowSequence,
    BlockMapping,
    FlowMapping,
}

/// A value and the number of its parts.
#[derive(Clone)]
struct Node {
    value: Value,
    size: usize,
}

/// The entries of a mapping so far.
#[derive(Default)]
struct Entries {
    attributes: Vec<(SmolStr, Value)>,
    size: usize,
}

/// The key of an entry; `None` if the attributes of the entry's value are merged into the mapping.
type Key = Option<SmolStr>;

impl Entries {
    /// Adds an entry, and returns the number of attributes that it merges into the mapping.
    fn add(&mut self, key: Key, node: Node) -> Result<usize, String> {
        self.size = self.size.saturating_add(node.size);
        let Some(key) = key else {
            let before = self.attributes.len();
            merge(&mut self.attributes, &node.value)?;
            return Ok(self.attributes.len() - before);
        };
        self.attributes.push((key, node.value));
        Ok(0)
    }

    /// Returns the mapping. If several keys are equal, including merged ones, the last entry counts.
    fn node(self) -> Node {
        Node { value: Value::object(self.attributes), size: self.size.saturating_add(1) }
    }
}

struct YamlReader<'t> {
    scanner: Scanner<'t>,
    limit: usize,
    /// Tag handles with their prefixes.
    tags: BTreeMap<String, String>,
    /// The complete nodes that have an anchor.
    anchors: HashMap<String, Node>,
    /// The anchors of the collections that are still open.
    open_anchors: Vec<String>,
    depth: u16,
    /// The number of values so far, including keys and merged attributes; other aliases are not expanded.
    read: usize,
}

impl YamlReader<'_> {
    fn document(&mut self) -> Result<Value, String> {
        let explicit = matches!(
            self.scanner.peek()?,
            Token::VersionDirective | Token::TagDirective { .. } | Token::DocumentStart | Token::StreamEnd
        );
        if explicit {
            self.directives()?;
            if self.scanner.take()? != Token::DocumentStart {
                return self.scanner.error("there is no document");
            }
        }
        let nothing = matches!(
            self.scanner.peek()?,
            Token::VersionDirective
                | Token::TagDirective { .. }
                | Token::DocumentStart
                | Token::DocumentEnd
                | Token::StreamEnd
        );
        let start = if explicit && nothing { Start::nothing() } else { self.start(true, false)? };
        let node = self.node(start)?;
        while *self.scanner.peek()? == Token::DocumentEnd {
            self.scanner.take()?;
        }
        if *self.scanner.peek()? != Token::StreamEnd {
            return self.scanner.error("only one document is expected, but text follows it");
        }
        Ok(node.value)
    }

    fn directives(&mut self) -> Result<(), String> {
        let mut versions = 0;
        while matches!(self.scanner.peek()?, Token::VersionDirective | Token::TagDirective { .. }) {
            let twice = if let Token::TagDirective { handle, prefix } = self.scanner.take()? {
                self.tags.insert(handle, prefix).is_some()
            } else {
                versions += 1;
                versions > 1
            };
            if twice {
                return self.scanner.error("there are two directives of the same kind");
            }
        }
        Ok(())
    }

    /// Parses the start of a node in a block or flow collection. `indentless` permits a sequence without its own
    /// indentation.
    fn start(&mut self, block: bool, indentless: bool) -> Result<Start, String> {
        if let Token::Alias(_) = self.scanner.peek()?
            && let Token::Alias(name) = self.scanner.take()?
        {
            return Ok(Start::Alias(name));
        }
        let (anchor, tag) = self.properties()?;
        if let Token::Scalar { .. } = self.scanner.peek()?
            && let Token::Scalar { text, style } = self.scanner.take()?
        {
            return Ok(Start::Scalar { anchor, tag, text, style });
        }
        let kinds = [
            (Token::BlockEntry, indentless, CollectionStyle::IndentlessSequence),
            (Token::FlowSequence, true, CollectionStyle::FlowSequence),
            (Token::FlowMapping, true, CollectionStyle::FlowMapping),
            (Token::BlockSequence, block, CollectionStyle::BlockSequence),
            (Token::BlockMapping, block, CollectionStyle::BlockMapping),
        ];
        let token = self.scanner.peek()?;
        let kind = kinds.into_iter().find(|(begin, allowed, _)| begin == token && *allowed);
        let Some((_, _, kind)) = kind else {
            if anchor.is_empty() && tag.is_empty() {
                return self.scanner.error("a value is missing");
            }
            return Ok(Start::Scalar { anchor, tag, text: String::new(), style: Style::Plain });
        };
        if !matches!(kind, CollectionStyle::IndentlessSequence) {
            self.scanner.take()?;
        }
        Ok(Start::Collection { anchor, tag, kind })
    }

    /// Parses the anchor and the tag before a node, in either order.
    fn properties(&mut self) -> Result<(String, String), String> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            let token = self.scanner.peek()?;
            let is_anchor = matches!(token, Token::Anchor(_)) && anchor.is_none();
            let is_tag = matches!(token, Token::Tag { .. }) && tag.is_none();
            if !is_anchor && !is_tag {
                return Ok((anchor.unwrap_or_default(), tag.unwrap_or_default()));
            }
            let token = self.scanner.take()?;
            if let Token::Tag { handle, suffix } = token {
                tag = Some(self.full_tag(&handle, suffix)?);
            } else if let Token::Anchor(name) = token {
                anchor = Some(name);
            }
        }
    }

    fn full_tag(&self, handle: &str, suffix: String) -> Result<String, String> {
        let declared = self.tags.get(handle);
        match (handle, declared) {
            ("", _) => Ok(suffix),
            (_, Some(prefix)) => Ok(format!("{prefix}{suffix}")),
            ("!", None) => Ok(format!("!{suffix}")),
            ("!!", None) => Ok(format!("tag:yaml.org,2002:{suffix}")),
            (_, None) => self.scanner.error("the handle of a tag is not declared"),
        }
    }

    /// Returns the node that begins with `start`. This function is recursive, so the code that does not need recursion is in
    /// other functions: the call stack must hold the deepest document.
    fn node(&mut self, start: Start) -> Result<Node, String> {
        match start {
            Start::Alias(name) => self.alias(&name),
            Start::Scalar { anchor, tag, text, style } => self.scalar(anchor, &tag, &text, style),
            Start::Collection { anchor, tag, kind } => {
                self.open(anchor, &tag, kind)?;
                let node = match kind {
                    CollectionStyle::BlockSequence => self.block_sequence(false),
                    CollectionStyle::IndentlessSequence => self.block_sequence(true),
                    CollectionStyle::FlowSequence => self.flow_sequence(),
                    CollectionStyle::BlockMapping => self.block_mapping(),
                    CollectionStyle::FlowMapping => self.flow_mapping(),
                };
                self.close(node)
            }
        }
    }

    fn count(&mut self) -> Result<(), String> {
        self.count_all(1)
    }

    fn count_all(&mut self, values: usize) -> Result<(), String> {
        self.read = self.read.saturating_add(values);
        if self.read > self.limit { self.too_large() } else { Ok(()) }
    }

    fn keep(&mut self, anchor: String, node: &Node) {
        if !anchor.is_empty() {
            self.anchors.insert(anchor, node.clone());
        }
    }

    fn scalar(&mut self, anchor: String, tag: &str, text: &str, style: Style) -> Result<Node, String> {
        self.count()?;
        let node = Node { value: scalar_value(tag, text, style)?, size: 1 };
        self.keep(anchor, &node);
        Ok(node)
    }

    fn alias(&mut self, name: &str) -> Result<Node, String> {
        self.count()?;
        if self.open_anchors.iter().any(|open_anchors| open_anchors == name) {
            return Err(format!("the alias *{name} is inside the value that it refers to"));
        }
        self.anchors.get(name).cloned().ok_or_else(|| format!("there is no anchor &{name} before its alias"))
    }

    fn open(&mut self, anchor: String, tag: &str, kind: CollectionStyle) -> Result<(), String> {
        self.count()?;
        if self.depth >= MAX_DEPTH {
            return Err(format!("values are nested more than {MAX_DEPTH} deep"));
        }
        let is_mapping = matches!(kind, CollectionStyle::BlockMapping | CollectionStyle::FlowMapping);
        let own_tag = if is_mapping { "tag:yaml.org,2002:map" } else { "tag:yaml.org,2002:seq" };
        if !tag.is_empty() && tag != own_tag {
            return Err(format!("a value of this kind cannot have the tag {tag:?}"));
        }
        self.open_anchors.push(anchor);
        self.depth += 1;
        Ok(())
    }

    fn close(&mut self, node: Result<Node, String>) -> Result<Node, String> {
        let node = node?;
        self.depth -= 1;
        if node.size > self.limit {
            return self.too_large();
        }
        let anchor = self.open_anchors.pop().unwrap_or_default();
        self.keep(anchor, &node);
        Ok(node)
    }

    fn too_large<T>(&self) -> Result<T, String> {
        Err(format!("the document has more than {} values", self.limit))
    }

    fn block_sequence(&mut self, indentless: bool) -> Result<Node, String> {
        let mut elements = Vec::new();
        let mut size = 1_usize;
        while let Some(start) = self.next_of_block_sequence(indentless)? {
            let node = self.node(start)?;
            size = size.saturating_add(node.size);
            elements.push(node.value);
        }
        Ok(Node { value: Value::tuple(elements), size })
    }

    fn next_of_block_sequence(&mut self, indentless: bool) -> Result<Option<Start>, String> {
        if *self.scanner.peek()? != Token::BlockEntry {
            if !indentless && self.scanner.take()? != Token::BlockEnd {
                return self.scanner.error("a sequence must continue with a hyphen");
            }
            return Ok(None);
        }
        self.scanner.take()?;
        let token = self.scanner.peek()?;
        let left_out = matches!(token, Token::BlockEntry | Token::BlockEnd)
            || (indentless && matches!(token, Token::Key | Token::Value));
        if left_out { Ok(Some(Start::nothing())) } else { self.start(true, false).map(Some) }
    }

    fn block_mapping(&mut self) -> Result<Node, String> {
        let mut entries = Entries::default();
        while let Some((key, start)) = self.next_of_block_mapping()? {
            let node = self.node(start)?;
            let merged = entries.add(key, node)?;
            self.count_all(merged)?;
        }
        Ok(entries.node())
    }

    fn next_of_block_mapping(&mut self) -> Result<Option<(Key, Start)>, String> {
        if *self.scanner.peek()? != Token::Key {
            if self.scanner.take()? != Token::BlockEnd {
                return self.scanner.error("a mapping must continue with a key");
            }
            return Ok(None);
        }
        self.scanner.take()?;
        let key = self.start_in_mapping()?;
        let key = self.key(key)?;
        if *self.scanner.peek()? != Token::Value {
            return Ok(Some((key, Start::nothing())));
        }
        self.scanner.take()?;
        Ok(Some((key, self.start_in_mapping()?)))
    }

    /// Parses the start of an optional key or value of a block mapping.
    fn start_in_mapping(&mut self) -> Result<Start, String> {
        let left_out = matches!(self.scanner.peek()?, Token::Key | Token::Value | Token::BlockEnd);
        if left_out { Ok(Start::nothing()) } else { self.start(true, true) }
    }

    fn flow_sequence(&mut self) -> Result<Node, String> {
        let mut elements = Vec::new();
        let mut size = 1_usize;
        while let Some((key, start)) = self.next_of_flow_sequence(elements.is_empty())? {
            let mut node = self.node(start)?;
            if let Some(key) = key {
                node = self.alone(key, node)?;
            }
            size = size.saturating_add(node.size);
            elements.push(node.value);
        }
        Ok(Node { value: Value::tuple(elements), size })
    }

    /// Returns the start of the next element, with its key if the element is a single entry that stands for a mapping; `None`
    /// at the end.
    fn next_of_flow_sequence(&mut self, first: bool) -> Result<Option<(Option<Key>, Start)>, String> {
        let end = &Token::FlowSequenceEnd;
        if !self.flow_goes_on(end, first)? {
            return Ok(None);
        }
        if *self.scanner.peek()? != Token::Key {
            return Ok(Some((None, self.start(false, false)?)));
        }
        self.scanner.take()?;
        let key = self.start_in_flow(end)?;
        let key = self.key(key)?;
        Ok(Some((Some(key), self.flow_value(end)?)))
    }

    fn flow_mapping(&mut self) -> Result<Node, String> {
        let mut entries = Entries::default();
        let mut first = true;
        while let Some((key, start)) = self.next_of_flow_mapping(first)? {
            first = false;
            let node = self.node(start)?;
            let merged = entries.add(key, node)?;
            self.count_all(merged)?;
        }
        Ok(entries.node())
    }

    /// Returns a mapping with one entry.
    fn alone(&mut self, key: Key, value: Node) -> Result<Node, String> {
        let mut entries = Entries::default();
        let merged = entries.add(key, value)?;
        self.count_all(merged)?;
        Ok(entries.node())
    }

    fn next_of_flow_mapping(&mut self, first: bool) -> Result<Option<(Key, Start)>, String> {
        let end = &Token::FlowMappingEnd;
        if !self.flow_goes_on(end, first)? {
            return Ok(None);
        }
        if *self.scanner.peek()? != Token::Key {
            let key = self.start(false, false)?;
            return Ok(Some((self.key(key)?, Start::nothing())));
        }
        self.scanner.take()?;
        let key = self.start_in_flow(end)?;
        let key = self.key(key)?;
        Ok(Some((key, self.flow_value(end)?)))
    }

    /// Whether a flow collection has another entry. Consumes the comma before it, or the closing bracket.
    fn flow_goes_on(&mut self, end: &Token, first: bool) -> Result<bool, String> {
        if self.scanner.peek()? != end && !first && self.scanner.take()? != Token::FlowEntry {
            return self.scanner.error("a comma or a closing bracket is missing");
        }
        if self.scanner.peek()? != end {
            return Ok(true);
        }
        self.scanner.take()?;
        Ok(false)
    }

    /// Parses the start of an optional key or value of a flow collection.
    fn start_in_flow(&mut self, end: &Token) -> Result<Start, String> {
        let token = self.scanner.peek()?;
        if token == end || matches!(token, Token::Value | Token::FlowEntry) {
            return Ok(Start::nothing());
        }
        self.start(false, false)
    }

    fn flow_value(&mut self, end: &Token) -> Result<Start, String> {
        if *self.scanner.peek()? != Token::Value {
            return Ok(Start::nothing());
        }
        self.scanner.take()?;
        self.start_in_flow(end)
    }

    /// Returns the key of an entry; `None` for `<<`.
    fn key(&mut self, key: Start) -> Result<Key, String> {
        self.read += 1;
        let Start::Scalar { tag, text, style, .. } = key else {
            return self.scanner.error("the key of a mapping must be a string");
        };
        let merges = tag == MERGE_TAG || (tag.is_empty() && text == "<<");
        if merges { Ok(None) } else { key_text(&tag, &text, style).map(Some) }
    }
}

fn key_text(tag: &str, text: &str, style: Style) -> Result<SmolStr, String> {
    let key = convert(&scalar::resolve(tag, text, style)?, &Type::String);
    let key = key.ok().and_then(|key| key.as_str().map(SmolStr::from));
    key.ok_or_else(|| "the key of a mapping must be a string and not null".to_owned())
}

/// Returns the value of a scalar that is not a key. Block scalars without a tag are strings, but have the value that the text
/// resolves to, as in the reference.
fn scalar_value(tag: &str, text: &str, style: Style) -> Result<Value, String> {
    let value = scalar::resolve(tag, text, style)?;
    if tag.is_empty() && style != Style::Plain {
        return convert(&value, &Type::String).map_err(|error| error.to_string());
    }
    Ok(value)
}

/// Adds the attributes of a mapping, or of all mappings in a sequence.
fn merge(attributes: &mut Vec<(SmolStr, Value)>, value: &Value) -> Result<(), String> {
    let failed = || "only a mapping, or a sequence of mappings, can be merged".to_owned();
    if let ValueKind::Tuple(elements) = value.kind() {
        for element in elements {
            attributes.extend(element.as_entries().ok_or_else(failed)?.cloned());
        }
        return Ok(());
    }
    attributes.extend(value.as_entries().ok_or_else(failed)?.cloned());
    Ok(())
}
