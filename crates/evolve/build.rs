//! Hashes the sources on which the results of games and training depend, to identify a build.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by Cargo"));
    let mut hash = 0xcbf2_9ce4_8422_2325;
    // A package from a registry does not contain the other two. Their versions are then fixed by its own.
    for sources in ["../mancala/src", "../arena/src", "src"] {
        let folder = package.join(sources);
        if folder.is_dir() {
            println!("cargo::rerun-if-changed={}", folder.display());
            add_folder(&mut hash, &folder)?;
        }
    }
    println!("cargo::rustc-env=AYO_SOURCES={hash:016x}");
    Ok(())
}

fn add_folder(hash: &mut u64, folder: &Path) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|it| it.path()));
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            add_folder(hash, &entry)?;
            continue;
        }
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Line endings may differ between copies of the same sources.
        let content = fs::read(&entry)?.into_iter().filter(|&byte| byte != b'\r');
        // FNV-1a.
        for byte in name.bytes().chain(content) {
            *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    Ok(())
}
