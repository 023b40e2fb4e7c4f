//! Reads versions, and constraints on them, as in `required_version`, `required_providers` and `version`.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// A version constraint. All its conditions must hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionConstraint {
    conditions: Vec<Condition>,
}

/// A version such as `5.31.0` or `1.2.0-beta1`. It is ordered as in Semantic Versioning: a prerelease is lower than its
/// release, and metadata after a plus sign counts only if the rest is equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    numbers: [u64; 3],
    prerelease: Option<String>,
    text: String,
}

impl Version {
    /// Returns the first number.
    pub fn major(&self) -> u64 {
        self.numbers[0]
    }

    /// Whether it is the release with these numbers, or a later version.
    pub fn is_from(&self, release: [u64; 3]) -> bool {
        self.numbers > release || (self.numbers == release && self.prerelease.is_none())
    }

    /// Returns the version as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Version, String> {
        let wrong = || format!("\"{text}\" is not a version");
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'~' | b'+');
        if !text.starts_with(|first: char| first.is_ascii_digit()) || !text.bytes().all(plain) {
            return Err(wrong());
        }
        let Condition { numbers, written, prerelease, .. } = condition(text)?;
        let release = text.split(['-', '+']).next().unwrap_or_default();
        if written != numbers.len() || release.split('.').count() != numbers.len() {
            return Err(wrong());
        }
        Ok(Version { numbers, prerelease, text: text.to_owned() })
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        let prerelease = prerelease_order(self.prerelease.as_deref(), other.prerelease.as_deref());
        self.numbers.cmp(&other.numbers).then(prerelease).then_with(|| self.text.cmp(&other.text))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the order of two versions with the same numbers. A release is higher than its prereleases.
fn prerelease_order(one: Option<&str>, other: Option<&str>) -> Ordering {
    match (one, other) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(one), Some(other)) => identifiers(one).cmp(identifiers(other)),
    }
}

