"""Training runs."""

import filecmp
import gc
import multiprocessing
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref

import pytest

import ayo

SETTINGS = dict(seed=3, generations=4, population=12, depth=2, measure_every=0, finalist_games=0)
MEASURED = SETTINGS | dict(measure_every=3, measure_openings=2, finalist_games=20)
FILES = ["run.toml", "history.csv", "champion.json", "checkpoint-000004.ayo"]


def same(one, other):
    return filecmp.cmpfiles(one, other, FILES, shallow=False)[0] == FILES


def test_the_files_are_those_of_the_command_line(tmp_path):
    """Without the program, the files are compared with those of another run."""
    run = ayo.train("quick", out=tmp_path / "python", **MEASURED).wait()
    assert run.end == "complete"
    program = os.environ.get("AYO")
    if program:
        settings = [part for name, value in MEASURED.items() for part in ("--set", f"{name}={value}")]
        command = [program, "train", "--preset", "quick", "--out", tmp_path / "other", "--quiet", *settings]
        subprocess.run(command, check=True, capture_output=True)
    else:
        ayo.train("quick", out=tmp_path / "other", threads=1, **MEASURED).wait()
    assert same(tmp_path / "python", tmp_path / "other")
    assert filecmp.cmp(tmp_path / "python/strength.csv", tmp_path / "other/strength.csv", shallow=False)


def test_events_are_typed_and_a_stopped_run_is_resumed(tmp_path):
    ayo.train("quick", out=tmp_path / "whole", **SETTINGS).wait()
    run = ayo.train("quick", out=tmp_path / "parts", **SETTINGS)
    for event in run:
        if isinstance(event, ayo.Generation):
            break
    assert run.end in ("stopped", "complete") and run.champion().game == "ayo"
    assert event.generation == 1 and event.worst <= event.mean <= event.best <= event.best_possible
    assert run.wait().end in ("stopped", "complete")
    resumed = ayo.resume(tmp_path / "parts")
    events = list(resumed)
    assert events[-1] == ayo.End("complete") and same(tmp_path / "whole", tmp_path / "parts")
    assert list(ayo.resume(tmp_path / "parts")) == [ayo.End("complete")]
    longer = list(ayo.resume(tmp_path / "parts", generations=5))
    assert [it.generation for it in longer if isinstance(it, ayo.Generation)] == [5]
    assert resumed.champion().weights.keys() and resumed.settings["population"] == "12"


def test_a_run_against_weights_of_ones_own_is_resumed_by_another_process(tmp_path):
    mine = ayo.Evaluator({"a9": 1, "a10": -2})
    players = [mine, "greedy", ayo.Player("seeds:depth=2"), ayo.Engine(mine, depth=2, hash=1)]
    with pytest.raises(ValueError, match="depth"):
        ayo.train("quick", out=tmp_path / "runs" / "run", opponents=players, **SETTINGS | dict(depth=0))
    assert not (tmp_path / "runs").exists()
    run = ayo.train("quick", out=tmp_path / "runs" / "run", opponents=players, **SETTINGS).wait()
    assert [it.split(":")[0].split(" ")[0] for it in run.settings["opponents"].split("; ")] == ["minimax", "greedy", "minimax", "engine"]
    code = "import ayo, sys; assert ayo.resume(sys.argv[1], generations=5).wait().end == 'complete'"
    subprocess.run([sys.executable, "-c", code, run.folder], check=True)


def test_names_of_opponents_are_a_list_or_a_text(tmp_path):
    runs = [ayo.train("quick", out=tmp_path / str(index), opponents=opponents, **SETTINGS).wait()
            for index, opponents in enumerate(["seeds; greedy", ["seeds", "greedy"]])]
    assert same(*(run.folder for run in runs))


def test_a_run_that_is_still_training_is_named_in_errors(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS | dict(generations=100_000, population=400, depth=8))
    for champion in (run.champion, lambda: ayo.load(run.folder)):
        with pytest.raises(ValueError, match="still training"):
            champion()
    for again in (lambda: ayo.train("quick", out=run.folder, **SETTINGS), lambda: ayo.resume(run.folder)):
        with pytest.raises(ValueError, match=r"this or another process .*stop\(\).* file named stop"):
            again()
    # A program that has lost the `Run` can stop the run with a file.
    (run.folder / "stop").touch()
    assert run.wait().end == "stopped"


