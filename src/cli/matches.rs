use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::course::{Course, Effort, heading, teams};
use super::meter::brief;
use super::openings::Choice;
use crate::arena::{Contest, Decision, Judgement, Sprt, Tally};
use crate::player::PlayableGame;
use mancala::game::{AnyGame, with_game};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// First player
    a: String,
    /// Second player
    b: String,
    #[command(flatten)]
    choice: Choice,
    /// Stop as soon as a sequential test decides: elo0=0,elo1=10,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    effort: Effort,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a line of CSV under a header
    #[arg(long)]
    csv: bool,
}

const AFTER_HELP: &str = "\
Every opening is played twice with colours swapped, and intervals come from these pairs. Elo is \
logistic. Exit codes: 0 H1 accepted or no --sprt, 3 H0 accepted, 4 undecided, 130 interrupted.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    with_game!(arguments.choice.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let teams = teams(&[arguments.a.clone(), arguments.b.clone()], game)?;
    let openings = arguments.choice.load(game)?;
    let contest = Contest { teams: &teams, pairings: vec![[0, 1]], game, openings: &openings };
    let heading = heading("match", &arguments.choice, &contest, arguments.sprt);
    let course = Course::run(&contest, &arguments.effort, &heading, arguments.sprt)?;
    let report = Report::of(arguments, &contest, &course);
    if arguments.json {
        writeln!(out, "{:#}", report.json())?;
    } else if arguments.csv {
        report.csv(out)?;
    } else {
        report.print(out)?;
    }
    course.without_trouble()?;
    Ok(report.exit_code())
}

/// What a match came to.
struct Report<'a, G: PlayableGame> {
    arguments: &'a Arguments,
    contest: &'a Contest<'a, G>,
    tally: Tally,
    judgement: Option<(Sprt, Judgement)>,
    interrupted: bool,
}

impl<'a, G: PlayableGame> Report<'a, G> {
    fn of(arguments: &'a Arguments, contest: &'a Contest<'a, G>, course: &Course) -> Self {
        let tally = Tally::of(&course.games);
        let judgement = arguments.sprt.map(|sprt| (sprt, sprt.judge(tally.pairs)));
        Report { arguments, contest, tally, judgement, interrupted: course.interrupted }
    }

    fn exit_code(&self) -> ExitCode {
        let decision = self.judgement.map(|(_, judgement)| judgement.decision);
        ExitCode::from(match (self.interrupted, decision) {
            (true, _) => 130,
            (false, None | Some(Decision::AcceptH1)) => 0,
            (false, Some(Decision::AcceptH0)) => 3,
            (false, Some(Decision::Undecided)) => 4,
        })
    }

    fn reproducible(&self) -> bool {
        self.contest.teams.iter().all(|team| team.reproducible())
    }

