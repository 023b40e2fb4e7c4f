//! Computes the configured value of a resource, which its instances share if nothing in it depends on the instance.
//!
//! The first instance evaluates the body. The value of every further instance has the same known parts; only the
//! origins of its unknown parts name another address.

use std::cell::{Cell, OnceCell};

use terrane_function::{Excess, Limits, Meter};
use terrane_source::{Diagnostic, Diagnostics, Subject, ids};
use terrane_value::{Entries, Value};

use crate::model::references::ResourceReferences;
use crate::state::context::Context;
use crate::state::instance_value::SharedValue;

/// If a block has one instance, a value of up to this many parts counts only the bytes that its
/// expressions have counted.
const FEW_PARTS: usize = 64;

/// The steps to make an unknown attribute, which comes from the schema and has no expression.
const STEPS_OF_UNKNOWN: u64 = 32;

/// The number of parts in which the address of the instance is replaced in the time of a step.
const PARTS_OF_STEP: u64 = 2;

/// The number of bytes of a value that are made, and shown in a plan, in the time of a step.
const BYTES_OF_STEP: u64 = 2;

/// The value of a body, from the first instance that evaluated it.
pub(super) struct SharedBody<'r> {
    /// Whether all instances have the same value except for their addresses, unless an error is reported.
    is_shared: bool,
    limits: &'r Limits,
    meter: &'r Meter,
    declaration: &'r Subject,
    /// The number of instances.
    count: usize,
    first: OnceCell<SharedValue>,
    /// The steps to make the value of a further instance of the first one, because of its unknown parts.
    steps_of_parts: Cell<u64>,
}

impl<'r> SharedBody<'r> {
    /// Prepares the body of a block with these references, which has `count` instances.
    pub(super) fn new(
        context: &Context<'r>,
        references: &ResourceReferences,
        declaration: &'r Subject,
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
        SharedBody {
            is_shared,
            limits: &request.limits,
            meter,
            declaration,
            count,
            first: OnceCell::new(),
            steps_of_parts: Cell::default(),
        }
    }

    /// Whether all instances have the same value except for their addresses, unless an error is
    /// reported or a limit is exceeded.
    pub(super) fn is_shared(&self) -> bool {
        self.is_shared && !self.meter.is_stopped()
    }

    /// Returns the value for the instance at `address`. `evaluate` evaluates the body.
    pub(super) fn value(
        &self,
        address: &str,
        diagnostics: &mut Diagnostics,
        evaluate: impl FnOnce(&mut Diagnostics) -> Value,
    ) -> Value {
        if !self.is_shared || self.meter.is_stopped() {
            return self.evaluated(diagnostics, evaluate);
        }
        if let Some(first) = self.first.get() {
            if let Some(excess) = self.excess(0) {
                return self.exceeded(excess, diagnostics);
            }
            let value = first.at(address);
            let bytes = value.own_bytes() as u64;
            return match self.excess(bytes) {
                Some(excess) => self.exceeded(excess, diagnostics),
                None => {
                    self.counts(bytes);
                    value
                }
            };
        }
        let mark = diagnostics.len();
        let value = self.evaluated(diagnostics, evaluate);
        if diagnostics.len() == mark && !self.meter.is_stopped() {
            self.steps_of_parts.set(value.parts_beside_unknowns() / PARTS_OF_STEP);
            // The cell is empty: with a first value, this function has returned above.
            let address = address.to_owned();
            let _ = self.first.set(SharedValue { address, value: value.clone() });
        }
        value
    }

    /// Evaluates the body and counts all its parts, also unknown parts in the place of nulls. Beyond
    /// the limit, the run ends.
    fn evaluated(
        &self,
        diagnostics: &mut Diagnostics,
        evaluate: impl FnOnce(&mut Diagnostics) -> Value,
    ) -> Value {
        let before = self.meter.memory();
        let value = evaluate(diagnostics);
        if self.count > 1 || value.size() > FEW_PARTS {
            let counted = self.meter.memory().saturating_sub(before);
            self.meter.take((value.own_bytes() as u64).saturating_sub(counted));
        }
        if value.size() > FEW_PARTS && !value.is_wholly_known() {
            let attributes = value.as_entries().into_iter().flat_map(Entries::values);
            let unknown = attributes.filter(|attribute| !attribute.is_known()).count() as u64;
            let steps = STEPS_OF_UNKNOWN.saturating_mul(unknown);
            self.meter.count(steps);
        }
        match Excess::of(self.limits, self.meter).filter(|_| !self.meter.is_stopped()) {
            None => value,
            Some(excess) => self.exceeded(excess, diagnostics),
        }
    }

    /// Reports a limit that the values exceed, and ends the run.
    fn exceeded(&self, excess: Excess, diagnostics: &mut Diagnostics) -> Value {
        let most = excess.limit(self.limits);
        let detail = format!(
            "The values of this block and all earlier ones together take more than {most}. The remaining values are unknown."
        );
        let diagnostic = Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(excess.hint());
        diagnostics.push(diagnostic.at(&self.declaration.file, self.declaration.span));
        self.meter.stop();
        Value::error()
    }

