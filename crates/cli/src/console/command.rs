//! The inputs of a console: expressions and commands.

use terrane::{Answer, Answered, Files, Session};

pub(super) const HELP: &str = "\
Type an expression to see its value, such as length(var.zones) or module.subnets.
It continues over several lines while a bracket or a heredoc is open, or after a backslash.

  :type EXPR   print the type of a value
  :reload      read the configuration again
  help         print this text
  exit, quit   leave, like the end of the input
";

/// A complete input.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum ConsoleCommand<'i> {
    Nothing,
    Exit,
    Help,
    Reload,
    /// Show the type of a value.
    Type(&'i str),
    /// Show a value.
    Value(&'i str),
    /// An unknown command. It begins with a colon, which no expression does.
    Wrong(&'i str),
}

impl<'i> ConsoleCommand<'i> {
    pub(super) fn of(input: &'i str) -> ConsoleCommand<'i> {
        match input.trim() {
            "" => ConsoleCommand::Nothing,
            "exit" | "quit" => ConsoleCommand::Exit,
            "help" => ConsoleCommand::Help,
            ":reload" => ConsoleCommand::Reload,
            text => match text.strip_prefix(":type").filter(|rest| rest.starts_with(char::is_whitespace)) {
                Some(expression) => ConsoleCommand::Type(expression),
                None if text.starts_with(':') => ConsoleCommand::Wrong(text),
                None => ConsoleCommand::Value(input),
            },
        }
    }
}

/// The error for a command that does not exist.
pub(super) fn no_command(text: &str) -> String {
    let command = text.split_whitespace().next().unwrap_or(text);
    match command {
        ":type" => "`:type` needs an expression, as in `:type [1, 2]`".to_owned(),
        _ => format!("there is no command `{command}`; `help` lists the commands"),
    }
}

/// Returns the type of the value of an expression.
pub(super) fn type_of(session: &Session, expression: &str, files: &dyn Files) -> Answered {
    let mut answered = session.evaluate(expression, files);
    if let Answer::Value(value) = &answered.answer {
        answered.answer = Answer::Type(value.clone());
    }
    answered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_expressions() {
        assert_eq!(ConsoleCommand::of(" exit "), ConsoleCommand::Exit);
        assert_eq!(ConsoleCommand::of(":type [1]"), ConsoleCommand::Type(" [1]"));
        assert_eq!(ConsoleCommand::of(":typed"), ConsoleCommand::Wrong(":typed"));
        assert_eq!(ConsoleCommand::of(":type"), ConsoleCommand::Wrong(":type"));
        assert_eq!(ConsoleCommand::of("help.me"), ConsoleCommand::Value("help.me"));
        assert_eq!(ConsoleCommand::of("  "), ConsoleCommand::Nothing);
    }
}
