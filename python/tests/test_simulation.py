# SPDX-License-Identifier: MIT
"""Steps, observers, errors, threads, signals, processes, and what is saved."""
import copy
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import moorea


def soup(rule="Life", shape=(200, 300), **options):
    return moorea.Simulation.soup(rule, shape, 0.4, seed=1, device=options.pop("device", "cpu"), **options)


# A rule under which no region becomes inactive, so that every generation costs the same
CHAOS = "B1357/S1357"


def test_facts():
    simulation = soup(kernel="cpu/bits", threads=2)
    assert simulation.kernel == "cpu/bits" and simulation.device == "cpu" and simulation.threads == 2
    assert simulation.shape == (200, 300) and simulation.box == (0, 0, 300, 200) and simulation.topology == "torus"
    assert simulation.rule == moorea.Rule("Life") and simulation.parts == []
    assert "cpu/bits" in simulation.explain() and "B3/S23:T300,200" in repr(simulation)
    simulation.generation = 7
    assert simulation.generation == 7
    assert moorea.__version__ == "0.1.0"


def test_the_hash_is_that_of_the_command():
    # moorea run patterns/acorn.rle -g 5206 --json; 633 cells are known from Golly
    acorn = moorea.Simulation.of(moorea.Pattern.bundled("acorn.rle"), device="cpu")
    assert acorn.topology == "unbounded"
    acorn.step(5206)
    assert acorn.population == 633


def test_observers():
    simulation = soup()
    seen = []
    handle = simulation.observe(lambda now: seen.append(now.generation), every=10)

    @simulation.observe(every=25)
    def stop(now):
        assert now is simulation
        return now.generation < 50

    assert simulation.step(100) == 50
    assert seen == [10, 20, 30, 40, 50] and simulation.generation == 50
    stop.remove()
    assert simulation.step(7) == 7
    handle.remove()
    handle.remove()
    simulation.step(20)
    assert seen == [10, 20, 30, 40, 50]
    with simulation.observe(lambda now: None, every=3) as third:
        assert third.every == 3
    assert simulation.populations(30).shape == (30,)
    for every in (0, -1):
        with pytest.raises(ValueError):
            simulation.observe(print, every=every)


def test_observers_and_populations():
    plain, observed = soup(), soup()
    observed.observe(lambda now: now.generation != 12, every=4)
    populations = observed.populations(100)
    assert populations.tolist() == plain.populations(12).tolist() and populations.dtype == np.uint64


def test_an_observer_that_raises_or_changes_the_world():
    simulation = soup()

    def fail(now):
        raise KeyError("mine")

    handle = simulation.observe(fail, every=5)
    with pytest.raises(KeyError):
        simulation.step(20)
    assert simulation.generation == 5
    handle.remove()
    for change in (lambda now: now.step(1), lambda now: now.paste([[1]]), lambda now: now.reset([[1]]), lambda now: next(now.iterate(1))):
        with simulation.observe(change), pytest.raises(moorea.BusyError):
            simulation.step(1)
    assert simulation.step(1) == 1


def test_an_observer_is_added_and_removed_by_another():
    simulation, seen, handles = soup(), [], []

    def first(now):
        if not handles:
            handles.append(now.observe(lambda later: seen.append(later.generation)))
        elif now.generation == 3:
            handles[0].remove()

    simulation.observe(first)
    simulation.step(5)
    assert seen == [2]


def test_iterate():
    simulation = soup()
    assert [now.generation for now in simulation.iterate(25, every=10)] == [10, 20, 25]
    simulation.observe(lambda now: now.generation < 40)
    assert [now.generation for now in simulation.iterate(100, every=10)] == [35, 40]
    assert list(simulation.iterate(0)) == []
    with pytest.raises(ValueError):
        list(simulation.iterate(5, every=0))
    with pytest.raises(ValueError):
        simulation.step(-1)


