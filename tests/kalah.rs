//! The Kansas study against the report's printed figures.

use ayo::eval::kansas::Heuristics;
use ayo::study::kansas::{
    against_random, look_ahead, printed_averages, printed_look_ahead, printed_random,
    printed_round_robin, rank_correlation, round_robin,
};

#[test]
fn the_look_ahead_table_is_the_printed_one() {
    for (ours, printed) in look_ahead(&()).unwrap().iter().zip(printed_look_ahead()) {
        assert_eq!(ours.wins, printed.wins, "{printed:?}");
    }
}

/// To the last printed digit.
fn is_printed(ours: f64, printed: f64, digits: i32) -> bool {
    (ours - printed).abs() <= 0.5001 * 10f64.powi(-digits)
}

#[test]
fn the_round_robin_is_the_printed_one() {
    let standings = round_robin(&()).unwrap();
    assert_eq!(standings.len(), 63);
    for (ours, (heuristics, win)) in standings.iter().zip(printed_round_robin()) {
        assert_eq!((ours.heuristics, ours.games()), (heuristics, 124));
        assert!(is_printed(ours.averages().win, win, 4), "{heuristics}: {:?}", ours.averages());
    }
    for printed in printed_averages() {
        let ours = standings.iter().find(|it| it.heuristics == printed.heuristics).unwrap();
        let ours = ours.averages();
        let figures = [
            ours.win_second,
            ours.stones,
            ours.margin,
            ours.win_margin,
            ours.loss_margin,
            ours.captures,
            ours.go_agains,
            ours.moves,
        ];
        for (ours, printed_figure) in figures.into_iter().zip(printed.figures) {
            assert!(is_printed(ours, printed_figure, 6), "{printed:?}: {figures:?}");
        }
    }
}

#[test]
fn against_the_random_player_the_order_is_the_printed_one() {
    let ours = against_random(20, 5, 1, &()).unwrap();
    for figure in 0..3 {
        let pairs: Vec<(f64, f64)> = ours
            .iter()
            .zip(printed_random())
            .map(|(ours, printed)| (ours.per_move()[figure].value, printed.per_move[figure]))
            .collect();
        let correlation = rank_correlation(&pairs).unwrap();
        assert!(correlation > 0.75, "{figure}: {correlation}");
    }
    let weakest = ours.iter().min_by(|a, b| a.win().value.total_cmp(&b.win().value)).unwrap();
    assert_eq!(weakest.heuristics, Heuristics::NONE);
}
