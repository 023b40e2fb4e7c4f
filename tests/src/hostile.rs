//! Calls that are made to use up time or memory: each ends soon, most of them in an error.

use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use libtest_mimic::{Failed, Trial};
use terrane::Project;
use terrane_eval::{Scope, Variables, evaluate};
use terrane_function::{CallEnv, Limits, Meter};
use terrane_source::{Diagnostics, MemoryFiles};
use terrane_value::Value;

use crate::engine::{self, WORLD};

/// A megabyte of the letter `x`, and sixteen, which is about as much as a function takes.
const MEGABYTE: &str = r#"replace(format("%1048576s", ""), " ", "x")"#;
const LONGEST: &str = r#"replace(format("%16000000s", ""), " ", "x")"#;

/// A million strings.
const MILLION: &str = r#"flatten([for i in range(1000) : [for j in range(1000) : "${i}-${j}"]])"#;

/// 128,000 hexadecimal digits in no order.
const DIGITS: &str = r#"join("", [for i in range(1000) : sha512("${i}")])"#;

/// A template that renders itself.
const SELF: &str = r#"templatestring("TEMPLATE", { a = "TEMPLATE" })"#;

/// More than the limit, in a few bytes.
const BOMB: &str = r#"base64gzip(format("%17000000s", ""))"#;

