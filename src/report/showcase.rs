//! The game that best shows what the newest champion has learned: a win against an old champion.

use arena::player::{Minimax, PlayableGame, Player};
use arena::{GameResult, Suite, annotate, gather_all, play_game};
use evolve::run::Settings;
use mancala::eval::{Score, Weights};
use mancala::game::{Record, Side};
use mancala::progress::Progress;

use super::result::{Showcase, ShownMove};

/// The number of game pairs from which the showcase game is chosen.
const PAIRS: usize = 12;

pub(super) type Champion<'a> = (u32, &'a Weights);

/// Draws openings that no champion has trained on. Returns `None` if the game has too few of them.
pub(super) fn openings<G: PlayableGame>(game: G, count: usize) -> Option<Vec<G::Position>> {
    Suite::Plies(4).sample(game, count, 1).ok()
}

/// Plays games between the champions and annotates the new champion's clearest win. Returns `None` if the new champion
/// wins no game, or if `progress` requested a stop.
pub(super) fn showcase<G: PlayableGame>(
    game: G,
    settings: &Settings,
    [(old_generation, old), (new_generation, new)]: [Champion; 2],
    progress: &dyn Progress,
) -> Option<Showcase> {
    let player = |it: &Weights| Minimax::<G>::new(it, settings.limits(), settings.options());
    let (old, new) = (player(old), player(new));
    let openings = openings(game, PAIRS)?;
    let all = openings.iter().flat_map(|it| Side::BOTH.map(|side| (*it, side)));
    let all: Vec<(G::Position, Side)> = all.collect();
    let games = gather_all(all.len(), progress, |index, progress| {
        let (opening, side) = all[index];
        let mut record = Record::from_position(game, opening);
        let (mut new, mut old) = (new.clone(), old.clone());
        let players: [&mut dyn Player<G>; 2] = match side {
            Side::South => [&mut new, &mut old],
            Side::North => [&mut old, &mut new],
        };
        let settlement = play_game(&mut record, players, progress)?.settlement;
        Some((record, side, settlement.stores, GameResult::of(settlement.verdict, side)))
    })?;
    let points: u32 = games.iter().map(|(.., result)| u32::from(result.points())).sum();
    let margin = |stores: &[u16; 2], side: Side| {
        i32::from(stores[side.index()]) - i32::from(stores[side.other().index()])
    };
    // `max_by_key` returns the last of several maxima. We want the first, hence the `rev`.
    let won = games.iter().rev().filter(|(.., result)| *result == GameResult::Win);
    let (record, side, stores, _) = won.max_by_key(|(_, side, stores, _)| margin(stores, *side))?;
    Some(Showcase {
        old_generation,
        new_generation,
        score: f64::from(points) / (2 * games.len()) as f64,
        games: games.len(),
        side: side.to_string(),
        stores: *stores,
        opening: record.opening().to_string(),
        line: record.line(),
        moves: moves(record, *side, old, new, progress)?,
    })
}

/// Lists the moves of a game, with comments where the champions disagree. The new champion played `side`.
fn moves<G: PlayableGame>(
    record: &Record<G>,
    side: Side,
    mut old: Minimax<G>,
    mut new: Minimax<G>,
    progress: &dyn Progress,
) -> Option<Vec<ShownMove>> {
    let annotations = annotate(&mut old, record, record.plies().len(), progress).ok()?;
    let seed = f64::from(new.seed_value().unwrap_or(0));
    let mut played = Record::from_position(*record.game(), *record.opening());
    let mut captured: Vec<u16> = record.outcomes().map(|ply| ply.captured).collect();
    captured.reverse();
    let mut moves = Vec::new();
    for (annotation, captured) in annotations.iter().zip(captured) {
        let (game, position) = (played.game(), *played.position());
        let mut shown = ShownMove {
            ply: annotation.ply,
            side: annotation.side.to_string(),
            played: annotation.played.letter(annotation.side),
            captured,
            old_choice: None,
            seeds: None,
            comment: None,
            position: position.to_string(),
            rows: game.rows(&position),
            stores: Side::BOTH.map(|side| game.store(&position, side)),
        };
        if annotation.side == side && annotation.choice != annotation.played {
            let choice = annotation.choice.letter(side);
            let payoffs = new.payoffs(&played, progress);
            let value = |of| payoffs.iter().find(|(pit, _)| *pit == of).map(|(_, score)| *score);
            let values = value(annotation.played).zip(value(annotation.choice));
            shown.old_choice = Some(choice);
            shown.seeds = values.and_then(|(own, other)| {
                let is_comparable = !own.counts_plies() && !other.counts_plies() && seed > 0.0;
                is_comparable.then(|| f64::from(own.0 - other.0) / seed)
            });
            shown.comment = Some(comment(choice, shown.seeds, values));
        }
        played.play(annotation.played).ok()?;
        moves.push(shown);
    }
    Some(moves)
}

/// Describes the old champion's choice, and how much lower the new one values it: by `seeds` or, if unknown, `values`.
fn comment(choice: char, seeds: Option<f64>, values: Option<(Score, Score)>) -> String {
    let old = format!("The old champion plays {choice}");
    match (seeds, values) {
        (Some(seeds), _) if seeds >= 0.05 => {
            format!("{old}, which the new one values {seeds:.1} seeds lower.")
        }
        (Some(_), _) => format!("{old}, which the new one values equally."),
        (None, Some((own, other))) if own > other => {
            format!("{old}: {other} instead of {own}, in the new one's evaluation.")
        }
        _ => format!("{old}."),
    }
}