def test_a_run_keeps_its_folder_when_the_working_directory_changes(tmp_path, monkeypatch):
    settings = SETTINGS | dict(generations=60, population=40)
    whole = ayo.train("quick", out=tmp_path / "whole", **settings).wait()
    away = tmp_path / "away"
    # In the other directory, there are other runs under the same relative paths.
    monkeypatch.chdir(tmp_path)
    away.mkdir()
    other = ayo.train("quick", out="away/runs/one", **SETTINGS | dict(seed=4)).wait()
    starts = [
        lambda: ayo.train("quick", out="runs/one", **settings),
        lambda: ayo.resume("runs/one", generations=61),
        lambda: ayo.train("quick", **settings),
        lambda: ayo.train("quick", **{name: value for name, value in settings.items() if name != "seed"}),
    ]
    for start in starts:
        monkeypatch.chdir(tmp_path)
        run = start()
        monkeypatch.chdir(away)
        assert run.wait().end == "complete"
        assert run.folder.is_absolute() and away not in run.folder.parents
        assert run.champion() == ayo.load(run) == ayo.load(run.folder) != other.champion()
        if run.settings["generations"] == "60" and run.settings["seed"] == "3":
            texts = [file.read_text() for file in run.folder.iterdir() if file.suffix in (".csv", ".json", ".toml")]
            assert not any(str(tmp_path) in text for text in texts)
            for file in ("run.toml", "history.csv", "champion.json"):
                assert (run.folder / file).read_bytes() == (whole.folder / file).read_bytes()
    assert sorted(os.listdir(away)) == ["runs"]


def test_endgame_tables_keep_their_folder_when_the_working_directory_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    built = ayo.build_tables("tables", 5)
    opened = ayo.Tables("tables")
    run = ayo.train("quick", out="run", tables="tables", **MEASURED)
    monkeypatch.chdir("/")
    assert run.wait().end == "complete"
    for tables in (built, opened):
        assert pickle.loads(pickle.dumps(tables)).max_seeds == 5


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be deleted")
def test_a_run_whose_folder_is_deleted_is_an_os_error(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS | dict(generations=100_000))
    next(iter_events := iter(run))
    shutil.rmtree(tmp_path / "run", ignore_errors=True)
    with pytest.raises(OSError):
        list(iter_events)


def test_tables_of_a_run_are_read(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    run = ayo.train("quick", out=tmp_path / "run", **MEASURED).wait()
    tables = ayo.read_run(run)
    assert tables.keys() == {"history", "cost", "strength"}
    assert tables["history"]["generation"].tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="no run.toml"):
        ayo.read_run(tmp_path)
    # Tables without rows, as of a run that stopped before its first measurement, have the same types.
    monkeypatch.setattr(ayo._ayo, "check_run", lambda folder: None)
    for file in map(run.folder.joinpath, ["history.csv", "cost.csv", "strength.csv"]):
        file.write_text(file.read_text().partition("\n")[0] + "\n")
    for name, table in ayo.read_run(run).items():
        columns = tables[name].dropna(axis="columns", how="all").dtypes
        assert table.empty and table.dtypes[columns.index].equals(columns)


def test_rows_that_the_run_did_not_write_are_no_data(tmp_path):
    pytest.importorskip("pandas")
    run = ayo.train("quick", out=tmp_path / "run", **MEASURED).wait()
    tables = ayo.read_run(run)
    for file in (run.folder / "history.csv", run.folder / "strength.csv"):
        good = file.read_text()
        # A row that is still being written.
        file.write_text(good + "5,7")
        assert all(ayo.read_run(run)[name].equals(table) for name, table in tables.items())
        file.write_text(good + "5,7\n")
        with pytest.raises(ValueError, match=f"{file.name}, line {good.count(chr(10)) + 1} .*ayo doctor"):
            ayo.read_run(run)
        file.write_text(good)


