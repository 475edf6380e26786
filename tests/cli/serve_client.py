# SPDX-License-Identifier: MIT
"""moorea serve as a program beside the test, and a WebSocket client of a few lines that can also say what no client
should (RFC 6455)."""
import base64
import json
import os
import re
import select
import socket
import struct
import subprocess
import time
import zlib


class Serve:
    """The program, listening on a free port. `links` are those for control and for an audience."""

    def __init__(self, program, *arguments, port=0, environment=None):
        self.process = subprocess.Popen([program, "serve", "--port", str(port), *map(str, arguments)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment)
        link = self.process.stdout.readline().strip()
        self.told = []
        while not self.told or "Ctrl-C" not in self.told[-1]:
            line = self.process.stderr.readline()
            if not line:
                raise RuntimeError("moorea serve ended: " + "".join(self.told))
            self.told.append(line)
        self.links = [link, next(line for line in self.told if "watch only" in line).split()[-1]]
        self.port = int(re.search(r":(\d+)/#", link).group(1))
        self.token, self.audience = (each.split("#")[1] for each in self.links)

    def stop(self):
        """Ends it as Ctrl-C does; returns its exit code and what it said at last."""
        self.process.terminate()
        rest = self.process.communicate(timeout=60)[1]
        return self.process.returncode, rest


class Refused(Exception):
    pass


class Socket:
    def __init__(self, port, token, origin=None, host=None, path="/socket", receive_buffer=None, protocols=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(60)
        self.socket.connect(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Protocol: {protocols or f'moorea, token.{token}'}"]
        if origin:
            lines.append(f"Origin: {origin}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])
        self.head = head.decode()
        if self.status != 101:
            self.socket.close()
            raise Refused(f"{self.status} {self.buffer.decode(errors='replace')}")
        self.state = None
        self.squares = None
        self.frame = None

    def fill(self):
        more = self.socket.recv(1 << 16)
        if not more:
            raise ConnectionError("closed")
        self.buffer += more

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        found, self.buffer = self.buffer[:count], self.buffer[count:]
        return found

    def send_frame(self, payload, opcode, final=True, masked=True, length=None):
        """A frame as it should be, but for what is said."""
        length = len(payload) if length is None else length
        head = bytes([(0x80 if final else 0) | opcode])
        mask_bit = 0x80 if masked else 0
        if length < 126:
            head += bytes([mask_bit | length])
        elif length < 65536:
            head += bytes([mask_bit | 126]) + struct.pack(">H", length)
        else:
            head += bytes([mask_bit | 127]) + struct.pack(">Q", length)
        key = os.urandom(4) if masked else b""
        if masked and payload:
            repeated = (key * (len(payload) // 4 + 1))[: len(payload)]
            payload = (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(len(payload), "big")
        self.socket.sendall(head + key + payload)

    def say(self, what, **members):
        self.send_frame(json.dumps({"do": what, **members}).encode(), 1)

    def say_bytes(self, what, data, **members):
        self.send_frame(json.dumps({"do": what, **members}).encode() + b"\n" + data, 2)

    def message(self):
        """The next message, (opcode, bytes); pings are answered. Opcode 8 is the end."""
        begin = time.monotonic()
        while True:
            if time.monotonic() - begin > 60:  # with nothing but pings
                raise TimeoutError("no message came")
            first, second = self.take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(length)
            if first & 15 == 9:
                self.send_frame(payload, 10)
                continue
            if first & 15 == 8:
                return 8, payload
            if first & 15:
                opcode, parts = first & 15, []
            parts.append(payload)
            if first & 128:
                return opcode, b"".join(parts)

    def event(self):
        """The next event as (JSON, bytes); of updates, what is seen is kept in `squares`. Raises ConnectionError with
        the reason where the server closes."""
        opcode, payload = self.message()
        if opcode == 8:
            self.close()
            raise ConnectionError(payload[2:].decode(errors="replace"))
        length = struct.unpack("<I", payload[:4])[0]
        event, data = json.loads(payload[4:4 + length]), payload[4 + length:]
        if event["event"] == "update":
            self.state = event["state"]
            frame = event.get("frame")
            if frame:
                data = zlib.decompress(data) if frame["deflated"] else data
                self.squares = bytes(a ^ b for a, b in zip(self.squares, data)) if frame["delta"] else data
                self.frame = frame
        return event, data

    def until(self, name):
        while True:
            event, data = self.event()
            if event["event"] == name:
                return event, data

    def look(self, x, y, columns, rows, scale=1, **more):
        self.say("look", x=x, y=y, columns=columns, rows=rows, scale=scale, **more)

    def update(self, until=lambda state: True, seconds=60):
        """Asks for updates until the state is as wanted, and returns it."""
        end = time.monotonic() + seconds
        while True:
            self.say("ready")
            self.socket.settimeout(max(end - time.monotonic(), 0.01))
            self.until("update")
            self.socket.settimeout(60)
            if until(self.state):
                return self.state
            if time.monotonic() > end:
                raise TimeoutError(f"the state did not become what was wanted: {self.state}")

    def idle(self, seconds):
        """Waits without asking for anything; pings are answered."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.socket], [], [], min(end - time.monotonic(), 1))[0]:
                self.socket.settimeout(0.1)
                try:
                    self.message()
                except TimeoutError:
                    pass  # a ping alone
                self.socket.settimeout(60)

    def cells(self):
        """The live cells that were seen, of a frame with a cell a square."""
        frame = self.frame
        assert frame["bits"] == 1
        row = (frame["columns"] + 7) // 8
        return {(frame["x"] + x, frame["y"] + y) for y in range(frame["rows"]) for x in range(frame["columns"])
                if self.squares[y * row + x // 8] >> x % 8 & 1}

    def closed(self, seconds=30):
        """Whether the server closes within that time."""
        self.socket.settimeout(seconds)
        try:
            while True:
                if self.message()[0] == 8:
                    return True
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        finally:
            self.socket.settimeout(60)

    def close(self):
        self.socket.close()
