# SPDX-License-Identifier: MIT
"""Worlds of every size, rule and topology against the definition in NumPy, and rules."""
import base64
import os
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from model import step

import moorea

EXAMPLES = 2000 if os.environ.get("MOOREA_TEST_ALL") else 100
counts = st.sets(st.integers(0, 8)).map(sorted)
worlds = arrays.arrays(bool, arrays.array_shapes(min_dims=2, max_dims=2, max_side=140))


@settings(max_examples=EXAMPLES, deadline=None)
@given(worlds, counts, counts, st.sampled_from(["torus", "plane"]), st.integers(0, 12))
def test_cells_are_those_of_the_definition(cells, birth, survival, topology, generations):
    simulation = moorea.Simulation(moorea.Rule.from_counts(birth, survival), cells, topology=topology, device="cpu")
    assert simulation.step(generations) == generations
    expected = step(cells, birth, survival, topology, generations)
    np.testing.assert_array_equal(simulation.cells, expected)
    assert simulation.population == expected.sum()
    assert simulation.generation == generations
    alive = np.argwhere(expected)
    if len(alive) == 0:
        assert simulation.bounding_box is None
    else:
        (top, left), (bottom, right) = alive.min(0), alive.max(0)
        assert simulation.bounding_box == (left, top, right - left + 1, bottom - top + 1)


@settings(max_examples=30, deadline=None)
@given(arrays.arrays(bool, arrays.array_shapes(min_dims=2, max_dims=2, max_side=20)), st.integers(0, 30))
def test_an_unbounded_plane_has_no_edges(cells, generations):
    simulation = moorea.Simulation("Life", cells, topology="unbounded", device="cpu")
    simulation.step(generations)
    margin = generations + 1
    expected = step(np.pad(cells, margin), [3], [2, 3], "plane", generations)
    rows, columns = expected.shape
    np.testing.assert_array_equal(simulation.window(-margin, -margin, columns, rows), expected)


@settings(max_examples=20, deadline=None)
@given(worlds, counts, counts)
def test_populations_and_changes(cells, birth, survival):
    rule = moorea.Rule.from_counts(birth, survival)
    states = [cells]
    for _ in range(5):
        states.append(step(states[-1], birth, survival, "torus"))
    expected = [state.sum() for state in states[1:]]
    assert moorea.Simulation(rule, cells, device="cpu").populations(5).tolist() == expected
    population, changed = moorea.Simulation(rule, cells, device="cpu").activity(5)
    assert population.tolist() == expected
    assert changed.tolist() == [(a != b).sum() for a, b in zip(states, states[1:])]


@pytest.mark.parametrize("kernel", [row["name"] for row in moorea.kernels() if row["runs"] and row["backend"] == "cpu" and "mesh" not in row["name"]])
def test_kernels(kernel):
    cells = np.asarray(moorea.soup((100, 192), 0.4, seed=3))
    try:
        simulation = moorea.Simulation("Life", cells, kernel=kernel)
    except moorea.UnavailableError as error:
        pytest.skip(str(error))
    assert kernel in simulation.kernel
    simulation.step(20)
    np.testing.assert_array_equal(simulation.cells, step(cells, [3], [2, 3], "torus", 20))


@given(counts, counts)
def test_rules_of_counts_and_functions(birth, survival):
    rule = moorea.Rule.from_counts(birth, survival)
    assert (rule.birth, rule.survival) == (tuple(birth), tuple(survival))
    assert moorea.Rule.from_function(lambda alive, n: n in (survival if alive else birth)) == rule
    assert moorea.Rule(str(rule)) == rule and hash(moorea.Rule(str(rule))) == hash(rule)
    assert pickle.loads(pickle.dumps(rule)) == rule
    assert all(rule.next(alive, n) == (n in (survival if alive else birth)) for alive in (False, True) for n in range(9))


def test_functions_see_each_case_once():
    seen = []
    moorea.Rule.from_function(lambda alive, n: seen.append((alive, n)))
    assert sorted(seen) == [(alive, n) for alive in (False, True) for n in range(9)]
    assert all(type(alive) is bool for alive, _ in seen)
    with pytest.raises(ZeroDivisionError):
        moorea.Rule.from_function(lambda alive, n: 1 / n)


