//! Self-play: collects leaves of searches in the teacher's games, labelled by the teacher.

use std::num::NonZeroU64;
use std::sync::Arc;

use rand::RngExt;

use mancala::eval::{FeatureSet, Score, Signs, Weights};
use mancala::game::{Encoded, MAX_GROUPS, Record, Side, Verdict};
use mancala::progress::{Progress, Silent};
use mancala::random::{ChaCha8Rng, Purpose, choose, stream};
use mancala::search::{Pruning, Sample, SearchResult, SearchableGame, Searcher};

use super::dataset::{Dataset, Label};
use super::plan::{Plan, Teacher};
use arena::{GameResult, gather_all};

/// Range of random plies at the start of a game.
const RANDOM_PLIES: [u32; 2] = [2, 12];
/// Rate of random moves afterwards, which make positions diverse.
const RANDOM_MOVE_RATE: f64 = 0.1;
/// Maximum length of a game.
const MAX_PLIES: usize = 300;
/// Range of the depths of searches that provide leaves.
const DEPTHS: [u32; 2] = [4, 6];
/// One leaf in this many is used.
const LEAVES: NonZeroU64 = NonZeroU64::new(150).expect("not zero");
/// Maximum number of games between two checks of the number of positions.
const BLOCK: usize = 64;
/// Number of games without a new position after which collecting ends.
const MAX_IDLE_GAMES: usize = 500;
/// A lower bound of the usual number of positions per game.
const POSITIONS_OF_GAME: usize = 200;
/// Search depth of the teacher in the first epoch, which counts captured seeds.
const SEEDS_DEPTH: u32 = 3;
/// Probability that a position of such a game is used.
const SAMPLING_RATE: f64 = 0.2;
/// Label of a won position: 9 on the logistic scale.
const WIN_PROBABILITY: f32 = 0.999_876_6;

/// Labelled positions and statistics of the games.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Collected {
    pub(super) dataset: Dataset,
    /// Search scores of positions, with the points of the side to move in that game.
    pub(super) samples: Vec<(i32, f32)>,
    pub(super) nodes: u64,
}

/// Collects the number of positions of the plan, or fewer if games no longer add any. `None` if `progress` stopped it.
/// Progress is reported in positions.
pub(super) fn collect<G: SearchableGame + Encoded>(
    game: G,
    plan: &Plan,
    progress: &dyn Progress,
) -> Option<Collected> {
    let self_play = SelfPlay::new(game, plan);
    let most = plan.positions as usize;
    let block = (most / POSITIONS_OF_GAME).clamp(1, BLOCK);
    let mut all = Collected::default();
    let (mut games, mut idle_games) = (0, 0);
    while all.dataset.len() < most {
        let play = |index: usize, progress: &dyn Progress| {
            self_play.play_game((games + index) as u64, progress)
        };
        let played = gather_all(block, &Silent(progress), play)?;
        games += block;
        let before = all.dataset.len();
        for game in &played {
            all.dataset.append(&game.dataset, most);
            all.samples.extend_from_slice(&game.samples);
            all.nodes += game.nodes;
        }
        progress.advance(all.dataset.len() as u64, most as u64);
        idle_games = if all.dataset.len() == before { idle_games + block } else { 0 };
        if idle_games >= MAX_IDLE_GAMES {
            break;
        }
    }
    Some(all)
}

/// Plays games of the teacher against itself.
struct SelfPlay<'a, G: SearchableGame> {
    game: G,
    plan: &'a Plan,
    searcher: Arc<dyn Searcher<G>>,
    /// Search depth of the teacher.
    depth: u32,
}

impl<'a, G: SearchableGame + Encoded> SelfPlay<'a, G> {
    fn new(game: G, plan: &'a Plan) -> Self {
        let (weights, depth) = match &plan.teacher {
            Teacher::Outcomes => (captured_seeds::<G>(), SEEDS_DEPTH),
            Teacher::Scores(weights) => ((**weights).clone(), plan.depth),
        };
        let searcher = G::searcher(&weights, plan.options);
        SelfPlay { game, plan, searcher, depth }
    }

    /// Plays a game and collects its positions. `None` if `progress` stopped it.
    fn play_game(&self, index: u64, progress: &dyn Progress) -> Option<Collected> {
        let mut rng = stream(self.plan.seed, Purpose::Dataset, self.plan.epoch.into(), index);
        let mut found = Collected::default();
        let start =
            self.game.start(if index.is_multiple_of(2) { Side::South } else { Side::North });
        let mut record = Record::from_position(self.game, start);
        let random_plies = rng.random_range(RANDOM_PLIES[0]..=RANDOM_PLIES[1]) as usize;
        // The side to move and the score of each search.
        let mut scores = Vec::new();
        // The positions, with scores if the teacher gives labels.
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
                match self.plan.teacher {
                    Teacher::Scores(_) => {
                        for leaf in self.leaves(record.position(), &mut rng) {
                            let search = self.search(self.plan.label_depth, &leaf, progress)?;
                            found.nodes += search.nodes;
                            of_game.push((leaf, Some(search.score)));
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
        for (position, score) in of_game {
            let points = verdict.map(|verdict| points(verdict, self.game.to_move(&position)));
            if let Some(label) = score.map(label).or(points.map(Label::Points)) {
                self.note(&position, label, &mut found.dataset);
            }
        }
        Some(found)
    }

    /// Searches a position of a game that is not over. `None` if `progress` stopped it.
    fn search(
        &self,
        depth: u32,
        at: &G::Position,
        progress: &dyn Progress,
    ) -> Option<SearchResult> {
        let found = self.searcher.search(&self.game, at, depth, Pruning::AlphaBeta, progress)?;
        (!progress.should_stop()).then_some(found)
    }

    /// Samples leaves of a search from a position.
    fn leaves(&self, position: &G::Position, rng: &mut ChaCha8Rng) -> Vec<G::Position> {
        let depth = rng.random_range(DEPTHS[0]..=DEPTHS[1]);
        let sample = Sample { every: LEAVES, offset: rng.random_range(0..LEAVES.get()) };
        self.searcher.leaves(&self.game, position, depth, sample)
    }

    fn note(&self, position: &G::Position, label: Label, dataset: &mut Dataset) {
        let mut rows = [0; MAX_GROUPS];
        let count = G::active(position, &mut rows);
        dataset.push(&rows[..count], G::material(position), label);
    }
}

/// Returns the evaluator that counts captured seeds.
fn captured_seeds<G: SearchableGame>() -> Weights {
    let features = G::CAPTURED.iter().map(|&feature| feature.into()).collect();
    let features = FeatureSet::new(features).expect("a game's features");
    let values = vec![1; G::CAPTURED.len()];
    Weights::new("", features, &values, Signs::Signed).expect("a weight each")
}

/// Points of a side: 1 for a win, ½ for a draw, 0 for a loss.
fn points(verdict: Verdict, side: Side) -> f32 {
    f32::from(GameResult::of(verdict, side).points()) / 2.0
}

/// Converts a search score to a label. Decided positions get a probability close to 0 or 1.
fn label(score: Score) -> Label {
    match score.counts_plies() {
        true => Label::Points(if score.0 > 0 { WIN_PROBABILITY } else { 1.0 - WIN_PROBABILITY }),
        false => Label::Score(score.0),
    }
}
