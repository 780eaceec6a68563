//! The evidence for progress: verdicts, maps of scores, and accuracy.

use arena::{Diagnosis, Verdict};

use super::{interval, report_command, score, thinned};
use crate::plot::minus;
use crate::report::html::Html;
use crate::report::picture::Map;
use crate::report::result::{RunReport, Truth};
use crate::terminal::shell;

pub(super) fn diagnosis(html: &mut Html, run: &RunReport, most: usize) -> anyhow::Result<()> {
    html.heading("Is the progress real?");
    let Some(diagnosis) = &run.diagnosis else {
        let command = format!("ayo {}", shell::typed(&["report", &run.folder]));
        html.paragraph(
            "Its champions have not played enough games against each other. This command plays them:",
        );
        html.command("", &command);
        return Ok(());
    };
    verdicts(html, diagnosis);
    let all: Vec<usize> = (0..diagnosis.generations.len()).collect();
    let shown = thinned(&all, most);
    let generations: Vec<u32> = shown.iter().map(|it| diagnosis.generations[*it]).collect();
    let map = |includes: &dyn Fn(usize, usize) -> bool| Map {
        rows: generations.clone(),
        columns: generations.clone(),
        scores: shown
            .iter()
            .map(|&row| {
                let score = |&column: &usize| {
                    let score = diagnosis.scores[row][column].filter(|_| includes(row, column))?;
                    Some(score.score)
                };
                shown.iter().map(score).collect()
            })
            .collect(),
    };
    let about = "Rows are champions by generation, oldest first, and columns their opponents. Dark blue is a loss, yellow a \
                 win.";
    html.raw("<div class=\"charts\">\n");
    let title = "Current champions against their ancestors (CIAO)";
    let alternative = format!("{title}. {about} {}", by_age(diagnosis));
    map_figure(html, (title, &alternative), &map(&|row, column| column < row), run)?;
    let title = "All champions against all";
    let alternative = format!("{title}. {about} The upper half mirrors the lower one.");
    map_figure(html, (title, &alternative), &map(&|_, _| true), run)?;
    html.raw("</div>\n");
    let mut rows = Vec::new();
    for &row in &shown {
        for &column in shown.iter().filter(|column| **column < row) {
            let Some(it) = diagnosis.scores[row][column] else { continue };
            let [row, column] = [row, column].map(|it| diagnosis.generations[it].to_string());
            let (low, high) = it.score_ci95;
            rows.push(vec![
                row,
                column,
                score(it.score),
                format!("{low:.3} to {high:.3}"),
                it.pairs.to_string(),
            ]);
        }
    }
    let rows = if rows.len() > MAX_CELLS { thinned(&rows, MAX_CELLS) } else { rows };
    let head = ["generation", "against", "score", "95 % interval", "pairs of games"];
    html.folded_table("Data: scores of champions against their ancestors", &head, &rows);
    Ok(())
}

/// Maximum number of scores in the table below the maps.
const MAX_CELLS: usize = 800;

fn map_figure(
    html: &mut Html,
    (title, alternative): (&str, &str),
    map: &Map,
    run: &RunReport,
) -> anyhow::Result<()> {
    html.raw("<figure class=\"map\">\n<h3>").text(title).raw("</h3>\n");
    html.picture(alternative, map)?;
    html.raw("<figcaption>").command("Command:", &report_command(run));
    html.raw("</figcaption></figure>\n");
    Ok(())
}

/// Describes the newest champion's scores against older ones.
fn by_age(diagnosis: &Diagnosis) -> String {
    let last = diagnosis.by_age.last().and_then(|it| it.older);
    last.map_or(String::new(), |it| {
        let (low, high) = it.score_ci95;
        format!(
            "The newest champion scores {:.3} ({low:.3} to {high:.3}) against all older ones.",
            it.score
        )
    })
}

