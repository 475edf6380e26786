# SPDX-License-Identifier: MIT
"""Many worlds of one size that are advanced together."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import as_bytes, is_on_cuda, rows_and_columns, seed_of
from ._ensemble_cells import EnsembleCells
from ._errors import BusyError, UsageError
from ._grid import Grid

Rules = _moorea.Rule | str | Sequence[_moorea.Rule | str]
Groups = list[tuple[_moorea.Rule, int]]


def shape_of(shape: tuple[int, int] | int) -> tuple[int, int]:
    """Rows and columns; one number is the side of a square."""
    return rows_and_columns(shape)


def groups_of(rule: Rules, worlds: int | Sequence[int]) -> Groups:
    """Rules with their numbers of worlds: one number is that of each rule."""
    given: list[_moorea.Rule | str] = [rule] if isinstance(rule, (str, _moorea.Rule)) else list(rule)
    numbers = [operator.index(each) for each in worlds] if isinstance(worlds, (Sequence, np.ndarray)) else [operator.index(worlds)] * len(given)
    if len(numbers) != len(given):
        raise UsageError(f"{len(numbers)} numbers of worlds for {len(given)} rules: expected one for each, or one number")
    if not given or min(numbers) < 0 or sum(numbers) == 0:
        raise UsageError("an ensemble without worlds: expected a rule and at least 1 world")
    return [(_moorea.Rule(each) if isinstance(each, str) else each, number) for each, number in zip(given, numbers)]


def _as_worlds(cells: Any) -> npt.NDArray[np.uint8]:
    """Three-dimensional cells in main memory as bytes; a view where the elements are bytes already."""
    if is_on_cuda(cells):
        raise UsageError("cells of an ensemble are read from main memory: copy the array there, as with cells.cpu() or cells.get()")
    array = as_bytes(cells, ("worlds", "rows", "columns"))
    if 0 in array.shape:
        raise UsageError(f"cells of shape {array.shape}: expected at least one world of one cell")
    return array


def _split(worlds: int, rules: int) -> list[int]:
    """Equal numbers of worlds for each rule."""
    if worlds % rules:
        raise UsageError(f"cells of {worlds} worlds for {rules} rules: worlds=[...] gives the number of each rule")
    return [worlds // rules] * rules


class Ensemble:
    """Many worlds of one size that are advanced together, bit-sliced: hundreds of worlds in a vector.

    For statistics over initial states, and for comparisons of rules. `survey` visits more worlds than fit in
    memory. Worlds are numbered from 0 on, and every result has one entry for each world, in this order.

    Parameters
    ----------
    rule : Rule, str or sequence of them
        ``"B3/S23"``, or a name such as ``"Life"``. Of several rules the first worlds have the first rule.
    worlds : int or sequence of int
        Number of worlds of each rule, or a number for each rule. Not needed with `cells`.
    shape : (int, int) or int
        Rows and columns of each world, or the side of squares. Not needed with `cells`.
    cells : array_like, shape (worlds, rows, columns), optional
        Cells at generation 0: 0 is dead, everything else alive. By default world i is
        ``soup(shape, density, seeds[i])``.
    topology : {"torus", "plane"}
        Edges joined, or dead outside.
    density : float
        Probability that a cell of the soups is alive, 0 to 1.
    seed : int
        0 to 2**64 - 1, of the soups. World i depends on shape, density, seed and i only: not on the number of
        worlds, the device, or the threads.
    device : str
        ``"cpu"``, ``"cuda"`` (the first GPU) or a CUDA device of `devices`.
    kernel : str
        ``"cpu/strided"``, ``"cpu/strided_avx2"`` or ``"cpu/strided_avx512"``, with 64, 256 and 512 worlds in a
        vector. By default the widest that this machine has, or a narrower one that suffices for the worlds of each rule;
        but AVX-512, if available, for any number of worlds of up to about 120,000 cells.
    threads : int
        CPU threads; 0: all CPUs that this process may use.

    Raises
    ------
    UsageError
        For a wrong argument (a `ValueError`).
    UnavailableError
        If the device or kernel is not available here; the text has the reason.
    OutOfMemoryError
        If the worlds do not fit (a `MemoryError`).

    Notes
    -----
    Work is done without the GIL, and a call on an ensemble that another thread is using raises `BusyError`.
    Ctrl-C stops within 100 ms, unless a single pass over a batch of worlds takes longer. Worlds are then at
    generations of their own, as if each had been stepped alone: `generations` has them.
    Ensembles pickle and copy with their cells.

    Examples
    --------
    >>> ensemble = Ensemble(["Life", "HighLife"], worlds=100, shape=(32, 48), density=0.3, seed=1)
    >>> ensemble.step(500)
    >>> ensemble.populations.reshape(2, 100).mean(axis=1).shape
    (2,)
    """

    __slots__ = ("_place", "_topology", "_noise", "_before", "_groups", "_shape", "_engine", "__weakref__")

    def __init__(
        self,
        rule: Rules = "Life",
        worlds: int | Sequence[int] | None = None,
        shape: tuple[int, int] | int | None = None,
        *,
        cells: npt.ArrayLike | None = None,
        topology: str = "torus",
        density: float = 0.5,
        seed: int = 0,
        device: str = "cpu",
        kernel: str = "",
        threads: int = 0,
    ) -> None:
        self._place = (device, kernel, threads)
        self._topology = topology
        self._noise: tuple[float, int] | None = None
        self._before: npt.NDArray[np.uint64] | None = None  # generations of an earlier life, by pickling
        if cells is None:
            if worlds is None:
                raise UsageError("an ensemble without cells: expected the number of worlds")
            self._noise = float(density), seed_of(seed)
            self._groups = groups_of(rule, worlds)
            self._shape = shape_of(64 if shape is None else shape)
            self._engine = _moorea.EnsembleEngine.of_noise(self._groups, topology, self._shape, self._noise, self._place)
            return
        array = _as_worlds(cells)
        self._shape = int(array.shape[1]), int(array.shape[2])
        if shape is not None and shape_of(shape) != self._shape:
            raise UsageError(f"cells of shape {array.shape} for worlds of shape {shape}: leave the shape out")
        rules = 1 if isinstance(rule, (str, _moorea.Rule)) else len(rule)
        self._groups = groups_of(rule, _split(len(array), rules) if worlds is None else worlds)
        if len(self) != len(array):
            raise UsageError(f"cells of {len(array)} worlds for an ensemble of {len(self)}")
        self._engine = _moorea.EnsembleEngine.of_bytes(self._groups, topology, array, self._place)

    # Facts

    def __len__(self) -> int:
        return sum(number for _, number in self._groups)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Worlds, rows and columns."""
        return len(self), *self._shape

    @property
    def rules(self) -> list[_moorea.Rule]:
        """Rules, in the order of their worlds."""
        return [rule for rule, _ in self._groups]

    @property
    def rule_of(self) -> npt.NDArray[np.intp]:
        """Index in `rules` of the rule of each world: array of shape (worlds,)."""
        return np.repeat(np.arange(len(self._groups)), [number for _, number in self._groups])

    @property
    def topology(self) -> str:
        """``"torus"`` or ``"plane"``."""
        return self._topology

    @property
    def device(self) -> str:
        """Device that advances the worlds, as it was given."""
        return self._place[0]

    @property
    def kernel(self) -> str:
        """Name of the kernel that runs."""
        return self._engine.kernel

    @property
    def threads(self) -> int:
        """Maximum number of CPU threads."""
        return self._engine.threads

    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """Seed of the soup that each world began with: uint64, shape (worlds,). See docs/ensembles.md.

        ``soup(shape, density, seeds[i])`` is world i at generation 0, also where cells were edited later.

        Raises
        ------
        UsageError
            If the ensemble was made of cells.
        """
        if self._noise is None:
            raise UsageError("an ensemble that was made of cells has no seeds")
        return _moorea.world_seeds(self._noise[1], 0, len(self))

    @property
    def generations(self) -> npt.NDArray[np.uint64]:
        """Generation of each world: uint64, shape (worlds,)."""
        generations = self._engine.generations()
        return generations if self._before is None else generations + self._before

    @property
    def generation(self) -> int:
        """Generation of all worlds.

        Raises
        ------
        UsageError
            If worlds are at different generations: see `generations`.
        """
        first, *others = np.unique(self.generations).tolist()
        if others:
            raise UsageError(f"worlds are at generations {first} to {others[-1]}: Ensemble.generations has that of each")
        return int(first)

    @property
    def populations(self) -> npt.NDArray[np.uint64]:
        """Live cells of each world: uint64, shape (worlds,)."""
        return self._engine.populations()

    @property
    def hashes(self) -> npt.NDArray[np.uint64]:
        """State hash of each world, as `Simulation.hash`: uint64, shape (worlds,)."""
        return self._engine.hashes()

    @property
    def bounding_boxes(self) -> npt.NDArray[np.int64]:
        """Smallest box with all live cells of each world: int64, shape (worlds, 4).

        Columns are x, y, width and height, in cells; all are 0 for a world without live cells.
        """
        return self._engine.bounding_boxes()

    def periods(self, max_period: int = 60) -> npt.NDArray[np.uint32]:
        """Periods of the worlds' present states; the ensemble stays as it is.

        Computes up to `max_period` generations and compares cells, not hashes.

        Parameters
        ----------
        max_period : int
            Largest period that is searched, in generations.

        Returns
        -------
        ndarray of uint32, shape (worlds,)
            Smallest number of generations after which the present state recurs; 0 if there is none.

        Raises
        ------
        UsageError
            If `max_period` is less than 1.
        """
        if max_period < 1:
            raise UsageError(f"max_period {max_period}: expected at least 1")
        return self._engine.periods(max_period)

    # Time

    def step(self, generations: int | npt.ArrayLike = 1) -> None:
        """Advances all worlds, or each by its own number of generations.

        Parameters
        ----------
        generations : int or array_like of int, shape (worlds,)

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C. Worlds are then at generations of their own;
            ``step(generations.max() - generations)`` advances all to the same one.

        Examples
        --------
        >>> ensemble = Ensemble(worlds=3, shape=16)
        >>> ensemble.step([0, 5, 10])
        >>> ensemble.step(ensemble.generations.max() - ensemble.generations)
        >>> ensemble.generation
        10
        """
        array = np.asarray(generations)
        if array.dtype.kind not in "iu" or array.ndim > 1:
            raise TypeError(f"generations of type {array.dtype} and shape {array.shape}: expected an integer, or one for each world")
        if array.size and array.min() < 0:
            raise UsageError(f"{array.min()} generations: expected 0 or more")
        if array.ndim == 0:
            self._engine.step(int(array))
        else:
            self._engine.step_each(np.ascontiguousarray(array, np.uint64))

    def step_counting(self, generations: int) -> npt.NDArray[np.uint64]:
        """Advances all worlds and counts the live cells after each generation.

        Returns
        -------
        ndarray of uint64, shape (generations, worlds)
            Entry (g, i) is the population of world i after g + 1 generations.

        Raises
        ------
        OutOfMemoryError
            If the array does not fit in memory.
        """
        if generations < 0:
            raise UsageError(f"{generations} generations: expected 0 or more")
        return self._engine.counts(generations)

    def step_comparing(self) -> npt.NDArray[np.uint64]:
        """Advances all worlds by one generation and counts the cells that were born or died in it.

        Returns
        -------
        ndarray of uint64, shape (worlds,)
        """
        return self._engine.step_comparing()

    # Cells

    @property
    def cells(self) -> EnsembleCells:
        """Cells as an array of shape (worlds, rows, columns): indexing copies, assigning changes the worlds.

        ``ensemble.cells = array`` replaces all cells; the generations stay.
        """
        return EnsembleCells(self)

    @cells.setter
    def cells(self, cells: Any) -> None:
        self.cells[...] = cells

    def world(self, index: int) -> Grid:
        """Copies the packed cells of one world.

        Parameters
        ----------
        index : int
            From 0 on; negative numbers count from the end.
        """
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"there is no world {index} in an ensemble of {len(self)}")
        return Grid._of(self._engine.world(place % len(self)))

    def __repr__(self) -> str:
        worlds, rows, columns = self.shape
        try:
            return f"<moorea.Ensemble of {worlds} worlds of {rows} x {columns} {self._text()}>"
        except BusyError:
            return f"<moorea.Ensemble of {worlds} worlds of {rows} x {columns}, which another call uses>"

    def _text(self) -> str:
        shown = ", ".join(f"{rule} x {number}" for rule, number in self._groups[:3]) + (", ..." if len(self._groups) > 3 else "")
        generations = self.generations
        first, last = int(generations.min()), int(generations.max())
        when = f"generation {first}" if first == last else f"generations {first} to {last}"
        return f"({self.topology}; {shown}), {when}, {self.kernel} on {self.device}"

    def __reduce__(self) -> tuple[Any, ...]:
        made = ([rule for rule, _ in self._groups], [number for _, number in self._groups])
        return _unpickled, (*made, self.cells.packed(), self.shape, self._topology, self._place, self._noise, self.generations)


def _unpickled(
    rules: list[_moorea.Rule],
    worlds: list[int],
    words: npt.NDArray[np.uint64],
    shape: tuple[int, int, int],
    topology: str,
    place: tuple[str, str, int],
    noise: tuple[float, int] | None,
    generations: npt.NDArray[np.uint64],
) -> Ensemble:
    bits = np.unpackbits(words.view(np.uint8), axis=2, count=shape[2], bitorder="little")
    device, kernel, threads = place
    made = Ensemble(rules, worlds, cells=bits, topology=topology, device=device, kernel=kernel, threads=threads)
    made._noise, made._before = noise, generations
    return made
