//! `-only` and `-except`: selects the builds to keep, by patterns of their names.

use globset::{ErrorKind, Glob, GlobBuilder, GlobMatcher, escape};
use terrane_source::{Diagnostic, Diagnostics, ids, titles};

use crate::model::request::TemplateRequest;

/// The patterns of both options.
pub(crate) struct Selection {
    only: Vec<GlobMatcher>,
    except: Vec<GlobMatcher>,
    /// The number of builds that matched.
    only_matches: usize,
    except_matches: usize,
    /// The names of all builds and post-processors.
    names: Vec<String>,
}

impl Selection {
    /// Returns the patterns of the request; `None` if one of them is wrong.
    pub(crate) fn new(request: &TemplateRequest, diagnostics: &mut Diagnostics) -> Option<Selection> {
        let only = matchers("only", &request.only, diagnostics);
        let except = matchers("except", &request.except, diagnostics);
        Some(Selection {
            only: only?,
            except: except?,
            only_matches: 0,
            except_matches: 0,
            names: Vec::new(),
        })
    }

    /// Returns the steps of comparing a name with all patterns.
    pub(crate) fn work(&self, name: &str) -> usize {
        /// The steps of a comparison with a pattern, and the bytes of a name for each further step.
        const PATTERN: usize = 8;
        const BYTES: usize = 16;
        (self.only.len() + self.except.len()).saturating_mul(PATTERN + name.len() / BYTES)
    }

    /// Whether the build with this name is to be kept.
    pub(crate) fn keeps(&mut self, name: &str) -> bool {
        self.names.push(name.to_owned());
        if !self.only.is_empty() {
            if !self.only.iter().any(|pattern| pattern.is_match(name)) {
                return false;
            }
            self.only_matches += 1;
        }
        if self.except.iter().any(|pattern| pattern.is_match(name)) {
            self.except_matches += 1;
            return false;
        }
        true
    }

    /// Whether the post-processor with this name or type is to be left out.
    pub(crate) fn leaves_out(&mut self, post_processor: &str) -> bool {
        let found = self.except.iter().any(|pattern| pattern.is_match(post_processor));
        self.except_matches += usize::from(found);
        found
    }

    /// Warns about patterns that matched nothing.
    pub(crate) fn finish(self, diagnostics: &mut Diagnostics) {
        let names = self.names.join(", ");
        if self.only.len() > self.only_matches {
            let detail = format!("A pattern of -only matches no build. The builds are: {names}.");
            diagnostics.push(Diagnostic::warning(ids::NO_MATCH, detail).titled(titles::ONLY_WITHOUT_MATCH));
        }
        if self.except.len() > self.except_matches {
            let detail = format!("A pattern of -except matches no build. The builds are: {names}.");
            diagnostics.push(Diagnostic::warning(ids::NO_MATCH, detail).titled(titles::EXCEPT_WITHOUT_MATCH));
        }
    }
}

fn matchers(option: &str, patterns: &[String], diagnostics: &mut Diagnostics) -> Option<Vec<GlobMatcher>> {
    let mut all = Some(Vec::new());
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(false).backslash_escape(true).build();
        // Packer takes an unpaired brace literally.
        let glob = glob.or_else(|error| {
            let is_brace =
                matches!(error.kind(), ErrorKind::UnopenedAlternates | ErrorKind::UnclosedAlternates);
            if is_brace { Glob::new(&escape(pattern)) } else { Err(error) }
        });
        match (glob, &mut all) {
            (Ok(glob), Some(all)) => all.push(glob.compile_matcher()),
            (Ok(_), None) => {}
            (Err(error), _) => {
                all = None;
                let is_cut = *error.kind() == ErrorKind::UnclosedClass;
                let problem =
                    if is_cut { "unexpected end of input".into() } else { error.kind().to_string() };
                let detail = format!("The pattern of -{option} is not well-formed: {problem}.");
                let title = titles::invalid_pattern(option, pattern, &problem);
                diagnostics.push(Diagnostic::error(ids::INVALID_PATTERN, detail).titled(title));
            }
        }
    }
    all
}
