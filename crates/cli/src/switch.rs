//! Options that are on or off.

use std::str::FromStr;

/// True or false, in the forms that Terraform's options accept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switch(bool);

impl FromStr for Switch {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Switch, &'static str> {
        match text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Switch(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Switch(false)),
            _ => Err("write true or false"),
        }
    }
}

/// Whether an option is on. An option without a value is on.
pub(crate) fn is_on(option: Option<Option<Switch>>, default: bool) -> bool {
    option.map_or(default, |value| value.is_none_or(|value| value.0))
}
