//! The page of a report: one file without scripts or links to other files.

mod evidence;

use self::evidence::{diagnosis, truth};
use super::headline::duration;
use super::html::Html;
use super::picture::{Chart, Series};
use super::result::{
    Agreement, FitnessPoint, Report, RunReport, Showcase, ShownMove, WeightReport,
};
use crate::plot::minus;
use crate::terminal::shell;

const TEMPLATE: &str = include_str!("template.html");

/// Maximum number of rows in the table of a curve.
const MAX_ROWS: usize = 40;
/// Maximum number of rows of a map; with several runs, they share it.
const MAX_MAP: usize = 40;
const MIN_MAP: usize = 8;
/// Number of weights that are shown without opening the table.
const SHOWN_WEIGHTS: usize = 16;
/// Number of positions shown from the game.
const SHOWN_POSITIONS: usize = 3;

/// Lays out a report.
pub(super) fn page(report: &Report) -> anyhow::Result<String> {
    let mut html = Html::default();
    let title = match report.runs.as_slice() {
        [run] => format!("Report on {}", run.name),
        runs => format!("Report on {} runs", runs.len()),
    };
    html.raw("<h1>").text(&title).raw("</h1>\n");
    if report.runs.len() > 1 {
        overview(&mut html, report);
    }
    for run in &report.runs {
        of_run(&mut html, run, report)?;
    }
    if let Some(agreement) = &report.agreement {
        agreement_part(&mut html, agreement, &report.runs);
    }
    html.raw("<footer><p class=\"pale\">Written by ayo ").text(report.version);
    html.raw(". Intervals are 95 % intervals unless stated otherwise. Elo differences are between players at the search \
              limits of the run.</p></footer>");
    Ok(html.page(TEMPLATE, &title))
}

fn overview(html: &mut Html, report: &Report) {
    html.raw("<ul>\n");
    for run in &report.runs {
        html.raw("<li><strong>")
            .text(&run.name)
            .raw("</strong>: ")
            .text(&run.headline)
            .raw("</li>\n");
    }
    html.raw("</ul>\n");
}

fn of_run(html: &mut Html, run: &RunReport, report: &Report) -> anyhow::Result<()> {
    html.raw("<section>\n");
    if report.runs.len() > 1 {
        html.raw("<h2>").text(&run.name).raw("</h2>\n");
    }
    html.raw("<p class=\"headline\">").text(&run.headline).raw("</p>\n");
    let mut about = format!(
        "Preset {}, seed {}, {}; {} of {} generations, {}",
        run.preset, run.seed, run.game, run.generation, run.generations, run.state
    );
    if let Some(hours) = run.hours {
        about += &format!("; {} of training", duration(hours));
    }
    html.raw("<p class=\"pale\">").text(about).raw(".</p>\n");
    if !run.findings.is_empty() {
        html.raw("<ul class=\"verdicts\">\n");
        for finding in &run.findings {
            html.raw("<li class=\"bad\">").text(finding).raw("</li>\n");
        }
        html.raw("</ul>\n");
    }
    next(html, run);
    curves(html, run)?;
    diagnosis(html, run, (MAX_MAP / report.runs.len()).max(MIN_MAP))?;
    truth(html, run);
    weights(html, run);
    showcase(html, run);
    html.raw("</section>\n");
    Ok(())
}

fn next(html: &mut Html, run: &RunReport) {
    html.heading("What to type next");
    for it in &run.next {
        html.command(&format!("{}:", it.purpose), &it.command);
    }
}

/// Appends a figure with its title, command and data.
fn figure(
    html: &mut Html,
    (title, alternative): (&str, &str),
    chart: Chart,
    command: &str,
    (head, rows): (&[&str], Vec<Vec<String>>),
) -> anyhow::Result<()> {
    html.raw("<figure>\n<h3>").text(title).raw("</h3>\n");
    html.picture(alternative, &chart)?;
    html.raw("<figcaption>");
    html.command("Command:", command).raw("</figcaption>\n");
    html.folded_table(&format!("Data: {title}"), head, &rows).raw("</figure>\n");
    Ok(())
}

fn score(it: f64) -> String {
    format!("{it:.3}")
}

fn interval(low: f64, high: f64) -> String {
    format!("{} to {}", minus(&format!("{low:.0}")), minus(&format!("{high:.0}")))
}

