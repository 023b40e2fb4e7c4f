//! `terrane eval`: prints the values of a module or of a Packer template.

mod held;
mod matrix;
mod module;
mod options;
mod output;
mod raw;
mod report;
mod roots;
mod template;

use std::io;

use terrane::dialect_at;
use terrane::function::Limits;

pub(crate) use self::options::{EXAMPLES, Eval};
use crate::exit::FAILURE;
use crate::host;
use crate::project::{project, template};
use crate::provider_functions::WantedFunctions;
use crate::switch::is_on;
use crate::terminal::Terminal;

pub(crate) fn run(eval: &Eval, limits: &Limits, terminal: &mut Terminal) -> io::Result<u8> {
    let files = match host::files(eval.sandbox.as_deref(), eval.paths(), terminal)? {
        Ok(files) => files,
        Err(code) => return Ok(code),
    };
    if is_on(eval.recursive, false) {
        return roots::run(eval, limits, files, terminal);
    }
    match dialect_at(&eval.dir, eval.inputs.dialect, files) {
        Ok(dialect) if dialect.is_packer() => {
            let template = template(&eval.dir, &eval.inputs, dialect).limits(limits.clone());
            template::run(eval, template, files, terminal)
        }
        Ok(dialect) => {
            let project = project(&eval.dir, &eval.inputs, dialect).limits(limits.clone());
            let project =
                match eval.provider_functions.add(project, &eval.dir, WantedFunctions::Called, files) {
                    Ok(project) => project,
                    Err(refused) => return terminal.refused(&refused).map(|()| FAILURE),
                };
            if eval.has_environments() {
                return matrix::run(eval, project, limits, files, terminal);
            }
            module::run(eval, &project, files, terminal)
        }
        Err(diagnostic) => {
            report::undecided(eval, *diagnostic, terminal)?;
            Ok(FAILURE)
        }
    }
}
