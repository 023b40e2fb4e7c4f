//! The address in the `source` argument of a module call.

use std::fmt;

use terrane_function::Product;
use terrane_source::{Diagnostic, ids};

/// The location of a called module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModuleSource {
    /// A directory relative to the directory of the caller, with forward slashes: `./network`.
    Local(String),
    /// A module of a registry: `hashicorp/consul/aws`.
    Registry(String),
    /// Anything else that can be downloaded or found: a repository, an archive, an absolute path.
    Remote(String),
}

/// The reason why a text is not the address of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SourceError {
    /// The text is not the address of a registry module, which `version` requires.
    NotRegistry(String),
    /// The text may be a directory without `./`.
    MaybeLocal,
    /// The directory in the package is outside of the package.
    Outside,
}

impl SourceError {
    /// Returns the message about the address `source`.
    pub(crate) fn diagnostic(self, source: &str) -> Diagnostic {
        match self {
            SourceError::MaybeLocal if source.starts_with("gitlab.com/") => {
                let detail = format!(
                    "\"{source}\" is not the address of a module. For a repository on GitLab, write \"git::https://{source}.git\"."
                );
                Diagnostic::error(ids::INVALID_MODULE_SOURCE, detail)
            }
            SourceError::MaybeLocal => {
                let detail = format!(
                    "\"{source}\" is not the address of a module. For a directory beside this one, begin with \"./\" or \
                     \"../\": \"./{source}\"."
                );
                Diagnostic::error(ids::INVALID_MODULE_SOURCE, detail)
            }
            SourceError::Outside => {
                let detail = format!(
                    "\"{source}\" is not the address of a module: the directory behind `//` is outside of the package."
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
        if local && versioned {
            let reason = "it is a local directory, which has no versions".to_owned();
            return Err(SourceError::NotRegistry(reason));
        }
        if local {
            return Ok(ModuleSource::Local(text.replace('\\', "/")));
        }
        let source = match registry(text) {
            Ok(source) => source,
            Err(reason) if versioned => return Err(SourceError::NotRegistry(reason)),
            Err(_) if is_remote(text) => ModuleSource::Remote(text.to_owned()),
            Err(_) => return Err(SourceError::MaybeLocal),
        };
        match source.package().1.is_some_and(|directory| is_outside(&clean(directory))) {
            true => Err(SourceError::Outside),
            false => Ok(source),
        }
    }

    /// Whether this source means the module that was installed from the address in a manifest.
    pub(crate) fn is_installed_as(&self, installed: &str) -> bool {
        let recorded = ModuleSource::parse(installed, false).ok().and_then(|installed| installed.recorded());
        match self.recorded() {
            // A local directory is read itself, not an installed copy.
            None if matches!(self, ModuleSource::Local(_)) => true,
            None => Download::of(&self.to_string()).arguments == Download::of(installed).arguments,
            // Without host, the address means the default registry of the product that installed the module.
            Some(wanted) => recorded.is_some_and(|recorded| {
                recorded == wanted
                    || without_default_host(&recorded) == wanted
                    || recorded == without_default_host(&wanted)
            }),
        }
    }

    /// Returns the form in which installers record the address, with a host only if the address has one. `None` for a local
    /// directory, and for a short form that only the installer can expand.
    fn recorded(&self) -> Option<String> {
        match self {
            ModuleSource::Local(_) => None,
            ModuleSource::Registry(text) => {
                let (address, directory) = split_directory(text);
                let address = match address.split_once('/') {
                    Some((host, rest)) if host.contains('.') => format!("{}/{rest}", host.to_lowercase()),
                    _ => address.to_owned(),
                };
                Some(with_directory(&address, &clean(directory)))
            }
            ModuleSource::Remote(text) => {
                let (address, query) = text
                    .split_once('?')
                    .map_or((text.as_str(), None), |(address, query)| (address, Some(query)));
                let (package, directory) = split_directory(address);
                let (package, below) = recorded_package(package)?;
                let place = with_directory(&package, &clean(&format!("{below}/{directory}")));
                Some(query.map_or(place.clone(), |query| format!("{place}?{query}")))
            }
        }
    }

    /// Returns the address without the directory inside the package and without arguments, and that directory.
    pub(crate) fn package(&self) -> (&str, Option<&str>) {
        let (ModuleSource::Local(text) | ModuleSource::Registry(text) | ModuleSource::Remote(text)) = self;
        let without_query = text.split_once('?').map_or(text.as_str(), |(address, _)| address);
        match split_directory(without_query) {
            (package, "") => (package, None),
            (package, directory) => (package, Some(directory.trim_start_matches('/'))),
        }
    }
}

impl ModuleSource {
    /// Returns the repository, the directory in it and the revision, if git would download the module.
    pub(crate) fn in_repository(&self) -> Option<InRepository> {
        let ModuleSource::Remote(text) = self else { return None };
        let is_git = is_git(text);
        let download = Download::of(text);
        let (url, directory) = split_directory(&download.place);
        let revision = download.arguments.iter().find_map(|argument| argument.strip_prefix("ref="));
        // In a fresh clone, `HEAD` is the default branch.
        let revision = revision.filter(|revision| !matches!(*revision, "" | "HEAD"));
        is_git.then(|| InRepository {
            repository: name_of_url(url),
            directory: directory.trim_start_matches('/').to_owned(),
            revision: revision.map(str::to_owned),
        })
    }
}

/// An address in a form that is the same for all its spellings.
#[derive(PartialEq, Debug)]
pub(crate) struct NormalSource {
    /// The package: a registry module without the host of a default registry, `git::HOST/PATH.git`, or a URL.
    pub(crate) package: String,
    /// The directory inside the package; empty for its top.
    pub(crate) directory: String,
    /// The arguments after the question mark, sorted.
    pub(crate) arguments: Vec<String>,
}

impl NormalSource {
    /// Returns the form of an address. `None` for a local directory, and for a short form that only
    /// the installer can expand.
    pub(crate) fn of(source: &ModuleSource) -> Option<NormalSource> {
        let remote = match source {
            ModuleSource::Local(_) => return None,
            ModuleSource::Registry(text) => {
                let (package, directory) = split_directory(without_default_host(text));
                let (package, directory) = (package.to_owned(), directory.trim_matches('/').to_owned());
                return Some(NormalSource { package, directory, arguments: Vec::new() });
            }
            ModuleSource::Remote(text) => text,
        };
        let download = Download::of(remote);
        if download.is_shortened {
            return None;
        }
        let (url, directory) = split_directory(&download.place);
        let package = match is_git(remote) {
            true => format!("git::{}.git", name_of_url(url)),
            false => url.to_owned(),
        };
        let directory = directory.trim_matches('/').to_owned();
        Some(NormalSource { package, directory, arguments: download.arguments })
    }

    /// Returns the package, optionally with the directory and with the arguments.
    pub(crate) fn text(&self, with_directory: bool, with_arguments: bool) -> String {
        let mut text = self.package.clone();
        if with_directory && !self.directory.is_empty() {
            text.push_str("//");
            text.push_str(&self.directory);
        }
        if with_arguments && !self.arguments.is_empty() {
            text.push('?');
            text.push_str(&self.arguments.join("&"));
        }
        text
    }
}

/// Returns the address of a registry module without the host, if that is the registry of Terraform or OpenTofu.
pub(crate) fn without_default_host(text: &str) -> &str {
    match text.split_once('/') {
        Some((host, rest)) if Product::of_registry(host).is_some() => rest,
        Some(_) | None => text,
    }
}

/// A module in a git repository.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct InRepository {
    /// The [name of the repository](repository_name).
    pub(crate) repository: String,
    /// The directory inside the repository; empty for its top.
    pub(crate) directory: String,
    /// The branch, tag or commit; `None` for the default branch.
    pub(crate) revision: Option<String>,
}

/// Returns the name of the repository at a URL: host and path, which are the same in all URLs of a repository.
pub(crate) fn repository_name(url: &str) -> String {
    name_of_url(split_directory(&Download::of(url).place).0)
}

/// Returns host and path of a URL, without scheme, user and the default port of the scheme. A path of
/// this machine has no host.
fn name_of_url(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let port = match scheme {
        "ssh" => ":22",
        "https" => ":443",
        "http" => ":80",
        "git" => ":9418",
        _ => "",
    };
    let host = host.strip_suffix(port).unwrap_or(host);
    format!("{}/{path}", host.to_ascii_lowercase())
}

impl fmt::Display for ModuleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ModuleSource::Local(text) | ModuleSource::Registry(text) | ModuleSource::Remote(text)) = self;
        f.write_str(text)
    }
}

