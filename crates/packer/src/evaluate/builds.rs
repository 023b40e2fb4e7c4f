//! `build` blocks: each is resolved for each of its sources.

use std::sync::LazyLock;

use terrane_body::constant::string_of;
use terrane_body::{Attribute, Block, BodyReader, BodySchema, ExpandedBlock, ExpandedBody, ResolvedBody};
use terrane_source::{Diagnostic, Diagnostics, Files, Span, ids};
use terrane_value::{SmolStr, Type, Value, closest_name};

use crate::components::check::{self as builtin, Use};
use crate::components::plugins;
use crate::decode::file::{declaration, error_in};
use crate::evaluate::argument::suitable;
use crate::evaluate::driver::TemplateEvaluation;
use crate::evaluate::registry;
use crate::evaluate::selection::Selection;
use crate::evaluate::step::{self as component, BuildStep};
use crate::model::build::{Component, Run, full_name};
use crate::model::component_kind::ComponentKind;
use crate::resolve::source_name::source_name;
use crate::state::scope::{Place, SourceNames};

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
        // Read by Packer, and without effect.
        .block("from", &["type"])
});

static POST_PROCESSORS: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().block("post-processor", &["type"]));

static SOURCE_SETTINGS: LazyLock<BodySchema> = LazyLock::new(|| BodySchema::new().optional("name"));

/// A `build` block before its sources are known.
struct Build {
    name: Option<SmolStr>,
    sources: Vec<SourceUse>,
    provisioners: Vec<BuildStep>,
    error_cleanup: Option<BuildStep>,
    post_processors: Vec<Vec<BuildStep>>,
}

/// A source as a build uses it.
struct SourceUse {
    source_type: SmolStr,
    name: SmolStr,
    /// The name that the build gives it.
    alias: Option<SmolStr>,
    /// What the build adds to it.
    additions: Option<ExpandedBody>,
    span: Span,
}

/// Resolves all builds of the template.
pub(crate) fn builds(evaluation: &mut TemplateEvaluation, files: &dyn Files, diagnostics: &mut Diagnostics) {
    registry::check_all(evaluation, files, diagnostics);
    if evaluation.template.builds.is_empty() && evaluation.request.complete {
        let detail = "The template has no `build` block with sources, so there is nothing to build. Add one.";
        diagnostics.push(Diagnostic::error(ids::MISSING_BUILD, detail));
    }
    let Some(selection) = Selection::new(&evaluation.request, diagnostics) else { return };
    let left = evaluation.request.limits.elements;
    let mut resolver = Resolver { evaluation: &*evaluation, files, diagnostics, selection, left };
    let mut runs = Vec::new();
    for block in &evaluation.template.builds {
        resolver.build(block, &mut runs);
    }
    resolver.selection.finish(resolver.diagnostics);
    evaluation.runs = runs;
}

/// What resolves the builds.
struct Resolver<'r> {
    evaluation: &'r TemplateEvaluation,
    files: &'r dyn Files,
    diagnostics: &'r mut Diagnostics,
    selection: Selection,
    /// How many more arguments and elements they may have together: each build has its own for each source.
    left: usize,
}

