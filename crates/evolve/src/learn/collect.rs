//! Plays games, collects positions and labels them. In the first iteration, we collect positions that occur in the
//! games. In later iterations, we search these positions and collect leaves of the search trees instead.

use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rand::RngExt;

use mancala::endgame::{BuildPlan, Tables, build};
use mancala::eval::{FeatureSet, Signs, Weights};
use mancala::game::{AnyGame, Encoded, Record, Side, Verdict, with_game};
use mancala::progress::{Progress, Silent};
use mancala::random::{ChaCha8Rng, Purpose, choose, stream};
use mancala::search::{Pruning, Sample, SearchResult, SearchableGame, Searcher};

use super::plan::{Dataset, Plan, Teacher};
use super::positions::{Encoding, Label, Positions};
use crate::task::TaskError;
use arena::{GameResult, gather_all};

/// The range from which we draw the number of random plies at the start of a game.
const RANDOM_PLIES: [u32; 2] = [2, 12];
/// The probability that a move after these plies is random. Random moves make the positions more diverse.
const RANDOM_MOVE_RATE: f64 = 0.1;
const MAX_PLIES: usize = 300;
/// The range from which we draw the depth of a search that collects leaves.
const DEPTHS: [u32; 2] = [4, 6];
/// Out of this many leaves of a search, we collect one.
const LEAVES: NonZeroU64 = NonZeroU64::new(60).expect("not zero");
/// The search depth in the first iteration, in which the teacher only counts captured seeds.
const SEEDS_DEPTH: u32 = 3;
/// The probability that a position in a game is collected in the first iteration.
const SAMPLING_RATE: f64 = 0.2;

/// Plays games for the newest dataset of a plan and returns the positions from each game.
pub(crate) fn play_games(
    plan: &Plan,
    games: Range<u64>,
    progress: &dyn Progress,
) -> Result<Vec<Positions>, TaskError> {
    let tables = tables(plan, progress)?;
    with_game!(plan.game, game => {
        let self_play = SelfPlay::new(game, plan, tables);
        let play = |index: usize, progress: &dyn Progress| {
            self_play.play_game(games.start + index as u64, progress)
        };
        gather_all((games.end - games.start) as usize, progress, play).ok_or(TaskError::Stopped)
    })
}

fn tables(plan: &Plan, progress: &dyn Progress) -> Result<Option<Arc<Tables>>, TaskError> {
    /// The tables from the previous call. We don't hold the lock while building, since pool threads may call this too.
    static TABLES: Mutex<Option<Arc<Tables>>> = Mutex::new(None);
    let (AnyGame::Ayo(game), seeds @ 1..) = (plan.game, plan.label_tables) else {
        return Ok(None);
    };
    let cached = || TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |it: &Arc<Tables>| (it.rules(), it.max_seeds()) == (game.rules, seeds);
    let mut tables = cached().clone().filter(is_same);
    if tables.is_none() {
        let parts = BuildPlan::in_memory(game.rules, seeds).map_err(TaskError::content)?;
        let built = build(&parts, &Silent(progress), |_| ()).map_err(TaskError::content)?;
        tables = Some(Arc::new(built.ok_or(TaskError::Stopped)?));
        cached().clone_from(&tables);
    }
    Ok(tables)
}

struct SelfPlay<'a, G: SearchableGame> {
    game: G,
    plan: &'a Plan,
    dataset: &'a Dataset,
    searcher: Arc<dyn Searcher<G>>,
    /// A searcher without tables, because we also want to collect positions that are in the tables.
    without_tables: Arc<dyn Searcher<G>>,
    depth: u32,
    encoding: Encoding,
}

impl<'a, G: SearchableGame + Encoded> SelfPlay<'a, G> {
    fn new(game: G, plan: &'a Plan, tables: Option<Arc<Tables>>) -> Self {
        let dataset = plan.newest();
        let (weights, depth) = match &dataset.teacher {
            Teacher::Outcomes => (captured_seeds::<G>(), SEEDS_DEPTH),
            Teacher::Scores(weights) => ((**weights).clone(), plan.depth),
        };
        let searcher = G::searcher_with_tables(&weights, plan.options, tables);
        let without_tables = G::searcher(&weights, plan.options);
        let encoding = Encoding::of(game);
        SelfPlay { game, plan, dataset, searcher, without_tables, depth, encoding }
    }

