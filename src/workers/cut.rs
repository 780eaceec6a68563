//! Batches cut into tasks.
//!
//! What a player remembers of its searches is of use where it meets the same positions again: in games from the same
//! opening, in which it has the same colour. So a batch is cut by opening and colour first, and these pieces, which are
//! in the order of the members, into blocks. What one worker remembers another searches again all the same, as far as a
//! piece has several blocks: docs/distributed.md says how much.
//!
//! Nobody can go on before a batch is over, so blocks become smaller towards its end: each is a share of what is left,
//! as in guided self-scheduling (Polychronopoulos and Kuck, IEEE Transactions on Computers C-36, 1987).

use evolution::arena::Meeting;

/// The most games of a task.
const MOST: usize = 512;
/// Microseconds below which a task costs more on its way than it is worth.
const LEAST: f64 = 1_500.0;
/// What is left is shared by so many times the threads.
const SHARES: usize = 3;

/// How large tasks are, in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grain {
    most: usize,
    least: usize,
    threads: usize,
}

impl Grain {
    /// Tasks for so many threads, of at most `task` microseconds where a game takes `game`.
    pub(super) fn new(task: u64, game: f64, threads: usize) -> Grain {
        let games = |micros: f64| (micros / game.max(1.0)).round() as usize;
        let most = games(task as f64).clamp(1, MOST);
        Grain { most, least: games(LEAST).clamp(1, most), threads: threads.max(1) }
    }

    /// Games of a task where so many are left.
    fn games(self, left: usize) -> usize {
        left.div_ceil(SHARES * self.threads).clamp(self.least, self.most)
    }
}

/// Numbers of meetings, task by task.
pub(super) fn cut(meetings: &[Meeting], grain: Grain) -> Vec<Vec<usize>> {
    let mut order: Vec<(u32, bool, usize)> = Vec::with_capacity(meetings.len());
    for (number, meeting) in meetings.iter().enumerate() {
        order.push((meeting.opening, is_second(meetings, number), number));
    }
    order.sort_unstable();
    let (mut tasks, mut left): (Vec<Vec<usize>>, usize) = (Vec::new(), order.len());
    for mut group in order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        while !group.is_empty() {
            let most = grain.games(left);
            // Blocks of about the same size, so that none is left with little.
            let size = group.len().div_ceil(group.len().div_ceil(most));
            let (block, rest) = group.split_at(size);
            let block = block.iter().map(|&(_, _, number)| number);
            match tasks.last_mut() {
                // Openings with few games are put together.
                Some(task) if task.len() + size <= most => task.extend(block),
                _ => tasks.push(block.collect()),
            }
            (group, left) = (rest, left - size);
        }
    }
    tasks
}

/// Whether a meeting is the second of a pair, in which the colours are swapped.
fn is_second(meetings: &[Meeting], number: usize) -> bool {
    let Some(before) = number.checked_sub(1).map(|it| meetings[it]) else { return false };
    let Meeting { first, second, opening } = meetings[number];
    before == Meeting { first: second, second: first, opening }
        && !is_second_of_chain(meetings, number - 1)
}

/// The same of the meeting before: a player that meets itself swaps nothing.
fn is_second_of_chain(meetings: &[Meeting], number: usize) -> bool {
    let mirrored = |one: Meeting, other: Meeting| {
        one == Meeting { first: other.second, second: other.first, opening: other.opening }
    };
    let run = (1..=number).rev().take_while(|&it| mirrored(meetings[it - 1], meetings[it])).count();
    run % 2 == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use mancala::laws;

    laws! {
        #[test]
        fn every_game_is_in_one_task_and_tasks_become_smaller(
            pairs in proptest::collection::vec((0..9u32, 0..9u32, 0..4u32), 0..80),
            game in 1.0..20_000.0f64,
            threads in 1..9usize,
        ) {
            let meetings: Vec<Meeting> = pairs.iter().flat_map(|&(a, b, opening)| Meeting::pair(a, b, opening)).collect();
            let grain = Grain::new(10_000, game, threads);
            let tasks = cut(&meetings, grain);
            let mut all: Vec<usize> = tasks.iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..meetings.len()).collect::<Vec<_>>());
            let mut left = meetings.len();
            let mut before: Option<usize> = None;
            for task in &tasks {
                let most = grain.games(left);
                prop_assert!((1..=most).contains(&task.len()));
                prop_assert!(before.is_none_or(|before| before + task.len() > most));
                (before, left) = (Some(task.len()), left - task.len());
            }
        }
    }

    #[test]
    fn members_of_one_opening_and_colour_stay_together() {
        let pairings: Vec<[u32; 2]> =
            (0..6).flat_map(|member| [[member, 6], [member, 7]]).collect();
        let meetings = Meeting::all(&pairings, 2);
        let tasks = cut(&meetings, Grain::new(6_000, 1_000.0, 1));
        for task in &tasks {
            let games: Vec<Meeting> = task.iter().map(|&it| meetings[it]).collect();
            assert!(games.iter().all(|it| it.opening == games[0].opening), "{games:?}");
            assert!(games.iter().all(|it| (it.first < 6) == (games[0].first < 6)), "{games:?}");
        }
        let lengths: Vec<usize> = tasks.iter().map(Vec::len).collect();
        assert!(lengths[0] == 6 && lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
    }
}
