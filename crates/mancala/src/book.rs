//! Opening books. A book is a graph of positions that grows from the initial position by drop-out expansion.
//!
//! When we add a position to a book, we search it to get a value. Once the position has been expanded, its value is
//! that of its best move instead, so the values of early positions reflect much deeper play than a single search could.
//!
//! ```
//! use mancala::book::{Book, Priorities, Step, Settings};
//! use mancala::eval::Score;
//! use mancala::game::{Game, Side, kalah::Kalah};
//!
//! let game = Kalah::new(2, 1).unwrap();
//! let settings = Settings { player: "none".into(), identity: "none".into(), priorities: Priorities::for_seed_value(1) };
//! let mut book = Book::new(game, settings);
//! while book.expand_round(&|_| Some(Score(0)), &()) == Step::Expanded {}
//! // The book contains all lines, so its values are exact.
//! let entry = book.probe(&game.start(Side::South)).unwrap();
//! assert_eq!(entry.best().value.to_string(), "win in 2");
//! ```
//!
//! T. R. Lincke, *Strategies for the Automatic Construction of Opening Books*, Computers and Games 2000, 74–86.

mod expansion;
mod file;
mod graph;
#[cfg(test)]
mod tests;

pub use self::expansion::{LEAVES_PER_ROUND, Priorities, Step};
pub use self::file::BookFile;

use serde::{Deserialize, Serialize};

use self::graph::{Graph, State, Target};
use crate::eval::Score;
use crate::game::{Game, Pit, Side};

/// The settings of a book, apart from the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The specification of the player that evaluates positions.
    pub player: String,
    /// The same specification, but with all defaults and the contents of all files written out.
    pub identity: String,
    pub priorities: Priorities,
}

/// An opening book for one game.
#[derive(Debug, Clone)]
pub struct Book<G: Game> {
    settings: Settings,
    graph: Graph<G>,
    /// The search values that were found before the last round of expansion was interrupted. Empty if it was completed.
    interrupted: Vec<Option<Score>>,
}

/// A move from an expanded position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    pub pit: Pit,
    /// The value for the side making the move.
    pub value: Score,
    /// The search value of the position after the move, for the same side. If the move ends the game, this is `value`.
    pub searched: Score,
}

/// An expanded position in a book.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a, G: Game> {
    book: &'a Book<G>,
    place: u32,
}

impl<G: Game> Book<G> {
    /// Creates a book that contains only the initial position, with South to move.
    pub fn new(game: G, settings: Settings) -> Book<G> {
        Book { settings, graph: Graph::new(game), interrupted: Vec::new() }
    }

    pub fn game(&self) -> &G {
        &self.graph.game
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the number of expanded positions.
    pub fn expanded(&self) -> usize {
        self.graph.expanded.len()
    }

    /// Returns how many positions the book contains, expanded or not.
    pub fn positions(&self) -> usize {
        self.graph.nodes.len()
    }

    /// Looks up a position. Returns `None` if it has not been expanded.
    pub fn probe(&self, position: &G::Position) -> Option<Entry<'_, G>> {
        let &place = self.graph.places.get(position)?;
        self.entry(place)
    }

    /// Iterates over the expanded positions in the order of their expansion.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_, G>> {
        self.graph.expanded.iter().map(|&place| Entry { book: self, place })
    }

    /// Iterates over the searched positions and their search values, in the order in which they were added to the book.
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
    pub fn position(&self) -> &'a G::Position {
        &self.book.graph.node(self.place).position
    }

    /// Returns the moves from the position, sorted by pit.
    pub fn moves(&self) -> Vec<BookMove> {
        let graph = &self.book.graph;
        let mover = graph.game.to_move(self.position());
        let edges = graph.edges(self.place).iter();
        let moves = edges.map(|edge| {
            let value = graph.edge_value(mover, edge);
            let searched = match edge.target {
                Target::Node(to) => graph.value_for(mover, to, |node| node.searched),
                Target::Repetition(_) => value,
            };
            BookMove { pit: edge.pit, value, searched }
        });
        moves.collect()
    }

    /// Returns the move with the highest value. Ties go to the lowest pit.
    pub fn best(&self) -> BookMove {
        // `max_by_key` returns the last of several equal maxima, so iterate in reverse to get the lowest pit.
        let best = self.moves().into_iter().rev().max_by_key(|book_move| book_move.value);
        best.expect("an expanded position has a move")
    }

    /// Returns the moves by which the position was first reached from the initial position.
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

    /// Returns the line that starts with `first` and follows the best moves until it leaves the expanded positions.
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
