//! Records the places of secrets in a file, so that no excerpt of a diagnostic shows them: see [`SourceFile::hide`].
//!
//! The parser calls it, because a file that has errors or is only formatted is never decoded. `json/secrets.rs` does the same
//! for JSON.

pub(crate) mod calls;
mod errors;
mod marks;

use std::cmp::Reverse;
use std::collections::HashSet;

use terrane_source::{Diagnostic, SourceFile, Span};

pub use self::calls::SENSITIVE_FUNCTION;
use self::errors::ErrorPlaces;
pub use self::errors::error_places;
pub(crate) use self::marks::{MARKS, has_mark, is_misspelt_mark, may_mark};
use crate::block_types::is_block_type;
use crate::tree::{Attribute, Block, BodyId, Call, For, Item, Literal, Part, Step};
use crate::walk::Event;
use crate::{Expr, ExprId, Expression, Parsed, Tree};

/// Hides the defaults of sensitive variables, the expressions of sensitive `local` blocks of Packer, and the literals in the
/// values of sensitive outputs. If such a block has a syntax error, hides its whole content, because an unclosed string may
/// contain the other arguments.
pub(crate) fn hide_secrets(source: &SourceFile, parsed: &Parsed<BodyId>) {
    let tree = &*parsed.tree;
    let errors = ErrorPlaces::of(&parsed.diagnostics);
    for item in tree.list(tree.body(parsed.root).items) {
        let Item::Block(id) = item else { continue };
        let block = tree.block(*id);
        let block_type = source.slice(block.block_type);
        let Some(argument) = secret_argument(block_type) else { continue };
        let content = Span::new(block.open.saturating_add(1), block.close_end);
        if errors.touch(content) {
            if may_mark(source.slice(content)) {
                source.hide(content);
            }
        } else if is_secret(tree, block) || has_misspelt_mark(tree, block) {
            tree.list(tree.body(block.body).items).iter().for_each(|item| hide_item(tree, *item, argument));
        }
    }
}

/// Hides the value in an item of a secret block whose value has the name `argument`.
pub(crate) fn hide_item(tree: &Tree, item: Item, argument: &str) {
    let source = tree.source();
    match item {
        Item::Attribute(id) => {
            let attribute = tree.attribute(id);
            match tree.name(attribute) {
                "type" => hide_defaults_in_type(tree, attribute.expr),
                "value" if argument == "value" => hide_operands(tree, attribute.expr),
                name if is_open(name) => {}
                _ => source.hide(tree.span(attribute.expr)),
            }
        }
        Item::Block(id) => {
            let block = tree.block(id);
            if !is_open_block(source.slice(block.block_type)) {
                // It may be a value whose equals sign is missing.
                source.hide(Span::new(block.block_type.end, block.close_end));
            }
        }
    }
}

/// Hides a text that is in no tree, if it may contain a secret: it may declare one, or a variable that another file makes one.
pub(crate) fn hide_possible_secrets(source: &SourceFile, text: Span) {
    if source.slice(text).contains("variable") || may_mark(source.slice(text)) {
        source.hide(text);
    }
}

/// Hides the arguments of [`SENSITIVE_FUNCTION`], and the words of errors in them. The whole text of arguments is hidden where a
/// call is not in the tree, or has an error beside it.
pub(crate) fn hide_sensitive_calls(tree: &Tree, diagnostics: &[Diagnostic]) {
    if tree.source().text().contains(SENSITIVE_FUNCTION) {
        hide_sensitive_arguments(tree);
        calls::hide_broken(tree, diagnostics);
    }
}

/// Hides the arguments of [`SENSITIVE_FUNCTION`] in the calls of a tree.
pub(crate) fn hide_sensitive_arguments(tree: &Tree) {
    for call in tree.calls().iter().filter(|call| is_sensitive_call(tree, call)) {
        for argument in tree.list(call.arguments) {
            hide_in(tree, *argument);
            tree.source().hide_value(SENSITIVE_FUNCTION, tree.span(*argument));
        }
    }
}

/// Whether a call makes its arguments secrets. The name counts in each namespace, because no function is known here.
fn is_sensitive_call(tree: &Tree, call: &Call) -> bool {
    // The first comparison is cheap, and few names pass it.
    tree.slice(call.name).ends_with(SENSITIVE_FUNCTION)
        && tree.function_name(call).rsplit("::").next() == Some(SENSITIVE_FUNCTION)
}

