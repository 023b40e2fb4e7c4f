//! Products and examples of the functions: networks.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "cidrcontains",
        availability: Availability::nowhere().opentofu(7),
        examples: &[
            ("cidrcontains(\"192.168.0.0/16\", \"192.168.2.1\")", "true"),
            ("cidrcontains(\"192.168.0.0/16\", \"10.0.0.0/8\")", "false"),
        ],
    },
    Page {
        name: "cidrhost",
        availability: Availability::everywhere(),
        examples: &[
            ("cidrhost(\"10.12.112.0/20\", 16)", "\"10.12.112.16\""),
            ("cidrhost(\"fd00:fd12:3456:7890::/56\", 34)", "\"fd00:fd12:3456:7800::22\""),
        ],
    },
    Page {
        name: "cidrnetmask",
        availability: Availability::everywhere(),
        examples: &[("cidrnetmask(\"172.16.0.0/12\")", "\"255.240.0.0\"")],
    },
    Page {
        name: "cidrsubnet",
        availability: Availability::everywhere(),
        examples: &[("cidrsubnet(\"172.16.0.0/12\", 4, 2)", "\"172.18.0.0/16\"")],
    },
    Page {
        name: "cidrsubnets",
        availability: Availability::everywhere(),
        examples: &[(
            "cidrsubnets(\"10.1.0.0/16\", 4, 4, 8)",
            "tolist([\n  \"10.1.0.0/20\",\n  \"10.1.16.0/20\",\n  \"10.1.32.0/24\",\n])",
        )],
    },
];
