//! The evidence for progress: verdicts, maps of scores, and accuracy.

use arena::{Diagnosis, Verdict};

use super::{ayo, figure, report_command, whole};
use crate::plot::minus;
use crate::report::html::Html;
use crate::report::picture::Map;
use crate::report::result::{ChampionAccuracy, RunReport, Truth};

pub(super) fn diagnosis(html: &mut Html, run: &RunReport, most: usize) -> anyhow::Result<()> {
    html.heading("Is the progress real?");
    if let Some(diagnosis) = &run.of_games.diagnosis {
        verdicts(html, diagnosis);
        map(html, run, diagnosis, most)?;
    } else if run.of_games.has_all_games {
        html.paragraph("A diagnosis needs at least three champions.");
    }
    if !run.of_games.has_all_games {
        let command = ayo(&["report", &run.folder]);
        html.command("Play the remaining games between champions:", &command);
    }
    Ok(())
}

/// Draws the scores of at most `most` champions against each other.
fn map(html: &mut Html, run: &RunReport, diagnosis: &Diagnosis, most: usize) -> anyhow::Result<()> {
    let (count, last) = (diagnosis.generations.len(), diagnosis.generations.len() - 1);
    let steps = count.min(most) - 1;
    let shown: Vec<usize> = (0..=steps).map(|place| place * last / steps).collect();
    let (mut scores, mut rows) = (Vec::new(), Vec::new());
    for &row in &shown {
        let all = &diagnosis.scores[row];
        scores.push(shown.iter().map(|column| all[*column].map(|it| it.score)).collect());
        for (column, it) in
            shown.iter().filter(|it| **it < row).filter_map(|&it| Some((it, all[it]?)))
        {
            let [row, column] = [row, column].map(|it| diagnosis.generations[it].to_string());
            let (low, high) = it.score_ci95;
            let interval = format!("{low:.3} to {high:.3}");
            rows.push(vec![row, column, score(it.score), interval, it.pairs.to_string()]);
        }
    }
    let map =
        Map { generations: shown.iter().map(|it| diagnosis.generations[*it]).collect(), scores };
    let about = "Each row is a champion, oldest first, and each column an opponent: yellow is a win, dark blue a loss. Below \
                 the diagonal, champions play their ancestors (CIAO plot); above, the same results are mirrored (all of \
                 generation).";
    html.paragraph(about);
    let title = "Champions against each other";
    html.add("<div class=\"map\">", &[]);
    figure(html, (title, &format!("{title}. {about}")), &map.draw(), &report_command(run))?;
    html.add("</div>\n", &[]);
    let head = ["generation", "against", "score", "95 % interval", "pairs of games"];
    html.folded_table("Data: scores of champions against their ancestors", &head, &rows);
    Ok(())
}

fn score(it: f64) -> String {
    minus(&format!("{it:.3}"))
}

fn verdicts(html: &mut Html, diagnosis: &Diagnosis) {
    let Diagnosis { progress, cycling, forgetting, disengagement, .. } = diagnosis;
    html.add("<ul class=\"verdicts\">\n", &[]);
    let (low, high) = progress.gain_ci90;
    let mut evidence = format!(
        "A straight line through the ratings, which understates an early gain, rises by {} Elo (90 % interval: {} to {}).",
        whole(progress.gain),
        whole(low),
        whole(high)
    );
    if let Some(generation) = progress.last_gain {
        evidence += &format!(
            " The last significant gain is after generation {generation}: among later champions, the ratings show no \
             significant trend, even if one of them passed a gate."
        );
    }
    let words = ["they become stronger", "they do not become stronger", "undecided"];
    verdict(html, ("Progress", progress.verdict, true), words, &evidence);
    let mut evidence = format!(
        "The scores of weaker champions against stronger ones exceed ½ by {:.3} (at most {:.3}) more than expected at random, p = \
         {:.3}. {} of {} champions are part of the Nash equilibrium.",
        cycling.upset,
        cycling.upset_high,
        cycling.p_value,
        cycling.nash_support,
        diagnosis.generations.len()
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
                score(it.decline),
                score(low),
                score(high)
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
    html.add("</ul>\n", &[]);
}

/// Appends a verdict in words, for the answers yes, no and undecided.
fn verdict(
    html: &mut Html,
    (name, verdict, is_good): (&str, Verdict, bool),
    [yes, no, undecided]: [&str; 3],
    evidence: &str,
) {
    let (answer, tag) = match verdict {
        Verdict::Yes if is_good => (yes, "<li class=\"good\">"),
        Verdict::Yes => (yes, "<li class=\"bad\">"),
        Verdict::No if is_good => (no, "<li class=\"bad\">"),
        Verdict::No => (no, "<li class=\"good\">"),
        Verdict::Undecided => (undecided, "<li>"),
    };
    html.add(tag, &[]);
    html.add(
        "<strong>{}:</strong> {}. <span class=\"pale\">{}</span></li>\n",
        &[name, answer, evidence],
    );
}

pub(super) fn truth(html: &mut Html, run: &RunReport) {
    html.heading("Distance from perfect play");
    let Truth { missing, seeds, champions } = &run.of_games.truth;
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
    let rows = champions.iter().map(|ChampionAccuracy { generation, elo, accuracy }| {
        let [low, high] = accuracy.seeds_lost_ci95;
        vec![
            generation.to_string(),
            elo.map_or("unknown".into(), whole),
            per_cent(accuracy.optimal, accuracy.optimal_ci95),
            per_cent(accuracy.results_lost, accuracy.results_lost_ci95),
            format!("{:.2} ({low:.2} to {high:.2})", accuracy.seeds_lost),
            accuracy.positions.to_string(),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let head =
        ["generation", "Elo", "best moves", "result worsened", "seeds lost per move", "positions"];
    html.table("Accuracy of champions, with 95 % intervals", &head, &rows);
    html.command("Command:", &report_command(run));
}
