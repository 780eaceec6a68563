//! Memory for a table.
//!
//! A table is read at places all over it. With pages of the usual size the processor takes as long to find out
//! where a page lies as to read it, so large ones are asked for.

// One view of mapped memory as what is kept in it.
#![allow(unsafe_code)]

use std::alloc::{Layout, handle_alloc_error};
use std::ops::Deref;

use memmap2::MmapMut;

use super::Bucket;

/// Buckets, empty at first. The system gives the memory when it is written to.
pub(super) struct Memory {
    mapped: MmapMut,
    buckets: usize,
}

impl Memory {
    /// So many buckets. A smaller table would play other moves, so the program ends as for any memory that cannot
    /// be had.
    pub(super) fn of(buckets: usize) -> Memory {
        let Ok(mapped) = MmapMut::map_anon(buckets * size_of::<Bucket>()) else {
            handle_alloc_error(Layout::array::<Bucket>(buckets).unwrap_or(Layout::new::<Bucket>()))
        };
        // It is as well without.
        #[cfg(target_os = "linux")]
        let _ = mapped.advise(memmap2::Advice::HugePage);
        Memory { mapped, buckets }
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
