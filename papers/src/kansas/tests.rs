use super::against_random::Figure;
use super::printed::{PRINTED_AVERAGES, printed_averages, printed_round_robin};
use super::round_robin::round_robin_of;
use super::*;
use crate::partial::StopAfter;
use mancala::game::kalah::Kalah;

/// Plays four rows of the round robin (two distinct players) and a few games against the random player.
#[test]
fn part_of_the_study() {
    let temporary = tempfile::tempdir().unwrap();
    let partial = PartialResults::below(temporary.path(), "kalah");
    let rows = ["100000", "011000", "111000", "110001"].map(|row| row.parse().unwrap());
    let standings = round_robin_of(Kalah::KANSAS, &rows, &partial, &()).unwrap().unwrap();
    assert_eq!(standings.len(), rows.len());
    let printed = printed_round_robin();
    for row in &standings {
        let win = printed.iter().find(|printed| printed.0 == row.heuristics).unwrap().1;
        assert_eq!(row.games(), 124);
        assert!((row.measure(Figure::Win) - win).abs() < 0.51e-4, "{row:?}");
    }
    let mut compared = 0;
    for printed in printed_averages() {
        let Some(row) = standings.iter().find(|it| it.heuristics == printed.heuristics) else {
            continue;
        };
        for (figure, printed) in PRINTED_AVERAGES.into_iter().zip(printed.figures) {
            let ours = row.measure(figure);
            assert!((ours - printed).abs() < 1e-6, "{row:?}");
            compared += 1;
        }
    }
    assert!(compared >= 8, "{compared}");
    let against_random = against_random(20, 5, 1, &partial, &()).unwrap().unwrap();
    for it in agreement(&against_random).iter().filter(|it| it.rows == 64) {
        assert!(it.correlation.unwrap() > 0.7, "{it:?}");
    }
    let win = |it: &&AgainstRandom| it.measure(Figure::Win).value();
    let weakest = against_random.iter().min_by(|a, b| win(a).total_cmp(&win(b))).unwrap();
    assert_eq!(weakest.heuristics.to_string(), "000000");
    let results = Results { standings, look_ahead: Vec::new(), against_random };
    let picture = temporary.path().join("kansas.png");
    pictures::comparison(&results).write(&picture).unwrap();
    assert!(std::fs::read(picture).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn complete_tables_are_written_before_an_interruption() {
    let temporary = tempfile::tempdir().unwrap();
    let arguments = Arguments {
        out: temporary.path().to_owned(),
        games: 800,
        lookahead: LOOK_AHEAD,
        seed: 1,
        work: WorkOptions::default(),
        json: false,
    };
    let look_ahead = 2 * printed_look_ahead().len();
    // The third run resumes where the second stopped.
    for (games, written) in [(0, 0), (look_ahead, 1), (0, 1)] {
        let mut folder = Folder::new(temporary.path());
        let stop = StopAfter::new(games);
        assert!(play(&arguments, &stop, &mut folder).unwrap().is_none());
        assert_eq!(folder.written, written);
        for (place, name) in TABLES.iter().enumerate() {
            assert_eq!(temporary.path().join(name).exists(), place < written, "{name}");
            assert_eq!(folder.state().contains(name), written > 0, "{name}");
        }
    }
}
