#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures this machine's CPU into bench/results, for docs/performance.md, docs/cpu.md and docs/opencl.md; run it where nothing else runs.
# Usage: tools/measure_cpu.sh BUILD MACHINE, with the directory of a build and a name
set -eu
moorea=$1/bin/moorea
name=$2-$(date -u +%Y-%m-%d)
results=$(dirname "$0")/../bench/results
production=auto,cpu/strided_avx512,cpu/strided_avx2,cpu/strided,cpu/tiles_avx512,cpu/tiles_avx2,cpu/tiles

"$moorea" bench --kernel cpu/reference,cpu/bits,cpu/bits_avx2,cpu/bits_avx512,$production --size 1024,2048,4096,16384 --threads 1,2 --json \
  > "$results/cpu-$name.json"
"$moorea" bench --kernel cpu/strided_avx512 --size 65536 --threads 1,2 --json > "$results/large-$name.json"
# Named and unnamed rules
for rule in Life Anneal HighLife "Day & Night" Seeds Maze B36/S124 B35/S236 B2/S013 B3678/S345 B01/S5 B147/S0268; do
  "$moorea" bench --kernel cpu/strided_avx512,cpu/strided_avx2 --rule "$rule" --size 4096 --threads 1 --budget 1 --json
done > "$results/rules-$name.jsons"
# More than two states, beside Life
{
  "$moorea" bench --kernel cpu/strided_avx512,cpu/strided_avx2 --size 4096 --threads 1 --budget 1 --json
  for rule in "Brian's Brain" "Star Wars" "BelZhab" B2-a/S12/G4; do
    "$moorea" bench --kernel cpu/states/planes_avx512,cpu/states/planes_avx2 --rule "$rule" --size 4096 --threads 1 --budget 1 --json
  done
} > "$results/generations-$name.jsons"
# Rules by transitions: those of bench/rules, and some of Golly's
{
  for rule in "$results"/../rules/*.rule Langtons-Ant BBM-Margolus-emulated Byl-Loop Langtons-Loops Evoloop Tempesti; do
    kernels=$("$moorea" kernels --rule "$rule" | awk '$1 ~ /^cpu\/states/ && $3 == "yes" { print $1 }' | paste -sd,)
    "$moorea" bench --kernel "$kernels" --rule "$rule" --size 4096 --threads 1 --budget 0.5 --json
  done
} > "$results/transitions-$name.jsons"
# Larger than Life by the width of the world: the majority of a neighbourhood, so that worlds stay alive
{
  for rule in R5,C0,M1,S60..121,B60..121,NM R10,C0,M1,S220..441,B220..441,NM R20,C0,M1,S840..1681,B840..1681,NM R50,C0,M1,S5100..10201,B5100..10201,NM \
              R16,C0,M1,S272..545,B272..545,NN R12,C0,M1,S244..489,B244..489,NC; do
    for size in 512 2048 8192; do
      "$moorea" bench --kernel cpu/wide/planes_avx512,cpu/wide/sums_avx512,cpu/wide/planes_avx2,cpu/wide/sums_avx2 --rule "$rule" --size $size --threads 1 --budget 0.5 --json
    done
  done
} > "$results/wide-$name.jsons"
"$1/tests/measure_gates" > "$results/gates-$name.json"
"$moorea" bench --kernel auto,cpu/strided_avx512 --size 16384 --after 50000 --threads 1 --json > "$results/ash-$name.json"
# OpenCL on the CPU, compared with the CPU kernels of the same kind
opencl=$("$moorea" kernels | grep -o '^opencl/[a-z0-9/_]*' | paste -sd,)
if [ -n "$opencl" ]; then
  {
    "$moorea" bench --kernel "cpu/bits_avx512,cpu/strided_avx512,cpu/ladder/04_avx2,$opencl" --size 4096 --budget 0.5 --json
    "$moorea" bench --kernel cpu/bits_avx512,cpu/strided_avx512,opencl/bits,opencl/bits_vector,opencl/strided_vector --size 16384 --budget 0.5 --json
  } > "$results/opencl-$name.jsons"
fi
"$(dirname "$0")/race.py" "$moorea" > "$results/races-$name.json"
"$(dirname "$0")/race.py" "$moorea" --families --runs 3 > "$results/family-races-$name.json"
