//! First attempts of users of Terraform, Packer or `pre-commit`: commands of other tools, global options, files in place
//! of directories, and the advice in messages.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Returns a directory with files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, content).expect("a file");
    }
    directory
}

/// Returns the exit code, standard output and standard error.
fn with_input(directory: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    // The stored schemas of the user must not affect the test.
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    command.current_dir(directory).args(arguments).env_remove("NO_COLOR").env_remove("TERM");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // A command that reads no input may have ended already.
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    (output.status.code(), stdout, stderr)
}

fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    with_input(directory, arguments, "")
}

#[test]
fn commands_of_other_tools_get_advice() {
    let directory = directory(&[]);
    for (command, advice) in [
        ("validate", "`terrane check` reports the errors"),
        ("version", "`terrane --version` prints the version"),
        ("completions", "no completion scripts"),
        ("refresh", "`terrane plan --state FILE` prints the changes"),
        ("init", "needs no `init`"),
        ("apply", "changes no infrastructure"),
        ("output", "`terrane eval . output.NAME`"),
        ("evil", "a similar subcommand exists: 'eval'"),
    ] {
        let (code, stdout, stderr) = run(directory.path(), &[command, "-json"]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{command}");
        assert!(stderr.contains(&format!("unrecognized subcommand '{command}'")), "{stderr}");
        assert!(stderr.contains(advice), "{command}: {stderr}");
        assert_eq!(stderr.matches("tip:").count(), 1, "{stderr}");
    }
    for (line, advice) in [
        ("check -json", "write `--format json`"),
        ("graph -mermaid", "write `--format mermaid`"),
        ("schemas -json", "`terrane eval --json`"),
        ("plan -out=x", "writes no plan file; `terrane plan --json`"),
        ("plan -target a_b.c", "`terrane eval DIR ADDRESS`"),
        ("eval --targt=a_b.c", "`terrane eval DIR ADDRESS`"),
        ("plan -input=false", "never asks for input"),
        ("check -v", "`terrane --version`"),
        ("eval -var-fil x", "a similar argument exists: '--var-file'"),
        ("eval -chdir=x", "-chdir stands before the command"),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let (code, stdout, stderr) = run(directory.path(), &arguments);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}");
        assert!(stderr.contains(advice) && stderr.matches("tip:").count() == 1, "{line}: {stderr}");
    }
    let (_, _, stderr) = run(directory.path(), &["eval", "-nothing-like-it"]);
    assert!(
        stderr.contains("unexpected argument '--nothing-like-it'") && !stderr.contains("tip:"),
        "{stderr}"
    );
    for arguments in [["--version"], ["-version"], ["-v"], ["-V"]] {
        let (code, stdout, _) = run(directory.path(), &arguments);
        assert_eq!((code, stdout), (Some(0), format!("terrane {}\n", env!("CARGO_PKG_VERSION"))));
    }
    for arguments in [["console", "-h"], ["eval", "-help"], ["check", "--help"]] {
        let (code, stdout, _) = run(directory.path(), &arguments);
        assert_eq!(code, Some(0));
        assert!(stdout.contains(&format!("Usage: terrane {} ", arguments[0])), "{stdout}");
    }
}

#[test]
fn usage_lines_name_the_command() {
    let directory = directory(&[]);
    for (arguments, usage) in [
        (&["eval", "-var", "a"][..], "Usage: terrane eval [OPTIONS]"),
        (&["console", "-var", "=1"], "Usage: terrane console [OPTIONS]"),
        (&["check", "-var", "a"], "Usage: terrane check [OPTIONS]"),
        (&["graph", "--xyz"], "Usage: terrane graph [OPTIONS]"),
        (&["graph", "--bogus"], "Usage: terrane graph [OPTIONS]"),
        (&["decode", "-s"], "Usage: terrane decode [OPTIONS]"),
        (&["check", "-format", "xyz"], "Usage: terrane check [OPTIONS]"),
        (&["check", "https://example.com/a"], "Usage: terrane check [OPTIONS]"),
        (&["schemas", "show", "--xyz"], "Usage: terrane schemas show [OPTIONS]"),
        (&["diff", "a"], "`terrane help diff` has an example of each"),
        (&["eval", "-chdir=a"], "-chdir stands before the command: `terrane -chdir=DIR COMMAND`"),
        (&["vallidate"], "`terrane check` reports"),
        (&["--xyz"], "Usage: terrane [OPTIONS] <COMMAND>"),
    ] {
        let (code, _, stderr) = run(directory.path(), arguments);
        assert_eq!(code, Some(2));
        assert!(stderr.contains(usage), "{arguments:?}: {stderr}");
    }
}

