# SPDX-License-Identifier: MIT
"""Pictures of worlds."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._errors import UsageError, write_error

if TYPE_CHECKING:
    from ._world import World

MAX_ZOOM = 64  # pixels per cell


class Picture:
    """Picture with a level per pixel and a palette; notebooks show it, and NumPy reads its colours.

    Attributes
    ----------
    levels : ndarray of uint8, shape (height, width)
        0 is the background.
    palette : str or ndarray of uint8, shape (256, 3)
        A name of `palettes`, or red, green and blue of each level.
    """

    __slots__ = ("levels", "palette")

    def __init__(self, levels: npt.NDArray[np.uint8], palette: str | npt.NDArray[np.uint8]) -> None:
        self.levels = levels
        self.palette = palette

    @property
    def rgb(self) -> npt.NDArray[np.uint8]:
        """Red, green and blue of each pixel, shape (height, width, 3), 0 to 255."""
        return self._colours[self.levels]

    @property
    def _colours(self) -> npt.NDArray[np.uint8]:
        return _moorea.colours(self.palette) if isinstance(self.palette, str) else self.palette

    @property
    def png(self) -> bytes:
        """Contents of a PNG file.

        Raises
        ------
        UnavailableError
            In a build without libpng.
        """
        return _moorea.png(self.levels, self._colours)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG file. It appears under its name, which ends in .png, when it is complete."""
        if not os.fspath(path).lower().endswith(".png"):
            raise UsageError(f"{os.fspath(path)}: expected a name that ends in .png")
        write_file(path, self.png)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.rgb if dtype is None else self.rgb.astype(dtype)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        height, width = self.levels.shape
        palette = repr(self.palette) if isinstance(self.palette, str) else "of states"
        return f"<moorea.Picture of {width} x {height} pixels, palette {palette}>"


def draw(simulation: World, box: tuple[int, int, int, int] | None, pixels: int, zoom: int, palette: str | None) -> Picture:
    """Picture of a box of a world; of one dead cell if there is none."""
    if not 1 <= zoom <= MAX_ZOOM:
        raise UsageError(f"zoom {zoom}: expected 1 to {MAX_ZOOM}")
    if box is not None and min(box[2:]) < 1:
        raise UsageError(f"a box of {box[2]} x {box[3]} cells: expected at least one column and row")
    if palette is not None:
        _moorea.colours(palette)  # refuses an unknown name before anything is drawn
    frame = box if box is not None else _moorea.frame(simulation._engine)
    colours = simulation.rule.colours if palette is None and (frame is None or max(frame[2:]) <= pixels) else None
    if colours is None:
        levels = np.zeros((zoom, zoom), np.uint8) if frame is None else _moorea.draw(simulation._engine, frame, pixels, zoom)
        return Picture(levels, palette or "ink")
    levels = np.zeros((zoom, zoom), np.uint8) if frame is None else _moorea.draw_states(simulation._engine, frame, pixels, zoom)
    of_states = np.zeros((256, 3), np.uint8)
    of_states[: len(colours)] = colours
    return Picture(levels, of_states)


def write_file(path: str | os.PathLike[str], contents: bytes) -> None:
    """Writes a file that appears under its name when it is complete."""
    name = os.fspath(path)
    partial = f"{name}.partial"
    try:
        with open(partial, "wb") as file:
            file.write(contents)
        os.replace(partial, name)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.remove(partial)
        raise write_error(name, error) from None


def palettes() -> dict[str, str]:
    """Names of the palettes for pictures, each with a description."""
    return dict(_moorea.palettes())
