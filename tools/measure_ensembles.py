#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the speed of ensembles: cells per second while worlds advance, and soups per second until they are periodic, on the device, on all
cores, and on one. On a CPU the speed is that of two runs of the command that differ in their generations alone, so that noise, hashes and the table
cancel out. On a GPU it is that of a step of an Ensemble in Python, which moves no cells from or to the host, the median of turns; and the
kernel's with a population of every world after every generation, relative to that without, by PyTorch's profiler: the kernel's alone, because
populations are counted faster than they can be copied to the host. This needs the package moorea and PyTorch. Results are compared with those of the CPU.
With --core instead, on one core: the part that ensembles reach of the logic units' limit by `moorea bench` (limit), which needs an idle machine; by
processor time, which does not, the speed of few worlds relative to many (few), and of kernels relative to the portable one (kernels). What is compared
runs turn by turn, and medians of the turns' ratios count, so that other work disturbs both alike.

Usage: tools/measure_ensembles.py MOOREA RESULTS.json [--device cuda] [--threads N] [--seconds S] [--turns N] [--core WHAT...]
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

# Size, worlds and rule of each measurement on a GPU: the sizes, and fewer worlds than the GPU has room for
GPU = [(64, 524288, "Life"), (64, 524288, "Anneal"), (32, 524288, "Life"), (128, 131072, "Life"), (256, 32768, "Life")] + \
      [(64, worlds, "Life") for worlds in (64, 256, 1024, 4096, 16384, 65536)]
# Size and worlds whose populations are counted, of 512 MiB after some generations
COUNTED = [(64, 131072), (32, 262144), (128, 32768), (256, 8192)]
GPU_TURNS = 5
GPU_SOUPS, CPU_SOUPS = 20_000_000, 100_000
CORE = ("limit", "few", "kernels")
FEW = (1, 16, 64, 128, 256, 512, 1000)
KERNELS = ("cpu/strided", "cpu/strided_avx2", "cpu/strided_avx512")
CPU = [(64, 512, "Life"), (64, 512, "Anneal"), (32, 512, "Life"), (128, 512, "Life"), (256, 512, "Life")]


