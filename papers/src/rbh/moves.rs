//! Compares South's moves in the two printed games (thesis, figure 4.10), which are the only record of what RBH chose,
//! with the moves that our player chooses under every reading that the text permits.
//!
//! We select a reading with game 1 and test it with game 2.

use std::io::Write;

use arena::player::{Player, build};
use mancala::game::ayo::Ayo;
use mancala::game::{Game, Side};
use mancala::progress::Progress;
use rayon::prelude::*;

use super::{RBH, binomial_test};
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::printed_games::{self, Decision};

/// For each setting that corresponds to an ambiguous sentence, the values that the text permits. The current reading
/// uses the first value of each setting. The thesis prefers correlation, and says that no metric could be used in
/// isolation. It doesn't state a threshold, so we also consider a threshold that no row reaches (`bluff=off`).
const READINGS: [&[&str]; 6] = [
    &["plies=4", "plies=2"],
    &["tail=lowest", "tail=highest"],
    &["protect=now", "protect=after"],
    &["mobility=best", "mobility=worst", "mobility=episode"],
    &["ties=lowest", "ties=highest"],
    &[
        "metric=correlation,cost=relative",
        "metric=correlation,cost=literal",
        "metric=combined,cost=relative",
        "metric=combined,cost=literal",
        "bluff=off",
    ],
];

/// The look-ahead of the refinement rule in plies, in the thesis and in the later paper.
const RULE_PLIES: [u32; 2] = [2, 4];

/// Other players that we compare with the readings.
const OTHERS: [&str; 5] = [
    "rbh:bluff=off,cdg=off,refine=off",
    "rbh:plies=2,bluff=off,cdg=off,refine=off",
    "rbh:plies=6,bluff=off",
    "minimax:weights=seeds,depth=5",
    "greedy",
];

/// A player, and for each decision, whether the player chooses the printed move.
struct Fit {
    spec: String,
    agrees: Vec<bool>,
    /// The number of printed moves that the player chooses in each game.
    games: [usize; 2],
}

impl Fit {
    fn of(spec: &str, decisions: &[Decision]) -> Fit {
        let mut player: Box<dyn Player<Ayo>> = build(spec).expect("a player");
        let mut games = [0; 2];
        let agrees = decisions.iter().map(|it| {
            let is_same = player.choose(&it.record, &()).expect("a move").pit == it.played;
            games[it.game] += usize::from(is_same);
            is_same
        });
        let agrees = agrees.collect();
        Fit { spec: spec.into(), agrees, games }
    }

    fn total(&self) -> usize {
        self.games.iter().sum()
    }

    /// Returns how many decisions in game 1 only this player gets right, how many only the other player gets right, and
    /// the p-value of McNemar's exact test.
    fn against(&self, other: &Fit, decisions: &[Decision]) -> (usize, usize, f64) {
        let first = decisions.iter().filter(|it| it.game == 0).count();
        let count = |right: &Fit, wrong: &Fit| {
            let both = right.agrees[..first].iter().zip(&wrong.agrees);
            both.filter(|(right, wrong)| **right && !**wrong).count()
        };
        let (gained, lost) = (count(self, other), count(other, self));
        (gained, lost, binomial_test(gained, gained + lost, 0.5))
    }
}

/// All readings that the text permits, starting with the current one, and the other players.
struct Comparison {
    decisions: Vec<Decision>,
    readings: Vec<Fit>,
    others: Vec<Fit>,
}

impl Comparison {
    fn new() -> Comparison {
        let mut decisions = printed_games::decisions();
        decisions.retain(|it| it.record.to_move() == Side::South);
        let mut specs = vec![String::from("rbh")];
        for values in READINGS {
            let add = |value: &&str| {
                let with = |spec: &String| format!("{spec},{value}").replacen("rbh,", "rbh:", 1);
                specs.iter().map(with).collect::<Vec<_>>()
            };
            specs = values.iter().flat_map(add).collect();
        }
        let readings: Vec<Fit> = specs.par_iter().map(|it| Fit::of(it, &decisions)).collect();
        let others = OTHERS.iter().map(|it| Fit::of(it, &decisions)).collect();
        debug_assert_eq!(readings[0].agrees, Fit::of(RBH, &decisions).agrees);
        Comparison { decisions, readings, others }
    }

    fn today(&self) -> &Fit {
        &self.readings[0]
    }

    /// Returns the reading that agrees with the most moves in game 1. If there are several, returns the first of them.
    fn best(&self) -> &Fit {
        self.readings.iter().rev().max_by_key(|it| it.games[0]).expect("readings")
    }

    /// Returns the p-value for a comparison with the current reading, with a Bonferroni correction for all readings.
    fn corrected(&self, fit: &Fit) -> f64 {
        let (.., p) = fit.against(self.today(), &self.decisions);
        (p * (self.readings.len() - 1) as f64).min(1.0)
    }

    /// Returns, for each game, how many printed moves a reading with this setting chooses on average.
    fn means(&self, setting: &str) -> [f64; 2] {
        let has =
            |fit: &&Fit| fit.spec.contains(&format!("{setting},")) || fit.spec.ends_with(setting);
        let with: Vec<&Fit> = self.readings.iter().filter(has).collect();
        let sum = |game: usize| with.iter().map(|fit| fit.games[game]).sum::<usize>() as f64;
        [0, 1].map(|game| sum(game) / with.len() as f64)
    }

    fn sizes(&self) -> [usize; 2] {
        [0, 1].map(|game| self.decisions.iter().filter(|it| it.game == game).count())
    }

