//! Reads how OpenTofu encrypts states: from `encryption` blocks of the root module, which `TF_ENCRYPTION` overrides.
//!
//! Texts may be computed from variables and local values. No message contains a key, a passphrase or the text of an
//! expression.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use terrane_body::{Attribute, Body, BodySchema, Content};
use terrane_config::state_file::{Decryption, DecryptionKey, DecryptionMethod, Passphrase};
use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::Syntax;
use terrane_value::Value;

use crate::decode::schema;
use crate::model::encryption::Encryption;
use crate::model::ids::NodeId;
use crate::model::request::Request;
use crate::static_value::StaticTree;

/// The environment variable that overrides the block.
const VARIABLE: &str = "TF_ENCRYPTION";

/// Limit on the nested fallbacks of a state.
const MAX_FALLBACKS: usize = 100;

/// Limit on the length of a chain of key providers.
const MAX_CHAINED: usize = 100;

/// Returns how states are encrypted, according to the root module of a tree and the environment of a request.
pub(crate) fn encryption(request: &Request, tree: &mut StaticTree<'_, '_>) -> Encryption {
    let written = tree.nodes.enumerate().next().map(|(_, root)| Arc::clone(&root.module));
    let blocks = written.iter().flat_map(|root| &root.encryption).map(|block| &block.config);
    let mut layers: Vec<Content> = blocks.map(content_of_block).collect();
    let environment = request.inputs.environment.iter();
    let text = environment.rev().find(|(name, text)| name == VARIABLE && !text.trim().is_empty());
    match text.map(|(_, text)| content_of_text(text)) {
        Some(Ok(content)) => layers.push(content),
        Some(Err(problem)) => {
            let wrong = Decryption { unusable: vec![problem], ..Decryption::default() };
            return Encryption {
                state: Some(wrong.clone()),
                remote_default: Some(wrong),
                remotes: BTreeMap::new(),
            };
        }
        None => {}
    }
    if layers.is_empty() { Encryption::default() } else { EncryptionReader::new(&layers, tree).encryption() }
}

/// Returns the content of a block, which decoding has checked.
fn content_of_block(body: &Body) -> Content {
    body.partial_content(schema::encryption(), &mut Diagnostics::new()).0
}

/// Returns the content of the environment variable, in native or JSON syntax. An error names only the line,
/// because the text has secrets.
fn content_of_text(text: &str) -> Result<Content, String> {
    let source = SourceFile::new(FileId::new(VARIABLE), text);
    let (body, found) = Body::parse_in(&source, Syntax::of_text(text));
    let mut diagnostics: Diagnostics = found.into_iter().collect();
    let (content, _) = body.partial_content(schema::encryption(), &mut diagnostics);
    match diagnostics.as_slice().iter().find(|found| found.is_error()) {
        None => Ok(content),
        Some(error) => {
            let line = error.subject.as_ref().map_or(1, |place| place.file.line(place.span.start));
            Err(format!("line {line} of {VARIABLE} is not valid: {}", error.title().to_lowercase()))
        }
    }
}

/// A target such as `state`, with the last method and the last fallback of its blocks.
#[derive(Default)]
struct EncryptionTarget {
    method: Option<Attribute>,
    fallback: Option<Body>,
}

impl EncryptionTarget {
    /// Joins the blocks of a target, which are in the order of the layers.
    fn of<'b>(bodies: impl Iterator<Item = &'b Body>) -> EncryptionTarget {
        bodies.fold(EncryptionTarget::default(), |target, body| {
            let (content, _) = body.partial_content(schema::enforced_target(), &mut Diagnostics::new());
            let fallback = content.blocks_of("fallback").next().map(|block| block.body.clone());
            EncryptionTarget {
                method: content.attribute("method").cloned().or(target.method),
                fallback: fallback.or(target.fallback),
            }
        })
    }
}

/// A method that decrypts, `None` for `unencrypted`, or the reason why it cannot be used.
type FoundMethod = Result<Option<Arc<DecryptionMethod>>, String>;

/// Reads methods and keys, each once.
struct EncryptionReader<'r, 'v, 's> {
    layers: &'r [Content],
    tree: &'r mut StaticTree<'v, 's>,
    /// The blocks of methods and key providers by their addresses; blocks of later layers come last.
    blocks: HashMap<String, Vec<&'r Body>>,
    methods: HashMap<String, FoundMethod>,
    keys: HashMap<String, Result<Arc<DecryptionKey>, String>>,
}

