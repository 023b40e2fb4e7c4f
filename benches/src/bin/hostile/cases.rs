//! Generates hostile configurations, requests and variable files.

/// Makes a text when the case runs, so that only the texts of one case are in memory.
pub type Text = Box<dyn Fn() -> Vec<u8>>;

/// A file of a case.
pub struct Input {
    pub name: String,
    pub text: Text,
}

/// One run of the command.
pub struct Case {
    pub name: String,
    pub files: Vec<Input>,
    pub stdin: Option<Text>,
    pub arguments: Vec<&'static str>,
    /// The number of configurations that the command evaluates: the promise holds for each of them.
    pub runs: u32,
}

const MILLION: usize = 1_000_000;
/// The size of the largest text, which is at or slightly below the limit on configuration.
pub const LARGEST_SOURCE: usize = 4_150_000;

impl Case {
    pub fn new(name: impl Into<String>, arguments: &[&'static str]) -> Case {
        Case { name: name.into(), files: Vec::new(), stdin: None, arguments: arguments.to_vec(), runs: 1 }
    }

    pub fn file(mut self, name: impl Into<String>, text: impl Fn() -> String + 'static) -> Case {
        self.files.push(Input { name: name.into(), text: Box::new(move || text().into_bytes()) });
        self
    }

    pub fn stdin(mut self, text: impl Fn() -> String + 'static) -> Case {
        self.stdin = Some(Box::new(move || text().into_bytes()));
        self
    }

    /// Returns the case for a command that evaluates `runs` configurations.
    pub fn runs(self, runs: u32) -> Case {
        Case { runs, ..self }
    }

    /// Returns a case with a module of one file.
    pub fn module(
        name: impl Into<String>,
        arguments: &[&'static str],
        text: impl Fn() -> String + 'static,
    ) -> Case {
        Case::new(name, arguments).file("main.tf", text)
    }
}

const EVAL: &[&str] = &["eval", "."];
const JSON: &[&str] = &["eval", ".", "--json"];
const CHECK: &[&str] = &["check"];
const FMT: &[&str] = &["fmt", "-check", "main.tf"];
const GRAPH: &[&str] = &["graph", "."];
const SERVER: &[&str] = &["console", "--json"];
const FORMATS: [&[&str]; 6] = [
    &["check", "--format", "human"],
    &["check", "--format", "compact"],
    &["check", "--format", "json"],
    &["check", "--format", "sarif"],
    &["check", "--format", "junit"],
    &["check", "--format", "github"],
];

/// Returns all cases of this file.
pub fn all() -> Vec<Case> {
    let mut cases = diagnostics();
    cases.extend(large_texts());
    cases.extend(loops());
    cases.extend(functions());
    cases.extend(blocks());
    cases.extend(trees());
    cases.extend(mock_files());
    cases.extend(other_inputs());
    cases
}

fn request(expression: &str) -> String {
    format!("{}\n", serde_json::json!({ "id": 1, "expr": expression }))
}

fn diagnostics() -> Vec<Case> {
    let server = |name: &str, text: fn() -> String| Case::new(name, SERVER).stdin(move || request(&text()));
    let mut cases = vec![
        server("request: 500,000 unknown variables in a list", || {
            format!("[{}1]", "var.a, ".repeat(MILLION / 2))
        }),
        server("request: 500,000 unknown variables in a sum", || {
            format!("{}1", "var.a+".repeat(MILLION / 2))
        }),
        server("request: 500,000 unknown variables in try", || {
            format!("try([{}1], 1)", "var.a, ".repeat(MILLION / 2))
        }),
        server("request: an error in each of 2,000,000 turns", || {
            "[for i in range(1000): [for j in range(1000): [for k in [1, 2]: var.a + i + j]]]".to_owned()
        }),
    ];
    for arguments in FORMATS {
        let format = arguments[2];
        cases.push(Case::module(format!("80,000 errors in a line, {format}"), arguments, || {
            format!("locals {{ a = {} 1 }}\n", "local.x+".repeat(80_000))
        }));
        cases.push(Case::module(format!("300,000 lines with a syntax error, {format}"), arguments, || {
            "a = [1 2] @ \n".repeat(300_000)
        }));
    }
    let duplicates = || format!("{{\"locals\": {{{}\"a\": 1}}}}", "\"a\":1,".repeat(MILLION / 2));
    cases.push(Case::new("JSON: 500,000 duplicate keys", EVAL).file("a.tf.json", duplicates));
    cases.push(Case::new("JSON: 500,000 duplicate keys", CHECK).file("a.tf.json", duplicates));
    cases.push(
        Case::new("variable file: 500,000 duplicate keys", &["eval", ".", "-var-file", "x.tfvars.json"])
            .file("main.tf", || "variable \"a\" {}\n".to_owned())
            .file("x.tfvars.json", || format!("{{{}\"a\":1}}", "\"a\":1,".repeat(MILLION / 2))),
    );
    let broken = || format!("{{\"locals\": {{\"a\": [{}1]}}}}", "\"${\",".repeat(MILLION / 2));
    cases.push(Case::new("JSON: 500,000 broken templates", EVAL).file("a.tf.json", broken));
    for (name, arguments) in [("eval", EVAL), ("check", CHECK), ("eval --json", JSON)] {
        cases.push(Case::module(format!("150,000 wrong references, {name}"), arguments, || {
            format!("locals {{\n{}}}\n", numbered(150_000, |i| format!("a{i} = local.x{i}\n")))
        }));
    }
    cases
}

/// Returns `count` lines, each made from its number.
pub fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn large_texts() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, unit, bytes) in [
        ("200 MB of newlines", "\n", 200 * MILLION),
        ("100 MB of NUL bytes", "\0", 100 * MILLION),
        ("100 MB of spaces", " ", 100 * MILLION),
        ("100 MB of comments", "#\n", 100 * MILLION),
        ("4 MB of newlines", "\n", LARGEST_SOURCE),
        ("4 MB of NUL bytes", "\0", LARGEST_SOURCE),
        ("4 MB of comments", "#\n", LARGEST_SOURCE),
        ("4 MB of syntax errors", "a = [1 2] @ \n", LARGEST_SOURCE),
        ("4 MB of blocks with syntax errors", "locals {\n  a = [1 2\n}\n", LARGEST_SOURCE),
        ("4 MB of open blocks", "a {\n", LARGEST_SOURCE),
        ("4 MB of empty blocks", "a{}\n", LARGEST_SOURCE),
        ("4 MB of locals blocks", "locals{}\n", LARGEST_SOURCE),
        ("4 MB of wide characters", "# \u{6f22}\n", LARGEST_SOURCE),
    ] {
        let text = move || unit.repeat(bytes / unit.len());
        for (command, arguments) in [("eval", EVAL), ("check", CHECK), ("fmt", FMT), ("graph", GRAPH)] {
            cases.push(Case::module(format!("{name}, {command}"), arguments, text));
        }
    }
    let wrapped = |start: &'static str, unit: &'static str, end: &'static str, bytes: usize| {
        move || format!("{start}{}{end}", unit.repeat(bytes / unit.len()))
    };
    for (name, start, unit, end, bytes) in [
        ("a 30 MB list literal", "locals { a = [", "1,", "] }\n", 30 * MILLION),
        ("a 4 MB list literal", "locals { a = [", "1,", "] }\n", LARGEST_SOURCE - 100),
        ("a 4 MB list of objects", "locals { a = [", "{a=1},", "] }\n", LARGEST_SOURCE - 100),
        ("a 4 MB list of empty lists", "locals { a = [", "[],", "] }\n", LARGEST_SOURCE - 100),
        ("a 4 MB list of strings", "locals { a = [", "\"x\",", "] }\n", LARGEST_SOURCE - 100),
        ("a 4 MB sum", "locals { a = ", "1+", "1 }\n", LARGEST_SOURCE - 100),
        ("a 4 MB sum of references", "locals {\n b = 1\n a = ", "local.b+", "1\n}\n", LARGEST_SOURCE - 100),
        ("a 4 MB string of interpolations", "locals { a = \"", "${1}", "\" }\n", LARGEST_SOURCE - 100),
        ("a 4 MB heredoc", "locals {\n a = <<A\n", "x\n", "A\n}\n", LARGEST_SOURCE - 100),
        ("a 4 MB number", "locals { a = ", "7", " }\n", LARGEST_SOURCE - 100),
        ("a 4 MB name", "locals { ", "a", " = 1 }\n", LARGEST_SOURCE - 100),
        ("4 MB of calls", "locals { a = [", "f(),", "] }\n", LARGEST_SOURCE - 100),
        ("4 MB of splats", "locals { a = [", "a[*],", "] }\n", LARGEST_SOURCE - 100),
    ] {
        for (command, arguments) in
            [("eval", EVAL), ("eval --json", JSON), ("check", CHECK), ("fmt", FMT), ("graph", GRAPH)]
        {
            cases.push(Case::module(
                format!("{name}, {command}"),
                arguments,
                wrapped(start, unit, end, bytes),
            ));
        }
    }
    let list = || format!("{{\"locals\":{{\"a\":[{}1]}}}}", "1,".repeat(2 * MILLION));
    cases.push(Case::new("JSON: a 4 MB list, eval", EVAL).file("a.tf.json", list));
    cases.push(Case::new("JSON: a 4 MB list, check", CHECK).file("a.tf.json", list));
    let objects = || format!("{{\"locals\":{{\"a\":[{}1]}}}}", "{\"a\":1},".repeat(MILLION / 2));
    cases.push(Case::new("JSON: a 4 MB list of objects, eval", EVAL).file("a.tf.json", objects));
    let files = (0..8).fold(Case::new("8 files of 4 MB of newlines, check", CHECK), |case, file| {
        let names = ["a.tf", "b.tf", "c.tf", "d.tf", "e.tf", "f.tf", "g.tf", "h.tf"];
        case.file(names[file], || "\n".repeat(LARGEST_SOURCE))
    });
    cases.push(files);
    cases
}

