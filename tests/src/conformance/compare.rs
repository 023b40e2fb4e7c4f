//! Compares a value with the JSON form of the tables.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_value::{Bound, Entries, Mark, Number, Refinement, SmolStr, Type, Value, ValueKind};

use super::row::UnknownPart;

/// The JSON form of a type: `"string"`, `["list", "string"]`, `["object", {"a": "number"}]`.
///
/// # Errors
///
/// Where the text is not of that form.
pub fn parse_type(raw: &RawValue) -> Result<Type, String> {
    let wrong = || format!("not a type: {}", raw.get());
    if let Ok(name) = serde_json::from_str::<String>(raw.get()) {
        return match name.as_str() {
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            "dynamic" => Ok(Type::Dynamic),
            _ => Err(wrong()),
        };
    }
    let parts: Vec<&RawValue> = borrowed(raw).map_err(|_| wrong())?;
    // An object type may name its optional attributes in a third part; a value has no use for them.
    let ([constructor, argument] | [constructor, argument, _]) = parts.as_slice() else {
        return Err(wrong());
    };
    match constructor.get() {
        "\"list\"" => parse_type(argument).map(Type::list),
        "\"set\"" => parse_type(argument).map(Type::set),
        "\"map\"" => parse_type(argument).map(Type::map),
        "\"tuple\"" => {
            let elements: Vec<&RawValue> = borrowed(argument)?;
            let elements: Result<Vec<Type>, String> = elements.into_iter().map(parse_type).collect();
            elements.map(Type::tuple)
        }
        "\"object\"" => {
            let attributes: BTreeMap<String, &RawValue> = borrowed(argument)?;
            let attributes =
                attributes.into_iter().map(|(name, raw)| Ok((SmolStr::from(name), parse_type(raw)?)));
            attributes.collect::<Result<Vec<_>, String>>().map(Type::object)
        }
        _ => Err(wrong()),
    }
}

/// The known value that `raw` describes, as one of type `ty`.
///
/// # Errors
///
/// Where the text is not of that form.
pub fn parse_value(ty: &Type, raw: Option<&RawValue>) -> Result<Value, String> {
    let Some(raw) = raw.filter(|raw| raw.get() != "null") else { return Ok(Value::null(ty.clone())) };
    let elements = || borrowed::<Vec<&RawValue>>(raw);
    let entries = || borrowed::<BTreeMap<String, &RawValue>>(raw);
    match ty {
        Type::Bool => borrowed::<bool>(raw).map(Value::from),
        Type::Number => {
            let number = canonical_number(raw.get()).and_then(|text| Number::parse(&text));
            number.map(Value::number).ok_or_else(|| format!("not a number: {}", raw.get()))
        }
        Type::String => borrowed::<String>(raw).map(Value::from),
        Type::Dynamic => Err(format!("a value of no type: {}", raw.get())),
        Type::List(element) => {
            let values = elements()?.into_iter().map(|raw| parse_value(element, Some(raw)));
            Ok(Value::list((**element).clone(), values.collect::<Result<Vec<_>, _>>()?))
        }
        Type::Set(element) => {
            let values = elements()?.into_iter().map(|raw| parse_value(element, Some(raw)));
            Ok(Value::set((**element).clone(), values.collect::<Result<Vec<_>, _>>()?))
        }
        Type::Map(element) => {
            let entries = entries()?.into_iter();
            let entries =
                entries.map(|(key, raw)| Ok((SmolStr::from(key), parse_value(element, Some(raw))?)));
            Ok(Value::map((**element).clone(), entries.collect::<Result<Vec<_>, String>>()?))
        }
        Type::Tuple(types) => {
            let pairs = types.iter().zip(elements()?);
            let values = pairs.map(|(ty, raw)| parse_value(ty, Some(raw)));
            Ok(Value::tuple(values.collect::<Result<Vec<_>, _>>()?))
        }
        Type::Object(object) => {
            let entries = entries()?;
            let attributes = object
                .attributes()
                .iter()
                .map(|(name, ty)| Ok((name.clone(), parse_value(ty, entries.get(&**name).copied())?)));
            Ok(Value::object(attributes.collect::<Result<Vec<_>, String>>()?))
        }
    }
}

/// Whether `value` equals `raw`, apart from marks and the types of parts.
pub fn is_value(value: &Value, raw: Option<&RawValue>) -> bool {
    let Some(raw) = raw else { return value.is_null() };
    match value.kind() {
        ValueKind::Marked(value, _) => is_value(value, Some(raw)),
        ValueKind::Null(_) => raw.get() == "null",
        ValueKind::Bool(value) => raw.get() == if value { "true" } else { "false" },
        ValueKind::Number(number) => is_number(number, raw),
        ValueKind::String(text) => borrowed::<String>(raw).is_ok_and(|wanted| wanted == **text),
        ValueKind::Unknown(_) => special(raw, "__unknown__").is_some_and(|raw| raw == "true"),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            borrowed::<Vec<&RawValue>>(raw).is_ok_and(|wanted| {
                let mut pairs = elements.iter().zip(&wanted);
                elements.len() == wanted.len() && pairs.all(|(value, raw)| is_value(value, Some(raw)))
            })
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => is_mapping(entries, raw),
    }
}

