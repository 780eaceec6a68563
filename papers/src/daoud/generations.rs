//! How much strength a hundred generations of the algorithm of Daoud et al. add.

use mancala::game::ayo::Rules;
use mancala::progress::{Progress, Silent};

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::pairing::Pairing;
use crate::partial::StudyError;
use crate::trained::{best_after, settings, write_weights};

/// RNG seeds of the training runs.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;

/// Generations whose best weights are tested.
const GENERATIONS: [u32; 2] = [1, 100];

/// The opponent, which searches two plies deeper than the trained players.
const OPPONENT: &str = "minimax:weights=seeds,depth=7";

/// Games per match.
const GAMES: usize = 2028;

/// Settings stated in the paper.
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

/// Returns the scores that a run reaches at both generations.
fn scores_of(
    notebook: &mut Notebook,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Option<[f64; 2]>, StudyError> {
    let names = GENERATIONS.map(|it| format!("seed {seed}, generation {it}"));
    let rules = Rules::WIPE_OUT;
    let opponent = OPPONENT.to_owned();
    let known = |notebook: &Notebook, name: &String| {
        notebook.known(&[name.clone(), opponent.clone()], &rules.to_string(), GAMES)
    };
    let is_known = names.iter().all(|name| known(notebook, name).is_some());
    if !is_known {
        let run = settings("daoud2004", &[("seed", &seed.to_string())]);
        let Some(found) = best_after(run, None, &GENERATIONS, &Silent(progress)) else {
            return Ok(None);
        };
        for (name, weights) in names.iter().zip(&found) {
            let file = name.replace(", ", "-").replace(' ', "");
            let path = write_weights(notebook, &file, weights)?;
            let player = format!("minimax:weights={},depth=5", path.display());
            let pairing = Pairing::new("", [&player, OPPONENT], GAMES).under(rules);
            let played = notebook.play_as([name, OPPONENT], &pairing, &Silent(progress))?;
            if played.is_none() {
                return Ok(None);
            }
        }
    }
    let score = |name: &String| known(notebook, name).map_or(0.0, |it| it.score);
    Ok(Some([score(&names[0]), score(&names[1])]))
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
    let gain = gains.iter().sum::<f64>() / gains.len() as f64;
    let spread = gains.iter().map(|it| (it - gain).powi(2)).sum::<f64>() / (gains.len() - 1) as f64;
    let error = (spread / gains.len() as f64).sqrt();
    let worse = gains.iter().filter(|it| **it < 0.0).count();
    let ours = format!(
        "score {:.3} ({}) after generation 1, {:.3} ({}) after 100: {gain:+.3} ± {:.3}; worse for {worse} of {} seeds",
        mean(0),
        range(0),
        mean(1),
        range(1),
        // 97.5 % quantile of Student's t with nine degrees of freedom.
        2.262 * error,
        gains.len()
    );
    Finding::new("daoud/generations", Verdict::Open, ours).with_note(
        "the paper prints no figure for the first generation; 2,028 games per champion against seeds alone at depth 7",
    )
}
