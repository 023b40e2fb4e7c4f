//! The folders of a crate are floors: a folder imports only from folders that its table lists below it.

use std::collections::BTreeMap;

use super::imports::{Crate, Import, Imports, crates};
use super::none;

/// The floors of one crate.
struct House {
    package: &'static str,
    /// The floors from top to bottom. A floor has one or more folders, which do not import each other. Each name is the name of
    /// a folder, or of a file without its ending. `lib.rs` and `main.rs` stand above all floors unless they are named.
    floors: &'static [&'static [&'static str]],
    /// Folders with one entrance, their `mod.rs`: each folder with the only files outside of it that may import from there.
    entrances: &'static [(&'static str, &'static [&'static str])],
}

const HOUSES: [House; 9] = [
    HOUSE_OF_BODY,
    HOUSE_OF_CLI,
    HOUSE_OF_EVAL,
    HOUSE_OF_MODULE,
    HOUSE_OF_PACKER,
    HOUSE_OF_STDLIB,
    HOUSE_OF_SYNTAX,
    HOUSE_OF_TERRANE,
    HOUSE_OF_VALUE,
];

const HOUSE_OF_BODY: House = House {
    package: "body",
    floors: &[
        &["tests"],
        &["body_reader", "constant", "decode", "open_body", "read_source"],
        &["expanded_body"],
        &["expand"],
        &["content"],
        &["body"],
        &["body_schema", "missing_item"],
    ],
    entrances: &[],
};

const HOUSE_OF_CLI: House = House {
    package: "cli",
    floors: &[
        &["hcldec", "args"],
        &[
            "check",
            "console",
            "decode",
            "diff",
            "eval",
            "explain",
            "fmt",
            "functions",
            "graph",
            "plan",
            "schemas",
        ],
        &["evaluated", "prior_state"],
        &["project", "provider_functions", "revision"],
        &["host", "nearby", "read_inputs", "report_format", "unknown_values", "wrong_arguments"],
        &["terminal"],
        &["limits", "options", "progress", "stack"],
        &["interrupt", "timer"],
        &["pager"],
        &[
            "colors",
            "count",
            "exit",
            "git_directory",
            "input",
            "pipe",
            "provider_program",
            "select",
            "source_root",
            "switch",
            "writes",
        ],
    ],
    entrances: &[],
};

const HOUSE_OF_EVAL: House = House {
    package: "eval",
    floors: &[
        &["tests"],
        &["batch", "program"],
        &["rules"],
        &["fast"],
        &["state"],
        &["names"],
        &["functions", "plain"],
    ],
    // The entrance is `fast/mod.rs`. The rules of expressions do not know it: the evaluator keeps the state of the fast path,
    // `fast_path` comes with a loop, and `program` with a whole expression that is compiled once for many evaluations.
    entrances: &[("fast", &["program.rs", "rules/evaluator.rs", "rules/fast_path.rs"])],
};

const HOUSE_OF_MODULE: House = House {
    package: "module",
    floors: &[
        &["configuration", "place", "state_storage", "symbols"],
        &["evaluate"],
        &["check"],
        &["load"],
        &["state"],
        &["static_value"],
        &["inputs"],
        &["graph"],
        &["damage"],
        // Decoding resolves nothing: what it reads is a plain expression, and `load` runs both passes.
        &["decode", "expansion", "resolve"],
        &["model"],
        &["rules"],
    ],
    entrances: &[],
};

const HOUSE_OF_PACKER: House = House {
    package: "packer",
    floors: &[
        &["evaluate"],
        &["graph", "load", "state"],
        &["components"],
        &["decode"],
        &["resolve"],
        &["model"],
        &["rules"],
    ],
    entrances: &[],
};

const HOUSE_OF_STDLIB: House = House {
    package: "stdlib",
    floors: &[
        &["testing"],
        &["data_source"],
        &["crypto", "yaml"],
        &[
            "collection",
            "datetime",
            "encoding",
            "filesystem",
            "format",
            "network",
            "number",
            "packer",
            "refine",
            "set",
            "string",
        ],
        &["characters", "conversion", "deflate", "integer", "regex", "row"],
    ],
    entrances: &[],
};

