//! What is counted in a position of kalah.

use crate::game::Side;
use crate::game::kalah::Position;

/// A number that is read off a position of kalah from one player's view.
///
/// `h1` to `h6` are the heuristics of Gifford et al. (2008), `k1` to `k9` are ours. Since h1 = h2 − h3 as
/// they are counted here, of three weights for them one has to be fixed. A third of a row is rounded down
/// to whole pits: on boards with one or two pits h4 and h5 are always 0, and h6 counts all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// `h1`: my store less the opponent's.
    Lead,
    /// `h2`: my store.
    MyStore,
    /// `h3`: the opponent's store, which counts against me.
    TheirStore,
    /// `h4`: seeds in the third of my pits nearest to home.
    Near,
    /// `h5`: seeds in the third of my pits farthest from home.
    Far,
    /// `h6`: seeds in my other pits.
    Middle,
    /// `k1`: the opponent's pits whose last seed ends at home.
    TheirAgain,
    /// `k2`: my pits whose last seed ends at home.
    MyAgain,
    /// `k3`: the most seeds of mine that a move of the opponent captures.
    TheirCapture,
    /// `k4`: the most seeds of the opponent that a move of mine captures.
    MyCapture,
    /// `k5`: the opponent's pits that reach home.
    TheirReach,
    /// `k6`: my pits that reach home.
    MyReach,
    /// `k7`: the opponent's empty pits.
    TheirEmpty,
    /// `k8`: my empty pits.
    MyEmpty,
    /// `k9`: seeds in the opponent's pits.
    TheirRow,
}

use Feature::*;

/// How many of the features are not heuristics of the report.
pub(in crate::eval) const OURS: usize = Feature::ALL.len() - 6;

impl Feature {
    /// All features of kalah in the order of their names.
    pub const ALL: [Feature; 15] = [
        Lead,
        MyStore,
        TheirStore,
        Near,
        Far,
        Middle,
        TheirAgain,
        MyAgain,
        TheirCapture,
        MyCapture,
        TheirReach,
        MyReach,
        TheirEmpty,
        MyEmpty,
        TheirRow,
    ];

    /// The heuristics of the report.
    pub const KANSAS: [super::Feature; 6] = Feature::all_from(0);

    /// All but `h1`, which the two stores make up.
    pub const EXTENDED: [super::Feature; 14] = Feature::all_from(1);

    /// So many of all, beginning with this one.
    const fn all_from<const COUNT: usize>(first: usize) -> [super::Feature; COUNT] {
        let mut set = [super::Feature::Kalah(Lead); COUNT];
        let mut index = 0;
        while index < COUNT {
            set[index] = super::Feature::Kalah(Feature::ALL[first + index]);
            index += 1;
        }
        set
    }

    /// `h1` to `h6` and `k1` to `k9`.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 15] = [
            "h1", "h2", "h3", "h4", "h5", "h6", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8",
            "k9",
        ];
        NAMES[self as usize]
    }

    /// What is counted, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Lead => "my store less the opponent's",
            MyStore => "my store",
            TheirStore => "the opponent's store",
            Near => "seeds in my pits nearest to home",
            Far => "seeds in my pits farthest from home",
            Middle => "seeds in my middle pits",
            TheirAgain => "opponent's pits that earn another move",
            MyAgain => "my pits that earn another move",
            TheirCapture => "most seeds the opponent can capture",
            MyCapture => "most seeds I can capture",
            TheirReach => "opponent's pits that reach home",
            MyReach => "my pits that reach home",
            TheirEmpty => "opponent's empty pits",
            MyEmpty => "my empty pits",
            TheirRow => "seeds in the opponent's pits",
        }
    }

    /// The features that it is a sum of, each with its factor: the lead is my store less the opponent's.
    pub fn parts(self) -> &'static [(super::Feature, i32)] {
        const LEAD: [(super::Feature, i32); 2] =
            [(super::Feature::Kalah(MyStore), 1), (super::Feature::Kalah(TheirStore), -1)];
        if self == Lead { &LEAD } else { &[] }
    }

    /// The sign that the `signed` convention gives the feature.
    pub fn sign(self) -> i32 {
        match self {
            TheirStore | TheirAgain | TheirCapture | TheirReach | MyEmpty | TheirRow => -1,
            Lead | MyStore | Near | Far | Middle | MyAgain | MyCapture | MyReach | TheirEmpty => 1,
        }
    }

    /// The largest value that the feature can take on the usual board.
    pub fn max(self) -> i32 {
        match self {
            TheirAgain | MyAgain | TheirReach | MyReach | TheirEmpty | MyEmpty => 6,
            Lead | MyStore | TheirStore | Near | Far | Middle | TheirCapture | MyCapture
            | TheirRow => 48,
        }
    }

    /// The value in `position` from the view of `me`, whoever is to move.
    ///
    /// ```
    /// use mancala::eval::kalah::Feature;
    /// use mancala::game::{Side, kalah::Kalah};
    /// let position = Kalah::default().position("1-0-3-0-0-1-0-4-9-9-9-9-3-0-1").unwrap();
    /// assert_eq!(Feature::MyAgain.value(&position, Side::South), 1);
    /// assert_eq!(Feature::MyCapture.value(&position, Side::South), 9);
    /// ```
    pub fn value(self, position: &Position, me: Side) -> i32 {
        let you = me.other();
        let (pits, store) = (position.pits(), |side| i32::from(position.store(side)));
        let third = |index: usize| i32::from(position.thirds(me)[index]);
        match self {
            Lead => store(me) - store(you),
            MyStore => store(me),
            TheirStore => store(you),
            Near => third(2),
            Far => third(0),
            Middle => third(1),
            TheirAgain => position.reaching_home(you).len() as i32,
            MyAgain => position.reaching_home(me).len() as i32,
            TheirCapture => best_capture(position, you),
            MyCapture => best_capture(position, me),
            TheirReach => reaching(position, you),
            MyReach => reaching(position, me),
            TheirEmpty => (pits - position.occupied(you).len()) as i32,
            MyEmpty => (pits - position.occupied(me).len()) as i32,
            TheirRow => i32::from(position.seeds_in_row(you)),
        }
    }
}

