# SPDX-License-Identifier: MIT
"""Worlds whose generations, populations and coordinates have any size."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from . import _moorea
from ._errors import BusyError, UsageError
from ._grid import Box, Grid, box_or_none
from ._pattern import Pattern
from ._simulation import Simulation
from ._states import cells_for


class HashLife:
    """A world of two states as a tree in which equal squares are stored and advanced once.

    For patterns that are regular in space or time: guns, breeders, computers and metacells, for 10**30
    generations and more. Noise has few equal squares: `Simulation` is for that, and it, too, advances an
    unbounded plane as a tree where that is faster.

    Parameters
    ----------
    rule : Rule or str
        Of two states and nine cells, such as ``"Life"``. A str may have the suffix of a torus whose sides are
        powers of two, ``"Life:T1024,512"``; otherwise the world is an unbounded plane.
    cells : array_like, Grid or Pattern, optional
        Rows and columns; 0 is dead. By default there are none. Those of an array begin at (0, 0); a pattern
        without a position is centred there on a plane, and in the middle of a torus.
    generation : int, optional
        Of the cells; by default that of a pattern, otherwise 0.
    memory : int
        Bytes of nodes and their tables, beyond which unused ones are removed; 0: three quarters of what is
        available.
    threads : int
        CPU threads, 1 or more. They are used together where that is measured to be faster.

    Raises
    ------
    UsageError
        For a wrong argument (a `ValueError`).
    UnavailableError
        For worlds other than unbounded planes and such tori, with the reason.
    OutOfMemoryError
        If the cells do not fit, also from `step`.

    Notes
    -----
    Work is done without the GIL, and a call on a world that another thread is using raises `BusyError`.
    Ctrl-C ends a step; `generation` is then one that has been reached. Worlds pickle and copy with their
    cells, but for those whose background is alive (`RunError`).
    A step of any number of generations costs about what one of the next power of two does.

    Examples
    --------
    >>> world = HashLife("Life", [[0, 1, 0], [0, 0, 1], [1, 1, 1]])
    >>> world.step(4 * 10**30)
    >>> world.generation == 4 * 10**30, world.population, world.bounding_box.x == 10**30
    (True, 5, True)
    """

    __slots__ = ("_tree", "_options", "_about", "_rule", "_shape", "__weakref__")

    def __init__(
        self,
        rule: _moorea.Rule | str = "Life",
        cells: Any = None,
        *,
        generation: int | None = None,
        memory: int = 0,
        threads: int = 1,
    ) -> None:
        if not isinstance(rule, (str, _moorea.Rule)):
            raise TypeError(f"a rule of type {type(rule).__name__}: expected a Rule, or its name or notation")
        text = str(rule)
        bounds = text.partition(":")[2]
        if isinstance(cells, Pattern):
            start = Pattern(cells_for(cells, 2), text, position=cells.position, generation=cells.generation)
        elif bounds:
            start = Pattern(_no_cells(), text)
        else:
            start = Pattern(_no_cells() if cells is None else cells, text, position=(0, 0))
        options = _options(memory, threads)
        self._begin(_moorea.Tree.of_pattern(start._file, *options), start, options)
        if bounds and cells is not None and not isinstance(cells, Pattern):
            self.paste(cells)
        if generation is not None:
            self.generation = generation

    def _begin(self, tree: _moorea.Tree, about: Pattern | None, options: tuple[int, int]) -> None:
        self._tree = tree
        self._options = options
        # Name, author and comments
        self._about = _no_cells_of(about)._file
        name, _, bounds = tree.world().partition(":")
        self._rule = _moorea.Rule(name)
        self._shape = None
        if bounds:
            width, _, height = bounds[1:].partition(",")
            self._shape = int(height or width), int(width)

    @classmethod
    def _made(cls, tree: _moorea.Tree, about: Pattern | None, options: tuple[int, int]) -> HashLife:
        made = cls.__new__(cls)
        made._begin(tree, about, options)
        return made

    @classmethod
    def of(cls, start: Pattern | Simulation, *, memory: int = 0, threads: int = 1) -> HashLife:
        """World that a pattern's rule describes, or that of a simulation, with its cells and generation."""
        options = _options(memory, threads)
        if isinstance(start, Simulation):
            return cls._made(_moorea.Tree.of_simulation(start._engine, *options), None, options)
        if not isinstance(start, Pattern):
            raise TypeError(f"a start of type {type(start).__name__}: expected a Pattern or a Simulation; HashLife(rule, cells) takes arrays")
        return cls._made(_moorea.Tree.of_pattern(start._file, *options), start, options)

    @classmethod
    def read(cls, path: str | os.PathLike[str], rule: _moorea.Rule | str = "", *, memory: int = 0, threads: int = 1) -> HashLife:
        """World of a pattern file. Trees in macrocell files, and cells that are far apart in RLE, are not expanded.

        Parameters
        ----------
        path : path
            Any file that `Pattern.read` reads.
        rule : Rule or str
            Run in place of that of the file, if it is not empty.
        memory, threads : int
            As for the constructor.

        Raises
        ------
        RunError
            With file, line and column of a mistake.
        """
        options = _options(memory, threads)
        tree, facts = _moorea.Tree.read(os.fspath(path), str(rule), *options)
        return cls._made(tree, Pattern._of(facts), options)

    # Time

    def step(self, generations: int = 1) -> None:
        """Advances the world by any number of generations, 0 or more.

        Raises
        ------
        UsageError
            For a negative number, or one of more than 4096 binary digits.
        OutOfMemoryError
            If the nodes that are in use need more than `memory`; the cells are those of `generation`.
        """
        self._tree.step(generations)

    @property
    def generation(self) -> int:
        """Generation of the cells. Can be set."""
        return self._tree.generation()

    @generation.setter
    def generation(self, generation: int) -> None:
        if generation < 0:
            raise UsageError(f"generation {generation}: expected 0 or more")
        self._tree.set_generation(generation)

    # World

    @property
    def rule(self) -> _moorea.Rule:
        """Rule of the world."""
        return self._rule

    @property
    def topology(self) -> str:
        """``"unbounded"`` or ``"torus"``."""
        return "unbounded" if self._shape is None else "torus"

    @property
    def shape(self) -> tuple[int, int] | None:
        """Rows and columns of a torus; None for a plane."""
        return self._shape

    @property
    def population(self) -> int:
        """Number of live cells; while `background` is alive, of dead ones."""
        return self._tree.population()

    @property
    def background(self) -> bool:
        """Whether the cells far away are alive, as under rules with B0 in every other generation."""
        return self._tree.background()

    @property
    def bounding_box(self) -> Box | None:
        """Smallest box of the cells that `population` counts; None if there are none."""
        return box_or_none(self._tree.bounding_box())

    @property
    def hash(self) -> int:
        """Hash of the live cells at their coordinates, as `Simulation.hash`."""
        return self._tree.hash()

    @property
    def nodes(self) -> int:
        """Different squares of 16 x 16 cells and larger that are stored."""
        return self._tree.facts()[0]

    @property
    def nbytes(self) -> int:
        """Bytes of nodes, tables and results."""
        return self._tree.facts()[1]

    # Cells

    def window(self, box: tuple[int, int, int, int]) -> Grid:
        """Copy of the cells inside a box (x, y, width, height), at coordinates of any size.

        Raises
        ------
        OutOfMemoryError
            If the copy does not fit.
        UsageError
            For a box of more than 2**60 cells on a side, and for one of a torus at such coordinates.
        RunError
            For a box beyond coordinates of 2**60 while the background is alive.
        """
        if len(box) != 4 or min(box[2:]) < 0:
            raise UsageError(f"a box of {tuple(box)}: expected x, y, width and height")
        x, y, width, height = box
        return Grid._of(self._tree.window((x, y, width, height)))

    def paste(self, cells: Any, x: int = 0, y: int = 0, mode: str = "replace") -> None:
        """Combines cells with the world, as `Simulation.paste`; the generation stays."""
        self._tree.paste(cells_for(cells, 2), x, y, mode)  # type: ignore[arg-type]

    def snapshot(self, whole: bool = False) -> Pattern:
        """Pattern from which a run can continue, as `Simulation.snapshot`; its generation is 0 if it exceeds 2**64 - 1.

        Raises
        ------
        RunError
            If cells are beyond coordinates of 2**60, or the background is alive.
        """
        return Pattern._of(self._tree.snapshot(whole))

    def simulation(self, **options: Any) -> Simulation:
        """Simulation with the cells and the generation of the world. Options are those of `Simulation.of`."""
        return Simulation._made(options, self._tree.simulation)

    def write(self, path: str | os.PathLike[str], format: str = "") -> None:
        """Writes a pattern file, as `Pattern.write`. Macrocell files (.mc) hold the tree, whatever its size. They say generation 0 from 2**63 on.

        Raises
        ------
        UsageError
            For an unknown format.
        RunError
            If the cells have no place in the format, if the background is alive, or if writing fails.
        """
        self._tree.write(os.fspath(path), format, self._about)

    def __repr__(self) -> str:
        place = "an unbounded plane" if self._shape is None else f"a torus of {self._shape[0]} x {self._shape[1]} cells"
        try:
            return f"<moorea.HashLife {self._rule} on {place}, generation {_short(self.generation)}, {_short(self.population)} live cells>"
        except BusyError:
            return f"<moorea.HashLife {self._rule} on {place}, which another call uses>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._shape is not None:
            whole, about = self.snapshot(whole=True)._file, Pattern._of(self._about)
            rest: dict[str, Any] = dict(position=whole.position, name=about.name, author=about.author, comments=about.comments)
            return _unpickled_torus, (Pattern(Grid._of(whole.cells), whole.rule, **rest), self.generation, self._options)
        with tempfile.TemporaryDirectory(prefix="moorea-") as folder:
            path = os.path.join(folder, "world.mc")
            self.write(path)
            with open(path, "rb") as file:
                return _unpickled, (file.read(), self.generation, self._options)


