//! The decoder of a directory: its state, and the reports and readers that blocks of several types share.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use terrane_body::{Block, Body, BodySchema, Content, SourceReader};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, FileId, Span, Subject, TitleText, ids, titles};
use terrane_syntax::{Expr, Expression, NAME_RULE, is_part_of_name};
use terrane_value::{SmolStr, leading_article};

use terrane_config::address::Object;

use crate::model::declaration_kind::DeclarationKind;
use crate::model::hidden::Hidden;
use crate::model::ids::ImportId;
use crate::model::module::Module;
use crate::model::reference_rule::{OpenRule, ReferenceRule};
use crate::model::request::Request;
use crate::model::schemas::Schemas;
use crate::rules::{Rules, content};

/// The character that stands in names for text that could not be read.
const UNREADABLE: &str = "\u{fffd}";

/// A directory to decode.
#[derive(Clone, Copy)]
pub(crate) struct Decoding<'d> {
    pub(crate) directory: &'d Path,
    pub(crate) rules: &'d Rules,
    pub(crate) request: &'d Request,
    /// The reader of the files, which bounds the defaults of variables.
    pub(crate) sources: &'d SourceReader<'d>,
}

/// The blocks in a call that are arguments without their equals signs.
pub(super) struct CallMistakes {
    pub(super) call: SmolStr,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) body: Body,
}

/// Turns blocks into declarations.
pub(super) struct Decoder<'d> {
    pub(super) module: Module,
    pub(super) rules: Rules,
    pub(super) sources: &'d SourceReader<'d>,
    pub(super) schemas: &'d Schemas,
    /// The first import of each address, by its text.
    pub(super) imported: HashMap<String, ImportId>,
    /// Mistakes in the content of calls.
    pub(super) call_mistakes: Vec<CallMistakes>,
    /// The rules about references that are left to resolution.
    pub(super) open_rules: Vec<OpenRule>,
    /// The expressions of conditions that are left out of the module.
    pub(super) removed: Vec<Expression>,
    /// Mistakes in `required_version`, with the file.
    pub(super) core_versions: Vec<(FileId, Diagnostic)>,
    /// Whether the blocks are those of an override file.
    pub(super) overriding: bool,
    pub(super) diagnostics: &'d mut Diagnostics,
}

