//! The *aggregate Mahalanobis distance function* player of Randle (IJCAIT 1(2), 2012), which compares the row that a
//! move leaves with two classes of rows.
//!
//! A search values moves by the captures of both sides. Among the best moves, the *feasible* ones,
//! D = D_b / (D_b + D_g) decides, where D_g and D_b are the Mahalanobis distances of the row that the move leaves to
//! the rows of a good and of a bad class.

mod classes;
mod training;

pub use classes::Row;
pub use training::{Source, SourceError, Training, TrainingError};

use classes::{Class, Classes, Nearness};

use super::captures::gains_unless_stopped;
use super::spec::{MAX_CAPTURE_DEPTH, Spec, SpecError, depth_up_to};
use super::{Choice, NoChoice, Player};
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record};
use mancala::progress::Progress;

pub(super) const SETTINGS: &[&str] = &["depth", "training"];

const DEFAULT_DEPTH: u32 = 6;

pub(super) fn read(spec: &Spec, game: Ayo) -> Result<Box<dyn Player<Ayo>>, SpecError> {
    let depth = depth_up_to(spec, "depth", MAX_CAPTURE_DEPTH)?.unwrap_or(DEFAULT_DEPTH);
    let source = spec.value("training", |_: &Source| true, SourceError)?.unwrap_or_default();
    let training = Training::from_source(&source, game.rules)
        .map_err(|error| spec.wrong(format_args!("training: {error}")))?;
    Ok(Box::new(Amdf::new(depth, training)))
}

struct Amdf {
    depth: u32,
    /// `None` if the feasible moves of the position form the classes.
    training: Option<Training>,
    classes: Option<Classes>,
}

/// The reasons for a choice.
#[derive(Debug, Clone, PartialEq)]
struct Reasons {
    /// The gain of each legal move in captured seeds.
    gains: Vec<(Pit, i32)>,
    /// The feasible moves in the order of their pits.
    feasible: Vec<Strategy>,
    choice: Pit,
    rule: Rule,
}

/// A feasible move and the row that it leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Strategy {
    pit: Pit,
    row: Row,
    /// The class of the move by the rule of Tchoukaillon.
    class: Class,
    /// The distances of the row to the classes, if both have rows.
    nearness: Option<Nearness>,
}

/// The rule that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Only one move is feasible.
    Single,
    /// The largest D.
    Distance,
    /// A class has no rows: the lowest of the feasible moves.
    EmptyClass,
}

impl Amdf {
    fn new(depth: u32, training: Option<Training>) -> Amdf {
        let classes = training.as_ref().and_then(Training::classes);
        Amdf { depth, training, classes }
    }

    /// The reasons for the move in a position, and the positions searched. `None` without a legal move, or if the
    /// progress stopped the search.
    fn reasons(&self, record: &Record<Ayo>, progress: &dyn Progress) -> Option<(Reasons, u64)> {
        let (game, position) = (record.game(), record.position());
        let (gains, nodes) = gains_unless_stopped(game, position, self.depth, progress)?;
        let best = gains.iter().map(|&(_, gain)| gain).max()?;
        let mut feasible: Vec<Strategy> = gains
            .iter()
            .filter(|&&(_, gain)| gain == best)
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
        let (choice, rule) = decide(&feasible);
        Some((Reasons { gains, feasible, choice, rule }, nodes))
    }
}

/// The classes in the literal reading of the paper: the feasible moves are both classified and compared.
fn classes_of(feasible: &[Strategy]) -> Option<Classes> {
    let rows = |class| {
        let of_class = feasible.iter().filter(move |strategy| strategy.class == class);
        of_class.map(|strategy| strategy.row).collect::<Vec<Row>>()
    };
    Classes::new(&rows(Class::Good), &rows(Class::Bad))
}

fn decide(feasible: &[Strategy]) -> (Pit, Rule) {
    let lowest = feasible[0].pit;
    if feasible.len() == 1 {
        return (lowest, Rule::Single);
    }
    let d = |strategy: &Strategy| Some((strategy.nearness?.d(), strategy.pit));
    // `max_by` returns the last of equal maxima.
    let largest = feasible.iter().rev().filter_map(d).max_by(|(a, _), (b, _)| a.total_cmp(b));
    largest.map_or((lowest, Rule::EmptyClass), |(_, pit)| (pit, Rule::Distance))
}

impl Player<Ayo> for Amdf {
    fn choose(
        &mut self,
        record: &Record<Ayo>,
        progress: &dyn Progress,
    ) -> Result<Choice, NoChoice> {
        let (reasons, nodes) = self.reasons(record, progress).ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit: reasons.choice, score: None, nodes, depth: Some(self.depth) })
    }

    fn explanation(&mut self, record: &Record<Ayo>) -> Vec<String> {
        let Some((reasons, _)) = self.reasons(record, &()) else {
            return Vec::new();
        };
        let (depth, side) = (self.depth, record.to_move());
        let gain = |(pit, gain): &(Pit, i32)| format!("{} {gain:+}", pit.letter(side));
        let gains = reasons.gains.iter().map(gain).collect::<Vec<_>>().join(", ");
        let mut lines = vec![format!("captures {depth} plies ahead, mine less yours: {gains}")];
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
        let reason = match reasons.rule {
            Rule::Single => "no other move captures as much",
            Rule::Distance => "the largest D",
            Rule::EmptyClass => "a class is empty, so the lowest of equal moves",
        };
        lines.push(format!("{}: {reason}", reasons.choice.letter(side)));
        lines
    }

    /// The checksum identifies the rows, wherever they are stored.
    fn identity(&self) -> String {
        let rows = self.training.as_ref().map(|training| format!("{:08x}", training.checksum()));
        format!("amdf depth {} training {}", self.depth, rows.as_deref().unwrap_or("current"))
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

    /// Fig. 4.2 of Akinyemi's thesis, in which only E is feasible at four plies.
    const FIGURE: &str = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S";

    const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

    #[test]
    fn a_single_feasible_move_is_played() {
        let found = reasons(&Amdf::new(4, None), FIGURE);
        assert_eq!((letters(&found).as_str(), found.rule), ("E", Rule::Single));
    }

    #[test]
    fn among_equal_moves_the_row_nearest_to_the_good_ones_is_left() {
        let amdf = Amdf::new(2, Some(Training::of_games(20, Default::default())));
        let found = reasons(&amdf, START);
        assert_eq!((letters(&found).as_str(), found.rule), ("ABCDEF", Rule::Distance));
        let d = |strategy: &Strategy| strategy.nearness.unwrap().d();
        let chosen = found.feasible.iter().find(|strategy| strategy.pit == found.choice).unwrap();
        assert!(found.feasible.iter().all(|other| d(other) <= d(chosen)));
    }

    #[test]
    fn without_rows_in_a_class_the_lowest_feasible_move_is_played() {
        let one_class = Training { bad: Vec::new(), ..Training::of_games(1, Default::default()) };
        let found = reasons(&Amdf::new(2, Some(one_class)), START);
        assert_eq!((found.choice.index(), found.rule), (0, Rule::EmptyClass));
        assert!(found.feasible.iter().all(|strategy| strategy.nearness.is_none()));
    }

    #[test]
    fn the_literal_reading_compares_the_moves_with_themselves() {
        let found = reasons(&Amdf::new(2, None), START);
        let of = |class| found.feasible.iter().filter(|strategy| strategy.class == class).count();
        assert_eq!(found.rule == Rule::Distance, of(Class::Good) > 0 && of(Class::Bad) > 0);
    }
}
