// SPDX-License-Identifier: MIT
// Public kernel header: the arguments of a kernel call. A user's kernel in C++ or CUDA includes this file and
// nothing else of Moorea; docs/your-own-kernel.md is the tutorial. Kernels in this tree include it through
// kernels/kernel.h. No other headers but these two are needed, and none at all under NVRTC.
#pragma once

#ifdef __CUDACC_RTC__
namespace std {
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;
using ptrdiff_t = long;
using size_t = unsigned long;
}  // namespace std
#define MOOREA_EVERYWHERE static __host__ __device__ inline
#else
#include <cstddef>
#include <cstdint>
#define MOOREA_EVERYWHERE static inline
#endif

namespace moorea::kernels {

/// A rule as two masks. Bit n: a dead cell with n live neighbours is born, a live one survives.
struct RuleMask {
  std::uint16_t birth = 0;
  std::uint16_t survival = 0;
};

/// World that a block is part of, for kernels that join its edges themselves.
struct World {
  std::int64_t width = 0;  ///< cells
  std::int64_t height = 0;
  bool torus = false;  ///< otherwise a plane, dead outside
};

/// Cells of one call. The halo is `steps` rows above and below and, in every row, `steps` cells left and
/// right (in the bits layout: of the words on both sides and after the last cell). It is filled in `from`
/// before the call. In `to` a kernel writes only the cells of the block, except that the bits after the last
/// cell of a row, in its last word, are unspecified. Calls that touch a plane's edge have one step, because
/// no cell may be born beyond it; a kernel of this tree may promise otherwise.
struct Block {
  const void* from;      ///< first cell of the first row, aligned to 64 bytes in the bits layout
  void* to;              ///< same cell `steps` generations later
  std::ptrdiff_t pitch;  ///< bytes from one row (of patches for their layout) to the next, in both
  std::int64_t width;    ///< cells in a row
  std::int64_t height;   ///< rows
  int steps;             ///< generations, 1 to the maximum that the kernel declares
  RuleMask rule;
  World world = {};
  std::int64_t x = 0;  ///< position of the first cell in the world, a multiple of 64 in the bits layout
  std::int64_t y = 0;
  int thread = 0;           ///< index of the calling thread within the team of this pass
  int threads = 1;          ///< size of the team
  bool* changed = nullptr;  ///< false before the call; null if changes are not recorded
  /// Null for rules of two masks. Kernels of this tree may support others too: bit n % 64 of word n / 64 is
  /// the next state of a cell in neighbourhood n, whose bits are the nine cells row by row, north west first
  /// (256).
  const std::uint64_t* table = nullptr;
};

/// Returns the first cell (or word) of row y of `from` or `to`; rows above 0 and from `height` on are the
/// halo.
template <class Cell>
MOOREA_EVERYWHERE const Cell* row_from(const Block& block, std::int64_t y) {
  return reinterpret_cast<const Cell*>(static_cast<const char*>(block.from) + y * block.pitch);
}
template <class Cell>
MOOREA_EVERYWHERE Cell* row_to(const Block& block, std::int64_t y) {
  return reinterpret_cast<Cell*>(static_cast<char*>(block.to) + y * block.pitch);
}

/// Returns the next state, 0 or 1, of a cell that is 0 or 1.
MOOREA_EVERYWHERE unsigned next_cell_state(const RuleMask& rule, unsigned alive, unsigned neighbours) {
  return ((alive != 0 ? rule.survival : rule.birth) >> neighbours) & 1u;
}

#ifdef __CUDACC_RTC__
/// Returns the column and the row of the block where this thread's cells begin, for item_width x item_height
/// cells per thread. The position may be beyond the block's right and lower edge.
static __device__ inline std::int64_t first_column_of_thread(int item_width = 1) {
  return (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * item_width;
}
static __device__ inline std::int64_t first_row_of_thread(int item_height = 1) {
  return ((static_cast<std::int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y) *
         item_height;
}
#endif

}  // namespace moorea::kernels

#ifdef MOOREA_KERNEL_FILE
// Entry point of a user's C++ file; all other names in it are local to the file.
extern "C" __attribute__((visibility("default"))) void advance(const moorea::kernels::Block& block);
#endif
