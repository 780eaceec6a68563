//! The result of a comparison. The file that it leaves is CSV, and is read back as that.

use serde::Serialize;

use crate::train::strength::{AgainstOpponent, Score, against};
use evolve::run::{
    ComparisonTerms, ContestantScore, Mean, MeasuredOpenings, PairedDifference, Panel, Point,
    Trial, contestant_scores, differences,
};

/// What optimisers found at equal budgets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "comparison")]
pub struct Comparison {
    /// What each search could spend.
    pub budget: String,
    /// Plies that weights were searched when their strength was measured.
    pub depth: u32,
    /// What the games of measurements began from.
    pub openings: String,
    /// Whether the searches can be repeated on any machine.
    pub reproducible: bool,
    /// The contestants, the best first.
    pub contestants: Vec<ComparedContestant>,
    /// The searches in the order in which they were finished.
    pub searches: Vec<Search>,
    /// Whether the comparison ended before its time.
    pub interrupted: bool,
    /// Each two contestants on the seeds that both have finished, the better first.
    pub differences: Vec<Difference>,
}

/// How a contestant did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedContestant {
    /// Its name.
    pub contestant: String,
    /// The seeds that are finished.
    pub seeds: Vec<u64>,
    /// The score against the panel at the end of the budget.
    pub panel: MeanScore,
    /// The score against each opponent of the panel.
    #[serde(serialize_with = "super::as_map")]
    pub opponents: Vec<(String, MeanScore)>,
}

/// A mean over the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanScore {
    /// Points a game.
    pub score: f64,
    /// The 95 % interval of that; none of one seed.
    pub score_ci95: Option<(f64, f64)>,
}

/// What one contestant is ahead of another by, seed by seed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// One contestant.
    pub a: String,
    /// The other.
    pub b: String,
    /// Seeds that both have finished.
    pub seeds: usize,
    /// The mean over them of a's score against the panel less b's, between −1 and 1.
    pub difference: f64,
    /// The 95 % interval of that; none of one seed.
    pub difference_ci95: Option<(f64, f64)>,
}

/// One search of one contestant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Search {
    /// The contestant's name.
    pub contestant: String,
    /// Seed of its random streams.
    pub seed: u64,
    /// What stands for all that the search depends on.
    pub settings: String,
    /// The measurements in order.
    pub points: Vec<SearchPoint>,
}

/// How strong a search's best was at some share of the budget.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchPoint {
    /// Games spent.
    pub games: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Time spent.
    pub seconds: f64,
    /// The mean score against the panel.
    pub panel: f64,
    /// The 95 % interval of that.
    pub panel_ci95: (f64, f64),
    /// The score against each opponent.
    pub strength: Vec<AgainstOpponent>,
    /// The weights that are not zero, by feature.
    #[serde(serialize_with = "super::as_map")]
    pub weights: Vec<(String, i64)>,
}

/// Whether a comparison came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// Every search is finished.
    Finished,
    /// It was interrupted.
    Interrupted,
}

impl Comparison {
    /// The result of these searches.
    pub fn of(terms: &ComparisonTerms, trials: &[Trial], completion: Completion) -> Comparison {
        let opponents = Panel::First.names(terms.game);
        let scores = contestant_scores(trials);
        Comparison {
            budget: terms.budget.to_string(),
            depth: terms.depth,
            openings: MeasuredOpenings::of(terms.game).name(terms.openings.into()),
            reproducible: terms.budget.is_reproducible(),
            contestants: scores.iter().map(|it| ComparedContestant::of(it, &opponents)).collect(),
            searches: trials.iter().map(Search::from).collect(),
            interrupted: completion == Completion::Interrupted,
            differences: differences(trials).iter().map(Difference::from).collect(),
        }
    }
}

impl ComparedContestant {
    fn of(it: &ContestantScore, panel: &[String]) -> ComparedContestant {
        let opponents = panel.iter().cloned().zip(it.opponents.iter().map(MeanScore::from));
        ComparedContestant {
            contestant: it.contestant.clone(),
            seeds: it.seeds.clone(),
            panel: MeanScore::from(&it.panel),
            opponents: opponents.collect(),
        }
    }
}

impl From<&PairedDifference> for Difference {
    fn from(it: &PairedDifference) -> Difference {
        Difference {
            a: it.a.clone(),
            b: it.b.clone(),
            seeds: it.seeds,
            difference: it.difference.mean,
            difference_ci95: it.difference.interval(-1.0..=1.0),
        }
    }
}

impl From<&Mean> for MeanScore {
    fn from(it: &Mean) -> MeanScore {
        MeanScore { score: it.mean, score_ci95: it.interval(0.0..=1.0) }
    }
}

impl From<&Trial> for Search {
    fn from(trial: &Trial) -> Search {
        Search {
            contestant: trial.contestant.clone(),
            seed: trial.seed,
            settings: trial.settings.clone(),
            points: trial.points.iter().map(SearchPoint::from).collect(),
        }
    }
}

impl From<&Point> for SearchPoint {
    fn from(point: &Point) -> SearchPoint {
        let Score { score: panel, score_ci95: panel_ci95 } = Score::within(point.mean());
        SearchPoint {
            games: point.spent.games,
            nodes: point.spent.nodes,
            seconds: point.time.as_secs_f64(),
            panel,
            panel_ci95,
            strength: against(&point.strength),
            weights: weights(&point.weights),
        }
    }
}

/// The weights of `a9=-120 a10=115`.
fn weights(shown: &str) -> Vec<(String, i64)> {
    let term = |term: &str| {
        let (name, weight) = term.split_once('=')?;
        Some((name.to_owned(), weight.parse().ok()?))
    };
    shown.split(' ').filter_map(term).collect()
}
