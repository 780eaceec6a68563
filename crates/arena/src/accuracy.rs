//! How near a player is to perfect play, by endgame tables.
//!
//! Positions come from games, since most of a table are positions that no game leads to. A game gives one
//! position at most, so that positions are independent and plain intervals hold.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::game::play_game;
use super::local::{gather, gather_all};
use super::normal::{QUANTILE_975, wilson};
use super::openings::random_plies;
use super::tally::mean;
use super::team::{NoCopy, Team};
use crate::player::{Choice, Minimax, NoChoice, Player};
use mancala::endgame::Tables;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::{Muted, Progress};
use mancala::random::{ChaCha8Rng, Purpose, stream};

/// The players of the games: from chance to some that look plies ahead, with unlike evaluators.
const CAST: [&str; 9] = [
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
/// Random plies that a game begins with.
const OPENING_PLIES: RangeInclusive<u32> = 2..=12;
/// Games that are played before they are counted; no result depends on it.
const GAMES_AT_A_TIME: usize = 128;
/// Games in a row without a new position after which no more are played.
const ATTEMPTS: u64 = 2_000;

/// Which positions are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// Seeds on the board, from 1 up.
    pub seeds: RangeInclusive<u8>,
    /// How many positions.
    pub positions: usize,
    /// What their choice depends on.
    pub seed: u64,
}

/// Distinct positions of games with what each legal move is worth; every one has two moves or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    game: Ayo,
    questions: Vec<Question>,
    nodes: u64,
}

/// What choices in a sample give away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// Seeds, in the order of the positions.
    pub lost: Vec<u8>,
    /// Positions searched for the choices.
    pub nodes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Question {
    position: Position,
    moves: Vec<(Pit, i8)>,
}

/// Why a player has no accuracy.
#[derive(Debug, thiserror::Error)]
pub enum AccuracyError {
    /// A second copy of the player cannot be had.
    #[error(transparent)]
    Copy(#[from] NoCopy),
    /// It did not choose a move.
    #[error("{position}: {reason}")]
    Choice {
        /// Where.
        position: Position,
        /// Why.
        reason: NoChoice,
    },
    /// It chose a move that is none.
    #[error("{position}: {} is no legal move", pit.letter(position.to_move()))]
    Illegal {
        /// Where.
        position: Position,
        /// The pit that it chose.
        pit: Pit,
    },
}

/// What a player's moves in a sample come to, or in a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// Positions that it was asked about.
    #[serde(default)]
    pub positions: usize,
    /// Those of them where not all moves are worth the same.
    #[serde(default)]
    pub decisions: usize,
    /// Share of positions in which it chose a best move.
    pub optimal: f64,
    /// Its 95 % interval, by [Wilson's score](super::wilson).
    pub optimal_ci95: [f64; 2],
    /// Share of decisions in which it did; `None` without one.
    pub optimal_decisions: Option<f64>,
    /// Seeds that a move gives away: the mean difference between the value of a best move and that of its own.
    pub seeds_lost: f64,
    /// Its 95 % interval: normal, and where nothing was lost up to what the worst moves lose times
    /// the share of mistakes that cannot be ruled out.
    pub seeds_lost_ci95: [f64; 2],
    /// Share of positions in which its move made the result worse: with best play afterwards the game is
    /// drawn or lost that was won, or lost that was drawn.
    #[serde(default)]
    pub results_lost: f64,
    /// Its 95 % interval, as of `optimal`.
    #[serde(default)]
    pub results_lost_ci95: [f64; 2],
}

