//! `terrane diff`: directories, git revisions, variable files, formats and exit codes.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    write(directory.path(), files);
    directory
}

fn write(directory: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
}

fn diff(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    command.current_dir(directory).arg("diff").args(arguments).output().expect("the command runs")
}

fn git(directory: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
    let mut command = Command::new("git");
    let output = command.current_dir(directory).args(identity).args(arguments).output().expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const OLD: &str =
    "resource \"x_y\" \"a\" {\n  size = 1\n}\noutput \"root\" {\n  value = basename(path.cwd)\n}\n";
const NEW: &str = "resource \"x_y\" \"a\" {\n  size = module.m.size\n}\nmodule \"m\" {\n  source = \"../m\"\n}\n\
                   output \"root\" {\n  value = basename(path.cwd)\n}\n";
const MODULE: &str = "output \"size\" {\n  value = file(\"${path.module}/size\")\n}\n";

#[test]
fn two_directories_differ_and_the_code_says_so() {
    let root = directory(&[("a/main.tf", OLD), ("b/main.tf", &OLD.replace("size = 1", "size = 2"))]);
    let output = diff(root.path(), &["a", "b"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = "~ x_y.a  # b/main.tf:1\n~     size = 1 -> 2\n\nOutputs:\n~ output.root  # b/main.tf:4\n\
                    ~     value = \"a\" -> \"b\"\n\nResources: 1 changed; outputs: 1 changed.\n";
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(diff(root.path(), &["a", "b", "--exit-code"]).status.code(), Some(2));
    assert_eq!(diff(root.path(), &["a", "a", "--exit-code"]).status.code(), Some(0));
    let colored = text(&diff(root.path(), &["a", "b", "--color", "always"]).stdout);
    assert!(colored.starts_with("\u{1b}[33m~ x_y.a"), "{colored}");
    let json: serde_json::Value =
        serde_json::from_slice(&diff(root.path(), &["a", "b", "--json"]).stdout).expect("JSON");
    assert_eq!(json["resources"][0]["parts"][0]["after"]["value"], 2);
    let markdown = text(&diff(root.path(), &["a", "b", "--format", "markdown"]).stdout);
    assert!(markdown.contains("```diff\n! x_y.a\n-     size = 1\n+     size = 2\n"), "{markdown}");
}

/// The messages of git become a part of the error, so they cannot control a terminal.
#[test]
#[cfg(unix)]
fn messages_of_git_are_a_part_of_the_error() {
    let root = directory(&[("a\u{1b}[31m/main.tf", OLD)]);
    let repository = root.path().join("a\u{1b}[31m");
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-qm", "one"]);
    let listed = Command::new("git").current_dir(&repository).args(["rev-parse", "HEAD:main.tf"]).output();
    let object = text(&listed.expect("git").stdout);
    let (folder, name) = object.trim().split_at(2);
    let path = repository.join(".git/objects").join(folder).join(name);
    fs::remove_file(&path).expect("the object is removed");
    fs::write(&path, "no object").expect("a file");
    let output = diff(&repository, &["--git", "HEAD"]);
    let (code, shown) = (output.status.code(), text(&[output.stdout, output.stderr].concat()));
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("git cat-file: "), "{shown}");
    assert!(shown.contains("is corrupt") || shown.contains("unable to unpack"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "{shown}");
    let stray = |line: &&str| line.starts_with("error: ") || line.starts_with("fatal: ");
    assert_eq!(shown.lines().find(stray), None, "{shown}");
}

#[test]
fn revisions_are_read_without_a_checkout() {
    let root = directory(&[("infra/main.tf", OLD)]);
    git(root.path(), &["init", "-q"]);
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "-qm", "one"]);
    write(root.path(), &[("infra/main.tf", NEW), ("m/main.tf", MODULE), ("m/size", "7")]);
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "-qm", "two"]);
    write(root.path(), &[("m/size", "8")]);
    let expected = |before: &str, after: &str| {
        format!("~ x_y.a  # main.tf:1\n~     size = {before} -> {after}\n\nResources: 1 changed.\n")
    };
    let infra = root.path().join("infra");
    // `path.cwd` is the same on both sides.
    let output = diff(&infra, &["--git", "HEAD~1..HEAD"]);
    assert_eq!(text(&output.stdout), expected("1", "\"7\""), "{}", text(&output.stderr));
    let output = diff(&infra, &["--git", "HEAD", "--exit-code"]);
    assert_eq!((text(&output.stdout), output.status.code()), (expected("\"7\"", "\"8\""), Some(2)));
    let output = diff(root.path(), &["--git", "HEAD~1..HEAD", "infra"]);
    assert_eq!(text(&output.stdout), expected("1", "\"7\"").replace("main.tf", "infra/main.tf"));
    let output = diff(&infra, &["--git", "nope..HEAD"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no commit `nope` is found"), "{}", text(&output.stderr));
    // A revision is never an option of git.
    let output = diff(&infra, &["--git=--help..HEAD"]);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(1), true), "{}", text(&output.stdout));
}

