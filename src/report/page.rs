//! The page of a report: one file without scripts or links to other files.

mod evidence;

use arena::Rating;

use self::evidence::{diagnosis, truth};
use super::gather::duration;
use super::html::Html;
use super::picture::{Series, chart};
use super::result::{Agreement, Report, RunReport, Showcase, ShownMove, WeightReport};
use crate::plot::{Canvas, Curve, minus};
use crate::terminal::shell;
use crate::train::strength::Score;

const TEMPLATE: &str = include_str!("template.html");

/// Maximum number of rows of a map; with several runs, they share it.
const MAX_MAP: usize = 40;
const MIN_MAP: usize = 8;
/// Number of weights that are shown without opening a table.
const SHOWN_WEIGHTS: usize = 16;
/// Maximum number of features in the table of agreement.
const MAX_FEATURES: usize = 40;
/// Number of positions shown from the game.
const SHOWN_POSITIONS: usize = 3;

pub(super) fn page(report: &Report) -> anyhow::Result<String> {
    let mut html = Html::default();
    let title = match report.runs.as_slice() {
        [run] => format!("Report on {}", run.name),
        runs => format!("Report on {} runs", runs.len()),
    };
    html.add("<h1>{}</h1>\n", &[&title]);
    for run in report.runs.iter().filter(|_| report.runs.len() > 1) {
        html.add("<p><strong>{}</strong>: {}</p>\n", &[&run.name, &run.headline]);
    }
    for run in &report.runs {
        of_run(&mut html, run, report)?;
    }
    if let Some(agreement) = &report.agreement {
        agreement_part(&mut html, agreement, &report.runs);
    }
    html.add(
        "<footer><p class=\"pale\">Written by ayo {}. Intervals are 95 % intervals unless stated otherwise. Elo \
         differences are between players at the search limits of the run.</p></footer>",
        &[report.version],
    );
    Ok(html.page(TEMPLATE, &title))
}

fn of_run(html: &mut Html, run: &RunReport, report: &Report) -> anyhow::Result<()> {
    html.add("<section>\n", &[]);
    if report.runs.len() > 1 {
        html.heading(&run.name);
    }
    html.add("<p class=\"headline\">{}</p>\n", &[&run.headline]);
    let mut about = format!(
        "Preset {}, seed {}, {}; {} of {} generations, {}",
        run.preset, run.seed, run.game, run.generation, run.generations, run.state
    );
    if let Some(hours) = run.hours {
        about += &format!("; {} of training", duration(hours));
    }
    html.add("<p class=\"pale\">{}.</p>\n", &[&about]);
    for finding in &run.findings {
        html.add("<p class=\"finding\">{}</p>\n", &[finding]);
    }
    html.heading("What to type next");
    for it in &run.next {
        html.command(&format!("{}:", it.purpose), &it.command);
    }
    curves(html, run)?;
    diagnosis(html, run, (MAX_MAP / report.runs.len()).max(MIN_MAP))?;
    truth(html, run);
    weights(html, run);
    showcase(html, run);
    html.add("</section>\n", &[]);
    Ok(())
}

fn figure(
    html: &mut Html,
    (title, alternative): (&str, &str),
    picture: &Canvas,
    command: &str,
) -> anyhow::Result<()> {
    html.add("<figure>\n<h3>{}</h3>\n", &[title]);
    html.picture(alternative, picture)?;
    html.add("<figcaption>", &[]).command("Command:", command);
    html.add("</figcaption></figure>\n", &[]);
    Ok(())
}

fn whole(number: f64) -> String {
    minus(&format!("{number:.0}"))
}

fn curves(html: &mut Html, run: &RunReport) -> anyhow::Result<()> {
    html.heading("Curves");
    html.add("<div class=\"charts\">\n", &[]);
    fitness(html, run)?;
    ratings(html, run)?;
    measured(html, run)?;
    html.add("</div>\n", &[]);
    ratings_table(html, run);
    Ok(())
}

/// Returns a command as it is typed.
fn ayo(words: &[&str]) -> String {
    format!("ayo {}", shell::typed(words))
}

fn plot_command(run: &RunReport, what: &str) -> String {
    ayo(&["plot", &run.folder, "--what", what, "-o", &format!("plots/{what}.png")])
}

