//! Evaluates a single expression over the names of an evaluated root module.

use terrane_function::{Meter, World};
use terrane_module::InstanceId;
use terrane_source::{Diagnostics, Files};
use terrane_value::Value;

use super::module::ModuleContext;
use super::parse;
use crate::report::Report;

impl Report {
    /// Returns the value of an expression over the names of the root module, as if it were the expression of a local value.
    /// Results of functions that need a clock or random numbers are unknown. Each call is a run of its own, with the limits of
    /// the project.
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
        self.metered_expression(text, files, &Meter::default())
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
        let world = World::default();
        let context =
            ModuleContext { evaluation: self.evaluation(), instance: InstanceId::ROOT, files, world };
        let mut diagnostics = Diagnostics::new();
        let value = context.value(&expression, meter, &mut diagnostics);
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(value) }
    }
}
