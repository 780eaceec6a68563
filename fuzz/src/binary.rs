//! Readers of binary files.

use std::cell::OnceCell;
use std::path::Path;

use ayo::arena::LocalGames;
use ayo::report::page_of;
use ayo::run::{ChampionSelection, Checkpoint, Draft, FINALS, Finalist, GameRunner};
use mancala::book::BookFile;
use mancala::endgame::Tables;
use mancala::eval::{Layer, Weights};
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::Progress;
use mancala::store::Frame;
use tempfile::TempDir;

/// Length of the frame header in bytes.
const HEADER: usize = 24;

/// Returns the bytes with the correct length and checksum in the header, so that the payload is also parsed.
fn with_valid_header(bytes: &[u8]) -> Option<Vec<u8>> {
    let (header, payload) = bytes.split_at_checked(HEADER)?;
    let kind = header[4..8].try_into().ok()?;
    let version = u32::from_le_bytes(header[8..12].try_into().ok()?);
    Some([Frame { kind, version }.header(&[payload]).as_slice(), payload].concat())
}

/// Reads the bytes twice: unchanged, and with a valid header.
fn with_and_without_valid_header(bytes: &[u8], read: impl Fn(&[u8])) {
    read(bytes);
    if let Some(with_valid_header) = with_valid_header(bytes) {
        read(&with_valid_header);
    }
}

/// A checkpoint such as `checkpoint-000040.ayo`.
pub(crate) fn checkpoint(bytes: &[u8]) {
    with_and_without_valid_header(bytes, |bytes| {
        if let Ok(value) = Checkpoint::decode(bytes) {
            assert!(Checkpoint::decode(&value.encode()).is_ok(), "it is not read back");
            _ = (value.generation(), value.settings().map_err(|error| error.to_string()));
        }
    });
}

/// An opening book.
pub(crate) fn book(bytes: &[u8]) {
    let book = |bytes: &[u8]| BookFile::of_bytes(bytes, Path::new("book"))?.book(Ayo::default());
    with_and_without_valid_header(bytes, |bytes| match book(bytes) {
        Ok(value) => {
            let again = book(&value.to_bytes()).expect("it is read back");
            assert_eq!(again.to_bytes(), value.to_bytes(), "it is not read back");
        }
        Err(error) => _ = error.to_string(),
    });
}

/// A layer of learned hidden neurons, such as `features-0123abcd.ayo`.
pub(crate) fn units(bytes: &[u8]) {
    with_and_without_valid_header(bytes, |bytes| match Layer::decode(bytes) {
        Ok(value) => assert_eq!(Layer::decode(&value.encode()), Ok(value), "it is not read back"),
        Err(error) => _ = error.to_string(),
    });
}

thread_local! {
    static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
    static RUN: OnceCell<TempDir> = const { OnceCell::new() };
}

/// Returns a copy of a short run.
fn copy_of_run() -> TempDir {
    let run = Path::new(env!("CARGO_MANIFEST_DIR")).join("../populations/daoud2004");
    let copy = tempfile::tempdir().expect("a temporary folder");
    for name in ["run.toml", "history.csv", "cost.csv", "champion.json"] {
        std::fs::copy(run.join(name), copy.path().join(name)).expect("a file of the run");
    }
    copy
}

/// The games and moves that are stored for a report.
pub(crate) fn report(bytes: &[u8]) {
    RUN.with(|run| {
        let run = run.get_or_init(copy_of_run).path();
        with_and_without_valid_header(bytes, |bytes| {
            for name in ["report-games.ayo", "report-moves.ayo"] {
                std::fs::write(run.join(name), bytes).expect("a temporary file");
                _ = page_of(run).map_err(|error| error.to_string());
            }
        });
    });
}

/// The first layer of an endgame table.
pub(crate) fn layer(bytes: &[u8]) {
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().expect("a temporary folder"));
        with_and_without_valid_header(bytes, |bytes| {
            std::fs::write(folder.path().join("awari-00.ayo"), bytes).expect("a temporary file");
            match Tables::open(folder.path(), Rules::AWARI) {
                Ok(tables) => _ = tables.check(0).map_err(|error| error.to_string()),
                Err(error) => _ = error.to_string(),
            }
        });
    });
}

/// Stops work before it starts.
struct Stopped;

impl Progress for Stopped {
    fn should_stop(&self) -> bool {
        true
    }
}

/// The results of interrupted finals. No further games are played.
pub(crate) fn finals(bytes: &[u8]) {
    let settings = Draft::preset("quick").and_then(Draft::finish).expect("a preset");
    let finalists = ["seeds", "aalina4", "daoud2004-depth5"].map(|name| Finalist {
        name: name.into(),
        weights: Weights::named(name).expect("a named evaluator"),
    });
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().expect("a temporary folder")).path();
        let selection = ChampionSelection {
            folder,
            settings: &settings,
            finalists: &finalists,
            before: None,
            games: 120,
        };
        with_and_without_valid_header(bytes, |bytes| {
            std::fs::write(folder.join(FINALS), bytes).expect("a temporary file");
            _ = selection
                .select(GameRunner { games: &LocalGames::new(), progress: &Stopped }, &mut || ());
        });
    });
}

/// A task or an answer. The work of a task ends before it starts.
pub(crate) fn task(bytes: &[u8]) {
    use ayo::evolve::task;

    with_and_without_valid_header(bytes, |bytes| {
        _ = task::run_task(bytes, &Stopped).map_err(|error| error.to_string());
        _ = task::check_answer(b"", bytes).map_err(|error| error.to_string());
    });
}
