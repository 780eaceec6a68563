//! Files of games as the page shows them.

use arena::{Decision, Entrant, Estimate, Finished, Heading, KeptGames, Meetings, Sprt};
use mancala::game::{AnyGame, Side};
use serde::{Deserialize, Serialize};

/// How far the match of a file of games is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    /// A process plays it.
    Running,
    /// There is nothing more to play.
    Complete,
    /// Nobody plays it, and games are missing.
    Stopped,
    /// The file, or a line of it, cannot be read.
    Damaged,
}

/// A file of games at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedMatch {
    /// Its name.
    pub id: String,
    /// `match`, `tournament` or `gauntlet`; unknown while there is no heading.
    pub form: Option<String>,
    /// How far it is.
    pub state: MatchState,
    /// The specifications of the players.
    pub players: Vec<String>,
    /// Games that are over.
    pub games: u64,
    /// Games of all.
    pub of: Option<u64>,
    /// Points a game of the first player in a match of two.
    pub score: Option<f64>,
    /// The 95 % interval of that.
    pub score_ci95: Option<(f64, f64)>,
    /// When the file was last written, in seconds since 1970.
    pub changed: u64,
    /// What is wrong with it.
    pub error: Option<String>,
}

/// What a file of games comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "match")]
pub struct KeptMatch {
    /// What a listing has.
    #[serde(flatten)]
    pub listed: ListedMatch,
    /// The game, of kalah with its rules.
    pub game: Option<String>,
    /// The rules of ayo.
    pub rules: Option<String>,
    /// What the games begin from.
    pub openings: Option<String>,
    /// What each two players that meet come to.
    pub table: Vec<KeptMeeting>,
    /// The sequential test, if there is one.
    pub sprt: Option<KeptTest>,
}

/// What two players that meet come to, by their whole pairs of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptMeeting {
    /// The first, by its index among the players.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// Games in pairs.
    pub games: u64,
    /// Games that the first won.
    pub wins: u64,
    /// Games that neither won.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Pairs in which the first had 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// Points a game of the first.
    pub score: f64,
    /// The 95 % interval of that.
    pub score_ci95: (f64, f64),
    /// The Elo difference.
    pub elo: f64,
    /// The 95 % interval of that.
    pub elo_ci95: (f64, f64),
    /// The likelihood that the first is the stronger.
    pub los: f64,
}

/// A sequential test and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptTest {
    /// The hypotheses and error rates.
    pub test: String,
    /// The ratios at which H0 and H1 are accepted.
    pub bounds: (f64, f64),
    /// The log-likelihood ratio of the pairs.
    pub llr: f64,
    /// What it means.
    pub decision: Decision,
    /// Games and the ratio after them: of a long match some, with the first, the last, the least and the greatest.
    pub walk: Vec<(u64, f64)>,
}

/// Some games of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "games")]
pub struct KeptLines {
    /// Games of the file.
    pub total: u64,
    /// Those that were asked for.
    pub games: Vec<KeptGame>,
}

/// A game of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptGame {
    /// Its number, from 1.
    pub number: usize,
    /// The first player of its pairing, by its index.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The player that has South.
    pub south: usize,
    /// What it began from.
    pub opening: String,
    /// The moves.
    pub line: String,
    /// How many.
    pub plies: usize,
    /// `1-0` if the first player won, `0-1` if the second did, `1/2-1/2`.
    pub result: String,
    /// Seeds of the first and the second player.
    pub stores: [u16; 2],
    /// How it ended.
    pub end: String,
}

/// Points of a walk that are shown.
const MOST_POINTS: usize = 400;

impl ListedMatch {
    /// A file of games of which nothing is known yet.
    pub fn unknown(id: &str, changed: u64) -> ListedMatch {
        ListedMatch {
            id: id.into(),
            form: None,
            state: MatchState::Damaged,
            players: Vec::new(),
            games: 0,
            of: None,
            score: None,
            score_ci95: None,
            changed,
            error: None,
        }
    }

    /// Fills in what was read.
    #[must_use]
    pub fn with(self, kept: &KeptGames) -> ListedMatch {
        let heading = kept.heading();
        let estimate = match (heading.players.len(), kept.meetings()) {
            (2, [meetings]) if meetings.pairs.pairs() > 0 => Some(meetings.pairs.estimate()),
            _ => None,
        };
        let spec = |player: &Entrant| player.spec.clone();
        ListedMatch {
            form: Some(heading.form.name().into()),
            players: heading.players.iter().map(spec).collect(),
            games: kept.len() as u64,
            of: Some(heading.games() as u64),
            score: estimate.map(|it| it.score),
            score_ci95: estimate.map(|it| it.score_ci95),
            ..self
        }
    }
}