/// The address of a package to download, in one form.
#[derive(PartialEq, Debug)]
struct Download {
    /// The URL and the directory inside the package, without the name of the installer.
    place: String,
    /// The arguments after the question mark, sorted: `ref=v1`.
    arguments: Vec<String>,
    /// Whether the place is a short form that only the installer can expand.
    is_shortened: bool,
}

impl Download {
    fn of(text: &str) -> Download {
        let (address, query) = text.split_once('?').unwrap_or((text, ""));
        let mut arguments: Vec<String> =
            query.split('&').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        arguments.sort_unstable();
        let (package, directory) = split_directory(address);
        let recorded = recorded_package(package);
        let is_shortened = recorded.is_none();
        let (package, below) = recorded.unwrap_or_else(|| (format!("https://{package}"), String::new()));
        // The package may begin with the name of an installer: `git::https://...`.
        let url = package.rsplit_once("::").map_or(package.as_str(), |(_, url)| url).trim_end_matches('/');
        let directory = clean(&format!("{below}/{directory}"));
        let place = format!("{}//{directory}", url.strip_suffix(".git").unwrap_or(url));
        Download { place, arguments, is_shortened }
    }
}

/// Returns an address without arguments, split before the directory inside the package.
fn split_directory(address: &str) -> (&str, &str) {
    let scheme = address.find("://").map_or(0, |at| at + 3);
    match address.get(scheme..).and_then(|rest| rest.find("//")) {
        Some(at) => address.split_at(scheme + at),
        None => (address, ""),
    }
}