/// Returns the literals and keys in calls of [`SENSITIVE_FUNCTION`] within an expression, in order. One may be within another one.
pub fn secret_literals(expression: &Expression) -> Vec<Span> {
    let tree = &*expression.tree;
    let text = tree.slice(expression.span());
    // JSON may write a letter of the name as an escape sequence.
    if !text.contains(SENSITIVE_FUNCTION) && !text.contains('\\') {
        return Vec::new();
    }
    let mut secrets = Vec::new();
    // Each expression, and whether it is in a call.
    let mut left = vec![(expression.id, false)];
    while let Some((id, is_secret)) = left.pop() {
        if is_secret {
            literals(tree, id, &mut |literal| secrets.push(literal));
        }
        let is_call = matches!(tree.expr(id), Expr::Call(call) if is_sensitive_call(tree, tree.call(call)));
        tree.walk(id, &mut |event| {
            if let Event::Expr(part) = event {
                left.push((part, is_secret || is_call));
            }
        });
    }
    secrets.sort_by_key(|secret| (secret.start, Reverse(secret.end)));
    secrets
}

/// Hides the defaults of optional attributes in the type of a secret variable.
fn hide_defaults_in_type(tree: &Tree, ty: ExprId) {
    tree.expressions(ty, &mut |id| {
        if let Expr::Call(call) = tree.expr(id) {
            let arguments = tree.list(tree.call(call).arguments);
            arguments.iter().skip(1).for_each(|default| tree.source().hide(tree.span(*default)));
        }
    });
}

/// Returns the name of the argument with the value of a block of this type. A type that is not known may be a misspelt one.
pub(crate) fn secret_argument(block_type: &str) -> Option<&'static str> {
    match block_type {
        "variable" => Some("default"),
        "local" => Some("expression"),
        "output" => Some("value"),
        known if is_block_type(known) => None,
        _ => Some("default"),
    }
}

/// Whether the blocks of a type in a secret block have no secret texts.
pub(crate) fn is_open_block(block_type: &str) -> bool {
    ["validation", "precondition", "postcondition"].contains(&block_type)
}

/// Whether an argument of a secret block is no secret. Any other one may be a misspelt name of the argument with the value.
pub(crate) fn is_open(name: &str) -> bool {
    const OPEN: [&str; 5] = ["const", "depends_on", "deprecated", "description", "nullable"];
    MARKS.contains(&name) || OPEN.contains(&name)
}

/// Hides the literal texts, numbers, `true`, `false` and keys of an expression whose value is a secret.
pub fn hide_literals(expression: &Expression) {
    hide_in(&expression.tree, expression.id);
}

/// Hides literals and keys like [`hide_literals`], and references and names of functions that do not begin with a known word: they
/// may be texts without their quotes.
pub fn hide_secret(expression: &Expression, is_word: &dyn Fn(&str) -> bool) {
    let tree = &*expression.tree;
    let mut names = HashSet::new();
    tree.expressions(expression.id, &mut |id| {
        hide_one(tree, id);
        if let Expr::For(id) = tree.expr(id) {
            names.extend(bound_names(tree, tree.for_expr(id)));
        }
    });
    hide_names(tree, expression.id, &|word| names.contains(word) || is_word(word));
}

/// Hides names in the arguments of [`SENSITIVE_FUNCTION`] like [`hide_secret`]. The parser has hidden their literals and keys.
pub fn hide_names_in_sensitive_calls(tree: &Tree, is_word: &dyn Fn(&str) -> bool) {
    let mut calls = tree.calls().iter().filter(|call| is_sensitive_call(tree, call)).peekable();
    if calls.peek().is_none() {
        return;
    }
    // A call may be within the `for` expression that binds a name.
    let names: HashSet<&str> = tree.for_exprs().iter().flat_map(|found| bound_names(tree, found)).collect();
    let is_word = |word: &str| names.contains(word) || is_word(word);
    for call in calls {
        tree.list(call.arguments).iter().for_each(|argument| hide_names(tree, *argument, &is_word));
    }
}

/// Returns the names that a `for` expression binds.
fn bound_names<'t>(tree: &'t Tree, found: &For) -> impl Iterator<Item = &'t str> {
    found.key_name.into_iter().chain([found.value_name]).map(|name| tree.slice(name))
}

