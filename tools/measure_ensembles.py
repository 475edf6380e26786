#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the speed of ensembles: cells per second while worlds advance, from two runs that differ in their generations alone, so that
noise, hashes and the table cancel out; their tables are compared with those of the CPU. Also soups per second until they are periodic.

Usage: tools/measure_ensembles.py MOOREA RESULTS.json [--device cuda] [--threads N] [--seconds S]
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

# Size, worlds and rule of each measurement on a GPU: the sizes, and fewer worlds than the GPU has room for
GPU = [(64, 524288, "Life"), (64, 524288, "Anneal"), (32, 524288, "Life"), (128, 131072, "Life"), (256, 32768, "Life")] + \
      [(64, worlds, "Life") for worlds in (64, 256, 1024, 4096, 16384, 65536)]
CPU = [(64, 512, "Life"), (64, 512, "Anneal"), (32, 512, "Life"), (128, 512, "Life"), (256, 512, "Life")]


class Measurer:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)

    def ensemble(self, name, *arguments, device=None):
        table = self.folder / name
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

    def soups(self):
        """Soups on tori of 64 x 64 until periodic, periods up to 60, on the CPU."""
        summary = self.ensemble("soups.csv", "--worlds", 100000, "--size", 64, "-g", 100000, "--until-periodic", device="cpu")[0]
        print(f"until periodic: {summary['worlds_per_second']:.0f} soups/s, {summary['cells_per_second'] / 1e12:.3f} T cells/s", flush=True)
        return {key: summary[key] for key in ("worlds", "worlds_per_second", "cells_per_second", "seconds", "periods")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("moorea", type=os.path.abspath)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", default="0")
    parser.add_argument("--seconds", type=float, default=2)
    options = parser.parse_args()
    info = json.loads(subprocess.run([options.moorea, "info", "--json"], capture_output=True, text=True, check=True).stdout)
    with tempfile.TemporaryDirectory() as folder:
        measurer = Measurer(options, folder)
        document = {"device": options.device, "threads": options.threads, "revision": info["revision"], "devices": info["devices"]}
        document["results"] = [measurer.speed(*case) for case in (CPU if options.device == "cpu" else GPU)]
        document["soups"] = measurer.soups()
    options.results.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