/// Returns forty locals, each made of the one before, for which `@` stands.
fn doubling(first: &str, next: &str) -> String {
    let line = |i: usize| format!(" a{} = {}\n", i + 1, next.replace('@', &format!("local.a{i}")));
    format!("locals {{\n a0 = {first}\n{}}}\n", numbered(40, line))
}

fn loops() -> Vec<Case> {
    let mut cases = vec![
        Case::module("100 locals that each sum a million elements", EVAL, || {
            let line =
                |i| format!("a{i} = sum([for i in range(1000): sum([for j in range(1000): i+j+{i}])])\n");
            format!("locals {{\n{}}}\n", numbered(100, line))
        }),
        Case::module("100 locals with a million elements by the rules", EVAL, || {
            let line = |i| {
                format!(
                    "a{i} = length([for i in range(1000): length([for j in range(1000): try(j.x, i)])])\n"
                )
            };
            format!("locals {{\n{}}}\n", numbered(100, line))
        }),
        Case::module("a loop with a body of 4,000 additions", EVAL, || {
            let body = "j+".repeat(4000);
            format!(
                "locals {{ a = length([for i in range(1000): length([for j in range(1000): {body}i])]) }}\n"
            )
        }),
        Case::module("a loop with an object of 500 attributes", EVAL, || {
            let body = numbered(500, |i| format!("a{i}=j,"));
            format!(
                "locals {{ a = length([for i in range(1000): length([for j in range(1000): {{{body}}}])]) }}\n"
            )
        }),
        Case::module("a loop over three billion elements", EVAL, || {
            "locals { a = [for i in range(1000): [for j in range(1000): [for k in range(1000): i]]] }\n"
                .to_owned()
        }),
        Case::module("a million elements with an unknown", EVAL, || {
            "variable \"v\" {}\nlocals { a = [for i in range(1000): [for j in range(1000): \"${var.v}-${i}-${j}\"]] }\n"
                .to_owned()
        }),
        Case::module("a million elements with a resource attribute, --json", JSON, || {
            "resource \"a_b\" \"c\" {}\nlocals { a = [for i in range(1000): [for j in range(1000): \"${a_b.c.id}${i}\"]] }\n"
                .to_owned()
        }),
        Case::module("a million unknown objects", EVAL, || {
            "variable \"v\" {}\nlocals { a = [for i in range(1000): [for j in range(1000): { a = var.v, b = i, c = [var.v] }]] }\n"
                .to_owned()
        }),
        Case::module("a million elements with an error", EVAL, || {
            "locals { a = [for i in range(1000): [for j in range(1000): i + []]] }\n".to_owned()
        }),
        Case::module("a million grouped keys", EVAL, || {
            "locals { a = [for i in range(1000): {for j in range(1000): \"k${j % 10}\" => i...}] }\n"
                .to_owned()
        }),
        Case::module("an element of 2,000 megabytes of text", EVAL, || {
            let text =
                "join(\"\", [for i in range(1000): join(\"\", [for j in range(100): \"0123456789\"])])";
            let parts = numbered(2000, |i| format!("length(\"${{local.s}}{i}\"),"));
            format!("locals {{\n s = {text}\n a = [for i in range(10): length([{parts}i])]\n}}\n")
        }),
        Case::module("loops in 1,000 outputs", EVAL, || {
            numbered(1000, |i| {
                format!(
                    "output \"o{i}\" {{ value = length([for i in range(1000): [for j in range(200): i + j]]) }}\n"
                )
            })
        }),
    ];
    for (name, first, next) in [
        ("concat", "[1]", "concat(@, @)"),
        ("merge", "{a=1}", "merge({for k, v in @: \"${k}0\" => v}, {for k, v in @: \"${k}1\" => v})"),
        ("for", "[1]", "flatten([for x in @: [x, x]])"),
        ("strings", "\"x\"", "\"${@}${@}\""),
        ("wide strings", "\"\u{6f22}\"", "\"${@}${@}\""),
        ("join", "\"x\"", "join(\"\", [@, @])"),
        ("format", "\"x\"", "format(\"%s%s\", @, @)"),
        ("replace", "\"x\"", "replace(@, \"x\", \"xx\")"),
        ("setunion", "toset([\"a\"])", "setunion([for x in @: \"${x}0\"], [for x in @: \"${x}1\"])"),
        ("setproduct", "[1, 2]", "flatten(setproduct(@, [1, 2]))"),
        ("tuples", "[1]", "[@, @]"),
        ("objects", "{}", "{ a = @, b = @ }"),
        ("jsonencode", "\"\\\"\"", "jsonencode(@)"),
        ("numbers", "2", "@ * @"),
        ("splat", "[{a=[1]}]", "concat(@[*], @[*])"),
        (
            "zipmap",
            "{a=1}",
            "zipmap(concat([for k in keys(@): \"${k}0\"], keys(@)), concat(values(@), values(@)))",
        ),
    ] {
        cases.push(Case::module(format!("doubling {name}"), EVAL, move || doubling(first, next)));
        cases.push(Case::module(format!("doubling {name}, --json"), JSON, move || doubling(first, next)));
    }
    cases
}

