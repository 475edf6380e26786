#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea render and run --dump: pixels against the cells of the model."""
import pathlib
import shutil
import subprocess

import shard
from command_case import ACORN, Case, GLIDER, limit_files, moorea
from pixels import pixels_of
from programs import MOOREA


class Pictures(Case):
    NOISE = ["--random", "0.4", "--size", "37x22", "-g", "20"]

    def cells(self, *arguments):
        """The model's cells, as rows of 0 and 1."""
        self.ok("run", *arguments, "-o", self.file("cells.pbm"))
        return pixels_of(self.file("cells.pbm"))

    def setUp(self):
        super().setUp()
        self.has_png = moorea("render", *self.NOISE, "-o", self.file("probe.png")).returncode == 0
        pathlib.Path(self.file("probe.png")).unlink(missing_ok=True)
        self.assertTrue(self.has_png, "this build writes no PNG")

    def test_render_is_the_world(self):
        expected = self.cells(*self.NOISE)
        for file in ("a.png", "a.pbm"):
            self.ok("render", *self.NOISE, "-o", self.file(file), "--zoom", "1", "--palette", "ink")
            live = (0, 0, 0) if file.endswith("png") else 1
            self.assertEqual([[int(pixel == live) for pixel in row] for row in pixels_of(self.file(file))], expected)
        self.ok("render", *self.NOISE, "-o", self.file("b.pbm"), "--zoom", "3", "--view", "-2,5,10,4")
        rows = pixels_of(self.file("b.pbm"))
        self.assertEqual(rows, [[expected[5 + y // 3][x // 3 - 2] if x >= 6 else 0 for x in range(30)] for y in range(12)])
        # Shades: as many colours as numbers of cells, darker where there are more
        self.ok("render", *self.NOISE, "-o", self.file("c.png"), "--scale", "4", "--palette", "ink")
        shades = {}
        for y, row in enumerate(pixels_of(self.file("c.png"))):
            for x, pixel in enumerate(row):
                count = sum(sum(line[4 * x:4 * x + 4]) for line in expected[4 * y:4 * y + 4])
                self.assertEqual(shades.setdefault(count, pixel), pixel)
        self.assertEqual([shades[count] for count in sorted(shades)], sorted(shades.values(), reverse=True))
        self.assertGreater(len(shades), 5)

    def test_render_says_what_it_drew(self):
        result = self.json("render", ACORN, "-g", "100", "-o", self.file("a.png"))
        self.assertEqual((result["generation"], result["cells_per_pixel"]), (100, 1))
        self.assertEqual(result["population"], self.json("run", ACORN, "-g", "100")["population"])
        rows = pixels_of(self.file("a.png"))
        self.assertEqual((len(rows[0]), len(rows)), (result["width"], result["height"]))
        piped = subprocess.run([MOOREA, "render", ACORN, "-g", "100", "-o", "-"], capture_output=True)
        self.assertEqual((piped.returncode, piped.stderr), (0, b""))
        self.assertEqual(piped.stdout, pathlib.Path(self.file("a.png")).read_bytes())
        self.ok("render", ACORN, "-g", "100", "-o", self.file("CAPITALS.PNG"))
        self.assertEqual(piped.stdout, pathlib.Path(self.file("CAPITALS.PNG")).read_bytes())

    def test_what_flew_off_is_left_out(self):
        # A block of cells and a glider far from it
        far = self.file("far.rle", "x = 6000, y = 5000\n" + "40o$" * 40 + "4950$5990bo$5991bo$5989b3o!\n")
        result = self.ok("render", far, "-o", self.file("near.pbm"), "--zoom", "1")
        self.assertIn("5 of 1605 live cells are outside the picture; --all shows them", result.stderr)
        self.assertEqual([sum(map(sum, pixels_of(self.file("near.pbm")))), len(pixels_of(self.file("near.pbm")))], [1600, 40 + 2 * 3])  # and some cells around them
        result = self.ok("render", far, "--all", "-o", self.file("all.pbm"), "--scale", "100")
        self.assertEqual(result.stderr, "")
        self.assertGreater(len(pixels_of(self.file("all.pbm"))), 50)
        # With --view nothing is reported about other cells
        self.assertEqual(self.ok("render", far, "--view", "0,0,9,9", "-o", self.file("view.pbm")).stderr, "")
        film = self.json("film", far, "-g", "2", "--zoom", "1", "-o", self.file("a.gif"))
        self.assertLess(film["width"], 60)
        self.assertGreater(self.json("film", far, "--all", "-g", "0", "--scale", "64", "-o", self.file("b.gif"))["width"], 90)

    def test_ages_and_activity(self):
        blinker = self.file("blinker.cells", "OOO\n")
        for show in ("age", "trails", "activity"):
            self.ok("render", blinker, "-g", "300", "--show", show, "--view", "-3,-3,7,7", "--zoom", "1", "--palette", "ink", "-o", self.file("a.png"))
            rows = pixels_of(self.file("a.png"))
            live = {(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if pixel != (255, 255, 255)}
            middle, ends = rows[3][3], {rows[3][2], rows[3][4]}
            if show == "age":
                self.assertEqual(live, {(2, 3), (3, 3), (4, 3)})
                self.assertEqual(middle, (0, 0, 0))
                self.assertGreater(min(ends), middle)
            elif show == "trails":
                self.assertEqual(live, {(2, 3), (3, 3), (4, 3), (3, 2), (3, 4)})
                self.assertEqual(ends, {(0, 0, 0)})  # just born, and level 255
                self.assertEqual((middle, {rows[2][3], rows[4][3]}), ((255 - 160,) * 3, {(255 - 103,) * 3}))
            else:
                self.assertEqual(live, {(2, 3), (4, 3), (3, 2), (3, 4)})
                self.assertEqual(ends, {(0, 0, 0)})

    def test_pictures_that_cannot_be(self):
        for text, *arguments in (("ends in .png or .pbm", "-o", self.file("a.gif")), ("expected X,Y,WIDTH,HEIGHT", "--view", "1,2,3"),
                                 ("expected X,Y,WIDTH,HEIGHT", "--view", "1,2,3,0"), ("expected one of night", "--palette", "rainbow"),
                                 ("expected one of cells, age, trails, activity", "--show", "heat"), ("leave one of them out", "--zoom", "2", "--scale", "2"),
                                 ('--zoom "0": expected a whole number from 1 to 64', "--zoom", "0"), ("--scale", "--scale", str(2**48 + 1)), ("at most 65535 x 65535", "--scale", "70000", "--show", "age"), ('--fit "0": expected', "--fit", "0")):
            more = [] if "-o" in arguments else ["-o", self.file("a.png")]
            self.refused(2, text, "render", *self.NOISE, *more, *arguments)
        self.refused(1, "cannot", "render", *self.NOISE, "-o", self.file("none/a.png"))
        # Before a run of a day
        self.refused(2, "--fit 1024 does", "render", *self.NOISE, "--fit", "64", "--view", f"0,0,{2**58},1", "-o", self.file("a.png"))
        self.refused(2, "it has 1 to 1000000", "render", "--random", "0.5", "--size", "100", "-g", "1T", "--view", "0,0,2000000,3", "--scale", "1", "-o", self.file("a.png"))
        self.assertEqual([path.name for path in self.folder.iterdir()], [])

    def test_dump(self):
        frames = self.folder / "frames"
        noise = ["run", "--random", "0.4", "--size", "37x22", "-g", "20"]
        for name, *options in (("%06d.pbm",), ("%d.pbm", "--dump-format", "pbm-plain"), ("%03d.png",)):
            self.ok(*noise, "--dump", str(frames / name), "--every", "5", *options)
            names = sorted((path.name for path in frames.iterdir()), key=lambda name: int(name.split(".")[0]))
            self.assertEqual(names, [name % generation for generation in (0, 5, 10, 15, 20)])
            for file, generation in zip(names, (0, 5, 10, 15, 20)):
                expected = self.cells(*noise[1:-1], str(generation))
                if "pbm-plain" in options:
                    self.ok("convert", str(frames / file), self.file("again.pbm"))
                    rows = pixels_of(self.file("again.pbm"))
                else:
                    rows = pixels_of(frames / file)
                    if name.endswith("png"):
                        ground = min(min(row) for row in rows)
                        rows = [[int(pixel != ground) for pixel in row] for row in rows]
                self.assertEqual(rows, expected)
            shutil.rmtree(frames)
        # The first one, whatever it is a multiple of
        late = self.file("late.rle", "#CXRLE Gen=7\n" + GLIDER)
        self.ok("run", late, "--size", "20", "-g", "20", "--dump", str(frames / "%d.pbm"), "--every", "10")
        self.assertEqual(sorted(path.name for path in frames.iterdir()), ["10.pbm", "20.pbm", "7.pbm"])
        shutil.rmtree(frames)
        # A run that continues has the pictures of one that was not interrupted
        parts = ("run", "--random", "0.4", "--size", "40", "--dump", str(frames / "%d.pbm"), "--every", "10", "--checkpoint", self.file("saved"), "--resume")
        self.ok(*parts, "-g", "25")
        self.ok(*parts, "-g", "45")
        self.assertEqual(sorted(path.name for path in frames.iterdir()), ["0.pbm", "10.pbm", "20.pbm", "30.pbm", "40.pbm"])
        shutil.rmtree(frames)
        # Cells of all states but 0
        self.ok("run", "--rule", "Brian's Brain", "--random", "0.4", "--size", "40", "-g", "10", "--dump", str(frames / "%d.pbm"), "--every", "10")
        self.assertEqual(self.json("info", str(frames / "10.pbm"))["population"],
                         self.json("run", "--rule", "Brian's Brain", "--random", "0.4", "--size", "40", "-g", "10")["population"])
        shutil.rmtree(frames)
        # With a table beside it, all generations
        self.ok(*noise, "--dump", str(frames / "%d.pbm"), "--populations", self.file("table.csv"))
        self.assertEqual(len(list(frames.iterdir())), 21)

    def test_dumps_that_cannot_be(self):
        noise = ["run", "--random", "0.4", "--size", "370x220", "-g", "2000"]
        for files in ("frames.pbm", "%s.pbm", "%d-%d.pbm", "%5d.pbm", "%", "%d.rle", "%d/a.pbm"):
            self.assertEqual(moorea(*noise, "--dump", self.file(files)).returncode, 2, files)
        self.refused(2, "add --size", "run", ACORN, "--dump", self.file("%d.pbm"))
        self.refused(2, "are for --dump", *noise, "--every", "5")
        self.refused(2, "expected pbm", *noise, "--dump", self.file("%d.pbm"), "--dump-format", "jpeg")
        self.refused(1, "cannot be made", *noise, "--dump", "/dev/null/frames/%d.pbm")
        if "tsan" not in MOOREA:
            # A full disk ends the run, and leaves whole pictures alone
            result = moorea(*noise, "--dump", self.file("full/%d.pbm"), "--populations", self.file("table.csv"), preexec_fn=lambda: limit_files(8192))
            self.assertEqual(result.returncode, 1)
            self.assertIn("File too large", result.stderr)
            self.assertEqual(list((self.folder / "full").iterdir()), [])


if __name__ == "__main__":
    shard.main()
