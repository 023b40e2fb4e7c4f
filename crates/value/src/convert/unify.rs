//! Finds a common type to which values of several types can be converted, and converts them.

use std::cmp::Ordering;

use crate::convert::distinct::distinct;
use crate::convert::{Safety, is_convertible};
use crate::{ObjectType, Type, Value, ValueError, can_convert, convert};

/// The work of a part of a type, and of each level around it.
const WORK_OF_PART: u64 = 8;
const WORK_OF_LEVEL: u64 = 4;

/// The most different types that are sorted. Sorting takes the square of their number.
const MAX_SORTED: usize = 256;

/// Returns the most specific type to which values of all these types can be converted, although some values may turn
/// out not to be convertible (`"x"` to number). `None` if there is no such type, or no type is given.
///
/// If objects meet maps, or tuples meet lists, a value may reach the type only through [`Unification::convert`].
pub fn unify(types: &[Type]) -> Option<Type> {
    unify_with(types, Safety::Unsafe)
}

/// A common type for values of several types, and the way to convert to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unification {
    /// The type, as [`unify`] gives it.
    pub ty: Type,
    /// The map type of all objects, or the list type of all tuples, if they were unified with maps or lists.
    pub collected: Option<Type>,
}

impl Unification {
    /// Returns the unification for these types, as [`unify`] finds it; `None` if there is none.
    pub fn of(types: &[Type]) -> Option<Unification> {
        unification(types, Safety::Unsafe)
    }

    /// Returns the work of [`Unification::of`] for these types, in units of about 10 nanoseconds: each part is looked at on
    /// each level around it. Takes constant time for a type.
    pub fn work(types: &[Type]) -> u64 {
        if Kinds::of(types).families() > 1 {
            return types.len() as u64;
        }
        let (mut parts, mut depth) = (types.len() as u64, 0);
        for facts in types.iter().map(Type::facts) {
            parts = parts.saturating_add(u64::from(facts.parts));
            depth = depth.max(u64::from(facts.depth));
        }
        parts.saturating_mul(WORK_OF_PART.saturating_add(depth.saturating_mul(WORK_OF_LEVEL)))
    }

    /// Does the same as [`Unification::of`], using only conversions that never fail.
    pub fn of_safe(types: &[Type]) -> Option<Unification> {
        unification(types, Safety::Safe)
    }

    /// Converts a value of one of the types to the common type. An object or a tuple that cannot be converted at once
    /// is first converted to the collected type, in which all its parts have one type.
    ///
    /// # Errors
    ///
    /// If the value turns out not to be convertible.
    pub fn convert(&self, value: &Value) -> Result<Value, ValueError> {
        match &self.collected {
            Some(collected) if !can_convert(&value.ty(), &self.ty) => {
                convert(&convert(value, collected)?, &self.ty)
            }
            Some(_) | None => convert(value, &self.ty),
        }
    }
}

impl From<Type> for Unification {
    fn from(ty: Type) -> Unification {
        Unification { ty, collected: None }
    }
}

/// Converts the values to the type that [`unify`] returns for their types, and returns it with them; `None` if
/// there is no such type. If the type is not known yet, because one of the values has no type, each value that
/// would have to change is unknown.
pub fn unify_values(values: &[Value]) -> Option<Result<(Type, Vec<Value>), ValueError>> {
    let types: Vec<Type> = values.iter().map(Value::ty).collect();
    let unification = Unification::of(&types)?;
    let later = unification.ty == Type::Dynamic && unifies_later(&types);
    let convert_one = |value: &Value| {
        if later {
            Ok(Value::unknown_from(Type::Dynamic, value.origins_deep()))
        } else {
            unification.convert(value)
        }
    };
    let converted: Result<Vec<Value>, ValueError> = values.iter().map(convert_one).collect();
    Some(converted.map(|values| (unification.ty.clone(), values)))
}

/// Whether all types are of one structural kind, except for at least one that is unknown.
fn unifies_later(types: &[Type]) -> bool {
    let kinds = Kinds::of(types);
    kinds.dynamic > 0
        && [kinds.map, kinds.list, kinds.set, kinds.object, kinds.tuple]
            .into_iter()
            .any(|count| count > 0 && count + kinds.dynamic == types.len())
}

#[derive(Default)]
struct Kinds {
    map: usize,
    list: usize,
    set: usize,
    object: usize,
    tuple: usize,
    dynamic: usize,
    primitive: usize,
}

