//! Reads the parts that state files and documents have in common: instance keys, modes, module
//! paths and provider names.

use serde::Deserialize;
use serde_json::value::RawValue;
use terrane_value::SmolStr;

use super::error::StateError;
use crate::address::{InstanceKey, ModulePath, ResourceMode};
use crate::module_path::module_path;

/// An instance key.
#[derive(Deserialize)]
#[serde(untagged, expecting = "invalid value, expected an instance key (a whole number or a string)")]
pub(super) enum KeyJson {
    Index(u64),
    Key(String),
}

/// The largest index of an instance, the same as for `count`.
const MAX_INDEX: u64 = 1_000_000;

impl KeyJson {
    pub(super) fn key(key: Option<KeyJson>) -> Result<InstanceKey, StateError> {
        match key {
            None => Ok(InstanceKey::None),
            Some(KeyJson::Index(index)) if index < MAX_INDEX => Ok(InstanceKey::Index(index)),
            Some(KeyJson::Index(index)) => Err(StateError::new(format!(
                "the index {index} is too large: a block has at most {MAX_INDEX} instances"
            ))),
            Some(KeyJson::Key(key)) => Ok(InstanceKey::Key(key.into())),
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ModeJson {
    Managed,
    Data,
}

impl From<ModeJson> for ResourceMode {
    fn from(mode: ModeJson) -> ResourceMode {
        match mode {
            ModeJson::Managed => ResourceMode::Managed,
            ModeJson::Data => ResourceMode::Data,
        }
    }
}

/// Limit on the values in one object, including nested ones, because they are read at once.
const MAX_VALUES: usize = 1 << 19;

/// Returns the JSON text of the attributes of an object.
///
/// # Errors
///
/// If the object has more values than one object may have.
pub(super) fn attributes(text: Option<&RawValue>) -> Result<Box<str>, StateError> {
    let text = text.map_or("{}", RawValue::get);
    if have_more_values([text], MAX_VALUES) {
        return Err(StateError::new(format!("the object has more than {MAX_VALUES} values")));
    }
    Ok(text.into())
}

/// Checks the JSON texts of the values and types of all outputs.
///
/// # Errors
///
/// If they have more values together than one object may have.
pub(super) fn check_outputs<'j>(texts: impl Iterator<Item = &'j RawValue> + Clone) -> Result<(), StateError> {
    match have_more_values(texts.map(RawValue::get), MAX_VALUES) {
        true => Err(StateError::new(format!("the outputs have more than {MAX_VALUES} values together"))),
        false => Ok(()),
    }
}

/// Whether JSON texts have more than `most` values together.
pub(super) fn have_more_values<'t>(
    texts: impl IntoIterator<Item = &'t str, IntoIter: Clone>,
    most: usize,
) -> bool {
    let texts = texts.into_iter();
    // A value takes at least two bytes.
    texts.clone().map(str::len).sum::<usize>() / 2 > most && texts.map(values_in).sum::<usize>() > most
}

/// Returns the number of values in a JSON text: each except the first follows a comma, or an opening bracket or brace.
fn values_in(text: &str) -> usize {
    let (mut values, mut is_string, mut is_escaped) = (0, false, false);
    for byte in text.bytes() {
        if is_string {
            is_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
        } else {
            is_string = byte == b'"';
            values += usize::from(matches!(byte, b',' | b'[' | b'{'));
        }
    }
    values
}

/// Returns the work to read and write the long numbers in a JSON text: for each the digits without an exponent, times their
/// square root, divided by 100.
pub(super) fn work_of_numbers(text: &str) -> usize {
    let mut work: usize = 0;
    let mut start = None;
    let (mut is_string, mut is_escaped) = (false, false);
    for (index, byte) in text.bytes().enumerate() {
        if is_string {
            is_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
        } else if matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-') {
            start = start.or(Some(index));
        } else {
            is_string = byte == b'"';
            let number = start.take().and_then(|start| text.get(start..index));
            work = work.saturating_add(number.map_or(0, work_of_number));
        }
    }
    work
}

fn work_of_number(number: &str) -> usize {
    /// Shorter numbers take little work.
    const SHORT: usize = 1024;
    /// A number of more digits has no decimal text.
    const LONGEST: usize = 640_000;
    const DIGITS: usize = 100;
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent = exponent.trim_start_matches(['+', '-']).parse().unwrap_or(usize::MAX);
    let digits = mantissa.len().saturating_add(exponent);
    let digits = if digits > LONGEST { mantissa.len().min(LONGEST) } else { digits };
    if digits <= SHORT { 0 } else { digits * digits.isqrt() / DIGITS }
}

/// Reads paths of module instances. Many resources have the same path, which is stored once.
#[derive(Default)]
pub(super) struct Paths {
    last: Option<(String, ModulePath)>,
}

impl Paths {
    pub(super) fn read(&mut self, address: Option<&str>) -> Result<ModulePath, StateError> {
        let Some(address) = address.filter(|address| !address.is_empty()) else {
            return Ok(ModulePath::ROOT);
        };
        if let Some((text, path)) = &self.last
            && text == address
        {
            return Ok(path.clone());
        }
        let wrong = || StateError::of_address(address, "a module instance");
        let path = module_path(address).ok_or_else(wrong)?;
        self.last = Some((address.to_owned(), path.clone()));
        Ok(path)
    }
}

/// Returns the source address of a provider from the name of its configuration:
/// `module.a.provider["registry.terraform.io/acme/demo"].east`. States of old versions have
/// only a name: `provider.aws`.
pub(super) fn provider_address(configuration: &str) -> SmolStr {
    let quoted = configuration.split_once("provider[\"").and_then(|(_, rest)| rest.split_once("\"]"));
    match quoted {
        Some((address, _)) => SmolStr::from(address),
        None => {
            let name = configuration.rsplit_once("provider.").map_or(configuration, |(_, name)| name);
            SmolStr::from(name.split('.').next().unwrap_or(name))
        }
    }
}
