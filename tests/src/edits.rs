//! Random edits of whole trees: after each edit, a workspace must say what a fresh evaluation of the same files says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use terrane::{MemoryFiles, Project, Report, RootId, Secrets, Workspace};
use terrane_source::{FileKind, Files as _, OsFiles};

use crate::settings::{EDITS, below_tests, variable};
use crate::threads::EagerThreads;

/// The number of edits of a tree unless [`EDITS`] sets another.
const DEFAULT_EDITS: usize = 40;

/// The sequences of edits of a tree.
const SEEDS: u64 = 2;

/// One trial for each tree and seed.
pub fn trials() -> Vec<Trial> {
    let edits = variable(EDITS).and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_EDITS);
    let trees = trees().into_iter().flat_map(|tree| (1..=SEEDS).map(move |seed| (tree.clone(), seed)));
    let trial = |(tree, seed): (Tree, u64)| {
        Trial::test(format!("{}::{seed}", tree.name), move || run(&tree, seed, edits))
    };
    trees.map(trial).collect()
}

/// A directory with the root module in it.
#[derive(Clone)]
pub(crate) struct Tree {
    pub(crate) name: String,
    /// The texts of its files.
    pub(crate) files: BTreeMap<PathBuf, String>,
}

/// The examples and the whole modules of the repository.
pub(crate) fn trees() -> Vec<Tree> {
    let examples = below_tests("../examples");
    let parents = [below_tests("modules"), examples];
    let directories = parents.iter().flat_map(|parent| {
        let entries = OsFiles.list(parent).unwrap_or_default().into_iter();
        entries
            .filter(|entry| entry.kind == FileKind::Directory)
            .map(|entry| (entry.name.clone(), parent.join(entry.name)))
    });
    directories.map(|(name, directory)| Tree { name, files: texts(&directory) }).collect()
}

/// The texts below a directory.
fn texts(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut texts = BTreeMap::new();
    let mut left = vec![PathBuf::new()];
    while let Some(path) = left.pop() {
        for entry in OsFiles.list(&directory.join(&path)).unwrap_or_default() {
            let path = path.join(&entry.name);
            match entry.kind {
                FileKind::Directory => left.push(path),
                FileKind::File => {
                    let text = OsFiles
                        .read(&directory.join(&path))
                        .ok()
                        .and_then(|bytes| String::from_utf8(bytes).ok());
                    texts.extend(text.map(|text| (path, text)));
                }
                FileKind::Other => {}
            }
        }
    }
    texts
}

/// Edits a tree, and compares after each edit.
fn run(tree: &Tree, seed: u64, edits: usize) -> Result<(), Failed> {
    let below = Arc::new(tree.files.iter().collect::<MemoryFiles>());
    keep_directories(tree, &below);
    let mut workspace = Workspace::new(Arc::clone(&below));
    let root = workspace.add(Project::new("."));
    let mut editor =
        Editor { random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)), tree, texts: tree.files.clone() };
    let mut history = Vec::new();
    compare(&workspace, root, tree, &editor.texts)
        .map_err(|difference| format!("before any edit: {difference}"))?;
    for _ in 0..edits {
        // Several edits may come before an evaluation.
        for _ in 0..=editor.random.below(2) {
            history.push(editor.edit(&mut workspace, &below));
        }
        compare(&workspace, root, tree, &editor.texts).map_err(|difference| {
            let last = history.iter().rev().take(3).rev().cloned().collect::<Vec<_>>().join("\n");
            format!("after {} edits, the last of which are\n{last}\n{difference}", history.len())
        })?;
    }
    Ok(())
}

/// Adds a file to each directory: in memory, a directory exists only as long as there is a file.
fn keep_directories(tree: &Tree, files: &MemoryFiles) {
    for parent in tree.files.keys().filter_map(|path| path.parent()) {
        files.insert(parent.join("keep"), "");
    }
    files.insert("extra/keep", "");
}

/// Compares the report of a workspace with those of fresh evaluations, on one thread and on several.
fn compare(
    workspace: &Workspace,
    root: RootId,
    tree: &Tree,
    texts: &BTreeMap<PathBuf, String>,
) -> Result<(), String> {
    let again = workspace.evaluate(root, None).map_err(|error| error.to_string())?;
    let files: MemoryFiles = texts.iter().collect();
    keep_directories(tree, &files);
    let fresh = Project::new(".").evaluate(&files);
    equal(&again, &fresh).map_err(|difference| format!("workspace and fresh evaluation: {difference}"))?;
    let on_threads = Project::new(".").executor(EagerThreads(3)).evaluate(&files);
    equal(&on_threads, &fresh).map_err(|difference| format!("three threads and one: {difference}"))
}

/// Compares two reports.
pub(crate) fn equal(one: &Report, other: &Report) -> Result<(), String> {
    for (kind, text) in
        [("document", document as fn(&Report) -> String), ("values", values), ("diagnostics", diagnostics)]
    {
        let (one, other) = (text(one), text(other));
        if one != other {
            let at = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
            let near = |text: &str| {
                let near: Vec<u8> = text.bytes().skip(at.saturating_sub(200)).take(400).collect();
                String::from_utf8_lossy(&near).into_owned()
            };
            return Err(format!("another {kind}:\n{}\n{}", near(&one), near(&other)));
        }
    }
    Ok(())
}

