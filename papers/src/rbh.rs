//! Akinyemi's experiments with the RBH player (thesis, 2012, chapter 5), and some open questions.
//!
//! The opponent was the shareware *Awale*, which isn't available, so our [ladder](crate::ladder) replaces it. The
//! thesis doesn't state values for our settings `bluff` and `tradeoff`.

mod command;
mod moves;

use std::path::Path;

use arena::{ContestGame, Suite};
use mancala::game::ayo::{Ayo, Position};
use mancala::progress::{Part, Progress};
use serde::Serialize;

pub use self::command::{Arguments, run};
pub use self::moves::findings as move_findings;
use crate::claims::Verdict;
use crate::ladder::LADDER;
use crate::notebook::{Finding, Findings, Notebook, StudyMatch};
use crate::pairing::{Pairing, PairingError};

/// The player described in the thesis.
const RBH: &str = "rbh";

/// The number of games per level.
const GAMES: usize = 6;

/// The number of games per question.
const QUESTION_GAMES: usize = 2028;

/// A game in table 5.1, as printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Printed {
    /// The column "Average Moves".
    moves: u32,
    /// The seeds of RBH and Awale.
    seeds: [u32; 2],
}

/// Returns the 24 games in table 5.1, starting with the weakest level.
fn printed() -> Vec<Printed> {
    let lines = include_str!("../data/printed/thesis/table_5_1.csv").lines().skip(1);
    let row = |line: &str| {
        let mut cells = line.split(',').map(|cell| cell.parse().expect("a number"));
        let [moves, rbh, awale] = std::array::from_fn(|_| cells.next().expect("three cells"));
        Printed { moves, seeds: [rbh, awale] }
    };
    lines.map(row).collect()
}

/// A game against a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct LevelGame {
    level: &'static str,
    /// The number of the game within its level, counted from 1.
    tournament: usize,
    /// The number of moves by the player who moves first.
    moves: usize,
    /// The final seeds of RBH and of the level.
    seeds: [u16; 2],
    /// The nodes per move of RBH and of the level.
    #[serde(rename = "positions_per_move")]
    nodes: [f64; 2],
    /// The corresponding game in the thesis.
    printed: Printed,
}

/// Plays six games at each level and saves them in `folder`. Two deterministic players can only play two different
/// games from a position, depending on who moves first, so we play these from the initial position and from two
/// positions after two plies. Returns `None` if interrupted. Progress counts games.
fn levels(
    rbh: &str,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Option<Vec<LevelGame>>, PairingError> {
    let of = (GAMES * LADDER.len()) as u64;
    let mut all = Vec::new();
    for (level, printed) in LADDER.iter().zip(printed().chunks(GAMES)) {
        let mut pairing = Pairing::new(level.name, [rbh, level.spec], GAMES);
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
        all.extend(numbered.map(|((game, &printed), tournament)| {
            level_game(level.name, tournament, game, printed)
        }));
    }
    Ok(Some(all))
}

/// Returns the initial position and two positions after two plies.
fn openings() -> [Vec<Position>; 2] {
    let of = |plies, count| Suite::Plies(plies).sample(Ayo::default(), count, 1).expect("openings");
    [of(0, 1), of(2, GAMES / 2 - 1)]
}

fn level_game(
    level: &'static str,
    tournament: usize,
    game: &ContestGame,
    printed: Printed,
) -> LevelGame {
    let nodes = |who: usize| {
        let cost = &game.cost[who];
        cost.nodes as f64 / f64::from(cost.moves.max(1))
    };
    LevelGame {
        level,
        tournament,
        moves: game.line.len().div_ceil(2),
        seeds: game.stores,
        nodes: [0, 1].map(nodes),
        printed,
    }
}

/// Returns the pairings between metrics, whose `bluff` and `tradeoff` allow enough bluffs for metrics to matter.
fn metrics(games: usize) -> Vec<Pairing> {
    let pairs = [["correlation", "canberra"], ["correlation", "angular"], ["canberra", "angular"]];
    let pairing = |[a, b]: [&str; 2]| {
        let players = [a, b].map(|metric| format!("rbh:metric={metric},bluff=0.95,tradeoff=2"));
        let question = format!("{a} against {b}");
        Pairing::new(&question, [&players[0], &players[1]], games)
    };
    pairs.map(pairing).into()
}

/// Returns the matches for the open questions, with this many games each.
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
    let mut all = Vec::from(questions);
    all.extend(against_ladder(games));
    all
}

/// Returns the pairings of the player with every rung of the ladder.
fn against_ladder(games: usize) -> impl Iterator<Item = Pairing> {
    LADDER.iter().map(move |rung| {
        let question = format!("the player of the thesis against {}", rung.name);
        Pairing::new(&question, [RBH, rung.spec], games)
    })
}