const HOUSE_OF_SYNTAX: House = House {
    package: "syntax",
    floors: &[
        &["parsed_source", "quoted", "secret_declarations"],
        &["format", "json"],
        &["at_offset", "parser"],
        &["secrets"],
        &["walk"],
        &["decode", "queries"],
        &["lexer"],
        &["escape", "line", "tree"],
        &["block_types", "excerpt", "file_name", "limits", "token"],
    ],
    entrances: &[],
};

// The floors go from single values at the bottom to many projects at the top: evaluations, the places where their values come
// from, documents, and the questions about them.
const HOUSE_OF_TERRANE: House = House {
    package: "terrane",
    floors: &[
        &["matrix"],
        &[
            "check",
            "diff",
            "outline",
            "required_providers",
            "roots",
            "scopes",
            "session",
            "symbols",
            "template_text",
            "workspace",
        ],
        &["explain", "plan", "project", "spec_file"],
        &["remote", "shared_secrets", "summary"],
        &["document"],
        &["sources"],
        &["entries", "print_limit", "remedy", "template"],
        &["engine", "report"],
        &["load"],
        &["caches", "library", "named_values"],
        &[
            "block_headers",
            "check_syntax",
            "decisive",
            "entry",
            "format",
            "json",
            "own_sources",
            "schema_store",
            "threads",
        ],
        &[
            "address",
            "block_list",
            "dialect_at",
            "environment",
            "first_of",
            "infinite",
            "marked_output",
            "part_source",
            "schema",
            "search",
            "secrets",
            "unexpanded",
            "variable_text",
            "written",
            "written_parts",
        ],
    ],
    entrances: &[],
};

const HOUSE_OF_VALUE: House = House {
    package: "value",
    floors: &[
        &["properties"],
        &["filling"],
        &["constraint"],
        &["refine"],
        &["ops", "missing_name"],
        &["fit", "json"],
        &["convert"],
        &["agreement", "display", "equality", "error", "set"],
        &["value"],
        &["merge"],
        &["marks", "number", "shape", "types"],
        &["allocation", "article", "ascii", "quote", "suggestion", "text_order"],
    ],
    entrances: &[],
};

impl House {
    /// Returns the floor of a file, 0 at the top, and its name in the table; `None` if it is in no floor.
    fn floor(&self, file: &str) -> Option<(usize, &'static str)> {
        let place = self.floors.iter().enumerate().find_map(|(floor, names)| {
            names.iter().find(|name| is_in(file, name)).map(|name| (floor + 1, *name))
        });
        place.or_else(|| matches!(file, "lib.rs" | "main.rs").then_some((0, "the root")))
    }

    /// Returns the first import of each kind that goes up or sideways, or not through an entrance.
    fn broken_imports(&self, imports: &Imports) -> Vec<String> {
        let mut first: BTreeMap<(&str, &str), String> = BTreeMap::new();
        for ((from, to), all) in imports {
            let Some(import) = all.first() else { continue };
            let (Some((floor, above)), Some((target, below))) = (self.floor(from), self.floor(to)) else {
                continue;
            };
            let entrance = self.entrances.iter().find(|(folder, _)| *folder == below && above != below);
            let goes_around = |import: &&Import| {
                let path = import.path.strip_prefix("crate::").and_then(|path| path.strip_prefix(below));
                path.is_some_and(|path| path.matches("::").count() > 1)
            };
            let around = entrance.and_then(|_| all.iter().find(goes_around));
            let is_visitor = entrance.is_none_or(|(_, visitors)| visitors.contains(&from.as_str()));
            let reason = match (above != below && target <= floor, is_visitor) {
                (true, _) => Some("is not below"),
                (false, false) => Some("has other visitors than"),
                (false, true) => around.map(|_| "has its `mod.rs` as entrance for"),
            };
            if let Some(reason) = reason {
                let import = around.unwrap_or(import);
                let text = format!(
                    "{}/{from}:{} imports {} of {to}: {below} {reason} {above}",
                    self.package, import.line, import.path
                );
                first.entry((above, below)).or_insert(text);
            }
        }
        first.into_values().collect()
    }

    /// Returns the names in the table that are not on disk, and the files that are in no floor.
    fn broken_table(&self, files: &[&str]) -> Vec<String> {
        let names = self.floors.iter().copied().flatten();
        let absent = names.filter(|name| !files.iter().any(|file| is_in(file, name)));
        let absent = absent.map(|name| format!("{}: {name} is in the table, but not on disk", self.package));
        let homeless = files.iter().filter(|file| self.floor(file).is_none());
        let homeless = homeless.map(|file| format!("{}: {file} is on no floor of the table", self.package));
        absent.chain(homeless).collect()
    }
}

