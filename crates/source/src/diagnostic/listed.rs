//! Shortens lists in messages, which name only the first items.

/// Returns the first items of a list, and the number of the remaining ones. `None` for an empty list.
pub fn first_of(items: impl IntoIterator<Item = String>, most: usize) -> Option<String> {
    let mut items: Vec<String> = items.into_iter().collect();
    let more = items.len().saturating_sub(most);
    items.truncate(most);
    let first = items.join(", ");
    match (items.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(first),
        (false, more) => Some(format!("{first} and {more} more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_its_first_items() {
        let list = |number: u32| first_of((0..number).map(|item| item.to_string()), 2);
        assert_eq!((list(0), list(2).as_deref()), (None, Some("0, 1")));
        assert_eq!(list(4).as_deref(), Some("0, 1 and 2 more"));
    }
}
