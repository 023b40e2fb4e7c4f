//! Reads the configuration of OpenTofu's encryption, as the environment variable `TF_ENCRYPTION` has it.

use std::sync::LazyLock;

use terrane_body::constant::constant;
use terrane_body::{Attribute, Block, Body, BodySchema, Content};
use terrane_config::state_file::{Decryption, DecryptionKey, DecryptionMethod};
use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_value::Value;

/// Limit on the fallbacks of a state, one in the other.
const MOST_FALLBACKS: usize = 100;

static ENCRYPTION: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new()
        .block("key_provider", &["type", "name"])
        .block("method", &["type", "name"])
        .block("state", &[])
        .block("plan", &[])
        .block("remote_state_data_sources", &[])
});

static KEY_PROVIDER: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new().all_optional(&["passphrase", "key", "chain", "encrypted_metadata_alias"])
});

static METHOD: LazyLock<BodySchema> = LazyLock::new(|| BodySchema::new().all_optional(&["keys", "aad"]));

static TARGET: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["method", "enforced"]).block("fallback", &[]));

/// The methods that decrypt a state, from the configuration of OpenTofu's encryption: the content of an `encryption` block, in native
/// or JSON syntax.
///
/// ```
/// let decryption = terrane::decryption(
///     r#"key_provider "pbkdf2" "main" { passphrase = "a long enough passphrase" }
///        method "aes_gcm" "main" { keys = key_provider.pbkdf2.main }
///        state { method = method.aes_gcm.main }"#,
/// )?;
/// assert_eq!(decryption.methods.len(), 1);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
///
/// If the text is not such a configuration, or if its keys come from a service. No error has a key or passphrase.
pub fn decryption(text: &str) -> Result<Decryption, String> {
    let source = SourceFile::new(FileId::new("TF_ENCRYPTION"), text);
    let mut diagnostics = Diagnostics::new();
    let body = match text.trim_start().starts_with('{') {
        true => {
            let document = terrane_syntax::parse_json(&source);
            diagnostics.extend(document.diagnostics);
            Body::json(&document.tree, document.root)
        }
        false => {
            let parsed = terrane_syntax::parse_body(&source);
            diagnostics.extend(parsed.diagnostics);
            Body::native(&parsed.tree, parsed.root)
        }
    };
    let content = content(&body, &ENCRYPTION, &mut diagnostics)?;
    let Some(state) = content.blocks_of("state").next() else {
        return Err("it has no `state` block, which names the method of encryption".to_owned());
    };
    let (mut methods, mut unusable) = (Vec::new(), Vec::new());
    let mut target = Some(state.clone());
    while let Some(block) = target.take() {
        let fields = self::content(&block.body, &TARGET, &mut diagnostics)?;
        if methods.len() == MOST_FALLBACKS {
            return Err(format!("its `state` block has more than {MOST_FALLBACKS} fallbacks"));
        }
        if let Some(method) = fields.attribute("method") {
            let method = reference(method, "method.aes_gcm.main");
            match method.and_then(|method| read_method(&method, &content, &mut diagnostics)) {
                Ok(method) => methods.extend(method),
                Err(error) => unusable.push(error),
            }
        }
        target = fields.blocks_of("fallback").next().cloned();
    }
    match unusable.first() {
        _ if !methods.is_empty() => Ok(Decryption { methods, unusable }),
        Some(problem) => Err(problem.clone()),
        None => Err("its `state` block names no method that encrypts".to_owned()),
    }
}

/// The content of a body. An error names only the line, as the text has secrets.
fn content(body: &Body, schema: &BodySchema, diagnostics: &mut Diagnostics) -> Result<Content, String> {
    let (content, _) = body.partial_content(schema, diagnostics);
    match diagnostics.as_slice().iter().find(|found| found.is_error()) {
        None => Ok(content),
        Some(error) => {
            let line = error.subject.as_ref().map_or(1, |place| place.file.lines().line(place.span.start));
            Err(format!("line {line} is not valid: {}", error.title().to_lowercase()))
        }
    }
}

/// The address in an argument, such as `method.aes_gcm.main`. An error does not show other text, which may be a key.
fn reference(attribute: &Attribute, example: &str) -> Result<String, String> {
    let expression = attribute.reference();
    let text = expression.tree.expr_text(expression.id).trim_matches('"');
    // JSON has it in a template.
    let text = text.strip_prefix("${").and_then(|text| text.strip_suffix('}')).unwrap_or(text).trim();
    let kind = example.split('.').next().unwrap_or_default();
    let is_address = text.split('.').count() == 3
        && text.split('.').next() == Some(kind)
        && text.chars().all(|character| character.is_alphanumeric() || "._-".contains(character));
    is_address
        .then(|| text.to_owned())
        .ok_or_else(|| format!("`{}` must be an address such as {example}", attribute.name))
}