impl Resolver<'_> {
    fn build(&mut self, block: &Block, runs: &mut Vec<Run>) {
        let Some(build) = decode(self.evaluation, block, self.files, self.diagnostics) else { return };
        report_unknown(self.evaluation, &build, block, self.diagnostics);
        let before = self.left;
        for source in &build.sources {
            let name = full_name(build.name.as_deref(), &source.source_type, source.shown_name());
            if self.left == 0 || !self.selection.keeps(&name) {
                continue;
            }
            if self.evaluation.is_over(self.diagnostics) {
                return;
            }
            runs.extend(self.run(&build, block, source));
        }
        if self.left == 0 && before > 0 {
            let most = self.evaluation.request.limits.elements;
            let detail =
                format!("The builds have more than {most} arguments and elements, so not all are resolved.");
            self.diagnostics.push(error_in(&block.body, ids::LIMIT_EXCEEDED, block.header_span, detail));
        }
    }

    /// Resolves a build for one source; nothing where there is no such source.
    fn run(&mut self, build: &Build, block: &Block, source: &SourceUse) -> Option<Run> {
        let names = SourceNames { source_type: &source.source_type, name: source.shown_name() };
        let body = self.source(source, names)?;
        let place = Place::Step {
            build: build.name.as_deref().unwrap_or_default(),
            source: names,
            is_open: !plugins::is_builtin(ComponentKind::Source, &source.source_type),
        };
        let mut provisioners = Vec::new();
        for step in &build.provisioners {
            provisioners.extend(self.component(step, place));
        }
        let error_cleanup = build.error_cleanup.as_ref().and_then(|step| self.component(step, place));
        let mut post_processors = Vec::new();
        for sequence in &build.post_processors {
            let mut resolved = Vec::new();
            for step in sequence {
                // What comes behind one that is left out has nothing to process.
                if self.selection.leaves_out(step.shown_name()) {
                    break;
                }
                resolved.extend(self.component(step, place));
            }
            if !resolved.is_empty() {
                post_processors.push(resolved);
            }
        }
        Some(Run {
            declaration: declaration(block),
            build_name: build.name.clone(),
            source_type: source.source_type.clone(),
            source_name: SmolStr::from(source.shown_name()),
            source: body,
            provisioners,
            error_cleanup,
            post_processors,
        })
    }

    /// The body of a source with what the build adds to it.
    fn source(&mut self, source: &SourceUse, names: SourceNames<'_>) -> Option<ResolvedBody> {
        let key = (source.source_type.clone(), source.name.clone());
        let declared = self.evaluation.template.sources.get(&key)?;
        let place = Place::Source(names);
        let (mut body, additions) = self.evaluation.read_at(place, self.files, self.diagnostics, |reader| {
            let body = reader.resolve(&ExpandedBody::new(declared.body.clone()));
            let additions = source.additions.as_ref().map(|additions| reader.resolve(additions));
            (body, additions)
        });
        if let Some(additions) = additions {
            merge(&mut body, additions, self.diagnostics);
        }
        let used = Use {
            kind: ComponentKind::Source,
            name: &source.source_type,
            span: declared.declaration.span,
            written: &declared.body,
            overrides: None,
        };
        builtin::check(used, &mut body, self.evaluation.files_to_check(self.files), self.diagnostics);
        self.count(&body);
        Some(body)
    }

    fn component(&mut self, step: &BuildStep, place: Place<'_>) -> Option<Component> {
        if self.left == 0 {
            return None;
        }
        let component = component::resolve(self.evaluation, step, place, self.files, self.diagnostics)?;
        self.count(&component.body);
        Some(component)
    }

    fn count(&mut self, body: &ResolvedBody) {
        self.left = self.left.saturating_sub(size(body));
    }
}

/// How many arguments, blocks and elements there are in a body.
fn size(body: &ResolvedBody) -> usize {
    let arguments = body.arguments.iter().map(|argument| 1 + argument.value.size());
    let blocks = body.blocks.iter().map(|block| 1 + size(&block.body));
    1 + arguments.chain(blocks).sum::<usize>()
}

