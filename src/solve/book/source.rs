//! The book that a verb is about.

use std::path::{Path, PathBuf};

use arena::player::built_in_book;
use clap::Args;
use mancala::book::{BookError, BookFile};

use crate::analyse::bestmove::player_error;
use crate::solve::book::work::NoBook;
use crate::terminal::error::usage;

/// A file, or else the book that is compiled in.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// File of the book [default: the one that is compiled in]
    #[arg(long = "book", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

impl Source {
    pub(crate) fn open(&self) -> anyhow::Result<BookFile> {
        match &self.file {
            None => Ok(built_in_book()),
            Some(file) => Ok(BookFile::read(file)?),
        }
    }

    /// What messages call it.
    pub(crate) fn path(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new("the built-in book"))
    }
}

/// Players that there are none of and books that were built otherwise are wrong usage.
pub(crate) fn book_error(error: NoBook) -> anyhow::Error {
    match error {
        NoBook::Player(error) => player_error(error),
        NoBook::Book(BookError::Game { .. }) => usage(error),
        NoBook::Book(error) => error.into(),
        NoBook::File(error) => error.into(),
        NoBook::Valueless(_) | NoBook::Irreproducible(_) | NoBook::Other { .. } => usage(error),
    }
}
