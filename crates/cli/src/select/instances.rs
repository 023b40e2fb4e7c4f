//! Finds the instance that the key in an address selects, or the reason why it does not exist.

use std::collections::BTreeMap;
use std::sync::Arc;

use terrane::source::{SourceFile, Span, ids};
use terrane::syntax::tree::{Literal, Step};
use terrane::syntax::{Expr, Tree};
use terrane::value::ClosestNames;
use terrane::{Address, Diagnostic, Entry, EntryKind, InstanceKey, InstanceNumber, Keys};

/// The most addresses that a message names.
const MAX_NAMED: usize = 5;

/// The most steps of an address that may lead to an object: at most 100 modules are in each other. Further steps lead to its parts.
const MAX_STEPS: usize = 1000;

/// The instances of module calls, resources and actions, by the address of their block.
pub(super) struct Blocks<'e> {
    by_address: BTreeMap<Box<str>, Vec<&'e Entry>>,
    /// The searches for the names that misspelt addresses of the command mean.
    pub(super) closest_names: ClosestNames,
}

impl<'e> Blocks<'e> {
    pub(super) fn new(entries: &'e [Entry]) -> Blocks<'e> {
        let mut blocks: BTreeMap<Box<str>, Vec<&Entry>> = BTreeMap::new();
        for entry in entries {
            if matches!(entry.kind, EntryKind::ModuleCall | EntryKind::Resource | EntryKind::Action) {
                blocks.entry(block(&entry.address).to_string().into()).or_default().push(entry);
            }
        }
        Blocks { by_address: blocks, closest_names: ClosestNames::default() }
    }

    /// Returns the instances of the block with an address.
    pub(super) fn instances(&self, address: &str) -> &[&'e Entry] {
        self.by_address.get(address).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the addresses of the blocks, without keys.
    pub(super) fn addresses(&self) -> impl Iterator<Item = &str> + Clone {
        self.by_address.keys().map(|address| &**address)
    }

    /// Returns the addresses of the objects that the root and each of the `steps` lead to, as far as a step may lead to one. A key
    /// is left out if the instances of its block are unknown, because all these instances share one entry. An error if the
    /// instance does not exist.
    pub(super) fn resolve(
        &self,
        source: &Arc<SourceFile>,
        tree: &Tree,
        root_end: u32,
        steps: &[Step],
    ) -> Result<Vec<String>, Box<Diagnostic>> {
        let text = source.text();
        let mut address = text.get(..root_end as usize).unwrap_or_default().to_owned();
        let mut addresses = vec![address.clone()];
        // The address in messages also has the keys of unknown instances.
        let mut shown = address.clone();
        let mut block = None;
        for step in steps.iter().take(MAX_STEPS) {
            let own = text.get(step.span().start as usize..step.span().end as usize).unwrap_or_default();
            let Some(instances) = block else {
                address.push_str(own);
                shown.push_str(own);
                addresses.push(address.clone());
                block = self.by_address.get(address.as_str());
                continue;
            };
            let closest_names = &self.closest_names;
            let query = InstanceQuery { source, tree, block: &shown, instances, step: *step, closest_names };
            let selection = query.key()?;
            match &selection {
                Selection::One(key) => address.push_str(&key.to_string()),
                Selection::Any(_) => {}
                Selection::SelectedPart => address.push_str(own),
            }
            match &selection {
                Selection::One(key) | Selection::Any(key) => shown.push_str(&key.to_string()),
                Selection::SelectedPart => shown.push_str(own),
            }
            addresses.push(address.clone());
            block = match step {
                Step::Attr { .. } => self.by_address.get(address.as_str()),
                Step::Index { .. } | Step::LegacyIndex { .. } => None,
            };
        }
        Ok(addresses)
    }
}

/// The instance that a step behind the address of a block selects.
enum Selection {
    /// The instance with this key.
    One(InstanceKey),
    /// The instance with this key, out of an unknown number of instances.
    Any(InstanceKey),
    /// No instance: the step leads to a part of the block.
    SelectedPart,
}

/// A step of an address that may select an instance.
struct InstanceQuery<'w> {
    source: &'w Arc<SourceFile>,
    tree: &'w Tree,
    /// The address of the block in messages.
    block: &'w str,
    instances: &'w [&'w Entry],
    /// The step behind the address of the block.
    step: Step,
    closest_names: &'w ClosestNames,
}

