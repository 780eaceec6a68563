//! The *refinement-based heuristic* player by Akinyemi (thesis, 2012, chapter 4; Akinyemi, Longe and Olugbara).
//!
//! We value each move by searching for the captures of both sides ([`gains`](super::gains())). The moves with the
//! highest value are *feasible*, and refinement ([`is_protected`], [`mobility`]) chooses one of them. There are two
//! exceptions. A *bluff* gives away a few seeds to make the row more similar ([`Metric`]) to a row of the completely
//! determined game (CDG). Special rules apply to positions in or near a CDG ([`harvest`], [`is_near`]).

mod rules;
mod similarity;
#[cfg(test)]
mod tests;

use rand::RngExt;

use self::rules::{
    episode, harvest, is_near, is_protected, is_safe, least_mobility,
    mobility as mobility_after_best,
};
use self::similarity::Metric;
use super::captures::gains;
use super::spec::{MAX_CAPTURE_DEPTH, Result, Spec, depth_up_to, weights};
use super::{Choice, Chosen, Minimax, NoChoice, PlayableGame, Player};
use mancala::eval::Score;
use mancala::game::ayo::{Ayo, Position, SEEDS};
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::random::{Purpose, stream};
use mancala::search::{MoveValues, Options};

#[derive(Debug, Clone, Copy, PartialEq)]
struct Settings {
    /// The depth of the game tree, at least 1. The thesis states 2, but its program and the later paper use 4.
    plies: u32,
    metric: Metric,
    /// When to bluff, or `None` if the player never bluffs.
    bluffing: Option<Bluffing>,
    refine: Refinement,
    /// Whether the player recognises the completely determined game.
    cdg: Switch,
    reading: Reading,
}

/// Interpretations of ambiguous rules in the thesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    /// Which of South's feasible moves is the *tail*. North uses the move at the opposite end, the *head*.
    tail: End,
    protection: Protection,
    mobility: Mobility,
    /// The pit to play if several pits have the same mobility.
    ties: End,
    cost: Cost,
}

// The variants of the following enums, in lower case, are the values used on the command line.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Lowest,
    Highest,
}

/// When a pit is *protected*: if it can't be captured now, or if nothing can be captured after the pit is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protection {
    Now,
    After,
}

/// How to measure *mobility*: by the number of legal moves after the opponent's best reply, by the number of legal
/// moves after the reply that leaves the fewest moves, or by the similarity of the row to CDG rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mobility {
    Best,
    Worst,
    Episode,
}

/// How to measure the cost of a bluff: by its loss relative to the best move, or by its game value as in the thesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    Relative,
    Literal,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Bluffing {
    /// The minimum similarity of the row to a CDG row.
    threshold: f64,
    /// The maximum cost of a bluff in seeds, as measured by [`Cost`]. The thesis calls it the *tradeoff seed*.
    tradeoff: u32,
}

/// How to choose among several feasible moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refinement {
    /// Play the tail or head of the feasible moves if that pit is not protected. Otherwise, maximise mobility.
    On,
    /// Play the lowest pit, as in plain minimax.
    Off,
    /// Play a pseudorandom pit that depends only on the position. This is a baseline with which to compare refinement.
    Chance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Switch {
    On,
    Off,
}

/// The thesis doesn't give any values. With the values here, the player bluffs often but isn't measurably weaker.
const DEFAULT_BLUFFING: Bluffing = Bluffing { threshold: 0.99, tradeoff: 1 };

pub(super) const SETTINGS: &[&str] = &[
    "plies", "metric", "bluff", "tradeoff", "weights", "cdg", "refine", "tail", "protect",
    "mobility", "ties", "cost",
];

