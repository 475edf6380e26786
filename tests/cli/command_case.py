# SPDX-License-Identifier: MIT
"""Base of the tests of the command: a temporary folder, and runs of the program with their exit code and output."""
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time
import unittest

from programs import MOOREA

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "kernels"
ACORN = str(pathlib.Path(__file__).parents[2] / "patterns" / "acorn.rle")
SANITIZED = os.environ.get("MOOREA_SANITIZE")
ONE_CPU = len(os.sched_getaffinity(0)) < 2
NEEDS_CPUS = "needs two CPUs"
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


def catches(process, number):
    """Whether the process has a handler for the signal."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return False
    return int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16) >> (number - 1) & 1


def output_after(process, number, patience=30):
    """Both outputs of a process that ends at this signal. The thread sanitizer, which hands signals on when it is ready for them, sometimes
    loses one: it is sent again."""
    for _ in range(3 if SANITIZED == "thread" else 1):
        process.send_signal(number)
        try:
            return process.communicate(timeout=patience)
        except subprocess.TimeoutExpired as late:
            expired = late
    process.kill()
    raise expired


def wait_until(condition):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("waited in vain")


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

    def refused(self, code, text, *arguments, lines=1, report="", **options):
        """Exits with `code`, says `text` in so many lines on standard error, and begins with `report` on standard output, or has nothing there."""
        result = moorea(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(text, result.stderr)
        self.assertEqual(result.stdout[:len(report)] if report else result.stdout, report)
        if lines:
            self.assertEqual(len(result.stderr.splitlines()), lines, result.stderr)
        return result
