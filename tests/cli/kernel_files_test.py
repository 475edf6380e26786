#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels from files of users: compilation, wrong answers, endless loops and crashes."""
import json
import os
import re
import signal
import subprocess
import time
import unittest

import shard
from command_case import ACORN, Case, EXAMPLES, LEFT_TO_OTHERS, SANITIZED, moorea
from programs import MOOREA


class KernelFiles(Case):
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
        for said in ("foo", "dynamic,0", "static,x", "guided,"):
            self.refused(2, f'OMP_SCHEDULE="{said}": expected static, dynamic, guided or auto', "run", *noise, "--kernel-file", tiled,
                         env=dict(os.environ, OMP_SCHEDULE=said))
        # What does not look at it is not disturbed, and an option goes before it
        self.ok("run", ACORN, "-g", "10", env=dict(os.environ, OMP_SCHEDULE="foo"))
        self.ok("run", *noise, "--kernel-file", tiled, "--schedule", "static", env=dict(os.environ, OMP_SCHEDULE="foo"))
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
            while not list(place.glob("moorea-*/messages")):
                time.sleep(0.01)
            time.sleep(0.2)
            os.killpg(running.pid, signal.SIGINT)
            self.assertIn("was ended by signal 2", running.communicate(timeout=60)[1])
            self.assertEqual((running.returncode, list(place.iterdir())), (130, []))
        mine = str(EXAMPLES / "mine_bits.cpp")
        self.refused(4, "it is for B3/S23", "run", *noise, "--rule", "HighLife", "--kernel-file", mine)
        self.assertTrue(self.json("verify", *noise, "--kernel", "cpu/strided", "--generations-per-pass", "3")["same"])
        self.refused(2, "leave one of them out", "run", *noise, "--kernel", "cpu/bits", "--kernel-file", mine)
        self.refused(2, "has no configurable tile size", "run", *noise, "--kernel-file", mine, "--tile", "64x4")
        self.refused(4, "cannot run the C++ compiler", "run", *noise, "--kernel-file", mine, env=dict(os.environ, CXX="nobodys-compiler"))

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_what_a_compiler_and_an_exception_say(self):
        noise = ["--random", "0.4", "--size", "130x70", "-g", "5"]
        right = (EXAMPLES / "mine.cpp").read_text()
        idle = self.file("idle.cpp", right.replace("const RuleMask rule", "int idle;\n  const RuleMask rule"))
        for command in (["run", *noise], ["verify", *noise], ["bench", "--size", "64", "--budget", "0.01"]):
            said = self.ok(*command, "--kernel-file", idle).stderr
            self.assertRegex(said, f"the compiler warns of {re.escape(idle)}:\n(.*\n)*.*unused variable 'idle'".replace("'", ".?"))
        self.assertIn("idle.cpp", self.json("verify", *noise, "--kernel-file", idle)["warnings"])
        self.assertNotIn("warnings", self.json("verify", *noise, "--kernel-file", str(EXAMPLES / "mine.cpp")))
        throws = self.file("throws.cpp", "#include <stdexcept>\n" + right.replace("const RuleMask rule", 'throw std::out_of_range("row 7");\n  const RuleMask rule'))
        said = moorea("run", *noise, "--kernel-file", throws).stderr
        self.assertIn("moorea: an exception leaves the kernel: row 7\n", said)
        self.assertEqual(said.count("an exception leaves the kernel:"), 1)

    def test_outputs_do_not_replace_them(self):
        own = self.file("own.cpp", "mine")
        self.refused(2, "name the same file", "trace", "--kernel-file", own, "--random", "0.4", "--size", "64", "-o", own)
        self.refused(2, "name the same file", "run", "--kernel-file", own, "--random", "0.4", "--size", "64", "--populations", own)
        rule = self.file("own.rule", "mine")
        self.refused(2, "name the same file", "run", "--rule", rule, "--random", "0.4", "--size", "64", "--populations", rule)
        self.refused(2, "name the same file", "export", ACORN, "--kernel-file", self.file("own.html", "mine"), "-o", self.file("own.html", "mine"))
        for name in ("own.cpp", "own.rule", "own.html"):
            self.assertEqual((self.folder / name).read_text(), "mine")

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_the_first_wrong_generation(self):
        """Also of an error that is gone after some generations, and of one that does not come again."""
        right = (EXAMPLES / "mine.cpp").read_text()
        twelve = ["--random", "0.3", "--size", "12", "--topology", "plane", "--threads", "1", "-g", "256", "--json"]
        # One neighbour suffices for the cell at the corner, where little lives for long
        line = re.search(r"      to\[x\] = .*\n", right)[0]
        healed = self.file("healed.cpp", right.replace(line, line + "      if (block.x == 0 && block.y == 0 && x == 0 && y == 0 && at[0] == 1 && neighbours == 1) to[x] = 1;\n"))
        found = 0
        for seed in range(40):
            result = moorea("verify", *twelve, "--seed", str(seed), "--kernel-file", healed)
            difference = json.loads(result.stdout)
            if difference["same"]:
                continue
            found += 1
            at = str(difference["generation"])
            wrong, expected = (self.json("run", *twelve[:-3], "--seed", str(seed), "-g", at, *kernel)["hash"] for kernel in (["--kernel-file", healed], ["--kernel", "cpu/reference"]))
            self.assertNotEqual(wrong, expected, seed)
            self.assertTrue(difference["repeatable"])
        self.assertGreater(found, 3)
        # Its tenth call
        body = right.replace("  for (std::int64_t y", "  static int calls = 0;\n  ++calls;\n  for (std::int64_t y", 1)
        tenth = self.file("tenth.cpp", body.replace(line, line + "      if (calls == 10 && x == 0 && y == 0) to[x] = 1 - to[x];\n"))
        difference = json.loads(moorea("verify", *twelve, "--kernel-file", tenth).stdout)
        self.assertEqual((difference["generation"], difference["cell"], difference["repeatable"]), (10, {"x": 0, "y": 0}, True))
        # A call that only the long steps of a block make
        later = self.file("later.cpp", body.replace(line, line + "      if (calls == 128 && x == 0 && y == 0) to[x] = 1 - to[x];\n"))
        result = moorea("verify", *twelve[:-1], "--kernel-file", later)
        self.assertEqual(result.returncode, 3)
        self.assertIn("generation 64", result.stdout)
        self.assertIn("the kernel depends on more than the cells", result.stdout)

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

    @unittest.skipIf(SANITIZED, LEFT_TO_OTHERS)
    def test_an_endless_kernel_costs_a_sweep_its_row_alone(self):
        endless = self.file("endless.cpp", '#include <moorea/kernel.h>\nextern "C" void advance(const moorea::kernels::Block&) { for (volatile int i = 0;;) i = i; }\n')
        command = ["bench", "--kernel", "cpu/bits", "--kernel-file", endless, "--size", "64", "--budget", "0.01", "--threads", "1", "--json"]
        for limit, code in (((), 1), (("--time-limit", "8s"), 124)):
            result = moorea(*command, *limit)
            self.assertEqual(result.returncode, code, result.stderr)
            document = json.loads(result.stdout)
            self.assertEqual([row["kernel"] for row in document["results"]], ["cpu/bits"])
            if not limit:
                self.assertRegex(document["not_timed"][0]["reason"], "^it does not compute 64 generations in 10 s, .* endless; not timed$")

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_a_kernel_that_ends_the_program_is_no_success(self):
        leaves = self.file("leaves.cpp", '#include <cstdlib>\n#include <moorea/kernel.h>\nextern "C" void advance(const moorea::kernels::Block&) { std::exit(0); }\n')
        noise = ["--random", "0.5", "--size", "61x37", "-g", "100"]
        for command in (["run", *noise, "--json"], ["verify", *noise], ["trace", *noise, "-o", self.file("trace.json")]):
            result = self.refused(1, f"the kernel file {leaves} ended the program", *command, "--kernel-file", leaves)
        self.assertFalse(os.path.exists(self.file("trace.json")))
        at_once = self.file("at_once.cpp", '#include <unistd.h>\n#include <moorea/kernel.h>\nextern "C" void advance(const moorea::kernels::Block&) { _exit(0); }\n')
        result = moorea("bench", "--kernel-file", f"{leaves},{at_once}", "--kernel", "cpu/bits", "--size", "64", "--budget", "0.01", "--threads", "1", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual([row["kernel"] for row in document["results"]], ["cpu/bits"])
        self.assertEqual([row["reason"][:34] for row in document["not_timed"]], ["it crashes (it ended the program),"] * 2)

    def test_a_crash_in_a_kernel_file_is_named(self):
        for code, name, number, hint in (("*(volatile int*)16 = 1;", "SIGSEGV", signal.SIGSEGV, "beyond its block"),
                                         ("__builtin_abort();", "SIGABRT", signal.SIGABRT, "exception that leaves the kernel, or by memory"),
                                         ("raise(SIGILL);", "SIGILL", signal.SIGILL, "such as AVX-512")):
            crash = self.file("crash.cpp", f'#include <csignal>\n#include <moorea/kernel.h>\nextern "C" void advance(const moorea::kernels::Block&) {{ {code} }}\n')
            # A sanitizer would handle the signal in its own way
            environment = dict(os.environ, ASAN_OPTIONS="handle_segv=0:handle_abort=0", TSAN_OPTIONS="handle_segv=0:handle_abort=0")
            result = moorea("run", "--random", "0.5", "--size", "100", "-g", "1", "--kernel-file", crash, env=environment)
            self.assertIn(f"moorea: crash ({name}", result.stderr)
            self.assertIn(hint, result.stderr)
            self.assertIn(crash, result.stderr)
            if SANITIZED != "thread":
                self.assertEqual(result.returncode, -number)


if __name__ == "__main__":
    shard.main()
