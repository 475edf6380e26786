// SPDX-License-Identifier: MIT
// The reductions: ways to add up an array on a GPU, checked and timed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace moorea {

struct ReductionInfo {
  std::string name;     ///< its path below src/kernels, "reduce/ladder/06_atomic"
  std::string summary;  ///< one line
  int threads = 0;      ///< of a thread block where none are asked for; 0: it chooses them itself
  bool runs = false;    ///< here
  std::string reason;   ///< why not, when it does not
};

/// Every reduction of this build, in the order of their names; none in a build without CUDA.
std::vector<ReductionInfo> list_reductions();

/// The largest array that a reduction takes, in values.
constexpr std::int64_t largest_reduction = std::int64_t{1} << 32;

struct ReductionTiming {
  std::string name;
  std::string device;            ///< "cuda:0"
  std::int64_t values = 0;       ///< of the array, 32 bits each
  int threads = 0;               ///< of a thread block; 0: the reduction's own choice
  std::uint64_t sum = 0;         ///< what it answered, the first time or, if that was right, the last time
  std::uint64_t expected = 0;    ///< the same values added up one by one on the CPU
  std::uint64_t bytes_read = 0;  ///< of the array: four a value
  /// Of one reduction, by the device's clock, in each sample; none where the answer is wrong.
  std::vector<double> seconds;
};

/// Makes `n` values (odd, up to 31, by `seed`) in a GPU's memory, adds them up, compares the sum with the
/// CPU's, and only if it is right takes so many samples, after a warm-up. `threads` are those of a thread
/// block: a power of two from 32 to 1024, or 0 for what suits the reduction. Throws Error: usage for a name
/// or number that cannot be, unavailable with the reason where the device cannot run it, run where its memory
/// is too small.
ReductionTiming time_reduction(const std::string& name, const std::string& device, std::int64_t n,
                               int threads, int samples, std::uint32_t seed = 0);

}  // namespace moorea
