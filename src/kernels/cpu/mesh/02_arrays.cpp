// SPDX-License-Identifier: MIT
// An array for each neighbour, a structure of arrays: adjacent faces read adjacent entries, and all faces
// have as many neighbours as the one with the most, the missing ones dead.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

// Faces whose counts are kept between two neighbours, in the L1 cache.
constexpr std::int64_t piece = 1024;

void step(const MeshCall& call) {
  const auto* const from = static_cast<const std::uint8_t*>(call.from);
  auto* const to = static_cast<std::uint8_t*>(call.to);
  const MeshTables& tables = *call.tables;
  std::uint8_t counts[piece];
  for (std::int64_t first = call.first; first < call.last; first += piece) {
    const std::int64_t number = call.last - first < piece ? call.last - first : piece;
    for (std::int64_t i = 0; i < number; ++i) counts[i] = 0;
    for (int k = 0; k < tables.most_neighbours; ++k) {
      const std::uint32_t* const neighbour = tables.neighbours + k * tables.pitch + first;
      // Counts beyond 8 match no rule
      for (std::int64_t i = 0; i < number; ++i) {
        const std::uint8_t alive = from[neighbour[i]];
        counts[i] = static_cast<std::uint8_t>(counts[i] + (alive & (counts[i] < 15)));
      }
    }
    for (std::int64_t i = 0; i < number; ++i)
      to[first + i] = static_cast<std::uint8_t>(next_cell_state(call.rule, from[first + i], counts[i]));
  }
}

MeshBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_mesh_02_arrays;
constexpr Kernel cpu_mesh_02_arrays = {
    .summary = "mesh: an array for each neighbour",
    .layout = Layout::faces,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = MeshContract{.bind = bind, .table = MeshTable::arrays},
};

}  // namespace moorea::kernels
