# SPDX-License-Identifier: MIT
"""Base of the tests of moorea serve: starts the program, joins clients, and computes the expected cells with moorea run."""
import pathlib
import subprocess
import tempfile
import unittest

from programs import MOOREA
from serve_client import Serve, Socket

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
GLIDER_RLE = b"x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.serve = None

    def start(self, *arguments, **more):
        self.serve = Serve(MOOREA, *arguments, **more)
        self.addCleanup(lambda: self.serve.process.poll() is None and self.serve.stop())
        return self.serve

    def join(self, token=None, **more):
        client = Socket(self.serve.port, self.serve.token if token is None else token, **more)
        self.addCleanup(client.close)
        client.hello = client.until("hello")[0]
        return client

    def join_unbounded(self):
        """A client of a glider on a plane without end."""
        path = self.folder / "glider.rle"
        path.write_bytes(GLIDER_RLE)
        self.start(path)
        return self.join()

    def empty(self, *arguments):
        """A client of an empty torus of 64 x 64."""
        self.start("--random", "0", "--size", "64", *arguments)
        client = self.join()
        client.look(0, 0, 64, 64)
        return client

    def run_cells(self, generations, *arguments):
        """The live cells of the same world run by moorea run."""
        path = self.folder / "expected.pbm"
        subprocess.run([MOOREA, "run", *arguments, "-g", str(generations), "-o", str(path)], check=True, capture_output=True)
        data = path.read_bytes()
        header, body = data.split(b"\n", 1)
        while body.startswith(b"#"):
            body = body.split(b"\n", 1)[1]
        size, body = body.split(b"\n", 1)
        width, height = map(int, size.split())
        row = (width + 7) // 8
        return {(x, y) for y in range(height) for x in range(width) if body[y * row + x // 8] >> 7 - x % 8 & 1}
