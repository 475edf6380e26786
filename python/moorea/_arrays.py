# SPDX-License-Identifier: MIT
"""What NumPy, PyTorch, CuPy and JAX call an array, and cells of all of them as packed cells."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _moorea
from ._errors import OutOfMemoryError, UsageError

BoolArray = npt.NDArray[np.bool_]

_CUDA, _CUDA_MANAGED = 2, 13  # DLPack's device types
_BYTES = ("|b1", "|u1", "|i1")


def whole_generations(generations: int, before: str = "", least: int = 0) -> int:
    """A number of generations, of any type of integers; `before` is what an error says in front of it."""
    try:
        number = operator.index(generations)
    except TypeError:
        raise TypeError(f"{before}{generations!r} generations: expected an integer") from None
    if number < least:
        raise UsageError(f"{before}{number} generations: expected {least} or more")
    if number >= 2**64:
        raise UsageError(f"{before}{number} generations: expected at most 2**64 - 1")
    return number


def seed_of(seed: int) -> int:
    """A seed, of any type of integers."""
    try:
        number = operator.index(seed)
    except TypeError:
        raise UsageError(f"a seed of {seed!r}: expected a whole number, 0 to 2**64 - 1") from None
    if not 0 <= number < 2**64:
        raise UsageError(f"a seed of {number}: expected 0 to 2**64 - 1")
    return number


def whole_box(box: Any) -> tuple[int, int, int, int]:
    """A box of any type of integers."""
    try:
        x, y, width, height = (operator.index(each) for each in box)
    except (TypeError, ValueError):
        raise UsageError(f"a box of {box!r}: expected x, y, width and height, whole numbers") from None
    return x, y, width, height


def says_stop(answer: Any) -> bool:
    """Whether a function that is called meanwhile returned False, of Python or of NumPy."""
    return answer is False or isinstance(answer, np.bool_) and not answer


def rows_and_columns(shape: Any) -> tuple[int, int]:
    """Shape of a world from both numbers, or from the side of a square."""
    try:
        side = operator.index(shape)
        return side, side
    except TypeError:
        pass
    try:
        rows, columns = (operator.index(each) for each in shape)
    except (TypeError, ValueError):
        raise UsageError(f"a shape of {shape!r}: expected rows and columns, or the side of a square") from None
    return rows, columns


def require_memory(wanted: int, what: str) -> None:
    """Raises OutOfMemoryError unless so many bytes are available for `what`: a system that overcommits would end the process."""
    if wanted < 1 << 30:
        return
    available: Any = _moorea.device_rows()[0]["memory"]  # of the CPU
    if wanted > available:
        raise OutOfMemoryError(f"{what} need {wanted / 1e9:.3g} GB; {available / 1e9:.3g} GB are available")


def as_matrix(cells: Any, axes: tuple[str, ...] = ("rows", "columns")) -> npt.NDArray[Any]:
    """Cells in main memory as an array with these axes."""
    array = np.asarray(cells)
    if array.ndim != len(axes):
        number = {2: "two", 3: "three"}[len(axes)]
        raise UsageError(f"cells of shape {array.shape}: expected {number} dimensions, {', '.join(axes[:-1])} and {axes[-1]}")
    return array


def as_bytes(cells: Any, axes: tuple[str, ...] = ("rows", "columns")) -> npt.NDArray[np.uint8]:
    """Cells in main memory as bytes, with these axes; a view where the elements are bytes already."""
    array = as_matrix(cells, axes)
    if array.dtype in (np.bool_, np.int8, np.uint8):
        return array.view(np.uint8)
    return as_alive(array).view(np.uint8)


def as_alive(values: Any) -> BoolArray:
    """Values in main memory as cells that are alive or dead."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise UsageError(f"cells of type {array.dtype}: expected bool, integers or floats, of which 0 is dead")
    if array.dtype.kind == "f" and np.isnan(array).any():
        at = tuple(int(each) for each in np.argwhere(np.isnan(array))[0])
        raise UsageError(f"the cell at index {at} is not a number (NaN): expected 0 for dead, or another number")
    alive: BoolArray = np.asarray(array != 0)
    return alive


def packed(cells: Any) -> _moorea.PackedGrid:
    """Packs cells: a Grid, an array in a GPU's memory, or anything that NumPy reads as two-dimensional."""
    if isinstance(cells, _moorea.PackedGrid):
        return cells
    own = getattr(cells, "_packed", None)
    if isinstance(own, _moorea.PackedGrid):
        return own
    if is_on_cuda(cells):
        return _packed_on_device(cells)
    return _moorea.PackedGrid.from_bytes(as_bytes(cells))


def is_on_cuda(cells: Any) -> bool:
    if isinstance(cells, np.ndarray):
        return False
    if hasattr(cells, "__dlpack_device__"):
        return bool(cells.__dlpack_device__()[0] in (_CUDA, _CUDA_MANAGED))
    return hasattr(cells, "__cuda_array_interface__")


