//! Timestamps: parsing, arithmetic, calendar dates and RFC 3339 text.

use std::fmt;

/// An instant with an offset from UTC for its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z.
    seconds: i64,
    /// Nanoseconds of the second, below a billion.
    nanoseconds: u32,
    /// Seconds east of UTC.
    offset: i64,
}

/// The accepted notation of a timestamp. The reference has three parsers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Syntax {
    /// RFC 3339, as it is written.
    Strict,
    /// RFC 3339, but hours may have one digit, and a comma may replace the decimal point.
    Relaxed,
    /// Timestamps of YAML: most parts may have one digit, a space may replace the `T` (without an offset then), and
    /// the time of day is optional.
    Yaml,
}

/// A date and a time of day in parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CalendarParts {
    pub(crate) year: i64,
    /// The number of the month, from 1.
    pub(crate) month: u32,
    /// The day of the month, from 1.
    pub(crate) day: u32,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
    /// The day of the week; 0 is Sunday.
    pub(super) weekday: usize,
    /// The day of the year, from 1.
    pub(super) year_day: i64,
}

const DAY: i64 = 24 * 60 * 60;

impl Timestamp {
    pub(super) fn from_unix(seconds: i64) -> Timestamp {
        Timestamp { seconds, nanoseconds: 0, offset: 0 }
    }

    pub(crate) fn parse(text: &str, syntax: Syntax) -> Option<Timestamp> {
        let mut scanner = TimestampScanner { rest: text, syntax };
        let short = syntax == Syntax::Yaml;
        let year = scanner.digits(4, 4)?;
        scanner.expect('-')?;
        let month = u32::try_from(scanner.short(short)?).ok()?;
        scanner.expect('-')?;
        let day = scanner.short(short)?;
        if !(1..=12).contains(&month) || day < 1 || day > i64::from(days_in(year, month)) {
            return None;
        }
        let days = days_since_epoch(year, month) + day - 1;
        if scanner.rest.is_empty() && syntax == Syntax::Yaml {
            return Some(Timestamp::from_unix(days * DAY));
        }
        let separator = scanner.next()?;
        let zoned = match (separator, syntax) {
            ('T', _) | ('t', Syntax::Yaml) => true,
            (' ', Syntax::Yaml) => false,
            _ => return None,
        };
        let hour = scanner.short(syntax != Syntax::Strict)?;
        scanner.expect(':')?;
        let minute = scanner.short(short)?;
        scanner.expect(':')?;
        let second = scanner.short(short)?;
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let nanoseconds = scanner.fraction();
        let offset = if zoned { scanner.offset()? } else { 0 };
        if !scanner.rest.is_empty() {
            return None;
        }
        let seconds = days * DAY + (hour * 60 + minute) * 60 + second - offset;
        Some(Timestamp { seconds, nanoseconds, offset })
    }

