//! Resolves each `build` block for each of its sources.

use std::sync::LazyLock;

use terrane_body::constant::string_of;
use terrane_body::{Attribute, Block, BodyReader, BodySchema, ExpandedBlock, ExpandedBody, ResolvedBody};
use terrane_function::RAISE_STEPS;
use terrane_source::{Diagnostic, Diagnostics, Span, ids, titles};
use terrane_value::{ClosestNames, SmolStr, Type, Value};

use crate::components::check::{self, ComponentUse};
use crate::components::plugins;
use crate::decode::block::error_in;
use crate::evaluate::argument::suitable;
use crate::evaluate::registry;
use crate::evaluate::selection::Selection;
use crate::evaluate::step::{self as component, BuildStep};
use crate::model::build::{Component, ResolvedBuild, full_name};
use crate::model::component_kind::ComponentKind;
use crate::model::template::ComponentKey;
use crate::resolve::source_name::source_name;
use crate::state::context::Context;
use crate::state::scope::{ExpressionSite, SourceNames};

static SETTINGS: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["name", "description", "sources"]));

static BLOCKS: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new()
        .block("source", &["reference"])
        .block("provisioner", &["type"])
        .block("error-cleanup-provisioner", &["type"])
        .block("post-processor", &["type"])
        .block("post-processors", &[])
        .block("hcp_packer_registry", &[])
        // Packer reads it, but it has no effect.
        .block("from", &["type"])
});

static POST_PROCESSORS: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().block("post-processor", &["type"]));

static SOURCE_SETTINGS: LazyLock<BodySchema> = LazyLock::new(|| BodySchema::new().optional("name"));

/// A `build` block before its sources are known.
struct UnresolvedBuild {
    name: Option<SmolStr>,
    sources: Vec<BuildSource>,
    provisioners: Vec<BuildStep>,
    error_cleanup: Option<BuildStep>,
    post_processors: Vec<Vec<BuildStep>>,
}

/// A source in a build.
struct BuildSource {
    source_type: SmolStr,
    name: SmolStr,
    /// The name of the source in the build.
    alias: Option<SmolStr>,
    /// The arguments and blocks that the build adds to the source.
    additions: Option<ExpandedBody>,
    span: Span,
}

/// Resolves all builds of the template, each for each of its sources.
pub(crate) fn resolve_builds(context: Context<'_>, diagnostics: &mut Diagnostics) -> Vec<ResolvedBuild> {
    registry::check_all(context, diagnostics);
    if context.template().builds.is_empty() && context.request().complete {
        let detail = format!(
            "The template `{}` has no `build` block with sources, so there is nothing to build. Add one.",
            context.request().path.display()
        );
        diagnostics.push(Diagnostic::error(ids::MISSING_BUILD, detail));
    }
    let Some(selection) = Selection::new(context.request(), diagnostics) else { return Vec::new() };
    let left = context.request().limits.elements;
    let closest_names = ClosestNames::default();
    let mut resolver = Resolver { context, diagnostics, selection, closest_names, left };
    let mut builds = Vec::new();
    for block in &context.template().builds {
        resolver.build(block, &mut builds);
    }
    resolver.selection.finish(resolver.diagnostics);
    builds
}

/// Resolves builds, with one limit on their size.
struct Resolver<'r> {
    context: Context<'r>,
    diagnostics: &'r mut Diagnostics,
    selection: Selection,
    /// The searches for the sources that unknown names mean.
    closest_names: ClosestNames,
    /// The number of further arguments and elements that all builds together may have.
    left: usize,
}

