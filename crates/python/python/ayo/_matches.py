"""Matches and their results."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

from . import _ayo
from ._players import Path, optional, shown, spec

if TYPE_CHECKING:
    import pandas as pd


class Chooser(Protocol):
    """A player written in Python."""

    def choose(self, position: _ayo.Position, /) -> SupportsIndex | str: ...


Function = Callable[[_ayo.Position], SupportsIndex | str]
Opponent = str | os.PathLike[str] | _ayo.Player | _ayo.Evaluator | Chooser | Function


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, from player A's point of view.

    Scores are points per game from 0 to 1, Elo differences are logistic, and intervals cover 95 %. `pairs` counts the
    game pairs by A's results, from "ll" for two losses to "ww" for two wins. `los` is the likelihood that A is
    stronger. `sprt` has the keys test, llr, bounds and decision. `records` has a dictionary for each game, with the
    seeds of A and B. Mean seeds and forfeits are also in the order A, B.
    """

    a: str
    b: str
    openings: str
    games: int
    wins: int
    draws: int
    losses: int
    pairs: dict[str, int]
    score: float
    score_ci95: tuple[float, float]
    elo: float | None
    elo_ci95: tuple[float | None, float | None]
    los: float
    distinct_games: int
    mean_seeds: tuple[float, float]
    mean_plies: float
    forfeits: tuple[int, int]
    sprt: dict[str, Any] | None
    records: list[dict[str, Any]]

    def to_frame(self) -> pd.DataFrame:
        """Returns a table with a row per game and the seeds of A and B in two columns. Needs pandas."""
        rows = [record | dict(zip(("seeds_a", "seeds_b"), record["seeds"])) for record in self.records]
        return optional("pandas").DataFrame(rows).drop(columns="seeds", errors="ignore")

    def __repr__(self) -> str:
        low, high = self.score_ci95
        games = f"{self.games} games, +{self.wins} ={self.draws} -{self.losses}"
        score = f"{self.score:.3f} ({low:.3f} to {high:.3f}), {games}" if self.games else "no games"
        forfeits = [f", {n} forfeited by {player}" for n, player in zip(self.forfeits, (self.a, self.b)) if n]
        return f"MatchResult({self.a} against {self.b}: {score}{''.join(forfeits)})"


def match(
    a: Opponent, b: Opponent, *, games: int | None = None, openings: Path = "plies:4", seed: int = 1,
    sprt: str | bool | None = None, game: str = "ayo", rules: str | None = None, threads: int | None = None,
    progress: Callable[[MatchResult], object] | None = None,
) -> MatchResult:
    """Plays two players against each other, each opening twice with sides swapped.

    A player is a specification as on the command line, a `Player`, weights (an `Evaluator`, a `Run` or the path of
    a run folder or weights file, which search five plies), or a Python object with a method `choose(position)` that
    returns a move and optionally a text `name`, or such a function. An illegal move loses the game. Threads take
    turns calling the method. `openings` is a specification, such as "random:5000,plies=8", or a file. `games`
    limits the number of games, for which openings are drawn with `seed`. `sprt` is a sequential test that can end
    the match early, such as "elo0=0,elo1=10"; `True` selects this test. About once a second, `progress` (such as
    `print`) is called with the result so far, whose `records` are empty. Raises `ValueError` if an argument is
    invalid, and any exception that a Python player or `progress` raises. If an exception, such as that of Ctrl-C,
    ends a match, its attribute `result` is the `MatchResult` of the complete pairs of games.
    """
    test = ("elo0=0,elo1=10" if sprt else None) if isinstance(sprt, bool) else sprt
    first, second = (spec(it) if isinstance(it, os.PathLike) else it for it in (a, b))
    if not isinstance(openings, (str, os.PathLike)):
        accepted = 'a specification, such as "random:5000,plies=8", or a file with positions'
        raise TypeError(f"openings are {accepted}, not {openings!r}")
    if test is not None and not isinstance(test, str):
        raise TypeError(f'sprt is True or a text such as "elo0=0,elo1=10", not {sprt!r}')
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is a function that takes a MatchResult, such as print, not {progress!r}")
    show = None if progress is None else lambda text, progress=progress: progress(_result(text, a, b))
    suite = os.fspath(openings)
    try:
        return _result(_ayo.play_match(first, second, game, rules, suite, games, seed, test, threads, show), a, b)
    except BaseException as error:
        partial = getattr(error, "_match_result", None)
        if partial is not None and not hasattr(error, "result"):
            setattr(error, "result", _result(partial, a, b))
        raise


def _result(text: str, a: Opponent, b: Opponent) -> MatchResult:
    result = json.loads(text)
    result |= dict(a=shown(a, result["a"]), b=shown(b, result["b"]))
    for pair in ("score_ci95", "elo_ci95", "mean_seeds", "forfeits"):
        result[pair] = tuple(result[pair])
    return MatchResult(**result)
