//! Matches and tournaments: games that are kept in a file, counted, and ended by a sequential test.

mod wish;

use std::ops::ControlFlow;
use std::path::Path;

use arena::player::{self, PlayableGame, SpecError};
use arena::{
    Contest, Entrant, Finished, Form, Games, GamesError, GamesFile, GamesFileError, Heading,
    Openings, Pentanomial, Reference, Sprt, Team, pair_score,
};
use mancala::progress::Progress;
use mancala::store::FileError;

use crate::matches::contest::wish::Wish;
use crate::matches::match_result::Match;
use crate::matches::openings_choice::{OpeningsChoice, OpeningsChoiceError};
use crate::matches::tournament_result::Tournament;
use crate::results::PlayedContest;

/// A contest that can be played.
pub struct Setup<G: PlayableGame> {
    form: Form,
    teams: Vec<Team<G>>,
    game: G,
    openings: Openings<G::Position>,
    /// The openings in words.
    described: String,
    sprt: Option<Sprt>,
}

/// Why a contest cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A player that there is none of.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// No such openings.
    #[error(transparent)]
    Openings(#[from] OpeningsChoiceError),
    /// A player that would meet itself.
    #[error("player {0} is named twice")]
    Twice(String),
}

/// What ends a contest before its time.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A player that cannot play as many games at a time.
    #[error(transparent)]
    Player(#[from] GamesError),
    /// A game that cannot be kept.
    #[error(transparent)]
    File(#[from] FileError),
}

/// How far a contest is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContestProgress {
    /// Games that are over.
    pub games: usize,
    /// Games of the contest.
    pub of: usize,
    /// Games that were over before.
    pub found: usize,
    /// Of a match, the pairs of games that are over.
    pub pairs: Option<Pentanomial>,
    /// The log-likelihood ratio, if there is a test, and the bounds at which it ends.
    pub llr: Option<(f64, (f64, f64))>,
}

/// The games of a contest, as far as it went.
pub struct ContestOutcome {
    /// In the order of their numbers.
    pub games: Vec<Finished>,
    /// Whether it ended before its time.
    pub interrupted: bool,
    /// What went wrong; the games up to then count all the same.
    pub trouble: Option<Trouble>,
}

impl<G: PlayableGame> Setup<G> {
    /// A contest between the players of these specifications. Only in a match may they be the same.
    ///
    /// # Errors
    /// If there is no such player, or there are no such openings.
    pub fn new(
        form: Form,
        players: &[String],
        game: G,
        openings: &OpeningsChoice,
        sprt: Option<Sprt>,
    ) -> Result<Setup<G>, SetupError> {
        let players: Vec<String> =
            players.iter().map(|spec| player::in_full(spec)).collect::<Result<_, _>>()?;
        let twice = (1..players.len()).find(|&at| players[..at].contains(&players[at]));
        if let Some(at) = twice.filter(|_| form != Form::Match) {
            return Err(SetupError::Twice(players[at].clone()));
        }
        let teams = players.iter().map(|spec| Team::new(spec, game)).collect::<Result<_, _>>()?;
        let described = openings.to_string();
        let openings = openings.load(game)?;
        Ok(Setup { form, teams, game, openings, described, sprt })
    }

    /// Who plays in it, in words.
    pub fn described(&self) -> String {
        let players: Vec<&str> = self.teams.iter().map(Team::spec).collect();
        match self.form {
            Form::Match => format!("match {}", players.join(" ")),
            Form::Gauntlet | Form::RoundRobin => format!("tournament of {} players", players.len()),
        }
    }

    /// Its games, those that a file has of them too.
    pub fn games(&self) -> usize {
        self.contest().len()
    }

    /// Plays the games that `keep`, if there is such a file, lacks, on the threads of the current rayon
    /// pool. `follow` is called for each. The progress may stop the contest, as does a [`StopFile`](evolve::run::StopFile)
    /// next to the file of games.
    ///
    /// # Errors
    /// If the file belongs to another contest. Whatever goes wrong later is in the outcome.
    pub fn play(
        &self,
        keep: Option<&Path>,
        progress: &dyn Progress,
        follow: &mut (dyn FnMut(ContestProgress) + Send),
    ) -> Result<ContestOutcome, GamesFileError> {
        let contest = self.contest();
        let mut under_way = UnderWay::new(self.form, contest.len(), self.sprt, follow);
        let (mut file, wish) = (None, Wish::new(progress, keep));
        if let Some(path) = keep {
            let (opened, games) = GamesFile::open(path, &self.heading(), &contest)?;
            file = Some(opened);
            under_way.take_over(games);
        }
        let games = contest.local_games();
        let played = under_way.play(&contest, &games, &wish, file.as_mut());
        // Games that were played are kept, whatever ended the contest.
        let saved = file.as_mut().map_or(Ok(()), GamesFile::flush);
        wish.ended();
        let trouble = played.err().or(saved.err().map(Trouble::File));
        let unfinished = under_way.games.len() < contest.len() && !under_way.decided();
        let interrupted = unfinished && (trouble.is_some() || wish.should_stop());
        Ok(ContestOutcome { games: under_way.games, interrupted, trouble })
    }

