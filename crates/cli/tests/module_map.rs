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

/// Returns the exit code, standard output and standard error of `terrane eval root` with these arguments.
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
fn a_module_of_this_repository_says_why_it_is_not_on_disk() {
    let text = "module \"v\" { source = \"git::https://example.com/infra.git//shared?ref=v1\" }\n\
                module \"d\" { source = \"git::https://example.com/infra.git//none\" }\n\
                output \"v\" { value = module.v.o }\noutput \"d\" { value = module.d.o }\n";
    let files = [
        ("root/main.tf", text),
        ("shared/main.tf", "output \"o\" { value = \"own\" }\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/refs/heads/main", "0123456789abcdef\n"),
        (".git/config", "[remote \"origin\"]\n\turl = https://example.com/infra.git\n"),
        ("root/m.map", "git::https://example.com/infra.git//shared?ref=v1 = ../shared\n"),
    ];
    let (_, stdout, stderr) = support::terrane(&files, &["eval", "root", "output.v", "output.d"]);
    let expected = "output.v = (not on disk) # module.v is not on disk (its source is this repository, but `v1` is not checked out)\n\
                    output.d = (not on disk) # module.d is not on disk (its source is this repository, which has no directory `none`)\n";
    assert_eq!(stdout, expected, "{stderr}");
    let (_, stdout, _) = support::terrane(&files, &["explain", "output.v", "root"]);
    assert!(
        stdout.contains("known with: terraform init, or a copy by --module-map FILE, or --set"),
        "{stdout}"
    );
    let (_, stdout, _) =
        support::terrane(&files, &["eval", "root", "output.v", "--module-map", "root/m.map"]);
    assert_eq!(stdout, "output.v = \"own\"\n");
}

#[test]
fn comparisons_with_patterns_are_limited() {
    let (code, _, stderr) = eval(&["--module-map", "root/modules.map", "--max-steps", "8"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("with the lines of the module map takes more than 8 steps"), "{stderr}");
    assert!(stderr.contains("`--max-steps` raises the limit"), "{stderr}");
}

#[test]
fn directories_that_patterns_lead_to_are_counted() {
    let lines: String = (0..100).map(|i| format!("acme/*/aws = missing{i}\n")).collect();
    let main = "module \"a\" { source = \"acme/vpc/aws\" }\n";
    let files = [("root/main.tf", main), ("root/m.map", lines.as_str())];
    let run = |steps: &str| {
        support::terrane(&files, &["eval", "root", "--module-map", "root/m.map", "--max-steps", steps]).2
    };
    assert!(run("20000").contains("with the lines of the module map takes more than 20000 steps"));
    let within = run("30000");
    assert!(!within.contains("takes more than") && within.contains("acme/vpc/aws"), "{within}");
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

#[test]
fn a_line_has_any_spelling_of_its_source_and_a_comment() {
    let map = "git@example.com:infra = ..  # = this repository\n\
               registry.terraform.io/acme/vpc/aws 2.1.0 = vendor/vpc/2.1.0\n\
               acme/vpc/aws 1.2.3 = vendor/vpc/1.2.3\n\
               # acme/vpc/aws = nowhere\n\
               git::ssh://git@example.com/other = ../others/other\n";
    let files: Vec<_> = FILES.into_iter().chain([("root/spelt.map", map)]).collect();
    let arguments = ["eval", "root", "output.all", "--module-map", "root/spelt.map"];
    let (code, stdout, stderr) = support::terrane(&files, &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, "output.all = [\"1.2.3\", \"2.1.0\", \"own\", \"other\"]\n");
    assert!(!stderr.contains("warning"), "{stderr}");
    // The source of `--module` may have this form, too.
    let arguments = [
        "eval",
        "root",
        "module.own.o",
        "--module",
        "git::https://example.com/infra//shared?ref=v1=others/other/x/y",
    ];
    let (_, stdout, stderr) = support::terrane(&files, &arguments);
    assert_eq!(stdout, "module.own.o = \"other\"\n", "{stderr}");
}

#[test]
fn unused_lines_are_warned_about() {
    let map = format!(
        "{MAP}git::https://example.com/infra.git = vendor\nacme/vpc/aws 3.0.0 = vendor # newer\nacme/*/gcp = vendor/*\n"
    );
    let files: Vec<_> =
        FILES.into_iter().chain([("root/long.map", map.as_str()), ("second/main.tf", MODULE)]).collect();
    let run = |arguments: &[&str]| {
        let (code, _, stderr) =
            support::terrane(&files, &[arguments, &["--module-map", "root/long.map"]].concat());
        assert_eq!(code, Some(0), "{stderr}");
        stderr
    };
    let stderr = run(&["eval", "root"]);
    let expected = "No module call gets its directory from these lines of the module map: \
                    `git::https://example.com/infra.git` (line 8 of root/long.map), `acme/vpc/aws 3.0.0` (line 9 of root/long.map), \
                    `acme/*/gcp` (line 10 of root/long.map). The sources that are not local are: acme/vpc/aws,";
    assert!(stderr.contains(expected), "{stderr}");
    assert!(stderr.contains("core:unused-module-directory"), "{stderr}");
    // With several root modules, a line need not be used by one of them.
    let stderr = run(&["eval", "-recursive", ".", "--all"]);
    assert!(!stderr.contains("core:unused-module-directory"), "{stderr}");
    // A check of several modules reports the lines that no module uses.
    let arguments = ["check", "root", "second", "--format", "compact", "--module-map", "root/long.map"];
    let (_, stdout, stderr) = support::terrane(&files, &arguments);
    assert_eq!(stdout.matches("core:unused-module-directory").count(), 1, "{stdout}{stderr}");
    assert!(stdout.contains("(line 8 of root/long.map)") && !stdout.contains("(line 2 of"), "{stdout}");
}

#[test]
fn a_root_whose_outputs_are_given_uses_lines_too() {
    let app = "data \"terraform_remote_state\" \"net\" {\n  backend = \"s3\"\n  config = { bucket = \"b\", key = \"k\" }\n}\n\
               output \"all\" { value = data.terraform_remote_state.net.outputs.all }\n";
    let map = "acme/*/aws 2.1.0 = vendor/*/2.1.0\nacme/*/aws 1.2.3 = vendor/*/1.2.3\n\
               git::https://example.com/infra.git = ..\nacme/*/gcp = vendor/*\n";
    let files: Vec<_> = FILES.into_iter().chain([("root/app.map", map), ("app/main.tf", app)]).collect();
    let arguments = [
        "eval",
        "app",
        "output.all",
        "--remote-state=data.terraform_remote_state.net=root",
        "--module-map=root/app.map",
        "--module=git::https://example.com/other.git//x/y=shared",
    ];
    let (code, stdout, stderr) = support::terrane(&files, &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout, "output.all = [\"1.2.3\", \"2.1.0\", \"own\", \"own\"] # reads remote-state\n");
    assert_eq!(stderr.matches("core:unused-module-directory").count(), 1, "{stderr}");
    assert!(
        stderr.contains("from this line of the module map: `acme/*/gcp` (line 4 of root/app.map)."),
        "{stderr}"
    );
}
