# SPDX-License-Identifier: MIT
"""Surveys: each row is that of a simulation alone, in the order of the worlds, whole or in parts; progress, ends, signals."""
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import moorea
from test_ensembles import CHAOS, interruptible  # noqa: F401

ALL = "seed,population,hash,changed,box,period"
NAMES = ["world", "generation", "seed", "population", "hash", "changed", "x", "y", "width", "height", "period", "period_generation"]


def expect_equal(a, b):
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
        assert a[name].dtype == b[name].dtype


def alone(row, rule, shape, density, topology):
    simulation = moorea.Simulation.soup(rule, shape, density, int(row["seed"]), topology=topology, device="cpu", threads=1)
    changed = 0
    if row["generation"] > 0:
        simulation.step(int(row["generation"]) - 1)
        changed = int(simulation.activity(1)[1][0])
    return simulation, changed


def expect_row(row, rule, shape, density, topology, max_period):
    simulation, changed = alone(row, rule, shape, density, topology)
    assert (simulation.population, simulation.hash, changed) == (row["population"], row["hash"], row["changed"])
    assert (simulation.bounding_box or (0, 0, 0, 0)) == (row["x"], row["y"], row["width"], row["height"])
    if row["period"]:
        simulation, _ = alone({**row, "generation": row["period_generation"]}, rule, shape, density, topology)
        state = np.asarray(simulation.cells)
        returns = [n for n, now in enumerate(simulation.iterate(max_period), 1) if np.array_equal(now.cells, state)]
        assert returns[0] == row["period"]


