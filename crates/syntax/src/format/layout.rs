//! Lays out tokens: indentation, alignment and spaces.
//!
//! The second of two formatting steps. It reads tokens only, so text that does not parse can be laid out too.

use unicode_segmentation::UnicodeSegmentation as _;

use super::spacing::{bracket_change, is_cut_comment, slice, space_between};
use crate::{Token, TokenKind};

/// A text in canonical layout.
pub(super) struct LaidOut {
    pub(super) text: String,
    /// The number of spaces used for indentation and alignment, and the limit for this text.
    pub(super) spaces: Spaces,
    /// Whether following text can be laid out independently: the last line is complete and not aligned with other lines, and no
    /// bracket is open.
    pub(super) is_settled: bool,
}

/// The spaces that a layout adds, with a limit, so that a short text does not become a text that fills the memory.
#[derive(Clone, Copy)]
pub(super) struct Spaces {
    used: usize,
    /// The length of the text in bytes.
    len: usize,
}

impl Spaces {
    /// The number of spaces that any text may get.
    const ANY: usize = 64 << 20;
    /// The number of further spaces for each byte of text.
    const PER_BYTE: usize = 8;

    /// Returns a count of zero spaces with the limit for a text of `len` bytes.
    pub(super) fn none(len: usize) -> Spaces {
        Spaces { used: 0, len }
    }

    /// Returns the sum for two texts.
    pub(super) fn plus(self, other: Spaces) -> Spaces {
        Spaces { used: self.used.saturating_add(other.used), len: self.len + other.len }
    }

    pub(super) fn is_within_limit(self) -> bool {
        self.used < Spaces::ANY.saturating_add(self.len.saturating_mul(Spaces::PER_BYTE))
    }
}

/// Returns the tokens of `text` with canonical white space between them. `None` if that would be far longer than the text.
pub(super) fn layout(text: &str, tokens: &[Token]) -> Option<LaidOut> {
    let mut layout = Layout::new(text);
    let tokens = tokens.split_last().map_or(tokens, |(_end, rest)| rest);
    for line in tokens.split_inclusive(|token| token.kind() == TokenKind::Newline) {
        layout.line(line);
    }
    let waits = !layout.rows.is_empty() || !layout.indents.is_empty();
    layout.flush();
    // The reference does not change the spaces behind the last token.
    let last = tokens.last().map_or(0, |token| token.span().end);
    let trailing = text.len().saturating_sub(last as usize);
    layout.spaces(trailing);
    let ends_line = tokens.last().is_some_and(|token| token.kind() == TokenKind::Newline) && trailing == 0;
    let is_settled = ends_line && !waits;
    let Layout { out, spaces, .. } = layout;
    spaces.is_within_limit().then_some(LaidOut { text: out, spaces, is_settled })
}

/// The cells of a line. Each cell is aligned with the same cell of neighbouring lines.
struct Cells<'t> {
    lead: &'t [Token],
    /// From the equals sign on, if the value begins and ends on this line.
    assign: &'t [Token],
    /// The comment behind other tokens, with the line break that ends it.
    comment: &'t [Token],
}

impl<'t> Cells<'t> {
    fn of(line: &'t [Token], text: &str) -> Cells<'t> {
        let (lead, comment) = match comment_start(line, text) {
            Some(start) if start > 0 => line.split_at(start),
            Some(_) | None => (line, Default::default()),
        };
        let equals = lead.iter().skip(1).position(|token| token.kind() == TokenKind::Assign);
        let (before, assign) = lead.split_at(equals.map_or(lead.len(), |index| index + 1));
        let net: i64 = assign.iter().map(|token| bracket_change(token.kind())).sum();
        if net == 0 { Cells { lead: before, assign, comment } } else { Cells { lead, assign: &[], comment } }
    }
}

/// Returns the start of the comment that ends the line. For the reference, a comment in `/* */` ends a line only if no line
/// break follows.
fn comment_start(line: &[Token], text: &str) -> Option<usize> {
    let (before_break, has_break) = match line {
        [before @ .., last] if last.kind() == TokenKind::Newline => (before, true),
        _ => (line, false),
    };
    let mut start = before_break.len().checked_sub(1)?;
    // A comment longer than a token is split into several tokens.
    while let Some(before) = start.checked_sub(1)
        && before_break.get(before).is_some_and(|token| is_cut_comment(*token))
    {
        start = before;
    }
    let first = before_break.get(start)?;
    let ends_line = !has_break || !slice(text, *first).starts_with("/*");
    (first.kind() == TokenKind::Comment && ends_line).then_some(start)
}

/// A line whose last cells are not written before the following lines are known.
struct Row {
    indent: usize,
    /// The ends of the cells in the waiting text.
    ends: [usize; 3],
    lead_columns: usize,
    /// The number of columns of the value, if there is one.
    assign_columns: Option<usize>,
    has_comment: bool,
    /// The number of spaces before the value and the comment.
    gaps: [usize; 2],
}

impl Row {
    fn columns(&self) -> usize {
        self.lead_columns + self.assign_columns.map_or(0, |columns| self.gaps[0] + columns)
    }
}

/// Spaces to copy from.
const SPACES: &str = "                                ";

struct Layout<'a> {
    text: &'a str,
    out: String,
    /// The number of brackets that the lines have opened and not closed.
    indents: Vec<i64>,
    rows: Vec<Row>,
    /// The cells of the rows.
    waiting: String,
    /// The spaces added for indentation and alignment.
    spaces: Spaces,
}

