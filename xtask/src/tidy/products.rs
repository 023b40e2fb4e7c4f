//! Code asks for differences between products, editions and phases by named questions of the tables of rules. This rule finds
//! names of products, and comparisons with editions and phases.
//!
//! A table computes its answers from a dialect once. Elsewhere the name of a product stands only where a dialect is chosen
//! or shown to a person, and in the rows of functions.

use super::{File, none, sources};

/// The tables of rules, and the crate that defines the names.
const TABLES: [&str; 4] = [
    "crates/eval/src/functions/semantics.rs",
    "crates/function/src/",
    "crates/module/src/rules/",
    "crates/packer/src/rules.rs",
];

/// A file or folder that may name products, with the reason.
struct Allowed {
    path: &'static str,
    reason: &'static str,
}

const ALLOWED: [Allowed; 16] = [
    Allowed { path: "crates/cli/src/console/session.rs", reason: "chooses a module or a template" },
    Allowed { path: "crates/cli/src/eval/mod.rs", reason: "chooses a module or a template" },
    Allowed { path: "crates/cli/src/evaluated.rs", reason: "chooses a module or a template" },
    Allowed { path: "crates/cli/src/functions.rs", reason: "shows the editions that have a function" },
    Allowed { path: "crates/cli/src/graph.rs", reason: "chooses a module or a template" },
    Allowed { path: "crates/module/src/model/provider.rs", reason: "recognises the registry of any product" },
    Allowed { path: "crates/module/src/model/source.rs", reason: "recognises the registry of any product" },
    Allowed { path: "crates/packer/src/model/request.rs", reason: "makes the dialect of a template" },
    Allowed {
        path: "crates/stdlib/src/",
        reason: "rows of functions say which products declare another type",
    },
    Allowed { path: "crates/terrane/src/check.rs", reason: "chooses a module or a template" },
    Allowed { path: "crates/terrane/src/dialect_at.rs", reason: "chooses the dialect of a directory" },
    Allowed { path: "crates/terrane/src/document/template.rs", reason: "makes the dialect of a template" },
    Allowed { path: "crates/terrane/src/library.rs", reason: "reads the products in a row of a function" },
    Allowed { path: "crates/terrane/src/outline.rs", reason: "makes the dialect of a template" },
    Allowed { path: "crates/terrane/src/roots/walk.rs", reason: "chooses a module or a template" },
    Allowed {
        path: "crates/terrane/src/template.rs",
        reason: "takes the edition of a template from a dialect",
    },
];

/// Returns the places in the code of a file that ask for a product, an edition or a phase, as line and text. Tests at the end of the file do not
/// count.
fn questions(content: &str) -> Vec<(usize, &str)> {
    let tests = content.find("#[cfg(test)]").unwrap_or(content.len());
    let lines = content[..tests].lines().enumerate();
    let code = lines.filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.filter(|(_, line)| asks(line)).map(|(number, line)| (number + 1, line.trim())).collect()
}

fn asks(line: &str) -> bool {
    let names = ["is_terraform", "is_opentofu", "is_packer"];
    let mut words = line.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'));
    let compares = |name: &str| {
        ["== ", "!= ", "< ", "<= ", "> ", ">= "].iter().any(|sign| line.contains(&format!("{sign}{name}::")))
    };
    line.contains("Product::")
        || line.contains(".product()")
        || compares("Edition")
        || compares("Phase")
        || words.any(|word| names.contains(&word))
}

fn broken(file: &File) -> Vec<String> {
    let is_free = |path: &str| file.path.starts_with(path);
    if TABLES.into_iter().any(is_free) || ALLOWED.iter().any(|allowed| is_free(allowed.path)) {
        return Vec::new();
    }
    let text = |(line, text)| format!("{}:{line}: {text}", file.path);
    questions(&file.content).into_iter().map(text).collect()
}

#[test]
fn differences_of_products_stand_in_the_tables_of_rules() {
    let engine = || sources().map(|(_, file)| file).filter(|file| file.path.starts_with("crates/"));
    let found: Vec<String> = engine().flat_map(broken).collect();
    none(
        "A question about the product, edition or phase outside of the tables of rules; ask a named question there",
        &found,
    );
    let unused = ALLOWED.iter().filter(|allowed| {
        !engine().any(|file| file.path.starts_with(allowed.path) && !questions(&file.content).is_empty())
    });
    let unused: Vec<String> = unused.map(|row| format!("{}: {}", row.path, row.reason)).collect();
    none("A file in the list of this rule asks for no product; remove its row", &unused);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_products_are_found() {
        let content = "// is_opentofu\nif dialect.product() == x {}\nif self.is_opentofu {}\nis_terraform_data(x);\n\
                       Some(Product::Packer)\nphase != Phase::Plan\nif edition >= Edition::new(1, 9) {}\nEdition::NEWEST\n\
                       #[cfg(test)]\nis_packer()";
        let lines: Vec<usize> = questions(content).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 3, 5, 6, 7]);
        let file = |path: &str| File { path: path.to_owned(), content: content.to_owned() };
        assert_eq!(broken(&file("crates/module/src/load/calls.rs")).len(), 5);
        assert!(broken(&file("crates/module/src/rules/table.rs")).is_empty());
    }
}
