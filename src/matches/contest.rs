//! Plays the games of a match or a tournament. Games can be kept in a file, from which the contest resumes, and a
//! sequential test can end a match early.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena::player::{self, PlayableGame};
use arena::{
    Contest, Finished, Form, GamesFile, Heading, Openings, Pentanomial, Sprt, Team, pair_score,
};
use evolve::run::StopFile;
use mancala::progress::Progress;
use mancala::store::Log;

use super::openings::OpeningsChoice;
use crate::analyse::bestmove::player_error;
use crate::terminal::error::usage;
use crate::terms::Terms;

/// A contest that can be played.
pub struct Setup<G: PlayableGame> {
    pub(super) form: Form,
    pub(super) teams: Vec<Team<G>>,
    game: G,
    openings: Openings<G::Position>,
    pub(super) openings_text: String,
    pub(super) sprt: Option<Sprt>,
}

/// Progress of a contest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContestProgress {
    /// Finished games.
    pub games: usize,
    /// Games of the whole contest.
    pub of: usize,
    /// Games read from the file.
    pub found: usize,
    /// Finished pairs of a match.
    pub pairs: Option<Pentanomial>,
    /// The log-likelihood ratio of the test and the bounds at which it ends.
    pub llr: Option<(f64, (f64, f64))>,
}

/// The games that were played.
pub struct ContestOutcome {
    /// In the order of their numbers.
    pub games: Vec<Finished>,
    /// Whether games are missing.
    pub interrupted: bool,
    /// The error that ended the contest. The games before it count.
    pub error: Option<anyhow::Error>,
}

impl<G: PlayableGame> Setup<G> {
    /// Prepares a contest between players, given by specifications.
    pub fn new(
        form: Form,
        players: &[String],
        game: G,
        openings: &OpeningsChoice,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<Setup<G>> {
        let players = players.iter().map(|spec| player::in_full(spec).map_err(player_error));
        let players = players.collect::<anyhow::Result<Vec<String>>>()?;
        let twice = (1..players.len()).find(|&at| players[..at].contains(&players[at]));
        if let Some(at) = twice.filter(|_| form != Form::Match) {
            return Err(usage(format!("player {} is named twice", players[at])));
        }
        let teams = players.iter().map(|spec| Team::new(spec, game).map_err(player_error));
        let teams = teams.collect::<anyhow::Result<_>>()?;
        let openings_text = openings.to_string();
        Ok(Setup { form, teams, game, openings: openings.load(game)?, openings_text, sprt })
    }

    /// Names the contest in progress messages.
    pub fn title(&self) -> String {
        let players: Vec<&str> = self.teams.iter().map(Team::spec).collect();
        match self.form {
            Form::Match => format!("match {}", players.join(" ")),
            Form::Gauntlet | Form::RoundRobin => format!("tournament of {} players", players.len()),
        }
    }

    /// Games of the whole contest.
    pub fn games(&self) -> usize {
        self.contest().len()
    }

    pub(super) fn contest(&self) -> Contest<'_, G> {
        let pairings = self.form.pairings(self.teams.len());
        Contest { teams: &self.teams, pairings, game: self.game, openings: &self.openings }
    }

    pub(super) fn terms(&self) -> Terms {
        self.game.into().into()
    }

    pub(super) fn reproducible(&self) -> bool {
        self.teams.iter().all(Team::reproducible)
    }

    /// Plays on the threads of the current rayon pool until all games are finished, the test decides, or `progress` or
    /// a stop file next to the file of games ends the contest. Games found in the file are not played again.
    ///
    /// # Errors
    /// If the file belongs to another contest. A later error is part of the outcome.
    pub fn play(
        &self,
        file: Option<&Path>,
        progress: &dyn Progress,
        follow: &mut (dyn FnMut(ContestProgress) + Send),
    ) -> anyhow::Result<ContestOutcome> {
        let contest = self.contest();
        // A stop file that was left is removed before the file of games is opened, since a new stop file
        // may appear from then on.
        let stop = StopOnFile::new(progress, file);
        let (mut file, found) = match file {
            None => (None, Vec::new()),
            Some(path) => {
                let heading = Heading::new(self.form, &contest, &self.openings_text, self.sprt);
                let (file, found) = GamesFile::open(path, &heading, &contest)?;
                (Some(file), found)
            }
        };
        let mut state = State {
            setup: self,
            of: self.games(),
            games: Vec::new(),
            pairs: Pentanomial::default(),
        };
        for game in found {
            if state.is_decided() {
                break;
            }
            state.add(game);
        }
        let found = state.games.len();
        let mut error = None;
        if !state.is_decided() {
            follow(state.progress(found));
            let played: anyhow::Result<()> = contest.play(found, &stop, &mut |game| {
                if let Some(file) = &mut file {
                    file.add(&game)?;
                }
                state.add(game);
                follow(state.progress(found));
                let is_decided = state.is_decided();
                Ok(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            });
            error = played.err();
        }
        let flushed = file.as_mut().map_or(Ok(()), GamesFile::flush);
        stop.remove_file();
        let error = error.or(flushed.err().map(anyhow::Error::from));
        let unfinished = state.games.len() < contest.len() && !state.is_decided();
        let interrupted = unfinished && (error.is_some() || stop.should_stop());
        Ok(ContestOutcome { games: state.games, interrupted, error })
    }
}

/// The finished games of a contest.
struct State<'a, G: PlayableGame> {
    setup: &'a Setup<G>,
    /// Number of games of the contest.
    of: usize,
    games: Vec<Finished>,
    pairs: Pentanomial,
}

