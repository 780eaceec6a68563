//! One conversation with an engine.

use std::time::{Duration, Instant};

use super::process::{Heard, Process};
use super::setup::Setup;
use crate::player::protocol::{Clocks, Command, Info, NO_MOVE, Reply, Until, printable, shortened};
use crate::player::{Choice, NoChoice};
use mancala::game::ayo::{Ayo, Line, Ply, Rules};
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Found, Iteration, Limits};

/// How often the progress is asked while an engine thinks.
const POLL: Duration = Duration::from_millis(20);

/// Time for the answer of an engine that was told to stop.
const STOPPING: Duration = Duration::from_millis(500);

/// Options of an engine that are remembered, more than any has.
const MOST_OPTIONS: usize = 1000;

/// Options that an error names.
const NAMED_OPTIONS: usize = 20;

/// An engine that has introduced itself. After an error it has been killed.
#[derive(Debug)]
pub(super) struct Engine {
    process: Process,
    /// The name that it gives itself, or else its program.
    name: String,
    /// Whether it is to be told the rules: it has such a setting, and the user has not set it.
    told_rules: TellRules,
    /// The last command.
    told: String,
    timeout: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TellRules {
    Yes,
    No,
}

/// A move and the line that the engine expects from it.
#[derive(Debug)]
pub(super) struct Thought {
    pub(super) choice: Choice,
    pub(super) line: Vec<(Side, Pit)>,
}

/// What an engine did wrong.
#[derive(Debug, thiserror::Error)]
enum EngineError {
    #[error("engine \"{program}\" cannot be started: {reason}")]
    Start { program: String, reason: std::io::Error },
    #[error("engine {name} has no option \"{}\": {known}", shortened(.option))]
    Option { name: String, option: String, known: String },
    #[error("engine {name} {how} after \"{}\"{last_words}", shortened(.told))]
    Ended { name: String, how: String, told: String, last_words: String },
    #[error("engine {name} did not answer \"{}\" within {time:?}", shortened(.told))]
    Late { name: String, told: String, time: Duration },
    #[error("engine {name} answered \"{told}\" with \"{}\": {objection}", shortened(.answer))]
    Move { name: String, told: String, answer: String, objection: String },
}

impl From<EngineError> for NoChoice {
    fn from(error: EngineError) -> NoChoice {
        NoChoice::Forfeit(error.to_string())
    }
}

/// Why there is no reply.
enum Silence {
    Ended,
    Late,
    Stopped,
}

impl Engine {
    /// Starts an engine and sets its options.
    pub(super) fn start(setup: &Setup, progress: &dyn Progress) -> Result<Engine, NoChoice> {
        let program = setup.words.first().cloned().unwrap_or_default();
        let process = Process::spawn(&setup.words)
            .map_err(|reason| EngineError::Start { program: program.clone(), reason })?;
        let (told, timeout) = (String::new(), setup.timeout);
        let told_rules = TellRules::No;
        let mut engine = Engine { process, name: program, told_rules, told, timeout };
        let mut options: Vec<String> = Vec::new();
        let mut name = None;
        engine.ask(&Command::Uci, progress, |reply| {
            match reply {
                Reply::Name(its_name) if !its_name.is_empty() => name = Some(printable(&its_name)),
                Reply::Option { name, .. } if options.len() < MOST_OPTIONS => options.push(name),
                Reply::UciOk => return Some(()),
                _ => {}
            }
            None
        })?;
        engine.name = name.unwrap_or(engine.name);
        if knows(&options, RULES) && !setup.options.iter().any(|(name, _)| is_rules(name)) {
            engine.told_rules = TellRules::Yes;
        }
        for (name, value) in setup.options.clone() {
            if !knows(&options, &name) {
                let (known, option) = (in_words(&options, &name), name);
                return Err(EngineError::Option { name: engine.name, option, known }.into());
            }
            engine.tell(&Command::SetOption { name, value })?;
        }
        engine.settle(progress)?;
        Ok(engine)
    }

