//! Summarises an evaluation in numbers and in a sentence, such as the last line of `terrane eval`.

use std::collections::{BTreeMap, BTreeSet};

use terrane_body::ResolvedBody;
use terrane_config::address::ResourceMode;
use terrane_eval::Answer;
use terrane_module::{Called, Expansion};
use terrane_packer::Component;
use terrane_render::visible;
use terrane_value::display::{AFTER_APPLY, unknown_text};
use terrane_value::{Origin, OriginKind, Origins, OriginsMemory, SmolStr, Value, counted};

use crate::document::{Answered, GivenState};
use crate::part_source::SourceKind;
use crate::remedy::{help_with_variables, settable_in};
use crate::report::Report;
use crate::template::TemplateReport;

/// The most names that a sentence lists.
const MAX_NAMES: usize = 4;

/// Numbers of values, and the causes of unknown values.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Instances of modules, including the root module; 0 for a Packer template.
    pub modules: usize,
    /// Instances of resources and data sources.
    pub resources: usize,
    /// Instances of actions.
    pub actions: usize,
    /// For a Packer template, the builds, each counted for each of its sources.
    pub builds: usize,
    /// Variables, locals and outputs of all module instances. For a Packer template: variables, locals and the arguments of its
    /// builds.
    pub values: usize,
    /// Values that are unknown or partly unknown.
    pub unknown: usize,
    /// Blocks whose number of instances is unknown.
    pub unexpanded: usize,
    /// The reasons of unknown values: for each kind of reason, the subjects.
    pub causes: BTreeMap<OriginKind, BTreeSet<SmolStr>>,
    /// The number of known attributes and outputs that do not come from the configuration, for each kind of source.
    pub sources: BTreeMap<SourceKind, usize>,
    /// The number of instances of resources and module calls whose `count`, `for_each` or `enabled` depends on sources outside
    /// of the configuration, for each kind of source.
    pub instance_sources: BTreeMap<SourceKind, usize>,
    /// The state or plan that was given. `None` without one.
    pub state: Option<GivenState>,
    /// For each subject, the number of values and blocks that it keeps from being known. Only for kinds of reasons that a value
    /// given by hand removes.
    wanted: BTreeMap<SmolStr, usize>,
}

impl Report {
    /// Counts the values, and the causes of unknown values.
    pub fn summary(&self) -> Summary {
        let values = self.named_values();
        Summary {
            sources: values.numbers_of_sources(),
            instance_sources: values.numbers_of_instances(),
            ..self.summary_without_sources()
        }
    }

    /// Returns the summary without `sources` and `instance_sources`, which takes little memory.
    pub fn summary_without_sources(&self) -> Summary {
        let mut summary = Summary { state: GivenState::of(&self.evaluation().config), ..Summary::default() };
        let mut memory = OriginsMemory::new();
        for instance in self.evaluation().instances() {
            summary.modules += 1;
            let values = instance.variables.iter().chain(&instance.locals).chain(&instance.outputs);
            values.for_each(|value| summary.value(value, &mut memory));
            let module = &self.evaluation().config.node(instance.node).module;
            for (key, resources) in module.resources.keys().zip(&instance.resources) {
                if let Expansion::Unknown { origins, .. } = &*resources.expansion {
                    summary.unexpanded(origins);
                    continue;
                }
                let count = resources.expansion.len();
                match key.mode {
                    ResourceMode::Action => summary.actions += count,
                    ResourceMode::Managed | ResourceMode::Data | ResourceMode::Ephemeral => {
                        summary.resources += count;
                    }
                }
            }
            for calls in &instance.calls {
                if let Expansion::Unknown { origins, .. } = &*calls.expansion {
                    summary.unexpanded(origins);
                }
                for (_, called) in calls.expansion.iter() {
                    if let Called::Missing(missing) = called {
                        summary.causes(&missing.origins);
                    }
                }
            }
        }
        summary
    }
}

impl TemplateReport {
    /// Counts the values, and the causes of unknown values.
    pub fn summary(&self) -> Summary {
        let (mut summary, mut memory) = (Summary::default(), OriginsMemory::new());
        let evaluation = self.evaluation();
        let values = evaluation.variables.iter().chain(evaluation.locals.iter().flatten());
        values.for_each(|value| summary.value(value, &mut memory));
        for run in self.runs() {
            summary.builds += 1;
            summary.body(&run.source, &mut memory);
            let post_processors = run.post_processors.iter().flatten();
            let components = run.provisioners.iter().chain(&run.error_cleanup).chain(post_processors);
            components.for_each(|component| summary.component(component, &mut memory));
        }
        summary
    }
}

