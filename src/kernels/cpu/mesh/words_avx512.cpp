// SPDX-License-Identifier: MIT
// Words of 64 faces by their patterns of neighbours; words.h describes it.
#include <immintrin.h>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

constexpr int lanes = 8;
typedef std::uint64_t Vector __attribute__((vector_size(lanes * 8)));
typedef std::uint32_t Indices __attribute__((vector_size(lanes * 4)));

Vector gathered(const std::uint64_t* words, Indices indices) {
  // The masked form, because the other one begins with an undefined vector
  return reinterpret_cast<Vector>(_mm512_mask_i32gather_epi64(_mm512_setzero_si512(), 0xFF,
                                                              reinterpret_cast<__m256i>(indices), words, 8));
}

#include "kernels/cpu/mesh/words.h"

MeshBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_mesh_words_avx512;
constexpr Kernel cpu_mesh_words_avx512 = {
    .summary = "mesh: 64 faces to a word, in vectors of 512 faces",
    .layout = Layout::face_bits,
    .max_steps = 1,
    .supports = {.surface = true},
    .needs = {.avx512 = true},
    .contract = MeshContract{.bind = bind, .table = MeshTable::words},
};

}  // namespace moorea::kernels
