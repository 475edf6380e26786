#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of moorea serve: links that contain a world, copies, pictures, what was opened before, and ways through time and space."""
import pathlib

from browser_case import Case, main
from browser_page import By, Keys, Page
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

PASTE = "const data = new DataTransfer(); data.setData('text', arguments[0]); document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));"


class Sharing(Case):
    def opened(self, **more):
        page = super().opened(**more)
        page.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        return page

    def files(self, page):
        page["panel-button"].click()
        page["tab-files"].click()

    def copied(self, page, button, says="Copied."):
        """What a button copies."""
        page.driver.execute_script("document.getElementById('says').textContent = ''")
        page[button].click()
        page.until("it is copied", lambda: page.text("says") == says)
        return page.driver.execute_async_script("const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done(String(error)));")

    def test_a_link_contains_the_world(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        page.keys(Keys.SPACE)
        page.until_numbers(1, 5)
        self.files(page)
        link = self.copied(page, "copy-link")
        self.assertRegex(link, r"^http://[\w.:]+/#world=[\w-]+$")
        token = self.serve.links[0].split("#")[1]
        self.assertNotIn(token, link)
        # Opened in this browser, whose last link of that server is used; the address has the secret afterwards
        page["panel-close"].click()
        page.with_ctrl("z")
        page.driver.get("about:blank")
        page.driver.get(link)
        WebDriverWait(page.driver, 20).until(expected_conditions.alert_is_present()).accept()
        page.until("it is there", lambda: page.driver.execute_script("return location.hash") == f"#{token}")
        page.until_numbers(1, 5)
        # Pasted into the page of another moorea serve
        other = self.start("--random", "0.5", "--size", "64")
        page.driver.get(other.links[0])
        page.until("another world", lambda: page.numbers()[1] > 100)
        page.driver.execute_script(PASTE, link)
        page.until_numbers(1, 5)
        # A damaged one, and one that is for no browser that knows the secret
        page.driver.execute_script(PASTE, link[:-9])
        page.until("it says so", lambda: "damaged" in page.text("says"))
        page.driver.get(self.serve.links[0])
        page.until_numbers(1, 5)
        page.driver.execute_script("localStorage.clear()")
        page.driver.get("about:blank")
        page.driver.get(link)
        page.until("it says what to open", lambda: "not the whole link" in page.text("connection"))

    def test_copies_and_pictures(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        self.files(page)
        self.assertRegex(self.copied(page, "copy-all"), r"x = 3, y = 3, rule = B3/S23:T40,40\s+bo\$2bo\$3o!")
        before = set(pathlib.Path(Page.downloads.name).glob("*.png"))
        page["save-picture"].click()
        pictures = lambda: set(pathlib.Path(Page.downloads.name).glob("*.png")) - before
        page.until("a picture", lambda: len(pictures()) == 1 and next(iter(pictures())).stat().st_size > 100)
        self.assertTrue(next(iter(pictures())).read_bytes().startswith(b"\x89PNG"))

    def test_copies_where_the_browser_has_no_clipboard_for_pages(self):
        """As over plain HTTP from another machine; and where what is selected is not copied, either."""
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        page.driver.execute_script("window.real = navigator.clipboard; Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });")
        real = lambda: page.driver.execute_async_script("const done = arguments[0]; window.real.readText().then(done, (error) => done(String(error)));")
        self.files(page)
        page["copy-link"].click()
        page.until("it is copied", lambda: page.text("says") == "Copied.")
        self.assertRegex(real(), r"^http://[\w.:]+/#world=[\w-]+$")
        self.assertFalse(page["shared-link"].is_displayed())
        page["copy-all"].click()
        page.until("cells are copied", lambda: "x = 3, y = 3" in real())
        # Not even that: the link is selected in a field, and cells are copied within the page
        page.driver.execute_script("document.execCommand = () => false; window.real.writeText('3o!')")
        page["copy-link"].click()
        page.until("it says so", lambda: page.text("says") == "The browser denies access to the clipboard: copy the selected link.")
        self.assertRegex(page["shared-link"].get_attribute("value"), r"^http://[\w.:]+/#world=[\w-]+$")
        self.assertEqual(page.driver.execute_script("return getSelection().toString() || document.activeElement.id"), page["shared-link"].get_attribute("value"))
        page["panel-close"].click()
        page.canvas_focus()
        page.with_ctrl("a")
        page.until("all is selected", lambda: page["selection"].is_displayed())
        page.with_ctrl("x")
        page.until_numbers(0, 0)
        page.until("it says where", lambda: page.text("says").startswith("Copied within this page only"))
        page.with_ctrl("v")
        page.until("it can be placed", lambda: page["placing"].is_displayed())
        page.keys(Keys.ENTER)
        page.until_numbers(0, 5)
        # By the button, too; and no more when something else is copied, or another program may have copied something
        page.driver.execute_script("Object.defineProperty(navigator, 'clipboard', { value: window.real, configurable: true })")
        self.files(page)
        page["paste"].click()
        page.until("the one of the page", lambda: page.text("placing-size") == "40 \u00d7 40")
        page["copy-all"].click()
        page.until("it is copied", lambda: page.text("says") == "Copied.")
        page.driver.execute_script(PASTE, "7o!")
        page.until("that is pasted", lambda: page.text("placing-size") == "7 \u00d7 1")
        page.driver.execute_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page["panel-close"].click()
        page.keys(Keys.ESCAPE)
        page.with_ctrl("a")
        page.until("all is selected", lambda: page["selection"].is_displayed())
        page.with_ctrl("c")
        page.until("it says where", lambda: page.text("says").startswith("Copied within this page only"))
        page.driver.execute_script("dispatchEvent(new Event('blur'))")
        page.driver.execute_script(PASTE, "5o!")
        page.until("that one", lambda: page.text("placing-size") == "5 \u00d7 1")

    def test_several_files_are_dropped(self):
        page = self.opened()
        page.driver.execute_script("""
            const data = new DataTransfer();
            for (const name of ["a.rle", "b.rle"]) data.items.add(new File(["x = 3, y = 1\\n3o!"], name));
            document.getElementById("world").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, clientX: 640, clientY: 400 }));""")
        page.until_numbers(0, 3)
        page.until("it says what was taken", lambda: page.text("says") == "Only a.rle is taken: drop one file at a time. Placed where it was dropped. Ctrl+Z undoes it; Files opens it instead.")

    def test_what_was_opened_before(self):
        page = self.opened()
        page["panel-button"].click()
        page["tab-patterns"].click()
        self.assertFalse(page["remembered-section"].is_displayed())
        page["search"].send_keys("acorn")
        page["patterns"].find_element(By.CSS_SELECTOR, "[aria-label='Open Acorn']").click()
        page.until_numbers(0, 7)
        page["tab-files"].click()
        folder = pathlib.Path(Page.downloads.name)
        (folder / "mine.rle").write_text("x = 2, y = 2\n2o$2o!\n")
        page["file"].send_keys(str(folder / "mine.rle"))
        page.until_numbers(0, 4)
        page.driver.refresh()
        page.until("the page is there", lambda: "waiting" not in page.driver.find_element(By.TAG_NAME, "body").get_attribute("class"))
        page["panel-button"].click()
        page["tab-patterns"].click()
        names = [each.text for each in page["remembered"].find_elements(By.TAG_NAME, "strong")]
        self.assertEqual(names, ["mine.rle", "Acorn"])
        page["remembered"].find_elements(By.TAG_NAME, "button")[1].click()
        page.until_numbers(0, 7)
        page["remembered"].find_elements(By.TAG_NAME, "button")[1].click()
        page.until_numbers(0, 4)
        # Nor what could not be opened
        page["tab-files"].click()
        (folder / "broken.rle").write_text("x = 2, y = 2\n2o$2o")
        page["file"].send_keys(str(folder / "broken.rle"))
        page.until("it says why", lambda: "broken.rle" in page.text("says"))
        self.assertEqual([each.get_property("textContent") for each in page["remembered"].find_elements(By.TAG_NAME, "strong")], ["mine.rle", "Acorn"])
        page.driver.execute_script("localStorage.clear()")

    def test_a_browser_that_keeps_nothing(self):
        page = self.opened()
        script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });"})
        self.addCleanup(lambda: page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script))
        page.driver.refresh()
        page.until("the page is there", lambda: "waiting" not in page.driver.find_element(By.TAG_NAME, "body").get_attribute("class"))
        page["theme"].click()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)

    def test_a_pattern_with_its_rule(self):
        """A copy contains the rule, and is read again without cells in its letters."""
        page = self.opened()
        page.driver.execute_script(PASTE, "x = 3, y = 1, rule = Fading\n.AA!\n@RULE Fading\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:permute\n1,0,0,0,0,0,0,0,0,2\n")
        page.until("it is placed", lambda: page["placing"].is_displayed())
        self.assertEqual(page.text("placing-size"), "3 \u00d7 1")
        page.keys(Keys.ENTER)
        page.until_numbers(0, 2)

    def test_what_identify_refuses(self):
        page = self.page(self.start("--rule", "B0/S8", "--random", "0.3", "--size", "20").links[0])
        page.canvas_focus()
        page.keys("i")
        page.until("the card says why", lambda: "without B0" in page.text("identified-text"))

    def test_seeds_are_checked(self):
        page = self.opened()
        page["panel-button"].click()
        for seed, is_right in (("abc", False), (str(2**64), False), (str(2**64 - 1), True)):
            page["seed"].clear()
            page["seed"].send_keys(seed)
            self.assertEqual(page["make"].is_enabled(), is_right, seed)
            self.assertEqual("below 2^64" in page.text("make-says"), not is_right)

    def test_any_generation(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        for text, expected in (("100", 100), ("+20", 120), ("-30", 90), ("2^5", 32), ("1k", 1000)):
            page.canvas_focus()
            page.keys("g")
            page.until("it asks", page["going"].is_displayed)
            page["go-to"].send_keys(text, Keys.ENTER)
            page.until_numbers(expected, 5)
            self.assertFalse(page["going"].is_displayed())
        page["go"].click()
        page["go-to"].send_keys("soon", Keys.ENTER)
        self.assertIn("Expected a whole number", page.text("go-says"))
        page["go-to"].send_keys(Keys.ESCAPE)
        page.until("it is closed", lambda: not page["going"].is_displayed())
        self.assertEqual(page.numbers()[0], 1000)

    def test_a_link_of_a_surface_says_that_it_is_flat(self):
        self.torus = ("--mesh", "torus:64x32", "--random", "0.3")
        page = self.opened()
        self.files(page)
        self.assertIn("#world=", self.copied(page, "copy-link", "Copied. The link has the cells, and opens them on a plane."))

    def test_the_cell_under_the_pointer(self):
        self.torus = ("--rule", "WireWorld", "--random", "0", "--size", "40")
        page = self.opened()
        page.keys("d2")
        page.drag(page.point(7, 31))
        page.until_numbers(0, 1)
        page.keys("h")
        page.drag(page.point(7, 31))
        page.until("its column, row and state", lambda: page.text("cursor") == "7, 31: 2")
        page.drag(page.point(8, 31))
        page.until("a dead one", lambda: page.text("cursor") == "8, 31: 0")


if __name__ == "__main__":
    main()
