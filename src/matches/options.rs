//! Options and progress display shared by `ayo match` and `ayo tournament`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use arena::player::{DefaultTables, PlayableGame, Spec};
use arena::{
    Adjudication, Contest, ContestGame, Estimate, Form, Judgement, Pentanomial, PlayerPool,
    ScoreRule, Sprt, os, total_cost,
};
use clap::Args;
use mancala::game::AnyGame;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::contest::{ContestOutcome, play};
use super::openings::OpeningsChoice;
use crate::analyse::bestmove::spec_error;
use crate::cli::game::GameChoice;
use crate::terminal::{Interrupt, Meter, Workers, signed, time_left, usage, warn};

/// Options for games and their results. Threads and files do not affect results, unless a player has a time limit.
#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    openings: OpeningsChoice,
    #[command(flatten)]
    pub(super) game: GameChoice,
    #[command(flatten)]
    workers: Workers,
    /// Save every game to this file; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    pub(super) games_out: Option<PathBuf>,
    /// End a game as a draw once both players' scores have been within S seeds for N moves each, but not before M moves
    /// each: movenumber=M,movecount=N,score=S
    #[arg(long, value_name = "RULE")]
    draw: Option<ScoreRule>,
    /// End a game once both players' scores put the same side ahead by at least S seeds for N moves each, but not
    /// before M moves each: movecount=N,score=S[,movenumber=M]
    #[arg(long, value_name = "RULE")]
    resign: Option<ScoreRule>,
    /// End a game once endgame tables prove its result: tables of 12 seeds, or the tables in DIR
    #[arg(long, value_name = "DIR", require_equals = true)]
    adjudicate_tables: Option<Option<PathBuf>>,
    /// Play all games to the end and report how many results adjudication would have changed
    #[arg(long)]
    adjudicate_study: bool,
    /// If an engine cannot be started for a game, count the game as lost instead of stopping; engines that crash or
    /// stall always lose their game and are restarted
    #[arg(long)]
    recover: bool,
    /// Pin each game and its engines to separate cores (Linux)
    #[arg(long)]
    affinity: bool,
    /// Print JSON, which "ayo plot" can draw
    #[arg(long, conflicts_with = "csv")]
    pub(super) json: bool,
    /// Print CSV: a header and one line for the match, or one line per player
    #[arg(long)]
    pub(super) csv: bool,
}

impl Options {
    pub(super) fn contest<G: PlayableGame>(
        &self,
        form: Form,
        players: &[String],
        game: G,
        sprt: Option<Sprt>,
    ) -> Result<Contest<G>> {
        let pools = players.iter().map(|spec| PlayerPool::new(spec, game).map_err(spec_error));
        let mut players = pools.collect::<Result<Vec<_>>>()?;
        players.iter_mut().for_each(|player| player.recovers = self.recover);
        let specs: Vec<&String> = players.iter().map(|player| &player.spec).collect();
        let twice = (1..specs.len()).find(|&at| specs[..at].contains(&specs[at]));
        if let Some(at) = twice.filter(|_| form != Form::Match) {
            return Err(usage(format!("player {} is given twice", specs[at])));
        }
        let (suite, openings) = (self.openings.to_string(), self.openings.load(game)?);
        let mut contest = Contest::new(form, players, game, openings, suite);
        contest.sprt = sprt;
        let tables = self.adjudicate_tables.as_ref().map(|folder| {
            let tables = DefaultTables::with_bounds(game, folder.as_deref());
            tables.context("--adjudicate-tables")?.ok_or_else(|| {
                let game = Into::<AnyGame>::into(game).terms();
                usage(format!("--adjudicate-tables: there are no endgame tables for {game}"))
            })
        });
        contest.adjudication = Adjudication {
            tables: tables.transpose()?,
            resign: self.resign,
            draw: self.draw,
            is_study: self.adjudicate_study,
        };
        if self.adjudicate_study && contest.adjudication.rules().is_empty() {
            let rules = "--adjudicate-tables, --resign or --draw";
            return Err(usage(format!("--adjudicate-study needs {rules}")));
        }
        let Contest { players, pairings, .. } = &contest;
        let has_scores = |pair: &[usize; 2]| pair.iter().all(|&at| players[at].reports_scores());
        let uses_scores = self.resign.is_some() || self.draw.is_some();
        if uses_scores && !pairings.iter().any(has_scores) {
            return Err(usage("--resign and --draw need two players that report scores"));
        }
        Ok(contest)
    }

