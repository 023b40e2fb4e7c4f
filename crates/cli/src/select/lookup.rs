//! Finds the values of an address on the command line.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

use terrane::config::ModulePath;
use terrane::config::address::Object;
use terrane::eval::{FunctionTable, Lookup, Names, Reference, Scope, evaluate};
use terrane::function::{CallEnv, Limits, Meter};
use terrane::source::{FileId, SourceFile, Span, ids, sorted_map};
use terrane::syntax::tree::Step;
use terrane::syntax::{Expr, ExprId, Expression, Tree, parse_expr};
use terrane::value::{Origins, Path as ValuePath};
use terrane::{
    Diagnostic, Diagnostics, Entry, EntryKind, Files, InstanceNumber, Report, Selected, path_of_steps,
    shown_address,
};

use super::instances::{self, Blocks};
use super::parts::{SelectedPart, parts};
use super::pattern::Pattern;

/// The most addresses that are searched for the first ones with the same beginning.
const MAX_ALIKE: usize = 1000;

/// The values of a configuration by their canonical addresses.
pub(super) struct EvaluatedValues<'e> {
    report: &'e Report,
    entries: &'e [Entry],
    by_address: BTreeMap<Box<str>, &'e Entry>,
    blocks: Blocks<'e>,
    /// The addresses of the blocks that are no addresses of entries, such as blocks without instances.
    other_blocks: BTreeSet<String>,
    /// Why the number of instances of a module is unknown, by the path of the instance that stands for all of them.
    unexpanded: HashMap<&'e ModulePath, &'e Origins>,
    /// Counts the expressions among the addresses together with the evaluation.
    meter: Meter,
}

