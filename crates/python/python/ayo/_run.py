"""Training runs: starting, resuming and reading them, and their events."""

from __future__ import annotations

import atexit
import io
import json
import os
import pathlib
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, get_args

from . import _ayo
from ._players import Path, optional, spec, text

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas as pd


@dataclass(frozen=True)
class Generation:
    """A generation was evaluated. Fitness is in points, at most `best_possible`, with the standard deviation `sd`.

    `distinct` is the number of different members. Fitness is based on `games_asked` games, of which `games_played` were
    played (the rest are repeats). `nodes` is the number of positions searched, and `seconds` the time.
    """

    generation: int
    best: int
    best_possible: int
    mean: float
    worst: int
    sd: float
    distinct: int
    games_asked: int
    games_played: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Measurement:
    """The champion of a generation played reference opponents.

    `against` has the points per game, from 0 to 1, against them and earlier champions. `score` is the mean over the
    reference opponents, `margin` half of its 95 % interval. `seeds_lost` per move is only known with endgame tables.
    `is_champion` tells whether this champion became the run's champion.
    """

    generation: int
    score: float
    margin: float
    against: dict[str, float]
    seeds_lost: float | None
    is_champion: bool


@dataclass(frozen=True)
class Champion:
    """The final games selected the champion of the run.

    `generation` is the champion's generation, or `None` if it is not recorded. `against` has the champion's points per
    game, from 0 to 1, against the reference opponents. `score` is their mean and `margin` half of its 95 % interval, or
    `None` if strength is not measured.
    """

    generation: int | None
    score: float | None
    margin: float | None
    weights: dict[str, int]
    against: dict[str, float]


@dataclass(frozen=True)
class Iteration:
    """Features were learned from `positions` positions. `losses` are the cross-entropies of the epochs, in nats."""

    generation: int
    iteration: int
    layer: str
    positions: int
    losses: list[float]
    labeller: str


@dataclass(frozen=True)
class End:
    """Training ended: "complete", "stopped" (by Ctrl-C, too) or "time"."""

    end: str


Event = Generation | Measurement | Champion | Iteration | End

# Columns of integers in the tables of a run folder.
_INTEGERS = (
    "generation", "best", "worst", "distinct", "games_asked", "games_played", "nodes", "games", "iteration", "positions"
)

_KINDS = {kind.__name__.lower(): kind for kind in get_args(Event)}

# Runs that may still be training, even if nothing else refers to them. They are stopped when the program ends.
_active: set[Run] = set()