impl<'r, 'v, 's> EncryptionReader<'r, 'v, 's> {
    fn new(layers: &'r [Content], tree: &'r mut StaticTree<'v, 's>) -> EncryptionReader<'r, 'v, 's> {
        let mut blocks: HashMap<String, Vec<&Body>> = HashMap::new();
        for block in layers.iter().flat_map(|layer| &layer.blocks) {
            let labels: Vec<&str> = block.labels.iter().map(|label| &*label.text).collect();
            blocks.entry(format!("{}.{}", block.block_type, labels.join("."))).or_default().push(&block.body);
        }
        EncryptionReader { layers, tree, blocks, methods: HashMap::new(), keys: HashMap::new() }
    }

    fn encryption(mut self) -> Encryption {
        let layers = self.layers;
        let bodies = |kind: &'static str| {
            layers.iter().flat_map(move |layer| layer.blocks_of(kind)).map(|block| &block.body)
        };
        let state = bodies("state").next().is_some().then(|| EncryptionTarget::of(bodies("state")));
        let state = state.map(|target| self.decryption(target));
        let remote: Vec<Content> = bodies("remote_state_data_sources")
            .map(|body| body.partial_content(schema::remote_state(), &mut Diagnostics::new()).0)
            .collect();
        let mut named: BTreeMap<String, Vec<&Body>> = BTreeMap::new();
        for block in remote.iter().flat_map(|content| content.blocks_of("remote_state_data_source")) {
            let name = block.labels.first().map_or("", |label| &*label.text);
            named.entry(name.to_owned()).or_default().push(&block.body);
        }
        let default: Vec<&Body> =
            remote.iter().flat_map(|content| content.blocks_of("default")).map(|block| &block.body).collect();
        let remote_default = (!default.is_empty()).then(|| EncryptionTarget::of(default.into_iter()));
        let remote_default = remote_default.map(|target| self.decryption(target));
        let remotes = named.into_iter();
        let remotes = remotes
            .map(|(name, bodies)| (name, self.decryption(EncryptionTarget::of(bodies.into_iter()))))
            .collect();
        Encryption { state, remote_default, remotes }
    }

    /// Returns the methods of a target and of its fallbacks.
    fn decryption(&mut self, target: EncryptionTarget) -> Decryption {
        let mut decryption = Decryption::default();
        let mut next = Some(target);
        for depth in 0.. {
            let Some(target) = next.take() else { break };
            if depth > MAX_FALLBACKS {
                decryption.unusable.push(format!("there are more than {MAX_FALLBACKS} fallbacks"));
                break;
            }
            let found = match &target.method {
                None => Err("a target of the encryption has no `method`".to_owned()),
                Some(method) => {
                    reference(method, "method.aes_gcm.main").and_then(|address| self.method(&address))
                }
            };
            match found {
                Ok(Some(method)) => decryption.methods.push(method),
                Ok(None) => decryption.allows_plain = true,
                Err(problem) => decryption.unusable.push(problem),
            }
            next = target.fallback.map(|body| EncryptionTarget::of([&body].into_iter()));
        }
        if decryption.methods.is_empty() && decryption.unusable.is_empty() {
            decryption
                .unusable
                .push("the configuration of the encryption names no method that encrypts".to_owned());
        }
        decryption
    }

    /// Returns the last argument with this name in the blocks of an address.
    fn argument(&self, address: &str, name: &'static str) -> Option<Attribute> {
        let schema = BodySchema::new().optional(name);
        let bodies = self.blocks.get(address)?.iter().rev();
        let mut found = bodies.map(|body| body.partial_content(&schema, &mut Diagnostics::new()).0);
        found.find_map(|content| content.attribute(name).cloned())
    }

    fn method(&mut self, address: &str) -> FoundMethod {
        if let Some(found) = self.methods.get(address) {
            return found.clone();
        }
        let found = self.new_method(address);
        self.methods.insert(address.to_owned(), found.clone());
        found
    }

    fn new_method(&mut self, address: &str) -> FoundMethod {
        self.check_declared(address)?;
        match address.split('.').nth(1) {
            Some("unencrypted") => return Ok(None),
            Some("aes_gcm") => {}
            other => {
                let kind = other.unwrap_or_default();
                return Err(format!("the method {kind:?} is not supported, only \"aes_gcm\" is"));
            }
        }
        let keys = self.argument(address, "keys").ok_or_else(|| format!("`{address}` has no `keys`"))?;
        let additional_data = match self.argument(address, "aad") {
            None => Vec::new(),
            Some(aad) => bytes(&self.value(&aad, address)?)
                .ok_or_else(|| format!("`aad` of `{address}` must be a list of bytes"))?,
        };
        let key = self.key(&reference(&keys, "key_provider.pbkdf2.main")?)?;
        Ok(Some(Arc::new(DecryptionMethod { key, additional_data })))
    }

    /// Returns the key of a provider, after reading the providers that it is chained to.
    fn key(&mut self, address: &str) -> Result<Arc<DecryptionKey>, String> {
        let (mut chain, mut seen) = (Vec::new(), HashSet::new());
        let mut next = Some(address.to_owned());
        while let Some(address) = next.take() {
            if self.keys.contains_key(&address) {
                break;
            }
            if !seen.insert(address.clone()) {
                return Err(format!("`{address}` is chained to itself"));
            }
            if chain.len() == MAX_CHAINED {
                return Err(format!("more than {MAX_CHAINED} key providers are chained to each other"));
            }
            if let Some(behind) = self.argument(&address, "chain").filter(|_| is_derived(&address)) {
                next = Some(reference(&behind, "key_provider.static.main")?);
            }
            chain.push(address);
        }
        for address in chain.into_iter().rev() {
            let key = self.new_key(&address);
            self.keys.insert(address, key.map(Arc::new));
        }
        self.keys.get(address).cloned().unwrap_or_else(|| Err(format!("`{address}` has no key")))
    }

    /// Reads the key of a provider. The keys of the providers in its chain are known.
    fn new_key(&mut self, address: &str) -> Result<DecryptionKey, String> {
        self.check_declared(address)?;
        if address.starts_with("key_provider.static.") {
            let key = self.text(address, "key")?.ok_or_else(|| format!("`{address}` has no `key`"))?;
            let key = hex(&key)
                .ok_or_else(|| format!("the key of `{address}` must be written in hexadecimal digits"))?;
            return Ok(DecryptionKey::Static(key));
        }
        if !is_derived(address) {
            let kind = address.split('.').nth(1).unwrap_or_default();
            return Err(format!(
                "the key provider {kind:?} gets its keys elsewhere; only \"static\" and \"pbkdf2\" are supported"
            ));
        }
        let passphrase = match (self.text(address, "passphrase")?, self.argument(address, "chain")) {
            (Some(_), Some(_)) => return Err(format!("`{address}` has a `passphrase` and a `chain`")),
            (Some(text), None) => Passphrase::Text(text.into()),
            (None, Some(chain)) => {
                let behind = reference(&chain, "key_provider.static.main")?;
                let key = self.keys.get(&behind).cloned();
                Passphrase::Chain(key.unwrap_or_else(|| Err(format!("`{behind}` has no key")))?)
            }
            (None, None) => return Err(format!("`{address}` has no `passphrase`")),
        };
        let alias = self.text(address, "encrypted_metadata_alias")?.filter(|alias| !alias.is_empty());
        Ok(DecryptionKey::Derived { metadata: alias.unwrap_or_else(|| address.to_owned()), passphrase })
    }

    fn check_declared(&self, address: &str) -> Result<(), String> {
        let is_declared = self.blocks.contains_key(address);
        is_declared.then_some(()).ok_or_else(|| format!("there is no block for `{address}`"))
    }

    /// Returns the text of an argument; `None` if it is not set, or null.
    fn text(&mut self, address: &str, name: &'static str) -> Result<Option<String>, String> {
        let Some(attribute) = self.argument(address, name) else { return Ok(None) };
        let value = self.value(&attribute, address)?;
        if value.is_null() {
            return Ok(None);
        }
        let text = value.as_str().map(str::to_owned);
        text.map(Some).ok_or_else(|| format!("`{name}` of `{address}` must be a text"))
    }

    /// Returns the known value of an argument, which may be secret. Its errors are not shown,
    /// because they might reveal it.
    fn value(&mut self, attribute: &Attribute, address: &str) -> Result<Value, String> {
        let name = &attribute.name;
        let mut unreported = Diagnostics::new();
        let expression = attribute.expression(&mut unreported);
        let mut tree = self.tree.reporting(&mut unreported);
        let value = tree.value(NodeId::ROOT, &expression, address);
        let value =
            value.ok_or_else(|| format!("`{name}` of `{address}` cannot be computed"))?.unmark_deep().0;
        match value.origins().as_slice().first().filter(|_| !value.is_wholly_known()) {
            Some(origin) if origin.kind.is_error() => {
                Err(format!("`{name}` of `{address}` cannot be computed"))
            }
            Some(origin) => Err(format!("`{name}` of `{address}` is not known: {origin}")),
            None if value.is_wholly_known() => Ok(value),
            None => Err(format!("`{name}` of `{address}` is not known")),
        }
    }
}

