//! Tests of dates and times.

use std::sync::atomic::{AtomicI64, Ordering};

use terrane_function::{Clock, World};
use terrane_source::MemoryFiles;
use terrane_value::Value;

use super::timestamp::{Syntax, Timestamp};
use crate::testing::{call, call_with, call_with_clock, shown_of};

#[test]
fn forms() {
    let utc = "2018-01-02T23:12:01Z";
    let west = "2018-01-02T23:12:01.5-08:00";
    let cases = [
        ("EEEE, DD-MMM-YY hh:mm:ss ZZZ", utc, "Tuesday, 02-Jan-18 23:12:01 UTC"),
        ("MMMM M D H:mmaa AA", utc, "January 1 2 11:12pm PM"),
        ("h'h'mm''", west, "23h12'"),
        ("'it''s'", utc, "it's"),
        ("'a''", utc, "a'"),
        ("Z ZZZ ZZZZ ZZZZZ", west, "-08:00 -0800 -0800 -08:00"),
        ("Z ZZZ ZZZZ ZZZZZ", utc, "Z UTC +0000 +00:00"),
        ("YYYY\u{e9}ss", utc, "2018\u{e9}01"),
    ];
    for (form, time, want) in cases {
        let result = call("formatdate", [form, time].map(Value::from));
        assert_eq!(result.unwrap().as_str(), Some(want), "{form}");
    }
    for form in ["YYY", "E", "'a", "'", "x", "A", "ZZ"] {
        assert_eq!(shown_of("formatdate", [form, utc]), "error 0", "{form}");
    }
}

#[test]
fn which_texts_are_times() {
    let strict = ["2018-01-02T03:04:05Z", "2016-02-29T00:00:00.123456789012+23:59", "0000-01-01T00:00:00Z"];
    let relaxed = ["2018-01-02T3:04:05Z", "2018-01-02T03:04:05,5Z", "2018-01-02T03:04:05+24:60"];
    let yaml = ["2018-1-2", "2018-1-2t3:4:5.5-05:00", "2018-01-02 03:04:05"];
    let never = [
        "",
        "2018-01-02",
        "2018-01-02t03:04:05Z",
        "2018-01-02T03:04:05",
        "2018-02-30T00:00:00Z",
        "2018-13-01T00:00:00Z",
        "2018-01-02T24:00:00Z",
        "2018-01-02T03:04:60Z",
        "2018-01-02T03:04:05z",
        "2018-01-02T03:04:05.Z",
        "18-01-02T03:04:05Z",
        "2018-01-02T03:04:05Z ",
        "2018-01-02T03:04:05+0500",
        "2018-1-02T03:04:05Z",
    ];
    let parses = |text: &str, syntax| Timestamp::parse(text, syntax).is_some();
    strict
        .into_iter()
        .for_each(|text| assert!(parses(text, Syntax::Strict) && parses(text, Syntax::Relaxed), "{text}"));
    relaxed
        .into_iter()
        .for_each(|text| assert!(!parses(text, Syntax::Strict) && parses(text, Syntax::Relaxed), "{text}"));
    yaml.into_iter()
        .for_each(|text| assert!(parses(text, Syntax::Yaml) && !parses(text, Syntax::Relaxed), "{text}"));
    never.into_iter().for_each(|text| assert!(!parses(text, Syntax::Relaxed), "{text}"));
}

#[test]
fn durations() {
    let time = "2017-11-22T00:00:00Z";
    let cases = [
        ("10m", "2017-11-22T00:10:00Z"),
        ("-1h30m", "2017-11-21T22:30:00Z"),
        ("1.5h0.5s", "2017-11-22T01:30:00Z"),
        ("+.5m", "2017-11-22T00:00:30Z"),
        ("-1ns", "2017-11-21T23:59:59Z"),
        ("1000000us1000\u{b5}s1ms", "2017-11-22T00:00:01Z"),
        ("0", time),
        ("1.s", "2017-11-22T00:00:01Z"),
        ("2562047h47m16.854775807s", "2310-03-03T23:47:16Z"),
        ("-2562047h47m16.854775808s", "1725-08-13T00:12:43Z"),
        ("2000000h", "2246-01-19T08:00:00Z"),
    ];
    for (duration, want) in cases {
        assert_eq!(shown_of("timeadd", [time, duration]), format!("\"{want}\""), "{duration}");
    }
    for wrong in [
        "",
        "1",
        "1d",
        "h",
        ".s",
        "1h-1m",
        "2562047h47m16.854775808s",
        "1h 1m",
        "--1s",
        "9999999h",
        "99999999999999999999s",
    ] {
        assert_eq!(shown_of("timeadd", [time, wrong]), "error", "{wrong}");
    }
    assert_eq!(shown_of("timeadd", ["2017-11-22T3:00:00Z", "1h"]), "error");
    assert_eq!(shown_of("timeadd", ["0000-01-01T00:00:00Z", "-1h"]), r#""-0001-12-31T23:00:00Z""#);
    assert_eq!(shown_of("timeadd", ["9999-12-31T23:00:00Z", "1h"]), r#""10000-01-01T00:00:00Z""#);
    assert_eq!(shown_of("timecmp", ["2017-11-22T3:00:00Z", "2017-11-22T03:00:00,0Z"]), "0");
    assert_eq!(shown_of("timeadd", ["2020-02-28T23:00:00+05:00", "1h"]), r#""2020-02-29T00:00:00+05:00""#);
}

#[test]
fn comparisons() {
    let cases = [
        ("2017-11-22T00:00:00Z", "2017-11-22T01:00:00+01:00", "0"),
        ("2017-11-22T00:00:00Z", "2017-11-22T00:00:00.5Z", "-1"),
        ("2017-11-22T00:00:01Z", "2017-11-22T00:00:00Z", "1"),
        ("x", "2017-11-22T00:00:00Z", "error 0"),
        ("2017-11-22T00:00:00Z", "x", "error 1"),
    ];
    for (left, right, want) in cases {
        assert_eq!(shown_of("timecmp", [left, right]), want);
    }
}

#[test]
fn the_time_of_a_plan_is_not_the_current_time() {
    let world = World { plan_time: Some(0), ..World::default() };
    let of = |name| call_with(&MemoryFiles::new(), world, name, []).unwrap();
    assert_eq!(of("plantimestamp").as_str(), Some("1970-01-01T00:00:00Z"));
    assert!(!of("timestamp").is_known());
}

#[test]
fn the_current_time_is_unknown_without_a_clock() {
    for name in ["timestamp", "plantimestamp"] {
        let unknown = call(name, []).unwrap();
        assert_eq!(&*unknown.origins().as_slice()[0].subject, name);
        assert_eq!(call_with_clock(name, []).unwrap().as_str(), Some("2001-09-09T01:46:40Z"));
    }
}

/// A clock that advances by a second each time it is read. The run started at second 1.
struct Going(AtomicI64);

impl Clock for Going {
    fn unix_seconds(&self) -> i64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }

    fn started(&self) -> i64 {
        1
    }
}

#[test]
fn the_time_of_the_plan_is_the_start_of_the_run() {
    let clock = Going(AtomicI64::new(60));
    let world = World { clock: Some(&clock), ..World::default() };
    let of = |name| call_with(&MemoryFiles::new(), world, name, []).unwrap();
    for second in 0..2 {
        assert_eq!(of("plantimestamp").as_str(), Some("1970-01-01T00:00:01Z"));
        assert_eq!(of("timestamp").as_str(), Some(&*format!("1970-01-01T00:01:0{second}Z")));
    }
}
