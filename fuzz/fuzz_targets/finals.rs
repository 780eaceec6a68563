#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (ayo_fuzz::target("finals").read)(bytes));