    /// Returns how many printed moves in each game we can expect from a player that moves at random.
    fn random(&self) -> [f64; 2] {
        let chance =
            |it: &Decision| 1.0 / it.record.game().moves(it.record.position()).len() as f64;
        let of = |game| self.decisions.iter().filter(move |it| it.game == game).map(chance).sum();
        [of(0), of(1)]
    }
}

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    let it = Comparison::new();
    let (today, best) = (it.today(), it.best());
    let (all, [first, second]) = (it.decisions.len(), it.sizes());
    let p = it.corrected(best);
    let decided = if p < 0.05 { "decides for it" } else { "does not decide" };
    let ours = format!(
        "{} of {all}: {} of {first} and {} of {second}; random moves hit {:.0}",
        today.total(),
        today.games[0],
        today.games[1],
        it.random().iter().sum::<f64>()
    );
    let note = format!(
        "the best of {} readings in game 1 has {} and {}; corrected p = {p:.2}, so the evidence {decided} \
         ([readings](rbh.md#other-readings))",
        it.readings.len(),
        best.games[0],
        best.games[1]
    );
    let depths = READINGS[0].iter().map(|depth| it.means(depth).iter().sum::<f64>());
    let [four, two] = <[f64; 2]>::try_from(depths.collect::<Vec<_>>()).expect("two depths");
    let metric = |name: &str| {
        let spec = format!("rbh:metric={name}");
        Fit::of(&spec, &it.decisions).total()
    };
    let [correlation, canberra, angular, combined] =
        ["correlation", "canberra", "angular", "combined"].map(metric);
    let alone = [correlation, canberra, angular];
    let isolation = match (alone.iter().max(), alone.iter().min()) {
        (Some(most), _) if *most < combined => Verdict::Holds,
        (_, Some(least)) if *least > combined => Verdict::Differs,
        _ => Verdict::Open,
    };
    Ok(Some(vec![
        Finding::new("thesis/printed-moves", Verdict::exact_if(today.total() == all), ours).with_note(note),
        Finding::new("thesis/isolation", isolation, format!(
            "{correlation}, {canberra} and {angular} of {all} printed moves with correlation, Canberra and angular alone, \
             {combined} with their mean"
        ))
        .with_note("holds if the mean fits best, differs if it fits worst"),
        Finding::new(
            "rbh/plies",
            Verdict::misprint_if(RULE_PLIES[0] != RULE_PLIES[1]),
            format!("a mean of {two:.1} of {all} printed moves with two plies, {four:.1} with four"),
        )
        .with_note("section 4.5 of the thesis has four for its program, as has `rbh`"),
        equation_5(),
    ]))
}

/// Checks equation 5. It is printed as 1 minus the correlation coefficient, which is a distance, although the text
/// looks for the largest value.
fn equation_5() -> Finding {
    let equation = |x: [f64; 6], y: [f64; 6]| {
        let deviations = |x: [f64; 6]| x.map(|it| it - x.iter().sum::<f64>() / 6.0);
        let product = |x: [f64; 6], y: [f64; 6]| x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>();
        let (x, y) = (deviations(x), deviations(y));
        1.0 - product(x, y) / (product(x, x) * product(y, y)).sqrt()
    };
    // The largest and the smallest CDG vector.
    let (most, least) = ([2.0, 2.0, 1.0, 3.0, 5.0, 7.0], [2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let (equal, other) = (equation(most, most), equation(most, least));
    let ours = format!("{equal:.1} for equal episodes, {other:.2} for different ones");
    Finding::new("rbh/equation-5", Verdict::misprint_if(equal < other), ours)
        .with_note("a distance; `rbh` uses the correlation itself")
}

/// Prints how well each reading fits the printed moves.
pub fn print(out: &mut dyn Write) -> anyhow::Result<()> {
    let it = Comparison::new();
    let [first, second] = it.sizes();
    let [hit, also_hit] = it.random();
    let row = |fit: &Fit, out: &mut dyn Write| {
        let (gained, lost, p) = fit.against(it.today(), &it.decisions);
        let [a, b] = fit.games;
        writeln!(out, "  {a:>6}  {b:>6}  {gained:>6}  {lost:>4}  {p:>6.3}  {}", fit.spec)
    };
    writeln!(out, "South's moves in the printed games: {first} in game 1, {second} in game 2")?;
    writeln!(
        out,
        "gained and lost against the first reading in game 1; p of McNemar's test, uncorrected"
    )?;
    writeln!(out, "  game 1  game 2  gained  lost       p  player")?;
    row(it.today(), out)?;
    writeln!(
        out,
        "the ten readings of {} that fit game 1 best, without those that agree on the same moves",
        it.readings.len()
    )?;
    let mut sorted: Vec<&Fit> = it.readings.iter().collect();
    sorted.sort_by_key(|fit| std::cmp::Reverse(fit.games[0]));
    let mut shown: Vec<&Fit> = Vec::new();
    for fit in sorted {
        if shown.len() < 10 && shown.iter().all(|other| other.agrees != fit.agrees) {
            row(fit, out)?;
            shown.push(fit);
        }
    }
    writeln!(out, "mean of the readings with each setting")?;
    for setting in READINGS.concat() {
        let [a, b] = it.means(setting);
        writeln!(out, "  {a:>6.1}  {b:>6.1}                        {setting}")?;
    }
    writeln!(out, "other players")?;
    for fit in &it.others {
        row(fit, out)?;
    }
    writeln!(out, "  {hit:>6.1}  {also_hit:>6.1}                        a random legal move")?;
    let best = it.best();
    writeln!(
        out,
        "best reading: p = {:.3} after correction for {} readings",
        it.corrected(best),
        it.readings.len()
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_those_before_the_end_of_a_game() {
        assert_eq!(Comparison::new().sizes(), [49, 22]);
    }
}