/// Returns the parts between the dots in the text after the hyphen. A number is lower than a name.
fn identifiers(prerelease: &str) -> impl Iterator<Item = (bool, Option<u64>, &str)> {
    prerelease.split('.').map(|part| match part.parse::<u64>() {
        Ok(number) => (false, Some(number), ""),
        Err(_) => (true, None, part),
    })
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Condition {
    operator: Operator,
    /// The first three numbers of the version.
    numbers: [u64; 3],
    /// The further numbers, which no release has.
    further: Vec<u64>,
    /// The number of numbers that are written.
    written: usize,
    /// The text after the hyphen of a prerelease: `beta1`.
    prerelease: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    /// `~>`: only the last number that is written may be higher.
    Compatible,
}

impl VersionConstraint {
    /// Whether the version with these numbers is acceptable.
    pub fn allows(&self, version: [u64; 3]) -> bool {
        self.conditions.iter().all(|condition| condition.allows(version))
    }

    /// Whether a version in a text, such as `1.2.0` or `1.2.0-beta1`, is acceptable. A prerelease satisfies only
    /// conditions that name a prerelease.
    pub fn allows_text(&self, version: &str) -> bool {
        let Ok(Condition { numbers, prerelease, .. }) = condition(version) else { return false };
        let Some(prerelease) = prerelease else { return self.allows(numbers) };
        self.conditions.iter().all(|condition| {
            let is_same = condition.numbers == numbers && condition.prerelease.as_ref() == Some(&prerelease);
            match condition.operator {
                Operator::Equal => is_same,
                Operator::NotEqual => !is_same,
                Operator::Greater | Operator::Less => condition.prerelease.is_some() && !is_same,
                Operator::GreaterOrEqual | Operator::LessOrEqual | Operator::Compatible => {
                    condition.prerelease.is_some()
                }
            }
        })
    }

    /// Whether any version from `first` on is acceptable.
    pub fn allows_any_from(&self, first: [u64; 3]) -> bool {
        let next = |[major, minor, patch]: [u64; 3]| [major, minor, patch.saturating_add(1)];
        let (mut lowest, mut excluded) = (first, HashSet::new());
        for condition in &self.conditions {
            match condition.operator {
                Operator::NotEqual if !condition.allows(condition.numbers) => {
                    excluded.insert(condition.numbers);
                }
                Operator::NotEqual | Operator::Less | Operator::LessOrEqual => {}
                // The lowest version that the condition accepts.
                Operator::Equal | Operator::Greater | Operator::GreaterOrEqual | Operator::Compatible => {
                    let own = [condition.numbers, next(condition.numbers)];
                    let own = own.into_iter().find(|version| condition.allows(*version));
                    lowest = lowest.max(own.unwrap_or(condition.numbers));
                }
            }
        }
        while excluded.remove(&lowest) {
            lowest = next(lowest);
        }
        // If `lowest` is too high for an upper bound, every higher version is, too.
        self.allows(lowest)
    }

    /// Returns the constraint in the form of plans and lock files: the conditions in the order of their versions, each once.
    #[must_use]
    pub fn canonical(mut self) -> VersionConstraint {
        for condition in &mut self.conditions {
            // `~> 1` is `~> 1.0`. With other operators, missing numbers are zeros.
            let least = if condition.operator == Operator::Compatible { 2 } else { condition.numbers.len() };
            condition.written = condition.written.max(least);
        }
        self.conditions.sort_by(Condition::order);
        self.conditions.dedup();
        self
    }

    /// Returns a constraint for the versions that both accept.
    #[must_use]
    pub fn and(mut self, other: VersionConstraint) -> VersionConstraint {
        self.conditions.extend(other.conditions);
        self
    }

    /// Whether a condition names a prerelease.
    pub fn has_prerelease(&self) -> bool {
        self.conditions.iter().any(|condition| condition.prerelease.is_some())
    }
}

impl Condition {
    /// Returns the order of two conditions in a canonical constraint: by version, then lower bounds before upper bounds.
    fn order(&self, other: &Condition) -> Ordering {
        let rank = |condition: &Condition| match condition.operator {
            Operator::Greater => 0,
            Operator::GreaterOrEqual => 1,
            Operator::Equal => 2,
            Operator::Compatible if condition.written > 2 => 3,
            Operator::Compatible => 4,
            Operator::LessOrEqual => 5,
            Operator::Less => 6,
            Operator::NotEqual => 7,
        };
        let prerelease = prerelease_order(self.prerelease.as_deref(), other.prerelease.as_deref());
        let version = self.numbers.cmp(&other.numbers).then_with(|| self.further.cmp(&other.further));
        version.then(prerelease).then_with(|| rank(self).cmp(&rank(other)))
    }

    fn allows(&self, version: [u64; 3]) -> bool {
        // A release is higher than its prereleases.
        let before = if self.prerelease.is_some() { Ordering::Greater } else { Ordering::Equal };
        let further =
            if self.further.iter().any(|number| *number > 0) { Ordering::Less } else { Ordering::Equal };
        let order = version.cmp(&self.numbers).then(further).then(before);
        match self.operator {
            Operator::Equal => order == Ordering::Equal,
            Operator::NotEqual => order != Ordering::Equal,
            Operator::Greater => order == Ordering::Greater,
            Operator::GreaterOrEqual => order != Ordering::Less,
            Operator::Less => order == Ordering::Less,
            Operator::LessOrEqual => order != Ordering::Greater,
            Operator::Compatible => {
                let equal_parts = self.written.saturating_sub(1).max(usize::from(self.written == 1));
                let same =
                    version.iter().zip(&self.numbers).take(equal_parts).all(|(one, other)| one == other);
                // As many numbers are compared as are written. A version has three, so none satisfies four.
                let is_comparable = self.prerelease.is_none() && self.written <= self.numbers.len();
                is_comparable && order != Ordering::Less && (same || self.written == 1)
            }
        }
    }
}

/// Writes the canonical form: `>= 1.2.0, < 2.0.0`. At least three numbers are written, except the
/// numbers that `~>` leaves open.
impl fmt::Display for VersionConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, condition) in self.conditions.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            condition.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, written) = match self.operator {
            Operator::Equal => ("", self.numbers.len()),
            Operator::NotEqual => ("!= ", self.numbers.len()),
            Operator::Greater => ("> ", self.numbers.len()),
            Operator::GreaterOrEqual => (">= ", self.numbers.len()),
            Operator::Less => ("< ", self.numbers.len()),
            Operator::LessOrEqual => ("<= ", self.numbers.len()),
            Operator::Compatible => ("~> ", self.written),
        };
        f.write_str(sign)?;
        let numbers = self.numbers.iter().take(written).chain(&self.further);
        for (index, number) in numbers.enumerate() {
            write!(f, "{}{number}", if index > 0 { "." } else { "" })?;
        }
        match &self.prerelease {
            Some(prerelease) => write!(f, "-{prerelease}"),
            None => Ok(()),
        }
    }
}

