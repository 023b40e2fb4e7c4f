//! How long hostile texts take, from bytes to messages on the terminal and as JSON, and how the time grows:
//! `cargo run --release --bin hostile`.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use terrane_render::{TerminalOptions, compact, terminal, validate_json};
use terrane_source::{FileId, SourceFile};
use terrane_syntax::parse_body;

/// Nothing hostile may take longer.
const MOST: Duration = Duration::from_secs(2);

const DEPTH: usize = 200_000;
const LINE_BYTES: usize = 50_000_000;

fn main() {
    println!("{:44} {:>10} {:>10} {:>9} {:>9} {:>8}", "", "bytes", "messages", "parse", "render", "growth");
    let mut slow = Vec::new();
    for (name, make) in texts() {
        let small = measure(make(1));
        let large = measure(make(10));
        let growth = (large.parse + large.render).as_secs_f64() / (small.parse + small.render).as_secs_f64();
        println!(
            "{name:44} {:>10} {:>10} {:>6.0} ms {:>6.0} ms {growth:>7.1}x",
            large.bytes,
            large.messages,
            large.parse.as_secs_f64() * 1e3,
            large.render.as_secs_f64() * 1e3
        );
        if large.parse + large.render > MOST {
            slow.push(name);
        }
    }
    assert!(slow.is_empty(), "more than {MOST:?}: {slow:?}");
}

struct Measured {
    bytes: usize,
    messages: usize,
    parse: Duration,
    render: Duration,
}

fn measure(text: String) -> Measured {
    let bytes = text.len();
    let start = ThreadTime::now();
    let source = SourceFile::from_bytes(FileId::new("hostile.tf"), text.into_bytes()).expect("UTF-8");
    let diagnostics = parse_body(&source).diagnostics;
    let parse = start.elapsed();
    let start = ThreadTime::now();
    for diagnostic in &diagnostics {
        black_box(terminal(diagnostic, TerminalOptions::default()));
        black_box(compact(diagnostic));
    }
    black_box(validate_json(&diagnostics, |_| None));
    Measured { bytes, messages: diagnostics.len(), parse, render: start.elapsed() }
}

/// Makes a text of a tenth of its full size for each unit.
type Make = Box<dyn Fn(usize) -> String>;

fn texts() -> Vec<(String, Make)> {
    let mut texts: Vec<(String, Make)> = Vec::new();
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{a=", "1", "}"),
        ("f(", "1", ")"),
        ("a[", "1", "]"),
        ("\"${", "1", "}\""),
        ("a ? ", "1", " : 2"),
        ("a ? 1 : ", "1", ""),
        ("[for a in ", "b", " : a]"),
        ("{for a in ", "b", " : a => a}"),
        ("!", "true", ""),
        ("-", "1", ""),
        ("(a[*].b[", "1", "])"),
        ("[", "a", "].*.b[0]"),
        ("<<A\n${", "1", "}\nA\n"),
        ("\"%{if a}", "1", "%{endif}\""),
        ("\"%{for a in ", "b", "}%{endfor}\""),
    ] {
        let nested = move |tenths: usize| {
            let depth = DEPTH / 10 * tenths;
            format!("x = {}{inner}{}\n", open.repeat(depth), close.repeat(depth))
        };
        texts.push((format!("nested {open:?}"), Box::new(nested)));
        texts.push((
            format!("never closed {open:?}"),
            Box::new(move |tenths| format!("x = {}", open.repeat(DEPTH / 10 * tenths))),
        ));
    }
    let blocks = |tenths: usize| "a {\n".repeat(DEPTH / 10 * tenths) + &"}\n".repeat(DEPTH / 10 * tenths);
    texts.push(("nested blocks".to_owned(), Box::new(blocks)));
    texts.push(("never closed blocks".to_owned(), Box::new(|tenths| "a {\n".repeat(DEPTH / 10 * tenths))));
    for unit in [
        "\"",
        "\"\n",
        "'",
        "'a' ",
        "\"${",
        "${",
        "}",
        ")",
        "a = 1 ",
        "a = \u{e9} ",
        "\u{1f600}",
        "@",
        "/*",
        "~}",
        "\\",
        "<<A\n",
        "<<A\n${",
        "a = [1 2]\n",
        "a=\"b\n",
        "a = 'b'\n",
        "a {",
        "a = b = c\n",
        "x = \"%{ elseif }\"\n",
        "\r",
        "\0",
        "a.",
        "a[",
        "1.",
        "a::",
        "x = <<A\nA)\n",
        " ",
        "\t{",
    ] {
        let repeated = move |tenths: usize| unit.repeat(1_000_000 / 10 * tenths);
        texts.push((format!("a million {unit:?}"), Box::new(repeated)));
    }
    for (name, start, unit, end) in [
        ("a string", "a = \"", "x", "\"\n"),
        ("a string that is not closed", "a = \"", "x", ""),
        ("a list", "a = [", "\"some text\", ", "]\n"),
        ("a list of mistakes", "", "a = [1 2] @ ", "\n"),
        ("a heredoc that is not closed", "a = <<EOT\n", "line\n", ""),
        ("a heredoc of one line that is not closed", "a = <<EOT\n", "line ", ""),
        ("a comment that is not closed", "/*", " text", ""),
        ("escapes", "a = \"", "\\n\\q", "\"\n"),
        ("wide characters and a mistake", "a = \"", "漢", "\" @ 1 2\n"),
        ("combining marks and mistakes", "", "e\u{301} = 'x' ", ""),
        ("a name", "", "a", " = 1"),
        ("a number", "a = ", "1", "\n"),
    ] {
        let line = move |tenths: usize| {
            format!("{start}{}{end}", unit.repeat(LINE_BYTES / 10 * tenths / unit.len()))
        };
        texts.push((format!("50 MB: {name}"), Box::new(line)));
    }
    texts
}
