//! Akinyemi's experiments with the RBH player (thesis, 2012, chapter 5), and some open questions.
//!
//! The opponent was the shareware *Awale*, which is not available. Our [levels](arena::player::LEVELS) have only their
//! names in common with its levels. The thesis states neither `bluff` nor `tradeoff`.

mod command;

use std::path::Path;

use arena::player::LEVELS;
use arena::{ContestGame, Openings, Suite};
use mancala::game::ayo::Ayo;
use mancala::progress::{Part, Progress};

pub use self::command::{Arguments, run};
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::pairing::{Pairing, PairingError};

/// The player described in the thesis.
const RBH: &str = "rbh";

/// Games per level.
const GAMES: usize = 6;

/// Games per question.
const QUESTION_GAMES: usize = 2028;

/// A game in table 5.1, as printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Printed {
    /// The column "Average Moves".
    moves: u32,
    /// Seeds of RBH and Awale.
    seeds: [u32; 2],
}

/// Seconds per move of RBH and Awale at each level, weakest level first, on a 3 GHz Pentium 4.
const SECONDS: [[f64; 2]; 4] = [[1.84, 2.11], [2.21, 2.63], [2.73, 2.79], [2.95, 4.13]];

/// The 24 games in table 5.1, weakest level first: moves, seeds of RBH and seeds of Awale.
const PRINTED: [[u32; 3]; GAMES * 4] = [
    [19, 26, 4],
    [18, 28, 11],
    [20, 26, 9],
    [23, 30, 14],
    [28, 29, 12],
    [17, 26, 17],
    [37, 26, 11],
    [38, 25, 10],
    [36, 27, 10],
    [39, 26, 16],
    [42, 27, 15],
    [33, 26, 17],
    [36, 15, 27],
    [41, 21, 18],
    [48, 25, 14],
    [38, 20, 23],
    [33, 26, 15],
    [41, 27, 19],
    [36, 14, 28],
    [41, 17, 25],
    [41, 25, 15],
    [52, 29, 12],
    [47, 27, 16],
    [63, 27, 14],
];

/// A game against a level.
#[derive(Debug, Clone, PartialEq)]
struct LevelGame {
    level: &'static str,
    /// Number of the game within its level, counted from 1.
    tournament: usize,
    /// Number of moves by the player who moves first.
    moves: usize,
    /// Final seeds of RBH and the level.
    seeds: [u16; 2],
    /// Milliseconds per move of RBH and the level, or `None` for saved games, whose times are unknown.
    milliseconds: [Option<f64>; 2],
    /// Nodes per move of RBH and the level.
    nodes: [f64; 2],
    /// The corresponding game in the thesis.
    printed: Printed,
}

