//! Sizes of allocations. The allocator rounds each size up to a class, and the process uses the bytes of the class.

use crate::SmolStr;

/// The bytes of the reference counts of a shared part.
pub(crate) const COUNTERS: usize = 2 * size_of::<usize>();

/// Returns the bytes that an allocation of `bytes` bytes takes up. The classes of allocators are multiples of 16 bytes
/// up to 128, and four classes for each doubling above.
#[inline]
pub(crate) const fn allocated(bytes: usize) -> usize {
    /// Up to this size, the classes are multiples of [`STEP`].
    const FINE: usize = 128;
    const STEP: usize = 16;
    /// From this size on, allocators reserve whole pages, so the unused rest of the last page is small in proportion.
    const PAGES: usize = 1 << 17;
    if bytes <= FINE {
        return bytes.next_multiple_of(STEP);
    }
    if bytes > PAGES {
        return bytes;
    }
    let step = 1 << ((bytes - 1).ilog2() - 2);
    bytes.next_multiple_of(step)
}

/// Returns the bytes of a text on the heap, including the reference counts before it.
#[inline]
pub(crate) fn text_bytes(text: &SmolStr) -> usize {
    allocated(COUNTERS + text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_classes() {
        let sizes = [0, 1, 16, 17, 100, 128, 129, 160, 161, 257, 1024, 1025, 200_001];
        let classes = [0, 16, 16, 32, 112, 128, 160, 160, 192, 320, 1024, 1280, 200_001];
        assert_eq!(sizes.map(allocated), classes);
        assert_eq!(text_bytes(&SmolStr::from("x".repeat(40))), 64);
    }
}
