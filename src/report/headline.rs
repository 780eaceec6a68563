//! The first sentence of a report.

use std::time::Duration;

use arena::{Diagnosis, Forecast, Progress, Rating, Verdict};

use super::diagnosis::Diagnosed;
use super::result::RunCurves;
use crate::plot::minus;
use crate::terminal::rounded;

pub(super) fn headline(diagnosed: &Diagnosed, curves: &RunCurves) -> String {
    let Some(diagnosis) = &diagnosed.diagnosis else {
        let few = if diagnosed.has_all_games { "champions" } else { "games between its champions" };
        return format!("Not enough {few} to tell whether the player became stronger.");
    };
    let forecast = match &diagnosed.forecast {
        Some(it) => forecast(it),
        None => "too little is known for a forecast".into(),
    };
    format!("{}; {}; {forecast}.", gain(diagnosis), last_gain(diagnosis, curves))
}

/// Compares the newest champion with the first one.
fn gain(diagnosis: &Diagnosis) -> String {
    let Some(&Rating { elo, elo_ci95: (low, high) }) = diagnosis.ratings.last() else {
        return "One champion".into();
    };
    let margin = (high - low) / 2.0;
    match () {
        () if low > 0.0 => format!("Stronger by {elo:.0} ± {margin:.0} Elo than at the start"),
        () if high < 0.0 => {
            format!("Weaker by {:.0} ± {margin:.0} Elo than at the start", elo.abs())
        }
        () => {
            let elo = minus(&format!("{elo:.0}"));
            format!("No significant difference from the start ({elo} ± {margin:.0} Elo)")
        }
    }
}

fn last_gain(diagnosis: &Diagnosis, curves: &RunCurves) -> String {
    let Progress { verdict, last_gain, .. } = &diagnosis.progress;
    let Some(generation) = *last_gain else {
        let is_known = *verdict == Verdict::Yes;
        return if is_known { "date of the last gain unclear" } else { "no significant gain" }
            .into();
    };
    let time = curves.hours_at(generation).map(|it| format!(" ({} of training)", duration(it)));
    format!("last significant gain after generation {generation}{}", time.unwrap_or_default())
}

/// The largest gain that is stated as an upper limit.
const MAX_LIMIT: f64 = 50.0;

fn forecast(forecast: &Forecast) -> String {
    let (low, high) = forecast.gain_ci90;
    let more = duration(forecast.more);
    let [from, to] = [low, high].map(|elo| minus(&format!("{elo:.0}")));
    let limit = (high / 5.0).ceil().max(1.0) * 5.0;
    match () {
        () if low > 0.0 => format!("{more} more would probably add {from} to {to} Elo"),
        () if high <= MAX_LIMIT => {
            format!("{more} more would probably add less than {limit:.0} Elo")
        }
        () => format!("how much {more} more would add is uncertain ({from} to {to} Elo)"),
    }
}

/// Formats hours.
pub(super) fn duration(hours: f64) -> String {
    Duration::try_from_secs_f64(hours * 3600.0).map_or("unknown".into(), rounded)
}