pub(super) fn read(spec: &Spec, game: Ayo) -> Result<Box<dyn Player<Ayo>>> {
    let weights = spec.text("weights").map(|name| weights(spec, game.kind(), name)).transpose()?;
    let evolved_depth =
        weights.as_ref().and_then(|weights| Some(weights.provenance.as_ref()?.depth));
    let settings = Settings {
        plies: depth_up_to(spec, "plies", MAX_CAPTURE_DEPTH)?
            .or(evolved_depth.map(|depth| depth.min(MAX_CAPTURE_DEPTH)))
            .unwrap_or(4),
        metric: spec.choice("metric", &Metric::ALL)?,
        bluffing: bluffing(spec, weights.is_some())?,
        refine: spec.choice("refine", &[Refinement::On, Refinement::Off, Refinement::Chance])?,
        cdg: spec.choice("cdg", &[Switch::On, Switch::Off])?,
        reading: Reading {
            tail: spec.choice("tail", &[End::Lowest, End::Highest])?,
            protection: spec.choice("protect", &[Protection::Now, Protection::After])?,
            mobility: spec
                .choice("mobility", &[Mobility::Best, Mobility::Worst, Mobility::Episode])?,
            ties: spec.choice("ties", &[End::Lowest, End::Highest])?,
            cost: spec.choice("cost", &[Cost::Relative, Cost::Literal])?,
        },
    };
    let judge = weights
        .map(|weights| Minimax::to_depth(&weights, settings.plies, Options::for_weights(&weights)));
    Ok(Box::new(Rbh { settings, judge }))
}

/// Reads the bluffing settings. With weights, bluffing is off by default, since evolved weights rate bluffs as losses.
fn bluffing(spec: &Spec, is_evolved: bool) -> Result<Option<Bluffing>> {
    let tradeoff = spec.value(
        "tradeoff",
        |seeds| *seeds <= u32::from(SEEDS),
        "a number of seeds from 0 to 48",
    )?;
    match spec.text("bluff") {
        Some("off") => return Ok(None),
        None if is_evolved && tradeoff.is_none() => return Ok(None),
        _ => {}
    }
    let is_valid = |threshold: &f64| (0.0..=1.0).contains(threshold);
    let threshold = spec.value("bluff", is_valid, "off or a similarity from 0 to 1")?;
    Ok(Some(Bluffing {
        threshold: threshold.unwrap_or(DEFAULT_BLUFFING.threshold),
        tradeoff: tradeoff.unwrap_or(DEFAULT_BLUFFING.tradeoff),
    }))
}

struct Rbh {
    settings: Settings,
    /// A search to depth `plies` with weights. If `None`, we value moves by captures.
    judge: Option<Minimax<Ayo>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Reasons {
    /// The legal moves, in the order of pits.
    moves: Vec<Candidate>,
    choice: Pit,
    rule: Rule,
    nodes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    pit: Pit,
    seeds: u16,
    /// The number of seeds that the move captures, which the thesis calls *move gain*.
    captured: u8,
    /// The value of the move, which is either its gain or its score according to the weights. Higher is better.
    worth: i32,
    feasible: bool,
    /// The similarity of the row after the move to the most similar CDG row.
    similarity: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// The position is a CDG, so the player plays it out.
    PlayedOut,
    /// A bluff, whose value is lower than the value of the best move by `given`.
    Bluff {
        given: i32,
    },
    Single,
    /// The feasible move whose row is most similar to a CDG row.
    Nearest,
    /// The tail or head of the feasible moves, because that pit is not protected.
    Unprotected,
    /// The move that leaves the most legal moves after the best reply.
    Mobility {
        moves: usize,
    },
    Lowest,
    Chance,
}

impl Rbh {
    /// Chooses a move and returns the reasons, or `None` if no move is legal or `progress` stopped the search.
    fn reasons(&mut self, record: &Record<Ayo>, progress: &dyn Progress) -> Option<Reasons> {
        let (game, position) = (record.game(), record.position());
        let MoveValues { moves, nodes } = self.worths(record, progress)?;
        let Score(best) = moves.iter().map(|&(_, worth)| worth).max()?;
        let side = position.to_move();
        let candidate = |(pit, Score(worth))| {
            let after = game.play(position, pit);
            Candidate {
                pit,
                seeds: game.seeds(position, pit),
                captured: after.store(side) - position.store(side),
                worth,
                feasible: worth == best,
                similarity: self.settings.metric.nearest(&episode(&after, side)),
            }
        };
        let moves: Vec<Candidate> = moves.into_iter().map(candidate).collect();
        let (choice, rule) = self.decide(game, position, &moves, progress)?;
        Some(Reasons { moves, choice, rule, nodes })
    }

    fn worths(&mut self, record: &Record<Ayo>, progress: &dyn Progress) -> Option<MoveValues> {
        let Some(judge) = &mut self.judge else {
            return gains(record.game(), record.position(), self.settings.plies, progress);
        };
        let worths = judge.move_values(record, progress);
        (!progress.should_stop()).then_some(worths)
    }