/// Keeps at most [`MAX_ROWS`] items, including the first and the last.
fn thinned<T: Clone>(items: &[T], most: usize) -> Vec<T> {
    if items.len() <= most {
        return items.to_vec();
    }
    let last = most.max(2) - 1;
    (0..=last).map(|place| items[place * (items.len() - 1) / last].clone()).collect()
}

fn curves(html: &mut Html, run: &RunReport) -> anyhow::Result<()> {
    html.heading("Curves");
    html.raw("<div class=\"charts\">\n");
    fitness(html, run)?;
    ratings(html, run)?;
    measured(html, run)?;
    html.raw("</div>\n");
    Ok(())
}

fn plot_command(run: &RunReport, what: &str) -> String {
    let output = format!("plots/{what}.png");
    format!("ayo {}", shell::typed(&["plot", &run.folder, "--what", what, "-o", &output]))
}

fn fitness(html: &mut Html, run: &RunReport) -> anyhow::Result<()> {
    let points = &run.curves.fitness;
    let series = |name, figure: fn(&FitnessPoint) -> f64| Series {
        name,
        points: points.iter().map(|it| (it.generation, figure(it))).collect(),
        intervals: Vec::new(),
    };
    let all = vec![
        series("best", |it| it.best),
        series("mean", |it| it.mean),
        series("worst", |it| it.worst),
    ];
    let chart = Chart::new(all, ("generation", true), "share of possible fitness", true);
    let (first, last) = (points.first(), points.last());
    let alternative = first.zip(last).map(|(first, last)| {
        format!(
            "Fitness by generation. The mean goes from {:.2} to {:.2} of the possible fitness, the best from {:.2} to \
             {:.2}. Fitness is relative to the population, so a flat curve does not mean standstill.",
            first.mean, last.mean, first.best, last.best
        )
    });
    let rows = thinned(points, MAX_ROWS).into_iter().map(|it| {
        let figures = [it.best, it.mean, it.worst].map(score);
        [format!("{:.0}", it.generation)].into_iter().chain(figures).collect()
    });
    let head = ["generation", "best", "mean", "worst"];
    let text = ("Fitness", alternative.unwrap_or_default());
    let command = plot_command(run, "fitness");
    figure(html, (text.0, &text.1), chart, &command, (&head, rows.collect()))
}

/// Draws the joint ratings by generation and, if it is known, by time.
fn ratings(html: &mut Html, run: &RunReport) -> anyhow::Result<()> {
    let Some(diagnosis) = &run.diagnosis else { return Ok(()) };
    let command = report_command(run);
    let rated: Vec<_> = diagnosis.generations.iter().zip(&diagnosis.ratings).collect();
    let row = |&(generation, rating): &(&u32, &arena::Rating)| {
        let (low, high) = rating.elo_ci95;
        let elo = minus(&format!("{:.0}", rating.elo));
        let hours = run.curves.hours_at(*generation).map(|it| format!("{it:.3}"));
        let hours = hours.unwrap_or_else(|| "unknown".into());
        vec![generation.to_string(), elo, interval(low, high), hours]
    };
    let rows: Vec<Vec<String>> = rated.iter().map(row).collect();
    let series = |x: &dyn Fn(u32) -> Option<f64>| -> Series {
        let known =
            rated.iter().filter_map(|(generation, rating)| Some((x(**generation)?, rating)));
        let known: Vec<_> = known.collect();
        Series {
            name: "champions",
            points: known.iter().map(|(x, rating)| (*x, rating.elo)).collect(),
            intervals: known.iter().map(|(_, it)| [it.elo_ci95.0, it.elo_ci95.1]).collect(),
        }
    };
    let about = rated.last().map_or(String::new(), |(generation, rating)| {
        let (low, high) = rating.elo_ci95;
        format!(
            "Elo of the champions with 95 % intervals; the first has 0, that of generation {generation} {:.0} ({low:.0} to \
             {high:.0}).",
            rating.elo
        )
    });
    let head = ["generation", "Elo", "95 % interval", "hours"];
    let by_generation = series(&|it| Some(f64::from(it)));
    let chart = Chart::new(vec![by_generation], ("generation", true), "Elo", true);
    let title = "Rating by generation";
    figure(html, (title, &about), chart, &command, (&head, rows.clone()))?;
    let by_time = series(&|it| run.curves.hours_at(it));
    if by_time.points.len() == rated.len() {
        let (scale, unit) = match run.hours.unwrap_or_default() {
            hours if hours < 0.05 => (3600.0, "seconds of training"),
            hours if hours < 2.0 => (60.0, "minutes of training"),
            _ => (1.0, "hours of training"),
        };
        let points = by_time.points.iter().map(|(x, y)| (x * scale, *y)).collect();
        let chart = Chart::new(vec![Series { points, ..by_time }], (unit, false), "Elo", true);
        figure(html, ("Rating by time", &about), chart, &command, (&head, rows))?;
    }
    Ok(())
}

