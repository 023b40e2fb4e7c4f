//! `terrane schemas list` and `terrane schemas show`.

use std::io;

use clap::Args;
use terrane::config::address::ResourceMode;
use terrane::module::ResourceType;
use terrane::value::ClosestNames;
use terrane::{Files as _, OsFiles, StoredFunction, StoredParameter, StoredSchemas, StoredVersion};

use super::store::{Store, WantedVersion, stored};
use crate::exit::FAILURE;
use crate::terminal::Terminal;

/// Stands for the configuration of the provider in place of a resource type.
const PROVIDER: &str = "provider";

#[derive(Args, Debug)]
pub(super) struct List {
    #[command(flatten)]
    store: Store,
}

#[derive(Args, Debug)]
pub(super) struct Show {
    /// The provider, such as `hashicorp/aws`, or `hashicorp/aws@5.31.0`. Without a version, the newest one.
    #[arg(value_name = "ADDRESS[@VERSION]", value_parser = stored)]
    provider: WantedVersion,

    /// A resource type, such as `aws_instance` or `data.aws_instance`; `provider` for the arguments of the provider's
    /// configuration. Without it, lists the resource types and functions.
    #[arg(value_name = "TYPE")]
    resource_type: Option<String>,

    #[command(flatten)]
    store: Store,
}

pub(super) fn list(list: &List, terminal: &mut Terminal) -> io::Result<u8> {
    let directory = match list.store.directory(terminal)? {
        Ok(directory) => directory,
        Err(code) => return Ok(code),
    };
    let all = match directory.all(&OsFiles) {
        Ok(all) => all,
        Err(error) => {
            terminal.error(&error.to_string())?;
            return Ok(FAILURE);
        }
    };
    if all.is_empty() {
        terminal.note(&format!("{} has no schemas", directory.path().display()))?;
        terminal.help("`terraform providers schema -json | terrane schemas import -` stores some")?;
        return Ok(0);
    }
    let width = all.iter().map(|stored| stored.address.to_string().len()).max().unwrap_or(0);
    let line = |stored: &StoredVersion| {
        let address = stored.address.to_string();
        format!("{address:width$}  {}\n", stored.version)
    };
    terminal.values(&all.iter().map(line).collect::<String>())?;
    Ok(0)
}

pub(super) fn show(show: &Show, terminal: &mut Terminal) -> io::Result<u8> {
    let directory = match show.store.directory(terminal)? {
        Ok(directory) => directory,
        Err(code) => return Ok(code),
    };
    let text = show.provider.find(&directory).and_then(|found| {
        let newest = found.last().ok_or("there is no version")?;
        let schemas = open(newest)?;
        match show.resource_type.as_deref() {
            None => Ok(overview(&schemas)),
            Some(wanted) => listing(&schemas, wanted),
        }
    });
    match text {
        Ok(text) => terminal.listing(&text).map(|()| 0),
        Err(error) => terminal.error(&error).map(|()| FAILURE),
    }
}

fn open(stored: &StoredVersion) -> Result<StoredSchemas, String> {
    let bytes = OsFiles.read(&stored.path).map_err(|error| error.to_string())?;
    StoredSchemas::open(bytes).map_err(|error| format!("{} cannot be used: {error}", stored.path.display()))
}

/// Returns the resource types and functions of a provider.
fn overview(schemas: &StoredSchemas) -> String {
    let hash: String = schemas.source_hash().iter().map(|byte| format!("{byte:02x}")).collect();
    let (address, version, origin) = (schemas.address(), schemas.version(), schemas.origin());
    let mut text = format!("# {address} {version}\n# from {origin}, SHA-256 {hash}\n");
    for resource in schemas.resource_types() {
        text.push_str(&format!("{}\n", qualified(resource)));
    }
    for function in schemas.functions() {
        text.push_str(&signature(schemas, function));
    }
    text
}

/// Returns the name of a resource type. All but managed resources have a prefix.
fn qualified(ResourceType { mode, name }: &ResourceType) -> String {
    match mode {
        ResourceMode::Managed => name.to_string(),
        ResourceMode::Data => format!("data.{name}"),
        ResourceMode::Ephemeral => format!("ephemeral.{name}"),
        ResourceMode::Action => format!("action.{name}"),
    }
}

fn signature(schemas: &StoredSchemas, function: &StoredFunction) -> String {
    let parameter = |parameter: &StoredParameter| format!("{}: {}", parameter.name, parameter.ty);
    let mut parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    parameters.extend(function.variadic.iter().map(|variadic| parameter(variadic) + "..."));
    let provider = &schemas.address().name;
    let (name, result) = (&function.name, &function.return_type);
    format!("provider::{provider}::{name}({}) -> {result}\n", parameters.join(", "))
}

/// Returns the schemas with this name, each in its block.
fn listing(schemas: &StoredSchemas, wanted: &str) -> Result<String, String> {
    let damaged = |error: terrane::StoreError| error.to_string();
    if wanted == PROVIDER
        && let Some(text) = schemas.listing(None).map_err(damaged)?
    {
        return Ok(text);
    }
    let named = |resource: &&ResourceType| *resource.name == *wanted || qualified(resource) == wanted;
    let mut texts = Vec::new();
    for resource in schemas.resource_types().filter(named) {
        texts.extend(schemas.listing(Some(resource)).map_err(damaged)?);
    }
    if texts.is_empty() {
        let names: Vec<String> = schemas.resource_types().map(qualified).collect();
        let nearest = ClosestNames::default().of(wanted, names.iter().map(String::as_str));
        let advice = nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        let (address, version) = (schemas.address(), schemas.version());
        return Err(format!("{address} {version} has no resource type {wanted}{advice}"));
    }
    Ok(texts.join("\n"))
}
