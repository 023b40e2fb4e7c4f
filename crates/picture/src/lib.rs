//! Draws the graph of a document: as an SVG picture, or as an HTML page that shows values.
//!
//! `layout` finds a place for each object, each module being a box; `svg` draws the places, and `html` adds the page around
//! them.
//!
//! ```
//! use terrane::{MemoryFiles, Project};
//!
//! let files = MemoryFiles::from_iter([("main.tf", "variable \"a\" {}\noutput \"b\" { value = var.a }")]);
//! let picture = terrane_picture::svg(&Project::new(".").outline(&files))?;
//! assert!(picture.contains("output.b"));
//! # Ok::<(), terrane_picture::TooLarge>(())
//! ```

mod html;
mod layout;
mod svg;

use std::fmt;

use terrane::Document;

use crate::layout::Layout;

/// The objects of the largest graph that is drawn. Nobody reads a larger picture, and its layout takes long.
pub const MAX_OBJECTS: usize = 2000;

/// A graph with more than [`MAX_OBJECTS`] objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The number of objects.
    pub objects: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the graph has {} objects, but a picture has at most {MAX_OBJECTS}", self.objects)
    }
}

impl std::error::Error for TooLarge {}

/// The graph of a document as an SVG picture.
///
/// # Errors
///
/// If the graph is too large.
pub fn svg(document: &Document) -> Result<String, TooLarge> {
    Ok(svg::picture(document, &layout(document)?))
}

/// The graph of a document as a page that needs no other file and no network. It zooms, filters, and shows the values of the
/// document, without secrets unless the document [shows](Document::secrets) them.
///
/// # Errors
///
/// If the graph is too large.
pub fn html(document: &Document) -> Result<String, TooLarge> {
    Ok(html::page(document, &svg::picture(document, &layout(document)?)))
}

fn layout(document: &Document) -> Result<Layout, TooLarge> {
    let objects = document.graph.objects().len();
    if objects > MAX_OBJECTS {
        return Err(TooLarge { objects });
    }
    Ok(Layout::of(&document.graph))
}
