//! The phase whose values and errors an evaluation computes: plan, console or validation; and its passes.

use crate::rules::Rules;

/// Phase being simulated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Phase {
    /// A plan that creates every resource. It begins with a validation.
    #[default]
    Plan,
    /// The console before anything is created: attributes that only the provider sets are fully
    /// unknown, and may be null.
    Console,
    /// The validation of modules for any values: variables, outputs of modules, resources and the numbers of instances
    /// are unknown, and every block is checked. A module that is called a second time evaluates only its variables,
    /// because its other errors have been reported for the first call.
    Validate,
}

/// A pass over all objects of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pass {
    /// The validation before a plan. It leaves steps to the plan that evaluates them more closely.
    BeforePlan,
    /// The pass whose values are the result of the evaluation.
    Last(Phase),
}

impl Pass {
    /// Returns the phase that the pass simulates.
    pub(crate) fn phase(self) -> Phase {
        match self {
            Pass::BeforePlan => Phase::Validate,
            Pass::Last(phase) => phase,
        }
    }

    /// Whether the pass leaves steps to the plan that follows it.
    pub(crate) fn leaves_steps_to_plan(self) -> bool {
        self == Pass::BeforePlan
    }
}

impl Phase {
    /// Returns the passes of an evaluation, in order.
    pub(crate) fn passes(self) -> &'static [Pass] {
        match self {
            Phase::Plan => &[Pass::BeforePlan, Pass::Last(Phase::Plan)],
            Phase::Console => &[Pass::Last(Phase::Console)],
            Phase::Validate => &[Pass::Last(Phase::Validate)],
        }
    }

    /// Whether errors of values are left out that no provider configuration reads, if everything is destroyed.
    pub(crate) fn destroys_without_values(self) -> bool {
        self != Phase::Validate
    }

    /// Whether errors in the values of root variables are reported. After a validation, the plan reports them.
    pub(crate) fn reports_input_values(self) -> bool {
        self != Phase::Validate
    }

    /// Whether variable files are read that are loaded automatically.
    pub(crate) fn reads_automatic_files(self, rules: &Rules) -> bool {
        self != Phase::Validate || rules.validation_reads_automatic_files
    }

    /// Whether each provider needs its configurations.
    pub(crate) fn configures_providers(self) -> bool {
        self == Phase::Plan
    }

    /// Whether the values of root variables, and of variables outside their own validations, are unknown.
    pub(crate) fn variables_are_unknown(self) -> bool {
        self == Phase::Validate
    }

    /// Whether the outputs of a module are unknown in its caller.
    pub(crate) fn outputs_are_unknown(self) -> bool {
        self == Phase::Validate
    }

    /// Whether resources are unknown, with all their attributes.
    pub(crate) fn resources_are_unknown(self) -> bool {
        self == Phase::Validate
    }

    /// Whether the number of instances of a block is unknown.
    pub(crate) fn expansion_is_unknown(self) -> bool {
        self == Phase::Validate
    }

    /// Whether the kind of the run is unknown: a validation may precede an apply.
    pub(crate) fn applying_is_unknown(self) -> bool {
        self == Phase::Validate
    }

    /// Whether errors are reported in blocks that may have no instance.
    pub(crate) fn reports_errors_of_possible_instances(self) -> bool {
        self == Phase::Validate
    }

    /// Whether conditions are only checked for their type in blocks where values decide later.
    pub(crate) fn leaves_conditions_to_plan(self) -> bool {
        self == Phase::Validate
    }

    /// Whether the assertions of `check` blocks are evaluated.
    pub(crate) fn evaluates_assertions(self) -> bool {
        self != Phase::Console
    }

    /// Whether arguments of `lifecycle` that only a plan reads are checked.
    pub(crate) fn checks_lifecycle(self) -> bool {
        self != Phase::Validate
    }

    /// Whether references of a resource to itself are reported. In a validation, resources are unknown anyway.
    pub(crate) fn reports_self_references(self) -> bool {
        self != Phase::Validate
    }

    /// Whether provisioners and their connections are evaluated: a plan leaves them to the apply.
    pub(crate) fn evaluates_provisioners(self) -> bool {
        self == Phase::Validate
    }

    /// Whether unknown functions of the built-in provider are accepted.
    pub(crate) fn provider_functions_are_open(self, rules: &Rules) -> bool {
        self == Phase::Validate && !rules.provider_functions.validation_checks_builtin
    }

    /// Whether the values make a plan of all resources. Then attributes that the provider sets are not null, a rejected
    /// variable is unknown, and instances, keys, imports and moves are compared with the declarations.
    pub(crate) fn plans_resources(self) -> bool {
        self == Phase::Plan
    }

    /// Whether resources are read from the state alone, if there is one. Their configuration is ignored.
    pub(crate) fn reads_state_alone(self) -> bool {
        self == Phase::Console
    }

    /// Whether every expression that reads values is in the configuration: on the console, further expressions follow.
    pub(crate) fn knows_all_readers(self) -> bool {
        self != Phase::Console
    }

    /// Whether an import is only checked as far as its declaration allows.
    pub(crate) fn imports_are_open(self) -> bool {
        self == Phase::Validate
    }

    /// Whether the keys in the targets of imports are compared with the declarations.
    pub(crate) fn checks_import_keys(self, rules: &Rules) -> bool {
        self != Phase::Validate || !rules.imports.validation_skips_keys
    }

    /// Whether the targets of imports must be declared.
    pub(crate) fn checks_import_targets(self, rules: &Rules) -> bool {
        self != Phase::Validate || rules.imports.validation_checks_targets
    }
}