fn functions() -> Vec<Case> {
    let text = "s = join(\"\", [for i in range(1000): \"0123456789abcdef\"])";
    let wide = "s = join(\"\", [for i in range(1000): \"h\u{e9}llo w\u{f6}rld, \u{2713} ab\"])";
    let mut cases = Vec::new();
    for (name, call) in [
        ("sha512", "sha512(\"${local.s}${i}${j}\")"),
        ("upper", "upper(\"${local.s}${i}${j}\")"),
        ("title", "title(\"${local.s}${i}${j}\")"),
        ("split", "length(split(\"1\", \"${local.s}${i}${j}\"))"),
        ("regexall", "length(regexall(\"[0-9]+[a-f]\", \"${local.s}${i}${j}\"))"),
        (
            "regexall with many states",
            "length(regexall(\"(?:.|\\\\n){900}$\", \"${substr(local.s, 0, 500)}${i}${j}\"))",
        ),
        (
            "regexall with a class of letters",
            "length(regexall(\"\\\\pL{900}$\", \"${substr(local.s, 0, 100)}${i}${j}\"))",
        ),
        (
            "yamldecode of maps",
            "length(yamldecode(\"${replace(local.s, \"0123456789abcdef\", \"- {a: 1, b: c}\\n\")}- ${i}${j}\"))",
        ),
        ("replace with a pattern", "replace(\"${local.s}${i}${j}\", \"/[a-f]+/\", \"x\")"),
        ("regexall of dense matches", "length(regexall(\"(?P<x>.)\", \"${local.s}${i}${j}\"))"),
        ("replace of dense matches", "replace(\"${local.s}${i}${j}\", \"/(.)/\", \"$1$1\")"),
        (
            "replace with many references",
            "replace(\"${local.s}${i}${j}\", \"/(.)/\", \"${join(\"\", [for k in range(100): \"$9\"])}\")",
        ),
        ("parseint of long texts", "parseint(\"${replace(local.s, \"/[^0-9]/\", \"\")}${i}${j}\", 36)"),
        ("new patterns", "length(regexall(\"[0-9]{1,50}x${i}y${j}\", local.s))"),
        ("base64gzip", "base64gzip(\"${local.s}${i}${j}\")"),
        ("format", "format(\"%s-%q-%08d\", local.s, i, j)"),
        ("jsondecode", "length(jsondecode(jsonencode([local.s, i, j])))"),
        ("yamldecode", "length(yamldecode(\"a: ${local.s}\\nb: ${i}${j}\\n\"))"),
        ("lower", "lower(\"${local.s}${i}${j}\")"),
        ("strrev", "strrev(\"${local.s}${i}${j}\")"),
        ("cidrsubnet", "cidrsubnet(\"10.0.0.0/8\", 16, i * 10 + j % 10)"),
        ("parseint", "parseint(\"${i}${j}\", 10)"),
        ("templatestring", "templatestring(local.t, { a = \"${i}${j}\" })"),
        ("formatdate", "formatdate(\"YYYY-MM-DD\", timeadd(\"2020-01-01T00:00:00Z\", \"${i}h\"))"),
        ("uuidv5", "uuidv5(\"dns\", \"${i}${j}\")"),
        ("bcrypt", "bcrypt(\"${i}${j}\", 8)"),
        ("setproduct", "length(setproduct(range(100), range(100), [i]))"),
        ("distinct", "length(distinct([for k in range(100): \"${k % 7}${i}${j}\"]))"),
        ("transpose", "length(transpose({ a = [for k in range(100): \"${k}${i}\"] }))"),
        ("jsonencode of a number", "jsonencode(pow(2, 1000) + i)"),
        ("try with errors", "try(jsondecode(\"{${i}${j}\"), 1)"),
        ("regex without a match", "can(regex(\"(a|b${i}x${j}){1,200}(c|d)\", \"abc\"))"),
        (
            "wrong patterns",
            "can(regex(\"${join(\"\", [for k in range(1000): \"[^\\\\pL]\"])}${i}x${j}(\", \"a\"))",
        ),
        ("wrong ranges", "can(range(1025 + i * j))"),
        (
            "formatdate of a long format",
            "formatdate(join(\"\", [for k in range(500): \"DM\"]), timeadd(\"2020-01-01T00:00:00Z\", \"${i}h${j}m\"))",
        ),
    ] {
        for (kind, text) in [("", text), (" of wide text", wide)] {
            if !call.contains("local.s") && !kind.is_empty() {
                continue;
            }
            cases.push(Case::module(format!("a loop of {name}{kind}"), EVAL, move || {
                format!(
                    "locals {{\n {text}\n t = \"a $${{a}} b\"\n \
                     a = length([for i in range(1000): [for j in range(1000): {call}]])\n}}\n"
                )
            }));
        }
    }
    let file = |name: &str, call: &'static str| {
        Case::module(format!("a loop of {name} on a file of 20 MB"), EVAL, move || {
            format!("locals {{ a = [for i in range(1000): {call}] }}\n")
        })
        .file("big.txt", || "0123456789\n".repeat(2 * MILLION))
    };
    cases.push(file("file", "length(file(\"big.txt\"))"));
    cases.push(file("filesha512", "filesha512(\"big.txt\")"));
    cases.push(file("filebase64", "length(filebase64(\"big.txt\"))"));
    cases.push(file("templatefile", "length(templatefile(\"big.txt\", {}))"));
    cases
}

