# SPDX-License-Identifier: MIT
"""Cells of a simulation as an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._arrays import ArrayOperators, BoolArray, as_alive, index_range, is_on_cuda, packed
from ._errors import UnavailableError, UsageError
from ._grid import Box, Grid
from ._states import as_states, cells_for

if TYPE_CHECKING:
    from ._world import World

_CPU, _CUDA = 1, 2  # DLPack's device types


class DeviceArray:
    """Cells in the memory of a CUDA device, for PyTorch, CuPy, JAX and Numba.

    A copy that is complete when it is returned, so that consumers on any stream may read and write it, and
    that lives as long as this object or a consumer's array. It has DLPack and ``__cuda_array_interface__``.
    """

    __slots__ = ("_buffer",)

    def __init__(self, buffer: _moorea.DeviceBuffer) -> None:
        self._buffer = buffer

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, or rows and words."""
        return self._buffer.shape

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        return self._buffer.cuda_array_interface()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._buffer.dlpack_device()

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """DLPack capsule; `stream` may be any, as the cells are complete already."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("the cells are on a CUDA device; numpy.asarray(simulation.cells) copies them")
        if copy:
            raise BufferError("the cells are a copy already; Cells.on_device() makes another")
        return self._buffer.dlpack(max_version is not None and max_version[0] >= 1)

    def __repr__(self) -> str:
        return f"<moorea.DeviceArray of shape {self.shape} on cuda:{self.__dlpack_device__()[1]}>"


class Cells(ArrayOperators):
    """Cells of a simulation: `Simulation.cells`.

    Reading copies to NumPy arrays of bool, and only the cells that are asked for; assigning changes the world.
    Rows are first, as in NumPy, and (0, 0) is the world's top-left cell. NumPy functions and operators accept
    the object. Under a rule with more than two states, cells are True unless they are in state 0, integers that
    are assigned are states, and `Simulation.states` reads states; bool is state 1, so that ``cells[...] ^= True``
    loses the others. On an unbounded plane the object is a copy of the box of the live cells, and
    `Simulation.paste` edits.

    ``__dlpack__`` and ``__cuda_array_interface__`` give the cells as bytes in the memory of the device that
    holds the world: ``torch.from_dlpack(simulation.cells)`` does not pass through main memory.
    """

    __slots__ = ("_simulation", "_exported")

    def __init__(self, simulation: World) -> None:
        self._simulation = simulation
        # Consumers of __cuda_array_interface__ keep this object, which therefore keeps what it gave them
        self._exported: dict[int, DeviceArray] = {}

    @property
    def _box(self) -> Box:
        """Coordinates of the array's cells."""
        if self._simulation.topology == "unbounded":
            return self._simulation.bounding_box or Box(0, 0, 0, 0)
        return self._simulation.box

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        box = self._box
        return box.height, box.width

    @property
    def ndim(self) -> int:
        """2."""
        return 2

    @property
    def dtype(self) -> np.dtype[np.bool_]:
        """Type of the cells: bool."""
        return np.dtype(np.bool_)

    def __len__(self) -> int:
        return self._box.height

    def _read_all(self) -> BoolArray:
        return self._simulation.window(*self._box)

    def __getitem__(self, index: Any) -> Any:
        part = self._part(index)
        if part is None:
            return self._read_all()[index]
        box, drop = part
        array = self._simulation.window(*box)
        return array[drop] if drop else array

    def __setitem__(self, index: Any, value: Any) -> None:
        if self._simulation.topology == "unbounded":
            raise UsageError("an unbounded plane has no first row and column: Simulation.paste(cells, x, y) edits it")
        part = self._part(index)
        if part is None:
            box = self._box
            array = self._simulation.window(*box) if self._states == 2 else self._simulation.states(box)
            array[index] = self._values(value)
            self._simulation.paste(array, box.x, box.y)
            return
        box, drop = part
        if isinstance(value, Grid) and value.shape == (box.height, box.width):
            self._simulation.paste(value, box.x, box.y)
            return
        values = self._values(value)
        array = np.empty((box.height, box.width), values.dtype)
        shape = array[drop].shape if drop else array.shape
        while values.ndim > len(shape) and values.shape[0] == 1:
            values = values[0]
        array[...] = np.broadcast_to(values, shape).reshape(array.shape)  # as NumPy does for the same index
        self._simulation.paste(array, box.x, box.y)

    @property
    def _states(self) -> int:
        return self._simulation.rule.states

    def _values(self, value: Any) -> npt.NDArray[Any]:
        """Value of an assignment as bool or, under a rule with more than two states, as states."""
        states = self._states
        if states == 2:
            return as_alive(packed_to_array(value))
        array = np.asarray(value) if not is_on_cuda(value) else np.asarray(Grid(cells_for(value, states)))
        return array if array.dtype == np.bool_ else as_states(array, states)

    def _part(self, index: Any) -> tuple[Box, tuple[Any, ...]] | None:
        """Box of basic indices, and the index that drops the axes of integers; None for other indices."""
        rows, columns = self.shape
        indices = list(index) if isinstance(index, tuple) else [index]
        if any(each is None for each in indices):
            return None
        at = next((i for i, each in enumerate(indices) if each is Ellipsis), None)
        if at is not None:
            indices[at : at + 1] = [slice(None)] * (3 - len(indices))
        if len(indices) > 2:
            return None
        indices += [slice(None)] * (2 - len(indices))
        vertical, horizontal = index_range(indices[0], rows), index_range(indices[1], columns)
        if vertical is None or horizontal is None:
            return None
        box = self._box
        part = Box(box.x + horizontal[0], box.y + vertical[0], horizontal[1], vertical[1])
        drop: tuple[Any, ...] = (0 if vertical[2] else slice(None), 0 if horizontal[2] else slice(None))
        return part, drop if vertical[2] or horizontal[2] else ()

    def packed(self) -> npt.NDArray[np.uint64]:
        """Copies the cells as packed words, without unpacking.

        Returns
        -------
        ndarray of uint64, shape (rows, ceil(columns / 64))
            Bit i of word j of a row is the cell in column 64 j + i; bits beyond the width are 0.
        """
        box = self._box
        words = np.empty((box.height, (box.width + 63) // 64), np.uint64)
        if words.size:
            self._simulation._engine.read_words(box.x, box.y, box.width, words)
        return words

    def grid(self) -> Grid:
        """Copies the cells as packed cells in main memory."""
        return Grid.from_words(self.packed(), self._box.width)

    def on_device(self, dtype: str = "bool") -> DeviceArray:
        """Copies the cells within the memory of the CUDA device that holds the world.

        Parameters
        ----------
        dtype : {"bool", "uint8", "int32", "uint32"}
            A byte per cell, shape (rows, columns), made on the device; or packed words of 32 cells, shape
            (rows, words): bit i of word j of a row is the cell in column 32 j + i.

        Raises
        ------
        UnavailableError
            If the world is not in the memory of one CUDA device.
        OutOfMemoryError
            If the device's memory does not suffice.
        """
        return DeviceArray(_moorea.device_array(self._simulation._engine, dtype, *self._box))

    def _is_on_cuda(self) -> bool:
        device = self._simulation.device
        return device.startswith("cuda:") and "," not in device and not self._simulation.is_out_of_core

    def __dlpack_device__(self) -> tuple[int, int]:
        if self._is_on_cuda():
            return _CUDA, int(self._simulation.device[len("cuda:") :])
        return _CPU, 0

    def __dlpack__(self, *, dl_device: tuple[int, int] | None = None, **how: Any) -> Any:
        if how.pop("copy", None) is False:
            raise BufferError("cells are packed; an array of them is always a copy")
        if self._is_on_cuda() and (dl_device is None or dl_device[0] == _CUDA):
            return self.on_device().__dlpack__(dl_device=dl_device, **how)
        how.pop("stream", None)
        array: Any = self._read_all()
        return array.__dlpack__(**{name: value for name, value in how.items() if value is not None})

    @property
    def __cuda_array_interface__(self) -> dict[str, object]:
        if not self._is_on_cuda():
            raise AttributeError(f"the cells are on {self._simulation.device}, not on a CUDA device")
        now = self._simulation._version
        try:
            # Consumers ask several times: whether there is an interface, and for its entries
            array = self._exported.get(now) or self._exported.setdefault(now, self.on_device())
        except UnavailableError as error:
            raise AttributeError(str(error)) from error
        return array.__cuda_array_interface__

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<moorea.Cells: {rows} x {columns}, bool, on {self._simulation.device}>"


def packed_to_array(value: Any) -> Any:
    """Cells in a GPU's memory as an array in main memory; other values unchanged."""
    if isinstance(value, ArrayOperators) or not hasattr(value, "__cuda_array_interface__"):
        return value
    return Grid._of(packed(value))
