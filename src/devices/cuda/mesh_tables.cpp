// SPDX-License-Identifier: MIT
#include "devices/cuda/mesh_tables.h"

namespace moorea::cuda {

// Null for an empty list.
template <class T>
const T* DeviceTables::copied(const std::vector<T>& list) {
  if (list.empty()) return nullptr;
  const std::size_t bytes = list.size() * sizeof list[0];
  memory_.emplace_back(bytes);
  MOOREA_CUDA(cudaMemcpy(memory_.back().data(), list.data(), bytes, cudaMemcpyHostToDevice));
  return memory_.back().as<T>();
}

DeviceTables::DeviceTables(const MeshLayout& layout)
    : tables_(layout.arrays.tables()), bytes_per_pass_(layout.bytes_per_pass) {
  const TableArrays& arrays = layout.arrays;
  tables_.begins = copied(arrays.begins);
  tables_.neighbours = copied(arrays.neighbours);
  kernels::MeshWords& words = tables_.words;
  words.patterns = copied(arrays.patterns);
  words.run_ends = nullptr;  // for kernels that compute runs of words
  words.regular = copied(arrays.regular);
  words.distances = copied(arrays.distances);
  words.first_exceptions = copied(arrays.first_exceptions);
  words.exception_faces = copied(arrays.exception_faces);
  words.exception_neighbours = copied(arrays.exception_neighbours);
  numbers_ = copied(layout.numbers);
}

}  // namespace moorea::cuda
