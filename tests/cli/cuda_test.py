#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CUDA kernels from the command line: thread blocks, bytes per thread and reductions."""
import json
import unittest

import shard
from command_case import ACORN, Case, LEFT_TO_OTHERS, SANITIZED, moorea
from programs import FAULTY


class Cuda(Case):
    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_thread_blocks_that_cannot_be(self):
        for kernel in ([], ["--kernel", "cpu/bits"], ["--kernel", "cpu/ladder/02_tiled"]):
            self.refused(2, "has no configurable thread block", "run", ACORN, *kernel, "--block", "64x4")
            self.refused(2, "has no configurable number of bytes per thread", "run", ACORN, *kernel, "--bytes-per-thread", "8")
        self.refused(2, "has no configurable thread block", "verify", ACORN, "--kernel", "cpu/bits", "--block", "64")
        for option, value, text in (("--block", "64x4", "thread block"), ("--bytes-per-thread", "8", "number of bytes per thread")):
            self.refused(2, f"has no configurable {text}", "bench", "--kernel", "cpu/bits", "--json", option, value)
        # Wrong for every kernel, and whether there is a GPU or not
        mistakes = [("--block", value, f'thread block "{value}", column {column}: expected WIDTHxHEIGHT')
                    for value, column in (("x", 1), ("-3", 1), ("5x", 3), ("64y4", 3), ("64x4x1", 5))]
        mistakes += [("--block", value, "expected 1 to 1024 in all") for value in ("2000", "0", "32x33", "0x5", "1x99999999999999999999")]
        mistakes += [("--bytes-per-thread", value, "expected a whole number from 1 to 64") for value in ("0", "65", "-1", "x", "8.0")]
        for option, value, text in mistakes:
            for command in (["run", ACORN], ["run", ACORN, "--kernel", "cuda/bits"], ["verify", ACORN, "--kernel", "cpu/bits"], ["bench"]):
                self.refused(2, text, *command, f"{option}={value}")
        for option in ("--block", "--bytes-per-thread"):
            self.assertEqual(moorea("run", ACORN, f"{option}=").returncode, 2)
        self.refused(4, "no kernel that runs here takes all of these options", "bench", "--tile", "64", "--block", "64")

    def test_thread_blocks(self):
        kernels = {kernel["name"]: kernel for kernel in self.json("kernels")["kernels"]}
        for kernel in kernels.values():
            if kernel["backend"] != "opencl":
                self.assertEqual("block" in kernel, kernel["backend"] == "cuda" and kernel["layout"] not in ("strided", "digits"), kernel)
        if "cuda/bits" not in kernels:
            self.skipTest("a build without CUDA")
        self.assertEqual(kernels["cuda/ladder/01_int"]["block"], {"width": 32, "height": 8})
        self.assertEqual(kernels["cuda/ladder/11_bits_bytes"]["bytes_per_thread"], 8)
        self.assertIn("256x1, 8 bytes", self.ok("kernels").stdout)
        if not kernels["cuda/bits"]["runs"]:
            self.refused(4, "no kernel that runs here takes all of these options", "bench", "--block", "64", "--bytes-per-thread", "8")
            self.skipTest(kernels["cuda/bits"]["reason"])
        noise = ["--random", "0.4", "--size", "130x70", "-g", "50"]
        rung = ["--kernel", "cuda/ladder/11_bits_bytes"]
        result = self.json("run", *noise, *rung, "--block", "96", "--bytes-per-thread", "3")
        self.assertEqual((result["block"], result["bytes_per_thread"]), ({"width": 96, "height": 1}, 3))
        self.assertEqual(result["hash"], self.json("run", *noise)["hash"])
        self.assertIn("256 x 1 threads, 8 bytes each", self.ok("run", *noise, *rung).stdout)
        self.assertTrue(self.json("verify", *noise, "--kernel", "cuda/ladder/04_shared", "--block", "7x3")["same"])
        self.refused(2, "a block's height is 1", "run", *noise, *rung, "--block", "32x8")
        self.refused(2, "has no configurable thread block", "run", *noise, "--kernel", "cuda/strided", "--block", "32")
        rows = self.json("bench", "--size", "64", *rung, "--block", "64,256", "--bytes-per-thread", "1,64", "--budget", "0.05")["results"]
        self.assertEqual([(row["block"]["width"], row["bytes_per_thread"]) for row in rows], [(64, 1), (64, 64), (256, 1), (256, 64)])
        for row in rows:
            self.assertGreater(row["registers_per_thread"], 0)
            self.assertTrue(0 < row["occupancy"] <= 1)
            self.assertGreater(row["encode_seconds"], 0)
            self.assertGreater(row["decode_seconds"], 0)
        self.assertIn("occupancy", self.ok("bench", "--size", "64", *rung, "--budget", "0.05").stdout)
        # Each kernel has its own axes; the others of the same command stay
        document = self.json("bench", "--size", "64", "--kernel", "cpu/bits,cuda/ladder/02_naive_bool,cuda/ladder/11_bits_bytes", "--block", "64,256",
                             "--bytes-per-thread", "1,8", "--budget", "0.01", "--rounds", "1", "--relative-to", "cpu/ladder/01_serial:1")
        self.assertEqual([(row["kernel"], row.get("block", {}).get("width"), row.get("bytes_per_thread")) for row in document["results"]],
                         [("cpu/ladder/01_serial", None, None), ("cpu/bits", None, None), ("cuda/ladder/02_naive_bool", 64, None),
                          ("cuda/ladder/02_naive_bool", 256, None)] + [("cuda/ladder/11_bits_bytes", width, count) for width in (64, 256) for count in (1, 8)])
        self.assertEqual(len(document["notes"]), 2)
        gpu, = [device for device in document["machine"]["devices"] if device["name"] == "cuda:0"]
        for key in ("driver", "api", "runtime"):
            self.assertRegex(gpu[key], "[0-9]+[.][0-9]+")
        self.assertGreater(gpu["core_megahertz"]["maximum"], 100)
        self.assertGreater(gpu["memory_megahertz"]["maximum"], 100)
        # Kernels that are not named are those that can use the option, in the shapes that they take
        rows = self.json("bench", "--size", "64", "--block", "64,16x2", "--device", "cuda", "--budget", "0.01")["results"]
        shapes = {name: {tuple(row["block"].values()) for row in rows if row["kernel"] == name} for name in kernels}
        self.assertEqual(shapes["cuda/bits"], {(64, 1)})
        self.assertEqual(shapes["cuda/ladder/01_int"], {(64, 1), (16, 2)})
        self.assertEqual(shapes["cpu/bits"] | shapes["cuda/strided"], set())

    def test_reduce(self):
        for size in ("0", "2^33", "x"):
            self.assertEqual(moorea("reduce", "--size", size).returncode, 2, size)
        self.refused(2, '--values "double": expected uint32 or float', "reduce", "--values", "double")
        if not any(device["name"] == "cuda:0" for device in self.json("info")["devices"]):
            self.refused(4, "device \"cuda:0\" is not available", "reduce")
            self.skipTest("no GPU")
        result = self.json("reduce", "--size", "1e6,12345", "--threads", "64,1024")
        rows = [(row["reduction"], row["values"], row["threads"]) for row in result["results"]]
        self.assertEqual([row for row in rows if row[0] == "reduce/ladder/07_shared_atomic"],
                         [("reduce/ladder/07_shared_atomic", n, threads) for n in (1000000, 12345) for threads in (64, 1024)])
        self.assertEqual([row for row in rows if row[0] == "reduce/ladder/12_library"],
                         [("reduce/ladder/12_library", n, None) for n in (1000000, 12345)])
        for row in result["results"]:
            self.assertEqual(row["bytes_read"], 4 * row["values"])
            self.assertGreater(row["part_of_copy_bandwidth"], 0)
            self.assertEqual((row["type"], row["tolerance"], row["sum"]), ("uint32", 0, row["expected"]))
        for row in self.json("reduce", "--size", "1e6", "--values", "float")["results"]:
            self.assertEqual(row["type"], "float")
            self.assertLess(row["tolerance"], 1e-6 * row["expected"])
            self.assertLessEqual(abs(row["sum"] - row["expected"]), row["tolerance"])
        self.refused(2, "adds integers only", "reduce", "--kernel", "reduce/faulty", "--values", "float", program=FAULTY)
        self.refused(2, "there is no reduction", "reduce", "--kernel", "reduce/none")
        self.refused(2, "a power of two", "reduce", "--threads", "64,96")
        self.refused(2, "reductions run on GPUs", "reduce", "--device", "cpu")
        wrong = moorea("reduce", "--kernel", "reduce/faulty,reduce/ladder/06_atomic", "--size", "1000", "--json", program=FAULTY)
        self.assertEqual(wrong.returncode, 3)
        report = json.loads(wrong.stdout)
        self.assertEqual([row["reduction"] for row in report["results"]], ["reduce/ladder/06_atomic"])
        self.assertIn("wrong answer", report["not_timed"][0]["reason"])


if __name__ == "__main__":
    shard.main()