/// Returns nested `dynamic` blocks, each with the number of elements in `counts`.
pub fn dynamic(counts: &[usize], content: &str) -> String {
    counts.iter().rev().enumerate().fold(content.to_owned(), |inner, (level, count)| {
        format!("dynamic \"b{level}\" {{\nfor_each = range({count})\ncontent {{\n{inner}\n}}\n}}\n")
    })
}

fn blocks() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, arguments) in [("eval", EVAL), ("eval --json", JSON), ("check", CHECK)] {
        for (kind, content) in [
            ("empty", ""),
            ("one argument", "a = 1"),
            ("ten arguments", "a=1\nb=2\nc=3\nd=4\ne=5\nf=[]\ng={}\nh=[1,2]\ni=\"x\"\nj=null"),
        ] {
            cases.push(Case::module(
                format!("10 x 1000 x 1000 dynamic blocks, {kind}, {name}"),
                arguments,
                move || format!("resource \"a_b\" \"c\" {{\n{}}}\n", dynamic(&[10, 1000, 1000], content)),
            ));
        }
        cases.push(Case::module(format!("count = 1000000, {name}"), arguments, || {
            "resource \"a_b\" \"c\" {\n  count = 1000000\n  x = 1\n}\n".to_owned()
        }));
        cases.push(Case::module(format!("count = 1000000 with count.index, {name}"), arguments, || {
            "resource \"a_b\" \"c\" {\n  count = 1000000\n  x = \"a${count.index}\"\n}\n".to_owned()
        }));
        cases.push(Case::module(format!("1,000 resources with count = 1000, {name}"), arguments, || {
            numbered(1000, |i| format!("resource \"a_b\" \"c{i}\" {{\n  count = 1000\n  x = 1\n}}\n"))
        }));
        cases.push(
            Case::module(format!("a module with count = 1000000, {name}"), arguments, || {
                "module \"m\" {\n  source = \"./m\"\n  count  = 1000000\n}\n".to_owned()
            })
            .file("m/main.tf", || "locals { a = 1 }\noutput \"o\" { value = 1 }\n".to_owned()),
        );
        cases.push(
            Case::module(format!("modules of modules with count = 1000, {name}"), arguments, || {
                "module \"m\" {\n  source = \"./m\"\n  count  = 1000\n}\n".to_owned()
            })
            .file("m/main.tf", || "module \"n\" {\n  source = \"../n\"\n  count  = 1000\n}\n".to_owned())
            .file("n/main.tf", || "output \"o\" { value = 1 }\n".to_owned()),
        );
        cases.push(Case::module(format!("for_each over 130,000 keys, {name}"), arguments, || {
            "resource \"a_b\" \"c\" {\n  for_each = toset(flatten([for i in range(1000): [for j in range(130): \"k${i}-${j}\"]]))\n  x = each.key\n}\n"
                .to_owned()
        }));
        cases.push(Case::module(format!("for_each over 300,000 keys, {name}"), arguments, || {
            "resource \"a_b\" \"c\" {\n  for_each = toset(flatten([for i in range(1000): [for j in range(300): \"k${i}-${j}\"]]))\n  x = each.key\n}\n"
                .to_owned()
        }));
        cases.push(Case::new(format!("Packer: 100 loops of a million elements, {name}"), arguments).file(
            "a.pkr.hcl",
            || {
                let line =
                    |i| format!("a{i} = length([for i in range(1000): [for j in range(1000): i+j+{i}]])\n");
                format!("locals {{\n{}}}\n", numbered(100, line))
            },
        ));
        cases.push(Case::new(format!("Packer: 100,000 dynamic blocks, {name}"), arguments).file("a.pkr.hcl", || {
            format!(
                "source \"null\" \"x\" {{\n communicator = \"none\"\n}}\nbuild {{\n sources = [\"null.x\"]\n \
                 provisioner \"shell-local\" {{\n inline = [\"true\"]\n {}\n }}\n}}\n",
                dynamic(&[100, 1000], "a = 1")
            )
        }));
    }
    cases
}