def _packed_on_device(cells: Any) -> _moorea.PackedGrid:
    """Bytes of another library are packed on their device; the view is held until they are."""
    interface = getattr(cells, "__cuda_array_interface__", None)
    if interface is None:  # JAX's bool arrays have DLPack alone
        interface = _importer()(cells).__cuda_array_interface__
    if interface["typestr"] not in _BYTES or len(interface["shape"]) != 2:
        raise UsageError(
            f"cells of type {interface['typestr']} and shape {interface['shape']} on a CUDA device: expected two "
            "dimensions of bool, uint8 or int8; convert them there, as with (cells != 0)"
        )
    rows, columns = interface["shape"]
    strides = interface.get("strides") or (columns, 1)
    stream = interface.get("stream")
    if stream is None and _torch_of(cells) is not None:
        # PyTorch's interface names no stream: its work is in the current one
        stream = _torch_of(cells).cuda.current_stream(cells.device).cuda_stream
    device = cells.__dlpack_device__()[1] if hasattr(cells, "__dlpack_device__") else 0
    return _moorea.PackedGrid.from_device(
        interface["data"][0], tuple(strides), (rows, columns), device, _cuda_stream(stream)
    )


def _cuda_stream(stream: int | None) -> int:
    """The cudaStream_t of version 3 of the interface: 1 is the legacy default stream, 0 is not allowed."""
    return 0 if stream is None or stream == 1 else int(stream)


def _torch_of(cells: Any) -> Any:
    return sys.modules.get("torch") if type(cells).__module__.startswith("torch") else None


def _importer() -> Any:
    for name in ("cupy", "torch"):
        library = sys.modules.get(name)
        if library is not None:
            return library.from_dlpack
    raise UsageError("cells on a CUDA device without __cuda_array_interface__: import cupy or torch, which read them")


def index_range(index: Any, size: int) -> tuple[int, int, bool] | None:
    """First and number of the cells of an index, and whether it is an integer; None for slices with a step."""
    if isinstance(index, slice):
        first, stop, step = index.indices(size)
        return (first, max(stop - first, 0), False) if step == 1 else None
    try:
        position = operator.index(index)
    except TypeError:
        return None
    if isinstance(index, (bool, np.bool_)):
        return None
    if not -size <= position < size:
        raise IndexError(f"index {position} is out of bounds for an axis of {size} cells")
    return position % size, 1, True


def _arrays_in(values: Any) -> Any:
    """The same tuples, lists and dictionaries with arrays in place of such objects."""
    if isinstance(values, ArrayOperators):
        return values._read_all()
    if type(values) in (tuple, list):
        return type(values)(_arrays_in(each) for each in values)
    if type(values) is dict:
        return {name: _arrays_in(each) for name, each in values.items()}
    return values


class ArrayOperators(np.lib.mixins.NDArrayOperatorsMixin):
    """Comparisons, logic and reductions of an object that `__array__` copies to a NumPy array."""

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("cells are packed; an array of them is always a copy")
        array = self._read_all()
        return array if dtype is None else array.astype(dtype, copy=False)

    def _read_all(self) -> BoolArray:
        raise NotImplementedError

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: tuple[Any, ...] | None = None, **kwargs: Any) -> Any:
        if out is None:
            return getattr(ufunc, method)(*_arrays_in(inputs), **kwargs)
        results = _arrays_in(out)
        getattr(ufunc, method)(*_arrays_in(inputs), out=results, **kwargs)
        for each, result in zip(out, results):
            if isinstance(each, ArrayOperators):
                each[...] = result  # type: ignore[index]
        return out[0] if len(out) == 1 else out

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function is np.shape:
            return self.shape
        return function(*_arrays_in(args), **_arrays_in(kwargs))

    @property
    def shape(self) -> tuple[int, ...]:
        raise NotImplementedError

    @property
    def size(self) -> int:
        """Number of cells."""
        return math.prod(self.shape)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._read_all())

    def tolist(self) -> list[Any]:
        """Copy as nested lists of bool."""
        made: list[Any] = self._read_all().tolist()
        return made

    def astype(self, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Copy as an array of this type: 0 for dead cells, 1 for live ones."""
        return self._read_all().astype(dtype)

    def copy(self) -> BoolArray:
        """Copy as an array of bool."""
        return self._read_all()

    def any(self, axis: Any = None, **how: Any) -> Any:
        """Whether a cell is alive, of all or along an axis; `how` as NumPy's."""
        result = self._read_all().any(axis=axis, **how)
        return bool(result) if axis is None and not how else result

    def all(self, axis: Any = None, **how: Any) -> Any:
        """Whether all cells are alive, of all or along an axis; `how` as NumPy's."""
        result = self._read_all().all(axis=axis, **how)
        return bool(result) if axis is None and not how else result

    def sum(self, axis: Any = None, **how: Any) -> Any:
        """Number of live cells, of all or along an axis; `how` as NumPy's."""
        return self._read_all().sum(axis=axis, **how)

    def mean(self, axis: Any = None, **how: Any) -> Any:
        """Fraction of live cells, of all or along an axis; `how` as NumPy's."""
        return self._read_all().mean(axis=axis, **how)

    def nonzero(self) -> tuple[npt.NDArray[np.intp], ...]:
        """Rows and columns of the live cells."""
        return self._read_all().nonzero()
