//! A file of games for whoever looks on: its games are counted, none is kept in memory, and no player is made.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use rayon::prelude::*;

use super::heading::Heading;
use super::read_line;
use crate::contest::{Finished, pair_score};
use crate::game::GameResult;
use crate::pentanomial::Pentanomial;
use crate::sprt::{Decision, Sprt};
use mancala::game::with_game;

/// Bytes of the longest line that is a game.
const LONGEST_LINE: u64 = 1 << 16;
/// Games that are replayed at a time.
const AT_A_TIME: usize = 4096;

/// The games of a file, as far as it was read. They are read on where reading ended.
#[derive(Debug, Clone)]
pub struct KeptGames {
    heading: Heading,
    /// Where the games begin, in bytes, and where each of them ends.
    bounds: Vec<u64>,
    meetings: Vec<Meetings>,
    /// All pairs, as a sequential test counts them.
    pairs: Pentanomial,
    walk: Vec<f64>,
    decision: Decision,
    /// The last game, if its partner is not there yet.
    single: Option<Finished>,
    wrong: Option<WrongGame>,
}

/// What two players that meet come to. The last game counts only with its partner, since the pair is the unit of
/// statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Meetings {
    /// The pairs by the first player's score.
    pub pairs: Pentanomial,
    /// Games that the first player won.
    pub wins: u64,
    /// Games that neither won.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
}

/// A line that is not the game which should stand there. Nothing after it is read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct WrongGame {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl Meetings {
    fn add(&mut self, pair: [&Finished; 2]) {
        self.pairs.add(pair_score(pair));
        for game in pair {
            *match game.result() {
                GameResult::Win => &mut self.wins,
                GameResult::Draw => &mut self.draws,
                GameResult::Loss => &mut self.losses,
            } += 1;
        }
    }
}

impl KeptGames {
    /// No games yet, of a file that begins with this heading, which has so many bytes.
    pub fn new(heading: Heading, bytes: u64) -> KeptGames {
        KeptGames {
            meetings: vec![Meetings::default(); heading.pairings.len()],
            heading,
            bounds: vec![bytes],
            pairs: Pentanomial::default(),
            walk: Vec::new(),
            decision: Decision::Undecided,
            single: None,
            wrong: None,
        }
    }

    /// What the games depend on.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// Whole games that were read.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the last of them ends, in bytes: what follows is not read yet.
    pub fn end(&self) -> u64 {
        self.bounds[self.len()]
    }

    /// Where the games of these numbers, from 0, stand in the file, in bytes.
    pub fn place(&self, games: Range<usize>) -> Range<u64> {
        let [from, to] = [games.start, games.end].map(|it| self.bounds[it.min(self.len())]);
        from..to
    }

    /// What the players of each pairing come to.
    pub fn meetings(&self) -> &[Meetings] {
        &self.meetings
    }

    /// The log-likelihood ratio of the sequential test after each pair, up to the one that decides; empty if there is
    /// no test.
    pub fn walk(&self) -> &[f64] {
        &self.walk
    }

    /// What the sequential test decides.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// The line that is no game, if there is one.
    pub fn wrong(&self) -> Option<&WrongGame> {
        self.wrong.as_ref()
    }

    /// Whether there is nothing more to play.
    pub fn is_complete(&self) -> bool {
        self.len() >= self.heading.games() || self.decision != Decision::Undecided
    }

    /// Reads what follows the last game. A last line that is cut off is left for the next time: somebody may be
    /// writing it.
    ///
    /// # Errors
    /// The operating system's.
    pub fn read_on(&mut self, source: &mut impl BufRead) -> io::Result<()> {
        let mut more = true;
        while more && self.wrong.is_none() {
            let lines;
            (lines, more) = some_lines(source)?;
            let first = self.len();
            let games: Vec<_> = lines
                .par_iter()
                .enumerate()
                .map(|(number, line)| self.game(line, first + number))
                .collect();
            for (game, line) in games.into_iter().zip(&lines) {
                if let Err(reason) = game.and_then(|game| self.add(game, line.len() as u64)) {
                    let line = self.heading_lines() + self.len() + 1;
                    self.wrong = Some(WrongGame { line, reason });
                    break;
                }
            }
        }
        Ok(())
    }

    /// The games of a piece of the file, the first of which has this number, from 0.
    ///
    /// # Errors
    /// If it holds something else.
    pub fn read(&self, piece: &[u8], first: usize) -> Result<Vec<Finished>, String> {
        let lines = piece.split_inclusive(|byte| *byte == b'\n').enumerate();
        lines.map(|(number, line)| self.game(line, first + number)).collect()
    }

    fn heading_lines(&self) -> usize {
        let text = self.heading.to_string();
        text.lines().count()
    }

    /// The game of a line with its end.
    fn game(&self, line: &[u8], index: usize) -> Result<Finished, String> {
        let whole = line.strip_suffix(b"\n").ok_or("the line is longer than any game")?;
        let line = std::str::from_utf8(whole).map_err(|_| "it is no text")?;
        if index >= self.heading.games() {
            return Err(format!("the contest has no more than {index} games"));
        }
        let of = self.heading.games_of_pairing();
        with_game!(self.heading.game, game => read_line(line, index, game, of))
    }

    fn add(&mut self, game: Finished, bytes: u64) -> Result<(), String> {
        match self.single.take() {
            Some(first) if first.opening != game.opening => {
                let (number, opening) = (game.index + 1, &game.opening);
                self.single = Some(first);
                return Err(format!(
                    "game {number} begins from {opening}, which is not its partner's opening"
                ));
            }
            Some(first) => self.add_pair([&first, &game]),
            None => self.single = Some(game),
        }
        self.bounds.push(self.end() + bytes);
        Ok(())
    }

    fn add_pair(&mut self, pair: [&Finished; 2]) {
        self.meetings[pair[0].pairing].add(pair);
        self.pairs.add(pair_score(pair));
        if let Some(sprt) = self.heading.sprt.filter(|_| self.decision == Decision::Undecided) {
            self.judge(sprt);
        }
    }

    fn judge(&mut self, sprt: Sprt) {
        let judgement = sprt.judge(self.pairs);
        self.walk.push(judgement.llr);
        self.decision = judgement.decision;
    }
}

/// The next lines with their ends, so many at most, and whether more may follow. The last may be cut off, and is then
/// left out, unless it is longer than any game.
fn some_lines(source: &mut impl BufRead) -> io::Result<(Vec<Vec<u8>>, bool)> {
    let mut lines = Vec::new();
    while lines.len() < AT_A_TIME {
        let mut line = Vec::new();
        source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        let is_whole = line.ends_with(b"\n");
        if is_whole || line.len() as u64 == LONGEST_LINE {
            lines.push(line);
        }
        if !is_whole {
            return Ok((lines, false));
        }
    }
    Ok((lines, true))
}

#[cfg(test)]
mod tests;
