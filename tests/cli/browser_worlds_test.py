#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of moorea serve: files, rules, kernels, playing, and worlds that are larger than the window."""
import json
import pathlib
import subprocess
import tempfile
import time

from browser_case import Case, GLIDER, GUN, SOURCE, main
from browser_page import By, Keys, Page
from programs import MOOREA


class Worlds(Case):
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

    def test_help_opens_at_its_beginning(self):
        page = self.opened()
        page.driver.set_window_size(1000, 500)
        page.canvas_focus()
        page.keys("?")
        page.until("it is open", lambda: page["keys"].is_displayed())
        self.assertEqual(page.driver.execute_script("return document.getElementById('keys').scrollTop"), 0)
        page.keys(Keys.ESCAPE)
        page.until("it is closed", lambda: not page["keys"].is_displayed())

    def test_tools_are_reachable_on_all_screens(self):
        page = self.page(self.start(SOURCE / "patterns" / "acorn.rle").links[0])
        covered = lambda: page.driver.execute_script("""
            return [...document.querySelectorAll(":is(#tools, #zoom) button")].filter((button) => {
              const box = button.getBoundingClientRect();
              return box.width > 0 && !button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
            }).map((button) => button.title);""")
        sizes = ((360, 640), (640, 360), (844, 390), (1280, 660), (1366, 590), (800, 560), (667, 500), (480, 320), (320, 568))
        for is_monitored in (False, True):
            for width, height in sizes:
                page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
                page.until(f"the page has {width} columns", lambda: page.driver.execute_script("return innerWidth") == width)
                self.assertEqual(covered(), [], (width, height, is_monitored))
            page.canvas_focus()
            page.keys("t")
        # The bar of a selection covers none of them either
        page.with_ctrl("a")
        page.until("all is selected", lambda: page["selection"].is_displayed())
        for width, height in sizes:
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
            page.until(f"the page has {width} columns", lambda: page.driver.execute_script("return innerWidth") == width)
            self.assertEqual(covered(), [], (width, height))

    def test_a_success_ends_the_last_error(self):
        page = self.opened()
        is_shown = lambda: page.driver.execute_script("return document.getElementById('says').classList.contains('shown')")
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        broken, right = folder / "broken.rle", folder / "right.rle"
        broken.write_text("x = 3, y = 3\n" + "q" * 200 + "!\n")
        right.write_text("#N a blinker\nx = 3, y = 1\n3o!\n")
        self.assertIn(".mc", page["file"].get_attribute("accept").split(","))
        page["file"].send_keys(str(broken))
        page.until("an error", is_shown)
        time.sleep(0.6)
        page["file"].send_keys(str(right))
        page.until("it is open", lambda: page.numbers()[1] == 3)
        page.until("no error", lambda: not is_shown(), 2)

    def test_hyperspeed_by_its_key(self):
        page = self.opened()
        page.canvas_focus()
        pressed = lambda: page["hyperspeed"].get_attribute("aria-pressed")
        for expected in ("true", "false"):
            page.keys("H")
            page.until(f"hyperspeed is {expected}", lambda: pressed() == expected)

    def test_the_monitor_of_tiles(self):
        serve = self.start("--random", "0.4", "--size", "128", "--kernel", "cpu/ladder/09_lazy", "--tile", "64x64", "--threads", "2", "--play")
        page = self.page(serve.links[0], middle=(64, 64))
        # In one go, because the page replaces them
        bars = lambda: page.driver.execute_script("return [...document.querySelectorAll('#monitor-threads > div')].map((bar) => bar.innerText)")
        colours = lambda: {tuple(colour) for colour in page.colours((0, 0, 128, 128))}
        page.canvas_focus()
        self.assertEqual(len(colours()), 2)
        page.keys("t")
        page.until("a record is there", lambda: "cpu/ladder/09_lazy" in page.text("monitor-says"))
        self.assertEqual([text.split(":")[0] for text in bars()], ["thread 0", "thread 1"])
        # The colours of two threads, over live and dead cells
        self.assertGreaterEqual(len(colours()), 4)
        page["monitor-close"].click()
        page.until("it is closed", lambda: len(colours()) == 2 and not page["monitor"].is_displayed())
        self.assertEqual(page["monitor-button"].get_attribute("aria-pressed"), "false")

    def test_cards_do_not_cover_each_other(self):
        serve = self.start("--random", "0.1", "--size", "64", "--kernel", "cpu/ladder/09_lazy", "--tile", "32x32", "--threads", "2")
        page = self.page(serve.links[0], middle=(32, 32))
        page.canvas_focus()
        page.keys("t")
        page.keys("i")
        page.until("both are there", lambda: page["monitor"].is_displayed() and page["identified"].is_displayed())
        for width, height in ((1280, 800), (1000, 720), (800, 700), (844, 390), (390, 844)):
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
            one, other = (page[name].rect for name in ("monitor", "identified"))
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            self.assertTrue(beside or one["y"] + one["height"] <= other["y"], (width, height, one, other))
            self.assertLessEqual(other["y"] + other["height"], height, (width, height, other))

    def test_numbers_alone_keep_the_population(self):
        page = self.opened()
        self.draw_glider(page, 10, 12)
        page.until_numbers(0, 5)
        # If pictures are rare an update has only numbers, and no population
        script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            const Socket = WebSocket;
            window.WebSocket = class extends Socket {
              constructor(...all) {
                super(...all);
                window.socket = this;
                this.addEventListener("message", (message) => {
                  // Other data that the server sends would be shown after it
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

    def test_macrocell_files_stay_trees(self):
        """The file of a gun after 2^40 generations, which no memory holds as cells, is opened as a tree."""
        page = self.opened()
        with tempfile.TemporaryDirectory() as folder:
            far = str(pathlib.Path(folder) / "far.mc")
            subprocess.run([MOOREA, "run", str(SOURCE / "patterns/gosper-glider-gun.rle"), "-g", str(2**40), "-o", far], check=True, capture_output=True)
            page["file"].send_keys(far)
            page.until("it is open", lambda: page.text("name") == "Gosper glider gun")
            page.until("its generation is seen", lambda: page.text("generation").replace(",", "") == str(2**40))
            population = json.loads(subprocess.run([MOOREA, "info", far, "--json"], check=True, capture_output=True, text=True).stdout)["population"]
            page.until("its population is seen", lambda: page.text("population").replace(",", "") == str(population))

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
        page["rule"].send_keys("HighLif")
        page.until("a rule is suggested", lambda: page.text("rule-says").endswith("; the nearest rule with a name is HighLife, B36/S23"))
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

    def test_what_flew_off(self):
        with tempfile.TemporaryDirectory() as folder:
            pattern = pathlib.Path(folder) / "far.rle"
            pattern.write_text("x = 6000, y = 5000\n" + "40o$" * 40 + "4950$5990bo$5991bo$5989b3o!")
            serve = self.start(pattern)
            page = self.page(serve.links[0])
        near = page.size()
        self.assertGreater(40 * near, 0.9 * page.height)
        page.keys("f")
        page.until("it says so", lambda: "5 cells lie far away" in page.text("says"))
        self.assertEqual(page.size(), near)
        page.keys("f")
        page.until("everything", lambda: 6000 * page.size() <= page.width)
        page.keys("f")
        page.until("nearly all", lambda: page.size() == near)
        # After zooming, Fit shows nearly all again
        page.keys("[")
        page.until("farther", lambda: page.size() < near)
        page.keys("f")
        page.until("nearly all", lambda: page.size() == near)

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
    main()
