#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every OpenCL kernel in Oclgrind, which looks for accesses outside of buffers and local memory, for races between work-items and
for barriers that not all reach. Usage: oclgrind_test.py MOOREA. Exits with 77 where Oclgrind is not installed."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

from parts import PARTS, in_part

LIBRARIES = ("/usr/lib/oclgrind/liboclgrind-rt-icd.so", "/usr/lib/x86_64-linux-gnu/oclgrind/liboclgrind-rt-icd.so")
WORLDS = (("150x20", "torus"), ("150x20", "plane"), ("128x9", "torus"), ("5x3", "torus"))
# For kernels of one byte a cell, in several work-groups, too; there Oclgrind needs a time for each cell
BYTE_WORLDS = (("70x12", "torus"), ("70x12", "plane"), *WORLDS[2:])
GENERATIONS = "9"  # a whole pass of every kernel and part of one, and single generations beside them
RULES = pathlib.Path(__file__).resolve().parents[1] / "bench" / "rules"
# A rule that a kernel of another family runs, and worlds if it does not run all of those
FAMILIES = {"opencl/states/strided": ("LifeHistory", WORLDS[1:3]), "opencl/states/transitions": (str(RULES / "Cyclic17-VonNeumann.rule"), WORLDS[1:3]), "opencl/blocks/": ("Critters", (("128x20", "torus"), ("128x20", "plane"))),
            "opencl/wide/": ("R2,C3,M1,S5..9,B6..8,NN", WORLDS[1:3])}


def main():
    moorea = os.path.abspath(sys.argv[1])
    library = next((path for path in LIBRARIES if os.path.exists(path)), None)
    if library is None:
        print("Oclgrind is not installed (Debian: oclgrind)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "oclgrind.icd").write_text(library + "\n")
        log = folder / "log"
        environment = dict(os.environ, OCL_ICD_VENDORS=str(folder), OCLGRIND_LOG=str(log), OCLGRIND_DATA_RACES="1", OCLGRIND_CHECK_API="1",
                           OCLGRIND_MAX_ERRORS="5", XDG_CACHE_HOME=str(folder / "cache"),
                           # It does not know all the intrinsics that an optimiser makes
                           OCLGRIND_BUILD_OPTIONS="-cl-opt-disable")
        found = json.loads(subprocess.run([moorea, "kernels", "--json"], env=environment, capture_output=True, text=True, check=True).stdout)
        device = next((each for each in found.get("devices", []) if "Oclgrind" in each["description"]), None)
        if device is None:
            print("a build without OpenCL" if not any(each["backend"] == "opencl" for each in found["kernels"]) else "Oclgrind is not found")
            return 77
        runs = errors = 0
        kernels = [each["name"] for each in found["kernels"] if each["backend"] == "opencl"]
        for item, kernel in enumerate(kernels):
            if not in_part(item):
                continue
            number = zlib.crc32(kernel.encode())
            nine_cells = BYTE_WORLDS if kernel.startswith(("opencl/ladder/", "opencl/mesh/0")) else WORLDS
            rule, worlds = next((found for begin, found in FAMILIES.items() if kernel.startswith(begin)), ("Life", nine_cells))
            if worlds is nine_cells and not os.environ.get("MOOREA_TEST_ALL") and not kernel.endswith("04_shift"):
                worlds = (worlds[number % 2], worlds[2 + number // 2 % 2])  # a sample
            for size, topology in worlds:
                if kernel.endswith("04_shift") and size != "128x9":
                    continue
                log.write_text("")
                said = subprocess.run([moorea, "verify", "--kernel", kernel, "--rule", rule, "--device", device["name"], "--random", "0.4", "--size", size,
                                       "--topology", topology, "-g", GENERATIONS], env=environment, capture_output=True, text=True, timeout=600)
                runs += 1
                if said.returncode != 0 or f"agree up to generation {GENERATIONS}" not in said.stdout or log.read_text().strip():
                    errors += 1
                    print(f"{kernel}, {topology} {size}:\n{said.stdout[:400]}{said.stderr[:400]}{log.read_text()[:1500]}")
        print(f"{runs} runs, {errors} with errors")
        return 1 if errors or runs < 20 / PARTS else 0


sys.exit(main())
