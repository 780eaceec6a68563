//! `ayo book`: builds, shows, verifies and exports opening books.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use arena::player::{self, PlayableGame, Player, Spec, built_in_book};
use clap::{Args, ValueEnum};
use mancala::book::{Book, BookFile, BookMove, Entry, Priorities, Settings, Step};
use mancala::eval::Score;
use mancala::game::{Record, Side, line, with_game};
use mancala::progress::{Part, Progress};
use mancala::store::{self, FileError};
use rayon::prelude::*;
use serde_json::{Map, json};

use crate::analyse::bestmove::spec_error;
use crate::cli::game::GameChoice;
use crate::terminal::{
    Interrupt, ShownProgress, Workers, announce, counted, grouped, print_json, print_json_line,
    rounded, shown, time_limit, usage,
};

/// How often a book is saved. If the process is killed, the work since the last save is lost.
const SAVE_INTERVAL: Duration = Duration::from_secs(4);

crate::cli::verbs! {
    /// Build a book from the start of the game; the same command resumes an interrupted build
    Build(BuildArguments) => build,
    /// Show a book's moves and their values after a line
    Show(ShowArguments) => show,
    /// Check a book against the rules, its own values and the search
    Verify(VerifyArguments) => verify,
    /// Write a book's positions and moves as text
    Export(ExportArguments) => export,
}

#[derive(Debug, Args)]
struct Source {
    /// Book file [default: the built-in book]
    #[arg(long = "book", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Source {
    fn open(&self) -> anyhow::Result<BookFile> {
        Ok(self.file.as_deref().map_or_else(|| Ok(built_in_book()), BookFile::read)?)
    }

    fn path(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new("the built-in book"))
    }
}

#[derive(Debug, Args)]
#[command(after_help = BUILD_HELP)]
struct BuildArguments {
    /// Book file to write; an existing book is extended
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Positions to expand, rounded up to whole rounds of 32
    #[arg(long, value_name = "N", default_value_t = 1000)]
    positions: u32,
    /// Node limit per searched position
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "player")]
    nodes: u64,
    /// Player that values the positions [default: engine:hash=16 with --nodes]
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// Cost, in plies, per seed given away by the player that uses the book [default: 32]
    #[arg(long, value_name = "N")]
    own: Option<u16>,
    /// Cost, in plies, per seed given away by the opponent [default: 12]
    #[arg(long, value_name = "N")]
    opponent: Option<u16>,
    /// Stop after this time: 90s, 10m, 8h; the same command resumes
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    max_time: Option<Duration>,
    #[command(flatten)]
    choice: GameChoice,
    #[command(flatten)]
    workers: Workers,
}

const BUILD_HELP: &str = "\
Positions are expanded in order of the cost of their line: 1 per ply, plus --own or --opponent for each seed that a \
move loses compared with the best move. High costs make a deep book of good lines, low costs a broad one.

The file is saved every few seconds. Its contents do not depend on interruptions or the number of threads.";

fn build(arguments: &BuildArguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    with_game!(arguments.choice.game()?, game => build_for(arguments, game, out))
}

fn build_for<G: PlayableGame>(
    arguments: &BuildArguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if arguments.positions == 0 {
        return Err(usage("invalid value '0' for --positions: give 1 or more"));
    }
    // Endgame tables don't contain opening positions, so we do without them.
    let tables = if G::OWN_SETTINGS.contains(&"tables") { ",tables=off" } else { "" };
    let default = || format!("engine:nodes={},hash=16{tables}", arguments.nodes);
    let player = arguments.player.clone().unwrap_or_else(default);
    let pool = arguments.workers.pool()?;
    let valuer = Valuer::new(&player, game, pool.current_num_threads())?;
    let file = &arguments.output;
    let mut book = open_or_begin(arguments, &valuer, game)?;
    let (before, all) = (book.expanded() as u64, arguments.positions.into());
    let (path, name) = (shown(file), shown(&player));
    let from = if before > 0 { format!(", from {}", grouped(before)) } else { String::new() };
    let to = counted(all, "position");
    announce(&format!("{path}: building {to}{from}, evaluated by {name}"), out)?;
    let interrupt = Interrupt::listen()?;
    let progress = position_progress(before..all.max(before), arguments.workers, &interrupt);
    if let Some(limit) = arguments.max_time {
        interrupt.set_after(limit);
    }
    let grown = pool.install(|| expand_round(&mut book, &valuer, all as usize, file, &progress));
    progress.finish();
    let (step, time) = (grown?, progress.elapsed());
    let size = format!(
        "moves for {}, values for {}",
        counted(book.expanded() as u64, "position"),
        grouped(book.positions() as u64)
    );
    let (end, code) = match step {
        Step::Expanded => ("all requested positions done", 0),
        Step::Complete => ("every line reaches the end of the game", 0),
        Step::Stopped if interrupt.is_set() => ("interrupted; repeat the command to resume", 130),
        Step::Stopped => ("time limit reached; repeat the command to resume", 0),
    };
    writeln!(out, "{path}: {size}, in {}: {end}", rounded(time))?;
    Ok(ExitCode::from(code))
}