impl Resolver<'_> {
    fn build(&mut self, block: &Block, resolved: &mut Vec<ResolvedBuild>) {
        let Some(build) = decode(self.context, block, self.diagnostics) else { return };
        report_unknown(self.context, &build, block, &self.closest_names, self.diagnostics);
        let before = self.left;
        for source in &build.sources {
            let name = full_name(build.name.as_deref(), &source.source_type, source.shown_name());
            if !self.context.takes(self.selection.work(&name), self.diagnostics) {
                return;
            }
            if self.left == 0 || !self.selection.keeps(&name) {
                continue;
            }
            if self.context.is_over(self.diagnostics) {
                return;
            }
            resolved.extend(self.run(&build, block, source));
        }
        if self.left == 0 && before > 0 {
            let most = self.context.request().limits.elements;
            let detail =
                format!("The builds have more than {most} arguments and elements, so not all are resolved.");
            let error = error_in(&block.body, ids::LIMIT_EXCEEDED, block.header_span, detail);
            self.diagnostics.push(error.hint(RAISE_STEPS));
        }
    }

    /// Resolves a build for one source; returns `None` if the source does not exist.
    fn run(&mut self, build: &UnresolvedBuild, block: &Block, source: &BuildSource) -> Option<ResolvedBuild> {
        let names = SourceNames { source_type: &source.source_type, name: source.shown_name() };
        let body = self.source(source, names)?;
        let site = ExpressionSite::Step {
            build: build.name.as_deref().unwrap_or_default(),
            source: names,
            is_open: !plugins::is_builtin(ComponentKind::Source, &source.source_type),
        };
        let mut provisioners = Vec::new();
        for step in &build.provisioners {
            provisioners.extend(self.component(step, site));
        }
        let error_cleanup = build.error_cleanup.as_ref().and_then(|step| self.component(step, site));
        let mut post_processors = Vec::new();
        for sequence in &build.post_processors {
            let mut resolved = Vec::new();
            for step in sequence {
                // A post-processor after one that is left out has no input.
                if self.selection.leaves_out(step.shown_name()) {
                    break;
                }
                resolved.extend(self.component(step, site));
            }
            if !resolved.is_empty() {
                post_processors.push(resolved);
            }
        }
        Some(ResolvedBuild {
            declaration: block.declaration(),
            build_name: build.name.clone(),
            source_type: source.source_type.clone(),
            source_name: SmolStr::from(source.shown_name()),
            source: body,
            provisioners,
            error_cleanup,
            post_processors,
        })
    }

    /// Returns the body of a source with the additions of the build.
    fn source(&mut self, source: &BuildSource, names: SourceNames<'_>) -> Option<ResolvedBody> {
        let key = ComponentKey { component_type: source.source_type.clone(), name: source.name.clone() };
        let declared = self.context.template().sources.get(&key)?;
        let site = ExpressionSite::Source(names);
        let (mut body, additions) = self.context.read_at(site, self.diagnostics, |reader| {
            let body = reader.resolve(&ExpandedBody::new(declared.body.clone()));
            let additions = source.additions.as_ref().map(|additions| reader.resolve(additions));
            (body, additions)
        });
        if let Some(additions) = additions {
            merge(&mut body, additions, self.diagnostics);
        }
        let used = ComponentUse {
            kind: ComponentKind::Source,
            name: &source.source_type,
            span: declared.declaration.span,
            written: &declared.body,
            overrides: None,
        };
        let (converter, files) = (self.context.converter(), self.context.files_to_check());
        check::check(used, &mut body, converter, files, self.diagnostics);
        self.count(&body);
        Some(body)
    }

    fn component(&mut self, step: &BuildStep, site: ExpressionSite<'_>) -> Option<Component> {
        if self.left == 0 {
            return None;
        }
        let component = component::resolve(self.context, step, site, self.diagnostics)?;
        self.count(&component.body);
        Some(component)
    }

    fn count(&mut self, body: &ResolvedBody) {
        self.left = self.left.saturating_sub(size(body));
    }
}

/// Returns the number of arguments, blocks and elements in a body.
fn size(body: &ResolvedBody) -> usize {
    let arguments = body.arguments.iter().map(|argument| 1 + argument.value.size());
    let blocks = body.blocks.iter().map(|block| 1 + size(&block.body));
    1 + arguments.chain(blocks).sum::<usize>()
}

