#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea run: results as text and JSON, rules, topologies, kernels and planes that grow."""
import json
import os
import pathlib

import shard
from command_case import ACORN, Case, GLIDER, moorea


class Run(Case):
    def test_words_for_help(self):
        """As in many programs."""
        for words, options in ((("help",), ("--help",)), (("help", "run"), ("run", "--help")), (("version",), ("--version",)), (("help", "help"), ("--help",)), (("help", "version"), ("--version",))):
            asked, same = moorea(*words), moorea(*options)
            self.assertEqual((asked.returncode, asked.stdout), (0, same.stdout), words)
            self.assertTrue(same.stdout)

    def test_the_first_command_of_the_readme(self):
        self.assertIn("generation 5206, population 633\n", self.ok("run", ACORN, "-g", "5206").stdout)

    def test_json_has_every_key(self):
        result = self.json("run", ACORN, "-g", "100", "--threads", "1")
        keys = "rule topology width height generation population hash kernel device threads seconds cells_per_second"
        self.assertEqual([key for key in result][:12], keys.split())
        self.assertEqual((result["rule"], result["topology"], result["generation"], result["threads"]), ("B3/S23", "unbounded", 100, 1))
        self.assertRegex(result["hash"], "^[0-9a-f]{16}$")
        self.assertGreater(result["cells_per_second"], 0)

    def test_generations_as_people_write_them(self):
        for text, value in (("0", 0), ("10", 10), ("1e2", 100), ("2^7", 128), ("0.1k", 100)):
            self.assertEqual(self.json("run", ACORN, "-g", text)["generation"], value)
        for text in ("x", "-5", "1.5", "2^99999", ""):
            result = moorea("run", ACORN, f"--generations={text}")
            self.assertEqual(result.returncode, 2, text)

    def test_noise_is_the_same_everywhere(self):
        common = ["run", "--random", "0.5", "--size", "300x200", "--seed", "7", "-g", "64"]
        states = {(r["population"], r["hash"]) for r in (self.json(*common, *more) for more in
                  ([], ["--threads", "1"], ["--threads", "3"], ["--kernel", "cpu/reference"], ["--kernel", "cpu/bits"]))}
        self.assertEqual(len(states), 1)
        self.assertNotIn((self.json(*common[:-4], "--seed", "8", "-g", "64")["hash"]), {h for _, h in states})

    def test_auto_is_the_choice_without_a_kernel(self):
        own = self.json("run", ACORN, "-g", "100")
        for command in (["run", ACORN, "-g", "100", "--json"], ["verify", ACORN, "-g", "100", "--json"]):
            result = self.ok(*command, "--kernel", "auto")
            self.assertEqual(json.loads(result.stdout)["kernel"], own["kernel"], command)
        self.ok("render", ACORN, "-g", "5", "--kernel", "auto", "-o", self.file("a.pbm"))

    def test_forced_kernel_runs(self):
        for kernel in ("cpu/reference", "cpu/bits"):
            self.assertEqual(self.json("run", ACORN, "-g", "10", "--kernel", kernel)["kernel"], kernel)

    def test_rule_and_topology(self):
        self.assertEqual(self.json("run", ACORN, "-g", "1", "-r", "day & night")["rule"], "B3678/S34678")
        result = self.json("run", ACORN, "-g", "1", "-r", "HighLife:T64,32")
        self.assertEqual((result["topology"], result["width"], result["height"]), ("torus", 64, 32))
        result = self.json("run", ACORN, "-g", "1", "--size", "64x32", "--topology", "torus")
        self.assertEqual((result["topology"], result["width"], result["height"]), ("torus", 64, 32))
        self.assertEqual(self.json("run", ACORN, "-g", "1", "--size", "64x32")["topology"], "plane")
        klein = self.file("k.rle", GLIDER.replace("B3/S23", "B3/S23:K100,50"))
        self.assertEqual(self.json("run", klein, "-r", "Life", "--size", "50x50", "-g", "1")["width"], 50)
        self.refused(1, "--size chooses another", "run", klein, "-r", "Life")
        # The file's bounds stay when only the rule is replaced, and --topology unbounded removes them
        bounded = self.file("b.rle", GLIDER.replace("B3/S23", "B3/S23:T20,30"))
        self.assertEqual(self.json("run", bounded, "-g", "400", "--topology", "unbounded")["topology"], "unbounded")
        self.assertIn("world   unbounded, now ", self.ok("run", ACORN, "-g", "10").stdout)
        self.assertEqual(self.json("run", bounded, "-g", "1", "-r", "HighLife")["width"], 20)

    def test_rules_with_b0(self):
        for topology in ("plane", "torus"):
            states = {self.json("run", "--random", "0.3", "--size", "101x67", "--topology", topology, "-r", "B08/S4", "-g", "33",
                                "--kernel", kernel)["hash"] for kernel in ("cpu/reference", "cpu/bits")}
            self.assertEqual(len(states), 1)
        # An unbounded plane is a tree, unless something else is asked for
        planes = [self.json("run", *start, "-r", "B08/S4", "-g", "100", stdin=pathlib.Path(ACORN).read_text())
                  for start in ([ACORN], ["-"], [ACORN, "--kernel", "hashlife"])]
        self.assertEqual({(plane["kernel"], plane["population"], plane["hash"]) for plane in planes}, {("hashlife", 725, planes[0]["hash"])})
        self.refused(2, "needs a world with a size", "run", ACORN, "-r", "B08/S4", "--kernel", "cpu/bits")
        for option, value in (("--populations", "p.csv"), ("--checkpoint", "a.checkpoint"), ("--receipt", "a.json")):
            for kernel in ([], ["--kernel", "hashlife"]):
                self.refused(2, f"{option}: under B08/S4 an unbounded plane is a tree, which has none", "run", ACORN, "-r", "B08/S4", option, self.file(value), *kernel)

    def test_numbers_are_exact(self):
        empty = ["run", "-", "-g"]
        for text, value in (("1234567890123456789", 1234567890123456789), ("3^39", 3**39), ("9223372036854775807", 2**63 - 1)):
            self.assertEqual(int(self.json(*empty, text, stdin="x = 1, y = 1\nb!")["generation"]), value)
        a, b = (self.json("run", "--random", "0.5", "--size", "64", "-g", "1", "--seed", seed)["hash"] for seed in ("010", "10"))
        self.assertEqual(a, b)
        for bad in ("-1", "99999999999999999999", "0x1", "1.5"):
            self.assertEqual(moorea("run", "--random", "0.5", "--size", "64", f"--seed={bad}").returncode, 2, bad)
        # A written file can be read, at any generation
        late = self.file("late.rle")
        self.ok("run", "-", "-g", "2^62", "-o", late, stdin="x = 1, y = 1\nb!")
        self.assertEqual(self.json("info", late)["generation"], 2**62)
        self.refused(2, "2^63", "run", late, "-g", "2^62", "--size", "64")
        last = self.file("last.rle")
        result = self.ok("run", late, "-g", "2^62", "-o", last, "--json")
        self.assertEqual(json.loads(result.stdout)["generation"], str(2**63))
        self.assertIn("no generation from 2^63 on; it says 0", result.stderr)
        self.assertEqual(self.json("info", last)["generation"], 0)

    def test_what_a_pattern_says_is_kept(self):
        texts = ["#N A name\n#O Somebody\n#C one\n#C two\n", "!Name: A name\n!Author: Somebody\n! one\n! two\n", "#N A name\n#O Somebody\n#C one\n#C two\n"]
        start = self.file("named.rle", texts[0] + "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n")
        for ending, text in zip(("rle", "cells", "mc"), texts):
            for engine in ([], ["--kernel", "hashlife"], ["--window", "0,0,9,9"]):
                end, again = self.file(f"end.{ending}"), self.file(f"again.{ending}")
                self.ok("run", start, "-g", "4", "-o", end, *engine)
                self.assertIn(text, pathlib.Path(end).read_text(), (ending, engine))
                self.ok("run", end, "-g", "4", "-o", again, *engine)
                self.assertIn(text, pathlib.Path(again).read_text(), (ending, engine))

    def test_a_file_that_cannot_be_written_loses_no_report(self):
        for options, code in ((["-g", "2^64", "--kernel", "hashlife"], 1), (["-g", "40", "--window", "0,0,2^61,3"], 2)):
            result = moorea("run", ACORN, *options, "-o", self.file("end.rle"), "--json")
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn("2^60", result.stderr)
            self.assertEqual(json.loads(result.stdout)["rule"], "B3/S23")
        self.assertFalse(pathlib.Path(self.file("end.rle")).exists())

    def test_a_growing_plane_outlives_its_memory(self):
        out = self.file("grown.rle")
        replicator = "x = 1, y = 1, rule = B1357/S1357\no!"
        result = self.json("run", "-", "-g", "3000", "-o", out, stdin=replicator, env=dict(os.environ, MOOREA_MEMORY="1M"))
        self.assertIn("edge_met", result)
        self.assertEqual(result["generation"], 3000)
        self.assertEqual(self.json("info", out)["population"], result["population"])

    def test_a_plane_that_cannot_grow_says_so(self):
        result = self.ok("run", "-", "-r", "Seeds", "-g", "3000", "--memory", "300k", stdin="x = 3, y = 2\n2o$2bo!\n")
        self.assertIn("met the edge of the largest plane", result.stderr)
        self.assertIn("edge_met", self.json("run", "-", "-r", "Seeds", "-g", "3000", "--memory", "300k", stdin="x = 3, y = 2\n2o$2bo!\n"))

    def test_nothing_but_data_when_piped(self):
        self.assertEqual(self.ok("run", "--random", "0.5", "--size", "2000", "-g", "300").stderr, "")


if __name__ == "__main__":
    shard.main()
