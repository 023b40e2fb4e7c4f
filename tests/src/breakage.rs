//! One syntax error at a random place of a configuration: what is said and known about the rest must stay.
//!
//! Each trial breaks one file of a tree, evaluates the tree again, and compares three things outside of the broken block and
//! of what depends on it: no finding disappears, none is new, and the values are the same.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use terrane::{Files, MemoryFiles, OsFiles, Project};
use terrane_source::{Diagnostic, FileId, FileKind, SourceFile};
use terrane_syntax::{Syntax, parse_body};
use terrane_value::Value;

use crate::settings::{TERRANE_BREAK, TERRANE_BREAK_PLACES, TERRANE_BREAK_SEED, below_tests, variable};

mod edit;
mod headers;
mod local_values;
mod region;
mod variables;

use self::edit::{Edit, Random};
use self::region::Region;
use self::variables::VariableFile;

/// The number of places in all trees of the repository together.
const PLACES: usize = 500;

/// A file that is added to each tree: its findings are about names that no block declares and about a value that nothing gives,
/// so that they stay.
const SEEDED: &str = "zz_findings.tf";
const SEEDED_FINDINGS: &str = r#"output "zz_variable" { value = var.zz_nope }
output "zz_local" { value = local.zz_nope }
output "zz_module" { value = module.zz_nope }
output "zz_resource" { value = zz_nope.nope.id }
variable "zz_required" {}
"#;

/// The trees of the repository, and the directories in [`TERRANE_BREAK`].
pub fn trials() -> Vec<Trial> {
    let own = [
        "modules/everything",
        "modules/names",
        "modules/networks",
        "modules/services",
        "../examples/network",
    ];
    let mut roots: Vec<PathBuf> = own.iter().map(|path| below_tests(path)).collect();
    roots.extend(variable(TERRANE_BREAK).iter().flat_map(std::env::split_paths));
    let places = variable(TERRANE_BREAK_PLACES).and_then(|places| places.parse().ok()).unwrap_or(PLACES);
    let (share, count) = (places.div_ceil(roots.len()), roots.len());
    debug_assert!(count > 0);
    let trial = |root: PathBuf| {
        let name = format!("breakage::{}", root.file_name().unwrap_or_default().to_string_lossy());
        Trial::test(name, move || Ok(break_tree(&root, share)?))
    };
    let variables = Trial::test("breakage::variables", || Ok(VariableFile::native().break_it()?));
    let json = Trial::test("breakage::variables-json", || Ok(VariableFile::json().break_it()?));
    let locals = Trial::test("breakage::locals-json", || Ok(VariableFile::json_locals().break_it()?));
    let headers = Trial::test("breakage::headers", || Ok(headers::break_them()?));
    let local_values = Trial::test("breakage::local-values", || Ok(local_values::break_them()?));
    roots.into_iter().map(trial).chain([variables, json, locals, headers, local_values]).collect()
}

/// Breaks a tree at random places. Errors name the places where something else changed.
fn break_tree(root: &Path, places: usize) -> Result<(), String> {
    let tree = Tree::read(root)?;
    let before = Answers::of(&tree.files);
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let mut random = Random::of(&(name.into_owned() + &variable(TERRANE_BREAK_SEED).unwrap_or_default()));
    let (mut failures, mut done) = (Vec::new(), 0);
    while done < places {
        let (path, text) = tree.pick(&mut random);
        let edit = Edit::random(text, Syntax::Native, &mut random);
        let broken = edit.apply(text);
        let source = SourceFile::new(FileId::new(path), broken.as_str());
        let errors = parse_body(&source).diagnostics;
        if !errors.iter().any(Diagnostic::is_error) {
            continue;
        }
        done += 1;
        let case = Case { path, text, edit: &edit, before: &before, errors: &errors };
        let after = Answers::of(&tree.with(path, &broken));
        let found = case.compare(&after);
        if !found.is_empty() {
            failures.push(format!("{path}: {}\n  {}", edit.describe(text), found.join("\n  ")));
        }
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(format!("{} of {places} places:\n{}", failures.len(), failures.join("\n"))),
    }
}

/// The files of a directory and of those below it.
struct Tree {
    files: BTreeMap<String, Vec<u8>>,
    /// The files of configuration, which are broken.
    configuration: Vec<(String, String)>,
}

