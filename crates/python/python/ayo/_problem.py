"""An ask-and-tell interface: the fitness of weights, for optimisers written in Python."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _ayo
from ._players import Weights, optional, text
from ._run import texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    _Members: TypeAlias = ArrayLike | Sequence[Mapping[str, float]]


class Problem(_ayo.Problem):
    """Weights that play games against opponents, with the features, depth and rules of a preset.

    A member is a row of weights, one per name in `features`. They are multiplied by the signs of the features,
    depending on the setting `signs`. With `signs="literal"`, a row can consist of an evaluator's `effective_weights`.
    `opponents` are weights that every member plays: evaluators, names, files or run folders. They are searched like the
    members, with the depth, quiescence and ties of the preset, whereas `match` searches each player with settings of
    its own, so that the same names can score differently. Other settings are the same as for `train`. A problem can be
    sent to other processes: pass `step` there, since each process counts only its own calls. Needs NumPy. Raises
    `ValueError` if a setting is invalid.
    """

    _arguments: tuple[str | None, dict[str, Any]]

    def __new__(
        cls, preset: str | None = None, *, opponents: Weights | Sequence[Weights] = (), **settings: Any
    ) -> Problem:
        optional("numpy")
        if isinstance(opponents, (str, os.PathLike, _ayo.Evaluator, _ayo.Player)):
            opponents = [opponents]
        opponents = list(opponents)
        for it in opponents:
            if not isinstance(it, (str, os.PathLike, _ayo.Evaluator)):
                raise TypeError(f"opponents of a Problem are weights, that is, names, paths or evaluators, not {it!r}")
        problem = super().__new__(cls, preset, texts(settings), [text(it) for it in opponents])
        problem._arguments = (preset, settings)
        return problem

    def __getnewargs_ex__(self) -> tuple[tuple[str | None], dict[str, Any]]:
        preset, settings = self._arguments
        return (preset,), {"opponents": self._opponents, **settings}

    def __getstate__(self) -> tuple[dict[str, Any], list[int]]:
        return self.__dict__, self._counts

    def __setstate__(self, state: tuple[dict[str, Any], list[int]]) -> None:
        attributes, self._counts = state
        self.__dict__.update(attributes)

    def __repr__(self) -> str:
        return f"Problem({self._arguments[0]!r}: {len(self.features)} features, {self.games} games)"

    def evaluate(
        self, population: _Members, opponents: _Members | None = None, *, openings: int = 4, step: int | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Returns the mean points per game, from 0 to 1, of each row of an array of shape (members, features).

        The columns of a pandas table and the values of dictionaries are taken by name.

        Members also play the rows of `opponents`. All games start from the same `openings`, with both colours. Openings
        depend on the seed and on `step`, by default the number of earlier calls. Only the direction of a row matters.
        Raises `ValueError` if a shape is wrong or a number is not finite.
        """
        import numpy as np

        members = self._matrix(population)
        others = self._matrix(opponents) if opponents is not None else b""
        return np.array(self._evaluate(members, others, openings, step, threads) if members else [], np.float64)

    def evaluator(self, row: ArrayLike | Mapping[str, float], name: str = "candidate") -> _ayo.Evaluator:
        """Returns the evaluator with the weights of a row: an array of shape (features,), or weights by name."""
        import numpy as np

        values: Any = row
        if self._are_features(row if isinstance(row, Mapping) else getattr(row, "index", None)):
            values = [values[name] for name in self.features]
        if np.ndim(values) != 1:
            raise ValueError(f"a row has shape {np.shape(values)}, not ({len(self.features)},)")
        return self._evaluator(self._matrix([values]), name)

    def _are_features(self, labels: Any) -> bool:
        """Returns whether labels of a pandas object are the features in any order. Other names are refused."""
        if labels is None or callable(labels) or not any(isinstance(it, str) for it in labels):
            return False
        if sorted(map(str, labels)) != sorted(self.features):
            names = f"{', '.join(map(str, labels))}, not {', '.join(self.features)}"
            raise ValueError(f"a table or dictionary has the names {names}: rename them, or pass an array (table.to_numpy())")
        return True

    def _matrix(self, rows: Any) -> bytes:
        import numpy as np

        if self._are_features(getattr(rows, "columns", None)):
            rows = rows[self.features]
        if isinstance(rows, Mapping):
            raise ValueError("a dictionary is a single member: for a member x, pass [x]")
        if isinstance(rows, (list, tuple)) and all(isinstance(row, Mapping) and self._are_features(row) for row in rows):
            rows = [[row[name] for name in self.features] for row in rows]
        try:
            array = np.ascontiguousarray(rows, dtype=np.float64)
        except OverflowError as error:
            raise ValueError(f"a number is not finite: {error}") from None
        except (TypeError, ValueError) as error:
            advice = "names and evaluators go into Problem(opponents=…)"
            raise ValueError(f"not an array of numbers ({error}): {advice}") from None
        if array.shape == (0,):
            return b""
        if array.ndim != 2 or array.shape[1] != len(self.features):
            advice = ": for a single member x, pass [x]" if array.ndim == 1 else ""
            raise ValueError(f"an array has shape {array.shape}, not (members, {len(self.features)}){advice}")
        return array.tobytes()
