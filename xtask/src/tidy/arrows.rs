//! Each crate depends only on crates of lower layers, as ARCHITECTURE.md draws them.

use std::collections::BTreeMap;

use super::{files, none};

/// Returns the layer of each folder in `crates/`, from the rows `| 3 | eval, stdlib | ... |` of ARCHITECTURE.md.
fn layers() -> BTreeMap<String, u32> {
    let path = crate::root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("ARCHITECTURE.md: {error}"));
    let mut layers = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ["", layer, crates, ..] = cells.as_slice()
            && let Ok(layer) = layer.parse()
        {
            layers.extend(crates.split(',').map(|name| (name.trim().replace('`', ""), layer)));
        }
    }
    layers
}

/// Returns the folders of the crates that `manifest` depends on, of every kind and for every target.
fn dependencies(manifest: &toml::Table) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in manifest {
        let Some(table) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            let ours = table.keys().filter(|name| name.starts_with("terrane"));
            found.extend(ours.map(|name| name.strip_prefix("terrane-").unwrap_or(name).to_owned()));
        } else if key == "target" {
            found.extend(table.values().filter_map(toml::Value::as_table).flat_map(dependencies));
        }
    }
    found
}

/// Returns each crate with its dependencies.
fn crates() -> BTreeMap<String, Vec<String>> {
    let mut crates = BTreeMap::new();
    for file in files() {
        let folder = file.path.strip_prefix("crates/").and_then(|path| path.strip_suffix("/Cargo.toml"));
        let Some(folder) = folder.filter(|folder| !folder.contains('/')) else { continue };
        let manifest: toml::Table =
            file.content.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path));
        crates.insert(folder.to_owned(), dependencies(&manifest));
    }
    crates
}

fn broken(layers: &BTreeMap<String, u32>, crates: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut broken = Vec::new();
    for (from, dependencies) in crates {
        for to in dependencies {
            match (layers.get(from), layers.get(to)) {
                (Some(above), Some(below)) if below < above => {}
                (above, below) => broken.push(format!("{from} ({above:?}) -> {to} ({below:?})")),
            }
        }
    }
    broken
}

#[test]
fn a_crate_depends_only_on_lower_layers() {
    none("An arrow that does not point down", &broken(&layers(), &crates()));
}

#[test]
fn the_table_names_every_crate() {
    let drawn: Vec<String> = layers().into_keys().collect();
    let there: Vec<String> = crates().into_keys().collect();
    assert_eq!(drawn, there, "the crates in ARCHITECTURE.md, and the folders in crates/");
}

#[test]
fn an_arrow_sideways_or_up_is_found() {
    let layers = BTreeMap::from([("a".to_owned(), 0), ("b".to_owned(), 1), ("c".to_owned(), 1)]);
    let manifest: toml::Table =
        "[dependencies]\nterrane-a = '1'\nserde = '1'\n[target.'cfg(unix)'.dev-dependencies]\nterrane-c = '1'\n"
            .parse()
            .expect("a manifest");
    let crates = BTreeMap::from([
        ("a".to_owned(), vec!["b".to_owned()]),
        ("b".to_owned(), dependencies(&manifest)),
        ("c".to_owned(), vec!["new".to_owned()]),
    ]);
    assert_eq!(
        broken(&layers, &crates),
        ["a (Some(0)) -> b (Some(1))", "b (Some(1)) -> c (Some(1))", "c (Some(1)) -> new (None)"]
    );
}
