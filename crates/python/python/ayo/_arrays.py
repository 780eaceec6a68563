"""Arrays of positions, which the extension module reads as bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._ayo import Evaluator, Position
from ._players import optional

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = optional("numpy")

def _rows(positions: Any) -> NDArray[Any]:
    """Returns an array of 8- or 16-bit numbers with a row per position."""
    try:
        array = np.asarray(positions)
        if array.dtype.kind == "O":
            # Nullable columns of pandas contain objects, and `NA` for a missing value.
            items = [np.nan if it is None or repr(it) == "<NA>" else it for it in array.ravel()]
            if any(isinstance(it, (str, bytes)) for it in items):
                raise ValueError("they contain text")
            array = np.array(items, np.float64).reshape(array.shape)
    except (TypeError, ValueError) as error:
        raise ValueError(f"positions are not an array of integers: {error}") from None
    if array.shape[:1] == (0,):
        return np.zeros((0, 1), np.uint8)
    if array.dtype.kind == "f" and array.ndim == 2:
        # A column of pandas that has or had missing values contains floats.
        with np.errstate(invalid="ignore"):
            whole = array.astype(np.int64)
        if (broken := (whole != array).any(axis=1)).any():
            raise ValueError(f"row {broken.argmax()}: a number is missing or not whole")
        array = whole
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise ValueError(f"positions have shape {array.shape} and type {array.dtype}, not two dimensions of integers")
    # Negative numbers become large unsigned numbers.
    unsigned, limit = array.view(array.dtype.str.replace("i", "u")), min(65535, np.iinfo(array.dtype).max)
    highest = unsigned.max(initial=0)
    if highest > limit:
        raise ValueError(f"row {(unsigned > limit).any(axis=1).argmax()}: a number is outside 0 to 65535")
    return array.astype(np.uint8 if highest < 256 else np.uint16, copy=False)


def evaluate_batch(
    evaluator: Evaluator, positions: Any, features: bool, game: str | None, threads: int | None
) -> NDArray[np.int32]:
    """Evaluates positions, or computes their features."""
    if isinstance(positions, Position):
        raise ValueError("positions are a single position: pass a list, or call evaluate")
    if getattr(positions, "dtype", None) == object and positions.ndim == 1:
        # An array or a pandas column of objects.
        positions = list(positions)
    if isinstance(positions, (list, tuple)) and any(isinstance(it, Position) for it in positions):
        for row, it in enumerate(positions):
            if not isinstance(it, Position) and not hasattr(it, "__len__"):
                raise ValueError(f"row {row}: {it!r} is not a position")
        games = {it.game for it in positions if isinstance(it, Position)} | ({game} if game else set())
        if len(games) > 1:
            raise ValueError(f"positions of different games: {', '.join(sorted(games))}")
        (game,), positions = games, [getattr(it, "seeds", it) for it in positions]
    array = _rows(positions)
    rows, columns = array.shape
    data = evaluator._evaluate_rows(array.tobytes(), columns, array.itemsize == 1, features, game, threads)
    values = np.frombuffer(data, dtype=np.int32)
    return values.reshape(rows, len(evaluator.feature_names)) if features else values


def to_series(evaluator: Evaluator) -> Any:
    """Returns the weights as a pandas Series, for use as a row of a table."""
    return optional("pandas").Series(evaluator.weights, name=evaluator.name)
