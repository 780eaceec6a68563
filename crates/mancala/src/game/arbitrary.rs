//! `proptest` strategies for games and positions. Requires the `proptest` feature.

use proptest::prelude::*;

use super::Side;
use super::ayo::{Position, SEEDS};
use super::kalah::{self, EmptyCapture, Kalah, RemainingSeeds};

pub fn any_position() -> impl Strategy<Value = Position> {
    let captured = prop_oneof![0u8..=20, 20u8..=44];
    (captured, any::<u64>(), any::<bool>()).prop_map(|(captured, noise, south)| {
        let mut below = numbers(noise);
        let mut pits = [0; 12];
        let mut stores = [0; 2];
        for _ in 0..captured {
            stores[below(2) as usize] += 1;
        }
        // Favour a few pits, because crowded pits and empty rows would otherwise be very rare.
        let favourites = [below(12), below(12), below(12)];
        for _ in captured..SEEDS {
            let pit = if below(2) == 0 { below(12) } else { favourites[below(3) as usize] };
            pits[pit as usize] += 1;
        }
        let side = if south { Side::South } else { Side::North };
        Position::new(pits, stores, side).unwrap()
    })
}

pub(crate) fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |limit| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % limit
    }
}

pub fn any_kalah() -> impl Strategy<Value = Kalah> {
    let rules = (any::<bool>(), any::<bool>());
    (1..=8u8, prop_oneof![1..=6u8, 1..=24u8], rules).prop_map(|(pits, seeds, (empty, emptier))| {
        let mut game = Kalah::new(pits, seeds).unwrap();
        game.empty_capture = if empty { EmptyCapture::On } else { EmptyCapture::Off };
        game.remaining_seeds =
            if emptier { RemainingSeeds::Emptier } else { RemainingSeeds::Owner };
        game
    })
}

pub fn any_kalah_position() -> impl Strategy<Value = (Kalah, kalah::Position)> {
    (any_kalah(), any::<u64>(), 0..=4u64).prop_map(|(game, noise, home)| {
        let mut below = numbers(noise);
        let slots = 2 * game.pits() + 2;
        let mut seeds = vec![0; slots];
        let favourites = [below(slots as u64), below(slots as u64)];
        for _ in 0..game.total() {
            let slot = match below(4) {
                kind if kind < home => (1 + below(2)) * (slots as u64 / 2) - 1,
                0 => favourites[below(2) as usize],
                _ => below(slots as u64),
            };
            seeds[slot as usize] += 1;
        }
        let text: Vec<String> = seeds.iter().map(u16::to_string).collect();
        let text = format!("{}-{}", text.join("-"), 1 + below(2));
        (game, game.position(&text).unwrap())
    })
}