/// The calls. Words in capitals stand for the constants above.
const CALLS: &[&str] = &[
    "range(0, 100000000)",
    "setproduct(range(1000), range(1000), range(1000))",
    "setproduct([for i in range(100) : range(1000)]...)",
    "format(\"%1000000000d\", 1)",
    "format(\"%-1000000000s\", \"x\")",
    "format(\"%.1000000000f\", 1)",
    "format(\"%99999999999999999999d\", 1)",
    "format(\"%100000000q\", \"a\")",
    "format(join(\"\", [for i in range(1000) : \"%100000s\"]), [for i in range(1000) : \"a\"]...)",
    "formatlist(\"%1000000s\", [for i in range(1000) : \"x\"])",
    "formatlist(replace(MEGABYTE, \"x\", \"%[1]s\"), [for i in range(1024) : \"\"])",
    "formatlist(\"%s-%s\", MILLION, MILLION)",
    "format(\"%.1000000f\", parseint(replace(MEGABYTE, \"x\", \"7\"), 10))",
    "parseint(replace(LONGEST, \"x\", \"7\"), 10)",
    "yamldecode(replace(MEGABYTE, \"x\", \"{\"))",
    "yamldecode(replace(MEGABYTE, \"x\", \"!\"))",
    "yamldecode(replace(substr(LONGEST, 0, 4000000), \"x\", \"- 1\\n\"))",
    "yamldecode(replace(substr(LONGEST, 0, 2000000), \"x\", \"a: 1\\n\"))",
    "csvdecode(replace(MEGABYTE, \"x\", \"a,\"))",
    "csvdecode(replace(substr(LONGEST, 0, 8000000), \"x\", \"a,\"))",
    "csvdecode(\"a,b\\n${replace(substr(LONGEST, 0, 4000000), \"x\", \"1,2\\n\")}\")",
    "jsondecode(\"[${replace(substr(LONGEST, 0, 8000000), \"x\", \"1,\")}1]\")",
    "jsondecode(\"[${replace(substr(LONGEST, 0, 5000000), \"x\", \"[],\")}1]\")",
    "split(\"\", LONGEST)",
    "split(\"x\", LONGEST)",
    "regexall(\"x\", LONGEST)",
    "regexall(\"(x)|(y)\", LONGEST)",
    "range(0, 1, 1e-300)",
    "replace(\"x\", \"/(((x?){30}){30}){30}/\", \"\")",
    "join(MEGABYTE, [for i in range(1024) : \"\"])",
    "replace(MEGABYTE, \"x\", join(\"\", [for i in range(1024) : \"y\"]))",
    "replace(MEGABYTE, \"/x/\", join(\"\", [for i in range(1024) : \"y\"]))",
    "replace(LONGEST, \"/(x)/\", \"$1\")",
    "[for text in [LONGEST] : [for i in range(1000) : text]]",
    "replace(MEGABYTE, \"\", MEGABYTE)",
    "indent(1000000000, \"a\\nb\")",
    "indent(1e18, \"a\\nb\")",
    "regex(\"(((a{1,1000}){1,1000}){1,1000}){1,1000}\", \"a\")",
    "regex(\"(x+x+)+y\", MEGABYTE)",
    "regex(\"(x*)*$y\", MEGABYTE)",
    "regex(\"[^y]{500}y\", MEGABYTE)",
    "regex(\"[0-7][0-9a-f]{900}z\", DIGITS)",
    "regex(\"[0-9a-f]*[0-7][0-9a-f]{400}z\", DIGITS)",
    "regexall(\"x.*z|x\", MEGABYTE)",
    "regexall(\"(x.*z)|x\", MEGABYTE)",
    "regexall(\"(?:[xy]{0,500}z)|x\", LONGEST)",
    "regexall(\"(x?){500}x{400}z|x\", MEGABYTE)",
    "replace(MEGABYTE, \"/x.*z|x/\", \"y\")",
    "regex(replace(substr(LONGEST, 0, 80000), \"x\", \"\\\\pL\"), \"x\")",
    "regex(\"(\\\\pL{30}){30}\", \"x\")",
    "regex(LONGEST, LONGEST)",
    "regex(join(\"\", [for i in range(1000) : \"(((((((((((((((((((((\"]), \"\")",
    "jsonencode([for text in [MEGABYTE] : [for i in range(1000) : text]])",
    "yamlencode([for text in [MEGABYTE] : [for i in range(1000) : text]])",
    "format(\"%v\", [for text in [MEGABYTE] : [for i in range(1000) : text]])",
    "distinct([for text in [LONGEST] : [for i in range(1000) : [for j in range(1000) : text]]]...)",
    "distinct(flatten([for text in [MEGABYTE] : [for i in range(1000) : text]]))",
    "contains([for text in [MEGABYTE] : [for i in range(1000) : \"${text}y\"]][0], \"${MEGABYTE}z\")",
    "toset([for text in [MEGABYTE] : [for i in range(1000) : \"${text}${i}\"]]...)",
    "setunion(MILLION, MILLION)",
    "jsondecode(join(\"\", [for i in range(1000) : \"[[[[[[[[[[[[[[[[[[[[\"]))",
    "yamldecode(join(\"\", [for i in range(1000) : \"[[[[[[[[[[[[[[[[[[[[\"]))",
    "yamldecode(join(\"\", [for i in range(1000) : \"- - - - - - - - - - \"]))",
    "yamldecode(join(\"\\n\", concat([\"a0: &a0 [x,x,x,x,x,x,x,x,x,x]\"], [for i in range(12) : \
     \"a${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i}]\"])))",
    "base64gunzip(\"BOMB\")",
    "base64gzip(join(\"\", [LONGEST, LONGEST]))",
    "cidrsubnets(\"fe80::/16\", [for i in range(1000) : 200]...)",
    "cidrsubnet(\"fe80::/16\", 100000000, 1)",
    "cidrhost(\"10.0.0.0/8\", 1e300)",
    "cidrhost(LONGEST, 1)",
    "timeadd(\"2017-11-22T00:00:00Z\", \"999999999999999999999h\")",
    "fileset(\".\", join(\"\", [for i in range(100) : \"{a,b}\"]))",
    "fileset(\".\", LONGEST)",
    "bcrypt(\"a\", 14)",
    "bcrypt(\"a\", 31)",
    "templatestring(templatestring(join(\"\", [for i in range(1000) : \"$${\"]), {}), {})",
    "templatestring(replace(substr(LONGEST, 0, 4000000), \"x\", \"$${a}\"), { a = 1 })",
    "templatestring(replace(substr(LONGEST, 0, 2000000), \"x\", \"$${[]}\"), {})",
    "templatestring(replace(substr(LONGEST, 0, 8000000), \"x\", \"$$\"), {})",
    "templatestring(\"$${[${replace(substr(LONGEST, 0, 4000000), \"x\", \"[],\")}]}\", {})",
    "templatestring(\"%{for i in range(1000)}%{for j in range(1000)}$${x}%{endfor}%{endfor}\", { x = MEGABYTE })",
    "[for text in [LONGEST] : [for i in range(1000) : \"${text}${i}\"]]",
    "[for text in [LONGEST] : [for i in range(1000) : upper(text)]]",
    "toset([for i in range(1000) : tonumber(\"1e${600000 + i}\")]) == 1",
    "length(join(\",\", [for i in range(1000) : tonumber(\"1e${600000 + i}\")]))",
    "sort([for i in range(1000) : tonumber(\"1e${600000 + i}\")]) == 1",
    "[for i in range(1000) : [for j in range(1000) : 1e500000]]",
    "concat(tolist([for i in range(200) : tonumber(\"1e${600000 + i}\")]), tolist([\"a\"]))",
    "format(join(\"\", [for i in range(20) : \"%[1]d\"]), 1e600000)",
    "merge(concat([for i in range(100) : tomap({ a = tonumber(\"1e${600000 + i}\") })], [tomap({ a = \"x\" })])...)",
];

