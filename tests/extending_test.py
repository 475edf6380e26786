#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the files shown in docs/extending.md: a `path` in the text, then the file's code. Usage: extending_test.py SOURCE COMPILER"""
import pathlib
import re
import subprocess
import sys

source, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
text = (source / "docs" / "extending.md").read_text()
shown = re.findall(r"^`((?:src|apps)/[^`]+)`.*?^```cpp\n(.*?)^```", text, re.M | re.S)
assert len(shown) == 3, f"expected three files, found {[path for path, _ in shown]}"
for path, code in shown:
    assert not (source / path).exists(), f"{path} exists: show another name"
    subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-DFMT_HEADER_ONLY", *(f"-I{source / folder}" for folder in ("include", "src", "apps/moorea")),
                    "-x", "c++", "-"], input=code, text=True, check=True)
    print(f"{path} compiles")
