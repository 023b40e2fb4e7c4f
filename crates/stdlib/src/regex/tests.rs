//! Tests of regular expressions.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use terrane_function::{CallEnv, Limits, Meter, call_converted};
use terrane_source::MemoryFiles;
use terrane_value::{Type, Value};

use super::{MAX_REMEMBERED_BYTES, Pattern, RECENT};
use crate::testing::{call, show, shown_of};

#[test]
fn results_follow_the_groups() {
    let cases = [
        ("[a-z]+", "12ab34", r#""ab""#),
        (r"(\d+)([a-z]+)", "aaa111bbb222", r#"["111","bbb"]"#),
        ("(?P<x>a)|(?<y>b)", "b", r#"{"x":null,"y":"b"}"#),
        ("(?P<n>a)(?P<n>b)", "ab", r#"{"n":"b"}"#),
        ("(a){0}(b)", "b", r#"[null,"b"]"#),
        ("(a|b*)*(c)", "abc", r#"["b","c"]"#),
        ("(a*)*", "b", r#"[""]"#),
        ("", "a", r#""""#),
        ("x", "a", "error"),
        ("(a)(?P<n>b)", "ab", "error 0"),
    ];
    for (pattern, text, want) in cases {
        assert_eq!(shown_of("regex", [pattern, text]), want, "{pattern}");
    }
}

#[test]
fn the_syntax_is_the_references() {
    let cases = [
        (r"\s", "\u{b}", "error"),
        (r"\d", "\u{663}", "error"),
        (r"[^\D]", "5", r#""5""#),
        (r"\<", "<", r#""\u003c""#),
        ("[a&&b]+", "a&b", r#""a\u0026b""#),
        (r"\Qa.b\E+", "a.bb", r#""a.bb""#),
        (r"\101\08", "A\u{0}8", r#""A\u00008""#),
        (r"\_\x41\x{42}", "_AB", r#""_AB""#),
        ("[]a]", "]", r#""]""#),
        ("[[:alpha]", ":", r#"":""#),
        ("[[:^word:]-]", "-", r#""-""#),
        ("a{,5}", "a{,5}", r#""a{,5}""#),
        ("a{01}", "a{01}", r#""a{01}""#),
        ("(?:a{2}){3}", "aaaaaa", r#""aaaaaa""#),
        ("(?U)a+a+?", "aaaa", r#""aaaa""#),
        ("(?i)k", "\u{212a}", "\"K\""),
        ("(?i)\\w", "\u{17f}", "\"\u{17f}\""),
        ("(?i:a)b", "Ab", r#""Ab""#),
        ("(?i:a)b", "AB", "error"),
        ("a$", "a\n", "error"),
        ("(?m)a$", "a\n", r#""a""#),
        ("(?s).", "\n", r#""\n""#),
        (".", "\n", "error"),
        (r"\pN\p{^Greek}\P{Lu}", "5ab", r#""5ab""#),
        (r"\p{Cs}?\P{Cs}[\p{Cs}a]", "ba", r#""ba""#),
        (r"\p{old-italic}?\p{Thai}*\p{Ahom}*\p{letter}", "a", r#""a""#),
        (r"a*\Q\E*", "aa", r#""aa""#),
        (r"\x{d800}", "a", "error"),
        ("^*", "a", r#""""#),
        (r"\b\w+\b", "\u{e9} ab", r#""ab""#),
    ];
    for (pattern, text, want) in cases {
        assert_eq!(shown_of("regex", [pattern, text]), want, "{pattern}");
    }
}

#[test]
fn invalid_patterns() {
    let patterns = [
        "a**",
        "a+{3}",
        "a???",
        "a{2}{3}",
        "(?i)*",
        "a|*",
        "*",
        "(",
        "a)",
        "[a",
        "a{1001}",
        "a{2,1}",
        "x{99999999999}",
        "(a{500}){3}",
        "[z-a]",
        r"\",
        r"\8",
        r"\Z",
        r"\C",
        r"\é",
        r"\E",
        r"[\b]",
        r"[a-\d]",
        "[[:foo:]]",
        r"\p",
        r"\p{Nonsense}",
        r"\p{IsGreek}",
        r"\p{is_greek}",
        r"\p{isLu}",
        r"\p{IsL}",
        r"\p{Grek}",
        r"\p{Hani}",
        r"\p{Zyyy}",
        r"\p{Unknown}",
        r"\p{Greek",
        "(?=a)",
        "(?P<a-b>a)",
        "(?P<a",
        "(?^i)",
        "(?i",
        "(?i-)",
        r"\x{110000}",
        r"\x{}",
        r"\xg0",
    ];
    for pattern in patterns {
        assert_eq!(shown_of("regex", [pattern, "a"]), "error 0", "{pattern}");
    }
}

#[test]
fn hostile_patterns() {
    assert_eq!(shown_of("regex", [&"(".repeat(100_000), "a"]), "error 0");
    assert_eq!(shown_of("regex", [&"(?:".repeat(200), "a"]), "error 0");
    let stacked = format!("a{}", r"*\Q\E".repeat(100_000));
    assert_eq!(shown_of("regex", [&stacked, "a"]), "error 0");
    let large = r"\pL{1000}".repeat(100);
    assert_eq!(shown_of("regex", [&large, "a"]), "error 0");
}

#[test]
fn many_groups_count_where_they_are_copied() {
    let matches = |groups, length| {
        let found = call("regexall", ["(x)?".repeat(groups).into(), "x".repeat(length).into()]);
        found.map(|found| found.as_sequence().map(<[Value]>::len))
    };
    assert!(matches(2000, 20_000).unwrap_err().to_string().contains("more work than the limit"));
    assert_eq!(matches(2000, 2000).unwrap(), Some(1));
    assert_eq!(matches(1000, 1500).unwrap(), Some(2));
    assert_eq!(matches(20, 8000).unwrap(), Some(400));
    assert_eq!(matches(100, 5000).unwrap(), Some(50));
}

#[test]
fn many_groups_match_the_same_in_long_texts() {
    let groups = "(a)|(b+)|((c)(d)?)".to_owned() + &"|(x)".repeat(40);
    let found = |text: &str| shown_of("regexall", [&groups, text]);
    let short = found("ab--bcdc");
    assert!(short.starts_with("[[\"a\",null,null") && short.contains("\"cd\",\"c\",\"d\""), "{short}");
    // The first match is far away.
    let long = found(&format!("{}ab--bcdc", "-".repeat(30_000)));
    assert_eq!(long, short);
    let spread = found(&["a", "b", "b", "cd", "c"].join(&"-".repeat(20_000)));
    assert_eq!(spread, short);
}

#[test]
fn all_matches() {
    let cases = [
        ("[a-z]+", "1ab2cd3", r#"["ab","cd"]"#),
        ("a*", "baac", r#"["","aa",""]"#),
        ("", "\u{e9}", r#"["",""]"#),
        ("(.)(.)", "1234", r#"[["1","2"],["3","4"]]"#),
        ("x", "a", "[]"),
    ];
    for (pattern, text, want) in cases {
        assert_eq!(shown_of("regexall", [pattern, text]), want, "{pattern}");
    }
    let unknown = || Value::unknown(Type::String);
    let ty = |name, arguments: [Value; 2]| call(name, arguments).unwrap().ty().to_string();
    assert_eq!(ty("regexall", ["(a)".into(), unknown()]), "list(tuple([string]))");
    assert_eq!(ty("regexall", [unknown(), "a".into()]), "list(any)");
    assert_eq!(ty("regex", [unknown(), "a".into()]), "any");
}

#[test]
fn replacements() {
    let cases = [
        ("abc", "/x*/", "-", "-a-b-c-"),
        ("aaa", "/a*/", "x", "x"),
        ("abc", "/(?P<n>b)/", "[$n]", "a[b]c"),
        ("abc", "/(b)/", "[$1x]", "a[]c"),
        ("abc", "/(b)/", "[${1}x$0]", "a[bxb]c"),
        ("abc", "/(b)/", "$", "a$c"),
        ("abc", "/(b)/", "$$1${", "a$1${c"),
        ("abc", "//", "-", "-a-b-c-"),
    ];
    for (text, pattern, replacement, want) in cases {
        let result = call("replace", [text, pattern, replacement].map(Value::from)).unwrap();
        assert_eq!(result.as_str(), Some(want), "{pattern} {replacement}");
    }
    assert_eq!(shown_of("replace", ["a", "/(/", "x"]), "error");
}

/// Long texts are searched in another way.
#[test]
fn a_long_text_has_the_matches_of_its_lines() {
    let line = "ab 12 aab=x1; é\u{130}ß \"quoted\" b\n";
    let patterns = [
        "a*",
        "a+?b|b",
        "[a-z]+",
        r"\b\w",
        r"(?m)^.",
        r"(?m)\S+$",
        r"\pL\d?",
        r"(\w+)=(\w+)",
        "(?P<quote>\")(?P<text>[^\"]*)\"",
        "(a)|(b)",
        "x.*y|x",
        "(x.*)?1",
    ];
    for pattern in patterns {
        let matches = |text: &str| match call("regexall", [pattern.into(), text.into()]) {
            Ok(matches) => matches.as_sequence().unwrap_or_default().iter().map(show).collect::<Vec<_>>(),
            Err(error) => panic!("{pattern}: {error}"),
        };
        // Each line may have an empty match at its end, but there is only one at the end of the text.
        let mut of_line = matches(&line.repeat(2));
        let of_last = matches(line);
        of_line.truncate(of_line.len() - of_last.len());
        let mut expected = vec![of_line; 199].concat();
        expected.extend(of_last);
        assert!(matches(&line.repeat(200)) == expected, "{pattern}");
    }
}

/// A pattern that an earlier run has compiled is not compiled again, but each run counts the work of compiling it.
#[test]
fn each_run_counts_compiled_patterns() {
    let functions = crate::functions();
    let function = functions.iter().find(|function| function.name == "regex").unwrap();
    let (files, limits) = (MemoryFiles::new(), Limits::default());
    let work_in = |meter: &Meter, text: &str| {
        let env = CallEnv { meter: Some(meter), ..CallEnv::new(&files, Path::new("."), &limits) };
        let (work, mut arguments) = (Cell::new(0), ["[a-z]+$|x".into(), text.into()]);
        call_converted(function, &mut arguments, &env, &work, &mut |call| (function.body)(call)).unwrap();
        work.get()
    };
    let long = "a".repeat(1 << 20);
    for text in ["a", &long] {
        let (first, second) = (Meter::default(), Meter::default());
        let of_first = work_in(&first, text);
        assert!(work_in(&first, text) + 100 < of_first);
        assert_eq!(work_in(&second, text), of_first);
        // The automata of another run are dropped, so each run counts the work of building its own.
        let (short, long) = (work_in(&first, "a"), work_in(&first, &long));
        assert!(short > 100 && long > short);
    }
}

/// The limit on the memory of cached patterns includes their automata.
#[test]
fn few_large_patterns_are_remembered() {
    let text = "a".repeat(1 << 15);
    let mut automata = 0;
    for letters in 90..100 {
        let pattern = format!(r"\pL{{{letters}}}[xy]");
        assert_eq!(shown_of("regexall", [&pattern, &text]), "[]");
        let held = RECENT.with_borrow(|recent| {
            automata += recent.iter().map(|known| known.bytes_of_automata()).sum::<usize>();
            let bytes = |known: &Rc<Pattern>| known.bytes + known.bytes_of_automata();
            recent.iter().map(bytes).sum::<usize>()
        });
        assert!(held <= MAX_REMEMBERED_BYTES && held > 0);
    }
    assert!(automata > 0);
}

/// The result is measured before it is made, and matches and references count as work.
#[test]
fn replacements_count() {
    let replaced = |text: &str, pattern: &str, replacement: &str| {
        let found = call("replace", [text, pattern, replacement].map(Value::from));
        found.map(|value| value.as_str().map_or(0, str::len)).map_err(|error| error.message)
    };
    // The limit of these calls.
    let most = 1 << 20;
    let (long, many) = ("a".repeat(1 << 10), "$1".repeat(most >> 10));
    assert_eq!(replaced(&long, "/(a+)/", &many), Ok(most));
    let error = replaced(&long, "/(a+)/", &format!("{many}-")).unwrap_err();
    assert_eq!(error, format!("the result would be longer than {most} bytes"));
    let over = replaced(&long, "/(a)/", &"$9".repeat(100_000)).unwrap_err();
    assert!(over.contains("`--max-steps`"), "{over}");
    assert_eq!(replaced("aaaa", "/(a)/", "$1-"), Ok(8));
}
