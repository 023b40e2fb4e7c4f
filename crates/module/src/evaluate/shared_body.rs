//! The configured value of a resource, which its instances share where nothing in it depends on the instance.
//!
//! The first instance evaluates the body. The value of another one has the same known parts; only the origins of its unknown
//! parts name another address.

use std::cell::OnceCell;

use terrane_function::{Limits, Meter};
use terrane_source::Diagnostics;
use terrane_value::{Origin, Value, steps_behind};

use crate::model::references::ResourceReferences;
use crate::state::context::Context;

/// The bytes of a value that are made in the time of a step.
const BYTES_OF_STEP: u64 = 8;

/// The value of a body for the first instance that has evaluated it.
pub(super) struct SharedBody<'r> {
    /// Whether all instances have the same value but for their addresses, unless an error is reported.
    is_shared: bool,
    limits: &'r Limits,
    meter: &'r Meter,
    first: OnceCell<FirstInstance>,
}

struct FirstInstance {
    address: String,
    value: Value,
}

impl<'r> SharedBody<'r> {
    /// The body of a block with these references, which makes `count` instances.
    pub(super) fn new(
        context: &Context<'r>,
        references: &ResourceReferences,
        count: usize,
    ) -> SharedBody<'r> {
        let (evaluation, meter) = (context.evaluation, context.meter);
        let request = &evaluation.config.request;
        let (functions, world) = (evaluation.functions(), request.host.world());
        let is_shared = count > 1
            && !references.config_varies
            && references.itself.is_empty()
            && references.late_mistakes.is_empty()
            && references.config_functions.iter().all(|name| functions.is_repeatable(name, &world));
        SharedBody { is_shared, limits: &request.limits, meter, first: OnceCell::new() }
    }

    /// The value for the instance at `address`. `evaluate` evaluates the body.
    pub(super) fn value(
        &self,
        address: &str,
        diagnostics: &mut Diagnostics,
        evaluate: impl FnOnce(&mut Diagnostics) -> Value,
    ) -> Value {
        if !self.is_shared || self.meter.is_stopped() {
            return evaluate(diagnostics);
        }
        if let Some(value) = self.first.get().and_then(|first| self.counted(first.at(address))) {
            return value;
        }
        let mark = diagnostics.len();
        let value = evaluate(diagnostics);
        if diagnostics.len() == mark && !self.meter.is_stopped() {
            // A value is there already if the limits allow no other.
            let first = FirstInstance { address: address.to_owned(), value: value.clone() };
            let _ = self.first.set(first);
        }
        value
    }

    /// A value within the limits. Beyond them, the body is evaluated, which reports that.
    fn counted(&self, value: Value) -> Option<Value> {
        let bytes = value.own_bytes() as u64;
        let memory = self.meter.memory().saturating_add(bytes);
        let steps = self.meter.steps().saturating_add(1 + bytes / BYTES_OF_STEP);
        if memory > self.limits.memory || steps > self.limits.steps {
            return None;
        }
        self.meter.take(bytes);
        self.meter.count_to(steps);
        Some(value)
    }
}

impl FirstInstance {
    /// The value with origins that name the instance at another address.
    fn at(&self, address: &str) -> Value {
        self.value.map_origins(&|origin| {
            let steps = steps_behind(&origin.subject, &self.address)?;
            let subject = if steps.is_empty() { address.into() } else { format!("{address}{steps}").into() };
            Some(Origin { subject, ..origin.clone() })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicI64, Ordering};

    use terrane_function::{Call, Function, ResultType};
    use terrane_source::MemoryFiles;
    use terrane_value::Type;

    use super::*;
    use crate::{Request, evaluate, load};

    /// The values of the first resource.
    fn values(request: Request, text: &str) -> Vec<Value> {
        let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
        let loaded = load(request, &files);
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
        let resource = evaluation.root().resources.iter().next().expect("a resource");
        resource.expansion.iter().map(|(_, value)| value.clone()).collect()
    }

    #[test]
    fn instances_with_a_shared_body_have_the_origins_of_their_own() {
        let body = "  list = [null, { a = 1 }, [2]]\n  none = null\n  other = var.v\n  secret = sensitive([null])\n  block {\n    c = 1\n  }\n\
                      dynamic \"more\" {\n    for_each = [1, 2]\n    content {\n      d = more.value\n    }\n  }\n";
        for (kind, repeated, key) in [
            ("resource", "count = 12", "count.index"),
            ("data", "for_each = toset([\"a\", \"b.c\", \"d[0]\"])", "each.key"),
        ] {
            let text = |more: &str| {
                format!("{kind} \"a_b\" \"c\" {{\n  {repeated}\n{body}{more}}}\nvariable \"v\" {{}}\n")
            };
            let shared = values(Request::new("."), &text(""));
            let varying = values(Request::new("."), &text(&format!("  zz = {key}\n")));
            let parts = |value: &Value| {
                let known = &value.as_unknown().expect("an open object").known;
                let terrane_value::Known::Object(entries) = known else { panic!("{known:?}") };
                let parts = entries.iter().filter(|(name, _)| name.as_str() != "zz");
                format!("{:?} {:?}", value.origins(), parts.collect::<Vec<_>>())
            };
            let parts_of = |values: &[Value]| values.iter().map(parts).collect::<Vec<_>>();
            assert_eq!(parts_of(&shared), parts_of(&varying));
        }
    }

    #[test]
    fn a_shared_body_takes_few_steps() {
        let text = "resource \"a_b\" \"c\" {\n  count = 10000\n  a = \"x\"\n}\n";
        let mut request = Request::new(".");
        // Each instance takes 400 steps without its body.
        request.limits = Limits { steps: 4_500_000, ..Limits::default() };
        assert_eq!(values(request, text).len(), 10_000);
    }

    #[test]
    fn a_body_with_a_new_result_in_each_call_is_not_shared() {
        let calls = AtomicI64::new(0);
        let body = move |_: &Call<'_>| Ok(Value::from(calls.fetch_add(1, Ordering::Relaxed)));
        let counted = Function::new("counted", "Counts.", ResultType::Fixed(Type::Number), body);
        let mut request = Request::new(".");
        request.functions = vec![counted.new_in_each_call()];
        let all = values(request, "resource \"a_b\" \"c\" {\n  count = 3\n  a = [counted()]\n}\n");
        let known = all.iter().map(|value| format!("{:?}", value.as_unknown().map(|unknown| &unknown.known)));
        assert_eq!(known.collect::<HashSet<_>>().len(), 3);
    }
}
