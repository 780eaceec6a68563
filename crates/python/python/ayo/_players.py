"""The engine, with its settings as arguments."""

from __future__ import annotations

from typing import Any

from . import _ayo


def text(value: Any) -> str:
    """Returns a value as on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(text(it) for it in value)
    return str(value)


class Engine(_ayo.Player):
    """The strongest player: selective search with a transposition table, endgame tables and an opening book.

    `weights` is a name, a file or a run folder. Limits are `depth` in plies, `nodes` in positions and `movetime` in
    seconds; without a limit, the depth is 5. `hash` is the size of the transposition table in MiB, `tables` a folder,
    "likely" or "off", and `book` a file or "builtin". Other settings are those of the command line, such as
    `selective="off"`. Raises `ValueError` if a setting is invalid.
    """

    def __new__(
        cls, weights: str | None = None, *, depth: int | None = None, nodes: int | None = None,
        movetime: float | None = None, threads: int | None = None, hash: int | None = None, tables: str | None = None,
        book: str | None = None, game: str = "ayo", rules: str | None = None, **settings: Any,
    ) -> Engine:
        time = None if movetime is None else f"{round(1e6 * movetime)}us"
        given = dict(weights=weights, depth=depth, nodes=nodes, movetime=time, threads=threads, hash=hash)
        given |= dict(tables=tables, book=book, **settings)
        parts = [f'{name}="{text(value)}"' for name, value in given.items() if value is not None]
        return super().__new__(cls, "engine" + ":" * bool(parts) + ",".join(parts), game, rules)