/// Returns an address with the directory in its package, if there is one.
fn with_directory(address: &str, directory: &str) -> String {
    if directory.is_empty() { address.to_owned() } else { format!("{address}//{directory}") }
}

/// Returns a path in the form of Go's `path.Clean`, without slashes at its ends: `.` and `..` are followed, and `..` remains only
/// at the start of a path that leads outside.
fn clean(path: &str) -> String {
    let mut steps: Vec<&str> = Vec::new();
    let mut is_empty = true;
    for step in path.split('/').filter(|step| !step.is_empty()) {
        is_empty = false;
        match step {
            "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => _ = steps.pop(),
            step => steps.push(step),
        }
    }
    if steps.is_empty() && !is_empty { ".".to_owned() } else { steps.join("/") }
}

/// Whether a [`clean`] path leads outside of its directory.
fn is_outside(path: &str) -> bool {
    path.split('/').next() == Some("..")
}

/// Returns the form in which installers record the address of a package, and a directory that is written as part of the
/// package. `None` for a short form that only the installer can expand.
fn recorded_package(package: &str) -> Option<(String, String)> {
    let (installer, address) = match package.split_once("::") {
        Some((installer, address)) => (Some(installer), address),
        None => (None, package),
    };
    let git = installer.unwrap_or("git");
    if address.contains("://") {
        return Some((package.to_owned(), String::new()));
    }
    if address.starts_with('/') {
        let prefix = installer.map(|installer| format!("{installer}::")).unwrap_or_default();
        return Some((format!("{prefix}file://{address}"), String::new()));
    }
    if let Some((user, (host, path))) =
        address.split_once('@').and_then(|(user, rest)| Some((user, rest.split_once(':')?)))
    {
        let path = path.strip_prefix('/').unwrap_or(path);
        return Some((format!("{git}::ssh://{user}@{host}/{path}"), String::new()));
    }
    KNOWN_HOSTS.iter().find(|host| address.starts_with(**host))?;
    let parts: Vec<&str> = address.split('/').collect();
    let (repository, below) = parts.split_at(parts.len().min(3));
    let repository = repository.join("/");
    let repository = repository.strip_suffix(".git").unwrap_or(&repository);
    Some((format!("{git}::https://{repository}.git"), below.join("/")))
}

/// Hosts whose repositories are known without a scheme.
const KNOWN_HOSTS: [&str; 2] = ["github.com/", "bitbucket.org/"];

fn is_local(text: &str) -> bool {
    ["./", "../", ".\\", "..\\"].iter().any(|prefix| text.starts_with(prefix))
}

/// Parses `namespace/name/system`, optionally with a host before it and a directory after `//`.
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
    if ["github.com", "bitbucket.org", "gitlab.com"].iter().any(|forge| host.unwrap_or(namespace) == *forge) {
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

/// Whether git downloads the package at this address.
fn is_git(text: &str) -> bool {
    text.starts_with("git::") || KNOWN_HOSTS.iter().any(|host| text.starts_with(host)) || is_short_ssh(text)
}

/// Whether this is the short form of an SSH address: `git@example.com:path`.
fn is_short_ssh(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, rest)| !user.contains('/') && rest.contains(':'))
}

