//! Memory for the transposition table.
//!
//! We access the table at random. With small pages, translating an address would take as long as the memory access
//! itself, so we ask for huge pages.

// Unsafe code is needed to treat mapped memory as a slice of buckets, and to prefetch memory.
#![allow(unsafe_code)]

use std::ops::Deref;

use memmap2::MmapMut;

use super::Bucket;
use crate::memory::{Reservation, cannot_allocate};
use crate::text::Result;

/// The smallest page size of any supported system.
const PAGE: usize = 4096;
/// The number of bytes to commit before the first search. Committing more takes too long, and we may never need it.
const COMMITTED: usize = 256 << 20;

pub(super) struct Memory {
    mapped: MmapMut,
    buckets: usize,
    _reserved: Reservation,
}

impl Memory {
    pub(super) fn of(buckets: usize) -> Result<Memory> {
        let bytes = buckets * size_of::<Bucket>();
        let reserved = Reservation::of(bytes as u64)?;
        let mapped = MmapMut::map_anon(bytes);
        let mut mapped = mapped.map_err(|_| cannot_allocate(bytes as u64))?;
        // This is only an optimisation, so ignore failures.
        #[cfg(target_os = "linux")]
        let _ = mapped.advise(memmap2::Advice::HugePage);
        // The system commits pages when we first write to them. Do that now so that it doesn't slow down searches.
        mapped.chunks_mut(PAGE).take(COMMITTED / PAGE).for_each(|page| page[0] = 0);
        Ok(Memory { mapped, buckets, _reserved: reserved })
    }
}

impl Deref for Memory {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: the private, page-aligned mapping has room for the buckets. Their atomic integers allow any bytes,
        // including zeros, and may be written through shared references.
        unsafe { std::slice::from_raw_parts(self.mapped.as_ptr().cast(), self.buckets) }
    }
}

/// Prefetches memory into the cache if the processor supports it.
#[inline(always)]
pub(super) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: Prefetching has no visible effect and accepts any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
