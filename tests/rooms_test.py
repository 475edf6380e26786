#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rooms of the source: who may include whom (docs/architecture.md), a README.md in each, and no file too long. Usage: rooms_test.py SOURCE"""
import pathlib
import re
import sys

APP = ["moorea/", "fmt/core.h", "nlohmann/json.hpp"]

# Folder below the source -> what its files may include besides the standard library and themselves. Longest match.
# <fmt/core.h>, as <fmt/format.h> compiles fmt once more in each file, for seconds; src/model/format.cpp does so for all.
KERNEL = ["kernels/kernel.h", "kernels/contract/", "moorea/kernel.h", "kernels/common/"]
LOGIC = ["moorea/", "model/", "logic/", "kernels/kernel.h", "fmt/core.h"]

ALLOWED = {
    "include/moorea": ["moorea/"],
    "src/model": ["moorea/", "model/", "fmt/core.h", "fmt/format.h"],
    "src/rules": ["moorea/", "rules/", "model/", "fmt/core.h"],
    "src/logic": ["moorea/", "model/", "logic/", "fmt/core.h", "xbyak/xbyak.h"],
    "src/meshes": ["moorea/", "model/", "meshes/", "devices/cpu/threads.h", "kernels/kernel.h", "fmt/core.h", "tiny_obj_loader.h"],
    "src/patterns": ["moorea/", "model/", "patterns/", "fmt/core.h", "zlib.h"],
    "src/pictures": ["moorea/", "model/", "pictures/", "devices/cpu/threads.h", "fmt/core.h", "png.h"],
    "src/kernels": KERNEL,
    "src/kernels/cpu": KERNEL + ["kernels/cpu/", "immintrin.h"],
    "src/kernels/cuda": KERNEL + ["kernels/cuda/", "cuda_runtime.h"],
    "src/kernels/opencl": KERNEL + ["kernels/opencl/"],
    "src/kernels/reduce": ["kernels/reduction.h", "kernels/reduce/", "cuda_runtime.h", "cub/device/device_reduce.cuh"],
    "src/jit": LOGIC + ["jit/", "devices/traits.h", "dlfcn.h"],
    "src/trees": LOGIC + ["trees/", "devices/cpu/threads.h", "emmintrin.h"],
    "src/boards": LOGIC + ["boards/", "trees/", "meshes/", "devices/cpu/", "jit/"],
    "src/devices": LOGIC + ["devices/", "boards/board.h", "kernels/reduction.h", "dlfcn.h"],
    "src/devices/cpu": ["moorea/", "model/", "devices/cpu/", "devices/traits.h", "fmt/core.h", "hwloc.h", "linux/futex.h"],
    "src/devices/cuda": LOGIC + ["devices/", "kernels/cuda/lanes_call.h", "boards/", "meshes/", "jit/", "kernels/reduction.h", "cuda_runtime_api.h", "nvrtc.h"],
    "src/devices/opencl": LOGIC + ["devices/", "boards/", "meshes/", "jit/", "CL/cl.h", "CL/cl_ext.h", "dlfcn.h"],
    "src/choose": LOGIC + ["choose/", "trees/", "boards/", "meshes/", "devices/", "jit/", "nlohmann/json.hpp"],
    "src/ensembles": LOGIC + ["ensembles/", "boards/zeroed_buffer.h", "choose/kernel_table.h", "devices/", "jit/"],
    "src/objects": ["moorea/", "objects/", "model/digest.h", "fmt/core.h"],
    "src/census": ["moorea/", "census/", "objects/", "ensembles/", "devices/", "boards/zeroed_buffer.h", "jit/rule_code.h", "logic/cell_network.h", "logic/emit_x86.h", "model/bits.h", "model/digest.h", "fmt/core.h", "cpuid.h", "immintrin.h"],
    "src/checkpoints": ["moorea/", "model/", "checkpoints/", "devices/", "fmt/core.h", "nlohmann/json.hpp", "zstd.h"],
    "src/ranks": ["moorea/", "ranks/", "devices/cpu/threads.h", "fmt/core.h", "mpi.h", "mpi-ext.h"],
    "src/lab": LOGIC + ["lab/", "simulation_access.h", "choose/", "boards/", "devices/", "jit/", "kernels/reduction.h", "dlfcn.h", "linux/perf_event.h"],
    "src": ["moorea/", "model/", "patterns/", "boards/", "trees/", "choose/", "simulation_access.h", "hashlife_state.h", "fmt/core.h"],
    "apps/moorea": APP + ["cli/", "commands/table.h"],
    "apps/moorea/cli": APP + ["cli/", "CLI/"],
    "apps/moorea/report": APP + ["report/", "cli/"],
    "apps/moorea/lab": APP + ["lab/", "report/", "cli/"],
    "apps/moorea/media": APP + ["media/", "cli/", "gif_lib.h"],
    "apps/moorea/ranks": APP + ["ranks/", "media/", "cli/"],
    "apps/moorea/live": APP + ["live/", "cli/"],
    "apps/moorea/serve": APP + ["serve/", "live/", "media/", "cli/", "boost/", "zlib.h"],
    "apps/moorea/terminal": APP + ["terminal/", "live/", "cli/", "curses.h"],
    "apps/moorea/commands": APP + ["commands/", "terminal/", "serve/", "live/", "media/", "lab/", "report/", "ranks/", "cli/"],
    "fuzz": ["moorea/", "serve/messages.h", "checkpoints/checksum.h"],
    "examples": ["moorea/", "cuda_runtime_api.h"],
    "python": ["moorea/", "nanobind/", "module.h", "gil.h", "ensembles.h"],
}
# Headers of the operating system, and of C++ itself (no dot in their names).
SYSTEM = re.compile(r"^[a-z_0-9]+$|^(sys/\w+|fcntl|regex|sched|spawn|pthread|termios|poll|unistd|strings)\.h$")