/// The block of this address: `method "aes_gcm" "main"` for `method.aes_gcm.main`.
fn find<'c>(content: &'c Content, kind: &'static str, address: &str) -> Result<&'c Block, String> {
    let is_meant = |block: &&Block| {
        let labels: Vec<&str> = block.labels.iter().map(|label| &*label.text).collect();
        format!("{kind}.{}", labels.join(".")) == address
    };
    let found = content.blocks_of(kind).find(is_meant);
    found.ok_or_else(|| format!("it has no block for `{address}`"))
}

/// The method at an address; none if it does not encrypt.
fn read_method(
    address: &str,
    content: &Content,
    diagnostics: &mut Diagnostics,
) -> Result<Option<DecryptionMethod>, String> {
    let block = find(content, "method", address)?;
    match block.labels.first().map(|label| &*label.text) {
        Some("unencrypted") => return Ok(None),
        Some("aes_gcm") => {}
        Some(other) => return Err(format!("the method {other:?} is not supported, only \"aes_gcm\" is")),
        None => return Err("a `method` block has no type".to_owned()),
    }
    let fields = self::content(&block.body, &METHOD, diagnostics)?;
    let Some(keys) = fields.attribute("keys") else { return Err(format!("`{address}` has no `keys`")) };
    let additional_data = match fields.attribute("aad") {
        None => Vec::new(),
        Some(aad) => bytes(aad).ok_or_else(|| format!("`aad` of `{address}` must be a list of bytes"))?,
    };
    let key = read_key(&reference(keys, "key_provider.pbkdf2.main")?, content, diagnostics)?;
    Ok(Some(DecryptionMethod { key, additional_data }))
}

fn read_key(
    address: &str,
    content: &Content,
    diagnostics: &mut Diagnostics,
) -> Result<DecryptionKey, String> {
    let block = find(content, "key_provider", address)?;
    let kind = block.labels.first().map_or("", |label| &*label.text);
    if !["static", "pbkdf2"].contains(&kind) {
        return Err(format!(
            "the key provider {kind:?} gets its keys elsewhere; only \"static\" and \"pbkdf2\" with a passphrase are supported"
        ));
    }
    let fields = self::content(&block.body, &KEY_PROVIDER, diagnostics)?;
    let text = |name: &str| {
        match fields.attribute(name) {
        None => Ok(None),
        Some(attribute) => text(attribute).map(Some).ok_or_else(|| {
            format!("`{name}` of `{address}` must be a text without references, as there is no configuration around it")
        }),
    }
    };
    if kind == "static" {
        let key = text("key")?.ok_or_else(|| format!("`{address}` has no `key`"))?;
        let key = hex(&key)
            .ok_or_else(|| format!("the key of `{address}` must be written in hexadecimal digits"))?;
        return Ok(DecryptionKey::Static(key));
    }
    if fields.attribute("chain").is_some() {
        return Err(format!(
            "`{address}` gets its passphrase from another key provider, which is not supported"
        ));
    }
    let passphrase = text("passphrase")?.ok_or_else(|| format!("`{address}` has no `passphrase`"))?;
    let alias = text("encrypted_metadata_alias")?;
    Ok(DecryptionKey::Passphrase { metadata: alias.unwrap_or_else(|| address.to_owned()), passphrase })
}

/// A constant text. Its mistakes are not shown, as they might show it.
fn text(attribute: &Attribute) -> Option<String> {
    constant(&attribute.literal(), &mut Diagnostics::new())?.as_str().map(str::to_owned)
}

/// A constant list of bytes.
fn bytes(attribute: &Attribute) -> Option<Vec<u8>> {
    let value = constant(&attribute.literal(), &mut Diagnostics::new())?;
    let byte = |value: &Value| u8::try_from(value.as_number()?.to_i64()?).ok();
    value.as_sequence()?.iter().map(byte).collect()
}

/// The bytes in hexadecimal digits.
fn hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) {
        return None;
    }
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    if digits.contains('+') { None } else { (0..digits.len()).step_by(2).map(pair).collect() }
}
