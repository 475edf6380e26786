# SPDX-License-Identifier: MIT
"""What users of NumPy expect of arrays, copies, options and observers."""
import copy
import pickle
import subprocess
import sys
import threading
import time
import warnings

import moorea
import numpy as np
import pytest


def noise(side=40, **options):
    return moorea.Simulation("Life", moorea.soup(side, seed=1), device="cpu", threads=1, **options)


def arrays():
    grid = moorea.soup((5, 70), seed=2)
    return [grid, moorea.Simulation("Life", grid, threads=1).cells, moorea.Ensemble("Life", 3, (4, 9), seed=1, threads=1).cells]


@pytest.mark.parametrize("cells", arrays(), ids=lambda cells: type(cells).__name__)
def test_functions_of_numpy(cells):
    array = np.asarray(cells)
    for function in (np.sum, np.mean, np.any, np.all, np.count_nonzero, np.shape, np.array2string):
        assert function(cells) == function(array), function
    assert np.array_equal(np.sum(cells, axis=0, keepdims=True), array.sum(axis=0, keepdims=True))
    assert np.array_equal(np.concatenate([cells, cells]), np.concatenate([array, array]))
    assert np.array_equal(cells.any(axis=1), array.any(axis=1)) and cells.any() is True and cells.all() is False
    assert cells.size == array.size and cells.tolist() == array.tolist()
    assert all(np.array_equal(one, other) for one, other in zip(cells, array, strict=True))


def test_in_place_operators():
    world, other = noise(), np.asarray(moorea.soup(40, seed=5))
    expected = np.asarray(world.cells) ^ other
    world.cells ^= other
    assert np.array_equal(world.cells, expected)
    world.cells |= other
    assert np.array_equal(world.cells, expected | other)
    ensemble = moorea.Ensemble("Life", 2, 16, seed=1, threads=1)
    before = np.asarray(ensemble.cells)
    ensemble.cells ^= True
    assert np.array_equal(ensemble.cells, ~before)
    with pytest.raises(TypeError):
        grid = moorea.soup(8)
        grid ^= True


def test_grids_are_equal_or_not():
    one, same, other = moorea.soup(8, seed=1), moorea.soup(8, seed=1), moorea.soup(8, seed=2)
    assert one == same and not one != same and one != other and (one != np.asarray(one)).sum() == 0


@pytest.mark.parametrize("value", [None, "0", {}, "dead", 1j])
def test_what_is_no_cell_is_not_assigned(value):
    for cells in (noise().cells, moorea.Ensemble("Life", 2, 16, seed=1, threads=1).cells):
        before = np.asarray(cells)
        with pytest.raises((moorea.UsageError, TypeError)):
            cells[...] = value
        assert np.array_equal(cells, before)


def test_indices_as_in_numpy():
    world = noise()
    array = np.asarray(world.cells)
    world.cells[0] = np.ones((1, 40))
    array[0] = np.ones((1, 40))
    assert np.array_equal(world.cells, array)
    assert np.array_equal(world.cells[..., 39, None], array[..., 39, None])


def test_shapes():
    assert moorea.soup(np.int64(8)).shape == (8, 8) and moorea.random_states(np.int64(8), 3).shape == (8, 8)
    assert moorea.Ensemble("Life", 3, np.int64(8)).shape == (3, 8, 8)
    for shape in ((1, 2, 3), (2.5, 3), "88", None):
        with pytest.raises(moorea.UsageError, match="expected rows and columns"):
            moorea.soup(shape)


def test_density_of_a_box():
    world = moorea.Simulation("Life", np.ones((20, 30)), topology="unbounded", threads=1)
    assert world.density(10).tolist() == [[100] * 3] * 2  # of the live cells, whatever is allocated
    assert world.density(5, np.array([0, 0, 10, 5])).tolist() == [[25, 25]]
    assert moorea.Simulation("Life", np.zeros((3, 3)), topology="unbounded").density(4).shape == (0, 0)


def test_text_of_any_language():
    pattern = moorea.Pattern([[1]], name="Über ☃")
    assert moorea.Pattern.parse(pattern.text()).name == "Über ☃"
    assert moorea.Pattern.parse(b"#N \xe9\nx = 1, y = 1\no!\n").text().encode("utf-8", "surrogateescape").startswith(b"#N \xe9\n")


