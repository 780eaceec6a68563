use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use proptest::prelude::*;

use super::*;
use crate::game::Game;
use crate::game::arbitrary::any_position;
use crate::game::ayo::Ayo;
use crate::laws;
use crate::random::{Purpose, stream};
use rand::Rng;

fn any_known() -> impl Strategy<Value = Known> {
    let end = prop_oneof![Just(Score::win(9)), Just(Score::loss(100)), Just(Score::HIGHEST)];
    let value = prop_oneof![(-4_000_000..=4_000_000).prop_map(Score), end];
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let best = prop::option::of((0..Pit::MAX).prop_map(|pit| Pit::new(pit).unwrap()));
    (value, bound, 0u32..=100, best).prop_map(|(value, bound, depth, best)| Known {
        value,
        depth,
        bound,
        best,
    })
}

/// An entry that says of itself where it belongs.
fn telling(check: u64) -> Known {
    Known {
        value: Score((check % 8_000_000) as i32 - 4_000_000),
        depth: (check >> 23) as u32 % 101,
        bound: Bound::Lower,
        best: Pit::new((check >> 32) as u8 % Pit::MAX),
    }
}

laws! {
    #[test]
    fn what_is_put_is_got(position in any_position(), known in any_known(), later in any_known()) {
        let mut table = Table::try_with_buckets(7).unwrap();
        let key = Ayo::default().key(&position);
        prop_assert_eq!(table.get(key), None);
        table.put(key, known);
        prop_assert_eq!(table.get(key), Some(known));
        table.age();
        prop_assert_eq!(table.get(key), Some(known));
        table.put(key, later);
        prop_assert_eq!(table.get(key), Some(Known { best: later.best.or(known.best), ..later }));
        table.clear();
        prop_assert_eq!(table.get(key), None);
    }

    #[test]
    fn ends_are_counted_from_the_position(plies in 0u32..50, ply in 0u32..50) {
        for end in [Score::win, Score::loss] {
            let known = Known::new(end(ply + plies), Bound::Exact, 3, ply, None);
            prop_assert_eq!(known.value, end(plies));
            prop_assert_eq!(known.at(7), end(plies + 7));
        }
        prop_assert_eq!(Known::new(Score(-5), Bound::Exact, 3, ply, None).at(9), Score(-5));
    }

    #[test]
    fn positions_have_keys_of_their_own(a in any_position(), b in any_position()) {
        let key = |position| Ayo::default().key(position);
        prop_assert_eq!(a == b, key(&a).check == key(&b).check);
        prop_assert_eq!(a == b, key(&a).place == key(&b).place);
    }
}

#[test]
fn the_deepest_of_this_search_stays() {
    let mut table = Table::try_with_buckets(1).unwrap();
    let of = |depth| Known { depth, ..telling(0) };
    for check in 1..=4 {
        table.put(Key { place: 0, check }, of(10 + check as u32));
    }
    table.put(Key { place: 0, check: 5 }, of(1));
    let kept = |table: &Table| {
        (1..=6).filter(|&check| table.get(Key { place: 0, check }).is_some()).collect::<Vec<_>>()
    };
    assert_eq!(kept(&table), [2, 3, 4, 5]);
    // Entries of old searches give way to those of a new one, however deep.
    for _ in 0..8 {
        table.age();
    }
    table.put(Key { place: 0, check: 6 }, of(2));
    assert_eq!(kept(&table), [2, 3, 4, 6]);
    table.put(Key { place: 0, check: 1 }, of(1));
    assert_eq!(kept(&table), [1, 3, 4, 6]);
}

#[test]
fn games_are_not_confused_after_many() {
    let mut table = Table::try_with_buckets(1).unwrap();
    let key = Key { place: 0, check: 9 };
    for _ in 0..=u32::from(u16::MAX) + 3 {
        assert_eq!(table.get(key), None);
        table.put(key, telling(9));
        table.clear();
    }
}

#[test]
fn threads_never_read_what_belongs_to_another_position() {
    let table = Table::try_with_buckets(64).unwrap();
    let hits = AtomicU64::new(0);
    let hammer = |seed: u64| {
        let mut dice = stream(seed, Purpose::Slip, 0, 0);
        let mut found = 0;
        for _ in 0..200_000 {
            let number = dice.next_u64() % 1024;
            let check = crate::game::mixed(number);
            let key = Key { place: number << 54, check };
            match table.get(key) {
                Some(known) => {
                    assert_eq!(known, telling(check));
                    found += 1;
                }
                None => table.put(key, telling(check)),
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