class Run:
    """A training run, which trains in the background from the start. Iterate over a run to receive its events.

    Leaving the loop early, by `break`, by an exception or by Ctrl-C, stops the run safely and waits until it has
    stopped. A run that nothing refers to keeps training. When the program ends, runs that are still training stop
    safely, and a warning names them: call `wait()` first. `ayo.resume` continues a run.
    """

    def __init__(self, training: _ayo.Training, has_executor: bool = False) -> None:
        self._training = training
        self._has_executor = has_executor
        self._stop_requested = False
        self._observers: list[Callable[[Event], object]] = []
        self._end: str | None = None
        # Events that observers have received before the loop.
        self._received: deque[Event] = deque()
        self._is_receiving = False
        _active.add(self)
        if has_executor:
            # Executors shut down before functions registered by `atexit` are called.
            getattr(threading, "_register_atexit", atexit.register)(_stop_all, True)

    def __reduce__(self) -> NoReturn:
        raise TypeError("only the process that started a run can use it: send its folder, which ayo.load and match read")

    @property
    def folder(self) -> pathlib.Path:
        """The run folder, as an absolute path."""
        return self._training.folder

    @property
    def settings(self) -> dict[str, str]:
        """The settings of the run by name, as text."""
        return dict(self._training.settings)

    @property
    def end(self) -> str | None:
        """How training ended, as in the event `End`, or `None` before this event is received."""
        return self._end

    def observe(self, observer: Callable[[Event], object]) -> None:
        """Calls `observer` with every event from now on, during a loop over the run, `wait()` or `done()`.

        An exception of an observer stops the run. Raises `ValueError` if the run has ended and its events have been received.
        """
        self._check_active()
        if not callable(observer):
            raise TypeError(f"an observer is a function that receives an event, not {observer!r}")
        self._observers.append(observer)

    def _check_active(self) -> None:
        if self not in _active:
            raise ValueError(f"{self.folder}: the run has ended, so there are no more events to observe")

    def __iter__(self) -> Iterator[Event]:
        """Yields each event as it happens, and finishes when training has ended. A second loop yields nothing."""
        try:
            while (event := self._next()) is not None:
                yield event
        finally:
            # If the loop was left early, observers receive the remaining events, too.
            self.stop()
            try:
                while self._next() is not None:
                    pass
            finally:
                # If an observer failed, all observers were removed.
                while self._next() is not None:
                    pass
                _active.discard(self)

    def _next(self) -> Event | None:
        if self._received:
            return self._received.popleft()
        self._is_receiving = True
        try:
            return self._observed(self._training.next_event())
        finally:
            self._is_receiving = False

    def _observed(self, line: str | None) -> Event | None:
        if line is None:
            return None
        fields = json.loads(line)
        event: Event = _KINDS[fields.pop("kind")](**fields)
        if isinstance(event, End):
            self._end = event.end
            training = self._training
            has_trained = training.generation > training.start
            if event.end == "time" and not has_trained and training.start < int(self.settings["generations"]):
                advice = f"continue with more time, by ayo.resume({str(self.folder)!r})"
                warnings.warn(f"{self.folder}: max_time was too short for a generation: {advice}", stacklevel=4)
        try:
            for observer in self._observers:
                observer(event)
        except BaseException:
            self._observers.clear()
            raise
        return event

    def stop(self) -> None:
        """Asks the run to stop. The current generation is finished if that takes at most five seconds."""
        self._training.stop()
        self._stop_requested = True

    def done(self) -> bool:
        """Returns whether training has ended, without waiting. Observers receive all events up to now."""
        is_done = self._training.is_done()
        if not self._is_receiving:
            self._is_receiving = True
            try:
                while (event := self._observed(self._training.poll_event())) is not None:
                    self._received.append(event)
                # A run that failed has no end: its error is raised by `wait()` or when the program ends.
                if is_done and self._end:
                    _active.discard(self)
            except BaseException:
                self.stop()
                raise
            finally:
                self._is_receiving = False
        return is_done

    def wait(self, timeout: float | None = None) -> Run:
        """Receives the remaining events and returns the run when training has ended.

        Raises `TimeoutError` if it has not ended after `timeout` seconds, and training continues. Raises `OSError` if a
        file could not be written.
        """
        if timeout is not None:
            deadline = time.monotonic() + timeout
            try:
                while not self.done() and (left := deadline - time.monotonic()) > 0:
                    time.sleep(min(left, 0.05))
            except BaseException:
                self.stop()
                self.wait()
                raise
            if not self._training.is_done():
                raise TimeoutError(f"{self.folder}: the run is still training after {timeout} seconds")
        for _ in self:
            pass
        return self

    def champion(self) -> _ayo.Evaluator:
        """Returns the champion so far. Raises `ValueError` before the first one is written."""
        return _ayo.load(str(self.folder))

    def __fspath__(self) -> str:
        return str(self.folder)

    def __repr__(self) -> str:
        state = self.end or ("ended" if self._training.is_done() else "training")
        generation = f"generation {self._training.generation} of {self.settings['generations']}"
        return f"Run('{self.folder}', {state}, {generation})"


@atexit.register
def _stop_all(with_executor: bool = False) -> None:
    # If a run raises an exception, the other runs are still waited for.
    with ExitStack() as stack:
        for run in list(_active):
            if run._has_executor or not with_executor:
                stack.callback(_wait_or_warn, run, run._stop_requested or run._training.is_done())
                run.stop()


def _wait_or_warn(run: Run, is_expected: bool) -> None:
    if run.wait().end == "stopped" and not is_expected:
        generation = max((int(it.stem.split("-")[1]) for it in run.folder.glob("checkpoint-*.ayo")), default=0)
        state = f"{run.folder}: the program ended, so training was stopped in generation {generation}"
        # At this level of the stack, the warning is a single line.
        advice = f"continue it with ayo.resume({str(run.folder)!r}), or first call wait()"
        warnings.warn(f"{state}: {advice}", stacklevel=9)


if hasattr(os, "register_at_fork"):
    # A forked process does not have the training threads.
    os.register_at_fork(after_in_child=_active.clear)


def texts(settings: dict[str, Any], folder: Path | None = None) -> list[tuple[str, str]]:
    """Returns settings as on the command line. The weights of opponents are written to files in `folder`."""
    given = settings.items()
    for name, value in given:
        if isinstance(value, _ayo.Evaluator) and name not in ("opponents", "start_from"):
            raise TypeError(f"{name} cannot be an Evaluator: only opponents can")
    if isinstance(openings := settings.get("openings"), (list, tuple, _ayo.Position)):
        raise TypeError(f'openings are a number, a specification such as "random:4,plies=6", or a file, not {openings!r}')
    return [(name, _opponents(value, folder) if name == "opponents" else text(value)) for name, value in given]


