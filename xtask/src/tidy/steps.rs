//! The way from text to value is short, and ARCHITECTURE.md lists it: the functions exist, and each file calls the next.

use super::{files_with, none};

/// The largest number of steps.
const MOST_STEPS: usize = 12;

/// The first step that the one before it calls; the steps before are the passes of a pipeline.
const FIRST_CALLED: usize = 5;

/// A row `| 7. | `value` | `module/src/state/context.rs` | ... |`.
#[derive(PartialEq, Eq, Debug)]
struct Step<'s> {
    function: &'s str,
    path: &'s str,
}

fn steps(page: &str) -> Vec<Step<'_>> {
    let step = |line| {
        let cells: Vec<&str> = str::split(line, '|').map(|cell| cell.trim().trim_matches('`')).collect();
        match cells.as_slice() {
            ["", number, function, path, ..] if number.strip_suffix('.')?.parse::<usize>().is_ok() => {
                Some(Step { function, path })
            }
            _ => None,
        }
    };
    page.lines().filter_map(step).collect()
}

/// The mistakes in a list of steps. `content` gives the text of a file in `crates/`.
fn mistakes<'s>(steps: &[Step<'s>], content: impl Fn(&'s str) -> Option<&'s str>) -> Vec<String> {
    let mut mistakes = Vec::new();
    if !(1..=MOST_STEPS).contains(&steps.len()) {
        mistakes.push(format!("{} steps; there may be 1 to {MOST_STEPS}", steps.len()));
    }
    for (index, step) in steps.iter().enumerate() {
        let Step { function, path } = step;
        let Some(text) = content(path) else {
            mistakes.push(format!("{path} is no file"));
            continue;
        };
        if !text.contains(&format!("fn {function}(")) && !text.contains(&format!("fn {function}<")) {
            mistakes.push(format!("{path} has no function `{function}`"));
        }
        if let Some(next) = steps.get(index + 1).filter(|_| index + 1 >= FIRST_CALLED)
            && !calls(text, next.function)
        {
            mistakes.push(format!("{path} does not call `{}`", next.function));
        }
    }
    mistakes
}

/// Whether a text calls a function, by its own name or by one under which it is imported.
fn calls(text: &str, function: &str) -> bool {
    [format!("{function}("), format!("{function} as ")].iter().any(|call| {
        text.match_indices(call.as_str()).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            !before.is_some_and(|before| before.is_alphanumeric() || before == '_')
                && !text[..at].ends_with("fn ")
        })
    })
}

#[test]
fn the_way_from_text_to_value_is_listed() {
    let page = &files_with("ARCHITECTURE.md").next().expect("ARCHITECTURE.md").content;
    let content = |path: &str| {
        let path = format!("crates/{path}");
        files_with(".rs").find(|file| file.path == path).map(|file| file.content.as_str())
    };
    none("ARCHITECTURE.md does not list the way from text to value", &mistakes(&steps(page), content));
}

#[test]
fn wrong_steps_are_found() {
    let page = "| 1. | `one` | `a.rs` | x |\n| 1 | `crate` | y |\n| 2. | `two` | `b.rs` | x |\n";
    let found = steps(page);
    assert_eq!(found, [Step { function: "one", path: "a.rs" }, Step { function: "two", path: "b.rs" }]);
    let content = |path: &str| (path == "a.rs").then_some("pub fn one() {}");
    assert_eq!(mistakes(&found, content), ["b.rs is no file"]);
    let content = |path: &str| Some(if path == "a.rs" { "fn one_more() {}" } else { "fn two<T>() {}" });
    assert_eq!(mistakes(&found, content), ["a.rs has no function `one`"]);
    assert!(calls("self.two(1)", "two") && calls("use a::two as second;", "two"));
    assert!(!calls("fn two() {}", "two") && !calls("thirty_two()", "two"));
}
