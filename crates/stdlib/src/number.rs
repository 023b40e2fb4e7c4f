//! Functions on numbers.

use std::cmp::Ordering;

use terrane_function::{Call, Cost, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Number, Type, Value};

use crate::integer::whole;
use crate::row;

pub(crate) fn functions() -> Vec<Function> {
    let mut functions = of_one_number();
    functions.extend(of_several_numbers());
    functions
}

fn of_one_number() -> Vec<Function> {
    let number = || Parameter::new("num", Type::Number);
    vec![
        row::number("abs", "Returns the absolute value of a number.", |call| {
            let value = call.argument(0);
            let number = value.as_number().map_or(Value::NULL, |number| Value::number(number.abs()));
            Ok(number.with_marks(value.marks()))
        })
        .parameter(number().dynamic().marked())
        .examples(&[("abs(-5)", "5")])
        .pure(),
        row::number("ceil", "Rounds a number up to a whole number.", |call| rounded(call, Number::ceil))
            .parameter(number())
            .examples(&[("ceil(4.1)", "5")])
            .pure(),
        row::number("floor", "Rounds a number down to a whole number.", |call| rounded(call, Number::floor))
            .parameter(number())
            .examples(&[("floor(4.9)", "4")])
            .pure(),
        row::number("signum", "Returns the sign of a whole number: -1, 0 or 1.", signum)
            .parameter(number())
            .examples(&[("signum(-12)", "-1")])
            .pure(),
    ]
}

