//! Formats numbers for verbs. Flags work as in C, with a few peculiarities of the reference.

use terrane_value::Number;

use super::verb::Verb;

/// Appends `number` in the format of the verb. The error is a phrase about the number.
pub(super) fn append(text: &mut String, verb: &Verb<'_>, number: &Number) -> Result<(), &'static str> {
    match verb.letter {
        'b' => append_integer(text, verb, number, 2, "0b"),
        'o' => append_integer(text, verb, number, 8, "0"),
        'x' => append_integer(text, verb, number, 16, "0x"),
        'X' => append_integer(text, verb, number, 16, "0X"),
        'd' => append_integer(text, verb, number, 10, ""),
        _ => {
            append_float(text, verb, number);
            Ok(())
        }
    }
}

fn append_integer(
    text: &mut String,
    verb: &Verb<'_>,
    number: &Number,
    base: u8,
    prefix: &str,
) -> Result<(), &'static str> {
    let Some(digits) = number.to_radix(base) else { return Err("a whole number is required") };
    let negative = digits.starts_with('-');
    let digits = digits.trim_start_matches('-');
    let sign = sign(verb, negative);
    let prefix = if verb.sharp { prefix } else { "" };
    if verb.precision == Some(0) && digits == "0" {
        return Ok(());
    }
    let mut zeros = verb.precision.unwrap_or(0).saturating_sub(digits.len());
    let length = sign.len() + prefix.len() + zeros + digits.len();
    let missing = verb.width.unwrap_or(0).saturating_sub(length);
    let (mut left, mut right) = (0, 0);
    if verb.minus {
        right = missing;
    } else if verb.zero && verb.precision.is_none() {
        zeros += missing;
    } else {
        left = missing;
    }
    text.push_str(&" ".repeat(left));
    text.push_str(sign);
    text.push_str(prefix);
    text.push_str(&"0".repeat(zeros));
    if verb.letter == 'X' {
        text.push_str(&digits.to_ascii_uppercase());
    } else {
        text.push_str(digits);
    }
    text.push_str(&" ".repeat(right));
    Ok(())
}

fn sign(verb: &Verb<'_>, negative: bool) -> &'static str {
    match (negative, verb.plus, verb.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn append_float(text: &mut String, verb: &Verb<'_>, number: &Number) {
    // Six decimals are the default.
    let precision = verb.precision.unwrap_or(6);
    let formatted = match verb.letter {
        'f' => number.to_fixed(precision),
        'e' => number.to_exponent(precision),
        'E' => number.to_exponent(precision).replace('e', "E"),
        'g' | 'G' => {
            let general = verb
                .precision
                .map_or_else(|| number.to_general_shortest(), |digits| number.to_general(digits));
            if verb.letter == 'G' { general.replace('e', "E") } else { general }
        }
        _ => number.to_string(),
    };
    let (sign, digits) = match formatted.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => match formatted.strip_prefix('+') {
            // Infinity always has a sign.
            Some(infinity) => (if verb.space { " " } else { "+" }, infinity),
            None => (sign(verb, false), &*formatted),
        },
    };
    let missing = verb.width.unwrap_or(0).saturating_sub(sign.len() + digits.len());
    let (left, zeros, right) = match (verb.zero && !number.is_infinite(), verb.minus) {
        (true, _) => (0, missing, 0),
        (false, true) => (0, 0, missing),
        (false, false) => (missing, 0, 0),
    };
    text.push_str(&" ".repeat(left));
    text.push_str(sign);
    text.push_str(&"0".repeat(zeros));
    text.push_str(digits);
    text.push_str(&" ".repeat(right));
}
