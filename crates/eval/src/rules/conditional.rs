//! Conditionals: `condition ? yes : no` and `%{if}`.

use std::cmp::Ordering;

use terrane_source::{Span, ids};
use terrane_syntax::ExprId;
use terrane_value::{
    Bound, Marks, OriginKind, Origins, Refinement, Type, Unification, Unknown, Value, ValueKind, convert,
    with_article,
};

use crate::plain::operation::plain_type;
use crate::rules::evaluator::Evaluator;
use crate::state::budget::MemoryMark;
use crate::state::last_unification::LastUnification;
use crate::state::report::Found;

/// The steps of comparing a part of the types of the results.
const STEPS_OF_COMPARED_PART: u64 = 2;

/// The steps of converting an element of a result.
const STEPS_OF_CONVERTED_ELEMENT: u64 = 8;

/// The parts of a `? :` or of an `%{if}` directive.
#[derive(Clone, Copy)]
pub(super) struct ConditionalParts {
    pub(super) whole: Span,
    pub(super) condition: ExprId,
    /// The span of the result for a true condition.
    pub(super) yes: Span,
    /// The span of the result for a false condition.
    pub(super) no: Span,
}

/// One of the two results, with its own diagnostics. The diagnostics of the result that is not chosen are dropped.
struct Arm {
    value: Value,
    diagnostics: Vec<Found>,
    span: Span,
    /// The name of the result in messages: "true" or "false".
    name: &'static str,
}

/// The two results of a conditional.
struct Arms {
    yes: Arm,
    no: Arm,
    /// The memory in use before them.
    before: MemoryMark,
}

impl Arms {
    /// Returns the result that the condition selects, and the other one.
    fn chosen(self, condition: bool) -> (Arm, Arm) {
        if condition { (self.yes, self.no) } else { (self.no, self.yes) }
    }
}