fn is_mapping(entries: &Entries, raw: &RawValue) -> bool {
    borrowed::<BTreeMap<String, &RawValue>>(raw).is_ok_and(|wanted| {
        let mut pairs = entries.iter().zip(&wanted);
        entries.len() == wanted.len()
            && pairs.all(|((key, value), (name, raw))| **key == **name && is_value(value, Some(raw)))
    })
}

/// Some numbers of the tables went through 64-bit floating point or lost the sign of a zero; the text of the
/// console is exact.
fn is_number(number: &Number, raw: &RawValue) -> bool {
    if let Some(infinity) = special(raw, "__inf__") {
        return infinity.trim_matches('"') == number.to_string();
    }
    let text = number.to_string();
    let rounded = |text: &str| text.parse::<f64>().map(|number| (number + 0.0).to_bits()).ok();
    canonical_number(raw.get()) == canonical_number(&text) || rounded(raw.get()) == rounded(&text)
}

/// The JSON text behind the only key of an object like `{"__unknown__": true}`.
fn special<'r>(raw: &'r RawValue, key: &str) -> Option<&'r str> {
    let entries: BTreeMap<String, &RawValue> = borrowed(raw).ok()?;
    if entries.len() == 1 { entries.get(key).map(|raw| raw.get()) } else { None }
}

/// A decimal without exponent, without needless zeros: `1e-06` and `0.0000010` give `0.000001`.
pub fn canonical_number(text: &str) -> Option<String> {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok().filter(|exponent| (-5_000..=5_000).contains(exponent))?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut point = i64::try_from(whole.len()).ok()? + exponent;
    if point < 1 {
        digits.insert_str(0, &"0".repeat(usize::try_from(1 - point).ok()?));
        point = 1;
    }
    let point = usize::try_from(point).ok()?;
    while digits.len() < point {
        digits.push('0');
    }
    let (whole, fraction) = digits.split_at_checked(point)?;
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.trim_end_matches('0');
    let dot = if fraction.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{dot}{fraction}"))
}

fn borrowed<'r, T: Deserialize<'r>>(raw: &'r RawValue) -> Result<T, String> {
    serde_json::from_str(raw.get()).map_err(|error| format!("{error} in {}", raw.get()))
}

/// The unknown and the sensitive parts of a value, in the order of traversal.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The refinements of each unknown part.
    pub unknowns: Vec<UnknownPart>,
    /// The paths of the parts that are marked sensitive.
    pub sensitive: Vec<String>,
}

impl Parts {
    /// The parts of `value`, sorted by path.
    pub fn of(value: &Value) -> Parts {
        let mut parts = Parts::default();
        parts.collect(value, String::new());
        parts.sorted()
    }

    /// These parts, sorted by path.
    #[must_use]
    pub fn sorted(mut self) -> Parts {
        self.unknowns.sort();
        self.sensitive.sort();
        self
    }

    fn collect(&mut self, value: &Value, path: String) {
        if value.has_mark(&Mark::Sensitive) {
            self.sensitive.push(path.clone());
        }
        match value.unmarked().kind() {
            ValueKind::List(elements) | ValueKind::Tuple(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    self.collect(element, format!("{path}[{index}]"));
                }
            }
            ValueKind::Set(elements) => {
                for element in elements {
                    self.collect(element, format!("{path}[{}]", set_step(element)));
                }
            }
            ValueKind::Map(entries) => {
                for (key, element) in entries {
                    self.collect(element, format!("{path}[\"{key}\"]"));
                }
            }
            ValueKind::Object(entries) => {
                for (name, attribute) in entries {
                    self.collect(attribute, format!("{path}.{name}"));
                }
            }
            ValueKind::Unknown(unknown) => self.unknowns.push(part(&unknown.refinement, path)),
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::Null(_)
            | ValueKind::Marked(..) => {}
        }
    }
}

/// How the tables write the step to an element of a set.
fn set_step(element: &Value) -> &'static str {
    if element.is_known() { "..." } else { "(not yet known)" }
}

fn part(refinement: &Refinement, path: String) -> UnknownPart {
    let bound = |bound: &Option<Bound>| {
        bound.as_ref().map(|bound| canonical_number(&bound.number.to_string()).unwrap_or_default())
    };
    UnknownPart {
        path,
        not_null: refinement.not_null,
        prefix: refinement.prefix.as_deref().map(str::to_owned),
        len_min: refinement.length_min,
        len_max: refinement.length_max,
        min: bound(&refinement.min),
        min_inclusive: refinement.min.as_ref().is_some_and(|min| min.is_inclusive),
        max: bound(&refinement.max),
        max_inclusive: refinement.max.as_ref().is_some_and(|max| max.is_inclusive),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_text() {
        let texts =
            ["1e-06", "0.0000010", "12e3", "-0.5", "007", "0", "1.50", "-0", "1.5e1", "x", "1e999999999"];
        let canonical: Vec<_> =
            texts.iter().map(|text| canonical_number(text).unwrap_or("none".into())).collect();
        let wanted = ["0.000001", "0.000001", "12000", "-0.5", "7", "0", "1.5", "-0", "15", "none", "none"];
        assert_eq!(canonical, wanted);
    }

    #[test]
    fn types_are_read() {
        let raw = RawValue::from_string(r#"["object",{"a":["tuple",["bool",["map","dynamic"]]]}]"#.into());
        assert_eq!(parse_type(&raw.unwrap()).unwrap().to_string(), "object({a=tuple([bool,map(any)])})");
    }
}
