use super::*;
use mancala::eval::Weights;
use mancala::laws::prelude::*;

const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

const BARE: Settings = Settings {
    plies: 4,
    metric: Metric::Correlation,
    bluffing: None,
    refine: Refinement::On,
    cdg: Switch::Off,
    reading: Reading {
        tail: End::Lowest,
        protection: Protection::Now,
        mobility: Mobility::Best,
        ties: End::Lowest,
        cost: Cost::Relative,
    },
};

fn record(position: &str) -> Record<Ayo> {
    Record::from_position(Ayo::default(), position.parse().unwrap())
}

fn reasons(settings: Settings, position: &str) -> Reasons {
    Rbh { settings, judge: None }.reasons(&record(position), &()).unwrap()
}

fn feasible(reasons: &Reasons) -> String {
    let feasible = reasons.moves.iter().filter(|candidate| candidate.feasible);
    feasible.map(|candidate| candidate.pit.letter(Side::South)).collect()
}

fn choice(settings: Settings, position: &str) -> (char, Rule) {
    let found = reasons(settings, position);
    let side = record(position).to_move();
    (found.choice.letter(side), found.rule)
}

#[test]
fn at_the_start_all_moves_tie_and_refinement_decides() {
    for plies in [2, 4] {
        let found = reasons(Settings { plies, ..BARE }, START);
        assert_eq!(feasible(&found), "ABCDEF");
        assert!(matches!(found.rule, Rule::Mobility { .. }), "{:?}", found.rule);
    }
    let plain = Settings { refine: Refinement::Off, ..BARE };
    assert_eq!(choice(plain, START), ('A', Rule::Lowest));
    let chance = Settings { refine: Refinement::Chance, ..BARE };
    assert_eq!(choice(chance, START).1, Rule::Chance);
    assert_eq!(choice(chance, START), choice(chance, START));
}

#[test]
fn readings_change_the_choice() {
    let of = |reading| choice(Settings { reading, ..BARE }, START);
    let today = BARE.reading;
    let first = of(today);
    let Rule::Mobility { moves } = first.1 else { panic!("{first:?}") };
    let (last, rule) = of(Reading { ties: End::Highest, ..today });
    assert!(last >= first.0 && rule == Rule::Mobility { moves });
    let rule = |reading| of(reading).1;
    assert_eq!(rule(Reading { mobility: Mobility::Episode, ..today }), Rule::Nearest);
    let worst = of(Reading { mobility: Mobility::Worst, ..today }).1;
    assert!(matches!(worst, Rule::Mobility { moves: least } if least <= moves), "{worst:?}");
    // The tail (A) isn't protected now, because North's f could capture it. After A is played, nothing can be captured.
    let threatened = "1-0-4-0-0-0-0-0-0-0-0-1-21-21-S";
    let shallow = |reading| choice(Settings { plies: 1, reading, ..BARE }, threatened);
    assert_eq!(shallow(today), ('A', Rule::Unprotected));
    let protected = choice(Settings { plies: 1, ..BARE }, "4-0-0-0-0-3-1-0-4-0-0-1-18-17-N");
    assert_ne!(protected.1, Rule::Unprotected);
    assert_ne!(shallow(Reading { tail: End::Highest, ..today }).0, 'A');
    assert_ne!(shallow(Reading { protection: Protection::After, ..today }).1, Rule::Unprotected);
}

