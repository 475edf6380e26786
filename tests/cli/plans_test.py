#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The choice of device and kernel, which is the same for all commands, and --explain."""
import json
import os
import pathlib
import signal
import subprocess
import unittest

import shard
from command_case import Case, NEEDS_CPUS, ONE_CPU, SANITIZED, TAKES_LONG, moorea, output_after
from programs import MOOREA

NOISE = ["--random", "0.4", "--size", "100x80"]
GENERATIONS = ["-g", "20"]


def this_machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1] for line in lines if line.startswith("model name")), "")
    return {"cpu": model, "threads": len(os.sched_getaffinity(0))}


class Plans(Case):
    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}

    def tune(self, seconds):
        """Writes a tuning file with these seconds per generation of kernels on the CPU; "cpu/tiles" is for quiet worlds."""
        version = moorea("--version").stdout.split()[1].rstrip(",")
        plans = [{"plan": {"kernel": kernel, "device": "cpu", "threads": 0}, "times": [{"rule": "B3/S23", "cells": 8000, "seconds": time}]}
                 for kernel, time in seconds.items()]
        document = {"version": version, "machine": this_machine(), "date": "2026-11-23", "gates_per_word": {"B3/S23": 7.5}, "plans": plans,
                    "devices": {"cpu": {"description": "", "start_seconds": 0, "quiet": "cpu/tiles"}}}
        path = self.folder / "cache" / "moorea" / "tuning.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document))

    def explain(self, command, *arguments):
        """The explanation without the command's other messages."""
        result = self.ok(command, *arguments, "--explain", env=self.environment)
        return self.explanation(result.stderr)

    def explanation(self, text):
        lines = text.splitlines()
        last = next(i for i, line in enumerate(lines) if " on cpu: " in line and (": predicted to" in line or ": Moorea's own" in line or ": how it" in line))
        return lines[:last + 1]

    def explained_by_serve(self, *arguments):
        process = subprocess.Popen([MOOREA, "serve", *arguments, "--port", "0", "--explain"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment)
        try:
            if not process.stdout.readline().startswith("http"):
                self.skipTest("this build has no moorea serve")
        finally:
            said = output_after(process, signal.SIGINT)[1]
        return self.explanation(said)

    @unittest.skipIf(ONE_CPU, NEEDS_CPUS)
    def test_all_commands_have_the_same_choice(self):
        for measured in ({}, {"auto": 2e-6, "cpu/bits": 1e-6, "cpu/strided": 3e-6}):
            if measured:
                self.tune(measured)
            expected = self.explain("run", *NOISE, *GENERATIONS)
            self.assertEqual(len(expected), 1 if not measured else 5)
            self.assertEqual("cpu/bits + cpu/tiles on cpu: predicted to be done first" in expected[-1], bool(measured))
            gif, png = self.file("a.gif"), self.file("a.png")
            for arguments in (["view", *NOISE, *GENERATIONS], ["film", *NOISE, *GENERATIONS, "-o", gif], ["render", *NOISE, *GENERATIONS, "-o", png]):
                self.assertEqual(self.explain(*arguments), expected, arguments[0])
            # Without a number of generations ten thousand are assumed, as tune prints them
            assumed = self.explain("run", *NOISE, "-g", "10k")
            if measured:
                self.assertIn("10000 generations of", assumed[0])
                assumed[0] = assumed[0].replace("generations of", "generations (assumed) of")
            self.assertEqual(self.explain("bench", "--kernel", "auto", "--size", "100x80", "--budget", "0.01", "--rounds", "1"), assumed)
            self.assertEqual(self.explained_by_serve(*NOISE), assumed)

    def test_what_is_named_is_not_chosen(self):
        self.tune({"auto": 2e-6, "cpu/bits": 1e-6})
        for command, *rest in (["run"], ["view"], ["verify"], ["trace", "-o", self.file("a.json")]):
            said = self.explain(command, *NOISE, *GENERATIONS, "--kernel", "cpu/ladder/02_tiled", *rest)
            self.assertEqual(said, ["moorea: cpu/ladder/02_tiled on cpu: how it runs was named"], command)
        plain = self.explain("run", *NOISE, *GENERATIONS, "--no-tuning")
        self.assertEqual(len(plain), 1)
        self.assertIn("not to be used", plain[0])
        self.assertNotIn("cpu/bits +", plain[0])

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_tune_measures_without_earlier_measurements(self):
        self.tune({"auto": 2e-6, "cpu/bits": 1e-9})
        tuned = self.ok("tune", "--kernel", "cpu/bits", "--size", "64", "-r", "Life", "--budget", "0.01", "--allow-busy", "--results", self.file("a.json"),
                        env=self.environment)
        self.assertIn("auto on cpu", tuned.stdout + tuned.stderr)
        rows = json.loads(pathlib.Path(self.file("a.json")).read_text())["results"]
        kept = json.loads((self.folder / "cache" / "moorea" / "tuning.json").read_text())
        own = self.json("run", *NOISE, *GENERATIONS, "--no-tuning")["kernel"].split(" + ")[0]
        self.assertIn(own, {row["kernel"] for row in rows}, "Moorea's own kernel was not measured")
        self.assertEqual(kept["devices"]["cpu"]["quiet"], own.replace("strided", "tiles"))


if __name__ == "__main__":
    shard.main()
