//! Names of sources, as builds write them.

use terrane_syntax::is_identifier;

use crate::model::template::ComponentKey;

/// Returns the type and name of `source.TYPE.NAME` or `TYPE.NAME`.
pub(crate) fn source_name(text: &str) -> Option<ComponentKey> {
    let mut parts = text.split('.');
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
    let (source_type, name) = match third {
        Some(third) => (second, third),
        None => (first, second),
    };
    (is_identifier(source_type) && is_identifier(name))
        .then(|| ComponentKey { component_type: source_type.into(), name: name.into() })
}