@pytest.mark.filterwarnings("ignore:periods are searched")
@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(["Life", "HighLife", "B2/S", "B35678/S024", "B02/S13"]), min_size=1, max_size=3),
    st.tuples(st.integers(1, 24), st.integers(1, 70)),
    st.sampled_from(["torus", "plane"]),
    st.integers(0, 200),
    st.integers(1, 70),
    st.booleans(),
    st.integers(0, 2**64 - 1),
)
def test_rows_are_those_of_simulations(rules, shape, topology, generations, max_period, until_periodic, seed):
    how = dict(generations=generations, max_period=max_period, until_periodic=until_periodic, topology=topology, density=0.375, seed=seed, record=ALL)
    table = moorea.survey(rules, 70, shape, threads=2, **how)
    assert list(table) == NAMES[:1] + ["rule"] * (len(rules) > 1) + NAMES[1:]
    assert table["world"].tolist() == list(range(70 * len(rules))) and table.rows == 70 * len(rules)
    for i in range(0, table.rows, 23):
        row = {name: array[i] for name, array in table.items()}
        expect_row(row, rules[i // 70], shape, 0.375, topology, max_period)
        assert row.get("rule", 0) == i // 70
    first = seed % table.rows
    expect_equal({name: array[first:] for name, array in table.items()}, dict(moorea.survey(rules, 70, shape, first=first, **how)))


def test_worlds_are_those_of_ensembles():
    table = moorea.survey(["Life", "Seeds"], [700, 30], (20, 33), generations=40, density=0.3, seed=8)
    ensemble = moorea.Ensemble(["Life", "Seeds"], [700, 30], (20, 33), density=0.3, seed=8)
    ensemble.step(40)
    np.testing.assert_array_equal(table["population"], ensemble.populations)
    np.testing.assert_array_equal(table["hash"], ensemble.hashes)
    np.testing.assert_array_equal(table["rule"], ensemble.rule_of)
    assert list(table) == ["world", "rule", "generation", "population", "hash"]


def test_the_columns():
    assert list(moorea.survey(worlds=3, generations=1, record=[])) == ["world", "generation"]
    with pytest.warns(UserWarning, match="multiples of 64: worlds that become periodic after generation 0 have none"):
        assert list(moorea.survey(worlds=3, generations=1, record=["hash"], until_periodic=True)) == ["world", "generation", "hash", "period", "period_generation"]
    table = moorea.survey(worlds=20, shape=16, generations=5, record="box, population")
    assert [table[name].dtype for name in ("world", "population", "x")] == [np.uint64, np.uint64, np.int64]
    assert repr(table).splitlines()[0].split() == list(table) and repr(table).endswith("(20 rows)") and len(repr(table).splitlines()) == 12
    assert table._repr_html_().count("<tr>") == 11
    expect_equal(pickle.loads(pickle.dumps(table)), table)
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame(table)
    assert frame.shape == (20, 7) and frame["population"].dtype == np.uint64


@pytest.mark.filterwarnings("ignore:periods are searched")
def test_parts_are_the_table():
    how = dict(shape=16, generations=300, until_periodic=True, seed=4)
    table = moorea.survey("Life", 2500, **how)
    parts = list(moorea.iterate_survey("Life", 2500, chunk=700, **how))
    assert [part.rows for part in parts] == [700, 700, 700, 400]
    expect_equal({name: np.concatenate([part[name] for part in parts]) for name in table}, dict(table))
    assert list(moorea.iterate_survey("Life", 5, first=5)) == [] and moorea.survey("Life", 5, first=5).rows == 0


def test_parts_that_are_not_taken_wait():
    parts = moorea.iterate_survey("Life", 10**9, 8, generations=1, chunk=512)
    first = next(parts)
    time.sleep(0.2)
    assert first["world"].tolist() == list(range(512)) and next(parts)["world"][0] == 512
    parts.close()
    assert list(parts) == []
    unused = moorea.iterate_survey("Life", 10**9, 8, generations=1)
    del unused


def test_progress():
    seen = []
    table = moorea.survey("Life", 400, 64, generations=3000, progress=lambda done, worlds: seen.append((done, worlds)))
    assert table.rows == 400 and seen[-1] == (400, 400) and seen == sorted(seen)
    table = moorea.survey("Life", 10**9, 16, generations=10, progress=lambda done, worlds: done < 1000)
    assert 1000 <= table.rows < 10**8
    expect_equal(dict(table), dict(moorea.survey("Life", table.rows, 16, generations=10)))

    def fail(done, worlds):
        raise KeyError("mine")

    with pytest.raises(KeyError):
        moorea.survey("Life", 10**9, 16, generations=10, progress=fail)


@pytest.mark.parametrize(
    "kind, text, how",
    [
        (moorea.UsageError, "expected seed, population", dict(record="populations")),
        (moorea.UsageError, "max_period 0", dict(max_period=0)),
        (moorea.UsageError, "generations -1", dict(generations=-1)),
        (moorea.UsageError, "from world 11 on", dict(first=11)),
        (moorea.UsageError, "plane or torus", dict(topology="unbounded")),
        (moorea.UsageError, "expected cpu, cuda or cuda:N", dict(device="abacus")),
        (moorea.UnavailableError, "cuda:99", dict(device="cuda:99")),
        (moorea.UsageError, "without worlds", dict(worlds=0)),
        (moorea.OutOfMemoryError, "memory", dict(shape=10**7)),
    ],
)
def test_errors(kind, text, how):
    for function in (moorea.survey, moorea.iterate_survey):
        with pytest.raises(kind, match=text):
            function(**{"worlds": 10, **how})


@pytest.mark.parametrize("parts", [False, True])
def test_ctrl_c_stops_a_survey(parts, interruptible):  # noqa: F811
    sent = []

    def interrupt():
        time.sleep(0.2)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    how = dict(shape=64, generations=10**15, until_periodic=True, max_period=10**9)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        next(moorea.iterate_survey(CHAOS, 10**6, **how)) if parts else moorea.survey(CHAOS, 10**6, **how)
    delay = time.monotonic() - sent[0]
    thread.join()
    assert delay < 5, "100 ms on an idle machine"


def test_other_threads_run_meanwhile():
    turns, done = 0, threading.Event()

    def work():
        moorea.survey(CHAOS, 600, 64, generations=30_000, threads=1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        turns += 1
    thread.join()
    assert turns > 3
