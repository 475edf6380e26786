#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rules with more than two states in the commands: running, files, pictures, comparisons, and what is refused."""
import json
import unittest

import shard
from command_case import Case, moorea
from pixels import pixels_of
from programs import FAULTY

# Two live cells before two dying ones: a spaceship of Brian's Brain, which moves by a row in each generation
SHIP = "x = 2, y = 2, rule = /2/3\n2B$2A!\n"


class States(Case):
    def test_kernels_and_threads_agree(self):
        for rule in ("Brian's Brain", "345/2/4", "23/23/8", "B2-a/S12/G5"):
            run = ["run", "--rule", rule, "--random", "0.4", "--size", "301x211", "-g", "77"]
            known = self.json(*run)
            for other in (["--kernel", "cpu/states/reference"], ["--threads", "3"], ["--threads", "1", "--seed", "0"]):
                self.assertEqual(self.json(*run, *other)["hash"], known["hash"], (rule, other))
            self.assertNotEqual(self.json(*run, "--seed", "1")["hash"], known["hash"])

    def test_a_spaceship_flies_on_an_unbounded_plane(self):
        start, end = self.file("ship.rle", SHIP), self.file("end.rle")
        self.ok("run", start, "-g", "1000", "-o", end)
        text = (self.folder / "end.rle").read_text()
        self.assertIn("Gen=1000", text)
        self.assertTrue(text.endswith("2B$2A!\n") or text.endswith("2A$2B!\n"), text)
        facts = self.json("info", end)
        self.assertEqual((facts["population"], facts["cells_by_state"]), (4, [0, 2, 2]))
        self.assertIn(facts["position"][1], (-1001, 999))
        # It goes on from the file
        self.assertEqual(self.json("run", end, "-g", "500")["hash"], self.json("run", start, "-g", "1500")["hash"])

    def test_no_state_becomes_another_one(self):
        """A rule of two states has no cells for the others, in whatever file they are and whatever computes them."""
        files = [self.file("cells.rle", "x = 3, y = 1, rule = 345/2/4\nABC!\n"), self.file("cells.mc")]
        self.ok("convert", *files)
        files.append(self.file("wrong.mc", (self.folder / "cells.mc").read_text().replace("345/2/4", "B3/S23")))
        for file in files:
            for more in (["-g", "1"], ["-g", "1", "--kernel", "hashlife"], ["-g", "1", "--kernel", "hashlife", "--topology", "torus", "--size", "16"], ["-g", "1", "--kernel", "cpu/bits"],
                         ["-g", "1", "--size", "20"], ["-g", "2^70"]):
                self.refused(1, "the pattern has cells in state 3, but the states of the rule are 0 to 1", "run", file, "-r", "Life", *more)
        self.refused(1, "the pattern has cells in state 3", "identify", files[2])
        # What does not suit trees is the rule, not a state that it has
        self.refused(4, "the rule has more: choose another kernel", "run", files[0], "-g", "1", "--kernel", "hashlife")
        self.refused(2, "345/2/4 has 4", "run", files[0], "-g", "2^70")

    def test_files_keep_the_states(self):
        soup = self.file("soup.rle")
        self.ok("run", "--rule", "345/2/40", "--random", "0.5", "--size", "70x50", "-g", "35", "-o", soup)
        copy = self.file("copy.rle.gz")
        self.ok("convert", soup, copy)
        self.assertEqual(self.json("run", copy, "-g", "20")["hash"], self.json("run", soup, "-g", "20")["hash"])
        self.assertIn("pO", (self.folder / "soup.rle").read_text())
        self.refused(2, "two states: write RLE", "convert", soup, self.file("soup.cells"))
        self.refused(2, "two states: write RLE or Macrocell", "run", soup, "-g", "1", "-o", self.file("soup.pbm"), report="generation 36,")
        # A file of squares with states is a pattern, not a plane without end as a tree of two states is
        tree = self.file("soup.mc")
        self.ok("run", soup, "-g", "0", "-o", tree)
        self.assertEqual(self.json("run", tree, "-g", "20")["hash"], self.json("run", soup, "-g", "20")["hash"])
        self.assertEqual(self.json("info", tree)["cells_by_state"], self.json("info", soup)["cells_by_state"])
        unbounded, again = self.file("ship.mc"), self.file("ship.rle")
        self.ok("run", self.file("start.rle", SHIP), "-g", "10", "-o", unbounded)
        self.ok("convert", unbounded, again)
        self.assertEqual(self.json("run", unbounded, "-g", "10")["hash"], self.json("run", self.file("start.rle"), "-g", "20")["hash"])
        self.assertTrue((self.folder / "ship.rle").read_text().endswith("2B$2A!\n") or (self.folder / "ship.rle").read_text().endswith("2A$2B!\n"))
        part = self.file("part.rle")
        start = self.file("abc.rle", "#CXRLE Pos=-3,5\nx = 3, y = 2, rule = 345/2/4\n.AB$CCC!\n")
        self.ok("convert", start, part, "--window", "-2,4,2,2")
        self.assertTrue((self.folder / "part.rle").read_text().endswith("x = 2, y = 2, rule = 345/2/4\n$AB!\n"), (self.folder / "part.rle").read_text())
        self.ok("run", soup, "-g", "0", "--window", "-10,-10,20,20", "-o", part)
        self.assertIn("p", (self.folder / "part.rle").read_text().split("\n", 2)[2])
        self.refused(1, "has cells in state", "run", soup, "--rule", "B3/S23", "-g", "1")

    def test_dying_cells_have_colours_of_their_own(self):
        picture = self.file("ship.png")
        self.ok("render", self.file("ship.rle", SHIP), "-o", picture, "-g", "0", "--palette", "viridis")
        self.assertEqual(len({pixel for row in pixels_of(picture) for pixel in row}), 3)

    def test_states_have_colours_of_their_own(self):
        start, picture = self.file("wire.rle", "#CXRLE Pos=0,0\nx = 5, y = 1, rule = WireWorld\nBA3C!\n"), self.file("wire.png")
        grey, blue, white, orange = (48, 48, 48), (0, 128, 255), (255, 255, 255), (255, 128, 0)
        view = ["--view", "-1,0,7,1", "--zoom", "1"]
        for generations, expected in ((0, [white, blue, orange, orange, orange]), (1, [orange, white, blue, orange, orange])):
            self.ok("render", start, "-g", str(generations), "-o", picture, *view)
            self.assertEqual(pixels_of(picture), [[grey, *expected, grey]])
        # A palette that is named shows shades, and so does a pixel of several cells
        for named in (["--palette", "ink", "--zoom", "1"], ["--scale", "2"]):
            self.ok("render", start, "-o", picture, "--view", "-1,0,7,1", *named)
            self.assertNotIn(blue, pixels_of(picture)[0])
        self.ok("run", start, "--size", "9x3", "-g", "1", "--dump", self.file("%d.png"), "--every", "1")
        self.assertEqual(pixels_of(self.file("1.png"))[1], [grey, grey, grey, grey, orange, white, blue, orange, orange])
        history = self.file("history.rle", "#CXRLE Pos=0,0\nx = 7, y = 1, rule = LifeHistory\n.ABCDEF!\n")
        self.ok("render", history, "-o", picture, "--view", "0,0,7,1", "--zoom", "1")
        self.assertEqual(pixels_of(picture), [[(0, 0, 0), (0, 255, 0), (0, 0, 128), (216, 255, 216), (255, 0, 0), (255, 255, 0), (96, 96, 96)]])

    def test_a_pattern_with_history_runs_without(self):
        history = self.file("history.rle", "#CXRLE Pos=0,0\nx = 6, y = 4, rule = LifeHistory\n.ACDB$2BE.F$.EA2D$3C!\n")
        life = self.file("life.rle")
        self.ok("convert", history, life, "-r", "HighLife")
        runs = [self.json("run", *start, "-g", "3") for start in ([history, "-r", "HighLife"], [history, "-r", "B36/S23"], [life])]
        self.assertGreater(runs[0]["population"], 0)
        self.assertEqual(len({run["hash"] for run in runs}), 1)
        self.refused(1, "state 3", "run", self.file("brain.rle", "x = 3, y = 1, rule = /2/4\nABC!\n"), "-r", "Life", "-g", "1")

    def test_verify_finds_a_wrong_state(self):
        world = ["--rule", "345/2/5", "--random", "0.3", "--size", "100"]
        self.ok("verify", *world, "-g", "20", "--kernel", "cpu/states/planes")
        wrong = moorea("verify", *world, "-g", "20", "--kernel", "cpu/faulty_states", program=FAULTY)
        self.assertEqual(wrong.returncode, 3, wrong.stderr)
        self.assertIn("in state", wrong.stdout)
        found = json.loads(moorea("verify", *world, "-g", "20", "--kernel", "cpu/faulty_states", "--json", program=FAULTY).stdout)
        self.assertNotEqual(found["state"]["kernel"], found["state"]["against"])
        timed = moorea("bench", "--rule", "345/2/5", "--kernel", "cpu/faulty_states", "--size", "64", "--budget", "0.01", program=FAULTY)
        self.assertIn("wrong answer", timed.stdout + timed.stderr)

    def test_a_world_is_divided_among_devices(self):
        for rule in ("345/2/5", "Critters", "WireWorld", "R5,C0,M1,S34..58,B34..45,NM"):
            world = ["--rule", rule, "--random", "0.3", "--seed", "7", "--size", "200x300", "-g", "100", "--json"]
            whole = json.loads(self.ok("run", *world).stdout)
            divided = json.loads(self.ok("run", *world, "--device", "cpu,cpu", "--shares", "1,3").stdout)
            self.assertEqual(divided["hash"], whole["hash"], rule)
            self.assertEqual(len(divided["parts"]), 2)
            self.assertIn(divided["parts"][0]["rows"], (74, 75, 76))

    def test_what_has_two_states_refuses(self):
        ship = self.file("ship.rle", SHIP)
        noise = ["--rule", "/2/3", "--random", "0.3", "--size", "64"]
        for text, arguments in (
            ("out of core", ["run", *noise, "-g", "1", "--out-of-core"]),
            ("--checkpoint", ["run", ship, "-g", "1", "--checkpoint", self.file("a.checkpoint")]),
            ("needs a rule of two states", ["identify", ship]),
            ("--after", ["bench", "--rule", "/2/3", "--kernel", "auto", "--size", "64", "--after", "5", "--budget", "0.01"]),
        ):
            result = moorea(*arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(text, result.stderr, arguments)
            self.assertNotIn("terminate", result.stderr)
        self.refused(4, "HashLife cannot have this world", "run", *noise, "-g", "1", "--kernel", "hashlife", lines=0)
        self.assertFalse((self.folder / "a.checkpoint").exists())


if __name__ == "__main__":
    shard.main()
