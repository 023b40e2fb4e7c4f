//! The parts of a value that JSON cannot express: a list of the unknown parts and a list of the secret parts.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use terrane_value::{Entries, Known, Type, Unknown, Value, ValueKind};

use super::shown::Style;
use crate::address::Step;
use crate::secrets::{Secrets, is_hidden, is_only_ephemeral, nameless};

/// The unknown and the secret parts of a value, with their paths.
pub(crate) struct UnknownAndSecretParts<'v> {
    pub(crate) unknowns: Vec<UnknownPart<'v>>,
    /// The paths of sensitive and ephemeral parts.
    pub(crate) secret_paths: Vec<String>,
    style: Style,
    secrets: Secrets,
    path: String,
    /// Whether the names in the type of the current part are secret.
    hides_names: bool,
}

/// An unknown part of a value.
pub(crate) struct UnknownPart<'v> {
    pub(crate) path: String,
    pub(crate) unknown: &'v Unknown,
    /// The type, without names if they are secret.
    pub(crate) ty: Cow<'v, Type>,
    /// Whether the refinements and known parts may be shown.
    pub(crate) is_shown: bool,
}

impl<'v> UnknownAndSecretParts<'v> {
    pub(crate) fn of(value: &'v Value, style: Style, secrets: Secrets) -> UnknownAndSecretParts<'v> {
        let (unknowns, secret_paths) = (Vec::new(), Vec::new());
        let mut parts = UnknownAndSecretParts {
            unknowns,
            secret_paths,
            style,
            secrets,
            path: String::new(),
            hides_names: false,
        };
        parts.collect(value, true);
        parts
    }

    /// Adds the parts of a value. The maximum depth of values bounds the recursion.
    fn collect(&mut self, value: &'v Value, is_shown: bool) {
        if value.is_wholly_known() && !value.contains_marked() {
            return;
        }
        match value.kind() {
            ValueKind::Marked(inner, marks) => {
                let is_listed = match self.style {
                    Style::LeftOut => marks.is_closed() || is_hidden(value, self.secrets),
                    Style::Markers => value.is_hidden() && !is_only_ephemeral(marks),
                };
                if is_listed {
                    self.secret_paths.push(self.path.clone());
                }
                let is_hidden = is_hidden(value, self.secrets);
                self.hides_names = self.secrets == Secrets::Hidden && marks.is_secret();
                if !is_hidden {
                    self.collect(inner, is_shown);
                } else if self.style == Style::Markers && !inner.is_known() {
                    // The marker of an unknown value contains no secret.
                    self.collect(inner, false);
                }
            }
            ValueKind::Unknown(unknown) => {
                let ty = match std::mem::take(&mut self.hides_names) {
                    true => Cow::Owned(nameless(&unknown.ty)),
                    false => Cow::Borrowed(&unknown.ty),
                };
                self.unknowns.push(UnknownPart { path: self.path.clone(), unknown, ty, is_shown });
                match &unknown.known {
                    // The conformance tables describe a value without the parts of its open objects.
                    _ if self.style == Style::Markers => {}
                    Known::Nothing => {}
                    Known::Object(entries) => self.named(entries),
                    Known::Sequence(elements) => self.positions(elements),
                }
            }
            ValueKind::Set(elements) if self.style == Style::Markers => {
                for element in elements {
                    // An element of a set has no key, so the element itself names it.
                    let step = if element.is_known() { "[...]" } else { "[(not yet known)]" };
                    self.step(element, format_args!("{step}"));
                }
            }
            ValueKind::Map(entries) if self.style == Style::Markers => {
                for (key, element) in entries {
                    self.step(element, format_args!("[\"{key}\"]"));
                }
            }
            ValueKind::Object(entries) if self.style == Style::Markers => {
                for (name, attribute) in entries {
                    self.step(attribute, format_args!(".{name}"));
                }
            }
            ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
                self.positions(elements);
            }
            ValueKind::Map(entries) | ValueKind::Object(entries) => self.named(entries),
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Null(_) => {}
        }
    }

    fn positions(&mut self, elements: &'v [Value]) {
        for (index, element) in elements.iter().enumerate() {
            self.step(element, format_args!("[{index}]"));
        }
    }

    /// Adds the parts of attributes. A name that is not an identifier is written as an index.
    fn named(&mut self, entries: &'v Entries) {
        for (name, value) in entries {
            self.step(value, format_args!("{}", Step(name)));
        }
    }

    fn step(&mut self, part: &'v Value, step: fmt::Arguments<'_>) {
        let length = self.path.len();
        // Writing to a string cannot fail.
        let _ = self.path.write_fmt(step);
        self.collect(part, true);
        self.path.truncate(length);
    }
}
