# SPDX-License-Identifier: MIT
"""Base of the tests of the page of moorea serve, as people use it: pointers, keys, files, several pages at once."""
import pathlib
import shutil
import sys
import unittest

import shard
from browser_page import By, Page
from programs import MOOREA
from serve_client import Serve

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
GUN = (SOURCE / "patterns/gosper-glider-gun.rle").read_text()


class Case(unittest.TestCase):
    def setUp(self):
        self.torus = ("--random", "0", "--size", "40")

    def start(self, *arguments, **more):
        serve = Serve(MOOREA, *arguments, **more)
        self.addCleanup(lambda: serve.process.poll() is None and serve.stop())
        return serve

    def page(self, link, middle=(20, 20), **more):
        page = Page(link, **more)
        self.addCleanup(page.end)
        page.middle = middle
        page.until("the page is there", lambda: "waiting" not in page.driver.find_element(By.TAG_NAME, "body").get_attribute("class"))
        page.until("the world is fitted", lambda: page.text("scale") not in ("1:1", "8:1"))
        self.addCleanup(lambda: self.assertEqual(page.faults(), []))
        return page

    def opened(self, **more):
        self.serve = self.start(*self.torus)
        page = self.page(self.serve.links[0], **more)
        return page

    def draw_glider(self, page, x, y):
        page.keys("d")
        for i, j in sorted(GLIDER):
            page.drag(page.point(x + i, y + j))


def main():
    if shutil.which("chromedriver") is None or shutil.which("chromium") is None:
        print("chromium or chromedriver is not installed: the page is not tested")
        sys.exit(77)
    try:
        shard.main()
    finally:
        for driver in Page.idle:
            driver.quit()
