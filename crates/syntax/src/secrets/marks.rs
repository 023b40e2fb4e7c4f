//! The arguments that declare a secret, also where the text is damaged.

/// The arguments that declare a secret.
pub(crate) const MARKS: [&str; 2] = ["sensitive", "ephemeral"];

/// The number of letters of a mark that may be missing, added or changed.
const MAX_CHANGES: usize = 2;

/// Whether a text contains a mark.
pub(crate) fn has_mark(text: &str) -> bool {
    MARKS.iter().any(|mark| text.contains(mark))
}

/// Whether a text contains a mark, also with other characters than letters in it, or with at most two letters that differ.
pub(crate) fn may_mark(text: &str) -> bool {
    has_mark(text) || MARKS.iter().any(|mark| contains_similar(text, mark))
}

/// Whether a name resembles a mark without being one.
pub(crate) fn is_misspelt_mark(name: &str) -> bool {
    // Most names are short ones or these, which saves the comparison.
    const FREQUENT: [&str; 6] =
        ["default", "depends_on", "description", "expression", "nullable", "validation"];
    let is_long = name.len() + MAX_CHANGES >= "sensitive".len();
    is_long && !FREQUENT.contains(&name) && !MARKS.contains(&name) && may_mark(name)
}

/// Whether the letters of a text contain those of a mark with at most [`MAX_CHANGES`] changes.
fn contains_similar(text: &str, mark: &str) -> bool {
    // For each letter, the places in the mark as bits. The same bits of `ends` say which beginnings of the mark end at a letter of the
    // text, one number for each number of changes.
    let mut places = [0u16; 26];
    let mut bit = 1;
    for letter in mark.bytes() {
        if let Some(place) = letter_index(letter).and_then(|index| places.get_mut(index)) {
            *place |= bit;
        }
        bit <<= 1;
    }
    let last = bit >> 1;
    let mut ends: [u16; MAX_CHANGES + 1] = std::array::from_fn(|changes| (1 << changes) - 1);
    for letter in text.bytes().filter_map(letter_index) {
        let place = places.get(letter).copied().unwrap_or_default();
        let mut fewer: Option<(u16, u16)> = None;
        for end in &mut ends {
            let before = *end;
            let same = ((before << 1) | 1) & place;
            *end = match fewer {
                // A letter is added, changed or missing.
                Some((old, new)) => same | old | (old << 1) | (new << 1) | 1,
                None => same,
            };
            fewer = Some((before, *end));
        }
        if ends.iter().any(|end| end & last != 0) {
            return true;
        }
    }
    false
}

/// Returns the number of an ASCII letter in the alphabet.
fn letter_index(byte: u8) -> Option<usize> {
    byte.is_ascii_alphabetic().then(|| usize::from(byte.to_ascii_lowercase() - b'a'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_mark_keeps_most_of_its_letters() {
        for text in [
            "sensitive = true",
            "sensi tive = true",
            "sens@itive",
            "senstive true",
            "sensitve",
            "nsitive = true",
            "sensiti\n",
            "= sensotivr",
            "Ephemral",
            "x ephe{meral",
            "is_sensitive",
        ] {
            assert!(may_mark(text), "{text}");
        }
        for text in
            ["", "true", "positive", "expensive", "intensive", "sensible", "peripheral", "default", "sens"]
        {
            assert!(!may_mark(text), "{text}");
        }
        assert!(is_misspelt_mark("sensitve") && !is_misspelt_mark("sensitive") && !is_misspelt_mark("type"));
    }
}