    /// Returns the limit that a value of `bytes` bytes exceeds.
    fn excess(&self, bytes: u64) -> Option<Excess> {
        if self.meter.memory().saturating_add(bytes) > self.limits.memory {
            return Some(Excess::Memory);
        }
        (self.steps(bytes) > self.limits.steps).then_some(Excess::Steps)
    }

    /// Returns the steps of the run with a value of `bytes` bytes.
    fn steps(&self, bytes: u64) -> u64 {
        let of_instance = self.steps_of_parts.get().saturating_add(1 + bytes / BYTES_OF_STEP);
        self.meter.steps().saturating_add(of_instance)
    }

    /// Counts a value of `bytes` bytes. Returns false if it exceeds a limit.
    pub(super) fn counts(&self, bytes: u64) -> bool {
        let is_within = self.excess(bytes).is_none();
        if is_within {
            self.meter.count_to(self.steps(bytes));
            self.meter.take(bytes);
        }
        is_within
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicI64, Ordering};

    use terrane_config::address::InstanceKey;
    use terrane_function::{Call, Function, ResultType};
    use terrane_source::MemoryFiles;
    use terrane_value::Type;

    use super::*;
    use crate::{Cache, Request, evaluate, load};

    /// Returns the values of the first resource.
    fn values(request: Request, text: &str) -> Vec<Value> {
        let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
        let loaded = load(request, &files, &Cache::default());
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
        let resource = evaluation.root().resources.iter().next().expect("a resource");
        resource.expansion.values().map(|(_, value)| value.into_owned()).collect()
    }

    #[test]
    fn instances_with_a_shared_body_have_the_origins_of_their_own() {
        let body = "  list = [null, { a = 1 }, [2]]\n  none = null\n  other = var.v\n  secret = sensitive([null])\n  block {\n    c = 1\n  }\n\
                      dynamic \"more\" {\n    for_each = [1, 2]\n    content {\n      d = more.value\n    }\n  }\n";
        for (kind, repeated, key) in [
            ("resource", "count = 12", "count.index"),
            ("resource", "count = 20", "count.index"),
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
    fn many_instances_share_a_value() {
        let evaluation = |more: &str| {
            let text = format!("resource \"a_b\" \"c\" {{\n  count = 10000\n  a = \"x\"\n}}\n{more}");
            let files: MemoryFiles = [("main.tf", text.as_str())].into_iter().collect();
            let loaded = load(Request::new("."), &files, &Cache::default());
            let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
            assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
            evaluation
        };
        let alone = evaluation("");
        let resource = alone.root().resources.iter().next().expect("a resource");
        assert!(resource.expansion.iter().all(|(_, one)| one.is_shared()));
        let last = resource.expansion.value(&InstanceKey::Index(9999)).expect("an instance");
        assert_eq!(last.origins().as_slice()[0].subject, "a_b.c[9999]");
        // Shared values count as if each were in memory, and are in memory once an expression reads them.
        let read = evaluation("locals {\n  v = a_b.c[7]\n}\n");
        let resource = read.root().resources.iter().next().expect("a resource");
        assert!(resource.expansion.iter().all(|(_, one)| !one.is_shared()));
        let memory = alone.memory();
        assert!(
            (4_000_000..6_000_000).contains(&memory) && read.memory().abs_diff(memory) < 1000,
            "{memory}"
        );
    }

    #[test]
    fn many_instances_stay_within_the_memory() {
        let text = "resource \"a_b\" \"c\" {\n  count = 20000\n  a = [for i in range(1000) : null]\n}\n";
        let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
        let loaded = load(Request::new("."), &files, &Cache::default());
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        let reported: Vec<_> = evaluation.diagnostics.as_slice().iter().map(|found| found.id).collect();
        assert_eq!(reported, [ids::LIMIT_EXCEEDED]);
    }

    #[test]
    fn large_values_of_further_instances_count_as_steps() {
        let text = "resource \"a_b\" \"c\" {\n  count = 50\n  a = [for i in range(1000) : null]\n}\n";
        let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
        let mut request = Request::new(".");
        request.limits = Limits { steps: 1_000_000, ..Limits::default() };
        let loaded = load(request, &files, &Cache::default());
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        let [found] = evaluation.diagnostics.as_slice() else { panic!("{:?}", evaluation.diagnostics) };
        assert!(found.detail.contains("more than 1000000 steps. The remaining"), "{}", found.detail);
    }

    #[test]
    fn unknown_parts_of_further_instances_count_as_steps() {
        let text = "resource \"a_b\" \"d\" {\n}\nresource \"a_b\" \"c\" {\n  count = 500\n  a = [for i in range(1000) : a_b.d.id]\n}\n";
        let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
        let mut request = Request::new(".");
        request.limits = Limits { steps: 320_000, ..Limits::default() };
        let loaded = load(request, &files, &Cache::default());
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        let [found] = evaluation.diagnostics.as_slice() else { panic!("{:?}", evaluation.diagnostics) };
        assert!(found.detail.contains("more than 320000 steps. The remaining"), "{}", found.detail);
    }

    #[test]
    fn a_shared_body_takes_few_steps() {
        let text = "resource \"a_b\" \"c\" {\n  count = 10000\n  a = \"x\"\n}\n";
        let mut request = Request::new(".");
        // Each instance takes 400 steps in addition to its body.
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
