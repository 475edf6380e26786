# SPDX-License-Identifier: MIT
"""Results that are written down here, and the charts that moorea plot makes of them."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from programs import MOOREA


def row(kernel, rate, spread=0.1, **more):
    """A row of bench: samples of one generation in a world of 100 cells, so that the quartiles are known."""
    seconds = [100 / rate * factor for factor in (1 - 2 * spread, 1 - spread, 1, 1 + spread, 1 + 2 * spread)]
    base = {"kernel": kernel, "device": "cpu", "rule": "B3/S23", "topology": "torus", "width": 10, "height": 10, "start": "random:0.5:0",
            "after": 0, "threads": 1, "generations": 1, "samples": 5, "median_seconds": 100 / rate, "cells_per_second": rate,
            "generations_per_second": rate / 100, "sample_seconds": seconds}
    return base | more


def document(rows, ceilings=()):
    return {"machine": {"system": "Linux", "devices": [{"name": "cpu", "description": "a CPU"}]}, "revision": "0123456789ab", "compiler": "c++",
            "date": "2026-11-21T00:00:00Z", "ceilings": list(ceilings), "results": list(rows), "not_timed": []}


class PlotCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moorea_plot_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_plot(self, results, *options, output="-"):
        path = self.folder / "results.json"
        path.write_text(json.dumps(results))
        return subprocess.run([MOOREA, "plot", str(path), "-o", output, *options], capture_output=True, text=True, timeout=60)

    def data(self, rows, *options, ceilings=()):
        result = self.run_plot(document(rows, ceilings), "--format", "json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def points(self, series):
        return [(point["x"], point["y"]) for point in series["points"]]
