# SPDX-License-Identifier: MIT
"""Published facts of patterns, periods of worlds, and errors."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import moorea
from test_ensembles import interruptible  # noqa: F401

GLIDER = np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]])


def test_patterns():
    found = moorea.identify(moorea.Pattern.bundled("r-pentomino.rle"))
    assert (found.kind, found.settled, found.initial_population) == ("methuselah", 1103, 5)
    assert {entry.name: entry.count for entry in found.census} == {"block": 8, "glider": 6, "blinker": 4, "beehive": 4, "boat": 1, "ship": 1, "loaf": 1}
    gun = moorea.identify(moorea.Pattern.bundled("gosper-glider-gun.rle"))
    assert (gun.kind, gun.period, gun.census[0].apgcode, gun.world_period) == ("gun", 30, "xq4_153", 0)
    assert gun.name == "Gosper glider gun" and gun.apgcode.startswith("yl30_1_5_")
    glider = moorea.identify(GLIDER)
    assert (glider.kind, glider.period, glider.displacement, glider.speed, glider.world_displacement) == ("object", 4, (1, 1), "c/4 diagonal", (1, 1))
    assert moorea.identify(GLIDER, rule="B2/S", generations=100).kind == "unknown"


def test_simulations():
    plane = moorea.Simulation("Life", GLIDER, topology="unbounded")
    plane.step(10)
    assert moorea.identify(plane).census[0].name == "glider"
    assert plane.generation == 10
    assert moorea.find_period(plane) == (10, 4, (1, 1))
    torus = moorea.Simulation("Life", np.pad(GLIDER, ((0, 4), (0, 13))), device="cpu")
    torus.step(3)
    before = torus.hash
    assert moorea.find_period(torus) == (3, 4 * 7 * 16, (0, 0))
    assert (torus.generation, torus.hash) == (3, before)
    assert moorea.find_period(moorea.Simulation.soup("Life", 64, seed=1), generations=10) is None


def test_errors():
    with pytest.raises(moorea.UsageError, match="B0"):
        moorea.identify(GLIDER, rule="B0/S23")
    with pytest.raises(moorea.UsageError, match="unbounded"):
        moorea.identify(moorea.Simulation("Life", GLIDER))
    with pytest.raises(moorea.UsageError, match="own rule"):
        moorea.identify(moorea.Simulation("Life", GLIDER, topology="unbounded"), rule="Seeds")
    with pytest.raises(moorea.UsageError, match="generations=-1"):
        moorea.identify(GLIDER, generations=-1)
    with pytest.raises(moorea.UsageError, match="max_period"):
        moorea.find_period(moorea.Simulation("Life", GLIDER), max_period=2**64)
    for use in (lambda: moorea.find_period(moorea.Simulation("Life", GLIDER), max_period=0), lambda: moorea.identify(GLIDER, max_period=0)):
        with pytest.raises(moorea.UsageError, match="max_period=0: expected a number from 1"):
            use()


def test_ctrl_c(interruptible):  # noqa: F811
    """Both searches would take minutes."""
    replicator = moorea.Simulation.of(moorea.Pattern.bundled("highlife-replicator.rle"))
    soup = moorea.Simulation.soup("Seeds", 512, seed=3, device="cpu")  # for ever chaotic
    for search in (lambda: moorea.identify(replicator, generations=10**9), lambda: moorea.find_period(soup, generations=10**9)):
        killer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        killer.start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            search()
        assert time.monotonic() - begin < 20
        killer.join()
    assert (replicator.generation, soup.generation) == (0, 0)
