//! The results that `ayo tournament --json`, `ayo match --json`, `ayo ablate --json` and
//! `ayo accuracy --json` print and that `ayo compare` leaves.
//!
//! Everything is checked here, once: what these types hold can be drawn without another look.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Error, ablation, accuracy, comparison, input};
use crate::arena::Pentanomial;
use crate::run::COMPARISON_HEADER;
use mancala::store;

/// More could not be read in one picture.
const MOST_PLAYERS: usize = 200;
/// Larger figures can only be damage.
pub(super) const LARGEST: f64 = 1e6;

/// What a file of results holds.
pub(super) enum Contest {
    Tournament(Tournament),
    Match(Match),
    Comparison(comparison::Results),
    Ablation(ablation::Results),
    Accuracy(accuracy::Results),
}

/// The players of a tournament from the strongest.
pub(super) struct Tournament {
    pub(super) players: Vec<Rated>,
    /// What ratings are counted from, the games, the openings, the rules.
    pub(super) notes: String,
}

/// A player with his rating.
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
pub(super) fn results(inputs: &[PathBuf]) -> Result<Option<Contest>, Error> {
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
        TOURNAMENT => parse::<RawTournament>(&text)
            .and_then(RawTournament::validated)
            .map(Contest::Tournament),
        COMPARISON => comparison::Results::parse(&text).map(Contest::Comparison),
        ABLATION => ablation::Results::parse(&text).map(Contest::Ablation),
        ACCURACY => accuracy::Results::parse(&text).map(Contest::Accuracy),
        _ => parse::<RawMatch>(&text).and_then(RawMatch::validated).map(Contest::Match),
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
    let text = store::read_text(path)?;
    if text.starts_with(COMPARISON_HEADER) {
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

#[derive(Deserialize)]
struct RawTournament {
    rules: Option<String>,
    game: Option<String>,
    openings: String,
    reference: String,
    games: u64,
    players: Vec<RawPlayer>,
    interrupted: bool,
}

#[derive(Deserialize)]
struct RawPlayer {
    player: String,
    elo: Option<f64>,
    elo_ci95: Option<[f64; 2]>,
}

impl RawTournament {
    fn validated(self) -> Result<Tournament, String> {
        let terms = terms(self.rules, self.game)?;
        if !(1..=MOST_PLAYERS).contains(&self.players.len()) {
            let count = self.players.len();
            return Err(format!("{count} players cannot be drawn, from 1 to {MOST_PLAYERS} can"));
        }
        let mut players =
            self.players.into_iter().map(RawPlayer::validated).collect::<Result<Vec<_>, _>>()?;
        players.sort_by(|one, other| other.elo.total_cmp(&one.elo));
        let reference = format!("Elo, {}", self.reference);
        let notes = notes(self.games, &self.openings, &terms, self.interrupted);
        Ok(Tournament { players, notes: plain(&format!("{reference} · {notes}")) })
    }
}

impl RawPlayer {
    fn validated(self) -> Result<Rated, String> {
        let player = plain(&self.player);
        let (Some(elo), Some(interval)) = (self.elo, self.elo_ci95) else {
            return Err(format!("{player} has no rating: not all have met yet"));
        };
        let ordered = interval[0] <= elo && elo <= interval[1];
        if !ordered || interval.iter().any(|end| end.abs() > LARGEST) {
            return Err(format!("the rating of {player} cannot be"));
        }
        Ok(Rated { player, elo, interval })
    }
}

#[derive(Deserialize)]
struct RawMatch {
    a: String,
    b: String,
    rules: Option<String>,
    game: Option<String>,
    openings: String,
    games: u64,
    pairs: Pentanomial,
    score: f64,
    score_ci95: [f64; 2],
    elo: f64,
    elo_ci95: [f64; 2],
    interrupted: bool,
}

impl RawMatch {
    fn validated(self) -> Result<Match, String> {
        let terms = terms(self.rules, self.game)?;
        let pairs =
            self.pairs.counts().iter().try_fold(0_u64, |sum, count| sum.checked_add(*count));
        if pairs.and_then(|pairs| pairs.checked_mul(2)) != Some(self.games) {
            return Err("its pairs do not add up to its games".into());
        }
        let elo = |elo: f64| super::axis::minus(&format!("{elo:+.0}"));
        let findings = format!(
            "score of A {:.3} (95 %: {:.3} to {:.3}) · Elo {} (95 %: {} to {})",
            self.score,
            self.score_ci95[0],
            self.score_ci95[1],
            elo(self.elo),
            elo(self.elo_ci95[0]),
            elo(self.elo_ci95[1]),
        );
        Ok(Match {
            players: [plain(&self.a), plain(&self.b)],
            pairs: self.pairs,
            findings,
            notes: plain(&notes(self.games, &self.openings, &terms, self.interrupted)),
        })
    }
}

/// What was played: the rules of ayo, or another game.
pub(super) fn terms(rules: Option<String>, game: Option<String>) -> Result<String, String> {
    match (rules, game) {
        (Some(rules), None) => Ok(format!("rules {rules}")),
        (None, Some(game)) => Ok(format!("game {game}")),
        _ => Err("it names not one of rules and game".into()),
    }
}

fn notes(games: u64, openings: &str, terms: &str, interrupted: bool) -> String {
    let so_far = if interrupted { " so far" } else { "" };
    format!("{games} games{so_far} · openings {openings} · {terms}")
}

/// The text without what would break a line or a picture.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
