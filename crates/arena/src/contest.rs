//! Plays matches and tournaments, and computes statistics for each pairing.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::adjudication::{Adjudicated, Adjudication};
use crate::game::{End, FinishedGame, GameResult, MoveCost};
use crate::games::play;
use crate::parallel::fan_out;
use crate::pentanomial::{PairScore, Pentanomial};
use crate::player::{PlayableGame, SpecError};
use crate::player_pool::PlayerPool;
use crate::sprt::Sprt;
use crate::statistics::mean;
use mancala::game::ayo::Ayo;
use mancala::game::{Notated, Record, Settlement, Side};
use mancala::progress::{Part, Progress};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Match,
    #[serde(rename = "tournament")]
    RoundRobin,
    /// The first player plays against each of the other players.
    Gauntlet,
}

impl Form {
    /// Returns the indices of the first and the second player of each pairing.
    pub fn pairings(self, players: usize) -> Vec<[usize; 2]> {
        let firsts = if self == Form::RoundRobin { players } else { 1 };
        (0..firsts).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect()
    }
}

/// A match or tournament. In each pairing, two games are played from every opening, with sides swapped.
///
/// The games of a pairing are consecutive. Games `2i` and `2i + 1` of a pairing start from opening `i`, and the
/// pairing's first player moves first in game `2i`.
pub struct Contest<G: PlayableGame = Ayo> {
    pub form: Form,
    pub players: Vec<PlayerPool<G>>,
    /// The indices of the first and second player of each pairing.
    pub pairings: Vec<[usize; 2]>,
    pub game: G,
    pub openings: Vec<G::Position>,
    /// The specification of the openings.
    pub suite: String,
    /// A sequential test that may end the contest early.
    pub sprt: Option<Sprt>,
    pub adjudication: Adjudication,
}

/// A finished game. In each array, the first value is for the pairing's first player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContestGame {
    /// The index of the game in the contest.
    pub index: usize,
    pub pairing: usize,
    pub opening: String,
    pub side_of_first: Side,
    pub line: String,
    pub end: End,
    /// The result for the pairing's first player.
    pub result: GameResult,
    pub stores: [u16; 2],
    pub cost: [MoveCost; 2],
    /// The adjudicated result, if [games are played to the end anyway](Adjudication::is_study).
    pub study: Option<Adjudicated>,
}

impl ContestGame {
    /// Creates the description of game `index`. If the index is even, then the pairing's first player moved first.
    pub fn new<G: Notated>(
        index: usize,
        games_per_pairing: usize,
        record: &Record<G>,
        played: FinishedGame,
    ) -> ContestGame {
        let first = side_of_first(index, record.game().to_move(record.opening()));
        let sides = [first, first.other()];
        let FinishedGame { end, settlement: Settlement { stores, verdict }, cost, study } = played;
        ContestGame {
            index,
            pairing: index / games_per_pairing,
            opening: record.opening().to_string(),
            side_of_first: first,
            line: record.line(),
            end,
            result: GameResult::of(verdict, first),
            stores: sides.map(|side| stores[side.index()]),
            cost: sides.map(|side| cost[side.index()]),
            study,
        }
    }
}

/// Returns the side of a pairing's first player in game `index`. `mover` is the side that moves first in this game.
pub(crate) fn side_of_first(index: usize, mover: Side) -> Side {
    if index.is_multiple_of(2) { mover } else { mover.other() }
}

/// Counts distinct games. Two games are distinct if their openings or any of their moves differ.
pub fn distinct_games(games: &[ContestGame]) -> usize {
    games.iter().map(|game| (&game.opening, &game.line)).collect::<HashSet<_>>().len()
}

/// A callback that receives all games of a contest so far, and the scores of all complete pairs.
pub type FollowContest<'a, E> = dyn FnMut(&[ContestGame], Pentanomial) -> Result<(), E> + Send + 'a;

impl<G: PlayableGame> Contest<G> {
    /// Creates a contest without a sequential test or adjudication.
    pub fn new(
        form: Form,
        players: Vec<PlayerPool<G>>,
        game: G,
        openings: Vec<G::Position>,
        suite: String,
    ) -> Contest<G> {
        let (pairings, adjudication) = (form.pairings(players.len()), Adjudication::default());
        Contest { form, players, pairings, game, openings, suite, sprt: None, adjudication }
    }

    /// Returns whether the games can be reproduced on any machine.
    pub fn is_reproducible(&self) -> bool {
        self.players.iter().all(|player| player.is_reproducible)
    }

    pub fn games(&self) -> usize {
        self.pairings.len() * self.games_per_pairing()
    }

    pub fn games_per_pairing(&self) -> usize {
        2 * self.openings.len()
    }

    pub fn opening(&self, index: usize) -> G::Position {
        self.openings[index % self.games_per_pairing() / 2]
    }

