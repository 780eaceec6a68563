//! The features of a position, one by one.

pub mod kalah;

use crate::game::ayo::{PITS, Position, SEEDS, sown};
use crate::game::{Pit, Side};

/// A number that is read off a position from one player's view ("mine" and "the opponent's"). None
/// depends on whose turn it is.
///
/// `a1` to `a12` are those of Daoud, Kharma, Haidar and Popoola, "Ayo, the Awari Player" (CEC 2004).
/// `a13` and `a14` continue their numbering for evaluators that count nearly empty pits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// `a1`: opponent's pits whose last seed would bring one of mine to exactly 2.
    TheirThreatsOf2,
    /// `a2`: opponent's pits whose last seed would bring one of mine to exactly 3.
    TheirThreatsOf3,
    /// `a3`: my pits whose last seed would bring one of the opponent's to exactly 2.
    MyThreatsOf2,
    /// `a4`: my pits whose last seed would bring one of the opponent's to exactly 3.
    MyThreatsOf3,
    /// `a5`: opponent's pits with enough seeds to reach my row.
    TheirReach,
    /// `a6`: my pits with enough seeds to reach the opponent's row.
    MyReach,
    /// `a7`: opponent's pits with more than 12 seeds.
    TheirKroo,
    /// `a8`: my pits with more than 12 seeds.
    MyKroo,
    /// `a9`: seeds the opponent has captured.
    TheirSeeds,
    /// `a10`: seeds I have captured.
    MySeeds,
    /// `a11`: opponent's empty pits.
    TheirEmpty,
    /// `a12`: my empty pits.
    MyEmpty,
    /// `a13`: opponent's pits with one or two seeds.
    TheirWeak,
    /// `a14`: my pits with one or two seeds.
    MyWeak,
    /// A feature of kalah.
    Kalah(kalah::Feature),
}

use Feature::*;

impl Feature {
    /// Those of ayo in the order of their numbers.
    pub const ALL: [Feature; 14] = [
        TheirThreatsOf2,
        TheirThreatsOf3,
        MyThreatsOf2,
        MyThreatsOf3,
        TheirReach,
        MyReach,
        TheirKroo,
        MyKroo,
        TheirSeeds,
        MySeeds,
        TheirEmpty,
        MyEmpty,
        TheirWeak,
        MyWeak,
    ];

    /// Place in [`Feature::ALL`], if it is a feature of ayo.
    pub fn index(self) -> Option<usize> {
        Feature::ALL.iter().position(|feature| *feature == self)
    }

