#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea film: frames as ffmpeg decodes them, against the cells of the model."""
import os
import re
import signal
import stat
import subprocess
import time

import shard
from command_case import Case, GLIDER, limit_files, moorea
from pixels import pixels_of
from programs import MOOREA


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
        self.ok("film", block, "-g", "30", "--zoom", "1", "--view", "-3,-3,9,8", "-o", self.file("B.GIF"))
        self.assertEqual(len(self.frames(self.file("B.GIF"), 9, 8)), 31)
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

    def test_an_edge_is_reported(self):
        three = [self.file("three.cells", "OO\n..O\n"), "-r", "Seeds", "-g", "3000", "--memory", "300k"]
        for command in (["film", "--every", "1000", "-o", self.file("a.gif")], ["render", "-o", self.file("a.png")], ["view", "--step", "12"]):
            result = self.ok(command[0], *three, *command[1:])
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

    def test_trails(self):
        """A glider leaves a trail of 103 generations."""
        glider = [self.file("glider.rle", GLIDER), "--size", "60x60", "--topology", "torus", "--show", "trails", "--zoom", "1", "-g", "140", "--palette", "ink"]
        self.ok("film", *glider, "--every", "140", "-o", self.file("a.gif"))
        self.ok("render", *glider, "-o", self.file("a.png"))
        frame = self.frames(self.file("a.gif"), 60, 60)[1]
        self.assertEqual(frame, pixels_of(self.file("a.png")))
        levels = [255 - pixel[0] for row in frame for pixel in row]
        self.assertEqual(sum(level >= 160 for level in levels), 5)
        self.assertTrue(90 < sum(0 < level <= 103 for level in levels) < 400)

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
        self.refused(2, "each side has at most 16384", "film", "--random", "0.5", "--size", "17000x64", "--zoom", "1", "-g", "3", "-o", self.file("a.mp4"))
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
            # On a busy machine the film begins late
            for seconds in (1, 4, 16, 64):
                running = subprocess.Popen([MOOREA, "film", *self.NOISE, "-g", "1e9", "-o", self.file(name)], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                                           text=True, start_new_session=True)
                time.sleep(seconds)
                os.killpg(running.pid, signal.SIGINT)
                out, err = running.communicate(timeout=120)
                self.assertEqual(running.returncode, 130, err)
                if "before the film began" not in err:
                    break
            self.assertIn("interrupted at generation", err)
            width, height = map(int, re.search(r"frames? of (\d+) x (\d+)", out).groups())
            frames = int(re.search(r"(\d+) frames?", out)[1])
            width, height = (width, height) if name == "a.gif" else (width + width % 2, height + height % 2)
            raw = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", self.file(name)],
                                 capture_output=True, text=True).stdout
            self.assertEqual(int(raw.strip().strip(",")), frames)


if __name__ == "__main__":
    shard.main()