impl Sample {
    /// Positions of games between players of all sorts, each from a random opening. A game gives
    /// one position, drawn from those of it with a number of seeds that is drawn first; it gives none
    /// if it has none, or the position is there already. After thousands of games in a row that give
    /// none, fewer than asked for are all that there are. `None` if the progress stopped it, which
    /// counts positions.
    pub fn draw(tables: &Tables, sampling: &Sampling, progress: &dyn Progress) -> Option<Sample> {
        let game = Ayo { rules: tables.rules() };
        let cast = CAST.map(|spec| Team::new(spec, game).expect("a player that we name"));
        let (mut seen, mut questions) = (HashSet::new(), Vec::new());
        let (mut first, mut last) = (0, 0);
        let nodes = AtomicU64::new(0);
        let source = Source { game, cast: &cast, tables, sampling, nodes: &nodes };
        while questions.len() < sampling.positions && first - last <= ATTEMPTS {
            let drawn = gather_all(GAMES_AT_A_TIME, &Muted(progress), |game, progress| {
                let question = source.question(first + game as u64, progress);
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

    /// Positions that were searched in the games.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Seeds that the worst choices everywhere would give away.
    pub fn at_stake(&self) -> u64 {
        self.questions.iter().map(|question| u64::from(question.at_stake())).sum()
    }

    /// The positions that players are asked about, each in the tables and with more than one choice.
    pub fn positions(&self) -> impl Iterator<Item = &Position> {
        self.questions.iter().map(|question| &question.position)
    }

    /// Lets copies of a player choose a move in every position, and says what each choice gives away,
    /// in the order of the positions. `None` if the progress stopped it, which counts positions.
    ///
    /// # Errors
    /// If the player cannot be had or does not choose a legal move.
    pub fn ask(
        &self,
        team: &Team,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<u8>>, AccuracyError> {
        gather(self.questions.len(), progress, |question, progress| {
            let mut player = team.take()?;
            let answer = self.questions[question].ask(self.game, &mut *player, progress)?;
            team.rest(player);
            Ok(answer.map(|(lost, _)| lost))
        })
    }

    /// The same of a player that searches, which nothing can keep from a legal move. The progress is
    /// told nothing.
    pub fn ask_minimax(&self, player: &Minimax<Ayo>, progress: &dyn Progress) -> Option<Answers> {
        let answers = gather_all(self.questions.len(), &Muted(progress), |question, progress| {
            self.questions[question].ask(self.game, &mut player.clone(), progress).ok().flatten()
        });
        let (lost, nodes): (Vec<u8>, Vec<u64>) = answers?.into_iter().unzip();
        Some(Answers { lost, nodes: nodes.iter().sum() })
    }

    /// What losses as [`ask`](Self::ask) finds them come to, in the positions with these seeds.
    /// `None` if there is no such position.
    pub fn accuracy(&self, lost: &[u8], seeds: &RangeInclusive<u8>) -> Option<Accuracy> {
        let among = |(question, _): &(&Question, &u8)| seeds.contains(&question.seeds());
        let asked: Vec<(&Question, u8)> = self
            .questions
            .iter()
            .zip(lost)
            .filter(among)
            .map(|(question, lost)| (question, *lost))
            .collect();
        (!asked.is_empty()).then(|| Accuracy::of(&asked))
    }
}

/// What positions are drawn from.
struct Source<'a> {
    game: Ayo,
    cast: &'a [Team],
    tables: &'a Tables,
    sampling: &'a Sampling,
    /// Positions searched in games.
    nodes: &'a AtomicU64,
}

impl Source<'_> {
    /// The position that a game gives.
    fn question(&self, number: u64, progress: &dyn Progress) -> Option<Question> {
        let mut dice = stream(self.sampling.seed, Purpose::Accuracy, 0, number);
        let seeds = dice.random_range(self.sampling.seeds.clone());
        let record = self.play(&mut dice, progress)?;
        let game = self.game;
        let fit = |position: &Position| {
            seeds_of(position) == seeds
                && game.ended(position).is_none()
                && game.moves(position).len() > 1
        };
        let fitting: Vec<Position> = positions(&record).filter(fit).collect();
        let drawn = fitting.len().checked_sub(1)?;
        let position = fitting[dice.random_range(0..=drawn as u32) as usize];
        Some(Question { position, moves: self.tables.moves(&position)? })
    }

    /// A game between two of the cast; `None` if it was over in the opening, or the progress stopped it.
    fn play(&self, dice: &mut ChaCha8Rng, progress: &dyn Progress) -> Option<Record<Ayo>> {
        let plies = dice.random_range(OPENING_PLIES);
        let teams =
            [(); 2].map(|()| &self.cast[dice.random_range(0..self.cast.len() as u32) as usize]);
        let mut record = Record::from_position(self.game, random_plies(self.game, plies, dice)?);
        let mut players = teams.map(|team| team.take().expect("a player that we name"));
        let [south, north] = &mut players;
        let played = play_game(&mut record, [&mut **south, &mut **north], progress);
        teams.iter().zip(players).for_each(|(team, player)| team.rest(player));
        let nodes = played?.effort.map(|effort| effort.nodes);
        self.nodes.fetch_add(nodes.iter().sum(), Ordering::Relaxed);
        Some(record)
    }
}

/// The positions that the game went on from.
fn positions(record: &Record<Ayo>) -> impl Iterator<Item = Position> {
    let (game, mut position) = (*record.game(), *record.opening());
    record.plies().iter().map(move |&(_, pit)| {
        let next = game.play(&position, pit);
        std::mem::replace(&mut position, next)
    })
}

fn seeds_of(position: &Position) -> u8 {
    Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum()
}

impl Question {
    fn seeds(&self) -> u8 {
        seeds_of(&self.position)
    }

    fn best(&self) -> i8 {
        self.moves.iter().map(|(_, value)| *value).max().unwrap_or(0)
    }

    /// What the worst move gives away.
    fn at_stake(&self) -> u8 {
        let worst = self.moves.iter().map(|(_, value)| *value).min().unwrap_or(0);
        self.best().abs_diff(worst)
    }

    /// Whether the result changes if so many seeds are given away.
    fn decides(&self, lost: u8) -> bool {
        let side = self.position.to_move();
        let store = |side| self.position.store(side) as i8;
        let lead = store(side) - store(side.other()) + self.best();
        lead.signum() != (lead - lost as i8).signum()
    }

    /// What a player's choice gives away and the positions that it looked at; `None` if the progress
    /// stopped it.
    fn ask(
        &self,
        game: Ayo,
        player: &mut dyn Player<Ayo>,
        progress: &dyn Progress,
    ) -> Result<Option<(u8, u64)>, AccuracyError> {
        let position = self.position;
        player.new_game();
        let Choice { pit, nodes, .. } =
            match player.choose(&Record::from_position(game, position), progress) {
                Ok(choice) => choice,
                Err(NoChoice::Stopped) => return Ok(None),
                Err(reason) => return Err(AccuracyError::Choice { position, reason }),
            };
        let chosen = self.moves.iter().find(|(legal, _)| *legal == pit);
        let (_, value) = chosen.ok_or(AccuracyError::Illegal { position, pit })?;
        Ok(Some((self.best().abs_diff(*value), nodes)))
    }
}

impl Accuracy {
    fn of(asked: &[(&Question, u8)]) -> Accuracy {
        let all = asked.len() as f64;
        let count =
            |is: &dyn Fn(&(&Question, u8)) -> bool| asked.iter().filter(|it| is(it)).count();
        let mistakes = count(&|(_, lost)| *lost > 0) as f64;
        let decisions = count(&|(question, _)| question.at_stake() > 0);
        let results = count(&|(question, lost)| question.decides(*lost)) as f64;
        let optimal_ci95 = wilson(all - mistakes, all);
        let lost: Vec<f64> = asked.iter().map(|(_, lost)| f64::from(*lost)).collect();
        let (seeds_lost, margin) = (mean(&lost), margin(&lost));
        let at_stake: Vec<f64> = asked.iter().map(|(it, _)| f64::from(it.at_stake())).collect();
        let unseen = if mistakes == 0.0 { (1.0 - optimal_ci95[0]) * mean(&at_stake) } else { 0.0 };
        Accuracy {
            positions: asked.len(),
            decisions,
            optimal: 1.0 - mistakes / all,
            optimal_ci95,
            optimal_decisions: (decisions > 0).then(|| 1.0 - mistakes / decisions as f64),
            seeds_lost,
            seeds_lost_ci95: [(seeds_lost - margin).max(0.0), seeds_lost + margin + unseen],
            results_lost: results / all,
            results_lost_ci95: wilson(results, all),
        }
    }
}

/// Half of the normal 95 % interval of a mean.
fn margin(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let freedom = values.len().saturating_sub(1).max(1) as f64;
    QUANTILE_975 * (squares / freedom / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests;
