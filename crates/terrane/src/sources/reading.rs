//! Finds the parts of a value that an expression uses: the whole value, some paths in it, or only the number and keys of its elements.

use terrane_eval::FunctionTable;
use terrane_function::{ResultParts, Skipped};
use terrane_source::Span;
use terrane_syntax::tree::{For, Literal, Step};
use terrane_syntax::walk::Event;
use terrane_syntax::{Expr, ExprId, Expression, Tree};
use terrane_value::SmolStr;

/// Longer expressions count as reading all of the values in them, because the search for each name takes time that grows with
/// the length.
const MAX_BYTES: u32 = 4096;

/// The parts of a value that an expression uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// The parts at these paths. An empty path is the whole value.
    Parts(Vec<Vec<SmolStr>>),
    /// The number and the keys of the elements.
    Keys,
}

/// Returns the names in the text of a path. Keys and positions in brackets are left out.
pub(crate) fn names_of(path: &str) -> Vec<SmolStr> {
    let names = path.split('.').map(|step| step.split('[').next().unwrap_or_default());
    names.filter(|name| !name.is_empty()).map(SmolStr::from).collect()
}

/// Returns the parts that an expression uses of one value: the value of the name at `name`. With `has_instances` that value has
/// an element for each instance of a block. `None` if the expression is too long to search.
pub(crate) fn reading(
    expression: &Expression,
    name: Span,
    has_instances: bool,
    functions: &FunctionTable,
) -> Option<Reading> {
    let tree = &*expression.tree;
    if expression.span().len() > MAX_BYTES {
        return None;
    }
    let mut around = vec![expression.id];
    while let Some(inner) = around.last().and_then(|outer| inner(tree, *outer, name)) {
        around.push(inner);
    }
    let at = around.pop()?;
    let Expr::Traversal { steps, .. } = tree.expr(at) else { return None };
    let mut followed =
        FollowedValue { tree, functions, names: Vec::new(), is_block: has_instances, has_elements: false };
    let behind = |step: &&Step| span(step).start >= name.end;
    let steps: Vec<Step> = tree.list(steps).iter().filter(behind).copied().collect();
    let is_open = followed.steps(&steps);
    let mut child = at;
    for outer in around.into_iter().rev().filter(|_| is_open) {
        match followed.outward(outer, child) {
            Outward::On => child = outer,
            Outward::Ends => break,
            Outward::Reads(reading) => return Some(reading),
        }
    }
    Some(Reading::Parts(vec![followed.names]))
}

/// Returns the span of the part of an expression that becomes the part at a path in its value. The path is followed through
/// object expressions whose keys are names.
pub(crate) fn part_at(expression: &Expression, path: &[SmolStr]) -> Span {
    let tree = &*expression.tree;
    let mut at = expression.id;
    let mut left = path;
    loop {
        let (items, name) = match (tree.expr(at), left.split_first()) {
            (Expr::Parens(inner), _) => {
                at = inner;
                continue;
            }
            (Expr::Object(items), Some((name, rest))) => {
                left = rest;
                (tree.list(items), name)
            }
            _ => return tree.span(at),
        };
        let key = |id| {
            if let Expr::Literal(Literal::String(text)) = tree.expr(id) {
                return Some(tree.text(text));
            }
            tree.plain_key(id)
        };
        // In a path, a key with a dot looks like two names.
        let is_certain = items.iter().all(|item| key(item.key).is_some_and(|key| !key.contains('.')));
        match items.iter().find(|item| key(item.key) == Some(name.as_str())).filter(|_| is_certain) {
            Some(item) => at = item.value,
            None => return tree.span(at),
        }
    }
}

/// Returns the innermost child of an expression that contains a name.
fn inner(tree: &Tree, of: ExprId, name: Span) -> Option<ExprId> {
    let mut found = None;
    tree.walk(of, &mut |event| {
        if let Event::Expr(id) = event
            && tree.span(id).start <= name.start
            && name.end <= tree.span(id).end
        {
            found = found.or(Some(id));
        }
    });
    found
}

fn span(step: &Step) -> Span {
    match step {
        Step::Attr { name, .. } => *name,
        Step::LegacyIndex { digits, .. } => *digits,
        Step::Index { brackets, .. } => *brackets,
    }
}

/// A value while it is followed from its name outward through the expression.
struct FollowedValue<'t> {
    tree: &'t Tree,
    functions: &'t FunctionTable,
    /// The path in the value of the name.
    names: Vec<SmolStr>,
    /// Whether the value has an element for each instance, and these elements are the instances themselves.
    is_block: bool,
    /// Whether the value has an element for each instance, and these elements are parts of the instances.
    has_elements: bool,
}

/// The relation of the value of an expression to the followed value inside of it.
enum Outward {
    /// The value of the expression has the parts of the followed value.
    On,
    /// The expression computes a value of its own from the followed value.
    Ends,
    /// The expression uses only these parts of the followed value.
    Reads(Reading),
}