impl InstanceQuery<'_> {
    fn key(&self) -> Result<Selection, Box<Diagnostic>> {
        let Some(first) = self.instances.first() else { return Ok(Selection::SelectedPart) };
        let is_known = matches!(first.number, InstanceNumber::One);
        let key = match self.step {
            Step::Attr { .. } if is_known && first.keys != Keys::None => {
                return Err(self.error("The address does not select an instance.".to_owned(), None));
            }
            Step::Attr { .. } => return Ok(Selection::SelectedPart),
            Step::LegacyIndex { digits, .. } => index(self.source.slice(digits)),
            Step::Index { key, .. } => {
                if let Expr::Literal(Literal::String(text)) = self.tree.expr(key) {
                    Some(InstanceKey::Key(self.tree.text(text).into()))
                } else {
                    index(self.tree.expr_text(key))
                }
            }
        };
        let reason = match (first.keys, &first.number, &key) {
            (Keys::None, _, _) => "it has neither `count` nor `for_each`, so no instances with keys",
            (_, InstanceNumber::None(_), _) => "it has no instances",
            (Keys::Positions, _, Some(InstanceKey::Key(_))) => "it has `count`, so its keys are numbers",
            (Keys::Names, _, Some(InstanceKey::Index(_))) => "it has `for_each`, so its keys are strings",
            (_, _, None | Some(InstanceKey::None)) => "a key must be a number or a string",
            (_, InstanceNumber::Unknown(_), Some(key)) => return Ok(Selection::Any(key.clone())),
            (_, _, Some(key)) if self.keys().any(|other| other == key) => {
                return Ok(Selection::One(key.clone()));
            }
            (_, _, Some(_)) => "it has other instances",
        };
        let step = self.source.shown(self.step.span());
        let key = key.map(|key| key.to_string());
        Err(self.error(format!("`{}` has no instance `{step}`: {reason}.", self.block), key))
    }

    fn keys(&self) -> impl Iterator<Item = &InstanceKey> {
        self.instances.iter().filter_map(|entry| entry.address.object.key())
    }

    fn error(&self, mut detail: String, wanted: Option<String>) -> Box<Diagnostic> {
        let keys = || self.keys().filter(|key| **key != InstanceKey::None).map(ToString::to_string);
        if let Some(named) = named(keys().map(|key| format!("{}{key}", self.block))) {
            detail.push_str(&format!(" There is {named}."));
        }
        let span = Span::new(0, u32::try_from(self.source.text().len()).unwrap_or(u32::MAX));
        let diagnostic = Diagnostic::error(ids::UNDECLARED_ADDRESS, detail).at(self.source, span);
        let nearest = wanted.and_then(|wanted| self.closest_names.of(&wanted, keys()));
        let rest = self.source.text().get(self.step.span().end as usize..).unwrap_or_default();
        Box::new(match nearest {
            Some(nearest) => diagnostic.hint(format!("Did you mean `{}{nearest}{rest}`?", self.block)),
            None => diagnostic,
        })
    }
}

/// Returns the first few of `addresses`, for a message. `None` if there are none.
pub(super) fn named(mut addresses: impl Iterator<Item = String>) -> Option<String> {
    let first: Vec<String> =
        addresses.by_ref().take(MAX_NAMED).map(|address| format!("`{address}`")).collect();
    let more = if addresses.next().is_some() { ", …" } else { "" };
    (!first.is_empty()).then(|| first.join(", ") + more)
}

fn index(digits: &str) -> Option<InstanceKey> {
    digits.parse().ok().map(InstanceKey::Index)
}

/// Returns the address of the block of an instance.
fn block(address: &Address) -> Address {
    Address { module: address.module.clone(), object: address.object.without_key() }
}