def test_names():
    assert moorea.Rule("HighLife") == moorea.Rule("b36s23") == moorea.rules()["HighLife"]
    assert moorea.Rule("23/3").name == "Life" and repr(moorea.Rule("life")) == "Rule('B3/S23')"
    assert moorea.Rule("Life") != "B3/S23"
    for text in ("B9/S", "", "Lief"):
        with pytest.raises(ValueError):
            moorea.Rule(text)
    with pytest.raises(moorea.UsageError, match="0 to 8"):
        moorea.Rule.from_counts([9], [])


def test_a_soup_is_the_same_everywhere():
    soup = moorea.soup((300, 200), 0.25, seed=7)
    assert soup == moorea.soup((300, 200), 0.25, seed=7) and not soup == moorea.soup((300, 200), 0.25, seed=8)
    # moorea run --random 0.37 --seed 1 --size 64 -g 0 --json
    assert moorea.soup(64, 0.37, seed=1).hash == moorea.Simulation.soup("Life", 64, 0.37, seed=1).hash
    assert abs(np.asarray(soup).mean() - 0.25) < 0.01
    for bad in (-0.1, 1.1):
        with pytest.raises(ValueError):
            moorea.soup(10, bad)
    with pytest.raises(ValueError):
        moorea.soup(10, seed=-1)


def neighbourhoods(cells):
    """Number of each cell's neighbourhood: nine cells row by row, north west first, on a torus."""
    numbers = np.zeros(cells.shape, int)
    for row in (1, 0, -1):
        for column in (1, 0, -1):
            numbers = numbers * 2 + np.roll(cells, (row, column), (0, 1))
    return numbers


@settings(max_examples=30, deadline=None)
@given(arrays.arrays(bool, arrays.array_shapes(min_dims=2, max_dims=2, min_side=3, max_side=30)), arrays.arrays(bool, 512), st.integers(0, 5))
def test_map_rules(cells, table, generations):
    rule = moorea.Rule("MAP" + base64.b64encode(np.packbits(table).tobytes()).decode())
    assert moorea.Rule(str(rule)) == rule and hash(moorea.Rule(str(rule))) == hash(rule)
    simulation = moorea.Simulation(rule, cells, device="cpu")
    simulation.step(generations)
    for _ in range(generations):
        cells = table[neighbourhoods(cells)]
    np.testing.assert_array_equal(simulation.cells, cells)


def test_rules_that_do_not_count():
    rule = moorea.Rule("Just Friends")
    assert str(rule) == "B2-a/S12" and not rule.is_life_like and moorea.Rule("Life").is_life_like
    assert pickle.loads(pickle.dumps(rule)) == rule
    for use in (lambda: rule.birth, lambda: rule.survival, lambda: rule.next(True, 2)):
        with pytest.raises(moorea.Error, match="life-like"):
            use()


def test_rules_of_generations():
    brain = moorea.Rule("/2/3")
    assert (brain.states, brain.name, str(brain)) == (3, "Brian's Brain", "/2/3")
    assert (brain.birth, brain.survival, brain.is_life_like) == ((2,), (), False)
    assert brain.next(False, 2) and not brain.next(True, 2)
    assert brain.two_state() == moorea.Rule("Seeds") and moorea.Rule("Seeds").with_states(3) == brain
    assert moorea.Rule("Life").states == 2 and moorea.Rule("23/3/2") == moorea.Rule("Life")
    assert pickle.loads(pickle.dumps(brain)) == brain
    assert str(moorea.Rule("Just Friends").with_states(4)) == "12/2-a/4"
    for states in (-1, 1, 257):
        with pytest.raises(moorea.UsageError, match="2 to 256"):
            brain.with_states(states)
    with pytest.raises(moorea.UsageError, match="two states"):
        moorea.Ensemble(brain, worlds=3, shape=(9, 20))