/// Returns a text of numbered lines that fills the limit on configuration.
pub fn filled(line: fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0.. {
        let line = line(number);
        if text.len() + line.len() > LARGEST_SOURCE {
            break;
        }
        text.push_str(&line);
    }
    text
}

fn trees() -> Vec<Case> {
    let mut cases = Vec::new();
    let lines: [(&str, fn(usize) -> String); 14] = [
        ("outputs", |i| format!("output \"a{i}\" {{ value = 1 }}\n")),
        ("variables", |i| format!("variable \"a{i}\" {{}}\n")),
        ("resources", |i| format!("resource \"a_b\" \"c{i}\" {{}}\n")),
        ("data sources", |i| format!("data \"a_b\" \"c{i}\" {{}}\n")),
        ("module calls", |i| format!("module \"m{i}\" {{ source = \"./m\" }}\n")),
        ("absent modules", |i| format!("module \"m{i}\" {{ source = \"a/b/c\" }}\n")),
        ("moved blocks", |i| format!("moved {{\n from = a_b.c{i}\n to = a_b.d{i}\n}}\n")),
        ("import blocks", |i| format!("import {{\n to = a_b.c{i}\n id = \"x\"\n}}\n")),
        ("removed blocks", |i| format!("removed {{\n from = a_b.c{i}\n}}\n")),
        ("providers", |i| format!("provider \"a\" {{ alias = \"x{i}\" }}\n")),
        ("check blocks", |i| {
            format!("check \"c{i}\" {{\n assert {{\n condition = true\n error_message = \"x\"\n}}\n}}\n")
        }),
        ("duplicate outputs", |_| "output \"a\" { value = 1 }\n".to_owned()),
        ("locals that form a chain", |i| format!("locals {{ a{} = local.a{i} }}\n", i + 1)),
        ("locals that form cycles", |i| format!("locals {{ a{i} = local.a{} }}\n", i ^ 1)),
    ];
    for (name, line) in lines {
        for (command, arguments) in
            [("eval", EVAL), ("eval --json", JSON), ("check", CHECK), ("graph", GRAPH)]
        {
            let module = || "output \"o\" { value = 1 }\n".to_owned();
            cases.push(
                Case::module(format!("4 MB of {name}, {command}"), arguments, move || filled(line))
                    .file("m/main.tf", module),
            );
        }
    }
    for (command, arguments) in [("eval", EVAL), ("eval --json", JSON), ("check", CHECK), ("graph", GRAPH)] {
        cases.push(Case::module(format!("4 MB of locals, {command}"), arguments, || {
            format!(
                "locals {{\n{}}}\n",
                filled(|i| format!(
                    "a{i}={i}
"
                ))
            )
        }));
        cases.push(Case::module(format!("4 MB of arguments of a resource, {command}"), arguments, || {
            format!(
                "resource \"a_b\" \"c\" {{
{}}}
",
                filled(|i| format!(
                    "a{i}={i}
"
                ))
            )
        }));
        cases.push(Case::module(
            format!("4 MB of nested blocks of a resource, {command}"),
            arguments,
            || format!("resource \"a_b\" \"c\" {{\n{}}}\n", "a {}\n".repeat((LARGEST_SOURCE - 200) / 5)),
        ));
        cases.push(Case::module(
            format!("locals that refer to 3,000 others each, {command}"),
            arguments,
            || {
                let all = numbered(300, |i| format!("local.b{i},"));
                format!(
                    "locals {{\n{}{}}}\n",
                    numbered(300, |i| format!("b{i} = {i}\n")),
                    numbered(2000, |i| format!("a{i} = [{all}]\n"))
                )
            },
        ));
    }
    cases
}

