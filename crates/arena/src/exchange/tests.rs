use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Game, Notated, Record, Side, Verdict};
use mancala::laws::prelude::*;
use proptest::collection::vec;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

use super::{Entry, Format, Terms, difference};

/// Plays up to `most` legal moves, which are chosen pseudorandomly. `noise` is the seed.
fn played<G: Notated>(game: G, opening: G::Position, mut noise: u64, most: usize) -> Record<G> {
    let mut record = Record::from_position(game, opening);
    while record.ending().is_none() && record.plies().len() < most {
        let moves: Vec<_> = game.moves(record.position()).into_iter().collect();
        noise = noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        record.play(moves[(noise >> 33) as usize % moves.len()]).unwrap();
    }
    record
}

fn round_trip<G: Notated>(format: Format, entry: &Entry<G>) -> Entry<G> {
    let (text, _) = format.write(entry, 1).unwrap();
    let mut found = format.read(*entry.record.game(), &text).unwrap_or_else(|error| {
        panic!("{}: {error}\n{text}", format.name());
    });
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0)
}

fn is_same<G: Notated>(a: &Entry<G>, b: &Entry<G>) -> bool {
    a.record.opening() == b.record.opening()
        && a.record.plies() == b.record.plies()
        && a.result() == b.result()
}

laws! {
    #[test]
    fn games_of_ayo_survive_every_format(noise in any::<u64>(), most in 1usize..300) {
        let game = Ayo::default();
        let entry = Entry::new(played(game, game.start(Side::South), noise, most));
        for format in Format::ALL.into_iter().filter(|it| !matches!(it, Format::Fen | Format::Kgp)) {
            prop_assert!(is_same(&round_trip(format, &entry), &entry), "{}", format.name());
        }
    }

    #[test]
    fn games_from_any_position_survive(opening in any_position(), noise in any::<u64>(), winner in 0usize..4) {
        let mut entry = Entry::new(played(Ayo::default(), opening, noise, 30));
        entry.verdict = [Verdict::Won(Side::South), Verdict::Won(Side::North), Verdict::Drawn].get(winner).copied();
        entry.comment = (noise % 2 == 0).then(|| "Time forfeit".into());
        for format in [Format::Ayo, Format::Games, Format::Pgn] {
            let found = round_trip(format, &entry);
            prop_assert!(is_same(&found, &entry), "{}", format.name());
            prop_assert_eq!(&found.comment, &entry.comment);
        }
    }

    #[test]
    fn positions_survive(position in any_position()) {
        let entry = Entry::new(Record::from_position(Ayo::default(), position));
        let is_over = Ayo::default().ended(&position).is_some();
        for format in [Format::Ayo, Format::Games, Format::Fen, Format::Pgn, Format::OpenSpiel] {
            if !(is_over && format == Format::OpenSpiel) {
                prop_assert!(is_same(&round_trip(format, &entry), &entry), "{}", format.name());
            }
        }
        let found = round_trip(Format::CodinGame, &entry);
        let rows = |position: &_, side| Ayo::default().rows(position)[Side::index(side)].clone();
        prop_assert_eq!(rows(found.record.opening(), Side::South), rows(&position, position.to_move()));
    }

    #[test]
    fn games_of_kalah_survive(game in any_kalah(), noise in any::<u64>()) {
        let game = match Format::Kgp.rules(AnyGame::from(game)) {
            AnyGame::Kalah(game) => game,
            AnyGame::Ayo(_) => unreachable!(),
        };
        let entry = Entry::new(played(game, game.start(Side::South), noise, 200));
        let text = Format::Kgp.write(&entry, 1).unwrap().0;
        prop_assert_eq!(Format::Kgp.game(&text).unwrap(), Some(game.into()));
        for format in [Format::Ayo, Format::Games, Format::Kgp] {
            prop_assert!(is_same(&round_trip(format, &entry), &entry), "{}", format.name());
        }
    }

    #[test]
    fn damaged_text_is_refused_or_read(
        noise in any::<u64>(), most in 1usize..40,
        edits in vec((any::<Index>(), 0usize..40, select(HOSTILE.split('|').collect::<Vec<_>>())), 1..6),
    ) {
        let (ayo, kalah) = (Ayo::default(), Kalah::default());
        let game = Entry::new(played(ayo, ayo.start(Side::South), noise, most));
        let position = Entry::new(Record::from_position(ayo, *game.record.position()));
        for format in Format::ALL.into_iter().filter(|it| *it != Format::Kgp) {
            check_damaged(format, if format == Format::Fen { &position } else { &game }, &edits)?;
        }
        let game = Entry::new(played(kalah, kalah.start(Side::South), noise, most));
        for format in [Format::Ayo, Format::Games, Format::Kgp] {
            check_damaged(format, &game, &edits)?;
        }
    }
}

