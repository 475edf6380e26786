#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Error messages and exit codes, suggestions, help texts and shell completions."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import shard
from command_case import ACORN, Case, GLIDER, LEFT_TO_OTHERS, SANITIZED, TAKES_LONG, moorea
from programs import FAULTY, MOOREA


class Errors(Case):
    def test_files(self):
        self.refused(1, "No such file", "run", self.file("none.rle"))
        self.refused(1, "Is a directory", "run", str(self.folder))
        for name, content, text in (("truncated.rle", "x = 3, y = 3\nbo$2bo$3o", "line 2, column 10"),
                                    ("run.rle", "x = 3, y = 3\n1000000000000000000o!", "line 2, column 1"),
                                    ("lies.rle", "x = 2, y = 2\n3o!", "line 2, column 1"),
                                    ("far.life", "#Life 1.06\n0 0\n9999999999999999999 0\n", "is larger than"),
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
        self.refused(2, "unknown option --versoin; did you mean --version?", "--versoin", lines=2)
        for arguments in ([], ["frobnicate"], ["run"], ["run", "--frobnicate"], ["run", ACORN, "--random", "0.5"], ["run", "--random", "0.5"],
                          ["run", "--random", "2", "--size", "10"], ["run", ACORN, "--size=-3x4"], ["run", ACORN, "--size", "0x4"],
                          ["run", ACORN, "--topology", "klein", "--size", "10"], ["run", ACORN, "--topology", "torus"],
                          ["run", ACORN, "--topology", "plane"], ["run", ACORN, "--topology", "unbounded", "--size", "20"], ["bench", "--topology", "unbounded"],
                          ["run", ACORN, "--threads=-1"], ["run", ACORN, "--threads", "x"], ["run", ACORN, "--kernel", "cpu/none"],
                          ["run", ACORN, "-o", "x.png"], ["run", ACORN, "--format", "rle"], ["run", ACORN, "-o", "-", "--json"],
                          ["run", ACORN, "--memory", "lots"], ["info", ACORN, "--rules"], ["convert", ACORN], ["convert", ACORN, "-", "--format", "gif"],
                          ["verify", ACORN], ["bench", "--kernel", "cpu/none"], ["bench", "--size", "x"], ["completion", "tcsh"], ["bench", "--submit", "--json"]):
            result = moorea(*arguments)
            self.assertEqual(result.returncode, 2, (arguments, result.stderr))
            self.assertNotEqual(result.stderr + result.stdout, "")

    def test_did_you_mean(self):
        self.refused(2, 'there is no command "runn"; did you mean run?', "runn", ACORN, lines=2)
        self.refused(2, 'there is no command "nosuch"\n', "nosuch", lines=2)
        self.refused(2, 'there is no command "runn"; did you mean run?', "help", "runn", lines=2)
        self.refused(2, "--seed is of the noise of --random", "run", ACORN, "--seed", "7", "-g", "1")
        self.refused(2, "--seed is of the noise of --random", "serve", "--seed", "7")
        self.refused(2, 'expected a number such as 0.5, not "50%"', "run", "--random", "50%", "--size", "8", lines=0)
        self.refused(2, 'there is no command "verison"; did you mean version?', "verison", lines=2)
        self.refused(2, "unknown option --gen; did you mean --generations?\nmoorea run --help lists the options", "run", ACORN, "--gen", "5", lines=2)
        self.refused(2, 'unexpected argument "another.rle"\n', "run", ACORN, "another.rle", lines=2)
        self.refused(2, "moorea --help lists the commands", "nosuch", lines=2)
        self.refused(2, "unknown option --frobnicate\n", "--frobnicate", "run", lines=2)
        self.refused(2, "did you mean --palette?", "render", ACORN, "--pallete=ink", "-o", "a.png", lines=2)
        for wrong, right in (("cpu/stridde", "cpu/strided"), ("bits", "cpu/bits"), ("tiled", "cpu/ladder/02_tiled"), ("14_bits", "cpu/ladder/14_bits_lazy")):
            self.refused(2, f'there is no kernel "{wrong}"; did you mean {right}? moorea kernels lists', "run", ACORN, "--kernel", wrong)
        self.refused(2, "the nearest rule with a name is Life, B3/S23", "run", ACORN, "-r", "Lief", lines=4)
        self.refused(2, "the nearest rule by transitions is WireWorld", "run", ACORN, "-r", "WyreWurld", lines=4)
        self.refused(2, "the nearest rule by transitions is JvN29", "run", ACORN, "-r", "JvN", lines=4)
        self.refused(2, "the nearest rule with a name is Critters", "run", ACORN, "-r", "Crit", lines=4)
        self.file("Own.rule", "")
        self.refused(2, "did you mean ./Own.rule?", "run", ACORN, "-r", "./Onw.rule", lines=3, cwd=self.folder)
        self.refused(2, 'rule "Житє", character 1', "run", ACORN, "-r", "Житє", lines=3)
        self.refused(2, 'rule "23/3é", character 5: expected a count 0 to 8 or the end\n  23/3é\n      ^\n', "run", ACORN, "-r", "23/3é", lines=0)
        self.refused(2, "two sizes: leave one of them out", "run", ACORN, "-r", "B3/S23:T50,50", "--size", "20")
        self.refused(1, "as its top-left cell; enlarge the world\n", "run", ACORN, "--size", "5x100")
        self.refused(1, f"No such file or directory; did you mean {ACORN}?", "run", ACORN.replace("acorn", "acron"))
        self.file("glider.rle", GLIDER)
        self.refused(1, "did you mean glider.rle?", "info", "gilder.rle", cwd=self.folder)
        # Where the program was built, and where it is installed
        self.refused(1, "; did you mean patterns/acorn.rle?", "run", "acorn.rle", cwd=pathlib.Path(ACORN).parents[1])
        for folder in ("bin", "share/moorea/patterns"):
            (self.folder / folder).mkdir(parents=True)
        shutil.copy(MOOREA, self.folder / "bin")
        shutil.copy(ACORN, self.folder / "share/moorea/patterns")
        result = moorea("run", "acorn.rle", program=self.folder / "bin" / pathlib.Path(MOOREA).name, cwd=self.folder)
        self.assertIn(f"; did you mean {self.folder.resolve()}/share/moorea/patterns/acorn.rle?", result.stderr)
        self.assertNotIn("did you mean", self.refused(1, "No such file", "info", "something-else.rle", cwd=self.folder).stderr)
        # Of another type, or of one that is not a pattern
        self.assertNotIn("did you mean", self.refused(1, "No such file", "info", "gilder.mc", cwd=self.folder).stderr)
        self.refused(1, "did you mean glider.rle?", "info", "glider.mc", cwd=self.folder)
        self.file("before.json", "{}")
        for command in (["compare", "befor.json", "before.json"], ["plot", "befor.json", "-o", "a.html"], ["replay", "befor.json"]):
            self.refused(1, "No such file or directory; did you mean before.json?\n", *command, cwd=self.folder)

    def test_a_misspelt_option_is_named_before_one_that_is_missing(self):
        for right, wrong, *arguments in (("--worlds", "--world", "ensemble"), ("--palette", "--pallete", "film"), ("--output", "--ouput", "study", "ladder")):
            self.refused(2, f"unknown option {wrong}; did you mean {right}?\n", *arguments, wrong, "10", lines=2)
        self.refused(2, "unknown option --pattern\n", "export", "--pattern", "x", lines=2)
        self.refused(2, "--output is required\n", "export", ACORN, lines=2)

    def test_values_that_are_nearly_right(self):
        for right, *arguments in (("viridis", "render", ACORN, "--palette", "virdis", "-o", "a.png"), ("trails", "render", ACORN, "--show", "trials", "-o", "a.png"),
                                  ("sphere", "run", "--mesh", "shpere:8", "--random", "0.5"), ("ladder", "study", "laddr", "-o", "a.html")):
            self.refused(2, f"; did you mean {right}?\n", *arguments)

    def test_control_characters_do_not_reach_the_terminal(self):
        for arguments in (["run", "x\033[31my"], ["run", ACORN, "--kernel", "\033[2J"], ["run", ACORN, "--size", "\u009b5"], ["census", "--symmetry", "\a"],
                          ["run", ACORN, "--\033c"], ["\033[5m"], ["--\033"], ["run", ACORN, "\033"]):
            error = moorea(*arguments).stderr
            self.assertRegex(error, r"\\x(1b|9b|07|c2)", arguments)
            self.assertFalse(set(error) & {"\033", "\a", "\u009b"}, error)
        file = self.file("author.rle")
        pathlib.Path(file).write_bytes(b"#O \xc2\x9b x\xff \xc3\xa9 \xe0\x80\x9b \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82\xac\nx = 3, y = 3\nbo$2bo$3o!\n")
        self.assertIn("author      \\xc2\\x9b x\\xff \u00e9 \\xe0\\x80\\x9b \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \u20ac\n", moorea("info", file).stdout)
        os.rename(file, file + "\033")
        self.assertIn("author.rle\\x1b\n", moorea("info", file + "\033").stdout)

    def test_rules_of_other_families_are_named(self):
        self.refused(2, "weighted Life: Moorea does not run it yet", "run", ACORN, "-r", "NW1,2,3")
        foreign = self.file("foreign.rle", GLIDER.replace("B3/S23", "W110"))
        self.refused(1, "elementary (Wolfram's one-dimensional rules): Moorea does not run it yet", "run", foreign, lines=2)
        self.refused(1, f"{foreign}: the pattern's rule is not supported: rule \"W110\"", "run", foreign, lines=2)

    def test_rules_of_more_than_two_states(self):
        world = ("-r", "/2/3", "--random", "0.3", "--size", "64", "-g", "3")
        self.refused(4, "cells of two states, and the rule has more", "run", *world, "--kernel", "hashlife")
        self.refused(2, "--checkpoint needs a rule of two states", "run", *world, "--checkpoint", self.file("brain.checkpoint"))
        self.refused(2, "a search for the period needs a rule of two states", "run", *world[:-2], "--until", "period")
        self.refused(2, "a world on a mesh needs a rule of two states", "run", "--mesh", "sphere:8", "--random", "0.3", "-r", "/2/3")
        self.refused(2, "identify needs a rule of two states", "identify", ACORN, "-r", "/2/3")
        self.refused(2, "an ensemble needs a rule of two states", "ensemble", "-r", "/2/3", "--worlds", "3", "--size", "20", "-o", self.file("brain.csv"))

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


class Help(Case):
    def test_help_teaches(self):
        top, run = (" ".join(self.ok(*command, "--help").stdout.split()) for command in ([], ["run"]))
        self.assertIn("Exit codes: 0 done, 1 a file or the run failed, 2 wrong usage, 3 results differ, 4 kernel or device unavailable, "
                      "124 ended by --time-limit, 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP, 141 if nobody reads the output any more.", top)
        self.assertIn("exits with 130; SIGTERM and SIGHUP do the same, with 143 and 129, and --time-limit with 124.", run)
        self.assertIn("0 done, 1 a file or the run failed, 2 wrong usage, 3 --until was not fulfilled, 4 kernel or device unavailable.", run)
        for command in ("run", "info", "convert", "verify", "bench", "compare", "reduce", "completion"):
            self.assertIn("Examples:", self.ok(command, "--help").stdout)
        self.assertRegex(self.ok("--version").stdout, r"moorea \d+\.\d+\.\d+")

    def test_manual_pages(self):
        folder = self.folder / "man"
        self.ok("man", "--all", str(folder))
        pages = {path.name: path.read_text() for path in folder.iterdir()}
        self.assertIn("moorea-run.1", pages)
        self.assertEqual(self.ok("man").stdout, pages["moorea.1"])
        self.assertEqual(self.ok("man", "run").stdout, pages["moorea-run.1"])
        # Every command that the help lists, and every option of the help
        commands = re.findall(r"(?m)^  (\w+)  ", self.ok("--help").stdout.split("Subcommands:")[1].split("Start here")[0])
        self.assertEqual({f"moorea-{name}.1" for name in commands} | {"moorea.1"}, set(pages))
        options = set(re.findall(r"(?m)^  (?:-\w,)?(--[\w-]+)", self.ok("run", "--help").stdout))
        self.assertGreater(len(options), 40)
        for option in options:
            self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", pages["moorea-run.1"])
        self.refused(2, "did you mean run?", "man", "rnu")
        if not shutil.which("groff"):
            self.skipTest("groff is not installed (Debian: groff-base): the pages are not formatted")
        for name, page in pages.items():
            result = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True, text=True, timeout=60)
            self.assertEqual((result.returncode, result.stderr), (0, ""), name)

    def test_words_for_help_and_version(self):
        self.refused(2, 'help: unexpected argument "bench"', "help", "run", "bench")
        self.refused(2, 'version: unexpected argument "run"', "version", "run")

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_completion(self):
        script = self.file("completion.bash", self.ok("completion", "bash").stdout)
        for words, expected in ((["moorea", "veri"], "verify"), (["moorea", "vers"], "version"), (["moorea", "help", "cen"], "census"), (["moorea", "man", "cen"], "census"),
                                (["moorea", "completion", "z"], "zsh"), (["moorea", "run", "--kernel-"], "--kernel-file"), (["moorea", "run", "--kernel", "cpu/r"], "cpu/reference"),
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


if __name__ == "__main__":
    shard.main()
