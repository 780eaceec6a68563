"""Islands on a Ray cluster of two nodes on this machine."""

import multiprocessing
import os
import pathlib
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import ayo

ray = pytest.importorskip("ray")
cluster_utils = pytest.importorskip("ray.cluster_utils")

import ayo.ray  # noqa: E402

SETTINGS = dict(
    seed=1, generations=6, islands=3, migrate=2, population=12, depth=2, measure_every=0, finalist_games=0
)
# Files that depend on settings and seed alone. When earlier checkpoints are written depends on the time.
FILES = {"run.toml", "history.csv", "champion.json", "checkpoint-000006.ayo"}


@pytest.fixture(scope="module")
def nodes():
    nodes = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.shutdown()


def contents(folder):
    files = [file for file in pathlib.Path(folder).rglob("*") if file.name in FILES]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("local") / "run"
    ayo.train("standard", out=folder, **SETTINGS).wait()
    return contents(folder)


def test_a_run_on_ray_has_the_same_bytes(nodes, expected, tmp_path):
    run = ayo.train("standard", out=tmp_path / "run", on=ayo.ray.Cluster(nodes.address, check=1.0), **SETTINGS)
    assert run.wait().end == "complete"
    assert contents(tmp_path / "run") == expected


def test_a_lost_node_and_a_stop_do_not_change_a_run(nodes, expected, tmp_path):
    lost = nodes.add_node(num_cpus=4)
    run = ayo.train("standard", out=tmp_path / "run", on=nodes.address, **SETTINGS)
    timer = threading.Timer(0.5, nodes.remove_node, [lost])
    timer.start()
    for event in run:
        if isinstance(event, ayo.Generation) and event.generation == 3:
            run.stop()
    timer.join()
    assert ayo.resume(tmp_path / "run", on=nodes.address).wait().end == "complete"
    assert contents(tmp_path / "run") == expected


def test_different_answers_stop_the_run(nodes, monkeypatch, tmp_path):
    liar = ray.nodes()[0]["NodeID"]

    def lie(function, task):
        node = ray.get_runtime_context().get_node_id()
        return node, function(task) + (b"!" if node == liar else b"")

    monkeypatch.setattr(ayo.ray, "_compute_at", lie)
    run = ayo.train("standard", out=tmp_path / "run", on=ayo.ray.Cluster(nodes.address, check=1.0), **SETTINGS)
    with pytest.raises(OSError, match=liar):
        run.wait()


def test_a_task_that_a_node_refuses_is_one_sentence(nodes, monkeypatch, tmp_path):
    def refuse(function, task):
        return function(b"")

    monkeypatch.setattr(ayo.ray, "_compute", refuse)
    run = ayo.train("standard", out=tmp_path / "run", on=nodes.address, **SETTINGS)
    with pytest.raises(OSError, match=r"^cannot advance the islands: task \w{16} failed: ValueError: the task was not written by this program$"):
        run.wait()


def test_a_task_that_ends_its_processes_is_named(nodes, monkeypatch, tmp_path):
    def die(function, task):
        os._exit(1)

    monkeypatch.setattr(ayo.ray, "_compute", die)
    monkeypatch.setattr(ayo.ray, "MAX_RETRIES", 1)
    run = ayo.train("standard", out=tmp_path / "run", on=nodes.address, **SETTINGS)
    with pytest.raises(OSError, match=r"^cannot advance the islands: task \w{16} failed: WorkerCrashedError: [^\n]*$"):
        run.wait()


def test_a_run_that_is_stopped_measures_its_last_champion(tmp_path):
    settings = SETTINGS | dict(generations=10_000, measure_every=10_000, measure_openings=2)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        run = ayo.train("standard", out=tmp_path / "run", on=pool, **settings)
        for event in run:
            run.stop()
    assert run.end == "stopped"
    assert isinstance(event, ayo.End)
    assert (tmp_path / "run" / "strength.csv").read_text().count("\n") > 1


def test_the_command_trains_and_refuses_in_a_sentence(nodes, expected, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    settings = [f"{name}={value}" for name, value in SETTINGS.items()]
    # Ray is connected, so the address is not used.
    ayo.ray.main(["train", "standard", "on=auto", "out=run", "check=0.5", "max_time=600", *settings])
    assert capsys.readouterr().out.endswith("complete\n")
    assert contents("run") == expected
    for arguments in [["train"], ["train", "standard", "islands=x"], ["train", "standard", "out=run", "check=x"]]:
        with pytest.raises(SystemExit, match=r"^(usage|ayo\.ray): [^\n]*$"):
            ayo.ray.main(arguments)


def test_a_run_needs_an_executor_or_an_address(tmp_path):
    with pytest.raises(TypeError, match="executor"):
        ayo.train("standard", out=tmp_path / "run", on=7, **SETTINGS)
    assert not (tmp_path / "run").exists()


def test_a_run_in_a_pool_of_processes_has_the_same_bytes(expected, tmp_path):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert ayo.train("standard", out=tmp_path / "run", on=pool, **SETTINGS).wait().end == "complete"
    assert contents(tmp_path / "run") == expected
    # Both generations of the first task, during which the processes started, share its time.
    seconds = [float(line.split(",")[2]) for line in (tmp_path / "run" / "cost.csv").read_text().split()[1:]]
    assert seconds[1] > seconds[0] / 10 > 0


def die(task):
    os._exit(1)


def test_a_run_whose_pool_broke_is_resumed(expected, tmp_path):
    class Deadly(ProcessPoolExecutor):
        def submit(self, function, task):
            tasks.append(task)
            return super().submit(die if len(tasks) == 5 else function, task)

    tasks = []
    with Deadly(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        run = ayo.train("standard", out=tmp_path / "run", on=pool, **SETTINGS)
        # The fifth task may be one of the islands or one of a measurement.
        with pytest.raises(OSError, match=r"^cannot [a-z ]+: task \w{16} (failed|was refused by Deadly): BrokenProcessPool: "):
            run.wait()
    assert ayo.resume(tmp_path / "run").wait().end == "complete"
    assert contents(tmp_path / "run") == expected


def test_an_executor_that_is_shut_down_is_named(tmp_path):
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(OSError, match=r"refused by ThreadPoolExecutor: RuntimeError: .* shutdown$"):
        ayo.train("standard", out=tmp_path / "run", on=pool, **SETTINGS).wait()


def test_tasks_of_another_build_and_damaged_ones_are_refused(tmp_path):
    class Keeping(Executor):
        def submit(self, function, task):
            tasks.append(task)
            return Future()

    tasks = []
    run = ayo.train("standard", out=tmp_path / "run", on=Keeping(), max_time=0.5, **SETTINGS)
    assert run.wait().end != "complete"
    assert len(tasks) == SETTINGS["islands"]
    assert ayo.run_task(tasks[0]) == ayo.run_task(tasks[0], threads=2)
    for damaged in [b"", tasks[0][:-1], tasks[0].replace(b"0.", b"1.", 1)]:
        with pytest.raises(ValueError, match="task"):
            ayo.run_task(damaged)
