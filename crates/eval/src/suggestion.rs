/// That of `names` which is so close to `given` that it was probably meant: fewer than three letters differ,
/// and not all of them.
pub fn closest_name<N: AsRef<str>>(given: &str, names: impl IntoIterator<Item = N>) -> Option<N> {
    /// Longer names are compared with nothing: the comparison takes time that grows with the square.
    const LONGEST: usize = 100;
    if given.len() > LONGEST {
        return None;
    }
    let limit = given.chars().count().min(3);
    let letters = letters(given);
    let candidates = names.into_iter().filter(|name| {
        let name = name.as_ref();
        // Each difference changes the length by at most one letter, and which letters there are by at most two.
        let differing = (self::letters(name) ^ letters).count_ones() as usize;
        name.len() <= LONGEST && name.len().abs_diff(given.len()) < 4 * limit && differing < 2 * limit
    });
    candidates
        .map(|name| (strsim::osa_distance(given, name.as_ref()), name))
        .filter(|(distance, _)| *distance < limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A set of the bytes in a text, in which some share a place.
fn letters(text: &str) -> u64 {
    text.chars().fold(0, |set, letter| set | 1 << (u32::from(letter) % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_found() {
        assert_eq!(closest_name("vra", ["local", "var"]), Some("var"));
        assert_eq!(closest_name("regio", ["name", "region"]), Some("region"));
        assert_eq!(closest_name("abcdef", ["xycdef"]), Some("xycdef"));
        assert_eq!(closest_name("abc", ["xyz"]), None);
        assert_eq!(closest_name("a", ["b"]), None);
        assert_eq!(closest_name("straße", ["strasse"]), Some("strasse"));
    }
}
