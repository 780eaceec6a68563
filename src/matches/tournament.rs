use std::io::Write;
use std::process::ExitCode;

use arena::Form;
use arena::player::PlayableGame;
use clap::Args;
use mancala::game::with_game;

use crate::matches::contest::Setup;
use crate::matches::openings::Choice;
use crate::matches::show::{Effort, setup_error, without_trouble};
use crate::matches::tournament_result::{Cell, RatedPlayer, Tournament};
use crate::terminal::output::print_json;
use crate::terminal::shown;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Players, two or more
    #[arg(value_name = "SPEC", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Only the first player meets the others; ratings are relative to it
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    effort: Effort,
    /// Print JSON, which "ayo plot" draws
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a line of CSV a player, under a header
    #[arg(long)]
    csv: bool,
}

const AFTER_HELP: &str = "\
Every two players meet from every opening twice, with colours swapped. Ratings are Elo points fitted \
to all meetings together (Bradley and Terry's model), with intervals from pairs of games. \
--games counts the games of one meeting.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    with_game!(arguments.choice.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let form = if arguments.gauntlet { Form::Gauntlet } else { Form::RoundRobin };
    let openings = arguments.choice.chosen();
    let setup = Setup::new(form, &arguments.players, game, &openings, None);
    let setup = setup.map_err(setup_error)?;
    let outcome = arguments.effort.play(&setup)?;
    let found = setup.tournament_of(&outcome);
    if arguments.json {
        print_json(&found, out)?;
    } else if arguments.csv {
        print_csv(&found, out)?;
    } else {
        print(&found, out)?;
        if found.interrupted {
            let next = if arguments.effort.games_out.is_some() {
                "; the same command goes on"
            } else {
                ""
            };
            writeln!(out, "\ninterrupted: the figures are those of the games so far{next}")?;
        }
    }
    let outcome = without_trouble(outcome)?;
    Ok(ExitCode::from(if outcome.interrupted { 130 } else { 0 }))
}

fn print_csv(found: &Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    let header = ["rank", "player", "elo", "elo_low", "elo_high", "score", "games", "forfeits"];
    table.write_record(header)?;
    // An empty cell is a figure that is not known yet.
    let cell = |figure: Option<f64>| figure.map(|it| format!("{it:.6}")).unwrap_or_default();
    for (rank, it) in (1..).zip(&found.players) {
        let (low, high) = it.elo_ci95.unzip();
        let figures = [it.elo, low, high, it.score].map(cell);
        let counts = [it.games, it.forfeits].map(|count| count.to_string());
        let named = [i32::to_string(&rank), shown(&it.player)];
        table.write_record(named.iter().chain(&figures).chain(&counts))?;
    }
    table.flush()?;
    Ok(())
}

fn print(found: &Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
    let Tournament { games, distinct_games, openings, terms, .. } = found;
    writeln!(out, "{games} games ({distinct_games} distinct), openings {openings}, {terms}\n")?;
    print_ratings(&found.players, out)?;
    let score = |cell: &Cell| Some(format!("{:.3}", cell.score?));
    print_table("score of the row against the column", &found.crosstable, score, out)?;
    let title = "likelihood that the row is stronger than the column, per cent";
    let per_cent = |los: &Option<f64>| los.map(|los| format!("{:.1}", 100.0 * los));
    print_table(title, &found.los, per_cent, out)?;
    print_remarks(found, out)
}

fn print_ratings(players: &[RatedPlayer], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "  #    Elo      95% interval   score  games  player")?;
    for (rank, it) in (1..).zip(players) {
        let rating = it.elo.zip(it.elo_ci95);
        let rating = rating.map_or(format!("{:>25}", "unknown"), |(elo, (low, high))| {
            format!("{elo:>+6.0}  {low:>+6.0} to {high:>+6.0}")
        });
        let score = it.score.map_or("-".into(), |score| format!("{score:.3}"));
        writeln!(out, "{rank:>3} {rating} {score:>7} {:>6}  {}", it.games, shown(&it.player))?;
    }
    Ok(())
}

fn print_table<T>(
    title: &str,
    rows: &[Vec<T>],
    shown: impl Fn(&T) -> Option<String>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(out, "\n{title}")?;
    let columns: String = (1..=rows.len()).map(|rank| format!("{rank:>7}")).collect();
    writeln!(out, "   {columns}")?;
    for (a, row) in rows.iter().enumerate() {
        let cell = |(b, it)| if a == b { None } else { shown(it) };
        let cells = row.iter().enumerate().map(cell);
        let row: String = cells.map(|it| format!("{:>7}", it.unwrap_or("-".into()))).collect();
        writeln!(out, "{:>3}{row}", a + 1)?;
    }
    Ok(())
}

fn print_remarks(found: &Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
    let rank =
        |name: &String| found.players.iter().position(|it| it.player == *name).map_or(0, |r| r + 1);
    for circle in &found.non_transitive {
        let ([a, b, c], los) = (circle.players.each_ref().map(rank), 100.0 * circle.least_los);
        writeln!(
            out,
            "\nnot transitive: {a} beats {b} beats {c} beats {a} (each at least {los:.0}% likely)"
        )?;
    }
    for RatedPlayer { player, forfeits, first_forfeit, .. } in &found.players {
        if let Some(reason) = first_forfeit {
            writeln!(
                out,
                "\n{} forfeited {forfeits} games, the first because {}",
                shown(player),
                shown(reason)
            )?;
        }
    }
    if !found.reproducible {
        writeln!(out, "\nA player is limited by time: these games cannot be reproduced.")?;
    }
    Ok(())
}
