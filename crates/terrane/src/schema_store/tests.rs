//! Tests that schema files are read as they were written, and that any other bytes are an error.

use terrane_config::address::ResourceMode;
use terrane_module::{ResourceType, Schemas};
use terrane_source::{Files as _, MemoryFiles};

use super::format::{MAGIC, reseal};
use super::*;
use crate::schemas_from_json;

/// Schemas with every kind of part.
const DOCUMENT: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/tree": {
    "provider": {"version": 3, "block": {"attributes": {"region": {"type": "string", "optional": true, "description": "Where."}}}},
    "resource_schemas": {
        "tree_oak": {"version": 2, "block": {"deprecated": true, "description": "An oak.", "attributes": {
            "id": {"type": "string", "computed": true, "description": "The id.", "description_kind": "markdown"},
            "age": {"type": "number", "required": true, "deprecated": true},
            "secret": {"type": ["map", "bool"], "optional": true, "sensitive": true, "write_only": true},
            "any": {"type": "dynamic", "optional": true},
            "pair": {"type": ["tuple", ["string", ["list", "number"]]], "optional": true},
            "shape": {"type": ["set", ["object", {"a": "string", "b": "bool"}, ["b"]]], "optional": true},
            "nest": {"nested_type": {"nesting_mode": "map", "attributes": {
                "egg": {"type": "string", "required": true, "description": "An egg."}
            }}, "optional": true}
        }, "block_types": {
            "leaf": {"nesting_mode": "list", "min_items": 1, "max_items": 3, "block": {"attributes": {
                "color": {"type": "string", "optional": true}
            }, "block_types": {"vein": {"nesting_mode": "single", "block": {}}}}},
            "root": {"nesting_mode": "set", "block": {"attributes": {"color": {"type": "string", "optional": true}},
                "block_types": {"vein": {"nesting_mode": "single", "block": {}}}}}
        }}},
        "tree_bare": {"version": 0}
    },
    "data_source_schemas": {"tree_oak": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true}}}}},
    "functions": {
        "plant": {"summary": "Plants.", "return_type": "string", "parameters": [{"name": "kind", "type": "string", "is_nullable": true}],
            "variadic_parameter": {"name": "more", "type": ["list", "number"]}},
        "year": {"return_type": "number"}
    }
}}}"#;

fn stored(document: &str) -> Vec<u8> {
    let converted = schema_files_from_json(document, "a test", &|_| "1.2.3".parse().ok()).unwrap();
    converted.files[0].bytes.clone()
}

/// Returns all schemas in words, for comparison.
fn words(schemas: &Schemas) -> Vec<String> {
    let mut words = Vec::new();
    for address in schemas.addresses().into_iter().filter(|address| !address.is_built_in()) {
        let provider = schemas.provider(address).unwrap();
        words.push(format!("{address} {:?}", provider.configuration().map(|block| block.schema())));
        for mode in [ResourceMode::Managed, ResourceMode::Data, ResourceMode::Ephemeral, ResourceMode::Action]
        {
            for name in provider.resource_types(mode) {
                let block = provider.resource(mode, name).unwrap();
                words.push(format!("{mode:?} {name} {:?}", block.schema()));
            }
        }
    }
    words
}

#[test]
fn a_file_has_the_schemas_of_its_document() {
    let opened = StoredSchemas::open(stored(DOCUMENT)).unwrap();
    assert_eq!(words(&opened.schemas()), words(&schemas_from_json(DOCUMENT).unwrap()));
    assert_eq!(opened.version().as_str(), "1.2.3");
    assert_eq!(opened.origin(), "a test");
    let [plant, year] = opened.functions() else { panic!("two functions") };
    assert_eq!((&*plant.parameters[0].name, plant.parameters[0].is_nullable), ("kind", true));
    assert_eq!(plant.variadic.as_ref().unwrap().ty.to_string(), "list(number)");
    assert!(year.parameters.is_empty() && year.variadic.is_none());
    assert_eq!(stored(DOCUMENT), stored(DOCUMENT), "the same bytes each time");
}

