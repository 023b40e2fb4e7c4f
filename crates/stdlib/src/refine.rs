//! Functions of OpenTofu that promise a refinement of an unknown value. A known value must keep the promise.

use terrane_function::{Availability, Call, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Mark, Number, Type, Value, ValueKind, convert, with_article};

use crate::row::Body;

pub(crate) fn functions() -> Vec<Function> {
    let mut functions = of_any_value();
    functions.extend(of_lengths());
    functions
}

fn assumption(name: &'static str, description: &'static str, result: ResultType, body: Body) -> Function {
    Function::new(name, description, result, body).since(Availability::nowhere().opentofu(13)).nullable()
}

fn of_any_value() -> Vec<Function> {
    let any = |name| Parameter::new(name, Type::Dynamic).null().unknown().dynamic().marked();
    vec![
        assumption(
            "assumeequal",
            "Returns the second value and promises that the first value equals it once the first is known.",
            ResultType::computed(|call| Ok(call.argument(1).ty())),
            assumeequal,
        )
        .parameter(any("actual_value"))
        .parameter(any("expected_value"))
        .examples(&[(r#"assumeequal(1, "1")"#, r#""1""#)])
        .pure(),
        assumption(
            "assumenotnull",
            "Returns the value and promises that it is not null.",
            ResultType::Fixed(Type::Dynamic),
            assumenotnull,
        )
        .parameter(value(Type::Dynamic))
        .examples(&[(r#"assumenotnull("hello")"#, r#""hello""#)])
        .pure(),
        assumption(
            "assumestringprefix",
            "Returns the string and promises that it begins with a prefix.",
            ResultType::Fixed(Type::String),
            assumestringprefix,
        )
        .parameter(value(Type::String))
        .parameter(Parameter::new("prefix", Type::String))
        .examples(&[(r#"assumestringprefix("foo-bar", "foo-")"#, r#""foo-bar""#)])
        .pure(),
    ]
}

fn of_lengths() -> Vec<Function> {
    vec![
        length_between("assumelistlength", Type::list(Type::Dynamic))
            .examples(&[(r#"assumelistlength(["a", "b"], 1, 3)"#, "tolist([\n  \"a\",\n  \"b\",\n])")])
            .pure(),
        length_at_least("assumelistlengthmin", Type::list(Type::Dynamic))
            .examples(&[(r#"assumelistlengthmin(["a", "b"], 1)"#, "tolist([\n  \"a\",\n  \"b\",\n])")])
            .pure(),
        length_at_most("assumelistlengthmax", Type::list(Type::Dynamic))
            .examples(&[(r#"assumelistlengthmax(["a", "b"], 3)"#, "tolist([\n  \"a\",\n  \"b\",\n])")])
            .pure(),
        length_between("assumesetlength", Type::set(Type::Dynamic))
            .examples(&[(r#"assumesetlength(["a", "a"], 1, 2)"#, "toset([\n  \"a\",\n])")])
            .pure(),
        length_at_least("assumesetlengthmin", Type::set(Type::Dynamic))
            .examples(&[(r#"assumesetlengthmin(["a", "b"], 1)"#, "toset([\n  \"a\",\n  \"b\",\n])")])
            .pure(),
        length_at_most("assumesetlengthmax", Type::set(Type::Dynamic))
            .examples(&[(r#"can(assumesetlengthmax(["a", "b"], 1))"#, "false")])
            .pure(),
        length_between("assumemaplength", Type::map(Type::Dynamic))
            .examples(&[("assumemaplength({ a = 1 }, 1, 2)", "tomap({\n  \"a\" = 1\n})")])
            .pure(),
        length_at_least("assumemaplengthmin", Type::map(Type::Dynamic))
            .examples(&[("assumemaplengthmin({ a = 1 }, 1)", "tomap({\n  \"a\" = 1\n})")])
            .pure(),
        length_at_most("assumemaplengthmax", Type::map(Type::Dynamic))
            .examples(&[("assumemaplengthmax({ a = 1 }, 2)", "tomap({\n  \"a\" = 1\n})")])
            .pure(),
    ]
}

fn value(ty: Type) -> Parameter {
    Parameter::new("value", ty).null().unknown().dynamic()
}

fn bound(name: &'static str) -> Parameter {
    Parameter::new(name, Type::Number)
}

fn length_between(name: &'static str, ty: Type) -> Function {
    let description =
        "Returns the collection and promises that its length is between a minimum and a maximum.";
    assumption(name, description, ResultType::Fixed(ty.clone()), |call| {
        bounded(call, whole(call, 1, 1)?, Some(whole(call, 2, 2)?))
    })
    .parameter(value(ty))
    .parameter(bound("min_length"))
    .parameter(bound("max_length"))
}

fn length_at_least(name: &'static str, ty: Type) -> Function {
    let description =
        "Returns the collection and promises that it has at least a minimum number of elements.";
    assumption(name, description, ResultType::Fixed(ty.clone()), |call| {
        bounded(call, whole(call, 1, 0)?, None)
    })
    .parameter(value(ty))
    .parameter(bound("min_length"))
}

fn length_at_most(name: &'static str, ty: Type) -> Function {
    let description = "Returns the collection and promises that it has at most a maximum number of elements.";
    assumption(name, description, ResultType::Fixed(ty.clone()), |call| {
        bounded(call, 0, Some(whole(call, 1, 0)?))
    })
    .parameter(value(ty))
    .parameter(bound("max_length"))
}

/// Returns the bound at `index`. An invalid bound is an error about the argument `blamed`, as in the reference.
fn whole(call: &Call<'_>, index: usize, blamed: usize) -> Result<i64, FunctionError> {
    let number = call.argument(index).as_number().filter(|number| number.is_integer());
    let whole = number.and_then(Number::to_i64).filter(|bound| *bound < i64::MAX);
    whole.ok_or_else(|| call.invalid(blamed, format!("a whole number from 0 to {} is required", i64::MAX)))
}

fn refuted(call: &Call<'_>) -> FunctionError {
    call.invalid(0, "the value does not satisfy the assumption")
}

fn bounded(call: &Call<'_>, min: i64, max: Option<i64>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    if value.is_null() {
        return Err(refuted(call));
    }
    let length = match value.kind() {
        // Unknown elements may become equal, so the set may have fewer elements.
        ValueKind::Set(elements) if !value.is_wholly_known() && elements.len() > 1 => {
            (1, u64::try_from(elements.len()).ok())
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Tuple(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => {
            let range = value.range();
            (range.length_min, range.length_max)
        }
    };
    let at_least = u64::try_from(min).unwrap_or(0);
    let at_most = match max.map(u64::try_from) {
        Some(Err(_)) => return Err(refuted(call)),
        Some(Ok(most)) => Some(most),
        None => None,
    };
    let holds = length.1.is_none_or(|most| at_least <= most) && at_most.is_none_or(|most| length.0 <= most);
    if !holds || at_most.is_some_and(|most| at_least > most) {
        return Err(refuted(call));
    }
    if value.is_known() {
        return Ok(value.clone());
    }
    Ok(value.clone().with_length_bounds(at_least, at_most))
}

fn assumenotnull(call: &Call<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    if value.ty() == Type::Dynamic {
        return Err(call.invalid(0, "the type of the value must be known; the function convert gives it one"));
    }
    if value.is_null() {
        return Err(refuted(call));
    }
    Ok(value.clone().not_null())
}

fn assumestringprefix(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (value, prefix) = (call.argument(0), call.string(1));
    let agrees = match value.as_str() {
        Some(text) => text.starts_with(prefix),
        None => {
            let known_prefix = value.range().prefix.unwrap_or_default();
            known_prefix.bytes().zip(prefix.bytes()).all(|(left, right)| left == right)
        }
    };
    if !agrees {
        return Err(refuted(call));
    }
    Ok(if value.is_known() { value.clone() } else { value.clone().not_null().with_prefix(prefix) })
}

fn assumeequal(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (actual, assumed) = (call.argument(0), call.argument(1));
    let (plain, marks) = actual.unmark_deep();
    let converted = convert(&plain, &assumed.ty()).map_err(|_| {
        let (have, want) = (with_article(&actual.ty().plain_name()), assumed.ty().plain_name());
        call.invalid(
            0,
            format!("the value is {have}, which does not convert to the type of the expected value, {want}"),
        )
    })?;
    if converted.equals(&assumed.unmark_deep().0) == Some(false) {
        return Err(call.invalid(0, "the value does not equal the expected value"));
    }
    // These two marks describe the value and not its origin; the assumed value has marks of its own for that.
    let marks = marks.without(&Mark::Sensitive).without(&Mark::Ephemeral);
    Ok(assumed.clone().with_marks(&marks))
}

#[cfg(test)]
mod tests {
    use terrane_value::{Type, Value};

    use crate::testing::{call, list, number, result, secret, strings, tuple, unknown};

    #[test]
    fn known_values_must_satisfy_the_assumption() {
        let ab = || list(["a", "b"]);
        let cases = [
            ("assumelistlength", vec![ab(), number("1"), number("2")], "list[a, b]"),
            ("assumelistlength", vec![tuple(["a"]), number("2"), number("3")], "error in argument 0"),
            ("assumelistlength", vec![ab(), number("3"), number("2")], "error in argument 0"),
            ("assumelistlength", vec![ab(), number("0"), number("0.5")], "error in argument 2"),
            ("assumelistlengthmin", vec![ab(), number("0.5")], "error in argument 0"),
            ("assumelistlengthmax", vec![ab(), number("1")], "error in argument 0"),
            ("assumelistlengthmax", vec![ab(), number("-1")], "error in argument 0"),
            ("assumesetlengthmin", vec![tuple(["b", "a"]), number("2")], "set[a, b]"),
            (
                "assumemaplengthmax",
                vec![Value::null(Type::map(Type::Bool)), number("2")],
                "error in argument 0",
            ),
            ("assumenotnull", vec!["a".into()], "a"),
            ("assumenotnull", vec![Value::NULL], "error in argument 0"),
            ("assumenotnull", vec![Value::null(Type::String)], "error in argument 0"),
            ("assumestringprefix", vec!["foo-bar".into(), "foo-".into()], "foo-bar"),
            ("assumestringprefix", vec![Value::TRUE, "tru".into()], "true"),
            ("assumestringprefix", vec!["x".into(), "y-".into()], "error in argument 0"),
            // As in the reference, a string that is shorter than the prefix is refused, however it begins.
            ("assumestringprefix", vec!["foo".into(), "foo-".into()], "error in argument 0"),
            ("assumeequal", vec![number("1"), "1".into()], "1"),
            ("assumeequal", vec!["a".into(), "b".into()], "error in argument 0"),
            ("assumeequal", vec!["x".into(), number("1")], "error in argument 0"),
            ("assumeequal", vec![secret("a"), "a".into()], "a"),
            ("assumeequal", vec!["a".into(), secret("a")], "*a"),
            ("assumeequal", vec![unknown(Type::Dynamic), "a".into()], "a"),
        ];
        for (name, arguments, expected) in cases {
            assert_eq!(result(name, arguments.clone()), expected, "{name} of {arguments:?}");
        }
    }

    #[test]
    fn assumptions_refine_unknown_values() {
        let text = call("assumestringprefix", [unknown(Type::String), "pre-".into()]).unwrap();
        assert_eq!(text.range().prefix.as_deref(), Some("pre-"));
        assert_eq!(result("assumestringprefix", [text, "post-".into()]), "error in argument 0");
        let items = call("assumelistlength", [unknown(Type::list(Type::String)), number("2"), number("3")]);
        let range = items.unwrap().range();
        assert_eq!((range.length_min, range.length_max), (2, Some(3)));
        assert_eq!(result("assumenotnull", [unknown(Type::String)]), "?string");
        assert_eq!(result("assumestringprefix", strings(["a", "a"])), "a");
    }
}
