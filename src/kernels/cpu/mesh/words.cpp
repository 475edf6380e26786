// SPDX-License-Identifier: MIT
// Words of 64 faces by their patterns of neighbours; words.h describes it.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

constexpr int lanes = 2;
typedef std::uint64_t Vector __attribute__((vector_size(lanes * 8)));
typedef std::uint32_t Indices __attribute__((vector_size(lanes * 4)));

Vector gathered(const std::uint64_t* words, Indices indices) {
  Vector result;
  for (int i = 0; i < lanes; ++i) result[i] = words[indices[i]];
  return result;
}

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
