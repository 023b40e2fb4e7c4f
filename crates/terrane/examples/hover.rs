//! Shows the value of the expression at a place of a file, in each instance: what an editor shows on hover.
//!
//! `cargo run --example hover -- DIR FILE LINE COLUMN`

#![expect(clippy::print_stdout, reason = "an example prints its result")]
#![expect(clippy::disallowed_methods, reason = "an example reads its arguments")]

use std::path::Path;

use terrane::source::Span;
use terrane::value::display;
use terrane::{Diagnostics, OsFiles, Project, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: hover DIR FILE LINE COLUMN".into());
    };
    let mut number = || arguments.next().unwrap_or_default().parse::<usize>();
    let (line, column) = (number()?, number()?);

    // A workspace keeps what it has read: after an edit, the next query evaluates only what the edit affects.
    let mut workspace = Workspace::new(OsFiles);
    let root = workspace.add(Project::new(directory));
    let report = workspace.evaluate(root, None)?;

    let text = String::from_utf8(workspace.files().read(Path::new(&file))?)?;
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let offset = u32::try_from(before + column.saturating_sub(1))?;
    for scope in report.scopes_at(&file, Span::new(offset, offset), workspace.files()) {
        let mut found = Diagnostics::new();
        let Some(value) = scope.value(workspace.files(), &mut found) else { continue };
        if let Some(address) = scope.address() {
            println!("# {address}");
        }
        for (name, value) in scope.names(workspace.files()) {
            println!("{name} = {}", display::annotated(&value));
        }
        println!("{}", display::annotated(&value));
    }
    Ok(())
}
