//! Calls that are made to use up time or memory: each ends in an error, and soon.

use std::path::Path;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use terrane_eval::{Scope, Semantics, Variables, evaluate};
use terrane_function::{CallEnv, Limits};
use terrane_source::{Diagnostics, MemoryFiles};

use crate::engine::{self, WORLD};

/// A megabyte of the letter `x`.
const MEGABYTE: &str = r#"join("", [for i in range(1024) : join("", [for j in range(1024) : "x"])])"#;

/// The calls. `MEGABYTE` stands for a string of that length.
const CALLS: &[&str] = &[
    "range(0, 100000000)",
    "setproduct(range(1000), range(1000), range(1000))",
    "setproduct([for i in range(100) : range(1000)]...)",
    "format(\"%1000000000d\", 1)",
    "format(\"%-1000000000s\", \"x\")",
    "format(\"%.1000000000f\", 1)",
    "format(\"%99999999999999999999d\", 1)",
    "formatlist(\"%1000000s\", [for i in range(1000) : \"x\"])",
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
    "jsonencode([for i in range(1000) : MEGABYTE])",
    "yamlencode([for i in range(1000) : MEGABYTE])",
    "format(\"%v\", [for i in range(1000) : MEGABYTE])",
    "jsondecode(join(\"\", [for i in range(1000) : \"[[[[[[[[[[[[[[[[[[[[\"]))",
    "yamldecode(join(\"\", [for i in range(1000) : \"[[[[[[[[[[[[[[[[[[[[\"]))",
    "yamldecode(join(\"\", [for i in range(1000) : \"- - - - - - - - - - \"]))",
    "yamldecode(join(\"\\n\", concat([\"a0: &a0 [x,x,x,x,x,x,x,x,x,x]\"], [for i in range(12) : \
     \"a${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i},*a${i}]\"])))",
    "base64gunzip(base64gzip(replace(MEGABYTE, \"x\", \"xxxxxxxxxxxxxxxxxxxxxxxx\")))",
    "cidrsubnets(\"fe80::/16\", [for i in range(1000) : 200]...)",
    "cidrsubnet(\"fe80::/16\", 100000000, 1)",
    "cidrhost(\"10.0.0.0/8\", 1e300)",
    "timeadd(\"2017-11-22T00:00:00Z\", \"999999999999999999999h\")",
    "fileset(\".\", join(\"\", [for i in range(100) : \"{a,b}\"]))",
    "bcrypt(\"a\", 31)",
    "templatestring(templatestring(join(\"\", [for i in range(1000) : \"$${\"]), {}), {})",
];

/// One trial for each call.
pub fn trials() -> Vec<Trial> {
    CALLS.iter().map(|call| Trial::test(call.chars().take(60).collect::<String>(), || run(call))).collect()
}

#[expect(clippy::disallowed_methods, reason = "the time that a call takes is what is tested")]
fn run(call: &str) -> Result<(), Failed> {
    let text = call.replace("MEGABYTE", MEGABYTE);
    let expression = engine::parse(&text).map_err(|found| format!("{found:?}"))?;
    let files = MemoryFiles::new();
    let limits = Limits { bytes: 16 << 20, elements: 1_000_000, ..Limits::default() };
    let env = CallEnv { world: WORLD, ..CallEnv::new(&files, Path::new("."), &limits) };
    let names = Variables::default();
    let semantics = Semantics::default();
    let scope = Scope { names: &names, functions: engine::functions(), env: &env, semantics };
    let mut diagnostics = Diagnostics::new();
    let start = Instant::now();
    evaluate(&expression, &scope, &mut diagnostics);
    let taken = start.elapsed();
    // Without optimisation everything takes many times as long.
    let most = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
    if !diagnostics.has_errors() {
        return Err("there is no error".into());
    }
    if taken > most { Err(format!("it takes {taken:?}").into()) } else { Ok(()) }
}
