//! What is counted in a position of kalah.

use crate::game::Side;
use crate::game::kalah::Position;

/// A number that is read off a position of kalah from one player's view.
///
/// `h1` to `h6` are the heuristics of Gifford et al. (2008), `k1` to `k9` are ours. Since h1 = h2 − h3 as
/// they are counted here, of three weights for them one has to be fixed.
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
    pub const KANSAS: [super::Feature; 6] = {
        let mut set = [super::Feature::Kalah(Lead); 6];
        let mut index = 0;
        while index < set.len() {
            set[index] = super::Feature::Kalah(Feature::ALL[index]);
            index += 1;
        }
        set
    };

    /// All but `h1`, which the two stores make up.
    pub const EXTENDED: [super::Feature; 14] = {
        let mut set = [super::Feature::Kalah(Lead); 14];
        let mut index = 0;
        while index < set.len() {
            set[index] = super::Feature::Kalah(Feature::ALL[index + 1]);
            index += 1;
        }
        set
    };

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
    /// use ayo::eval::kalah::Feature;
    /// use ayo::game::{Side, kalah::Kalah};
    /// let position = Kalah::default().position("1-0-3-0-0-1-0-4-9-9-9-9-3-0-1").unwrap();
    /// assert_eq!(Feature::MyAgain.value(&position, Side::South), 1);
    /// assert_eq!(Feature::MyCapture.value(&position, Side::South), 9);
    /// ```
    pub fn value(self, position: &Position, me: Side) -> i32 {
        let you = me.other();
        let (pits, store) = (position.pits(), |side| i32::from(position.store(side)));
        let behind = |pit| i32::from(position.seeds_behind(me, pit));
        match self {
            Lead => store(me) - store(you),
            MyStore => store(me),
            TheirStore => store(you),
            Near => behind(pits - pits / 3),
            Far => behind(0) - behind(pits / 3),
            Middle => behind(pits / 3) - behind(pits - pits / 3),
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
    use crate::game::kalah::Kalah;
    use crate::game::{Game, Pit, Record};

    /// Positions of random games.
    fn any_position() -> impl Strategy<Value = Position> {
        proptest::collection::vec(0..6usize, 0..60).prop_map(|choices| {
            let mut record = Record::new(Kalah::default(), Side::South);
            for choice in choices {
                let moves: Vec<Pit> = record.game().moves(record.position()).collect();
                if record.ending().is_some() {
                    break;
                }
                record.play(moves[choice % moves.len()]).unwrap();
            }
            *record.position()
        })
    }

    proptest! {
        #[test]
        fn threats_are_what_moves_do(position in any_position()) {
            let (game, me) = (Kalah::default(), position.to_move());
            let you = me.other();
            let moves = game.moves(&position);
            let after: Vec<Position> = moves.map(|pit| game.play(&position, pit)).collect();
            let again = after.iter().filter(|it| it.to_move() == me).count() as i32;
            prop_assert_eq!(Feature::MyAgain.value(&position, me), again);
            prop_assert_eq!(Feature::TheirAgain.value(&position, you), again);
            // What a sowing does not pass on and the store does not get by sowing is captured.
            let captured = |(pit, after): (Pit, &Position)| {
                let seeds = game.seeds(&position, pit) as usize;
                let (end, round) = (pit.index() + seeds, 13);
                let passed = usize::from(end >= 6) + usize::from(end >= 6 + round);
                let gained = usize::from(after.store(me) - position.store(me)) - passed;
                if seeds > round { 0 } else { gained.saturating_sub(1) as i32 }
            };
            let most = moves.zip(&after).map(captured).max().unwrap_or(0);
            prop_assert_eq!(Feature::MyCapture.value(&position, me), most);
        }

        #[test]
        fn views_are_each_others(position in any_position(), south: bool) {
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
            prop_assert_eq!(all, 48);
        }
    }
}
