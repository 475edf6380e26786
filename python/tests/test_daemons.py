# SPDX-License-Identifier: MIT
"""The interpreter ends while daemon threads use the package."""
import subprocess
import sys

import pytest

SCRIPT = """
import moorea, threading, time
import numpy as np
def work():
    {setup}
    while True:
        {step}
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep({seconds})
"""


@pytest.mark.parametrize(
    "setup, step",
    [
        ("world = moorea.Simulation.soup('B3678/S34678', 256)", "world.step(1)"),
        ("world = moorea.Simulation.soup('Life', 1000)", "world.step(10**9)"),
        ("world = moorea.Simulation.soup('Life', 256)", "world.population, world.hash, np.asarray(world.cells)"),
        ("", "moorea.soup(1000)"),
        ("worlds = moorea.Ensemble('Life', 100, 32)", "worlds.step(10)"),
        ("", "moorea.survey('Life', 200, 16)"),
        ("", "moorea.census(soups=50)"),
        ("def busy(n):\n        while True: pass", "moorea.census(soups=10**6, progress=busy)"),
        ("world = moorea.HashLife('Life', moorea.soup(64))", "world.step(64)"),
    ],
)
def test_the_process_ends_as_without_them(setup, step):
    for seconds in (0.05, 0.3):
        script = SCRIPT.format(setup=setup, step=step, seconds=seconds)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, ""), step


def test_what_runs_at_exit_may_wait_for_a_daemon_thread():
    script = """
import atexit, threading
stop = threading.Event()
atexit.register(lambda: (stop.set(), thread.join(), print("joined")))
import moorea
def work():
    world = moorea.Simulation.soup('Life', 64)
    while not stop.is_set():
        world.step(1)
thread = threading.Thread(target=work, daemon=True)
thread.start()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "joined\n", "")
