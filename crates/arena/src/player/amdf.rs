//! The *aggregate Mahalanobis distance function* player (Randle, IJCAIT 1(2), 2012). The player compares the row after
//! a move with two classes of rows.
//!
//! We value each move by searching for the captures of both sides. The moves with the highest value are *feasible*. The
//! player then compares the rows that these moves leave, and chooses the move with the largest D = D_b / (D_b + D_g),
//! where D_g and D_b are the Mahalanobis distances from the row to the good and the bad class.

mod classes;
mod training;

pub use classes::Row;
pub use training::Training;

use classes::{Class, Classes, Nearness};

use super::captures::gains;
use super::spec::{MAX_CAPTURE_DEPTH, Result, Spec, depth_up_to};
use super::{Choice, Chosen, NoChoice, Player};
use mancala::eval::Score;
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record};
use mancala::progress::Progress;
use mancala::search::MoveValues;

pub(super) const SETTINGS: &[&str] = &["depth", "training", "moves"];

const DEFAULT_DEPTH: u32 = 6;

pub(super) fn read(spec: &Spec, game: Ayo) -> Result<Box<dyn Player<Ayo>>> {
    let depth = depth_up_to(spec, "depth", MAX_CAPTURE_DEPTH)?.unwrap_or(DEFAULT_DEPTH);
    let source = spec.text("training").unwrap_or("self-play");
    let training = Training::from_source(source, game.rules)
        .map_err(|error| spec.wrong(format_args!("training: {error}")))?;
    let moves = [("feasible", false), ("all", true)];
    let all_moves = spec.one_of("moves", &moves, "feasible or all")?.unwrap_or(false);
    Ok(Box::new(Amdf { all_moves, ..Amdf::new(depth, training) }))
}

struct Amdf {
    depth: u32,
    /// Whether the player compares D for all legal moves (step 7 of the paper) or only for the feasible moves.
    all_moves: bool,
    /// The training rows, or `None` if the classes consist of the current feasible moves.
    training: Option<Training>,
    classes: Option<Classes>,
}

#[derive(Debug, Clone, PartialEq)]
struct Reasons {
    /// The gain of each legal move, in captured seeds.
    gains: Vec<(Pit, Score)>,
    /// The feasible moves, or all legal moves if `all_moves` is set, in pit order.
    feasible: Vec<Strategy>,
    choice: Pit,
}

/// A move and the row that it leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Strategy {
    pit: Pit,
    row: Row,
    /// The class of the move according to Tchoukaillon's rule.
    class: Class,
    /// The distances from the row to the two classes, or `None` if a class has no rows.
    nearness: Option<Nearness>,
}

impl Amdf {
    fn new(depth: u32, training: Option<Training>) -> Amdf {
        let classes = training.as_ref().and_then(|it| Classes::new(&it.good, &it.bad));
        Amdf { depth, all_moves: false, training, classes }
    }

    /// Returns the reasons and the number of positions searched, or `None` without legal moves or after a stop.
    fn reasons(&self, record: &Record<Ayo>, progress: &dyn Progress) -> Option<(Reasons, u64)> {
        let (game, position) = (record.game(), record.position());
        let MoveValues { moves: gains, nodes } = gains(game, position, self.depth, progress)?;
        let best = gains.iter().map(|&(_, gain)| gain).max()?;
        let mut feasible: Vec<Strategy> = gains
            .iter()
            .filter(|&&(_, gain)| gain == best || self.all_moves)
            .map(|&(pit, _)| {
                let [before, row] = training::rows(game.rules, position, pit);
                Strategy { pit, row, class: Class::of_move(before, pit, row), nearness: None }
            })
            .collect();
        let current = self.training.is_none().then(|| classes_of(&feasible)).flatten();
        if let Some(classes) = self.classes.as_ref().or(current.as_ref()) {
            for strategy in &mut feasible {
                strategy.nearness = Some(classes.nearness(&strategy.row));
            }
        }
        let choice = most_distant(&feasible);
        Some((Reasons { gains, feasible, choice }, nodes))
    }
}

/// Forms the classes from the feasible moves themselves, following the steps of the paper literally.
fn classes_of(feasible: &[Strategy]) -> Option<Classes> {
    let rows = |class| {
        let of_class = feasible.iter().filter(move |strategy| strategy.class == class);
        of_class.map(|strategy| strategy.row).collect::<Vec<Row>>()
    };
    Classes::new(&rows(Class::Good), &rows(Class::Bad))
}

/// Returns the move with the largest D, or the lowest pit if there are no distances.
fn most_distant(feasible: &[Strategy]) -> Pit {
    let d = |strategy: &Strategy| Some((strategy.nearness?.d(), strategy.pit));
    // `max_by` returns the last of equal maxima, so we iterate in reverse to get the lowest pit.
    let largest = feasible.iter().rev().filter_map(d).max_by(|(a, _), (b, _)| a.total_cmp(b));
    largest.map_or(feasible[0].pit, |(_, pit)| pit)
}