def test_a_kernel_file(tmp_path):
    path = tmp_path / "mine.cpp"
    path.write_text(
        "// @layout bytes\n#include <moorea/kernel.h>\nusing namespace moorea::kernels;\n"
        'extern "C" void advance(const Block& b) {\n'
        "  for (std::int64_t y = 0; y < b.height; ++y)\n"
        "    for (std::int64_t x = 0; x < b.width; ++x) {\n"
        "      int n = 0;\n"
        "      for (int v = -1; v <= 1; ++v)\n"
        "        for (int u = -1; u <= 1; ++u)\n"
        "          if (u != 0 || v != 0) n += row_from<std::uint8_t>(b, y + v)[x + u];\n"
        "      row_to<std::uint8_t>(b, y)[x] = next_cell_state(b.rule, row_from<std::uint8_t>(b, y)[x], n);\n"
        "    }\n}\n"
    )
    simulation, other = soup(shape=(50, 70), kernel=path), soup(shape=(50, 70))
    simulation.step(10), other.step(10)
    assert simulation.hash == other.hash and str(path) in simulation.kernel
    wrong = tmp_path / "wrong.cpp"
    wrong.write_text("no_such_type x;")
    with pytest.raises(moorea.RunError, match="no_such_type"):
        soup(kernel=wrong)


