//! Compares ayo with a naive implementation that drops seeds one by one, and with published perft counts.

use super::*;
use crate::game::{Notated, Record, perft};
use crate::laws::prelude::*;

fn every_game() -> [Ayo; 4] {
    Rules::PRESETS.map(|(_, rules)| Ayo { rules })
}

/// The mover's row, then the opponent's.
type View = [u8; 12];

fn view(position: &Position) -> View {
    let me = position.row(position.to_move());
    let you = position.row(position.to_move().other());
    std::array::from_fn(|i| if i < 6 { me[i] } else { you[i - 6] })
}

fn naive_play(mut view: View, pit: usize, slam: GrandSlam) -> (View, u8) {
    let mut at = pit;
    for _ in 0..std::mem::take(&mut view[pit]) {
        at = (at + 1) % 12;
        if at == pit {
            at = (at + 1) % 12;
        }
        view[at] += 1;
    }
    let mut after = view;
    while at >= 6 && (after[at] == 2 || after[at] == 3) {
        after[at] = 0;
        at -= 1;
    }
    let slammed = after[6..].iter().all(|&n| n == 0) && view != after;
    if slammed && slam == GrandSlam::CapturesNothing {
        after = view;
    }
    let sum = |view: View| view.iter().sum::<u8>();
    (after, sum(view) - sum(after))
}

fn naive_moves(view: View, rules: Rules) -> Vec<usize> {
    let starves = |&pit: &usize| {
        let slam = match rules.grand_slam {
            GrandSlam::Illegal => GrandSlam::CapturesAll,
            slam => slam,
        };
        naive_play(view, pit, slam).0[6..].iter().all(|&n| n == 0)
    };
    let holding: Vec<usize> = (0..6).filter(|&pit| view[pit] > 0).collect();
    let feeding: Vec<usize> = holding.iter().copied().filter(|pit| !starves(pit)).collect();
    let bare = view[6..].iter().all(|&n| n == 0);
    match rules.feeding {
        Feeding::MustLeaveSeeds if feeding.is_empty() => holding,
        Feeding::MustLeaveSeeds => feeding,
        Feeding::MustFeed if bare || rules.grand_slam == GrandSlam::Illegal => feeding,
        Feeding::MustFeed => holding,
    }
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn promising_moves_are_the_captures_if_grand_slams_capture(position in any_position()) {
        let promising = Ayo::default().promising(&position);
        for pit in (0..PITS as u8).filter_map(Pit::new) {
            let (_, captured) = naive_play(view(&position), pit.index(), GrandSlam::CapturesAll);
            prop_assert_eq!(promising.contains(pit), captured > 0, "{:?}", pit);
        }
    }

    #[test]
    fn moves_and_sowing_agree_with_seed_by_seed_play(position in any_position()) {
        for game in every_game() {
            let moves: Vec<usize> = game.moves(&position).map(Pit::index).collect();
            prop_assert_eq!(&moves, &naive_moves(view(&position), game.rules), "{:?}", game);
            for pit in game.moves(&position) {
                let after = game.play(&position, pit);
                let (expected, captured) =
                    naive_play(view(&position), pit.index(), game.rules.grand_slam);
                let mover = position.to_move();
                prop_assert_eq!(&after.row(mover)[..], &expected[..6]);
                prop_assert_eq!(&after.row(mover.other())[..], &expected[6..]);
                prop_assert_eq!(after.store(mover), position.store(mover) + captured);
                prop_assert_eq!(after.store(mover.other()), position.store(mover.other()));
                prop_assert_eq!(after.to_move(), mover.other());
            }
        }
    }

    #[test]
    fn the_text_has_all_and_the_end_is_known_without_the_moves(position in any_position()) {
        prop_assert_eq!(position.to_string().parse(), Ok(position));
        for game in every_game() {
            prop_assert_eq!(game.ended(&position), game.ending(&position, game.moves(&position)));
        }
    }

    #[test]
    fn seeds_are_conserved_to_the_end_of_a_game(position in any_position(), choices: [u8; 32]) {
        for game in every_game() {
            let record = random_game(game, position, &choices);
            let Some(settled) = record.settlement() else { continue };
            let awarded = settled.stores.iter().sum::<u16>();
            prop_assert!(awarded <= u16::from(SEEDS));
            let is_complete =
                record.ending() == Some(Ending::NoMove) && game.rules.stalemate != Stalemate::Void;
            prop_assert!(!is_complete || awarded == u16::from(SEEDS));
        }
    }

    #[test]
    fn recorded_games_read_back_in_both_notations(choices: [u8; 60], north: bool) {
        let game = Ayo::default();
        let first = if north { Side::North } else { Side::South };
        let record = random_game(game, game.start(first), &choices);
        let thesis = Ayo::other_notation(&record).unwrap();
        for line in [record.line(), thesis.clone()] {
            let replayed = game.read_line(&line, None).unwrap();
            prop_assert_eq!(replayed.plies(), record.plies());
            prop_assert_eq!(Ayo::other_notation(&replayed).unwrap(), &thesis[..]);
        }
    }
}

