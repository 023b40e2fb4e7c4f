//! Products and examples of the functions: strings.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "chomp",
        availability: Availability::everywhere(),
        examples: &[("chomp(\"a line\\n\")", "\"a line\"")],
    },
    Page {
        name: "endswith",
        availability: Availability::nowhere().terraform(3).opentofu(6).packer(13),
        examples: &[("endswith(\"main.tf\", \".tf\")", "true")],
    },
    Page {
        name: "startswith",
        availability: Availability::nowhere().terraform(3).opentofu(6).packer(13),
        examples: &[("startswith(\"module.vpc\", \"module.\")", "true")],
    },
    Page {
        name: "strcontains",
        availability: Availability::nowhere().terraform(5).opentofu(6).packer(12),
        examples: &[("strcontains(\"hello world\", \"wor\")", "true")],
    },
    Page {
        name: "format",
        availability: Availability::everywhere(),
        examples: &[
            ("format(\"%s has %d nodes\", \"web\", 3)", "\"web has 3 nodes\""),
            ("format(\"%05.1f\", 2.25)", "\"002.2\""),
            ("format(\"%-6s|%+d|%x|%[1]q\", \"web\", 3, 255)", "\"web   |+3|ff|\\\"web\\\"\""),
            ("format(\"%v %#v %t\", [1, true], \"a\", false)", "\"[1,true] \\\"a\\\" false\""),
        ],
    },
    Page {
        name: "formatlist",
        availability: Availability::everywhere(),
        examples: &[(
            "formatlist(\"%s.%s\", \"web\", [\"a\", \"b\"])",
            "tolist([\n  \"web.a\",\n  \"web.b\",\n])",
        )],
    },
    Page {
        name: "indent",
        availability: Availability::everywhere(),
        examples: &[("\"x: ${indent(2, \"a\\nb\")}\"", "<<EOT\nx: a\n  b\nEOT")],
    },
    Page {
        name: "join",
        availability: Availability::everywhere(),
        examples: &[("join(\", \", [\"a\", \"b\", \"c\"])", "\"a, b, c\"")],
    },
    Page {
        name: "lower",
        availability: Availability::everywhere(),
        examples: &[("lower(\"HELLO\")", "\"hello\"")],
    },
    Page {
        name: "upper",
        availability: Availability::everywhere(),
        examples: &[("upper(\"hello\")", "\"HELLO\"")],
    },
    Page {
        name: "title",
        availability: Availability::everywhere(),
        examples: &[("title(\"hello world\")", "\"Hello World\"")],
    },
    Page {
        name: "regex",
        availability: Availability::modules().packer(7),
        examples: &[
            ("regex(\"[a-z]+\", \"53453453.345345aaabbbccc23454\")", "\"aaabbbccc\""),
            (
                "regex(\"(?P<year>\\\\d+)-(?P<month>\\\\d+)\", \"2019-02-01\")",
                "{\n  \"month\" = \"02\"\n  \"year\" = \"2019\"\n}",
            ),
        ],
    },
    Page {
        name: "regexall",
        availability: Availability::modules().packer(7),
        examples: &[
            ("regexall(\"[0-9]+\", \"1 and 22\")", "tolist([\n  \"1\",\n  \"22\",\n])"),
            ("length(regexall(\"x\", \"abc\"))", "0"),
        ],
    },
    Page {
        name: "replace",
        availability: Availability::modules(),
        examples: &[
            ("replace(\"1 + 2 + 3\", \"+\", \"-\")", "\"1 - 2 - 3\""),
            ("replace(\"hello world\", \"/w.*d/\", \"everybody\")", "\"hello everybody\""),
        ],
    },
    Page {
        name: "split",
        availability: Availability::everywhere(),
        examples: &[("split(\",\", \"a,b,c\")", "tolist([\n  \"a\",\n  \"b\",\n  \"c\",\n])")],
    },
    Page {
        name: "strrev",
        availability: Availability::everywhere(),
        examples: &[("strrev(\"hello\")", "\"olleh\"")],
    },
    Page {
        name: "substr",
        availability: Availability::everywhere(),
        examples: &[("substr(\"hello world\", 1, 4)", "\"ello\""), ("substr(\"hello\", -3, -1)", "\"llo\"")],
    },
    Page {
        name: "trim",
        availability: Availability::everywhere(),
        examples: &[("trim(\"?!hello?!\", \"!?\")", "\"hello\"")],
    },
    Page {
        name: "trimprefix",
        availability: Availability::everywhere(),
        examples: &[("trimprefix(\"helloworld\", \"hello\")", "\"world\"")],
    },
    Page {
        name: "trimsuffix",
        availability: Availability::everywhere(),
        examples: &[("trimsuffix(\"helloworld\", \"world\")", "\"hello\"")],
    },
    Page {
        name: "trimspace",
        availability: Availability::everywhere(),
        examples: &[("trimspace(\"  hello\\n\\n\")", "\"hello\"")],
    },
];
