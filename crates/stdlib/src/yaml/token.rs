//! Scans YAML text into tokens.

use std::collections::VecDeque;

/// The notation in which a scalar is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    StreamEnd,
    /// A `%YAML` directive with a supported version.
    VersionDirective,
    TagDirective {
        handle: String,
        prefix: String,
    },
    DocumentStart,
    DocumentEnd,
    BlockSequence,
    BlockMapping,
    BlockEnd,
    FlowSequence,
    FlowSequenceEnd,
    FlowMapping,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    Tag {
        handle: String,
        suffix: String,
    },
    Scalar {
        text: String,
        style: Style,
    },
}

/// A place where a key may start; only a colon after it decides.
#[derive(Clone, Copy)]
struct PossibleKey {
    /// The number of the token that would be the key.
    token: usize,
    index: usize,
    line: usize,
    column: usize,
    /// Whether only a key is valid at this place.
    required: bool,
}

/// A key on one line must end within this many characters.
const MAX_KEY: usize = 1024;

/// Scans text into tokens on demand, by the rules of YAML 1.1 as the reference reads it.
pub(super) struct Scanner<'t> {
    pub(super) rest: &'t str,
    /// The number of characters before `rest`.
    pub(super) index: usize,
    pub(super) line: usize,
    pub(super) column: usize,
    tokens: VecDeque<Token>,
    /// The number of consumed tokens.
    taken: usize,
    /// The column of the innermost block collection, or -1 outside of all.
    pub(super) indent: isize,
    outer_indents: Vec<isize>,
    /// One entry for the block level and one for each open flow collection.
    keys: Vec<Option<PossibleKey>>,
    pub(super) key_allowed: bool,
}