def test_a_pattern_keeps_its_generation():
    """Under a rule of blocks it decides where blocks begin."""
    world = moorea.Simulation.soup("BBM", (32, 32), 0.3, seed=1, device="cpu")
    world.step(1)
    pattern = world.snapshot(whole=True)
    worlds = [world, moorea.Simulation("BBM", pattern), moorea.Simulation("BBM", pattern, shape=(32, 32)), moorea.Simulation.of(pattern)]
    for each in worlds:
        assert each.generation == 1
        each.step(3)
    assert len({each.hash for each in worlds}) == 1


def test_cells_far_apart_are_copied(tmp_path):
    """The box of the cells is larger than memory."""
    far = moorea.Simulation.of(moorea.Pattern.bundled("acorn.rle"), threads=1)
    far.step(2_000_000)
    path = tmp_path / "acorn.checkpoint"
    far.save_checkpoint(path)
    for again in (moorea.Simulation.load_checkpoint(path, threads=1), copy.copy(far), pickle.loads(pickle.dumps(far))):
        assert (again.generation, again.population, again.hash, again.topology) == (2_000_000, 633, far.hash, "unbounded")
        again.step(5000)
        assert again.population == 633


def test_options_that_are_none():
    glider = moorea.Pattern.bundled("glider.rle")
    for options in ({"kernal": "cpu/bits"}, {"topology": "torus"}, {"mesh": "torus:20x10"}):
        with pytest.raises(TypeError, match="is no option here"):
            moorea.Simulation.of(glider, **options)
    with pytest.raises(TypeError, match="expected a Pattern"):
        moorea.Simulation.of(np.eye(3))
    with pytest.raises(TypeError, match="a rule of type NoneType"):
        moorea.Simulation(None, np.eye(3))
    for options in ({"adjacency": "edge"}, {"host_share": -1}, {"host_share": float("nan")}, {"mesh": "torus:20x10", "topology": "plane"}):
        with pytest.raises(moorea.UsageError):
            moorea.Simulation("Life", np.zeros((10, 20)), **options)


def test_observers_stop_whoever_steps():
    for every in (1, 10, 30, 100, 1000):
        world = noise(64)
        world.observe(lambda now: now.generation < 100, every=100)
        assert [now.generation for now in world.iterate(1000, every)][-1] == 100
    world = noise(64)
    world.observe(lambda now: now.density(8).max() > 10**6)  # a bool of NumPy
    assert world.step(100) == 1
    calls = []
    moorea.survey("Life", 5000, 16, threads=1, progress=lambda done, all: calls.append(done) or np.False_)
    assert len(calls) <= 1
    for wrong in ({"every": 0}, {"every": 1.5}):
        with pytest.raises((moorea.UsageError, TypeError)):
            world.iterate(10, **wrong)
        with pytest.raises((moorea.UsageError, TypeError)):
            world.observe(lambda now: True, **wrong)
    with pytest.raises(TypeError, match="expected a function"):
        world.observe(5)


def test_generations_that_are_none():
    world = noise()
    for wrong in (-1, 2**64):
        with pytest.raises(moorea.UsageError):
            world.generation = wrong
        with pytest.raises(moorea.UsageError):
            moorea.Pattern([[1]], generation=wrong)


