//! How near players are to perfect play with few seeds, by endgame tables.

use std::ops::RangeInclusive;

use arena::player::SpecError;
use arena::{AccuracyError, Sample, Sampling, Team};
use mancala::endgame::{LayerError, Tables};
use mancala::game::ayo::Ayo;
use mancala::progress::Progress;

use crate::analyse::accuracy::result::{AccuracyAt, AccuracyTest, PlayerAccuracy};

/// Of fewer positions no interval would be worth anything.
pub const FEWEST_POSITIONS: usize = 10;

/// Which positions players are asked about.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Seeds on the board; from 1 to the most in the tables without a range.
    pub seeds: Option<RangeInclusive<u8>>,
    /// How many positions.
    pub positions: usize,
    /// The seed of the games that they come from.
    pub seed: u64,
}

/// A test that players can be put to.
pub struct Setup {
    tables: Tables,
    teams: Vec<Team>,
    sampling: Sampling,
}

/// Why players cannot be tested.
#[derive(Debug, thiserror::Error)]
pub enum NoTest {
    /// The tables know only the empty board.
    #[error("there are no tables of a seed or more")]
    NoSeeds,
    /// A file of the tables is damaged.
    #[error(transparent)]
    Layer(#[from] LayerError),
    /// A player that there is none of.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The tables have fewer seeds than are asked for.
    #[error("the tables go up to {most} seeds, not {asked}")]
    TooManySeeds {
        /// The most seeds asked for.
        asked: u8,
        /// The most seeds in the tables.
        most: u8,
    },
    /// Games lead to fewer positions than are asked for.
    #[error("games lead to {found} of {asked} such positions")]
    TooFewPositions {
        /// Positions asked for.
        asked: usize,
        /// Positions found.
        found: usize,
    },
    /// A player that does not answer.
    #[error("{player}")]
    Answer {
        /// Its specification.
        player: String,
        /// What went wrong.
        source: AccuracyError,
    },
}

/// A part of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage<'a> {
    /// Positions are found by games.
    Drawing,
    /// The player of this specification is asked.
    Asking(&'a str),
}

/// Follows a test from stage to stage.
pub trait Stages: Sync {
    /// A stage of so many positions begins. It is over when its progress, which counts positions, is
    /// dropped.
    fn begin<'a>(&'a self, stage: Stage<'a>, positions: usize) -> Box<dyn Progress + 'a>;
}

impl Setup {
    /// A test of the players of these specifications by undamaged tables.
    ///
    /// # Errors
    /// If the tables do not serve, or there is no such player.
    pub fn new(tables: Tables, players: &[String], wanted: Wanted) -> Result<Setup, NoTest> {
        let most = tables.most_seeds();
        if most == 0 {
            return Err(NoTest::NoSeeds);
        }
        tables.check_all()?;
        let game = Ayo { rules: tables.rules() };
        let teams = players.iter().map(|spec| Team::new(spec, game)).collect::<Result<_, _>>()?;
        let Wanted { seeds, positions, seed } = wanted;
        let sampling = Sampling { seeds: seeds.unwrap_or(1..=most), positions, seed };
        match *sampling.seeds.end() {
            asked if asked > most => Err(NoTest::TooManySeeds { asked, most }),
            _ => Ok(Setup { tables, teams, sampling }),
        }
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Asks all players about the same positions, on the threads of the current rayon pool. `None` if a
    /// progress stopped it.
    ///
    /// # Errors
    /// If there are too few positions, or a player does not answer.
    pub fn run(&self, stages: &dyn Stages) -> Result<Option<AccuracyTest>, NoTest> {
        let Some(sample) = self.draw(stages)? else { return Ok(None) };
        let mut players = Vec::new();
        for team in &self.teams {
            let Some(player) = self.ask(&sample, team, stages)? else { return Ok(None) };
            players.push(player);
        }
        Ok(Some(self.test_of(players)))
    }

    fn draw(&self, stages: &dyn Stages) -> Result<Option<Sample>, NoTest> {
        let asked = self.sampling.positions;
        let progress = stages.begin(Stage::Drawing, asked);
        let Some(sample) = Sample::draw(&self.tables, &self.sampling, &*progress) else {
            return Ok(None);
        };
        match sample.positions().count() {
            found if found < asked => Err(NoTest::TooFewPositions { asked, found }),
            _ => Ok(Some(sample)),
        }
    }

    fn ask(
        &self,
        sample: &Sample,
        team: &Team,
        stages: &dyn Stages,
    ) -> Result<Option<PlayerAccuracy>, NoTest> {
        let progress = stages.begin(Stage::Asking(team.spec()), sample.positions().count());
        let player = team.spec().to_owned();
        match sample.ask(team, &*progress) {
            Ok(lost) => Ok(lost.map(|lost| self.accuracy(sample, player, &lost))),
            Err(source) => Err(NoTest::Answer { player, source }),
        }
    }

    fn accuracy(&self, sample: &Sample, player: String, lost: &[u8]) -> PlayerAccuracy {
        let seeds = &self.sampling.seeds;
        let at = |seeds: u8| {
            let figures = sample.accuracy(lost, &(seeds..=seeds));
            let figures = figures.filter(|it| it.positions >= FEWEST_POSITIONS)?;
            Some(AccuracyAt { figures, seeds })
        };
        PlayerAccuracy {
            whole: sample.accuracy(lost, seeds).expect("at least one position"),
            player,
            by_seeds: seeds.clone().filter_map(at).collect(),
        }
    }

    fn test_of(&self, players: Vec<PlayerAccuracy>) -> AccuracyTest {
        let Setup { tables, teams, sampling } = self;
        AccuracyTest {
            rules: tables.rules().to_string(),
            proven: tables.proven(),
            tables: format!("{:08x}", tables.checksum()),
            seeds: [*sampling.seeds.start(), *sampling.seeds.end()],
            sample: sampling.positions as u64,
            seed: sampling.seed,
            reproducible: teams.iter().all(Team::reproducible),
            players,
        }
    }
}
