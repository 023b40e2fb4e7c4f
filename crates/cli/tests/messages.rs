//! What `terrane check` says about every file of `tests/messages`, against the text beside it. Set
//! `UPDATE_EXPECT=1` to write what comes out; then read the difference before keeping it.
#![expect(clippy::disallowed_methods, reason = "tests run the command on files of their own")]

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn messages_are_as_expected() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages");
    let mut files: Vec<_> = fs::read_dir(&directory)
        .expect("the directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tf"))
        .collect();
    files.sort();
    assert!(files.len() > 5, "{files:?}");
    for path in files {
        // In the directory, the other files would belong to the same module.
        let alone = tempfile::tempdir().expect("a temporary directory");
        let name = path.file_name().expect("a name");
        fs::copy(&path, alone.path().join(name)).expect("a copy");
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
        command.env("TERRANE_CACHE_DIR", "/nonexistent");
        let output =
            command.current_dir(alone.path()).arg("check").arg(name).output().expect("the command runs");
        assert_eq!(output.status.code(), Some(1), "{path:?}");
        let actual =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8")).concat();
        let golden = path.with_extension("txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&golden, &actual).expect("the golden file");
        }
        assert_eq!(fs::read_to_string(&golden).unwrap_or_default(), actual, "{}", golden.display());
    }
}
