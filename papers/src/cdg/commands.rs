//! Commands that print boards and tables of the completely determined game.

use std::io::Write;
use std::iter::successors;
use std::path::PathBuf;

use clap::Args;
use mancala::endgame::cdg::{harvestable, is_cdg, remainder, row};
use mancala::game::Side;
use mancala::game::ayo::Position;
use mancala::progress::Progress;
use serde_json::{Map, Value, json};

use super::Span;
use super::tables::{Failures, Proposition, conjecture_failures};
use super::theory::{Pattern, Situation, Totals, block_count, conjectured, pattern, totals};
use crate::charts::{Chart, Sheet};
use crate::terminal::{ProgressDisplay, check_picture, counted, grouped, shown, usage};

#[derive(Debug, Args)]
pub struct BoardArguments {
    /// Row n of table 3.5. An odd row has n seeds, with the opponent to move; an even row has n + 1 seeds, with the
    /// capturing side to move
    row: u32,
    /// Pits per side
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=99))]
    pits: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl BoardArguments {
    fn situation(&self) -> anyhow::Result<Situation> {
        Situation::of_row(self.row, self.pits).map_err(usage)
    }
}

/// Prints a row of table 3.5 as a board.
pub fn position(arguments: &BoardArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let situation = arguments.situation()?;
    if arguments.json {
        let mut output = json!({ "kind": "cdg-board" });
        output.as_object_mut().into_iter().for_each(|it| it.extend(fields(&situation)));
        writeln!(out, "{output}")?;
        return Ok(());
    }
    let (above, below) = rows(&situation);
    let wide = |row: &[u32]| row.iter().map(|seeds| format!("{seeds:>4}")).collect::<String>();
    writeln!(out, "Y {}", wide(&above.into_iter().rev().collect::<Vec<_>>()))?;
    writeln!(out, "X {}", wide(&below))?;
    writeln!(out, "{} moves a pit of {}", mover(&situation), situation.played())?;
    if let Some(position) = situation.position() {
        writeln!(out, "{position}")?;
    }
    Ok(())
}

/// Lists the board of a row and all boards that follow.
pub fn play(arguments: &BoardArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let boards: Vec<_> = successors(Some(arguments.situation()?), Situation::next).collect();
    let sequence: Vec<u32> = boards.iter().map(Situation::played).collect();
    if arguments.json {
        let rows: Vec<Value> = boards.iter().map(|it| fields(it).into()).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-boards", "rows": rows, "sequence": sequence }))?;
        return Ok(());
    }
    writeln!(out, "{:>4}  X, nearest to Y last | Y, nearest to X first", "n")?;
    for board in &boards {
        let (y, x) = rows(board);
        writeln!(out, "{:>4}  {} | {}", board.row(), joined(&x, " "), joined(&y, " "))?;
    }
    writeln!(out, "sequence {}", joined(&sequence, ","))?;
    Ok(())
}

/// Returns the rows of Y and X, both in sowing order.
fn rows(situation: &Situation) -> (Vec<u32>, Vec<u32>) {
    let below: Vec<u32> = situation.vector().iter().rev().copied().collect();
    let at = usize::from(!situation.opponent_moves());
    // The theory needs a second pit for Y, even on a board with one pit per side.
    let above = (0..below.len().max(2)).map(|pit| u32::from(pit == at)).collect();
    (above, below)
}

fn mover(situation: &Situation) -> &'static str {
    if situation.opponent_moves() { "Y" } else { "X" }
}