fn fitness(html: &mut Html, run: &RunReport) -> anyhow::Result<()> {
    let [best, mean, worst] = &run.curves.fitness;
    let series = |name, points: &Curve| Series { name, points: points.clone(), intervals: vec![] };
    let series = vec![series("best", best), series("mean", mean), series("worst", worst)];
    let ends = |curve: &Curve| [curve.first(), curve.last()].map(|it| it.map_or(0.0, |it| it.1));
    let ([best, last_best], [mean, last_mean]) = (ends(best), ends(mean));
    let about = format!(
        "Fitness by generation. The mean goes from {mean:.2} to {last_mean:.2} of the possible fitness, the best from \
         {best:.2} to {last_best:.2}. Fitness is relative to the population, so a flat curve does not mean standstill."
    );
    let chart = chart("share of possible fitness", series);
    figure(html, ("Fitness", &about), &chart, &plot_command(run, "fitness"))
}

fn ratings(html: &mut Html, run: &RunReport) -> anyhow::Result<()> {
    let Some(diagnosis) = &run.of_games.diagnosis else { return Ok(()) };
    let rated = || diagnosis.generations.iter().zip(&diagnosis.ratings);
    let series = Series {
        name: "champions",
        points: rated().map(|(generation, it)| (f64::from(*generation), it.elo)).collect(),
        intervals: rated().map(|(_, it)| [it.elo_ci95.0, it.elo_ci95.1]).collect(),
    };
    let about = rated().next_back().map_or(String::new(), |(generation, Rating { elo, elo_ci95 })| {
        let (low, high) = elo_ci95;
        format!(
            "Elo of the champions with 95 % intervals; the first has 0, that of generation {generation} {elo:.0} ({low:.0} \
             to {high:.0})."
        )
    });
    let chart = chart("Elo", vec![series]);
    let title = "Rating in games between champions";
    figure(html, (title, &about), &chart, &report_command(run))
}

fn ratings_table(html: &mut Html, run: &RunReport) {
    let Some(diagnosis) = &run.of_games.diagnosis else { return };
    let rated = diagnosis.generations.iter().zip(&diagnosis.ratings);
    let rows = rated.map(|(generation, Rating { elo, elo_ci95: (low, high) })| {
        let time = run.curves.hours_at(*generation).map_or("unknown".into(), duration);
        let interval = format!("{} to {}", whole(*low), whole(*high));
        vec![generation.to_string(), whole(*elo), interval, time]
    });
    let head = ["generation", "Elo", "95 % interval", "time of training"];
    html.folded_table("Data: ratings by generation and time", &head, &rows.collect::<Vec<_>>());
}

fn measured(html: &mut Html, run: &RunReport) -> anyhow::Result<()> {
    let measured = &run.curves.measured;
    let Some((last, Score { score, .. })) = measured.last() else {
        html.paragraph("The strength against the reference opponents was not measured.");
        return Ok(());
    };
    let series = Series {
        name: "score",
        points: measured.iter().map(|(at, it)| (f64::from(*at), it.score)).collect(),
        intervals: measured.iter().map(|(_, it)| [it.score_ci95.0, it.score_ci95.1]).collect(),
    };
    let about = format!(
        "Mean score of measured champions against the reference opponents with 95 % intervals; {score:.3} in generation \
         {last}."
    );
    let title = "Strength against the reference opponents";
    let chart = chart("points per game", vec![series]);
    figure(html, (title, &about), &chart, &plot_command(run, "strength"))
}

fn report_command(run: &RunReport) -> String {
    ayo(&["report", &run.folder, "--json"])
}

