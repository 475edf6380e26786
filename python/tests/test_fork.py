# SPDX-License-Identifier: MIT
"""OpenCL in a process that was forked after it had been used: drivers hang there, so that it is refused."""

import os
import signal

import moorea
import pytest


def test_opencl_is_refused_after_a_fork():
    if not any(row["name"].startswith("opencl") for row in moorea.devices()):
        pytest.skip("no OpenCL device")
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # ends it if it hangs
        try:
            moorea.Simulation.soup("Life", 64, seed=1, device="opencl").step(5)
        except moorea.UnavailableError as error:
            os._exit(0 if "spawn" in str(error) else 3)
        except BaseException:
            os._exit(2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
