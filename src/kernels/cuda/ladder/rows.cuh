// SPDX-License-Identifier: MIT
// Packed rows by full adders in three-input logic, for any rule: a thread processes a column of 16
// consecutive bytes from top to bottom, so that each row is read once and its sums are computed once for the
// three rows that need them. Include inside an unnamed namespace of a .cu file, after common/bits.h and after
// defining for the type `word`
//   Group                 as many words as fill 16 bytes: uint4, ulonglong2
//   unpack(group, words)  to an array of words
//   pack(words)           the inverse
//   lut3<table>(a, b, c)  bit 4 * a + 2 * b + c of the table, for each bit
#ifndef MOOREA_KERNELS_STEP_ROWS_CUDA_H
#define MOOREA_KERNELS_STEP_ROWS_CUDA_H

// More rows per thread save loads and sums of the rows above and below them, and leave fewer threads.
constexpr int rows_a_thread = 8;

constexpr int word_bits = 8 * sizeof(word);
constexpr int words_a_thread = sizeof(Group) / sizeof(word);

// Truth tables of lut3.
constexpr int sum3 = 0x96, carry3 = 0xE8, and3 = 0x80;
constexpr int xor_and = 0x78;  // a ^ (b & c)
constexpr int select = 0xCA;   // a ? b : c

// The rule takes 27 operations, a row's sums and their shifts 4.
constexpr double operations_per_word = 27 + 4.0 * (rows_a_thread + 2) / rows_a_thread;

// Equivalent to next_state() of common/bits.h.
__device__ __forceinline__ word next_by_lut3(RowSum above, RowSum at, RowSum below, word centre,
                                             const RulePlanes& rule) {
  const word p0 = lut3<sum3>(above.ones, at.ones, below.ones);
  const word carry = lut3<carry3>(above.ones, at.ones, below.ones);
  const word twos = lut3<sum3>(above.twos, at.twos, below.twos);
  const word fours = lut3<carry3>(above.twos, at.twos, below.twos);
  const word p1 = twos ^ carry;
  const word p2 = lut3<xor_and>(fours, twos, carry);
  const word p3 = lut3<and3>(fours, twos, carry);

  const word both = p0 & centre;
  word leaf[5];
#pragma unroll
  for (int pair = 0; pair < 5; ++pair) {
    leaf[pair] = lut3<xor_and>(rule.k0[pair], rule.k1[pair], p0);
    leaf[pair] = lut3<xor_and>(leaf[pair], rule.k2[pair], centre);
    leaf[pair] = lut3<xor_and>(leaf[pair], rule.k3[pair], both);
  }
  const word low = lut3<select>(p1, leaf[1], leaf[0]);
  const word high = lut3<select>(p1, leaf[3], leaf[2]);
  return lut3<select>(p3, leaf[4], lut3<select>(p2, high, low));
}

// Access of a thread: a whole group, or the remaining words at the end of a row.
struct WholeGroup {
  __device__ __forceinline__ word read(const word* from, word* cells) const {
    unpack(__ldg(reinterpret_cast<const Group*>(from)), cells);
    return __ldg(from + words_a_thread);  // the following word
  }
  __device__ __forceinline__ void write(word* to, const word* cells) const {
    *reinterpret_cast<Group*>(to) = pack(cells);
  }
};

struct PartOfGroup {
  int words;
  __device__ __forceinline__ word read(const word* from, word* cells) const {
#pragma unroll
    for (int i = 0; i < words_a_thread; ++i) cells[i] = i <= words ? __ldg(from + i) : 0;
    return 0;  // not adjacent to any word that is written
  }
  __device__ __forceinline__ void write(word* to, const word* cells) const {
#pragma unroll
    for (int i = 0; i < words_a_thread; ++i) {
      if (i < words) to[i] = cells[i];
    }
  }
};

struct RowOfWords {
  word cells[words_a_thread];
  RowSum sums[words_a_thread];
};

template <class Access>
__device__ __forceinline__ RowOfWords read_row(const Access& access, const word* from) {
  RowOfWords row;
  const word before = __ldg(from - 1), after = access.read(from, row.cells);
#pragma unroll
  for (int i = 0; i < words_a_thread; ++i) {
    const word own = row.cells[i];
    const word left = own << 1 | (i == 0 ? before : row.cells[i - 1]) >> (word_bits - 1);
    const word right = own >> 1 | (i == words_a_thread - 1 ? after : row.cells[i + 1]) << (word_bits - 1);
    row.sums[i] = {lut3<sum3>(left, own, right), lut3<carry3>(left, own, right)};
  }
  return row;
}

// Processes `rows` rows from `from` on; a thread computes at most rows_a_thread.
template <class Access>
__device__ __forceinline__ void step_column(const Access& access, const word* from, word* to,
                                            std::ptrdiff_t pitch, std::int64_t rows, const RulePlanes& rule) {
  RowOfWords above = read_row(access, from - pitch), at = read_row(access, from);
#pragma unroll
  for (int row = 0; row < rows_a_thread; ++row, to += pitch) {
    // After the last row, the row below it is read again, so that no load depends on a branch
    if (row < rows) from += pitch;
    const RowOfWords below = read_row(access, from);

    word next[words_a_thread];
#pragma unroll
    for (int i = 0; i < words_a_thread; ++i)
      next[i] = next_by_lut3(above.sums[i], at.sums[i], below.sums[i], at.cells[i], rule);

    if (row < rows) access.write(to, next);
    above = at;
    at = below;
  }
}

__global__ void __launch_bounds__(1024) step_columns(Block block) {
  const std::int64_t words = (block.width + word_bits - 1) / word_bits;
  const std::int64_t first =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * words_a_thread;
  const std::int64_t top =
      (static_cast<std::int64_t>(blockIdx.y) + static_cast<std::int64_t>(gridDim.y) * blockIdx.z) *
      rows_a_thread;
  if (first >= words || top >= block.height) return;
  const std::ptrdiff_t pitch = block.pitch / static_cast<std::ptrdiff_t>(sizeof(word));
  const word* from = static_cast<const word*>(block.from) + top * pitch + first;
  word* to = static_cast<word*>(block.to) + top * pitch + first;
  const RulePlanes rule = rule_planes(block.rule.birth, block.rule.survival);
  if (first + words_a_thread <= words) {
    step_column(WholeGroup(), from, to, pitch, block.height - top, rule);
  } else {
    step_column(PartOfGroup{static_cast<int>(words - first)}, from, to, pitch, block.height - top, rule);
  }
}

inline DeviceFunction function_of_columns(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_columns), how.block.width};
}

inline void launch_columns(const Block& block, const Launch& how) {
  constexpr std::int64_t maximum = 65535;  // of a grid's y
  const std::int64_t words = (block.width + word_bits - 1) / word_bits;
  const std::int64_t threads = how.block.width, words_across = threads * words_a_thread;
  const std::int64_t across = (words + words_across - 1) / words_across;
  const std::int64_t down = (block.height + rows_a_thread - 1) / rows_a_thread;
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down < maximum ? down : maximum),
                  static_cast<unsigned>((down + maximum - 1) / maximum));
  step_columns<<<grid, static_cast<unsigned>(threads), 0, static_cast<cudaStream_t>(how.stream)>>>(block);
}

#endif
