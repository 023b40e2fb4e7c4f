//! Tests of numbers.

use std::cmp::Ordering;

use dashu_int::IBig;

use super::float::Float;
use super::{Integer, Number, NumberError, NumberRepr};

/// A small random generator, so that every run uses the same numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Returns a whole number of at most `bits` bits. Small numbers are as likely as large ones.
    pub(super) fn integer(&mut self, bits: u64) -> IBig {
        let bits = self.below(bits + 1);
        let words = (0..=bits / 64).map(|_| self.next()).collect::<Vec<_>>();
        let all = words.iter().fold(IBig::ZERO, |all, word| (all << 64) + IBig::from(*word));
        let cut = all >> usize::try_from((bits / 64 + 1) * 64 - bits).unwrap();
        if self.below(2) == 0 { cut } else { -cut }
    }

    pub(super) fn float(&mut self) -> Number {
        let precision = [24, 53, 64, 100, 512][usize::try_from(self.below(5)).unwrap()];
        let exponent = i64::try_from(self.below(200)).unwrap() - 100;
        float(&self.integer(precision + 10), exponent, u32::try_from(precision).unwrap())
    }

    /// Returns a number of at most `bits` bits, with at most `behind` of them after the point, at any
    /// precision that holds it.
    pub(super) fn small_float(&mut self, bits: u64, behind: u64) -> Number {
        let exponent = -i64::try_from(self.below(behind + 1)).unwrap();
        let precision = [bits, bits + 4, 512][usize::try_from(self.below(3)).unwrap()];
        float(&self.integer(bits), exponent, u32::try_from(precision).unwrap())
    }
}

fn float(mantissa: &IBig, exponent: i64, precision: u32) -> Number {
    let (sign, magnitude) = mantissa.clone().into_parts();
    let negative = sign == dashu_int::Sign::Negative;
    Number::from_float(Float::rounded(negative, magnitude, exponent, false, precision))
}

pub(super) fn number(text: &str) -> Number {
    Number::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
}

/// Parses an operand as written in `vectors.tsv`.
fn operand(text: &str) -> Number {
    match text.split_at_checked(2) {
        Some(("f:", rest)) => Number::from_f64(rest.parse().unwrap()).unwrap(),
        Some(("i:", rest)) => Number::parse_radix(rest, 10).unwrap(),
        Some(("n:", rest)) => operand(rest).negate(),
        Some(_) | None => number(text),
    }
}

fn text(result: Result<Number, NumberError>) -> String {
    result.map_or_else(|_| "error".to_owned(), |number| number.to_string())
}

fn verb(verb: &str, number: &Number) -> String {
    let (precision, letter) = verb[1..].split_at(verb.len() - 2);
    let precision = precision.strip_prefix('.').map(|digits| digits.parse().unwrap());
    let base = |base| number.to_radix(base).unwrap_or_else(|| "error".to_owned());
    match (letter, precision) {
        ("f", precision) => number.to_fixed(precision.unwrap_or(6)),
        ("e", precision) => number.to_exponent(precision.unwrap_or(6)),
        ("g", Some(precision)) => number.to_general(precision),
        ("g", None) => number.to_general_shortest(),
        ("b", _) => base(2),
        ("o", _) => base(8),
        ("d", _) => base(10),
        ("x", _) => base(16),
        _ => panic!("{verb}"),
    }
}

#[test]
fn digits_beyond_all_precision_only_decide_the_rounding() {
    let long = |tail: &str| format!("1.{}{tail}", "0".repeat(200_000));
    let one = Number::parse("1").unwrap();
    assert_eq!(Number::parse(&long("")).unwrap().to_string(), one.to_string());
    assert_eq!(Number::parse(&long("7")).unwrap().to_string(), "1");
    let zeros = format!("{}5", "0".repeat(200_000));
    assert_eq!(Number::parse(&zeros).unwrap().to_string(), "5");
    let whole = Number::parse(&"7".repeat(200_000)).unwrap();
    let shorter = Number::parse(&format!("{}e100000", "7".repeat(100_000))).unwrap();
    assert_eq!(whole.to_general_shortest(), shorter.to_general_shortest());
    assert_eq!(Number::parse(&"0".repeat(200_000)).unwrap().to_string(), "0");
}

