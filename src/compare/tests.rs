use arena::player::PANEL_SIZE;
use mancala::eval::Strength;
use mancala::game::AnyGame;

use super::file::comparison_rows;
use super::*;

fn terms(budget: &str) -> ComparisonTerms {
    ComparisonTerms {
        game: AnyGame::default(),
        budget: budget.parse().unwrap(),
        depth: 1,
        openings: 2,
    }
}

fn trial(contestant: &str, budget: &str) -> Trial {
    let within = |share: f64, _: Option<_>| assert!((0.0..=1.0).contains(&share), "{share}");
    compete(&contestant.parse().unwrap(), 3, &terms(budget), &(), &within).unwrap().unwrap()
}

const GENETIC: &str = "daoud2004:population=8,fitness_set=2,depth=1";
const SPSA: &str = "spsa:population=4,openings=1,depth=1";

#[test]
fn a_trial_spends_no_more_than_its_budget_and_all_that_fits() {
    let spsa = trial(SPSA, "games=200");
    let cost: Vec<u64> = spsa.points.iter().map(|point| point.cost.games).collect();
    // Each step plays eight games.
    assert_eq!(cost, [8, 24, 48, 96, 200]);
    let numbers: Vec<u32> = spsa.points.iter().map(|point| point.number).collect();
    assert_eq!(numbers, [4, 5, 6, 7, 8]);
    let genetic = trial(GENETIC, "games=100");
    let last = genetic.points.last().unwrap();
    assert!((68..=100).contains(&last.cost.games), "{last:?}");
    assert!(last.strength.len() == PANEL_SIZE && !last.weights.is_empty());
    assert_eq!(trial(SPSA, "nodes=20000").points.last().unwrap().number, POINTS);
}

/// Converts rows to the format of version 0.1, which has no checksums.
fn rows_of_0_1(text: &str) -> String {
    text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect()
}

#[test]
fn rows_read_back_up_to_the_first_damage() {
    let terms = terms("games=40");
    let trials = [trial(SPSA, "games=40"), trial(GENETIC, "games=40")];
    let mut text = COMPARISON_HEADER.to_owned();
    let mut ends = vec![text.len()];
    for trial in &trials {
        text += &comparison_rows(trial, &terms, COMPARISON_HEADER);
        ends.push(text.len());
    }
    let Searched { trials: read, good, .. } = read_comparison(&text).unwrap();
    assert_eq!(good, text.len());
    for ((row, read), trial) in read.iter().zip(&trials) {
        assert_eq!((&row.contestant, &row.budget[..]), (&trial.contestant, "games=40"));
        for (read, point) in read.points.iter().zip(&trial.points) {
            assert_eq!((&read.strength, &read.weights), (&point.strength, &point.weights));
            assert_eq!((read.cost.games, read.number), (point.cost.games, point.number));
        }
    }
    let near = ends.iter().flat_map(|end| end - 1..(end + 2).min(text.len())).skip(1);
    for length in (ends[0]..text.len()).step_by(5).chain(near) {
        let Searched { trials: read, good, .. } = read_comparison(&text[..length]).unwrap();
        let whole = ends.iter().filter(|end| **end <= length).count() - 1;
        assert_eq!((read.len(), good), (whole, ends[whole]), "{length}");
    }
    let damaged = text.replacen("depth=7", "depth=8", 2).replacen("depth=8", "depth=7", 1);
    let of_0_1 = rows_of_0_1(&text);
    assert_eq!(read_comparison(&of_0_1).unwrap().trials.len(), 2);
    // Give the second row of a measurement a different number of nodes than the first row.
    let mut lines: Vec<String> = of_0_1.split_inclusive('\n').map(str::to_owned).collect();
    lines[2] = lines[2].replacen(&format!(",{},", trials[0].points[0].cost.nodes), ",1,", 1);
    for (text, place) in [
        (&rows_of_0_1(&damaged), "line 6: opponent cannot be "),
        (&damaged, "line 6: "),
        (&lines.concat(), "line 3: cost cannot be "),
    ] {
        let error = read_comparison(text).unwrap_err().to_string();
        assert!(error.starts_with(place), "{error}");
    }
    assert_eq!(read_comparison("feature,weight,sign\n").unwrap_err(), ComparisonError::Other);
}

#[test]
fn means_over_seeds() {
    assert_eq!(Mean::of(&[0.5]), Mean { mean: 0.5, margin: None });
    let two = Mean::of(&[0.4, 0.6]);
    // The standard error s / √2 is 0.1.
    assert!((two.mean - 0.5).abs() < 1e-12 && (two.margin.unwrap() - 1.2706).abs() < 1e-9);
    let many: Vec<f64> = (0..41).map(|it| f64::from(it % 2)).collect();
    let deviation = Mean::of(&many).margin.unwrap() / 2.021;
    assert!((deviation - 0.0790).abs() < 2e-4, "{deviation}");
}

fn scored(contestant: &str, seed: u64, score: f64) -> Trial {
    let against = |_| Strength::new("greedy", "start", 2, score, (score, score));
    let point = Point {
        number: POINTS,
        cost: Cost::default(),
        weights: String::new(),
        strength: (0..PANEL_SIZE).map(against).collect(),
    };
    let (contestant, settings) = (contestant.to_owned(), String::new());
    Trial { contestant, seed, settings, points: vec![point] }
}

#[test]
fn differences_are_taken_seed_by_seed() {
    // Scores differ far more between seeds than between contestants.
    let of_a = [(1, 0.2), (2, 0.5), (3, 0.8), (9, 0.9)].map(|(seed, it)| scored("a", seed, it));
    let of_b = [(3, 0.7), (1, 0.1), (2, 0.4), (7, 0.0)].map(|(seed, it)| scored("b", seed, it));
    let alone = scored("c", 8, 0.1);
    let trials = [&of_b[..], &of_a[..], &[alone]].concat();
    let differences =
        |trials: &[Trial]| Comparison::new(&terms("games=1"), trials, false).differences;
    let found = differences(&trials);
    let [Difference { a, b, seeds, difference, difference_ci95 }] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!((a.as_str(), b.as_str(), *seeds), ("a", "b", 3));
    let (low, high) = difference_ci95.unwrap();
    assert!((difference - 0.1).abs() < 1e-9 && high - low < 1e-9, "{found:?}");
    let best = &contestants(&trials)[0];
    assert!(best.panel.score_ci95.is_some_and(|(low, high)| high - low > 0.5));
    // The interval is clamped to the range of scores.
    assert_eq!(Mean { mean: 0.9, margin: Some(0.3) }.interval(0.0..=1.0).unwrap().1, 1.0);
    let single = differences(&[scored("a", 1, 0.5), scored("b", 1, 0.4)]);
    assert_eq!(single[0].difference_ci95, None);
}
