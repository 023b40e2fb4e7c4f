//! Differences between editions of Packer.
//!
//! [`Rules`] is computed once from an edition and answers every question about it: its fields are the table of
//! behaviour, including titles of diagnostics. [`releases`] returns the releases that an edition may simulate.

use std::borrow::Cow;
use std::fmt;

use terrane_function::{Availability, Dialect, Edition, Product};
use terrane_source::{Title, titles};

/// `any` and `optional(…)` in the types of variables.
pub(crate) const OPEN_TYPES: Availability = packer(16);

/// Available in Packer since `1.minor`.
const fn packer(minor: u16) -> Availability {
    Availability::nowhere().packer(minor)
}

/// The attributes of `packer` that are set in a build, each with the editions that have it.
const BUILD_ATTRIBUTES: [(&str, Availability); 2] =
    [("iterationID", packer(7)), ("versionFingerprint", packer(10))];

/// The behaviour of an edition. The comment of a field describes the editions in which it is true; `of` lists them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    edition: Edition,

    // Blocks and arguments
    /// An `hcp_packer_registry` block can stand at the top level.
    pub(crate) has_registry_blocks: bool,
    /// A template has at most one registry, in all its builds and at the top level.
    pub(crate) allows_one_registry: bool,
    /// The name of a bucket has at most 36 letters, numbers and hyphens.
    pub(crate) checks_bucket_names: bool,
    /// A provisioner has the argument `continue_on_error`.
    pub(crate) provisioners_may_continue: bool,

    // Local values and data sources
    /// A second declaration of a local value is an error in the file, rather than in the values.
    pub(crate) declarations_find_duplicates: bool,
    /// Local values and data sources are computed together, in the order of their references. Otherwise, all data
    /// sources come first, so that none can refer to a local value.
    pub(crate) orders_locals_with_data: bool,
    /// The title of the error about references in a cycle.
    pub(crate) cycle_title: Title,

    /// Plugins in `required_plugins`.
    pub(crate) plugins: PluginRules,
}

/// The behaviour of the entries of `required_plugins`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PluginRules {
    /// The constraint of a version cannot name a prerelease.
    pub(crate) refuse_prereleases: bool,
    /// A source has any number of parts after its host; otherwise it has two.
    pub(crate) sources_are_paths: bool,
    /// The title of the error about a source that is not a host and names.
    pub(crate) source_title: Title,
    /// The title of the error about a name with the prefix of a repository.
    pub(crate) prefix_title: Title,
}

impl Rules {
    /// Returns the rules of an edition.
    pub(crate) fn of(edition: Edition) -> Rules {
        let since = |minor| edition >= Edition::new(1, minor);
        Rules {
            edition,

            has_registry_blocks: since(13),
            allows_one_registry: since(13),
            checks_bucket_names: since(10),
            provisioners_may_continue: since(16),

            declarations_find_duplicates: since(12),
            orders_locals_with_data: since(12),
            cycle_title: if since(12) {
                titles::FAILED_TO_PREPARE_EXECUTION_GRAPH
            } else {
                titles::MAX_DATASOURCE_RECURSION_DEPTH_EXCEEDED
            },

            plugins: PluginRules {
                refuse_prereleases: since(11),
                sources_are_paths: since(11),
                source_title: if since(11) {
                    titles::INVALID_SOURCE
                } else {
                    titles::INVALID_PLUGIN_SOURCE_STRING
                },
                prefix_title: if since(11) { titles::INVALID_SOURCE } else { titles::INVALID_PLUGIN_TYPE },
            },
        }
    }

    /// Returns the attributes of `packer` that are set in a build.
    pub(crate) fn build_attributes(&self) -> impl Iterator<Item = &'static str> {
        let rules = *self;
        BUILD_ATTRIBUTES.iter().filter(move |(_, since)| rules.has(*since)).map(|(name, _)| *name)
    }

    /// Returns the first edition with a feature, in words, if this edition lacks it; `None` if it has the feature.
    pub(crate) fn lacks(&self, feature: Availability, name: impl fmt::Display) -> Option<String> {
        (!self.has(feature)).then(|| format!("{name} need {feature} or newer."))
    }

    fn has(&self, feature: Availability) -> bool {
        feature.is_in(Dialect::Product(Product::Packer, self.edition))
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::of(Edition::NEWEST)
    }
}

/// The last release of each edition, the oldest first.
const RELEASES: &[[u64; 3]] = &[
    [1, 6, 6],
    [1, 7, 10],
    [1, 8, 7],
    [1, 9, 5],
    [1, 10, 3],
    [1, 11, 2],
    [1, 12, 0],
    [1, 13, 1],
    [1, 14, 3],
    [1, 15, 4],
    [1, 16, 0],
];

/// Returns the releases that an edition may simulate, the newest last: for the newest edition, the last release of each edition,
/// because a template may accept only an older one. Any other edition has its own last release, or its first if it is not in
/// the list.
pub(crate) fn releases(edition: Edition) -> Cow<'static, [[u64; 3]]> {
    if edition == Edition::NEWEST {
        return Cow::Borrowed(RELEASES);
    }
    let (major, minor) = (u64::from(edition.major), u64::from(edition.minor));
    let found = RELEASES
        .iter()
        .find(|[listed_major, listed_minor, _]| (*listed_major, *listed_minor) == (major, minor));
    Cow::Owned(vec![found.copied().unwrap_or([major, minor, 0])])
}
