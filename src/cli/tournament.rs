use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::course::{Course, Effort, heading, teams};
use super::openings::Choice;
use super::usage;
use crate::arena::{
    Contest, Crosstable, Finished, Ratings, Reference, Tally, Team, distinct_games,
};
use crate::player::PlayableGame;
use mancala::game::{AnyGame, with_game};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Players, two or more
    #[arg(value_name = "SPEC", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Only the first player meets the others; ratings are relative to his
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    effort: Effort,
    /// Print JSON, which "ayo plot" draws
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a line of CSV a player, under a header
    #[arg(long)]
    csv: bool,
}

const AFTER_HELP: &str = "\
Every two players meet from every opening twice, with colours swapped. Ratings are Elo points fitted \
to all meetings together (Bradley and Terry's model), with intervals from pairs of games. \
--games counts the games of one meeting.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(twice) = twice(&arguments.players) {
        return Err(usage(format!("player {twice} is named twice")));
    }
    with_game!(arguments.choice.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let teams = teams(&arguments.players, game)?;
    let openings = arguments.choice.load(game)?;
    let pairings = pairings(teams.len(), arguments.gauntlet);
    let contest = Contest { teams: &teams, pairings, game, openings: &openings };
    let kind = if arguments.gauntlet { "gauntlet" } else { "tournament" };
    let heading = heading(kind, &arguments.choice, &contest, None);
    let course = Course::run(&contest, &arguments.effort, &heading, None)?;
    let standing = Standing::of(arguments, &contest, &course);
    if arguments.json {
        writeln!(out, "{:#}", standing.json())?;
    } else if arguments.csv {
        standing.csv(out)?;
    } else {
        standing.print(out)?;
    }
    let course = course.without_trouble()?;
    Ok(ExitCode::from(if course.interrupted { 130 } else { 0 }))
}

fn twice(players: &[String]) -> Option<&String> {
    (1..players.len())
        .map(|i| &players[i])
        .zip(1..)
        .find_map(|(player, i)| players[..i].contains(player).then_some(player))
}

fn pairings(players: usize, gauntlet: bool) -> Vec<[usize; 2]> {
    let firsts = if gauntlet { 1 } else { players };
    (0..firsts).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect()
}

/// What a tournament came to.
struct Standing<'a, G: PlayableGame> {
    arguments: &'a Arguments,
    contest: &'a Contest<'a, G>,
    table: Crosstable,
    tallies: Vec<Tally>,
    distinct_games: usize,
    /// `None` while some players have not met, not even through others.
    ratings: Option<Ratings>,
    /// Players from the strongest.
    order: Vec<usize>,
    reference: Reference,
    interrupted: bool,
}

impl<'a, G: PlayableGame> Standing<'a, G> {
    fn of(arguments: &'a Arguments, contest: &'a Contest<'a, G>, course: &Course) -> Self {
        let meetings: Vec<&[Finished]> = course.games.chunks(contest.games_of_pairing()).collect();
        let tallies: Vec<Tally> = meetings.iter().map(|games| Tally::of(games)).collect();
        let mut table = Crosstable::new(contest.teams.len());
        for ([a, b], tally) in contest.pairings.iter().zip(&tallies) {
            table.add_all(*a, *b, tally.pairs);
        }
        let ratings = Ratings::fit(&table).ok();
        let reference = if arguments.gauntlet { Reference::Player(0) } else { Reference::Mean };
        let elo = |player: &usize| ratings.as_ref().map_or(0.0, |r| r.of(*player, reference).elo);
        let mut order: Vec<usize> = (0..contest.teams.len()).collect();
        order.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
        // A game without its partner counts nowhere.
        let whole = course.games.as_chunks::<2>().0.as_flattened();
        Standing {
            arguments,
            contest,
            table,
            tallies,
            distinct_games: distinct_games(whole),
            ratings,
            order,
            reference,
            interrupted: course.interrupted,
        }
    }

    /// Games that a player could not go on with, and the first reason.
    fn forfeits(&self, player: usize) -> (u64, Option<&str>) {
        let meetings = self.contest.pairings.iter().zip(&self.tallies);
        let its = meetings.flat_map(|(pairing, tally)| pairing.iter().zip(&tally.forfeits));
        let its = its.filter(|(who, _)| **who == player).map(|(_, forfeits)| forfeits);
        its.fold((0, None), |(sum, first), (count, reason)| {
            (sum + count, first.or(reason.as_deref()))
        })
    }

    fn games(&self) -> u64 {
        self.tallies.iter().map(Tally::games).sum()
    }

    fn reproducible(&self) -> bool {
        self.contest.teams.iter().all(Team::reproducible)
    }

