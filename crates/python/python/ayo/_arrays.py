"""Arrays of positions, which the extension module reads as bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

    from ._ayo import Evaluator, Position


def _rows(positions: ArrayLike | Sequence[Position]) -> NDArray[Any]:
    """Returns a contiguous array of 8- or 16-bit numbers with a row per position."""
    import numpy as np

    if isinstance(positions, (list, tuple)):
        array = np.asarray([getattr(it, "seeds", it) for it in positions])
    else:
        array = np.asarray(positions)
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise ValueError(f"positions have shape {array.shape} and type {array.dtype}, not two dimensions of integers")
    if array.dtype.kind == "i" or array.dtype.itemsize > 2:
        if array.size and (array.min() < 0 or array.max() > 65535):
            raise ValueError("positions have a number outside 0 to 65535")
        array = array.astype(np.uint8 if not array.size or array.max() < 256 else np.uint16)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def evaluate_batch(
    evaluator: Evaluator,
    positions: ArrayLike | Sequence[Position],
    features: bool,
    game: str | None,
    threads: int | None,
) -> NDArray[np.int32]:
    """Evaluates positions, or computes their features."""
    import numpy as np

    array = _rows(positions)
    rows, columns = array.shape
    data = evaluator._evaluate_rows(array.tobytes(), columns, array.itemsize, features, game, threads)
    values = np.frombuffer(data, dtype=np.int32)
    return values.reshape(rows, len(evaluator.feature_names)) if features else values


def to_series(evaluator: Evaluator) -> pd.Series[int]:
    """Returns the weights as a row of a table."""
    import pandas as pd

    return pd.Series(evaluator.weights, name=evaluator.name)
