//! Families of similar features, whose members are generated instead of being listed in a table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::GameKind;
use super::ayo::PITS;
use super::feature::{Definition, Feature};

/// The owner of a pit, from the perspective of the player for whom a position is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    Mine,
    Theirs,
}

impl Owner {
    pub const BOTH: [Owner; 2] = [Owner::Mine, Owner::Theirs];
}

/// An ayo feature that is 1 if a pit holds a particular number of seeds, and 0 otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct PitCount {
    pub owner: Owner,
    /// The index of the pit, counted from 0 in sowing order.
    pub pit: u8,
    /// The number of seeds, or the minimum number if the feature is [open-ended](Self::is_open_ended).
    pub seeds: u8,
}

impl PitCount {
    pub const PITS: u8 = PITS as u8;
    /// The largest number of seeds with a feature of its own. This feature is also 1 for all larger numbers.
    pub const MAX: u8 = 13;

    /// Returns all features, ordered by owner, then pit, then number of seeds.
    pub fn all() -> impl Iterator<Item = PitCount> {
        let of_pit = |owner, pit| (0..=Self::MAX).map(move |seeds| PitCount { owner, pit, seeds });
        let of_owner = move |owner| (0..Self::PITS).flat_map(move |pit| of_pit(owner, pit));
        Owner::BOTH.into_iter().flat_map(of_owner)
    }

    /// Returns whether the feature is also 1 for more than `seeds` seeds.
    pub fn is_open_ended(self) -> bool {
        self.seeds == Self::MAX
    }

    fn definition(self) -> Definition {
        let (letter, whose) = match self.owner {
            Owner::Mine => ('m', "my"),
            Owner::Theirs => ('t', "opponent's"),
        };
        let (pit, seeds) = (self.pit + 1, self.seeds);
        let more = if self.is_open_ended() { " or more" } else { "" };
        let name = format!("{letter}{pit}={seeds}").leak();
        let meaning = format!("{whose} pit {pit} holds {seeds}{more}").leak();
        Definition { name, meaning, sign: 1, max: 1 }
    }
}

/// A neuron of a learned layer (also known as a unit) or of a second layer. Its value depends on the layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct HiddenNeuron {
    pub game: GameKind,
    pub is_second: bool,
    /// The number of the neuron in its layer, starting at 1.
    pub number: u16,
}

impl HiddenNeuron {
    /// The maximum number of units in a layer.
    pub const MAX: u16 = 256;
    /// The maximum number of neurons in a second layer.
    pub const MAX_SECOND: u16 = 32;
    pub const MAX_VALUE: i32 = 254;

    /// Returns all units in numerical order, then all neurons of the second layer.
    pub fn all(game: GameKind) -> impl Iterator<Item = HiddenNeuron> {
        let neurons = move |is_second, count| {
            (1..=count).map(move |number| HiddenNeuron { game, is_second, number })
        };
        neurons(false, HiddenNeuron::MAX).chain(neurons(true, HiddenNeuron::MAX_SECOND))
    }

    fn definition(self) -> Definition {
        let HiddenNeuron { game, is_second, number } = self;
        // Kalah needs a prefix because names must be unique across all games.
        let prefix = match game {
            GameKind::Ayo => "",
            GameKind::Kalah => "k",
        };
        let (letter, meaning) = match is_second {
            false => ("u", format!("unit {number} of a learned layer")),
            true => ("v", format!("neuron {number} of a second learned layer")),
        };
        let name = format!("{prefix}{letter}{number}").leak();
        let meaning = meaning.leak();
        Definition { name, meaning, sign: 1, max: HiddenNeuron::MAX_VALUE }
    }
}

/// The members of the families of all games. We create them only once, because we leak the memory for their names.
pub(super) static MEMBERS: LazyLock<BTreeMap<Feature, Definition>> = LazyLock::new(|| {
    let definition = |member| match member {
        Feature::PitCount(holds) => holds.definition(),
        Feature::HiddenNeuron(unit) => unit.definition(),
        _ => Definition { name: "bias", meaning: "always 1", sign: 1, max: 1 },
    };
    let members = GameKind::ALL.into_iter().flat_map(GameKind::members).flatten();
    members.map(|member| (member, definition(member))).collect()
});

impl GameKind {
    /// Returns the members of each family of the game. [`features`](GameKind::features) doesn't include these.
    pub fn members(self) -> Vec<Vec<Feature>> {
        let neurons = HiddenNeuron::all(self).map(Feature::from).collect::<Vec<_>>();
        let (units, second) = neurons.split_at(HiddenNeuron::MAX.into());
        let (units, second) = (units.to_vec(), second.to_vec());
        match self {
            GameKind::Ayo => {
                let pits = PitCount::all().map(Feature::from).collect();
                vec![vec![Feature::Bias], pits, units, second]
            }
            GameKind::Kalah => vec![units, second],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::game::ayo::Ayo;
    use crate::game::{Featured, Side};
    use crate::laws::prelude::*;

    #[test]
    fn names_are_unique_and_read_back() {
        let members = GameKind::ALL.into_iter().flat_map(GameKind::members).flatten();
        let all: Vec<Feature> = Feature::all().chain(members).collect();
        let names: BTreeSet<&str> = all.iter().map(|feature| feature.name()).collect();
        assert_eq!(names.len(), all.len());
        for feature in all {
            assert_eq!(Feature::from_name(feature.name()), Some(feature));
            assert!(feature.sign().abs() == 1 && feature.max() > 0);
        }
        for name in
            ["m0=0", "m7=0", "m1=14", "t6=-1", "m1", "u0", "u257", "v33", "kv", "m1=00", "kbias"]
        {
            assert_eq!(Feature::from_name(name), None, "{name}");
        }
    }

    laws! {
        #[test]
        fn each_pit_has_one_active_feature(position in any_position()) {
            let value = |member: Feature, me| member.value::<Ayo>(&position, me);
            for me in Side::BOTH {
                for holds in PitCount::all() {
                    let side = if holds.owner == Owner::Mine { me } else { me.other() };
                    let held = Ayo::seeds_in_pit(&position, side, holds.pit.into()).min(13);
                    let expected = i32::from(held == u32::from(holds.seeds));
                    prop_assert_eq!(value(holds.into(), me), Some(expected));
                }
                prop_assert_eq!(value(HiddenNeuron::all(GameKind::Ayo).next().unwrap().into(), me), None);
                prop_assert_eq!(value(Feature::Bias, me), Some(1));
            }
        }
    }
}
