//! Reads and writes book files.
//!
//! A file lists the positions that were expanded, in order, and the search values of new positions. When we read a
//! file, we repeat the expansion, so that a book can't contain illegal moves, duplicates or wrong backed-up values.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Book, Settings};
use crate::eval::Score;
use crate::game::{AnyGame, Notated};
use crate::store::{self, Frame};
use crate::text::{Message, Result};

pub(super) const FRAME: Frame = Frame { kind: *b"BOOK", version: 1 };

/// A book file that has passed its integrity check, but whose content has not been validated yet.
#[derive(Debug, Clone)]
pub struct BookFile {
    path: PathBuf,
    game: AnyGame,
    content: Content,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Content {
    /// The [description](AnyGame::description) of the game.
    pub(super) game: (String, String),
    pub(super) settings: Settings,
    /// The numbers of the expanded nodes, in order of expansion. Nodes are numbered in the order they were added.
    pub(super) expanded: Vec<u32>,
    /// The search values, ordered by node number. The initial position and finished games don't have one.
    pub(super) searched: Vec<i32>,
    pub(super) interrupted: Vec<Option<i32>>,
}

impl BookFile {
    /// Returns whether `bytes` start with the header of a book.
    pub fn is_book(bytes: &[u8]) -> bool {
        FRAME.matches(bytes)
    }

    pub fn read(path: &Path) -> Result<BookFile> {
        BookFile::of_bytes(&store::read(path)?, path)
    }

    /// Decodes a file that has already been read. `path` is only used in error messages.
    pub fn of_bytes(bytes: &[u8], path: &Path) -> Result<BookFile> {
        let refused = |error| format!("{} {error}", path.display());
        let content: Content = FRAME.decode(bytes).map_err(refused)?;
        let (word, text) = &content.game;
        let game = AnyGame::described(word, text).map_err(|what| damaged(path, what))?;
        Ok(BookFile { path: path.into(), game, content })
    }

    pub fn game(&self) -> AnyGame {
        self.game
    }

    /// Rebuilds the book. Returns an error if the file is inconsistent or contains a book for a different game.
    pub fn book<G: Notated>(self, game: G) -> Result<Book<G>> {
        let BookFile { path, game: found, content } = self;
        if found != game.into() {
            let [found, expected] = [found, game.into()].map(|game| game.terms());
            let path = path.display();
            return Err(format!("{path} is a book for {found}, not for {expected}").into());
        }
        content.book(game).map_err(|what| damaged(&path, what))
    }
}

fn damaged(path: &Path, what: String) -> Message {
    format!("{} is not a valid book: {what}", path.display()).into()
}

impl Content {
    fn book<G: Notated>(self, game: G) -> Result<Book<G>, String> {
        let mut book = Book::new(game, self.settings);
        let count = self.searched.len();
        let is_score = |score: &i32| (-Score::WIN..=Score::WIN).contains(score);
        let mut scores = self.searched.iter().chain(self.interrupted.iter().flatten());
        if let Some(number) = scores.find(|score| !is_score(score)) {
            return Err(format!("{number} is not a score"));
        }
        let mut searched = self.searched.into_iter().map(Score);
        for place in self.expanded {
            let expanded = book.graph.expand(place, &mut searched);
            expanded.ok_or_else(|| format!("position {place} cannot be expanded"))?;
        }
        match searched.len() {
            0 => book.graph.back_up(),
            left => return Err(format!("{left} of {count} scores have no matching position")),
        }
        if !self.interrupted.is_empty()
            && self.interrupted.len() != book.graph.unknown(&book.next_leaves()).len()
        {
            return Err("its interrupted round is not the next one to expand".into());
        }
        book.interrupted = self.interrupted.into_iter().map(|score| score.map(Score)).collect();
        Ok(book)
    }
}

impl<G: Notated> Book<G> {
    pub fn to_bytes(&self) -> Vec<u8> {
        FRAME.encode(&self.content())
    }

    /// Returns the checksum that would be in the header of a file with this book.
    pub fn checksum(&self) -> u32 {
        u32::from_le_bytes(FRAME.checksum_of(&self.to_bytes()))
    }

    pub(super) fn content(&self) -> Content {
        let (word, text) = self.game().description();
        Content {
            game: (word.into(), text),
            settings: self.settings.clone(),
            expanded: self.graph.expanded.clone(),
            searched: self.searched().map(|(_, score)| score.0).collect(),
            interrupted: self.interrupted.iter().map(|score| score.map(|score| score.0)).collect(),
        }
    }
}
