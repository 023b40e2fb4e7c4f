//! `terrane fmt` as a user meets it.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const MESSY: &str = "a=1\nlong=\"${b}\"\n";
const TIDY: &str = "a    = 1\nlong = b\n";
const BROKEN: &str = "a = [1\n";

fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, content).expect("a file");
    }
    directory
}

fn read(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name)).expect("a file")
}

/// Returns the exit code, standard output and standard error.
fn fmt(directory: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.current_dir(directory).arg("fmt").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // Writing the input may fail, because the command may not read it.
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn prints(directory: &TempDir, arguments: &[&str], code: i32, stdout: &str) {
    let (actual, printed, errors) = fmt(directory.path(), arguments, "");
    assert_eq!((actual, printed.as_str(), errors.as_str()), (Some(code), stdout, ""));
}

#[test]
fn files_of_a_directory_are_written_and_listed() {
    let files = ["a.tf", "b.tfvars", "c.tf.json", "d.hcl", ".e.tf", "m/f.tf", ".terraform/g.tf"];
    let directory = directory(&files.map(|name| (name, MESSY)));
    prints(&directory, &[], 0, "a.tf\nb.tfvars\n");
    assert_eq!(
        files.map(|name| read(&directory, name) == TIDY),
        [true, true, false, false, false, false, false]
    );
    prints(&directory, &[], 0, "");
    prints(&directory, &["--recursive", "-list=false"], 0, "");
    assert_eq!(read(&directory, "m/f.tf"), TIDY);
    assert_eq!(read(&directory, ".terraform/g.tf"), MESSY);
}

#[test]
fn check_writes_nothing() {
    let directory = directory(&[("a.tf", MESSY), ("b.tf", TIDY), ("m/c.tf", MESSY)]);
    prints(&directory, &["-check"], 3, "a.tf\n");
    prints(&directory, &["--check", "./m/", "b.tf"], 3, "m/c.tf\n");
    prints(&directory, &["-check", "-list=false", "-recursive=true"], 3, "");
    prints(&directory, &["-check=true", "b.tf"], 0, "");
    assert_eq!(read(&directory, "a.tf"), MESSY);
    prints(&directory, &["-write=false"], 0, "a.tf\n");
    assert_eq!(read(&directory, "a.tf"), MESSY);
}

#[test]
fn diff_shows_the_changes() {
    let directory = directory(&[("m/a.tf", MESSY)]);
    let diff =
        "--- old/m/a.tf\n+++ new/m/a.tf\n@@ -1,2 +1,2 @@\n-a=1\n-long=\"${b}\"\n+a    = 1\n+long = b\n";
    prints(&directory, &["-check", "-diff", "-recursive"], 3, &format!("m/a.tf\n{diff}"));
    prints(&directory, &["-diff", "-list=false", "m"], 0, diff);
    assert_eq!(read(&directory, "m/a.tf"), TIDY);
}

#[test]
fn a_file_with_syntax_errors_is_not_changed() {
    let directory = directory(&[("a.tf", BROKEN), ("b.tf", MESSY)]);
    let (code, printed, errors) = fmt(directory.path(), &[], "");
    assert_eq!((code, printed.as_str()), (Some(2), "b.tf\n"));
    assert!(errors.contains("a.tf:1"), "{errors}");
    assert_eq!((read(&directory, "a.tf").as_str(), read(&directory, "b.tf").as_str()), (BROKEN, TIDY));
    assert_eq!(fmt(directory.path(), &["-check"], "").0, Some(2));
}

#[test]
fn paths_without_configuration_are_reported() {
    let directory = directory(&[("a.json", "{}"), (".terraform.lock.hcl", MESSY)]);
    for arguments in [&["missing"][..], &["a.json"], &["-check", "-", "a.json"], &["-check=maybe"]] {
        let (code, printed, errors) = fmt(directory.path(), arguments, "");
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(errors.starts_with("error"), "{errors}");
    }
    prints(&directory, &[".terraform.lock.hcl"], 0, "");
    assert_eq!(read(&directory, ".terraform.lock.hcl"), MESSY);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let directory = directory(&[]);
    for (arguments, input, code, printed) in [
        (&["-"][..], MESSY, 0, TIDY),
        (&["-"], TIDY, 0, TIDY),
        (&["-check", "-"], MESSY, 3, ""),
        (&["-check", "-"], TIDY, 0, ""),
        (&["-"], "\u{feff}a=1", 0, "a = 1\n"),
    ] {
        let outcome = fmt(directory.path(), arguments, input);
        assert_eq!(outcome, (Some(code), printed.to_owned(), String::new()), "{arguments:?}");
    }
    let (_, printed, _) = fmt(directory.path(), &["-diff", "-"], "a=1");
    assert_eq!(
        printed,
        "--- old/<stdin>\n+++ new/<stdin>\n@@ -1 +1 @@\n-a=1\n\\ No newline at end of file\n+a = 1\n\\ No newline at end of file\n"
    );
    assert_eq!(fmt(directory.path(), &["-"], BROKEN).0, Some(2));
}

#[test]
fn printed_text_ends_with_a_newline() {
    let directory = directory(&[("a.tf", "a=1")]);
    prints(&directory, &["-write=false", "-list=false", "a.tf"], 0, "a = 1\n");
    assert_eq!(read(&directory, "a.tf"), "a=1");
    assert_eq!(fmt(directory.path(), &["-"], "b {}").1, "b {}\n");
    fs::write(directory.path().join("bytes.tf"), b"a=1 # \xe9").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.current_dir(directory.path()).args(["fmt", "-write=false", "-list=false", "bytes.tf"]);
    assert_eq!(command.output().expect("an outcome").stdout, b"a = 1 # \xe9\n");
}

#[test]
fn packer_and_other_files_only_get_another_layout() {
    let directory = directory(&[("a.pkr.hcl", MESSY), ("b.nomad", MESSY), ("c.hcl", MESSY)]);
    prints(&directory, &[".", "b.nomad", "c.hcl"], 0, "a.pkr.hcl\nb.nomad\nc.hcl\n");
    for name in ["a.pkr.hcl", "b.nomad", "c.hcl"] {
        assert_eq!(read(&directory, name), "a    = 1\nlong = \"${b}\"\n", "{name}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_modes_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let directory = directory(&[("root/m/a.tf", MESSY), ("root/b.tf", MESSY), ("root/c.tf", TIDY)]);
    let path = |name: &str| directory.path().join(name);
    symlink("m/a.tf", path("root/link.tf")).expect("a link");
    symlink("..", path("root/up")).expect("a link to a directory");
    symlink("nowhere.tf", path("root/broken.tf")).expect("a link to nothing");
    fs::set_permissions(path("root/b.tf"), fs::Permissions::from_mode(0o640)).expect("a mode");
    let before = fs::metadata(path("root/c.tf")).expect("a file").modified().expect("a time");
    let (code, printed, errors) = fmt(&path("root"), &[], "");
    assert_eq!((code, printed.as_str()), (Some(2), "b.tf\nlink.tf\n"));
    assert!(errors.contains("broken.tf"), "{errors}");
    assert!(path("root/link.tf").is_symlink());
    assert_eq!((read(&directory, "root/m/a.tf"), read(&directory, "root/b.tf")), (TIDY.into(), TIDY.into()));
    assert_eq!(fs::metadata(path("root/b.tf")).expect("a file").permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::metadata(path("root/c.tf")).expect("a file").modified().expect("a time"), before);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_directory_are_followed_on_demand() {
    use std::os::unix::fs::symlink;

    let directory = directory(&[("elsewhere/a.tf", MESSY), ("root/m/b.tf", MESSY)]);
    let root = directory.path().join("root");
    symlink("../../elsewhere/a.tf", root.join("m/link.tf")).expect("a link");
    for (arguments, code) in [(&["-check", "-recursive"][..], 3), (&["-recursive"], 0)] {
        let (actual, printed, errors) = fmt(&root, arguments, "");
        assert_eq!((actual, printed.as_str()), (Some(code), "m/b.tf\n"));
        assert!(errors.contains("core:link-leads-out") && errors.contains("m/link.tf leads out"), "{errors}");
    }
    assert_eq!(
        (read(&directory, "elsewhere/a.tf"), read(&directory, "root/m/b.tf")),
        (MESSY.into(), TIDY.into())
    );
    // The file is in this directory.
    let (code, _, errors) = fmt(directory.path(), &["-check", "-recursive"], "");
    assert_eq!((code, errors.as_str()), (Some(3), ""));
    assert_eq!(fmt(&root, &["-check", "m/link.tf"], "").0, Some(3), "a path that is given is followed");
    let (code, printed, errors) = fmt(&root, &["-recursive", "-follow-links"], "");
    assert_eq!((code, printed.as_str(), errors.as_str()), (Some(0), "m/link.tf\n", ""));
    assert_eq!(read(&directory, "elsewhere/a.tf"), TIDY);
    assert!(fmt(&root, &["--help"], "").1.contains("--follow-links"));
}

/// Returns the names of files in the directory without an ending of configuration.
#[cfg(target_os = "linux")]
fn others(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).expect("a directory");
    let names = names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.ends_with(".tf")).collect()
}

/// Such a run writes files most of the time.
#[cfg(target_os = "linux")]
#[test]
fn no_temporary_file_stays_behind_a_signal() {
    use std::os::unix::process::ExitStatusExt as _;

    use rustix::process::{Pid, Signal, kill_process};

    let blocks = |body: &str| format!("block {{\n{body}}}\n").repeat(40);
    let (messy, tidy) =
        (blocks(MESSY), blocks(&TIDY.lines().map(|line| format!("  {line}\n")).collect::<String>()));
    for signal in [Signal::INT, Signal::TERM, Signal::INT, Signal::TERM] {
        let names: Vec<String> = (0..4000).map(|number| format!("{number:04}.tf")).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), messy.as_str())).collect();
        let directory = directory(&files);
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        command.current_dir(directory.path()).arg("fmt").stdout(Stdio::null());
        let mut child = command.spawn().expect("the command starts");
        while others(directory.path()).is_empty() && child.try_wait().expect("a state").is_none() {}
        kill_process(Pid::from_child(&child), signal).expect("it runs");
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
        assert_eq!(others(directory.path()), [""; 0]);
        for name in &names {
            let found = read(&directory, name);
            assert!(found == messy || found == tidy, "{name}: {found}");
        }
    }
}