/// Returns the two-sided p-value of a number of wins, if the probability of winning a game is `share`.
fn binomial_test(wins: usize, games: usize, share: f64) -> f64 {
    let (mut term, mut low, mut high) = ((1.0 - share).powi(games as i32), 0.0, 0.0);
    for k in 0..=games {
        low += if k <= wins { term } else { 0.0 };
        high += if k >= wins { term } else { 0.0 };
        term *= (games - k) as f64 / (k + 1) as f64 * share / (1.0 - share);
    }
    (2.0 * f64::min(low, high)).min(1.0)
}

pub fn level_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let folder = notebook.partial().create()?;
    let Some(games) = levels(RBH, folder, progress)? else { return Ok(None) };
    let long: Vec<Pairing> = against_ladder(QUESTION_GAMES).collect();
    let Some(long) = notebook.play_all(&long, progress)? else { return Ok(None) };
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
    let listed = |all: Vec<String>| all.join(", ");
    let printed: Vec<usize> = by_level
        .iter()
        .map(|games| games.iter().filter(|it| it.printed.seeds[0] > it.printed.seeds[1]).count())
        .collect();
    let share = |it: &StudyMatch| it.results[0] as f64 / it.games() as f64;
    let test = |(wins, it): (&usize, &StudyMatch)| {
        // With a share of 1, any loss would be impossible.
        binomial_test(*wins, GAMES, share(it).clamp(1e-4, 1.0 - 1e-4))
    };
    let disagree = printed.iter().zip(&long).filter(|it| test(*it) < 0.05).count();
    let verdict = Verdict::of_several(LADDER.len(), disagree);
    let shares = listed(long.iter().map(|it| format!("{:.3}", share(it))).collect());
    let note = format!(
        "won of {QUESTION_GAMES} games on the ladder: {shares}; the printed wins differ significantly at {disagree} levels. \
         Section 5.1.1 has four games per level"
    );
    let won = listed(by_level.iter().map(wins).collect());
    let ours = format!("wins {won}; seeds {}", listed(by_level.iter().map(seeds).collect()));
    Ok(Some(vec![
        Finding::new("thesis/table-5.1", verdict, ours).with_note(note),
        Finding::new("thesis/figures-5.1-5.4", verdict, "![table 5.1](../plots/rbh-levels.png)")
            .with_note("this chart shows both tables"),
    ]))
}

pub fn metric_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let pairings = metrics(QUESTION_GAMES);
    let question = |start: &str| {
        let mut all = questions(QUESTION_GAMES).into_iter();
        all.find(|it| it.question.starts_with(start)).expect("a question")
    };
    let parts = ["refinement against the lowest", "the endgame rules"].map(question);
    let all = [&pairings[..], &parts].concat();
    let Some(results) = notebook.play_all(&all, progress)? else { return Ok(None) };
    let (results, parts) = results.split_at(pairings.len());
    let scores: Vec<String> = pairings
        .iter()
        .zip(results)
        .map(|(pairing, it)| format!("{} {}", pairing.question, it.score_text()))
        .collect();
    let time = |at: usize, who: usize| results[at].microseconds_per_move[who];
    let times = [time(0, 0), time(0, 1), time(1, 1)];
    let [correlation, canberra, angular] = times;
    let ours = format!(
        "{}; {correlation:.1}, {canberra:.1} and {angular:.1} µs per move",
        scores.join("; ")
    );
    let faster = Verdict::holds_if(correlation < canberra.min(angular));
    let verdict = Verdict::all(&[results[0].verdict(), results[1].verdict(), faster]);
    let part = |claim: &str, it: &StudyMatch| Finding::new(claim, it.verdict(), it.score_text());
    Ok(Some(vec![
        Finding::new("thesis/metrics", verdict, ours)
            .with_note("with a bold bluff; the metric that bluffs least wins"),
        part("thesis/refinement", &parts[0]).with_note("against the lowest of equal moves"),
        part("thesis/endgame-strategy", &parts[1])
            .with_note("with the endgame rules against without"),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_differ_and_each_side_begins() {
        let pairing = Pairing::new("", ["rbh", LADDER[1].spec], GAMES);
        let mut games = Vec::new();
        for openings in openings() {
            games.extend(pairing.games(&openings, &()).unwrap().unwrap());
        }
        assert_eq!(games.len(), GAMES);
        assert_eq!(arena::distinct_games(&games), GAMES);
        for pair in games.chunks(2) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_ne!(pair[0].side_of_first, pair[1].side_of_first);
        }
    }

    #[test]
    fn binomial_tests_agree_with_those_computed_by_hand() {
        assert!((binomial_test(6, 6, 0.5) - 2.0 / 64.0).abs() < 1e-12);
        assert!((binomial_test(0, 2, 0.9) - 0.02).abs() < 1e-12);
        assert_eq!(binomial_test(3, 6, 0.5), 1.0);
    }

    /// In two games at the amateur level, neither player has more than 24 seeds: 21–18 and 20–23.
    #[test]
    fn printed_games_have_48_seeds() {
        let printed = printed();
        assert!(printed.iter().all(|it| it.seeds.iter().sum::<u32>() <= 48));
        let undecided = printed.iter().filter(|it| it.seeds.iter().all(|seeds| *seeds <= 24));
        assert_eq!((printed.len(), undecided.count()), (24, 2));
    }
}
