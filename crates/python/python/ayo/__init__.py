"""Mancala games: positions, search, endgame tables, matches, and training of evaluation functions.

Bad arguments raise `ValueError`. NumPy and pandas are imported when they are first needed.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from . import log
from ._ayo import Analysis, Book, Evaluator, Move, Player, Position, Result, Tables, build_tables, load, preset_names, run_task
from ._ayo import __version__
from ._matches import MatchResult, match
from ._players import Engine
from ._problem import Problem
from ._run import Champion, End, Event, Generation, Iteration, Measurement, Run, read_run, resume, settings, train

__all__ = [
    "Analysis", "Book", "Champion", "End", "Engine", "Evaluator", "Event", "Generation", "Iteration", "MatchResult",
    "Measurement", "Move", "Player", "Position", "Problem", "Result", "Run", "Tables", "build_tables", "load", "log",
    "match", "preset_names", "read_run", "resume", "run_task", "settings", "train", "__version__",
]

if TYPE_CHECKING:
    from . import envs as envs, ray as ray, spiel as spiel
else:
    _OPTIONAL = ("envs", "ray", "spiel")

    def __dir__():
        return [*__all__, *_OPTIONAL]

    def __getattr__(name):
        """Imports a module that needs an optional package when it is first used."""
        if name in _OPTIONAL:
            try:
                return import_module(f"{__name__}.{name}")
            except ModuleNotFoundError as error:
                # `help` and `hasattr` expect this exception.
                raise AttributeError(str(error)) from error
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
