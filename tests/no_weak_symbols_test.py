#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files for a special instruction set must define nothing that the linker may share with other files: an inline function
compiled there could replace everyone's, and crash on CPUs without those instructions. Compiles each without optimisation,
so that nothing vanishes by inlining, and looks. Usage: no_weak_symbols_test.py SOURCE COMPILER"""
import pathlib
import subprocess
import sys
import tempfile

FLAGS = {"avx2": ["-mavx2"], "avx512": ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]}

source, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
checked, errors = 0, 0
for path in sorted((source / "src" / "kernels").rglob("*.cpp")):
    for isa, flags in FLAGS.items():
        if not path.stem.endswith(isa):
            continue
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / "kernel.o"
            subprocess.run([compiler, "-std=c++20", "-O0", "-g0", *flags, f"-I{source}/include", f"-I{source}/src", "-c", str(path), "-o", str(target)], check=True)
            symbols = subprocess.run(["nm", "-C", "--defined-only", str(target)], check=True, capture_output=True, text=True).stdout
        checked += 1
        exported = [line.split(maxsplit=2)[1:] for line in symbols.splitlines() if line.split(maxsplit=2)[1] not in "trdbn"]
        kernels = [name for kind, name in exported if kind in "DR" and name.startswith("moorea::kernels::cpu_")]
        for kind, name in exported:
            if name not in kernels:
                print(f"{path.relative_to(source)}: exports {name} ({kind})")
                errors += 1
        if len(kernels) != 1:
            print(f"{path.relative_to(source)}: defines {len(kernels)} kernels")
            errors += 1
print(f"{checked} files, {errors} errors")
sys.exit(1 if errors or checked < 2 else 0)