impl Evaluator<'_> {
    /// Evaluates `condition ? yes : no`. Both results are evaluated, because both determine the type of the whole.
    pub(crate) fn conditional(&mut self, id: ExprId, condition: ExprId, yes: ExprId, no: ExprId) -> Value {
        let parts = ConditionalParts {
            whole: self.tree.span(id),
            condition,
            yes: self.tree.span(yes),
            no: self.tree.span(no),
        };
        self.choose(parts, &mut |this| this.eval(yes), &mut |this| this.eval(no))
    }

    /// Applies the rule of conditionals to two functions that compute the results.
    pub(super) fn choose(
        &mut self,
        parts: ConditionalParts,
        yes: &mut dyn FnMut(&mut Self) -> Value,
        no: &mut dyn FnMut(&mut Self) -> Value,
    ) -> Value {
        let before = self.budget.memory_mark();
        let arms =
            Arms { yes: self.arm(parts.yes, "true", yes), no: self.arm(parts.no, "false", no), before };
        let Some((unification, is_plain)) = self.unification(parts, &arms) else {
            return if self.budget.is_stopped() { Value::error() } else { self.mismatched(parts, &arms) };
        };
        let condition = self.eval(parts.condition);
        // Conditionals nest, so the rest has its own frame on the stack.
        if let (ValueKind::Bool(condition), true) = (condition.kind(), is_plain) {
            return self.plain_result(arms, condition);
        }
        self.converted_result(parts, arms, &unification, &condition)
    }

    /// Returns the common type of both results, and whether neither needs a conversion. `None` if there is no such type, or if
    /// finding it exceeds a limit.
    fn unification(&mut self, parts: ConditionalParts, arms: &Arms) -> Option<(Unification, bool)> {
        let (yes, no) = (&arms.yes.value, &arms.no.value);
        if let Some(plain) = plain_type(yes, no) {
            return Some((Unification::from(plain), true));
        }
        if is_untyped_null(yes) {
            return Some((no.ty().into(), false));
        }
        if is_untyped_null(no) {
            return Some((yes.ty().into(), false));
        }
        let types = [yes.ty(), no.ty()];
        let [yes, no] = &types;
        if *yes == Type::Dynamic || *no == Type::Dynamic {
            return Some((Type::Dynamic.into(), false));
        }
        if !self.work(STEPS_OF_COMPARED_PART * yes.parts().min(no.parts()) as u64, parts.whole) {
            return None;
        }
        if yes == no {
            return Some((yes.clone().into(), false));
        }
        let work = Unification::work(&types);
        if work < LastUnification::LEAST_WORK {
            return self
                .work(work, parts.whole)
                .then(|| Unification::of(&types))?
                .map(|found| (found, false));
        }
        if self.last_unification.is_some() {
            let compared = (yes.parts() + no.parts()) as u64;
            if !self.work(STEPS_OF_COMPARED_PART * compared, parts.whole) {
                return None;
            }
        }
        if let Some(found) = self.last_unification.as_ref().and_then(|last| last.of(&types)) {
            return Some((found.clone(), false));
        }
        if !self.work(work, parts.whole) {
            return None;
        }
        let found = Unification::of(&types)?;
        self.last_unification = Some(Box::new(LastUnification::new(types, found.clone())));
        Some((found, false))
    }

    /// Returns the value for results without a common type. That is reported unless a schema could give them one.
    fn mismatched(&mut self, parts: ConditionalParts, arms: &Arms) -> Value {
        let Arms { yes, no, .. } = arms;
        let unknown =
            [&yes.value, &no.value].map(|value| if value.is_wholly_known() { 0 } else { value.size() });
        if !self.work(unknown.iter().sum::<usize>() as u64, parts.whole) {
            return Value::error();
        }
        let awaits = awaits_schema(&yes.value) || awaits_schema(&no.value);
        if awaits && may_agree(&yes.value.ty(), &no.value.ty()) {
            let origins = yes.value.origins_deep().union(&no.value.origins_deep());
            return Value::unknown_from(Type::Dynamic, origins);
        }
        let is_marked = yes.value.contains_marked() || no.value.contains_marked();
        let detail = match is_marked {
            // Attribute names may be secret.
            true => "The difference is not shown, because a part of the results is sensitive".to_owned(),
            false => mismatch(&yes.value.ty(), &no.value.ty()),
        };
        let detail = format!("The two results of a conditional must have a common type. {detail}.");
        let diagnostic =
            self.report.diagnostic(ids::INCONSISTENT_CONDITIONAL, parts.yes.to(parts.no), detail);
        self.report.push(diagnostic.within(parts.whole));
        Value::error()
    }

    /// Returns the result that a plain condition selects from two that need no conversion.
    fn plain_result(&mut self, arms: Arms, condition: bool) -> Value {
        let before = arms.before;
        let (arm, other) = arms.chosen(condition);
        self.report.put_back(arm.diagnostics);
        let value = arm.value.clone();
        self.budget.replace([other.value, arm.value], &value, before);
        value
    }

    /// Returns the selected result in the common type of both; an unknown value if the condition is unknown.
    fn converted_result(
        &mut self,
        parts: ConditionalParts,
        arms: Arms,
        unification: &Unification,
        condition: &Value,
    ) -> Value {
        if condition.is_null() {
            self.report_condition(parts, true, "The condition is null. It must be true or false.");
            return Value::unknown_from(unification.ty.clone(), Origins::error());
        }
        let Arms { yes, no, before } = &arms;
        let marks = condition.marks().union(yes.value.marks()).union(no.value.marks());
        let condition = condition.unmarked();
        if !condition.is_known() {
            let value = undecided(&unification.ty, &yes.value, &no.value, condition.origins());
            let is_dropped = !yes.diagnostics.is_empty() || !no.diagnostics.is_empty();
            return if is_dropped { without_errors(value) } else { value }.with_marks(&marks);
        }
        let Ok(condition) = convert(condition, &Type::Bool) else {
            self.report_condition(parts, false, "The condition must be true or false.");
            return Value::unknown_from(unification.ty.clone(), Origins::error());
        };
        let before = *before;
        let (arm, other) = arms.chosen(condition.as_bool() == Some(true));
        let olds = [other.value, arm.value.clone()];
        let value = self.convert_arm(arm, unification, parts, &marks);
        self.budget.replace(olds, &value, before);
        // The type was made above and is kept with the value. A later step checks whether that exceeds the limit.
        self.budget.take_memory(value.type_bytes());
        value
    }

    fn arm(&mut self, span: Span, name: &'static str, eval: &mut dyn FnMut(&mut Self) -> Value) -> Arm {
        let mark = self.report.mark();
        let value = eval(self);
        Arm { value, diagnostics: self.report.take_since(mark), span, name }
    }

    fn report_condition(&mut self, parts: ConditionalParts, null: bool, detail: &str) {
        let id = if null { ids::NULL_CONDITION } else { ids::INCORRECT_CONDITION };
        let diagnostic =
            self.report.diagnostic(id, self.tree.span(parts.condition), detail).within(parts.whole);
        let diagnostic = self.explained(diagnostic, parts.condition);
        self.report.push(diagnostic);
    }

    /// Returns a result converted to the common type, and reports its diagnostics.
    fn convert_arm(
        &mut self,
        arm: Arm,
        unification: &Unification,
        parts: ConditionalParts,
        marks: &Marks,
    ) -> Value {
        self.report.put_back(arm.diagnostics);
        let value = arm.value.unmarked();
        if unification.ty != Type::Dynamic && value.ty() != unification.ty {
            // Each part is converted.
            self.budget.work(STEPS_OF_CONVERTED_ELEMENT.saturating_mul(value.size() as u64));
            self.budget.work_of_numbers(value);
        }
        let convert = || convert_result(value, unification);
        let converted = match self.frame.scope().and_then(|scope| scope.names.instance_cache()) {
            Some(cache) => cache.converted(value, unification, convert),
            None => convert(),
        };
        let value = match converted {
            Ok(value) => value,
            // With the schema of the provider, there may be a common type.
            Err(_) if awaits_schema(value) => Value::unknown_from(Type::Dynamic, value.origins_deep()),
            Err(message) => {
                let detail = format!("The {} result has a wrong type: {message}.", arm.name);
                let diagnostic = self.report.diagnostic(ids::INCONSISTENT_CONDITIONAL, arm.span, detail);
                self.report.push(diagnostic.within(parts.whole));
                Value::unknown_from(unification.ty.clone(), Origins::error())
            }
        };
        value.with_marks(marks)
    }
}