/// Whether the key at this address is derived from a passphrase.
fn is_derived(address: &str) -> bool {
    address.starts_with("key_provider.pbkdf2.")
}

/// Returns the address in an argument, such as `method.aes_gcm.main`. An error does not show any other
/// text, which may be a key.
fn reference(attribute: &Attribute, example: &str) -> Result<String, String> {
    let expression = attribute.reference();
    let text = expression.tree.expr_text(expression.id).trim_matches('"');
    // In JSON, the address is inside a template.
    let text = text.strip_prefix("${").and_then(|text| text.strip_suffix('}')).unwrap_or(text).trim();
    let kind = example.split('.').next().unwrap_or_default();
    let is_address = text.split('.').count() == 3
        && text.split('.').next() == Some(kind)
        && text.chars().all(|character| character.is_alphanumeric() || "._-".contains(character));
    is_address
        .then(|| text.to_owned())
        .ok_or_else(|| format!("`{}` must be an address such as {example}", attribute.name))
}

/// Returns a list of numbers as bytes.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    let byte = |value: &Value| u8::try_from(value.as_number()?.to_i64()?).ok();
    value.as_sequence()?.iter().map(byte).collect()
}

/// Returns the bytes in hexadecimal digits.
fn hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) {
        return None;
    }
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    if digits.contains('+') { None } else { (0..digits.len()).step_by(2).map(pair).collect() }
}
