//! Checks rules of built-in components about the values of their arguments, beyond names and types.
//!
//! A rule checks only known values, because an unknown value may turn out to be right.

use std::path::Path;

use terrane_body::ResolvedBody;
use terrane_source::{FileErrorKind, Files};
use terrane_value::Value;

use crate::model::component_kind::ComponentKind;

/// Errors and warnings about the arguments of a component, as sentences.
#[derive(Default, Debug)]
pub(crate) struct Problems {
    pub(crate) errors: Vec<String>,
    pub(crate) warnings: Vec<String>,
}

/// Checks the arguments of a built-in component. With `files`, the files that they name must exist.
pub(crate) fn prepare(
    kind: ComponentKind,
    name: &str,
    body: &ResolvedBody,
    files: Option<&dyn Files>,
) -> Problems {
    let mut arguments = ComponentArguments { body, files, problems: Problems::default() };
    match (kind, name) {
        (ComponentKind::Source, "null") => arguments.null_source(),
        (ComponentKind::Source, "file") => arguments.file_source(),
        (ComponentKind::Data, "null") => arguments.require("input", "Set `input`."),
        (ComponentKind::Data, "http") => arguments.http(),
        (ComponentKind::Provisioner, "shell" | "windows-shell") => arguments.remote_script(),
        (ComponentKind::Provisioner, "powershell") => arguments.powershell(),
        (ComponentKind::Provisioner | ComponentKind::PostProcessor, "shell-local") => {
            arguments.local_script();
        }
        (ComponentKind::Provisioner, "file") => arguments.file_provisioner(),
        (ComponentKind::Provisioner, "hcp-sbom") => arguments.bill_of_materials(),
        (ComponentKind::PostProcessor, "artifice") => {
            arguments.require("files", "Set `files` to the files of the artifact.");
        }
        (ComponentKind::PostProcessor, "checksum") => arguments.checksum(),
        _ => {}
    }
    arguments.problems
}

/// The arguments of a component.
struct ComponentArguments<'g> {
    body: &'g ResolvedBody,
    files: Option<&'g dyn Files>,
    problems: Problems,
}

/// The arguments by which a builder connects to its machine.
struct Connection {
    host: &'static str,
    user: &'static str,
    password: &'static str,
}

const SSH: Connection = Connection { host: "ssh_host", user: "ssh_username", password: "ssh_password" };
const WINRM: Connection =
    Connection { host: "winrm_host", user: "winrm_username", password: "winrm_password" };

impl<'g> ComponentArguments<'g> {
    fn error(&mut self, text: impl Into<String>) {
        self.problems.errors.push(text.into());
    }

