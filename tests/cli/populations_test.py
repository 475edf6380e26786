#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of populations: every generation, complete lines under their own name, and full disks."""
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

import shard
from command_case import ACORN, Case, LARGE_FILES_OF_TSAN, SANITIZED, limit_files
from programs import MOOREA


class Populations(Case):
    def test_populations_of_every_generation(self):
        table = self.file("acorn.csv")
        self.ok("run", ACORN, "-g", "5206", "--populations", table)
        lines = pathlib.Path(table).read_text().splitlines()
        self.assertEqual((len(lines), lines[0], lines[1], lines[-1]), (5208, "generation,population", "0,7", "5206,633"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["acorn.csv"])
        self.assertEqual(self.ok("run", ACORN, "-g", "2", "--populations", "-").stdout.splitlines(),
                         ["generation,population", "0,7", "1,8", "2,10"])

    def test_changes_of_every_generation(self):
        blinker = self.file("blinker.cells", "...\nOOO\n...\n")
        self.assertEqual(self.ok("run", blinker, "-g", "2", "--populations", "-", "--changes").stdout.splitlines(),
                         ["generation,population,changed", "0,3,", "1,3,4", "2,3,4"])
        self.refused(2, "--changes needs --populations", "run", blinker, "--changes")

    def test_populations_that_cannot_be_written(self):
        result = self.refused(1, "No such file or directory", "run", ACORN, "--populations", str(self.folder / "none/acorn.csv"))
        self.assertIn("none", result.stderr)
        self.refused(1, "Is a directory", "run", ACORN, "--populations", str(self.folder))
        self.refused(2, "name the same file", "run", ACORN, "-o", "acorn.rle", "--populations", "acorn.rle")
        self.refused(2, "wants standard output for itself", "run", ACORN, "--json", "--populations", "-")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_tables_of_other_runs_are_refused(self):
        table, saved = self.file("t.csv"), self.file("saved")
        self.ok("run", "--random", "0.1", "--seed", "2", "--size", "50", "-r", "HighLife", "-g", "30", "--populations", table)
        self.ok("run", "--random", "0.4", "--size", "60", "-g", "50", "--checkpoint", saved)
        before = pathlib.Path(table).read_bytes()
        self.refused(1, "name another file", "run", saved, "--resume", "-g", "90", "--populations", table, "-q")
        self.assertEqual(pathlib.Path(table).read_bytes(), before)

    def test_a_table_has_one_writer(self):
        table = self.file("t.csv")
        run = subprocess.Popen([MOOREA, "run", "--random", "0.4", "--size", "64", "-r", "B2/S", "-g", "1e12", "--threads", "1", "--populations", table, "-q"], stdout=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        while not os.path.exists(table) or os.path.getsize(table) == 0:
            self.assertIsNone(run.poll())
            time.sleep(0.02)
        self.refused(1, "another process writes it", "run", ACORN, "-g", "5", "--populations", table)
        run.terminate()
        self.assertEqual(run.wait(), 143)
        self.assertEqual(pathlib.Path(table).read_text().splitlines()[1].split(",")[0], "0")

    @unittest.skipIf(SANITIZED == "thread", LARGE_FILES_OF_TSAN)
    def test_populations_that_do_not_fit_on_the_disk(self):
        """The table keeps its whole lines, and the generation that was reached is written."""
        self.refused(1, "cannot write", "run", ACORN, "-g", "1M", "-o", self.file("acorn.rle"), "--populations", self.file("table.csv"),
                     report="generation ", preexec_fn=lambda: limit_files(60000))
        self.assertEqual(sorted(os.listdir(self.folder)), ["acorn.rle", "table.csv"])
        table = pathlib.Path(self.file("table.csv")).read_text()
        self.assertGreater(len(table), 59900)
        self.assertTrue(table.endswith("\n"))
        expected = self.ok("run", ACORN, "-g", "8000", "--populations", "-").stdout
        self.assertTrue(expected.startswith(table))
        self.ok("info", self.file("acorn.rle"))

    def test_a_full_disk_keeps_table_and_pattern(self):
        disk = self.folder / "disk"
        disk.mkdir()
        script = f"mount -t tmpfs -o size=2M none '{disk}' || exit 77; cd '{disk}'; '{MOOREA}' run --random 0.4 --size 16 -g 10M --threads 1 -o out.rle --populations table.csv; " \
                 f"s=$?; cp out.rle table.csv '{self.folder}'; exit $s"
        result = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, timeout=300)
        if result.returncode == 77 or "unshare" in result.stderr:
            self.skipTest("no file system can be mounted here")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("No space left", result.stderr)
        self.ok("info", self.file("out.rle"))
        self.assertTrue((self.folder / "table.csv").read_text().endswith("\n"))
        self.assertGreater((self.folder / "table.csv").stat().st_size, 500000)

    def test_the_table_grows_while_it_runs(self):
        """Whole lines under its own name, from the first second on."""
        path = pathlib.Path(self.file("table.csv", "old"))
        process = subprocess.Popen([MOOREA, "run", "--random", "0.5", "--size", "300x300", "-g", "1e12", "--kernel", "cpu/bits", "--populations", str(path)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        sizes = []
        while process.poll() is None and len(set(sizes)) < 3:
            text = path.read_text()
            if text != "old" and (text == "" or text.endswith("\n")):
                sizes.append(len(text))
            time.sleep(0.02)
        process.send_signal(signal.SIGHUP)
        _, talk = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 129, talk)
        lines = path.read_text().splitlines()
        self.assertEqual(lines[-1].split(",")[0], re.search(r"interrupted at generation (\d+)", talk)[1])
        # A run that is refused leaves an earlier table as it was and creates none
        self.refused(1, "No such file", "run", self.file("none.rle"), "--populations", str(path))
        self.assertEqual(path.read_text().splitlines(), lines)
        self.refused(1, "No such file", "run", self.file("none.rle"), "--populations", self.file("new.csv"))
        self.assertEqual(os.listdir(self.folder), ["table.csv"])


if __name__ == "__main__":
    shard.main()
