//! Formats durations, times and numbers for people to read.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use indicatif::HumanCount;
use mancala::progress;

/// Formats a duration, e.g. `1m 5s` or `3.2s`.
pub(crate) fn rounded(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        return format!("{:.1}s", time.as_secs_f64());
    }
    in_units(time.as_secs_f64().round() as u64)
}

/// Formats elapsed time, omitting the seconds if it is a minute or more: `12s`, `37m`, `2h 5m`.
pub(crate) fn coarse(time: Duration) -> String {
    let seconds = time.as_secs();
    let shown = if seconds < 60 { seconds } else { seconds - seconds % 60 };
    in_units(shown)
}

fn in_units(seconds: u64) -> String {
    let text = humantime::format_duration(Duration::from_secs(seconds)).to_string();
    text.replace("days", "d").replace("day", "d")
}

/// Formats a date and time in UTC: `2026-11-26 20:15 UTC`.
pub(crate) fn moment(time: SystemTime) -> String {
    let latest = UNIX_EPOCH + Duration::from_secs(253_402_300_799);
    let text = humantime::format_rfc3339_seconds(time.clamp(UNIX_EPOCH, latest)).to_string();
    format!("{} UTC", text[..16].replace('T', " "))
}

/// Formats a time per move: `7.4 µs`, `12 ms`, `3.2 s`.
pub(crate) fn brief(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = match seconds {
        _ if seconds < 999.5e-6 => (seconds * 1e6, "µs"),
        _ if seconds < 0.9995 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    if number < 9.95 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

/// Formats the time left as a suffix such as `, 5.0s left`. Returns an empty string if it's unknown or rounds to zero.
pub(crate) fn remaining(time: Option<Duration>) -> String {
    let time = time.map(rounded).filter(|time| time != "0.0s");
    time.map_or(String::new(), |time| format!(", {time} left"))
}

/// Estimates the remaining time, based on the average speed since `begun`, and formats it like [`remaining`].
pub(crate) fn time_left(begun: Instant, done: u64, all: u64) -> String {
    remaining(progress::time_left(begun, done, all))
}

/// Formats a number with a noun: `1 generation`, `12,345 generations`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats an Elo difference with its sign: `+12`, `-3`, and `+0` for anything that rounds to zero.
pub(crate) fn signed(elo: f64) -> String {
    format!("{:+.0}", elo.round() + 0.0)
}

/// Formats a number with thousands separators: `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(0, "game"), "0 games");
        assert_eq!([-0.4, -0.6, 0.2, 14.4].map(signed), ["+0", "-1", "+0", "+14"]);
        assert_eq!(rounded(Duration::from_millis(3210)), "3.2s");
        assert_eq!(rounded(Duration::from_millis(65_400)), "1m 5s");
        assert_eq!(coarse(Duration::from_millis(59_900)), "59s");
        assert_eq!(coarse(Duration::from_secs(7530)), "2h 5m");
        assert_eq!(coarse(Duration::ZERO), "0s");
        assert_eq!(rounded(Duration::from_secs(90_000)), "1d 1h");
        assert_eq!(moment(UNIX_EPOCH + Duration::MAX / 4), "9999-12-31 23:59 UTC");
        assert_eq!(brief(Duration::from_nanos(740)), "0.7 µs");
        assert_eq!(brief(Duration::from_micros(999)), "999 µs");
        assert_eq!(brief(Duration::from_nanos(999_600)), "1.0 ms");
        assert_eq!(brief(Duration::from_millis(1234)), "1.2 s");
        assert_eq!(remaining(Some(Duration::from_millis(40))), "");
        let time =
            |seconds, done| time_left(Instant::now() - Duration::from_secs(seconds), done, 100);
        assert_eq!([time(1, 50), time(9, 1), time(9, 50)], ["", "", ", 9.0s left"]);
    }
}
