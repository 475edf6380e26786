# SPDX-License-Identifier: MIT
"""Processes that are measured, for the races."""
import os
import subprocess


def measured(command):
    """Seconds of CPU time (user and system), bytes of resident memory, and standard output of a process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise subprocess.CalledProcessError(status, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output