/// Replacements for parts of files, separated by `|`.
const HOSTILE: &str = "|\0|\u{1b}[2J|\u{202e}|\u{9b}31m|\r|\n|\n\n| |0|49|65536|99999999999999999999|-1|\u{663}|\
    <0,0,0>|[FEN \"|\"]|{|)| # |: ";

/// Applies edits to a text. An edit consists of an offset, the number of characters to remove, and their replacement.
fn damaged(text: &str, edits: &[(Index, usize, &str)]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (place, removed, inserted) in edits {
        let place = place.index(text.len() + 1);
        let end = (place + removed).min(text.len());
        text.splice(place..end, inserted.chars());
    }
    text.into_iter().collect()
}

/// Checks that reading damaged text either fails with a one-line message that starts with the line number, or yields
/// entries that can be written and read back. We don't check the latter for formats that lose information.
fn check_damaged<G: Notated>(
    format: Format,
    entry: &Entry<G>,
    edits: &[(Index, usize, &str)],
) -> TestCaseResult {
    let text = damaged(&format.write(entry, 1).unwrap().0, edits);
    let is_sentence =
        |it: &String| it.starts_with("line ") && !it.contains('\n') && it.len() < 1000;
    if let Err(error) = format.game(&text) {
        prop_assert!(is_sentence(&error), "{}: {error:?}", format.name());
    }
    let is_lossy = matches!(format, Format::OpenSpiel | Format::CodinGame);
    match format.read(*entry.record.game(), &text) {
        Err(error) => prop_assert!(is_sentence(&error), "{}: {error:?}", format.name()),
        Ok(entries) => {
            for entry in entries.iter().filter(|_| !is_lossy) {
                let same = is_same(&round_trip(format, entry), entry);
                prop_assert!(same, "{}: {text:?}", format.name());
            }
        }
    }
    Ok(())
}

#[test]
fn formats_are_those_of_the_programs() {
    let game = Ayo::default();
    let read = |format: Format, text: &str| format.read(game, text).unwrap().remove(0).record;
    let fen = "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1";
    assert_eq!(*read(Format::Fen, fen).opening(), game.start(Side::South));
    let position = read(Format::Fen, "5,13S/4S,1,1S,2,3S 25 2 S 50");
    assert_eq!(position.opening().to_string(), "4-0-1-0-0-3-13-0-0-0-0-0-25-2-S");
    // In a game that is over, the scores include the seeds on the board.
    let over = read(Format::Fen, "6/1S,5 26 22 N 40");
    assert_eq!(over.opening().to_string(), "1-0-0-0-0-0-0-0-0-0-0-0-25-22-N");
    let pgn = "[Variant \"Oware\"]\n[Result \"0-1\"]\n\n1. c1f2 { [%clk 0:01] } f2a2 0-1\n";
    let found = &Format::Pgn.read(game, pgn).unwrap()[0];
    assert_eq!(
        (found.record.line().as_str(), found.result()),
        ("Ca", Some(Verdict::Won(Side::North)))
    );
    assert_eq!(read(Format::OpenSpiel, "2, 5, 0").line(), "CfA");
    let turns = "4 4 4 4 4 4 4 4 4 4 4 4\n2\n4 4 4 4 4 4 4 4 0 5 5 5\n";
    assert!(Format::CodinGame.read(game, turns).unwrap_err().contains("does not follow"));
}

#[test]
fn differences_are_found_where_they_matter() {
    let read = |rules: &str, text: &str| {
        let game = Ayo { rules: rules.parse().unwrap() };
        (game, Format::Ayo.read(game, text).unwrap().remove(0))
    };
    let slam = "0-0-0-0-0-2-1-1-0-0-0-0-22-22-S F";
    let lap = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S AaBbCcDdEeFf";
    for (rules, text, to, part) in [
        ("wipe-out", slam, Format::OpenSpiel, Some("captures different seeds")),
        ("ayo", slam, Format::OpenSpiel, None),
        ("ayo", lap, Format::OpenSpiel, None),
        (
            "ayo",
            lap,
            Format::CodinGame,
            Some("after ply 12, in ayo (ayo) the game ends 24-24 (repetition)"),
        ),
        ("awari", "FfE", Format::Pgn, None),
    ] {
        let (game, entry) = read(rules, text);
        let of = |format, game| Terms { format, game };
        let found = difference(&entry, &[of(Format::Ayo, game), of(to, Ayo::default())]);
        match part {
            Some(part) => assert!(found.as_ref().is_some_and(|it| it.contains(part)), "{found:?}"),
            None => assert_eq!(found, None),
        }
    }
}
