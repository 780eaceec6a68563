//! Who has which piece of a batch of work, and what came of it.
//!
//! Architecture invariant: nothing here speaks to anybody or reads a clock. What was found here counts more than what
//! was found elsewhere, and the first of several equal answers is as good as any.

use std::collections::{BTreeSet, VecDeque};

/// The pieces of a batch, and who has them.
#[derive(Debug)]
pub(super) struct Shares {
    pieces: Vec<Share>,
    /// Those that nobody has, in the order in which they are wanted.
    waiting: BTreeSet<usize>,
    /// Those that workers have or could have.
    offered: BTreeSet<usize>,
    /// Answers to be checked by doing the piece here.
    unchecked: VecDeque<usize>,
    /// Pieces that are not settled.
    left: usize,
}

#[derive(Debug)]
struct Share {
    state: State,
    /// How often it was asked for before.
    attempt: u32,
    /// It is being done in this process.
    is_here: bool,
    /// It was offered a second time.
    is_copied: bool,
    /// Nobody else is to do it.
    is_ours: bool,
    /// Two answered it differently.
    is_doubtful: bool,
}

#[derive(Debug)]
enum State {
    Waiting,
    Offered,
    /// Someone has answered; the answer is not to be believed before it is checked.
    Unchecked(Found),
    Settled(Found),
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The worker; nobody, if it was done here.
    pub(super) by: Option<String>,
    pub(super) digest: u32,
    pub(super) bytes: Vec<u8>,
}

/// A piece to be done here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Errand {
    pub(super) piece: usize,
    pub(super) attempt: u32,
    /// An answer that has only to be checked.
    pub(super) claim: Option<Found>,
}

/// What is done here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Only what nobody else can do.
    Checks,
    /// What nobody has.
    Waiting,
    /// Also what workers have.
    Copies,
}

/// Whether an answer is checked before it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    Check,
    Take,
}

/// What an answer was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The first one.
    First,
    /// The same as the one that there is.
    Same,
    /// Another than the one that there is.
    Differs,
    /// Nobody waits for it any more.
    Late,
}

impl Shares {
    pub(super) fn new(pieces: usize) -> Shares {
        let share = |_| Share {
            state: State::Waiting,
            attempt: 0,
            is_here: false,
            is_copied: false,
            is_ours: false,
            is_doubtful: false,
        };
        Shares {
            pieces: (0..pieces).map(share).collect(),
            waiting: (0..pieces).collect(),
            offered: BTreeSet::new(),
            unchecked: VecDeque::new(),
            left: pieces,
        }
    }

    /// Whether every piece is settled.
    pub(super) fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Pieces that are settled.
    pub(super) fn settled(&self) -> usize {
        self.pieces.len() - self.left
    }

    /// A piece to be done here: an answer to be checked, one that nobody has, or, as far as that is wanted, one that
    /// others have.
    pub(super) fn take_here(&mut self, wanted: Wanted) -> Option<Errand> {
        let checked = self.unchecked.pop_front();
        let waiting = |it: &mut Self| match wanted {
            Wanted::Checks => it.waiting.iter().copied().find(|&piece| it.pieces[piece].is_ours),
            Wanted::Waiting | Wanted::Copies => it.waiting.first().copied(),
        };
        let copy = |it: &Self| {
            // The last one is the least likely to have been begun.
            let free = it.offered.iter().rev().copied().find(|&piece| !it.pieces[piece].is_here);
            free.filter(|_| wanted == Wanted::Copies)
        };
        let piece = checked.or_else(|| waiting(self)).or_else(|| copy(self))?;
        self.waiting.remove(&piece);
        Some(self.begin(piece))
    }

    /// An answer that has only to be checked.
    pub(super) fn take_claim(&mut self) -> Option<Errand> {
        let claims = |piece: &usize| !self.pieces[*piece].is_doubtful;
        let place = self.unchecked.iter().position(claims)?;
        let piece = self.unchecked.remove(place)?;
        Some(self.begin(piece))
    }

    fn begin(&mut self, piece: usize) -> Errand {
        let share = &mut self.pieces[piece];
        share.is_here = true;
        let claim = match &share.state {
            State::Unchecked(found) if !share.is_doubtful => Some(found.clone()),
            _ => None,
        };
        Errand { piece, attempt: share.attempt, claim }
    }

