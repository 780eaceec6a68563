use proptest::prelude::*;

use super::*;

/// What may happen to a batch.
#[derive(Debug, Clone)]
enum Happens {
    Take,
    Done(usize),
    Leave(usize),
    Offer,
    Copy,
    Answer { piece: usize, back: u32, liar: bool, check: bool },
    Withdraw(usize),
    Keep(usize),
    Lost,
    Distrust,
}

fn happens(pieces: usize) -> impl Strategy<Value = Happens> {
    let answer = (0..pieces, 0..2u32, any::<bool>(), any::<bool>());
    prop_oneof![
        Just(Happens::Take),
        (0..pieces).prop_map(Happens::Done),
        (0..pieces).prop_map(Happens::Leave),
        Just(Happens::Offer),
        Just(Happens::Copy),
        answer.prop_map(|(piece, back, liar, check)| Happens::Answer { piece, back, liar, check }),
        (0..pieces).prop_map(Happens::Withdraw),
        (0..pieces).prop_map(Happens::Keep),
        Just(Happens::Lost),
        Just(Happens::Distrust),
    ]
}

fn truth(piece: usize) -> (u32, Vec<u8>) {
    (piece as u32, vec![piece as u8])
}

fn found(piece: usize, liar: bool) -> Found {
    let (digest, bytes) = truth(piece);
    match liar {
        false => Found { by: Some("honest".into()), digest, bytes },
        true => Found { by: Some("liar".into()), digest: digest + 1000, bytes: vec![255] },
    }
}

const PIECES: usize = 5;

proptest! {
    /// Whatever happens, a process that goes on alone ends with what is true, once the liar is known.
    #[test]
    fn a_batch_always_ends_with_the_truth(events in proptest::collection::vec(happens(PIECES), 0..60)) {
        let mut shares = Shares::new(PIECES);
        let mut here = Vec::new();
        for event in events {
            match event {
                Happens::Take => here.extend(shares.take_here(Wanted::Copies)),
                Happens::Done(place) if !here.is_empty() => {
                    let piece = here.remove(place % here.len());
                    let (digest, bytes) = truth(piece);
                    let accused = shares.done_here(piece, digest, bytes);
                    prop_assert!(accused.is_none() || accused.as_deref() == Some("liar"));
                }
                Happens::Leave(place) if !here.is_empty() => {
                    shares.leave(here.remove(place % here.len()));
                }
                Happens::Answer { piece, back, liar, check } => {
                    let attempt = shares.attempt(piece).unwrap().saturating_sub(back);
                    let trust = if check { Trust::Check } else { Trust::Take };
                    shares.answered(piece, attempt, found(piece, liar), trust);
                }
                Happens::Offer => drop(shares.offer()),
                Happens::Copy => drop(shares.offer_copy()),
                Happens::Withdraw(piece) => shares.withdraw(piece),
                Happens::Keep(piece) => shares.keep(piece),
                Happens::Lost => shares.withdraw_all(),
                Happens::Distrust => drop(shares.distrust("liar")),
                Happens::Done(_) | Happens::Leave(_) => {}
            }
        }
        shares.distrust("liar");
        here.into_iter().for_each(|piece| shares.leave(piece));
        let mut turns = 0;
        while !shares.is_over() {
            let piece = shares.take_here(Wanted::Copies).expect("whatever is not settled can be done here");
            let (digest, bytes) = truth(piece);
            shares.done_here(piece, digest, bytes);
            turns += 1;
            prop_assert!(turns <= PIECES, "{shares:?}");
        }
        prop_assert_eq!(shares.settled(), PIECES);
        let truth: Vec<Vec<u8>> = (0..PIECES).map(|piece| truth(piece).1).collect();
        prop_assert_eq!(shares.found(), truth);
    }
}

#[test]
fn an_answer_counts_once_and_a_lie_is_noticed() {
    let mut shares = Shares::new(2);
    assert_eq!(shares.offer(), Some((0, 0)));
    assert_eq!(shares.answered(0, 0, found(0, true), Trust::Check), Verdict::First);
    assert_eq!(shares.answered(0, 0, found(0, true), Trust::Take), Verdict::Same);
    assert_eq!(shares.answered(0, 0, found(0, false), Trust::Take), Verdict::Differs);
    // It is checked before anything else is done.
    assert_eq!(shares.take_here(Wanted::Copies), Some(0));
    let (digest, bytes) = truth(0);
    assert_eq!(shares.done_here(0, digest, bytes).as_deref(), Some("liar"));
    assert_eq!(shares.answered(1, 0, found(1, true), Trust::Take), Verdict::First);
    assert!(shares.is_over());
    assert_eq!(shares.distrust("liar"), 1);
    assert_eq!(shares.answered(1, 0, found(1, true), Trust::Take), Verdict::Late);
    assert_eq!(shares.attempt(1), Some(1));
    assert_eq!(shares.answered(1, 1, found(1, false), Trust::Take), Verdict::First);
    assert!(shares.is_over());
}

#[test]
fn copies_are_made_only_when_nothing_waits() {
    let mut shares = Shares::new(2);
    assert_eq!((shares.offer(), shares.offer_copy()), (Some((0, 0)), None));
    assert_eq!(shares.take_here(Wanted::Copies), Some(1));
    assert_eq!((shares.offer_copy(), shares.offer_copy()), (Some((0, 0)), None));
    assert_eq!(
        (shares.take_here(Wanted::Copies), shares.take_here(Wanted::Copies)),
        (Some(0), None)
    );
    shares.keep(0);
    assert_eq!((shares.offer(), shares.is_offered(0)), (None, false));
}
