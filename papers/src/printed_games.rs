//! The two games that the thesis prints in full (figures 4.8 to 4.10), and the boards in its appendix A.

use std::collections::HashSet;

use mancala::game::ayo::{Ayo, PITS, Position, sown};
use mancala::game::{Game, Notated, Pit, Record, Replay, Side, Transcript};
use mancala::progress::Progress;

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};

const GAMES: &str = include_str!("../data/printed/thesis/games.txt");

/// For each game, the printed numbers of RBH's seeds, of Awale's seeds, and of moves.
const PRINTED: [[u16; 3]; 2] = [[28, 20, 51], [34, 5, 36]];

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    let game = Ayo::default();
    let games = Transcript::all_in(&game, GAMES).expect("the printed games");
    let mut replays: Vec<Replay<Ayo>> =
        games.iter().map(|it| game.replay(it.opening, &it.plies)).collect();
    let departed = replays[0].error.take();
    let first = match &departed {
        None => Finding::new("thesis/figure-4.10-game-1", Verdict::Exact, "all plies"),
        Some(it) => {
            let fit = it.corrections.iter().find(|fit| fit.complete).or(it.corrections.first());
            let fit = fit.map_or_else(String::new, |fit| format!(", {} fits", fit.ply));
            let ours = format!("all but ply {}, {} printed{fit}", it.ply, it.printed);
            Finding::new("thesis/figure-4.10-game-1", Verdict::Misprint, ours).with_note(
                "with this change the whole game replays; its last (6) is the award at the end",
            )
        }
    };
    let second = match &replays[1].error {
        None => {
            let ours = format!("all {} plies, every capture as printed", games[1].plies.len());
            Finding::new("thesis/figure-4.10-game-2", Verdict::Exact, ours)
        }
        Some(it) => {
            let ours = format!("departs at ply {}", it.ply);
            Finding::new("thesis/figure-4.10-game-2", Verdict::Differs, ours)
        }
    };
    Ok(Some(vec![ends(&games, departed.map(|it| it.ply)), first, second, appendix()]))
}

/// Returns both games after correcting the misprint in the first game.
fn corrected() -> Vec<Transcript<Ayo>> {
    let corrected = GAMES.replacen("2S4(2), 3N6, 2S1, 1N1, 9S3", "2S6(2), 3N6, 2S1, 1N1, 9S3", 1);
    Transcript::all_in(&Ayo::default(), &corrected).expect("the printed games")
}

/// A decision in one of the games, before its end.
pub struct Decision {
    /// The index of the game.
    pub game: usize,
    pub record: Record<Ayo>,
    pub played: Pit,
}

/// Returns the decisions of both sides in both games.
pub fn decisions() -> Vec<Decision> {
    let (rules, mut decisions) = (Ayo::default(), Vec::new());
    for (game, transcript) in corrected().iter().enumerate() {
        let replay = rules.replay(transcript.opening, &transcript.plies);
        let mut record = Record::from_position(rules, *replay.record.opening());
        for &(_, played) in replay.record.plies() {
            if record.ending().is_some() {
                break;
            }
            decisions.push(Decision { game, record: record.clone(), played });
            record.play(played).expect("a replayed move");
        }
    }
    decisions
}

const BOARDS: &str = include_str!("../data/printed/thesis/appendix_a.txt");

/// Compares our boards with those in appendix A. The scan omits empty pits.
fn appendix() -> Finding {
    let ours: HashSet<String> = corrected().iter().flat_map(boards).collect();
    let printed = BOARDS.lines().filter(|line| !line.starts_with('#'));
    let (complete, incomplete): (Vec<&str>, Vec<&str>) =
        printed.partition(|line| line.contains('/'));
    let equal = complete.iter().filter(|board| ours.contains(**board)).count();
    let ours = format!(
        "{equal} of {} boards are those of figure 4.10, with the same captures marked",
        complete.len()
    );
    let verdict = if equal == complete.len() { Verdict::Exact } else { Verdict::Misprint };
    Finding::new("thesis/appendix-a", verdict, ours).with_note(format!(
        "the scan omits empty pits, and one row of {} more boards; five of the differing boards have 18 seeds in the pit \
         from which figure 4.10 plays 17",
        incomplete.len()
    ))
}

