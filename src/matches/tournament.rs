//! `ayo tournament`: plays a tournament between several players, rates them and plots the ratings.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use arena::player::PlayableGame;
use arena::{
    Contest, ContestGame, Crosstable, Form, Pentanomial, Ratings, Tally, Triple, distinct_games,
};
use clap::Args;
use mancala::game::{AnyGame, with_game};
use serde::{Deserialize, Serialize};

use super::contest::{AdjudicationResult, ContestOutcome};
use super::options::{Options, check};
use super::two_players::PlayerEffort;
use crate::plot::{Canvas, LARGEST, Row, Rows, minus, plain, style};
use crate::terminal::{print_json, shown, signed};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Two or more players
    #[arg(value_name = "SPEC", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Play only the first player against the others; ratings are relative to the first player
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    options: Options,
}

const AFTER_HELP: &str = "\
Each pair of players plays every opening twice, with colours swapped. Ratings are Elo points fitted to all pairings \
(Bradley-Terry model), with intervals computed from game pairs. --games is the number of games per pairing.";

/// The result of a tournament. The players and the rows and columns of tables are sorted by rating, strongest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "tournament")]
pub struct Tournament {
    #[serde(flatten)]
    pub game: AnyGame,
    pub openings: String,
    /// A description of the rating that is defined as 0.
    pub reference: String,
    pub games: u64,
    #[serde(default)]
    pub distinct_games: usize,
    pub players: Vec<RatedPlayer>,
    /// The scores of each row's player against each column's player.
    #[serde(default)]
    pub crosstable: Vec<Vec<Cell>>,
    /// The likelihood that each row's player is stronger than each column's player. This is `None`
    /// until all players are connected by games.
    #[serde(default)]
    pub los: Vec<Vec<Option<f64>>>,
    /// Triples of players that beat each other in a cycle.
    #[serde(default)]
    pub non_transitive: Vec<Triple<String>>,
    pub adjudication: Option<AdjudicationResult>,
    /// Whether the games can be reproduced on any machine.
    #[serde(default)]
    pub reproducible: bool,
    pub interrupted: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RatedPlayer {
    pub player: String,
    /// The player's rating. This is `None` until all players are connected by games.
    pub elo: Option<f64>,
    pub elo_ci95: Option<(f64, f64)>,
    pub score: Option<f64>,
    #[serde(default)]
    pub games: u64,
    #[serde(flatten)]
    pub effort: PlayerEffort,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    pub score: Option<f64>,
    pub pairs: Pentanomial,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<ExitCode> {
    with_game!(arguments.options.game.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(arguments: &Arguments, game: G, out: &mut dyn Write) -> Result<ExitCode> {
    let form = if arguments.gauntlet { Form::Gauntlet } else { Form::RoundRobin };
    let contest = arguments.options.contest(form, &arguments.players, game, None)?;
    let outcome = arguments.options.play(&contest)?;
    let found = Tournament::new(&contest, &outcome);
    if arguments.options.json {
        print_json(&found, out)?;
    } else if arguments.options.csv {
        print_csv(&found, out)?;
    } else {
        print(&found, out)?;
        if found.interrupted {
            let is_saved = arguments.options.games_out.is_some();
            let next = if is_saved { "; repeat the command to resume" } else { "" };
            writeln!(out, "\ninterrupted: these results include only the games so far{next}")?;
        }
    }
    let outcome = check(outcome)?;
    Ok(ExitCode::from(if outcome.interrupted { 130 } else { 0 }))
}

impl Tournament {
    fn new<G: PlayableGame>(contest: &Contest<G>, outcome: &ContestOutcome) -> Tournament {
        let games = &outcome.games;
        let pairings: Vec<&[ContestGame]> = games.chunks(contest.games_per_pairing()).collect();
        let tallies: Vec<Tally> = pairings.iter().map(|games| Tally::of(games)).collect();
        let mut table = Crosstable::new(contest.players.len());
        for ([a, b], tally) in contest.pairings.iter().zip(&tallies) {
            table.add_all(*a, *b, tally.pairs);
        }
        let (reference, reference_text) = match contest.form {
            Form::Gauntlet => (Some(0), "the first player is 0"),
            Form::Match | Form::RoundRobin => (None, "the mean is 0"),
        };
        let ratings = Ratings::fit(&table);
        let rating = |player: usize| ratings.as_ref().map(|ratings| ratings.of(player, reference));
        let elo = |player: &usize| rating(*player).map_or(0.0, |rating| rating.elo);
        let mut order: Vec<usize> = (0..contest.players.len()).collect();
        order.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
        let spec = |player: usize| contest.players[player].spec.clone();
        let rated = |&player: &usize| {
            let pairs = table.of_player(player);
            let own = contest.pairings.iter().zip(&tallies).filter_map(|(pairing, tally)| {
                Some((tally, pairing.iter().position(|&it| it == player)?))
            });
            RatedPlayer {
                player: spec(player),
                elo: rating(player).map(|rating| rating.elo),
                elo_ci95: rating(player).map(|rating| rating.elo_ci95),
                score: pairs.score(),
                games: 2 * pairs.pairs(),
                effort: PlayerEffort::of(own),
            }
        };
        let triples = table.non_transitive_triples().into_iter();
        Tournament {
            game: contest.game.into(),
            openings: contest.suite.clone(),
            reference: reference_text.into(),
            games: tallies.iter().map(|tally| tally.games).sum(),
            // We count only games in complete pairs.
            distinct_games: distinct_games(games.as_chunks::<2>().0.as_flattened()),
            players: order.iter().map(rated).collect(),
            crosstable: square(&order, |a, b| {
                let pairs = table.between(a, b);
                Cell { score: pairs.score(), pairs }
            }),
            los: square(&order, |a, b| ratings.as_ref().map(|ratings| ratings.los(a, b))),
            non_transitive: triples.map(|triple| triple.named(spec)).collect(),
            adjudication: AdjudicationResult::new(contest, games),
            reproducible: contest.is_reproducible(),
            interrupted: outcome.interrupted,
        }
    }

    /// Checks that a result read from a file can be drawn.
    fn check(&self) -> Result<(), String> {
        let count = self.players.len();
        if !(1..=MAX_DRAWN).contains(&count) {
            return Err(format!("cannot draw {count} players; the limit is 1 to {MAX_DRAWN}"));
        }
        for it in &self.players {
            let player = plain(&it.player);
            let (Some(elo), Some((low, high))) = (it.elo, it.elo_ci95) else {
                return Err(format!("{player} has no rating: games are missing"));
            };
            let is_ordered = low <= elo && elo <= high;
            if !is_ordered || low.abs() > LARGEST || high.abs() > LARGEST {
                return Err(format!("the rating of {player} is out of range"));
            }
        }
        Ok(())
    }
}

/// Returns a square table with a cell for each pair of players. The rows and columns follow `order`.
fn square<T>(order: &[usize], cell: impl Fn(usize, usize) -> T) -> Vec<Vec<T>> {
    order.iter().map(|a| order.iter().map(|b| cell(*a, *b)).collect()).collect()
}

fn print_csv(found: &Tournament, out: &mut dyn Write) -> Result<()> {
    let mut table = csv::Writer::from_writer(out);
    let header = ["rank", "player", "elo", "elo_low", "elo_high", "score", "games", "forfeits"];
    table.write_record(header.iter().chain(&PlayerEffort::COLUMNS))?;
    // An empty cell means that the value is unknown.
    let cell = |figure: Option<f64>| figure.map(|it| format!("{it:.6}")).unwrap_or_default();
    for (rank, it) in (1..).zip(&found.players) {
        let (low, high) = it.elo_ci95.unzip();
        let figures = [it.elo, low, high, it.score].map(cell);
        let counts = [it.games, it.effort.forfeits].map(|count| count.to_string());
        let named = [i32::to_string(&rank), shown(&it.player)];
        table
            .write_record(named.iter().chain(&figures).chain(&counts).chain(&it.effort.cells()))?;
    }
    table.flush()?;
    Ok(())
}

fn print(found: &Tournament, out: &mut dyn Write) -> Result<()> {
    let Tournament { games, distinct_games, openings, game, .. } = found;
    writeln!(
        out,
        "{games} games ({distinct_games} distinct), openings {openings}, {}\n",
        game.terms()
    )?;
    print_ratings(&found.players, out)?;
    let score = |cell: &Cell| Some(format!("{:.3}", cell.score?));
    print_table("score of the row against the column", &found.crosstable, score, out)?;
    let title = "likelihood that the row is stronger than the column, per cent";
    let per_cent = |los: &Option<f64>| los.map(|los| format!("{:.1}", 100.0 * los));
    print_table(title, &found.los, per_cent, out)?;
    print_remarks(found, out)
}

fn print_ratings(players: &[RatedPlayer], out: &mut dyn Write) -> Result<()> {
    writeln!(out, "  #    Elo      95% interval   score  games  player")?;
    for (rank, it) in (1..).zip(players) {
        let rating = it.elo.zip(it.elo_ci95);
        let rating = rating.map_or(format!("{:>25}", "unknown"), |(elo, (low, high))| {
            let [elo, low, high] = [elo, low, high].map(signed);
            format!("{elo:>6}  {low:>6} to {high:>6}")
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
) -> Result<()> {
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

fn print_remarks(found: &Tournament, out: &mut dyn Write) -> Result<()> {
    let rank =
        |name: &String| found.players.iter().position(|it| it.player == *name).map_or(0, |r| r + 1);
    for circle in &found.non_transitive {
        let ([a, b, c], los) = (circle.players.each_ref().map(rank), 100.0 * circle.least_los);
        writeln!(
            out,
            "\nnot transitive: {a} beats {b} beats {c} beats {a} (each at least {los:.0}% likely)"
        )?;
    }
    writeln!(out, "\ncost per move")?;
    for (rank, RatedPlayer { effort, .. }) in (1..).zip(&found.players) {
        writeln!(out, "{rank:>3}  {}", effort.per_move())?;
    }
    if let Some(result) = &found.adjudication {
        writeln!(out)?;
        result.print(out)?;
    }
    for RatedPlayer { player, effort, .. } in &found.players {
        effort.print_forfeits(&shown(player), out)?;
    }
    if !found.reproducible {
        writeln!(out, "\nA player has a time limit, so these games cannot be reproduced.")?;
    }
    Ok(())
}

/// The maximum number of players in a plot. A plot of more players would be unreadable.
const MAX_DRAWN: usize = 200;

/// Draws the ratings as dots with confidence intervals.
pub(crate) fn picture(found: &Tournament) -> Result<Canvas, String> {
    found.check()?;
    let mut players: Vec<&RatedPlayer> = found.players.iter().collect();
    players.sort_by(|one, other| other.elo.unwrap_or(0.0).total_cmp(&one.elo.unwrap_or(0.0)));
    let notes = super::notes(found.games, &found.openings, found.game, found.interrupted);
    let notes = plain(&format!("Elo, {} · {notes}", found.reference));
    let rows = Rows {
        rows: players.into_iter().map(row).collect(),
        are_numbered: true,
        axis_title: "Elo, with 95 % intervals",
        ..Rows::default()
    };
    Ok(rows.picture("Ratings", &[], &[&notes]))
}

fn row(player: &RatedPlayer) -> Row {
    let elo = player.elo.unwrap_or_default();
    let (low, high) = player.elo_ci95.unwrap_or_default();
    let rounded = minus(&format!("{elo:+.0}"));
    let rounded = if rounded == "+0" { "0" } else { &rounded };
    Row {
        name: plain(&player.player),
        figure: format!("{rounded} ± {:.0}", (high - low) / 2.0),
        dots: vec![(style::BLUE.into(), elo)],
        interval: Some([low, high]),
        ..Row::default()
    }
}
