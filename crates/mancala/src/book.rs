//! Opening books: a graph of positions, grown from the start by drop-out expansion.
//!
//! A book knows what the moves of some positions are worth. A search values a position when it enters the book;
//! where the moves of a position are in the book too, its value is the best of theirs. So a book is worth more
//! than the searches that it consists of.
//!
//! ```
//! use mancala::book::{Book, Priorities, Step, Terms};
//! use mancala::eval::Score;
//! use mancala::game::{Game, Side, kalah::Kalah};
//!
//! let game = Kalah::new(2, 1).unwrap();
//! let terms = Terms { player: "none".into(), identity: "none".into(), priorities: Priorities::usual(1) };
//! let mut book = Book::new(game, terms);
//! while book.grow(&|_| Some(Score(0)), &()) == Step::Grown {}
//! // All lines are in the book, so what it says is true.
//! assert_eq!(book.value(&game.start(Side::South)).unwrap().to_string(), "win in 2");
//! ```
//!
//! T. R. Lincke, *Strategies for the Automatic Construction of Opening Books*, Computers and Games 2000, LNCS 2063,
//! pp. 74–86.

mod expansion;
mod file;
mod graph;
#[cfg(test)]
mod tests;

pub use self::expansion::{Priorities, ROUND, Step};
pub use self::file::{BookError, BookFile};

use serde::{Deserialize, Serialize};

use self::graph::{Graph, State, Target};
use crate::eval::Score;
use crate::game::{Game, Pit, Side};

/// What a book is made by, besides the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The player that values positions, by its specification.
    pub player: String,
    /// The same with files read and defaults filled in.
    pub identity: String,
    /// What is looked at first.
    pub priorities: Priorities,
}

/// A graph of positions with their values.
#[derive(Debug, Clone)]
pub struct Book<G: Game> {
    terms: Terms,
    graph: Graph<G>,
    /// What is known of the positions of a round that was interrupted.
    begun: Vec<Option<Score>>,
}

/// A move that a book knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The pit to sow.
    pub pit: Pit,
    /// Its worth to the side that moves.
    pub value: Score,
    /// What the search said of it when it entered the book; the value itself if the game ends with it.
    pub searched: Score,
}

/// A position whose moves a book knows.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a, G: Game> {
    book: &'a Book<G>,
    place: u32,
}

impl<G: Game> Book<G> {
    /// A book that knows the start alone, with South to move.
    pub fn new(game: G, terms: Terms) -> Book<G> {
        Book { terms, graph: Graph::new(game), begun: Vec::new() }
    }

    /// The game, with its rules.
    pub fn game(&self) -> &G {
        &self.graph.game
    }

    /// What it is made by.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// How many positions there are whose moves it knows.
    pub fn expanded(&self) -> usize {
        self.graph.expanded.len()
    }

    /// How many positions it has a value of.
    pub fn positions(&self) -> usize {
        self.graph.nodes.len()
    }

    /// What a position is worth to the side to move, if it is in the book.
    pub fn value(&self, position: &G::Position) -> Option<Score> {
        let &place = self.graph.places.get(position)?;
        Some(self.graph.node(place).value)
    }

    /// The position, if the book knows its moves.
    pub fn probe(&self, position: &G::Position) -> Option<Entry<'_, G>> {
        let &place = self.graph.places.get(position)?;
        self.entry(place)
    }

    /// All positions whose moves it knows, in the order in which they were expanded.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_, G>> {
        self.graph.expanded.iter().map(|&place| Entry { book: self, place })
    }

    /// The positions that a search has valued, with what it said, in the order in which they entered.
    pub fn searched(&self) -> impl Iterator<Item = (&G::Position, Score)> {
        let found = self.graph.nodes.iter().skip(1).filter(|node| node.state != State::Ended);
        found.map(|node| (&node.position, node.searched))
    }

    fn entry(&self, place: u32) -> Option<Entry<'_, G>> {
        matches!(self.graph.node(place).state, State::Expanded(_))
            .then_some(Entry { book: self, place })
    }
}

impl<'a, G: Game> Entry<'a, G> {
    /// The position.
    pub fn position(&self) -> &'a G::Position {
        &self.book.graph.node(self.place).position
    }

    /// The moves from the lowest pit up.
    pub fn moves(&self) -> Vec<BookMove> {
        let graph = &self.book.graph;
        let mover = graph.game.to_move(self.position());
        let edges = graph.edges(self.place).iter();
        let moves = edges.map(|edge| {
            let value = graph.worth(mover, edge);
            let searched = match edge.target {
                Target::Node(to) => graph.seen_by(mover, to, |node| node.searched),
                Target::Repetition(_) => value,
            };
            BookMove { pit: edge.pit, value, searched }
        });
        moves.collect()
    }

    /// The move with the highest value, the lowest pit among equals.
    pub fn best(&self) -> BookMove {
        let moves = self.moves();
        // Of equal maxima the last would win, and pits go up.
        let best = moves.into_iter().rev().max_by_key(|it| it.value);
        best.expect("a game that goes on has a move")
    }

    /// The line by which the position entered the book.
    pub fn line(&self) -> Vec<(Side, Pit)> {
        let graph = &self.book.graph;
        let mut line = Vec::new();
        let mut place = self.place;
        while let Some((from, pit)) = graph.node(place).from {
            line.push((graph.game.to_move(&graph.node(from).position), pit));
            place = from;
        }
        line.reverse();
        line
    }

    /// The best line from here, `first` first, up to its first move that leaves the book.
    pub fn variation(&self, first: Pit) -> Vec<(Side, Pit)> {
        let game = self.book.game();
        let (mut line, mut here, mut pit) = (Vec::new(), *self, first);
        loop {
            line.push((game.to_move(here.position()), pit));
            let edges = self.book.graph.edges(here.place);
            let target = edges.iter().find(|edge| edge.pit == pit).map(|edge| &edge.target);
            let Some(&Target::Node(to)) = target else { return line };
            let Some(next) = self.book.entry(to) else { return line };
            (here, pit) = (next, next.best().pit);
        }
    }
}
