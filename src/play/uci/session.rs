//! What is answered to which command.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Duration;

use arena::player::protocol::{Clocks, Command, CommandError, Reply, Until};
use arena::player::{MOST_HASH, MOST_THREADS, Player, Spec, SpecError, USUAL_HASH, level};
use mancala::eval::LEARNED;
use mancala::game::ayo::{Ayo, Line, Position, Rules};
use mancala::game::{Record, Side};
use mancala::search::{Iteration, Limits, MAX_DEPTH};

use crate::play::uci::search;
use crate::play::uci::search::{Found, Stop, no_move};

/// How long the end of the program waits for a search that has been stopped.
const GRACE: Duration = Duration::from_secs(1);

/// Longer than anybody ponders.
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// Something to react to.
pub enum Event {
    /// A line of input.
    Line(String),
    /// There will be no more.
    EndOfInput,
    /// The search has looked a ply deeper.
    Iteration(Iteration),
    /// The search is over.
    Found(Found),
}

impl From<Iteration> for Event {
    fn from(iteration: Iteration) -> Event {
        Event::Iteration(iteration)
    }
}

impl From<Found> for Event {
    fn from(found: Found) -> Event {
        Event::Found(found)
    }
}

/// A conversation as it stands.
pub struct Session {
    spec: Spec,
    /// What the player searches within if nothing is said; none if it does not search.
    limits: Option<Limits>,
    /// None while it thinks.
    player: Option<Box<dyn Player<Ayo>>>,
    /// The book that the player uses when it may use one.
    own_book: String,
    rules: Rules,
    /// What is to be played on, or why that is unknown.
    record: Result<Record<Ayo>, String>,
    /// The search that has not been answered yet.
    search: Option<Search>,
    /// Whether commands may still come.
    is_heard_out: bool,
    events: SyncSender<Event>,
}

struct Search {
    stop: Arc<Stop>,
    until: Until,
    /// The time that begins when the move is played that it ponders on, if it is limited.
    time: Option<Duration>,
    mover: Side,
    /// The answer, while it may not be given.
    answer: Vec<Reply>,
}

