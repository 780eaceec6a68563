//! Pruning changes what a move costs, never which it is.

use ayo::player::build;
use mancala::game::ayo::{Ayo, PITS, Position, Rules, SEEDS};
use mancala::game::{Pit, Record, Side};
use rand::{Rng, RngExt};

use crate::support::dice;

const POSITIONS: u64 = 3000;
const SETTINGS: &str = "weights=daoud2004-depth5,depth=5";

#[test]
fn minimax_and_plain_minimax_agree_on_thousands_of_positions() {
    let mut pruning = build(&format!("minimax:{SETTINGS}")).unwrap();
    let mut plain = build(&format!("plain-minimax:{SETTINGS}")).unwrap();
    let (mut compared, mut cheaper) = (0, 0);
    for index in 0.. {
        let (_, rules) = Rules::PRESETS[index as usize % Rules::PRESETS.len()];
        let record = any_record(rules, index);
        if record.ending().is_some() {
            continue;
        }
        let one = pruning.choose(&record, &()).unwrap();
        let other = plain.choose(&record, &()).unwrap();
        let place = format!("{} under {rules}", record.position());
        assert_eq!((one.pit, one.score), (other.pit, other.score), "{place}");
        assert!(one.nodes <= other.nodes, "{place}");
        cheaper += u64::from(one.nodes < other.nodes);
        compared += 1;
        if compared == POSITIONS {
            break;
        }
    }
    assert!(cheaper > POSITIONS / 2, "only {cheaper} searches were cheaper with pruning");
}

/// A game that was played at random for a while, or one whose seeds lie anywhere.
fn any_record(rules: Rules, index: u64) -> Record<Ayo> {
    let mut dice = dice(30, index);
    let game = Ayo { rules };
    let first = Side::BOTH[dice.random_range(0..2u32) as usize];
    if dice.random_bool(0.5) {
        return Record::from_position(game, any_position(first, &mut dice));
    }
    let mut record = Record::new(game, first);
    for _ in 0..dice.random_range(0..90u32) {
        let before = record.clone();
        let legal: Vec<Pit> = (0..PITS as u8)
            .filter_map(Pit::new)
            .filter(|&pit| before.clone().play(pit).is_ok())
            .collect();
        if record.ending().is_some() {
            return record;
        }
        record.play(legal[dice.random_range(0..legal.len() as u32) as usize]).unwrap();
        if record.ending().is_some() {
            return before;
        }
    }
    record
}

/// Seeds thrown one by one into the pits and stores, into fewer pits the later the game.
fn any_position(first: Side, dice: &mut impl Rng) -> Position {
    let (mut pits, mut stores) = ([0; 2 * PITS], [0; 2]);
    let captured = dice.random_range(0..=SEEDS - 4);
    for seed in 0..SEEDS {
        if seed < captured {
            stores[usize::from(seed % 2)] += 1;
        } else {
            pits[dice.random_range(0..2 * PITS as u32) as usize] += 1;
        }
    }
    Position::new(pits, stores, first).unwrap()
}
