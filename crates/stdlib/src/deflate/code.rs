//! Huffman codes of limited length, from the frequencies of symbols.

#![expect(clippy::indexing_slicing, reason = "symbols are indexes of the frequencies")]

/// The maximum number of bits of a word in the format.
const LONGEST: usize = 15;

/// A code for each symbol of an alphabet. A symbol without a code has the length 0.
pub(super) struct Code {
    words: Vec<Word>,
}

/// The bits that stand for a symbol, in the order in which they are written: the lowest first.
#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    pub(super) bits: u16,
    pub(super) length: u8,
}

impl Code {
    /// Returns the shortest code for these frequencies whose words have at most `longest` bits.
    ///
    /// If there are only one or two symbols, each takes one bit. Otherwise the lengths are found by merging packages: on each
    /// level, one list holds the symbols and the pairs of items of the level below, sorted by weight, with a pair before a
    /// symbol of the same weight. A symbol has one bit for each level whose used part holds it.
    pub(super) fn of_frequencies(frequencies: &[u32], longest: usize) -> Code {
        let used = frequencies.iter().enumerate().filter(|(_, frequency)| **frequency > 0);
        let mut symbols: Vec<(u32, usize)> = used.map(|(symbol, frequency)| (*frequency, symbol)).collect();
        let mut lengths = vec![0; frequencies.len()];
        if symbols.len() <= 2 {
            for (_, symbol) in symbols {
                lengths[symbol] = 1;
            }
            return Code::of_lengths(&lengths);
        }
        symbols.sort_unstable();
        let levels = levels(&symbols, longest.min(symbols.len() - 1));
        let mut items = 2 * symbols.len() - 2;
        for level in levels.iter().rev() {
            let used = &level[..items];
            let leaves = used.iter().filter(|item| item.is_symbol).count();
            for (_, symbol) in &symbols[..leaves] {
                lengths[*symbol] += 1;
            }
            items = 2 * (items - leaves);
        }
        Code::of_lengths(&lengths)
    }

    /// Returns the code whose words have these lengths. The words of one length ascend with their symbols (RFC 1951, 3.2.2).
    pub(super) fn of_lengths(lengths: &[u8]) -> Code {
        let mut next = [0_u16; LONGEST + 1];
        for length in lengths.iter().filter(|length| **length > 0) {
            next[usize::from(*length)] += 1;
        }
        let mut first = 0;
        for count in &mut next {
            first <<= 1;
            first += std::mem::replace(count, first);
        }
        let word = |length: &u8| match *length {
            0 => Word::default(),
            length => {
                let bits = &mut next[usize::from(length)];
                *bits += 1;
                Word { bits: (*bits - 1).reverse_bits() >> (u16::BITS - u32::from(length)), length }
            }
        };
        Code { words: lengths.iter().map(word).collect() }
    }

    pub(super) fn word(&self, symbol: usize) -> Word {
        self.words[symbol]
    }

    pub(super) fn length(&self, symbol: usize) -> u8 {
        self.words[symbol].length
    }

    /// Returns the number of bits of a text in which the symbols have these frequencies.
    pub(super) fn size(&self, frequencies: &[u32]) -> usize {
        let sizes = self.words.iter().zip(frequencies);
        sizes.map(|(word, frequency)| usize::from(word.length) * *frequency as usize).sum()
    }
}

/// An item of a level: a symbol, or a pair of items of the level below.
#[derive(Clone, Copy)]
struct MergeItem {
    weight: u32,
    is_symbol: bool,
}

/// Returns the lists of all levels, the lowest level first. `symbols` ascend by frequency.
fn levels(symbols: &[(u32, usize)], count: usize) -> Vec<Vec<MergeItem>> {
    let mut levels: Vec<Vec<MergeItem>> = Vec::with_capacity(count);
    for _ in 0..count {
        let below = levels.last().map_or(&[][..], Vec::as_slice);
        let mut pairs = below.chunks_exact(2).map(|pair| pair[0].weight + pair[1].weight).peekable();
        let mut level = Vec::with_capacity(symbols.len() + below.len() / 2);
        for (weight, _) in symbols {
            while let Some(pair) = pairs.next_if(|pair| pair <= weight) {
                level.push(MergeItem { weight: pair, is_symbol: false });
            }
            level.push(MergeItem { weight: *weight, is_symbol: true });
        }
        level.extend(pairs.map(|weight| MergeItem { weight, is_symbol: false }));
        levels.push(level);
    }
    levels
}
