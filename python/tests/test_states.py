# SPDX-License-Identifier: MIT
"""Worlds of rules with more than two states against the definition in NumPy, and their cells as arrays of states."""
import copy
import gzip
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import moorea

# Notation, births, survivals, states
RULES = [("/2/3", [2], [], 3), ("345/2/4", [2], [3, 4, 5], 4), ("23/23/8", [2, 3], [2, 3], 8), ("0345/2/25", [2], [0, 3, 4, 5], 25), ("/2/256", [2], [], 256)]
SHIFTS = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]


def step(cells, rule, topology, generations=1):
    """States after some generations: births and survivals count state 1 alone, other live cells age."""
    _, birth, survival, states = rule
    for _ in range(generations):
        around = cells if topology == "torus" else np.pad(cells, 1)
        count = sum(np.roll(around == 1, shift, (0, 1)).astype(np.uint8) for shift in SHIFTS)
        count = count if topology == "torus" else count[1:-1, 1:-1]
        aged = np.where(cells == 0, 0, (cells.astype(np.uint16) + 1) % states)
        stays = (cells == 1) & np.isin(count, survival)
        cells = np.where(((cells == 0) & np.isin(count, birth)) | stays, 1, aged).astype(np.uint8)
    return cells


def world(rule, cells, **options):
    return moorea.Simulation(rule[0], cells, device="cpu", **options)


def noise(rule, shape, seed=1):
    return moorea.random_states(shape, rule[3], 0.6, seed)


shapes = arrays.array_shapes(min_dims=2, max_dims=2, max_side=140)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RULES), shapes, st.sampled_from(["torus", "plane"]), st.integers(0, 12), st.integers(0, 2**32))
def test_states_are_those_of_the_definition(rule, shape, topology, generations, seed):
    cells = noise(rule, shape, seed)
    simulation = world(rule, cells, topology=topology)
    np.testing.assert_array_equal(simulation.states(), cells)
    assert simulation.step(generations) == generations
    expected = step(cells, rule, topology, generations)
    np.testing.assert_array_equal(simulation.states(), expected)
    np.testing.assert_array_equal(simulation.cells, expected != 0)
    assert simulation.population == (expected != 0).sum()
    assert simulation.census().tolist() == np.bincount(expected.ravel(), minlength=rule[3]).tolist()
    assert simulation.hash == sum(state * moorea.Grid(expected == state).hash for state in range(1, rule[3])) % (2**61 - 1)
    alive = np.argwhere(expected)
    if len(alive) > 0:
        (top, left), (bottom, right) = alive.min(0), alive.max(0)
        assert simulation.bounding_box == (left, top, right - left + 1, bottom - top + 1)
    else:
        assert simulation.bounding_box is None


@pytest.mark.parametrize("rule", RULES[:4])
def test_an_unbounded_plane_has_no_edges(rule):
    cells, generations = noise(rule, (12, 17)), 25
    simulation = world(rule, cells, topology="unbounded")
    simulation.step(generations)
    expected = step(np.pad(cells, generations), rule, "plane", generations)
    rows, columns = expected.shape
    np.testing.assert_array_equal(simulation.states((-generations, -generations, columns, rows)), expected)
    live = simulation.bounding_box
    assert simulation.states().shape == (live.height, live.width)
    assert simulation.census().sum() == live.width * live.height
    simulation.paste(np.array([[2, 0, 1]], np.uint8), 1000, -1000)
    assert simulation.states((999, -1000, 5, 1)).tolist() == [[0, 2, 0, 1, 0]]


