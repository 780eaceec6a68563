//! The rules of programs, and whether a game is affected by their differences.

use mancala::game::{AnyGame, Ending, Notated, Record, Settlement, Side, Verdict};

use super::{Entry, Format};

/// The rules of a game as a program plays it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms<G> {
    game: G,
    /// The number of plies after which the side with more captured seeds wins.
    max_plies: Option<usize>,
    /// Whether a repetition ends the game.
    repetition: bool,
    /// Whether a majority of the seeds ends a game of kalah.
    majority: bool,
}

impl Format {
    /// Returns how the programs that use this format play `game`, which must be the result of [`Format::rules`].
    pub fn terms<G>(self, game: G) -> Terms<G> {
        let max_plies = match self {
            Format::CodinGame => Some(200),
            Format::OpenSpiel => Some(1000),
            _ => None,
        };
        let repetition = self != Format::CodinGame;
        Terms { game, max_plies, repetition, majority: self == Format::Kgp }
    }
}

/// The end of a game.
#[derive(PartialEq)]
struct End {
    reason: String,
    settlement: Settlement,
}

impl<G: Notated> Terms<G> {
    fn end(&self, record: &Record<G>) -> Option<End> {
        let (game, position) = (&self.game, record.position());
        let ending = record.ending().filter(|it| self.repetition || *it != Ending::Repetition);
        if let Some(ending) = ending {
            let settlement = game.settle(position, ending);
            return Some(End { reason: ending.to_string(), settlement });
        }
        let stores = Side::BOTH.map(|side| game.store(position, side));
        let on_board: u16 = game.rows(position).iter().flatten().sum();
        let half = (stores[0] + stores[1] + on_board) / 2;
        if self.majority && stores.iter().any(|&store| store > half) {
            let settlement = game.settle(position, Ending::EmptyRow);
            return Some(End { reason: Ending::Majority.to_string(), settlement });
        }
        let plies = self.max_plies.filter(|&most| record.plies().len() >= most)?;
        let settlement = Settlement { stores, verdict: Verdict::by_stores(stores) };
        Some(End { reason: format!("the limit of {plies} moves"), settlement })
    }
}

/// Returns the first difference that the rules of another program make in a game, or `None` if the game is the same.
pub fn difference<G: Notated>(
    entry: &Entry<G>,
    [from, to]: [(Format, &Terms<G>); 2],
) -> Option<String> {
    let [source, target] =
        [from, to].map(|(format, terms)| format!("{} ({})", format.name(), rules_of(&terms.game)));
    let opening = *entry.record.opening();
    let mut records = [from.1, to.1].map(|terms| Record::from_position(terms.game, opening));
    let mut plies = entry.record.plies().iter();
    loop {
        let ply = records[0].plies().len();
        let ends = [from.1.end(&records[0]), to.1.end(&records[1])];
        if ends[0] != ends[1] {
            let [here, there] = ends.map(|end| match end {
                None => "the game goes on".into(),
                Some(End { reason, settlement: Settlement { stores: [south, north], .. } }) => {
                    format!("it ends {south}-{north} ({reason})")
                }
            });
            return Some(format!("after ply {ply}, in {source} {here}, in {target} {there}"));
        }
        let &(side, pit) = plies.next().filter(|_| ends[0].is_none())?;
        records[0].play(pit).expect("a recorded move is legal");
        if let Err(error) = records[1].play(pit) {
            return Some(format!("in {target}, {error}"));
        }
        if records[0].position() != records[1].position() {
            let (ply, pit) = (ply + 1, pit.letter(side));
            return Some(format!(
                "ply {ply} ({pit}) does not capture the same seeds in {source} and in {target}"
            ));
        }
    }
}

fn rules_of<G: Notated>(game: &G) -> String {
    let game: AnyGame = (*game).into();
    game.description().1
}
