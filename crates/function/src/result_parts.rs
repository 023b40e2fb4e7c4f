//! Tells which parts of the arguments the result of a function is made of.

/// The parts of the arguments that the result of a function is made of. Explanations follow a part of a result to the argument
/// that it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ResultParts {
    /// No parts: the result is computed.
    #[default]
    Computed,
    /// No parts: the result is computed from the keys or the number of the elements of the first argument, not from the
    /// elements.
    Keys,
    /// The first argument, perhaps converted.
    Argument,
    /// The first argument, marked as sensitive.
    SensitiveArgument,
    /// The first argument without the mark of a sensitive value.
    NonsensitiveArgument,
    /// The first argument that the function does not skip.
    FirstOf(Skipped),
    /// The elements of all arguments by key. The last argument with a key counts.
    Merged,
    /// The elements of all arguments, one argument after another.
    Concatenated,
    /// The element of the first argument with the key in the second one; if there is none, the third argument.
    ElementOrDefault,
    /// The only element of the first argument.
    OnlyElement,
    /// The element of the first argument at the position in the second one, which wraps around.
    ElementAt,
    /// The elements of the first argument, the last one first.
    Reversed,
    /// Elements of the first argument from the position in the second one on.
    Slice,
    /// The elements of the first argument in the order of their keys.
    Elements,
    /// The elements of the sequences in the first argument.
    Flattened,
    /// Elements of the first argument, in any order.
    SomeElements,
}

/// The arguments that a function skips before the argument that becomes its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skipped {
    /// Arguments with an error.
    Errors,
    /// Nulls and empty strings.
    EmptyStrings,
    /// Nulls and empty collections.
    EmptyCollections,
}