fn weights(html: &mut Html, run: &RunReport) {
    html.heading("What the champion looks at");
    let weights = &run.weights;
    if weights.is_empty() {
        html.paragraph("There is no champion yet.");
        return;
    }
    html.paragraph("Weights with their signs in the evaluation, largest first. A higher value is better for the player.");
    let row = |WeightReport { feature, weight, meaning }: &WeightReport| {
        vec![(*feature).to_owned(), minus(&weight.to_string()), (*meaning).to_owned()]
    };
    let rows: Vec<Vec<String>> = weights.iter().map(row).collect();
    let (shown, rest) = rows.split_at(SHOWN_WEIGHTS.min(rows.len()));
    let head = ["feature", "weight", "meaning"];
    html.table("Largest weights", &head, shown);
    if run.has_learned_features && !rest.is_empty() {
        html.paragraph(format!("{} smaller weights are left out.", rest.len()));
    } else if !rest.is_empty() {
        html.folded_table("Smaller weights", &head, rest);
    }
    html.command("Command:", &ayo(&["inspect", &run.folder]));
    if run.has_learned_features {
        html.command("What each unit looks at:", &plot_command(run, "units"));
    }
}

fn showcase(html: &mut Html, run: &RunReport) {
    html.heading("A game that shows what it learned");
    let Some(it) = &run.of_games.showcase else {
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
    let rows = it.moves.iter().map(|it| {
        let captured = if it.captured > 0 { it.captured.to_string() } else { String::new() };
        let comment = it.comment.clone().unwrap_or_default();
        vec![it.ply.to_string(), it.side.clone(), it.played.to_string(), captured, comment]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let head = ["ply", "side", "move", "captured", "comment"];
    html.folded_table("All moves", &head, &rows);
    let player = format!("minimax:weights={}", run.folder);
    let line = ["bestmove", "--position", &it.opening, "--player", &player];
    html.command("Opening and moves:", &format!("{} {}", it.opening, it.line));
    html.command("Command for a position:", &ayo(&line));
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
        html.add("<h3>{}</h3>\n", &[&format!("Ply {}: {} plays {}", it.ply, it.side, it.played)]);
        html.paragraph(it.comment.as_deref().unwrap_or_default());
        board(html, it);
    }
}

/// Draws a position as a table: North's pits above South's, each from left to right as South sees them.
fn board(html: &mut Html, shown: &ShownMove) {
    let caption = format!("Position {}", shown.position);
    html.add("<table class=\"board\"><caption>{}</caption>\n<tbody>", &[&caption]);
    let row = |first: char, place: usize| -> Vec<(char, u16)> {
        (first..).zip(shown.rows[place].iter().copied()).collect()
    };
    let north = row('a', 1).into_iter().rev().collect();
    for (side, place, pits) in [("North", 1, north), ("South", 0, row('A', 0))] {
        let store = shown.stores[place].to_string();
        html.add("<tr><th scope=\"row\">{} {}</th>", &[side, &store]);
        for (letter, seeds) in pits {
            let markup = if letter == shown.played {
                "<td class=\"played\"><span class=\"pale\">{}</span> {}</td>"
            } else if Some(letter) == shown.old_choice {
                "<td class=\"other\"><span class=\"pale\">{}</span> {}</td>"
            } else {
                "<td><span class=\"pale\">{}</span> {}</td>"
            };
            html.add(markup, &[&letter.to_string(), &seeds.to_string()]);
        }
        html.add("</tr>\n", &[]);
    }
    html.add("</tbody></table>\n", &[]);
}

fn agreement_part(html: &mut Html, Agreement { cosine, features }: &Agreement, runs: &[RunReport]) {
    html.heading("Agreement between seeds");
    html.paragraph(format!(
        "Weights of the champions as shares of the length of all weights. The mean cosine between two champions is \
         {cosine:.2}: 1 for the same direction, 0 for unrelated weights."
    ));
    let rows = features.iter().take(MAX_FEATURES).map(|it| {
        let shares = it.shares.iter().map(|share| minus(&format!("{share:.3}")));
        [it.feature.to_owned()].into_iter().chain(shares).chain([it.meaning.to_owned()]).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let names = runs.iter().filter(|run| !run.weights.is_empty()).map(|run| run.name.as_str());
    let head: Vec<&str> = ["feature"].into_iter().chain(names).chain(["meaning"]).collect();
    html.table("Shares, largest first", &head, &rows);
    let folders = runs.iter().map(|run| run.folder.as_str());
    let output = ["--what", "agreement", "-o", "plots/agreement.png"];
    let words: Vec<&str> = ["plot"].into_iter().chain(folders).chain(output).collect();
    html.command("Command:", &ayo(&words));
}