def processor_time():
    """Seconds that the ended child processes computed: other work on the machine is not in it."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


class Measurer:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)

    def ensemble(self, name, *arguments, device=None):
        table = self.folder / name
        table.unlink(missing_ok=True)  # of the measurement before: the command replaces none
        command = [self.options.moorea, "ensemble", *map(str, arguments), "-o", str(table), "--device", device or self.options.device,
                   "--threads", self.options.threads, "--json"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: {result.stderr}")
        return json.loads(result.stdout), table.read_bytes()

    def check(self, world):
        """The rows of the device are those of the CPU."""
        short = [*world[:1], "512", *world[2:], "-g", "300", "--record", "population,hash,changed"]
        if self.ensemble("device.csv", *short)[1] != self.ensemble("cpu.csv", *short, device="cpu")[1]:
            raise SystemExit(f"{' '.join(map(str, short))}: the device and the CPU differ")

    def speed(self, size, worlds, rule):
        world = ["--worlds", worlds, "--size", size, "-r", rule, "--random", "0.5"]
        self.check(world)
        cells, generations = worlds * size * size, 1024
        while True:
            few = self.ensemble("few.csv", *world, "-g", generations)[0]["seconds"]
            many = self.ensemble("many.csv", *world, "-g", 9 * generations)[0]["seconds"]
            if many - few >= self.options.seconds:
                break
            generations *= 4
        row = {"size": size, "worlds": worlds, "rule": rule, "generations": 8 * generations, "seconds": many - few,
               "cells_per_second": cells * 8 * generations / (many - few)}
        print(f"{size:>5} square, {worlds:>7} worlds, {rule:7} {row['cells_per_second'] / 1e12:8.3f} T cells/s", flush=True)
        return row

    def seconds(self, *world, generations, clock=None):
        """Duration of some generations on one thread, without that of the noise and the table; `clock` is read before and after, if there is one."""
        durations = []
        for steps in (generations // 8, generations // 8 + generations):
            before = clock() if clock else 0
            summary = self.ensemble("core.csv", *world, "-g", steps)[0]
            durations.append(clock() - before if clock else summary["seconds"])
        return durations[1] - durations[0]

    def generations(self, worlds, size):
        """Generations that take about the seconds asked for, if a vector of 512 worlds takes 2 ns for each of their cells."""
        return max(8, int(5e8 * self.options.seconds / (-(-worlds // 512) * size * size)))

    def limit(self):
        return [self.part_of_limit(*case) for case in CPU]

    def part_of_limit(self, size, worlds, rule):
        """Part of the logic limit: words of 64 cells, times the rule's operations, by words that the logic units compute in the same time."""
        world = ["--worlds", worlds, "--size", size, "-r", rule, "--random", "0.5"]
        self.check(world)
        generations = self.generations(worlds, size)
        parts = []
        for _ in range(self.options.turns):
            bench = json.loads(subprocess.run([self.options.moorea, "bench", "--kernel", "cpu/strided_avx512", "-r", rule, "--size", "1024", "--threads", "1",
                                               "--budget", "0.05", "--json"], capture_output=True, text=True, check=True).stdout)
            words = worlds * size * size / 64 * generations / self.seconds(*world, generations=generations)
            parts.append(words * bench["results"][0]["operations_per_word"] / bench["ceilings"][0]["logic_words_per_second"])
        row = {"size": size, "worlds": worlds, "rule": rule, "parts_of_logic_limit": parts, "median": statistics.median(parts)}
        print(f"{size:>5} square, {worlds:>7} worlds, {rule:7} {100 * row['median']:5.1f} % of the logic limit", flush=True)
        return row

    def few(self):
        """Cells per second of few worlds of 64 x 64, by those of 1024 worlds."""
        size, ratios = 64, {worlds: [] for worlds in FEW}
        for _ in range(self.options.turns):
            rates = {}
            for worlds in (*FEW, 1024):
                generations = self.generations(worlds, size)
                rates[worlds] = worlds * generations / self.seconds("--worlds", worlds, "--size", size, generations=generations, clock=processor_time)
            for worlds in FEW:
                ratios[worlds].append(rates[worlds] / rates[1024])
        rows = [{"size": size, "worlds": worlds, "ratios": found, "median": statistics.median(found)} for worlds, found in ratios.items()]
        for row in rows:
            print(f"{row['worlds']:>7} worlds: {row['median']:.3f} of the speed of 1024", flush=True)
        return rows

    def kernels(self):
        """Speeds of the kernels, by that of the portable one, for worlds that fill one, two, or four vectors of it."""
        rows = []
        for rule in ("Life", "Anneal"):
            for size, worlds in ((size, worlds) for size in (16, 64, 256, 1024) for worlds in (64, 65, 256)):
                world = ("--worlds", worlds, "--size", size, "-r", rule)
                ratios = {kernel: [] for kernel in KERNELS[1:]}
                for _ in range(self.options.turns):
                    seconds = {kernel: self.seconds(*world, "--kernel", kernel, generations=self.generations(worlds, size), clock=processor_time)
                               for kernel in KERNELS}  # fmt: skip
                    for kernel, found in ratios.items():
                        found.append(seconds[KERNELS[0]] / seconds[kernel])
                medians = {kernel: statistics.median(found) for kernel, found in ratios.items()}
                rows.append({"rule": rule, "size": size, "worlds": worlds, "ratios": ratios, "medians": medians})
                print(f"{size:>5} square, {worlds:>4} worlds, {rule:7} " + ", ".join(f"{kernel} {median:.2f}" for kernel, median in medians.items()),
                      "times as fast as", KERNELS[0], flush=True)  # fmt: skip
        return rows

    def soups(self):
        """Soups on tori of 64 x 64 until periodic, periods up to 60: on the device, all cores, and one core."""
        rows, runs = [], [("cpu", self.options.threads, CPU_SOUPS), ("cpu", "1", CPU_SOUPS // 8)]
        if self.options.device != "cpu":
            runs.insert(0, (self.options.device, self.options.threads, GPU_SOUPS))
        for device, threads, soups in runs:
            name = "soups.npz"
            command = [self.options.moorea, "ensemble", "--worlds", str(soups), "--size", "64", "-g", "100000", "--until-periodic", "-o", str(self.folder / name),
                       "--record", "population,period", "--device", device, "--threads", threads, "--json"]
            summary = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            rows.append({"device": device, "threads": threads} |
                        {key: summary[key] for key in ("worlds", "worlds_per_second", "cells_per_second", "seconds", "periods")})
            print(f"until periodic, {device}, {threads} threads: {summary['worlds_per_second']:.0f} soups/s, {summary['cells_per_second'] / 1e12:.3f} T cells/s", flush=True)
            (self.folder / name).unlink()
        return rows


def kernel_seconds(function):
    """Time during which the kernel of ensembles runs; launches in different streams overlap."""
    import torch

    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA], acc_events=True) as profile:
        function()
    spans = sorted((event.time_range.start, event.time_range.end) for event in profile.events() if "advance_lanes" in event.name)
    total, reached = 0, 0
    for start, end in spans:
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total / 1e6


