//! Parses durations such as `1h30m` or `-1.5s`.

/// Returns the nanoseconds of a duration; `None` if `text` is not a duration or is out of range.
pub(super) fn parse(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (part, behind) = part(rest)?;
        total = total.checked_add(part).filter(|total| *total <= 1 << 63)?;
        rest = behind;
    }
    match (negative, total) {
        (true, total) => 0_i64.checked_sub_unsigned(total),
        (false, total) => i64::try_from(total).ok(),
    }
}

/// Returns the nanoseconds of the first number with a unit in `text`, and the remaining text.
fn part(text: &str) -> Option<(u64, &str)> {
    let (whole, rest) = digits(text);
    let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), digits);
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let end = rest.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(rest.len());
    let (unit, rest) = rest.split_at_checked(end)?;
    let unit: u64 = match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60 * 1_000_000_000,
        "h" => 3_600 * 1_000_000_000,
        _ => return None,
    };
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    // Digits of the fraction after the eighteenth stand for less than a nanosecond.
    let kept = fraction.get(..18).unwrap_or(fraction);
    let scale = 10_u128.pow(u32::try_from(kept.len()).unwrap_or_default());
    let kept: u128 = if kept.is_empty() { 0 } else { kept.parse().ok()? };
    let below = u64::try_from(kept * u128::from(unit) / scale).ok()?;
    Some((whole.checked_mul(unit)?.checked_add(below)?, rest))
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}
