#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea run --checkpoint and --resume: exact continuation after signals, kills and full disks, and checkpoints as patterns."""
import functools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

import shard
from command_case import ACORN, catches, Case, GLIDER, LARGE_FILES_OF_TSAN, SANITIZED, TAKES_LONG, limit_files, moorea, wait_until
from programs import MOOREA

SOUP = ["--random", "0.4", "--size", "512", "-r", "B2/S"]  # never settles
NO_CHECKPOINTS = "no zstd" in moorea("run", ACORN, "-g", "1", "--checkpoint", "/dev/null/x").stderr


@unittest.skipIf(NO_CHECKPOINTS, "this build has no zstd")
class Checkpoints(Case):
    def hash(self, *arguments):
        return self.json("run", *arguments)["hash"]

    def start(self, *arguments):
        process = subprocess.Popen([MOOREA, "run", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_a_run_continues_on_any_number_of_parts(self):
        expected = self.hash(*SOUP, "-g", "700")
        file = self.file("a.checkpoint")
        saved = self.json("run", *SOUP, "-g", "300", "--checkpoint", file, "--device", "cpu,cpu,cpu,cpu")
        self.assertEqual((saved["checkpoints"]["written"], saved["checkpoints"]["generation"]), (1, 300))
        for device in ("cpu", "cpu,cpu,cpu", "cpu,cpu"):
            copy = self.file("copy.checkpoint", pathlib.Path(file).read_bytes())
            result = self.json("run", copy, "--resume", "-g", "700", "--device", device)
            self.assertEqual((result["hash"], result["generation"]), (expected, 700), device)

    def test_each_kernel_continues(self):
        file = self.file("a.checkpoint")
        expected = self.hash("--random", "0.4", "--size", "128x96", "-g", "40")
        self.ok("run", "--random", "0.4", "--size", "128x96", "-g", "24", "--checkpoint", file)
        content = pathlib.Path(file).read_bytes()
        kernels = [k["name"] for k in json.loads(self.ok("kernels", "--json").stdout)["kernels"] if k["runs"] and k["name"].startswith("cpu/")]
        kernels = [name for name in kernels if "/mesh/" not in name]
        self.assertGreater(len(kernels), 5)
        for kernel in kernels:
            copy = self.file("copy.checkpoint", content)
            self.assertEqual(self.hash(copy, "--resume", "-g", "40", "--kernel", kernel), expected, kernel)

    def test_the_same_command_begins_and_continues(self):
        file = self.file("a.checkpoint")
        command = ["run", *SOUP, "-g", "400", "--checkpoint", file, "--resume", "--json"]
        first = json.loads(self.ok(*command).stdout)
        second = json.loads(self.ok(*command).stdout)
        self.assertEqual((first["generation"], first["hash"]), (second["generation"], second["hash"]))
        self.assertEqual(second["checkpoints"]["written"], 0)  # nothing was new
        self.assertEqual(self.json("run", file, "--resume")["generation"], 400)
        self.assertEqual(self.json("run", file, "--resume", "-g", "500")["generation"], 500)
        # Without --resume it is a start like any pattern
        self.assertEqual(self.json("run", file, "-g", "7")["generation"], 507)
        self.refused(2, "the checkpoint of another run", *command, "--seed", "8")
        self.refused(2, "the file exists; --resume continues from it", "run", *SOUP, "--checkpoint", file)
        os.rename(file, file + ".previous")
        self.refused(2, f"--checkpoint {file}: {file}.previous exists", "run", *SOUP, "--checkpoint", file)
        os.rename(file + ".previous", file)
        notes = self.file("notes.txt", "hello\n")
        self.refused(2, "the file exists, and is not a checkpoint; name another one", "run", *SOUP, "--checkpoint", notes)
        self.assertEqual(pathlib.Path(notes).read_text(), "hello\n")
        self.refused(2, "leave the options of rule", "run", file, "--resume", "--rule", "HighLife")
        self.refused(2, "leave the options of rule", "run", file, "--resume", "--seed", "7")

    def test_the_table_of_populations_goes_on(self):
        file, whole = self.file("a.checkpoint"), self.file("whole.csv")
        for more in ([], ["--changes"]):
            for each in self.folder.glob("a.checkpoint*"):
                each.unlink()
            table = pathlib.Path(self.file(f"{len(more)}.csv"))
            run = ["run", *SOUP, "--checkpoint", file, "--resume", "--populations", str(table), *more]
            self.ok("run", *SOUP, "-g", "300", "--populations", whole, *more)
            expected = pathlib.Path(whole).read_text()
            # The same command, with more generations: begun, continued, complete, and continued after a crash, with rows after the checkpoint
            # and one that was being written
            for generations in ("100", "200", "200", "300"):
                self.ok(*run, "-g", generations)
                self.assertEqual(table.read_text().splitlines(), expected.splitlines()[:int(generations) + 2])
                with open(table, "a") as later:
                    later.write("".join(f"{number},5{',1' if more else ''}\n" for number in range(int(generations) + 1, 500)) + "500,")
            self.ok(*run, "-g", "300")
            self.assertEqual(table.read_text(), expected)
            # Rows that were lost are said, no table is there, and what cannot be continued stays
            table.write_text("".join(expected.splitlines(True)[:292]))
            result = self.ok(*run, "-g", "302")
            self.assertIn(f"{table}: generations 291 to 299 are missing", result.stderr)
            self.assertEqual([line.split(",")[0] for line in table.read_text().splitlines()[291:]], ["290", "300", "301", "302"])
            table.unlink()
            self.ok(*run, "-g", "303")
            self.assertEqual([line.split(",")[0] for line in table.read_text().splitlines()], ["generation", "302", "303"])
            for broken, message in (("generation,something\n", "no table of its populations"), ("notes", "no table of its populations"), (expected.splitlines()[0] + "\n303,1,\n", "name another file"),
                                    (expected.splitlines()[0] + "\nx,1\n", "is no row of populations")):
                table.write_text(broken)
                self.refused(1, message, *run, "-g", "310")
                self.assertEqual(table.read_text(), broken)
        self.ok(*run[:-3], "--populations", self.file("new.csv.gz"), "-g", "304")
        self.refused(2, "a compressed table cannot be continued", *run[:-3], "--populations", self.file("new.csv.gz"), "-g", "305")

    def test_a_start_is_compared_by_its_world_and_cells(self):
        file = self.file("a.checkpoint")
        more = ["--checkpoint", file, "--resume"]
        self.ok("run", "--random", "0.5", "--size", "64", "-g", "9", *more)
        for same in (["--random", ".5", "--size", "64x64", "-r", "Life"], ["--random", "0.50", "--size", "64", "--topology", "torus", "--seed", "00"]):
            self.assertIn("the run ended at generation 9; -g counts from its start", self.ok("run", *same, "-g", "9", *more).stderr)
        other = self.refused(2, "moorea run --size 64 --random 0.5 --seed 0:", "run", "--random", "0.5", "--size", "65", *more)
        self.assertIn("the checkpoint of another run", other.stderr)
        self.refused(2, "the checkpoint of another run", "run", ACORN, *more)
        for world in ([], ["--size", "30x20"], ["--size", "100", "--topology", "torus", "--centre"]):
            pattern, more[1] = self.file("p.rle", GLIDER), self.file("b.checkpoint" + "-".join(world))
            self.ok("run", pattern, *world, "-g", "9", *more)
            self.ok("run", "./p.rle", *world, "-g", "12", *more, cwd=self.folder)
            self.ok("run", "-", *world, "-g", "12", *more, stdin=GLIDER)
            self.refused(2, "another run", "run", "-", *world, "-g", "12", *more, stdin=GLIDER.replace("3o", "2o"))
            self.file("p.rle", GLIDER.replace("3o", "2o"))
            self.refused(2, "p.rle has changed since the run in", "run", pattern, *world, "-g", "12", *more)

    def test_a_checkpoint_of_another_run_does_not_replace_the_one_named(self):
        one, other = self.file("one"), self.file("other")
        self.ok("run", *SOUP, "-g", "9", "--checkpoint", one)
        self.ok("run", *SOUP, "--seed", "3", "-g", "9", "--checkpoint", other)
        self.refused(2, "is the checkpoint of another run", "run", one, "--resume", "--checkpoint", other)
        for name, command in (("continued", ["run", one, "--resume", "-g", "20"]), ("begun", ["run", one, "-g", "20"])):
            self.ok(*command, "--checkpoint", self.file(name))
            self.ok("run", one, "--resume", "-g", "40", "--checkpoint", self.file(name))

    def test_what_cannot_be_continued_is_said(self):
        self.refused(1, "there is no checkpoint", "run", self.file("missing"), "--resume")
        self.refused(2, "--resume: name the checkpoint", "run", "--resume")
        self.refused(1, "not a checkpoint", "run", ACORN, "--resume")
        self.refused(2, "expected a time such as 10m", "run", ACORN, "--checkpoint", self.file("a"), "--every", "100")
        self.refused(2, "--every-generations is for --checkpoint", "run", ACORN, "--every-generations", "100")
        self.refused(2, "leave one of them out", "run", ACORN, "--checkpoint", self.file("a"), "--every", "1m", "--every-generations", "9")
        self.refused(2, "a checkpoint is a file", "run", ACORN, "--checkpoint", "-")
        self.refused(2, "same file", "run", ACORN, "--checkpoint", self.file("a.rle"), "-o", self.file("a.rle"))
        self.refused(1, "cannot create", "run", ACORN, "--checkpoint", self.file("no/folder"))

    def test_no_output_replaces_a_checkpoint_or_an_input(self):
        file, table = self.file("a.checkpoint"), self.file("a.csv")
        self.ok("run", *SOUP, "-g", "9", "--checkpoint", file)
        os.symlink("a.checkpoint", self.file("link"))
        content = pathlib.Path(file).read_bytes()
        for name in (file, file + ".previous", file + ".partial", file + ".lock", self.file("link"), str(self.folder / "." / "a.checkpoint")):
            for option in ("-o", "--receipt"):
                self.refused(2, "name the same file", "run", file, "--resume", "-g", "20", option, name)
                self.refused(2, "name the same file", "run", *SOUP, "--resume", "--checkpoint", file, option, name)
        self.refused(2, "name the same file", "run", *SOUP, "--checkpoint", table, "--populations", table)
        self.refused(2, "name the same file", "run", *SOUP, "--receipt", table, "--populations", table)
        pattern = self.file("p.rle", GLIDER)
        for option in ("--checkpoint", "--receipt", "--populations"):
            self.refused(2, "name the same file", "run", pattern, option, pattern)
        self.assertEqual((pathlib.Path(file).read_bytes(), pathlib.Path(pattern).read_text()), (content, GLIDER))
        # A run goes on in its own file
        for generation in (4, 8):
            self.ok("run", pattern, "-g", "4", "-o", pattern)
            self.assertEqual(self.json("run", pattern, "-g", "0")["generation"], generation)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.checkpoint", "link", "p.rle"])
        self.assertEqual(self.json("run", self.file("link"), "--resume", "-g", "12")["generation"], 12)
        self.assertTrue(os.path.islink(self.file("link")))

    def test_pipes_and_folders_are_no_checkpoints(self):
        pipe = self.file("pipe")
        os.mkfifo(pipe)
        self.refused(2, "is a pipe", "run", pipe, "--resume")
        self.refused(2, "is a pipe", "run", *SOUP, "--checkpoint", pipe)
        self.refused(2, "is a folder", "run", str(self.folder), "--resume")

    def test_two_runs_do_not_share_a_checkpoint(self):
        file = self.file("a.checkpoint")
        first = self.start(*SOUP, "-g", "1e9", "--checkpoint", file, "--every-generations", "1")
        wait_until(lambda: os.path.exists(file))
        for _ in range(20):  # while the first run removes and renames its files
            self.refused(1, "another run saves to this checkpoint", "run", *SOUP, "--checkpoint", file, "--resume")
        self.refused(1, "another run saves to this checkpoint", "run", file, "--resume")
        first.kill()
        first.wait()
        self.assertTrue(os.path.exists(file + ".lock"))  # and locks nothing
        generation = self.json("info", file)["generation"]
        self.ok("run", file, "--resume", "-g", str(generation + 10))
        self.assertFalse(os.path.exists(file + ".lock"))

    def test_signals_while_a_run_starts(self):
        """A pattern that a pipe has not finished keeps the start waiting."""
        pipe = self.file("pipe.rle")
        os.mkfifo(pipe)
        for number in (signal.SIGUSR1, signal.SIGTERM):
            file = self.file(f"{number}.checkpoint")
            process = self.start(pipe, "-g", "10", "--checkpoint", file, "--resume")
            with open(pipe, "w") as pattern:
                wait_until(lambda: catches(process, signal.SIGUSR1))
                process.send_signal(number)
                pattern.write(GLIDER)
            out, err = process.communicate(timeout=100)
            self.assertEqual(process.returncode, 0, err)
            self.assertIn("SIGUSR1: a checkpoint" if number == signal.SIGUSR1 else f"in {file}, --resume continues", err)
            self.assertIn("population 5", out)
            self.ok("info", file)

    def test_a_plane_and_a_surface_continue(self):
        file = self.file("a.checkpoint")
        self.ok("run", ACORN, "-g", "2000", "--checkpoint", file)
        self.assertLess(os.path.getsize(file), 8192)
        self.assertEqual(self.json("run", file, "--resume", "-g", "5206")["population"], 633)
        mesh = ["--mesh", "double-torus:8", "--adjacency", "edge", "--rule", "B2/S12", "--random", "0.3"]
        expected = self.hash(*mesh, "-g", "50")
        surface = self.file("s.checkpoint")
        self.ok("run", *mesh, "-g", "20", "--checkpoint", surface)
        with open(surface, "rb") as saved:
            piped = json.loads(subprocess.check_output([MOOREA, "run", "-", "-g", "30", "--json"], stdin=saved))
        self.assertEqual((piped["hash"], piped["mesh"]), (expected, "double-torus:8"))
        result = self.json("run", surface, "--resume", "-g", "50")
        self.assertEqual((result["hash"], result["mesh"], result["adjacency"]), (expected, "double-torus:8", "edge"))
        self.ok("render", surface, "-o", self.file("s.pbm"))
        flat = self.json("run", surface, "--size", "512", "--topology", "plane", "-g", "0")
        self.assertEqual(flat["topology"], "plane")
        self.assertEqual(self.json("run", surface, "-r", "B3/S23", "-g", "1")["topology"], "surface")
        self.assertEqual(self.json("run", surface, "-r", "B3/S23:T512", "-g", "1")["topology"], "torus")

    def test_a_mesh_that_changed_is_noticed(self):
        torus = "".join(f"v {x} {y} 0\n" for y in range(3) for x in range(4))
        faces = ["f 1 2 6 5\n", "f 2 3 7 6\n", "f 3 4 8 7\n", "f 5 6 10 9\n"]
        mesh, file = self.file("m.obj", torus + "".join(faces)), self.file("a.checkpoint")
        if moorea("info", "--mesh", mesh).returncode != 0:
            self.skipTest("this build reads no OBJ files")
        self.ok("run", "--mesh", mesh, "--random", "0.5", "-g", "2", "--checkpoint", file)
        self.file("m.obj", torus + "".join(faces[::-1]))
        self.refused(1, "has changed since the checkpoint was saved", "run", file, "--resume", "-g", "5")

    def test_commands_read_it_as_a_pattern(self):
        file = self.file("a.checkpoint")
        self.ok("run", ACORN, "-g", "100", "--checkpoint", file, "-o", self.file("a.rle"))
        about = self.json("info", file)
        self.assertEqual((about["format"], about["generation"], about["rule"]), ("checkpoint", 100, "B3/S23"))
        self.assertEqual(about["checkpoint"]["hash"], self.hash(ACORN, "-g", "100"))
        self.ok("convert", file, self.file("b.rle"))
        self.assertEqual(pathlib.Path(self.file("b.rle")).read_text(), pathlib.Path(self.file("a.rle")).read_text())
        self.ok("render", file, "-o", self.file("a.pbm"))
        self.assertIn("generation 120", self.ok("view", file, "-g", "20").stdout)
        self.refused(2, "cannot be written", "convert", ACORN, "-", "--format", "checkpoint")

    def test_sigterm_saves_and_succeeds(self):
        file = self.file("a.checkpoint")
        for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
            process = self.start(*SOUP, "-g", "1e9", "--checkpoint", file, "--resume", "--json")
            wait_until(lambda: catches(process, signal.SIGUSR1))
            process.send_signal(number)
            out, err = process.communicate(timeout=100)
            self.assertEqual(process.returncode, code, err)
            result = json.loads(out)
            self.assertIn(f"checkpoint of generation {result['generation']} in {file}", err)
            self.assertEqual(self.json("info", file)["generation"], result["generation"])
            self.assertEqual(self.hash(*SOUP, "-g", str(result["generation"])), result["hash"])

    def test_a_repeated_sigterm_is_one_request(self):
        """Slurm sends it for a job and again for its step."""
        file = self.file("a.checkpoint")
        process = self.start(*SOUP, "-g", "1e9", "--checkpoint", file)
        wait_until(lambda: catches(process, signal.SIGUSR1))
        for _ in range(3):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.003)
        self.assertEqual(process.wait(timeout=100), 0)
        self.ok("info", file)

    def test_sigusr1_saves_and_goes_on(self):
        file = self.file("a.checkpoint")
        process = self.start(*SOUP, "-g", "1e9", "--checkpoint", file, "--every", "1h")
        wait_until(lambda: catches(process, signal.SIGUSR1))
        process.send_signal(signal.SIGUSR1)
        wait_until(lambda: os.path.exists(file))
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        err = process.communicate(timeout=100)[1]
        self.assertEqual(process.returncode, 0)
        self.assertIn("SIGUSR1: a checkpoint of generation", err)
        self.assertLess(self.json("info", file + ".previous")["generation"], self.json("info", file)["generation"])

    def test_intervals_are_times_or_generations(self):
        file = self.file("a.checkpoint")
        result = self.json("run", *SOUP, "-g", "1000", "--checkpoint", file, "--every-generations", "300")
        self.assertEqual(result["checkpoints"]["written"], 4)
        self.assertEqual(self.json("info", file + ".previous")["generation"], 900)
        # A run that continues keeps the interval
        self.assertEqual(self.json("run", file, "--resume", "-g", "1300")["checkpoints"]["written"], 2)
        process = self.start(*SOUP, "-g", "1e9", "--checkpoint", self.file("b"), "--every", "0.05s")
        wait_until(lambda: os.path.exists(self.file("b") + ".previous"))
        process.kill()

    def test_a_damaged_checkpoint_is_replaced_by_the_one_before(self):
        file = self.file("a.checkpoint")
        expected = self.hash(*SOUP, "-g", "900")
        self.ok("run", *SOUP, "-g", "600", "--checkpoint", file, "--every-generations", "400")
        content = bytearray(pathlib.Path(file).read_bytes())
        content[len(content) // 2] ^= 4
        self.file("a.checkpoint", bytes(content))
        self.refused(1, "the checkpoint is damaged", "info", file)
        shutil.copytree(self.folder, self.file("copy"))
        again = str(self.folder / "copy" / "a.checkpoint")
        self.ok("run", again, "--resume", "-g", "700")
        self.assertEqual([self.json("info", name)["generation"] for name in (again, again + ".previous")], [700, 400])
        result = moorea("run", file, "--resume", "-g", "900", "--json")
        self.assertIn("continues from " + file + ".previous", result.stderr)
        self.assertEqual(json.loads(result.stdout)["hash"], expected)
        os.remove(file)
        self.assertIn("is missing", moorea("run", file, "--resume", "-g", "900").stderr)

    def resumes_after_a_failure(self, result, file, expected):
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("an earlier one is in " + file, result.stderr)
        self.assertIn("generation 600", result.stdout)  # the run went on
        self.assertEqual(self.json("info", file)["generation"], 100)
        self.assertFalse(os.path.exists(file + ".partial"))
        self.assertEqual(self.hash(file, "--resume", "-g", "600"), expected)

    @unittest.skipIf(SANITIZED == "thread", LARGE_FILES_OF_TSAN)
    def test_a_full_disk_keeps_the_last_checkpoint(self):
        file, soup = self.file("a.checkpoint"), ["--random", "0.5", "--size", "1024", "-r", "B2/S"]
        expected = self.hash(*soup, "-g", "600")
        self.ok("run", *soup, "-g", "100", "--checkpoint", file)
        result = moorea("run", file, "--resume", "-g", "600", "--every-generations", "100", preexec_fn=functools.partial(limit_files, 50_000))
        self.assertIn("File too large", result.stderr)
        self.resumes_after_a_failure(result, file, expected)

    @unittest.skipUnless(shutil.which("unshare"), "needs unshare")
    def test_a_disk_without_space_keeps_the_last_checkpoint(self):
        disk, soup = pathlib.Path(self.file("disk")), ["--random", "0.5", "--size", "1024", "-r", "B2/S"]
        disk.mkdir()
        script = (f"mount -t tmpfs -o size=200k none {disk} || exit 77; cd {disk}; {MOOREA} run {' '.join(soup)} -g 100 --checkpoint a.checkpoint || exit 78; "
                  f"{MOOREA} run a.checkpoint --resume -g 600 --every-generations 100; code=$?; ls; cp a.checkpoint {self.folder}/a.checkpoint; exit $code")
        result = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script], capture_output=True, text=True)
        if result.returncode == 77 or "unshare" in result.stderr:
            self.skipTest("this system mounts no disk for a test: " + result.stderr)
        self.assertIn("No space left on device", result.stderr)
        self.assertNotIn("partial", result.stdout)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(self.hash(self.file("a.checkpoint"), "--resume", "-g", "600"), self.hash(*soup, "-g", "600"))

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_killed_at_any_time_it_continues_exactly(self):
        """At most one interval is lost, and the write that the kill fell into; no partial file has the final name."""
        seed = random.SystemRandom().randrange(1 << 32)
        chance, goal = random.Random(seed), 5000
        expected, kills = self.hash(*SOUP, "-g", str(goal)), 300 if os.environ.get("MOOREA_TEST_ALL") else 14
        found = 0
        for trial in range(kills):
            folder = pathlib.Path(self.file(f"{trial}"))
            folder.mkdir()
            file, about = str(folder / "a.checkpoint"), f"seed {seed}, trial {trial}"
            every = chance.choice((40, 200, 2000))
            process = self.start(*SOUP, "-g", "1e9", "--checkpoint", file, "--every-generations", str(every), "--device", chance.choice(("cpu", "cpu,cpu", "cpu,cpu,cpu,cpu")),
                                 "--dump", str(folder / "%d.pbm"), "--every", str(every))
            if trial % 8:
                wait_until(lambda: os.path.exists(file))  # the rest is killed before or while the first one is written
            time.sleep(chance.uniform(0, 0.1))
            process.kill()
            process.wait()
            reached = max((int(picture.stem) for picture in folder.glob("*.pbm")), default=0)
            for name in (file, file + ".previous"):
                if os.path.exists(name):
                    self.assertEqual(moorea("info", name).returncode, 0, about)
            if os.path.exists(file):
                found += 1
                saved = self.json("info", file)["generation"]
                self.assertGreaterEqual(saved, reached - 2 * every, about)
                result = self.json("run", file, "--resume", "-g", str(max(goal, saved)), "--every", "1h", "--device", chance.choice(("cpu", "cpu,cpu,cpu")))
                reference = expected if saved <= goal else self.hash(*SOUP, "-g", str(saved))
                self.assertEqual(result["hash"], reference, about)
            shutil.rmtree(folder)
        self.assertGreater(found, kills // 2)


if __name__ == "__main__":
    shard.main()
