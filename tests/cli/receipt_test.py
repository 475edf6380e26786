#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea run --receipt and moorea replay: a run is repeated from its receipt alone, and differences are named."""
import json
import os
import pathlib
import unittest

import shard
from command_case import ACORN, Case, moorea


class Receipts(Case):
    def receipt(self, *arguments):
        file = self.file("r.json")
        self.ok("run", *arguments, "--receipt", file)
        return file, json.loads(pathlib.Path(file).read_text())

    def test_noise_is_repeated_from_its_seed(self):
        file, receipt = self.receipt("--random", "0.4", "--seed", "5", "--size", "200x100", "-r", "HighLife", "-g", "100")
        self.assertEqual([entry["generation"] for entry in receipt["hashes"]], [1, 2, 4, 8, 16, 32, 64, 100])
        self.assertEqual((receipt["start"]["random"], receipt["start"]["seed"], receipt["rule"]), (0.4, "5", "B36/S23"))
        self.assertTrue(receipt["written_by"]["machine"]["devices"])
        for more in ([], ["--kernel", "cpu/reference"], ["--device", "cpu,cpu"]):
            result = self.json("replay", file, *more)
            self.assertEqual((result["same"], result["generation"], result["compared"]), (True, 100, 8))

    def test_a_small_pattern_is_in_the_receipt(self):
        pattern = self.file("p.rle", pathlib.Path(ACORN).read_bytes())
        file, receipt = self.receipt(pattern, "-g", "300")
        os.remove(pattern)
        self.assertIn("rle", receipt["start"])
        self.assertIn("up to generation 300", self.ok("replay", file).stdout)

    def test_a_surface_is_repeated(self):
        file, receipt = self.receipt("--mesh", "sphere:8", "--random", "0.3", "-g", "20")
        self.assertEqual(receipt["mesh"], "sphere:8")
        self.ok("replay", file)

    def test_a_large_pattern_that_changed_is_named(self):
        pattern = self.file("p.pbm")
        self.ok("run", "--random", "0.5", "--size", "1024", "-g", "0", "-o", pattern)
        file, receipt = self.receipt(pattern, "-g", "10")
        self.assertEqual(receipt["start"]["pattern"], pattern)
        self.ok("replay", file)
        self.ok("run", "--random", "0.5", "--seed", "1", "--size", "1024", "-g", "0", "-o", pattern)
        self.refused(1, "the start of the run has changed since the receipt was written", "replay", file)

    def test_the_first_difference_is_named(self):
        file, receipt = self.receipt("--random", "0.4", "--size", "64", "-g", "100")
        receipt["hashes"][5]["hash"] = "0" * 16
        changed = self.file("changed.json", json.dumps(receipt))
        result = moorea("replay", changed)
        self.assertEqual(result.returncode, 3)
        self.assertIn("differ at generation 32", result.stdout)
        self.assertIn("agree at generation 16", result.stdout)

    def test_other_files_are_refused(self):
        file, receipt = self.receipt(ACORN, "-g", "8")
        for content, said in (("{}", "not a receipt"), ("x", "not a receipt"), (json.dumps(receipt | {"version": 2}), "another version"),
                              (json.dumps(receipt | {"hashes": []}), "no hashes"), (json.dumps(receipt | {"start": 1}), "damaged"),
                              (json.dumps(receipt | {"rule": 7}), "damaged")):
            self.refused(2, said, "replay", self.file("other.json", content))
        self.refused(2, "cannot be read", "replay", self.file("missing.json"))

    def test_a_run_in_pieces_has_the_receipt_of_one_run(self):
        if "no zstd" in moorea("run", ACORN, "-g", "1", "--checkpoint", "/dev/null/x").stderr:
            self.skipTest("this build has no zstd")
        soup, keys = ["--random", "0.4", "--size", "100"], ("start", "hashes", "rule", "topology", "width", "height")
        _, whole = self.receipt(*soup, "-g", "3000")
        for every, end in (("10m", "700"), ("256", "512")):
            saved = self.file(end)
            self.ok("run", *soup, "-g", end, "--checkpoint", saved, "--every" + ("-generations" if every == "256" else ""), every)
            file, pieces = self.receipt(saved, "--resume", "-g", "3000")
            for key in keys:
                self.assertEqual(pieces[key], whole[key], key)
            self.ok("replay", file)


if __name__ == "__main__":
    shard.main()