impl Kinds {
    fn of(types: &[Type]) -> Kinds {
        let mut kinds = Kinds::default();
        for ty in types {
            match ty {
                Type::Map(_) => kinds.map += 1,
                Type::List(_) => kinds.list += 1,
                Type::Set(_) => kinds.set += 1,
                Type::Object(_) => kinds.object += 1,
                Type::Tuple(_) => kinds.tuple += 1,
                Type::Dynamic => kinds.dynamic += 1,
                Type::Bool | Type::Number | Type::String => kinds.primitive += 1,
            }
        }
        kinds
    }

    /// Returns the number of families of types, between which there is no conversion, without the unknown type.
    fn families(&self) -> usize {
        let families = [self.primitive, self.map + self.object, self.list + self.set + self.tuple];
        families.into_iter().filter(|count| *count > 0).count()
    }
}

pub(crate) fn unify_with(types: &[Type], safety: Safety) -> Option<Type> {
    unification(types, safety).map(|unification| unification.ty)
}

fn unification(types: &[Type], safety: Safety) -> Option<Unification> {
    let kinds = Kinds::of(types);
    if kinds.families() > 1 {
        // Only the unknown type is convertible to and from types of different families.
        let has_common_type = kinds.dynamic > 0 && (kinds.object == 0 || kinds.tuple == 0);
        return has_common_type.then(|| Type::Dynamic.into());
    }
    let types = distinct(types);
    if types.len() < 2 {
        return types.into_iter().next().map(Unification::from);
    }
    let kinds = Kinds::of(&types);
    let all = |count: usize| count == types.len();
    // Objects are often meant as maps, and tuples as lists.
    let disguised = if kinds.map > 0 && kinds.object > 0 && all(kinds.map + kinds.object + kinds.dynamic) {
        unify_as(&types, safety, is_object, objects_to_map)
    } else if kinds.list > 0 && kinds.tuple > 0 && all(kinds.list + kinds.tuple + kinds.dynamic) {
        unify_as(&types, safety, is_tuple, tuples_to_list)
    } else {
        None
    };
    disguised.or_else(|| unify_kinds(&types, &kinds, safety).map(Unification::from))
}

fn unify_kinds(types: &[Type], kinds: &Kinds, safety: Safety) -> Option<Type> {
    let all = |count: usize| count > 0 && count + kinds.dynamic == types.len();
    let has_dynamic = kinds.dynamic > 0;
    if all(kinds.map) {
        return unify_collections(Type::map, types, safety, has_dynamic);
    }
    if all(kinds.list) {
        return unify_collections(Type::list, types, safety, has_dynamic);
    }
    if all(kinds.set) {
        return unify_collections(Type::set, types, safety, has_dynamic);
    }
    if all(kinds.object) {
        return unify_objects(types, safety, has_dynamic);
    }
    if all(kinds.tuple) {
        return unify_tuples(types, safety, has_dynamic);
    }
    preferred(types, safety)
}

fn is_object(ty: &Type) -> bool {
    matches!(ty, Type::Object(_))
}

fn is_tuple(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(_))
}

fn unify_collections(
    collection: fn(Type) -> Type,
    types: &[Type],
    safety: Safety,
    has_dynamic: bool,
) -> Option<Type> {
    if has_dynamic {
        return Some(Type::Dynamic);
    }
    let elements: Vec<Type> = types.iter().filter_map(Type::element).cloned().collect();
    let ty = collection(unify_with(&elements, safety)?);
    all_convertible(types, &ty, safety).then_some(ty)
}

/// Unifies object types: with the same attribute names attribute by attribute, others to a map.
fn unify_objects(types: &[Type], safety: Safety, has_dynamic: bool) -> Option<Type> {
    if has_dynamic {
        return Some(Type::Dynamic);
    }
    let objects = objects(types);
    let (first, others) = objects.split_first()?;
    let same_names = others.iter().all(|object| {
        let names = |object: &ObjectType| object.attributes().len();
        names(object) == names(first)
            && object.attributes().iter().zip(first.attributes()).all(|((left, _), (right, _))| left == right)
    });
    if !same_names {
        return objects_to_map(types, safety);
    }
    let mut attributes = Vec::with_capacity(first.attributes().len());
    for (index, (name, _)) in first.attributes().iter().enumerate() {
        let across: Vec<Type> = objects
            .iter()
            .filter_map(|object| object.attributes().get(index).map(|(_, ty)| ty.clone()))
            .collect();
        attributes.push((name.clone(), unify_with(&across, safety)?));
    }
    let ty = Type::object(attributes);
    if all_convertible(types, &ty, safety) { Some(ty) } else { objects_to_map(types, safety) }
}

