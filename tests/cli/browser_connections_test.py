#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of moorea serve: two pages and an audience, lost connections, proxies and phones."""
import os
import socket
import tempfile
import threading
import time

from browser_case import Case, GLIDER, main
from browser_page import By, Keys, Page


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


class Connections(Case):
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

    def test_a_link_without_a_token(self):
        serve = self.start("--random", "0", "--size", "64")
        page = Page(serve.links[0].split("#")[0])
        self.addCleanup(page.end)
        page.until("it says so", lambda: "not the whole link" in page.text("connection"))
        self.assertFalse(page["rule-chip"].is_displayed())  # of no world

    def check_cards(self, page, width, height):
        """Cards lie inside the window and apart, and a world that is fitted lies between them."""
        boxes = {name: page[name].rect for name in ("title", "corner", "numbers", "tools", "zoom", "dock")}
        left, top = page.point(0, 0)
        right, bottom = page.point(39, 39)
        boxes["world"] = {"x": left, "y": top, "width": right - left, "height": bottom - top}
        for a, box in boxes.items():
            self.assertTrue(box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height, f"{a} {box}")
            for b, other in boxes.items():
                apart = (box["x"] + box["width"] <= other["x"] or other["x"] + other["width"] <= box["x"] or
                         box["y"] + box["height"] <= other["y"] or other["y"] + other["height"] <= box["y"])
                self.assertTrue(a == b or apart, f"{a} lies on {b} at a width of {width}")

    def test_a_narrow_phone(self):
        for width, height in ((320, 568), (360, 640), (740, 360)):
            page = self.opened(width=width, height=height, phone=True)
            self.check_cards(page, width, height)
            page["empty-draw"].click()
            for number, corner in enumerate([(39, 39), (0, 39), (39, 0), (0, 0)], 1):
                x, y = page.point(*corner)
                for kind in ("touchStart", "touchEnd"):
                    page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": 0}] if kind == "touchStart" else []})
                page.until(f"{number} cells at a width of {width}", lambda: page.numbers() == (0, number))

    def test_a_phone(self):
        page = self.opened(width=390, height=844, phone=True)
        self.check_cards(page, 390, 844)

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
        # The pattern being placed is visible
        page["tab-patterns"].click()
        page.driver.find_element(By.CSS_SELECTOR, "[aria-label='Place Gosper glider gun in this world']").click()
        page.until("it is to be placed", lambda: page["placing"].is_displayed())
        self.assertFalse(page["panel"].is_displayed())
        page["unplace"].click()
        page["help"].click()
        self.assertIn("Fingers", page.text("keys"))


if __name__ == "__main__":
    main()
