//! Orders the elements of a set as the providers' plugin SDK does: by the decimal text of a hash of their serialization.

use std::collections::BTreeMap;

use super::json::checksum;

/// Returns the elements of a set in the SDK's order, from pairs of serialization and element; equal elements count once.
pub(super) fn in_order<T>(elements: impl IntoIterator<Item = (String, T)>) -> Vec<T> {
    let by_hash: BTreeMap<String, T> =
        elements.into_iter().map(|(text, element)| (checksum(&text), element)).collect();
    by_hash.into_values().collect()
}

/// Returns the serialization of a list of texts.
pub(super) fn list(texts: &[String]) -> String {
    format!("({})", members(texts.iter().map(String::as_str)))
}

/// Returns the serialization of a set of texts.
pub(super) fn set<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let elements = texts.into_iter().map(|text| (format!("{text};"), text));
    format!("{{{}}}", members(in_order(elements).into_iter()))
}

fn members<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.map(|text| format!("{text};")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_sorted_by_the_text_of_their_hash() {
        // The hashes are 3904355907, 1908338681 and 112844655.
        assert_eq!(in_order(["a", "b", "c"].map(|text| (text.to_owned(), text))), ["c", "b", "a"]);
        let expected: String = in_order(["a;", "b;"].map(|text| (text.to_owned(), text))).concat();
        assert_eq!(set(["b", "a", "b"]), format!("{{{expected}}}"));
        assert_eq!(list(&["b".to_owned(), "a".to_owned()]), "(b;a;)");
    }
}
