//! A protocol session with an engine.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::Setup;
use super::process::Process;
use crate::player::protocol::{Clocks, Command, Info, NO_MOVE, Reply, Until, excerpt};
use crate::player::{Choice, NoChoice};
use mancala::game::ayo::{Ayo, Rules};
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits, SearchResult};

/// How often we check whether a stop has been requested while an engine searches.
const POLL: Duration = Duration::from_millis(20);

const STOP_TIMEOUT: Duration = Duration::from_millis(500);

/// The maximum number of options to store, which is more than any engine has.
const MAX_OPTIONS: usize = 1000;

/// Any error message that contains this phrase reports a [timeout](crate::End::is_timeout).
pub(crate) const TIMEOUT: &str = "did not answer";

/// A running engine. It is killed when an error occurs.
#[derive(Debug)]
pub(super) struct Engine {
    process: Process,
    /// The name from `id name`, or the name of the program if the engine has not sent a name.
    pub(super) name: String,
    /// Whether to set the option `Rules` before a game. We do this if the engine has it and the user hasn't set it.
    sends_rules: bool,
    last_command: String,
    timeout: Duration,
}

impl Engine {
    pub(super) fn start(setup: &Setup, progress: &dyn Progress) -> Result<Engine, NoChoice> {
        let program = setup.words.first().cloned().unwrap_or_default();
        let process = Process::spawn(&setup.words).map_err(|reason| {
            NoChoice::Forfeit(format!("engine \"{program}\" cannot be started: {reason}"))
        })?;
        let mut engine = Engine {
            process,
            name: program,
            sends_rules: false,
            last_command: String::new(),
            timeout: setup.timeout,
        };
        let mut options: Vec<String> = Vec::new();
        let mut name = None;
        engine.ask(&Command::Uci, progress, |reply| {
            match reply {
                Reply::Name(text) if !text.is_empty() => name = Some(excerpt(&text)),
                Reply::Option { name, .. } if options.len() < MAX_OPTIONS => options.push(name),
                Reply::UciOk => return true,
                _ => {}
            }
            false
        })?;
        engine.name = name.unwrap_or(engine.name);
        engine.sends_rules = has_option(&options, RULES)
            && !setup.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(RULES));
        for (name, value) in setup.options.clone() {
            if !has_option(&options, &name) {
                let (named, others) = options.split_at(options.len().min(20));
                let named = named.iter().map(|it| excerpt(it)).collect::<Vec<_>>().join(", ");
                let known = match others.len() {
                    _ if options.is_empty() => "it has no options".into(),
                    0 => format!("its options are {named}"),
                    more => format!("its options include {named} and {more} more"),
                };
                let option = excerpt(&name);
                return Err(engine.failed(&format!("has no option \"{option}\": {known}")));
            }
            engine.send(&Command::SetOption { name, value })?;
        }
        engine.settle(progress)?;
        Ok(engine)
    }

    pub(super) fn new_game(
        &mut self,
        rules: &Rules,
        progress: &dyn Progress,
    ) -> Result<(), NoChoice> {
        if self.sends_rules {
            self.send(&Command::SetOption { name: RULES.into(), value: rules.to_string() })?;
        }
        self.send(&Command::NewGame)?;
        self.settle(progress)
    }

    /// Gets the engine's move and the line of play that the engine expects. If `progress` requests a stop, then we stop
    /// the engine and use its best move so far.
    pub(super) fn think(
        &mut self,
        record: &Record<Ayo>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<(Choice, Vec<(Side, Pit)>), NoChoice> {
        let (opening, line) = (*record.opening(), record.plies().to_vec());
        self.send(&Command::Position { opening, line })?;
        // We wait for `readyok`, so that we skip late reports from the previous search.
        self.settle(progress)?;
        let is_unlimited = *limits == Limits::default();
        let until = if is_unlimited { Until::Stopped } else { Until::Found };
        let clocks = Clocks::default();
        self.send(&Command::Go { limits: *limits, until, clocks })?;
        let time = limits.movetime.unwrap_or_default().saturating_add(self.timeout);
        let time = (!is_unlimited).then_some(time);
        let mut reports = Reports { record, listener, info: Info::default() };
        let best = match self.best_move(time, progress, &mut reports) {
            Err(NoChoice::Stopped) => {
                self.send(&Command::Stop)?;
                let best = self.best_move(Some(STOP_TIMEOUT), &(), &mut reports);
                best.map_err(|_| NoChoice::Stopped)?
            }
            best => best?,
        };
        let info = reports.info;
        let pit = legal_pit(record, &best).map_err(|objection| {
            let (command, answer) = (self.last_command.clone(), excerpt(&best));
            self.failed(&format!("answered \"{command}\" with \"{answer}\": {objection}"))
        })?;
        let choice =
            Choice { pit, score: info.score, nodes: info.nodes.unwrap_or(0), depth: info.depth };
        Ok((choice, info.line))
    }

    /// Waits for a move, without validating it.
    fn best_move(
        &mut self,
        time: Option<Duration>,
        progress: &dyn Progress,
        reports: &mut Reports,
    ) -> Result<String, NoChoice> {
        let begun = Instant::now();
        loop {
            match self.reply(begun, time, progress)? {
                Reply::BestMove { best, .. } => return Ok(best),
                Reply::Info(info) => reports.add(info),
                _ => {}
            }
        }
    }

    /// Waits until the engine has processed all commands.
    fn settle(&mut self, progress: &dyn Progress) -> Result<(), NoChoice> {
        self.ask(&Command::IsReady, progress, |reply| reply == Reply::ReadyOk)
    }

    /// Sends a command and waits for a reply for which `accepts` returns true.
    fn ask(
        &mut self,
        command: &Command,
        progress: &dyn Progress,
        mut accepts: impl FnMut(Reply) -> bool,
    ) -> Result<(), NoChoice> {
        self.send(command)?;
        let begun = Instant::now();
        while !accepts(self.reply(begun, Some(self.timeout), progress)?) {}
        Ok(())
    }

    fn send(&mut self, command: &Command) -> Result<(), NoChoice> {
        self.last_command = command.to_string();
        let sent = self.process.write(&self.last_command);
        sent.map_err(|_| self.ended())
    }

    /// Waits for a reply, and skips any other lines. Fails once `time` has passed since `begun`.
    fn reply(
        &mut self,
        begun: Instant,
        time: Option<Duration>,
        progress: &dyn Progress,
    ) -> Result<Reply, NoChoice> {
        loop {
            let left = time.map(|time| time.saturating_sub(begun.elapsed()));
            // We check the time first. Otherwise, an engine that prints continuously would never time out.
            if let (Some(time), Some(Duration::ZERO)) = (time, left) {
                let command = excerpt(&self.last_command);
                return Err(self.failed(&format!("{TIMEOUT} \"{command}\" within {time:?}")));
            }
            if progress.should_stop() {
                return Err(NoChoice::Stopped);
            }
            let line = self.process.lines.recv_timeout(left.map_or(POLL, |left| left.min(POLL)));
            match line.map(|line| Reply::parse(&line)) {
                Ok(Some(reply)) => return Ok(reply),
                Ok(None) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// Returns the error for an engine that exited or closed its output.
    fn ended(&mut self) -> NoChoice {
        let how = match self.process.exit_status() {
            Some(status) => format!("ended with {status}"),
            None => "closed its output".into(),
        };
        let last_words = match self.process.last_error_line().as_str() {
            "" => String::new(),
            words => format!("; its last error output was \"{}\"", excerpt(words)),
        };
        let command = excerpt(&self.last_command);
        self.failed(&format!("{how} after \"{command}\"{last_words}"))
    }

    /// Kills the engine and returns the error.
    fn failed(&mut self, error: &str) -> NoChoice {
        self.process.kill();
        NoChoice::Forfeit(format!("engine {} {error}", self.name))
    }
}

/// The option that sets the rules, for engines that support more than one game.
const RULES: &str = "Rules";

/// Returns whether an engine has an option. As in UCI, option names are case-insensitive.
fn has_option(options: &[String], name: &str) -> bool {
    options.iter().any(|option| option.eq_ignore_ascii_case(name))
}

/// Passes an engine's reports to a listener, and remembers the latest information.
struct Reports<'a> {
    record: &'a Record<Ayo>,
    listener: &'a mut dyn FnMut(&Iteration),
    info: Info,
}

impl Reports<'_> {
    /// Adds a report. If the report has a depth, a score and a line, then we pass it to the listener as an iteration.
    fn add(&mut self, new: Info) {
        let first = new.line.first().filter(|(side, _)| *side == self.record.to_move());
        let known = &mut self.info;
        known.nodes = new.nodes.or(known.nodes);
        let Some(score) = new.score else {
            return;
        };
        if let (Some(depth), Some(&(_, pit))) = (new.depth, first) {
            let found = SearchResult { pit, score, nodes: known.nodes.unwrap_or(0), depth };
            (self.listener)(&Iteration { found, elapsed: new.time.unwrap_or_default() });
        }
        known.score = Some(score);
        known.depth = new.depth.or(known.depth);
        known.line = new.line;
    }
}

/// Parses the letter of a pit. The error explains why the move is illegal.
fn legal_pit(record: &Record<Ayo>, text: &str) -> Result<Pit, String> {
    let mut letters = text.chars();
    let (Some((side, pit)), None) = (letters.next().and_then(Pit::from_letter), letters.next())
    else {
        let over = text == NO_MOVE;
        return Err(if over { "the game is not over" } else { "that is not a pit" }.into());
    };
    if side != record.to_move() {
        return Err(format!("it is {}'s turn", record.to_move()));
    }
    match record.game().objection(record.position(), pit) {
        Some(objection) => Err(objection.into()),
        None => Ok(pit),
    }
}
