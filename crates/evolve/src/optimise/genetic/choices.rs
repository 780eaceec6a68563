//! Settings that are more than a number, with their text forms.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::optimise::step::ranking;
use mancala::eval::{Feature, MAX_WEIGHT};

/// A number of members, as such or as a share of the population. Text forms: `10`, `20%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// So many members.
    Count(u32),
    /// So many per hundred members, rounded down.
    Percent(u32),
}

impl Share {
    /// How many members of a `population` that is.
    pub fn of(self, population: u32) -> usize {
        match self {
            Share::Count(count) => count as usize,
            Share::Percent(percent) => population as usize * percent as usize / 100,
        }
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share = match text.strip_suffix('%') {
            Some(percent) => percent.parse().ok().filter(|p| *p <= 100).map(Share::Percent),
            None => text.parse().ok().map(Share::Count),
        };
        share.ok_or_else(|| "give a count or a percentage such as \"20%\"".into())
    }
}

impl Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Share::Count(count) => write!(f, "{count}"),
            Share::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// What makes a member fit. Text forms: `tournament`, `tables`, `mix:P%`, and `mix` for `mix:50%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitnessSource {
    /// Games.
    Tournament,
    /// Choices in positions whose value endgame tables know.
    Tables,
    /// Both: its place among the others by tables counts so many per hundred, that by games the rest.
    Mix(u32),
}

impl FromStr for FitnessSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share = |text: &str| {
            let percent = text.strip_prefix("mix:")?.strip_suffix('%')?.parse().ok();
            percent.filter(|percent| (1..=99).contains(percent)).map(FitnessSource::Mix)
        };
        match text {
            "tournament" => Ok(FitnessSource::Tournament),
            "tables" => Ok(FitnessSource::Tables),
            "mix" => Ok(FitnessSource::Mix(50)),
            _ => share(text)
                .ok_or_else(|| "write tournament, tables, or mix:P% with P from 1 to 99".into()),
        }
    }
}

impl Display for FitnessSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitnessSource::Tournament => f.write_str("tournament"),
            FitnessSource::Tables => f.write_str("tables"),
            FitnessSource::Mix(percent) => write!(f, "mix:{percent}%"),
        }
    }
}

/// Which members enter the mating pool. Text forms: `proportional`, `rank`, `tournament:K`, `truncation:P%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// A member's chance is proportional to its fitness.
    Proportional,
    /// Its chance falls linearly with its rank.
    Rank,
    /// It is the fittest of so many that are drawn with replacement.
    Tournament(u32),
    /// The fittest have equal chances, the others none.
    Truncation(Share),
}

/// With [`Selection::Tournament`], the population to the power of this must stay below 2⁶³.
pub const MOST_CONTENDERS: u32 = 4;

impl Selection {
    /// The chances of the members, from their fitness, as whole numbers that the whole pool shares.
    /// Without any fitness at all they are equal.
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
            // The fittest drawn has this rank if all draws are of this rank or worse, but not all are
            // of a worse one.
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

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once(':').unwrap_or((text, ""));
        let selection = match name {
            "proportional" if value.is_empty() => Some(Selection::Proportional),
            "rank" if value.is_empty() => Some(Selection::Rank),
            "tournament" => {
                let contenders = value.parse().ok();
                contenders.filter(|k| (1..=MOST_CONTENDERS).contains(k)).map(Selection::Tournament)
            }
            "truncation" => value.parse().ok().map(Selection::Truncation),
            _ => None,
        };
        selection.ok_or_else(|| {
            "write proportional, rank, tournament:K with K from 1 to 4, or truncation:P%".into()
        })
    }
}

impl Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Proportional => f.write_str("proportional"),
            Selection::Rank => f.write_str("rank"),
            Selection::Tournament(contenders) => write!(f, "tournament:{contenders}"),
            Selection::Truncation(share) => write!(f, "truncation:{share}"),
        }
    }
}

