//! Plays the games of a match or a tournament. The games can be saved to a file, so that the contest can be resumed
//! later. A sequential test may end a match before all of its games are played.

use std::io::Write;
use std::path::Path;

use arena::player::PlayableGame;
use arena::{AdjudicatedBy, Contest, ContestGame, End, GameResult, GamesFile, Pentanomial};
use evolve::run::{StopFile, StopPolicy, Watched, watch_stop_file};
use mancala::progress::Progress;
use mancala::store::Log;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub struct ContestOutcome {
    /// The games, ordered by number.
    pub games: Vec<ContestGame>,
    /// Whether the contest was stopped before all games were played.
    pub interrupted: bool,
    /// The error that ended the contest, if any. The games that finished before the error are still valid.
    pub error: Option<anyhow::Error>,
}

/// Plays the contest on the current rayon pool until all games are finished, the sequential test has reached a
/// decision, or `progress` or a stop file (next to the games file) requests a stop. Games that are saved in the file
/// aren't played again. `follow` receives the games so far and the results of the complete game pairs.
///
/// # Errors
/// Fails if the file can't be opened or belongs to another contest. Errors during the games are part of the outcome.
pub fn play<G: PlayableGame>(
    contest: &Contest<G>,
    file: Option<&Path>,
    progress: &dyn Progress,
    follow: &mut (dyn FnMut(&[ContestGame], Pentanomial) + Send),
) -> anyhow::Result<ContestOutcome> {
    let stop = StopPolicy::new(None);
    let watched = Watched { progress, stop: &stop };
    let progress = watched.at_once();
    let stop_file = file.map(StopFile::beside);
    // Remove a leftover stop file before opening the games file, because a new one may appear at any time after that.
    // If another process is playing the contest, the stop file is meant for that process.
    if file.is_some_and(|games| !Log::is_open(games)) {
        let _ = stop_file.as_ref().map(StopFile::remove);
    }
    let (mut file, mut games) = match file {
        None => (None, Vec::new()),
        Some(path) => {
            let (file, found) = GamesFile::open(path, contest)?;
            (Some(file), found)
        }
    };
    let saved = games.len();
    let mut add = |games: &[ContestGame], pairs| {
        if let (Some(file), [.., game]) = (&mut file, &games[saved..]) {
            file.add(game)?;
        }
        follow(games, pairs);
        Ok(())
    };
    let mut play = || contest.play(&mut games, &progress, &mut add);
    let finished: anyhow::Result<bool> = match &stop_file {
        None => play(),
        Some(stop_file) => watch_stop_file(stop_file, || stop.request(), || (), play),
    };
    let flushed = file.as_mut().map_or(Ok(()), GamesFile::flush);
    // Remove the stop file before unlocking the games file. If that fails, the next match stops, but no game is lost.
    let _ = stop_file.as_ref().map(StopFile::remove);
    let interrupted = !matches!(finished, Ok(true));
    let error = finished.err().or(flushed.err().map(anyhow::Error::from));
    Ok(ContestOutcome { games, interrupted, error })
}

/// The adjudication rules, with the number of games that each rule decided (see [`AdjudicatedGames`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdjudicationResult {
    pub settings: Value,
    pub rules: Vec<AdjudicatedGames>,
}

/// The number of games that a rule decided or, with `--adjudicate-study`, would have decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicatedGames {
    pub rule: AdjudicatedBy,
    pub games: u64,
    /// With `--adjudicate-study`, the number of results that the rule would have changed.
    pub changed: Option<u64>,
    /// With `--adjudicate-study`, the number of plies that the rule would have saved.
    pub plies_saved: Option<u64>,
}

impl AdjudicationResult {
    /// Counts the games decided by each rule, excluding incomplete pairs. Returns `None` if no rule is set.
    pub(super) fn new<G: PlayableGame>(
        contest: &Contest<G>,
        games: &[ContestGame],
    ) -> Option<AdjudicationResult> {
        let adjudication = &contest.adjudication;
        let games = games.as_chunks::<2>().0.as_flattened();
        let rule = |rule: AdjudicatedBy| {
            let ended = games.iter().filter(|game| game.end == End::Adjudicated(rule)).count();
            let (mut studied, mut changed, mut saved) = (0, 0, 0);
            for game in games {
                let Some(study) = game.study.filter(|study| study.by == rule) else { continue };
                studied += 1;
                changed +=
                    u64::from(GameResult::of(study.verdict(), game.side_of_first) != game.result);
                saved += (game.line.len() - study.plies) as u64;
            }
            let in_study = |count| adjudication.is_study.then_some(count);
            let (games, changed) = (ended as u64 + studied, in_study(changed));
            AdjudicatedGames { rule, games, changed, plies_saved: in_study(saved) }
        };
        let rules = adjudication.rules().into_iter().map(rule).collect();
        Some(AdjudicationResult { settings: adjudication.to_json()?, rules })
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for AdjudicatedGames { rule, games, changed, plies_saved } in &self.rules {
            match changed.zip(*plies_saved) {
                None => writeln!(out, "adjudicated   {games} games by {rule}")?,
                Some((changed, plies)) => writeln!(
                    out,
                    "study         {games} games ended by {rule}, {changed} results changed, {plies} plies saved"
                )?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use arena::{Form, PlayerPool, Suite};
    use mancala::game::ayo::Ayo;

    use super::*;

    #[test]
    fn the_stop_file_of_another_process_is_left_and_an_old_one_removed() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("a.games");
        let file = StopFile::beside(&games);
        let game = Ayo::default();
        let players = ["greedy", "random"].map(|spec| PlayerPool::new(spec, game).unwrap()).into();
        let openings = Suite::Plies(1).openings(game).unwrap();
        let contest = Contest::new(Form::Match, players, game, openings, "plies:1".into());
        file.create().unwrap();
        let other = Log::open(&games).unwrap().unwrap();
        assert!(play(&contest, Some(&games), &(), &mut |_, _| ()).is_err() && file.exists());
        drop(other);
        let outcome =
            play(&contest, Some(&games), &(), &mut |_, _| assert!(!file.exists())).unwrap();
        assert!(!outcome.interrupted && outcome.games.len() == 12);
    }
}