def test_windows_reach_beyond_the_world():
    rule = RULES[2]
    cells = noise(rule, (37, 150))
    simulation = world(rule, cells)
    padded = np.pad(cells, 100)
    for x, y, width, height in ((-5, -7, 20, 30), (60, 3, 64, 9), (63, 0, 66, 37), (149, 36, 3, 3), (-80, -90, 1, 1), (5, 5, 0, 4)):
        expected = padded[y + 100 : y + 100 + height, x + 100 : x + 100 + width]
        np.testing.assert_array_equal(simulation.states((x, y, width, height)), expected)
        assert simulation.census((x, y, width, height)).tolist() == np.bincount(expected.ravel(), minlength=8).tolist()
    for query in (simulation.states, simulation.census):
        with pytest.raises(moorea.UsageError, match="-1 x 3"):
            query((0, 0, -1, 3))


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64, np.uint16])
@pytest.mark.parametrize("layout", ["C", "F", "negative", "strided"])
def test_arrays_of_all_integers_and_strides(dtype, layout):
    cells = noise(RULES[2], (50, 130)).astype(dtype)
    given = {"C": cells, "F": np.asfortranarray(cells), "negative": cells[::-1, ::-1], "strided": np.repeat(cells, 2, 1)[:, ::2]}[layout]
    given.flags.writeable = False
    np.testing.assert_array_equal(world(RULES[2], given).states(), given)
    assert world(RULES[2], given).states().dtype == np.uint8


def test_cells_of_two_kinds_are_in_state_1():
    soup = moorea.soup((30, 70), seed=1)
    for cells in (soup, np.asarray(soup), world(("Life",), soup).cells):
        np.testing.assert_array_equal(world(RULES[0], cells).states(), np.asarray(soup))
    np.testing.assert_array_equal(moorea.Simulation("Life", soup, device="cpu").states(), np.asarray(soup))
    assert moorea.Simulation("Life", soup, device="cpu").census().tolist() == [30 * 70 - soup.population, soup.population]
    # Every number that is not 0 is alive under a rule of two states
    assert moorea.Simulation("Life", np.full((3, 3), 7), device="cpu").population == 9


def test_noise():
    cells = moorea.random_states((300, 200), 5, 0.25, seed=7)
    assert cells.dtype == np.uint8 and cells.shape == (300, 200)
    np.testing.assert_array_equal(cells != 0, moorea.soup((300, 200), 0.25, seed=7))
    assert np.bincount(cells.ravel())[1:].min() > 3400
    np.testing.assert_array_equal(moorea.random_states(64, 2, 0.4, 1), moorea.soup(64, 0.4, 1))
    np.testing.assert_array_equal(moorea.Simulation.soup("/2/5", (300, 200), 0.25, 7, device="cpu").states(), cells)
    for bad in (dict(states=1), dict(states=257), dict(density=2), dict(seed=-1)):
        with pytest.raises(moorea.UsageError):
            moorea.random_states(10, **{"states": 3, **bad})


@pytest.mark.parametrize("dtype", [np.uint8, np.int16])
def test_a_state_that_is_too_large_has_a_place(dtype):
    cells = np.zeros((5, 100), dtype)
    simulation = world(RULES[1], cells)
    cells[3, 71] = 4
    for use in (lambda: world(RULES[1], cells), lambda: simulation.paste(cells), lambda: simulation.reset(cells), lambda: moorea.Pattern(cells, "345/2/4:T100,5")):
        with pytest.raises(moorea.UsageError, match="row 3 and column 71 is in state 4: expected states 0 to 3"):
            use()
    with pytest.raises(ValueError, match="state 4"):
        simulation.cells[0, 0] = 4
    assert simulation.population == 0


def test_what_is_no_states():
    with pytest.raises(moorea.UsageError, match="state -1"):
        world(RULES[0], np.full((3, 3), -1))
    for bad in (np.ones((3, 3)), np.ones((3, 3), complex), [["a"]]):
        with pytest.raises(moorea.UsageError, match="expected uint8"):
            world(RULES[0], bad)
    for bad in (np.ones(5, np.uint8), np.ones((2, 2, 2), np.uint8), np.ones((0, 3), np.uint8)):
        with pytest.raises(moorea.UsageError):
            world(RULES[0], bad)
    with pytest.raises(moorea.UsageError, match="topology|unbounded"):
        world(RULES[0], np.ones((2, 2), np.uint8), topology="sphere")


