//! Memory for a table.
//!
//! A table is read at places all over it. With pages of the usual size the processor takes as long to find out
//! where a page lies as to read it, so large ones are asked for.

// One view of mapped memory as what is kept in it.
#![allow(unsafe_code)]

use std::ops::Deref;

use memmap2::MmapMut;

use super::Bucket;
use crate::memory::{MemoryError, Reservation};

/// The smallest page of any system.
const PAGE: usize = 4096;
/// So much memory is had before the first search. More would take long, and perhaps is never used.
const AT_ONCE: usize = 256 << 20;

/// Buckets, empty at first.
pub(super) struct Memory {
    mapped: MmapMut,
    buckets: usize,
    _reserved: Reservation,
}

impl Memory {
    /// Some buckets, all of them empty.
    pub(super) fn of(buckets: usize) -> Result<Memory, MemoryError> {
        let bytes = buckets * size_of::<Bucket>();
        let reserved = Reservation::of(bytes as u64)?;
        let mapped = MmapMut::map_anon(bytes);
        let mut mapped = mapped.map_err(|_| MemoryError::System(bytes as u64))?;
        // It is as well without.
        #[cfg(target_os = "linux")]
        let _ = mapped.advise(memmap2::Advice::HugePage);
        // The system gives memory when it is written to, which would make the first searches late.
        mapped.chunks_mut(PAGE).take(AT_ONCE / PAGE).for_each(|page| page[0] = 0);
        Ok(Memory { mapped, buckets, _reserved: reserved })
    }
}

impl Deref for Memory {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: The mapping is as long as so many buckets, private to this value and begins a page, so it is
        // aligned for them. A bucket is made of atomic numbers: any bytes are one, the zeros of a new mapping
        // too, and shared references may write to it.
        unsafe { std::slice::from_raw_parts(self.mapped.as_ptr().cast(), self.buckets) }
    }
}

/// Has the processor fetch a place of memory, where that can be asked for.
#[inline(always)]
pub(super) fn fetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: Fetching changes nothing that a program could see, and any address may be named.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
