//! `--module-map FILE`: directories for modules that are not local.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

const MODULE: &str = "\
module \"old\" {
  source  = \"acme/vpc/aws\"
  version = \"~> 1.2\"
}
module \"new\" {
  source  = \"acme/vpc/aws//nested\"
  version = \">= 2.0\"
}
module \"own\" { source = \"git::https://example.com/infra.git//shared?ref=v1\" }
module \"other\" { source = \"git::https://example.com/other.git//x/y\" }
module \"missing\" { source = \"git::https://example.com/nowhere.git\" }
output \"all\" { value = [module.old.o, module.new.o, module.own.o, module.other.o] }
output \"missing\" { value = module.missing.o }
";

const MAP: &str = "\
# Two versions of one module, the newer one first.
acme/*/aws 2.1.0 = vendor/*/2.1.0
acme/*/aws 1.2.3 = vendor/*/1.2.3

# This repository.
git::https://example.com/infra.git = ..
git::https://example.com/*.git = ../others/*
";

const FILES: [(&str, &str); 7] = [
    ("root/main.tf", MODULE),
    ("root/modules.map", MAP),
    ("root/vendor/vpc/1.2.3/main.tf", "output \"o\" { value = \"1.2.3\" }\n"),
    ("root/vendor/vpc/2.1.0/nested/main.tf", "output \"o\" { value = \"2.1.0\" }\n"),
    ("shared/main.tf", "output \"o\" { value = \"own\" }\n"),
    ("others/other/x/y/main.tf", "output \"o\" { value = \"other\" }\n"),
    ("root/broken.map", "acme/vpc/aws vendor\n"),
];

/// The exit code, standard output and standard error of `terrane eval root` with these arguments.
fn eval(arguments: &[&str]) -> (Option<i32>, String, String) {
    support::terrane(&FILES, &[&["eval", "root"], arguments].concat())
}

#[test]
fn lines_of_a_map_give_directories() {
    let (code, stdout, stderr) = eval(&["output.all", "output.missing", "--module-map", "root/modules.map"]);
    assert_eq!(code, Some(0), "{stderr}");
    let expected = "output.all = [\"1.2.3\", \"2.1.0\", \"own\", \"other\"]\n\
                    output.missing = (not on disk) # module.missing is not on disk\n";
    assert_eq!(stdout, expected);
}

#[test]
fn comparisons_with_patterns_are_limited() {
    let (code, _, stderr) = eval(&["--module-map", "root/modules.map", "--max-steps", "64"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("compared with more than 8 lines of the module map"), "{stderr}");
    assert!(stderr.contains("`--max-steps` raises the limit"), "{stderr}");
}

#[test]
fn a_directory_of_the_command_line_counts_first() {
    let module = "git::https://example.com/other.git//x/y=shared";
    let (_, stdout, _) = eval(&["module.other.o", "--module", module, "--module-map", "root/modules.map"]);
    assert_eq!(stdout, "module.other.o = \"own\"\n");
    let (_, stdout, _) = eval(&["module.other.o"]);
    assert!(stdout.contains("(not on disk)"), "{stdout}");
}

#[test]
fn a_broken_map_is_a_wrong_argument() {
    let (code, _, stderr) = eval(&["--module-map", "root/broken.map"]);
    assert_eq!(code, Some(2));
    let message = "invalid value 'root/broken.map' for '--module-map <FILE>': line 1 has no `=`";
    assert!(stderr.contains(message), "{stderr}");
}