def test_a_plane_that_meets_the_limit_of_memory():
    soup = moorea.soup(60, seed=3)
    free = moorea.Simulation("Life", soup, topology="unbounded", threads=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        free.step(3000)
    assert free.edge_met is None and free.population == 282
    limited = moorea.Simulation("Life", soup, topology="unbounded", threads=1, memory=10**4)
    with pytest.warns(RuntimeWarning, match="met the limit of its memory at generation"):
        limited.step(3000)
    assert 0 < limited.edge_met <= 3000
    with warnings.catch_warnings():  # once
        warnings.simplefilter("error")
        limited.step(10)


def test_the_text_of_a_warning_names_the_users_line(tmp_path):
    script = tmp_path / "limited.py"
    script.write_text("import moorea\nworld = moorea.Simulation('Life', moorea.soup(60, seed=3), topology='unbounded', memory=10**4)\nworld.step(3000)\n")
    result = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert "limited.py:3: RuntimeWarning" in result.stderr, result.stderr


def test_a_census_of_cells_far_apart():
    """It visits live cells only, not the box of 10**12."""
    world = moorea.Simulation("Life", [[1, 1], [1, 1]], topology="unbounded", threads=1)
    world.paste([[1, 1], [1, 1]], x=10**6, y=10**6)
    assert world.census().tolist() == [(10**6 + 2) ** 2 - 8, 8]
    assert world.census((0, 0, 1, 5)).tolist() == [3, 2] and world.census((5, 5, 2, 2)).tolist() == [4, 0]
    torus = moorea.Simulation("/2/3", [[0, 1, 2], [2, 0, 0]], threads=1)
    assert torus.census((-(2**20), -(2**20), 2**21, 2**21)).tolist() == [2**42 - 3, 1, 2] and torus.census((1, 0, 1, 2)).tolist() == [1, 1, 0]


def test_the_last_generations(tmp_path):
    world = noise()
    world.generation = 2**63
    with pytest.raises(moorea.Error, match="up to 2\\^63 - 1"):
        world.save_checkpoint(tmp_path / "late.checkpoint")
    world.generation = 2**64 - 3
    with pytest.raises(moorea.UsageError, match="2\\^64 - 1"):
        world.step(3)
    assert world.step(2) == 2 and world.generation == 2**64 - 1


@pytest.mark.parametrize("rule", ["Life", "/2/3", "R3,C0,M0,S2..9,B3..6,NM", "BBM", "B2-a/S12"])
def test_bench_of_every_family_and_of_worlds_that_settle(rule):
    (row,) = moorea.bench(rule, (64, 64), threads=1, seconds=0.02, rounds=1)
    assert row["cells_per_second"] > 0 and 1 <= row["generations"] <= 12 * 2**20
    assert row["note"] == ("the world settles: most generations were skipped" if row["seconds"] < 0.02 and row["generations"] == 12 * 2**20 else "")
    if rule == "Life":
        assert row["note"]
    with pytest.raises(moorea.UsageError, match="expected torus or plane"):
        moorea.bench(rule, (64, 64), topology="unbounded")


@pytest.mark.parametrize("box", [(0, 0, 8.9, 8), ("0", 0, 8, 8), (0, 0, 8), 7])
def test_boxes_are_of_whole_numbers(box):
    world = noise()
    for ask in (lambda: world.density(4, box), lambda: world.states(box), lambda: world.census(box)):
        with pytest.raises(moorea.UsageError, match="expected x, y, width and height, whole numbers"):
            ask()
    assert world.density(4, (np.int16(0), 0, 8, 8)).shape == (2, 2)


@pytest.mark.parametrize("seed", [1.5, None, -1, 2**64, "x"])
def test_seeds_are_whole_numbers(seed):
    for make in (moorea.soup, lambda shape, seed: moorea.random_states(shape, 3, seed=seed), lambda shape, seed: moorea.Ensemble("Life", 2, shape, seed=seed)):
        with pytest.raises(moorea.UsageError, match="a seed of"):
            make(8, seed=seed)


def test_generations_of_a_tree_are_not_negative():
    with pytest.raises(moorea.UsageError, match="generation -3: expected 0 or more"):
        moorea.HashLife("Life", generation=-3)
    with pytest.raises(moorea.UsageError, match="max_period 0"):
        moorea.Ensemble("Life", 2, 8).periods(0)


def test_what_another_thread_uses_has_a_text():
    world, worlds = moorea.Simulation.soup("B3678/S34678", 1000, threads=1), moorea.Ensemble("Life", 64, 64, threads=1)
    tree = moorea.HashLife("Life", moorea.soup(2048))
    for thing, step in ((world, lambda: world.step(200_000)), (worlds, lambda: worlds.step(400_000)), (tree, lambda: tree.step(3000))):
        thread = threading.Thread(target=step)
        thread.start()
        time.sleep(0.02)  # one that is asked when it begins is busy, too
        texts = set()
        while thread.is_alive():
            texts.add(repr(thing))
        thread.join()
        assert any("which another call uses" in text for text in texts) and "which another call uses" not in repr(thing), texts
