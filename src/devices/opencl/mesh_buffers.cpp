// SPDX-License-Identifier: MIT
#include "devices/opencl/mesh_buffers.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace moorea::opencl {

MeshBuffers::MeshBuffers(const MeshLayout& layout, kernels::MeshTable form, const Copy& copy)
    : table(form), tables(layout.arrays.tables()), bytes_per_pass(layout.bytes_per_pass) {
  const auto copied = [&](const auto& list) {
    const std::uint32_t none = 0;
    return list.empty() ? copy(&none, sizeof none) : copy(list.data(), list.size() * sizeof list[0]);
  };
  const TableArrays& arrays = layout.arrays;
  std::vector<std::uint32_t> in_order;
  if (layout.numbers.empty()) {
    in_order.resize(static_cast<std::size_t>(arrays.faces));
    std::iota(in_order.begin(), in_order.end(), 0u);
  }
  numbers = copied(layout.numbers.empty() ? in_order : layout.numbers);
  begins = copied(arrays.begins);
  neighbours = copied(arrays.neighbours);
  patterns = copied(arrays.patterns);
  regular = copied(arrays.regular);
  distances = copied(arrays.distances);
  first_exceptions = copied(arrays.first_exceptions);
  exception_faces = copied(arrays.exception_faces);
  exception_neighbours = copied(arrays.exception_neighbours);
}

}  // namespace moorea::opencl