/// The system ends a process whose file grows beyond a limit, unless it takes the signal.
#[cfg(target_os = "linux")]
#[test]
fn no_temporary_file_stays_behind_a_limit_on_the_size_of_files() {
    let messy = format!("block {{\n{MESSY}}}\n").repeat(1000);
    let directory = directory(&[("a.tf", &messy)]);
    let mut command = Command::new("sh");
    let limited = "ulimit -f 8 && exec \"$0\" fmt a.tf";
    command.current_dir(directory.path()).args(["-c", limited, env!("CARGO_BIN_EXE_terrane")]);
    let output = command.output().expect("the shell starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("a.tf"), "{stderr}");
    assert_eq!((others(directory.path()), read(&directory, "a.tf")), (Vec::new(), messy));
    let mut command = Command::new("sh");
    let limited = "ulimit -f 8 && exec \"$0\" functions --json > o";
    command.current_dir(directory.path()).args(["-c", limited, env!("CARGO_BIN_EXE_terrane")]);
    let output = command.output().expect("the shell starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!output.stderr.is_empty(), "{output:?}");
}

/// The language ignores the bytes of comments, and formatting keeps them.
#[test]
fn wrong_bytes_in_comments_are_kept() {
    let directory = directory(&[]);
    let path = directory.path().join("a.tf");
    for (bytes, formatted) in [
        (&b"# caf\xe9\na=1 # \xc3\nlong=2\n"[..], &b"# caf\xe9\na    = 1 # \xc3\nlong = 2\n"[..]),
        (b"block /* \xe9 */ a { # \xff\n}\n", b"block \"a\" { # \xff\n}\n"),
    ] {
        fs::write(&path, bytes).expect("a file");
        prints(&directory, &[], 0, "a.tf\n");
        assert_eq!(fs::read(&path).expect("a file"), formatted);
        prints(&directory, &["-check"], 0, "");
    }
    fs::write(&path, b"a=\"\xe9\"\n").expect("a file");
    assert_eq!(fmt(directory.path(), &[], "").0, Some(2));
    assert_eq!(fs::read(&path).expect("a file"), b"a=\"\xe9\"\n");
}

/// Options are written like Terraform's own options.
#[test]
fn options_take_values_and_may_be_repeated() {
    let directory = directory(&[("a.tf", MESSY), ("m/b.tf", MESSY)]);
    prints(&directory, &["-no-color", "-check", "-recursive=true", "-recursive=false"], 3, "a.tf\n");
    prints(&directory, &["-check=false", "-write=0", "-list=T", "--no-color=true"], 0, "a.tf\n");
}

#[test]
fn a_file_with_two_paths_is_formatted_once() {
    let directory = directory(&[("a.tf", MESSY), ("m/b.tf", MESSY)]);
    prints(&directory, &["-check", "m", "./a.tf", "-recursive", ".", "a.tf"], 3, "m/b.tf\na.tf\n");
}
