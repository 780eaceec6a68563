//! Reads and counts the games in a games file, to which another process may still be appending.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use rayon::prelude::*;

use crate::contest::ContestGame;
use crate::game::GameResult;
use crate::games_file::{Heading, HeadingError};
use crate::pentanomial::{PairScore, Pentanomial};
use crate::sprt::Judgement;

/// The number of bytes after which we stop reading a line, because it's too long for a game.
pub(crate) const MAX_LINE: u64 = 1 << 16;
/// The number of games that we replay in parallel at a time.
const BATCH: usize = 4096;

/// Statistics of the games that have been read from a file so far. The games themselves are not kept in memory.
#[derive(Debug, Clone)]
pub struct SavedGames {
    /// The header of the file, which describes the contest.
    pub heading: Heading,
    /// The byte offset of the first game, followed by the offset of the end of each game.
    bounds: Vec<u64>,
    /// The result of each pairing, in the same order as in the heading.
    pub results: Vec<PairingResult>,
    /// The state of the sequential test. Pairs that were played after the test accepted a hypothesis don't count.
    pub judgement: Option<Judgement>,
    /// The log-likelihood ratio after each complete pair, until the test accepts a hypothesis.
    pub llr_history: Vec<f64>,
    /// The last game, if the other game of its pair hasn't been read yet.
    unpaired: Option<ContestGame>,
    /// The error for the first line that isn't a valid game. We don't read the lines after the error.
    pub error: Option<LineError>,
}

/// The score of a pairing. A game only counts once its pair is complete, because statistics are computed from pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairingResult {
    /// The number of games that the first player won.
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The scores of the pairs of games, from the first player's point of view.
    pub pairs: Pentanomial,
}

/// The error for a line that isn't a valid game, or that isn't the next game of the contest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct LineError {
    /// The line number, counted from 1.
    pub line: usize,
    pub reason: String,
}

impl SavedGames {
    /// Creates an empty list of games for a file whose header is `bytes` bytes long.
    pub fn new(heading: Heading, bytes: u64) -> SavedGames {
        SavedGames {
            results: vec![PairingResult::default(); heading.pairings.len()],
            judgement: heading.sprt.map(|sprt| sprt.judge(Pentanomial::default())),
            heading,
            bounds: vec![bytes],
            llr_history: Vec::new(),
            unpaired: None,
            error: None,
        }
    }

    pub fn read_all(bytes: &[u8]) -> Result<SavedGames, HeadingError> {
        let (heading, end) = Heading::read(bytes)?;
        let mut games = SavedGames::new(heading, end as u64);
        games.read_more(&mut &bytes[end..]).expect("reading from memory cannot fail");
        Ok(games)
    }

    /// Returns the number of games read so far.
    pub fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Returns the byte offset of the end of the last game.
    pub fn end(&self) -> u64 {
        self.bounds[self.count()]
    }

    /// Returns the byte range of the games with the given indices, counting from 0.
    pub fn range(&self, games: Range<usize>) -> Range<u64> {
        let [from, to] = [games.start, games.end].map(|it| self.bounds[it.min(self.count())]);
        from..to
    }

    pub fn is_complete(&self) -> bool {
        self.count() >= self.heading.games() || self.judgement.is_some_and(|it| it.is_final())
    }

