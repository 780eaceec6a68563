use super::*;
use crate::testing::{Coupling, Model, rng};
use crate::{elo_of_score, score_of_elo};

fn pairs(ll: u64, dd_wl: u64, ww: u64) -> Pentanomial {
    Pentanomial { ll, dd_wl, ww, ..Pentanomial::default() }
}

fn table(players: usize, results: &[(usize, usize, Pentanomial)]) -> Crosstable {
    let mut table = Crosstable::new(players);
    results.iter().for_each(|&(a, b, pairs)| table.add_all(a, b, pairs));
    table
}

fn fit(players: usize, results: &[(usize, usize, Pentanomial)]) -> Ratings {
    Ratings::fit(&table(players, results)).unwrap()
}

fn elo(ratings: &Ratings) -> Vec<f64> {
    (0..ratings.elo.len()).map(|player| ratings.of(player, None).elo).collect()
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance;
    let all = found.len() == expected.len() && found.iter().zip(expected).all(near);
    assert!(all, "{found:?} instead of {expected:?}");
}

#[test]
fn a_crosstable_shows_both_views_of_a_pair() {
    let result = Pentanomial { ll: 1, ld: 2, dd_wl: 3, wd: 4, ww: 5 };
    let table = table(3, &[(0, 1, result), (1, 0, pairs(0, 0, 1)), (1, 2, pairs(1, 0, 0))]);
    assert_eq!(table.between(0, 1).counts(), [2, 2, 3, 4, 5]);
    assert_eq!(table.between(1, 0).counts(), [5, 4, 3, 2, 2]);
    assert_eq!(table.of_player(1).counts(), [6, 4, 3, 2, 2]);
    assert_eq!(table.opponents(1).collect::<Vec<_>>(), [0, 2]);
}

#[test]
fn circles_are_found_once_and_the_most_certain_comes_first() {
    let table = table(
        4,
        &[
            (0, 2, pairs(10, 20, 40)),
            (2, 1, pairs(10, 20, 30)),
            (1, 0, pairs(10, 20, 20)),
            (3, 0, pairs(10, 20, 11)),
            (2, 3, pairs(10, 20, 40)),
            // Player 3 beat player 1 and lost to player 2, so the only other cycle is 0 → 2 → 3 → 0.
            (3, 1, pairs(10, 20, 40)),
        ],
    );
    let triples = table.non_transitive_triples();
    let players: Vec<_> = triples.iter().map(|triple| triple.players).collect();
    assert_eq!(players, [[0, 2, 1], [0, 2, 3]]);
    assert_eq!(triples[0].scores, [50.0 / 70.0, 40.0 / 60.0, 30.0 / 50.0]);
    assert_eq!(triples[0].least_los, pairs(10, 20, 20).estimate().los);
    assert_eq!(triples[1].least_los, pairs(10, 20, 11).estimate().los);
    let wins = pairs(0, 0, 5);
    let even_step = [(0, 1, wins), (1, 2, wins), (2, 0, pairs(1, 3, 1))];
    assert!(self::table(3, &even_step).non_transitive_triples().is_empty());
}

/// Tests the example in section 10.6 of A. Agresti, *Categorical Data Analysis*, 2nd edition (2002): the American
/// League's Eastern Division of 1987. The estimates are from table 10.11, and standard errors should be "about 0.3". We
/// count each game as a pair of games, and multiply the table by a thousand to make the prior negligible.
#[test]
fn the_baseball_example_of_agresti() {
    // Rows list wins over columns: Baltimore, Boston, Cleveland, Detroit, Milwaukee, New York and Toronto.
    const WINS: [[u64; 7]; 7] = [
        [0, 1, 7, 4, 2, 3, 1],
        [12, 0, 7, 2, 6, 7, 6],
        [6, 6, 0, 4, 4, 6, 5],
        [9, 11, 9, 0, 6, 5, 7],
        [11, 7, 9, 7, 0, 7, 9],
        [10, 6, 7, 8, 6, 0, 6],
        [12, 7, 8, 6, 4, 7, 0],
    ];
    let ratings = |copies: u64| {
        let mut table = Crosstable::new(7);
        for (a, row) in WINS.iter().enumerate() {
            for (b, wins) in row.iter().enumerate().filter(|(b, _)| *b != a) {
                table.add_all(a, b, pairs(0, 0, copies * wins));
            }
        }
        Ratings::fit(&table).unwrap()
    };
    let logits = |ratings: &Ratings| -> Vec<f64> {
        (1..7).map(|p| ratings.of(p, Some(0)).elo / ELO_PER_LOGIT).collect()
    };
    assert_near(&logits(&ratings(1000)), &[1.11, 0.68, 1.44, 1.58, 1.25, 1.29], 0.006);
    let once = ratings(1);
    for player in 1..7 {
        let Rating { elo_ci95: (low, high), .. } = once.of(player, Some(0));
        let error = (high - low) / 2.0 / QUANTILE_975 / ELO_PER_LOGIT;
        assert!((0.25..0.35).contains(&error), "{error}");
    }
}

