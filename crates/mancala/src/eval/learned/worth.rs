//! What a captured seed is worth to weights of units, which say so nowhere.

use super::super::Weights;
use crate::game::{Encoded, Side};
use crate::random::{Purpose, one_of, stream};

/// Games of random moves whose positions are looked at.
const GAMES: u64 = 64;
/// Plies of a game that are looked at.
const PLIES: usize = 100;

/// How much more a position is worth for every seed by which the side to move has captured more: the slope of the
/// straight line that fits the values of positions from random games best, at least 0.
pub(crate) fn seed_worth<G: Encoded>(game: &G, weights: &Weights) -> i32 {
    // Sums of leads, of their squares, of values, and of their products.
    let mut sums = [0i64; 4];
    let mut count = 0i64;
    for index in 0..GAMES {
        let mut dice = stream(1, Purpose::Sample, 0, index);
        let mut position = game.start(Side::South);
        for _ in 0..PLIES {
            if game.ended(&position).is_some() {
                break;
            }
            let pit =
                one_of(game.moves(&position), &mut dice).expect("a game that goes on has moves");
            position = game.play(&position, pit);
            let me = game.to_move(&position);
            let [mine, theirs] =
                [me, me.other()].map(|side| i64::from(game.store(&position, side)));
            let values = weights.features().values::<G>(&position, me);
            let effective = weights.effective_in::<G>(&position);
            let value: i64 =
                values.iter().zip(&effective).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum();
            let lead = mine - theirs;
            for (sum, term) in sums.iter_mut().zip([lead, lead * lead, value, lead * value]) {
                *sum += term;
            }
            count += 1;
        }
    }
    let [leads, squares, values, products] = sums;
    let spread = count * squares - leads * leads;
    if spread == 0 { 0 } else { ((count * products - leads * values) / spread).max(0) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ayo::Ayo;
    use crate::game::kalah::Kalah;

    #[test]
    fn it_is_what_weights_of_captured_seeds_say() {
        let seeds = Weights::named("seeds").unwrap();
        assert_eq!(seed_worth(&Ayo::default(), &seeds), 1);
        let times_seven: Vec<i64> = seeds.values().iter().map(|&it| 7 * i64::from(it)).collect();
        let times_seven =
            Weights::new("", seeds.features().clone(), &times_seven, seeds.signs()).unwrap();
        assert_eq!(seed_worth(&Ayo::default(), &times_seven), 7);
        let stores = Weights::named("h2+h3").unwrap();
        assert_eq!(seed_worth(&Kalah::default(), &stores), 1);
    }
}