fn document(report: &Report) -> String {
    report.document(Secrets::Shown).to_json()
}

/// The values with marks, refinements and origins.
fn values(report: &Report) -> String {
    format!("{:?}", report.entries().iter().map(|entry| (&entry.address, &entry.value)).collect::<Vec<_>>())
}

fn diagnostics(report: &Report) -> String {
    format!("{:?}", report.diagnostics())
}

/// Makes edits.
struct Editor<'t> {
    random: Random,
    tree: &'t Tree,
    /// The present texts.
    texts: BTreeMap<PathBuf, String>,
}

/// Words that an edit inserts or puts in place of others.
const WORDS: [&str; 16] = [
    "1",
    "null",
    "true",
    "\"x\"",
    "{}",
    "[]",
    "[1, 2]",
    "var.x",
    "local.y",
    "each.key",
    "count = 2\n",
    "}",
    "{",
    "\n",
    "${",
    "toset([\"a\", \"b\"])",
];

/// Whole items that an edit appends.
const ITEMS: [&str; 8] = [
    "locals {\n  extra = 1\n}\n",
    "output \"extra\" {\n  value = local.extra\n}\n",
    "variable \"x\" {\n  default = 1\n}\n",
    "resource \"terraform_data\" \"extra\" {\n  count = 2\n  input = count.index\n}\n",
    "data \"demo_image\" \"extra\" {\n  depends_on = [terraform_data.extra]\n}\n",
    "check \"extra\" {\n  assert {\n    condition     = local.extra == 2\n    error_message = \"No.\"\n  }\n}\n",
    "module \"extra\" {\n  source = \"./extra\"\n}\n",
    "output \"data\" {\n  value = data.demo_image.extra.id\n}\n",
];

impl Editor<'_> {
    /// Makes one edit, as an overlay or below. Returns it in words.
    fn edit(&mut self, workspace: &mut Workspace, below: &MemoryFiles) -> String {
        let (path, text) = self.changed();
        let shown = path.display();
        let as_overlay = self.random.below(3) > 0;
        match text {
            Some(text) => {
                if as_overlay {
                    workspace.set_overlay(&path, &text);
                } else {
                    below.insert(&path, &text);
                    workspace.remove_overlay(&path);
                    workspace.files_changed([&path]);
                }
                let words = format!("{shown} is\n{text}");
                self.texts.insert(path, text);
                words
            }
            None => {
                workspace.delete(&path);
                let words = format!("{shown} is deleted");
                self.texts.remove(&path);
                words
            }
        }
    }

    /// A path, and its next text.
    fn changed(&mut self) -> (PathBuf, Option<String>) {
        let paths: Vec<&PathBuf> = self.tree.files.keys().collect();
        let path = self.random.one(&paths).map_or_else(PathBuf::new, |path| (*path).clone());
        let original = self.tree.files.get(&path).cloned().unwrap_or_default();
        let Some(text) = self.texts.get(&path).cloned() else { return (path, Some(original)) };
        match self.random.below(12) {
            // Most sequences of edits would end in broken files.
            0..=3 => (path, Some(original)),
            4 => (path, None),
            5 => {
                let name = *self
                    .random
                    .one(&["extra/main.tf", "extra.tf", "extra_override.tf", "extra.auto.tfvars"])
                    .unwrap_or(&"extra.tf");
                let item = *self.random.one(&ITEMS).unwrap_or(&"");
                (
                    PathBuf::from(name),
                    Some(if name.ends_with("tfvars") { "x = 2\n".to_owned() } else { item.to_owned() }),
                )
            }
            6 | 7 => {
                let item = self.random.one(&ITEMS).copied().unwrap_or_default();
                (path, Some(format!("{text}\n{item}")))
            }
            8 => (path, Some(self.with_another_number(&text))),
            9 => (path, Some(self.without_a_line(&text))),
            _ => (path, Some(self.with_another_word(&text))),
        }
    }

    fn with_another_number(&mut self, text: &str) -> String {
        let digits: Vec<usize> =
            text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at).collect();
        let Some(at) = self.random.one(&digits).copied() else { return format!("{text}# 1\n") };
        let digit = self.random.below(10);
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        format!("{before}{digit}{after}")
    }

    fn without_a_line(&mut self, text: &str) -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let without = self.random.below(lines.len().max(1));
        lines.iter().enumerate().filter(|(number, _)| *number != without).map(|(_, line)| *line).collect()
    }

    fn with_another_word(&mut self, text: &str) -> String {
        let is_edge = |at: &usize| text.is_char_boundary(*at);
        let starts: Vec<usize> =
            text.match_indices([' ', '.', '"', '(']).map(|(at, _)| at + 1).filter(is_edge).collect();
        let Some(start) = self.random.one(&starts).copied() else { return format!("{text}\n# word\n") };
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find([' ', '.', '"', ')', '\n']).unwrap_or(0);
        let word = self.random.one(&WORDS).copied().unwrap_or_default();
        let (before, after) = (text.get(..start).unwrap_or_default(), rest.get(length..).unwrap_or_default());
        format!("{before}{word}{after}")
    }
}

/// Random numbers by a xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or_default() % limit.max(1)
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}
