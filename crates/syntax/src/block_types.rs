//! The types of blocks at the top of files, and the lines that begin such blocks.

/// The types of blocks at the top of a file of a module. The decoder of modules has the same ones.
pub const MODULE_BLOCKS: &[&str] = &[
    "action",
    "check",
    "data",
    "ephemeral",
    "import",
    "language",
    "locals",
    "module",
    "moved",
    "output",
    "provider",
    "removed",
    "resource",
    "terraform",
    "variable",
];

/// The types of blocks at the top of a file of a Packer template. The decoder of templates has the same ones.
pub const TEMPLATE_BLOCKS: &[&str] = &[
    "build",
    "communicator",
    "data",
    "hcp_packer_registry",
    "local",
    "locals",
    "packer",
    "source",
    "variable",
    "variables",
];

/// The types of blocks at the top of the files of tests and queries, which nothing decodes.
const OTHER_BLOCKS: &[&str] = &[
    "list",
    "mock_data",
    "mock_provider",
    "mock_resource",
    "override_data",
    "override_module",
    "override_resource",
    "run",
    "test",
];

/// Whether blocks of a type may stand at the top of a file.
pub fn is_block_type(word: &str) -> bool {
    block_types().any(|known| known == word)
}

/// Returns the types of blocks at the top of a file.
pub(crate) fn block_types() -> impl Iterator<Item = &'static str> {
    [MODULE_BLOCKS, TEMPLATE_BLOCKS, OTHER_BLOCKS].into_iter().flatten().copied()
}

/// Whether a character may stand in a name, in text that need not be valid.
pub fn is_part_of_name(found: char) -> bool {
    found.is_alphanumeric() || matches!(found, '_' | '-')
}

/// Whether a line looks like the header of a block: a known type, labels, and an opening brace.
pub(crate) fn starts_block(line: &str) -> bool {
    let end = line.find(|found| !is_part_of_name(found)).unwrap_or(line.len());
    let (block_type, mut rest) = line.split_at(end);
    if !is_block_type(block_type) {
        return false;
    }
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        if rest.starts_with('{') {
            return true;
        }
        let behind = match rest.strip_prefix('"') {
            Some(label) => label.split_once('"').map(|(_, behind)| behind),
            None => Some(rest.trim_start_matches(is_part_of_name)),
        };
        match behind {
            Some(behind) if behind.len() < rest.len() => rest = behind,
            Some(_) | None => return false,
        }
    }
}
