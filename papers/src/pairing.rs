//! Matches between two Ayo players, with the options and output of the commands that play them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use arena::player::SpecError;
use arena::{Contest, ContestGame, Form, GamesFile, Heading, PlayerPool, Suite, Tally};
use clap::Args;
use mancala::game::ayo::{Ayo, Position, Rules};
use mancala::progress::{Part, Progress};
use mancala::store::FileError;
use mancala::text::Message;
use serde::Serialize;

use crate::partial::PartialResults;
use crate::terminal::{ProgressDisplay, WorkOptions, fail, player_error, say, shown};

/// Two players and the number of games between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// The question that the games are meant to answer, or the name of the opponent.
    pub question: String,
    /// The players' specifications. Results are from the first player's point of view.
    pub players: [String; 2],
    /// The number of games, which is even.
    pub games: usize,
    pub rules: Rules,
    /// The folder in which games are saved, so that the match can resume.
    pub folder: Option<PathBuf>,
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchResult {
    pub pairing: Pairing,
    pub tally: Tally,
}

/// Errors from playing a match.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    /// A player's specification is invalid, or the player cannot be started for every concurrent game.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The saved games belong to a different pairing.
    #[error(transparent)]
    Saved(#[from] Message),
    /// A game cannot be saved.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Converts a match error into a command error.
pub fn command_error(error: PairingError) -> anyhow::Error {
    match error {
        PairingError::Spec(error) => player_error(error),
        other => other.into(),
    }
}

impl Pairing {
    /// Creates a pairing. An odd number of games is rounded up to an even one.
    pub fn new(question: &str, players: [&str; 2], games: usize) -> Pairing {
        let players = players.map(str::to_owned);
        let (question, rules) = (question.into(), Rules::default());
        Pairing { question, players, games: games.next_multiple_of(2), rules, folder: None }
    }

    /// Sets the rules.
    #[must_use]
    pub fn under(self, rules: Rules) -> Pairing {
        Pairing { rules, ..self }
    }

    /// Plays the match, with openings that are sampled from `plies:4`. Returns `None` if interrupted.
    pub fn play(&self, progress: &dyn Progress) -> Result<Option<MatchResult>, PairingError> {
        let game = Ayo { rules: self.rules };
        let openings = Suite::Plies(4).sample(game, self.games / 2, 1).expect("1014 openings");
        let games = self.games(&openings, progress)?;
        Ok(games.map(|games| MatchResult { pairing: self.clone(), tally: Tally::of(&games) }))
    }

    /// Plays each opening twice. The first player moves first in games with even indices. Returns `None` if stopped.
    pub fn games(
        &self,
        openings: &[Position],
        progress: &dyn Progress,
    ) -> Result<Option<Vec<ContestGame>>, PairingError> {
        let game = Ayo { rules: self.rules };
        let [first, second] = &self.players;
        let players = vec![PlayerPool::new(first, game)?, PlayerPool::new(second, game)?];
        let (form, suite) = (Form::Match, "those of a study".into());
        let contest = Contest::new(form, players, game, openings.to_vec(), suite);
        let (mut file, mut games) = (None, Vec::new());
        if let Some(folder) = &self.folder {
            let heading = Heading::new(&contest).line();
            let name = format!("{:08x}.games", crc32fast::hash(heading.as_bytes()));
            let (opened, found) = GamesFile::open(&folder.join(name), &contest)?;
            (file, games) = (Some(opened), found);
        }
        let saved = games.len();
        let mut add = |games: &[ContestGame], _| match (&mut file, &games[saved..]) {
            (Some(file), [.., game]) => file.add(game).map_err(PairingError::from),
            _ => Ok(()),
        };
        let finished = contest.play(&mut games, progress, &mut add);
        file.as_mut().map_or(Ok(()), GamesFile::flush)?;
        Ok(finished?.then_some(games))
    }
}

/// Returns the total number of games in these pairings.
pub fn games_of(pairings: &[Pairing]) -> u64 {
    pairings.iter().map(|pairing| pairing.games as u64).sum()
}

/// Plays pairings in order. Returns `None` if interrupted. Progress counts the games of all pairings.
pub fn play_all(
    pairings: &[Pairing],
    progress: &dyn Progress,
) -> Result<Option<Vec<MatchResult>>, PairingError> {
    let of = games_of(pairings);
    let (mut results, mut before) = (Vec::new(), 0);
    for pairing in pairings {
        let part = Part { whole: progress, before, of };
        let Some(result) = pairing.play(&part)? else { return Ok(None) };
        results.push(result);
        before += pairing.games as u64;
    }
    Ok(Some(results))
}

/// A match result as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    pub question: String,
    /// The players' specifications. Results are from the first player's point of view.
    pub players: [String; 2],
    pub games: u64,
    /// The mean number of points per game.
    pub score: f64,
    /// The 95 % interval of the score.
    pub score_ci95: (f64, f64),
    pub elo: f64,
    /// The 95 % interval of the Elo difference.
    pub elo_ci95: (f64, f64),
    /// Each player's mean number of seeds per game.
    pub seeds: [f64; 2],
}

