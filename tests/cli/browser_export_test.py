#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages of moorea export in a browser: their engine against moorea run, and their controls."""
import json
import unittest

import shard
from browser_page import Keys, Page
from command_case import ACORN, Case

GUN = ACORN.replace("acorn", "gosper-glider-gun")
STEPS = 9  # odd, and no multiple of anything
TOTALISTIC, MAP = "B36/S23", "MAPRCCCPP3m8cJrMPkOx90B5Ih1NKIPCw0Ew27YDnHg/XewdnDrlAvVM1+XParYYZuR/8kR9XzO1Fi7vyzgN1PJvQ"


class Export(Case):
    def opened(self, *world, **look):
        """The page of a world, in a browser."""
        name = self.file("page.html")
        self.facts = self.json("export", *world, "-o", name)
        page = Page(f"file://{name}", **look)
        self.addCleanup(page.end)
        page.until_numbers(self.facts["generation"], self.facts["population"])
        return page

    def test_the_engine_is_exact(self):
        for rule, size in ((TOTALISTIC, "131x66"), ("B2-a/S12", "64x33"), (MAP, "65x40"), ("B2/S34H", "100x31"), ("B0123478/S34678", "70x45"),
                           ("/2/3", "200x61"), ("345/2/4", "63x80"), ("12/34/17", "129x31"), ("WireWorld", "90x50"), ("LifeHistory", "127x50")):
            for topology in ("torus", "plane"):
                world = ["--rule", rule, "--random", "0.4", "--size", size, "--topology", topology]
                page = self.opened(*world)
                page.keys(*("." * STEPS))
                expected = self.json("run", *world, "-g", str(STEPS))["population"]
                page.until_numbers(STEPS, expected)
                self.assertEqual(page.faults(), [])
                page.end()

    def test_squares_have_the_colour_of_a_state_in_them(self):
        """A wire, and a cell that dies: from afar no electron and no live cell."""
        wires = self.file("wires.rle", "x = 256, y = 40, rule = WireWorld\n" + "256C$" * 40 + "!\n")
        dying = self.file("dying.rle", "x = 256, y = 40, rule = 345/2/5\n" + "256C$" * 40 + "!\n")
        colours = lambda page: page.driver.execute_script("""
            const canvas = document.getElementById("world"), { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height), found = new Map();
            for (let i = 0; i < data.length; i += 4) { const key = data.slice(i, i + 3).join(); found.set(key, (found.get(key) ?? 0) + 1); }
            return [...found.keys()].sort();""")
        for pattern in (wires, dying):
            page = self.opened(pattern, "--size", "300x100")
            near = colours(page)
            page.driver.execute_script("""
                for (let i = 0; i < 5; ++i)
                  document.getElementById("world").dispatchEvent(new WheelEvent("wheel", { deltaY: 120, clientX: 640, clientY: 400, cancelable: true }));""")
            page.until("it is drawn", lambda: page.picture((0, 0, 1280, 800))[1] in (0, None))
            self.assertLessEqual(set(colours(page)), set(near), pattern)
            self.assertGreater(len(colours(page)), 2)  # what is outside, dead cells, and those
            page.end()

    def test_small_turns_of_a_trackpad_are_added(self):
        page = self.opened(GUN)
        picture = lambda: page.driver.execute_script("return document.getElementById('world').toDataURL()")
        turn = lambda x, y: page.driver.execute_script(f"""
            document.getElementById("world").dispatchEvent(new WheelEvent("wheel", {{ deltaX: {x}, deltaY: {y}, clientX: 640, clientY: 400, cancelable: true }}));
            return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));""")
        start = picture()
        for _ in range(5):
            turn(40, 0)
        turn(0, 25)
        turn(0, 25)
        self.assertEqual(picture(), start)
        turn(0, 25)
        page.until("it is smaller", lambda: picture() != start)
        turn(0, -100)
        page.until("and as before", lambda: picture() == start)

    def test_a_plane_grows(self):
        page = self.opened(GUN, "-g", "1000")
        page["speed"].send_keys("as fast")
        page["play"].click()
        page.until("it runs", lambda: page.numbers()[0] > 4000)
        page["play"].click()
        page.until("it stops", lambda: page["play"].text == "Run")
        generation, population = page.numbers()
        self.assertEqual(population, self.json("run", GUN, "-g", str(generation))["population"])
        # All gliders come into view, not only where the start was
        fitted = lambda: page.driver.execute_script("return document.getElementById('world').toDataURL()")
        before = fitted()
        page.keys("f")
        page.until("another part is seen", lambda: fitted() != before)
        page.keys("r")
        page.until_numbers(1000, self.facts["population"])

    def test_a_plane_grows_on_all_sides(self):
        # A glider to each corner: two thousand generations are five hundred cells, in a world that began with about three hundred
        pattern = self.file("gliders.rle", "x = 43, y = 43, rule = B3/S23\n" + "3o37b3o$o41bo$bo39bo38$bo39bo$o41bo$3o37b3o!\n")
        page = self.opened(pattern)
        page["speed"].send_keys("as fast")
        page["play"].click()
        page.until("it runs", lambda: page.numbers()[0] > 2000)
        page["play"].click()
        page.until("it stops", lambda: page["play"].text == "Run")
        self.assertEqual(page.numbers()[1], 20)
        self.assertEqual(page.text("says"), "")

    def test_controls_and_pictures(self):
        page = self.opened("--random", "0.5", "--size", "512", "--title", "<!--<script></script><b>Soup @RLE@ & @DATA@ more", scheme="light")
        self.assertEqual(page.text("title"), "<!--<script></script><b>Soup @RLE@ & @DATA@ more")
        self.assertEqual(page.driver.title, "<!--<script></script><b>Soup @RLE@ & @DATA@ more")
        self.assertIn("Life, B3/S23:T512,512", page.text("rule"))
        world = (300, 100, 680, 600)
        self.assertGreater(page.picture(world)[0], 1)
        page.keys(".")
        page.until_numbers(1)
        self.assertGreater(page.picture(world)[1], 1000)
        page.drag((640, 400), (700, 440))
        self.assertGreater(page.picture(world)[1], 1000)
        page.keys("f")
        page["copy"].click()
        page.until("it says something", lambda: page.text("says") != "")
        # As in a frame of another site, and over plain HTTP
        page.until("that is gone", lambda: page.text("says") == "")
        page.driver.execute_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page["copy"].click()
        page.until("it is copied", lambda: page.text("says") == "Copied.")
        picture = lambda: page.driver.execute_script("return document.getElementById('world').toDataURL()")
        before = picture()
        for key, back in (("]", "["), (Keys.ARROW_RIGHT, Keys.ARROW_LEFT), (Keys.ARROW_UP, "f")):
            page.keys(key)
            page.until("it is another view", lambda: picture() != before)
            page.keys(back)
            page.until("it is the first view", lambda: picture() == before)
        page.keys(Keys.SPACE)  # after a click on a button
        page.until("it runs", lambda: page.numbers()[0] > 5)
        page.keys(Keys.SPACE)
        page.until("it stops", lambda: page["play"].get_attribute("aria-pressed") == "false")
        self.assertEqual(page.faults(), [])

    def test_what_no_page_runs(self):
        page = self.file("page.html")
        soup = ["export", "--random", "0.4", "--size", "64", "-o", page]
        self.refused(4, "another family", *soup, "--rule", "Critters")
        self.refused(4, "another family", *soup, "--rule", "Bugs")
        self.refused(4, ":T256,256", "export", ACORN, "--rule", "B02/S1", "-o", page)
        self.refused(4, "live cells", "export", "--random", "0.5", "--size", "4096", "-o", page)
        self.refused(4, "not surfaces", "export", "--mesh", "torus:20x20", "--random", "0.3", "-o", page)
        self.refused(2, "ends in .html", *soup[:-1], self.file("page.txt"))
        self.refused(2, "standard output", *soup[:-1], "-", "--json")
        self.assertEqual(list(self.folder.glob("page*")), [])
        self.assertTrue(self.ok(*soup[:-1], "-").stdout.startswith("<!DOCTYPE html>"))


if __name__ == "__main__":
    shard.main()