impl FollowedValue<'_> {
    /// Follows steps as far as their names are known. Returns whether all names are known.
    fn steps(&mut self, steps: &[Step]) -> bool {
        for step in steps {
            match step {
                Step::Attr { name, .. } => self.names.extend(names_of(self.tree.slice(*name))),
                // The index is the key of an instance.
                Step::Index { .. } if self.is_block => {}
                Step::LegacyIndex { .. } => {}
                Step::Index { key, .. } => {
                    let text = self.tree.expr_text(*key);
                    let is_text = matches!(self.tree.expr(*key), Expr::Literal(Literal::String(_)));
                    if is_text && !text.contains('\\') {
                        self.names.extend(names_of(text.trim_matches('"')));
                    } else if !matches!(self.tree.expr(*key), Expr::Literal(Literal::Number)) {
                        return false;
                    }
                }
            }
            (self.is_block, self.has_elements) = (false, false);
        }
        true
    }

    fn outward(&mut self, outer: ExprId, child: ExprId) -> Outward {
        let on = |is_open: bool| if is_open { Outward::On } else { Outward::Ends };
        match self.tree.expr(outer) {
            Expr::Parens(_) => Outward::On,
            Expr::Relative { source, steps } if source == child => on(self.steps(self.tree.list(steps))),
            Expr::Splat { source, each, .. } if source == child => {
                let has_elements = self.is_block;
                self.is_block = false;
                let is_open = self.each(each);
                self.has_elements = has_elements;
                on(is_open)
            }
            Expr::Conditional { yes, no, .. } if child == yes || child == no => Outward::On,
            Expr::Call(call) => {
                let call = self.tree.call(call);
                let is_first = self.tree.list(call.arguments).first() == Some(&child);
                self.call(self.functions.result_parts(&self.tree.function_name(call)), is_first)
            }
            Expr::For(id) if self.tree.for_expr(id).collection == child => {
                self.elements(self.tree.for_expr(id))
            }
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Template { .. }
            | Expr::Traversal { .. }
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_) => Outward::Ends,
        }
    }

    /// Follows the steps of a splat into each element. Returns whether all names are known.
    fn each(&mut self, mut each: ExprId) -> bool {
        let mut all = Vec::new();
        while let Expr::Relative { source, steps } = self.tree.expr(each) {
            all.push(steps);
            each = source;
        }
        let is_item = matches!(self.tree.expr(each), Expr::Item);
        is_item && all.into_iter().rev().all(|steps| self.steps(self.tree.list(steps)))
    }

    /// Follows the value as an argument of a function.
    fn call(&mut self, parts: ResultParts, is_first: bool) -> Outward {
        match parts {
            ResultParts::Keys if self.is_block || self.has_elements => Outward::Reads(Reading::Keys),
            ResultParts::Concatenated | ResultParts::FirstOf(Skipped::Errors) => Outward::On,
            ResultParts::Argument | ResultParts::SensitiveArgument | ResultParts::NonsensitiveArgument => {
                Outward::On
            }
            ResultParts::Elements | ResultParts::Reversed => Outward::On,
            ResultParts::Slice if is_first => Outward::On,
            ResultParts::OnlyElement | ResultParts::ElementAt if is_first => {
                (self.is_block, self.has_elements) = (false, false);
                Outward::On
            }
            ResultParts::Computed
            | ResultParts::Keys
            | ResultParts::FirstOf(_)
            | ResultParts::Merged
            | ResultParts::ElementOrDefault
            | ResultParts::OnlyElement
            | ResultParts::ElementAt
            | ResultParts::Slice
            | ResultParts::Flattened
            | ResultParts::SomeElements => Outward::Ends,
        }
    }

    /// Follows the uses of an element in a loop.
    fn elements(&self, parts: &For) -> Outward {
        let element = self.tree.slice(parts.value_name);
        let mut uses = Vec::new();
        for part in [parts.key, Some(parts.value), parts.condition].into_iter().flatten() {
            self.tree.free_traversals(part, &mut |used| {
                if self.tree.root_name(used) == Some(element) {
                    uses.push(used);
                }
            });
        }
        if uses.is_empty() && (self.is_block || self.has_elements) {
            return Outward::Reads(Reading::Keys);
        }
        let path = |used: ExprId| {
            let mut element =
                FollowedValue { names: self.names.clone(), is_block: false, has_elements: false, ..*self };
            if let Expr::Traversal { steps, .. } = self.tree.expr(used) {
                element.steps(self.tree.list(steps));
            }
            element.names
        };
        match uses.is_empty() {
            true => Outward::Ends,
            false => Outward::Reads(Reading::Parts(uses.into_iter().map(path).collect())),
        }
    }
}
