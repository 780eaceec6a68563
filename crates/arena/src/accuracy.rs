//! Measures a player's accuracy against endgame tables. We sample at most one position from each game, so the positions
//! are independent and ordinary confidence intervals are valid.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::game::play_game;
use super::openings::random_plies;
use super::parallel::{gather, gather_all};
use super::player_pool::PlayerPool;
use super::statistics::{QUANTILE_975, mean, mean_and_variance, wilson};
use crate::player::{Choice, Minimax, NoChoice, Player};
use mancala::endgame::Tables;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::{Progress, Silent};
use mancala::random::{ChaCha8Rng, Purpose, stream};
use mancala::text::{Message, Result};

/// The players of the games that we sample. Their strengths differ widely, which makes the positions more diverse.
const PLAYERS: [&str; 9] = [
    "random",
    "greedy",
    "minimax:weights=seeds,depth=1",
    "minimax:weights=seeds,depth=3",
    "minimax:weights=daoud2004-depth5,depth=2,perspective=root",
    "minimax:weights=daoud2004-depth5,depth=4,perspective=root",
    "minimax:weights=aalina4,depth=3",
    "minimax:weights=standard-0.1,depth=2,perspective=root,quiescence=off",
    "minimax:weights=standard-0.1,depth=4,perspective=root,quiescence=off",
];
const OPENING_PLIES: RangeInclusive<u32> = 2..=12;
/// The number of games that we play in parallel in each round. This doesn't affect the results.
const GAMES_AT_A_TIME: usize = 128;
/// Sampling stops after this many consecutive games without a new position.
const ATTEMPTS: u64 = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// The allowed numbers of seeds on the board. The range must not include 0.
    pub seeds: RangeInclusive<u8>,
    pub positions: usize,
    pub seed: u64,
}

/// Distinct positions from games. Each position has at least two legal moves, and the values of all moves are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    game: Ayo,
    questions: Vec<Question>,
    /// The number of positions that were searched in order to play the games.
    pub nodes: u64,
}

/// How many seeds a player loses by its moves in the positions of a sample, compared to the best moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Losses {
    /// The number of seeds lost in each position, in the order of the sample.
    pub lost: Vec<u8>,
    /// The number of positions searched.
    pub nodes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Question {
    position: Position,
    moves: Vec<(Pit, i8)>,
}

/// The accuracy of a player's moves in a sample or in a part of the sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// The number of positions in which the player chose a move.
    #[serde(default)]
    pub positions: usize,
    /// The number of decisions, i.e. positions in which some moves are better than others.
    #[serde(default)]
    pub decisions: usize,
    /// The fraction of positions in which the player chose a best move.
    pub optimal: f64,
    /// The 95 % [Wilson score interval](super::wilson) of `optimal`.
    pub optimal_ci95: [f64; 2],
    /// The fraction of decisions in which the player chose a best move, or `None` if there are no decisions.
    pub optimal_decisions: Option<f64>,
    /// The mean number of seeds that a move loses compared to a best move.
    pub seeds_lost: f64,
    /// The 95 % confidence interval of `seeds_lost`, assuming a normal distribution. If no seeds were lost, then we
    /// derive its upper end from `optimal_ci95`, as if every mistake cost as much as the worst move does on average.
    pub seeds_lost_ci95: [f64; 2],
    /// The fraction of moves that, given best play, turn a win into a draw or loss, or a draw into a loss.
    #[serde(default)]
    pub results_lost: f64,
    /// The 95 % Wilson score interval of `results_lost`.
    #[serde(default)]
    pub results_lost_ci95: [f64; 2],
}

