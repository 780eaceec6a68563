#!/usr/bin/env python3
"""Compares values of Kalah positions in ayo with those of the solver CMancala (https://github.com/LifesLight/CMancala).

CMANCALA names the program, built as its README says. For each number of seeds per pit, both programs solve the initial
board with six pits and positions that random moves lead to, without empty capture.

    export CMANCALA=CMancala/build/Mancala
    contrib/peers/cmancala.py --seeds 1 2 3 --positions 100
"""

import argparse
import json
import os
import random
import subprocess
import sys


class Cmancala:
    def __init__(self):
        command = [os.environ["CMANCALA"], "--api"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question):
        print(question, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().split()
        if answer[:1] != ["OK"]:
            sys.exit(f"CMancala answers {question} with {' '.join(answer) or 'nothing'}")
        return answer[1:]

    def start(self, seeds):
        return self.ask(f"ROOT {seeds}")[1]

    def successors(self, code):
        return [next_code for word, next_code in pairs(self.ask(f"MOVES {code}")) if word == "NEXT_CODE"]

    def value(self, code, seeds):
        """Returns the first player's final margin. CMancala's is for the side to move and lacks the lost seeds."""
        value = int(dict(pairs(self.ask(f"SOLVE {code}")))["EVAL"])
        return (value if is_first(code) else -value) - lost(code, seeds)


def pairs(words):
    return list(zip(words[::2], words[1::2]))


def is_first(code):
    return int(code, 16) & 1 == 1


def holes(code):
    """Returns the pits and stores. Each takes eight bits of the code, after the bit of the side."""
    return [int(code, 16) >> 1 + 8 * hole & 0xFF for hole in range(14)]


def lost(code, seeds):
    """Returns the seeds of the second player's store that the code omits: it has only three bits for them."""
    return 12 * seeds - sum(holes(code))


def position(code, seeds):
    *others, store = holes(code)
    return "-".join(map(str, [*others, store + lost(code, seeds), 1 if is_first(code) else 2]))


def is_over(code):
    return not any(holes(code)[:6]) or not any(holes(code)[7:13])


def ayo(*arguments):
    return json.loads(subprocess.check_output([os.environ.get("AYO", "ayo"), *arguments, "--json"]))


def searched(seeds, code):
    """Returns the first player's margin, by a search to the end of the game that counts the seeds in the stores."""
    player = ["--player", "kansas:heuristics=h1,depth=100"]
    score = ayo("bestmove", "--game", f"kalah:seeds={seeds}", "--position", position(code, seeds), *player)["score"]
    return score if is_first(code) else -score


def random_position(cmancala, seeds, rng, most):
    """Plays random moves, at least one, until at most that many seeds are left in the pits."""
    while True:
        code = rng.choice(cmancala.successors(cmancala.start(seeds)))
        while not is_over(code) and in_pits(code) > most:
            code = rng.choice(cmancala.successors(code))
        if not is_over(code):
            return code


def in_pits(code):
    return sum(holes(code)[:6] + holes(code)[7:13])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="seeds per pit [default: 1 2 3]")
    parser.add_argument("--positions", type=int, default=100, help="random positions for each [default: 100]")
    parser.add_argument("--most", type=int, default=14, help="seeds in the pits of a random position [default: 14]")
    arguments = parser.parse_args()
    if "CMANCALA" not in os.environ:
        parser.error("set CMANCALA to the program")
    rng, cmancala, different = random.Random(1), Cmancala(), 0
    for seeds in arguments.seeds:
        start = cmancala.start(seeds)
        cases = [(start, ayo("kalah", "solve", "6", str(seeds), "--quiet")["value"])]
        for _ in range(arguments.positions):
            code = random_position(cmancala, seeds, rng, arguments.most)
            cases.append((code, searched(seeds, code)))
        for code, value in cases:
            other = cmancala.value(code, seeds)
            if code == start or value != other:
                print(f"{position(code, seeds)}: {value} in ayo, {other} in CMancala")
            different += value != other
    print(f"{len(arguments.seeds) * (1 + arguments.positions)} positions, {different} of them differ")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
