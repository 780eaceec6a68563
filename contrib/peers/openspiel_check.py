#!/usr/bin/env python3
"""Checks `ayo convert` against OpenSpiel's oware with random games (needs `pip install open-spiel`).

    contrib/peers/openspiel_check.py target/debug/ayo 200
"""

import random
import subprocess
import sys

import pyspiel


def convert(ayo, text, source, target):
    command = [ayo, "convert", "-", "--from", source, "--to", target]
    return subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout


def main():
    ayo, count = sys.argv[1], int(sys.argv[2])
    rng, oware = random.Random(1), pyspiel.load_game("oware")
    states, lines = [], []
    for _ in range(count):
        state = oware.new_initial_state()
        while not state.is_terminal():
            states.append(str(state))
            state.apply_action(rng.choice(state.legal_actions()))
        lines.append((state.history_str(), state.returns()[0]))

    games = "".join(history.strip("[]") + "\n" for history, _ in lines)
    played = convert(ayo, games, "openspiel", "games")
    assert convert(ayo, played, "games", "openspiel") == games
    pgn = convert(ayo, games, "openspiel", "pgn")
    results = [line.split('"')[1] for line in pgn.splitlines() if line.startswith("[Result")]
    assert results == [{1: "1-0", -1: "0-1", 0: "1/2-1/2"}[returns] for _, returns in lines]

    text = "\n".join(states) + "\n"
    for format in "ayo", "fen", "pgn":
        assert convert(ayo, convert(ayo, text, "openspiel", format), format, "openspiel") == text, format
    print(f"{count} games and {len(states)} states agree")


if __name__ == "__main__":
    main()