    /// Starts the threads that play games. With `--affinity`, each thread has its own cores: as many as a game needs.
    fn pool<G: PlayableGame>(&self, contest: &Contest<G>) -> Result<ThreadPool> {
        if !self.affinity {
            return self.workers.pool();
        }
        if !cfg!(target_os = "linux") {
            return Err(usage("--affinity is only supported on Linux"));
        }
        let size = threads_per_game(contest);
        let groups = os::core_groups(size);
        let games = self.workers.threads.map_or(groups.len(), usize::from);
        if games == 0 || games > groups.len() {
            let cores = os::core_groups(1).len();
            let needed = games.max(1) * size;
            return Err(usage(format!("--affinity needs {needed} cores, but there are {cores}")));
        }
        // Release the players, because they were started on other cores. The new threads start their own players.
        contest.players.iter().for_each(PlayerPool::release);
        let pool = ThreadPoolBuilder::new().num_threads(games);
        let pool = pool.start_handler(move |index| os::pin(&groups[index])).build();
        pool.context("cannot start the threads")
    }

    pub(super) fn play<G: PlayableGame>(&self, contest: &Contest<G>) -> Result<ContestOutcome> {
        let pool = self.pool(contest)?;
        let interrupt = Interrupt::listen()?;
        let meter = Meter::new(contest.games() as u64, self.workers.verbosity);
        let (begun, mut found) = (Instant::now(), None);
        let mut follow = |games: &[ContestGame], pairs| {
            let (games, of) = (games.len() as u64, contest.games() as u64);
            let is_first = found.is_none();
            let found = *found.get_or_insert(games);
            meter.set_position(games);
            let left = time_left(begun, games - found, of - found);
            let text = format!("game {games}/{of}{}{left}", standing(contest, pairs));
            if is_first { meter.begin(text) } else { meter.say(text) }
        };
        let file = self.games_out.as_deref();
        let outcome = pool.install(|| play(contest, file, &interrupt, &mut follow))?;
        meter.finish();
        warn_of_overload(contest, &outcome.games, pool.current_num_threads());
        // If there is no complete pair of games, there is nothing to report except the error.
        if outcome.games.len() < 2 { check(outcome) } else { Ok(outcome) }
    }
}

/// Returns the number of threads that a game needs. The players take turns, so this is the maximum over the players.
fn threads_per_game<G: PlayableGame>(contest: &Contest<G>) -> usize {
    let specs = contest.players.iter().filter_map(|player| player.spec.parse::<Spec>().ok());
    specs.map(|spec| spec.threads()).max().unwrap_or(1).max(1)
}

/// Prints a warning if players with a time limit compete for cores or exceed their limit, or if engines time out.
fn warn_of_overload<G: PlayableGame>(contest: &Contest<G>, games: &[ContestGame], at_once: usize) {
    let searching = at_once * threads_per_game(contest);
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let timeouts = games.iter().filter(|game| game.end.is_timeout()).count();
    let mut signs = Vec::new();
    if !contest.is_reproducible() && searching > cores {
        signs.push(format!("{searching} threads search on {cores} cores"));
    }
    let costs = [0, 1].map(|player| total_cost(games, player));
    if costs.iter().any(|cost| 100 * u64::from(cost.late) > cost.clocked.into()) {
        let [a, b] = costs.map(|cost| cost.late);
        let each = (contest.form == Form::Match).then(|| format!(" (A {a}, B {b})"));
        let (late, each) = (a + b, each.unwrap_or_default());
        signs.push(format!("{late} moves took over a tenth longer than allowed{each}"));
    }
    if timeouts > 0 {
        signs.push(format!("{timeouts} games were lost because an engine did not answer"));
    }
    if !signs.is_empty() {
        let signs = signs.join("; ");
        let fewer = if at_once > 1 { " (try fewer --threads)" } else { "" };
        warn(format!("{signs}: the machine may be overloaded{fewer}, or an engine may be slow"));
    }
}

/// Formats A's score, the Elo difference (with its interval) and the log-likelihood ratio.
fn standing<G: PlayableGame>(contest: &Contest<G>, pairs: Pentanomial) -> String {
    let mut text = String::new();
    if contest.form == Form::Match && pairs.pairs() > 0 {
        let Estimate { score, elo, elo_ci95: (low, high), .. } = pairs.estimate();
        let [elo, low, high] = [elo, low, high].map(signed);
        text += &format!("  A {score:.3}  Elo {elo} ({low} to {high})");
    }
    if let Some(sprt) = &contest.sprt {
        let Judgement { llr, bounds: (low, high), .. } = sprt.judge(pairs);
        text += &format!("  llr {llr:.2} [{low:.2}, {high:.2}]");
    }
    text
}

/// Returns the error, if any. This should be called after printing the report, so that users see the report first.
pub(super) fn check(mut outcome: ContestOutcome) -> Result<ContestOutcome> {
    outcome.error.take().map_or(Ok(outcome), Err)
}
