//! Claims of Daoud, Kharma, Haidar and Popoola (CEC 2004), who compare twelve features at depths 5 and 3 with the six
//! features that their predecessors Davis and Kendall (CEC 2002) used at depth 7.
//!
//! In both papers, the opponent was the shareware *Awale*, which is no longer available. We use our [`ladder`] of four
//! players instead.

mod generations;
mod title;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use mancala::eval::Weights;
use mancala::game::ayo::Rules;
use mancala::progress::{Progress, Silent};

pub use self::generations::findings as evolution_findings;
pub use self::title::findings as title_findings;
use crate::claims::Verdict;
use crate::ladder::{self, LADDER};
use crate::notebook::{Finding, Findings, Notebook, StudyMatch, scores_text};
use crate::pairing::Pairing;
use crate::partial::StudyError;
use crate::studies::{print, study};
use crate::terminal::{WorkOptions, print_json};
use crate::trained::{settings, trained};

/// The RNG seeds of the training runs.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;

/// Returns the mean of some figures (one per RNG seed) and half the width of its 95 % interval.
fn mean_and_error(figures: &[f64]) -> (f64, f64) {
    let count = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / count;
    let variance = figures.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (count - 1.0);
    // The 97.5 % quantiles of Student's t-distribution.
    let quantile = match figures.len() {
        5 => 2.776,
        10 => 2.262,
        other => unreachable!("{other} seeds"),
    };
    (mean, quantile * (variance / count).sqrt())
}

/// The number of games per match that doesn't involve the ladder.
const QUESTION_GAMES: usize = 2028;

/// Trains twelve features with the algorithm of Daoud et al., unless a study has already done so. Returns the path of
/// the weights, or `None` if interrupted.
fn twelve(
    notebook: &Notebook,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Option<PathBuf>, StudyError> {
    let settings = settings("daoud2004", &[("seed", &seed.to_string())]);
    trained(notebook, &format!("seed{seed}-generation100"), settings, None, progress)
}

/// The scores against each rung of the ladder, starting with the weakest rung. There is one score per training run.
type LadderScores = Vec<Vec<f64>>;

/// Plays matches against all rungs of the ladder. Returns `None` if interrupted.
fn on_ladder(
    notebook: &mut Notebook,
    players: &[[String; 2]],
    progress: &dyn Progress,
) -> Result<Option<LadderScores>, StudyError> {
    let mut all = LadderScores::new();
    for rung in &LADDER {
        let opponent = [rung.name, rung.spec];
        let Some(scores) = ladder::scores(notebook, players, opponent, progress)? else {
            return Ok(None);
        };
        all.push(scores);
    }
    Ok(Some(all))
}

/// Formats the mean score against each rung.
fn means(scores: &LadderScores) -> String {
    scores_text(scores.iter().map(|runs| runs.iter().sum::<f64>() / runs.len() as f64))
}

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let silent = Silent(progress);
    let Some(six) = ladder::davis_kendall(notebook, &silent)? else { return Ok(None) };
    let mut fresh = Vec::new();
    for seed in ladder::SEEDS {
        let Some(path) = twelve(notebook, seed, &silent)? else { return Ok(None) };
        let spec = format!("minimax:weights={},depth=5", path.display());
        fresh.push([format!("twelve features, seed {seed}, depth 5"), spec]);
    }
    let published = |depth| {
        let spec = format!("minimax:weights=daoud2004-depth{depth},depth={depth}");
        [format!("published weights, depth {depth}"), spec]
    };
    let groups = [vec![published(5)], vec![published(3)], fresh, six.clone()];
    let (mut table, of) = (Vec::new(), groups.len() as u64 + 1);
    for group in &groups {
        let Some(scores) = on_ladder(notebook, group, &silent)? else { return Ok(None) };
        table.push(scores);
        progress.advance(table.len() as u64, of);
    }
    let table = <[LadderScores; 4]>::try_from(table).expect("four groups");
    let Some(others) = other_matches(notebook, &six[0], &silent)? else { return Ok(None) };
    progress.advance(of, of);
    Ok(Some(compare(&table, &others)))
}

