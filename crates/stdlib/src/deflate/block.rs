//! Blocks of a compressed text: each holds the tokens of a part of the text, in the shortest of three forms.

#![expect(clippy::indexing_slicing, reason = "symbols are less than the size of their alphabet")]

use super::chains::Match;
use super::code::Code;

/// The maximum number of tokens in a block.
const MAX_TOKENS: usize = 1 << 14;

/// The maximum length of the text in a stored block.
const MAX_STORED: usize = 65_535;

/// The symbol that follows the last token of a block.
const END: usize = 256;

const FIRST_LENGTH: usize = 257;
const LITERALS: usize = 286;
const DISTANCES: usize = 30;

/// The maximum number of bits of a word for a token, and of a word for the length of such a word.
const LONGEST_WORD: usize = 15;
const LONGEST_LENGTH_WORD: usize = 7;

/// The order in which the lengths of the words for lengths are written.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

#[derive(Clone, Copy)]
enum LiteralOrMatch {
    Literal(u8),
    Match { length: Coded, distance: Coded },
}

/// A length or distance, written as a symbol and further bits.
#[derive(Clone, Copy)]
struct Coded {
    symbol: u8,
    extra: u16,
    extra_bits: u8,
}

impl Coded {
    /// Returns a length, from 3 to 258, as a symbol and further bits. The longest length has a symbol of its own.
    fn length(length: usize) -> Coded {
        match length {
            258 => Coded { symbol: 28, extra: 0, extra_bits: 0 },
            _ => Coded::new(length - 3, 2),
        }
    }

    /// Returns a distance, from 1 to 32,768, as a symbol and further bits.
    fn distance(distance: usize) -> Coded {
        Coded::new(distance - 1, 1)
    }

    /// Codes a number. Its first `precise` binary digits after the highest one are part of the symbol. Small numbers are
    /// symbols themselves.
    fn new(number: usize, precise: u32) -> Coded {
        let extra_bits = (usize::BITS - number.leading_zeros()).saturating_sub(precise + 1);
        let high = number >> extra_bits;
        let symbol = high + (extra_bits as usize) * (1 << precise);
        let narrow = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Coded {
            symbol: u8::try_from(symbol).unwrap_or(u8::MAX),
            extra: narrow(number - (high << extra_bits)),
            extra_bits: u8::try_from(extra_bits).unwrap_or(u8::MAX),
        }
    }
}

/// The tokens of the current block, and the bits of the blocks before it.
#[derive(Default)]
pub(super) struct BlockWriter {
    tokens: Vec<LiteralOrMatch>,
    bits: Bits,
}

impl BlockWriter {
    pub(super) fn push_literal(&mut self, byte: u8) {
        self.tokens.push(LiteralOrMatch::Literal(byte));
    }

    pub(super) fn push_match(&mut self, found: Match) {
        let (length, distance) = (Coded::length(found.length), Coded::distance(found.distance));
        self.tokens.push(LiteralOrMatch::Match { length, distance });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.tokens.len() == MAX_TOKENS
    }

    /// Writes the tokens in the shortest form. The stored form is possible only if `text` has the text of the block.
    pub(super) fn write(&mut self, text: Option<&[u8]>) {
        let tokens = std::mem::take(&mut self.tokens);
        let frequencies = Frequencies::of(&tokens);
        let fixed = Codes::fixed();
        let dynamic = Codes::of_frequencies(&frequencies);
        let lengths = Lengths::new(&dynamic, &frequencies);
        let fixed_size = 3 + fixed.size(&frequencies);
        let dynamic_size = 3 + lengths.size() + dynamic.size(&frequencies);
        let stored = text.filter(|text| text.len() <= MAX_STORED).filter(|text| {
            // The two sizes leave out the further bits, which both forms write and only a stored text does not.
            (text.len() + 5) * 8 < fixed_size.min(dynamic_size) + frequencies.extra_bits
        });
        if let Some(text) = stored {
            self.write_stored(text, false);
        } else if dynamic_size < fixed_size {
            self.bits.write(0b100, 3);
            lengths.write(&mut self.bits);
            self.write_tokens(&tokens, &dynamic);
        } else {
            self.bits.write(0b010, 3);
            self.write_tokens(&tokens, &fixed);
        }
        self.tokens = tokens;
        self.tokens.clear();
    }

