#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checkpoints and receipts of runs that are divided among processes: one file, continued by any number of them, exactly, also after kills."""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import shard
from command_case import ACORN, GLIDER, SANITIZED, TAKES_LONG, moorea
from programs import MOOREA
from rank_case import ENVIRONMENT, LIMIT, RankCase, launch

SOUP = ["--random", "0.4", "--size", "512x500", "-r", "B2/S"]  # never settles
NO_CHECKPOINTS = "no zstd" in moorea("run", ACORN, "-g", "1", "--checkpoint", "/dev/null/x").stderr


def wait_until(condition):
    for _ in range(100 * LIMIT):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("waited in vain")


@unittest.skipIf(NO_CHECKPOINTS, "this build has no zstd")
class RankCheckpoints(RankCase):
    def hash(self, *arguments):
        return self.json("run", *arguments)["hash"]

    def endless(self, file, *more, **options):
        launcher, ranks = launch(3, "run", *SOUP, "-g", "1e9", "--threads", "1", "--checkpoint", file, "--resume", *more, **options)
        self.addCleanup(self.gone, ranks)  # without a launcher they go on writing for a moment
        self.addCleanup(launcher.communicate)
        self.addCleanup(launcher.kill)
        return launcher, ranks

    def saves(self, launcher, ranks, file):
        """Asks one rank for a checkpoint, and waits for it."""
        wait_until(lambda: catches(ranks[1], signal.SIGUSR1))
        os.kill(ranks[1], signal.SIGUSR1)
        wait_until(lambda: os.path.exists(file) or launcher.poll() is not None)

    def ends(self, launcher, code):
        out, err = launcher.communicate(timeout=LIMIT)
        self.assertEqual(launcher.returncode, code, err)
        return out, err

    def test_a_run_continues_on_any_number_of_ranks(self):
        expected = self.hash(*SOUP, "-g", "700")
        file = self.file("a.checkpoint")
        saved = self.ranked(4, "run", *SOUP, "-g", "300", "--checkpoint", file, "--every-generations", "100", "--rank-shares", "1,5,2,3")["checkpoints"]
        self.assertEqual((saved["written"], saved["failed"], saved["generation"], saved["bytes"]), (3, 0, 300, os.path.getsize(file)))
        self.assertEqual(saved["copy_bytes"], 512 * 500 // 8)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.checkpoint", "a.checkpoint.previous"])
        content = pathlib.Path(file).read_bytes()
        for ranks in (0, 1, 3, 5):
            copy = self.file("copy.checkpoint", content)
            command = ["run", copy, "--resume", "-g", "700", "--every", "1h"]
            result = self.ranked(ranks, *command) if ranks else self.json(*command, "--device", "cpu,cpu")
            self.assertEqual((result["hash"], result["generation"], result["checkpoints"]["written"]), (expected, 700, 1), ranks)
            self.assertEqual(self.json("info", copy)["checkpoint"]["hash"], expected, ranks)
        # What one process saved, as a pattern without --resume
        self.assertEqual(self.ranked(2, "run", self.file("copy.checkpoint"), "-g", "9")["hash"], self.hash(*SOUP, "-g", "709"))

    def test_commands_read_the_file(self):
        file, one = self.file("a.checkpoint"), self.file("one.checkpoint")
        start = ["--random", "0.3", "--size", "300x200", "-r", "HighLife", "--topology", "plane", "-g", "100"]
        self.ranked(3, "run", *start, "--checkpoint", file)
        self.ok("run", *start, "--checkpoint", one)
        about = self.json("info", file)
        self.assertEqual((about["format"], about["generation"], about["population"]), ("checkpoint", 100, self.json("info", one)["population"]))
        for name in ("x.rle", "x.pbm"):
            written = []
            for source in (file, one):
                self.ok("convert" if name == "x.rle" else "render", source, *(["-o"] if name == "x.pbm" else []), self.file(name))
                written.append(pathlib.Path(self.file(name)).read_bytes())
            self.assertEqual(*written)
        self.assertIn("generation 120", self.ok("view", file, "-g", "20").stdout)

    def test_the_same_command_begins_and_continues(self):
        file, pattern = self.file("a.checkpoint"), self.file("p.pbm")
        self.ok("run", *SOUP, "-g", "20", "-o", pattern)
        command = [pattern, "--checkpoint", file, "--resume"]
        first = self.ranked(3, "run", *command, "-g", "30")
        second = self.ranked(2, "run", *command, "-g", "50")
        self.assertEqual((first["generation"], second["generation"]), (50, 70))
        self.assertEqual(second["hash"], self.hash(*SOUP, "-g", "70"))
        self.fails(2, "the file exists", self.mpirun(2, "run", pattern, "--checkpoint", file))
        self.fails(2, "is the checkpoint of another run", self.mpirun(2, "run", *SOUP, "--checkpoint", file, "--resume"))
        self.ok("run", *SOUP, "-g", "21", "-o", pattern)
        self.fails(2, "p.pbm has changed since the run in", self.mpirun(3, "run", *command, "-g", "50"))

    def test_a_damaged_checkpoint_is_replaced_by_the_one_before(self):
        file = self.file("a.checkpoint")
        self.ranked(2, "run", *SOUP, "-g", "60", "--checkpoint", file, "--every-generations", "40")
        content = bytearray(pathlib.Path(file).read_bytes())
        content[-200] ^= 4  # in rows of the last rank
        pathlib.Path(file).write_bytes(content)
        result = self.mpirun(3, "run", file, "--resume", "-g", "90", "--json")
        self.assertRegex(result.stderr, r"the checkpoint is damaged, in \S+ \d+ .*; the run continues from \S+\.previous\n$")
        self.assertEqual(json.loads(result.stdout)["hash"], self.hash(*SOUP, "-g", "90"))
        pathlib.Path(file).write_bytes(content)
        os.remove(file + ".previous")
        self.fails(1, "the checkpoint is damaged", self.mpirun(2, "run", file, "--resume", "-g", "90"))

    def test_an_error_of_one_rank_ends_all(self):
        """The file before stays as it was."""
        file = self.file("a.checkpoint")
        for victim, named in ((2, r"moorea: rank 2 on \S+: "), (0, "moorea: rank 0: ")):
            launcher, ranks = self.endless(file, "--every", "0.2s", seconds_to_end=0)
            wait_until(lambda: os.path.exists(file))
            resource.prlimit(ranks[victim], resource.RLIMIT_FSIZE, (1000, 1000))
            _, err = self.ends(launcher, 1)
            self.assertRegex(err, named + f"{file}: cannot write the checkpoint: File too large\n")
            self.assertEqual(err.count("moorea: "), 1, err)
            self.assertLessEqual(set(os.listdir(self.folder)), {"a.checkpoint", "a.checkpoint.previous"})
            saved = self.json("info", file)["generation"]
            self.assertEqual(self.hash(file, "--resume", "-g", str(saved + 5)), self.hash(*SOUP, "-g", str(saved + 5)))
        self.fails(1, "cannot create", self.mpirun(2, "run", *SOUP, "--checkpoint", self.file("no/folder")))

    @unittest.skipUnless(shutil.which("unshare"), "needs unshare")
    def test_a_disk_without_space_keeps_the_last_checkpoint(self):
        disk, run = pathlib.Path(self.file("disk")), f"mpirun -n 3 {MOOREA} run --random 0.5 --size 1024 -r B2/S --checkpoint a.checkpoint --resume"
        disk.mkdir()
        script = (f"mount -t tmpfs -o size=200k none {disk} || exit 77; cd {disk}; {run} -g 100 || exit 78; {run} -g 600 --every-generations 100; code=$?; ls; "
                  f"cp a.checkpoint {self.folder}/a.checkpoint; exit $code")
        result = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script], env=ENVIRONMENT, capture_output=True, text=True)
        if result.returncode == 77 or "unshare" in result.stderr:
            self.skipTest("this system mounts no disk for a test: " + result.stderr)
        self.assertRegex(result.stderr, r"moorea: rank \d.*: a.checkpoint: cannot write the checkpoint: No space left on device")
        self.assertNotIn("partial", result.stdout)
        self.assertEqual(result.returncode, 1, result.stderr)
        saved = self.file("a.checkpoint")
        self.assertLess(self.json("info", saved)["generation"], 600)
        self.assertEqual(self.hash(saved, "--resume", "-g", "600"), self.hash("--random", "0.5", "--size", "1024", "-r", "B2/S", "-g", "600"))

    def test_two_runs_do_not_share_a_checkpoint(self):
        file = self.file("a.checkpoint")
        launcher, ranks = self.endless(file, "--every-generations", "500")
        wait_until(lambda: os.path.exists(file))
        self.fails(1, "another run saves to this checkpoint", self.mpirun(2, "run", file, "--resume"))
        self.refused(1, "another run saves to this checkpoint", "run", file, "--resume")
        self.assertIsNone(launcher.poll())

    def test_signals_save(self):
        """Sent to one rank, as schedulers send them to all; the launcher has its own ways."""
        file = self.file("a.checkpoint")
        for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
            launcher, ranks = self.endless(file, "--every", "1h", "--json", seconds_to_end=0)
            if number == signal.SIGTERM:
                self.saves(launcher, ranks, file)
                self.assertIsNone(launcher.poll())
            wait_until(lambda: catches(ranks[2], signal.SIGUSR1))
            os.kill(ranks[2], number)
            out, err = self.ends(launcher, code)
            result = json.loads(out)
            self.assertEqual(err.count("SIGUSR1: a checkpoint of generation"), int(number == signal.SIGTERM), err)
            self.assertIn(f"interrupted at generation {result['generation']}; checkpoint of generation {result['generation']} in {file}, --resume continues", err)
            self.assertEqual(self.json("info", file)["checkpoint"]["hash"], result["hash"])
            self.assertEqual(self.hash(*SOUP, "-g", str(result["generation"])), result["hash"])
        self.assertFalse(os.path.exists(file + ".lock"))
        launcher, ranks = self.endless(file, "--every", "1h", seconds_to_end=4)
        wait_until(lambda: os.path.exists(file + ".lock"))
        launcher.terminate()
        _, err = launcher.communicate(timeout=LIMIT)
        self.assertRegex(err, r"moorea: interrupted at generation \d+; checkpoint of generation \d+ in ")
        self.ok("info", file)

    def test_a_receipt_is_replayed_in_one_process(self):
        file, checkpoint = self.file("r.json"), self.file("a.checkpoint")
        self.ranked(3, "run", *SOUP, "-g", "100", "--receipt", file, "--rank-shares", "2,1,1")
        whole = json.loads(pathlib.Path(file).read_text())
        self.assertEqual([entry["generation"] for entry in whole["hashes"]], [1, 2, 4, 8, 16, 32, 64, 100])
        self.assertEqual([(rank["device"], rank["y"], rank["rows"]) for rank in whole["ranks"]], [("cpu", 0, 250), ("cpu", 250, 125), ("cpu", 375, 125)])
        self.assertTrue(all(rank["hardware"] and rank["host"] and rank["kernel"] for rank in whole["ranks"]))
        result = self.json("replay", file)
        self.assertEqual((result["same"], result["compared"]), (True, 8))
        # In pieces, the last of them in one process: the same receipt
        command = ["run", *SOUP, "--checkpoint", checkpoint, "--resume", "--receipt", file]
        self.ranked(2, *command, "-g", "40")
        self.ok(*command, "-g", "100")
        self.assertEqual(json.loads(pathlib.Path(file).read_text())["hashes"], whole["hashes"])
        # A small pattern is in the receipt, whose output may be standard output
        pattern = self.file("g.rle", GLIDER)
        result = self.mpirun(2, "run", pattern, "--size", "40", "-g", "9", "--receipt", "-")
        self.file("g.json", result.stdout)
        os.remove(pattern)
        self.assertIn("up to generation 9", self.ok("replay", self.file("g.json")).stdout)
        self.fails(2, "--receipt - wants standard output for itself", self.mpirun(2, "run", *SOUP, "--receipt", "-", "--json"))

    def test_no_rank_has_the_whole_world(self):
        file, world = self.file("a.checkpoint"), ["--random", "0.4", "--size", "16384", "--threads", "1"]
        environment = dict(ENVIRONMENT, MOOREA_MEMORY="24M")
        for command in (["run", *world, "-g", "2", "--checkpoint", file], ["run", file, "--resume", "-g", "3"]):
            result = subprocess.run(["mpirun", "-n", "4", MOOREA, *command, "--json"], env=environment, text=True, capture_output=True, timeout=LIMIT)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.refused(1, "MiB", "run", file, "--resume", "-g", "4", env=environment)
        self.assertEqual(json.loads(result.stdout)["hash"], self.hash(*world[:-2], "-g", "3"))

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_killed_at_any_time_it_continues_exactly(self):
        """One rank, or all: at most one interval is lost, and the write that the kill fell into; no partial file has the final name."""
        seed = random.SystemRandom().randrange(1 << 32)
        kills, goal = 300 if os.environ.get("MOOREA_TEST_ALL") else 9, 3000
        expected = self.hash(*SOUP, "-g", str(goal))
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            found = list(pool.map(lambda trial: self.killed(random.Random(seed + trial), goal, expected, f"seed {seed}, trial {trial}"), range(kills)))
        self.assertGreater(sum(found), kills // 2)

    def killed(self, chance, goal, expected, about):
        """Returns whether there was a checkpoint to continue from."""
        folder = pathlib.Path(self.file(about))
        folder.mkdir()
        file, table, every = str(folder / "a.checkpoint"), folder / "t.csv", chance.choice((40, 200, 1000))
        launcher, ranks = launch(chance.choice((2, 3, 4)), "run", *SOUP, "-g", "1e9", "--threads", "1", "--checkpoint", file, "--every-generations", str(every),
                                 "--populations", str(table))
        # The launcher of Open MPI 4.1.4 may wait for ever if ranks are killed while MPI starts: rank 0 locks the checkpoint after that. Some are
        # killed before or while the first one is written
        begun = file if chance.random() < 0.85 else file + ".lock"
        wait_until(lambda: os.path.exists(begun))
        time.sleep(chance.uniform(1, 1.5) if chance.random() < 0.2 else chance.uniform(0, 0.2))
        victims = list(ranks.values()) if chance.random() < 0.4 else [chance.choice(list(ranks.values()))]
        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        _, err = launcher.communicate(timeout=LIMIT)
        self.assertNotEqual(launcher.returncode, 0, about + err)
        self.gone(ranks)
        lines = table.read_text().splitlines() if table.exists() else []
        reached = int(re.match(r"\d+", lines[-1])[0]) if len(lines) > 1 else 0
        for name in (file, file + ".previous"):
            if os.path.exists(name):
                self.assertEqual(moorea("info", name).returncode, 0, about)
        if not os.path.exists(file):
            return False
        saved = self.json("info", file)["generation"]
        self.assertGreaterEqual(saved, reached - 2 * every, about)
        end, resumed = max(goal, saved + 1), chance.choice((0, 0, 2, 3, 5))
        command = ["run", file, "--resume", "-g", str(end), "--every", "1h"]
        result = self.ranked(resumed, *command) if resumed else self.json(*command)
        self.assertEqual(result["hash"], expected if end == goal else self.hash(*SOUP, "-g", str(end)), about)
        shutil.rmtree(folder)
        return True


def catches(process, number):
    """Whether the process has a handler for the signal."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
    return int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16) >> (number - 1) & 1


if __name__ == "__main__":
    shard.main()
