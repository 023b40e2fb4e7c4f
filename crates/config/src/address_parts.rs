//! Reads the parts of an address in a text: `module.a["k"].aws_vpc.main` is five names and a key.
//!
//! Every reader of addresses begins here. Each decides which objects it accepts, and reports its own errors.

use terrane_source::Span;
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, ExprId, Tree};
use terrane_value::SmolStr;

use crate::address::{InstanceKey, ModuleStep, ResourceMode};
use crate::address_word::AddressWord;

/// A part of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AddressPart {
    /// A name.
    Name(SmolStr),
    /// A key in brackets, or a number after a dot.
    Key(InstanceKey),
}

/// Returns the number of steps after the first name of an expression; `None` if it is not a name with steps.
pub fn step_count(tree: &Tree, expression: ExprId) -> Option<usize> {
    let Expr::Traversal { steps, .. } = tree.expr(expression) else { return None };
    Some(tree.list(steps).len())
}

/// Returns the parts of an address; `None` for an expression of another form, or with a key that is not a constant.
pub fn address_parts(tree: &Tree, expression: ExprId) -> Option<Vec<AddressPart>> {
    let Expr::Traversal { root_end, steps } = tree.expr(expression) else { return None };
    let root = Span::new(tree.span(expression).start, root_end);
    let root = AddressPart::Name(SmolStr::from(tree.slice(root)));
    let part = |step: &Step| match step {
        Step::Attr { name, .. } => Some(AddressPart::Name(SmolStr::from(tree.slice(*name)))),
        Step::Index { .. } | Step::LegacyIndex { .. } => written_key(tree, step).map(AddressPart::Key),
    };
    std::iter::once(Some(root)).chain(tree.list(steps).iter().map(part)).collect()
}

/// Returns the instance key in a step, if it is a constant.
pub fn written_key(tree: &Tree, step: &Step) -> Option<InstanceKey> {
    let index = |digits: &str| digits.parse().ok().map(InstanceKey::Index);
    match step {
        Step::Attr { .. } => None,
        Step::LegacyIndex { digits, .. } => index(tree.slice(*digits)),
        Step::Index { key, .. } => {
            let Expr::Literal(literal) = tree.expr(*key) else { return None };
            match literal {
                Literal::String(text) => Some(InstanceKey::Key(SmolStr::from(tree.text(text)))),
                Literal::Number => index(tree.expr_text(*key)),
                Literal::Bool(_) | Literal::Null => None,
            }
        }
    }
}

/// Returns the module call at the beginning of an address, and the parts after it.
pub fn split_call(parts: &[AddressPart]) -> Option<(ModuleStep, &[AddressPart])> {
    let [AddressPart::Name(word), AddressPart::Name(name), rest @ ..] = parts else { return None };
    let (key, rest) = split_key(rest);
    (AddressWord::MODULE == **word).then(|| (ModuleStep { name: name.clone(), key }, rest))
}

/// Returns the mode at the beginning of the address of a resource, and the parts after it. A resource
/// without a mode is managed.
pub fn split_mode(parts: &[AddressPart]) -> (ResourceMode, &[AddressPart]) {
    let (mode, rest) = match parts {
        [AddressPart::Name(word), rest @ ..] => (mode_of(word), rest),
        [] | [AddressPart::Key(_), ..] => (None, parts),
    };
    mode.map_or((ResourceMode::Managed, parts), |mode| (mode, rest))
}

/// Returns the mode of resources whose addresses begin with a word.
pub fn mode_of(word: &str) -> Option<ResourceMode> {
    let modes = [ResourceMode::Managed, ResourceMode::Data, ResourceMode::Ephemeral];
    modes.into_iter().find(|mode| mode.block_type() == word)
}

/// Returns the key at the beginning of `parts`, and the parts after it.
pub fn split_key(parts: &[AddressPart]) -> (InstanceKey, &[AddressPart]) {
    match parts {
        [AddressPart::Key(key), rest @ ..] => (key.clone(), rest),
        rest => (InstanceKey::None, rest),
    }
}