/// Commits everything in the directory. Creates the repository before the first commit.
fn commit(root: &Path, message: &str) {
    if !root.join(".git").exists() {
        git(root, &["init", "-q"]);
    }
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", message]);
}

const ONE: &str = "resource \"x_y\" \"a\" {\n  size = 1\n}\n";
const TWO: &str = "resource \"x_y\" \"a\" {\n  size = 2\n}\n";
const CHANGED: &str = "~     size = 1 -> 2\n\nResources: 1 changed.\n";

#[test]
#[cfg(unix)]
fn a_sandbox_holds_for_revisions() {
    let reading = |path: &str| format!("output \"o\" {{\n  value = file(\"{path}\")\n}}\n");
    let root = directory(&[("infra/main.tf", ""), ("infra/near", "Near"), ("secret", "Mrk")]);
    commit(root.path(), "one");
    write(root.path(), &[("infra/main.tf", &reading("${path.module}/../secret"))]);
    commit(root.path(), "two");
    write(root.path(), &[("infra/main.tf", &reading("${path.module}/near"))]);
    commit(root.path(), "three");
    let compare = |revisions: &str, sandbox: &str| {
        let output = diff(root.path(), &["--git", revisions, "infra", "--sandbox", sandbox]);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, stdout, stderr) = compare("HEAD~2..HEAD~1", "infra");
    assert_eq!((code, stdout.contains("Mrk")), (Some(1), false), "{stdout}");
    assert!(stderr.contains("outside of the directory that may be read"), "{stderr}");
    assert!(compare("HEAD~2..HEAD~1", ".").1.contains("value = \"Mrk\""));
    assert!(compare("HEAD~2..HEAD", "infra").1.contains("value = \"Near\""));
    // A directory outside of the sandbox is not read either.
    let other = tempfile::tempdir().expect("a directory");
    let (code, stdout, _) = compare("HEAD~2..HEAD", &other.path().to_string_lossy());
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
}

#[test]
#[cfg(unix)]
fn a_repository_in_a_sandbox_leads_to_no_other_one() {
    use std::os::unix::fs::symlink;

    let outside = directory(&[("main.tf", "output \"o\" {\n  value = \"Mrk\"\n}\n")]);
    commit(outside.path(), "one");
    let root = directory(&[
        ("file/main.tf", ""),
        ("link/main.tf", ""),
        ("objects/main.tf", ""),
        ("settings/main.tf", ""),
    ]);
    let at = |path: &str| root.path().join(path);
    write(root.path(), &[("file/.git", &format!("gitdir: {}/.git\n", outside.path().display()))]);
    symlink(outside.path().join(".git"), at("link/.git")).expect("a link");
    commit(&at("objects"), "one");
    let objects = format!("{}/.git/objects\n", outside.path().display());
    write(root.path(), &[("objects/.git/objects/info/alternates", &objects)]);
    commit(&at("settings"), "one");
    let include = format!("[include]\npath = {}/.git/config\n", outside.path().display());
    write(root.path(), &[("settings/.git/config", &include)]);
    for name in ["file", "link", "objects", "settings"] {
        let output = diff(root.path(), &["--git", "HEAD", name, "--sandbox", "."]);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((output.status.code(), stdout.as_str()), (Some(1), ""), "{name}: {stderr}");
        assert!(stderr.contains("git would read outside of the sandbox"), "{name}: {stderr}");
    }
    // A file that leads nowhere has the same answer, so the answer does not tell whether a file exists.
    write(root.path(), &[("file/.git", "gitdir: /nowhere/.git\n")]);
    let output = diff(root.path(), &["--git", "HEAD", "file", "--sandbox", "."]);
    assert!(text(&output.stderr).contains("git would read outside of the sandbox"), "{output:?}");
}

