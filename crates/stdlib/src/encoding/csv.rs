//! Parses comma-separated values as strictly as the reference does.

use terrane_function::{Call, FunctionError, beginning};
use terrane_value::{SmolStr, Type, Value};

/// The work of a field besides its bytes, and the work of a row besides its fields.
const WORK_OF_FIELD: usize = 16;

/// Returns a list of objects with the columns of the first line.
pub(super) fn decode(call: &Call<'_>) -> Result<Value, FunctionError> {
    let most = call.env.limits.elements_of_call();
    let mut reader = CsvReader { rest: call.string(0), line: 0, most };
    let names = header(&mut reader)?;
    let mut rows = Vec::new();
    while let Some(fields) = reader.record().map_err(FunctionError::new)? {
        if fields.len() != names.len() {
            let (line, found, wanted) = (reader.line, fields.len(), names.len());
            return Err(FunctionError::new(format!(
                "line {line} has {found} fields, but there are {wanted} columns"
            )));
        }
        if (rows.len() + 1).saturating_mul(names.len() + 1) > most {
            return Err(FunctionError::new(TOO_MANY));
        }
        call.spend((names.len() + 1).saturating_mul(WORK_OF_FIELD))?;
        let attributes = names.iter().zip(fields).map(|(name, field)| (name.clone(), Value::from(field)));
        rows.push(Value::object(attributes));
    }
    let element = Type::object(names.into_iter().map(|name| (name, Type::String)));
    Ok(Value::list(element, rows))
}

fn header(reader: &mut CsvReader<'_>) -> Result<Vec<SmolStr>, FunctionError> {
    let fields = reader.record().map_err(FunctionError::new)?;
    let fields =
        fields.ok_or_else(|| FunctionError::new("the first line, which names the columns, is missing"))?;
    let names: Vec<SmolStr> = fields.iter().map(|name| SmolStr::from(&*Value::normalize(name))).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    let twice = sorted.iter().zip(sorted.iter().skip(1)).find(|(left, right)| left == right);
    if let Some((name, _)) = twice {
        return Err(FunctionError::new(format!("there are two columns with the name {:?}", beginning(name))));
    }
    Ok(names)
}

struct CsvReader<'t> {
    rest: &'t str,
    /// The number of the last line that was read.
    line: usize,
    /// The maximum number of fields of a record.
    most: usize,
}

const TOO_MANY: &str = "there are too many fields";

impl<'t> CsvReader<'t> {
    /// Returns the next line without its line break, and whether it had one; `None` at the end of the text.
    fn line(&mut self) -> Option<(&'t str, bool)> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let (line, rest, ended) = match self.rest.split_once('\n') {
            Some((line, rest)) => (line, rest, true),
            None => (self.rest, "", false),
        };
        self.rest = rest;
        Some((line.strip_suffix('\r').unwrap_or(line), ended))
    }

    /// Returns the fields of the next line that is not empty; `None` at the end of the text. Quoted fields may span lines.
    fn record(&mut self) -> Result<Option<Vec<String>>, String> {
        let (mut line, mut ended) = loop {
            match self.line() {
                None => return Ok(None),
                Some(("", _)) => {}
                Some(line) => break line,
            }
        };
        let mut fields = Vec::new();
        loop {
            if fields.len() >= self.most {
                return Err(TOO_MANY.to_owned());
            }
            let Some(mut quoted) = line.strip_prefix('"') else {
                let (field, behind) =
                    line.split_once(',').map_or((line, None), |(field, rest)| (field, Some(rest)));
                if field.contains('"') {
                    return Err(format!("a field without quotes contains a quote in line {}", self.line));
                }
                fields.push(field.to_owned());
                match behind {
                    Some(behind) => line = behind,
                    None => return Ok(Some(fields)),
                }
                continue;
            };
            let mut field = String::new();
            let behind = loop {
                let Some((content, behind)) = quoted.split_once('"') else {
                    field.push_str(quoted);
                    let next = if ended { self.line() } else { None };
                    let Some(next) = next else {
                        return Err(format!("a quoted field is not closed at the end of line {}", self.line));
                    };
                    field.push('\n');
                    (quoted, ended) = next;
                    continue;
                };
                field.push_str(content);
                let Some(next) = behind.strip_prefix('"') else { break behind };
                field.push('"');
                quoted = next;
            };
            fields.push(field);
            match behind.strip_prefix(',') {
                Some(next) => line = next,
                None if behind.is_empty() => return Ok(Some(fields)),
                None => return Err(format!("text follows a quoted field in line {}", self.line)),
            }
        }
    }
}