/// Hides references and names of functions that do not begin with a known word.
fn hide_names(tree: &Tree, id: ExprId, is_word: &dyn Fn(&str) -> bool) {
    let source = tree.source();
    tree.expressions(id, &mut |id| {
        if tree.root_name(id).is_some_and(|root| !is_word(root)) {
            source.hide(tree.span(id));
        }
        if let Expr::Relative { source: of, .. } = tree.expr(id)
            && matches!(tree.expr(of), Expr::Literal(_))
        {
            source.hide(tree.span(id));
        }
        if let Expr::Call(id) = tree.expr(id) {
            let call = tree.call(id);
            if !is_word(&tree.function_name(call)) {
                source.hide(call.name);
            }
        }
    });
}

/// Hides literals like [`hide_literals`], except empty texts and the keys of traversals, which are no part of the value.
fn hide_operands(tree: &Tree, id: ExprId) {
    let mut keys = HashSet::new();
    tree.expressions(id, &mut |id| {
        if let Expr::Traversal { steps, .. } | Expr::Relative { steps, .. } = tree.expr(id) {
            keys.extend(tree.list(steps).iter().filter_map(|step| match step {
                Step::Index { key, .. } => Some(*key),
                Step::Attr { .. } | Step::LegacyIndex { .. } => None,
            }));
        }
    });
    tree.expressions(id, &mut |id| {
        if !keys.contains(&id) && !matches!(tree.expr_text(id), "\"\"") {
            hide_one(tree, id);
        }
    });
}

fn hide_in(tree: &Tree, id: ExprId) {
    tree.expressions(id, &mut |id| hide_one(tree, id));
}

/// Hides the literals and keys of one expression, but not the literals and keys of the expressions inside.
fn hide_one(tree: &Tree, id: ExprId) {
    literals(tree, id, &mut |literal| tree.source().hide(literal));
}

/// Visits the literals and keys of one expression, but not the literals and keys of the expressions inside.
fn literals(tree: &Tree, id: ExprId, visit: &mut impl FnMut(Span)) {
    match tree.expr(id) {
        Expr::Object(items) => {
            let keys = tree.list(items).iter().map(|item| item.key);
            keys.filter(|key| tree.plain_key(*key).is_some()).for_each(|key| visit(tree.span(key)));
        }
        Expr::Literal(Literal::Bool(_) | Literal::Number | Literal::String(_)) => visit(tree.span(id)),
        Expr::Template { parts, .. } => {
            let parts = tree.list(parts);
            if parts.iter().any(|part| matches!(part, Part::If(_) | Part::For(_))) {
                // The text within directives is a literal, too.
                return visit(tree.span(id));
            }
            for part in parts {
                if let Part::Literal { span, .. } = part {
                    visit(*span);
                }
            }
        }
        Expr::Missing
        | Expr::Literal(Literal::Null)
        | Expr::Traversal { .. }
        | Expr::Relative { .. }
        | Expr::Splat { .. }
        | Expr::Item
        | Expr::Call(_)
        | Expr::Conditional { .. }
        | Expr::Binary { .. }
        | Expr::Unary { .. }
        | Expr::Tuple(_)
        | Expr::For(_)
        | Expr::Parens(_) => {}
    }
}

/// Whether a block declares itself a secret, or has such a declaration that cannot be read.
pub(crate) fn is_secret(tree: &Tree, block: &Block) -> bool {
    let mut marks = tree.attributes(block.body).filter(|attribute| MARKS.contains(&tree.name(attribute)));
    marks.any(|mark| !is_false(tree, mark))
}

/// Whether a block may be meant to declare itself a secret: an argument, or a block without its equals sign, resembles a mark.
pub(crate) fn has_misspelt_mark(tree: &Tree, block: &Block) -> bool {
    tree.attributes(block.body)
        .any(|attribute| is_misspelt_mark(tree.name(attribute)) && !is_false(tree, attribute))
        || tree.blocks(block.body).any(|nested| is_misspelt_mark(tree.block_type(nested)))
}

/// Whether the value of an argument is `false`.
pub(crate) fn is_false(tree: &Tree, attribute: &Attribute) -> bool {
    matches!(tree.expr(attribute.expr), Expr::Literal(Literal::Bool(false)))
}

#[cfg(test)]
mod tests {
    use terrane_source::FileId;

    use crate::{parse_body, parse_json};

    use super::*;