    /// What a match came to.
    pub fn match_of(&self, outcome: &ContestOutcome) -> Match {
        Match::of(self.played(outcome, &self.contest()), self.sprt)
    }

    /// What a tournament came to.
    pub fn tournament_of(&self, outcome: &ContestOutcome) -> Tournament {
        let reference = match self.form {
            Form::Gauntlet => Reference::Player(0),
            Form::Match | Form::RoundRobin => Reference::Mean,
        };
        Tournament::of(self.played(outcome, &self.contest()), reference)
    }

    fn contest(&self) -> Contest<'_, G> {
        let pairings = self.form.pairings(self.teams.len());
        Contest { teams: &self.teams, pairings, game: self.game, openings: &self.openings }
    }

    fn played<'a>(
        &'a self,
        outcome: &'a ContestOutcome,
        contest: &'a Contest<'a, G>,
    ) -> PlayedContest<'a, G> {
        let ContestOutcome { games, interrupted, .. } = outcome;
        PlayedContest { contest, openings: &self.described, games, interrupted: *interrupted }
    }

    /// What the games depend on.
    fn heading(&self) -> Heading {
        let entrant =
            |team: &Team<G>| Entrant { spec: team.spec().into(), identity: team.identity().into() };
        Heading {
            form: self.form,
            players: self.teams.iter().map(entrant).collect(),
            pairings: self.form.pairings(self.teams.len()),
            game: self.game.into(),
            openings: self.described.clone(),
            positions: self.openings.positions().len(),
            checksum: self.openings.checksum(),
            sprt: self.sprt,
        }
    }
}

/// A contest that is being played.
struct UnderWay<'a> {
    form: Form,
    games: Vec<Finished>,
    pairs: Pentanomial,
    sprt: Option<Sprt>,
    follow: &'a mut (dyn FnMut(ContestProgress) + Send),
    /// Games that were there before.
    found: usize,
    all: usize,
}

impl UnderWay<'_> {
    fn new(
        form: Form,
        all: usize,
        sprt: Option<Sprt>,
        follow: &mut (dyn FnMut(ContestProgress) + Send),
    ) -> UnderWay<'_> {
        let (games, pairs) = (Vec::new(), Pentanomial::default());
        UnderWay { form, games, pairs, sprt, follow, found: 0, all }
    }

    /// Counts the games that a file holds, no further than the test needs.
    fn take_over(&mut self, games: Vec<Finished>) {
        for game in games {
            if self.decided() {
                break;
            }
            self.count(game);
        }
        self.found = self.games.len();
    }

    fn play<G: PlayableGame>(
        &mut self,
        contest: &Contest<G>,
        games: &dyn Games,
        progress: &dyn Progress,
        mut file: Option<&mut GamesFile>,
    ) -> Result<(), Trouble> {
        if self.decided() {
            return Ok(());
        }
        let reached = self.reached();
        (self.follow)(reached);
        contest.play(self.found, games, progress, &mut |game| {
            if let Some(file) = &mut file {
                file.add(&game)?;
            }
            self.count(game);
            let reached = self.reached();
            (self.follow)(reached);
            Ok(if self.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }

    fn count(&mut self, game: Finished) {
        self.games.push(game);
        if let [.., first, second] = self.games.as_slice()
            && self.games.len().is_multiple_of(2)
        {
            self.pairs.add(pair_score([first, second]));
        }
    }

    /// Whether the sequential test has seen enough; only whole pairs are judged.
    fn decided(&self) -> bool {
        self.games.len().is_multiple_of(2)
            && self.sprt.is_some_and(|sprt| sprt.judge(self.pairs).is_final())
    }

    fn reached(&self) -> ContestProgress {
        let llr = self.sprt.map(|sprt| (sprt.llr(&self.pairs), sprt.bounds()));
        let pairs = (self.form == Form::Match).then_some(self.pairs);
        ContestProgress { games: self.games.len(), of: self.all, found: self.found, pairs, llr }
    }
}
