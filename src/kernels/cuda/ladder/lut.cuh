// SPDX-License-Identifier: MIT
// A rule as a table: bit 4 * y + x of the index is cell (x, y) of a block of 4 x 4 cells, bit 2 * y + x of
// the entry the next state of cell (x + 1, y + 1). Tables are computed on the GPU, once per rule and device,
// and kept. Include inside an unnamed namespace of a .cu file, after kernels/kernel.h, <map>, <mutex> and
// cuda_runtime.h.
#ifndef MOOREA_KERNELS_STEP_LUT_CUDA_H
#define MOOREA_KERNELS_STEP_LUT_CUDA_H

constexpr unsigned lookup_entries = 1u << 16, lookup_threads = 256;

__global__ void fill_lookup_table(std::uint8_t* table, RuleMask rule) {
  const unsigned cells = blockIdx.x * blockDim.x + threadIdx.x;

  unsigned next = 0;
  for (int i = 0; i < 4; ++i) {
    const int corner = i / 2 * 4 + i % 2;  // of the 3 x 3 block around the cell
    const unsigned around = cells >> corner;
    const unsigned counts = around >> 5 & 1u ? rule.survival : rule.birth;
    next |= (counts >> __popc(around & 0x757u) & 1u) << i;
  }

  table[cells] = static_cast<std::uint8_t>(next);
}

// The rule's table in the current device's memory, or null; then the device's last error gives the reason.
// Streams may differ between calls: a table is registered only when it is complete.
static const std::uint8_t* lookup_table(RuleMask rule, cudaStream_t stream) {
  static std::mutex mutex;
  static std::map<std::uint64_t, const std::uint8_t*> tables;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return nullptr;
  const std::uint64_t key =
      static_cast<std::uint64_t>(device) << 32 | static_cast<std::uint64_t>(rule.birth) << 16 | rule.survival;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto known = tables.find(key);
  if (known != tables.end()) return known->second;

  std::uint8_t* table = nullptr;
  if (cudaMalloc(&table, lookup_entries) != cudaSuccess) return nullptr;
  fill_lookup_table<<<lookup_entries / lookup_threads, lookup_threads, 0, stream>>>(table, rule);
  if (cudaPeekAtLastError() != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess) {
    cudaFree(table);
    return nullptr;
  }
  tables.emplace(key, table);
  return table;
}

#endif
