//! Reports ephemeral values in the arguments of a resource, which are stored.

use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Mark, Value};

use crate::model::module::Resource;

/// Reports each argument with an ephemeral value in the value of the instance at `address`. An argument in a nested block is
/// reported at the resource.
pub(super) fn check(resource: &Resource, value: &Value, address: &str, diagnostics: &mut Diagnostics) {
    if !is_ephemeral(value) {
        return;
    }
    let content = resource.config.open_content(&mut Diagnostics::new());
    let entries = value.as_entries().into_iter().flat_map(|entries| entries.iter());
    let names: Vec<&str> = entries.filter(|(_, part)| is_ephemeral(part)).map(|(name, _)| &**name).collect();
    let attributes = names.iter().filter_map(|name| content.attributes.get(*name));
    let mut places: Vec<_> = attributes
        .map(|attribute| {
            let argument = format!("The argument `{}`", attribute.name);
            (argument, Arc::clone(attribute.source()), attribute.value_span())
        })
        .collect();
    if places.is_empty() || places.len() < names.len() {
        let declaration = &resource.declaration;
        places.push(("An argument".to_owned(), Arc::clone(&declaration.file), declaration.span));
    }
    for (argument, file, span) in places {
        let detail = format!(
            "{argument} has an ephemeral value, but arguments of resources are stored. Use a value that is not ephemeral."
        );
        diagnostics.push(Diagnostic::error(ids::EPHEMERAL_ARGUMENT, detail).at(&file, span).about(address));
    }
}

fn is_ephemeral(value: &Value) -> bool {
    value.marks_deep().contains(&Mark::Ephemeral)
}