    /// Applies the rules in order. Returns `None` if `progress` stopped a search.
    fn decide(
        &self,
        game: &Ayo,
        position: &Position,
        moves: &[Candidate],
        progress: &dyn Progress,
    ) -> Option<(Pit, Rule)> {
        let is_legal = |pit: &Pit| moves.iter().any(|candidate| candidate.pit == *pit);
        if self.settings.cdg == Switch::On
            && let Some(pit) = harvest(position).filter(is_legal)
        {
            return Some((pit, Rule::PlayedOut));
        }
        if let Some((pit, given)) = self.bluff(moves) {
            return Some((pit, Rule::Bluff { given }));
        }
        let feasible: Vec<Candidate> =
            moves.iter().filter(|candidate| candidate.feasible).copied().collect();
        if let [single] = feasible[..] {
            return Some((single.pit, Rule::Single));
        }
        if self.settings.cdg == Switch::On && is_near(position) {
            return Some((most_similar(&feasible), Rule::Nearest));
        }
        match self.settings.refine {
            Refinement::On => self.refine(game, position, &feasible, progress),
            Refinement::Off => Some((feasible[0].pit, Rule::Lowest)),
            Refinement::Chance => Some((random_pit(position, &feasible), Rule::Chance)),
        }
    }

    fn refine(
        &self,
        game: &Ayo,
        position: &Position,
        feasible: &[Candidate],
        progress: &dyn Progress,
    ) -> Option<(Pit, Rule)> {
        let Reading { tail, protection, mobility, ties, .. } = self.settings.reading;
        let mut pits: Vec<Pit> = feasible.iter().map(|candidate| candidate.pit).collect();
        let is_lowest = (tail == End::Lowest) == (position.to_move() == Side::South);
        let end = if is_lowest { *pits.first()? } else { *pits.last()? };
        let is_protected = match protection {
            Protection::Now => is_protected(game, position, end),
            Protection::After => is_safe(game, position, end),
        };
        if !is_protected {
            return Some((end, Rule::Unprotected));
        }
        let plies = self.settings.plies - 1;
        if ties == End::Highest {
            pits.reverse();
        }
        let mut best: Option<(Pit, usize)> = None;
        for pit in pits {
            let moves = match mobility {
                Mobility::Best => mobility_after_best(game, position, pit, plies, progress)?,
                Mobility::Worst => least_mobility(game, position, pit),
                Mobility::Episode => return Some((most_similar(feasible), Rule::Nearest)),
            };
            if best.is_none_or(|(_, most)| moves > most) {
                best = Some((pit, moves));
            }
        }
        best.map(|(pit, moves)| (pit, Rule::Mobility { moves }))
    }

    /// Of all moves that meet the thresholds for a bluff, returns the one whose row is most similar to a CDG row, and
    /// how much value it gives up compared to the best move. Returns `None` if no move meets the thresholds, or if the
    /// most similar one is feasible, and thus no bluff.
    fn bluff(&self, moves: &[Candidate]) -> Option<(Pit, i32)> {
        let bluffing = self.settings.bluffing?;
        let best = moves.iter().map(|candidate| candidate.worth).max()?;
        let max_loss = i64::from(bluffing.tradeoff) * i64::from(self.seed_worth());
        // In the thesis, the game value is the opponent's captures minus the player's own, i.e. 0 − worth (`Literal`).
        let reference =
            if self.settings.reading.cost == Cost::Relative { i64::from(best) } else { 0 };
        let is_allowed = |candidate: &&Candidate| {
            candidate.similarity >= bluffing.threshold
                && reference - i64::from(candidate.worth) <= max_loss
        };
        let by_similarity = |a: &&Candidate, b: &&Candidate| {
            a.similarity.total_cmp(&b.similarity).then(a.worth.cmp(&b.worth))
        };
        // `max_by` returns the last of equal maxima, so we iterate in reverse to get the lowest pit.
        let chosen = moves.iter().rev().filter(is_allowed).max_by(by_similarity)?;
        (!chosen.feasible).then_some((chosen.pit, best - chosen.worth))
    }

