#!/usr/bin/env python3
"""Compares the time of a training run with that of an older build.

    python3 benches/compare_builds.py [REVISION] [--seeds 1 2 3 4 5] [--threads 1 2] [--rounds 3] [--max-ratio 1.05]

Builds this checkout and REVISION (in target/builds) with the release profile and runs both in turns. The two builds have to
write the same history.csv and champion.json. Prints the median wall and processor time for each number of threads, and
the median of the ratios new/old of the pairs. Exits with 1 if the builds disagree or a ratio of wall times exceeds the
maximum. Wall times on more than one thread count only on an idle machine.
"""

import argparse
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from statistics import median

# The fastest build so far, of version 0.1.
BASELINE = "529721182f66"
RUN = ["train", "--preset", "daoud2004", "--rules", "ayo", "--quiet"]
SAME = ["history.csv", "champion.json"]
ROOT = Path(__file__).resolve().parent.parent


def build(folder):
    subprocess.run(["cargo", "build", "--release", "--quiet", "--bin", "ayo", "--target-dir", "target"], cwd=folder, check=True)
    return folder / "target/release/ayo"


def build_revision(revision):
    revision = subprocess.run(
        ["git", "rev-parse", "--verify", revision + "^{commit}"],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
    ).stdout.strip()
    folder = ROOT / "target/builds" / revision
    manifest = folder / "Cargo.toml"
    if not manifest.exists():
        archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        tarfile.open(fileobj=io.BytesIO(archive)).extractall(folder)
        # Without it Cargo treats the folder as part of the surrounding workspace.
        if "[workspace]" not in manifest.read_text():
            manifest.write_text(manifest.read_text() + "\n[workspace]\n")
    return build(folder)


def run(binary, seed, threads, out):
    """Returns the wall and processor time of a run in seconds, and the files that it wrote."""
    shutil.rmtree(out, ignore_errors=True)
    command = [binary, *RUN, "--seed", str(seed), "--threads", str(threads), "--out", out]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{binary} ended with status {process.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, [(Path(out) / name).read_bytes() for name in SAME]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision", nargs="?", default=BASELINE)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3, choices=range(1, 11))
    parser.add_argument("--max-ratio", type=float, default=1.05)
    options = parser.parse_args()
    old, new = build_revision(options.revision), build(ROOT)
    is_slower = False
    print("threads          old s   new s   new/old")
    with tempfile.TemporaryDirectory() as out:
        for threads in options.threads:
            pairs = []
            for _ in range(options.rounds):
                for seed in options.seeds:
                    pair = [run(binary, seed, threads, out) for binary in (old, new)]
                    if pair[0][2] != pair[1][2]:
                        sys.exit(f"seed {seed}: the builds write different files")
                    pairs.append(pair)
            for which, name in enumerate(["wall", "cpu"]):
                times = [[timed[which] for timed in pair] for pair in pairs]
                ratio = median(b / a for a, b in times)
                medians = [median(column) for column in zip(*times)]
                print(f"{threads:7} {name:5} {medians[0]:8.2f} {medians[1]:7.2f} {ratio:9.3f}", flush=True)
                is_slower |= name == "wall" and ratio > options.max_ratio
    if is_slower:
        sys.exit(f"takes more than {options.max_ratio} times as long as {options.revision}")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(error.cmd)} ended with status {error.returncode}")
