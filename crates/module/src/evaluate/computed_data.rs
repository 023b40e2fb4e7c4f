//! Computes the attributes of data sources that follow from their arguments.

use terrane_body::{Owner, open_body};
use terrane_eval::{FunctionTable, Scope, Variables};
use terrane_function::{Dialect, Excess, Limits, Meter};
use terrane_source::{DiagnosticId, Diagnostics, FileId, Files, SecretPaths, SourceFile, ids};
use terrane_stdlib::{Attributes, Computation, DataSource, NotComputed, Surroundings};
use terrane_syntax::{Expression, parse_template};
use terrane_value::{
    Entries, Known, Mark, Marks, OriginKind, Origins, SmolStr, Type, Unknown, Value, ValueKind, convert,
};

use crate::evaluate::given::with_attributes;
use crate::graph::used_providers;
use crate::model::computed_data::with_sensitive;
use crate::model::ids::NodeId;
use crate::model::module::{Resource, ResourceKey};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;

/// The reason why an argument of the provider configuration is uncertain.
const SEVERAL: &str = "the provider configuration has several instances";

/// The steps of each attribute of an instance that is computed, or unknown with a reason: it becomes a part of its value.
const STEPS_OF_ATTRIBUTE: u64 = 96;

/// Returns the value of an instance after `change` has set its computed attributes, whose work and memory count. Beyond a limit,
/// which the step reports at the declaration, the value stays as it is.
pub(super) fn counted(
    value: Value,
    row: &DataSource,
    limits: &Limits,
    meter: &Meter,
    change: impl FnOnce(Value) -> Value,
) -> Value {
    meter.count(STEPS_OF_ATTRIBUTE.saturating_mul(row.attributes.len() as u64));
    if Excess::of(limits, meter).is_some() {
        return value;
    }
    let before = value.own_bytes();
    let value = change(value);
    meter.take(value.own_bytes().saturating_sub(before) as u64);
    value
}

/// Returns the value of the data source at `address` with its computed attributes. An attribute that cannot be computed
/// is an unknown value of its type, with the reason.
pub(super) fn with_computed(value: Value, data: &Computable<'_>, address: &str) -> Value {
    let row = data.row;
    let computed = arguments(&value, row, address).and_then(|arguments| match &arguments.secret {
        None => data.compute(&arguments.object),
        Some(secret) => {
            let secret_paths = SecretPaths(data.files);
            // The reasons may quote the argument, so they are replaced.
            let reason = || format!("the argument `{secret}` is sensitive");
            let origins = |_| Origins::one(OriginKind::NotComputed, reason());
            let computed = Computable { files: &secret_paths, ..*data }.compute(&arguments.object);
            computed.map_err(origins).map(|all| hidden(all, &origins(Origins::NONE)))
        }
    });
    let value = match computed {
        Ok(computed) => {
            let attribute = |(name, computed): (&'static str, Value)| match computed.as_unknown() {
                Some(Unknown { ty, origins, .. }) => (name, unknown_attribute(&value, name, ty, origins)),
                None => (name, computed),
            };
            let attributes: Vec<_> = computed.into_iter().map(attribute).collect();
            with_attributes(value, address, attributes)
        }
        Err(reason) => with_unknown(value, row, address, &reason),
    };
    with_sensitive(value, row.sensitive)
}

/// Hides computed attributes that are made of secrets from every output. They are not sensitive for the language: as in
/// Terraform, only a schema can make an attribute sensitive.
fn hidden(computed: Attributes, reason: &Origins) -> Attributes {
    let hide = |value: Value| match value.as_unknown() {
        Some(unknown) => Value::unknown_from(unknown.ty.clone(), reason.clone()),
        None => value.with_marks(&Marks::one(Mark::Hidden)),
    };
    computed.into_iter().map(|(name, value)| (name, hide(value))).collect()
}

/// Makes the computed attributes of a data source unknown, for `reason` besides the reasons that the value already has.
pub(super) fn with_unknown(value: Value, row: &DataSource, address: &str, reason: &Origins) -> Value {
    let attributes = row.attributes.iter();
    let attributes = attributes.map(|(name, ty)| (*name, unknown_attribute(&value, name, &ty.ty(), reason)));
    let attributes: Vec<_> = attributes.collect();
    with_attributes(value, address, attributes)
}

