#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of moorea serve with a surface, by the pixels of its pictures (WebGL by software)."""
import pathlib

import browser_case
from browser_case import GLIDER, Case
from browser_page import ActionChains, Keys, Page
from serve_client import Socket

TORUS = ("--mesh", "torus:24x12")
MIDDLE = (300, 170, 680, 490)     # of the window, where nothing but the surface is
FRONT, HOLE = (640, 560), (640, 345)  # a point of the surface, and one that is none
INNER = (640, 490)                    # a point whose cell is not at the edge of the atlas


class Surfaces(Case):
    def seen(self, *arguments, **more):
        """A page with a surface, and a client that knows its cells."""
        self.serve = self.start(*TORUS, *(arguments or ("--random", "0")))
        client = Socket(self.serve.port, self.serve.token)
        self.addCleanup(client.close)
        if not client.until("hello")[0]["three"]:
            self.skipTest("this build has no three.js")
        client.look(0, 0, 24, 12)
        client.update()
        self.client = client
        page = self.page(self.serve.links[0], **more)
        page.until("the surface is there", lambda: page["surface"].is_displayed())
        page.driver.execute_script("document.getElementById('surface').focus()")
        self.settle(page)
        return page

    def settle(self, page):
        page.driver.execute_async_script("setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(arguments[0])), 300)")

    def changed(self, page, box=MIDDLE):
        """Pixels that differ from those at the last call."""
        self.settle(page)
        return page.picture(box)[1]

    def cells(self, until=lambda state: True):
        self.client.update(until)
        return self.client.cells()

    def drag(self, page, *points, button=0):
        chain = ActionChains(page.driver, duration=30)
        mouse = chain.w3c_actions.pointer_action
        mouse.move_to_location(*points[0])
        mouse.pointer_down(button=button)
        for point in points[1:]:
            mouse.move_to_location(*point)
        mouse.pointer_up(button=button)
        chain.perform()

    def test_a_torus_is_seen_with_light(self):
        page = self.seen()
        page.driver.execute_script("document.getElementById('surface').style.background = 'none'")
        self.settle(page)
        colours, _ = page.picture(MIDDLE)
        self.assertGreater(colours, 100)  # of dead cells alone: shades
        page.driver.execute_script("document.getElementById('surface').style.opacity = 0")
        part = self.changed(page) / (MIDDLE[2] * MIDDLE[3])
        self.assertGreater(part, 0.3)
        self.assertLess(part, 0.8)
        # The hole is the background
        page.driver.execute_script("document.getElementById('surface').style.opacity = 1")
        self.changed(page)
        hole = (HOLE[0] - 5, HOLE[1] - 5, 10, 10)
        page.driver.execute_script("delete window.pictureBefore")
        self.assertLess(page.picture(hole)[0], 12)

    def test_a_cell_is_drawn_and_erased_where_the_pointer_is(self):
        page = self.seen()
        page.picture(MIDDLE)
        page.keys("d")
        self.drag(page, FRONT)
        page.until_numbers(population=1)
        changed = self.changed(page)
        self.assertGreater(changed, 400)  # a face
        self.assertLess(changed, 8000)
        (cell,) = self.cells()
        # The same point is the same cell: it is erased, and its colour is that of dead cells again
        here = (FRONT[0] - 3, FRONT[1] - 3, 6, 6)
        page.picture(here)
        self.drag(page, FRONT)
        page.until_numbers(population=0)
        self.assertGreater(self.changed(page, here), 20)
        self.drag(page, FRONT, (FRONT[0] + 180, FRONT[1] - 40))
        page.until("a stroke", lambda: page.numbers()[1] >= 3)
        stroke = self.cells()
        self.assertIn(cell, stroke)
        for x, y in stroke:  # no gaps, also across the seam of the atlas
            self.assertTrue(len(stroke) == 1 or any(((x + i) % 24, (y + j) % 12) in stroke for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j))
        page.with_ctrl("z")
        page.until_numbers(population=0)

    def test_it_turns_and_zooms(self):
        page = self.seen("--random", "0.3")
        page.picture(MIDDLE)
        self.assertLess(self.changed(page), 50)
        self.drag(page, FRONT, (FRONT[0] + 60, FRONT[1] - 30), (FRONT[0] + 120, FRONT[1] - 60))
        self.assertGreater(self.changed(page), 20000)
        page.keys(Keys.ARROW_LEFT)
        self.assertGreater(self.changed(page), 20000)
        page.keys("]")
        page.until("it is nearer", lambda: page.text("scale") == "200 %")
        self.assertGreater(self.changed(page), 20000)
        page.keys("f")
        page.until("it is whole again", lambda: page.text("scale") == "100 %")
        ActionChains(page.driver).scroll_by_amount(0, -100).perform()
        page.until("the wheel zooms", lambda: int(page.text("scale").split()[0]) > 110)
        page.keys("f")
        population = page.numbers()[1]
        # With another tool, dragging outside of the surface turns it
        page.keys("d")
        self.changed(page)
        self.drag(page, (350, 120), (450, 160))
        self.assertGreater(self.changed(page), 20000)
        self.assertEqual(page.numbers(), (0, population))

    def test_a_glider_runs_and_returns(self):
        path = pathlib.Path(Page.downloads.name) / "glider.rle"
        path.write_text("x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n")
        page = self.seen(str(path))
        start = self.cells()
        left, top = min(x for x, _ in start), min(y for _, y in start)
        self.assertEqual(start, {(left + x, top + y) for x, y in GLIDER})
        page.picture(MIDDLE)
        for _ in range(4):
            page.keys(" ")
        page.until_numbers(generation=4, population=5)
        self.assertEqual(self.cells(lambda state: state["generation"] == 4), {(x + 1, y + 1) for x, y in start})
        self.assertGreater(self.changed(page), 600)
        page.with_ctrl("r")
        page.until_numbers(generation=0)
        self.assertGreater(self.changed(page), 600)
        page.driver.execute_script("window.first = window.pictureBefore")
        # Around the torus, and back in time
        page.keys(Keys.ENTER)
        page.until("it plays", lambda: page.numbers()[0] > 8)
        page.keys(Keys.ENTER)
        page.until("it stops", lambda: page.text("speed") == "stopped")
        self.assertGreater(self.changed(page), 600)
        page.with_ctrl("r")
        page.until_numbers(generation=0, population=5)
        self.settle(page)
        page.driver.execute_script("window.pictureBefore = window.first")
        self.assertLess(page.picture(MIDDLE)[1], 50)

    def test_a_pattern_is_placed_under_the_pointer(self):
        page = self.seen()
        page.keys("d")
        self.drag(page, INNER)
        page.until_numbers(population=1)
        (cell,) = self.cells()
        page.with_ctrl("z")
        page.until_numbers(population=0)
        page.keys("h")
        page.picture(MIDDLE)
        page.driver.execute_script("""
            const data = new DataTransfer();
            data.setData("text", "x = 3, y = 3\\n3o$3o$3o!");
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }))""")
        page.until("it is to be placed", lambda: page["placing"].is_displayed())
        self.drag(page, INNER)
        page.until_numbers(population=9)
        self.assertEqual(self.cells(), {(cell[0] + i, cell[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)})
        self.assertGreater(self.changed(page), 2000)

    def test_flat_and_back(self):
        page = self.seen("--random", "0.3", "--seed", "2")
        page.picture(MIDDLE)
        page.keys("v")
        page.until("it is flat", lambda: page["world"].is_displayed() and not page["surface"].is_displayed())
        self.assertGreater(self.changed(page), 20000)
        page.middle = (12, 6)
        page.until_shown(self.cells(), (0, 0, 24, 12))
        page.keys("v")
        page.until("it is a surface", lambda: page["surface"].is_displayed())
        page.keys(" ")
        page.until_numbers(generation=1)
        self.assertGreater(self.changed(page), 20000)
        self.assertEqual(page.text("scale"), "100 %")

    def test_noise_and_a_rule_for_it(self):
        page = self.seen()
        page["panel-button"].click()
        self.assertFalse(page["edges"].is_displayed() or page["width"].is_displayed() or page["resize"].is_displayed())
        page.picture((300, 100, 500, 560))
        page["make"].click()
        page.until("noise", lambda: page.numbers()[1] > 50)
        self.assertGreater(self.changed(page, (300, 100, 500, 560)), 20000)
        page["rule"].click()
        page.with_ctrl("a")
        page.keys("HighLife", Keys.ENTER)
        page.until("the rule", lambda: page.text("rule-chip") == "HighLife")
        self.assertEqual(self.cells(lambda state: state["rule"] == "B36/S23") and self.client.state["mesh"], "torus:24x12")
        page["tab-engine"].click()
        self.assertIn("torus:24x12, 288 faces", page.text("now-mesh"))

    def test_another_run_has_another_surface(self):
        tokens = pathlib.Path(Page.downloads.name) / "tokens"
        page = self.seen("--random", "0", "--token-file", str(tokens))
        for start, name in ((("--mesh", "sphere:6"), "sphere:6, 216 faces"), (("--size", "40"), ""), (TORUS, "torus:24x12, 288 faces")):
            port = self.serve.port
            self.serve.stop()
            page.until("it says so", lambda: page["connection"].is_displayed())
            self.changed(page)
            self.serve = self.start(*start, "--random", "0.4", "--token-file", str(tokens), port=port)
            page.until("it is back", lambda: not page["connection"].is_displayed())
            page.until("the other world", lambda: page["surface"].is_displayed() == bool(name) and page["world"].is_displayed() != bool(name))
            page.until("its name", lambda: page.driver.execute_script("return document.getElementById('now-mesh').textContent") == name or not name)
            self.assertGreater(self.changed(page), 20000)
        page.keys("d")
        before = page.numbers()[1]
        self.drag(page, FRONT)
        page.until("a cell is drawn or erased", lambda: abs(page.numbers()[1] - before) == 1)

    def test_a_browser_without_webgl_shows_it_flat(self):
        spare = Page("about:blank")
        script = "const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return kind === 'webgl' ? null : get.call(this, kind, ...more); }"
        added = spare.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})["identifier"]
        self.addCleanup(lambda: spare.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added}))
        spare.end()
        self.serve = self.start(*TORUS, "--random", "0.3")
        page = self.page(self.serve.links[0])
        page.until("it says why", lambda: "flat: the browser has no WebGL" in page.text("says") or "without three.js" in page.text("says"))
        self.assertTrue(page["world"].is_displayed())
        self.assertFalse(page["surface"].is_displayed() or page["view"].is_displayed())
        page.keys(" ")
        page.until_numbers(generation=1)

    def test_a_phone(self):
        page = self.seen("--random", "0.3", width=390, height=844, phone=True)
        middle = (70, 250, 250, 200)
        self.assertGreater(page.picture(middle)[0], 200)
        touch = lambda kind, *points: page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]})
        touch("touchStart", (190, 300))
        for i in range(5):
            touch("touchMove", (190 + 15 * i, 300 + 10 * i))
        touch("touchEnd")
        self.assertGreater(self.changed(page, middle), 20000)
        touch("touchStart", (170, 350), (220, 350))
        for i in range(5):
            touch("touchMove", (170 - 10 * i, 350), (220 + 10 * i, 350))
        touch("touchEnd")
        page.until("two fingers zoom", lambda: int(page.text("scale").split()[0]) > 150)
        self.assertGreater(self.changed(page, middle), 20000)


if __name__ == "__main__":
    browser_case.main()
