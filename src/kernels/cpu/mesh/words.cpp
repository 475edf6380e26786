// SPDX-License-Identifier: MIT
// Words of 64 faces by their patterns of neighbours; words.h describes it.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

constexpr int lanes = 2;

#include "kernels/cpu/mesh/words.h"

MeshBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_mesh_words;
constexpr Kernel cpu_mesh_words = {
    .summary = "mesh: 64 faces to a word, in vectors that every processor has",
    .layout = Layout::face_bits,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = MeshContract{.bind = bind, .table = MeshTable::words},
};

}  // namespace moorea::kernels
