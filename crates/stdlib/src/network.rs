//! Functions on IP addresses and networks.

use std::net::{Ipv4Addr, Ipv6Addr};

use dashu_int::{IBig, UBig};
use terrane_function::{Availability, Call, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Number, Type, Value};

use crate::integer::whole;

pub(crate) fn functions() -> Vec<Function> {
    let mut functions = inside_networks();
    functions.extend(about_networks());
    functions
}

fn inside_networks() -> Vec<Function> {
    let prefix = || Parameter::new("prefix", Type::String);
    let number = |name| Parameter::new(name, Type::Number);
    vec![
        Function::new(
            "cidrsubnet",
            "Returns a subnet of a network: the prefix grows by a number of bits, which hold the number of \
             the subnet.",
            ResultType::Fixed(Type::String),
            cidrsubnet,
        )
        .parameter(prefix())
        .parameter(number("newbits"))
        .parameter(number("netnum"))
        .examples(&[(r#"cidrsubnet("172.16.0.0/12", 4, 2)"#, r#""172.18.0.0/16""#)])
        .pure(),
        Function::new(
            "cidrsubnets",
            "Returns consecutive subnets of a network, one for each number of bits to add to the prefix.",
            ResultType::Fixed(Type::list(Type::String)),
            cidrsubnets,
        )
        .parameter(prefix())
        .variadic(number("newbits"))
        .examples(&[(
            r#"cidrsubnets("10.1.0.0/16", 4, 4, 8)"#,
            "tolist([\n  \"10.1.0.0/20\",\n  \"10.1.16.0/20\",\n  \"10.1.32.0/24\",\n])",
        )])
        .pure(),
        Function::new(
            "cidrhost",
            "Returns the address of a host from its number in a network. Negative numbers count from the \
             end.",
            ResultType::Fixed(Type::String),
            cidrhost,
        )
        .parameter(prefix())
        .parameter(number("hostnum"))
        .examples(&[
            (r#"cidrhost("10.12.112.0/20", 16)"#, r#""10.12.112.16""#),
            (r#"cidrhost("fd00:fd12:3456:7890::/56", 34)"#, r#""fd00:fd12:3456:7800::22""#),
        ])
        .pure(),
    ]
}

fn about_networks() -> Vec<Function> {
    vec![
        Function::new(
            "cidrnetmask",
            "Returns the mask of an IPv4 network, such as 255.255.0.0.",
            ResultType::Fixed(Type::String),
            cidrnetmask,
        )
        .parameter(Parameter::new("prefix", Type::String))
        .examples(&[(r#"cidrnetmask("172.16.0.0/12")"#, r#""255.240.0.0""#)])
        .pure(),
        Function::new(
            "cidrcontains",
            "Returns true if a network contains an address or another network.",
            ResultType::Fixed(Type::Bool),
            cidrcontains,
        )
        .parameter(Parameter::new("containing_prefix", Type::String))
        .parameter(Parameter::new("contained_ip_or_prefix", Type::String))
        .nullable()
        .since(Availability::nowhere().opentofu(7))
        .examples(&[
            (r#"cidrcontains("192.168.0.0/16", "192.168.2.1")"#, "true"),
            (r#"cidrcontains("192.168.0.0/16", "10.0.0.0/8")"#, "false"),
        ])
        .pure(),
    ]
}

/// An address; IPv4 uses the low 32 bits.
#[derive(Clone, Copy)]
struct Address {
    value: u128,
    /// The number of bits of an address: 32 or 128.
    bits: u32,
}

/// A network: an address without host bits, and the length of the prefix.
#[derive(Clone, Copy)]
struct Network {
    address: Address,
    prefix: u32,
}

impl Address {
    /// Parses an address. Numbers may have leading zeros, which are ignored.
    fn parse(text: &str) -> Option<Address> {
        if let Some(value) = parse_v4(text) {
            return Some(Address { value: u32::from(value).into(), bits: 32 });
        }
        let groups = text.split(':').map(|group| match parse_v4(group) {
            Some(tail) => tail.to_string(),
            None => without_zeros(group).to_owned(),
        });
        let plain = groups.collect::<Vec<_>>().join(":");
        let value: Ipv6Addr = plain.parse().ok()?;
        Some(Address { value: value.into(), bits: 128 })
    }

    /// Whether this is an IPv6 address that maps an IPv4 address.
    fn is_mapped(self) -> bool {
        self.bits == 128 && self.value >> 32 == 0xffff
    }

    /// A mapped IPv4 address as IPv4, and other addresses unchanged.
    fn unmapped(self) -> Address {
        if self.is_mapped() { Address { value: self.value & u128::from(u32::MAX), bits: 32 } } else { self }
    }

    fn masked(self, prefix: u32) -> Address {
        Address { value: self.value & mask(prefix, self.bits), ..self }
    }

    fn text(self) -> String {
        let address = self.unmapped();
        match u32::try_from(address.value) {
            Ok(value) if address.bits == 32 => Ipv4Addr::from(value).to_string(),
            Ok(_) | Err(_) => Ipv6Addr::from(address.value).to_string(),
        }
    }
}

fn parse_v4(text: &str) -> Option<Ipv4Addr> {
    let mut octets = [0; 4];
    let mut parts = text.split('.');
    for octet in &mut octets {
        *octet = parse_digits(parts.next()?)?;
    }
    parts.next().is_none().then(|| octets.into())
}

fn parse_digits<N: std::str::FromStr>(text: &str) -> Option<N> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { without_zeros(text).parse().ok() } else { None }
}

fn without_zeros(text: &str) -> &str {
    let trimmed = text.trim_start_matches('0');
    if trimmed.is_empty() && !text.is_empty() { "0" } else { trimmed }
}

fn mask(prefix: u32, bits: u32) -> u128 {
    let all = u128::MAX >> (128 - bits);
    all & !all.checked_shr(prefix).unwrap_or(0)
}

impl Network {
    fn parse(text: &str) -> Option<Network> {
        let (address, prefix) = text.split_once('/')?;
        let address = Address::parse(address)?;
        let prefix: u32 = parse_digits(prefix)?;
        (prefix <= address.bits).then(|| Network { address: address.masked(prefix), prefix })
    }

    /// The network of a mapped IPv4 address as IPv4, and other networks unchanged.
    fn unmapped(self) -> Network {
        if self.address.is_mapped() {
            Network { address: self.address.unmapped(), prefix: self.prefix.saturating_sub(96) }
        } else {
            self
        }
    }

    fn last(self) -> Address {
        let bits = self.address.bits;
        Address { value: self.address.value | (mask(bits, bits) & !mask(self.prefix, bits)), bits }
    }

    fn contains(self, address: Address) -> bool {
        let (network, address) = (self.unmapped(), address.unmapped());
        network.address.bits == address.bits && address.masked(network.prefix).value == network.address.value
    }

    fn text(self) -> String {
        let network = self.unmapped();
        format!("{}/{}", network.address.text(), network.prefix)
    }
}

fn network(call: &Call<'_>, index: usize) -> Result<Network, FunctionError> {
    Network::parse(call.string(index)).ok_or_else(|| {
        FunctionError::new(format!("{} is not a network such as \"10.0.0.0/8\"", call.quoted(index)))
    })
}

fn integer(call: &Call<'_>, index: usize) -> Result<IBig, FunctionError> {
    let integer = call.argument(index).as_number().and_then(Number::to_integer);
    integer.ok_or_else(|| FunctionError::new("a whole number is required"))
}

/// Returns the address with a number in the bits from `shift` on. As in the reference, the number is not masked, but the result
/// must be a valid address.
fn with_number(address: Address, number: IBig, shift: u32) -> Result<Address, FunctionError> {
    let shift = usize::try_from(shift).unwrap_or_default();
    let (_, magnitude) = (IBig::from(address.value) | (number << shift)).into_parts();
    let value = u128::try_from(magnitude).ok().filter(|value| *value <= mask(address.bits, address.bits));
    let value =
        value.ok_or_else(|| FunctionError::new("the number exceeds the last address of the network"))?;
    Ok(Address { value, ..address })
}

/// Returns the low 64 bits of the absolute value, which the reference compares with the maximum.
fn low_bits(number: &IBig) -> u64 {
    let (_, magnitude) = number.clone().into_parts();
    u64::try_from(magnitude & UBig::from(u64::MAX)).unwrap_or(u64::MAX)
}

fn cidrsubnet(call: &Call<'_>) -> Result<Value, FunctionError> {
    let new_bits =
        whole(call.argument(1)).ok_or_else(|| FunctionError::new("newbits must be a whole number"))?;
    let number = integer(call, 2)?;
    let network = network(call, 0)?;
    let bits = network.address.bits;
    let prefix =
        i64::from(network.prefix).checked_add(new_bits).and_then(|prefix| u32::try_from(prefix).ok());
    let Some(prefix) = prefix.filter(|prefix| *prefix <= bits) else {
        let message = format!("a prefix of {} bits cannot be made longer by {new_bits}", network.prefix);
        return Err(FunctionError::new(message));
    };
    let most = u32::try_from(new_bits).ok().and_then(|new_bits| 1_u64.checked_shl(new_bits)).unwrap_or(0);
    if low_bits(&number) > most.wrapping_sub(1) {
        return Err(FunctionError::new(format!(
            "{new_bits} bits are too few for a network number of this size"
        )));
    }
    let address = with_number(network.address, number, bits - prefix)?;
    Ok(Network { address, prefix }.text().into())
}

fn cidrsubnets(call: &Call<'_>) -> Result<Value, FunctionError> {
    let network = network(call, 0).map_err(|error| call.invalid(0, error.message))?;
    let bits = network.address.bits;
    if network.address.is_mapped() && call.arguments.len() > 1 {
        return Err(call.invalid(1, "an IPv4 network must be written in its own form to be divided"));
    }
    let mut subnets = Vec::new();
    // A subnet is aligned to its own size, so each one begins at the first aligned address after the previous one.
    let mut end: Option<Address> = None;
    for index in 1..call.arguments.len() {
        let new_bits = call.integer(index)?;
        if new_bits < 1 {
            return Err(call.invalid(index, "the prefix must become longer by at least one bit"));
        }
        let prefix =
            i64::from(network.prefix).checked_add(new_bits).and_then(|prefix| u32::try_from(prefix).ok());
        let Some(prefix) = prefix.filter(|prefix| *prefix <= bits) else {
            return Err(call.invalid(index, format!("an address has only {bits} bits")));
        };
        // The reference wraps around at the end of the address space and does not notice a subnet that begins at
        // zero.
        let before = end.unwrap_or(Address { value: network.address.value.wrapping_sub(1), bits });
        let aligned = Network { address: before.masked(prefix), prefix }.last();
        let start = aligned.value.wrapping_add(1) & mask(bits, bits);
        let next = Network { address: Address { value: start, bits }, prefix };
        if start == 0 || !network.contains(next.address) {
            let message = format!("there is no room left for a network with a prefix of {prefix} bits");
            return Err(call.invalid(index, message));
        }
        end = Some(next.last());
        subnets.push(Value::string(next.text()));
    }
    Ok(Value::list(Type::String, subnets))
}

fn cidrhost(call: &Call<'_>) -> Result<Value, FunctionError> {
    let number = integer(call, 1)?;
    let network = network(call, 0)?;
    let address = network.address;
    let most = IBig::from(mask(address.bits, address.bits) & !mask(network.prefix, address.bits));
    let (distance, host) = if number < IBig::ZERO {
        let distance = -number - IBig::ONE;
        (distance.clone(), most.clone() - distance)
    } else {
        // The reference reads only the low 64 bits, and their highest bit as a sign.
        (IBig::from(low_bits(&number).cast_signed()), number)
    };
    if distance > most {
        let message =
            format!("a prefix of {} bits leaves too few bits for a host number of this size", network.prefix);
        return Err(FunctionError::new(message));
    }
    let shift = if address.is_mapped() { 96 } else { 0 };
    Ok(with_number(address, host, shift)?.text().into())
}

fn cidrnetmask(call: &Call<'_>) -> Result<Value, FunctionError> {
    let network = network(call, 0)?;
    let Address { bits, .. } = network.address;
    if bits == 128 && !network.address.is_mapped() {
        return Err(FunctionError::new("an IPv6 network has no mask"));
    }
    Ok(Address { value: mask(network.prefix, bits), bits }.text().into())
}

fn cidrcontains(call: &Call<'_>) -> Result<Value, FunctionError> {
    let containing = network(call, 0)?;
    let contained = match Address::parse(call.string(1)) {
        Some(address) => Network { address, prefix: address.bits },
        None => Network::parse(call.string(1)).ok_or_else(|| {
            FunctionError::new(format!("{} is neither an address nor a network", call.quoted(1)))
        })?,
    };
    if containing.address.unmapped().bits != contained.address.unmapped().bits {
        return Err(FunctionError::new("an IPv4 and an IPv6 address cannot be compared"));
    }
    Ok(Value::from(containing.contains(contained.address) && containing.contains(contained.last())))
}

#[cfg(test)]
mod tests {
    use terrane_value::Value;

    use crate::testing::{number, result};

    #[test]
    fn networks_in_a_network() {
        let cases = [
            ("10.1.2.3/8", "8", "5", "10.5.0.0/16"),
            ("192.168.2.0/20", "4", "6", "192.168.6.0/24"),
            ("fd00:fd12:3456:7890::/56", "16", "162", "fd00:fd12:3456:7800:a200::/72"),
            ("fd00::/8", "70", "12345678901234567890123", "ff75:ad9:39d9:c509:132c::/78"),
            ("10.0.0.0/8", "8", "256", "error"),
            ("10.0.0.0/8", "25", "0", "error"),
            ("10.0.0.0/8", "8", "0.5", "error"),
            ("10.0.0.0/8", "8", "18446744073709551616", "error"),
            // The reference returns surprising results for numbers outside of the network.
            ("10.0.0.0/8", "8", "-1", "0.1.0.0/16"),
            ("10.1.0.0/16", "-8", "0", "10.1.0.0/8"),
            ("10.0.0/8", "8", "0", "error"),
        ];
        for (prefix, bits, index, expected) in cases {
            assert_eq!(
                result("cidrsubnet", [prefix.into(), number(bits), number(index)]),
                expected,
                "{prefix} {bits} {index}"
            );
        }
    }

    #[test]
    fn networks_one_after_the_other() {
        let cases: [(&str, &[&str], &str); 8] = [
            (
                "10.1.0.0/16",
                &["4", "4", "8", "4"],
                "list[10.1.0.0/20, 10.1.16.0/20, 10.1.32.0/24, 10.1.48.0/20]",
            ),
            ("10.0.0.0/8", &["8", "16", "1"], "list[10.0.0.0/16, 10.1.0.0/24, 10.128.0.0/9]"),
            ("fd00::/56", &["16", "32"], "list[fd00::/72, fd00::100:0:0:0/88]"),
            ("10.0.0.0/8", &[], "list[]"),
            ("10.0.0.0/8", &["1", "1", "1"], "error in argument 3"),
            ("10.0.0.0/8", &["30"], "error in argument 1"),
            ("10.0.0.0/8", &["0"], "error in argument 1"),
            ("0.0.0.0/0", &["1"], "error in argument 1"),
        ];
        for (prefix, bits, expected) in cases {
            let arguments = [Value::from(prefix)].into_iter().chain(bits.iter().map(|bits| number(bits)));
            assert_eq!(result("cidrsubnets", arguments), expected, "{prefix} {bits:?}");
        }
    }

    #[test]
    fn hosts_and_masks() {
        let cases = [
            ("10.0.0.0/8", "256", "10.0.1.0"),
            ("10.0.0.0/8", "-1", "10.255.255.255"),
            ("010.0.0.0/08", "1", "10.0.0.1"),
            ("fd00::/8", "-5", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:fffb"),
            ("10.0.0.0/30", "5", "error"),
            ("10.0.0.0/30", "-5", "error"),
        ];
        for (prefix, host, expected) in cases {
            assert_eq!(result("cidrhost", [prefix.into(), number(host)]), expected, "{prefix} {host}");
        }
        assert_eq!(result("cidrnetmask", ["10.0.0.0/12".into()]), "255.240.0.0");
        assert_eq!(result("cidrnetmask", ["10.0.0.0/0".into()]), "0.0.0.0");
        assert_eq!(result("cidrnetmask", ["fd00::/8".into()]), "error");
    }

    #[test]
    fn a_network_contains_addresses_and_networks() {
        let cases = [
            ("192.168.2.0/20", "192.168.2.1", "true"),
            ("192.168.2.0/20", "192.168.2.0/22", "true"),
            ("192.168.2.0/20", "192.168.0.0/16", "false"),
            ("192.168.2.0/20", "192.126.2.1", "false"),
            ("fe80::/48", "fe80::1", "true"),
            ("10.0.0.0/8", "::ffff:10.1.1.1", "true"),
            ("10.0.0.0/8", "fe80::1", "error"),
            ("10.0.0.0/8", "x", "error"),
            ("10.0.0.0", "10.0.0.1", "error"),
        ];
        for (network, other, expected) in cases {
            assert_eq!(result("cidrcontains", [network.into(), other.into()]), expected, "{network} {other}");
        }
    }
}
