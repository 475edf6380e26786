// SPDX-License-Identifier: MIT
// The neighbours of a face together, as an array of structures of different lengths: an index leads to the
// first of them. The number of neighbours of each face is read, so the inner loop cannot be unrolled.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

void step(const MeshCall& call) {
  const auto* const from = static_cast<const std::uint8_t*>(call.from);
  auto* const to = static_cast<std::uint8_t*>(call.to);
  const MeshTables& tables = *call.tables;
  for (std::int64_t i = call.first; i < call.last; ++i) {
    unsigned neighbours = 0;
    for (std::uint32_t k = tables.begins[i]; k < tables.begins[i + 1]; ++k)
      neighbours += from[tables.neighbours[k]];
    to[i] = static_cast<std::uint8_t>(next_face_state(call.rule, from[i], neighbours));
  }
}

MeshBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_mesh_01_structures;
constexpr Kernel cpu_mesh_01_structures = {
    .summary = "mesh: the neighbours of a face together, found through an index",
    .layout = Layout::faces,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = MeshContract{.bind = bind, .table = MeshTable::structures},
};

}  // namespace moorea::kernels