impl From<&MatchResult> for Answer {
    fn from(MatchResult { pairing, tally }: &MatchResult) -> Answer {
        let estimate = tally.pairs.estimate();
        Answer {
            question: pairing.question.clone(),
            players: pairing.players.clone(),
            games: tally.games,
            score: estimate.score,
            score_ci95: estimate.score_ci95,
            elo: estimate.elo,
            elo_ci95: estimate.elo_ci95,
            seeds: tally.mean_seeds,
        }
    }
}

/// Converts match results to JSON answers.
pub fn answers(results: &[MatchResult]) -> Vec<Answer> {
    results.iter().map(Answer::from).collect()
}

/// Prints two lines per pairing: the question with both players, and the result.
pub fn print(results: &[MatchResult], out: &mut dyn Write) -> anyhow::Result<()> {
    for MatchResult { pairing, tally } in results {
        let e = tally.pairs.estimate();
        let ([a, b], (low, high)) = (&pairing.players, e.elo_ci95);
        writeln!(out, "  {}: {a} v. {b}", pairing.question)?;
        let (score, from, to) = (e.score, e.score_ci95.0, e.score_ci95.1);
        writeln!(
            out,
            "    score {score:.3} ({from:.3} to {to:.3})  Elo {:+.0} ({low:+.0} to {high:+.0})  {} games",
            e.elo, tally.games,
        )?;
    }
    Ok(())
}

/// Options for commands that play matches.
#[derive(Debug, Args)]
pub struct MatchOptions {
    /// Games per question, from openings of plies:4
    #[arg(long, value_name = "N", default_value_t = 2028, value_parser = clap::value_parser!(u16).range(2..=2028))]
    games: u16,
    /// Folder in which the games of an interrupted study are saved, so that it can resume
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
    #[command(flatten)]
    work: WorkOptions,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl MatchOptions {
    pub fn games(&self) -> usize {
        self.games.into()
    }

    /// Runs a study and saves its games in a folder, which is removed once all games have been played. If interrupted,
    /// prints a message and returns `None`.
    pub fn play<T: Send>(
        &self,
        study: &str,
        play: impl FnOnce(&Path, &dyn Progress) -> Result<Option<T>, PairingError> + Send,
    ) -> anyhow::Result<Option<T>> {
        let partial = PartialResults::below(&self.out, study);
        report_resume(&partial, self.work.quiet);
        let display = ProgressDisplay::new("game", self.work.quiet)?;
        let folder = partial.create()?;
        let played = self.work.pool()?.install(|| play(folder, &display));
        display.finish();
        let Some(played) = played.map_err(command_error)? else {
            let folder = shown(folder);
            fail(format!("interrupted: the same command resumes with the games in {folder}"));
            return Ok(None);
        };
        partial.remove()?;
        // This fails if the folder contains other files, which is fine.
        let _ = fs::remove_dir(&self.out);
        Ok(Some(played))
    }
}

/// Sets the folder in which the games of each pairing are saved.
pub fn saved_in(folder: &Path, pairings: Vec<Pairing>) -> Vec<Pairing> {
    let saved = |pairing| Pairing { folder: Some(folder.to_owned()), ..pairing };
    pairings.into_iter().map(saved).collect()
}

/// Prints a message on standard error if the study resumes from saved games.
pub fn report_resume(partial: &PartialResults, quiet: bool) {
    if let (Some(folder), false) = (partial.existing(), quiet) {
        say(format!("resumes with the games in {}", shown(folder)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_games_are_not_played_again() {
        let folder = tempfile::tempdir().unwrap();
        let pairing = Pairing::new("", ["greedy", "random:seed=1"], 6);
        let saved = Pairing { folder: Some(folder.path().to_owned()), ..pairing.clone() };
        let files = || fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path());
        let tally = |pairing: &Pairing| pairing.play(&()).unwrap().unwrap().tally;
        let results = |it: &Tally| (it.wins, it.draws, it.losses, it.mean_seeds, it.mean_plies);
        let whole = tally(&saved);
        assert_eq!(results(&whole), results(&tally(&pairing)));
        // Simulate an interruption after two games.
        let file = files().next().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let third = text.find("{\"game\":3,").unwrap();
        fs::write(&file, &text[..third]).unwrap();
        let resumed = tally(&saved);
        assert_eq!(results(&resumed), results(&whole));
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert!(resumed.cost[0].clocked < whole.cost[0].clocked, "saved games take no time");
        // Other players get a separate file.
        let other = Pairing { players: ["greedy", "random:seed=2"].map(str::to_owned), ..saved };
        tally(&other);
        assert_eq!(files().count(), 2);
    }
}