    fn json(&self) -> Value {
        let (word, terms) = Into::<AnyGame>::into(self.contest.game).terms();
        let (tally, estimate) = (&self.tally, self.tally.pairs.estimate());
        let per_move = |who: usize| {
            let effort = &tally.effort[who];
            let moves = f64::from(effort.moves.max(1));
            json!({
                "nodes_per_move": effort.nodes as f64 / moves,
                "seconds_per_move": effort.time_per_move().map(|time| time.as_secs_f64()),
                "forfeits": tally.forfeits[who].0,
                "first_forfeit": tally.forfeits[who].1,
            })
        };
        let sprt = self.judgement.map(|(sprt, judgement)| {
            json!({
                "test": sprt.to_string(),
                "llr": judgement.llr,
                "bounds": sprt.bounds(),
                "decision": decision_name(judgement.decision),
            })
        });
        json!({
            "kind": "match",
            "a": self.arguments.a,
            "b": self.arguments.b,
            word: terms,
            "openings": self.arguments.choice.describe(),
            "score": estimate.score,
            "score_ci95": estimate.score_ci95,
            "elo": estimate.elo,
            "elo_ci95": estimate.elo_ci95,
            "los": estimate.los,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "pairs": tally.pairs,
            "games": tally.games(),
            "distinct_games": tally.distinct_games,
            "mean_seeds": tally.mean_seeds,
            "mean_plies": tally.mean_plies,
            "effort": { "a": per_move(0), "b": per_move(1) },
            "sprt": sprt,
            "reproducible": self.reproducible(),
            "interrupted": self.interrupted,
        })
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (tally, e) = (&self.tally, self.tally.pairs.estimate());
        let [ll, ld, dd_wl, wd, ww] = tally.pairs.counts();
        let header = "a,b,games,score,score_low,score_high,elo,elo_low,elo_high,los,\
                      wins,draws,losses,ll,ld,dd_wl,wd,ww,distinct_games,forfeits_a,forfeits_b";
        writeln!(out, "{header}")?;
        let mut row = csv::Writer::from_writer(out);
        let figures =
            [e.score, e.score_ci95.0, e.score_ci95.1, e.elo, e.elo_ci95.0, e.elo_ci95.1, e.los];
        let counts = [tally.wins, tally.draws, tally.losses, ll, ld, dd_wl, wd, ww];
        row.write_field(&self.arguments.a)?;
        row.write_field(&self.arguments.b)?;
        row.write_field(tally.games().to_string())?;
        for figure in figures {
            row.write_field(format!("{figure:.6}"))?;
        }
        for count in counts {
            row.write_field(count.to_string())?;
        }
        row.write_field(tally.distinct_games.to_string())?;
        for (count, _) in &tally.forfeits {
            row.write_field(count.to_string())?;
        }
        row.write_record(None::<&[u8]>)?;
        row.flush()?;
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (tally, e) = (&self.tally, self.tally.pairs.estimate());
        let [ll, ld, dd_wl, wd, ww] = tally.pairs.counts();
        let (word, terms) = Into::<AnyGame>::into(self.contest.game).terms();
        writeln!(out, "A  {}", self.arguments.a)?;
        writeln!(out, "B  {}", self.arguments.b)?;
        writeln!(
            out,
            "{} games ({} distinct), openings {}, {word} {terms}",
            tally.games(),
            tally.distinct_games,
            self.arguments.choice.describe(),
        )?;
        let (low, high) = e.score_ci95;
        writeln!(out, "score of A    {:.3}  (95%: {low:.3} to {high:.3})", e.score)?;
        let (low, high) = e.elo_ci95;
        writeln!(out, "Elo A - B     {:+.0}  (95%: {low:+.0} to {high:+.0})", e.elo)?;
        writeln!(out, "A stronger    {:.2}% likely", 100.0 * e.los)?;
        writeln!(out, "games         +{} ={} -{}", tally.wins, tally.draws, tally.losses)?;
        writeln!(out, "pairs         {ll} {ld} {dd_wl} {wd} {ww}  (0, 1/2, 1, 1 1/2, 2 points)")?;
        let [a, b] = tally.mean_seeds;
        writeln!(out, "seeds a game  {a:.1} : {b:.1}, {:.1} plies", tally.mean_plies)?;
        for (name, effort) in ["A", "B"].iter().zip(&tally.effort) {
            let moves = f64::from(effort.moves.max(1));
            let nodes = effort.nodes as f64 / moves;
            let time = effort.time_per_move().map_or("time unknown".into(), brief);
            writeln!(out, "{name} a move      {nodes:.0} nodes, {time}")?;
        }
        self.print_remarks(out)
    }

    fn print_remarks(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for (name, (count, reason)) in ["A", "B"].iter().zip(&self.tally.forfeits) {
            if let Some(reason) = reason {
                writeln!(out, "{name} forfeited {count} games, the first because {reason}")?;
            }
        }
        if let Some((sprt, Judgement { llr, decision, .. })) = self.judgement {
            let (low, high) = sprt.bounds();
            let decision = decision_name(decision);
            writeln!(
                out,
                "sprt          {sprt}: llr {llr:.2} in [{low:.2}, {high:.2}], {decision}"
            )?;
        }
        if !self.reproducible() {
            writeln!(out, "A player is limited by time: these games cannot be reproduced.")?;
        }
        if self.interrupted {
            writeln!(out, "interrupted: the figures are those of the games so far")?;
            if self.arguments.effort.games_out.is_some() {
                writeln!(out, "the same command goes on from here")?;
            }
        }
        Ok(())
    }
}

fn decision_name(decision: Decision) -> &'static str {
    match decision {
        Decision::AcceptH1 => "H1 accepted",
        Decision::AcceptH0 => "H0 accepted",
        Decision::Undecided => "undecided",
    }
}
