//! `ayo uci`: speaks the protocol of Oware engines on standard input and output.

mod codingame;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use arena::player::protocol::{Clocks, Command, CommandError, Info, NO_MOVE, Reply, Until};
use arena::player::{
    DEFAULT_HASH, MAX_HASH, MAX_THREADS, NoChoice, Player, Spec, SpecError, build_for, kill_engines,
};
use clap::{Args, ValueEnum};
use mancala::eval::LEARNED;
use mancala::game::ayo::{Ayo, Position, Rules};
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits, MAX_DEPTH};

use crate::analyse::bestmove::{DEFAULT_ENGINE, spec_error};
use crate::terminal::{Interrupt, leave_on_signals, usage};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Player that chooses the moves
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_ENGINE)]
    player: String,
    /// Rules: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME", default_value_t = Rules::default())]
    rules: Rules,
    /// Protocol on standard input and output
    #[arg(long, value_enum, default_value_t = Protocol::Uci)]
    protocol: Protocol,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// The UCI-like protocol of Oware engines
    Uci,
    /// Turns of CodinGame's Oware Abapa: 800 ms for the first move, 40 ms for the others
    Codingame,
}

/// Handles commands from standard input until the end of the input or, in the UCI-like protocol, until `quit`.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    leave_on_signals()?;
    if arguments.protocol == Protocol::Codingame {
        return codingame::run(&arguments.player, arguments.rules, out);
    }
    let (sender, events) = mpsc::sync_channel(QUEUE);
    let spec = arguments.player.parse().map_err(usage)?;
    let mut session = Session::new(spec, arguments.rules, sender.clone()).map_err(spec_error)?;
    thread::spawn(move || read_commands(&sender));
    for event in &events {
        let Some(replies) = session.answer(event) else {
            break;
        };
        for reply in replies {
            writeln!(out, "{reply}")?;
            out.flush()?;
        }
        if session.has_ended && !session.ends_by_itself() {
            break;
        }
    }
    if session.player.is_none() {
        // The player is an external engine that's still searching. We can't tell it to quit, so we kill it.
        kill_engines();
    }
    Ok(())
}

/// While this many events are queued, we don't read any more input.
const QUEUE: usize = 100;
/// The maximum number of commands that wait for the end of a search.
const MAX_WAITING: usize = 1000;
/// The maximum length of a line in bytes. The rest of a longer line is read as another line.
const MAX_LINE: u64 = 1 << 16;

fn read_commands(events: &SyncSender<Event>) {
    let (mut input, mut line) = (io::stdin().lock(), Vec::new());
    while let Ok(1..) = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
        if events.send(Event::Line(text)).is_err() {
            return;
        }
        line.clear();
    }
    let _ = events.send(Event::EndOfInput);
}

/// The time limit used while pondering. It's so long that it is never reached.
const FOREVER: Duration = Duration::from_secs(1 << 30);

enum Event {
    Line(String),
    EndOfInput,
    /// An iteration of the search has finished. The reply reports its result.
    Iteration(Reply),
    /// The search has finished and returns the player, which it owned until now, along with the replies.
    Found(Box<dyn Player<Ayo>>, Vec<Reply>),
}

struct Session {
    spec: Spec,
    /// The default limits of the player, or `None` if the player doesn't search.
    limits: Option<Limits>,
    /// This is `None` during a search, because the search owns the player.
    player: Option<Box<dyn Player<Ayo>>>,
    /// The value of the setting `book` while the option `OwnBook` is on.
    own_book: String,
    rules: Rules,
    /// The current game, or the reason why the last position was invalid.
    record: Result<Record<Ayo>, String>,
    /// The current search, or a finished search whose best move hasn't been sent yet.
    search: Option<Search>,
    /// Commands that can't be obeyed before the current search has ended.
    waiting: VecDeque<Result<Command, CommandError>>,
    has_ended: bool,
    events: SyncSender<Event>,
}

struct Search {
    stop: Interrupt,
    until: Until,
    /// The time limit of a search that is pondering, counted from `ponderhit`.
    time: Option<Duration>,
    /// The replies of a finished search. While pondering or analysing, we hold them back until `ponderhit` or `stop`.
    answer: Vec<Reply>,
}

