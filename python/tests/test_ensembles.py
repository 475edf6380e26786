# SPDX-License-Identifier: MIT
"""Ensembles: each world is that of the NumPy model and of a Simulation alone; arrays, errors, threads, signals, pickles."""
import copy
import os
import pickle
import signal
import threading
import time

import model
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import moorea

counts = st.lists(st.integers(0, 8), unique=True)
TOPOLOGIES = ("torus", "plane")
ENDLESS = 10**15
# A rule under which soups do not become periodic
CHAOS = "B2/S"


def alone(ensemble, i, generations):
    """A simulation of world i, advanced by itself."""
    rows_columns = ensemble.shape[1:]
    rule = ensemble.rules[ensemble.rule_of[i]]
    simulation = moorea.Simulation.soup(rule, rows_columns, 0.375, int(ensemble.seeds[i]), topology=ensemble.topology, device="cpu", threads=1)
    simulation.step(int(generations))
    return simulation


def expect_worlds(ensemble, sample):
    populations, hashes, boxes, generations = ensemble.populations, ensemble.hashes, ensemble.bounding_boxes, ensemble.generations
    cells = np.asarray(ensemble.cells)
    for i in sample:
        simulation = alone(ensemble, i, generations[i])
        assert (simulation.population, simulation.hash) == (populations[i], hashes[i])
        assert tuple(boxes[i]) == (simulation.bounding_box or (0, 0, 0, 0))
        np.testing.assert_array_equal(cells[i], simulation.cells)


@settings(max_examples=40, deadline=None)
@given(
    arrays.arrays(bool, st.tuples(st.integers(1, 70), st.integers(1, 20), st.integers(1, 70))),
    counts,
    counts,
    st.sampled_from(TOPOLOGIES),
    st.integers(0, 12),
)
def test_worlds_are_those_of_the_model(cells, birth, survival, topology, generations):
    rule = moorea.Rule.from_counts(birth, survival)
    ensemble = moorea.Ensemble(rule, cells=cells, topology=topology)
    assert ensemble.shape == cells.shape and len(ensemble) == len(cells) and ensemble.rules == [rule]
    np.testing.assert_array_equal(ensemble.cells, cells)
    counted = ensemble.step_counting(generations)
    expected = [cells]
    for _ in range(generations):
        expected.append(np.array([model.step(world, birth, survival, topology) for world in expected[-1]]))
    np.testing.assert_array_equal(ensemble.cells, expected[-1])
    np.testing.assert_array_equal(counted, np.array([each.sum((1, 2)) for each in expected[1:]]).reshape(generations, len(cells)))
    np.testing.assert_array_equal(ensemble.populations, expected[-1].sum((1, 2)))
    changed = ensemble.step_comparing()
    following = np.array([model.step(world, birth, survival, topology) for world in expected[-1]])
    np.testing.assert_array_equal(changed, (following != expected[-1]).sum((1, 2)))
    assert ensemble.generation == generations + 1


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("shape", [(1, 1), (3, 65), (37, 100), (64, 64), (200, 130)])
def test_worlds_are_simulations(shape, topology):
    # Named rules, one that runs by machine code, and one with births from nothing
    rules = ["Life", "HighLife", "B35678/S024", "B02/S13"]
    ensemble = moorea.Ensemble(rules, [40, 0, 70, 521], shape, topology=topology, density=0.375, seed=5)
    assert ensemble.rules == [moorea.Rule(each) for each in rules] and len(ensemble) == 631
    assert np.bincount(ensemble.rule_of, minlength=4).tolist() == [40, 0, 70, 521]
    expect_worlds(ensemble, [0, 630])
    ensemble.step(17)
    assert ensemble.generation == 17
    expect_worlds(ensemble, [0, 39, 40, 109, 110, 621, 622, 630])
    ensemble.step(np.arange(631) % 5)
    np.testing.assert_array_equal(ensemble.generations, 17 + np.arange(631) % 5)
    expect_worlds(ensemble, [1, 64, 300, 629])


