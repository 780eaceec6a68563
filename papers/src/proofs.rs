//! Compares the two methods of Lithidion: endgame tables and proof-number search. We also use the tables to test a rule
//! of the thesis for the endgame.

use arena::{Sample, Sampling};
use mancala::endgame::{BuildPlan, Outcome, Tables, build, cdg, prove};
use mancala::game::ayo::{Ayo, Position, Rules};
use mancala::game::{Game, Pit};
use mancala::progress::{Progress, Silent};
use rayon::prelude::*;

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::partial::StudyError;

/// The number of positions that we sample of each kind.
const POSITIONS: usize = 200;

/// The maximum number of nodes per proof.
const NODES: u64 = 100_000;

/// The maximum number of seeds in the tables that proofs probe, and in the tables with which we verify the proofs.
const SEEDS: [u8; 2] = [8, 11];

/// The number of proofs with an exact result, the number of proofs that agree with the tables, and the total number.
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
    let few_seeds = sample(2..=more);
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
    let Some(positions) = few_seeds else { return Ok(None) };
    let lithidion = Finding::new("daoud/lithidion", verdict, ours).with_note(format!(
        "positions of games, {NODES} nodes per proof, rules awari; the paper prints no figure"
    ));
    Ok(Some(vec![lithidion, least_remainder(&positions, &large)]))
}

/// Tests the claim in section 3.4.4 that the best move is the one that leaves the row with the smallest remainder.
fn least_remainder(positions: &[Position], truth: &Tables) -> Finding {
    let game = Ayo { rules: Rules::AWARI };
    let (mut least, mut random, mut of) = (0.0, 0.0, 0);
    for position in positions {
        let moves = truth.moves(position).unwrap_or_default();
        let best = moves.iter().map(|it| it.1).max();
        let is_best = |it: &&(Pit, i8)| Some(it.1) == best;
        let right = moves.iter().filter(is_best).count();
        if right == moves.len() {
            continue;
        }
        let side = position.to_move();
        let norm = |pit| cdg::remainder(&cdg::row(&game.play(position, pit), side)).distance;
        let smallest = moves.iter().map(|it| norm(it.0)).min();
        let chosen: Vec<_> = moves.iter().filter(|it| Some(norm(it.0)) == smallest).collect();
        let hits = chosen.iter().filter(|it| is_best(it)).count();
        least += hits as f64 / chosen.len() as f64;
        random += right as f64 / moves.len() as f64;
        of += 1;
    }
    let share = |sum: f64| 100.0 * sum / f64::from(of);
    let ours = format!(
        "best in {:.0} % of {of} positions, a random move in {:.0} %",
        share(least),
        share(random)
    );
    Finding::new("thesis/least-remainder", Verdict::holds_if(least >= f64::from(of)), ours)
        .with_note(format!(
            "positions of games with up to {} seeds, values of the tables, rules awari; pits above i + 1 included",
            SEEDS[1]
        ))
}
