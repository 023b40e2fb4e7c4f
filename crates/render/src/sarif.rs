//! Writes SARIF 2.1.0, the format of results that GitHub code scanning, Azure DevOps and others read.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;
use terrane_source::{Diagnostic, DiagnosticId, Edit, FileId, Fix, SourceFile, Span, Subject};

use crate::line_range::line_range;
use crate::message::message;
use crate::visible::{visible, visible_json, visible_line};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The page that explains each rule.
const RULES_PAGE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/diagnostics.md");

/// The name for the base of relative paths: the root of the sources, which the reader of the document knows.
const ROOT: &str = "%SRCROOT%";

/// Returns `diagnostics` as a SARIF document with one run, with a line break at the end.
///
/// `from_root` returns the path of a file as seen from the root of the sources, or its absolute path if it is elsewhere.
///
/// A message with a place is a result whose rule is its id. A message without a place, such as about a file that cannot be
/// read, is a notification, and the run is then not successful. Columns count UTF-16 code units. A result keeps its fingerprint
/// when lines are added or removed above it.
pub fn sarif<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    from_root: &dyn Fn(&Path) -> PathBuf,
) -> String {
    let mut run = Builder {
        from_root,
        line_hashes: HashMap::new(),
        rules: Vec::new(),
        rule_indexes: HashMap::new(),
        results: Vec::new(),
        notifications: Vec::new(),
        fingerprints: HashMap::new(),
    };
    for diagnostic in diagnostics {
        run.add(diagnostic);
    }
    let document = SarifDocument { schema: SCHEMA, version: "2.1.0", runs: [run.finish()] };
    // Numbers and strings always have a JSON form.
    let json = serde_json::to_string_pretty(&document).unwrap_or_default();
    visible_json(&json).into_owned() + "\n"
}

struct Builder<'r> {
    from_root: &'r dyn Fn(&Path) -> PathBuf,
    rules: Vec<Rule>,
    rule_indexes: HashMap<&'static str, usize>,
    results: Vec<ResultEntry>,
    notifications: Vec<Notification>,
    /// The hash of each rule with a result on a line.
    line_hashes: HashMap<(FileId, u32, &'static str), u64>,
    /// How often each fingerprint has occurred in each file.
    fingerprints: HashMap<(String, u64), u32>,
}