def test_worlds_do_not_depend_on_their_number_or_threads():
    few = moorea.Ensemble("Life", 3, 40, density=0.375, seed=9, threads=1)
    many = moorea.Ensemble("Life", 1300, 40, density=0.375, seed=9, threads=3)
    np.testing.assert_array_equal(few.seeds, many.seeds[:3])
    few.step(50), many.step(50)
    np.testing.assert_array_equal(few.hashes, many.hashes[:3])
    assert few.world(2) == many.world(2) == many.world(2 - 1300)
    assert few.threads == 1 and many.threads == 3 and few.kernel.startswith("cpu/strided") and many.device == "cpu"


def test_periods():
    patterns = np.zeros((4, 17, 19), bool)
    patterns[1, 5, 5:8] = True  # blinker
    patterns[2, 5:7, 5:7] = True  # block
    patterns[3, [0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = True  # glider: returns after 4 * 17 * 19 generations
    ensemble = moorea.Ensemble(cells=patterns)
    assert ensemble.periods().tolist() == [1, 2, 1, 0] and ensemble.periods(4 * 17 * 19).tolist() == [1, 2, 1, 1292]
    assert ensemble.generation == 0
    np.testing.assert_array_equal(ensemble.cells, patterns)
    assert ensemble.bounding_boxes.tolist() == [[0, 0, 0, 0], [5, 5, 3, 1], [5, 5, 2, 2], [0, 0, 3, 3]]


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int8, np.int64, np.float32])
@pytest.mark.parametrize("layout", ["C", "F", "negative", "strided", "transposed"])
def test_arrays_of_all_types_and_strides(dtype, layout):
    cells = np.random.default_rng(1).random((5, 20, 70)) < 0.5
    cells = cells.astype(dtype) * (1 if dtype is bool else 3)
    given = {
        "C": cells,
        "F": np.asfortranarray(cells),
        "negative": cells[::-1, ::-1, ::-1],
        "strided": np.repeat(cells, 2, 2)[:, :, ::2],
        "transposed": cells.transpose(0, 2, 1),
    }[layout]
    given.flags.writeable = False
    ensemble = moorea.Ensemble(cells=given)
    np.testing.assert_array_equal(ensemble.cells, given != 0)
    np.testing.assert_array_equal(ensemble.world(4), given[4] != 0)


