# SPDX-License-Identifier: MIT
"""Cells of rules with more than two states, as arrays of uint8."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import as_matrix, is_on_cuda, packed, rows_and_columns, seed_of
from ._errors import UsageError

StateArray = npt.NDArray[np.uint8]


def states_of(rule: _moorea.Rule | str) -> int:
    """Number of states of a rule; 2 for a text that is none, as patterns may have it."""
    if isinstance(rule, _moorea.Rule):
        return rule.states
    try:
        return _moorea.Rule(rule.partition(":")[0]).states  # without a suffix of a bounded grid
    except UsageError:
        return 2


def as_states(cells: Any, states: int) -> StateArray:
    """States as bytes; a view where the elements are bool or uint8, which are not compared with `states`."""
    array = np.asarray(cells)
    if array.dtype in (np.bool_, np.uint8):
        return array.view(np.uint8)
    if array.dtype.kind not in "iu":
        raise UsageError(f"cells of type {array.dtype} for a rule of {states} states: expected uint8 or other integers, or bool for state 1")
    wrong = (array < 0) | (array >= states)
    if wrong.any():
        at = tuple(int(each) for each in np.argwhere(wrong)[0])
        place = f"in row {at[0]} and column {at[1]}" if array.ndim == 2 else f"at index {at}"
        raise UsageError(f"the cell {place} is in state {array[at]}: expected states 0 to {states - 1}")
    return array.astype(np.uint8)


def rule_by_text(text: str) -> _moorea.Rule:
    """Rule of a definition, whatever else has its name: for pickles, which cannot name functions of the extension."""
    return _moorea.rule_by_text(text)


def cells_for(cells: Any, states: int) -> _moorea.PackedGrid | _moorea.PackedCells:
    """Packs the cells of a world with so many states: a Pattern, or anything that `packed` accepts.

    With more than two states, integers are states. Everything else is dead or alive, which is state 1.
    """
    file = getattr(cells, "_file", cells)
    if isinstance(file, _moorea.PatternFile):
        if not file.has_states:
            return file.cells
        cells = file.states
    if isinstance(cells, _moorea.PackedCells):
        fitted = cells.with_states(states)
        return fitted if states > 2 else fitted.live
    if states == 2 or isinstance(getattr(cells, "_packed", cells), _moorea.PackedGrid):
        return packed(cells)
    if is_on_cuda(cells):
        _require_bool_on_device(cells, states)
        return packed(cells)
    array = as_matrix(cells)
    if array.dtype == np.bool_:
        return packed(array)
    return _moorea.PackedCells.from_bytes(as_states(array, states), states)


def _require_bool_on_device(cells: Any, states: int) -> None:
    interface = getattr(cells, "__cuda_array_interface__", None)  # JAX's bool arrays have none
    if interface is not None and interface["typestr"] != "|b1":
        raise UsageError(
            f"cells of type {interface['typestr']} on a CUDA device for a rule of {states} states: expected bool for "
            "state 1; copy states to main memory, as with .cpu().numpy() or cupy.asnumpy"
        )


def unpacked(cells: _moorea.PackedCells) -> StateArray:
    array = np.empty((cells.height, cells.width), np.uint8)
    cells.read(array)
    return array


def random_states(shape: tuple[int, int] | int, states: int, density: float = 0.5, seed: int = 0) -> StateArray:
    """Random cells of a rule with more than two states, equal on every machine.

    Parameters
    ----------
    shape : (int, int) or int
        Rows and columns, or the side of a square.
    states : int
        Number of states of a cell, 2 to 256, as `Rule.states`.
    density : float
        Probability that a cell is not in state 0, from 0 to 1, rounded to a multiple of 2**-32. Such cells are
        in the states 1 to `states` - 1 with equal probability.
    seed : int
        0 to 2**64 - 1. The cell in column x and row y depends on seed, density, states, x and y only.

    Returns
    -------
    ndarray of uint8, shape (rows, columns)

    Raises
    ------
    UsageError
        For another density, seed or number of states.

    Notes
    -----
    The generator is Philox4x32-10 (Salmon et al. 2011), as of ``moorea run --random``. The cells that are not in
    state 0 are those of `soup` with the same arguments.

    Examples
    --------
    >>> cells = random_states((100, 200), 3, seed=1)
    >>> cells.shape, int(cells.max())
    ((100, 200), 2)
    """
    return unpacked(packed_random(shape, states, density, seed))


def packed_random(shape: tuple[int, int] | int, states: int, density: float, seed: int) -> _moorea.PackedCells:
    rows, columns = rows_and_columns(shape)
    return _moorea.PackedCells.random(columns, rows, density, seed_of(seed), states)