def _opponents(players: Any, folder: Path | None) -> str:
    players = players if isinstance(players, (list, tuple)) else [players]
    return "; ".join(spec(it, folder) for it in players)


def settings(preset: str | None = None, **settings: Any) -> dict[str, str]:
    """Returns all settings of a run with this preset and these changes."""
    return dict(_ayo.list_settings(preset, texts(settings)))


def train(
    preset: str | None = None, *, out: Path | None = None, tables: Path | None = None, threads: int | None = None,
    max_time: float | None = None, on: Executor | str | None = None, **settings: Any,
) -> Run:
    """Starts a training run in the folder `out`, by default populations/PRESET-SEED.

    The run trains in the background and is stopped when the program ends: call `wait()` first. `settings` are the same
    as on the command line, such as `seed=1`, `generations=50` or `game="kalah"`. The files are the same, byte for byte,
    as those written by `ayo train` with the same settings. `opponents` can also be a player, an `Evaluator` or a list
    of them; the weights of an `Evaluator` are written to a file next to the run folder, which `resume` reads again.
    `tables` is a folder of endgame tables, `threads` the number of threads, by default one per core, and `max_time` a
    limit in seconds. `on` is where the tasks of the run are computed: an executor as in `concurrent.futures`, or the
    address of a Ray cluster such as "auto" or "ray://HOST:10001". Raises `ValueError` if a setting is invalid or the
    folder contains a run, `OSError` if it cannot be written.
    """
    if "opponents" in settings:
        # Invalid settings are refused before files are written.
        _ayo.list_settings(preset, texts(settings))
    folder = pathlib.Path("populations") if out is None else pathlib.Path(out).parent
    given = texts(settings, folder.absolute())
    return Run(_ayo.train(preset, given, out, tables, threads, max_time, _executor(on)), on is not None)


def resume(
    folder: Path, *, generations: int | None = None, tables: Path | None = None, threads: int | None = None,
    max_time: float | None = None, on: Executor | str | None = None,
) -> Run:
    """Continues the run in a folder, with a new total number of `generations` if one is given.

    Warns about damaged files and what was recovered. Raises `ValueError` if there is no run, or a run is training in the
    folder.
    """
    return Run(_ayo.resume(folder, generations, tables, threads, max_time, _executor(on)), on is not None)


def _executor(on: Executor | str | None) -> Executor | None:
    if not isinstance(on, str):
        if on is not None and not hasattr(on, "submit"):
            raise TypeError(f"on must be an executor or the address of a Ray cluster, not {on!r}")
        return on
    if on not in ("auto", "local") and ":" not in on:
        raise ValueError(f'on is "{on}": give an executor, "auto", "local" or an address such as "ray://HOST:10001"')
    try:
        from .ray import Cluster
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f'on="{on}" needs Ray: pip install "ray[client]"', name=error.name) from error

    return Cluster(on)


def read_run(folder: Path) -> dict[str, pd.DataFrame]:
    """Reads the tables in a run folder by name: history, cost, and if there are any, strength and iterations.

    The columns are described in docs/run-folder.md. Needs pandas. Raises `ValueError` if the folder has no run, or if the
    history or the strength is not as the run wrote it.
    """
    pd = optional("pandas")
    path = pathlib.Path(folder)
    if not (path / "run.toml").exists():
        raise ValueError(f"{path}: " + ("no run.toml in this folder" if path.is_dir() else "not the folder of a run"))
    _ayo.check_run(path)
    # Chromosomes and hashes consist of hexadecimal digits, which must not be parsed as numbers.
    hexadecimal = dict.fromkeys(["best_chromosome", "chromosome", "layer", "tables"], str)
    texts = {it.stem: it.read_text(encoding="utf-8") for it in sorted(path.glob("*.csv")) if it.name != "checksums.csv"}
    # A last line without a newline is still being written.
    complete = {name: io.StringIO(text[: text.rfind("\n") + 1]) for name, text in texts.items()}
    tables = {name: pd.read_csv(text, dtype=hexadecimal) for name, text in complete.items()}
    # pandas cannot infer the types of columns without values.
    types = hexadecimal | dict.fromkeys(["opponent", "pairs", "labeller"], str) | dict.fromkeys(_INTEGERS, "int64")
    for name, table in tables.items():
        if table.empty:
            tables[name] = table.astype({column: types.get(column, "float64") for column in table})
    return tables
