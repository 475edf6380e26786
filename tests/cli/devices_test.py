#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Worlds that are divided by rows among several devices."""
import json
import unittest

from command_case import ACORN, Case, NEEDS_CPUS, ONE_CPU, moorea


class Devices(Case):
    def test_the_cells_are_those_of_one_device(self):
        world = ["--random", "0.4", "--size", "300x200", "-g", "500"]
        one = self.json("run", *world)
        self.assertNotIn("parts", one)
        several = ["cpu,cpu", "cpu,cpu,cpu"]
        if any(device["name"] == "opencl:0" for device in json.loads(moorea("info", "--json").stdout)["devices"]):
            several.append("cpu,opencl:0")
            self.refused(2, "device opencl:0 is listed twice", "run", *world, "--device", "opencl,opencl:0")
            self.refused(2, 'no kernel of "opencl/strided" runs on device cpu', "run", *world, "--device", "cpu,cpu", "--kernel", "opencl/strided")
        for devices in several:
            for shares in ([], ["--shares", ",".join("19"[i % 2] for i in range(devices.count(",") + 1))]):
                divided = self.json("run", *world, "--device", devices, *shares)
                self.assertEqual((divided["hash"], divided["population"], divided["device"]), (one["hash"], one["population"], devices))
                self.assertEqual(sum(part["rows"] for part in divided["parts"]), 200)
                self.assertEqual([part["device"] for part in divided["parts"]], devices.split(","))
        self.assertEqual([part["rows"] for part in divided["parts"]][:2], [20, 180] if len(divided["parts"]) == 2 else [18, 164])

    def test_a_plane_that_grows(self):
        one, two = (self.json("run", ACORN, "-g", "2000", "--device", devices) for devices in ("cpu", "cpu,cpu"))
        # What was named computes it: no tree takes it away from the devices
        self.assertEqual([part["device"] for part in two["parts"]], ["cpu", "cpu"])
        self.assertIn("  parts   ", self.ok("run", ACORN, "-g", "2000", "--device", "cpu,cpu").stdout)
        self.refused(2, "leave kernel and device out, so that the plane can become a tree", "run", ACORN, "-g", "2^70", "--device", "cpu,cpu")
        self.assertEqual((one["hash"], one["population"]), (two["hash"], two["population"]))

    def test_what_is_said(self):
        result = self.ok("run", "--random", "0.4", "--size", "64x50", "-g", "10", "--device", "cpu+cpu", "--shares", "1,4", "--kernel", "cpu/bits", "--explain", "--threads", "3")
        self.assertIn("parts   10 rows on cpu, 40 rows on cpu", result.stdout)
        self.assertIn("10 rows, 20.0 %: cpu/bits on cpu, 2 threads", result.stderr + result.stdout)
        self.assertIn("40 rows, 80.0 %: cpu/bits on cpu, 1 thread", result.stderr + result.stdout)

    def test_parts_tell_what_they_did(self):
        world = ["run", "--random", "0.4", "--size", "256x200", "-g", "300", "--device", "cpu,cpu"]
        parts = self.json(*world)["parts"]
        self.assertEqual([part["y"] for part in parts], [0, parts[0]["rows"]])
        self.assertEqual(sum(part["share"] for part in parts), 1)
        for part in parts:
            self.assertGreater(part["cells_per_second"], 0)
            self.assertTrue(0 <= part["idle"] < 1, part)
        said = self.ok(*world, "--explain").stderr
        self.assertEqual(said.count("% of the time"), 2, said)

    def test_groups_of_devices(self):
        devices = json.loads(moorea("info", "--json").stdout)["devices"]
        world = ["run", "--random", "0.4", "--size", "300x200", "-g", "50"]
        if not any(device["name"].startswith("cuda") for device in devices):
            self.refused(4, 'device "cuda" is not available', *world, "--device", "cuda:all")
            self.refused(4, 'device "cuda" is not available', *world, "--device", "cpu,cuda:all")
        self.refused(2, "shares of all devices: name the devices, as in cpu,cuda:0", *world, "--device", "all", "--shares", "1,2")
        everything = self.ok(*world, "--device", "all", "--explain")
        self.assertIn(": all: ", everything.stderr)
        self.assertEqual(self.json(*world, "--device", "all")["hash"], self.json(*world)["hash"])
        self.assertIn("all: ", self.ok("run", ACORN, "-g", "10", "--device", "all", "--explain").stderr)

    def test_parts_are_recorded(self):
        world = ["trace", "--random", "0.4", "--size", "256x200", "-g", "100", "--device", "cpu,cpu"]
        said = self.ok(*world, "-o", self.file("parts.json")).stderr
        self.assertIn("pieces of the parts' work in 100 generations", said)
        trace = json.load(open(self.file("parts.json")))
        names = [event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "thread_name"]
        self.assertEqual(names, ["cpu", "cpu"])
        pieces = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        self.assertEqual({event["tid"] for event in pieces}, {0, 1})
        self.assertEqual({event["args"]["width"] for event in pieces}, {256})
        for thread in (0, 1):
            own = [event for event in pieces if event["tid"] == thread]
            self.assertTrue(all(a["ts"] + a["dur"] <= b["ts"] + 1e-3 for a, b in zip(own, own[1:])))
            self.assertGreater(len({event["args"]["generation"] for event in own}), 10)
        self.ok(*world, "-o", self.file("parts.html"))
        self.refused(2, "--every is for one device", *world, "--every", "2", "-o", "-")

    def test_a_bench_varies_the_rows(self):
        rows = self.json("bench", "--kernel", "auto", "--size", "256", "--budget", "0.02", "--rounds", "1", "--device", "cpu,cpu+cpu", "--shares", "1+3,1+1")["results"]
        self.assertEqual([(row["device"], row.get("shares"), [part["rows"] for part in row.get("parts", [])]) for row in rows],
                         [("cpu", None, []), ("cpu,cpu", "1+3", [64, 192]), ("cpu,cpu", "1+1", [128, 128])])
        self.refused(2, '--shares "1+x": expected numbers above 0, one for each device, as in 1+20', "bench", "--kernel", "auto", "--size", "64", "--device", "cpu+cpu", "--shares", "1+x")

    @unittest.skipIf(ONE_CPU, NEEDS_CPUS)
    def test_other_processes_are_noticed(self):
        """A world of parts on the CPU is watched as one on all of it."""
        for devices in ("cpu", "cpu+cpu"):
            row = self.json("bench", "--kernel", "cpu/bits", "--device", devices, "--size", "256", "--budget", "0.02", "--rounds", "1")["results"][0]
            self.assertGreater(row["watched_seconds"], 0, devices)
            self.assertIn("frequency", row, devices)

    def test_refusals(self):
        world = ["run", "--random", "0.4", "--size", "64x2", "-g", "1"]
        self.refused(4, "a world of 2 rows cannot be divided among 3 devices: it needs at least 3 rows", *world, "--device", "cpu,cpu,cpu")
        self.refused(2, "1 shares for 2 devices: expected one for each", *world, "--device", "cpu,cpu", "--shares", "1")
        self.refused(2, '--shares "1,x": expected numbers above 0', *world, "--device", "cpu,cpu", "--shares", "1,x")
        self.refused(2, "shares are those of several devices", *world, "--shares", "1")
        self.refused(4, 'device "" is not available', *world, "--device", "cpu,")
        self.refused(4, "a surface cannot be divided among devices", "run", "--mesh", "torus:8x8", "--random", "0.4", "-g", "1", "--device", "cpu,cpu")


if __name__ == "__main__":
    unittest.main()
