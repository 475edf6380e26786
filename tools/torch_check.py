#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Independent check of results: PyTorch's convolution counts the neighbours of a random world, a look-up of 18 entries is
the rule, and every cell of several generations is compared with the output of `moorea run`. No code of Moorea is used, not
even its noise. PyTorch is not a dependency of Moorea; without it the script reports that and exits 77.
Usage: tools/torch_check.py MOOREA [--device cuda|cpu] [--kernel NAME ...]
Exits 0 if all cells are equal, 3 if one differs, 4 if a kernel supports none of the worlds."""
import argparse
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError as error:
    print(f"torch_check: left out, as PyTorch is not here ({error})")
    sys.exit(77)

SEED = 20261120
GENERATIONS = (1, 13, 64)
NAMED_RULES = ("B3/S23", "B4678/S35678", "B0123478/S01234678")  # Life, Anneal, one with B0
RANDOM_RULES = 1
SIZES = ((3, 2), (64, 64), (301, 77))
LARGE_SIZES = ((2048, 2047), (4096, 1024))  # only if PyTorch has a GPU: on a CPU they take minutes
DENSITY = 0.4
EQUAL, UNAVAILABLE, DIFFERENT = 0, 4, 3


def rule_text(number):
    """Bits 0 to 8 are birth, 9 to 17 survival."""
    birth, survival = ("".join(str(n) for n in range(9) if number >> first + n & 1) for first in (0, 9))
    return f"B{birth}/S{survival}"


def rules():
    chosen = random.Random(SEED)
    return NAMED_RULES + tuple(rule_text(chosen.getrandbits(18)) for _ in range(RANDOM_RULES))


def look_up(rule, device):
    """Returns the next states of a dead cell with n live neighbours (entry n) and of a live one (entry 9 + n)."""
    birth, survival = rule[1:].split("/S")
    return torch.tensor([float(str(n) in counts) for counts in (birth, survival) for n in range(9)], device=device)


def step(cells, table, topology):
    """Cells are a 1 x 1 x height x width tensor of 0 and 1, in float32, which holds all counts exactly."""
    weights = torch.ones(1, 1, 3, 3, device=cells.device)
    weights[0, 0, 1, 1] = 9
    if topology == "torus":
        sums = torch.nn.functional.conv2d(torch.nn.functional.pad(cells, (1, 1, 1, 1), mode="circular"), weights)
    else:
        sums = torch.nn.functional.conv2d(cells, weights, padding=1)
    # A convolution may be computed by a transform, which is not exact
    return table[sums.round().long()]


def write_pbm(path, cells):
    height, width = cells.shape[-2:]
    bits = torch.nn.functional.pad(cells.reshape(height, width).cpu().to(torch.uint8), (0, -width % 8)).reshape(-1, 8)
    packed = (bits * torch.tensor([128, 64, 32, 16, 8, 4, 2, 1], dtype=torch.uint8)).sum(1, dtype=torch.uint8)
    path.write_bytes(f"P4\n{width} {height}\n".encode() + bytes(packed.tolist()))


def read_pbm(path, device):
    """Reads moorea's output: comments between the P4 and the size, then the cells."""
    data = path.read_bytes()
    lines, at = [], 0
    while len(lines) < 2:
        end = data.index(b"\n", at)
        if not data.startswith(b"#", at):
            lines.append(data[at:end])
        at = end + 1
    if lines[0] != b"P4":
        raise ValueError(f"{path} is no P4 file")
    width, height = map(int, lines[1].split())
    packed = torch.frombuffer(bytearray(data[at:]), dtype=torch.uint8).to(device).reshape(height, (width + 7) // 8, 1)
    bits = packed >> torch.tensor([7, 6, 5, 4, 3, 2, 1, 0], dtype=torch.uint8, device=device) & 1
    return bits.reshape(height, -1)[:, :width]


def first_difference(moorea, torch_cells):
    if moorea.shape != torch_cells.shape:
        return f"moorea's world is {moorea.shape[1]} x {moorea.shape[0]}"
    different = (moorea != torch_cells).nonzero()
    if len(different) == 0:
        return ""
    y, x = different[0].tolist()
    return (f"{len(different)} different cells, the first in column {x} of row {y}: moorea has {int(moorea[y, x])}, "
            f"PyTorch {int(torch_cells[y, x])}")


def compare(options, choice, rule, topology, sizes, folder, pool):
    """Steps worlds of these sizes in both programs. Returns the exit code and a message."""
    table = look_up(rule, options.device)
    noise = torch.Generator().manual_seed(SEED)

    # A process takes a second or more to start on a GPU: those of all worlds run at once
    def run(start, width, height, generations):
        out = folder / f"{width}x{height}_after_{generations}.pbm"
        command = [options.moorea, "run", start, "--size", f"{width}x{height}", "--topology", topology, "--rule", rule, "-g",
                   str(generations), "-o", out]
        return out, subprocess.run(command + choice, capture_output=True, text=True)

    worlds = []
    for width, height in sizes:
        start = folder / f"{width}x{height}.pbm"
        cells = (torch.rand(1, 1, height, width, generator=noise) < DENSITY).float().to(options.device)
        write_pbm(start, cells)
        worlds.append((width, height, cells, [pool.submit(run, start, width, height, generations) for generations in GENERATIONS]))
    compared, refusal = 0, ""
    for width, height, cells, runs in worlds:
        outcomes = [each.result() for each in runs]
        failed = next((result for _, result in outcomes if result.returncode != 0), None)
        if failed is not None and failed.returncode != UNAVAILABLE:
            sys.exit(f"torch_check: {' '.join(map(str, failed.args))}: {failed.stderr.strip()}")
        if failed is not None:
            refusal = failed.stderr.strip()
            continue
        generation = 0
        for generations, (out, _) in zip(GENERATIONS, outcomes):
            while generation < generations:
                cells = step(cells, table, topology)
                generation += 1
            difference = first_difference(read_pbm(out, options.device), cells.reshape(height, width))
            if difference:
                return DIFFERENT, f"{width} x {height}, generation {generation}: {difference}"
        compared += 1
    if compared == 0:
        return UNAVAILABLE, f"took none of the worlds: {refusal}"
    return EQUAL, f"{compared} of {len(sizes)} worlds: all cells equal" + (" (the others are refused)" if refusal else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("moorea", type=pathlib.Path)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda" if torch.cuda.is_available() else "cpu",
                        help="where PyTorch computes and, where no kernel is named, Moorea")
    parser.add_argument("--kernel", nargs="+", default=[], help="Moorea's kernels, each compared by itself")
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        print(f"torch_check: PyTorch {torch.__version__} finds no GPU: --device cpu")
        sys.exit(UNAVAILABLE)
    choices = [(name, ["--kernel", name]) for name in options.kernel] or [("moorea", ["--device", options.device])]
    print(f"PyTorch {torch.__version__} on {options.device}")
    sizes = SIZES + (LARGE_SIZES if options.device == "cuda" else ())
    worst = EQUAL
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(min(len(GENERATIONS) * len(sizes), os.cpu_count() or 1)) as pool:
        for name, choice in choices:
            taken = False
            for rule in rules():
                for topology in ("torus", "plane"):
                    code, text = compare(options, choice, rule, topology, sizes, pathlib.Path(folder), pool)
                    print(f"{name}, {rule}, {topology}: {text}", flush=True)
                    taken = taken or code == EQUAL
                    if code == DIFFERENT:
                        worst = DIFFERENT
            if not taken and worst == EQUAL:
                worst = UNAVAILABLE
    sys.exit(worst)


main()
