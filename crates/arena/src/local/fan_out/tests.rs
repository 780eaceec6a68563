use std::thread;
use std::time::Duration;

use rayon::prelude::*;

use super::*;

fn on<T: Send>(threads: usize, act: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(act)
}

/// The first pieces take the longest.
fn slow_at_first(piece: usize, _: &dyn Progress) -> Option<usize> {
    thread::sleep(Duration::from_millis(if piece < 3 { 10 } else { 0 }));
    Some(piece)
}

#[test]
fn results_are_in_order_whatever_they_take() {
    for threads in [1, 2, 8] {
        let found = on(threads, || gather_all(50, &(), slow_at_first)).unwrap();
        assert!(found.into_iter().eq(0..50), "{threads}");
    }
    assert!(gather_all(50, &(), slow_at_first).unwrap().into_iter().eq(0..50));
    assert_eq!(gather_all(0, &(), slow_at_first), Some(Vec::new()));
}

/// The thread that tells may be given other pieces while it waits for work that it shares out itself.
#[test]
fn a_follower_may_share_out_work_itself() {
    let mut sums = Vec::new();
    let mut follow = |piece: usize| {
        sums.push((0..1000).into_par_iter().map(|it| it * piece).sum::<usize>());
        ControlFlow::Continue(())
    };
    let work = |piece, _: &dyn Progress| Ok::<_, Infallible>(Some(piece));
    let Ok(()) = on(3, || fan_out(200, &(), work, &mut follow));
    assert!(sums.into_iter().eq((0..200).map(|piece| 499_500 * piece)));
}

#[test]
fn work_may_share_out_work_itself() {
    let within = |piece: usize, progress: &dyn Progress| {
        gather_all(20, progress, |inner, _| Some(piece * inner)).map(|it| it.iter().sum::<usize>())
    };
    let found = on(3, || gather_all(30, &(), within)).unwrap();
    assert!(found.into_iter().eq((0..30).map(|piece| 190 * piece)));
}

#[test]
fn an_error_ends_the_work() {
    let work =
        |piece: usize, _: &dyn Progress| if piece == 7 { Err("no") } else { Ok(Some(piece)) };
    for threads in [1, 4] {
        assert_eq!(on(threads, || gather(1000, &(), work)), Err("no"));
    }
}