impl<'e> EvaluatedValues<'e> {
    /// Returns the values of a report with these entries.
    pub(super) fn new(report: &'e Report, entries: &'e [Entry]) -> EvaluatedValues<'e> {
        let by_address =
            sorted_map(entries.iter().map(|entry| (entry.address.to_string().into_boxed_str(), entry)));
        let blocks = Blocks::new(entries);
        let others = blocks.addresses().filter(|block| !by_address.contains_key(*block));
        let other_blocks = others.map(str::to_owned).collect();
        let instances = report.evaluation().instances().iter();
        let unexpanded =
            instances.filter_map(|instance| Some((&instance.path, instance.unexpanded.as_ref()?)));
        EvaluatedValues {
            report,
            entries,
            by_address,
            blocks,
            other_blocks,
            unexpanded: unexpanded.collect(),
            meter: report.evaluation().continued_meter(),
        }
    }

    /// Returns why the number of instances of an object or of its module is unknown. `None` if it is known.
    fn unknown_instances(&self, entry: &Entry) -> Option<Origins> {
        if let InstanceNumber::Unknown(origins) = &entry.number {
            return Some(origins.clone());
        }
        self.unexpanded.get(&entry.address.module).map(|origins| (*origins).clone())
    }

    /// Returns the values at `address`: an object, all its instances, or a part of it (`local.tags.Name`); the values that an
    /// address with stars matches; or the value of an expression. An error if the object or the part does not exist.
    pub(super) fn find(&self, address: &str, files: &dyn Files) -> Result<Vec<Selected<'e>>, Diagnostics> {
        let address = address.trim();
        let objects = self.objects(address);
        if !objects.is_empty() {
            return Ok(objects);
        }
        let source = SourceFile::new(FileId::new("<address>"), address);
        let undeclared = || Err(self.undeclared(&source).into_iter().collect());
        if address.is_empty() {
            return undeclared();
        }
        if let Some(pattern) = Pattern::read(address) {
            return self.matching(&pattern).map_or_else(undeclared, Ok);
        }
        let parsed = parse_expr(&source);
        let Expr::Traversal { root_end, steps } = parsed.tree.expr(parsed.root) else {
            return self.expression(address, files);
        };
        if !parsed.diagnostics.is_empty() {
            return undeclared();
        }
        let steps = parsed.tree.list(steps);
        let resolved = self.blocks.resolve(&source, &parsed.tree, root_end, steps);
        let names =
            Resolved { values: self, addresses: resolved.map_err(|error| Diagnostics::from_iter([*error]))? };
        let mut objects = names.addresses.last().map(|address| self.objects(address)).unwrap_or_default();
        if let [only] = objects.as_mut_slice() {
            address.clone_into(&mut only.address);
            only.is_one = true;
        }
        if !objects.is_empty() {
            return Ok(objects);
        }
        let (functions, limits) = (FunctionTable::new(Vec::new()), Limits::default());
        let env = CallEnv::new(files, Path::new("."), &limits);
        let scope = Scope { names: &names, functions: &functions, env: &env };
        let mut diagnostics = Diagnostics::new();
        let expression = Expression { tree: Arc::clone(&parsed.tree), id: parsed.root };
        let value = evaluate(&expression, &scope, &mut diagnostics);
        if diagnostics.as_slice().iter().any(|diagnostic| diagnostic.id == ids::UNKNOWN_VARIABLE) {
            // The address may be an expression such as `terraform.workspace`.
            self.expression(address, files).or_else(|found| {
                let is_over = found.as_slice().iter().any(|diagnostic| diagnostic.id == ids::LIMIT_EXCEEDED);
                if is_over { Err(found) } else { undeclared() }
            })
        } else if diagnostics.has_errors() {
            Err(diagnostics)
        } else {
            let (is_one, unknown_instances) = self.unknown_on_the_way(&names.addresses, steps);
            let selected = Selected::new(address.to_owned(), value);
            let selected = self.with_sources(selected, &names.addresses, &parsed.tree, steps);
            let selected = self.with_sources_read(selected, &expression, files);
            Ok(vec![Selected { is_one, unknown_instances, ..selected }])
        }
    }

    /// Returns why the number of instances is unknown for the last object on the way, and whether a key selects one instance.
    fn unknown_on_the_way(&self, addresses: &[String], steps: &[Step]) -> (bool, Option<Origins>) {
        let mut met = addresses.iter().enumerate().filter_map(|(index, address)| {
            let entry = self.by_address.get(address.as_str())?;
            Some((index, self.unknown_instances(entry)?))
        });
        match met.next_back() {
            Some((index, origins)) => {
                // A key behind the name of the block selects an instance.
                let next = index.checked_sub(1).and_then(|last| steps.get(last));
                (matches!(next, Some(Step::Index { .. } | Step::LegacyIndex { .. })), Some(origins))
            }
            None => (false, None),
        }
    }

    /// Returns a part of an object with its sources. `addresses` are the addresses of the objects that the root and each of the
    /// `steps` lead to.
    fn with_sources(
        &self,
        selected: Selected<'e>,
        addresses: &[String],
        tree: &Tree,
        steps: &[Step],
    ) -> Selected<'e> {
        let met = |(index, address): (usize, &String)| Some((index, self.by_address.get(address.as_str())?));
        let Some((index, entry)) = addresses.iter().enumerate().rev().find_map(met) else { return selected };
        self.with_sources_of(selected, entry, &path_of_steps(tree, steps.get(index..).unwrap_or_default()))
    }

    /// Returns a part of an object with its sources. A part of a module call is also a part of an output of the module.
    fn with_sources_of(&self, selected: Selected<'e>, entry: &Entry, path: &ValuePath) -> Selected<'e> {
        let mut selected = selected.with_sources_of(entry, path);
        if entry.kind == EntryKind::Local {
            selected.follows_from = self.report.sources_of_part(entry, path);
        }
        let Some((first, behind)) = path.steps().split_first() else { return selected };
        let output = format!("{}.output.{}", entry.address, first.name().unwrap_or_default());
        let Some(output) =
            self.by_address.get(output.as_str()).filter(|_| entry.kind == EntryKind::ModuleCall)
        else {
            return selected;
        };
        let mut rest = ValuePath::ROOT;
        behind.iter().for_each(|step| rest.push(step.clone()));
        selected.with_sources_of(output, &rest)
    }

    /// Returns a value with the sources of the names in its expression. A name that is the whole expression is left out.
    fn with_sources_read(
        &self,
        mut selected: Selected<'e>,
        expression: &Expression,
        files: &dyn Files,
    ) -> Selected<'e> {
        let tree = &expression.tree;
        let mut names: Vec<ExprId> = Vec::new();
        tree.free_traversals(expression.id, &mut |name| names.push(name));
        for name in names.into_iter().filter(|name| *name != expression.id) {
            for read in self.find(tree.expr_text(name), files).into_iter().flatten() {
                selected = selected.with_sources_read(&read);
            }
        }
        selected
    }
}

