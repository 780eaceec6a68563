//! Four players that replace the levels of the shareware *Awale*, which was the opponent in three papers. The original
//! is not available.
//!
//! We selected these players so that Davis and Kendall's player (CEC 2002) scores against them as it did against Awale.
//! It is the only player with printed scores against Awale that is described well enough for us to evolve its six
//! features again. We use the four players to test all other claims about Awale.

use mancala::game::ayo::Rules;
use mancala::progress::{Progress, Silent};

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::pairing::Pairing;
use crate::partial::StudyError;
use crate::trained::{settings, trained};

/// A player that replaces a level of Awale.
pub struct Rung {
    /// The name of the level.
    pub name: &'static str,
    pub spec: &'static str,
    /// The score that Davis and Kendall's player should reach against this player.
    target: f64,
}

/// The rungs of the ladder, starting with the weakest. Davis and Kendall's results were 5–0, 5–0, 3–2 and 0–5. For 3–2,
/// the target is the score itself. Five wins (or losses) only give us a bound on the score, so the target is the score
/// at which that has probability one half. For the weakest level, we use all ten wins against the two lower levels.
pub const LADDER: [Rung; 4] = [
    Rung { name: "initiation", spec: "minimax:weights=seeds,depth=4", target: 0.933 },
    Rung { name: "beginner", spec: "minimax:weights=seeds,depth=6", target: 0.871 },
    Rung { name: "amateur", spec: "minimax:weights=aalina4,depth=5", target: 0.6 },
    Rung {
        name: "grandmaster",
        spec: "minimax:weights=reference,ties=lowest,depth=5",
        target: 0.129,
    },
];

/// The candidates for the rungs: weights, and the smallest and largest depth to try with them.
const CANDIDATES: [(&str, u32, u32); 3] =
    [("seeds", 3, 9), ("aalina4", 4, 7), ("reference,ties=lowest", 4, 6)];

/// The number of games per candidate and training run.
pub const GAMES: usize = 400;

/// The RNG seeds of the training runs.
pub const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// Evolves the player of Davis and Kendall under the rules of Daoud et al., once per RNG seed. Returns the names and
/// specifications of the players, or `None` if interrupted.
pub fn davis_kendall(
    notebook: &Notebook,
    progress: &dyn Progress,
) -> Result<Option<Vec<[String; 2]>>, StudyError> {
    let mut players = Vec::new();
    for seed in SEEDS {
        let changes = [("seed", &*seed.to_string()), ("rules", "wipe-out")];
        let settings = settings("davis-kendall2002", &changes);
        let file = format!("davis-kendall-{seed}");
        let Some(path) = trained(notebook, &file, settings, None, progress)? else {
            return Ok(None);
        };
        let spec = format!("minimax:weights={},depth=7", path.display());
        players.push([format!("six features, seed {seed}, depth 7"), spec]);
    }
    Ok(Some(players))
}

/// Returns the scores of players against an opponent, or `None` if interrupted.
pub fn scores(
    notebook: &mut Notebook,
    players: &[[String; 2]],
    [name, spec]: [&str; 2],
    progress: &dyn Progress,
) -> Result<Option<Vec<f64>>, StudyError> {
    let mut scores = Vec::new();
    for [player, of_player] in players {
        let pairing = Pairing::new("", [of_player, spec], GAMES).under(Rules::WIPE_OUT);
        let Some(played) = notebook.play_as([player, name], &pairing, progress)? else {
            return Ok(None);
        };
        scores.push(played.score);
    }
    Ok(Some(scores))
}

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let silent = Silent(progress);
    let Some(players) = davis_kendall(notebook, &silent)? else { return Ok(None) };
    let specs = CANDIDATES.into_iter().flat_map(|(weights, least, most)| {
        (least..=most).map(move |depth| format!("minimax:weights={weights},depth={depth}"))
    });
    let specs: Vec<String> = specs.collect();
    let mut fits = Vec::new();
    for spec in &specs {
        let Some(of_runs) = scores(notebook, &players, [spec, spec], &silent)? else {
            return Ok(None);
        };
        fits.push((spec, of_runs.iter().sum::<f64>() / of_runs.len() as f64));
        progress.advance(fits.len() as u64, specs.len() as u64);
    }
    let nearest = |rung: &Rung| {
        let off = |score: f64| (score - rung.target).abs();
        *fits.iter().min_by(|(_, a), (_, b)| off(*a).total_cmp(&off(*b))).expect("candidates")
    };
    let fitted = LADDER.each_ref().map(nearest);
    // The rungs were selected to fit these scores, so the scores don't test anything.
    let is_ladder = fitted.iter().zip(&LADDER).all(|((spec, _), rung)| spec.as_str() == rung.spec);
    let verdict = if is_ladder { Verdict::Unrepeatable } else { Verdict::Differs };
    let rows = fitted.map(|(spec, score)| format!("`{spec}` {score:.3}"));
    Ok(Some(vec![
        Finding::new("daoud/davis-kendall", verdict, rows.join(", ")).with_note(format!(
            "our ladder, the nearest of {} players; six features evolved under `wipe-out`, five runs of {GAMES} games",
            specs.len()
        )),
    ]))
}