impl<G: PlayableGame> State<'_, G> {
    fn add(&mut self, game: Finished) {
        self.games.push(game);
        if let (_, [first, second]) =
            self.games.as_slice().split_at(self.games.len().saturating_sub(2))
            && self.games.len().is_multiple_of(2)
        {
            self.pairs.add(pair_score([first, second]));
        }
    }

    /// Whether the test has a result. Only complete pairs are tested.
    fn is_decided(&self) -> bool {
        self.games.len().is_multiple_of(2)
            && self.setup.sprt.is_some_and(|sprt| sprt.judge(self.pairs).is_final())
    }

    fn progress(&self, found: usize) -> ContestProgress {
        let Setup { form, sprt, .. } = self.setup;
        ContestProgress {
            games: self.games.len(),
            of: self.of,
            found,
            pairs: (*form == Form::Match).then_some(self.pairs),
            llr: sprt.map(|sprt| (sprt.llr(&self.pairs), sprt.bounds())),
        }
    }
}

/// How often the stop file is looked for.
const STOP_FILE_INTERVAL: Duration = Duration::from_millis(500);

/// A progress that also stops once a stop file appears next to the file of games.
struct StopOnFile<'a> {
    progress: &'a dyn Progress,
    file: Option<StopFile>,
    begun: Instant,
    /// Milliseconds from `begun` until the file is looked for again.
    next: AtomicU64,
    is_stopped: AtomicBool,
}

impl<'a> StopOnFile<'a> {
    /// Removes a stop file that was left, unless another process plays: the file is for that process.
    fn new(progress: &'a dyn Progress, games: Option<&Path>) -> StopOnFile<'a> {
        let stop = StopOnFile {
            progress,
            file: games.map(StopFile::beside),
            begun: Instant::now(),
            next: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
        };
        if games.is_some_and(|games| !Log::is_open(games)) {
            stop.remove_file();
        }
        stop
    }

    /// Removes the file at the end of the contest, before the lock on the games is released. A file that cannot be
    /// removed ends the next match at once, as interrupted; no game is lost.
    fn remove_file(&self) {
        if let Some(file) = &self.file {
            let _ = file.remove();
        }
    }

    /// Whether the file should be looked for now; true for one of all threads.
    fn is_due(&self) -> bool {
        let now = self.begun.elapsed().as_millis() as u64;
        let next = self.next.load(Ordering::Relaxed);
        let after = now + STOP_FILE_INTERVAL.as_millis() as u64;
        now >= next
            && self.next.compare_exchange(next, after, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

impl Progress for StopOnFile<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        if let Some(file) = &self.file
            && !self.is_stopped.load(Ordering::Relaxed)
            && self.is_due()
            && file.exists()
        {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        self.is_stopped.load(Ordering::Relaxed) || self.progress.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_stop_file_ends_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("a.games");
        let file = StopFile::beside(&games);
        file.create().unwrap();
        let stop = StopOnFile::new(&(), Some(&games));
        assert!(!file.exists() && !stop.should_stop());
        file.create().unwrap();
        assert!(!stop.should_stop(), "the file is looked for only now and then");
        std::thread::sleep(STOP_FILE_INTERVAL);
        assert!(stop.should_stop());
        stop.remove_file();
        assert!(!file.exists() && stop.should_stop());
    }

    #[test]
    fn the_stop_file_of_another_process_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("a.games");
        let _other = Log::open(&games).unwrap().unwrap();
        let file = StopFile::beside(&games);
        file.create().unwrap();
        let _refused = StopOnFile::new(&(), Some(&games));
        assert!(file.exists());
    }
}