#[test]
#[cfg(unix)]
fn links_lead_to_the_files_of_a_revision() {
    use std::os::unix::fs::symlink;

    let root = directory(&[("repository/infra/main.tf", ONE)]);
    let repository = root.path().join("repository");
    commit(&repository, "one");
    write(&repository, &[("infra/main.tf", TWO)]);
    commit(&repository, "two");
    write(&repository, &[("infra/main.tf", "")]);
    symlink("repository", root.path().join("link")).expect("a link");
    symlink("infra", repository.join("near")).expect("a link");
    for path in ["link/infra", "repository/near", "link/near", "link/../link/infra"] {
        let output = diff(root.path(), &["--git", "HEAD~1..HEAD", path]);
        assert!(text(&output.stdout).ends_with(CHANGED), "{path}: {output:?}");
    }
    // The variable file is read at its revision, too.
    let with = |number: &str| {
        [("infra/main.tf", "variable \"n\" {}\noutput \"n\" {\n  value = var.n\n}\n"), ("n.tfvars", number)]
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
    };
    for number in ["n = 1\n", "n = 2\n"] {
        let files = with(number);
        write(&repository, &files.each_ref().map(|(name, text)| (name.as_str(), text.as_str())));
        commit(&repository, number);
    }
    let variables = root.path().join("link/n.tfvars");
    let output =
        diff(&repository, &["--git", "HEAD~1..HEAD", "infra", "--var-file", &variables.to_string_lossy()]);
    assert!(text(&output.stdout).contains("value = 1 -> 2"), "{output:?}");
}

#[test]
fn a_new_or_deleted_directory_is_compared_with_nothing() {
    let root = directory(&[("other/main.tf", "")]);
    commit(root.path(), "one");
    write(root.path(), &[("new/main.tf", ONE)]);
    commit(root.path(), "two");
    let compare = |revisions: &str| {
        let output = diff(root.path(), &["--git", revisions, "new"]);
        assert_eq!(output.status.code(), Some(0), "{revisions}: {output:?}");
        text(&output.stdout)
    };
    let added = "+ x_y.a  # new/main.tf:1\n+     size = 1\n\nResources: 1 added.\n";
    let removed = added.replace('+', "-").replace("added", "removed");
    assert_eq!(compare("HEAD~1..HEAD"), added);
    assert_eq!(compare("HEAD..HEAD~1"), removed);
    fs::remove_dir_all(root.path().join("new")).expect("the directory is removed");
    assert_eq!(compare("HEAD~1..HEAD"), added);
    assert_eq!(compare("HEAD"), removed);
    // A directory that neither side has is an error.
    let output = diff(root.path(), &["--git", "HEAD~1", "new"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()));
}