    fn shown(text: &str) -> String {
        let source = SourceFile::new(FileId::new("a.tf"), text);
        if text.starts_with('{') {
            parse_json(&source);
        } else {
            parse_body(&source);
        }
        let whole = Span::new(0, u32::try_from(text.len()).unwrap());
        source.shown(whole).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_default_of_a_sensitive_variable_is_hidden() {
        let text = "variable \"a\" {\n  default = [\n \"x\"]\n  MARK\n}\n";
        let with = |mark: &str| shown(&text.replace("MARK", mark));
        assert_eq!(with("sensitive = true"), "variable \"a\" { default = sensitive = true }");
        assert_eq!(with("ephemeral = \"true\""), "variable \"a\" { default = ephemeral = \"true\" }");
        assert_eq!(with("sensitive = false"), "variable \"a\" { default = [ \"x\"] sensitive = false }");
        let misspelt = "variable \"a\" {\n  sensitive = true\n  defualt = 1\n  description = 2\n}\n";
        assert_eq!(shown(misspelt), "variable \"a\" { sensitive = true defualt = description = 2 }");
        let block = "variable \"a\" {\n  sensitive = true\n  default { x = 1 }\n  validation {\n  condition = 2\n  }\n}\n";
        assert_eq!(shown(block), "variable \"a\" { sensitive = true default validation { condition = 2 } }");
        assert_eq!(shown("varable {\n  sensitive = true\n  x = 1\n}\n"), "varable { sensitive = true x = }");
        let local = "local \"a\" {\n  sensitive = true\n  expression = 1\n}\n";
        assert_eq!(shown(local), "local \"a\" { sensitive = true expression = }");
    }

    #[test]
    fn literals_of_a_secret_expression_are_hidden() {
        let hidden = |text: &str| {
            let source = SourceFile::new(FileId::new("a.tf"), text);
            let parsed = crate::parse_expr(&source);
            hide_literals(&Expression { tree: parsed.tree, id: parsed.root });
            source.shown(Span::new(0, u32::try_from(text.len()).unwrap())).into_owned()
        };
        assert_eq!(hidden("{ a = \"x\", b = [var.c, 12] }"), "{   =    ,   = [var.c,   ] }");
        assert_eq!(hidden("\"x${var.c}y\""), "\" ${var.c} \"");
        assert_eq!(hidden("\"%{ if true }x%{ endif }\"").trim(), "");
        assert_eq!(hidden("f(\"x\") ? a.b : true"), "f(   ) ? a.b :     ");
    }

    #[test]
    fn arguments_of_sensitive_are_hidden() {
        let text = "a = core::sensitive({ b = [\"x\", var.c] }).d + 1\n";
        assert_eq!(shown(text), "a = core::sensitive({ = [ , var.c] }).d + 1");
        assert_eq!(shown("a = nonsensitive(\"x\")\n"), "a = nonsensitive(\"x\")");
        assert_eq!(shown("a = core :: /* b */ sensitive (\"x\")\n"), "a = core :: /* b */ sensitive ( )");
        assert_eq!(shown("a = sensitive(true) && true\n"), "a = sensitive( ) && true");
    }

    #[test]
    fn defaults_in_the_type_of_a_sensitive_variable_are_hidden() {
        let text =
            "variable \"a\" {\n  type = object({ b = optional(string, \"x\") })\n  sensitive = true\n}\n";
        assert_eq!(
            shown(text),
            "variable \"a\" { type = object({ b = optional(string, ) }) sensitive = true }"
        );
    }

    #[test]
    fn broken_texts_with_secrets_are_hidden() {
        let text = "variable \"a\" {\n  default = \"x\n  sensitive = true\n}\nb = 1\n";
        assert!(!shown(text).contains('x'), "{}", shown(text));
        assert!(shown(text).starts_with("variable \"a\" {"));
        assert!(shown(&text.replace("sensitive = true", "")).contains('x'));
        assert_eq!(shown("{\"variable\": {\"a\": {\"sensitive\": true, \"default\": \"x\"}}"), "");
    }

    #[test]
    fn secrets_in_json_are_hidden() {
        let text = "{\"variable\": [{\"a\": {\"MARK\": true, \"default\": [\"x\"]}}]}";
        assert_eq!(
            shown(&text.replace("MARK", "sensitive")),
            "{\"variable\": [{\"a\": {\"sensitive\": true, \"default\": }}]}"
        );
        assert!(shown(&text.replace("MARK", "nullable")).contains('x'));
        assert!(shown(&text.replace("MARK", "sensitive").replace("true", "false")).contains('x'));
    }
}
