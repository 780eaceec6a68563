//! The pictures `kansas.png` and `charts.png`.

use super::Results;
use super::against_random::Figure;
use super::printed::{counted, figure_10, printed_random, printed_round_robin};
use super::round_robin::RoundRobin;
use crate::charts::{Chart, Dot, Sheet};
use mancala::eval::kansas::Heuristics;

/// The minimum share of games (799 of 800) that a combination must win to count as winning nearly every game.
const NEARLY_ALL: f64 = 0.998_75 - 1e-9;

impl Results {
    fn standing(&self, heuristics: Heuristics) -> Option<&RoundRobin> {
        self.standings.iter().find(|row| row.heuristics == heuristics)
    }

    /// Returns the printed share and our share of wins for each row of the round robin.
    fn round_robin(&self) -> Vec<[f64; 2]> {
        let pair = |(row, printed)| Some([printed, self.standing(row)?.measure(Figure::Win)]);
        printed_round_robin().into_iter().filter_map(pair).collect()
    }

    /// Returns a dot for each combination that has a printed value of this figure against the random player.
    fn dots(&self, figure: Figure) -> Vec<Dot> {
        let rows = self.against_random.iter().zip(printed_random());
        rows.filter_map(|(row, printed)| {
            let (printed, ours) = (printed.figure(figure)?, row.measure(figure));
            Some(Dot { printed, ours: ours.value(), interval: ours.interval() })
        })
        .collect()
    }

    /// Returns the printed sum and our sum of these figures for each combination against the random player.
    fn sums(&self, figures: &[Figure]) -> Vec<[f64; 2]> {
        let rows = self.against_random.iter().zip(printed_random());
        rows.filter_map(|(row, printed)| {
            let ours = figures.iter().map(|&figure| row.measure(figure).value()).sum();
            let printed: Option<f64> = figures.iter().map(|&it| printed.figure(it)).sum();
            Some([printed?, ours])
        })
        .collect()
    }
}

/// Plots our figures against the printed ones, with one dot per combination.
pub fn comparison(results: &Results) -> Sheet {
    let round_robin = results.round_robin().into_iter();
    let round_robin =
        round_robin.map(|[printed, ours]| Dot { printed, ours, interval: [ours; 2] }).collect();
    let title = "round robin: share of games won".into();
    let mut charts = vec![Chart::Dots { title, dots: round_robin }];
    for (title, figure) in [
        ("against random: share of games won", Figure::Win),
        ("against random: stones per game", Figure::Stones),
        ("against random: stones per move", Figure::StonesPerMove),
        ("against random: captures per move", Figure::CapturesPerMove),
        ("against random: go-agains per move", Figure::GoAgainsPerMove),
    ] {
        charts.push(Chart::Dots { title: title.into(), dots: results.dots(figure) });
    }
    Sheet {
        title: "Heuristics for Kalah, against Gifford et al. 2008",
        notes: &[
            "x: printed figure, y: ours with its 95 % interval; equal on the line",
            "printed figures against random have a similar error (800 games)",
        ],
        keys: &[],
        columns: 2,
        sizes: [1300, 48],
        charts,
    }
}

/// Reproduces the charts of the report.
pub fn charts(results: &Results) -> Sheet {
    let sorted = |title: &str, pairs: Vec<[f64; 2]>| Chart::Sorted { title: title.into(), pairs };
    let [captures, go_agains] = [Figure::CapturesPerMove, Figure::GoAgainsPerMove];
    Sheet {
        title: "Charts of the Kansas report",
        notes: &[
            "charts of Gifford et al. 2008, drawn from their tables; combinations sorted by the printed figure",
            "figures 3 to 5: combinations that win 799 games of 800; figure 10: won, first, second, tied, not lost",
        ],
        keys: &["ours", "printed"],
        columns: 2,
        sizes: [1000, 48],
        charts: vec![
            nearly_all(results),
            four_combinations(results),
            sorted("IV B, figure 7: stones per move", results.sums(&[Figure::StonesPerMove])),
            sorted("IV B, figure 9: captures per move", results.sums(&[captures])),
            sorted("IV B, figure 11: go-agains per move", results.sums(&[go_agains])),
            sorted(
                "IV B, figure 13: captures and go-agains per move",
                results.sums(&[captures, go_agains]),
            ),
            sorted("IV C, figure 11: share of games won", results.round_robin()),
        ],
    }
}

/// Draws figures 3 to 5 of section B, which show how many combinations with each heuristic win nearly every game.
fn nearly_all(results: &Results) -> Chart {
    let count = |(heuristic, printed)| {
        let rows = results.against_random.iter();
        let with = rows.filter(|row| row.heuristics.contains(heuristic));
        let ours = with.filter(|row| row.measure(Figure::Win).value() >= NEARLY_ALL).count();
        vec![ours as f64, printed as f64]
    };
    let groups = Heuristics::NUMBERS.into_iter().zip(counted(0.9987)).map(count).collect();
    Chart::Bars { title: "IV B, figures 3 to 5: combinations with H1 to H6".into(), groups }
}

/// Draws figure 10 of section C, which shows five shares for each of four combinations.
fn four_combinations(results: &Results) -> Chart {
    let mut groups = Vec::new();
    for (row, printed) in figure_10() {
        let Some(standing) = results.standing(row) else { continue };
        groups.extend(
            standing.shares().into_iter().zip(printed).map(|(ours, printed)| vec![ours, printed]),
        );
    }
    Chart::Bars { title: "IV C, figure 10: five shares of four combinations".into(), groups }
}
