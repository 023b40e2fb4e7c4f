//! Finds the places where a text was seen before: chains of places of equal hash, from the newest to the oldest.

#![expect(clippy::indexing_slicing, reason = "places are before the end of the text, and slots are masked")]

/// The settings of a compression level, which decide how long the search for a repetition is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    /// The compressor takes a match of at least this length without a search at the next byte.
    pub(super) lazy: usize,
    /// A match of at least this length ends the search.
    nice: usize,
    /// The maximum number of earlier places that a search compares.
    tries: usize,
}

impl Level {
    /// Level 5, which zip archives use.
    pub(crate) const ZIP: Level = Level { lazy: 16, nice: 32, tries: 32 };
    /// Level 6, which gzip uses.
    pub(crate) const DEFAULT: Level = Level { lazy: 16, nice: 128, tries: 128 };
}

/// The maximum length of a match in the format.
pub(super) const LONGEST: usize = 258;

/// The maximum distance of a match.
pub(super) const WINDOW: usize = 1 << 15;

/// The minimum length of a match that the reference writes; the format has matches of 3 bytes too.
pub(super) const SHORTEST: usize = 4;

/// The maximum distance of a match of 4 bytes: a longer distance takes more bits than the match saves.
const FARTHEST_OF_SHORTEST: usize = 4096;

/// The number of bits of a hash of [`SHORTEST`] bytes. Texts with equal hashes share a chain, so the search visits the same
/// places as the reference only with the same hashes.
const HASH_BITS: u32 = 17;

/// The number of bytes that one unit of work compares. Each place that is added or looked at counts as a further unit.
const BYTES_OF_WORK: usize = 16;

/// A repetition of an earlier text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) length: usize,
    pub(super) distance: usize,
}

impl Match {
    /// No match: it is shorter than any match.
    pub(super) const NONE: Match = Match { length: SHORTEST - 1, distance: 0 };
}

/// The places of the text by the hash of their bytes: the last place of each hash, and for each place the last one before it
/// with the same hash.
pub(super) struct Chains {
    /// A table with open addressing by the high bits of a hash. With all bits, every hash has its own slot. Small texts get a
    /// small table, because clearing a table of all hashes would take longer than compressing the text.
    newest: Vec<Slot>,
    bits: u32,
    /// For each place, under its low bits: one more than the last place before it with the same hash, or 0 if there is none.
    before: Vec<u32>,
    level: Level,
    /// The work since the last call of [`Chains::take_work`].
    work: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u32,
    /// One more than the last place with this hash; 0 in an empty slot.
    after: u32,
}

impl Chains {
    /// Returns empty chains for a text of this length.
    pub(super) fn new(length: usize, level: Level) -> Chains {
        // At most half of the slots are in use, so that a search ends.
        let bits = (2 * length).next_power_of_two().ilog2().clamp(1, HASH_BITS);
        let newest = vec![Slot::default(); 1 << bits];
        Chains { newest, bits, before: vec![0; length.next_power_of_two().min(WINDOW)], level, work: 0 }
    }

    /// Adds a place whose text starts with `bytes`, and returns the last place before it with the same hash.
    pub(super) fn insert(&mut self, place: usize, bytes: [u8; SHORTEST]) -> Option<usize> {
        let hash = u32::from_be_bytes(bytes).wrapping_mul(0x1e35_a7bd) >> (u32::BITS - HASH_BITS);
        let mut index = (hash >> (HASH_BITS - self.bits)) as usize;
        while self.newest[index].after != 0 && self.newest[index].hash != hash {
            index = (index + 1) & (self.newest.len() - 1);
        }
        let newest = self.newest[index].after;
        let after = u32::try_from(place + 1).unwrap_or(0);
        self.newest[index] = Slot { hash, after };
        let slot = self.slot(place);
        self.before[slot] = newest;
        self.work += 1;
        place_before(newest)
    }

    /// Returns the longest match between the text at `index` and an earlier text, from the place `newest` back to `base`;
    /// `None` if there is no match. `text` ends where the longest possible match ends.
    pub(super) fn longest(&mut self, text: &[u8], index: usize, newest: usize, base: usize) -> Option<Match> {
        let wanted = &text[index..];
        debug_assert!(wanted.len() <= LONGEST);
        let nice = self.level.nice.min(wanted.len());
        let mut longest = Match::NONE;
        let mut place = newest;
        for _ in 0..self.level.tries {
            self.work += 1;
            if text[place + longest.length] == wanted[longest.length] {
                let length = common_length(wanted, &text[place..]);
                self.work += length / BYTES_OF_WORK;
                let distance = index - place;
                if length > longest.length && (length > SHORTEST || distance <= FARTHEST_OF_SHORTEST) {
                    longest = Match { length, distance };
                    if length >= nice {
                        break;
                    }
                }
            }
            // A place at the longest distance ends the search: the entry before it is already overwritten.
            if place + WINDOW == index {
                break;
            }
            match place_before(self.before[self.slot(place)]) {
                Some(before) if before >= base && before + WINDOW >= index => place = before,
                _ => break,
            }
        }
        (longest.distance > 0).then_some(longest)
    }

    /// Returns the work since the last call.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// Returns the index of the entry for `place` in `before`. The number of entries is a power of two.
    fn slot(&self, place: usize) -> usize {
        place & (self.before.len() - 1)
    }
}

fn place_before(after: u32) -> Option<usize> {
    Some(after.checked_sub(1)? as usize)
}

/// Returns the number of bytes that two texts have in common at their start.
fn common_length(one: &[u8], other: &[u8]) -> usize {
    const WORD: usize = 8;
    let words = one.chunks_exact(WORD).zip(other.chunks_exact(WORD));
    let start = WORD * words.take_while(|(one, other)| one == other).count();
    let bytes = one[start..].iter().zip(&other[start..]);
    start + bytes.take_while(|(one, other)| one == other).count()
}
