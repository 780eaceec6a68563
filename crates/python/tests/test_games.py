"""Positions, evaluators, searches and endgame tables."""

import importlib.metadata
import json
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import ayo

RULES = ["ayo", "awari", "wipe-out", "no-slam", "ayo:stalemate=void"]


def random_positions(game="ayo", games=20, seed=0):
    """Positions of random games."""
    rng = np.random.default_rng(seed)
    for _ in range(games):
        position = ayo.Position(game=game)
        while not position.is_over:
            yield position
            position = position.play(rng.choice(position.legal_moves()))


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        (ayo.Position(), [6, 36, 190, 1014, 5219, 27332]),
        (ayo.Position(game="kalah"), [6, 35, 185, 942, 4690]),
    ],
)
def test_perft(position, counts):
    assert [position.perft(depth) for depth in range(1, len(counts) + 1)] == counts


def test_moves_are_equal_to_their_letters():
    position = ayo.Position(moves="FfE")
    assert ayo.Position(moves=position.moves) == ayo.Position(moves=["F", "f", "E"]) == position
    assert position.moves == ["F", "f", "E"] and "a" in position.legal_moves() and "A" not in position.legal_moves()
    assert {"F": 1}[position.moves[0]] == 1 and ayo.Move("F") != ayo.Move("f")
    for wrong in (5, [["F"]], ["f"]):
        with pytest.raises((TypeError, ValueError)):
            ayo.Position(moves=wrong)


def test_a_position_is_an_immutable_value():
    start = ayo.Position()
    after = start.play("F")
    assert str(start) == "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S" != str(after)
    assert after == start.play(5) == start.play(ayo.Move("F")) == ayo.Position(str(after)) == ayo.Position(moves="F")
    assert len({start, after, ayo.Position(str(after))}) == 2
    assert start != ayo.Position(rules="awari")
    assert (after.line, after.thesis_line, after.opening) == ("F", "4S6", start)
    assert "| 4 | 4 | 4 | 4 | 4 | 0 |" in after.board() and "<pre>" in start._repr_html_()
    with pytest.raises(AttributeError):
        start.line = "F"


@pytest.mark.parametrize("position", [ayo.Position(moves="FfE"), ayo.Position(moves="A", game="kalah:seeds=3")])
def test_a_position_is_read_from_its_numbers(position):
    for row in (position.seeds, tuple(position.seeds), np.array(position.seeds, np.uint8)):
        assert ayo.Position(row, game=position.game) == position
    with pytest.raises(TypeError):
        ayo.Position(5)


@pytest.mark.parametrize("arguments", [dict(), dict(rules="awari"), dict(rules="no-slam:stalemate=causer-loses"), dict(game="kalah"), dict(game="kalah:seeds=3")])
def test_the_representation_of_a_position_is_an_expression(arguments):
    for position in (start := ayo.Position(**arguments), start.play("C")):
        assert eval(repr(position), {"Position": ayo.Position}) == position and "\n" not in repr(position)
        assert repr(position).startswith(f"Position('{position}'")


@pytest.mark.parametrize("value", [ayo.Move("a"), ayo.Position(moves="FfE"), ayo.Position(game="kalah:seeds=3")])
def test_values_are_pickled(value):
    copy = pickle.loads(pickle.dumps(value))
    assert copy == value and hash(copy) == hash(value) and repr(copy) == repr(value)


@pytest.mark.parametrize("rules", RULES)
def test_notation_reads_back_under_all_rules(rules):
    position = ayo.Position(rules=rules)
    for letter in "FfEeDd":
        position = position.play(letter)
    assert ayo.Position(moves=position.line, rules=rules) == position
    assert ayo.Position(moves=position.thesis_line, rules=rules) == position
    assert position.rules == rules


def test_a_repetition_ends_the_game():
    lap = ayo.Position("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", moves="AaBbCcDdEeFf")
    assert lap.is_over and lap.legal_moves() == []
    assert (lap.result.winner, lap.result.reason) == (None, "repetition")
    assert not ayo.Position(str(lap)).is_over
    assert pickle.loads(pickle.dumps(lap.result)) == lap.result


