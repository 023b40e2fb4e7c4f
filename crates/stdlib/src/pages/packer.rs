//! Products and examples of the functions: Packer only.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "aws_secretsmanager",
        availability: Availability::nowhere().packer(7),
        examples: &[("aws_secretsmanager(\"db\", \"password\")", "(known after apply)")],
    },
    Page {
        name: "aws_secretsmanager_raw",
        availability: Availability::nowhere().packer(12),
        examples: &[("aws_secretsmanager_raw(\"db\")", "(known after apply)")],
    },
    Page {
        name: "consul_key",
        availability: Availability::nowhere().packer(7),
        examples: &[("consul_key(\"service/port\")", "(known after apply)")],
    },
    Page {
        name: "env",
        availability: Availability::nowhere().packer(7),
        examples: &[("env(\"HOME\")", "\"/home/ada\"")],
    },
    Page {
        name: "legacy_isotime",
        availability: Availability::nowhere().packer(8),
        examples: &[("legacy_isotime(\"2006-01-02\")", "\"2023-11-14\"")],
    },
    Page {
        name: "legacy_strftime",
        availability: Availability::nowhere().packer(8),
        examples: &[("legacy_strftime(\"%Y-%m-%d\")", "\"2023-11-14\"")],
    },
    Page {
        name: "regex_replace",
        availability: Availability::nowhere().packer(6),
        examples: &[("regex_replace(\"hello\", \"(l+)\", \"<$1>\")", "\"he<ll>o\"")],
    },
    Page {
        name: "rfc3339_parse",
        availability: Availability::nowhere().packer(16),
        examples: &[("rfc3339_parse(\"2018-11-01T11:02:03Z\").month_name", "\"November\"")],
    },
    Page {
        name: "unix_timestamp_parse",
        availability: Availability::nowhere().packer(16),
        examples: &[("unix_timestamp_parse(0).rfc3339", "\"1970-01-01T00:00:00Z\"")],
    },
    Page {
        name: "uuidv4",
        availability: Availability::nowhere().packer(6),
        examples: &[("length(uuidv4())", "36")],
    },
    Page {
        name: "vault",
        availability: Availability::nowhere().packer(7),
        examples: &[("vault(\"secret/db\", \"password\")", "(known after apply)")],
    },
];
