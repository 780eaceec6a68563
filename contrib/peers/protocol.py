"""The side of ayo's engine protocol (docs/players.md) that an adapter needs."""

import sys

START = ((4,) * 12, (0, 0), 0)
LETTERS = "ABCDEFabcdef"


def serve(name, choose, new_game=lambda: None):
    """Answers commands until `quit`. `choose(line, limits)` returns the letter of a pit, given the moves since the
    start of the game and the limits after `go`, such as `{"movetime": 50}`. It returns None if there is no move."""
    line = ""
    for command in sys.stdin:
        word, *words = command.split() or [""]
        if word == "uci":
            answer(f"id name {name}", "uciok")
        elif word == "isready":
            answer("readyok")
        elif word == "ucinewgame":
            new_game()
        elif word == "position":
            moves = "".join(words[words.index("moves") + 1 :]) if "moves" in words else ""
            line = (opening_line(words[1]) if words[0] == "fen" else "") + moves
        elif word == "go":
            answer("bestmove " + (choose(line, limits(words)) or "0000"))
        elif word == "quit":
            return


def answer(*lines):
    print(*lines, sep="\n", flush=True)


def limits(words):
    pairs = zip(words, words[1:])
    return {name: int(value) for name, value in pairs if name in ("depth", "nodes", "movetime")}


def opening_line(text, plies=6):
    """Returns moves from the start to a position. The programs behind the adapters cannot set up a position."""
    fields = text.split("-")
    pits = tuple(map(int, fields[:12]))
    target = (pits, (int(fields[12]), int(fields[13])), "SN".index(fields[14]))
    lines = {START: ""}
    frontier = [START]
    for _ in range(plies + 1):
        if target in lines:
            return lines[target]
        reached = {}
        for position in frontier:
            first = 6 * position[2]
            for pit in range(first, first + 6):
                if position[0][pit]:
                    reached.setdefault(sow(position, pit), lines[position] + LETTERS[pit])
        frontier = [position for position in reached if position not in lines]
        lines.update((position, reached[position]) for position in frontier)
    sys.exit(f"{text} is not reached within {plies} plies; use openings such as random:100,plies={plies}")


def sow(position, pit):
    """Plays a move. So early in a game, no pit holds enough seeds for a lap and no move captures a whole row."""
    pits, stores, side = list(position[0]), list(position[1]), position[2]
    seeds, pits[pit] = pits[pit], 0
    for _ in range(seeds):
        pit = (pit + 1) % 12
        pits[pit] += 1
    while pit // 6 != side and pits[pit] in (2, 3):
        stores[side] += pits[pit]
        pits[pit] = 0
        pit -= 1
    return tuple(pits), tuple(stores), 1 - side
