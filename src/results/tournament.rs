//! The result of a tournament.

use arena::player::PlayableGame;
use arena::{Crosstable, Finished, Pentanomial, Ratings, Reference, Tally, Triple, distinct_games};
use serde::{Deserialize, Serialize};

use super::PlayedContest;
use crate::terms::Terms;

/// What a tournament came to. Players, and the rows and columns of tables, are in the order of their
/// ratings, the strongest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "tournament")]
pub struct Tournament {
    /// What was played.
    #[serde(flatten)]
    pub terms: Terms,
    /// What the games began from.
    pub openings: String,
    /// What ratings are counted from, in words.
    pub reference: String,
    /// Games played.
    pub games: u64,
    /// Games with an opening or a move in which they differ.
    #[serde(default)]
    pub distinct_games: usize,
    /// How each player did.
    pub players: Vec<RatedPlayer>,
    /// What each scored against each.
    #[serde(default)]
    pub crosstable: Vec<Vec<Cell>>,
    /// How likely the player of the row is stronger than that of the column; unknown while some players have
    /// not met, not even through others.
    #[serde(default)]
    pub los: Vec<Vec<Option<f64>>>,
    /// Players that beat each other in a circle.
    #[serde(default)]
    pub non_transitive: Vec<Circle>,
    /// Whether the games can be repeated on any machine.
    #[serde(default)]
    pub reproducible: bool,
    /// Whether the tournament ended before its time.
    pub interrupted: bool,
}

/// A player of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RatedPlayer {
    /// Its specification.
    pub player: String,
    /// Its rating; unknown while some players have not met, not even through others.
    pub elo: Option<f64>,
    /// The 95 % interval of the rating.
    pub elo_ci95: Option<(f64, f64)>,
    /// Points a game, if it played any.
    pub score: Option<f64>,
    /// Games that it played.
    #[serde(default)]
    pub games: u64,
    /// Games that it could not go on with.
    #[serde(default)]
    pub forfeits: u64,
    /// Why it could not in the first of them.
    pub first_forfeit: Option<String>,
}

/// What a player scored against another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Points a game, if they met.
    pub score: Option<f64>,
    /// The pairs of games by score.
    pub pairs: Pentanomial,
}

/// Three players of which the first beat the second, the second the third, and the third the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Circle {
    /// Their specifications.
    pub players: [String; 3],
    /// What each scored against the next.
    pub scores: [f64; 3],
    /// The least of the likelihoods that each is stronger than the next.
    pub least_los: f64,
}

impl Tournament {
    /// The result of a contest, with ratings relative to `reference`.
    pub fn of<G: PlayableGame>(played: PlayedContest<G>, reference: Reference) -> Tournament {
        let contest = played.contest;
        let meetings: Vec<&[Finished]> = played.games.chunks(contest.games_of_pairing()).collect();
        let tallies: Vec<Tally> = meetings.iter().map(|games| Tally::of(games)).collect();
        let mut table = Crosstable::new(contest.teams.len());
        for ([a, b], tally) in contest.pairings.iter().zip(&tallies) {
            table.add_all(*a, *b, tally.pairs);
        }
        let names: Vec<&str> = contest.teams.iter().map(|team| team.spec()).collect();
        let standings = Standings { names, pairings: &contest.pairings, tallies, table, reference };
        // A game without its partner counts nowhere.
        let whole = played.games.as_chunks::<2>().0.as_flattened();
        standings.into_result(played, distinct_games(whole))
    }
}

/// The figures of a tournament by the numbers of its players.
struct Standings<'a> {
    names: Vec<&'a str>,
    pairings: &'a [[usize; 2]],
    tallies: Vec<Tally>,
    table: Crosstable,
    reference: Reference,
}

impl Standings<'_> {
    fn into_result<G: PlayableGame>(self, played: PlayedContest<G>, distinct: usize) -> Tournament {
        let ratings = Ratings::fit(&self.table).ok();
        let order = self.order(ratings.as_ref());
        let triples = self.table.non_transitive_triples();
        Tournament {
            terms: played.terms(),
            openings: played.openings.to_owned(),
            reference: match self.reference {
                Reference::Mean => "the mean is 0".into(),
                Reference::Player(_) => "the first player is 0".into(),
            },
            games: self.tallies.iter().map(Tally::games).sum(),
            distinct_games: distinct,
            players: order.iter().map(|player| self.player(*player, ratings.as_ref())).collect(),
            crosstable: square(&order, |a, b| Cell::of(self.table.between(a, b))),
            los: square(&order, |a, b| ratings.as_ref().map(|ratings| ratings.los(a, b))),
            non_transitive: triples.iter().map(|triple| self.circle(triple)).collect(),
            reproducible: played.reproducible(),
            interrupted: played.interrupted,
        }
    }

    /// The players from the strongest.
    fn order(&self, ratings: Option<&Ratings>) -> Vec<usize> {
        let elo = |player: &usize| ratings.map_or(0.0, |r| r.of(*player, self.reference).elo);
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
        order
    }

    fn player(&self, player: usize, ratings: Option<&Ratings>) -> RatedPlayer {
        let rating = ratings.map(|ratings| ratings.of(player, self.reference));
        let pairs = self.table.of_player(player);
        let (forfeits, first_forfeit) = self.forfeits(player);
        RatedPlayer {
            player: self.names[player].to_owned(),
            elo: rating.map(|rating| rating.elo),
            elo_ci95: rating.map(|rating| rating.elo_ci95),
            score: pairs.score(),
            games: 2 * pairs.pairs(),
            forfeits,
            first_forfeit,
        }
    }

    /// Games that a player could not go on with, and the first reason.
    fn forfeits(&self, player: usize) -> (u64, Option<String>) {
        let meetings = self.pairings.iter().zip(&self.tallies);
        let all = meetings.flat_map(|(pairing, tally)| pairing.iter().zip(&tally.forfeits));
        let own = all.filter(|(who, _)| **who == player).map(|(_, forfeits)| forfeits);
        own.fold((0, None), |(sum, first), (count, reason)| {
            (sum + count, first.or_else(|| reason.clone()))
        })
    }

    fn circle(&self, triple: &Triple) -> Circle {
        Circle {
            players: triple.players.map(|player| self.names[player].to_owned()),
            scores: triple.scores,
            least_los: triple.least_los,
        }
    }
}

/// A cell for every two players in this order.
fn square<T>(order: &[usize], cell: impl Fn(usize, usize) -> T) -> Vec<Vec<T>> {
    order.iter().map(|a| order.iter().map(|b| cell(*a, *b)).collect()).collect()
}

impl Cell {
    fn of(pairs: Pentanomial) -> Cell {
        Cell { score: pairs.score(), pairs }
    }
}