fn objects(types: &[Type]) -> Vec<&ObjectType> {
    let mut objects = Vec::with_capacity(types.len());
    for ty in types {
        if let Type::Object(object) = ty {
            objects.push(&**object);
        }
    }
    objects
}

fn objects_to_map(types: &[Type], safety: Safety) -> Option<Type> {
    let attributes = objects(types).into_iter().flat_map(|object| object.attributes());
    let elements: Vec<Type> = attributes.map(|(_, ty)| ty.clone()).collect();
    let ty = Type::map(unify_with(&elements, safety)?);
    all_convertible(types, &ty, safety).then_some(ty)
}

/// Unifies tuple types: with the same length element by element, others to a list.
fn unify_tuples(types: &[Type], safety: Safety, has_dynamic: bool) -> Option<Type> {
    if has_dynamic {
        return Some(Type::Dynamic);
    }
    let tuples = tuples(types);
    let (first, others) = tuples.split_first()?;
    if others.iter().any(|tuple| tuple.len() != first.len()) {
        return tuples_to_list(types, safety);
    }
    let mut elements = Vec::with_capacity(first.len());
    for index in 0..first.len() {
        let across: Vec<Type> = tuples.iter().filter_map(|tuple| tuple.get(index).cloned()).collect();
        elements.push(unify_with(&across, safety)?);
    }
    let ty = Type::tuple(elements);
    if all_convertible(types, &ty, safety) { Some(ty) } else { tuples_to_list(types, safety) }
}

fn tuples(types: &[Type]) -> Vec<&[Type]> {
    let mut tuples = Vec::with_capacity(types.len());
    for ty in types {
        if let Type::Tuple(elements) = ty {
            tuples.push(&***elements);
        }
    }
    tuples
}

fn tuples_to_list(types: &[Type], safety: Safety) -> Option<Type> {
    let elements: Vec<Type> = tuples(types).concat();
    let ty = Type::list(unify_with(&elements, safety)?);
    all_convertible(types, &ty, safety).then_some(ty)
}

/// Unifies the types of one kind to a collection first, and then the collection with the other types. `None` if the
/// result is not a collection of that kind.
fn unify_as(
    types: &[Type],
    safety: Safety,
    belongs: fn(&Type) -> bool,
    collect: fn(&[Type], Safety) -> Option<Type>,
) -> Option<Unification> {
    let kind: Vec<Type> = types.iter().filter(|ty| belongs(ty)).cloned().collect();
    let collected = collect(&kind, safety)?;
    let replace = |ty: &Type| if belongs(ty) { collected.clone() } else { ty.clone() };
    let replaced: Vec<Type> = types.iter().map(replace).collect();
    let ty = unify_with(&replaced, safety)?;
    let is_of_kind =
        matches!((&ty, &collected), (Type::Map(_), Type::Map(_)) | (Type::List(_), Type::List(_)));
    is_of_kind.then_some(Unification { ty, collected: Some(collected) })
}

fn all_convertible(types: &[Type], target: &Type, safety: Safety) -> bool {
    types.iter().all(|ty| ty == target || is_convertible(ty, target, safety))
}

/// Returns the first type, most general types first, to which all types can be converted.
fn preferred(types: &[Type], safety: Safety) -> Option<Type> {
    let candidates = common_targets(types, safety);
    if candidates.len() < 2 {
        return candidates.into_iter().next().cloned();
    }
    // Beyond the limit only types that are candidates themselves are sorted, which differs for candidates that cannot be compared.
    let sorted: Vec<&Type> = match types.len() <= MAX_SORTED {
        true => types.iter().collect(),
        false => candidates.iter().copied().take(MAX_SORTED).collect(),
    };
    most_general_first(&sorted).into_iter().find(|ty| candidates.contains(ty)).cloned()
}

/// Returns the types to which all types can be converted.
fn common_targets(types: &[Type], safety: Safety) -> Vec<&Type> {
    let converts = |ty: &Type, target: &Type| ty == target || is_convertible(ty, target, safety);
    // A type that cannot be converted to one target usually cannot be converted to the next, so that few pairs are compared.
    let mut last_refused: Option<&Type> = None;
    let is_target = |target: &&Type| {
        if last_refused.is_some_and(|ty| !converts(ty, target)) {
            return false;
        }
        let refused = types.iter().find(|ty| !converts(ty, target));
        last_refused = refused.or(last_refused);
        refused.is_none()
    };
    types.iter().filter(is_target).collect()
}