impl KeptMatch {
    /// A match at a glance with all that was read of its file, if anything could be.
    pub fn of(listed: ListedMatch, kept: Option<&KeptGames>) -> KeptMatch {
        let heading = kept.map(KeptGames::heading);
        let (game, rules) = heading.map(|it| terms(it.game)).unzip();
        let table = kept.map(table).unwrap_or_default();
        let sprt = kept.and_then(|kept| Some(KeptTest::of(kept.heading().sprt?, kept)));
        let openings = heading.map(|it| it.openings.clone());
        KeptMatch { listed, game, rules: rules.flatten(), openings, table, sprt }
    }
}

/// The game and the rules of ayo.
fn terms(game: AnyGame) -> (String, Option<String>) {
    match game.terms() {
        ("rules", rules) => (game.name().into(), Some(rules)),
        (_, game) => (game, None),
    }
}

fn table(kept: &KeptGames) -> Vec<KeptMeeting> {
    let pairings = kept.heading().pairings.iter();
    pairings.zip(kept.meetings()).map(|(pairing, it)| KeptMeeting::of(*pairing, it)).collect()
}

impl KeptMeeting {
    fn of([a, b]: [usize; 2], meetings: &Meetings) -> KeptMeeting {
        let Meetings { pairs, wins, draws, losses } = *meetings;
        let Estimate { score, score_ci95, elo, elo_ci95, los } = pairs.estimate();
        KeptMeeting {
            a,
            b,
            games: 2 * pairs.pairs(),
            wins,
            draws,
            losses,
            pairs: pairs.counts(),
            score,
            score_ci95,
            elo,
            elo_ci95,
            los,
        }
    }
}

impl KeptTest {
    fn of(sprt: Sprt, kept: &KeptGames) -> KeptTest {
        let walk = kept.walk();
        KeptTest {
            test: sprt.to_string(),
            bounds: sprt.bounds(),
            llr: walk.last().copied().unwrap_or(0.0),
            decision: kept.decision(),
            walk: thinned(walk).into_iter().map(|at| (2 * (at as u64 + 1), walk[at])).collect(),
        }
    }
}

/// The first and the last of some values, by index, and the least and the greatest of each stretch between.
fn thinned(values: &[f64]) -> Vec<usize> {
    let Some(last) = values.len().checked_sub(1) else { return Vec::new() };
    if values.len() <= MOST_POINTS {
        return (0..=last).collect();
    }
    let stretches = MOST_POINTS / 2 - 1;
    let bound = |stretch: usize| 1 + (last - 1) * stretch / stretches;
    let order = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
    let extremes = (0..stretches).flat_map(|it| {
        let stretch = bound(it)..bound(it + 1);
        [stretch.clone().min_by(order), stretch.max_by(order)]
    });
    let mut found: Vec<usize> = [0, last].into_iter().chain(extremes.flatten()).collect();
    found.sort();
    found.dedup();
    found
}

impl KeptGame {
    /// A game between the players of these indices.
    fn of(game: &Finished, [first, second]: [usize; 2]) -> KeptGame {
        let south = if game.side_of_first() == Side::South { first } else { second };
        KeptGame {
            number: game.index + 1,
            first,
            second,
            south,
            opening: game.opening.clone(),
            line: game.line.clone(),
            plies: game.line.len(),
            result: game.points().into(),
            stores: game.stores(),
            end: game.ending(),
        }
    }
}

impl KeptLines {
    /// Some games of a file with this heading.
    pub fn of(total: usize, heading: &Heading, games: &[Finished]) -> KeptLines {
        let game = |game: &Finished| KeptGame::of(game, heading.pairings[game.pairing]);
        KeptLines { total: total as u64, games: games.iter().map(game).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_is_thinned_to_its_outline() {
        assert!(thinned(&[]).is_empty());
        assert_eq!(thinned(&[1.0]), [0]);
        let short: Vec<f64> = (0..MOST_POINTS).map(|it| it as f64).collect();
        assert_eq!(thinned(&short).len(), MOST_POINTS);
        for length in [401, 1000, 99_999] {
            let mut walk: Vec<f64> = (0..length).map(|it| ((it * 7919) % 1009) as f64).collect();
            (walk[length / 3], walk[length / 2]) = (-5.0, 5000.0);
            let kept = thinned(&walk);
            assert!(kept.len() <= MOST_POINTS && kept.is_sorted(), "{length}: {}", kept.len());
            assert!(kept.len() > MOST_POINTS / 2, "{length}: {}", kept.len());
            for at in [0, length / 3, length / 2, length - 1] {
                assert!(kept.contains(&at), "{length}: {at}");
            }
        }
    }
}
