//! Functions on files and paths. All access goes through the `Files` of the call.

mod glob;
pub(crate) mod path;

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use terrane_function::{Availability, Call, Cost, Function, FunctionError, Parameter, ResultType};
use terrane_source::{FileError, FileErrorKind, FileKind};
use terrane_value::{Type, Value};

use crate::row::Body;

use glob::{GlobError, glob};
use path::{base, clean, directory, join, relative, resolve};

pub(crate) fn functions() -> Vec<Function> {
    let mut functions = on_files();
    functions.extend(on_names());
    functions
}

fn on_files() -> Vec<Function> {
    let path = || Parameter::new("path", Type::String).marked().packer_blames_call();
    vec![
        Function::new(
            "file",
            "Reads a text file. A relative path starts at the working directory; `${path.module}/` names \
             files of the module.",
            ResultType::Fixed(Type::String),
            file,
        )
        .parameter(path())
        .examples(&[(r#"file("hello.txt")"#, r#""Hello""#)]),
        Function::new(
            "filebase64",
            "Reads a file and encodes its bytes in Base64.",
            ResultType::Fixed(Type::String),
            filebase64,
        )
        .parameter(path())
        .since(Availability::modules().packer(13))
        .examples(&[(r#"filebase64("hello.txt")"#, r#""SGVsbG8=""#)]),
        Function::new(
            "fileexists",
            "Returns true if a file exists at a path. A directory at the path is an error.",
            ResultType::Fixed(Type::Bool),
            fileexists,
        )
        .parameter(path())
        .examples(&[(r#"fileexists("hello.txt")"#, "true"), (r#"fileexists("other.txt")"#, "false")]),
        Function::new(
            "fileset",
            "Returns the files that match a pattern, as paths relative to a directory. Patterns have `*`, \
             `?`, `[a-z]`, `{one,two}` and `**`.",
            ResultType::Fixed(Type::set(Type::String)),
            fileset,
        )
        .parameter(path())
        .parameter(Parameter::new("pattern", Type::String).marked())
        .examples(&[(
            r#"fileset(".", "*.{txt,tftpl}")"#,
            "toset([\n  \"greeting.tftpl\",\n  \"hello.txt\",\n])",
        )]),
    ]
}

fn on_names() -> Vec<Function> {
    let function = |name, description, body: Body| {
        Function::new(name, description, ResultType::Fixed(Type::String), body)
            .parameter(Parameter::new("path", Type::String))
    };
    vec![
        function("basename", "Returns the last component of a path.", |call| Ok(base(call.string(0)).into()))
            .examples(&[(r#"basename("foo/bar/baz.txt")"#, r#""baz.txt""#)])
            .cost(Cost::Light)
            .pure(),
        function("dirname", "Returns a path without its last component.", |call| {
            Ok(directory(call.string(0)).into())
        })
        .examples(&[(r#"dirname("foo/bar/baz.txt")"#, r#""foo/bar""#)])
        .cost(Cost::Light)
        .pure(),
        function("abspath", "Returns a path as an absolute path without `.` and `..`.", abspath)
            .examples(&[(r#"abspath("/etc/../tmp/x")"#, r#""/tmp/x""#)])
            .cost(Cost::Light),
        function("pathexpand", "Replaces a leading `~` by the home directory of the user.", |call| {
            let path = expanded(call)?;
            Ok(path.unwrap_or_else(|unknown| unknown))
        })
        .examples(&[(r#"pathexpand("~/.ssh/id_rsa.pub")"#, r#""/home/ada/.ssh/id_rsa.pub""#)])
        .cost(Cost::Light),
    ]
}

fn abspath(call: &Call<'_>) -> Result<Value, FunctionError> {
    let path = call.string(0);
    let working_directory = || call.env.files.working_directory();
    let absolute =
        if path.starts_with('/') { clean(path) } else { join(&working_directory().to_string_lossy(), path) };
    Ok(absolute.into())
}

/// Returns the path with a leading `~` replaced by the home directory, or the unknown result of the call if the home directory
/// is unknown.
fn expanded(call: &Call<'_>) -> Result<Result<Value, Value>, FunctionError> {
    let path = call.argument(0);
    let Some(below) = call.string(0).strip_prefix('~') else { return Ok(Ok(path.clone())) };
    if !below.is_empty() && !below.starts_with(['/', '\\']) {
        return Err(FunctionError::new("the home directory of another user is not known"));
    }
    let Some(home) = call.env.world.home else {
        return Ok(Err(call.unknown_input().with_marks(path.marks())));
    };
    Ok(Ok(Value::string(join(&home.to_string_lossy(), below)).with_marks(path.marks())))
}

/// Returns the path of the first argument, or the unknown result of the call.
fn file_path(call: &Call<'_>) -> Result<Result<PathBuf, Value>, FunctionError> {
    let path = expanded(call)?;
    Ok(path.map(|path| resolve(call.env.base_dir, path.unmarked().as_str().unwrap_or_default())))
}

/// Returns the content of the file that the first argument names, or the unknown result of the call.
pub(crate) fn read(call: &Call<'_>) -> Result<Result<Vec<u8>, Value>, FunctionError> {
    let path = file_path(call).map_err(|error| call.invalid(0, error.message))?;
    let path = match path {
        Ok(path) => path,
        Err(unknown) => return Ok(Err(unknown)),
    };
    let content = call.read_file(&path, 0)?.map_err(|error| call.invalid(0, failure(call, &error)))?;
    Ok(Ok(content))
}

fn failure(call: &Call<'_>, error: &FileError) -> String {
    let path = call.quoted(0);
    match &error.kind {
        FileErrorKind::NotFound => format!(
            "there is no file {path}; functions read only files that exist before the evaluation; for a \
             file that a resource creates, use an attribute of the resource"
        ),
        FileErrorKind::IsDirectory => format!("{path} is a directory, not a file"),
        FileErrorKind::NotDirectory => format!("{path} goes through a file as if it were a directory"),
        FileErrorKind::NotRegular => format!("{path} is not a regular file"),
        FileErrorKind::PermissionDenied => format!("{path} may not be read"),
        FileErrorKind::Confined => format!("{path} is outside of the directory that may be read"),
        FileErrorKind::TooLarge { .. } => format!("{path} is too large"),
        FileErrorKind::Other(message) => format!("{path} cannot be read: {message}"),
    }
}

fn file(call: &Call<'_>) -> Result<Value, FunctionError> {
    let content = match read(call)? {
        Ok(content) => content,
        Err(unknown) => return Ok(unknown),
    };
    let text = String::from_utf8(content).map_err(|_| {
        FunctionError::new(format!(
            "the file {} is not UTF-8 text; filebase64 reads any content",
            call.quoted(0)
        ))
    })?;
    if !call.env.limits.allow(&text) {
        let limit = "the limit that `--max-steps` raises";
        return Err(call.invalid(0, format!("the file {} is too large for {limit}", call.quoted(0))));
    }
    Ok(Value::string(text).with_marks(call.argument(0).marks()))
}

fn filebase64(call: &Call<'_>) -> Result<Value, FunctionError> {
    let encoded = read(call)?.map(|content| Value::string(STANDARD.encode(content)));
    Ok(encoded.unwrap_or_else(|unknown| unknown).with_marks(call.argument(0).marks()))
}

fn fileexists(call: &Call<'_>) -> Result<Value, FunctionError> {
    let path = match file_path(call)? {
        Ok(path) => path,
        Err(unknown) => return Ok(unknown),
    };
    call.spend(Call::WORK_OF_FILE)?;
    let exists = match call.env.files.metadata(&path) {
        Ok(FileKind::File) => true,
        Ok(FileKind::Directory) => {
            return Err(FunctionError::new(format!("{} is a directory, not a file", call.quoted(0))));
        }
        Ok(FileKind::Other) => {
            return Err(FunctionError::new(format!("{} is not a regular file", call.quoted(0))));
        }
        Err(FileError { kind: FileErrorKind::NotFound, .. }) => false,
        Err(error) => return Err(FunctionError::new(failure(call, &error))),
    };
    Ok(Value::from(exists).with_marks(call.argument(0).marks()))
}

fn fileset(call: &Call<'_>) -> Result<Value, FunctionError> {
    let path = call.string(0);
    let directory =
        if path.starts_with('/') { clean(path) } else { join(&call.env.base_dir.to_string_lossy(), path) };
    let pattern = join(&directory, call.string(1));
    let found =
        glob(call.env.files, &pattern, &|work| call.spend(work).is_ok()).map_err(|error| match error {
            GlobError::Malformed => {
                FunctionError::new(format!("the pattern {} is malformed", call.quoted(1)))
            }
            GlobError::Refused(error) => {
                FunctionError::new(format!("the pattern {} is not possible: {error}", call.quoted(1)))
            }
            GlobError::TooMany => FunctionError::new("the pattern matches too many paths"),
        })?;
    let mut paths = Vec::new();
    for (path, kind) in found {
        if kind == FileKind::File {
            let path = relative(&directory, &path);
            // An empty pattern matches the path itself if it is a file.
            paths.push(Value::from(if path.is_empty() { "." } else { &*path }));
        } else if let Err(error) = call.env.files.metadata(path.as_ref()) {
            return Err(FunctionError::new(error.to_string()));
        }
    }
    let marks = call.argument(0).marks().union(call.argument(1).marks());
    Ok(Value::set(Type::String, paths).with_marks(&marks))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use terrane_function::World;
    use terrane_source::MemoryFiles;
    use terrane_value::{Type, Value};

    use crate::testing::{call_with, secret, show_result, unknown};

    fn result<const N: usize>(name: &str, arguments: [Value; N]) -> String {
        let files = MemoryFiles::new();
        for path in ["/m/a.txt", "/m/d/b.txt", "/m/d/.h", "/x.txt"] {
            files.insert(path, format!("text of {path}"));
        }
        files.insert("/m/binary", [0xff, 0xfe]);
        show_result(&call_with(&files, World::default(), name, arguments))
    }

    #[test]
    fn files_are_read_below_the_base_directory() {
        let cases = [
            ("file", "a.txt", "text of /m/a.txt"),
            ("file", "./none/../d//b.txt", "text of /m/d/b.txt"),
            ("file", "../x.txt", "text of /x.txt"),
            ("file", "/x.txt", "text of /x.txt"),
            ("file", "d", "error in argument 0"),
            ("file", "none", "error in argument 0"),
            ("file", "binary", "error"),
            ("file", "~/x", "?string"),
            ("file", "~x", "error in argument 0"),
            ("filebase64", "binary", "//4="),
            ("fileexists", "a.txt", "true"),
            ("fileexists", "none/x", "false"),
            ("fileexists", "d", "error"),
        ];
        for (name, path, expected) in cases {
            assert_eq!(result(name, [path.into()]), expected, "{name} of {path}");
        }
        assert_eq!(result("file", [secret("a.txt")]), "*text of /m/a.txt");
        assert_eq!(result("file", [unknown(Type::String)]), "?string");
    }

    #[test]
    fn sets_of_files_are_relative_to_their_directory() {
        let cases = [
            ("d", "*", "set[.h, b.txt]"),
            (".", "**/*.txt", "set[a.txt, d/b.txt]"),
            ("d", "../*.txt", "set[../a.txt]"),
            ("/m/d", "{b,c}.txt", "set[b.txt]"),
            ("none", "*", "set[]"),
            ("d", "[", "error"),
        ];
        for (path, pattern, expected) in cases {
            assert_eq!(result("fileset", [path.into(), pattern.into()]), expected, "{path} {pattern}");
        }
        assert_eq!(result("fileset", ["d".into(), secret("b*")]), "*set[b.txt]");
    }

    #[test]
    fn names_need_no_files() {
        let cases = [
            ("basename", "a/b/", "b"),
            ("dirname", "a//b", "a"),
            ("abspath", "x/../y", "/y"),
            ("abspath", "/a//b", "/a/b"),
            ("pathexpand", "a/b", "a/b"),
            ("pathexpand", "~/b", "?string"),
        ];
        for (name, path, expected) in cases {
            assert_eq!(result(name, [path.into()]), expected, "{name} of {path}");
        }
    }

    #[test]
    fn a_tilde_is_the_home_directory() {
        let files = MemoryFiles::from_iter([("/home/ada/x", "hers")]);
        let world = World { home: Some(Path::new("/home/ada")), ..World::default() };
        let at_home = |name, path: &str| show_result(&call_with(&files, world, name, [Value::from(path)]));
        let cases = [
            ("pathexpand", "~", "/home/ada"),
            ("pathexpand", "~/a/../b", "/home/ada/b"),
            ("pathexpand", "a/~", "a/~"),
            ("file", "~/x", "hers"),
            ("fileexists", "~/x", "true"),
            ("filebase64", "~bob/x", "error in argument 0"),
            ("filemd5", "~/x", "8247d4f202b4bcce8a967a0272151e80"),
        ];
        for (name, path, expected) in cases {
            assert_eq!(at_home(name, path), expected, "{name} of {path}");
        }
    }
}
