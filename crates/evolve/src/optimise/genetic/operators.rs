//! Types for settings of the genetic algorithm, such as `Crossover`, and functions that parse them.

use arena::player::{PlayableGame, Spec};
use arena::{BatchPlayer, PlayerPool};
use mancala::eval::{Feature, MAX_WEIGHT};
use mancala::option_words;

use crate::optimise::{ranking, text_form};

/// A number of members or a percentage of the population, e.g. `10` or `20%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    Count(u32),
    /// Rounded down.
    Percent(u32),
}

impl Share {
    pub fn of(self, population: u32) -> usize {
        match self {
            Share::Count(count) => count as usize,
            Share::Percent(percent) => population as usize * percent as usize / 100,
        }
    }
}

text_form!(
    Share,
    |text| {
        let share = match text.strip_suffix('%') {
            Some(percent) => percent.parse().ok().filter(|p| *p <= 100).map(Share::Percent),
            None => text.parse().ok().map(Share::Count),
        };
        share.ok_or_else(|| "give a count or a percentage such as \"20%\"".into())
    },
    |share| match share {
        Share::Count(count) => count.to_string(),
        Share::Percent(percent) => format!("{percent}%"),
    }
);

/// The source of fitness. This is written as `tournament`, `tables` or `mix:P%`, where `mix` is short for `mix:50%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitnessSource {
    Tournament,
    /// The moves that members choose in positions from endgame tables.
    Tables,
    /// A weighted mean of the rank in tables and the rank in games. The value is the weight of tables in per cent.
    Mix(u32),
}

text_form!(
    FitnessSource,
    |text| {
        let mix = text.strip_prefix("mix:").and_then(|it| it.strip_suffix('%')?.parse().ok());
        match (text, mix) {
            ("tournament", _) => Ok(FitnessSource::Tournament),
            ("tables", _) => Ok(FitnessSource::Tables),
            ("mix", _) => Ok(FitnessSource::Mix(50)),
            (_, Some(percent @ 1..=99)) => Ok(FitnessSource::Mix(percent)),
            _ => Err("write tournament, tables, or mix:P% with P from 1 to 99".into()),
        }
    },
    |source| match source {
        FitnessSource::Tournament => "tournament".into(),
        FitnessSource::Tables => "tables".into(),
        FitnessSource::Mix(percent) => format!("mix:{percent}%"),
    }
);

/// How the mating pool is selected. This is written as `proportional`, `rank`, `tournament:K` or `truncation:P%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    Proportional,
    /// The selection probability decreases linearly with rank.
    Rank,
    /// The fittest of this many members, which are drawn with replacement.
    Tournament(u32),
    /// The fittest members, all with equal probability.
    Truncation(Share),
}

/// The maximum size of a [`Selection::Tournament`]. The population size raised to this power must be below 2⁶³.
const MAX_CONTENDERS: u32 = 4;

impl Selection {
    /// Returns unnormalised selection probabilities. If all of them would be 0, then they are all 1 instead.
    pub fn chances(self, fitness: &[u64]) -> Vec<u64> {
        let members = fitness.len() as u64;
        let by_rank = |chance: &dyn Fn(u64) -> u64| {
            let mut chances = vec![0; fitness.len()];
            for (rank, member) in (0..).zip(ranking(fitness)) {
                chances[member] = chance(rank);
            }
            chances
        };
        let chances = match self {
            Selection::Proportional => fitness.to_vec(),
            Selection::Rank => by_rank(&|rank| members - rank),
            // The winner has this rank if no contender has a better rank and at least one contender has this rank.
            Selection::Tournament(contenders) => by_rank(&|rank| {
                (members - rank).pow(contenders) - (members - rank - 1).pow(contenders)
            }),
            Selection::Truncation(share) => {
                let kept = share.of(members as u32) as u64;
                by_rank(&|rank| u64::from(rank < kept))
            }
        };
        if chances.iter().all(|&chance| chance == 0) { vec![1; fitness.len()] } else { chances }
    }
}

