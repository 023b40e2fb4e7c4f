//! Products and examples of the functions: digests.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "base64sha256",
        availability: Availability::modules(),
        examples: &[("base64sha256(\"hello world\")", "\"uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=\"")],
    },
    Page {
        name: "base64sha512",
        availability: Availability::modules(),
        examples: &[("length(base64sha512(\"hello world\"))", "88")],
    },
    Page {
        name: "bcrypt",
        availability: Availability::everywhere(),
        examples: &[("length(bcrypt(\"hello world\"))", "60")],
    },
    Page {
        name: "md5",
        availability: Availability::everywhere(),
        examples: &[("md5(\"hello world\")", "\"5eb63bbbe01eeed093cb22bb8f5acdc3\"")],
    },
    Page {
        name: "rsadecrypt",
        availability: Availability::everywhere(),
        examples: &[("can(rsadecrypt(\"x\", \"y\"))", "false")],
    },
    Page {
        name: "sha1",
        availability: Availability::everywhere(),
        examples: &[("sha1(\"hello world\")", "\"2aae6c35c94fcfb415dbe95f408b9ce91ee846ed\"")],
    },
    Page {
        name: "sha256",
        availability: Availability::everywhere(),
        examples: &[(
            "sha256(\"hello world\")",
            "\"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9\"",
        )],
    },
    Page {
        name: "sha512",
        availability: Availability::everywhere(),
        examples: &[("length(sha512(\"hello world\"))", "128")],
    },
    Page { name: "uuid", availability: Availability::modules(), examples: &[("length(uuid())", "36")] },
    Page {
        name: "uuidv5",
        availability: Availability::everywhere(),
        examples: &[("uuidv5(\"dns\", \"www.example.com\")", "\"2ed6657d-e927-568b-95e1-2665a8aea6a2\"")],
    },
];
