//! How a message about a secret value is reduced.

use super::Diagnostic;
use crate::secret_values::SecretValue;

impl Diagnostic {
    /// Returns the error without its words if it is about a secret value: only its kind, its place and the name of the argument,
    /// because the words may be parts of the value. Warnings are about names, and stay.
    #[must_use]
    pub fn without_secrets(self) -> Diagnostic {
        match self.secret_value() {
            Some(value) => self.about_secret(&value.name),
            None => self,
        }
    }

    /// Reduces an error like [`Diagnostic::without_secrets`], but an error that was found before any value was known stays if
    /// it is about text that excerpts show, such as a reference.
    #[must_use]
    pub fn without_secret_texts(self) -> Diagnostic {
        let is_shown = |value: &SecretValue| {
            let subject = self.subject.as_ref();
            value.is_whole && subject.is_some_and(|subject| !subject.file.is_hidden(subject.span))
        };
        match self.secret_value() {
            Some(value) if !is_shown(&value) => self.about_secret(&value.name),
            Some(_) | None => self,
        }
    }

    fn secret_value(&self) -> Option<SecretValue> {
        let subject = self.subject.as_ref().filter(|_| self.is_error())?;
        subject.file.secret_value_at(subject.span)
    }

    /// Reduces a message about the secret value of an argument or variable to its kind and its place. The name may be unknown, and
    /// empty then.
    #[must_use]
    pub fn about_secret(self, name: &str) -> Diagnostic {
        let detail = match name {
            "" => "There is a mistake here. It is not described, because the text may contain a sensitive value."
                .to_owned(),
            _ => format!(
                "There is a mistake in the value of \"{name}\". It is not described, because the value is sensitive."
            ),
        };
        let Diagnostic { severity, subject, context, address, omitted, .. } = self;
        Diagnostic { severity, subject, context, address, omitted, ..Diagnostic::error(self.id, detail) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{FileId, SourceFile, Span, ids};

    fn error(file: &Arc<SourceFile>, start: u32, end: u32) -> Diagnostic {
        Diagnostic::error(ids::INVALID_OPERAND, "It is x.").at(file, Span::new(start, end)).hint("Not x.")
    }

    #[test]
    fn an_error_in_a_secret_value_is_not_described() {
        let file = SourceFile::new(FileId::new("a.tf"), "a = f(\"x\", local.y)\nb = 1\n");
        file.hide_value("a", Span::new(4, 19));
        file.hide(Span::new(6, 9));
        let reduced = error(&file, 6, 9).without_secrets();
        assert_eq!(
            reduced.text(),
            "There is a mistake in the value of \"a\". It is not described, because the value is sensitive."
        );
        assert_eq!(reduced.title(), ids::INVALID_OPERAND.title());
        assert_eq!(reduced.subject.map(|subject| subject.span), Some(Span::new(6, 9)));
        for (start, end) in [(0, 1), (20, 25)] {
            assert_eq!(error(&file, start, end).without_secrets().text(), "It is x. Not x.");
        }
        assert_eq!(error(&file, 11, 18).without_secret_texts().text(), "It is x. Not x.");
        assert_ne!(error(&file, 11, 18).without_secrets().text(), "It is x. Not x.");
        assert_ne!(error(&file, 6, 9).without_secret_texts().text(), "It is x. Not x.");
    }

    #[test]
    fn a_value_with_a_syntax_error_is_hidden() {
        let file = SourceFile::new(FileId::new("a.tf"), "a = x y\nb = z\n");
        file.record_errors([Span::new(6, 7)]);
        file.hide_value("b", Span::new(12, 14));
        file.hide_value("a", Span::new(4, 8));
        file.hide_value("a", Span::new(4, 5));
        assert_eq!(file.shown(Span::new(0, 14)), "a =    \nb = z\n");
        assert_ne!(error(&file, 6, 7).without_secret_texts().text(), "It is x. Not x.");
        assert_eq!(error(&file, 12, 13).without_secret_texts().text(), "It is x. Not x.");
    }
}
