//! A test for ASCII that is fast for short texts, such as most strings of a configuration.

/// Does the same as [`str::is_ascii`], which tests each byte after the last whole word separately. Here the last bytes
/// are tested as a word as well, which overlaps the word before.
#[doc(hidden)]
#[inline]
pub fn is_ascii(text: &str) -> bool {
    /// Longer texts are tested faster in blocks.
    const SHORT: usize = 24;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let bytes = text.as_bytes();
    if bytes.len() > SHORT {
        return bytes.is_ascii();
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let middle =
            bytes.get(8..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_ne_bytes(*bytes));
        return (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last) | middle) & HIGH == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return u64::from(u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & HIGH == 0;
    }
    bytes.iter().fold(0, |all, byte| all | byte).is_ascii()
}

#[cfg(test)]
mod tests {
    use super::is_ascii;

    #[test]
    fn each_byte_counts() {
        for length in 0..40 {
            let text = "a".repeat(length);
            assert!(is_ascii(&text), "{length}");
            for place in 0..=length {
                let mut other = text.clone();
                other.insert(place, '\u{e9}');
                assert!(!is_ascii(&other), "{other}");
            }
        }
    }
}
