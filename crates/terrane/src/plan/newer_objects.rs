//! Objects of the state that a newer version of their provider has written, so that no plan can read them.

use std::collections::HashSet;

use terrane_config::Address;
use terrane_module::{DestroyedObject, Evaluation, NewerObject, newer_objects};
use terrane_source::{Diagnostic, Diagnostics, ids};

/// The objects, by address.
pub(super) struct NewerObjects(Vec<NewerObject>);

impl NewerObjects {
    pub(super) fn of(evaluation: &Evaluation) -> NewerObjects {
        NewerObjects(newer_objects(evaluation))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn addresses(&self) -> impl Iterator<Item = &Address> {
        self.0.iter().map(|object| &object.address)
    }

    /// Returns an error for each object.
    pub(super) fn diagnostics(&self) -> Diagnostics {
        self.0.iter().map(error).collect()
    }

    /// Takes the objects out of the destroyed ones.
    pub(super) fn take_from(&self, destroyed: &mut Vec<DestroyedObject>) -> Vec<DestroyedObject> {
        let newer: HashSet<&Address> = self.addresses().collect();
        let is_newer = |one: &mut DestroyedObject| one.deposed.is_none() && newer.contains(&one.address());
        destroyed.extract_if(.., is_newer).collect()
    }
}

fn error(object: &NewerObject) -> Diagnostic {
    let NewerObject { address, recorded_version, schema_version, declaration } = object;
    let detail = format!(
        "The state has `{address}` in version {recorded_version} of the schema of its type, but the schema that is read has version \
         {schema_version}. A newer version of the provider has written the object. Upgrade the provider."
    );
    let diagnostic = Diagnostic::error(ids::NEWER_STATE_OBJECT, detail).about(address);
    match declaration {
        Some(declaration) => diagnostic.at(&declaration.file, declaration.span),
        None => diagnostic,
    }
}
