#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea run --receipt and moorea replay: a run is repeated from its receipt alone, and differences are named."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

import shard
from command_case import ACORN, Case, moorea
from programs import MOOREA


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

    def test_noise_of_several_states(self):
        for rule in ("/2/3", "WireWorld", "LifeHistory"):
            file, receipt = self.receipt("--random", "0.4", "--size", "64", "-r", rule, "-g", "20")
            self.assertEqual(self.json("replay", file)["same"], True, rule)

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

    def test_a_different_population_is_named(self):
        file, receipt = self.receipt("--random", "0.4", "--size", "64", "-g", "100")
        population = receipt["hashes"][0]["population"]
        receipt["hashes"][0]["population"] = 1
        changed = self.file("changed.json", json.dumps(receipt))
        result = moorea("replay", changed)
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stdout, f"differ at generation 1: population {population} on .*, 1 in the receipt")
        self.assertEqual(json.loads(moorea("replay", changed, "--json").stdout)["population"], {"receipt": 1, "replay": population})

    def test_other_files_are_refused(self):
        file, receipt = self.receipt(ACORN, "-g", "8")
        for content, said in (("{}", "not a receipt"), ("x", "not a receipt"), (json.dumps(receipt | {"version": 2}), "another version"),
                              (json.dumps(receipt | {"hashes": []}), "no hashes"), (json.dumps(receipt | {"start": 1}), "damaged"),
                              (json.dumps(receipt | {"rule": 7}), "damaged"),
                              (json.dumps(receipt | {"start": receipt["start"] | {"population": 8}}), "damaged: a population of 8 at the start, which has 7")):
            self.refused(2, said, "replay", self.file("other.json", content))
            self.assertNotIn("json.exception", moorea("replay", self.file("other.json")).stderr)
        self.refused(1, "missing.json: the receipt cannot be read: No such file", "replay", self.file("missing.json"))
        self.refused(1, "the receipt cannot be read: Is a directory", "replay", str(self.folder))

    def test_a_large_start_is_found_again_or_refused(self):
        pattern = self.file("p.pbm")
        self.ok("run", "--random", "0.5", "--size", "1024", "-g", "0", "-o", pattern)
        self.ok("run", "p.pbm", "-g", "10", "--receipt", "r.json", cwd=self.folder)
        self.assertIn("up to generation 10", self.ok("replay", self.file("r.json"), cwd="/").stdout)
        self.ok("convert", pattern, self.file("p.rle"))
        self.refused(2, "too large for a receipt", "run", "-", "-g", "10", "--receipt", self.file("s.json"), stdin=pathlib.Path(self.file("p.rle")).read_text())
        self.assertFalse(os.path.exists(self.file("s.json")))

    def test_a_mesh_is_found_from_another_folder(self):
        torus = "".join(f"v {x} {y} 0\n" for y in range(3) for x in range(4))
        mesh = self.file("m.obj", torus + "f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 5 6 10 9\n")
        if moorea("info", "--mesh", mesh).returncode != 0:
            self.skipTest("this build reads no OBJ files")
        self.ok("run", "--mesh", "m.obj", "--random", "0.5", "-g", "4", "--receipt", "r.json", cwd=self.folder)
        self.ok("replay", self.file("r.json"), cwd="/")

    def test_standard_output_has_the_receipt_alone(self):
        result = self.ok("run", ACORN, "-g", "9", "--receipt", "-")
        self.assertEqual(json.loads(result.stdout)["hashes"][-1]["generation"], 9)
        self.assertIn("generation 9", result.stderr)
        for other in (["--json"], ["-o", "-"], ["--populations", "-"]):
            self.refused(2, "--receipt - wants standard output for itself", "run", ACORN, "-g", "9", "--receipt", "-", *other)

    def test_an_interrupted_replay_says_how_far_it_came(self):
        file, receipt = self.receipt("--random", "0.4", "--size", "512", "-r", "B2/S", "-g", "64")
        receipt["hashes"].append(receipt["hashes"][-1] | {"generation": 10**12})
        for more in ([], ["--json"]):
            process = subprocess.Popen([MOOREA, "replay", self.file("long.json", json.dumps(receipt)), *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not int(re.search(r"SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1], 16) & 2:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=100)
            self.assertEqual(process.returncode, 130, err)
            if more:
                self.assertIsNone(json.loads(out)["same"])
            else:
                self.assertRegex(out, "^interrupted at generation [0-9]+: [0-7] of 8 hashes were compared, and agree")

    def test_memory_that_ended_growth_is_named_as_the_cause(self):
        file, receipt = self.receipt(ACORN, "-g", "64")
        receipt["edge_met"] = 40
        receipt["hashes"][-1]["hash"] = "0" * 16
        result = moorea("replay", self.file("edge.json", json.dumps(receipt)))
        self.assertEqual(result.returncode, 3)
        self.assertIn("ended the growth of the plane not at all here and at generation 40 in the run of the receipt", result.stdout)

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