source = pathlib.Path(sys.argv[1])
errors = 0
checked = 0
for path in sorted(p for folder in ("include", "src", "apps", "fuzz", "examples", "python") for p in (source / folder).rglob("*")):
    if path.suffix not in (".h", ".cpp", ".cu", ".cuh", ".cl"):
        continue
    relative = path.relative_to(source).as_posix()
    allowed = ALLOWED[max((f for f in ALLOWED if relative.startswith(f + "/")), key=len)]
    checked += 1
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if not found:
            continue
        name = found.group(1)
        if SYSTEM.match(name) or any(name == a or (a.endswith("/") and name.startswith(a)) for a in allowed):
            continue
        print(f"{relative}:{number}: may not include {name}")
        errors += 1

# Each room explains itself, and no file is longer than a reader can keep in mind; data and generated files aside
max_lines, max_readme_lines = 400, 40
longer = {"src/kernels/common/networks.h"}
rooms = [source / "src", source / "apps/moorea"]
rooms += [source / "python"] + [folder for room in rooms for folder in room.iterdir() if folder.is_dir()]
for room in rooms:
    readme = room / "README.md"
    if not readme.exists() or len(readme.read_text().splitlines()) > max_readme_lines:
        print(f"{room.relative_to(source)}: needs a README.md of up to {max_readme_lines} lines")
        errors += 1
for folder in ("include", "src", "apps", "tests", "fuzz", "examples", "tools", "cmake", "web", "python"):
    for path in (source / folder).rglob("*"):
        relative = path.relative_to(source).as_posix()
        if path.suffix in (".h", ".cpp", ".cu", ".cuh", ".cl", ".py", ".js", ".css", ".html", ".cmake") and relative not in longer:
            lines = len(path.read_text().splitlines())
            if lines > max_lines:
                print(f"{relative}: {lines} lines; {max_lines} at most")
                errors += 1
print(f"{checked} files, {errors} errors")
sys.exit(1 if errors or checked < 30 else 0)
