//! Finds the names that loops bind around the end of an input that is being typed.

/// A `for` whose body is not closed yet.
#[derive(Debug, PartialEq)]
pub(super) struct Loop<'t> {
    /// The name of the key or position, if there is one.
    pub(super) key: Option<&'t str>,
    /// The name of the element.
    pub(super) element: &'t str,
    /// The collection expression, as it is written.
    pub(super) collection: &'t str,
}

/// Returns the loops that are open at the end of `text`, outermost first.
pub(super) fn open_loops(text: &str) -> Vec<Loop<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let heads = text.match_indices("for ").filter(|(start, _)| {
        // `for` must not be the end of another name.
        !text.get(..*start).unwrap_or_default().ends_with(is_word)
    });
    heads.filter_map(|(start, word)| Loop::of(text.get(start + word.len()..)?)).collect()
}

impl<'t> Loop<'t> {
    /// Returns the loop behind the word `for`, if its body is open at the end.
    fn of(text: &'t str) -> Option<Loop<'t>> {
        let (names, rest) = text.split_once(" in ")?;
        let (key, element) = match names.split_once(',') {
            Some((key, element)) => (Some(key.trim()), element.trim()),
            None => (None, names.trim()),
        };
        let is_name = |name: &str| terrane::syntax::is_identifier(name);
        if !is_name(element) || !key.is_none_or(is_name) {
            return None;
        }
        let colon = end_of_collection(rest)?;
        let body = rest.get(colon + 1..)?;
        let collection = rest.get(..colon)?.trim();
        (!is_closed(body)).then_some(Loop { key, element, collection })
    }
}

/// Returns the position of the colon behind a collection.
fn end_of_collection(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_quoted = false;
    let mut characters = text.char_indices().peekable();
    while let Some((position, character)) = characters.next() {
        match character {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth = depth.checked_sub(1)?,
            // The name of a provider's function may have two colons.
            ':' if characters.next_if(|(_, next)| *next == ':').is_some() => {}
            ':' if depth == 0 => return Some(position),
            _ => {}
        }
    }
    None
}

/// Whether `body` closes a bracket that it has not opened.
fn is_closed(body: &str) -> bool {
    let mut depth = 0_usize;
    for character in body.chars() {
        match character {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' if depth == 0 => return true,
            ']' | '}' | ')' => depth -= 1,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_open_until_their_bracket_is_closed() {
        let found = |text| -> Vec<(Option<&str>, &str, &str)> {
            open_loops(text).into_iter().map(|open| (open.key, open.element, open.collection)).collect()
        };
        assert_eq!(found("[for s in var.list : s"), [(None, "s", "var.list")]);
        assert_eq!(
            found("{for k, v in { a = core::abs(1) } : k => v."),
            [(Some("k"), "v", "{ a = core::abs(1) }")]
        );
        assert_eq!(
            found("[for a in var.m[\"x:y\"] : [for b in a.c : b"),
            [(None, "a", "var.m[\"x:y\"]"), (None, "b", "a.c")]
        );
        assert!(found("[for s in var.list : s] + s").is_empty());
        assert!(found("[for s in var.list").is_empty() && found("[for s").is_empty());
        assert!(found("var.for x in y : z").is_empty() && found("[for 1 in a : b").is_empty());
        assert_eq!(found("%{ for x in a : \u{e9}").len(), 1);
    }
}