/// Calls that look like these and have a result all the same, as soon.
const HARMLESS: &[&str] = &[
    "pow(10, 1e9)",
    "parseint(replace(MEGABYTE, \"x\", \"7\"), 10)",
    "cidrsubnets(\"fe80::/16\", [for i in range(1024) : 100]...)",
    "length(regexall(\"xx\", MEGABYTE))",
    "length(regexall(\"[0-9]+\", join(\"\", [for i in range(10) : DIGITS])))",
    "length(regexall(\"([0-9]+)([a-f]+)\", join(\"\", [for i in range(10) : DIGITS])))",
    "length(replace(join(\"\", [for i in range(10) : DIGITS]), \"/\\\\pL/\", \"x\"))",
    "regexall(\"\\\\pL{60}\", MEGABYTE) == []",
    "length(regexall(join(\"\", [for i in range(1000) : \"(x|xy|[x-z]+)?\"]), substr(MEGABYTE, 0, 1000)))",
    "length(regexall(join(\"\", [for i in range(1000) : \"(x)?\"]), substr(MEGABYTE, 0, 10000)))",
    "length(setproduct(range(500), range(500)))",
    "formatdate(replace(MEGABYTE, \"x\", \"YYYY-\"), \"2020-01-01T00:00:00Z\")",
    "timeadd(\"2020-01-01T00:00:00Z\", replace(MEGABYTE, \"x\", \"1h\"))",
    "urldecode(replace(MEGABYTE, \"x\", \"%e9\"))",
    "tonumber(replace(format(\"%12000000s\", \"\"), \" \", \"7\")) > 0",
    "jsondecode(\"[0.${replace(LONGEST, \"x\", \"7\")}]\")",
    "strrev(LONGEST)",
    "title(LONGEST)",
    "substr(LONGEST, -1, -1)",
    "sha512(LONGEST)",
    "templatestring(LONGEST, {})",
    "textencodebase64(LONGEST, \"UTF-16LE\")",
    "replace(MEGABYTE, \"/(x)/\", \"$1\")",
    "length(distinct(MILLION))",
    "length(toset(MILLION))",
    "length(sort(MILLION))",
    "length(jsondecode(jsonencode(MILLION)))",
    "join(\",\", MILLION) == \"\"",
    "[for text in [LONGEST] : [for i in range(60) : text]]",
];

/// Calls that have much to do with small arguments, in a loop over `i`, and how many steps of the run they count at least.
const DEAR: &[(&str, u64)] = &[
    ("bcrypt(\"a\", 5)", 65_536),
    ("filesha512(\"megabyte\")", 65_536),
    ("file(\"megabyte\")", 65_536),
    ("fileexists(\"megabyte\")", 200),
    ("fileset(\".\", \"*\")", 128),
    ("templatefile(\"megabyte\", {})", 500_000),
    ("templatestring(\"\", {})", 100),
    ("regex(\"\\\\pL{9${i}}|\", \"\")", 50_000),
    ("regexall(\"[a-z]{99}\", \"a hundred letters are not here\")", 100),
    ("regexall(\"(?:.|\\n){600}$\", \"${format(\"%599s\", \"\")}${i}\")", 100_000),
    ("yamldecode(\"[${format(\"%1000s\", \"\")}${i}]\")", 5000),
    ("format(\"%1000000s\", \"\")", 100_000),
    ("range(1000)", 1000),
    ("true ? range(1000) : [\"a\"]", 2000),
    ("coalesce(range(1000), [\"a\"])", 2000),
    ("lookup(tomap({ x = tolist([\"a\"]) }), \"y\", range(1000))", 2000),
    ("base64gunzip(\"H4sIAAAAAAAC/+3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA\")", 2048),
];

