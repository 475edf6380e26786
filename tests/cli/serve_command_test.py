#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve as a command: options, token files, output files and signals."""
import pathlib
import signal
import stat
import subprocess

import shard
from programs import MOOREA
from serve_case import Case, SOURCE


class Command(Case):
    def test_the_end(self):
        path = self.folder / "end.rle"
        self.start(SOURCE / "patterns/acorn.rle", "-o", path)
        client = self.join()
        self.assertEqual(client.update()["name"], "Acorn")
        client.say("go", generation=100)
        client.update(lambda state: state["generation"] == 100 and not state["busy"])
        status, said = self.serve.stop()
        self.assertEqual(status, 0, said)
        self.assertIn("generation 100, population", said)
        expected = self.folder / "expected.rle"
        subprocess.run([MOOREA, "run", str(SOURCE / "patterns/acorn.rle"), "-g", "100", "-o", str(expected)], check=True, capture_output=True)
        self.assertEqual(path.read_text(), expected.read_text())  # with name, author and comments
        self.assertTrue(client.closed())

    def test_the_time_limit(self):
        ended = subprocess.run([MOOREA, "serve", "--port", "0", "--time-limit", "0.5s"], capture_output=True, timeout=60)
        self.assertEqual(ended.returncode, 124, ended.stderr)

    def test_without_a_world_it_shows_a_gun(self):
        self.start()
        state = self.join().update()
        self.assertEqual((state["population"], state["name"]), (36, "Gosper glider gun"))

    def test_tokens_that_stay(self):
        path = self.folder / "tokens"
        first = self.start("--token-file", path)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(path.read_text().split(), [first.token, first.audience])
        first.stop()
        second = self.start("--token-file", path)
        self.assertEqual([first.token, first.audience], [second.token, second.audience])
        second.stop()
        for text in ("", "short\nshorter\n", "a" * 20 + "\n" + "a" * 20 + "\n", "a" * 20 + "\n" + "b!" * 10 + "\n"):
            path.write_text(text)  # its mode stays
            done = subprocess.run([MOOREA, "serve", "--token-file", str(path)], capture_output=True, text=True)
            self.assertEqual((done.returncode, "token" in done.stderr), (1, True), done.stderr)
        # The tokens permit control of the run
        path.write_text("a" * 20 + "\n" + "b" * 20 + "\n")
        for mode in (0o644, 0o640, 0o602):
            path.chmod(mode)
            done = subprocess.run([MOOREA, "serve", "--port", "0", "--token-file", str(path)], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, f"chmod 600 {path}" in done.stderr), (1, True), done.stderr)
        path.chmod(0o600)
        self.assertEqual(self.start("--token-file", path).token, "a" * 20)

    def test_mistakes(self):
        self.start("--random", "0", "--size", "64")
        for status, text, arguments in ((1, "--port chooses another", ("--port", str(self.serve.port))), (1, "--address expects an address of this machine", ("--address", "203.0.113.5", "--port", "0")), (2, "65535", ("--port", "70000")),
                                        (2, "expected an IP address", ("--address", "nowhere", "--port", "0")), (1, "cannot", ("--address", "192.0.2.1", "--port", "0")),
                                        (1, "missing.rle", ("missing.rle",)), (2, "--step", ("--step", "41")), (2, "expected either", ("--size", "10"))):
            done = subprocess.run([MOOREA, "serve", *arguments], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(text, done.stderr)

    def test_a_file_that_cannot_be_written(self):
        if not pathlib.Path("/dev/full").is_char_device():
            self.skipTest("there is no /dev/full")
        (self.folder / "full.rle").symlink_to("/dev/full")
        self.start(SOURCE / "patterns/acorn.rle", "-o", self.folder / "full.rle")
        status, said = self.serve.stop()
        self.assertEqual(status, 1, said)
        self.assertIn("No space left", said)

    def test_interruption(self):
        self.start("--random", "0.5", "--size", "1024", "--play")
        self.serve.process.send_signal(signal.SIGINT)
        self.assertEqual(self.serve.process.wait(30), 0)


if __name__ == "__main__":
    shard.main()
