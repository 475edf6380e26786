#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs without a person: --quiet, --jsonl and --time-limit."""
import json
import os
import pathlib
import signal
import subprocess
import time

import shard
from command_case import ACORN, Case, limit_files, moorea
from programs import MOOREA

ENDLESS = ["--random", "0.5", "--size", "512", "--seed", "3", "--kernel", "cpu/strided", "-g", "1e12"]


class Headless(Case):
    def limited(self, *arguments, seconds="1s"):
        """Its output after the time limit."""
        begun = time.monotonic()
        result = moorea(*arguments, "--time-limit", seconds)
        self.assertEqual(result.returncode, 124, result.stderr)
        self.assertLess(time.monotonic() - begun, 60)
        self.assertIn("ended by --time-limit", result.stderr)
        return result

    def test_the_time_limit_keeps_the_world(self):
        end, again = self.file("end.rle"), self.file("again.rle")
        result = self.limited("run", *ENDLESS, "-o", end, "--json")
        found = json.loads(result.stdout)
        self.assertEqual((found["interrupted"], found["interrupted_by"]), (True, "time limit"))
        self.assertGreater(found["generation"], 0)
        self.ok("run", *ENDLESS[:-1], str(found["generation"]), "-o", again)
        self.assertEqual(pathlib.Path(end).read_bytes(), pathlib.Path(again).read_bytes())
        # A run that ends earlier does not know it
        self.assertEqual(self.json("run", ACORN, "-g", "100", "--time-limit", "1h")["generation"], 100)

    def test_the_time_limit_hides_no_error(self):
        self.refused(1, "No such file", "run", self.file("none.rle"), "--time-limit", "0.001s")
        # What is complete when the time is up is complete
        end = self.json("run", ACORN, "-g", "0", "--time-limit", "0.001s")
        self.assertNotIn("interrupted", end)

    def test_a_start_that_takes_too_long(self):
        """A pattern that a pipe has not finished keeps the start waiting: there is nothing to keep yet."""
        pipe = self.file("pipe.rle")
        os.mkfifo(pipe)
        keeps_open = os.open(pipe, os.O_RDWR)
        self.addCleanup(os.close, keeps_open)
        for more in ([], ["--kernel", "hashlife"], ["--checkpoint", self.file("a.checkpoint")]):
            result = moorea("run", pipe, "-g", "10", "--time-limit", "0.1s", *more)
            if "this build has no zstd" not in result.stderr:
                self.assertEqual((result.returncode, result.stdout, result.stderr), (124, "", "moorea: ended by --time-limit during the start; nothing was computed\n"))
        for more in ([], ["--kernel", "hashlife"]):
            with subprocess.Popen([MOOREA, "run", pipe, "-g", "10", *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(100), -signal.SIGTERM)

    def test_a_kernel_that_does_not_end(self):
        endless = self.file("endless.cpp", "// @layout bytes\n#include <moorea/kernel.h>\nextern \"C\" void advance(const moorea::kernels::Block&) { for (volatile int i = 0;;) i = i; }\n")
        result = moorea("run", "--kernel-file", endless, "--random", "0.5", "--size", "64", "-g", "5", "--time-limit", "6s")
        if result.returncode not in (1, 4):  # without a compiler, or where kernels cannot be loaded
            self.assertEqual(result.returncode, 124, result.stderr)
            self.assertRegex(result.stderr, "did not end its generation within two seconds of --time-limit|during the start")

    def test_the_time_limit_of_saved_runs(self):
        """A job in parts: 124 until it is complete, then 0, with the cells of a run in one part."""
        saved = self.file("a.checkpoint")
        run = ["run", *ENDLESS, "--checkpoint", saved, "--resume", "--json"]
        if "this build has no zstd" in moorea(*run, "--time-limit", "0.1s").stderr:
            self.skipTest("this build has no checkpoints")
        reached = [json.loads(self.limited(*run).stdout)["generation"] for _ in range(2)]
        self.assertLess(reached[0], reached[1])
        last = str(reached[1] + 100)
        whole = self.json("run", *ENDLESS[:-1], last)
        self.assertEqual(self.json("run", saved, "--resume", "-g", last, "--time-limit", "1h")["hash"], whole["hash"])

    def test_the_time_limit_of_other_commands(self):
        table = self.file("worlds.csv")
        self.limited("ensemble", "--worlds", "1e9", "--size", "64", "-g", "1000", "-o", table)
        verify = moorea("verify", "--random", "0.5", "--size", "512", "-g", "1e9", "--kernel", "cpu/strided", "--json", "--time-limit", "1s")
        self.assertEqual((verify.returncode, json.loads(verify.stdout)["interrupted_by"]), (124, "time limit"))
        self.refused(2, "--time-limit \"5\": expected a time such as 30s, 10m, 2h or 3d", "run", ACORN, "--time-limit", "5")
        self.refused(2, "unknown option --time-limit", "info", ACORN, "--time-limit", "5s", lines=0)

    def test_lines_of_json(self):
        lines = [json.loads(line) for line in self.limited("run", *ENDLESS, "--jsonl", seconds="4s").stdout.splitlines()]
        self.assertEqual({line["event"] for line in lines[:-1]}, {"progress"})
        self.assertGreaterEqual(len(lines), 3)
        self.assertEqual(lines[-1]["event"], "result")
        reached = [line["generation"] for line in lines]
        self.assertEqual(reached, sorted(reached))
        for line in lines[:-1]:
            self.assertEqual(line["goal"], 10 ** 12)
            self.assertGreater(line["cells_per_second"], 0)
        # The result is that of --json
        plain = self.json("run", ACORN, "-g", "500")
        line = json.loads(self.ok("run", ACORN, "-g", "500", "--jsonl").stdout)
        self.assertEqual(line.pop("event"), "result")
        for changing in ("seconds", "cells_per_second"):
            plain.pop(changing), line.pop(changing)
        self.assertEqual(line, plain)
        worlds = self.ok("ensemble", "--worlds", "100", "--size", "32", "-g", "10", "-o", self.file("a.csv"), "--jsonl").stdout
        self.assertEqual(json.loads(worlds.splitlines()[-1])["completed_worlds"], 100)
        large = json.loads(self.ok("run", ACORN, "-g", "2^100", "--jsonl").stdout.splitlines()[-1])
        self.assertEqual((large["event"], large["generation"]), ("result", str(2 ** 100)))

    def test_quiet_keeps_errors_of_checkpoints(self):
        result = self.refused(1, "the last state is not saved", "run", "--random", "0.5", "--size", "4096", "-g", "3", "-q", "--checkpoint", self.file("a.checkpoint"), "--json",
                              preexec_fn=lambda: limit_files(100 << 10), report="{", lines=1)
        self.assertEqual(json.loads(result.stdout)["generation"], 3)

    def test_quiet_keeps_errors(self):
        soup = ["run", *ENDLESS, "--time-limit", "1s"]
        loud, quiet = moorea(*soup, "--explain"), moorea(*soup, "--explain", "--quiet")
        self.assertIn("ended by --time-limit", loud.stderr)
        self.assertEqual((quiet.returncode, quiet.stderr), (124, ""))
        self.assertIn("generation", quiet.stdout)
        self.refused(1, "No such file", "run", self.file("none.rle"), "-q")
        self.refused(2, "did you mean --generations?", "run", ACORN, "-q", "--generatons", "5", lines=0)


if __name__ == "__main__":
    shard.main()
