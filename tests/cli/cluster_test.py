#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea plan: the model of a cluster, and the plan for this machine."""
import json
import pathlib
import unittest

from command_case import Case


class Plans(Case):
    def test_a_cluster(self):
        plan = self.json("plan", "--ranks", "4096", "--size", "4194304x4194304", "--device", "cuda")
        estimates = plan["estimates"]
        self.assertEqual([each["ranks"] for each in estimates], [2**i for i in range(13)])
        one = estimates[0]
        self.assertEqual((one["halo"], one["bytes_per_exchange"], one["strong_efficiency"], one["weak_efficiency"]), (0, 0, 1, 1))
        for few, many in zip(estimates, estimates[1:]):
            self.assertLess(many["seconds_per_generation"], few["seconds_per_generation"])
            self.assertLess(many["strong_efficiency"], few["strong_efficiency"])
        last = estimates[-1]
        self.assertEqual((last["rows"], last["halo"]), (1024, 12))
        self.assertEqual(last["bytes_per_exchange"], 2 * 12 * 4194304 / 8)
        self.assertLess(last["seconds_per_generation_overlapped"], last["seconds_per_generation"])

    def test_numbers_of_the_user(self):
        world = ["plan", "--ranks", "2", "--size", "1024x2048", "--device", "cpu", "--speed", "1e9", "--latency", "0.001", "--bandwidth", "1e6"]
        one, two = self.json(*world)["estimates"]
        self.assertAlmostEqual(one["seconds_per_generation"], 1024 * 2048 / 1e9)
        # A halo of 8 rows: 2 x 8 more rows; 2 messages of 8 x 128 bytes every 8 generations; decisions 20 times a second
        exchange = 2 * 0.001 + 2 * 8 * 128 / 1e6
        self.assertAlmostEqual(two["seconds_per_generation"], (1024 * (1024 + 16) / 1e9 + exchange / 8) * (1 + 2 * 0.001 / 0.05))
        text = self.ok(*world).stdout
        self.assertIn("--speed", text)
        self.assertIn("changed by --latency or --bandwidth", text)

    def test_a_fit_to_runs(self):
        """Runs that the model would give have its numbers."""
        latency, bandwidth, speed, files = 3e-6, 2e9, 5e10, []
        for width in (65536, 1048576):
            height, ranks, halo, exchanges = 8192, 4, 8, 10
            sent = 2 * halo * width / 8
            exchange = 2 * latency + sent / bandwidth
            seconds = exchanges * (halo * (height / ranks + 2 * halo) * width / speed + exchange)
            rank = {"exchanges": exchanges, "bytes_sent": exchanges * sent, "exchange_seconds": exchanges * exchange}
            files += ["--measured", self.file(f"{width}.json", json.dumps({
                "width": width, "height": height, "seconds": seconds, "cells_per_second": width * height * exchanges * halo / seconds, "ranks": ranks * [rank]}))]
        plan = self.json("plan", "--ranks", "64", "--size", "1000000", *files)
        self.assertAlmostEqual(plan["link"]["latency_seconds"] / latency, 1)
        self.assertAlmostEqual(plan["link"]["bytes_per_second"] / bandwidth, 1)
        self.assertAlmostEqual(plan["device"]["cells_per_second"] / speed, 1)
        self.assertEqual(plan["link"]["source"], "fitted to 2 runs")
        # GPUs compute half of the halo rows on average
        for file in files[1::2]:
            run = json.loads(pathlib.Path(file).read_text())
            for rank in run["ranks"]:
                rank["device"] = "cuda:0"
            pathlib.Path(file).write_text(json.dumps(run))
        of_gpus = self.json("plan", "--ranks", "64", "--size", "1000000", *files)["device"]["cells_per_second"]
        self.assertAlmostEqual(of_gpus / plan["device"]["cells_per_second"], (8192 + 4 * 8) / (8192 + 4 * 16))
        one = self.json("plan", "--ranks", "64", "--size", "1000000", *files[:2])
        self.assertAlmostEqual(one["link"]["latency_seconds"], 2e-6)
        self.refused(1, "no result of moorea run --json on two ranks or more", "plan", "--ranks", "4", "--size", "1000", "--measured", self.file("a.json", "{}"))
        self.refused(1, "gone.json: cannot open", "plan", "--ranks", "4", "--size", "1000", "--measured", self.file("gone.json"))

    def test_this_machine(self):
        self.assertIn(" on cpu: ", self.ok("plan", "--size", "1000", "--device", "cpu").stdout)
        self.refused(2, "expected --size WxH", "plan", "--ranks", "4")
        self.refused(2, "--link \"x\": expected auto, staged or nccl", "plan", "--ranks", "4", "--size", "1000", "--link", "x")
        self.refused(2, "--device opencl: with --ranks expected auto, cpu or cuda", "plan", "--ranks", "4", "--size", "1000", "--device", "opencl")
        self.refused(2, "--speed, --latency, --bandwidth and --measured are for --ranks", "plan", "--size", "1000", "--speed", "1")


if __name__ == "__main__":
    unittest.main()
