//! Expressions with their assertions: `name = expression  # => value`.

use super::markdown::Fence;

/// One expression `name = expression` of a fence, on one line or several, with its assertions.
#[derive(Debug, PartialEq, Eq)]
pub struct Statement {
    /// The line number of the first line in the file, from 1.
    pub line: usize,
    /// The lines as they are in the file.
    pub lines: Vec<String>,
    /// The lines without assertions.
    pub code: Vec<String>,
    /// Whether the first assertion stands behind the code, on its last line.
    pub trailing: bool,
    /// The assertions without the comment signs. A value of several lines is one assertion.
    pub assertions: Vec<String>,
}

const KINDS: [&str; 5] = ["=> ", "error: ", "warning: ", "type: ", "refined: "];

impl Statement {
    /// The text of the expression, with a line break at its end where it has several lines.
    pub fn expression(&self) -> String {
        let mut text = self.code.join("\n");
        if self.code.len() > 1 {
            text.push('\n');
        }
        text.get(self.prefix()..).unwrap_or_default().to_owned()
    }

    /// Bytes of the first line before the expression.
    pub fn prefix(&self) -> usize {
        self.code.first().and_then(|line| line.find(" = ")).map_or(0, |index| index + " = ".len())
    }

    /// The lines with other assertions.
    pub fn with_assertions(&self, assertions: &[String]) -> Vec<String> {
        let mut lines = self.code.clone();
        let mut assertions = assertions.iter();
        if self.trailing
            && let Some(last) = lines.last_mut()
            && let Some(first) = assertions.next()
        {
            let column = self.comment_column().max(last.chars().count() + 2);
            let padding = " ".repeat(column - last.chars().count());
            *last = format!("{last}{padding}# {}", first.replace('\n', "\n#    "));
        }
        lines.extend(assertions.map(|assertion| format!("# {}", assertion.replace('\n', "\n#    "))));
        lines.iter().flat_map(|line| line.split('\n')).map(str::to_owned).collect()
    }

    /// The column of a trailing comment, from 0.
    fn comment_column(&self) -> usize {
        let line = self.code.len().checked_sub(1).and_then(|index| self.lines.get(index));
        line.and_then(|line| find_assertion(line).map(|at| line.chars().count() - at.chars().count()))
            .unwrap_or(0)
    }
}

/// The statements of a fence.
///
/// # Errors
///
/// A line number and the mistake in that line.
pub fn statements(fence: &Fence) -> Result<Vec<Statement>, String> {
    let mut statements: Vec<Statement> = Vec::new();
    let mut open: Option<Statement> = None;
    for (line, number) in fence.lines.iter().zip(fence.line..) {
        let mut statement = match open.take() {
            Some(statement) if statement.assertions.is_empty() || line.starts_with('#') => statement,
            previous => {
                statements.extend(previous);
                if line.trim().is_empty() || line.starts_with('#') {
                    continue;
                }
                if !starts_statement(line) {
                    return Err(format!("{number}: not of the form `name = expression`"));
                }
                Statement { line: number, lines: vec![], code: vec![], trailing: false, assertions: vec![] }
            }
        };
        add_line(&mut statement, line).map_err(|message| format!("{number}: {message}"))?;
        open = Some(statement);
    }
    statements.extend(open);
    match statements.iter().find(|statement| statement.assertions.is_empty()) {
        Some(statement) => Err(format!("{}: an expression without `# =>` or `# error:`", statement.line)),
        None => Ok(statements),
    }
}

fn add_line(statement: &mut Statement, line: &str) -> Result<(), String> {
    statement.lines.push(line.to_owned());
    if let Some(comment) = line.strip_prefix('#')
        && (!statement.assertions.is_empty() || find_assertion(line).is_some())
    {
        let assertion = comment.strip_prefix(' ').unwrap_or(comment);
        if KINDS.iter().any(|kind| assertion.starts_with(kind)) {
            statement.assertions.push(assertion.to_owned());
        } else {
            let more = assertion.strip_prefix("   ").unwrap_or(assertion);
            let last = statement.assertions.last_mut().ok_or("a comment that continues nothing")?;
            last.push('\n');
            last.push_str(more);
        }
        return Ok(());
    }
    match find_assertion(line) {
        Some(comment) => {
            let code = line.get(..line.len() - comment.len()).unwrap_or_default();
            statement.code.push(code.trim_end().to_owned());
            statement.trailing = true;
            statement.assertions.push(comment.trim_start_matches("# ").to_owned());
        }
        None => statement.code.push(line.to_owned()),
    }
    Ok(())
}

/// The assertion at the end of a line, from its `#` on.
fn find_assertion(line: &str) -> Option<&str> {
    let starts = KINDS.iter().filter_map(|kind| line.find(&format!("# {kind}")));
    let start = starts.min()?;
    let before = line.get(..start)?;
    if before.is_empty() || before.ends_with(' ') { line.get(start..) } else { None }
}

fn starts_statement(line: &str) -> bool {
    let Some((name, _)) = line.split_once(" = ") else { return false };
    let name = name.trim_end();
    name.chars().all(|character| character.is_alphanumeric() || character == '_') && !name.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fence(text: &str) -> Fence {
        let lines = text.lines().map(str::to_owned).collect();
        Fence { language: "hcl".into(), title: String::new(), line: 10, lines }
    }

    #[test]
    fn assertions_end_a_statement() {
        let fence =
            fence("a = 1 + 1  # => 2\n# type: number\n\n# prose\nb = <<EOT\nx = 1\nEOT\n# => \"x\"\n#    y");
        let statements = statements(&fence).unwrap();
        assert_eq!(statements[0].assertions, ["=> 2", "type: number"]);
        assert_eq!((statements[0].expression(), statements[0].prefix()), ("1 + 1".to_owned(), 4));
        assert_eq!(statements[0].lines, statements[0].with_assertions(&statements[0].assertions));
        assert_eq!(statements[1].expression(), "<<EOT\nx = 1\nEOT\n");
        assert_eq!(statements[1].assertions, ["=> \"x\"\ny"]);
        assert_eq!((statements[1].line, statements[1].trailing), (14, false));
        assert_eq!(statements[1].lines, statements[1].with_assertions(&statements[1].assertions));
    }

    #[test]
    fn a_statement_has_an_expected_result() {
        assert!(statements(&fence("a = 1")).unwrap_err().starts_with("10: "));
        assert!(statements(&fence("a: 1  # => 1")).unwrap_err().starts_with("10: "));
    }
}
