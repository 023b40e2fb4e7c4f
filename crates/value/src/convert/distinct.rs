//! Finds the different types among types in which one part may occur millions of times.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

use crate::Type;

/// The parts of a type that is hashed again each time, because remembering the hash costs as much.
const FEW_PARTS: u32 = 64;

/// Returns the types without those that occur before.
pub(super) fn distinct(types: &[Type]) -> Vec<Type> {
    // Comparing two types takes less time than hashing all their parts.
    if let [one, other] = types {
        return if one == other { vec![one.clone()] } else { types.to_vec() };
    }
    let (mut seen, mut hashes) = (HashSet::new(), TypeHashes::default());
    let (mut found, mut last) = (Vec::new(), None);
    for ty in types {
        // Equal types are usually neighbours, and comparing two costs less than hashing one.
        if last != Some(ty) && seen.insert(HashedType { hash: hashes.of(ty), ty }) {
            found.push(ty.clone());
        }
        last = Some(ty);
    }
    found
}

/// A type with its hash.
#[derive(PartialEq, Eq)]
struct HashedType<'t> {
    hash: u64,
    ty: &'t Type,
}

impl Hash for HashedType<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// The hashes of types. A part that occurs many times is hashed once.
#[derive(Default)]
struct TypeHashes {
    /// The hashes of types with many parts, by the addresses of the parts. The types live longer than the table.
    found: HashMap<usize, u64>,
}

impl TypeHashes {
    fn of(&mut self, ty: &Type) -> u64 {
        if ty.facts().parts <= FEW_PARTS {
            return hash(ty);
        }
        let address = match ty {
            Type::Tuple(tuple) => Arc::as_ptr(tuple).addr(),
            Type::Object(object) => Arc::as_ptr(object).addr(),
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                let element = self.of(element);
                return hash(&(discriminant(ty), element));
            }
            Type::Bool | Type::Number | Type::String | Type::Dynamic => return hash(ty),
        };
        if let Some(hash) = self.found.get(&address) {
            return *hash;
        }
        let mut hasher = DefaultHasher::new();
        discriminant(ty).hash(&mut hasher);
        match ty {
            Type::Tuple(tuple) => tuple.iter().for_each(|part| hasher.write_u64(self.of(part))),
            Type::Object(object) => object.attributes().iter().for_each(|(name, part)| {
                name.hash(&mut hasher);
                hasher.write_u64(self.of(part));
            }),
            Type::List(_)
            | Type::Set(_)
            | Type::Map(_)
            | Type::Bool
            | Type::Number
            | Type::String
            | Type::Dynamic => {}
        }
        let found = hasher.finish();
        self.found.insert(address, found);
        found
    }
}

fn hash(content: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a type in which a part occurs eight million times.
    fn wide(part: Type) -> Type {
        (0..23).fold(part, |part, level| match level % 2 {
            0 => Type::tuple([part.clone(), part]),
            _ => Type::object([("a".into(), part.clone()), ("b".into(), part)]),
        })
    }

    #[test]
    fn a_part_that_occurs_many_times_is_hashed_once() {
        let (string, number) = (wide(Type::String), wide(Type::Number));
        // Hashing each occurrence would take minutes.
        for _ in 0..100 {
            let types = [&string, &number, &string, &Type::Bool, &number].map(Type::clone);
            assert_eq!(distinct(&types), [string.clone(), number.clone(), Type::Bool]);
        }
    }

    #[test]
    fn equal_types_have_equal_hashes() {
        let mut hashes = TypeHashes::default();
        let of_size = |size: usize| [Type::tuple(vec![Type::String; size]), Type::list(Type::String)];
        for size in [1, 63, 64, 65, 1000] {
            let [one, two] = [(); 2].map(|()| Type::list(Type::tuple(of_size(size))));
            assert_eq!(hashes.of(&one), hashes.of(&two), "{size}");
            assert_eq!(distinct(&[one.clone(), Type::Bool, two, Type::Bool]), [one, Type::Bool], "{size}");
        }
    }
}
