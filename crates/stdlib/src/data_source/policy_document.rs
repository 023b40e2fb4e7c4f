//! `aws_iam_policy_document`: a policy as JSON text, as versions 5 and later of the provider write it.
//!
//! Blocks of a type are a set in the provider. Where they are joined, the order of that set shows in the text.

use std::collections::{BTreeMap, BTreeSet};

use terrane_source::sorted_map;
use terrane_value::Value;
use terrane_value::json::decode;

use super::arguments::{argument, blocks, required, text, texts};
use super::json::{Json, Layout, checksum};
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};
use super::sdk_set;

/// The row of versions 5.0 to 5.48, which have no `minified_json`.
pub(super) const BEFORE_5_49: DataSource = DataSource {
    since: [5, 0, 0],
    attributes: &[("json", AttributeType::Text), ("id", AttributeType::Text)],
    compute: |computation| {
        let mut attributes = compute(computation)?;
        attributes.retain(|(name, _)| *name != "minified_json");
        Ok(attributes)
    },
    examples: &[DataSourceExample {
        body: "statement {\n  actions = [\"s3:GetObject\"]\n  resources = [\"*\"]\n}",
        attribute: "json",
        value: "{\n  \"Version\": \"2012-10-17\",\n  \"Statement\": [\n    {\n      \"Effect\": \"Allow\",\n      \
                \"Action\": \"s3:GetObject\",\n      \"Resource\": \"*\"\n    }\n  ]\n}",
    }],
    ..BEFORE_5_82
};

/// The row of versions 5.49 to 5.81. They accept any `sid`, as versions from 5.84 on do again.
pub(super) const BEFORE_5_82: DataSource = DataSource {
    name: "aws_iam_policy_document",
    is_resource: false,
    provider: "aws",
    since: [5, 49, 0],
    arguments: &[
        "version",
        "policy_id",
        "statement",
        "source_policy_documents",
        "override_policy_documents",
        "source_json",
        "override_json",
    ],
    provider_arguments: &[],
    sensitive: &[],
    attributes: &[
        ("json", AttributeType::Text),
        ("minified_json", AttributeType::Text),
        ("id", AttributeType::Text),
    ],
    compute,
    examples: &[DataSourceExample {
        body: "statement {\n  actions = [\"s3:GetObject\"]\n  resources = [\"*\"]\n}",
        attribute: "minified_json",
        value: "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Action\":\"s3:GetObject\",\
                \"Resource\":\"*\"}]}",
    }],
};

/// The row of versions 5.82 and 5.83, which check a `sid`.
pub(super) const BEFORE_5_84: DataSource =
    DataSource { since: [5, 82, 0], compute: compute_with_plain_sids, ..BEFORE_5_82 };

/// The row of the newest versions, which accept any `sid` again.
pub(super) const POLICY_DOCUMENT: DataSource = DataSource { since: [5, 84, 0], ..BEFORE_5_82 };

/// The version of a policy that does not name its version.
const VERSION: &str = "2012-10-17";

/// The versions that the provider accepts.
const VERSIONS: [&str; 2] = ["2008-10-17", VERSION];

/// The fields of a statement, in the order of the text.
const FIELDS: [&str; 9] = [
    "Sid",
    "Effect",
    "Action",
    "NotAction",
    "Resource",
    "NotResource",
    "Principal",
    "NotPrincipal",
    "Condition",
];

/// The work to read, check and write a byte of a document that is merged.
const WORK_OF_DOCUMENT_BYTE: usize = 4;

/// The work of an element of the arguments.
const WORK_OF_ELEMENT: usize = 16;

/// A policy.
#[derive(Default)]
struct Policy {
    version: String,
    id: String,
    statements: Vec<Statement>,
    /// The place of each merged statement with a `Sid`.
    by_sid: BTreeMap<String, usize>,
}

/// The fields of a statement, by their place in [`FIELDS`].
type Statement = BTreeMap<usize, Json>;

