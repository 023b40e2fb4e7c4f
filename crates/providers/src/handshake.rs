//! Reads the first line that a provider prints: where it listens, and the version of the protocol.

use std::net::SocketAddr;
use std::path::PathBuf;

use terrane::render::visible;

use crate::failure::Failure;

/// The most bytes of the line. A certificate in it has about a thousand.
pub(crate) const MAX_BYTES: usize = 64 << 10;

/// The most characters of the line that a message shows.
const SHOWN: usize = 200;

/// A version of the protocol between Terraform and providers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Protocol {
    V5,
    V6,
}

/// The place at which a provider listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Listener {
    Unix(PathBuf),
    Tcp(SocketAddr),
}

/// The content of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Handshake {
    pub(crate) protocol: Protocol,
    pub(crate) listener: Listener,
}

impl Handshake {
    /// Reads `1|PROTOCOL|NETWORK|ADDRESS|grpc`, maybe with a certificate and more behind it.
    pub(crate) fn parse(line: &str) -> Result<Handshake, Failure> {
        let parts: Vec<&str> = line.trim().split('|').collect();
        let [core, protocol, network, address, transport, rest @ ..] = parts.as_slice() else {
            let text =
                format!("the executable printed \"{}\" where a provider says where it listens", shown(line));
            return Err(Failure::new(text).help("is the executable a provider of Terraform?"));
        };
        let differs = |part: &str, found: &str, wanted: &str| {
            Failure::new(format!("the provider has {part} \"{}\"; Terrane speaks {wanted}", shown(found)))
        };
        if *core != "1" {
            return Err(differs("the core protocol", core, "version 1"));
        }
        let protocol = match *protocol {
            "5" => Protocol::V5,
            "6" => Protocol::V6,
            other => return Err(differs("the protocol version", other, "versions 5 and 6")),
        };
        if *transport != "grpc" {
            return Err(differs("the transport", transport, "gRPC"));
        }
        if rest.first().is_some_and(|certificate| !certificate.is_empty()) {
            return Err(differs("an encrypted connection with the certificate", "...", "plain connections"));
        }
        Ok(Handshake { protocol, listener: listener(network, address)? })
    }
}

fn listener(network: &str, address: &str) -> Result<Listener, Failure> {
    let problem = |reason: &str| {
        Failure::new(format!("the provider listens at {} \"{}\", {reason}", shown(network), shown(address)))
    };
    match network {
        "unix" if address.is_empty() => Err(problem("which is no path")),
        "unix" => Ok(Listener::Unix(PathBuf::from(address))),
        "tcp" => {
            let address: SocketAddr = address.parse().map_err(|_| problem("which is no address"))?;
            if !address.ip().is_loopback() {
                return Err(problem("which is not on this machine"));
            }
            Ok(Listener::Tcp(address))
        }
        _ => Err(problem("a kind of network that Terrane does not know")),
    }
}

/// Returns the beginning of a text of the provider, without control characters.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim();
    let cut: String = text.chars().take(SHOWN).collect();
    let more = if cut.len() < text.len() { "..." } else { "" };
    format!("{}{more}", visible(&cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_protocol_and_the_address() {
        let parsed = Handshake::parse("1|6|unix|/tmp/plugin1|grpc|\n");
        let wanted = Handshake { protocol: Protocol::V6, listener: Listener::Unix("/tmp/plugin1".into()) };
        assert_eq!(parsed, Ok(wanted));
        let parsed = Handshake::parse("1|5|tcp|127.0.0.1:1234|grpc").unwrap();
        assert_eq!(parsed.protocol, Protocol::V5);
        assert_eq!(parsed.listener, Listener::Tcp(SocketAddr::from(([127, 0, 0, 1], 1234))));
    }

    #[test]
    fn other_lines_are_errors_with_their_text() {
        for (line, message) in [
            ("", "printed \"\" where"),
            ("Usage: \u{1b}[31mx", "printed \"Usage: ␛[31mx\""),
            ("2|6|unix|/a|grpc", "the core protocol \"2\""),
            ("1|4|unix|/a|grpc", "the protocol version \"4\""),
            ("1|6|unix|/a|netrpc", "the transport \"netrpc\""),
            ("1|6|unix||grpc", "no path"),
            ("1|6|tcp|example|grpc", "no address"),
            ("1|6|tcp|192.0.2.1:80|grpc", "not on this machine"),
            ("1|6|pipe|a|grpc", "does not know"),
        ] {
            let failure = Handshake::parse(line).unwrap_err();
            assert!(failure.text.contains(message), "{line}: {failure}");
        }
        let long = Handshake::parse(&"ü".repeat(1000)).unwrap_err();
        assert!(long.text.chars().count() < 300, "{long}");
    }
}