def _options(memory: int, threads: int) -> tuple[int, int]:
    if threads < 1:
        raise UsageError(f"{threads} threads: expected 1 or more")
    if memory < 0:
        raise UsageError(f"a memory of {memory} bytes: expected 0 or more")
    return memory, threads


def _no_cells() -> Grid:
    return Grid._of(_moorea.PackedGrid(0, 0))


def _no_cells_of(pattern: Pattern | None) -> Pattern:
    if pattern is None:
        return Pattern(_no_cells())
    return Pattern(_no_cells(), name=pattern.name, author=pattern.author, comments=pattern.comments)


def _short(number: int) -> str:
    """Digits of a number, or its power of ten if it has many."""
    return f"{number:,}" if abs(number) < 10**15 else f"about 10^{len(str(abs(number))) - 1}"


def _unpickled(macrocell: bytes, generation: int, options: tuple[int, int]) -> HashLife:
    with tempfile.TemporaryDirectory(prefix="moorea-") as folder:
        path = os.path.join(folder, "world.mc")
        with open(path, "wb") as file:
            file.write(macrocell)
        made = HashLife.read(path, memory=options[0], threads=options[1])
    made.generation = generation
    return made


def _unpickled_torus(pattern: Pattern, generation: int, options: tuple[int, int]) -> HashLife:
    made = HashLife.of(pattern, memory=options[0], threads=options[1])
    made.generation = generation
    return made
