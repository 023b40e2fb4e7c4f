//! Finds the syntax at a place of a file, in native or JSON syntax: at a range of bytes, or on a line.

use std::sync::Arc;

use terrane_body::DYNAMIC;
use terrane_source::{SourceFile, Span};
use terrane_syntax::walk::Event;
use terrane_syntax::{Expr, ExprId, Expression, Syntax as FileSyntax};
use terrane_value::SmolStr;

use crate::decode::schema::{ArgumentKind, argument_kind};
use crate::place::items::{Content, Item, SyntaxReader};
use crate::place::json::Json;
use crate::place::native::Native;
use crate::place::syntax::{BoundLoop, Header, LoopNames, Syntax, constant_text, contains, innermost};

/// The part of the configuration on a line of a file.
#[derive(Debug)]
pub enum OnLine {
    /// An expression. On a line, this is the outermost expression that begins there, or else the innermost
    /// around the line. At a column, it is the outermost that begins there, or else the innermost around the
    /// column, or the first one after it.
    Expression(Expression),
    /// A block, if the line has no argument.
    Block {
        /// The beginning of the block.
        start: Span,
        /// The values of all arguments in the block and in its nested blocks.
        arguments: Vec<Expression>,
    },
}

/// A line of a file, or the rest of it from a column on.
#[derive(Clone, Copy)]
pub enum LineSpan {
    /// The bytes of the line.
    Whole(Span),
    /// The bytes from the column to the end of the line.
    From(Span),
}

impl LineSpan {
    /// Returns the bytes.
    pub fn span(self) -> Span {
        match self {
            LineSpan::Whole(span) | LineSpan::From(span) => span,
        }
    }
}

/// Returns the part of the configuration on a line; `None` outside all blocks.
pub fn on_line(source: &Arc<SourceFile>, line: LineSpan) -> Option<OnLine> {
    match FileSyntax::of_file(source.id()) {
        FileSyntax::Json => part_on(&Json::read(source), line),
        FileSyntax::Native => part_on(&Native::read(source), line),
    }
}

/// Returns the syntax at `span` of a file.
pub(super) fn syntax_at(source: &Arc<SourceFile>, span: Span) -> Syntax {
    match FileSyntax::of_file(source.id()) {
        FileSyntax::Json => at(&Json::read(source), source, span),
        FileSyntax::Native => at(&Native::read(source), source, span),
    }
}

fn at<R: SyntaxReader>(reader: &R, source: &Arc<SourceFile>, span: Span) -> Syntax {
    let mut syntax = Syntax::default();
    let (mut body, mut outer) = (reader.root(), None);
    loop {
        let items = reader.items(body, outer.as_deref());
        let Some(item) = items.into_iter().find(|item| contains(item.span, span)) else { return syntax };
        match item.content {
            Content::Argument(value) => {
                syntax.argument = Some(item.name);
                let value = reader.expression(value);
                if contains(value.span(), span) {
                    syntax.expression = Some(innermost(&value, span, &mut syntax));
                }
                return syntax;
            }
            Content::Block(inner) => {
                if item.name == DYNAMIC && !syntax.blocks.is_empty() {
                    let items = reader.items(inner, Some(DYNAMIC));
                    syntax.loops.extend(iterator(reader, &items, item.labels.first(), span));
                }
                (body, outer) = (inner, Some(item.name.clone()));
                let alias = || {
                    let items = reader.items(inner, outer.as_deref());
                    let alias = items.iter().find_map(|item| item.argument("alias"))?;
                    constant_text(&reader.expression(alias))
                };
                syntax.blocks.push(Header {
                    alias: if item.name == "provider" { alias() } else { None },
                    block_type: item.name,
                    labels: item.labels,
                    file: Arc::clone(source),
                    span: item.span,
                });
            }
        }
    }
}

/// Returns the loop of a `dynamic` block, whose iterator is bound in its labels and content.
fn iterator<R: SyntaxReader>(
    reader: &R,
    items: &[Item<R::Body, R::Value>],
    label: Option<&SmolStr>,
    span: Span,
) -> Option<BoundLoop> {
    let argument = |name| items.iter().find_map(|item| item.argument(name));
    let binds = |item: &&Item<R::Body, R::Value>| {
        matches!(item.content, Content::Block(_)) || item.argument("labels").is_some()
    };
    let is_bound = items.iter().filter(binds).any(|item| contains(item.span, span));
    let name = argument("iterator").and_then(|name| reader.plain_name(name)).or_else(|| label.cloned())?;
    let collection = reader.expression(argument("for_each")?);
    is_bound.then_some(BoundLoop { names: LoopNames::Iterator(name), collection, condition: None })
}