/// Expressions that would run for minutes or hours and are stopped soon, each with the template for `SELF`, which renders
/// itself more than once.
const LOOPS: &[(&str, &str)] = &[
    ("SELF", "$${templatestring(a, { a = a })}$${templatestring(a, { a = a })}"),
    ("SELF", "%{for i in range(1000)}$${try(templatestring(a, { a = a }), 1)}%{endfor}"),
    ("[for i in range(1000) : [for j in range(1000) : bcrypt(\"a\", 5)]]", ""),
    ("[for i in range(1000) : [for j in range(1000) : regexall(\"a${i}b${j}\\\\pL{50}\", \"\")]]", ""),
    ("[for i in range(1000) : [for j in range(1000) : filesha512(\"megabyte\")]]", ""),
    ("length([for i in range(1000) : { (1e600000 + i) = 1 }])", ""),
    ("length([for i in range(1000) : { for x in [1] : (1e600000 + i) => x }])", ""),
    ("length([for i in range(1000) : length(\"x${1e600000 + i}\")])", ""),
    ("length([for i in range(1000) : length(tostring(1e600000 + i))])", ""),
    ("length([for i in range(1000) : length(upper(1e600000 + i))])", ""),
    ("length([for i in range(1000) : length(true ? 1e600000 + i : \"a\")])", ""),
    ("[for i in range(1000) : try({ a = 1 }[1e600000 + i], 1)]", ""),
    ("[for i in range(1000) : coalesce(1e600000 + i, \"a\")]", ""),
    (
        "SELF",
        "%{for x in range(1000)}%{for y in range(1000)}%{for z in range(9)}%{if true}%{if true}${x}${y}%{endif}%{endif}%{endfor}%{endfor}%{endfor}",
    ),
];

/// The text of a template around the call of the next one, `NEXT`: the forms that need most stack.
const NESTED: &[&str] = &[
    "a${NEXT}b",
    "%{if true}%{if true}%{if true}${NEXT}%{endif}%{endif}%{endif}",
    "%{for x in [1]}%{for y in [1]}${NEXT}%{endfor}%{endfor}",
    "${join(\"\", [for x in [1] : true ? upper([\"a${NEXT}\"][0]) : \"a\"])}",
    "${(true ? (true ? (true ? (true ? (true ? (true ? (true ? NEXT : 1) : 1) : 1) : 1) : 1) : 1) : 1)}",
];

/// Calls that return a part of an argument, `all` in a loop, and cost no work, however large it is.
const FREE: &[&str] = &[
    "lookup({ x = all }, \"x\", all)",
    "lookup({}, \"x\", all)",
    "element([all], i)",
    "coalesce(null, all)",
    "one([all])",
    "true ? all : null",
];

/// A loop whose conditional has objects of 2,000 attributes of two types: their common type is found once.
const CONDITIONALS: &str = "[for objects in [[{ for i in range(1000) : \"a${i}\" => i }, { for i in range(1000) : \"a${i}\" => \"${i}\" }]] : \
     [for i in range(1000) : length([i % 2 == 0 ? objects[0] : objects[1]])]]";

/// The conditional counts its types once, and the comparisons and conversions of each turn.
fn unifies_once() -> Result<(), Failed> {
    let (_, diagnostics, steps) = value_of(CONDITIONALS, &Limits::default())?;
    match diagnostics.as_slice().first() {
        Some(found) => Err(found.detail.clone().into()),
        None if steps > 20_000_000 => Err(format!("it counts {steps} steps").into()),
        None => Ok(()),
    }
}

