//! Evaluates a single expression over the names of an evaluated root module.

use terrane_eval::Variables;
use terrane_function::{Meter, World};
use terrane_module::{ConsoleScope, InstanceId};
use terrane_source::{Diagnostics, Files};
use terrane_value::Value;

use super::parse;
use crate::report::Report;

impl Report {
    /// Returns the value of an expression over the names of the root module, as if it were the expression of a local value.
    /// Results of functions that need a clock or random numbers are unknown. Each call is a run of its own, with the limits of
    /// the project; its values share the limit on memory with the evaluation.
    ///
    /// # Errors
    ///
    /// The errors in the expression. Their places are in `text`.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let files = MemoryFiles::from_iter([("main.tf", "locals { ports = [80, 443] }")]);
    /// let report = Project::new(".").evaluate(&files);
    /// let sum = report.expression("sum(local.ports)", &files).expect("it has no mistakes");
    /// assert_eq!(sum.as_number().and_then(|sum| sum.to_i64()), Some(523));
    /// let wrong = report.expression("sum(local.prots)", &files).expect_err("there is no such value");
    /// assert_eq!(wrong.as_slice()[0].id.to_string(), "core:undeclared-local");
    /// ```
    pub fn expression(&self, text: &str, files: &dyn Files) -> Result<Value, Diagnostics> {
        let meter = Meter::beside(self.memory_in_use(), &self.evaluation().config.request.limits);
        self.metered_expression(text, files, &meter)
    }

    /// Does the same as [`Report::expression`] for an expression that counts on `meter`: expressions with the same meter are one
    /// run. With [`Evaluation::continued_meter`](terrane_module::Evaluation::continued_meter), they count together with the
    /// evaluation.
    ///
    /// # Errors
    ///
    /// The errors in the expression. Their places are in `text`.
    ///
    /// ```
    /// use terrane::function::Meter;
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let files = MemoryFiles::from_iter([("main.tf", "locals { a = 1 }")]);
    /// let report = Project::new(".").evaluate(&files);
    /// let meter = Meter::default();
    /// report.metered_expression("local.a + 1", &files, &meter).expect("it has no mistakes");
    /// let steps = meter.steps();
    /// report.metered_expression("local.a + 2", &files, &meter).expect("it has no mistakes");
    /// assert_eq!(meter.steps(), 2 * steps);
    /// ```
    pub fn metered_expression(
        &self,
        text: &str,
        files: &dyn Files,
        meter: &Meter,
    ) -> Result<Value, Diagnostics> {
        let expression = parse("<expression>", text)?;
        let mut diagnostics = Diagnostics::new();
        let value = self.root_scope(None, files).value(&expression, meter, &mut diagnostics);
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(value) }
    }

    /// Returns the scope of the root module for parsed expressions. The variables `added` are further names, such as `output` and
    /// `run` in the conditions of tests; they hide names of the module.
    ///
    /// ```
    /// use terrane::function::Meter;
    /// use terrane::syntax::{Expression, parse_expr};
    /// use terrane::source::{FileId, SourceFile};
    /// use terrane::{Diagnostics, MemoryFiles, Project, Value, Variables};
    ///
    /// let files = MemoryFiles::from_iter([("main.tf", "locals { zone = \"a\" }\noutput \"name\" { value = \"vpc-${local.zone}\" }\n")]);
    /// let report = Project::new(".").evaluate(&files);
    /// let outputs = report.outputs().map(|(name, value)| (name.clone(), value.clone()));
    /// let added = Variables::new().with("output", Value::object(outputs));
    ///
    /// let condition = "output.name == \"vpc-${local.zone}\"";
    /// let parsed = parse_expr(&SourceFile::new(FileId::new("main.tftest.hcl"), condition));
    /// let condition = Expression { tree: parsed.tree, id: parsed.root };
    /// let mut diagnostics = Diagnostics::new();
    /// let holds = report.root_scope(Some(&added), &files).value(&condition, &Meter::default(), &mut diagnostics);
    /// assert_eq!(holds.as_bool(), Some(true));
    /// ```
    pub fn root_scope<'s>(&'s self, added: Option<&'s Variables>, files: &'s dyn Files) -> ConsoleScope<'s> {
        let (evaluation, world, memory_in_use) = (self.evaluation(), World::default(), self.memory_in_use());
        ConsoleScope { evaluation, instance: InstanceId::ROOT, added, files, world, memory_in_use }
    }
}
