//! Products and examples of the functions: numbers.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page { name: "abs", availability: Availability::everywhere(), examples: &[("abs(-5)", "5")] },
    Page { name: "ceil", availability: Availability::everywhere(), examples: &[("ceil(4.1)", "5")] },
    Page { name: "floor", availability: Availability::everywhere(), examples: &[("floor(4.9)", "4")] },
    Page { name: "log", availability: Availability::everywhere(), examples: &[("log(1024, 2)", "10")] },
    Page {
        name: "max",
        availability: Availability::everywhere(),
        examples: &[("max(5, 12, 9)", "12"), ("max([5, 12, 9]...)", "12")],
    },
    Page { name: "min", availability: Availability::everywhere(), examples: &[("min(5, 12, 9)", "5")] },
    Page {
        name: "parseint",
        availability: Availability::everywhere(),
        examples: &[("parseint(\"ff\", 16)", "255")],
    },
    Page { name: "pow", availability: Availability::everywhere(), examples: &[("pow(2, 10)", "1024")] },
    Page { name: "signum", availability: Availability::everywhere(), examples: &[("signum(-12)", "-1")] },
    Page {
        name: "sum",
        availability: Availability::modules().packer(13),
        examples: &[("sum([10, 2, 0.5])", "12.5")],
    },
    Page {
        name: "range",
        availability: Availability::everywhere(),
        examples: &[
            ("range(3)", "tolist([\n  0,\n  1,\n  2,\n])"),
            ("range(1, 8, 3)", "tolist([\n  1,\n  4,\n  7,\n])"),
        ],
    },
];
