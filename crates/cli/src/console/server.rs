//! The evaluation server: reads a JSON object from each line, and answers with one.

use std::io::{self, BufRead, Read};

use terrane::function::RAISE_MEMORY;
use terrane::{Files, RequestOptions, Secrets, Session};

use crate::terminal::Terminal;
use crate::timer;

/// Answers every line that is not blank, in order, until the input ends or nobody reads the answers. A request may have
/// `longest` bytes; longer requests are answered with an error and not kept in memory.
pub(super) fn run(
    session: &Session,
    files: &dyn Files,
    secrets: Secrets,
    longest: u64,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let mut options = RequestOptions::default();
    options.secrets = secrets;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while terminal.has_reader() && read_line(&mut input, longest, &mut line)? {
        if line.len() as u64 > longest && !line.ends_with(b"\n") {
            skip_line(&mut input)?;
            let reason = format!("A request must not be longer than {longest} bytes. {RAISE_MEMORY}");
            terminal.data(format!("{}\n", session.refuse(reason, options)).as_bytes())?;
            continue;
        }
        timer::restart();
        // Some programs write a byte order mark before the first request.
        match str::from_utf8(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line)) {
            Ok(request) if request.trim().is_empty() => continue,
            // A long answer is never in memory as a whole.
            Ok(request) => {
                terminal.answer(|out| session.write_answer(request, files, options, out))?;
            }
            Err(error) => {
                let at = error.valid_up_to();
                let reason = format!("A request must be UTF-8 text, but the byte at offset {at} is not.");
                terminal.data(format!("{}\n", session.refuse(reason, options)).as_bytes())?;
            }
        }
    }
    Ok(0)
}

/// Reads a line, or the beginning of a line that is too long. Returns false at the end of the input.
fn read_line(input: &mut impl BufRead, longest: u64, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.take(longest.saturating_add(1)).read_until(b'\n', line)?;
    Ok(!line.is_empty())
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (used, done) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}
