#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve against attackers: tokens, origins, host names, malformed messages and floods."""
import http.client
import pathlib
import random
import socket
import time

import shard
from serve_case import Case, SOURCE
from serve_client import Refused


class Safety(Case):
    def test_tokens(self):
        self.start("--random", "0", "--size", "64")
        self.assertNotEqual(self.serve.token, self.serve.audience)
        self.assertGreaterEqual(len(self.serve.token), 32)
        for token in ("", "x", self.serve.token[:-1], self.serve.token + "0", self.serve.token[:-1] + "!", self.serve.token * 2, "%00"):
            with self.assertRaises(Refused) as refused:
                self.join(token)
            self.assertIn("403", str(refused.exception))
        with self.assertRaises(Refused):
            self.join(path="/other")
        self.assertIn("Sec-WebSocket-Protocol: moorea\r\n", self.join().head + "\r\n")
        # Proxies write addresses into their logs: there it is of no use
        with self.assertRaises(Refused) as refused:
            self.join(path=f"/socket?token={self.serve.token}", protocols="moorea")
        self.assertIn("403", str(refused.exception))

    def test_pages_from_elsewhere_are_refused(self):
        self.start("--random", "0", "--size", "64")
        here = f"127.0.0.1:{self.serve.port}"
        for origin in ("http://evil.example", f"http://{here}.evil.example", "null", f"http://evil.example/?{here}", f"http://127.0.0.1:{self.serve.port + 1}"):
            with self.assertRaises(Refused) as refused:
                self.join(origin=origin)
            self.assertIn("403", str(refused.exception))
        self.join(origin=f"http://{here}")
        # As through ssh -L, with a port of its own
        self.join(origin="http://localhost:9999", host="localhost:9999")

    def test_names_that_others_made_lead_here_are_refused(self):
        # A page of evil.example that gave its own name this machine's address (DNS rebinding) asks for that name
        self.start("--random", "0", "--size", "64", "--host", "Cells.example,other.example")

        def status(host):
            connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
            connection.request("GET", "/", headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

        for host in ("evil.example", f"evil.example:{self.serve.port}", "127.0.0.1.evil.example", "localhost.evil.example", "", "xlocalhost"):
            self.assertEqual(status(host)[0], 421, host)
            self.assertIn("--host", status(host)[1])
            with self.assertRaises(Refused) as refused:
                self.join(host=host or " ", origin=f"http://{host}")
            self.assertIn("421", str(refused.exception))
        names = ("127.0.0.1", f"127.0.0.1:{self.serve.port}", "10.1.2.3:80", "[::1]:8080", "localhost", "LOCALHOST:99", "a.localhost", socket.gethostname(), "cells.example", "other.example:8443")
        for host in names:
            self.assertEqual(status(host)[0], 200, host)
        # A proxy that writes a Host of its own
        self.join(origin="https://cells.example", host="127.0.0.1:80")

    def test_loopback_unless_asked(self):
        self.start("--random", "0", "--size", "64")
        self.assertRegex(self.serve.links[0], r"^http://127\.0\.0\.1:\d+/#[0-9a-f]{32}$")
        self.assertTrue(any(f"ssh -N -L {self.serve.port}:127.0.0.1:{self.serve.port}" in line for line in self.serve.told))
        listening = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:] + pathlib.Path("/proc/net/tcp6").read_text().splitlines()[1:]
        ports = [line.split()[1] for line in listening if line.split()[3] == "0A" and line.split()[1].endswith(f":{self.serve.port:04X}")]
        self.assertEqual(ports, [f"0100007F:{self.serve.port:04X}"])
        self.serve.stop()
        self.start("--random", "0", "--size", "64", "--address", "0.0.0.0")
        self.assertTrue(any("not encrypted" in line for line in self.serve.told))

    def test_what_is_malformed_closes_that_client_alone(self):
        client = self.empty()
        for text in ("", "{", "[]", "null", "{}", '{"do":1}', '{"do":"fly"}', '{"do":"step"}', '{"do":"step","generations":0}', '{"do":"step","generations":1.5}',
                     '{"do":"step","generations":1e99}', '{"do":"step","generations":18446744073709551615}', '{"do":"look","x":0,"y":0,"columns":100000,"rows":100000,"scale":1}',
                     '{"do":"look","x":1e30,"y":0,"columns":1,"rows":1,"scale":1}', '{"do":"look","x":0,"y":0,"columns":1,"rows":1,"scale":0}',
                     '{"do":"draw","cells":[1],"state":1,"first":true}', '{"do":"draw","cells":["a","b"],"state":1,"first":true}',
                     '{"do":"make","topology":"klein","width":1,"height":1,"density":0,"seed":0}', '{"do":"fill","x":0,"y":0,"width":1,"height":1,"density":2,"seed":0}',
                     "[" * 100000, '{"do":"rule","rule":"' + "x" * 1000 + '"}'):
            bad = self.join()
            bad.send_frame(text.encode(), 1)
            with self.assertRaises(ConnectionError) as closed:
                bad.until("never")
            self.assertIn("malformed", str(closed.exception), text[:80])
        self.assertEqual(client.update(lambda state: state["clients"] == 1)["population"], 0)

    def test_deep_json_is_refused_at_once(self):
        self.start("--random", "0", "--size", "64")
        for text in ("[" * 2000000, '{"do":"draw","cells":' + "[" * 2000000, '{"do":' * 300000):
            bad = self.join()
            bad.send_frame(text.encode(), 1)
            with self.assertRaises(ConnectionError) as closed:
                bad.until("never")
            self.assertIn("nested too deeply", str(closed.exception))

    def test_frames_that_no_browser_sends(self):
        client = self.empty()
        random.seed(1)

        def nonsense(bad, kind):
            if kind == "unmasked":
                bad.send_frame(b'{"do":"ready"}', 1, masked=False)
            elif kind == "reserved":
                bad.send_frame(b"", 5)
            elif kind == "long ping":
                bad.send_frame(b"x" * 200, 9)
            elif kind == "continued nothing":
                bad.send_frame(b"x", 0)
            elif kind == "no UTF-8":
                bad.send_frame(b"\xff\xfe", 1)
            elif kind == "too long":
                bad.send_frame(b"", 2, length=1 << 62)
            else:
                bad.socket.sendall(random.randbytes(2000))

        for kind in ("unmasked", "reserved", "long ping", "continued nothing", "no UTF-8", "too long", *(f"noise {i}" for i in range(20))):
            bad = self.join()
            try:
                nonsense(bad, kind)
                bad.socket.shutdown(1) if kind.startswith("noise") else None  # half a frame may wait for its rest
            except OSError:
                pass
            self.assertTrue(bad.closed(), kind)
            bad.socket.close()  # the server waits a while for whom it left to leave, too
        client.say("step", generations=1)
        client.update(lambda state: state["generation"] == 1 and state["clients"] == 1)

    def test_sizes_are_bounded(self):
        self.start("--random", "0", "--size", "64")
        audience = self.join(self.serve.audience)
        audience.send_frame(b" " * 5000, 1)
        self.assertTrue(audience.closed())
        client = self.join()
        try:
            client.send_frame(b" " * (65 << 20), 2)
        except OSError:
            pass
        self.assertTrue(client.closed())
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
        connection.request("GET", "/", headers={"X-Long": "x" * 20000})
        with self.assertRaises((http.client.HTTPException, OSError)):
            connection.getresponse()
        for method, size, status in (("POST", 100000, 405), ("PUT", 10, 405), ("POST", 0, 405), ("GET", 100, 200)):
            connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
            connection.request(method, "/", body=b"x" * size)
            answer = connection.getresponse()
            self.assertEqual((answer.status, len(answer.read()) > 0), (status, True))
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(1 << 40))  # of which nothing comes
        connection.endheaders()
        self.assertEqual(connection.getresponse().status, 405)
        self.join()

    def test_who_says_nothing_keeps_nobody_out(self):
        self.start("--random", "0", "--size", "64")
        idle = []
        for _ in range(300):
            idle.append(socket.create_connection(("127.0.0.1", self.serve.port)))
            self.addCleanup(idle[-1].close)
        begin = time.monotonic()
        self.assertEqual(self.join().update()["population"], 0)
        # A client that sends something stays
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port, timeout=30)
        for _ in range(3):
            connection.request("GET", "/style.css")
            self.assertEqual(len(connection.getresponse().read()), len((SOURCE / "web/style.css").read_bytes()))
            for _ in range(200):
                idle.append(socket.create_connection(("127.0.0.1", self.serve.port)))
                self.addCleanup(idle[-1].close)
            self.join().close()  # they have been taken
        self.assertLess(time.monotonic() - begin, 10)  # each is waited for up to 15 s

    def test_files_over_http(self):
        self.start("--random", "0", "--size", "64")
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)

        def fetch(method, path):
            connection.request(method, path)
            answer = connection.getresponse()
            return answer, answer.read()

        for path in sorted(path for path in (SOURCE / "web").iterdir() if path.is_file()):
            answer, body = fetch("GET", "/" if path.name == "index.html" else f"/{path.name}")
            self.assertEqual((answer.status, body), (200, path.read_bytes()), path.name)
            self.assertIn("default-src 'none'", answer.headers["Content-Security-Policy"])
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertTrue(body.isascii())
            # Nothing from outside, and nothing that the policy would not let run
            for outside in (b"https://", b"//cdn", b"<script>", b" style=", b"onclick=\""):
                self.assertNotIn(outside, body, path.name)
        answer, body = fetch("HEAD", "/style.css")
        self.assertEqual((answer.status, body, answer.headers["Content-Type"]), (200, b"", "text/css; charset=utf-8"))
        for path in ("/nothing", "/../CMakeLists.txt", "/index.html/..", "/%2e%2e/secret"):
            self.assertEqual(fetch("GET", path)[0].status, 404)
        self.assertEqual(fetch("DELETE", "/")[0].status, 405)


if __name__ == "__main__":
    shard.main()
