//! Calls that are made to use up time or memory: each ends soon, most of them in an error.

use std::path::Path;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use terrane_eval::{Scope, Semantics, Variables, evaluate};
use terrane_function::{CallEnv, Limits};
use terrane_source::{Diagnostics, MemoryFiles};

use crate::engine::{self, WORLD};

/// A megabyte of the letter `x`.
const MEGABYTE: &str = r#"replace(format("%1048576s", ""), " ", "x")"#;

/// More than the limit, in a few bytes.
const BOMB: &str = r#"base64gzip(format("%17000000s", ""))"#;

/// The calls. `MEGABYTE` stands for a string of that length, `BOMB` for a text that unpacks to more than the limit.
const CALLS: &[&str] = &[
    "range(0, 100000000)",
    "setproduct(range(1000), range(1000), range(1000))",
    "setproduct([for i in range(100) : range(1000)]...)",
    "format(\"%1000000000d\", 1)",
    "format(\"%-1000000000s\", \"x\")",
    "format(\"%.1000000000f\", 1)",
    "format(\"%99999999999999999999d\", 1)",
    "formatlist(\"%1000000s\", [for i in range(1000) : \"x\"])",
    "formatlist(replace(MEGABYTE, \"x\", \"%[1]s\"), [for i in range(1024) : \"\"])",
    "format(\"%.1000000f\", parseint(replace(MEGABYTE, \"x\", \"7\"), 10))",
    "yamldecode(replace(MEGABYTE, \"x\", \"{\"))",
    "yamldecode(replace(MEGABYTE, \"x\", \"!\"))",
    "csvdecode(replace(MEGABYTE, \"x\", \"a,\"))",
    "range(0, 1, 1e-300)",
    "replace(\"x\", \"/(((x?){30}){30}){30}/\", \"\")",
    "join(MEGABYTE, [for i in range(1024) : \"\"])",
    "replace(MEGABYTE, \"x\", join(\"\", [for i in range(1024) : \"y\"]))",
    "replace(MEGABYTE, \"/x/\", join(\"\", [for i in range(1024) : \"y\"]))",
    "replace(MEGABYTE, \"\", MEGABYTE)",
    "indent(1000000000, \"a\\nb\")",
    "indent(1e18, \"a\\nb\")",
    "regex(\"(((a{1,1000}){1,1000}){1,1000}){1,1000}\", \"a\")",
    "regex(\"(x+x+)+y\", MEGABYTE)",
    "regex(\"(x*)*$y\", MEGABYTE)",
    "regex(join(\"\", [for i in range(1000) : \"(((((((((((((((((((((\"]), \"\")",
    "jsonencode([for text in [MEGABYTE] : [for i in range(1000) : text]])",
    "yamlencode([for text in [MEGABYTE] : [for i in range(1000) : text]])",
    "format(\"%v\", [for text in [MEGABYTE] : [for i in range(1000) : text]])",
    "jsondecode(join(\"\", [for i in range(1000) : \"[[[[[[[[[[[[[[[[[[[[\"]))",
    "yamldecode(join(\"\", [for i in range(1000) : \"[[[[[[[[[[[[[[[[[[[[\"]))",
    "yamldecode(join(\"\", [for i in range(1000) : \"- - - - - - - - - - \"]))",
    "yamldecode(join(\"\\n\", concat([\"a0: &a0 [x,x,x,x,x,x,x,x,x,x]\"], [for i in range(12) : \
     \"a${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i}]\"])))",
    "base64gunzip(\"BOMB\")",
    "cidrsubnets(\"fe80::/16\", [for i in range(1000) : 200]...)",
    "cidrsubnet(\"fe80::/16\", 100000000, 1)",
    "cidrhost(\"10.0.0.0/8\", 1e300)",
    "timeadd(\"2017-11-22T00:00:00Z\", \"999999999999999999999h\")",
    "fileset(\".\", join(\"\", [for i in range(100) : \"{a,b}\"]))",
    "bcrypt(\"a\", 31)",
    "templatestring(templatestring(join(\"\", [for i in range(1000) : \"$${\"]), {}), {})",
];

/// Calls that look like these and have a result all the same, as soon.
const HARMLESS: &[&str] = &[
    "pow(10, 1e9)",
    "parseint(replace(MEGABYTE, \"x\", \"z\"), 36)",
    "cidrsubnets(\"fe80::/16\", [for i in range(1024) : 100]...)",
    "length(regexall(\"xx\", MEGABYTE))",
    "length(setproduct(range(500), range(500)))",
    "formatdate(replace(MEGABYTE, \"x\", \"YYYY-\"), \"2020-01-01T00:00:00Z\")",
    "timeadd(\"2020-01-01T00:00:00Z\", replace(MEGABYTE, \"x\", \"1h\"))",
    "urldecode(replace(MEGABYTE, \"x\", \"%e9\"))",
];

/// One trial for each call.
pub fn trials() -> Vec<Trial> {
    let name = |call: &str| call.chars().take(60).collect::<String>();
    let hostile = CALLS.iter().map(|call| Trial::test(name(call), || run(call, true)));
    let harmless = HARMLESS.iter().map(|call| Trial::test(name(call), || run(call, false)));
    hostile.chain(harmless).collect()
}

#[expect(clippy::disallowed_methods, reason = "the time that a call takes is what is tested")]
fn run(call: &str, fails: bool) -> Result<(), Failed> {
    let (names, files) = (Variables::default(), MemoryFiles::new());
    let mut text = call.replace("MEGABYTE", MEGABYTE);
    if text.contains("BOMB") {
        let bomb = engine::evaluate_text(BOMB, &names, &files).value;
        text = text.replace("BOMB", bomb.as_str().unwrap_or_default());
    }
    let expression = engine::parse(&text).map_err(|found| format!("{found:?}"))?;
    let limits = Limits { bytes: 16 << 20, elements: 1_000_000, ..Limits::default() };
    let env = CallEnv { world: WORLD, ..CallEnv::new(&files, Path::new("."), &limits) };
    let semantics = Semantics::default();
    let scope = Scope { names: &names, functions: engine::functions(), env: &env, semantics };
    let mut diagnostics = Diagnostics::new();
    let start = Instant::now();
    evaluate(&expression, &scope, &mut diagnostics);
    let taken = start.elapsed();
    // Without optimisation everything takes many times as long.
    let most = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
    if diagnostics.has_errors() != fails {
        let found = diagnostics.as_slice().first().map(|found| found.detail.clone());
        return Err(found.unwrap_or_else(|| "there is no error".to_owned()).into());
    }
    if taken > most { Err(format!("it takes {taken:?}").into()) } else { Ok(()) }
}
