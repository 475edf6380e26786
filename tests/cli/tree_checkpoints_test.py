#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checkpoints of planes whose live cells are far apart or are a tree: exact continuation, and checkpoints as patterns."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

from command_case import ACORN, catches, Case, SANITIZED, TAKES_LONG, moorea, wait_until
from programs import MOOREA

GUN = str(pathlib.Path(ACORN).with_name("gosper-glider-gun.rle"))
BREEDER = "/usr/share/golly/Patterns/Life/Breeders/breeder.lif"
APART = 10**9
NO_CHECKPOINTS = "no zstd" in moorea("run", ACORN, "-g", "1", "--checkpoint", "/dev/null/x").stderr


@unittest.skipIf(NO_CHECKPOINTS, "this build has no zstd")
class TreeCheckpoints(Case):
    def setUp(self):
        super().setUp()
        # Two gliders, the second one so many columns and rows after the first
        self.far = self.file("far.rle", f"#CXRLE Pos=-5,7 Gen=12\nx = {APART + 3}, y = {APART + 3}, rule = B3/S23\nbo$2bo$3o{APART - 2}${APART + 1}bo${APART + 2}bo${APART}b3o!\n")
        self.saved = self.file("a.checkpoint")

    def hash(self, *arguments):
        return self.json("run", *arguments)["hash"]

    def start(self, *arguments):
        process = subprocess.Popen([MOOREA, "run", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_two_gliders_far_apart_continue(self):
        report = self.json("run", self.far, "-g", "4000", "--checkpoint", self.saved)
        self.assertEqual((report["checkpoints"]["written"], report["checkpoints"]["generation"]), (1, 4012))
        self.assertLess(os.path.getsize(self.saved), 4096)
        self.assertTrue(pathlib.Path(self.saved).read_bytes().startswith(b"Moorea checkpoint 2 "))
        expected = self.json("run", self.far, "-g", "9000")
        for kernel in ([], ["--kernel", "hashlife"], ["--kernel", "cpu/tiles"]):
            copy = shutil.copy(self.saved, self.file("copy"))
            result = self.json("run", copy, "--resume", "-g", "9000", *kernel)
            for key in ("generation", "hash", "population"):
                self.assertEqual(result[key], expected[key], (kernel, key))
            self.assertEqual(self.json("info", copy)["checkpoint"]["run"]["begin"], 12)
            os.remove(copy + ".previous")
            os.remove(copy)
        # The command that began continues, and another start is refused
        self.assertEqual(self.json("run", self.far, "-g", "5000", "--checkpoint", self.saved, "--resume")["generation"], 5012)
        self.assertEqual(self.json("info", self.saved + ".previous")["generation"], 4012)
        self.refused(2, "the checkpoint of another run", "run", ACORN, "-g", "9", "--checkpoint", self.saved, "--resume")

    def test_commands_read_it_as_a_pattern(self):
        self.ok("run", self.far, "-g", "4000", "--checkpoint", self.saved)
        info = self.json("info", self.saved)
        self.assertEqual((info["format"], info["width"], info["population"], info["position"], info["generation"]),
                         ("checkpoint", APART + 3, 10, [995, 1007], 4012))
        self.assertEqual(info["checkpoint"]["hash"], self.hash(self.far, "-g", "4000"))
        self.assertIn("goal        generation 4012", self.ok("info", self.saved).stdout)
        window = f"{APART + 990},{APART + 1000},100,100"
        for name in ("out.rle", "out.mc"):
            out, direct = self.file(name), self.file("direct-" + name)
            self.ok("convert", self.saved, out)
            self.ok("run", self.far, "-g", "4000", "-o", direct)
            if name == "out.rle":  # the squares of a macrocell file have another order
                self.assertEqual(pathlib.Path(out).read_text(), pathlib.Path(direct).read_text())
            self.assertEqual(self.hash(out, "-g", "0"), self.hash(direct, "-g", "0"))
            self.ok("convert", self.saved, out, "--window", window)
            self.ok("run", self.far, "-g", "4000", "-o", direct, "--window", window)
            self.assertEqual(pathlib.Path(out).read_text().splitlines()[-5:], pathlib.Path(direct).read_text().splitlines()[-5:])
        self.assertEqual(self.hash(self.saved, "-g", "88"), self.hash(self.far, "-g", "4088"))
        self.assertEqual(self.json("render", self.saved, "-o", self.file("a.pbm"), "--fit", "64")["population"], 10)
        self.assertEqual(self.json("identify", self.saved)["census"][0]["count"], 2)
        self.refused(2, "RLE or macrocell", "convert", self.saved, self.file("far.cells"))
        self.refused(1, "memory", "run", self.saved, "--size", str(2 * APART), "-g", "1", lines=0)

    def test_a_gun_continues_at_any_generation(self):
        expected = self.json("run", GUN, "-g", str(30 * 2**36))
        self.assertEqual(expected["population"], 36 + 5 * 2**36)
        for kernel in ([], ["--kernel", "hashlife"]):
            file = self.file("gun" + "".join(kernel))
            self.ok("run", GUN, "-g", str(30 * 2**30), "--checkpoint", file, *kernel)
            self.assertLess(os.path.getsize(file), 65536)
            result = self.json("run", file, "--resume", "-g", str(30 * 2**36), *kernel)
            self.assertEqual((result["population"], result["hash"]), (expected["population"], expected["hash"]))

    @unittest.skipUnless(os.path.exists(BREEDER), "Debian's golly-data is not installed")
    def test_a_breeder_continues(self):
        tree = self.file("breeder.mc")
        self.ok("convert", BREEDER, tree)
        for start in (BREEDER, tree):
            file = self.file(pathlib.Path(start).name + ".checkpoint")
            self.ok("run", start, "-g", "2^31", "--checkpoint", file)
            result = self.json("run", start, "-g", "2^32", "--checkpoint", file, "--resume")
            self.assertEqual(int(result["population"]), 24019201649947137)
            self.assertEqual(result["hash"], self.hash(start, "-g", "2^32", "--kernel", "hashlife"))
        self.refused(1, "the population exceeds 2^64: compute fewer generations", "run", BREEDER, "-g", "2^38", "--checkpoint", self.file("c"))

    def test_numbers_end_at_64_bits(self):
        self.refused(2, "with --checkpoint generations end at 2^63", "run", GUN, "-g", "2^1000", "--checkpoint", self.saved)

    def test_signals_save(self):
        process = self.start(self.far, "-g", "1e15", "--checkpoint", self.saved, "--every", "1h", "--json")
        wait_until(lambda: catches(process, signal.SIGUSR1))
        process.send_signal(signal.SIGUSR1)
        wait_until(lambda: os.path.exists(self.saved))
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("SIGUSR1: a checkpoint of generation", err)
        result, last, before = json.loads(out), self.json("info", self.saved), self.json("info", self.saved + ".previous")
        self.assertEqual(last["generation"], result["generation"])
        self.assertLess(before["generation"], last["generation"])
        self.assertEqual(last["checkpoint"]["hash"], result["hash"])
        self.assertEqual(self.hash(self.saved + ".previous", "-g", str(last["generation"] - before["generation"])), result["hash"])

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_killed_at_any_time_it_continues_exactly(self):
        seed = random.SystemRandom().randrange(1 << 32)
        chance, found = random.Random(seed), 0
        for trial in range(10):
            start, every, kernel = chance.choice(((self.far, 100_000, []), (self.far, 1000, ["--kernel", "cpu/tiles"]), (GUN, 30 * 2**22, ["--kernel", "hashlife"])))
            folder = pathlib.Path(self.file(f"{trial}"))
            folder.mkdir()
            file, about = str(folder / "a.checkpoint"), f"seed {seed}, trial {trial}"
            process = self.start(start, "-g", "1e15", "--checkpoint", file, "--every-generations", str(every), *kernel)
            if trial % 5:
                wait_until(lambda: os.path.exists(file))
            time.sleep(chance.uniform(0, 0.1))
            process.kill()
            process.wait()
            if not os.path.exists(file):
                continue
            found += 1
            saved = self.json("info", file)["generation"]
            begin = 12 if start == self.far else 0
            goal = saved - begin + chance.choice((0, 1000))
            result = self.json("run", file, "--resume", "-g", str(goal), "--every", "1h")
            expected = self.json("run", start, "-g", str(goal), *kernel)
            for key in ("generation", "population", "hash"):
                self.assertEqual(result[key], expected[key], about)
        self.assertGreater(found, 4)

    def test_a_damaged_checkpoint_is_replaced_by_the_one_before(self):
        self.ok("run", self.far, "-g", "600", "--checkpoint", self.saved, "--every-generations", "412")
        self.assertEqual(self.json("info", self.saved + ".previous")["generation"], 412)
        good = pathlib.Path(self.saved).read_bytes()
        for place in (50, 40 + good.index(b"}\n" if b"}\n" in good else b"} "), len(good) * 4 // 5, len(good) - 3):
            bad = bytearray(good)
            bad[place] ^= 4
            self.file("a.checkpoint", bytes(bad))
            self.refused(1, "the checkpoint is damaged", "info", self.saved)
        folder = pathlib.Path(shutil.copytree(self.folder, self.file("copy")))
        result = moorea("run", str(folder / "a.checkpoint"), "--resume", "-g", "900", "--json")
        self.assertIn(".previous", result.stderr)
        self.assertEqual(json.loads(result.stdout)["hash"], self.hash(self.far, "-g", "900"))


if __name__ == "__main__":
    unittest.main()