impl Player<Ayo> for Amdf {
    fn choose(&mut self, record: &Record<Ayo>, progress: &dyn Progress) -> Chosen {
        let (reasons, nodes) = self.reasons(record, progress).ok_or(NoChoice::Stopped)?;
        let gain = reasons.gains.iter().find(|(pit, _)| *pit == reasons.choice);
        let score = gain.map(|&(_, gain)| gain);
        Ok(Choice { pit: reasons.choice, score, nodes, depth: Some(self.depth) })
    }

    fn payoffs(&mut self, record: &Record<Ayo>, progress: &dyn Progress) -> Vec<(Pit, Score)> {
        let found = gains(record.game(), record.position(), self.depth, progress);
        found.unwrap_or_default().moves
    }

    /// Returns 1, because the values of moves are in captured seeds.
    fn seed_value(&self) -> Option<i32> {
        Some(1)
    }

    fn explanation(&mut self, record: &Record<Ayo>) -> Vec<String> {
        let Some((reasons, _)) = self.reasons(record, &()) else {
            return Vec::new();
        };
        let (depth, side) = (self.depth, record.to_move());
        let gain = |(pit, Score(gain)): &(Pit, _)| format!("{} {gain:+}", pit.letter(side));
        let gains = reasons.gains.iter().map(gain).collect::<Vec<_>>().join(", ");
        let mut lines =
            vec![format!("captures minus the opponent's captures, {depth} plies ahead: {gains}")];
        lines.push(match &self.training {
            Some(Training { origin, good, bad }) => {
                format!("classes: {} good and {} bad rows, {origin}", good.len(), bad.len())
            }
            None => "classes: the feasible moves themselves".into(),
        });
        lines.extend(reasons.feasible.iter().map(|strategy| {
            let Strategy { pit, row, class, nearness } = strategy;
            let row = row.map(|seeds| seeds.to_string()).join("-");
            let distances = nearness.map_or("no distances".into(), |nearness| {
                let Nearness { good, bad } = nearness;
                format!("D_g {good:.3}  D_b {bad:.3}  D {:.3}", nearness.d())
            });
            format!("{} leaves {row} ({class})  {distances}", pit.letter(side))
        }));
        let reason = match reasons.feasible[..] {
            [_] => "there is no other move to compare",
            [Strategy { nearness: Some(_), .. }, ..] => "the largest D",
            _ => "a class has no rows, so the lowest feasible move is chosen",
        };
        lines.push(format!("{}: {reason}", reasons.choice.letter(side)));
        lines
    }

    /// Identifies the training rows by their checksum, regardless of their origin.
    fn identity(&self) -> String {
        let rows = self.training.as_ref().map(|training| format!("{:08x}", training.checksum()));
        let moves = if self.all_moves { " all moves" } else { "" };
        format!(
            "amdf depth {} training {}{moves}",
            self.depth,
            rows.as_deref().unwrap_or("current")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::Side;

    fn reasons(amdf: &Amdf, position: &str) -> Reasons {
        let record = Record::from_position(Ayo::default(), position.parse().unwrap());
        amdf.reasons(&record, &()).unwrap().0
    }

    fn letters(reasons: &Reasons) -> String {
        reasons.feasible.iter().map(|strategy| strategy.pit.letter(Side::South)).collect()
    }

    /// The position in fig. 4.2 of Akinyemi's thesis. Only E is feasible at a depth of four plies.
    const FIGURE: &str = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S";

    const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

    #[test]
    fn a_single_feasible_move_is_played() {
        let found = reasons(&Amdf::new(4, None), FIGURE);
        assert_eq!((letters(&found).as_str(), found.choice.index()), ("E", 4));
    }

    #[test]
    fn among_equal_moves_the_row_nearest_to_the_good_ones_is_left() {
        let amdf = Amdf::new(2, Some(Training::of_games(20, Default::default())));
        let found = reasons(&amdf, START);
        assert_eq!(letters(&found), "ABCDEF");
        let d = |strategy: &Strategy| strategy.nearness.unwrap().d();
        let chosen = found.feasible.iter().find(|strategy| strategy.pit == found.choice).unwrap();
        assert!(found.feasible.iter().all(|other| d(other) <= d(chosen)));
    }

    #[test]
    fn all_available_strategies_may_be_compared() {
        let training = Training::of_games(20, Default::default());
        let all = Amdf { all_moves: true, ..Amdf::new(4, Some(training)) };
        let found = reasons(&all, FIGURE);
        assert_eq!(letters(&found), "BCDEF");
    }

    #[test]
    fn without_rows_in_a_class_the_lowest_feasible_move_is_played() {
        let one_class = Training { bad: Vec::new(), ..Training::of_games(1, Default::default()) };
        let found = reasons(&Amdf::new(2, Some(one_class)), START);
        assert_eq!(found.choice.index(), 0);
        assert!(found.feasible.iter().all(|strategy| strategy.nearness.is_none()));
    }

    #[test]
    fn the_literal_reading_compares_the_moves_with_themselves() {
        let found = reasons(&Amdf::new(2, None), START);
        let of = |class| found.feasible.iter().filter(|strategy| strategy.class == class).count();
        let has_both = of(Class::Good) > 0 && of(Class::Bad) > 0;
        assert_eq!(found.feasible[0].nearness.is_some(), has_both);
    }
}