impl BuildSource {
    fn shown_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

fn decode(context: Context<'_>, block: &Block, diagnostics: &mut Diagnostics) -> Option<UnresolvedBuild> {
    let body = ExpandedBody::new(block.body.clone());
    let mut settings = Settings::default();
    let (rest, blocks) = context.read_at(ExpressionSite::TopLevel, diagnostics, |reader| {
        let (content, rest) = reader.attributes(&body, &SETTINGS);
        settings = Settings {
            name: content.attribute("name").map(|name| (name.clone(), reader.value(name, &body))),
            sources: content
                .attribute("sources")
                .map(|sources| (sources.clone(), reader.value(sources, &body))),
            description: None,
        };
        if let Some(description) = content.attribute("description") {
            settings.description = Some((description.clone(), reader.value(description, &body)));
        }
        let blocks = reader.blocks(&rest, &BLOCKS);
        (rest, blocks)
    });
    drop(rest);
    let name = match &settings.name {
        Some((attribute, value)) => {
            suitable(attribute, value, &Type::String, context.converter(), diagnostics)
        }
        None => None,
    };
    let name = name.and_then(|name| name.as_str().filter(|name| !name.is_empty()).map(SmolStr::from));
    if let Some((attribute, value)) = &settings.description {
        suitable(attribute, value, &Type::String, context.converter(), diagnostics);
    }
    let mut build = UnresolvedBuild {
        name,
        sources: Vec::new(),
        provisioners: Vec::new(),
        error_cleanup: None,
        post_processors: Vec::new(),
    };
    let mut had_source = !blocks.is_empty() && blocks.iter().any(|block| &*block.block_type == "source");
    had_source |= listed_sources(context, &mut build, &settings, block, diagnostics);
    for inner in &blocks {
        add_block(context, &mut build, inner, block, diagnostics);
    }
    if !had_source {
        let detail = "A build needs at least one source: write `sources = [\"source.TYPE.NAME\"]`.";
        diagnostics.push(error_in(&block.body, ids::MISSING_SOURCE, block.header_span, detail));
    }
    Some(build)
}

/// The arguments of a build with their values.
#[derive(Default)]
struct Settings {
    name: Option<(Attribute, Value)>,
    description: Option<(Attribute, Value)>,
    sources: Option<(Attribute, Value)>,
}

/// Adds the sources of the `sources` argument. Returns false if it has none.
fn listed_sources(
    context: Context<'_>,
    build: &mut UnresolvedBuild,
    settings: &Settings,
    block: &Block,
    diagnostics: &mut Diagnostics,
) -> bool {
    let Some((attribute, value)) = settings.sources.as_ref().filter(|(_, value)| !value.is_null()) else {
        return false;
    };
    let ty = Type::list(Type::String);
    let Some(value) = suitable(attribute, value, &ty, context.converter(), diagnostics) else { return true };
    // An unknown list may contain sources.
    let Some(elements) = value.as_sequence() else { return true };
    for element in elements {
        let Some(text) = element.as_str() else { continue };
        match source_name(text) {
            Some(key) => build.sources.push(BuildSource {
                source_type: key.component_type,
                name: key.name,
                alias: None,
                additions: None,
                span: attribute.value_span(),
            }),
            None => report_reference(text, block, attribute.value_span(), diagnostics),
        }
    }
    !elements.is_empty()
}

fn report_reference(text: &str, block: &Block, span: Span, diagnostics: &mut Diagnostics) {
    let detail = format!("\"{text}\" is not a reference to a source, which is written `source.TYPE.NAME`.");
    diagnostics.push(error_in(&block.body, ids::INVALID_SOURCE_REFERENCE, span, detail));
}

fn add_block(
    context: Context<'_>,
    build: &mut UnresolvedBuild,
    inner: &ExpandedBlock,
    outer: &Block,
    diagnostics: &mut Diagnostics,
) {
    let name = build.name.clone().unwrap_or_else(|| SmolStr::from(""));
    let site = ExpressionSite::Build(&name);
    let plan = |block: &ExpandedBlock, kind, diagnostics: &mut Diagnostics| {
        component::plan(context, block, kind, site, diagnostics)
    };
    match &*inner.block_type {
        "source" => build.sources.extend(source_block(context, inner, outer, diagnostics)),
        "provisioner" => build.provisioners.extend(plan(inner, ComponentKind::Provisioner, diagnostics)),
        "error-cleanup-provisioner" => {
            if build.error_cleanup.is_some() {
                let detail = "A build can have only one `error-cleanup-provisioner` block. Join both into \
                              one.";
                diagnostics.push(
                    error_in(inner.body.body(), ids::SECOND_BLOCK, inner.header_span, detail)
                        .titled(titles::ONLY_ONE_ERROR_CLEANUP_PROVISIONER_IS_ALLOWED),
                );
                return;
            }
            build.error_cleanup = plan(inner, ComponentKind::CleanupProvisioner, diagnostics);
        }
        "post-processor" => {
            build
                .post_processors
                .extend(plan(inner, ComponentKind::PostProcessor, diagnostics).map(|one| vec![one]));
        }
        "post-processors" => {
            let blocks = context.read_at(site, diagnostics, |reader: &mut BodyReader<'_>| {
                reader.blocks(&inner.body, &POST_PROCESSORS)
            });
            let all = blocks.iter().filter_map(|block| {
                let mut step = plan(block, ComponentKind::PostProcessor, diagnostics)?;
                step.repeated = step.repeated.or_else(|| inner.repeated.clone());
                Some(step)
            });
            build.post_processors.push(all.collect());
        }
        // Registries are checked for the whole template.
        _ => {}
    }
}

