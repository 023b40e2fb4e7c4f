//! Products and examples of the functions: encodings.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "base64decode",
        availability: Availability::everywhere(),
        examples: &[("base64decode(\"SGVsbG8gV29ybGQ=\")", "\"Hello World\"")],
    },
    Page {
        name: "base64encode",
        availability: Availability::everywhere(),
        examples: &[("base64encode(\"Hello World\")", "\"SGVsbG8gV29ybGQ=\"")],
    },
    Page {
        name: "base64gunzip",
        availability: Availability::nowhere().opentofu(7),
        examples: &[("base64gunzip(base64gzip(\"hello\"))", "\"hello\"")],
    },
    Page {
        name: "base64gzip",
        availability: Availability::modules().packer(12),
        examples: &[("startswith(base64gzip(\"hello\"), \"H4sI\")", "true")],
    },
    Page {
        name: "csvdecode",
        availability: Availability::everywhere(),
        examples: &[(
            "csvdecode(\"id,name\\n1,web\\n2,db\")",
            "tolist([\n  {\n    \"id\" = \"1\"\n    \"name\" = \"web\"\n  },\n  {\n    \"id\" = \"2\"\n    \"name\" = \"db\"\n  },\n])",
        )],
    },
    Page {
        name: "jsondecode",
        availability: Availability::everywhere(),
        examples: &[(
            "jsondecode(\"{\\\"hello\\\": [1, true]}\")",
            "{\n  \"hello\" = [\n    1,\n    true,\n  ]\n}",
        )],
    },
    Page {
        name: "jsonencode",
        availability: Availability::everywhere(),
        examples: &[(
            "jsonencode({ hello = \"world\", n = 1 })",
            "\"{\\\"hello\\\":\\\"world\\\",\\\"n\\\":1}\"",
        )],
    },
    Page {
        name: "textdecodebase64",
        availability: Availability::modules().packer(11),
        examples: &[("textdecodebase64(\"SABlAGwAbABvAA==\", \"UTF-16LE\")", "\"Hello\"")],
    },
    Page {
        name: "textencodebase64",
        availability: Availability::modules().packer(11),
        examples: &[("textencodebase64(\"Hello\", \"UTF-16LE\")", "\"SABlAGwAbABvAA==\"")],
    },
    Page {
        name: "urldecode",
        availability: Availability::nowhere().opentofu(7),
        examples: &[("urldecode(\"Hello+World%21\")", "\"Hello World!\"")],
    },
    Page {
        name: "urlencode",
        availability: Availability::everywhere(),
        examples: &[("urlencode(\"a b&c=\\u00fc\")", "\"a+b%26c%3D%C3%BC\"")],
    },
    Page {
        name: "yamldecode",
        availability: Availability::everywhere(),
        examples: &[(
            "yamldecode(\"hello: world\\nlist: [1, true]\")",
            "{\n  \"hello\" = \"world\"\n  \"list\" = [\n    1,\n    true,\n  ]\n}",
        )],
    },
    Page {
        name: "yamlencode",
        availability: Availability::everywhere(),
        examples: &[(
            "yamlencode({ a = \"b\", c = [1, 2] })",
            "<<EOT\n\"a\": \"b\"\n\"c\":\n- 1\n- 2\n\nEOT",
        )],
    },
];