fn compute_with_plain_sids(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    for block in blocks(computation.arguments, "statement")? {
        let sid = text(block, "sid")?.unwrap_or_default();
        if !sid.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(format!("the version of the provider refuses the sid `{sid}`").into());
        }
    }
    compute(computation)
}

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let arguments = computation.arguments;
    for old in ["source_json", "override_json"] {
        if text(arguments, old)?.is_some_and(|text| !text.is_empty()) {
            return Err(format!("the provider refuses `{old}`").into());
        }
    }
    let (elements, bytes) = arguments.extent();
    computation.spend(elements.saturating_mul(WORK_OF_ELEMENT).saturating_add(bytes))?;
    let mut policy = Policy::default();
    let mut sids = BTreeSet::new();
    for text in documents(arguments, "source_policy_documents")? {
        computation.spend(text.len().saturating_mul(WORK_OF_DOCUMENT_BYTE))?;
        let source = read(&text).ok_or(UNREADABLE)?;
        for sid in source.statements.iter().filter_map(sid) {
            unique(&mut sids, sid)?;
        }
        policy.merge(source);
    }
    policy.merge(own(arguments)?);
    for text in documents(arguments, "override_policy_documents")? {
        computation.spend(text.len().saturating_mul(WORK_OF_DOCUMENT_BYTE))?;
        policy.merge(read(&text).ok_or(UNREADABLE)?);
    }
    let policy = policy.into_json();
    let json = policy.text(Layout::Indented);
    computation.spend(json.len())?;
    let id = checksum(&json);
    let minified = policy.text(Layout::Minified);
    Ok(vec![("json", json.into()), ("minified_json", minified.into()), ("id", id.into())])
}

/// Returns the texts of the other documents that an argument lists. Documents that are null or empty are left out.
fn documents(arguments: &Value, name: &str) -> Result<Vec<String>, NotComputed> {
    let Some(all) = argument(arguments, name) else { return Ok(Vec::new()) };
    let all = all.as_sequence().ok_or("the other documents are not a list")?;
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or(NotComputed::from(UNREADABLE));
    let texts: Vec<String> =
        all.iter().filter(|value| !value.is_null()).map(text).collect::<Result<_, _>>()?;
    Ok(texts.into_iter().filter(|text| !text.is_empty()).collect())
}

/// The reason why another document is not merged.
const UNREADABLE: &str =
    "a document to merge is not a policy whose statements the provider keeps as they are";

fn unique(sids: &mut BTreeSet<String>, sid: &str) -> Result<(), NotComputed> {
    match sids.insert(sid.to_owned()) {
        true => Ok(()),
        false => Err(format!("the sid `{sid}` is repeated").into()),
    }
}

/// Returns the policy that the arguments describe, without other documents.
fn own(arguments: &Value) -> Result<Policy, NotComputed> {
    let version = text(arguments, "version")?.unwrap_or_else(|| VERSION.to_owned());
    if !VERSIONS.contains(&version.as_str()) {
        return Err(format!("the provider refuses the version `{version}`").into());
    }
    let mut sids = BTreeSet::new();
    let mut statements = Vec::new();
    for block in blocks(arguments, "statement")? {
        let statement = statement(block, &version)?;
        if let Some(sid) = sid(&statement) {
            unique(&mut sids, sid)?;
        }
        statements.push(statement);
    }
    let id = text(arguments, "policy_id")?.unwrap_or_default();
    Ok(Policy { version, id, statements, ..Policy::default() })
}

/// Returns the statement that a block describes.
fn statement(block: &Value, version: &str) -> Result<Statement, NotComputed> {
    let mut statement = Statement::new();
    let effect = text(block, "effect")?.unwrap_or_else(|| "Allow".to_owned());
    if !["Allow", "Deny"].contains(&effect.as_str()) {
        return Err(format!("the provider refuses the effect `{effect}`").into());
    }
    let mut add = |name: &str, value: Option<Json>| {
        let place = FIELDS.iter().position(|field| *field == name);
        statement.extend(place.zip(value));
    };
    let filled = |text: String| (!text.is_empty()).then_some(Json::Text(text));
    let sid = text(block, "sid")?.unwrap_or_default();
    add("Sid", filled(sid));
    add("Effect", filled(effect));
    add("Action", one_or_array(set(block, "actions")?));
    add("NotAction", one_or_array(set(block, "not_actions")?));
    add("Resource", one_or_array(set_with_variables(block, "resources", version)?));
    add("NotResource", one_or_array(set_with_variables(block, "not_resources", version)?));
    add("Principal", principals(block, "principals", version)?);
    add("NotPrincipal", principals(block, "not_principals", version)?);
    add("Condition", conditions(block, version)?);
    Ok(statement)
}

/// Returns the principals of a statement. The principals of several blocks of one type follow each other in the order of the
/// SDK's sets.
fn principals(block: &Value, name: &str, version: &str) -> Result<Option<Json>, NotComputed> {
    let mut all = Vec::new();
    for principal in blocks(block, name)? {
        let principal_type = required(principal, "type")?;
        let identifiers: BTreeSet<String> = texts(principal, "identifiers")?.into_iter().collect();
        let identifiers_text = sdk_set::set(identifiers.iter().map(String::as_str));
        let text = format!("identifiers:{identifiers_text};type:{principal_type};");
        let identifiers = identifiers.into_iter().map(|text| with_variables(text, version));
        let mut identifiers = identifiers.collect::<Result<Vec<_>, _>>()?;
        identifiers.sort_unstable_by(|one, other| other.cmp(one));
        all.push((text, (principal_type, identifiers)));
    }
    let mut by_type: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for (principal_type, identifiers) in sdk_set::in_order(all) {
        by_type.entry(principal_type).or_default().push(identifiers);
    }
    // Versions of the provider differ in the form of one identifier beside none.
    if by_type.values().any(|blocks| blocks.len() > 1 && blocks.iter().any(Vec::is_empty)) {
        return Err("`identifiers` is empty beside another block for its type".into());
    }
    let written = by_type.into_iter().map(|(name, blocks)| (name, one_or_list(blocks.concat())));
    Ok(written_principals(sorted_map(written)))
}

