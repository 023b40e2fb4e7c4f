//! Lists the objects that a plan lacks: blocks with an unknown number of instances, modules that are not on disk, and parts
//! with errors.

use terrane_config::address::Object;
use terrane_module::AbsentModule;

use super::Plan;
use crate::document::listing::reasons;
use crate::unexpanded::UnexpandedBlock;

impl Plan<'_> {
    /// Returns the blocks whose instances are missing, because their number is unknown, by address.
    pub fn unexpanded(&self) -> &[UnexpandedBlock] {
        &self.unexpanded
    }

    /// Whether the plan lacks the instances of any block.
    pub(super) fn leaves_out_blocks(&self) -> bool {
        !self.unexpanded.is_empty() || !self.report.evaluation().config.absent_modules.is_empty()
    }

    /// Returns a comment line for each missing object. Empty if nothing is missing.
    pub(super) fn missing_text(&self) -> String {
        let mut lines: Vec<String> = self.report.partial_note().into_iter().collect();
        if self.is_errored() {
            lines.push("objects that have an error or depend on one are missing".to_owned());
        }
        let number = |block: &UnexpandedBlock| {
            let is_call = matches!(block.address.object, Object::ModuleCall(..));
            let objects = if is_call { ", so the objects in them are left out" } else { "" };
            format!("{}: number of instances unknown{objects}: {}", block.address, reasons(&block.origins))
        };
        lines.extend(self.unexpanded.iter().map(number));
        let absent_modules = &self.report.evaluation().config.absent_modules;
        let not_on_disk = |module: &AbsentModule| match module.reason.is_empty() {
            true => format!("{}: not on disk", module.path),
            false => format!("{}: not on disk ({})", module.path, reasons(&module.reason)),
        };
        lines.extend(absent_modules.iter().map(not_on_disk));
        lines.iter().map(|line| format!("# {line}\n")).collect()
    }
}
