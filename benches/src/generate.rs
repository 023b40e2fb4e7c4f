//! Generates Terraform configuration like the configuration that people write, in any amount, and the same content as JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// One content in both syntaxes.
pub struct Generated {
    pub native: String,
    pub json: String,
}

/// Generates at least `bytes` of native syntax.
pub fn generate(bytes: usize) -> Generated {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut native = String::with_capacity(bytes + 8192);
    let mut json = Map::new();
    let mut number = 0;
    while native.len() < bytes {
        let items = section(&mut random, number);
        write_body(&mut native, &items, 0);
        for item in &items {
            add_to_json(&mut json, item);
        }
        number += 1;
    }
    Generated { native, json: Value::Object(json).to_string() }
}

/// The generator SplitMix64, so that each run has the same content.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn words(&mut self, count: u64) -> String {
        let words: Vec<_> = (0..count).map(|_| self.one_of(&WORDS)).collect();
        words.join(" ")
    }
}

const WORDS: [&str; 24] = [
    "access",
    "allow",
    "backend",
    "bucket",
    "cluster",
    "default",
    "egress",
    "environment",
    "gateway",
    "the",
    "of",
    "instance",
    "internal",
    "load",
    "logging",
    "network",
    "policy",
    "primary",
    "private",
    "public",
    "region",
    "service",
    "storage",
    "for",
];

