//! Products and examples of the functions: times.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "formatdate",
        availability: Availability::everywhere(),
        examples: &[
            ("formatdate(\"DD MMM YYYY hh:mm ZZZ\", \"2018-01-02T23:12:01Z\")", "\"02 Jan 2018 23:12 UTC\""),
            (
                "formatdate(\"EEEE, D MMMM 'at' H:mm aa\", \"2018-01-02T13:12:01+02:00\")",
                "\"Tuesday, 2 January at 1:12 pm\"",
            ),
        ],
    },
    Page {
        name: "plantimestamp",
        availability: Availability::nowhere().terraform(5).opentofu(6),
        examples: &[("plantimestamp()", "\"2023-11-14T22:13:20Z\"")],
    },
    Page {
        name: "timeadd",
        availability: Availability::everywhere(),
        examples: &[
            ("timeadd(\"2017-11-22T00:00:00Z\", \"10m\")", "\"2017-11-22T00:10:00Z\""),
            ("timeadd(\"2017-11-22T00:00:00Z\", \"-1h30.5s\")", "\"2017-11-21T22:59:29Z\""),
        ],
    },
    Page {
        name: "timecmp",
        availability: Availability::nowhere().terraform(3).opentofu(6),
        examples: &[("timecmp(\"2017-11-22T00:00:00Z\", \"2017-11-22T01:00:00Z\")", "-1")],
    },
    Page {
        name: "timestamp",
        availability: Availability::everywhere(),
        examples: &[("timestamp()", "\"2023-11-14T22:13:20Z\"")],
    },
];