fn measured(html: &mut Html, run: &RunReport) -> anyhow::Result<()> {
    let measured = &run.curves.measured;
    if measured.is_empty() {
        html.raw("<p>The strength against the reference opponents was not measured.</p>\n");
        return Ok(());
    }
    let points = measured.iter().map(|(generation, it)| (f64::from(*generation), it.score));
    let intervals = measured.iter().map(|(_, it)| [it.score_ci95.0, it.score_ci95.1]);
    let series = Series { name: "score", points: points.collect(), intervals: intervals.collect() };
    let chart = Chart::new(vec![series], ("generation", true), "points per game", false);
    let rows = thinned(measured, MAX_ROWS).into_iter().map(|(generation, it)| {
        let interval = format!("{:.3} to {:.3}", it.score_ci95.0, it.score_ci95.1);
        vec![generation.to_string(), score(it.score), interval]
    });
    let (last, it) = measured[measured.len() - 1];
    let alternative = format!(
        "Mean score of measured champions against the reference opponents with 95 % intervals; {:.3} in generation {last}.",
        it.score
    );
    let title = "Strength against the reference opponents";
    let head = ["generation", "score", "95 % interval"];
    let command = plot_command(run, "strength");
    figure(html, (title, &alternative), chart, &command, (&head, rows.collect()))
}

fn report_command(run: &RunReport) -> String {
    format!("ayo {}", shell::typed(&["report", &run.folder, "--json"]))
}

fn weights(html: &mut Html, run: &RunReport) {
    html.heading("What the champion looks at");
    let weights = &run.weights;
    if weights.is_empty() {
        html.paragraph("There is no champion yet.");
        return;
    }
    html.paragraph("Weights with their signs in the evaluation, largest first. A higher value is better for the player.");
    let most = weights.iter().map(|it| it.weight.unsigned_abs()).max().unwrap_or(0).max(1);
    let (shown, rest) = weights.split_at(SHOWN_WEIGHTS.min(weights.len()));
    weights_table(html, "Largest weights", shown, most);
    if !rest.is_empty() {
        html.raw("<details><summary>").text(format!("{} smaller weights", rest.len()));
        html.raw("</summary>\n");
        weights_table(html, "Smaller weights", rest, most);
        html.raw("</details>\n");
    }
    html.command("Command:", &format!("ayo {}", shell::typed(&["inspect", &run.folder])));
    if run.has_learned_features {
        html.command("What each unit looks at:", &plot_command(run, "units"));
    }
}

