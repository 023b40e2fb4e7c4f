//! How the module or template of a case is called.

use terrane_config::{Assignment, Dialect};
use terrane_module::GivenText;

use super::markdown::Fence;

/// The options in the `inputs` fences of a case, one on a line; `tests/README.md` lists them.
#[derive(Clone, Default, Debug)]
pub struct Given {
    /// `-var name=value` and `-var-file path`, in order.
    pub assignments: Vec<Assignment>,
    /// `NAME=value`: the environment.
    pub environment: Vec<(String, String)>,
    /// `--strict-inputs`.
    pub strict: bool,
    /// `--module SOURCE=DIR`.
    pub modules: Vec<(String, String)>,
    /// `--no-computed-data`.
    pub leaves_data: bool,
    /// `--set ADDRESS=VALUE`.
    pub given: Vec<GivenText>,
    /// `--mocks FILE` or a directory, of the case.
    pub mocks: Vec<String>,
    /// `--remote-state ADDRESS=FILE`, the name of a file of the case.
    pub remote_states: Vec<GivenText>,
    /// `--state FILE`, the name of a file of the case, or `--state .`.
    pub state: Option<String>,
    /// `--workspace NAME`.
    pub workspace: Option<String>,
    /// `--compare`: a `terraform` binary must plan the same.
    pub is_compared: bool,
    /// `--plan FILE`, the name of a file of the case.
    pub plan: Option<String>,
    /// `--console`: as `terraform console` evaluates.
    pub console: bool,
    /// `--dialect DIALECT`.
    pub dialect: Option<Dialect>,
    /// `--schemas FILE`, the name of a file of the case.
    pub schemas: Vec<String>,
    /// `-only PATTERN`.
    pub only: Vec<String>,
    /// `-except PATTERN`.
    pub except: Vec<String>,
    /// `--validate`: as `packer validate` and `terraform validate` are asked.
    pub validate: bool,
}

impl Given {
    /// Reads the fences.
    ///
    /// # Errors
    ///
    /// A line number and the mistake in that line.
    pub fn read(fences: &[Fence]) -> Result<Given, String> {
        let mut given = Given::default();
        for fence in fences {
            for (line, number) in fence.lines.iter().zip(fence.line..) {
                given.line(line).map_err(|message| format!("{number}: {message}"))?;
            }
        }
        Ok(given)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let pair = |text: &str| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let is_name =
            |name: &str| name.chars().all(|character| character.is_alphanumeric() || character == '_');
        let unknown = || "not one of the inputs that tests/README.md lists".to_owned();
        match line.split_once(' ').unwrap_or((line, "")) {
            ("-var-file", path) => self.assignments.push(Assignment::File(path.into())),
            ("-var", text) => {
                let (name, value) = pair(text).ok_or_else(unknown)?;
                self.assignments.push(Assignment::Variable(name, value));
            }
            ("--module", text) => self.modules.push(pair(text).ok_or_else(unknown)?),
            ("--mocks", path) => self.mocks.push(path.to_owned()),
            ("--remote-state", text) => self.remote_states.push(text.parse()?),
            ("--state", path) => self.state = Some(path.to_owned()),
            ("--plan", path) => self.plan = Some(path.to_owned()),
            ("--workspace", name) => self.workspace = Some(name.to_owned()),
            ("--compare", "") => self.is_compared = true,
            ("--console", "") => self.console = true,
            ("--no-computed-data", "") => self.leaves_data = true,
            ("--set", text) => self.given.push(text.parse()?),
            ("--dialect", dialect) => {
                self.dialect = Some(dialect.parse()?);
            }
            ("--schemas", path) => self.schemas.push(path.to_owned()),
            ("-only", pattern) => self.only.push(pattern.to_owned()),
            ("-except", pattern) => self.except.push(pattern.to_owned()),
            ("--strict-inputs", "") => self.strict = true,
            ("--validate", "") => self.validate = true,
            _ => match pair(line) {
                Some((name, value)) if is_name(&name) => self.environment.push((name, value)),
                Some(_) | None => return Err(unknown()),
            },
        }
        Ok(())
    }
}
