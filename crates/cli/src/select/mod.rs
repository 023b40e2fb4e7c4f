//! Finds the values of addresses on the command line, and those among them that must be known.

mod instances;
mod known;
mod lookup;
mod parts;
mod pattern;

pub(crate) use self::known::unmet;
pub(crate) use self::lookup::addressed;