#[test]
fn a_bluff_is_made_at_its_threshold_and_not_above() {
    let moves = [(0, 4, 0.2), (1, 2, 0.75), (2, 1, 0.9)].map(|(index, worth, similarity)| {
        let (pit, feasible) = (Pit::new(index).unwrap(), worth == 4);
        Candidate { pit, seeds: 1, captured: 0, worth, feasible, similarity }
    });
    for (threshold, tradeoff, cost, expected) in [
        (0.75, 2, Cost::Relative, Some((1, 2))),
        (0.7500001, 2, Cost::Relative, None),
        (0.75, 1, Cost::Relative, None),
        // If two moves are allowed, then we choose the one with the higher similarity.
        (0.75, 3, Cost::Relative, Some((2, 3))),
        // The best move itself does not count as a bluff.
        (0.1, 0, Cost::Relative, None),
        // Every move is worth at least a seed, so no move has a game value above the tradeoff.
        (0.75, 0, Cost::Literal, Some((2, 3))),
    ] {
        let bluffing = Some(Bluffing { threshold, tradeoff });
        let settings = Settings { bluffing, reading: Reading { cost, ..BARE.reading }, ..BARE };
        let found = Rbh { settings, judge: None }.bluff(&moves);
        assert_eq!(found.map(|(pit, loss)| (pit.index(), loss)), expected);
    }
}

#[test]
fn a_bluff_in_a_game() {
    // D loses a seed to the reply, but leaves a row that is similar to a CDG row. A to C don't lose any seeds.
    let position = "2-2-1-3-0-0-1-1-0-1-2-0-18-17-S";
    let bluffing =
        |threshold, tradeoff| Settings { bluffing: Some(Bluffing { threshold, tradeoff }), ..BARE };
    let found = reasons(bluffing(0.9, 1), position);
    assert_eq!(feasible(&found), "ABC");
    assert_eq!((found.choice.letter(Side::South), found.rule), ('D', Rule::Bluff { given: 1 }));
    let similarity = found.moves[3].similarity;
    assert!((0.9..0.91).contains(&similarity), "{similarity}");
    for kept in [bluffing(similarity + 1e-9, 1), bluffing(0.9, 0)] {
        assert_ne!(choice(kept, position).0, 'D');
    }
}

#[test]
fn a_cdg_is_played_out_and_a_near_one_preferred() {
    let with_cdg = Settings { cdg: Switch::On, ..BARE };
    // Row 20 of table 3.5 in the thesis.
    let position = "7-5-3-1-2-2-0-1-0-0-0-0-3-24-S";
    assert_eq!(choice(with_cdg, position), ('F', Rule::PlayedOut));
    assert_ne!(reasons(BARE, position).rule, Rule::PlayedOut);
    // Nothing can be captured and a CDG is near, so the player uses similarity to a CDG row instead of mobility.
    let near = "0-0-0-0-1-1-0-0-1-0-0-0-21-24-S";
    assert_eq!(reasons(with_cdg, near).rule, Rule::Nearest);
}

#[test]
fn with_weights_moves_have_their_payoffs() {
    let weights = Weights::named("daoud2004-depth5").unwrap();
    let judge = || Minimax::to_depth(&weights, 4, Options::default());
    let mut rbh = Rbh { settings: BARE, judge: Some(judge()) };
    let found = rbh.reasons(&record(START), &()).unwrap();
    let payoffs: Vec<_> = found.moves.iter().map(|it| (it.pit, Score(it.worth))).collect();
    assert_eq!(payoffs, judge().payoffs(&record(START), &()));
    let choice = rbh.choose(&record(START), &()).unwrap();
    assert_eq!(Some(choice.score.unwrap()), payoffs.iter().map(|payoff| payoff.1).max());
}

laws! {
    #[test]
    fn a_legal_move_is_chosen_and_without_bluffing_a_feasible_one(position in any_position()) {
        let game = Ayo::default();
        prop_assume!(game.ended(&position).is_none());
        let record = Record::from_position(game, position);
        for bluffing in [None, Some(Bluffing { threshold: 0.6, tradeoff: 3 })] {
            let settings = Settings { plies: 3, bluffing, ..BARE };
            let found = Rbh { settings, judge: None }.reasons(&record, &()).unwrap();
            let chosen = found.moves.iter().find(|candidate| candidate.pit == found.choice).unwrap();
            let best = found.moves.iter().map(|candidate| candidate.worth).max().unwrap();
            let given = bluffing.map_or(0, |it| it.tradeoff as i32);
            prop_assert!(chosen.worth >= best - given);
        }
    }
}
