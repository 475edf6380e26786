# SPDX-License-Identifier: MIT
"""Cells of an ensemble as an array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._arrays import ArrayOperators, BoolArray, as_alive

if TYPE_CHECKING:
    from ._ensemble import Ensemble


class EnsembleCells(ArrayOperators):
    """Cells of an ensemble: `Ensemble.cells`.

    An array of bool of shape (worlds, rows, columns). Reading copies, and only the worlds that are asked for;
    assigning changes the worlds. NumPy functions and operators accept the object.
    """

    __slots__ = ("_ensemble",)

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble

    @property
    def shape(self) -> tuple[int, int, int]:
        """Worlds, rows and columns."""
        return self._ensemble.shape

    @property
    def ndim(self) -> int:
        """3."""
        return 3

    @property
    def dtype(self) -> np.dtype[np.bool_]:
        """Type of the cells: bool."""
        return np.dtype(np.bool_)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[BoolArray]:
        return (self[i] for i in range(len(self)))

    def _read_all(self) -> BoolArray:
        return self._read(np.arange(len(self)))

    def _read(self, worlds: npt.NDArray[np.intp]) -> BoolArray:
        array = np.empty((len(worlds), *self.shape[1:]), np.bool_)
        for first, part in _runs(worlds):
            self._ensemble._engine.read_bytes(first, array[part].view(np.uint8))
        return array

    def _part(self, index: Any) -> tuple[npt.NDArray[np.intp], Any]:
        """Worlds that an index may touch, ascending, and the index of the same cells in an array of these worlds."""
        parts = index if isinstance(index, tuple) else (index,)
        first = parts[0] if parts else ...
        every = np.arange(len(self))
        if isinstance(first, slice):
            worlds = every[first]
            return (worlds, (slice(None), *parts[1:])) if (first.step or 1) > 0 else (worlds[::-1], (slice(None, None, -1), *parts[1:]))
        if first is None or first is Ellipsis or np.asarray(first).dtype == bool and np.ndim(first) != 1:
            return every, index
        chosen = every[first]
        worlds = np.unique(chosen)
        place = np.searchsorted(worlds, chosen)
        return worlds, (place if np.ndim(chosen) else int(place), *parts[1:])

    def __getitem__(self, index: Any) -> Any:
        worlds, inner = self._part(index)
        return self._read(worlds)[inner]

    def __setitem__(self, index: Any, value: Any) -> None:
        worlds, inner = self._part(index)
        array = self._read(worlds)
        array[inner] = as_alive(value)
        for first, part in _runs(worlds):
            self._ensemble._engine.write_bytes(first, array[part].view(np.uint8))

    def packed(self) -> npt.NDArray[np.uint64]:
        """Copies the cells as packed words, without unpacking.

        Returns
        -------
        ndarray of uint64, shape (worlds, rows, ceil(columns / 64))
            Bit i of word j of a row is the cell in column 64 j + i; bits beyond the width are 0.
        """
        worlds, rows, columns = self.shape
        words = np.empty((worlds, rows, (columns + 63) // 64), np.uint64)
        self._ensemble._engine.read_words(0, words)
        return words

    def __repr__(self) -> str:
        worlds, rows, columns = self.shape
        return f"<moorea.EnsembleCells: {worlds} x {rows} x {columns}, bool>"


def _runs(worlds: npt.NDArray[np.intp]) -> Iterator[tuple[int, slice]]:
    """Runs of adjacent worlds: the first world, and the places of the run."""
    ends = [0, *(np.flatnonzero(np.diff(worlds) != 1) + 1).tolist(), len(worlds)]
    for begin, end in zip(ends, ends[1:]):
        if begin < end:
            yield int(worlds[begin]), slice(begin, end)
