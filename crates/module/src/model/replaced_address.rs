//! Reads the addresses of instances that a plan is asked to replace.

use terrane_config::Address;
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::{Expression, parse_expr};

use crate::model::written_address::{Keys, address, reserved_name, reserved_name_message};

/// Returns the instance of a managed resource with an address, such as `module.net.aws_instance.web["a"]`.
///
/// # Errors
///
/// The reason why the text is no such address.
pub fn managed_instance(text: &str) -> Result<Address, String> {
    let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), text));
    let mut found: Diagnostics = parsed.diagnostics.into_iter().collect();
    let expression = Expression { tree: parsed.tree, id: parsed.root };
    let read = match found.is_empty() {
        true => address(&expression, Keys::Literal, &mut found),
        false => None,
    };
    let Some(read) = read else {
        let reason = found.into_iter().next().map(|error| error.detail);
        return Err(reason.unwrap_or_else(|| "The text is not an address.".to_owned()));
    };
    if let Some(name) = reserved_name(&read) {
        return Err(reserved_name_message(name));
    }
    let Some(resource) = &read.resource else {
        return Err("A module has no instance to replace. Name an instance of a resource in it.".to_owned());
    };
    if resource.mode != ResourceMode::Managed {
        return Err("Only managed resources can be replaced.".to_owned());
    }
    Ok(Address { module: read.module, object: resource.object(read.key) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_of_managed_resources_are_read() {
        for text in ["aws_vpc.a", "aws_vpc.a[0]", "module.m[\"k\"].module.n.aws_vpc.a[\"b\"]"] {
            assert_eq!(managed_instance(text).map(|address| address.to_string()), Ok(text.to_owned()));
        }
        for (text, address) in
            [("resource.local.a", "local.a"), ("module.m.resource.local.a", "module.m.local.a")]
        {
            assert_eq!(managed_instance(text).map(|read| read.to_string()).as_deref(), Ok(address));
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for (text, reason) in [
            ("module.m", "A module has no instance to replace"),
            ("data.aws_vpc.a", "Only managed resources"),
            ("local.a", "`local` is a reserved name"),
            ("module.m.each.key", "`each` is a reserved name"),
            ("module.resource.local.a", "`local` is a reserved name"),
            ("module.m.data.local.a", "Only managed resources"),
            ("ephemeral.local.a", "Only managed resources"),
            ("", ""),
            ("aws_vpc", ""),
            ("aws_vpc.a.id", ""),
            ("aws_vpc.a[*]", ""),
            ("aws_vpc.a[x]", ""),
            ("1 + 1", ""),
        ] {
            let refused = managed_instance(text).expect_err(text);
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }
}
