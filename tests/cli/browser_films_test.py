#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Films of the view, recorded in the page of moorea serve, as ffmpeg decodes them."""
import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from browser_case import Case, main
from browser_page import Page
from selenium.webdriver.support.select import Select

ALIVE, DEAD = (255, 243, 214), (11, 15, 26)


def frames(path, width, height):
    """The frames of a film: bytes of red, green and blue."""
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
    size = 3 * width * height
    assert len(raw) % size == 0
    return [raw[at:at + size] for at in range(0, len(raw), size)]


def facts(path):
    found = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", str(path)], capture_output=True, text=True, check=True).stdout
    return json.loads(found)


class Films(Case):
    def film(self, page, kind, act):
        """Records what `act` does and returns the file."""
        page.keys("p")
        page["tab-files"].click()
        Select(page["film-kind"]).select_by_value(kind)
        page["panel-close"].click()
        page.canvas_focus()
        before = set(pathlib.Path(Page.downloads.name).iterdir())
        page.keys("o")
        page.until("it records", lambda: page["recording"].is_displayed())
        act()
        page["stop-recording"].click()
        made = lambda: {path for path in set(pathlib.Path(Page.downloads.name).iterdir()) - before if path.suffix != ".crdownload"}
        page.until("a film", lambda: len(made()) == 1 and next(iter(made())).stat().st_size > 100)
        self.assertFalse(page["recording"].is_displayed())
        return next(iter(made()))

    def blinker(self):
        page = self.opened()
        page.keys("d")
        for x in (19, 20, 21):
            page.drag(page.point(x, 20))
        page.until_numbers(0, 3)
        return page

    def steps(self, page, number):
        for generation in range(1, number + 1):
            page.keys(" ")
            page.until_numbers(generation, 3)
            time.sleep(0.25)

    def test_gif(self):
        page = self.blinker()
        path = self.film(page, "gif", lambda: self.steps(page, 4))
        self.assertRegex(path.name, r"Life-4.*\.gif$")
        found = frames(path, page.width, page.height)
        pixel = lambda frame, x, y: tuple(frame[3 * (round(y) * page.width + round(x)):][:3])
        cells = lambda frame: {at for at in ((19, 20), (20, 20), (21, 20), (20, 19), (20, 21)) if pixel(frame, *page.point(*at)) == ALIVE}
        flat, upright = {(19, 20), (20, 20), (21, 20)}, {(20, 19), (20, 20), (20, 21)}
        seen = [cells(frame) for frame in found]
        self.assertEqual([now for now, before in zip(seen, [None] + seen) if now != before], [flat, upright, flat, upright, flat])
        self.assertEqual(pixel(found[0], *page.point(2, 2)), DEAD)
        # It takes as long as it took, and loops
        self.assertTrue(1.2 < float(facts(path)["format"]["duration"]) < 20)
        self.assertIn(b"NETSCAPE2.0", path.read_bytes()[:64])

    def test_video(self):
        page = self.blinker()
        kind = [option.get_attribute("value") for option in Select(page["film-kind"]).options][-1]
        self.assertIn(kind, ("mp4", "webm"))
        path = self.film(page, kind, lambda: self.steps(page, 4))
        self.assertEqual(path.suffix, f".{kind}")
        stream = facts(path)["streams"][0]
        self.assertEqual((stream["width"], stream["height"]), (page.width, page.height))
        self.assertGreaterEqual(int(stream["nb_read_frames"]), 4)
        x, y = (round(number) for number in page.point(20, 20))
        for frame in frames(path, page.width, page.height):
            self.assertGreater(min(frame[3 * (y * page.width + x):][:3]), 150)  # the middle lives on

    def test_a_film_has_the_chosen_colours(self):
        page = self.blinker()
        page["colours"].click()
        Select(page["show"]).select_by_value("trails")
        Select(page["palette"]).select_by_value("viridis")
        page["colouring-close"].click()
        found = frames(self.film(page, "gif", lambda: self.steps(page, 2)), page.width, page.height)
        x, y = (round(number) for number in page.point(20, 20))
        colours = {tuple(frame[3 * (y * page.width + x):][:3]) for frame in found}
        self.assertIn((253, 231, 37), colours)

    def test_a_film_ends_when_its_size_changes(self):
        page = self.blinker()
        files = lambda: [path for path in pathlib.Path(Page.downloads.name).iterdir() if path.suffix != ".crdownload"]
        before = len(files())
        page.keys("o")
        page.until("it is recorded", lambda: page["recording"].is_displayed())
        self.steps(page, 3)
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 900, "height": 600, "deviceScaleFactor": 1, "mobile": False})
        page.until("it says why it ends", lambda: "the film ends here" in page.text("says"))
        page.until("it is saved", lambda: len(files()) == before + 1)

    def test_encoder(self):
        """Pictures of few and of many colours, and of noise, which begins several dictionaries."""
        page = self.opened()
        width, height = 200, 150
        pictures = page.driver.execute_async_script("""
            const [width, height, done] = arguments;
            import("./gif.js").then(({ Gif }) => {
              const gif = new Gif(width, height), pictures = [];
              let seed = 1;
              const random = () => { seed = Math.imul(seed, 1664525) + 1013904223 >>> 0; return seed >>> 8; };
              const grey = (level) => (255 << 24 | level << 16 | level << 8 | level) >>> 0;
              const kinds = [() => grey(0), () => grey(random() % 2 * 255), (i) => grey(i % width < 5 ? 9 : 0), () => grey(random() % 256), () => (random() | 255 << 24) >>> 0];
              kinds.forEach((kind, number) => {
                const pixels = Uint32Array.from({ length: width * height }, (_, i) => kind(i));
                pictures.push(Array.from(pixels));
                gif.add(pixels, 10 * number);
                gif.add(pixels.slice(), 10 * number + 5);  // unchanged
              });
              return gif.finish().arrayBuffer().then((file) => done([btoa(Array.from(new Uint8Array(file), (byte) => String.fromCharCode(byte)).join("")), pictures]));
            });""", width, height)
        file, pictures = pictures
        with tempfile.NamedTemporaryFile(suffix=".gif") as gif:
            gif.write(base64.b64decode(file))
            gif.flush()
            found = frames(gif.name, width, height)
            self.assertAlmostEqual(float(facts(gif.name)["format"]["duration"]), 1.4, delta=0.3)
        self.assertEqual(len(found), len(pictures))
        for number, (frame, picture) in enumerate(zip(found, pictures)):
            expected = b"".join(pixel.to_bytes(4, "little")[:3] for pixel in picture)
            if number < 4:
                self.assertEqual(frame, expected, number)
            else:  # 30,000 colours are reduced to 256 at most
                self.assertLessEqual(len({frame[at:at + 3] for at in range(0, len(frame), 3)}), 256)
                self.assertLess(max(abs(a - b) for a, b in zip(frame, expected)), 64)


if __name__ == "__main__":
    if shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None:
        print("ffmpeg is not installed: films of the page are not tested")
        sys.exit(77)
    main()
