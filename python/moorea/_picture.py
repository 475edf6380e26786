# SPDX-License-Identifier: MIT
"""Pictures of worlds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _moorea

if TYPE_CHECKING:
    from ._world import World


class Picture:
    """Picture with a level per pixel and a palette; notebooks show it, and NumPy reads its colours.

    Attributes
    ----------
    levels : ndarray of uint8, shape (height, width)
        0 is the background.
    palette : str
        A name of `palettes`.
    """

    __slots__ = ("levels", "palette")

    def __init__(self, levels: npt.NDArray[np.uint8], palette: str) -> None:
        self.levels = levels
        self.palette = palette

    @property
    def rgb(self) -> npt.NDArray[np.uint8]:
        """Red, green and blue of each pixel, shape (height, width, 3), 0 to 255."""
        return _moorea.colours(self.palette)[self.levels]

    @property
    def png(self) -> bytes:
        """Contents of a PNG file.

        Raises
        ------
        UnavailableError
            In a build without libpng.
        """
        return _moorea.png(self.levels, self.palette)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG file. It appears under its name when it is complete."""
        write_file(path, self.png)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.rgb if dtype is None else self.rgb.astype(dtype)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        height, width = self.levels.shape
        return f"<moorea.Picture of {width} x {height} pixels, palette {self.palette!r}>"


def draw(simulation: World, box: tuple[int, int, int, int] | None, pixels: int, zoom: int, palette: str) -> Picture:
    """Picture of a box of a world; of one dead cell if there is none."""
    _moorea.colours(palette)  # refuses an unknown name before anything is drawn
    frame = box if box is not None else _moorea.frame(simulation._engine)
    if frame is None:
        return Picture(np.zeros((zoom, zoom), np.uint8), palette)
    return Picture(_moorea.draw(simulation._engine, frame, pixels, zoom), palette)


def write_file(path: str | os.PathLike[str], contents: bytes) -> None:
    """Writes a file that appears under its name when it is complete."""
    name = os.fspath(path)
    partial = f"{name}.partial"
    with open(partial, "wb") as file:
        file.write(contents)
    os.replace(partial, name)


def palettes() -> dict[str, str]:
    """Names of the palettes for pictures, each with a description."""
    return dict(_moorea.palettes())