impl Sample {
    /// Samples positions from games that various players play from random openings. For each game, we draw a number of
    /// seeds, and then draw one of the game's positions with that many seeds. We skip a game if it has no such
    /// position, or if the sample already contains the position. If thousands of games in a row are skipped, then the
    /// sample is smaller than requested. Progress counts positions. Returns `None` if `progress` requests a stop.
    pub fn draw(tables: &Tables, sampling: &Sampling, progress: &dyn Progress) -> Option<Sample> {
        let game = Ayo { rules: tables.rules() };
        let players = PLAYERS.map(|spec| PlayerPool::new(spec, game).expect("a valid player"));
        let (mut seen, mut questions) = (HashSet::new(), Vec::new());
        let (mut first, mut last) = (0, 0);
        let nodes = AtomicU64::new(0);
        let question = |number: u64, progress: &dyn Progress| {
            let mut rng = stream(sampling.seed, Purpose::Accuracy, 0, number);
            let seeds = rng.random_range(sampling.seeds.clone());
            let (record, spent) = play(game, &players, &mut rng, progress)?;
            nodes.fetch_add(spent, Ordering::Relaxed);
            let fit = |position: &&Position| {
                seeds_of(position) == seeds
                    && game.ended(position).is_none()
                    && game.moves(position).len() > 1
            };
            let (_, played) = record.positions().split_last()?;
            let fitting: Vec<&Position> = played.iter().filter(fit).collect();
            let drawn = fitting.len().checked_sub(1)?;
            let position = *fitting[rng.random_range(0..=drawn as u32) as usize];
            Some(Question { position, moves: tables.moves(&position)? })
        };
        while questions.len() < sampling.positions && first - last <= ATTEMPTS {
            let drawn = gather_all(GAMES_AT_A_TIME, &Silent(progress), |game, progress| {
                let question = question(first + game as u64, progress);
                (!progress.should_stop()).then_some(question)
            })?;
            for question in drawn.into_iter().flatten() {
                if seen.insert(question.position.rows()) {
                    last = first;
                    questions.push(question);
                }
            }
            first += GAMES_AT_A_TIME as u64;
            let found = questions.len().min(sampling.positions);
            progress.advance(found as u64, sampling.positions as u64);
        }
        questions.truncate(sampling.positions);
        Some(Sample { game, questions, nodes: nodes.into_inner() })
    }

    /// Returns the number of seeds lost by a player that chooses the worst move in every position.
    pub fn at_stake(&self) -> u64 {
        self.questions.iter().map(|question| u64::from(question.at_stake())).sum()
    }

    pub fn positions(&self) -> impl Iterator<Item = &Position> {
        self.questions.iter().map(|question| &question.position)
    }

    /// Returns the number of seeds that the player loses in each position, or `None` if `progress` requested a stop.
    /// Progress is reported in positions. Fails if the player can't be started or makes an illegal move.
    pub fn losses(&self, pool: &PlayerPool, progress: &dyn Progress) -> Result<Option<Vec<u8>>> {
        let lost = gather(self.questions.len(), progress, |question, progress| {
            let question = &self.questions[question];
            let answer = pool.with_copy(|player| question.ask(self.game, player, progress));
            Ok::<_, Message>(answer.map_err(Message::of)??.map(|(lost, _)| lost))
        })?;
        Ok((lost.len() == self.questions.len()).then_some(lost))
    }

    /// Like [`losses`](Self::losses), but for a player that searches. Returns `None` if `progress` requested a stop.
    pub fn minimax_losses(&self, player: &Minimax<Ayo>, progress: &dyn Progress) -> Option<Losses> {
        let answers = gather_all(self.questions.len(), &Silent(progress), |question, progress| {
            self.questions[question].ask(self.game, &mut player.clone(), progress).ok().flatten()
        });
        let (lost, nodes): (Vec<u8>, Vec<u64>) = answers?.into_iter().unzip();
        Some(Losses { lost, nodes: nodes.iter().sum() })
    }

    /// Computes the accuracy over positions whose number of seeds is in `seeds`, given the
    /// [losses](Self::losses). Returns `None` if there are no such positions.
    pub fn accuracy(&self, lost: &[u8], seeds: &RangeInclusive<u8>) -> Option<Accuracy> {
        let asked = self.questions.iter().zip(lost.iter().copied());
        Accuracy::of(asked.filter(|(question, _)| seeds.contains(&seeds_of(&question.position))))
    }
}

/// Computes the accuracy of moves. Skips positions that aren't in the tables. Returns `None` if no positions are left.
/// The confidence intervals are only valid if all positions are from different games. Fails if a move is illegal.
pub fn accuracy_of_moves(
    tables: &Tables,
    moves: impl IntoIterator<Item = (Position, Pit)>,
) -> Result<Option<Accuracy>> {
    let mut asked = Vec::new();
    for (position, pit) in moves {
        let Some(moves) = tables.moves(&position) else { continue };
        let question = Question { position, moves };
        let lost = question.lost(pit)?;
        asked.push((question, lost));
    }
    Ok(Accuracy::of(asked.iter().map(|(question, lost)| (question, *lost))))
}

