//! Compares kalah with a naive implementation that drops seeds one by one, and with published perft counts.

use std::collections::HashSet;

use super::*;
use crate::game::arbitrary::any_kalah_position as any_position;
use crate::game::{AnyGame, Notated, Record, perft};
use crate::laws::prelude::*;

/// Returns all holes in sowing order, with the opponent's store last.
fn ring(game: &Kalah, position: &Position, mover: Side) -> Vec<u16> {
    let half = |side: Side| [&position.row(side)[..game.pits()], &[position.store(side)]].concat();
    assert_eq!(half(mover).len(), game.pits() + 1);
    [half(mover), half(mover.other())].concat()
}

/// Returns the ring after a move, and whether the same side moves again.
fn naive_play(game: &Kalah, mut ring: Vec<u16>, pit: usize) -> (Vec<u16>, bool) {
    let pits = game.pits();
    let mut at = pit;
    for _ in 0..std::mem::take(&mut ring[pit]) {
        at = (at + 1) % (ring.len() - 1);
        ring[at] += 1;
    }
    let opposite = 2 * pits - at.min(2 * pits);
    if at < pits && ring[at] == 1 && (ring[opposite] > 0 || game.empty_capture == EmptyCapture::On)
    {
        ring[pits] += ring[opposite] + 1;
        (ring[opposite], ring[at]) = (0, 0);
    }
    (ring, at == pits)
}

laws! {
    #[test]
    fn a_move_is_that_of_the_naive_rules((game, position) in any_position()) {
        let mover = position.to_move();
        for pit in game.moves(&position) {
            let after = game.play(&position, pit);
            let (naive, again) = naive_play(&game, ring(&game, &position, mover), pit.index());
            prop_assert_eq!(ring(&game, &after, mover), naive, "{} {:?}", position, pit);
            prop_assert_eq!(after.to_move() == mover, again);
            prop_assert_eq!(game.promising(&position).contains(pit), again);
        }
    }

    #[test]
    fn seeds_are_conserved_to_the_end((game, _) in any_position(), choices: [u8; 24]) {
        let mut record = Record::new(game, Side::North);
        for ply in 0.. {
            let Some(ending) = record.ending() else {
                let mut moves = game.moves(record.position());
                let pit = moves.nth(usize::from(choices[ply % 24]) % moves.len()).unwrap();
                record.play(pit).unwrap();
                continue;
            };
            prop_assert_eq!(ending, Ending::EmptyRow);
            let settled = record.settlement().unwrap();
            prop_assert_eq!(settled.stores.iter().sum::<u16>(), game.total());
            break;
        }
        let start = game.start(Side::North);
        let replayed = game.read_line(&record.line(), Some(start)).unwrap();
        prop_assert_eq!(replayed.position(), record.position());
    }

    #[test]
    fn positions_and_games_read_back_from_their_text((game, position) in any_position()) {
        prop_assert_eq!(game.position(&position.to_string()), Ok(position));
        prop_assert_eq!(game.to_string().parse(), Ok(game));
    }

    #[test]
    fn seeds_in_the_store_are_sown_or_captured((game, opening) in any_position()) {
        let mut record = Record::from_position(game, opening);
        while record.ending().is_none() && record.plies().len() < 20 {
            let before = *record.position();
            let pit = game.moves(&before).last().unwrap();
            record.play(pit).unwrap();
            let (last, row) = (record.outcomes().next().unwrap(), game.pits() - pit.index());
            // The store is reached after the remaining pits of the row, and again after each lap.
            let passes = (row..=usize::from(last.seeds)).step_by(2 * game.pits() + 1);
            prop_assert_eq!(usize::from(last.home), passes.count());
            let won = record.position().store(last.side) - before.store(last.side);
            prop_assert_eq!(last.home + last.captured, won);
            prop_assert!(last.captured == 0 || !last.again);
        }
    }
}

#[test]
fn published_perft() {
    let counts = |game: Kalah| [1, 2, 3, 4].map(|n| perft(&game, &game.start(Side::South), n));
    assert_eq!(counts(Kalah::default()), [6, 35, 185, 942]);
    // No move in the first four plies captures opposite an empty pit.
    assert_eq!(counts(Kalah::default().with_empty_capture(EmptyCapture::On)), [6, 35, 185, 942]);
}

#[test]
fn the_rules_decide_who_gets_the_remaining_seeds() {
    let text = "0-0-0-0-0-0-20-1-2-0-0-0-0-25-2";
    let settle = |game: Kalah| {
        let position = game.position(text).unwrap();
        game.settle(&position, game.ended(&position).unwrap()).stores
    };
    assert_eq!(settle(Kalah::default()), [20, 28]);
    assert_eq!(settle(Kalah::KANSAS), [23, 25]);
}

#[test]
fn invalid_text_is_refused_with_a_reason() {
    for (text, reason) in [
        ("kalah:pits=9", "pits is \"9\""),
        ("kalah:seeds=+4", "seeds is \"+4\""),
        ("kalah:ending=me", "ending is \"me\""),
        ("kalah:pits=6,pits=6", "pits is set twice"),
        ("kalah:pits=", "pits needs a value"),
        ("kalah:rules=ayo", "no setting \"rules\""),
        ("kalah:,pits=3", "is not kalah["),
        ("Kalah", "is not kalah["),
        ("4-4", "15 fields"),
        ("4-4-4-4-4-4-0-4-4-4-4-4-x-0-1", "pit f is \"x\""),
        ("4-4-4-4-4-4-49-4-4-4-4-4-4-0-1", "South's store is \"49\""),
        ("4-4-4-4-4-4-0-4-4-4-4-4-4-0-S", "\"S\""),
    ] {
        let game = text.parse::<Kalah>().map(drop).map_err(|error| error.to_string());
        let position = Kalah::default().position(text).map(drop).map_err(|error| error.to_string());
        let error = if text.starts_with(['k', 'K']) { game } else { position }.unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    assert!(Kalah::read_plies("AZ").is_err());
}

#[test]
fn all_positions_of_small_boards_have_different_keys() {
    for game in ["kalah:pits=2,seeds=3", "kalah:pits=3,seeds=2,empty-capture=off"] {
        let game: AnyGame = game.parse().unwrap();
        let AnyGame::Kalah(game) = game else { unreachable!("a game of kalah") };
        let mut open = vec![game.start(Side::South)];
        let mut seen: HashSet<Position> = open.iter().copied().collect();
        while let Some(position) = open.pop() {
            let children = game.moves(&position).map(|pit| game.play(&position, pit));
            open.extend(children.filter(|child| seen.insert(*child)));
        }
        let key = |position: &Position| (position.key().place, position.key().check);
        let keys: HashSet<_> = seen.iter().map(key).collect();
        assert_eq!(keys.len(), seen.len(), "{game}");
    }
}
