//! Compares the two methods of Lithidion: endgame tables and proof-number search.

use arena::{Sample, Sampling};
use mancala::endgame::{BuildPlan, Outcome, Tables, build, prove};
use mancala::game::ayo::{Ayo, Position, Rules};
use mancala::progress::{Progress, Silent};
use rayon::prelude::*;

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::partial::StudyError;

/// Number of positions of each kind.
const POSITIONS: usize = 200;

/// Maximum number of nodes per proof.
const NODES: u64 = 100_000;

/// Maximum number of seeds in the tables probed by proofs, and in the tables used to verify the proofs.
const SEEDS: [u8; 2] = [8, 11];

/// Number of proofs that decide their position, proofs that agree with the tables, and all proofs.
struct Count {
    decided: usize,
    correct: usize,
    all: usize,
}

fn check(positions: &[Position], probed: Option<&Tables>, truth: &Tables) -> Count {
    let game = Ayo { rules: Rules::AWARI };
    let one = |position: &Position| {
        let proof = prove(&game, position, probed, NODES, &()).expect("nothing stops it");
        let value = truth.difference(position, position.to_move()).expect("within the tables");
        let fits = match proof.outcome {
            Outcome::Win => value > 0,
            Outcome::Draw => value == 0,
            Outcome::Loss => value < 0,
            Outcome::AtLeastDraw => value >= 0,
            Outcome::AtMostDraw => value <= 0,
            Outcome::Unknown => true,
        };
        let decided = matches!(proof.outcome, Outcome::Win | Outcome::Draw | Outcome::Loss);
        (decided, fits)
    };
    let results: Vec<(bool, bool)> = positions.par_iter().map(one).collect();
    Count {
        decided: results.iter().filter(|it| it.0).count(),
        correct: results.iter().filter(|it| it.1).count(),
        all: results.len(),
    }
}

/// Builds endgame tables in memory, using the `awari` rules.
pub fn tables(seeds: u8, progress: &dyn Progress) -> Result<Option<Tables>, StudyError> {
    let plan = BuildPlan::in_memory(Rules::AWARI, seeds).expect("fewer than 48 seeds");
    Ok(build(&plan, &Silent(progress), |_| ())?)
}

pub fn findings(_: &mut Notebook, progress: &dyn Progress) -> Findings {
    let [few, more] = SEEDS;
    let (Some(small), Some(large)) = (tables(few, progress)?, tables(more, progress)?) else {
        return Ok(None);
    };
    let sample = |seeds| {
        let sampling = Sampling { seeds, positions: POSITIONS, seed: 1 };
        let drawn = Sample::draw(&large, &sampling, &Silent(progress))?;
        Some(drawn.positions().copied().collect::<Vec<_>>())
    };
    let (Some(inside), Some(beyond)) = (sample(few - 1..=few), sample(few + 1..=more)) else {
        return Ok(None);
    };
    progress.advance(1, 3);
    let unaided = check(&inside, None, &large);
    progress.advance(2, 3);
    let aided = check(&beyond, Some(&small), &large);
    progress.advance(3, 3);
    let all_correct = unaided.correct == unaided.all && aided.correct == aided.all;
    let ours = format!(
        "{} of {} positions of {} to {few} seeds decided without tables, {} of {} of {} to {more} seeds with tables \
         of {few}; no proof contradicts the tables",
        unaided.decided,
        unaided.all,
        few - 1,
        aided.decided,
        aided.all,
        few + 1
    );
    let verdict = if all_correct { Verdict::Open } else { Verdict::Differs };
    Ok(Some(vec![Finding::new("daoud/lithidion", verdict, ours).with_note(format!(
        "positions of games, {NODES} nodes per proof, rules awari; the paper prints no figure"
    ))]))
}