pub(super) fn is_break(character: char) -> bool {
    matches!(character, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

pub(super) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Whether a word ends before the character.
pub(super) fn is_end(character: char) -> bool {
    character == '\0' || is_blank(character) || is_break(character)
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

fn to_column(column: usize) -> isize {
    isize::try_from(column).unwrap_or(isize::MAX)
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Scanner<'t> {
        Scanner {
            rest: text,
            index: 0,
            line: 0,
            column: 0,
            tokens: VecDeque::new(),
            taken: 0,
            indent: -1,
            outer_indents: Vec::new(),
            keys: vec![None],
            key_allowed: true,
        }
    }

    /// Returns the next token without consuming it.
    pub(super) fn peek(&mut self) -> Result<&Token, String> {
        while self.needs_more()? {
            self.fetch()?;
        }
        Ok(self.tokens.front().unwrap_or(&Token::StreamEnd))
    }

    /// Consumes the next token.
    pub(super) fn take(&mut self) -> Result<Token, String> {
        if *self.peek()? == Token::StreamEnd {
            return Ok(Token::StreamEnd);
        }
        self.taken += 1;
        Ok(self.tokens.pop_front().unwrap_or(Token::StreamEnd))
    }

    pub(super) fn error<T>(&self, message: &str) -> Result<T, String> {
        Err(format!("line {}, column {}: {message}", self.line + 1, self.column + 1))
    }

    /// Whether there is no next token, or a later token may still be inserted before it.
    fn needs_more(&mut self) -> Result<bool, String> {
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.drop_stale_keys()?;
        Ok(self.keys.iter().flatten().any(|key| key.token == self.taken))
    }

    /// Returns the character `ahead` characters further on, or NUL after the end.
    pub(super) fn at(&self, ahead: usize) -> char {
        self.rest.chars().nth(ahead).unwrap_or('\0')
    }

    pub(super) fn in_flow(&self) -> bool {
        self.keys.len() > 1
    }

    /// Consumes a character that is not a line break.
    pub(super) fn skip(&mut self) -> char {
        let mut characters = self.rest.chars();
        let Some(character) = characters.next() else { return '\0' };
        self.rest = characters.as_str();
        self.index += 1;
        self.column += 1;
        character
    }

    pub(super) fn skip_while(&mut self, wanted: fn(char) -> bool) -> String {
        let mut skipped = String::new();
        while self.at(0) != '\0' && wanted(self.at(0)) {
            skipped.push(self.skip());
        }
        skipped
    }

    /// Consumes an optional line break and appends its normalized form to `text`.
    pub(super) fn skip_break(&mut self, text: &mut String) {
        if !is_break(self.at(0)) {
            return;
        }
        let mut character = self.skip();
        if character == '\r' && self.at(0) == '\n' {
            self.skip();
        }
        if matches!(character, '\r' | '\u{85}') {
            character = '\n';
        }
        text.push(character);
        self.column = 0;
        self.line += 1;
    }

    fn skip_comment(&mut self) {
        if self.at(0) == '#' {
            self.skip_while(|character| !is_break(character));
        }
    }

    /// Returns the document marker at the beginning of the line; `None` if there is none.
    pub(super) fn document_marker(&self) -> Option<Token> {
        if self.column > 0 || !is_end(self.at(3)) {
            return None;
        }
        match self.rest.get(..3) {
            Some("---") => Some(Token::DocumentStart),
            Some("...") => Some(Token::DocumentEnd),
            Some(_) | None => None,
        }
    }

    fn skip_to_token(&mut self) {
        loop {
            // A second byte order mark is not part of the text either; a byte order mark further on is a character.
            if self.index == 0 && self.at(0) == '\u{feff}' {
                self.skip();
            }
            // A tab must not indent a possible key.
            while self.at(0) == ' ' || (self.at(0) == '\t' && (self.in_flow() || !self.key_allowed)) {
                self.skip();
            }
            self.skip_comment();
            if !is_break(self.at(0)) {
                return;
            }
            self.skip_break(&mut String::new());
            self.key_allowed |= !self.in_flow();
        }
    }

    fn fetch(&mut self) -> Result<(), String> {
        self.skip_to_token();
        self.drop_stale_keys()?;
        self.unroll(to_column(self.column));
        if let Some(marker) = self.document_marker() {
            self.leave_blocks()?;
            for _ in 0..3 {
                self.skip();
            }
            self.tokens.push_back(marker);
            return Ok(());
        }
        let ends = is_end(self.at(1));
        match self.at(0) {
            '\0' => self.stream_end(),
            '%' if self.column == 0 => self.directive(),
            '[' => self.flow_start(Token::FlowSequence),
            '{' => self.flow_start(Token::FlowMapping),
            ']' => self.flow_end(Token::FlowSequenceEnd),
            '}' => self.flow_end(Token::FlowMappingEnd),
            ',' => self.flow_entry(),
            '-' if ends => self.block_entry(),
            '?' if ends || self.in_flow() => self.explicit_key(),
            ':' if ends || self.in_flow() => self.value(),
            '*' | '&' => self.anchor(),
            '!' => self.tag(),
            '|' | '>' if !self.in_flow() => {
                self.remove_key()?;
                self.key_allowed = true;
                let token = self.block_scalar()?;
                self.tokens.push_back(token);
                Ok(())
            }
            '\'' | '"' => self.scalar(Scanner::quoted_scalar),
            '-' | '?' | ':' => self.scalar(Scanner::plain_scalar),
            '\t' | '#' | '|' | '>' | '%' | '@' | '`' => self.error("no value can begin with this character"),
            _ => self.scalar(Scanner::plain_scalar),
        }
    }

    fn scalar(&mut self, scan: fn(&mut Scanner<'t>) -> Result<Token, String>) -> Result<(), String> {
        self.save_key()?;
        self.key_allowed = false;
        let token = scan(self)?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn drop_stale_keys(&mut self) -> Result<(), String> {
        let (line, index) = (self.line, self.index);
        for key in &mut self.keys {
            let stale = key.filter(|key| key.line < line || key.index + MAX_KEY < index);
            if stale.is_some_and(|key| key.required) {
                return self.error("a colon is missing after a key");
            }
            if stale.is_some() {
                *key = None;
            }
        }
        Ok(())
    }

    fn save_key(&mut self) -> Result<(), String> {
        if !self.key_allowed {
            return Ok(());
        }
        self.remove_key()?;
        let key = PossibleKey {
            token: self.taken + self.tokens.len(),
            index: self.index,
            line: self.line,
            column: self.column,
            required: !self.in_flow() && self.indent == to_column(self.column),
        };
        if let Some(last) = self.keys.last_mut() {
            *last = Some(key);
        }
        Ok(())
    }

    fn remove_key(&mut self) -> Result<(), String> {
        match self.keys.last_mut().and_then(Option::take) {
            Some(key) if key.required => self.error("a colon is missing after a key"),
            Some(_) | None => Ok(()),
        }
    }

    /// Opens a block collection at a column unless one is open there, and inserts its token before the token with the
    /// given number.
    fn roll(&mut self, column: usize, number: usize, token: Token) {
        if !self.in_flow() && self.indent < to_column(column) {
            self.outer_indents.push(self.indent);
            self.indent = to_column(column);
            self.insert(number, token);
        }
    }

    /// Inserts a token before the token with the given number, which is not consumed yet.
    fn insert(&mut self, number: usize, token: Token) {
        let index = number.saturating_sub(self.taken).min(self.tokens.len());
        self.tokens.insert(index, token);
    }

    fn roll_here(&mut self, token: Token) {
        self.roll(self.column, self.taken + self.tokens.len(), token);
    }

    /// Closes the block collections that begin after a column.
    fn unroll(&mut self, column: isize) {
        while !self.in_flow() && self.indent > column {
            self.tokens.push_back(Token::BlockEnd);
            self.indent = self.outer_indents.pop().unwrap_or(-1);
        }
    }

    fn leave_blocks(&mut self) -> Result<(), String> {
        self.unroll(-1);
        self.remove_key()?;
        self.key_allowed = false;
        Ok(())
    }

    fn stream_end(&mut self) -> Result<(), String> {
        // The text ends its last line, so that no possible key stays open.
        if self.column > 0 {
            self.column = 0;
            self.line += 1;
        }
        self.leave_blocks()?;
        self.tokens.push_back(Token::StreamEnd);
        Ok(())
    }

    fn push_indicator(&mut self, token: Token) -> Result<(), String> {
        self.skip();
        self.tokens.push_back(token);
        Ok(())
    }

    fn flow_start(&mut self, token: Token) -> Result<(), String> {
        self.save_key()?;
        self.keys.push(None);
        self.key_allowed = true;
        self.push_indicator(token)
    }

    fn flow_end(&mut self, token: Token) -> Result<(), String> {
        self.remove_key()?;
        if self.in_flow() {
            self.keys.pop();
        }
        self.key_allowed = false;
        self.push_indicator(token)
    }

    fn flow_entry(&mut self) -> Result<(), String> {
        self.remove_key()?;
        self.key_allowed = true;
        self.push_indicator(Token::FlowEntry)
    }

    fn block_entry(&mut self) -> Result<(), String> {
        if !self.in_flow() {
            if !self.key_allowed {
                return self.error("an element of a sequence is not allowed here");
            }
            self.roll_here(Token::BlockSequence);
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.push_indicator(Token::BlockEntry)
    }

    fn explicit_key(&mut self) -> Result<(), String> {
        if !self.in_flow() {
            if !self.key_allowed {
                return self.error("a key is not allowed here");
            }
            self.roll_here(Token::BlockMapping);
        }
        self.remove_key()?;
        self.key_allowed = !self.in_flow();
        self.push_indicator(Token::Key)
    }

    fn value(&mut self) -> Result<(), String> {
        if let Some(key) = self.keys.last_mut().and_then(Option::take) {
            self.insert(key.token, Token::Key);
            self.roll(key.column, key.token, Token::BlockMapping);
            self.key_allowed = false;
        } else {
            if !self.in_flow() {
                if !self.key_allowed {
                    return self.error("the value of a mapping is not allowed here");
                }
                self.roll_here(Token::BlockMapping);
            }
            self.key_allowed = !self.in_flow();
        }
        self.push_indicator(Token::Value)
    }

    fn anchor(&mut self) -> Result<(), String> {
        self.save_key()?;
        self.key_allowed = false;
        let is_alias = self.skip() == '*';
        let name = self.skip_while(is_word);
        let next = self.at(0);
        if name.is_empty() || !(is_end(next) || "?:,]}%@`".contains(next)) {
            return self.error("the name of an anchor must be of letters, digits, hyphens and underscores");
        }
        self.tokens.push_back(if is_alias { Token::Alias(name) } else { Token::Anchor(name) });
        Ok(())
    }

    fn tag(&mut self) -> Result<(), String> {
        self.save_key()?;
        self.key_allowed = false;
        let token = if self.at(1) == '<' {
            self.skip();
            self.skip();
            let suffix = self.tag_uri()?;
            if self.skip() != '>' {
                return self.error("a tag is not closed");
            }
            Token::Tag { handle: String::new(), suffix }
        } else {
            let handle = self.tag_handle();
            let named = handle.len() > 1 && handle.ends_with('!');
            let mut suffix = handle.get(1..).filter(|_| !named).unwrap_or_default().to_owned();
            if named || self.is_uri() {
                suffix.push_str(&self.tag_uri()?);
            }
            match (named, suffix.is_empty()) {
                (true, _) => Token::Tag { handle, suffix },
                (false, false) => Token::Tag { handle: "!".to_owned(), suffix },
                (false, true) => Token::Tag { handle: String::new(), suffix: "!".to_owned() },
            }
        };
        if !is_end(self.at(0)) {
            return self.error("white space must follow a tag");
        }
        self.tokens.push_back(token);
        Ok(())
    }

    /// Parses a tag handle: `!`, `!name` or `!name!`.
    fn tag_handle(&mut self) -> String {
        let mut handle = String::from(self.skip());
        handle.push_str(&self.skip_while(is_word));
        if self.at(0) == '!' {
            handle.push(self.skip());
        }
        handle
    }

    fn is_uri(&self) -> bool {
        is_word(self.at(0)) || (self.at(0) != '\0' && ";/?:@&=+$,.!~*'()[]%".contains(self.at(0)))
    }

    fn tag_uri(&mut self) -> Result<String, String> {
        let mut bytes = Vec::new();
        while self.is_uri() {
            let character = self.skip();
            if character != '%' {
                bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
                continue;
            }
            let octet =
                self.rest.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
            let Some(octet) = octet.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                return self.error("a % in a tag must be followed by two hexadecimal digits");
            };
            self.skip();
            self.skip();
            bytes.push(octet);
        }
        match String::from_utf8(bytes) {
            Ok(uri) if !uri.is_empty() => Ok(uri),
            Ok(_) => self.error("a tag is empty"),
            Err(_) => self.error("the escapes in a tag are not UTF-8"),
        }
    }

    fn directive(&mut self) -> Result<(), String> {
        self.leave_blocks()?;
        self.skip();
        let name = self.skip_while(is_word);
        self.skip_while(is_blank);
        let token = match &*name {
            "YAML" if self.skip_while(|character| !is_end(character)) == "1.1" => Token::VersionDirective,
            "YAML" => return self.error("only version 1.1 of YAML is supported"),
            "TAG" => {
                let handle = if self.at(0) == '!' { self.tag_handle() } else { String::new() };
                if !handle.ends_with('!') || !is_blank(self.at(0)) {
                    return self.error("a %TAG directive needs a handle such as !name!");
                }
                self.skip_while(is_blank);
                Token::TagDirective { handle, prefix: self.tag_uri()? }
            }
            _ => return self.error("there is no such directive"),
        };
        self.skip_while(is_blank);
        self.skip_comment();
        if !(self.at(0) == '\0' || is_break(self.at(0))) {
            return self.error("no text may follow a directive");
        }
        self.tokens.push_back(token);
        Ok(())
    }
}
