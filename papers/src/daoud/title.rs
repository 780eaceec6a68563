//! The claim in the title of Daoud et al.: better representation trumps deeper search.
//!
//! We train twelve features at depth 5 and six features at depth 7 with the same algorithm, ten times each, under the
//! rules of the paper. Then runs with the same RNG seed play against each other.

use mancala::game::ayo::Rules;
use mancala::progress::{Progress, Silent};

use super::{QUESTION_GAMES, SEEDS, mean_and_error, twelve};
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::pairing::Pairing;
use crate::trained::{settings, trained};

/// The search depths of the player with six features.
const DEPTHS: [u32; 2] = [7, 5];

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let (silent, of) = (Silent(progress), SEEDS.count() as u64);
    let mut scores: [Vec<f64>; 2] = Default::default();
    for seed in SEEDS {
        let Some(path) = twelve(notebook, seed, &silent)? else { return Ok(None) };
        let number = seed.to_string();
        let changes = [("seed", &*number), ("features", "davis-kendall"), ("depth", "7")];
        let (file, settings) = (format!("six-seed{seed}"), settings("daoud2004", &changes));
        let Some(six) = trained(notebook, &file, settings, None, &silent)? else {
            return Ok(None);
        };
        for (depth, scores) in DEPTHS.into_iter().zip(&mut scores) {
            let players = [(path.display(), 5), (six.display(), depth)]
                .map(|(path, depth)| format!("minimax:weights={path},depth={depth}"));
            let names = [("twelve", 5), ("six", depth)].map(|(features, depth)| {
                format!("{features} features, seed {seed}, depth {depth}")
            });
            let [players, names] = [&players, &names].map(|[a, b]| [&**a, &**b]);
            let pairing = Pairing::new("", players, QUESTION_GAMES).under(Rules::WIPE_OUT);
            let Some(played) = notebook.play_as(names, &pairing, &silent)? else {
                return Ok(None);
            };
            scores.push(played.score);
        }
        progress.advance(seed, of);
    }
    let note = format!(
        "ten runs each of the paper's algorithm, {QUESTION_GAMES} games per pair; mean, 95 % interval and range"
    );
    let [deeper, equal] = scores;
    let (mean, error) = mean_and_error(&deeper);
    let verdict = Verdict::above([mean - error, mean + error], 0.5);
    let [all, at_5] = [deeper, equal].map(|it| text(&it));
    let ours = format!("twelve features score {all} against six, {at_5} at equal depth");
    Ok(Some(vec![Finding::new("daoud/head-to-head", verdict, ours).with_note(note)]))
}

fn text(scores: &[f64]) -> String {
    let (mean, error) = mean_and_error(scores);
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let most = scores.iter().copied().fold(0.0, f64::max);
    format!("{mean:.3} ± {error:.3} ({least:.3} to {most:.3})")
}
