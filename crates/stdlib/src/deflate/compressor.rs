//! Splits a text into tokens: literal bytes, and matches with earlier text, found as the reference finds them.

#![expect(clippy::indexing_slicing, reason = "positions count up to the length of the text")]

use super::block::BlockWriter;
use super::chains::{Chains, LONGEST, Level, Match, SHORTEST, WINDOW};

/// Compresses the chunks of a text. With `flushed`, an empty block follows the text, as after a flush.
///
/// `spend` counts the work of each block, in units of [`Call::spend`](terrane_function::Call::spend): a search may compare a byte with a
/// hundred earlier places. Its error ends the compression.
pub(crate) fn deflate<E>(
    chunks: &[&[u8]],
    level: Level,
    flushed: bool,
    spend: impl Fn(usize) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let input = chunks.concat();
    let mut compressor = Compressor {
        chains: Chains::new(input.len(), level),
        input: &input,
        level,
        filled: 0,
        base: 0,
        index: 0,
        block_start: Some(0),
        found: Match::NONE,
        literal_waits: false,
        blocks: BlockWriter::default(),
        spend,
    };
    let mut end = 0;
    for chunk in chunks {
        end += chunk.len();
        compressor.write(end)?;
    }
    compressor.process(true)?;
    if flushed {
        compressor.blocks.write_stored(&[], false);
    }
    compressor.blocks.write_stored(&[], true);
    Ok(compressor.blocks.finish())
}

/// The work of making and writing the codes of a block.
const WORK_OF_BLOCK: usize = 600;

/// The number of bytes after a byte that the window must hold before the byte is processed, except at the end.
const LOOKAHEAD: usize = SHORTEST + LONGEST;

/// The state of the compression of a text. Positions count from the start of the text.
struct Compressor<'a, S> {
    input: &'a [u8],
    level: Level,
    chains: Chains,
    /// The end of the text in the window.
    filled: usize,
    /// The start of the window, which is twice as long as the longest distance.
    base: usize,
    /// The position of the next byte to look at.
    index: usize,
    /// The position where the block starts; `None` if the window does not hold its start any more.
    block_start: Option<usize>,
    /// The match at the byte before `index`.
    found: Match,
    /// Whether the byte before `index` is in no token yet.
    literal_waits: bool,
    blocks: BlockWriter,
    spend: S,
}

impl<E, S: Fn(usize) -> Result<(), E>> Compressor<'_, S> {
    /// Processes the text up to `end`, but for the last bytes in the window.
    fn write(&mut self, end: usize) -> Result<(), E> {
        while self.filled < end {
            self.process(false)?;
            self.move_window();
            self.filled = end.min(self.base + 2 * WINDOW);
        }
        Ok(())
    }

    /// Moves the window if too little of the text after `index` fits in.
    fn move_window(&mut self) {
        if self.index - self.base < 2 * WINDOW - LOOKAHEAD {
            return;
        }
        self.base += WINDOW;
        self.block_start = self.block_start.filter(|start| *start >= self.base);
    }

    /// Processes the text in the window: all of it if `to_the_end` is true, otherwise as long as enough bytes are ahead.
    fn process(&mut self, to_the_end: bool) -> Result<(), E> {
        loop {
            let ahead = self.filled - self.index;
            if ahead < LOOKAHEAD && !to_the_end {
                return Ok(());
            }
            if ahead == 0 {
                if self.literal_waits {
                    self.blocks.push_literal(self.input[self.index - 1]);
                    self.literal_waits = false;
                }
                return if self.blocks.is_empty() { Ok(()) } else { self.end_block() };
            }
            self.step(ahead)?;
        }
    }

    /// Searches for a match at `index`, and decides whether the match at the byte before is used.
    fn step(&mut self, ahead: usize) -> Result<(), E> {
        let newest = self.insert();
        let before = std::mem::replace(&mut self.found, Match::NONE);
        let oldest = self.index.saturating_sub(WINDOW).max(self.base);
        if let Some(newest) = newest.filter(|newest| *newest >= oldest)
            && ahead > before.length
            && before.length < self.level.lazy
        {
            let text = &self.input[..self.index + ahead.min(LONGEST)];
            let found = self.chains.longest(text, self.index, newest, self.base);
            self.found = found.unwrap_or(Match::NONE);
        }
        if before.length >= SHORTEST && self.found.length <= before.length {
            self.blocks.push_match(before);
            let end = self.index + before.length - 1;
            self.index += 1;
            while self.index < end {
                self.insert();
                self.index += 1;
            }
            self.literal_waits = false;
            self.found = Match::NONE;
            return if self.blocks.is_full() { self.end_block() } else { Ok(()) };
        }
        if self.literal_waits {
            self.blocks.push_literal(self.input[self.index - 1]);
            if self.blocks.is_full() {
                self.end_block()?;
            }
        }
        self.index += 1;
        self.literal_waits = true;
        Ok(())
    }

    /// Adds the text at `index` to the chains, and returns the last place that may have the same text.
    fn insert(&mut self) -> Option<usize> {
        let bytes = self.input[self.index..self.filled].first_chunk()?;
        self.chains.insert(self.index, *bytes)
    }

    /// Writes the tokens as one block, which ends before `index`.
    fn end_block(&mut self) -> Result<(), E> {
        let text = self.block_start.map(|start| &self.input[start..self.index]);
        self.block_start = Some(self.index);
        self.blocks.write(text);
        (self.spend)(WORK_OF_BLOCK + self.chains.take_work())
    }
}
