// SPDX-License-Identifier: MIT
// All that a reduction file may include besides step headers and its SDK. A reduction adds up an array in a
// GPU's memory. Like a kernel it is described by one constant named after its path
// (reduce/ladder/06_atomic.cu defines moorea::kernels::reduce_ladder_06_atomic), from which the build
// generates a table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moorea::kernels {

/// Input and output of one sum. Values are cells (0 or 1) or counts of cells, each less than 2^16, so that
/// the sum of a thread block's values fits 32 bits.
struct ReductionCall {
  const std::uint32_t* values;  ///< in the device's memory, like all pointers here; aligned to 256 bytes
  std::int64_t n;               ///< number of values, 0 to 2^32
  unsigned long long* sum;      ///< result; overwritten
  void* scratch;  ///< Reduction::scratch_bytes, aligned to 256; contents unspecified before and after
  void* stream;   ///< a cudaStream_t
  int threads;    ///< per block: a power of two, 32 to 1024; ignored if default_threads is 0
};

struct Reduction {
  const char* summary;  ///< one line: what it does
  /// Enqueues the kernels that compute the sum into the stream.
  void (*launch)(const ReductionCall& call);
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
