// SPDX-License-Identifier: MIT
// Words of 32 faces by their patterns of neighbours (MeshWords). For each distance of its word's pattern a
// thread reads the 32 neighbours of its faces at once, a funnel shift of two words that are mostly in the L1
// cache, and adds them as binary numbers, a word per digit. The table is 4 bytes per word instead of 4 bytes
// per neighbour. Then the warp computes the exceptions of its words together, a thread for each.
#include <cstdint>

#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

#include "kernels/cuda/mesh/faces.cuh"

using word = std::uint32_t;

constexpr int word_bits = 32;

// Numbers of live neighbours, by binary digit; 15 stands for 15 or more.
struct Digits {
  word ones = 0, twos = 0, fours = 0, eights = 0;
};

__device__ inline void add_three(Digits& sum, word a, word b, word c) {
  const word one = a ^ b ^ c, two = (a & b) | (c & (a | b));
  const word carry = sum.ones & one;
  sum.ones ^= one;
  const word carry_twos = (sum.twos & two) | (carry & (sum.twos | two));
  sum.twos ^= two ^ carry;
  const word carry_fours = sum.fours & carry_twos;
  sum.fours ^= carry_twos;
  sum.eights |= carry_fours;
}

__device__ inline word next_cells(const Digits& sum, word alive, RuleMask rule) {
  word next = 0;
#pragma unroll
  for (int n = 0; n <= 8; ++n) {
    const unsigned born = rule.birth >> n & 1, survives = rule.survival >> n & 1;
    if ((born | survives) == 0) continue;
    const word equal = ((n & 1) != 0 ? sum.ones : ~sum.ones) & ((n & 2) != 0 ? sum.twos : ~sum.twos) &
                       ((n & 4) != 0 ? sum.fours : ~sum.fours) & ((n & 8) != 0 ? sum.eights : ~sum.eights);
    next |= equal & ((born != 0 ? ~alive : 0) | (survives != 0 ? alive : 0));
  }
  return next;
}

// Neighbours at a distance from the faces of word `at`.
__device__ inline word neighbours_at(const word* __restrict__ from, int at, int distance) {
  const int first = at + (distance >> 5);
  return __funnelshift_r(from[first], from[first + 1], static_cast<unsigned>(distance));
}

__device__ inline word regular_cells(const word* __restrict__ from, int at,
                                     const std::int32_t* __restrict__ distances, RuleMask rule) {
  const int number = distances[0];
  if (number == 0) return 0;
  Digits sum;
  if (number == 8) {
    word cells[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) cells[k] = neighbours_at(from, at, distances[k + 1]);
    add_three(sum, cells[0], cells[1], cells[2]);
    add_three(sum, cells[3], cells[4], cells[5]);
    add_three(sum, cells[6], cells[7], 0);
  } else {
    for (int k = 1; k <= number; k += 3) {
      const word a = neighbours_at(from, at, distances[k]);
      const word b = k + 1 <= number ? neighbours_at(from, at, distances[k + 1]) : 0;
      const word c = k + 2 <= number ? neighbours_at(from, at, distances[k + 2]) : 0;
      add_three(sum, a, b, c);
    }
  }
  return next_cells(sum, from[at], rule);
}

__device__ inline unsigned bit_of(const word* __restrict__ from, std::uint32_t face) {
  return from[face / word_bits] >> face % word_bits & 1;
}

// The exceptions of the words of a warp, those of one word after the other.
__device__ inline word exceptional_cells(const word* __restrict__ from, const MeshWords& words,
                                         std::uint32_t first, std::uint32_t last, RuleMask rule) {
  constexpr unsigned warp = 0xFFFFFFFF;
  const int lane = static_cast<int>(threadIdx.x % 32);
  word mine = 0;
  for (unsigned pending = __ballot_sync(warp, first < last); pending != 0; pending &= pending - 1) {
    const int owner = __ffs(static_cast<int>(pending)) - 1;
    const std::uint32_t begin = __shfl_sync(warp, first, owner), end = __shfl_sync(warp, last, owner);
    const std::uint32_t e = begin + static_cast<std::uint32_t>(lane);
    word bit = 0;
    if (e < end) {
      unsigned neighbours = 0;
      for (int k = 0; k < words.most_neighbours; ++k)
        neighbours += bit_of(from, words.exception_neighbours[k * words.exceptions + e]);
      const std::uint32_t face = words.exception_faces[e];
      bit = next_face(bit_of(from, face), neighbours, rule) << face % word_bits;
    }
    for (int distance = 16; distance > 0; distance /= 2) bit |= __shfl_xor_sync(warp, bit, distance);
    if (lane == owner) mine = bit;
  }
  return mine;
}

__global__ void step_words(const word* __restrict__ from, word* __restrict__ to, MeshWords words,
                           RuleMask rule) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const bool inside = at < words.words;
  word next = 0;
  std::uint32_t first = 0, last = 0;
  if (inside) {
    const std::uint32_t pattern = words.patterns[at];
    next = regular_cells(from, at,
                         words.distances + static_cast<std::size_t>(pattern & ~MeshWords::has_exceptions) *
                                               (MeshWords::max_distances + 1),
                         rule);
    if ((pattern & MeshWords::has_exceptions) != 0) {
      next &= static_cast<word>(words.regular[at]);
      first = words.first_exceptions[at];
      last = words.first_exceptions[at + 1];
    }
  }
  next |= exceptional_cells(from, words, first, last, rule);
  if (inside) to[at] = next;
}

DeviceFunction device_function(const Block&, const Launch& how) {
  return {reinterpret_cast<const void*>(step_words), how.block.width};
}

// Exceptions are computed by whole warps.
void launch(const Block& block, const Launch& how) {
  const MeshWords& words = how.mesh->words;
  const int threads = (how.block.width + 31) / 32 * 32;
  step_words<<<blocks_for(words.words, threads), static_cast<unsigned>(threads), 0,
               static_cast<cudaStream_t>(how.stream)>>>(static_cast<const word*>(block.from),
                                                        static_cast<word*>(block.to), words, block.rule);
}

CudaBinding bind(RuleMask) { return {.launch = launch, .device_function = device_function}; }

}  // namespace

extern const Kernel cuda_mesh_words;
constexpr Kernel cuda_mesh_words = {
    .summary = "mesh: 32 faces to a word, neighbours by the pattern of the word",
    .layout = Layout::face_bits,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = CudaContract{.bind = bind, .block = {256, 1}, .wraps = true, .mesh = MeshTable::words},
};

}  // namespace moorea::kernels