fn written_principals(by_type: BTreeMap<String, Json>) -> Option<Json> {
    let everyone = Json::Text("*".to_owned());
    let is_everyone = |(name, identifiers): (&String, &Json)| {
        name == "*" && (*identifiers == everyone || *identifiers == Json::Array(vec![everyone.clone()]))
    };
    match by_type.len() {
        0 => None,
        1 if by_type.iter().all(is_everyone) => Some(everyone),
        _ => Some(Json::Object(by_type.into_iter().collect())),
    }
}

/// Returns the conditions of a statement. The values of a variable keep their order. The values of several blocks with one test
/// and variable follow each other in the order of the SDK's sets.
fn conditions(block: &Value, version: &str) -> Result<Option<Json>, NotComputed> {
    let mut all = Vec::new();
    for condition in blocks(block, "condition")? {
        let (test, variable) = (required(condition, "test")?, required(condition, "variable")?);
        let values = texts(condition, "values")?;
        let text = format!("test:{test};values:{};variable:{variable};", sdk_set::list(&values));
        let values = values.into_iter().map(|text| with_variables(text, version));
        all.push((text, (test, variable, values.collect::<Result<Vec<_>, _>>()?)));
    }
    let mut by_test: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for (test, variable, values) in sdk_set::in_order(all) {
        by_test.entry(test).or_default().entry(variable).or_default().extend(values);
    }
    let variables = |by_variable: BTreeMap<String, Vec<String>>| {
        sorted_map(by_variable.into_iter().map(|(name, values)| (name, one_or_list(values))))
    };
    Ok(written_conditions(sorted_map(by_test.into_iter().map(|(test, all)| (test, variables(all))))))
}

fn written_conditions(by_test: BTreeMap<String, BTreeMap<String, Json>>) -> Option<Json> {
    let test = |(test, variables): (String, BTreeMap<String, Json>)| {
        (test, Json::Object(variables.into_iter().collect()))
    };
    (!by_test.is_empty()).then(|| Json::Object(by_test.into_iter().map(test).collect()))
}

/// Returns the policy that another document has as text. Returns `None` if the provider refuses the document or drops some of
/// its members.
fn read(text: &str) -> Option<Policy> {
    let document = decode(text).ok()?;
    let members = document.as_entries()?;
    if members.iter().any(|(name, _)| !["Version", "Id", "Statement"].contains(&name.as_str())) {
        return None;
    }
    let field =
        |name: &str| members.get(name).map_or(Some(String::new()), |value| Some(value.as_str()?.to_owned()));
    let statements = members.get("Statement").map_or(Some(&[][..]), Value::as_sequence)?;
    let statements = statements.iter().map(read_statement).collect::<Option<Vec<_>>>()?;
    Some(Policy { version: field("Version")?, id: field("Id")?, statements, ..Policy::default() })
}

fn read_statement(statement: &Value) -> Option<Statement> {
    let mut fields = Statement::new();
    for (name, value) in statement.as_entries()? {
        let place = FIELDS.iter().position(|field| field == name)?;
        let json = match name.as_str() {
            "Sid" | "Effect" => Json::Text(value.as_str()?.to_owned()),
            "Action" | "NotAction" | "Resource" | "NotResource" => as_written(value)?,
            "Principal" | "NotPrincipal" => read_principals(value)?,
            _ => match written_conditions(read_conditions(value)?) {
                Some(conditions) => conditions,
                // The provider drops tests without a variable.
                None => continue,
            },
        };
        let is_empty =
            matches!(&json, Json::Text(text) if text.is_empty() && matches!(name.as_str(), "Sid" | "Effect"));
        if !is_empty {
            fields.insert(place, json);
        }
    }
    Some(fields)
}

/// Returns a text or an array of texts as it is written; `None` for any other value.
fn as_written(value: &Value) -> Option<Json> {
    if let Some(text) = value.as_str() {
        return Some(Json::Text(text.to_owned()));
    }
    let text = |value: &Value| Some(Json::Text(value.as_str()?.to_owned()));
    Some(Json::Array(value.as_sequence()?.iter().map(text).collect::<Option<_>>()?))
}