/// Whether a part of the value lacks a type only because the schema of its provider, or its module, is missing here. In
/// Terraform or OpenTofu, the part has a type.
fn awaits_schema(value: &Value) -> bool {
    value.has_unknown_part(&|unknown| {
        unknown.ty == Type::Dynamic
            && unknown.origins.as_slice().iter().any(|origin| match origin.kind {
                OriginKind::ResourceAttribute
                | OriginKind::DataSource
                | OriginKind::Module
                | OriginKind::ProviderFunction
                | OriginKind::BuildVariable => true,
                OriginKind::Variable
                | OriginKind::Computed
                | OriginKind::ProviderDefault
                | OriginKind::ImpureFunction
                | OriginKind::RunFunction
                | OriginKind::RemoteFunction
                | OriginKind::NotComputed
                | OriginKind::Error
                | OriginKind::HiddenName => false,
            })
    })
}

/// Whether two types might have a common type if more were known about their parts.
fn may_agree(one: &Type, other: &Type) -> bool {
    let is_mapping = |ty: &Type| matches!(ty, Type::Map(_) | Type::Object(_));
    let is_sequence = |ty: &Type| matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
    *one == Type::Dynamic
        || *other == Type::Dynamic
        || (is_mapping(one) == is_mapping(other) && is_sequence(one) == is_sequence(other))
}

/// Returns the unknown value without errors among its origins, because the diagnostics of both results are dropped:
/// either may not be selected.
fn without_errors(value: Value) -> Value {
    match value.as_unknown() {
        Some(unknown) => {
            let origins = unknown.origins.without(|origin| origin.kind.is_error());
            Value::from(Unknown { origins, ..unknown.clone() })
        }
        None => value,
    }
}

/// Converts a result to the common type.
///
/// If the other result is a collection whose element type is unknown, such as `tolist([])`, the reference does not
/// unify the types of the elements of a tuple or of the attributes of an object: they must be equal.
fn convert_result(value: &Value, unification: &Unification) -> Result<Value, String> {
    let same_type = match (value.kind(), &unification.ty) {
        (ValueKind::Tuple(elements), Type::List(element)) if **element == Type::Dynamic => {
            have_one_type(elements.iter())
        }
        (ValueKind::Object(attributes), Type::Map(element)) if **element == Type::Dynamic => {
            have_one_type(attributes.iter().map(|(_, value)| value))
        }
        (_, _) => true,
    };
    if !same_type {
        return Err(
            "its elements must have one type, because the other result has no element type".to_owned()
        );
    }
    unification.convert(value).map_err(|error| error.message)
}