fn part_on<R: SyntaxReader>(reader: &R, asked: LineSpan) -> Option<OnLine> {
    let line = asked.span();
    let overlaps = |span: Span| span.start < line.end.max(line.start + 1) && line.start < span.end;
    let (mut body, mut outer, mut block) = (reader.root(), None, None);
    loop {
        let items = reader.items(body, outer.as_deref());
        let Some(item) = items.into_iter().find(|item| overlaps(item.span)) else {
            let start: Span = block?;
            let arguments = arguments(reader, body, outer);
            return Some(OnLine::Block { start, arguments });
        };
        match item.content {
            Content::Argument(value) => {
                let expression = match argument_kind(outer.as_deref().unwrap_or_default(), &item.name) {
                    ArgumentKind::Objects => reader.references(value),
                    ArgumentKind::Value | ArgumentKind::Keyword => reader.expression(value),
                };
                return Some(OnLine::Expression(match asked {
                    LineSpan::From(line) if is_around(&expression, line.start) => {
                        at_column(expression, line.start)
                    }
                    LineSpan::Whole(line) | LineSpan::From(line) => outermost(expression, line),
                }));
            }
            Content::Block(inner) => {
                block = Some(Span::new(item.span.start, item.span.start));
                (body, outer) = (inner, Some(item.name));
            }
        }
    }
}

/// Returns the values of the arguments of a body and of its nested blocks, in source order.
fn arguments<R: SyntaxReader>(reader: &R, body: R::Body, outer: Option<SmolStr>) -> Vec<Expression> {
    let mut found = Vec::new();
    let mut left = vec![(body, outer)];
    while let Some((body, outer)) = left.pop() {
        let mut blocks = Vec::new();
        for item in reader.items(body, outer.as_deref()) {
            match item.content {
                Content::Argument(value) => found.push(reader.expression(value)),
                Content::Block(inner) => blocks.push((inner, Some(item.name))),
            }
        }
        left.extend(blocks.into_iter().rev());
    }
    found.sort_unstable_by_key(|expression| expression.span().start);
    found
}

fn is_around(expression: &Expression, at: u32) -> bool {
    let span = expression.span();
    span.start <= at && at < span.end
}

/// Returns the outermost part of an expression that begins at a byte, or else the innermost part around it. The key of
/// an object item stands for its value.
fn at_column(mut around: Expression, at: u32) -> Expression {
    while around.span().start < at {
        let tree = &around.tree;
        let is_key = |key: ExprId| tree.span(key).start <= at && at < tree.span(key).end;
        if let Expr::Object(items) = tree.expr(around.id)
            && let Some(item) = tree.list(items).iter().find(|item| is_key(item.key))
        {
            return Expression { tree: Arc::clone(tree), id: item.value };
        }
        match parts(&around).into_iter().find(|part| is_around(part, at)) {
            Some(part) => around = part,
            None => break,
        }
    }
    around
}

/// Returns the outermost part of an expression that begins on a line, or else the innermost part around the line. An
/// item of an object or of a `for` stands for its value; a `for` whose collection begins on the line counts as a whole.
fn outermost(mut at: Expression, line: Span) -> Expression {
    let begins = |at: &Expression| (line.start..line.end).contains(&at.span().start);
    while !begins(&at) {
        if let Some(chosen) = chosen(&at, line) {
            return chosen;
        }
        let (mut around, mut first) = (None, None);
        for part in parts(&at) {
            let span = part.span();
            if begins(&part) {
                first = first.or(Some(part));
            } else if span.start < line.start && line.start < span.end {
                around = Some(part);
            }
        }
        match first.or(around) {
            Some(part) => at = part,
            None => return at,
        }
    }
    at
}

/// Returns the direct parts of an expression that have a value by themselves.
fn parts(expression: &Expression) -> Vec<Expression> {
    let tree = &expression.tree;
    let mut parts = Vec::new();
    tree.walk(expression.id, &mut |event| {
        if let Event::Expr(id) = event {
            parts.push(Expression { tree: Arc::clone(tree), id });
        }
    });
    if matches!(tree.expr(expression.id), Expr::Splat { .. }) {
        parts.truncate(1);
    }
    parts
}

/// Returns the part of an object or of a `for` that a line stands for.
fn chosen(expression: &Expression, line: Span) -> Option<Expression> {
    let tree = &expression.tree;
    let begins = |id: ExprId| (line.start..line.end).contains(&tree.span(id).start);
    let chosen = match tree.expr(expression.id) {
        Expr::Object(items) => tree.list(items).iter().find(|item| begins(item.key))?.value,
        Expr::For(id) => {
            let parts = tree.for_expr(id);
            match begins(parts.collection) {
                true => expression.id,
                false => Some(parts.value).filter(|value| parts.key.is_some() && begins(*value))?,
            }
        }
        Expr::Missing
        | Expr::Literal(_)
        | Expr::Template { .. }
        | Expr::Traversal { .. }
        | Expr::Relative { .. }
        | Expr::Splat { .. }
        | Expr::Item
        | Expr::Call(_)
        | Expr::Conditional { .. }
        | Expr::Binary { .. }
        | Expr::Unary { .. }
        | Expr::Tuple(_)
        | Expr::Parens(_) => return None,
    };
    Some(Expression { tree: Arc::clone(tree), id: chosen })
}
