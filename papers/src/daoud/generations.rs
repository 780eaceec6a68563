//! Measures how much strength a hundred generations of the algorithm of Daoud et al. add.

use mancala::game::ayo::Rules;
use mancala::progress::{Progress, Silent};

use super::{SEEDS, mean_and_error};
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::pairing::Pairing;
use crate::partial::StudyError;
use crate::trained::{settings, trained};

/// The generations whose best weights we test.
const GENERATIONS: [u32; 2] = [1, 100];

/// The opponent, which searches two plies deeper than the trained players.
const OPPONENT: &str = "minimax:weights=seeds,depth=7";

/// The number of games per match.
const GAMES: usize = 2028;

/// The settings that are stated in the paper.
const PRINTED: [(&str, &str); 8] = [
    ("population", "50"),
    ("fitness_set", "20%"),
    ("elite", "10%"),
    ("crossover_rate", "0.5"),
    ("mutation_rate", "0.001"),
    ("generations", "100"),
    ("encoding", "binary:4"),
    ("rules", "wipe-out"),
];

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let (mut table, of) = (Vec::new(), SEEDS.count() as u64);
    for seed in SEEDS {
        let Some(scores) = scores_of(notebook, seed, progress)? else { return Ok(None) };
        progress.advance(seed, of);
        table.push(scores);
    }
    Ok(Some(vec![parameters(), generations(&table)]))
}

/// Returns the scores of a run's best weights in both generations.
fn scores_of(
    notebook: &mut Notebook,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Option<[f64; 2]>, StudyError> {
    let silent = Silent(progress);
    let mut scores = [0.0; 2];
    for (generation, score) in GENERATIONS.into_iter().zip(&mut scores) {
        let [of_seed, last] = [seed, generation.into()].map(|number: u64| number.to_string());
        let run = settings("daoud2004", &[("seed", &of_seed), ("generations", &last)]);
        let file = format!("seed{seed}-generation{generation}");
        let Some(path) = trained(notebook, &file, run, None, &silent)? else { return Ok(None) };
        let player = format!("minimax:weights={},depth=5", path.display());
        let pairing = Pairing::new("", [&player, OPPONENT], GAMES).under(Rules::WIPE_OUT);
        let name = format!("seed {seed}, generation {generation}");
        let Some(played) = notebook.play_as([&name, OPPONENT], &pairing, &silent)? else {
            return Ok(None);
        };
        *score = played.score;
    }
    Ok(Some(scores))
}

fn parameters() -> Finding {
    let entries = settings("daoud2004", &[]).entries();
    let value = |name: &str| entries.iter().find(|it| it.name == name).map(|it| it.value.as_str());
    let other: Vec<&str> = PRINTED
        .iter()
        .filter(|(name, printed)| value(name).map(|it| it.trim_matches('"')) != Some(printed))
        .map(|(name, _)| *name)
        .collect();
    let ours = if other.is_empty() {
        "the same".into()
    } else {
        format!("differs in {}", other.join(", "))
    };
    Finding::new("daoud/parameters", Verdict::exact_if(other.is_empty()), ours)
        .with_note("docs/genetic-algorithm.md lists the choices that the paper leaves open")
}

fn generations(table: &[[f64; 2]]) -> Finding {
    let mean = |at: usize| table.iter().map(|row| row[at]).sum::<f64>() / table.len() as f64;
    let range = |at: usize| {
        let all = table.iter().map(move |row| row[at]);
        let low = all.clone().fold(f64::INFINITY, f64::min);
        format!("{low:.3} to {:.3}", all.fold(0.0, f64::max))
    };
    let gains: Vec<f64> = table.iter().map(|row| row[1] - row[0]).collect();
    let (gain, error) = mean_and_error(&gains);
    let worse = gains.iter().filter(|it| **it < 0.0).count();
    let ours = format!(
        "score {:.3} ({}) after generation 1, {:.3} ({}) after 100: {gain:+.3} ± {error:.3}; worse for {worse} of {} seeds",
        mean(0),
        range(0),
        mean(1),
        range(1),
        gains.len()
    );
    Finding::new("daoud/generations", Verdict::Open, ours).with_note(
        "the paper prints no figure for the first generation; 2,028 games per champion against seeds alone at depth 7",
    )
}