/// Returns a progress display for a range of positions. Positions before the range are shown as already done.
fn position_progress<'a>(
    Range { start, end }: Range<u64>,
    workers: Workers,
    interrupt: &Interrupt,
) -> ShownProgress<'a> {
    ShownProgress::new(end - start, workers.verbosity, interrupt, move |done, _, left| {
        format!("{} of {} positions{left}", grouped(start + done), grouped(end))
    })
}

fn open_or_begin<G: PlayableGame>(
    arguments: &BuildArguments,
    valuer: &Valuer<G>,
    game: G,
) -> anyhow::Result<Book<G>> {
    let file = &arguments.output;
    let mut terms = valuer.terms.clone();
    terms.priorities.own = arguments.own.unwrap_or(terms.priorities.own);
    terms.priorities.opponent = arguments.opponent.unwrap_or(terms.priorities.opponent);
    let book = match file.exists() {
        true => {
            let found = BookFile::read(file)?;
            let is_other = found.game() != game.into();
            found.book(game).map_err(|it| if is_other { usage(it) } else { it.into() })?
        }
        false => Book::new(game, terms.clone()),
    };
    check_terms(book.settings(), &terms, file)?;
    // Write the file now, so that an unwritable path is an error before the first search rather than after it.
    store::write_output(file, &book.to_bytes())?;
    Ok(book)
}

/// Expands a book by whole rounds until it has enough positions, it's complete or a stop is requested, and saves it.
fn expand_round<G: PlayableGame>(
    book: &mut Book<G>,
    valuer: &Valuer<G>,
    positions: usize,
    file: &Path,
    progress: &dyn Progress,
) -> Result<Step, FileError> {
    let (start, mut saved) = (book.expanded(), Instant::now());
    let mut step = Step::Expanded;
    while book.expanded() < positions && matches!(step, Step::Expanded) {
        let before = (book.expanded() - start) as u64;
        let part = Part { whole: progress, before, of: (positions - start) as u64 };
        step = book.expand_round(&|position| valuer.value(position, progress), &part);
        if saved.elapsed() > SAVE_INTERVAL {
            store::write_output(file, &book.to_bytes())?;
            saved = Instant::now();
        }
    }
    store::write_output(file, &book.to_bytes())?;
    Ok(step)
}

/// A player that assigns values to positions, with one instance per thread.
struct Valuer<G> {
    spec: Spec,
    game: G,
    /// The settings of a book that is built with this player and the default priorities.
    terms: Settings,
    idle: Mutex<Vec<Box<dyn Player<G>>>>,
}

impl<G: PlayableGame> Valuer<G> {
    fn new(player: &str, game: G, threads: usize) -> anyhow::Result<Valuer<G>> {
        let spec = player.parse::<Spec>().map_err(spec_error)?.in_full();
        let instances = (0..threads.max(1)).map(|_| spec.build(game));
        let idle = instances.collect::<Result<Vec<_>, _>>().map_err(spec_error)?;
        let Some(seed_value) = idle[0].seed_value().and_then(|value| u32::try_from(value).ok())
        else {
            return Err(usage(format!(
                "player {player} does not evaluate captured seeds, so it cannot evaluate book positions"
            )));
        };
        if !idle[0].is_reproducible() {
            return Err(usage(format!(
                "player {player} is not reproducible; a book needs depth= or nodes=, one thread and no movetime="
            )));
        }
        let terms = Settings {
            player: player::in_full(player).map_err(spec_error)?,
            identity: idle[0].identity(),
            priorities: Priorities::for_seed_value(seed_value),
        };
        Ok(Valuer { spec, game, terms, idle: Mutex::new(idle) })
    }

