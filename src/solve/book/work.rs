//! Opening books: built, gone on with, checked.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena::player::{self, PlayableGame, Player, Spec, SpecError};
use mancala::book::{Book, BookError, BookFile, Priorities, Step, Terms};
use mancala::eval::Score;
use mancala::game::Record;
use mancala::progress::{Part, Progress};
use mancala::store::{self, FileError};
use rayon::prelude::*;

/// A killed process loses no more than this, and the round under way.
const BETWEEN_SAVES: Duration = Duration::from_secs(4);

/// Why a book cannot be built or checked.
#[derive(Debug, thiserror::Error)]
pub enum NoBook {
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The player gives positions no values that a book could compare.
    #[error("player {0} does not value captured seeds, so it cannot value positions of a book")]
    Valueless(String),
    /// The player would not find the same again.
    #[error(
        "player {0} cannot be reproduced; a book needs depth= or nodes=, one thread and no movetime="
    )]
    Irreproducible(String),
    /// The file holds a book that was built otherwise.
    #[error("{} was built with {found}, not with {asked}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What it was built with.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// The file there cannot be gone on with.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The book cannot be kept.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A player that values positions, once for each thread.
pub struct Valuer<G> {
    written: String,
    spec: Spec,
    game: G,
    identity: String,
    seed_value: u32,
    idle: Mutex<Vec<Box<dyn Player<G>>>>,
}

impl<G: PlayableGame> Valuer<G> {
    /// The player of a specification, for work on so many threads.
    ///
    /// # Errors
    /// If there is none, or a book cannot be built with it.
    pub fn new(player: &str, game: G, threads: usize) -> Result<Valuer<G>, NoBook> {
        let spec = player.parse::<Spec>()?.in_full();
        let idle = (0..threads.max(1)).map(|_| spec.build(game)).collect::<Result<Vec<_>, _>>()?;
        let seed_value = idle[0].seed_value().and_then(|it| u32::try_from(it).ok());
        let seed_value = seed_value.ok_or_else(|| NoBook::Valueless(player.into()))?;
        if !idle[0].reproducible() {
            return Err(NoBook::Irreproducible(player.into()));
        }
        let (identity, idle) = (idle[0].identity(), Mutex::new(idle));
        Ok(Valuer { written: player::in_full(player)?, spec, game, identity, seed_value, idle })
    }

    /// What a position is worth to the side to move; `None` if the search was stopped.
    pub fn value(&self, position: &G::Position, progress: &dyn Progress) -> Option<Score> {
        let taken = self.idle.lock().ok()?.pop();
        let mut player = taken.or_else(|| self.spec.build(self.game).ok())?;
        // What it remembers of another position would change what it finds.
        player.new_game();
        let found = player.advise(&Record::from_position(self.game, *position), progress);
        self.idle.lock().ok()?.push(player);
        // A search that was stopped may have an answer, but not the one that it would have come to.
        found.ok().filter(|_| !progress.should_stop())?.score
    }

    fn terms(&self, priorities: Priorities) -> Terms {
        let (player, identity) = (self.written.clone(), self.identity.clone());
        Terms { player, identity, priorities }
    }
}

/// How the building of a book has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// As many positions are expanded as were asked for.
    Reached,
    /// Every line is in the book to its end.
    Complete,
    /// It was stopped.
    Stopped,
}

/// A book that is being built, and its file.
pub struct Building<G: PlayableGame> {
    book: Book<G>,
    valuer: Valuer<G>,
    path: PathBuf,
}

impl<G: PlayableGame> Building<G> {
    /// Goes on with the book in a file, or begins one. `weights` are those of own moves and of the opponent's, the
    /// usual ones if there are none.
    ///
    /// # Errors
    /// If the file cannot be read or written, or was built otherwise.
    pub fn begin(
        path: &Path,
        game: G,
        valuer: Valuer<G>,
        weights: [Option<u16>; 2],
    ) -> Result<Building<G>, NoBook> {
        let usual = Priorities::usual(valuer.seed_value);
        let [own, opponent] = weights;
        let (own, opponent) = (own.unwrap_or(usual.own), opponent.unwrap_or(usual.opponent));
        let terms = valuer.terms(Priorities { own, opponent, ..usual });
        let book = match path.exists() {
            true => BookFile::read(path)?.book(game)?,
            false => Book::new(game, terms.clone()),
        };
        same(book.terms(), &terms, path)?;
        let building = Building { book, valuer, path: path.into() };
        // Better now than after the first searches.
        building.save()?;
        Ok(building)
    }