text_form!(
    Selection,
    |text| {
        let (name, value) = text.split_once(':').unwrap_or((text, ""));
        let selection = match name {
            "proportional" if value.is_empty() => Some(Selection::Proportional),
            "rank" if value.is_empty() => Some(Selection::Rank),
            "tournament" => {
                let contenders = value.parse().ok();
                contenders.filter(|k| (1..=MAX_CONTENDERS).contains(k)).map(Selection::Tournament)
            }
            "truncation" => value.parse().ok().map(Selection::Truncation),
            _ => None,
        };
        selection.ok_or_else(|| {
            "write proportional, rank, tournament:K with K from 1 to 4, or truncation:P%".into()
        })
    },
    |selection| match selection {
        Selection::Proportional => "proportional".into(),
        Selection::Rank => "rank".into(),
        Selection::Tournament(contenders) => format!("tournament:{contenders}"),
        Selection::Truncation(share) => format!("truncation:{share}"),
    }
);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossover {
    /// Two parents exchange all bits after a random point.
    OnePoint,
    /// Two parents exchange each gene with probability ½.
    Uniform,
    /// Every child starts as the mean of all members, weighted by selection probability. This reduces noise (gene pool
    /// recombination, Mühlenbein and Voigt 1995). The first child stays equal to the mean.
    Pool,
}

option_words!(Crossover, "one-point, uniform or pool", {
    OnePoint: "one-point",
    Uniform: "uniform",
    Pool: "pool",
});

/// How a generation's champion is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    /// The member with the highest fitness. In a noisy generation, this is often a lucky member.
    Fittest,
    /// The mean of all members, weighted by selection probability, and of the previous champion with weight `inertia`.
    Mean,
}

option_words!(Reported, "fittest or mean", { Fittest: "fittest", Mean: "mean" });

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    Flip,
    /// Each gene changes by a normally distributed step.
    Gaussian,
    /// Like `Gaussian`, but every second offspring negates the step of the offspring before it (D. Brockhoff, A. Auger,
    /// N. Hansen, D. V. Arnold and T. Hohm, PPSN XI, 2010).
    Mirrored,
}

option_words!(Mutation, "flip, gaussian or mirrored", {
    Flip: "flip",
    Gaussian: "gaussian",
    Mirrored: "mirrored",
});

/// How steps shrink with the generation `g`, where `H` is the setting `step_half`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cooling {
    /// Steps halve every `H` generations: `2^(−g / H)`.
    Halving,
    /// Steps shrink quickly at first and slowly later: `H / (H + g)`. This works well for runs of any length.
    Harmonic,
}

option_words!(Cooling, "halving or harmonic", { Halving: "halving", Harmonic: "harmonic" });

/// The length to which operators on genes scale weight vectors. This is written as `free` or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Free,
    /// The length of the whole weight vector, including fixed weights.
    Length(u32),
}

text_form!(
    Scale,
    |text| match text.parse().ok().filter(|length| (1..=MAX_WEIGHT as u32).contains(length)) {
        _ if text == "free" => Ok(Scale::Free),
        Some(length) => Ok(Scale::Length(length)),
        None => Err(format!("write free, or a length from 1 to {MAX_WEIGHT}")),
    },
    |scale| match scale {
        Scale::Free => "free".into(),
        Scale::Length(length) => length.to_string(),
    }
);

/// Features with fixed weights, sorted by feature. The text form is e.g. `a9=-15,a10=20`, or empty if there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fixed(pub Vec<(Feature, i64)>);

impl Fixed {
    pub fn weight_of(&self, feature: Feature) -> Option<i64> {
        self.0.iter().find(|(fixed, _)| *fixed == feature).map(|(_, weight)| *weight)
    }
}

text_form!(
    Fixed,
    |text| {
        let mut fixed: Vec<(Feature, i64)> = Vec::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let form =
                || format!("write NAME=WEIGHT, as in a9=15, with weights up to {MAX_WEIGHT}");
            // Some feature names contain an equals sign, as in m1=0=5.
            let (name, weight) = part.rsplit_once('=').ok_or_else(form)?;
            let name = name.trim();
            let feature =
                Feature::from_name(name).ok_or_else(|| format!("\"{name}\" is not a feature"))?;
            let weight = weight.trim().parse::<i64>().ok();
            let weight = weight
                .filter(|weight| weight.unsigned_abs() <= MAX_WEIGHT as u64)
                .ok_or_else(form)?;
            if fixed.iter().any(|(other, _)| *other == feature) {
                return Err(format!("{} is fixed twice", feature.name()));
            }
            fixed.push((feature, weight));
        }
        fixed.sort_by_key(|(feature, _)| *feature);
        Ok(Fixed(fixed))
    },
    |Fixed(weights)| {
        let part = |(feature, weight): &(Feature, i64)| format!("{}={weight}", feature.name());
        weights.iter().map(part).collect::<Vec<_>>().join(",")
    }
);