/// Plays six games at each level, which are saved in `folder`. The two sides alternate in moving first, from the
/// initial position and from two positions after two plies, because deterministic players have only two games per
/// position. Returns `None` if interrupted. Progress counts games.
fn levels(
    rbh: &str,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Option<Vec<LevelGame>>, PairingError> {
    let of = (GAMES * LEVELS.len()) as u64;
    let mut all = Vec::new();
    for (level, printed) in LEVELS.iter().zip(PRINTED.chunks(GAMES)) {
        let mut pairing = Pairing::new(level.name, [rbh, level.name], GAMES);
        pairing.folder = Some(folder.to_owned());
        let mut games = Vec::new();
        for openings in openings() {
            let before = (all.len() + games.len()) as u64;
            match pairing.games(&openings, &Part { whole: progress, before, of })? {
                Some(played) => games.extend(played),
                None => return Ok(None),
            }
        }
        let numbered = games.iter().zip(printed).zip(1..);
        all.extend(numbered.map(|((game, &[moves, rbh, awale]), tournament)| {
            level_game(level.name, tournament, game, Printed { moves, seeds: [rbh, awale] })
        }));
    }
    Ok(Some(all))
}

/// Returns the initial position and two positions after two plies.
fn openings() -> [Openings; 2] {
    let of = |plies| Suite::Plies(plies).openings(Ayo::default()).expect("openings");
    [of(0), of(2).sample(GAMES / 2 - 1, 1)]
}

fn level_game(
    level: &'static str,
    tournament: usize,
    game: &ContestGame,
    printed: Printed,
) -> LevelGame {
    let milliseconds = |who: usize| Some(1000.0 * game.cost[who].time_per_move()?.as_secs_f64());
    let nodes = |who: usize| {
        let cost = &game.cost[who];
        cost.nodes as f64 / f64::from(cost.moves.max(1))
    };
    LevelGame {
        level,
        tournament,
        moves: game.line.len().div_ceil(2),
        seeds: game.stores(),
        milliseconds: [0, 1].map(milliseconds),
        nodes: [0, 1].map(nodes),
        printed,
    }
}

/// Returns the pairings between metrics, with a bluff that is high enough to make a difference.
fn metrics(games: usize) -> Vec<Pairing> {
    let pairs = [["correlation", "canberra"], ["correlation", "angular"], ["canberra", "angular"]];
    let pairing = |[a, b]: [&str; 2]| {
        let players = [a, b].map(|metric| format!("rbh:metric={metric},bluff=0.95,tradeoff=2"));
        let question = format!("{a} against {b}");
        Pairing::new(&question, [&players[0], &players[1]], games)
    };
    pairs.map(pairing).into()
}

/// Returns the open questions with this many games each, or a hundredth of them against the last level, which is slow.
fn questions(games: usize) -> Vec<Pairing> {
    let bare = "rbh:bluff=off,cdg=off";
    let questions = [
        (
            "refinement against the lowest of equal moves, as in plain minimax",
            [bare, "rbh:bluff=off,cdg=off,refine=off"],
        ),
        ("refinement against a random choice", [bare, "rbh:bluff=off,cdg=off,refine=chance"]),
        (
            "refinement against a random choice at 5 plies",
            [bare, "rbh:bluff=off,cdg=off,refine=chance,plies=5"],
        ),
        ("a careful bluff against none", ["rbh:cdg=off", bare]),
        ("a bold bluff against none", ["rbh:cdg=off,bluff=0.95,tradeoff=2", bare]),
        ("the endgame rules against none", ["rbh:bluff=off", bare]),
        (
            "evolved weights against captures",
            ["rbh:weights=reference,plies=4,bluff=off", "rbh:bluff=off"],
        ),
        (
            "evolved weights in RBH against plain minimax",
            ["rbh:weights=reference,plies=4,bluff=off", "minimax:weights=reference,depth=4"],
        ),
        (
            "evolved weights in RBH against plain minimax, at the training depth",
            ["rbh:weights=reference", "minimax:weights=reference"],
        ),
    ];
    let questions = questions.map(|(question, players)| Pairing::new(question, players, games));
    let (last, easier) = LEVELS.split_last().expect("there are levels");
    let level = |name: &str, games| {
        Pairing::new(&format!("the player of the thesis against {name}"), ["rbh", name], games)
    };
    let mut all = Vec::from(questions);
    all.extend(easier.iter().map(|it| level(it.name, games)));
    all.push(level(last.name, (games / 100).max(2)));
    all
}

pub fn level_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let folder = notebook.partial().create()?;
    let Some(games) = levels(RBH, folder, progress)? else { return Ok(None) };
    let by_level: Vec<&[LevelGame]> = games.chunk_by(|a, b| a.level == b.level).collect();
    let wins = |games: &&[LevelGame]| {
        games.iter().filter(|game| game.seeds[0] > game.seeds[1]).count().to_string()
    };
    let seeds = |games: &&[LevelGame]| {
        let mean = |who: usize| {
            games.iter().map(|game| f64::from(game.seeds[who])).sum::<f64>() / games.len() as f64
        };
        format!("{:.1}:{:.1}", mean(0), mean(1))
    };
    // Times are unknown for saved games.
    let mean = |part: fn(&LevelGame) -> Option<f64>| {
        let of = |games: &&[LevelGame]| {
            let known: Vec<f64> = games.iter().filter_map(part).collect();
            known.iter().sum::<f64>() / known.len().max(1) as f64
        };
        by_level.iter().map(of).collect::<Vec<f64>>()
    };
    let listed = |all: Vec<String>| all.join(", ");
    let spec = LEVELS[LEVELS.len() - 1].spec;
    let note = format!(
        "our levels, the last of which is `{spec}`. The thesis has six games per level here and four in section 5.1.1"
    );
    let won = listed(by_level.iter().map(wins).collect());
    let ours = format!("wins {won}; seeds {}", listed(by_level.iter().map(seeds).collect()));
    let digits = |all: Vec<f64>, places: usize| {
        listed(all.iter().map(|it| format!("{it:.places$}")).collect())
    };
    let [rbh, level] = [mean(|it| it.milliseconds[0]), mean(|it| it.milliseconds[1])];
    let nodes = [mean(|it| Some(it.nodes[0])), mean(|it| Some(it.nodes[1]))];
    let faster = SECONDS.iter().all(|[ours, theirs]| ours < theirs);
    debug_assert!(faster);
    let [rbh_nodes, level_nodes] = nodes.map(|it| digits(it, 0));
    Ok(Some(vec![
        Finding::new("thesis/table-5.1", Verdict::NoOpponent, ours).with_note(note),
        Finding::new(
            "thesis/table-5.1-time",
            Verdict::NoOpponent,
            format!("RBH {} ms per move; levels {} ms", digits(rbh, 3), digits(level, 3)),
        )
        .with_note("a Pentium 4 of 3 GHz against one core of a busy machine"),
        Finding::new(
            "thesis/table-5.1-memory",
            Verdict::NoOpponent,
            format!("RBH searches {rbh_nodes} nodes per move, the levels {level_nodes}"),
        )
        .with_note("nodes per move in place of program size"),
        Finding::new(
            "thesis/figures-5.1-5.4",
            Verdict::NoOpponent,
            "![table 5.1](../plots/rbh-levels.png)",
        )
        .with_note("this chart shows both tables"),
    ]))
}