@pytest.mark.parametrize("damage", [lambda rows: rows[:-1], lambda rows: [*rows[:-1], rows[-1].replace(",", ",1", 1)]])
def test_a_damaged_history_is_an_error_and_resuming_warns(tmp_path, damage):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS).wait()
    assert ayo.resume(run.folder, generations=8).wait().end == "complete"
    history = run.folder / "history.csv"
    history.write_text("".join(damage(history.read_text().splitlines(keepends=True))))
    with pytest.raises(ValueError, match='history.csv, line 9 .*; "ayo doctor" shows what can be recovered'):
        ayo.read_run(run.folder)
    with pytest.warns(UserWarning, match="continuing from an older checkpoint") as warned:
        assert ayo.resume(run.folder).wait().end == "complete"
    assert warned[0].filename == __file__


def test_the_champion_of_a_finished_run_is_restored(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS).wait()
    champion = (run.folder / "champion.json").read_bytes()
    (run.folder / "champion.json").unlink()
    with pytest.raises(ValueError, match="ayo.resume"):
        ayo.load(run.folder)
    with pytest.warns(UserWarning, match="champion.json was missing or damaged and has been restored"):
        ayo.resume(run.folder).wait()
    assert (run.folder / "champion.json").read_bytes() == champion


def test_bad_settings_are_refused_and_leave_nothing(tmp_path):
    for settings, sentence in [
        (dict(depth=0), "depth is 0: give a whole number from 1 to 100"),
        (dict(deep=1), "deep"),
        (dict(preset="quik"), "quik"),
        (dict(fitness="tables", rules="awari"), "give the folder of endgame tables"),
        (dict(max_time=-1), "max_time"),
        (dict(max_time=10**400), "max_time"),
        (dict(max_time="5s"), "max_time is '5s'"),
        (dict(on="foo"), 'on is "foo"'),
    ]:
        with pytest.raises((ValueError, TypeError)) as error:
            ayo.train(**{"preset": "quick", "out": tmp_path / "run"} | settings)
        assert sentence in str(error.value)
    ayo.train("quick", out=tmp_path / "run", **SETTINGS).wait()
    with pytest.raises(ValueError, match=r"already contains a run: .*ayo\.resume\(.*out"):
        ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    for start in (lambda: ayo.resume(tmp_path), lambda: ayo.resume(""), lambda: ayo.train("quick", out="")):
        with pytest.raises(ValueError):
            start()
    assert ayo.settings("quick", depth=2)["depth"] == "2"


def test_settings_can_be_given_back():
    for preset in ayo.preset_names():
        settings = ayo.settings(preset, seed=5)
        assert ayo.settings(**settings) == settings


def test_two_runs_in_two_threads_do_not_disturb_each_other(tmp_path):
    def train(name):
        ayo.train("quick", out=tmp_path / name, **SETTINGS).wait()

    threads = [threading.Thread(target=train, args=(name,)) for name in "ab"]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert same(tmp_path / "a", tmp_path / "b")