/// Sorts types topologically by [`generality`]; types that cannot be compared stay in the given order.
fn most_general_first<'t>(types: &[&'t Type]) -> Vec<&'t Type> {
    let mut less_general: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut more_general: Vec<usize> = vec![0; types.len()];
    for (i, left) in types.iter().enumerate() {
        for (j, right) in types.iter().enumerate().skip(i + 1) {
            let (from, to) = match generality(left, right) {
                Ordering::Less => (i, j),
                Ordering::Greater => (j, i),
                Ordering::Equal => continue,
            };
            if let (Some(edges), Some(count)) = (less_general.get_mut(from), more_general.get_mut(to)) {
                edges.push(to);
                *count += 1;
            }
        }
    }
    let mut order: Vec<usize> =
        (0..types.len()).filter(|index| more_general.get(*index) == Some(&0)).collect();
    let mut next = 0;
    while let Some(index) = order.get(next).copied() {
        next += 1;
        for to in less_general.get(index).into_iter().flatten() {
            if let Some(count) = more_general.get_mut(*to) {
                *count -= 1;
                if *count == 0 {
                    order.push(*to);
                }
            }
        }
    }
    order.into_iter().filter_map(|index| types.get(index).copied()).collect()
}

/// Returns which of two types is preferred (`Less`: the first), assuming that a conversion exists.
fn generality(left: &Type, right: &Type) -> Ordering {
    match (left, right) {
        (Type::Dynamic, Type::Dynamic) => Ordering::Equal,
        (Type::Dynamic, _) => Ordering::Greater,
        (_, Type::Dynamic) => Ordering::Less,
        (Type::Bool | Type::Number, Type::String) => Ordering::Greater,
        (Type::String, Type::Bool | Type::Number) => Ordering::Less,
        (Type::List(left), Type::List(right))
        | (Type::Set(left), Type::Set(right))
        | (Type::Map(left), Type::Map(right)) => generality(left, right),
        (Type::List(_), Type::Tuple(_) | Type::Set(_))
        | (Type::Tuple(_), Type::Set(_))
        | (Type::Map(_), Type::Object(_)) => Ordering::Less,
        (Type::Tuple(_), Type::List(_))
        | (Type::Set(_), Type::List(_) | Type::Tuple(_))
        | (Type::Object(_), Type::Map(_)) => Ordering::Greater,
        (Type::Tuple(left), Type::Tuple(right)) if left.len() == right.len() => {
            generality_of_parts(left.iter().zip(&**right))
        }
        (Type::Object(left), Type::Object(right)) => {
            let (left, right) = (left.attributes(), right.attributes());
            let same_names = left.len() == right.len()
                && left.iter().zip(right).all(|((left, _), (right, _))| left == right);
            if !same_names {
                return Ordering::Equal;
            }
            generality_of_parts(left.iter().zip(right).map(|((_, left), (_, right))| (left, right)))
        }
        (
            Type::Bool
            | Type::Number
            | Type::String
            | Type::List(_)
            | Type::Set(_)
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Object(_),
            _,
        ) => Ordering::Equal,
    }
}

