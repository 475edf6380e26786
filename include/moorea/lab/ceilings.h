// SPDX-License-Identifier: MIT
// Speed limits of a device, measured.
#pragma once

#include <string>

#pragma GCC visibility push(default)
namespace moorea {

/// Speed limits of a device.
struct Ceilings {
  double copy_bytes_per_second = 0;  ///< bytes read plus bytes written by a copy in its memory
  /// 64-bit words per second through a two- or three-input logic instruction; 0 if not measured (OpenCL).
  double logic_words_per_second = 0;
  std::string logic_instruction;  ///< the instruction that was timed
};

/// Measures the speed limits of a device, in about half a second. Throws Error (unavailable) for an unknown
/// device.
Ceilings measure_ceilings(const std::string& device, int threads);

}  // namespace moorea
#pragma GCC visibility pop