def test_a_loggers_file_has_the_events(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    ayo.log.jsonl(run, tmp_path / "events.jsonl")
    events = list(run)
    lines = (tmp_path / "events.jsonl").read_text().splitlines()
    assert len(lines) == len(events) and lines[-1] == '{"kind": "end", "end": "complete"}'


def test_a_loggers_curves_are_a_table(tmp_path):
    """Also if the loop is left early: loggers receive every event of the stopped run."""
    pandas = pytest.importorskip("pandas")
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    ayo.log.csv(run, tmp_path / "curves.csv")
    ayo.log.jsonl(run, tmp_path / "events.jsonl")
    for _ in run:
        break
    ayo.log.csv(resumed := ayo.resume(tmp_path / "run"), tmp_path / "curves.csv")
    resumed.wait()
    curves = pandas.read_csv(tmp_path / "curves.csv").pivot(index="generation", columns="name", values="value")
    history = ayo.read_run(tmp_path / "run")["history"]
    assert curves["generation/best"].tolist() == history["best"].tolist() and len(history) == 4
    assert '"kind": "end"' in (tmp_path / "events.jsonl").read_text().splitlines()[-1]


def test_too_little_time_for_a_generation_is_warned_about(tmp_path):
    with pytest.warns(UserWarning, match=r"too short for a generation: .*ayo\.resume"):
        run = ayo.train("quick", out=tmp_path / "run", max_time=1e-6, **SETTINGS).wait()
    assert run.end == "time" and run.folder.exists()


def test_the_strength_of_the_champion_is_known(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **MEASURED)
    ayo.log.csv(run, tmp_path / "curves.csv")
    events = list(run)
    [champion] = [event for event in events if isinstance(event, ayo.Champion)]
    assert champion.against and champion.against == run.champion().strength
    assert champion.score == pytest.approx(sum(champion.against.values()) / len(champion.against))
    assert 0 < champion.margin < 1 and ayo.load("seeds").strength == {}
    assert f",champion/score,{champion.score}\n" in (tmp_path / "curves.csv").read_text()


def test_waiting_has_a_timeout(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS | dict(generations=100_000))
    generations = []
    run.observe(generations.append)
    while len(generations) < 2:
        with pytest.raises(TimeoutError, match="still training"):
            run.wait(timeout=0.1)
    assert not run.done() and re.search(r"training, generation [1-9]\d* of 100000\)$", repr(run))
    for timeout in (0, -1):
        with pytest.raises(TimeoutError):
            run.wait(timeout=timeout)
    # A loop receives the events from before.
    assert next(iter(run)) == generations[0]
    assert run.wait(timeout=60).end == "stopped"
    complete = ayo.resume(run.folder, generations=(last := run._training.generation) + 1).wait(timeout=600)
    assert f"complete, generation {last + 1} of {last + 1})" in repr(complete)
    assert f"generation {last + 1} of {last + 1})" in repr(ayo.resume(run.folder))


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal")
def test_ctrl_c_while_waiting_with_a_timeout_stops_the_run(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS | dict(generations=100_000))
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        run.wait(timeout=60)
    assert run.end == "stopped"


def test_an_exception_of_an_observer_stops_the_run(tmp_path):
    def fail(event):
        events.append(event)
        raise KeyError(event)

    events = []
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS | dict(generations=100_000))
    run.observe(fail)
    with pytest.raises(KeyError) as error:
        run.wait()
    assert error.value.args == (events[0],) and len(events) == 1
    assert run.end == "stopped" and "training" not in repr(run)
    other = ayo.resume(run.folder, generations=100_000)
    other.observe(fail)
    with pytest.raises(KeyError):
        other.wait(timeout=60)
    assert other.end == "stopped"
    assert next(iter(ayo.resume(tmp_path / "run", generations=100_000))).generation > 1


