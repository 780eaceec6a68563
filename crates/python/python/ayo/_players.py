"""The engine, with its settings as arguments."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import threading
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from numbers import Real
from typing import Any

from . import _ayo


Path = str | os.PathLike[str]
Weights = Path | _ayo.Evaluator
# A value that needs no quotes in a specification.
_PLAIN = re.compile(r"[\w.+-]+", re.ASCII)


def optional(package: str) -> Any:
    """Imports a package that not every user of this one needs."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"this needs a package: pip install {package}", name=error.name) from error


@cache
def _folder() -> str:
    """Returns this process's temporary folder, which processes forked later also use."""
    from multiprocessing.util import Finalize
    from tempfile import mkdtemp

    folder = mkdtemp(prefix="ayo-")
    # Unlike `atexit`, this also runs in worker processes, and only in the process that created the folder. With this
    # priority, it is one of the last finalizers and runs after other processes have ended.
    Finalize(None, shutil.rmtree, (folder, True), exitpriority=-1)
    return folder


def text(value: Any) -> str:
    """Returns a value as on the command line. An evaluator's weights are written to a temporary file."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, _ayo.Evaluator):
        value = _written(value, _folder())
    if isinstance(value, (list, tuple)):
        return ",".join(text(it) for it in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _written(evaluator: _ayo.Evaluator, folder: Path) -> pathlib.Path:
    """Writes the weights of an evaluator to a file, which is named after its content."""
    json = evaluator.to_json()
    file = pathlib.Path(folder, f"weights-{sha256(json.encode()).hexdigest()[:16]}.json")
    # Other threads, and processes forked with the same thread ID, may be reading or writing the file.
    new = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    file.parent.mkdir(parents=True, exist_ok=True)
    new.write_text(json, encoding="utf-8")
    new.replace(file)
    return file


def spec(player: Any, folder: Path | None = None) -> str:
    """Returns a player as on the command line. An evaluator's weights are written to a file in `folder`, by default a
    temporary folder."""
    if isinstance(player, Engine) and folder and isinstance(weights := player._arguments["weights"], _ayo.Evaluator):
        player = Engine(**player._arguments | dict(weights=_written(weights, folder)))
    if isinstance(player, _ayo.Player):
        return player.spec
    if isinstance(player, _ayo.Evaluator):
        player = _written(player, folder or _folder())
    if isinstance(player, os.PathLike):
        return f'minimax:weights="{text(player)}",depth=5'
    if not isinstance(player, str):
        raise TypeError(f"an opponent is a Player, an Evaluator, a path or a specification, not {player!r}")
    return player


def shown(player: Any, name: str) -> str:
    """Returns the name of a player in results. An engine's evaluator has its own name, not that of its file."""
    if isinstance(player, Engine) and isinstance(weights := player._arguments["weights"], _ayo.Evaluator):
        return name.replace(text(weights), weights.name)
    return name


class Engine(_ayo.Player):
    """The strongest player: selective search with a transposition table, endgame tables and an opening book.

    `weights` is an `Evaluator`, a name, a file or a run folder. Limits are `depth` in plies, `nodes` in positions and
    `movetime` in seconds; without a limit, the depth is 5. `hash` is the size of the transposition table in MiB,
    `tables` a folder, "likely" or "off", and `book` a file or "builtin". Other settings are the same as on the command
    line, such as `selective="off"`. Raises `ValueError` if a setting is invalid.

    Without `tables`, the engine uses the tables in the default folder if they have more than 12 seeds ("awari": 12 or
    more), otherwise it builds 12-seed tables in memory. Under "awari", all tables prove wins and losses. Under other
    rules, this takes the bounds that only tables built in memory have: with tables in a folder, wins and losses are
    "likely". See docs/endgame.md.
    """

    _arguments: dict[str, Any]

    def __new__(
        cls, weights: Weights | None = None, *, depth: int | None = None, nodes: int | None = None,
        movetime: float | None = None, threads: int | None = None, hash: int | None = None, tables: Path | None = None,
        book: Path | None = None, game: str = "ayo", rules: str | None = None, **settings: Any,
    ) -> Engine:
        if movetime is not None and not (isinstance(movetime, Real) and 1e-6 <= movetime <= 1e9):
            raise ValueError(f"player engine: movetime is {movetime!r}: give seconds from 1e-6 to 1e9, such as 0.05")
        if not isinstance(weights, (str, os.PathLike, _ayo.Evaluator, type(None))):
            own = "an evaluation of your own goes into a player, which is an object with a method choose(position)"
            raise TypeError(f"weights of an Engine are an Evaluator, a name or a path, not {weights!r}: {own}")
        if isinstance(nodes, int) and nodes >= 2**64:
            raise ValueError(f"player engine: nodes is {nodes}: give a whole number from 1 to {2**64 - 1}")
        if isinstance(weights, os.PathLike):
            weights = os.fspath(weights)  # A `Run` cannot be pickled.
        time = None if movetime is None else f"{1e6 * movetime:.0f}us"
        given: dict[str, Any] = dict(weights=weights, depth=depth, nodes=nodes, movetime=time, threads=threads, hash=hash)
        given |= dict(tables=tables, book=book, **settings)
        texts = {name: text(value) for name, value in given.items() if value is not None}
        parts = [f"{name}={it}" if _PLAIN.fullmatch(it) else f'{name}="{it}"' for name, it in texts.items()]
        engine = super().__new__(cls, "engine" + ":" * bool(parts) + ",".join(parts), game, rules)
        engine._arguments = given | dict(movetime=movetime, game=game, rules=rules)
        return engine

    def __repr__(self) -> str:
        return f"Engine({', '.join(f'{name}={it!r}' for name, it in self._arguments.items() if it is not None)})"

    def __reduce__(self) -> tuple[Any, ...]:
        # The file with the weights of an evaluator is temporary, so a pickle contains the evaluator.
        return partial(type(self), **self._arguments), ()
