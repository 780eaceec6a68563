//! Replaying a printed game of ayo, whose plies may contain numbers of seeds.

use super::{Ayo, Ply, Position, Printed, thesis_ply};
use crate::game::replay::decided;
use crate::game::{Award, Departure, Fit, Game, Mismatch, Record, Replay};

/// Replays a printed game up to the first error.
pub(in crate::game) fn replay(game: Ayo, opening: Position, plies: &[Ply]) -> Replay<Ayo> {
    let Checked { record, mismatch, awards } = check(game, opening, plies);
    let departure = mismatch.map(|reason| {
        let index = record.plies().len();
        let fits = fits(&record, plies);
        let (printed, position) = (plies[index], *record.position());
        Departure { ply: index + 1, printed, reason, position, fits }
    });
    Replay { decided: decided(&record), record, departure, awards }
}

struct Checked {
    record: Record<Ayo>,
    /// The error in the ply after the record.
    mismatch: Option<Mismatch>,
    awards: Vec<Award>,
}

fn check(game: Ayo, opening: Position, plies: &[Ply]) -> Checked {
    let mut record = Record::from_position(game, opening);
    let mut claims = Vec::new();
    let mut mismatch = None;
    for (index, ply) in plies.iter().enumerate() {
        mismatch = compare(&record, ply).err();
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
        mismatch = compare(&record, &plies[claim.ply - 1]).err();
        claims.retain(|earlier| earlier.ply < claim.ply);
    }
    Checked { record, mismatch, awards: claims }
}

/// Compares the next ply with the rules.
fn compare(record: &Record<Ayo>, ply: &Ply) -> Result<(), Mismatch> {
    let (game, position, &Ply { side, pit, printed }) = (record.game(), record.position(), ply);
    if record.to_move() != side {
        return Err(Mismatch::Turn(record.to_move()));
    }
    if game.moves(position).is_empty() {
        return Err(Mismatch::NoMove(side));
    }
    let holds = position.row(side)[pit.index()];
    if printed.is_some_and(|printed| printed.seeds != holds) {
        return Err(Mismatch::Seeds { side, pit, holds });
    }
    if let Some(reason) = game.objection(position, pit) {
        return Err(Mismatch::Illegal(reason));
    }
    match (printed, thesis_ply(game, position, pit).printed) {
        (Some(printed), Some(Printed { captured, .. })) if printed.captured != captured => {
            Err(Mismatch::Captured(captured))
        }
        _ => Ok(()),
    }
}

/// Returns the award that a too large printed capture may include. Only the last ply of a side can include one.
fn claim(found: Mismatch, index: usize, plies: &[Ply]) -> Option<Award> {
    let (Mismatch::Captured(captured), Ply { side, printed, .. }) = (found, plies[index]) else {
        return None;
    };
    let is_last = plies[index + 1..].iter().all(|later| later.side != side);
    let seeds = printed?.captured.checked_sub(captured)?;
    is_last.then_some(Award { ply: index + 1, side, seeds })
}

fn is_awarded(record: &Record<Ayo>, award: &Award) -> bool {
    let store = u16::from(record.position().store(award.side));
    let settled = record.settlement().map(|settled| settled.stores[award.side.index()]);
    settled == Some(store + u16::from(award.seeds))
}