fn random_game(game: Ayo, opening: Position, choices: &[u8]) -> Record<Ayo> {
    let mut record = Record::from_position(game, opening);
    for &choice in choices {
        let mut moves = game.moves(record.position());
        if record.ending().is_some() {
            break;
        }
        record.play(moves.nth(usize::from(choice) % moves.len()).unwrap()).unwrap();
    }
    record
}

#[test]
fn rules_read_back_from_their_text() {
    for (name, preset) in Rules::PRESETS {
        assert_eq!(preset.to_string(), name);
        for value in ["own-rows", "opponent-takes", "void", "causer-loses"] {
            let rules: Rules = format!("{name}:stalemate={value}").parse().unwrap();
            assert_eq!(rules.to_string().parse::<Rules>().unwrap(), rules);
        }
    }
}

#[test]
fn wrong_positions_are_refused_with_a_reason() {
    for (text, reason) in [
        ("", "15 fields"),
        ("4-4", "not 2"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-s", "\"s\""),
        ("+4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "pit A is \"+4\""),
        ("4-4-4-4-4-4-4-4-4-4-4-400-0-0-S", "pit f is \"400\""),
        ("4-4-4-4-4-4-4-4-4-4-4-4--0-S", "South's store is \"\""),
        ("4-4-4-4-4-4-4-4-4-4-4-3-0-0-S", "total 47"),
    ] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn a_grand_slam_under_each_rule() {
    // A move from F makes two in pit a and would capture all of North's seeds.
    let slam: Position = "1-0-0-0-0-1-1-0-0-0-0-0-22-23-S".parse().unwrap();
    let after = |rules| Ayo { rules }.play(&slam, Pit::new(5).unwrap()).to_string();
    assert_eq!(after(Rules::AYO), "1-0-0-0-0-0-2-0-0-0-0-0-22-23-N");
    assert_eq!(after(Rules::WIPE_OUT), "1-0-0-0-0-0-0-0-0-0-0-0-24-23-N");
    for rules in [Rules::NO_SLAM, Rules::AWARI] {
        assert_eq!(Ayo { rules }.moves(&slam), PitSet::from_bits(1));
    }
    // If there is no other move, the capture is legal under awari and the game ends under no-slam.
    let only: Position = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S".parse().unwrap();
    assert_eq!(Ayo { rules: Rules::AWARI }.moves(&only), PitSet::from_bits(1 << 5));
    assert!(Ayo { rules: Rules::NO_SLAM }.moves(&only).is_empty());
    for (rules, verdict) in
        [("no-slam", Verdict::Drawn), ("no-slam:stalemate=causer-loses", Verdict::Won(Side::South))]
    {
        let game = Ayo { rules: rules.parse().unwrap() };
        assert_eq!(game.settle(&only, Ending::NoMove).verdict, verdict);
    }
}

#[test]
fn a_repeated_position_ends_the_game() {
    // Three seeds chase each other around the board without a capture until a position is repeated.
    let chase = "1-0-0-0-0-0-1-0-0-1-0-0-22-23-S".parse().unwrap();
    let record = random_game(Ayo::default(), chase, &[0; 60]);
    assert_eq!((record.ending(), record.plies().len()), (Some(Ending::Repetition), 28));
    let left = "1-0-0-0-0-0-2-0-0-2-0-0-21-22-S".parse().unwrap();
    for (rules, stores) in [(Rules::AYO, [22, 26]), (Rules::AWARI, [23, 24])] {
        assert_eq!(Ayo { rules }.settle(&left, Ending::Repetition).stores, stores);
    }
}

#[test]
fn perft_matches_three_independent_engines() {
    let mut checked = 0;
    for line in include_str!("../../../../../tests/data/perft.csv").lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let ["ayo", position, depth, counts @ ..] = fields.as_slice() else {
            continue;
        };
        let position: Position = position.parse().unwrap();
        for (game, expected) in every_game().iter().zip(counts) {
            let counted = perft(game, &position, depth.parse().unwrap());
            assert_eq!(counted.to_string(), *expected, "{} {position}", game.rules);
        }
        assert_eq!(counts.len(), every_game().len(), "{line}");
        checked += 1;
    }
    assert_eq!(checked, 24, "rows of perft.csv");
    for game in every_game() {
        assert_eq!(perft(&game, &game.start(Side::South), 10), 18_137_964, "{}", game.rules);
    }
}
