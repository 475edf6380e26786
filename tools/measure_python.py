#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the Python package: against CellPyLib and the command, ensembles against simulations, and how soon Ctrl-C stops. What is compared
runs on one thread, turn by turn; processor time is measured, and the median of the turns' ratios counts, so that other work on the machine disturbs
little, and both alike. Cells are compared first. Needs the package and CellPyLib: pip install . cellpylib. tools/python_tables.py writes the tables of docs/python.md.
Usage: tools/measure_python.py RESULTS.json --command MOOREA [--wheel FILE] [--rounds N] [--quick]"""
import argparse
import json
import os
import pathlib
import platform
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time

import numpy as np

try:
    import cellpylib
    import moorea
except ImportError as error:
    print(f"measure_python: {error}; pip install . cellpylib", file=sys.stderr)
    sys.exit(4)

CHAOS = "B2/S"  # soups do not become periodic


def timed(function):
    """Processor time and result."""
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def of_children():
    """Processor time of the child processes that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def turns(functions, rounds):
    """Durations of functions that run one after the other, `rounds` times, as lists by name, and their last results."""
    seconds, results = {name: [] for name in functions}, {}
    for _ in range(rounds):
        for name, function in functions.items():
            duration, results[name] = timed(function)
            seconds[name].append(duration)
    return seconds, results


def ratio(numerators, denominators):
    """Median of the turns' ratios, and their quartiles."""
    ratios = [a / b for a, b in zip(numerators, denominators, strict=True)]
    quartiles = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else 3 * ratios
    return {"median": statistics.median(ratios), "quartiles": [quartiles[0], quartiles[2]]}


def advanced(cells, generations):
    simulation = moorea.Simulation("Life", cells, device="cpu", threads=1)
    simulation.step(generations)
    return np.asarray(simulation.cells)


def compare_with_cellpylib(options):
    """Creation of the world and reading of the cells included; CellPyLib's own rule for Life, as its documentation uses it."""
    generations = 5 if options.quick else 50
    rows = []
    for side in (16,) if options.quick else (64, 128):
        cells = np.asarray(moorea.soup(side, 0.5, seed=1))

        def cellpylib_run(memoize, cells=cells):
            history = cellpylib.evolve2d(np.array([cells], np.int64), generations + 1, cellpylib.game_of_life_rule, neighbourhood="Moore", memoize=memoize)
            return history[-1].astype(bool)

        ways = {"CellPyLib": lambda: cellpylib_run(False), "CellPyLib, memoize": lambda: cellpylib_run(True),
                "Moorea": lambda cells=cells: advanced(cells, generations)}  # fmt: skip
        seconds, results = turns(ways, options.rounds)
        for name, result in results.items():
            if not np.array_equal(result, results["Moorea"]):
                sys.exit(f"measure_python: {name} has other cells after {generations} generations of {side} x {side}")
        for name in ways:
            rows.append({"program": name, "side": side, "generations": generations, "seconds": seconds[name], "ratio": ratio(seconds[name], seconds["Moorea"])})
    return rows


def compare_with_command(options):
    """The same world by Simulation.step and by the command, without what the command does before and after the generations: it runs twice, once
    for few generations."""
    rows = []
    for side, generations in ((256, 100),) if options.quick else ((1024, 40_000), (4096, 2000)):
        few = generations // 10
        world = ["--random", "0.5", "--size", str(side), "--seed", "1", "--device", "cpu", "--threads", "1"]
        kernel = moorea.Simulation.soup("Life", side, device="cpu", threads=1).kernel.split(" ")[0]

        def by_command(count, world=world, kernel=kernel):
            start = of_children()
            run = [options.command, "run", *world, "-g", str(count), "--kernel", kernel, "--json"]
            found = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
            return of_children() - start, found["hash"]

        python, command = [], []
        for _ in range(4 * options.rounds):
            simulation = moorea.Simulation.soup("Life", side, 0.5, 1, device="cpu", kernel=kernel, threads=1)
            simulation.step(few)
            python.append(timed(lambda simulation=simulation, count=generations: simulation.step(count))[0])
            before, (after, found) = by_command(few)[0], by_command(few + generations)
            command.append(after - before)
            if found != f"{simulation.hash:016x}":
                sys.exit(f"measure_python: the command has other cells after {few + generations} generations of {side} x {side}")
        rows.append({"side": side, "generations": generations, "kernel": kernel, "python": python, "command": command, "ratio": ratio(python, command)})
    return rows