    /// The book as far as it is built.
    pub fn book(&self) -> &Book<G> {
        &self.book
    }

    /// Grows the book until so many positions are expanded, in whole rounds, and keeps it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn grow(&mut self, positions: usize, progress: &dyn Progress) -> Result<End, FileError> {
        let mut saved = Instant::now();
        let end = loop {
            let before = self.book.expanded();
            if before >= positions {
                break End::Reached;
            }
            let valuer = &self.valuer;
            let part = Part { whole: progress, before: before as u64, of: positions as u64 };
            match self.book.grow(&|position| valuer.value(position, progress), &part) {
                Step::Grown => {}
                Step::Complete => break End::Complete,
                Step::Stopped => break End::Stopped,
            }
            if saved.elapsed() > BETWEEN_SAVES {
                self.save()?;
                saved = Instant::now();
            }
        };
        self.save()?;
        Ok(end)
    }

    fn save(&self) -> Result<(), FileError> {
        store::replace(&self.path, &self.book.to_bytes())
    }
}

/// Checks that a book was built as is asked for. The player may be written in another way.
fn same(found: &Terms, asked: &Terms, path: &Path) -> Result<(), NoBook> {
    let words = |terms: &Terms| {
        let Priorities { ply, own, opponent } = terms.priorities;
        [terms.identity.clone(), format!("--own {own} --opponent {opponent} (a seed is {ply})")]
    };
    let pairs = words(found).into_iter().zip(words(asked));
    match pairs.into_iter().find(|(found, asked)| found != asked) {
        Some((found, asked)) => {
            let (found, asked) = differing(&found, &asked);
            Err(NoBook::Other { path: path.into(), found, asked })
        }
        None => Ok(()),
    }
}

/// The words of two texts from the first that differs to the last, since what they have in common may be long.
fn differing(one: &str, other: &str) -> (String, String) {
    let [one, other] = [one, other].map(|text| text.split([' ', ',']).collect::<Vec<_>>());
    let alike = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    // The word before says what it is.
    let first = alike(&mut one.iter().zip(&other)).saturating_sub(1);
    let (one, other) = (&one[first..], &other[first..]);
    let last = alike(&mut one.iter().rev().zip(other.iter().rev()));
    let said = |words: &[&str]| match words[..words.len() - last].join(" ") {
        none if none.is_empty() => "nothing in its place".into(),
        words => words,
    };
    (said(one), said(other))
}

/// What the search now says of a position of a book, where that is not what the book was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference<P> {
    /// The position.
    pub position: P,
    /// What the book was told.
    pub told: Score,
    /// What the search says.
    pub found: Score,
}

/// The player that values positions as that of a book did.
///
/// # Errors
/// If there is none, or the files that it reads have changed.
pub fn valuer_of<G: PlayableGame>(
    book: &Book<G>,
    path: &Path,
    threads: usize,
) -> Result<Valuer<G>, NoBook> {
    let terms = book.terms();
    let valuer = Valuer::new(&terms.player, *book.game(), threads)?;
    same(terms, &valuer.terms(terms.priorities), path)?;
    Ok(valuer)
}

/// Values a sample of the positions of a book again, evenly spread, and gives those with another value.
/// `None` if it was stopped.
pub fn value_again<G: PlayableGame>(
    book: &Book<G>,
    valuer: &Valuer<G>,
    sample: usize,
    progress: &dyn Progress,
) -> Option<Vec<Difference<G::Position>>> {
    let searched: Vec<_> = book.searched().collect();
    let sample = sample.min(searched.len());
    let drawn = (0..sample).into_par_iter().map(|i| searched[i * searched.len() / sample]);
    let done = AtomicU64::new(0);
    let valued = drawn.with_max_len(1).map(|(&position, told)| {
        let found = valuer.value(&position, progress)?;
        progress.advance(done.fetch_add(1, Ordering::Relaxed) + 1, sample as u64);
        Some((told != found).then_some(Difference { position, told, found }))
    });
    let valued: Option<Vec<_>> = valued.collect();
    Some(valued?.into_iter().flatten().collect())
}
