//! Validates number literals.
//!
//! The lexer accepts any run of digits and dots; the parsers of both syntaxes check it here.

/// Whether a number token is a number: at most one dot, at most one exponent, and the exponent within bounds.
pub(crate) fn is_number(text: &str) -> bool {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (text, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if whole.is_empty() || !digits(whole) || !digits(fraction) || unsigned.is_empty() || !digits(unsigned) {
        return false;
    }
    let significant = format!("{whole}{fraction}");
    let significant = significant.trim_start_matches('0');
    significant.is_empty() || exponent_fits(significant.len(), fraction.len(), exponent)
}

/// Whether the binary exponent of the number fits into 32 bits. Counts a decimal digit of the exponent as one bit, as the
/// reference does.
fn exponent_fits(digits: usize, fraction: usize, exponent: &str) -> bool {
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    let bits = i64::try_from(digits).unwrap_or(i64::MAX).saturating_mul(3322) / 1000 + 1;
    let fraction = i64::try_from(fraction).unwrap_or(i64::MAX);
    let binary = bits.saturating_add(exponent).saturating_sub(fraction);
    i32::try_from(binary).is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn numbers_have_one_dot_and_one_exponent() {
        for number in ["0", "007", "1.5", "1.e5", "2E+2", "1e-7", "1e999999999", "0e99999999999"] {
            assert!(is_number(number), "{number}");
        }
        for other in ["1.2.3", "1e5e6", "1..2", "1e5.5", "1e99999999999", "1e-99999999999"] {
            assert!(!is_number(other), "{other}");
        }
    }
}
