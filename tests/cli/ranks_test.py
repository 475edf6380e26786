#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Worlds that are divided among processes, which mpirun starts on this machine."""
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from command_case import ACORN, Case, moorea
from programs import MOOREA
from rank_case import ENVIRONMENT, LIMIT, RankCase, launch

class Ranks(RankCase):
    def test_the_cells_are_those_of_one_process(self):
        chosen = random.Random(5)
        cases = 40 if os.environ.get("MOOREA_TEST_ALL") else 2
        for ranks in (1, 2, 3, 5):
            for _ in range(cases):
                rule = chosen.choice(["Life", "HighLife", "Anneal", "B08/S4", "B2/S"])
                size = f"{chosen.randint(1, 300)}x{chosen.randint(ranks, 250)}"
                world = ["run", "--random", str(chosen.choice([0.02, 0.4])), "--seed", str(chosen.randint(0, 99)), "--size", size, "-r", rule,
                         "--topology", chosen.choice(["torus", "plane"]), "-g", str(chosen.randint(1, 200))]
                if chosen.random() < 0.5:
                    shares = ",".join(str(chosen.randint(1, 9)) for _ in range(ranks))
                    division = ["--rank-shares", shares] if ranks > 1 else []
                else:
                    division = ["--threads", "1"]
                with self.subTest(ranks=ranks, world=world, division=division):
                    one, all_ = self.json(*world), self.ranked(ranks, *world, *division)
                    for key in ("hash", "population", "generation", "width", "height"):
                        self.assertEqual(all_[key], one[key], key)
                    if ranks > 1:
                        self.assertEqual(len(all_["ranks"]), ranks)
                        self.assertEqual(sum(rank["rows"] for rank in all_["ranks"]), one["height"])
                        self.assertEqual(len({rank["exchanges"] for rank in all_["ranks"]}), 1)
                        self.assertGreater(all_["ranks"][0]["bytes_sent"], 0)

    def test_files_are_those_of_one_process(self):
        one, two = self.file("one.pbm"), self.file("two.pbm")
        start = ["--random", "0.3", "--size", "203x151", "-r", "HighLife", "-g", "40"]
        self.ok("run", *start, "-o", one)
        self.ranked(3, "run", *start, "-o", two)
        self.assertEqual(self.bytes(two), self.bytes(one))
        self.assertFalse(os.path.exists(two + ".part"))
        # Goes on from there, by rows; in a larger world, too
        for more in ([], ["--size", "300x401", "--topology", "torus"]):
            after_one, after_two = self.file("after_one.rle"), self.file("after_two.rle")
            self.ok("run", one, "-g", "33", *more, "-o", after_one)
            self.ranked(5, "run", two, "-g", "33", *more, "-o", after_two)
            self.assertEqual(self.bytes(after_two), self.bytes(after_one))
        for name in ("c.rle", "c.pbm"):
            one, two = self.file("one_" + name), self.file("two_" + name)
            self.ok("run", ACORN, "--size", "64", "-g", "3", "-o", one)
            self.ranked(2, "run", ACORN, "--size", "64", "-g", "3", "-o", two)
            self.assertEqual(self.bytes(two), self.bytes(one))
        # A pattern that is no bitmap, and the populations on the way
        one_table, two_table = self.file("one.csv"), self.file("two.csv")
        world = ["run", ACORN, "--size", "100x90", "--topology", "torus", "-g", "300"]
        for more in ([], ["--changes"]):
            one, two = self.json(*world, "--populations", one_table, *more), self.ranked(2, *world, "--populations", two_table, *more)
            self.assertEqual(one["hash"], two["hash"])
            self.assertEqual(self.bytes(two_table), self.bytes(one_table))

    def bytes(self, path):
        with open(path, "rb") as file:
            return file.read()

    def test_conditions_are_for_one_process(self):
        """--until looks at the whole world, which no rank has; neither kind of condition is ignored."""
        for condition in ("settled", "population=0"):
            self.fails(2, "--until is for one process; --populations counts each generation", self.mpirun(2, "run", ACORN, "--size", "64", "--until", condition))

    def test_no_rank_has_the_whole_world(self):
        """Memory for a part, and not for the world."""
        world, output = ["run", "--random", "0.4", "--size", "16384", "-g", "2", "--threads", "1"], self.file("a.pbm")
        environment = dict(ENVIRONMENT, MOOREA_MEMORY="24M")
        self.refused(1, "MiB", *world, env=environment)
        result = subprocess.run(["mpirun", "-n", "4", MOOREA, *world, "-o", output, "--json"], env=environment, text=True, capture_output=True, timeout=LIMIT)
        self.assertEqual(result.returncode, 0, result.stderr)
        written = self.json("info", output)
        self.assertEqual((written["population"], written["width"]), (json.loads(result.stdout)["population"], 16384))
        # And reads it by parts
        result = subprocess.run(["mpirun", "-n", "4", MOOREA, "run", output, "-g", "1", "--json"], env=environment, text=True, capture_output=True, timeout=LIMIT)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["hash"], self.json(*world[:-4], "-g", "3")["hash"])

    def test_rank_0_prints(self):
        result = self.mpirun(2, "run", "--random", "0.4", "--size", "100x90", "-g", "10", "--explain")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("generation 10, population"), 1)
        self.assertIn("ranks   2 on 1 machine, 45 rows each", result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_quiet_keeps_errors(self):
        self.fails(1, "nofolder/x.rle: cannot create", self.mpirun(2, "run", "--random", "0.4", "--size", "200x100", "-g", "10", "-q", "-o", "nofolder/x.rle"))

    def test_one_message_for_an_error(self):
        world = ["run", "--random", "0.4", "-g", "10", "--size"]
        self.fails(2, "a world of 2 rows cannot be divided among 3 ranks: start at most 2", self.mpirun(3, *world, "100x2"))
        self.fails(2, "an unbounded plane cannot be divided among ranks: give the world a size", self.mpirun(2, "run", ACORN))
        self.fails(2, "moorea bench runs in one process, but 2 were started", self.mpirun(2, "bench", "--size", "64"))
        self.fails(2, "--rank-transport tcp: expected auto, mpi or nccl", self.mpirun(2, *world, "100", "--rank-transport", "tcp"))
        self.fails(4, "rows cannot pass between the ranks by NCCL: rank 0 does not compute on one CUDA device", self.mpirun(2, *world, "100", "--device", "cpu", "--rank-transport", "nccl"))
        self.fails(2, "--rank-shares \"1,x\": expected numbers above 0, one for each rank", self.mpirun(2, *world, "100", "--rank-shares", "1,x"))
        self.fails(2, "--dump is for one process: write a PBM with -o", self.mpirun(2, *world, "100", "--dump", self.file("%d.pbm")))
        self.fails(2, "standard input reaches rank 0 alone", self.mpirun(2, "run", "-"))
        self.fails(1, "cannot create", self.mpirun(2, *world, "100", "-o", "/nowhere/a.pbm"))

    def test_an_error_of_one_rank_ends_all(self):
        """Rank 2 alone has no such file."""
        pattern = self.file("acorn.rle", self.bytes(ACORN).decode())
        script = f'test $OMPI_COMM_WORLD_RANK = 2 && set -- run {pattern}.gone --size 300x300 -g 1M; exec {MOOREA} "$@"'
        result = subprocess.run(["mpirun", "-n", "4", "sh", "-c", script, "sh", "run", pattern, "--size", "300x300", "-g", "1M"],
                                env=ENVIRONMENT, text=True, capture_output=True, timeout=LIMIT)
        self.fails(1, "rank 2 on ", result)
        self.assertIn("acorn.rle.gone: cannot open: No such file or directory", result.stderr)

    def endless(self, *more, **options):
        """A run without end, which has computed its first generations."""
        table = pathlib.Path(self.file(f"endless{time.monotonic_ns()}.csv"))
        run = launch(3, "run", "--random", "0.4", "--size", "600x500", "-g", "1e15", "--threads", "1", "--populations", str(table), *more, **options)
        end = time.monotonic() + LIMIT
        while not (table.exists() and table.read_text().count("\n") > 2) and time.monotonic() < end:
            time.sleep(0.1)
        return run

    def test_a_rank_that_is_killed_ends_all(self):
        launcher, ranks = self.endless(seconds_to_end=0)
        os.kill(ranks[1], signal.SIGKILL)
        _, errors = launcher.communicate(timeout=LIMIT)
        self.assertNotEqual(launcher.returncode, 0)
        self.assertIn("Killed", errors)
        self.gone(ranks)

    def test_a_rank_that_hangs_is_named(self):
        runs = []
        for victim in (1, 0):  # the second run starts while the ranks of the first one wait
            launcher, ranks = self.endless("--rank-timeout", "1", seconds_to_end=0)
            os.kill(ranks[victim], signal.SIGSTOP)
            runs.append((victim, launcher, ranks))
        for victim, launcher, ranks in runs:
            _, errors = launcher.communicate(timeout=LIMIT)
            self.assertEqual(launcher.returncode, 1, errors)
            self.assertRegex(errors, rf"moorea: rank {victim} on \S+ has not answered for \d+ s: it hangs")
            self.assertEqual(errors.count("moorea: "), 1, errors)
            self.gone(ranks)

    def test_a_signal_reaches_all(self):
        """mpirun passes SIGINT and SIGTERM on as SIGTERM, and kills later."""
        runs = []
        for number in (signal.SIGINT, signal.SIGTERM):  # the second run starts while the launcher of the first one sleeps
            output = self.file(f"{number}.pbm")
            launcher, ranks = self.endless("-o", output, "--json", seconds_to_end=4)
            launcher.send_signal(number)
            runs.append((output, launcher, ranks))
        for output, launcher, ranks in runs:
            printed, errors = launcher.communicate(timeout=LIMIT)
            self.assertNotEqual(launcher.returncode, 0)
            self.assertEqual(errors.count("moorea: interrupted at generation"), 1, errors)
            result = json.loads(printed)
            self.assertTrue(result["interrupted"])
            self.assertEqual(self.json("info", output)["population"], result["population"])
            self.gone(ranks)


class WithoutMpi(Case):
    def test_processes_that_know_nothing_of_each_other_are_refused(self):
        result = moorea("run", "--random", "0.5", "--size", "64", env=dict(os.environ, OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0"))
        if "this build has no MPI" in moorea("info").stdout:
            self.assertEqual(result.returncode, 4)
            self.assertIn("this build has no MPI (MOOREA_MPI): start it as one process, or build it with -DMOOREA_MPI=ON", result.stderr)


if __name__ == "__main__":
    unittest.main()
