//! The address that the `source` of a module call gives.

use std::fmt;

use terrane_source::{Diagnostic, ids};

/// Where the module of a call is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModuleSource {
    /// A directory relative to that of the caller, with forward slashes: `./network`.
    Local(String),
    /// A module of a registry: `hashicorp/consul/aws`.
    Registry(String),
    /// Anything else that can be downloaded: a repository, an archive, an absolute path.
    Remote(String),
}

/// Why a text is not the address of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SourceError {
    /// Not the address of a registry, which `version` asks for.
    NotRegistry(String),
    /// Perhaps a directory without `./`.
    MaybeLocal,
}

impl SourceError {
    /// The message about the address `source`.
    pub(crate) fn diagnostic(self, source: &str) -> Diagnostic {
        match self {
            SourceError::MaybeLocal => {
                let detail = format!(
                    "\"{source}\" is not the address of a module. For a directory beside this one, begin with \"./\" or \
                     \"../\": \"./{source}\"."
                );
                Diagnostic::error(ids::INVALID_MODULE_SOURCE, detail)
            }
            SourceError::NotRegistry(reason) => {
                let detail = format!(
                    "\"{source}\" is not the address of a module in a registry: {reason}. The argument `version` is only \
                     for these: remove it, or correct the source."
                );
                Diagnostic::error(ids::INVALID_REGISTRY_SOURCE, detail)
            }
        }
    }
}

impl ModuleSource {
    /// Reads the text of a `source` argument. With a `version` argument it must be the address of a registry.
    pub(crate) fn parse(text: &str, versioned: bool) -> Result<ModuleSource, SourceError> {
        let local = is_local(text);
        if versioned {
            if local {
                let reason = "it is a local directory, which has no versions".to_owned();
                return Err(SourceError::NotRegistry(reason));
            }
            return registry(text).map_err(SourceError::NotRegistry);
        }
        if local {
            return Ok(ModuleSource::Local(text.replace('\\', "/")));
        }
        match registry(text) {
            Ok(source) => Ok(source),
            Err(_) if is_remote(text) => Ok(ModuleSource::Remote(text.to_owned())),
            Err(_) => Err(SourceError::MaybeLocal),
        }
    }

    /// The address without the directory inside the package and without arguments, and that directory.
    pub(crate) fn package(&self) -> (&str, Option<&str>) {
        let (ModuleSource::Local(text) | ModuleSource::Registry(text) | ModuleSource::Remote(text)) = self;
        let without_query = text.split_once('?').map_or(text.as_str(), |(address, _)| address);
        let scheme = without_query.find("://").map_or(0, |at| at + 3);
        match without_query.get(scheme..).and_then(|rest| rest.find("//")) {
            Some(at) => {
                let (package, subdirectory) = without_query.split_at(scheme + at);
                (package, Some(subdirectory.trim_start_matches('/')))
            }
            None => (without_query, None),
        }
    }
}

impl fmt::Display for ModuleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ModuleSource::Local(text) | ModuleSource::Registry(text) | ModuleSource::Remote(text)) = self;
        f.write_str(text)
    }
}

fn is_local(text: &str) -> bool {
    ["./", "../", ".\\", "..\\"].iter().any(|prefix| text.starts_with(prefix))
}

/// `namespace/name/system`, with a host before it and a directory behind `//` where they are given.
fn registry(text: &str) -> Result<ModuleSource, String> {
    let address = text.split_once("//").map_or(text, |(address, _)| address);
    let parts: Vec<&str> = address.split('/').collect();
    let (host, parts) = match parts.as_slice() {
        [host, rest @ ..] if rest.len() == 3 => (Some(*host), rest),
        all => (None, all),
    };
    let [namespace, name, system] = parts else {
        return Err("it does not have the form `NAMESPACE/NAME/SYSTEM`".to_owned());
    };
    if let Some(host) = host.filter(|host| !is_host(host)) {
        return Err(format!("\"{host}\" is not the name of a host"));
    }
    if ["github.com", "bitbucket.org", "gitlab.com"].iter().any(|known| host.unwrap_or(namespace) == *known) {
        return Err("it names a repository, not a registry".to_owned());
    }
    for part in [namespace, name] {
        if !is_name(part, false) {
            return Err(format!("\"{part}\" is not a name in a registry"));
        }
    }
    if !is_name(system, true) {
        return Err(format!("\"{system}\" is not the name of a target system"));
    }
    Ok(ModuleSource::Registry(text.to_owned()))
}

