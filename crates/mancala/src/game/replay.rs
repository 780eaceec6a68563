//! Replays games that were written down, to check them against the rules.

use super::notation::{Ply, Printed};
use super::{Ending, Game, Notated, Pit, Record, Settlement, Side};

/// The result of replaying a written game.
///
/// A written game of ayo may continue after the game is over, but a game of kalah may not.
///
/// ```
/// use mancala::game::kalah::Kalah;
/// use mancala::game::{Game, Notated, Side};
/// let game = Kalah::default();
/// let plies = Kalah::read_plies("CAF").unwrap();
/// let found = game.replay(game.start(Side::South), &plies);
/// assert_eq!(found.record.line(), "CA");
/// assert_eq!(found.error.unwrap().reason.to_string(), "it is North's turn");
/// ```
#[derive(Debug, Clone)]
pub struct Replay<G: Notated> {
    /// The game up to the first error.
    pub record: Record<G>,
    pub error: Option<ReplayError<G>>,
    pub decided: Option<DecidedAt>,
    /// Printed captures that are too large because they include seeds awarded at the end of the game.
    pub awards: Vec<Award>,
}

/// The ply at which a written game contradicts the rules or the seed counts printed with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayError<G: Notated> {
    /// The number of the ply, starting at 1.
    pub ply: usize,
    pub printed: Ply,
    pub reason: PlyError,
    pub position: G::Position,
    /// Legal moves that differ from the printed ply in exactly one of side, pit, seeds and captures. Moves that allow
    /// us to replay more plies come first. There are none for plies written as letters.
    pub corrections: Vec<Correction>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Correction {
    pub ply: Ply,
    /// The number of plies that can be replayed with this correction.
    pub plies: usize,
    /// Whether the whole game can be replayed with this correction.
    pub complete: bool,
}

/// An error in a written ply. The messages are clauses that can end a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlyError {
    #[error("the game is over ({0})")]
    Over(Ending),
    #[error("it is {0}'s turn")]
    Turn(Side),
    #[error("{0} has no legal move")]
    NoMove(Side),
    #[error("pit {} holds {holds}", pit.letter(*side))]
    Seeds { side: Side, pit: Pit, holds: u16 },
    #[error("{0}")]
    Illegal(&'static str),
    /// The printed number of captured seeds is wrong. The field contains the correct number.
    #[error("the move captures {0}")]
    Captured(u8),
}

/// The ply after which the game was over according to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecidedAt {
    /// The number of the ply, or 0 for the opening position.
    pub ply: usize,
    pub ending: Ending,
    pub settlement: Settlement,
}

/// A printed capture that includes the seeds awarded to the mover at the end of the game, e.g. ply 97, `2S2(6)`, of
/// game 1 in Akinyemi's thesis (2012, figure 4.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Award {
    /// The number of the ply, which is always the last ply of this side.
    pub ply: usize,
    pub side: Side,
    pub seeds: u8,
}

pub(super) fn replay<G: Notated>(game: G, opening: G::Position, plies: &[Ply]) -> Replay<G> {
    let (record, mismatch, awards) = check(game, opening, plies);
    let error = mismatch.map(|reason| {
        let index = record.plies().len();
        let corrections = corrections(&record, plies);
        let (printed, position) = (plies[index], *record.position());
        ReplayError { ply: index + 1, printed, reason, position, corrections }
    });
    Replay { decided: decided(&record), record, error, awards }
}

/// Replays a game up to the first error. Returns the part before the error, the error (if any) and the awards.
fn check<G: Notated>(
    game: G,
    opening: G::Position,
    plies: &[Ply],
) -> (Record<G>, Option<PlyError>, Vec<Award>) {
    let mut record = Record::from_position(game, opening);
    let mut claims = Vec::new();
    let mut mismatch = None;
    for (index, ply) in plies.iter().enumerate() {
        mismatch = compare(&record, *ply);
        if let Some(award) = mismatch.and_then(|found| claim(found, index, plies)) {
            claims.push(award);
            mismatch = None;
        }
        if mismatch.is_some() {
            break;
        }
        record.play(ply.pit).expect("a compared move is legal");
    }
    let unfounded = claims.iter().find(|claim| mismatch.is_some() || !is_awarded(&record, claim));
    if let Some(claim) = unfounded.copied() {
        while record.plies().len() >= claim.ply {
            record.undo();
        }
        mismatch = compare(&record, plies[claim.ply - 1]);
        claims.retain(|earlier| earlier.ply < claim.ply);
    }
    (record, mismatch, claims)
}

