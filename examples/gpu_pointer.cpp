// SPDX-License-Identifier: MIT
// The cells in a GPU's memory: a pointer to packed rows for kernels and libraries of one's own. Here
// cudaMemcpy copies one row. Needs the CUDA runtime's header and library.
//
// prints: row 100 has the same cells on both sides|no CUDA device here
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

#include "moorea/moorea.h"

int main() try {
  moorea::Options options;
  options.device = "cuda";
  moorea::Simulation simulation(moorea::Rule::parse("Life"), moorea::Topology::torus,
                                moorea::Grid::random(4096, 4096, 0.3, 1), options);
  simulation.step(1000);

  const moorea::DeviceView cells = simulation.device_cells();
  std::vector<std::uint64_t> row(4096 / 64);
  const auto* address = reinterpret_cast<const char*>(cells.words) + 100 * cells.bytes_per_row;
  if (cudaSetDevice(cells.device.index) != cudaSuccess ||
      cudaMemcpy(row.data(), address, row.size() * sizeof row[0], cudaMemcpyDeviceToHost) != cudaSuccess) {
    std::cerr << "the copy failed\n";
    return 1;
  }
  const moorea::Grid expected = simulation.window({0, 100, 4096, 1});
  const bool same = std::equal(row.begin(), row.end(), expected.row(0));
  std::cout << "row 100 has " << (same ? "the same" : "other") << " cells on both sides\n";
  return same ? 0 : 1;
} catch (const moorea::Error& error) {
  if (error.kind() != moorea::ErrorKind::unavailable) throw;
  std::cout << "no CUDA device here: " << error.what() << "\n";
}
