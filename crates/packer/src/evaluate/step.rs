//! Provisioners and post-processors: reads first the arguments for Packer itself, then the body for each source.

use std::sync::LazyLock;

use terrane_body::{BodySchema, Content, ExpandedBlock, ExpandedBody};
use terrane_source::{Diagnostic, Diagnostics, Span, ids, titles};
use terrane_value::{Origins, SmolStr, Type, Value};

use crate::components::check::{self, ComponentUse};
use crate::components::duration::is_duration;
use crate::decode::block::error_in;
use crate::evaluate::argument::suitable;
use crate::model::build::Component;
use crate::model::component_kind::ComponentKind;
use crate::state::context::Context;
use crate::state::scope::ExpressionSite;

static PROVISIONER: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new().all_optional(&[
        "name",
        "pause_before",
        "max_retries",
        "timeout",
        "only",
        "except",
        "override",
    ])
});

static NEWER_PROVISIONER: LazyLock<BodySchema> =
    LazyLock::new(|| PROVISIONER.clone().optional("continue_on_error"));

static POST_PROCESSOR: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["name", "only", "except", "keep_input_artifact"]));

/// A provisioner or post-processor of a build, before it is resolved for a source.
pub(crate) struct BuildStep {
    pub(crate) kind: ComponentKind,
    /// The type; `None` if it depends on an unknown value.
    pub(crate) component_type: Option<SmolStr>,
    pub(crate) span: Span,
    pub(crate) body: ExpandedBody,
    pub(crate) repeated: Option<Origins>,
    name: Option<SmolStr>,
    settings: Vec<(SmolStr, Value)>,
    /// The names of the sources for which it runs, if it names any.
    only: Option<Value>,
    /// The names of the sources for which it does not run.
    except: Option<Value>,
    /// Arguments that replace arguments in the body, by the name of the source for which they hold.
    overrides: Option<Value>,
}

impl BuildStep {
    /// Returns its name, or else its type.
    pub(crate) fn shown_name(&self) -> &str {
        self.name.as_deref().or(self.component_type.as_deref()).unwrap_or_default()
    }

    /// Whether it does not run for the source `type.name`.
    fn skips(&self, source: &str) -> bool {
        let has = |names: &Value| {
            names.as_sequence().is_some_and(|all| all.iter().any(|name| name.as_str() == Some(source)))
        };
        match &self.only {
            Some(only) => !has(only),
            None => self.except.as_ref().is_some_and(has),
        }
    }

    /// Returns the number of names that [`BuildStep::skips`] compares.
    fn names(&self) -> usize {
        self.only.iter().chain(&self.except).map(Value::size).sum()
    }
}

