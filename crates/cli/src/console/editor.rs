//! The callbacks of the line editor: completion, colours, and whether an input is complete.

use std::borrow::Cow;

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper, Result};
use terrane::function::Limits;
use terrane::render::{visible, visible_name};
use terrane::syntax::is_identifier;
use terrane::value::display::quote;
use terrane::{Files, InputLines, Secrets, Session};

use super::loops::{Loop, open_loops};
use crate::colors::colored;

/// Answers the line editor.
pub(super) struct Assistant {
    pub(super) session: Session,
    /// Limits under which the configuration is read again.
    pub(super) limits: Limits,
    pub(super) files: &'static dyn Files,
    pub(super) secrets: Secrets,
    pub(super) color: bool,
}

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if self.color { colored(line) } else { Cow::Borrowed(line) }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.color { Cow::Owned(format!("\u{1b}[1m{prompt}\u{1b}[0m")) } else { Cow::Borrowed(prompt) }
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        self.color && kind != CmdKind::MoveCursor
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        let mut lines = InputLines::default();
        for line in context.input().lines() {
            lines.add(line);
        }
        Ok(if lines.is_open() { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let before = line.get(..position).unwrap_or_default();
        let start = beginning(before);
        Ok((start, candidates(&self.session, before, self.files, self.secrets)))
    }
}

/// Returns the offset of the reference or name at the end of `before`: of `module.a["k"].o` in `[module.a["k"].o`.
fn beginning(before: &str) -> usize {
    let mut start = before.len();
    // The reference continues behind the bracket of a key that is being typed.
    if let Some((source, key)) = before.rsplit_once("[\"")
        && !key.contains('"')
    {
        start = source.len();
    }
    loop {
        let rest = before.get(..start).unwrap_or_default();
        let Some(last) = rest.chars().next_back() else { return start };
        match last {
            c if is_word(c) => start -= c.len_utf8(),
            ']' => match rest.rfind('[') {
                Some(open) => start = open,
                None => return start,
            },
            _ => return start,
        }
    }
}

/// Whether a reference or the name of a function may contain `c`.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':')
}

/// Returns the completions of the last reference or name of `before`.
pub(super) fn candidates(session: &Session, before: &str, files: &dyn Files, secrets: Secrets) -> Vec<Pair> {
    // The editor prints both texts of a completion.
    let pair = |display: &str, replacement: String| Pair {
        display: visible_name(display),
        replacement: visible(&replacement).into_owned(),
    };
    let word = before.get(beginning(before)..).unwrap_or_default();
    let loops = open_loops(before);
    let attributes = |source: &str| session.attributes(&of_element(source, &loops), files, secrets);
    let mut found: Vec<Pair> = Vec::new();
    if let Some((source, beginning)) = word.rsplit_once("[\"").filter(|(_, key)| !key.contains('"')) {
        let keys = attributes(source).into_iter().filter(|key| key.starts_with(beginning));
        return keys.map(|key| pair(&key, format!("{source}[{}]", quote(&key)))).collect();
    }
    if let Some((source, beginning)) = word.rsplit_once('.') {
        for name in attributes(source) {
            if name.starts_with(beginning) && is_identifier(&name) {
                found.push(pair(&name, format!("{source}.{name}")));
            }
        }
    }
    let bound = loops.iter().flat_map(|open| open.key.into_iter().chain([open.element]));
    found.extend(bound.filter(|name| name.starts_with(word)).map(|name| pair(name, name.to_owned())));
    for name in session.names() {
        if name.starts_with(word) && !found.iter().any(|candidate| candidate.replacement == name) {
            found.push(pair(&name, name.clone()));
        }
    }
    let (prefix, name) = word.strip_prefix("core::").map_or(("", word), |name| ("core::", name));
    // Functions of a provider are suggested only after `provider::`.
    let rows = session.functions().rows().filter(|row| row.name.starts_with(name));
    for function in rows.filter(|row| !row.name.contains("::") || name.contains("::")) {
        found.push(pair(&format!("{prefix}{}(…)", function.name), format!("{prefix}{}(", function.name)));
    }
    // A command is the only word of its input.
    let is_alone = !word.is_empty() && before.trim_start() == word;
    let commands = [":type ", ":reload", "help", "exit", "quit"].into_iter();
    found.extend(
        commands.filter(|name| is_alone && name.starts_with(word)).map(|name| pair(name, name.to_owned())),
    );
    found
}

