"""Matches, and fitness for optimisers."""

import multiprocessing
import pickle
import threading
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import ayo


class First:
    def choose(self, position):
        return position.legal_moves()[0]


def test_a_match_is_reproducible_on_any_number_of_threads():
    results = [ayo.match("seeds:depth=2", "random:seed=3", games=40, threads=threads) for threads in (1, 4)]
    assert results[0] == results[1] and results[0].games == 40 == sum(results[0].pairs.values()) * 2
    assert results[0].wins + results[0].draws + results[0].losses == 40
    again = ayo.match("seeds:depth=2", "random:seed=3", games=40, seed=2)
    assert again.records != results[0].records


def test_a_python_object_is_a_player():
    """The games are those of the same player in Rust, played move by move."""
    engine = ayo.Player("minimax:weights=seeds,depth=3")
    python = ayo.match(engine.choose, First(), games=20)
    assert python.records == ayo.match(engine, First(), games=20).records
    assert python.records == ayo.match("minimax:weights=seeds,depth=3", lambda it: 99 and it.legal_moves()[0], games=20).records
    for record in python.records:
        position = ayo.Position(record["opening"], moves=record["moves"])
        assert position.result.reason == record["end"]


def test_players_of_several_threads_evaluate_batches():
    """Threads of a match that wait for a batch do not wait for each other."""
    evaluator = ayo.load("seeds")

    def choose(position):
        moves = position.legal_moves()
        values = evaluator.evaluate_batch([position.play(move) for move in moves] * 500)
        return moves[int(values[: len(moves)].argmin())]

    assert ayo.match(choose, "random", games=8, threads=4).score > 0.5


def test_an_exception_has_the_games_so_far():
    whole = ayo.match("greedy", First(), games=40)
    left = iter(range(700))

    def interrupted(position):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return First().choose(position)

    with pytest.raises(KeyboardInterrupt) as caught:
        ayo.match("greedy", interrupted, games=40, threads=1)
    result = caught.value.result
    assert 0 < result.games < 40 and result.records == whole.records[: result.games]
    with pytest.raises(KeyboardInterrupt) as caught:
        ayo.match("greedy", interrupted, games=40)
    assert caught.value.result.games == 0 and repr(caught.value.result).endswith(": no games)")


def test_the_exception_of_a_player_ends_the_match():
    def broken(position):
        raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea"):
        ayo.match("greedy", broken)
    with pytest.raises(TypeError, match="move"):
        ayo.match("greedy", lambda position: None)
    for illegal in (7, -1, 10**30, "x", ayo.Move("H")):
        result = ayo.match("greedy", lambda position: illegal, games=2)
        assert result.forfeits == (0, 2) and result.score == 1.0
        assert repr(result).endswith(f", 2 forfeited by {result.b})")
    turn = ayo.match("greedy", lambda position: "a" if position.to_move == "South" else "A", games=2)
    assert {it["end"] for it in turn.records} == {f"{side} forfeits: {side} cannot play {pit}: the pit is {other}'s" for side, pit, other in [("South", "a", "North"), ("North", "A", "South")]}


def test_a_run_and_its_folder_are_players(tmp_path):
    settings = dict(generations=1, population=4, depth=1, measure_every=0, finalist_games=0)
    run = ayo.train("quick", out=tmp_path / "a: run, first", **settings).wait()
    results = [ayo.match(it, "random:seed=1", games=4) for it in (run, run.folder, ayo.load(run.folder))]
    assert results[0].records == results[1].records == results[2].records
    assert results[0].a == results[1].a == results[2].a == f'minimax:weights="{run.folder}",depth=5'
    assert ayo.load(run).name == run.champion().name
    engine = ayo.Engine(run, depth=2, hash=1)
    assert pickle.loads(pickle.dumps(engine)).spec == engine.spec == ayo.Engine(run.folder, depth=2, hash=1).spec
    problems = [ayo.Problem("quick", opponents=it) for it in (run, [run], [run.folder])]
    assert len({problem.evaluate(np.eye(1, len(problem.features)), step=0)[0] for problem in problems}) == 1


