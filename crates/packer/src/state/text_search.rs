//! Finds many texts in another one at once, in time that grows with the length of both and not with their product.
//!
//! At each byte it looks for the longest text that begins there, by the bits of its length from the highest one: a text of
//! 13 bytes is found by its first 8 bytes, then 12, then all 13. The memory is bounded by the number of texts, not by their
//! length: only the hashes of these beginnings are kept, up to 60 bytes for each bit that is set in the length of a text.
//! [`SecretTexts`](super::secrets::SecretTexts) searches with it for the texts that output hides.

use std::collections::HashMap;
use std::ops::{Index, IndexMut, Range};

use foldhash::fast::RandomState;

/// The number of bytes of a text that are hashed at once, unless a text to search for is longer. Each takes 16 bytes.
const WINDOW: usize = 1 << 20;

/// The modulus of hashes, a prime.
const MODULUS: u64 = (1 << 61) - 1;

/// The texts to search for.
#[derive(Clone, Debug)]
pub(super) struct TextSearch {
    /// The bases of hashes to the powers of 1, 2, 4 and so on.
    powers: Vec<Hash>,
    /// The length of the longest text that each beginning begins with, or 0.
    beginnings: HashMap<Hash, usize, RandomState>,
    /// The bits in the lengths of texts, by the first byte of the texts.
    bits: Box<ByByte>,
    /// The length of the longest text.
    longest: usize,
}

/// A number for each byte.
#[derive(Clone, Debug)]
struct ByByte([usize; 256]);

#[expect(clippy::indexing_slicing, reason = "a byte is always an index of a table of 256")]
impl Index<u8> for ByByte {
    type Output = usize;

    fn index(&self, byte: u8) -> &usize {
        &self.0[usize::from(byte)]
    }
}

#[expect(clippy::indexing_slicing, reason = "a byte is always an index of a table of 256")]
impl IndexMut<u8> for ByByte {
    fn index_mut(&mut self, byte: u8) -> &mut usize {
        &mut self.0[usize::from(byte)]
    }
}

/// Two polynomials over the bytes of a text.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
struct Hash(u64, u64);

impl Hash {
    /// The bases of the polynomials. They follow from the texts to search for, which are secret: nobody else can write a text
    /// that has the same hash as another one.
    fn base(texts: &[&str]) -> Hash {
        let multipliers = Hash(0x1234_5678_9abc_def1, 0x0fed_cba9_8765_4321);
        let bytes = texts.iter().flat_map(|text| text.bytes());
        let base = bytes.fold(multipliers, |base, byte| base.times(multipliers).plus(Hash::of(byte)));
        Hash(base.0.max(257), base.1.max(257))
    }

    fn plus(self, other: Hash) -> Hash {
        Hash(sum(self.0, other.0), sum(self.1, other.1))
    }

    fn times(self, other: Hash) -> Hash {
        Hash(product(self.0, other.0), product(self.1, other.1))
    }

    fn negative(self) -> Hash {
        Hash(MODULUS - self.0, MODULUS - self.1)
    }

    /// The hash of a byte. None is 0, so that texts of different lengths differ.
    fn of(byte: u8) -> Hash {
        Hash(u64::from(byte) + 1, u64::from(byte) + 1)
    }
}

/// The sum of two numbers up to the modulus.
fn sum(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= MODULUS { sum - MODULUS } else { sum }
}

/// The product of two numbers up to the modulus.
fn product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let part = |bits: u128| u64::try_from(bits).unwrap_or_default();
    sum(part(product & u128::from(MODULUS)), part(product >> 61))
}

