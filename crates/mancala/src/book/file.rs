//! Books as files.
//!
//! A file holds the order in which positions were expanded and what the search said of each new one. Reading
//! it plays the moves again, so a file cannot hold an illegal move, a position twice or a wrong value of what
//! follows from others.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Book, Terms};
use crate::eval::Score;
use crate::game::ayo::RulesError;
use crate::game::{AnyGame, Notated};
use crate::store::{self, FileError, Frame, FrameError};

pub(super) const FRAME: Frame = Frame { kind: *b"BOOK", version: 1 };

/// Why a book cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read at all.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is damaged, or no book.
    #[error("{} {error}", path.display())]
    Frame {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FrameError,
    },
    /// Its content contradicts itself: a program wrote it wrong.
    #[error("{} is no book: {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// It is of another game or of other rules.
    #[error("{} is a book for {found}, not for {expected}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// What the book is for: `rules awari`, `game kalah`.
        found: String,
        /// What it is wanted for.
        expected: String,
    },
}

/// A file whose bytes are undamaged, before its moves are played.
#[derive(Debug, Clone)]
pub struct BookFile {
    path: PathBuf,
    game: AnyGame,
    content: Content,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Content {
    /// The [terms](AnyGame::terms) of the game.
    pub(super) game: (String, String),
    pub(super) terms: Terms,
    /// The nodes that were expanded, by the order in which they entered.
    pub(super) expanded: Vec<u32>,
    /// Scores of the nodes that were valued, in the same order.
    pub(super) searched: Vec<i32>,
    /// Scores of a round that was interrupted.
    pub(super) begun: Vec<Option<i32>>,
}

impl BookFile {
    /// Whether a file that begins with these bytes is meant as a book; its frame says so in the first eight.
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        FRAME.is_begun_by(bytes)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged or names no game.
    pub fn read(path: &Path) -> Result<BookFile, BookError> {
        BookFile::of_bytes(&store::read(path)?, path)
    }

    /// The file with these bytes; errors call it `path`.
    ///
    /// # Errors
    /// If it is damaged or names no game.
    pub fn of_bytes(bytes: &[u8], path: &Path) -> Result<BookFile, BookError> {
        let refused = |error| BookError::Frame { path: path.into(), error };
        let content: Content = FRAME.decode(bytes).map_err(refused)?;
        let game = named(&content.game).map_err(|what| damaged(path, what))?;
        Ok(BookFile { path: path.into(), game, content })
    }

    /// The game that it is of.
    pub fn game(&self) -> AnyGame {
        self.game
    }

    /// The book, which must be of this game.
    ///
    /// # Errors
    /// If it is of another, or contradicts itself.
    pub fn book<G: Notated>(self, game: G) -> Result<Book<G>, BookError> {
        let BookFile { path, game: found, content } = self;
        if found != game.into() {
            let [found, expected] = [found, game.into()].map(|it| {
                let (word, text) = it.terms();
                format!("{word} {text}")
            });
            return Err(BookError::Game { path, found, expected });
        }
        content.book(game).map_err(|what| damaged(&path, what))
    }
}

/// The game of these terms.
fn named((word, text): &(String, String)) -> Result<AnyGame, String> {
    match word.as_str() {
        "rules" => {
            AnyGame::default().with_rules(text.parse().map_err(|e: RulesError| e.to_string())?)
        }
        "game" => text.parse(),
        _ => Err(format!("it names {word} and not its game")),
    }
}

fn damaged(path: &Path, what: String) -> BookError {
    BookError::Content { path: path.into(), what }
}

impl Content {
    fn book<G: Notated>(self, game: G) -> Result<Book<G>, String> {
        let mut book = Book::new(game, self.terms);
        let count = self.searched.len();
        if let Some(odd) =
            self.searched.iter().chain(self.begun.iter().flatten()).find(|it| odd(**it))
        {
            return Err(format!("{odd} is no score"));
        }
        let mut searched = self.searched.into_iter().map(Score);
        for place in self.expanded {
            let expanded = book.graph.expand(place, &mut searched);
            expanded.ok_or_else(|| format!("position {place} cannot be expanded"))?;
        }
        match searched.len() {
            0 => book.graph.back_up(),
            left => return Err(format!("{left} of {count} scores are left over")),
        }
        if !self.begun.is_empty() && self.begun.len() != book.graph.unknown(&book.next()).len() {
            return Err("the round that was interrupted is not the next one".into());
        }
        book.begun = self.begun.into_iter().map(|score| score.map(Score)).collect();
        Ok(book)
    }
}

fn odd(score: i32) -> bool {
    !(-Score::WIN..=Score::WIN).contains(&score)
}

impl<G: Notated> Book<G> {
    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        FRAME.encode(&self.content())
    }

    /// What tells its file from all others.
    pub fn checksum(&self) -> u32 {
        u32::from_le_bytes(FRAME.checksum_of(&self.to_bytes()))
    }

    pub(super) fn content(&self) -> Content {
        let (word, text) = self.game().terms();
        Content {
            game: (word.into(), text),
            terms: self.terms.clone(),
            expanded: self.graph.expanded.clone(),
            searched: self.searched().map(|(_, score)| score.0).collect(),
            begun: self.begun.iter().map(|score| score.map(|it| it.0)).collect(),
        }
    }
}
