//! Drops diagnostics that repeat for each instance of a module.

use terrane_source::{Diagnostic, Diagnostics, ids};

/// Removes diagnostics that the instances of one module call or resource repeat. Diagnostics about
/// different values are kept, and a failed condition is a result of its instance, as in the reference.
pub(crate) fn distinct(diagnostics: Diagnostics) -> Diagnostics {
    diagnostics.distinct_by(|diagnostic| {
        let subject = diagnostic.address.as_deref();
        let subject = subject.map(|address| match is_failed_condition(diagnostic) {
            true => address.to_owned(),
            false => without_keys(address),
        });
        (subject, diagnostic.values.clone())
    })
}

fn is_failed_condition(diagnostic: &Diagnostic) -> bool {
    [ids::OUTPUT_PRECONDITION_FAILED, ids::RESOURCE_PRECONDITION_FAILED, ids::RESOURCE_POSTCONDITION_FAILED]
        .contains(&diagnostic.id)
}

/// Returns an address without its instance keys.
fn without_keys(address: &str) -> String {
    let mut in_key = false;
    let mut quoted = false;
    let mut escaped = false;
    let mut text = String::with_capacity(address.len());
    for character in address.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if in_key => quoted = !quoted,
            '[' if !quoted => in_key = true,
            ']' if !quoted => in_key = false,
            _ if in_key => {}
            _ => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_out_of_addresses() {
        assert_eq!(without_keys(r#"module.a["x]\"["].module.b[1].aws_x.y"#), "module.a.module.b.aws_x.y");
    }
}
