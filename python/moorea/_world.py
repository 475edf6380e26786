# SPDX-License-Identifier: MIT
"""Queries, edits and pictures of a world."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import BoolArray, packed
from ._cells import Cells
from ._errors import BusyError, UsageError
from ._grid import Box, box_or_none
from ._pattern import Pattern
from ._picture import Picture, draw


class World:
    """Base class of `Simulation`: what it knows and shows of its cells, and how they are edited."""

    _engine: _moorea.Engine
    _options: dict[str, Any]
    _observing: bool
    _version: int  # of the cells: changes with every step and edit

    def _begin_change(self) -> None:
        if self._observing:
            raise BusyError("an observer must not change its simulation; return False to stop the step")
        self._version += 1

    # Facts

    @property
    def generation(self) -> int:
        """Generation of the cells. Assigning changes the number alone."""
        return self._engine.generation

    @generation.setter
    def generation(self, generation: int) -> None:
        self._begin_change()
        self._engine.set_generation(generation)

    @property
    def population(self) -> int:
        """Number of live cells, counted by the device."""
        return self._engine.population

    @property
    def hash(self) -> int:
        """State hash of the live cells at their coordinates, below 2**61 - 1; see docs/rules.md."""
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
            Cells outside the world are dead.
        """
        if width < 0 or height < 0:
            raise UsageError(f"a window of {width} x {height} cells")
        array = np.empty((height, width), np.bool_)
        if array.size:
            self._engine.read_bytes(x, y, array.view(np.uint8))
        return array

    def paste(self, cells: Any, x: int = 0, y: int = 0, mode: str = "replace") -> None:
        """Combines cells with the world; the generation stays.

        Parameters
        ----------
        cells : array_like, Grid or Pattern
        x, y : int
            Column and row of their top-left cell. Cells outside a world of fixed size are dropped; an
            unbounded plane grows.
        mode : {"replace", "or", "xor", "and-not"}
        """
        self._begin_change()
        self._engine.paste(packed(cells.cells if isinstance(cells, Pattern) else cells), x, y, mode)

    def reset(self, cells: Any, x: int = 0, y: int = 0) -> None:
        """Replaces all cells, others are dead; the generation becomes 0.

        Kernel, compiled code and memory are kept: the fast way to run many initial states.
        """
        self._begin_change()
        self._engine.reset(packed(cells.cells if isinstance(cells, Pattern) else cells), x, y)

    def density(self, scale: int, box: tuple[int, int, int, int] | None = None) -> npt.NDArray[np.uint32]:
        """Counts the live cells in squares of `scale` x `scale` cells, on the device.

        Returns
        -------
        ndarray of uint32, shape (ceil(height / scale), ceil(width / scale))
        """
        return _moorea.density(self._engine, box or self.box, scale)

    def snapshot(self, whole: bool = False) -> Pattern:
        """Pattern from which a run can continue: the box of the live cells, or all cells of the world."""
        return Pattern._of(self._engine.snapshot(whole))

    # Pictures

    def render(self, box: tuple[int, int, int, int] | None = None, pixels: int = 800, zoom: int = 16, palette: str = "ink") -> Picture:
        """Draws the population density.

        Parameters
        ----------
        box : (x, y, width, height), optional
            By default the world; on an unbounded plane its live cells, without a few that flew away.
        pixels : int
            Maximum length of the longer side.
        zoom : int
            Maximum pixels per cell, 1 to 64.
        palette : str
            A name of `palettes`.

        Returns
        -------
        Picture
            Shown by notebooks; has `levels`, `rgb`, `png` and `save`.
        """
        return draw(self, box, pixels, zoom, palette)

    def _repr_png_(self) -> bytes:
        return self.render(pixels=512).png

    def __repr__(self) -> str:
        world = self._engine.world
        return f"<moorea.Simulation of {world} ({self.topology}), generation {self.generation}, {self.kernel} on {self.device}>"
