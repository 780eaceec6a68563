//! The course of a contest: what matches and tournaments share between the players and the report.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::interrupt::Interrupt;
use super::meter::{Meter, Verbosity, time_left};
use super::moves::player_error;
use super::openings::Choice;
use super::workers::Workers;
use crate::arena::{Contest, Finished, GamesError, GamesFile, Pentanomial, Sprt, Team, pair_score};
use crate::player::PlayableGame;
use crate::results::Played;
use mancala::game::AnyGame;
use mancala::progress::Progress;
use mancala::store::FileError;

/// What a contest may take and keep; no result depends on it, but where a player is limited by time.
#[derive(Debug, Args)]
pub(super) struct Effort {
    #[command(flatten)]
    workers: Workers,
    /// Keep every game in this file; the same command goes on where it stopped
    #[arg(long, value_name = "FILE")]
    pub(super) games_out: Option<PathBuf>,
}

/// The teams of player specifications.
pub(super) fn teams<G: PlayableGame>(specs: &[String], game: G) -> anyhow::Result<Vec<Team<G>>> {
    specs.iter().map(|spec| Team::new(spec, game).map_err(player_error)).collect()
}

/// What a contest depends on, a line each.
pub(super) fn heading<G: PlayableGame>(
    kind: &str,
    choice: &Choice,
    contest: &Contest<G>,
    sprt: Option<Sprt>,
) -> Vec<String> {
    let mut lines = vec![format!("ayo games 1: {kind}; the first player moves first in odd games")];
    for (number, team) in (1..).zip(contest.teams) {
        lines.push(format!("player {number}: {}", team.spec()));
        lines.push(format!("player {number} is {}", team.identity()));
    }
    let pairings = contest.pairings.iter().map(|[a, b]| format!("{}-{}", a + 1, b + 1));
    lines.push(format!("pairings: {}", pairings.collect::<Vec<_>>().join(" ")));
    let (word, terms) = Into::<AnyGame>::into(contest.game).terms();
    lines.push(format!("{word}: {terms}"));
    lines.push(format!("openings: {}", choice.describe()));
    let openings = contest.openings;
    let (count, checksum) = (openings.positions().len(), openings.checksum());
    lines.push(format!("positions: {count}, crc32 {checksum:08x}"));
    if let Some(sprt) = sprt {
        lines.push(format!("sprt: {sprt}"));
    }
    lines
}

/// The games of a contest, as far as it went.
pub(super) struct Course {
    /// In the order of their numbers.
    pub(super) games: Vec<Finished>,
    /// Whether it ended before its time.
    pub(super) interrupted: bool,
    /// What went wrong; the games up to then count all the same.
    trouble: Option<Trouble>,
}

/// What can end a contest before its time.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("{0}; try --threads 1")]
    Player(GamesError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<GamesError> for Trouble {
    fn from(error: GamesError) -> Trouble {
        Trouble::Player(error)
    }
}

impl Course {
    /// Plays a contest, or what its file of games lacks of it.
    pub(super) fn run<G: PlayableGame>(
        contest: &Contest<G>,
        effort: &Effort,
        heading: &[String],
        sprt: Option<Sprt>,
    ) -> anyhow::Result<Course> {
        let (interrupt, pool) = (Interrupt::listen()?, effort.workers.pool()?);
        let mut under_way = UnderWay::new(contest.len(), effort.workers.verbosity(), sprt);
        let mut file = None;
        if let Some(path) = &effort.games_out {
            let (opened, games) = GamesFile::open(path, heading, contest)?;
            file = Some(opened);
            under_way.take_over(games);
        }
        let played = pool.install(|| under_way.play(contest, &interrupt, file.as_mut()));
        under_way.meter.finish();
        // Games that were played are kept, whatever ended the contest.
        let saved = file.as_mut().map_or(Ok(()), GamesFile::flush);
        let trouble = played.err().or(saved.err().map(Trouble::File));
        let unfinished = under_way.games.len() < contest.len() && !under_way.decided();
        let interrupted = unfinished && (trouble.is_some() || interrupt.should_stop());
        let course = Course { games: under_way.games, interrupted, trouble };
        // Without a pair there is nothing to report but the trouble.
        if course.games.len() < 2 { course.without_trouble() } else { Ok(course) }
    }

    /// The games as results are made of them.
    pub(super) fn played<'a, G: PlayableGame>(
        &'a self,
        contest: &'a Contest<'a, G>,
        openings: &'a str,
    ) -> Played<'a, G> {
        Played { contest, openings, games: &self.games, interrupted: self.interrupted }
    }

    /// The course, if nothing went wrong. Asked after the report, so that what was played is not lost.
    pub(super) fn without_trouble(self) -> anyhow::Result<Course> {
        match self.trouble {
            Some(trouble) => Err(trouble.into()),
            None => Ok(self),
        }
    }
}

/// A contest that is being played.
struct UnderWay {
    games: Vec<Finished>,
    pairs: Pentanomial,
    sprt: Option<Sprt>,
    meter: Meter,
    begun: Instant,
    /// Games that were there when this process began.
    found: usize,
    all: usize,
}

impl UnderWay {
    fn new(games: usize, verbosity: Verbosity, sprt: Option<Sprt>) -> UnderWay {
        UnderWay {
            games: Vec::new(),
            pairs: Pentanomial::default(),
            sprt,
            meter: Meter::new(games as u64, verbosity),
            begun: Instant::now(),
            found: 0,
            all: games,
        }
    }

    /// Counts the games that a file holds, no further than the test needs.
    fn take_over(&mut self, games: Vec<Finished>) {
        for game in games {
            if self.decided() {
                break;
            }
            self.count(game);
        }
        self.found = self.games.len();
    }

    fn play<G: PlayableGame>(
        &mut self,
        contest: &Contest<G>,
        interrupt: &Interrupt,
        mut file: Option<&mut GamesFile>,
    ) -> Result<(), Trouble> {
        if self.decided() {
            return Ok(());
        }
        let games = contest.local_games();
        contest.play(self.found, &games, interrupt, &mut |game| {
            if let Some(file) = &mut file {
                file.add(&game)?;
            }
            self.count(game);
            self.show();
            Ok(if self.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }

    fn count(&mut self, game: Finished) {
        self.games.push(game);
        if let [.., first, second] = self.games.as_slice()
            && self.games.len().is_multiple_of(2)
        {
            self.pairs.add(pair_score([first, second]));
        }
    }

    /// Whether the sequential test has seen enough; only whole pairs are judged.
    fn decided(&self) -> bool {
        self.games.len().is_multiple_of(2)
            && self.sprt.is_some_and(|sprt| sprt.judge(self.pairs).is_final())
    }

    fn show(&self) {
        let (done, all) = (self.games.len(), self.all);
        let here = (done - self.found) as u64;
        let left = time_left(self.begun, here, (all - self.found) as u64);
        let llr = self.sprt.map(|sprt| format!("  llr {:.2}", sprt.llr(&self.pairs)));
        let llr = llr.unwrap_or_default();
        self.meter.set_position(done as u64);
        self.meter.say(format!("game {done}/{all}{llr}  {left} left"));
    }
}