/// The instances of data sources that Terrane computes, or leaves unknown for a reason, stop at a limit on memory, and do not grow
/// beyond it.
fn computed_attributes_count() -> Result<(), Failed> {
    let long = "arn = \"arn:aws:s3:::${format(\"%10000s\", \"\")}\"";
    let unknown = "arn = a_b.c.arn";
    for argument in [long, unknown] {
        let text = format!(
            "resource \"a_b\" \"c\" {{}}\ndata \"aws_arn\" \"x\" {{\n  count = 2000\n  {argument}\n}}\n"
        );
        let files = MemoryFiles::from_iter([("main.tf", text)]);
        let limits = Limits { memory: 1_500_000, ..Limits::default() };
        let report = Project::new(".").limits(limits).evaluate(&files);
        let memory = report.evaluation().memory();
        if !report.has_errors() || memory > 2_000_000 {
            return Err(format!("{argument} counts {memory} bytes").into());
        }
    }
    Ok(())
}

/// One trial for each call.
pub fn trials() -> Vec<Trial> {
    let name = |call: &str| call.chars().take(60).collect::<String>();
    let hostile = CALLS.iter().map(|call| Trial::test(name(call), || run(call, true)));
    let harmless = HARMLESS.iter().map(|call| Trial::test(name(call), || run(call, false)));
    let dear = DEAR.iter().map(|(call, steps)| Trial::test(name(call), || counts(call, *steps)));
    let loops = LOOPS.iter().enumerate().map(|(index, (text, template))| {
        Trial::test(format!("loop {index}"), || {
            is_stopped(&text.replace("SELF", SELF).replace("TEMPLATE", template))
        })
    });
    let free = FREE.iter().map(|call| Trial::test(name(call), || counts_nothing(call)));
    let nested = NESTED.iter().map(|text| Trial::test(name(text), || has_room(text)));
    let others = [
        Trial::test("conditionals", unifies_once),
        Trial::test("computed attributes", computed_attributes_count),
    ];
    hostile.chain(harmless).chain(dear).chain(loops).chain(free).chain(nested).chain(others).collect()
}

/// A stack of the usual size has room for templates that call each other to the maximum depth and, at the end, for a text and
/// a value of maximum depth.
fn has_room(template: &'static str) -> Result<(), Failed> {
    let innermost = [
        format!("${{{}1{}}}", "(".repeat(250), ")".repeat(250)),
        format!("${{jsonencode(yamldecode(\"{}{}\"))}}", "[".repeat(499), "]".repeat(499)),
        format!("${{jsonencode(jsondecode(\"{}{}\"))}}", "[".repeat(499), "]".repeat(499)),
    ];
    let evaluate =
        move || innermost.iter().try_for_each(|innermost| is_too_deep_at_last(template, innermost));
    let thread =
        std::thread::Builder::new().stack_size(2 << 20).spawn(evaluate).map_err(|error| error.to_string())?;
    thread.join().map_err(|_| "it panics")?
}

/// With more and more templates around `innermost`, they are too deep at some time.
fn is_too_deep_at_last(template: &str, innermost: &str) -> Result<(), Failed> {
    let called = |index: usize| format!("templatefile(\"{index}\", {{}})");
    for last in 0..Limits::default().depth {
        let text = |index| template.replace("NEXT", &called(index + 1));
        let files = (0..last).map(|index| (index.to_string(), text(index)));
        let files = MemoryFiles::from_iter(files.chain([(last.to_string(), innermost.to_owned())]));
        let (_, diagnostics, _) = value_with(&called(0), &Limits::default(), &files)?;
        if let Some(found) = diagnostics.as_slice().first() {
            let is_too_deep = found.detail.contains("levels deep");
            return if is_too_deep { Ok(()) } else { Err(found.detail.clone().into()) };
        }
    }
    Err("the templates are never too deep".into())
}