#[test]
fn chdir_changes_the_directory_of_all_paths() {
    let directory = directory(&[
        (
            "a/main.tf",
            "variable \"v\" {}\noutput \"o\" { value = var.v }\noutput \"p\" { value = local.nope }\n",
        ),
        ("a/x.tfvars", "v = 1\n"),
        ("a/schemas.json", "{\"format_version\": \"1.0\"}"),
    ]);
    let arguments =
        ["-chdir=a", "eval", "-var-file", "x.tfvars", "--schemas", "schemas.json", "--keep-going", "-q"];
    let (code, stdout, stderr) = run(directory.path(), &arguments);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("o = 1\n"), "{stdout}{stderr}");
    assert!(stderr.contains("--> main.tf:3:22"), "{stderr}");
    let (code, stdout, stderr) = run(directory.path(), &["-chdir=b", "eval"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("'b' for '--chdir=<DIR>': there is no such directory"), "{stderr}");
}

#[test]
fn urls_are_refused_as_they_are_given() {
    let directory = directory(&[]);
    let url = "https://example.com/a//b";
    for command in ["eval", "check", "graph", "console", "fmt"] {
        let (code, stdout, stderr) = run(directory.path(), &[command, url]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{command}");
        assert!(
            stderr.contains(&format!("invalid value '{url}'")) && stderr.contains("downloads nothing"),
            "{stderr}"
        );
    }
}

#[test]
fn a_file_stands_for_its_module() {
    let files = [
        ("m/main.tf", "output \"o\" { value = local.gone }\n"),
        ("m/variables.tf", "variable \"v\" { default = var.x }\n"),
        ("m/terraform.tfvars", "v = 1\n"),
        ("other/a.tf", "output \"o\" { value = local.gone }\n"),
        ("README.md", "# Title\n"),
    ];
    let directory = directory(&files);
    // These are the arguments of pre-commit.
    let arguments = ["check", "--format", "compact", "m/variables.tf", "m/terraform.tfvars", "m/main.tf"];
    let (code, stdout, stderr) = run(directory.path(), &arguments);
    assert_eq!(code, Some(1));
    let places: Vec<&str> = stdout.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(places, ["m/main.tf:1:22", "m/variables.tf:1:26"], "{stdout}");
    assert!(stderr.starts_with("3 files checked: 2 errors in 2 files"), "{stderr}");
    let (_, all, _) = run(directory.path(), &["check", "--format", "compact", "m"]);
    assert_eq!(stdout, all);

    let (code, stdout, stderr) = run(directory.path(), &["check", "README.md"]);
    assert_eq!(code, Some(2));
    assert!(stdout.contains("Unknown type of file") && stdout.contains("README.md"), "{stdout}");
    assert_eq!(stderr, "0 files checked; 1 not checked\n");
}

#[test]
fn check_reads_standard_input() {
    let directory = directory(&[("main.tf", "locals {}\n")]);
    let arguments = ["check", "-", "--format", "compact"];
    let (code, stdout, stderr) = with_input(directory.path(), &arguments, "locals {\n  a = [1 2]\n}\n");
    assert_eq!(code, Some(1));
    assert!(stdout.starts_with("<stdin>:2:10: error: Missing item separator: "), "{stdout}");
    assert_eq!(stderr, "1 file checked: 1 error in 1 file\n");
    let (code, stdout, _) = with_input(directory.path(), &arguments, " {\"locals\": {\"a\": 1,}}\n");
    assert_eq!((code, stdout.starts_with("<stdin>:1:")), (Some(1), true), "{stdout}");
    let (code, stdout, stderr) = with_input(directory.path(), &["check", "-", "main.tf"], "locals {}\n");
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "", "2 files checked: no errors\n"));
}

#[test]
fn exit_codes_of_decode_are_those_of_its_help() {
    let directory = directory(&[
        ("a.hcl", "a = 1\n"),
        ("broken.hcl", "a =\n"),
        ("spec.hcldec", "attr {\n  name = \"a\"\n  type = number\n}\n"),
    ]);
    let code = |arguments: &[&str]| run(directory.path(), &[&["decode"], arguments].concat()).0;
    let spec = ["--spec", "spec.hcldec"];
    assert_eq!(code(&[&spec[..], &["a.hcl"]].concat()), Some(0));
    assert_eq!(code(&["a.hcl"]), Some(1), "--spec is missing");
    assert_eq!(
        code(&[&spec[..], &["a.hcl", "--out", "no/directory.json"]].concat()),
        Some(1),
        "output failed"
    );
    assert_eq!(code(&[&spec[..], &["broken.hcl"]].concat()), Some(2), "errors in a file");
    assert_eq!(code(&[&spec[..], &["missing.hcl"]].concat()), Some(2), "a file cannot be read");
    assert_eq!(code(&["--spec", "missing.hcldec", "a.hcl"]), Some(2), "the spec cannot be read");
    assert_eq!(code(&["--spec", "broken.hcl", "a.hcl"]), Some(2), "errors in the spec");
    assert_eq!(code(&["--nope"]), Some(2), "wrong arguments");
    let (_, help, _) = run(directory.path(), &["decode", "--help"]);
    let codes = "Exit codes: 0 done, 1 standard input or the output failed, or --spec is missing, 2 errors\n\
                 in the files or the spec, a file could not be read, or wrong arguments.";
    assert!(help.contains(codes), "{help}");
}

