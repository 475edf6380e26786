#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost of drawing: moorea view in a separate terminal against moorea view that prints a line per second, alternating.
Usage: drawing_check.py MOOREA [-o FILE.json] [--seconds 10] [--rounds 3] -- ARGUMENTS OF VIEW, such as --random 0.5 --size 16384"""
import argparse
import fcntl
import json
import os
import pty
import re
import signal
import statistics
import struct
import subprocess
import termios
import threading
import time

COLUMNS, LINES = 200, 60


def generations(program, arguments, seconds, drawing):
    """Returns the generations per second of a run that is ended after some time."""
    environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8")
    command = [program, "view", *arguments, "--play"]
    if drawing:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environment, start_new_session=True)
        os.close(theirs)

        def swallow():
            try:
                while os.read(ours, 1 << 16):
                    pass
            except OSError:
                pass  # the other end is closed

        threading.Thread(target=swallow, daemon=True).start()
    else:
        running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, start_new_session=True)
    time.sleep(seconds)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    said = (err if drawing else out).decode()
    return int(re.findall(r"generation (\d+)", said)[-1]) / seconds


parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("-o", "--output")
parser.add_argument("--seconds", type=float, default=10)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("arguments", nargs="+")
options = parser.parse_args()
rates = {True: [], False: []}
for _ in range(options.rounds):
    for drawing in (False, True):
        rates[drawing].append(generations(os.path.abspath(options.program), options.arguments, options.seconds, drawing))
with_drawing, without = (statistics.median(rates[drawing]) for drawing in (True, False))
about = json.loads(subprocess.run([options.program, "info", "--json"], check=True, capture_output=True, text=True).stdout)
result = {"arguments": options.arguments, "terminal": [COLUMNS, LINES], "seconds": options.seconds, "generations_per_second": {"drawing": rates[True], "not_drawing": rates[False]},
          "drawing_keeps": with_drawing / without, "machine": about}
print(f"{' '.join(options.arguments)}: {without:.1f} generations per second, {with_drawing:.1f} while drawing: {100 * with_drawing / without:.1f} %")
if options.output:
    with open(options.output, "a", encoding="utf-8") as file:
        file.write(json.dumps(result) + "\n")
