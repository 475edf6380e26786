#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom: docs/architecture.md, "Who may include whom", as a check. Usage: include_rules_test.py SOURCE"""
import pathlib
import re
import sys

# Folder below the source -> what its files may include besides the standard library and themselves. Longest match.
# <fmt/core.h>, as <fmt/format.h> compiles fmt once more in each file, for seconds; src/model/format.cpp does so for all.
ALLOWED = {
    "include/moorea": ["moorea/"],
    "src/model": ["moorea/", "model/", "fmt/core.h", "fmt/format.h"],
    "src/logic": ["moorea/", "logic/", "fmt/core.h", "xbyak/xbyak.h"],
    "src/patterns": ["moorea/", "model/", "patterns/", "fmt/core.h", "zlib.h"],
    "src/kernels": ["kernels/kernel.h", "moorea/kernel.h", "kernels/step_", "immintrin.h", "cuda_runtime.h"],
    "src/kernels/reduce": ["kernels/reduction.h", "kernels/step_", "cuda_runtime.h", "cub/device/device_reduce.cuh"],
    "src/devices": ["moorea/", "model/", "logic/", "kernels/kernel.h", "kernels/reduction.h", "devices/", "fmt/core.h", "omp.h", "hwloc.h", "dlfcn.h"],
    "src/devices/cuda": ["moorea/", "model/", "kernels/kernel.h", "kernels/reduction.h", "devices/", "logic/", "fmt/core.h", "cuda_runtime_api.h",
                         "nvrtc.h", "dlfcn.h"],
    "src/devices/opencl": ["moorea/", "model/", "logic/", "kernels/kernel.h", "devices/", "fmt/core.h", "CL/cl.h", "CL/cl_ext.h", "dlfcn.h"],
    "src/pictures": ["moorea/", "model/", "fmt/core.h", "png.h"],
    "src/engines": ["moorea/", "model/", "logic/", "kernels/kernel.h", "kernels/reduction.h", "devices/", "engines/", "fmt/core.h"],
    "src": ["moorea/", "model/", "patterns/", "devices/tile_trace.h", "engines/", "fmt/core.h"],
    "apps": ["moorea/", "fmt/core.h", "CLI/", "nlohmann/", "gif_lib.h", "curses.h", "zlib.h", "boost/"],  # and their neighbours
    "fuzz": ["moorea/", "messages.h"],
    "examples": ["moorea/"],
}
# Headers of the operating system, and of C++ itself (no dot in their names).
SYSTEM = re.compile(r"^[a-z_0-9]+$|^(sys/\w+|fcntl|regex|sched|spawn|termios|poll|unistd|strings)\.h$")

source = pathlib.Path(sys.argv[1])
errors = 0
checked = 0
for path in sorted(p for folder in ("include", "src", "apps", "fuzz", "examples") for p in (source / folder).rglob("*")):
    if path.suffix not in (".h", ".cpp", ".cu", ".cl"):
        continue
    relative = path.relative_to(source).as_posix()
    allowed = ALLOWED[max((f for f in ALLOWED if relative.startswith(f + "/")), key=len)]
    checked += 1
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if not found:
            continue
        name = found.group(1)
        beside = relative.startswith("apps/") and (path.parent / name).exists()
        if beside or SYSTEM.match(name) or any(name == a or (a.endswith(("/", "_")) and name.startswith(a)) for a in allowed):
            continue
        print(f"{relative}:{number}: may not include {name}")
        errors += 1
print(f"{checked} files, {errors} errors")
sys.exit(1 if errors or checked < 30 else 0)