impl Session {
    fn new(spec: Spec, rules: Rules, events: SyncSender<Event>) -> Result<Session, SpecError> {
        let spec = spec.in_full();
        let player = spec.build(Ayo { rules })?;
        let own_book = spec.text("book").filter(|&book| book != "off");
        Ok(Session {
            limits: player.limits(),
            player: Some(player),
            own_book: own_book.unwrap_or("builtin").into(),
            record: Ok(Record::new(Ayo { rules }, Side::South)),
            search: None,
            waiting: VecDeque::new(),
            has_ended: false,
            spec,
            rules,
            events,
        })
    }

    /// Returns the replies to an event, or `None` if the session should end.
    fn answer(&mut self, event: Event) -> Option<Vec<Reply>> {
        match event {
            Event::EndOfInput => {
                self.has_ended = true;
                // Wait for a search that will end by itself, so that a script gets the answer to its last command.
                self.ends_by_itself().then(Vec::new)
            }
            Event::Line(line) if line.trim().is_empty() => Some(Vec::new()),
            Event::Line(line) => match line.parse() {
                command if self.must_wait(&command) && self.waiting.len() < MAX_WAITING => {
                    self.waiting.push_back(command);
                    Some(Vec::new())
                }
                Ok(Command::Quit) => None,
                command if self.must_wait(&command) => {
                    Some(remark("ignoring a command, because too many others wait for the search"))
                }
                command => Some(self.obey(command)),
            },
            Event::Iteration(reply) => Some(vec![reply]),
            Event::Found(player, replies) => {
                if let Some(search) = &mut self.search {
                    search.answer = replies;
                }
                self.player = Some(player);
                let mut replies = self.answer_if_due();
                while let Some(command) = self.waiting.pop_front() {
                    if self.must_wait(&command) {
                        self.waiting.push_front(command);
                        break;
                    }
                    replies.extend(self.obey(command));
                }
                Some(replies)
            }
        }
    }

