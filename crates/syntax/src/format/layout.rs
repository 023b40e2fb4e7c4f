use terrane_source::Span;
use unicode_segmentation::UnicodeSegmentation as _;

use super::spacing::{bracket_change, space_between};
use crate::{Token, TokenKind};

/// A token with its text. A comment to the end of its line has the line break with it.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
}

/// The tokens of `text` with canonical white space between them; None where that would be far more than the text.
pub(super) fn layout(text: &str, tokens: &[Token]) -> Option<String> {
    let mut layout = Layout::new(text.len());
    let mut line = Vec::new();
    let mut end = 0;
    let mut tokens = tokens.iter().copied().peekable();
    while let Some(token) = tokens.next() {
        let (kind, mut span) = (token.kind(), token.span());
        if kind == TokenKind::End {
            break;
        }
        let mut ends_line = kind == TokenKind::Newline;
        if kind == TokenKind::Comment {
            // What is longer than a token can be goes on in the next one.
            let mut is_cut = span.len() == Token::MAX_LEN;
            while is_cut && let Some(next) = tokens.next_if(|next| next.kind() == TokenKind::Comment) {
                span = span.to(next.span());
                is_cut = next.span().len() == Token::MAX_LEN;
            }
            if !slice(text, span).starts_with("/*")
                && let Some(newline) = tokens.next_if(|next| next.kind() == TokenKind::Newline)
            {
                span = span.to(newline.span());
                ends_line = true;
            }
        }
        end = span.end;
        line.push(Piece { kind, text: slice(text, span) });
        if ends_line {
            layout.line(&line);
            line.clear();
        }
    }
    layout.line(&line);
    layout.flush();
    // The reference leaves the spaces behind the last token alone.
    let rest = text.get(end as usize..).unwrap_or_default();
    layout.spaces(rest.len());
    layout.finish()
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.range()).unwrap_or_default()
}

/// The columns of a line: the cells of each are aligned with those of its neighbours.
struct Cells<'a, 'b> {
    lead: &'b [Piece<'a>],
    /// From the equals sign on, where the value begins and ends on this line.
    assign: &'b [Piece<'a>],
    /// The comment behind something else.
    comment: &'b [Piece<'a>],
}

impl<'a, 'b> Cells<'a, 'b> {
    fn of(line: &'b [Piece<'a>]) -> Cells<'a, 'b> {
        let (lead, comment) = match line {
            [_, .., last] if last.kind == TokenKind::Comment => line.split_at(line.len() - 1),
            _ => (line, Default::default()),
        };
        let equals = lead.iter().skip(1).position(|piece| piece.kind == TokenKind::Assign);
        let (before, assign) = lead.split_at(equals.map_or(lead.len(), |index| index + 1));
        let net: i64 = assign.iter().map(|piece| bracket_change(piece.kind)).sum();
        if net == 0 { Cells { lead: before, assign, comment } } else { Cells { lead, assign: &[], comment } }
    }
}

/// A line whose last cells wait for those of the next lines.
struct Row {
    indent: usize,
    /// Where each cell ends in the waiting text.
    ends: [usize; 3],
    lead_columns: usize,
    /// The columns of the value, where there is one.
    assign_columns: Option<usize>,
    has_comment: bool,
    /// Spaces before the value and the comment.
    gaps: [usize; 2],
}

impl Row {
    fn columns(&self) -> usize {
        self.lead_columns + self.assign_columns.map_or(0, |columns| self.gaps[0] + columns)
    }
}

struct Layout {
    out: String,
    /// How many brackets the lines opened that have not been closed.
    indents: Vec<i64>,
    rows: Vec<Row>,
    /// The cells of the rows.
    waiting: String,
    /// How many spaces may still be added for indentation and alignment.
    budget: usize,
}

impl Layout {
    /// Spaces that any text may get.
    const SPACES: usize = 64 << 20;
    /// Spaces more than that for each byte of text.
    const SPACES_PER_BYTE: usize = 8;

    fn new(len: usize) -> Layout {
        Layout {
            out: String::with_capacity(len + len / 8),
            indents: Vec::new(),
            rows: Vec::new(),
            waiting: String::new(),
            budget: Layout::SPACES.saturating_add(len.saturating_mul(Layout::SPACES_PER_BYTE)),
        }
    }

    fn finish(self) -> Option<String> {
        (self.budget > 0).then_some(self.out)
    }

    fn spaces(&mut self, count: usize) {
        self.budget = self.budget.saturating_sub(count);
        if self.budget > 0 {
            self.out.extend(std::iter::repeat_n(' ', count));
        }
    }

    fn line(&mut self, line: &[Piece<'_>]) {
        let cells = Cells::of(line);
        let Some(first) = cells.lead.first() else { return };
        let indent = if first.kind == TokenKind::Newline { 0 } else { self.indent(cells.lead) };
        if cells.assign.is_empty() && cells.comment.is_empty() {
            self.flush();
            self.spaces(indent);
            write_cell(cells.lead, &mut self.out);
            return;
        }
        let has_comment = !cells.comment.is_empty();
        let start = self.waiting.len();
        write_cell(cells.lead, &mut self.waiting);
        let lead_end = self.waiting.len();
        write_cell(cells.assign, &mut self.waiting);
        let assign_end = self.waiting.len();
        write_cell(cells.comment, &mut self.waiting);
        let width = |cell, start, end| columns(cell, self.waiting.get(start..end).unwrap_or_default());
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

    /// The indentation of a line, and on the way what it does to those of the next lines.
    ///
    /// A line goes one level deeper however many brackets it opens, and the level ends with the last of them.
    fn indent(&mut self, lead: &[Piece<'_>]) -> usize {
        let before_heredoc = lead.iter().take_while(|piece| piece.kind != TokenKind::OpenHeredoc);
        let net: i64 = before_heredoc.map(|piece| bracket_change(piece.kind)).sum();
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

    /// Aligns and writes the lines that wait.
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

/// Makes a cell begin in the same column in all lines of a run that have it.
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

fn write_cell(cell: &[Piece<'_>], out: &mut String) {
    let mut before = None;
    let mut last: Option<Piece<'_>> = None;
    for piece in cell {
        if let Some(left) = last {
            if space_between(before, left, piece.kind) {
                out.push(' ');
            }
            before = Some(left.kind);
        }
        out.push_str(piece.text);
        last = Some(*piece);
    }
}

/// How many columns a cell takes that was written as `written`: characters as people see them.
fn columns(cell: &[Piece<'_>], written: &str) -> usize {
    if written.is_ascii() && !written.contains('\r') {
        return written.len();
    }
    let bytes: usize = cell.iter().map(|piece| piece.text.len()).sum();
    let characters: usize = cell.iter().map(|piece| piece.text.graphemes(true).count()).sum();
    written.len() - bytes + characters
}