#[test]
fn three_dots_begin_at_the_merge_base() {
    let root = directory(&[("main.tf", ONE)]);
    commit(root.path(), "base");
    git(root.path(), &["branch", "-M", "trunk"]);
    git(root.path(), &["checkout", "-qb", "topic"]);
    write(root.path(), &[("main.tf", TWO)]);
    commit(root.path(), "topic");
    git(root.path(), &["checkout", "-q", "trunk"]);
    write(root.path(), &[("other.tf", "output \"o\" {\n  value = 1\n}\n")]);
    commit(root.path(), "trunk");
    let compare = |revisions: &str| text(&diff(root.path(), &["--git", revisions]).stdout);
    assert!(compare("trunk...topic").ends_with(CHANGED), "{}", compare("trunk...topic"));
    assert!(compare("trunk..topic").contains("outputs: 1 removed"), "{}", compare("trunk..topic"));
    // As in git, a missing name stands for `HEAD`.
    assert_eq!(compare("...topic"), compare("trunk...topic"));
    assert_eq!(compare("topic.."), compare("topic..trunk"));
    git(root.path(), &["checkout", "-q", "--orphan", "unrelated"]);
    commit(root.path(), "unrelated");
    let output = diff(root.path(), &["--git", "trunk...unrelated"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("have no common ancestor"), "{}", text(&output.stderr));
}

#[test]
fn a_large_file_of_a_revision_is_read() {
    let large = "x".repeat(5 << 20);
    let main = "output \"o\" {\n  value = length(file(\"large\"))\n}\n";
    let root = directory(&[("main.tf", main), ("large", &large)]);
    commit(root.path(), "one");
    write(root.path(), &[("large", &large[1..])]);
    commit(root.path(), "two");
    let output = diff(root.path(), &["--git", "HEAD~1..HEAD"]);
    assert!(text(&output.stdout).contains("value = 5242880 -> 5242879\n"), "{output:?}");
    // A configuration has a limit of its own, which the error names.
    write(root.path(), &[("large.tf", &format!("# {large}\n"))]);
    commit(root.path(), "three");
    let output = diff(root.path(), &["--git", "HEAD~1..HEAD"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("error[core:file-too-large]"), "{}", text(&output.stderr));
}

#[test]
fn two_variable_files_are_two_sides() {
    let module = "variable \"n\" {}\nresource \"x_y\" \"a\" {\n  count = var.n\n  i = count.index\n}\n";
    let root = directory(&[("r/main.tf", module), ("dev.tfvars", "n = 1\n"), ("prod.tfvars", "n = 2\n")]);
    let output = diff(root.path(), &["dev.tfvars", "prod.tfvars", "r"]);
    let expected = "+ x_y.a[1]  # r/main.tf:2\n+     i = 1\n\nResources: 1 added.\n";
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
    let unknown = root.path().join("unknown.tfvars");
    fs::write(unknown, "").expect("a file");
    let output = diff(root.path(), &["unknown.tfvars", "dev.tfvars", "r", "--color", "always"]);
    let expected = "\u{1b}[33m? x_y.a[0] (unknown number of instances before)  # r/main.tf:2\u{1b}[0m\n";
    assert!(text(&output.stdout).starts_with(expected), "{output:?}");
    for arguments in [["dev.tfvars", "nope.tfvars", "r"], ["nope.tfvars", "dev.tfvars", "r"]] {
        let output = diff(root.path(), &arguments);
        let found = text(&output.stderr);
        assert!(found.contains("There is no file or directory at nope.tfvars"), "{found}");
        assert!(output.status.code() == Some(1) && !found.contains("dev.tfvars"), "{found}");
    }
    for arguments in [&["r"][..], &[], &["r", "dev.tfvars", "prod.tfvars"], &["--git", "a..b", "r", "s"]] {
        assert_eq!(diff(root.path(), arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_state_is_the_side_before() {
    let state = r#"{"version": 4, "outputs": {"o": {"value": 1, "type": "number"}}, "resources": [
        {"mode": "managed", "type": "x_y", "name": "a", "provider": "provider[\"registry.terraform.io/hashicorp/x\"]",
         "instances": [{"attributes": {"id": "i", "size": 1}}]}]}"#;
    let changed = format!("{TWO}output \"o\" {{\n  value = 1\n}}\n");
    let same = changed.replace("size = 2", "size = 1");
    let root =
        directory(&[("a/main.tf", &changed), ("b/main.tf", &same), ("s.tfstate", state), ("main.tf", &same)]);
    let output = diff(root.path(), &["--state", "s.tfstate", "a", "--exit-code"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), format!("~ x_y.a  # a/main.tf:1\n{CHANGED}"));
    for directory in [&["b"][..], &[]] {
        let arguments = [&["--state", "s.tfstate", "--exit-code"], directory].concat();
        let output = diff(root.path(), &arguments);
        assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("No differences.\n", Some(0)));
    }
    let json = diff(root.path(), &["--state", "s.tfstate", "a", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["resources"][0]["parts"][0]["before"]["value"], 1);
    let markdown = text(&diff(root.path(), &["--state", "s.tfstate", "a", "--format", "markdown"]).stdout);
    assert!(markdown.contains("```diff\n! x_y.a\n-     size = 1\n+     size = 2\n"), "{markdown}");
    // With two directories, the option gives the state of both.
    let output = diff(root.path(), &["--state", "s.tfstate", "a", "b"]);
    assert!(text(&output.stdout).contains("~     size = 2 -> 1\n"), "{}", text(&output.stdout));
    let output = diff(root.path(), &["a"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("--state or --plan with an optional directory"),
        "{}",
        text(&output.stderr)
    );
    let output = diff(root.path(), &["--state", "none.tfstate", "a"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

/// In a partial clone, the configuration of the repository names a program that fetches missing objects.
#[test]
fn a_repository_starts_no_program() {
    let root = directory(&[("main.tf", OLD)]);
    git(root.path(), &["init", "-q"]);
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "-qm", "one"]);
    let objects = root.path().join(".git/objects");
    let listed = Command::new("git").current_dir(root.path()).args(["rev-parse", "HEAD:main.tf"]).output();
    let object = text(&listed.expect("git").stdout).trim().to_owned();
    fs::remove_file(objects.join(&object[..2]).join(&object[2..])).expect("an object");
    let started = root.path().join("started");
    let program = format!("ext::touch {}", started.display());
    for (name, value) in [
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("protocol.ext.allow", "always"),
        ("remote.origin.url", &program),
    ] {
        git(root.path(), &["config", name, value]);
    }
    let output = diff(root.path(), &["--git", "HEAD", "."]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("missing"), "{}", text(&output.stderr));
    assert!(!started.exists(), "the repository has started a program");
}

/// Each tree contains the next tree many times, so that a few objects list billions of files.
#[test]
fn a_tree_of_many_files_is_refused() {
    let root = directory(&[("a/main.tf", OLD)]);
    git(root.path(), &["init", "-q"]);
    let written = |arguments: &[&str], input: &str| {
        let mut command = Command::new("git");
        command.current_dir(root.path()).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("git");
        child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("a tree");
        text(&child.wait_with_output().expect("git").stdout).trim().to_owned()
    };
    let blob = written(&["hash-object", "-w", "--stdin"], "a = 1\n");
    let row = |kind: &str, object: &str, index: usize| format!("{kind} {object}\tdirectory{index}\n");
    let mut tree = written(&["mktree"], &row("100644 blob", &blob, 0));
    for _ in 0..8 {
        let rows: String = (0..20).map(|index| row("040000 tree", &tree, index)).collect();
        tree = written(&["mktree"], &rows);
    }
    let commit = written(
        &["-c", "user.name=a", "-c", "user.email=a@example.com", "commit-tree", "-m", "many", &tree],
        "",
    );
    let output = diff(root.path(), &["--git", &commit, "a"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("too many files"), "{}", text(&output.stderr));
}

#[test]
fn messages_name_their_side_and_are_there_once() {
    let module = "variable \"v\" {\n  default = \"x\"\n}\nresource \"terraform_data\" \"a\" {}\n\
                  output \"o\" {\n  value      = var.v\n  depends_on = [\"terraform_data.a\"]\n}\n";
    let files = [
        ("a/main.tf", module),
        (
            "b/main.tf",
            &module.replace("terraform_data\" \"a\" {}", "terraform_data\" \"a\" {\n  input = 1\n}"),
        ),
        ("one.tfvars", "v = 1\n"),
        ("two.tfvars", "v = 2\nw = 3\n"),
    ];
    let root = directory(&files);
    let messages = |arguments: &[&str]| {
        let stderr = text(&diff(root.path(), arguments).stderr);
        let lines = stderr.lines().filter(|line| line.starts_with("warning") || line.ends_with(':'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let quoted = "warning[core:quoted-reference]: Quoted references are deprecated";
    let undeclared = "warning[core:undeclared-value]: Value for undeclared variable";
    assert_eq!(messages(&["a", "b"]), ["In a:", quoted, "In b:", quoted]);
    assert_eq!(messages(&["one.tfvars", "two.tfvars", "a"]), [quoted, "With two.tfvars:", undeclared]);
    let repository = root.path().join("a");
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-qm", "one"]);
    assert_eq!(messages(&["--git", "HEAD", "a"]), [quoted]);
    write(root.path(), &[("a/main.tf", &module.replace("[\"terraform_data.a\"]", "[terraform_data.a]"))]);
    assert_eq!(messages(&["--git", "HEAD", "a"]), ["In HEAD:", quoted]);
}
