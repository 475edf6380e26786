#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of moorea serve in a headless Chromium, as people use it: pointers, keys, files, two pages at once. What the
canvas shows is read from its pixels."""
import os
import pathlib
import shutil
import socket
import sys
import tempfile
import threading
import time
import unittest

import shard

try:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    # Debian's package is the system's Python's
    if os.path.exists("/usr/bin/python3") and not os.environ.get("MOOREA_SYSTEM_PYTHON"):
        os.environ["MOOREA_SYSTEM_PYTHON"] = "1"
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.orig_argv[1:]])
    print("Selenium is not installed (Debian: python3-selenium): the page is not tested")
    sys.exit(77)
from serve_client import Serve

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
GUN = (SOURCE / "patterns/gosper-glider-gun.rle").read_text()


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
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
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

    def canvas_focus(self):
        self.driver.execute_script("document.getElementById('world').focus()")

    def size(self):
        """Pixels of the page that a cell is wide."""
        big, small = map(float, self.text("scale").split(":"))
        return big / small / self.ratio

    def point(self, x, y, cell=0.5):
        """Where a cell's middle is on the page, of a torus that was fitted: its middle is the page's."""
        return (self.width / 2 + (x + cell - self.middle[0]) * self.size(), self.height / 2 + (y + cell - self.middle[1]) * self.size())

    def drag(self, *points, pointer=None):
        chain = ActionChains(self.driver, duration=20)
        mouse = chain.w3c_actions.pointer_action
        mouse.move_to_location(round(points[0][0]), round(points[0][1]))
        mouse.pointer_down()
        for x, y in points[1:]:
            mouse.move_to_location(round(x), round(y))
        mouse.pointer_up()
        chain.perform()

    def shown(self, box):
        """The live cells of a box as the canvas's pixels have them."""
        x, y, width, height = box
        left, top = (round(number * self.ratio) for number in self.point(x, y))
        step = self.size() * self.ratio
        # The pixels once, as each look at them takes its time
        colours = self.driver.execute_async_script("""
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
        light = self.driver.execute_script("return document.documentElement.classList.contains('light')")
        alive = [24, 32, 51] if light else [255, 243, 214]
        return {(x + i, y + j) for j in range(height) for i in range(width) if colours[j * width + i] == alive}

    def until_shown(self, cells, box):
        self.until(f"the canvas shows {sorted(cells)}", lambda: self.shown(box) == cells)

    def faults(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE" and "/socket" not in entry["message"] and "ERR_CONNECTION" not in entry["message"]]


class Below:
    """A proxy that serves a port below a path, a request a connection, and lets bytes through as they are after that."""

    def __init__(self, port, path):
        self.port, self.path = port, path
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.asked = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                more = client.recv(4096)
                if not more:
                    return
                head += more
            method, target, rest = head.split(b" ", 2)
            self.asked.append(target.decode())
            if not target.startswith(self.path.encode()):
                client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            if b"upgrade: websocket" not in head.lower():
                rest = rest.replace(b"Connection: keep-alive", b"Connection: close")
            with socket.create_connection(("127.0.0.1", self.port)) as server:
                server.sendall(method + b" /" + target[len(self.path):] + b" " + rest)
                to_server = threading.Thread(target=self.pump, args=[client, server], daemon=True)
                to_server.start()
                self.pump(server, client)
                to_server.join()

    @staticmethod
    def pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def end(self):
        # A close alone does not wake who waits in accept
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class Case(unittest.TestCase):
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


class Browser(Case):
    def setUp(self):
        self.torus = ("--random", "0", "--size", "40")

    def opened(self, **more):
        self.serve = self.start(*self.torus)
        page = self.page(self.serve.links[0], **more)
        return page

    def draw_glider(self, page, x, y):
        page.keys("d")
        for i, j in sorted(GLIDER):
            page.drag(page.point(x + i, y + j))

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

    def test_playing(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        page.keys(Keys.ENTER)
        page.until("it runs", lambda: page.numbers()[0] > 20)
        self.assertIn("gen/s", page.text("speed"))
        page.keys(Keys.ENTER)
        page.until("it stops", lambda: page.text("speed") == "stopped")
        generation, population = page.numbers()
        self.assertEqual(population, 5)
        # The slider goes back in time
        page.driver.execute_script("const time = document.getElementById('time'); time.value = 4; time.dispatchEvent(new Event('input')); time.dispatchEvent(new Event('change'))")
        page.until_numbers(4, 5)
        page.until_shown({(x + 11, y + 13) for x, y in GLIDER}, (5, 8, 20, 20))
        self.assertEqual(int(page["time"].get_attribute("max")), generation)

    def test_numbers_alone_keep_the_population(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        # Where pictures are rare an update has numbers alone, of which nobody counted the population
        script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            const Socket = WebSocket;
            window.WebSocket = class extends Socket {
              constructor(...all) {
                super(...all);
                window.socket = this;
                this.addEventListener("message", (message) => {
                  // What the server sends beside it would be shown after it
                  if (window.update && message !== window.update) return message.stopImmediatePropagation();
                  const { data } = message;
                  const event = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, new DataView(data).getUint32(0, true))));
                  if (event.event === "update") window.state = event.state;
                });
              }
            };"""})
        self.addCleanup(page.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", script)
        page.driver.refresh()
        page.until("the population is seen", lambda: page.text("population") == "5")
        page.driver.execute_script("""
            const text = new TextEncoder().encode(JSON.stringify({ event: "update", state: { ...window.state, generation: 7, population: null } }));
            const data = new Uint8Array(4 + text.length);
            new DataView(data.buffer).setUint32(0, text.length, true);
            data.set(text, 4);
            window.update = new MessageEvent("message", { data: data.buffer });
            window.socket.dispatchEvent(window.update);""")
        page.until("the generation is seen", lambda: page.text("generation") == "7")
        self.assertEqual(page.text("population"), "5")

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
        page.driver.execute_script(paste, "x = 3, y = 1, rule = 345/2/4\n3o!")
        page.until("its rule cannot be run", lambda: "345/2/4, which Moorea cannot run" in page.text("says"))
        page.keys(Keys.ESCAPE)
        page.driver.execute_script(paste, "x = 36, y = 9\n24bo$22bobo$12b2o")
        page.until("it is not whole", lambda: "truncated" in page.text("says"))
        self.assertFalse(page["placing"].is_displayed())
        self.assertEqual(page.numbers(), (0, 8))

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

    def test_files(self):
        page = self.opened()
        page["file"].send_keys(str(SOURCE / "patterns/acorn.rle"))
        page.until("it is open", lambda: page.text("name") == "Acorn")
        page.until_numbers(0, 7)
        page["panel-button"].click()
        page["tab-files"].click()
        page["save"].click()
        saved = pathlib.Path(Page.downloads.name) / "Acorn-0.rle"
        page.until("it is saved", saved.exists)
        self.assertIn("bo$3bo$2o2b3o!", saved.read_text())
        # Dropped patterns are placed there
        page["panel-close"].click()
        page.driver.execute_script("""
            const data = new DataTransfer();
            data.items.add(new File([arguments[0]], "gun.rle"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, clientX: 900, clientY: 600, bubbles: true, cancelable: true }));""", GUN)
        page.until_numbers(0, 43)
        page["panel-button"].click()
        page["tab-patterns"].click()
        page["search"].send_keys("metapixel")
        page.until("two are found", lambda: len(page["patterns"].find_elements(By.TAG_NAME, "li")) == 2)
        page["search"].clear()
        page["search"].send_keys("every 30 generations")
        page.until("one is found", lambda: len(page["patterns"].find_elements(By.TAG_NAME, "li")) == 1)
        page["patterns"].find_elements(By.TAG_NAME, "button")[0].click()
        page.until("the gun is open", lambda: page.text("name") == "Gosper glider gun")
        page.until_numbers(0, 36)

    def test_rules_and_worlds(self):
        page = self.opened()
        page.keys("r")
        page.until("the rule can be written", lambda: page.driver.switch_to.active_element.get_attribute("id") == "rule")
        page["rule"].send_keys("b36s23")
        page.until("it is known", lambda: page.text("rule-says") == "B36/S23, HighLife")
        page["rule"].clear()
        page["rule"].send_keys("B9")
        page.until("it is none", lambda: "bad" in page["rule-says"].get_attribute("class"))
        page["rule"].clear()
        page["rule"].send_keys("Seeds" + Keys.ENTER)
        page.until("it is another rule", lambda: page.text("rule-chip") == "Seeds")
        page["width"].clear()
        page["width"].send_keys("200")
        page["height"].clear()
        page["height"].send_keys("100")
        page.driver.execute_script("const density = document.getElementById('density'); density.value = 30; density.dispatchEvent(new Event('input', {bubbles: true}))")
        page["make"].click()
        page.until("there is noise", lambda: 5000 < page.numbers()[1] < 7000)
        self.assertEqual(page.driver.execute_script("return document.getElementById('width').value"), "200")
        page["width"].clear()
        page["width"].send_keys("x")
        page.until("no such size", lambda: not page["make"].is_enabled())
        # A rule that flashes begins calmly
        page["rule"].clear()
        page["rule"].send_keys("B0123478/S01234678" + Keys.ENTER)
        page.until("it is another rule", lambda: page.text("rule-chip").startswith("B0") or page.text("rule-chip") == "AntiLife")
        page["rule"].clear()
        page["rule"].send_keys("B0/S" + Keys.ENTER)
        page.until("it is calm", lambda: page["calm"].get_attribute("aria-pressed") == "true")

    def test_calm_play(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        page.keys("c")
        page.driver.execute_script("""
            window.changes = [];
            new MutationObserver(() => changes.push(performance.now())).observe(document.getElementById("generation"), { childList: true, characterData: true, subtree: true });""")
        page.keys(Keys.ENTER)
        time.sleep(4)
        changes = page.driver.execute_script("return window.changes")
        self.assertGreater(len(changes), 4)
        # Three flashes a second are six changes; it makes two at most
        self.assertTrue(all(b - a > 250 for a, b in zip(changes, changes[1:])), changes)
        self.assertLessEqual(len(changes), 10)
        self.assertGreater(page.numbers()[0], 60)  # the run itself goes on as fast

    def test_engines(self):
        page = self.opened()
        page["panel-button"].click()
        page["tab-engine"].click()
        page.until("kernels are listed", lambda: len(page["kernel"].find_elements(By.TAG_NAME, "option")) > 10)
        page.driver.execute_script("document.getElementById('kernel').value = 'cpu/bits'")
        page["engine-form"].find_element(By.TAG_NAME, "button").click()
        page.until("it runs by that", lambda: page.text("now-kernel") == "cpu/bits")
        page["panel-close"].click()
        page.keys(Keys.ENTER)
        page["panel-button"].click()
        page.until("the speed is told", lambda: page.text("now-cells") not in ("", "stopped"))

    def test_two_at_once_and_an_audience(self):
        first = self.opened()
        second = self.page(self.serve.links[0], scheme="light")
        audience = self.page(self.serve.links[1])
        self.draw_glider(first, 10, 12)
        for page in (first, second, audience):
            page.until_numbers(0, 5)
            page.until_shown({(x + 10, y + 12) for x, y in GLIDER}, (5, 8, 20, 20))
        second.keys(Keys.SPACE)
        first.until_numbers(1, 5)
        audience.until_numbers(1, 5)
        for name in ("tools", "dock", "panel-button"):
            self.assertFalse(audience[name].is_displayed(), name)
        self.assertEqual(audience.text("rule-chip"), "Life")
        audience["rule-chip"].click()
        self.assertFalse(audience["panel"].is_displayed())
        audience.keys(Keys.SPACE, Keys.ENTER)
        audience.drag(audience.point(20, 20))
        audience.keys("]")
        time.sleep(0.5)
        self.assertEqual(first.numbers(), (1, 5))
        second["panel-button"].click()
        second["tab-files"].click()
        self.assertEqual(second["audience"].get_attribute("value"), self.serve.links[1])

    def test_the_server_comes_back(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = os.path.join(folder, "tokens")
            self.torus += ("--token-file", tokens)
            page = self.opened()
            self.serve.stop()
            page.until("it says so", lambda: page["connection"].is_displayed())
            again = self.start("--random", "0.5", "--size", "40", "--token-file", tokens, port=self.serve.port)
            page.until("it is back", lambda: not page["connection"].is_displayed())
            page.until("another world", lambda: page.numbers()[1] > 500)
            page.keys(Keys.SPACE)
            page.until("it can be stepped", lambda: page.numbers()[0] == 1)
            again.stop()
            os.unlink(tokens)
            self.start("--random", "0.5", "--size", "40", port=self.serve.port)
            page.until("the link is none", lambda: "another" in page.text("connection"), 30)

    def test_another_run_is_seen_as_a_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = os.path.join(folder, "tokens")
            self.torus += ("--token-file", tokens)
            page = self.opened()
            scale = page.size()
            page.keys("]]]")
            page.until("closer", lambda: page.size() > 3 * scale or page.text("scale") == "64:1")
            self.serve.stop()
            page.until("it says so", lambda: page["connection"].is_displayed())
            self.start(*self.torus, port=self.serve.port)
            page.until("it is back", lambda: not page["connection"].is_displayed())
            page.until("all of it is seen", lambda: page.size() == scale)

    def test_below_a_path(self):
        serve = self.start("--random", "0", "--size", "40")
        below = Below(serve.port, "/some/where/")
        self.addCleanup(below.end)
        link = f"http://127.0.0.1:{below.listener.getsockname()[1]}/some/where/"
        page = self.page(f"{link}#{serve.token}")
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        self.assertTrue(all(target.startswith("/some/where/") for target in below.asked), below.asked)
        self.assertFalse(any(serve.token in target for target in below.asked), below.asked)
        page["panel-button"].click()
        page["tab-files"].click()
        self.assertEqual(page["audience"].get_attribute("value"), f"{link}#{serve.audience}")

    def test_what_flew_off(self):
        with tempfile.TemporaryDirectory() as folder:
            pattern = pathlib.Path(folder) / "far.rle"
            pattern.write_text("x = 6000, y = 5000\n" + "40o$" * 40 + "4950$5990bo$5991bo$5989b3o!")
            serve = self.start(pattern)
            page = self.page(serve.links[0])
        near = page.size()
        self.assertGreater(40 * near, 0.9 * page.height)
        page.keys("f")
        page.until("it says so", lambda: "5 cells lie farther off" in page.text("says"))
        self.assertEqual(page.size(), near)
        page.keys("f")
        page.until("everything", lambda: 6000 * page.size() <= page.width)
        page.keys("f")
        page.until("nearly all", lambda: page.size() == near)
        # Who has zoomed since is shown nearly all again
        page.keys("[")
        page.until("farther", lambda: page.size() < near)
        page.keys("f")
        page.until("nearly all", lambda: page.size() == near)

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

    def test_a_link_without_a_token(self):
        serve = self.start("--random", "0", "--size", "64")
        page = Page(serve.links[0].split("#")[0])
        self.addCleanup(page.end)
        page.until("it says so", lambda: "not the whole link" in page.text("connection"))
        self.assertFalse(page["rule-chip"].is_displayed())  # of no world

    def test_a_phone(self):
        page = self.opened(width=390, height=844, phone=True)
        for name in ("title", "corner", "numbers", "tools", "zoom", "dock"):
            box = page[name].rect
            self.assertGreaterEqual(box["x"], 0, name)
            self.assertLessEqual(box["x"] + box["width"], 390, name)
            self.assertLessEqual(box["y"] + box["height"], 844, name)
        boxes = {name: page[name].rect for name in ("title", "corner", "numbers", "tools", "zoom", "dock")}
        for a in boxes:
            for b in boxes:
                apart = (boxes[a]["x"] + boxes[a]["width"] <= boxes[b]["x"] or boxes[b]["x"] + boxes[b]["width"] <= boxes[a]["x"] or
                         boxes[a]["y"] + boxes[a]["height"] <= boxes[b]["y"] or boxes[b]["y"] + boxes[b]["height"] <= boxes[a]["y"])
                self.assertTrue(a == b or apart, f"{a} lies on {b}")

        def touch(kind, *points):
            page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]})

        # Two fingers zoom, one draws
        scale = page.size()
        touch("touchStart", (180, 400), (210, 400))
        for spread in (20, 30, 40, 50, 60):
            touch("touchMove", (195 - spread, 400), (195 + spread, 400))
        touch("touchEnd")
        page.until("closer", lambda: page.size() > scale)
        page["fit"].click()
        page.until("fitted", lambda: page.size() == scale)
        self.assertLess(page.driver.execute_script("return Number(getComputedStyle(document.getElementById('time')).opacity)"), 0.6)  # nothing has run yet
        page.driver.find_element(By.CSS_SELECTOR, "[data-tool=draw]").click()
        touch("touchStart", page.point(18, 20))
        touch("touchMove", page.point(19, 20))
        touch("touchMove", page.point(22, 20))
        touch("touchEnd")
        page.until_numbers(0, 5)
        page["play"].click()
        page.until("it runs", lambda: page.numbers()[0] > 5)
        page["panel-button"].click()
        self.assertEqual(page["panel"].rect["width"], 390)
        self.assertEqual(page.driver.execute_script("return document.documentElement.scrollWidth"), 390)
        # What is placed is seen
        page["tab-patterns"].click()
        page.driver.find_element(By.CSS_SELECTOR, "[aria-label='Place Gosper glider gun in this world']").click()
        page.until("it is to be placed", lambda: page["placing"].is_displayed())
        self.assertFalse(page["panel"].is_displayed())
        page["unplace"].click()
        page["help"].click()
        self.assertIn("Fingers", page.text("keys"))

    def test_shades_of_a_large_world(self):
        self.torus = ("--random", "0.5", "--size", "4096")
        page = self.opened()
        page.until("it fills the window", lambda: 0.9 * page.height < 4096 * page.size() <= page.height)
        colours = lambda: page.driver.execute_script("""
            const context = document.getElementById("world").getContext("2d");
            return [[640, 400], [10, 400]].map(([x, y]) => Array.from(context.getImageData(x, y, 1, 1).data.slice(0, 3)));""")
        page.until("a shade", lambda: all(dead < found < alive for dead, found, alive in zip((11, 15, 26), colours()[0], (255, 243, 214))))
        self.assertEqual(colours()[1], [7, 10, 18])  # beyond the world


if __name__ == "__main__":
    from programs import MOOREA
    if shutil.which("chromedriver") is None or shutil.which("chromium") is None:
        print("chromium or chromedriver is not installed: the page is not tested")
        sys.exit(77)
    try:
        shard.main()
    finally:
        for driver in Page.idle:
            driver.quit()
