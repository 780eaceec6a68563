//! The *refinement-based heuristic* player of Akinyemi (thesis, 2012, chapter 4; Akinyemi, Longe and Olugbara).
//!
//! A search values moves by what both sides capture (*buildTree* and *computeValue*: [`Tree`] as the thesis
//! has it, [`gains`] as it is played). The moves that attain the value of the game are *feasible*. Among them
//! refinement decides ([`is_protected`], [`mobility`]), unless a move that gives a few seeds away makes the
//! row more like one of the completely determined game, the *bluff* ([`Metric`]), or that game is there or
//! near ([`harvest`], [`is_near`]).

mod endgame;
mod explanation;
mod reasons;
mod refinement;
mod settings;
mod similarity;
#[cfg(test)]
mod tests;
mod tree;

pub use endgame::{MOST_SEEDS, NEAR, episode, harvest, is_near};
pub use reasons::{Candidate, Reasons, Rule};
pub use refinement::{end_pit, is_protected, mobility};
pub use settings::{Bluffing, Refinement, Settings, Switch};
pub use similarity::{Episode, Metric, MetricError, sources};
pub use tree::{Node, Tree};

use rand::RngExt;

use self::reasons::Valued;
use super::settings::{MOST_CAPTURING, capturing_depth, one_of, weights};
use super::spec::{Spec, SpecError};
use super::{Choice, Minimax, NoChoice, PlayableGame, Player, gains};
use mancala::eval::Score;
use mancala::game::ayo::{Ayo, Position, SEEDS};
use mancala::game::{Game, Pit, Record};
use mancala::progress::Progress;
use mancala::random::{Purpose, stream};
use mancala::search::{Options, Payoffs};

pub(super) const SETTINGS: &[&str] =
    &["plies", "metric", "bluff", "tradeoff", "weights", "cdg", "refine"];

pub(super) fn read(spec: &Spec, game: Ayo) -> Result<Box<dyn Player<Ayo>>, SpecError> {
    let default = Settings::default();
    let weights = spec.text("weights").map(|name| weights(spec, game.kind(), name)).transpose()?;
    let bred = weights.as_ref().and_then(|weights| Some(weights.provenance.as_ref()?.depth));
    let settings = Settings {
        plies: capturing_depth(spec, "plies")?
            .or(bred.map(|depth| depth.min(MOST_CAPTURING)))
            .unwrap_or(default.plies),
        metric: spec.value("metric", |_| true, MetricError)?.unwrap_or(default.metric),
        bluffing: bluffing(spec, weights.is_some())?,
        refine: one_of(spec, "refine", &REFINEMENTS, "on, off or chance")?
            .unwrap_or(default.refine),
        cdg: one_of(spec, "cdg", &SWITCHES, "on or off")?.unwrap_or(default.cdg),
    };
    let judge = weights
        .map(|weights| Minimax::to_depth(&weights, settings.plies, Options::for_weights(&weights)));
    Ok(Box::new(Rbh::new(settings, judge)))
}

/// A player with evolved weights bluffs only if it is told to: a bluff gives away what they value.
fn bluffing(spec: &Spec, is_evolved: bool) -> Result<Option<Bluffing>, SpecError> {
    let Bluffing { threshold, tradeoff } = Bluffing::default();
    let tradeoff = spec
        .value("tradeoff", |seeds| *seeds <= u32::from(SEEDS), "a number of seeds from 0 to 48")?
        .unwrap_or(tradeoff);
    match spec.text("bluff") {
        Some("off") => return Ok(None),
        None if is_evolved && spec.text("tradeoff").is_none() => return Ok(None),
        _ => {}
    }
    let allowed = |threshold: &f64| (0.0..=1.0).contains(threshold);
    let threshold =
        spec.value("bluff", allowed, "off or a similarity from 0 to 1")?.unwrap_or(threshold);
    Ok(Some(Bluffing { threshold, tradeoff }))
}

const SWITCHES: [(&str, Switch); 2] = [("on", Switch::On), ("off", Switch::Off)];
const REFINEMENTS: [(&str, Refinement); 3] =
    [("on", Refinement::On), ("off", Refinement::Off), ("chance", Refinement::Chance)];

/// Plays by captures first, or by weights, and by refinement among equals.
pub struct Rbh {
    settings: Settings,
    /// The player that values moves in place of the seeds captured.
    judge: Option<Minimax<Ayo>>,
}

impl Rbh {
    /// A player that values moves by seeds captured, or as `judge` does, whose depth should be the plies of
    /// the settings.
    pub fn new(settings: Settings, judge: Option<Minimax<Ayo>>) -> Rbh {
        Rbh { settings, judge }
    }

    /// The reasons for the move in a position; `None` without a legal move.
    pub fn reasons(&mut self, record: &Record<Ayo>) -> Option<Reasons> {
        let (game, position) = (record.game(), record.position());
        let (worths, nodes) = self.worths(record);
        let best = worths.iter().map(|&(_, worth)| worth).max()?;
        let moves: Vec<Candidate> = worths
            .into_iter()
            .map(|(pit, worth)| self.candidate(game, position, pit, worth, worth == best))
            .collect();
        let (choice, rule) = self.decide(game, position, &moves);
        Some(Reasons { moves, choice, rule, nodes })
    }

    fn worths(&mut self, record: &Record<Ayo>) -> (Vec<(Pit, i32)>, u64) {
        match &mut self.judge {
            None => gains(record.game(), record.position(), self.settings.plies),
            Some(judge) => {
                let Payoffs { moves, nodes } = judge.counted_payoffs(record, &());
                (moves.into_iter().map(|(pit, Score(it))| (pit, it)).collect(), nodes)
            }
        }
    }

