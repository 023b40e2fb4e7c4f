/// That of `names` which is so close to `given` that it was probably meant: fewer than three letters differ,
/// and not all of them.
pub fn closest_name<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    /// Longer names are compared with nothing: the comparison takes time that grows with the square.
    const LONGEST: usize = 100;
    if given.len() > LONGEST {
        return None;
    }
    let limit = given.chars().count().min(3);
    let candidates = names.into_iter().filter(|name| name.len() <= LONGEST);
    let distances = candidates.map(|name| (strsim::osa_distance(given, name), name));
    distances
        .filter(|(distance, _)| *distance < limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_found() {
        assert_eq!(closest_name("vra", ["local", "var"]), Some("var"));
        assert_eq!(closest_name("regio", ["name", "region"]), Some("region"));
        assert_eq!(closest_name("abc", ["xyz"]), None);
        assert_eq!(closest_name("a", ["b"]), None);
    }
}