/// Returns the possible corrections of the ply after the record.
fn fits(record: &Record<Ayo>, plies: &[Ply]) -> Vec<Fit<Ply>> {
    let (game, position, index) = (record.game(), record.position(), record.plies().len());
    let Some(printed) = plies[index].printed else {
        return Vec::new();
    };
    let mut fits = Vec::new();
    for ply in game.moves(position).map(|pit| thesis_ply(game, position, pit)) {
        let true_numbers = ply.printed.expect("the thesis' form has numbers");
        let differences = [
            ply.side != plies[index].side,
            ply.pit != plies[index].pit,
            true_numbers.seeds != printed.seeds,
            true_numbers.captured != printed.captured,
        ];
        if differences.iter().filter(|&&differs| differs).count() == 1 {
            let mut corrected = plies.to_vec();
            corrected[index] = ply;
            let checked = check(*game, *record.opening(), &corrected);
            let complete = checked.mismatch.is_none();
            fits.push(Fit { ply, plies: checked.record.plies().len(), complete });
        }
    }
    fits.sort_by_key(|fit| std::cmp::Reverse((fit.complete, fit.plies)));
    fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ending, Notated, Side, Transcript, Verdict};

    fn replayed(game: Ayo, text: &str) -> Replay<Ayo> {
        let transcript = Transcript::read(&game, text).unwrap();
        game.replay(transcript.opening, &transcript.plies)
    }

    fn thesis_game(label: &str) -> &'static str {
        let games = include_str!("../../../../../papers/data/printed/thesis/games.txt");
        games.lines().find(|line| line.starts_with(label)).unwrap()
    }

    fn corrected_game_1() -> String {
        thesis_game("game 1").replacen("2S4(2)", "2S6(2)", 1)
    }

    #[test]
    fn game_2_of_the_thesis_replays_as_printed() {
        let Replay { record, departure, decided, awards } =
            replayed(Ayo::default(), thesis_game("game 2"));
        assert_eq!((departure, awards), (None, Vec::new()));
        assert_eq!(record.plies().len(), 72);
        assert_eq!(record.position().to_string(), "0-0-2-1-1-0-1-1-1-1-1-0-34-5-N");
        let decided = decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (44, Ending::Majority));
        assert_eq!(decided.settlement.stores, [30, 2]);
        assert_eq!(decided.settlement.verdict, Verdict::Won(Side::South));
    }

    #[test]
    fn game_1_of_the_thesis_has_an_error_at_ply_9() {
        let replay = replayed(Ayo::default(), thesis_game("game 1"));
        let departure = replay.departure.unwrap();
        assert_eq!((departure.ply, replay.record.plies().len()), (9, 8));
        assert_eq!(departure.printed.to_string(), "2S4(2)");
        assert_eq!(departure.reason.to_string(), "pit D holds 7");
        let [fit] = departure.fits[..] else { panic!("{:?}", departure.fits) };
        assert_eq!((fit.ply.to_string(), fit.complete, fit.plies), ("2S6(2)".into(), true, 98));
    }

    #[test]
    fn game_1_of_the_thesis_as_corrected_ends_with_an_award() {
        let Replay { record, departure, decided, awards } =
            replayed(Ayo::default(), &corrected_game_1());
        assert_eq!(departure, None);
        assert_eq!(awards, [Award { ply: 97, side: Side::South, seeds: 6 }]);
        assert_eq!(record.position().to_string(), "1-1-2-2-0-0-0-0-0-0-0-0-22-20-S");
        let decided = decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (98, Ending::NoMove));
        assert_eq!(decided.settlement.stores, [28, 20]);
    }

    #[test]
    fn a_capture_that_is_not_awarded_is_an_error() {
        let game_1 = corrected_game_1();
        let void = Ayo { rules: "ayo:stalemate=void".parse().unwrap() };
        for (game, text, ply) in [
            (Ayo::default(), game_1.replace("2S2(6)", "2S2(5)"), 97),
            // The six seeds are awarded to South.
            (Ayo::default(), game_1.replace("2S2(6)", "2S2") + "(6)", 98),
            // Without its last ply the game has not ended.
            (Ayo::default(), game_1.trim_end_matches(", 2N6").into(), 97),
            (void, game_1.clone(), 97),
            // Not the last ply of its side.
            (Ayo::default(), game_1.replace("1S1, 1N5, 2S2(6)", "1S1(6), 1N5, 2S2"), 95),
        ] {
            let replay = replayed(game, &text);
            assert_eq!((replay.awards, replay.record.plies().len()), (Vec::new(), ply - 1));
            let departure = replay.departure.unwrap();
            assert_eq!((departure.ply, departure.reason), (ply, Mismatch::Captured(0)));
        }
    }

    #[test]
    fn errors_have_a_reason_and_corrections() {
        for (text, ply, reason, fits) in [
            ("FE", 2, "it is North's turn", ""),
            ("4S6, 4S5", 2, "it is North's turn", "4N5"),
            ("FfF", 3, "the pit is empty", ""),
            ("5S6", 1, "pit F holds 4", "4S6"),
            ("4S6(2)", 1, "the move captures 0", "4S6"),
            ("1-1-2-2-0-0-0-0-0-0-0-0-22-20-S A", 1, "South has no legal move", ""),
            (
                "0-0-1-0-0-1-0-0-0-0-0-0-22-24-S C",
                1,
                "the opponent has no seeds and must be fed",
                "",
            ),
        ] {
            let departure = replayed(Ayo::default(), text).departure.unwrap();
            let found: Vec<String> = departure.fits.iter().map(|fit| fit.ply.to_string()).collect();
            let found = (departure.ply, departure.reason.to_string(), found.join(" "));
            assert_eq!(found, (ply, reason.into(), fits.into()));
        }
    }

    #[test]
    fn a_game_continues_after_a_repetition_and_the_first_end_counts() {
        // Two single seeds chase each other round the board, twice.
        let lap = "AaBbCcDdEeFf";
        let text = format!("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S {lap}{lap}");
        let replay = replayed(Ayo::default(), &text);
        assert_eq!((replay.departure, replay.record.plies().len()), (None, 24));
        let decided = replay.decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (12, Ending::Repetition));
        assert_eq!(decided.settlement.verdict, Verdict::Drawn);
    }
}
