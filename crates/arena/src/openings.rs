//! Opening positions. Two deterministic players can only play two different games from an opening, so we need many.

use std::collections::HashSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rand::{Rng, RngExt};

use crate::player::SpecError;
use mancala::game::{Game, Notated, Record, Side};
use mancala::random::{Purpose, choose, sample, stream};
use mancala::store::{self, FileError};

/// A source of openings.
///
/// ```
/// use arena::Suite;
/// use mancala::game::ayo::Ayo;
/// let suite: Suite = "plies:4".parse().unwrap();
/// assert_eq!(suite.openings(Ayo::default()).unwrap().len(), 1014);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suite {
    /// `plies:K`: all distinct unfinished positions after K plies, in depth-first order with the lowest pits first.
    Plies(u32),
    /// `random:N,plies=K,seed=S`: N distinct positions after K random plies, with a lead of at most two seeds.
    Random { count: u32, plies: u32, seed: u64 },
    /// A file in which each line contains a position or a line of play. `#` starts a comment.
    File(PathBuf),
}

/// The maximum number of attempts to draw a random opening. For suites, we count the attempts since the last new
/// opening. For [`balanced_openings`], we count all attempts.
const ATTEMPTS: u64 = 100_000;
/// The length, in plies, of the openings that we use to measure strength.
const MEASURED_PLIES: u32 = 4;
/// The largest lead in a balanced opening, in seeds.
const MAX_LEAD: u16 = 2;

impl Suite {
    /// Returns the suite's openings under the rules of `game`. The openings are distinct and always in the same order.
    /// Fails if the suite is empty, if the file is invalid, or if we don't find enough random openings.
    pub fn openings<G: Notated>(&self, game: G) -> Result<Vec<G::Position>, SpecError> {
        let positions = match self {
            Suite::Plies(plies) => after_plies(game, *plies),
            Suite::Random { count, plies, seed } => self.random(game, *count, *plies, *seed)?,
            Suite::File(path) => in_file(game, path)?,
        };
        if positions.is_empty() {
            return Err(SpecError::usage(format!("{self} contains no unfinished position")));
        }
        Ok(positions)
    }

    /// Draws a random sample of `count` openings, in their original order, or returns all openings if there are fewer.
    pub fn sample<G: Notated>(
        &self,
        game: G,
        count: usize,
        seed: u64,
    ) -> Result<Vec<G::Position>, SpecError> {
        Ok(sample_of(&self.openings(game)?, count, seed))
    }

    /// Returns all openings or, if `games` is given, a [sample](Self::sample) that is just large enough for that many
    /// games. Two games are played from each opening, so `games` must be even and at most twice the number of openings.
    pub fn for_games<G: Notated>(
        &self,
        game: G,
        games: Option<NonZeroUsize>,
        seed: u64,
    ) -> Result<Vec<G::Position>, SpecError> {
        let all = self.openings(game)?;
        let Some(games) = games.map(NonZeroUsize::get) else { return Ok(all) };
        let available = 2 * all.len();
        let reason = match games {
            _ if !games.is_multiple_of(2) => {
                ": every opening is played twice, so give an even number".into()
            }
            _ if games > available => format!(
                ", but {self} has openings for only {available}: use --openings random:N,plies=K for more"
            ),
            _ => return Ok(sample_of(&all, games / 2, seed)),
        };
        Err(SpecError::usage(format!("games is {games}{reason}")))
    }

    fn random<G: Game>(
        &self,
        game: G,
        count: u32,
        plies: u32,
        seed: u64,
    ) -> Result<Vec<G::Position>, SpecError> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let (mut attempt, mut last) = (0, 0);
        while found.len() < count as usize {
            if attempt - last == ATTEMPTS {
                let found = found.len();
                return Err(SpecError::usage(format!(
                    "{self}: found only {found} distinct openings, and no others in {ATTEMPTS} further attempts"
                )));
            }
            let mut rng = stream(seed, Purpose::Opening, plies.into(), attempt);
            let position = random_plies(game, plies, &mut rng);
            attempt += 1;
            if let Some(position) = position.filter(|position| seen.insert(*position)) {
                found.push(position);
                last = attempt;
            }
        }
        Ok(found)
    }
}

fn sample_of<P: Copy>(all: &[P], count: usize, seed: u64) -> Vec<P> {
    let mut indices = sample(count, all.len(), &mut stream(seed, Purpose::Sample, 0, 0));
    indices.sort();
    indices.into_iter().map(|index| all[index]).collect()
}

