//! Lists the gaps of a plan: variables without a value, blocks with an unknown number of instances, modules that are not on
//! disk, and parts with errors.

use terrane_config::address::Object;
use terrane_module::MissingModule;
use terrane_source::first_of;
use terrane_value::OriginKind;

use super::Plan;
use crate::document::listing::reasons;
use crate::unexpanded::UnexpandedBlock;

/// The most variables without a value that a plan names.
const MAX_VARIABLES: usize = 10;

impl Plan<'_> {
    /// Returns the blocks whose instances are missing, because their number is unknown, by address.
    pub fn unexpanded(&self) -> &[UnexpandedBlock] {
        &self.unexpanded
    }

    /// Whether the plan lacks the instances of any block, or the value of a variable.
    pub(super) fn is_incomplete(&self) -> bool {
        let lacks_instances =
            || !self.unexpanded.is_empty() || !self.report.evaluation().config.missing_modules.is_empty();
        !self.unset_variables().is_empty() || !self.is_destruction && lacks_instances()
    }

    /// Returns the addresses of the variables of the root module that have no value.
    fn unset_variables(&self) -> Vec<String> {
        let variables = self.report.evaluation().root().variables.iter();
        let mut unset = Vec::new();
        for value in variables.filter(|value| !value.is_wholly_known()) {
            let origins = value.origins();
            let origins = origins.as_slice().iter().filter(|origin| origin.kind == OriginKind::Variable);
            unset.extend(origins.map(|origin| origin.subject.to_string()));
        }
        unset
    }

    /// Returns a comment line for each missing object or value. Empty if nothing is missing.
    pub(super) fn missing_text(&self) -> String {
        let unset = first_of(self.unset_variables(), MAX_VARIABLES);
        if self.is_destruction {
            // Objects are destroyed whatever values variables have.
            let line = |named| {
                format!("# no value for {named}: an apply needs -var or -var-file for all variables\n")
            };
            return unset.map(line).unwrap_or_default();
        }
        let mut lines: Vec<String> = self.report.partial_note().into_iter().collect();
        if self.is_errored() {
            lines.push("objects that have an error or depend on one are missing".to_owned());
        }
        if let Some(named) = unset {
            lines.push(format!(
                "no value for {named}: dependent values stay unknown until -var or -var-file sets all variables"
            ));
        }
        let number = |block: &UnexpandedBlock| {
            let is_call = matches!(block.address.object, Object::ModuleCall(..));
            let objects = if is_call { ", so the objects in them are left out" } else { "" };
            format!("{}: number of instances unknown{objects}: {}", block.address, reasons(&block.origins))
        };
        lines.extend(self.unexpanded.iter().map(number));
        let missing_modules = &self.report.evaluation().config.missing_modules;
        let not_read = |module: &MissingModule| match (module.causes.is_empty(), module.reason.is_empty()) {
            (true, true) => format!("{}: not on disk", module.path),
            (true, false) => format!("{}: not on disk ({})", module.path, reasons(&module.reason)),
            (false, _) => format!("{}: not read: {}", module.path, reasons(&module.causes)),
        };
        lines.extend(missing_modules.iter().map(not_read));
        lines.iter().map(|line| format!("# {line}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets};

    #[test]
    fn a_plan_names_variables_without_a_value() {
        let main = "variable \"x\" {}\nvariable \"y\" {\n  default = 1\n}\n\
                    resource \"terraform_data\" \"a\" {\n  input = [var.x, var.y]\n}\n";
        let plan = |project: Project| {
            let files = MemoryFiles::from_iter([("main.tf", main)]);
            let report = project.evaluate(&files);
            let plan = report.plan(Secrets::Hidden, &files).unwrap();
            (plan.to_text().unwrap(), plan.to_json())
        };
        let (text, document) = plan(Project::new("."));
        assert!(text.contains("# no value for var.x: dependent values stay unknown"), "{text}");
        assert!(document.contains("\"complete\":false"), "{document}");
        let files = MemoryFiles::from_iter([("main.tf", main)]);
        let report = Project::new(".").destroys(true).evaluate(&files);
        let plan_to_destroy = report.destroy_plan(Secrets::Hidden, &files).unwrap();
        let text = plan_to_destroy.to_text().unwrap();
        assert!(text.contains("# no value for var.x: an apply needs -var or -var-file"), "{text}");
        assert!(plan_to_destroy.to_json().contains("\"complete\":false"));
        let (text, document) = plan(Project::new(".").variable("x", "1"));
        assert!(!text.contains("no value"), "{text}");
        assert!(document.contains("\"complete\":true"), "{document}");
    }
}