    /// A piece that nobody has, to be offered to workers, and its attempt.
    pub(super) fn offer(&mut self) -> Option<(usize, u32)> {
        let piece = self.waiting.iter().copied().find(|&piece| !self.pieces[piece].is_ours)?;
        self.waiting.remove(&piece);
        self.offered.insert(piece);
        let share = &mut self.pieces[piece];
        share.state = State::Offered;
        Some((piece, share.attempt))
    }

    /// A piece that is under way and was not offered twice, once none is waiting: idle workers may be faster.
    pub(super) fn offer_copy(&mut self) -> Option<(usize, u32)> {
        if !self.waiting.is_empty() {
            return None;
        }
        // The last one is the least likely to have been begun.
        let piece =
            self.offered.iter().rev().copied().find(|&piece| !self.pieces[piece].is_copied)?;
        let share = &mut self.pieces[piece];
        share.is_copied = true;
        Some((piece, share.attempt))
    }

    /// Whether workers have this piece or could have it.
    pub(super) fn is_offered(&self, piece: usize) -> bool {
        self.offered.contains(&piece)
    }

    /// Whether there is something to offer that nobody has.
    pub(super) fn can_offer(&self) -> bool {
        self.waiting.iter().any(|&piece| !self.pieces[piece].is_ours)
    }

    /// Whether there is something to offer a second time.
    pub(super) fn can_copy(&self) -> bool {
        self.waiting.is_empty() && self.offered.iter().any(|&piece| !self.pieces[piece].is_copied)
    }

    /// Nobody else can do this piece: it is done here.
    pub(super) fn keep(&mut self, piece: usize) {
        self.pieces[piece].is_ours = true;
        self.withdraw(piece);
    }

    /// An offer that did not arrive, or is lost.
    pub(super) fn withdraw(&mut self, piece: usize) {
        let share = &mut self.pieces[piece];
        if matches!(share.state, State::Offered) {
            share.state = State::Waiting;
            share.is_copied = false;
            self.offered.remove(&piece);
            if !share.is_here {
                self.waiting.insert(piece);
            }
        }
    }

    /// All offers are lost.
    pub(super) fn withdraw_all(&mut self) {
        for piece in std::mem::take(&mut self.offered) {
            self.pieces[piece].state = State::Offered;
            self.withdraw(piece);
        }
    }

    /// A piece is not done here after all.
    pub(super) fn leave(&mut self, piece: usize) {
        let share = &mut self.pieces[piece];
        share.is_here = false;
        match share.state {
            State::Waiting => drop(self.waiting.insert(piece)),
            State::Unchecked(_) => self.unchecked.push_back(piece),
            State::Offered | State::Settled(_) => {}
        }
    }

    /// A worker has answered an attempt.
    pub(super) fn answered(
        &mut self,
        piece: usize,
        attempt: u32,
        found: Found,
        trust: Trust,
    ) -> Verdict {
        let Some(share) = self.pieces.get_mut(piece) else { return Verdict::Late };
        match &share.state {
            State::Unchecked(it) | State::Settled(it) if it.digest == found.digest => Verdict::Same,
            State::Unchecked(_) | State::Settled(_) if share.attempt == attempt => Verdict::Differs,
            State::Unchecked(_) | State::Settled(_) => Verdict::Late,
            _ if share.attempt != attempt => Verdict::Late,
            State::Waiting | State::Offered => {
                self.offered.remove(&piece);
                self.waiting.remove(&piece);
                if trust == Trust::Check {
                    share.state = State::Unchecked(found);
                    if !share.is_here {
                        self.unchecked.push_back(piece);
                    }
                } else {
                    share.state = State::Settled(found);
                    self.left -= 1;
                }
                Verdict::First
            }
        }
    }

    /// The piece was done here. The worker that found something else, if there is one.
    pub(super) fn done_here(
        &mut self,
        piece: usize,
        digest: u32,
        bytes: Vec<u8>,
    ) -> Option<String> {
        let share = &mut self.pieces[piece];
        share.is_here = false;
        self.offered.remove(&piece);
        self.waiting.remove(&piece);
        let ours = State::Settled(Found { by: None, digest, bytes });
        match std::mem::replace(&mut share.state, ours) {
            State::Waiting | State::Offered => {
                self.left -= 1;
                None
            }
            State::Unchecked(theirs) => {
                self.left -= 1;
                theirs.by.filter(|_| theirs.digest != digest)
            }
            State::Settled(theirs) => theirs.by.filter(|_| theirs.digest != digest),
        }
    }

