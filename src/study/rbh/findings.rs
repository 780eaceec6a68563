//! Chapter 5 of the thesis, claim by claim.

use super::{LevelGame, SECONDS, levels, metrics};
use crate::results::{Finding, Verdict};
use crate::study::notebook::{Findings, Notebook};
use crate::study::pairing::Pairing;
use evolution::player::LEVELS;
use mancala::progress::{Part, Progress};

/// The player of the thesis.
const RBH: &str = "rbh";

/// The study `rbh-levels`.
pub fn level_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let folder = notebook.unfinished().made()?;
    let Some(games) = levels(RBH, folder, progress)? else { return Ok(None) };
    let by_level: Vec<&[LevelGame]> = games.chunk_by(|a, b| a.level == b.level).collect();
    let wins = |games: &&[LevelGame]| {
        games.iter().filter(|game| game.seeds[0] > game.seeds[1]).count().to_string()
    };
    let seeds = |games: &&[LevelGame]| {
        let mean = |who: usize| {
            games.iter().map(|game| f64::from(game.seeds[who])).sum::<f64>() / games.len() as f64
        };
        format!("{:.1}:{:.1}", mean(0), mean(1))
    };
    // Games that were kept have no times.
    let mean = |part: fn(&LevelGame) -> Option<f64>| {
        let of = |games: &&[LevelGame]| {
            let known: Vec<f64> = games.iter().filter_map(part).collect();
            known.iter().sum::<f64>() / known.len().max(1) as f64
        };
        by_level.iter().map(of).collect::<Vec<f64>>()
    };
    let listed = |all: Vec<String>| all.join(", ");
    let spec = LEVELS[LEVELS.len() - 1].spec;
    let note = format!(
        "levels of ours, the last of which is `{spec}`; Awale's cannot be had. The thesis names six games a level \
         here and four in section 5.1.1"
    );
    let won = listed(by_level.iter().map(wins).collect());
    let ours = format!("wins {won}; seeds {}", listed(by_level.iter().map(seeds).collect()));
    let digits = |all: Vec<f64>, places: usize| {
        listed(all.iter().map(|it| format!("{it:.places$}")).collect())
    };
    let [rbh, level] = [mean(|it| it.milliseconds[0]), mean(|it| it.milliseconds[1])];
    let nodes = [mean(|it| Some(it.nodes[0])), mean(|it| Some(it.nodes[1]))];
    let faster = SECONDS.iter().all(|[ours, theirs]| ours < theirs);
    debug_assert!(faster);
    let [rbh_nodes, level_nodes] = nodes.map(|it| digits(it, 0));
    Ok(Some(vec![
        Finding::new("thesis/table-5.1", Verdict::NoOpponent, ours).noting(note),
        Finding::new(
            "thesis/table-5.1-time",
            Verdict::NoOpponent,
            format!("RBH {} ms a move; levels {} ms", digits(rbh, 3), digits(level, 3)),
        )
        .noting("a Pentium 4 of 3 GHz there, one core of a busy machine here"),
        Finding::new(
            "thesis/table-5.1-memory",
            Verdict::NoOpponent,
            format!("RBH looks at {rbh_nodes} positions a move, the levels at {level_nodes}"),
        )
        .noting(
            "the size of a program says nothing of an algorithm; positions a move stand in for it",
        ),
        Finding::new(
            "thesis/figures-5.1-5.4",
            Verdict::NoOpponent,
            "![table 5.1](../plots/rbh-levels.png)",
        )
        .noting("the charts are images; both tables are drawn beside each other"),
    ]))
}

/// Games between two metrics.
const GAMES: usize = 2028;

/// The study `rbh-metrics`.
pub fn metric_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let asked: Vec<Pairing> = metrics(GAMES);
    let of = (asked.len() * GAMES) as u64;
    let mut found = Vec::new();
    for (at, pairing) in asked.iter().enumerate() {
        let part = Part { whole: progress, before: (at * GAMES) as u64, of };
        let Some(played) = notebook.settle(pairing, &part)? else { return Ok(None) };
        found.push((pairing.question.clone(), played));
    }
    let said: Vec<String> =
        found.iter().map(|(question, it)| format!("{question} {}", it.scored())).collect();
    let time = |at: usize, who: usize| found[at].1.microseconds_per_move[who];
    let ours = format!(
        "{}; {:.1}, {:.1} and {:.1} µs a move",
        said.join("; "),
        time(0, 0),
        time(0, 1),
        time(1, 1)
    );
    // Preferred is what wins.
    let wins = found[0].1.score_ci95.0 > 0.5 && found[1].1.score_ci95.0 > 0.5;
    let verdict = if wins { Verdict::Exact } else { Verdict::Differs };
    Ok(Some(vec![Finding::new("thesis/metrics", verdict, ours).noting(
        "with a bold bluff, since they hardly ever decide without one; a bluff loses games, so that what bluffs most \
         seldom wins",
    )]))
}
