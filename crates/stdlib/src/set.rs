//! Functions on sets.

use std::collections::HashSet;

use terrane_function::{Availability, Call, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Marks, Type, Value, convert};

use crate::conversion::common_type;

/// The result of the example call of `setproduct`.
const PRODUCT: &str = r#"tolist([
  [
    "dev",
    "a",
  ],
  [
    "dev",
    "b",
  ],
  [
    "prod",
    "a",
  ],
  [
    "prod",
    "b",
  ],
])"#;

pub(crate) fn functions() -> Vec<Function> {
    let set = |name| Parameter::new(name, Type::set(Type::Dynamic)).dynamic();
    vec![
        Function::new(
            "setunion",
            "Returns the elements that are in at least one of the sets.",
            ResultType::computed(common_set_type),
            setunion,
        )
        .parameter(set("first_set"))
        .variadic(set("other_sets"))
        .examples(&[(r#"setunion(["a", "b"], ["b", "c"])"#, "toset([\n  \"a\",\n  \"b\",\n  \"c\",\n])")])
        .pure(),
        Function::new(
            "setintersection",
            "Returns the elements that are in all of the sets.",
            ResultType::computed(common_set_type),
            |call| filter(call, |inside| inside),
        )
        .parameter(set("first_set"))
        .variadic(set("other_sets"))
        .examples(&[(r#"setintersection(["a", "b"], ["b", "c"])"#, "toset([\n  \"b\",\n])")])
        .pure(),
        Function::new(
            "setsubtract",
            "Returns the elements of the first set that are not in the second.",
            ResultType::computed(common_set_type),
            |call| filter(call, |inside| !inside),
        )
        .parameter(set("a"))
        .parameter(set("b"))
        .since(Availability::modules())
        .examples(&[(r#"setsubtract(["a", "b", "c"], ["a", "c"])"#, "toset([\n  \"b\",\n])")])
        .pure(),
        Function::new(
            "setproduct",
            "Returns all combinations of one element of each set. If all arguments are lists or tuples, the \
             result is a list in their order.",
            ResultType::computed(setproduct_type),
            setproduct,
        )
        .variadic(Parameter::new("sets", Type::Dynamic).unknown().marked())
        .examples(&[(r#"setproduct(["dev", "prod"], ["a", "b"])"#, PRODUCT)])
        .pure(),
    ]
}

fn common_set_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let mut elements = Vec::new();
    for argument in call.arguments {
        let ty = argument.ty();
        let element = ty.element().unwrap_or(&Type::Dynamic);
        // An empty set without an element type unifies with any other set.
        let untyped = *element == Type::Dynamic && argument.as_sequence().is_some_and(<[Value]>::is_empty);
        if !untyped {
            elements.push(element.clone());
        }
    }
    if elements.is_empty() {
        return Ok(Type::set(Type::Dynamic));
    }
    let common = common_type(call, &elements)?.map(Type::set);
    common.ok_or_else(|| FunctionError::new("the elements of the sets have no type in common"))
}

/// Returns the sets as values of the type of the result. Telling elements apart takes longer if they have parts.
fn converted(call: &Call<'_>) -> Result<Vec<Value>, FunctionError> {
    call.spend(call.arguments.iter().map(Value::work_of_set).fold(0, usize::saturating_add))?;
    let convert_one = |(index, argument)| {
        convert(argument, call.result_type).map_err(|error| FunctionError::of_argument(index, error))
    };
    call.arguments.iter().enumerate().map(convert_one).collect()
}

/// Checks that all sets have one type. A null without a type among objects, tuples or collections prevents a
/// conversion, and leaves the sets unchanged.
fn same_type(sets: &[Value]) -> Result<(), FunctionError> {
    let first = sets.first().map(Value::ty);
    if sets.iter().all(|set| Some(set.ty()) == first) {
        return Ok(());
    }
    Err(FunctionError::new("the elements of the sets have no type in common"))
}

fn setunion(call: &Call<'_>) -> Result<Value, FunctionError> {
    let sets = converted(call)?;
    same_type(&sets)?;
    let elements = sets.iter().filter_map(Value::as_sequence).flatten().cloned();
    Ok(Value::set(call.result_type.element().cloned().unwrap_or(Type::Dynamic), elements))
}

/// Returns the elements of the first set for which `keep` returns true for every other set; its argument is whether that set
/// has the element.
fn filter(call: &Call<'_>, keep: fn(bool) -> bool) -> Result<Value, FunctionError> {
    let sets = converted(call)?;
    let leading = sets.iter().take_while(|set| set.is_wholly_known()).count();
    same_type(sets.get(..leading).unwrap_or_default())?;
    // An unknown element may become equal to any other.
    if leading < sets.len() {
        return Ok(call.unknown());
    }
    let mut sets = sets.iter().map(|set| set.as_sequence().unwrap_or_default());
    let mut kept: Vec<Value> = sets.next().unwrap_or_default().to_vec();
    for other in sets {
        let keys: HashSet<_> = other.iter().filter_map(Value::set_key).collect();
        kept.retain(|element| keep(element.set_key().is_some_and(|key| keys.contains(&key))));
    }
    Ok(Value::set(call.result_type.element().cloned().unwrap_or(Type::Dynamic), kept))
}

fn setproduct_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    if call.arguments.len() < 2 {
        return Err(FunctionError::new("at least two arguments are needed"));
    }
    let mut ordered = true;
    let mut elements = Vec::new();
    for (index, argument) in call.arguments.iter().enumerate() {
        elements.push(match argument.ty() {
            Type::List(element) => (*element).clone(),
            Type::Set(element) => {
                ordered = false;
                (*element).clone()
            }
            Type::Tuple(types) if types.is_empty() => Type::Dynamic,
            Type::Tuple(types) => {
                let common = common_type(call, &types)?;
                common.ok_or_else(|| call.invalid(index, "the elements must have a type in common"))?
            }
            Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Map(_) | Type::Object(_) => {
                return Err(call.invalid(index, "a set or list is required"));
            }
        });
    }
    let element = Type::tuple(elements);
    Ok(if ordered { Type::list(element) } else { Type::set(element) })
}

fn setproduct(call: &Call<'_>) -> Result<Value, FunctionError> {
    let marks = call.arguments.iter().fold(Marks::NONE, |all, argument| all.union(argument.marks()));
    if !call.arguments.iter().all(length_is_known) {
        return Ok(setproduct_of_unknown(call).with_marks(&marks));
    }
    let element = call.result_type.element().cloned().unwrap_or(Type::Dynamic);
    let Type::Tuple(types) = &element else { return Ok(call.unknown()) };
    let products = combinations(call, types)?.into_iter().map(Value::tuple);
    let product = match call.result_type {
        Type::List(_) => Value::list(element.clone(), products),
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::Set(_)
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Object(_) => Value::set(element.clone(), products),
    };
    Ok(product.with_marks(&marks))
}

/// The work of making a part of a combination.
const WORK_OF_PART: usize = 4;

/// Returns all combinations of one element of each argument, converted to the types.
fn combinations(call: &Call<'_>, types: &[Type]) -> Result<Vec<Vec<Value>>, FunctionError> {
    let mut lengths = (0..call.arguments.len()).map(|index| call.sequence(index).len());
    if lengths.clone().any(|length| length == 0) {
        return Ok(Vec::new());
    }
    let total = lengths.try_fold(1_usize, usize::checked_mul);
    let parts = total.and_then(|total| total.checked_mul(types.len() + 1));
    if parts.is_none_or(|parts| parts > call.env.limits.elements_of_call()) {
        return Err(FunctionError::new("the product has too many elements"));
    }
    call.spend(parts.unwrap_or_default().saturating_mul(WORK_OF_PART))?;
    let mut combinations = vec![Vec::new()];
    for (index, ty) in types.iter().enumerate() {
        let convert_one = |value| convert(value, ty);
        let factor: Vec<Value> = call.sequence(index).iter().map(convert_one).collect::<Result<_, _>>()?;
        // Values that unify only to a dynamic type keep their own types.
        if factor.iter().any(|value| factor.first().map(Value::ty) != Some(value.ty())) {
            return Err(FunctionError::new("the elements of each argument must have a type in common"));
        }
        let longer = combinations.iter().flat_map(|combination: &Vec<Value>| {
            factor.iter().map(|value| combination.iter().chain([value]).cloned().collect())
        });
        combinations = longer.collect();
    }
    Ok(combinations)
}

/// Whether the number of elements is known; unknown elements of a set may become equal.
fn length_is_known(value: &Value) -> bool {
    let several = value.as_sequence().is_some_and(|elements| elements.len() > 1);
    value.is_known() && !(several && matches!(value.ty(), Type::Set(_)) && !value.is_wholly_known())
}

fn setproduct_of_unknown(call: &Call<'_>) -> Value {
    // The reference refines the length only for factors and products up to these sizes.
    const MAX_OF_ONE: u64 = 1024;
    const MOST: u64 = 2048;
    let most = call.arguments.iter().try_fold(1, |product: u64, argument| {
        let most = most_elements(argument).filter(|most| *most <= MAX_OF_ONE)?;
        Some(product * most).filter(|product| *product <= MOST)
    });
    let unknown = call.unknown();
    match most {
        None => unknown,
        Some(most) => unknown.refine(|refinement| {
            refinement.not_null = true;
            refinement.length_min = most.min(1);
            refinement.length_max = Some(most);
        }),
    }
}

fn most_elements(value: &Value) -> Option<u64> {
    if let Type::Tuple(types) = value.ty() {
        return u64::try_from(types.len()).ok();
    }
    match value.as_unknown() {
        Some(unknown) => unknown.refinement.length_max,
        None if length_is_known(value) => {
            value.as_sequence().and_then(|elements| u64::try_from(elements.len()).ok())
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use terrane_value::{Type, Value};

    use crate::testing::{call, list, number, result, secret, strings, tuple, unknown};

    #[test]
    fn sets_are_joined_and_filtered() {
        assert_eq!(result("setunion", [tuple(["b", "a"]), tuple([]), tuple(["b", "c"])]), "set[a, b, c]");
        assert_eq!(result("setunion", [Value::tuple([number("1")]), secret(tuple(["1"]))]), "*set[1]");
        assert_eq!(result("setunion", [tuple(["a"]), Value::tuple([Value::tuple([])])]), "error");
        let untyped = || Value::tuple([Value::NULL]);
        assert_eq!(result("setunion", [tuple(["a"]), untyped()]), "set[a, null string]");
        assert_eq!(result("setunion", [Value::tuple([tuple(["a"])]), untyped()]), "error");
        assert_eq!(result("setintersection", [tuple(["a", "b"]), tuple(["b", "c"]), tuple(["b"])]), "set[b]");
        assert_eq!(result("setintersection", [tuple(["a"]), tuple([])]), "set[]");
        assert_eq!(result("setsubtract", [tuple(["a", "b"]), tuple(["a"])]), "set[b]");
        assert_eq!(call("setunion", [tuple([])]).unwrap().ty(), Type::set(Type::Dynamic));
    }

    #[test]
    fn unknown_elements_leave_only_a_union_known() {
        let half = || Value::tuple(["a".into(), unknown(Type::String)]);
        assert_eq!(result("setunion", [half(), tuple(["b"])]), "set[a, b, ?string or null]");
        assert_eq!(result("setintersection", [half(), tuple(["b"])]), "?set(string)");
        assert_eq!(result("setsubtract", [tuple(["b"]), half()]), "?set(string)");
        let later = || Value::tuple([unknown(Type::Dynamic)]);
        assert_eq!(result("setintersection", [tuple(["a"]), later()]), "?set(string)");
        assert_eq!(result("setintersection", [tuple(["a"]), Value::tuple([tuple(["b"])]), later()]), "error");
    }

    #[test]
    fn products_are_in_order() {
        let numbers = Value::tuple([number("1"), number("2")]);
        let product = "list[[a, 1], [a, 2], [b, 1], [b, 2]]";
        assert_eq!(result("setproduct", [tuple(["a", "b"]), numbers.clone()]), product);
        let set = Value::set(Type::String, strings(["b", "a"]));
        assert_eq!(result("setproduct", [set, secret(list(["x"]))]), "*set[[a, x], [b, x]]");
        assert_eq!(result("setproduct", [numbers, tuple([])]), "list[]");
        assert_eq!(result("setproduct", [tuple(["a"])]), "error");
        let mixed = Value::tuple([number("1"), Value::NULL, Value::object([])]);
        assert_eq!(result("setproduct", [tuple(["a"]), mixed]), "error");
        assert_eq!(result("setproduct", [tuple(["a"]), Value::TRUE]), "error in argument 1");
    }

    #[test]
    fn the_product_of_an_unknown_factor_has_bounds() {
        let pair = unknown(Type::tuple([Type::String, Type::String]));
        let product = call("setproduct", [pair, tuple(["a", "b"])]).unwrap();
        let refinement = &product.as_unknown().unwrap().refinement;
        assert_eq!((refinement.length_min, refinement.length_max), (1, Some(4)));
        let empty = call("setproduct", [unknown(Type::tuple([])), tuple(["a"])]).unwrap();
        assert_eq!(empty.as_sequence().map(<[Value]>::len), Some(0));
        let list = unknown(Type::list(Type::Bool));
        assert_eq!(result("setproduct", [list, tuple(["a"])]), "?list(tuple([bool,string]))");
    }

    #[test]
    fn products_beyond_the_limit_are_an_error() {
        let many = || Value::list(Type::Number, (0..1000).map(|_| number("1")));
        assert_eq!(result("setproduct", [many(), many(), many(), many(), many(), many(), many()]), "error");
        assert_eq!(result("setproduct", [many(), many(), many(), tuple([])]), "list[]");
    }
}
