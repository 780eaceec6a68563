use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::*;
use crate::game::Game;
use crate::game::ayo::Ayo;
use crate::laws::prelude::*;
use crate::random::{Purpose, stream};
use crate::search::tree::{Level, Window};
use rand::Rng;

fn entry_of(check: u64) -> Entry {
    Entry {
        value: Score(check as i32),
        depth: (check >> 23) as u8 % 101,
        bound: [Bound::Exact, Bound::Lower, Bound::Upper][(check >> 40) as usize % 3],
        best: Pit::new((check >> 32) as u8 % (2 * Pit::MAX)),
    }
}

laws! {
    #[test]
    fn a_stored_entry_is_returned(position in any_position(), entry: u64, later: u64) {
        let [entry, later] = [entry, later].map(entry_of);
        let mut table = Table::try_with_buckets(7).unwrap();
        let key = Ayo::default().key(&position);
        prop_assert_eq!(table.get(key), None);
        table.put(key, entry);
        prop_assert_eq!(table.get(key), Some(entry));
        table.age();
        prop_assert_eq!(table.get(key), Some(entry));
        table.put(key, later);
        prop_assert_eq!(table.get(key), Some(Entry { best: later.best.or(entry.best), ..later }));
        table.clear();
        prop_assert_eq!(table.get(key), None);
    }

    #[test]
    fn plies_to_ends_are_counted_from_the_position(plies in 0u32..50, ply in 0u32..50) {
        for end in [Score::win, Score::loss] {
            let entry = Entry::new(end(ply + plies), Bound::Exact, Level { depth: 3, ply }, None);
            prop_assert_eq!(entry.value, end(plies));
            prop_assert_eq!(entry.value(7, Window::FULL), Some(end(plies + 7)));
        }
        let entry = Entry::new(Score(-5), Bound::Exact, Level { depth: 3, ply }, None);
        prop_assert_eq!(entry.value(9, Window::FULL), Some(Score(-5)));
    }

    #[test]
    fn positions_have_different_keys(a in any_position(), b in any_position()) {
        let key = |position| Ayo::default().key(position);
        prop_assert_eq!(a == b, key(&a).check == key(&b).check);
        prop_assert_eq!(a == b, key(&a).place == key(&b).place);
    }
}

#[test]
fn shallow_and_old_entries_are_replaced_first() {
    let mut table = Table::try_with_buckets(1).unwrap();
    let of = |depth| Entry { depth, ..entry_of(0) };
    for check in 1..=4 {
        table.put(Key { place: 0, check }, of(10 + check as u8));
    }
    table.put(Key { place: 0, check: 5 }, of(1));
    let stored = |table: &Table| {
        (1..=6).filter(|&check| table.get(Key { place: 0, check }).is_some()).collect::<Vec<_>>()
    };
    assert_eq!(stored(&table), [2, 3, 4, 5]);
    // Entries from old searches are replaced first, regardless of depth.
    for _ in 0..8 {
        table.age();
    }
    table.put(Key { place: 0, check: 6 }, of(2));
    assert_eq!(stored(&table), [2, 3, 4, 6]);
    table.put(Key { place: 0, check: 1 }, of(1));
    assert_eq!(stored(&table), [1, 3, 4, 6]);
}

#[test]
fn the_game_counter_may_wrap_around() {
    let mut table = Table::try_with_buckets(1).unwrap();
    let key = Key { place: 0, check: 9 };
    for _ in 0..=u32::from(u8::MAX) + 3 {
        assert_eq!(table.get(key), None);
        table.put(key, entry_of(9));
        table.clear();
    }
}

#[test]
fn threads_never_read_entries_of_other_positions() {
    let table = Table::try_with_buckets(64).unwrap();
    let hits = AtomicU64::new(0);
    let hammer = |seed: u64| {
        let mut rng = stream(seed, Purpose::RandomMove, 0, 0);
        let mut found = 0;
        for _ in 0..200_000 {
            let number = rng.next_u64() % 1024;
            let check = crate::game::mix(number);
            let key = Key { place: number << 54, check };
            match table.get(key) {
                Some(entry) => {
                    assert_eq!(entry, entry_of(check));
                    found += 1;
                }
                None => table.put(key, entry_of(check)),
            }
        }
        hits.fetch_add(found, Ordering::Relaxed);
    };
    let hammer = &hammer;
    thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || hammer(seed));
        }
    });
    assert!(hits.into_inner() > 10_000);
}