/// Returns the boards of a game in the format of the appendix, i.e. after sowing and with captured pits marked.
fn boards(transcript: &Transcript<Ayo>) -> Vec<String> {
    let game = Ayo::default();
    let replay = game.replay(transcript.opening, &transcript.plies);
    let mut position = *replay.record.opening();
    let mut boards = vec![shown(Side::BOTH.map(|side| position.row(side)), &position)];
    for &(_, pit) in replay.record.plies() {
        let after = game.play(&position, pit);
        boards.push(shown(rows_sown(&position, pit), &after));
        position = after;
    }
    boards
}

/// Returns the rows of South and North after sowing, but before captures.
fn rows_sown(position: &Position, pit: Pit) -> [[u8; PITS]; 2] {
    let mover = position.to_move();
    let mut rows = Side::BOTH.map(|side| position.row(side));
    let sown = sown(pit, rows[mover.index()][pit.index()]);
    rows[mover.index()][pit.index()] = 0;
    for (side, added) in [mover, mover.other()].into_iter().zip(sown.added) {
        rows[side.index()].iter_mut().zip(added.to_le_bytes()).for_each(|(it, more)| *it += more);
    }
    rows
}

/// Formats the non-empty pits. Awale's row starts with its last pit, and RBH's row starts with its first pit.
fn shown([south, north]: [[u8; PITS]; 2], after: &Position) -> String {
    let cell = |(side, pit, seeds): (Side, usize, u8)| {
        let mark = if after.row(side)[pit] == 0 { "*" } else { "" };
        (seeds > 0).then(|| format!("{seeds}{mark}"))
    };
    let above = (0..PITS).rev().filter_map(|pit| cell((Side::North, pit, north[pit])));
    let below = (0..PITS).filter_map(|pit| cell((Side::South, pit, south[pit])));
    let joined = |cells: Vec<String>| cells.join(" ");
    format!("{} / {}", joined(above.collect()), joined(below.collect()))
}

/// Compares the final scores of both games, after correcting the misprint in the first game.
fn ends(games: &[Transcript<Ayo>], misprint: Option<usize>) -> Finding {
    let game = Ayo::default();
    let corrected = corrected();
    let of = |transcript: &Transcript<Ayo>| {
        let replay = game.replay(transcript.opening, &transcript.plies);
        let awards = |side| {
            let of_side = replay.awards.iter().filter(move |it| it.side == side);
            of_side.map(|it| u16::from(it.seeds)).sum::<u16>()
        };
        let [south, north] =
            Side::BOTH.map(|side| u16::from(replay.record.position().store(side)) + awards(side));
        let plies = replay.record.plies().len();
        ([south, north, plies.div_ceil(2) as u16], replay.error.is_none())
    };
    let (first, whole) = of(&corrected[0]);
    let (second, also_whole) = of(&games[1]);
    let same = whole && also_whole && [first, second] == PRINTED;
    // If only the number of moves differs, the thesis contradicts itself, since figure 4.10 has our number of moves.
    let scores = [first, second].iter().zip(PRINTED).all(|(ours, it)| ours[..2] == it[..2]);
    let verdict = match (same, whole && also_whole && scores) {
        (true, _) => Verdict::Exact,
        (false, contradicts) => Verdict::misprint_if(contradicts),
    };
    let shown = |[south, north, moves]: [u16; 3]| format!("{south} to {north} in {moves} moves");
    let note = match misprint {
        Some(ply) => format!(
            "ply {ply} of game 1 corrected as below; figure 4.10 prints 98 plies, 49 per side"
        ),
        None => "the screens are images".into(),
    };
    let ours = format!("{}, {}", shown(first), shown(second));
    Finding::new("thesis/figures-4.8-4.9", verdict, ours).with_note(note)
}
