//! Decodes `module` blocks, and `count`, `for_each` and `enabled` of all blocks.

use terrane_body::constant::{bool_of, constant};
use terrane_body::{Attribute, Block, Body, Content};
use terrane_source::{Diagnostic, Diagnostics, Span, ids, titles};
use terrane_syntax::{Expr, Expression};
use terrane_value::{SmolStr, Value};

use crate::decode::decoder::{CallMistakes, Decoder, duplicate};
use crate::decode::schema;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::ids::Declarations;
use crate::model::module::{ModuleCall, Repetition};
use crate::model::source::ModuleSource;
use crate::rules::content;

/// A module call with its name and the content of its block.
pub(crate) struct DecodedCall {
    pub(crate) name: SmolStr,
    pub(crate) call: ModuleCall,
    pub(crate) content: Content,
}

impl Decoder<'_> {
    pub(crate) fn module_call(&mut self, block: &Block) {
        let DecodedCall { name, call, .. } = self.call_block(block);
        if let Some(earlier) = self.module.calls.get(&name) {
            let (id, again) = (ids::DUPLICATE_MODULE_CALL, &call.declaration);
            self.diagnostics.push(duplicate(id, "module call", &name, &earlier.declaration, again));
            return;
        }
        self.module.calls.insert(name, call);
    }

    /// Decodes the block of a module call.
    pub(crate) fn call_block(&mut self, block: &Block) -> DecodedCall {
        let name = block.label(0);
        if !self.check_name(&name.text, ids::INVALID_MODULE_NAME, &block.place_of(&name)) {
            self.hide(DeclarationKind::Module, &[&*name.text]);
        }
        let schema = if self.overriding { schema::overriding_call() } else { schema::module_call() };
        let (mut content, mut rest) = block.body.partial_content(schema, self.diagnostics);
        content::retain(&self.rules, "module", &mut content, self.diagnostics);
        self.reserved_blocks(&content, &["_", "lifecycle"], "module");
        if let Some(escaped) = self.only(&content, "_", "module call") {
            rest.join(escaped.body.clone());
        }
        let config = rest.clone();
        // In JSON a value may be an object of any name.
        let rest = if rest.is_json() {
            rest.just_attributes(self.diagnostics)
        } else {
            rest.open_content(self.diagnostics)
        };
        // Nested blocks in an override file are left out.
        if !self.overriding {
            self.no_nested_blocks(&name.text, &block.body, &rest);
        }
        let lifecycle = self.only(&content, "lifecycle", "module call");
        let lifecycle =
            lifecycle.map(|lifecycle| lifecycle.body.content(schema::module_lifecycle(), self.diagnostics));
        let repetition = self.repetition(&content, lifecycle.as_ref());
        let mut arguments = Declarations::default();
        for (name, attribute) in &rest.attributes {
            let value = attribute.expression(self.diagnostics);
            arguments.insert(name.clone(), (attribute.name_span, value));
        }
        let version = self.module_version(&content);
        let source = self.module_source(&content);
        let ignores = bool_of(content.attribute("ignore_nested_deprecations"), self.diagnostics);
        let call = ModuleCall {
            declaration: block.declaration(),
            source,
            version,
            repetition,
            arguments,
            config,
            overridden: None,
            providers: content
                .attribute("providers")
                .map(|providers| self.passed_providers(providers))
                .unwrap_or_default(),
            ignores_nested_deprecations: ignores.unwrap_or_default(),
            depends_on: content.attribute("depends_on").map(Attribute::reference),
        };
        DecodedCall { name: name.text, call, content }
    }

    /// Reports blocks among the values for variables.
    fn no_nested_blocks(&mut self, call: &SmolStr, body: &Body, rest: &Content) {
        let report = |nested: &Block| {
            let block_type = &nested.block_type;
            let detail = format!(
                "A `module` block has no nested block of type \"{block_type}\". Values for the variables of the module \
                 are arguments: `{block_type} = …`."
            );
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail);
            diagnostic.at(nested.body.source(), nested.type_span)
        };
        if !rest.blocks.is_empty() {
            let diagnostics = rest.blocks.iter().map(report).collect();
            self.call_mistakes.push(CallMistakes { call: call.clone(), diagnostics, body: body.clone() });
        }
    }

    /// The version constraint; an invalid one is reported. Null counts as missing.
    fn module_version(&mut self, content: &Content) -> Option<Expression> {
        let version = content.attribute("version")?;
        let value = constant(&version.literal(), &mut Diagnostics::new());
        let by_block = self.rules.reads_sources_by_block();
        if by_block || value.as_ref().is_some_and(|value| value.as_str().is_some()) {
            self.version_constraint(version);
        }
        let is_none = by_block && value.is_some_and(|value| value.is_null());
        (!is_none).then(|| version.expression(self.diagnostics))
    }

    /// The source, where it can be one.
    fn module_source(&mut self, content: &Content) -> Option<Expression> {
        let source = content.attribute("source")?;
        if self.rules.reads_sources_by_block()
            && let Some(text) =
                constant(&source.literal(), &mut Diagnostics::new()).as_ref().and_then(Value::as_str)
            && let Err(error) = ModuleSource::parse(text, content.attribute("version").is_some())
        {
            self.diagnostics.push(error.diagnostic(text).at(source.source(), source.value_span()));
            return None;
        }
        let expression = source.expression(self.diagnostics);
        // An expression that could not be parsed was reported.
        (!matches!(expression.tree.expr(expression.id), Expr::Missing)).then_some(expression)
    }

    /// How many instances a block has: by `count`, `for_each` or, in `lifecycle`, `enabled`.
    pub(crate) fn repetition(&mut self, content: &Content, lifecycle: Option<&Content>) -> Repetition {
        let enabled = lifecycle.and_then(|lifecycle| lifecycle.attribute("enabled"));
        let (count, for_each) = (content.attribute("count"), content.attribute("for_each"));
        let given: Vec<(&str, &Attribute)> = [("count", count), ("enabled", enabled), ("for_each", for_each)]
            .into_iter()
            .filter_map(|(name, attribute)| Some((name, attribute?)))
            .collect();
        if let [_, .., (_, last)] = given.as_slice() {
            let quoted: Vec<String> = given.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            let places: Vec<Span> = given.iter().map(|(_, attribute)| attribute.name_span).collect();
            let start = places.iter().map(|span| span.start).min().unwrap_or_default();
            let end = places.iter().map(|span| span.end).max().unwrap_or_default();
            let all = match quoted.as_slice() {
                [one, two, three] => format!("{one}, {two}, and {three}"),
                names => names.join(" and "),
            };
            let detail = format!("A block can have only one of {all}. Remove the others.");
            self.diagnostics.push(
                Diagnostic::error(ids::COUNT_AND_FOR_EACH, detail)
                    .titled(titles::invalid_combination(&all))
                    .at(last.source(), Span::new(start, end)),
            );
        }
        let mut resolved = |attribute: &Attribute| attribute.expression(self.diagnostics);
        match (count, for_each, enabled) {
            (Some(count), _, _) => Repetition::Count(resolved(count)),
            (None, Some(for_each), _) => Repetition::ForEach(resolved(for_each)),
            (None, None, Some(enabled)) => Repetition::Enabled(resolved(enabled)),
            (None, None, None) => Repetition::Once,
        }
    }
}
