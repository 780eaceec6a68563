//! Plays the games of a match or a tournament. Games can be saved to a file from which the contest resumes, and a
//! sequential test can end a match early.

use std::ops::ControlFlow;
use std::path::Path;

use arena::player::{self, PlayableGame};
use arena::{
    Adjudication, Contest, ContestGame, Form, GamesFile, PairScore, Pentanomial, PlayerPool, Sprt,
};
use evolve::run::{StopFile, StopPolicy, Watched, watch_stop_file};
use mancala::progress::Progress;
use mancala::store::Log;

use super::openings::OpeningsChoice;
use crate::analyse::bestmove::player_error;
use crate::terminal::usage;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContestProgress {
    pub games: usize,
    /// Number of games in the whole contest.
    pub of: usize,
    /// Number of games read from the file.
    pub found: usize,
    /// Finished game pairs, if the contest is a match.
    pub pairs: Option<Pentanomial>,
    /// Log-likelihood ratio of the test, and the bounds at which the test ends.
    pub llr: Option<(f64, (f64, f64))>,
}

pub struct ContestOutcome {
    /// The games, ordered by number.
    pub games: Vec<ContestGame>,
    /// Whether the contest was stopped before all games were played.
    pub interrupted: bool,
    /// The error that ended the contest, if any. Games that were finished before it count.
    pub error: Option<anyhow::Error>,
}

/// Prepares a contest between players given by their specifications.
pub fn prepare<G: PlayableGame>(
    form: Form,
    players: &[String],
    game: G,
    openings: &OpeningsChoice,
    sprt: Option<Sprt>,
) -> anyhow::Result<Contest<G>> {
    let players = players.iter().map(|spec| player::in_full(spec).map_err(player_error));
    let players = players.collect::<anyhow::Result<Vec<String>>>()?;
    let twice = (1..players.len()).find(|&at| players[..at].contains(&players[at]));
    if let Some(at) = twice.filter(|_| form != Form::Match) {
        return Err(usage(format!("player {} is given twice", players[at])));
    }
    let players = players.iter().map(|spec| PlayerPool::new(spec, game).map_err(player_error));
    let players = players.collect::<anyhow::Result<Vec<_>>>()?;
    let (pairings, suite) = (form.pairings(players.len()), openings.to_string());
    let (openings, adjudication) = (openings.load(game)?, Adjudication::default());
    Ok(Contest { form, players, pairings, game, openings, suite, sprt, adjudication })
}

pub(super) fn title<G: PlayableGame>(contest: &Contest<G>) -> String {
    let players: Vec<&str> = contest.players.iter().map(|it| &*it.spec).collect();
    match contest.form {
        Form::Match => format!("match {}", players.join(" ")),
        Form::Gauntlet | Form::RoundRobin => format!("tournament of {} players", players.len()),
    }
}

/// Plays the contest on the threads of the current rayon pool until all games are finished, the test reaches a
/// decision, or `progress` or a stop file next to the games file stops it. Games that the file already contains are not
/// played again.
///
/// # Errors
/// If the file belongs to another contest. Errors that occur later are part of the outcome.
pub fn play<G: PlayableGame>(
    contest: &Contest<G>,
    file: Option<&Path>,
    progress: &dyn Progress,
    follow: &mut (dyn FnMut(ContestProgress) + Send),
) -> anyhow::Result<ContestOutcome> {
    let stop = StopPolicy::new(None);
    let watched = Watched { progress, stop: &stop };
    let progress = watched.at_once();
    let stop_file = file.map(StopFile::beside);
    // A leftover stop file must be removed before the file of games is opened, because from then on a new one may
    // appear. If another process is playing the contest, the stop file is meant for that process.
    if file.is_some_and(|games| !Log::is_open(games)) {
        remove(stop_file.as_ref());
    }
    let (mut file, found) = match file {
        None => (None, Vec::new()),
        Some(path) => {
            let (file, found) = GamesFile::open(path, contest)?;
            (Some(file), found)
        }
    };
    let mut state = State { contest, games: Vec::new(), pairs: Pentanomial::default() };
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
        let mut add = |game| {
            if let Some(file) = &mut file {
                file.add(&game)?;
            }
            state.add(game);
            follow(state.progress(found));
            let is_decided = state.is_decided();
            Ok(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let mut play = || contest.play(found, &progress, &mut add);
        let played: anyhow::Result<()> = match &stop_file {
            None => play(),
            Some(stop_file) => watch_stop_file(stop_file, || stop.request(), || (), play),
        };
        error = played.err();
    }
    let flushed = file.as_mut().map_or(Ok(()), GamesFile::flush);
    // Remove it before the lock on the games is released.
    remove(stop_file.as_ref());
    let error = error.or(flushed.err().map(anyhow::Error::from));
    let unfinished = state.games.len() < contest.len() && !state.is_decided();
    let interrupted = unfinished && (error.is_some() || progress.should_stop());
    Ok(ContestOutcome { games: state.games, interrupted, error })
}

/// Removes a stop file. If it cannot be removed, the next match stops immediately, but no game is lost.
fn remove(stop_file: Option<&StopFile>) {
    if let Some(file) = stop_file {
        let _ = file.remove();
    }
}

struct State<'a, G: PlayableGame> {
    contest: &'a Contest<G>,
    games: Vec<ContestGame>,
    pairs: Pentanomial,
}

impl<G: PlayableGame> State<'_, G> {
    fn add(&mut self, game: ContestGame) {
        self.games.push(game);
        if let (pairs, []) = self.games.as_chunks::<2>()
            && let Some([first, second]) = pairs.last()
        {
            self.pairs.add(PairScore::of([first.result(), second.result()]));
        }
    }

    /// Returns whether the test has reached a decision. Only complete pairs are tested.
    fn is_decided(&self) -> bool {
        self.games.len().is_multiple_of(2)
            && self.contest.sprt.is_some_and(|sprt| sprt.judge(self.pairs).is_final())
    }

    fn progress(&self, found: usize) -> ContestProgress {
        let Contest { form, sprt, .. } = self.contest;
        ContestProgress {
            games: self.games.len(),
            of: self.contest.len(),
            found,
            pairs: (*form == Form::Match).then_some(self.pairs),
            llr: sprt.map(|sprt| (sprt.llr(&self.pairs), sprt.bounds())),
        }
    }
}

#[cfg(test)]
mod tests {
    use mancala::game::ayo::Ayo;

    use super::*;

    #[test]
    fn the_stop_file_of_another_process_is_left_and_an_old_one_removed() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("a.games");
        let file = StopFile::beside(&games);
        let players = ["greedy", "random"].map(str::to_owned);
        let openings = OpeningsChoice { suite: "plies:1".parse().unwrap(), games: None, seed: 1 };
        let contest = prepare(Form::Match, &players, Ayo::default(), &openings, None).unwrap();
        file.create().unwrap();
        let other = Log::open(&games).unwrap().unwrap();
        assert!(play(&contest, Some(&games), &(), &mut |_| ()).is_err() && file.exists());
        drop(other);
        let outcome = play(&contest, Some(&games), &(), &mut |_| assert!(!file.exists())).unwrap();
        assert!(!outcome.interrupted && outcome.games.len() == 12);
    }
}