/// Returns the values of the addresses on the command line, or errors about addresses without a value.
pub(crate) fn addressed<'e>(
    addresses: &[String],
    report: &'e Report,
    entries: &'e [Entry],
    files: &dyn Files,
) -> Result<Vec<Selected<'e>>, Diagnostics> {
    let values = EvaluatedValues::new(report, entries);
    let mut all = Vec::new();
    let mut errors = Diagnostics::new();
    for address in addresses {
        match values.find(address, files) {
            Ok(found) => all.extend(found),
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

impl<'e> EvaluatedValues<'e> {
    /// Returns the value of an expression over the names of the root module.
    fn expression(&self, text: &str, files: &dyn Files) -> Result<Vec<Selected<'e>>, Diagnostics> {
        let value = self.report.metered_expression(text, files, &self.meter)?;
        let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), text));
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        let follows_from = self.report.sources_read(&expression);
        Ok(vec![Selected { follows_from, ..Selected::new(text.to_owned(), value) }])
    }

    /// Returns the objects and parts that a pattern matches, each once. `None` if it matches no object.
    fn matching(&self, pattern: &Pattern) -> Option<Vec<Selected<'e>>> {
        let mut selected = Vec::new();
        let mut is_empty = false;
        let fits: Vec<_> =
            self.entries.iter().filter_map(|entry| Some((entry, pattern.fit(entry)?))).collect();
        let whole = fits.iter().filter(|(_, fit)| fit.rest.is_empty());
        let outputs: HashSet<String> = whole.filter_map(|(entry, _)| member_of_call(entry)).collect();
        for (entry, fit) in fits {
            if matches!(entry.number, InstanceNumber::None(_)) && !fit.rest.is_empty() {
                // A block without instances has no parts.
                is_empty = true;
                continue;
            }
            let (address, value) = (entry.address.to_string(), entry.value.clone());
            let object = SelectedPart { address, path: ValuePath::ROOT, value };
            let unknown_instances = self.unknown_instances(entry);
            let one = |SelectedPart { address, path, value }: SelectedPart| {
                let selected = match fit.rest.is_empty() {
                    true => Selected::object(entry),
                    false => self.with_sources_of(Selected::new(address, value), entry, &path),
                };
                Selected { unknown_instances: unknown_instances.clone(), ..selected }
            };
            let is_new =
                |part: &SelectedPart| entry.kind != EntryKind::ModuleCall || !is_in(&part.address, &outputs);
            selected.extend(parts(object, fit.rest).into_iter().filter(is_new).map(one));
        }
        (is_empty || !selected.is_empty()).then_some(selected)
    }

    /// Returns the object with an address, or all instances of the block with this address.
    fn objects(&self, address: &str) -> Vec<Selected<'e>> {
        let part = |entry: &'e Entry| Selected {
            unknown_instances: self.unknown_instances(entry),
            ..Selected::object(entry)
        };
        match self.by_address.get(address) {
            Some(entry) => vec![part(entry)],
            None => self.blocks.instances(address).iter().copied().map(part).collect(),
        }
    }
}