    fn play_game(&self, index: u64, progress: &dyn Progress) -> Option<Positions> {
        let iteration = self.dataset.iteration.into();
        let mut rng = stream(self.plan.seed, Purpose::Dataset, iteration, index);
        let mut found = Positions::default();
        let start =
            self.game.start(if index.is_multiple_of(2) { Side::South } else { Side::North });
        let mut record = Record::from_position(self.game, start);
        let random_plies = rng.random_range(RANDOM_PLIES[0]..=RANDOM_PLIES[1]) as usize;
        // Search scores, along with the side that was to move.
        let mut scores = Vec::new();
        // Collected positions. The label is `None` if it depends on the result of the game.
        let mut of_game = Vec::new();
        while record.plies().len() < MAX_PLIES && record.ending().is_none() {
            let is_random = record.plies().len() < random_plies;
            let side = record.to_move();
            let pit = if is_random || rng.random_bool(RANDOM_MOVE_RATE) {
                let moves = self.game.moves(record.position());
                choose(moves, &mut rng).expect("a game that is not over has moves")
            } else {
                let choice = self.search(self.depth, record.position(), progress)?;
                found.nodes += choice.nodes;
                scores.push((side, choice.score));
                choice.pit
            };
            if !is_random {
                match self.dataset.teacher {
                    Teacher::Scores(_) => {
                        for leaf in self.leaves(record.position(), &mut rng) {
                            let search = self.search(self.plan.label_depth, &leaf, progress)?;
                            found.nodes += search.nodes;
                            of_game.push((leaf, Some(Label::of(search.score))));
                        }
                    }
                    Teacher::Outcomes if rng.random_bool(SAMPLING_RATE) => {
                        of_game.push((*record.position(), None));
                    }
                    Teacher::Outcomes => {}
                }
            }
            record.play(pit).expect("players choose legal moves");
        }
        let verdict = record.verdict();
        if let Some(verdict) = verdict {
            let samples = scores.iter().filter(|(_, score)| !score.counts_plies());
            found.samples.extend(samples.map(|&(side, score)| (score.0, points(verdict, side))));
        }
        for (position, label) in of_game {
            let result = verdict.map(|it| points(it, self.game.to_move(&position)));
            if let Some(label) = label.or(result.map(Label::Points)) {
                found.add::<G>(&self.encoding, &position, label);
            }
        }
        Some(found)
    }

    /// Searches a position in which the game is not over. Returns `None` if `progress` requested a stop.
    fn search(
        &self,
        depth: u32,
        at: &G::Position,
        progress: &dyn Progress,
    ) -> Option<SearchResult> {
        let found = self.searcher.search(&self.game, at, depth, Pruning::AlphaBeta, progress)?;
        (!progress.should_stop()).then_some(found)
    }

    fn leaves(&self, position: &G::Position, rng: &mut ChaCha8Rng) -> Vec<G::Position> {
        let depth = rng.random_range(DEPTHS[0]..=DEPTHS[1]);
        let sample = Sample { every: LEAVES, offset: rng.random_range(0..LEAVES.get()) };
        self.without_tables.leaves(&self.game, position, depth, sample)
    }
}

fn captured_seeds<G: SearchableGame>() -> Weights {
    let features = G::CAPTURED.iter().map(|&feature| feature.into()).collect();
    let features = FeatureSet::new(features).expect("a game's features");
    let values = vec![1; G::CAPTURED.len()];
    Weights::new("", features, &values, Signs::Signed).expect("a weight for each feature")
}

/// Returns how many points a side gets for a result: 1 for a win, ½ for a draw and 0 for a loss.
fn points(verdict: Verdict, side: Side) -> f32 {
    f32::from(GameResult::of(verdict, side).points()) / 2.0
}

#[cfg(test)]
mod tests {
    use mancala::endgame::{BuildPlan, build};
    use mancala::eval::{Certainty, Score};
    use mancala::game::Game;
    use mancala::game::ayo::{Ayo, Rules};

    use super::super::tests::plan;
    use super::*;

    /// These tables are exact, so a search that reaches them returns the result of perfect play.
    #[test]
    fn positions_in_the_tables_are_labelled_by_their_results() {
        let game = Ayo { rules: Rules::AWARI };
        let build_plan = BuildPlan::in_memory(game.rules, 6).unwrap();
        let tables = Arc::new(build(&build_plan, &(), |_| ()).unwrap().unwrap());
        let weights = Weights::named("seeds").unwrap();
        let plan = plan(game.into(), Teacher::Scores(Box::new(weights)));
        let self_play = SelfPlay::new(game, &plan, Some(Arc::clone(&tables)));
        let mut rng = stream(7, Purpose::Dataset, 0, 0);
        let mut count = 0;
        while count < 200 {
            let mut record = Record::from_position(game, game.start(Side::South));
            while record.ending().is_none() && record.plies().len() < MAX_PLIES {
                if let Some((difference, _)) = tables.outcome(record.position(), record.to_move()) {
                    let found = self_play.search(1, record.position(), &()).unwrap();
                    let expected = Score::of_tables(difference, Certainty::Proven, 1);
                    if found.score.plies_to_end().is_none() {
                        assert_eq!(Label::of(found.score), Label::of(expected));
                        count += 1;
                    }
                }
                let moves = game.moves(record.position());
                record.play(choose(moves, &mut rng).unwrap()).unwrap();
            }
        }
    }
}
