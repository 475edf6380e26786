// SPDX-License-Identifier: MIT
// The small kernel header: what a kernel is called with. A kernel of your own in C++ or CUDA includes this
// file and nothing else of Moorea; docs/your-own-kernel.md teaches it. Kernels in this tree get it through
// kernels/kernel.h. No other header but these two is needed, and none at all where NVRTC compiles.
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

/// Bit n: with n live neighbours a dead cell is born, a live cell survives.
struct RuleMask {
  std::uint16_t birth = 0;
  std::uint16_t survival = 0;
};

/// The world that a block is a part of, for kernels that join its edges themselves.
struct World {
  std::int64_t width = 0;  ///< cells
  std::int64_t height = 0;
  bool torus = false;  ///< else a plane, and dead outside
};

/// The cells of one call. The halo is `steps` rows above and below and, in every row, `steps` cells left and
/// right (in the bits layout: of the words on both sides and behind the last cell). It is filled in `from`
/// before the call. In `to` a kernel writes the cells of the block and nothing beside them, but the bits
/// behind the last cell of a row, in its last word, may become anything. Calls that touch a plane's edge have
/// one step, as beyond it nothing may be born; a kernel of this tree may promise otherwise.
struct Block {
  const void* from;      ///< the first cell of the first row, which is aligned to 64 bytes in the bits layout
  void* to;              ///< the same cell `steps` generations later
  std::ptrdiff_t pitch;  ///< bytes from a row (of patches in their layout) to the next one, in both
  std::int64_t width;    ///< cells in a row
  std::int64_t height;   ///< rows
  int steps;             ///< generations, 1 to as many as the kernel says that it can do
  RuleMask rule;
  World world = {};
  std::int64_t x = 0;  ///< where in the world the first cell lies, a multiple of 64 in the bits layout
  std::int64_t y = 0;
  int thread = 0;           ///< which of the threads at work on this pass makes the call
  int threads = 1;          ///< how many there are
  bool* changed = nullptr;  ///< false before the call; null where nobody asks whether a cell changed
};

/// The first cell (or word) of row y of `from` or `to`; rows above 0 and from `height` on are the halo.
template <class Cell>
MOOREA_EVERYWHERE const Cell* row_from(const Block& block, std::int64_t y) {
  return reinterpret_cast<const Cell*>(static_cast<const char*>(block.from) + y * block.pitch);
}
template <class Cell>
MOOREA_EVERYWHERE Cell* row_to(const Block& block, std::int64_t y) {
  return reinterpret_cast<Cell*>(static_cast<char*>(block.to) + y * block.pitch);
}

/// The next state, 0 or 1, of a cell that is 0 or 1.
MOOREA_EVERYWHERE unsigned next_cell_state(const RuleMask& rule, unsigned alive, unsigned neighbours) {
  return ((alive != 0 ? rule.survival : rule.birth) >> neighbours) & 1u;
}

#ifdef __CUDACC_RTC__
/// The column and the row of the block where this thread's cells begin, for item_width x item_height cells a
/// thread. It may lie beyond the block's right and lower edge.
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
// What a C++ file of your own is to define. All else in it is its own, whatever other files define.
extern "C" __attribute__((visibility("default"))) void advance(const moorea::kernels::Block& block);
#endif
