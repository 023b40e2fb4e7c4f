//! The conditions of variables, resources, outputs and `check` blocks with their results.

use terrane_config::Address;
use terrane_config::address::Object;
use terrane_module::module::{Check, Module, ResourceKey};
use terrane_module::{CheckKind, CheckResult, Evaluation, ObjectChecks};
use terrane_source::Subject;

/// A condition of an object, with its result in one instance of the object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckedCondition {
    /// The object, with instance keys.
    pub address: Address,
    /// The position among the conditions of the object, from 0; preconditions come before postconditions.
    pub ordinal: usize,
    /// The kind of block.
    pub kind: CheckKind,
    /// The result.
    pub result: CheckResult,
    /// The place of the header of the block.
    pub declaration: Subject,
    /// The place of the condition.
    pub condition: Subject,
}

/// Returns the conditions of all module instances, in the order of evaluation.
pub(super) fn conditions(evaluation: &Evaluation) -> Vec<CheckedCondition> {
    let mut all = Vec::new();
    for instance in evaluation.instances() {
        let module = &evaluation.config.node(instance.node).module;
        for checked in &instance.checks {
            let declared = declared(module, checked);
            let address = Address { module: instance.path.clone(), object: checked.object.clone() };
            for (index, (check, result)) in declared.conditions.iter().zip(&checked.results).enumerate() {
                all.push(CheckedCondition {
                    address: address.clone(),
                    ordinal: declared.before + index,
                    kind: checked.kind,
                    result: result.clone(),
                    declaration: check.declaration.clone(),
                    condition: check.condition.subject(),
                });
            }
        }
    }
    all
}

/// The conditions of one kind of an object, and the number of conditions of other kinds before them.
#[derive(Default)]
struct DeclaredConditions<'m> {
    conditions: &'m [Check],
    before: usize,
}

fn declared<'m>(module: &'m Module, checked: &ObjectChecks) -> DeclaredConditions<'m> {
    let found = match &checked.object {
        Object::Variable(name) => module.variables.get(name).map(|variable| (&variable.validations, 0)),
        Object::Output(name) => module.outputs.get(name).map(|output| (&output.preconditions, 0)),
        Object::Check(name) => module.checks.get(name).map(|check| (&check.assertions, 0)),
        Object::Resource { mode, resource_type, name, .. } => {
            let (resource_type, name) = (resource_type.clone(), name.clone());
            let resource = module.resources.get(&ResourceKey { mode: *mode, resource_type, name });
            resource.map(|resource| match checked.kind {
                CheckKind::Postcondition => (&resource.postconditions, resource.preconditions.len()),
                CheckKind::Validation | CheckKind::Precondition | CheckKind::Assertion => {
                    (&resource.preconditions, 0)
                }
            })
        }
        Object::Local(_)
        | Object::ModuleCall(..)
        | Object::Provider(_)
        | Object::Import(_)
        | Object::Source(..)
        | Object::Build(_) => None,
    };
    found.map(|(conditions, before)| DeclaredConditions { conditions, before }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets};

    /// Returns the address, ordinal, kind, status and message of each condition.
    fn checks(text: &str) -> Vec<String> {
        let report = Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", text)]));
        let line = |check: super::CheckedCondition| {
            let message = check.result.message.map(|message| format!(": {message}")).unwrap_or_default();
            let (kind, status) = (check.kind.name(), check.result.status.name());
            format!("{} {} {kind} {status}{message}", check.address, check.ordinal)
        };
        report.document(Secrets::Hidden).checks.into_iter().map(line).collect()
    }

    #[test]
    fn every_condition_has_a_result_for_each_instance() {
        let text = r#"
variable "n" {
  default = 3
  validation {
    condition     = var.n > 0
    error_message = "positive"
  }
  validation {
    condition     = var.n > 5
    error_message = "n is ${var.n}"
  }
}
variable "open" {}
resource "terraform_data" "r" {
  count = 2
  lifecycle {
    precondition {
      condition     = count.index < 1
      error_message = "index ${count.index}"
    }
    postcondition {
      condition     = self.id != ""
      error_message = "no id"
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition     = var.open == "x"
    error_message = "open"
  }
}
check "c" {
  assert {
    condition     = 2 + 2 == length(terraform_data.r) * 2
    error_message = "four"
  }
}
"#;
        assert_eq!(
            checks(text),
            [
                "var.n 0 validation pass",
                "var.n 1 validation fail: n is 3",
                "terraform_data.r[0] 0 precondition pass",
                "terraform_data.r[0] 1 postcondition unknown",
                "terraform_data.r[1] 0 precondition fail: index 1",
                "terraform_data.r[1] 1 postcondition unknown",
                "output.o 0 precondition unknown",
                "check.c 0 assertion pass",
            ]
        );
    }

    #[test]
    fn secrets_in_messages_are_hidden() {
        let text = "variable \"s\" {\n  default = \"hunter2\"\n  sensitive = true\n  validation {\n    \
                    condition = length(var.s) > 9\n    error_message = \"not ${var.s}\"\n  }\n}\n";
        assert_eq!(checks(text), ["var.s 0 validation fail"]);
    }

    #[test]
    fn an_instance_that_may_not_exist_fails_no_condition() {
        let text = "variable \"n\" {}\nresource \"terraform_data\" \"r\" {\n  count = var.n\n  lifecycle {\n    \
                    precondition {\n      condition = length(\"ab${terraform_data.x.input}\") < 1\n      \
                    error_message = \"no\"\n    }\n  }\n}\nresource \"terraform_data\" \"x\" {\n  input = \"x\"\n}\n";
        assert_eq!(checks(text), ["terraform_data.r 0 precondition unknown"]);
    }

    #[test]
    fn objects_on_a_cycle_or_in_doubt_have_conditions_without_results() {
        let condition = |kind| {
            let name = if kind == "validation" { "var.v" } else { "path.module" };
            format!("{kind} {{\n    condition = {name} == \".\"\n    error_message = \"no\"\n  }}")
        };
        let on_cycle = format!(
            "output \"o\" {{\n  value = terraform_data.a.id\n  {}\n}}\nresource \"terraform_data\" \"a\" {{\n  \
             input = terraform_data.b.id\n  lifecycle {{\n  {}\n  {}\n  }}\n}}\n\
             resource \"terraform_data\" \"b\" {{\n  input = terraform_data.a.id\n}}\n",
            condition("precondition"),
            condition("precondition"),
            condition("postcondition"),
        );
        let wanted = [
            "terraform_data.a 0 precondition unknown",
            "terraform_data.a 1 postcondition unknown",
            "output.o 0 precondition pass",
        ];
        assert_eq!(checks(&on_cycle), wanted);
        let in_doubt = format!(
            "variable \"v\" {{\n  default = 1 +\n  {}\n}}\ncheck \"c\" {{\n  {}\n}}\n",
            condition("validation"),
            condition("assert"),
        );
        assert_eq!(checks(&in_doubt), ["var.v 0 validation unknown", "check.c 0 assertion pass"]);
    }
}