    /// Parses RFC 3339, but a space may replace the `T`.
    pub(super) fn parse_spaced(text: &str) -> Option<Timestamp> {
        match text.split_once(' ') {
            Some((date, time)) => Timestamp::parse(&format!("{date}T{time}"), Syntax::Relaxed),
            None => Timestamp::parse(text, Syntax::Relaxed),
        }
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z.
    pub(crate) fn unix(&self) -> i64 {
        self.seconds
    }

    /// Returns a key that is equal for equal instants and sorts by time.
    pub(super) fn instant(&self) -> (i64, u32) {
        (self.seconds, self.nanoseconds)
    }

    /// Returns the timestamp `nanoseconds` later.
    pub(super) fn plus(&self, nanoseconds: i64) -> Timestamp {
        const SECOND: i64 = 1_000_000_000;
        let sum = i64::from(self.nanoseconds) + nanoseconds.rem_euclid(SECOND);
        let seconds = self.seconds + nanoseconds.div_euclid(SECOND) + sum.div_euclid(SECOND);
        let nanoseconds = u32::try_from(sum.rem_euclid(SECOND)).unwrap_or_default();
        Timestamp { seconds, nanoseconds, offset: self.offset }
    }

    pub(crate) fn parts(&self) -> CalendarParts {
        let local = self.seconds + self.offset;
        let (days, second) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let Date { year, month, day } = Date::of_days(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        // The first day of 1970 was a Thursday.
        let weekday = usize::try_from((days + 4).rem_euclid(7)).unwrap_or_default();
        let year_day = days - days_since_epoch(year, 1) + 1;
        CalendarParts { year, month, day, hour, minute, second, weekday, year_day }
    }

    /// Returns the offset from UTC as `+hh:mm` with the given separator.
    pub(super) fn offset_text(&self, separator: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
    }

    pub(super) fn is_utc(&self) -> bool {
        self.offset == 0
    }
}

impl CalendarParts {
    /// Returns the year and week number of ISO 8601: a week belongs to the year of its Thursday.
    pub(super) fn iso_week(&self) -> (i64, i64) {
        let monday_first = i64::try_from((self.weekday + 6) % 7).unwrap_or_default();
        let thursday = self.year_day - monday_first + 3;
        let days_of = |year| if is_leap(year) { 366 } else { 365 };
        let (year, thursday) = if thursday < 1 {
            (self.year - 1, thursday + days_of(self.year - 1))
        } else if thursday > days_of(self.year) {
            (self.year + 1, thursday - days_of(self.year))
        } else {
            (self.year, thursday)
        };
        (year, (thursday - 1) / 7 + 1)
    }
}

/// The RFC 3339 text, without fractions of a second.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CalendarParts { year, month, day, hour, minute, second, .. } = self.parts();
        let zone = if self.is_utc() { "Z".to_owned() } else { self.offset_text(":") };
        let sign = if year < 0 { "-" } else { "" };
        let year = year.abs();
        write!(f, "{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Returns the days from 1970-01-01 to the first day of a month, in the Gregorian calendar.
fn days_since_epoch(year: i64, month: u32) -> i64 {
    let before = year - 1;
    let leap_days = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    let months: u32 = (1..month).map(|month| days_in(year, month)).sum();
    // The first day of the year 1 is 719162 days before the first day of 1970.
    before * 365 + leap_days + i64::from(months) - 719_162
}

/// A day of the Gregorian calendar.
struct Date {
    year: i64,
    month: u32,
    day: u32,
}

impl Date {
    /// Returns the date that is this number of days after 1970-01-01.
    fn of_days(days: i64) -> Date {
        // The estimate is at most one year off: 400 years have 146097 days.
        let mut year = 1970 + (days * 400).div_euclid(146_097);
        while days_since_epoch(year, 1) > days {
            year -= 1;
        }
        while days_since_epoch(year + 1, 1) <= days {
            year += 1;
        }
        let month = (2..=12).rev().find(|month| days_since_epoch(year, *month) <= days).unwrap_or(1);
        let day = days - days_since_epoch(year, month) + 1;
        Date { year, month, day: u32::try_from(day).unwrap_or(1) }
    }
}

struct TimestampScanner<'t> {
    rest: &'t str,
    syntax: Syntax,
}

impl TimestampScanner<'_> {
    fn next(&mut self) -> Option<char> {
        let character = self.rest.chars().next()?;
        self.rest = self.rest.get(character.len_utf8()..)?;
        Some(character)
    }

    fn expect(&mut self, wanted: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(wanted)?;
        Some(())
    }

    fn digits(&mut self, least: usize, most: usize) -> Option<i64> {
        let count = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        if count < least {
            return None;
        }
        let (digits, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        digits.parse().ok()
    }

    /// Reads a number of two digits, or of one digit if `may_be_short`.
    fn short(&mut self, may_be_short: bool) -> Option<i64> {
        self.digits(if may_be_short { 1 } else { 2 }, 2)
    }

    /// Reads an optional fraction of a second and returns its nanoseconds.
    fn fraction(&mut self) -> u32 {
        let comma = self.syntax != Syntax::Strict;
        let Some(behind) = self.rest.strip_prefix(|c| c == '.' || (comma && c == ',')) else { return 0 };
        let count = behind.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = behind.split_at_checked(count).unwrap_or_default();
        if digits.is_empty() {
            return 0;
        }
        self.rest = rest;
        digits
            .bytes()
            .chain(std::iter::repeat(b'0'))
            .take(9)
            .fold(0, |all, digit| all * 10 + u32::from(digit - b'0'))
    }

    fn offset(&mut self) -> Option<i64> {
        let sign = match self.next()? {
            'Z' => return Some(0),
            '+' => 1,
            '-' => -1,
            _ => return None,
        };
        let hours = self.digits(2, 2)?;
        self.expect(':')?;
        let minutes = self.digits(2, 2)?;
        let (most_hours, most_minutes) = if self.syntax == Syntax::Strict { (23, 59) } else { (24, 60) };
        (hours <= most_hours && minutes <= most_minutes).then_some(sign * (hours * 60 + minutes) * 60)
    }
}
