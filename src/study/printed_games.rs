//! The two games that the thesis prints move by move (figures 4.8 to 4.10).

use super::notebook::{Findings, Notebook};
use crate::results::{Finding, Verdict};
use mancala::game::ayo::Ayo;
use mancala::game::{Notated, Replay, Side, Transcript};
use mancala::progress::Progress;

const GAMES: &str = include_str!("printed/games.txt");

/// Seeds and moves of RBH as the text prints them, and the seeds of Awale.
const PRINTED: [[u16; 3]; 2] = [[28, 20, 51], [34, 5, 36]];

pub(super) fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    let game = Ayo::default();
    let games = Transcript::all_in(&game, GAMES).expect("games of ours");
    let mut replays: Vec<Replay<Ayo>> =
        games.iter().map(|it| game.replay(it.opening, &it.plies)).collect();
    let departed = replays[0].departure.take();
    let first = match &departed {
        None => Finding::new("thesis/figure-4.10-game-1", Verdict::Exact, "all plies"),
        Some(it) => {
            let fit = it.fits.iter().find(|fit| fit.complete).or(it.fits.first());
            let fit = fit.map_or_else(String::new, |fit| format!(", {} fits", fit.ply));
            let ours = format!("all but ply {}, {} printed{fit}", it.ply, it.printed);
            Finding::new("thesis/figure-4.10-game-1", Verdict::Misprint, ours)
                .noting("with that change all of it replays; its last (6) is what the end awards")
        }
    };
    let second = match &replays[1].departure {
        None => {
            let ours = format!("all {} plies, every capture as printed", games[1].plies.len());
            Finding::new("thesis/figure-4.10-game-2", Verdict::Exact, ours)
        }
        Some(it) => {
            let ours = format!("departs at ply {}", it.ply);
            Finding::new("thesis/figure-4.10-game-2", Verdict::Differs, ours)
        }
    };
    Ok(Some(vec![ends(&games, departed.map(|it| it.ply)), first, second]))
}

/// How the games end, the first one with its misprint mended.
fn ends(games: &[Transcript<Ayo>], misprint: Option<usize>) -> Finding {
    let game = Ayo::default();
    let mended = GAMES.replacen("2S4(2), 3N6, 2S1, 1N1, 9S3", "2S6(2), 3N6, 2S1, 1N1, 9S3", 1);
    let mended = Transcript::all_in(&game, &mended).expect("games of ours");
    let of = |transcript: &Transcript<Ayo>| {
        let replay = game.replay(transcript.opening, &transcript.plies);
        let awards = |side| {
            let of_side = replay.awards.iter().filter(move |it| it.side == side);
            of_side.map(|it| u16::from(it.seeds)).sum::<u16>()
        };
        let [south, north] =
            Side::BOTH.map(|side| u16::from(replay.record.position().store(side)) + awards(side));
        let plies = replay.record.plies().len();
        ([south, north, plies.div_ceil(2) as u16], replay.departure.is_none())
    };
    let (first, whole) = of(&mended[0]);
    let (second, also_whole) = of(&games[1]);
    let same = whole && also_whole && [first, second] == PRINTED;
    let verdict = if same { Verdict::Exact } else { Verdict::Differs };
    let shown = |[south, north, moves]: [u16; 3]| format!("{south} to {north} in {moves} moves");
    let note = match misprint {
        Some(ply) => format!("ply {ply} of game 1 mended, see below; the screens are images"),
        None => "the screens are images".into(),
    };
    let ours = format!("{}, {}", shown(first), shown(second));
    Finding::new("thesis/figures-4.8-4.9", verdict, ours).noting(note)
}
