//! What the experiments leave open, with enough games for an answer.

use evolution::player::LEVELS;

use crate::study::pairing::Pairing;

/// The metrics against each other, with a bluff that is bold enough to tell them apart.
pub fn metrics(games: usize) -> Vec<Pairing> {
    let pairs = [["correlation", "canberra"], ["correlation", "angular"], ["canberra", "angular"]];
    let meeting = |[a, b]: [&str; 2]| {
        let players = [a, b].map(|metric| format!("rbh:metric={metric},bluff=0.95,tradeoff=2"));
        let question = format!("{a} against {b}");
        Pairing::new(&question, [&players[0], &players[1]], games)
    };
    pairs.map(meeting).into()
}

/// The questions, each settled by so many games; against the last level a hundredth of them, since its moves
/// take that much longer.
pub fn questions(games: usize) -> Vec<Pairing> {
    let bare = "rbh:bluff=off,cdg=off";
    let asked = [
        (
            "refinement or the lowest of equal moves, as plain minimax",
            [bare, "rbh:bluff=off,cdg=off,refine=off"],
        ),
        ("refinement or chance", [bare, "rbh:bluff=off,cdg=off,refine=chance"]),
        (
            "refinement or a search to 5 plies",
            [bare, "rbh:bluff=off,cdg=off,refine=chance,plies=5"],
        ),
        ("a careful bluff or none", ["rbh:cdg=off", bare]),
        ("a bold bluff or none", ["rbh:cdg=off,bluff=0.95,tradeoff=2", bare]),
        ("the determined endgame or none", ["rbh:bluff=off", bare]),
        (
            "evolved weights or captures",
            ["rbh:weights=reference,plies=4,bluff=off", "rbh:bluff=off"],
        ),
        (
            "evolved weights in RBH or in plain minimax",
            ["rbh:weights=reference,plies=4,bluff=off", "minimax:weights=reference,depth=4"],
        ),
        (
            "the same at the depth that the weights were bred at",
            ["rbh:weights=reference", "minimax:weights=reference"],
        ),
    ];
    let asked = asked.map(|(question, players)| Pairing::new(question, players, games));
    let (last, easier) = LEVELS.split_last().expect("there are levels");
    let level = |name: &str, games| {
        Pairing::new(&format!("the player of the thesis against {name}"), ["rbh", name], games)
    };
    let mut all = Vec::from(asked);
    all.extend(easier.iter().map(|it| level(it.name, games)));
    all.push(level(last.name, (games / 100).max(2)));
    all
}