impl Session {
    /// A conversation with a player; the events of its searches go to `events`.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn new(spec: Spec, rules: Rules, events: SyncSender<Event>) -> Result<Session, SpecError> {
        let spec = spec.in_full();
        let player = spec.build(Ayo { rules })?;
        let limits = player.limits();
        let own_book = spec.text("book").filter(|&book| book != "off");
        let own_book = own_book.unwrap_or("builtin").into();
        let record = Ok(Record::new(Ayo { rules }, Side::South));
        let player = Some(player);
        Ok(Session {
            spec,
            limits,
            player,
            own_book,
            rules,
            record,
            search: None,
            is_heard_out: false,
            events,
        })
    }

    /// The replies to an event; `None` if it ends the conversation.
    pub fn answer(&mut self, event: Event) -> Option<Vec<Reply>> {
        match event {
            Event::EndOfInput => {
                self.is_heard_out = true;
                // A script wants the answer to its last command. Nobody will end what does not end by itself.
                let ends = |search: &Search| search.until == Until::Found;
                self.search.as_ref().is_some_and(ends).then(Vec::new)
            }
            Event::Line(line) if line.trim().is_empty() => Some(Vec::new()),
            Event::Line(line) => match line.parse() {
                Ok(command) => self.obey(command),
                Err(error) => Some(self.refuse(error)),
            },
            Event::Iteration(iteration) => {
                let mover = self.search.as_ref().map(|search| search.mover);
                Some(mover.map(|mover| search::report(&iteration, mover)).into_iter().collect())
            }
            Event::Found(found) => Some(self.finish(found)),
        }
    }

    /// Whether all that was asked is answered, and nothing more can be asked.
    pub fn is_over(&self) -> bool {
        self.is_heard_out && self.search.is_none()
    }

    /// Ends a search that still runs, so that an engine that the player has asked ends as well.
    pub fn leave(&mut self, events: &Receiver<Event>) {
        if let Some(search) = &self.search {
            search.stop.set();
        }
        while self.player.is_none() {
            match events.recv_timeout(GRACE) {
                Ok(Event::Found(found)) => self.player = Some(found.player),
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    fn obey(&mut self, command: Command) -> Option<Vec<Reply>> {
        Some(match command {
            Command::Uci => self.introduce(),
            Command::IsReady => vec![Reply::ReadyOk],
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => self.new_game(),
            Command::Position { opening, line } => self.set_position(opening, &line),
            Command::Go { limits, until, clocks } => self.go(limits, until, clocks),
            Command::PonderHit => self.ponder_hit(),
            Command::Stop => self.stop(),
            Command::Quit => return None,
        })
    }

    /// After a position that cannot be read the old game is not gone back to either.
    fn refuse(&mut self, error: CommandError) -> Vec<Reply> {
        let text = error.to_string();
        if error.is_of_position() {
            self.record = Err(text.clone());
        }
        remark(text)
    }

    fn introduce(&self) -> Vec<Reply> {
        let mut replies = vec![
            Reply::Name(concat!("ayo ", env!("CARGO_PKG_VERSION")).into()),
            Reply::Author("the ayo authors".into()),
        ];
        let option = |name: &str, form| Reply::Option { name: name.into(), form };
        if self.has_weights() {
            let weights = self.spec.text("weights").unwrap_or(LEARNED);
            replies.push(option("Weights", format!("type string default {weights}")));
        }
        if self.is_engine() {
            let mut spin = |name: &str, usual: usize, most: usize| {
                let key = name.to_ascii_lowercase();
                let value = self.spec.text(&key).map_or(usual.to_string(), String::from);
                let form = format!("type spin default {value} min 1 max {most}");
                replies.push(option(name, form));
            };
            spin("Hash", USUAL_HASH, MOST_HASH);
            spin("Threads", 1, MOST_THREADS);
            replies.push(option("Ponder", "type check default false".into()));
            let own = self.spec.text("book").is_some_and(|book| book != "off");
            replies.push(option("OwnBook", format!("type check default {own}")));
        }
        if let Some(limits) = self.limits {
            let depth = limits.depth.unwrap_or(MAX_DEPTH);
            let form = format!("type spin default {depth} min 1 max {MAX_DEPTH}");
            replies.push(option("Depth", form));
        }
        let presets: String =
            Rules::PRESETS.iter().map(|(name, _)| format!(" var {name}")).collect();
        replies.push(option("Rules", format!("type combo default {}{presets}", self.rules)));
        replies.push(Reply::UciOk);
        replies
    }

    fn has_weights(&self) -> bool {
        self.spec.kind.ends_with("minimax") || self.is_engine()
    }

    fn is_engine(&self) -> bool {
        self.spec.kind == "engine"
    }

    /// Tables hold for one set of rules; a player without any is the same under all.
    fn has_tables(&self) -> bool {
        self.spec.text("tables").is_some() || self.is_engine() || level(&self.spec.kind).is_some()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Vec<Reply> {
        if self.player.is_none() {
            return remark("setoption: a search is running");
        }
        match name.to_ascii_lowercase().as_str() {
            "weights" if self.has_weights() => self.set_player("weights", value),
            "hash" if self.is_engine() => self.set_player("hash", value),
            "threads" if self.is_engine() => self.set_player("threads", value),
            // Whoever plays says with each move whether to ponder.
            "ponder" if self.is_engine() && ["true", "false"].contains(&value) => Vec::new(),
            "ponder" if self.is_engine() => {
                remark(format!("setoption: Ponder is \"{value}\", not true or false"))
            }
            "ownbook" if self.is_engine() => self.set_own_book(value),
            "depth" if self.limits.is_some() => self.set_player("depth", value),
            "rules" => self.set_rules(value),
            _ => remark(format!("setoption: there is no option \"{name}\"")),
        }
    }

    /// Changes the player, if there is one with this setting.
    fn set_player(&mut self, key: &str, value: &str) -> Vec<Reply> {
        let mut spec = self.spec.clone();
        spec.set(key, value);
        let game = Ayo { rules: self.rules };
        // There may be no memory for the tables of both players.
        self.player = None;
        match spec.build(game) {
            Ok(player) => {
                self.limits = player.limits();
                self.player = Some(player);
                self.spec = spec;
                Vec::new()
            }
            Err(error) => {
                self.player = self.spec.build(game).ok();
                remark(format!("setoption: {error}"))
            }
        }
    }

    /// Opens or shuts the book that the player came with, or else the one that is compiled in.
    fn set_own_book(&mut self, value: &str) -> Vec<Reply> {
        match value {
            "true" => self.set_player("book", &self.own_book.clone()),
            "false" => self.set_player("book", "off"),
            _ => remark(format!("setoption: OwnBook is \"{value}\", not true or false")),
        }
    }

    /// Changes the rules, of the game that is being played too.
    fn set_rules(&mut self, value: &str) -> Vec<Reply> {
        let rules = match value.parse() {
            Ok(rules) => rules,
            Err(error) => return remark(format!("setoption: {error}")),
        };
        // Books hold for one set of rules; a player without any is the same under all.
        if self.has_tables() || self.spec.text("book").is_some() {
            self.player = None;
            match self.spec.build(Ayo { rules }) {
                Ok(player) => self.player = Some(player),
                Err(error) => {
                    self.player = self.spec.build(Ayo { rules: self.rules }).ok();
                    return remark(format!("setoption: {error}"));
                }
            }
        }
        self.rules = rules;
        // What it remembers holds for the old ones.
        if let Some(player) = &mut self.player {
            player.new_game();
        }
        match &self.record {
            Ok(record) => {
                let line = record.line().parse().expect("a line is one");
                self.set_position(*record.opening(), &line)
            }
            Err(_) => Vec::new(),
        }
    }

    fn new_game(&mut self) -> Vec<Reply> {
        let Some(player) = &mut self.player else {
            return remark("ucinewgame: a search is running");
        };
        player.new_game();
        self.record = Ok(Record::new(Ayo { rules: self.rules }, Side::South));
        Vec::new()
    }

    /// After a game that cannot be played the old one is not gone back to: a move in it would be
    /// taken for one in the new.
    fn set_position(&mut self, opening: Position, line: &Line) -> Vec<Reply> {
        let record = line.play_from(Ayo { rules: self.rules }, opening);
        self.record = record.map_err(|error| format!("position: {error}"));
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
        // A game that is analysed has no clock.
        if until != Until::Stopped {
            limits.movetime = limits.movetime.or(clocks.allotted(record.to_move()));
        }
        let own = limits == Limits::default() && until != Until::Stopped;
        let mut limits = if own { self.limits.unwrap_or_default() } else { limits };
        let time = limits.movetime.filter(|_| until == Until::Pondered);
        if time.is_some() {
            // Its time has not begun, but it is a move that is looked for, and no analysis.
            limits.movetime = Some(FOREVER);
        }
        let (stop, mover) = (Arc::new(Stop::default()), record.to_move());
        search::start(player, record, limits, &stop, self.events.clone());
        self.search = Some(Search { stop, until, time, mover, answer: Vec::new() });
        Vec::new()
    }

    /// The move was played that the search took for granted: its time begins.
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

    /// Ends the search; the answer comes at once if it is there, else when the player gives it.
    fn stop(&mut self) -> Vec<Reply> {
        let Some(search) = &mut self.search else {
            return Vec::new();
        };
        search.stop.set();
        search.until = Until::Found;
        self.answer_if_due()
    }

    fn finish(&mut self, found: Found) -> Vec<Reply> {
        if let Some(search) = &mut self.search {
            search.answer = found.replies();
        }
        self.player = Some(found.player);
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
