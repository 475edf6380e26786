// SPDX-License-Identifier: MIT
// All that a reduction file may include besides step headers and its SDK. A reduction adds up an array in a
// GPU's memory. Like a kernel it is described by one constant named after its path
// (reduce/ladder/06_atomic.cu defines moorea::kernels::reduce_ladder_06_atomic), from which the build makes a
// table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace moorea::kernels {

/// What is added up: cells (0 or 1) or counts of cells, each less than 2^16, so that the sum of a thread
/// block's values fits 32 bits.
struct ReductionCall {
  const std::uint32_t* values;  ///< in the device's memory, as everything here; aligned to 256 bytes
  std::int64_t n;               ///< how many, 0 to 2^32
  unsigned long long* sum;      ///< is set, whatever it held
  void* scratch;                ///< Reduction::scratch_bytes, aligned to 256; anything before and after
  void* stream;                 ///< a cudaStream_t
  int threads;                  ///< a block: a power of two, 32 to 1024; not looked at where it is no choice
};

struct Reduction {
  const char* summary;  ///< one line: what it does
  /// Puts the kernels that make the sum into the stream.
  void (*launch)(const ReductionCall& call);
  /// What it needs beside the values for n of them.
  std::size_t (*scratch_bytes)(std::int64_t n, int threads);
  int default_threads;  ///< a block; 0 where they cannot be chosen
};

/// One row of the table that the build makes; `name` is the path below src/kernels without its ending.
struct ReductionEntry {
  const char* name;
  const Reduction* reduction;
};

/// The reductions of this build, by name; ends with an entry of null pointers.
extern const ReductionEntry reduction_table[];

}  // namespace moorea::kernels