def test_integers_in_the_memory_of_a_gpu_are_refused():
    class OnDevice:
        __cuda_array_interface__ = dict(shape=(3, 3), typestr="|u1", data=(0, True), version=3)

    simulation = world(RULES[0], np.zeros((3, 3), np.uint8))
    for use in (lambda: world(RULES[0], OnDevice()), lambda: simulation.paste(OnDevice()), lambda: simulation.cells.__setitem__(np.s_[:, :], OnDevice())):
        with pytest.raises(moorea.UsageError, match="copy states to main memory"):
            use()


def test_pasting():
    rule = RULES[2]
    cells, part = noise(rule, (40, 150)), noise(rule, (20, 90), seed=2)
    simulation = world(rule, cells)
    simulation.step(3)
    expected = step(cells, rule, "torus", 3)
    simulation.paste(part, 33, 11)
    expected[11:31, 33:123] = part
    np.testing.assert_array_equal(simulation.states(), expected)
    simulation.paste(part, -5, 30)
    expected[30:, :85] = part[:10, 5:]
    np.testing.assert_array_equal(simulation.states(), expected)
    simulation.paste(moorea.Pattern(part, rule[0]), 1, 2)
    expected[2:22, 1:91] = part
    simulation.paste(np.ones((40, 3), bool), 7, 0, mode="or")
    expected[:, 7:10] = np.maximum(expected[:, 7:10], 1)
    np.testing.assert_array_equal(simulation.states(), expected)
    assert simulation.generation == 3
    with pytest.raises(moorea.UsageError, match='mode "xor"'):
        simulation.paste(part, mode="xor")
    simulation.reset(part, 10, 5)
    expected[:] = 0
    expected[5:25, 10:100] = part
    np.testing.assert_array_equal(simulation.states(), expected)
    assert simulation.generation == 0
    with pytest.raises(moorea.UsageError, match="do not fit"):
        simulation.reset(part, 100, 5)
    np.testing.assert_array_equal(simulation.states(), expected)


def test_assignments():
    rule = RULES[2]
    cells = noise(rule, (40, 150))
    simulation = world(rule, cells)
    for index, value in (
        (np.s_[3:9, 60:70], 5),
        (np.s_[3:9, 64:66], np.arange(2) + 3),
        (np.s_[5], np.arange(150) % 8),
        (np.s_[:, 7], True),
        (np.s_[::2, ::3], 6),
        (np.s_[0, 0], 0),
        (np.s_[-1, -1], 7),
        (cells == 2, 4),
        (([1, 2], [3, 149]), [7, 6]),
    ):
        simulation.cells[index] = value
        cells[index] = value
        np.testing.assert_array_equal(simulation.states(), cells)
    simulation.cells = cells[::-1]
    np.testing.assert_array_equal(simulation.states(), cells[::-1])


@pytest.mark.parametrize("rule", RULES)
def test_patterns(rule, tmp_path):
    cells = noise(rule, (20, 70))
    simulation = world(rule, cells, topology="plane")
    simulation.step(4)
    states = simulation.states()
    pattern = simulation.snapshot(whole=True)
    np.testing.assert_array_equal(pattern.states, states)
    np.testing.assert_array_equal(pattern.cells, states != 0)
    assert pattern.rule == f"{simulation.rule}:P70,20" and pattern.generation == 4
    pattern.write(tmp_path / "a.rle.gz")
    with gzip.open(tmp_path / "a.rle.gz", "rt") as file:
        assert file.read() == pattern.text()
    for again in (moorea.Pattern.read(tmp_path / "a.rle.gz"), moorea.Pattern.parse(pattern.text()), pickle.loads(pickle.dumps(pattern))):
        assert again.position == pattern.position and again.generation == 4
        continued = moorea.Simulation.of(again, device="cpu")
        np.testing.assert_array_equal(continued.states(), states)
        continued.step(3)
        np.testing.assert_array_equal(continued.states(), step(cells, rule, "plane", 7))
    for name in ("a.cells", "a.pbm"):
        with pytest.raises(moorea.UsageError, match="RLE"):
            pattern.write(tmp_path / name)


