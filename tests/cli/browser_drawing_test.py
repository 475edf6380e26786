#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of moorea serve: drawing, pasting, selecting and moving, with pointer and keys."""
import pathlib

from browser_case import Case, GLIDER, GUN, main
from browser_page import Keys
from serve_client import Socket


class Drawing(Case):
    def test_a_glider_is_drawn_and_moves(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        box = (5, 8, 20, 20)
        page.until_shown({(x + 10, y + 12) for x, y in GLIDER}, box)
        for generation in range(1, 5):
            page.keys(Keys.SPACE)
            page.until_numbers(generation, 5)
        page.until_shown({(x + 11, y + 13) for x, y in GLIDER}, box)
        page.keys("b")
        page.until_numbers(3, 5)
        page.canvas_focus()
        page.keys("++")
        page.until("longer steps", lambda: page.text("pace") == "4 a frame")
        page.keys(Keys.TAB)
        page.until_numbers(7, 5)
        page.with_ctrl("r")
        page.until_numbers(0, 5)
        page.until_shown({(x + 10, y + 12) for x, y in GLIDER}, box)
        # A stroke on a live cell erases; undo brings it back, of a line the whole
        page.keys("e")
        page.drag(page.point(10, 14), page.point(12, 14))
        page.until_numbers(0, 2)
        page.with_ctrl("z")
        page.until_numbers(0, 5)
        page.keys("d")
        page.drag(page.point(20, 20), page.point(30, 25))
        page.until_numbers(0, 16)
        page.with_ctrl("z")
        page.until_numbers(0, 5)

    def test_states_are_chosen_and_drawn(self):
        """WireWorld: a wire and an electron by swatches and keys, in its colours, also in the light theme."""
        self.torus = ("--rule", "WireWorld", "--random", "0", "--size", "40")
        page = self.opened()
        grey, blue, white, orange = [48, 48, 48], [0, 128, 255], [255, 255, 255], [255, 128, 0]
        row = lambda: page.colours((9, 20, 8, 1))
        self.assertFalse(page["states"].is_displayed())
        page.keys("d")
        page.until("the states are offered", page["states"].is_displayed)
        swatches = page["swatches"].find_elements("tag name", "button")
        self.assertEqual([swatch.get_attribute("title") for swatch in swatches], ["State 1 (1)", "State 2 (2)", "State 3 (3)"])
        swatches[2].click()
        self.assertEqual(page.text("state-chosen"), "3")
        page.drag(page.point(10, 20), page.point(15, 20))
        page.until_numbers(0, 6)
        page.canvas_focus()
        for key, x in (("2", 10), ("1", 11)):
            page.keys(key)
            page.drag(page.point(x, 20))
        page.until("an electron on a wire", lambda: row() == [grey, white, blue, orange, orange, orange, orange, grey])
        page.keys(Keys.SPACE)
        page.until_numbers(1, 6)
        page.until("it moves", lambda: row() == [grey, orange, white, blue, orange, orange, orange, grey])
        page["theme"].click()
        page.until("the same colours in the light theme", lambda: row() == [grey, orange, white, blue, orange, orange, orange, grey])
        page["theme"].click()
        # The chosen state on itself erases
        page.drag(page.point(12, 20))
        page.until("no head", lambda: row()[3] == grey)
        page.keys("h")
        self.assertFalse(page["states"].is_displayed())
        # A rule of two states has none to choose
        page.keys("d")
        page["rule-chip"].click()
        page["rule"].clear()
        page["rule"].send_keys("B3/S23", Keys.ENTER)
        page.until("two states", lambda: not page["states"].is_displayed())

    def test_redo(self):
        page = self.opened()
        self.assertFalse(page["undo"].is_enabled() or page["redo"].is_enabled())
        page.keys("d")
        page.drag(page.point(20, 20), page.point(30, 25))
        page.until_numbers(0, 11)
        for redo in (lambda: page.with_ctrl("y"), lambda: page.with_ctrl_shift("z"), page["redo"].click):
            page.with_ctrl("z")
            page.until_numbers(0, 0)
            page.until("only redo is possible", lambda: page["redo"].is_enabled() and not page["undo"].is_enabled())
            redo()
            page.until_numbers(0, 11)
            page.until("only undo is possible", lambda: page["undo"].is_enabled() and not page["redo"].is_enabled())
        audience = self.page(self.serve.links[1])
        self.assertFalse(audience["redo"].is_displayed())

    def test_the_gun_is_pasted_and_shoots(self):
        self.torus = ("--random", "0", "--size", "120")
        page = self.opened()
        page.middle = (60, 60)
        page.driver.execute_script("""
            const data = new DataTransfer();
            data.setData("text", arguments[0]);
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));""", GUN)
        page.until("it is to be placed", lambda: page["placing"].is_displayed())
        self.assertEqual(page.text("placing-size"), "36 \u00d7 9")
        page.drag(page.point(40, 30))
        page.until_numbers(0, 36)
        self.assertFalse(page["placing"].is_displayed())
        page.canvas_focus()
        page.keys("+" * 5)
        page.until("longer steps", lambda: page.text("pace") == "32 a frame")
        page.keys(Keys.TAB)
        page.until("32 generations", lambda: page.numbers()[0] == 32)
        page.keys("-" * 5 + "bb")
        page.until_numbers(30, 41)  # the gun and a glider
        # The world goes where it is dragged to, and as far by keys
        page.keys("h")
        shown = page.shown((20, 24, 40, 14))
        self.assertGreater(len(shown), 20)
        every = page.shown((0, 0, 120, 120))
        self.assertEqual(len(every), 41)
        middle = [(min(numbers) + max(numbers) + 1) / 2 for numbers in zip(*every)]  # of what lives
        page.drag((900, 700), (900 + 20 * page.size(), 700 - 10 * page.size()))
        page.middle = (40, 70)
        page.until_shown(shown, (20, 24, 40, 14))
        page.keys("f")
        page.middle = middle
        page.until_shown(shown, (20, 24, 40, 14))
        page.keys(Keys.ARROW_RIGHT)
        page.middle = (middle[0] + 0.1 * page.width / page.size(), middle[1])
        page.until_shown({(x, y) for x, y in shown if x >= 30}, (30, 24, 30, 14))  # what was on the left is outside
        page.keys("m")
        page.middle = middle
        page.until_shown(shown, (20, 24, 40, 14))
        # Closer and farther, and the wheel keeps the cell under the pointer
        scale = page.size()
        page.keys("]")
        page.until("closer", lambda: page.size() == 2 * scale)
        page.keys("[[")
        page.until("farther", lambda: page.size() == scale / 2)
        page.keys("f")
        page.until("fitted", lambda: page.size() == scale)
        page.driver.execute_script("document.getElementById('world').dispatchEvent(new WheelEvent('wheel', {deltaY: -120, clientX: 640, clientY: 400, cancelable: true}))")
        page.until("the wheel", lambda: page.size() > 1.2 * scale)
        # No zoom is a step from the next one
        turned = page.size()
        page.driver.execute_script("document.getElementById('world').dispatchEvent(new WheelEvent('wheel', {deltaY: 10, clientX: 640, clientY: 400, cancelable: true}))")
        page.until("a small turn", lambda: scale < page.size() < turned)

    def test_identify(self):
        """The pattern, then the selection; closing the answer."""
        page = self.opened()
        paste = "const data = new DataTransfer(); data.setData('text', arguments[0]); document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));"
        page.driver.execute_script(paste, "x = 17, y = 3\nbo$2bo11b3o$3o!")
        page.until("it is to be placed", lambda: page["placing"].is_displayed())
        page.drag(page.point(20, 10))
        page.until_numbers(0, 8)
        page.keys("i")
        page.until("it is identified", lambda: page.text("identified-text").startswith("objects that do not influence"))
        self.assertIn("blinker", page.text("identified-objects"))
        page.keys("s")
        page.drag(page.point(10, 7), page.point(16, 14))
        page["identify-selection"].click()
        page.until("the selection is", lambda: page.text("identified-text") == "spaceship: glider, period 4, c/4 diagonal")
        self.assertIn("xq4_153", page.text("identified-facts"))
        self.assertEqual(page.text("identified-objects"), "")
        page["identified-close"].click()
        page.until("it is closed", lambda: not page["identified"].is_displayed())

    def test_a_gun_is_named(self):
        self.torus = (str(pathlib.Path(__file__).parents[2] / "patterns/gosper-glider-gun.rle"),)
        page = self.opened()
        page.keys("i")
        page.until("it is identified", lambda: page.text("identified-text") == "gun: Gosper glider gun, period 30")
        self.assertIn("yl30_1_5_", page.text("identified-facts"))
        self.assertIn("glider", page.text("identified-objects"))

    def test_placing_turns_and_mirrors(self):
        page = self.opened()
        paste = "const data = new DataTransfer(); data.setData('text', arguments[0]); document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));"
        page.driver.execute_script(paste, "x = 4, y = 1, rule = B36/S23\nbooo!")
        page.until("it is to be placed", lambda: page.text("placing-size") == "4 \u00d7 1")
        page.until("its rule is another", lambda: "HighLife" in page.text("says"))
        page.keys("r")
        page.until("it is turned", lambda: page.text("placing-size") == "1 \u00d7 4")
        page.drag(page.point(20, 20))
        page.until_numbers(0, 3)
        self.assertEqual(len({x for x, _ in page.shown((15, 15, 10, 10))}), 1)
        page.driver.execute_script(paste, "x = 3, y = 3\nbo$2bo$3o!")
        page.until("it is to be placed", lambda: page["placing"].is_displayed())
        page.keys("x")
        page.drag(page.point(10, 10))
        page.until_numbers(0, 8)
        page.until_shown({(9 + 2 - x, 9 + y) for x, y in GLIDER}, (5, 5, 10, 10))
        page.driver.execute_script(paste, ".OO")  # plaintext
        page.until("it is to be placed", lambda: page.text("placing-size") == "3 \u00d7 1")
        page.keys(Keys.ESCAPE)
        page.until("nothing is placed", lambda: not page["placing"].is_displayed())
        page.driver.execute_script(paste, "this is no pattern")
        page.until("it says so", lambda: "the pasted text: not a pattern" in page.text("says"))
        page.driver.execute_script(paste, "x = 3, y = 1, rule = W110\n3o!")
        page.until("its rule cannot be run", lambda: "W110, which Moorea cannot run" in page.text("says"))
        page.keys(Keys.ESCAPE)
        page.driver.execute_script(paste, "x = 36, y = 9\n24bo$22bobo$12b2o")
        page.until("it is not whole", lambda: "truncated" in page.text("says"))
        self.assertFalse(page["placing"].is_displayed())
        self.assertEqual(page.numbers(), (0, 8))

    def test_placing_keeps_states(self):
        self.torus = ("--random", "0", "--size", "40", "--rule", "345/2/40")
        page = self.opened()
        paste = "const data = new DataTransfer(); data.setData('text', arguments[0]); document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));"
        page.driver.execute_script(paste, "x = 3, y = 2, rule = 345/2/40\nA.B$2pAC!")
        page.until("it is to be placed", lambda: page.text("placing-size") == "3 \u00d7 2")
        page.keys("r")
        page.until("it is turned", lambda: page.text("placing-size") == "2 \u00d7 3")
        page.drag(page.point(20, 20))
        page.until_numbers(0, 5)
        client = Socket(self.serve.port, self.serve.token)
        self.addCleanup(client.close)
        client.say("save", format="rle")
        self.assertIn(b"pAA$pA$CB!", client.until("file")[1])

    def test_selecting(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        page.keys("s")
        page.drag(page.point(9, 11), page.point(13, 15))
        page.until("it is selected", lambda: page.text("selection-size") == "5 \u00d7 5")
        page.with_ctrl("c")
        page.until("it is copied", lambda: "opied" in page.text("says"))
        page.keys(Keys.DELETE)
        page.until_numbers(0, 0)
        page.with_ctrl("z")
        page.until_numbers(0, 5)
        page.with_ctrl("x")
        page.until_numbers(0, 0)
        page["panel-button"].click()
        page["tab-files"].click()
        page["paste"].click()
        page.until("it is to be placed", lambda: page["placing"].is_displayed())
        page["place"].click()
        page.until_numbers(0, 5)
        page["panel-close"].click()
        page.with_ctrl("a")
        page.until("all is selected", lambda: page.text("selection-size") == "40 \u00d7 40")
        page["fill"].click()
        page.until("there is noise", lambda: page.numbers()[1] > 500)
        page.keys(Keys.ESCAPE)
        self.assertFalse(page["selection"].is_displayed())

    def test_cells_that_cannot_be_copied_are_not_cut(self):
        self.torus = ("--random", "0.5", "--size", "20000", "--threads", "1")
        page = self.opened()
        page.until("it is shown", lambda: page.numbers()[1] > 0)
        population = page.numbers()[1]
        page.with_ctrl("a")
        page.until("all is selected", lambda: page["selection"].is_displayed())
        page.with_ctrl("x")
        page.until("it says why", lambda: "the maximum is" in page.text("says"))
        self.assertEqual(page.numbers(), (0, population))
        self.assertFalse(page["undo"].is_enabled())

    def test_a_selection_goes_with_its_world(self):
        page = self.opened()
        page.with_ctrl("a")
        page.until("all is selected", lambda: page["selection"].is_displayed())
        page["panel-button"].click()
        page["tab-world"].click()
        for name, cells in (("width", "30"), ("height", "20")):
            page[name].clear()
            page[name].send_keys(cells)
        page["resize"].click()
        page.until("nothing is selected", lambda: not page["selection"].is_displayed())

    def test_an_empty_world_says_how_to_begin(self):
        page = self.opened()
        page.until("it says so", lambda: page["empty"].is_displayed())
        self.assertIn("Nothing lives here yet", page.text("empty-says"))
        page["empty-patterns"].click()
        self.assertTrue(page["page-patterns"].is_displayed())
        page["panel-close"].click()
        page["empty-draw"].click()
        page.drag(page.point(20, 20))
        page.until_numbers(0, 1)
        self.assertFalse(page["empty"].is_displayed())
        page.keys(Keys.SPACE)
        page.until("it has died", lambda: "any more" in page.text("empty-says") and page["empty"].is_displayed())
        audience = self.page(self.serve.links[1])
        audience.until("it says so", lambda: audience["empty"].is_displayed())
        self.assertFalse(audience["empty-draw"].is_displayed())

    def test_a_pattern_that_is_too_small_to_be_seen(self):
        self.torus = ("--random", "0", "--size", "16384")
        page = self.opened()
        paste = "const data = new DataTransfer(); data.setData('text', arguments[0]); document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));"
        page.driver.execute_script(paste, "x = 3, y = 3\nbo$2bo$3o!")
        page.until("it can be seen", lambda: page["placing-zoom"].is_displayed())
        page["placing-zoom"].click()
        page.until("it is seen", lambda: 3 * page.size() >= 64 and not page["placing-zoom"].is_displayed())
        page["place"].click()
        page.until_numbers(0, 5)


if __name__ == "__main__":
    main()