class GpuMeasurer:
    """Speeds on a GPU by the Python package."""

    def __init__(self, device, seconds, turns):
        import moorea

        self.moorea, self.device, self.seconds, self.turns = moorea, device, seconds, turns

    def ensemble(self, size, worlds, rule):
        ensemble = self.moorea.Ensemble(rule, worlds, size, seed=1, device=self.device)
        few = self.moorea.Ensemble(rule, min(100, worlds), size, seed=1)
        ensemble.step(300)
        few.step(300)
        if list(few.hashes) != list(ensemble.hashes[: len(few)]):
            raise SystemExit(f"{rule}, {size} square: the device and the CPU differ")
        ensemble.step(1)
        return ensemble

    def speed(self, size, worlds, rule):
        ensemble, steps = self.ensemble(size, worlds, rule), 1024
        while self.duration(ensemble, steps) < self.seconds:
            steps *= 2
        speeds = sorted(worlds * size * size * steps / self.duration(ensemble, steps) for _ in range(self.turns))
        row = {"size": size, "worlds": worlds, "rule": rule, "generations": steps, "cells_per_second": statistics.median(speeds),
               "spread": (speeds[-1] - speeds[0]) / statistics.median(speeds)}
        print(f"{size:>5} square, {worlds:>7} worlds, {rule:7} {row['cells_per_second'] / 1e12:8.3f} T cells/s, spread {row['spread']:.1%}", flush=True)
        return row

    def duration(self, ensemble, steps):
        start = time.perf_counter()
        ensemble.step(steps)
        return time.perf_counter() - start

    def populations(self, size, worlds):
        """Speed of the kernel that counts every world after every generation, relative to the one that does not."""
        ensemble = self.ensemble(size, worlds, "Life")
        last = ensemble.step_counting(64)[-1]
        if list(last) != list(ensemble.populations):
            raise SystemExit(f"{size} square: wrong populations")
        counted = max(64, 2**29 // (worlds * 8))
        ratios = [kernel_seconds(lambda: ensemble.step(1024)) / 1024 / (kernel_seconds(lambda: ensemble.step_counting(counted)) / counted)
                  for _ in range(self.turns)]  # fmt: skip
        row = {"size": size, "worlds": worlds, "ratios": ratios, "median": statistics.median(ratios)}
        print(f"{size:>5} square, {worlds:>7} worlds, populations of every generation: {row['median']:.2f} of the speed without", flush=True)
        return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("moorea", type=os.path.abspath)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", default="0")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--core", nargs="+", choices=CORE)
    parser.add_argument("--turns", type=int, default=15)
    options = parser.parse_args()
    if options.core:
        options.device, options.threads = "cpu", "1"
    info = json.loads(subprocess.run([options.moorea, "info", "--json"], capture_output=True, text=True, check=True).stdout)
    with tempfile.TemporaryDirectory() as folder:
        measurer = Measurer(options, folder)
        document = {"device": options.device, "threads": options.threads, "revision": info["revision"], "devices": info["devices"]}
        if options.core:
            document.update({name: getattr(measurer, name)() for name in options.core})
            options.results.write_text(json.dumps(document, indent=1) + "\n")
            return
        if options.device == "cpu":
            document["results"] = [measurer.speed(*case) for case in CPU]
        else:
            gpu = GpuMeasurer(options.device, options.seconds, min(options.turns, GPU_TURNS))
            document["results"] = [gpu.speed(*case) for case in GPU]
            document["populations"] = [gpu.populations(*case) for case in COUNTED]
        document["soups"] = measurer.soups()
    options.results.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