def test_errors_are_sentences():
    for act, sentence in [
        (lambda: ayo.Position("4-4-4-4-4-4-4-4-4-4-4-4-0-1-S"), "the seeds total 49, not 48"),
        (lambda: ayo.Position([]), "there are no numbers"),
        (lambda: ayo.Position([4] * 12), "15 numbers (12 pits, 2 stores, the side to move), not 12"),
        (lambda: ayo.Position([-4] * 15), "a number of seeds is -4: give a whole number from 0 to 65535"),
        (lambda: ayo.Position().play("a"), "South cannot play a: the pit is North's"),
        (lambda: ayo.Position("0-4-4-4-4-4-4-4-4-4-4-4-4-0-S").play("A"), "South cannot play A: the pit is empty"),
        (lambda: ayo.Position().play(300), "the pit is 300: give a whole number from 0 to 5"),
        (lambda: ayo.Position().perft(-1), "depth is -1: give a whole number from 0 to 100"),
        (lambda: ayo.build_tables("tables", 49), "seeds is 49: give a whole number from 0 to 48"),
        (lambda: ayo.build_tables("tables", 40), "40 seeds need 236.62 GiB of memory, but memory allows 8.00 GiB"),
        (lambda: ayo.build_tables("tables", 5, memory=2**20), "memory allows 0.00 GiB"),
        (lambda: ayo.Evaluator({"a9": 2**70}), "1180591620717411303424"),
        (lambda: ayo.Result(None, (1, 2**16), ""), "stores is 65536: give a whole number from 0 to 65535"),
        (lambda: ayo.Analysis(ayo.Move("A"), -(2**99), 0, 0, 0, []), "score is -633825300114114700748351602688"),
        (lambda: ayo.Analysis(ayo.Move("A"), 0, 0, 10**30, 0, []), "depth is 1000000000000000000000000000000"),
        (lambda: ayo.Analysis(ayo.Move("A"), 0, 0, 0, -1, []), "nodes is -1"),
        (lambda: ayo.load("seds"), 'unknown weights "seds": did you mean "seeds"?'),
        *[((lambda it=it: ayo.Engine(movetime=it)), f"movetime is {it!r}: give seconds")
          for it in (1e303, 10**400, 0, -1, float("nan"), "5ms")],
        (lambda: ayo.Engine(nodes=10**30), "18446744073709551615"),
        (lambda: ayo.Engine(depth=0), 'player engine: depth is "0", not a whole number from 1 to 100'),
        (lambda: ayo.Evaluator({"a99": 1}), '"a99" is neither a feature nor a set'),
        (lambda: ayo.load("seeds").evaluate(ayo.Position(game="kalah")), "the weights are for ayo"),
        (lambda: ayo.match("stores", "seeds", games=2), 'game="kalah"'),
        (lambda: ayo.Player("seeds", game="kalah"), 'game="ayo"'),
    ]:
        with pytest.raises(ValueError) as error:
            act()
        assert sentence in str(error.value)


def test_errors_about_types_have_the_value():
    with pytest.raises(TypeError, match="a10 is 2.5"):
        ayo.Evaluator({"a9": 1, "a10": 2.5})
    for weights in (len, 5, ayo.Player("greedy")):
        with pytest.raises(TypeError, match=f"Evaluator.* {re.escape(repr(weights))}: .*choose"):
            ayo.Engine(weights, depth=2)


