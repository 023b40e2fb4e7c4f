//! Reads addresses of module instances and of the instances of resources in them.

use terrane_source::{FileId, SourceFile};
use terrane_syntax::parse_expr;

use crate::address::{Address, MAX_MODULE_DEPTH, ModulePath, Object, ResourceMode};
use crate::address_parts::{AddressPart, address_parts, split_call, split_key, step_count};
use crate::address_word::AddressWord;

/// Limit on the steps after the first name of an address: a path at the limit with a key at each
/// call, and an instance in it.
const MAX_STEPS: usize = 3 * MAX_MODULE_DEPTH + 4;

/// Returns the path in an address such as `module.a["k"].module.b`; `None` for other texts, and for more than
/// [`MAX_MODULE_DEPTH`] calls.
pub fn module_path(address: &str) -> Option<ModulePath> {
    let parts = parts(address)?;
    let (path, rest) = modules(&parts)?;
    (rest.is_empty() && !path.steps().is_empty()).then_some(path)
}

/// Returns the instance of a managed resource or of a data source in an address such as `module.a.demo_disk.d["k"]`; `None` for
/// other texts, and for more than [`MAX_MODULE_DEPTH`] calls.
pub(crate) fn resource_instance(address: &str) -> Option<Address> {
    let parts = parts(address)?;
    let (module, rest) = modules(&parts)?;
    let (mode, rest) = match rest {
        [AddressPart::Name(word), rest @ ..] if AddressWord::DATA == **word => (ResourceMode::Data, rest),
        rest => (ResourceMode::Managed, rest),
    };
    let [AddressPart::Name(resource_type), AddressPart::Name(name), rest @ ..] = rest else { return None };
    let (key, rest) = split_key(rest);
    let object = Object::Resource { mode, resource_type: resource_type.clone(), name: name.clone(), key };
    rest.is_empty().then_some(Address { module, object })
}

/// Returns the parts of an address.
fn parts(address: &str) -> Option<Vec<AddressPart>> {
    let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), address));
    let is_short = step_count(&parsed.tree, parsed.root)? <= MAX_STEPS;
    let is_right = is_short && parsed.diagnostics.is_empty();
    address_parts(&parsed.tree, parsed.root).filter(|_| is_right)
}

/// Returns the module instance at the beginning of an address, and the parts after it.
fn modules(parts: &[AddressPart]) -> Option<(ModulePath, &[AddressPart])> {
    let (mut path, mut rest) = (ModulePath::ROOT, parts);
    while let Some((step, after)) = split_call(rest) {
        path = path.child(&step.name, step.key);
        if path.steps().len() > MAX_MODULE_DEPTH {
            return None;
        }
        rest = after;
    }
    Some((path, rest))
}