impl<'d> Decoder<'d> {
    pub(super) fn new(decoding: Decoding<'d>, diagnostics: &'d mut Diagnostics) -> Decoder<'d> {
        let Decoding { directory, rules, request, sources } = decoding;
        let rules = *rules;
        let added_functions =
            request.functions.iter().map(|function| SmolStr::from(&*function.name)).collect();
        let directory = directory.to_owned();
        let module = Module { directory, rules, added_functions, ..Module::default() };
        Decoder {
            module,
            rules,
            sources,
            schemas: &request.schemas,
            imported: HashMap::new(),
            call_mistakes: Vec::new(),
            open_rules: Vec::new(),
            removed: Vec::new(),
            core_versions: Vec::new(),
            overriding: false,
            diagnostics,
        }
    }

    /// The content of a block of type `owner`, as far as the dialect has it.
    pub(super) fn content(&mut self, body: &Body, owner: &str, schema: &BodySchema) -> Content {
        let mut content = body.content(schema, self.diagnostics);
        content::retain(&self.rules, owner, &mut content, self.diagnostics);
        content
    }

    pub(super) fn error_at(
        &mut self,
        id: DiagnosticId,
        detail: impl Into<String>,
        block: &Block,
        title: impl Into<TitleText>,
    ) {
        let diagnostic = Diagnostic::error(id, detail).titled(title);
        self.diagnostics.push(diagnostic.at(block.body.source(), block.type_span));
    }

    /// Notes that a block whose names are invalid may be the declaration of others that resemble them.
    pub(super) fn hide(&mut self, kind: DeclarationKind, names: &[&str]) {
        // Each character that cannot stand in a name may be in place of others.
        let written = |name: &&str| name.replace(|found| !is_part_of_name(found), UNREADABLE);
        let has_letters = |name: &&str| name.contains(is_part_of_name);
        let hidden = Hidden::of([kind]).in_file(self.overriding);
        self.module.doubt.hide(match names.iter().all(has_letters) {
            true => hidden.named_in(names.iter().map(written).collect::<Vec<_>>().join("\n")),
            false => hidden,
        });
    }

    /// Puts an object in doubt whose content has blocks in place of arguments. Nothing else is reported about the content.
    pub(super) fn doubt_content(&mut self, object: Object, body: &Body, mistakes: &[Diagnostic]) {
        let Some((tree, id)) = body.as_native() else { return };
        let outer = tree.outermost_block(id).filter(|outer| outer.body == id);
        let content = outer.map_or(tree.body(id).span, |outer| tree.block_span(outer));
        let (mut places, mut start) = (Vec::new(), content.start);
        for mistake in mistakes.iter().filter_map(|mistake| mistake.subject.as_ref()) {
            // A place includes its end.
            places.push(Span::new(start, mistake.span.start.saturating_sub(1).max(start)));
            start = mistake.span.end;
            self.module.doubt.count_wrong_header(mistake.file.id());
        }
        places.push(Span::new(start, content.end.max(start)));
        self.module.doubt.add(object, self.overriding);
        self.module.doubt.add_places(body.source().id(), places);
    }

    /// Reports a name that cannot be one.
    pub(super) fn check_name(&mut self, name: &str, id: DiagnosticId, place: &Subject) -> bool {
        let valid = terrane_syntax::is_identifier(name);
        if !valid {
            let detail = format!("\"{name}\" cannot be a name: {NAME_RULE}.");
            self.diagnostics.push(Diagnostic::error(id, detail).at(&place.file, place.span));
        }
        valid
    }

    /// Reports every block of a type behind the first one; the first one.
    pub(super) fn only<'c>(
        &mut self,
        content: &'c Content,
        block_type: &str,
        owner: &str,
    ) -> Option<&'c Block> {
        let mut blocks = content.blocks_of(block_type);
        let first = blocks.next()?;
        let title: TitleText = match block_type {
            "_" => titles::DUPLICATE_ESCAPING_BLOCK.into(),
            _ => titles::duplicate_block(block_type),
        };
        for second in blocks {
            let article = leading_article(owner);
            let detail = format!(
                "{article} {owner} can have only one `{block_type}` block; the first one is at {}. Move \
                 the content there.",
                first.declaration().position()
            );
            let id = if block_type == "lifecycle" { ids::DUPLICATE_LIFECYCLE } else { ids::DUPLICATE_BLOCK };
            self.diagnostics.push(
                Diagnostic::error(id, detail)
                    .titled(title.clone())
                    .at(second.body.source(), second.header_span),
            );
        }
        Some(first)
    }

    /// Reports blocks whose types are reserved for later.
    pub(super) fn reserved_blocks(&mut self, content: &Content, allowed: &[&str], owner: &str) {
        let mut seen = HashSet::new();
        for block in &content.blocks {
            let block_type = &*block.block_type;
            if allowed.contains(&block_type) || !seen.insert((block_type, block.type_span)) {
                continue;
            }
            let detail =
                format!("Blocks of type \"{block_type}\" in a `{owner}` block are reserved for future use.");
            let title = titles::reserved_block_type_name(owner);
            self.error_at(ids::RESERVED_BLOCK, detail, block, title);
        }
    }

    /// Leaves a rule about references to resolution, whose diagnostics about it take their place here.
    pub(super) fn leave_to_resolution(&mut self, rule: ReferenceRule) {
        self.open_rules.push(OpenRule { rule, position: self.diagnostics.as_slice().len() });
    }

    /// The items of a list in brackets.
    pub(super) fn list(&mut self, expression: &Expression, argument: &str) -> Vec<Expression> {
        let Expr::Tuple(items) = expression.tree.expr(expression.id) else {
            let detail = format!("`{argument}` takes a list in brackets.");
            let diagnostic = Diagnostic::error(ids::INVALID_EXPRESSION, detail);
            self.diagnostics.push(diagnostic.at(expression.source(), expression.span()));
            return Vec::new();
        };
        let items = expression.tree.list(items).iter();
        items.map(|id| Expression { tree: Arc::clone(&expression.tree), id: *id }).collect()
    }
}

/// A second declaration of the same name.
pub(super) fn duplicate(
    id: DiagnosticId,
    kind: &str,
    name: &str,
    earlier: &Subject,
    again: &Subject,
) -> Diagnostic {
    let detail = format!(
        "{} {kind} named \"{name}\" is already declared at {}. Names must be unique within a module: rename or remove \
         one of them.",
        leading_article(kind),
        earlier.position()
    );
    let diagnostic = Diagnostic::error(id, detail).at(&again.file, again.span);
    diagnostic.label_in(&earlier.file, earlier.span, "declared here")
}

/// A block inside of another one that an override file cannot have.
pub(super) fn not_overridable(block: &Block) -> Diagnostic {
    let detail = format!("Blocks of type \"{}\" are not allowed in an override file.", block.block_type);
    Diagnostic::error(ids::CANNOT_OVERRIDE, detail)
        .titled(titles::cannot_override_blocks(&block.block_type))
        .at(block.body.source(), block.header_span)
}
