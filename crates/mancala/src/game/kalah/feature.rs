//! Features, named feature sets and named weights for kalah.

use super::position::last_in_empty_pit;
use super::{Kalah, Position};
use crate::game::feature::features;
use crate::game::{Featured, GameKind, NamedWeights, Pit, Side};

features! {
    /// A number computed from a kalah position for one of the players.
    ///
    /// `h1` to `h6` are the heuristics of Gifford et al. (2008). Note that h1 = h2 − h3, so different weights for these
    /// three can be equivalent unless we fix one of them. Thirds of a row are rounded down to whole pits, so h4 and h5
    /// are 0 on boards with one or two pits per side.
    pub enum Feature of Position;
    value(position, me, you);

    h1: Lead, +, 0..=48, "my store minus the opponent's"
        => store(position, me) - store(position, you);
    h2: MyStore, +, 0..=48, "my store" => store(position, me);
    h3: TheirStore, -, 0..=48, "the opponent's store" => store(position, you);
    h4: Near, +, 0..=48, "seeds in my pits nearest to home" => position.thirds(me)[2].into();
    h5: Far, +, 0..=48, "seeds in my pits farthest from home" => position.thirds(me)[0].into();
    h6: Middle, +, 0..=48, "seeds in my middle pits" => position.thirds(me)[1].into();
    k1: TheirAgain, -, 0..=6, "opponent's pits that earn another move"
        => position.ending_in_store(you).len() as i32;
    k2: MyAgain, +, 0..=6, "my pits that earn another move" => position.ending_in_store(me).len() as i32;
    k3: TheirCapture, -, 0..=48, "most seeds the opponent can capture" => best_capture(position, you);
    k4: MyCapture, +, 0..=48, "most seeds I can capture" => best_capture(position, me);
    k5: TheirReach, -, 0..=6, "opponent's pits that reach home" => reaching(position, you);
    k6: MyReach, +, 0..=6, "my pits that reach home" => reaching(position, me);
    k7: TheirEmpty, +, 0..=6, "opponent's empty pits" => empty(position, you);
    k8: MyEmpty, -, 0..=6, "my empty pits" => empty(position, me);
    k9: TheirRow, -, 0..=48, "seeds in the opponent's pits" => position.seeds_in_row(you).into();
}

use Feature::*;

impl Feature {
    pub(in crate::game) fn parts(self) -> &'static [(Feature, i32)] {
        if self == Lead { &[(MyStore, 1), (TheirStore, -1)] } else { &[] }
    }
}

impl Featured for Kalah {
    type Feature = Feature;

    const KIND: GameKind = GameKind::Kalah;

    const SETS: &'static [(&'static str, &'static [Feature])] = &[
        ("kansas", &[Lead, MyStore, TheirStore, Near, Far, Middle]),
        // `h2` to `h6` and `k1` to `k9`. `h1` is the difference between the stores.
        ("kalah", Feature::ALL.split_at(15).0.split_at(1).1),
    ];

    const EVALUATORS: &'static [NamedWeights] =
        &[NamedWeights { name: "stores", features: "h1", weights: &[1] }];

    const CAPTURED: &'static [Feature] = &[Lead, MyStore, TheirStore];

    fn seeds_in_pit(position: &Position, side: Side, pit: usize) -> u32 {
        position.row(side).get(pit).map_or(0, |&seeds| seeds.into())
    }
}

#[inline]
fn store(position: &Position, side: Side) -> i32 {
    i32::from(position.store(side))
}

fn empty(position: &Position, side: Side) -> i32 {
    (position.pits() - position.occupied(side).len()) as i32
}

fn reaching(position: &Position, side: Side) -> i32 {
    let (row, pits) = (position.row(side), position.pits());
    let reaches = |pit: &Pit| pit.index() + usize::from(row[pit.index()]) >= pits;
    position.occupied(side).filter(reaches).count() as i32
}