/// Returns an attribute of a data source that is unknown for `reason` besides the reasons that it already has.
fn unknown_attribute(value: &Value, name: &str, ty: &Type, reason: &Origins) -> Value {
    let attribute = value.known_attributes().and_then(|all| all.get(name));
    match attribute {
        Some(attribute) => because(attribute, ty, reason),
        None => Value::unknown_from(ty.clone(), value.origins().at_attribute(name).because(reason)),
    }
}

/// Returns an unknown value of type `ty` with `reason` as one more reason. Parts given by hand stay.
pub(super) fn because(value: &Value, ty: &Type, reason: &Origins) -> Value {
    let origins = value.origins().because(reason);
    let known = value.as_unknown().map(|unknown| &unknown.known);
    let with = match known {
        Some(Known::Object(attributes)) => Value::open_object(attributes.clone(), origins),
        Some(Known::Nothing | Known::Sequence(_)) | None => Value::unknown_from(ty.clone(), origins),
    };
    with.with_marks(value.marks())
}

/// Adds the reason to the unknown attributes of a data source for which the row does not hold. Adds no attribute: only
/// the provider knows which attributes the data source has.
pub(super) fn with_reason(value: Value, row: &DataSource, address: &str, reason: &str) -> Value {
    let reason = Origins::one(OriginKind::NotComputed, reason);
    let value = match value.as_unknown() {
        Some(Unknown { known: Known::Object(attributes), origins, .. }) => {
            Value::open_object(attributes.clone(), origins.because(&reason)).with_marks(value.marks())
        }
        Some(_) | None => value,
    };
    let unknown = row.attributes.iter().filter_map(|(name, _)| {
        let attribute = value.known_attributes()?.get(name).filter(|attribute| !attribute.is_known())?;
        Some((*name, because(attribute, &attribute.ty(), &reason)))
    });
    let unknown: Vec<_> = unknown.collect();
    with_attributes(value, address, unknown)
}

/// The work of a part of the arguments: they are completed, copied and read.
const WORK_OF_PART: usize = 24;

/// A data source that can be computed, in its configuration. A row of the table computes its attributes.
pub(super) struct Computable<'c> {
    pub(super) row: &'static DataSource,
    pub(super) evaluation: &'c Evaluation,
    /// The module of the data source.
    pub(super) node: NodeId,
    pub(super) key: &'c ResourceKey,
    pub(super) resource: &'c Resource,
    pub(super) files: &'c dyn Files,
    pub(super) meter: &'c Meter,
}

/// The facts from outside a module that determine the computed attributes of its data source.
#[derive(Debug)]
pub(super) struct Outside {
    /// The first provider version that computes the attributes this way; it identifies the row.
    since: [u64; 3],
    /// The reason why the row does not hold for the data source.
    reason: Option<String>,
    /// The values of arguments of the provider configuration.
    provider_arguments: Vec<Option<Value>>,
}