fn fields(situation: &Situation) -> Map<String, Value> {
    let (y, x) = rows(situation);
    let fields = [
        ("n", json!(situation.row())),
        ("x", json!(x)),
        ("y", json!(y)),
        ("to_move", json!(mover(situation))),
        ("played", json!(situation.played())),
        ("position", json!(situation.position().map(|position| position.to_string()))),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Joins numbers with a separator.
fn joined(numbers: &[u32], separator: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(separator)
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false, id = "rows")]
struct GivenRows {
    /// Position whose rows are to be measured
    #[arg(long, value_name = "P")]
    position: Option<Position>,
    /// A row of any length, starting with the pit nearest to the opponent: 2,2,1,3,5,7
    #[arg(long, value_name = "ROW", value_delimiter = ',')]
    vector: Option<Vec<u32>>,
}

#[derive(Debug, Args)]
pub struct DistanceArguments {
    #[command(flatten)]
    given: GivenRows,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the distance between rows and a CDG vector.
pub fn distance(arguments: &DistanceArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let GivenRows { position, vector } = &arguments.given;
    let of_side = |position: &Position, side| (format!("{side}"), row(position, side));
    let of_sides = position.iter().flat_map(|it| Side::BOTH.map(|side| of_side(it, side)));
    let rows = of_sides.chain(vector.iter().map(|row| ("row".into(), row.clone())));
    if arguments.json {
        let json = |(name, row): (String, Vec<u32>)| {
            let remainder = remainder(&row);
            json!({
                "name": name,
                "row": row,
                "remainder": remainder.r,
                "distance": remainder.distance,
                "cdg": is_cdg(&row),
                "harvest": harvestable(&row),
            })
        };
        let rows: Vec<Value> = rows.map(json).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-distance", "rows": rows }))?;
        return Ok(());
    }
    for (name, row) in rows {
        let remainder = remainder(&row);
        let left =
            format!("remainder {}  distance {}", joined(&remainder.r, " "), remainder.distance);
        let cdg = if is_cdg(&row) { "a CDG vector" } else { "no CDG vector" };
        let pit = harvestable(&row).map_or("none".into(), |pit| pit.to_string());
        writeln!(out, "{name}: {}  {left}  {cdg}  pit to harvest {pit}", joined(&row, " "))?;
    }
    Ok(())
}

#[derive(Debug, Args)]
pub struct MaximalArguments {
    /// Pits per side, 6 or 1..26, at most 1000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<1000>)]
    pits: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lists the largest CDG vectors.
pub fn maximal(arguments: &MaximalArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let vectors = arguments.pits.numbers().map(|n| (n, super::theory::maximal(n)));
    if arguments.json {
        let rows: Vec<Value> = vectors.map(|(n, x)| json!({ "n": n, "x": x })).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-maximal", "rows": rows }))?;
        return Ok(());
    }
    writeln!(out, "{:>4}  x, nearest to the opponent first", "n")?;
    for (n, vector) in vectors {
        writeln!(out, "{n:>4}  {}", joined(&vector, " "))?;
    }
    Ok(())
}

#[derive(Debug, Args)]
pub struct SumsArguments {
    /// Pits per side, 6 or 1..50, at most 10000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<10_000>)]
    pits: Span,
    /// Also plot s(n)·π/n² to this file, .png or .svg
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lists the sums and block counts of the largest CDG vectors.
pub fn sums(arguments: &SumsArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    arguments.plot.as_deref().map_or(Ok(()), check_picture)?;
    let rows: Vec<_> = arguments.pits.numbers().map(|n| (n, totals(n))).collect();
    if arguments.json {
        let row = |(n, t): &(u32, Totals)| json!({ "n": n, "s": t.s, "f": t.f, "g": t.g });
        let rows: Vec<Value> = rows.iter().map(row).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-sums", "rows": rows }))?;
    } else {
        writeln!(out, "{:>5} {:>9} {:>5} {:>5}  s·π/n²", "n", "s(n)", "f(n)", "g(n)")?;
        for &(n, t) in &rows {
            writeln!(out, "{n:>5} {:>9} {:>5} {:>5}  {:.4}", t.s, t.f, t.g, t.ratio(n))?;
        }
    }
    if let Some(path) = &arguments.plot {
        let points = rows.iter().map(|&(n, t)| (f64::from(n), t.ratio(n))).collect();
        picture(points).write(path)?;
        if !arguments.json {
            writeln!(out, "wrote {}", shown(path))?;
        }
    }
    Ok(())
}

/// Plots s(n)·π/n² against n.
fn picture(points: Vec<(f64, f64)>) -> Sheet {
    let [x_title, y_title] = ["pits a side, n", "s(n)·π/n²"].map(str::to_owned);
    Sheet {
        title: "Seeds of a CDG",
        notes: &["The largest CDG vector of n pits holds s(n) seeds; s(n)·π/n² goes to 1."],
        keys: &[],
        columns: 1,
        sizes: [1400, 72],
        charts: vec![Chart::Limit { x_title, y_title, points }],
    }
}

#[derive(Debug, Args)]
pub struct MatchingArguments {
    /// Numbers of seeds, 8 or 1..21, at most 1000000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<1_000_000>)]
    seeds: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lists matching groups, and the periods of all other numbers of seeds.
pub fn matching(arguments: &MatchingArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let patterns = arguments.seeds.numbers().map(|seeds| (seeds, pattern(seeds)));
    if arguments.json {
        let row = |(seeds, pattern): (u32, Pattern)| {
            let matching = pattern.beyond == 0;
            json!({ "seeds": seeds, "matching": matching, "periods": pattern.periods })
        };
        let rows: Vec<Value> = patterns.map(row).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-matching", "rows": rows }))?;
        return Ok(());
    }
    for (seeds, pattern) in patterns {
        match pattern.beyond {
            0 => writeln!(out, "{seeds:>5}  matching group number {}", pattern.group)?,
            _ => writeln!(out, "{seeds:>5}  period {}", joined(&pattern.periods, " or "))?,
        }
    }
    Ok(())
}

#[derive(Debug, Args)]
pub struct PropositionArguments {
    /// Pits per side, 1..200, at most 1000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<1000>)]
    pits: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Tests propositions I to IV.
pub fn propositions(arguments: &PropositionArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let Span { first, last } = arguments.pits;
    let results = Proposition::ALL.map(|it| (it, it.first_failure(first..=last)));
    if arguments.json {
        let row = |(proposition, failure): &(Proposition, Option<u32>)| json!({ "proposition": proposition.says(), "holds": failure.is_none(), "fails_at": failure });
        let rows: Vec<Value> = results.iter().map(row).collect();
        let checked = [first, last];
        let output = json!({ "kind": "cdg-propositions", "checked": checked, "rows": rows });
        writeln!(out, "{output}")?;
        return Ok(());
    }
    for (proposition, failure) in results {
        let result = failure.map_or("holds".into(), |n| format!("fails for n = {n}"));
        writeln!(out, "{}: {result} for n from {first} to {last}", proposition.says())?;
    }
    Ok(())
}

#[derive(Debug, Args)]
pub struct ConjectureArguments {
    /// Pits per side, 1..100000, at most 1000000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<1_000_000>)]
    pits: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Tests conjecture 1 and lists the first counterexamples.
pub fn conjecture(arguments: &ConjectureArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    const LISTED: usize = 10;
    let Span { first, last } = arguments.pits;
    let display = ProgressDisplay::unstoppable("percent", arguments.quiet);
    let Failures { count, first: failures } =
        conjecture_failures(first..=last, LISTED, &|done, all| {
            display.advance(100 * done / all, 100);
        });
    display.finish();
    if arguments.json {
        let row = |&n: &u32| json!({ "n": n, "f": block_count(n), "conjectured": conjectured(n) });
        let rows: Vec<Value> = failures.iter().map(row).collect();
        let checked = [first, last];
        let output = json!({ "kind": "cdg-conjecture", "checked": checked, "count": count, "counterexamples": rows });
        writeln!(out, "{output}")?;
        return Ok(());
    }
    let range = format!("{} to {}", grouped(first), grouped(last));
    if count == 0 {
        writeln!(out, "conjecture 1 holds for n from {range}")?;
        return Ok(());
    }
    let all = counted(count, "counterexample");
    writeln!(out, "conjecture 1 fails: {all} for n from {range}, the first of them")?;
    for &n in &failures {
        writeln!(out, "  n {n}: f(n) = {}, not {}", block_count(n), conjectured(n))?;
    }
    Ok(())
}