impl SourceUse {
    fn shown_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

fn decode(
    evaluation: &TemplateEvaluation,
    block: &Block,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Option<Build> {
    let body = ExpandedBody::new(block.body.clone());
    let mut settings = Settings::default();
    let (rest, blocks) = evaluation.read_at(Place::Outside, files, diagnostics, |reader| {
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
        Some((attribute, value)) => suitable(attribute, value, &Type::String, diagnostics),
        None => None,
    };
    let name = name.and_then(|name| name.as_str().filter(|name| !name.is_empty()).map(SmolStr::from));
    if let Some((attribute, value)) = &settings.description {
        suitable(attribute, value, &Type::String, diagnostics);
    }
    let mut build = Build {
        name,
        sources: Vec::new(),
        provisioners: Vec::new(),
        error_cleanup: None,
        post_processors: Vec::new(),
    };
    let mut had_source = !blocks.is_empty() && blocks.iter().any(|block| &*block.block_type == "source");
    if let Some((attribute, value)) = &settings.sources {
        had_source |= listed_sources(&mut build, attribute, value, block, diagnostics);
    }
    for inner in &blocks {
        add_block(evaluation, &mut build, inner, block, files, diagnostics);
    }
    if !had_source {
        let detail = "A build needs at least one source: write `sources = [\"source.TYPE.NAME\"]`.";
        diagnostics.push(error_in(&block.body, ids::MISSING_SOURCE, block.header_span, detail));
    }
    Some(build)
}

/// What a build says about itself.
#[derive(Default)]
struct Settings {
    name: Option<(Attribute, Value)>,
    description: Option<(Attribute, Value)>,
    sources: Option<(Attribute, Value)>,
}

/// Adds the sources of the `sources` argument; false where there are none.
fn listed_sources(
    build: &mut Build,
    attribute: &Attribute,
    value: &Value,
    block: &Block,
    diagnostics: &mut Diagnostics,
) -> bool {
    if value.is_null() {
        return false;
    }
    let Some(value) = suitable(attribute, value, &Type::list(Type::String), diagnostics) else { return true };
    // What is not known yet may well be a source.
    let Some(elements) = value.as_sequence() else { return true };
    for element in elements {
        let Some(text) = element.as_str() else { continue };
        match source_name(text) {
            Some((source_type, name)) => build.sources.push(SourceUse {
                source_type,
                name,
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
    evaluation: &TemplateEvaluation,
    build: &mut Build,
    inner: &ExpandedBlock,
    outer: &Block,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) {
    let name = build.name.clone().unwrap_or_else(|| SmolStr::from(""));
    let place = Place::Build(&name);
    let plan = |block: &ExpandedBlock, kind, diagnostics: &mut Diagnostics| {
        component::plan(evaluation, block, kind, place, files, diagnostics)
    };
    match &*inner.block_type {
        "source" => build.sources.extend(source_block(evaluation, inner, outer, files, diagnostics)),
        "provisioner" => build.provisioners.extend(plan(inner, ComponentKind::Provisioner, diagnostics)),
        "error-cleanup-provisioner" => {
            if build.error_cleanup.is_some() {
                let detail = "A build has one block that runs where a provisioner fails. Join both into one.";
                diagnostics.push(
                    error_in(inner.body.body(), ids::SECOND_BLOCK, inner.header_span, detail)
                        .titled("Only one error-cleanup-provisioner is allowed"),
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
            let blocks = evaluation.read_at(place, files, diagnostics, |reader: &mut BodyReader<'_>| {
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

/// A `source` block in a build. What it is called must be known before anything is evaluated.
fn source_block(
    evaluation: &TemplateEvaluation,
    block: &ExpandedBlock,
    outer: &Block,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Option<SourceUse> {
    let (content, rest) =
        evaluation.read_at(Place::Outside, files, diagnostics, |reader: &mut BodyReader<'_>| {
            reader.attributes(&block.body, &SOURCE_SETTINGS)
        });
    let alias = match content.attribute("name") {
        // The element of a `dynamic` block is all that the name may depend on.
        Some(name) if block.body.is_generated() => evaluation
            .closed(files, diagnostics, |reader| reader.value(name, &block.body).as_str().map(str::to_owned)),
        name => string_of(name, diagnostics),
    };
    let text = block.labels.first().map(|label| label.text.clone()).unwrap_or_else(|| SmolStr::from(""));
    let Some((source_type, name)) = source_name(&text) else {
        report_reference(&text, outer, block.header_span, diagnostics);
        return None;
    };
    let alias = alias.filter(|alias| !alias.is_empty()).map(SmolStr::from);
    Some(SourceUse { source_type, name, alias, additions: Some(rest), span: block.header_span })
}

/// Reports sources, provisioners and post-processors that there are not.
fn report_unknown(
    evaluation: &TemplateEvaluation,
    build: &Build,
    block: &Block,
    diagnostics: &mut Diagnostics,
) {
    let template = &evaluation.template;
    for source in &build.sources {
        let SourceUse { source_type, name, span, .. } = source;
        if !plugins::is_known(template, ComponentKind::Source, source_type) {
            let diagnostic = plugins::unknown(template, ComponentKind::Source, source_type);
            diagnostics.push(diagnostic.at(block.body.source(), *span));
        } else if !template.sources.contains_key(&(source_type.clone(), name.clone())) {
            let detail = format!("The template has no block `source \"{source_type}\" \"{name}\"`.");
            let diagnostic = error_in(&block.body, ids::UNKNOWN_SOURCE, *span, detail);
            let diagnostic = diagnostic.titled(format!("Unknown source {source_type}.{name}"));
            let names: Vec<String> =
                template.sources.keys().map(|(source_type, name)| format!("{source_type}.{name}")).collect();
            let wanted = format!("{source_type}.{name}");
            diagnostics.push(match closest_name(&wanted, names.iter().map(String::as_str)) {
                Some(nearest) => diagnostic.hint(format!("Did you mean \"{nearest}\"?")),
                None => diagnostic,
            });
        }
    }
    let post_processors = build.post_processors.iter().flatten();
    for step in build.provisioners.iter().chain(&build.error_cleanup).chain(post_processors) {
        let Some(component_type) = &step.component_type else { continue };
        if !plugins::is_known(template, step.kind, component_type) {
            let diagnostic = plugins::unknown(template, step.kind, component_type);
            diagnostics.push(diagnostic.at(step.body.body().source(), step.span));
        }
    }
}

/// Adds what a build says of a source to what the source says. Nothing is replaced.
fn merge(body: &mut ResolvedBody, additions: ResolvedBody, diagnostics: &mut Diagnostics) {
    for argument in additions.arguments {
        if body.arguments.iter().any(|known| known.name == argument.name) {
            let detail = format!(
                "The source sets \"{}\" already, and a build only adds to its sources. Remove one of them.",
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