fn mock_files() -> Vec<Case> {
    let mocks = |name: &str, count: &'static str, text: fn() -> String| {
        Case::new(format!("mocks: {name}"), &["eval", ".", "--mocks", "m.tftest.hcl"])
            .file("main.tf", move || format!("data \"a_b\" \"c\" {{\n{count}}}\n"))
            .file("m.tftest.hcl", text)
    };
    let defaults = || {
        format!(
            "mock_provider \"a\" {{\n mock_data \"a_b\" {{\n defaults = {{\n{}}}\n}}\n}}\n",
            numbered(20_000, |i| format!("x{i} = 1\n"))
        )
    };
    vec![
        mocks("4 MB of values of one object", "", || {
            format!(
                "override_data {{\n target = data.a_b.c\n values = {{\n{}}}\n}}\n",
                filled(|i| format!("x{i} = 1\n"))
            )
        }),
        mocks("4 MB of overrides of objects that are not there", "", || {
            filled(|i| format!("override_data {{\n target = data.a_b.d{i}\n values = {{ x = 1 }}\n}}\n"))
        }),
        mocks("4 MB of overrides of one object", "", || {
            filled(|i| format!("override_data {{\n target = data.a_b.c\n values = {{ x{i} = 1 }}\n}}\n"))
        }),
        mocks("20,000 overrides of one instance each", " count = 20000\n", || {
            numbered(20_000, |i| {
                format!("override_data {{\n target = data.a_b.c[{i}]\n values = {{ x = 1 }}\n}}\n")
            })
        }),
        mocks("20,000 defaults for each of 20,000 instances", " count = 20000\n", defaults),
        Case::new(
            "mocks: 20,000 defaults for each of 20,000 resources",
            &["eval", ".", "--mocks", "m.tftest.hcl"],
        )
        .file("main.tf", || numbered(20_000, |i| format!("data \"a_b\" \"c{i}\" {{}}\n")))
        .file("m.tftest.hcl", defaults),
    ]
}

