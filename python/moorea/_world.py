# SPDX-License-Identifier: MIT
"""Queries, edits and pictures of a world."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import BoolArray, whole_box, whole_generations
from ._cells import Cells
from ._errors import BusyError, UsageError
from ._grid import Box, box_or_none
from ._pattern import Pattern
from ._picture import Picture, draw
from ._states import StateArray, cells_for


class World:
    """Base class of `Simulation`: what it knows and shows of its cells, and how they are edited."""

    __slots__ = ("_engine", "_options", "_observing", "_version")

    _engine: _moorea.Engine
    _options: dict[str, Any]
    _observing: bool
    _version: int  # of the cells: changes with every step and edit

    def _begin_change(self) -> None:
        if self._observing:
            raise BusyError("an observer must not change its simulation; return False to stop the step")
        self._version += 1

    def step_back(self, generations: int = 1) -> int:
        """Goes back to an earlier generation, under a rule with `Rule.inverse`.

        Takes the memory of a second world; no observers are called.

        Parameters
        ----------
        generations : int
            At most `generation`.

        Returns
        -------
        int
            Generations that it went back.

        Raises
        ------
        UsageError
            If the rule has no inverse, on a plane with edges, or if there are fewer generations before the present one.
        KeyboardInterrupt
            After Ctrl-C; the world is then as before.

        Examples
        --------
        >>> world = Simulation.soup("Critters", 64)
        >>> start = world.hash
        >>> world.step(100), world.step_back(100), world.hash == start
        (100, 100, True)
        """
        number = whole_generations(generations)
        self._begin_change()
        return self._engine.step_back(number)

    # Facts

    @property
    def generation(self) -> int:
        """Generation of the cells. Assigning changes the number alone, by which a block rule knows where blocks begin."""
        return self._engine.generation

    @generation.setter
    def generation(self, generation: int) -> None:
        number = whole_generations(generation)
        self._begin_change()
        self._engine.set_generation(number)

    @property
    def edge_met(self) -> int | None:
        """Generation at which an unbounded plane met the limit of its memory, beyond which its cells are dead; None
        if it did not. A step that meets it warns with a `RuntimeWarning`."""
        return self._engine.edge_met

    @property
    def population(self) -> int:
        """Number of live cells, which are those not in state 0, counted by the device."""
        return self._engine.population

    @property
    def hash(self) -> int:
        """State hash of the cells at their coordinates, below 2**61 - 1; see docs/rules.md."""
        return self._engine.hash

    @property
    def bounding_box(self) -> Box | None:
        """Smallest box that contains all live cells; None if all are dead."""
        return box_or_none(self._engine.bounding_box())

    @property
    def box(self) -> Box:
        """Coordinates of the world's cells; of an unbounded plane, what is allocated at present."""
        return Box(*self._engine.box())

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        box = self.box
        return box.height, box.width

    @property
    def rule(self) -> _moorea.Rule:
        """Rule of the world."""
        return self._engine.rule

    @property
    def topology(self) -> str:
        """``"torus"``, ``"plane"``, ``"unbounded"`` or ``"surface"``."""
        return self._engine.topology

    @property
    def kernel(self) -> str:
        """Name of the kernel or kernel pair that runs."""
        return self._engine.kernel

    @property
    def device(self) -> str:
        """Name of the device, as in `devices`; several are separated by commas."""
        return self._engine.device

    @property
    def threads(self) -> int:
        """Maximum number of CPU threads."""
        return self._engine.threads

    @property
    def is_out_of_core(self) -> bool:
        """Whether rows of the world stay in the machine's memory."""
        return "host_share" in self._options

    @property
    def parts(self) -> list[dict[str, object]]:
        """Parts of a world that is divided among several devices, from top to bottom; otherwise empty."""
        return self._engine.parts()

    def explain(self) -> str:
        """How this world is run, and why, as ``moorea run --explain`` prints it."""
        return self._engine.explanation

    # Cells

    @property
    def cells(self) -> Cells:
        """Cells as an array: indexing copies, assigning changes the world. See `Cells`.

        ``simulation.cells = array`` replaces all cells; the generation stays.
        """
        return Cells(self)

    @cells.setter
    def cells(self, cells: Any) -> None:
        self.cells[:, :] = cells

    def window(self, x: int, y: int, width: int, height: int) -> BoolArray:
        """Copies the cells of columns x to x + width - 1 and rows y to y + height - 1.

        Returns
        -------
        ndarray of bool, shape (height, width)
            Whether a cell is not in state 0. Cells outside the world are dead.
        """
        _require_size(width, height)
        array = np.empty((height, width), np.bool_)
        if array.size:
            self._engine.read_bytes(x, y, array.view(np.uint8))
        return array

    def states(self, box: tuple[int, int, int, int] | None = None) -> StateArray:
        """Copies the states of the cells, also of rules with two states.

        Parameters
        ----------
        box : (x, y, width, height), optional
            By default the world; on an unbounded plane, the smallest box of the cells that are not in state 0.

        Returns
        -------
        ndarray of uint8, shape (height, width)
            0 to ``rule.states - 1``. Cells outside the world are in state 0.

        Raises
        ------
        UsageError
            For a negative size.
        """
        part = Box(*whole_box(box)) if box is not None else self.cells._box
        _require_size(part.width, part.height)
        array = np.empty((part.height, part.width), np.uint8)
        if array.size:
            self._engine.read_states(part.x, part.y, array)
        return array

    def census(self, box: tuple[int, int, int, int] | None = None) -> npt.NDArray[np.uint64]:
        """Counts the cells in each state.

        Parameters
        ----------
        box : (x, y, width, height), optional
            By default the world; on an unbounded plane, the smallest box of the cells that are not in state 0.

        Returns
        -------
        ndarray of uint64, shape (rule.states,)
            Cells outside the world are in state 0.

        Raises
        ------
        UsageError
            For a negative size.
        """
        part = Box(*whole_box(box)) if box is not None else self.cells._box
        _require_size(part.width, part.height)
        return self._engine.census(*part)

    def paste(self, cells: Any, x: int = 0, y: int = 0, mode: str = "replace") -> None:
        """Combines cells with the world; the generation stays.

        Parameters
        ----------
        cells : array_like, Grid or Pattern
            Rows and columns; 0 is dead, everything else alive. Under a rule with more than two states integers
            are states, and bool is state 1.
        x, y : int
            Column and row of their top-left cell. Cells outside a world of fixed size are dropped; an
            unbounded plane grows.
        mode : {"replace", "or", "xor", "and-not"}
            Cells that are states have "replace" alone. In the other modes live cells that stay alive keep their
            state, and cells become alive in state 1.

        Raises
        ------
        UsageError
            For a state that the rule has not, with its row and column; for an unknown mode.
        """
        packed = cells_for(cells, self.rule.states)
        self._begin_change()
        if not isinstance(packed, _moorea.PackedCells):
            self._engine.paste(packed, x, y, mode)
        elif mode == "replace":
            self._engine.paste_states(packed, x, y)
        else:
            raise UsageError(f'mode "{mode}" combines cells that are dead or alive: expected "replace" for states, or an array of bool')

    def reset(self, cells: Any, x: int = 0, y: int = 0) -> None:
        """Replaces all cells, others are dead; the generation becomes 0.

        Kernel, compiled code and memory are kept: the fast way to run many initial states.

        Parameters
        ----------
        cells : array_like, Grid or Pattern
            Rows and columns; 0 is dead, everything else alive. Under a rule with more than two states integers
            are states, and bool is state 1.
        x, y : int
            Column and row of their top-left cell.

        Raises
        ------
        UsageError
            For a live cell outside a world of fixed size, or a state that the rule has not.
        """
        packed = cells_for(cells, self.rule.states)
        self._begin_change()
        if isinstance(packed, _moorea.PackedCells):
            self._engine.reset_states(packed, x, y)
        else:
            self._engine.reset(packed, x, y)

    def density(self, scale: int, box: tuple[int, int, int, int] | None = None) -> npt.NDArray[np.uint32]:
        """Counts the live cells in squares of `scale` x `scale` cells, on the device.

        Parameters
        ----------
        scale : int
        box : (x, y, width, height), optional
            The first square begins at its top-left cell; the last ones of rows and columns may reach beyond the box,
            and count what is there. By default the world; on an unbounded plane, the smallest box of the live cells.

        Returns
        -------
        ndarray of uint32, shape (ceil(height / scale), ceil(width / scale))
        """
        part = Box(*whole_box(box)) if box is not None else self.cells._box
        if box is None and 0 in part[2:]:
            return np.zeros((0, 0), np.uint32)
        return _moorea.density(self._engine, part, scale)

    def snapshot(self, whole: bool = False) -> Pattern:
        """Pattern from which a run can continue: the box of the live cells, or all cells of the world.

        Under a rule with more than two states it has the states: `Pattern.states`.
        """
        return Pattern._of(self._engine.snapshot(whole))

    # Pictures

    def render(self, box: tuple[int, int, int, int] | None = None, pixels: int = 800, zoom: int = 16, palette: str | None = None) -> Picture:
        """Draws the population density, or the states if they have colours (`Rule.colours`) and a pixel is a cell.

        Parameters
        ----------
        box : (x, y, width, height), optional
            By default the world; on an unbounded plane its live cells, without a few that flew away.
        pixels : int
            Maximum length of the longer side.
        zoom : int
            Maximum pixels per cell, 1 to 64.
        palette : str, optional
            A name of `palettes`, in whose colours the density is drawn. By default "ink", or the colours of the states.

        Returns
        -------
        Picture
            Shown by notebooks; has `levels`, `rgb`, `png` and `save`.
        """
        return draw(self, box, pixels, zoom, palette)

    def _repr_png_(self) -> bytes:
        return self.render(pixels=512).png

    def __repr__(self) -> str:
        try:
            return self._text()
        except BusyError:
            return "<moorea.Simulation, which another call uses>"

    def _text(self) -> str:
        world = self._engine.world
        return f"<moorea.Simulation of {world} ({self.topology}), generation {self.generation}, {self.kernel} on {self.device}>"


def _require_size(width: int, height: int) -> None:
    if width < 0 or height < 0:
        raise UsageError(f"a window of {width} x {height} cells: expected 0 or more columns and rows")
