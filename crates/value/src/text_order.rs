//! Sorts texts by their bytes, which is the order of keys, of sets of strings and of `sort`.

/// The number of bytes of a text that are compared at once.
const HEAD: usize = 8;

/// Returns the positions of `texts` in the order of their bytes. Equal texts stay in the given order.
///
/// Names that are sorted together often begin alike (`subnet-1`, `subnet-2`). The bytes after the common beginning are
/// compared as one number, so that few comparisons read the texts again.
pub fn text_order(texts: &[&str]) -> Vec<usize> {
    ordered(texts).0
}

/// Whether `left` comes before `right`. Most different texts differ in their first bytes, which
/// are compared as numbers.
#[doc(hidden)]
#[inline]
pub fn comes_before(left: &str, right: &str) -> bool {
    match (left.as_bytes().first_chunk(), right.as_bytes().first_chunk()) {
        (Some(left), Some(right)) if left != right => u64::from_be_bytes(*left) < u64::from_be_bytes(*right),
        (_, _) => left < right,
    }
}

/// Does the same as [`text_order`]; returns `None` if two texts are equal.
pub(crate) fn distinct_text_order(texts: &[&str]) -> Option<Vec<usize>> {
    let (order, are_distinct) = ordered(texts);
    are_distinct.then_some(order)
}

/// Returns the positions in the order of the texts, and whether all texts are different.
fn ordered(texts: &[&str]) -> (Vec<usize>, bool) {
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    // A head contains all bytes of short texts.
    let prefix = if longest <= u64::HEAD { 0 } else { shared_bytes(texts) };
    if longest - prefix <= u64::HEAD && texts.len() <= u64::MOST {
        ordered_by::<u64>(texts, prefix)
    } else {
        ordered_by::<u128>(texts, prefix)
    }
}

/// Does the same as [`ordered`], for texts whose first `prefix` bytes are equal.
fn ordered_by<K: Key>(texts: &[&str], prefix: usize) -> (Vec<usize>, bool) {
    let rest = |key: &K| {
        texts.get(key.position()).and_then(|text| text.as_bytes().get(prefix..)).unwrap_or_default()
    };
    let key = |(position, text): (usize, &&str)| {
        K::new(head(text.as_bytes().get(prefix..).unwrap_or_default()), position)
    };
    let mut keys: Vec<K> = texts.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    let mut are_distinct = true;
    for alike in keys.chunk_by_mut(|left, right| left.head() == right.head()) {
        if alike.len() > 1 {
            alike.sort_unstable_by(|left, right| (rest(left), left).cmp(&(rest(right), right)));
            are_distinct = are_distinct && alike.is_sorted_by(|left, right| rest(left) < rest(right));
        }
    }
    (keys.iter().map(|key| key.position()).collect(), are_distinct)
}

/// The head of a text and its position, joined in one number because numbers are sorted without branches.
trait Key: Copy + Ord {
    /// The bytes of a head.
    const HEAD: usize;
    /// The largest number of texts for which the positions fit.
    const MOST: usize;
    fn new(head: u64, position: usize) -> Self;
    fn head(self) -> Self;
    fn position(self) -> usize;
}

impl Key for u64 {
    const HEAD: usize = 5;
    const MOST: usize = 1 << 24;

    fn new(head: u64, position: usize) -> u64 {
        Key::head(head) | position as u64
    }

    fn head(self) -> u64 {
        self & !(u64::MOST as u64 - 1)
    }

    fn position(self) -> usize {
        (self & (u64::MOST as u64 - 1)) as usize
    }
}

impl Key for u128 {
    const HEAD: usize = HEAD;
    const MOST: usize = usize::MAX;

    fn new(head: u64, position: usize) -> u128 {
        u128::from(head) << u64::BITS | position as u128
    }

    fn head(self) -> u128 {
        self >> u64::BITS
    }

    fn position(self) -> usize {
        self as usize
    }
}

/// Returns the number of bytes with which all texts begin.
fn shared_bytes(texts: &[&str]) -> usize {
    let Some((first, rest)) = texts.split_first() else { return 0 };
    let mut prefix = first.as_bytes();
    for text in rest {
        if !text.as_bytes().starts_with(prefix) {
            let alike = prefix.iter().zip(text.as_bytes()).take_while(|(one, other)| one == other).count();
            prefix = prefix.get(..alike).unwrap_or_default();
        }
    }
    prefix.len()
}

/// Returns the first bytes as a number with the same order; missing bytes are zero.
fn head(bytes: &[u8]) -> u64 {
    let mut head = [0; HEAD];
    match bytes.first_chunk() {
        Some(bytes) => head = *bytes,
        None => head.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte),
    }
    u64::from_be_bytes(head)
}

#[cfg(test)]
mod tests {
    use super::{comes_before, distinct_text_order, text_order};

    #[test]
    fn the_order_is_that_of_the_texts() {
        let lists: [&[&str]; 8] = [
            &[],
            &["a"],
            &["b", "a", "", "a"],
            &["s-2", "s-10", "s-1", "s-"],
            &["a\0", "a", "a\0\0", "a\0b"],
            &["same-long-beginning-z", "same-long-beginning-a", "same-long-beginning"],
            &["12345678b", "12345678a", "12345678", "1234567"],
            &["\u{e9}", "e", "\u{1f600}", "\u{e8}x"],
        ];
        for texts in lists {
            let mut expected: Vec<usize> = (0..texts.len()).collect();
            expected.sort_by_key(|position| texts[*position]);
            assert_eq!(text_order(texts), expected, "{texts:?}");
            for left in texts {
                for right in texts {
                    assert_eq!(comes_before(left, right), left < right, "{left:?} {right:?}");
                }
            }
            let are_distinct = expected.is_sorted_by(|left, right| texts[*left] < texts[*right]);
            assert_eq!(distinct_text_order(texts), are_distinct.then_some(expected), "{texts:?}");
        }
    }
}