impl<'a> Layout<'a> {
    fn new(text: &'a str) -> Layout<'a> {
        let len = text.len();
        Layout {
            text,
            out: String::with_capacity(len + len / 8),
            indents: Vec::new(),
            rows: Vec::new(),
            waiting: String::new(),
            spaces: Spaces::none(len),
        }
    }

    fn spaces(&mut self, count: usize) {
        self.spaces.used = self.spaces.used.saturating_add(count);
        if self.spaces.is_within_limit() {
            let mut missing = count;
            while missing > 0 {
                let spaces = SPACES.get(..missing).unwrap_or(SPACES);
                self.out.push_str(spaces);
                missing -= spaces.len();
            }
        }
    }

    fn line(&mut self, line: &[Token]) {
        let text = self.text;
        let cells = Cells::of(line, text);
        let Some(first) = cells.lead.first() else { return };
        let indent = if first.kind() == TokenKind::Newline { 0 } else { self.indent(cells.lead) };
        if cells.assign.is_empty() && cells.comment.is_empty() {
            self.flush();
            self.spaces(indent);
            write_cell(text, cells.lead, &mut self.out);
            return;
        }
        let has_comment = !cells.comment.is_empty();
        let start = self.waiting.len();
        write_cell(text, cells.lead, &mut self.waiting);
        let lead_end = self.waiting.len();
        write_cell(text, cells.assign, &mut self.waiting);
        let assign_end = self.waiting.len();
        write_cell(text, cells.comment, &mut self.waiting);
        let width = |cell, start, end| columns(text, cell, self.waiting.get(start..end).unwrap_or_default());
        let assign_width = || if has_comment { width(cells.assign, lead_end, assign_end) } else { 0 };
        self.rows.push(Row {
            indent,
            ends: [lead_end, assign_end, self.waiting.len()],
            lead_columns: indent + width(cells.lead, start, lead_end),
            assign_columns: (!cells.assign.is_empty()).then(assign_width),
            has_comment,
            gaps: [0, 0],
        });
    }

    /// Returns the indentation of a line, and updates the indentation of the following lines.
    ///
    /// A line goes one level deeper, no matter how many brackets it opens, and the level ends with the last of these brackets.
    fn indent(&mut self, lead: &[Token]) -> usize {
        let kinds = lead.iter().map(|token| token.kind());
        let before_heredoc = kinds.take_while(|kind| *kind != TokenKind::OpenHeredoc);
        let net: i64 = before_heredoc.map(bracket_change).sum();
        let mut closed = -net;
        while closed > 0
            && let Some(open) = self.indents.last_mut()
        {
            if closed < *open {
                *open -= closed;
                break;
            }
            closed -= *open;
            self.indents.pop();
        }
        let indent = 2 * self.indents.len();
        if net > 0 {
            self.indents.push(net);
        }
        indent
    }

    /// Aligns and writes the waiting lines.
    fn flush(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        let waiting = std::mem::take(&mut self.waiting);
        align(&mut rows, 0, |row| row.assign_columns.is_some(), |row| row.lead_columns);
        align(&mut rows, 1, |row| row.has_comment, Row::columns);
        let mut start = 0;
        for row in &rows {
            for (spaces, end) in [row.indent, row.gaps[0], row.gaps[1]].into_iter().zip(row.ends) {
                self.spaces(spaces);
                self.out.push_str(waiting.get(start..end).unwrap_or_default());
                start = end;
            }
        }
        rows.clear();
        self.rows = rows;
        self.waiting = waiting;
        self.waiting.clear();
    }
}

/// Aligns a cell: in each run of lines with the cell, it begins in the same column.
fn align(rows: &mut [Row], gap: usize, has_cell: fn(&Row) -> bool, columns: fn(&Row) -> usize) {
    for run in rows.chunk_by_mut(|row, next| has_cell(row) == has_cell(next)) {
        if !run.first().is_some_and(has_cell) {
            continue;
        }
        let widest = run.iter().map(columns).max().unwrap_or(0);
        for row in run {
            let spaces = widest - columns(row) + 1;
            if let Some(gap) = row.gaps.get_mut(gap) {
                *gap = spaces;
            }
        }
    }
}

fn write_cell(text: &str, cell: &[Token], out: &mut String) {
    let mut before = None;
    let mut last: Option<Token> = None;
    for token in cell {
        if let Some(left) = last {
            if space_between(text, before, left, token.kind()) {
                out.push(' ');
            }
            before = Some(left.kind());
        }
        out.push_str(slice(text, *token));
        last = Some(*token);
    }
}

/// Returns the number of columns of a cell that was written as `written`: characters as people see them.
fn columns(text: &str, cell: &[Token], written: &str) -> usize {
    if written.is_ascii() && !written.contains('\r') {
        return written.len();
    }
    let bytes: usize = cell.iter().map(|token| token.span().len() as usize).sum();
    let characters: usize = cell.iter().map(|token| slice(text, *token).graphemes(true).count()).sum();
    written.len() - bytes + characters
}
