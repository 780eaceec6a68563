//! `ayo match`: plays a match between two players and reports or plots the result.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use arena::player::PlayableGame;
use arena::{Contest, Decision, Estimate, Form, Judgement, MoveCost, Sprt, Tally};
use clap::Args;
use mancala::game::{AnyGame, with_game};
use plotters::style::{Color, RGBColor};
use serde::{Deserialize, Serialize};

use super::contest::{AdjudicationResult, ContestOutcome};
use super::options::{Options, check};
use crate::plot::{Canvas, Row, Rows, minus, plain, style};
use crate::terminal::{brief, grouped, print_json, shown, signed};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// First player
    a: String,
    /// Second player
    b: String,
    /// Stop as soon as a sequential test reaches a decision [default TEST: elo0=0,elo1=10,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "TEST", num_args = 0..=1, default_missing_value = "elo0=0")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    options: Options,
}

const AFTER_HELP: &str = "\
Every opening is played twice, with colours swapped, and intervals are computed from these pairs. Elo is logistic. \
Exit codes: 0 if H1 is accepted or --sprt is not given, 3 if H0 is accepted, 4 if undecided, 130 if interrupted.";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "match")]
pub struct Match {
    pub a: String,
    pub b: String,
    #[serde(flatten)]
    pub game: AnyGame,
    pub openings: String,
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Statistics of the games, from A's point of view.
    #[serde(flatten)]
    pub tally: Tally,
    #[serde(default)]
    pub effort: Players<PlayerEffort>,
    pub sprt: Option<Judgement>,
    pub adjudication: Option<AdjudicationResult>,
    /// Whether the games can be reproduced on any machine.
    #[serde(default)]
    pub reproducible: bool,
    pub interrupted: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Players<T> {
    pub a: T,
    pub b: T,
}

/// The cost of a player's moves. Times and depths exclude games that were read from a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerEffort {
    pub nodes_per_move: f64,
    /// The mean time per move in seconds, if known.
    pub seconds_per_move: Option<f64>,
    pub nodes_per_second: Option<f64>,
    /// The mean search depth, if the player reports depths.
    pub depth: Option<f64>,
    /// The number of moves that exceeded the time limit.
    pub late_moves: u64,
    pub forfeits: u64,
    pub first_forfeit: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<ExitCode> {
    with_game!(arguments.options.game.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(arguments: &Arguments, game: G, out: &mut dyn Write) -> Result<ExitCode> {
    let players = [arguments.a.clone(), arguments.b.clone()];
    let contest = arguments.options.contest(Form::Match, &players, game, arguments.sprt)?;
    let outcome = arguments.options.play(&contest)?;
    let found = Match::new(&contest, &outcome);
    if arguments.options.json {
        print_json(&found, out)?;
    } else if arguments.options.csv {
        print_csv(&found, out)?;
    } else {
        print(&found, out)?;
        print_remarks(&found, out)?;
        if found.interrupted && arguments.options.games_out.is_some() {
            writeln!(out, "repeat the command to resume the match")?;
        }
    }
    check(outcome)?;
    let decision = found.sprt.map(|sprt| sprt.decision);
    Ok(ExitCode::from(match (found.interrupted, decision) {
        (true, _) => 130,
        (false, None | Some(Decision::AcceptH1)) => 0,
        (false, Some(Decision::AcceptH0)) => 3,
        (false, Some(Decision::Undecided)) => 4,
    }))
}

impl Match {
    fn new<G: PlayableGame>(contest: &Contest<G>, outcome: &ContestOutcome) -> Match {
        let tally = Tally::of(&outcome.games);
        let spec = |player: usize| contest.players[player].spec.clone();
        Match {
            a: spec(0),
            b: spec(1),
            game: contest.game.into(),
            openings: contest.suite.clone(),
            estimate: tally.pairs.estimate(),
            effort: Players {
                a: PlayerEffort::of([(&tally, 0)]),
                b: PlayerEffort::of([(&tally, 1)]),
            },
            sprt: contest.sprt.map(|sprt| sprt.judge(tally.pairs)),
            tally,
            adjudication: AdjudicationResult::new(contest, &outcome.games),
            reproducible: contest.is_reproducible(),
            interrupted: outcome.interrupted,
        }
    }
}

impl PlayerEffort {
    /// Sums a player's costs over its pairings. A pairing is given by its tally and the player's index in it (0 or 1).
    pub(super) fn of<'a>(pairings: impl IntoIterator<Item = (&'a Tally, usize)>) -> PlayerEffort {
        let (mut cost, mut forfeits, mut first_forfeit) = (MoveCost::default(), 0, None);
        for (tally, player) in pairings {
            cost += tally.cost[player];
            let (count, reason) = &tally.forfeits[player];
            forfeits += count;
            first_forfeit = first_forfeit.or_else(|| reason.clone());
        }
        let nodes_per_move = cost.nodes as f64 / f64::from(cost.moves.max(1));
        let seconds_per_move = cost.time_per_move().map(|time| time.as_secs_f64());
        let nodes_per_second =
            seconds_per_move.filter(|&it| it > 0.0).map(|it| nodes_per_move / it);
        let (depth, moves) = cost.depth;
        PlayerEffort {
            nodes_per_move,
            seconds_per_move,
            nodes_per_second,
            depth: (moves > 0).then(|| depth as f64 / f64::from(moves)),
            late_moves: cost.late.into(),
            forfeits,
            first_forfeit,
        }
    }

    pub(super) const COLUMNS: [&'static str; 5] =
        ["nodes_per_move", "seconds_per_move", "nodes_per_second", "depth", "late_moves"];

    /// Returns the cells of a CSV row. An empty cell means that the value is unknown.
    pub(super) fn cells(&self) -> [String; 5] {
        let figure = |figure: Option<f64>| figure.map(|it| it.to_string()).unwrap_or_default();
        [
            self.nodes_per_move.to_string(),
            figure(self.seconds_per_move),
            figure(self.nodes_per_second),
            figure(self.depth),
            self.late_moves.to_string(),
        ]
    }

    pub(super) fn print_forfeits(&self, name: &str, out: &mut dyn Write) -> Result<()> {
        let PlayerEffort { forfeits, first_forfeit, .. } = self;
        let Some(reason) = first_forfeit.as_ref().map(shown) else { return Ok(()) };
        Ok(writeln!(out, "{name} forfeited {forfeits} games, the first because {reason}")?)
    }

    pub(super) fn per_move(&self) -> String {
        let time = self.seconds_per_move.map(Duration::from_secs_f64).map(brief);
        // We omit the speed of players that don't search (i.e. report no depth), because they are too fast to measure.
        let speed = self.nodes_per_second.filter(|_| self.depth.is_some());
        let speed = speed.map(|it| format!(", {} nodes/s", grouped(it as u64)));
        let depth = self.depth.map(|depth| format!(", depth {depth:.1}"));
        let time = time.unwrap_or("time unknown".into());
        let [speed, depth] = [speed, depth].map(Option::unwrap_or_default);
        format!("{:.0} nodes, {time}{speed}{depth}", self.nodes_per_move)
    }
}

fn print_csv(found: &Match, out: &mut dyn Write) -> Result<()> {
    let header = "a,b,games,score,score_low,score_high,elo,elo_low,elo_high,los,\
                  wins,draws,losses,ll,ld,dd_wl,wd,ww,distinct_games,forfeits_a,forfeits_b";
    let columns =
        ["a", "b"].map(|player| PlayerEffort::COLUMNS.map(|it| format!(",{it}_{player}")));
    writeln!(out, "{header}{}", columns.as_flattened().concat())?;
    let (e, tally) = (&found.estimate, &found.tally);
    let figures =
        [e.score, e.score_ci95.0, e.score_ci95.1, e.elo, e.elo_ci95.0, e.elo_ci95.1, e.los];
    let counts = [tally.wins, tally.draws, tally.losses].into_iter().chain(tally.pairs.counts());
    let forfeits = [found.effort.a.forfeits, found.effort.b.forfeits];
    let mut row = vec![shown(&found.a), shown(&found.b), tally.games.to_string()];
    row.extend(figures.map(|figure| format!("{figure:.6}")));
    row.extend(counts.map(|count| count.to_string()));
    row.push(tally.distinct_games.to_string());
    row.extend(forfeits.map(|count| count.to_string()));
    row.extend([&found.effort.a, &found.effort.b].map(PlayerEffort::cells).into_iter().flatten());
    let mut table = csv::Writer::from_writer(out);
    table.write_record(row)?;
    table.flush()?;
    Ok(())
}

fn print(found: &Match, out: &mut dyn Write) -> Result<()> {
    let Match { a, b, tally, openings, game, estimate: e, .. } = found;
    let Tally { wins, draws, losses, games, distinct_games, mean_plies, .. } = tally;
    let [ll, ld, dd_wl, wd, ww] = tally.pairs.counts();
    writeln!(out, "A  {}", shown(a))?;
    writeln!(out, "B  {}", shown(b))?;
    writeln!(
        out,
        "{games} games ({distinct_games} distinct), openings {openings}, {}",
        game.terms()
    )?;
    if *games < 2 {
        writeln!(out, "there are no results, because no pair of games has finished")?;
        return Ok(());
    }
    let (low, high) = e.score_ci95;
    writeln!(out, "score of A    {:.3}  (95%: {low:.3} to {high:.3})", e.score)?;
    let (low, high) = e.elo_ci95;
    let [elo, low, high] = [e.elo, low, high].map(signed);
    writeln!(out, "Elo A - B     {elo}  (95%: {low} to {high})")?;
    writeln!(out, "likelihood that A is stronger: {:.2} %", 100.0 * e.los)?;
    writeln!(out, "games         +{wins} ={draws} -{losses}")?;
    writeln!(out, "pairs         {ll} {ld} {dd_wl} {wd} {ww}  (0, 1/2, 1, 1 1/2, 2 points)")?;
    let [a, b] = tally.mean_seeds;
    writeln!(out, "seeds/game    {a:.1} : {b:.1}, {mean_plies:.1} plies")?;
    for (name, effort) in named(&found.effort) {
        writeln!(out, "{name} per move    {}", effort.per_move())?;
    }
    found.adjudication.as_ref().map_or(Ok(()), |result| result.print(out))
}

fn named(effort: &Players<PlayerEffort>) -> [(&'static str, &PlayerEffort); 2] {
    [("A", &effort.a), ("B", &effort.b)]
}

fn print_remarks(found: &Match, out: &mut dyn Write) -> Result<()> {
    for (name, effort) in named(&found.effort) {
        effort.print_forfeits(name, out)?;
    }
    if let Some(Judgement { test, llr, bounds: (low, high), decision, .. }) = &found.sprt {
        writeln!(out, "sprt          {test}: llr {llr:.2} in [{low:.2}, {high:.2}], {decision}")?;
    }
    if !found.reproducible {
        writeln!(out, "A player has a time limit, so these games cannot be reproduced.")?;
    }
    if found.interrupted && found.tally.games < 2 {
        writeln!(out, "interrupted")?;
    } else if found.interrupted {
        writeln!(out, "interrupted: these results include only the games so far")?;
    }
    Ok(())
}

/// The possible scores of a pair of games, from best to worst for A. A's points come first.
const SCORES: [(&str, RGBColor); 5] = [
    ("2 : 0  two wins for A", style::BLUE),
    ("1½ : ½  a win and a draw", style::SKY),
    ("1 : 1  two draws, or a win each", style::GREY),
    ("½ : 1½  a loss and a draw", style::ORANGE),
    ("0 : 2  two losses for A", style::VERMILLION),
];

/// Draws a bar chart with the number of game pairs that ended with each score.
pub(crate) fn picture(found: &Match) -> Result<Canvas, String> {
    let Tally { pairs, games, .. } = &found.tally;
    let all = pairs.counts().iter().try_fold(0_u64, |sum, count| sum.checked_add(*count));
    if all.and_then(|pairs| pairs.checked_mul(2)) != Some(*games) {
        return Err("the pairs do not add up to the games".into());
    }
    let named = [format!("A {}", plain(&found.a)), format!("B {}", plain(&found.b))];
    let notes = super::notes(*games, &found.openings, found.game, found.interrupted);
    let notes = [&*estimate(&found.estimate), &plain(&notes)];
    let all = pairs.pairs().max(1) as f64;
    let row = |((name, colour), count): ((&str, RGBColor), u64)| Row {
        name: name.to_owned(),
        figure: format!("{count} ({:.1} %)", 100.0 * count as f64 / all),
        bars: vec![(colour.mix(0.6), count as f64, String::new())],
        ..Row::default()
    };
    let rows = SCORES.into_iter().zip(pairs.counts().into_iter().rev()).map(row).collect();
    let rows = Rows { rows, axis_title: "pairs of games", ..Rows::default() };
    Ok(rows.picture("Game pairs", &named, &notes))
}

fn estimate(found: &Estimate) -> String {
    let elo = |elo: f64| minus(&format!("{elo:+.0}"));
    format!(
        "score of A {:.3} (95 %: {:.3} to {:.3}) · Elo {} (95 %: {} to {})",
        found.score,
        found.score_ci95.0,
        found.score_ci95.1,
        elo(found.elo),
        elo(found.elo_ci95.0),
        elo(found.elo_ci95.1),
    )
}
