//! Products and examples of the functions: files.

use terrane_function::Availability;

use super::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        name: "abspath",
        availability: Availability::everywhere(),
        examples: &[("abspath(\"/etc/../tmp/x\")", "\"/tmp/x\"")],
    },
    Page {
        name: "basename",
        availability: Availability::everywhere(),
        examples: &[("basename(\"foo/bar/baz.txt\")", "\"baz.txt\"")],
    },
    Page {
        name: "dirname",
        availability: Availability::everywhere(),
        examples: &[("dirname(\"foo/bar/baz.txt\")", "\"foo/bar\"")],
    },
    Page {
        name: "pathexpand",
        availability: Availability::everywhere(),
        examples: &[("pathexpand(\"~/.ssh/id_rsa.pub\")", "\"/home/ada/.ssh/id_rsa.pub\"")],
    },
    Page {
        name: "file",
        availability: Availability::everywhere(),
        examples: &[("file(\"hello.txt\")", "\"Hello\"")],
    },
    Page {
        name: "filebase64",
        availability: Availability::modules().packer(13),
        examples: &[("filebase64(\"hello.txt\")", "\"SGVsbG8=\"")],
    },
    Page {
        name: "fileexists",
        availability: Availability::everywhere(),
        examples: &[("fileexists(\"hello.txt\")", "true"), ("fileexists(\"other.txt\")", "false")],
    },
    Page {
        name: "fileset",
        availability: Availability::everywhere(),
        examples: &[(
            "fileset(\".\", \"*.{txt,tftpl}\")",
            "toset([\n  \"greeting.tftpl\",\n  \"hello.txt\",\n])",
        )],
    },
    Page {
        name: "filebase64sha256",
        availability: Availability::modules(),
        examples: &[("filebase64sha256(\"hello.txt\")", "\"GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=\"")],
    },
    Page {
        name: "filebase64sha512",
        availability: Availability::modules(),
        examples: &[("length(filebase64sha512(\"hello.txt\"))", "88")],
    },
    Page {
        name: "filemd5",
        availability: Availability::modules(),
        examples: &[("filemd5(\"hello.txt\")", "\"8b1a9953c4611296a827abf8c47804d7\"")],
    },
    Page {
        name: "filesha1",
        availability: Availability::modules(),
        examples: &[("filesha1(\"hello.txt\")", "\"f7ff9e8b7bb2e09b70935a5d785e0cc5d9d0abf0\"")],
    },
    Page {
        name: "filesha256",
        availability: Availability::modules(),
        examples: &[(
            "filesha256(\"hello.txt\")",
            "\"185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969\"",
        )],
    },
    Page {
        name: "filesha512",
        availability: Availability::modules(),
        examples: &[("length(filesha512(\"hello.txt\"))", "128")],
    },
];
