//! The functions and types that the pages for contributors name are in the files that the pages say: `` `name` in
//! `crate/src/file.rs` ``.

use super::{File, files, none};

/// The pages for contributors. They write the paths of sources relative to `crates/`.
const PAGES: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "DESIGN.md"];

/// A name with the file or folder that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Named<'p> {
    name: &'p str,
    path: &'p str,
}

/// Returns the names in a page.
fn named(page: &str) -> Vec<Named<'_>> {
    page.match_indices("` in `")
        .filter_map(|(at, between)| {
            let (_, name) = page[..at].rsplit_once('`')?;
            let (path, _) = page[at + between.len()..].split_once('`')?;
            path.contains("/src").then_some(Named { name, path })
        })
        .collect()
}

/// Whether a text declares a name: of `T::f`, the last segment counts.
fn declares(text: &str, name: &str) -> bool {
    let name = name.rsplit("::").next().unwrap_or(name);
    let keywords = ["fn", "struct", "enum", "trait", "type", "const", "mod"];
    keywords.iter().any(|keyword| {
        text.match_indices(&format!("{keyword} {name}")).any(|(at, found)| {
            let next = text[at + found.len()..].chars().next();
            !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
        })
    })
}

#[test]
fn names_in_pages_are_where_they_say() {
    let mut broken = Vec::new();
    for File { path: page, content } in files().iter().filter(|file| PAGES.contains(&&*file.path)) {
        for Named { name, path } in named(content) {
            let place = format!("crates/{}", path.strip_prefix("crates/").unwrap_or(path));
            let mut inside = files().iter().filter(|file| file.path.starts_with(&place));
            if !inside.any(|file| declares(&file.content, name)) {
                broken.push(format!("{page}: `{name}` is not in {place}"));
            }
        }
    }
    none("A page names a function that is not there; correct the page", &broken);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_with_their_files() {
        let page = "| a | `T::f` in `x/src/a.rs`, `g` in `y/src/b/` there; `h` in `z` |";
        let expected = [Named { name: "T::f", path: "x/src/a.rs" }, Named { name: "g", path: "y/src/b/" }];
        assert_eq!(named(page), expected);
        assert!(declares("impl T {\n    pub(crate) fn f<'a>(&self) {}\n}", "T::f"));
        assert!(!declares("fn f_of() {}\n// calls f", "f"));
    }
}