fn after_plies<G: Game>(game: G, plies: u32) -> Vec<G::Position> {
    let mut positions = vec![game.start(Side::South)];
    for _ in 0..plies {
        let mut seen = rustc_hash::FxHashSet::default();
        let children = positions
            .iter()
            .flat_map(|position| game.moves(position).map(move |pit| game.play(position, pit)));
        positions = children.filter(|p| game.ended(p).is_none() && seen.insert(*p)).collect();
    }
    positions
}

/// Plays random plies from the start. Returns `None` if the game ends or one side leads by more than two seeds.
pub(super) fn random_plies<G: Game>(
    game: G,
    plies: u32,
    rng: &mut impl Rng,
) -> Option<G::Position> {
    let mut record = Record::new(game, Side::South);
    for _ in 0..plies {
        record.play(choose(game.moves(record.position()), rng)?).ok()?;
        if record.ending().is_some() {
            return None;
        }
    }
    let position = record.position();
    let lead = game.store(position, Side::South).abs_diff(game.store(position, Side::North));
    (lead <= MAX_LEAD).then_some(*position)
}

/// Returns up to `count` distinct positions after random plies, in which neither side leads by more than two seeds.
/// These positions are used for training, so we exclude the openings of `plies:4`, which we use to measure strength.
pub fn balanced_openings<G: Game>(
    game: G,
    count: usize,
    plies: RangeInclusive<u32>,
    rng: &mut impl Rng,
) -> Vec<G::Position> {
    let (low, high) = plies.into_inner();
    let mut seen = measured_openings(game);
    let mut found = Vec::new();
    for _ in 0..ATTEMPTS {
        if found.len() == count {
            break;
        }
        let plies = rng.random_range(low..=high);
        let position = random_plies(game, plies, rng).filter(|position| seen.insert(*position));
        found.extend(position);
    }
    found
}

fn in_file<G: Notated>(game: G, path: &Path) -> Result<Vec<G::Position>, SpecError> {
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    let unread = |error| format!("{error}; other openings are plies:K or random:N,plies=K");
    for (line, text) in opening_lines(path).map_err(|error| SpecError::failed(unread(error)))? {
        let position = read_opening(game, &text).and_then(|position| {
            let is_new = seen.insert(position);
            is_new.then_some(position).ok_or_else(|| format!("{position} occurs twice"))
        });
        let at = |reason| SpecError::failed(format!("{}, line {line}: {reason}", path.display()));
        positions.push(position.map_err(at)?);
    }
    Ok(positions)
}

/// Reads the lines of an openings file, numbered from 1. Empty lines and comments (which start with `#`) are removed.
pub fn opening_lines(path: &Path) -> Result<Vec<(usize, String)>, FileError> {
    let text = store::read_document(path)?;
    // Some editors write a byte order mark at the start of a file.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let line = |text: &str| text.split('#').next().unwrap_or_default().trim().to_owned();
    let lines = (1..).zip(text.lines().map(line));
    Ok(lines.filter(|(_, text)| !text.is_empty()).collect())
}

pub fn measured_openings<G: Game>(game: G) -> HashSet<G::Position> {
    after_plies(game, MEASURED_PLIES).into_iter().collect()
}

/// Parses an opening, which is either a position or a line of play. Fails if the game is already over.
pub fn read_opening<G: Notated>(game: G, text: &str) -> Result<G::Position, String> {
    let position = if text.contains('-') {
        game.read_position(text)
    } else {
        game.read_line(text, None).map(|record| *record.position())
    };
    let position = position.map_err(|error| error.to_string())?;
    match game.ended(&position) {
        None => Ok(position),
        Some(_) => Err(format!("the game is already over in {position}")),
    }
}