impl Tree {
    fn read(root: &Path) -> Result<Tree, String> {
        let mut files = BTreeMap::new();
        let mut directories = vec![PathBuf::new()];
        while let Some(directory) = directories.pop() {
            let entries = OsFiles.list(&root.join(&directory)).map_err(|error| error.to_string())?;
            for entry in entries {
                let path = directory.join(&entry.name);
                match entry.kind {
                    FileKind::Directory => directories.push(path),
                    FileKind::File | FileKind::Other => {
                        let bytes = OsFiles.read(&root.join(&path)).map_err(|error| error.to_string())?;
                        files.insert(path.display().to_string(), bytes);
                    }
                }
            }
        }
        let text = |(path, bytes): (&String, &Vec<u8>)| {
            let text = String::from_utf8(bytes.clone()).ok().filter(|text| !text.trim().is_empty());
            path.ends_with(".tf").then_some(path.clone()).zip(text)
        };
        let configuration: Vec<_> = files.iter().filter_map(text).collect();
        files.insert(SEEDED.to_owned(), SEEDED_FINDINGS.as_bytes().to_vec());
        match configuration.is_empty() {
            true => Err(format!("no configuration in {}", root.display())),
            false => Ok(Tree { files, configuration }),
        }
    }

    fn pick(&self, random: &mut Random) -> (&str, &str) {
        let index = random.below(self.configuration.len());
        self.configuration.get(index).map(|(path, text)| (path.as_str(), text.as_str())).unwrap_or_default()
    }

    fn with(&self, path: &str, text: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.files.clone();
        files.insert(path.to_owned(), text.as_bytes().to_vec());
        files
    }
}

/// A finding: its id, its words without numbers, its file and its place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Finding {
    id: String,
    detail: String,
    file: Option<String>,
    start: usize,
}

impl Finding {
    fn of(diagnostic: &Diagnostic) -> Finding {
        let subject = diagnostic.subject.as_ref();
        Finding {
            id: diagnostic.id.to_string(),
            // Details name places, which move.
            detail: diagnostic.detail.chars().filter(|found| !found.is_ascii_digit()).collect(),
            file: subject.map(|subject| subject.file.id().to_string()),
            start: subject.map_or(0, |subject| subject.span.start as usize),
        }
    }
}

/// All that is said and known about a configuration.
struct Answers {
    findings: Vec<Finding>,
    /// The values, by address, with the same address without instance keys.
    values: Vec<(String, String, Value)>,
    /// The objects without instance keys, with file and place of their declarations.
    objects: HashMap<String, Option<(String, usize)>>,
    /// Each object with those that depend on it.
    dependents: HashMap<String, Vec<String>>,
}

impl Answers {
    fn of(files: &BTreeMap<String, Vec<u8>>) -> Answers {
        let files: MemoryFiles = files.iter().map(|(path, bytes)| (path.as_str(), bytes.clone())).collect();
        let project = Project::new(".").strict_inputs(true);
        let report = project.evaluate(&files);
        let graph = project.outline(&files).graph;
        let mut dependents: HashMap<String, Vec<String>> = HashMap::new();
        for (from, to) in graph.edges() {
            dependents.entry(to.to_string()).or_default().push(from.to_string());
        }
        let place = |object: &terrane::GraphObject| {
            let subject = object.declaration.as_ref()?;
            Some((subject.file.id().to_string(), subject.span.start as usize))
        };
        let objects = graph.objects().iter().map(|object| (object.address.to_string(), place(object)));
        let values = report.entries().into_iter().map(|entry| {
            let address = entry.address.to_string();
            (address.clone(), without_keys(&address), entry.value)
        });
        Answers {
            findings: report.diagnostics().as_slice().iter().map(Finding::of).collect(),
            values: values.collect(),
            objects: objects.collect(),
            dependents,
        }
    }

    /// The objects that are declared in a region, and all that depend on them.
    fn touched(&self, path: &str, region: &Region) -> HashSet<String> {
        let directory = |file: &str| Path::new(file).parent().map(Path::to_owned);
        let is_inside = |(name, place): &(&String, &Option<(String, usize)>)| {
            let is_required = |file: &str| {
                region.requires_providers() && is_resource(name) && directory(file) == directory(path)
            };
            let of_place =
                |(file, start): &(String, usize)| file == path && region.holds(*start) || is_required(file);
            place.as_ref().is_some_and(of_place)
        };
        let mut waiting: Vec<String> =
            self.objects.iter().filter(is_inside).map(|(name, _)| name.clone()).collect();
        let mut touched = HashSet::new();
        while let Some(name) = waiting.pop() {
            if !touched.insert(name.clone()) {
                continue;
            }
            waiting.extend(self.dependents.get(&name).into_iter().flatten().cloned());
            // All objects of a called module depend on its call.
            let prefix = format!("{name}.");
            let is_call =
                name.rsplit_once('.').is_some_and(|(before, _)| before.rsplit('.').next() == Some("module"));
            if is_call || name.starts_with("module.") {
                waiting.extend(self.objects.keys().filter(|other| other.starts_with(&prefix)).cloned());
            }
        }
        touched
    }
}