    /// The answer to an attempt at a piece was checked by something less than doing it. The worker, if it is not
    /// true.
    pub(super) fn judged(&mut self, piece: usize, attempt: u32, is_true: bool) -> Option<String> {
        let share = &mut self.pieces[piece];
        match std::mem::replace(&mut share.state, State::Waiting) {
            State::Unchecked(found)
                if share.attempt == attempt && !share.is_doubtful && is_true =>
            {
                share.state = State::Settled(found);
                share.is_here = false;
                self.left -= 1;
                None
            }
            other => {
                let accused = match &other {
                    State::Unchecked(found) if share.attempt == attempt && !is_true => {
                        found.by.clone()
                    }
                    _ => None,
                };
                share.state = other;
                self.leave(piece);
                accused
            }
        }
    }

    /// Takes what a worker has found for good, once that is settled, and who has found it: it is not doubted later.
    pub(super) fn take(&mut self, piece: usize) -> Option<(Vec<u8>, String)> {
        match &mut self.pieces.get_mut(piece)?.state {
            State::Settled(found) => {
                let worker = found.by.take()?;
                Some((std::mem::take(&mut found.bytes), worker))
            }
            State::Waiting | State::Offered | State::Unchecked(_) => None,
        }
    }

    /// Nothing that a worker has found counts any more. How many pieces are to be done again.
    pub(super) fn distrust(&mut self, worker: &str) -> usize {
        let mut again = 0;
        for (piece, share) in self.pieces.iter_mut().enumerate() {
            let (found, was_settled) = match &share.state {
                State::Settled(found) => (found, true),
                State::Unchecked(found) => (found, false),
                State::Waiting | State::Offered => continue,
            };
            if found.by.as_deref() != Some(worker) {
                continue;
            }
            share.state = State::Waiting;
            share.attempt += 1;
            share.is_copied = false;
            share.is_doubtful = false;
            self.left += usize::from(was_settled);
            self.unchecked.retain(|it| *it != piece);
            if !share.is_here {
                self.waiting.insert(piece);
            }
            again += 1;
        }
        again
    }

    /// The answer to a piece is doubtful: it is done here too, unless that cannot change anything any more.
    pub(super) fn doubt(&mut self, piece: usize) {
        let share = &mut self.pieces[piece];
        share.is_doubtful = true;
        match std::mem::replace(&mut share.state, State::Waiting) {
            State::Settled(found) if found.by.is_some() => {
                share.state = State::Unchecked(found);
                self.left += 1;
                if !share.is_here {
                    self.unchecked.push_back(piece);
                }
            }
            other => share.state = other,
        }
    }

    /// The answer that lies in the server is not believed: the piece is asked for under another name.
    pub(super) fn reject(&mut self, piece: usize, attempt: u32) {
        let Some(share) = self.pieces.get_mut(piece) else { return };
        if share.attempt == attempt && matches!(share.state, State::Waiting | State::Offered) {
            share.attempt += 1;
            self.withdraw(piece);
        }
    }

    /// The answer to a piece, once that is settled.
    pub(super) fn answer(&self, piece: usize) -> Option<&[u8]> {
        match &self.pieces.get(piece)?.state {
            State::Settled(found) => Some(&found.bytes),
            State::Waiting | State::Offered | State::Unchecked(_) => None,
        }
    }

    /// The attempt at a piece that is wanted now.
    #[cfg(test)]
    pub(super) fn attempt(&self, piece: usize) -> Option<u32> {
        self.pieces.get(piece).map(|share| share.attempt)
    }

    /// What was found, piece by piece, once that [is over](Self::is_over).
    pub(super) fn found(self) -> Vec<Vec<u8>> {
        let bytes = |share: Share| match share.state {
            State::Settled(found) => found.bytes,
            State::Waiting | State::Offered | State::Unchecked(_) => Vec::new(),
        };
        self.pieces.into_iter().map(bytes).collect()
    }
}

#[cfg(test)]
mod tests;