fn generality_of_parts<'t>(parts: impl Iterator<Item = (&'t Type, &'t Type)>) -> Ordering {
    let mut whole = Ordering::Equal;
    for (left, right) in parts {
        match generality(left, right) {
            Ordering::Equal => {}
            part if whole == Ordering::Equal || part == whole => whole = part,
            Ordering::Less | Ordering::Greater => return Ordering::Equal,
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;

    fn tuple(elements: &[Type]) -> Type {
        Type::tuple(elements.to_vec())
    }

    fn object(attributes: &[(&str, Type)]) -> Type {
        Type::object(attributes.iter().map(|(name, ty)| ((*name).into(), ty.clone())))
    }

    fn text(types: &[Type]) -> String {
        unify(types).map_or_else(|| "none".to_owned(), |ty| ty.to_string())
    }

    #[test]
    fn primitive_types() {
        assert_eq!(text(&[Type::Number, Type::String]), "string");
        assert_eq!(text(&[Type::Bool, Type::String, Type::Number]), "string");
        assert_eq!(text(&[Type::Bool, Type::Number]), "none");
        assert_eq!(text(&[Type::Dynamic, Type::Number]), "number");
        assert_eq!(text(&[Type::Dynamic]), "any");
        assert_eq!(text(&[]), "none");
    }

    #[test]
    fn tuples_and_lists() {
        let one = tuple(&[Type::Number]);
        assert_eq!(text(&[one.clone(), tuple(&[])]), "list(number)");
        assert_eq!(
            text(&[tuple(&[Type::Number, Type::String]), tuple(&[Type::String, Type::Number])]),
            "tuple([string,string])"
        );
        assert_eq!(text(&[Type::list(Type::String), one.clone()]), "list(string)");
        assert_eq!(text(&[Type::set(Type::Number), Type::list(Type::String)]), "list(string)");
        assert_eq!(text(&[Type::set(Type::Number), one.clone()]), "set(number)");
        assert_eq!(text(&[one.clone(), Type::String]), "none");
        assert_eq!(text(&[one.clone(), object(&[])]), "none");
        assert_eq!(text(&[one, Type::Dynamic]), "any");
    }

    #[test]
    fn objects_and_maps() {
        let a = object(&[("a", Type::Number)]);
        assert_eq!(text(&[a.clone(), object(&[("a", Type::String)])]), "object({a=string})");
        assert_eq!(text(&[a.clone(), object(&[("b", Type::String)])]), "map(string)");
        assert_eq!(text(&[a.clone(), Type::map(Type::String)]), "map(string)");
        assert_eq!(text(&[a, object(&[("b", tuple(&[]))])]), "none");
        let nested = object(&[("a", object(&[("b", Type::Number)]))]);
        let other = object(&[("a", object(&[("c", Type::Number)]))]);
        assert_eq!(text(&[nested, other]), "object({a=map(number)})");
    }

    #[test]
    fn an_object_may_reach_the_type_only_as_a_map() {
        let number = object(&[("b", Type::Number)]);
        let mixed =
            object(&[("a", object(&[])), ("b", number), ("c", Type::map(object(&[("d", Type::Bool)])))]);
        let types = [Type::map(object(&[("b", object(&[]))])), mixed.clone(), object(&[])];
        let unification = Unification::of(&types).unwrap();
        assert_eq!(unification.ty.to_string(), "map(map(object({})))");
        assert_eq!(unification.collected.as_ref().unwrap().to_string(), "map(object({}))");
        assert!(!can_convert(&mixed, &unification.ty));
        let inner = Value::object([("b".into(), Value::number(Number::literal(1)))]);
        let empty = Value::object([]);
        let value = Value::object([
            ("a".into(), empty),
            ("b".into(), inner.clone()),
            ("c".into(), Value::map(object(&[("d", Type::Bool)]), [])),
        ]);
        assert_eq!(value.ty(), mixed);
        assert_eq!(unification.convert(&value).unwrap().ty(), unification.ty);
        assert!(unification.convert(&inner).is_err());
    }

    #[test]
    fn many_different_types_take_no_quadratic_time() {
        let object = |index: usize| object(&[(&format!("k{index}"), Type::Number)]);
        // Comparing each pair would take minutes.
        let mut types: Vec<Type> = (0..20_000).map(object).collect();
        types.push(Type::String);
        assert_eq!(text(&types), "none");
        types.push(Type::Dynamic);
        assert_eq!(text(&types), "any");
        let mut types: Vec<Type> = (0..20_000).map(|index| Type::list(object(index))).collect();
        types.push(Type::set(object(0)));
        assert_eq!(text(&types), "none");
    }

    #[test]
    fn the_work_grows_with_all_parts() {
        let wide = |length: usize| tuple(&vec![object(&[("a", Type::Number)]); length]);
        assert_eq!(Unification::work(&[wide(1000), Type::Bool]), 2, "they are of different families");
        let work = |length: usize| Unification::work(&[wide(length), tuple(&[])]);
        assert!(work(10) >= 20 && work(1000) > 90 * work(10));
        let deep = (0..100).fold(Type::Bool, |ty, _| tuple(&[ty]));
        assert!(Unification::work(&[deep.clone(), deep]) > 10 * work(100));
    }

    #[test]
    fn values_of_types_not_known_yet_become_unknown() {
        let values = [Value::tuple([Value::TRUE]), Value::unknown(Type::Dynamic)];
        let (ty, values) = unify_values(&values).unwrap().unwrap();
        assert_eq!(ty, Type::Dynamic);
        assert!(!values[0].is_known());
        let (ty, values) = unify_values(&[Value::TRUE, Value::from("a")]).unwrap().unwrap();
        assert_eq!(ty, Type::String);
        assert_eq!(values[0].as_str(), Some("true"));
    }
}
