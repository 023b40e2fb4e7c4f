//! Runs the examples of README and of the pages in `docs/`, and compares the output of each command with the page.
//!
//! In a `console` block, each line that begins with `$ ` is a command, and the lines below it are its output. HTML comments before a
//! block of a page are instructions to this test:
//!
//! - `<!-- file: NAME -->`: the next block is written to the file NAME. A comment of several lines is itself the file.
//! - `<!-- output: COMMAND -->`: COMMAND is run, and the next block must be a part of its output.
//! - `<!-- run: COMMAND -->`: COMMAND is run, and its output is not compared.
//! - `<!-- not run: REASON -->`: the next block is not run.
//! - `<!-- new directory -->`: the commands below run in an empty directory.
//!
//! `tests/README.md` has the rules for the output.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Pages whose examples are not run, with the reason.
const LEFT_OUT: [(&str, &str); 1] =
    [("docs/functions.md", "generated from the function library, whose examples are tests")];

/// The least number of examples that are run.
const FLOOR: usize = 60;

/// Programs that every machine with a shell has. Other tools are not run.
const PROGRAMS: [&str; 4] = ["terrane", "echo", "printf", "cat"];

/// One step of a page, with the number of its line.
enum Step {
    /// Creates a file.
    Write { name: String, content: String },
    /// Runs a command. `part` is true if the text is a part of the output.
    Run { line: usize, command: String, shown: String, part: bool },
    /// Runs a command whose output is not on the page.
    Prepare(String),
    /// Continues in an empty directory.
    Empty,
    /// Breaks the rules of the examples.
    Mistake { line: usize, message: String },
}

/// The instruction for the next block of a page.
#[derive(Default)]
enum About {
    #[default]
    Nothing,
    File(String),
    Output(String),
    NotRun,
    /// A comment with another purpose.
    Other,
}

/// Reads a page line by line.
struct Reader<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    about: About,
    steps: Vec<Step>,
}

impl Reader<'_> {
    /// Returns the lines before one that is `end`.
    fn until(&mut self, end: &str) -> String {
        let lines = self.lines.by_ref().map(|(_, line)| line).take_while(|line| *line != end);
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    fn mistake(&mut self, index: usize, message: &str) {
        self.steps.push(Step::Mistake { line: index + 1, message: message.to_owned() });
    }

    /// Reads a comment, and a file in it.
    fn comment(&mut self, text: &str) {
        let (text, open) = text.strip_suffix(" -->").map_or((text, true), |text| (text, false));
        let about = match text.split_once(": ").unwrap_or((text, "")) {
            ("file", name) if open => {
                let content = self.until("-->");
                self.steps.push(Step::Write { name: name.to_owned(), content });
                return;
            }
            ("new directory", "") if !open => {
                self.steps.push(Step::Empty);
                return;
            }
            ("run", command) if !open => {
                self.steps.push(Step::Prepare(command.to_owned()));
                return;
            }
            ("file", name) => About::File(name.to_owned()),
            ("output", command) if !open => About::Output(command.to_owned()),
            ("not run", reason) if !open && !reason.is_empty() => About::NotRun,
            _ => About::Other,
        };
        self.about = about;
    }

    /// Reads a block.
    fn block(&mut self, index: usize, language: &str) {
        let content = self.until("```");
        match std::mem::take(&mut self.about) {
            About::File(name) => self.steps.push(Step::Write { name, content }),
            About::Output(command) => {
                self.steps.push(Step::Run { line: index + 1, command, shown: content, part: true });
            }
            About::NotRun => {}
            About::Other => self.mistake(index, "the comment before the block is none of those for examples"),
            About::Nothing if language == "console" => self.session(index + 1, &content),
            About::Nothing if content.starts_with("$ ") || content.contains("\n$ ") => {
                self.mistake(index, "a block with commands and output is a `console` block");
            }
            About::Nothing => {}
        }
    }

    /// Reads the commands of a block and their output.
    fn session(&mut self, first: usize, content: &str) {
        let mut lines = content.lines().enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            let line_number = first + index + 1;
            let Some(start) = line.strip_prefix("$ ") else {
                return self.mistake(line_number - 1, "a `console` block begins with a command");
            };
            let mut command = start.to_owned();
            while command.ends_with(['\\', '|']) {
                let (_, next) = lines.next().expect("the rest of the command");
                command = format!("{command}\n{next}");
            }
            let mut shown = String::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("$ ")) {
                shown = format!("{shown}{line}\n");
            }
            let shown = format!("{}\n", shown.trim_end());
            if let Some(name) = command.strip_prefix("cat ").filter(|name| !name.contains(' ')) {
                self.steps.push(Step::Write { name: name.to_owned(), content: shown });
            } else if only_known_programs(&command) {
                self.steps.push(Step::Run { line: line_number, command, shown, part: false });
            } else if shown != "\n" {
                self.mistake(line_number - 1, "the output of another tool needs `<!-- not run: REASON -->`");
            }
        }
    }
}

/// Reports whether a command needs no other tools.
fn only_known_programs(command: &str) -> bool {
    command
        .split(" | ")
        .all(|part| part.split_whitespace().next().is_some_and(|word| PROGRAMS.contains(&word)))
}

