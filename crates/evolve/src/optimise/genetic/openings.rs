//! Openings of training games.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use arena::{measured_openings, opening_lines, read_opening};
use mancala::game::{AnyGame, Game, Notated, Side, with_game};
use mancala::random::{Purpose, sample, stream};

use crate::games::random_openings;
use crate::optimise::{SettingRefusal, text_form};

/// The openings that all training games in a generation share. They are written as `start`,
/// `random:COUNT,plies=LOW-HIGH` or `COUNT of [OPENING, OPENING, …]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    count: Count,
    source: Source,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Start,
    /// Positions after random plies. The number of plies is drawn from this range. Each generation draws new positions.
    Random(RangeInclusive<u32>),
    /// A file that we haven't read yet, and the setting as typed. A run stores the openings instead of the file name.
    File(PathBuf, String),
    /// The positions or move sequences that each generation draws its openings from.
    Listed(Vec<String>),
}

/// How many openings each generation gets. This is written as `N` or `N+1/G`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    first: u32,
    /// The number of generations after which one more opening is added, up to [`MAX_OPENINGS`] openings.
    growth: Option<NonZeroU32>,
}

text_form!(
    Count,
    |text| {
        let (first, growth) = match text.split_once("+1/") {
            Some((first, every)) => (first, Some(every.parse().map_err(|_| FORMS)?)),
            None => (text, None),
        };
        let first = first.parse().ok().filter(|first| (1..=MAX_OPENINGS).contains(first));
        Ok(Count { first: first.ok_or(FORMS)?, growth })
    },
    |Count { first, growth }| format!(
        "{first}{}",
        growth.map_or(String::new(), |it| format!("+1/{it}"))
    )
);

const MAX_OPENINGS: u32 = 1000;

impl Openings {
    pub const START: Openings =
        Openings { count: Count { first: 1, growth: None }, source: Source::Start };

    /// Returns the number of openings for a generation. Generations are counted from 1.
    pub fn count(&self, generation: u32) -> usize {
        let more = self.count.growth.map_or(0, |every| generation.saturating_sub(1) / every);
        let count = (self.count.first + more).min(MAX_OPENINGS) as usize;
        match &self.source {
            Source::Start => 1,
            Source::Listed(openings) => count.min(openings.len()),
            _ => count,
        }
    }

    /// Draws the openings for a generation. Returns fewer than [`count`](Openings::count) if most games end too early.
    pub(crate) fn draw(&self, game: AnyGame, seed: u64, generation: u32) -> Vec<String> {
        let mut rng = stream(seed, Purpose::TrainingOpening, generation.into(), 0);
        let count = self.count(generation);
        match &self.source {
            Source::Start => vec![with_game!(game, game => game.start(Side::South).to_string())],
            Source::File(..) => Vec::new(),
            Source::Random(plies) => random_openings(game, count, plies.clone(), rng),
            Source::Listed(openings) => {
                let read = |index: usize| {
                    with_game!(game, game => {
                        let position = read_opening(game, &openings[index]);
                        position.expect("settings check the openings").to_string()
                    })
                };
                sample(count, openings.len(), &mut rng).into_iter().map(read).collect()
            }
        }
    }

    /// Parses a new value of the setting, which can also be `COUNT of FILE`, or just `FILE` to keep the current count.
    pub(super) fn changed(&self, text: &str) -> Result<Openings, String> {
        if let Ok(read) = text.parse() {
            return Ok(read);
        }
        let (count, path) = match text.split_once(" of ") {
            Some((count, path)) => (count.parse()?, path),
            None => (self.count, text),
        };
        Ok(Openings { count, source: Source::File(path.into(), text.into()) })
    }

    pub(super) fn read_file(&mut self) -> Result<(), String> {
        let Source::File(path, text) = &self.source else { return Ok(()) };
        if text.starts_with("plies:") {
            return Err(format!("{RESERVED}: write random:N,plies=LOW-HIGH instead"));
        }
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

    /// Rejects listed openings that are invalid, repeated, or used by strength tests. Also rejects files, since
    /// recorded settings must not refer to files.
    pub(super) fn check<G: Notated>(&self, game: G) -> Result<(), SettingRefusal> {
        let openings = match &self.source {
            Source::Start | Source::Random(_) => return Ok(()),
            Source::File(..) => return Err(SettingRefusal::new("openings", self, FORMS)),
            Source::Listed(openings) => openings,
        };
        let measured = measured_openings(game);
        let mut seen = HashSet::new();
        for (number, text) in (1..).zip(openings) {
            let shortened: String = text.chars().take(60).collect();
            let refused = |reason: String| {
                let reason = format!("opening {number} of the file: {reason}");
                SettingRefusal::new("openings", &shortened, reason)
            };
            let position = read_opening(game, text).map_err(|reason| match reason.to_string() {
                reason if reason.len() < 200 => refused(reason),
                _ => refused("it is neither a position nor a line of moves".into()),
            })?;
            if measured.contains(&position) {
                return Err(refused(RESERVED.into()));
            }
            if !seen.insert(position) {
                return Err(refused("it occurs twice".into()));
            }
        }
        Ok(())
    }
}

const MAX_LISTED: usize = 2000;

const RESERVED: &str = "it is reserved for measuring strength";

const FORMS: &str = "write start, or random:N,plies=LOW-HIGH with N from 1 to 1000 and plies from 5 to 40, or \
     random:N+1/G,plies=LOW-HIGH to add one every G generations, or FILE or N of FILE with one opening per line";

text_form!(
    Openings,
    |text| {
        let random = || {
            let (count, plies) = text.strip_prefix("random:")?.split_once(",plies=")?;
            let (low, high) = plies.split_once('-')?;
            let count = count.parse().ok()?;
            let (low, high): (u32, u32) = (low.parse().ok()?, high.parse().ok()?);
            let possible = 5 <= low && low <= high && high <= 40;
            possible.then_some(Openings { count, source: Source::Random(low..=high) })
        };
        let listed = || {
            let (count, openings) = text.strip_suffix(']')?.split_once(" of [")?;
            let openings: Vec<String> = openings.split(", ").map(str::to_owned).collect();
            let (number, count) = (openings.len(), count.parse().ok()?);
            (number <= MAX_LISTED).then_some(Openings { count, source: Source::Listed(openings) })
        };
        match text {
            "start" => Ok(Openings::START),
            _ => random().or_else(listed).ok_or_else(|| FORMS.into()),
        }
    },
    |Openings { count, source }| match source {
        Source::Start => "start".into(),
        Source::Random(plies) => format!("random:{count},plies={}-{}", plies.start(), plies.end()),
        Source::File(_, text) => text.clone(),
        Source::Listed(openings) => format!("{count} of [{}]", openings.join(", ")),
    }
);