impl FromStr for Suite {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let refuse = |reason: &str| {
            SpecError::usage(format!("\"{text}\" is not an opening suite: {reason}"))
        };
        if let Some(plies) = text.strip_prefix("plies:") {
            let plies = plies.parse().ok().filter(|plies| *plies <= 8);
            return plies
                .map(Suite::Plies)
                .ok_or_else(|| refuse("write plies:K with K from 0 to 8"));
        }
        let Some(settings) = text.strip_prefix("random:") else {
            return Ok(Suite::File(text.into()));
        };
        let mut parts = settings.split(',');
        let number = |text: &str, low: u64, high: u64| {
            let number = text.parse().ok().filter(|n| (low..=high).contains(n));
            number.ok_or_else(|| {
                refuse(&format!("\"{text}\" is not a whole number from {low} to {high}"))
            })
        };
        let count = number(parts.next().unwrap_or_default(), 1, 1_000_000)? as u32;
        let (mut plies, mut seed) = (None, None);
        for part in parts {
            match part.split_once('=') {
                Some(("plies", value)) if plies.is_none() => plies = Some(number(value, 1, 60)?),
                Some(("seed", value)) if seed.is_none() => seed = Some(number(value, 0, u64::MAX)?),
                _ => return Err(refuse("write random:N,plies=K,seed=S with each setting once")),
            }
        }
        let (plies, seed) = (plies.unwrap_or(8) as u32, seed.unwrap_or(1));
        Ok(Suite::Random { count, plies, seed })
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Suite::Plies(plies) => write!(f, "plies:{plies}"),
            Suite::Random { count, plies, seed } => {
                write!(f, "random:{count},plies={plies},seed={seed}")
            }
            Suite::File(path) => write!(f, "{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::ayo::{Ayo, Position, Rules};

    fn positions(suite: &str) -> Vec<Position> {
        let suite: Suite = suite.parse().unwrap();
        suite.openings(Ayo::default()).unwrap()
    }

    #[test]
    fn random_openings_are_distinct_balanced_and_repeatable() {
        for (_, rules) in Rules::PRESETS {
            let suite: Suite = "random:300,plies=9,seed=4".parse().unwrap();
            let game = Ayo { rules };
            let openings = suite.openings(game).unwrap();
            assert_eq!(openings, suite.openings(game).unwrap());
            let distinct: HashSet<_> = openings.iter().collect();
            assert_eq!(distinct.len(), 300);
            for position in &openings {
                let stores = Side::BOTH.map(|side| position.store(side));
                assert!(stores[0].abs_diff(stores[1]) <= 2 && game.ended(position).is_none());
                assert_eq!(position.to_move(), Side::North);
            }
        }
        assert_ne!(positions("random:30,seed=1"), positions("random:30,seed=2"));
    }

    #[test]
    fn a_sample_depends_on_its_seed() {
        let suite: Suite = "plies:3".parse().unwrap();
        let all = suite.openings(Ayo::default()).unwrap();
        let sample = |count, seed| suite.sample(Ayo::default(), count, seed).unwrap();
        assert_eq!(sample(50, 1).len(), 50);
        assert_ne!(sample(50, 1), &all[..50]);
        assert_ne!(sample(50, 1), sample(50, 2));
        assert_eq!(sample(1000, 1), all);
    }

    #[test]
    fn a_file_of_positions_and_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Suite::File(path.clone()).openings(Ayo::default())
        };
        let good = "# mine\nFf # main line\n\n4S6, 4N5\n4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\n";
        assert_eq!(read(good).unwrap().len(), 3);
        for first in ["Ff", "# mine", "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"] {
            let marked = read(&format!("\u{feff}{first}\nFe\n")).unwrap();
            assert_eq!(marked, read(&format!("{first}\nFe\n")).unwrap());
        }
        for (bad, reason) in [
            ("", "no unfinished position"),
            ("Ff\nFX\n", "line 2: ply 2: "),
            ("FF\n", "line 1: ply 2: "),
            ("Ff\nFf\n", "line 2: "),
            ("0-0-0-0-0-0-0-0-0-0-0-0-25-23-S\n", "already over"),
            ("4-4\n", "15 fields"),
        ] {
            let error = read(bad).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn suites_read_back_from_their_text() {
        for (plies, count) in [(0, 1), (1, 6), (2, 36), (3, 190), (4, 1014)] {
            assert_eq!(positions(&format!("plies:{plies}")).len(), count);
        }
        for text in ["plies:4", "random:100,plies=8,seed=1", "my openings.txt"] {
            assert_eq!(text.parse::<Suite>().unwrap().to_string(), text);
        }
        let wrong = "plies: plies:9 random: random:0 random:5,ply=3 random:5,seed=1,seed=1";
        for text in wrong.split(' ') {
            assert!(text.parse::<Suite>().is_err(), "{text}");
        }
        let suite: Suite = "random:50,plies=1".parse().unwrap();
        let error = suite.openings(Ayo::default()).unwrap_err().to_string();
        assert!(error.contains("only 6 distinct openings"), "{error}");
    }
}
