//! The pairs of players that meet in a contest.

/// Which players meet each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Two players meet.
    Match,
    /// Every two players meet.
    RoundRobin,
    /// The first player meets the others.
    Gauntlet,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 3] = [Form::Match, Form::RoundRobin, Form::Gauntlet];

    /// Its name, as files of games have it.
    pub fn name(self) -> &'static str {
        match self {
            Form::Match => "match",
            Form::RoundRobin => "tournament",
            Form::Gauntlet => "gauntlet",
        }
    }

    /// The players that meet, first and second, by number from 0.
    pub fn pairings(self, players: usize) -> Vec<[usize; 2]> {
        let firsts = if self == Form::RoundRobin { players } else { 1 };
        (0..firsts).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect()
    }
}