    fn write_tokens(&mut self, tokens: &[LiteralOrMatch], codes: &Codes) {
        let Codes { literals, distances } = codes;
        for token in tokens {
            match *token {
                LiteralOrMatch::Literal(byte) => self.bits.write_word(literals, usize::from(byte)),
                LiteralOrMatch::Match { length, distance } => {
                    self.bits.write_word(literals, FIRST_LENGTH + usize::from(length.symbol));
                    self.bits.write(u32::from(length.extra), u32::from(length.extra_bits));
                    self.bits.write_word(distances, usize::from(distance.symbol));
                    self.bits.write(u32::from(distance.extra), u32::from(distance.extra_bits));
                }
            }
        }
        self.bits.write_word(literals, END);
    }

    /// Writes a block with the bytes of a text as they are.
    pub(super) fn write_stored(&mut self, text: &[u8], is_last: bool) {
        self.bits.write(u32::from(is_last), 3);
        self.bits.fill_byte();
        let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
        self.bits.write(u32::from(length), 16);
        self.bits.write(u32::from(!length), 16);
        self.bits.fill_byte();
        self.bits.bytes.extend_from_slice(text);
    }

    /// Returns the bytes of all blocks.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bits.fill_byte();
        self.bits.bytes
    }
}

/// How often each symbol occurs in a block.
struct Frequencies {
    literals: [u32; LITERALS],
    distances: [u32; DISTANCES],
    /// The number of further bits of all tokens, besides the bits of their words.
    extra_bits: usize,
}

impl Frequencies {
    fn of(tokens: &[LiteralOrMatch]) -> Frequencies {
        let mut frequencies =
            Frequencies { literals: [0; LITERALS], distances: [0; DISTANCES], extra_bits: 0 };
        frequencies.literals[END] = 1;
        for token in tokens {
            match token {
                LiteralOrMatch::Literal(byte) => frequencies.literals[usize::from(*byte)] += 1,
                LiteralOrMatch::Match { length, distance } => {
                    frequencies.literals[FIRST_LENGTH + usize::from(length.symbol)] += 1;
                    frequencies.distances[usize::from(distance.symbol)] += 1;
                    frequencies.extra_bits +=
                        usize::from(length.extra_bits) + usize::from(distance.extra_bits);
                }
            }
        }
        // A code for distances has at least one word.
        if frequencies.distances.iter().all(|frequency| *frequency == 0) {
            frequencies.distances[0] = 1;
        }
        frequencies
    }
}

/// The codes of a block.
struct Codes {
    literals: Code,
    distances: Code,
}

impl Codes {
    fn of_frequencies(frequencies: &Frequencies) -> Codes {
        Codes {
            literals: Code::of_frequencies(&frequencies.literals, LONGEST_WORD),
            distances: Code::of_frequencies(&frequencies.distances, LONGEST_WORD),
        }
    }

    /// Returns the codes that need no description (RFC 1951, 3.2.6).
    fn fixed() -> Codes {
        let mut lengths = [8; 288];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        Codes { literals: Code::of_lengths(&lengths), distances: Code::of_lengths(&[5; DISTANCES]) }
    }

    fn size(&self, frequencies: &Frequencies) -> usize {
        self.literals.size(&frequencies.literals) + self.distances.size(&frequencies.distances)
    }
}

/// A symbol of the code for lengths, with its further bits.
#[derive(Clone, Copy)]
struct LengthSymbol {
    symbol: usize,
    /// The further bits after the symbol, and the number of these bits.
    extra: u32,
    extra_bits: u32,
}

impl LengthSymbol {
    /// Returns the symbol for one length.
    fn of_length(length: usize) -> LengthSymbol {
        LengthSymbol { symbol: length, extra: 0, extra_bits: 0 }
    }
}

/// The description of the codes: the lengths of their words, with repetitions, which have a code of their own (RFC 1951,
/// 3.2.7).
struct Lengths {
    literals: usize,
    distances: usize,
    symbols: Vec<LengthSymbol>,
    code: Code,
    /// The number of lengths of the code for lengths that are written.
    written: usize,
}