    /// Reads the games that were added since the last call. An incomplete last line is left for the next call.
    pub fn read_more(&mut self, source: &mut impl BufRead) -> io::Result<()> {
        let mut more = true;
        while more && self.error.is_none() {
            let lines;
            (lines, more) = next_lines(source)?;
            let first = self.count();
            let games: Vec<_> = lines
                .par_iter()
                .enumerate()
                .map(|(number, line)| self.heading.read_game(line, first + number))
                .collect();
            for (game, line) in games.into_iter().zip(&lines) {
                if let Err(reason) = game.and_then(|game| self.add(game, line.len() as u64)) {
                    self.error = Some(LineError { line: self.count() + 2, reason });
                    break;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, game: ContestGame, bytes: u64) -> Result<(), String> {
        match self.unpaired.take() {
            None => self.unpaired = Some(game),
            Some(first) if first.opening == game.opening => self.add_pair([&first, &game]),
            Some(_) => {
                let (number, opening) = (game.index + 1, &game.opening);
                return Err(format!(
                    "game {number} starts from {opening}, unlike the other game of its pair"
                ));
            }
        }
        self.bounds.push(self.end() + bytes);
        Ok(())
    }

    fn add_pair(&mut self, pair: [&ContestGame; 2]) {
        let score = PairScore::of(pair.map(|game| game.result));
        let result = &mut self.results[pair[0].pairing];
        result.pairs.add(score);
        for game in pair {
            *match game.result {
                GameResult::Win => &mut result.wins,
                GameResult::Draw => &mut result.draws,
                GameResult::Loss => &mut result.losses,
            } += 1;
        }
        if let Some(judgement) = self.judgement.as_mut().filter(|it| !it.is_final()) {
            judgement.add(score);
            self.llr_history.push(judgement.llr);
        }
    }
}

/// Reads up to [`BATCH`] lines. Also returns whether there may be more lines. An incomplete last line is skipped,
/// unless it's [`MAX_LINE`] bytes long and therefore invalid anyway.
fn next_lines(source: &mut impl BufRead) -> io::Result<(Vec<Vec<u8>>, bool)> {
    let mut lines = Vec::new();
    while lines.len() < BATCH {
        let mut line = Vec::new();
        source.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        let is_complete = line.ends_with(b"\n");
        if is_complete || line.len() as u64 == MAX_LINE {
            lines.push(line);
        }
        if !is_complete {
            return Ok((lines, false));
        }
    }
    Ok((lines, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::PlayableGame;
    use crate::{Contest, Form, GamesFile, PlayerPool, SavedGame, Suite, Tally};
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;

    fn file<G: PlayableGame>(game: G, sprt: Option<&str>) -> (String, Vec<ContestGame>) {
        let specs = ["greedy", "random", "random:seed=2"];
        let players: Vec<_> =
            specs.iter().map(|spec| PlayerPool::new(spec, game).unwrap()).collect();
        let suite: Suite = "random:30,plies=4".parse().unwrap();
        let openings = suite.openings(game).unwrap();
        let sprt = sprt.map(|it| it.parse().unwrap());
        let contest = Contest::new(Form::RoundRobin, players, game, openings, suite.to_string());
        let contest = Contest { sprt, ..contest };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (mut file, mut games) = GamesFile::open(&path, &contest).unwrap();
        let mut add = |games: &[ContestGame], _| {
            games.last().map_or(Ok(()), |game| file.add(game)).unwrap();
            Ok::<_, crate::player::SpecError>(())
        };
        // We play all games, even after the test accepts a hypothesis.
        Contest { sprt: None, ..contest }.play(&mut games, &(), &mut add).unwrap();
        file.flush().unwrap();
        (std::fs::read_to_string(&path).unwrap(), games)
    }

    fn read(text: &str) -> SavedGames {
        SavedGames::read_all(text.as_bytes()).unwrap()
    }

    fn counts_are_those_of_the_games<G: PlayableGame>(game: G) {
        let (text, games) = file(game, None);
        let saved = read(&text);
        assert_eq!((&saved.error, saved.count(), saved.is_complete()), (&None, 180, true));
        assert_eq!(saved.end(), text.len() as u64);
        for (result, games) in saved.results.iter().zip(games.chunks(60)) {
            let Tally { pairs, wins, draws, losses, .. } = Tally::of(games);
            assert_eq!(*result, PairingResult { pairs, wins, draws, losses });
        }
        // The sum of an empty iterator would be "-0".
        assert_eq!(Tally::of(&[]).mean_plies.to_string(), "0");
        let range = saved.range(70..90);
        let part = &text.as_bytes()[range.start as usize..range.end as usize];
        let found = saved.heading.read_games(part, 70).unwrap();
        assert!(found.iter().map(SavedGame::from).eq(games[70..90].iter().map(SavedGame::from)));
        assert_eq!(saved.range(175..500), saved.range(175..180));
        assert!(saved.range(500..600).is_empty());
    }

    #[test]
    fn counts_are_those_of_the_games_in_every_game() {
        counts_are_those_of_the_games(Ayo::default());
        counts_are_those_of_the_games(Kalah::default());
    }

    #[test]
    fn a_growing_file_is_read_piece_by_piece() {
        let (text, _) = file(Ayo::default(), Some("elo0=0,elo1=400"));
        let whole = read(&text);
        assert!(!whole.llr_history.is_empty() && whole.llr_history.len() <= 90);
        let begin = text.find('\n').unwrap() + 1;
        let mut growing = read(&text[..begin]);
        for length in (begin..text.len()).step_by(197).chain([text.len()]) {
            let end = growing.end() as usize;
            growing.read_more(&mut &text.as_bytes()[end..length]).unwrap();
            assert_eq!(growing.error, None);
        }
        assert_eq!(growing.results, whole.results);
        assert_eq!(growing.llr_history, whole.llr_history);
        assert_eq!((growing.judgement, growing.end()), (whole.judgement, whole.end()));
    }

    #[test]
    fn reading_ends_at_the_first_line_that_is_not_a_game() {
        let (text, _) = file(Ayo::default(), None);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let fourth = lines[4];
        let opening = SavedGame::read(fourth.as_bytes()).unwrap().opening;
        let swapped = if fourth.contains("\"1-0\"") { ("1-0", "0-1") } else { ("0-1", "1-0") };
        for instead in [
            "no game\n".to_owned(),
            "\n".to_owned(),
            fourth.replace("\"game\":4", "\"game\":5"),
            fourth.replace("\"line\":\"", "\"line\":\"\\u001b[2J"),
            fourth.replace("\"nodes\"", "\"notes\""),
            fourth.replace(swapped.0, swapped.1),
            fourth.replace(&opening, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
            "x".repeat(1 << 17),
        ] {
            let saved = read(&(lines[..4].concat() + &instead + &lines[5..].concat()));
            let error = saved.error.as_ref().unwrap_or_else(|| panic!("{instead}"));
            assert_eq!((saved.count(), error.line), (3, 5), "{error}");
            assert!(!error.to_string().contains('\u{1b}'));
        }
        let twice = read(&(lines[..5].concat() + &lines[4..].concat()));
        assert_eq!((twice.count(), twice.error.unwrap().line), (4, 6));
        let beyond = read(&(text.clone() + fourth));
        assert!(beyond.error.unwrap().reason.contains("only 180 games"));
        let mut bytes = text.into_bytes();
        let last = bytes.len() - 3;
        bytes[last] = 0xff;
        assert_eq!(SavedGames::read_all(&bytes).unwrap().count(), 179);
    }
}