    /// Returns the value for the side to move, or `None` if the search was stopped.
    fn value(&self, position: &G::Position, progress: &dyn Progress) -> Option<Score> {
        let taken = self.idle.lock().ok()?.pop();
        let mut player = taken.or_else(|| self.spec.build(self.game).ok())?;
        // Clear the transposition table, because entries from other positions would affect the value.
        player.new_game();
        let choice = player.advise(&Record::from_position(self.game, *position), progress);
        self.idle.lock().ok()?.push(player);
        // A stopped search may not have been as deep as usual, so we discard the result.
        choice.ok().filter(|_| !progress.should_stop())?.score
    }
}

/// Checks that a book was built with the requested settings. A different spelling of the same player is accepted.
fn check_terms(found: &Settings, wanted: &Settings, path: &Path) -> anyhow::Result<()> {
    let texts = |terms: &Settings| {
        let Priorities { ply, own, opponent } = terms.priorities;
        [terms.identity.clone(), format!("--own {own} --opponent {opponent} (a seed is {ply})")]
    };
    let mut texts = texts(found).into_iter().zip(texts(wanted));
    texts.find(|(found, wanted)| found != wanted).map_or(Ok(()), |(found, wanted)| {
        let (found, wanted) = difference(&found, &wanted);
        Err(usage(format!("{} was built with {found}, not {wanted}", path.display())))
    })
}

/// Finds the first word in which two strings differ. Returns that word of each string, after the last common word.
fn difference(one: &str, other: &str) -> (String, String) {
    let [one, other] = [one, other].map(|text| text.split([' ', ',']).collect::<Vec<_>>());
    let first = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let text = |words: &[&str]| match words.get(first.saturating_sub(1)..=first) {
        Some(words) => words.join(" "),
        None => format!("only {}", words[first - 1]),
    };
    (text(&one), text(&other))
}

/// Searches a sample of positions again. Returns the values that differ, or `None` if a search was stopped.
fn value_again<G: PlayableGame>(
    book: &Book<G>,
    valuer: &Valuer<G>,
    sample: usize,
    progress: &dyn Progress,
) -> Option<Vec<(G::Position, Score, Score)>> {
    let searched: Vec<_> = book.searched().collect();
    let done = AtomicU64::new(0);
    let drawn = (0..sample).into_par_iter().map(|index| searched[index * searched.len() / sample]);
    let valued = drawn.with_max_len(1).map(|(&position, stored)| {
        let found = valuer.value(&position, progress)?;
        progress.advance(done.fetch_add(1, Ordering::Relaxed) + 1, sample as u64);
        Some((stored != found).then_some((position, stored, found)))
    });
    let valued: Option<Vec<_>> = valued.collect();
    Some(valued?.into_iter().flatten().collect())
}