impl TextSearch {
    /// A search for texts.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> TextSearch {
        let mut texts: Vec<&str> = texts.collect();
        // A beginning needs to know all texts that are shorter.
        texts.sort_unstable_by_key(|text| (text.len(), *text));
        let base = Hash::base(&texts);
        let powers = std::iter::successors(Some(base), |power| Some(power.times(*power)));
        let mut search = TextSearch {
            powers: powers.take(usize::BITS as usize).collect(),
            beginnings: HashMap::default(),
            bits: Box::new(ByByte([0; 256])),
            longest: 0,
        };
        let mut hashes = Vec::new();
        texts.into_iter().for_each(|text| search.add(text.as_bytes(), &mut hashes));
        search.beginnings.shrink_to_fit();
        search
    }

    fn add(&mut self, text: &[u8], hashes: &mut Vec<Hash>) {
        let Some(first) = text.first().copied() else { return };
        self.bits[first] |= text.len();
        let bits = self.bits[first];
        self.longest = self.longest.max(text.len());
        self.hash(text, hashes);
        let mut length = 0;
        for bit in bits_of(text.len()) {
            length += 1 << bit;
            #[expect(clippy::indexing_slicing, reason = "there is one hash more than the text has bytes")]
            let (begun, hash) = (&hashes[..=length], hashes[length]);
            if length == text.len() {
                self.beginnings.insert(hash, length);
            } else if !self.beginnings.contains_key(&hash) {
                self.beginnings.insert(hash, self.longest_at(begun, 0, bits));
            }
        }
    }

    /// Computes the hashes of all beginnings of a text, the empty one first.
    fn hash(&self, text: &[u8], hashes: &mut Vec<Hash>) {
        let base = self.powers.first().copied().unwrap_or_default();
        let mut hash = Hash::default();
        hashes.clear();
        hashes.push(hash);
        hashes.extend(text.iter().map(|byte| {
            hash = hash.times(base).plus(Hash::of(*byte));
            hash
        }));
    }

    /// The length of the longest text at a place of one with these hashes, or 0.
    fn longest_at(&self, hashes: &[Hash], at: usize, bits: usize) -> usize {
        let (mut length, mut longest) = (0, 0);
        // The hash of the bytes before the place, as it is a part of the hash behind them.
        let mut before = hashes.get(at).copied().unwrap_or_default().negative();
        for bit in bits_of(bits) {
            let end = length + (1 << bit);
            let (Some(hash), Some(power)) = (hashes.get(at + end), self.powers.get(bit)) else { continue };
            let shifted = before.times(*power);
            if let Some(begins_with) = self.beginnings.get(&hash.plus(shifted)) {
                (length, longest, before) = (end, *begins_with, shifted);
            }
        }
        longest
    }

    /// The parts of a text that consist of the texts, in order. Texts that overlap are one part.
    pub(super) fn parts(&self, text: &str) -> Vec<Range<usize>> {
        self.parts_by(text, WINDOW)
    }

    /// As [`parts`](TextSearch::parts), with windows of so many bytes, or as many as the longest text has.
    fn parts_by(&self, text: &str, window: usize) -> Vec<Range<usize>> {
        let window = window.max(self.longest);
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut hashes = Vec::new();
        for first in (0..text.len()).step_by(window) {
            let rest = text.as_bytes().get(first..).unwrap_or_default();
            self.hash(rest.get(..window + self.longest).unwrap_or(rest), &mut hashes);
            for (at, byte) in rest.iter().take(window).enumerate() {
                let bits = self.bits[*byte];
                if bits == 0 {
                    continue;
                }
                let (start, length) = (first + at, self.longest_at(&hashes, at, bits));
                match parts.last_mut().filter(|last| start < last.end) {
                    Some(last) => last.end = last.end.max(start + length),
                    None if length > 0 => parts.push(start..start + length),
                    None => {}
                }
            }
        }
        parts
    }
}

/// The numbers of the bits of a length, the highest first.
fn bits_of(mut bits: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.checked_ilog2()? as usize;
        bits ^= 1 << bit;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::TextSearch;

    fn parts(texts: &[&str], text: &str) -> Vec<String> {
        let search = TextSearch::of(texts.iter().copied());
        search.parts(text).into_iter().map(|part| text[part].to_owned()).collect()
    }

    #[test]
    fn texts_are_found_wherever_they_stand() {
        assert_eq!(parts(&["he", "she", "hers"], "ushers, he"), ["shers", "he"]);
        assert_eq!(parts(&["b", "abc"], "ab abc b"), ["b", "abc", "b"]);
        assert_eq!(parts(&["abcd", "xab"], "xabcd"), ["xabcd"]);
        assert_eq!(parts(&["ab", "cd"], "abcd"), ["ab", "cd"]);
        assert_eq!(parts(&["é", "漢字"], "né 漢漢字"), ["é", "漢字"]);
        assert!(parts(&[], "abc").is_empty());
    }

    #[test]
    fn texts_that_share_beginnings_and_ends_are_found() {
        let texts: Vec<String> =
            (0..200).map(|number| format!("{}{number}", "ab".repeat(number % 7))).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let text = texts.concat().repeat(3);
        let search = TextSearch::of(texts.iter().copied());
        let mut hidden = vec![false; text.len()];
        for one in &texts {
            for start in 0..text.len() {
                if text[start..].starts_with(one) {
                    hidden[start..start + one.len()].fill(true);
                }
            }
        }
        for window in [1, 20, text.len(), super::WINDOW] {
            let mut found = vec![false; text.len()];
            for part in search.parts_by(&text, window) {
                found[part].fill(true);
            }
            assert_eq!(found, hidden);
        }
    }

    #[test]
    fn texts_that_overlap_across_windows_are_one_part() {
        let search = TextSearch::of(["abc", "cde", "efgh"].into_iter());
        let text = "abcdefgh".repeat(2) + "abc";
        let expected = [0..8, 8..16, 16..19];
        (1..20).for_each(|window| assert_eq!(search.parts_by(&text, window), expected, "{window}"));
    }

    #[test]
    fn a_text_is_found_beside_beginnings_of_longer_ones() {
        // The first 8 bytes of the longest text begin with two others, which are found where it does not go on.
        let texts = ["ab", "abcab", "abcabcabcabc", "abcabcab\0", "\0a"];
        assert_eq!(parts(&texts, "abcabcabcab"), ["abcabcabcab"]);
        assert_eq!(parts(&texts, "abcabx"), ["abcab"]);
        assert_eq!(parts(&["ab", "abcdefghijkl"], "abcdefghij"), ["ab"]);
        assert_eq!(parts(&["\0a"], "a \0a \0\0a"), ["\0a", "\0a"]);
    }
}