/// Players outside the population that every member plays against. They are written as specifications joined by `; `,
/// each with the player's [fingerprint](PlayerPool::fingerprint), as in `minimax:weights=seeds,depth=3 #1a2b3c4d`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opponents(pub Vec<Opponent>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opponent {
    spec: String,
    /// The player's fingerprint. It's empty until we know the game of the run.
    pub(super) fingerprint: String,
}

impl Opponents {
    pub(super) fn players(&self) -> impl Iterator<Item = BatchPlayer> {
        let player = |Opponent { spec, fingerprint }| BatchPlayer::Spec { spec, fingerprint };
        self.0.iter().cloned().map(player)
    }

    /// Adds the fingerprints of the players in the given game.
    pub(super) fn identify<G: PlayableGame>(&mut self, game: G) -> Result<(), String> {
        for opponent in &mut self.0 {
            let pool = PlayerPool::new(&opponent.spec, game).map_err(|error| error.to_string())?;
            *opponent = Opponent { spec: pool.spec.clone(), fingerprint: pool.fingerprint() };
        }
        Ok(())
    }
}

text_form!(
    Opponents,
    |text| {
        let opponent = |part: &str| {
            let (spec, fingerprint) = part.rsplit_once(" #").unwrap_or((part, ""));
            let parsed = spec.trim().parse::<Spec>().map_err(|error| error.to_string())?;
            Ok(Opponent { spec: parsed.to_string(), fingerprint: fingerprint.trim().into() })
        };
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        parts.map(opponent).collect::<Result<_, _>>().map(Opponents)
    },
    |opponents| {
        let text = |Opponent { spec, fingerprint }: &Opponent| match fingerprint.as_str() {
            "" => spec.clone(),
            _ => format!("{spec} #{fingerprint}"),
        };
        opponents.0.iter().map(text).collect::<Vec<_>>().join("; ")
    }
);

#[cfg(test)]
mod tests {
    use std::fmt::Display;
    use std::str::FromStr;

    use super::*;
    use crate::optimise::genetic::openings::Openings;

    #[test]
    fn text_forms_read_back() {
        fn all<T: FromStr + Display>(texts: &[&str]) {
            for text in texts {
                assert_eq!(text.parse::<T>().ok().unwrap().to_string(), *text);
            }
        }
        all::<Share>(&["10", "20%"]);
        all::<FitnessSource>(&["tournament", "tables", "mix:30%"]);
        assert_eq!("mix".parse(), Ok(FitnessSource::Mix(50)));
        for text in ["mix:0%", "mix:100%", "mix:30"] {
            assert!(text.parse::<FitnessSource>().is_err());
        }
        all::<Selection>(&["proportional", "rank", "tournament:3", "truncation:25%"]);
        all::<Crossover>(&["one-point", "uniform", "pool"]);
        all::<Mutation>(&["flip", "gaussian", "mirrored"]);
        all::<Openings>(&["start", "random:4,plies=5-12", "random:1+1/25,plies=5-12"]);
        all::<Openings>(&["2+1/9 of [4-4-S, c3 d4]"]);
        all::<Opponents>(&["", "greedy; minimax:weights=seeds,depth=3 #1a2b3c4d"]);
        all::<Scale>(&["free", "400"]);
        all::<Fixed>(&["", "a9=-15", "a1=3,a10=20", "a10=20,bias=7,m1=0=5,t6=13=-2"]);
        assert_eq!("m1=0".parse::<Fixed>(), Err("\"m1\" is not a feature".into()));
    }

    #[test]
    fn chances_follow_their_definitions() {
        let fitness = [5, 9, 0, 9];
        assert_eq!(Selection::Proportional.chances(&fitness), fitness);
        assert_eq!(Selection::Rank.chances(&fitness), [2, 4, 1, 3]);
        // Of the 16 ordered pairs of contenders, 7 contain rank 0, and 5 others contain rank 1.
        assert_eq!(Selection::Tournament(2).chances(&fitness), [3, 7, 1, 5]);
        assert_eq!(Selection::Tournament(1).chances(&fitness), [1; 4]);
        assert_eq!(Selection::Truncation(Share::Count(2)).chances(&fitness), [0, 1, 0, 1]);
        assert_eq!(Selection::Proportional.chances(&[0; 3]), [1; 3]);
    }
}