/// Returns the reason why `ply` can't be played next, if any.
fn compare<G: Notated>(record: &Record<G>, ply: Ply) -> Option<PlyError> {
    let (game, position, Ply { side, pit, printed }) = (record.game(), record.position(), ply);
    if !G::CONTINUES
        && let Some(ending) = record.ending()
    {
        return Some(PlyError::Over(ending));
    }
    if record.to_move() != side {
        return Some(PlyError::Turn(record.to_move()));
    }
    if game.moves(position).is_empty() {
        return Some(PlyError::NoMove(side));
    }
    let holds = game.seeds(position, pit);
    if printed.is_some_and(|printed| u16::from(printed.seeds) != holds) {
        return Some(PlyError::Seeds { side, pit, holds });
    }
    if let Some(reason) = game.objection(position, pit) {
        return Some(PlyError::Illegal(reason));
    }
    let Printed { captured, .. } = numbers(game, position, pit);
    printed.filter(|it| it.captured != captured).map(|_| PlyError::Captured(captured))
}

/// Returns the numbers of seeds that are printed with a move in Akinyemi's notation.
fn numbers<G: Game>(game: &G, position: &G::Position, pit: Pit) -> Printed {
    let (side, after) = (game.to_move(position), game.play(position, pit));
    let captured = game.store(&after, side) - game.store(position, side);
    Printed { seeds: game.seeds(position, pit) as u8, captured: captured as u8 }
}

pub(super) fn thesis_ply<G: Game>(game: &G, position: &G::Position, pit: Pit) -> Ply {
    let printed = Some(numbers(game, position, pit));
    Ply { side: game.to_move(position), pit, printed }
}

/// If a printed capture is too large, the extra seeds may be an award. Only the last ply of a side can include one.
fn claim(found: PlyError, index: usize, plies: &[Ply]) -> Option<Award> {
    let (PlyError::Captured(captured), Ply { side, printed, .. }) = (found, plies[index]) else {
        return None;
    };
    let is_last = plies[index + 1..].iter().all(|later| later.side != side);
    let seeds = printed?.captured.checked_sub(captured)?;
    is_last.then_some(Award { ply: index + 1, side, seeds })
}

fn is_awarded<G: Game>(record: &Record<G>, award: &Award) -> bool {
    let store = record.game().store(record.position(), award.side);
    let settled = record.settlement().map(|settled| settled.stores[award.side.index()]);
    settled == Some(store + u16::from(award.seeds))
}

/// Finds possible corrections for the first ply that isn't in the record.
fn corrections<G: Notated>(record: &Record<G>, plies: &[Ply]) -> Vec<Correction> {
    let (game, position, index) = (record.game(), record.position(), record.plies().len());
    let Some(printed) = plies[index].printed else {
        return Vec::new();
    };
    let mut corrections = Vec::new();
    for pit in game.moves(position) {
        let ply = thesis_ply(game, position, pit);
        let actual = numbers(game, position, pit);
        let differences = [
            ply.side != plies[index].side,
            ply.pit != plies[index].pit,
            actual.seeds != printed.seeds,
            actual.captured != printed.captured,
        ];
        if differences.iter().filter(|&&differs| differs).count() == 1 {
            let mut corrected = plies.to_vec();
            corrected[index] = ply;
            let (played, mismatch, _) = check(*game, *record.opening(), &corrected);
            let (plies, complete) = (played.plies().len(), mismatch.is_none());
            corrections.push(Correction { ply, plies, complete });
        }
    }
    corrections.sort_by_key(|it| std::cmp::Reverse((it.complete, it.plies)));
    corrections
}