fn other_inputs() -> Vec<Case> {
    let spec = || "object {\n attr \"a\" {\n type = list(number)\n }\n}\n".to_owned();
    let decode: &[&str] = &["decode", "--spec", "s.hcldec", "in.hcl"];
    let schema_depth = |depth: usize| {
        let mut block = "{}".to_owned();
        for _ in 0..depth {
            block = format!(
                "{{\"block_types\":{{\"a\":{{\"nesting_mode\":\"group\",\"block\":{block}}},\"b\":{{\"nesting_mode\":\"group\",\"block\":{block}}}}}}}"
            );
            if block.len() > MILLION {
                break;
            }
        }
        block
    };
    let schemas = move |block: String| {
        format!(
            "{{\"format_version\":\"1.0\",\"provider_schemas\":{{\"registry.terraform.io/hashicorp/a\":{{\
             \"resource_schemas\":{{\"a_b\":{{\"version\":0,\"block\":{block}}}}}}}}}}}"
        )
    };
    let resource = || "resource \"a_b\" \"c\" {}\n".to_owned();
    let with_schemas: &[&str] = &["eval", ".", "--schemas", "s.json"];
    vec![
        Case::new("decode: a list of 4 MB", decode)
            .file("s.hcldec", spec)
            .file("in.hcl", || format!("a = [{}]\n", "1,".repeat(2 * MILLION))),
        Case::new("decode: a spec of 4 MB", decode)
            .file("s.hcldec", || {
                format!(
                    "object {{\n{}}}\n",
                    filled(|i| format!(
                        "attr \"a{i}\" {{
 type = any
}}
"
                    ))
                )
            })
            .file("in.hcl", || "a0 = 1\n".to_owned()),
        Case::new("decode: 200 MB of newlines on standard input", &["decode", "--spec", "s.hcldec"])
            .file("s.hcldec", spec)
            .stdin(|| "\n".repeat(200 * MILLION)),
        Case::new("fmt: 200 MB of newlines on standard input", &["fmt", "-"])
            .stdin(|| "\n".repeat(200 * MILLION)),
        Case::new("check: 200 MB of newlines on standard input", &["check", "-"])
            .stdin(|| "\n".repeat(200 * MILLION)),
        Case::new("console: a line of 200 MB", &["console"]).stdin(|| "1".repeat(200 * MILLION)),
        Case::new("console: 200 MB in an open bracket", &["console"])
            .stdin(|| format!("[{}", "1,\n".repeat(60 * MILLION))),
        Case::new("request: 200 MB without an end", SERVER).stdin(|| "1".repeat(200 * MILLION)),
        Case::new("request: a list of 4 MB", SERVER)
            .stdin(|| request(&format!("[{}1]", "1,".repeat(LARGEST_SOURCE / 2 - 100)))),
        Case::new("request: a body of 4 MB", SERVER).stdin(|| {
            let body = "a = 1\n".repeat((LARGEST_SOURCE - 300_000) / 7);
            format!("{}\n", serde_json::json!({ "id": 1, "body": body, "schema": { "attributes": {} } }))
        }),
        Case::new("scope: 200 MB", &["console", "--scope", "s.json"])
            .file("s.json", || format!("{{\"a\":[{}1]}}", "1,".repeat(100 * MILLION)))
            .stdin(|| "1\n".to_owned()),
        Case::new("schemas: 200 MB", with_schemas)
            .file("main.tf", resource)
            .file("s.json", || " ".repeat(200 * MILLION)),
        Case::new("schemas: a list of 30 MB", with_schemas)
            .file("main.tf", resource)
            .file("s.json", || format!("[{}1]", "1,".repeat(15 * MILLION))),
        Case::new("schemas: groups in groups", with_schemas)
            .file("main.tf", resource)
            .file("s.json", move || schemas(schema_depth(30))),
        Case::new("schemas: 90,000 attributes", with_schemas).file("main.tf", resource).file(
            "s.json",
            move || {
                let attributes =
                    numbered(90_000, |i| format!("\"a{i}\":{{\"type\":\"string\",\"optional\":true}},"));
                schemas(format!("{{\"attributes\":{{{}}}}}", attributes.trim_end_matches(',')))
            },
        ),
        Case::new("a variable file of 4 MB", &["eval", ".", "-var-file", "x.tfvars"])
            .file("main.tf", || "variable \"a\" {}\n".to_owned())
            .file("x.tfvars", || format!("a = [{}]\n", "1,".repeat(2 * MILLION))),
        Case::new("a variable file of 4 MB of variables", &["eval", ".", "-var-file", "x.tfvars"])
            .file("main.tf", || "variable \"a\" {}\n".to_owned())
            .file("x.tfvars", || filled(|i| format!("a{i}=1\n"))),
        Case::new("a manifest of 4 MB", EVAL)
            .file("main.tf", || "module \"m\" { source = \"a/b/c\" }\n".to_owned())
            .file(".terraform/modules/modules.json", || {
                format!(
                    "{{\"Modules\":[{}{{}}]}}",
                    "{\"Key\":\"a\",\"Source\":\"b\",\"Dir\":\"c\"},".repeat(200_000)
                )
            }),
        Case::new("a module that calls itself twice through two others", EVAL)
            .file("main.tf", || "module \"a\" { source = \"./a\" }\n".to_owned())
            .file("a/main.tf", || numbered(1000, |i| format!("module \"b{i}\" {{ source = \"../b\" }}\n")))
            .file("b/main.tf", || numbered(1000, |i| format!("module \"c{i}\" {{ source = \"../c\" }}\n")))
            .file("c/main.tf", || "output \"o\" { value = 1 }\n".to_owned()),
    ]
}