    fn seed_worth(&self) -> i32 {
        self.judge.as_ref().map_or(1, |judge| judge.seed_value().unwrap_or(0))
    }
}

/// Returns the move whose row is most similar to a CDG row, or the lowest pit if several rows are equally similar.
fn most_similar(feasible: &[Candidate]) -> Pit {
    let by_similarity = |a: &&Candidate, b: &&Candidate| a.similarity.total_cmp(&b.similarity);
    feasible.iter().rev().max_by(by_similarity).expect("a feasible move").pit
}

fn random_pit(position: &Position, feasible: &[Candidate]) -> Pit {
    let position = crc32fast::hash(position.to_string().as_bytes());
    let mut rng = stream(1, Purpose::Player, 0, position.into());
    feasible[rng.random_range(0..feasible.len() as u32) as usize].pit
}

impl Player<Ayo> for Rbh {
    fn choose(&mut self, record: &Record<Ayo>, progress: &dyn Progress) -> Chosen {
        let reasons = self.reasons(record, progress).ok_or(NoChoice::Stopped)?;
        let Reasons { moves, choice: pit, nodes, .. } = reasons;
        let chosen = moves.iter().find(|candidate| candidate.pit == pit);
        let score = chosen.map(|candidate| Score(candidate.worth));
        Ok(Choice { pit, score, nodes, depth: Some(self.settings.plies) })
    }

    fn payoffs(&mut self, record: &Record<Ayo>, progress: &dyn Progress) -> Vec<(Pit, Score)> {
        self.worths(record, progress).unwrap_or_default().moves
    }

    fn seed_value(&self) -> Option<i32> {
        Some(self.seed_worth()).filter(|&worth| worth > 0)
    }

    /// Formats the reasons like the output of the payoff button in the program of the thesis (figs. 4.4 and 4.5).
    fn explanation(&mut self, record: &Record<Ayo>) -> Vec<String> {
        let Some(reasons) = self.reasons(record, &()) else {
            return Vec::new();
        };
        let (side, Settings { plies, metric, .. }) = (record.to_move(), self.settings);
        // The thesis subtracts the player's captures from the opponent's captures. All of our players do the reverse.
        let unit = match self.judge {
            None => "captures minus the opponent's captures; higher is better",
            Some(_) => "according to the weights; higher is better",
        };
        let best = reasons.moves.iter().map(|candidate| candidate.worth).max().unwrap_or(0);
        let mut lines = vec![
            format!("game value {best}, {plies} plies ahead ({unit})"),
            format!("pit  seeds  move gain  game value  {metric}"),
        ];
        let width = metric.to_string().len();
        lines.extend(reasons.moves.iter().map(|candidate| {
            let Candidate { pit, seeds, captured, worth, feasible, similarity } = candidate;
            let pit = pit.letter(side);
            let mark = if *feasible { "  feasible" } else { "" };
            format!(
                "{pit:<3}  {seeds:>5}  {captured:>9}  {worth:>10}  {similarity:>width$.3}{mark}"
            )
        }));
        let choice = reasons.choice.letter(side);
        lines.push(format!("{choice}: {}", reasons.rule.explanation(side, &self.settings)));
        lines
    }

    fn identity(&self) -> String {
        let judge = self.judge.as_ref().map(|judge| format!(" judge {}", judge.identity()));
        format!("rbh {:?}{}", self.settings, judge.unwrap_or_default())
    }
}

impl Rule {
    fn explanation(&self, side: Side, settings: &Settings) -> String {
        match self {
            Rule::PlayedOut => "a completely determined game, which is played out".into(),
            Rule::Bluff { given } => {
                let threshold = settings.bluffing.map_or(0.0, |bluffing| bluffing.threshold);
                let metric = settings.metric;
                format!("a bluff that gives away {given} for a {metric} of {threshold} or more")
            }
            Rule::Single => "no other move is feasible".into(),
            Rule::Nearest => {
                "the feasible move whose row most resembles a row of the completely determined game"
                    .into()
            }
            Rule::Unprotected => {
                let end = if side == Side::South { "tail" } else { "head" };
                format!("the {end} of the feasible moves, which is not protected")
            }
            Rule::Mobility { moves: 1 } => "feasible moves leave at most 1 move next turn".into(),
            Rule::Mobility { moves } => {
                format!("leaves {moves} moves next turn, the most of all feasible moves")
            }
            Rule::Chance => "a random feasible move".into(),
            Rule::Lowest => "the lowest of the feasible moves".into(),
        }
    }
}
