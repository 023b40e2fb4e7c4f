//! Finds the values of addresses on the command line, and checks the values that must be known.

mod instances;
mod lookup;
mod parts;
mod pattern;
mod require_known;

pub(crate) use self::lookup::addressed;
pub(crate) use self::require_known::unmet;
