#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Separates what a world that is divided between the CPU and an OpenCL device on CPUs (PoCL) loses against the sum of both. In turns it
measures each device alone with the whole world and half of the cores; both at the same time, each with a world of half of the rows and its
half of the cores, without any exchange, which is the most that a divided world can reach; the divided world on all of these cores. A
core has one thread. The cells of a short run are compared first.

Usage: tools/measure_hybrid.py MOOREA FILE.json [--second DEVICE] [--size N] [--seconds S] [--turns N]"""
import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

START_SECONDS = 1  # that a run needs at most for noise, programs and the trial of its devices; a longer one is measured for less time


def one_cpu_of_each_core():
    cores = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        siblings = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        cores.setdefault(siblings.read_text(encoding="ascii").strip() if siblings.exists() else str(cpu), cpu)
    return list(cores.values())


def output(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


class Runs:
    """Starts runs of the command; kernels are those whose speed does not depend on the cells."""

    def __init__(self, arguments):
        self.moorea, self.size, self.seconds = arguments.moorea, arguments.size, arguments.seconds
        cores = one_cpu_of_each_core()
        if len(cores) < 2:
            sys.exit("this machine has one core: two devices on its CPUs need one each")
        self.threads = len(cores) // 2
        self.halves = cores[:self.threads], cores[self.threads:2 * self.threads]
        chosen = output(self.moorea, "run", "--random", "0.5", "--size", "64", "-g", "1", "--device", "cpu", "--json")["kernel"]
        self.kernels = {"cpu": chosen.split(" + ")[0], "opencl": "opencl/strided_vector", "cuda": "cuda/strided"}

    def start(self, devices, rows, cpus, generations="1e12"):
        kernels = ",".join(dict.fromkeys(self.kernels[device.partition(":")[0]] for device in devices))
        threads = self.threads * max(devices.count("cpu"), 1)
        command = [self.moorea, "run", "--random", "0.5", "--size", f"{self.size}x{rows}", "-g", generations, "--device", ",".join(devices), "--kernel", kernels,
                   "--threads", str(threads), "--json"]
        return subprocess.Popen(["taskset", "-c", ",".join(map(str, cpus)), *command], env=dict(os.environ, POCL_MAX_PTHREAD_COUNT=str(self.threads)), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def both_halves(self):
        return self.halves[0] + self.halves[1]

    def hash(self, devices):
        process = self.start(devices, self.size // 8, self.both_halves(), "130")
        printed, errors = process.communicate()
        if process.returncode != 0:
            sys.exit(errors)
        return json.loads(printed)["hash"]

    def at_once(self, *asked):
        """Runs at the same time, each as devices, rows and CPUs, which are interrupted together."""
        processes = [self.start(*how) for how in asked]
        time.sleep(self.seconds + START_SECONDS)
        for process in processes:
            process.send_signal(signal.SIGINT)
        results = []
        for process in processes:
            printed, errors = process.communicate()
            if not printed:
                sys.exit(errors)
            result = json.loads(printed)
            results.append({key: result[key] for key in ("device", "kernel", "threads", "width", "height", "generation", "seconds", "cells_per_second", "parts") if key in result})
        return results


def pocl(devices):
    found = [device["name"] for device in devices if "Portable Computing Language" in device["description"]]
    if not found:
        sys.exit("no OpenCL device on CPUs: install pocl-opencl-icd, or name a device with --second")
    return found[0]


def median_over(turns, value):
    return statistics.median(value(turn) for turn in turns)


def speed(run):
    return run["cells_per_second"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("moorea")
    parser.add_argument("file")
    parser.add_argument("--second", help="device beside the CPU; PoCL unless given; cpu is possible")
    parser.add_argument("--size", type=int, default=16384)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    described = output(arguments.moorea, "bench", "--kernel", "cpu/bits", "--size", "64", "--budget", "0.01", "--rounds", "1", "--json")
    second = arguments.second or pocl(described["machine"]["devices"])
    runs = Runs(arguments)
    first_hash, *others = [runs.hash(devices) for devices in (["cpu"], [second], ["cpu", second])]
    if any(other != first_hash for other in others):
        sys.exit(f"the cells differ: hashes {first_hash}, {', '.join(others)}")
    size, (first_half, second_half) = arguments.size, runs.halves
    turns = []
    for _ in range(arguments.turns):
        turn = {"alone": [runs.at_once((["cpu"], size, first_half))[0], runs.at_once(([second], size, second_half))[0]],
                "at_once": runs.at_once((["cpu"], size // 2, first_half), ([second], size // 2, second_half)),
                "divided": runs.at_once((["cpu", second], size, runs.both_halves()))[0]}
        turns.append(turn)
        print(", ".join(f"{name} {speed(run) / 1e9:.1f}" for name, run in zip(("alone: cpu", second, "at once: cpu", second, "divided"),
                        (*turn["alone"], *turn["at_once"], turn["divided"]), strict=True)), "G cells/s,", ", ".join(f"{part['device']} {part['rows']} rows, idle {part['idle']:.1%}" for part in turn["divided"]["parts"]), flush=True)
    of_sum = {"at_once": median_over(turns, lambda turn: sum(map(speed, turn["at_once"])) / sum(map(speed, turn["alone"]))),
              "divided": median_over(turns, lambda turn: speed(turn["divided"]) / sum(map(speed, turn["alone"])))}
    of_at_once = median_over(turns, lambda turn: speed(turn["divided"]) / sum(map(speed, turn["at_once"])))
    document = {**{key: described[key] for key in ("machine", "version", "revision", "compiler", "date")}, "second": second, "size": size, "threads_each": runs.threads,
                "cpus": runs.halves, "turns": turns, "of_sum": of_sum, "divided_of_at_once": of_at_once}
    print(f"of the sum of both alone: {of_sum['at_once']:.3f} at once without exchange, {of_sum['divided']:.3f} divided, which is {of_at_once:.3f} of at once")
    with open(arguments.file, "w", encoding="utf-8") as out:
        json.dump(document, out, indent=1)
        out.write("\n")


main()