INDICES = [
    np.s_[3], np.s_[-1], np.s_[2:7], np.s_[:], np.s_[...], np.s_[::-2], np.s_[9:3:-3], np.s_[5:5], np.s_[3, 4], np.s_[3, 4, 5],
    np.s_[3:6, 4], np.s_[:, :, 7], np.s_[..., 7], np.s_[[1, 5, 1]], np.s_[[[1, 2], [9, 0]]], np.s_[[4, 2], 3:5, ::2], np.s_[2:5, [0, 1, 2]],
    np.s_[[1, 2], [3, 4], [5, 6]], np.s_[np.arange(10) % 3 == 0], np.s_[np.arange(10) % 3 == 0, 1:3], np.s_[None, 2], np.s_[np.int64(4)], np.s_[()],
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_indices_read_and_write_as_in_numpy(index):
    array = np.random.default_rng(2).random((10, 6, 67)) < 0.5
    ensemble = moorea.Ensemble(cells=array)
    expected = array[index]
    np.testing.assert_array_equal(ensemble.cells[index], expected)
    new = np.random.default_rng(3).random(expected.shape) < 0.5
    ensemble.cells[index] = new
    array[index] = new
    np.testing.assert_array_equal(ensemble.cells, array)
    ensemble.cells[index] = True
    array[index] = True
    np.testing.assert_array_equal(ensemble.cells, array)
    ensemble.step()
    np.testing.assert_array_equal(ensemble.cells[0], model.step(array[0], [3], [2, 3], "torus"))


def test_masks_of_all_cells_and_wrong_indices():
    array = np.random.default_rng(4).random((3, 5, 8)) < 0.5
    ensemble = moorea.Ensemble(cells=array)
    mask = np.random.default_rng(5).random((3, 5, 8)) < 0.5
    np.testing.assert_array_equal(ensemble.cells[mask], array[mask])
    ensemble.cells[mask] = False
    array[mask] = False
    np.testing.assert_array_equal(ensemble.cells, array)
    ensemble.cells = mask
    np.testing.assert_array_equal(ensemble.cells, mask)
    for index in (3, -4, (0, 5), (0, 0, 8), (0, 0, 0, 0)):
        with pytest.raises(IndexError):
            ensemble.cells[index]
    for i in (3, -4):
        with pytest.raises(IndexError):
            ensemble.world(i)
    with pytest.raises(ValueError):
        ensemble.cells[0] = np.ones((4, 8))


def test_cells_behave_as_an_array():
    array = np.random.default_rng(6).random((70, 9, 65)) < 0.5
    cells = moorea.Ensemble(cells=array).cells
    assert cells.shape == array.shape and cells.ndim == 3 and cells.dtype == bool and len(cells) == 70
    assert cells.sum() == array.sum() and (cells == array).all() and not (cells ^ array).any()
    np.testing.assert_array_equal(cells.mean(axis=0), array.mean(axis=0))
    words = cells.packed()
    assert words.shape == (70, 9, 2) and words.dtype == np.uint64
    np.testing.assert_array_equal(np.unpackbits(words.view(np.uint8), axis=2, count=65, bitorder="little"), array)
    assert "70 x 9 x 65" in repr(cells)


@pytest.mark.parametrize(
    "kind, text, make",
    [
        (moorea.UsageError, "number of worlds", lambda: moorea.Ensemble("Life")),
        (moorea.UsageError, "without worlds", lambda: moorea.Ensemble("Life", 0)),
        (moorea.UsageError, "2 numbers of worlds for 1 rules", lambda: moorea.Ensemble("Life", [1, 2])),
        (moorea.UsageError, "three dimensions, worlds, rows and columns", lambda: moorea.Ensemble(cells=np.ones((3, 3)))),
        (moorea.UsageError, "at least one world", lambda: moorea.Ensemble(cells=np.ones((3, 0, 3)))),
        (moorea.UsageError, "leave the shape out", lambda: moorea.Ensemble(cells=np.ones((3, 4, 5)), shape=(5, 4))),
        (moorea.UsageError, "3 worlds for 2 rules", lambda: moorea.Ensemble(["Life", "Seeds"], cells=np.ones((3, 4, 5)))),
        (moorea.UsageError, "cells of 3 worlds for an ensemble of 4", lambda: moorea.Ensemble(worlds=4, cells=np.ones((3, 4, 5)))),
        (moorea.UsageError, "plane or torus", lambda: moorea.Ensemble("Life", 2, topology="unbounded")),
        (moorea.UsageError, "density", lambda: moorea.Ensemble("Life", 2, density=1.5)),
        (moorea.UsageError, "seed of -1", lambda: moorea.Ensemble("Life", 2, seed=-1)),
        (moorea.UsageError, "does not advance ensembles", lambda: moorea.Ensemble("Life", 2, kernel="cpu/bits")),
        (moorea.UsageError, "expected cpu, cuda or cuda:N", lambda: moorea.Ensemble("Life", 2, device="abacus")),
        (moorea.UnavailableError, "cuda:99.*not available", lambda: moorea.Ensemble("Life", 2, device="cuda:99")),
        (moorea.UsageError, "-1 threads", lambda: moorea.Ensemble("Life", 2, threads=-1)),
        (moorea.UsageError, "at least 1 x 1", lambda: moorea.Ensemble("Life", 2, (0, 5))),
        (moorea.OutOfMemoryError, "memory", lambda: moorea.Ensemble("Life", 10**9, 1024)),
        (moorea.OutOfMemoryError, "memory", lambda: moorea.Ensemble("Life", 10, 16).step_counting(10**13)),
        (moorea.UsageError, "expected 0 or more", lambda: moorea.Ensemble("Life", 2).step(-1)),
        (moorea.UsageError, "expected 0 or more", lambda: moorea.Ensemble("Life", 2).step_counting(-1)),
        (moorea.UsageError, "3 numbers of generations for 2 worlds", lambda: moorea.Ensemble("Life", 2).step([1, 2, 3])),
        (moorea.UsageError, "no seeds", lambda: moorea.Ensemble(cells=np.ones((3, 4, 5))).seeds),
    ],
)  # fmt: skip
def test_errors(kind, text, make):
    with pytest.raises(kind, match=text):
        make()


def test_wrong_types():
    ensemble = moorea.Ensemble("Life", 2, 8)
    for wrong in (lambda: ensemble.step(1.5), lambda: ensemble.step([[1, 2]]), lambda: moorea.Ensemble("Life", 1.5), lambda: ensemble.world("0"), lambda: moorea.Ensemble(3, 2)):
        with pytest.raises(TypeError):
            wrong()

    class OnDevice:  # an array in the memory of a GPU, as PyTorch has it
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(moorea.UsageError, match="main memory"):
        moorea.Ensemble(cells=OnDevice())


def test_generations_that_differ():
    ensemble = moorea.Ensemble("Life", 3, 16, density=0.375)
    ensemble.step([4, 0, 9])
    with pytest.raises(moorea.UsageError, match="generations 0 to 9"):
        ensemble.generation
    assert "generations 0 to 9" in repr(ensemble)
    ensemble.step(ensemble.generations.max() - ensemble.generations)
    assert ensemble.generation == 9 and "generation 9" in repr(ensemble) and "B3/S23 x 3" in repr(ensemble)
    expect_worlds(ensemble, range(3))


def test_pickles_and_copies():
    ensemble = moorea.Ensemble(["Life", "HighLife"], [60, 10], (9, 70), topology="plane", density=0.375, seed=3, threads=1)
    ensemble.step([7] * 60 + [2] * 10)
    for other in (pickle.loads(pickle.dumps(ensemble)), copy.deepcopy(ensemble)):
        np.testing.assert_array_equal(other.generations, ensemble.generations)
        np.testing.assert_array_equal(other.seeds, ensemble.seeds)
        assert repr(other) == repr(ensemble) and other.rules == ensemble.rules
        other.step(5)
        expect_worlds(other, [0, 59, 60, 69])
        again = copy.copy(other)
        np.testing.assert_array_equal(again.generations, other.generations)
        np.testing.assert_array_equal(again.hashes, other.hashes)


def test_the_gil_is_released_and_a_busy_ensemble_refuses():
    ensemble, refused = moorea.Ensemble(CHAOS, 600, 64, threads=1), 0
    thread = threading.Thread(target=lambda: ensemble.step(60_000))
    thread.start()
    while thread.is_alive():  # this thread runs while the other one computes
        try:
            ensemble.populations
        except moorea.BusyError:
            refused += 1
            time.sleep(0.001)
    thread.join()
    assert refused > 0 and ensemble.generation == 60_000


@pytest.fixture
def interruptible():
    """SIGINT raises KeyboardInterrupt also where it is ignored, as in jobs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "work",
    [lambda e: e.step(ENDLESS), lambda e: e.step(np.arange(len(e)) + ENDLESS), lambda e: e.periods(2**32 - 1)],
    ids=["step", "step_each", "periods"],
)
def test_ctrl_c_stops(work, threads, interruptible):
    ensemble = moorea.Ensemble(CHAOS, 1200, 64, density=0.375, threads=threads)
    ensemble.step(10)
    sent = []

    def interrupt():
        time.sleep(0.2)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        work(ensemble)
    delay = time.monotonic() - sent[0]
    thread.join()
    assert delay < 5, "100 ms on an idle machine"
    assert ensemble.generations.min() >= 10
    expect_worlds(ensemble, [0, 1199])


def test_numbers_of_worlds_are_whole():
    for wrong in ([2.9], "3", ["3"], 2.5):
        with pytest.raises(TypeError):
            moorea.Ensemble("Life", worlds=wrong, shape=8)
