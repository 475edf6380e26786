#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pattern files: info and convert, outputs of run, standard streams, links and full disks."""
import os
import pathlib
import subprocess
import unittest

import shard
from command_case import ACORN, Case, GLIDER, LARGE_FILES_OF_TSAN, SANITIZED, limit_files, moorea
from programs import MOOREA


class PatternFiles(Case):
    def test_info(self):
        info = self.json("info", ACORN)
        self.assertEqual((info["format"], info["population"], info["rule"], info["name"]), ("rle", 7, "B3/S23", "Acorn"))
        self.assertIn("population  7", self.ok("info", ACORN).stdout)
        self.assertEqual(self.json("info", "--rule", "T46789")["name"], "Anneal")
        self.assertEqual(self.json("info", "--rule", "T46789")["totals"], "T46789")
        life = self.json("info", "--rule", "Life")
        self.assertNotIn("totals", life)
        # The numbers of docs/logic.md for Life
        self.assertEqual((life["gates_per_word"], life["operations_per_word"]), (7.5, 18.5))
        self.assertIn("7.5 gates per word", self.ok("info", "--rule", "Life").stdout)
        brain = self.json("info", "--rule", "B2/S/C3")
        self.assertEqual([brain[key] for key in ("rule", "name", "class", "states", "birth", "survival")],
                         ["/2/3", "Brian's Brain", "Generations", 3, [2], []])
        self.assertEqual((life["class"], life["states"]), ("life-like", 2))
        for line in ("class     Generations\n", "states    3: dead, alive and 1 dying\n", "birth     with 2 live neighbours\n"):
            self.assertIn(line, self.ok("info", "--rule", "/2/3").stdout)
        self.assertIn("HighLife", self.ok("info", "--rules").stdout)
        self.assertEqual(self.json("info")["devices"][0]["name"], "cpu")
        self.assertIn("not of the family", self.ok("info", "-", stdin="x = 1, y = 1, rule = W110\no!").stdout)

    def test_rules_in_files(self):
        # Cells of state 1 spread to the east and leave state 2
        rule = "@RULE East\n@TABLE\nn_states:3\nneighborhood:oneDimensional\nsymmetries:none\nvar a={0,1,2}\n0,1,a,1\n1,a,0,2\n@NAMES\n1 one\n@COLORS\n1 9 8 7\n"
        path = self.file("East.rule", rule)
        capitals = self.file("CAPITALS.RULE", rule)
        self.assertEqual(self.json("run", ACORN, "-r", capitals, "-g", "9")["hash"], self.json("run", ACORN, "-r", path, "-g", "9")["hash"])
        info = self.json("info", "--rule", path)
        self.assertEqual([info[key] for key in ("rule", "class", "states", "neighbours", "ignored")], ["East", "transitions", 3, 4, ["NAMES"]])
        self.assertIn("not used: NAMES", self.ok("info", "--rule", path).stdout)
        folder = {**os.environ, "MOOREA_RULES": str(self.folder)}
        start = self.file("start.rle", "x = 2, y = 1, rule = East:P9,3\nBA!")
        written = self.ok("run", start, "-g", "3", "-o", "-", env=folder).stdout
        self.assertIn("rule = East:P9,3\n", written)
        self.assertIn("4BA!", written.replace("\n", ""))
        for kernel in ("cpu/states/reference", "cpu/states/lookup"):
            self.ok("verify", "--rule", path, "--random", "0.5", "--size", "70x20", "-g", "20", "--kernel", kernel)
        picture = self.file("east.png")
        self.ok("render", start, "-o", picture, env=folder)
        self.assertGreater(os.path.getsize(picture), 0)
        # A rule from a path keeps its name, also where the pattern's file has bounds and names another rule
        other = self.file("other.rle", "x = 2, y = 1, rule = B3/S23:P9,3\nBA!")
        run = self.ok("run", other, "-r", path, "-g", "3", "-o", "-")
        self.assertIn("rule = East:P9,3\n", run.stdout)
        self.assertIn("\n@RULE East\n", run.stdout)
        self.assertNotIn("names the rule", run.stderr)
        # It is enough to go on without the rule's file
        self.assertIn("rule = East:P9,3\n", self.ok("run", self.file("own.rle", run.stdout), "-g", "3", "-o", "-").stdout)
        self.assertIn("\n@RULE East\n", written)
        run = self.ok("run", other, "-r", path, "-g", "3", "-o", "-", "--format", "mc")
        self.assertIn(f"names the rule East alone: it is run with --rule {path}, or", run.stderr)
        # Other formats have no definitions
        own, other_format = self.file("own.rle"), self.file("own.mc")
        for command in (["run", own, "-g", "1", "-o", other_format], ["convert", own, other_format]):
            self.assertIn("names the rule East alone: RLE has its definition too", self.ok(*command).stderr)
            self.assertNotIn("names the rule", self.ok(*command, env=folder).stderr)
        # A file that only happens to be called as the rule
        self.file("Life", "")
        self.assertNotIn("names the rule", self.ok("run", ACORN, "-r", "Life", "-g", "3", "-o", "-", cwd=self.folder).stderr)
        # Without the folder
        self.refused(1, "the pattern's rule is not supported", "run", start, "-g", "3", lines=None)
        self.refused(2, "there is no such file, nor one of that name in", "run", ACORN, "-r", "West.rule", lines=None)
        broken = self.file("Broken.rule", rule.replace("0,1,a,1", "0,1,a,3"))
        self.refused(1, f"{broken}, line 7: state 3 of a rule with states 0 to 2", "run", ACORN, "-r", broken)
        for arguments in (["--out-of-core"], ["--kernel", "cpu/strided"], ["--checkpoint", self.file("a.checkpoint")], ["--kernel", "hashlife"]):
            result = moorea("run", "--rule", path, "--random", "0.5", "--size", "64", "-g", "5", *arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn("moorea: ", result.stderr)

    def test_convert(self):
        for end in ("cells", "life", "pbm", "rle.gz", "cells.gz"):
            there, back = self.file("a." + end), self.file("b.rle")
            self.ok("convert", ACORN, there)
            self.ok("convert", there, back)
            self.assertIn("bo$3bo$2o2b3o!", pathlib.Path(back).read_text())
        self.assertIn("rule = B36/S23", self.ok("convert", ACORN, "-", "-r", "HighLife").stdout)
        # In a bounded grid the size in the header says where cells without a position are
        short = self.file("short.rle", "x = 3, y = 9, rule = B3/S23:P5,9\n3o!\n")
        known = self.json("run", short, "-g", "1")
        for end in ("rle", "mc", "life", "cells", "pbm"):
            there = self.file("short." + end) if end != "rle" else self.file("there.rle")
            self.ok("convert", short, there)
            moved = self.json("run", there, "-g", "1")
            self.assertEqual([moved[key] for key in ("population", "hash")], [known[key] for key in ("population", "hash")], end)
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

    def test_line_ends_of_old_macs(self):
        for name, text in (("a.mc", "[M2] (golly 2.0)\n#R B3/S23\n.*$..*$***$\n4 1 0 0 0\n"), ("a.lif", "#Life 1.06\n1 0\n2 1\n0 2\n1 2\n2 2\n"),
                           ("a.cells", "!Name: x\n.O.\n..O\nOOO\n"), ("a.rle", "#N x\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n")):
            path = self.file(name)
            pathlib.Path(path).write_bytes(text.replace("\n", "\r").encode())
            self.assertEqual(self.json("info", path)["population"], 5, name)

    def test_comments_are_kept_as_they_are(self):
        comments = ["  +---+", "  | x |", "", "  +---+"]
        path = self.file("a.rle", "".join(f"#C {each}\n".replace("#C \n", "#C\n") for each in comments) + "x = 1, y = 1, rule = B3/S23\no!\n")
        for name in ("b.rle", "b.mc", "b.cells", "c.rle"):
            self.ok("convert", path, self.file(name))
            path = self.file(name)
            self.assertEqual(self.json("info", path)["comments"], comments, name)

    def test_another_rule_for_states(self):
        """The odd states of LifeHistory are alive; other states that a rule does not have are an error."""
        history = self.file("history.rle", "x = 3, y = 3, rule = LifeHistory\n.AC$2BE$.DA!\n")
        life = str(self.folder / "life.rle")
        self.assertEqual(moorea("convert", "-r", "Life", history, life).returncode, 0)
        self.assertTrue(pathlib.Path(life).read_text().endswith("B3/S23\nb2o$2bo$2bo!\n"), pathlib.Path(life).read_text())
        self.assertEqual(moorea("run", life, "-g", "1").returncode, 0)
        alone = self.file("alone.rle", "x = 3, y = 1, rule = LifeHistory\n3A!\n")  # no marks: letters are not needed
        self.assertTrue(moorea("convert", "-r", "Life", alone, "-").stdout.endswith("B3/S23\n3o!\n"))
        brain = self.file("brain.rle", "x = 2, y = 1, rule = B2/S/3\nAB!\n")
        self.refused(2, "cells in state 2, and the states of the rule are 0 to 1", "convert", "-r", "Life", brain, str(self.folder / "none.rle"))
        self.assertFalse((self.folder / "none.rle").exists())
        self.assertIn("AB!", moorea("convert", "-r", "B2/S/4", brain, "-").stdout)

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

    def test_outputs_that_cannot_be_written(self):
        self.refused(1, "cannot create", "run", ACORN, "-g", "1", "-o", self.file("none/out.rle"))
        self.refused(1, "cannot write", "run", ACORN, "-g", "1", "-o", str(self.folder), "--format", "rle")
        self.refused(1, "No space left", "run", ACORN, "-g", "1", "-o", "/dev/full", "--format", "rle", report="generation 1,")
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
                     report="generation 1,", preexec_fn=lambda: limit_files(10000))
        self.assertEqual(pathlib.Path(out).read_text(), "old")
        self.assertEqual(os.listdir(self.folder), ["out.pbm"])


if __name__ == "__main__":
    shard.main()
