//! Draws the graph of a document: as an SVG picture, or as an HTML page that shows values.
//!
//! `density` refuses graphs whose layout takes long; `layout` finds a place for each object, each module being a box, and
//! `route` the ways of the edges around them; `svg` draws both, and `html` adds the page around the picture.
//!
//! ```
//! use terrane::{MemoryFiles, Project};
//!
//! let files = MemoryFiles::from_iter([("main.tf", "variable \"a\" {}\noutput \"b\" { value = var.a }")]);
//! let picture = terrane_picture::svg(&Project::new(".").outline(&files))?;
//! assert!(picture.contains("output.b"));
//! # Ok::<(), terrane_picture::TooLarge>(())
//! ```

mod density;
mod html;
mod layout;
mod route;
mod svg;

use std::fmt;

use terrane::Document;

use crate::layout::Layout;
use crate::svg::Links;

/// The most objects of a graph that is drawn. Nobody reads a larger picture, and its layout takes long.
pub const MAX_OBJECTS: usize = 2000;

/// The highest [`density`](density::density) of a graph that is drawn. Its layout takes about a second and a half.
const MAX_DENSITY: u64 = 5_000_000;

/// Why a graph is not drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// It has this number of objects, more than [`MAX_OBJECTS`].
    Objects(usize),
    /// It has this number of dependencies, and too many of them run side by side.
    Dependencies(usize),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Objects(objects) => {
                write!(f, "the graph has {objects} objects, but a picture has at most {MAX_OBJECTS}")
            }
            TooLarge::Dependencies(dependencies) => {
                write!(f, "the {dependencies} dependencies of the graph are too dense for a picture")
            }
        }
    }
}

impl std::error::Error for TooLarge {}

/// Returns the graph of a document as an SVG picture. Each object is a link to the line of its declaration, `main.tf#L12`, as
/// pages of repositories name lines.
///
/// # Errors
///
/// If the graph is too large.
pub fn svg(document: &Document) -> Result<String, TooLarge> {
    Ok(svg::picture(document, &layout(document)?, Links::Lines))
}

/// Returns the graph of a document as a page that needs no other file and no network. It zooms, filters, and shows the values
/// of the document, without secrets unless the document [shows](Document::secrets) them.
///
/// # Errors
///
/// If the graph is too large.
pub fn html(document: &Document) -> Result<String, TooLarge> {
    Ok(html::page(document, &svg::picture(document, &layout(document)?, Links::None)))
}

fn layout(document: &Document) -> Result<Layout, TooLarge> {
    let objects = document.graph.objects().len();
    if objects > MAX_OBJECTS {
        return Err(TooLarge::Objects(objects));
    }
    if density::density(&document.graph) > MAX_DENSITY {
        return Err(TooLarge::Dependencies(document.graph.edges().count()));
    }
    Ok(Layout::of(&document.graph))
}

#[cfg(test)]
mod tests {
    use terrane::{MemoryFiles, Project};

    use super::*;

    fn drawn(locals: usize, each: impl Fn(usize) -> String) -> Result<String, TooLarge> {
        let lines: String = (0..locals).map(|local| format!("  l{local} = [{}]\n", each(local))).collect();
        let text = format!("locals {{\n{lines}}}\n");
        svg(&Project::new(".").outline(&MemoryFiles::from_iter([("main.tf", text)])))
    }

    #[test]
    fn graphs_whose_layout_takes_long_are_refused() {
        let before = |local: usize| (0..local).map(|other| format!("local.l{other}, ")).collect();
        assert!(drawn(12, before).is_ok());
        assert_eq!(drawn(100, before), Err(TooLarge::Dependencies(4950)));
        assert_eq!(drawn(2001, |_| String::new()), Err(TooLarge::Objects(2001)));
    }
}
