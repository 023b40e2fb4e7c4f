//! Follows a part of the result of a function call to the argument that it comes from.

use std::cell::OnceCell;
use std::collections::HashSet;

use terrane_config::InstanceKey;
use terrane_function::{ResultParts, Skipped};
use terrane_module::model::references::{Target, Use};
use terrane_module::place::count;
use terrane_source::{Diagnostic, Diagnostics};
use terrane_syntax::tree::CallId;
use terrane_value::{Origins, SmolStr, Value, ValueKind};

use super::builder::{Builder, ObjectId, ObjectRef, secret};
use super::causes::has_causes;
use super::model::{ExplainNodeId, InputRole, NodeInput};
use super::path::{self, Key};
use super::site::ExpressionPart;
use crate::first_of::refusal;
use crate::secrets::has_secret;
use crate::written::has_secret_text;

/// An argument of a call. The elements of an argument followed by `...` are arguments of their own.
struct Argument<'r> {
    part: ExpressionPart<'r>,
    /// The path of the argument in its expression; not empty for an element.
    prefix: Vec<Key>,
    /// Whether the function skips an argument with errors.
    catches_errors: bool,
    /// The [own value](ExpressionPart::own_value), and the first error in words. Evaluated when first asked for. The error in a secret expression has no words.
    evaluated: OnceCell<(Value, Option<String>)>,
}

impl<'r> Argument<'r> {
    fn evaluated(&self) -> &(Value, Option<String>) {
        self.evaluated.get_or_init(|| match self.catches_errors {
            true => value_or_error(&self.part),
            false => (self.part.own_value(), None),
        })
    }

    fn value(&self) -> &Value {
        &self.evaluated().0
    }

    fn error(&self) -> Option<&str> {
        self.evaluated().1.as_deref()
    }

    /// Returns the path in the expression to the part of the argument at `rest`.
    fn path(&self, rest: &[Key]) -> Vec<Key> {
        let rest = if rest.is_empty() { Vec::new() } else { path::by_member(self.value(), rest) };
        self.prefix.iter().cloned().chain(rest).collect()
    }
}

impl<'r> Builder<'r> {
    pub(super) fn call(
        &mut self,
        node: ExplainNodeId,
        part: &ExpressionPart<'r>,
        call: CallId,
        path: &[Key],
    ) {
        let tree = &part.expression.tree;
        let parts = self.evaluation().functions().result_parts(&tree.function_name(tree.call(call)));
        let arguments = self.arguments(part, call, parts);
        let is_done = match parts {
            ResultParts::Computed | ResultParts::Keys => false,
            ResultParts::Merged => self.merge(node, &arguments, path),
            ResultParts::ElementOrDefault => self.lookup(node, &arguments, path),
            ResultParts::Concatenated => self.concat(node, &arguments, path),
            ResultParts::SensitiveArgument => {
                self.nodes[node].marks = Some("sensitive() marks the value".to_owned());
                self.through(node, &arguments, path)
            }
            ResultParts::NonsensitiveArgument => {
                self.how(node, "nonsensitive() ends the mark of its argument");
                self.through(node, &arguments, path)
            }
            ResultParts::FirstOf(skipped) => self.first(node, skipped, &arguments, path),
            ResultParts::Argument
            | ResultParts::OnlyElement
            | ResultParts::ElementAt
            | ResultParts::Reversed
            | ResultParts::Slice
            | ResultParts::Elements
            | ResultParts::Flattened
            | ResultParts::SomeElements => self.same_part(node, parts, &arguments, path),
        };
        if !is_done {
            arguments.iter().for_each(|argument| self.doubts(node, argument));
            let parts = arguments.into_iter().enumerate();
            let several = parts.len() > 1;
            for (index, argument) in parts {
                if argument.part.is_constant() {
                    continue;
                }
                if self.is_full() {
                    break;
                }
                let child = self.follow(argument.part, argument.prefix);
                let key = several.then(|| (index + 1).to_string());
                self.input(node, NodeInput { key, ..NodeInput::taken(child, InputRole::Argument) });
            }
        }
    }