/// Plays a game between two randomly chosen players from a random opening. Returns the game and the number of positions
/// searched, or `None` if the opening is unbalanced or ends the game, or if `progress` requested a stop.
fn play(
    game: Ayo,
    players: &[PlayerPool],
    rng: &mut ChaCha8Rng,
    progress: &dyn Progress,
) -> Option<(Record<Ayo>, u64)> {
    let plies = rng.random_range(OPENING_PLIES);
    let [south, north] =
        [(); 2].map(|()| &players[rng.random_range(0..players.len() as u32) as usize]);
    let mut record = Record::from_position(game, random_plies(game, plies, rng)?);
    let played = south.with_copy(|south| {
        north.with_copy(|north| play_game(&mut record, [south, north], progress))
    });
    let played = played.flatten().expect("a valid specification")?;
    Some((record, played.cost.iter().map(|cost| cost.nodes).sum()))
}

fn seeds_of(position: &Position) -> u8 {
    Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum()
}

impl Question {
    fn best(&self) -> i8 {
        self.moves.iter().map(|(_, value)| *value).max().unwrap_or(0)
    }

    fn at_stake(&self) -> u8 {
        let worst = self.moves.iter().map(|(_, value)| *value).min().unwrap_or(0);
        self.best().abs_diff(worst)
    }

    /// Returns whether a loss of `lost` seeds changes the result of the game.
    fn decides(&self, lost: u8) -> bool {
        let side = self.position.to_move();
        let store = |side| self.position.store(side) as i8;
        let lead = store(side) - store(side.other()) + self.best();
        lead.signum() != (lead - lost as i8).signum()
    }

    /// Returns how many seeds the player loses and how many positions it searches, or `None` if `progress` stopped it.
    fn ask(
        &self,
        game: Ayo,
        player: &mut dyn Player<Ayo>,
        progress: &dyn Progress,
    ) -> Result<Option<(u8, u64)>> {
        let position = self.position;
        player.new_game();
        let Choice { pit, nodes, .. } =
            match player.choose(&Record::from_position(game, position), progress) {
                Ok(choice) => choice,
                Err(NoChoice::Stopped) => return Ok(None),
                Err(reason) => return Err(format!("{position}: {reason}").into()),
            };
        Ok(Some((self.lost(pit)?, nodes)))
    }

    fn lost(&self, pit: Pit) -> Result<u8> {
        let chosen = self.moves.iter().find(|(legal, _)| *legal == pit);
        let illegal = || {
            let letter = pit.letter(self.position.to_move());
            format!("{}: {letter} is not a legal move", self.position)
        };
        let (_, value) = chosen.ok_or_else(illegal)?;
        Ok(self.best().abs_diff(*value))
    }
}

impl Accuracy {
    fn of<'a>(asked: impl Iterator<Item = (&'a Question, u8)>) -> Option<Accuracy> {
        let asked: Vec<_> = asked.collect();
        if asked.is_empty() {
            return None;
        }
        let all = asked.len() as f64;
        let count = |is: &dyn Fn(&(&Question, u8)) -> bool| {
            asked.iter().filter(|question| is(question)).count()
        };
        let mistakes = count(&|(_, lost)| *lost > 0) as f64;
        let decisions = count(&|(question, _)| question.at_stake() > 0);
        let results = count(&|(question, lost)| question.decides(*lost)) as f64;
        let optimal_ci95 = wilson(all - mistakes, all);
        let lost: Vec<f64> = asked.iter().map(|(_, lost)| f64::from(*lost)).collect();
        let (seeds_lost, variance) = mean_and_variance(&lost);
        let margin = QUANTILE_975 * (variance / all).sqrt();
        let at_stake: Vec<f64> =
            asked.iter().map(|(question, _)| f64::from(question.at_stake())).collect();
        let unseen = if mistakes == 0.0 { (1.0 - optimal_ci95[0]) * mean(&at_stake) } else { 0.0 };
        Some(Accuracy {
            positions: asked.len(),
            decisions,
            optimal: 1.0 - mistakes / all,
            optimal_ci95,
            optimal_decisions: (decisions > 0).then(|| 1.0 - mistakes / decisions as f64),
            seeds_lost,
            seeds_lost_ci95: [(seeds_lost - margin).max(0.0), seeds_lost + margin + unseen],
            results_lost: results / all,
            results_lost_ci95: wilson(results, all),
        })
    }
}

#[cfg(test)]
mod tests;