enum Item {
    Blank,
    Comment(String),
    Attribute(&'static str, Expr),
    Block(&'static str, Vec<String>, Vec<Item>),
}

enum Expr {
    /// The text of an expression that is not a template.
    Code(String),
    /// The text between the quotes of a template.
    Quoted(String),
    Number(u64),
    Bool(bool),
    List(Vec<Expr>),
    Map(Vec<(String, Expr)>),
    Heredoc(Vec<String>),
}

fn code(text: impl Into<String>) -> Expr {
    Expr::Code(text.into())
}

fn quoted(text: impl Into<String>) -> Expr {
    Expr::Quoted(text.into())
}

fn section(random: &mut Random, number: usize) -> Vec<Item> {
    let comment = Item::Comment(format!("{} {number}: {}", random.one_of(&WORDS), random.words(9)));
    let mut items = match random.below(8) {
        0 | 1 => vec![comment, instance(random, number)],
        2 => vec![comment, security_group(random, number)],
        3 => vec![comment, bucket(number), bucket_policy(number)],
        4 => vec![variable(random, number), Item::Blank, plain_variable(random, number)],
        5 => vec![comment, locals(random, number)],
        6 => vec![comment, module(random, number), Item::Blank, output(random, number)],
        _ => vec![role(number), Item::Blank, data(random, number)],
    };
    items.push(Item::Blank);
    items
}

fn resource(kind: &str, name: String, items: Vec<Item>) -> Item {
    Item::Block("resource", vec![kind.to_owned(), name], items)
}

fn tags(random: &mut Random, number: usize) -> Item {
    let pairs = vec![
        ("Name".to_owned(), quoted(format!("${{var.name_prefix}}-{}-{number}", random.one_of(&WORDS)))),
        ("Environment".to_owned(), code("var.environment")),
        ("Owner".to_owned(), quoted(random.words(2))),
    ];
    Item::Attribute("tags", Expr::Map(pairs))
}

fn instance(random: &mut Random, number: usize) -> Item {
    let mut items = vec![
        Item::Attribute("count", code(format!("var.create_{number} ? var.instance_count : 0"))),
        Item::Attribute("ami", code("data.aws_ami.ubuntu.id")),
        Item::Attribute("instance_type", quoted(random.one_of(&["t3.micro", "m5.large", "c6i.2xlarge"]))),
        Item::Attribute("subnet_id", code("element(module.vpc.private_subnets, count.index)")),
        Item::Attribute("monitoring", Expr::Bool(random.below(2) == 0)),
        Item::Blank,
    ];
    for index in 0..random.below(4) {
        let device = vec![
            Item::Attribute("device_name", quoted(format!("/dev/sd{}", (b'b' + index as u8) as char))),
            Item::Attribute("volume_size", Expr::Number(8 + 8 * random.below(32))),
            Item::Attribute("encrypted", Expr::Bool(true)),
        ];
        items.push(Item::Block("ebs_block_device", Vec::new(), device));
        items.push(Item::Blank);
    }
    items.push(Item::Attribute("user_data", script(random, number)));
    items.push(Item::Blank);
    items.push(tags(random, number));
    items.push(Item::Blank);
    let lifecycle = vec![
        Item::Attribute("create_before_destroy", Expr::Bool(true)),
        Item::Attribute("ignore_changes", Expr::List(vec![code("ami"), code("user_data")])),
    ];
    items.push(Item::Block("lifecycle", Vec::new(), lifecycle));
    resource("aws_instance", format!("node_{number}"), items)
}

fn script(random: &mut Random, number: usize) -> Expr {
    let mut lines = vec!["#!/bin/bash".to_owned(), "set -euo pipefail".to_owned(), String::new()];
    for index in 0..2 + random.below(6) {
        lines.push(match random.below(4) {
            0 => format!("echo \"{} ${{var.name_prefix}}-{number}\" >> /var/log/{index}.log", random.words(3)),
            1 => format!("export TOKEN_{index}=${{aws_ssm_parameter.token[{index}].value}}"),
            2 => "%{ for port in var.ports ~}\niptables -A INPUT -p tcp --dport ${port} -j ACCEPT\n%{ endfor ~}".to_owned(),
            _ => format!("curl -fsSL https://example.com/{}/install.sh | sh", random.one_of(&WORDS)),
        });
    }
    Expr::Heredoc(lines)
}

fn security_group(random: &mut Random, number: usize) -> Item {
    let mut items = vec![
        Item::Attribute("name", quoted(format!("${{var.name_prefix}}-sg-{number}"))),
        Item::Attribute("description", quoted(random.words(6))),
        Item::Attribute("vpc_id", code("module.vpc.vpc_id")),
    ];
    for _ in 0..1 + random.below(5) {
        let port = random.below(65_536);
        let blocks =
            (0..1 + random.below(3)).map(|_| quoted(format!("10.{}.0.0/16", random.below(256)))).collect();
        let rule = vec![
            Item::Comment(random.words(5)),
            Item::Attribute("from_port", Expr::Number(port)),
            Item::Attribute("to_port", Expr::Number(port)),
            Item::Attribute("protocol", quoted("tcp")),
            Item::Attribute("cidr_blocks", Expr::List(blocks)),
        ];
        items.push(Item::Blank);
        items.push(Item::Block("ingress", Vec::new(), rule));
    }
    let content = vec![
        Item::Attribute("from_port", code("egress.value.port")),
        Item::Attribute("to_port", code("egress.value.port")),
        Item::Attribute("protocol", code("lookup(egress.value, \"protocol\", \"tcp\")")),
    ];
    let dynamic = vec![
        Item::Attribute(
            "for_each",
            code("{ for rule in var.egress_rules : rule.name => rule if rule.enabled }"),
        ),
        Item::Block("content", Vec::new(), content),
    ];
    items.push(Item::Blank);
    items.push(Item::Block("dynamic", vec!["egress".to_owned()], dynamic));
    items.push(tags(random, number));
    resource("aws_security_group", format!("group_{number}"), items)
}

fn bucket(number: usize) -> Item {
    let rule = vec![
        Item::Attribute("id", quoted("expire")),
        Item::Attribute("enabled", code("var.expiration_days > 0 && !var.keep_forever")),
        Item::Block(
            "expiration",
            Vec::new(),
            vec![Item::Attribute("days", code("var.expiration_days + 1 * 2"))],
        ),
    ];
    let items = vec![
        Item::Attribute("bucket", code("join(\"-\", compact([var.name_prefix, local.suffix, \"data\"]))")),
        Item::Attribute("force_destroy", code("var.environment != \"production\"")),
        Item::Block("lifecycle_rule", Vec::new(), rule),
    ];
    resource("aws_s3_bucket", format!("data_{number}"), items)
}

fn bucket_policy(number: usize) -> Item {
    let policy = format!(
        "jsonencode({{\n    Version = \"2012-10-17\"\n    Statement = [\n      {{\n        Effect   = \"Allow\"\n        \
         Action   = [\"s3:GetObject\", \"s3:ListBucket\"]\n        Resource = \
         \"${{aws_s3_bucket.data_{number}.arn}}/*\"\n      }},\n    ]\n  }})"
    );
    let items = vec![
        Item::Attribute("bucket", code(format!("aws_s3_bucket.data_{number}.id"))),
        Item::Attribute("policy", code(policy)),
    ];
    resource("aws_s3_bucket_policy", format!("data_{number}"), items)
}

fn variable(random: &mut Random, number: usize) -> Item {
    let condition = "alltrue([for rule in var.rules : rule.port >= 0 && rule.port <= 65535])";
    let validation = vec![
        Item::Attribute("condition", code(condition)),
        Item::Attribute("error_message", quoted(random.words(8))),
    ];
    let kind = "list(object({\n    name    = string\n    port    = number\n    enabled = optional(bool, true)\n  }))";
    let items = vec![
        Item::Attribute("description", quoted(random.words(10))),
        Item::Attribute("type", code(kind)),
        Item::Attribute("default", Expr::List(Vec::new())),
        Item::Blank,
        Item::Block("validation", Vec::new(), validation),
    ];
    Item::Block("variable", vec![format!("rules_{number}")], items)
}

fn plain_variable(random: &mut Random, number: usize) -> Item {
    let items = vec![
        Item::Attribute("description", quoted(random.words(7))),
        Item::Attribute("type", code("string")),
        Item::Attribute("default", quoted(random.one_of(&WORDS))),
    ];
    Item::Block("variable", vec![format!("name_{number}")], items)
}

fn locals(random: &mut Random, number: usize) -> Item {
    let zones = (0..3).map(|_| quoted(format!("eu-west-{}", random.below(4)))).collect();
    let pairs = (0..2 + random.below(8)).map(|index| {
        let value = match index % 3 {
            0 => quoted(random.words(2)),
            1 => Expr::Number(random.below(100_000)),
            _ => code("var.defaults[\"key\"].value"),
        };
        (format!("{}_{index}", random.one_of(&WORDS)), value)
    });
    let settings = Expr::Map(pairs.collect());
    let items = vec![
        Item::Attribute("zones", Expr::List(zones)),
        Item::Attribute("settings", settings),
        Item::Attribute(
            "names",
            code("[for name, subnet in var.subnets : upper(\"${name}-${subnet.zone}\")]"),
        ),
        Item::Attribute("ids", code("concat(aws_instance.node[*].id, values(aws_instance.other)[*].id)")),
        Item::Attribute(
            "merged",
            code(format!(
                "merge(local.settings, var.extra_{number}, {{ for k, v in var.more : k => v... if v != null }})"
            )),
        ),
        Item::Attribute(
            "size",
            code("var.large ? max(var.sizes...) * 1.5 : (var.size == null ? 10 : var.size - 2)"),
        ),
    ];
    Item::Block("locals", Vec::new(), items)
}

fn module(random: &mut Random, number: usize) -> Item {
    let items = vec![
        Item::Attribute("source", quoted("terraform-aws-modules/vpc/aws")),
        Item::Attribute("version", quoted(format!("~> {}.{}", random.below(9), random.below(20)))),
        Item::Blank,
        Item::Attribute("for_each", code("toset(var.regions)")),
        Item::Attribute("cidr", code(format!("cidrsubnet(var.cidr, 8, {number})"))),
        Item::Attribute("azs", code("slice(data.aws_availability_zones.available.names, 0, 3)")),
        Item::Attribute("enable_nat_gateway", code("try(var.nat.enabled, false)")),
        tags(random, number),
    ];
    Item::Block("module", vec![format!("vpc_{number}")], items)
}

fn output(random: &mut Random, number: usize) -> Item {
    let items = vec![
        Item::Attribute("description", quoted(random.words(6))),
        Item::Attribute(
            "value",
            code(format!("{{ for key, vpc in module.vpc_{number} : key => vpc.vpc_id }}")),
        ),
        Item::Attribute("sensitive", Expr::Bool(false)),
    ];
    Item::Block("output", vec![format!("vpc_{number}")], items)
}

fn role(number: usize) -> Item {
    let items = vec![
        Item::Attribute("name_prefix", quoted(format!("${{substr(local.name, 0, 32)}}-{number}-"))),
        Item::Attribute("assume_role_policy", code("data.aws_iam_policy_document.assume.json")),
        Item::Attribute("max_session_duration", Expr::Number(3600)),
    ];
    resource("aws_iam_role", format!("role_{number}"), items)
}

fn data(random: &mut Random, number: usize) -> Item {
    let filter = |name: &str, value: String| {
        let items = vec![
            Item::Attribute("name", quoted(name)),
            Item::Attribute("values", Expr::List(vec![quoted(value)])),
        ];
        Item::Block("filter", Vec::new(), items)
    };
    let items = vec![
        Item::Attribute("most_recent", Expr::Bool(true)),
        Item::Attribute("owners", Expr::List(vec![quoted("099720109477")])),
        Item::Blank,
        filter("name", format!("ubuntu/images/{}-*", random.one_of(&WORDS))),
        filter("virtualization-type", "hvm".to_owned()),
    ];
    Item::Block("data", vec!["aws_ami".to_owned(), format!("image_{number}")], items)
}

fn indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}

fn write_body(out: &mut String, items: &[Item], depth: usize) {
    for (index, item) in items.iter().enumerate() {
        match item {
            Item::Blank => {}
            Item::Comment(text) => {
                indent(out, depth);
                write!(out, "# {text}").expect("a string takes any text");
            }
            Item::Attribute(name, expr) => {
                indent(out, depth);
                write!(out, "{name:width$} = ", width = name_width(items, index))
                    .expect("a string takes any text");
                write_expr(out, expr, depth);
            }
            Item::Block(kind, labels, items) => {
                indent(out, depth);
                out.push_str(kind);
                for label in labels {
                    write!(out, " \"{label}\"").expect("a string takes any text");
                }
                out.push_str(" {\n");
                write_body(out, items, depth + 1);
                indent(out, depth);
                out.push('}');
            }
        }
        out.push('\n');
    }
}

/// Returns the length of the longest name in the run of attributes around `index`: the canonical format aligns their equals
/// signs.
fn name_width(items: &[Item], index: usize) -> usize {
    let width = |item: &Item| match item {
        Item::Attribute(name, _) => Some(name.len()),
        Item::Blank | Item::Comment(_) | Item::Block(..) => None,
    };
    let after = items[index..].iter().map_while(width);
    let before = items[..index].iter().rev().map_while(width);
    after.chain(before).max().unwrap_or(0)
}

fn write_expr(out: &mut String, expr: &Expr, depth: usize) {
    match expr {
        Expr::Code(text) => out.push_str(text),
        Expr::Quoted(text) => write!(out, "\"{text}\"").expect("a string takes any text"),
        Expr::Number(number) => write!(out, "{number}").expect("a string takes any text"),
        Expr::Bool(value) => write!(out, "{value}").expect("a string takes any text"),
        Expr::List(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_expr(out, element, depth);
            }
            out.push(']');
        }
        Expr::Map(pairs) => {
            let width = pairs.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
            out.push_str("{\n");
            for (key, value) in pairs {
                indent(out, depth + 1);
                write!(out, "{key:width$} = ").expect("a string takes any text");
                write_expr(out, value, depth + 1);
                out.push('\n');
            }
            indent(out, depth);
            out.push('}');
        }
        Expr::Heredoc(lines) => {
            out.push_str("<<-EOT\n");
            for line in lines.iter().flat_map(|line| line.split('\n')) {
                indent(out, depth + 1);
                out.push_str(line);
                out.push('\n');
            }
            indent(out, depth);
            out.push_str("EOT");
        }
    }
}

