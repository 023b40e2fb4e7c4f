//! Puts texts in the order of their bytes, which is the order of keys, of sets of strings and of `sort`.

/// How many bytes of a text are compared at once.
const HEAD: usize = 8;

/// The positions of `texts` in the order of their bytes. Those of equal texts stay in the order given.
///
/// Names that are sorted together often begin alike (`subnet-1`, `subnet-2`). The next bytes after that are compared as one
/// number, so that few comparisons look at the texts again.
pub fn text_order(texts: &[&str]) -> Vec<usize> {
    let shared = shared_bytes(texts);
    let rest = |position: usize| {
        texts.get(position).and_then(|text| text.as_bytes().get(shared..)).unwrap_or_default()
    };
    let mut heads: Vec<(u64, usize)> =
        (0..texts.len()).map(|position| (head(rest(position)), position)).collect();
    heads.sort_unstable_by(|(left_head, left), (right_head, right)| {
        left_head.cmp(right_head).then_with(|| (rest(*left), left).cmp(&(rest(*right), right)))
    });
    heads.into_iter().map(|(_, position)| position).collect()
}

/// The number of bytes with which all texts begin alike.
fn shared_bytes(texts: &[&str]) -> usize {
    let Some((first, others)) = texts.split_first() else { return 0 };
    let mut shared = first.as_bytes();
    for text in others {
        if !text.as_bytes().starts_with(shared) {
            let alike = shared.iter().zip(text.as_bytes()).take_while(|(one, other)| one == other).count();
            shared = shared.get(..alike).unwrap_or_default();
        }
    }
    shared.len()
}

/// The first bytes as a number whose order is theirs; missing ones are zero.
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
    use super::text_order;

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
        }
    }
}