fn weights_table(html: &mut Html, caption: &str, weights: &[WeightReport], most: u32) {
    html.raw("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"").text(caption);
    html.raw("\"><table><caption>")
        .text(caption)
        .raw("</caption>\n<thead><tr><th scope=\"col\">feature</th>");
    html.raw("<th scope=\"col\">weight</th><td></td><th scope=\"col\" class=\"words\">meaning</th></tr></thead><tbody>\n");
    for WeightReport { feature, weight, meaning } in weights {
        html.raw("<tr><th scope=\"row\">").text(feature).raw("</th><td>");
        html.text(minus(&weight.to_string())).raw("</td><td>");
        let width = f64::from(weight.unsigned_abs()) / f64::from(most) * 50.0;
        let x = if *weight < 0 { 50.0 - width } else { 50.0 };
        html.raw("<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"");
        html.raw(if *weight < 0 { "minus" } else { "plus" }).raw("\" x=\"").text(format!("{x:.1}"));
        html.raw("\" y=\"0\" height=\"10\" width=\"").text(format!("{width:.1}"));
        html.raw("\"/></svg></td><td class=\"words\">").text(meaning).raw("</td></tr>\n");
    }
    html.raw("</tbody></table></div>\n");
}

fn showcase(html: &mut Html, run: &RunReport) {
    html.heading("A game that shows what it learned");
    let Some(it) = &run.showcase else {
        html.paragraph("No game was played: the champions are the same, the time was too short, or the new one won none.");
        return;
    };
    let [south, north] = it.stores;
    html.paragraph(format!(
        "The champion of generation {}, as {}, against that of generation {}: {south}–{north}. It scored {:.2} points per \
         game in {} games; this is its clearest win. Below are the moves on which they differ most: the move played has a solid frame, the old \
         champion's choice a dashed one.",
        it.new_generation, it.side, it.old_generation, it.score, it.games
    ));
    positions(html, it);
    let rows: Vec<Vec<String>> = it
        .moves
        .iter()
        .map(|it| {
            let captured = if it.captured > 0 { it.captured.to_string() } else { String::new() };
            let comment = it.comment.clone().unwrap_or_default();
            vec![it.ply.to_string(), it.side.clone(), it.played.to_string(), captured, comment]
        })
        .collect();
    let head = ["ply", "side", "move", "captured", "comment"];
    html.folded_table("All moves", &head, &rows);
    let player = format!("minimax:weights={}", run.folder);
    let line = ["bestmove", "--position", &it.opening, "--player", &player];
    html.command("Opening and moves:", &format!("{} {}", it.opening, it.line));
    html.command("Command for a position:", &format!("ayo {}", shell::typed(&line)));
}

/// Shows the positions in which the old champion's choice is worst.
fn positions(html: &mut Html, showcase: &Showcase) {
    let value = |it: &ShownMove| it.seeds.unwrap_or(f64::NEG_INFINITY);
    let mut moves: Vec<&ShownMove> =
        showcase.moves.iter().filter(|it| it.old_choice.is_some()).collect();
    moves.sort_by(|a, b| value(b).total_cmp(&value(a)));
    moves.truncate(SHOWN_POSITIONS);
    moves.sort_by_key(|it| it.ply);
    for it in moves {
        html.raw("<h3>").text(format!("Ply {}: {} plays {}", it.ply, it.side, it.played));
        html.raw("</h3>\n").paragraph(it.comment.as_deref().unwrap_or_default());
        board(html, it);
    }
}

/// Draws a position as a table: North's pits above South's, each from left to right as South sees them.
fn board(html: &mut Html, shown: &ShownMove) {
    let [south, north] = &shown.rows;
    let cell = |html: &mut Html, letter: char, seeds: u16| {
        match () {
            () if letter == shown.played => html.raw("<td class=\"played\">"),
            () if Some(letter) == shown.old_choice => html.raw("<td class=\"other\">"),
            () => html.raw("<td>"),
        };
        html.raw("<span class=\"pale\">").text(letter.to_string()).raw("</span> ");
        html.text(seeds.to_string()).raw("</td>");
    };
    html.raw("<table class=\"board\"><caption>").text(format!("Position {}", shown.position));
    html.raw("</caption>\n<tbody><tr>");
    html.raw("<th scope=\"row\">North ").text(shown.stores[1].to_string()).raw("</th>");
    for (letter, seeds) in ('a'..).zip(north).collect::<Vec<_>>().into_iter().rev() {
        cell(html, letter, *seeds);
    }
    html.raw("</tr>\n<tr><th scope=\"row\">South ").text(shown.stores[0].to_string()).raw("</th>");
    for (letter, seeds) in ('A'..).zip(south) {
        cell(html, letter, *seeds);
    }
    html.raw("</tr></tbody></table>\n");
}

fn agreement_part(html: &mut Html, agreement: &Agreement, runs: &[RunReport]) {
    html.heading("Agreement between seeds");
    html.paragraph(format!(
        "Weights of {} champions as shares of the length of all weights. The mean cosine between two champions is {:.2}: 1 \
         for the same direction, 0 for unrelated weights.",
        agreement.runs, agreement.cosine
    ));
    let rows: Vec<Vec<String>> = agreement
        .features
        .iter()
        .take(MAX_ROWS)
        .map(|it| {
            let [mean, low, high] =
                [it.mean, it.lowest, it.highest].map(|share| minus(&format!("{share:.3}")));
            let sign = format!("{} of {}", it.same_sign, agreement.runs);
            vec![
                it.feature.to_owned(),
                mean,
                format!("{low} to {high}"),
                sign,
                it.meaning.to_owned(),
            ]
        })
        .collect();
    let head = ["feature", "mean share", "range", "same sign", "meaning"];
    html.table("Agreement, largest weights first", &head, &rows);
    let folders = runs.iter().map(|run| run.folder.as_str());
    let words: Vec<&str> = ["plot"]
        .into_iter()
        .chain(folders)
        .chain(["--what", "agreement", "-o", "plots/agreement.png"])
        .collect();
    html.command("Command:", &format!("ayo {}", shell::typed(&words)));
}
