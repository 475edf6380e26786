// SPDX-License-Identifier: MIT
// Larger than Life by sums in vectors of 128 bits. Portable.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

struct Narrow {
  typedef std::uint16_t Number;
  typedef std::uint16_t Numbers __attribute__((vector_size(16)));
  typedef std::uint8_t Bytes __attribute__((vector_size(8)));

  static Numbers numbers_of(Bytes bytes) { return __builtin_convertvector(bytes, Numbers); }
  static Bytes bytes_of(Numbers numbers) { return __builtin_convertvector(numbers, Bytes); }
  static Numbers sums_of(Numbers numbers, Numbers* sum) {
    const Numbers none = {};
    numbers += __builtin_shufflevector(none, numbers, 0, 8, 9, 10, 11, 12, 13, 14);
    numbers += __builtin_shufflevector(none, numbers, 0, 0, 8, 9, 10, 11, 12, 13);
    numbers += __builtin_shufflevector(none, numbers, 0, 0, 0, 0, 8, 9, 10, 11);
    numbers += *sum;
    *sum = __builtin_shufflevector(numbers, numbers, 7, 7, 7, 7, 7, 7, 7, 7);
    return numbers;
  }
};

struct Wide {
  typedef std::uint32_t Number;
  typedef std::uint32_t Numbers __attribute__((vector_size(16)));
  typedef std::uint8_t Bytes __attribute__((vector_size(4)));

  static Numbers numbers_of(Bytes bytes) { return __builtin_convertvector(bytes, Numbers); }
  static Bytes bytes_of(Numbers numbers) { return __builtin_convertvector(numbers, Bytes); }
  static Numbers sums_of(Numbers numbers, Numbers* sum) {
    const Numbers none = {};
    numbers += __builtin_shufflevector(none, numbers, 0, 4, 5, 6);
    numbers += __builtin_shufflevector(none, numbers, 0, 0, 4, 5);
    numbers += *sum;
    *sum = __builtin_shufflevector(numbers, numbers, 3, 3, 3, 3);
    return numbers;
  }
};

#include "kernels/cpu/states/bytes.h"

#include "kernels/cpu/wide/sums.h"

}  // namespace

extern const Kernel cpu_wide_sums;
constexpr Kernel cpu_wide_sums = {
    .summary = "Larger than Life, a byte per cell, counts by differences of sums along rows; portable",
    .layout = Layout::bytes,
    .max_steps = 1,
    .supports = {.families = larger_than_life},
    .contract = StatesContract{.bind = bind_sums, .lanes = 1, .scratch_bytes = sums_scratch},
};

}  // namespace moorea::kernels
