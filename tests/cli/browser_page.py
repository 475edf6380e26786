# SPDX-License-Identifier: MIT
"""The page of moorea serve in a headless Chromium, by Selenium. What the canvas shows is read from its pixels. Without
Selenium the importing program exits with 77, which is a skipped test."""
import os
import shutil
import sys
import tempfile
import time

try:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    # Debian installs the package for the Python of the system only
    if os.path.exists("/usr/bin/python3") and not os.environ.get("MOOREA_SYSTEM_PYTHON"):
        os.environ["MOOREA_SYSTEM_PYTHON"] = "1"
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.orig_argv[1:]])
    print("Selenium is not installed (Debian: python3-selenium): the page is not tested")
    sys.exit(77)


class Page:
    """A page in a browser of its own; browsers are used again, as they take seconds to start."""

    idle = []
    downloads = tempfile.TemporaryDirectory()

    def __init__(self, link, width=1280, height=800, scheme="dark", phone=False):
        self.driver = Page.idle.pop() if Page.idle else self.browser()
        self.driver.get_log("browser")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": phone, "maxTouchPoints": 2})
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": Page.downloads.name})
        self.width, self.height, self.ratio = width, height, 2 if phone else 1
        self.driver.get(link)

    @staticmethod
    def browser():
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    def end(self):
        self.driver.get("about:blank")
        Page.idle.append(self.driver)

    def __getitem__(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self[name].text

    def until(self, what, condition, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"{what}: it is {self.numbers()}, {self.text('says')!r}")
            time.sleep(0.05)

    def numbers(self):
        return tuple(int(self.driver.execute_script(f"return document.getElementById('{name}').textContent").replace(",", "")) for name in ("generation", "population"))

    def until_numbers(self, generation=None, population=None):
        def right():
            now = self.numbers()
            return generation in (None, now[0]) and population in (None, now[1])
        self.until(f"generation {generation}, population {population}", right)

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def with_ctrl(self, key):
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def with_ctrl_shift(self, key):
        ActionChains(self.driver).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()

    def canvas_focus(self):
        self.driver.execute_script("document.getElementById('world').focus()")

    def size(self):
        """Pixels of the page that a cell is wide."""
        big, small = map(float, self.text("scale").split(":"))
        return big / small / self.ratio

    def point(self, x, y, cell=0.5):
        """Page coordinates of a cell's middle, of a torus that was fitted: its middle is that of the free part of the page."""
        centre = self.centre()
        return (centre[0] + (x + cell - self.middle[0]) * self.size(), centre[1] + (y + cell - self.middle[1]) * self.size())

    def centre(self):
        """The middle of what cards leave free on a phone; of the page elsewhere."""
        if self.width > 760:
            return self.width / 2, self.height / 2
        boxes = {name: self[name].rect for name in ("numbers", "dock", "tools", "zoom") if self[name].is_displayed()}
        upright = {name for name, box in boxes.items() if box["height"] > box["width"]}
        left = max((boxes[name]["x"] + boxes[name]["width"] for name in upright & {"tools"}), default=0)
        right = min((boxes[name]["x"] for name in upright & {"zoom"}), default=self.width)
        top = boxes["numbers"]["y"] + boxes["numbers"]["height"]
        bottom = min(box["y"] for name, box in boxes.items() if name not in upright | {"numbers"})
        return (left + right) / 2, (top + bottom) / 2

    def drag(self, *points, pointer=None):
        chain = ActionChains(self.driver, duration=20)
        mouse = chain.w3c_actions.pointer_action
        mouse.move_to_location(round(points[0][0]), round(points[0][1]))
        mouse.pointer_down()
        for x, y in points[1:]:
            mouse.move_to_location(round(x), round(y))
        mouse.pointer_up()
        chain.perform()

    def colours(self, box):
        """Red, green and blue of the cells of a box, row by row, as the canvas's pixels have them."""
        x, y, width, height = box
        left, top = (round(number * self.ratio) for number in self.point(x, y))
        step = self.size() * self.ratio
        # The pixels once, as each look at them takes its time
        return self.driver.execute_async_script("""
            const [left, top, step, width, height, done] = arguments;
            requestAnimationFrame(() => requestAnimationFrame(() => {
              const wide = Math.round((width - 1) * step) + 1, high = Math.round((height - 1) * step) + 1;
              const pixels = document.getElementById("world").getContext("2d").getImageData(left, top, wide, high).data;
              const found = [];
              for (let j = 0; j < height; ++j)
                for (let i = 0; i < width; ++i) {
                  const at = 4 * (Math.round(j * step) * wide + Math.round(i * step));
                  found.push(Array.from(pixels.slice(at, at + 3)));
                }
              done(found);
            }));""", left, top, step, width, height)

    def shown(self, box):
        """The live cells of a box."""
        x, y, width, height = box
        colours = self.colours(box)
        light = self.driver.execute_script("return document.documentElement.classList.contains('light')")
        alive = [24, 32, 51] if light else [255, 243, 214]
        return {(x + i, y + j) for j in range(height) for i in range(width) if colours[j * width + i] == alive}

    def until_shown(self, cells, box):
        self.until(f"the canvas shows {sorted(cells)}", lambda: self.shown(box) == cells)

    def picture(self, box):
        """Takes a picture of a part of the page: (x, y, width, height). Returns its colours, and the number of pixels that
        differ from the last picture; None for the first."""
        return self.driver.execute_async_script("""
            const [url, ratio, box, done] = arguments, image = new Image();
            image.onload = () => {
              const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
              [canvas.width, canvas.height] = [image.width, image.height];
              context.drawImage(image, 0, 0);
              const { data } = context.getImageData(...box.map((each) => each * ratio)), before = window.pictureBefore;
              let differ = 0;
              const colours = new Set();
              for (let i = 0; i < data.length; i += 4) {
                colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
                differ += before ? [0, 1, 2].some((part) => Math.abs(data[i + part] - before[i + part]) > 12) : 0;
              }
              window.pictureBefore = data;
              done([colours.size, before ? differ : null]);
            };
            image.src = url;""", "data:image/png;base64," + self.driver.get_screenshot_as_base64(), self.ratio, box)

    def faults(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE" and "/socket" not in entry["message"] and "ERR_CONNECTION" not in entry["message"]]

