//! Positions for a fit: leaves of searches from games that a teacher plays, and what the teacher finds them worth.

use std::num::NonZeroU64;
use std::sync::Arc;

use rand::RngExt;

use mancala::eval::{FeatureSet, Score, Signs, Weights};
use mancala::game::{Encoded, MOST_GROUPS, Record, Side, Verdict};
use mancala::progress::{Muted, Progress};
use mancala::random::{ChaCha8Rng, Purpose, one_of, stream};
use mancala::search::{Found, Pruning, Sample, SearchableGame, Searcher};

use super::lessons::{Label, Lessons};
use super::plan::{Plan, Teacher};
use arena::{GameResult, gather_all};

/// Random plies that a game begins with, one of these numbers.
const BEGINNING: [u32; 2] = [2, 12];
/// Share of later moves that are random, so that positions differ.
const RANDOM_MOVES: f64 = 0.1;
/// Plies after which a game is left, whoever is ahead.
const LONGEST: usize = 300;
/// Depths of the searches whose leaves are taken.
const DEPTHS: [u32; 2] = [4, 6];
/// One leaf in so many is taken.
const LEAVES: NonZeroU64 = NonZeroU64::new(150).expect("not zero");
/// Games at most that are played before it is looked whether there are positions enough.
const GAMES: usize = 64;
/// Games without a position after which no more are played.
const IN_VAIN: usize = 500;
/// A game brings more positions than this.
const POSITIONS_OF_GAME: usize = 200;
/// Plies that the player looks ahead whose games are labelled by their outcomes.
const SEEDS_DEPTH: u32 = 3;
/// Of such games every position is taken with this probability.
const TAKEN: f64 = 0.2;
/// The probability that a won end counts as: 9 on the logistic scale.
const SURE: f32 = 0.999_876_6;

/// Positions with their labels, and what they came from.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Collected {
    pub(super) lessons: Lessons,
    /// Scores of positions of the games, and the points that the game brought the side to move there.
    pub(super) samples: Vec<(i32, f32)>,
    /// Positions searched.
    pub(super) nodes: u64,
}

/// As many positions as the plan asks for, or fewer if so many games brought none. `None` if the progress stopped it,
/// which counts positions.
pub(super) fn collect<G: SearchableGame + Encoded>(
    game: G,
    plan: &Plan,
    progress: &dyn Progress,
) -> Option<Collected> {
    let pupil = Pupil::new(game, plan);
    let most = plan.positions as usize;
    let block = (most / POSITIONS_OF_GAME).clamp(1, GAMES);
    let mut all = Collected::default();
    let (mut games, mut in_vain) = (0, 0);
    while all.lessons.len() < most {
        let play = |index: usize, progress: &dyn Progress| {
            pupil.lessons_of_game((games + index) as u64, progress)
        };
        let played = gather_all(block, &Muted(progress), play)?;
        games += block;
        let before = all.lessons.len();
        for game in &played {
            all.lessons.append(&game.lessons, most);
            all.samples.extend_from_slice(&game.samples);
            all.nodes += game.nodes;
        }
        progress.advance(all.lessons.len() as u64, most as u64);
        in_vain = if all.lessons.len() == before { in_vain + block } else { 0 };
        if in_vain >= IN_VAIN {
            break;
        }
    }
    Some(all)
}

/// Plays the teacher's games and takes notes.
struct Pupil<'a, G: SearchableGame> {
    game: G,
    plan: &'a Plan,
    searcher: Arc<dyn Searcher<G>>,
    /// Plies that the teacher looks ahead.
    depth: u32,
}

impl<'a, G: SearchableGame + Encoded> Pupil<'a, G> {
    fn new(game: G, plan: &'a Plan) -> Self {
        let (weights, depth) = match &plan.teacher {
            Teacher::Outcomes => (captured_seeds::<G>(), SEEDS_DEPTH),
            Teacher::Scores(weights) => ((**weights).clone(), plan.depth),
        };
        let searcher = G::searcher(&weights, plan.options);
        Pupil { game, plan, searcher, depth }
    }

    /// The positions of one game. `None` if the progress stopped it.
    fn lessons_of_game(&self, index: u64, progress: &dyn Progress) -> Option<Collected> {
        let mut dice = stream(self.plan.seed, Purpose::Lessons, self.plan.epoch.into(), index);
        let mut found = Collected::default();
        let start =
            self.game.start(if index.is_multiple_of(2) { Side::South } else { Side::North });
        let mut record = Record::from_position(self.game, start);
        let beginning = dice.random_range(BEGINNING[0]..=BEGINNING[1]) as usize;
        // Whose turn it was, and what the search said.
        let mut scores = Vec::new();
        // Positions, and what was found there.
        let mut of_game = Vec::new();
        while record.plies().len() < LONGEST && record.ending().is_none() {
            let is_beginning = record.plies().len() < beginning;
            let side = record.to_move();
            let pit = if is_beginning || dice.random_bool(RANDOM_MOVES) {
                let moves = self.game.moves(record.position());
                one_of(moves, &mut dice).expect("a game that goes on has moves")
            } else {
                let choice = self.search(self.depth, record.position(), progress)?;
                found.nodes += choice.nodes;
                scores.push((side, choice.score));
                choice.pit
            };
            if !is_beginning {
                match self.plan.teacher {
                    Teacher::Scores(_) => {
                        for leaf in self.leaves(record.position(), &mut dice) {
                            let search = self.search(self.plan.label_depth, &leaf, progress)?;
                            found.nodes += search.nodes;
                            of_game.push((leaf, Some(search.score)));
                        }
                    }
                    Teacher::Outcomes if dice.random_bool(TAKEN) => {
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
                self.note(&position, label, &mut found.lessons);
            }
        }
        Some(found)
    }

    /// What the teacher finds in a position of a game that goes on. `None` if the progress stopped it.
    fn search(&self, depth: u32, position: &G::Position, progress: &dyn Progress) -> Option<Found> {
        let found =
            self.searcher.search(&self.game, position, depth, Pruning::AlphaBeta, progress)?;
        (!progress.should_stop()).then_some(found)
    }

    /// Leaves of a search from a position.
    fn leaves(&self, position: &G::Position, dice: &mut ChaCha8Rng) -> Vec<G::Position> {
        let depth = dice.random_range(DEPTHS[0]..=DEPTHS[1]);
        let sample = Sample { every: LEAVES, offset: dice.random_range(0..LEAVES.get()) };
        self.searcher.leaves(&self.game, position, depth, sample)
    }

    fn note(&self, position: &G::Position, label: Label, lessons: &mut Lessons) {
        let mut rows = [0; MOST_GROUPS];
        let count = G::active(position, &mut rows);
        lessons.push(&rows[..count], G::fullness(position), label);
    }
}

/// The evaluator that counts captured seeds.
fn captured_seeds<G: SearchableGame>() -> Weights {
    let features = G::CAPTURED.iter().map(|&feature| feature.into()).collect();
    let features = FeatureSet::new(features).expect("a game's features");
    let values = vec![1; G::CAPTURED.len()];
    Weights::new("", features, &values, Signs::Signed).expect("a weight each")
}

/// Points of a side: a win 1, a draw ½, a loss 0.
fn points(verdict: Verdict, side: Side) -> f32 {
    f32::from(GameResult::of(verdict, side).points()) / 2.0
}

/// What a search found: ends count as such, nearly.
fn label(score: Score) -> Label {
    match score.counts_plies() {
        true => Label::Points(if score.0 > 0 { SURE } else { 1.0 - SURE }),
        false => Label::Score(score.0),
    }
}