impl FromStr for VersionConstraint {
    type Err = String;

    fn from_str(text: &str) -> Result<VersionConstraint, String> {
        let conditions = text.split(',').map(condition).collect::<Result<_, _>>()?;
        Ok(VersionConstraint { conditions })
    }
}

fn condition(text: &str) -> Result<Condition, String> {
    /// Longer operators come before operators that they begin with.
    const OPERATORS: &[(&str, Operator)] = &[
        ("!=", Operator::NotEqual),
        (">=", Operator::GreaterOrEqual),
        ("<=", Operator::LessOrEqual),
        ("~>", Operator::Compatible),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("=", Operator::Equal),
    ];
    let text = text.trim();
    let operator = OPERATORS.iter().find_map(|(sign, operator)| Some((*operator, text.strip_prefix(sign)?)));
    let (operator, version) = operator.unwrap_or((Operator::Equal, text));
    let version = version.trim();
    let without_v = version.strip_prefix('v').unwrap_or(version);
    let (release, _) = without_v.split_once('+').unwrap_or((without_v, ""));
    let (release, prerelease) = match release.split_once('-') {
        Some((release, prerelease)) => (release, Some(prerelease)),
        None => (release, None),
    };
    let wrong = || format!("\"{version}\" is not a version");
    let identifier = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '~'))
    };
    if prerelease.is_some_and(|prerelease| !identifier(prerelease)) {
        return Err(wrong());
    }
    let (mut numbers, mut further) = ([0; 3], Vec::new());
    let mut written = 0;
    for part in release.split('.') {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let number: u64 = part.parse().ok().filter(|_| digits).ok_or_else(wrong)?;
        match numbers.get_mut(written) {
            Some(slot) => *slot = number,
            None => further.push(number),
        }
        written += 1;
    }
    Ok(Condition { operator, numbers, further, written, prerelease: prerelease.map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared() {
        for (constraint, version, expected) in [
            ("1.2", [1, 2, 0], true),
            ("= 1.2.3", [1, 2, 3], true),
            ("!= 1.2.3", [1, 2, 3], false),
            (">= 1.0, < 2.0, != 1.5.0", [1, 6, 0], true),
            (">= 1.0, < 2.0, != 1.5.0", [2, 0, 0], false),
            ("~> 1.11.0", [1, 11, 9], true),
            ("~> 1.11.0", [1, 12, 0], false),
            ("~> 1.2", [1, 99, 0], true),
            ("~> 1.2", [2, 0, 0], false),
            ("~> 1.2", [1, 1, 9], false),
            ("~> 1", [2, 0, 0], true),
            ("~> 1.2.0.0", [1, 2, 0], false),
            ("= 1.2.0.0", [1, 2, 0], true),
            (">= 1.2.0.4", [1, 2, 0], false),
            (">= 1.2.0.4", [1, 2, 1], true),
            ("< 1.2.0.4", [1, 2, 0], true),
            (">v0.9", [0, 9, 1], true),
            ("1.2.3-dev", [1, 2, 3], false),
            (">= 1.2.3-dev", [1, 2, 3], true),
            ("~> 1.2.3-dev", [1, 2, 3], false),
        ] {
            let parsed: VersionConstraint = constraint.parse().expect(constraint);
            assert_eq!(parsed.allows(version), expected, "{constraint} {version:?}");
        }
    }

    #[test]
    fn versions_have_an_order() {
        let sorted =
            ["1.2.0-2", "1.2.0-10", "1.2.0-alpha.1", "1.2.0-beta", "1.2.0", "1.2.0+b", "1.10.0", "2.0.0"];
        let parsed = sorted.map(|text| text.parse::<Version>().expect(text));
        assert!(parsed.is_sorted(), "{parsed:?}");
        assert_eq!(parsed[1].as_str(), "1.2.0-10");
        for text in ["", "1", "1.2", "1.2.3.4", "v1.2.3", ">= 1.2.3", "1.2.3/..", "1.2.x", " 1.2.3", "1.2.3-"]
        {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
    }

    #[test]
    fn versions_before_a_release_satisfy_only_conditions_that_name_one() {
        for (constraint, version, expected) in [
            ("~> 1.2", "1.2.9", true),
            ("~> 1.2", "v2.0.0", false),
            (">= 1.0", "1.1.0-beta1", false),
            ("1.1.0-beta1", "1.1.0-beta1", true),
            ("1.1.0-beta2", "1.1.0-beta1", false),
            ("!= 1.1.0-beta2", "1.1.0-beta1", true),
            ("1.1.0", "not a version", false),
        ] {
            let parsed: VersionConstraint = constraint.parse().expect(constraint);
            assert_eq!(parsed.allows_text(version), expected, "{constraint} {version}");
        }
    }

    #[test]
    fn constraints_have_a_canonical_form() {
        for (constraint, expected) in [
            (">=1.2,<v2", ">= 1.2.0, < 2.0.0"),
            ("~> 1.2", "~> 1.2"),
            ("= 1.2.3-beta1", "1.2.3-beta1"),
            ("~> 1.2.0.4", "~> 1.2.0.4"),
            ("!= 1.2.3.4.5", "!= 1.2.3.4.5"),
        ] {
            let parsed: VersionConstraint = constraint.parse().expect(constraint);
            assert_eq!(parsed.to_string(), expected);
        }
    }

    #[test]
    fn canonical_constraints_are_sorted_and_have_each_condition_once() {
        for (constraint, expected) in [
            ("< 2.0, >= 1.2, >= 1.2.0, != 1.5.0", ">= 1.2.0, != 1.5.0, < 2.0.0"),
            (
                "!= 1.0.0, <= 1.0.0, ~> 1.0, ~> 1.0.0, 1.0.0, >= 1.0.0, > 1.0.0, < 1.0.0",
                "> 1.0.0, >= 1.0.0, 1.0.0, ~> 1.0.0, ~> 1.0, <= 1.0.0, < 1.0.0, != 1.0.0",
            ),
            ("~> 1, >= 1.0.0-beta10, >= 1.0.0-beta9", ">= 1.0.0-beta10, >= 1.0.0-beta9, ~> 1.0"),
        ] {
            let parsed: VersionConstraint = constraint.parse().expect(constraint);
            assert_eq!(parsed.canonical().to_string(), expected);
        }
    }

    #[test]
    fn versions_from_one_on_are_found() {
        for (constraint, expected) in [
            (">= 1.0", true),
            ("< 1.2.0", false),
            ("< 1.2.1", true),
            ("~> 1.1.0", false),
            ("~> 1.2", true),
            ("= 1.2.0", true),
            ("= 1.1.9", false),
            ("> 1.2.0, < 1.2.2, != 1.2.1", false),
            ("> 1.2.0, < 1.2.3, != 1.2.1", true),
            (">= 1.2.0, <= 1.2.0, != 1.2.0-beta1", true),
            ("~> 1.2.0-beta1", false),
            ("< 1.2.0.4", true),
        ] {
            let parsed: VersionConstraint = constraint.parse().expect(constraint);
            assert_eq!(parsed.allows_any_from([1, 2, 0]), expected, "{constraint}");
        }
    }

    #[test]
    fn invalid_constraints_are_refused() {
        for text in ["", "x", ">= ", "1.2,", "1..2", "=> 1", "1.2-", "~>1.x"] {
            assert!(text.parse::<VersionConstraint>().is_err(), "{text}");
        }
        assert!("1.0.0-beta1".parse::<VersionConstraint>().expect("a version").has_prerelease());
    }
}
