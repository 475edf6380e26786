// SPDX-License-Identifier: MIT
// 2 x 2 cells at a time by one look-up: the 4 x 4 cells around them are an index of 16 bits, and a table of
// 65,536 entries, made from the rule, holds the four next states. No counting, and four loads a cell instead
// of nine; the price is a table of 64 KiB that competes with the cells for the first-level cache, read at
// random. Include it inside an unnamed namespace, behind <map>, <mutex> and step_cells_cuda.h.
#ifndef MOOREA_KERNELS_STEP_LUT_CUDA_H
#define MOOREA_KERNELS_STEP_LUT_CUDA_H

constexpr unsigned table_entries = 1u << 16;
constexpr unsigned table_threads = 256;  // a block, of those that make the table

// Cell (x, y) of the 4 x 4 is bit 4 * y + x of the index, cell (x, y) of the 2 x 2 in their middle bit
// 2 * y + x of the entry. Every device has a table of its own.
__device__ std::uint8_t rule_table[table_entries];

__global__ void make_table(RuleMask rule) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;

  unsigned entry = 0;
  for (unsigned y = 0; y < 2; ++y) {
    for (unsigned x = 0; x < 2; ++x) {
      constexpr unsigned around = 0x757, centre = 5;  // of the first of the four
      const unsigned shift = 4 * y + x;
      const auto neighbours = static_cast<unsigned>(__popc(static_cast<int>(index & around << shift)));
      entry |= next_cell(index >> (centre + shift) & 1u, neighbours, rule) << (2 * y + x);
    }
  }

  rule_table[index] = static_cast<std::uint8_t>(entry);
}

__global__ void step_by_table(Block block) {
  const std::int64_t x = 2 * (first_column() + threadIdx.x), y = 2 * (first_row() + threadIdx.y);
  if (x >= block.width || y >= block.height) return;
  const auto* from = static_cast<const std::uint8_t*>(block.from);
  auto* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch + x;
  // In the last row or column of an odd number the fourth cell would lie behind the halo; nothing that is
  // stored depends on it
  const std::int64_t last_column = x + 2 <= block.width ? x + 2 : block.width;
  const std::int64_t last_row = y + 2 <= block.height ? y + 2 : block.height;

  unsigned index = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint8_t* row = from + (i < 3 ? y - 1 + i : last_row) * block.pitch;
    const unsigned cells = row[x - 1] | row[x] << 1 | row[x + 1] << 2 | row[last_column] << 3;
    index |= cells << (4 * i);
  }
  const unsigned next = rule_table[index];

  const bool right = x + 1 < block.width, below = y + 1 < block.height;
  to[0] = next & 1u;
  if (right) to[1] = next >> 1 & 1u;
  if (below) to[block.pitch] = next >> 2 & 1u;
  if (right && below) to[block.pitch + 1] = next >> 3 & 1u;
}

// Boards on several threads may have different rules by turns, and a device has one table. It is made again
// for a rule that is not the last one's when nobody reads it any more, and is ready before another stream
// can find it; one board after the other, which is the usual case, waits once.
static void launch_by_table(const Block& block, const Launch& how) {
  static std::mutex mutex;
  static std::map<int, RuleMask> made;  // for which rule each device's table is
  const auto stream = static_cast<cudaStream_t>(how.stream);
  const dim3 threads = threads_of(how.block);
  const dim3 grid = grid_of((block.width + 1) / 2, (block.height + 1) / 2, threads);

  const std::lock_guard lock(mutex);  // until the launch, so that the table stays what it is for this one
  int device = 0;
  cudaGetDevice(&device);
  const auto last = made.find(device);
  if (last == made.end() || last->second.birth != block.rule.birth ||
      last->second.survival != block.rule.survival) {
    cudaDeviceSynchronize();
    make_table<<<table_entries / table_threads, table_threads, 0, stream>>>(block.rule);
    cudaStreamSynchronize(stream);
    made[device] = block.rule;
  }
  step_by_table<<<grid, threads, 0, stream>>>(block);
}

#endif
