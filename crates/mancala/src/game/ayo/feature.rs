//! Features, named feature sets and named weights for ayo.

use super::{Ayo, PITS, Position, last_pit_holds};
use crate::game::feature::features;
use crate::game::{Featured, GameKind, NamedWeights, Side};

features! {
    /// A number computed from an ayo position for one of the players. It doesn't depend on whose turn it is.
    ///
    /// `a1` to `a12` are the features of Daoud, Kharma, Haidar and Popoola, "Ayo, the Awari Player" (CEC 2004). `a13`
    /// and `a14` are needed for the weights of the Aalina engine.
    pub enum Feature of Position;
    value(position, me, you);

    a1: TheirThreatsOf2, -, 0..=6, "opponent's pits that can capture 2" => threats(position, you, 2);
    a2: TheirThreatsOf3, -, 0..=6, "opponent's pits that can capture 3" => threats(position, you, 3);
    a3: MyThreatsOf2, +, 0..=6, "my pits that can capture 2" => threats(position, me, 2);
    a4: MyThreatsOf3, +, 0..=6, "my pits that can capture 3" => threats(position, me, 3);
    a5: TheirReach, -, 0..=6, "opponent's pits that reach my row" => pits(position, you, reaches);
    a6: MyReach, +, 0..=6, "my pits that reach the opponent's row" => pits(position, me, reaches);
    a7: TheirKroo, -, 0..=6, "opponent's pits with more than 12" => pits(position, you, is_kroo);
    a8: MyKroo, +, 0..=6, "my pits with more than 12" => pits(position, me, is_kroo);
    a9: TheirSeeds, -, 0..=48, "seeds the opponent has captured" => position.store(you).into();
    a10: MySeeds, +, 0..=48, "seeds I have captured" => position.store(me).into();
    a11: TheirEmpty, +, 0..=6, "opponent's empty pits" => pits(position, you, is_empty);
    a12: MyEmpty, -, 0..=6, "my empty pits" => pits(position, me, is_empty);
    a13: TheirWeak, +, 0..=6, "opponent's pits with 1 or 2" => pits(position, you, is_weak);
    a14: MyWeak, -, 0..=6, "my pits with 1 or 2" => pits(position, me, is_weak);
}

use Feature::*;

impl Featured for Ayo {
    type Feature = Feature;

    const KIND: GameKind = GameKind::Ayo;

    const SETS: &'static [(&'static str, &'static [Feature])] = &[
        ("daoud2004", &DAOUD),
        (
            "davis-kendall",
            &[TheirThreatsOf2, TheirThreatsOf3, MyThreatsOf2, MyThreatsOf3, TheirSeeds, MySeeds],
        ),
        ("seeds", &[TheirSeeds, MySeeds]),
        (
            "aalina",
            &[TheirKroo, MyKroo, TheirSeeds, MySeeds, TheirEmpty, MyEmpty, TheirWeak, MyWeak],
        ),
    ];

    const EVALUATORS: &'static [NamedWeights] = &[
        NamedWeights { name: "seeds", features: "seeds", weights: &[1, 1] },
        // From Daoud et al. (2004), in units of 1/15. For a1 at depth 3, their text has .67 but Table 1 has .06 (1/15).
        NamedWeights {
            name: "daoud2004-depth3",
            features: "daoud2004",
            weights: &[1, 3, 14, 14, 2, 13, 1, 14, 2, 9, 15, 10],
        },
        NamedWeights {
            name: "daoud2004-depth5",
            features: "daoud2004",
            weights: &[12, 15, 1, 0, 13, 9, 0, 3, 11, 14, 0, 12],
        },
        // The champion of the preset `standard` in version 0.1, which was evolved at depth 5 with `perspective=root`.
        NamedWeights {
            name: "standard-0.1",
            features: "daoud2004",
            weights: &[1436, 575, 198, -104, -91, 89, 395, 401, 553, 590, 474, 587],
        },
        // The hand-tuned weights of Aalina, an Oware engine.
        NamedWeights {
            name: "aalina4",
            features: "aalina",
            weights: &[28, 28, 25, 25, 54, 54, 36, 36],
        },
    ];

    const CAPTURED: &'static [Feature] = &[TheirSeeds, MySeeds];

    fn seeds_in_pit(position: &Position, side: Side, pit: usize) -> u32 {
        position.row(side).get(pit).map_or(0, |&seeds| seeds.into())
    }
}

/// The features of Daoud et al. (2004), `a1` to `a12`.
pub(crate) const DAOUD: [Feature; 12] = *Feature::ALL.first_chunk().unwrap();

fn pits(position: &Position, side: Side, counts: fn(usize, u8) -> bool) -> i32 {
    let row = position.row(side);
    row.iter().enumerate().filter(|&(pit, &seeds)| counts(pit, seeds)).count() as i32
}

fn reaches(pit: usize, seeds: u8) -> bool {
    pit + usize::from(seeds) >= PITS
}

/// Daoud et al. (2004) use this limit for a7 and a8, although 12 seeds are enough to go around the board.
fn is_kroo(_: usize, seeds: u8) -> bool {
    seeds > 12
}

fn is_empty(_: usize, seeds: u8) -> bool {
    seeds == 0
}

fn is_weak(_: usize, seeds: u8) -> bool {
    seeds == 1 || seeds == 2
}

/// Counts the pits of `attacker` whose last seed would land in an opponent's pit and bring it to exactly `target`
/// seeds. Ignores the feeding and grand slam rules.
fn threats(position: &Position, attacker: Side, target: u8) -> i32 {
    let [from, to] = [attacker, attacker.other()].map(|side| position.row_word(side));
    (0..PITS).filter(|&pit| last_pit_holds(from, to, pit) == target).count() as i32
}
