//! Property test: a resource without a schema has the same values in JSON as in the native syntax, for all arguments and blocks.

use std::fmt::Write as _;

use terrane_source::MemoryFiles;

use crate::{Project, Secrets};

/// A small generator of pseudo-random numbers, so that every run tries the same blocks.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// A block in both syntaxes.
#[derive(Default)]
struct Block {
    native: String,
    json: Vec<String>,
}

/// Expressions in both syntaxes.
const EXPRESSIONS: [(&str, &str); 14] = [
    ("1", "1"),
    ("2.50", "2.50"),
    ("true", "true"),
    ("null", "null"),
    ("\"a\"", "\"a\""),
    ("\"\"", "\"\""),
    ("var.later", "\"${var.later}\""),
    ("\"x-${var.later}\"", "\"x-${var.later}\""),
    ("var.secret", "\"${var.secret}\""),
    ("local.list[0]", "\"${local.list[0]}\""),
    ("local.list", "\"${local.list}\""),
    ("x_y.z.id", "\"${x_y.z.id}\""),
    ("\"$${a}\"", "\"$${a}\""),
    ("[for v in local.list : upper(v)]", "\"${[for v in local.list : upper(v)]}\""),
];

fn expression(random: &mut Random, depth: u64) -> (String, String) {
    let kind = random.below(if depth == 0 { 6 } else { 10 });
    let mut parts: Vec<(String, String)> = Vec::new();
    if kind >= 6 {
        parts.extend((0..random.below(3)).map(|_| expression(random, depth - 1)));
    }
    let keyed = |parts: &[(String, String)], sign: &str, of: fn(&(String, String)) -> &String| {
        let entries = parts.iter().enumerate().map(|(at, part)| format!("\"k{at}\"{sign} {}", of(part)));
        format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
    };
    let listed = |of: fn(&(String, String)) -> &String| {
        format!("[{}]", parts.iter().map(|part| of(part).clone()).collect::<Vec<_>>().join(", "))
    };
    match kind {
        6 | 7 => (listed(|part| &part.0), listed(|part| &part.1)),
        8 | 9 => (keyed(&parts, " =", |part| &part.0), keyed(&parts, ":", |part| &part.1)),
        _ => {
            let (native, json) = EXPRESSIONS[usize::try_from(random.below(14)).unwrap()];
            (native.to_owned(), json.to_owned())
        }
    }
}

fn block(random: &mut Random, depth: u64) -> Block {
    let mut block = Block::default();
    for at in 0..random.below(4) {
        let (native, json) = expression(random, 2);
        writeln!(block.native, "a{at} = {native}").unwrap();
        block.json.push(format!("\"a{at}\": {json}"));
    }
    for at in 0..random.below(if depth == 0 { 1 } else { 3 }) {
        let nested: Vec<Block> = (0..=random.below(2)).map(|_| self::block(random, depth - 1)).collect();
        for one in &nested {
            writeln!(block.native, "b{at} {{\n{}}}", one.native).unwrap();
        }
        let bodies: Vec<String> = nested.iter().map(|one| format!("{{{}}}", one.json.join(", "))).collect();
        block.json.push(format!("\"b{at}\": [{}]", bodies.join(", ")));
    }
    if depth > 0 && random.below(3) == 0 {
        let content = self::block(random, 0);
        let (native, json) =
            [("local.list", "\"${local.list}\""), ("[1, 2]", "[1, 2]"), ("var.later", "\"${var.later}\"")]
                [usize::try_from(random.below(3)).unwrap()];
        let (own, of_json) = ("v = d.value", "\"v\": \"${d.value}\"");
        writeln!(
            block.native,
            "dynamic \"d\" {{\nfor_each = {native}\ncontent {{\n{own}\n{}}}\n}}",
            content.native
        )
        .unwrap();
        let content = [vec![of_json.to_owned()], content.json].concat().join(", ");
        block
            .json
            .push(format!("\"dynamic\": {{\"d\": {{\"for_each\": {json}, \"content\": {{{content}}}}}}}"));
    }
    block
}

const COMMON: &str = "variable \"later\" {}\nvariable \"secret\" {\n  sensitive = true\n  default = \"s\"\n}\n\
                      locals { list = [\"a\", \"b\"] }\nresource \"x_y\" \"z\" {}\n";

/// Returns the value in the document without places, and the number of errors. Numbers of elements are left out: a cause names
/// an element of a list in JSON, but the argument or all blocks of the type in the native syntax.
fn value(files: &[(&str, &str)]) -> String {
    let files = MemoryFiles::from_iter(files.iter().map(|(name, text)| (*name, (*text).to_owned())));
    let report = Project::new(".").evaluate(&files);
    let document = report.document(Secrets::Shown).to_json();
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let mut value = document["values"]["acme_box.b"].clone();
    value.as_object_mut().unwrap().retain(|_, member| member.get("filename").is_none());
    for unknown in value["unknowns"].as_array_mut().into_iter().flatten() {
        for name in ["origins", "reasons"] {
            let text = unknown[name].to_string();
            let without: String = (0..10).fold(text, |text, index| text.replace(&format!("[{index}]"), ""));
            unknown[name] = without.into();
        }
    }
    for attribute in value["attributes"].as_object_mut().into_iter().flat_map(serde_json::Map::values_mut) {
        // Without a schema, blocks in JSON syntax are arguments.
        attribute.as_object_mut().unwrap().retain(|name, _| name == "state");
    }
    format!("{value:#}\n{}", report.diagnostics().errors())
}

#[test]
fn a_resource_has_the_same_values_in_both_syntaxes() {
    let mut random = Random(7);
    for _ in 0..150 {
        let block = block(&mut random, 3);
        let native = format!("resource \"acme_box\" \"b\" {{\n{}}}\n", block.native);
        let json = format!("{{\"resource\": {{\"acme_box\": {{\"b\": {{{}}}}}}}}}", block.json.join(", "));
        let of_native = value(&[("common.tf", COMMON), ("main.tf", &native)]);
        let of_json = value(&[("common.tf", COMMON), ("main.tf.json", &json)]);
        if of_native != of_json {
            let mut lines = of_native.lines().zip(of_json.lines());
            let differs = lines.find(|(one, other)| one != other);
            panic!("{native}\n{json}\n{differs:?}");
        }
    }
}
