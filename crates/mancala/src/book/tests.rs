//! Tests for the values, expansion and files of opening books.

use std::path::Path;

use super::*;
use crate::game::ayo::Ayo;
use crate::game::kalah::Kalah;
use crate::game::{Ending, Key, PitSet, Record, Settlement, Verdict, mix};

fn settings(own: u16, opponent: u16) -> Settings {
    let priorities = Priorities { ply: 100, own, opponent };
    Settings { player: "noise".into(), identity: "noise".into(), priorities }
}

fn noise<G: Game>(game: G) -> impl Fn(&G::Position) -> Option<Score> + Sync {
    move |position| Some(Score((game.key(position).place >> 54) as i32 - 512))
}

fn grown<G: Game>(game: G, settings: Settings, rounds: usize) -> Book<G> {
    let mut book = Book::new(game, settings);
    for _ in 0..rounds {
        book.expand_round(&noise(game), &());
    }
    book
}

fn minimax<G: Game>(book: &Book<G>, position: &G::Position) -> Score {
    let game = book.game();
    let side = game.to_move(position);
    if let Some(ending) = game.ended(position) {
        return Score::from_end(game.settle(position, ending).verdict, side, 0);
    }
    let Some(entry) = book.probe(position) else {
        return noise(*game)(position).unwrap();
    };
    let worth = |pit| {
        let child = game.play(entry.position(), pit);
        let value = minimax(book, &child);
        let value = if game.to_move(&child) == side { value } else { -value };
        Score(value.0 - if value.counts_plies() { value.0.signum() } else { 0 })
    };
    let moves: Vec<_> = game.moves(position).map(worth).collect();
    assert_eq!(entry.moves().iter().map(|it| it.value).collect::<Vec<_>>(), moves);
    moves.into_iter().max().unwrap()
}

fn is_minimax<G: Game>(game: G) {
    let book = grown(game, settings(4, 1), 6);
    for entry in book.entries() {
        let position = entry.position();
        let value = book.graph.node(book.graph.places[position]).value;
        assert_eq!(value, minimax(&book, position), "{position}");
        let best = entry.best();
        assert_eq!(best.value, value);
        assert!(entry.moves().iter().all(|it| it.value < best.value || it.pit >= best.pit));
    }
}

#[test]
fn values_agree_with_minimax() {
    is_minimax(Ayo::default());
    is_minimax(Kalah::default());
    is_minimax(Kalah::new(3, 2).unwrap());
    // This game is so short that the book contains all of its lines.
    is_minimax(Kalah::new(2, 2).unwrap());
}

#[test]
fn transpositions_are_one_position() {
    let book = grown(Ayo::default(), settings(0, 0), 20);
    let start = book.game().start(Side::South);
    let (mut moves, mut reached) = (0, vec![start]);
    for entry in book.entries() {
        let mut record = Record::new(*book.game(), Side::South);
        for (_, pit) in entry.line() {
            record.play(pit).unwrap();
        }
        assert_eq!(record.position(), entry.position());
        moves += entry.moves().len();
        reached.extend(entry.moves().iter().map(|it| book.game().play(entry.position(), it.pit)));
    }
    reached.sort_by_key(|position| position.to_string());
    reached.dedup();
    assert_eq!(reached.len(), book.positions());
    assert!(book.positions() < moves);
}

#[test]
fn priorities_make_a_book_broad_or_deep() {
    let plies = |book: &Book<Ayo>| -> Vec<usize> {
        book.entries().map(|entry| entry.line().len()).collect()
    };
    let broad = plies(&grown(Ayo::default(), settings(0, 0), 8));
    assert!(broad.is_sorted(), "{broad:?}");
    let deep = plies(&grown(Ayo::default(), settings(1000, 1000), 8));
    assert!(deep.iter().max() > broad.iter().max(), "{deep:?}");
}

/// A game that never ends, played on a ring of 100 squares. South is to move on even squares.
#[derive(Debug, Clone, Copy)]
struct Ring;

impl Game for Ring {
    type Position = u8;

    fn start(&self, _: Side) -> u8 {
        0
    }

    fn to_move(&self, position: &u8) -> Side {
        Side::BOTH[usize::from(position % 2)]
    }

    fn key(&self, position: &u8) -> Key {
        Key { place: mix((*position).into()), check: (*position).into() }
    }

    fn moves(&self, _: &u8) -> PitSet {
        PitSet::from_bits(0b11)
    }

    fn play(&self, position: &u8, pit: Pit) -> u8 {
        (position + [1, 3][pit.index()]) % 100
    }

    fn ending(&self, _: &u8, _: PitSet) -> Option<Ending> {
        None
    }

    fn settle(&self, _: &u8, _: Ending) -> Settlement {
        Settlement { stores: [1, 0], verdict: Verdict::Won(Side::South) }
    }

    fn store(&self, _: &u8, _: Side) -> u16 {
        0
    }

    fn seeds(&self, _: &u8, _: Pit) -> u16 {
        1
    }

    fn objection(&self, _: &u8, _: Pit) -> Option<&'static str> {
        None
    }
}

#[test]
fn a_move_to_an_ancestor_ends_the_game_by_repetition() {
    for (own, opponent) in [(0, 0), (7, 3), (1000, 0)] {
        let mut book = Book::new(Ring, settings(own, opponent));
        while book.expand_round(&noise(Ring), &()) == Step::Expanded {}
        assert_eq!((book.positions(), book.expanded()), (100, 100));
        // A game on the ring can only end by repetition, which `settle` counts as a win for South.
        assert!(book.probe(&0).unwrap().best().value.0 > Score::WIN / 2);
        assert!(book.entries().all(|it| it.variation(it.best().pit).len() <= 100));
    }
}

#[test]
fn inconsistent_files_are_refused() {
    type Change = fn(&mut file::Content);
    let book = grown(Ayo::default(), settings(4, 1), 2);
    let cases: [(Change, &str); 8] = [
        (|it| it.expanded[3] = it.expanded[2], "cannot be expanded"),
        (|it| it.expanded[3] = u32::MAX, "cannot be expanded"),
        (|it| it.searched.push(1), "1 of "),
        (|it| it.searched.truncate(5), "cannot be expanded"),
        (|it| it.searched[0] = i32::MIN, "-2147483648"),
        (|it| it.interrupted = vec![Some(1)], "is not the next one"),
        (|it| it.game.1 = "chess".into(), "\"chess\""),
        (|it| it.game.0 = "fame".into(), "fame"),
    ];
    for (change, part) in cases {
        let mut content = book.content();
        change(&mut content);
        let file = BookFile::of_bytes(&file::FRAME.encode(&content), Path::new("a.book"));
        let error = file.and_then(|file| file.book(Ayo::default())).unwrap_err().to_string();
        assert!(error.starts_with("a.book ") && error.contains(part), "{error}");
    }
}
