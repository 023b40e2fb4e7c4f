//! Explains how values came to be: the queries behind `terrane explain`.
//!
//! Nothing is recorded while a configuration is evaluated. [`Report::explain`] follows the asked part from expression to
//! expression, and evaluates the parts again in the scopes of the finished evaluation.

mod blocks;
pub(crate) mod brief;
mod builder;
mod call;
mod causes;
mod declared;
mod difference;
mod expression;
mod html;
mod import;
pub(crate) mod json;
mod key_source;
mod loops;
mod model;
mod object;
mod optional;
mod path;
mod place;
mod reference;
mod refused;
mod resource;
mod reverse;
mod secret_parts;
mod site;
mod target;
#[cfg(test)]
mod tests;
mod text;

use terrane_config::recorder::{AccessLog, Recorder};
use terrane_source::{Diagnostic, Diagnostics, Files};

use self::builder::Builder;
use self::causes::CauseSearch;
pub use self::model::{
    Cause, ExplainNode, ExplainNodeId, ExplainedLevels, ExplainedTarget, Explanation, InputRole, MarkPath,
    NodeInput, NodeKind,
};
use self::place::{LineAddress, LineTarget, NoLine};
pub use self::reverse::{Dependent, Dependents};
use crate::address::undeclared;
use crate::report::Report;
use crate::secrets::Secrets;

/// Limit on the instances of a line that are explained.
const MAX_INSTANCES: usize = 10;

impl Report {
    /// Explains the value at an address: `output.x`, `module.a["k"].aws_vpc.main[0].tags.Name`, or the expressions of a line,
    /// `main.tf:12`. Functions of expressions read through `files`.
    ///
    /// # Errors
    ///
    /// The address or line names no value.
    ///
    /// ```
    /// use terrane::{MemoryFiles, NodeKind, Project, Secrets};
    ///
    /// let text = "variable \"live\" { default = false }\nlocals { env = var.live ? \"prod\" : \"dev\" }\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let report = Project::new(".").evaluate(&files);
    /// let explained = report.explain("local.env", Secrets::Hidden, &files)?;
    /// let kinds: Vec<NodeKind> = explained.nodes.iter().map(|node| node.kind).collect();
    /// assert_eq!(kinds, [NodeKind::Local, NodeKind::Expression, NodeKind::Variable, NodeKind::Default]);
    /// assert_eq!(explained.nodes.as_slice()[1].how.as_deref(), Some("second branch; the first is \"prod\""));
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    pub fn explain(
        &self,
        address: &str,
        secrets: Secrets,
        files: &dyn Files,
    ) -> Result<Explanation, Diagnostics> {
        self.explain_levels(address, ExplainedLevels::All, secrets, files)
    }

    /// Explains the value at an address as [`Report::explain`] does, for a text of these levels. Nodes farther from the value
    /// have content only on ways to causes and to marks. Only the causes that a text lists have a way.
    ///
    /// # Errors
    ///
    /// The address or line names no value.
    pub fn explain_levels(
        &self,
        address: &str,
        levels: ExplainedLevels,
        secrets: Secrets,
        files: &dyn Files,
    ) -> Result<Explanation, Diagnostics> {
        // Parts of an expression read the same files again.
        let log = AccessLog::default();
        let files = Recorder::new(files, &log).keeping_listings();
        let mut builder = Builder::new(self, secrets, &files);
        let targets = asked(&mut builder, address)?;
        let shown = builder.expand(levels);
        let mut search = CauseSearch::new(&mut builder);
        let ways = if levels == ExplainedLevels::All { usize::MAX } else { text::MAX_CAUSES };
        let target = |(address, node)| {
            let origins = search.at(node);
            let causes = search.causes(self, node, &origins, ways);
            let marks = search.marks(node);
            ExplainedTarget { address, node, causes, omitted_causes: origins.omitted(), marks }
        };
        let targets = targets.into_iter().map(target).collect();
        let is_truncated = builder.is_truncated || builder.is_stopped();
        Ok(Explanation { targets, nodes: builder.nodes, is_truncated, levels: shown, secrets })
    }
}

/// Adds the nodes of an address or line. Returns each node with its name.
fn asked(builder: &mut Builder<'_>, address: &str) -> Result<Vec<(String, ExplainNodeId)>, Diagnostics> {
    let Some(asked) = LineAddress::parse(address) else {
        let found = target::target(builder, address);
        let part = found.map_err(|error| Diagnostics::from_iter([error.diagnostic(address)]))?;
        return Ok(vec![(address.trim().to_owned(), builder.object(part))]);
    };
    let found = place::targets(builder, asked, MAX_INSTANCES + 1);
    let found = found.map_err(|reason| no_line(address, &reason))?;
    builder.is_truncated = found.len() > MAX_INSTANCES;
    let node = |(target, name)| {
        let node = match target {
            LineTarget::Part(part, marks) => {
                let node = builder.asked_part(part);
                builder.nodes[node].marks.clone_from(&marks);
                node
            }
            LineTarget::Object(object) => builder.object(object.whole()),
        };
        (name, node)
    };
    Ok(found.into_iter().take(MAX_INSTANCES).map(node).collect())
}

/// Returns the error for a line without a target.
fn no_line(address: &str, reason: &NoLine) -> Diagnostics {
    let detail = match reason {
        NoLine::File => format!("No file of the configuration has the place `{address}`."),
        NoLine::Value => format!("No expression, and no block that has a value, is at `{address}`."),
        NoLine::Several(objects) => {
            format!("`{address}` is in several objects: {objects}. Name one of them.")
        }
        NoLine::Module(path) => format!("`{address}` is in `{path}`, which has no instances."),
        NoLine::Instances(Some(block)) => format!("`{address}` is in `{block}`, which has no instances."),
        NoLine::Instances(None) => format!("`{address}` is in a block that has no instances."),
        NoLine::Elements => {
            format!(
                "`{address}` is in a loop without elements, or with a condition that none of them fulfils."
            )
        }
    };
    let empty = match reason {
        NoLine::Module(path) => Some(path.to_string()),
        NoLine::Instances(block) => block.as_ref().map(ToString::to_string),
        NoLine::File | NoLine::Value | NoLine::Several(_) | NoLine::Elements => None,
    };
    let hint = empty.map(|block| format!("`terrane explain {block}` explains the number of its instances."));
    Diagnostics::from_iter([hint.into_iter().fold(undeclared(address, detail), Diagnostic::hint)])
}
