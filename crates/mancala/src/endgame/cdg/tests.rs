use super::*;
use crate::game::ayo::{Ayo, Position, Rules};
use crate::game::{Game, Pit, Side};

/// Every row of a board whose pits hold at most one seed more than may be harvested.
fn rows(pits: usize) -> Vec<Vec<u32>> {
    (0..pits).fold(vec![Vec::new()], |rows, at| {
        let with = |row: &Vec<u32>| {
            let row = row.clone();
            (0..=at as u32 + 3).map(move |seeds| [row.as_slice(), &[seeds]].concat())
        };
        rows.iter().flat_map(with).collect()
    })
}

/// Whether some order of harvests empties a row.
fn can_be_emptied(row: &[u32]) -> bool {
    if row.iter().all(|&seeds| seeds == 0) {
        return true;
    }
    (0..row.len()).filter(|&at| row[at] as usize == at + 2).any(|at| {
        let mut after = row.to_vec();
        after[..at].iter_mut().for_each(|seeds| *seeds += 1);
        after[at] = 0;
        can_be_emptied(&after)
    })
}

#[test]
fn the_vectors_are_all_rows_that_can_be_emptied_and_no_two_have_the_same_sum() {
    for pits in 1..=5 {
        let mut found: Vec<_> = rows(pits).into_iter().filter(|row| can_be_emptied(row)).collect();
        found.sort_by_key(|row| row.iter().sum::<u32>());
        assert_eq!(found, vectors(pits).collect::<Vec<_>>());
        assert!(rows(pits).iter().all(|row| is_cdg(row) == found.contains(row)));
    }
}

#[test]
fn a_harvest_undoes_growing_and_costs_two_seeds() {
    for (small, large) in vectors(12).zip(vectors(12).skip(1)) {
        assert_eq!(harvest(&large).as_ref(), Some(&small));
        assert_eq!(small.iter().sum::<u32>() + 2, large.iter().sum::<u32>());
        assert!(is_cdg(&large));
    }
}

#[test]
fn the_last_vector_is_the_maximal_one_and_its_totals_are_its_own() {
    for pits in 1..=60 {
        let last = vectors(pits).last().unwrap();
        assert_eq!(maximal(pits), last);
        assert_eq!(totals(pits as u32).s, last.iter().map(|&seeds| u64::from(seeds)).sum::<u64>());
    }
}

#[test]
fn blocks_passed_at_once_are_as_many_as_pit_by_pit() {
    for pits in (1..3000).chain([20_011, 99_991]) {
        assert_eq!(block_count(pits), totals(pits).f, "{pits}");
    }
}

/// OEIS A002491, whose terms are rounded up step by step: s(n) is its term n + 2, less 2.
#[test]
fn the_sums_are_the_sequence_that_rounding_up_gives() {
    for pits in 1..400 {
        let m = u64::from(pits) + 2;
        let rounded = (1..m).rev().fold(m, |value, to| value.next_multiple_of(to));
        assert_eq!(totals(pits).s, rounded - 2, "{pits}");
    }
}

#[test]
fn played_out_under_the_real_rules_all_but_one_seed_are_captured() {
    let game = Ayo { rules: Rules::AYO };
    for number in 1..=21 {
        let mut situation = Situation::of_row(number, 6).unwrap();
        let mut position = situation.position().unwrap();
        let on_board = |position: &Position| {
            position.seeds_in_row(Side::South) + position.seeds_in_row(Side::North)
        };
        let (first, store) = (on_board(&position), position.store(Side::South));
        while let Some(next) = situation.next() {
            let row = row(&position, Side::South);
            let harvested = || 6 - harvestable(&row).unwrap();
            let pit = if situation.opponent_moves() { 0 } else { harvested() };
            let pit = Pit::new(pit as u8).unwrap();
            let moves = game.moves(&position);
            assert!(moves.contains(pit) && game.ending(&position, moves).is_none(), "{row:?}");
            position = game.play(&position, pit);
            situation = next;
            let expected = situation.position().unwrap();
            assert_eq!(position.row(Side::South), expected.row(Side::South), "row {row:?}");
            assert_eq!(position.row(Side::North), expected.row(Side::North));
        }
        assert_eq!(on_board(&position), 1);
        assert_eq!(position.store(Side::South), store + first - 1);
    }
}

#[test]
fn every_row_of_piles_ends_in_one_of_the_periods_and_each_occurs() {
    for seeds in 1..=11_u32 {
        let mut found: Vec<u32> =
            (0..1_u32 << (seeds - 1)).map(|cuts| period(seeds, cuts)).collect();
        found.sort_by(|a, b| b.cmp(a));
        found.dedup();
        assert_eq!(found, pattern(seeds).periods, "{seeds}");
    }
}

/// The period that a composition of the seeds ends in; each bit set cuts them.
fn period(seeds: u32, cuts: u32) -> u32 {
    let mut piles = vec![1];
    for at in 0..seeds - 1 {
        if cuts >> at & 1 == 1 { piles.push(1) } else { *piles.last_mut().unwrap() += 1 }
    }
    let mut seen = vec![piles.clone()];
    loop {
        piles = march(&piles);
        if let Some(at) = seen.iter().position(|earlier| *earlier == piles) {
            return (seen.len() - at) as u32;
        }
        seen.push(piles.clone());
    }
}