/// Whether an object in any module is a resource.
fn is_resource(address: &str) -> bool {
    let kinds = ["var", "local", "output", "module", "provider", "check", "import"];
    let kind = address.rsplit('.').nth(1).unwrap_or_default();
    !kinds.contains(&kind)
}

/// An address without instance keys.
fn without_keys(address: &str) -> String {
    let (mut text, mut is_inside, mut is_quoted) = (String::new(), false, false);
    for found in address.chars() {
        match found {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => is_inside = true,
            ']' if !is_quoted => is_inside = false,
            _ if !is_inside => text.push(found),
            _ => {}
        }
    }
    text
}

/// A broken file, and what was known before.
struct Case<'c> {
    path: &'c str,
    text: &'c str,
    edit: &'c Edit,
    before: &'c Answers,
    /// The syntax errors.
    errors: &'c [Diagnostic],
}

impl Case<'_> {
    /// What changed outside of the broken region.
    fn compare(&self, after: &Answers) -> Vec<String> {
        let region = Region::of(self.text, self.edit);
        let touched = self.before.touched(self.path, &region);
        let mut changes = self.changed_values(after, &touched);
        let syntax: HashSet<Finding> = self.errors.iter().map(Finding::of).collect();
        let is_syntax = |finding: &Finding| syntax.contains(finding);
        let new: HashSet<&Finding> = after.findings.iter().filter(|finding| !is_syntax(finding)).collect();
        let moved: Vec<(&Finding, Option<Finding>)> =
            self.before.findings.iter().map(|finding| (finding, self.moved(finding))).collect();
        for (finding, moved) in &moved {
            let is_kept = moved.as_ref().is_some_and(|moved| new.contains(moved));
            if !is_kept && !self.is_excused(finding, &region, &touched) {
                changes.push(format!("gone: {finding:?}"));
            }
        }
        let old: HashSet<&Finding> = moved.iter().filter_map(|(_, moved)| moved.as_ref()).collect();
        let is_own = |finding: &Finding| {
            finding.file.as_deref() == Some(self.path) && region.holds_moved(finding.start, self.edit)
        };
        let added = new.iter().filter(|finding| !old.contains(*finding) && !is_own(finding));
        changes.extend(added.map(|finding| format!("new: {finding:?}")));
        changes
    }

    fn changed_values(&self, after: &Answers, touched: &HashSet<String>) -> Vec<String> {
        let values: HashMap<&str, &Value> =
            after.values.iter().map(|(address, _, value)| (address.as_str(), value)).collect();
        // A call is the object of the outputs of its module.
        let calls: HashSet<&str> =
            touched.iter().filter_map(|name| Some(name.rsplit_once(".output.")?.0)).collect();
        let is_touched = |name: &String| touched.contains(name) || calls.contains(name.as_str());
        // The object of a module is unknown if the end of one of its files is missing.
        let is_cut = self.edit.end == self.text.len() && self.edit.removes_lines();
        let is_open = |name: &str| is_cut && name.starts_with("module.") && !name.contains(".output.");
        let untouched = self.before.values.iter().filter(|(_, name, _)| !is_touched(name) && !is_open(name));
        let changed = untouched.filter(|(address, _, value)| {
            values.get(address.as_str()).is_none_or(|after| !after.same(value))
        });
        changed.map(|(address, _, _)| format!("value: {address}")).collect()
    }

    /// The finding where its text is after the edit; nothing where the text is gone.
    fn moved(&self, finding: &Finding) -> Option<Finding> {
        if finding.file.as_deref() != Some(self.path) {
            return Some(finding.clone());
        }
        Some(Finding { start: self.edit.moved(finding.start)?, ..finding.clone() })
    }

    /// Whether a finding may disappear: it is about the broken region, about an object that depends on it, or about a name of
    /// the module that the region may declare.
    fn is_excused(&self, finding: &Finding, region: &Region, touched: &HashSet<String>) -> bool {
        let in_region = finding.file.as_deref() == Some(self.path) && region.holds(finding.start);
        let directory = |file: &str| Path::new(file).parent().map(Path::to_owned);
        let may_be_declared = region.excuses(&finding.id)
            && finding.file.as_deref().and_then(directory) == directory(self.path);
        let owner = self.before.objects.iter().filter_map(|(name, place)| {
            let (file, start) = place.as_ref()?;
            (Some(file) == finding.file.as_ref() && *start <= finding.start).then_some((*start, name))
        });
        let is_touched = owner.max().is_some_and(|(_, name)| touched.contains(name));
        in_region || may_be_declared || is_touched
    }
}
