// SPDX-License-Identifier: MIT
// Reductions: kernels that sum an array on a GPU, checked and timed.
#pragma once

#include <cmath>
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

/// Values of an array, of 32 bits each.
enum class ReductionType {
  integers,  ///< odd numbers up to 31; their sum is exact
  floats,    ///< multiples of 2^-24 from 1/2 to 1; their sum depends on the order of the additions
};

/// An array and the reduction that adds it up.
struct ReductionTask {
  std::string name;               ///< as ReductionInfo::name
  std::string device = "cuda:0";  ///< a GPU
  std::int64_t values = 0;        ///< length of the array, 0 to largest_reduction
  ReductionType type = ReductionType::integers;
  int threads = 0;         ///< per block, a power of two from 32 to 1024; 0: the reduction's own
  int samples = 0;         ///< timings; 0: the sum is only checked
  std::uint32_t seed = 0;  ///< determines the values
};

struct ReductionTiming {
  std::string name;
  std::string device;       ///< "cuda:0"
  std::int64_t values = 0;  ///< length of the array of 32-bit values
  ReductionType type = ReductionType::integers;
  int threads = 0;  ///< threads per block; 0: chosen by the reduction
  double sum = 0;   ///< result of the first run, or of the last one if the first was correct
  /// Sum computed by the CPU in integers, exact up to the rounding to 53 bits.
  double expected = 0;
  double tolerance = 0;          ///< maximum error of a correct sum: 0 for integers
  std::uint64_t bytes_read = 0;  ///< four per value
  /// Seconds per reduction of each sample, by the device's clock; empty if the result is wrong.
  std::vector<double> seconds;
};

/// Whether the sum differs from the expected one by no more than the order of the additions explains.
inline bool is_correct(const ReductionTiming& timing) {
  return std::abs(timing.sum - timing.expected) <= timing.tolerance;  // false for a sum that is not a number
}

/// Creates the values in a GPU's memory, checks their sum against the CPU's and, if it is correct, takes the
/// timings after a warm-up. Throws Error (usage) for an unknown name, an invalid number or a type that the
/// reduction does not add, Error (unavailable) if the device cannot run the reduction, Error (run) if its
/// memory is too small.
ReductionTiming time_reduction(const ReductionTask& task);

}  // namespace moorea
#pragma GCC visibility pop