impl Builder<'_> {
    fn add(&mut self, diagnostic: &Diagnostic) {
        let text = text(format!("{}: {}", visible_line(diagnostic.title()), message(diagnostic)));
        let level = diagnostic.severity.name();
        let Some(subject) = &diagnostic.subject else {
            let descriptor = Descriptor { id: diagnostic.id.as_str() };
            self.notifications.push(Notification { descriptor, level, message: text });
            return;
        };
        let related: Vec<RelatedLocation> = diagnostic
            .labels
            .iter()
            .zip(1..)
            .map(|(label, id)| RelatedLocation {
                id,
                physical_location: self.physical(&label.place.file, label.place.span, None),
                message: self::text(visible(&label.text).into_owned()),
            })
            .collect();
        let location = Location {
            physical_location: self.physical(&subject.file, subject.span, diagnostic.context),
            logical_locations: diagnostic
                .address
                .iter()
                .map(|name| LogicalLocation { name: visible_line(name) })
                .collect(),
        };
        let result = ResultEntry {
            rule_id: diagnostic.id.as_str(),
            rule_index: self.rule(diagnostic.id),
            level,
            message: text,
            related_locations: related,
            fixes: diagnostic.fixes.iter().map(|fix| self.fix(fix)).collect(),
            partial_fingerprints: self.fingerprint(diagnostic, subject),
            locations: [location],
        };
        self.results.push(result);
    }

    /// Returns the index of the rule for an id.
    fn rule(&mut self, id: DiagnosticId) -> usize {
        *self.rule_indexes.entry(id.as_str()).or_insert_with(|| {
            // The page lists the ids of the engine, not those of other programs.
            let page = id.is_core().then_some(RULES_PAGE);
            let listed = page.map(|page| format!(" All messages are listed at {page}.")).unwrap_or_default();
            self.rules.push(Rule {
                id: id.as_str(),
                short_description: text(id.title().to_owned()),
                full_description: text(id.meaning().to_owned()),
                help: text(format!("{}{listed}", id.meaning())),
                help_uri: page,
            });
            self.rules.len() - 1
        })
    }

    /// Returns a fingerprint that identifies a result even if its line moves: its rule, the text of its line, and the number of
    /// equal results before it in the file.
    fn fingerprint(&mut self, diagnostic: &Diagnostic, subject: &Subject) -> Fingerprints {
        let file = &subject.file;
        let line = file.line(subject.span.start);
        let rule = diagnostic.id.as_str();
        let hash = *self.line_hashes.entry((file.id().clone(), line, rule)).or_insert_with(|| {
            let shown = file.shown(file.line_span(line));
            std::iter::once(rule).chain(shown.split_whitespace()).fold(FNV_OFFSET, hash)
        });
        let count = self.fingerprints.entry((file.id().to_string(), hash)).or_default();
        *count += 1;
        Fingerprints { line: format!("{hash:016x}:{count}") }
    }

    fn physical(&self, file: &SourceFile, span: Span, context: Option<Span>) -> PhysicalLocation {
        PhysicalLocation {
            artifact_location: self.artifact(file),
            region: region(file, span),
            // The format requires that the context is a proper superset of the region.
            context_region: context
                .map(|context| context.to(span))
                .filter(|c| *c != span)
                .map(|c| region(file, c)),
        }
    }

    fn fix(&self, fix: &Fix) -> FixEntry {
        let change = |edit: &Edit| ArtifactChange {
            artifact_location: self.artifact(&edit.file),
            replacements: [Replacement {
                deleted_region: region(&edit.file, edit.span),
                inserted_content: text(edit.text.clone()),
            }],
        };
        FixEntry {
            description: text(visible_line(&fix.message)),
            artifact_changes: fix.edits.iter().map(change).collect(),
        }
    }

    fn artifact(&self, file: &SourceFile) -> ArtifactLocation {
        let (uri, is_relative) = uri(&(self.from_root)(file.id().path()));
        ArtifactLocation { uri, uri_base_id: is_relative.then_some(ROOT) }
    }

    fn finish(self) -> Run {
        Run {
            tool: Tool {
                driver: Driver {
                    name: "terrane",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    information_uri: env!("CARGO_PKG_REPOSITORY"),
                    rules: self.rules,
                },
            },
            invocations: [Invocation {
                execution_successful: self.notifications.is_empty(),
                tool_execution_notifications: self.notifications,
            }],
            column_kind: "utf16CodeUnits",
            results: self.results,
        }
    }
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds a word and its end to an FNV-1a hash, which is the same on every machine and in every version.
fn hash(before: u64, word: &str) -> u64 {
    let bytes = word.bytes().chain([0]);
    bytes.fold(before, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn region(file: &SourceFile, span: Span) -> Region {
    let place = line_range(file, span);
    Region {
        start_line: place.line,
        start_column: place.column,
        end_line: place.end_line,
        end_column: place.end_column,
    }
}

/// The characters to encode in a part of a path: all except the unreserved ones. A slash only stays between parts.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the path as a URI, and whether the URI is relative.
fn uri(path: &Path) -> (String, bool) {
    let mut parts = Vec::new();
    let mut is_relative = true;
    for component in path.components() {
        let part = component.as_os_str();
        match component {
            Component::Prefix(_) => {
                is_relative = false;
                parts.push(part.to_string_lossy().into_owned());
            }
            Component::RootDir => is_relative = false,
            Component::CurDir => {}
            Component::ParentDir | Component::Normal(_) => {
                parts.push(percent_encode(part.as_encoded_bytes(), ENCODED).to_string());
            }
        }
    }
    let path = parts.join("/");
    (if is_relative { path } else { format!("file:///{path}") }, is_relative)
}

fn text(text: String) -> SarifMessage {
    SarifMessage { text }
}

#[derive(Serialize)]
struct SarifDocument {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<ResultEntry>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: SarifMessage,
    full_description: SarifMessage,
    help: SarifMessage,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<&'static str>,
}

#[derive(Serialize)]
struct SarifMessage {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    descriptor: Descriptor,
    level: &'static str,
    message: SarifMessage,
}

#[derive(Serialize)]
struct Descriptor {
    id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultEntry {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: SarifMessage,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<RelatedLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixEntry>,
    partial_fingerprints: Fingerprints,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixEntry {
    description: SarifMessage,
    artifact_changes: Vec<ArtifactChange>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: [Replacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: SarifMessage,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "ruleAndLine/v1")]
    line: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RelatedLocation {
    id: u32,
    physical_location: PhysicalLocation,
    message: SarifMessage,
}

#[derive(Serialize)]
struct LogicalLocation {
    #[serde(rename = "fullyQualifiedName")]
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[cfg(test)]
mod tests;