const MISTAKES: &str = "resource \"terraform_data\" \"a\" {\n  count = 2\n  lifecycle {\n    nope = 1\n  }\n}\n\
                        resource \"terraform_data\" \"b\" {\n  for_each = { alpha = 1 }\n  inputt = each.key\n}\n\
                        output \"a\" { value = terraform_data.a.id }\noutput \"b\" { value = terraform_data.b.id }\n\
                        resource \"terraform_data\" \"c\" {\n  count = 2\n  input = terraform_data.a.id\n}\n\
                        locals {\n  m = { one = 1, two = 2 }\n  e = local.m[\"three\"]\n}\n";

#[test]
fn messages_name_blocks_and_ways_out() {
    let directory = directory(&[("main.tf", MISTAKES), ("terraform.tfvars", "typo = 1\n")]);
    let (code, stdout, stderr) = run(directory.path(), &["check", "--format", "compact"]);
    assert_eq!(code, Some(1));
    for part in [
        "main.tf:4:5: error: Unsupported argument: There is no argument named \"nope\" in a `lifecycle` block of \
         resource \"terraform_data\" \"a\".",
        "main.tf:9:3: error: Unsupported argument: There is no argument named \"inputt\" in resource \"terraform_data\" \
         \"b\". Did you mean \"input\"? [core:unsupported-argument]",
        "Write `terraform_data.a[0].id` for one instance, or `terraform_data.a[*].id` for a list of all. [core:",
        "Write `terraform_data.b[\"alpha\"].id` for one instance, or `values(terraform_data.b)[*].id` for",
        "for one instance, `terraform_data.a[count.index].id`, or `terraform_data.a[*].id` for a list of all.",
        "There is no element with the key \"three\". There are: \"one\", \"two\". [core:invalid-index]",
        "terraform.tfvars:1:1: warning: Value for undeclared variable: ",
    ] {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
    // The warning is not the first line.
    assert!(stdout.lines().last().is_some_and(|line| line.contains(": warning: ")), "{stdout}");
    assert_eq!(stderr, "2 files checked: 6 errors in 1 file, 1 warning\n");
    let (_, stdout, _) = run(directory.path(), &["check", "--format", "json"]);
    assert!(
        stdout.contains("\"id\": \"core:missing-instance-key\",\n      \"severity\": \"error\""),
        "{stdout}"
    );
}

/// The configuration in the advice is valid.
#[test]
fn the_ways_to_write_a_counted_resource_work() {
    let values = ["a[0].input", "a[*].input", "b[\"alpha\"].input", "values(terraform_data.b)[*].input"];
    let values = values.map(|value| {
        value.strip_prefix("values").map_or(format!("terraform_data.{value}"), |_| value.to_owned())
    });
    let main = format!(
        "resource \"terraform_data\" \"a\" {{\n  count = 2\n  input = count.index\n}}\n\
         resource \"terraform_data\" \"b\" {{\n  for_each = {{ alpha = 1 }}\n  input = each.key\n}}\n\
         output \"o\" {{ value = jsonencode([{}]) }}\n",
        values.join(", ")
    );
    let directory = directory(&[("main.tf", &main)]);
    let (code, stdout, stderr) = run(directory.path(), &["eval", ".", "output.o", "-q"]);
    assert_eq!(
        (code, stdout.as_str()),
        (Some(0), "output.o = \"[0,[0,1],\\\"alpha\\\",[\\\"alpha\\\"]]\"\n"),
        "{stderr}"
    );
}

/// The advice leads to an instance that exists and may be referred to.
#[test]
fn advice_on_instances_fits_the_block() {
    let main = "module \"m\" {\n  source = \"./m\"\n  count  = 2\n}\n\
                module \"e\" {\n  source   = \"./m\"\n  for_each = toset([\"k\"])\n}\n\
                locals {\n  m = module.m.v\n  e = module.e.v\n}\n\
                data \"a_b\" \"none\" { count = (0) }\n\
                resource \"a_b\" \"own\" {\n  count = 2\n  name  = a_b.own.id\n\
                \x20 provisioner \"local-exec\" { command = a_b.own.id }\n}\n\
                output \"none\" { value = data.a_b.none.id }\noutput \"once\" { value = data.a_b.one[0].id }\n\
                data \"a_b\" \"one\" {}\n\
                variable \"n\" {\n  default = 1\n  validation {\n    condition     = var.n > 1\n    error_message = \"low\"\n  }\n}\n";
    let directory = directory(&[("main.tf", main), ("m/main.tf", "output \"v\" { value = 1 }\n")]);
    let (code, _, stderr) = run(directory.path(), &["eval"]);
    assert_eq!(code, Some(1));
    for part in [
        "One element's attribute is `[0].v`, that of all elements `[*].v`.",
        "One element's attribute is `[\"k\"].v`, that of all elements `values(…)[*].v`.",
        "`data.a_b.none` has `count`, so its attributes belong to its instances.",
        "`count` is 0, so there is no instance. `data.a_b.none[*].id` is an empty list.",
        "An argument of a resource cannot refer to the resource itself. Remove the reference.",
        "Write `self.id` for the instance itself.",
        "`data.a_b.one` has neither `count` nor `for_each`",
        "----- the rule that does not hold",
    ] {
        assert!(stderr.contains(part), "{part}\n{stderr}");
    }
}

#[test]
fn an_error_about_the_workspace_names_the_option() {
    let main =
        "locals { sizes = { prod = 3 } }\noutput \"size\" { value = local.sizes[terraform.workspace] }\n";
    let directory = directory(&[("main.tf", main)]);
    let help = "help: `--workspace NAME` chooses another workspace\n";
    let (code, _, stderr) = run(directory.path(), &["eval"]);
    assert!(code == Some(1) && stderr.contains(help), "{stderr}");
    let (code, _, stderr) = run(directory.path(), &["eval", "--workspace", "prod"]);
    assert!(code == Some(0) && !stderr.contains(help), "{stderr}");
    let (_, _, stderr) = run(directory.path(), &["eval", "--keep-going"]);
    assert!(stderr.contains(help), "{stderr}");
    let (code, _, stderr) = run(directory.path(), &["eval", "--workspace", "dev"]);
    assert!(code == Some(1) && !stderr.contains(help), "{stderr}");
}

#[test]
fn a_forgotten_directory_has_one_error_and_a_hint() {
    let directory = directory(&[("main.tf", "variable \"zone\" {}\noutput \"y\" { value = var.zone }\n")]);
    let error = "error[core:unreadable-directory]: Failed to read directory\n |\n = There is no file or directory at \
                 output.y. Give the path of a directory with `.tf` files.\n\n";
    let help = "help: for a value in the current directory, write: terrane";
    let (code, _, stderr) = run(directory.path(), &["eval", "output.y", "-var", "other=1"]);
    assert_eq!((code, stderr), (Some(1), format!("{error}{help} eval . output.y\n")));
    let (code, _, stderr) = run(directory.path(), &["explain", ".", "output.y"]);
    assert_eq!((code, stderr), (Some(1), format!("{error}{help} explain output.y .\n")));
    let (code, _, stderr) = run(directory.path(), &["eval", "git@github.com:a/b.git"]);
    assert!(code == Some(2) && stderr.contains("Terrane downloads nothing"), "{stderr}");
}

#[test]
fn a_variable_of_a_called_module_is_set_in_the_call() {
    let main = "module \"m\" { source = \"./m\" }\noutput \"o\" { value = module.m.o }\n";
    let child = "variable \"name\" {}\noutput \"o\" { value = var.name }\n";
    let root = "variable \"zone\" {}\noutput \"z\" { value = var.zone }\n";
    let directory = directory(&[("main.tf", main), ("m/main.tf", child)]);
    let (_, _, stderr) = run(directory.path(), &["eval", "--keep-going"]);
    assert!(
        stderr.ends_with("\nhelp: `name = VALUE` in module \"m\" sets the variable; no option does\n"),
        "{stderr}"
    );
    let (_, stdout, _) = run(directory.path(), &["explain", "output.o"]);
    assert!(stdout.contains("\n#   known with: name = VALUE in module \"m\"\n"), "{stdout}");
    fs::write(directory.path().join("z.tf"), root).expect("a file");
    let (_, _, stderr) = run(directory.path(), &["eval", "--keep-going"]);
    assert!(stderr.contains("\nhelp: `-var zone=VALUE` or a file with"), "{stderr}");
}

#[test]
fn the_summary_counts_errors_about_addresses() {
    let directory = directory(&[("main.tf", "output \"o\" { value = 1 }\n")]);
    for (arguments, exit) in
        [(["eval", ".", "output.nope"], 1), (["eval", "--require-known=output.p", "."], 1)]
    {
        let (code, _, stderr) = run(directory.path(), &arguments);
        assert_eq!(code, Some(exit));
        assert!(stderr.trim_end().ends_with(" ms: 1 error"), "{stderr}");
    }
}

#[test]
fn eval_counts_messages_and_tells_how_to_go_on() {
    let directory = directory(&[("main.tf", MISTAKES), ("terraform.tfvars", "typo = 1\n")]);
    let (code, stdout, stderr) = run(directory.path(), &["eval"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    let end = "6 errors, 1 warning: no values printed\nhelp: `--keep-going` prints the values that are known in spite of errors\n";
    assert!(stderr.ends_with(end), "{stderr}");
    let places: Vec<&str> = stderr.lines().filter_map(|line| line.trim().strip_prefix("--> ")).collect();
    let mut sorted = places.clone();
    sorted.sort_by_key(|place| {
        let mut parts = place.split(':');
        (parts.next().map(str::to_owned), parts.next().and_then(|line| line.parse::<u32>().ok()))
    });
    assert_eq!((places.len(), &places), (7, &sorted));
    let (_, stdout, stderr) = run(directory.path(), &["eval", "--keep-going"]);
    assert!(stdout.contains("one = 1") && stderr.contains(" ms: 6 errors, 1 warning\n"), "{stderr}");
}

#[test]
fn a_variable_file_for_one_of_several_modules_gets_no_warnings() {
    let directory = directory(&[
        ("a/main.tf", "variable \"v\" {}\n"),
        ("b/main.tf", "variable \"w\" {}\n"),
        ("b/terraform.tfvars", "u = 1\n"),
        ("x.tfvars", "v = 1\n"),
    ]);
    let check = |paths: &[&str]| {
        let arguments = [&["check", "--format", "compact", "-var-file", "x.tfvars"], paths].concat();
        let (code, stdout, _) = run(directory.path(), &arguments);
        assert_eq!(code, Some(0));
        stdout.lines().map(|line| line.split(": ").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(check(&["a", "b"]), ["b/terraform.tfvars:1:1"]);
    assert_eq!(check(&["a"]), [""; 0]);
    assert_eq!(check(&["b"]), ["x.tfvars:1:1", "b/terraform.tfvars:1:1"]);
}

/// Returns two calls of installed modules, with the version that one asks for and the git ref that the other asks for.
fn calls_of_installed_modules(version: &str, git_ref: &str) -> String {
    format!(
        "module \"a\" {{\n  source  = \"x/y/z\"\n  version = \"{version}\"\n}}\n\
         module \"b\" {{\n  source = \"github.com/o/r?ref={git_ref}\"\n}}\n\
         output \"o\" {{ value = [module.a.o, module.b.o] }}\n"
    )
}

/// Returns a directory with these calls, whose modules are installed in version 1.2.0 and from the git ref `v1`.
fn with_installed_modules(calls: &str) -> TempDir {
    let manifest = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},
        {"Key":"a","Source":"registry.terraform.io/x/y/z","Version":"1.2.0","Dir":"installed"},
        {"Key":"b","Source":"git::https://github.com/o/r.git?ref=v1","Dir":"installed"}]}"#;
    directory(&[
        ("main.tf", calls),
        ("installed/main.tf", "output \"o\" { value = 7 }\nresource \"terraform_data\" \"r\" {}\n"),
        (".terraform/modules/modules.json", manifest),
    ])
}

#[test]
fn values_of_a_changed_module_say_what_is_installed() {
    let directory = with_installed_modules(&calls_of_installed_modules("~> 2.0", "v2"));
    for (command, lead) in [
        (&["eval", ".", "output.o", "--keep-going"][..], ""),
        (&["plan", "."], "not read: "),
        (&["explain", "module.a.o"], "the module is not read: "),
    ] {
        let (_, stdout, _) = run(directory.path(), command);
        let error = "module.a has an error that is reported above";
        let installed = "it is installed in version 1.2.0; `--allow-changed-modules` reads that one";
        assert!(stdout.contains(&format!("{lead}{error} ({installed})")), "{command:?}: {stdout}");
        assert!(!stdout.contains("not on disk"), "{command:?}: {stdout}");
    }
    let (_, stdout, _) = run(directory.path(), &["explain", "module.b.o"]);
    let installed = "(it is installed from \"git::https://github.com/o/r.git?ref=v1\";";
    let remedy = "known with: terraform init, or --allow-changed-modules\n";
    assert!(stdout.contains(installed) && stdout.contains(remedy), "{stdout}");
}

#[test]
fn installed_modules_must_be_those_of_the_calls() {
    let directory = with_installed_modules(&calls_of_installed_modules("~> 1.1", "v1"));
    let (code, stdout, stderr) = run(directory.path(), &["eval", ".", "output.o", "-q"]);
    assert_eq!((code, stdout.as_str()), (Some(0), "output.o = [7, 7]\n"), "{stderr}");
    let changed = calls_of_installed_modules("~> 2.0", "v2");
    fs::write(directory.path().join("main.tf"), changed).expect("a file");
    for command in [&["check", "."][..], &["eval", ".", "output.o"], &["graph", "."]] {
        let (code, stdout, stderr) = run(directory.path(), command);
        let messages = format!("{stdout}{stderr}");
        assert_eq!(code, Some(1), "{messages}");
        for part in
            ["Module version requirements have changed", "main.tf:2:13", "1.2.0", "Module source has changed"]
        {
            assert!(messages.contains(part), "{command:?} {part}: {messages}");
        }
    }
    let (_, stdout, _) = run(directory.path(), &["eval", ".", "output.o", "--keep-going"]);
    assert!(
        !stdout.contains('7') && stdout.contains("module.a has an error that is reported above"),
        "{stdout}"
    );

    let allowed = ["eval", ".", "output.o", "--allow-changed-modules"];
    let (code, stdout, stderr) = run(directory.path(), &allowed);
    assert_eq!((code, stdout.as_str()), (Some(0), "output.o = [7, 7] # reads changed-module\n"), "{stderr}");
    assert!(stderr.contains("warning[core:changed-module-version]"), "{stderr}");
    let (code, ..) = run(directory.path(), &["check", ".", "--allow-changed-modules"]);
    assert_eq!(code, Some(0));
    let (_, stdout, _) = run(directory.path(), &["eval", ".", "--json", "--allow-changed-modules"]);
    let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(document["module_calls"][0]["found_by"], "other-installation");
    let resource = &document["values"]["module.a.terraform_data.r"]["part_sources"][0];
    assert_eq!(resource["origin"], "changed-module");
    let (_, stdout, _) = run(directory.path(), &["explain", "output.o", "--allow-changed-modules"]);
    assert!(
        stdout.contains("of an installed module whose call asks for another source or version"),
        "{stdout}"
    );
    let source = &document["values"]["module.a"]["part_sources"][0];
    assert_eq!(*source, serde_json::json!({"path": "", "origin": "changed-module"}));
    let (_, stdout, stderr) = run(directory.path(), &["eval", ".", "module.a", "--allow-changed-modules"]);
    assert!(stdout.contains("# changed-module: everything"), "{stdout}");
    assert!(stderr.contains("4 changed-module"), "{stderr}");
}

#[test]
fn modules_of_this_repository_are_in_its_work_tree() {
    let config = "[remote \"origin\"]\n\turl = git@example.com:acme/infra.git\n";
    let repository = directory(&[
        (".git/config", config),
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("modules/m/main.tf", "output \"o\" { value = \"here\" }\n"),
        (
            "live/main.tf",
            "module \"a\" { source = \"git::https://example.com/acme/infra.git//modules/m\" }\n\
             module \"b\" { source = \"git::https://example.com/acme/infra.git//modules/m?ref=v1\" }\n",
        ),
    ]);
    let outputs = ["module.a.output.o", "module.b.output.o"];
    let (code, stdout, stderr) = run(repository.path(), &[&["eval", "live"], &outputs[..]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines[0], "module.a.output.o = \"here\"");
    assert!(lines[1].starts_with("module.b.output.o = (not on disk)"), "{stdout}");
    // The repository is outside of the sandbox.
    let sandboxed = [&["eval", "live", "--sandbox", "live"], &outputs[..1]].concat();
    let (_, stdout, _) = run(repository.path(), &sandboxed);
    assert!(stdout.starts_with("module.a.output.o = (not on disk)"), "{stdout}");
}

#[test]
fn check_reads_module_maps() {
    let directory = directory(&[
        ("main.tf", "module \"m\" {\n  source = \"acme/net/aws\"\n  nope   = 1\n}\n"),
        ("vendor/net/main.tf", "variable \"size\" { default = 1 }\n"),
        ("modules.map", "acme/*/aws = vendor/*\n"),
    ]);
    let (code, stdout, stderr) = run(directory.path(), &["check", ".", "--module-map", "modules.map"]);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(stdout.contains("has no variable \"nope\""), "{stdout}{stderr}");
}

#[test]
fn sarif_names_files_from_the_repository() {
    let repository =
        directory(&[(".git/HEAD", ""), ("a/b/main.tf", "output \"o\" { value = local.nope }\n")]);
    let uri = |working_directory: &str, path: &str| {
        let (_, stdout, _) =
            run(&repository.path().join(working_directory), &["check", path, "--format", "sarif"]);
        let document: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
        let location = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        location["artifactLocation"]["uri"].as_str().expect("a URI").to_owned()
    };
    for (working_directory, path) in [("", "a/b"), ("a", "b"), ("a/b", "."), ("a/b", "../b/main.tf")] {
        assert_eq!(uri(working_directory, path), "a/b/main.tf", "{working_directory} {path}");
    }
    fs::remove_dir_all(repository.path().join(".git")).expect("a directory");
    assert_eq!(uri("a", "b"), "b/main.tf");
}

#[test]
fn the_lock_file_of_each_directory_selects_the_product() {
    let lock = |host: &str| format!("provider \"{host}/hashicorp/null\" {{\n  version = \"3.2.4\"\n}}\n");
    // OpenTofu has this function, Terraform does not.
    let main = "output \"o\" { value = cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\") }\n";
    let directory = directory(&[
        ("tf/main.tf", main),
        ("tf/.terraform.lock.hcl", &lock("registry.terraform.io")),
        ("tofu/main.tf", main),
        ("tofu/.terraform.lock.hcl", &lock("registry.opentofu.org")),
        ("none/main.tf", main),
        (
            "image/a.pkr.hcl",
            "locals { a = legacy_isotime() }\nsource \"null\" \"x\" { communicator = \"none\" }\nbuild { sources = [\"null.x\"] }\n",
        ),
    ]);
    let (code, stdout, _) = run(directory.path(), &["check", "-recursive", "--format", "compact"]);
    let files: Vec<&str> = stdout.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!((code, files), (Some(1), vec!["tf/main.tf"]), "{stdout}");
    for (name, code) in [("tf", 1), ("tofu", 0), ("none", 0)] {
        assert_eq!(run(directory.path(), &["eval", name]).0, Some(code), "{name}");
    }
    assert_eq!(run(directory.path(), &["eval", "tf", "--dialect", "opentofu"]).0, Some(0));
}

#[test]
fn failed_conditions_name_the_instance_and_the_values_they_read() {
    let main = "variable \"n\" {\n  default = 3\n  validation {\n    condition     = var.n > 5\n    error_message = \"Small.\"\n  }\n}\n\
                variable \"o\" { default = { a = \"x\", b = [1] } }\n\
                variable \"pw\" {\n  default   = \"hunter2\"\n  sensitive = true\n  validation {\n    condition     = length(var.pw) > 9\n    \
                error_message = \"Short.\"\n  }\n}\n\
                locals { tags = tomap({ k = \"v\" }) }\n\
                resource \"terraform_data\" \"a\" {\n  count = 2\n  lifecycle {\n    precondition {\n      \
                condition     = var.o.a == \"y\" && var.o.b[0] < count.index && var.pw != \"\" && local.tags[\"k\"] == \"w\"\n      \
                error_message = \"Wrong.\"\n    }\n  }\n}\n\
                output \"out\" {\n  value = 1\n  precondition {\n    condition     = length(local.tags) == 2 && terraform_data.a[0].id == null && [for o in [var.o] : o.a] == []\n    \
                error_message = \"Few.\"\n  }\n}\n";
    let directory = directory(&[("main.tf", main)]);
    let (code, _, stderr) = run(directory.path(), &["eval"]);
    assert_eq!(code, Some(1));
    let notes: Vec<&str> = stderr.lines().filter_map(|line| line.trim().strip_prefix("= ")).collect();
    let expected = [
        "Small.",
        "value: var.n is 3",
        "Short.",
        "Wrong.",
        "value: count.index is 0",
        "value: local.tags[\"k\"] is \"v\"",
        "value: var.o.a is \"x\"",
        "value: var.o.b[0] is 1",
        "in: terraform_data.a[0]",
        "Wrong.",
        "value: count.index is 1",
        "value: local.tags[\"k\"] is \"v\"",
        "value: var.o.a is \"x\"",
        "value: var.o.b[0] is 1",
        "in: terraform_data.a[1]",
        "Few.",
        "value: local.tags is map of string with 1 element",
        "value: var.o is object with 2 attributes",
        "in: output.out",
    ];
    assert_eq!(notes, expected, "{stderr}");
    assert!(!stderr.contains("hunter2"), "{stderr}");
    let (_, stdout, _) = run(directory.path(), &["eval", ".", "--format", "compact"]);
    let values = "local.tags[\"k\"] is \"v\"; var.o.a is \"x\"; var.o.b[0] is 1.";
    for index in 0..2 {
        let facts = format!("Wrong. In terraform_data.a[{index}]: count.index is {index}; {values} [core:");
        assert!(stdout.contains(&facts), "{stdout}");
    }
    let (_, stdout, _) = run(directory.path(), &["eval", ".", "--format", "github"]);
    assert!(stdout.contains("var.o.b[0] is 1%0Ain terraform_data.a[1]\n"), "{stdout}");
}

#[test]
fn unknown_values_are_called_what_they_are_and_options_help() {
    let main = "variable \"later\" {}\nmodule \"m\" { source = \"example/net/aws\" }\n\
                resource \"terraform_data\" \"a\" {}\nlocals {\n  broken = 1 + []\n}\n\
                output \"all\" {\n  value = {\n    a = var.later\n    b = module.m.x\n    c = local.broken\n    \
                d = terraform_data.a.id\n  }\n}\n";
    let directory = directory(&[("main.tf", main)]);
    let (_, stdout, stderr) = run(directory.path(), &["eval", ".", "output.all", "--keep-going"]);
    let lines = [
        "  a = (not set) # var.later has no value",
        "  b = (not on disk) # module.m is not on disk",
        "  c = (error) # local.broken has an error that is reported above",
        "  d = (known after apply) # terraform_data.a.id is set by the provider",
    ];
    assert_eq!(stdout, format!("output.all = {{\n{}\n}}\n", lines.join("\n")));
    let help: Vec<&str> = stderr.lines().filter(|line| line.starts_with("help: ")).collect();
    let expected = [
        "help: `-var later=VALUE` or a file with `-var-file FILE` sets variables",
        "help: `--module 'example/net/aws=DIR'` or a line of `--module-map FILE` reads a module from a directory; so does `terraform init`. \
         `--set 'module.NAME.OUTPUT=VALUE'` gives one output",
    ];
    assert_eq!(help, expected);
    let (_, _, stderr) = run(directory.path(), &["eval", ".", "output.all", "--keep-going", "-q"]);
    assert!(!stderr.contains("help: `-"), "{stderr}");
}

#[test]
fn a_failed_condition_names_each_instance() {
    let main = "variable \"n\" { default = 3 }\nresource \"terraform_data\" \"c\" {\n  count = 2\n  lifecycle {\n    \
                precondition {\n      condition = var.n == 4\n      error_message = \"No.\"\n    }\n  }\n}\n";
    let directory = directory(&[("main.tf", main)]);
    let (_, _, stderr) = run(directory.path(), &["eval"]);
    for instance in ["in: terraform_data.c[0]\n", "in: terraform_data.c[1]\n"] {
        assert_eq!(stderr.matches(instance).count(), 1, "{stderr}");
    }
    assert!(stderr.contains("2 errors"), "{stderr}");
}

#[test]
fn values_and_differences_have_colours() {
    let directory = directory(&[("main.tf", "output \"o\" {\nvalue = [1, \"x\"]\n}\n")]);
    let eval = |options: &[&str]| run(directory.path(), &[&["eval", "-q"], options].concat()).1;
    let plain = "outputs {\n  o = [1, \"x\"]\n}\n";
    for options in [&[][..], &["--color", "never"], &["--color", "always", "-no-color"]] {
        assert_eq!(eval(options), plain);
    }
    let colored = eval(&["--color", "always"]);
    assert!(colored.contains("[\u{1b}[36m1\u{1b}[0m, \u{1b}[32m\""), "{colored:?}");
    let json = eval(&["--color", "always", "--json"]);
    assert!(!json.contains('\u{1b}'), "{json:?}");
    let arguments = ["fmt", "-check", "-diff", "--color", "always"];
    let (code, diff, _) = run(directory.path(), &arguments);
    assert_eq!(code, Some(3));
    let lines = "\u{1b}[31m-value = [1, \"x\"]\u{1b}[0m\n\u{1b}[32m+  value = [1, \"x\"]\u{1b}[0m\n }\n";
    assert!(diff.ends_with(lines), "{diff:?}");
    assert!(!run(directory.path(), &arguments[..3]).1.contains('\u{1b}'));
    fs::write(directory.path().join("main.tf"), "locals {\n").expect("a file");
    assert!(run(directory.path(), &["check", "--color", "always"]).1.contains('\u{1b}'));
}

/// A pager is for people: output to a file or pipe does not start it.
#[test]
fn a_pager_is_for_terminals() {
    let directory = directory(&[("main.tf", "output \"o\" { value = 1 }\n")]);
    for options in [&["eval", "-q"][..], &["--no-pager", "eval", "-q"], &["eval", "--no-pager", "-q"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        command.current_dir(directory.path()).args(options).env("TERRANE_PAGER", "echo paged");
        let output = command.output().expect("the command runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "outputs {\n  o = 1\n}\n");
    }
}

#[test]
fn functions_are_grouped_by_product() {
    let directory = directory(&[]);
    let (code, all, _) = run(directory.path(), &["functions"]);
    assert_eq!(code, Some(0));
    let group = |heading: &str| {
        let start = all.find(&format!("{heading}:\n")).expect(heading);
        let end = all[start..].find("\n\n").map_or(all.len(), |end| start + end);
        all[start..end].lines().skip(1).filter_map(|line| line.split(' ').next()).collect::<Vec<_>>()
    };
    assert!(group("Terraform, OpenTofu, Packer").contains(&"upper"));
    assert!(group("Terraform, OpenTofu").contains(&"tolist"));
    assert!(group("\nOpenTofu").contains(&"cidrcontains"));
    assert!(group("\nPacker").contains(&"legacy_isotime"));
    let (_, packer, _) = run(directory.path(), &["functions", "--dialect", "packer"]);
    assert!(!packer.contains(":\n") && packer.contains("legacy_isotime"), "{packer}");
}

/// `--state -` reads standard input, like `check -`.
#[test]
fn a_state_may_come_from_standard_input() {
    let directory = directory(&[(
        "main.tf",
        "resource \"demo_disk\" \"d\" {}\noutput \"id\" { value = demo_disk.d.id }\n",
    )]);
    let state = r#"{"version": 4, "serial": 3, "resources": [{"mode": "managed", "type": "demo_disk", "name": "d",
        "provider": "provider[\"registry.terraform.io/hashicorp/demo\"]", "instances": [{"attributes": {"id": "i-1"}}]}]}"#;
    for arguments in
        [&["eval", ".", "output.id", "--state", "-"][..], &["plan", "--state", "-", "--sandbox", "."]]
    {
        let (code, stdout, stderr) = with_input(directory.path(), arguments, state);
        assert_eq!((code, stdout.contains("i-1")), (Some(0), true), "{arguments:?}: {stdout}{stderr}");
    }
    for (arguments, input, reason) in [
        (&["eval", "--state", "-"][..], "x", "it is not a state"),
        (&["eval", "--state", "-", "--max-memory", "1"], state, "--max-memory raises the limit"),
        (&["console", "--state", "-"], state, "standard input has the expressions of the console"),
    ] {
        let (code, _, stderr) = with_input(directory.path(), arguments, input);
        assert_eq!((code, stderr.contains(reason)), (Some(2), true), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_plan_may_come_from_standard_input() {
    let directory = directory(&[(
        "main.tf",
        "resource \"demo_disk\" \"d\" {\n  size = 1\n}\noutput \"size\" { value = demo_disk.d.size }\n",
    )]);
    let (code, plan, stderr) = run(directory.path(), &["plan", "--json"]);
    assert_eq!(code, Some(0), "{stderr}");
    for arguments in
        [&["explain", "output.size", "--plan", "-"][..], &["eval", ".", "output.size", "--plan", "-"]]
    {
        let (code, stdout, stderr) = with_input(directory.path(), arguments, &plan);
        assert_eq!((code, stdout.contains('1')), (Some(0), true), "{arguments:?}: {stdout}{stderr}");
    }
    let (code, _, stderr) = with_input(directory.path(), &["console", "--plan", "-"], &plan);
    assert!(code == Some(2) && stderr.contains("standard input has the expressions"), "{stderr}");
}
