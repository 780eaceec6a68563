use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use arena::player::PlayableGame;
use arena::{Decision, Form, Sprt};
use clap::Args;
use mancala::game::with_game;

use crate::matches::contest::Setup;
use crate::matches::match_result::{Match, PlayerEffort, Players, SprtResult};
use crate::matches::openings::Choice;
use crate::matches::show::{Effort, setup_error, without_trouble};
use crate::terminal::meter::brief;
use crate::terminal::output::print_json;
use crate::terminal::shown;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
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

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    with_game!(arguments.choice.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let (players, openings) =
        ([arguments.a.clone(), arguments.b.clone()], arguments.choice.chosen());
    let setup = Setup::new(Form::Match, &players, game, &openings, arguments.sprt);
    let setup = setup.map_err(setup_error)?;
    let outcome = arguments.effort.play(&setup)?;
    let found = setup.match_of(&outcome);
    if arguments.json {
        print_json(&found, out)?;
    } else if arguments.csv {
        print_csv(&found, out)?;
    } else {
        print(&found, out)?;
        print_remarks(&found, out)?;
        if found.interrupted && arguments.effort.games_out.is_some() {
            writeln!(out, "the same command goes on from here")?;
        }
    }
    without_trouble(outcome)?;
    Ok(exit_code(&found))
}

fn exit_code(found: &Match) -> ExitCode {
    let decision = found.sprt.as_ref().map(|sprt| sprt.decision);
    ExitCode::from(match (found.interrupted, decision) {
        (true, _) => 130,
        (false, None | Some(Decision::AcceptH1)) => 0,
        (false, Some(Decision::AcceptH0)) => 3,
        (false, Some(Decision::Undecided)) => 4,
    })
}

fn print_csv(found: &Match, out: &mut dyn Write) -> anyhow::Result<()> {
    let header = "a,b,games,score,score_low,score_high,elo,elo_low,elo_high,los,\
                  wins,draws,losses,ll,ld,dd_wl,wd,ww,distinct_games,forfeits_a,forfeits_b";
    writeln!(out, "{header}")?;
    let e = &found.estimate;
    let figures =
        [e.score, e.score_ci95.0, e.score_ci95.1, e.elo, e.elo_ci95.0, e.elo_ci95.1, e.los];
    let counts = [found.wins, found.draws, found.losses].into_iter().chain(found.pairs.counts());
    let forfeits = [found.effort.a.forfeits, found.effort.b.forfeits];
    let mut row = vec![shown(&found.a), shown(&found.b), found.games.to_string()];
    row.extend(figures.map(|figure| format!("{figure:.6}")));
    row.extend(counts.map(|count| count.to_string()));
    row.push(found.distinct_games.to_string());
    row.extend(forfeits.map(|count| count.to_string()));
    let mut table = csv::Writer::from_writer(out);
    table.write_record(row)?;
    table.flush()?;
    Ok(())
}

fn print(found: &Match, out: &mut dyn Write) -> anyhow::Result<()> {
    let Match { a, b, games, distinct_games, openings, terms, estimate: e, .. } = found;
    let [ll, ld, dd_wl, wd, ww] = found.pairs.counts();
    writeln!(out, "A  {}", shown(a))?;
    writeln!(out, "B  {}", shown(b))?;
    writeln!(out, "{games} games ({distinct_games} distinct), openings {openings}, {terms}")?;
    if *games < 2 {
        writeln!(out, "no pair of games is over, so there are no figures")?;
        return Ok(());
    }
    let (low, high) = e.score_ci95;
    writeln!(out, "score of A    {:.3}  (95%: {low:.3} to {high:.3})", e.score)?;
    let (low, high) = e.elo_ci95;
    writeln!(out, "Elo A - B     {:+.0}  (95%: {low:+.0} to {high:+.0})", e.elo)?;
    writeln!(out, "likelihood that A is stronger: {:.2} %", 100.0 * e.los)?;
    writeln!(out, "games         +{} ={} -{}", found.wins, found.draws, found.losses)?;
    writeln!(out, "pairs         {ll} {ld} {dd_wl} {wd} {ww}  (0, 1/2, 1, 1 1/2, 2 points)")?;
    let [a, b] = found.mean_seeds;
    writeln!(out, "seeds a game  {a:.1} : {b:.1}, {:.1} plies", found.mean_plies)?;
    for (name, effort) in named(&found.effort) {
        let time = effort.seconds_per_move.map(Duration::from_secs_f64);
        let time = time.map_or("time unknown".into(), brief);
        writeln!(out, "{name} per move    {:.0} nodes, {time}", effort.nodes_per_move)?;
    }
    Ok(())
}

fn named(effort: &Players<PlayerEffort>) -> [(&'static str, &PlayerEffort); 2] {
    [("A", &effort.a), ("B", &effort.b)]
}

fn print_remarks(found: &Match, out: &mut dyn Write) -> anyhow::Result<()> {
    for (name, PlayerEffort { forfeits, first_forfeit, .. }) in named(&found.effort) {
        if let Some(reason) = first_forfeit {
            writeln!(
                out,
                "{name} forfeited {forfeits} games, the first because {}",
                shown(reason)
            )?;
        }
    }
    if let Some(SprtResult { test, llr, bounds: (low, high), decision }) = &found.sprt {
        writeln!(out, "sprt          {test}: llr {llr:.2} in [{low:.2}, {high:.2}], {decision}")?;
    }
    if !found.reproducible {
        writeln!(out, "A player is limited by time: these games cannot be reproduced.")?;
    }
    if found.interrupted && found.games < 2 {
        writeln!(out, "interrupted")?;
    } else if found.interrupted {
        writeln!(out, "interrupted: the figures are those of the games so far")?;
    }
    Ok(())
}