fn is_host(text: &str) -> bool {
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    (name.contains('.') || name == "localhost")
        && name.chars().all(|character| character.is_alphanumeric() || matches!(character, '.' | '-'))
}

fn is_name(text: &str, system: bool) -> bool {
    let inner = |byte: u8| match byte {
        b'-' | b'_' => !system,
        b'A'..=b'Z' => !system,
        _ => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
    };
    let ends_well = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    text.len() <= 64
        && text.bytes().all(inner)
        && ends_well(text.as_bytes().first())
        && ends_well(text.as_bytes().last())
}

/// Whether this is an address that an installer knows how to follow.
fn is_remote(text: &str) -> bool {
    let hosts = ["github.com/", "gitlab.com/", "bitbucket.org/"];
    text.contains("://")
        || text.contains("::")
        || text.starts_with('/')
        || hosts.iter().any(|host| text.starts_with(host))
        || text.split_once('@').is_some_and(|(user, rest)| !user.contains('/') && rest.contains(':'))
        || text.split('/').next().is_some_and(|host| {
            host.ends_with("amazonaws.com")
                || host == "www.googleapis.com"
                || host.ends_with(".googleapis.com")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str, versioned: bool) -> &'static str {
        match ModuleSource::parse(text, versioned) {
            Ok(ModuleSource::Local(_)) => "local",
            Ok(ModuleSource::Registry(_)) => "registry",
            Ok(ModuleSource::Remote(_)) => "remote",
            Err(SourceError::NotRegistry(_)) => "not a registry",
            Err(SourceError::MaybeLocal) => "unclear",
        }
    }

    #[test]
    fn addresses_are_told_apart() {
        for (text, expected) in [
            ("./a", "local"),
            ("..\\a", "local"),
            ("hashicorp/consul/aws", "registry"),
            ("hashicorp/consul/aws//modules/x", "registry"),
            ("app.terraform.io/example/k8s/azurerm", "registry"),
            ("github.com/hashicorp/example", "remote"),
            ("git@github.com:hashicorp/example.git", "remote"),
            ("git::https://example.com/vpc.git?ref=v1", "remote"),
            ("https://example.com/a.zip", "remote"),
            ("s3::https://s3-eu-west-1.amazonaws.com/b/vpc.zip", "remote"),
            ("/opt/modules/a", "remote"),
            ("m", "unclear"),
            ("a/b", "unclear"),
            ("", "unclear"),
            (".", "unclear"),
        ] {
            assert_eq!(kind(text, false), expected, "{text}");
        }
        assert_eq!(kind("hashicorp/consul/aws", true), "registry");
        assert_eq!(kind("./a", true), "not a registry");
        assert_eq!(kind("git::https://example.com/vpc.git", true), "not a registry");
    }

    #[test]
    fn a_package_has_directories() {
        let package = |text: &str| {
            let source = ModuleSource::parse(text, false).expect("an address");
            let (package, subdirectory) = source.package();
            (package.to_owned(), subdirectory.map(str::to_owned))
        };
        assert_eq!(package("a/b/c//d/e"), ("a/b/c".to_owned(), Some("d/e".to_owned())));
        assert_eq!(
            package("git::https://x.org/v.git//d?ref=1"),
            ("git::https://x.org/v.git".to_owned(), Some("d".to_owned()))
        );
        assert_eq!(package("https://x.org/v.zip"), ("https://x.org/v.zip".to_owned(), None));
    }
}
