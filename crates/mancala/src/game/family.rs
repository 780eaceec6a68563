//! Families of features: many that are alike, each made by a rule and not by a row of a table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::GameKind;
use super::feature::{Definition, Feature};

/// The families of features that a game has, and what their members are called. No two features of any
/// games share a name, so games that have the same families have other letters for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Families {
    /// The name of the feature that is always 1.
    pub bias: Option<&'static str>,
    /// What single pits hold.
    pub contents: Option<Contents>,
    /// What stands before the number of a unit of a learned layer.
    pub units: &'static str,
}

/// Which contents of which pits are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// What stands before the number of a pit of mine.
    pub mine: &'static str,
    /// What stands before the number of a pit of the opponent's.
    pub theirs: &'static str,
    /// The pits of a side.
    pub pits: u8,
    /// The content that stands for itself and all that is more.
    pub most: u8,
}

/// Whose a pit is, from the view that a feature is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// That of the player whose view it is.
    Mine,
    /// Its opponent's.
    Theirs,
}

impl Owner {
    /// Both, mine first.
    pub const BOTH: [Owner; 2] = [Owner::Mine, Owner::Theirs];
}

/// The feature of a game that is always 1: what it weighs is added to every evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bias {
    game: GameKind,
}

impl Bias {
    /// That of a game; `None` if the game has none.
    pub fn of(game: GameKind) -> Option<Bias> {
        game.families().bias.map(|_| Bias { game })
    }

    /// The game.
    pub fn game(self) -> GameKind {
        self.game
    }
}

/// That a pit holds so many seeds: 1 if it does, or else 0.
///
/// ```
/// use mancala::game::{Feature, GameKind, Holds, Owner};
/// let holds = Holds::new(GameKind::Ayo, Owner::Mine, 0, 3).unwrap();
/// assert_eq!(Feature::from(holds).name(), "m1=3");
/// assert_eq!(Feature::from(holds).meaning(), "my pit 1 holds 3");
/// assert_eq!(Holds::new(GameKind::Ayo, Owner::Mine, 6, 3), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Holds {
    game: GameKind,
    owner: Owner,
    pit: u8,
    seeds: u8,
}

impl Holds {
    /// That pit number `pit` of `owner`, counted from 0 in the order of sowing, holds `seeds`, of which the most
    /// that the game tells apart stand for all that is more. `None` if the game has no such feature.
    pub fn new(game: GameKind, owner: Owner, pit: u8, seeds: u8) -> Option<Holds> {
        let contents = game.families().contents?;
        let is_one = pit < contents.pits && seeds <= contents.most;
        is_one.then_some(Holds { game, owner, pit, seeds })
    }

    /// All of a game: my pits in order, each with its contents from 0 on, then the opponent's.
    pub fn all(game: GameKind) -> impl Iterator<Item = Holds> {
        let (pits, contents) = game.families().contents.map_or((0, 0), |it| (it.pits, it.most + 1));
        let of_pit =
            move |owner, pit| (0..contents).map(move |seeds| Holds { game, owner, pit, seeds });
        let of_owner = move |owner| (0..pits).flat_map(move |pit| of_pit(owner, pit));
        Owner::BOTH.into_iter().flat_map(of_owner)
    }

    /// The game.
    pub fn game(self) -> GameKind {
        self.game
    }

    /// Whose pit it is.
    pub fn owner(self) -> Owner {
        self.owner
    }

    /// The pit, counted from 0 in the order of sowing.
    pub fn pit(self) -> u8 {
        self.pit
    }

    /// The seeds.
    pub fn seeds(self) -> u8 {
        self.seeds
    }

    /// Whether it stands for more seeds than [`seeds`](Holds::seeds), too.
    pub fn or_more(self) -> bool {
        self.game.families().contents.is_some_and(|it| it.most == self.seeds)
    }

    fn definition(self) -> Definition {
        let Holds { game, owner, pit, seeds } = self;
        let contents = game.families().contents.expect("a game with this family");
        let (letters, whose) = match owner {
            Owner::Mine => (contents.mine, "my"),
            Owner::Theirs => (contents.theirs, "opponent's"),
        };
        let (pit, more) = (pit + 1, if self.or_more() { " or more" } else { "" });
        let name = format!("{letters}{pit}={seeds}").leak();
        let meaning = format!("{whose} pit {pit} holds {seeds}{more}").leak();
        Definition { name, meaning, sign: 1, max: 1 }
    }
}

/// A unit of a layer that is learned. No position tells its value without the layer.
///
/// ```
/// use mancala::game::{Feature, GameKind, Unit};
/// let unit = Unit::new(GameKind::Kalah, 1).unwrap();
/// assert_eq!(Feature::from(unit).name(), "ku1");
/// assert_eq!(Unit::new(GameKind::Kalah, 65), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit {
    game: GameKind,
    number: u8,
}

impl Unit {
    /// Units of the largest layer.
    pub const MOST: u8 = 64;
    /// The largest value of a unit.
    pub const LARGEST: i32 = 254;

    /// Unit number 1 to [`MOST`](Unit::MOST) of a layer of a game; `None` beyond that.
    pub fn new(game: GameKind, number: u8) -> Option<Unit> {
        (1..=Unit::MOST).contains(&number).then_some(Unit { game, number })
    }

