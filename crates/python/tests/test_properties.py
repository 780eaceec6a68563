"""No input panics or ends the interpreter: it is used, or refused by an exception of Python."""

import os

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ayo

CASES = settings(
    max_examples=int(os.environ.get("AYO_CASES", "200")),
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

PARTS = ["4", "0", "48", "255", "256", "-", "S", "N", "1", "2", "a", "F", ":", "=", ",", "kalah", "seeds", "pits", "ayo"]
WORDS = ["engine", "minimax", "depth", "nodes", "random", "plies", "weights", "learned", "é", '"', "a9", "+", ".", " ", "e9"]
texts = st.text(max_size=30) | st.lists(st.sampled_from(PARTS + WORDS), max_size=16).map("".join)
numbers = st.integers(-(2**70), 2**70) | st.floats() | st.integers(-2, 300)
values = texts | numbers | st.none() | st.booleans()
seeds = st.lists(st.integers(0, 12), min_size=14, max_size=14).flatmap(
    lambda pits: st.integers(0, 2).map(lambda side: [*pits[:12], max(0, 48 - sum(pits[:12])), 0, side])
)
SETTINGS = sorted(ayo.settings("quick").keys() | ayo.settings("overnight").keys())
ACTS = [
    lambda text, value: ayo.Position(text),
    lambda text, value: ayo.Position(value),
    lambda text, value: ayo.Position([value] * 15),
    lambda text, value: ayo.Position(game=text),
    lambda text, value: ayo.Position(moves=text, rules=value),
    lambda text, value: ayo.Position("-".join(["4"] * 12) + f"-{value}-{text}-S"),
    lambda text, value: ayo.Position().play(value),
    lambda text, value: ayo.Position(game="kalah").play(text).perft(value if value in range(3) else 101),
    lambda text, value: ayo.Position().perft(value) if value not in range(7, 101) else None,
    lambda text, value: ayo.Move(text),
    lambda text, value: ayo.load(text),
    lambda text, value: ayo.Evaluator({text: value}),
    lambda text, value: ayo.Evaluator({"a9": value}, signs=text),
    lambda text, value: ayo.Evaluator.from_text(text),
    lambda text, value: ayo.load("seeds").evaluate(ayo.Position(), text),
    lambda text, value: ayo.load("seeds").evaluate_batch(value),
    lambda text, value: ayo.load("seeds").evaluate_batch([ayo.Position()], game=text),
    lambda text, value: ayo.load("seeds").evaluate_batch([[value] * 15]),
    lambda text, value: ayo.load("seeds").evaluate_batch([ayo.Position()], threads=value if value not in range(99) else 1),
    lambda text, value: ayo.Tables(text),
    lambda text, value: ayo.Book(text),
    lambda text, value: ayo.Engine(text, depth=value, nodes=value, movetime=value),
    lambda text, value: ayo.Engine("seeds", tables=text, book=value),
    lambda text, value: ayo.match(text, value, games=2),
    lambda text, value: ayo.match("greedy", "greedy", games=value if value in (None, 2) else 3, openings=text),
    lambda text, value: ayo.match("greedy", "greedy", games=2, sprt=text),
    lambda text, value: ayo.match("greedy", "greedy", games=2, seed=value),
    lambda text, value: ayo.resume(text),
    lambda text, value: ayo.settings(text),
    lambda text, value: ayo.settings("quick", **{text: value}),
    lambda text, value: ayo.Problem("quick", opponents=[text]),
    lambda text, value: ayo.Problem("quick", opponents=["seeds"]).evaluate([[value] * 12], openings=1),
    lambda text, value: ayo.Problem("quick", opponents=["seeds"]).evaluate([[1] * 12], openings=1, step=value),
]


def is_refused(act):
    """Acts; errors about arguments are refusals, anything else fails the test."""
    try:
        act()
    except (ValueError, TypeError, OSError) as error:
        assert "internal error" not in str(error)


@CASES
@given(st.sampled_from(ACTS), texts, values)
def test_arguments(act, text, value):
    # Engines of other programs and large tables are not for a test.
    if not any(part in f"{text}{value}" for part in ("cmd", "hash", "threads", "random:", "plies")):
        is_refused(lambda: act(text, value))


@CASES
@given(st.sampled_from(SETTINGS), values, st.sampled_from(["quick", "standard", "overnight", "cma-es"]))
def test_settings(name, value, preset):
    is_refused(lambda: ayo.settings(preset, **{name: value}))


@CASES
@given(st.lists(seeds, max_size=4), st.sampled_from([np.int8, np.uint8, np.uint16, np.int64, np.uint64]))
def test_arrays(rows, kind):
    array = np.array(rows, dtype=kind).reshape(len(rows), 15)
    is_refused(lambda: ayo.load("reference").features_batch(array))
    for row in rows:
        text = "-".join(map(str, row[:14])) + "-" + "SN?"[row[14]]
        is_refused(lambda: ayo.Position(text).legal_moves())
