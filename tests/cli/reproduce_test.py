#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/reproduce in its quick form: every command runs, and the page has its picture and what it says."""
import html
import json
import pathlib
import re
import subprocess
import sys
import unittest

from command_case import SANITIZED, TAKES_LONG, Case
from programs import MOOREA

TOOLS = pathlib.Path(__file__).parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
from reproductions import REPRODUCTIONS  # noqa: E402


def reproduce(*arguments):
    return subprocess.run([TOOLS / "reproduce", "--moorea", MOOREA, *map(str, arguments)], capture_output=True, text=True, timeout=600)


@unittest.skipIf(SANITIZED, TAKES_LONG)
class Reproduce(Case):
    def test_every_figure(self):
        result = reproduce("-o", self.folder, "--quick")
        self.assertEqual(result.returncode, 0, result.stderr)
        page = (self.folder / "index.html").read_text()
        for each in REPRODUCTIONS:
            if not each.quickly:
                continue
            results = self.folder / f"{each.name}.json"
            if results.exists():
                document = json.loads(results.read_text())
                self.assertTrue(document.get("results") or document["findings"], each.name)
            self.assertIn(html.escape(each.title), page)
        self.assertEqual(page.count("<iframe"), len(list(self.folder.glob("*.html"))) - 1)
        self.assertEqual(list(self.folder.glob("*.part")), [])
        # Claims that two rows of this machine decide
        decided = "</td><td>(Holds|Does not hold|Within the noise|No difference): "
        self.assertRegex(page, f"Static schedules are faster[^<]*{decided}static")
        mixes = next(each for each in self.json("kernels")["kernels"] if each["name"] == "cpu/ladder/08_balanced_x86")["runs"]
        said = rf"{decided}\d+ % of the threads" if mixes else "</td><td>Not here: cpu/ladder/08_balanced_x86 cannot run here"
        self.assertRegex(page, f"A mixture is faster[^<]*{said}")
        self.assertRegex(page, r"Noise becomes regions[^<]*</td><td>From noise of density one half")

    def test_one_figure_and_going_on(self):
        result = reproduce("-o", self.folder, "--quick", "--only", "schedules")
        self.assertEqual(result.returncode, 0, result.stderr)
        before = (self.folder / "schedules.json").stat().st_mtime_ns
        result = reproduce("-o", self.folder, "--quick", "--only", "schedules")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("is not empty; --resume goes on there", result.stderr)
        self.assertEqual(reproduce("-o", self.folder, "--quick", "--only", "schedules", "--resume").returncode, 0)
        self.assertEqual((self.folder / "schedules.json").stat().st_mtime_ns, before)

    def test_wrong_usage(self):
        for arguments in ([], ["-o", self.folder, "--only", "tile"]):
            result = reproduce(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("there is no tile: see --help", result.stderr)

    def test_verdicts(self):
        """Figures that are larger, smaller, within the noise, equal, and absent."""
        folder = self.folder / "results"
        folder.mkdir()

        def said(wide, plain, noise):
            rows = [{"kernel": "cpu/ladder/08_balanced_x86", "wide_share": share, "cells_per_second": speed, "samples": 9, "noise": noise, "busy": False}
                    for share, speed in ((0.5, wide), (1, plain)) if speed]
            (folder / "balanced.json").write_text(json.dumps({"results": rows}))
            program = ("import importlib.machinery as m, sys; sys.path.insert(0, sys.argv[1]); tool = m.SourceFileLoader('tool', sys.argv[1] + '/reproduce').load_module();"
                       "import pathlib; what = next(each for each in tool.REPRODUCTIONS if each.name == 'balanced');"
                       "print(tool.sentence(what.findings[0], tool.load(what, pathlib.Path(sys.argv[2]))))")
            return subprocess.run([sys.executable, "-W", "ignore", "-c", program, TOOLS, folder], capture_output=True, text=True, check=True).stdout

        self.assertEqual(said(3e9, 2e9, 0), "Holds: 50 % of the threads with AVX-512 3 G cells/s, 100 % of the threads with AVX-512 2 G cells/s; 1.5 times.\n")
        self.assertRegex(said(2e9, 3e9, 0), "^Does not hold: .* 0.667 times")
        self.assertRegex(said(2e9, 2.2e9, 0.2), "^Within the noise: ")
        self.assertRegex(said(2e9, 2.001e9, 0), "^No difference: ")
        self.assertRegex(said(2e9, 0, 0), "^Not here: no row with wide_share")


if __name__ == "__main__":
    unittest.main()