impl Answered {
    /// Counts the unknown values of the answer with their reasons. `None` if it is known, or if an apply would make it known.
    pub fn unknown(&self) -> Option<Summary> {
        let Answer::Value(value) = &self.answer else { return None };
        let origins = value.origins_deep();
        (!value.is_wholly_known() && unknown_text(&origins) != AFTER_APPLY).then(|| Summary::of_value(value))
    }
}

impl Summary {
    /// Returns the summary of one value.
    pub(crate) fn of_value(value: &Value) -> Summary {
        let mut summary = Summary::default();
        summary.value(value, &mut OriginsMemory::new());
        summary
    }

    fn component(&mut self, component: &Component, memory: &mut OriginsMemory) {
        component.repeated.iter().for_each(|origins| self.unexpanded(origins));
        component.settings.iter().for_each(|(_, value)| self.value(value, memory));
        self.body(&component.body, memory);
    }

    fn body(&mut self, body: &ResolvedBody, memory: &mut OriginsMemory) {
        body.arguments.iter().for_each(|argument| self.value(&argument.value, memory));
        for block in &body.blocks {
            block.repeated.iter().for_each(|origins| self.unexpanded(origins));
            self.body(&block.body, memory);
        }
    }

    fn value(&mut self, value: &Value, memory: &mut OriginsMemory) {
        self.values += 1;
        if !value.is_wholly_known() {
            self.unknown += 1;
            self.causes(&memory.origins_deep(value));
        }
    }

    fn unexpanded(&mut self, origins: &Origins) {
        self.unexpanded += 1;
        self.causes(origins);
    }

    fn causes(&mut self, origins: &Origins) {
        for Origin { kind, subject, .. } in origins.as_slice() {
            let subjects = self.causes.entry(*kind).or_default();
            if !subjects.contains(subject) {
                subjects.insert(subject.clone());
            }
            if is_settable(*kind) {
                *self.wanted.entry(subject.clone()).or_default() += 1;
            }
        }
    }

    /// Adds the numbers and causes of another evaluation.
    pub fn add(&mut self, other: &Summary) {
        self.modules += other.modules;
        self.resources += other.resources;
        self.actions += other.actions;
        self.builds += other.builds;
        self.values += other.values;
        self.unknown += other.unknown;
        self.unexpanded += other.unexpanded;
        for (kind, subjects) in &other.causes {
            self.causes.entry(*kind).or_default().extend(subjects.iter().cloned());
        }
        for (own, others) in
            [(&mut self.sources, &other.sources), (&mut self.instance_sources, &other.instance_sources)]
        {
            others.iter().for_each(|(kind, count)| *own.entry(*kind).or_default() += count);
        }
        for (subject, count) in &other.wanted {
            *self.wanted.entry(subject.clone()).or_default() += count;
        }
    }

    /// Returns the address that makes most unknown values and numbers of instances known if a value is given for it by hand
    /// ([`Project::set`](crate::Project::set)). `None` if no attribute that a provider sets is the reason of several.
    pub fn most_wanted(&self, report: &Report) -> Option<String> {
        let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
        for (subject, count) in &self.wanted {
            if let Some(address) = settable_in(report.evaluation(), subject) {
                *wanted.entry(address).or_default() += count;
            }
        }
        // The first of equal counts wins.
        let most = wanted.into_iter().rev().max_by_key(|(_, count)| *count);
        most.filter(|(_, count)| *count > 1).map(|(address, _)| address)
    }

    /// Returns the numbers of evaluated objects: "2 modules, 3 resources and 12 values", with actions if there are any; for a
    /// template, "2 builds and 12 values".
    pub fn evaluated(&self) -> String {
        if self.is_template() {
            return format!("{} and {}", counted(self.builds, "build"), counted(self.values, "value"));
        }
        let actions = match self.actions {
            0 => String::new(),
            actions => format!(", {}", counted(actions, "action")),
        };
        format!(
            "{}, {}{actions} and {}",
            counted(self.modules, "module"),
            counted(self.resources, "resource"),
            counted(self.values, "value"),
        )
    }

    fn is_template(&self) -> bool {
        self.modules == 0
    }

    /// Returns the numbers of values that do not come from the configuration, as a sentence without its full stop: "values from
    /// outside of the configuration: 2 given, 3 computed-data; instances that follow from them: 4 given". `None` if there are
    /// no such values.
    pub fn from_elsewhere(&self) -> Option<String> {
        from_elsewhere(&self.sources, &self.instance_sources)
    }

