//! Options that limit the memory, the work and the time of a command.

use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use terrane::function::Limits;

use crate::{interrupt, timer};

/// Options that every command has.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitOptions {
    /// Limit the memory of values, such as `512MiB` or `1GB`; the default is 256MiB. Longer strings and files are allowed
    /// in proportion.
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    max_memory: Option<u64>,

    /// Limit the work of an evaluation, in steps of about 10 nanoseconds; the default is 83886080. Calls and
    /// loops may be longer in proportion.
    #[arg(long, global = true, value_name = "NUMBER")]
    max_steps: Option<u64>,

    /// Stop after a time: seconds, or a number with a unit, such as `500ms`. In a console, the time of each input.
    #[arg(long, global = true, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,
}

impl LimitOptions {
    /// Starts the time limit of the command.
    pub(crate) fn start(&self) {
        if let Some(time) = self.timeout {
            timer::start(time);
        }
    }

    /// Returns the time limit of the command.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.timeout
    }

    /// Returns the limits of evaluations.
    pub(crate) fn limits(&self) -> Limits {
        let limits = Limits {
            cancel: Some(interrupt::flag()),
            timeout: self.timeout.map(|_| timer::flag()),
            ..Limits::default()
        };
        let limits = self.max_memory.into_iter().fold(limits, Limits::with_memory);
        self.max_steps.into_iter().fold(limits, Limits::with_steps)
    }
}

/// Reads a size, such as `512MiB`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let parsed: Result<ByteSize, String> = text.parse();
    parsed.map(|size| size.as_u64()).map_err(|_| "write a size as in 512MiB, 1GB or 1000000".to_owned())
}

fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = seconds.or_else(|| humantime::parse_duration(text).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "write a time as in 2, 0.5, 500ms or 1min".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("1000", 1000), ("512MiB", 512 << 20), ("1GB", 1_000_000_000), ("1.5 KiB", 1536), ("2k", 2000)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "-1", "1 apple", "MB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_seconds_or_have_units() {
        for (text, milliseconds) in
            [("2", 2000), ("0.25", 250), ("500ms", 500), ("2s", 2000), ("1min", 60_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "0", "-1", "soon", "inf", "NaN", "1e300"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