fn verdicts(html: &mut Html, diagnosis: &Diagnosis) {
    let Diagnosis { progress, cycling, forgetting, disengagement, .. } = diagnosis;
    html.raw("<ul class=\"verdicts\">\n");
    let (low, high) = progress.gain_ci90;
    let mut evidence = format!(
        "Along a fitted line, champions gained {} Elo (90 % interval: {}).",
        minus(&format!("{:.0}", progress.gain)),
        interval(low, high)
    );
    if let Some(generation) = progress.last_gain {
        evidence += &format!(" The last significant gain is after generation {generation}.");
    }
    let words = ["they become stronger", "they do not become stronger", "undecided"];
    verdict(html, ("Progress", progress.verdict, true), words, &evidence);
    let mut evidence = format!(
        "Weaker champions beat stronger ones by {:.3} points per game (at most {:.3}) beyond chance; p = {:.3}.",
        cycling.upset, cycling.upset_high, cycling.p_value
    );
    for circle in cycling.circles.iter().take(1) {
        let [a, b, c] = circle.players;
        evidence += &format!(" Generation {a} beats {b}, {b} beats {c}, {c} beats {a}.");
    }
    let words = ["champions beat each other in circles", "there are no circles", "undecided"];
    verdict(html, ("Cycling", cycling.verdict, false), words, &evidence);
    let evidence = match &forgetting.decline {
        None => "There are too few champions.".to_owned(),
        Some(it) => {
            let ((from, to), (low, high)) = (it.later, it.decline_ci90);
            let ((one, other), (old, older)) = (it.intermediate, it.ancestors);
            format!(
                "The largest decline: against generations {old} to {older}, generations {from} to {to} score {:.3} and the \
                 earlier ones {one} to {other} {:.3}, a decline of {} (90 % interval: {} to {}).",
                it.scores.1,
                it.scores.0,
                minus(&score(it.decline)),
                minus(&score(low)),
                minus(&score(high))
            )
        }
    };
    let words = ["later champions lose to some ancestors", "nothing is forgotten", "undecided"];
    verdict(html, ("Forgetting", forgetting.verdict, false), words, &evidence);
    let evidence = format!(
        "Of {} pairs of games between champions of similar age, {:.0} % were won twice by the same champion and {:.0} % \
         ended level.",
        disengagement.pairs,
        100.0 * disengagement.one_sided.share,
        100.0 * disengagement.level.share
    );
    let words =
        ["games no longer tell who is better", "games still tell who is better", "undecided"];
    verdict(html, ("Disengagement", disengagement.verdict, false), words, &evidence);
    html.raw("</ul>\n");
}

/// Appends a verdict in words, for the answers yes, no and undecided.
fn verdict(
    html: &mut Html,
    (name, verdict, is_good): (&str, Verdict, bool),
    [yes, no, undecided]: [&str; 3],
    evidence: &str,
) {
    let answer = match verdict {
        Verdict::Yes => yes,
        Verdict::No => no,
        Verdict::Undecided => undecided,
    };
    match verdict {
        Verdict::Undecided => html.raw("<li>"),
        Verdict::Yes if is_good => html.raw("<li class=\"good\">"),
        Verdict::No if !is_good => html.raw("<li class=\"good\">"),
        _ => html.raw("<li class=\"bad\">"),
    };
    html.raw("<strong>").text(name).raw(":</strong> ").text(answer).raw(". ");
    html.raw("<span class=\"pale\">").text(evidence).raw("</span></li>\n");
}

pub(super) fn truth(html: &mut Html, run: &RunReport) {
    html.heading("Distance from perfect play");
    let Truth { missing, seeds, champions } = &run.truth;
    if let Some(missing) = missing {
        html.paragraph(missing);
        return;
    }
    html.paragraph(format!(
        "Moves of champions in their own games, at most one per game, with at most {seeds} seeds on the board, compared \
         with endgame tables."
    ));
    let per_cent = |share: f64, [low, high]: [f64; 2]| {
        format!("{:.1} % ({:.1} to {:.1})", 100.0 * share, 100.0 * low, 100.0 * high)
    };
    let rows: Vec<Vec<String>> = champions
        .iter()
        .map(|it| {
            let accuracy = &it.accuracy;
            let elo = it.elo.map_or("unknown".into(), |elo| minus(&format!("{elo:.0}")));
            let [low, high] = accuracy.seeds_lost_ci95;
            vec![
                it.generation.to_string(),
                elo,
                per_cent(accuracy.optimal, accuracy.optimal_ci95),
                per_cent(accuracy.results_lost, accuracy.results_lost_ci95),
                format!("{:.2} ({low:.2} to {high:.2})", accuracy.seeds_lost),
                accuracy.positions.to_string(),
            ]
        })
        .collect();
    let head =
        ["generation", "Elo", "best moves", "result worsened", "seeds lost per move", "positions"];
    html.table("Accuracy of champions, with 95 % intervals", &head, &rows);
    html.command("Command:", &report_command(run));
}
