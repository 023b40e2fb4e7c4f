//! Finds the names by which an option may refer to the source of a module call.

use crate::model::source::{ModuleSource, NormalSource, without_default_host};

/// A name for the source of a call.
#[derive(PartialEq, Debug)]
pub(crate) struct SourceName {
    pub(crate) text: String,
    /// The directory of the module inside its package, if the name is the name of the package.
    pub(crate) inside: Option<String>,
}

/// Returns the names for the source of a call, most specific first: the source as written, its package, and forms of
/// both that are the same for other spellings.
pub(crate) fn names_of_call(written: &str, source: &ModuleSource) -> Vec<SourceName> {
    let mut names: Vec<SourceName> = Vec::new();
    let mut add = |text: &str, inside: Option<&str>| {
        if names.iter().all(|name| name.text != text) {
            names.push(SourceName { text: text.to_owned(), inside: inside.map(str::to_owned) });
        }
    };
    let whole = source.to_string();
    let (package, directory) = source.package();
    add(written, None);
    add(&whole, None);
    add(without_default_host(&whole), None);
    if let Some(normal) = NormalSource::of(source) {
        add(&normal.text(true, true), None);
        add(&normal.text(true, false), None);
        let inside = Some(&*normal.directory).filter(|directory| !directory.is_empty());
        add(package, directory);
        add(without_default_host(package), directory);
        add(&normal.text(false, true), inside);
        add(&normal.text(false, false), inside);
    }
    add(package, directory);
    names
}

/// Returns the forms of a name in an option. The option is for a call if one of them is equal to one of
/// [`names_of_call`]. The text may have stars.
pub(crate) fn forms_of_option(text: &str) -> Vec<String> {
    let mut forms = vec![text.to_owned()];
    let normal = ModuleSource::parse(text, false).ok().and_then(|source| NormalSource::of(&source));
    for form in [Some(without_default_host(text).to_owned()), normal.map(|normal| normal.text(true, true))] {
        forms.extend(form.filter(|form| !forms.contains(form)));
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the directory inside the package that an option with this name means for a call; `None` if the
    /// option is for other calls.
    fn inside(option: &str, call: &str) -> Option<String> {
        let source = ModuleSource::parse(call, false).expect("an address");
        let names = names_of_call(call, &source);
        let forms = forms_of_option(option);
        let name = names.into_iter().find(|name| forms.contains(&name.text))?;
        Some(name.inside.unwrap_or_default())
    }

    #[test]
    fn spellings_of_a_source_are_one() {
        for (option, call, expected) in [
            ("git::https://github.com/o/r.git", "github.com/o/r", Some("")),
            ("github.com/o/r", "git::https://github.com/o/r.git//m/n?ref=v1", Some("m/n")),
            ("git@github.com:o/r.git", "git::https://github.com/o/r//m", Some("m")),
            ("git::ssh://git@github.com/o/r.git", "git@github.com:o/r.git", Some("")),
            ("git::https://GitHub.com/o/r", "github.com/o/r.git", Some("")),
            ("github.com/o/r//m", "git::https://github.com/o/r.git//m?ref=v1", Some("")),
            ("github.com/o/r?ref=v1", "git::https://github.com/o/r.git//m?ref=v1", Some("m")),
            ("github.com/o/r?ref=v2", "git::https://github.com/o/r.git//m?ref=v1", None),
            ("git::https://x.org/a?depth=1&ref=1", "git::https://x.org/a.git?ref=1&depth=1", Some("")),
            ("github.com/o/s", "github.com/o/r", None),
            ("registry.terraform.io/a/b/c", "a/b/c//d", Some("d")),
            ("a/b/c", "registry.opentofu.org/a/b/c", Some("")),
            ("a/b/c", "app.terraform.io/a/b/c", None),
            ("https://x.org/a.zip", "https://x.org/a.zip//m?archive=zip", Some("m")),
            ("https://x.org/a.git", "git::https://x.org/a.git", None),
            ("/opt/m", "/opt/m", Some("")),
        ] {
            assert_eq!(inside(option, call).as_deref(), expected, "{option} {call}");
        }
    }
}
