//! A player's opinion of the moves of replayed games.

use arena::player::{self, PlayableGame, Player, Spec, SpecError};
use arena::{Annotation, NoPayoffs, Summary, annotate};
use mancala::game::{Pit, Record, Replay, Side};
use mancala::progress::Progress;

use crate::analyse::replay::result::{JudgedBy, JudgedMove, ReplayedGame, Sides};

/// Captured seeds whose worth a blunder loses, if nothing else is said.
const BLUNDER_SEEDS: i32 = 3;

/// A player that values moves, and what it calls a blunder.
pub struct Judge<G: PlayableGame> {
    spec: String,
    player: Box<dyn Player<G>>,
    limit: i32,
}

/// Why a player cannot judge.
#[derive(Debug, thiserror::Error)]
pub enum NoJudge {
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// It puts no value on moves.
    #[error("player {0} does not say what a move is worth; one that searches does, as minimax")]
    NoPayoffs(String),
    /// Nothing says what a blunder is.
    #[error("a captured seed is worth nothing to player {0}")]
    NoLimit(String),
}

/// The marks of one game.
pub struct Judged {
    /// What the player thinks of each ply.
    pub annotations: Vec<Annotation>,
    /// Points from which a lost score is a blunder.
    pub limit: i32,
}

impl<G: PlayableGame> Judge<G> {
    /// The player of a specification; a blunder loses `limit` points.
    ///
    /// # Errors
    /// If there is no such player, or it cannot judge.
    pub fn new(spec: &str, game: G, limit: Option<i32>) -> Result<Judge<G>, NoJudge> {
        let spec = player::in_full(spec)?;
        Judge::by(&spec, player::build_for(&spec, game)?, game, limit)
    }

    /// The same of a specification that has been taken apart.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub fn of(spec: &Spec, game: G, limit: Option<i32>) -> Result<Judge<G>, NoJudge> {
        Judge::by(&spec.kind, spec.build(game)?, game, limit)
    }

    fn by(
        spec: &str,
        mut player: Box<dyn Player<G>>,
        game: G,
        limit: Option<i32>,
    ) -> Result<Judge<G>, NoJudge> {
        if player.payoffs(&Record::from_position(game, game.shallow()), &()).is_empty() {
            return Err(NoJudge::NoPayoffs(spec.into()));
        }
        let of_seeds = player.seed_value().map(|value| BLUNDER_SEEDS * value);
        let limit = limit.or(of_seeds).ok_or_else(|| NoJudge::NoLimit(spec.into()))?;
        Ok(Judge { spec: spec.into(), player, limit })
    }

    /// What its marks depend on.
    pub fn terms(&self) -> JudgedBy {
        let (player, reproducible) = (self.spec.clone(), self.player.reproducible());
        JudgedBy { player, blunder: self.limit, reproducible }
    }

    /// Judges a game as far as it replays and goes on.
    ///
    /// # Errors
    /// At the first ply whose moves the player does not value, or that the progress stops it at.
    pub fn judge(
        &mut self,
        replay: &Replay<G>,
        progress: &dyn Progress,
    ) -> Result<Judged, NoPayoffs> {
        let plies = replay.decided.as_ref().map_or(usize::MAX, |decided| decided.ply);
        self.judge_plies(&replay.record, plies, progress)
    }

    /// Judges a game up to where it is over.
    ///
    /// # Errors
    /// As of [`judge`](Self::judge).
    pub fn judge_record(
        &mut self,
        record: &Record<G>,
        progress: &dyn Progress,
    ) -> Result<Judged, NoPayoffs> {
        let mut known = Record::from_position(*record.game(), *record.opening());
        let goes_on =
            |&&(_, pit): &&(Side, Pit)| known.ending().is_none() && known.play(pit).is_ok();
        let plies = record.plies().iter().take_while(goes_on).count();
        self.judge_plies(record, plies, progress)
    }

    fn judge_plies(
        &mut self,
        record: &Record<G>,
        plies: usize,
        progress: &dyn Progress,
    ) -> Result<Judged, NoPayoffs> {
        let plies = plies.min(record.plies().len());
        let annotations = annotate(&mut *self.player, record, plies, progress)?;
        Ok(Judged { annotations, limit: self.limit })
    }
}

impl Judged {
    /// What the moves of a side come to.
    pub fn summary(&self, side: Side) -> Summary {
        Summary::of(&self.annotations, side, self.limit)
    }

    /// Adds the marks to what is known of the game.
    pub fn add_to(&self, game: &mut ReplayedGame) {
        let marks = self.annotations.iter().map(|it| JudgedMove::of(it, self.limit));
        game.moves = Some(marks.collect());
        let [south, north] = Side::BOTH.map(|side| self.summary(side));
        game.summary = Some(Sides { south, north });
    }
}
