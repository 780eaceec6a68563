//! The results that `ayo tournament --json`, `ayo match --json`, `ayo ablate --json` and
//! `ayo accuracy --json` print and that `ayo compare` leaves.
//!
//! Everything is checked here, once: what these types hold can be drawn without another look.

use std::path::{Path, PathBuf};

use arena::{Estimate, Pentanomial};
use serde::de::DeserializeOwned;

use super::comparison;
use super::error::Error;
use super::input;
use super::untrusted::{LARGEST, plain};
use crate::analyse::ablate::picture as ablation;
use crate::analyse::accuracy::picture as accuracy;
use crate::results::{self, Terms};
use evolve::run::comparison_header;

/// More could not be read in one picture.
const MOST_PLAYERS: usize = 200;

/// What a file of results holds.
pub(super) enum Contest {
    Tournament(Tournament),
    Match(Match),
    Comparison(comparison::Results),
    Ablation(crate::analyse::ablate::Ablation),
    Accuracy(crate::analyse::accuracy::AccuracyTest),
}

/// The players of a tournament from the strongest.
pub(super) struct Tournament {
    pub(super) players: Vec<Rated>,
    /// What ratings are counted from, the games, the openings, the rules.
    pub(super) notes: String,
}

/// A player with its rating.
pub(super) struct Rated {
    pub(super) player: String,
    pub(super) elo: f64,
    /// The ends of the 95 % interval.
    pub(super) interval: [f64; 2],
}

/// Two players and their pairs of games.
pub(super) struct Match {
    pub(super) players: [String; 2],
    pub(super) pairs: Pentanomial,
    /// What the pairs say of the players' strength.
    pub(super) findings: String,
    /// The games, the openings, the rules.
    pub(super) notes: String,
}

/// The results that the one input holds; `None` if the inputs are runs or weights.
pub(super) fn read(inputs: &[PathBuf]) -> Result<Option<Contest>, Error> {
    let mut files = inputs.iter().filter(|path| path.is_file());
    let found = files.find_map(|path| kind_of(path).transpose().map(|found| (path, found)));
    let Some((path, found)) = found else {
        return Ok(None);
    };
    let (kind, text) = found?;
    if inputs.len() > 1 {
        return Err(Error::Alone { path: path.into(), kind });
    }
    let contest = match kind {
        TOURNAMENT => parse::<results::Tournament>(&text)
            .and_then(Tournament::try_from)
            .map(Contest::Tournament),
        COMPARISON => comparison::Results::parse(&text).map(Contest::Comparison),
        ABLATION => parse(&text)
            .and_then(|found| ablation::check(&found).map(|()| Contest::Ablation(found))),
        ACCURACY => parse(&text)
            .and_then(|found| accuracy::check(&found).map(|()| Contest::Accuracy(found))),
        _ => parse::<results::Match>(&text).and_then(Match::try_from).map(Contest::Match),
    };
    contest.map(Some).map_err(|reason| Error::Results { path: path.into(), kind, reason })
}

const TOURNAMENT: &str = "tournament";
const MATCH: &str = "match";
const COMPARISON: &str = "comparison";
const ABLATION: &str = "ablation";
const ACCURACY: &str = "accuracy";

/// Which results a file says that it holds, and its text; `None` if it says something else.
fn kind_of(path: &Path) -> Result<Option<(&'static str, String)>, Error> {
    let text = input::text(path)?;
    if comparison_header(&text).is_some() {
        return Ok(Some((COMPARISON, text)));
    }
    let kind = input::kind(&text);
    let known = [TOURNAMENT, MATCH, ABLATION, ACCURACY]
        .into_iter()
        .find(|known| kind.as_deref() == Some(known));
    Ok(known.map(|kind| (kind, text)))
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

impl TryFrom<results::Tournament> for Tournament {
    type Error = String;

    fn try_from(found: results::Tournament) -> Result<Tournament, String> {
        if !(1..=MOST_PLAYERS).contains(&found.players.len()) {
            let count = found.players.len();
            return Err(format!("{count} players cannot be drawn, from 1 to {MOST_PLAYERS} can"));
        }
        let notes = notes(found.games, &found.openings, &found.terms, found.interrupted);
        let notes = plain(&format!("Elo, {} · {notes}", found.reference));
        let players = found.players.into_iter().map(Rated::try_from);
        let mut players = players.collect::<Result<Vec<_>, _>>()?;
        players.sort_by(|one, other| other.elo.total_cmp(&one.elo));
        Ok(Tournament { players, notes })
    }
}

impl TryFrom<results::RatedPlayer> for Rated {
    type Error = String;

    fn try_from(found: results::RatedPlayer) -> Result<Rated, String> {
        let player = plain(&found.player);
        let (Some(elo), Some((low, high))) = (found.elo, found.elo_ci95) else {
            return Err(format!("{player} has no rating: not all have met yet"));
        };
        let ordered = low <= elo && elo <= high;
        if !ordered || low.abs() > LARGEST || high.abs() > LARGEST {
            return Err(format!("the rating of {player} cannot be"));
        }
        Ok(Rated { player, elo, interval: [low, high] })
    }
}

impl TryFrom<results::Match> for Match {
    type Error = String;

    fn try_from(found: results::Match) -> Result<Match, String> {
        let counts = found.pairs.counts();
        let pairs = counts.iter().try_fold(0_u64, |sum, count| sum.checked_add(*count));
        if pairs.and_then(|pairs| pairs.checked_mul(2)) != Some(found.games) {
            return Err("its pairs do not add up to its games".into());
        }
        Ok(Match {
            players: [plain(&found.a), plain(&found.b)],
            pairs: found.pairs,
            findings: findings(&found.estimate),
            notes: plain(&notes(found.games, &found.openings, &found.terms, found.interrupted)),
        })
    }
}

fn findings(found: &Estimate) -> String {
    let elo = |elo: f64| super::axis::minus(&format!("{elo:+.0}"));
    format!(
        "score of A {:.3} (95 %: {:.3} to {:.3}) · Elo {} (95 %: {} to {})",
        found.score,
        found.score_ci95.0,
        found.score_ci95.1,
        elo(found.elo),
        elo(found.elo_ci95.0),
        elo(found.elo_ci95.1),
    )
}

fn notes(games: u64, openings: &str, terms: &Terms, interrupted: bool) -> String {
    let so_far = if interrupted { " so far" } else { "" };
    format!("{games} games{so_far} · openings {openings} · {terms}")
}