pub fn metric_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let pairings = metrics(QUESTION_GAMES);
    let Some(results) = notebook.play_all(&pairings, progress)? else { return Ok(None) };
    let scores: Vec<String> = pairings
        .iter()
        .zip(&results)
        .map(|(pairing, it)| format!("{} {}", pairing.question, it.score_text()))
        .collect();
    let time = |at: usize, who: usize| results[at].microseconds_per_move[who];
    let ours = format!(
        "{}; {:.1}, {:.1} and {:.1} µs per move",
        scores.join("; "),
        time(0, 0),
        time(0, 1),
        time(1, 1)
    );
    // The metric preferred by the thesis should win.
    let verdict = Verdict::exact_if(results[0].is_clear_win() && results[1].is_clear_win());
    Ok(Some(vec![
        Finding::new("thesis/metrics", verdict, ours)
            .with_note("with a bold bluff; the metric that bluffs least wins"),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_differ_and_each_side_begins() {
        let pairing = Pairing::new("", ["rbh", "beginner"], GAMES);
        let mut games = Vec::new();
        for openings in openings() {
            games.extend(pairing.games(&openings, &()).unwrap().unwrap());
        }
        assert_eq!(games.len(), GAMES);
        assert_eq!(arena::distinct_games(&games), GAMES);
        for pair in games.chunks(2) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_ne!(pair[0].side_of_first(), pair[1].side_of_first());
        }
    }

    /// In two games at the amateur level, neither player has more than 24 seeds: 21–18 and 20–23.
    #[test]
    fn printed_games_have_48_seeds() {
        assert!(PRINTED.iter().all(|[_, rbh, awale]| rbh + awale <= 48));
        let undecided = |[_, rbh, awale]: &&[u32; 3]| *rbh <= 24 && *awale <= 24;
        assert_eq!(PRINTED.iter().filter(undecided).count(), 2);
    }
}