/// Adds a block or attribute to the JSON of its body. Blocks are objects by type and labels, with an array of bodies innermost.
fn add_to_json(object: &mut Map<String, Value>, item: &Item) {
    match item {
        Item::Blank => {}
        Item::Comment(text) => drop(object.insert("//".to_owned(), json!(text))),
        Item::Attribute(name, expr) => drop(object.insert((*name).to_owned(), json_expr(expr))),
        Item::Block(kind, labels, items) => {
            let mut body = Map::new();
            for item in items {
                add_to_json(&mut body, item);
            }
            let mut place = object.entry(*kind).or_insert(Value::Null);
            for label in labels {
                if !place.is_object() {
                    *place = json!({});
                }
                place =
                    place.as_object_mut().expect("made above").entry(label.clone()).or_insert(Value::Null);
            }
            if !place.is_array() {
                *place = json!([]);
            }
            place.as_array_mut().expect("made above").push(Value::Object(body));
        }
    }
}

fn json_expr(expr: &Expr) -> Value {
    match expr {
        Expr::Code(text) => json!(format!("${{{text}}}")),
        Expr::Quoted(text) => json!(text),
        Expr::Number(number) => json!(number),
        Expr::Bool(value) => json!(value),
        Expr::List(elements) => elements.iter().map(json_expr).collect(),
        Expr::Map(pairs) => pairs.iter().map(|(key, value)| (key.clone(), json_expr(value))).collect(),
        Expr::Heredoc(lines) => json!(format!("{}\n", lines.join("\n"))),
    }
}
