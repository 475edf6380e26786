# SPDX-License-Identifier: MIT
"""Cells as arrays: indices as NumPy has them, packed words, other libraries' arrays."""
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import moorea

SHAPE = (37, 150)
indices = arrays.basic_indices(SHAPE, max_dims=2, allow_newaxis=False, allow_ellipsis=True) | arrays.integer_array_indices(SHAPE)


def world(cells, **options):
    return moorea.Simulation("Life", cells, device="cpu", **options)


@settings(max_examples=100, deadline=None)
@given(indices, st.integers(0, 2**32))
def test_indices_read_and_write_as_in_numpy(index, seed):
    array = np.asarray(moorea.soup(SHAPE, seed=seed))
    simulation = world(array)
    part = simulation.cells[index]
    np.testing.assert_array_equal(part, array[index])
    new = np.asarray(moorea.soup((1, max(np.size(part), 1)), seed=seed + 1))[0, : np.size(part)].reshape(np.shape(part))
    simulation.cells[index] = new
    array[index] = new
    np.testing.assert_array_equal(simulation.cells, array)
    simulation.cells[index] = True
    array[index] = True
    np.testing.assert_array_equal(simulation.cells, array)
    assert simulation.generation == 0


def test_masks_and_broadcasts():
    array = np.asarray(moorea.soup(SHAPE, seed=1))
    simulation = world(array)
    mask = np.asarray(moorea.soup(SHAPE, seed=2))
    np.testing.assert_array_equal(simulation.cells[mask], array[mask])
    simulation.cells[mask] = False
    array[mask] = False
    simulation.cells[3:5] = np.arange(150) % 2
    array[3:5] = np.arange(150) % 2
    np.testing.assert_array_equal(simulation.cells, array)
    simulation.cells = mask
    np.testing.assert_array_equal(simulation.cells, mask)
    for index in ((37, 0), (0, -151), (0, 0, 0)):
        with pytest.raises(IndexError):
            simulation.cells[index]
    with pytest.raises(ValueError):
        simulation.cells[0:2, 0:3] = np.ones((3, 2))


def test_the_object_behaves_as_an_array():
    array = np.asarray(moorea.soup(SHAPE, seed=1))
    cells = world(array).cells
    assert cells.shape == SHAPE and cells.dtype == bool and cells.ndim == 2 and len(cells) == 37
    assert (cells == array).all() and not (cells ^ array).any() and np.array_equal(~cells, ~array)
    assert cells.sum() == array.sum() and cells.mean() == array.mean() and cells.any() and not cells.all()
    np.testing.assert_array_equal(cells.sum(axis=0), array.sum(axis=0))
    np.testing.assert_array_equal(cells.nonzero(), array.nonzero())
    assert cells.astype(np.float32).dtype == np.float32 and np.asarray(cells, np.uint8).dtype == np.uint8
    with pytest.raises(ValueError):
        np.asarray(cells, copy=False)
    before = cells.copy()
    cells._simulation.step(1)
    assert not np.array_equal(before, cells), "an array is a copy, and the object shows the present cells"


@settings(max_examples=50, deadline=None)
@given(arrays.arrays(bool, arrays.array_shapes(min_dims=2, max_dims=2, max_side=200)))
def test_packed_words(cells):
    simulation = world(cells)
    words = simulation.cells.packed()
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    np.testing.assert_array_equal(bits[:, : cells.shape[1]], cells)
    assert not bits[:, cells.shape[1] :].any()
    grid = moorea.Grid.from_words(words, cells.shape[1])
    assert grid == simulation.cells.grid() == moorea.Grid(cells) and grid.population == cells.sum()
    assert grid.hash == simulation.hash and grid.bounding_box == simulation.bounding_box
    np.testing.assert_array_equal(grid, cells)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(grid)), cells)


