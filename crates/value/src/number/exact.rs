//! Tests of numbers: compares arithmetic, parsing and printing with exact rational arithmetic on random numbers.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::float::Magnitude;
use super::tests::{Random, number};
use super::{Number, NumberError};

const ROUNDS: usize = 1500;

/// Returns the value of a finite number.
fn exact(number: &Number) -> RBig {
    let float = number.to_float();
    let Magnitude::Finite(finite) = float.magnitude else {
        assert!(number.is_zero(), "{number:?}");
        return RBig::ZERO;
    };
    let mantissa = RBig::from(IBig::from(finite.mantissa)) * two_to(finite.exponent);
    if float.negative { -mantissa } else { mantissa }
}

fn two_to(exponent: i64) -> RBig {
    power(2, exponent)
}

fn power(base: u8, exponent: i64) -> RBig {
    let power = UBig::from(base).pow(usize::try_from(exponent.unsigned_abs()).unwrap());
    let (numerator, denominator) = if exponent < 0 { (UBig::ONE, power) } else { (power, UBig::ONE) };
    RBig::from_parts(IBig::from(numerator), denominator)
}

fn size(value: &RBig) -> RBig {
    if *value < RBig::ZERO { -value.clone() } else { value.clone() }
}

/// Returns the value of a text without exponent, as `Number` prints it.
fn exact_text(text: &str) -> RBig {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: IBig = format!("{whole}{fraction}").parse().unwrap();
    RBig::from(digits) * power(10, -i64::try_from(fraction.len()).unwrap())
}

/// A number and the middles between it and its neighbours of the same precision, which are rounded to it if `even`.
struct Neighbourhood {
    size: RBig,
    below: RBig,
    above: RBig,
    even: bool,
}

impl Neighbourhood {
    fn of(number: &Number) -> Neighbourhood {
        let float = number.to_float();
        let Magnitude::Finite(finite) = &float.magnitude else { panic!("{number:?} is not finite") };
        let bits = i64::from(float.needed_precision());
        let precision = i64::from(float.precision);
        assert!(bits <= precision, "{number:?} has {bits} bits");
        let unit = two_to(finite.exponent + bits - precision);
        let half = &unit / RBig::from(2);
        // Below a power of two, numbers are twice as close together.
        let half_below = if bits == 1 { &half / RBig::from(2) } else { half.clone() };
        let size = size(&exact(number));
        let below = &size - half_below;
        let above = &size + half;
        Neighbourhood { size, below, above, even: bits < precision }
    }

    fn rounds_here(&self, value: &RBig) -> bool {
        let size = size(value);
        (self.below < size && size < self.above) || (self.even && (size == self.below || size == self.above))
    }
}

#[track_caller]
fn assert_nearest(want: &RBig, got: &Number) {
    if want.is_zero() || got.is_zero() {
        assert!(want.is_zero() && got.is_zero(), "{got:?} for {want}");
        return;
    }
    assert_eq!(*want < RBig::ZERO, got.is_negative(), "{got:?} for {want}");
    assert!(Neighbourhood::of(got).rounds_here(want), "{got:?} for {want}");
}

#[test]
fn operations_give_the_nearest_number_of_the_larger_precision() {
    let mut random = Random(1);
    for _ in 0..ROUNDS {
        let (a, b) = (random.float(), random.float());
        let (x, y) = (exact(&a), exact(&b));
        let precision = a.precision().max(b.precision());
        let of_precision = |result: Result<Number, NumberError>| {
            let result = result.unwrap();
            assert_eq!(result.precision(), precision, "{a:?} and {b:?}");
            result
        };
        assert_nearest(&(&x + &y), &of_precision(a.add(&b)));
        assert_nearest(&(&x - &y), &of_precision(a.subtract(&b)));
        if !b.is_zero() {
            assert_nearest(&(&x / &y), &of_precision(a.divide(&b)));
        }
        assert_eq!(exact(&a.negate()), -&x);
        assert_eq!(exact(&a.abs()), size(&x));
        assert_eq!(a.compare(&b), x.cmp(&y), "{a:?} and {b:?}");
        assert_eq!(a.signum(), i32::from(x > RBig::ZERO) - i32::from(x < RBig::ZERO));
    }
}

#[test]
fn products_are_exact_up_to_512_bits() {
    let mut random = Random(2);
    let mut exact_ones = 0;
    for _ in 0..ROUNDS {
        let (a, b) = (random.float(), random.float());
        let product = a.multiply(&b).unwrap();
        let want = exact(&a) * exact(&b);
        let bits = a.to_float().needed_precision() + b.to_float().needed_precision();
        if bits <= 512 {
            assert_eq!(exact(&product), want, "{a:?} * {b:?}");
            exact_ones += 1;
        } else {
            assert_eq!(product.precision(), 512);
            assert_nearest(&want, &product);
        }
        let larger = a.precision().max(b.precision());
        assert_eq!(product.precision(), larger.max(product.to_float().needed_precision()));
    }
    assert!(exact_ones > ROUNDS / 2);
}