/// Returns the largest number of the opponent's seeds that `side` can capture with a move of at most one lap.
fn best_capture(position: &Position, side: Side) -> i32 {
    let (row, other, pits) = (position.row(side), position.row(side.other()), position.pits());
    let captured = |pit: Pit| {
        let (last, sown) = last_in_empty_pit(&row, pits, pit.index())?;
        Some(i32::from(other[pits - 1 - last]) + sown)
    };
    position.occupied(side).filter_map(captured).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::arbitrary::any_kalah_position as any_position;
    use crate::game::{Game, GameFeature};
    use crate::laws::prelude::*;

    struct Effect {
        again: bool,
        reaches: bool,
        captured: u16,
    }

    fn effect(game: &Kalah, before: &Position, pit: Pit) -> Effect {
        let (me, pits) = (before.to_move(), before.pits());
        let you = me.other();
        let after = game.play(before, pit);
        let steps = 1..=usize::from(before.row(me)[pit.index()]);
        let slots: Vec<usize> = steps.map(|n| (pit.index() + n) % (2 * pits + 1)).collect();
        let given = slots.iter().filter(|slot| **slot > pits).count() as u16;
        Effect {
            again: after.to_move() == me,
            reaches: slots.contains(&pits),
            captured: before.seeds_in_row(you) + given - after.seeds_in_row(you),
        }
    }

    laws! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn features_of_moves_match_their_effects((game, position) in any_position()) {
            let me = position.to_move();
            let effects: Vec<Effect> =
                game.moves(&position).map(|pit| effect(&game, &position, pit)).collect();
            let most = effects.iter().map(|effect| effect.captured).max().unwrap_or(0);
            let count = |counts: fn(&Effect) -> bool| effects.iter().filter(|it| counts(it)).count();
            for (mine, theirs, value) in [
                (MyAgain, TheirAgain, count(|it| it.again)),
                (MyCapture, TheirCapture, most.into()),
                (MyReach, TheirReach, count(|it| it.reaches)),
                (MyEmpty, TheirEmpty, position.pits() - effects.len()),
            ] {
                prop_assert_eq!(mine.value(&position, me), value as i32, "{}", mine.definition().name);
                prop_assert_eq!(theirs.value(&position, me.other()), value as i32);
            }
        }

        #[test]
        fn stores_and_thirds_of_rows_add_up((game, position) in any_position(), south: bool) {
            let me = if south { Side::South } else { Side::North };
            let value = |feature: Feature| feature.value(&position, me);
            let row = &position.row(me)[..game.pits()];
            let (far, rest) = row.split_at(game.pits() / 3);
            let (middle, near) = rest.split_at(rest.len() - game.pits() / 3);
            for (feature, pits) in [(Far, far), (Middle, middle), (Near, near)] {
                let seeds = i32::from(pits.iter().sum::<u16>());
                prop_assert_eq!(value(feature), seeds, "{}", feature.definition().name);
            }
            for feature in Feature::ALL.into_iter().filter(|it| !it.parts().is_empty()) {
                let parts = feature.parts().iter().map(|&(part, factor)| factor * value(part));
                prop_assert_eq!(value(feature), parts.sum::<i32>());
            }
            let all = [MyStore, TheirStore, TheirRow, Near, Middle, Far].map(value);
            prop_assert_eq!(all.iter().sum::<i32>(), i32::from(game.total()));
        }

        #[test]
        fn no_feature_depends_on_the_side_to_move((game, position) in any_position()) {
            let text = position.to_string();
            let (slots, _) = text.rsplit_once('-').unwrap();
            let turns = ["1", "2"].map(|side| game.position(&format!("{slots}-{side}")).unwrap());
            for feature in Feature::ALL {
                for me in Side::BOTH {
                    let [one, two] = turns.map(|position| feature.value(&position, me));
                    prop_assert_eq!(one, two, "{}", feature.definition().name);
                }
            }
        }
    }
}