/// Whether this is an address that an installer can download.
fn is_remote(text: &str) -> bool {
    text.contains("://")
        || text.contains("::")
        || text.starts_with('/')
        || KNOWN_HOSTS.iter().any(|host| text.starts_with(host))
        || is_short_ssh(text)
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
            Err(SourceError::Outside) => "outside",
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
            ("a/b/c//d/../e", "registry"),
            ("a/b/c//d/../../e", "outside"),
            ("github.com/acme/infra//../../etc", "outside"),
            ("git::https://example.com/vpc.git//../e?ref=v1", "outside"),
            ("git::https://example.com/vpc.git//..e", "remote"),
        ] {
            assert_eq!(kind(text, false), expected, "{text}");
        }
        assert_eq!(kind("hashicorp/consul/aws", true), "registry");
        assert_eq!(kind("./a", true), "not a registry");
        assert_eq!(kind("git::https://example.com/vpc.git", true), "not a registry");
    }

    #[test]
    fn installed_modules_are_recognised() {
        for (source, installed, expected) in [
            ("./a", "./b", true),
            ("a/b/c", "registry.opentofu.org/a/b/c", true),
            ("a/b/c", "registry.opentofu.org/a/b/d", false),
            ("github.com/o/r?ref=v1", "git::https://github.com/o/r.git?ref=v1", true),
            ("github.com/o/r?ref=v2", "git::https://github.com/o/r.git?ref=v1", false),
            ("github.com/o/r", "git::https://github.com/o/r.git?ref=v1", false),
            ("github.com/o/s", "git::https://github.com/o/r.git", false),
            ("github.com/o/r/m/n?ref=v1", "git::https://github.com/o/r.git//m/n?ref=v1", true),
            ("github.com/o/r//m?ref=v1", "git::https://github.com/o/r.git//m?ref=v1", true),
            ("github.com/o/r//m?ref=v1", "git::https://github.com/o/r.git//other?ref=v1", false),
            ("git@github.com:o/r.git//m?ref=v1", "git::ssh://git@github.com/o/r.git//m?ref=v1", true),
            ("git::https://x.org/a.git", "git::https://x.org/b.git", false),
            ("https://x.org/a.zip", "https://x.org/b.zip", false),
            ("/opt/m", "file:///opt/m", true),
            ("bucket.s3.amazonaws.com/a.zip", "s3::https://s3.amazonaws.com/bucket/a.zip", true),
            ("/opt/m", "/opt/m", true),
            ("github.com/o/r/m//n", "git::https://github.com/o/r.git//m/n", true),
            ("git@github.com:/o/r", "git::ssh://git@github.com/o/r", true),
            ("git::git@x.org:o/r.git", "git::ssh://git@x.org/o/r.git", true),
            ("https://x.org/a.zip//./m/", "https://x.org/a.zip//m", true),
            ("X.Y/a/b/c//m/", "x.y/a/b/c//m", true),
            ("a/b/c", "x.y/a/b/c", false),
            ("registry.opentofu.org/a/b/c", "registry.opentofu.org/a/b/c", true),
            ("registry.opentofu.org/a/b/c", "registry.terraform.io/a/b/c", false),
            ("registry.terraform.io/a/b/c", "a/b/c", true),
            ("a/b/c//d/../e", "registry.terraform.io/a/b/c//e", true),
            ("git::https://x.org/r.git//d/../e?ref=v1", "git::https://x.org/r.git//e?ref=v1", true),
            ("git::https://x.org/r.git//d/..", "git::https://x.org/r.git//.", true),
            ("git::https://x.org/r.git//.", "git::https://x.org/r.git", false),
            ("git::https://github.com/o/r", "git::https://github.com/o/r.git", false),
            ("git::https://github.com/o/r.git/", "git::https://github.com/o/r.git", false),
            ("https://github.com/o/r.git", "git::https://github.com/o/r.git", false),
            ("git@github.com:o/r", "git::ssh://git@github.com/o/r.git", false),
            ("ssh://git@github.com/o/r.git", "git::ssh://git@github.com/o/r.git", false),
            ("github.com/o/r?depth=1&ref=v1", "git::https://github.com/o/r.git?ref=v1&depth=1", false),
        ] {
            let parsed = ModuleSource::parse(source, false).expect("an address");
            assert_eq!(parsed.is_installed_as(installed), expected, "{source} {installed}");
        }
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
