#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Worlds that are out of core: rows in the machine's memory that pass through the device in bands."""
import json
import pathlib
import unittest

from command_case import ACORN, Case, moorea

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BANDS = ["--out-of-core", "--host-share", "0.6", "--band-rows", "50", "--generations-per-visit", "12"]


class OutOfCore(Case):
    def devices(self):
        return ["cpu"] + [device["name"] for device in json.loads(moorea("info", "--json").stdout)["devices"] if device["name"] in ("opencl:0", "cuda:0")]

    def test_the_cells_are_those_in_core(self):
        for world in (["--random", "0.4", "--size", "300x200", "-g", "200"], ["--random", "0.3", "--size", "128x301", "-g", "100", "--topology", "plane", "-r", "B36/S23"], [ACORN, "--size", "400x300", "-g", "300"]):
            in_core = self.json("run", *world)
            self.assertNotIn("out_of_core", in_core)
            for device in self.devices():
                for how in (BANDS, ["--out-of-core"], ["--out-of-core", "--host-share", "1"])[: 1 if device == "opencl:0" else 3]:
                    out = self.json("run", *world, "--device", device, *how)
                    self.assertEqual((out["hash"], out["population"], out["device"]), (in_core["hash"], in_core["population"], device), how)

    def test_populations_and_changes(self):
        world = ["run", "--random", "0.4", "--size", "200x150", "-g", "30", "--populations", "-", "--changes"]
        self.assertEqual(self.ok(*world, "--device", "cpu").stdout, self.ok(*world, "--device", "cpu", *BANDS).stdout)

    def test_what_is_said(self):
        world = ["run", "--random", "0.4", "--size", "300x200", "-g", "50", "--kernel", "cpu/bits", "--threads", "2"]
        result = self.ok(*world, *BANDS, "--explain")
        self.assertIn("out of core: 120 rows on the host in 3 bands of up to 40 rows, 2 at a time on the device, 12 generations per visit", result.stderr)
        self.assertIn("80 rows (40.0 %) resident; ", result.stderr)
        self.assertIn("memory  120 rows on the host in 3 bands, 80 in the device's memory; 12 generations per visit", result.stdout)
        plan = self.json(*world, *BANDS)["out_of_core"]
        self.assertGreater(plan.pop("device_bytes"), 300 * 200 / 8)
        self.assertEqual(plan, {"host_rows": 120, "resident_rows": 80, "resident_share": 0.4, "bands": 3, "band_rows": 40, "bands_at_once": 2, "generations_a_visit": 12})
        fits = [*world, "--out-of-core", "--device-memory", "1M"]
        self.assertEqual(self.json(*fits)["out_of_core"]["bands"], 0)
        self.assertIn("all rows in the device's memory: nothing is out of core", self.ok(*fits).stdout)

    def test_a_limit_of_memory(self):
        """Half of the rows is resident on a device that has room for half of the world."""
        world = ["run", "--random", "0.4", "--size", "1024x4096", "-g", "20", "--kernel", "cpu/bits", "--threads", "3"]
        in_core = self.json(*world)
        out = self.json(*world, "--out-of-core", "--device-memory", "800K", "--band-rows", "100")
        plan = out["out_of_core"]
        self.assertLess(plan["device_bytes"], 800 << 10)
        self.assertTrue(0.3 < plan["resident_share"] < 0.6, plan)
        self.assertEqual(out["hash"], in_core["hash"])
        self.refused(4, "of the memory of device cpu, 1.0 KiB may be used", *world, "--out-of-core", "--device-memory", "1K")

    def test_it_is_found(self):
        self.assertIn("--out-of-core", self.ok("info").stdout)
        for command in ("run", "serve", "film"):
            self.assertIn("--generations-per-visit", self.ok(command, "--help").stdout)

    def test_checkpoints(self):
        """What was saved out of core continues in core, and the other way round."""
        if "no zstd" in moorea("run", ACORN, "-g", "1", "--checkpoint", "/dev/null/x").stderr:
            self.skipTest("this build has no zstd")
        world = ["run", "--random", "0.4", "--size", "300x200"]
        whole = self.json(*world, "-g", "100")["hash"]
        for before, after in ((BANDS, []), ([], BANDS)):
            file = self.file(f"{len(before)}.checkpoint")
            self.ok(*world, "-g", "60", "--checkpoint", file, *before)
            self.assertEqual(self.json("run", file, "--resume", "-g", "100", *after)["hash"], whole)

    def test_refusals(self):
        world = ["run", "--random", "0.4", "--size", "64x50", "-g", "1"]
        for option, value in (("--device-memory", "1M"), ("--host-share", "0.5"), ("--band-rows", "8"), ("--generations-per-visit", "4")):
            self.refused(2, f"{option} is for worlds that are out of core: add --out-of-core", *world, option, value)
        self.refused(2, '--host-share "0": expected a number above 0, at most 1', *world, "--out-of-core", "--host-share", "0")
        self.refused(2, '--host-share "half": expected a number', *world, "--out-of-core", "--host-share", "half")
        self.refused(2, "--band-rows", *world, "--out-of-core", "--band-rows", "0")
        self.refused(2, "--generations-per-visit", *world, "--out-of-core", "--generations-per-visit", "x")
        self.refused(2, "device memory", *world, "--out-of-core", "--device-memory", "much")
        self.refused(2, "a world that is out of core has one device", *world, "--out-of-core", "--device", "cpu,cpu")
        self.refused(4, "a plane that grows cannot be out of core: give it a size", "run", ACORN, "-g", "1", "--out-of-core")
        self.refused(4, "a surface cannot be out of core", "run", "--mesh", "torus:8x8", "--random", "0.4", "-g", "1", "--out-of-core")

    def test_a_kernel_of_ones_own(self):
        world = ["run", "--random", "0.4", "--size", "200x90", "-g", "40"]
        own = self.json(*world, "--kernel-file", str(SOURCE / "examples/kernels/mine.cpp"), *BANDS)
        self.assertEqual(own["hash"], self.json(*world)["hash"])


if __name__ == "__main__":
    unittest.main()