impl EvaluatedValues<'_> {
    /// Returns the error for an address without an object. It names the nearest address, or addresses with the same beginning.
    fn undeclared(&self, source: &Arc<SourceFile>) -> Option<Diagnostic> {
        let address = source.text();
        let mut detail = if address.is_empty() {
            "The address is empty.".to_owned()
        } else {
            format!("The configuration has no object with the address `{}`.", shown_address(address))
        };
        // Both are in order, so no search reads addresses that begin otherwise.
        let beginning = |start: &str| {
            let range = (Bound::Included(start), Bound::Unbounded);
            let is_meant = |start: String| move |other: &&str| other.starts_with(&start);
            let entries = self.by_address.range::<str, _>(range).map(|(address, _)| &**address);
            let blocks = self.other_blocks.range::<str, _>(range).map(String::as_str);
            let entries = entries.take_while(is_meant(start.to_owned()));
            entries.chain(blocks.take_while(is_meant(start.to_owned())))
        };
        // An output of a module also has a short name. Names without one are compared too, so that they count.
        let short = || beginning("module.").map(|other| other.replacen(".output.", ".", 1));
        let first = address.split(['.', '[']).next().unwrap_or_default();
        let is_alike = |other: &&str| other.split(['.', '[']).next() == Some(first);
        let alike = beginning(first).take(MAX_ALIKE).filter(is_alike);
        let closest_names = &self.blocks.closest_names;
        let nearest = closest_names.of(address, beginning("")).map(str::to_owned);
        let hint = if let Some(nearest) = nearest.or_else(|| closest_names.of(address, short())) {
            Some(format!("Did you mean `{nearest}`?"))
        } else if let Some(named) = instances::named(alike.map(str::to_owned)) {
            detail.push_str(&format!(" There is {named}."));
            None
        } else {
            Some("Addresses look like `output.x`, `local.y`, `module.z`, `aws_instance.web[0]` or `module.*.id`.".to_owned())
        };
        detail.push_str(" `terrane eval` without addresses prints all values.");
        let span = Span::new(0, u32::try_from(address.len()).ok()?);
        let diagnostic = Diagnostic::error(ids::UNDECLARED_ADDRESS, detail).at(source, span);
        Some(match hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        })
    }
}

/// Returns the address of an output as a member of the module call: `module.net.id` for `module.net.output.id`.
fn member_of_call(entry: &Entry) -> Option<String> {
    let Object::Output(name) = &entry.address.object else { return None };
    Some(format!("{}.{name}", entry.address.module))
}

/// Whether an address is in `outer`, or is the address of a part of a value there.
fn is_in(address: &str, outer: &HashSet<String>) -> bool {
    let ends = address.match_indices(['.', '[']).map(|(end, _)| end).chain([address.len()]);
    ends.into_iter().any(|end| address.get(..end).is_some_and(|part| outer.contains(part)))
}

/// The objects that the steps of one address lead to.
struct Resolved<'r, 'e> {
    values: &'r EvaluatedValues<'e>,
    /// The addresses of the objects that the root and each of the steps lead to.
    addresses: Vec<String>,
}

/// An address is longer than a single name, so a lookup takes all steps that belong to the address.
impl Names for Resolved<'_, '_> {
    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        let mut found = Lookup::Undeclared;
        for (index, step) in reference.steps.iter().enumerate() {
            let written = reference.tree.slice(Span::new(reference.span.start, step.span().end));
            // Other references are in the keys of the address.
            let is_whole = reference.span.start == 0;
            let address = self.addresses.get(index + 1).filter(|_| is_whole).map_or(written, String::as_str);
            let Some(entry) = self.values.by_address.get(address) else { continue };
            found = if is_no_output(entry, reference.steps.get(index + 1), reference) {
                Lookup::Undeclared
            } else {
                Lookup::Found { value: entry.value.clone(), consumed: index + 1 }
            };
        }
        found
    }

    fn visible(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Whether the step behind the address of a module call names no output of the module. The address then names an object in the
/// module.
fn is_no_output(call: &Entry, next: Option<&Step>, reference: &Reference<'_>) -> bool {
    let Some(Step::Attr { name, .. }) = next else { return false };
    call.kind == EntryKind::ModuleCall
        && call.value.as_entries().is_some_and(|outputs| outputs.get(reference.tree.slice(*name)).is_none())
}