/// Returns a reference for completion. If it begins with a name that a loop binds, that name is replaced by the first element
/// of the loop's collection.
fn of_element(reference: &str, loops: &[Loop<'_>]) -> String {
    let end = reference.find(['.', '[']).unwrap_or(reference.len());
    let (root, rest) = reference.split_at(end);
    match loops.iter().rev().find(|open| open.element == root) {
        Some(open) => format!("[for e in ({}) : e][0]{rest}", open.collection),
        None => reference.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use terrane::{MemoryFiles, Project};

    use super::*;

    #[test]
    fn nothing_in_a_name_reaches_the_terminal() {
        let module = "locals {\na = { \"k\\u001b[2J\\u202e\\n::x\" = 1, \"k\\u009b\" = 2 }\n}";
        let files: MemoryFiles = [("main.tf", module)].into_iter().collect();
        let session = Session::of_module(Project::new(".").evaluate(&files));
        for word in ["local.a[\"", "local.a.", "local."] {
            for pair in candidates(&session, word, &files, Secrets::Hidden) {
                for text in [pair.display, pair.replacement] {
                    assert!(!text.contains(['\n', '\u{1b}', '\u{9b}', '\u{202e}']), "{text:?}");
                }
            }
        }
        assert_eq!(candidates(&session, "local.a[\"", &files, Secrets::Hidden).len(), 2);
    }

    fn completed(word: &str) -> Vec<String> {
        let module = concat!(
            "variable \"zone\" {}\nlocals {\ntags = { Name = 1, Note = 2, \"N b\" = { c = 1 } }\n",
            "hidden = { (sensitive(\"a\")) = 1 }\nlist = [{ a = 1 }]\n}\nresource \"a_b\" \"c\" { size = 1 }"
        );
        let files: MemoryFiles = [("main.tf", module)].into_iter().collect();
        let session = Session::of_module(Project::new(".").evaluate(&files));
        candidates(&session, word, &files, Secrets::Hidden).into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn a_reference_begins_after_the_last_other_character() {
        for (before, word) in [
            ("[1, local.a", "local.a"),
            ("upper(module.a[\"k\"].o", "module.a[\"k\"].o"),
            ("{ a = local.m[\"x y", "local.m[\"x y"),
            ("\"${var.", "var."),
            ("", ""),
        ] {
            assert_eq!(&before[beginning(before)..], word);
        }
    }

    #[test]
    fn references_attributes_and_functions_are_completed() {
        assert_eq!(completed("va"), ["var.zone", "values("]);
        assert_eq!(completed("local.t"), ["local.tags"]);
        assert_eq!(completed("local.list[*]."), ["local.list[*].a"]);
        assert!(completed("local.hidden.").is_empty() && completed("local.hidden[\"").is_empty());
        assert_eq!(completed("local.tags.N"), ["local.tags.Name", "local.tags.Note"]);
        assert_eq!(
            completed("local.tags[\"N"),
            ["local.tags[\"N b\"]", "local.tags[\"Name\"]", "local.tags[\"Note\"]",]
        );
        assert_eq!(completed("local.tags[\"N b\"]."), ["local.tags[\"N b\"].c"]);
        assert_eq!(completed("core::cidrs"), ["core::cidrsubnet(", "core::cidrsubnets("]);
        assert_eq!(completed("a_b.c.s"), ["a_b.c.size"]);
        assert_eq!(completed("cidrs"), ["cidrsubnet(", "cidrsubnets("]);
        assert_eq!(completed(":t"), [":type "]);
        assert_eq!(completed("he"), ["help"]);
        assert!(completed("1 + he").is_empty());
    }

    #[test]
    fn names_of_loops_are_completed() {
        assert_eq!(completed("[for entry in local.list : ent"), ["entry"]);
        assert_eq!(completed("[for entry in local.list : entry."), ["entry.a"]);
        assert_eq!(completed("{for number, tag in local.tags : num"), ["number"]);
        assert_eq!(completed("[for t in [local.tags] : t[\"Nam"), ["t[\"Name\"]"]);
        assert!(completed("[for t in local.hidden : t.").is_empty());
        assert!(completed("[for entry in local.list : 1] + ent").is_empty());
    }
}
