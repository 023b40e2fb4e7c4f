//! Finds the types whose header a line may be, after an edit has taken a piece of it or changed a character.

use crate::decode::block_type::{BLOCK_TYPES, BlockType, Declares};
use crate::model::declaration_kind::{DeclarationKind, KindSet};
use crate::model::header_line::{HeaderLine, HeaderType};

/// Returns the line, if it may be what is left of a header with labels. The block of a check is left out: the names that it declares
/// are in its body.
pub(crate) fn left_header(line: &str) -> Option<HeaderLine> {
    let types = BLOCK_TYPES
        .iter()
        .filter(|block_type| !block_type.labels.is_empty() && block_type.declares != Declares::Check);
    HeaderLine::of(line, types.filter_map(header_type))
}

/// Returns the kinds of the declarations in the body below a line that may be what is left of a header without labels.
pub(crate) fn kinds_below(line: &str) -> KindSet {
    let types = BLOCK_TYPES.iter().filter(|block_type| block_type.labels.is_empty());
    let line = HeaderLine::of(line, types.filter_map(header_type));
    line.map_or(KindSet::default(), |line| line.kinds())
}

fn header_type(block_type: &BlockType) -> Option<HeaderType> {
    // The block around requirements may be lost, too.
    let of_nested =
        (block_type.declares == Declares::Misplaced).then_some(&[DeclarationKind::Requirement][..]);
    let kinds: KindSet = block_type.kinds().or(of_nested)?.iter().copied().collect();
    let header = HeaderType { name: block_type.name, labels: block_type.labels.len(), kinds };
    Some(header).filter(|_| !kinds.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_header_tells_its_kinds() {
        let kinds = |line: &str| {
            let left = left_header(line).map_or(KindSet::default(), |line| line.kinds());
            DeclarationKind::ALL.into_iter().filter(|kind| left.contains(*kind)).collect::<Vec<_>>()
        };
        assert_eq!(kinds("o {"), [DeclarationKind::Output]);
        assert_eq!(kinds("o tput \"x\" {"), [DeclarationKind::Output]);
        assert_eq!(kinds("t \"x\" {"), [DeclarationKind::Output]);
        assert_eq!(kinds("foo \"x\" {"), []);
        assert!(kinds_below("l cals {").contains(DeclarationKind::Local));
        for line in ["rraform {", "d_providers {", "uired_providers {"] {
            assert!(kinds_below(line).contains(DeclarationKind::Requirement), "{line}");
        }
        assert!(kinds_below("foo {").is_empty() && kinds_below("o \"x\" {").is_empty());
    }
}
