//! Products and examples of the functions: collections.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "alltrue",
        availability: Availability::modules().packer(12),
        examples: &[("alltrue([true, \"true\"])", "true"), ("alltrue([])", "true")],
    },
    Page {
        name: "anytrue",
        availability: Availability::modules().packer(12),
        examples: &[("anytrue([false, true])", "true")],
    },
    Page {
        name: "chunklist",
        availability: Availability::everywhere(),
        examples: &[(
            "chunklist([\"a\", \"b\", \"c\"], 2)",
            "tolist([\n  tolist([\n    \"a\",\n    \"b\",\n  ]),\n  tolist([\n    \"c\",\n  ]),\n])",
        )],
    },
    Page {
        name: "coalesce",
        availability: Availability::everywhere(),
        examples: &[("coalesce(\"\", null, \"b\")", "\"b\"")],
    },
    Page {
        name: "coalescelist",
        availability: Availability::everywhere(),
        examples: &[("coalescelist([], [\"c\", \"d\"])", "[\n  \"c\",\n  \"d\",\n]")],
    },
    Page {
        name: "compact",
        availability: Availability::everywhere(),
        examples: &[("compact([\"a\", \"\", null, \"b\"])", "tolist([\n  \"a\",\n  \"b\",\n])")],
    },
    Page {
        name: "concat",
        availability: Availability::everywhere(),
        examples: &[("concat([\"a\"], [\"b\", \"c\"])", "[\n  \"a\",\n  \"b\",\n  \"c\",\n]")],
    },
    Page {
        name: "contains",
        availability: Availability::everywhere(),
        examples: &[("contains([\"a\", \"b\"], \"b\")", "true")],
    },
    Page {
        name: "distinct",
        availability: Availability::everywhere(),
        examples: &[("distinct([\"a\", \"b\", \"a\"])", "tolist([\n  \"a\",\n  \"b\",\n])")],
    },
    Page {
        name: "element",
        availability: Availability::modules(),
        examples: &[("element([\"a\", \"b\", \"c\"], 4)", "\"b\"")],
    },
    Page {
        name: "flatten",
        availability: Availability::everywhere(),
        examples: &[("flatten([[\"a\", \"b\"], [], [\"c\"]])", "[\n  \"a\",\n  \"b\",\n  \"c\",\n]")],
    },
    Page {
        name: "index",
        availability: Availability::everywhere(),
        examples: &[("index([\"a\", \"b\", \"c\"], \"b\")", "1")],
    },
    Page {
        name: "keys",
        availability: Availability::everywhere(),
        examples: &[("keys({ b = 1, a = 2 })", "[\n  \"a\",\n  \"b\",\n]")],
    },
    Page {
        name: "length",
        availability: Availability::everywhere(),
        examples: &[("length([\"a\", \"b\"])", "2"), ("length(\"hello\")", "5")],
    },
    Page { name: "list", availability: Availability::modules(), examples: &[("can(list(\"a\"))", "false")] },
    Page {
        name: "lookup",
        availability: Availability::modules(),
        examples: &[("lookup({ a = 1 }, \"b\", 2)", "2")],
    },
    Page { name: "map", availability: Availability::modules(), examples: &[("can(map(\"a\", 1))", "false")] },
    Page {
        name: "matchkeys",
        availability: Availability::modules(),
        examples: &[(
            "matchkeys([\"i-1\", \"i-2\", \"i-3\"], [\"west\", \"east\", \"east\"], [\"east\"])",
            "tolist([\n  \"i-2\",\n  \"i-3\",\n])",
        )],
    },
    Page {
        name: "merge",
        availability: Availability::everywhere(),
        examples: &[("merge({ a = 1, b = 2 }, { b = 3 })", "{\n  \"a\" = 1\n  \"b\" = 3\n}")],
    },
    Page {
        name: "one",
        availability: Availability::modules(),
        examples: &[("one([\"a\"])", "\"a\""), ("one([])", "null")],
    },
    Page {
        name: "reverse",
        availability: Availability::everywhere(),
        examples: &[("reverse([1, 2, 3])", "[\n  3,\n  2,\n  1,\n]")],
    },
    Page {
        name: "setintersection",
        availability: Availability::everywhere(),
        examples: &[("setintersection([\"a\", \"b\"], [\"b\", \"c\"])", "toset([\n  \"b\",\n])")],
    },
    Page {
        name: "setproduct",
        availability: Availability::everywhere(),
        examples: &[(
            "setproduct([\"dev\", \"prod\"], [\"a\", \"b\"])",
            "tolist([\n  [\n    \"dev\",\n    \"a\",\n  ],\n  [\n    \"dev\",\n    \"b\",\n  ],\n  [\n    \"prod\",\n    \"a\",\n  ],\n  [\n    \"prod\",\n    \"b\",\n  ],\n])",
        )],
    },
    Page {
        name: "setsubtract",
        availability: Availability::modules(),
        examples: &[("setsubtract([\"a\", \"b\", \"c\"], [\"a\", \"c\"])", "toset([\n  \"b\",\n])")],
    },
    Page {
        name: "setunion",
        availability: Availability::everywhere(),
        examples: &[(
            "setunion([\"a\", \"b\"], [\"b\", \"c\"])",
            "toset([\n  \"a\",\n  \"b\",\n  \"c\",\n])",
        )],
    },
    Page {
        name: "slice",
        availability: Availability::everywhere(),
        examples: &[("slice([\"a\", \"b\", \"c\", \"d\"], 1, 3)", "[\n  \"b\",\n  \"c\",\n]")],
    },
    Page {
        name: "sort",
        availability: Availability::everywhere(),
        examples: &[("sort([\"e\", \"d\", \"a\"])", "tolist([\n  \"a\",\n  \"d\",\n  \"e\",\n])")],
    },
    Page {
        name: "transpose",
        availability: Availability::modules(),
        examples: &[(
            "transpose({ a = [\"1\", \"2\"], b = [\"2\"] })",
            "tomap({\n  \"1\" = tolist([\n    \"a\",\n  ])\n  \"2\" = tolist([\n    \"a\",\n    \"b\",\n  ])\n})",
        )],
    },
    Page {
        name: "values",
        availability: Availability::everywhere(),
        examples: &[("values({ b = 1, a = 2 })", "[\n  2,\n  1,\n]")],
    },
    Page {
        name: "zipmap",
        availability: Availability::everywhere(),
        examples: &[("zipmap([\"a\", \"b\"], [1, 2])", "{\n  \"a\" = 1\n  \"b\" = 2\n}")],
    },
];
