// SPDX-License-Identifier: MIT
// A bit per cell, eight cells per byte: an eighth of the memory of a byte per cell. A thread slides a window
// of three rows and three bytes over some bytes of a row and counts the neighbours bit by bit, so it saves
// memory and loads, but no arithmetic. More bytes per thread save loads and leave fewer threads, whose bytes
// are further apart; the best number depends on the world and the GPU. Two more kernels convert a world from
// a byte per cell and back, which is the price of starting from such cells.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

// Window of one row: bits 0 to 7 are the previous byte, 8 to 15 the current one, 16 to 23 the next.
__device__ unsigned slide(unsigned window, const std::uint8_t* next) {
  return window >> 8 | static_cast<unsigned>(*next) << 16;
}

__global__ void step_bytes_of_bits(Block block, int bytes_a_thread) {
  const std::int64_t bytes = (block.width + 7) / 8;
  const std::int64_t threads_a_row = (bytes + bytes_a_thread - 1) / bytes_a_thread;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t y = thread / threads_a_row, first = thread % threads_a_row * bytes_a_thread;
  if (y >= block.height) return;
  const std::int64_t end = first + bytes_a_thread < bytes ? first + bytes_a_thread : bytes;
  const auto* at = static_cast<const std::uint8_t*>(block.from) + y * block.pitch;
  const std::uint8_t *above = at - block.pitch, *below = at + block.pitch;
  auto* to = static_cast<std::uint8_t*>(block.to) + y * block.pitch;

  unsigned windows[3] = {};
  for (std::int64_t k = first - 1; k <= first; ++k) {
    windows[0] = slide(windows[0], above + k);
    windows[1] = slide(windows[1], at + k);
    windows[2] = slide(windows[2], below + k);
  }
  for (std::int64_t k = first; k < end; ++k) {
    windows[0] = slide(windows[0], above + k + 1);
    windows[1] = slide(windows[1], at + k + 1);
    windows[2] = slide(windows[2], below + k + 1);

    unsigned next = 0;
    for (int i = 0; i < 8; ++i) {
      const int left = 7 + i;  // bit of the cell's left neighbour
      const unsigned around =
          (windows[0] >> left & 7u) | (windows[1] >> left & 5u) << 3 | (windows[2] >> left & 7u) << 6;
      const unsigned counts = windows[1] >> (left + 1) & 1u ? block.rule.survival : block.rule.birth;
      next |= (counts >> __popc(around) & 1u) << i;
    }

    to[k] = static_cast<std::uint8_t>(next);
  }
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_bytes_of_bits), how.block.width};
}

void launch(const Block& block, const Launch& how) {
  const std::int64_t bytes = (block.width + 7) / 8, threads = how.block.width;
  const std::int64_t work = (bytes + how.bytes_a_thread - 1) / how.bytes_a_thread * block.height;
  const auto blocks = static_cast<unsigned>((work + threads - 1) / threads);
  step_bytes_of_bits<<<blocks, static_cast<unsigned>(threads), 0, static_cast<cudaStream_t>(how.stream)>>>(
      block, how.bytes_a_thread);
}

// ---- conversion from and to a byte per cell: a thread converts eight cells

constexpr int conversion_threads = 256;  // per block

struct EightCells {
  std::int64_t first, y;  // column and row of the first of them
};

__device__ EightCells eight_cells_of_thread(const ByteRows& rows) {
  const std::int64_t per_row = (rows.width + 7) / 8;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  return {thread % per_row * 8, thread / per_row};
}

__device__ std::uint64_t* eight_bytes_at(const ByteRows& rows, const EightCells& at) {
  return reinterpret_cast<std::uint64_t*>(rows.bytes + at.y * rows.bytes_pitch + at.first);
}

__device__ std::uint8_t* byte_at(const ByteRows& rows, const EightCells& at) {
  return static_cast<std::uint8_t*>(rows.cells) + at.y * rows.pitch + at.first / 8;
}

__global__ void bits_from_bytes(ByteRows rows) {
  const EightCells at = eight_cells_of_thread(rows);
  if (at.y >= rows.height) return;
  const std::uint64_t cells = *eight_bytes_at(rows, at);

  unsigned bits = 0;
  for (int i = 0; i < 8; ++i) bits |= static_cast<unsigned>(cells >> (8 * i) & 1) << i;
  const std::int64_t left = rows.width - at.first;  // cells of the row from here on
  if (left < 8) bits &= (1u << left) - 1;

  *byte_at(rows, at) = static_cast<std::uint8_t>(bits);
}

__global__ void bytes_from_bits(ByteRows rows) {
  const EightCells at = eight_cells_of_thread(rows);
  if (at.y >= rows.height) return;
  const unsigned bits = *byte_at(rows, at);

  std::uint64_t cells = 0;
  for (int i = 0; i < 8; ++i) cells |= static_cast<std::uint64_t>(bits >> i & 1u) << (8 * i);

  *eight_bytes_at(rows, at) = cells;
}

unsigned conversion_blocks(const ByteRows& rows) {
  const std::int64_t threads = (rows.width + 7) / 8 * rows.height;
  return static_cast<unsigned>((threads + conversion_threads - 1) / conversion_threads);
}

void encode(const ByteRows& rows) {
  bits_from_bytes<<<conversion_blocks(rows), conversion_threads, 0, static_cast<cudaStream_t>(rows.stream)>>>(
      rows);
}

void decode(const ByteRows& rows) {
  bytes_from_bits<<<conversion_blocks(rows), conversion_threads, 0, static_cast<cudaStream_t>(rows.stream)>>>(
      rows);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_ladder_11_bits_bytes;
constexpr Kernel cuda_ladder_11_bits_bytes = {
    .summary = "ladder: a bit per cell in bytes, neighbours counted bit by bit",
    .layout = Layout::bits,
    .max_steps = 1,
    .contract =
        CudaContract{
            .bind = bind, .block = {256, 1}, .bytes_a_thread = 8, .encode = encode, .decode = decode},
};

}  // namespace moorea::kernels
