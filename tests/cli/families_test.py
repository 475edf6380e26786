#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Larger than Life and rules of blocks in the commands: running, files, pictures, generations before the start, and what is refused."""
import json
import unittest

import shard
from command_case import Case, moorea

BOSCO = "R5,C0,M1,S34..58,B34..45,NM"


class Families(Case):
    def test_kernels_and_threads_agree(self):
        for rule in (BOSCO, "R3,C4,S4-9,12,B5-7,NC", "R4,S3-5,B3,NX", "Critters"):
            run = ["run", "--rule", rule, "--random", "0.4", "--size", "302x212", "-g", "37"]
            known = self.json(*run)
            kernel = "cpu/blocks/reference" if rule == "Critters" else "cpu/wide/reference"
            for other in (["--kernel", kernel], ["--threads", "3"], ["--threads", "1", "--seed", "0"]):
                self.assertEqual(self.json(*run, *other)["hash"], known["hash"], (rule, other))
            self.ok("verify", "--kernel", kernel.replace("reference", "planes"), *run[1:])

    def test_opencl_agrees(self):
        names = {kernel["name"] for kernel in self.json("kernels")["kernels"] if kernel["backend"] == "opencl"}
        if not names or "OpenCL finds no device" in self.ok("kernels").stdout:
            self.skipTest("no OpenCL device")
        world = ["--random", "0.4", "--size", "320x212", "-g", "37", "--device"]
        for rule, kernel in (("/2/3", "states"), ("LifeHistory", "states"), ("WireWorld", "states"), ("Critters", "blocks"),
                             ("R3,C4,S4-9,12,B5-7,NC", "wide")):
            there = self.json("run", "--rule", rule, *world, "opencl")
            self.assertTrue(there["kernel"].startswith(f"opencl/{kernel}/"), there["kernel"])
            self.assertEqual(there["hash"], self.json("run", "--rule", rule, *world, "cpu")["hash"], rule)
        result = self.refused(4, "opencl/blocks", "run", "--rule", "Critters", *world, "opencl", "--kernel", "opencl/strided")
        self.assertNotIn("cpu/states", result.stderr)

    def test_files_have_the_rule_with_its_commas(self):
        soup, end = self.file("soup.rle"), self.file("end.rle.gz")
        self.ok("run", "--rule", BOSCO, "--random", "0.5", "--size", "150x120", "-g", "20", "-o", soup)
        self.assertIn("rule = R5,C0,M0,S33..57,B34..45,NM:T150,120\n", (self.folder / "soup.rle").read_text())
        self.ok("run", soup, "-g", "10", "-o", end)
        self.assertEqual(self.json("info", end)["generation"], 30)
        self.assertEqual(self.json("run", end, "-g", "5")["hash"], self.json("run", soup, "-g", "15")["hash"])
        # Of MCell
        mcl = self.file("bug.mcl", f"#MCell 4.00\n#GAME Larger than Life\n#RULE {BOSCO}\n#BOARD 60x50\n#WRAP 1\n#L 3.5A$3.5A\n")
        facts = self.json("info", mcl)
        self.assertEqual((facts["rule"], facts["population"], facts["runs"]), ("R5,C0,M0,S33..57,B34..45,NM:T60,50", 10, True))

    def test_blocks_go_back(self):
        start, later, back = self.file("start.rle"), self.file("later.rle"), self.file("back.rle")
        world = ["--rule", "Critters", "--random", "0.3", "--size", "64"]
        self.ok("run", *world, "-g", "0", "-o", start)
        self.ok("run", start, "-g", "10001", "-o", later)
        went = self.json("run", later, "-g", "-10001", "-o", back)
        self.assertEqual((went["went_back"], went["generation"]), (10001, 0))
        self.assertGreater(went["cells_per_second"], 0)
        self.assertEqual((self.folder / "back.rle").read_text(), (self.folder / "start.rle").read_text())
        # Before generation 0, and forward again
        before = self.file("before.rle")
        self.assertIn("numbered 1,", self.ok("run", start, "-g", "-7", "-o", before).stdout)
        self.assertEqual(self.json("run", before, "-g", "7")["hash"], self.json("run", start, "-g", "0")["hash"])
        plane = self.file("plane.rle", "x = 3, y = 2, rule = BBM:P6,6\nobo$bo!\n")
        self.refused(2, "lose cells", "run", plane, "-g", "-7")
        self.refused(2, "has no inverse", "run", "--random", "0.5", "--size", "64", "-g", "-7")
        self.refused(2, "leave --until out", "run", start, "-g", "-7", "--until", "settled")
        self.refused(2, "leave --populations out", "run", start, "-g", "-7", "--populations", self.file("p.csv"))

    def test_info_describes_the_rule(self):
        facts = self.json("info", "--rule", BOSCO)
        self.assertEqual([facts[each] for each in ("class", "radius", "neighbours", "birth_intervals", "survival_intervals", "name")],
                         ["Larger than Life", 5, 120, [[34, 45]], [[33, 57]], "Bosco's Rule"])
        facts = self.json("info", "--rule", "BBM")
        self.assertEqual([facts[each] for each in ("class", "reversible", "conserves_live_cells", "quarter_turns", "born_from_nothing")],
                         ["blocks", True, True, True, False])
        self.assertIn("reversible", self.ok("info", "--rule", "Critters").stdout)
        self.assertIn("with 33 to 57 live neighbours", self.ok("info", "--rule", BOSCO).stdout)

    def test_pictures_and_checkpoints(self):
        saved, picture = self.file("bugs.checkpoint"), self.file("bugs.png")
        world = ["--rule", BOSCO, "--random", "0.5", "--size", "200"]
        known = self.json("run", *world, "-g", "60")
        self.ok("run", *world, "-g", "40", "--checkpoint", saved)
        self.assertEqual(self.json("run", *world, "-g", "60", "--checkpoint", saved, "--resume")["hash"], known["hash"])
        self.ok("render", saved, "-o", picture)
        odd = self.file("odd.checkpoint")
        world = ["--rule", "HPP Gas", "--random", "0.2", "--size", "100"]
        self.ok("run", *world, "-g", "31", "--checkpoint", odd)
        self.assertEqual(self.json("run", *world, "-g", "50", "--checkpoint", odd, "--resume")["hash"], self.json("run", *world, "-g", "50")["hash"])

    def test_lists_of_rules_have_commas(self):
        measured = self.json("bench", "--kernel", "auto", "--size", "64", "--budget", "0.01", "--rounds", "1", "--rule", f"Life,{BOSCO},Critters,M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15,B36/S23")
        self.assertEqual([each["rule"] for each in measured["results"]],
                         ["B3/S23", "R5,C0,M0,S33..57,B34..45,NM", "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0", "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", "B36/S23"])
        self.refused(2, "a count of 3 or more", "bench", "--size", "64", "--rule", "R5,S3-1,B3,NM,Life", lines=3)

    def test_what_needs_nine_cells_refuses(self):
        for rule, kind in ((BOSCO, "Larger than Life"), ("BBM", "one of blocks")):
            world = ["--rule", rule, "--random", "0.5", "--size", "64"]
            self.refused(2, kind, "run", *world, "--until", "settled")
            self.refused(2, kind, "run", *world, "--out-of-core")
            self.refused(2, kind, "ensemble", "--rule", rule, "--worlds", "3", "--size", "64", "-o", self.file("e.csv"))
            self.refused(4, "squares of a tree", "run", *world, "--kernel", "hashlife")
            self.refused(4, "rules of", "run", *world, "--kernel", "cpu/strided")
        self.refused(2, "even width and height", "run", "--rule", "BBM", "--random", "0.5", "--size", "63")
        self.refused(2, "B0", "run", self.file("dot.rle", "x = 1, y = 1, rule = Critters\no!\n"))


if __name__ == "__main__":
    shard.main()
