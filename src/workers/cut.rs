//! Batches cut into tasks.
//!
//! What a player remembers of its searches is of use where it meets the same positions again: in games from the same
//! opening, in which it has the same colour. So a batch is cut by opening and colour first, and these pieces, which are
//! in the order of the members, into blocks. Cut by members first, eight memories search 10 % more positions than one;
//! cut so, 0.2 %.

use evolution::arena::Meeting;

/// The most games of a task.
const MOST: usize = 512;

/// Numbers of meetings, task by task. A task is expected to take `task` microseconds where a game takes `game`.
pub(super) fn cut(meetings: &[Meeting], task: u64, game: f64) -> Vec<Vec<usize>> {
    let size = ((task as f64 / game.max(1.0)).round() as usize).clamp(1, MOST);
    let mut order: Vec<(u32, bool, usize)> = Vec::with_capacity(meetings.len());
    for (number, meeting) in meetings.iter().enumerate() {
        order.push((meeting.opening, is_second(meetings, number), number));
    }
    order.sort_unstable();
    let groups = order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    let blocks = groups.flat_map(|group| {
        // Blocks of about the same size, so that none is left with little.
        let blocks = group.len().div_ceil(size);
        group.chunks(group.len().div_ceil(blocks.max(1)))
    });
    let mut tasks: Vec<Vec<usize>> =
        blocks.map(|block| block.iter().map(|&(_, _, number)| number).collect()).collect();
    tasks.dedup_by(|next, task| {
        // Openings with few games are put together.
        let fits = task.len() + next.len() <= size;
        if fits {
            task.append(next);
        }
        fits
    });
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

    proptest! {
        #[test]
        fn every_game_is_in_one_task_and_tasks_are_of_one_opening_and_colour(
            pairs in proptest::collection::vec((0..9u32, 0..9u32, 0..4u32), 0..80),
            game in 1.0..20_000.0f64,
        ) {
            let meetings: Vec<Meeting> = pairs.iter().flat_map(|&(a, b, opening)| Meeting::pair(a, b, opening)).collect();
            let tasks = cut(&meetings, 10_000, game);
            let mut all: Vec<usize> = tasks.iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..meetings.len()).collect::<Vec<_>>());
            let size = ((10_000.0 / game).round() as usize).clamp(1, MOST);
            prop_assert!(tasks.iter().all(|task| (1..=size).contains(&task.len())));
            for pair in tasks.windows(2) {
                prop_assert!(pair[0].len() + pair[1].len() > size);
            }
        }
    }

    #[test]
    fn members_of_one_opening_and_colour_stay_together() {
        let pairings: Vec<[u32; 2]> =
            (0..6).flat_map(|member| [[member, 6], [member, 7]]).collect();
        let meetings = Meeting::all(&pairings, 2);
        let tasks = cut(&meetings, 6_000, 1_000.0);
        assert_eq!(tasks.len(), 8);
        for task in &tasks {
            let games: Vec<Meeting> = task.iter().map(|&it| meetings[it]).collect();
            assert!(games.iter().all(|it| it.opening == games[0].opening), "{games:?}");
            assert!(games.iter().all(|it| (it.first < 6) == (games[0].first < 6)), "{games:?}");
        }
    }
}
