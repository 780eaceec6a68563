//! Where the games of training begin.

use std::collections::HashSet;
use std::fmt::{self, Display};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use arena::{balanced_openings, measured_openings, opening_lines, read_opening};
use mancala::game::{Notated, Side};
use mancala::random::{Purpose, drawn, stream};

/// Where the games of training begin. Text forms: `start`, `random:N,plies=LOW-HIGH`,
/// `random:N+1/G,plies=LOW-HIGH`, `N of [OPENING, OPENING, …]`,
/// `N+1/G of [OPENING, OPENING, …]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beginnings {
    /// At the start position.
    Start,
    /// At positions that are new in every generation, the same for all of its members.
    Random {
        /// How many.
        count: Count,
        /// Random plies from the start, one of these numbers for each.
        plies: RangeInclusive<u32>,
    },
    /// At openings of a file that has not been read yet. Only a user names one; a run keeps the openings.
    File {
        /// How many in each generation.
        count: Count,
        /// The file.
        path: PathBuf,
        /// The text of the setting.
        text: String,
    },
    /// At some of these openings, drawn in every generation, the same for all of its members.
    Listed {
        /// How many.
        count: Count,
        /// Positions or lines of play, as files of openings have them.
        openings: Vec<String>,
    },
}

/// How many openings a generation has. Text forms: `N`, `N+1/G`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// In the first generation.
    first: u32,
    /// After how many generations there is one more, again and again, up to [`MOST_OPENINGS`]; never,
    /// if there is no number. Noise then shrinks as steps do, in a run of any length.
    growth: Option<NonZeroU32>,
}

impl Count {
    /// In a generation; the first is number 1.
    fn of(self, generation: u32) -> usize {
        let more = self.growth.map_or(0, |every| generation.saturating_sub(1) / every);
        (self.first + more).min(MOST_OPENINGS) as usize
    }

    fn read(text: &str) -> Option<Count> {
        let (first, growth) = match text.split_once("+1/") {
            Some((first, every)) => (first, Some(every.parse().ok()?)),
            None => (text, None),
        };
        let first = first.parse().ok().filter(|first| (1..=MOST_OPENINGS).contains(first))?;
        Some(Count { first, growth })
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let growth = self.growth.map_or(String::new(), |every| format!("+1/{every}"));
        write!(f, "{}{growth}", self.first)
    }
}

/// The most openings of a generation.
pub const MOST_OPENINGS: u32 = 1000;

impl Beginnings {
    /// How many there are in a generation; the first is number 1.
    pub fn count(&self, generation: u32) -> usize {
        match self {
            Beginnings::Start => 1,
            Beginnings::Random { count, .. } | Beginnings::File { count, .. } => {
                count.of(generation)
            }
            Beginnings::Listed { count, openings } => count.of(generation).min(openings.len()),
        }
    }

    /// What the games of a generation begin from in a run with this seed: fewer than
    /// [`count`](Beginnings::count) where nearly every game ends before.
    pub(crate) fn draw<G: Notated>(&self, game: G, seed: u64, generation: u32) -> Vec<G::Position> {
        let mut dice = stream(seed, Purpose::TrainingOpening, generation.into(), 0);
        match self {
            Beginnings::Start => vec![game.start(Side::South)],
            Beginnings::File { .. } => Vec::new(),
            Beginnings::Random { plies, .. } => {
                balanced_openings(game, self.count(generation), plies.clone(), &mut dice)
            }
            Beginnings::Listed { openings, .. } => {
                let chosen = drawn(self.count(generation), openings.len(), &mut dice);
                let read = |index: usize| read_opening(game, &openings[index]);
                chosen
                    .into_iter()
                    .map(|index| read(index).expect("settings check the openings"))
                    .collect()
            }
        }
    }

