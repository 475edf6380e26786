// SPDX-License-Identifier: MIT
// All that a reduction file may include besides step headers and its SDK. A reduction adds up an array in a
// GPU's memory. Like a kernel it is described by one constant named after its path
// (reduce/ladder/06_atomic.cu defines moorea::kernels::reduce_ladder_06_atomic), from which the build
// generates a table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moorea::kernels {

/// Input and output of one sum of values of 32 bits.
template <class Value, class Sum>
struct SumCall {
  const Value* values;  ///< in the device's memory, like all pointers here; aligned to 256 bytes
  std::int64_t n;       ///< number of values, 0 to 2^32
  Sum* sum;             ///< result, of 64 bits; overwritten
  void* scratch;        ///< Reduction::scratch_bytes, aligned to 256; contents unspecified before and after
  void* stream;         ///< a cudaStream_t
  int threads;          ///< per block: a power of two, 32 to 1024; ignored if default_threads is 0
};

/// Values are cells (0 or 1) or counts of cells, each less than 2^16, so that the sum of a thread block's
/// values fits 32 bits. The sum is exact.
using ReductionCall = SumCall<std::uint32_t, unsigned long long>;

/// Values are not negative. The values of a thread block are added in single precision, in an order that the
/// reduction chooses, the sums of blocks in double precision.
using FloatReductionCall = SumCall<float, double>;

/// Maximum error of a sum of floats, relative to the sum. An addition rounds its result by at most 2^-24 of
/// it, and a sum of values that are not negative is never smaller than its parts: the error is at most 2^-24
/// times the number of additions in single precision that a value goes through. These are at most 11: one
/// while a thread loads two values, and the ten levels of a tree of 1024 threads. The additions of at most
/// 2^27 sums of blocks in double precision, 2^-53 each, are less than a twelfth one. (Higham, "Accuracy and
/// Stability of Numerical Algorithms", section 4.2)
constexpr double float_sum_tolerance = 12.0 / (1 << 24);

struct Reduction {
  const char* summary;  ///< one line: what it does
  /// Enqueues the kernels that compute the sum into the stream.
  void (*launch)(const ReductionCall& call);
  /// As `launch`, for floats; null: integers only.
  void (*launch_floats)(const FloatReductionCall& call) = nullptr;
  /// Scratch memory in bytes for n values, in addition to the values.
  std::size_t (*scratch_bytes)(std::int64_t n, int threads);
  int default_threads;  ///< per block; 0 if it cannot be chosen
};

/// One row of the table that the build generates; `name` is the path below src/kernels without its extension.
struct ReductionEntry {
  const char* name;
  const Reduction* reduction;
};

/// Reductions of this build, by name; ends with an entry of null pointers.
extern const ReductionEntry reduction_table[];

}  // namespace moorea::kernels
