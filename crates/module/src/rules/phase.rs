//! The phase whose values and errors an evaluation computes: plan, console or validation.

/// Phase being simulated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Phase {
    /// A plan that creates every resource. It begins with a validation.
    #[default]
    Plan,
    /// The console before anything is created: attributes that the resource itself sets are fully unknown, and may be null.
    Console,
    /// The validation of modules that are meant for any values: variables, outputs of modules, resources and the numbers
    /// of instances are unknown, and every block is checked. A module that is called again evaluates its variables only,
    /// because its other errors have been reported for the first call.
    Validate,
}