/// Returns the steps of a page.
fn steps(page: &str) -> Vec<Step> {
    let mut reader = Reader { lines: page.lines().enumerate(), about: About::Nothing, steps: Vec::new() };
    while let Some((index, line)) = reader.lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            reader.block(index, language);
            continue;
        }
        let unused = !line.is_empty() && !matches!(reader.about, About::Nothing | About::Other);
        if unused {
            reader.mistake(index, "no block follows the comment");
        }
        if !line.is_empty() {
            reader.about = About::Nothing;
        }
        if let Some(text) = line.strip_prefix("<!-- ") {
            reader.comment(text);
        }
    }
    reader.steps
}

/// Returns a directory with a copy of `examples/`.
fn directory(root: &Path) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    copy(&root.join("examples"), &directory.path().join("examples"));
    directory
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// Runs a command. Returns the lines of standard output and of standard error, with a fixed time.
fn run(directory: &Path, command: &str) -> [Vec<String>; 2] {
    let programs = Path::new(env!("CARGO_BIN_EXE_terrane")).parent().expect("a directory").display();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(directory)
        .env_clear()
        .env("PATH", format!("{programs}:/usr/bin:/bin"))
        .env("TERRANE_CACHE_DIR", directory.join(".store"))
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    [output.stdout, output.stderr].map(|bytes| {
        let text = String::from_utf8(bytes).expect("UTF-8");
        text.lines().map(same_time).collect()
    })
}

/// Returns the line with `2 ms` in the place of any time at its end.
fn same_time(line: &str) -> String {
    let start = line.strip_suffix(" ms").and_then(|start| start.rsplit_once(" in "));
    start.map_or_else(|| line.to_owned(), |(start, _)| format!("{start} in 2 ms"))
}

/// Whether the text on a page equals the output of a command: all lines of standard output, of which a line `...` may replace some, and
/// any lines of standard error.
fn shows(shown: &str, [stdout, stderr]: &[Vec<String>; 2]) -> bool {
    let (mut stdout, mut stderr) = (stdout.iter(), stderr.iter());
    let mut gap = false;
    for line in shown.trim_end().lines().map(same_time) {
        let found = stdout.as_slice().iter().position(|printed| *printed == line);
        match found {
            _ if line == "..." => gap = true,
            Some(position) if gap || position == 0 => {
                stdout.nth(position);
                gap = false;
            }
            _ if stderr.any(|printed| *printed == line) => {}
            _ => return false,
        }
    }
    gap || stdout.next().is_none()
}

/// Whether the text on a page is consecutive lines of the output of a command.
fn shows_part(shown: &str, printed: &[Vec<String>; 2]) -> bool {
    let shown: Vec<String> = shown.trim_end().lines().map(same_time).collect();
    printed.iter().any(|lines| lines.windows(shown.len()).any(|window| window == shown))
}

/// Runs the examples of a page. Returns their number, and a text for each that differs.
fn examples(root: &Path, name: &str) -> (usize, Vec<String>) {
    let page = fs::read_to_string(root.join(name)).expect("a page");
    let mut place = directory(root);
    let (mut number, mut failures) = (0, Vec::new());
    for step in steps(&page) {
        match step {
            Step::Prepare(command) => drop(run(place.path(), &command)),
            Step::Empty => place = directory(root),
            Step::Write { name, content } => {
                let path = place.path().join(name);
                fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
                fs::write(path, content).expect("a file");
            }
            Step::Run { line, command, shown, part } => {
                number += 1;
                let printed = run(place.path(), &command);
                let same = if part { shows_part(&shown, &printed) } else { shows(&shown, &printed) };
                if !same {
                    let [stdout, stderr] = printed.map(|lines| lines.join("\n"));
                    let printed = format!("--- standard output:\n{stdout}\n--- standard error:\n{stderr}");
                    failures
                        .push(format!("{name}:{line}: {command}\n--- the page shows:\n{shown}{printed}\n"));
                }
            }
            Step::Mistake { line, message } => failures.push(format!("{name}:{line}: {message}\n")),
        }
    }
    (number, failures)
}

/// Returns the names of all pages, sorted.
fn pages(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join("docs")).expect("docs");
    let files = entries.map(|entry| PathBuf::from(entry.expect("an entry").file_name()));
    let pages = files.filter(|file| file.extension().is_some_and(|extension| extension == "md"));
    let mut names: Vec<String> = pages.map(|file| format!("docs/{}", file.display())).collect();
    names.sort();
    names.push("README.md".to_owned());
    names
}

#[test]
fn the_pages_show_what_the_command_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let only = std::env::var("PAGE").unwrap_or_default();
    let (mut number, mut failures) = (0, Vec::new());
    for page in pages(&root) {
        if page.contains(&only) && LEFT_OUT.iter().all(|(name, _)| *name != page) {
            let (run, failed) = examples(&root, &page);
            println!("{page}: {run} examples");
            number += run;
            failures.extend(failed);
        }
    }
    assert!(failures.is_empty(), "{} of {number} examples differ:\n{}", failures.len(), failures.join("\n"));
    assert!(!only.is_empty() || number >= FLOOR, "only {number} examples were run");
}
