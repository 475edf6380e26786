#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea grade: kernels that are right, wrong, crash, do not end and cannot be compiled."""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import unittest

import shard
from programs import MOOREA
from command_case import ACORN, Case, EXAMPLES, SANITIZED, TAKES_LONG, moorea

HEAD = "// @layout bytes\n#include <moorea/kernel.h>\nextern \"C\" void advance(const moorea::kernels::Block& block) {\n"


def state_of(process):
    """Its state, and its CPU time in seconds; a dead one if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return fields[0], int(fields[11]) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return "X", 0


@unittest.skipIf(SANITIZED, TAKES_LONG)
class Grades(Case):
    def grades(self, *arguments):
        """The grades by file, and the exit code."""
        result = moorea("grade", *arguments, "--size", "128", "--json")
        return {grade["file"]: grade for grade in json.loads(result.stdout)["grades"]}, result.returncode

    def test_right_ones(self):
        mine, bits, page = str(EXAMPLES / "mine.cpp"), str(EXAMPLES / "mine_bits.cpp"), self.file("grades.html")
        grades, code = self.grades(mine, bits, "-o", page)
        self.assertEqual(code, 0)
        for grade in grades.values():
            self.assertEqual((grade["correct"], grade["correct_worlds"], grade["worlds"]), (True, 24, 24))
            self.assertEqual(set(grade["relative"]), {"cpu/ladder/01_serial", "cpu/bits"})
            self.assertGreater(grade["cells_per_second"], 0)
        self.assertGreater(grades[bits]["relative"]["cpu/ladder/01_serial"], grades[mine]["relative"]["cpu/ladder/01_serial"])
        text = (self.folder / "grades.html").read_text()
        for word in ("<h1>Grades</h1>", mine, "correct in 24 of 24 worlds", "times cpu/bits"):
            self.assertIn(word, text)
        # The same as a table, with a line for each kernel
        wrong = self.file("wrong, \"really\".cpp", HEAD + "}\n")
        rows = list(csv.DictReader(moorea("grade", mine, wrong, "--size", "128", "--worlds", "6", "--csv", "-").stdout.splitlines()))
        self.assertEqual([(row["file"], row["correct"], row["worlds"]) for row in rows], [(mine, "true", "6"), (wrong, "false", "6")])
        self.assertGreater(float(rows[0]["times_cpu/bits"]), 0)
        self.assertEqual((rows[0]["reason"], rows[1]["cells_per_second"], rows[1]["times_cpu/bits"]), ("", "", ""))
        self.assertIn(" instead of ", rows[1]["reason"])
        self.refused(2, "--csv - and --json both want standard output", "grade", mine, "--csv", "-", "--json")
        same = self.file("same.html")
        self.refused(2, "the same file", "grade", mine, "--csv", same, "-o", same)
        # A forgotten name makes the first kernel that of the table
        before = pathlib.Path(wrong).read_text()
        self.refused(2, "it is named as a kernel", "grade", "--csv", wrong, mine)
        copy = self.file("copy.txt", before)
        os.link(wrong, self.file("link.txt"))
        self.refused(2, "the same file", "grade", wrong, mine, "--csv", self.file("link.txt"))
        self.assertEqual(pathlib.Path(wrong).read_text(), pathlib.Path(copy).read_text())
        # Another seed has other worlds (of a kernel that is not timed); a rule that a kernel is not for is refused
        nothing = self.file("nothing.cpp", HEAD + "}\n")
        worlds = lambda *more: [(trial["width"], trial["height"]) for trial in self.grades(nothing, "--worlds", "6", *more)[0][nothing]["trials"]]
        self.assertNotEqual(worlds("--seed", "1"), worlds("--seed", "2"))
        self.assertEqual(worlds("--seed", "1"), worlds("--seed", "1"))
        grades, code = self.grades(bits, "--rule", "HighLife", "--worlds", "6")
        self.assertEqual((code, grades[bits]["verdict"], grades[bits]["cells_per_second"]), (4, "refuses all worlds", None))

    def test_cells_outside_the_block(self):
        """Here the answer is right, for another block is written later, or nobody reads what was written."""
        right = (EXAMPLES / "mine.cpp").read_text()
        for name, wider in (("column", right.replace("x < block.width", "x < block.width + 1")), ("row", right.replace("y < block.height", "y < block.height + 1"))):
            self.assertNotEqual(wider, right, name)
            grades, code = self.grades(self.file(f"{name}.cpp", wider), "--worlds", "4")
            grade = next(iter(grades.values()))
            self.assertEqual((code, grade["correct"]), (3, False))
            for trial in grade["trials"]:
                self.assertEqual(trial["outcome"], "wrong")
                self.assertRegex(trial["reason"], r"after generation 0 it writes to cell \(\d+, \d+\), outside its block of \d+ x \d+ cells from \(0, \d+\) on")
            found = json.loads(moorea("verify", "--random", "0.5", "--size", "70x30", "--threads", "1", "--kernel-file", self.file(f"{name}.cpp"), "--json").stdout)
            self.assertEqual((found["same"], found["generation"]), (False, 0))
            self.assertEqual(found["outside_block"], {"cell": {"x": 70, "y": 0} if name == "column" else {"x": 0, "y": 30}, "block": {"x": 0, "y": 0, "width": 70, "height": 30}})
            # An unbounded plane, whose coordinates do not begin at its first cell
            text = moorea("verify", ACORN, "-g", "3", "--kernel-file", self.file(f"{name}.cpp"))
            self.assertEqual(text.returncode, 3)
            self.assertIn("writes outside its block: after generation 0 at cell (", text.stdout)

    def test_trials_end_with_their_parent(self):
        """A trial that does not end would go on for ever when grade is killed."""
        endless = self.file("endless.cpp", HEAD + "for (volatile int i = 0;;) i = i;\n}\n")
        grade = subprocess.Popen([MOOREA, "grade", endless, "--size", "128", "--time-limit", "100s"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        children, end = [], time.monotonic() + 60
        # The trial, once it has had time to be compiled and to run
        while time.monotonic() < end and not any(state_of(child)[1] > 0.5 for child in children):
            children = pathlib.Path(f"/proc/{grade.pid}/task/{grade.pid}/children").read_text().split()
            time.sleep(0.05)
        self.assertEqual(len(children), 1)
        grade.kill()
        grade.wait()
        while time.monotonic() < end and state_of(children[0])[0] not in "XZ":
            time.sleep(0.05)
        self.assertIn(state_of(children[0])[0], "XZ")

    def test_wrong_ones(self):
        right = (EXAMPLES / "mine.cpp").read_text()
        kernels = {
            "nothing": (HEAD + "}\n", "wrong in "),
            # Only the last column of a block
            "edge": (right.replace("above[x + 1]", "(x + 1 == block.width ? 0 : above[x + 1])"), "wrong in "),
            "quits": (right.replace('extern "C"', '#include <unistd.h>\nstatic const int quit = (_exit(0), 0);\nextern "C"'), "crashes in "),
            # With an exit code of the program's own
            **{f"quits_{code}": (right.replace('extern "C"', '#include <unistd.h>\nextern "C"').replace("  const RuleMask rule", f"  if (block.width > 100) _exit({code});\n  const RuleMask rule"), "crashes in ")
               for code in (1, 3, 4)},
            "throws": (HEAD + "if (block.width > 100) throw 5;\n}\n", "crashes in "),
            "throws_text": ("#include <stdexcept>\n" + HEAD + 'if (block.width > 100) throw std::runtime_error("no rows");\n}\n', "crashes in "),
            "grows": ("#include <vector>\nstatic std::vector<std::vector<char>> all;\n" + HEAD + "int idle;\nfor (;;) all.emplace_back(1 << 24, 'x');\n}\n", "crashes in "),
            "crash": (HEAD + "if (block.width > 100) *(volatile int*)16 = 1;\n}\n", "crashes in "),
            "endless": (HEAD + "for (volatile int i = 0;;) i = i;\n}\n", "does not end in time"),
            "broken": (HEAD + "nobody();\n}\n", "cannot be tried"),
            # Only in rows that are longer than those of many trials
            "long": (right.replace("above[x + 1]", "(x >= 1030 ? 0 : above[x + 1])"), "wrong in "),
            "static": (right.replace("for (std::int64_t x", "static std::uint8_t line[1 << 13];\n    for (std::int64_t x").replace("to[x] =", "line[x] =")
                       .replace(";\n    }\n", ";\n    }\n    for (std::int64_t x = 0; x < block.width; ++x) to[x] = line[x];\n"), "wrong in "),
        }
        files = {name: self.file(f"{name}.cpp", code) for name, (code, _) in kernels.items()}
        begun = time.monotonic()
        # Among eight worlds there are long ones, noise, gliders, and several threads
        grades, code = self.grades(*files.values(), "--worlds", "8", "--time-limit", "4s", "--memory-limit", "200M")
        self.assertEqual(code, 3)
        self.assertLess(time.monotonic() - begun, 100)
        for name, (_, verdict) in kernels.items():
            grade = grades[files[name]]
            self.assertFalse(grade["correct"])
            self.assertTrue(grade["verdict"].startswith(verdict), (name, grade["verdict"]))
            self.assertIsNone(grade["cells_per_second"])
        reasons = lambda name: " ".join(trial.get("reason", "") for trial in grades[files[name]]["trials"])
        self.assertRegex(reasons("nothing"), r"at generation 1 cell \(\d+, \d+\) is dead instead of alive")
        self.assertIn("Segmentation fault", reasons("crash"))
        self.assertIn("it ended the program", reasons("quits_4"))
        self.assertIn("an exception leaves the kernel: it is no std::exception", reasons("throws"))
        self.assertIn("an exception leaves the kernel: no rows", reasons("throws_text"))
        self.assertIn("an exception leaves the kernel: std::bad_alloc; it may have 200.0 MiB of memory", reasons("grows"))
        self.assertIn("unused variable", grades[files["grows"]]["warnings"])
        self.assertNotIn("warnings", grades[files["throws"]])
        self.assertIn("did not end within 4 s", reasons("endless"))
        self.assertIn("nobody", reasons("broken"))
        self.assertRegex(reasons("static"), "right with one thread|repeated, it was right")
        # The command that repeats a trial, with noise and with gliders, finds the same
        for is_noise in (True, False):
            trial = next(trial for trial in grades[files["nothing"]]["trials"] if trial["outcome"] == "wrong" and (trial["density"] > 0) == is_noise)
            self.assertTrue(trial["repeat"].startswith("moorea" if is_noise else "echo"))
            repeated = subprocess.run(["sh", "-c", trial["repeat"].replace("moorea verify", f"'{MOOREA}' verify")], capture_output=True, text=True)
            self.assertEqual(repeated.returncode, 3, repeated.stderr)
            generation, x, y = re.search(r"generation (\d+) cell \((\d+), (\d+)\)", trial["reason"]).groups()
            self.assertIn(f"generation {generation}, cell ({x}, {y})", repeated.stdout)
        # Messages keep their lines, and what is not compiled has no world
        page = self.file("broken.html")
        moorea("grade", files["broken"], "-o", page)
        text = pathlib.Path(page).read_text()
        self.assertRegex(text, r"refuses [^<]*\n[^<]*error")
        self.assertNotIn("plane", text)
        self.assertNotIn("repeat: ", text)

    def test_what_a_trial_leaves(self):
        """Processes in sessions of their own are ended, and no temporary file stays."""
        temporary = self.folder / "temporary"
        temporary.mkdir()
        mark = f"86{os.getpid()}"  # seconds that nobody else sleeps
        forks = self.file("forks.cpp", "#include <cstdlib>\n" + (EXAMPLES / "mine.cpp").read_text().replace("const RuleMask rule", f'static const int started = std::system("setsid sleep {mark} &");\n  (void)started;\n  const RuleMask rule'))
        endless = self.file("endless.cpp", HEAD + "for (volatile int i = 0;;) i = i;\n}\n")
        result = moorea("grade", forks, endless, "--size", "64", "--worlds", "2", "--time-limit", "2s", "--json", env={**os.environ, "TMPDIR": str(temporary)})
        trial = json.loads(result.stdout)["grades"][0]["trials"][0]
        self.assertEqual((trial["outcome"], trial["reason"]), ("correct", "it started processes, of which 1 still ran and was ended"))
        commands = [path.read_bytes() for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
        self.assertNotIn(f"sleep\0{mark}\0".encode(), commands)
        self.assertEqual(list(temporary.iterdir()), [])

    def test_refusals_are_not_correct(self):
        refuses = self.file("refuses.cpp", "#include <cstdio>\n#include <unistd.h>\n" + (EXAMPLES / "mine.cpp").read_text().replace("const RuleMask rule", 'if (block.width > 100) std::fputs("moorea: no", stderr), _exit(4);\n  const RuleMask rule'))
        grades, code = self.grades(refuses, "--worlds", "8")
        grade = grades[refuses]
        self.assertEqual((code, grade["correct"]), (4, False))
        self.assertGreater(grade["refused_worlds"], 0)
        self.assertEqual(grade["verdict"], f"correct in {grade['correct_worlds']} of 8 worlds, refused in the others")

    def test_the_time_limit_is_of_computation(self):
        """One that waits, as on a machine with other work, has four times the limit."""
        source = "#include <unistd.h>\n" + (EXAMPLES / "mine.cpp").read_text()
        waits = lambda seconds: self.file(f"{seconds}.cpp", source.replace("const RuleMask rule", f"static const int waited = sleep({seconds});\n  (void)waited;\n  const RuleMask rule"))
        files = [waits(2), waits(600)]
        grades, code = self.grades(*files, "--worlds", "1", "--time-limit", "1s")
        self.assertEqual(code, 3)
        self.assertTrue(grades[files[0]]["correct"], grades)
        self.assertEqual(grades[files[1]]["verdict"], "does not end in time")

    def test_the_time_limit_is_of_the_kernel(self):
        """The reference takes more time than the limit in the last one of these worlds."""
        file = self.file("right.cpp", (EXAMPLES / "mine.cpp").read_text())
        grades, code = self.grades(file, "--worlds", "8", "--seed", "2026", "--time-limit", "0.5s")
        self.assertEqual((code, grades[file]["verdict"]), (0, "correct in 8 of 8 worlds"), grades[file])

    def test_what_fails_where_it_is_timed(self):
        """A trial in the world that is timed: no other one has its width."""
        right = (EXAMPLES / "mine.cpp").read_text()
        files = {name: self.file(f"{name}.cpp", right.replace("const RuleMask rule", f"if (block.width == 131 && block.height > 60) {fault};\n  const RuleMask rule"))
                 for name, fault in (("wrong", "return"), ("crashes", "*(volatile int*)16 = 1"), ("crashes too", "__builtin_exit(0)"), ("does not end in time", "for (volatile int i = 0;; i = i) {}"))}
        # Only after more calls than a trial makes: seen after the samples, whose time is not given. The second
        # one stops to compute when the world has settled, the third one has a single wrong generation.
        count = "static volatile int calls = 0;\n  if (block.width == 131) calls = calls + 1;\n  "
        for name, fault in (("crashes later", "if (calls > 4000) __builtin_exit(0)"), ("wrong later", "if (calls > 4000) return"),
                            ("wrong once later", "if (calls == 3000) return static_cast<void>(*row_to<std::uint64_t>(block, 0) = 0x0101010101010101)")):
            files[name] = self.file(f"{name}.cpp", right.replace("const RuleMask rule", f"{count}{fault};\n  const RuleMask rule"))
        result = moorea("grade", *files.values(), "--size", "131", "--worlds", "6", "--time-limit", "8s", "--json")
        grades = {grade["file"]: grade for grade in json.loads(result.stdout)["grades"]}
        self.assertEqual(result.returncode, 3)
        for name, file in files.items():
            grade = grades[file]
            verdict = re.sub(" (too|later|once later)$", "", name)
            self.assertEqual((grade["correct"], grade["verdict"], grade["correct_worlds"]), (False, verdict if verdict == "does not end in time" else f"{verdict} in 1 of 7 worlds", 6), grade)
            self.assertEqual((grade["trials"][-1]["width"], grade["trials"][-1]["height"], grade["trials"][-1]["threads"]), (131, 131, 0))

    def test_a_kernel_that_prints(self):
        printing = self.file("a,b.cpp", (EXAMPLES / "mine.cpp").read_text().replace("const RuleMask rule", 'std::printf("{");\n  const RuleMask rule').replace("#include", "#include <cstdio>\n#include", 1))
        grades, code = self.grades(printing, "--worlds", "6")
        self.assertEqual((code, grades[printing]["verdict"]), (0, "correct in 6 of 6 worlds"))
        self.assertGreater(grades[printing]["cells_per_second"], 0)
        result = moorea("run", "--kernel-file", printing, "--random", "0.4", "--size", "8", "-g", "2", "-o", "-")
        self.assertTrue(result.stdout.startswith("#CXRLE"), result.stdout)
        self.assertIn("{{", result.stderr)

    def test_lines_of_doxygen_are_comments(self):
        source = self.file("documented.cpp", "// @author somebody\n// @brief two lines\n" + (EXAMPLES / "mine.cpp").read_text())
        grades, code = self.grades(source, "--worlds", "1")
        self.assertEqual((code, grades[source]["correct"]), (0, True))

    def test_what_cannot_be_graded(self):
        mine = str(EXAMPLES / "mine.cpp")
        self.refused(1, f"did you mean {mine}?", "grade", str(EXAMPLES / "mien.cpp"), lines=0)
        own = self.file("own.cpp", "mine")
        self.refused(2, "ends in .html", "grade", own, "-o", own)
        self.refused(2, "ends in .cpp, .cu or .cl", "grade", ACORN)
        self.assertEqual((self.folder / "own.cpp").read_text(), "mine")
        self.refused(1, "TMPDIR", "grade", mine, env={"TMPDIR": "/nowhere", "PATH": os.environ["PATH"]})
        self.refused(2, "did you mean cpu/bits?", "grade", mine, "--against", "cpu/bit")
        # A rule that the kernels for comparison do not run: the fault is not theirs, as nobody has named them
        self.assertIn("mine.cpp: refuses all worlds", moorea("grade", mine, "--rule", "B2/S34H", "--worlds", "1").stdout)
        self.refused(4, "--against cpu/bits: ", "grade", mine, "--rule", "B2/S34H", "--against", "cpu/bits")
        self.refused(2, "expected a time", "grade", mine, "--time-limit", "5")
        self.refused(2, "the nearest rule", "grade", mine, "--rule", "Lief", lines=0)
        self.refused(1, "", "grade", mine, "-o", "/nowhere/grades.html", lines=0)
        # It is not the kernel's fault: no grade
        self.refused(4, 'cannot run the C++ compiler "nobodys-compiler"', "grade", mine, "-q", "--json", lines=0, env={"PATH": "/nowhere", "CXX": "nobodys-compiler"})


if __name__ == "__main__":
    if shutil.which("c++") is None:
        print("there is no C++ compiler: kernels from files are not graded")
        raise SystemExit(77)
    shard.main()
