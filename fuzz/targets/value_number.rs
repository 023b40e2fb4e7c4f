//! Numbers from text and back, and every operation on them.

#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane_fuzz::values;
use terrane_value::Number;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data)
        && let Some(number) = Number::parse(text)
        && number.to_f64().is_finite()
    {
        let printed = number.to_string();
        let again = Number::parse(&printed).expect("printed text is a number");
        assert_eq!(number, again, "{text}");
        assert_eq!(printed, again.to_string(), "{text}");
    }
    let mut bytes = Unstructured::new(data);
    let (Ok(left), Ok(right)) = (values::number(&mut bytes), values::number(&mut bytes)) else { return };
    assert_eq!(left.compare(&right), right.compare(&left).reverse());
    assert_eq!(left == right, right == left);
    let results = [
        left.add(&right),
        left.subtract(&right),
        left.multiply(&right),
        left.divide(&right),
        left.remainder(&right),
    ];
    for number in
        results.into_iter().flatten().chain([left.floor(), left.ceil(), left.truncate(), left.abs()])
    {
        // Texts of hundreds of thousands of digits are right, but leave no time for anything else.
        if number.is_zero() || number.is_infinite() || (number.to_f64() != 0.0 && number.to_f64().is_finite())
        {
            let _ = (number.to_general(10), number.to_fixed(3), number.to_exponent(20));
            let _ = (number.to_general_shortest(), number.to_radix(16), number.to_string());
        }
        let _ = (number.to_f64(), number.to_i64(), number.to_u64());
        let same = number.with_precision(number.precision().max(1));
        assert_eq!(number, same);
    }
    if let (Ok(sum), Ok(back)) = (left.add(&right), right.add(&left)) {
        assert_eq!(sum, back);
    }
    if let (Ok(product), Ok(back)) = (left.multiply(&right), right.multiply(&left)) {
        assert_eq!(product, back);
    }
});
