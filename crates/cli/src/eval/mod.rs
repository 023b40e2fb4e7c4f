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
use crate::project::{project, template};
use crate::provider_functions::WantedFunctions;
use crate::read_inputs::ReadInputs;
use crate::switch::is_on;
use crate::terminal::Terminal;

pub(crate) fn run(
    eval: &Eval,
    inputs: &ReadInputs<'_>,
    limits: &Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let files = inputs.sources.files;
    if is_on(eval.recursive, false) {
        return roots::run(eval, inputs, limits, terminal);
    }
    match dialect_at(&eval.dir, eval.inputs.dialect, files) {
        Ok(dialect) if dialect.is_packer() => {
            let template = template(&eval.dir, inputs, dialect).limits(limits.clone());
            template::run(eval, template, files, terminal)
        }
        Ok(dialect) => {
            let project = project(&eval.dir, inputs, dialect).limits(limits.clone());
            let project =
                match eval.provider_functions.add(project, &eval.dir, WantedFunctions::Called, files) {
                    Ok(project) => project,
                    Err(refused) => return terminal.refused(&refused).map(|()| FAILURE),
                };
            if eval.has_environments() {
                return match matrix::with_states(eval, inputs, limits, terminal)? {
                    Ok(environments) => matrix::run(eval, project, environments, files, terminal),
                    Err(code) => Ok(code),
                };
            }
            module::run(eval, &project, files, terminal)
        }
        Err(diagnostic) => {
            report::undecided(eval, *diagnostic, terminal)?;
            Ok(FAILURE)
        }
    }
}
