//! The player that asks which class of rows a move's row is nearer to: the *aggregate Mahalanobis distance
//! function* of Randle (IJCAIT 1(2), 2012).
//!
//! A search values moves by what both sides capture. Among the moves that are equally good, the *feasible*
//! ones, D = D_b / (D_b + D_g) decides, where D_g and D_b are the Mahalanobis distances of the row that the
//! move leaves to the rows of a good and of a bad class.

mod classes;
mod explanation;
mod reasons;
mod training;

pub use classes::{Class, Classes, Nearness, Row};
pub use reasons::{Reasons, Rule, Strategy};
pub use training::{Source, SourceError, Training, TrainingError};

use super::settings::capturing_depth;
use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, Player, gains};
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record};
use mancala::progress::Progress;

pub(super) const SETTINGS: &[&str] = &["depth", "training"];

pub(super) fn read(spec: &Spec, game: Ayo) -> Result<Box<dyn Player<Ayo>>, SpecError> {
    const DEPTH: u32 = 6;
    let depth = capturing_depth(spec, "depth")?.unwrap_or(DEPTH);
    let source = spec.value("training", |_: &Source| true, SourceError)?.unwrap_or_default();
    let refused = |error: TrainingError| SpecError::Unavailable {
        kind: spec.kind.clone(),
        key: "training",
        error: error.into(),
    };
    let training = Training::from_source(&source, game.rules).map_err(refused)?;
    Ok(Box::new(Amdf::new(depth, training)))
}

/// Plays by captures first and by classes of rows among equals.
pub struct Amdf {
    depth: u32,
    /// `None`: the moves of the position itself make the classes.
    training: Option<Training>,
    classes: Option<Classes>,
}

impl Amdf {
    /// A player that looks `depth` plies ahead; without training rows the classes are those of the moves
    /// that it has to choose from.
    pub fn new(depth: u32, training: Option<Training>) -> Amdf {
        let classes = training.as_ref().and_then(Training::classes);
        Amdf { depth, training, classes }
    }

    /// The reasons for the move in a position, and the number of positions looked at. `None` without a legal
    /// move.
    pub fn reasons(&self, game: &Ayo, record: &Record<Ayo>) -> Option<(Reasons, u64)> {
        let position = record.position();
        let (gains, nodes) = gains(game, position, self.depth);
        let best = gains.iter().map(|&(_, gain)| gain).max()?;
        let is_feasible = |&&(_, gain): &&(Pit, i32)| gain == best;
        let mut feasible: Vec<Strategy> = gains
            .iter()
            .filter(is_feasible)
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

/// The literal reading of the paper: the feasible moves are both what is classified and what is compared.
fn classes_of(feasible: &[Strategy]) -> Option<Classes> {
    let of = |class| feasible.iter().filter(move |it| it.class == class).map(|it| it.row).collect();
    let [good, bad]: [Vec<Row>; 2] = [of(Class::Good), of(Class::Bad)];
    Classes::new(&good, &bad)
}

fn decide(feasible: &[Strategy]) -> (Pit, Rule) {
    let lowest = feasible[0].pit;
    if feasible.len() == 1 {
        return (lowest, Rule::Single);
    }
    let d = |strategy: &Strategy| Some((strategy.nearness?.d(), strategy.pit));
    // The last of equal maxima wins, so the pits go from high to low.
    let largest = feasible.iter().rev().filter_map(d).max_by(|(a, _), (b, _)| a.total_cmp(b));
    largest.map_or((lowest, Rule::EmptyClass), |(_, pit)| (pit, Rule::Distance))
}

impl Player<Ayo> for Amdf {
    fn choose(
        &mut self,
        record: &Record<Ayo>,
        _progress: &dyn Progress,
    ) -> Result<Choice, NoChoice> {
        let (reasons, nodes) = self.reasons(record.game(), record).ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit: reasons.choice, score: None, nodes, depth: Some(self.depth) })
    }

    fn explanation(&mut self, record: &Record<Ayo>) -> Vec<String> {
        let Some((reasons, _)) = self.reasons(record.game(), record) else {
            return Vec::new();
        };
        let rows =
            self.training.as_ref().map(|it| (it.origin.as_str(), it.good.len(), it.bad.len()));
        explanation::lines(&reasons, record.to_move(), self.depth, rows)
    }

    fn identity(&self) -> String {
        // What the rows are, wherever they lie.
        let rows = self.training.as_ref().map(|training| format!("{:08x}", training.checksum()));
        format!("amdf depth {} training {}", self.depth, rows.as_deref().unwrap_or("current"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(amdf: &Amdf, position: &str) -> Reasons {
        let game = Ayo::default();
        let record = Record::from_position(game, position.parse().unwrap());
        amdf.reasons(&game, &record).unwrap().0
    }

    fn letters(reasons: &Reasons) -> String {
        reasons.feasible.iter().map(|it| char::from(b'A' + it.pit.index() as u8)).collect()
    }

    /// Fig. 4.2 of Akinyemi's thesis, in which E alone is feasible at four plies.
    const FIGURE: &str = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S";

    #[test]
    fn a_move_that_captures_most_alone_is_played() {
        let found = reasons(&Amdf::new(4, None), FIGURE);
        assert_eq!((letters(&found).as_str(), found.rule), ("E", Rule::Single));
        let gains: Vec<i32> = found.gains.iter().map(|&(_, gain)| gain).collect();
        assert_eq!(gains, [2, 0, 0, 4, 2]);
    }

    #[test]
    fn among_equal_moves_the_row_nearest_to_the_good_ones_is_left() {
        let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
        let amdf = Amdf::new(2, Some(Training::of_games(20, Default::default())));
        let found = reasons(&amdf, start);
        assert_eq!((letters(&found).as_str(), found.rule), ("ABCDEF", Rule::Distance));
        let d = |it: &Strategy| it.nearness.unwrap().d();
        let chosen = found.feasible.iter().find(|it| it.pit == found.choice).unwrap();
        assert!(found.feasible.iter().all(|it| d(it) <= d(chosen)));
    }

    #[test]
    fn without_rows_in_a_class_the_lowest_feasible_move_is_played() {
        let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
        let lonely = Training { bad: Vec::new(), ..Training::of_games(1, Default::default()) };
        let found = reasons(&Amdf::new(2, Some(lonely)), start);
        assert_eq!((found.choice.index(), found.rule), (0, Rule::EmptyClass));
        assert!(found.feasible.iter().all(|it| it.nearness.is_none()));
    }

    #[test]
    fn the_literal_reading_compares_the_moves_with_themselves() {
        let found = reasons(&Amdf::new(2, None), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
        let of = |class| found.feasible.iter().filter(|it| it.class == class).count();
        assert_eq!(found.rule == Rule::Distance, of(Class::Good) > 0 && of(Class::Bad) > 0);
    }
}