    /// Returns the identity of the given state or plan, as a sentence without its full stop: "state: serial 7, lineage
    /// 16e40690, written by version 1.11.4". `None` without a state.
    pub fn given_state(&self) -> Option<String> {
        let GivenState { kind, serial, lineage, product_version } = self.state.as_ref()?;
        let facts = [
            serial.map(|serial| format!("serial {serial}")),
            lineage.as_ref().map(|lineage| format!("lineage {}", visible(lineage))),
            product_version.as_ref().map(|version| format!("written by version {}", visible(version))),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        let facts =
            if facts.is_empty() { "no serial, lineage or version".to_owned() } else { facts.join(", ") };
        Some(format!("{}: {facts}", kind.name()))
    }

    /// Returns a sentence about the options that set variables, with the name of the first variable without a value. If only
    /// called modules have such variables, it names the argument of the call. `None` if all variables have a value.
    pub fn help_with_variables(&self) -> Option<String> {
        help_with_variables(self.causes.get(&OriginKind::Variable)?)
    }

    /// Returns the number of unknown values and their causes, as a sentence without its full stop. `None` if all values are
    /// known.
    pub fn not_known(&self) -> Option<String> {
        if self.causes.is_empty() {
            return None;
        }
        let values = (self.unknown > 0)
            .then(|| format!("{} unknown or partly unknown", counted(self.unknown, "value")));
        let blocks = (self.unexpanded > 0)
            .then(|| format!("instances of {} unknown", counted(self.unexpanded, "block")));
        let unknown: Vec<String> = values.into_iter().chain(blocks).collect();
        // No variable, local value or output reads the unknown parts.
        let text = if unknown.is_empty() { "other parts are unknown".to_owned() } else { unknown.join(", ") };
        let mut by_kind = self.causes.clone();
        // The two kinds of each pair have the same words: the provider sets these attributes with and without a schema, and
        // both kinds of functions have new results.
        for (kind, other) in [
            (OriginKind::Computed, OriginKind::ResourceAttribute),
            (OriginKind::RunFunction, OriginKind::ImpureFunction),
        ] {
            if let Some(subjects) = by_kind.remove(&kind) {
                by_kind.entry(other).or_default().extend(subjects);
            }
        }
        let plugins = if self.is_template() { "plugins" } else { "providers" };
        let causes: Vec<String> =
            by_kind.iter().map(|(kind, subjects)| cause(*kind, subjects, plugins)).collect();
        Some(format!("{text} ({})", causes.join("; ")))
    }
}

/// Whether a value given by hand removes a reason of this kind.
fn is_settable(kind: OriginKind) -> bool {
    match kind {
        OriginKind::ResourceAttribute
        | OriginKind::Computed
        | OriginKind::ProviderDefault
        | OriginKind::DataSource => true,
        // The reason does not name the unknown outputs.
        OriginKind::Module
        | OriginKind::Variable
        | OriginKind::ImpureFunction
        | OriginKind::RunFunction
        | OriginKind::ProviderFunction
        | OriginKind::RemoteFunction
        | OriginKind::BuildVariable
        | OriginKind::NotComputed
        | OriginKind::Error
        | OriginKind::HiddenName => false,
    }
}

fn cause(kind: OriginKind, subjects: &BTreeSet<SmolStr>, plugins: &str) -> String {
    let count = subjects.len();
    let verb = if count == 1 { "is" } else { "are" };
    match kind {
        OriginKind::Variable => format!("no value for {}", names(subjects)),
        OriginKind::ResourceAttribute | OriginKind::Computed => {
            format!("{} {verb} set by {plugins}", counted(count, "attribute"))
        }
        OriginKind::ProviderDefault => {
            format!("{} may have a default of {plugins}", counted(count, "argument"))
        }
        OriginKind::DataSource => {
            format!("{} {verb} read by {plugins}", counted(count, "data source attribute"))
        }
        OriginKind::Module => format!("not on disk: {}", names(&without_parts(subjects))),
        OriginKind::ImpureFunction | OriginKind::RunFunction => {
            format!("new in each run: {}", names(subjects))
        }
        OriginKind::ProviderFunction => format!("functions of providers: {}", names(subjects)),
        OriginKind::RemoteFunction => format!("functions that ask a service: {}", names(subjects)),
        OriginKind::BuildVariable => "running builds".to_owned(),
        OriginKind::NotComputed => names(subjects),
        OriginKind::Error => errors(subjects),
        OriginKind::HiddenName => format!("maybe declared in text that cannot be read: {}", names(subjects)),
    }
}

/// Returns the cause for errors, with the objects that have them. The subjects of other errors are words without a dot.
fn errors(subjects: &BTreeSet<SmolStr>) -> String {
    let objects: BTreeSet<SmolStr> =
        subjects.iter().filter(|subject| subject.contains('.')).cloned().collect();
    if objects.is_empty() {
        "errors".to_owned()
    } else {
        format!("errors reported above: {}", names(&objects))
    }
}

/// Leaves out addresses of parts of other addresses in the list. An output of a module that is not on disk is unknown for the
/// same reason as the module.
fn without_parts(subjects: &BTreeSet<SmolStr>) -> BTreeSet<SmolStr> {
    let is_part = |subject: &SmolStr| {
        let mut ends = subject.match_indices(['.', '[']).filter_map(|(end, _)| subject.get(..end));
        ends.any(|around| subjects.contains(around))
    };
    subjects.iter().filter(|subject| !is_part(subject)).cloned().collect()
}

fn names(subjects: &BTreeSet<SmolStr>) -> String {
    let mut names: Vec<String> = subjects.iter().take(MAX_NAMES).map(|name| name.to_string()).collect();
    if subjects.len() > MAX_NAMES {
        names.push(format!("{} more", subjects.len() - MAX_NAMES));
    }
    names.join(", ")
}

/// Returns the numbers of values by their sources, and of instances that depend on them, as a sentence without its full stop.
/// `None` if there are none.
pub(crate) fn from_elsewhere(
    values: &BTreeMap<SourceKind, usize>,
    instances: &BTreeMap<SourceKind, usize>,
) -> Option<String> {
    let numbers = |counts: &BTreeMap<SourceKind, usize>| {
        let counts: Vec<String> =
            counts.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    };
    let values = numbers(values)?;
    let instances = numbers(instances).map(|text| format!("; instances that follow from them: {text}"));
    Some(format!("values from outside of the configuration: {values}{}", instances.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;
    use crate::{PackerTemplate, Project};

    #[test]
    fn an_output_is_not_named_beside_its_module() {
        let subjects = ["module.h", "module.h.b", "module.h2.b", "module.i[0].c"].map(SmolStr::from);
        let kept = without_parts(&BTreeSet::from(subjects));
        assert_eq!(names(&kept), "module.h, module.h2.b, module.i[0].c");
    }

    #[test]
    fn template_summary_counts_builds() {
        let template = "variable \"v\" {}\nlocals { a = data.http.d.body }\ndata \"http\" \"d\" { url = \"x\" }\n\
                        source \"docker\" \"x\" { image = var.v }\nbuild {\n  sources = [\"docker.x\"]\n  \
                        provisioner \"shell\" { inline = [build.ID] }\n}\n";
        let files = MemoryFiles::from_iter([("a.pkr.hcl", template)]);
        let summary = PackerTemplate::new(".").evaluate(&files).summary();
        assert_eq!(summary.evaluated(), "1 build and 4 values");
        let expected = "4 values unknown or partly unknown (no value for var.v; 1 data source attribute is read by plugins; \
                        running builds)";
        assert_eq!(summary.not_known().as_deref(), Some(expected));
    }

    #[test]
    fn a_summary_counts_and_says_why() {
        let module = "variable \"a\" {}\nlocals { b = [var.a, aws_vpc.main.id] }\n\
                      resource \"aws_vpc\" \"main\" {}\noutput \"c\" { value = 1 }\n";
        let report = Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", module)]));
        let summary = report.summary();
        assert_eq!(summary.evaluated(), "1 module, 1 resource and 3 values");
        assert_eq!(
            summary.not_known().as_deref(),
            Some("2 values unknown or partly unknown (no value for var.a; 1 attribute is set by providers)")
        );
    }

    #[test]
    fn the_most_wanted_value_is_behind_most_unknown_ones() {
        let module = "data \"demo_zones\" \"all\" {}\nresource \"demo_disk\" \"a\" {}\n\
                      locals { first = data.demo_zones.all.names[0] }\n\
                      output \"zones\" { value = data.demo_zones.all.names }\n\
                      output \"id\" { value = demo_disk.a.id }\n";
        let report = Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", module)]));
        assert_eq!(report.summary().most_wanted(&report).as_deref(), Some("data.demo_zones.all.names"));
        let alone = "resource \"demo_disk\" \"a\" {}\noutput \"id\" { value = demo_disk.a.id }\n";
        let report = Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", alone)]));
        assert_eq!(report.summary().most_wanted(&report), None);
    }

    #[test]
    fn actions_do_not_count_as_resources() {
        let module = "resource \"terraform_data\" \"a\" {}\naction \"demo_call\" \"a\" { count = 2 }\n";
        let report = Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", module)]));
        assert_eq!(report.summary().evaluated(), "1 module, 1 resource, 2 actions and 0 values");
    }

    #[test]
    fn no_reason_is_printed_if_all_values_are_known() {
        let report = Project::new(".").evaluate(&MemoryFiles::from_iter([("main.tf", "locals { a = 1 }")]));
        assert_eq!(report.summary().not_known(), None);
    }
}