    /// Plays the remaining games in the current rayon pool and appends them to `games` in order. Stops when all games
    /// are finished, when the sequential test accepts a hypothesis, or when `progress` requests a stop. Calls `follow`
    /// with all games so far and the scores of all complete pairs, once at the start and then after each game. Returns
    /// whether the contest is finished. Fails if `follow` fails or a copy of a player can't be started.
    pub fn play<E: From<SpecError> + Send>(
        &self,
        games: &mut Vec<ContestGame>,
        progress: &dyn Progress,
        follow: &mut FollowContest<E>,
    ) -> Result<bool, E> {
        let mut pairs = Pentanomial::default();
        if let Some(end) = (1..=games.len()).find(|&end| self.decides(&games[..end], &mut pairs)) {
            games.truncate(end);
            return Ok(true);
        }
        follow(games, pairs)?;
        let (from, mut is_decided, mut failed) = (games.len(), false, None);
        let add = |game| {
            games.push(game);
            is_decided = self.decides(games, &mut pairs);
            failed = follow(games, pairs).err();
            match is_decided || failed.is_some() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let of_pairing = self.games_per_pairing();
        let work = |number: usize, progress: &dyn Progress| {
            let index = from + number;
            let [a, b] = self.pairings[index / of_pairing].map(|player| &self.players[player]);
            let in_order = if index.is_multiple_of(2) { [a, b] } else { [b, a] };
            let (opening, adjudication) = (self.opening(index), &self.adjudication);
            let played = play(self.game, opening, in_order, adjudication, true, progress)?;
            Ok(played.map(|(record, played)| ContestGame::new(index, of_pairing, &record, played)))
        };
        let progress = Part { whole: progress, before: from as u64, of: self.games() as u64 };
        fan_out(self.games() - from, &progress, work, add)?;
        failed.map_or(Ok(is_decided || games.len() == self.games()), Err)
    }

    /// If the last game completes a pair, adds the pair's score and returns whether the test has accepted a hypothesis.
    fn decides(&self, games: &[ContestGame], pairs: &mut Pentanomial) -> bool {
        let ([.., last], []) = games.as_chunks::<2>() else { return false };
        pairs.add(PairScore::of(last.each_ref().map(|game| game.result)));
        self.sprt.is_some_and(|sprt| sprt.judge(*pairs).is_final())
    }
}

/// Statistics of a pairing, computed from its complete pairs of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of games that the first player won.
    #[serde(default)]
    pub wins: u64,
    #[serde(default)]
    pub draws: u64,
    #[serde(default)]
    pub losses: u64,
    pub pairs: Pentanomial,
    pub games: u64,
    #[serde(default)]
    pub distinct_games: usize,
    /// The mean number of seeds per game that the first and the second player won.
    #[serde(default)]
    pub mean_seeds: [f64; 2],
    #[serde(default)]
    pub mean_plies: f64,
    /// The total cost of the first player's moves, and of the second player's moves.
    #[serde(skip)]
    pub cost: [MoveCost; 2],
    /// The number of games that each player forfeited, and the reason for the first forfeit.
    #[serde(skip)]
    pub forfeits: [(u64, Option<String>); 2],
}

impl Tally {
    /// Computes the statistics of a pairing's games, which must be in order. Ignores an incomplete last pair.
    pub fn of(games: &[ContestGame]) -> Tally {
        let (pairs, _) = games.as_chunks::<2>();
        let games = pairs.as_flattened();
        let count = |result| games.iter().filter(|game| game.result == result).count() as u64;
        let mean_of =
            |of: &dyn Fn(&ContestGame) -> f64| mean(&games.iter().map(of).collect::<Vec<_>>());
        Tally {
            wins: count(GameResult::Win),
            draws: count(GameResult::Draw),
            losses: count(GameResult::Loss),
            pairs: pairs
                .iter()
                .map(|pair| PairScore::of(pair.each_ref().map(|game| game.result)))
                .collect(),
            games: games.len() as u64,
            distinct_games: distinct_games(games),
            mean_seeds: [0, 1].map(|player| mean_of(&|game| game.stores[player].into())),
            mean_plies: mean_of(&|game| game.line.len() as f64),
            cost: [0, 1].map(|player| total_cost(games, player)),
            forfeits: [0, 1].map(|player| forfeits(games, player)),
        }
    }
}

/// Returns the total cost of all moves by the first (0) or second (1) player of a pairing.
pub fn total_cost(games: &[ContestGame], player: usize) -> MoveCost {
    let mut sum = MoveCost::default();
    games.iter().for_each(|game| sum += game.cost[player]);
    sum
}

fn forfeits(games: &[ContestGame], player: usize) -> (u64, Option<String>) {
    let mut reasons = games.iter().filter_map(|game| match &game.end {
        End::Forfeit(side, reason) if (*side == game.side_of_first) == (player == 0) => {
            Some(reason)
        }
        _ => None,
    });
    let first = reasons.next().cloned();
    (reasons.count() as u64 + u64::from(first.is_some()), first)
}
