#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The colours of the page of moorea serve: age, trails, activity and palettes, as its pixels have them."""
import base64
import pathlib

from browser_case import Case, main
from browser_page import Keys, Page
from selenium.webdriver.support.select import Select

DARK = {"dead": (11, 15, 26), "alive": (255, 243, 214)}
VIRIDIS = {"dead": (68, 1, 84), "alive": (253, 231, 37)}


class Colours(Case):
    def chosen(self, page):
        return tuple(Select(page[name]).first_selected_option.get_attribute("value") for name in ("show", "palette"))

    def choose(self, page, **names):
        if not page["colouring"].is_displayed():
            page["colours"].click()
        for name, value in names.items():
            Select(page[name]).select_by_value(value)

    def cell(self, page, x, y):
        return tuple(page.colours((x, y, 1, 1))[0])

    def until_cells(self, page, expected):
        page.until(f"the cells {expected}", lambda: {at: self.cell(page, *at) for at in expected} == expected)

    def test_trails_of_a_blinker(self):
        page = self.opened()
        page.keys("d")
        for x in (19, 20, 21):
            page.drag(page.point(x, 20))
        page.until_numbers(0, 3)
        self.choose(page, show="trails", palette="viridis")
        alive = VIRIDIS["alive"]
        self.until_cells(page, {(19, 20): alive, (20, 20): alive, (20, 19): VIRIDIS["dead"]})
        page.canvas_focus()
        page.keys(" ")
        page.until_numbers(1, 3)
        self.until_cells(page, {(20, 19): alive, (20, 21): alive, (5, 5): VIRIDIS["dead"]})
        # The middle is older than the ends; where cells died a trail remains, which fades
        middle, trail = self.cell(page, 20, 20), self.cell(page, 19, 20)
        self.assertNotIn(trail, (alive, VIRIDIS["dead"]))
        for generation in range(2, 9):
            page.keys(" ")
            page.until_numbers(generation, 3)
        self.assertNotEqual(self.cell(page, 20, 20), middle)
        self.assertEqual(page.text("scale-says"), "New cells, dead ones and their trails, which last 103 generations.")
        # The pen knows which cells are alive whatever their colours are
        page.drag(page.point(20, 20))
        page.until_numbers(8, 2)
        page.drag(page.point(20, 20))
        page.until_numbers(8, 3)
        # Back in time nothing is known of the past
        page.keys("b")
        page.until_numbers(7, 3)
        self.until_cells(page, {(20, 20): alive, (19, 20): VIRIDIS["dead"], (20, 19): alive})

    def test_all_colourings_and_palettes_by_keys_are_kept(self):
        page = self.opened()
        self.draw_glider(page, 20, 20)
        page.until_numbers(0, 5)
        page["colours"].click()
        page.keys(Keys.ESCAPE)
        self.assertFalse(page["colouring"].is_displayed())
        page.canvas_focus()
        seen = []
        for _ in range(4):
            page.keys("k")
            seen.append(self.chosen(page)[0])
        self.assertEqual(seen, ["age", "trails", "activity", "cells"])
        seen = []
        for _ in range(5):
            page.keys("l")
            seen.append(self.chosen(page)[1])
        self.assertEqual(seen, ["night", "ink", "viridis", "cividis", "page"])
        page.keys("k", "l", "l")
        page.until("ages in ink", lambda: page.text("says").startswith("ink"))
        self.until_cells(page, {(0, 0): (255, 255, 255)})
        page.driver.refresh()
        page.until("the page is there again", lambda: page.driver.execute_script("return document.readyState") == "complete" and page.numbers() == (0, 5))
        page.until("what was chosen", lambda: self.chosen(page) == ("age", "ink"))
        page.middle = (21.5, 21.5)  # that of the live cells
        self.until_cells(page, {(18, 20): (255, 255, 255)})
        # As the page is, dark or light
        self.choose(page, show="age", palette="page")
        self.until_cells(page, {(18, 20): DARK["dead"]})
        page["theme"].click()
        self.until_cells(page, {(18, 20): (250, 247, 240)})
        page["theme"].click()
        self.choose(page, show="cells")
        self.until_cells(page, {(21, 20): DARK["alive"], (18, 20): DARK["dead"]})

    def test_states_keep_their_colours(self):
        self.torus = ("--rule", "WireWorld", "--random", "0", "--size", "40")
        page = self.opened()
        page.keys("d", "3")
        page.drag(page.point(20, 20))
        page.until_numbers(0, 1)
        own = self.cell(page, 20, 20)
        self.choose(page, palette="viridis")
        page.until("the palette", lambda: self.chosen(page)[1] == "viridis")
        self.assertEqual(self.cell(page, 20, 20), own)
        self.choose(page, show="age")
        page.until("an age", lambda: self.cell(page, 20, 20) != own)

    def test_a_saved_picture_has_the_colours(self):
        page = self.opened()
        self.draw_glider(page, 20, 20)
        self.choose(page, show="trails", palette="cividis")
        page.canvas_focus()
        for generation in (1, 2, 3):  # each is drawn, also on a busy machine
            page.keys(" ")
            page.until_numbers(generation, 5)
        before = set(pathlib.Path(Page.downloads.name).glob("*.png"))
        page.keys("p")
        page["tab-files"].click()
        page["save-picture"].click()
        made = lambda: set(pathlib.Path(Page.downloads.name).glob("*.png")) - before
        page.until("a picture", lambda: len(made()) == 1 and next(iter(made())).stat().st_size > 100)
        cells = [(x, y) for y in range(19, 26) for x in range(19, 26)]
        picture = base64.b64encode(next(iter(made())).read_bytes()).decode()
        found = page.driver.execute_async_script("""
            const [url, points, done] = arguments, image = new Image();
            image.onload = () => {
              const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
              [canvas.width, canvas.height] = [image.width, image.height];
              context.drawImage(image, 0, 0);
              done(points.map(([x, y]) => Array.from(context.getImageData(x, y, 1, 1).data.slice(0, 3))));
            };
            image.src = url;""", "data:image/png;base64," + picture, [[round(number) for number in page.point(*at)] for at in cells])
        self.assertEqual([tuple(each) for each in found], [self.cell(page, *at) for at in cells])
        self.assertGreater(len({tuple(each) for each in found}), 4)

    def test_a_surface_has_its_own_colours(self):
        self.torus = ("--mesh", "torus:64x32", "--random", "0.3")
        self.serve = self.start(*self.torus)
        page = Page(self.serve.links[0])
        self.addCleanup(page.end)
        page.until("the surface is there", lambda: page["surface"].is_displayed())
        self.choose(page, show="trails", palette="viridis")
        page.until("a remark", lambda: "flat view" in page.text("scale-says"))
        page.canvas_focus()
        page.driver.execute_script("document.activeElement.blur()")
        page.keys("v")
        page.until("trails", lambda: "trails" in page.text("scale-says"))
        page.keys("v")
        page.until("the surface again", lambda: page["surface"].is_displayed())
        page.keys(" ")
        page.until("a generation", lambda: page.numbers()[0] == 1)
        self.assertEqual(page.faults(), [])

    def test_an_audience_has_colours_too(self):
        self.opened()
        page = self.page(self.serve.links[1])
        self.choose(page, show="activity", palette="viridis")
        self.until_cells(page, {(0, 0): VIRIDIS["dead"]})
        self.assertIn("255 generations", page.text("scale-says"))


if __name__ == "__main__":
    main()