#[test]
fn equal_blocks_are_stored_once() {
    let many = |count: usize| {
        let types: Vec<String> = (0..count)
            .map(|index| format!(r#""tree_{index}": {{"block": {{"attributes": {{"a_rather_long_name": {{"type": "string"}}}}}}}}"#))
            .collect();
        let text = format!(
            r#"{{"format_version": "1.0", "provider_schemas": {{"acme/tree": {{"resource_schemas": {{{}}}}}}}}}"#,
            types.join(",")
        );
        stored(&text).len()
    };
    // Each further type takes a name and a row, because the block is there already.
    assert!(many(110) - many(100) < 10 * 24, "{} {}", many(100), many(110));
}

#[test]
fn a_listing_has_the_descriptions() {
    let opened = StoredSchemas::open(stored(DOCUMENT)).unwrap();
    let oak = ResourceType { mode: ResourceMode::Managed, name: "tree_oak".into() };
    let expected = "\
# An oak.
# deprecated
resource \"tree_oak\" {
  age = number # required, deprecated
  any = any # optional
  # The id.
  id = string # computed
  nest = { # map, optional
    # An egg.
    egg = string # required
  }
  pair = tuple([string,list(number)]) # optional
  secret = map(bool) # optional, sensitive, write-only
  shape = set(object({a=string,b=optional(bool)})) # optional
  leaf { # list, 1 to 3
    color = string # optional
    vein { # single
    }
  }
  root { # set
    color = string # optional
    vein { # single
    }
  }
}
";
    assert_eq!(opened.listing(Some(&oak)).unwrap().unwrap(), expected);
    let provider = "provider {\n  # Where.\n  region = string # optional\n}\n";
    assert_eq!(opened.listing(None).unwrap().unwrap(), provider);
    let bare = ResourceType { mode: ResourceMode::Managed, name: "tree_bare".into() };
    assert_eq!(opened.listing(Some(&bare)).unwrap().unwrap(), "resource \"tree_bare\" {\n}\n");
    assert_eq!(
        opened.listing(Some(&ResourceType { mode: ResourceMode::Data, name: "tree_elm".into() })).unwrap(),
        None
    );
}

#[test]
fn other_bytes_are_an_error_that_says_why() {
    let good = stored(DOCUMENT);
    let message = |bytes: &[u8]| StoredSchemas::open(bytes.to_vec()).unwrap_err().to_string();
    for foreign in [&b""[..], b"{}", &MAGIC[..7], &[0; 100]] {
        assert_eq!(message(foreign), "it is not a schema file of `terrane schemas import`");
    }
    for length in 8..good.len() {
        let text = message(&good[..length]);
        assert!(text.contains(&format!("it has {length} bytes in place of")), "{length}: {text}");
    }
    let longer = [&good[..], b"x"].concat();
    assert!(message(&longer).contains("bytes in place of"), "{}", message(&longer));
    let mut newer = good.clone();
    newer[8] = 2;
    assert!(message(&newer).starts_with("it has version 2 of the format"), "{}", message(&newer));
    let mut flipped = good;
    flipped[200] ^= 1;
    assert!(message(&flipped).contains("its checksum does not match"), "{}", message(&flipped));
}

/// Reads everything in a file. Returns whether it can be opened.
fn use_all(bytes: Vec<u8>) -> bool {
    let Ok(opened) = StoredSchemas::open(bytes) else { return false };
    words(&opened.schemas());
    for resource in opened.resource_types().map(Some).chain([None]) {
        // Descriptions are read only here, so they may be damaged.
        let _ = opened.listing(resource);
    }
    true
}

#[test]
fn damaged_records_behind_a_right_checksum_do_not_panic() {
    let good = stored(DOCUMENT);
    assert!(use_all(good.clone()));
    let mut opened = 0;
    for place in 16..good.len() {
        for change in [1, 2, 0x10, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[place] ^= change;
            opened += usize::from(use_all(reseal(bytes)));
        }
    }
    assert!(opened > 100, "a changed flag or letter is still a schema: {opened}");
}

#[test]
fn blocks_that_expand_without_end_are_refused() {
    // Each block contains the block before it twice.
    let mut block = r#"{"attributes": {"a": {"type": "string"}}}"#.to_owned();
    for _ in 0..12 {
        let nested = |name: &str| format!(r#""{name}": {{"nesting_mode": "list", "block": {block}}}"#);
        block = format!(r#"{{"block_types": {{{}, {}}}}}"#, nested("x"), nested("y"));
    }
    let text = format!(
        r#"{{"format_version": "1.0", "provider_schemas": {{"acme/tree": {{"resource_schemas": {{"tree_oak": {{"block": {block}}}}}}}}}}}"#
    );
    let good = stored(&text);
    assert!(good.len() < 1000, "{} bytes", good.len());
    assert!(use_all(good));
    let hostile = encode::tests::doubled_blocks(60);
    let error = StoredSchemas::open(hostile).unwrap_err();
    assert_eq!(error, StoreError::Damaged("a schema is too large or too deep"));
}

#[test]
fn the_files_of_a_directory_are_found_by_address_and_version() {
    let files = MemoryFiles::new();
    let directory = SchemaDirectory::new("store");
    let address = |text: &str| text.parse::<terrane_module::provider::ProviderAddress>().unwrap();
    for (provider, version) in
        [("acme/tree", "1.10.0"), ("acme/tree", "1.9.0"), ("example.com/acme/tree", "1.0.0")]
    {
        let path = directory.file(&address(provider), &version.parse().unwrap()).unwrap();
        files.write_atomic(&path, b"x").unwrap();
    }
    files
        .write_atomic(std::path::Path::new("store/registry.terraform.io/acme/tree/notes.txt"), b"x")
        .unwrap();
    let shown = |found: Vec<StoredVersion>| {
        found.iter().map(|stored| format!("{} {}", stored.address, stored.version)).collect::<Vec<_>>()
    };
    let all = shown(directory.all(&files).unwrap());
    assert_eq!(all, ["acme/tree 1.9.0", "acme/tree 1.10.0", "example.com/acme/tree 1.0.0"]);
    let one = shown(directory.versions(&address("registry.opentofu.org/acme/tree"), &files).unwrap());
    assert_eq!(one, ["acme/tree 1.9.0", "acme/tree 1.10.0"]);
    assert!(directory.versions(&address("acme/none"), &files).unwrap().is_empty());
    // An address in a text cannot have such a host.
    let outside =
        terrane_module::provider::ProviderAddress { host: Some("..".into()), ..address("acme/tree") };
    assert!(directory.file(&outside, &"1.0.0".parse().unwrap()).is_none());
    assert!(SchemaDirectory::new("none").all(&files).unwrap().is_empty());
}