/// Decodes a `source` block in a build. Its `name` must be a constant.
fn source_block(
    context: Context<'_>,
    block: &ExpandedBlock,
    outer: &Block,
    diagnostics: &mut Diagnostics,
) -> Option<BuildSource> {
    let (content, rest) =
        context.read_at(ExpressionSite::TopLevel, diagnostics, |reader: &mut BodyReader<'_>| {
            reader.attributes(&block.body, &SOURCE_SETTINGS)
        });
    let alias = match content.attribute("name") {
        // The name may depend only on the element of a `dynamic` block.
        Some(name) if block.body.is_generated() => context
            .read_constant(diagnostics, |reader| reader.value(name, &block.body).as_str().map(str::to_owned)),
        name => string_of(name, diagnostics),
    };
    let text = block.labels.first().map(|label| label.text.clone()).unwrap_or_else(|| SmolStr::from(""));
    let Some(ComponentKey { component_type, name }) = source_name(&text) else {
        report_reference(&text, outer, block.header_span, diagnostics);
        return None;
    };
    let alias = alias.filter(|alias| !alias.is_empty()).map(SmolStr::from);
    Some(BuildSource {
        source_type: component_type,
        name,
        alias,
        additions: Some(rest),
        span: block.header_span,
    })
}

/// Reports sources, provisioners and post-processors that do not exist.
fn report_unknown(
    context: Context<'_>,
    build: &UnresolvedBuild,
    block: &Block,
    closest_names: &ClosestNames,
    diagnostics: &mut Diagnostics,
) {
    let template = context.template();
    for source in &build.sources {
        let BuildSource { source_type, name, span, .. } = source;
        if !plugins::is_known(template, ComponentKind::Source, source_type) {
            let diagnostic = plugins::unknown(template, ComponentKind::Source, source_type, closest_names);
            diagnostics.push(diagnostic.at(block.body.source(), *span));
            continue;
        }
        let key = ComponentKey { component_type: source_type.clone(), name: name.clone() };
        if !template.sources.contains_key(&key) {
            let detail = format!("The template has no block `source \"{source_type}\" \"{name}\"`.");
            let diagnostic = error_in(&block.body, ids::UNKNOWN_SOURCE, *span, detail);
            let names = template.sources.keys().map(|key| format!("{}.{}", key.component_type, key.name));
            let wanted = format!("{source_type}.{name}");
            let diagnostic = diagnostic.titled(titles::unknown_source(&wanted));
            let closest = closest_names.of(&wanted, names);
            diagnostics.push(diagnostic.suggest(&wanted, closest.as_deref()));
        }
    }
    let post_processors = build.post_processors.iter().flatten();
    for step in build.provisioners.iter().chain(&build.error_cleanup).chain(post_processors) {
        let Some(component_type) = &step.component_type else { continue };
        if !plugins::is_known(template, step.kind, component_type) {
            let diagnostic = plugins::unknown(template, step.kind, component_type, closest_names);
            diagnostics.push(diagnostic.at(step.body.body().source(), step.span));
        }
    }
}

/// Adds the arguments and blocks of a build to those of a source. Additions cannot replace arguments.
fn merge(body: &mut ResolvedBody, additions: ResolvedBody, diagnostics: &mut Diagnostics) {
    for argument in additions.arguments {
        if body.arguments.iter().any(|existing| existing.name == argument.name) {
            let detail = format!(
                "The source already sets \"{}\", and a build cannot replace arguments of its sources. \
                 Remove one of them.",
                argument.name
            );
            diagnostics.push(
                Diagnostic::error(ids::DUPLICATE_ARGUMENT, detail).at(&argument.source, argument.name_span),
            );
            continue;
        }
        body.arguments.push(argument);
    }
    body.blocks.extend(additions.blocks);
}