def test_a_table_of_games_and_a_file_of_openings(tmp_path):
    pytest.importorskip("pandas")
    (file := tmp_path / "openings.txt").write_text("Ff\nAa\n")
    result = ayo.match("greedy", "random:seed=1", openings=file)
    table = result.to_frame()
    assert result.games == len(table) == 4 and "seeds" not in table
    assert table[["seeds_a", "seeds_b"]].to_numpy().tolist() == [it["seeds"] for it in result.records]


def test_a_python_player_has_a_name():
    class First:
        def __init__(self, name):
            self.name = name

        def choose(self, position):
            return position.legal_moves()[0]

    result = ayo.match(First("one"), First("two"), games=2)
    assert (result.a, result.b) == ("one", "two")
    assert ayo.match(First(7), First.choose.__get__(First(7)), games=2).a == "First"
    mine = ayo.Evaluator({"a10": 2}, name="mine")
    result = ayo.match(mine, ayo.Engine(mine, depth=1, tables="off"), games=2)
    assert all("weights=\"mine\"" in name for name in (result.a, result.b))


def test_progress_is_called_with_the_result_so_far():
    seen, thread = [], threading.get_ident()

    def slow(position):
        time.sleep(0.01)
        return position.legal_moves()[0]

    def progress(result):
        assert threading.get_ident() == thread
        seen.append(result)
        if len(seen) == 2:
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough") as info:
        ayo.match(slow, "greedy", games=1000, progress=progress)
    partial = info.value.result
    assert 0 < seen[0].games < seen[1].games <= partial.games < 1000 and partial.games % 2 == 0
    assert not seen[1].records and len(partial.records) == partial.games
    points = [record["points_of_a"] for record in partial.records[:seen[1].games]]
    assert seen[1].score == pytest.approx(sum(points) / seen[1].games)
    with pytest.raises(TypeError, match="progress"):
        ayo.match("seeds", "greedy", games=2, progress=True)


def test_a_sequential_test_ends_a_match():
    result = ayo.match("amateur", "random", sprt="elo0=0,elo1=100", games=400)
    assert result.sprt["decision"] == "H1 accepted" and result.games < 400


def test_arguments_are_checked():
    for arguments, sentence in [
        (dict(games=3), "games is 3: every opening is played twice, so give an even number"),
        (dict(games=10**6), "games is 1000000, but plies:4 has openings for only 2028"),
        (dict(games=3000), 'openings="random:N,plies=K"'),
        (dict(openings="x:1"), "x:1"),
        (dict(threads=0), "threads is 0: give a whole number from 1 to 1024"),
        (dict(threads=2**20), "threads is 1048576: give a whole number from 1 to 1024"),
        (dict(games=-2), "games is -2: give a whole number from 1"),
        (dict(seed=-1), "seed is -1: give a whole number from 0"),
        (dict(seed=2**70), "seed is 1180591620717411303424"),
        (dict(game="chess"), 'unknown game "chess"'),
        (dict(rules="oware"), 'unknown rules "oware"'),
        (dict(sprt="elo0=5,elo1=1"), "sprt"),
    ]:
        with pytest.raises(ValueError) as error:
            ayo.match("greedy", "random", **arguments)
        assert sentence in str(error.value)
    for openings in (["Ff"], [ayo.Position()], 4, None):
        for start in (lambda it: ayo.match("greedy", "random", openings=it), lambda it: ayo.settings(openings=[it])):
            with pytest.raises(TypeError, match="openings are .*specification.*file"):
                start(openings)
    with pytest.raises(TypeError, match="sprt is True or a text"):
        ayo.match("greedy", "random", sprt={"elo0": 0})
    for other in (5, None):
        with pytest.raises(TypeError, match=f"{other} is not a player"):
            ayo.match("greedy", other)


