//! Experiments that the report leaves to future work: six seeds per pit (section III A), and evolved weights instead of
//! heuristics that are just switched on or off (section V B).

use arena::{Contest, ContestGame, Form, PlayerPool, Suite, Tally};
use mancala::game::kalah::Kalah;
use mancala::progress::{Progress, Silent};

use super::LOOK_AHEAD;
use super::against_random::Figure;
use super::round_robin::{combinations, round_robin_of};
use super::statistics::rank_correlation;
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::pairing::PairingError;
use crate::trained::{settings, trained};

/// The minimum rank correlation at which we call results "extremely similar".
const SIMILAR: f64 = 0.9;

/// The number of plies in the openings of the match with evolved weights.
const OPENING_PLIES: u32 = 3;

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let rows: Vec<_> = combinations().collect();
    let six: Kalah = "kalah:seeds=6,ending=emptier".parse().expect("a game");
    let mut shares = Vec::new();
    for (done, kalah) in (1..).zip([Kalah::KANSAS, six]) {
        let results = round_robin_of(kalah, &rows, notebook.partial(), &Silent(progress))?;
        let Some(results) = results else { return Ok(None) };
        progress.advance(done, 3);
        shares.push(results.iter().map(|it| it.measure(Figure::Win)).collect::<Vec<f64>>());
        shares.push(results.iter().map(|it| it.measure(Figure::WinFirst)).collect());
    }
    let pairs: Vec<(f64, f64)> = shares[0].iter().copied().zip(shares[2].iter().copied()).collect();
    let correlation = rank_correlation(&pairs).unwrap_or(0.0);
    let best = |shares: &[f64]| {
        let best = rows.iter().zip(shares).max_by(|a, b| a.1.total_cmp(b.1)).expect("63 rows");
        (best.0.names(), *best.1)
    };
    let [(now, most), (then, most_then)] = [best(&shares[2]), best(&shares[0])];
    let mean = |shares: &[f64]| 100.0 * shares.iter().sum::<f64>() / shares.len() as f64;
    let ours = format!(
        "rank correlation {correlation:.3}; ({now}) with {most:.4} wins instead of ({then}) with {most_then:.4}; {:.1} % \
         won moving first instead of {:.1} %",
        mean(&shares[3]),
        mean(&shares[1])
    );
    let verdict = match (correlation >= SIMILAR, now == then) {
        (true, true) => Verdict::Holds,
        (false, false) => Verdict::Differs,
        _ => Verdict::Open,
    };
    let Some(bred) = bred(notebook, progress)? else { return Ok(None) };
    Ok(Some(vec![
        Finding::new("kansas/six-seeds", verdict, ours).with_note(format!(
            "round robins at look-ahead {LOOK_AHEAD}; holds for a correlation of at least {SIMILAR} and the same winner, \
             differs if neither is true"
        )),
        bred,
    ]))
}

/// Evolves weights for the heuristics, and plays a match with them against the winner of the round robin.
fn bred(
    notebook: &mut Notebook,
    progress: &dyn Progress,
) -> Result<Option<Finding>, crate::partial::StudyError> {
    let game = Kalah::KANSAS;
    let changes = [("seed", "1"), ("game", &*game.to_string())];
    let run = settings("kalah-standard", &changes);
    let Some(path) = trained(notebook, "kansas-bred", run, None, &Silent(progress))? else {
        return Ok(None);
    };
    let pool = |spec: String| PlayerPool::new(&spec, game).map_err(PairingError::from);
    let players = vec![
        pool(format!("minimax:weights={},depth={LOOK_AHEAD}", path.display()))?,
        pool(format!("kansas:heuristics=h1+h2+h3+h4+h5,depth={LOOK_AHEAD}"))?,
    ];
    let openings = Suite::Plies(OPENING_PLIES).openings(game).expect("openings");
    let contest = Contest::new(Form::Match, players, game, openings, "those of a study".into());
    let mut games: Vec<ContestGame> = Vec::new();
    let mut follow = |_: &[ContestGame], _| Ok::<_, PairingError>(());
    if !contest.play(&mut games, &Silent(progress), &mut follow)? {
        return Ok(None);
    }
    let estimate = Tally::of(&games).pairs.estimate();
    let (low, high) = estimate.score_ci95;
    let ours =
        format!("score {:.3} ({low:.3} to {high:.3}) in {} games", estimate.score, games.len());
    let better = if low > 0.5 { "better than the best switches; " } else { "" };
    Ok(Some(Finding::new("kansas/bred", Verdict::Open, ours).with_note(format!(
        "{better}H2 to H6 by `kalah-standard`, against (H1, H2, H3, H4, H5), from all positions after {OPENING_PLIES} plies"
    ))))
}
