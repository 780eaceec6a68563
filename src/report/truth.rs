//! The accuracy of champions in games against themselves, according to endgame tables.

use arena::player::Minimax;
use arena::{Accuracy, accuracy_of_moves, gather_all, play_game};
use evolve::run::Settings;
use mancala::endgame::{BuildPlan, Tables, build};
use mancala::eval::Weights;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::{Progress, Silent};
use mancala::random::{Purpose, stream};
use rand::RngExt;

use super::showcase::openings;

/// Maximum number of seeds in the tables, which are built in memory within a second.
pub(super) const SEEDS: u8 = 12;
/// Number of games of each champion, from openings that are not used in training.
const GAMES: usize = 150;
const SEED: u64 = 1;

/// Builds the tables, or returns the reason why there are none for the game of a run. Returns `None` if the progress
/// stopped it.
pub(super) fn tables(game: Ayo, progress: &dyn Progress) -> Result<Option<Tables>, String> {
    let plan = BuildPlan::in_memory(game.rules, SEEDS).map_err(|error| error.to_string())?;
    build(&plan, &Silent(progress), |_| ()).map_err(|error| error.to_string())
}

/// Returns the accuracy of a champion in one position of each of its games. Returns `None` if the progress stopped the
/// games, or if none of them reaches such a position.
pub(super) fn accuracy(
    game: Ayo,
    settings: &Settings,
    champion: &Weights,
    tables: &Tables,
    progress: &dyn Progress,
) -> Option<Accuracy> {
    let conditions = settings.conditions();
    let player = Minimax::<Ayo>::new(champion, conditions.limits, conditions.options);
    let openings = openings(game, GAMES)?;
    let moves = gather_all(openings.positions().len(), &Silent(progress), |index, progress| {
        let mut record = Record::from_position(game, openings.positions()[index]);
        let (mut south, mut north) = (player.clone(), player.clone());
        play_game(&mut record, [&mut south, &mut north], progress)?;
        Some(drawn_move(&record, index as u64))
    })?;
    accuracy_of_moves(tables, moves.into_iter().flatten()).ok()?
}

/// Draws a move from a game, in a position with few seeds and a choice.
fn drawn_move(record: &Record<Ayo>, number: u64) -> Option<(Position, Pit)> {
    let (game, mut position) = (*record.game(), *record.opening());
    let mut moves = Vec::new();
    for &(_, pit) in record.plies() {
        let seeds: u8 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
        if seeds <= SEEDS && game.moves(&position).len() > 1 {
            moves.push((position, pit));
        }
        position = game.play(&position, pit);
    }
    let last = (moves.len() as u32).checked_sub(1)?;
    let mut rng = stream(SEED, Purpose::Accuracy, 1, number);
    Some(moves[rng.random_range(0..=last) as usize])
}
