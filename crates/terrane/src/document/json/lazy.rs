//! Parts of documents that are built while they are written.
//!
//! A document has thousands of rows, so the view of a row is built when its turn comes, and addresses become text only in the
//! output.

use std::borrow::Cow;
use std::fmt::Display;

use serde::{Serialize, Serializer};
use terrane_source::FileId;

use crate::secrets::Secrets;

/// A value that is serialized as the text it displays.
pub(crate) struct DisplayText<T>(pub(crate) T);

impl<T: Display> Serialize for DisplayText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[cfg(feature = "json-schema")]
impl<T> schemars::JsonSchema for DisplayText<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// The path of a file, as text. Nearly every path is text already.
pub(crate) struct PathText<'d>(pub(crate) &'d FileId);

impl Serialize for PathText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.path().to_str() {
            Some(path) => serializer.serialize_str(path),
            None => serializer.collect_str(self.0),
        }
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for PathText<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// An array of rows. The view of each row is built when it is written.
pub(crate) struct Rows<'d, T, V> {
    rows: &'d [T],
    view: View<'d, T, V>,
}

/// The function that builds the view of a row.
enum View<'d, T, V> {
    /// The rows contain no values.
    Plain(fn(&'d T) -> V),
    /// The rows contain values, which may be secrets.
    OfValues(fn(&'d T, Secrets) -> V, Secrets),
}

impl<'d, T, V> Rows<'d, T, V> {
    /// Returns rows whose secrets are hidden or shown.
    pub(crate) fn new(rows: &'d [T], secrets: Secrets, view: fn(&'d T, Secrets) -> V) -> Rows<'d, T, V> {
        Rows { rows, view: View::OfValues(view, secrets) }
    }

    /// Returns rows without values.
    pub(crate) fn plain(rows: &'d [T], view: fn(&'d T) -> V) -> Rows<'d, T, V> {
        Rows { rows, view: View::Plain(view) }
    }

    fn view(&self, row: &'d T) -> V {
        match self.view {
            View::Plain(view) => view(row),
            View::OfValues(view, secrets) => view(row, secrets),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl<T, V: Serialize> Serialize for Rows<'_, T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.iter().map(|row| self.view(row)))
    }
}

#[cfg(feature = "json-schema")]
impl<T, V: schemars::JsonSchema> schemars::JsonSchema for Rows<'_, T, V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Vec::<V>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<V>::json_schema(generator)
    }
}

/// An object with one member per row: its name and its view.
pub(crate) struct Named<'d, T, N, V> {
    rows: Rows<'d, T, V>,
    name: fn(&'d T) -> N,
}

impl<'d, T, N, V> Named<'d, T, N, V> {
    pub(crate) fn new(rows: Rows<'d, T, V>, name: fn(&'d T) -> N) -> Named<'d, T, N, V> {
        Named { rows, name }
    }
}

impl<T, N: Display, V: Serialize> Serialize for Named<'_, T, N, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.rows.rows.iter();
        serializer.collect_map(rows.map(|row| (DisplayText((self.name)(row)), self.rows.view(row))))
    }
}

/// Rows with given names, serialized as an object.
pub(crate) struct WithNames<'d, T, V> {
    rows: Rows<'d, T, V>,
    names: Vec<(&'d T, Cow<'d, str>)>,
}

impl<'d, T, V> WithNames<'d, T, V> {
    pub(crate) fn new(rows: Rows<'d, T, V>, names: Vec<(&'d T, Cow<'d, str>)>) -> WithNames<'d, T, V> {
        WithNames { rows, names }
    }
}

impl<T, V: Serialize> Serialize for WithNames<'_, T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().map(|(row, name)| (name, self.rows.view(row))))
    }
}

#[cfg(feature = "json-schema")]
impl<T, N, V: schemars::JsonSchema> schemars::JsonSchema for Named<'_, T, N, V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        std::collections::BTreeMap::<String, V>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        std::collections::BTreeMap::<String, V>::json_schema(generator)
    }
}
