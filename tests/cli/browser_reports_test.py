#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages that commands write, as a browser shows them: a census, grades, and an exported world inside another page."""
import base64
import pathlib
import re
import shlex
import subprocess
import unittest

from browser_case import main
from browser_page import By, Page
from command_case import ACORN, EXAMPLES, Case, moorea
from programs import MOOREA

GUN = ACORN.replace("acorn", "gosper-glider-gun")
# Pixels of a picture that are not of the background's colour, at the middle of each cell
PAINTED = """
    const [url, width, height, done] = arguments, image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
      [canvas.width, canvas.height] = [image.width, image.height];
      context.drawImage(image, 0, 0);
      const pixel = (x, y) => context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data.join();
      let painted = 0;
      for (let y = 0; y < height; ++y)
        for (let x = 0; x < width; ++x)
          painted += pixel((x + 0.5) * image.width / width, (y + 0.5) * image.height / height) !== pixel(1, 1);
      done(painted);
    };
    image.src = url;"""


class Reports(Case):
    def page(self, name, **look):
        page = Page(pathlib.Path(name).as_uri(), **look)
        self.addCleanup(page.end)
        return page

    def rows(self, page, number):
        """The cells of a table's lines; without its heads."""
        table = page.driver.find_elements(By.TAG_NAME, "table")[number]
        return [[cell.text for cell in line.find_elements(By.TAG_NAME, "td")] for line in table.find_elements(By.CSS_SELECTOR, "tr:not(.heads)")]

    def check_looks(self, name):
        """Dark and light as the browser is; a telephone shows it without scrolling sideways; nothing comes from elsewhere."""
        grounds = []
        for scheme in ("dark", "light"):
            page = self.page(name, width=360, height=640, scheme=scheme, phone=True)
            grounds.append(page.driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
            self.assertLessEqual(page.driver.execute_script("return document.documentElement.scrollWidth"), 360)
            self.assertEqual(page.driver.execute_script("return performance.getEntriesByType('resource').length"), 0)
            self.assertEqual(page.faults(), [])
        self.assertNotEqual(*grounds)

    def test_a_census(self):
        haul, name = self.file("haul.txt"), self.file("census.html")
        facts = self.json("census", "--soups", "3000", "--seed", "browser", "-o", haul, "--page", name)
        page = self.page(name)
        self.assertEqual(page.driver.title, "Census of B3/S23")
        counts = [int(row[2]) for row in self.rows(page, 0)]
        self.assertEqual(counts, sorted(counts, reverse=True))
        self.assertEqual(self.rows(page, 0)[0][:2], ["xs4_33", "block"])
        self.assertEqual(counts, [each["count"] for each in facts["objects"]][:len(counts)])
        # The picture of an object has as many cells as its code
        checked = set()
        sections = page.driver.find_elements(By.TAG_NAME, "section")
        self.assertEqual(len(sections), min(60, len(facts["objects"])))
        for section in sections:
            code = section.find_element(By.TAG_NAME, "h3").text.split(" ")[0]
            kind, columns = code.split("_")
            if kind[:2] not in ("xs", "xp", "xq"):
                continue
            # Each digit is five cells of a column; y and what follows, w, x and z have none
            cells = sum(int(digit, 32).bit_count() for digit in re.sub("y.|[wxz]", "", columns))
            if kind.startswith("xs"):
                self.assertEqual(kind, f"xs{cells}")
            picture = section.find_element(By.TAG_NAME, "svg")
            self.assertEqual(picture.get_dom_attribute("aria-label"), code)
            width, height = map(int, picture.get_dom_attribute("viewBox").split()[2:])
            url = "data:image/png;base64," + picture.screenshot_as_base64
            self.assertEqual(page.driver.execute_async_script(PAINTED, url, width, height), cells, code)
            checked.add(kind[:2])
        self.assertEqual(checked, {"xs", "xp", "xq"})
        # The command below the rarest object makes the soup from which it came
        command = sections[0].find_element(By.TAG_NAME, "code").text
        self.assertTrue(command.startswith("moorea census --show-soup "), command)
        subprocess.run(["sh", "-c", command.replace("moorea", shlex.quote(str(MOOREA)), 1)], cwd=self.folder, check=True)
        settled = self.json("identify", self.file("soup.rle"))
        self.assertIn(sections[0].find_element(By.TAG_NAME, "h3").text.split(" ")[0], str(settled))
        self.check_looks(name)

    def test_grades(self):
        right, name = (EXAMPLES / "mine.cpp").read_text(), self.file("grades.html")
        wrong = self.file("wrong <b>.cpp", right.replace("const RuleMask rule", "if (block.width > 64) return;\n  const RuleMask rule"))
        result = moorea("grade", str(EXAMPLES / "mine.cpp"), wrong, "--worlds", "6", "--size", "64", "--seed", "7", "-o", name)
        self.assertEqual(result.returncode, 3, result.stderr)
        page = self.page(name)
        grades = self.rows(page, 0)
        self.assertEqual([row[0] for row in grades], [str(EXAMPLES / "mine.cpp"), wrong])
        self.assertEqual(grades[0][1], "correct in 6 of 6 worlds")
        self.assertRegex(grades[0][4], r"^[0-9.]+$")
        self.assertEqual(grades[1][2:], ["-"] * 4)
        self.assertIn("wrong", grades[1][1])
        # A table for each kernel, whose name is text; a command that repeats a wrong trial
        self.assertEqual([each.text for each in page.driver.find_elements(By.TAG_NAME, "h2")], [row[0] for row in grades])
        trials = self.rows(page, 2)
        self.assertEqual(len(trials), 6)
        reasons = [reason for *_, outcome, reason in trials if outcome == "wrong"]
        self.assertGreater(len(reasons), 0)
        for reason in reasons:
            self.assertRegex(reason, r"instead of[\s\S]*repeat: moorea ")
        self.check_looks(name)

    def test_a_world_inside_another_page(self):
        """As docs/export.md says: with its numbers, its controls and its keys, at the size of the frame."""
        self.ok("export", GUN, "-o", self.file("gun.html"))
        host = self.file("host.html", '<!DOCTYPE html><title>Lecture</title><p>A gun:</p><iframe src="gun.html" width="640" height="400"></iframe>'
                                      '<iframe src="gun.html" width="320" height="240"></iframe>')
        page = self.page(host)
        for number in range(2):
            page.driver.switch_to.default_content()
            page.driver.switch_to.frame(number)
            page.until_numbers(0, 36)
            size = page.driver.execute_script("return [innerWidth, innerHeight]")
            for name in ("play", "step", "again", "fit", "copy"):
                box = page[name].rect
                self.assertGreaterEqual(min(box["x"], box["y"]), 0, name)
                self.assertLessEqual(box["x"] + box["width"], size[0], name)
                self.assertLessEqual(box["y"] + box["height"], size[1], name)
            page["step"].click()
            page.until_numbers(1, self.json("run", GUN, "-g", "1")["population"])
            page.keys(".", ".")
            page.until_numbers(3, self.json("run", GUN, "-g", "3")["population"])
            page["again"].click()
            page.until_numbers(0, 36)
            # Most of the world is visible between the cards
            covered = sum(box["width"] * box["height"] for box in (page[name].rect for name in ("facts", "controls")))
            self.assertLess(covered, size[0] * size[1] / 2)
        # A world that runs leaves the other one alone
        page.driver.switch_to.default_content()
        page.driver.switch_to.frame(0)
        page["play"].click()
        page.until("it runs", lambda: page.numbers()[0] > 5)
        page["play"].click()
        page.driver.switch_to.default_content()
        page.driver.switch_to.frame(1)
        self.assertEqual(page.numbers(), (0, 36))
        self.assertEqual(page.faults(), [])
        page.driver.switch_to.default_content()


if __name__ == "__main__":
    main()