def test_words_are_the_memory_of_the_grid():
    grid = moorea.Grid(np.zeros((3, 70)))
    words = grid.words
    words[1, 1] = 0b101000001  # bits 6 and 8 are beyond the width
    assert grid.population == 1 and np.argwhere(grid).tolist() == [[1, 64]]
    assert world(grid).population == 1
    view = memoryview(grid.words)
    assert view.shape == (3, 2) and view.format in "LQ" and not view.readonly
    np.from_dlpack(grid.words)[0, 0] = 1
    assert grid.population == 2
    copy = moorea.Grid(grid)
    copy.words[:] = 0
    assert grid.population == 2
    del grid
    assert words[0, 0] == 1, "the array keeps the memory"
    with pytest.raises(ValueError):
        moorea.Grid.from_words(words, 200)


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int8, np.int64, np.float32, np.uint16])
@pytest.mark.parametrize("layout", ["C", "F", "negative", "strided"])
def test_arrays_of_all_types_and_strides(dtype, layout):
    cells = np.asarray(moorea.soup((50, 130), seed=5)).astype(dtype) * (1 if dtype is bool else 3)
    given = {"C": cells, "F": np.asfortranarray(cells), "negative": cells[::-1, ::-1], "strided": np.repeat(cells, 2, 1)[:, ::2]}[layout]
    np.testing.assert_array_equal(world(given).cells, given != 0)
    given.flags.writeable = False
    np.testing.assert_array_equal(world(given).cells, given != 0)


def test_what_is_no_world():
    for bad in (np.ones(5), np.ones((2, 2, 2)), np.ones((0, 3)), [["a"]], None, 1j * np.ones((2, 2))):
        with pytest.raises(ValueError):
            world(bad)


def test_dlpack_on_the_cpu():
    array = np.asarray(moorea.soup(SHAPE, seed=1))
    simulation = world(array)
    assert simulation.cells.__dlpack_device__() == (1, 0)
    np.testing.assert_array_equal(np.from_dlpack(simulation.cells), array)
    np.testing.assert_array_equal(np.from_dlpack(simulation.cells, copy=True), array)
    with pytest.raises(BufferError, match="always a copy"):
        np.from_dlpack(simulation.cells, copy=False)
    assert not hasattr(simulation.cells, "__cuda_array_interface__")
    with pytest.raises(moorea.UnavailableError, match="on cpu"):
        simulation.cells.on_device()
    with pytest.raises(ValueError, match="uint16"):
        simulation.cells.on_device("uint16")

    class Exported:  # another library's array
        __dlpack__, __dlpack_device__ = array.__dlpack__, array.__dlpack_device__
        __array__ = array.__array__

    np.testing.assert_array_equal(world(Exported()).cells, array)


def test_windows_and_pastes():
    simulation = world(np.zeros((20, 30)))
    glider = moorea.Pattern.bundled("glider.rle") if "glider.rle" in moorea.bundled_patterns() else moorea.Pattern([[0, 1, 0], [0, 0, 1], [1, 1, 1]])
    simulation.paste(glider, 28, 5)
    window = simulation.window(27, 5, 5, 3)
    assert window.tolist() == [[0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 1, 1, 0, 0]]
    simulation.paste(np.ones((1, 4)), 27, 7, mode="xor")
    assert simulation.window(27, 7, 3, 1).tolist() == [[1, 0, 0]]
    with pytest.raises(ValueError):
        simulation.paste(glider, mode="add")
    with pytest.raises(ValueError):
        simulation.window(0, 0, -1, 3)
    assert simulation.window(0, 0, 0, 3).shape == (3, 0)
    simulation.reset(glider, 3, 4)
    assert simulation.population == 5 and simulation.bounding_box == moorea.Box(3, 4, 3, 3)


def test_an_unbounded_plane():
    plane = moorea.Simulation("Life", [[0, 1, 0], [0, 0, 1], [1, 1, 1]], topology="unbounded", device="cpu")
    plane.step(400)
    assert plane.bounding_box == (100, 100, 3, 3) and plane.cells.shape == (3, 3) and plane.cells.sum() == 5
    with pytest.raises(ValueError, match="paste"):
        plane.cells[0, 0] = 1
    plane.paste([[1]], x=-1000, y=-1000)
    assert plane.bounding_box == (-1000, -1000, 1103, 1103)


def test_density():
    array = np.asarray(moorea.soup((64, 96), seed=1))
    expected = array.reshape(8, 8, 12, 8).sum(axis=(1, 3))
    np.testing.assert_array_equal(world(array).density(8), expected)