/// A loop counts about as many steps as without the call: those of a call, but none for the elements of its arguments.
fn counts_nothing(call: &str) -> Result<(), Failed> {
    let steps = |element: &str| {
        let text = format!("[for all in [range(1000)] : [for i in range(1000) : length({element})]]");
        let (_, diagnostics, steps) = value_of(&text, &Limits::default())?;
        match diagnostics.as_slice().first() {
            Some(found) => Err(Failed::from(found.detail.clone())),
            None => Ok(steps),
        }
    };
    let (with, without) = (steps(call)?, steps("all")?);
    if with > without + 150_000 {
        Err(format!("it counts {with} steps, not {without}").into())
    } else {
        Ok(())
    }
}

/// The run counts at least so many steps for the call, and stops at fewer ones.
fn counts(call: &str, least: u64) -> Result<(), Failed> {
    let (_, diagnostics, steps) = value_of(&format!("[for i in [0] : {call}]"), &Limits::default())?;
    if let Some(found) = diagnostics.as_slice().first() {
        return Err(found.detail.clone().into());
    }
    if steps < least {
        return Err(format!("it counts {steps} steps").into());
    }
    let limits = Limits { steps: least, ..Limits::default() };
    let (_, diagnostics, _) = value_of(&format!("[for i in range(3) : [{call}, i]]"), &limits)?;
    let is_stopped = diagnostics.as_slice().iter().any(|found| found.title() == "Limit exceeded");
    if is_stopped { Ok(()) } else { Err("a loop of it is not stopped".into()) }
}

fn run(call: &str, fails: bool) -> Result<(), Failed> {
    let words = [("MEGABYTE", MEGABYTE), ("LONGEST", LONGEST), ("MILLION", MILLION), ("DIGITS", DIGITS)];
    let mut text = words.iter().fold(call.to_owned(), |text, (word, meaning)| text.replace(word, meaning));
    if text.contains("BOMB") {
        let bomb = value_of(BOMB, &Limits { work: 1 << 30, ..Limits::default() })?.0;
        text = text.replace("BOMB", bomb.as_str().unwrap_or_default());
    }
    // Processor time, because the clock includes other programs.
    let start = ThreadTime::now();
    let (_, diagnostics, _) = value_of(&text, &Limits::default())?;
    let taken = start.elapsed();
    // Without optimisation everything takes many times as long.
    let most = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
    if diagnostics.has_errors() != fails {
        let found = diagnostics.as_slice().first().map(|found| found.detail.clone());
        return Err(found.unwrap_or_else(|| "there is no error".to_owned()).into());
    }
    if taken > most { Err(format!("it takes {taken:?}").into()) } else { Ok(()) }
}

/// The run ends in the limit of its steps, after a second or two.
fn is_stopped(text: &str) -> Result<(), Failed> {
    let start = ThreadTime::now();
    let (_, diagnostics, _) = value_of(text, &Limits::default())?;
    let taken = start.elapsed();
    if !diagnostics.as_slice().iter().any(|found| found.detail.contains("steps")) {
        let found = diagnostics.as_slice().first().map(|found| found.detail.clone());
        return Err(found.unwrap_or_else(|| "there is no error".to_owned()).into());
    }
    let most = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 3 });
    if taken > most { Err(format!("it takes {taken:?}").into()) } else { Ok(()) }
}

/// The value of an expression, its diagnostics, and the number of steps.
fn value_of(text: &str, limits: &Limits) -> Result<(Value, Diagnostics, u64), Failed> {
    value_with(text, limits, &MemoryFiles::from_iter([("megabyte", "x".repeat(1 << 20))]))
}

/// As [`value_of`], with these files.
fn value_with(text: &str, limits: &Limits, files: &MemoryFiles) -> Result<(Value, Diagnostics, u64), Failed> {
    let (names, meter) = (Variables::default(), Meter::default());
    let expression = engine::parse(text).map_err(|found| format!("{found:?}"))?;
    let env = CallEnv::new(files, Path::new("."), limits);
    let env = CallEnv { world: WORLD, meter: Some(&meter), ..env };
    let scope = Scope { names: &names, functions: engine::functions(), env: &env };
    let mut diagnostics = Diagnostics::new();
    let value = evaluate(&expression, &scope, &mut diagnostics);
    Ok((value, diagnostics, meter.steps()))
}
