//! Functions that make and rearrange lists and tuples.

use std::cmp::Ordering;
use std::collections::HashSet;

use terrane_function::{
    Availability, Call, Cost, Function, FunctionError, Parameter, ResultParts, ResultType,
};
use terrane_value::{
    Agreement, Marks, Number, Origins, Type, Value, ValueKind, convert, ops, text_order, unify,
};

use super::elements::{indexed_elements, is_sequence, is_set, is_tuple, may_be_sequence};
use crate::conversion::common_type;
use crate::integer::whole;

pub(super) fn functions() -> Vec<Function> {
    [joining(), rearranging(), choosing()].into_iter().flatten().collect()
}

fn joining() -> Vec<Function> {
    vec![
        Function::new(
            "concat",
            "Joins lists and tuples end to end.",
            ResultType::computed(concat_type),
            concat,
        )
        .made_of(ResultParts::Concatenated)
        .variadic(Parameter::new("seqs", Type::Dynamic).marked().open())
        .examples(&[(r#"concat(["a"], ["b", "c"])"#, "[\n  \"a\",\n  \"b\",\n  \"c\",\n]")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "flatten",
            "Replaces the lists, sets and tuples inside a list by their elements, at all depths.",
            ResultType::computed(flatten_type),
            flatten,
        )
        .made_of(ResultParts::Flattened)
        .parameter(Parameter::new("list", Type::Dynamic).marked().any_kind(Agreement::Order))
        .examples(&[(r#"flatten([["a", "b"], [], ["c"]])"#, "[\n  \"a\",\n  \"b\",\n  \"c\",\n]")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "range",
            "Returns the numbers from a start up to but not including a limit: `range(limit)`, \
             `range(start, limit)` or `range(start, limit, step)`.",
            ResultType::Fixed(Type::list(Type::Number)),
            range,
        )
        .variadic(Parameter::new("params", Type::Number))
        .examples(&[
            ("range(3)", "tolist([\n  0,\n  1,\n  2,\n])"),
            ("range(1, 8, 3)", "tolist([\n  1,\n  4,\n  7,\n])"),
        ])
        .cost(Cost::Light)
        .pure(),
    ]
}

fn rearranging() -> Vec<Function> {
    vec![
        Function::new(
            "chunklist",
            "Splits a list into lists of a given size. The last list may be shorter; size 0 gives one list.",
            ResultType::computed(|call| Ok(Type::list(call.argument(0).ty()))),
            chunklist,
        )
        .parameter(Parameter::new("list", Type::list(Type::Dynamic)).marked())
        .parameter(Parameter::new("size", Type::Number).marked())
        .examples(&[(
            r#"chunklist(["a", "b", "c"], 2)"#,
            "tolist([\n  tolist([\n    \"a\",\n    \"b\",\n  ]),\n  tolist([\n    \"c\",\n  ]),\n])",
        )])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "reverse",
            "Reverses the order of the elements.",
            ResultType::computed(reverse_type),
            reverse,
        )
        .made_of(ResultParts::Reversed)
        .parameter(Parameter::new("list", Type::Dynamic).marked())
        .examples(&[("reverse([1, 2, 3])", "[\n  3,\n  2,\n  1,\n]")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "sort",
            "Sorts strings by the code points of their characters.",
            ResultType::Fixed(Type::list(Type::String)),
            sort,
        )
        .made_of(ResultParts::SomeElements)
        .parameter(Parameter::new("list", Type::list(Type::String)).unknown())
        .examples(&[(r#"sort(["e", "d", "a"])"#, "tolist([\n  \"a\",\n  \"d\",\n  \"e\",\n])")])
        .pure(),
    ]
}

fn choosing() -> Vec<Function> {
    vec![
        Function::new(
            "slice",
            "Returns the elements from a start index up to but not including an end index.",
            ResultType::computed(slice_type),
            slice,
        )
        .made_of(ResultParts::Slice)
        .parameter(Parameter::new("list", Type::Dynamic).marked())
        .parameter(Parameter::new("start_index", Type::Number))
        .parameter(Parameter::new("end_index", Type::Number))
        .examples(&[(r#"slice(["a", "b", "c", "d"], 1, 3)"#, "[\n  \"b\",\n  \"c\",\n]")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "compact",
            "Removes null elements and empty strings from a list of strings.",
            ResultType::Fixed(Type::list(Type::String)),
            compact,
        )
        .made_of(ResultParts::SomeElements)
        .parameter(Parameter::new("list", Type::list(Type::String)))
        .examples(&[(r#"compact(["a", "", null, "b"])"#, "tolist([\n  \"a\",\n  \"b\",\n])")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "distinct",
            "Removes the elements that equal an earlier element of the list.",
            ResultType::computed(|call| Ok(call.argument(0).ty())),
            distinct,
        )
        .made_of(ResultParts::SomeElements)
        .parameter(Parameter::new("list", Type::list(Type::Dynamic)))
        .examples(&[(r#"distinct(["a", "b", "a"])"#, "tolist([\n  \"a\",\n  \"b\",\n])")])
        .pure(),
        Function::new(
            "matchkeys",
            "Returns the values whose key, at the same index of the second list, is an element of the third \
             list.",
            ResultType::computed(matchkeys_type),
            matchkeys,
        )
        .parameter(Parameter::new("values", Type::list(Type::Dynamic)))
        .parameter(Parameter::new("keys", Type::list(Type::Dynamic)))
        .parameter(Parameter::new("searchset", Type::list(Type::Dynamic)))
        .since(Availability::modules())
        .examples(&[(
            r#"matchkeys(["i-1", "i-2", "i-3"], ["west", "east", "east"], ["east"])"#,
            "tolist([\n  \"i-2\",\n  \"i-3\",\n])",
        )])
        .pure(),
    ]
}

fn concat_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    if call.arguments.is_empty() {
        return Err(FunctionError::new("at least one argument is needed"));
    }
    let is_list = |argument: &Value| matches!(argument.unmarked().kind(), ValueKind::List(_));
    let is_known = |argument: &Value| is_tuple(argument) || is_list(argument);
    if call.arguments.iter().all(is_known) && call.arguments.iter().any(is_tuple) {
        // A known result has its type itself. The type of a long tuple takes as much memory as the tuple.
        return Ok(Type::Dynamic);
    }
    let types: Vec<Type> = call.arguments.iter().map(Value::ty).collect();
    let only_lists = types.iter().all(|ty| matches!(ty, Type::List(_)));
    if only_lists && let Some(common) = common_type(call, &types)? {
        return Ok(common);
    }
    let mut elements = Vec::new();
    let mut is_known = true;
    for (index, (argument, ty)) in call.arguments.iter().zip(&types).enumerate() {
        match (ty, argument.as_sequence()) {
            // An open sequence.
            (Type::Dynamic, _) => is_known = false,
            (Type::Tuple(types), _) => elements.extend(types.iter().cloned()),
            (Type::List(element), Some(list)) => {
                elements.extend(std::iter::repeat_n((**element).clone(), list.len()));
            }
            // The number of elements of the tuple is unknown.
            (Type::List(_), None) => return Ok(Type::Dynamic),
            (Type::Bool | Type::Number | Type::String | Type::Set(_) | Type::Map(_) | Type::Object(_), _) => {
                let message = format!("a list or tuple is required, not {}", ty.plain_name());
                return Err(call.invalid(index, message));
            }
        }
    }
    Ok(if is_known { Type::tuple(elements) } else { Type::Dynamic })
}

fn concat(call: &Call<'_>) -> Result<Value, FunctionError> {
    if call.arguments.iter().any(|argument| argument.as_unknown().is_some()) {
        return Ok(concat_open(call));
    }
    // Without reallocation, a long list is in memory once.
    let lengths = call.arguments.iter().map(|argument| argument.as_sequence().map_or(0, <[Value]>::len));
    let mut elements = Vec::with_capacity(lengths.sum());
    let mut marks = Marks::NONE;
    for (index, argument) in call.arguments.iter().enumerate() {
        let converted = match call.result_type {
            Type::List(_) => convert(argument, call.result_type)
                .map_err(|error| FunctionError::of_argument(index, error))?,
            Type::Bool
            | Type::Number
            | Type::String
            | Type::Dynamic
            | Type::Set(_)
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Object(_) => argument.clone(),
        };
        marks = marks.union(converted.marks());
        elements.extend(converted.as_sequence().into_iter().flatten().cloned());
    }
    let joined = match call.result_type.element() {
        Some(element) => Value::list(element.clone(), elements),
        None => Value::tuple(elements),
    };
    Ok(joined.with_marks(&marks))
}

/// Returns the known part of the result if open sequences are among the arguments. Beside a tuple, the result is a tuple.
/// Otherwise it is a list if all arguments are lists, and has the elements that a tuple would have.
fn concat_open(call: &Call<'_>) -> Value {
    let marks = call.arguments.iter().fold(Marks::NONE, |all, argument| all.union(argument.marks()));
    let unknown = || call.unknown().with_marks(&marks);
    let Some(parts) = call.arguments.iter().map(indexed_elements).collect::<Option<Vec<_>>>() else {
        return unknown();
    };
    let elements: Vec<Value> = parts.concat();
    if call.arguments.iter().any(is_tuple) {
        return Value::tuple(elements).with_marks(&marks);
    }
    let list_type = |(argument, part): (&Value, &&[Value])| match argument.as_unknown() {
        Some(_) => Type::list(part.first().map_or(Type::Dynamic, Value::ty)),
        None => argument.ty(),
    };
    let lists: Vec<Type> = call.arguments.iter().zip(&parts).map(list_type).collect();
    let common = unify(&lists);
    let element = common.as_ref().and_then(Type::element);
    if !element.is_some_and(|element| elements.iter().all(|value| value.ty() == *element)) {
        return unknown();
    }
    let open = call.arguments.iter().filter_map(Value::as_unknown);
    let origins = open.fold(Origins::NONE, |all, unknown| all.union(&unknown.origins));
    Value::open_sequence(elements, origins).with_marks(&marks)
}

fn flatten_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let list = call.argument(0);
    if list.is_wholly_known() && !is_sequence(list) {
        return Err(FunctionError::new("only lists, sets and tuples can be flattened"));
    }
    // A known result has its type itself; the number of elements of an unknown result is not known.
    Ok(Type::Dynamic)
}

fn flatten(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    // Most lists have neither marks nor unknown values inside, and most of these are lists of lists.
    if list.is_sound() {
        let parts = call.sequence(0);
        if parts.iter().all(is_innermost) {
            return Ok(Value::tuple_of_all(parts));
        }
        let mut elements = Vec::new();
        add_innermost(parts, &mut elements);
        return Ok(Value::tuple(elements));
    }
    let mut flat = Flat { elements: Some(Vec::new()), marks: Marks::NONE };
    flat.add(list);
    let value = flat.elements.map_or_else(|| call.unknown(), Value::tuple);
    Ok(value.with_marks(&flat.marks))
}

/// Whether the value is a list or set whose elements have one type and are no sequences.
fn is_innermost(value: &Value) -> bool {
    value.as_sequence().is_some() && value.ty().element().is_some_and(|ty| !may_be_sequence(ty))
}

/// Adds the innermost elements of a sequence without marks and unknown values.
fn add_innermost(sequence: &[Value], elements: &mut Vec<Value>) {
    for element in sequence {
        match element.as_sequence() {
            Some(nested) => add_innermost(nested, elements),
            None => elements.push(element.clone()),
        }
    }
}

/// The innermost elements of a sequence, as `flatten` collects them.
struct Flat {
    /// `None` if the number of elements is unknown.
    elements: Option<Vec<Value>>,
    /// The marks of all levels above the elements.
    marks: Marks,
}

impl Flat {
    fn add(&mut self, sequence: &Value) {
        self.marks = self.marks.union(sequence.marks());
        if may_shrink(sequence) {
            self.elements = None;
        }
        sequence.for_each_child(&mut |child| {
            let is_nested = !child.is_null() && is_sequence(child);
            if is_nested && child.is_known() {
                self.add(child);
            } else if is_nested {
                self.marks = self.marks.union(child.marks());
                self.elements = None;
            } else if let Some(unknown) = child.as_unknown().filter(|unknown| unknown.ty == Type::Dynamic)
                && !child.is_marked()
            {
                match unknown.as_tuple(Agreement::Order) {
                    Some(tuple) => self.add(&tuple),
                    // The value may become a list.
                    None => self.elements = None,
                }
            } else if let Some(elements) = &mut self.elements {
                elements.push(child.clone());
            }
        });
    }
}

/// Whether unknown elements of a set may become equal to other elements.
fn may_shrink(value: &Value) -> bool {
    let several = value.as_sequence().is_some_and(|elements| elements.len() > 1);
    several && is_set(value) && !value.is_wholly_known()
}

fn range(call: &Call<'_>) -> Result<Value, FunctionError> {
    const MOST: usize = 1024;
    /// The work of a number. A range without a result counts it here, because only results count by their size.
    const WORK: usize = 3;
    let numbers: Vec<&Number> = call.arguments.iter().filter_map(Value::as_number).collect();
    let zero = Number::counted(0);
    let step_to = |start: &Number, end: &Number| {
        let down = end.compare(start) == Ordering::Less;
        Number::counted(if down { -1 } else { 1 })
    };
    let (start, end, step) = match *numbers.as_slice() {
        [end] => (&zero, end, step_to(&zero, end)),
        [start, end] => (start, end, step_to(start, end)),
        [start, end, step] => (start, end, step.clone()),
        _ => return Err(FunctionError::new("one, two or three arguments are needed")),
    };
    let ahead = if step.signum() < 0 { Ordering::Greater } else { Ordering::Less };
    if start.compare(end) == ahead.reverse() {
        return Err(call.invalid(1, "the step points away from the limit"));
    }
    let mut elements = Vec::new();
    let mut next = start.clone();
    while next.compare(end) == ahead {
        if elements.len() >= MOST {
            call.spend(MOST * WORK)?;
            return Err(FunctionError::new(format!("the range has more than {MOST} numbers")));
        }
        let after = next.add(&step).map_err(|_| FunctionError::new("infinity has no successor"))?;
        elements.push(Value::number(std::mem::replace(&mut next, after)));
    }
    Ok(Value::list(Type::Number, elements))
}

fn chunklist(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (list, size) = (call.argument(0), call.argument(1));
    let marks = list.marks().union(size.marks());
    let size = whole(size).and_then(|size| usize::try_from(size).ok());
    let size =
        size.ok_or_else(|| FunctionError::new("the size must be a whole number that is not negative"))?;
    let elements = call.sequence(0);
    let element = list.ty().element().cloned().unwrap_or(Type::Dynamic);
    let size = if size == 0 { elements.len() } else { size };
    let chunks =
        elements.chunks(size.max(1)).map(|chunk| Value::list(element.clone(), chunk.iter().cloned()));
    Ok(Value::list(list.ty(), chunks).with_marks(&marks))
}

fn reverse_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    match call.argument(0).ty() {
        Type::Tuple(types) => Ok(Type::tuple(types.iter().rev().cloned())),
        Type::List(element) | Type::Set(element) => Ok(Type::List(element)),
        other @ (Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::Map(_)
        | Type::Object(_)) => {
            Err(call.invalid(0, format!("a list or tuple is required, not {}", other.plain_name())))
        }
    }
}

fn reverse(call: &Call<'_>) -> Result<Value, FunctionError> {
    let elements = call.sequence(0).iter().rev().cloned();
    let reversed = match call.result_type.element() {
        Some(element) => Value::list(element.clone(), elements),
        None => Value::tuple(elements),
    };
    Ok(reversed.with_marks(call.argument(0).marks()))
}

fn sort(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    let elements = call.sequence(0);
    if !list.is_wholly_known() {
        // Sorting keeps the length.
        let length = elements.len() as u64;
        let refinement = list.as_unknown().map(|unknown| &unknown.refinement);
        let (least, most) = refinement
            .map_or((length, Some(length)), |refinement| (refinement.length_min, refinement.length_max));
        return Ok(call.unknown().refine(|refinement| {
            refinement.length_min = least;
            refinement.length_max = most;
        }));
    }
    let texts: Option<Vec<&str>> = elements.iter().map(Value::as_str).collect();
    let texts = texts.ok_or_else(|| FunctionError::new("null cannot be sorted among strings"))?;
    let in_order = text_order(&texts)
        .into_iter()
        .filter_map(|position| elements.get(position).map(|element| element.unmarked().clone()));
    Ok(Value::list(Type::String, in_order))
}

fn slice_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let list = call.argument(0);
    let ty = list.ty();
    match &ty {
        Type::Tuple(types) => {
            let (start, end) = slice_bounds(call, Some(types.len()))?;
            let (Some(start), Some(end)) = (start, end) else { return Ok(Type::Dynamic) };
            Ok(Type::tuple(types.get(start..end).unwrap_or_default().iter().cloned()))
        }
        Type::List(_) => {
            slice_bounds(call, list.as_sequence().map(<[Value]>::len))?;
            Ok(ty)
        }
        Type::Set(_) => Err(call.invalid(
            0,
            "the elements of a set have no index; convert the set to a list if the order does not matter",
        )),
        Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Map(_) | Type::Object(_) => {
            Err(call.invalid(0, "a list or tuple is required"))
        }
    }
}

/// The start and end index if they are known, checked as far as possible.
fn slice_bounds(
    call: &Call<'_>,
    length: Option<usize>,
) -> Result<(Option<usize>, Option<usize>), FunctionError> {
    let bound = |index: usize| {
        let argument = call.argument(index);
        if !argument.is_known() {
            return Ok(None);
        }
        let bound = whole(argument).and_then(|bound| usize::try_from(bound).ok());
        let Some(bound) = bound else {
            return Err(call.invalid(index, "the index must be a whole number that is not negative"));
        };
        if length.is_some_and(|length| bound > length) {
            return Err(call.invalid(index, "the index is beyond the end of the list"));
        }
        Ok(Some(bound))
    };
    let (start, end) = (bound(1)?, bound(2)?);
    if start.zip(end).is_some_and(|(start, end)| start > end) {
        return Err(call.invalid(1, "the start index must not be greater than the end index"));
    }
    Ok((start, end))
}

fn slice(call: &Call<'_>) -> Result<Value, FunctionError> {
    let elements = call.sequence(0);
    let (start, end) = slice_bounds(call, Some(elements.len()))?;
    let (start, end) = (start.unwrap_or_default(), end.unwrap_or_default());
    let part = elements.get(start..end).unwrap_or_default().iter().cloned();
    let part = match call.result_type.element() {
        Some(element) => Value::list(element.clone(), part),
        None => Value::tuple(part),
    };
    Ok(part.with_marks(call.argument(0).marks()))
}

fn compact(call: &Call<'_>) -> Result<Value, FunctionError> {
    if !call.argument(0).is_wholly_known() {
        return Ok(call.unknown());
    }
    let kept = call.sequence(0).iter().filter(|element| !element.is_null() && element.as_str() != Some(""));
    Ok(Value::list(Type::String, kept.cloned()))
}

fn distinct(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    if !list.is_wholly_known() {
        return Ok(call.unknown());
    }
    let mut seen = HashSet::with_capacity(call.sequence(0).len());
    let kept =
        call.sequence(0).iter().filter(|element| equality_key(element).is_none_or(|key| seen.insert(key)));
    let element = list.ty().element().cloned().unwrap_or(Type::Dynamic);
    Ok(Value::list(element, kept.cloned().collect::<Vec<_>>()))
}

/// A key that equal values of one type have in common.
#[derive(PartialEq, Eq, Hash)]
enum EqualityKey<'v> {
    /// The text of a string.
    Text(&'v str),
    /// Both zeros are equal, although the keys of a set distinguish them.
    Zero,
    /// Any other value: its key as an element of a set.
    InSet(Box<str>),
}

/// Returns the equality key of a value; `None` if the value has no key.
fn equality_key(value: &Value) -> Option<EqualityKey<'_>> {
    if let Some(text) = value.as_str() {
        return Some(EqualityKey::Text(text));
    }
    let zero = value.as_number().filter(|number| number.is_zero());
    zero.map_or_else(|| value.set_key().map(EqualityKey::InSet), |_| Some(EqualityKey::Zero))
}

fn matchkeys_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let types = [call.argument(1).ty(), call.argument(2).ty()];
    if common_type(call, &types)?.is_none() {
        return Err(FunctionError::new("the keys and the searched keys have no type in common"));
    }
    Ok(call.argument(0).ty())
}

fn matchkeys(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (values, keys, wanted) = (call.argument(0), call.argument(1), call.argument(2));
    if call.sequence(0).len() != call.sequence(1).len() {
        return Err(FunctionError::new("there must be as many keys as values"));
    }
    let common = common_type(call, &[keys.ty(), wanted.ty()])?.unwrap_or(Type::Dynamic);
    let (keys, wanted) = (convert(keys, &common)?, convert(wanted, &common)?);
    let wanted = wanted.as_sequence().unwrap_or_default();
    let element = values.ty().element().cloned().unwrap_or(Type::Dynamic);
    if wanted.is_empty() {
        return Ok(Value::list(element, []));
    }
    if !values.is_wholly_known() || !keys.is_wholly_known() {
        return Ok(call.unknown());
    }
    let wanted_keys: Option<HashSet<_>> = wanted.iter().map(equality_key).collect();
    if let Some(wanted_keys) = wanted_keys.filter(|_| wanted.iter().all(Value::is_wholly_known)) {
        let pairs = keys.as_sequence().unwrap_or_default().iter().zip(call.sequence(0));
        let matched =
            pairs.filter(|(key, _)| equality_key(key).is_some_and(|key| wanted_keys.contains(&key)));
        let matched: Vec<Value> = matched.map(|(_, value)| value.clone()).collect();
        return Ok(Value::list(element, matched));
    }
    let mut matched = Vec::new();
    for (key, value) in keys.as_sequence().unwrap_or_default().iter().zip(call.sequence(0)) {
        for candidate in wanted {
            match ops::equal(key, candidate).as_bool() {
                Some(false) => {}
                Some(true) => {
                    matched.push(value.clone());
                    break;
                }
                // The reference returns an empty list here instead of an unknown one.
                None => return Ok(Value::list(element, [])),
            }
        }
    }
    Ok(Value::list(element, matched))
}
