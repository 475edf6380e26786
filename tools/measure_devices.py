#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times runs of the command on a machine with NVIDIA GPUs and writes a file for bench/results, which tools/devices_tables.py makes
tables of: worlds that are divided among GPUs, that are out of core, or that save checkpoints; or on any machine with MPI: worlds
that are divided among processes of one thread (ranks) instead of threads, or among a process for each GPU. Every run's hash is
compared with that of the first of its group. Usage: tools/measure_devices.py MOOREA parts|family-parts|out-of-core|checkpoint|ranks|gpu-ranks FILE.json"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

REPEATS = 5


def gpus(document):
    return [device["name"] for device in document["machine"]["devices"] if device["name"].startswith("cuda:")]


def parts(document):
    """Lists of runs of equal worlds, each with its name; the first of a list is on one GPU."""
    names = gpus(document)
    every = ",".join(names if len(names) > 1 else 2 * names)
    count = len(every.split(","))
    noise = ["--random", "0.5", "--kernel", "cuda/strided"]
    # What a GPU reaches alone with the rows of a part
    part = f"65536x{65536 // count}"
    return [[(f"{part}, one GPU", [*noise, "--size", part, "-g", "40000", "--device", names[0]])]] + [
        [(f"{size}, one GPU", [*noise, "--size", size, "-g", generations, "--device", names[0]]), (f"{size}, {count} parts", [*noise, "--size", size, "-g", generations, "--device", every])]
        for size, generations in (("65536", "20000"), ("16384", "200000"), (f"65536x{count * 65536}", "10000"), ("4096", "1000000"))
    ]


def family_parts(document):
    """Lists as those of parts(), of rules that are not life-like."""
    names = gpus(document)
    every = ",".join(names if len(names) > 1 else 2 * names)
    count = len(every.split(","))
    groups = []
    for rule, size, generations in (("Brian's Brain", "32768", "30000"), ("345/2/8", "32768", "20000"), ("Critters", "32768", "60000"), ("Bugs", "32768", "2000")):
        world = ["--rule", rule, "--random", "0.5", "--size", size, "-g", generations]
        groups.append([(f"{rule}, {size}, one GPU", [*world, "--device", names[0]]), (f"{rule}, {size}, {count} parts", [*world, "--device", every])])
    return groups


def out_of_core(_):
    world = ["--random", "0.5", "--size", "131072", "-g", "10240", "--device", "cuda:0", "--kernel", "cuda/strided"]
    return [[("in core", world), *((f"{share} on the host", [*world, "--out-of-core", "--host-share", share]) for share in ("0.25", "0.5", "1"))]]


def checkpoint(_):
    world = ["--random", "0.4", "--size", "65536", "-g", "40000", "--device", "cuda:0", "--kernel", "cuda/strided"]
    return [[("without checkpoints", world), ("with checkpoints", [*world, "--checkpoint", "{folder}/world.mck", "--every-generations", "10000"])]]


def ranks(_):
    """Threads and ranks on the same CPUs, as far from each other as possible, because neighbours may be one core."""
    cpus = sorted(os.sched_getaffinity(0))
    count = min(4, len(cpus))
    on_these = ["taskset", "-c", ",".join(str(cpus[i * len(cpus) // count]) for i in range(count))]
    count = str(count)
    launcher = [*on_these, "mpirun", "--allow-run-as-root", "--bind-to", "none", "-n", count]
    groups = []
    for size, generations in (("16384", "2000"), ("4096", "16000")):
        world = ["--random", "0.5", "--size", size, "-g", generations, "--device", "cpu"]
        groups.append([(f"{size}, {count} threads", [*world, "--threads", count], on_these), (f"{size}, {count} ranks of one thread", [*world, "--threads", "1"], launcher)])
    return groups


def gpu_ranks(document):
    """A process for each GPU, or two on the only one."""
    count = max(2, len(gpus(document)))
    launcher = ["mpirun", "--allow-run-as-root", "--bind-to", "none", "-n", str(count)]
    noise = ["--random", "0.5", "--kernel", "cuda/strided"]
    return [
        [
            (f"{size}, one GPU", [*noise, "--size", size, "-g", generations, "--device", "cuda:0"]),
            *((f"{size}, {count} ranks, {transport}", [*noise, "--size", size, "-g", generations, "--device", "cuda", "--rank-transport", transport], launcher) for transport in ("auto", "mpi")),
        ]
        for size, generations in (("65536", "20000"), (f"65536x{count * 65536}", "10000"), ("16384", "100000"))
    ]


KINDS = {"ranks": ranks, "gpu-ranks": gpu_ranks, "parts": parts, "family-parts": family_parts, "out-of-core": out_of_core, "checkpoint": checkpoint}


def run_once(moorea, options, launcher=()):
    with tempfile.TemporaryDirectory() as folder:
        asked = [option.replace("{folder}", folder) for option in options]
        return json.loads(subprocess.run([*launcher, moorea, "run", *asked, "--json"], check=True, capture_output=True, text=True).stdout)


def median_run(runs):
    """The run with the median speed of some, and all speeds."""
    speeds = [run["cells_per_second"] for run in runs]
    middle = statistics.median_low(speeds)
    return {**runs[speeds.index(middle)], "speeds": speeds, "spread": (max(speeds) - min(speeds)) / middle}


def main():
    moorea, kind, path = sys.argv[1:]
    # The benchmark describes the machine
    described = json.loads(subprocess.run([moorea, "bench", "--kernel", "cpu/bits", "--size", "64", "--budget", "0.01", "--rounds", "1", "--json"], check=True, capture_output=True, text=True).stdout)
    document = {**{key: described[key] for key in ("machine", "version", "revision", "compiler", "date")}, "runs": []}
    for group in KINDS[kind](document):
        # Turn by turn, so that other work on the machine disturbs all alike
        turns = [[run_once(moorea, *how) for _, *how in group] for _ in range(REPEATS)]
        first = None
        for i, (name, *_) in enumerate(group):
            run = {"name": name, **median_run([turn[i] for turn in turns])}
            first = first or run
            if run["hash"] != first["hash"]:
                sys.exit(f"{name}: the cells differ from those of {first['name']}: hash {run['hash']}, expected {first['hash']}")
            run["relative_speed"] = statistics.median(turn[i]["cells_per_second"] / turn[0]["cells_per_second"] for turn in turns)
            document["runs"].append(run)
            print(f"{name}: {run['cells_per_second'] / 1e12:.2f} T cells/s, {run['relative_speed']:.3f}, spread {run['spread']:.1%}", flush=True)
    with open(path, "w", encoding="utf-8") as out:
        json.dump(document, out, indent=2)
        out.write("\n")


main()
