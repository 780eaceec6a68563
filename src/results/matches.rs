//! The result of a match.

use arena::player::PlayableGame;
use arena::{Decision, Estimate, Pentanomial, Sprt, Tally};
use serde::{Deserialize, Serialize};

use super::PlayedContest;
use crate::terms::Terms;

/// What a match between two players came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "match")]
pub struct Match {
    /// The specification of the first player.
    pub a: String,
    /// That of the second.
    pub b: String,
    /// What they played.
    #[serde(flatten)]
    pub terms: Terms,
    /// What the games began from.
    pub openings: String,
    /// How strong A is against B.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Games that A won.
    #[serde(default)]
    pub wins: u64,
    /// Games that neither won.
    #[serde(default)]
    pub draws: u64,
    /// Games that A lost.
    #[serde(default)]
    pub losses: u64,
    /// The pairs of games by A's score.
    pub pairs: Pentanomial,
    /// Games played.
    pub games: u64,
    /// Games with an opening or a move in which they differ.
    #[serde(default)]
    pub distinct_games: usize,
    /// Seeds a game of A and of B.
    #[serde(default)]
    pub mean_seeds: [f64; 2],
    /// Plies a game.
    #[serde(default)]
    pub mean_plies: f64,
    /// What the players spent, and where they failed.
    #[serde(default)]
    pub effort: Players<PlayerEffort>,
    /// The sequential test, if there was one.
    pub sprt: Option<SprtResult>,
    /// Whether the games can be repeated on any machine.
    #[serde(default)]
    pub reproducible: bool,
    /// Whether the match ended before its time.
    pub interrupted: bool,
}

/// Something of each player of a match.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Players<T> {
    /// The first player's.
    pub a: T,
    /// The second player's.
    pub b: T,
}

/// What a player spent on a move of a match, and where it failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerEffort {
    /// Positions searched.
    pub nodes_per_move: f64,
    /// Time, where it is known.
    pub seconds_per_move: Option<f64>,
    /// Games that it could not go on with.
    pub forfeits: u64,
    /// Why it could not in the first of them.
    pub first_forfeit: Option<String>,
}

/// What a sequential test came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SprtResult {
    /// The hypotheses and error rates that were tested.
    pub test: String,
    /// The log-likelihood ratio of the pairs.
    pub llr: f64,
    /// The ratios at which H0 and H1 are accepted.
    pub bounds: (f64, f64),
    /// What the ratio means.
    pub decision: Decision,
}

impl Match {
    /// The result of a contest between its first two players.
    pub fn of<G: PlayableGame>(played: PlayedContest<G>, sprt: Option<Sprt>) -> Match {
        let tally = Tally::of(played.games);
        let [a, b] = [0, 1].map(|player| played.contest.teams[player].spec().to_owned());
        Match {
            a,
            b,
            terms: played.terms(),
            openings: played.openings.to_owned(),
            estimate: tally.pairs.estimate(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pairs: tally.pairs,
            games: tally.games(),
            distinct_games: tally.distinct_games,
            mean_seeds: tally.mean_seeds,
            mean_plies: tally.mean_plies,
            effort: Players { a: PlayerEffort::of(&tally, 0), b: PlayerEffort::of(&tally, 1) },
            sprt: sprt.map(|sprt| SprtResult::of(sprt, tally.pairs)),
            reproducible: played.reproducible(),
            interrupted: played.interrupted,
        }
    }
}

impl PlayerEffort {
    fn of(tally: &Tally, player: usize) -> PlayerEffort {
        let effort = &tally.effort[player];
        let (forfeits, first_forfeit) = tally.forfeits[player].clone();
        PlayerEffort {
            nodes_per_move: effort.nodes as f64 / f64::from(effort.moves.max(1)),
            seconds_per_move: effort.time_per_move().map(|time| time.as_secs_f64()),
            forfeits,
            first_forfeit,
        }
    }
}

impl SprtResult {
    fn of(sprt: Sprt, pairs: Pentanomial) -> SprtResult {
        let judgement = sprt.judge(pairs);
        SprtResult {
            test: sprt.to_string(),
            llr: judgement.llr,
            bounds: sprt.bounds(),
            decision: judgement.decision,
        }
    }
}
