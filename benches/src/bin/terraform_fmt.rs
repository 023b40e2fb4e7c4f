//! The release command against `terraform fmt`: `cargo run --release --locked --bin terraform_fmt -- DIR...`, where each
//! directory holds real configuration. It needs a `terraform` on `PATH`.
//!
//! Both check all files and write none, in turns. `--command FILE` runs another command than the one of this tree.

use std::fs;
use std::path::{Path, PathBuf};

use benches::generate::generate;
use benches::release::{self, Time};

const BYTES_OF_ONE_FILE: usize = 3_000_000;
const TURNS: usize = 5;
/// All files are formatted; some are not.
const EXIT_CODES: [i32; 2] = [0, 3];

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let command = match arguments.next_if_eq("--command") {
        Some(_) => arguments.next().map(PathBuf::from).expect("a command"),
        None => release::build(),
    };
    let command = fs::canonicalize(command).expect("the command");
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("main.tf"), generate(BYTES_OF_ONE_FILE).native).expect("a file");
    println!("| files | terraform, processor | terrane | times faster | wall clock |");
    println!("|---|---|---|---|---|");
    compare("one file of 3 MB", &command, directory.path());
    for directory in arguments {
        compare(&directory, &command, Path::new(&directory));
    }
}

/// The fastest of several turns of both programs.
fn compare(name: &str, command: &Path, directory: &Path) {
    let check = ["fmt", "-check", "-recursive", "-list=false"];
    let (mut theirs, mut ours) = (Time::MAX, Time::MAX);
    for _ in 0..TURNS {
        theirs = theirs.min(release::run(Path::new("terraform"), &check, directory, &EXIT_CODES));
        ours = ours.min(release::run(command, &check, directory, &EXIT_CODES));
    }
    println!(
        "| {name} | {:.0} ms | {:.1} ms | {:.0}x | {:.0}x |",
        theirs.processor * 1e3,
        ours.processor * 1e3,
        theirs.processor / ours.processor,
        theirs.wall / ours.wall
    );
}