    /// Returns the arguments of a function call. If the function marks its argument as sensitive, the texts and values of the
    /// argument's expressions are hidden, but not the values of objects that they refer to.
    fn arguments(&self, part: &ExpressionPart<'r>, call: CallId, parts: ResultParts) -> Vec<Argument<'r>> {
        let is_secret = parts == ResultParts::SensitiveArgument;
        let catches_errors = parts == ResultParts::FirstOf(Skipped::Errors);
        let tree = &part.expression.tree;
        let call = tree.call(call);
        let ids = tree.list(call.arguments);
        let mut arguments = Vec::with_capacity(ids.len());
        for (index, id) in ids.iter().enumerate() {
            let part = secret(part.at(*id), is_secret);
            let argument = Argument { part, prefix: Vec::new(), catches_errors, evaluated: OnceCell::new() };
            let is_expanded = call.expand_last
                && index + 1 == ids.len()
                && !self.hides(argument.value())
                && count(argument.value()).is_some();
            if !is_expanded {
                arguments.push(argument);
                continue;
            }
            arguments.extend(path::elements(argument.value()).into_iter().map(|(key, value)| Argument {
                part: argument.part.clone(),
                prefix: vec![key],
                catches_errors,
                evaluated: OnceCell::from((value, None)),
            }));
        }
        arguments
    }

    /// Adds an argument as an input, unless it is a constant.
    fn argument(
        &mut self,
        node: ExplainNodeId,
        argument: &Argument<'r>,
        path: &[Key],
        input: impl Fn(ExplainNodeId) -> NodeInput,
    ) {
        if !argument.part.is_constant() {
            self.chosen(node, argument, path, input);
        }
    }

    /// Adds the argument that a function has chosen among several as an input, also a constant.
    fn chosen(
        &mut self,
        node: ExplainNodeId,
        argument: &Argument<'r>,
        path: &[Key],
        input: impl Fn(ExplainNodeId) -> NodeInput,
    ) {
        let child = self.follow(argument.part.clone(), argument.path(path));
        self.input(node, input(child));
    }

    /// Follows `merge` to the last argument with the key, which hides the earlier ones. Returns false if it cannot be told.
    fn merge(&mut self, node: ExplainNodeId, arguments: &[Argument<'r>], path: &[Key]) -> bool {
        let Some(key @ Key::Name(_)) = path.first() else { return self.merge_whole(node, arguments) };
        if arguments.iter().any(|argument| self.hides(argument.value())) {
            return false;
        }
        let has = |argument: &Argument<'r>| {
            argument
                .value()
                .unmarked()
                .as_entries()
                .map(|_| path::part(argument.value(), std::slice::from_ref(key)).is_some())
        };
        let mut hidden = Vec::new();
        let mut taken = None;
        for (index, argument) in arguments.iter().enumerate() {
            match has(argument) {
                Some(true) => hidden.extend(taken.replace(index)),
                Some(false) => {}
                // An unknown argument may have the key, too.
                None if argument.value().is_null() => {}
                None => return false,
            }
        }
        let Some(index) = taken else { return false };
        self.how(node, format!("argument {} of {} has the key", index + 1, arguments.len()));
        if let Some(argument) = arguments.get(index) {
            self.chosen(node, argument, path, |child| {
                NodeInput::taken(child, InputRole::Argument).keyed((index + 1).to_string())
            });
        }
        for index in hidden {
            if let Some(argument) = arguments.get(index).filter(|_| !self.is_full()) {
                // A hidden argument may have the key without the part behind it.
                let has_part = path::part(argument.value(), path).is_some();
                let steps = if has_part { path } else { std::slice::from_ref(key) };
                let child = self.follow(argument.part.clone(), argument.path(steps));
                self.input(
                    node,
                    NodeInput::passed_over(child, InputRole::Hidden).keyed((index + 1).to_string()),
                );
            }
        }
        true
    }

    /// Follows the arguments of a whole `merge` where one of them has a secret that a later argument hides: of this argument
    /// only the other keys count. Returns false if there is no such argument.
    fn merge_whole(&mut self, node: ExplainNodeId, arguments: &[Argument<'r>]) -> bool {
        let mut later: HashSet<&SmolStr> = HashSet::new();
        let mut without_secrets: Vec<Option<Vec<Key>>> = Vec::with_capacity(arguments.len());
        for argument in arguments.iter().rev() {
            let entries = argument.value().unmarked().as_entries().filter(|_| !self.hides(argument.value()));
            let Some(entries) = entries else { return false };
            let hides_secret = entries.iter().any(|(name, value)| later.contains(name) && has_secret(value));
            let left = entries.iter().filter(|(name, _)| !later.contains(name));
            let left = left.map(|(name, _)| Key::Name(name.clone()));
            without_secrets.push(hides_secret.then(|| left.collect()));
            later.extend(entries.iter().map(|(name, _)| name));
        }
        if without_secrets.iter().all(Option::is_none) {
            return false;
        }
        for (index, (argument, left)) in arguments.iter().zip(without_secrets.into_iter().rev()).enumerate() {
            let taken = |child| NodeInput::taken(child, InputRole::Argument).keyed((index + 1).to_string());
            let hidden =
                |child| NodeInput::passed_over(child, InputRole::Hidden).keyed((index + 1).to_string());
            match left {
                None => self.argument(node, argument, &[], taken),
                Some(left) if left.is_empty() => self.argument(node, argument, &[], hidden),
                Some(left) => left.into_iter().for_each(|key| {
                    if !self.is_full() {
                        self.argument(node, argument, &[key], taken);
                    }
                }),
            }
        }
        true
    }

    fn lookup(&mut self, node: ExplainNodeId, arguments: &[Argument<'r>], path: &[Key]) -> bool {
        let [map, key, default @ ..] = arguments else { return false };
        if self.hides(map.value()) || self.hides(key.value()) {
            return false;
        }
        let Some(name @ Key::Name(_)) = Key::of(key.value()) else { return false };
        let inner = map.value().unmarked();
        let is_known = inner.as_entries().is_some();
        let has_key = |name: &Key| matches!(name, Key::Name(name) if inner.known_attributes().is_some_and(|all| all.get(name).is_some()));
        let steps: Vec<Key> = std::iter::once(name.clone()).chain(path.iter().cloned()).collect();
        let shown = (!self.hides_keys(&key.part)).then(|| name.text());
        let written = shown.as_ref().map_or_else(String::new, |shown| format!(" {shown}"));
        if has_key(&name) {
            self.how(node, format!("the map has the key{written}"));
            self.chosen(node, map, &steps, |child| NodeInput {
                key: shown.clone(),
                ..NodeInput::taken(child, InputRole::Element)
            });
        } else if let (true, Some(default)) = (is_known, default.first()) {
            self.how(node, format!("the default, because the map has no key{written}"));
            self.chosen(node, default, path, |child| NodeInput::taken(child, InputRole::Argument).keyed("3"));
            self.argument(node, map, &[], |child| {
                NodeInput::passed_over(child, InputRole::Argument).keyed("1")
            });
        } else {
            return false;
        }
        self.argument(node, key, &[], |child| NodeInput::taken(child, InputRole::Key));
        true
    }

    /// Follows a function to the first argument that it does not skip. Returns false if it cannot be told.
    fn first(
        &mut self,
        node: ExplainNodeId,
        skipped: Skipped,
        arguments: &[Argument<'r>],
        path: &[Key],
    ) -> bool {
        let mut passed = Vec::new();
        let mut taken = None;
        for (index, argument) in arguments.iter().enumerate() {
            if self.hides(argument.value()) {
                return false;
            }
            match passed_over(skipped, argument) {
                PassedOver::Yes(why) => passed.push((index, why)),
                PassedOver::Unclear => return false,
                PassedOver::No => {
                    taken = Some(index);
                    break;
                }
            }
        }
        let Some(index) = taken else { return false };
        let reasons: Vec<String> =
            passed.iter().map(|(index, why)| format!("; argument {} {why}", index + 1)).collect();
        let because = reasons.concat();
        self.how(node, format!("argument {} of {}{because}", index + 1, arguments.len()));
        if let Some(argument) = arguments.get(index) {
            // A part that is known does not explain an unknown result.
            let part = path::part(argument.value(), path);
            let is_cause = part.is_some_and(|part| has_causes(&part, &self.nodes[node].value));
            self.chosen(node, argument, if is_cause { path } else { &[] }, |child| {
                NodeInput::taken(child, InputRole::Argument).keyed((index + 1).to_string())
            });
            self.doubts(node, argument);
        }
        for (index, _) in passed {
            if let Some(argument) = arguments.get(index) {
                self.argument(node, argument, &[], |child| {
                    NodeInput::passed_over(child, InputRole::Argument).keyed((index + 1).to_string())
                });
            }
        }
        true
    }

    /// Adds the blocks in an argument whose unknown number of instances is a cause of the result, if the value of the argument
    /// does not have the cause: `try` and `can` ask whether an instance exists.
    fn doubts(&mut self, node: ExplainNodeId, argument: &Argument<'r>) {
        let result = &self.nodes[node].value;
        if result.is_wholly_known() || has_causes(argument.value(), result) {
            return;
        }
        let (causes, instance) = (result.origins_of_parts(), argument.part.site.instance);
        let (module, state) = (self.module(instance), self.instance(instance));
        let is_cause =
            |origins: &Origins| origins.as_slice().iter().any(|origin| causes.as_slice().contains(origin));
        let block = |found: &Use| {
            let (origins, object) = match *found.target()? {
                Target::Resource(id) => {
                    (state.resources[id].expansion.unknown()?, ObjectId::Resource(id, InstanceKey::None))
                }
                Target::Module(id, _) => {
                    (state.calls[id].expansion.unknown()?, ObjectId::Call(id, InstanceKey::None))
                }
                Target::Variable(_) | Target::Local(_) => return None,
            };
            is_cause(origins).then_some(object)
        };
        let uses = module.references.uses().within(&argument.part.expression);
        let blocks: Vec<ObjectId> = uses.iter().filter_map(block).collect();
        for object in blocks {
            let child = self.object(ObjectRef { instance, object }.whole());
            if !self.is_input(node, child) {
                self.input(node, NodeInput::taken(child, InputRole::Collection));
            }
        }
    }

    /// Follows `concat` to the argument with the element. Returns false if it cannot be told.
    fn concat(&mut self, node: ExplainNodeId, arguments: &[Argument<'r>], path: &[Key]) -> bool {
        let Some((Key::Position(wanted), rest)) = path.split_first() else { return false };
        let mut before = 0;
        for (index, argument) in arguments.iter().enumerate() {
            if self.hides(argument.value()) {
                return false;
            }
            let Some(count) = count(argument.value()) else { return false };
            if *wanted < before + count {
                let steps: Vec<Key> =
                    std::iter::once(Key::Position(wanted - before)).chain(rest.iter().cloned()).collect();
                self.how(node, format!("element [{}] of argument {}", wanted - before, index + 1));
                self.chosen(node, argument, &steps, |child| {
                    NodeInput::taken(child, InputRole::Argument).keyed((index + 1).to_string())
                });
                return true;
            }
            before += count;
        }
        false
    }

    /// Follows a function whose result is its first argument.
    fn through(&mut self, node: ExplainNodeId, arguments: &[Argument<'r>], path: &[Key]) -> bool {
        let [argument, ..] = arguments else { return false };
        self.argument(node, argument, path, |child| NodeInput::taken(child, InputRole::Argument));
        true
    }

    /// Follows a function whose result has parts of its first argument, if it is certain which part became the asked one.
    fn same_part(
        &mut self,
        node: ExplainNodeId,
        parts: ResultParts,
        arguments: &[Argument<'r>],
        path: &[Key],
    ) -> bool {
        let Some(first) = arguments.first().filter(|first| !self.hides(first.value())) else { return false };
        let value = first.value();
        let steps: Option<Vec<Key>> = match (parts, path.split_first()) {
            (ResultParts::Argument, _) => Some(path.to_vec()),
            (ResultParts::OnlyElement, _) => behind(Key::Position(0), path),
            (ResultParts::ElementAt, _) => {
                arguments.get(1).filter(|index| !self.hides(index.value())).and_then(|index| {
                    let (count, index) = (count(value)?, index.value().unmarked().as_number()?.to_i64()?);
                    let position = index.checked_rem_euclid(i64::try_from(count).ok()?)?;
                    behind(Key::Position(usize::try_from(position).ok()?), path)
                })
            }
            (ResultParts::Reversed, Some((Key::Position(at), rest))) => count(value)
                .and_then(|count| count.checked_sub(at + 1))
                .and_then(|at| behind(Key::Position(at), rest)),
            (ResultParts::Slice, Some((Key::Position(at), rest))) => {
                let start = arguments.get(1).filter(|start| !self.hides(start.value()));
                let start = start.and_then(|start| start.value().unmarked().as_number()?.to_u64());
                start.and_then(|start| behind(Key::Position(usize::try_from(start).ok()? + at), rest))
            }
            (ResultParts::Elements, Some((Key::Position(at), rest))) => {
                Key::of_element(value, *at).and_then(|key| behind(key, rest))
            }
            (ResultParts::Flattened, Some((Key::Position(at), rest))) => {
                flattened(value, *at).map(|mut found| {
                    found.extend_from_slice(rest);
                    found
                })
            }
            (ResultParts::SomeElements, Some((_, []))) => {
                let wanted = self.nodes[node].value.clone();
                path::position_of(value, &wanted).map(|at| vec![Key::Position(at)])
            }
            (_, _) => None,
        };
        let whole = self.nodes[node].value.clone();
        let is_part =
            |steps: &Vec<Key>| path::part(value, steps).is_some_and(|part| may_equal(&part, &whole));
        let Some(steps) = steps.filter(is_part) else { return false };
        let input = |child| NodeInput::taken(child, InputRole::Argument).keyed("1");
        match steps.is_empty() {
            true => self.argument(node, first, &steps, input),
            false => self.chosen(node, first, &steps, input),
        }
        for (index, argument) in arguments.iter().enumerate().skip(1) {
            self.argument(node, argument, &[], |child| {
                NodeInput::taken(child, InputRole::Key).keyed((index + 1).to_string())
            });
        }
        true
    }
}

/// Whether a part of an argument may have become a result by a conversion. An unknown result comes from a part with its causes.
fn may_equal(part: &Value, result: &Value) -> bool {
    let (part, result) = (part.unmarked(), result.unmarked());
    match (part.is_wholly_known(), result.is_wholly_known()) {
        (true, true) => {
            terrane_value::convert(part, &result.ty()).is_ok_and(|part| part.unmarked().same(result))
        }
        (false, false) => has_causes(part, result),
        (true, false) | (false, true) => false,
    }
}

/// Returns the value of an argument, and the first error in words.
fn value_or_error(part: &ExpressionPart<'_>) -> (Value, Option<String>) {
    let mut found = Diagnostics::new();
    let value = part.own_evaluated(&mut found);
    let error = found.as_slice().iter().find(|found| found.is_error());
    (value, error.map(|error| in_words(error, part)))
}

fn behind(first: Key, rest: &[Key]) -> Option<Vec<Key>> {
    Some(std::iter::once(first).chain(rest.iter().cloned()).collect())
}

/// Returns the error of an argument in words. The words about a secret text are hidden, because they may quote it.
fn in_words(error: &Diagnostic, part: &ExpressionPart<'_>) -> String {
    match !part.is_secret() && !has_secret_text(&part.expression) {
        true => format!("has an error: {}", error.detail.trim_end_matches('.')),
        false => "has an error".to_owned(),
    }
}

/// Whether a function skips an argument, and why.
enum PassedOver {
    Yes(String),
    No,
    Unclear,
}

fn passed_over(skipped: Skipped, argument: &Argument<'_>) -> PassedOver {
    let why = match skipped {
        Skipped::Errors => argument.error(),
        Skipped::EmptyStrings | Skipped::EmptyCollections => refusal(skipped, argument.value()),
    };
    match why {
        Some(why) => PassedOver::Yes(why.to_owned()),
        None if skipped == Skipped::Errors || argument.value().unmarked().is_known() => PassedOver::No,
        None => PassedOver::Unclear,
    }
}

/// Returns the path of the element at `wanted` in the flattened value. The walk keeps the sequences around the element.
fn flattened(value: &Value, wanted: usize) -> Option<Vec<Key>> {
    let mut passed = 0;
    let mut left: Vec<(Vec<Key>, Value)> = vec![(Vec::new(), value.clone())];
    while let Some((path, value)) = left.pop() {
        let is_sequence =
            matches!(value.unmarked().kind(), ValueKind::List(_) | ValueKind::Tuple(_) | ValueKind::Set(_));
        if is_sequence {
            let elements = path::elements(&value).into_iter().rev();
            left.extend(elements.map(|(key, element)| {
                let path: Vec<Key> = path.iter().cloned().chain([key]).collect();
                (path, element)
            }));
        } else if passed == wanted {
            return Some(path);
        } else {
            passed += 1;
        }
    }
    None
}