/// Plays the matches that don't involve the ladder. In the first match, twelve features at depth 5 play against six at
/// depth 7, so that we can compare their cost. In the others, the published weights for depth 5 (with and without
/// signs) and for depth 3 play against seeds alone at the same depth.
fn other_matches(
    notebook: &mut Notebook,
    [six_name, six]: &[String; 2],
    progress: &dyn Progress,
) -> Result<Option<[StudyMatch; 4]>, StudyError> {
    let player = |text: &str| format!("minimax:weights={text}");
    let twelve = player("daoud2004-depth5,depth=5");
    let literal = player("daoud2004-depth5,depth=5,signs=literal");
    let depth_3 = player("daoud2004-depth3,depth=3");
    let [seeds_5, seeds_3] = [player("seeds,depth=5"), player("seeds,depth=3")];
    let matches = [
        (["published weights, depth 5", six_name], [&twelve, six]),
        (["published weights, depth 5", "seeds alone, depth 5"], [&twelve, &seeds_5]),
        (["published weights without signs", "seeds alone, depth 5"], [&literal, &seeds_5]),
        (["published weights, depth 3", "seeds alone, depth 3"], [&depth_3, &seeds_3]),
    ];
    let mut results = Vec::new();
    for (names, players) in matches {
        let players = players.map(String::as_str);
        let pairing = Pairing::new("", players, QUESTION_GAMES).under(Rules::WIPE_OUT);
        let Some(played) = notebook.play_as(names, &pairing, progress)? else { return Ok(None) };
        results.push(played);
    }
    Ok(results.try_into().ok())
}

/// The weights for depth 3 that are quoted in the text on the authors' page and repeated in table 1. For two of them,
/// the text doesn't name the side: pits with more than twelve seeds (.93), and pits that reach the other row (.87). We
/// assign these to a8 and a6, which fit.
const QUOTED_WEIGHTS: &str = "a1 .67 a2 .20 a3 .93 a4 .93 a6 .87 a8 .93 a9 .13 a10 .60 a12 .67";

/// Compares the weights for depth 3 in the text of the paper with those in its table.
fn quoted_weights(score: f64) -> Finding {
    let weights = Weights::named("daoud2004-depth3").expect("named weights");
    let of = |name: &str| {
        let all = weights.features().features().iter().zip(weights.values());
        let found = all.into_iter().find(|(feature, _)| feature.name() == name);
        f64::from(*found.expect("a feature").1) / 15.0
    };
    let words: Vec<&str> = QUOTED_WEIGHTS.split(' ').collect();
    let (pairs, _) = words.as_chunks::<2>();
    let quoted =
        pairs.iter().map(|[name, weight]| (name, weight.parse::<f64>().expect("a weight")));
    let other: Vec<String> = quoted
        .filter(|(name, quoted)| (of(name) - quoted).abs() > 0.01)
        .map(|(name, quoted)| {
            // Table 1 truncates weights to two decimal places.
            let printed = (100.0 * of(name)).floor() / 100.0;
            format!("{name} is {quoted} in the text and {printed:.2} in table 1")
        })
        .collect();
    let ours = format!(
        "{} of {} weights in the text are those of table 1; {score:.3} against seeds alone at depth 3",
        pairs.len() - other.len(),
        pairs.len()
    );
    let verdict = if other.is_empty() { Verdict::Exact } else { Verdict::Misprint };
    let note = format!("{}; the text names no side for a6 and a8", other.join(", "));
    Finding::new("daoud/weights-depth-3", verdict, ours).with_note(note)
}

