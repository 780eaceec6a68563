use super::*;
use crate::testing::{Coupling, Model, assorted, share};

fn test(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
}

#[test]
fn settings_in_any_order_and_number() {
    for (text, expected) in [
        ("elo0=0", Sprt::default()),
        ("elo1=5", test(0.0, 5.0)),
        ("beta=0.1, alpha=0.01,elo1=2.5,elo0=-2.5", Sprt::new(-2.5, 2.5, 0.01, 0.1).unwrap()),
    ] {
        let parsed: Sprt = text.parse().unwrap();
        assert_eq!(parsed, expected);
        assert_eq!(parsed.to_string().parse::<Sprt>().unwrap(), parsed);
    }
}

#[test]
fn wrong_settings_are_refused() {
    for (text, part) in [
        ("", "\"\" is not of the form"),
        ("elo0", "\"elo0\""),
        ("elo2=5", "\"elo2\""),
        ("beta=0.1,beta=0.2", "beta is set twice"),
        ("elo1=many", "elo1 is \"many\""),
        ("elo0=-3000", "elo0 is \"-3000\""),
        ("elo1=NaN", "elo1 is \"NaN\""),
        ("alpha=0", "alpha is \"0\""),
        ("beta=0.5", "beta is \"0.5\""),
        ("beta=nan", "beta is \"NaN\""),
        ("elo0=10", "elo0 is 10"),
    ] {
        let error = text.parse::<Sprt>().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// The ratios are from fastchess's tests (app/tests/sprt_test.cpp, "logistic pentanomial" 1 and 2) and from fishtest's
/// raw statistics page ("Logistic (exact)" at montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712).
#[test]
fn ratios_agree_with_other_programs() {
    for (counts, elo0, elo1, llr, tolerance) in [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07, 0.01),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98, 0.01),
        ([13, 37, 50, 25, 3], 0.0, 2.716, -0.53772, 2e-4),
    ] {
        let found = test(elo0, elo1).llr(&Pentanomial::of_counts(counts));
        assert!((found - llr).abs() < tolerance, "{counts:?}: {found} instead of {llr}");
    }
    let (low, high) = Sprt::new(0.0, 10.0, 0.1, 0.02).unwrap().bounds();
    assert!((low - (0.02_f64 / 0.9).ln()).abs() < 1e-15 && (high - 9.8_f64.ln()).abs() < 1e-15);
}

#[test]
fn ratios_are_finite_and_negated_for_the_other_player() {
    for (elo0, elo1) in [(0.0, 10.0), (-2000.0, 2000.0), (300.0, 300.001), (-3.0, 20.0)] {
        let (one, other) = (test(elo0, elo1), test(-elo1, -elo0));
        assert!(one.llr(&Pentanomial::default()).abs() < 0.05, "{one}");
        for pairs in assorted() {
            let (llr, mirrored) = (one.llr(&pairs), other.llr(&pairs.swapped()));
            assert!(llr.is_finite(), "{one} {pairs:?}");
            // In floating point, scores near 0 and 1 are not exact mirror images.
            let is_mirrored = (llr + mirrored).abs() < 1e-7 * (1.0 + llr.abs());
            assert!(is_mirrored || elo0 < -1000.0, "{one} {pairs:?}");
        }
    }
}

#[test]
fn the_first_prefix_that_crosses_decides() {
    let test = test(0.0, 100.0);
    let wins = std::iter::repeat(PairScore::Ww);
    let judged = test.first_crossing(wins);
    // The ratio reaches the bound after 2.944 / log(0.640 / 0.5) = 11.9 pairs of wins.
    assert_eq!((judged.pairs.pairs(), judged.decision), (12, Decision::AcceptH1));
    assert_eq!(judged.llr, test.llr(&judged.pairs));
    let before = test.judge(Pentanomial::of_counts([0, 0, 0, 0, 11]));
    assert_eq!(before.decision, Decision::Undecided);
    // Pairs that are played after the crossing don't change the result.
    let then_losses = [PairScore::Ww; 12].into_iter().chain([PairScore::Ll; 500]);
    assert_eq!(test.first_crossing(then_losses), judged);
    assert_eq!(test.first_crossing([PairScore::Ll; 500]).decision, Decision::AcceptH0);
    let few = test.first_crossing([PairScore::Ww; 5]);
    assert_eq!((few.pairs.pairs(), few.decision), (5, Decision::Undecided));
}

/// The bounds are so narrow that the counts assumed for unseen scores would suffice to cross one of them.
#[test]
fn no_games_decide_nothing() {
    for (elo0, elo1) in [(-2000.0, 100.0), (-100.0, 2000.0)] {
        let test = Sprt::new(elo0, elo1, 0.4999, 0.4999).unwrap();
        let ((low, high), llr) = (test.bounds(), test.llr(&Pentanomial::default()));
        assert!(!(low..=high).contains(&llr), "{llr} in {low} to {high}");
        assert_eq!(test.judge(Pentanomial::default()).decision, Decision::Undecided);
        assert_eq!(test.first_crossing([]).decision, Decision::Undecided);
        assert_eq!(test.first_crossing([PairScore::DdWl; 3]).pairs.pairs(), 1);
    }
}

/// We allow four standard deviations. At an error rate of 5 %, we expect 50 ± 6.9 errors in 1000 tests, so we allow a
/// difference of 0.028. At 10 % and 2 %, we expect 100 ± 9.5 and 20 ± 4.4 errors, so we allow 0.038 and 0.018.
#[test]
fn tests_err_as_often_as_they_claim() {
    for (text, alpha, beta) in [
        ("elo0=0,elo1=60", 0.022..0.078, 0.022..0.078),
        ("elo0=0,elo1=60,alpha=0.1,beta=0.02", 0.062..0.138, 0.002..0.038),
        ("elo0=-260,elo1=-200", 0.022..0.078, 0.022..0.078),
    ] {
        let test: Sprt = text.parse().unwrap();
        let Sprt { elo0, elo1, .. } = test;
        for coupling in Coupling::ALL {
            for (elo, wrong, errors) in
                [(elo0, Decision::AcceptH1, &alpha), (elo1, Decision::AcceptH0, &beta)]
            {
                let model = Model { score: score_of_elo(elo), draws: 0.1, coupling };
                let share = share(1000, |rng| {
                    let pairs = std::iter::repeat_with(|| model.pair(rng));
                    test.first_crossing(pairs.take(100_000)).decision == wrong
                });
                assert!(errors.contains(&share), "{text}, {coupling:?}, {wrong}: {share}");
            }
        }
    }
}