    /// Returns whether a search is running that doesn't need a `stop` or `ponderhit`.
    fn ends_by_itself(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.until == Until::Found)
    }

    /// Returns whether the command has to wait for the current search. Thus, scripts can send all commands at once.
    fn must_wait(&self, command: &Result<Command, CommandError>) -> bool {
        let is_urgent = match command {
            Ok(Command::Uci | Command::IsReady) => true,
            // If another search is waiting, then the command is meant for that search.
            Ok(Command::Stop) => {
                !self.waiting.iter().any(|it| matches!(it, Ok(Command::Go { .. })))
            }
            _ => false,
        };
        self.ends_by_itself() && !is_urgent
    }

    fn obey(&mut self, command: Result<Command, CommandError>) -> Vec<Reply> {
        let command = match command {
            Ok(command) => command,
            Err(error) => {
                let text = error.to_string();
                // After an invalid position, there is no current game.
                if error.is_position {
                    self.record = Err(text.clone());
                }
                return remark(text);
            }
        };
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => vec![Reply::ReadyOk],
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => self.new_game(),
            Command::Position { opening, line } => self.set_position(opening, line),
            Command::Go { limits, until, clocks } => self.go(limits, until, clocks),
            Command::PonderHit => self.ponder_hit(),
            Command::Stop => self.stop(),
            Command::Quit => {
                self.has_ended = true;
                self.waiting.clear();
                Vec::new()
            }
        }
    }

    fn introduce(&self) -> Vec<Reply> {
        let option = |(name, form): (&str, _)| Reply::Option { name: name.into(), form };
        let mut replies = vec![
            Reply::Name(concat!("ayo ", env!("CARGO_PKG_VERSION")).into()),
            Reply::Author("the ayo authors".into()),
        ];
        replies.extend(self.options().into_iter().map(option));
        replies.push(Reply::UciOk);
        replies
    }

    /// Returns the names of the options with their types and defaults.
    fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = Vec::new();
        if self.spec.kind.ends_with("minimax") || self.is_engine() {
            let weights = self.spec.text("weights").unwrap_or(LEARNED);
            options.push(("Weights", format!("type string default {weights}")));
        }
        if self.is_engine() {
            let spin = |key, usual: usize, most: usize| {
                let value = self.spec.text(key).map_or(usual.to_string(), String::from);
                format!("type spin default {value} min 1 max {most}")
            };
            let own = self.spec.text("book").is_some_and(|book| book != "off");
            options.extend([
                ("Hash", spin("hash", DEFAULT_HASH, MAX_HASH)),
                ("Threads", spin("threads", 1, MAX_THREADS)),
                ("Ponder", "type check default false".into()),
                ("OwnBook", format!("type check default {own}")),
            ]);
        }
        if let Some(limits) = self.limits {
            let depth = limits.depth.unwrap_or(MAX_DEPTH);
            options.push(("Depth", format!("type spin default {depth} min 1 max {MAX_DEPTH}")));
        }
        let presets: String =
            Rules::PRESETS.iter().map(|(name, _)| format!(" var {name}")).collect();
        options.push(("Rules", format!("type combo default {}{presets}", self.rules)));
        options
    }

    fn is_engine(&self) -> bool {
        self.spec.kind == "engine"
    }

    fn set_option(&mut self, name: &str, value: &str) -> Vec<Reply> {
        if self.player.is_none() {
            return remark("setoption: a search is running");
        }
        if !self.options().iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            return remark(format!("setoption: unknown option \"{name}\""));
        }
        match (name.to_ascii_lowercase().as_str(), value) {
            // There is nothing to do, because each `go` command says whether to ponder.
            ("ponder", "true" | "false") => Vec::new(),
            ("ownbook", "true") => self.set_player("book", &self.own_book.clone()),
            ("ownbook", "false") => self.set_player("book", "off"),
            ("ponder" | "ownbook", _) => {
                remark(format!("setoption: {name} is \"{value}\", not true or false"))
            }
            ("rules", _) => self.set_rules(value),
            (key, _) => self.set_player(key, value),
        }
    }

    /// Changes a setting of the player, if the value is valid.
    fn set_player(&mut self, key: &str, value: &str) -> Vec<Reply> {
        let mut spec = self.spec.clone();
        spec.set(key, value);
        self.rebuild(spec, self.rules).map(remark).unwrap_or_default()
    }

    /// Replaces the player with a new one. If that fails, rebuilds the old player and returns the error.
    fn rebuild(&mut self, spec: Spec, rules: Rules) -> Option<String> {
        // We drop the current player first, because there may not be enough memory for both players' tables.
        self.player = None;
        match spec.build(Ayo { rules }) {
            Ok(player) => {
                self.limits = player.limits();
                self.player = Some(player);
                self.spec = spec;
                None
            }
            Err(error) => {
                self.player = self.spec.build(Ayo { rules: self.rules }).ok();
                Some(format!("setoption: {error}"))
            }
        }
    }

    /// Changes the rules, including the rules of the current game.
    fn set_rules(&mut self, value: &str) -> Vec<Reply> {
        let rules = match value.parse() {
            Ok(rules) => rules,
            Err(error) => return remark(format!("setoption: {error}")),
        };
        if let Some(error) = self.rebuild(self.spec.clone(), rules) {
            return remark(error);
        }
        self.rules = rules;
        let Ok(record) = &self.record else { return Vec::new() };
        let (opening, line) = (*record.opening(), record.plies().to_vec());
        self.set_position(opening, line)
    }

    fn new_game(&mut self) -> Vec<Reply> {
        let Some(player) = &mut self.player else {
            return remark("ucinewgame: a search is running");
        };
        player.new_game();
        self.record = Ok(Record::new(Ayo { rules: self.rules }, Side::South));
        Vec::new()
    }

    /// Sets the current game. If it's illegal, then there is no current game, so that we never search a stale one.
    fn set_position(&mut self, opening: Position, line: Vec<(Side, Pit)>) -> Vec<Reply> {
        let mut record = Record::from_position(Ayo { rules: self.rules }, opening);
        let played = record.play_line(line).map(|()| record);
        self.record = played.map_err(|error| format!("position: {error}"));
        self.record.as_ref().err().map(remark).unwrap_or_default()
    }

    fn go(&mut self, mut limits: Limits, until: Until, clocks: Clocks) -> Vec<Reply> {
        let record = match &self.record {
            Ok(record) => record.clone(),
            Err(reason) => return vec![Reply::Remark(reason.clone()), no_move()],
        };
        if self.search.is_some() {
            return remark("go: a search is running");
        }
        if let (Some(ending), Some(verdict)) = (record.ending(), record.verdict()) {
            let over = format!("the game is over, {verdict} ({ending})");
            return vec![Reply::Remark(over), no_move()];
        }
        let Some(player) = self.player.take() else {
            return remark("go: a search is running");
        };
        // A search that runs until `stop` is an analysis, so the clocks don't apply.
        if until != Until::Stopped {
            limits.movetime = limits.movetime.or(clocks.allotted(record.to_move()));
        }
        let own = limits == Limits::default() && until != Until::Stopped;
        let mut limits = if own { self.limits.unwrap_or_default() } else { limits };
        let time = limits.movetime.filter(|_| until == Until::Pondered);
        if time.is_some() {
            // The clock starts at `ponderhit`. Use a huge limit until then, since a search without one is an analysis.
            limits.movetime = Some(FOREVER);
        }
        let stop = Interrupt::default();
        start(player, record, limits, stop.clone(), self.events.clone());
        self.search = Some(Search { stop, until, time, answer: Vec::new() });
        Vec::new()
    }

    /// Starts the search's clock, because the opponent has played the expected move.
    fn ponder_hit(&mut self) -> Vec<Reply> {
        let pondering = self.search.as_mut().filter(|search| search.until == Until::Pondered);
        let Some(search) = pondering else {
            return remark("ponderhit: no search is pondering");
        };
        search.until = Until::Found;
        if let Some(time) = search.time {
            search.stop.set_after(time);
        }
        self.answer_if_due()
    }

    /// Stops the search. The answer is sent once the search has finished.
    fn stop(&mut self) -> Vec<Reply> {
        let Some(search) = &mut self.search else {
            return Vec::new();
        };
        search.stop.set();
        search.until = Until::Found;
        self.answer_if_due()
    }

    fn answer_if_due(&mut self) -> Vec<Reply> {
        let due = |search: &mut Search| search.until == Until::Found && !search.answer.is_empty();
        self.search.take_if(due).map(|search| search.answer).unwrap_or_default()
    }
}