impl Lengths {
    fn new(codes: &Codes, frequencies: &Frequencies) -> Lengths {
        let used = |frequencies: &[u32]| {
            frequencies.iter().rposition(|frequency| *frequency > 0).map_or(0, |last| last + 1)
        };
        let (literals, distances) = (used(&frequencies.literals), used(&frequencies.distances));
        let of_literals = (0..literals).map(|symbol| codes.literals.length(symbol));
        let of_distances = (0..distances).map(|symbol| codes.distances.length(symbol));
        let symbols = runs(&of_literals.chain(of_distances).collect::<Vec<_>>());
        let mut frequencies = [0; ORDER.len()];
        for LengthSymbol { symbol, .. } in &symbols {
            frequencies[*symbol] += 1;
        }
        let code = Code::of_frequencies(&frequencies, LONGEST_LENGTH_WORD);
        let written = ORDER.iter().rposition(|symbol| frequencies[*symbol] > 0).map_or(0, |last| last + 1);
        Lengths { literals, distances, symbols, code, written: written.max(4) }
    }

    /// The number of bits of the description.
    fn size(&self) -> usize {
        let symbols = self.symbols.iter();
        let size = symbols.map(|own| usize::from(self.code.length(own.symbol)) + own.extra_bits as usize);
        5 + 5 + 4 + 3 * self.written + size.sum::<usize>()
    }

    fn write(&self, bits: &mut Bits) {
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        bits.write(narrow(self.literals - FIRST_LENGTH), 5);
        bits.write(narrow(self.distances - 1), 5);
        bits.write(narrow(self.written - 4), 4);
        for symbol in &ORDER[..self.written] {
            bits.write(u32::from(self.code.length(*symbol)), 3);
        }
        for LengthSymbol { symbol, extra, extra_bits } in &self.symbols {
            bits.write_word(&self.code, *symbol);
            bits.write(*extra, *extra_bits);
        }
    }
}

/// Returns the symbols for `lengths`, with their further bits: 16 repeats the length before, 17 and 18 repeat zero.
fn runs(lengths: &[u8]) -> Vec<LengthSymbol> {
    let mut symbols = Vec::new();
    for run in lengths.chunk_by(|one, other| one == other) {
        let length = usize::from(run[0]);
        let mut left = run.len();
        if length == 0 {
            repeat(&mut symbols, &mut left, &REPEAT_ZERO_LONG);
            repeat(&mut symbols, &mut left, &REPEAT_ZERO);
        } else {
            symbols.push(LengthSymbol::of_length(length));
            left -= 1;
            repeat(&mut symbols, &mut left, &REPEAT);
        }
        symbols.extend(std::iter::repeat_n(LengthSymbol::of_length(length), left));
    }
    symbols
}

/// A symbol that stands for several lengths.
struct Repetition {
    symbol: usize,
    least: usize,
    most: usize,
    extra_bits: u32,
}

const REPEAT: Repetition = Repetition { symbol: 16, least: 3, most: 6, extra_bits: 2 };
const REPEAT_ZERO: Repetition = Repetition { symbol: 17, least: 3, most: 10, extra_bits: 3 };
const REPEAT_ZERO_LONG: Repetition = Repetition { symbol: 18, least: 11, most: 138, extra_bits: 7 };

/// Adds repetitions as long as enough lengths are left.
fn repeat(symbols: &mut Vec<LengthSymbol>, left: &mut usize, repetition: &Repetition) {
    while *left >= repetition.least {
        let count = repetition.most.min(*left);
        let extra = u32::try_from(count - repetition.least).unwrap_or(0);
        symbols.push(LengthSymbol { symbol: repetition.symbol, extra, extra_bits: repetition.extra_bits });
        *left -= count;
    }
}

/// Bits in the order of the format: bytes fill from their lowest bit.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    waiting: u64,
    count: u32,
}

impl Bits {
    fn write(&mut self, bits: u32, count: u32) {
        self.waiting |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= u8::BITS {
            self.bytes.push(self.waiting.to_le_bytes()[0]);
            self.waiting >>= u8::BITS;
            self.count -= u8::BITS;
        }
    }

    fn write_word(&mut self, code: &Code, symbol: usize) {
        let word = code.word(symbol);
        self.write(u32::from(word.bits), u32::from(word.length));
    }

    /// Fills the last byte with zeros.
    fn fill_byte(&mut self) {
        let missing = (u8::BITS - self.count) % u8::BITS;
        self.write(0, missing);
    }
}