/// Pits whose seeds come as far as home.
fn reaching(position: &Position, side: Side) -> i32 {
    let (row, pits) = (position.row(side), position.pits());
    position
        .occupied(side)
        .filter(|pit| pit.index() + usize::from(row[pit.index()]) >= pits)
        .count() as i32
}

/// The most seeds of the opponent that one sowing of `side` captures, by a last seed on the first lap or
/// at its end.
fn best_capture(position: &Position, side: Side) -> i32 {
    let (row, other) = (position.row(side), position.row(side.other()));
    let pits = position.pits();
    let round = 2 * pits + 1;
    let captured = |pit: crate::game::Pit| {
        let (from, seeds) = (pit.index(), usize::from(row[pit.index()]));
        let end = from + seeds;
        let (last, sown) = match () {
            () if end < pits => (end, 0),
            () if seeds <= round && end >= round => (end - round, 1),
            () => return 0,
        };
        // The pit of origin is empty when the last seed comes back to it.
        if last != from && row[last] > 0 {
            return 0;
        }
        i32::from(other[pits - 1 - last]) + sown
    };
    position.occupied(side).map(captured).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::arbitrary::any_kalah_position as any_position;
    use crate::game::{Game, Pit};

    /// What a move does, told seed by seed.
    struct Deed {
        again: bool,
        /// Whether a seed falls into the mover's store on the way.
        reaches: bool,
        /// Seeds taken out of the opponent's pits.
        captured: u16,
    }

    fn deed<G: Game<Position = Position>>(game: &G, before: &Position, pit: Pit) -> Deed {
        let (me, pits) = (before.to_move(), before.pits());
        let you = me.other();
        let after = game.play(before, pit);
        let steps = 1..=usize::from(before.row(me)[pit.index()]);
        let slots: Vec<usize> = steps.map(|n| (pit.index() + n) % (2 * pits + 1)).collect();
        let given = slots.iter().filter(|slot| **slot > pits).count() as u16;
        Deed {
            again: after.to_move() == me,
            reaches: slots.contains(&pits),
            captured: before.seeds_in_row(you) + given - after.seeds_in_row(you),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn threats_are_what_moves_do((game, position) in any_position()) {
            let me = position.to_move();
            let deeds: Vec<Deed> =
                game.moves(&position).map(|pit| deed(&game, &position, pit)).collect();
            let most = deeds.iter().map(|deed| deed.captured).max().unwrap_or(0);
            let count = |counts: fn(&Deed) -> bool| deeds.iter().filter(|it| counts(it)).count();
            for (mine, theirs, value) in [
                (MyAgain, TheirAgain, count(|it| it.again)),
                (MyCapture, TheirCapture, most.into()),
                (MyReach, TheirReach, count(|it| it.reaches)),
                (MyEmpty, TheirEmpty, position.pits() - deeds.len()),
            ] {
                prop_assert_eq!(mine.value(&position, me), value as i32, "{}", mine.name());
                prop_assert_eq!(theirs.value(&position, me.other()), value as i32);
            }
        }

        #[test]
        fn seeds_are_counted_by_thirds_of_the_row((game, position) in any_position(), south: bool) {
            let me = if south { Side::South } else { Side::North };
            let row = &position.row(me)[..game.pits()];
            let third = game.pits() / 3;
            let (far, rest) = row.split_at(third);
            let (middle, near) = rest.split_at(rest.len() - third);
            for (feature, pits) in [(Far, far), (Middle, middle), (Near, near)] {
                let seeds = i32::from(pits.iter().sum::<u16>());
                prop_assert_eq!(feature.value(&position, me), seeds, "{}", feature.name());
            }
            prop_assert_eq!(TheirRow.value(&position, me.other()), i32::from(row.iter().sum::<u16>()));
        }

        #[test]
        fn views_are_each_others((game, position) in any_position(), south: bool) {
            let me = if south { Side::South } else { Side::North };
            let value = |feature: Feature, side| feature.value(&position, side);
            for (theirs, mine) in [
                (TheirStore, MyStore), (TheirAgain, MyAgain), (TheirCapture, MyCapture),
                (TheirReach, MyReach), (TheirEmpty, MyEmpty),
            ] {
                prop_assert_eq!(value(theirs, me), value(mine, me.other()));
            }
            prop_assert_eq!(value(Lead, me), value(MyStore, me) - value(TheirStore, me));
            let all = value(MyStore, me) + value(TheirStore, me) + value(TheirRow, me)
                + value(Near, me) + value(Middle, me) + value(Far, me);
            prop_assert_eq!(all, i32::from(game.total()));
        }

        #[test]
        fn nothing_depends_on_whose_turn_it_is((game, position) in any_position()) {
            let text = position.to_string();
            let (slots, _) = text.rsplit_once('-').unwrap();
            let turns = ["1", "2"].map(|side| game.position(&format!("{slots}-{side}")).unwrap());
            for feature in Feature::ALL {
                for me in Side::BOTH {
                    let [one, two] = turns.map(|position| feature.value(&position, me));
                    prop_assert_eq!(one, two, "{}", feature.name());
                }
            }
        }
    }
}