    fn json(&self) -> Value {
        let (word, terms) = Into::<AnyGame>::into(self.contest.game).terms();
        let player = |&player: &usize| {
            let rating = self.ratings.as_ref().map(|ratings| ratings.of(player, self.reference));
            let pairs = self.table.of_player(player);
            let (forfeits, first_forfeit) = self.forfeits(player);
            json!({
                "player": self.arguments.players[player],
                "elo": rating.map(|rating| rating.elo),
                "elo_ci95": rating.map(|rating| rating.elo_ci95),
                "score": pairs.score(),
                "games": 2 * pairs.pairs(),
                "forfeits": forfeits,
                "first_forfeit": first_forfeit,
            })
        };
        let between = |&a: &usize| -> Vec<Value> {
            let cell = |&b: &usize| {
                let pairs = self.table.between(a, b);
                json!({ "score": pairs.score(), "pairs": pairs })
            };
            self.order.iter().map(cell).collect()
        };
        let los = |&a: &usize| -> Vec<Option<f64>> {
            let los = |b: &usize| self.ratings.as_ref().map(|ratings| ratings.los(a, *b));
            self.order.iter().map(los).collect()
        };
        let triples = self.table.non_transitive_triples().into_iter().map(|triple| {
            let players = triple.players.map(|player| self.arguments.players[player].as_str());
            json!({ "players": players, "scores": triple.scores, "least_los": triple.least_los })
        });
        json!({
            "kind": "tournament",
            word: terms,
            "openings": self.arguments.choice.describe(),
            "reference": if self.arguments.gauntlet { "the first player is 0" } else { "the mean is 0" },
            "games": self.games(),
            "distinct_games": self.distinct_games,
            "players": self.order.iter().map(player).collect::<Vec<_>>(),
            "crosstable": self.order.iter().map(between).collect::<Vec<_>>(),
            "los": self.order.iter().map(los).collect::<Vec<_>>(),
            "non_transitive": triples.collect::<Vec<_>>(),
            "reproducible": self.reproducible(),
            "interrupted": self.interrupted,
        })
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut table = csv::Writer::from_writer(out);
        let header = ["rank", "player", "elo", "elo_low", "elo_high", "score", "games", "forfeits"];
        table.write_record(header)?;
        for (rank, &player) in (1..).zip(&self.order) {
            let rating = self.ratings.as_ref().map(|ratings| ratings.of(player, self.reference));
            let elo = rating.map(|rating| [rating.elo, rating.elo_ci95.0, rating.elo_ci95.1]);
            let pairs = self.table.of_player(player);
            // An empty cell is a figure that nobody knows yet.
            let cell = |figure: f64| format!("{figure:.6}");
            let [elo, low, high] = elo.map_or_else(Default::default, |elo| elo.map(cell));
            let score = pairs.score().map(cell).unwrap_or_default();
            let (rank, games) = (i32::to_string(&rank), (2 * pairs.pairs()).to_string());
            let name = &self.arguments.players[player];
            let forfeits = self.forfeits(player).0.to_string();
            table.write_record([&rank, name, &elo, &low, &high, &score, &games, &forfeits])?;
        }
        table.flush()?;
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (word, terms) = Into::<AnyGame>::into(self.contest.game).terms();
        writeln!(
            out,
            "{} games ({} distinct), openings {}, {word} {terms}\n",
            self.games(),
            self.distinct_games,
            self.arguments.choice.describe(),
        )?;
        self.print_ratings(out)?;
        self.print_table("score of the row against the column", out, |a, b| {
            Some(format!("{:.3}", self.table.between(a, b).score()?))
        })?;
        self.print_table(
            "likelihood that the row is stronger than the column, per cent",
            out,
            |a, b| Some(format!("{:.1}", 100.0 * self.ratings.as_ref()?.los(a, b))),
        )?;
        self.print_remarks(out)
    }

    fn print_ratings(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "  #    Elo      95% interval   score  games  player")?;
        for (rank, &player) in (1..).zip(&self.order) {
            let rating = self.ratings.as_ref().map(|ratings| ratings.of(player, self.reference));
            let rating = rating.map_or(format!("{:>25}", "unknown"), |rating| {
                let (low, high) = rating.elo_ci95;
                format!("{:>+6.0}  {low:>+6.0} to {high:>+6.0}", rating.elo)
            });
            let pairs = self.table.of_player(player);
            let score = pairs.score().map_or("-".into(), |score| format!("{score:.3}"));
            let (games, name) = (2 * pairs.pairs(), &self.arguments.players[player]);
            writeln!(out, "{rank:>3} {rating} {score:>7} {games:>6}  {name}")?;
        }
        Ok(())
    }

    fn print_table(
        &self,
        title: &str,
        out: &mut dyn Write,
        cell: impl Fn(usize, usize) -> Option<String>,
    ) -> anyhow::Result<()> {
        writeln!(out, "\n{title}")?;
        let columns: String = (1..=self.order.len()).map(|rank| format!("{rank:>7}")).collect();
        writeln!(out, "   {columns}")?;
        for (rank, &a) in (1..).zip(&self.order) {
            let row: String = self
                .order
                .iter()
                .map(|&b| if a == b { None } else { cell(a, b) })
                .map(|cell| format!("{:>7}", cell.unwrap_or_else(|| "-".into())))
                .collect();
            writeln!(out, "{rank:>3}{row}")?;
        }
        Ok(())
    }

    fn print_remarks(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rank =
            |player: usize| self.order.iter().position(|&p| p == player).map_or(0, |r| r + 1);
        for triple in self.table.non_transitive_triples() {
            let [a, b, c] = triple.players.map(rank);
            let los = 100.0 * triple.least_los;
            writeln!(
                out,
                "\nnot transitive: {a} beats {b} beats {c} beats {a} (each at least {los:.0}% likely)"
            )?;
        }
        for ([a, b], tally) in self.contest.pairings.iter().zip(&self.tallies) {
            for (player, (count, reason)) in [a, b].iter().zip(&tally.forfeits) {
                if let Some(reason) = reason {
                    let name = &self.arguments.players[**player];
                    writeln!(out, "\n{name} forfeited {count} games, the first because {reason}")?;
                }
            }
        }
        if !self.reproducible() {
            writeln!(out, "\nA player is limited by time: these games cannot be reproduced.")?;
        }
        if self.interrupted {
            let next = self
                .arguments
                .effort
                .games_out
                .as_deref()
                .map_or("", |_: &Path| "; the same command goes on");
            writeln!(out, "\ninterrupted: the figures are those of the games so far{next}")?;
        }
        Ok(())
    }
}