@pytest.mark.parametrize(("name", "game"), [("learned", "ayo"), ("reference", "ayo"), ("aalina4", "ayo"), ("stores", "kalah")])
def test_a_batch_has_the_values_of_its_positions(name, game):
    pd = pytest.importorskip("pandas")
    evaluator, positions = ayo.load(name), list(random_positions(game))
    array = np.array([it.seeds for it in positions])
    values = [evaluator.evaluate(it) for it in positions]
    for form in (array, array.astype(object), array.astype(float), array.astype(np.float16), array.astype(np.uint16), array.astype(np.uint8), array[:, ::-1][:, ::-1], positions, np.array(positions), pd.Series(positions)):
        assert evaluator.evaluate_batch(form).tolist() == values
    assert evaluator.evaluate_batch(array, threads=1).tolist() == values
    features = evaluator.features_batch(array)
    assert features.tolist() == [list(evaluator.features(it).values()) for it in positions]
    if name != "learned":
        assert (features @ list(evaluator.effective_weights.values())).tolist() == values
    for wrong in (positions[0], pd.Series([positions[0], None])):
        with pytest.raises(ValueError, match="position"):
            evaluator.evaluate_batch(wrong)
    for empty in (array[:0], [], np.zeros((0, 15))):
        assert evaluator.evaluate_batch(empty).shape == (0,) and evaluator.evaluate_batch(empty).dtype == np.int32
        assert evaluator.features_batch(empty).shape == (0, len(evaluator.feature_names))
    assert evaluator.evaluate_batch(array.astype(">i8")).tolist() == values


def test_a_bad_row_is_named():
    rows = np.array([ayo.Position().seeds] * 5000)
    rows[4321, 0] = 9
    with pytest.raises(ValueError, match="row 4321: the seeds total 53, not 48"):
        ayo.load("seeds").evaluate_batch(rows)
    with pytest.raises(ValueError, match="row 0: column 2 is 300, more than 48 seeds"):
        ayo.load("seeds").evaluate_batch(np.array([[0, 0, 300] + [0] * 12]))
    with pytest.raises(ValueError, match="row 1: the side to move is not 0 or 1"):
        ayo.load("seeds").evaluate_batch([ayo.Position().seeds, [*ayo.Position().seeds[:-1], 2]])
    for bad in (-rows.astype(np.int8), -rows, rows + 65536):
        with pytest.raises(ValueError, match="row 0: a number is outside 0 to 65535"):
            ayo.load("seeds").evaluate_batch(bad)
    with pytest.raises(ValueError, match="row 0: a position has 15 numbers .*, the side to move.*, not 14"):
        ayo.load("seeds").evaluate_batch(rows[:, :14])
    floats = [np.where(np.eye(*rows.shape), it, ayo.Position().seeds) for it in (0.5, np.nan, np.inf, -1.0, 1e300, 2.0**63)]
    with pytest.raises(ValueError, match="row 1: a number is missing or not whole"):
        ayo.load("seeds").evaluate_batch([ayo.Position().seeds, [None, *ayo.Position().seeds[1:]]])
    with pytest.raises(ValueError, match="text"):
        ayo.load("seeds").evaluate_batch([[str(it) for it in ayo.Position().seeds], list(ayo.Position().seeds)] + [[object()] * 15])
    for bad in (*floats, [ayo.Position(), "x"], np.float64(1), rows[0], rows.astype(float), [[0]], [["x"]], rows[:, :14], np.zeros((2, 99), int)):
        with pytest.raises(ValueError):
            ayo.load("seeds").evaluate_batch(bad)


def test_a_batch_has_positions_of_one_game():
    """The board of kalah has as many pits and seeds as that of ayo."""
    ayo_position, kalah, small = ayo.Position(), ayo.Position(game="kalah"), ayo.Position(game="kalah:seeds=3")
    for evaluator, positions in [("learned", [kalah]), ("learned", [ayo_position, kalah]), ("stores", [kalah, small])]:
        with pytest.raises(ValueError, match="game"):
            ayo.load(evaluator).evaluate_batch(positions)
    assert ayo.load("stores").evaluate_batch([small, small]).tolist() == [0, 0]


def test_the_rows_of_a_large_board_have_two_bytes():
    game, stores = "kalah:pits=8,seeds=24", ayo.load("stores")
    position = ayo.Position("0-0-0-0-0-0-0-1-100-0-0-0-0-0-0-0-1-282-1", game=game)
    values = [stores.evaluate(position)] * 2
    assert stores.evaluate_batch([position] * 2).tolist() == values == [-182, -182]
    assert stores.evaluate_batch(np.array([position.seeds] * 2), game=game).tolist() == values


