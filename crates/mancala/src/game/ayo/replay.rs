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

    const GAMES: &str = include_str!("../../../../../papers/data/printed/thesis/games.txt");

    fn replayed(text: &str) -> Replay<Ayo> {
        replayed_under(Ayo::default(), text)
    }

    fn replayed_under(game: Ayo, text: &str) -> Replay<Ayo> {
        let found = Transcript::read(&game, text).unwrap();
        game.replay(found.opening, &found.plies)
    }

    fn thesis_game(label: &str) -> &'static str {
        GAMES.lines().find(|line| line.starts_with(label)).unwrap()
    }

    fn corrected_game_1() -> String {
        thesis_game("game 1").replacen("2S4(2)", "2S6(2)", 1)
    }

    #[test]
    fn game_2_of_the_thesis_replays_as_printed() {
        let found = replayed(thesis_game("game 2"));
        assert_eq!(found.departure, None);
        assert_eq!(found.awards, []);
        assert_eq!(found.record.plies().len(), 72);
        let position = found.record.position().to_string();
        assert_eq!(position, "0-0-2-1-1-0-1-1-1-1-1-0-34-5-N");
        let decided = found.decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (44, Ending::Majority));
        assert_eq!(decided.settlement.stores, [30, 2]);
        assert_eq!(decided.settlement.verdict, Verdict::Won(Side::South));
    }

    #[test]
    fn game_1_of_the_thesis_departs_at_ply_9_where_2s6_captures_2() {
        let found = replayed(thesis_game("game 1"));
        let departure = found.departure.unwrap();
        assert_eq!(departure.ply, 9);
        assert_eq!(departure.printed.to_string(), "2S4(2)");
        assert_eq!(departure.reason.to_string(), "pit D holds 7");
        let [fit] = departure.fits[..] else { panic!("{:?}", departure.fits) };
        assert_eq!((fit.ply.to_string(), fit.complete, fit.plies), ("2S6(2)".into(), true, 98));
        assert_eq!(found.record.plies().len(), 8);
        assert_eq!(&departure.position, found.record.position());
    }

    #[test]
    fn game_1_of_the_thesis_as_corrected_ends_with_an_award() {
        let found = replayed(&corrected_game_1());
        assert_eq!(found.departure, None);
        assert_eq!(found.awards, [Award { ply: 97, side: Side::South, seeds: 6 }]);
        let position = found.record.position().to_string();
        assert_eq!(position, "1-1-2-2-0-0-0-0-0-0-0-0-22-20-S");
        let decided = found.decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (98, Ending::NoMove));
        assert_eq!(decided.settlement.stores, [28, 20]);
    }

    #[test]
    fn a_capture_that_the_end_does_not_award_is_a_departure() {
        let game_1 = corrected_game_1();
        let wrong = |text: String| {
            let found = replayed(&text);
            assert_eq!(found.awards, []);
            let departure = found.departure.unwrap();
            assert_eq!(found.record.plies().len(), departure.ply - 1);
            (departure.ply, departure.reason)
        };
        let captures_none = (97, Mismatch::Captured(0));
        assert_eq!(wrong(game_1.replace("2S2(6)", "2S2(5)")), captures_none);
        // The end awards the six seeds to South alone.
        let to_north = game_1.replace("2S2(6)", "2S2") + "(6)";
        assert_eq!(wrong(to_north), (98, Mismatch::Captured(0)));
        // Without its last ply the game has not ended.
        assert_eq!(wrong(game_1.trim_end_matches(", 2N6").into()), captures_none);
        // Under other rules the end awards them otherwise.
        let void = Ayo { rules: "ayo:stalemate=void".parse().unwrap() };
        let found = replayed_under(void, &game_1);
        assert_eq!(found.departure.unwrap().ply, 97);
        // Not the last ply of its side.
        assert_eq!(wrong(game_1.replace("1S1, 1N5, 2S2(6)", "1S1(6), 1N5, 2S2")).0, 95);
    }

    #[test]
    fn every_way_to_depart_is_named() {
        let departure = |text: &str| {
            let departure = replayed(text).departure.unwrap();
            let fits = departure.fits.iter().map(|fit| fit.ply.to_string());
            (departure.ply, departure.reason.to_string(), fits.collect::<Vec<_>>().join(" "))
        };
        let found = |ply, reason: &str, fits: &str| (ply, reason.to_owned(), fits.to_owned());
        assert_eq!(departure("FE"), found(2, "it is North's turn", ""));
        assert_eq!(departure("4S6, 4S5"), found(2, "it is North's turn", "4N5"));
        assert_eq!(departure("FfF"), found(3, "the pit is empty", ""));
        assert_eq!(departure("5S6"), found(1, "pit F holds 4", "4S6"));
        assert_eq!(departure("4S6(2)"), found(1, "the move captures 0", "4S6"));
        let starving = "1-1-2-2-0-0-0-0-0-0-0-0-22-20-S";
        let text = format!("{starving} A");
        assert_eq!(departure(&text), found(1, "South has no legal move", ""));
        let feeding = "0-0-1-0-0-1-0-0-0-0-0-0-22-24-S C";
        let reason = "the opponent has no seeds and must be fed";
        assert_eq!(departure(feeding), found(1, reason, ""));
    }

    #[test]
    fn play_goes_on_past_a_repetition_and_the_first_decision_counts() {
        let lone = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";
        // Two lone seeds chase each other round the board, twice.
        let lap = "AaBbCcDdEeFf";
        let found = replayed(&format!("{lone} {lap}{lap}"));
        assert_eq!(found.departure, None);
        let decided = found.decided.unwrap();
        assert_eq!((decided.ply, decided.ending), (12, Ending::Repetition));
        assert_eq!(decided.settlement.verdict, Verdict::Drawn);
        assert_eq!(found.record.plies().len(), 24);
    }
}