fn read_principals(value: &Value) -> Option<Json> {
    // As a principal, any text means everyone.
    if value.as_str().is_some() {
        return Some(Json::Text("*".to_owned()));
    }
    let principal = |(name, identifiers): (&terrane_value::SmolStr, &Value)| {
        let identifiers = match as_written(identifiers)? {
            Json::Array(mut all) => {
                all.sort_unstable_by(|one, other| other.as_text().cmp(&one.as_text()));
                Json::Array(all)
            }
            Json::Text(text) => Json::Text(text),
            Json::Object(_) => return None,
        };
        Some((name.to_string(), identifiers))
    };
    written_principals(value.as_entries()?.iter().map(principal).collect::<Option<_>>()?)
}

/// Returns the values of the variables of each test that has variables.
fn read_conditions(value: &Value) -> Option<BTreeMap<String, BTreeMap<String, Json>>> {
    let mut by_test = BTreeMap::new();
    for (test, variables) in value.as_entries()? {
        let mut by_variable = BTreeMap::new();
        for (variable, values) in variables.as_entries()? {
            let values = match values
                .as_bool()
                .map_or_else(|| as_written(values), |value| Some(Json::Text(value.to_string())))?
            {
                Json::Array(mut all) if all.len() == 1 => all.pop()?,
                Json::Array(all) => Json::Array(all),
                Json::Text(text) => Json::Text(text),
                Json::Object(_) => return None,
            };
            by_variable.insert(variable.to_string(), values);
        }
        if !by_variable.is_empty() {
            by_test.insert(test.to_string(), by_variable);
        }
    }
    Some(by_test)
}

impl Policy {
    /// Merges the statements of another policy into this one: each replaces the statement with the same `Sid`, or is added at
    /// the end.
    fn merge(&mut self, other: Policy) {
        if !other.id.is_empty() {
            self.id = other.id;
        }
        self.version = std::mem::take(&mut self.version).max(other.version);
        for statement in other.statements {
            let place = sid(&statement).and_then(|sid| self.by_sid.get(sid).copied());
            match place.and_then(|place| self.statements.get_mut(place)) {
                Some(existing) => *existing = statement,
                None => {
                    let sid = sid(&statement).map(str::to_owned);
                    self.by_sid.extend(sid.map(|sid| (sid, self.statements.len())));
                    self.statements.push(statement);
                }
            }
        }
    }

    fn into_json(self) -> Json {
        let statement = |statement: Statement| {
            let field = |(place, value): (usize, Json)| Some(((*FIELDS.get(place)?).to_owned(), value));
            Json::Object(statement.into_iter().filter_map(field).collect())
        };
        let statements: Vec<Json> = self.statements.into_iter().map(statement).collect();
        let texts =
            [("Version", self.version), ("Id", self.id)].into_iter().filter(|(_, text)| !text.is_empty());
        let mut members: Vec<(String, Json)> =
            texts.map(|(name, text)| (name.to_owned(), Json::Text(text))).collect();
        if !statements.is_empty() {
            members.push(("Statement".to_owned(), Json::Array(statements)));
        }
        Json::Object(members)
    }
}

fn sid(statement: &Statement) -> Option<&str> {
    statement.get(&0)?.as_text()
}

/// Returns the text with `${` instead of `&{`, because the language itself would evaluate `${`. Policies of the oldest version
/// have no variables.
fn with_variables(text: String, version: &str) -> Result<String, NotComputed> {
    match text.contains("&{") {
        true if version == "2008-10-17" => {
            Err("the provider refuses `&{` in a policy of version 2008-10-17".into())
        }
        true => Ok(text.replace("&{", "${")),
        false => Ok(text),
    }
}

/// Returns a set of texts in descending order.
fn set(arguments: &Value, name: &str) -> Result<Vec<String>, NotComputed> {
    let distinct: BTreeSet<String> = texts(arguments, name)?.into_iter().collect();
    Ok(distinct.into_iter().rev().collect())
}

/// Returns a set of texts that may have variables, in descending order.
fn set_with_variables(block: &Value, name: &str, version: &str) -> Result<Vec<String>, NotComputed> {
    set(block, name)?.into_iter().map(|text| with_variables(text, version)).collect()
}

/// Returns a single text by itself, and several as an array; `None` if there are no texts.
fn one_or_array(mut texts: Vec<String>) -> Option<Json> {
    match texts.len() {
        0 => None,
        1 => texts.pop().map(Json::Text),
        _ => Some(Json::Array(texts.into_iter().map(Json::Text).collect())),
    }
}

/// Returns a single text by itself, and any other number of texts as an array.
fn one_or_list(texts: Vec<String>) -> Json {
    one_or_array(texts).unwrap_or(Json::Array(Vec::new()))
}
