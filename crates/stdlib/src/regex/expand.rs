//! Expands group references in replacement texts.

/// A reference to a group in a replacement text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GroupReference<'t> {
    Number(usize),
    Name(&'t str),
}

/// Calls `add` with each part of `template`, with `$1`, `$name`, `${1}` and `${name}` replaced by the text from `group`, and
/// `$$` by `$`. A `$` before any other character stands for itself.
pub(super) fn expand<'t, E>(
    template: &'t str,
    group: impl Fn(GroupReference<'t>) -> &str,
    mut add: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut template = template;
    while let Some((before, rest)) = template.split_once('$') {
        add(before)?;
        template = rest;
        if let Some(rest) = template.strip_prefix('$') {
            add("$")?;
            template = rest;
        } else if let Some((name, rest)) = reference(template) {
            add(group(name))?;
            template = rest;
        } else {
            add("$")?;
        }
    }
    add(template)
}

/// Returns the reference at the start of `text`, after its `$`, and the remaining text; `None` if there is no reference. A name
/// is as long as possible: `$1x` is the group `1x`.
fn reference(text: &str) -> Option<(GroupReference<'_>, &str)> {
    let braced = text.strip_prefix('{');
    let text = braced.unwrap_or(text);
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    let rest = if braced.is_some() { rest.strip_prefix('}')? } else { rest };
    if name.is_empty() {
        return None;
    }
    let is_number = name.len() <= 9 && name.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number && (name == "0" || !name.starts_with('0')) { name.parse().ok() } else { None };
    Some((number.map_or(GroupReference::Name(name), GroupReference::Number), rest))
}