    fn candidate(
        &self,
        game: &Ayo,
        position: &Position,
        pit: Pit,
        worth: i32,
        feasible: bool,
    ) -> Candidate {
        let side = position.to_move();
        let after = game.play(position, pit);
        Candidate {
            pit,
            seeds: game.seeds(position, pit),
            captured: after.store(side) - position.store(side),
            worth,
            feasible,
            similarity: self.settings.metric.nearest(&episode(&after, side)),
        }
    }

    /// The rules in their order.
    fn decide(&self, game: &Ayo, position: &Position, moves: &[Candidate]) -> (Pit, Rule) {
        let legal = |pit: &Pit| moves.iter().any(|it| it.pit == *pit);
        if self.settings.cdg == Switch::On
            && let Some(pit) = harvest(position).filter(legal)
        {
            return (pit, Rule::PlayedOut);
        }
        if let Some(bluffing) = &self.settings.bluffing
            && let Some((pit, given)) = bluff(moves, bluffing, self.seed_worth())
        {
            return (pit, Rule::Bluff { given });
        }
        let feasible: Vec<Candidate> = moves.iter().filter(|it| it.feasible).copied().collect();
        if let [single] = feasible[..] {
            return (single.pit, Rule::Single);
        }
        if self.settings.cdg == Switch::On && is_near(position) {
            return (most_alike(&feasible), Rule::Nearest);
        }
        match self.settings.refine {
            Refinement::On => self.refined(game, position, &feasible),
            Refinement::Off => (feasible[0].pit, Rule::Lowest),
            Refinement::Chance => (by_chance(position, &feasible), Rule::Chance),
        }
    }

    /// The move refinement procedure, for two feasible moves or more.
    fn refined(&self, game: &Ayo, position: &Position, feasible: &[Candidate]) -> (Pit, Rule) {
        let pits: Vec<Pit> = feasible.iter().map(|it| it.pit).collect();
        let end = end_pit(&pits, position.to_move()).expect("a feasible move");
        if !is_protected(game, position, end) {
            return (end, Rule::Unprotected);
        }
        let plies = self.settings.plies - 1;
        let moves = pits.iter().map(|&pit| (pit, mobility(game, position, pit, plies)));
        // Of equal maxima the last would win, and pits go up.
        let (pit, moves) = moves.rev().max_by_key(|&(_, moves)| moves).expect("a feasible move");
        (pit, Rule::Mobility { moves })
    }

    /// The worth of a captured seed to the player.
    fn seed_worth(&self) -> i32 {
        self.judge.as_ref().map_or(1, |judge| judge.seed_value().unwrap_or(0))
    }
}

/// The move to bluff with, and what it gives away: of those that are not too dear and leave a row alike
/// enough the one most alike to a CDG. `None` if that is none, or one that gives nothing away.
fn bluff(moves: &[Candidate], bluffing: &Bluffing, seed: i32) -> Option<(Pit, i32)> {
    let best = moves.iter().map(|it| it.worth).max()?;
    let dearest = i64::from(bluffing.tradeoff) * i64::from(seed);
    let allowed = |it: &&Candidate| {
        it.similarity >= bluffing.threshold && i64::from(best) - i64::from(it.worth) <= dearest
    };
    let more_alike = |a: &&Candidate, b: &&Candidate| {
        a.similarity.total_cmp(&b.similarity).then(a.worth.cmp(&b.worth))
    };
    // Of equal maxima the last would win, and pits go up.
    let found = moves.iter().rev().filter(allowed).max_by(more_alike)?;
    (!found.feasible).then_some((found.pit, best - found.worth))
}

/// The move that leaves the row most alike to a CDG, the lowest pit among equals.
fn most_alike(feasible: &[Candidate]) -> Pit {
    let by_similarity = |a: &&Candidate, b: &&Candidate| a.similarity.total_cmp(&b.similarity);
    feasible.iter().rev().max_by(by_similarity).expect("a feasible move").pit
}

fn by_chance(position: &Position, feasible: &[Candidate]) -> Pit {
    let place = crc32fast::hash(position.to_string().as_bytes());
    let mut dice = stream(1, Purpose::Player, 0, place.into());
    feasible[dice.random_range(0..feasible.len() as u32) as usize].pit
}

impl Player<Ayo> for Rbh {
    fn choose(
        &mut self,
        record: &Record<Ayo>,
        _progress: &dyn Progress,
    ) -> Result<Choice, NoChoice> {
        let Reasons { moves, choice: pit, nodes, .. } =
            self.reasons(record).ok_or(NoChoice::Stopped)?;
        let score = moves.iter().find(|it| it.pit == pit).map(|it| Score(it.worth));
        Ok(Choice { pit, score, nodes, depth: Some(self.settings.plies) })
    }

    fn payoffs(&mut self, record: &Record<Ayo>, _: &dyn Progress) -> Vec<(Pit, Score)> {
        self.worths(record).0.into_iter().map(|(pit, worth)| (pit, Score(worth))).collect()
    }

    fn seed_value(&self) -> Option<i32> {
        Some(self.seed_worth()).filter(|&worth| worth > 0)
    }

    fn explanation(&mut self, record: &Record<Ayo>) -> Vec<String> {
        let Some(reasons) = self.reasons(record) else {
            return Vec::new();
        };
        let valued = if self.judge.is_some() { Valued::ByWeights } else { Valued::BySeeds };
        explanation::lines(&reasons, record.to_move(), &self.settings, valued)
    }

    fn identity(&self) -> String {
        let judge = self.judge.as_ref().map(|judge| format!(" judge {}", judge.identity()));
        format!("rbh {:?}{}", self.settings, judge.unwrap_or_default())
    }
}
