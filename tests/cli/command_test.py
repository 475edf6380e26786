#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The moorea command as a user meets it: results, errors, exit codes, files, terminal, interruption."""
import csv
import fcntl
import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import zlib

import shard
from programs import FAULTY, MOOREA

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "kernels"
ACORN = str(pathlib.Path(__file__).parents[2] / "patterns" / "acorn.rle")
SANITIZED = os.environ.get("MOOREA_SANITIZE")
TAKES_LONG = "takes long: for builds without a sanitizer"
LEFT_TO_OTHERS = "takes long, and what of it runs on threads other tests run: for builds without the thread sanitizer"
LARGE_FILES_OF_TSAN = "the thread sanitizer's own files are larger than the limit"
GLIDER = "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"


def moorea(*arguments, program=MOOREA, stdin="", **options):
    return subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True, timeout=300, **options)


def limit_files(size):
    """For preexec_fn: no file may grow beyond so many bytes, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content=None):
        path = self.folder / name
        if content is not None:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def ok(self, *arguments, **options):
        result = moorea(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def json(self, *arguments, **options):
        return json.loads(self.ok(*arguments, "--json", **options).stdout)

    def refused(self, code, text, *arguments, lines=1, **options):
        """Exits with `code`, says `text` in so many lines on standard error, and nothing on standard output."""
        result = moorea(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(text, result.stderr)
        self.assertEqual(result.stdout, "")
        if lines:
            self.assertEqual(len(result.stderr.splitlines()), lines, result.stderr)
        return result


class Run(Case):
    def test_the_first_command_of_the_readme(self):
        self.assertIn("generation 5206, population 633\n", self.ok("run", ACORN, "-g", "5206").stdout)

    def test_json_has_every_key(self):
        result = self.json("run", ACORN, "-g", "100", "--threads", "1")
        keys = "rule topology width height generation population hash kernel device threads seconds cells_per_second"
        self.assertEqual([key for key in result][:12], keys.split())
        self.assertEqual((result["rule"], result["topology"], result["generation"], result["threads"]), ("B3/S23", "plane", 100, 1))
        self.assertRegex(result["hash"], "^[0-9a-f]{16}$")
        self.assertGreater(result["cells_per_second"], 0)

    def test_generations_as_people_write_them(self):
        for text, value in (("0", 0), ("10", 10), ("1e2", 100), ("2^7", 128), ("0.1k", 100)):
            self.assertEqual(self.json("run", ACORN, "-g", text)["generation"], value)
        for text in ("x", "-5", "1.5", "2^70", ""):
            result = moorea("run", ACORN, f"--generations={text}")
            self.assertEqual(result.returncode, 2, text)

    def test_noise_is_the_same_everywhere(self):
        common = ["run", "--random", "0.5", "--size", "300x200", "--seed", "7", "-g", "64"]
        states = {(r["population"], r["hash"]) for r in (self.json(*common, *more) for more in
                  ([], ["--threads", "1"], ["--threads", "3"], ["--kernel", "cpu/reference"], ["--kernel", "cpu/bits"]))}
        self.assertEqual(len(states), 1)
        self.assertNotIn((self.json(*common[:-4], "--seed", "8", "-g", "64")["hash"]), {h for _, h in states})

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

    @unittest.skipIf(SANITIZED == "thread", LARGE_FILES_OF_TSAN)
    def test_populations_that_do_not_fit_on_the_disk(self):
        """The table keeps its whole lines, and the generation that was reached is written."""
        self.refused(1, "cannot write", "run", ACORN, "-g", "1M", "-o", self.file("acorn.rle"), "--populations", self.file("table.csv"),
                     preexec_fn=lambda: limit_files(60000))
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
        # What cannot run leaves the table of before alone, and no new one
        self.refused(1, "No such file", "run", self.file("none.rle"), "--populations", str(path))
        self.assertEqual(path.read_text().splitlines(), lines)
        self.refused(1, "No such file", "run", self.file("none.rle"), "--populations", self.file("new.csv"))
        self.assertEqual(os.listdir(self.folder), ["table.csv"])

    def test_outputs_that_are_one_file(self):
        os.symlink("a.pbm", self.file("link.pbm"))
        os.symlink(".", self.file("here"))
        noise = ["run", "--random", "0.5", "--size", "10", "-g", "20"]
        for arguments in (["--populations", "a.pbm", "-o", "./a.pbm"], ["--populations", "a.pbm", "-o", "link.pbm"], ["--populations", "a.pbm", "-o", "here/a.pbm"],
                          ["--dump", "%d.pbm", "-o", "20.pbm"], ["--dump", "here/%04d.pbm", "-o", "./0020.pbm"], ["--dump", "n%d.pbm", "--populations", "n12345.pbm"]):
            self.refused(2, "name the same file", *noise, *arguments, cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)), ["here", "link.pbm"])
        for arguments in (["--dump", "%04d.pbm", "--every", "20", "-o", "20.pbm"], ["--populations", os.devnull, "-o", os.devnull, "--format", "rle"]):
            self.ok(*noise, *arguments, cwd=self.folder)
        pattern = self.file("glider.rle", GLIDER)
        os.link(pattern, self.file("second.rle"))
        for name in (pattern, self.file("second.rle")):
            self.refused(2, "name the same file", "run", pattern, "--populations", name)
        self.ok("convert", pattern, self.file("glider.pbm"))
        self.refused(2, "name the same file", "render", self.file("glider.pbm"), "-o", self.file("here/glider.pbm"))
        measured = self.file("b.json", "{}")
        self.refused(2, "name the same file", "plot", measured, "-o", self.file("here/b.json"))
        self.assertEqual((pathlib.Path(pattern).read_text(), pathlib.Path(measured).read_text()), (GLIDER, "{}"))

    def test_auto_is_the_choice_without_a_kernel(self):
        own = self.json("run", ACORN, "-g", "100")
        for command in (["run", ACORN, "-g", "100", "--json"], ["verify", ACORN, "-g", "100", "--json"]):
            result = self.ok(*command, "--kernel", "auto")
            self.assertEqual(json.loads(result.stdout)["kernel"], own["kernel"], command)
        self.ok("render", ACORN, "-g", "5", "--kernel", "auto", "-o", self.file("a.pbm"))

    def test_forced_kernel_runs(self):
        for kernel in ("cpu/reference", "cpu/bits"):
            self.assertEqual(self.json("run", ACORN, "-g", "10", "--kernel", kernel)["kernel"], kernel)

    def test_rule_and_topology(self):
        self.assertEqual(self.json("run", ACORN, "-g", "1", "-r", "day & night")["rule"], "B3678/S34678")
        result = self.json("run", ACORN, "-g", "1", "-r", "HighLife:T64,32")
        self.assertEqual((result["topology"], result["width"], result["height"]), ("torus", 64, 32))
        result = self.json("run", ACORN, "-g", "1", "--size", "64x32", "--topology", "torus")
        self.assertEqual((result["topology"], result["width"], result["height"]), ("torus", 64, 32))
        self.assertEqual(self.json("run", ACORN, "-g", "1", "--size", "64x32")["topology"], "plane")
        klein = self.file("k.rle", GLIDER.replace("B3/S23", "B3/S23:K100,50"))
        self.assertEqual(self.json("run", klein, "-r", "Life", "--size", "50x50", "-g", "1")["width"], 50)
        self.refused(1, "--size chooses another", "run", klein, "-r", "Life")
        # The file's bounds stay when only the rule is replaced
        bounded = self.file("b.rle", GLIDER.replace("B3/S23", "B3/S23:T20,30"))
        self.assertEqual(self.json("run", bounded, "-g", "1", "-r", "HighLife")["width"], 20)

    def test_rules_with_b0(self):
        for topology in ("plane", "torus"):
            states = {self.json("run", "--random", "0.3", "--size", "101x67", "--topology", topology, "-r", "B08/S4", "-g", "33",
                                "--kernel", kernel)["hash"] for kernel in ("cpu/reference", "cpu/bits")}
            self.assertEqual(len(states), 1)
        self.refused(2, "needs a world with a size", "run", ACORN, "-r", "B08/S4")

    def test_numbers_are_exact(self):
        empty = ["run", "-", "-g"]
        for text, value in (("1234567890123456789", 1234567890123456789), ("3^39", 3**39), ("9223372036854775807", 2**63 - 1)):
            self.assertEqual(self.json(*empty, text, stdin="x = 1, y = 1\nb!")["generation"], value)
        a, b = (self.json("run", "--random", "0.5", "--size", "64", "-g", "1", "--seed", seed)["hash"] for seed in ("010", "10"))
        self.assertEqual(a, b)
        for bad in ("-1", "99999999999999999999", "0x1", "1.5"):
            self.assertEqual(moorea("run", "--random", "0.5", "--size", "64", f"--seed={bad}").returncode, 2, bad)
        # What is written reads back, however late
        late = self.file("late.rle")
        self.ok("run", "-", "-g", "2^62", "-o", late, stdin="x = 1, y = 1\nb!")
        self.assertEqual(self.json("info", late)["generation"], 2**62)
        self.refused(2, "2^63", "run", late, "-g", "2^62")

    def test_names_relative_to_here(self):
        self.ok("convert", ACORN, "new.rle", cwd=self.folder)
        self.ok("run", ACORN, "-g", "1", "-o", "soup.pbm", cwd=self.folder)
        self.assertEqual(sorted(os.listdir(self.folder)), ["new.rle", "soup.pbm"])

    def test_a_link_that_leads_nowhere_yet(self):
        os.symlink("target.rle", self.file("link.rle"))
        self.ok("convert", ACORN, self.file("link.rle"))
        self.assertTrue(os.path.islink(self.file("link.rle")))
        self.assertIn("bo$3bo$2o2b3o!", pathlib.Path(self.file("target.rle")).read_text())
        os.symlink("loop.rle", self.file("loop.rle"))
        self.refused(1, "symbolic links", "convert", ACORN, self.file("loop.rle"))

    def test_standard_output_may_be_closed(self):
        out = self.file("out.rle")
        result = subprocess.run(f"exec '{MOOREA}' convert '{ACORN}' '{out}' >&-", shell=True, timeout=60)
        self.assertEqual(result.returncode, 0)
        self.assertIn("bo$3bo$2o2b3o!", pathlib.Path(out).read_text())

    def test_a_growing_plane_outlives_its_memory(self):
        out = self.file("grown.rle")
        replicator = "x = 1, y = 1, rule = B1357/S1357\no!"
        result = self.json("run", "-", "-g", "3000", "-o", out, stdin=replicator, env=dict(os.environ, MOOREA_MEMORY="1M"))
        self.assertIn("edge_met", result)
        self.assertEqual(result["generation"], 3000)
        self.assertEqual(self.json("info", out)["population"], result["population"])

    def test_standard_streams(self):
        result = self.ok("run", "-", "-g", "4", "-o", "-", stdin=GLIDER)
        self.assertIn("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n", result.stdout)
        self.assertIn("Gen=4", result.stdout)
        self.assertIn("generation 4, population 5", result.stderr)

    def test_save_and_load_go_on(self):
        saved = self.file("middle.rle.gz")
        self.ok("run", ACORN, "-g", "1000", "-o", saved)
        self.assertEqual(pathlib.Path(saved).read_bytes()[:2], b"\x1f\x8b")
        second, whole = self.json("run", saved, "-g", "500"), self.json("run", ACORN, "-g", "1500")
        for key in ("generation", "population", "hash"):
            self.assertEqual(second[key], whole[key])

    def test_pictures_are_the_whole_world(self):
        picture = self.file("world.pbm")
        self.ok("run", ACORN, "-g", "5", "--size", "40x30", "-o", picture)
        self.assertTrue(pathlib.Path(picture).read_bytes().startswith(b"P4\n"))
        info = self.json("info", picture)
        self.assertEqual((info["width"], info["height"], info["generation"]), (40, 30, 5))

    def test_a_plane_that_cannot_grow_says_so(self):
        result = self.ok("run", "-", "-r", "Seeds", "-g", "3000", "--memory", "300k", stdin="x = 2, y = 1\n2o!\n")
        self.assertIn("met the edge of the largest plane", result.stderr)
        self.assertIn("edge_met", self.json("run", "-", "-r", "Seeds", "-g", "3000", "--memory", "300k", stdin="x = 2, y = 1\n2o!\n"))

    def test_nothing_but_data_when_piped(self):
        self.assertEqual(self.ok("run", "--random", "0.5", "--size", "2000", "-g", "300").stderr, "")


class Errors(Case):
    def test_files(self):
        self.refused(1, "No such file", "run", self.file("none.rle"))
        self.refused(1, "Is a directory", "run", str(self.folder))
        for name, content, text in (("truncated.rle", "x = 3, y = 3\nbo$2bo$3o", "line 2, column 10"),
                                    ("run.rle", "x = 3, y = 3\n1000000000000000000o!", "line 2, column 1"),
                                    ("lies.rle", "x = 2, y = 2\n3o!", "line 2, column 1"),
                                    ("far.life", "#Life 1.06\n0 0\n999999999 999999999\n", "needs"),
                                    ("garbage", bytes(range(256)), "not a pattern"),
                                    ("empty.rle", "", "empty"),
                                    ("lies.pbm", b"P4\n900000 900000\nab", "only 2 follow"),
                                    ("damaged.gz", b"\x1f\x8b\x08\x00aaaaaaaaaaaaaaaaa", "gzip")):
            path = self.file(name, content)
            result = self.refused(1, text, "run", path, "-g", "1", "-o", self.file("out.rle"))
            self.assertIn(name, result.stderr)
            self.refused(1, text, "info", path)
            self.assertFalse(os.path.exists(self.file("out.rle")))

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_usage(self):
        for arguments in ([], ["frobnicate"], ["run"], ["run", "--frobnicate"], ["run", ACORN, "--random", "0.5"], ["run", "--random", "0.5"],
                          ["run", "--random", "2", "--size", "10"], ["run", ACORN, "--size=-3x4"], ["run", ACORN, "--size", "0x4"],
                          ["run", ACORN, "--topology", "klein", "--size", "10"], ["run", ACORN, "--topology", "torus"],
                          ["run", ACORN, "--threads=-1"], ["run", ACORN, "--threads", "x"], ["run", ACORN, "--kernel", "cpu/none"],
                          ["run", ACORN, "-o", "x.png"], ["run", ACORN, "--format", "rle"], ["run", ACORN, "-o", "-", "--json"],
                          ["run", ACORN, "--memory", "lots"], ["info", ACORN, "--rules"], ["convert", ACORN], ["convert", ACORN, "-", "--format", "gif"],
                          ["verify", ACORN], ["bench", "--kernel", "cpu/none"], ["bench", "--size", "x"], ["completion", "tcsh"]):
            result = moorea(*arguments)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))
            self.assertNotEqual(result.stderr + result.stdout, "")

    def test_did_you_mean(self):
        self.refused(2, 'there is no command "runn"; did you mean run?', "runn", ACORN, lines=2)
        self.refused(2, 'there is no command "nosuch"\n', "nosuch", lines=2)
        self.refused(2, "--gen; did you mean --generations?", "run", ACORN, "--gen", "5", lines=2)
        self.refused(2, "did you mean --palette?", "render", ACORN, "--pallete=ink", "-o", "a.png", lines=2)
        self.refused(2, 'there is no kernel "cpu/stridde"; did you mean cpu/strided? moorea kernels lists', "run", ACORN, "--kernel", "cpu/stridde")
        self.refused(2, "the nearest rule with a name is Life, B3/S23", "run", ACORN, "-r", "Lief", lines=4)
        self.refused(1, f"No such file or directory; did you mean {ACORN}?", "run", ACORN.replace("acorn", "acron"))
        self.file("glider.rle", GLIDER)
        self.refused(1, "did you mean glider.rle?", "info", "gilder.rle", cwd=self.folder)
        self.assertNotIn("did you mean", self.refused(1, "No such file", "info", "something-else.rle", cwd=self.folder).stderr)

    def test_rules_of_other_families_are_named(self):
        self.refused(2, "WireWorld, wires and electrons in four states: Moorea does not run it yet", "run", ACORN, "-r", "WireWorld")
        foreign = self.file("foreign.rle", GLIDER.replace("B3/S23", "345/2/4"))
        self.refused(1, "Generations, whose cells age through several states: Moorea does not run it yet", "run", foreign, lines=3)

    def test_a_rule_gets_a_caret_and_the_nearest_name(self):
        result = self.refused(2, "the nearest rule with a name is HighLife, B36/S23", "run", ACORN, "-r", "Hihglife", lines=4)
        self.assertIn("  Hihglife\n  ^\n", result.stderr)

    def test_kernels_of_backends_that_are_not_built(self):
        built = {kernel["backend"] for kernel in self.json("kernels")["kernels"]}
        for backend, title in (("cuda", "CUDA"), ("opencl", "OpenCL")):
            if backend not in built:
                self.refused(4, f"kernel {backend}/strided cannot run here: this build has no {title}", "run", ACORN, "--kernel", f"{backend}/strided")

    def test_unavailable(self):
        self.refused(4, "device \"cuda\" is not available", "run", ACORN, "--device", "cuda")
        self.refused(4, "only rules with B3", "run", ACORN, "--kernel", "cpu/faulty", "-r", "HighLife", program=FAULTY)

    def test_sizes_beyond_memory(self):
        self.refused(1, "needs", "run", "--random", "0.5", "--size", "1M")
        environment = dict(os.environ, MOOREA_MEMORY="2M")
        self.refused(1, "2.0 MiB are available", "run", "--random", "0.5", "--size", "5000", env=environment)
        self.refused(1, "TiB", "run", "--random", "0.5", "--size", "100Mx1M")

    def test_a_variable_that_is_not_set(self):
        for arguments in (["run", ACORN, "-o", ""], ["run", ""], ["run", ACORN, "-r", ""], ["info", "--rule", ""]):
            self.assertEqual(moorea(*arguments).returncode, 2, arguments)
        self.refused(2, "MOOREA_MEMORY", "run", ACORN, "-g", "1", env=dict(os.environ, MOOREA_MEMORY="lots"))

    def test_the_pattern_does_not_fit(self):
        self.refused(1, "does not fit", "run", ACORN, "--size", "5x5")
        far = self.file("far.rle", "#CXRLE Pos=1000,1000\n" + GLIDER)
        self.refused(1, "does not fit", "run", far, "--size", "50x50")
        self.assertEqual(self.json("run", far, "--size", "50x50", "--center", "-g", "0")["population"], 5)

    def test_outputs_that_cannot_be_written(self):
        self.refused(1, "cannot create", "run", ACORN, "-g", "1", "-o", self.file("none/out.rle"))
        self.refused(1, "cannot write", "run", ACORN, "-g", "1", "-o", str(self.folder), "--format", "rle")
        self.refused(1, "No space left", "run", ACORN, "-g", "1", "-o", "/dev/full", "--format", "rle")
        with open("/dev/full", "w") as full:
            result = subprocess.run([MOOREA, "run", ACORN, "-g", "1"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("standard output", result.stderr)
        for arguments in ([], ["--version"], ["run", "--help"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([MOOREA, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(result.returncode, 1, arguments)

    @unittest.skipIf(SANITIZED == "thread", LARGE_FILES_OF_TSAN)
    def test_a_full_disk_leaves_no_partial_file(self):
        out = self.file("out.pbm", "old")
        self.refused(1, "cannot write", "run", "--random", "0.5", "--size", "1000", "-g", "1", "-o", out,
                     preexec_fn=lambda: limit_files(10000))
        self.assertEqual(pathlib.Path(out).read_text(), "old")
        self.assertEqual(os.listdir(self.folder), ["out.pbm"])


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
        # What is no code or damaged is made anew, what cannot be read is left alone
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
        for shape in ("1x1", "1x2", "1x6", "1x7", "2x1", "7x1", "8x1", "2x2"):
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
        self.refused(2, "does not let a thread block be chosen", "run", *noise, "--kernel", "opencl/strided_vector", "--block", "2")
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


class Others(Case):
    def test_info(self):
        info = self.json("info", ACORN)
        self.assertEqual((info["format"], info["population"], info["rule"], info["name"]), ("rle", 7, "B3/S23", "Acorn"))
        self.assertIn("population  7", self.ok("info", ACORN).stdout)
        self.assertEqual(self.json("info", "--rule", "T46789")["name"], "Anneal")
        self.assertEqual(self.json("info", "--rule", "T46789")["totals"], "T46789")
        life = self.json("info", "--rule", "Life")
        self.assertNotIn("totals", life)
        # What docs/logic.md says of Life
        self.assertEqual((life["gates_per_word"], life["operations_per_word"]), (7.5, 18.5))
        self.assertIn("7.5 gates a word", self.ok("info", "--rule", "Life").stdout)
        self.assertIn("HighLife", self.ok("info", "--rules").stdout)
        self.assertEqual(self.json("info")["devices"][0]["name"], "cpu")
        self.assertIn("not of the family", self.ok("info", "-", stdin="x = 1, y = 1, rule = WireWorld\nA!").stdout)

    def test_convert(self):
        for end in ("cells", "life", "pbm", "rle.gz", "cells.gz"):
            there, back = self.file("a." + end), self.file("b.rle")
            self.ok("convert", ACORN, there)
            self.ok("convert", there, back)
            self.assertIn("bo$3bo$2o2b3o!", pathlib.Path(back).read_text())
        self.assertIn("rule = B36/S23", self.ok("convert", ACORN, "-", "-r", "HighLife").stdout)
        bounded = self.file("bounded.rle", GLIDER.replace("B3/S23", "B3/S23:T30,20"))
        for rule, written in (("HighLife", "B36/S23:T30,20"), ("HighLife:P9,8", "B36/S23:P9,8")):
            self.assertIn(f"rule = {written}\n", self.ok("convert", bounded, "-", "-r", rule).stdout)
        # A rule with blanks survives where it stands in a comment, and a comment does not become a rule
        for rule in ("Life without Death", "Vote 4/5:T50,50", "Day & Night"):
            source = self.file("s.rle", f"#C Moorea Gen=7 Rule=B36/S23\nx = 3, y = 1, rule = {rule}\n3o!")
            for end in ("cells", "pbm", "life"):
                self.ok("convert", source, self.file("t." + end))
                self.assertEqual([self.json("info", self.file("t." + end))[key] for key in ("rule", "generation")],
                                 [self.json("info", source)[key] for key in ("rule", "generation")])

    def test_kernels(self):
        listed = {kernel["name"]: kernel for kernel in self.json("kernels")["kernels"]}
        self.assertTrue(listed["cpu/reference"]["runs"])
        self.assertIn("cpu/bits", self.ok("kernels").stdout)
        faulty = {k["name"]: k for k in self.json("kernels", "-r", "Seeds", program=FAULTY)["kernels"]}["cpu/faulty"]
        self.assertEqual((faulty["runs"], faulty["reason"]), (False, "only rules with B3"))

    def test_verify_agrees(self):
        for world in (["--random", "0.4", "--size", "130x70"], ["--random", "0.4", "--size", "65x33", "--topology", "plane"], [ACORN]):
            result = self.json("verify", "--kernel", "cpu/bits", *world, "-g", "200")
            self.assertTrue(result["same"])
            self.assertEqual(result["generation"], 200)

    def test_a_kernel_that_does_many_generations_a_call(self):
        near_the_edge = self.file("e.rle", "#CXRLE Pos=0,0\nx = 260, y = 2, rule = B3/S23:T300,400\n2o107bo$2o!")
        for world in (["--random", "0.5", "--size", "40x40", "--topology", "plane"], ["--random", "0.5", "--size", "130x33"], [near_the_edge],
                      [ACORN], ["--random", "0.3", "--size", "70x50", "-r", "B08/S4", "--topology", "plane"]):
            result = self.json("verify", "--kernel", "cpu/several_steps", *world, "-g", "200", program=FAULTY)
            self.assertTrue(result["same"], (world, result))

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_verify_does_not_blame_memory_on_a_kernel(self):
        self.refused(1, "memory ended the growth", "verify", "--kernel", "cpu/bits", ACORN, "--memory", "1M", "-g", "5206")

    def test_verify_finds_the_first_wrong_cell(self):
        # The faulty kernel forgets the lower right neighbour in column 40: a blinker below it is not seen by that cell
        start = self.file("start.rle", "#CXRLE Pos=-10,-20\nx = 60, y = 40, rule = B3/S23:P100,80\n3o25$35bo$35bo$35bo!")
        result = moorea("verify", "--kernel", "cpu/faulty", start, "-g", "10", "--json", program=FAULTY)
        self.assertEqual(result.returncode, 3, result.stderr)
        found = json.loads(result.stdout)
        self.assertFalse(found["same"])
        # The same by an independent count: Life and faulty Life side by side, the first cell in row order that differs
        live = {(40, 20), (41, 20), (42, 20)} | {(75, 45), (75, 46), (75, 47)}

        def step(cells, forgets):
            def count(x, y):
                return sum((x + dx, y + dy) in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)
                           if (dx or dy) and not (forgets and x == 40 and (dx, dy) == (1, 1)))
            return {(x, y) for x in range(100) for y in range(80) if count(x, y) == 3 or ((x, y) in cells and count(x, y) == 2)}

        right, wrong, generation = live, live, 0
        while right == wrong:
            right, wrong, generation = step(right, False), step(wrong, True), generation + 1
        y, x = min((y, x) for x, y in right ^ wrong)
        self.assertEqual((found["generation"], found["cell"]), (generation, {"x": x, "y": y}))
        self.assertEqual(found["alive"]["kernel"], (x, y) in wrong)
        self.assertIn("x = 17, y = 17", found["rle"]["kernel"])
        text = moorea("verify", "--kernel", "cpu/faulty", start, "-g", "10", program=FAULTY)
        self.assertEqual(text.returncode, 3)
        self.assertIn(f"generation {generation}, cell ({x}, {y})", text.stdout)

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_bench(self):
        result = self.json("bench", "--kernel", "auto,cpu/bits,cpu/ladder/09_lazy,cpu/tiles", "--size", "100,70x90", "--threads", "1,2",
                           "--budget", "0.05")
        keys = ("kernel device rule topology width height threads generations samples median_seconds spread generations_per_second "
                "cells_per_second checked_with")
        self.assertGreaterEqual(len(result["results"]), 8)
        for row in result["results"]:
            for key in keys.split():
                self.assertIn(key, row)
            self.assertEqual(row["checked_with"], "cpu/reference")
            self.assertAlmostEqual(row["generations_per_second"], row["generations"] / row["median_seconds"], delta=1e-6 * row["generations_per_second"])
        self.assertIn("machine", result)
        self.assertIn("revision", result)
        self.assertEqual([c["threads"] for c in result["ceilings"]], [1, 2])
        self.assertIn("cpu/bits", self.ok("bench", "--kernel", "cpu/bits", "--size", "64", "--budget", "0.05").stdout)
        everything = self.json("bench", "--size", "64", "--threads", "1", "--budget", "0.01", "--rounds", "1")
        runs = {kernel["name"] for kernel in self.json("kernels")["kernels"] if kernel["runs"]}
        self.assertEqual({row["kernel"] for row in everything["results"]}, runs)

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_bench_takes_ranges(self):
        rows = self.json("bench", "--kernel", "cpu/ladder/02_tiled", "--size", "64:128:x2", "--tile", "16:32:x2x8", "--chunk", "1,3", "--schedule",
                         "dynamic", "--schedule", "guided,2", "--threads", "1:2", "--budget", "0.01", "--rounds", "1")["results"]
        self.assertEqual([(row["width"], row["threads"], row["tiling"]["width"], row["tiling"]["height"], row["tiling"]["schedule"]) for row in rows],
                         [(size, threads, width, 8, schedule) for size in (64, 128) for threads in (1, 2) for width in (16, 32)
                          for schedule in ("dynamic,1", "dynamic,3", "guided,2")])
        rows = self.json("bench", "--kernel", "cpu/bits", "--size", "200", "-r", "Life,Maze", "--topology", "plane,torus", "--start",
                         "random:0.3:1,r-pentominoes:64", "--budget", "0.01", "--rounds", "1")["results"]
        self.assertEqual([(row["rule"], row["topology"], row["start"]) for row in rows],
                         [(rule, topology, start) for rule in ("B3/S23", "B3/S12345") for topology in ("plane", "torus")
                          for start in ("random:0.3:1", "r-pentominoes:64")])
        rows = self.json("bench", "--kernel", "cpu/strided", "--size", "64", "--generations-per-pass", "1,4", "--budget", "0.01")["results"]
        self.assertEqual([row["generations_per_pass"] for row in rows], [1, 4])
        self.refused(2, "its end is below its start", "bench", "--size", "64:32")
        self.refused(2, 'there is no "soup"', "bench", "--kernel", "cpu/bits", "--start", "random:0.5,soup")
        self.refused(4, 'device "bogus" is not available', "bench", "--device", "auto,bogus")
        self.refused(2, "--chunk", "bench", "--chunk", "abc")
        for option in (("--seed", "3"), ("--seed", "0"), ("--random", "0.3"), ("--random", "0.5")):
            self.refused(2, "for worlds without --start", "bench", "--start", "guns", *option)
        for command in ("bench", "tune"):
            for budget in ("0", "-1", "x", "inf", "nan"):
                self.refused(2, f'"{budget}": expected a number above 0', command, f"--budget={budget}", lines=2)
        self.refused(2, "more than 10000 values", "bench", "--size", "1:10000x1:10000")

    def test_bench_leaves_out_what_cannot_be(self):
        result = moorea("bench", "--kernel", "cpu/bits,cpu/ladder/02_tiled,cpu/ladder/14_bits_lazy", "--tile", "16,64", "--size", "64", "--budget", "0.01",
                        "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual([(row["kernel"], row["tiling"]["width"]) for row in report["results"]],
                         [("cpu/ladder/02_tiled", 16), ("cpu/ladder/02_tiled", 64), ("cpu/ladder/14_bits_lazy", 64)])
        reasons = [(row["kernel"], row["reason"]) for row in report["not_timed"]]
        self.assertEqual([kernel for kernel, _ in reasons], 2 * ["cpu/bits"] + ["cpu/ladder/14_bits_lazy"])
        self.assertIn("does not let a tile size be chosen", reasons[0][1])
        self.assertIn("a multiple of 64", reasons[2][1])
        self.assertEqual(result.stderr.count("cpu/bits at"), 1)  # a reason is said once

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_bench_goes_on_where_it_stopped(self):
        path = self.folder / "sweep.json"
        command = ["bench", "--kernel", "cpu/bits", "--size", "64,128,256", "--threads", "1", "--budget", "0.01", "-o", str(path)]

        def quiet():
            """Takes away the marks of a busy machine, whose rows would be measured again."""
            document = json.loads(path.read_text())
            for row in document["results"]:
                row["busy"] = False
            path.write_text(json.dumps(document))

        self.ok(*command, "--rounds", "1")
        quiet()
        first = json.loads(path.read_text())
        self.assertEqual([row["rounds"] for row in first["results"]], [1, 1, 1])
        self.refused(2, "is there already", *command)
        self.refused(2, "name it by -o", "bench", "--resume")
        # As if it had been interrupted in the second round, behind its first row
        self.assertIn("cpu/bits", self.ok(*command, "--rounds", "2", "--resume").stdout)
        quiet()
        second = json.loads(path.read_text())
        for before, now in zip(first["results"], second["results"], strict=True):
            self.assertEqual(now["rounds"], 2)
            self.assertEqual(now["generations"], before["generations"])
            self.assertEqual(now["sample_seconds"][:len(before["sample_seconds"])], before["sample_seconds"])
            self.assertGreater(now["samples"] + now["discarded_samples"], before["samples"] + before["discarded_samples"])
        # Nothing is left to measure, and a row that is new is measured alone
        self.ok(*command, "--rounds", "2", "--resume")
        self.assertEqual([row["sample_seconds"] for row in json.loads(path.read_text())["results"]], [row["sample_seconds"] for row in second["results"]])
        self.ok(*command, "--rounds", "2", "--resume", "--size", "100")
        quiet()
        third = json.loads(path.read_text())["results"]
        self.assertEqual([row["width"] for row in third], [64, 128, 256, 100])
        self.assertEqual(third[0]["sample_seconds"], second["results"][0]["sample_seconds"])
        # What is not asked for stays, fewer rounds take nothing away, and the limits are those that it was measured beside
        self.ok("bench", "--kernel", "cpu/bits", "--size", "100", "--threads", "1", "--budget", "0.01", "-o", str(path), "--resume", "--rounds", "1")
        fourth = json.loads(path.read_text())
        self.assertEqual(sorted((row["width"], row["rounds"], row["sample_seconds"]) for row in fourth["results"]),
                         sorted((row["width"], row["rounds"], row["sample_seconds"]) for row in third))
        self.assertEqual(fourth["ceilings"], second["ceilings"])
        path.write_text(json.dumps(second) * 2)
        self.refused(1, "several results behind each other", *command, "--resume")
        path.write_text(json.dumps(second | {"revision": "another"}))
        self.refused(1, "measured with another revision", *command, "--resume")
        path.write_text("{")
        self.refused(1, "not what moorea bench wrote", *command, "--resume")
        self.assertEqual(path.read_text(), "{")
        self.refused(1, "no such folder", *command[:-1], str(self.folder / "no such folder" / "x.json"))

    def test_bench_interrupted(self):
        path = self.folder / "sweep.json"
        process = subprocess.Popen([MOOREA, "bench", "--kernel", "cpu/bits", "--size", "64,96,128", "--budget", "2", "--rounds", "20", "-o", str(path)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and (not path.exists() or not json.loads(path.read_text())["results"]):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, talk = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("--resume goes on", talk)
        self.assertGreaterEqual(len(json.loads(path.read_text())["results"]), 1)
        self.assertEqual(json.loads(path.read_text())["not_timed"], [])

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_a_busy_machine_is_noticed(self):
        cpu = {min(os.sched_getaffinity(0))}
        spinner = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=lambda: os.sched_setaffinity(0, cpu))
        self.addCleanup(spinner.wait)
        self.addCleanup(spinner.kill)

        def run(*arguments):
            return subprocess.run([MOOREA, *arguments], capture_output=True, text=True, timeout=600, preexec_fn=lambda: os.sched_setaffinity(0, cpu))

        path = self.folder / "busy.json"
        bench = ["bench", "--kernel", "cpu/bits", "--size", "512", "--budget", "0.1", "--rounds", "1"]
        result = run(*bench, "-o", str(path))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout.splitlines()[-1], r"busy, \d+ %$")
        self.assertIn("1 of 1 measurements was made while other processes used the CPUs", result.stderr)
        document = json.loads(path.read_text())
        row, = document["results"]
        self.assertTrue(row["busy"])
        self.assertGreater(row["cpu_taken"], 0.1)  # it gets half of it, and others more
        self.assertGreater(row["discarded_samples"], 0)
        self.assertIn("schedstat" if os.path.exists("/proc/self/schedstat") else "getrusage", document["cpu_contention"])
        # Such a row is measured again
        self.assertIn("made while", run(*bench, "-o", str(path), "--resume").stderr)
        lines = run(*bench, "--csv", "-").stdout.splitlines()
        self.assertEqual(lines[1].split(",")[lines[0].split(",").index("busy")], "true")
        self.assertIn(";busy;", run(*bench, "--csv", "-", "--csv-columns", "easypap").stdout)
        self.assertIn("other processes used the CPUs both times", run("compare", str(path), str(path)).stdout)
        # More threads than CPUs hold back each other: that is not told apart
        self.assertIn('"busy": false', run(*bench, "--threads", "2", "--json").stdout)
        kept = self.folder / "tuning.json"
        tune = ["tune", "--kernel", "cpu/bits", "--size", "512", "-r", "Life", "--budget", "0.01", "-o", str(kept)]
        # Its samples are shorter than a time slice: now and then none of them is disturbed, and the result is kept
        for _ in range(6):
            result = run(*tune)
            if result.returncode != 0:
                break
            kept.unlink()
        self.assertEqual((result.returncode, result.stdout, kept.exists()), (1, "", False), result.stderr)
        self.assertIn("other processes used the CPUs", result.stderr)
        self.assertIn("end the other processes and tune again, or keep it by --allow-busy", result.stderr)

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_a_prediction_that_was_missed_is_dropped(self):
        cache = self.folder / "cache"
        path = cache / "moorea" / "tuning.json"
        env = {**os.environ, "XDG_CACHE_HOME": str(cache)}

        def run(*arguments):
            return subprocess.run([MOOREA, *arguments], capture_output=True, text=True, timeout=600, env=env)

        tuned = run("tune", "--kernel", "cpu/bits,cpu/strided", "--size", "64", "-r", "Life", "--budget", "0.01", "--allow-busy")
        self.assertEqual(tuned.returncode, 0, tuned.stderr)
        kept = json.loads(path.read_text())
        kept["devices"] = {"cpu": {"description": "", "start_seconds": 0, "quiet": ""}}
        # The reference takes some hundred milliseconds for this; on a busy machine the prediction stays, and that is said
        noise = ["run", "--random", "0.4", "--size", "1000", "-g", "100"]
        wrong = {"way": {"kernel": "cpu/reference", "device": "cpu", "threads": 1}, "times": [{"rule": "B3/S23", "cells": 1000000, "seconds": 1e-9}]}
        auto = {"way": {"kernel": "auto", "device": "cpu", "threads": 0}, "times": [{"rule": "B3/S23", "cells": 1000000, "seconds": 1e9}]}
        path.write_text(json.dumps({**kept, "ways": [wrong, auto]}))
        said = run(*noise).stderr
        self.assertIn("where moorea tune had predicted 0.0001 ms for cpu/reference on cpu, 1 threads", said)
        left = [way["way"]["kernel"] for way in json.loads(path.read_text())["ways"]]
        if "other processes used the CPUs" in said:
            self.assertEqual(left, ["cpu/reference", "auto"])
        else:
            self.assertIn("that prediction is dropped, and moorea tune measures again", said)
            self.assertEqual(left, ["auto"])
        # One that holds is not spoken of
        path.write_text(json.dumps({**kept, "ways": [auto]}))
        self.assertEqual(run(*noise).stderr, "")

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_bench_csv(self):
        bench = ["bench", "--kernel", "cpu/bits,cpu/ladder/02_tiled", "--size", "64x32", "--threads", "2", "--budget", "0.05"]
        path = self.folder / "rows.csv"
        result = self.json(*bench, "--csv", str(path))
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2)
        for row, expected in zip(rows, result["results"], strict=True):
            self.assertEqual((row["kernel"], int(row["width"]), int(row["height"]), row["start"]), (expected["kernel"], 64, 32, "random:0.5:0"))
            self.assertEqual(float(row["cells_per_second"]), expected["cells_per_second"])
        self.assertEqual([row["schedule"] for row in rows], ["", "static"])
        text = self.ok(*bench, "--csv", "-", "--csv-columns", "easypap").stdout
        rows = list(csv.DictReader(text.splitlines(), delimiter=";"))
        self.assertEqual(text.splitlines()[0], "machine;size;tilew;tileh;threads;kernel;variant;tiling;iterations;schedule;places;label;arg;time")
        self.assertGreaterEqual(len(rows), 18)  # a line for each sample
        tiled = rows[-1]
        self.assertEqual([tiled[key] for key in ("size", "threads", "kernel", "variant", "schedule", "places", "arg")],
                         ["64", "2", "B3/S23", "cpu/ladder/02_tiled", "static", "none", "random:0.5:0"])
        self.assertGreater(int(tiled["time"]), 0)
        self.refused(1, "no such folder", *bench, "--csv", str(self.folder / "no such folder" / "x.csv"))
        for output in ("-", "x.json.gz"):
            self.refused(2, "written anew", *bench, "-o", output)
        self.refused(2, "expected moorea or easypap", *bench, "--csv", "-", "--csv-columns", "excel")
        self.refused(2, "both want standard output", *bench, "--csv", "-", "--json")
        self.refused(2, "name the same file", *bench, "--csv", str(self.folder / "both"), "-o", str(self.folder / ".." / self.folder.name / "both"))

    def test_trace(self):
        noise = ["trace", "--kernel", "cpu/ladder/02_tiled", "--random", "0.4", "--size", "200x130", "--threads", "2", "--tile", "64x50"]
        path = self.folder / "trace.json"
        self.assertIn("36 tiles in 3 generations", moorea(*noise, "-g", "9", "--every", "4", "-o", str(path)).stderr)
        trace = json.loads(path.read_text())
        tiles = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        self.assertEqual({tile["args"]["generation"] for tile in tiles}, {0, 4, 8})
        first = [tile["args"] for tile in tiles if tile["args"]["generation"] == 0]
        self.assertEqual(sorted((tile["x"], tile["y"], tile["width"], tile["height"]) for tile in first),
                         sorted((x, y, min(64, 200 - x), min(50, 130 - y)) for x in range(0, 200, 64) for y in range(0, 130, 50)))
        self.assertEqual({tile["tid"] for tile in tiles} - {0, 1}, set())
        self.assertTrue(all(tile["dur"] >= 0 and tile["ts"] >= 0 for tile in tiles))
        self.assertGreater(trace["otherData"]["seconds_a_generation"], 0)
        page = self.folder / "trace.html"
        self.ok(*noise, "-g", "2", "-o", str(page))
        text = page.read_text()
        self.assertEqual(set(re.findall(r"https?://", text)), set())
        self.assertNotIn("__", text)
        self.refused(4, "does not tell which thread does what", "trace", "--kernel", "cpu/strided", "--random", "0.4", "--size", "64", "-o", "-")
        self.refused(2, "expected at least 1 generation", *noise, "-g", "0", "-o", str(self.folder / "none.json"))
        self.refused(2, "name the kernel", "trace", "--random", "0.4", "--size", "64", "-o", "-")
        self.refused(2, "expected at least 1", *noise, "--every", "0", "-o", "-")
        self.refused(1, "nothing is alive", "trace", "--kernel", "cpu/ladder/02_tiled", "--random", "0", "--size", "64", "-o", str(self.folder / "none.json"))
        self.assertFalse((self.folder / "none.json").exists())
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed")
        result = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom",
                                 f"--user-data-dir={self.folder}/profile", page.as_uri()], capture_output=True, text=True, timeout=120)
        self.assertIn("0: 12 tiles computed", result.stdout)

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_tune(self):
        cache = self.folder / "cache"
        env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        noise = ["run", "--random", "0.4", "--size", "100x80", "-g", "50"]

        def run(*arguments):
            return subprocess.run([MOOREA, *arguments], capture_output=True, text=True, timeout=600, env=env)

        plain = run(*noise, "--explain", "--json")
        self.assertIn("moorea tune was not run here yet", plain.stderr)
        before = json.loads(plain.stdout)
        results = self.folder / "results.json"
        sizes = "64" if SANITIZED else "64,128"
        tuned = run("tune", "--kernel", "cpu/bits,cpu/strided", "--size", sizes, "-r", "Life", "--budget", "0.01", "--results", str(results), "--allow-busy")
        self.assertEqual(tuned.returncode, 0, tuned.stderr)
        rows = json.loads(results.read_text())["results"]
        self.assertIn("cpu/strided", {row["kernel"] for row in rows})
        kept = json.loads((cache / "moorea" / "tuning.json").read_text())
        def key(asked, cells):
            return json.dumps([asked.get(each) for each in ("kernel", "device", "tile", "block", "generations_per_pass")]), cells

        times = {key(way["way"], time["cells"]): time["seconds"] for way in kept["ways"] for time in way["times"]}
        for row in rows:
            self.assertAlmostEqual(times[key(row["asked"], row["width"] * row["height"])] * row["generations_per_second"], 1)
        # In a small world Moorea begins in tiles, which is another time than that of its kernel for busy ones
        own = before["kernel"].split(" + ")[0]
        both = [times[key({"kernel": kernel, "device": "cpu"}, 64 * 64)] for kernel in ("auto", own)]
        self.assertNotEqual(*both)
        explained = run(*noise, "--explain", "--json")
        after = json.loads(explained.stdout)
        self.assertEqual(after["hash"], before["hash"])
        lines = explained.stderr.splitlines()
        self.assertEqual(sum(line.endswith(": taken") for line in lines), 1)
        self.assertEqual(len(lines) - 2, len(kept["ways"]))
        self.assertIn("cpu/bits on cpu: ", explained.stderr)

        # What is predicted of times that are known
        def way(kernel, device, **times):
            return {"way": {"kernel": kernel, "device": device, "threads": 0},
                    "times": [{"rule": rule, "cells": cells, "seconds": seconds} for rule, pairs in times.items() for cells, seconds in pairs]}

        life, dear = "B3/S23", "B36/S124"
        document = {**kept, "devices": {"cpu": {"description": "", "start_seconds": 0}, "cuda:99": {"description": "a dream", "start_seconds": 0.5}},
                    "gates_per_word": {life: 7.5, dear: 9},
                    "ways": [way("auto", "cpu", **{life: [(100, 1e-3), (10000, 4e-3)], dear: [(100, 8e-3)]}), way("cpu/bits", "cpu", **{life: [(1000, 1e-3)]}),
                             way("cpu/strided", "cpu", **{life: [(1000, 2e-3)]}), way("cpu/bits_avx2", "cpu", **{life: [(1000, 3e-3)]}),
                             way("auto", "cuda:99", **{life: [(1000, 1e-6)]})]}

        def predicted(*arguments, document=document):
            (cache / "moorea" / "tuning.json").write_text(document if isinstance(document, str) else json.dumps(document))
            return run("run", "--random", "0.4", *arguments, "--explain").stderr

        # 1000 cells lie in the middle between 100 and 10000 of a power law: 2 ms
        text = predicted("--size", "50x20", "-g", "1000")
        for line in ("2 s  auto on cpu: taken", "2 s  cpu/strided on cpu: takes as long", "3 s  cpu/bits_avx2 on cpu: 1.5 times as long",
                     "1 s  cpu/bits on cpu: 100 % faster while all is busy", "0.501 s  auto on cuda:99: its device is not there now", " on cpu: predicted to be done first"):
            self.assertIn(line, text)
        # Where another kernel has the quiet times, any way can be taken that is clearly the faster one
        takes = {**document, "devices": {"cpu": {"description": "", "start_seconds": 0, "quiet": "cpu/tiles"}}}
        text = predicted("--size", "50x20", "-g", "1000", document=takes)
        self.assertIn("1 s  cpu/bits on cpu: taken", text)
        self.assertIn("cpu/bits + cpu/tiles on cpu: predicted to be done first", text)
        self.assertIn("2 s  auto on cpu: 2 times as long", text)
        takes["ways"] = [way("auto", "cpu", **{life: [(1000, 2e-3)]}), way("cpu/bits", "cpu", **{life: [(1000, 1.94e-3)]})]
        text = predicted("--size", "50x20", "-g", "1000", document=takes)
        self.assertIn("2 s  auto on cpu: taken", text)
        self.assertIn("3 % faster, too little", text)
        takes["ways"][1] = {"way": {"kernel": "cpu/ladder/02_tiled", "device": "cpu", "threads": 0, "tile": [1 << 40, 1]},
                            "times": [{"rule": life, "cells": 1000, "seconds": 1e-6}]}
        self.assertIn("the way taken cannot be gone: tile 1099511627776x1", predicted("--size", "50x20", "-g", "1000", document=takes))
        self.assertIn("40 s  auto on cpu: taken", predicted("--size", "1000x100", "-g", "1000"))  # in proportion beyond 10000 cells
        for rule, seconds in (("HighLife", 8), ("Anneal", 1), (dear, 8)):  # of 9 and of 6.5 gates a word
            self.assertIn(f"{seconds} s  auto on cpu: taken", predicted("--size", "10x10", "-g", "1000", "-r", rule))
        for arguments, words in ((("--threads", "1"), "how it runs was named"), (("--kernel", "cpu/bits"), "cpu/bits on cpu: how it runs was named"),
                                 (("-g", "0"), "there is nothing to compute"), (("--populations", os.devnull), "every generation is counted")):
            self.assertIn(words, predicted("--size", "50x20", *arguments))
        (self.folder / "dot.cells").write_text("O\n")
        self.assertIn("a plane that grows", run("run", str(self.folder / "dot.cells"), "-g", "1", "--explain").stderr)
        # Nothing is taken from a file that is broken or of another machine
        other = {**document, "machine": {**document["machine"], "threads": 99999}}
        for broken, words in ((json.dumps(other), "on another machine"), ("{", "cannot be read"), ("[]", "cannot be read"),
                              ({**document, "ways": [{**way("auto", "cpu"), "times": []}]}, "a way without times"), ({**document, "ways": []}, "no way to run"),
                              ({**document, "ways": [way("auto", "cpu", **{life: [(1000, -1)]})]}, "cannot be read"),
                              ({**document, "ways": [way("auto", "cpu", **{"B9": [(1000, 1)]})]}, "a rule without its gates")):
            self.assertIn(words, predicted("--size", "50x20", document=broken))
        self.refused(2, "there is no kernel", "tune", "--kernel", "cpu/none", "-o", str(self.folder / "x.json"))
        self.refused(2, "leaves out what rests", "tune", "--kernel", "cpu/tiles", "-o", str(self.folder / "x.json"))
        self.refused(2, "standard output has the table", "tune", "-o", "-")
        self.assertFalse((self.folder / "x.json").exists())

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_kernels_from_files(self):
        noise = ["--random", "0.4", "--size", "130x70", "-g", "50"]
        hashes = {self.json("run", *noise, "--kernel-file", str(EXAMPLES / name))["hash"] for name in ("mine.cpp", "mine_bits.cpp")}
        self.assertEqual(hashes, {self.json("run", *noise)["hash"]})
        mine = str(EXAMPLES / "mine.cpp")
        self.assertTrue(self.json("verify", *noise, "--kernel-file", mine)["same"])
        self.assertTrue(self.json("verify", *noise, "--kernel", "cpu/bits", "--against", mine)["same"])
        rows = self.json("bench", "--kernel", "cpu/bits", "--kernel-file", mine, "--size", "64", "--budget", "0.05")["results"]
        self.assertEqual([row["kernel"] for row in rows], ["cpu/bits", mine])
        # The document's words
        blocks = re.findall("```cpp\n(// @.*?)```", (EXAMPLES.parents[1] / "docs" / "your-own-kernel.md").read_text(), re.DOTALL)
        self.assertEqual(["__global__" in block for block in blocks], [False, True])
        self.assertTrue(self.json("verify", *noise, "--kernel-file", self.file("taught.cpp", blocks[0]))["same"])
        # Variables of one file are not those of another one
        two = [self.file(f"{rule}.cpp", (EXAMPLES / "mine.cpp").read_text().replace("const RuleMask rule = block.rule;", "")
                         .replace("extern", f"inline int survival = {mask};\nextern", 1)
                         .replace("next_cell_state(rule, at[x], neighbours)", "(at[x] ? survival : 8) >> neighbours & 1"))
               for rule, mask in (("life", 12), ("maze", 62))]
        result = moorea("bench", "--kernel-file", ",".join(two), "--size", "64", "--budget", "0.05", "--json")
        self.assertEqual((result.returncode, [row["kernel"] for row in json.loads(result.stdout)["results"]]), (3, two[:1]))
        # A file that is another one now is measured anew
        file, kept = self.file("mine.cpp", (EXAMPLES / "mine.cpp").read_text()), self.file("kept.json")
        again = ["bench", "--kernel-file", file, "--size", "64", "--budget", "0.05", "-o", kept]
        self.ok(*again)
        self.ok(*again, "--resume")
        self.file("mine.cpp", (EXAMPLES / "mine.cpp").read_text().replace("above[x - 1]", "above[x]"))
        self.assertEqual(moorea(*again, "--resume").returncode, 3)
        # A wrong one is found, and not timed
        wrong = self.file("wrong.cpp", (EXAMPLES / "mine.cpp").read_text().replace("above[x - 1]", "above[x]"))
        self.assertEqual(moorea("verify", *noise, "--kernel-file", wrong).returncode, 3)
        self.assertEqual(moorea("bench", "--kernel-file", wrong, "--size", "64", "--budget", "0.05").returncode, 3)
        # One of tiles is traced, with the schedule of OpenMP's own variable
        tiled = self.file("tiled.cpp", "// @tile 32x16\n" + (EXAMPLES / "mine.cpp").read_text())
        result = self.json("run", *noise, "--kernel-file", tiled, env=dict(os.environ, OMP_SCHEDULE="dynamic,3"))
        self.assertEqual((result["tiling"]["width"], result["tiling"]["schedule"]), (32, "dynamic,3"))
        for said, meant in (("auto", "static"), ("", "static"), ("guided", "guided"), ("static,2", "static,2")):
            result = self.json("run", *noise, "--kernel-file", tiled, env=dict(os.environ, OMP_SCHEDULE=said))
            self.assertEqual(result["tiling"]["schedule"], meant)
        self.ok("trace", *noise, "--kernel-file", tiled, "-o", self.file("trace.json"))

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_kernels_from_files_that_cannot_be(self):
        noise = ["--random", "0.4", "--size", "130x70", "-g", "50"]
        broken = self.file("broken.cpp", "#include <moorea/kernel.h>\n\nextern \"C\" void advance(const moorea::kernels::Block&) { nobody(); }\n")
        for command in (["run", *noise], ["verify", *noise], ["bench", "--size", "64"]):
            result = self.refused(1, "refuses", *command, "--kernel-file", broken, lines=0)
            self.assertRegex(result.stderr, re.escape(broken) + ":3:.*nobody")
            self.refused(1, "none.cpp: cannot be read: No such file", *command, "--kernel-file", self.file("none.cpp"))
            self.refused(2, "ends in .cpp, .cu or .cl", *command, "--kernel-file", self.file("mine.c", "int x;\n"))
        # Nothing is left behind, and a place that cannot be is named
        place = self.folder / "place"
        place.mkdir()
        for path in (broken, str(EXAMPLES / "mine.cpp")):
            moorea("run", *noise, "--kernel-file", path, env=dict(os.environ, TMPDIR=str(place)))
            self.assertEqual(list(place.iterdir()), [])
        for nowhere in (self.file("nowhere"), "/dev/full"):
            self.refused(1, "the variable TMPDIR names another place", "run", *noise, "--kernel-file", str(EXAMPLES / "mine.cpp"),
                         env=dict(os.environ, TMPDIR=nowhere))
        # The signature of a CUDA kernel
        swapped = self.file("swapped.cpp", "#include <moorea/kernel.h>\nextern \"C\" void advance(moorea::kernels::Block block) {}\n")
        self.assertRegex(self.refused(1, "refuses", "run", *noise, "--kernel-file", swapped, lines=0).stderr, "swapped.cpp:2:.*advance")
        # Ctrl-C while the compiler is at work ends both
        endless = self.file("endless.cpp", "constexpr int f(int n) { int s = 0; for (int i = 0; i < 1 << 30; ++i) s += (n + i) % 7; return s; }\n"
                                           "template <int n> struct S { static constexpr int value = f(n) + S<n - 1>::value; };\n"
                                           "template <> struct S<0> { static constexpr int value = 0; };\nint x = S<800>::value;\n")
        for command in (["run", *noise], ["verify", *noise], ["bench", "--size", "64"]):
            running = subprocess.Popen([MOOREA, *command, "--kernel-file", endless], stderr=subprocess.PIPE, text=True, start_new_session=True,
                                       env=dict(os.environ, TMPDIR=str(place), CXXFLAGS="-fconstexpr-ops-limit=9000000000 -fconstexpr-loop-limit=2000000000"))
            while not list(place.glob("moorea-*/words")):
                time.sleep(0.01)
            time.sleep(0.2)
            os.killpg(running.pid, signal.SIGINT)
            self.assertIn("was ended by signal 2", running.communicate(timeout=60)[1])
            self.assertEqual((running.returncode, list(place.iterdir())), (130, []))
        mine = str(EXAMPLES / "mine_bits.cpp")
        self.refused(4, "it is for B3/S23", "run", *noise, "--rule", "HighLife", "--kernel-file", mine)
        self.assertTrue(self.json("verify", *noise, "--kernel", "cpu/strided", "--generations-per-pass", "3")["same"])
        self.refused(2, "leave one of them out", "run", *noise, "--kernel", "cpu/bits", "--kernel-file", mine)
        self.refused(2, "does not let a tile size be chosen", "run", *noise, "--kernel-file", mine, "--tile", "64x4")
        self.refused(4, "cannot run the C++ compiler", "run", *noise, "--kernel-file", mine, env=dict(os.environ, CXX="nobodys-compiler"))

    def test_tiles(self):
        noise = ["--random", "0.4", "--size", "130x70", "-g", "50"]
        tiled = ["--kernel", "cpu/ladder/02_tiled"]
        result = self.json("run", *noise, *tiled, "--tile", "33x7", "--schedule", "guided,2", "--placement", "close", "--threads", "2")
        self.assertEqual(result["tiling"], {"width": 33, "height": 7, "schedule": "guided,2", "placement": "close"})
        self.assertEqual(result["tiles"]["computed"], 50 * 4 * 10)
        self.assertEqual(result["hash"], self.json("run", *noise)["hash"])
        self.assertIn("33 x 7, schedule static", self.ok("run", *noise, *tiled, "--tile", "33x7").stdout)
        self.assertTrue(self.json("verify", *noise, *tiled, "--tile", "3x1", "--schedule", "dynamic,1000000000")["same"])
        rows = self.json("bench", "--size", "64", *tiled, "--tile", "16,64x8", "--schedule", "static", "--schedule", "dynamic,4",
                         "--placement", "none,spread", "--budget", "0.01", "--rounds", "1")["results"]
        self.assertEqual([[row["tiling"][key] for key in ("width", "height", "schedule", "placement")] for row in rows],
                         [[w, h, s, p] for w, h in ((16, 16), (64, 8)) for s in ("static", "dynamic,4") for p in ("none", "spread")])
        # Kernels that are not named are those that can use the option
        names = {row["kernel"] for row in self.json("bench", "--size", "64", "--tile", "64", "--budget", "0.01", "--rounds", "1")["results"]}
        self.assertIn("cpu/ladder/02_tiled", names)
        self.assertNotIn("cpu/bits", names)

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_tiles_that_cannot_be(self):
        noise = ["--random", "0.4", "--size", "130x70", "--kernel", "cpu/ladder/02_tiled"]
        for option, values in (("--tile", ("x", "0x5", "5x", "-3", "1e12", "")), ("--schedule", ("fair", "static,", "dynamic,0", "dynamic,-1", "guided,x", "")),
                               ("--placement", ("far", "Close", ""))):
            for value in values:
                self.assertEqual(moorea("run", *noise, f"{option}={value}").returncode, 2, (option, value))
                self.assertEqual(moorea("bench", "--kernel", "cpu/ladder/02_tiled", f"{option}={value}").returncode, 2, (option, value))
        for option, value, word in (("--tile", "64x64", "tile size"), ("--schedule", "static", "schedule"), ("--placement", "close", "thread placement")):
            for kernel in ([], ["--kernel", "cpu/bits"], ["--kernel", "cpu/ladder/01_serial"]):
                self.refused(2, f"does not let a {word} be chosen", "run", ACORN, *kernel, option, value)
            self.refused(2, f"does not let a {word} be chosen", "bench", "--kernel", "cpu/bits", "--json", option, value)

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_thread_blocks_that_cannot_be(self):
        for kernel in ([], ["--kernel", "cpu/bits"], ["--kernel", "cpu/ladder/02_tiled"]):
            self.refused(2, "does not let a thread block be chosen", "run", ACORN, *kernel, "--block", "64x4")
            self.refused(2, "does not let a number of bytes a thread be chosen", "run", ACORN, *kernel, "--bytes-per-thread", "8")
        self.refused(2, "does not let a thread block be chosen", "verify", ACORN, "--kernel", "cpu/bits", "--block", "64")
        for option, value, text in (("--block", "64x4", "thread block"), ("--bytes-per-thread", "8", "number of bytes a thread")):
            self.refused(2, f"does not let a {text} be chosen", "bench", "--kernel", "cpu/bits", "--json", option, value)
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
                self.assertEqual("block" in kernel, kernel["backend"] == "cuda" and kernel["layout"] != "strided", kernel)
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
        self.refused(2, "does not let a thread block be chosen", "run", *noise, "--kernel", "cuda/strided", "--block", "32")
        rows = self.json("bench", "--size", "64", *rung, "--block", "64,256", "--bytes-per-thread", "1,64", "--budget", "0.05")["results"]
        self.assertEqual([(row["block"]["width"], row["bytes_per_thread"]) for row in rows], [(64, 1), (64, 64), (256, 1), (256, 64)])
        for row in rows:
            self.assertGreater(row["registers_per_thread"], 0)
            self.assertTrue(0 < row["occupancy"] <= 1)
            self.assertGreater(row["encode_seconds"], 0)
            self.assertGreater(row["decode_seconds"], 0)
        self.assertIn("occupancy", self.ok("bench", "--size", "64", *rung, "--budget", "0.05").stdout)
        # Kernels that are not named are those that can use the option, in the shapes that they take
        rows = self.json("bench", "--size", "64", "--block", "64,16x2", "--device", "cuda", "--budget", "0.01")["results"]
        shapes = {name: {tuple(row["block"].values()) for row in rows if row["kernel"] == name} for name in kernels}
        self.assertEqual(shapes["cuda/bits"], {(64, 1)})
        self.assertEqual(shapes["cuda/ladder/01_int"], {(64, 1), (16, 2)})
        self.assertEqual(shapes["cpu/bits"] | shapes["cuda/strided"], set())

    def test_bench_times_no_wrong_answer(self):
        result = moorea("bench", "--kernel", "cpu/faulty,cpu/bits", "--size", "128", "--budget", "0.05", "--json", program=FAULTY)
        self.assertEqual(result.returncode, 3)
        report = json.loads(result.stdout)
        self.assertEqual([row["kernel"] for row in report["results"]], ["cpu/bits"])
        self.assertIn("wrong answer", report["not_timed"][0]["reason"])

    def test_bench_of_a_world_that_dies(self):
        # Diehards die in generation 130: each sample begins before
        rows = self.json("bench", "--start", "diehards:64", "--size", "256", "--kernel", "cpu/bits,cpu/tiles", "--budget", "0.01", "--rounds", "2")["results"]
        self.assertEqual([row["kernel"] for row in rows], ["cpu/bits", "cpu/tiles"])
        for row in rows:
            self.assertLess(row["generations"], 130)

    def test_bench_of_a_dead_world(self):
        result = moorea("bench", "--random", "0", "--size", "64", "--kernel", "cpu/bits", "--json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("every cell has died", json.loads(result.stdout)["not_timed"][0]["reason"])

    def test_compare(self):
        bench = ["bench", "--kernel", "cpu/bits,cpu/reference", "--size", "64,96x80", "--budget", "0.01"]
        before = self.json(*bench)
        for row in before["results"]:
            row["busy"] = False  # whatever else this machine does
        for row in before["results"]:
            self.assertEqual(len(row["sample_seconds"]), row["samples"])
        path = self.file("before.json", json.dumps(before))
        lines = self.ok("compare", path, path).stdout.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertNotRegex("".join(lines), "better|worse")

        def changed(change):
            document = json.loads(json.dumps(before))
            change(document)
            return self.file("now.json", json.dumps(document))

        def scale(document, factor=2, rows=slice(0, 1)):
            for row in document["results"]:
                row["sample_seconds"], row["round_median_seconds"] = [0.01] * 9, [0.01] * 3
            for row in document["results"][rows]:
                row["sample_seconds"], row["round_median_seconds"] = [factor * 0.01] * 9, [factor * 0.01] * 3

        path = self.file("before.json", json.dumps((scale(before, 1), before)[1]))
        result = moorea("compare", path, changed(scale), "--json")
        self.assertEqual(result.returncode, 3, result.stderr)
        compared = json.loads(result.stdout)["compared"]
        self.assertEqual([row["verdict"] for row in compared], ["worse"] + 3 * ["no difference"])
        self.assertAlmostEqual(compared[0]["speed"], 0.5)
        self.assertIn("1 better, 3 no difference", self.ok("compare", path, changed(lambda document: scale(document, 0.5))).stdout)
        self.assertIn("4 no difference", self.ok("compare", path, changed(lambda document: scale(document, 1.1)), "--least", "20").stdout)
        # A speed that drifts from round to round by as much is no difference
        self.assertIn("3 no difference", self.ok("compare", path, changed(lambda document: (scale(document), document["results"][0].update(
            round_median_seconds=[0.01, 0.02, 0.03])))).stdout)
        # What is in one file alone; files with several documents; without samples; standard input; other machines
        only = self.ok("compare", path, changed(lambda document: document["results"].pop(0))).stdout
        self.assertIn(f"1 only in {path}", only)
        twice = self.file("twice.json", json.dumps(before) * 2)
        self.assertEqual(len(self.json("compare", path, twice)["compared"]), 4)
        self.assertIn("4 cannot tell", self.ok("compare", path, changed(lambda document: [row.pop("sample_seconds") for row in document["results"]])).stdout)
        self.assertIn("4 no difference", self.ok("compare", "-", path, stdin=json.dumps(before)).stdout)
        # Why it cannot be told
        few = changed(lambda document: [row.update(sample_seconds=row["sample_seconds"][:5]) for row in document["results"]])
        self.assertIn("cannot tell: 5 samples, 6 are needed", self.ok("compare", path, few).stdout)
        apart = changed(lambda document: [row.update(round_median_seconds=[1, 2]) for row in document["results"]])
        self.assertIn("cannot tell: the speed drifts by 100 % from round to round", self.ok("compare", path, apart).stdout)
        noisy = changed(lambda document: [row.update(sample_seconds=[1, 2, 3] * 4) for row in document["results"]])
        self.assertIn("cannot tell: the medians are known to", self.ok("compare", noisy, noisy).stdout)
        busy = changed(lambda document: document["results"][0].update(busy=True, cpu_taken=0.5))
        result = self.json("compare", path, busy)["compared"]
        self.assertEqual([row.get("reason") for row in result], ["other processes used the CPUs now", None, None, None])
        self.assertIn("cannot tell: other processes used the CPUs both times", self.ok("compare", busy, busy).stdout)
        other = moorea("compare", path, changed(lambda document: document["machine"]["devices"].pop()))
        self.assertIn("were not measured on machines alike", other.stderr)
        # Files that are none
        self.refused(1, "cannot read", "compare", path, str(self.folder / "none.json"))
        self.refused(1, "cannot read", "compare", path, str(self.folder))
        for text in ("{", "[]", "{}", json.dumps(before)[:-9], "moorea", json.dumps(before | {"machine": {}})):
            self.refused(1, "not what moorea bench --json writes", "compare", path, self.file("wrong.json", text))
        self.refused(1, "no results in it", "compare", path, self.file("empty.json", ""))
        self.refused(1, "no configuration is in both", "compare", path, changed(lambda document: [row.update(start="random:0.5:5") for row in document["results"]]))
        self.refused(2, "standard input can be one", "compare", "-", "-")

    def test_reduce(self):
        for size in ("0", "2^33", "x"):
            self.assertEqual(moorea("reduce", "--size", size).returncode, 2, size)
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
        self.refused(2, "there is no reduction", "reduce", "--kernel", "reduce/none")
        self.refused(2, "a power of two", "reduce", "--threads", "64,96")
        self.refused(2, "reductions run on GPUs", "reduce", "--device", "cpu")
        wrong = moorea("reduce", "--kernel", "reduce/faulty,reduce/ladder/06_atomic", "--size", "1000", "--json", program=FAULTY)
        self.assertEqual(wrong.returncode, 3)
        report = json.loads(wrong.stdout)
        self.assertEqual([row["reduction"] for row in report["results"]], ["reduce/ladder/06_atomic"])
        self.assertIn("wrong answer", report["not_timed"][0]["reason"])

    def test_help_teaches(self):
        self.assertIn("Exit codes", self.ok("--help").stdout)
        for command in ("run", "info", "convert", "verify", "bench", "compare", "reduce", "completion"):
            self.assertIn("Examples:", self.ok(command, "--help").stdout)
        self.assertRegex(self.ok("--version").stdout, r"moorea \d+\.\d+\.\d+")

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_completion(self):
        script = self.file("completion.bash", self.ok("completion", "bash").stdout)
        for words, expected in ((["moorea", "ver"], "verify"), (["moorea", "run", "--kernel-"], "--kernel-file"), (["moorea", "run", "--kernel", "cpu/r"], "cpu/reference"),
                                (["moorea", "run", "-r", "High"], "HighLife"), (["moorea", "run", "--topology", "to"], "torus"),
                                (["moorea", "bench", "--blo"], "--block"), (["moorea", "verify", "--byt"], "--bytes-per-thread")):
            line = " ".join(words)
            result = subprocess.run(["bash", "-c", f'source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _moorea; echo "${{COMPREPLY[@]}}"'],
                                    capture_output=True, text=True, timeout=60)
            self.assertEqual(result.stdout.split(), [expected], result.stderr)
        for shell in ("zsh", "fish"):
            text = self.ok("completion", shell).stdout
            for word in ("verify", "kernel", "HighLife"):
                self.assertIn(word, text)


def pixels_of(path):
    """The colours of a PNG file with a palette, row by row; and of a PBM file (P4) 1 where it is black."""
    data = pathlib.Path(path).read_bytes()
    if data.startswith(b"P4"):
        lines = [line for line in data.split(b"\n", 4) if not line.startswith(b"#")]
        width, height = map(int, lines[1].split())
        raw, pitch = data[-((width + 7) // 8) * height:], (width + 7) // 8
        return [[raw[y * pitch + x // 8] >> 7 - x % 8 & 1 for x in range(width)] for y in range(height)]
    chunks, at = {}, 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        chunks[name] = chunks.get(name, b"") + data[at + 8:at + 8 + size]
        at += size + 12
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, kind) == (8, 3), "no palette"
    raw, rows, before = zlib.decompress(chunks[b"IDAT"]), [], bytes(width)
    for y in range(height):
        filtered, line, row = raw[y * (width + 1)], raw[y * (width + 1) + 1:(y + 1) * (width + 1)], bytearray(width)
        for x in range(width):
            left, up, corner = (row[x - 1] if x else 0), before[x], (before[x - 1] if x else 0)
            nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[x] = line[x] + (0, left, up, (left + up) // 2, nearest)[filtered] & 255
        rows.append([tuple(chunks[b"PLTE"][3 * level:3 * level + 3]) for level in row])
        before = row
    return rows


class Pictures(Case):
    NOISE = ["--random", "0.4", "--size", "37x22", "-g", "20"]

    def cells(self, *arguments):
        """The model's cells, as rows of 0 and 1."""
        self.ok("run", *arguments, "-o", self.file("cells.pbm"))
        return pixels_of(self.file("cells.pbm"))

    def setUp(self):
        super().setUp()
        self.has_png = moorea("render", *self.NOISE, "-o", self.file("probe.png")).returncode == 0
        pathlib.Path(self.file("probe.png")).unlink(missing_ok=True)
        self.assertTrue(self.has_png, "this build writes no PNG")

    def test_render_is_the_world(self):
        expected = self.cells(*self.NOISE)
        for file in ("a.png", "a.pbm"):
            self.ok("render", *self.NOISE, "-o", self.file(file), "--zoom", "1", "--palette", "ink")
            live = (0, 0, 0) if file.endswith("png") else 1
            self.assertEqual([[int(pixel == live) for pixel in row] for row in pixels_of(self.file(file))], expected)
        self.ok("render", *self.NOISE, "-o", self.file("b.pbm"), "--zoom", "3", "--view", "-2,5,10,4")
        rows = pixels_of(self.file("b.pbm"))
        self.assertEqual(rows, [[expected[5 + y // 3][x // 3 - 2] if x >= 6 else 0 for x in range(30)] for y in range(12)])
        # Shades: as many colours as numbers of cells, darker where there are more
        self.ok("render", *self.NOISE, "-o", self.file("c.png"), "--scale", "4", "--palette", "ink")
        shades = {}
        for y, row in enumerate(pixels_of(self.file("c.png"))):
            for x, pixel in enumerate(row):
                count = sum(sum(line[4 * x:4 * x + 4]) for line in expected[4 * y:4 * y + 4])
                self.assertEqual(shades.setdefault(count, pixel), pixel)
        self.assertEqual([shades[count] for count in sorted(shades)], sorted(shades.values(), reverse=True))
        self.assertGreater(len(shades), 5)

    def test_render_says_what_it_drew(self):
        result = self.json("render", ACORN, "-g", "100", "-o", self.file("a.png"))
        self.assertEqual((result["generation"], result["cells_per_pixel"]), (100, 1))
        self.assertEqual(result["population"], self.json("run", ACORN, "-g", "100")["population"])
        rows = pixels_of(self.file("a.png"))
        self.assertEqual((len(rows[0]), len(rows)), (result["width"], result["height"]))
        piped = subprocess.run([MOOREA, "render", ACORN, "-g", "100", "-o", "-"], capture_output=True)
        self.assertEqual((piped.returncode, piped.stderr), (0, b""))
        self.assertEqual(piped.stdout, pathlib.Path(self.file("a.png")).read_bytes())

    def test_what_flew_off_is_left_out(self):
        # A block of cells and a glider far from it
        far = self.file("far.rle", "x = 6000, y = 5000\n" + "40o$" * 40 + "4950$5990bo$5991bo$5989b3o!\n")
        result = self.ok("render", far, "-o", self.file("near.pbm"), "--zoom", "1")
        self.assertIn("5 of 1605 live cells are outside the picture; --all shows them", result.stderr)
        self.assertEqual([sum(map(sum, pixels_of(self.file("near.pbm")))), len(pixels_of(self.file("near.pbm")))], [1600, 40 + 2 * 3])  # and some cells around them
        result = self.ok("render", far, "--all", "-o", self.file("all.pbm"), "--scale", "100")
        self.assertEqual(result.stderr, "")
        self.assertGreater(len(pixels_of(self.file("all.pbm"))), 50)
        # Who says which cells are to be seen knows of the others
        self.assertEqual(self.ok("render", far, "--view", "0,0,9,9", "-o", self.file("view.pbm")).stderr, "")
        film = self.json("film", far, "-g", "2", "--zoom", "1", "-o", self.file("a.gif"))
        self.assertLess(film["width"], 60)
        self.assertGreater(self.json("film", far, "--all", "-g", "0", "--scale", "64", "-o", self.file("b.gif"))["width"], 90)

    def test_ages_and_activity(self):
        blinker = self.file("blinker.cells", "OOO\n")
        for show in ("age", "activity"):
            self.ok("render", blinker, "-g", "300", "--show", show, "--view", "-3,-3,7,7", "--zoom", "1", "--palette", "ink", "-o", self.file("a.png"))
            rows = pixels_of(self.file("a.png"))
            live = {(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if pixel != (255, 255, 255)}
            middle, ends = rows[3][3], {rows[3][2], rows[3][4]}
            if show == "age":
                self.assertEqual(live, {(2, 3), (3, 3), (4, 3)})
                self.assertEqual(middle, (0, 0, 0))
                self.assertGreater(min(ends), middle)
            else:
                self.assertEqual(live, {(2, 3), (4, 3), (3, 2), (3, 4)})
                self.assertEqual(ends, {(0, 0, 0)})

    def test_pictures_that_cannot_be(self):
        for text, *arguments in (("ends in .png or .pbm", "-o", self.file("a.gif")), ("expected X,Y,WIDTH,HEIGHT", "--view", "1,2,3"),
                                 ("expected X,Y,WIDTH,HEIGHT", "--view", "1,2,3,0"), ("expected one of night", "--palette", "rainbow"),
                                 ("expected cells, age or activity", "--show", "heat"), ("leave one of them out", "--zoom", "2", "--scale", "2"),
                                 ('--zoom "0": expected a whole number from 1 to 64', "--zoom", "0"), ("--scale", "--scale", "70000"), ('--fit "0": expected', "--fit", "0")):
            more = [] if "-o" in arguments else ["-o", self.file("a.png")]
            self.refused(2, text, "render", *self.NOISE, *more, *arguments)
        self.refused(1, "cannot", "render", *self.NOISE, "-o", self.file("none/a.png"))
        # Before a run of a day
        self.refused(2, "--fit 15260 does", "render", *self.NOISE, "--view", "0,0,1000000000,1000000000", "-o", self.file("a.png"))
        self.refused(2, "it has 1 to 1000000", "render", "--random", "0.5", "--size", "100", "-g", "1T", "--view", "0,0,2000000,3", "--scale", "1", "-o", self.file("a.png"))
        self.assertEqual([path.name for path in self.folder.iterdir()], [])

    def test_dump(self):
        frames = self.folder / "frames"
        noise = ["run", "--random", "0.4", "--size", "37x22", "-g", "20"]
        for name, *options in (("%06d.pbm",), ("%d.pbm", "--dump-format", "pbm-plain"), ("%03d.png",)):
            self.ok(*noise, "--dump", str(frames / name), "--every", "5", *options)
            names = sorted((path.name for path in frames.iterdir()), key=lambda name: int(name.split(".")[0]))
            self.assertEqual(names, [name % generation for generation in (0, 5, 10, 15, 20)])
            for file, generation in zip(names, (0, 5, 10, 15, 20)):
                expected = self.cells(*noise[1:-1], str(generation))
                if "pbm-plain" in options:
                    self.ok("convert", str(frames / file), self.file("again.pbm"))
                    rows = pixels_of(self.file("again.pbm"))
                else:
                    rows = pixels_of(frames / file)
                    if name.endswith("png"):
                        ground = min(min(row) for row in rows)
                        rows = [[int(pixel != ground) for pixel in row] for row in rows]
                self.assertEqual(rows, expected)
            shutil.rmtree(frames)
        # The first one, whatever it is a multiple of
        late = self.file("late.rle", "#CXRLE Gen=7\n" + GLIDER)
        self.ok("run", late, "--size", "20", "-g", "20", "--dump", str(frames / "%d.pbm"), "--every", "10")
        self.assertEqual(sorted(path.name for path in frames.iterdir()), ["10.pbm", "20.pbm", "7.pbm"])
        shutil.rmtree(frames)
        # With a table beside it, all generations
        self.ok(*noise, "--dump", str(frames / "%d.pbm"), "--populations", self.file("table.csv"))
        self.assertEqual(len(list(frames.iterdir())), 21)

    def test_dumps_that_cannot_be(self):
        noise = ["run", "--random", "0.4", "--size", "370x220", "-g", "2000"]
        for files in ("frames.pbm", "%s.pbm", "%d-%d.pbm", "%5d.pbm", "%", "%d.rle", "%d/a.pbm"):
            self.assertEqual(moorea(*noise, "--dump", self.file(files)).returncode, 2, files)
        self.refused(2, "add --size", "run", ACORN, "--dump", self.file("%d.pbm"))
        self.refused(2, "are for --dump", *noise, "--every", "5")
        self.refused(2, "expected pbm", *noise, "--dump", self.file("%d.pbm"), "--dump-format", "jpeg")
        self.refused(1, "cannot be made", *noise, "--dump", "/dev/null/frames/%d.pbm")
        if "tsan" not in MOOREA:
            # A full disk ends the run, and leaves whole pictures alone
            result = moorea(*noise, "--dump", self.file("full/%d.pbm"), "--populations", self.file("table.csv"), preexec_fn=lambda: limit_files(8192))
            self.assertEqual(result.returncode, 1)
            self.assertIn("File too large", result.stderr)
            self.assertEqual(list((self.folder / "full").iterdir()), [])


class Films(Case):
    NOISE = ["--random", "0.4", "--size", "37x22", "--rule", "HighLife"]

    def frames(self, path, width, height):
        """The frames of a film as ffmpeg decodes them: rows of red, green and blue."""
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
        size = 3 * width * height
        self.assertEqual(len(raw) % size, 0)
        return [[[tuple(raw[at + 3 * (y * width + x):at + 3 * (y * width + x) + 3]) for x in range(width)] for y in range(height)]
                for at in range(0, len(raw), size)]

    def model(self, generation):
        self.ok("run", *self.NOISE, "-g", str(generation), "-o", self.file("model.pbm"))
        return pixels_of(self.file("model.pbm"))

    def test_gif(self):
        result = self.json("film", *self.NOISE, "-g", "12", "--every", "3", "--zoom", "2", "--palette", "ink", "--fps", "20", "-o", self.file("a.gif"))
        self.assertEqual((result["frames"], result["width"], result["height"], result["generation"]), (5, 74, 44, 12))
        frames = self.frames(self.file("a.gif"), 74, 44)
        self.assertEqual(len(frames), 5)
        for number, frame in enumerate(frames):
            cells = self.model(3 * number)
            self.assertEqual([[int(pixel == (0, 0, 0)) for pixel in row] for row in frame], [[cells[y // 2][x // 2] for x in range(74)] for y in range(44)])
        # A world at rest: frames that change nothing
        block = self.file("block.cells", "OO\nOO\n")
        self.ok("film", block, "-g", "30", "--zoom", "1", "--view", "-3,-3,9,8", "-o", self.file("b.gif"))
        self.assertEqual(len(self.frames(self.file("b.gif"), 9, 8)), 31)

    def test_mp4(self):
        models = [self.model(generation) for generation in range(13)]
        for full in ([], ["--full-colour"]):
            result = self.json("film", *self.NOISE, "-g", "12", "--zoom", "1" if full else "3", "--palette", "ink", "-o", self.file("a.mp4"), *full)
            zoom, width, height = (1, 37, 22) if full else (3, 112, 66)  # 111 columns and one more
            self.assertEqual((result["frames"], result["width"], result["height"]), (13, width, height))
            frames = self.frames(self.file("a.mp4"), width, height)
            self.assertEqual(len(frames), 13)
            for cells, frame in zip(models, frames):
                # Lossy, but no cell can be taken for another one: its middle pixel is dark or light
                self.assertEqual([[int(sum(frame[y * zoom + zoom // 2][x * zoom + zoom // 2]) < 384) for x in range(37)] for y in range(22)], cells)
            if not full:
                self.assertGreater(min(min(row[111]) for row in frames[0]), 200)  # the ground
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.mp4", "model.pbm"])

    def test_mp4_into_what_is_no_file(self):
        pipe = self.file("pipe.mp4")
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
        self.ok("film", *self.NOISE, "-g", "12", "--zoom", "2", "--palette", "ink", "-o", pipe)
        (self.folder / "a.mp4").write_bytes(reader.communicate(timeout=60)[0])
        self.assertEqual(len(self.frames(self.file("a.mp4"), 74, 44)), 13)
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        if os.path.exists("/dev/full"):
            (self.folder / "full.mp4").symlink_to("/dev/full")
            self.refused(1, "No space left", "film", *self.NOISE, "-g", "12", "-o", self.file("full.mp4"), lines=0)
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

    def test_an_edge_is_told(self):
        domino = [self.file("domino.cells", "OO\n"), "-r", "Seeds", "-g", "3000", "--memory", "300k"]
        for command in (["film", "--every", "1000", "-o", self.file("a.gif")], ["render", "-o", self.file("a.png")], ["view", "--step", "12"]):
            result = self.ok(command[0], *domino, *command[1:])
            self.assertIn("met the edge of the largest plane", result.stderr, command)

    def test_a_plane_that_grows(self):
        glider = self.file("glider.rle", GLIDER)
        result = self.json("film", glider, "-g", "40", "--every", "4", "--zoom", "1", "--palette", "ink", "-o", self.file("a.gif"))
        frames = self.frames(self.file("a.gif"), result["width"], result["height"])
        self.assertEqual([sum(pixel == (0, 0, 0) for row in frame for pixel in row) for frame in frames], [5] * 11)

    def test_ages(self):
        self.ok("film", *self.NOISE, "-g", "12", "--show", "age", "--zoom", "1", "--palette", "ink", "-o", self.file("a.gif"))
        frames = self.frames(self.file("a.gif"), 37, 22)
        self.assertEqual([[int(pixel != (255, 255, 255)) for pixel in row] for row in frames[12]], self.model(12))
        self.assertGreater(len({pixel for row in frames[12] for pixel in row}), 4)

    def test_activity_is_that_of_the_last_generations(self):
        glider = [self.file("glider.rle", GLIDER), "--size", "20x20", "--topology", "torus", "--show", "activity", "--zoom", "1", "-g", "600"]
        self.ok("film", *glider, "--every", "600", "-o", self.file("a.gif"))
        self.ok("render", *glider, "-o", self.file("a.png"))
        self.assertEqual(self.frames(self.file("a.gif"), 20, 20)[1], pixels_of(self.file("a.png")))

    def test_films_that_cannot_be(self):
        film = ["film", *self.NOISE, "-g", "12"]
        self.refused(2, "ends in .mp4 or .gif", *film, "-o", self.file("a.avi"))
        for fps in ("0", "-1", "51"):
            self.assertEqual(moorea(*film, "-o", self.file("a.gif"), f"--fps={fps}").returncode, 2)
        self.refused(2, "--full-colour is for MP4", *film, "--full-colour", "-o", self.file("a.gif"))
        (self.folder / "folder.mp4").mkdir()
        self.refused(1, "Is a directory", *film, "-o", self.file("folder.mp4"))
        (self.folder / "folder.mp4").rmdir()
        self.refused(2, "at most 16384 of each", "film", "--random", "0.5", "--size", "17000x64", "--zoom", "1", "-g", "3", "-o", self.file("a.mp4"))
        self.refused(2, "--every 0", *film, "--every", "0", "-o", self.file("a.gif"))
        late = self.file("late.rle", "#CXRLE Pos=0,0 Gen=7\nx = 3, y = 1\n3o!\n")
        self.refused(2, "no generation from 7 to 1000000000007 is a multiple", "film", late, "-g", "1T", "--every", "100T", "-o", self.file("a.gif"))
        (self.folder / "late.rle").unlink()
        for name in ("a.gif", "a.mp4"):
            self.refused(1, "none", *film, "-o", self.file(f"none/{name}"))
        self.refused(4, "apt-get install ffmpeg", *film, "-o", self.file("a.mp4"), env=dict(os.environ, PATH="/none"))
        # One that fails, and one that ends early
        tools = self.folder / "tools"
        tools.mkdir()
        for script, words in (("echo no such codec >&2; cat > /dev/null; exit 1", "no such codec"), ("echo gone >&2; exit 1", "gone")):
            (tools / "ffmpeg").write_text(f"#!/bin/sh\n{script}\n")
            (tools / "ffmpeg").chmod(0o755)
            self.refused(1, words, *film, "--fit", "2048", "-o", self.file("a.mp4"), lines=0, env=dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["tools"])
        if "tsan" not in MOOREA:
            result = moorea("film", "--random", "0.5", "--size", "200x200", "-g", "40", "-o", self.file("full.gif"), preexec_fn=lambda: limit_files(8192))
            self.assertEqual((result.returncode, (self.folder / "full.gif").exists()), (1, False), result.stderr)
            self.assertIn("File too large", result.stderr)

    def test_interrupted(self):
        for name in ("a.gif", "a.mp4"):
            running = subprocess.Popen([MOOREA, "film", *self.NOISE, "-g", "1e9", "-o", self.file(name)], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                                       text=True, start_new_session=True)
            time.sleep(1)
            os.killpg(running.pid, signal.SIGINT)
            out, err = running.communicate(timeout=120)
            self.assertEqual(running.returncode, 130, err)
            self.assertIn("interrupted at generation", err)
            width, height = map(int, re.search(r"frames of (\d+) x (\d+)", out).groups())
            frames = int(re.search(r"(\d+) frames", out)[1])
            width, height = (width, height) if name == "a.gif" else (width + width % 2, height + height % 2)
            raw = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", self.file(name)],
                                 capture_output=True, text=True).stdout
            self.assertEqual(int(raw.strip().strip(",")), frames)


class Terminal(Case):
    def test_a_progress_line_on_a_terminal_only(self):
        main, side = pty.openpty()
        process = subprocess.Popen([MOOREA, "run", "--random", "0.5", "--size", "2000", "-g", "1e9", "--kernel", "cpu/bits"], stderr=side, stdout=subprocess.PIPE)
        os.close(side)
        seen = b""
        deadline = time.time() + 60
        while b"left" not in seen and time.time() < deadline:
            if select.select([main], [], [], 1)[0]:
                seen += os.read(main, 4096)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        process.stdout.close()
        os.close(main)
        self.assertRegex(seen.decode(), r"generation \d+ of 1000000000, .* cells/s, .* left")

    def test_the_progress_line_fits_a_small_terminal(self):
        main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 24, 0, 0))
        process = subprocess.Popen([MOOREA, "run", "--random", "0.5", "--size", "2000", "-g", "1e9", "--kernel", "cpu/bits"], stderr=side, stdout=subprocess.DEVNULL)
        os.close(side)
        seen = b""
        deadline = time.time() + 60
        while seen.count(b"generation") < 3 and time.time() < deadline:
            if select.select([main], [], [], 1)[0]:
                seen += os.read(main, 4096)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        os.close(main)
        lines = seen.decode().split("\r\x1b[K")[1:-1]
        self.assertTrue(lines)
        for line in lines:
            self.assertLess(len(line), 24, line)

    def test_interruption_while_waiting_for_input(self):
        process = subprocess.Popen([MOOREA, "run", "-", "-g", "5"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), -signal.SIGINT)
        process.stdin.close()

    def test_interruption_writes_what_was_asked_for(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            out = self.file("out.rle")
            process = subprocess.Popen([MOOREA, "run", "--random", "0.5", "--size", "300x300", "-g", "1e12", "--kernel", "cpu/bits", "-o", out, "--json"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(1)
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=60)
            self.assertEqual(process.returncode, code, stderr)
            self.assertIn("interrupted at generation", stderr)
            result = json.loads(stdout)
            self.assertTrue(result["interrupted"])
            again = self.json("run", out, "-g", "0")
            for key in ("generation", "population", "hash", "width"):
                self.assertEqual(again[key], result[key])


    def test_nohup_stays(self):
        process = subprocess.Popen([MOOREA, "run", "--random", "0.5", "--size", "300x300", "-g", "1e12", "--kernel", "cpu/bits", "--populations", self.file("t.csv")],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while not os.path.exists(self.file("t.csv")) or os.path.getsize(self.file("t.csv")) < 100:
            time.sleep(0.02)
        process.send_signal(signal.SIGHUP)
        size = os.path.getsize(self.file("t.csv"))
        while process.poll() is None and os.path.getsize(self.file("t.csv")) == size:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 143)

    def test_whatever_ends_it_leaves_no_temporary_file(self):
        """Also what cannot be caught, and what comes a second time."""
        large = self.file("large.pbm")
        self.ok("run", "--random", "0.5", "--size", "3000", "-g", "0", "-o", large)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            process = subprocess.Popen([MOOREA, "convert", large, self.file("out.rle.gz")], stderr=subprocess.DEVNULL)
            # It has opened its output when that is among its descriptors
            descriptors, opened = f"/proc/{process.pid}/fd", False
            while process.poll() is None and not opened:
                for name in os.listdir(descriptors):
                    try:
                        opened = opened or str(self.folder) in os.readlink(f"{descriptors}/{name}").replace(large, "")
                    except OSError:
                        pass
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), -number)
            self.assertEqual(os.listdir(self.folder), ["large.pbm"])
        for name in ("a.gif", "a.mp4"):
            process = subprocess.Popen([MOOREA, "film", "--random", "0.5", "--size", "4000x4000", "--fit", "4000", "-g", "1e9", "-o", self.file(name)],
                                       stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True)
            time.sleep(1)
            for _ in range(2):
                os.killpg(process.pid, signal.SIGINT)
                time.sleep(0.05)
            process.communicate(timeout=60)
            self.assertIn(process.returncode, (-signal.SIGINT, 130))  # (a film may be finished in between)
            self.assertLessEqual(set(os.listdir(self.folder)), {"large.pbm", "a.gif", "a.mp4"})

    @unittest.skipIf(SANITIZED == "thread", LARGE_FILES_OF_TSAN)
    def test_a_file_size_limit_is_an_error(self):
        self.refused(1, "File too large", "run", "--random", "0.5", "--size", "1000", "-g", "1", "-o", self.file("out.pbm"),
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000)))
        self.assertEqual(os.listdir(self.folder), [])

    def test_standard_descriptors_that_are_closed(self):
        """No file gets their numbers, so that no message lands in it."""
        table = self.file("table.csv")
        for closed in ("2>&-", "<&- 2>&-", "<&- >&- 2>&-"):
            subprocess.run(f"exec '{MOOREA}' run - -r Seeds -g 3000 --memory 300k --populations '{table}' {closed}", input="x = 2, y = 1\n2o!\n" if "<" not in closed else None,
                           shell=True, text=True, timeout=60, stdout=subprocess.DEVNULL)
            if "<" in closed:  # nothing to read
                self.assertFalse(os.path.exists(table))
            else:
                self.assertRegex(pathlib.Path(table).read_text(), r"^generation,population\n(\d+,\d+\n)+$")
                os.unlink(table)
        result = subprocess.run(f"exec '{MOOREA}' run '{ACORN}' -g 1 >&-", shell=True, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (1, "moorea: standard output: cannot write\n"))

    @unittest.skipIf(SANITIZED == "thread", "the thread sanitizer's threads do not end")
    def test_a_kernel_file_that_never_ends(self):
        endless = self.file("endless.cpp", '#include <moorea/kernel.h>\n#include <fcntl.h>\n'
                            'extern "C" void advance(const moorea::kernels::Block&) { open(BEGUN, O_CREAT, 0600); for (volatile int i = 0;;) i = i; }\n')
        out = self.file("out.rle")
        for signals in ((signal.SIGTERM,), (signal.SIGINT, signal.SIGINT)):
            process = subprocess.Popen([MOOREA, "run", "--random", "0.5", "--size", "100", "-g", "10", "--threads", "1", "--kernel-file", endless, "-o", out],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=dict(os.environ, CXXFLAGS=f'-DBEGUN="{self.file("begun")}"'))
            while process.poll() is None and not os.path.exists(self.file("begun")):
                time.sleep(0.02)
            os.unlink(self.file("begun"))
            for number in signals:
                process.send_signal(number)
                time.sleep(0.1)
            _, talk = process.communicate(timeout=60)
            self.assertEqual(process.returncode, -signals[0], talk)
            if len(signals) == 1:
                self.assertIn(f"the kernel file {endless} did not end its generation", talk)
            self.assertFalse(os.path.exists(out))

    def test_a_crash_in_a_kernel_file_is_named(self):
        for code, name, number in (("*(volatile int*)16 = 1;", "SIGSEGV", signal.SIGSEGV), ("__builtin_abort();", "SIGABRT", signal.SIGABRT)):
            crash = self.file("crash.cpp", f'#include <moorea/kernel.h>\nextern "C" void advance(const moorea::kernels::Block&) {{ {code} }}\n')
            # A sanitizer would handle the signal in its own way
            environment = dict(os.environ, ASAN_OPTIONS="handle_segv=0:handle_abort=0", TSAN_OPTIONS="handle_segv=0:handle_abort=0")
            result = moorea("run", "--random", "0.5", "--size", "100", "-g", "1", "--kernel-file", crash, env=environment)
            self.assertIn(f"moorea: crash ({name}", result.stderr)
            self.assertIn(crash, result.stderr)
            if SANITIZED != "thread":
                self.assertEqual(result.returncode, -number)


if __name__ == "__main__":
    shard.main()