impl Outside {
    pub(super) fn is_same(&self, other: &Outside) -> bool {
        let is_same = |(one, other): (&Option<Value>, &Option<Value>)| match (one, other) {
            (Some(one), Some(other)) => one.is_identical(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        self.since == other.since
            && self.reason == other.reason
            && self.provider_arguments.iter().zip(&other.provider_arguments).all(is_same)
    }
}

impl Computable<'_> {
    /// Returns the computed attributes for these arguments, or the reason why they cannot be computed.
    fn compute(&self, arguments: &Value) -> Result<Attributes, Origins> {
        let env = self.evaluation.env(self.files, self.meter);
        let computation = Computation::new(arguments, &env, self);
        let computed = (self.row.compute)(&computation).map_err(NotComputed::into_origins);
        let work = arguments.size().saturating_mul(WORK_OF_PART).saturating_add(computation.work());
        self.meter.count(work as u64);
        computed
    }

    /// Returns the facts from outside the module.
    pub(super) fn outside(&self) -> Outside {
        let arguments = self.row.provider_arguments.iter();
        let provider_arguments = arguments.map(|name| self.provider_argument(name)).collect();
        Outside { since: self.row.since, reason: None, provider_arguments }
    }
}

impl Outside {
    /// Returns the facts about a data source for which the row does not hold.
    pub(super) fn uncertain(row: &DataSource, reason: String) -> Outside {
        Outside { since: row.since, reason: Some(reason), provider_arguments: Vec::new() }
    }
}

impl Surroundings for Computable<'_> {
    fn provider_argument(&self, path: &str) -> Option<Value> {
        let config = &self.evaluation.config;
        let alias = self.resource.provider.as_ref().and_then(|provider| provider.alias.as_deref());
        let local = self.resource.local_provider(&self.key.resource_type);
        let (owner, provider) = used_providers::configuration(config, self.node, local, alias)?;
        let provider = config.node(owner).module.providers.at(provider);
        let unknown = || Value::unknown_from(Type::Dynamic, Origins::one(OriginKind::NotComputed, SEVERAL));
        // Errors in the provider configuration are reported where it is checked.
        let mut found = Diagnostics::new();
        let content = provider.config.open_content(&mut found);
        let (name, inner) = path.split_once('.').map_or((path, None), |(name, inner)| (name, Some(inner)));
        let is_block = content.blocks.iter().any(|block| block.generated_type() == name);
        let attribute = content.attribute(name).filter(|_| !is_block);
        if attribute.is_none() && !is_block {
            return None;
        }
        let mut instances = self.evaluation.by_node[owner].iter();
        let (Some(instance), None, None) = (instances.next(), instances.next(), &provider.for_each) else {
            return Some(unknown());
        };
        let names = self.evaluation.scope(*instance);
        let Some(inner) = inner else {
            let expression = attribute?.expression(&mut found);
            let Computable { evaluation, files, meter, .. } = *self;
            let mut context = Context { evaluation, files, meter, diagnostics: &mut found };
            return Some(context.value(&expression, &names));
        };
        let env = self.evaluation.env(self.files, self.meter);
        let address = format!("provider.{local}");
        let owner = Owner { kind: OriginKind::ResourceAttribute, address: &address, is_stored: false };
        let scope = self.evaluation.expression_scope(&names, &env);
        let all = open_body(&provider.config, owner, &scope, &mut found);
        part_of_last(all.get(name)?, inner, &address)
    }

    fn render(&self, template: &str, variables: &Entries, functions: &[&str]) -> Result<String, NotComputed> {
        let parsed = parse_template(&SourceFile::new(FileId::new("<template>"), template));
        if !parsed.diagnostics.is_empty() {
            return Err("the template has a syntax error".into());
        }
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        let names: Variables =
            variables.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        let rows = terrane_stdlib::functions().into_iter().filter(|row| functions.contains(&&*row.name));
        let functions = FunctionTable::only(Dialect::Modules, rows.collect());
        let env = self.evaluation.env(self.files, self.meter);
        let scope = Scope { names: &names, functions: &functions, env: &env };
        let mut found = Diagnostics::new();
        let rendered = terrane_eval::evaluate(&expression, &scope, &mut found);
        let rendered = convert(&rendered, &Type::String).ok().filter(|_| !found.has_errors());
        let text = rendered.as_ref().and_then(Value::as_str).map(str::to_owned);
        text.ok_or_else(|| template_problem(&found).into())
    }
}

/// Returns the reason why a template has no certain result. The template may contain a secret, so the
/// reason quotes none of it.
fn template_problem(found: &Diagnostics) -> &'static str {
    let has = |id: DiagnosticId| found.as_slice().iter().any(|diagnostic| diagnostic.id == id);
    if has(ids::UNKNOWN_FUNCTION) {
        return "the template calls a function whose result may differ from that of the provider";
    }
    if has(ids::UNKNOWN_VARIABLE) {
        return "the template reads a name that is not in `vars`";
    }
    "the template has an error"
}

/// Returns the argument `name` of the last block in `blocks`, all blocks of one type in the configuration at `address`.
/// An argument that is not set is null. `None` if there is no block.
fn part_of_last(blocks: &Value, name: &str, address: &str) -> Option<Value> {
    let block = match blocks.known_elements() {
        Some(all) => all.last()?,
        None => blocks,
    };
    let Some(arguments) = block.known_attributes() else { return Some(block.clone()) };
    let argument = arguments.get(name).unwrap_or(&Value::NULL);
    let unknown = argument.as_unknown();
    let is_unset =
        unknown.is_some_and(|unknown| unknown.origins.are_all(|origin| origin.is_part_of(address)));
    Some(if is_unset { Value::NULL } else { argument.clone() })
}

/// The arguments of a data source, as the provider gets them.
struct ConfiguredArguments {
    object: Value,
    /// The name of a sensitive argument whose results the provider nevertheless shows.
    secret: Option<SmolStr>,
}