def durations_of_calls(options):
    """Seconds of step(0), which is the package's part of each call, whatever the generations."""
    simulation, calls = moorea.Simulation.soup("Life", 64, device="cpu", threads=1), 100 if options.quick else 100_000
    step = simulation.step
    return [timed(lambda: [step(0) for _ in range(calls)])[0] / calls for _ in range(4 * options.rounds)]


def compare_ensembles(options):
    """Worlds of an ensemble against one simulation that is reset for each, on one thread."""
    rows, generations = [], 20 if options.quick else 1000
    for worlds, side in ((64, 32),) if options.quick else ((64, 64), (512, 64), (1024, 32)):
        ensemble = moorea.Ensemble("Life", worlds, side, seed=1, threads=1)
        starts = [ensemble.world(i) for i in range(worlds)]
        simulation = moorea.Simulation("Life", starts[0], device="cpu", threads=1)

        def one_by_one(starts=starts, simulation=simulation):
            hashes = []
            for start in starts:
                simulation.reset(start)
                simulation.step(generations)
                hashes.append(simulation.hash)
            return hashes

        def together(worlds=worlds, side=side):
            made = moorea.Ensemble("Life", worlds, side, seed=1, threads=1)
            made.step(generations)
            return made.hashes.tolist()

        seconds, results = turns({"simulations": one_by_one, "ensemble": together}, options.rounds)
        if results["simulations"] != results["ensemble"]:
            sys.exit(f"measure_python: the ensemble has other cells after {generations} generations of {side} x {side}")
        rows.append({"worlds": worlds, "side": side, "generations": generations, "kernel": ensemble.kernel, "seconds": seconds,
                     "ratio": ratio(seconds["simulations"], seconds["ensemble"])})  # fmt: skip
    return rows


def delays_of_interrupts(options):
    """Seconds from SIGINT to KeyboardInterrupt."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    side = 256 if options.quick else 2048

    def delay(begin):
        work, sent = begin(), []

        def interrupt():
            time.sleep(0.1 + 0.05 * np.random.random())
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            work()
        except KeyboardInterrupt:
            return time.perf_counter() - sent[0]
        finally:
            thread.join()
        sys.exit("measure_python: what was to be interrupted ended before")

    def world():
        return moorea.Simulation.soup(CHAOS, side, 0.4, 1, device="cpu")

    begins = {
        "Simulation.step": lambda: (lambda simulation=world(): simulation.step(10**12)),
        "Simulation.iterate": lambda: (lambda simulation=world(): [None for _ in simulation.iterate(10**12, every=10**9)]),
        "Ensemble.step": lambda: (lambda ensemble=moorea.Ensemble(CHAOS, 4096, 64): ensemble.step(10**12)),
        "survey": lambda: (lambda: moorea.survey(CHAOS, 10**6, generations=10**12, until_periodic=True)),
    }
    return {name: [delay(begin) for _ in range(3 if options.quick else 20)] for name, begin in begins.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--command", required=True, type=os.path.abspath)
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="small worlds: whether everything runs")
    options = parser.parse_args()
    from moorea._moorea import revision

    document = {
        "comparison": "python",
        "machine": {"cpu": moorea.devices()[0]["description"], "threads": moorea.devices()[0]["threads"], "python": platform.python_version()},
        "versions": {"moorea": f"{moorea.__version__}, revision {revision()}", "cellpylib": cellpylib.__version__, "numpy": np.__version__},
        "cellpylib": compare_with_cellpylib(options),
        "command": compare_with_command(options),
        "calls": durations_of_calls(options),
        "ensembles": compare_ensembles(options),
        "interrupts": delays_of_interrupts(options),
    }
    if options.wheel:
        document["wheel"] = {"name": options.wheel.name, "bytes": options.wheel.stat().st_size}
    options.results.write_text(json.dumps(document, indent=1) + "\n")


main()
