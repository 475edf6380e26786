#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times the Python package and CellPyLib on the same worlds of Life, after all cells of both were compared, and writes a
results file. Needs both packages: pip install . cellpylib
Usage: tools/python_comparison.py RESULTS.json [--side CELLS ...] [--generations N] [--rounds N]"""
import argparse
import json
import platform
import statistics
import sys
import time

import numpy as np

try:
    import cellpylib
    import moorea
except ImportError as error:
    print(f"python_comparison: {error}; pip install . cellpylib", file=sys.stderr)
    sys.exit(4)


def cellpylib_run(cells, generations, memoize):
    """CellPyLib's own rule for Life, as its documentation uses it; returns the last generation."""
    history = cellpylib.evolve2d(
        np.array([cells], dtype=np.int64), timesteps=generations + 1, neighbourhood="Moore", apply_rule=cellpylib.game_of_life_rule, memoize=memoize
    )
    return history[-1].astype(bool)


def moorea_run(cells, generations, threads):
    simulation = moorea.Simulation("Life", cells, device="cpu", threads=threads)
    simulation.step(generations)
    return np.asarray(simulation.cells)


def timed(function, rounds):
    """Median of the durations, creation of the world and reading of the cells included, and the last result."""
    durations = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = function()
        durations.append(time.perf_counter() - start)
    return statistics.median(durations), result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results")
    parser.add_argument("--side", type=int, nargs="+", default=[64, 128, 256])
    parser.add_argument("--generations", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ways = {
        "CellPyLib": lambda cells: cellpylib_run(cells, options.generations, False),
        "CellPyLib, memoize": lambda cells: cellpylib_run(cells, options.generations, True),
        "Moorea, 1 thread": lambda cells: moorea_run(cells, options.generations, 1),
        "Moorea": lambda cells: moorea_run(cells, options.generations, 0),
    }
    rows = []
    for side in options.side:
        cells = np.asarray(moorea.soup(side, 0.5, seed=1))
        expected = moorea_run(cells, options.generations, 1)
        for name, way in ways.items():
            seconds, result = timed(lambda: way(cells), options.rounds)
            if not np.array_equal(result, expected):
                sys.exit(f"python_comparison: {name} has other cells after {options.generations} generations of {side} x {side}")
            rate = side * side * options.generations / seconds
            rows.append({"program": name, "side": side, "generations": options.generations, "seconds": seconds, "cells_per_second": rate})
            print(f"{name:20} {side:>6} square {seconds:10.4f} s {rate:12.4g} cells/s", flush=True)
    machine = {"cpu": moorea.devices()[0]["description"], "python": platform.python_version()}
    versions = {"moorea": moorea.__version__, "cellpylib": cellpylib.__version__}
    with open(options.results, "w", encoding="utf-8") as file:
        json.dump({"comparison": "python", "machine": machine, "versions": versions, "results": rows}, file, indent=1)


main()