/// In a long match, the confidence intervals of the sandwich estimator and the pentanomial likelihood must agree.
#[test]
fn two_players_have_the_estimate_of_their_match() {
    for result in [pairs(3, 2, 9), pairs(0, 0, 40), pairs(0, 7, 0), pairs(1, 0, 0)] {
        let ratings = fit(2, &[(0, 1, result)]);
        let difference = ratings.of(0, Some(1)).elo;
        assert_near(&[difference], &[result.estimate().elo], 1e-6);
        assert_near(&elo(&ratings), &[difference / 2.0, -difference / 2.0], 1e-6);
    }
    let result = Pentanomial { ll: 300, ld: 200, dd_wl: 700, wd: 250, ww: 500 };
    let (ratings, estimate) = (fit(2, &[(0, 1, result)]), result.estimate());
    let (low, high) = ratings.of(0, Some(1)).elo_ci95;
    assert_near(&[low, high], &[estimate.elo_ci95.0, estimate.elo_ci95.1], 0.05);
    assert_near(&[ratings.los(0, 1)], &[estimate.los], 1e-4);
}

#[test]
fn differences_add_up_along_a_chain_and_cancel_in_a_circle() {
    let ratings = fit(3, &[(0, 1, pairs(25_000, 0, 75_000)), (1, 2, pairs(0, 50_000, 50_000))]);
    let step = elo_of_score(0.75);
    assert_near(&elo(&ratings), &[step, 0.0, -step], 0.01);
    let wins = pairs(10, 0, 30);
    let ratings = fit(3, &[(0, 1, wins), (1, 2, wins), (2, 0, wins)]);
    assert_near(&elo(&ratings), &[0.0; 3], 1e-9);
    assert_near(&[ratings.los(0, 1)], &[0.5], 1e-9);
}

#[test]
fn numbering_does_not_matter_and_reversed_results_reverse_the_ratings() {
    let results = [[3, 5, 20, 6, 9], [1, 0, 4, 8, 30], [0, 0, 0, 1, 9], [9, 9, 9, 9, 9]];
    let [a, b, c, d] = results.map(Pentanomial::of_counts);
    let table = table(4, &[(0, 1, a), (0, 2, b), (3, 2, c), (1, 3, d)]);
    let order = [2, 0, 3, 1];
    let mut reversed = Crosstable::new(4);
    for a in 0..4 {
        (0..a).for_each(|b| reversed.add_all(order[b], order[a], table.between(a, b)));
    }
    let [one, other] = [&table, &reversed].map(|table| Ratings::fit(table).unwrap());
    for a in 0..4 {
        let is_mirrored = |rating: Rating, mirrored: Rating| {
            let expected = [-mirrored.elo, -mirrored.elo_ci95.1];
            assert_near(&[rating.elo, rating.elo_ci95.0], &expected, 1e-6);
        };
        is_mirrored(one.of(a, None), other.of(order[a], None));
        for b in 0..4 {
            let rating = one.of(a, Some(b));
            is_mirrored(rating, other.of(order[a], Some(order[b])));
            assert_near(&[rating.elo], &[elo(&one)[a] - elo(&one)[b]], 1e-9);
            assert_near(&[one.los(a, b)], &[1.0 - other.los(order[a], order[b])], 1e-9);
            assert_near(&[one.los(a, b) + one.los(b, a)], &[1.0], 1e-12);
        }
    }
    assert_near(&[elo(&one).iter().sum()], &[0.0], 1e-9);
    let reference = one.of(2, Some(2));
    assert_eq!((reference.elo, reference.elo_ci95), (0.0, (0.0, 0.0)));
}

