//! Functions that find an element of a collection or count the elements.

use terrane_function::{
    Availability, Call, Cost, Function, FunctionError, Parameter, Product, ResultParts, ResultType, Skipped,
};
use terrane_value::{Agreement, Bound, Number, Type, Value, ValueKind, convert, ops, with_article};

use super::elements::{indexed_elements, is_sequence, is_set, is_tuple};
use crate::characters::count_characters;
use crate::conversion::{common_type, spend_on_conversion};
use crate::integer::{count, whole};

pub(super) fn functions() -> Vec<Function> {
    [by_position(), searching(), first_of_several()].into_iter().flatten().collect()
}

fn by_position() -> Vec<Function> {
    vec![
        Function::new(
            "length",
            "Returns the number of elements of a collection, attributes of an object, or characters of a \
             string.",
            ResultType::computed(length_type),
            length,
        )
        .made_of(ResultParts::Keys)
        .parameter(
            Parameter::new("value", Type::Dynamic).unknown().dynamic().marked().any_kind(Agreement::Elements),
        )
        .examples(&[(r#"length(["a", "b"])"#, "2"), (r#"length("hello")"#, "5")])
        .cost(Cost::Constant)
        .pure(),
        Function::new(
            "element",
            "Returns the element at an index. An index beyond the end wraps around to the beginning; a \
             negative index counts from the end.",
            ResultType::computed(element_type),
            element,
        )
        .made_of(ResultParts::ElementAt)
        .parameter(Parameter::new("list", Type::Dynamic).marked().open())
        .parameter(Parameter::new("index", Type::Number))
        .nullable()
        .since(Availability::modules())
        .declared_dynamic(&[Product::Terraform, Product::OpenTofu])
        .examples(&[(r#"element(["a", "b", "c"], 4)"#, r#""b""#)])
        .cost(Cost::Constant)
        .pure(),
        // Packer has an older version.
        Function::new(
            "element",
            "Returns the element at an index. An index beyond the end wraps around to the beginning.",
            ResultType::computed(|call| {
                let is_negative = whole(call.argument(1)).is_some_and(|index| index < 0);
                let error = || FunctionError::new("the index must not be negative");
                if is_negative { Err(error()) } else { element_type(call) }
            }),
            element,
        )
        .made_of(ResultParts::ElementAt)
        .parameter(Parameter::new("list", Type::Dynamic).marked().open())
        .parameter(Parameter::new("index", Type::Number))
        .nullable()
        .since(Availability::nowhere().packer(5))
        .examples(&[("element([\"a\", \"b\"], 3)", "\"b\"")])
        .cost(Cost::Constant)
        .pure(),
    ]
}

fn searching() -> Vec<Function> {
    vec![
        Function::new(
            "index",
            "Returns the index of the first element that equals a value. It is an error if no element does.",
            ResultType::Fixed(Type::Number),
            index,
        )
        .parameter(Parameter::new("list", Type::Dynamic).any_kind(Agreement::Order))
        .parameter(Parameter::new("value", Type::Dynamic))
        .examples(&[(r#"index(["a", "b", "c"], "b")"#, "1")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "contains",
            "Returns true if a list, set or tuple has an element that equals a value. Values of different \
             types are never equal.",
            ResultType::Fixed(Type::Bool),
            contains,
        )
        .parameter(Parameter::new("list", Type::Dynamic).any_kind(Agreement::Elements))
        .parameter(Parameter::new("value", Type::Dynamic))
        .declared_dynamic(&[Product::Terraform, Product::OpenTofu])
        .examples(&[(r#"contains(["a", "b"], "b")"#, "true")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "one",
            "Returns the only element of a list, set or tuple, or null if it is empty. More than one \
             element is an error.",
            ResultType::computed(one_type),
            one,
        )
        .made_of(ResultParts::OnlyElement)
        .parameter(Parameter::new("list", Type::Dynamic).any_kind(Agreement::Elements))
        .nullable()
        .since(Availability::modules().early_terraform(15))
        .examples(&[(r#"one(["a"])"#, r#""a""#), ("one([])", "null")])
        .cost(Cost::Constant)
        .pure(),
    ]
}

fn first_of_several() -> Vec<Function> {
    vec![
        Function::new(
            "coalesce",
            "Returns the first argument that is neither null nor an empty string. All arguments are \
             converted to one type.",
            ResultType::computed(coalesce_type),
            coalesce,
        )
        .made_of(ResultParts::FirstOf(Skipped::EmptyStrings))
        .variadic(Parameter::new("vals", Type::Dynamic).null().unknown().dynamic())
        .examples(&[(r#"coalesce("", null, "b")"#, r#""b""#)])
        .cost(Cost::Constant)
        .pure(),
        Function::new(
            "coalescelist",
            "Returns the first list or tuple that is not empty.",
            ResultType::computed(coalescelist_type),
            coalescelist,
        )
        .made_of(ResultParts::FirstOf(Skipped::EmptyCollections))
        .variadic(Parameter::new("vals", Type::Dynamic).null().unknown().dynamic())
        .examples(&[(r#"coalescelist([], ["c", "d"])"#, "[\n  \"c\",\n  \"d\",\n]")])
        .cost(Cost::Light)
        .pure(),
    ]
}

fn length_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let countable = match call.argument(0).unmarked().kind() {
        ValueKind::Bool(_) | ValueKind::Number(_) => false,
        ValueKind::Unknown(unknown) => !matches!(unknown.ty, Type::Bool | Type::Number),
        ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Tuple(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Marked(..) => true,
    };
    let message = "the argument must be a string, a list, a set, a map, a tuple or an object";
    if countable { Ok(Type::Number) } else { Err(FunctionError::new(message)) }
}

fn length(call: &Call<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    if let Some(length) = ops::length(value) {
        return Ok(length);
    }
    let characters = count_characters;
    let length = match value.as_unknown() {
        None => count(characters(call.string(0))),
        Some(unknown) => {
            let prefix = unknown.refinement.prefix.as_deref().unwrap_or_default();
            let least = i64::try_from(characters(prefix)).unwrap_or(i64::MAX);
            call.unknown()
                .refine(|refinement| refinement.min = Some(Bound::inclusive(Number::counted(least))))
        }
    };
    Ok(length.with_marks(value.marks()))
}

fn element_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let list = call.argument(0);
    // The type of one element is enough if the tuple is known.
    if let (ValueKind::Tuple(elements), true) = (list.unmarked().kind(), call.argument(1).is_known()) {
        let index = wrapped_index(call, elements.len())?;
        return Ok(elements.get(index).map_or(Type::Dynamic, Value::ty));
    }
    match list.ty() {
        // An open sequence may become a list or a tuple.
        Type::Dynamic => Ok(Type::Dynamic),
        Type::List(element) => Ok((*element).clone()),
        Type::Tuple(_) if !call.argument(1).is_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => {
            let index = wrapped_index(call, types.len())?;
            Ok(types.get(index).cloned().unwrap_or(Type::Dynamic))
        }
        other
        @ (Type::Bool | Type::Number | Type::String | Type::Set(_) | Type::Map(_) | Type::Object(_)) => {
            let name = with_article(&other.plain_name());
            Err(FunctionError::new(format!("a list or tuple is required, {name} has no numbered elements")))
        }
    }
}

fn element(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    let Some(elements) = indexed_elements(list) else { return Ok(call.unknown().with_marks(list.marks())) };
    let index = wrapped_index(call, elements.len())?;
    let element = elements.get(index).cloned().unwrap_or(Value::NULL);
    Ok(element.with_marks(list.marks()))
}

fn wrapped_index(call: &Call<'_>, length: usize) -> Result<usize, FunctionError> {
    let index =
        whole(call.argument(1)).ok_or_else(|| FunctionError::new("the index must be a whole number"))?;
    let wrapped = i64::try_from(length).ok().and_then(|length| index.checked_rem_euclid(length));
    let wrapped = wrapped.and_then(|index| usize::try_from(index).ok());
    wrapped.ok_or_else(|| FunctionError::new("an empty list has no elements to choose from"))
}

/// The work of comparing two values, besides the work of comparing their parts.
const WORK_OF_COMPARISON: usize = 4;

/// Counts the work of comparing the second argument with so many elements.
fn spend_on_search(call: &Call<'_>, elements: usize) -> Result<(), FunctionError> {
    /// The work of comparing a part of the argument.
    const WORK_OF_PART: usize = 4;
    let of_one = WORK_OF_COMPARISON.saturating_add(call.argument(1).size().saturating_mul(WORK_OF_PART));
    call.spend(elements.saturating_mul(of_one))
}

fn index(call: &Call<'_>) -> Result<Value, FunctionError> {
    if !is_sequence(call.argument(0)) || is_set(call.argument(0)) {
        return Err(FunctionError::new("only a list or tuple can be searched for an index"));
    }
    let elements = call.sequence(0);
    spend_on_search(call, elements.len())?;
    for (index, element) in elements.iter().enumerate() {
        match ops::equal(element, call.argument(1)).as_bool() {
            Some(true) => return Ok(count(index)),
            Some(false) => {}
            None => return Ok(call.unknown()),
        }
    }
    Err(FunctionError::new("no element equals the value"))
}

fn contains(call: &Call<'_>) -> Result<Value, FunctionError> {
    if !is_sequence(call.argument(0)) {
        return Err(FunctionError::new("only a list, set or tuple can be searched"));
    }
    let elements = call.sequence(0);
    spend_on_search(call, elements.len())?;
    let mut certain = true;
    for element in elements {
        match ops::equal(call.argument(1), element).as_bool() {
            Some(true) => return Ok(Value::TRUE),
            Some(false) => {}
            None => certain = false,
        }
    }
    Ok(if certain { Value::FALSE } else { call.unknown() })
}

const ONE_REQUIRED: &str = "a list, set or tuple of no more than one element is required";

fn one_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    match call.argument(0).ty() {
        Type::List(element) | Type::Set(element) => Ok((*element).clone()),
        Type::Tuple(types) if types.len() <= 1 => Ok(types.first().cloned().unwrap_or(Type::Dynamic)),
        Type::Tuple(_)
        | Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::Map(_)
        | Type::Object(_) => Err(call.invalid(0, ONE_REQUIRED)),
    }
}

fn one(call: &Call<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    match call.sequence(0) {
        [] => Ok(Value::null(call.result_type.clone())),
        [element] => Ok(element.clone()),
        // Unknown elements of a set may become equal.
        _ if is_set(value) && !value.is_wholly_known() => Ok(call.unknown()),
        _ => Err(call.invalid(0, ONE_REQUIRED)),
    }
}

fn coalesce_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let types: Vec<Type> = call.arguments.iter().map(Value::ty).collect();
    common_type(call, &types)?.ok_or_else(|| FunctionError::new("the arguments have no type in common"))
}

fn coalesce(call: &Call<'_>) -> Result<Value, FunctionError> {
    for argument in call.arguments {
        // An argument that does not convert is skipped like a null, as in the reference.
        spend_on_conversion(call, argument, call.result_type)?;
        let Ok(value) = convert(argument, call.result_type) else { continue };
        if !value.is_known() {
            return Ok(call.unknown());
        }
        if !value.is_null() && value.as_str() != Some("") {
            return Ok(value);
        }
    }
    Err(FunctionError::new("every argument is null or an empty string"))
}

fn coalescelist_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    for argument in call.arguments {
        if !argument.is_known() {
            break;
        }
        // The type of a long tuple takes as much memory as the tuple.
        if !is_tuple(argument) && !matches!(argument.ty(), Type::List(_) | Type::Tuple(_)) {
            return Err(FunctionError::new("the arguments must be lists or tuples"));
        }
    }
    if call.arguments.is_empty() {
        return Err(FunctionError::new("at least one argument is needed"));
    }
    // A known result has its type itself.
    Ok(Type::Dynamic)
}

fn coalescelist(call: &Call<'_>) -> Result<Value, FunctionError> {
    for argument in call.arguments {
        if !argument.is_known() {
            return Ok(call.unknown());
        }
        if argument.as_sequence().is_some_and(|elements| !elements.is_empty()) {
            return Ok(argument.clone());
        }
    }
    Err(FunctionError::new("every argument is null or empty"))
}
