//! Checks that our program has the buttons of the thesis's program (section 4.5). The pictures of these buttons are
//! lost, but the text describes them.

use arena::player::{Player, build};
use mancala::game::ayo::Ayo;
use mancala::game::{Game, Notated, Record, Side};
use mancala::progress::Progress;

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};

/// The commands of `ayo play` that match the program's menu: retry, cancel, payoff, south or north pit, and close.
const MENU: [&str; 5] = ["retry", "undo", "payoff", "switch", "quit"];

/// A board that we constructed. The suggestion is to play the six seeds in pit 3, the last of which captures two seeds.
const SUGGESTION: &str = "1-0-6-2-0-1-5-4-1-5-4-4-8-7-S";

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    let mut rbh: Box<dyn Player<Ayo>> = build("rbh").expect("a player");
    let start = Record::new(Ayo::default(), Side::South);
    let shown = rbh.explanation(&start);
    let pits = ["A", "B", "C", "D", "E", "F"];
    let has_pits = pits.iter().all(|pit| shown.iter().any(|line| line.starts_with(pit)));
    let has_columns = ["move gain", "game value"].iter().all(|column| shown[1].contains(column));
    let commands = MENU.iter().filter(|word| ayo::play::parse(word, pits.len()).is_ok()).count();
    let of = MENU.len();
    let menu =
        format!("{commands} of {of} options are commands; `rbh --explain` shows both for each pit");
    let has_menu = has_columns && has_pits && commands == of;
    let record = Record::from_position(Ayo::default(), SUGGESTION.parse().expect("a position"));
    let choice = rbh.choose(&record, &()).expect("a move").pit;
    let (game, position) = (record.game(), record.position());
    let captured = game.play(position, choice).store(Side::South) - position.store(Side::South);
    let seeds = game.seeds(position, choice);
    let from = choice.index() + 1;

    let mut cancelled = start.clone();
    cancelled.play(choice).expect("a legal move");
    let undone = cancelled.undo() && cancelled.position() == start.position();
    let fours = game.rows(start.position()).iter().flatten().all(|&seeds| seeds == 4);
    let holds =
        |claim: &str, is_true, ours: &str| Finding::new(claim, Verdict::holds_if(is_true), ours);
    Ok(Some(vec![
        holds("thesis/figure-4.4", has_menu, &menu),
        Finding::new(
            "thesis/figure-4.5",
            if (from, seeds, captured) == (3, 6, 2) { Verdict::Lost } else { Verdict::Differs },
            format!("pit {from} with {seeds} seeds captures {captured}"),
        )
        .with_note(format!("the suggestion of `rbh` on a board made to fit, `{SUGGESTION}`")),
        holds("thesis/figure-4.6", undone, "`undo` restores the position before the move"),
        holds("thesis/figure-4.7", fours, "a new game has four seeds in every pit"),
        holds("rbh/figures-4-7", has_menu && undone && fours, "payoff, cancel and retry work")
            .with_note("the board with the suggestion is lost"),
    ]))
}
