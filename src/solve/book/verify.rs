use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use arena::player::PlayableGame;
use clap::Args;
use mancala::book::BookFile;
use mancala::game::with_game;

use crate::solve::book::source::{Source, book_error};
use crate::solve::book::watch::Watch;
use crate::solve::book::work::{value_again, valuer_of};
use crate::terminal::meter::{counted, grouped};
use crate::terminal::shown;
use crate::terminal::workers::Workers;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Positions that the search values again
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: u32,
    #[command(flatten)]
    workers: Workers,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let file = arguments.source.open()?;
    with_game!(file.game(), game => verify(arguments, file, game, out))
}

fn verify<G: PlayableGame>(
    arguments: &Arguments,
    file: BookFile,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let path = arguments.source.path();
    // Reading it has checked its sum and played its moves.
    let book = file.book(game)?;
    if !book.follows_from_its_searches() {
        bail!("{} does not follow from its searches: other positions come first", shown(path));
    }
    let (known, valued) = (book.expanded() as u64, book.positions() as u64);
    writeln!(out, "moves of {}, values of {}", counted(known, "position"), grouped(valued))?;
    let pool = arguments.workers.pool()?;
    let valuer = valuer_of(&book, path, pool.current_num_threads()).map_err(book_error)?;
    let sample = (arguments.sample as usize).min(book.searched().count());
    let watch = Watch::new([0, sample as u64], None, arguments.workers.verbosity())?;
    let found = pool.install(|| value_again(&book, &valuer, sample, &watch));
    watch.finish();
    let Some(differences) = found else {
        writeln!(out, "interrupted; right so far")?;
        return Ok(ExitCode::from(130));
    };
    if let Some(first) = differences.first() {
        let (position, told, found) = (first.position, first.told, first.found);
        bail!(
            "{} of {sample} values differ: {position} is {told} in the book, the search says {found}",
            differences.len()
        );
    }
    writeln!(out, "{} valued again, all as it should be", counted(sample as u64, "position"))?;
    Ok(ExitCode::SUCCESS)
}
