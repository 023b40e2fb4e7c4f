//! `google_iam_policy`: a policy as JSON text.

use std::collections::{BTreeMap, BTreeSet};

use terrane_value::Value;

use super::arguments::{blocks, required, text, texts};
use super::json::{Json, Layout, checksum};
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};

pub(super) const GOOGLE_POLICY: DataSource = DataSource {
    name: "google_iam_policy",
    is_resource: false,
    provider: "google",
    // From this version on, the provider joins equal bindings and sorts them.
    since: [4, 39, 0],
    arguments: &["binding", "audit_config"],
    provider_arguments: &[],
    sensitive: &[],
    attributes: &[("policy_data", AttributeType::Text), ("id", AttributeType::Text)],
    compute,
    examples: &[DataSourceExample {
        body: "binding {\n  role = \"roles/viewer\"\n  members = [\"user:b\", \"user:a\"]\n}",
        attribute: "policy_data",
        value: "{\"bindings\":[{\"members\":[\"user:a\",\"user:b\"],\"role\":\"roles/viewer\"}]}",
    }],
};

/// The key of a binding. The bindings are in the order of their keys in the text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Binding {
    role: String,
    /// `None` sorts first, so a binding without a condition comes first.
    condition: Option<Condition>,
}

/// A condition of a binding. Conditions are compared by their fields in this order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Condition {
    expression: String,
    title: String,
    description: String,
}

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let mut bindings: BTreeMap<Binding, BTreeSet<String>> = BTreeMap::new();
    // The provider compares the members of the blocks as they are, and keeps only one of several equal blocks.
    let mut seen: BTreeMap<Binding, Vec<BTreeSet<String>>> = BTreeMap::new();
    for block in blocks(computation.arguments, "binding")? {
        let members: BTreeSet<String> = texts(block, "members")?.into_iter().collect();
        if members.iter().any(|member| member.starts_with("deleted:")) {
            return Err("the provider refuses members that are deleted".into());
        }
        let of_binding = seen.entry(binding(block)?).or_default();
        if of_binding.contains(&members) {
            continue;
        }
        // The provider writes a member of two blocks twice.
        if of_binding.iter().any(|other| !other.is_disjoint(&members)) {
            return Err("a member stands in two bindings of one role".into());
        }
        bindings.entry(binding(block)?).or_default().extend(members.iter().cloned());
        of_binding.push(members);
    }
    let mut policy = Vec::new();
    let audit = audit_configs(computation.arguments)?;
    policy.extend(audit.map(|audit| ("auditConfigs".to_owned(), audit)));
    if !bindings.is_empty() {
        let all = bindings.into_iter().map(|(binding, members)| binding.into_json(members)).collect();
        policy.push(("bindings".to_owned(), Json::Array(all)));
    }
    let policy = Json::Object(policy).text(Layout::Minified);
    Ok(vec![("id", checksum(&policy).into()), ("policy_data", Value::from(policy))])
}

fn binding(block: &Value) -> Result<Binding, NotComputed> {
    let condition = match blocks(block, "condition")? {
        [] => None,
        [condition] => Some(Condition {
            expression: required(condition, "expression")?,
            title: required(condition, "title")?,
            description: text(condition, "description")?.unwrap_or_default(),
        }),
        _ => return Err("the provider refuses several `condition` blocks".into()),
    };
    Ok(Binding { role: required(block, "role")?, condition })
}

impl Binding {
    fn into_json(self, members: BTreeSet<String>) -> Json {
        let condition = self.condition.map(|condition| {
            object([
                ("description", filled(condition.description)),
                ("expression", filled(condition.expression)),
                ("title", filled(condition.title)),
            ])
        });
        object([("condition", condition), ("members", filled_list(members)), ("role", filled(self.role))])
    }
}

/// Returns the audit configurations, if there are any. Several configurations are in the order of their hashes.
fn audit_configs(arguments: &Value) -> Result<Option<Json>, NotComputed> {
    let several = |name: &str| NotComputed::from(format!("the provider orders several `{name}` by hash"));
    let config = match blocks(arguments, "audit_config")? {
        [] => return Ok(None),
        [config] => config,
        _ => return Err(several("audit_config")),
    };
    let logs = match blocks(config, "audit_log_configs")? {
        [] => None,
        [log] => {
            let members: BTreeSet<String> = texts(log, "exempted_members")?.into_iter().collect();
            if members.len() > 1 {
                return Err(several("exempted_members"));
            }
            let log_type = required(log, "log_type")?;
            let log = [("exemptedMembers", filled_list(members)), ("logType", filled(log_type))];
            Some(Json::Array(vec![object(log)]))
        }
        _ => return Err(several("audit_log_configs")),
    };
    let service = required(config, "service")?;
    let config = object([("auditLogConfigs", logs), ("service", filled(service))]);
    Ok(Some(Json::Array(vec![config])))
}

/// Returns an object without its empty members, as Go's library writes it.
fn object<const N: usize>(members: [(&str, Option<Json>); N]) -> Json {
    let members = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Json::Object(members.collect())
}

fn filled(text: String) -> Option<Json> {
    (!text.is_empty()).then_some(Json::Text(text))
}

fn filled_list(texts: BTreeSet<String>) -> Option<Json> {
    (!texts.is_empty()).then(|| Json::Array(texts.into_iter().map(Json::Text).collect()))
}