fn of_several_numbers() -> Vec<Function> {
    let number = |name| Parameter::new(name, Type::Number);
    vec![
        row::number("max", "Returns the greatest of the numbers.", |call| extreme(call, Ordering::Greater))
            .variadic(number("numbers").dynamic())
            .examples(&[("max(5, 12, 9)", "12"), ("max([5, 12, 9]...)", "12")])
            .cost(Cost::Light)
            .pure(),
        row::number("min", "Returns the least of the numbers.", |call| extreme(call, Ordering::Less))
            .variadic(number("numbers").dynamic())
            .examples(&[("min(5, 12, 9)", "5")])
            .cost(Cost::Light)
            .pure(),
        row::number("log", "Returns the logarithm of a number to a base.", |call| {
            floating(call, |number, base| libm::log(number) / libm::log(base))
        })
        .parameter(number("num"))
        .parameter(number("base"))
        .examples(&[("log(1024, 2)", "10")])
        .pure(),
        row::number("pow", "Raises a number to a power.", |call| floating(call, power))
            .parameter(number("num"))
            .parameter(number("power"))
            .examples(&[("pow(2, 10)", "1024")])
            .pure(),
        Function::new(
            "parseint",
            "Parses a whole number in a base from 2 to 62.",
            ResultType::computed(parseint_type),
            parseint,
        )
        .parameter(Parameter::new("number", Type::Dynamic))
        .parameter(number("base"))
        .examples(&[(r#"parseint("ff", 16)"#, "255")])
        .pure(),
    ]
}

fn rounded(call: &Call<'_>, round: fn(&Number) -> Number) -> Result<Value, FunctionError> {
    Ok(call.argument(0).as_number().map_or(Value::NULL, |number| Value::number(round(number))))
}

fn signum(call: &Call<'_>) -> Result<Value, FunctionError> {
    let number = whole(call.argument(0));
    let number =
        number.ok_or_else(|| FunctionError::new("a whole number in the range of 64 bits is required"))?;
    Ok(Value::number(Number::counted(number.signum())))
}

fn extreme(call: &Call<'_>, better: Ordering) -> Result<Value, FunctionError> {
    let numbers = call.arguments.iter().filter_map(Value::as_number);
    let best = numbers.reduce(|best, number| if number.compare(best) == better { number } else { best });
    match best {
        Some(best) => Ok(Value::number(best.clone())),
        None => Err(FunctionError::new("at least one number is needed")),
    }
}

fn floating(call: &Call<'_>, compute: fn(f64, f64) -> f64) -> Result<Value, FunctionError> {
    let float = |index| {
        let number = call.argument(index).as_number();
        let float = number.map_or(f64::NAN, Number::to_f64);
        if float.is_infinite() && !number.is_some_and(Number::is_infinite) {
            return Err(FunctionError::new("the number is too large for a 64-bit floating point number"));
        }
        Ok(float)
    };
    let result = Number::from_f64(compute(float(0)?, float(1)?));
    let result = result.ok_or_else(|| FunctionError::new("the result is not a number"))?;
    Ok(Value::number(result))
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// Returns `base` to the power of `exponent`. The steps and their rounding follow the reference, so that the last digits are
/// equal: repeated squaring for the whole part, logarithm and exponential for the fraction.
fn power(base: f64, exponent: f64) -> f64 {
    let special =
        base == 0.0 || base.is_infinite() || exponent.is_infinite() || base.is_nan() || exponent.is_nan();
    if special || exponent == 0.0 || base == 1.0 {
        return libm::pow(base, exponent);
    }
    if exponent == 1.0 {
        return base;
    }
    if exponent == 0.5 {
        return base.sqrt();
    }
    if exponent == -0.5 {
        return 1.0 / base.sqrt();
    }
    let magnitude = exponent.abs();
    let (mut whole, mut fraction) = (magnitude.trunc(), magnitude.fract());
    if fraction != 0.0 && base < 0.0 {
        return f64::NAN;
    }
    if whole >= TWO_TO_63 {
        // An exponent this large is even, and the result is out of range.
        return if base == -1.0 {
            1.0
        } else if (base.abs() < 1.0) == (exponent > 0.0) {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let mut result = 1.0;
    if fraction != 0.0 {
        if fraction > 0.5 {
            fraction -= 1.0;
            whole += 1.0;
        }
        result = exponential(fraction * libm::log(base));
    }
    let (result, result_exponent) = times_power(result, base, whole);
    if exponent < 0.0 {
        libm::ldexp(1.0 / result, -result_exponent)
    } else {
        libm::ldexp(result, result_exponent)
    }
}

/// Returns e to the power of a number between -400 and 400. The series is the one that the reference uses on processors with
/// fused multiplication, so that the last digit is the same on all processors.
fn exponential(exponent: f64) -> f64 {
    // The natural logarithm of 2 in two parts; the high part ends in zero bits.
    const LN_2_HIGH: f64 = 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75;
    const LN_2_LOW: f64 = 2.823_529_056_303_157_712_258_844_817_501e-13;
    const FACTORIALS: [f64; 8] = [40320.0, 5040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0];
    let twos = (exponent * std::f64::consts::LOG2_E).round_ties_even();
    let rest = (-twos).mul_add(LN_2_LOW, (-twos).mul_add(LN_2_HIGH, exponent)) / 16.0;
    let series = FACTORIALS.iter().fold(0.0_f64, |sum, factorial| sum.mul_add(rest, 1.0 / factorial));
    // Each of three steps leads from e^x - 1 to e^2x - 1, and a last step leads to e^2x.
    let less_one = (0..3).fold(rest * series, |less_one, _| less_one * (less_one + 2.0));
    let power = less_one.mul_add(less_one + 2.0, 1.0);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 1000")]
    let twos = twos as i32;
    libm::ldexp(power, twos)
}

/// Returns `factor` times `base` to a whole power, as mantissa and binary exponent.
fn times_power(factor: f64, base: f64, whole: f64) -> (f64, i32) {
    const BEYOND_RANGE: i32 = 1 << 12;
    let (mut square, mut square_exponent) = libm::frexp(base);
    let (mut result, mut result_exponent) = (factor, 0);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^63")]
    let mut bits = whole as i64;
    while bits != 0 {
        if square_exponent.abs() > BEYOND_RANGE {
            result_exponent += square_exponent;
            break;
        }
        if bits & 1 == 1 {
            result *= square;
            result_exponent += square_exponent;
        }
        square *= square;
        square_exponent *= 2;
        if square < 0.5 {
            square += square;
            square_exponent -= 1;
        }
        bits >>= 1;
    }
    (result, result_exponent)
}

fn parseint_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    match call.argument(0).ty() {
        Type::String => Ok(Type::Number),
        other @ (Type::Bool
        | Type::Number
        | Type::Dynamic
        | Type::List(_)
        | Type::Set(_)
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Object(_)) => {
            Err(call.invalid(0, format!("a string is required, not {}", other.plain_name())))
        }
    }
}

/// The maximum number of digits of a whole number, because the time to parse it grows faster than its digits.
const MAX_DIGITS: usize = 1 << 20;

/// A unit of work parses at least this many decimal digits, divided by the square root of the number of digits.
const DIGITS_OF_WORK: usize = 70;

fn parseint(call: &Call<'_>) -> Result<Value, FunctionError> {
    let base = whole(call.argument(1)).and_then(|base| u32::try_from(base).ok());
    let base = base.filter(|base| (2..=62).contains(base));
    let base = base.ok_or_else(|| call.invalid(1, "the base must be a whole number from 2 to 62"))?;
    if call.string(0).len() > MAX_DIGITS {
        return Err(call.invalid(0, format!("the number has more than {MAX_DIGITS} digits")));
    }
    let digits = call.string(0).len();
    // Half of the time is for all digits alike, and half for their bits; a decimal digit has about three.
    call.spend(digits * digits.isqrt() / DIGITS_OF_WORK * (3 + base.ilog2() as usize) / 6)?;
    let number = Number::parse_radix(call.string(0), base);
    let not_parsed = || {
        let base = if call.may_show(1) { format!("base {base}") } else { "the base".to_owned() };
        call.invalid(0, format!("{} is not a whole number in {base}", call.quoted(0)))
    };
    Ok(Value::number(number.ok_or_else(not_parsed)?))
}

#[cfg(test)]
mod tests {
    use terrane_value::{Type, Value};

    use crate::testing::{call, number, result, secret, unknown};

    fn numbers(name: &str, arguments: &[&str]) -> String {
        result(name, arguments.iter().map(|text| number(text)))
    }

    #[test]
    fn rounding_and_signs() {
        let cases = [
            ("abs", "-5", "5"),
            ("ceil", "-1.1", "-1"),
            ("ceil", "-0.5", "0"),
            ("floor", "-1.8", "-2"),
            ("floor", "inf", "+Inf"),
            ("signum", "-7", "-1"),
            ("signum", "0.5", "error"),
        ];
        for (name, argument, expected) in cases {
            assert_eq!(numbers(name, &[argument]), expected, "{name}({argument})");
        }
        assert_eq!(result("abs", [secret(number("-1"))]), "*1");
        assert_eq!(result("abs", [unknown(Type::Dynamic)]), "?number");
    }

    #[test]
    fn extremes() {
        assert_eq!(numbers("max", &["1", "3", "2"]), "3");
        assert_eq!(numbers("min", &["1", "-inf", "2"]), "-Inf");
        assert_eq!(result("max", ["5".into(), number("10")]), "10");
        assert_eq!(numbers("max", &[]), "error");
    }

    /// The expected results are the reference's, to the last digit.
    #[test]
    fn powers_and_logarithms() {
        let cases = [
            ("pow", ["2", "10"], "1024"),
            ("pow", ["1.1", "10"], "2.593742460100002"),
            ("pow", ["7", "40"], "6366805760909028000000000000000000"),
            ("pow", ["1.0001", "12345"], "3.436447654031931"),
            ("pow", ["2.5", "-3.3"], "0.04861809874767194"),
            ("pow", ["43.62", "-4.5"], "0.00000004182293668114165"),
            ("pow", ["7", "5.472"], "42109.1499961086"),
            ("pow", ["0", "0"], "1"),
            ("pow", ["2", "1024"], "+Inf"),
            ("pow", ["-8", "0.5"], "error"),
            ("pow", ["-1", "1e30"], "1"),
            ("pow", ["1e400", "2"], "error"),
            ("log", ["1000", "10"], "2.9999999999999996"),
            ("log", ["7.5", "1.3"], "7.679792157029551"),
            ("log", ["0", "10"], "-Inf"),
            ("log", ["-1", "10"], "error"),
        ];
        for (name, arguments, expected) in cases {
            assert_eq!(numbers(name, &arguments), expected, "{name}{arguments:?}");
        }
    }

    #[test]
    fn digits_are_read_in_a_base() {
        let cases = [
            ("FF", "16", "255"),
            ("Z", "62", "61"),
            ("+10", "10", "10"),
            ("-11", "2", "-3"),
            ("99999999999999999999999999", "10", "99999999999999999999999999"),
            ("1_0", "10", "error in argument 0"),
            ("0x10", "16", "error in argument 0"),
            ("", "10", "error in argument 0"),
            ("10", "63", "error in argument 1"),
            ("10", "2.5", "error in argument 1"),
        ];
        for (text, base, expected) in cases {
            assert_eq!(result("parseint", [text.into(), number(base)]), expected, "{text} in base {base}");
        }
        assert_eq!(result("parseint", [number("5"), number("10")]), "error in argument 0");
        let error = call("parseint", [secret("hidden"), number("10")]).unwrap_err();
        assert!(!error.message.contains("hidden"));
        assert_eq!(result("parseint", [Value::unknown(Type::String), number("10")]), "?number");
    }
}