    /// What it calls itself.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Tells it that another game begins, and by which rules.
    pub(super) fn new_game(
        &mut self,
        rules: &Rules,
        progress: &dyn Progress,
    ) -> Result<(), NoChoice> {
        if self.told_rules == TellRules::Yes {
            self.tell(&Command::SetOption { name: RULES.into(), value: rules.to_string() })?;
        }
        self.tell(&Command::NewGame)?;
        self.settle(progress)
    }

    /// Asks for a move. When the progress stops it, the answer is what it has found so far.
    pub(super) fn think(
        &mut self,
        record: &Record<Ayo>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Thought, NoChoice> {
        self.tell(&position(record))?;
        // Reports on its last move come before it says that it is ready.
        self.settle(progress)?;
        let endless = *limits == Limits::default();
        let until = if endless { Until::Stopped } else { Until::Found };
        let clocks = Clocks::default();
        self.tell(&Command::Go { limits: *limits, until, clocks })?;
        let time = limits.movetime.unwrap_or_default().saturating_add(self.timeout);
        let deadline = if endless { None } else { Instant::now().checked_add(time) };
        let mut attention = Attention { record, listener, info: Info::default() };
        let best = match self.best_move(deadline, progress, &mut attention) {
            Ok(best) => best,
            Err(Silence::Stopped) => self.stop(&mut attention)?,
            Err(silence) => return Err(self.failed(silence, time)),
        };
        let info = attention.info;
        let pit = self.checked(record, best)?;
        let choice =
            Choice { pit, score: info.score, nodes: info.nodes.unwrap_or(0), depth: info.depth };
        Ok(Thought { choice, line: info.line })
    }

    /// Tells it to stop and waits for its answer. An engine that searches on is killed.
    fn stop(&mut self, attention: &mut Attention) -> Result<String, NoChoice> {
        self.tell(&Command::Stop)?;
        let deadline = Instant::now().checked_add(STOPPING);
        self.best_move(deadline, &(), attention).map_err(|_| {
            self.process.kill();
            NoChoice::Stopped
        })
    }

    /// Waits for its move, which is not checked here.
    fn best_move(
        &mut self,
        deadline: Option<Instant>,
        progress: &dyn Progress,
        attention: &mut Attention,
    ) -> Result<String, Silence> {
        loop {
            match self.reply(deadline, progress)? {
                Reply::BestMove { best, .. } => return Ok(best),
                Reply::Info(info) => attention.hear(info),
                _ => {}
            }
        }
    }

    /// The pit that an answer names, if the side to move may sow it.
    fn checked(&mut self, record: &Record<Ayo>, answer: String) -> Result<Pit, NoChoice> {
        let objection = match legal_pit(record, &answer) {
            Ok(pit) => return Ok(pit),
            Err(objection) => objection,
        };
        self.process.kill();
        let (name, told) = (self.name.clone(), self.told.clone());
        Err(EngineError::Move { name, told, answer, objection }.into())
    }

    /// Waits until it has done all that it was told.
    fn settle(&mut self, progress: &dyn Progress) -> Result<(), NoChoice> {
        self.ask(&Command::IsReady, progress, |reply| (reply == Reply::ReadyOk).then_some(()))
    }

    /// Tells it something and waits for the reply that `wanted` picks.
    fn ask<T>(
        &mut self,
        command: &Command,
        progress: &dyn Progress,
        mut wanted: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, NoChoice> {
        self.tell(command)?;
        let deadline = Instant::now().checked_add(self.timeout);
        loop {
            match self.reply(deadline, progress).map(&mut wanted) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(silence) => return Err(self.failed(silence, self.timeout)),
            }
        }
    }

    fn tell(&mut self, command: &Command) -> Result<(), NoChoice> {
        self.told = command.to_string();
        let said = self.process.say(&self.told);
        said.map_err(|_| self.failed(Silence::Ended, self.timeout))
    }

    /// The next line that is a reply. Other lines are skipped.
    fn reply(
        &mut self,
        deadline: Option<Instant>,
        progress: &dyn Progress,
    ) -> Result<Reply, Silence> {
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            // Even an engine that never pauses comes to its deadline.
            if left.is_some_and(|left| left.is_zero()) {
                return Err(Silence::Late);
            }
            if progress.should_stop() {
                return Err(Silence::Stopped);
            }
            match self.process.hear(left.map_or(POLL, |left| left.min(POLL))) {
                Heard::Line(line) => match Reply::parse(&line) {
                    Some(reply) => return Ok(reply),
                    None => continue,
                },
                Heard::Nothing => continue,
                Heard::End => return Err(Silence::Ended),
            }
        }
    }

