//! Reads durations in the notation of Packer.

/// Whether a text is a duration for Packer: numbers with units, such as `1h30m` or `-1.5s`, or `0`.
pub(crate) fn is_duration(text: &str) -> bool {
    const UNITS: [&str; 8] = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"];
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = rest.strip_suffix(unit).unwrap_or_default();
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        if digits == 0 || number.len() - digits > 1 {
            return false;
        }
        // If two units match, the longer one is meant.
        let longest = UNITS.iter().filter(|name| unit.starts_with(**name)).max_by_key(|name| name.len());
        match longest.and_then(|name| unit.strip_prefix(name)) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_duration;

    #[test]
    fn durations_are_numbers_with_units() {
        for text in ["0", "10s", "1h30m", "-1.5s", "1m0.5s", "5µs", "100ms"] {
            assert!(is_duration(text), "{text}");
        }
        for text in ["", "ten", "10", "s", "1.2.3s", "1d", ".s", "+"] {
            assert!(!is_duration(text), "{text}");
        }
    }
}
