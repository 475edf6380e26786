#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Patterns whose cells are far apart, and windows of worlds: files without the rectangle around the cells."""
import pathlib
import unittest

from command_case import ACORN, Case, GLIDER

GUN = str(pathlib.Path(ACORN).with_name("gosper-glider-gun.rle"))
APART = 10**9


class FarPatterns(Case):
    def setUp(self):
        super().setUp()
        # Two gliders, the second one so many columns and rows after the first
        self.far = self.file("far.rle", f"#CXRLE Pos=-5,7 Gen=12\nx = {APART + 3}, y = {APART + 3}, rule = B3/S23\nbo$2bo$3o{APART - 2}${APART + 1}bo${APART + 2}bo${APART}b3o!\n")

    def body(self, path):
        text = pathlib.Path(path).read_text()
        return [line for line in text.splitlines() if not line.startswith("#")]

    def test_files_and_worlds_have_no_rectangle(self):
        outputs = []
        for kernel in ([], ["--kernel", "hashlife"]):
            for name in ("out.rle", "out.mc"):
                out = self.file(f"{len(kernel)}{name}")
                report = self.json("run", self.far, "-g", "4000", "-o", out, *kernel)
                self.assertEqual((report["population"], report["generation"]), (10, 4012))
                again = self.json("run", out, "-g", "0")
                self.assertEqual((again["hash"], again["generation"]), (report["hash"], 4012))
                outputs.append(report["hash"])
            # A glider moves by a cell in four generations
            self.assertIn("#CXRLE Pos=995,1007 Gen=4012\n", pathlib.Path(self.file(f"{len(kernel)}out.rle")).read_text())
            self.assertEqual(self.body(self.file(f"{len(kernel)}out.rle")), self.body(self.far))
        self.assertEqual(len(set(outputs)), 1)
        info = self.json("info", self.far)
        self.assertEqual((info["format"], info["width"], info["population"], info["position"], info["generation"]), ("rle", APART + 3, 10, [-5, 7], 12))
        receipt = self.file("receipt.json")
        self.ok("run", self.far, "-g", "100", "--receipt", receipt)
        self.assertIn("agree", self.ok("replay", receipt).stdout)
        self.refused(2, "RLE or macrocell", "convert", self.far, self.file("far.cells"))
        # A world with a size has a rectangle
        self.refused(1, "memory", "run", self.far, "--size", str(2 * APART), "-g", "1", lines=0)

    def test_coordinates_in_any_order(self):
        """Life 1.06 has the cells as they come, some of them twice."""
        cells = [(x, y + side * APART) for side in (1, -1) for x, y in ((-5, 9), (-4, 7), (-4, 9), (-3, 8), (-3, 9), (-4, 9))]
        path = self.file("far.lif", "#Life 1.06\n#C Moorea Gen=12\n#C far\n" + "".join(f"{x} {y}\n" for x, y in cells))
        info = self.json("info", path)
        self.assertEqual((info["format"], info["height"], info["population"], info["position"], info["generation"]), ("life106", 2 * APART + 3, 10, [-5, 7 - APART], 12))
        out = self.file("out.rle")
        self.ok("run", path, "-g", "8", "-o", out)
        self.assertEqual(pathlib.Path(out).read_text(), f"#C far\n#CXRLE Pos=-3,{9 - APART} Gen=20\nx = 3, y = {2 * APART + 3}, rule = B3/S23\nbo$2bo$3o{2 * APART - 2}$bo$2bo$3o!\n")

    def test_pictures_have_any_scale(self):
        """Two gliders 10^9 cells apart are two dots, as cells and as a tree."""
        tree = self.file("far.mc")
        self.ok("convert", self.far, tree)
        for source in (self.far, tree):
            picture = self.file("far.pbm")
            report = self.json("render", source, "-o", picture, "--fit", "64")
            self.assertGreater(report["cells_per_pixel"], 2**23)
            self.assertEqual(report["population"], 10)
            header, bits = pathlib.Path(picture).read_bytes().split(b"\n", 2)[1:]
            width, height = map(int, header.split())
            row = (width + 7) // 8
            live = [(x, y) for y in range(height) for x in range(width) if bits[y * row + x // 8] >> 7 - x % 8 & 1]
            self.assertEqual(len(live), 2)
            self.assertTrue(live[0][0] == live[0][1] < live[1][0] == live[1][1])

    def test_converts(self):
        tree, back = self.file("far.mc"), self.file("back.rle")
        self.ok("convert", self.far, tree)
        self.ok("convert", tree, back)
        self.assertEqual(self.body(back), self.body(self.far))
        self.assertIn("Pos=-5,7 Gen=12", pathlib.Path(back).read_text())
        self.ok("convert", self.far, back, "-r", "HighLife")
        self.assertIn("rule = B36/S23", pathlib.Path(back).read_text())
        for source in (self.far, tree):
            self.ok("convert", source, back, "--window", f"{APART - 10},{APART},100,100")
            self.assertEqual(self.body(back), ["x = 100, y = 100, rule = B3/S23", "7$6bo$7bo$5b3o!"])

    def test_identifies(self):
        found = self.json("identify", self.far)
        self.assertEqual((found["kind"], found["census"][0]["name"], found["census"][0]["count"]), ("objects", "glider", 2))
        report = self.json("run", self.far, "--until", "period")
        self.assertEqual((report["until"]["period"], report["until"]["displacement"]), (4, [1, 1]))


class Windows(Case):
    def test_are_parts_of_the_last_generation(self):
        whole, part, window = self.file("whole.rle"), self.file("part.rle"), self.file("window.rle")
        box = "-30,-20,80,33"
        for world in ([], ["--kernel", "hashlife"], ["--size", "256x256"], ["--size", "256x256", "--topology", "torus", "--kernel", "hashlife"]):
            # Coordinates of a world with a size begin in its corner, and those of its files in its centre
            place = box if "--size" not in world else "98,108,80,33"
            report = self.json("run", ACORN, "-g", "200", "-o", window, "--window", place, *world)
            self.assertEqual(report["window"], [int(number) for number in place.split(",")])
            self.ok("run", ACORN, "-g", "200", "-o", whole, *world)
            self.ok("convert", whole, part, "--window", box)
            self.assertEqual(pathlib.Path(window).read_text(), pathlib.Path(part).read_text(), world)
            self.assertIn("Pos=-30,-20 Gen=200\nx = 80, y = 33", pathlib.Path(window).read_text())
            self.assertGreater(self.json("info", window)["population"], 0)
            pictures = [self.file(f"{name}.pbm") for name in ("window", "part")]
            self.ok("run", ACORN, "-g", "200", "-o", pictures[0], "--window", place, *world)
            self.ok("convert", whole, pictures[1], "--window", box)
            self.assertEqual(*(pathlib.Path(picture).read_bytes() for picture in pictures))

    def test_may_be_anywhere_in_hashlife(self):
        out, tree = self.file("out.rle"), self.file("out.mc")
        # The gun at the origin, and gliders of the last periods, after a multiple of its period
        self.ok("run", GUN, "-g", str(30 * 2**1000), "--kernel", "hashlife", "-o", out, "--window", "-20,-10,60,40")
        near = self.file("near.rle")
        self.ok("run", GUN, "-g", "300", "-o", near, "--window", "-20,-10,60,40")
        self.assertEqual(self.body(out), self.body(near))
        # A glider goes 2^68 cells in 2^70 generations
        glider = self.file("g.rle", "#CXRLE Pos=0,0\n" + GLIDER)
        far = ["run", glider, "-g", "2^70", "--kernel", "hashlife", "--window", f"{2**68 - 10},{2**68 - 10},20,20"]
        report = self.json(*far, "-o", out)
        self.assertEqual(report["window"], [str(2**68 - 10)] * 2 + [20, 20])
        self.assertEqual(self.body(out), ["x = 20, y = 20, rule = B3/S23", "10$11bo$12bo$10b3o!"])
        self.assertIn(f"#C The upper left cell is at {2**68 - 10}, {2**68 - 10}\n", pathlib.Path(out).read_text())
        self.ok(*far, "-o", tree)
        info = self.json("info", tree)
        self.assertEqual((info["population"], info["position"]), (5, [str(2**68)] * 2))
        self.ok("convert", tree, out, "--window", "2^68,2^68,3,3")
        self.assertEqual(self.body(out), ["x = 3, y = 3, rule = B3/S23", "bo$2bo$3o!"])

    def body(self, path):
        return [line for line in pathlib.Path(path).read_text().splitlines() if not line.startswith("#")]

    def test_refuses(self):
        out = self.file("out.rle")
        for wrong in ("1,2,3", "1,2,3,4,5", "1,2,0,4", "a,b,c,d", "1,2,3,-4", ",,,"):
            self.refused(2, "X,Y,WIDTH,HEIGHT", "run", ACORN, "-g", "1", "-o", out, f"--window={wrong}")
        self.refused(2, "--window needs -o", "run", ACORN, "-g", "1", "--window", "0,0,5,5")
        self.refused(2, "need --kernel hashlife", "run", ACORN, "-g", "1", "-o", out, "--window", "2^70,0,5,5", report="generation 1,")
        self.refused(2, "2^60 on a side", "run", ACORN, "-g", "1", "-o", out, "--window", "0,0,2^70,5", "--kernel", "hashlife", report="generation 1,")
        self.assertFalse(pathlib.Path(out).exists())


if __name__ == "__main__":
    unittest.main()
