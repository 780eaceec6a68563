//! Compiles loops for the processor's widest vector instructions.

// It's unsafe to call a function that is compiled for instructions that the processor may not have.
#![allow(unsafe_code)]

/// Calls `f` in a function compiled for the processor's widest vector instructions. `f` must be inlined. The result is
/// the same on every processor, because the compiler neither reorders sums nor fuses multiplications and additions.
#[inline]
pub(super) fn with_vectors<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor has these instructions.
            return unsafe { with_avx512(f) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            return unsafe { with_avx2(f) };
        }
    }
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn with_avx512<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<R>(f: impl FnOnce() -> R) -> R {
    f()
}
