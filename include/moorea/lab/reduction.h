// SPDX-License-Identifier: MIT
// Reductions: kernels that sum an array on a GPU, checked and timed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace moorea {

struct ReductionInfo {
  std::string name;     ///< path below src/kernels, "reduce/ladder/06_atomic"
  std::string summary;  ///< one line
  int threads = 0;      ///< default threads per block; 0: chosen by the reduction
  bool runs = false;    ///< whether it can run on this machine
  std::string reason;   ///< why it cannot
};

/// All reductions of this build, ordered by name; none in a build without CUDA.
std::vector<ReductionInfo> list_reductions();

/// Maximum length of an array.
constexpr std::int64_t largest_reduction = std::int64_t{1} << 32;

struct ReductionTiming {
  std::string name;
  std::string device;            ///< "cuda:0"
  std::int64_t values = 0;       ///< length of the array of 32-bit values
  int threads = 0;               ///< threads per block; 0: chosen by the reduction
  std::uint64_t sum = 0;         ///< result of the first run, or of the last one if the first was correct
  std::uint64_t expected = 0;    ///< sum computed sequentially on the CPU
  std::uint64_t bytes_read = 0;  ///< four per value
  /// Seconds per reduction of each sample, by the device's clock; empty if the result is wrong.
  std::vector<double> seconds;
};

/// Creates `n` values in a GPU's memory (odd, up to 31, determined by `seed`), checks their sum against the
/// CPU's and, if it is correct, takes `samples` timings after a warm-up. `threads` per block is a power of
/// two from 32 to 1024, or 0 for the default. Throws Error (usage) for an unknown name or an invalid number,
/// Error (unavailable) if the device cannot run the reduction, Error (run) if its memory is too small.
ReductionTiming time_reduction(const std::string& name, const std::string& device, std::int64_t n,
                               int threads, int samples, std::uint32_t seed = 0);

}  // namespace moorea
#pragma GCC visibility pop