/// Returns the gain in score over the runs with six features, averaged over rungs and runs, and half the width of its
/// 95 % interval. We compare runs that have the same RNG seed. If there is only one player, it is used for every run.
fn gains(scores: &LadderScores, six: &LadderScores) -> (f64, f64) {
    let mean = |scores: &LadderScores, run: usize| {
        scores.iter().map(|it| it[run % it.len()]).sum::<f64>() / scores.len() as f64
    };
    let gains: Vec<f64> = (0..six[0].len()).map(|run| mean(scores, run) - mean(six, run)).collect();
    mean_and_error(&gains)
}

/// Compares the results of the matches with the papers' claims.
fn compare(
    [published, depth_3, fresh, six]: &[LadderScores; 4],
    [head, signed, literal, depth_3_match]: &[StudyMatch; 4],
) -> Vec<Finding> {
    let text = |(gain, error): (f64, f64)| format!("{gain:+.3} ± {error:.3}");
    let unanimous = |[a, b]: [Verdict; 2]| if a == b { a } else { Verdict::Open };
    let all = [published, fresh].map(|it| gains(it, six));
    let is_better = all.map(|(gain, error)| Verdict::above([gain - error, gain + error], 0.0));
    let ([by_published, by_fresh], [a, b, c, d]) =
        (all.map(text), [published, depth_3, fresh, six].map(means));
    let better = format!(
        "published {a}, at depth 3 {b}; fresh {c}; six features at depth 7 {d}; over six features, published \
         {by_published}, fresh {by_fresh}"
    );
    let top = [published, fresh, six].map(|scores| scores[LADDER.len() - 1..].to_vec());
    let gains = [0, 1].map(|it| gains(&top[it], &top[2]));
    let is_alike = gains.map(|(gain, error)| Verdict::holds_if(gain.abs() <= error));
    let ([e, f], [a, b, c]) = (gains.map(text), top.each_ref().map(means));
    let alike = format!(
        "at our strongest level, twelve features {a} published and {b} fresh, six {c}: {e} and {f}"
    );
    let [nodes, time] = [head.nodes_per_move, head.microseconds_per_move];
    vec![
        Finding::new("daoud/better-than-davis", unanimous(is_better), better).with_note(format!(
            "{} games per rung of the ladder, which is fitted to the six features; mean differences and 95 % intervals, five \
             runs; open unless published and fresh weights agree",
            ladder::GAMES
        )),
        Finding::new("amdf/features", unanimous(is_alike), alike)
            .with_note("holds if neither difference is significant, differs if both are"),
        Finding::new(
            "daoud/response-time",
            Verdict::holds_if(nodes[0] < nodes[1] && time[0] < time[1]),
            format!(
                "{:.0} nodes per move at depth 5, {:.0} at depth 7: {:.0} and {:.0} µs",
                nodes[0], nodes[1], time[0], time[1]
            ),
        ),
        Finding::new(
            "daoud/formula",
            Verdict::Lost,
            format!("{:.3} against seeds alone with the signs of docs/features.md, {:.3} without", signed.score, literal.score),
        )
        .with_note("only one reading of the signs plays well"),
        Finding::new("daoud/weights-depth-5", Verdict::Open, format!("{:.3} against seeds alone at depth 5", signed.score)),
        quoted_weights(depth_3_match.score),
    ]
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Folder for results and trained weights
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
    #[command(flatten)]
    work: WorkOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The published weights at depths 5 and 3, twelve newly trained features at depth 5 and six at depth 7 play against four \
players that replace the levels of the shareware Awale (\"ayo-papers all ladder\"); five training runs each take five \
minutes on one core. \"ayo-papers all daoud-title\" plays twelve features against six, and \"ayo-papers all \
daoud-evolution\" compares generations 1 and 100, for ten seeds. Finished matches are not repeated.";

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Some(file) = study("daoud", &arguments.out, arguments.work)? else {
        return Ok(ExitCode::from(130));
    };
    if arguments.json {
        let mut json = serde_json::to_value(&file)?;
        json["kind"] = "study".into();
        print_json(&json, out)?;
    } else {
        print(&file, out)?;
    }
    Ok(ExitCode::SUCCESS)
}
