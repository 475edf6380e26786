#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The launcher ./moorea, with a cmake of our own that builds nothing. Usage: launcher_test.py SOURCE"""
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()

# Prints what Ninja does, and "builds" a program that prints its arguments
CMAKE = r"""#!/bin/bash
echo "a line that is no progress"
[ "$1" = --build ] || exit 0
echo "[1/3] Building first"
echo "[2/3] Building second"
if [ -e fail ]; then echo "second: error: broken"; exit 1; fi
echo "[3/3] Linking"
mkdir -p build/release/bin
printf '#!/bin/sh\necho "ran $*"\n' >build/release/bin/moorea
chmod +x build/release/bin/moorea
"""


class Launcher(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copy(SOURCE / "moorea", self.root / "moorea")
        for name in ("tools", "cmake", "include", "src", "apps", "path"):
            (self.root / name).mkdir()
        (self.root / "CMakeLists.txt").touch()
        (self.root / "tools/packages.sh").write_text('build_packages=""\nneed_packages() { :; }\n')
        cmake = self.root / "path/cmake"
        cmake.write_text(CMAKE)
        cmake.chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{self.root / 'path'}:{os.environ['PATH']}")

    def run_launcher(self, **options):
        return subprocess.run([self.root / "moorea", "info", "a b"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              env=self.environment, text=True, **options)

    def test_builds_and_runs(self):
        result = self.run_launcher(stderr=subprocess.PIPE)
        self.assertEqual((result.returncode, result.stdout), (0, "ran info a b\n"))
        self.assertRegex(result.stderr, r"^moorea: building, a first time about \d+ min on \d+ idle CPU cores\n$")
        log = (self.root / "build/release/log").read_text()
        self.assertIn("a line that is no progress\n[1/3] Building first\n", log)
        again = self.run_launcher(stderr=subprocess.PIPE)
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, "ran info a b\n", ""))

    def test_a_terminal_shows_one_line_that_is_rewritten(self):
        ours, theirs = pty.openpty()
        result = self.run_launcher(stderr=theirs)
        os.close(theirs)
        shown = os.read(ours, 4096).decode()
        os.close(ours)
        self.assertEqual(result.returncode, 0)
        self.assertTrue(shown.endswith("\r\n\rmoorea: [1/3]\rmoorea: [2/3]\rmoorea: [3/3]\r\x1b[K"), shown)

    def test_a_failed_build_prints_the_end_of_its_log(self):
        (self.root / "fail").touch()
        result = self.run_launcher(stderr=subprocess.PIPE)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("second: error: broken\n", result.stderr)
        self.assertIn("the build failed; all of it is in", result.stderr)


if __name__ == "__main__":
    unittest.main()