/// How parents are combined. Text forms: `one-point`, `uniform`, `blend:ALPHA`, `pool`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Crossover {
    /// Two parents exchange their bits from a point on.
    OnePoint,
    /// Two parents exchange genes, each by the toss of a coin.
    Uniform,
    /// Each gene of a child is drawn from the interval between its parents' genes, made longer by this
    /// share of it on both sides (BLX-α; Eshelman and Schaffer 1993).
    Blend(f64),
    /// Every child begins as the mean of the mating pool, gene by gene, each member counting by its
    /// chance to be selected: recombination of all, whose averaging takes the noise out of selection
    /// (Beyer's genetic repair; gene pool recombination, Mühlenbein and Voigt 1995). The first child
    /// stays this mean.
    Pool,
}

impl FromStr for Crossover {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let alpha = |text: &str| text.parse().ok().filter(|alpha| (0.0..=2.0).contains(alpha));
        let crossover = match (text, text.strip_prefix("blend:")) {
            ("one-point", _) => Some(Crossover::OnePoint),
            ("uniform", _) => Some(Crossover::Uniform),
            ("pool", _) => Some(Crossover::Pool),
            (_, Some(text)) => alpha(text).map(Crossover::Blend),
            _ => None,
        };
        crossover.ok_or_else(|| {
            "write one-point, uniform, blend:ALPHA with ALPHA from 0 to 2, or pool".into()
        })
    }
}

impl Display for Crossover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crossover::OnePoint => f.write_str("one-point"),
            Crossover::Uniform => f.write_str("uniform"),
            Crossover::Blend(alpha) => write!(f, "blend:{alpha:?}"),
            Crossover::Pool => f.write_str("pool"),
        }
    }
}

/// Which chromosome a generation reports as its champion. It enters the hall of fame and is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    /// The member with the highest fitness. In a noisy generation that is often a lucky one.
    Fittest,
    /// The mean of the members, weighted by their chances of selection, and of the champion before by
    /// [inertia](super::settings::GeneticSettings::inertia). Averaging cancels most of the noise.
    Mean,
}

mancala::option_words!(Reported, "fittest or mean", { Fittest: "fittest", Mean: "mean" });

/// How an offspring is changed. Text forms: `flip`, `gaussian`, `mirrored`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// Bits flip.
    Flip,
    /// Genes take a normally distributed step, whose length falls with the generations.
    Gaussian,
    /// The same, and every other offspring takes the step of the one before backwards, so that the offspring
    /// of one mean lie evenly around it (D. Brockhoff, A. Auger, N. Hansen, D. V. Arnold and T. Hohm,
    /// "Mirrored sampling and sequential selection for evolution strategies", PPSN XI, 2010).
    Mirrored,
}

impl FromStr for Mutation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "flip" => Ok(Mutation::Flip),
            "gaussian" => Ok(Mutation::Gaussian),
            "mirrored" => Ok(Mutation::Mirrored),
            _ => Err("write flip, gaussian or mirrored".into()),
        }
    }
}

impl Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mutation::Flip => "flip",
            Mutation::Gaussian => "gaussian",
            Mutation::Mirrored => "mirrored",
        })
    }
}

/// How steps shrink with the generations. Text forms: `halving`, `harmonic`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cooling {
    /// To a half in so many generations, to a quarter in twice as many.
    Halving,
    /// To a half in so many generations, to a third in twice as many: as `H / (H + g)`, which suits a run of
    /// any length.
    Harmonic,
}

impl FromStr for Cooling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "halving" => Ok(Cooling::Halving),
            "harmonic" => Ok(Cooling::Harmonic),
            _ => Err("write halving or harmonic".into()),
        }
    }
}

impl Display for Cooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cooling::Halving => "halving",
            Cooling::Harmonic => "harmonic",
        })
    }
}

/// The length that the weights of a chromosome are held to; games do not depend on it, but operators
/// on genes do. Text forms: `free`, a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// They are as long as they come.
    Free,
    /// The square root of the sum of their squares, fixed ones included.
    Length(u32),
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let length = text.parse().ok().filter(|length| (1..=MAX_WEIGHT as u32).contains(length));
        match text {
            "free" => Ok(Scale::Free),
            _ => length
                .map(Scale::Length)
                .ok_or_else(|| format!("write free, or a length from 1 to {MAX_WEIGHT}")),
        }
    }
}

impl Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scale::Free => f.write_str("free"),
            Scale::Length(length) => write!(f, "{length}"),
        }
    }
}

