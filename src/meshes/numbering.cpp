// SPDX-License-Identifier: MIT
#include "meshes/numbering.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/philox.h"

namespace moorea {
namespace {

// The faces of the component of `first`, breadth first, appended to `order`.
void visit(const FaceNeighbours& neighbours, std::uint32_t first, std::vector<std::uint32_t>& order,
           std::vector<bool>& visited) {
  const auto degree = [&](std::uint32_t face) {
    return neighbours.begins[face + 1] - neighbours.begins[face];
  };
  std::size_t at = order.size();
  order.push_back(first);
  visited[first] = true;
  for (; at < order.size(); ++at) {
    const std::size_t before = order.size();
    for (const std::uint32_t face : neighbours.of(order[at])) {
      // The number of faces stands for no neighbour
      if (face == visited.size() || visited[face]) continue;
      visited[face] = true;
      order.push_back(face);
    }
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(before), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return degree(a) < degree(b); });
  }
}

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> numbers(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) numbers[order[i]] = static_cast<std::uint32_t>(i);
  return numbers;
}

}  // namespace

std::vector<std::uint32_t> cuthill_mckee_numbers(const FaceNeighbours& neighbours) {
  const auto faces = static_cast<std::size_t>(neighbours.count());
  std::vector<std::uint32_t> order;
  order.reserve(faces);
  std::vector<bool> visited(faces);
  for (std::uint32_t first = 0; first < faces; ++first) {
    if (visited[first]) continue;
    // The last face of a visit is far from its first one: a good face to begin with
    std::vector<std::uint32_t> trial;
    std::vector<bool> seen = visited;
    visit(neighbours, first, trial, seen);
    visit(neighbours, trial.back(), order, visited);
  }
  std::reverse(order.begin(), order.end());
  return inverse(order);
}

std::vector<std::uint32_t> random_numbers(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  for (std::size_t i = n; i > 1; --i) {
    const auto random = philox4x32_10({static_cast<std::uint32_t>(i), 0, 0, 0}, {0x6D657368, 0});
    const std::uint64_t bits = std::uint64_t{random[1]} << 32 | random[0];
    std::swap(numbers[i - 1], numbers[bits % i]);
  }
  return numbers;
}

}  // namespace moorea