/// Whether all values whose type is known have the same type.
fn have_one_type<'v>(values: impl Iterator<Item = &'v Value>) -> bool {
    let mut types = values.map(Value::ty).filter(|ty| *ty != Type::Dynamic);
    types.next().is_none_or(|first| types.all(|ty| ty == first))
}

/// Whether the value is a null without a type of its own.
fn is_untyped_null(value: &Value) -> bool {
    !value.is_marked() && value.is_null() && value.ty() == Type::Dynamic
}

/// Returns the result for an unknown condition, with the refinements that both results have.
fn undecided(ty: &Type, yes: &Value, no: &Value, origins: &Origins) -> Value {
    if yes.is_null() && no.is_null() {
        return Value::null(ty.clone());
    }
    let origins = origins.union(yes.origins()).union(no.origins());
    let value = Value::unknown_from(ty.clone(), origins);
    let (one, other) = (yes.range(), no.range());
    let value = if one.not_null && other.not_null { value.not_null() } else { value };
    let (yes_type, no_type) = (yes.ty(), no.ty());
    if yes_type == Type::Number && no_type == Type::Number {
        with_bounds(value, one, other)
    } else if yes_type.is_collection() && yes_type == no_type {
        let max = one.length_max.zip(other.length_max).map(|(one, other)| one.max(other));
        value.with_length_bounds(one.length_min.min(other.length_min), max)
    } else {
        value
    }
}

/// Returns the unknown number, refined to a range that contains both ranges.
fn with_bounds(value: Value, one: Refinement, other: Refinement) -> Value {
    let value = match wider(one.min, other.min, Ordering::Less) {
        Some(min) => value.with_lower_bound(min),
        None => value,
    };
    match wider(one.max, other.max, Ordering::Greater) {
        Some(max) => value.with_upper_bound(max),
        None => value,
    }
}

/// Returns the bound that lies further in the direction `outwards`; `None` if one range has no bound.
fn wider(one: Option<Bound>, other: Option<Bound>, outwards: Ordering) -> Option<Bound> {
    let (one, other) = one.zip(other)?;
    let order = one.number.compare(&other.number);
    Some(match order {
        Ordering::Equal => Bound { is_inclusive: one.is_inclusive || other.is_inclusive, ..other },
        Ordering::Less | Ordering::Greater if order == outwards => one,
        Ordering::Less | Ordering::Greater => other,
    })
}

/// Returns the difference of two types, as a sentence without a full stop.
fn mismatch(yes: &Type, no: &Type) -> String {
    match (yes, no) {
        (Type::Object(yes), Type::Object(no)) => {
            let differing = yes.attributes().iter().find(|(name, ty)| no.get(name) != Some(ty));
            if let Some((name, ty)) = differing {
                return match no.get(name) {
                    Some(other) => {
                        format!("They differ in the attribute \"{name}\": {}", mismatch(ty, other))
                    }
                    None => format!("Only the first one has the attribute \"{name}\""),
                };
            }
            let extra = no.attributes().iter().find(|(name, _)| yes.get(name).is_none());
            extra.map_or_else(String::new, |(name, _)| {
                format!("Only the second one has the attribute \"{name}\"")
            })
        }
        (Type::Tuple(yes), Type::Tuple(no)) if yes.len() != no.len() => {
            format!("The first one has {} elements, the second one {}", yes.len(), no.len())
        }
        (Type::Tuple(yes), Type::Tuple(no)) => {
            let pair = yes.iter().zip(no.iter()).enumerate().find(|(_, (yes, no))| yes != no);
            pair.map_or_else(String::new, |(index, (yes, no))| {
                format!("They differ in the element {index}: {}", mismatch(yes, no))
            })
        }
        (
            Type::Bool
            | Type::Number
            | Type::String
            | Type::Dynamic
            | Type::List(_)
            | Type::Set(_)
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Object(_),
            _,
        ) => format!(
            "The first one is {}, the second one {}",
            with_article(&type_text(yes)),
            with_article(&type_text(no))
        ),
    }
}

/// Returns the type as text; of a type with many parts only its kind.
fn type_text(ty: &Type) -> String {
    /// Nobody reads the text of a larger type.
    const MAX_PARTS: usize = 1000;
    if ty.parts() > MAX_PARTS { ty.plain_name() } else { ty.to_string() }
}
