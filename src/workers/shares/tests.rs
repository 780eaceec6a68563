use proptest::prelude::*;

use super::*;
use mancala::laws;

/// What may happen to a batch.
#[derive(Debug, Clone)]
enum Happens {
    Take,
    Done(usize),
    Judge(usize),
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
        (0..pieces).prop_map(Happens::Judge),
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

laws! {
    /// Whatever happens, a process that goes on alone ends with what is true, once the liar is known.
    #[test]
    fn a_batch_always_ends_with_the_truth(events in proptest::collection::vec(happens(PIECES), 0..60)) {
        let mut shares = Shares::new(PIECES);
        let mut here = Vec::new();
        for event in events {
            match event {
                Happens::Take => here.extend(shares.take_here(Wanted::Copies)),
                Happens::Done(place) if !here.is_empty() => {
                    let piece = here.remove(place % here.len()).piece;
                    let (digest, bytes) = truth(piece);
                    let accused = shares.done_here(piece, digest, bytes);
                    prop_assert!(accused.is_none() || accused.as_deref() == Some("liar"));
                }
                Happens::Judge(place) if !here.is_empty() => {
                    let Errand { piece, attempt, claim } = here.remove(place % here.len());
                    let accused = match claim {
                        Some(claim) => shares.judged(piece, attempt, claim.bytes == truth(piece).1),
                        None => shares.done_here(piece, truth(piece).0, truth(piece).1),
                    };
                    prop_assert!(accused.is_none() || accused.as_deref() == Some("liar"));
                }
                Happens::Leave(place) if !here.is_empty() => {
                    shares.leave(here.remove(place % here.len()).piece);
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
                Happens::Done(_) | Happens::Judge(_) | Happens::Leave(_) => {}
            }
        }
        shares.distrust("liar");
        here.into_iter().for_each(|it: Errand| shares.leave(it.piece));
        let mut turns = 0;
        while !shares.is_over() {
            let errand = shares.take_here(Wanted::Copies);
            let piece = errand.expect("whatever is not settled can be done here").piece;
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
    let errand = Errand { piece: 0, attempt: 0, claim: Some(found(0, true)) };
    assert_eq!(shares.take_here(Wanted::Copies), Some(errand));
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
    let take = |shares: &mut Shares| shares.take_here(Wanted::Copies).map(|it| it.piece);
    assert_eq!(take(&mut shares), Some(1));
    assert_eq!((shares.offer_copy(), shares.offer_copy()), (Some((0, 0)), None));
    assert_eq!((take(&mut shares), take(&mut shares)), (Some(0), None));
    shares.keep(0);
    assert_eq!((shares.offer(), shares.is_offered(0)), (None, false));
}

#[test]
fn a_claim_is_judged_and_what_was_taken_stays() {
    let mut shares = Shares::new(2);
    for piece in 0..2 {
        assert_eq!(shares.offer(), Some((piece, 0)));
        shares.answered(piece, 0, found(piece, piece == 1), Trust::Check);
        let errand = shares.take_claim().unwrap();
        let claim = errand.claim.unwrap();
        assert_eq!(claim, found(piece, piece == 1));
        let accused = shares.judged(piece, errand.attempt, claim.bytes == truth(piece).1);
        assert_eq!(accused.as_deref(), (piece == 1).then_some("liar"));
    }
    assert_eq!((shares.settled(), shares.distrust("liar")), (1, 1));
    assert_eq!(shares.take(0), Some((truth(0).1, "honest".into())));
    assert_eq!((shares.take(0), shares.take(1)), (None, None));
    // Neither another answer nor a quarantine changes what is kept.
    assert_eq!(shares.answered(0, 0, found(0, true), Trust::Take), Verdict::Differs);
    shares.doubt(0);
    assert_eq!((shares.distrust("honest"), shares.settled()), (0, 1));
}
