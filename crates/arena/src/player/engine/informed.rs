//! When an engine knows endgame tables.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::player::minimax::Minimax;
use crate::player::tables::Provided;
use mancala::endgame::Tables;
use mancala::eval::Weights;
use mancala::game::Record;
use mancala::progress::Progress;
use mancala::search::{Limits, Options, SearchableGame};

/// With so many seeds on the board beyond those of the tables, searches hardly come to them.
const FAR: u16 = 12;
/// With so many beyond them they will soon be needed.
const SOON: u16 = 24;

/// A player with some weights, and the same with endgame tables once they are there.
#[derive(Debug, Clone)]
pub(super) struct Informed<G: SearchableGame> {
    plain: Minimax<G>,
    tables: Option<Known<G>>,
}

/// Tables, and the player that knows them.
#[derive(Debug, Clone)]
struct Known<G: SearchableGame> {
    provided: Provided,
    weights: Weights,
    options: Options,
    /// Made when it is needed.
    player: OnceLock<Minimax<G>>,
}

impl<G: SearchableGame> Informed<G> {
    /// A player without tables.
    pub(super) fn without(plain: Minimax<G>) -> Self {
        Informed { plain, tables: None }
    }

    /// The player of these weights with tables.
    pub(super) fn with(self, weights: &Weights, options: Options, provided: Provided) -> Self {
        let (weights, player) = (weights.clone(), OnceLock::new());
        Informed { tables: Some(Known { provided, weights, options, player }), ..self }
    }

    /// The player for a position. Whether it knows the tables depends on the seeds on the board alone, so that a
    /// game is played again move for move: it waits for them, unless its time is limited.
    pub(super) fn at(
        &self,
        record: &Record<G>,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> &Minimax<G> {
        let Some(known) = &self.tables else { return &self.plain };
        let provided = &known.provided;
        let seeds: u16 = record.game().rows(record.position()).concat().iter().sum();
        let beyond = seeds.saturating_sub(provided.most_seeds().into());
        if beyond <= SOON {
            provided.begin();
        }
        let tables = match limits.movetime {
            _ if beyond > FAR => None,
            Some(_) => provided.ready(),
            None => provided.wait(progress),
        };
        tables.map_or(&self.plain, |tables| known.player(&self.plain, tables))
    }

    /// The player with tables or without, with them only if they are there.
    pub(super) fn now(&self, with_tables: bool) -> &Minimax<G> {
        let known = self.tables.as_ref().filter(|_| with_tables);
        let ready =
            known.and_then(|known| Some(known.player(&self.plain, known.provided.ready()?)));
        ready.unwrap_or(&self.plain)
    }

    /// The player that knows no tables.
    pub(super) fn plain(&self) -> &Minimax<G> {
        &self.plain
    }

    /// The tables, if they are there.
    pub(super) fn tables(&self) -> Option<&Tables> {
        self.tables.as_ref()?.provided.ready().map(|tables| &**tables)
    }
}

impl<G: SearchableGame> Known<G> {
    fn player(&self, plain: &Minimax<G>, tables: &Arc<Tables>) -> &Minimax<G> {
        self.player.get_or_init(|| {
            plain.clone().with_tables(&self.weights, self.options, Arc::clone(tables))
        })
    }
}

/// Weights, and what tables it knows.
impl<G: SearchableGame> fmt::Display for Informed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.plain.searcher())?;
        match &self.tables {
            Some(known) => write!(f, " {}", known.provided),
            None => Ok(()),
        }
    }
}
