//! Matches between two players of Ayo, and the options and tables of the commands that play them.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use arena::player::SpecError;
use arena::{
    Contest, Finished, Form, GamesError, GamesFile, GamesFileError, Heading, Openings, Suite,
    Tally, Team,
};
use clap::Args;
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::{Part, Progress};
use mancala::store::FileError;
use serde::Serialize;

use crate::terminal::{Watch, WorkOptions, fail, player_error, say, shown};
use crate::unfinished::Unfinished;

/// Two players, and the number of games between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// The question that the games settle.
    pub question: String,
    /// Specifications of the players. Results are those of the first.
    pub players: [String; 2],
    /// Games, an even number.
    pub games: usize,
    /// The rules.
    pub rules: Rules,
    /// A folder with the games played before, to which the others are added.
    pub folder: Option<PathBuf>,
}

/// A pairing with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// The pairing.
    pub pairing: Pairing,
    /// The figures of its games.
    pub tally: Tally,
}

/// Errors of a match.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    /// A specification is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A player cannot be started for all games that are played at once.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// Saved games belong to another pairing.
    #[error(transparent)]
    Kept(#[from] GamesFileError),
    /// A game cannot be saved.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The error of a command that plays matches.
pub fn failed(error: PairingError) -> anyhow::Error {
    match error {
        PairingError::Spec(error) => player_error(error),
        other => other.into(),
    }
}

impl Pairing {
    /// A pairing of this many games, rounded up to an even number.
    pub fn new(question: &str, players: [&str; 2], games: usize) -> Pairing {
        let players = players.map(str::to_owned);
        let (question, rules) = (question.into(), Rules::default());
        Pairing { question, players, games: games.next_multiple_of(2), rules, folder: None }
    }

    /// The pairing under other rules.
    #[must_use]
    pub fn under(self, rules: Rules) -> Pairing {
        Pairing { rules, ..self }
    }

    /// Plays the games from a sample of the openings of `plies:4`. Returns `None` if it was stopped.
    pub fn play(&self, progress: &dyn Progress) -> Result<Option<Settled>, PairingError> {
        let game = Ayo { rules: self.rules };
        let openings = Suite::Plies(4).openings(game).expect("1014 openings");
        let games = self.games(&openings.sample(self.games / 2, 1), progress)?;
        let settled =
            |games: Vec<Finished>| Settled { pairing: self.clone(), tally: Tally::of(&games) };
        Ok(games.map(settled))
    }

    /// Plays each opening twice; the first player moves first in the even games. Returns `None` if it was stopped.
    pub fn games(
        &self,
        openings: &Openings,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Finished>>, PairingError> {
        let game = Ayo { rules: self.rules };
        let [first, second] = &self.players;
        let teams = [Team::new(first, game)?, Team::new(second, game)?];
        let contest = Contest { teams: &teams, pairings: vec![[0, 1]], game, openings };
        let (mut file, mut games) = (None, Vec::new());
        if let Some(folder) = &self.folder {
            let heading = Heading::new(Form::Match, &contest, "those of a study", None);
            let name = format!("{:08x}.games", crc32fast::hash(heading.line().as_bytes()));
            let (opened, found) = GamesFile::open(&folder.join(name), &heading, &contest)?;
            (file, games) = (Some(opened), found);
        }
        let found = games.len();
        let mut add = |game| {
            file.as_mut().map_or(Ok(()), |file: &mut GamesFile| file.add(&game))?;
            games.push(game);
            Ok::<_, PairingError>(ControlFlow::Continue(()))
        };
        let played = if found < contest.len() {
            contest.play(found, &contest.local_games(), progress, &mut add)
        } else {
            Ok(())
        };
        file.as_mut().map_or(Ok(()), GamesFile::flush)?;
        played?;
        Ok((games.len() == contest.len()).then_some(games))
    }
}

/// Returns the number of games of some pairings.
pub fn games_of(pairings: &[Pairing]) -> u64 {
    pairings.iter().map(|pairing| pairing.games as u64).sum()
}

/// Plays pairings in order. Returns `None` if it was stopped. The progress counts the games of all.
pub fn play_all(
    pairings: &[Pairing],
    progress: &dyn Progress,
) -> Result<Option<Vec<Settled>>, PairingError> {
    let of = games_of(pairings);
    let (mut settled, mut before) = (Vec::new(), 0);
    for pairing in pairings {
        let part = Part { whole: progress, before, of };
        let Some(result) = pairing.play(&part)? else { return Ok(None) };
        settled.push(result);
        before += pairing.games as u64;
    }
    Ok(Some(settled))
}

/// A settled question in JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: String,
    /// Specifications of the players. The figures are those of the first.
    pub players: [String; 2],
    /// Games played.
    pub games: u64,
    /// Points per game.
    pub score: f64,
    /// The 95 % interval of the score.
    pub score_ci95: (f64, f64),
    /// The Elo difference.
    pub elo: f64,
    /// The 95 % interval of the Elo difference.
    pub elo_ci95: (f64, f64),
    /// Seeds per game of each player.
    pub seeds: [f64; 2],
}

impl From<&Settled> for Answer {
    fn from(Settled { pairing, tally }: &Settled) -> Answer {
        let estimate = tally.pairs.estimate();
        Answer {
            question: pairing.question.clone(),
            players: pairing.players.clone(),
            games: tally.games(),
            score: estimate.score,
            score_ci95: estimate.score_ci95,
            elo: estimate.elo,
            elo_ci95: estimate.elo_ci95,
            seeds: tally.mean_seeds,
        }
    }
}

/// Settled questions in JSON.
pub fn answers(settled: &[Settled]) -> Vec<Answer> {
    settled.iter().map(Answer::from).collect()
}

/// Prints two lines per pairing: the question with the players, and the result.
pub fn print(settled: &[Settled], out: &mut dyn Write) -> anyhow::Result<()> {
    for Settled { pairing, tally } in settled {
        let e = tally.pairs.estimate();
        let ([a, b], (low, high)) = (&pairing.players, e.elo_ci95);
        writeln!(out, "  {}: {a} v. {b}", pairing.question)?;
        let (score, from, to) = (e.score, e.score_ci95.0, e.score_ci95.1);
        writeln!(
            out,
            "    score {score:.3} ({from:.3} to {to:.3})  Elo {:+.0} ({low:+.0} to {high:+.0})  {} games",
            e.elo,
            tally.games(),
        )?;
    }
    Ok(())
}

/// Options of commands that play matches.
#[derive(Debug, Args)]
pub struct MatchOptions {
    /// Games that settle each question, from openings of plies:4
    #[arg(long, value_name = "N", default_value_t = 2028, value_parser = clap::value_parser!(u16).range(2..=2028))]
    games: u16,
    /// Folder that keeps the games until all are played, so that an interrupted study resumes
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

    /// Plays with the games kept in a folder, which is removed when the result is complete. Returns `None` if it was
    /// interrupted, after a line that says so.
    pub fn play<T: Send>(
        &self,
        study: &str,
        play: impl FnOnce(&Path, &dyn Progress) -> Result<Option<T>, PairingError> + Send,
    ) -> anyhow::Result<Option<T>> {
        let unfinished = Unfinished::below(&self.out, study);
        say_resuming(&unfinished, self.work.quiet);
        let watch = Watch::new("game", self.work.quiet)?;
        let folder = unfinished.made()?;
        let played = self.work.pool()?.install(|| play(folder, &watch));
        watch.finish();
        let Some(played) = played.map_err(failed)? else {
            let folder = shown(folder);
            fail(format!("interrupted: the same command resumes with the games in {folder}"));
            return Ok(None);
        };
        unfinished.remove()?;
        // It may have been created for these games alone. A folder with other files stays.
        let _ = fs::remove_dir(&self.out);
        Ok(Some(played))
    }
}

/// Returns the pairings with their games kept in a folder.
pub fn kept_in(folder: &Path, pairings: Vec<Pairing>) -> Vec<Pairing> {
    let kept = |pairing| Pairing { folder: Some(folder.to_owned()), ..pairing };
    pairings.into_iter().map(kept).collect()
}

/// Says on standard error that a study resumes, if it does.
pub fn say_resuming(unfinished: &Unfinished, quiet: bool) {
    if let (Some(folder), false) = (unfinished.begun(), quiet) {
        say(format!("resumes with the games in {}", shown(folder)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_games_are_not_played_again() {
        let folder = tempfile::tempdir().unwrap();
        let pairing = Pairing::new("", ["greedy", "random:seed=1"], 6);
        let kept = Pairing { folder: Some(folder.path().to_owned()), ..pairing.clone() };
        let files = || fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path());
        let tally = |pairing: &Pairing| pairing.play(&()).unwrap().unwrap().tally;
        let results = |it: &Tally| (it.wins, it.draws, it.losses, it.mean_seeds, it.mean_plies);
        let whole = tally(&kept);
        assert_eq!(results(&whole), results(&tally(&pairing)));
        // An interruption after two games.
        let file = files().next().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let third = text.find("{\"game\":3,").unwrap();
        fs::write(&file, &text[..third]).unwrap();
        let resumed = tally(&kept);
        assert_eq!(results(&resumed), results(&whole));
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert!(resumed.effort[0].clocked < whole.effort[0].clocked, "kept games take no time");
        // Other players have another file.
        let other = Pairing { players: ["greedy", "random:seed=2"].map(str::to_owned), ..kept };
        tally(&other);
        assert_eq!(files().count(), 2);
    }
}
