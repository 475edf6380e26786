#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost of viewers: the generations per second of moorea serve with many clients, against those with a single client that
sees no cells, before and after. Every client views another part at another scale, or with --same all view the whole world on
screens of slightly different sizes; some send requests and never read.
Usage: serve_check.py MOOREA [-o FILE.json] [--clients 50] [--same] [--slow 5] [--seconds 60] [--view 1280x800] [--show cells] -- ARGUMENTS
OF SERVE, such as --random 0.5 --size 16384 --step 10"""
import argparse
import json
import multiprocessing
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/cli"))
from serve_client import Serve, Socket


def rate(probe, seconds):
    """Returns generations per second, by the clock of this program."""
    def now():
        generation = probe.update()["generation"]
        return generation, time.monotonic()

    first, begin = now()
    probe.idle(seconds)
    last, end = now()
    return (last - first) / (end - begin)


def watch(port, token, number, size, view, slow, same, show, seconds, results):
    """A client that reads frames and requests more, without decoding them."""
    shared = random.Random(number)
    client = Socket(port, token, receive_buffer=4096 if slow else None)
    client.until("hello")
    scale = 2 ** shared.randrange(0, max((size // view[0]).bit_length(), 1) + 1)
    x, y = (shared.randrange(-scale * view[0] // 2, max(size - scale * view[0] // 2, 1)) for _ in range(2))
    if same:
        scale = 1
        while size / scale > view[1]:
            scale *= 2
        view = [view[0] + number, view[1] + number]
        x, y = (-(side * scale - size) // 2 // scale * scale for side in view)
    client.look(x, y, *view, scale, show=show)
    frames = data = 0
    begin = time.monotonic()
    end = begin + seconds
    client.socket.settimeout(1)
    client.say("ready")
    if slow:
        time.sleep(seconds)  # it is closed after a minute without a pong
    while not slow and time.monotonic() < end:
        try:
            opcode, payload = client.message()
        except TimeoutError:
            continue
        if b'"update"' in payload[:40]:
            frames += 1
            data += len(payload)
            client.say("ready")
    results.put((slow, frames / (time.monotonic() - begin), frames, data))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("-o", "--output")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--slow", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--view", default="1280x800")
    parser.add_argument("--same", action="store_true")
    parser.add_argument("--show", default="cells", choices=["cells", "age", "trails", "activity"])
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    view = [int(number) for number in options.view.split("x")]
    serve = Serve(os.path.abspath(options.program), *options.arguments, "--play")
    try:
        probe = Socket(serve.port, serve.token)
        probe.until("hello")
        state = probe.update(lambda state: state["generation"] > 0)
        time.sleep(3)  # caches, clocks
        alone = [rate(probe, options.seconds / 4)]
        results = multiprocessing.Queue()
        audience = [multiprocessing.Process(target=watch, args=(serve.port, serve.audience, i, state["width"], view, i < options.slow, options.same, options.show, options.seconds + 4, results))
                    for i in range(options.clients)]
        for each in audience:
            each.start()
        probe.update(lambda now: now["clients"] == options.clients + 1)
        time.sleep(1)
        watched = rate(probe, options.seconds)
        found = [results.get() for _ in audience]
        for each in audience:
            each.join()
        probe.update(lambda now: now["clients"] == 1)
        alone.append(rate(probe, options.seconds / 4))
    finally:
        ended = serve.stop()
    if ended[0] != 0:
        sys.exit(f"moorea serve ended with {ended}")
    reading = [each for each in found if not each[0]]
    about = json.loads(subprocess.run([options.program, "info", "--json"], check=True, capture_output=True, text=True).stdout)
    document = {
        "what": "moorea serve with an audience", "arguments": options.arguments, "device": state["device"], "kernel": state["kernel"], "threads": state["threads"],
        "clients": options.clients, "that_never_read": options.slow, "same": options.same, "show": options.show, "seconds": options.seconds, "view": view,
        "generations_per_second_alone": alone, "generations_per_second_watched": watched, "kept": watched / statistics.mean(alone),
        "updates_per_second_of_a_client": {"least": min(each[1] for each in reading), "median": statistics.median(each[1] for each in reading), "most": max(each[1] for each in reading)},
        "bytes_per_update": sum(each[3] for each in reading) / max(sum(each[2] for each in reading), 1),
        "devices": about["devices"], "version": about["version"], "revision": about["revision"], "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    text = json.dumps(document, indent=1)
    print(text)
    if options.output:
        pathlib.Path(options.output).write_text(text + "\n")
    return 0 if document["kept"] >= 0.9 and document["updates_per_second_of_a_client"]["least"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