def test_rules_by_transitions(tmp_path, monkeypatch):
    wires = moorea.Rule("WireWorld")
    assert (wires.states, str(wires), wires.has_transitions, moorea.Rule("/2/3").has_transitions) == (4, "WireWorld", True, False)
    assert pickle.loads(pickle.dumps(wires)) == wires
    simulation = moorea.Simulation(wires, np.array([[0, 2, 1, 3, 3]], dtype=np.uint8), device="cpu", topology="plane")
    simulation.step(2)
    np.testing.assert_array_equal(simulation.states(), [[0, 3, 3, 2, 1]])
    for use in (lambda: wires.birth, lambda: wires.next(True, 2), lambda: wires.two_state(), lambda: wires.with_states(5)):
        with pytest.raises(moorea.UsageError, match="transitions"):
            use()
    path = tmp_path / "North.rule"
    text = ("@RULE North\n@TABLE\nn_states:3\nneighborhood:vonNeumann\nsymmetries:none\nvar a={0,1,2}\nvar b={0,1,2}\nvar c={0,1,2}\n"
                    "0,a,b,1,c,1\n0,a,b,2,c,2\n1,a,b,0,c,0\n2,a,b,0,c,0\n")
    path.write_text(text)
    with pytest.raises(moorea.UsageError, match="North.rule|NAME.rule"):
        moorea.Rule("North")
    monkeypatch.setenv("MOOREA_RULES", str(tmp_path))
    assert moorea.rule_folders()[0] == str(tmp_path)
    north = moorea.Rule("North")
    path.write_text("@RULE North\n")
    with pytest.raises(moorea.RunError, match="North.rule, line 1"):
        moorea.Rule("North")
    # The rule of a file whose path is given has its name until the program ends
    own = tmp_path / "own" / "North.rule"
    own.parent.mkdir()
    own.write_text(text.replace("0,a,b,1,c,1", "0,a,b,1,c,2"))
    assert moorea.Rule(str(own)) == moorea.Rule("North") != north
    moorea.Simulation(moorea.Rule(str(own)), np.ones((5, 7), dtype=bool), device="cpu").step(3)


def test_ensembles_of_rules_that_do_not_count():
    ensemble = moorea.Ensemble(["tlife", "B2/S34H"], worlds=40, shape=(9, 20), density=0.4, seed=3, device="cpu", kernel="cpu/strided_avx2")
    starts = ensemble.cells[...]
    ensemble.step(7)
    for index in (0, 39, 40, 79):
        simulation = moorea.Simulation("tlife" if index < 40 else "B2/S34H", starts[index], device="cpu")
        simulation.step(7)
        np.testing.assert_array_equal(ensemble.cells[index], simulation.cells)


def test_larger_than_life():
    bosco = moorea.Rule("R5,C0,M1,S34..58,B34..45,NM")
    assert str(bosco) == "R5,C0,M0,S33..57,B34..45,NM" and bosco.name == "Bosco's Rule" and bosco.reach == 5
    assert not bosco.is_life_like and not bosco.has_blocks and bosco.inverse() is None
    assert bosco.with_states(4).states == 4 and bosco.with_states(4).two_state() == bosco
    assert moorea.Rule("R1,C2,S2-3,B3") == moorea.Rule("Life") and moorea.Rule("Life").reach == 1
    for use in (lambda: bosco.birth, lambda: bosco.next(True, 2), lambda: moorea.find_period(moorea.Simulation.soup(bosco, 64))):
        with pytest.raises(moorea.UsageError):
            use()


def test_history():
    history = moorea.Rule("Life").with_history()
    assert history.has_history and str(history) == "LifeHistory" and history.states == 7 and history.two_state() == moorea.Rule("Life")
    assert history == moorea.Rule("B3/S23History") and not moorea.Rule("/2/3").has_history
    world = moorea.Simulation.soup(history, 64, 0.3, seed=1)
    world.step(20)
    assert set(np.unique(world.states())) <= set(range(7))
    with pytest.raises(moorea.UsageError):
        moorea.Rule("/2/3").with_history()


def test_blocks_go_back():
    critters = moorea.Rule("Critters")
    assert critters.has_blocks and critters.inverse().inverse() == critters and moorea.Rule("Life").inverse() is None
    world = moorea.Simulation.soup(critters, (40, 60), 0.3, seed=2)
    start = world.cells[...]
    assert world.step(101) == 101 and world.step_back(100) == 100 and world.generation == 1
    world.step_back()
    assert (world.cells[...] == start).all()
    with pytest.raises(moorea.UsageError, match="no 1 generations before"):
        world.step_back()
    with pytest.raises(moorea.UsageError, match="no inverse"):
        moorea.Simulation.soup("Life", 64).step_back(0)
    for use in (lambda: critters.birth, lambda: critters.with_states(3)):
        with pytest.raises(moorea.UsageError, match="blocks"):
            use()
