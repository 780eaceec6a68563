//! Plots an accuracy test: two charts of accuracy against the number of seeds, with confidence intervals.

use arena::Accuracy as Figures;

use super::{AccuracyTest, PlayerAccuracy};
use crate::plot::chart::{self, Mark};
use crate::plot::{Axis, Canvas, Chart, INNER, MARGIN, plain, style};

const CHART: i32 = 1000;
/// The width over which the players' points are spread, as a fraction of the distance between two seed counts.
const SPREAD: f64 = 0.4;
const MOST_PLAYERS: usize = 14;

fn key(player: &PlayerAccuracy) -> String {
    let Figures { optimal, seeds_lost, .. } = player.whole;
    let share = 100.0 * optimal;
    plain(&format!("{}: {share:.1} % optimal, {seeds_lost:.3} seeds lost", player.player))
}

/// A function that returns one measure of accuracy and its confidence interval.
type Shown = fn(&Figures) -> (f64, [f64; 2]);

const CHARTS: [(&str, Shown); 2] = [
    ("best moves, %", |it| (100.0 * it.optimal, it.optimal_ci95.map(|end| 100.0 * end))),
    ("seeds lost per move", |it| (it.seeds_lost, it.seeds_lost_ci95)),
];

pub(crate) fn picture(test: &AccuracyTest) -> Result<Canvas, String> {
    let AccuracyTest { rules, proven, sample, players, .. } = test;
    let count = players.len();
    if !(1..=MOST_PLAYERS).contains(&count) {
        return Err(format!("cannot draw {count} players; the limit is 1 to {MOST_PLAYERS}"));
    }
    let caution = if *proven { "" } else { " · heuristic values" };
    let notes = format!("{sample} positions from games · rules {rules}{caution} · 95 % intervals");
    let mut picture = Canvas::new(INNER);
    chart::header("Accuracy against perfect play", &[], &[&plain(&notes)], &mut picture);
    let keys = players
        .iter()
        .enumerate()
        .map(|(index, player)| chart::line_key(style::series(index), style::THICK, &key(player)));
    chart::legend(&keys.collect::<Vec<_>>(), &mut picture);
    picture.height += chart::GAP;
    let charts = CHARTS.map(|(title, shown)| chart_of(players, title, shown));
    chart::stack(charts.into(), &mut picture, CHARTS.len() as i32 * CHART);
    Ok(picture.with_margin(MARGIN))
}

fn chart_of(players: &[PlayerAccuracy], title: &str, shown: Shown) -> Chart {
    let room = SPREAD / players.len() as f64;
    let mut marks = Vec::new();
    for (index, player) in players.iter().enumerate() {
        let shift = room * (index as f64 - (players.len() - 1) as f64 / 2.0);
        let colour = style::series(index);
        for part in &player.by_seeds {
            let (figure, interval) = shown(&part.figures);
            let x = f64::from(part.seeds) + shift;
            marks.extend([Mark::interval(colour, x, interval), Mark::dot(colour, (x, figure))]);
        }
    }
    let seeds = players.iter().flat_map(|player| &player.by_seeds).map(|part| part.seeds.into());
    Chart::new(Axis::counts(seeds, 24), ["seeds on the board", title], marks, &[])
}