def test_threads_run_at_the_same_time_and_give_the_same_cells():
    simulations = [soup(shape=(600, 600), threads=1) for _ in range(2)]
    threads = [threading.Thread(target=each.step, args=(2000,)) for each in simulations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert simulations[0].hash == simulations[1].hash and simulations[0].generation == 2000


def test_the_gil_is_released_and_a_busy_simulation_refuses():
    simulation = soup(CHAOS, (2000, 2000), threads=1)
    simulation.observe(lambda now: not done.is_set(), every=500)
    done, turns, refused = threading.Event(), 0, 0
    thread = threading.Thread(target=simulation.step, args=(10**9,))
    thread.start()
    end = time.monotonic() + 20
    while time.monotonic() < end and refused == 0:
        turns += 1  # this thread runs while the other one computes
        try:
            simulation.population
        except moorea.BusyError:
            refused += 1
    done.set()
    thread.join()
    assert turns > 0 and refused > 0
    assert simulation.population > 0


@pytest.fixture
def interruptible():
    """SIGINT raises KeyboardInterrupt also where it is ignored, as in jobs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("work", [lambda s: s.step(10**12), lambda s: s.populations(10**8), lambda s: s.activity(10**8)])
def test_ctrl_c_stops_a_step(work, interruptible):
    simulation = soup(CHAOS, (1000, 1000), threads=1)
    simulation.step(50)
    sent = []

    def interrupt():
        time.sleep(0.4)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        work(simulation)
    delay = time.monotonic() - sent[0]
    thread.join()
    assert delay < 2, "100 ms on an idle machine"
    generation = simulation.generation
    assert generation > 50
    fresh = soup(CHAOS, (1000, 1000), threads=1)
    fresh.step(generation)
    assert fresh.hash == simulation.hash, "the world is whole"


def test_pickles_and_copies():
    for simulation in (soup(kernel="cpu/bits"), moorea.Simulation.of(moorea.Pattern.bundled("acorn.rle"), device="cpu")):
        simulation.step(30)
        for other in (pickle.loads(pickle.dumps(simulation)), copy.deepcopy(simulation)):
            assert (other.hash, other.generation, other.kernel) == (simulation.hash, 30, simulation.kernel)
            other.step(10)
            assert simulation.generation == 30
        simulation.step(10)
        assert other.hash == simulation.hash


def test_checkpoints(tmp_path):
    path = tmp_path / "world.checkpoint"
    simulation = soup(topology="plane")
    simulation.step(5)
    simulation.save_checkpoint(path)
    simulation.step(5)
    again = moorea.Simulation.load_checkpoint(path, device="cpu", kernel="cpu/bits")
    assert again.generation == 5 and again.topology == "plane"
    again.step(5)
    assert again.hash == simulation.hash
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(moorea.RunError):
        moorea.Simulation.load_checkpoint(path)


def test_a_surface():
    mesh = "torus:12x10"
    simulation = moorea.Simulation("Life", np.asarray(moorea.soup((10, 12), seed=2)), mesh=mesh, device="cpu")
    flat = moorea.Simulation("Life", moorea.soup((10, 12), seed=2), device="cpu")
    simulation.step(8), flat.step(8)
    assert simulation.topology == "surface" and simulation.population == flat.population
    again = pickle.loads(pickle.dumps(simulation))
    assert again.hash == simulation.hash and again.topology == "surface"
    with pytest.raises(moorea.UsageError, match="12 rows and 10 columns do not fit into those of torus:12x10, 10 rows and 12 columns"):
        moorea.Simulation("Life", np.ones((12, 10)), mesh=mesh)
    with pytest.raises(moorea.RunError, match="the pattern, 10 x 12 cells"):
        moorea.Simulation("Life", moorea.Pattern(np.ones((12, 10))), mesh=mesh)


def _in_a_child(simulation, queue):
    simulation.step(20)
    queue.put((simulation.hash, soup().step(20)))


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_other_processes(method):
    # This kernel always has a team of threads; others choose one thread where that is faster
    simulation = soup(kernel="cpu/ladder/02_tiled", threads=2)
    simulation.step(20)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    process = context.Process(target=_in_a_child, args=(simulation, queue))
    process.start()
    try:
        result = queue.get(timeout=60)
    finally:
        process.kill()
        process.join()
    simulation.step(20)
    assert result == (simulation.hash, 20)


def test_what_is_no_longer_used_is_freed():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def use():
        simulation = soup(shape=(1024, 1024))
        simulation.observe(lambda now: simulation, every=2)  # a cycle
        simulation.step(2)
        words = simulation.cells.grid().words
        np.asarray(simulation.cells), simulation.populations(4), simulation.render(), pickle.loads(pickle.dumps(simulation))
        return weakref.ref(simulation), words

    for _ in range(3):
        reference, words = use()
    gc.collect()
    assert reference() is None, "an observer that refers to its simulation keeps it"
    before = resident()
    for _ in range(12):
        use()
        gc.collect()
    assert resident() - before < 6 << 20


def test_reference_counts():
    rule, cells = moorea.Rule("Life"), np.ones((5, 5))
    before = sys.getrefcount(rule), sys.getrefcount(cells), sys.getrefcount(None)
    for _ in range(100):
        simulation = moorea.Simulation(rule, cells, device="cpu")
        simulation.bounding_box, simulation.rule, simulation.cells[1:3, 2], simulation.cells.packed()
        simulation.cells[0] = cells[0]
        with pytest.raises(ValueError):
            moorea.Rule("nothing")
    del simulation
    gc.collect()
    after = sys.getrefcount(rule), sys.getrefcount(cells), sys.getrefcount(None)
    assert after[:2] == before[:2] and abs(after[2] - before[2]) < 50


def test_arguments_of_other_types():
    """An error names the argument, what it got, and what was expected."""
    for named, text in (({"threads": 1.5}, "threads 1.5: expected a whole number"), ({"threads": "2"}, "threads '2': expected a whole number"),
                        ({"memory": -1}, "memory -1: expected a whole number from 0 on"), ({"generations": -1}, "generations -1: expected a whole number from 0 on"),
                        ({"device": 3}, "device 3: expected a text")):
        with pytest.raises(moorea.UsageError, match=text):
            moorea.Simulation("Life", np.zeros((8, 8), bool), **named)
    with pytest.raises(moorea.UsageError, match="generations 1.5: expected a whole number from 0 on"):
        moorea.survey("Life", 2, 8, generations=1.5)


def test_counts_that_do_not_fit_in_memory():
    simulation = moorea.Simulation("Life", np.zeros((8, 8), bool))
    for call in (simulation.populations, simulation.activity):
        with pytest.raises(moorea.OutOfMemoryError, match="GB are available"):
            call(10**15)
    assert simulation.generation == 0


def test_numbers_of_generations():
    simulation = moorea.Simulation("Life", moorea.soup(64))
    assert simulation.step(np.int32(3)) == 3
    for work in (simulation.step, simulation.populations, lambda number: list(simulation.iterate(number))):
        for bad, error in ((1.5, TypeError), ("3", TypeError), (None, TypeError), (-1, moorea.UsageError)):
            with pytest.raises(error, match="generations"):
                work(bad)
    with pytest.raises(moorea.UsageError, match="at most"):
        simulation.step(10**30)
    assert simulation.generation == 3


def test_measurements_need_time():
    for bad in (dict(seconds=-1), dict(seconds=0), dict(rounds=0)):
        with pytest.raises(moorea.UsageError, match="expected"):
            moorea.bench(cells=(64, 64), **bad)


def test_checkpoints_are_ordinary_files(tmp_path):
    world = moorea.Simulation.soup("Life", 64, seed=1)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("/dev/full", tmp_path / "pipe", tmp_path / "folder"):
        with pytest.raises(moorea.UsageError, match="a checkpoint is an ordinary file"):
            world.save_checkpoint(name)
    (tmp_path / "link").symlink_to("target")
    world.save_checkpoint(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert moorea.Simulation.load_checkpoint(tmp_path / "target").hash == world.hash
    assert not list(tmp_path.glob("*.partial"))
