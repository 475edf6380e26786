#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels: their list, moorea verify, tiles and moorea trace."""
import json
import re
import shutil
import subprocess
import unittest

import shard
from command_case import ACORN, Case, LEFT_TO_OTHERS, SANITIZED, moorea
from programs import FAULTY


class Kernels(Case):
    def test_kernels(self):
        listed = {kernel["name"]: kernel for kernel in self.json("kernels")["kernels"]}
        self.assertTrue(listed["cpu/reference"]["runs"])
        self.assertIn("cpu/bits", self.ok("kernels").stdout)
        self.assertEqual((listed["hashlife"]["layout"], listed["hashlife"]["runs"]), ("tree", True))
        self.assertIn("powers of two", listed["hashlife"]["summary"])
        completion = self.ok("completion", "bash").stdout
        self.assertRegex(completion, r"(?m)^ *run:--kernel\).* hashlife")
        self.assertNotRegex(completion, r"(?m)^ *bench:--kernel\).*hashlife")
        portable = {name for name, kernel in listed.items() if "portable, slower than with AVX" in kernel["summary"]}
        self.assertEqual(portable, {"cpu/bits", "cpu/strided", "cpu/tiles"})
        self.assertIn("portable kernel such as cpu/strided", self.ok("run", "--help").stdout)
        faulty = {k["name"]: k for k in self.json("kernels", "-r", "Seeds", program=FAULTY)["kernels"]}["cpu/faulty"]
        self.assertEqual((faulty["runs"], faulty["reason"]), (False, "only rules with B3"))

    def test_verify_agrees(self):
        for world in (["--random", "0.4", "--size", "130x70"], ["--random", "0.4", "--size", "65x33", "--topology", "plane"], [ACORN]):
            result = self.json("verify", "--kernel", "cpu/bits", *world, "-g", "200")
            self.assertTrue(result["same"])
            self.assertEqual(result["generation"], 200)

    def test_a_kernel_that_does_many_generations_a_call(self):
        near_the_edge = self.file("e.rle", "#CXRLE Pos=0,0\nx = 260, y = 2, rule = B3/S23:T300,400\n2o107bo$2o!")
        for world in (["--random", "0.5", "--size", "40x40", "--topology", "plane"], ["--random", "0.5", "--size", "130x33"], [near_the_edge],
                      [ACORN], ["--random", "0.3", "--size", "70x50", "-r", "B08/S4", "--topology", "plane"]):
            result = self.json("verify", "--kernel", "cpu/several_steps", *world, "-g", "200", program=FAULTY)
            self.assertTrue(result["same"], (world, result))

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_verify_does_not_blame_memory_on_a_kernel(self):
        self.refused(1, "memory ended the growth", "verify", "--kernel", "cpu/bits", ACORN, "--memory", "1M", "-g", "5206")

    def test_verify_finds_the_first_wrong_cell(self):
        # The faulty kernel forgets the lower right neighbour in column 40: a blinker below it is not seen by that cell
        start = self.file("start.rle", "#CXRLE Pos=-10,-20\nx = 60, y = 40, rule = B3/S23:P100,80\n3o25$35bo$35bo$35bo!")
        result = moorea("verify", "--kernel", "cpu/faulty", start, "-g", "10", "--json", program=FAULTY)
        self.assertEqual(result.returncode, 3, result.stderr)
        found = json.loads(result.stdout)
        self.assertFalse(found["same"])
        # An independent count: Life and faulty Life side by side, the first cell in row order that differs
        live = {(40, 20), (41, 20), (42, 20)} | {(75, 45), (75, 46), (75, 47)}

        def step(cells, forgets):
            def count(x, y):
                return sum((x + dx, y + dy) in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)
                           if (dx or dy) and not (forgets and x == 40 and (dx, dy) == (1, 1)))
            return {(x, y) for x in range(100) for y in range(80) if count(x, y) == 3 or ((x, y) in cells and count(x, y) == 2)}

        right, wrong, generation = live, live, 0
        while right == wrong:
            right, wrong, generation = step(right, False), step(wrong, True), generation + 1
        y, x = min((y, x) for x, y in right ^ wrong)
        self.assertEqual((found["generation"], found["cell"]), (generation, {"x": x, "y": y}))
        self.assertEqual(found["alive"]["kernel"], (x, y) in wrong)
        self.assertIn("x = 17, y = 17", found["rle"]["kernel"])
        text = moorea("verify", "--kernel", "cpu/faulty", start, "-g", "10", program=FAULTY)
        self.assertEqual(text.returncode, 3)
        self.assertIn(f"generation {generation}, cell ({x}, {y})", text.stdout)

    def test_share_of_wide_threads(self):
        noise = ["--random", "0.4", "--size", "200x130", "-g", "20"]
        for kernel in ("cpu/bits", "cpu/ladder/02_tiled"):
            self.refused(2, f"kernel {kernel} has no configurable share of wide threads", "run", *noise, "--kernel", kernel, "--wide-share", "0.5")
            self.refused(2, "has no configurable share of wide threads", "bench", "--size", "64", "--kernel", kernel, "--wide-share", "0.5")
        for value in ("-0.1", "1.01", "x", "0.5x", "nan", "inf", "50%"):
            for command in (["run", *noise], ["bench", "--size", "64"]):
                self.refused(2, f'--wide-share "{value}": expected a number from 0 to 1', *command, "--kernel", "cpu/bits", f"--wide-share={value}")
        name = "cpu/ladder/08_balanced_x86"
        kernels = {kernel["name"]: kernel for kernel in self.json("kernels")["kernels"]}
        self.assertEqual({kernel for kernel, info in kernels.items() if "wide_share" in info}, {name} & set(kernels))
        if not kernels.get(name, {}).get("runs"):
            self.skipTest(f"{name} does not run here")
        self.assertEqual(kernels[name]["wide_share"], 0.5)
        result = self.json("run", *noise, "--kernel", name, "--wide-share", "0.25")
        self.assertEqual((result["wide_share"], result["hash"]), (0.25, self.json("run", *noise)["hash"]))
        self.assertEqual(self.json("run", *noise, "--kernel", name)["wide_share"], 0.5)
        self.assertIn("wide vectors on 0.25 of the threads", self.ok("run", *noise, "--kernel", name, "--wide-share", "0.25").stdout)
        self.assertTrue(self.json("verify", *noise, "--kernel", name, "--wide-share", "1")["same"])
        # Kernels that are not named are those that have the option
        bench = ["bench", "--size", "64", "--budget", "0.01", "--rounds", "1"]
        document = self.json(*bench, "--wide-share", "0,0.5,1")
        self.assertEqual([(row["kernel"], row["wide_share"], row["asked"]["wide_share"]) for row in document["results"]], [(name, share, share) for share in (0, 0.5, 1)])
        self.assertEqual(document["not_timed"], [])
        lines = self.ok(*bench, "--kernel", f"{name},cpu/bits", "--wide-share", "0.25").stdout.splitlines()
        self.assertRegex(lines[1], "  wide share$")
        self.assertRegex(lines[2], r"  0\.25(  busy, \d+ %)?$")
        self.assertNotRegex(lines[3], r"  0\.25")  # cpu/bits is measured without

    def test_tiles(self):
        noise = ["--random", "0.4", "--size", "130x70", "-g", "50"]
        tiled = ["--kernel", "cpu/ladder/02_tiled"]
        result = self.json("run", *noise, *tiled, "--tile", "33x7", "--schedule", "guided,2", "--placement", "close", "--threads", "2")
        self.assertEqual(result["tiling"], {"width": 33, "height": 7, "schedule": "guided,2", "placement": "close"})
        self.assertEqual(result["tiles"], {"computed": 50 * 4 * 10, "skipped": 0, "changed": None})  # the kernel does not report it
        self.assertGreater(self.json("run", *noise, "--kernel", "cpu/ladder/09_lazy")["tiles"]["changed"], 0)
        self.assertEqual(result["hash"], self.json("run", *noise)["hash"])
        self.assertIn("33 x 7, schedule static", self.ok("run", *noise, *tiled, "--tile", "33x7").stdout)
        self.assertTrue(self.json("verify", *noise, *tiled, "--tile", "3x1", "--schedule", "dynamic,1000000000")["same"])
        rows = self.json("bench", "--size", "64", *tiled, "--tile", "16,64x8", "--schedule", "static", "--schedule", "dynamic,4",
                         "--placement", "none,spread", "--budget", "0.01", "--rounds", "1")["results"]
        self.assertEqual([[row["tiling"][key] for key in ("width", "height", "schedule", "placement")] for row in rows],
                         [[w, h, s, p] for w, h in ((16, 16), (64, 8)) for s in ("static", "dynamic,4") for p in ("none", "spread")])
        # Kernels that are not named are those that can use the option
        names = {row["kernel"] for row in self.json("bench", "--size", "64", "--tile", "64", "--budget", "0.01", "--rounds", "1")["results"]}
        self.assertIn("cpu/ladder/02_tiled", names)
        self.assertNotIn("cpu/bits", names)

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_tiles_that_cannot_be(self):
        noise = ["--random", "0.4", "--size", "130x70", "--kernel", "cpu/ladder/02_tiled"]
        for option, values in (("--tile", ("x", "0x5", "5x", "-3", "1e12", "")), ("--schedule", ("fair", "static,", "dynamic,0", "dynamic,-1", "guided,x", "")),
                               ("--placement", ("far", "Close", ""))):
            for value in values:
                self.assertEqual(moorea("run", *noise, f"{option}={value}").returncode, 2, (option, value))
                self.assertEqual(moorea("bench", "--kernel", "cpu/ladder/02_tiled", f"{option}={value}").returncode, 2, (option, value))
        for option, value, word in (("--tile", "64x64", "tile size"), ("--schedule", "static", "schedule"), ("--placement", "close", "thread placement")):
            for kernel in ([], ["--kernel", "cpu/bits"], ["--kernel", "cpu/ladder/01_serial"]):
                self.refused(2, f"has no configurable {word}", "run", ACORN, *kernel, option, value)
            self.refused(2, f"has no configurable {word}", "bench", "--kernel", "cpu/bits", "--json", option, value)

    def test_trace(self):
        noise = ["trace", "--kernel", "cpu/ladder/02_tiled", "--random", "0.4", "--size", "200x130", "--threads", "2", "--tile", "64x50"]
        path = self.folder / "trace.json"
        self.assertIn("36 tiles in 3 generations", moorea(*noise, "-g", "9", "--every", "4", "-o", str(path)).stderr)
        trace = json.loads(path.read_text())
        tiles = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        self.assertEqual({tile["args"]["generation"] for tile in tiles}, {0, 4, 8})
        first = [tile["args"] for tile in tiles if tile["args"]["generation"] == 0]
        self.assertEqual(sorted((tile["x"], tile["y"], tile["width"], tile["height"]) for tile in first),
                         sorted((x, y, min(64, 200 - x), min(50, 130 - y)) for x in range(0, 200, 64) for y in range(0, 130, 50)))
        self.assertEqual({tile["tid"] for tile in tiles} - {0, 1}, set())
        self.assertTrue(all(tile["dur"] >= 0 and tile["ts"] >= 0 for tile in tiles))
        self.assertGreater(trace["otherData"]["seconds_a_generation"], 0)
        page = self.folder / "trace.html"
        self.ok(*noise, "-g", "2", "-o", str(page))
        text = page.read_text()
        self.assertEqual(set(re.findall(r"https?://", text)), set())
        self.assertNotIn("__", text)
        self.refused(4, "does not record which thread computes what", "trace", "--kernel", "hashlife", "--random", "0.4", "--size", "64", "-o", "-")
        self.refused(2, "expected at least 1 generation", *noise, "-g", "0", "-o", str(self.folder / "none.json"))
        self.refused(2, "name the kernel", "trace", "--random", "0.4", "--size", "64", "-o", "-")
        # By its ending a name says what is written: pictures are made by other commands
        for name in ("tiles.svg", "tiles.png", "tiles"):
            self.refused(2, "a trace is a page (.html) or JSON (.json)", "trace", "--kernel", "cpu/ladder/02_tiled", "--random", "0.4", "--size", "64", "-o", str(self.folder / name))
            self.assertFalse((self.folder / name).exists())
        for name, begin in (("tiles.htm", b"<!DOCTYPE html>"), ("tiles.json", b"{"), ("tiles.json.gz", b"\x1f\x8b")):
            self.ok("trace", "--kernel", "cpu/ladder/02_tiled", "--random", "0.4", "--size", "64", "-g", "2", "-o", str(self.folder / name))
            self.assertTrue((self.folder / name).read_bytes().startswith(begin), name)
        self.refused(2, "expected at least 1", *noise, "--every", "0", "-o", "-")
        self.refused(1, "nothing is alive", "trace", "--kernel", "cpu/ladder/02_tiled", "--random", "0", "--size", "64", "-o", str(self.folder / "none.json"))
        self.assertFalse((self.folder / "none.json").exists())

    def test_trace_of_a_sparse_plane(self):
        """Tiles exist where something lives: of two gliders that are far apart, those around each, on any number of threads."""
        apart = 10**9
        gliders = self.file("far.rle", f"#CXRLE Pos=-50,-50\nx = {apart + 53}, y = {apart + 53}, rule = B3/S23\n"
                            f"bo$2bo$3o{apart + 48}${apart + 51}bo${apart + 52}bo${apart + 50}b3o!\n")
        path = self.folder / "sparse.json"
        for threads in ("1", "2"):
            self.ok("trace", "--kernel", "cpu/tiles", gliders, "-g", "8", "--every", "2", "--threads", threads, "-o", str(path))
            tiles = [event for event in json.loads(path.read_text())["traceEvents"] if event["ph"] == "X"]
            self.assertEqual({tile["args"]["generation"] for tile in tiles}, {0, 2, 4, 6})
            for generation in (0, 2, 4, 6):
                boxes = [tile["args"] for tile in tiles if tile["args"]["generation"] == generation]
                self.assertEqual({(box["width"], box["height"]) for box in boxes}, {(52, 48)})
                self.assertEqual(len({(box["x"], box["y"]) for box in boxes}), len(boxes), "each tile once in a pass")
                for at in (-50, apart):
                    near = [box for box in boxes if abs(box["x"] - at) < 200 and abs(box["y"] - at) < 200]
                    self.assertTrue(any(box["x"] <= at + 1 < box["x"] + 52 and box["y"] <= at + 1 < box["y"] + 48 for box in near), (generation, at, near))
                self.assertLessEqual(len(boxes), 2 * 9)
            self.assertTrue(all(tile["tid"] < int(threads) and tile["dur"] >= 0 for tile in tiles))

    def test_trace_of_two_runs(self):
        noise = ["trace", "--kernel", "cpu/ladder/02_tiled", "--random", "0.4", "--size", "256x150", "--threads", "2", "--tile", "64x50", "-g", "2"]
        path = self.folder / "two.json"
        said = self.ok(*noise, "--schedule", "static", "--against-schedule", "static,1", "-o", str(path)).stderr
        for schedule in ("static", "static,1"):
            self.assertIn(f"cpu/ladder/02_tiled, schedule {schedule}: 24 tiles in 2 generations", said)
        trace = json.loads(path.read_text())
        names = {event["pid"]: event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "process_name"}
        self.assertEqual(names, {1: "moorea cpu/ladder/02_tiled, schedule static", 2: "moorea cpu/ladder/02_tiled, schedule static,1"})
        self.assertEqual([run["kernel"] for run in trace["otherData"]["runs"]], 2 * ["cpu/ladder/02_tiled"])
        # Equal parts of the twelve tiles against every second one
        for run, owner in ((1, lambda i: i // 6), (2, lambda i: i % 2)):
            tiles = {(event["args"]["generation"], event["args"]["y"] // 50 * 4 + event["args"]["x"] // 64): event["tid"]
                     for event in trace["traceEvents"] if event["ph"] == "X" and event["pid"] == run}
            self.assertEqual(tiles, {(generation, i): owner(i) for generation in (0, 1) for i in range(12)})
        page = self.folder / "two.html"
        self.ok(*noise, "--against", "cpu/ladder/03_vectorised", "-o", str(page))
        text = page.read_text()
        self.assertEqual(re.findall(r"<h3>(.*?)</h3>", text), ["cpu/ladder/02_tiled, schedule static", "cpu/ladder/03_vectorised, schedule static"])
        self.assertIn("<h1>Timelines of cpu/ladder/02_tiled, schedule static and cpu/ladder/03_vectorised", text)
        self.assertEqual(text.count('<input class="generation"'), 1)
        self.assertNotIn("__", text)
        self.assertEqual(set(re.findall(r"https?://", text)), set())
        for option, value, code in (("--against", "cpu/strided", 2), ("--against", "cpu/none", 2), ("--against-schedule", "fair", 2)):
            self.assertEqual(moorea(*noise, option, value, "-o", str(self.folder / "none.json")).returncode, code, value)
        self.assertFalse((self.folder / "none.json").exists())
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed")
        result = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={self.folder}/profile", page.as_uri()],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual(result.stdout.count("0: 12 tiles computed"), 2)  # both runs are drawn
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed")
        result = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom",
                                 f"--user-data-dir={self.folder}/profile", page.as_uri()], capture_output=True, text=True, timeout=120)
        self.assertIn("0: 12 tiles computed", result.stdout)


if __name__ == "__main__":
    shard.main()