    /// The setting that a text stands for. Any text that is not one of the text forms names a file of openings, or is
    /// `N of FILE`; without N the present count stays, or is 1 if games begin at the start position.
    pub(super) fn changed(&self, text: &str) -> Result<Beginnings, String> {
        if let Ok(read) = text.parse() {
            return Ok(read);
        }
        let (count, path) = match text.split_once(" of ") {
            Some((count, path)) => (Count::read(count).ok_or(FORMS)?, path),
            None => match self {
                Beginnings::Start => (Count { first: 1, growth: None }, text),
                Beginnings::Random { count, .. }
                | Beginnings::File { count, .. }
                | Beginnings::Listed { count, .. } => (*count, text),
            },
        };
        Ok(Beginnings::File { count, path: path.into(), text: text.into() })
    }

    /// Reads the file, if there is one to be read.
    ///
    /// # Errors
    /// A sentence if it cannot be read.
    pub(super) fn read_file(&mut self) -> Result<(), String> {
        let Beginnings::File { count, path, .. } = self else { return Ok(()) };
        if !path.exists() {
            return Err(format!("{FORMS}; there is no file of this name"));
        }
        let openings = opening_lines(path).map_err(|error| error.to_string())?;
        let openings: Vec<String> = openings.into_iter().map(|(_, text)| text).collect();
        if !(1..=MOST_LISTED).contains(&openings.len()) {
            let found = openings.len();
            return Err(format!("the file has {found} openings, not 1 to {MOST_LISTED}"));
        }
        *self = Beginnings::Listed { count: *count, openings };
        Ok(())
    }

    /// Checks that games of `game` can begin at each listed opening, that the openings differ, and that strength is not
    /// measured from them.
    ///
    /// # Errors
    /// The first opening that fails, and the reason.
    pub(super) fn check<G: Notated>(&self, game: G) -> Result<(), (String, String)> {
        let openings = match self {
            Beginnings::Start | Beginnings::Random { .. } => return Ok(()),
            Beginnings::File { .. } => return Err((self.to_string(), FORMS.into())),
            Beginnings::Listed { openings, .. } => openings,
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
                _ => refused("it is no position and no line of play".into()),
            })?;
            if measured.contains(&position) {
                return Err(refused(
                    "strength is measured from it, so that training must not see it".into(),
                ));
            }
            if !seen.insert(position) {
                return Err(refused("it occurs twice".into()));
            }
        }
        Ok(())
    }
}

/// Openings that a run lists at most.
const MOST_LISTED: usize = 2000;

const FORMS: &str = "write start, or random:N,plies=LOW-HIGH with N from 1 to 1000 and plies from 5 to 40, or \
     random:N+1/G,plies=LOW-HIGH for one more after each G generations, or FILE or N of FILE with an opening a line";

impl FromStr for Beginnings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let random = || {
            let (count, plies) = text.strip_prefix("random:")?.split_once(",plies=")?;
            let (low, high) = plies.split_once('-')?;
            let count = Count::read(count)?;
            let (low, high): (u32, u32) = (low.parse().ok()?, high.parse().ok()?);
            let possible = 5 <= low && low <= high && high <= 40;
            possible.then_some(Beginnings::Random { count, plies: low..=high })
        };
        let listed = || {
            let (count, openings) = text.strip_suffix(']')?.split_once(" of [")?;
            let openings: Vec<String> = openings.split(", ").map(str::to_owned).collect();
            (openings.len() <= MOST_LISTED)
                .then_some(Beginnings::Listed { count: Count::read(count)?, openings })
        };
        match text {
            "start" => Ok(Beginnings::Start),
            _ => random().or_else(listed).ok_or_else(|| FORMS.into()),
        }
    }
}

impl Display for Beginnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Beginnings::Start => f.write_str("start"),
            Beginnings::Random { count, plies } => {
                write!(f, "random:{count},plies={}-{}", plies.start(), plies.end())
            }
            Beginnings::File { text, .. } => f.write_str(text),
            Beginnings::Listed { count, openings } => {
                write!(f, "{count} of [{}]", openings.join(", "))
            }
        }
    }
}