/// Weights that do not evolve. Text form: `a9=-15,a10=20`; the empty text for none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fixed(Vec<(Feature, i64)>);

impl Fixed {
    /// The weight that a feature is held at, if it is.
    pub fn weight_of(&self, feature: Feature) -> Option<i64> {
        self.0.iter().find(|(fixed, _)| *fixed == feature).map(|(_, weight)| *weight)
    }

    /// The fixed features and their weights, in the order of the features.
    pub fn weights(&self) -> &[(Feature, i64)] {
        &self.0
    }
}

impl FromStr for Fixed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut fixed: Vec<(Feature, i64)> = Vec::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let form =
                || format!("write NAME=WEIGHT, as in a9=15, with weights up to {MAX_WEIGHT}");
            // Names of features may have an equals sign, as in m1=0=5.
            let (name, weight) = part.rsplit_once('=').ok_or_else(form)?;
            let name = name.trim();
            let feature =
                Feature::from_name(name).ok_or_else(|| format!("\"{name}\" is no feature"))?;
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
    }
}

impl Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.0.iter().map(|(feature, weight)| format!("{}={weight}", feature.name())).collect();
        f.write_str(&parts.join(","))
    }
}

/// Chromosomes, in hexadecimal or by a word ([`ZERO`](Founders::ZERO)), that a first
/// population begins from instead of chance. Text form: joined by commas; the empty text for none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Founders(pub Vec<String>);

impl Founders {
    /// The text of the chromosome whose genes are all 0.
    pub const ZERO: &str = "zero";
}

impl FromStr for Founders {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Founders(text.split(',').filter(|hex| !hex.is_empty()).map(str::to_owned).collect()))
    }
}

impl Display for Founders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::genetic::beginnings::Beginnings;
    use crate::optimise::genetic::opponents::Opponents;

    #[test]
    fn texts_read_back() {
        fn all<T: FromStr<Err = String> + Display>(texts: &[&str]) {
            for text in texts {
                assert_eq!(text.parse::<T>().ok().unwrap().to_string(), *text);
            }
        }
        all::<Share>(&["10", "20%"]);
        all::<FitnessSource>(&["tournament", "tables", "mix:30%"]);
        assert_eq!("mix".parse(), Ok(FitnessSource::Mix(50)));
        assert!(
            ["mix:0%", "mix:100%", "mix:30"]
                .iter()
                .all(|text| text.parse::<FitnessSource>().is_err())
        );
        all::<Selection>(&["proportional", "rank", "tournament:3", "truncation:25%"]);
        all::<Crossover>(&["one-point", "uniform", "blend:0.5", "pool"]);
        all::<Mutation>(&["flip", "gaussian"]);
        all::<Beginnings>(&["start", "random:4,plies=5-12", "random:1+1/25,plies=5-12"]);
        all::<Beginnings>(&["2+1/9 of [4-4-S, c3 d4]"]);
        all::<Opponents>(&["", "greedy; minimax:weights=seeds,depth=3 #1a2b3c4d"]);
        all::<Scale>(&["free", "400"]);
        all::<Fixed>(&["", "a9=-15", "a1=3,a10=20", "a10=20,bias=7,m1=0=5,t6=13=-2"]);
        assert_eq!("m1=0".parse::<Fixed>(), Err("\"m1\" is no feature".into()));
        all::<Founders>(&["", "cf10,d903", "zero"]);
    }

    #[test]
    fn chances_follow_their_definitions() {
        let fitness = [5, 9, 0, 9];
        assert_eq!(Selection::Proportional.chances(&fitness), fitness);
        assert_eq!(Selection::Rank.chances(&fitness), [2, 4, 1, 3]);
        // Of 16 ordered draws of two, seven have rank 0 as their best, five rank 1, and so on.
        assert_eq!(Selection::Tournament(2).chances(&fitness), [3, 7, 1, 5]);
        assert_eq!(Selection::Tournament(1).chances(&fitness), [1; 4]);
        assert_eq!(Selection::Truncation(Share::Count(2)).chances(&fitness), [0, 1, 0, 1]);
        assert_eq!(Selection::Proportional.chances(&[0; 3]), [1; 3]);
    }
}