/// Returns the configured arguments, or the reasons if an argument is unknown or the row does not support it.
fn arguments(value: &Value, row: &DataSource, address: &str) -> Result<ConfiguredArguments, Origins> {
    let mut arguments = Vec::new();
    let mut secret = None;
    let Some(attributes) = value.known_attributes() else { return Err(Origins::NONE) };
    for (name, value) in attributes {
        let (unmarked, marks) = value.unmark_deep();
        if marks.contains(&Mark::Ephemeral) && !row.sensitive.contains(&name.as_str()) {
            let reason = format!("the argument `{name}` is ephemeral");
            return Err(Origins::one(OriginKind::NotComputed, reason));
        }
        if marks.is_secret() && !row.sensitive.contains(&name.as_str()) {
            secret = secret.or_else(|| Some(name.clone()));
        }
        let value = plain(&unmarked, address).ok_or(Origins::NONE)?;
        match row.arguments.contains(&name.as_str()) {
            true => arguments.push((name.clone(), value)),
            false if value.is_null() || row.attributes.iter().any(|(other, _)| *other == name) => {}
            false => {
                let reason = format!("its result with the argument `{name}` is not certain");
                return Err(Origins::one(OriginKind::NotComputed, reason));
            }
        }
    }
    Ok(ConfiguredArguments { object: Value::object(arguments), secret })
}

