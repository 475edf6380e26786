#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Progress line, signals, and temporary files of interrupted runs."""
import fcntl
import json
import os
import pathlib
import pty
import resource
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

import shard
from command_case import ACORN, Case, LARGE_FILES_OF_TSAN, SANITIZED
from programs import MOOREA


class Terminal(Case):
    def progress_of(self, word, *arguments):
        """What a command that takes long shows on a terminal until the word is there."""
        main, side = pty.openpty()
        process = subprocess.Popen([MOOREA, *arguments], stderr=side, stdout=subprocess.PIPE)
        os.close(side)
        seen = b""
        deadline = time.time() + 60
        while word not in seen and time.time() < deadline:
            if select.select([main], [], [], 1)[0]:
                seen += os.read(main, 4096)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        process.stdout.close()
        os.close(main)
        return seen.decode()

    def test_a_progress_line_on_a_terminal_only(self):
        noise = ["--random", "0.5", "--size", "2000", "-g", "1e9", "--kernel", "cpu/bits"]
        for command in ("run", "verify"):
            self.assertRegex(self.progress_of(b"left", command, *noise), r"generation \d+ of 1000000000, .* cells/s, .* left")

    def test_a_search_says_how_long_it_takes(self):
        # A soup of this rule grows for long
        soup = self.file("soup.rle", self.ok("run", "--random", "0.5", "--size", "60", "-g", "0", "-o", "-").stdout)
        self.assertIn("searching for ", self.progress_of(b"searching", "identify", soup, "--rule", "B34/S34", "-g", "1e6"))

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
                     report="generation 1,", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000)))
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


if __name__ == "__main__":
    shard.main()
