//! The paper of Randle et al., claim by claim.

use super::{GAMES, matches, questions};
use crate::results::{Finding, StudyMatch, Verdict};
use crate::study::error::StudyError;
use crate::study::notebook::{Findings, Notebook};
use crate::study::pairing::Pairing;
use evolution::player::LEVELS;
use mancala::endgame::{BuildPlan, build};
use mancala::game::ayo::Rules;
use mancala::progress::{Muted, Part, Progress};

const AMDF: &str = "amdf";

/// Minimax of the same depth by captures, the lowest of equal moves.
const PLAIN: &str = "rbh:plies=6,bluff=off,cdg=off,refine=off";

/// Games that settle a question.
const SETTLED_BY: usize = 2028;

/// Seeds of the tables that rows come from.
const TABLE_SEEDS: u8 = 10;

fn play_all(
    notebook: &mut Notebook,
    pairings: &[Pairing],
    progress: &dyn Progress,
) -> Result<Option<Vec<StudyMatch>>, StudyError> {
    let of: usize = pairings.iter().map(|it| it.games).sum();
    let (mut found, mut before) = (Vec::new(), 0);
    for pairing in pairings {
        let part = Part { whole: progress, before, of: of as u64 };
        let Some(played) = notebook.settle(pairing, &part)? else { return Ok(None) };
        before += pairing.games as u64;
        found.push(played);
    }
    Ok(Some(found))
}

/// `10–0, 9–1, …`, with draws where there are any.
fn results(matches: &[StudyMatch]) -> String {
    let of = |it: &StudyMatch| match it.results {
        [won, 0, lost] => format!("{won}–{lost}"),
        [won, drawn, lost] => format!("{won}–{lost} and {drawn} drawn"),
    };
    matches.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// The study `amdf`.
pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let mut asked = matches(AMDF);
    let of_levels = LEVELS.len();
    asked.extend(LEVELS.iter().map(|level| Pairing::new(level.name, [PLAIN, level.name], GAMES)));
    asked.extend(questions(AMDF, SETTLED_BY).into_iter().take(2));
    let Some(found) = play_all(notebook, &asked, progress)? else { return Ok(None) };
    let (ours, rest) = found.split_at(of_levels + 1);
    let (plain, worth) = rest.split_at(of_levels);
    let ahead = ours[..of_levels - 1].iter().all(|it| it.score > 0.5);
    let last = &ours[of_levels - 1];
    let words =
        if ahead && last.score < 0.5 { "as the paper says" } else { "not as the paper says" };
    let note =
        "our levels; with two players that roll no dice ten games from an opening each, in pairs";
    let better = match worth[0].score_ci95 {
        (low, _) if low > 0.5 => Verdict::Exact,
        _ => Verdict::Differs,
    };
    Ok(Some(vec![
        Finding::new(
            "amdf/table-2-words",
            Verdict::NoOpponent,
            format!("{} against the levels, {} against minimax: {words}", results(&ours[..of_levels]), results(&ours[of_levels..])),
        )
        .noting(note),
        Finding::new("amdf/minimax-levels", Verdict::NoOpponent, format!("{} against the levels", results(plain)))
            .noting("minimax by captures, six plies, the lowest of equal moves"),
        Finding::new(
            "amdf/improves",
            better,
            format!("{} against minimax of equal depth, {} if that chooses among equals by chance", worth[0].scored(), worth[1].scored()),
        )
        .noting(format!("{SETTLED_BY} games each; among equal moves any rule but the lowest pit gains as much or more")),
    ]))
}

/// The study `amdf-tables`.
pub fn table_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let folder = notebook.folder().join("tables");
    let plan = BuildPlan::new(Rules::AYO, TABLE_SEEDS, &folder).expect("fewer than 48 seeds");
    if build(&plan, &Muted(progress), |_| ())?.is_none() {
        return Ok(None);
    }
    let trained = format!("amdf:training=tables:{}", folder.display());
    let name = format!("amdf by tables of {TABLE_SEEDS} seeds");
    let of = 2 * SETTLED_BY as u64;
    let mut found = Vec::new();
    for (at, opponent) in [AMDF, PLAIN].into_iter().enumerate() {
        let pairing = Pairing::new("", [&trained, opponent], SETTLED_BY);
        let part = Part { whole: progress, before: (at * SETTLED_BY) as u64, of };
        let Some(played) = notebook.settle_as([&name, opponent], &pairing, &part)? else {
            return Ok(None);
        };
        found.push(played);
    }
    let ours = format!(
        "{} against classes by the rule of Tchoukaillon, {} against minimax",
        found[0].scored(),
        found[1].scored()
    );
    Ok(Some(vec![Finding::new("amdf/endgame-training", Verdict::Open, ours).noting(format!(
        "classes from tables of up to {TABLE_SEEDS} seeds: a row is good if a best move leaves it; {SETTLED_BY} games"
    ))]))
}