fn decided<G: Game>(record: &Record<G>) -> Option<DecidedAt> {
    let mut replayed = Record::from_position(*record.game(), *record.opening());
    let mut plies = record.plies().iter();
    loop {
        if let Some(ending) = replayed.ending() {
            let settlement = record.game().settle(replayed.position(), ending);
            return Some(DecidedAt { ply: replayed.plies().len(), ending, settlement });
        }
        replayed.play(plies.next()?.1).expect("a recorded move is legal");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ayo::Ayo;
    use crate::game::{Transcript, Verdict};

    fn replayed(game: Ayo, text: &str) -> Replay<Ayo> {
        let transcript = Transcript::read(&game, text).unwrap();
        game.replay(transcript.opening, &transcript.plies)
    }

    fn thesis_game(label: &str) -> &'static str {
        let games = include_str!("../../../../papers/data/printed/thesis/games.txt");
        games.lines().find(|line| line.starts_with(label)).unwrap()
    }

    fn corrected_game_1() -> String {
        thesis_game("game 1").replacen("2S4(2)", "2S6(2)", 1)
    }

    #[test]
    fn the_games_of_the_thesis_replay_but_for_one_ply() {
        let second = replayed(Ayo::default(), thesis_game("game 2"));
        assert_eq!((second.error, second.record.plies().len()), (None, 72));
        let decided = second.decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (44, Ending::Majority));
        assert_eq!(decided.settlement.stores, [30, 2]);
        let error = replayed(Ayo::default(), thesis_game("game 1")).error.unwrap();
        assert_eq!((error.ply, error.reason.to_string()), (9, "pit D holds 7".into()));
        let [correction] = error.corrections[..] else { panic!("{:?}", error.corrections) };
        assert_eq!((correction.complete, correction.plies), (true, 98));
        assert_eq!(correction.ply.to_string(), "2S6(2)");
        let corrected = replayed(Ayo::default(), &corrected_game_1());
        assert_eq!(corrected.awards, [Award { ply: 97, side: Side::South, seeds: 6 }]);
        let decided = corrected.decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (98, Ending::NoMove));
        assert_eq!(decided.settlement.stores, [28, 20]);
    }

    #[test]
    fn a_capture_that_is_not_awarded_is_an_error() {
        let game_1 = corrected_game_1();
        let void = Ayo { rules: "ayo:stalemate=void".parse().unwrap() };
        for (game, text, ply) in [
            (Ayo::default(), game_1.replace("2S2(6)", "2S2(5)"), 97),
            // The six seeds are awarded to South, but printed with North's ply.
            (Ayo::default(), game_1.replace("2S2(6)", "2S2") + "(6)", 98),
            // Without its last ply, the game has not ended.
            (Ayo::default(), game_1.trim_end_matches(", 2N6").into(), 97),
            (void, game_1.clone(), 97),
            // The seeds are printed with a ply that isn't the side's last.
            (Ayo::default(), game_1.replace("1S1, 1N5, 2S2(6)", "1S1(6), 1N5, 2S2"), 95),
        ] {
            let replay = replayed(game, &text);
            assert_eq!((replay.awards, replay.record.plies().len()), (Vec::new(), ply - 1));
            let error = replay.error.unwrap();
            assert_eq!((error.ply, error.reason), (ply, PlyError::Captured(0)));
        }
    }

    #[test]
    fn errors_have_a_reason_and_corrections() {
        for (text, ply, reason, corrections) in [
            ("FE", 2, "it is North's turn", ""),
            ("4S6, 4S5", 2, "it is North's turn", "4N5"),
            ("FfF", 3, "the pit is empty", ""),
            ("5S6", 1, "pit F holds 4", "4S6"),
            ("4S6(2)", 1, "the move captures 0", "4S6"),
            ("1-1-2-2-0-0-0-0-0-0-0-0-22-20-S A", 1, "South has no legal move", ""),
            ("0-0-1-0-0-1-0-0-0-0-0-0-22-24-S C", 1, "must be fed", ""),
        ] {
            let error = replayed(Ayo::default(), text).error.unwrap();
            let found: Vec<String> =
                error.corrections.iter().map(|it| it.ply.to_string()).collect();
            assert_eq!((error.ply, &*found.join(" ")), (ply, corrections));
            assert!(error.reason.to_string().ends_with(reason), "{}", error.reason);
        }
    }

    #[test]
    fn a_game_continues_after_a_repetition_and_the_first_end_counts() {
        // Two single seeds chase each other around the board, twice.
        let lap = "AaBbCcDdEeFf";
        let text = format!("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S {lap}{lap}");
        let replay = replayed(Ayo::default(), &text);
        assert_eq!((replay.error, replay.record.plies().len()), (None, 24));
        let decided = replay.decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (12, Ending::Repetition));
        assert_eq!(decided.settlement.verdict, Verdict::Drawn);
    }
}
