# SPDX-License-Identifier: MIT
"""Packed cells in main memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import ArrayOperators, BoolArray, packed, rows_and_columns, seed_of
from ._errors import UsageError


class Box(NamedTuple):
    """Rectangle of cells: columns `x` to `x + width - 1`, rows `y` to `y + height - 1`."""

    x: int
    y: int
    width: int
    height: int


def box_or_none(box: tuple[int, int, int, int] | None) -> Box | None:
    return None if box is None else Box(*box)


class Grid(ArrayOperators):
    """Two-dimensional cells in main memory, 64 in each word.

    Takes an eighth of the memory of an array of bool. NumPy functions accept a grid, and copy it to such an
    array; `words` is its memory without a copy.

    Parameters
    ----------
    cells : array_like
        Two dimensions, rows and columns; 0 is dead, everything else alive. Arrays in the memory of a CUDA
        device are packed there.

    Examples
    --------
    >>> Grid([[0, 1, 0], [0, 1, 0], [0, 1, 0]]).population
    3
    """

    __slots__ = ("_packed",)
    _packed: _moorea.PackedGrid

    def __init__(self, cells: Any) -> None:
        grid = packed(cells)
        if grid is getattr(cells, "_packed", None):  # a copy of another grid
            grid = _moorea.PackedGrid.from_words(grid.words, grid.width)
        self._packed = grid

    @classmethod
    def _of(cls, grid: _moorea.PackedGrid) -> Grid:
        made = cls.__new__(cls)
        made._packed = grid
        return made

    @classmethod
    def from_words(cls, words: npt.ArrayLike, width: int) -> Grid:
        """Grid with a copy of packed rows.

        Parameters
        ----------
        words : array_like of uint64, shape (rows, ceil(width / 64))
            Bit i of word j of a row is the cell in column 64 j + i. Bits beyond the width are ignored.
        width : int
            Cells in a row.

        Raises
        ------
        UsageError
            If the words of a row are not as many as the width needs.
        """
        array = np.ascontiguousarray(words, dtype=np.uint64)
        if array.ndim != 2:
            raise UsageError(f"words of shape {array.shape}: expected two dimensions, rows and words")
        return cls._of(_moorea.PackedGrid.from_words(array, width))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._packed.height, self._packed.width

    @property
    def dtype(self) -> np.dtype[np.bool_]:
        """Type of the cells in arrays: bool."""
        return np.dtype(np.bool_)

    @property
    def ndim(self) -> int:
        """2."""
        return 2

    @property
    def words(self) -> npt.NDArray[np.uint64]:
        """Memory of the grid, without a copy: uint64, shape (rows, ceil(columns / 64)).

        Bit i of word j of a row is the cell in column 64 j + i. The array can be written, has the buffer
        protocol and DLPack, and keeps the memory as long as it exists.
        """
        return self._packed.words

    @property
    def population(self) -> int:
        """Number of live cells."""
        return self._packed.population

    @property
    def hash(self) -> int:
        """State hash of the live cells, with the top-left cell at (0, 0); see docs/rules.md."""
        return self._packed.hash()

    @property
    def bounding_box(self) -> Box | None:
        """Smallest box that contains all live cells; None if all are dead."""
        return box_or_none(self._packed.bounding_box())

    def _read_all(self) -> BoolArray:
        array = np.empty(self.shape, np.bool_)
        self._packed.read(0, 0, array.view(np.uint8))
        return array

    def __getitem__(self, index: Any) -> Any:
        return self._read_all()[index]

    def __len__(self) -> int:
        return self._packed.height

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Grid):
            return self._packed == other._packed
        return np.equal(self, other)  # type: ignore[call-overload]

    def __ne__(self, other: object) -> Any:
        if isinstance(other, Grid):
            return not self == other
        return np.not_equal(self, other)  # type: ignore[call-overload]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<moorea.Grid of {rows} x {columns} cells, population {self.population}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Grid.from_words, (np.array(self.words), self._packed.width)


def soup(shape: tuple[int, int] | int, density: float = 0.5, seed: int = 0) -> Grid:
    """Random cells, equal on every machine and device.

    Parameters
    ----------
    shape : (int, int) or int
        Rows and columns, or the side of a square.
    density : float
        Probability that a cell is alive, 0 to 1, rounded to a multiple of 2**-32.
    seed : int
        0 to 2**64 - 1. The cell in column x and row y depends on seed, density, x and y only.

    Returns
    -------
    Grid

    Notes
    -----
    The generator is Philox4x32-10 (Salmon et al. 2011), as of ``moorea run --random``.

    Examples
    --------
    >>> soup((100, 200), 0.3, seed=1).shape
    (100, 200)
    """
    rows, columns = rows_and_columns(shape)
    return Grid._of(_moorea.PackedGrid.random(columns, rows, density, seed_of(seed)))
