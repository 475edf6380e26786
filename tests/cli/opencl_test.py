#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenCL kernels from the command line: devices, compilation and its cache, work-groups, kernel files."""
import json
import os
import pathlib
import re
import unittest

import shard
from command_case import ACORN, Case, EXAMPLES, SANITIZED, TAKES_LONG, moorea
from programs import FAULTY


class OpenCl(Case):
    """On OpenCL's first device, whatever that is; in the gate that is PoCL."""

    def setUp(self):
        super().setUp()
        self.kernels = {kernel["name"]: kernel for kernel in self.json("kernels")["kernels"] if kernel["backend"] == "opencl"}
        reason = "a build without OpenCL" if not self.kernels else self.kernels["opencl/bits"].get("reason")
        if reason:
            if os.environ.get("MOOREA_NEEDS_OPENCL"):
                self.fail(reason)
            self.skipTest(reason)
        # Each test compiles afresh
        self.environment = dict(os.environ, XDG_CACHE_HOME=self.file("cache"), POCL_CACHE_DIR=self.file("pocl"))
        os.mkdir(self.environment["POCL_CACHE_DIR"])

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_names_of_devices(self):
        devices = {device["name"]: device["description"] for device in self.json("kernels")["devices"]}
        self.assertIn("opencl:0", devices)
        self.assertIn(devices["opencl:0"], self.ok("kernels").stdout)
        part = devices["opencl:0"].split(",")[1].split()[0].lower()
        hashes = {self.json("run", ACORN, "-g", "300", "--device", name)["hash"] for name in ("cpu", "opencl", "opencl:0", f"opencl:{part}")}
        self.assertEqual(len(hashes), 1)
        result = self.json("run", ACORN, "-g", "5206", "--device", "opencl")
        self.assertEqual((result["population"], result["device"]), (633, "opencl:0"))
        self.assertTrue(result["kernel"].startswith("opencl/"))
        for name in ("opencl:99", "opencl:", "opencl:nobody", "openc"):
            self.refused(4, f'device "{name}" is not available', "run", ACORN, "--device", name)
        whole = devices["opencl:0"].rsplit(", ", 2)[0]
        for quoted in (part, whole):
            self.assertEqual(self.json("run", ACORN, "-g", "300", "--device", f'opencl:"{quoted}"')["hash"], min(hashes))
        self.refused(4, """device "opencl:"no, body"" is not available: expected one of""", "run", ACORN, "--device", 'opencl:"no, body"')
        self.refused(2, "a quote is not closed", "run", ACORN, "--device", 'opencl:"no, body')
        self.refused(4, """device "body" is not available; the name of an OpenCL device that has a comma""", "run", "--random", "0.5", "--size", "64",
                     "--device", "opencl:no, body")
        self.refused(2, "does not run on device opencl", "run", ACORN, "--device", "opencl", "--kernel", "cpu/bits")
        self.refused(2, "does not run on device cpu", "run", ACORN, "--device", "cpu", "--kernel", "opencl/bits")

    def test_no_platform(self):
        environment = dict(os.environ, OCL_ICD_VENDORS=str(self.folder))
        if any(device["name"] == "opencl:0" for device in self.json("kernels", env=environment)["devices"]):
            self.skipTest("this OpenCL loader does not read OCL_ICD_VENDORS")
        for arguments in (["--device", "opencl"], ["--kernel", "opencl/bits"]):
            self.refused(4, "OpenCL finds no device", "run", ACORN, *arguments, env=environment)
        self.assertIn("OpenCL finds no device", self.ok("kernels", env=environment).stdout)
        self.assertEqual(self.json("run", ACORN, "-g", "5206", env=environment)["population"], 633)

    def test_code_that_does_not_compile(self):
        broken = ["run", ACORN, "-g", "1", "--kernel", "opencl/broken"]
        result = self.refused(1, "refuses a kernel", *broken, program=FAULTY, lines=0, env=self.environment)
        self.assertIn("nobody_declared_this", result.stderr)
        kept = re.search(r"is kept in (\S+[.]cl)", result.stderr)[1]
        self.assertIn("nobody_declared_this", pathlib.Path(kept).read_text())
        # Without a place to keep it
        result = self.refused(1, "refuses a kernel", *broken, program=FAULTY, lines=0,
                              env=dict(self.environment, XDG_CACHE_HOME="/dev/null/none"))
        self.assertNotIn("is kept in", result.stderr)

    def test_wrong_answers_are_found(self):
        result = moorea("verify", "--random", "0.5", "--size", "100", "-g", "5", "--kernel", "opencl/faulty", program=FAULTY)
        self.assertEqual(result.returncode, 3, result.stderr)

    def test_too_little_local_memory(self):
        greedy = ["run", ACORN, "-g", "1", "--kernel", "opencl/greedy"]
        # One platform's compiler refuses such a kernel itself, with the figures; others leave that to their users
        result = moorea(*greedy, program=FAULTY, env=self.environment)
        self.assertIn(result.returncode, (1, 4), result.stderr)
        self.assertRegex(result.stderr, "of local memory.* this kernel needs" if result.returncode == 4 else "refuses a kernel.*\n(.*\n)*.*shared data")

    def test_compiled_code_is_kept(self):
        def hash_and_kept():
            acorn = self.json("run", ACORN, "-g", "100", "--size", "200", "--kernel", "opencl/bits", env=self.environment)
            return acorn["hash"], sorted(pathlib.Path(self.environment["XDG_CACHE_HOME"], "moorea").glob("*.opencl"))

        first, kept = hash_and_kept()
        self.assertEqual(len(kept), 2)  # what all kernels share, and the kernel
        times = [path.stat().st_mtime_ns for path in kept]
        self.assertEqual(hash_and_kept(), (first, kept))
        self.assertEqual([path.stat().st_mtime_ns for path in kept], times)
        # Damaged entries are written again, unreadable ones are left alone
        whole = [path.read_bytes() for path in kept]
        for damage in (lambda code: b"moorea", lambda code: code[:1000], lambda code: code[:-1] + bytes([code[-1] ^ 1]), lambda code: code[16:]):
            for path, code in zip(kept, whole, strict=True):
                path.write_bytes(damage(code))
            self.assertEqual(hash_and_kept(), (first, kept))
            for path, code in zip(kept, whole, strict=True):
                self.assertNotEqual(path.read_bytes(), damage(code))
                self.assertTrue(path.read_bytes().startswith(b"Moorea01"))
        for path in kept:
            self.assertGreater(path.stat().st_size, 100)
            path.unlink()
            path.mkdir()
        self.assertEqual(hash_and_kept(), (first, kept))

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_the_compiler_says_nothing(self):
        """Not even how many warnings there are of vectors that are wider than the CPU's."""
        result = self.ok("run", ACORN, "-g", "10", "--size", "64", "--kernel", "opencl/bits_vector", env=self.environment)
        self.assertEqual(result.stderr, "")

    def test_kernels_from_files(self):
        noise = ["--random", "0.4", "--size", "130x70", "-g", "50", "--kernel-file"]
        mine = (EXAMPLES / "mine.cl").read_text()
        self.assertTrue(self.json("verify", *noise, str(EXAMPLES / "mine.cl"), env=self.environment)["same"])
        ladder = str(EXAMPLES.parents[1] / "src" / "kernels" / "opencl" / "ladder" / "03_local.cl")
        self.assertTrue(self.json("verify", *noise, ladder, env=self.environment)["same"])
        # A header beside it, which is another one the next time
        with_header = self.file("with_header.cl", mine.replace("NEXT(", "MINE(").replace("kernel void", '#include "mine.h"\nkernel void'))
        self.file("mine.h", "#define MINE(a, n) NEXT(a, n)\n")
        self.assertTrue(self.json("verify", *noise, with_header, env=self.environment)["same"])
        self.file("mine.h", "#define MINE(a, n) 0\n")
        self.assertEqual(moorea("verify", *noise, with_header, env=self.environment).returncode, 3)
        self.refused(1, "has no kernel function advance", "run", *noise, self.file("other.cl", mine.replace("advance", "other")), env=self.environment)
        broken = self.file("broken.cl", mine.replace("NEXT(", "nobody("))
        line = mine[:mine.index("NEXT(")].count("\n") + 1
        result = self.refused(1, "refuses", "run", *noise, broken, lines=0, env=self.environment)
        self.assertRegex(result.stderr, f"broken[.]cl:{line}:.*nobody")

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_work_groups_in_which_the_device_crashes(self):
        run = ["run", "--random", "0.5", "--size", "33x47", "-g", "5", "--kernel", "opencl/ladder/06_lazy"]
        expected = self.json(*run[:-2], "--kernel", "cpu/reference")["hash"]
        for shape in ("1x1", "1x2", "1x6", "1x7", "1x9", "1x11", "2x1", "7x1", "8x1", "10x1", "11x1", "2x2"):
            result = moorea(*run, "--block", shape, "--json")
            self.assertIn(result.returncode, (0, 4), (shape, result.stderr))  # which of them is the device's matter
            if result.returncode == 4:
                self.assertIn("crashes in work-groups of", result.stderr)
            else:
                self.assertEqual(json.loads(result.stdout)["hash"], expected, shape)
        # A kernel that crashes costs its row alone
        crash = self.file("crash.cpp", "#include <moorea/kernel.h>\n\nextern \"C\" void advance(const moorea::kernels::Block&) { __builtin_trap(); }\n")
        result = moorea("bench", "--kernel", "cpu/bits", "--kernel-file", crash, "--size", "64", "--budget", "0.01", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual([row["kernel"] for row in document["results"]], ["cpu/bits"])
        self.assertIn("it crashes (", document["not_timed"][0]["reason"])

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_work_groups_in_a_list(self):
        result = moorea("bench", "--kernel", "opencl/ladder/01_naive", "--block", "4:64:x4x4:64:x4", "--size", "64", "--budget", "0.01", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertIn("64x64", json.dumps(document["not_timed"]))
        reasons = {row["block"]: row["reason"] for row in document["not_timed"]}
        self.assertEqual(reasons.pop("64x64"), "a thread block of 64x64 threads: expected 1 to 1024 in all")
        for reason in reasons.values():
            self.assertIn("in work-groups of at most", reason)  # of devices that take fewer than that
        self.assertEqual(len(document["results"]) + len(reasons), 8)
        # Several kernels and sizes: a shape that none can have is named once, one that a kernel cannot have once for this kernel
        result = moorea("bench", "--kernel", "cpu/bits,opencl/ladder/01_naive,opencl/ladder/04_shift", "--block", "16:64:x4x16:64:x4,32", "--size", "64,128",
                        "--budget", "0.01", "--rounds", "1", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual(result.stderr.count("a thread block of 64x64 threads: expected 1 to 1024 in all"), 1)
        self.assertEqual([row["block"] for row in document["not_timed"]].count("64x64"), 1)
        for shape in ("16x16", "16x64", "64x16"):
            self.assertEqual(result.stderr.count(f"a thread block of {shape}: kernel opencl/ladder/04_shift has its threads in one row"), 1)
        self.assertEqual([row["width"] for row in document["results"] if row["kernel"] == "cpu/bits"], [64, 128])
        self.assertEqual([row["block"] for row in document["results"] if row["kernel"] == "opencl/ladder/04_shift"], 2 * [{"width": 32, "height": 1}])
        self.refused(2, "expected 1 to 1024 in all", "bench", "--kernel", "opencl/ladder/01_naive", "--block", "64x64", "--size", "64")
        self.refused(2, "expected WIDTHxHEIGHT", "bench", "--kernel", "opencl/ladder/01_naive", "--block", "64,x", "--size", "64")

    def test_work_groups(self):
        noise = ["--random", "0.4", "--size", "130x70", "-g", "50"]
        expected = self.json("run", *noise)["hash"]
        for kernel, shape in (("ladder/01_naive", "7x3"), ("ladder/01_naive", "64"), ("ladder/03_local", "5x9"), ("ladder/06_lazy", "16x16"),
                              ("strided", "8"), ("bits", "37")):
            self.assertEqual(self.json("run", *noise, "--kernel", f"opencl/{kernel}", "--block", shape)["hash"], expected, kernel)
        for width in ("1", "2", "3"):
            self.refused(4, f"cannot be {width} wide", "run", *noise, "--kernel", "opencl/strided", "--block", width)
        self.refused(2, "has no configurable thread block", "run", *noise, "--kernel", "opencl/strided_vector", "--block", "2")
        self.refused(4, "a power of two wide", "run", *noise, "--kernel", "opencl/ladder/04_shift")

    def test_sizes_that_cannot_be(self):
        self.refused(4, "less than 2^31 - 2^16 columns", "run", "--random", "0.5", "--size", "3000Mx1", "--kernel", "opencl/bits")

    def test_what_sleeps(self):
        noise = ["--random", "0.2", "--size", "300x200", "-g", "3000"]
        for kernel in ("opencl/bits_lazy", "opencl/ladder/06_lazy"):
            self.assertEqual(self.json("run", *noise, "--kernel", kernel)["hash"], self.json("run", *noise)["hash"])

    def test_planes_that_grow(self):
        self.refused(4, "a plane that grows", "run", ACORN, "-g", "500", "--kernel", "opencl/ladder/04_shift")
        expected = self.json("run", ACORN, "-g", "500")["hash"]
        for kernel in ("opencl/bits_lazy", "opencl/strided", "opencl/ladder/06_lazy"):
            self.assertEqual(self.json("run", ACORN, "-g", "500", "--kernel", kernel)["hash"], expected)


if __name__ == "__main__":
    shard.main()