fn remark(text: impl ToString) -> Vec<Reply> {
    vec![Reply::Remark(text.to_string())]
}

fn no_move() -> Reply {
    Reply::BestMove { best: NO_MOVE.into(), ponder: None }
}

/// Some players need a second search for the principal variation. We skip it after a search of more nodes than this.
const MAX_NODES_WITH_LINE: u64 = 1_000_000;

/// Searches in another thread, so that we can answer commands in the meantime.
fn start(
    mut player: Box<dyn Player<Ayo>>,
    record: Record<Ayo>,
    limits: Limits,
    stop: Interrupt,
    events: SyncSender<Event>,
) {
    thread::spawn(move || {
        let (begun, mover) = (Instant::now(), record.to_move());
        let mut report = |&Iteration { found, elapsed }: &Iteration| {
            let (depth, score) = (Some(found.depth), Some(found.score));
            let (nodes, time) = (Some(found.nodes), Some(elapsed));
            let info = Info { depth, score, nodes, time, line: vec![(mover, found.pit)] };
            let _ = events.send(Event::Iteration(Reply::Info(info)));
        };
        let mut choice = player.analyse(&record, &limits, &stop, &mut report);
        // A player without iterative deepening has no move to return when it's stopped, so we play the greedy move.
        if matches!(choice, Err(NoChoice::Stopped)) {
            let greedy = build_for("greedy", *record.game());
            choice = greedy.expect("a player without settings").choose(&record, &());
        }
        let elapsed = begun.elapsed();
        let replies = match choice {
            Err(reason) => vec![Reply::Remark(reason.to_string()), no_move()],
            Ok(choice) => {
                let has_time = limits.movetime.is_none() && !stop.should_stop();
                let is_short = has_time && choice.nodes <= MAX_NODES_WITH_LINE;
                let line = match is_short || player.variation_is_stored() {
                    true => player.variation(&record, &choice),
                    false => vec![(mover, choice.pit)],
                };
                let best = choice.pit.letter(mover).into();
                let ponder = line.get(1).map(|&(side, pit)| pit.letter(side).into());
                let (depth, score) = (choice.depth, choice.score);
                let (nodes, time) = (Some(choice.nodes), Some(elapsed));
                // A player that doesn't search has nothing to report.
                let info = depth.map(|_| Reply::Info(Info { depth, score, nodes, time, line }));
                info.into_iter().chain([Reply::BestMove { best, ponder }]).collect()
            }
        };
        // This fails if we're about to exit and no longer receive events.
        let _ = events.send(Event::Found(player, replies));
    });
}