#[derive(Debug, Args)]
struct ShowArguments {
    /// Moves from the start, as in FfE; for ayo also "4S6, 4N6"
    #[arg(value_name = "LINE")]
    line: Option<String>,
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn show(arguments: &ShowArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let file = arguments.source.open()?;
    with_game!(file.game(), game => show_moves(arguments, &file.book(game)?, out))
}

fn show_moves<G: PlayableGame>(
    arguments: &ShowArguments,
    book: &Book<G>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let game = *book.game();
    let typed = arguments.line.as_deref().unwrap_or("");
    let record = match typed.trim() {
        "" => Ok(Record::new(game, Side::South)),
        text => game.read_line(text, Some(game.start(Side::South))),
    };
    let record = record.map_err(|it| usage(format!("invalid value '{typed}' for LINE: {it}")))?;
    let (position, side) = (record.position(), record.to_move());
    let Some(entry) = book.probe(position) else {
        bail!("position {position} is not in {}", shown(arguments.source.path()));
    };
    let (best, moves) = (entry.best(), entry.moves());
    let seed = book.settings().priorities.ply;
    if arguments.json {
        let moves = moves.iter().map(|&BookMove { pit, value, searched }| {
            json!({
                "move": pit.letter(side),
                "value": value.0,
                "searched": searched.0,
                "line": line(&entry.variation(pit)),
            })
        });
        let result = json!({
            "kind": "book-entry",
            "position": position.to_string(),
            "move": best.pit.letter(side),
            "value": best.value.0,
            "seed": seed,
            "moves": moves.collect::<Vec<_>>(),
        });
        return print_json_line(&result, out);
    }
    writeln!(out, "{position}, {side} to move")?;
    writeln!(out, "{:<6}{:>14}{:>8}{:>14}  line", "move", "value", "seeds", "searched")?;
    for BookMove { pit, value, searched } in moves {
        let seeds = match value.counts_plies() {
            true => String::new(),
            false => format!("{:+.2}", f64::from(value.0) / f64::from(seed)),
        };
        let (letter, line) = (pit.letter(side), line(&entry.variation(pit)));
        let (value, searched) = (value.to_string(), searched.to_string());
        writeln!(out, "{letter:<6}{value:>14}{seeds:>8}{searched:>14}  {line}")?;
    }
    Ok(writeln!(out, "the book plays {}", best.pit.letter(side))?)
}

#[derive(Debug, Args)]
struct VerifyArguments {
    #[command(flatten)]
    source: Source,
    /// Number of positions to search again
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: u32,
    #[command(flatten)]
    workers: Workers,
}

fn verify(arguments: &VerifyArguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let file = arguments.source.open()?;
    // Loading the book verifies its checksum and replays all moves.
    with_game!(file.game(), game => verify_book(arguments, &file.book(game)?, out))
}

fn verify_book<G: PlayableGame>(
    arguments: &VerifyArguments,
    book: &Book<G>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let path = arguments.source.path();
    if !book.is_reproducible() {
        bail!("{} contains positions that do not follow from its searches", shown(path));
    }
    let (expanded, valued) = (book.expanded() as u64, book.positions() as u64);
    writeln!(out, "moves for {}, values for {}", counted(expanded, "position"), grouped(valued))?;
    let pool = arguments.workers.pool()?;
    let terms = book.settings();
    let valuer = Valuer::new(&terms.player, *book.game(), pool.current_num_threads())?;
    let priorities = terms.priorities;
    check_terms(terms, &Settings { priorities, ..valuer.terms.clone() }, path)?;
    let sample = (arguments.sample as usize).min(book.searched().count());
    let interrupt = Interrupt::listen()?;
    let progress = position_progress(0..sample as u64, arguments.workers, &interrupt);
    let differences = pool.install(|| value_again(book, &valuer, sample, &progress));
    progress.finish();
    let Some(differences) = differences else {
        writeln!(out, "interrupted; no differences so far")?;
        return Ok(ExitCode::from(130));
    };
    if let Some((position, stored, found)) = differences.first() {
        bail!(
            "{} of {sample} values differ: {position} is {stored} in the book, but {found} in the search",
            differences.len()
        );
    }
    writeln!(out, "{} searched again, all values agree", counted(sample as u64, "position"))?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Debug, Args)]
struct ExportArguments {
    #[command(flatten)]
    source: Source,
    /// Output format
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Csv,
    Json,
}

/// Writes the positions in the order in which they were expanded.
fn export(arguments: &ExportArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let file = arguments.source.open()?;
    with_game!(file.game(), game => {
        let book = file.book(game)?;
        match arguments.format {
            Format::Csv => export_csv(&book, out),
            Format::Json => export_json(&book, out),
        }
    })
}

fn export_csv<G: PlayableGame>(book: &Book<G>, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "line,position,move,value,searched,best")?;
    for entry in book.entries() {
        let (position, best, line) = (entry.position(), entry.best().pit, line(&entry.line()));
        for BookMove { pit, value, searched } in entry.moves() {
            let letter = pit.letter(book.game().to_move(position));
            let is_best = u8::from(pit == best);
            writeln!(out, "{line},{position},{letter},{},{},{is_best}", value.0, searched.0)?;
        }
    }
    Ok(())
}

fn export_json<G: PlayableGame>(book: &Book<G>, out: &mut dyn Write) -> anyhow::Result<()> {
    let position = |entry: Entry<'_, G>| {
        let side = book.game().to_move(entry.position());
        let moves = entry.moves().into_iter();
        let moves: Map<_, _> = moves
            .map(|BookMove { pit, value, .. }| (pit.letter(side).into(), json!(value.0)))
            .collect();
        let best = entry.best().pit.letter(side);
        let (line, position) = (line(&entry.line()), entry.position().to_string());
        json!({ "line": line, "position": position, "best": best, "moves": moves })
    };
    let (word, text) = book.game().description();
    let terms = book.settings();
    let (player, seed) = (&terms.player, terms.priorities.ply);
    let positions: Vec<_> = book.entries().map(position).collect();
    print_json(
        &json!({ "kind": "book", word: text, "player": player, "seed": seed, "positions": positions }),
        out,
    )
}