/// Replaces the parts of a configured value that only the provider sets by null; `None` if another part is unknown.
fn plain(value: &Value, address: &str) -> Option<Value> {
    let all = |values: &[Value]| values.iter().map(|value| plain(value, address)).collect::<Option<Vec<_>>>();
    let object = |attributes: &Entries| {
        let attribute = |(name, value): (&SmolStr, &Value)| Some((name.clone(), plain(value, address)?));
        Some(Value::object(attributes.iter().map(attribute).collect::<Option<Vec<_>>>()?))
    };
    match value.kind() {
        ValueKind::Marked(..) => None,
        ValueKind::Unknown(unknown) => match &unknown.known {
            Known::Object(attributes) => object(attributes),
            Known::Sequence(elements) => Some(Value::tuple(all(elements)?)),
            Known::Nothing => {
                let is_own = unknown.origins.are_all(|origin| origin.is_part_of(address));
                is_own.then_some(Value::NULL)
            }
        },
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            Some(Value::tuple(all(elements)?))
        }
        ValueKind::Map(attributes) | ValueKind::Object(attributes) => object(attributes),
        ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Null(_) => {
            Some(value.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;
    use terrane_stdlib::data_sources;

    use crate::{Cache, Request, evaluate, load};

    #[test]
    fn every_row_has_examples_that_hold() {
        for row in data_sources() {
            assert!(!row.examples.is_empty(), "{}", row.name);
            for example in row.examples {
                let (name, attribute) = (row.name, example.attribute);
                let (block, reference) = match row.is_resource {
                    true => ("resource", ""),
                    false => ("data", "data."),
                };
                let text = format!(
                    "{block} \"{name}\" \"x\" {{\n{}\n}}\n\
                     output \"o\" {{ value = tostring({reference}{name}.x.{attribute}) }}\n",
                    example.body
                );
                let files: MemoryFiles =
                    [("main.tf", text.as_str()), ("hello.txt", "Hello")].into_iter().collect();
                let loaded = load(Request::new("."), &files, &Cache::default());
                let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
                assert!(evaluation.diagnostics.is_empty(), "{name}: {:?}", evaluation.diagnostics);
                let values: Vec<_> = evaluation.root().outputs.iter().map(|value| value.as_str()).collect();
                assert_eq!(values, [Some(example.value)], "{name}");
            }
        }
    }

    /// Returns the origins of the only output of a configuration, as text.
    fn reason(text: &str) -> String {
        reason_of(&MemoryFiles::from_iter([("main.tf", text)]))
    }

    fn reason_of(files: &MemoryFiles) -> String {
        let loaded = load(Request::new("."), files, &Cache::default());
        let evaluation = evaluate(loaded.config, &loaded.inputs, files);
        assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
        let values: Vec<_> = evaluation.root().outputs.iter().collect();
        values[0].origins().as_slice().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_reason_follows_the_origin() {
        let cases = [
            (
                "cloudinit_config",
                "rendered",
                "base64_encode = false\npart { content = \"\" }",
                "the provider refuses `gzip` without `base64_encode`",
            ),
            (
                "archive_file",
                "output_md5",
                "type = \"zip\"\nsource_file = \"a\"",
                "the permissions of files in `source_file` are part of the archive, unless `output_file_mode` sets them",
            ),
            ("tls_public_key", "id", "private_key_pem = \"a\"", "the key is not in PEM form"),
            ("local_file", "content", "filename = \"none.txt\"", "there is no file `none.txt`"),
            ("local_file", "id", "filename = sensitive(\"a\")", "the argument `filename` is sensitive"),
            (
                "template_file",
                "id",
                "filename = \"a\"",
                "its result with the argument `filename` is not certain",
            ),
            (
                "aws_iam_policy_document",
                "json",
                "statement { effect = \"Maybe\" }",
                "the provider refuses the effect `Maybe`",
            ),
            (
                "google_iam_policy",
                "id",
                "audit_config {}\naudit_config {}",
                "the provider orders several `audit_config` by hash",
            ),
            (
                "aws_region",
                "name",
                "",
                "the provider configuration sets no region, so the environment decides",
            ),
        ];
        assert_reasons(&cases);
    }

    #[test]
    fn files_and_certificates_have_reasons() {
        assert_reasons(&[
            (
                "archive_file",
                "output_md5",
                "type = \"zip\"\noutput_path = \"z\"\nsource_dir = \"d\"\nexcludes = [\"*.o\"]\noutput_file_mode = \"0600\"",
                "versions of the provider read the pattern `*.o` in `excludes` differently",
            ),
            (
                "tls_certificate",
                "certificates",
                "url = \"https://example.test\"",
                "with `url` the provider asks a server for the certificates",
            ),
            ("tls_certificate", "id", "content = \"a\"", "`content` is not in PEM form"),
        ]);
    }

    /// Checks cases of a data source type, an attribute, the body of the block and the reason for which
    /// the attribute is unknown.
    fn assert_reasons(cases: &[(&str, &str, &str, &str)]) {
        for (name, attribute, body, expected) in cases {
            let address = format!("data.{name}.x");
            let text = format!(
                "data \"{name}\" \"x\" {{\n{body}\n}}\noutput \"o\" {{ value = {address}.{attribute} }}\n"
            );
            let expected =
                format!("{address}.{attribute} is read by the provider (not computed: {expected})");
            assert_eq!(reason(&text), expected);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_a_reason() {
        let text = "data \"local_file\" \"x\" {\n  filename = \"x.bin\"\n}\n\
                    output \"o\" { value = data.local_file.x.content }\n";
        let files = MemoryFiles::from_iter([("main.tf", text)]);
        files.insert("x.bin", [0xff, b'a']);
        let expected = "data.local_file.x.content is read by the provider (not computed: the file is not UTF-8; \
                        its bytes are in `content_base64`)";
        assert_eq!(reason_of(&files), expected);
        files.insert("main.tf", text.replace(".content }", ".content_base64 }"));
        assert_eq!(reason_of(&files), "");
    }

    #[test]
    fn another_version_or_provider_is_a_reason() {
        let data = "data \"archive_file\" \"x\" {}\noutput \"o\" { value = data.archive_file.x.id }\n";
        let required = |argument: &str| {
            format!("{data}terraform {{\n  required_providers {{\n    archive = {{ {argument} }}\n  }}\n}}\n")
        };
        let expected =
            |reason: &str| format!("data.archive_file.x.id is read by the provider (not computed: {reason})");
        let constraint = required("source = \"hashicorp/archive\", version = \"< 2.4\"");
        let reason_of_constraint = "the constraints allow no version of hashicorp/archive from 2.4.0 on";
        assert_eq!(reason(&constraint), expected(reason_of_constraint));
        let publisher = required("source = \"acme/archive\"");
        let reason_of_publisher = "its provider is acme/archive, not hashicorp/archive";
        assert_eq!(reason(&publisher), expected(reason_of_publisher));
        let broken = required("source = = \"acme/archive\"");
        assert_eq!(reason(&broken), expected("text that cannot be read may name another provider"));
        let lock = |version: &str| {
            format!("provider \"registry.opentofu.org/hashicorp/archive\" {{\n  {version}\n}}\n")
        };
        let locked = |version: &str| {
            let lock = lock(version);
            reason_of(&MemoryFiles::from_iter([("main.tf", data), (".terraform.lock.hcl", lock.as_str())]))
        };
        let older = "the lock file has hashicorp/archive 2.3.9, which is older than 2.4.0";
        assert_eq!(locked("version = \"2.3.9\""), expected(older));
        assert_eq!(locked(""), expected("the lock file has no version of hashicorp/archive"));
    }
}