#[test]
fn remainders_are_exact() {
    let mut random = Random(3);
    for _ in 0..ROUNDS {
        let small = |random: &mut Random| {
            let value = random.small_float(60, 20);
            value.with_precision(512)
        };
        let (a, b) = (small(&mut random), small(&mut random));
        if b.is_zero() {
            continue;
        }
        let (x, y) = (exact(&a), exact(&b));
        let times = RBig::from((&x / &y).trunc());
        assert_eq!(exact(&a.remainder(&b).unwrap()), x - y * times, "{a:?} % {b:?}");
    }
}

#[test]
fn whole_parts() {
    let mut random = Random(4);
    for _ in 0..ROUNDS {
        let a = random.small_float(100, 80);
        let x = exact(&a);
        assert_eq!(exact(&a.floor()), RBig::from(x.floor()), "{a:?}");
        assert_nearest(&RBig::from(x.ceil()), &a.ceil());
        assert_eq!(exact(&a.truncate()), RBig::from(x.trunc()), "{a:?}");
        assert_eq!(a.is_integer(), x.is_int());
        assert_eq!(a.to_integer(), x.is_int().then(|| x.trunc()));
        assert_nearest(&x, &a.with_precision(24));
    }
}

/// The reference computes powers of five in 576 bits, which is exact for exponents up to 248.
#[test]
fn decimal_text_is_read_as_the_nearest_number() {
    let mut random = Random(5);
    for _ in 0..ROUNDS {
        let digits = random.integer(1000);
        let exponent = i64::try_from(random.below(497)).unwrap() - 248;
        let read = number(&format!("{digits}e{exponent}"));
        assert_eq!(read.precision(), 512);
        assert_nearest(&(RBig::from(digits) * power(10, exponent)), &read);

        let (whole, fraction) = (random.integer(200), random.below(u64::MAX));
        let text = format!("{whole}.{fraction}");
        assert_nearest(&exact_text(&text), &number(&text));
    }
}

#[test]
fn printed_text_is_near_and_no_shorter_one_is() {
    let mut random = Random(6);
    for _ in 0..ROUNDS {
        let a = random.float();
        let float = a.to_float();
        // The text cannot show that numbers are closer together below a power of two.
        if float.needed_precision() <= 1 {
            continue;
        }
        let here = Neighbourhood::of(&a);
        let text = a.to_string();
        let printed = exact_text(&text);
        assert!(here.rounds_here(&printed), "{a:?}");
        if a.is_integer() && float.whole_bits() <= float.precision {
            assert_eq!(printed, exact(&a), "whole numbers are printed as they are");
            continue;
        }
        let point = text.find('.').map_or(0, |point| text.len() - point - 1);
        let zeros = text.len() - text.trim_end_matches('0').len();
        let last = if point == 0 { i64::try_from(zeros).unwrap() } else { -i64::try_from(point).unwrap() };
        // With one digit less, the nearest texts are these.
        let unit = power(10, last + 1);
        let fewer = RBig::from((&here.size / &unit).floor()) * &unit;
        for shorter in [fewer.clone(), fewer + unit] {
            assert!(shorter <= here.below || here.above <= shorter, "{a:?}: {text} or {shorter}");
        }
    }
}

#[test]
fn rounded_text_is_rounded_half_to_even() {
    let mut random = Random(7);
    let even = |value: RBig| {
        let (floor, rest) = (value.floor(), &value - RBig::from(value.floor()));
        let up = match rest.cmp(&(RBig::ONE / RBig::from(2))) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => &floor % 2 != 0,
        };
        if up { floor + IBig::ONE } else { floor }
    };
    for _ in 0..ROUNDS {
        let a = random.small_float(60, 40);
        let digits = usize::try_from(random.below(30)).unwrap();
        let places = i64::try_from(digits).unwrap();
        let want = RBig::from(even(size(&exact(&a)) * power(10, places))) * power(10, -places);
        assert_eq!(size(&exact_text(&a.to_fixed(digits))), want, "{a:?} to {digits}");

        if a.is_zero() {
            continue;
        }
        let text = a.to_exponent(digits);
        let (mantissa, exponent) = text.split_once('e').unwrap();
        let scale = exponent.parse::<i64>().unwrap();
        let got = size(&exact_text(mantissa)) * power(10, scale);
        // If rounding up adds a digit, the place is one further left.
        let place = |scale: i64| {
            let unit = power(10, scale - places);
            RBig::from(even(size(&exact(&a)) / &unit)) * unit
        };
        assert!(got == place(scale) || got == place(scale - 1), "{a:?} to {digits}: {text}");
    }
}
