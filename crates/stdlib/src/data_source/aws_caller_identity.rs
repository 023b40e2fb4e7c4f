//! `aws_caller_identity`: the account, if the provider configuration allows only one.

use terrane_value::{Type, Value, convert};

use super::aws_arn::Arn;
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};

/// The argument with the role that the provider assumes last.
const ROLE: &str = "assume_role.role_arn";

/// The argument with the role that the provider assumes before [`ROLE`].
const FIRST_ROLE: &str = "assume_role_with_web_identity.role_arn";

/// The argument with the only accounts that the provider may be used for.
const ALLOWED: &str = "allowed_account_ids";

/// If this argument is true, the provider does not ask for its account, and compares it with nothing.
const SKIPPED: &str = "skip_requesting_account_id";

/// The argument with the address of another service that answers instead.
const ENDPOINT: &str = "endpoints.sts";

pub(super) const CALLER_IDENTITY: DataSource = DataSource {
    name: "aws_caller_identity",
    is_resource: false,
    provider: "aws",
    since: [4, 0, 0],
    arguments: &[],
    provider_arguments: &[ROLE, FIRST_ROLE, ALLOWED, SKIPPED, ENDPOINT],
    sensitive: &[],
    attributes: &[("id", AttributeType::Text), ("account_id", AttributeType::Text)],
    compute,
    examples: &[DataSourceExample {
        body: "}\nprovider \"aws\" {\n  assume_role {\n    role_arn = \"arn:aws:iam::123456789012:role/ci\"\n  }",
        attribute: "account_id",
        value: "123456789012",
    }],
};

/// If the provider assumes a role, the account is the one in the role's name. Otherwise it is the only allowed account, since
/// the provider refuses any other.
fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    if known_argument(computation, ENDPOINT)?.is_some() {
        return Err("the provider configuration names another endpoint, which may answer anything".into());
    }
    for name in [ROLE, FIRST_ROLE] {
        let Some(role) = known_argument(computation, name)? else { continue };
        let role = text(&role)?;
        if role.is_empty() {
            continue;
        }
        let account = Arn::parse(&role).map(|arn| arn.account.to_owned());
        return of(&account.ok_or("the role of the provider is not an Amazon Resource Name")?);
    }
    let is_skipped =
        known_argument(computation, SKIPPED)?.is_some_and(|value| value.as_bool() != Some(false));
    let allowed = known_argument(computation, ALLOWED)?.filter(|_| !is_skipped);
    match allowed.as_ref().and_then(Value::as_sequence) {
        Some([only]) => of(&text(only)?),
        Some(_) | None => Err("the credentials of the provider decide the account".into()),
    }
}

fn of(account: &str) -> Result<Attributes, NotComputed> {
    let is_account = account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit());
    if !is_account {
        return Err(format!("`{account}` is not the number of an account").into());
    }
    Ok(vec![("id", account.into()), ("account_id", account.into())])
}

/// Returns an argument of the provider configuration; `None` if it is not set or null.
fn known_argument(computation: &Computation<'_>, path: &str) -> Result<Option<Value>, NotComputed> {
    let Some(value) = computation.surroundings.provider_argument(path) else { return Ok(None) };
    if value.contains_marked() {
        return Err(format!("`{path}` of the provider is sensitive").into());
    }
    match value.is_wholly_known() {
        true => Ok(Some(value).filter(|value| !value.is_null())),
        false => Err(NotComputed::from(value.origins_deep())),
    }
}

fn text(value: &Value) -> Result<String, NotComputed> {
    let text = convert(value, &Type::String).ok().and_then(|text| text.as_str().map(str::to_owned));
    text.ok_or("an argument of the provider is no text".into())
}
