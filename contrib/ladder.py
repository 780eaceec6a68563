#!/usr/bin/env python3
"""Plays the matches of a ladder of players and rates all of them together.

The schedule, contrib/ladder.toml, lists the players and the number of rounds of each match. Games are played one at a
time and saved in --out, so a stopped ladder resumes, and a longer schedule plays only the rounds that are missing. Each
round has its own random openings, played twice with colours swapped.

    contrib/ladder.py --out ladder              # plays what is missing, then prints the table
    contrib/ladder.py --out ladder --rate-only  # rates the pairs that have been played
    ayo plot ladder/ratings.json -o plots/ladder.png

Ratings are those of `ayo tournament` (crates/arena/src/rating.rs): a Bradley-Terry model fitted to pairs of games, with
half a pair of prior per player and intervals that allow for dependence within pairs. The anchor has rating 0.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path

ELO = 400 / math.log(10)
PAIR_SCORES = {"ll": 0.0, "ld": 0.25, "dd_wl": 0.5, "wd": 0.75, "ww": 1.0}


def play(schedule, pair, number, out, rate_only):
    """Returns the result of a round of a match, which it plays or resumes if needed. Otherwise returns None."""
    stem = f"{pair[0]}-{pair[1]}-{number}"
    specs = [schedule["players"][name] for name in pair]
    result = out / f"{stem}.json"
    if saved := read(result):
        if [saved["a"], saved["b"]] != specs:
            sys.exit(f"{result} is a match between {saved['a']} and {saved['b']}; choose another --out")
        return saved
    if rate_only:
        return None
    print(f"{pair[0]} against {pair[1]}, round {number}", file=sys.stderr)
    seed = zlib.crc32(stem.encode())
    openings = f"random:{schedule['round_games'] // 2},plies=6,seed={seed}"
    command = [os.environ.get("AYO", "ayo"), "match", *specs, "--openings", openings, "--threads", "1", "--quiet"]
    played = subprocess.run([*command, "--games-out", out / f"{stem}.games", "--json"], stdout=subprocess.PIPE)
    if played.returncode:
        sys.exit(played.returncode)
    write(result, played.stdout)
    return json.loads(played.stdout)


def read(path):
    """Returns the result in a file, or None if there is no complete one; the games are saved in another file."""
    try:
        saved = json.loads(path.read_bytes())
        saved["a"], saved["b"], saved["games"], saved["score"], [saved["pairs"][key] for key in PAIR_SCORES]
        return saved
    except FileNotFoundError:
        return None
    except (KeyError, TypeError, ValueError):
        print(f"{path} is damaged", file=sys.stderr)
        return None


def write(path, content):
    """Replaces a file, so that it is complete even if this program is killed."""
    new = path.with_suffix(".new")
    new.write_bytes(content)
    new.replace(path)


def connected(results, anchor):
    """Returns the players that are connected to the anchor by matches."""
    found = {anchor}
    while more := {name for pair, _ in results if not found.isdisjoint(pair) for name in pair} - found:
        found |= more
    return found


def weighted_pairs(results, players):
    """Returns the number of pairs with each score, including the prior, for each match of two players."""
    matches = {pair for pair, _ in results}
    opponents = [sum(name in pair for pair in matches) for name in players]
    for match in sorted(matches):
        a, b = map(players.index, match)
        prior = (0.5 / opponents[a] + 0.5 / opponents[b]) / len(PAIR_SCORES)
        counts = {key: sum(result["pairs"][key] for pair, result in results if pair == match) for key in PAIR_SCORES}
        yield a, b, [(score, counts[key] + prior) for key, score in PAIR_SCORES.items()]


def fit(results, players, anchor):
    """Returns the Elo of each player and its standard deviation, relative to the anchor."""
    size, free = len(players), [i for i, name in enumerate(players) if name != anchor]
    pairs = list(weighted_pairs(results, players))
    strength = [0.0] * size
    for _ in range(100):
        gradient, information, squares = [0.0] * size, matrix(size), matrix(size)
        for a, b, counts in pairs:
            mean = 1 / (1 + math.exp(strength[b] - strength[a]))
            number = sum(count for _, count in counts)
            error = sum(count * (score - mean) for score, count in counts)
            gradient[a] += error
            gradient[b] -= error
            add(information, a, b, number * mean * (1 - mean))
            add(squares, a, b, sum(count * (score - mean) ** 2 for score, count in counts))
        inverse = inverted([[information[i][j] for j in free] for i in free])
        steps = [sum(x * gradient[j] for x, j in zip(row, free)) for row in inverse]
        largest = max(map(abs, steps))
        for i, step in zip(free, steps):
            strength[i] += step / max(1, largest)
        if largest < 1e-9:
            break
    total = sum(count for _, _, counts in pairs for _, count in counts)
    scale = total / (total - size + 1)
    deviations = [0.0] * size
    for i, row in zip(free, inverse):
        products = [sum(x * squares[j][k] for x, j in zip(row, free)) for k in free]
        deviations[i] = math.sqrt(scale * sum(map(math.prod, zip(products, row))))
    return [(ELO * s, ELO * d) for s, d in zip(strength, deviations)]


def matrix(size):
    return [[0.0] * size for _ in range(size)]


def add(into, a, b, value):
    for i, j, sign in (a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1):
        into[i][j] += sign * value


def inverted(rows):
    """Inverts a symmetric positive definite matrix by Gauss-Jordan elimination."""
    size = len(rows)
    rows = [row + [float(i == j) for j in range(size)] for i, row in enumerate(rows)]
    for i in range(size):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i])]
    return [row[size:] for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--schedule", type=Path, default=Path(__file__).with_suffix(".toml"))
    parser.add_argument("--out", type=Path, required=True, help="folder for games and results")
    parser.add_argument("--rate-only", action="store_true")
    arguments = parser.parse_args()
    schedule = tomllib.loads(arguments.schedule.read_text())
    arguments.out.mkdir(parents=True, exist_ok=True)
    rounds = [((a, b), number) for a, b, rounds in schedule["matches"] for number in range(rounds)]
    played = [(pair, play(schedule, pair, number, arguments.out, arguments.rate_only)) for pair, number in rounds]
    results = [(pair, result) for pair, result in played if result]
    rated = connected(results, schedule["anchor"])
    for name in sorted({name for pair, _ in results for name in pair} - rated):
        print(f"{name} is not rated: no matches connect it to {schedule['anchor']}", file=sys.stderr)
    results = [(pair, result) for pair, result in results if rated.issuperset(pair)]
    players = [name for name in schedule["players"] if name in rated]
    if not results:
        sys.exit(f"no games of {schedule['anchor']} have been played")
    table = []
    for name, (elo, deviation) in zip(players, fit(results, players, schedule["anchor"])):
        own = [(pair[0] == name, result) for pair, result in results if name in pair]
        games = sum(result["games"] for _, result in own)
        points = sum(result["games"] * (result["score"] if first else 1 - result["score"]) for first, result in own)
        interval = [elo - 1.96 * deviation, elo + 1.96 * deviation]
        table.append({"player": name, "elo": elo, "elo_ci95": interval, "score": points / games, "games": games})
    table.sort(key=lambda row: -row["elo"])
    print("| player | Elo | 95 % | games |", "|---|---:|---:|---:|", sep="\n")
    for row in table:
        low, high = row["elo_ci95"]
        print(f"| `{row['player']}` | {row['elo']:+.0f} | {low:+.0f} to {high:+.0f} | {row['games']} |")
    ratings = {"kind": "tournament", "rules": "ayo", "openings": "random, 6 plies", "interrupted": False,
               "reference": f"{schedule['anchor']} is 0", "players": table,
               "games": sum(result["games"] for _, result in results)}
    write(arguments.out / "ratings.json", json.dumps(ratings, indent=1).encode())


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"ladder.py: {error}")