    /// The name of the game that it is a feature of.
    pub fn game(self) -> &'static str {
        match self {
            Kalah(_) => "kalah",
            _ => "ayo",
        }
    }

    /// `a1` to `a14`; `h1` to `h6` and `k1` to `k9` in kalah.
    pub fn name(self) -> &'static str {
        match self {
            TheirThreatsOf2 => "a1",
            TheirThreatsOf3 => "a2",
            MyThreatsOf2 => "a3",
            MyThreatsOf3 => "a4",
            TheirReach => "a5",
            MyReach => "a6",
            TheirKroo => "a7",
            MyKroo => "a8",
            TheirSeeds => "a9",
            MySeeds => "a10",
            TheirEmpty => "a11",
            MyEmpty => "a12",
            TheirWeak => "a13",
            MyWeak => "a14",
            Kalah(feature) => feature.name(),
        }
    }

    /// The feature with this name.
    pub fn from_name(name: &str) -> Option<Feature> {
        let of_kalah = kalah::Feature::ALL.into_iter().map(Kalah);
        Feature::ALL.into_iter().chain(of_kalah).find(|f| f.name() == name)
    }

    /// What is counted, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            TheirThreatsOf2 => "opponent's pits that can capture 2",
            TheirThreatsOf3 => "opponent's pits that can capture 3",
            MyThreatsOf2 => "my pits that can capture 2",
            MyThreatsOf3 => "my pits that can capture 3",
            TheirReach => "opponent's pits that reach my row",
            MyReach => "my pits that reach the opponent's row",
            TheirKroo => "opponent's pits with more than 12",
            MyKroo => "my pits with more than 12",
            TheirSeeds => "seeds the opponent has captured",
            MySeeds => "seeds I have captured",
            TheirEmpty => "opponent's empty pits",
            MyEmpty => "my empty pits",
            TheirWeak => "opponent's pits with 1 or 2",
            MyWeak => "my pits with 1 or 2",
            Kalah(feature) => feature.meaning(),
        }
    }

    /// The sign that the `signed` convention gives the feature: +1 or −1.
    ///
    /// The paper prints a sum of non-negative weights, which taken literally rewards the opponent's
    /// captures; these signs are the ones under which its published weights play well.
    pub fn sign(self) -> i32 {
        match self {
            TheirThreatsOf2 | TheirThreatsOf3 | TheirReach | TheirKroo | TheirSeeds | MyEmpty
            | MyWeak => -1,
            MyThreatsOf2 | MyThreatsOf3 | MyReach | MyKroo | MySeeds | TheirEmpty | TheirWeak => 1,
            Kalah(feature) => feature.sign(),
        }
    }

    /// The features that it is a sum of, each with its factor, if it says no more than they do.
    ///
    /// ```
    /// use mancala::eval::Feature;
    /// let lead = Feature::from_name("h1").unwrap();
    /// let parts: Vec<_> = lead.parts().iter().map(|(part, factor)| (part.name(), *factor)).collect();
    /// assert_eq!(parts, [("h2", 1), ("h3", -1)]);
    /// ```
    pub fn parts(self) -> &'static [(Feature, i32)] {
        match self {
            Kalah(feature) => feature.parts(),
            _ => &[],
        }
    }

    /// The largest value that the feature can take; in kalah on the usual board.
    pub fn max(self) -> i32 {
        match self {
            Kalah(feature) => feature.max(),
            TheirSeeds | MySeeds => i32::from(SEEDS),
            _ => PITS as i32,
        }
    }

    /// The value in `position` from the view of `me`; nothing on a board of ayo if it is a feature of
    /// another game.
    ///
    /// ```
    /// use mancala::eval::Feature;
    /// use mancala::game::Side;
    /// let position = "0-0-0-0-0-1-1-0-0-0-0-0-24-22-S".parse().unwrap();
    /// assert_eq!(Feature::MyThreatsOf2.value(&position, Side::South), 1);
    /// assert_eq!(Feature::MySeeds.value(&position, Side::North), 22);
    /// ```
    pub fn value(self, position: &Position, me: Side) -> i32 {
        let you = me.other();
        let pits = |side: Side, counts: fn(usize, u8) -> bool| {
            let row = position.row(side);
            row.iter().enumerate().filter(|&(i, &n)| counts(i, n)).count() as i32
        };
        let reaches = |pit: usize, seeds: u8| pit + seeds as usize >= PITS;
        let kroo = |_, seeds| seeds > 12;
        let empty = |_, seeds| seeds == 0;
        let weak = |_, seeds| seeds == 1 || seeds == 2;
        match self {
            TheirThreatsOf2 => threats(position, you, 2),
            TheirThreatsOf3 => threats(position, you, 3),
            MyThreatsOf2 => threats(position, me, 2),
            MyThreatsOf3 => threats(position, me, 3),
            TheirReach => pits(you, reaches),
            MyReach => pits(me, reaches),
            TheirKroo => pits(you, kroo),
            MyKroo => pits(me, kroo),
            TheirSeeds => i32::from(position.store(you)),
            MySeeds => i32::from(position.store(me)),
            TheirEmpty => pits(you, empty),
            MyEmpty => pits(me, empty),
            TheirWeak => pits(you, weak),
            MyWeak => pits(me, weak),
            Kalah(_) => 0,
        }
    }
}

/// The pits of `attacker` whose last seed would bring one of the other side's to exactly `target`.
/// The sowing is the true one, laps included; chains, feeding and grand slams do not enter.
fn threats(position: &Position, attacker: Side, target: u64) -> i32 {
    let row = position.row(attacker);
    let other = position.row_word(attacker.other());
    let threatens = |pit: usize| {
        let sown = sown(Pit::new(pit as u8).expect("a pit of a row"), row[pit]);
        let last = sown.last as usize;
        last >= PITS && (other + sown.added[1]) >> (8 * (last - PITS)) & 0xFF == target
    };
    (0..PITS).filter(|&pit| row[pit] > 0 && threatens(pit)).count() as i32
}
