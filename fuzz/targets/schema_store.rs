//! Opens any bytes as a schema file, also with the checksum that belongs to them, and uses everything in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::StoredSchemas;

fuzz_target!(|bytes: &[u8]| {
    use_all(bytes.to_vec());
    let mut sealed = bytes.to_vec();
    if let Some((header, checked)) = sealed.split_at_mut_checked(16) {
        let mut sum = flate2::Crc::new();
        sum.update(checked);
        header[12..].copy_from_slice(&sum.sum().to_le_bytes());
        use_all(sealed);
    }
});

fn use_all(bytes: Vec<u8>) {
    let Ok(opened) = StoredSchemas::open(bytes) else { return };
    let schemas = opened.schemas();
    let provider = schemas.provider(opened.address()).expect("the provider of the file");
    for resource in opened.resource_types() {
        let schema = provider.resource(resource.mode, &resource.name).expect("a schema for each name");
        schema.schema().ty();
        // The descriptions are read only here, so they may be damaged.
        let _ = opened.listing(Some(resource));
    }
    let _ = opened.listing(None);
}