/// Reads the arguments of a block that Packer itself reads; returns `None` if they have errors.
pub(crate) fn plan(
    context: Context<'_>,
    block: &ExpandedBlock,
    kind: ComponentKind,
    site: ExpressionSite<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<BuildStep> {
    let schema = match kind {
        ComponentKind::PostProcessor => &*POST_PROCESSOR,
        ComponentKind::Provisioner
        | ComponentKind::CleanupProvisioner
        | ComponentKind::Source
        | ComponentKind::Data => {
            if context.template().rules.provisioners_may_continue {
                &*NEWER_PROVISIONER
            } else {
                &*PROVISIONER
            }
        }
    };
    let mut found = Diagnostics::new();
    let (content, values, rest) = context.read_at(site, &mut found, |reader| {
        let (content, rest) = reader.attributes(&block.body, schema);
        let values: Vec<Value> =
            content.attributes.values().map(|attribute| reader.value(attribute, &block.body)).collect();
        (content, values, rest)
    });
    let label = block.labels.first();
    let mut step = BuildStep {
        kind,
        component_type: label.map(|label| label.text.clone()),
        span: label.map_or(block.header_span, |label| label.span),
        body: rest,
        repeated: block.repeated.clone(),
        name: None,
        settings: Vec::new(),
        only: None,
        except: None,
        overrides: None,
    };
    add_settings(context, &mut step, &content, values, &mut found);
    if step.only.is_some() && step.except.is_some() {
        let detail = "`only` selects sources for the block, `except` leaves sources out. Keep one of the two \
             arguments.";
        found.push(error_in(step.body.body(), ids::ONLY_AND_EXCEPT, block.header_span, detail));
    }
    let failed = found.has_errors();
    diagnostics.extend(found);
    (!failed).then_some(step)
}

fn add_settings(
    context: Context<'_>,
    step: &mut BuildStep,
    content: &Content,
    values: Vec<Value>,
    found: &mut Diagnostics,
) {
    for (attribute, value) in content.attributes.values().zip(values) {
        let ty = match &*attribute.name {
            "only" | "except" => Type::list(Type::String),
            "max_retries" => Type::Number,
            "continue_on_error" | "keep_input_artifact" => Type::Bool,
            "override" => Type::Dynamic,
            _ => Type::String,
        };
        let Some(value) = suitable(attribute, &value, &ty, context.converter(), found) else { continue };
        let has_names =
            value.as_sequence().is_some_and(|names| names.iter().any(|name| name.as_str().is_some()));
        match &*attribute.name {
            "only" => step.only = Some(value).filter(|_| has_names),
            "except" => step.except = Some(value).filter(|_| has_names),
            "override" => {
                check_overrides(step.body.body(), attribute.value_span(), &value, found);
                step.overrides = Some(value);
            }
            "name" => {
                step.name = value.as_str().map(SmolStr::from);
                step.settings.push((attribute.name.clone(), value));
            }
            name => {
                let text = value.as_str().filter(|_| matches!(name, "pause_before" | "timeout"));
                if let Some(text) = text.filter(|text| !text.is_empty() && !is_duration(text)) {
                    let detail = format!("\"{text}\" is not a duration, such as `90s` or `1h30m`.");
                    let diagnostic = Diagnostic::error(ids::INVALID_DURATION, detail);
                    let diagnostic = diagnostic.titled(titles::invalid_duration(name));
                    found.push(diagnostic.at(attribute.source(), attribute.value_span()));
                }
                step.settings.push((attribute.name.clone(), value));
            }
        }
    }
}

/// Checks that `override` is an object with an object for each source.
fn check_overrides(body: &terrane_body::Body, span: Span, value: &Value, found: &mut Diagnostics) {
    let is_object = |value: &Value| matches!(value.ty(), Type::Object(_)) || value.as_unknown().is_some();
    if !is_object(value) {
        let detail =
            "`override` must be an object that maps the names of sources to the arguments to replace.";
        found.push(error_in(body, ids::INVALID_OVERRIDE, span, detail));
        return;
    }
    for (name, arguments) in value.as_entries().into_iter().flatten() {
        if !is_object(arguments) {
            let detail = format!("The entry \"{name}\" of `override` must be an object of arguments.");
            let title = titles::invalid_override(name);
            found.push(error_in(body, ids::INVALID_OVERRIDE, span, detail).titled(title));
        }
    }
}

/// Evaluates a provisioner or post-processor for a source; returns `None` if it does not run for that source.
pub(crate) fn resolve(
    context: Context<'_>,
    step: &BuildStep,
    site: ExpressionSite<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Component> {
    let (source_type, source_name) = match site {
        ExpressionSite::Step { source, .. } => (source.source_type, source.name),
        ExpressionSite::Console { .. }
        | ExpressionSite::TopLevel
        | ExpressionSite::Build(_)
        | ExpressionSite::Source(_) => ("", ""),
    };
    if !context.takes(step.names(), diagnostics) || step.skips(&format!("{source_type}.{source_name}")) {
        return None;
    }
    let mut found = Diagnostics::new();
    let mut body = context.read_at(site, &mut found, |reader| reader.resolve(&step.body));
    let overrides = step.overrides.as_ref().and_then(|all| all.as_entries()?.get(source_name)?.as_entries());
    let component_type = step.component_type.as_deref().unwrap_or_default();
    let used = ComponentUse {
        kind: step.kind,
        name: component_type,
        span: step.span,
        written: step.body.body(),
        overrides,
    };
    check::check(used, &mut body, context.converter(), context.files_to_check(), &mut found);
    diagnostics.extend(found.into_iter().map(|diagnostic| prepared(step, diagnostic)));
    Some(Component {
        component_type: step.component_type.clone(),
        settings: step.settings.clone(),
        body,
        repeated: step.repeated.clone(),
    })
}

/// Returns an error in the body, with the title that Packer gives it.
fn prepared(step: &BuildStep, diagnostic: Diagnostic) -> Diagnostic {
    if !diagnostic.is_error() {
        return diagnostic;
    }
    let kind = if step.kind == ComponentKind::PostProcessor { "post-processor" } else { "provisioner" };
    let component_type = step.component_type.as_deref().unwrap_or_default();
    let name = step.name.as_deref().unwrap_or_default();
    let detail = if diagnostic.id == ids::PREPARE_FAILED {
        diagnostic.detail
    } else {
        format!("{}: {}", diagnostic.title(), diagnostic.detail)
    };
    Diagnostic {
        id: ids::PREPARE_FAILED,
        own_title: Some(titles::failed_preparing(kind, component_type, name)),
        detail,
        ..diagnostic
    }
}