def test_the_value_of_a_seed():
    seeds, kalah = ayo.Evaluator({"a9": 40, "a10": 50}), ayo.Evaluator({"h1": 7})
    assert (seeds.seed_value, kalah.seed_value, ayo.Evaluator({"a1": 3}).seed_value) == (50, 7, 0)
    assert ayo.Engine(seeds, depth=1, tables="off").seed_value == 50
    assert ayo.Player("greedy").seed_value is None
    assert ayo.Engine("learned", depth=1, tables="off").seed_value == ayo.load("learned").seed_value > 1000


def test_weights_are_a_dict_and_pickled():
    evaluator = ayo.Evaluator({"a10": 2, "a9": 1}, name="mine")
    assert evaluator.weights == {"a10": 2, "a9": 1}
    for evaluator_of in (lambda: ayo.load("learned"), lambda: ayo.Evaluator({"a10": 2})):
        copy = pickle.loads(pickle.dumps(evaluator_of()))
        assert copy == evaluator_of() != evaluator and hash(copy) == hash(evaluator_of())
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame([evaluator.to_series()]).loc["mine", "a10"] == 2
    with pytest.raises(ValueError, match="twice"):
        ayo.Evaluator(pandas.Series([1, 2], index=["a9", "a9"]))
    assert ayo.Evaluator(evaluator.to_series(), name="mine") == evaluator == evaluator.replace(evaluator.to_series(), name="mine")


def test_a_variant_keeps_signs_and_search_but_no_strength():
    reference = ayo.load("reference")
    variant = reference.replace({"a10": 5}, name="variant")
    assert variant.weights == reference.weights | {"a10": 5} and variant.name == "variant"
    old, new = json.loads(reference.to_json()), json.loads(variant.to_json())
    assert old["strength"] and "strength" not in new and "fitness" not in new["provenance"]
    old["provenance"].pop("fitness", None)
    assert old["provenance"] == new["provenance"] and old["signs"] == new["signs"]
    copy, layer = reference.replace({}), ayo.load("learned").replace({"u1": 3})
    assert ayo.match(copy, "seeds", games=20).records == ayo.match(reference, "seeds", games=20).records
    assert layer.evaluate(ayo.Position(moves="FfE")) != ayo.load("learned").evaluate(ayo.Position(moves="FfE"))
    for weights, error in [({"h1": 1}, ValueError), ({3: 1}, ValueError), ({"a10": 99999}, ValueError), ({"a10": 1.5}, TypeError)]:
        with pytest.raises(error, match=str(next(iter(weights)))):
            reference.replace(weights)


def test_a_search_has_a_line_and_the_values_of_moves():
    engine = ayo.Engine("seeds", depth=6, tables="off")
    found = engine.search(ayo.Position())
    assert (found.depth, found.move, found.variation[0]) == (6, engine.choose(ayo.Position()), found.move)
    assert [move for move, _ in engine.values(ayo.Position())] == ayo.Position().legal_moves()
    assert ayo.Engine("seeds", nodes=500, tables="off").search(ayo.Position()).nodes <= 600
    assert pickle.loads(pickle.dumps(engine)).choose(ayo.Position()) == found.move
    assert "variation='" in repr(found)
    assert pickle.loads(pickle.dumps(found)) == found and hash(found.move) == hash(found.variation[0])
    with pytest.raises(ValueError, match="the position belongs to awari, not ayo"):
        engine.choose(ayo.Position(rules="awari"))


def test_an_engine_searches_with_weights_of_ones_own():
    """The same weights have a name and are given as an object."""
    mine = ayo.Evaluator.from_text(ayo.load("reference").to_json(), name="mine")
    assert mine.name == "mine" and ayo.Evaluator.from_text(mine.to_json()).name == "mine"
    one, other = (ayo.Engine(weights, depth=4, tables="off") for weights in ("reference", mine))
    assert one.search(ayo.Position()) == other.search(ayo.Position())
    assert ayo.match(one, other, games=20).score == 0.5
    code = "import ayo, pickle, sys; print(pickle.load(sys.stdin.buffer).choose(ayo.Position()))"
    loaded = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(other), capture_output=True, check=True)
    assert loaded.stdout.decode().strip() == str(one.choose(ayo.Position()))


