//! Finds the types of blocks whose damaged header a line may be.

use crate::decode::block_type::{BLOCK_TYPES, BlockType, Declares};
use crate::model::declaration_kind::{DeclarationKind, KindSet};
use crate::model::hidden::header_line::{HeaderLine, HeaderType};

/// Returns a line that may be the damaged header of a block with labels; `None` for any other line. `check` blocks do not count,
/// because references lead to the data sources in their bodies.
pub(crate) fn damaged_header(line: &str) -> Option<HeaderLine> {
    let types = BLOCK_TYPES
        .iter()
        .filter(|block_type| !block_type.labels.is_empty() && block_type.declares != Declares::Check);
    HeaderLine::of(line, types.filter_map(header_type))
}

/// Returns the kinds of declarations that the body below a line may contain, if the line may be the damaged header of a block
/// without labels, such as `locals`.
pub(crate) fn kinds_below(line: &str) -> KindSet {
    let types = BLOCK_TYPES.iter().filter(|block_type| block_type.labels.is_empty());
    let line = HeaderLine::of(line, types.filter_map(header_type));
    line.map_or(KindSet::default(), |line| line.kinds())
}

fn header_type(block_type: &BlockType) -> Option<HeaderType> {
    // The header of the `terraform` block around `required_providers` may be deleted, too.
    let of_nested =
        (block_type.declares == Declares::Misplaced).then_some(&[DeclarationKind::Requirement][..]);
    let kinds: KindSet = block_type.kinds().or(of_nested)?.iter().copied().collect();
    let header = HeaderType { name: block_type.name, labels: block_type.labels.len(), kinds };
    Some(header).filter(|_| !kinds.is_empty())
}

/// Whether a line has nothing of a header but the brace of the body, and a quote or space before it.
pub(crate) fn is_bare_brace(line: &str) -> bool {
    let before = line.trim_end().strip_suffix('{');
    before.is_some_and(|before| before.trim_start().trim_start_matches('"').trim_start().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_header_tells_its_kinds() {
        let kinds = |line: &str| {
            let left = damaged_header(line).map_or(KindSet::default(), |line| line.kinds());
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