    /// All of a game, in the order of their numbers.
    pub fn all(game: GameKind) -> impl Iterator<Item = Unit> {
        (1..=Unit::MOST).map(move |number| Unit { game, number })
    }

    /// The game.
    pub fn game(self) -> GameKind {
        self.game
    }

    /// The number of the unit, from 1.
    pub fn number(self) -> u8 {
        self.number
    }

    fn definition(self) -> Definition {
        let Unit { game, number } = self;
        let name = format!("{}{number}", game.families().units).leak();
        let meaning = format!("unit {number} of a learned layer").leak();
        Definition { name, meaning, sign: 1, max: Unit::LARGEST }
    }
}

impl From<Bias> for Feature {
    fn from(bias: Bias) -> Feature {
        Feature::Bias(bias)
    }
}

impl From<Holds> for Feature {
    fn from(holds: Holds) -> Feature {
        Feature::Holds(holds)
    }
}

impl From<Unit> for Feature {
    fn from(unit: Unit) -> Feature {
        Feature::Unit(unit)
    }
}

/// The members of all families of all games. It is made once, so that their names live as long as those of
/// a table of rows.
static MEMBERS: LazyLock<BTreeMap<Feature, Definition>> = LazyLock::new(|| {
    let of_game = |game: GameKind| {
        let always_1 = |name| Definition { name, meaning: "always 1", sign: 1, max: 1 };
        let bias = Bias::of(game).zip(game.families().bias);
        let bias = bias.map(|(bias, name)| (bias.into(), always_1(name)));
        let holds = Holds::all(game).map(|it| (it.into(), it.definition()));
        let units = Unit::all(game).map(|it| (it.into(), it.definition()));
        bias.into_iter().chain(holds).chain(units)
    };
    GameKind::ALL.into_iter().flat_map(of_game).collect()
});

/// What a member of a family is called.
pub(super) fn definition(member: Feature) -> &'static Definition {
    &MEMBERS[&member]
}

/// The member of a family with this name.
pub(super) fn from_name(name: &str) -> Option<Feature> {
    let mut members = MEMBERS.iter();
    members.find(|(_, definition)| definition.name == name).map(|(member, _)| *member)
}

impl GameKind {
    /// The features that each family of the game consists of. They are none of its
    /// [`features`](GameKind::features).
    pub fn members(self) -> Vec<Vec<Feature>> {
        let families: [Vec<Feature>; 3] = [
            Bias::of(self).into_iter().map(Feature::from).collect(),
            Holds::all(self).map(Feature::from).collect(),
            Unit::all(self).map(Feature::from).collect(),
        ];
        families.into_iter().filter(|family| !family.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::game::arbitrary::any_position;
    use crate::game::ayo::Ayo;
    use crate::game::{Featured, Side};
    use crate::laws;

    fn members() -> Vec<Feature> {
        GameKind::ALL.into_iter().flat_map(GameKind::members).flatten().collect()
    }

    #[test]
    fn every_name_is_that_of_one_feature() {
        let all: Vec<Feature> = Feature::all().chain(members()).collect();
        let names: BTreeSet<&str> = all.iter().map(|it| it.name()).collect();
        assert_eq!(names.len(), all.len());
        for feature in all {
            assert_eq!(Feature::from_name(feature.name()), Some(feature));
            assert!(
                feature.sign().abs() == 1 && feature.max() > 0 && !feature.meaning().is_empty()
            );
        }
        for name in ["m0=0", "m7=0", "m1=14", "t6=-1", "m1", "u0", "u65", "ku", "m1=00", "kbias"] {
            assert_eq!(Feature::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn members_say_what_they_are() {
        let said = |name| Feature::from_name(name).map(|it| (it.game(), it.meaning())).unwrap();
        assert_eq!(said("bias"), (GameKind::Ayo, "always 1"));
        assert_eq!(said("m1=0"), (GameKind::Ayo, "my pit 1 holds 0"));
        assert_eq!(said("t6=13"), (GameKind::Ayo, "opponent's pit 6 holds 13 or more"));
        assert_eq!(said("u64"), (GameKind::Ayo, "unit 64 of a learned layer"));
        assert_eq!(said("ku3"), (GameKind::Kalah, "unit 3 of a learned layer"));
        assert_eq!(Holds::all(GameKind::Ayo).count(), 168);
        assert!(!Feature::all().any(|it| members().contains(&it)));
    }

    laws! {
        /// Each pit holds one content, and mine are the opponent's from its view.
        #[test]
        fn a_pit_holds_what_it_holds(position in any_position()) {
            let value = |it: Holds, me| Feature::from(it).value::<Ayo>(&position, me).unwrap();
            for me in Side::BOTH {
                for holds in Holds::all(GameKind::Ayo) {
                    let side = if holds.owner() == Owner::Mine { me } else { me.other() };
                    let held = Ayo::held(&position, side, holds.pit().into());
                    prop_assert_eq!(value(holds, me) == 1, held.min(13) == u32::from(holds.seeds()));
                }
                for unit in Unit::all(GameKind::Ayo) {
                    prop_assert_eq!(Feature::from(unit).value::<Ayo>(&position, me), None);
                }
                let bias = Feature::from(Bias::of(GameKind::Ayo).unwrap());
                prop_assert_eq!(bias.value::<Ayo>(&position, me), Some(1));
            }
        }
    }
}
