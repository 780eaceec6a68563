//! Openings of training games.

use std::collections::HashSet;
use std::fmt::{self, Display};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use arena::{balanced_openings, measured_openings, opening_lines, read_opening};
use mancala::game::{Notated, Side};
use mancala::random::{Purpose, sample, stream};

/// Openings of training games, shared by all members of a generation. Text forms: `start`, `random:N,plies=LOW-HIGH`,
/// `random:N+1/G,plies=LOW-HIGH`, `N of [OPENING, OPENING, …]`, `N+1/G of [OPENING, OPENING, …]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    count: Count,
    source: Source,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Start,
    /// Positions after a random number of random plies, which is in this range. They are drawn again for every
    /// generation.
    Random(RangeInclusive<u32>),
    /// A file that has not been read yet, and the setting as the user typed it. Runs do not record the file's name but
    /// its openings.
    File(PathBuf, String),
    /// Positions or move sequences, of which every generation uses a random selection.
    Listed(Vec<String>),
}

/// Number of openings per generation. Text forms: `N`, `N+1/G`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Number of openings in the first generation.
    first: u32,
    /// Number of generations after which one more opening is added, up to [`MAX_OPENINGS`]. This reduces noise as steps
    /// shrink, regardless of the length of the run.
    growth: Option<NonZeroU32>,
}

impl Count {
    /// Returns the number of openings in a generation, counted from 1.
    fn of(self, generation: u32) -> usize {
        let more = self.growth.map_or(0, |every| generation.saturating_sub(1) / every);
        (self.first + more).min(MAX_OPENINGS) as usize
    }

    fn read(text: &str) -> Option<Count> {
        let (first, growth) = match text.split_once("+1/") {
            Some((first, every)) => (first, Some(every.parse().ok()?)),
            None => (text, None),
        };
        let first = first.parse().ok().filter(|first| (1..=MAX_OPENINGS).contains(first))?;
        Some(Count { first, growth })
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let growth = self.growth.map_or(String::new(), |every| format!("+1/{every}"));
        write!(f, "{}{growth}", self.first)
    }
}

/// Maximum number of openings per generation.
const MAX_OPENINGS: u32 = 1000;

impl Openings {
    pub const START: Openings =
        Openings { count: Count { first: 1, growth: None }, source: Source::Start };

    /// Returns the number of openings in a generation, counted from 1.
    pub fn count(&self, generation: u32) -> usize {
        match &self.source {
            Source::Start => 1,
            Source::Listed(openings) => self.count.of(generation).min(openings.len()),
            _ => self.count.of(generation),
        }
    }

    /// Draws the openings of a generation. If nearly all games end within the random plies, there are fewer than
    /// [`count`](Openings::count).
    pub(crate) fn draw<G: Notated>(&self, game: G, seed: u64, generation: u32) -> Vec<G::Position> {
        let mut rng = stream(seed, Purpose::TrainingOpening, generation.into(), 0);
        match &self.source {
            Source::Start => vec![game.start(Side::South)],
            Source::File(..) => Vec::new(),
            Source::Random(plies) => {
                balanced_openings(game, self.count(generation), plies.clone(), &mut rng)
            }
            Source::Listed(openings) => {
                let chosen = sample(self.count(generation), openings.len(), &mut rng);
                let read = |index: usize| {
                    read_opening(game, &openings[index]).expect("settings check the openings")
                };
                chosen.into_iter().map(read).collect()
            }
        }
    }

    /// Parses a new value of the setting. A value that is not in one of the text forms is read as `FILE` or `N of
    /// FILE`. Without N, the current count is kept.
    pub(super) fn changed(&self, text: &str) -> Result<Openings, String> {
        if let Ok(read) = text.parse() {
            return Ok(read);
        }
        let (count, path) = match text.split_once(" of ") {
            Some((count, path)) => (Count::read(count).ok_or(FORMS)?, path),
            None => (self.count, text),
        };
        Ok(Openings { count, source: Source::File(path.into(), text.into()) })
    }

    /// Replaces a file with the openings it contains.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, or has too many openings.
    pub(super) fn read_file(&mut self) -> Result<(), String> {
        let Source::File(path, _) = &self.source else { return Ok(()) };
        if !path.exists() {
            return Err(format!("{FORMS}; there is no file with this name"));
        }
        let openings = opening_lines(path).map_err(|error| error.to_string())?;
        let openings: Vec<String> = openings.into_iter().map(|(_, text)| text).collect();
        if !(1..=MAX_LISTED).contains(&openings.len()) {
            let found = openings.len();
            return Err(format!("the file has {found} openings, expected 1 to {MAX_LISTED}"));
        }
        self.source = Source::Listed(openings);
        Ok(())
    }

    /// Checks that the listed openings are valid for `game`, distinct, and not used by strength tests.
    ///
    /// # Errors
    /// Returns the first invalid opening and the reason.
    pub(super) fn check<G: Notated>(&self, game: G) -> Result<(), (String, String)> {
        let openings = match &self.source {
            Source::Start | Source::Random(_) => return Ok(()),
            Source::File(..) => return Err((self.to_string(), FORMS.into())),
            Source::Listed(openings) => openings,
        };
        let measured = measured_openings(game);
        let mut seen = HashSet::new();
        for (number, text) in (1..).zip(openings) {
            let shortened: String = text.chars().take(60).collect();
            let refused = |reason: String| {
                (shortened.clone(), format!("opening {number} of the file: {reason}"))
            };
            let position = read_opening(game, text).map_err(|reason| match reason.to_string() {
                reason if reason.len() < 200 => refused(reason),
                _ => refused("it is neither a position nor a line of moves".into()),
            })?;
            if measured.contains(&position) {
                return Err(refused("it is reserved for measuring strength".into()));
            }
            if !seen.insert(position) {
                return Err(refused("it occurs twice".into()));
            }
        }
        Ok(())
    }
}

const MAX_LISTED: usize = 2000;

const FORMS: &str = "write start, or random:N,plies=LOW-HIGH with N from 1 to 1000 and plies from 5 to 40, or \
     random:N+1/G,plies=LOW-HIGH to add one every G generations, or FILE or N of FILE with one opening per line";

impl FromStr for Openings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let random = || {
            let (count, plies) = text.strip_prefix("random:")?.split_once(",plies=")?;
            let (low, high) = plies.split_once('-')?;
            let count = Count::read(count)?;
            let (low, high): (u32, u32) = (low.parse().ok()?, high.parse().ok()?);
            let possible = 5 <= low && low <= high && high <= 40;
            possible.then_some(Openings { count, source: Source::Random(low..=high) })
        };
        let listed = || {
            let (count, openings) = text.strip_suffix(']')?.split_once(" of [")?;
            let openings: Vec<String> = openings.split(", ").map(str::to_owned).collect();
            let number = openings.len();
            let count = Count::read(count)?;
            let source = Source::Listed(openings);
            (number <= MAX_LISTED).then_some(Openings { count, source })
        };
        match text {
            "start" => Ok(Openings::START),
            _ => random().or_else(listed).ok_or_else(|| FORMS.into()),
        }
    }
}

impl Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count;
        match &self.source {
            Source::Start => f.write_str("start"),
            Source::Random(plies) => {
                write!(f, "random:{count},plies={}-{}", plies.start(), plies.end())
            }
            Source::File(_, text) => f.write_str(text),
            Source::Listed(openings) => write!(f, "{count} of [{}]", openings.join(", ")),
        }
    }
}
