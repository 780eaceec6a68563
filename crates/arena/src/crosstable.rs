//! Which players met, and with what result.

use serde::Serialize;

use super::pentanomial::{PairScore, Pentanomial};

/// The pairs of every two players of a tournament. Players are numbered from 0.
///
/// ```
/// use arena::{Crosstable, PairScore};
/// let mut table = Crosstable::new(3);
/// table.add(2, 0, PairScore::Wd);
/// assert_eq!(table.between(0, 2).ld, 1);
/// assert_eq!(table.of_player(2).score(), Some(0.75));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crosstable {
    players: usize,
    /// From the first player's view, by `players · first + second`.
    results: Vec<Pentanomial>,
}

impl Crosstable {
    /// A table of players that have not met.
    pub fn new(players: usize) -> Self {
        Crosstable { players, results: vec![Pentanomial::default(); players * players] }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Enters a pair of games between two different players, from `a`'s view.
    pub fn add(&mut self, a: usize, b: usize, pair: PairScore) {
        self.add_all(a, b, Pentanomial::from_iter([pair]));
    }

    /// Enters many pairs of games between two players, from `a`'s view.
    pub fn add_all(&mut self, a: usize, b: usize, pairs: Pentanomial) {
        assert!(a != b && a < self.players && b < self.players, "two players of the table");
        self.results[a * self.players + b] += pairs;
        self.results[b * self.players + a] += pairs.swapped();
    }

    /// The pairs of `a` and `b`, from `a`'s view.
    pub fn between(&self, a: usize, b: usize) -> Pentanomial {
        self.results[a * self.players + b]
    }

    /// All pairs of one player, from its view.
    pub fn of_player(&self, player: usize) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        self.opponents(player).for_each(|opponent| pairs += self.between(player, opponent));
        pairs
    }

    /// The opponents that a player met.
    pub fn opponents(&self, player: usize) -> impl Iterator<Item = usize> {
        (0..self.players).filter(move |&other| self.between(player, other).pairs() > 0)
    }

    /// The players in groups that no meetings connect, not even through others. Each group and the list
    /// are ordered by number.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for player in 0..self.players {
            if groups.iter().any(|group| group.contains(&player)) {
                continue;
            }
            let mut group = vec![player];
            let mut visited = 0;
            while let Some(&member) = group.get(visited) {
                visited += 1;
                let new: Vec<usize> =
                    self.opponents(member).filter(|o| !group.contains(o)).collect();
                group.extend(new);
            }
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    /// Every three players that beat each other in a circle, the most certain circle first. No rating
    /// can agree with all three results. Of many players some circles arise by chance alone, and the
    /// likelihoods of superiority are not corrected for that.
    pub fn non_transitive_triples(&self) -> Vec<Triple> {
        let mut triples = Vec::new();
        for a in 0..self.players {
            for b in a + 1..self.players {
                for c in b + 1..self.players {
                    triples.extend(self.circle([a, b, c]));
                    triples.extend(self.circle([a, c, b]));
                }
            }
        }
        triples.sort_by(|a, b| b.least_los.total_cmp(&a.least_los));
        triples
    }

    fn circle(&self, players: [usize; 3]) -> Option<Triple> {
        let [a, b, c] = players;
        let steps = [self.between(a, b), self.between(b, c), self.between(c, a)];
        let scores = steps.map(|pairs| pairs.score().filter(|&score| score > 0.5));
        let [Some(ab), Some(bc), Some(ca)] = scores else { return None };
        let least_los = steps.map(|pairs| pairs.estimate().los).into_iter().fold(1.0, f64::min);
        Some(Triple { players, scores: [ab, bc, ca], least_los })
    }
}

/// Three players: the first beat the second, the second the third, and the third the first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Triple {
    /// Their numbers, the lowest first.
    pub players: [usize; 3],
    /// Each one's points a game, above ½, against the next.
    pub scores: [f64; 3],
    /// The least of the three steps' likelihoods of superiority, found from the two players' own pairs.
    pub least_los: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(ll: u64, dd_wl: u64, ww: u64) -> Pentanomial {
        Pentanomial { ll, dd_wl, ww, ..Pentanomial::default() }
    }

    #[test]
    fn both_views_of_a_meeting() {
        let mut table = Crosstable::new(3);
        table.add_all(0, 1, Pentanomial { ll: 1, ld: 2, dd_wl: 3, wd: 4, ww: 5 });
        table.add(1, 0, PairScore::Ww);
        table.add(1, 2, PairScore::Ll);
        assert_eq!(table.between(0, 1).counts(), [2, 2, 3, 4, 5]);
        assert_eq!(table.between(1, 0).counts(), [5, 4, 3, 2, 2]);
        assert_eq!(table.of_player(1).counts(), [6, 4, 3, 2, 2]);
        assert_eq!(table.opponents(1).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn groups_of_players_who_met() {
        let mut table = Crosstable::new(6);
        table.add(0, 4, PairScore::Wd);
        table.add(5, 4, PairScore::Ll);
        table.add(2, 1, PairScore::DdWl);
        assert_eq!(table.groups(), [vec![0, 4, 5], vec![1, 2], vec![3]]);
        assert!(Crosstable::new(0).groups().is_empty());
    }

    #[test]
    fn circles_are_found_once_and_the_surest_comes_first() {
        let mut table = Crosstable::new(4);
        table.add_all(0, 2, pairs(10, 20, 40));
        table.add_all(2, 1, pairs(10, 20, 30));
        table.add_all(1, 0, pairs(10, 20, 20));
        table.add_all(3, 0, pairs(10, 20, 11));
        table.add_all(2, 3, pairs(10, 20, 40));
        // 3 beat 1 and lost to 2: no further circle but 0 → 2 → 3 → 0.
        table.add_all(3, 1, pairs(10, 20, 40));
        let triples = table.non_transitive_triples();
        let players: Vec<_> = triples.iter().map(|triple| triple.players).collect();
        assert_eq!(players, [[0, 2, 1], [0, 2, 3]]);
        assert_eq!(triples[0].scores, [50.0 / 70.0, 40.0 / 60.0, 30.0 / 50.0]);
        assert_eq!(triples[0].least_los, pairs(10, 20, 20).estimate().los);
        assert_eq!(triples[1].least_los, pairs(10, 20, 11).estimate().los);
    }

    #[test]
    fn an_even_step_makes_no_circle() {
        let mut table = Crosstable::new(3);
        table.add_all(0, 1, pairs(0, 0, 5));
        table.add_all(1, 2, pairs(0, 0, 5));
        table.add_all(2, 0, pairs(1, 3, 1));
        assert!(table.non_transitive_triples().is_empty());
    }
}
