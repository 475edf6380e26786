#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea run --until: published generations, files that are written on the way, conditions that are not fulfilled."""
import json
import pathlib
import signal
import subprocess
import time
import unittest

from command_case import ACORN, Case, GLIDER, MOOREA, catches, moorea, output_after, wait_until

PATTERNS = pathlib.Path(ACORN).parent
BLINKER = "x = 3, y = 1, rule = B3/S23\n3o!\n"


def pattern(name):
    return str(PATTERNS / f"{name}.rle")


class Until(Case):
    def until(self, condition, *arguments):
        """The report of a run that fulfils the condition, with its key "until"."""
        report = self.json("run", *arguments, "--until", condition)
        self.assertTrue(report["until"]["fulfilled"])
        self.assertEqual(report["until"]["generation"], report["generation"])
        self.assertEqual(report["until"]["condition"], condition)
        return report

    def test_lifespans_are_the_published_ones(self):
        """LifeWiki: R-pentomino, Acorn, Die hard; populations with the gliders that escape."""
        for name, generation, population, period in (("r-pentomino", 1103, 116, 2), ("acorn", 5206, 633, 2), ("diehard", 130, 0, 1), ("pulsar", 0, 48, 3)):
            report = self.until("settled", pattern(name))
            self.assertEqual((report["generation"], report["population"], report["until"]["period"]), (generation, population, period), name)
        self.assertEqual(self.until("settled", pattern("pentadecathlon"))["until"]["period"], 15)
        self.assertIn("until   settled: generation 1103, period 2\n", self.ok("run", pattern("r-pentomino"), "--until", "settled").stdout)

    def test_periods_are_of_the_whole_world(self):
        glider = self.file("glider.rle", GLIDER)
        for side in (16, 50):
            report = self.until("period", glider, "--size", str(side), "--topology", "torus")
            self.assertEqual((report["generation"], report["until"]["period"]), (0, 4 * side))
        alone = self.until("period", glider)["until"]
        self.assertEqual((alone["period"], alone["displacement"]), (4, [1, 1]))
        # In a bounded world settled is the same; a pulsar has period 3
        for condition in ("settled", "period"):
            self.assertEqual(self.until(condition, pattern("pulsar"), "--size", "40")["until"]["period"], 3)
        # Gliders leave the ash of the r-pentomino for ever
        report = json.loads(self.refused_with_result("period", pattern("r-pentomino"), "-g", "2000"))
        self.assertEqual((report["until"]["fulfilled"], report["generation"]), (False, 2000))

    def refused_with_result(self, condition, *arguments):
        result = moorea("run", *arguments, "--until", condition, "--json")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def test_populations_and_boxes_end_at_the_first_generation(self):
        for kernel in ([], ["--kernel", "hashlife"], ["--kernel", "cpu/reference"], ["--size", "200"]):
            self.assertEqual(self.until("population=0", pattern("diehard"), *kernel)["generation"], 130, kernel)
            self.assertEqual(self.until("population 7", pattern("diehard"), *kernel)["generation"], 0, kernel)
        table = self.ok("run", pattern("acorn"), "-g", "300", "--populations", "-").stdout.splitlines()[1:]
        populations = [int(line.split(",")[1]) for line in table]
        self.assertEqual(self.until("population=100", pattern("acorn"))["generation"], populations.index(100))
        for sign, holds in ((">", int.__gt__), (">=", int.__ge__), ("<", int.__lt__), ("<=", int.__le__)):
            for number in (100, 7, 1000):
                first = next((g for g, population in enumerate(populations) if holds(population, number)), None)
                for kernel in ([], ["--kernel", "hashlife"]):
                    if first is not None:
                        self.assertEqual(self.until(f"population{sign}{number}", pattern("acorn"), *kernel)["generation"], first, (sign, number))
        for kernel in ([], ["--kernel", "hashlife"]):
            # Each generation's box, until one is that large
            wide = self.until("box=60x40", pattern("acorn"), *kernel)
            for back in (0, 1, 2):
                generation = wide["generation"] - back
                out = self.file("out.rle")
                self.ok("run", pattern("acorn"), "-g", str(generation), "-o", out)
                info = self.json("info", out)
                self.assertEqual(info["width"] >= 60 and info["height"] >= 40, back == 0, (generation, info))
            # At the speed of light on all sides: 2g + 1 cells after g generations
            dot = self.file("dot.rle", "x = 1, y = 1, rule = B1/S0\no!\n")
            self.assertEqual([self.until(f"box={side}x{side}", dot, *kernel)["generation"] for side in (1, 100, 101, 102)], [0, 50, 50, 51])
        # Cells of a wide neighbourhood move by its radius in a generation
        wide = self.file("wide.rle", "x = 1, y = 1, rule = R3,C2,S,B1-48,NM\no!\n")
        self.assertEqual([self.until(f"box={side}x{side}", wide)["generation"] for side in (1, 7, 8, 13, 30)], [0, 1, 2, 2, 5])
        # At c/4, a trail of gliders is 10^9 cells wide after four times as many generations
        far = self.until("box 1e9 1", pattern("gosper-glider-gun"), "-g", "2^200", "--kernel", "hashlife")
        self.assertAlmostEqual(far["generation"] / 4e9, 1, places=4)

    def test_what_a_run_writes_ends_there(self):
        out, frames, table = self.file("out.rle"), self.folder / "frames", self.file("table.csv")
        frames.mkdir()
        for condition in ("population=0", "settled"):
            self.until(condition, pattern("diehard"), "--size", "100", "-o", out, "--populations", table, "--dump", str(frames / "%d.pbm"), "--every", "65")
            self.assertEqual(self.json("info", out)["generation"], 130)
            self.assertEqual(sorted(file.name for file in frames.iterdir()), ["0.pbm", "130.pbm", "65.pbm"])
            lines = pathlib.Path(table).read_text().splitlines()
            self.assertEqual((len(lines), lines[-1]), (132, "130,0"))

    def test_resumes(self):
        whole = self.until("settled", pattern("r-pentomino"))
        for condition in ("settled", "population=116"):
            checkpoint = self.file(f"{condition}.checkpoint")
            command = ["run", pattern("r-pentomino"), "--until", condition, "--checkpoint", checkpoint]
            result = moorea(*command, "-g", "500")
            self.assertEqual(result.returncode, 3, result.stderr)
            report = self.json(*command, "--resume")
            self.assertTrue(report["until"]["fulfilled"])
            self.assertEqual(report["generation"], self.until(condition, pattern("r-pentomino"))["generation"])
            # It has been reached, and stays
            self.assertEqual(self.json(*command, "--resume")["hash"], report["hash"])
        self.assertEqual(whole["generation"], 1103)

    def test_counts_from_the_file(self):
        later = self.file("later.rle")
        self.ok("run", pattern("r-pentomino"), "-g", "600", "-o", later)
        self.assertEqual(self.until("settled", later, "-g", "503")["generation"], 1103)
        report = json.loads(self.refused_with_result("settled", later, "-g", "502"))
        self.assertEqual(report["generation"], 1102)

    def test_says_that_a_condition_is_not_fulfilled(self):
        report = json.loads(self.refused_with_result("settled", pattern("gosper-glider-gun"), "-g", "500"))
        self.assertEqual((report["generation"], report["until"]["fulfilled"]), (500, False))
        result = moorea("run", pattern("acorn"), "-g", "10", "--until", "population=0")
        self.assertEqual(result.returncode, 3)
        self.assertIn("until   population=0: not by generation 10\n", result.stdout)
        # None can be born any more: the end, without a visit of each generation
        blinker = self.file("blinker.rle", BLINKER)
        for kernel in ([], ["--kernel", "hashlife"]):
            result = moorea("run", blinker, "-r", "B/S", "-g", "1e18", "--until", "population=1", "--json", *kernel)
            self.assertEqual((result.returncode, json.loads(result.stdout)["until"]["fulfilled"]), (3, False))

    def test_ctrl_c_ends_search_and_run(self):
        out = self.file("out.rle")
        for condition in ("period", "population=1"):
            # Thousands of generations of noise, of which each is computed alone or counted
            run = subprocess.Popen([MOOREA, "run", "--random", "0.5", "--size", "4096", "-g", "1e9", "--until", condition, "--json", "-o", out],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            wait_until(lambda: catches(run, signal.SIGINT))
            time.sleep(1)
            output, said = output_after(run, signal.SIGINT, 300)
            self.assertEqual(run.returncode, 130, said)
            report = json.loads(output)
            self.assertEqual((report["interrupted"], report["until"]["fulfilled"]), (True, False))
            self.assertEqual(self.json("info", out)["generation"], report["generation"])
            self.assertEqual(report["generation"] == 0, condition == "period")

    def test_ends_in_time_where_numbers_are_large(self):
        """Of a plane that becomes a tree each generation is looked at, too."""
        of_limited, of_interrupted = self.file("limited.rle"), self.file("interrupted.rle")
        command = [MOOREA, "run", pattern("gosper-glider-gun"), "--until", "population>1000000000", "-g", "2^70", "--json", "-o"]
        limited = subprocess.run([*command, of_limited, "--time-limit", "4s"], capture_output=True, text=True, timeout=300)
        self.assertEqual(limited.returncode, 124, limited.stderr)
        run = subprocess.Popen([*command, of_interrupted], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: catches(run, signal.SIGINT))
        time.sleep(1)
        output, said = output_after(run, signal.SIGINT, 300)
        self.assertEqual(run.returncode, 130, said)
        for text, out in ((limited.stdout, of_limited), (output, of_interrupted)):
            report = json.loads(text)
            self.assertGreater(report["generation"], 100)
            self.assertEqual(self.json("info", out)["generation"], report["generation"])

    def test_refuses(self):
        for condition in ("x", "population", "population=", "population=-1", "population>", "population>=", "population==5", "population<-1", "box>5", "box=", "box=0x1", "box=a", "settled=1"):
            self.refused(2, "", "run", ACORN, f"--until={condition}")
        self.refused(2, "settled, period, population=N, in quotes \"population>N\" (or >=, <, <=), or box=WxH", "run", ACORN, "--until", "died")
        self.refused(2, "no bounding box", "run", "--mesh", "torus:8x8", "--random", "0.3", "--until", "box=2x2")
        for kernel in ([], ["--kernel", "hashlife"]):
            self.refused(2, "--size makes a bounded one", "run", ACORN, "-r", "B03/S23", "--until", "population=0", *kernel)


if __name__ == "__main__":
    unittest.main()