def test_values_of_an_engine_stop_at_nine_plies_and_ignore_the_book():
    deep, nine = (ayo.Engine("seeds", depth=depth, tables="off", hash=1) for depth in (10, 9))
    position = ayo.Position(moves="FfAa")
    assert deep.values(position) == nine.values(position)
    with_book = ayo.Engine("seeds", depth=9, tables="off", hash=1, book="builtin")
    assert with_book.values(ayo.Position()) == nine.values(ayo.Position())
    assert with_book.search(ayo.Position()).nodes == 0


def test_an_opening_book():
    book, start = ayo.Book(), ayo.Position()
    assert len(book) > 1000 and [move for move, _ in book.moves(start)] == start.legal_moves()
    best, value = max(book.moves(start), key=lambda it: it[1])
    found = ayo.Engine("learned", nodes=1, book=book, tables="off").search(start)
    assert (found.move, found.score, found.nodes) == (best, value, 0)
    assert pickle.loads(pickle.dumps(book)).moves(start) == book.moves(start)
    assert book.moves(ayo.Position("0-0-0-0-0-1-1-0-0-0-0-0-23-23-S")) is None
    with pytest.raises(ValueError, match="the position belongs to awari, not ayo"):
        book.moves(ayo.Position(rules="awari"))
    with pytest.raises(ValueError, match="nothing"):
        ayo.Book("nothing")


def test_endgame_tables(tmp_path):
    tables = ayo.build_tables(tmp_path, 5, rules="awari")
    position = ayo.Position("0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", rules="awari")
    assert ayo.Tables(tmp_path, "awari").probe(position) == tables.probe(position) == 2
    assert pickle.loads(pickle.dumps(tables)).probe(position) == 2
    assert dict(tables.moves(position)) == {ayo.Move("F"): 2}
    assert ayo.Engine("seeds", nodes=1, tables=tables, rules="awari").search(position).move == ayo.Move("F")
    assert tables.probe(ayo.Position(rules="awari")) is None
    with pytest.raises(ValueError, match="awari"):
        tables.probe(ayo.Position())


def test_building_tables_reports_finished_layers(tmp_path):
    layers = []
    ayo.build_tables(tmp_path, 16, threads=1, progress=layers.append)
    assert layers and layers == sorted(set(layers)) and set(layers) <= set(range(17))
    with pytest.raises(ZeroDivisionError):
        ayo.build_tables(tmp_path, 22, threads=1, progress=lambda _: 1 / 0)


def test_an_import_is_quick_and_loads_no_numpy():
    # Processor time, since the machine may be busy.
    code = "import time; t = time.process_time(); import ayo, sys; print(time.process_time() - t, 'numpy' in sys.modules)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split() for _ in range(5)]
    assert min(float(seconds) for seconds, _ in runs) < 0.2 and all(numpy == "False" for _, numpy in runs)


def test_something_else_is_not_a_move():
    for value in (None, 1.5, [0]):
        with pytest.raises(TypeError, match="move"):
            ayo.Position().play(value)


def test_the_version_is_that_of_the_package():
    assert ayo.__version__ == importlib.metadata.version("ayo")


def test_optional_modules_are_imported_when_they_are_used():
    code = """
import ayo, sys
for name, package in [("envs", "pettingzoo"), ("ray", "ray"), ("spiel", "pyspiel")]:
    assert f"ayo.{name}" not in sys.modules
    try:
        assert getattr(ayo, name).__name__ == f"ayo.{name}"
    except AttributeError as error:
        assert error.__cause__.name in (package, "numpy", "gymnasium")
assert not hasattr(ayo, "environments")
assert {"envs", "ray", "spiel", *ayo.__all__} == set(dir(ayo))
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_panic_becomes_an_exception():
    for _ in range(3):
        with pytest.raises(RuntimeError, match="internal error: injected"):
            ayo._ayo._panic("injected")
    assert ayo.Position().perft(3) == 190