    /// Kills it and says why. `time` is what it had for its answer.
    fn failed(&mut self, silence: Silence, time: Duration) -> NoChoice {
        let (name, told) = (self.name.clone(), self.told.clone());
        let error = match silence {
            Silence::Stopped => return NoChoice::Stopped,
            Silence::Late => EngineError::Late { name, told, time },
            Silence::Ended => {
                let how = match self.process.departed() {
                    Some(status) => format!("ended with {status}"),
                    None => "closed its output".into(),
                };
                let last_words = match self.process.complaint().as_str() {
                    "" => String::new(),
                    words => format!("; its last words were \"{}\"", shortened(words)),
                };
                EngineError::Ended { name, how, told, last_words }
            }
        };
        self.process.kill();
        error.into()
    }
}

/// The setting that names the rules, in engines that know more than one game.
const RULES: &str = "Rules";

fn is_rules(name: &str) -> bool {
    name.eq_ignore_ascii_case(RULES)
}

/// Whether an engine has an option. Its name may be written in any case, as in UCI.
fn knows(options: &[String], name: &str) -> bool {
    options.iter().any(|option| option.eq_ignore_ascii_case(name))
}

/// The options of an engine, those first that begin most like `name`.
fn in_words(options: &[String], name: &str) -> String {
    let alike = |option: &String| {
        let pairs = option.chars().zip(name.chars());
        pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
    };
    let mut options: Vec<&String> = options.iter().collect();
    options.sort_by_key(|option| std::cmp::Reverse(alike(option)));
    let more = options.len().saturating_sub(NAMED_OPTIONS);
    let named: Vec<String> = options.iter().take(NAMED_OPTIONS).map(|it| shortened(it)).collect();
    match (named.len(), more) {
        (0, _) => "it has none".into(),
        (_, 0) => format!("there is {}", named.join(", ")),
        _ => format!("there is {} and {more} more", named.join(", ")),
    }
}

/// The listener to an engine's reports, and what these have said so far.
struct Attention<'a> {
    record: &'a Record<Ayo>,
    listener: &'a mut dyn FnMut(&Iteration),
    info: Info,
}

impl Attention<'_> {
    /// Keeps what is said; a report of depth, score and line together is an iteration.
    fn hear(&mut self, said: Info) {
        let first = said.line.first().filter(|(side, _)| *side == self.record.to_move());
        let known = &mut self.info;
        known.nodes = said.nodes.or(known.nodes);
        let Some(score) = said.score else {
            return;
        };
        if let (Some(depth), Some(&(_, pit))) = (said.depth, first) {
            let found = Found { pit, score, nodes: known.nodes.unwrap_or(0), depth };
            (self.listener)(&Iteration { found, elapsed: said.time.unwrap_or_default() });
        }
        known.score = Some(score);
        known.depth = said.depth.or(known.depth);
        known.line = said.line;
    }
}

/// The command that tells a game as it stands.
fn position(record: &Record<Ayo>) -> Command {
    let plies = record.plies().iter();
    let plies = plies.map(|&(side, pit)| Ply { side, pit, printed: None }).collect();
    Command::Position { opening: *record.opening(), line: Line { plies } }
}

/// The pit that a text names, or why the side to move may not sow it.
fn legal_pit(record: &Record<Ayo>, text: &str) -> Result<Pit, String> {
    let mut letters = text.chars();
    let (Some((side, pit)), None) = (letters.next().and_then(Pit::from_letter), letters.next())
    else {
        let over = text == NO_MOVE;
        return Err(if over { "the game is not over" } else { "that is no pit" }.into());
    };
    if side != record.to_move() {
        return Err(format!("it is {}'s turn", record.to_move()));
    }
    match record.game().objection(record.position(), pit) {
        Some(objection) => Err(objection.into()),
        None => Ok(pit),
    }
}
