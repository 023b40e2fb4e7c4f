//! Decodes `packer` blocks: the versions of Packer and the plugins that a template requires.

use std::sync::{Arc, LazyLock};

use terrane_body::constant::constant;
use terrane_body::{Attribute, Block, BodySchema};
use terrane_config::version::VersionConstraint;
use terrane_source::{Diagnostic, Diagnostics, Subject, Title, ids, titles};
use terrane_value::{Entries, SmolStr, Type, Value, convert};

use crate::model::template::Template;
use crate::rules::PluginRules;

static PACKER: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().optional("required_version").block("required_plugins", &[]));

/// Reads a `packer` block.
pub(crate) fn packer(block: &Block, template: &mut Template, diagnostics: &mut Diagnostics) {
    let content = block.body.content(&PACKER, diagnostics);
    if let Some(attribute) = content.attribute("required_version")
        && let Some(value) = constant(&attribute.literal(), diagnostics)
        && !value.is_null()
    {
        let value = convert(&value, &Type::String).unwrap_or(value);
        let text = value.as_str().unwrap_or_default();
        match text.parse::<VersionConstraint>() {
            Ok(constraint) => template.required_versions.push((constraint, at(attribute))),
            Err(error) => diagnostics.push(
                entry_error(attribute, format!("{error}. Write a constraint such as `>= 1.9.0, < 2.0.0`."))
                    .titled(titles::INVALID_VERSION_CONSTRAINT),
            ),
        }
    }
    for block in &content.blocks {
        let content = block.body.just_attributes(diagnostics);
        for (name, attribute) in &content.attributes {
            plugin(name, attribute, template, diagnostics);
        }
    }
}

fn at(attribute: &Attribute) -> Subject {
    Subject { file: Arc::clone(attribute.source()), span: attribute.span }
}

fn entry_error(attribute: &Attribute, detail: impl Into<String>) -> Diagnostic {
    let diagnostic = Diagnostic::error(ids::INVALID_PACKER_BLOCK, detail);
    diagnostic.at(attribute.source(), attribute.value_span())
}

/// Reads an entry of `required_plugins`.
fn plugin(name: &SmolStr, attribute: &Attribute, template: &mut Template, diagnostics: &mut Diagnostics) {
    if let Err(problem) = plugin_name(name) {
        let detail = format!("\"{name}\" cannot be the local name of a plugin: {problem}.");
        diagnostics.push(entry_error(attribute, detail).titled(titles::INVALID_PLUGIN_LOCAL_NAME));
    }
    if let Some(earlier) = template.plugins.get(name) {
        let detail = format!(
            "The plugin \"{name}\" is already required at {}. The names of plugins must differ, because \
             the types of their components begin with them.",
            earlier.position()
        );
        diagnostics.push(entry_error(attribute, detail).titled(titles::duplicate_required_plugin(name)));
        return;
    }
    // Even a wrong entry shows that the plugin exists.
    template.plugins.insert(name.clone(), at(attribute));
    let Some(value) = constant(&attribute.literal(), diagnostics) else { return };
    let Some(entries) = value.as_entries() else {
        let detail = format!(
            "A required plugin must be an object: `{name} = {{ source = \"github.com/hashicorp/{name}\", \
             version = \">= 1.0.0\" }}`."
        );
        let title = match value.ty() {
            Type::Bool | Type::Number | Type::String => titles::INVALID_PLUGIN_REQUIREMENT,
            Type::Dynamic
            | Type::List(_)
            | Type::Set(_)
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Object(_) => titles::INVALID_REQUIRED_PLUGINS_SYNTAX,
        };
        diagnostics.push(entry_error(attribute, detail).titled(title));
        return;
    };
    requirement(attribute, entries, template.rules.plugins, diagnostics);
}

fn requirement(attribute: &Attribute, entries: &Entries, rules: PluginRules, diagnostics: &mut Diagnostics) {
    let mut report = |title: Title, detail: &str| {
        diagnostics.push(entry_error(attribute, detail).titled(title));
    };
    let Some(version) = entries.get("version") else {
        let detail = "Add a version constraint, such as `version = \">= 1.2.0, < 2.0.0\"`.";
        return report(titles::NO_VERSION_CONSTRAINT_WAS_SET, detail);
    };
    match version.as_str().map(str::parse::<VersionConstraint>) {
        Some(Ok(constraint)) if constraint.has_prerelease() && rules.refuse_prereleases => {
            let detail = "The constraint cannot name a prerelease. Name a release.";
            report(titles::INVALID_VERSION_CONSTRAINT, detail);
        }
        Some(Ok(_)) => {}
        Some(Err(_)) | None => {
            let detail = "The version must be a string with a constraint, such as `~> 1.2`.";
            return report(titles::INVALID_VERSION_CONSTRAINT, detail);
        }
    }
    let Some(source) = entries.get("source") else {
        let detail = "Add the source of the plugin, such as `source = \"github.com/hashicorp/amazon\"`.";
        return report(titles::NO_SOURCE_WAS_SET, detail);
    };
    if let Err(title) = check_source(source, rules) {
        let detail = "The source must be a string with at least a host, a namespace and a name, such as \
                      `github.com/hashicorp/amazon`. Leave out the prefix of the repository's name.";
        return report(title, detail);
    }
    if entries.keys().any(|key| !matches!(&**key, "source" | "version")) {
        let detail = "A required plugin takes only `source` and `version`.";
        report(titles::INVALID_REQUIRED_PLUGINS_OBJECT, detail);
    }
}

/// Checks the source of a plugin: a host, one or more further parts, and a name without the prefix that repositories of
/// plugins have. Returns the title of the error.
fn check_source(source: &Value, rules: PluginRules) -> Result<(), Title> {
    let source = source.as_str().ok_or(titles::INVALID_SOURCE)?;
    let parts: Vec<&str> = source.split('/').collect();
    let is_long = parts.len() >= 3 && parts.iter().all(|part| !part.is_empty());
    let is_source = match rules.sources_are_paths {
        true => is_long && !source.contains(['?', '#', ':']),
        false => is_long && parts.len() == 3,
    };
    let has_prefix = parts.last().is_some_and(|name| name.starts_with("packer-"));
    match (is_source, has_prefix) {
        (false, _) => Err(rules.source_title),
        (true, true) => Err(rules.prefix_title),
        (true, false) => Ok(()),
    }
}

/// Whether a text can be the local name of a plugin: a lower-case label of a domain name.
fn plugin_name(name: &str) -> Result<(), &'static str> {
    if name.contains('.') {
        Err("it has a dot")
    } else if name.contains("--") {
        Err("it has two hyphens in a row")
    } else if name.contains('_') || name.starts_with('-') || name.ends_with('-') {
        Err("it has letters, digits and hyphens only, and no hyphen at its ends")
    } else if name.chars().any(char::is_uppercase) {
        Err("it has capital letters")
    } else {
        Ok(())
    }
}
