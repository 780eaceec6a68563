use super::*;
use crate::testing::{Coupling, Model, assorted, share};

fn is_near(value: f64, expected: f64, tolerance: f64) -> bool {
    (value - expected).abs() <= tolerance
}

#[test]
fn a_pair_counts_the_points_of_both_games() {
    use GameResult::{Draw, Loss, Win};
    let games = [(Loss, Loss), (Loss, Draw), (Draw, Draw), (Win, Loss), (Draw, Win), (Win, Win)];
    let points = games.map(|(first, second)| {
        assert_eq!(PairScore::of([first, second]), PairScore::of([second, first]));
        PairScore::of([first, second]).points()
    });
    assert_eq!(points, [0.0, 0.25, 0.5, 0.5, 0.75, 1.0]);
}

#[test]
fn counting_pairs() {
    let pairs = [PairScore::Ww, PairScore::Ld, PairScore::Ww, PairScore::DdWl];
    let counted = Pentanomial::from_iter(pairs);
    assert_eq!(counted.counts(), [0, 1, 1, 0, 2]);
    assert_eq!(counted.pairs(), 4);
    assert_eq!(counted.score(), Some((0.25 + 0.5 + 2.0) / 4.0));
    let mut sum = counted;
    sum += counted.swapped();
    assert_eq!(sum.counts(), [2, 1, 2, 1, 2]);
    for pair in PairScore::ALL {
        assert_eq!(Pentanomial::from_iter([pair]).score(), Some(pair.points()));
    }
}

/// The expected mean and variance for these counts are from fishtest's raw statistics page
/// (montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712).
#[test]
fn moments_agree_with_fishtest() {
    let pairs = Pentanomial::of_counts([13, 37, 50, 25, 3]);
    let weights = pairs.with_prior(0.0);
    assert!(is_near(weights.squares_about(weights.mean()) / 128.0, 0.05762, 5e-6));
    assert_eq!(pairs.score(), Some(0.4375));
    assert!(is_near(elo_of_score(0.4375), -43.6578, 5e-5));
}

/// The expected values are from the tests of fastchess (app/tests/elo_test.cpp, "EloPentanomial" 1 and 2), which
/// assumes a normal distribution without a prior.
#[test]
fn estimates_agree_with_fastchess() {
    let cases = [
        ([34, 54, 63, 64, 75], 55.58, 27.65, 1.0),
        ([332, 433, 498, 333, 334], -8.64, 10.33, 0.0505),
    ];
    for (counts, elo, error, los) in cases {
        let estimate = Pentanomial::of_counts(counts).estimate();
        assert!(is_near(estimate.elo, elo, 0.25), "{estimate:?}");
        assert!(is_near((estimate.elo_ci95.1 - estimate.elo_ci95.0) / 2.0, error, 0.15));
        assert!(is_near(estimate.los, los, 5e-4), "{estimate:?}");
    }
}

#[test]
fn the_prior_is_one_pair_spread_evenly_so_that_all_figures_are_sensible() {
    let nothing = Pentanomial::default().estimate();
    assert_eq!((nothing.score, nothing.elo, nothing.los), (0.5, 0.0, 0.5));
    assert!(nothing.score_ci95.0 < 0.05 && nothing.score_ci95.1 > 0.95);
    // With the prior, the mean is (1 + ½) / 2 = ¾.
    let one_win = Pentanomial::of_counts([0, 0, 0, 0, 1]).estimate();
    assert!(is_near(one_win.elo, 190.85, 0.01));
    assert!(0.8 < one_win.los && one_win.los < 0.9);
    let thirty_wins = Pentanomial::of_counts([0, 0, 0, 0, 30]).estimate();
    assert_eq!((thirty_wins.score, thirty_wins.score_ci95.1), (1.0, 1.0));
    assert!(is_near(thirty_wins.elo, 400.0 * (30.5_f64 / 0.5).log10(), 1e-9));
    // Even after thirty wins out of thirty, a tenth of all pairs may be losses (3 / 30, by the "rule of three").
    assert!((0.85..0.95).contains(&thirty_wins.score_ci95.0), "{thirty_wins:?}");
    let thirty_draws = Pentanomial::of_counts([0, 0, 30, 0, 0]).estimate();
    assert_eq!((thirty_draws.score, thirty_draws.elo, thirty_draws.los), (0.5, 0.0, 0.5));
    assert!((5.0..50.0).contains(&thirty_draws.elo_ci95.1), "{thirty_draws:?}");
    let lower = |wins| Pentanomial::of_counts([0, 0, 0, 0, wins]).estimate().elo_ci95.0;
    assert!((0..200).map(lower).is_sorted_by(|a, b| a < b));
}

#[test]
fn estimates_are_finite_and_mirrored_for_the_other_player() {
    for pairs in assorted() {
        let (one, other) = (pairs.estimate(), pairs.swapped().estimate());
        let Estimate { score, score_ci95, elo, elo_ci95, los } = one;
        assert!(0.0 <= score_ci95.0 && score_ci95.0 <= score, "{pairs:?}");
        assert!(score <= score_ci95.1 && score_ci95.1 <= 1.0, "{pairs:?}");
        assert!(elo_ci95.0 < elo && elo < elo_ci95.1, "{pairs:?}");
        assert!(elo_ci95.0.is_finite() && elo_ci95.1.is_finite(), "{pairs:?}");
        assert!((0.0..=1.0).contains(&los), "{pairs:?}");
        let tolerance = 1e-6 * (1.0 + one.elo_ci95.0.abs() + one.elo_ci95.1.abs());
        assert!(is_near(one.score, 1.0 - other.score, 1e-12), "{pairs:?}");
        assert!(is_near(one.score_ci95.0, 1.0 - other.score_ci95.1, 1e-12), "{pairs:?}");
        assert!(is_near(one.elo, -other.elo, tolerance), "{pairs:?}");
        assert!(is_near(one.elo_ci95.0, -other.elo_ci95.1, tolerance), "{pairs:?}");
        assert!(is_near(one.los, 1.0 - other.los, 1e-7), "{pairs:?}");
    }
}

/// Of 1000 intervals, we expect 95 % to cover the true score, with a standard deviation of 0.7 %. We allow four
/// standard deviations, i.e. 2.8 %. For 30 pairs, the coverage may be higher, as there are few possible results.
#[test]
fn intervals_cover_the_truth_as_often_as_they_claim() {
    for (pairs, matches, most, couplings, mean) in [
        (30, 1000, 0.985, &Coupling::ALL[..], 0.94..0.965),
        (200, 1000, 0.978, &Coupling::ALL, 0.94..0.965),
        // Long matches are slow to simulate, so we only simulate 2000. The standard error of the mean is 0.005.
        (1014, 500, 0.985, &[Coupling::Alike], 0.93..0.97),
    ] {
        let mut sum = 0.0;
        for (score, draws) in [(0.5, 0.1), (0.75, 0.3), (0.9, 0.05), (0.04, 0.02)] {
            for &coupling in couplings {
                let model = Model { score, draws, coupling };
                let share = share(matches, |rng| {
                    let Estimate { score_ci95: (low, high), los, .. } =
                        model.pairs(pairs, rng).estimate();
                    assert_eq!(los > 0.975, low > 0.5, "{low} {los}");
                    (low..=high).contains(&score)
                });
                let is_near = (0.922..most).contains(&share);
                assert!(is_near, "{pairs} at {score}, {coupling:?}: {share}");
                sum += share / (4 * couplings.len()) as f64;
            }
        }
        assert!(mean.contains(&sum), "{pairs} pairs: {sum}");
    }
}