/// Each player in a chain wins all games against the next player, in one pair of games or in a million pairs.
#[test]
fn ratings_stay_finite() {
    for count in [1, 1_000_000] {
        let chain: Vec<_> = (1..8).map(|player| (player - 1, player, pairs(0, 0, count))).collect();
        let ratings = fit(8, &chain);
        assert!(elo(&ratings).is_sorted_by(|a, b| *a > b + 50.0), "{ratings:?}");
        for player in 0..8 {
            let Rating { elo, elo_ci95: (low, high) } = ratings.of(player, None);
            assert!(low.is_finite() && low < elo && elo < high && high.is_finite());
        }
    }
    let many = pairs(0, 0, 1_000_000);
    let ratings =
        fit(4, &[(0, 1, many), (2, 0, pairs(0, 0, 1)), (3, 2, many), (1, 3, pairs(0, 1, 0))]);
    assert!(elo(&ratings).iter().all(|elo| elo.is_finite()));
    // The prior adds half a pair between any two opponents. At the maximum of the likelihood, player 0's expected score
    // equals the actual score, which is a million pairs plus a quarter of a pair against each opponent.
    let expected = |opponent| score_of_elo(ratings.of(0, Some(opponent)).elo);
    let points = 1_000_000.5 * expected(1) + 1.5 * expected(2);
    assert_near(&[points], &[1_000_000.5], 1e-3);
}

#[test]
fn unconnected_players_have_no_ratings() {
    let wins = pairs(0, 0, 1);
    let apart = [(0, 4, wins), (5, 4, wins), (2, 1, wins), (3, 1, wins)];
    assert_eq!(Ratings::fit(&table(6, &apart)), None);
    assert!(Ratings::fit(&table(6, &[&apart[..], &[(3, 5, wins)]].concat())).is_some());
    assert_eq!(fit(1, &[]).of(0, None), Rating { elo: 0.0, elo_ci95: (0.0, 0.0) });
    assert!(Ratings::fit(&table(0, &[])).is_some());
}

/// Simulates tournaments, and returns the fraction of 95 % confidence intervals that contain the true rating. The first
/// fraction is for ratings relative to the mean, and the second one is for ratings relative to player 0.
fn coverage(truth: &[f64], met: &[(usize, usize)], pairs: u64, coupling: Coupling) -> [f64; 2] {
    let runs = 400;
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let mut covered = [0, 0];
    for run in 0..runs {
        let mut rng = rng(run);
        let mut table = Crosstable::new(truth.len());
        for &(a, b) in met {
            let score = score_of_elo(truth[a] - truth[b]);
            table.add_all(a, b, Model { score, draws: 0.1, coupling }.pairs(pairs, &mut rng));
        }
        let ratings = Ratings::fit(&table).unwrap();
        for player in 1..truth.len() {
            let references = [(None, mean), (Some(0), truth[0])];
            for ((reference, zero), covered) in references.into_iter().zip(&mut covered) {
                let (low, high) = ratings.of(player, reference).elo_ci95;
                *covered += u32::from((low..=high).contains(&(truth[player] - zero)));
            }
        }
    }
    covered.map(|count| f64::from(count) / (runs * (truth.len() as u64 - 1)) as f64)
}

/// We expect 95 % of 1600 intervals, i.e. 1520, to cover the truth. The standard deviation is 8.7 for independent
/// intervals, and 17 if the intervals of each tournament agree. We allow three times the latter, i.e. 0.033.
#[test]
fn intervals_cover_the_truth_as_often_as_they_claim() {
    let truth = [150.0, 60.0, 0.0, -40.0, -250.0];
    let everyone: Vec<_> = (0..5).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let gauntlet: Vec<_> = (1..5).map(|b| (0, b)).collect();
    for (met, pairs) in [(&everyone, 15), (&everyone, 100), (&gauntlet, 30), (&gauntlet, 200)] {
        for coupling in Coupling::ALL {
            let shares = coverage(&truth, met, pairs, coupling);
            for share in shares {
                assert!((0.917..0.983).contains(&share), "{met:?} {pairs} {coupling:?}: {share}");
            }
        }
    }
}
