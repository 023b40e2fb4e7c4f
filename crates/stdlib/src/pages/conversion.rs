//! Products and examples of the functions: conversion and marks.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "ephemeralasnull",
        availability: Availability::nowhere().terraform(10).opentofu(11),
        examples: &[("ephemeralasnull(\"not ephemeral\")", "\"not ephemeral\"")],
    },
    Page {
        name: "issensitive",
        availability: Availability::nowhere().terraform(8).opentofu(7),
        examples: &[("issensitive(sensitive(\"secret\"))", "true"), ("issensitive(\"public\")", "false")],
    },
    Page {
        name: "nonsensitive",
        availability: Availability::modules(),
        examples: &[("nonsensitive(sensitive(\"secret\"))", "\"secret\"")],
    },
    Page {
        name: "sensitive",
        availability: Availability::modules(),
        examples: &[("sensitive(\"secret\")", "(sensitive value)")],
    },
    Page { name: "tobool", availability: Availability::modules(), examples: &[("tobool(\"true\")", "true")] },
    Page {
        name: "tolist",
        availability: Availability::modules(),
        examples: &[("tolist([\"a\", 1])", "tolist([\n  \"a\",\n  \"1\",\n])")],
    },
    Page {
        name: "tomap",
        availability: Availability::modules(),
        examples: &[("tomap({ a = 1, b = \"x\" })", "tomap({\n  \"a\" = \"1\"\n  \"b\" = \"x\"\n})")],
    },
    Page { name: "tonumber", availability: Availability::modules(), examples: &[("tonumber(\"42\")", "42")] },
    Page {
        name: "toset",
        availability: Availability::modules(),
        examples: &[("toset([\"c\", \"b\", \"b\"])", "toset([\n  \"b\",\n  \"c\",\n])")],
    },
    Page { name: "tostring", availability: Availability::modules(), examples: &[("tostring(42)", "\"42\"")] },
];
