//! Products and examples of the functions: assumptions.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "assumeequal",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumeequal(1, \"1\")", "\"1\"")],
    },
    Page {
        name: "assumelistlength",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumelistlength([\"a\", \"b\"], 1, 3)", "tolist([\n  \"a\",\n  \"b\",\n])")],
    },
    Page {
        name: "assumelistlengthmax",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumelistlengthmax([\"a\", \"b\"], 3)", "tolist([\n  \"a\",\n  \"b\",\n])")],
    },
    Page {
        name: "assumelistlengthmin",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumelistlengthmin([\"a\", \"b\"], 1)", "tolist([\n  \"a\",\n  \"b\",\n])")],
    },
    Page {
        name: "assumemaplength",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumemaplength({ a = 1 }, 1, 2)", "tomap({\n  \"a\" = 1\n})")],
    },
    Page {
        name: "assumemaplengthmax",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumemaplengthmax({ a = 1 }, 2)", "tomap({\n  \"a\" = 1\n})")],
    },
    Page {
        name: "assumemaplengthmin",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumemaplengthmin({ a = 1 }, 1)", "tomap({\n  \"a\" = 1\n})")],
    },
    Page {
        name: "assumenotnull",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumenotnull(\"hello\")", "\"hello\"")],
    },
    Page {
        name: "assumesetlength",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumesetlength([\"a\", \"a\"], 1, 2)", "toset([\n  \"a\",\n])")],
    },
    Page {
        name: "assumesetlengthmax",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("can(assumesetlengthmax([\"a\", \"b\"], 1))", "false")],
    },
    Page {
        name: "assumesetlengthmin",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumesetlengthmin([\"a\", \"b\"], 1)", "toset([\n  \"a\",\n  \"b\",\n])")],
    },
    Page {
        name: "assumestringprefix",
        availability: Availability::nowhere().opentofu(13),
        examples: &[("assumestringprefix(\"foo-bar\", \"foo-\")", "\"foo-bar\"")],
    },
];