def test_fitness_is_the_score_against_the_opponents():
    problem = ayo.Problem("standard", opponents=iter(["seeds"]), depth=2)
    seeds = np.array([-(name == "a9") + (name == "a10") for name in problem.features], float)
    seeds = np.where(np.array(problem.features) == "a9", -seeds, seeds)
    population = np.random.default_rng(1).normal(size=(6, len(seeds)))
    fitness = problem.evaluate(population, step=0)
    assert fitness.shape == (6,) and ((0 <= fitness) & (fitness <= 1)).all() and problem.games == 48
    assert (fitness == problem.evaluate(5 * population, step=0, threads=1)).all()
    # Against themselves, weights win as many games as they lose.
    assert problem.evaluate(population, population[:1], step=0)[0] * 2 - fitness[0] == pytest.approx(0.5)
    assert problem.evaluate([]).shape == problem.evaluate(population[:0]).shape == (0,)
    for bad in ([1.0], [[np.nan] * len(seeds)], [[np.inf] * len(seeds)], [[1.0]]):
        with pytest.raises(ValueError):
            problem.evaluate(bad)
    with pytest.raises(ValueError, match=r"pass \[x\]"):
        problem.evaluate(population[0])
    with pytest.raises(ValueError, match=r"a row has shape \(6, "):
        problem.evaluator(population)
    assert (ayo.Problem("standard", opponents="seeds", depth=2).evaluate(population, step=0) == fitness).all()
    for bad in (["seeds"], [ayo.load("seeds")]):
        with pytest.raises(ValueError, match=r"names and evaluators go into Problem\(opponents="):
            problem.evaluate(population, opponents=bad)
    with pytest.raises(ValueError, match="u1: a Problem has no learned features"):
        ayo.Problem("learned")
    with pytest.raises(ValueError, match="there are no opponents"):
        ayo.Problem("standard").evaluate(population)
    # The search of the training games is also that of later matches.
    assert '"quiescence":"captures"' in problem.evaluator(population[0]).to_json()
    assert problem.evaluator(population[0], name="best").name == "best"
    assert problem.evaluator(population[0]).weights.keys() == set(problem.features)


def test_columns_of_a_table_are_features():
    pandas = pytest.importorskip("pandas")
    problem = ayo.Problem("standard", opponents="seeds", depth=1)
    table = pandas.DataFrame(np.random.default_rng(1).normal(size=(4, len(problem.features))), columns=problem.features)
    fitness = problem.evaluate(table.to_numpy(), step=0)
    assert len(set(fitness)) > 1 and (problem.evaluate(table[table.columns[::-1]], step=0) == fitness).all()
    with pytest.raises(ValueError, match="params_a1"):
        problem.evaluate(table.add_prefix("params_"))
    with pytest.raises(ValueError, match="other"):
        problem.evaluator(table.iloc[0].rename({"a1": "other"}))
    assert (problem.evaluate(pandas.DataFrame(table.to_numpy()), step=0) == fitness).all()
    assert problem.evaluator(table[table.columns[::-1]].iloc[0]) == problem.evaluator(table.to_numpy()[0])
    dictionaries = table[table.columns[::-1]].to_dict("records")
    assert (problem.evaluate(dictionaries, step=0) == fitness).all()
    assert problem.evaluator(dictionaries[0]) == problem.evaluator(table.to_numpy()[0])
    for wrong in (dictionaries[0], [{}], [dictionaries[0], {"a1": 1}]):
        with pytest.raises(ValueError):
            problem.evaluate(wrong)


def test_opponents_of_a_problem_are_weights():
    with pytest.raises(ValueError, match="weights.*amateur"):
        ayo.Problem("quick", opponents=["amateur"])
    for opponents in (ayo.Player("greedy"), [ayo.Player("greedy")], [5]):
        with pytest.raises(TypeError, match="weights"):
            ayo.Problem("quick", opponents=opponents)


def test_a_problem_is_evaluated_in_other_processes():
    mine = ayo.Evaluator({"a9": 1, "a10": -2})
    problem = ayo.Problem("standard", opponents=["seeds", mine], depth=1, sparring=1)
    problem.evaluate(population := np.eye(3, len(problem.features)))
    copy = pickle.loads(pickle.dumps(problem))
    assert copy.games == problem.games and (copy.evaluate(population) == problem.evaluate(population)).all()
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert (pool.submit(problem.evaluate, population).result() == copy.evaluate(population)).all()