/// Whether `file` is the file of this name or is in the folder of this name.
fn is_in(file: &str, name: &str) -> bool {
    let rest = file.strip_prefix(name);
    rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

fn broken(house: &House, crates: &[Crate]) -> Vec<String> {
    let Some(found) = crates.iter().find(|found| found.name == house.package) else {
        return vec![format!("{} has a table, but there is no such crate", house.package)];
    };
    let files: Vec<&str> = found.files.keys().copied().collect();
    [house.broken_table(&files), house.broken_imports(&found.imports)].concat()
}

#[test]
fn a_folder_imports_only_from_floors_below() {
    let broken: Vec<String> = HOUSES.iter().flat_map(|house| broken(house, crates())).collect();
    none("An import that does not point down", &broken);
}

#[cfg(test)]
mod tests {
    use super::super::imports::imports;
    use super::*;

    const HOUSE: House = House {
        package: "x",
        floors: &[&["rules", "side"], &["fast"], &["names"]],
        entrances: &[("fast", &["rules/mod.rs"])],
    };
    const FILES: [(&str, &str); 6] = [
        ("lib.rs", "mod rules;\nmod side;\nmod fast;\nmod names;\npub use rules::evaluate;\n"),
        ("rules/mod.rs", "mod call;\nuse crate::fast::run;\npub fn evaluate() { run(); call::call() }\n"),
        ("rules/call.rs", "use crate::names::Name;\npub fn call() {}\n"),
        ("side.rs", "use crate::names::Name;\n"),
        ("fast/mod.rs", "use crate::names::Name;\npub fn run() {}\n"),
        ("names.rs", "pub struct Name;\n"),
    ];

    fn found(house: &House, change: &[(&'static str, &'static str)]) -> Vec<String> {
        let files: BTreeMap<&str, &str> = FILES.into_iter().chain(change.iter().copied()).collect();
        let imports = imports(&["lib.rs"], &files);
        broken(house, &[Crate { name: "x", files, imports }])
    }

    #[test]
    fn imports_that_do_not_point_down_are_found() {
        assert!(found(&HOUSE, &[]).is_empty());
        let up = "use crate::names::Name;\nuse crate::rules::{evaluate, call::call};\npub fn run() {}\n";
        let message =
            "x/fast/mod.rs:2 imports crate::rules::call::call of rules/call.rs: rules is not below fast";
        assert_eq!(found(&HOUSE, &[("fast/mod.rs", up)]), [message]);
        let message = "x/side.rs:1 imports crate::rules::evaluate of rules/mod.rs: rules is not below side";
        assert_eq!(found(&HOUSE, &[("side.rs", "use crate::rules::evaluate;\n")]), [message]);
    }

    #[test]
    fn a_folder_is_entered_where_the_table_says() {
        let call = "use crate::fast::run;\npub fn call() {}\n";
        let message =
            "x/rules/call.rs:1 imports crate::fast::run of fast/mod.rs: fast has other visitors than rules";
        assert_eq!(found(&HOUSE, &[("rules/call.rs", call)]), [message]);
        let file = ("fast/loops.rs", "pub fn run() {}\n");
        let through = found(&HOUSE, &[("fast/mod.rs", "mod loops;\npub use loops::run;\n"), file]);
        assert!(through.is_empty(), "{through:?}");
        let around = "mod call;\nuse crate::fast::loops::run;\n";
        let message = "x/rules/mod.rs:2 imports crate::fast::loops::run of fast/loops.rs: fast has its `mod.rs` as entrance for \
                       rules";
        let changes = [("fast/mod.rs", "pub mod loops;\n"), file, ("rules/mod.rs", around)];
        assert_eq!(found(&HOUSE, &changes), [message]);
    }

    #[test]
    fn the_table_has_every_file_and_nothing_else() {
        let floors: &[&[&str]] = &[&["rules", "side"], &["fast"], &["more"]];
        let absent = House { floors, ..HOUSE };
        assert_eq!(
            found(&absent, &[]),
            ["x: more is in the table, but not on disk", "x: names.rs is on no floor of the table"]
        );
        let none = House { package: "y", ..HOUSE };
        assert_eq!(found(&none, &[]), ["y has a table, but there is no such crate"]);
    }
}