    /// Returns the value of an argument that is given and not null.
    fn value(&self, name: &str) -> Option<&'g Value> {
        let arguments = &self.body.arguments;
        let argument = arguments.iter().rev().find(|argument| &*argument.name == name)?;
        (!argument.value.is_null()).then_some(&argument.value)
    }

    fn text(&self, name: &str) -> Option<&'g str> {
        self.value(name)?.as_str()
    }

    /// Returns the known strings in a list.
    fn texts(&self, name: &str) -> impl Iterator<Item = &'g str> + use<'g> {
        let elements = self.value(name).and_then(Value::as_sequence).unwrap_or_default();
        elements.iter().filter_map(Value::as_str)
    }

    /// Whether an argument is unset, null, empty or false. An unknown value is not empty.
    fn is_empty(&self, name: &str) -> bool {
        let Some(value) = self.value(name) else { return true };
        value.as_str().is_some_and(str::is_empty)
            || value.as_sequence().is_some_and(<[Value]>::is_empty)
            || value.as_bool() == Some(false)
    }

    /// Whether an argument has a known value that is not empty.
    fn is_set(&self, name: &str) -> bool {
        !self.is_empty(name) && self.value(name).is_some_and(Value::is_known)
    }

    fn require(&mut self, name: &str, text: &str) {
        if self.is_empty(name) {
            self.error(text);
        }
    }

    /// Reports a file that does not exist when Packer starts. Paths with `{{ … }}` are accepted,
    /// because a plugin expands them.
    fn require_file(&mut self, argument: &str, path: &str) {
        let Some(files) = self.files else { return };
        if path.contains("{{") || path.starts_with('~') {
            return;
        }
        if let Err(error) = files.metadata(Path::new(path))
            && error.kind == FileErrorKind::NotFound
        {
            self.error(format!(
                "`{argument}` names the file \"{path}\", which does not exist. The path is relative to \
                 the working directory."
            ));
        }
    }

    fn null_source(&mut self) {
        let communicator = match self.value("communicator") {
            None => "ssh",
            Some(value) => match value.as_str() {
                Some("") => "ssh",
                Some(text) => text,
                None => return,
            },
        };
        let connection = match communicator {
            "none" => return,
            "ssh" => {
                self.ssh();
                Some(SSH)
            }
            "winrm" => {
                self.require("winrm_username", "Set `winrm_username`.");
                Some(WINRM)
            }
            "docker" | "dockerWindowsContainer" => None,
            _ => {
                self.error(format!(
                    "There is no communicator \"{communicator}\". It must be `none`, `ssh` or `winrm`."
                ));
                None
            }
        };
        self.connection(connection.as_ref());
    }

    fn connection(&mut self, connection: Option<&Connection>) {
        let is_empty = |argument: Option<&str>| argument.is_none_or(|name| self.is_empty(name));
        let no_host = is_empty(connection.map(|connection| connection.host));
        let no_user = is_empty(connection.map(|connection| connection.user));
        let no_password = is_empty(connection.map(|connection| connection.password));
        if no_host {
            self.error("Set the host to connect to, such as `ssh_host`, or `communicator = \"none\"`.");
        }
        if no_user {
            self.error("Set the name of the user, such as `ssh_username`.");
        }
        if no_password && self.is_empty("ssh_agent_auth") && self.is_empty("ssh_private_key_file") {
            self.error(
                "Set a method to authenticate: `ssh_password`, `ssh_private_key_file` or `ssh_agent_auth`.",
            );
        }
        let ways = ["ssh_agent_auth", "ssh_password", "ssh_private_key_file"];
        if ways.iter().filter(|name| self.is_set(name)).count() > 1 {
            self.error("Set only one of `ssh_agent_auth`, `ssh_password` and `ssh_private_key_file`.");
        }
    }

    fn ssh(&mut self) {
        self.require("ssh_username", "`ssh_username` has no default.");
        if let Some(path) = self.text("ssh_private_key_file").filter(|path| !path.is_empty()) {
            self.require_file("ssh_private_key_file", path);
        }
        if self.is_set("ssh_bastion_host") {
            let ways = [
                "ssh_bastion_password",
                "ssh_bastion_private_key_file",
                "ssh_private_key_file",
                "ssh_bastion_agent_auth",
            ];
            if ways.iter().all(|name| self.is_empty(name)) {
                self.error(
                    "Set a method to authenticate at the bastion: `ssh_bastion_password`, \
                     `ssh_bastion_private_key_file` or `ssh_bastion_agent_auth`.",
                );
            }
            if self.is_set("ssh_proxy_host") {
                self.error("Set only one of `ssh_bastion_host` and `ssh_proxy_host`.");
            }
        }
        if let Some(method) = self.text("ssh_file_transfer_method")
            && !matches!(method, "" | "scp" | "sftp")
        {
            self.error(format!("`ssh_file_transfer_method` must be `scp` or `sftp`, not \"{method}\"."));
        }
        for name in ["ssh_local_tunnels", "ssh_remote_tunnels"] {
            for tunnel in self.texts(name).filter(|tunnel| !is_tunnel(tunnel)) {
                self.error(format!(
                    "A tunnel of `{name}` must have the form `PORT:HOST:PORT`, not \
                                    \"{tunnel}\"."
                ));
            }
        }
    }

    fn http(&mut self) {
        const METHODS: [&str; 7] = ["HEAD", "GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];
        self.require("url", "Set `url` to the address to read.");
        if let Some(method) = self.text("method")
            && !method.is_empty()
            && !METHODS.contains(&method)
        {
            self.error(format!("`method` must be one of {}, not \"{method}\".", METHODS.join(", ")));
        }
    }

    fn file_source(&mut self) {
        self.require("target", "Set `target` to the path of the file to write.");
        if self.is_empty("content") && self.is_empty("source") {
            let text = "Both source file and contents are blank; target will have no content";
            self.problems.warnings.push(text.to_owned());
        }
        if self.is_set("content") && self.is_set("source") {
            self.error("Set only one of `content` and `source`.");
        }
    }

    /// Checks that there are scripts, or commands instead of them.
    fn remote_script(&mut self) {
        let (script, scripts, inline) = ("script", "scripts", "inline");
        if self.is_set(script) && self.is_set(scripts) {
            self.error("Set only one of `script` and `scripts`.");
        }
        if [script, scripts, inline].iter().all(|name| self.is_empty(name)) {
            self.error("Set the commands to run: `inline`, `script` or `scripts`.");
        } else if (self.is_set(script) || self.is_set(scripts)) && self.is_set(inline) {
            self.error("Set either `inline` or scripts, not both.");
        }
        self.script_files();
        self.environment();
    }

    fn script_files(&mut self) {
        match self.text("script").filter(|script| !script.is_empty()) {
            Some(script) => self.require_file("script", script),
            None => self.texts("scripts").for_each(|script| self.require_file("scripts", script)),
        }
    }

    fn environment(&mut self) {
        for pair in self.texts("environment_vars") {
            if !pair.contains("{{") && pair.split_once('=').is_none_or(|(name, _)| name.is_empty()) {
                self.error(format!(
                    "An item of `environment_vars` must have the form `NAME=VALUE`, not \
                                    \"{pair}\"."
                ));
            }
        }
    }

    fn powershell(&mut self) {
        const POLICIES: [&str; 8] = [
            "bypass",
            "allsigned",
            "default",
            "remotesigned",
            "restricted",
            "undefined",
            "unrestricted",
            "none",
        ];
        self.remote_script();
        if self.is_set("elevated_password") && self.is_empty("elevated_user") {
            self.error("`elevated_password` needs `elevated_user`.");
        }
        if let Some(policy) = self.text("execution_policy")
            && !POLICIES.contains(&policy)
            && !policy.parse().is_ok_and(|number: i64| number < 8)
        {
            self.error(format!(
                "`execution_policy` must be one of {}, not \"{policy}\".",
                POLICIES.join(", ")
            ));
        }
        let level = self.value("debug_mode").and_then(|value| value.as_number()?.to_i64());
        if level.is_some_and(|level| !(0..=2).contains(&level)) {
            self.error("`debug_mode` must be 0, 1 or 2.");
        }
    }

    fn local_script(&mut self) {
        const SYSTEMS: [&str; 6] = ["darwin", "freebsd", "linux", "openbsd", "solaris", "windows"];
        let all = ["command", "inline", "script", "scripts"];
        if all.iter().all(|name| self.is_empty(name)) {
            self.error("Set the commands to run: `inline`, `command`, `script` or `scripts`.");
        }
        if all.iter().filter(|name| self.is_set(name)).count() > 1 {
            self.error("Set only one of `inline`, `command`, `script` and `scripts`.");
        }
        self.script_files();
        for system in self.texts("only_on").filter(|system| !SYSTEMS.contains(system)) {
            self.error(format!(
                "An item of `only_on` must be an operating system ({}), not \"{system}\".",
                SYSTEMS.join(", ")
            ));
        }
        if self.is_set("use_linux_pathing") && (self.is_set("inline") || self.is_set("command")) {
            self.error(
                "With `use_linux_pathing`, the commands must be in files: set `script` or \
                        `scripts`.",
            );
        }
        self.environment();
    }

    fn file_provisioner(&mut self) {
        let direction = self.value("direction").map_or(Some("upload"), Value::as_str);
        if let Some(direction) = direction
            && !matches!(direction, "" | "upload" | "download")
        {
            self.error(format!("`direction` must be `upload` or `download`, not \"{direction}\"."));
        }
        if matches!(direction, Some("" | "upload")) && self.is_empty("generated") {
            let one = self.text("source").filter(|source| !source.is_empty());
            for source in self.texts("sources").chain(one) {
                self.require_file("source", source);
            }
        }
        if self.is_set("content") && (self.is_set("source") || self.is_set("sources")) {
            self.error("Set only one of `content` and `source`.");
        }
        self.require("destination", "Set `destination` to the path on the machine.");
    }

    fn bill_of_materials(&mut self) {
        if self.is_set("source") && self.is_set("auto_generate") {
            self.error("Set only one of `source` and `auto_generate`.");
        }
        if self.is_empty("auto_generate") {
            self.require("source", "Set `source` to the file, or `auto_generate = true`.");
        }
    }

    fn checksum(&mut self) {
        const TYPES: [&str; 6] = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];
        for checksum in self.texts("checksum_types").filter(|checksum| !TYPES.contains(checksum)) {
            self.error(format!(
                "An item of `checksum_types` must be one of {}, not \"{checksum}\".",
                TYPES.join(", ")
            ));
        }
    }
}

/// Whether a text is `PORT:HOST:PORT`.
fn is_tunnel(text: &str) -> bool {
    let is_number = |part: &str| part.parse::<i64>().is_ok();
    let ends = text.split_once(':').and_then(|(from, to)| Some((from, to.rsplit_once(':')?)));
    ends.is_some_and(|(from, (_, port))| is_number(from) && is_number(port))
}

#[cfg(test)]
mod tests {
    use super::is_tunnel;

    #[test]
    fn tunnels_lead_from_a_port_to_a_host() {
        assert!(is_tunnel("8080:localhost:80") && is_tunnel("1:[::1]:2"));
        assert!(!is_tunnel("8080:localhost") && !is_tunnel("a:b:1") && !is_tunnel("8080"));
    }
}