def test_patterns_with_and_without_states():
    brain = moorea.Pattern([[0, 1, 2], [2, 1, 0]], moorea.Rule("/2/3"), name="two cells", position=(5, -3))
    assert brain.text().endswith(".AB$BA!\n") and brain.states.tolist() == [[0, 1, 2], [2, 1, 0]]
    assert moorea.Pattern([[0, 1, 2]]).states.tolist() == [[0, 1, 1]]
    assert moorea.Pattern([[True, False]], "/2/3").states.tolist() == [[1, 0]]
    placed = moorea.Simulation("/2/3", brain, shape=(10, 20), device="cpu")
    assert placed.states((15, 2, 3, 2)).tolist() == brain.states.tolist()
    unbounded = moorea.Simulation("345/2/4", brain, topology="unbounded", device="cpu")
    assert unbounded.bounding_box == (5, -3, 3, 2) and unbounded.states().tolist() == brain.states.tolist()
    assert moorea.Simulation("/2/3", brain, device="cpu").states().tolist() == brain.states.tolist()
    # State 2 is none of Life's; letters without a rule have states too
    for use in (lambda: moorea.Simulation("Life", brain), lambda: moorea.Simulation("Life", brain, topology="unbounded"), lambda: world(("Life",), np.ones((3, 3))).paste(brain)):
        with pytest.raises(moorea.UsageError, match="state 2"):
            use()
    letters = moorea.Pattern.parse("x = 3, y = 1\n.AB!\n")
    assert letters.states.tolist() == [[0, 1, 2]] and pickle.loads(pickle.dumps(letters)).states.tolist() == [[0, 1, 2]]
    assert moorea.Simulation("/2/3", letters, device="cpu").states().tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("topology", ["torus", "plane", "unbounded"])
def test_copies_and_pickles(topology):
    simulation = world(RULES[1], noise(RULES[1], (20, 90)), topology=topology)
    simulation.step(5)
    for again in (pickle.loads(pickle.dumps(simulation)), copy.copy(simulation)):
        assert (again.generation, again.topology, again.hash) == (5, topology, simulation.hash)
        np.testing.assert_array_equal(again.states(), simulation.states())
        again.step(5)
    simulation.step(5)
    assert again.hash == simulation.hash


def test_what_needs_two_states(tmp_path):
    brain = world(RULES[0], noise(RULES[0], (20, 90)))
    plane = world(RULES[0], noise(RULES[0], (20, 90)), topology="unbounded")
    for use in (lambda: brain.save_checkpoint(tmp_path / "a"), lambda: moorea.find_period(brain), lambda: moorea.identify(plane), lambda: moorea.identify(plane.snapshot())):
        with pytest.raises(moorea.UsageError, match="two"):
            use()
    with pytest.raises(moorea.UsageError, match="state 2"):
        moorea.identify(plane.snapshot(), rule="Life")
    assert not list(tmp_path.iterdir())


def test_observers_and_pictures_see_live_cells():
    cells = noise(RULES[0], (64, 64))
    simulation = world(RULES[0], cells)
    seen = []
    simulation.observe(lambda now: seen.append(now.states()), every=2)
    populations = simulation.populations(4)
    assert [len(seen), populations[-1]] == [2, (step(cells, RULES[0], "torus", 4) != 0).sum()]
    np.testing.assert_array_equal(seen[0], step(cells, RULES[0], "torus", 2))
    assert simulation.density(64).tolist() == [[simulation.population]]
    assert simulation.render(pixels=64, zoom=1).levels.shape == (64, 64)