#[test]
fn answers_of_the_reference() {
    let rows = include_str!("vectors.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let [op, left, right, want] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let a = operand(left);
        let b = || operand(right);
        let got = match op {
            "+" => text(a.add(&b())),
            "-" => text(a.subtract(&b())),
            "*" => text(a.multiply(&b())),
            "/" => text(a.divide(&b())),
            "%" => text(a.remainder(&b())),
            "==" => (a == b()).to_string(),
            "<" => a.compare(&b()).is_lt().to_string(),
            ">=" => a.compare(&b()).is_ge().to_string(),
            "neg" => a.negate().to_string(),
            "abs" => a.abs().to_string(),
            "floor" => a.floor().to_string(),
            "ceil" => a.ceil().to_string(),
            "str" => a.to_string(),
            "d3" => text(a.divide(&Number::literal(3))),
            "m3" => text(a.divide(&Number::counted(3))),
            _ => verb(op, &a),
        };
        assert_eq!(got, want, "{op} {left} {right}");
        count += 1;
    }
    assert!(count > 400);
}

#[test]
fn texts_that_are_numbers() {
    let forms = [
        ("+5", "5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("015", "15"),
        ("1e3", "1000"),
        ("1E+03", "1000"),
        ("-.5e-1", "-0.05"),
        ("1p3", "8"),
        ("1.5p-3", "0.1875"),
        ("-0", "-0"),
        ("inf", "+Inf"),
        ("-Inf", "-Inf"),
        ("0e3000000000", "0"),
        ("1e999999999", "+Inf"),
        ("-1e999999999", "-Inf"),
        ("-1e-999999999", "-0"),
        ("1e646456994", "+Inf"),
    ];
    for (form, want) in forms {
        assert_eq!(number(form).to_string(), want, "{form}");
    }
    let others = [
        "",
        " ",
        "5 ",
        " 5",
        "-",
        "+",
        ".",
        "e5",
        "1e",
        "1e+",
        "1e+-5",
        "--5",
        "5p",
        "1.2.3",
        "0x10",
        "1_000",
        "nan",
        "NaN",
        "INF",
        "infinity",
        "+-inf",
        "1d",
        "١٢",
        "1e3000000000",
        "0e30000000000000000000",
        "1p2147483647",
        "1p-2147483650",
        "1e99999999999999999999",
    ];
    for form in others {
        assert!(Number::parse(form).is_none(), "{form}");
    }
}

#[test]
fn whole_numbers_in_other_bases() {
    let parsed = |text, base| Number::parse_radix(text, base).map(|number| format!("{number:?}"));
    assert_eq!(parsed("FF", 16).as_deref(), Some("255@64"));
    assert_eq!(parsed("-zZ", 36).as_deref(), Some("-1295@64"));
    assert_eq!(parsed("Az", 62).as_deref(), Some("2267@64"));
    assert_eq!(parsed("+10", 10).as_deref(), Some("10@64"));
    assert_eq!(parsed("-0", 10).as_deref(), Some("0@64"));
    assert_eq!(parsed("18446744073709551616", 10).as_deref(), Some("18446744073709551616@65"));
    for (text, base) in
        [("", 10), ("-", 10), ("1_0", 10), ("0x1", 16), ("12", 2), ("1", 1), ("1", 63), ("1.5", 10)]
    {
        assert!(Number::parse_radix(text, base).is_none(), "{text}");
    }
    let long = "7".repeat(100_000);
    assert_eq!(Number::parse_radix(&long, 10).unwrap().to_string(), long);
}

#[test]
fn precision_belongs_to_the_value() {
    let counted = Number::counted;
    assert_eq!(text(counted(1).divide(&counted(3))), "0.33333333333333333334");
    let power = Number::from_f64(2_f64.powi(64)).unwrap();
    assert_eq!(power.to_string(), "18446744073709550000");
    assert_eq!(text(power.add(&Number::literal(1))), "18446744073709551617");
    let tenth = Number::from_f64(0.1).unwrap();
    assert_eq!(tenth.to_string(), "0.1");
    assert!(tenth == number("0.1") && tenth.compare(&number("0.1")) == Ordering::Greater);
    assert_eq!(
        text(tenth.add(&Number::literal(0))),
        "0.1000000000000000055511151231257827021181583404541015625"
    );
    // A product keeps all its digits, though the operands have fewer.
    let nines = counted(i64::MAX);
    let product = nines.multiply(&nines).unwrap();
    assert_eq!(
        (product.to_string().as_str(), product.precision()),
        ("85070591730234615847396907784232501249", 126)
    );
    assert_eq!(text(number("1.1").add(&number("2.2"))).len(), 156);
    assert_eq!(counted(5).with_precision(2).to_string(), "4");
}

#[test]
fn infinities_and_signed_zeros() {
    let (zero, one, two) = (Number::literal(0), Number::literal(1), Number::literal(2));
    let minus_zero = zero.negate();
    let infinite = one.divide(&zero).unwrap();
    let minus_infinite = infinite.negate();
    // A remainder accepts no infinity except the start value of `min`.
    let bound = Number::infinity(false);
    assert_eq!(text(bound.remainder(&two)), "+Inf");
    assert_eq!(zero.remainder(&bound), Err(NumberError::ZeroTimesInfinity));
    assert_eq!(bound.multiply(&bound).unwrap().precision(), 0);
    assert_eq!(bound.add(&one).unwrap().precision(), 512);
    assert_eq!(infinite.remainder(&two), Err(NumberError::RemainderOfInfinity));
    assert_eq!(two.remainder(&infinite), Err(NumberError::RemainderOfInfinity));
    assert_eq!(infinite.add(&minus_infinite), Err(NumberError::OpposingInfinities));
    assert_eq!(infinite.subtract(&infinite), Err(NumberError::OpposingInfinities));
    assert_eq!(infinite.multiply(&zero), Err(NumberError::ZeroTimesInfinity));
    assert_eq!(zero.divide(&zero), Err(NumberError::ZeroByZero));
    assert_eq!(infinite.divide(&infinite), Err(NumberError::InfinityByInfinity));
    assert_eq!(text(one.divide(&minus_zero)), "-Inf");
    assert_eq!(text(zero.multiply(&Number::literal(-5))), "-0");
    assert_eq!(text(zero.divide(&Number::literal(-5))), "-0");
    assert_eq!(text(minus_zero.add(&minus_zero)), "-0");
    assert_eq!(text(minus_zero.subtract(&zero)), "-0");
    assert_eq!(text(minus_zero.add(&zero)), "0");
    assert_eq!(text(two.remainder(&zero)), "2");
    assert_eq!(text(minus_zero.remainder(&two)), "-0");
    assert_eq!(text(zero.remainder(&Number::literal(-5))), "0");
    assert_eq!(minus_zero.ceil().to_string(), "0");
    assert_eq!(number("-0.5").ceil().to_string(), "0");
    assert_eq!(infinite.floor().to_string(), "+Inf");
    assert_eq!(minus_zero.abs().to_string(), "0");
    assert!(minus_zero == zero && minus_zero.compare(&zero).is_eq() && minus_zero.is_negative());
    assert!(infinite == bound && infinite != minus_infinite && infinite.compare(&one).is_gt());
}

#[test]
fn huge_numbers_take_little_time_and_memory() {
    let huge = number("1e600000000");
    assert_eq!(text(huge.remainder(&Number::literal(7))), "0");
    assert_eq!(text(huge.multiply(&huge)), "+Inf");
    assert_eq!(huge.add(&Number::literal(1)).unwrap(), huge);
    assert!(huge.to_integer().is_none() && huge.to_i64().is_none() && huge.to_f64().is_infinite());
    assert!(!huge.has_decimal_text());
    let shown = huge.to_string();
    assert!(shown.contains('p') && Number::parse(&shown).unwrap() == huge);
    let tiny = number("1e-600000000");
    assert_eq!(text(tiny.multiply(&tiny)), "0");
    assert!(huge.compare(&tiny).is_gt() && tiny.signum() == 1 && tiny.to_f64() == 0.0);
    assert_eq!((tiny.ceil().to_string(), tiny.floor().to_string()), ("1".to_owned(), "0".to_owned()));
    assert_eq!(number("1e600000").to_string().len(), 600_001);
}

#[test]
fn the_fast_path_changes_nothing() {
    let mut random = Random(2);
    let small = |random: &mut Random| {
        let value = i64::try_from(random.integer(63)).unwrap();
        if random.below(2) == 0 { Number::literal(value) } else { Number::counted(value) }
    };
    for _ in 0..4000 {
        let (a, b) = (small(&mut random), small(&mut random));
        let (x, y) = (a.to_float(), b.to_float());
        let precision = x.precision.max(y.precision);
        let same = |fast: Number, slow: Float| {
            assert_eq!(format!("{fast:?}"), format!("{:?}", Number::from_float(slow)));
        };
        same(a.add(&b).unwrap(), x.add(&y, precision).unwrap());
        same(a.subtract(&b).unwrap(), x.add(&y.clone().negated(), precision).unwrap());
        if !b.is_zero() {
            let quotient = x.divide(&y, precision).unwrap();
            let (whole, _) = quotient.truncated().unwrap();
            let taken = y.multiply(&whole.with_precision(x.precision), x.precision).unwrap();
            same(a.divide(&b).unwrap(), quotient);
            same(a.remainder(&b).unwrap(), x.add(&taken.negated(), x.precision).unwrap());
        }
        let product = x.multiply(&y, 512).unwrap();
        let needed = product.needed_precision().max(precision);
        same(a.multiply(&b).unwrap(), product.with_precision(needed));
    }
}

#[test]
fn texts_read_back() {
    let mut random = Random(3);
    for _ in 0..4000 {
        let number = random.float();
        let float = number.to_float();
        // Below a power of two, the neighbour is nearer than the text assumes.
        if float.needed_precision() <= 1 {
            continue;
        }
        let back = Number::parse(&number.to_string()).unwrap();
        assert!(back.with_precision(float.precision) == number, "{number:?}");
        assert_eq!(back.with_precision(float.precision).compare(&number), Ordering::Equal, "{number:?}");
    }
}

#[test]
fn floats_of_64_bits() {
    let mut random = Random(4);
    for round in 0..8000_u64 {
        // Every fourth number is below the normal range.
        let raw = random.next();
        let value = f64::from_bits(if round % 4 == 0 { raw & !(0x7ff << 52) } else { raw });
        let Some(number) = Number::from_f64(value) else { continue };
        assert_eq!(number.to_f64().to_bits(), value.to_bits());
        if value.is_finite() && value.to_bits() & 0xf_ffff_ffff_ffff != 0 && round % 4 != 0 {
            // If two shortest texts are equally near, the last digit is even here and odd there.
            let (ours, theirs) = (number.to_string(), value.to_string());
            assert!(
                ours == theirs || (ours.len() == theirs.len() && ours.parse() == Ok(value)),
                "{ours} {theirs}"
            );
            assert_eq!(number.to_fixed(3), format!("{value:.3}"));
        }
        let text =
            format!("{}.{}e{}", random.below(1000), random.next(), random.below(660).cast_signed() - 340);
        assert_eq!(self::number(&text).to_f64(), text.parse::<f64>().unwrap(), "{text}");
    }
    let least = f64::from_bits(1);
    let half = Number::from_f64(least).unwrap().divide(&Number::literal(2)).unwrap();
    assert_eq!(half.to_f64(), 0.0);
    assert_eq!(half.multiply(&number("1.0000001")).unwrap().to_f64(), least);
    assert_eq!(number("1.7976931348623158e308").to_f64(), f64::MAX);
    assert_eq!(number("1.7976931348623159e308").to_f64(), f64::INFINITY);
}

#[test]
fn whole_numbers_come_and_go() {
    let mut random = Random(5);
    for _ in 0..1000 {
        let value = random.integer(200);
        let number = Number::from_integer(value.clone());
        assert_eq!((number.to_integer(), number.to_string()), (Some(value.clone()), value.to_string()));
        assert_eq!(number.to_i64(), i64::try_from(value.clone()).ok());
        assert_eq!(number.to_u64(), u64::try_from(value).ok());
    }
    assert_eq!(Number::from_integer(Integer::from(i64::MIN)).to_i64(), Some(i64::MIN));
    assert_eq!(number("2.5").to_integer(), None);
    assert_eq!(number("-2.5").truncate().to_string(), "-2");
    assert_eq!(number("18446744073709551616.5").truncate().precision(), 65);
}

#[test]
fn small_whole_numbers_take_the_fast_path() {
    let small = |number: &Number| matches!(number.0, NumberRepr::Int { .. });
    assert!(
        small(&number("1e3"))
            && small(&number("9223372036854775807"))
            && small(&Number::from_f64(2.0).unwrap())
    );
    assert!(small(&number("7.5").multiply(&number("2")).unwrap()));
    assert!(!small(&number("-0")) && !small(&number("0.5")) && !small(&number("9223372036854775808")));
}

#[test]
fn short_decimals_are_the_same_as_by_the_long_way() {
    let mut state: u64 = 7;
    for round in 0..2000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let digits = (state >> (round % 60)).to_string();
        let point = usize::try_from(state % 7).unwrap().min(digits.len());
        let (whole, fraction) = digits.split_at(digits.len() - point);
        let text = format!("{whole}.{fraction}");
        let (short, long) = (Number::parse(&text).unwrap(), Number::parse(&format!("{text}e0")).unwrap());
        assert_eq!(short, long, "{text}");
        assert_eq!((short.to_string(), short.precision()), (long.to_string(), long.precision()), "{text}");
    }
    for text in ["0.0", "-0.0", ".5", "5.", "0.10", "-1.50", "9999999999.999999999", "0.0000000000000000001"]
    {
        let (short, long) = (Number::parse(text).unwrap(), Number::parse(&format!("{text}e0")).unwrap());
        assert_eq!((short.to_string(), short.precision()), (long.to_string(), long.precision()), "{text}");
        assert_eq!(short.is_negative(), long.is_negative(), "{text}");
    }
    assert!([".", "-.", "1.2.3", "1.-2", "1.+2"].iter().all(|text| Number::parse(text).is_none()));
}

#[test]
fn reading_a_long_text_is_work() {
    let work = |text: &str| {
        Number::take_work_of_reading();
        let read = Number::parse(text).is_some();
        let work = Number::take_work_of_reading();
        // The sign is no digit.
        assert!(!read || text.starts_with('-') || work == Number::work_to_read(text), "{work}");
        work
    };
    let digits = |count: usize| "7".repeat(count);
    assert_eq!((work("12345"), work(&digits(64)), work("-0.25e-7")), (0, 0, 0));
    assert!(work(&digits(50_000)) > 100_000 && work(&format!("-0.{}e9", digits(50_000))) > 100_000);
    // The first wrong byte ends the reading, and more digits make no difference.
    assert_eq!((work(&"x".repeat(50_000)), work(&"é".repeat(50_000))), (0, 0));
    assert!(work(&format!("{}x", digits(50_000))) < 10_000);
    assert!(work(&digits(1_000_000)) < 2 * work(&digits(200_000)));
    assert_eq!(Number::take_work_of_reading(), 0);
}