def test_a_logger_is_refused_when_it_is_attached(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    with pytest.raises(FileNotFoundError):
        ayo.log.csv(run, tmp_path / "none" / "curves.csv")
    assert run.wait().end == "complete"
    with pytest.raises(ValueError, match="ended"):
        ayo.log.csv(run, tmp_path / "curves.csv")
    assert not (tmp_path / "curves.csv").exists()


def test_loggers_and_opponents_of_a_wrong_type_are_refused(tmp_path):
    for log in (ayo.log.csv, ayo.log.jsonl, ayo.log.tensorboard, ayo.log.mlflow):
        with pytest.raises(TypeError, match="Run"):
            log("x", str(tmp_path / "y"))
    with pytest.raises(TypeError, match="founders"):
        ayo.train("quick", out=tmp_path / "run", founders=ayo.load("seeds"), **SETTINGS)
    for opponents in ([object()], [lambda position: 0], 5):
        with pytest.raises(TypeError, match="opponent"):
            ayo.train("quick", out=tmp_path / "run", opponents=opponents, **SETTINGS)
    assert not list(tmp_path.iterdir())


def test_a_run_that_nobody_iterates_over_is_done(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    ayo.log.jsonl(run, tmp_path / "events.jsonl")
    while not run.done():
        time.sleep(0.05)
    # Loggers have received the events, which the loop still yields.
    lines = (tmp_path / "events.jsonl").read_text().splitlines()
    assert run.end == "complete" and len(lines) == len(list(run)) > 4


def test_a_run_is_not_sent_and_is_observed_by_functions(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    with pytest.raises(TypeError, match="folder"):
        pickle.dumps(run)
    with pytest.raises(TypeError, match="function"):
        run.observe(3)
    run.wait()


def test_a_run_that_is_done_is_released(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    while not run.done():
        time.sleep(0.05)
    with pytest.raises(ValueError, match="ended"):
        run.observe(print)
    released = weakref.ref(run)
    del run
    gc.collect()
    assert released() is None


def test_an_exception_of_an_observer_is_raised_while_it_is_asked_whether_the_run_is_done(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS | dict(generations=100_000))
    run.observe(lambda event: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        while not run.done():
            time.sleep(0.05)
    assert run.wait().end == "stopped"


def test_an_address_without_ray_names_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ayo.ray", None)
    with pytest.raises(ModuleNotFoundError, match=r"ray\[client\]"):
        ayo.train("quick", out=tmp_path / "run", on="auto")


def test_loggers_without_their_packages_name_them(tmp_path, monkeypatch):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    for name in ("tensorboardX", "torch", "torch.utils.tensorboard", "mlflow"):
        monkeypatch.setitem(sys.modules, name, None)
    for log, package in [(ayo.log.tensorboard, "tensorboardX"), (ayo.log.mlflow, "mlflow")]:
        with pytest.raises(ModuleNotFoundError, match=f"pip install {package}"):
            log(run, str(tmp_path / "logs"))
    run.wait()


def test_tensorboard(tmp_path):
    pytest.importorskip("tensorboardX")
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    ayo.log.tensorboard(run, tmp_path / "logs")
    run.wait()
    assert any(file.stat().st_size > 1000 for file in (tmp_path / "logs").iterdir())


INTERRUPTED = """
import ayo, sys
try:
    for event in ayo.train("quick", out=sys.argv[1], generations=100000, population=12, depth=2, measure_every=0, finalist_games=0):
        print(event, flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_an_interrupt_stops_a_run_safely(tmp_path):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", INTERRUPTED, str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith("Generation(generation=5,"):
            break
    process.send_signal(signal.SIGINT)
    assert process.stdout.read().rstrip().endswith("interrupted") and process.wait() == 0
    assert next(iter(ayo.resume(folder))).generation > 5


def worker(name):
    run = ayo.train("quick", out=name, **SETTINGS).wait()
    return run.end, ayo.load("seeds").evaluate_batch([ayo.Position()]).tolist()


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_worker_processes_train_and_evaluate(tmp_path, method):
    ayo.load("seeds").evaluate_batch([ayo.Position()])
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map(worker, [str(tmp_path / f"{method}-{index}") for index in range(2)])
    assert results == [("complete", [0])] * 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_run_is_refused_in_a_forked_process(tmp_path):
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    child = os.fork()
    if child == 0:
        refused = 0
        for use in (lambda: next(iter(run)), run.done, run.stop):
            try:
                use()
            except RuntimeError as error:
                refused += "process that started it" in str(error)
        os._exit(3 - refused)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert run.wait().end == "complete"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_process_is_forked_after_runs_that_nobody_iterates_over(tmp_path):
    code = """
import ayo, os, sys, time
runs = [ayo.train("quick", out=f"{sys.argv[1]}/{index}", generations=1, population=12, depth=1, measure_every=0, finalist_games=0)
        for index in range(24)]
while not all(run.done() for run in runs):
    time.sleep(0.05)
# The memory of so many threads is freed when they end.
time.sleep(1)
del runs
ayo.log.jsonl(ayo.train("quick", out=f"{sys.argv[1]}/last", generations=100000), f"{sys.argv[1]}/last.jsonl")
if (child := os.fork()) == 0:
    sys.exit()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_engines_are_created_by_all_threads_and_after_a_forked_process_has_ended():
    code = """
import ayo, concurrent.futures, os, sys
sys.setswitchinterval(1e-5)
evaluator = ayo.load("learned")
def create(_):
    return ayo.Engine(evaluator, depth=1, hash=1).choose(ayo.Position())
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    list(pool.map(create, range(40)))
if (child := os.fork()) == 0:
    sys.exit()
os.waitpid(child, 0)
create(0)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_temporary_weights_of_workers_are_removed(tmp_path, method):
    code = f"""
import ayo, multiprocessing, concurrent.futures
def create(_):
    return str(ayo.Engine(ayo.load("seeds"), depth=1, hash=1).choose(ayo.Position()))
if __name__ == "__main__":
    context = multiprocessing.get_context("{method}")
    for _ in range(2):
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            assert len(set(pool.map(create, range(4)))) == 1
        create(0)
"""
    (tmp_path / "program.py").write_text(code)
    (tmp_path / "temporary").mkdir()
    environment = os.environ | dict.fromkeys(["TMPDIR", "TEMP"], str(tmp_path / "temporary"))
    subprocess.run([sys.executable, tmp_path / "program.py"], env=environment, check=True)
    assert not list((tmp_path / "temporary").glob("ayo-*"))


def test_a_run_that_nothing_refers_to_is_trained_to_its_end(tmp_path):
    for name in "ab":
        run = ayo.train("quick", out=tmp_path / name, **SETTINGS)
    run.wait()
    while not (tmp_path / "a" / FILES[-1]).exists():
        time.sleep(0.05)


def test_a_run_ends_with_the_program(tmp_path):
    """A warning names each run that the program did not stop itself, and loggers receive its events."""
    code = """
import ayo, sys
for name in "abd":
    run = ayo.train("quick", out=f"{sys.argv[1]}/{name}", generations=100000, population=12, depth=2, measure_every=0, finalist_games=0)
    ayo.log.jsonl(run, f"{sys.argv[1]}/{name}.jsonl")
ayo.train("quick", out=f"{sys.argv[1]}/c", generations=1, population=4, depth=1, measure_every=0, finalist_games=0).wait()
run.stop()
"""
    begun = time.monotonic()
    warned = subprocess.run([sys.executable, "-c", code, tmp_path], check=True, stderr=subprocess.PIPE, text=True).stderr
    assert time.monotonic() - begun < 60
    for name, line in zip("ab", sorted(warned.splitlines()), strict=True):
        folder = tmp_path / name
        last = max(folder.glob("checkpoint-*.ayo"))
        assert f"UserWarning: {folder}: the program ended" in line and f"ayo.resume({str(folder)!r})" in line
        assert f"in generation {int(last.stem[11:])}:" in line and (folder / "champion.json").exists()
        assert (tmp_path / f"{name}.jsonl").read_text().endswith('{"kind": "end", "end": "stopped"}\n')


def test_a_run_in_a_pool_stops_when_the_program_ends(tmp_path):
    code = """
import ayo, sys
from concurrent.futures import ThreadPoolExecutor
run = ayo.train("standard", out=sys.argv[1], on=ThreadPoolExecutor(2), islands=2, generations=100000, population=12, depth=2, measure_every=0)
observed = iter(run)
while not isinstance(next(observed), ayo.Generation):
    pass
"""
    program = [sys.executable, "-c", code, tmp_path / "run"]
    warned = subprocess.run(program, check=True, stderr=subprocess.PIPE, text=True).stderr
    assert warned.count("\n") == 1 and "the program ended, so training was stopped" in warned


def test_mlflow(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    run = ayo.train("quick", out=tmp_path / "run", **SETTINGS)
    ayo.log.mlflow(run, "experiment")
    for event in run:
        # The logger receives the end of the run, too.
        if isinstance(event, ayo.Generation) and event.generation == 4:
            break
    client = mlflow.MlflowClient()
    (logged,) = client.search_runs([client.get_experiment_by_name("experiment").experiment_id])
    assert logged.info.status == "FINISHED"
    assert logged.data.params["population"] == "12" and len(client.get_metric_history(logged.info.run_id, "generation/best")) == 4
