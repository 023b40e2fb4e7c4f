//! Functions that convert values to a type, and functions that set or remove marks.

use terrane_function::{
    Availability, Call, Cost, Function, FunctionError, Parameter, ResultParts, ResultType, beginning,
};
use terrane_value::{
    Agreement, Mark, Marks, Refinement, SmolStr, Type, Unification, Value, ValueKind, can_convert, convert,
    unify,
};

pub(crate) fn functions() -> Vec<Function> {
    let mut functions = conversions();
    functions.extend(marking());
    functions
}

fn conversions() -> Vec<Function> {
    let conversion = |name, description, ty: Type| {
        // For a list, the order of the elements must agree, too. Conversions other than `tolist` and `toset` accept no
        // sequence, so the agreement does not matter for them.
        let agreement = if matches!(ty, Type::Set(_)) { Agreement::Elements } else { Agreement::Order };
        let parameter = Parameter::new("v", Type::Dynamic).null().dynamic().marked().any_kind(agreement);
        let target = ResultType::computed(move |call| target(call, &ty));
        let function = Function::new(name, description, target, converted).parameter(parameter);
        function.made_of(ResultParts::Argument).nullable()
    };
    vec![
        conversion("tostring", "Converts a bool or number to a string.", Type::String)
            .since(Availability::modules())
            .examples(&[("tostring(42)", r#""42""#)])
            .cost(Cost::Constant)
            .pure(),
        conversion("tonumber", "Converts a string that holds a number to a number.", Type::Number)
            .since(Availability::modules())
            .examples(&[(r#"tonumber("42")"#, "42")])
            .pure(),
        conversion("tobool", "Converts the strings \"true\" and \"false\" to a bool.", Type::Bool)
            .since(Availability::modules())
            .examples(&[(r#"tobool("true")"#, "true")])
            .cost(Cost::Constant)
            .pure(),
        conversion(
            "tolist",
            "Converts a set or tuple to a list. Elements of different types are converted to one type.",
            Type::list(Type::Dynamic),
        )
        .since(Availability::modules())
        .examples(&[(r#"tolist(["a", 1])"#, "tolist([\n  \"a\",\n  \"1\",\n])")])
        .pure(),
        conversion(
            "toset",
            "Converts a list or tuple to a set, which has no equal elements and its own order.",
            Type::set(Type::Dynamic),
        )
        .since(Availability::modules())
        .examples(&[(r#"toset(["c", "b", "b"])"#, "toset([\n  \"b\",\n  \"c\",\n])")])
        .pure(),
        conversion(
            "tomap",
            "Converts an object to a map. Attributes of different types are converted to one type.",
            Type::map(Type::Dynamic),
        )
        .since(Availability::modules())
        .examples(&[(r#"tomap({ a = 1, b = "x" })"#, "tomap({\n  \"a\" = \"1\"\n  \"b\" = \"x\"\n})")])
        .pure(),
    ]
}

fn marking() -> Vec<Function> {
    let any = || Parameter::new("value", Type::Dynamic).null().unknown().dynamic().marked();
    let same = || ResultType::computed(|call| Ok(call.argument(0).ty()));
    vec![
        Function::new(
            "sensitive",
            "Marks a value as sensitive, so that output does not show it.",
            same(),
            |call| Ok(call.argument(0).clone().with_marks(&Marks::sensitive())),
        )
        .made_of(ResultParts::SensitiveArgument)
        .parameter(any())
        .nullable()
        .since(Availability::modules().early_terraform(15))
        .examples(&[(r#"sensitive("secret")"#, "(sensitive value)")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "nonsensitive",
            "Removes the sensitive mark from a value, but not from its elements.",
            same(),
            |call| {
                let value = call.argument(0);
                Ok(value.unmarked().clone().with_marks(&value.marks().without(&Mark::Sensitive)))
            },
        )
        .made_of(ResultParts::NonsensitiveArgument)
        .parameter(any())
        .nullable()
        .since(Availability::modules().early_terraform(15))
        .examples(&[(r#"nonsensitive(sensitive("secret"))"#, r#""secret""#)])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "issensitive",
            "Returns true if a value is marked as sensitive. Marks of its elements do not count.",
            ResultType::Fixed(Type::Bool),
            issensitive,
        )
        .parameter(any())
        .since(Availability::nowhere().terraform(8).opentofu(7))
        .examples(&[(r#"issensitive(sensitive("secret"))"#, "true"), (r#"issensitive("public")"#, "false")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "ephemeralasnull",
            "Replaces an ephemeral value, and ephemeral values inside a value, by null.",
            same(),
            ephemeralasnull,
        )
        .made_of(ResultParts::Argument)
        .parameter(any())
        .nullable()
        .since(Availability::nowhere().terraform(10).opentofu(11))
        .examples(&[(r#"ephemeralasnull("not ephemeral")"#, r#""not ephemeral""#)])
        .cost(Cost::Constant)
        .pure(),
    ]
}

/// The work of copying an element with unknown or marked parts.
const WORK_OF_REPLACED: usize = 8;

fn ephemeralasnull(call: &Call<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    if value.contains_marked() || !value.is_wholly_known() {
        call.spend(value.size().saturating_mul(WORK_OF_REPLACED))?;
    }
    Ok(ephemeral_as_null(value))
}

fn target(call: &Call<'_>, want: &Type) -> Result<Type, FunctionError> {
    let have = call.argument(0).ty();
    if have == *want || can_convert(&have, want) {
        return Ok(want.clone());
    }
    Err(call.invalid(0, format!("{} cannot be converted to {}", have.plain_name(), want.constraint_name())))
}

/// The work of converting an element.
const WORK_OF_CONVERTED: usize = 16;

/// Returns the type to which values of all these types can be converted, as [`unify`] does, and counts the work.
pub(crate) fn common_type(call: &Call<'_>, types: &[Type]) -> Result<Option<Type>, FunctionError> {
    call.spend(usize::try_from(Unification::work(types)).unwrap_or(usize::MAX))?;
    Ok(unify(types))
}

/// Counts the work of a conversion, for functions of [`Cost::Constant`](terrane_function::Cost).
pub(crate) fn spend_on_conversion(call: &Call<'_>, value: &Value, want: &Type) -> Result<(), FunctionError> {
    if value.is_plain(want) || *want == Type::Dynamic {
        return Ok(());
    }
    let ty = value.ty();
    call.spend(ty.parts().min(want.parts()))?;
    if ty == *want {
        return Ok(());
    }
    let (elements, text) = value.extent();
    call.spend(text / 8 + elements.saturating_mul(WORK_OF_CONVERTED) + value.work_to_write_numbers())
}

fn converted(call: &Call<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    // Among conversions of constant cost, only the conversion of a long number to text takes long.
    if *call.result_type == Type::String {
        spend_on_conversion(call, value, call.result_type)?;
    }
    if matches!(call.result_type, Type::Set(_)) {
        call.spend(value.work_of_set())?;
    }
    convert(value, call.result_type).map_err(|error| {
        let (plain, marks) = value.unmark_deep();
        let hidden = marks.is_secret();
        let want = call.result_type.constraint_name();
        let message = match plain.as_str() {
            Some(text) if !hidden => format!("{:?} cannot be converted to {want}", beginning(text)),
            Some(_) => format!("this sensitive string cannot be converted to {want}"),
            None => return FunctionError::of_argument(0, error),
        };
        call.invalid(0, message)
    })
}

fn issensitive(call: &Call<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    // The value may have other marks once it is known.
    Ok(if value.is_known() { Value::from(value.has_mark(&Mark::Sensitive)) } else { call.unknown() })
}

fn ephemeral_as_null(value: &Value) -> Value {
    if value.is_wholly_known() && !value.contains_marked() {
        return value.clone();
    }
    let kept = value.marks().without(&Mark::Ephemeral);
    let inner = value.unmarked();
    if !value.is_known() {
        return inner.clone().refine(|refinement| *refinement = Refinement::NONE).with_marks(&kept);
    }
    if value.has_mark(&Mark::Ephemeral) {
        return Value::null(value.ty()).with_marks(&kept);
    }
    let element = || value.ty().element().cloned().unwrap_or(Type::Dynamic);
    let entry = |(key, value): (&SmolStr, &Value)| (key.clone(), ephemeral_as_null(value));
    let replaced = match inner.kind() {
        ValueKind::List(elements) => Value::list(element(), elements.iter().map(ephemeral_as_null)),
        ValueKind::Set(elements) => Value::set(element(), elements.iter().map(ephemeral_as_null)),
        ValueKind::Tuple(elements) => Value::tuple(elements.iter().map(ephemeral_as_null)),
        ValueKind::Map(entries) => Value::map(element(), entries.iter().map(entry)),
        ValueKind::Object(entries) => Value::object(entries.iter().map(entry)),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => inner.clone(),
    };
    replaced.with_marks(&kept)
}

#[cfg(test)]
mod tests {
    use terrane_value::{Mark, Marks, Type, Value};

    use crate::testing::{call, number, object, result, secret, show, tuple, unknown};

    #[test]
    fn values_are_converted() {
        let cases = [
            ("tostring", number("1.50"), "1.5"),
            ("tostring", tuple([]), "error in argument 0"),
            ("tonumber", "0x1".into(), "error in argument 0"),
            ("tonumber", Value::TRUE, "error in argument 0"),
            ("tobool", "1".into(), "true"),
            ("tobool", Value::NULL, "null bool"),
            ("tolist", Value::tuple([secret("a"), number("1")]), "list[*a, 1]"),
            ("tolist", Value::tuple([number("1"), Value::TRUE]), "error in argument 0"),
            ("toset", Value::tuple([secret("b"), "a".into()]), "*set[a, b]"),
            ("tomap", object([("a", number("1")), ("b", "x".into())]), "map{a = 1, b = x}"),
            ("tolist", unknown(Type::set(Type::Bool)), "?list(any) or null"),
            ("tolist", unknown(Type::String), "error in argument 0"),
            ("tostring", unknown(Type::Dynamic), "?string or null"),
        ];
        for (name, value, expected) in cases {
            assert_eq!(result(name, [value.clone()]), expected, "{name} of {value:?}");
        }
    }

    #[test]
    fn messages_do_not_show_sensitive_values() {
        let message = |value| call("tonumber", [value]).unwrap_err().message;
        assert!(message("hidden".into()).contains("hidden"));
        assert!(!message(secret("hidden")).contains("hidden"));
    }

    #[test]
    fn the_mark_is_put_on_and_taken_off() {
        assert_eq!(result("sensitive", [Value::NULL]), "*null any");
        assert_eq!(result("nonsensitive", [secret(Value::tuple([secret("a")]))]), "[*a]");
        assert_eq!(result("issensitive", [secret("a")]), "true");
        assert_eq!(result("issensitive", [Value::tuple([secret("a")])]), "false");
        assert_eq!(result("issensitive", [secret(unknown(Type::String))]), "?bool");
    }

    #[test]
    fn ephemeral_values_become_null() {
        let ephemeral = |value: Value| value.with_marks(&Marks::one(Mark::Ephemeral));
        let value = object([("a", ephemeral("x".into())), ("b", secret("y")), ("c", ephemeral(secret("z")))]);
        let replaced = call("ephemeralasnull", [value]).unwrap();
        assert_eq!(show(&replaced), "{a = null string, b = *y, c = *null string}");
        assert_eq!(result("ephemeralasnull", [ephemeral(unknown(Type::String))]), "?string or null");
        assert_eq!(result("ephemeralasnull", [ephemeral(tuple(["a"]))]), "null tuple([string])");
    }
}
